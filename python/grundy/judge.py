"""Judges the moves of a game by exact values, from the end backwards."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Optional, Sequence, Union

from .game import Game, Position
from .value import Value


@dataclass(frozen=True)
class Verdict:
    """Proved values before and after one move."""

    ply: int
    """Number of the move, from 1."""
    player: int
    """Player who made it: 1 or 2."""
    position: Position
    """Position in which it was made."""
    move: str
    """The move in its standard spelling."""
    before: Optional[Value]
    """Value before the move for the player who made it."""
    after: Optional[Value]
    """Value of the move for the player who made it; ``None`` where it was not proved in time."""
    kept_by: tuple[str, ...] = ()
    """Moves that would have kept the value, where this one did not."""

    @property
    def slip(self) -> Optional[bool]:
        """``True`` if the move lost value; ``None`` where that is not proved."""
        if self.before is None or self.after is None:
            return None
        if self.before.points is not None:
            return self.after < self.before
        return self.after.outcome != self.before.outcome

    @property
    def regret(self) -> Optional[float]:
        """Value lost: points, or 1 for a step from win to draw or draw to loss and 2 from win to loss; ``None`` if open."""
        if self.before is None or self.after is None:
            return None
        if self.before.points is not None and self.after.points is not None:
            return float(self.before.points - self.after.points)
        rank = {"loss": 0, "draw": 1, "win": 2}
        return float(rank[self.before.outcome] - rank[self.after.outcome])


@dataclass(frozen=True)
class Judgement:
    """The verdicts on the moves of a game."""

    moves: list[Verdict] = field(default_factory=list)

    @property
    def slips(self) -> list[Verdict]:
        """Moves that lost value."""
        return [verdict for verdict in self.moves if verdict.slip]

    def regret(self, player: int) -> float:
        """Returns the value that a player's moves lost in all, as far as it is proved."""
        return sum(verdict.regret or 0.0 for verdict in self.moves if verdict.player == player)

    def __str__(self) -> str:
        lines = []
        for verdict in self.moves:
            note = "?" if verdict.slip is None else ""
            if verdict.slip:
                kept = f"; kept by {' '.join(verdict.kept_by)}" if verdict.kept_by else ""
                note = f"slip: {verdict.before} became {verdict.after}{kept}"
            lines.append(f"{verdict.ply:4} player {verdict.player}  {verdict.move:8} {note}".rstrip())
        return "\n".join(lines)


def judge(
    game: Union[Game, str],
    moves: Sequence[str],
    *,
    start: Union[str, Position, None] = None,
    time: float = 1.0,
) -> Judgement:
    """Judges each move of a game by the exact values before and after it, at most ``time`` seconds a move.

    >>> print(judge("tictactoe", ["b2", "b1", "a1", "c3"]))
       1 player 1  b2
       2 player 2  b1       slip: draw became loss:6; kept by a1 a3 c1 c3
       3 player 1  a1
       4 player 2  c3
    """
    game = Game(game) if isinstance(game, str) else game
    if not isinstance(game, Game):
        raise TypeError(f"game: expected a name or a game, not {game!r}")
    position = game.start() if start is None else game.position(game._notation("start", start))
    line: list[tuple[Position, str]] = []
    for word in moves:
        standard, after = position._played(word)
        line.append((position, standard))
        position = after
    verdicts: list[Verdict] = []
    # Near the end values are found soon, and the transposition table helps the positions before.
    for ply, (here, word) in reversed(list(enumerate(line, 1))):
        found = here.analysis(time)
        verdict = Verdict(ply, here.turn, here, word, found.value, found.values.get(word))
        if verdict.slip:
            verdict = replace(verdict, kept_by=tuple(sorted(found.keeping)))
        verdicts.append(verdict)
    return Judgement(verdicts[::-1])
