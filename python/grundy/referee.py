"""The referee: matches, audits and certificates. Runs the programs ``referee`` and ``grundy`` that the package brings."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sysconfig
import tempfile
from dataclasses import dataclass, field
from fractions import Fraction
from numbers import Rational
from pathlib import Path
from typing import Any, Callable, Iterable, Iterator, Optional, Protocol, Sequence, Union

from ._served import Server
from .game import Game, Position
from .judge import Judgement, Verdict
from .value import Value

Engine = Union[str, Callable[[Position], str]]


class _Array(Protocol):
    """An array of numpy, a data frame."""

    def __array__(self) -> Any: ...


_Matrix = Union[Sequence[Union[Sequence[Any], _Array]], _Array]


def program(name: str) -> str:
    """Returns the path of ``grundy`` or ``referee``: in ``GRUNDY_BIN``, beside this Python's scripts, or on ``PATH``.

    Raises ``FileNotFoundError`` where there is none.
    """
    suffix = ".exe" if os.name == "nt" else ""
    folders = [os.environ.get("GRUNDY_BIN"), sysconfig.get_path("scripts")]
    for folder in filter(None, folders):
        path = Path(folder, name + suffix)
        if path.is_file():
            return str(path)
    found = shutil.which(name)
    if found is None:
        raise FileNotFoundError(f"no program {name}: set GRUNDY_BIN to the folder that has it")
    return found


@contextlib.contextmanager
def _commands(engines: Sequence[Engine], faults: list[BaseException]) -> Iterator[list[str]]:
    """The commands of engines; callables are served as long as the work goes on. ``faults`` gets what they raised.

    The caller raises it: in here ``StopIteration`` would end the generator.
    """
    servers: list[Server] = []
    commands: list[str] = []
    try:
        for number, engine in enumerate(engines, 1):
            if isinstance(engine, str):
                commands.append(engine)
                continue
            if not callable(engine):
                raise TypeError(f"engine: expected a command or a callable, not {engine!r}")
            name = getattr(engine, "__name__", None)
            words = name.strip("<>").split() if isinstance(name, str) else []
            servers.append(Server(engine, " ".join(words) or f"player{number}"))
            commands.append(servers[-1].command)
        yield commands
    finally:
        for server in servers:
            server.close()
            faults += [*server.faults, *server.broken]


def _run_with(engines: Sequence[Engine], command: str, arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Runs a command with engines. Raises what a callable raised."""
    faults: list[BaseException] = []
    with _commands(engines, faults) as commands:
        done = _run([command, *(f"--engine={engine}" for engine in commands), *arguments])
    for fault in faults:
        raise fault
    return _checked(done)


