"""Games and their positions."""

from __future__ import annotations

import math
import operator
import os
import random
import shutil
import tempfile
import weakref
from dataclasses import dataclass
from fractions import Fraction
from functools import total_ordering
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, Optional, Sequence, SupportsIndex, Union

from . import _native
from .value import Value

if TYPE_CHECKING:
    import networkx
    import numpy
    from numpy.typing import NDArray

    from .cgt import Form
    from .table import Table

    _Graph = networkx.DiGraph[Any]
else:
    _Graph = Any

_ALL = 1_000_000
"""The most moves listed of one position."""
_AT_ONCE = 3
"""Plies that ``perft`` counts without looking for Ctrl-C."""


@dataclass(frozen=True)
class Listed:
    """A game of the catalog."""

    name: str
    """First word of its names."""
    default: str
    """Full name with its usual parameters."""
    parameters: str
    """Form of its parameters."""
    about: str
    """Short description."""


def games() -> list[Listed]:
    """Lists the games of the catalog.

    >>> [game.default for game in games()][:3]
    ['tictactoe', 'mnk:4,4,4', 'teeko:4x4']
    """
    return [Listed(*row) for row in _native.games()]


@dataclass(frozen=True)
class Search:
    """A line of the report of a search."""

    depth: int
    """Plies searched in full."""
    seldepth: int
    """Most plies reached."""
    nodes: int
    """Nodes visited so far."""
    rank: int
    """1 for the best move, 2 for the second best."""
    kind: str
    """``'exact'``, ``'at least'``, ``'at most'``, or ``'guess'``."""
    value: Optional[Value]
    """The value or bound; ``None`` of a guess."""
    guess: Optional[int]
    """Estimate in hundredths of a point, where nothing is proved."""
    line: tuple[str, ...]
    """Principal variation."""
    best: Optional[str] = None
    """Best move, at the end of a search."""

    def __str__(self) -> str:
        score = f"guess {self.guess}" if self.value is None else f"{self.kind} {self.value}"
        return f"depth {self.depth} nodes {self.nodes} {score} line {' '.join(self.line)}"


def _search(line: _native._Line, best: Optional[str] = None) -> Search:
    depth, seldepth, nodes, rank, kind, score, words = line
    guess = int(score) if kind == "guess" else None
    value = None if kind == "guess" else Value.read(score)
    return Search(depth, seldepth, nodes, rank, kind, value, guess, tuple(words), best)


@dataclass(frozen=True)
class Analysis:
    """Proved values of a position and its moves."""

    value: Optional[Value]
    """Value for the player to move; ``None`` where it is not proved."""
    values: dict[str, Optional[Value]]
    """Values of the moves for the player who makes them, best first, at most 1,000,000; ``None`` where they are not proved."""
    best: Optional[tuple[str, ...]]
    """Moves with the best value; ``None`` where it is not proved which they are."""
    keeping: tuple[str, ...]
    """Moves that are proved to keep the outcome, or in a game for points the margin."""


