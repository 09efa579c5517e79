"""Combinatorial game values: canonical forms that add, compare, and are written as the engine writes them.

Forms follow J. H. Conway, "On Numbers and Games" (1976), and A. N. Siegel, "Combinatorial Game Theory" (2013).
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Iterable, Optional, Union


class Form:
    """The canonical form of a short game. Equal games are the same object.

    >>> half, up, star = Form.read("1/2"), Form.read("^"), Form.read("*")
    >>> half + half == 1, up + star, Form.read("{2|-1/2}") + half, -up
    (True, Form('^*'), Form('{5/2|0}'), Form('v'))
    >>> up > 0, star.fuzzy(0), star <= 0
    (True, True, False)
    """

    __slots__ = ("left", "right", "_number")
    left: frozenset[Form]
    right: frozenset[Form]
    _number: Optional[Fraction]
    _made: dict[tuple[frozenset[Form], frozenset[Form]], Form] = {}

    def __new__(cls, left: Iterable[Form] = (), right: Iterable[Form] = ()) -> Form:
        """Returns the canonical form of the game with these options."""
        return _canonical(frozenset(left), frozenset(right))

    @classmethod
    def _intern(cls, left: frozenset[Form], right: frozenset[Form]) -> Form:
        key = (left, right)
        form = cls._made.get(key)
        if form is None:
            form = object.__new__(cls)
            form.left, form.right = left, right
            form._number = _number_of(left, right)
            # Another thread may have been first: all get the same object.
            form = cls._made.setdefault(key, form)
        return form

    def __reduce__(self) -> tuple[object, ...]:
        return Form.read, (str(self),)

    @classmethod
    def number(cls, value: Union[int, Fraction]) -> Form:
        """Returns the form of a dyadic rational. Raises ``ValueError`` for others."""
        return _of_number(Fraction(value))

    @classmethod
    def nimber(cls, size: int) -> Form:
        """Returns the heap of nim of this size. Raises ``ValueError`` beyond 1000."""
        if not 0 <= size <= _MOST:
            raise ValueError(f"nimber: expected 0 to {_MOST}, not {size}")
        heaps: list[Form] = []
        for _ in range(size + 1):
            options = frozenset(heaps)
            heaps.append(cls._intern(options, options))
        return heaps[-1]

    @classmethod
    def read(cls, text: str) -> Form:
        """Reads a form as the engine writes it. Raises ``ValueError`` for anything else."""
        form, rest = _read(text)
        if rest:
            raise ValueError(f"canonical form {text!r}: unexpected {rest!r}")
        return form

    @property
    def as_number(self) -> Optional[Fraction]:
        """The number that the form is, or ``None``."""
        return self._number

    def __add__(self, other: Union[Form, int, Fraction]) -> Form:
        return _sum(self, _form(other))

    __radd__ = __add__

    def __neg__(self) -> Form:
        return _negative(self)

    def __sub__(self, other: Union[Form, int, Fraction]) -> Form:
        return self + -_form(other)

    def __le__(self, other: Union[Form, int, Fraction]) -> bool:
        return _at_most(self, _form(other))

    def __ge__(self, other: Union[Form, int, Fraction]) -> bool:
        return _at_most(_form(other), self)

    def __lt__(self, other: Union[Form, int, Fraction]) -> bool:
        return self <= other and not self >= other

    def __gt__(self, other: Union[Form, int, Fraction]) -> bool:
        return self >= other and not self <= other

    def fuzzy(self, other: Union[Form, int, Fraction] = 0) -> bool:
        """Reports whether the two are confused: whoever moves first in the difference wins."""
        return not self <= other and not self >= other

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (int, Fraction)):
            return self._number == other
        return self is other

    def __hash__(self) -> int:
        return hash(self._number) if self._number is not None else id(self)

    def __str__(self) -> str:
        return _write(self)

    def __repr__(self) -> str:
        return f"Form({_write(self)!r})"


def _form(value: Union[Form, int, Fraction]) -> Form:
    return value if isinstance(value, Form) else Form.number(value)


@lru_cache(maxsize=None)
def _at_most(a: Form, b: Form) -> bool:
    """a <= b: no Left option of a is at least b, and no Right option of b at most a."""
    if a is b:
        return True
    if a._number is not None and b._number is not None:
        return a._number <= b._number
    return not any(_at_most(b, left) for left in a.left) and not any(_at_most(right, a) for right in b.right)


def _number_of(left: frozenset[Form], right: frozenset[Form]) -> Optional[Fraction]:
    """The number of a canonical form with these options: the simplest one between them, if all are numbers."""
    lows = [form._number for form in left]
    highs = [form._number for form in right]
    if None in lows or None in highs or len(lows) > 1 or len(highs) > 1:
        return None
    low = lows[0] if lows else None
    high = highs[0] if highs else None
    if low is not None and high is not None:
        if low >= high:
            return None
        return (low + high) / 2
    if low is not None:
        return low + 1
    return high - 1 if high is not None else Fraction(0)


@lru_cache(maxsize=None)
def _of_number(value: Fraction) -> Form:
    if value.denominator & (value.denominator - 1):
        raise ValueError(f"{value}: expected a dyadic rational")
    if value.denominator == 1:
        if abs(value) > 500:
            raise ValueError(f"{value}: expected an integer of at most 500")
        if value == 0:
            return Form._intern(frozenset(), frozenset())
        before = frozenset([_of_number(value - (1 if value > 0 else -1))])
        return Form._intern(before, frozenset()) if value > 0 else Form._intern(frozenset(), before)
    step = Fraction(1, value.denominator)
    return Form._intern(frozenset([_of_number(value - step)]), frozenset([_of_number(value + step)]))


_Options = tuple[frozenset[Form], frozenset[Form]]


def _form_at_most(a: Form, b: _Options) -> bool:
    """a <= b, of which b is given by its options."""
    return not any(_form_at_least(left, b) for left in a.left) and not any(_at_most(right, a) for right in b[1])


def _form_at_least(a: Form, b: _Options) -> bool:
    """a >= b, of which b is given by its options."""
    return not any(_form_at_most(right, b) for right in a.right) and not any(_at_most(a, left) for left in b[0])


@lru_cache(maxsize=None)
def _canonical(left: frozenset[Form], right: frozenset[Form]) -> Form:
    """Bypasses reversible options and removes dominated ones until none is left (Siegel, section II.2)."""
    while True:
        game = (left, right)
        lefts: set[Form] = set()
        for option in left:
            back = next((r for r in option.right if _form_at_most(r, game)), None)
            lefts |= {option} if back is None else back.left
        rights: set[Form] = set()
        for option in right:
            back = next((o for o in option.left if _form_at_least(o, game)), None)
            rights |= {option} if back is None else back.right
        new_left = frozenset(a for a in lefts if not any(a is not b and _at_most(a, b) for b in lefts))
        new_right = frozenset(a for a in rights if not any(a is not b and _at_most(b, a) for b in rights))
        if (new_left, new_right) == (left, right):
            return Form._intern(left, right)
        left, right = new_left, new_right


@lru_cache(maxsize=None)
def _sum(a: Form, b: Form) -> Form:
    if a._number is not None and b._number is not None:
        return Form.number(a._number + b._number)
    for form, added in ((a, b), (b, a)):
        if added._number == 0:
            return form
    left = frozenset([_sum(x, b) for x in a.left] + [_sum(a, x) for x in b.left])
    right = frozenset([_sum(x, b) for x in a.right] + [_sum(a, x) for x in b.right])
    return _canonical(left, right)


@lru_cache(maxsize=None)
def _negative(form: Form) -> Form:
    return Form._intern(frozenset(map(_negative, form.right)), frozenset(map(_negative, form.left)))


def _ups(count: int, star: int) -> Form:
    """``count`` ups (downs where negative) and a nim heap of ``star``."""
    if abs(count) > _MOST:
        raise ValueError(f"canonical form: expected at most {_MOST} ups, not {abs(count)}")
    form = Form.nimber(star)
    for number in range(1, abs(count) + 1):
        form = _one_up(form, count > 0)
    return form


@lru_cache(maxsize=None)
def _one_up(form: Form, positive: bool) -> Form:
    """The form and an up, or a down."""
    up = Form._intern(frozenset([Form.number(0)]), frozenset([Form.nimber(1)]))
    return form + (up if positive else -up)


def _read(text: str) -> tuple[Form, str]:
    """Reads a form at the beginning of ``text``; returns it with what follows."""
    for word, sign in (("tiny(", 1), ("miny(", -1)):
        if text.startswith(word):
            inner, rest = _read(text[len(word) :])
            zero = Form.number(0)
            tiny = Form([zero], [Form([zero], [-inner])])
            return (tiny if sign > 0 else -tiny), _after(rest, ")")
    if text.startswith("+-("):
        left, rest = _read_list(text[3:])
        return Form(left, [-option for option in left]), _after(rest, ")")
    if text.startswith("+-"):
        inner, rest = _read(text[2:])
        return Form([inner], [-inner]), rest
    if text.startswith("{"):
        left, rest = _read_list(text[1:])
        right, rest = _read_list(_after(rest, "|"))
        return Form(left, right), _after(rest, "}")
    return _read_simple(text)


def _after(text: str, sign: str) -> str:
    if not text.startswith(sign):
        raise ValueError(f"canonical form: expected {sign!r} before {text!r}")
    return text[len(sign) :]


def _read_list(text: str) -> tuple[list[Form], str]:
    found: list[Form] = []
    if text[:1] in ("|", "}", ")", ""):
        return found, text
    while True:
        form, text = _read(text)
        found.append(form)
        if text[:1] != ",":
            return found, text
        text = text[1:]


def _read_simple(text: str) -> tuple[Form, str]:
    """Reads ``-3/4``, ``1/2^3*2``, ``vv``, ``*``."""

    def digits(rest: str) -> tuple[str, str]:
        size = next((i for i, c in enumerate(rest) if not c.isdigit()), len(rest))
        return rest[:size], rest[size:]

    whole = text
    sign = -1 if text[:1] == "-" else 1
    top, rest = digits(text[1:] if sign < 0 else text)
    number = Fraction(0)
    if top:
        bottom = "1"
        if rest[:1] == "/":
            bottom, rest = digits(rest[1:])
        if not int(bottom or "0"):
            raise ValueError(f"canonical form: expected a number above 0 below the line in {whole!r}")
        number = sign * Fraction(int(top), int(bottom))
    elif sign < 0:
        raise ValueError(f"canonical form: expected a number in {whole!r}")
    count = 0
    arrow = rest[:1]
    if arrow in ("^", "v"):
        size = len(rest) - len(rest.lstrip(arrow))
        amount, rest = digits(rest[size:])
        count = (int(amount) if amount else size) * (1 if arrow == "^" else -1)
    star = 0
    if rest[:1] == "*":
        amount, rest = digits(rest[1:])
        star = int(amount or "1")
    if not top and not count and not star:
        raise ValueError(f"canonical form: nothing to read in {whole!r}")
    return Form.number(number) + _ups(count, star), rest


@lru_cache(maxsize=None)
def _simple(form: Form) -> Optional[tuple[Fraction, int, int]]:
    """Number, ups and star of a form that is their sum."""
    if form._number is not None:
        return form._number, 0, 0
    # A number plus an infinitesimal: the simplest number that the form is infinitesimally close to is its mean.
    mean = _mean(form)
    if mean is None:
        return None
    rest = form - mean
    size = len(rest.left)
    if size <= _MOST and Form.nimber(size) is rest:
        return mean, 0, size
    # ^* is {0,*|0}, and {0|n ups and *m} is n + 1 ups and *(m xor 1).
    zero = Form.number(0)
    for sign, own, other in ((1, rest.left, rest.right), (-1, rest.right, rest.left)):
        if rest is _ups(sign, 1):
            return mean, sign, 1
        if own == {zero} and len(other) == 1:
            (option,) = other
            below = _simple(option)
            if below is not None and below[0] == 0 and 0 <= sign * below[1] < _MOST:
                found = below[1] + sign, below[2] ^ 1
                if _ups(*found) is rest:
                    return mean, *found
    return None


# The largest heap of nim and the most ups that are made.
_MOST = 1000


def _mean(form: Form) -> Optional[Fraction]:
    """The number that both stops of the form are; ``None`` where they differ."""
    high, low = _stop(form, True), _stop(form, False)
    return high if high == low else None


@lru_cache(maxsize=None)
def _stop(form: Form, left: bool) -> Fraction:
    """The number that play reaches when Left (or Right) begins and both play for it."""
    if form._number is not None:
        return form._number
    if left:
        return max(_stop(option, False) for option in form.left)
    return min(_stop(option, True) for option in form.right)


def _write_simple(number: Fraction, count: int, star: int) -> str:
    arrow = "^" if count > 0 else "v"
    ups = "" if not count else arrow * abs(count) if abs(count) <= 2 else f"{arrow}{abs(count)}"
    stars = "" if not star else "*" if star == 1 else f"*{star}"
    return (str(number) if number or not (ups or stars) else "") + ups + stars


def _write_list(forms: Iterable[Form]) -> str:
    return ",".join(sorted(map(_write, forms)))


@lru_cache(maxsize=None)
def _write(form: Form) -> str:
    simple = _simple(form)
    if simple is not None:
        return _write_simple(*simple)
    if -form is form:
        options = list(form.left)
        if len(options) == 1 and options[0]._number is not None:
            return f"+-{_write(options[0])}"
        return f"+-({_write_list(options)})"
    for name, game in (("tiny", form), ("miny", -form)):
        if [str(option) for option in game.left] == ["0"] and len(game.right) == 1:
            (answer,) = game.right
            if [str(option) for option in answer.left] == ["0"] and len(answer.right) == 1:
                (threat,) = answer.right
                if -threat > 0:
                    return f"{name}({_write(-threat)})"
    return "{" + f"{_write_list(form.left)}|{_write_list(form.right)}" + "}"