def _run(arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
    path = program("referee")
    # The command `grundy` is the program beside the referee, wherever this Python is.
    beside = {**os.environ, "PATH": os.pathsep.join([os.path.dirname(path), os.environ.get("PATH", "")])}
    return subprocess.run([path, *arguments], capture_output=True, text=True, encoding="utf-8", env=beside)


def _checked(done: subprocess.CompletedProcess[str]) -> subprocess.CompletedProcess[str]:
    """Raises ``ValueError`` with one line where the program refused its arguments."""
    if done.returncode == 2:
        raise ValueError(_refusal(done))
    return done


def _refusal(done: subprocess.CompletedProcess[str]) -> str:
    # How to ask for help with the command follows a blank line.
    return " ".join((done.stderr or done.stdout).strip().partition("\n\n")[0].split())


def _name(game: Union[str, Game]) -> str:
    if isinstance(game, Game):
        return game.name
    if not isinstance(game, str):
        raise TypeError(f"game: expected a name or a game, not {game!r}")
    return game


@dataclass(frozen=True)
class Report:
    """Findings of a command of the referee."""

    code: int
    """Exit code: 0 clean, 1 a move lost value or a certificate failed, 3 a broken rule or protocol, 4 a crash or a loss
    on time, 5 a dispute."""
    text: str
    """Printed text."""
    games: list[dict[str, Any]] = field(default_factory=list)
    """Lines of the record, one a game: ``game``, ``players``, ``result``, ``moves`` and more."""
    _given: dict[str, Game] = field(default_factory=dict, repr=False, compare=False)
    """Games that the command was given, by their names in the record. The files of graphs stay as long as they do."""

    @property
    def clean(self) -> bool:
        """``True`` if nothing was wrong."""
        return self.code == 0

    def judgements(self) -> list[Judgement]:
        """Returns the verdicts on the moves of each game, with their values and regrets."""
        return [_judgement(self._given.get(line["game"]) or Game(line["game"]), line) for line in self.games]

    def regret(self, player: str) -> float:
        """Returns the value that a player's moves lost in all, as far as it is proved; ``player`` is its name in ``games``."""
        return sum(
            judgement.regret(seat)
            for line, judgement in zip(self.games, self.judgements())
            for seat, name in enumerate(line["players"], 1)
            if name == player
        )

    def __str__(self) -> str:
        return self.text


def _judgement(game: Game, line: dict[str, Any]) -> Judgement:
    """Reads the verdicts of a line of the record."""
    position = game.position(line["start"]) if line.get("start") else game.start()
    position = position.play(*line.get("opening", ()))
    verdicts: list[Verdict] = []
    for ply, move in enumerate(line["moves"], 1):
        before, after = (None if text is None else Value.read(text) for text in (move.get("before"), move.get("after")))
        kept = move.get("fault", {}).get("keeping", ())
        verdicts.append(Verdict(ply, move["by"], position, move["word"], before, after, tuple(kept)))
        position = position.play(move["word"])
    return Judgement(verdicts)


def match(
    a: Engine,
    b: Engine,
    game: Union[str, Game, Iterable[Union[str, Game]]] = "tictactoe",
    *,
    games: int = 2,
    movetime: int = 1000,
    record: Union[str, Path, None] = None,
    arguments: Sequence[str] = (),
) -> Report:
    """Plays games between two engines and compares every move with the exact value of its position.

    An engine is a command (``"grundy"``) or a callable that gets a ``Position`` and returns a move, so that any program in
    Python is judged move by move. What ``Position.play`` refuses loses as an illegal move, but for blanks around it. ``games``
    is their number for each game, ``movetime`` milliseconds a move, ``arguments`` more of ``referee match``. Raises what a
    callable raised.
    """
    if not isinstance(game, Iterable) and not isinstance(game, Game):
        raise TypeError(f"game: expected a name, a game or several, not {game!r}")
    several = [game] if isinstance(game, (str, Game)) else list(game)
    words = [f"--game={_name(one)}" for one in several]
    with tempfile.TemporaryDirectory(prefix="grundy-") as folder:
        path = Path(record) if record is not None else Path(folder, "record.jsonl")
        words += [f"--games={games}", f"--movetime={movetime}", f"--record={path}", *arguments]
        done = _run_with([a, b], "match", words)
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
    lines = map(json.loads, text.splitlines())
    given = {one.name: one for one in several if isinstance(one, Game)}
    return Report(done.returncode, done.stdout, [line for line in lines if line["line"] == "game"], given)


def audit(
    engine: Engine,
    game: Union[str, Game],
    *,
    side: str = "both",
    certificate: Union[str, Path, None] = None,
    arguments: Sequence[str] = (),
) -> Report:
    """Asks an engine in every position that its play can reach, and computes the result of its play against best replies."""
    words = [f"--game={_name(game)}", f"--side={side}"]
    if certificate is not None:
        words.append(f"--certificate={os.fspath(certificate)}")
    done = _run_with([engine], "audit", [*words, *arguments])
    return Report(done.returncode, done.stdout)


def check(path: Union[str, Path]) -> Report:
    """Verifies a certificate by the rules alone."""
    done = _checked(_run(["check", "--", os.fspath(path)]))
    return Report(done.returncode, done.stdout or done.stderr)


def equilibrium(matrix: _Matrix, other: Optional[_Matrix] = None) -> dict[str, Any]:
    """Solves a matrix game exactly (payoffs to the row player), or with ``other`` a bimatrix game.

    Rows are sequences of numbers or texts like ``"1/3"``; arrays and data frames are matrices, too. Returns the fields of
    ``grundy equilibrium --json`` with fractions in place of their texts. Of a bimatrix game ``equilibria``
    has the pure ones and the one that the method of Lemke and Howson finds; other extreme equilibria may be left out.

    >>> equilibrium([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])["row"]
    [Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)]
    """
    text = _rows(matrix) + ("" if other is None else "\n\n" + _rows(other)) + "\n"
    arguments = [program("grundy"), "equilibrium", "--json", "--lines", "rows"]
    done = subprocess.run(arguments, input=text, capture_output=True, text=True, encoding="utf-8")
    if done.returncode != 0:
        raise ValueError(_refusal(done))
    found: dict[str, Any] = {key: _fractions(value) for key, value in json.loads(done.stdout.splitlines()[0]).items()}
    return found


def _rows(matrix: Any) -> str:
    rows = [",".join(str(_payoff(entry)) for entry in _list(row)) for row in _list(matrix)]
    if not rows or not all(rows):
        raise ValueError("matrix: expected a payoff in each row, and a row")
    return "\n".join(rows)


def _list(values: Any) -> Sequence[Any]:
    # A data frame by itself is the sequence of its column names.
    if hasattr(values, "itertuples"):
        return list(values.itertuples(index=False, name=None))
    if hasattr(values, "__array__"):
        import numpy

        values = numpy.asarray(values, dtype=object)
        if values.ndim:
            return list(values)
    if isinstance(values, (str, bytes)) or not isinstance(values, Sequence):
        raise TypeError(f"matrix: expected a list of rows, and each a list of payoffs, not {values!r}")
    return values


def _payoff(entry: Any) -> Fraction:
    try:
        if isinstance(entry, (str, Rational)):
            return Fraction(entry)
        top, bottom = entry.as_integer_ratio()
        return Fraction(top, bottom)
    except (ArithmeticError, AttributeError, TypeError, ValueError):
        raise ValueError(f"payoff {entry!r}: expected a finite number") from None


def _fractions(value: Any) -> Any:
    if isinstance(value, list):
        return [_fractions(entry) for entry in value]
    if isinstance(value, dict):
        return {key: _fractions(entry) for key, entry in value.items()}
    if isinstance(value, str):
        try:
            return Fraction(value)
        except ValueError:
            return value
    return value
