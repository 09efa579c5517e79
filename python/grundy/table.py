"""Tables: the values of all positions of a game, as numpy arrays."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any, Callable, Iterator, Optional, Union

from . import _native
from .game import Game, Position
from .value import UNKNOWN, Value

_BLOCK = 65_536


class Table:
    """The table of a game, made by ``Game.solve``.

    >>> table = Game("tictactoe").solve(save=False)
    >>> sum(1 for _ in table) == int((table.values != UNKNOWN).sum())
    True
    """

    def __init__(self, game: Game, native: _native.Solved) -> None:
        self._game, self._native = game, native
        self._values: Any = None

    @classmethod
    def _solve(
        cls,
        game: Game,
        save: bool,
        progress: Union[bool, Callable[[str, int, int], object]],
        memory_mb: Optional[int],
    ) -> Table:
        bar = _Bar() if progress is True else None
        call = bar if bar is not None else progress if callable(progress) else None
        try:
            return cls(game, _native.Solved(game._engine, save, memory_mb, call))
        finally:
            if bar is not None:
                bar.close()

    @property
    def game(self) -> Game:
        """The game."""
        return self._game

    def __len__(self) -> int:
        """Counts the cells; some may stand for no position."""
        return len(self._native)

    @property
    def values(self) -> Any:
        """Codes of all cells as a numpy array of ``int32`` (see ``Game.values``); ``-2**31`` where there is no position."""
        if self._values is None:
            import numpy

            self._values = numpy.frombuffer(self._native.codes(0, len(self)), dtype="<i4")
        return self._values

    def position(self, index: int) -> Optional[Position]:
        """Returns the position of a cell; ``None`` where there is none."""
        found = self._native.positions(index, index + 1)[0]
        return None if found is None else self._game.position(found[1])

    def __iter__(self) -> Iterator[tuple[Position, Value]]:
        """Yields every position with its value."""
        for text, code in self._rows():
            value = Value.decode(code, self._game._parts)
            if value is not None:
                yield self._game.position(text), value

    def _rows(self) -> Iterator[tuple[str, int]]:
        for start in range(0, len(self), _BLOCK):
            end = min(start + _BLOCK, len(self))
            codes = memoryview(self._native.codes(start, end)).cast("i")
            for found, code in zip(self._native.positions(start, end), codes):
                if found is not None and code != UNKNOWN:
                    yield found[1], code

    def verify(self) -> str:
        """Proves the table against the rules and returns the word for what that shows (``proved``, ``consistent``).

        Raises ``ValueError`` where a value is false.
        """
        return self._native.verify()

    def _records(self, best: bool) -> Iterator[tuple[str, int, str]]:
        for text, code in self._rows():
            moves = ""
            if best:
                _, listed = self._game._engine.values(text, 0.0, 1_000_000)
                moves = " ".join(word for word, value in listed if value == listed[0][1])
            yield text, code, moves

    def to_csv(self, path: Union[str, Path], best: bool = True) -> None:
        """Writes a line for each position: ``position``, ``value`` (the code), and, with ``best``, ``best_moves``."""
        with open(path, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(["position", "value"] + (["best_moves"] if best else []))
            for text, code, moves in self._records(best):
                writer.writerow([text, code] + ([moves] if best else []))

    def to_parquet(self, path: Union[str, Path], best: bool = True) -> None:
        """Writes the same columns as a Parquet file. Needs ``pyarrow``."""
        import pyarrow
        import pyarrow.parquet

        fields = [("position", pyarrow.string()), ("value", pyarrow.int32())]
        if best:
            fields.append(("best_moves", pyarrow.string()))
        schema = pyarrow.schema(fields)
        with pyarrow.parquet.ParquetWriter(str(path), schema) as writer:
            block: list[tuple[str, int, str]] = []

            def flush() -> None:
                columns: list[Any] = [list(column) for column in zip(*block)][: len(fields)]
                arrays = [pyarrow.array(column, type=kind) for column, (_, kind) in zip(columns, fields)]
                writer.write_table(pyarrow.Table.from_arrays(arrays, schema=schema))
                block.clear()

            for record in self._records(best):
                block.append(record)
                if len(block) == _BLOCK:
                    flush()
            if block:
                flush()

    def __repr__(self) -> str:
        return f"<Table of {self._game.name}: {len(self)} cells>"


class _Bar:
    """A bar of ``tqdm``, or nothing where that is not installed."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._step = ""
        try:
            from tqdm.auto import tqdm
        except ImportError:
            self._make: Any = None
        else:
            self._make = tqdm

    def __call__(self, step: str, done: int, total: int) -> None:
        if self._make is None:
            return
        if step != self._step or self._bar is None:
            self.close()
            self._step, self._bar = step, self._make(desc=step, total=total or None, leave=False)
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None
