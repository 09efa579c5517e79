"""Tables: the values of all positions of a game, as numpy arrays."""

from __future__ import annotations

import contextlib
import csv
import itertools
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Iterator, Optional, SupportsIndex, Union

from . import _native
from .game import Game, Position, _whole
from .value import Value

if TYPE_CHECKING:
    import numpy
    import pandas
    from numpy.typing import NDArray

_Progress = Union[bool, Callable[[str, int, int], object]]
_BLOCK = 65_536
"""Positions that are held in memory at a time."""
_COLUMNS = ["position", "turn", "value", "best_moves"]


class Table:
    """The table of a game, made by ``Game.solve``.

    >>> table = Game("tictactoe").solve(save=False)
    >>> position, value = next(iter(table))
    >>> position.value() == value == table.game.decode(table.values[table.index(position)])
    True
    """

    def __init__(self, game: Game, native: _native.Solved) -> None:
        self._game, self._native = game, native
        self._values: Optional[NDArray[numpy.int32]] = None

    @classmethod
    def _solve(cls, game: Game, save: bool, progress: _Progress, memory_mb: Optional[SupportsIndex]) -> Table:
        most = None if memory_mb is None else _whole("memory_mb", memory_mb, 0, 2**64 - 1)
        with _heard(progress) as call:
            return cls(game, _native.Solved(game._engine, save, most, call))

    @property
    def game(self) -> Game:
        """The game."""
        return self._game

    def __len__(self) -> int:
        """Counts the indices; some may stand for no position."""
        return len(self._native)

    @property
    def values(self) -> NDArray[numpy.int32]:
        """Codes of all indices as a numpy array of ``int32`` (see ``Game.values``); ``-2**31`` where there is no position.

        Numberings have room for boards that no play leads to. Those may have codes as well; iteration, ``to_csv``,
        ``to_parquet`` and ``to_pandas`` leave them out.
        """
        if self._values is None:
            self._values = self.block(0, len(self))
        return self._values

    def block(self, start: SupportsIndex, end: SupportsIndex) -> NDArray[numpy.int32]:
        """Returns the codes of the indices from ``start`` to ``end``, for tables that do not fit in memory as a whole."""
        import numpy

        end = _whole("end", end, 0, len(self))
        start = _whole("start", start, 0, end)
        return numpy.frombuffer(self._native.codes(start, end), dtype="<i4")

    def index(self, position: Union[str, Position]) -> Optional[int]:
        """Returns the index of a position; ``None`` where the table does not hold it.

        Positions that symmetry makes equal share an index in some games. Raises ``ValueError`` for a position of another game.

        >>> table = Game("tictactoe").solve(save=False)
        >>> corner = table.game.start().play("a1")
        >>> table.position(table.index(corner)) == corner, table.game.decode(table.values[table.index(corner)])
        (True, Value('draw'))
        """
        return self._native.index(self._game._notation("position", position))

    def __contains__(self, position: Union[str, Position]) -> bool:
        """Reports whether the table holds a value of a position. Raises what ``index`` does."""
        index = self.index(position)
        return index is not None and bool(self._native.records(index, index + 1, False))

    def position(self, index: SupportsIndex) -> Optional[Position]:
        """Returns the position with this index; ``None`` where there is none."""
        index = _whole("index", index, 0, len(self) - 1)
        found = self._native.records(index, index + 1, False)
        return self._game.position(found[0][1]) if found else None

    def __iter__(self) -> Iterator[tuple[Position, Value]]:
        """Yields every position with its value."""
        for _, text, code, _ in self._records(best=False):
            value = self._game.decode(code)
            assert value is not None
            yield self._game.position(text), value

    def _records(self, best: bool, progress: _Progress = False) -> Iterator[_native._Record]:
        with _heard(progress) as call:
            for start in range(0, len(self), _BLOCK):
                end = min(start + _BLOCK, len(self))
                yield from self._native.records(start, end, best)
                if call is not None:
                    call("write", end, len(self))

    def verify(self) -> str:
        """Compares the table with the rules and returns the outcome, ``proved`` or ``consistent``.

        Raises ``ValueError`` where a value is false.
        """
        return self._native.verify()

    def to_csv(self, path: Union[str, Path], best: bool = True, *, progress: _Progress = False) -> None:
        """Writes a line for each position: ``position``, ``turn``, ``value`` and, with ``best``, ``best_moves``.

        ``value`` is the code (see ``Game.values``). The moves are separated by blanks; there are none where the game is over.
        Best moves take most of the time: minutes for ten million positions. ``progress`` is that of ``Game.solve``.
        """
        with open(os.fspath(path), "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(_COLUMNS if best else _COLUMNS[:-1])
            for turn, text, code, moves in self._records(best, progress):
                writer.writerow([text, turn, code] + ([" ".join(moves or ())] if best else []))

    def to_parquet(self, path: Union[str, Path], best: bool = True, *, progress: _Progress = False) -> None:
        """Writes the same columns as a Parquet file, of which ``best_moves`` is a list. Needs ``pyarrow``."""
        import pyarrow
        import pyarrow.parquet

        path = os.fspath(path)
        types = [pyarrow.string(), pyarrow.int8(), pyarrow.int32(), pyarrow.list_(pyarrow.string())]
        schema = pyarrow.schema(list(zip(_COLUMNS, types if best else types[:-1])))
        records = self._records(best, progress)
        with pyarrow.parquet.ParquetWriter(path, schema) as writer:
            while block := list(itertools.islice(records, _BLOCK)):
                turns, texts, codes, moves = zip(*block)
                columns = [texts, turns, codes, moves]
                writer.write_batch(pyarrow.record_batch(columns[: len(schema)], schema=schema))

    def to_pandas(self, best: bool = True, *, progress: _Progress = False) -> pandas.DataFrame:
        """Returns the same columns as a data frame, of which ``best_moves`` has lists. Needs ``pandas``."""
        import pandas

        names = _COLUMNS if best else _COLUMNS[:-1]
        rows = [(text, turn, code, moves)[: len(names)] for turn, text, code, moves in self._records(best, progress)]
        return pandas.DataFrame(rows, columns=names).astype({"turn": "int8", "value": "int32"})

    def __reduce__(self) -> Any:
        raise TypeError("a table cannot be pickled: pickle its game, and open the table again by Game.solve")

    def __repr__(self) -> str:
        return f"<Table of {self._game.name}: {len(self)} indices>"


@contextlib.contextmanager
def _heard(progress: _Progress) -> Iterator[Optional[Callable[[str, int, int], object]]]:
    """What is to be called with the progress of a work."""
    if progress is not True:
        yield progress if callable(progress) else None
        return
    bar = _Bar()
    try:
        yield bar
    finally:
        bar.close()


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
