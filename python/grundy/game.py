"""Games and their positions."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Iterator, Optional, Sequence, Union

from . import _native
from .value import Value

if TYPE_CHECKING:
    from .table import Table


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
    """What it is, in a few words."""


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


def _search(line: Any, best: Optional[str] = None) -> Search:
    depth, seldepth, nodes, rank, kind, score, words = line
    guess = int(score) if kind == "guess" else None
    value = None if kind == "guess" else Value.read(score)
    return Search(depth, seldepth, nodes, rank, kind, value, guess, tuple(words), best)


class Game:
    """A game by its name (``connect4:7x6``), a rules file, or a graph.

    ``rules`` is the path of a file in the language of Regular Boardgames. ``graph`` is the path of a DOT file, or a
    ``networkx.DiGraph`` whose nodes may have the attributes ``start``, ``owner`` and ``value``.
    ``tables`` is the folder of tables, ``threads`` and ``hash_mb`` bound searches and solving.

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
        graph: Any = None,
        tables: Union[str, Path, None] = None,
        threads: int = 1,
        hash_mb: int = 64,
        seed: Optional[int] = None,
    ) -> None:
        if (name is not None) + (rules is not None) + (graph is not None) != 1:
            raise TypeError("expected one of name, rules= and graph=")
        dot: Optional[str] = None
        if rules is not None:
            name = f"rules:file={rules}"
        elif graph is not None and not isinstance(graph, (str, Path)):
            from .graphs import to_dot

            dot = to_dot(graph)
        elif graph is not None:
            name = f"graph:file={graph}"
        self._arguments = {"tables": None if tables is None else str(tables), "threads": threads,
                           "hash_mb": hash_mb, "seed": seed}
        self._dot = dot
        if dot is not None:
            with tempfile.TemporaryDirectory(prefix="grundy-") as folder:
                path = Path(folder, "graph.dot")
                path.write_text(dot, encoding="utf-8")
                self._engine = self._open(f"graph:file={path}")
        else:
            self._engine = self._open(str(name))

    def _open(self, name: str) -> _native.Engine:
        arguments = self._arguments
        return _native.Engine(name, arguments["tables"], arguments["threads"], arguments["hash_mb"], arguments["seed"])

    @property
    def name(self) -> str:
        """Full name with its parameters."""
        return self._engine.name

    @property
    def counts_points(self) -> bool:
        """Whether values are margins of points."""
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
        return Position(self, self._engine.standing(text))

    def values(self, positions: Sequence[Union[str, Position]]) -> Any:
        """Returns the codes of many positions as a numpy array of ``int32``, as far as they are known without a search.

        0 is a draw, ``n + 1`` a win and ``-(n + 1)`` a loss in ``n`` plies, ``±2**30`` one of unknown distance; in games for
        points the margin in parts of a point. ``-2**31`` is unknown. ``Value.decode`` reads a code.
        """
        import numpy

        codes = self._engine.many([str(position) for position in positions])
        return numpy.frombuffer(codes, dtype="<i4")

    def solve(
        self,
        *,
        save: bool = True,
        progress: Union[bool, Callable[[str, int, int], object]] = False,
        memory_mb: Optional[int] = None,
    ) -> Table:
        """Opens the table of the game, or makes it and saves it in the folder of tables.

        ``progress=True`` shows a bar where ``tqdm`` is installed; a callable gets the name of the step, the units done, and
        the units in all (0: unknown). Raises ``RuntimeError`` where the game has no table or the memory does not suffice.
        """
        from .table import Table

        return Table._solve(self, save, progress, memory_mb)

    def graph(self, limit: int = 10_000) -> Any:
        """Returns the positions that can be reached as a ``networkx.DiGraph``: nodes are positions, edges have ``move``.

        Raises ``ValueError`` where there are more than ``limit``.
        """
        from .graphs import from_game

        return from_game(self, limit)

    def __reduce__(self) -> Any:
        return _reopen, (None if self._dot else self.name, self._dot, self._arguments)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.name == other.name and self._dot == other._dot

    def __hash__(self) -> int:
        return hash((self.name, self._dot))

    def __repr__(self) -> str:
        return f"Game({self.name!r})"


def _reopen(name: Optional[str], dot: Optional[str], arguments: dict[str, Any]) -> Game:
    if dot is None:
        return Game(name, **arguments)
    game = Game.__new__(Game)
    game._arguments, game._dot = arguments, dot
    with tempfile.TemporaryDirectory(prefix="grundy-") as folder:
        path = Path(folder, "graph.dot")
        path.write_text(dot, encoding="utf-8")
        game._engine = game._open(f"graph:file={path}")
    return game


