"""Exact values, seen by the player to move."""

from __future__ import annotations

import operator
import re
from fractions import Fraction
from functools import total_ordering
from typing import Literal, Optional, SupportsIndex, cast

Outcome = Literal["win", "draw", "loss"]

UNKNOWN = -(2**31)
"""The code of an unknown value in arrays."""
_UNMEASURED = 2**30
_FARTHEST = 2**31 - 1
_WORD = re.compile(r"(win|draw|loss)(?::([0-9]+))?")
_MARGIN = re.compile(r"[+-][0-9]+(?:\.[0-9]+|/0*[1-9][0-9]*)?")


@total_ordering
class Value:
    """The value of a position for the player to move: an outcome with its distance in plies, or a margin of points.

    Values are ordered by preference: a near win before a far one, a far loss before a near one.

    >>> Value("win", plies=3) > Value("win", plies=5) > Value("draw") > Value("loss", plies=8) > Value("loss", plies=2)
    True
    >>> -Value("win", plies=3), Value(points=2), str(Value("loss", plies=40))
    (Value('loss', plies=3), Value(points=2), 'loss:40')
    """

    __slots__ = ("_outcome", "_plies", "_points")

    def __init__(
        self,
        outcome: Optional[Outcome] = None,
        plies: Optional[SupportsIndex] = None,
        points: Optional[Fraction | int] = None,
    ) -> None:
        distance = None if plies is None else operator.index(plies)
        if points is not None:
            if outcome is not None or distance is not None:
                raise ValueError("a value has points, or an outcome with its plies, not both")
            points = Fraction(points)
            outcome = "win" if points > 0 else "loss" if points < 0 else "draw"
        elif outcome not in ("win", "draw", "loss"):
            raise ValueError(f"outcome={outcome!r}: expected 'win', 'draw' or 'loss'")
        elif distance is not None and (outcome == "draw" or not 0 <= distance <= _FARTHEST):
            raise ValueError(f"plies={distance}: expected 0 to {_FARTHEST}, of a win or a loss")
        self._outcome: Outcome = outcome
        self._plies, self._points = distance, points

    @property
    def outcome(self) -> Outcome:
        """``'win'``, ``'draw'`` or ``'loss'``."""
        return self._outcome

    @property
    def plies(self) -> Optional[int]:
        """Plies to the end with best play; ``None`` for draws, margins and unknown distances."""
        return self._plies

    @property
    def points(self) -> Optional[Fraction]:
        """Margin still to come in a game for points; ``None`` in other games."""
        return self._points

    @classmethod
    def read(cls, text: str) -> Value:
        """Reads a value as the engine writes it: ``win:12``, ``loss``, ``draw``, ``+3``, ``-1/2``, ``+1.5``.

        ``str()`` writes decimals as fractions, ``+3/2``, which graphs take for values, too. Raises ``ValueError`` for anything else.
        """
        if _MARGIN.fullmatch(text):
            return cls(points=Fraction(text))
        found = _WORD.fullmatch(text)
        if found is None:
            raise ValueError(f"value {text!r}: expected one like win:12, loss, draw, +3, -1/2 or +1.5")
        return cls(cast(Outcome, found[1]), None if found[2] is None else int(found[2]))

    @classmethod
    def decode(cls, code: SupportsIndex, parts: Optional[int]) -> Optional[Value]:
        """Reads the code of an array: points in ``parts`` of a point, or with ``parts=None`` an outcome."""
        code = operator.index(code)
        if code == UNKNOWN:
            return None
        if parts is not None:
            return cls(points=Fraction(code, parts))
        if code == 0:
            return cls("draw")
        return cls("win" if code > 0 else "loss", None if abs(code) == _UNMEASURED else abs(code) - 1)

    def __reduce__(self) -> tuple[object, ...]:
        return Value, (None, None, self._points) if self._points is not None else (self._outcome, self._plies)

    def _key(self) -> tuple[bool, Fraction]:
        """Whether the value is a margin, and its rank among values of its kind. A draw is an even margin."""
        if self._points is not None:
            return self._points != 0, self._points
        sign = {"win": 1, "draw": 0, "loss": -1}[self._outcome]
        far = _UNMEASURED if self._plies is None else self._plies
        return False, Fraction(sign * (2 * _UNMEASURED - far))

    def __neg__(self) -> Value:
        if self._points is not None:
            return Value(points=-self._points)
        turned: dict[Outcome, Outcome] = {"win": "loss", "draw": "draw", "loss": "win"}
        return Value(turned[self._outcome], self._plies)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Value) and self._key() == other._key()

    def __lt__(self, other: Value) -> bool:
        if not isinstance(other, Value):
            return NotImplemented
        (margin, rank), (other_margin, other_rank) = self._key(), other._key()
        if margin != other_margin and rank and other_rank:
            raise TypeError(f"{self} and {other}: expected two outcomes or two margins")
        return rank < other_rank

    def __hash__(self) -> int:
        return hash(self._key())

    def __str__(self) -> str:
        if self._points is not None:
            return f"+{self._points}" if self._points >= 0 else str(self._points)
        return self._outcome if self._plies is None else f"{self._outcome}:{self._plies}"

    def __repr__(self) -> str:
        if self._points is not None:
            return f"Value(points={self._points})"
        return f"Value({self._outcome!r})" if self._plies is None else f"Value({self._outcome!r}, plies={self._plies})"