class Picture(str):
    """A picture as the text of an SVG; Jupyter shows it."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


_Options = tuple[Union[str, Path, None], int, int, Optional[int]]
_Standing = tuple[str, int, bool, Optional[int], Optional[tuple[int, int]]]


def _whole(name: str, value: SupportsIndex, least: int, most: int) -> int:
    """An argument that is a whole number of this range."""
    number = operator.index(value)
    if not least <= number <= most:
        raise ValueError(f"{name}={number}: expected {least} to {most}")
    return number


def _utf8(name: str, value: str) -> str:
    """An argument that is a text which the engine can read: UTF-8 has no surrogates."""
    if not isinstance(value, str):
        raise TypeError(f"{name}: expected a str, not {value!r}")
    try:
        value.encode()
    except UnicodeEncodeError as fault:
        raise ValueError(f"{name}: unexpected {value[fault.start]!r}: expected text without surrogates") from None
    return value


def _seconds(time: float) -> float:
    """An argument that is a time. The engine refuses negative ones."""
    try:
        # Unlike `float`, this reads no text.
        return math.ldexp(time, 0)
    except OverflowError:
        raise ValueError("time: expected seconds, 0 or more, and less than a float can hold") from None


def _remove(folder: str, process: int) -> None:
    """Removes a folder in the process that made it: a forked child has no part in it."""
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)


class Game:
    """A game by its name (``connect4:7x6``), a rules file, or a graph.

    ``rules`` is the path of a file in the language of Regular Boardgames. ``graph`` is the path of a DOT file, or a
    ``networkx.DiGraph`` whose nodes may have the attributes ``start``, ``owner`` and ``value``. The name
    of the game has the absolute path. ``tables`` is the folder of tables; ``threads`` and ``hash_mb``, the megabytes of the
    transposition table, bound searches and solving; with ``seed`` the choice among equally good moves is random, without it the
    first is taken.

    Threads may share a game: each question has a session of its own.

    >>> Game("tictactoe").start().value()
    Value('draw')
    >>> Game("tictactow")
    Traceback (most recent call last):
    ...
    ValueError: ...tictactoe...
    """

    def __init__(
        self,
        name: Optional[str] = None,
        *,
        rules: Union[str, Path, None] = None,
        graph: Union[str, Path, _Graph, None] = None,
        tables: Union[str, Path, None] = None,
        threads: SupportsIndex = 1,
        hash_mb: SupportsIndex = 64,
        seed: Optional[SupportsIndex] = None,
    ) -> None:
        if (name is not None) + (rules is not None) + (graph is not None) != 1:
            raise TypeError("expected one of name, rules= and graph=")
        dot: Optional[tuple[str, ...]] = None
        if rules is not None:
            name = f"rules:file={os.path.abspath(rules)}"
        elif isinstance(graph, (str, Path)):
            name = f"graph:file={os.path.abspath(graph)}"
        elif graph is not None:
            from .graphs import _statements

            dot = tuple(_statements(graph))
        if name is not None:
            _utf8("name", name)
        bounds = _whole("threads", threads, 1, 256), _whole("hash_mb", hash_mb, 1, 65_536)
        self._open(name, dot, (tables, *bounds, None if seed is None else _whole("seed", seed, 0, 2**64 - 1)))

    def _open(self, name: Optional[str], dot: Optional[tuple[str, ...]], options: _Options) -> None:
        self._dot, self._options = dot, options
        if dot is not None:
            # The engine reads graphs from files. This one stays as long as the game does, so that its name can be used.
            folder = tempfile.mkdtemp(prefix="grundy-")
            weakref.finalize(self, _remove, folder, os.getpid())
            path = Path(folder, "graph.dot")
            path.write_bytes("".join(["digraph {\n", *dot, "}\n"]).encode())
            name = f"graph:file={path}"
        assert name is not None
        self._engine = _native.Engine(name, *options)
        # A graph is what it is: the file that it is read from is another each time.
        self._key = (self.name,) if dot is None else ("graph", *sorted(dot))

    @classmethod
    def _reopen(cls, name: Optional[str], dot: Optional[tuple[str, ...]], options: _Options) -> Game:
        game = cls.__new__(cls)
        game._open(name, dot, options)
        return game

    def _seeded(self, seed: int) -> Game:
        """The same game with another seed."""
        return Game._reopen(None if self._dot else self.name, self._dot, (*self._options[:-1], seed))

    @property
    def name(self) -> str:
        """Full name with its parameters."""
        return self._engine.name

    @property
    def counts_points(self) -> bool:
        """``True`` if values are margins of points."""
        return self._engine.unit[0]

    @property
    def _parts(self) -> Optional[int]:
        points, parts = self._engine.unit
        return parts if points else None

    def start(self) -> Position:
        """Returns the position that the game begins with."""
        return Position(self, self._engine.standing(None))

    def position(self, text: str) -> Position:
        """Reads a position. Raises ``ValueError`` with one line that says what was expected."""
        return Position(self, self._engine.standing(_utf8("position", text)))

    def _notation(self, name: str, position: Union[str, Position]) -> str:
        """An argument that is a position of this game, or its text."""
        if isinstance(position, str):
            return _utf8(name, position)
        if not isinstance(position, Position):
            raise TypeError(f"{name}: expected a position or its text, not {position!r}")
        if position._game is not self and position._game != self:
            raise ValueError(f"{name}: expected a position of {self.name}, not of {position._game.name}")
        return position._text

    def _children(self, text: str) -> list[tuple[str, str]]:
        """The legal moves of a position, each with the position that it leads to."""
        children = self._engine.successors(text)
        if len(children) >= _ALL and self._engine.perft(text, 1) > _ALL:
            raise ValueError(f"no list of moves: there are more than {_ALL} in {text}")
        return children

    def values(self, positions: Iterable[Union[str, Position]]) -> NDArray[numpy.int32]:
        """Returns the codes of many positions as a numpy array of ``int32``, as far as they are known without a search.

        0 is a draw, ``n + 1`` a win and ``-(n + 1)`` a loss in ``n`` plies, ``±2**30`` one of unknown distance; in games for
        points the margin in parts of a point. ``-2**31`` is unknown. ``Game.decode`` reads a code. Raises ``ValueError`` for a
        position of another game.

        >>> game = Game("nim:3,5,7")
        >>> [game.decode(code) for code in game.values(["3,5,7 1", "1,1 2", game.start()])]
        [Value('win'), Value('loss'), Value('win')]
        """
        import numpy

        # One text is passed on faster than many.
        texts = [
            p._text if isinstance(p, Position) and p._game is self else self._notation("positions", p) for p in positions
        ]
        codes = self._engine.codes("\n".join(texts), len(texts))
        return numpy.frombuffer(codes, dtype="<i4")

    def decode(self, code: SupportsIndex) -> Optional[Value]:
        """Returns the value that a code of ``Game.values`` or of a table stands for; ``None`` where that is unknown."""
        return Value.decode(code, self._parts)

    def solve(
        self,
        *,
        save: bool = True,
        progress: Union[bool, Callable[[str, int, int], object]] = False,
        memory_mb: Optional[SupportsIndex] = None,
    ) -> Table:
        """Opens the table of the game, or makes it and saves it in the folder of tables.

        ``progress=True`` shows a bar where ``tqdm`` is installed; a callable gets the name of the step, the units done, and
        the units in all (0: unknown). Raises ``RuntimeError`` where the game has no table or the memory does not suffice.
        """
        from .table import Table

        return Table._solve(self, save, progress, memory_mb)

    def graph(self, limit: int = 10_000) -> networkx.DiGraph[Position]:
        """Returns the positions that can be reached as a ``networkx.DiGraph``: nodes are positions, edges have ``move``.

        Raises ``ValueError`` where there are more than ``limit``.
        """
        from .graphs import from_game

        return from_game(self, limit)

    def __copy__(self) -> Game:
        return self

    def __deepcopy__(self, _memo: object) -> Game:
        return self

    def __reduce__(self) -> Any:
        return Game._reopen, (None if self._dot else self.name, self._dot, self._options)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        return f"Game({self.name!r})"


@total_ordering
class Position:
    """A position of a game. It never changes; ``str()`` is its notation.

    Made by ``Game.start``, ``Game.position`` and ``Position.play``. Positions of one game are equal where their notation is,
    and ordered by it. A position has no history: rules that ask for one (repetition) do not end a game here.
    """

    __slots__ = ("_game", "_over", "_score", "_text", "_turn", "_winner")

    def __init__(self, game: Game, standing: _Standing) -> None:
        self._game = game
        self._text, self._turn, self._over, self._winner, self._score = standing

    @property
    def game(self) -> Game:
        """The game."""
        return self._game

    @property
    def turn(self) -> int:
        """Player to move: 1 or 2."""
        return self._turn

    @property
    def is_over(self) -> bool:
        """``True`` if the game is over here."""
        return self._over

    @property
    def winner(self) -> Optional[int]:
        """The player who has won, 0 for a draw, ``None`` while the game goes on."""
        return self._winner

    @property
    def score(self) -> Optional[tuple[int, int]]:
        """Points of both players so far, in a game for points."""
        return self._score

    @property
    def margin(self) -> Optional[Fraction]:
        """Points of player 1 minus those of player 2; ``None`` while the game goes on, and in games that are not for points."""
        end = self.value(0) if self._over else None
        if end is None or not self._game.counts_points:
            return None
        first, second = self._score or (0, 0)
        rest = end.points or Fraction(0)
        return Fraction(first - second, self._game._parts or 1) + (rest if self._turn == 1 else -rest)

    def moves(self) -> list[str]:
        """Lists the legal moves. Raises ``ValueError`` where there are more than 1,000,000."""
        return [word for word, _ in self._game._children(self._text)]

    def successors(self) -> dict[str, Position]:
        """Maps each legal move to the position that it leads to. Raises ``ValueError`` where there are more than 1,000,000."""
        return {word: self._game.position(text) for word, text in self._game._children(self._text)}

    def play(self, *moves: str) -> Position:
        """Returns the position after one or more moves. Raises ``ValueError`` where one is not legal.

        >>> Game("tictactoe").start().play("b2", "a1").turn
        1
        """
        position = self
        for word in moves:
            position = position._played(word)[1]
        return position

    def _played(self, word: str) -> tuple[str, Position]:
        """Plays a move; returns its standard spelling, too."""
        word, standing = self._game._engine.play(self._text, _utf8("move", word))
        return word, Position(self._game, standing)

    def analysis(self, time: float = 10.0) -> Analysis:
        """Returns everything that is proved within ``time`` seconds about the position and its moves.

        >>> found = Game("nim:3,5,7").start().analysis()
        >>> found.value, found.best
        (Value('win'), ('1:1', '2:1', '3:1'))
        """
        value, moves, best, keeping = self._game._engine.analysis(self._text, _seconds(time), _ALL)
        values = {word: None if text is None else Value.read(text) for word, text in moves}
        return Analysis(
            None if value is None else Value.read(value),
            values,
            None if best is None else tuple(best),
            tuple(keeping),
        )

    def value(self, time: float = 10.0) -> Optional[Value]:
        """Returns the exact value for the player to move, or ``None`` where it is not proved within ``time`` seconds."""
        found = self._game._engine.analysis(self._text, _seconds(time), 0)[0]
        return None if found is None else Value.read(found)

    def values(self, time: float = 10.0) -> dict[str, Optional[Value]]:
        """Returns the values of the moves for the player who makes them, best first; ``None`` for those not proved in time.

        There are at most 1,000,000.
        """
        return self.analysis(time).values

    def best_moves(self, time: float = 10.0) -> Optional[list[str]]:
        """Lists the moves with the best value; ``None`` where it is not proved in time which they are."""
        best = self.analysis(time).best
        return None if best is None else list(best)

    def search(
        self,
        time: Optional[float] = None,
        *,
        depth: Optional[SupportsIndex] = None,
        nodes: Optional[SupportsIndex] = None,
        moves: Sequence[str] = (),
        on_info: Optional[Callable[[Search], object]] = None,
    ) -> Search:
        """Runs the engine's own search and returns its last line with the best move.

        It ends at the first limit, or when the value is proved. ``moves`` restricts it to these, ``on_info`` gets each line of
        the report. Ctrl-C and an exception of ``on_info`` stop it. Raises ``ValueError`` where the game is over, or a move is
        not legal.
        """
        if self.is_over:
            raise ValueError(f"no search: the game is over in {self._text}")
        bounds = (
            None if time is None else _seconds(time),
            None if depth is None else _whole("depth", depth, 0, 2**32 - 1),
            None if nodes is None else _whole("nodes", nodes, 0, 2**64 - 1),
        )
        words = [_utf8("moves", word) for word in moves]
        call = None if on_info is None else lambda line: on_info(_search(line))
        best, last = self._game._engine.search(self._text, bounds, words, call)
        if last is None:
            return Search(0, 0, 0, 1, "guess", None, 0, (), best)
        return _search(last, best)

    def choose(
        self, time: float = 0.1, *, level: Optional[SupportsIndex] = None, seed: Optional[SupportsIndex] = None
    ) -> str:
        """Chooses a move as the engine does in ``grundy play``.

        ``level`` is its strength: 1 to 8, from many slips to the full time, ``None`` for perfect play. Each level below 8 halves
        ``time``. Slips follow ``seed``, without it Python's ``random``; the choice among equally good moves follows the
        ``seed`` of the game. Raises ``ValueError`` where the game is over.

        >>> start = Game("nim:3,5,7").start()
        >>> start.choose(), start.choose(level=1, seed=7) in start.moves()
        ('1:1', True)
        """
        if self.is_over:
            raise ValueError(f"no move: the game is over in {self._text}")
        strength = "perfect" if level is None else str(_whole("level", level, 1, 8))
        lot = random.getrandbits(64) if seed is None else _whole("seed", seed, 0, 2**64 - 1)
        word = self._game._engine.choose(self._text, strength, _seconds(time), lot)
        assert word is not None
        return word

    def draw(self, before: Optional[Position] = None) -> Picture:
        """Returns a picture of the position as SVG; what differs from ``before``, a position of the same game, is marked."""
        if before is not None and not isinstance(before, Position):
            raise TypeError(f"before: expected a position, not {before!r}")
        return Picture(self._game._engine.svg(self._text, None if before is None else self._game._notation("before", before)))

    def _repr_svg_(self) -> str:
        return str(self.draw())

    def text(self) -> str:
        """Returns the board in letters, several lines."""
        return self._game._engine.text(self._text)

    def canonical(self) -> Position:
        """Returns the position that represents those that symmetry makes equal to this one."""
        return self._game.position(self._game._engine.canonical(self._text))

    def perft(self, depth: SupportsIndex) -> int:
        """Counts the lines of play of exactly ``depth`` plies.

        >>> Game("connect4").start().perft(4)
        2401
        """
        count = 0
        waiting = [(self._text, _whole("depth", depth, 0, 2**32 - 1))]
        while waiting:
            text, left = waiting.pop()
            if left <= _AT_ONCE:
                count += self._game._engine.perft(text, left)
            else:
                waiting += [(child, left - 1) for _, child in self._game._children(text)]
        return count

    def nimber(self, time: float = 10.0) -> Optional[int]:
        """Returns the Grundy number; ``None`` where the game has none or it was not found within ``time`` seconds.

        >>> Game("nim:3,5").start().nimber()
        6
        """
        text = self._game._engine.grundy(self._text, _seconds(time))
        return int(text) if text.isdigit() else None

    def cgt(self, time: float = 10.0) -> Optional[Form]:
        """Returns the canonical form, an object that adds and compares.

        ``None`` where the game has none, it was not found within ``time`` seconds, or it is too large.

        >>> form = Game("domineering:2x2").start().cgt()
        >>> form, form.fuzzy(0), form + form == 0
        (Form('+-1'), True, True)
        """
        from .cgt import Form

        text = self._game._engine.canonical_form(self._text, _seconds(time))
        try:
            return None if text == "?" or text.startswith("unknown") else Form.read(text)
        except ValueError:
            return None

    def tree(self, depth: SupportsIndex = 2, time: float = 1.0) -> dict[str, Any]:
        """Returns the game tree to ``depth`` as nested dicts with ``position``, ``value`` and ``moves``."""
        depth = _whole("depth", depth, 0, 2**32 - 1)
        root: dict[str, Any] = {"position": self, "value": self.value(time), "moves": {}}
        waiting: list[tuple[dict[str, Any], Position, int]] = [(root, self, depth)]
        while waiting:
            node, position, left = waiting.pop()
            if left <= 0 or position.is_over:
                continue
            for word, child in position.successors().items():
                node["moves"][word] = {"position": child, "value": child.value(time), "moves": {}}
                waiting.append((node["moves"][word], child, left - 1))
        return root

    def walk(self) -> Iterator[Position]:
        """Yields this position and all that can be reached from it, breadth first, each once."""
        seen = {self._text}
        queue: list[Position] = [self]
        for position in queue:
            yield position
            if position.is_over:
                continue
            for text in dict.fromkeys(text for _, text in self._game._children(position._text)):
                if text not in seen:
                    seen.add(text)
                    queue.append(self._game.position(text))

    def __copy__(self) -> Position:
        return self

    def __deepcopy__(self, _memo: object) -> Position:
        return self

    def __reduce__(self) -> Any:
        return Game.position, (self._game, self._text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self._text == other._text and self._game == other._game

    def __lt__(self, other: Position) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return (self._game._key, self._text) < (other._game._key, other._text)

    def __hash__(self) -> int:
        return hash(self._text)

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<Position of {self._game.name}: {self._text}>"