class Position:
    """A position of a game. It never changes; ``str()`` is its notation.

    Made by ``Game.start``, ``Game.position`` and ``Position.play``. Positions of one game are equal where their notation is.
    """

    __slots__ = ("_game", "_over", "_result", "_score", "_text", "_turn")

    def __init__(self, game: Game, standing: Any) -> None:
        self._game = game
        self._text, self._turn, self._over, self._result, self._score = standing

    @property
    def game(self) -> Game:
        """The game."""
        return self._game

    @property
    def turn(self) -> int:
        """Player to move: 1 or 2."""
        return int(self._turn)

    @property
    def is_over(self) -> bool:
        """Whether the game is over here."""
        return self._over is not None

    @property
    def winner(self) -> Optional[int]:
        """The player who has won, 0 for a draw, ``None`` while the game goes on."""
        return self._result

    @property
    def score(self) -> Optional[tuple[int, int]]:
        """Points of both players so far, in a game for points."""
        return self._score

    def moves(self) -> list[str]:
        """Lists the legal moves."""
        return [word for word, _ in self._game._engine.successors(self._text)]

    def successors(self) -> dict[str, Position]:
        """Maps each legal move to the position that it leads to."""
        return {word: self._game.position(text) for word, text in self._game._engine.successors(self._text)}

    def play(self, *moves: str) -> Position:
        """Returns the position after one or more moves. Raises ``ValueError`` where one is not legal.

        >>> Game("tictactoe").start().play("b2", "a1").turn
        1
        """
        position = self
        for word in moves:
            standing = position._game._engine.play(position._text, word)[3]
            position = Position(position._game, standing)
        return position

    def value(self, time: float = 10.0) -> Optional[Value]:
        """Returns the exact value for the player to move, or ``None`` where it is not proved within ``time`` seconds."""
        found = self._game._engine.value(self._text, time)
        return None if found is None else Value.read(found)

    def values(self, time: float = 10.0) -> dict[str, Optional[Value]]:
        """Returns the values of the moves for the player who makes them, best first; ``None`` for those not proved in time."""
        _, moves = self._game._engine.values(self._text, time, 1_000_000)
        return {word: None if value is None else Value.read(value) for word, value in moves}

    def best_moves(self, time: float = 10.0) -> Optional[list[str]]:
        """Lists the moves with the best value; ``None`` where the time did not suffice to prove which they are."""
        value, moves = self._game._engine.values(self._text, time, 1_000_000)
        if value is None or any(other is None for _, other in moves):
            return None
        best = [word for word, other in moves if other == moves[0][1]]
        return best

    def search(
        self,
        time: Optional[float] = None,
        *,
        depth: Optional[int] = None,
        nodes: Optional[int] = None,
        moves: Sequence[str] = (),
        on_info: Optional[Callable[[Search], object]] = None,
    ) -> Search:
        """Runs the engine's own search and returns its last line with the best move.

        It ends at the first limit, or when the value is proved. ``moves`` restricts it, ``on_info`` gets each line. Ctrl-C stops
        it. Raises ``ValueError`` where the game is over.
        """
        if self.is_over:
            raise ValueError(f"no search: the game is over in {self._text}")
        call = None if on_info is None else lambda line: on_info(_search(line))
        best, last = self._game._engine.search(self._text, (time, depth, nodes), list(moves), call)
        if last is None:
            return Search(0, 0, 0, 1, "guess", None, 0, (), best)
        return _search(last, best)

    def draw(self, before: Optional[Position] = None) -> str:
        """Returns a picture of the position as SVG; what differs from ``before`` is marked."""
        return self._game._engine.svg(self._text, None if before is None else before._text)

    def _repr_svg_(self) -> str:
        return self.draw()

    def text(self) -> str:
        """Returns the board in letters, several lines."""
        return self._game._engine.text(self._text)

    def canonical(self) -> Position:
        """Returns the position that represents those that symmetry makes equal to this one."""
        return self._game.position(self._game._engine.canonical(self._text))

    def perft(self, depth: int) -> int:
        """Counts the lines of play of exactly ``depth`` plies.

        >>> Game("connect4").start().perft(4)
        2401
        """
        return self._game._engine.perft(self._text, depth)

    def nimber(self) -> Optional[int]:
        """Returns the Grundy number; ``None`` where the game has none or it was not found.

        >>> Game("nim:3,5").start().nimber()
        6
        """
        text = self._game._engine.grundy(self._text)
        return int(text) if text.isdigit() else None

    def cgt(self) -> Any:
        """Returns the canonical form as an object that adds and compares (``grundy.cgt.Form``); ``None`` where there is none."""
        from .cgt import Form

        text = self._game._engine.canonical_form(self._text)
        return None if text in ("?", "unknown") else Form.read(text)

    def tree(self, depth: int = 2, time: float = 1.0) -> dict[str, Any]:
        """Returns the game tree to ``depth`` as nested dicts with ``position``, ``value`` and ``moves``."""
        moves: dict[str, Any] = {}
        if depth > 0 and not self.is_over:
            moves = {word: child.tree(depth - 1, time) for word, child in self.successors().items()}
        return {"position": self, "value": self.value(time), "moves": moves}

    def walk(self) -> Iterator[Position]:
        """Yields this position and all that can be reached from it, breadth first, each once."""
        seen = {self._text}
        queue = [self]
        for position in queue:
            yield position
            if position.is_over:
                continue
            for text in dict.fromkeys(text for _, text in self._game._engine.successors(position._text)):
                if text not in seen:
                    seen.add(text)
                    queue.append(self._game.position(text))

    def __reduce__(self) -> Any:
        return _again, (self._game, self._text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self._text == other._text and self._game == other._game

    def __hash__(self) -> int:
        return hash(self._text)

    def __str__(self) -> str:
        return str(self._text)

    def __repr__(self) -> str:
        return f"<Position of {self._game.name}: {self._text}>"


def _again(game: Game, text: str) -> Position:
    return game.position(text)
