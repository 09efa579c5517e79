"""Combinatorial game values: canonical forms that add, compare, and are written as the engine writes them.

Forms follow J. H. Conway, "On Numbers and Games" (1976), and A. N. Siegel, "Combinatorial Game Theory" (2013).
"""

from __future__ import annotations

import bisect
import functools
import math
import numbers
import operator
import re
import threading
import weakref
from fractions import Fraction
from typing import Any, Callable, Generator, Iterable, NamedTuple, Optional, Union

_STEPS = 250_000
"""The most steps of one operation."""
_REMEMBERED = 250_000
"""The most intermediate results that are kept."""
_BITS = 4096
"""The most binary digits of a number, of ups, and of a star."""
_OPTIONS = 65_536
"""The largest heap of nim whose options are listed."""
_LONGEST = 60_000
"""The most letters of a word."""


class _Simple(NamedTuple):
    """A number plus a multiple of up (downs are negative) plus a heap of nim: added and compared by arithmetic."""

    number: Fraction
    ups: int = 0
    star: int = 0

    def negative(self) -> _Simple:
        return _Simple(-self.number, -self.ups, self.star)

    def plus(self, other: _Simple) -> _Simple:
        return _Simple(self.number + other.number, self.ups + other.ups, self.star ^ other.star)

    def at_most(self, other: _Simple) -> bool:
        if self.number != other.number:
            return self.number < other.number
        ups, star = other.ups - self.ups, other.star ^ self.star
        # Up and star are confused with 0.
        return ups > 1 or (ups == 1 and star != 1) or (ups == 0 and star == 0)

    def options(self) -> tuple[set[_Simple], set[_Simple]]:
        number, ups, star = self
        base = _Simple(number)
        if ups == 0 and star == 0:
            if number == 0:
                return set(), set()
            if number.denominator == 1:
                nearer = {_Simple(number - (1 if number > 0 else -1))}
                return (nearer, set()) if number > 0 else (set(), nearer)
            step = Fraction(1, number.denominator)
            return {_Simple(number - step)}, {_Simple(number + step)}
        if ups == 0:
            if star > _OPTIONS:
                raise ValueError(f"canonical form: the options of *{star} are too many to list")
            heaps = {_Simple(number, 0, size) for size in range(star)}
            return heaps, heaps
        if abs(ups) == 1 and star == 1:
            both = {base, _Simple(number, 0, 1)}
            return (both, {base}) if ups > 0 else ({base}, both)
        next_one = {_Simple(number, ups - 1 if ups > 0 else ups + 1, star ^ 1)}
        return ({base}, next_one) if ups > 0 else (next_one, {base})

    def __str__(self) -> str:
        number, count, star = self
        arrow = "^" if count > 0 else "v"
        ups = arrow * abs(count) if abs(count) <= 2 else f"{arrow}{abs(count)}"
        stars = "" if not star else "*" if star == 1 else f"*{star}"
        return (str(number) if number or not (ups or stars) else "") + ups + stars


class Form:
    """The canonical form of a short game. Equal games are the same object, as long as it is used.

    Options are forms or numbers. An operation that is too large raises ``ValueError``.

    >>> half, up, star = Form.read("1/2"), Form.read("^"), Form.read("*")
    >>> half + half == 1, up + star, Form.read("{2|-1/2}") + half, -up
    (True, Form('^*'), Form('{5/2|0}'), Form('v'))
    >>> up > 0, star.fuzzy(0), star <= 0
    (True, True, False)
    >>> Form([2], [-2])
    Form('+-2')
    """

    __slots__ = ("__weakref__", "_hash", "_options", "_simple", "_stops")
    _hash: int
    _options: Optional[_Options]
    _simple: Optional[_Simple]
    _stops: tuple[Fraction, Fraction]
    """The numbers that play reaches when Left or Right begins and both play for them."""
    _made: weakref.WeakValueDictionary[object, Form] = weakref.WeakValueDictionary()
    _making = threading.RLock()

    def __new__(cls, left: Iterable[_Other] = (), right: Iterable[_Other] = ()) -> Form:
        """Returns the canonical form of the game with these options."""
        form: Form = _answer(_canonical, frozenset(map(_form, left)), frozenset(map(_form, right)))
        return form

    @classmethod
    def _of(cls, simple: _Simple) -> Form:
        form = cls._made.get(simple)
        if form is None:
            number, ups, star = simple
            if number.denominator & (number.denominator - 1):
                raise ValueError(f"{number}: expected a dyadic rational")
            if max(part.bit_length() for part in (number.numerator, number.denominator, ups, star)) > _BITS:
                raise ValueError(f"canonical form: expected numbers of at most {_BITS} binary digits")
            form = cls._make(simple, None, simple, (number, number))
        return form

    @classmethod
    def _intern(cls, left: frozenset[Form], right: frozenset[Form]) -> Form:
        """Returns the form with these options, of which none is dominated or reversible."""
        form = cls._made.get((left, right))
        if form is None:
            simple = _simple_of(left, right)
            if simple is not None:
                return cls._of(simple)
            # What is no number has options of both players.
            stops = max(option._stops[1] for option in left), min(option._stops[0] for option in right)
            form = cls._make((left, right), (left, right), None, stops)
        return form

    @classmethod
    def _make(
        cls, key: object, options: Optional[_Options], simple: Optional[_Simple], stops: tuple[Fraction, Fraction]
    ) -> Form:
        form = object.__new__(cls)
        form._options, form._simple, form._stops = options, simple, stops
        number = form.as_number
        form._hash = id(form) if number is None else hash(number)
        # Another thread may have been first: all get the same object.
        with cls._making:
            return cls._made.setdefault(key, form)

    def __reduce__(self) -> tuple[object, ...]:
        return Form.read, (str(self),)

    @classmethod
    def number(cls, value: Union[int, float, Fraction]) -> Form:
        """Returns the form of a dyadic rational. Raises ``ValueError`` for others."""
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueError(f"{value}: expected a dyadic rational")
        return cls._of(_Simple(Fraction(value)))

    @classmethod
    def nimber(cls, size: int) -> Form:
        """Returns the heap of nim of this size. Raises ``ValueError`` where it is negative."""
        size = operator.index(size)
        if size < 0:
            raise ValueError(f"nimber: expected 0 or more, not {size}")
        return cls._of(_Simple(Fraction(0), 0, size))

    @classmethod
    def read(cls, text: str) -> Form:
        """Reads a form as the engine writes it. Raises ``ValueError`` for anything else."""
        if not isinstance(text, str):
            raise TypeError(f"canonical form: expected a str, not {text!r}")
        form: Form = _run(_reading(text), _known)
        return form

    @property
    def left(self) -> frozenset[Form]:
        """Options of Left."""
        return self._both()[0]

    @property
    def right(self) -> frozenset[Form]:
        """Options of Right."""
        return self._both()[1]

    def _both(self) -> _Options:
        if self._options is None:
            assert self._simple is not None
            left, right = self._simple.options()
            self._options = frozenset(map(Form._of, left)), frozenset(map(Form._of, right))
        return self._options

    @property
    def as_number(self) -> Optional[Fraction]:
        """The number that the form is, or ``None``."""
        simple = self._simple
        return None if simple is None or simple.ups or simple.star else simple.number

    @property
    def thermograph(self) -> tuple[_Wall, _Wall]:
        """The left and the right wall, each by its vertices (temperature, value) from temperature 0 upwards.

        Between the vertices the walls are straight. Both end in the same one: above it they are the mast.

        >>> for wall in Form.read("{2|-1/2}").thermograph:
        ...     print(*(f"({temperature}, {value})" for temperature, value in wall))
        (0, 2) (5/4, 3/4)
        (0, -1/2) (5/4, 3/4)
        """
        walls: tuple[_Wall, _Wall] = _answer(_walls, self)
        return walls

    @property
    def temperature(self) -> Fraction:
        """How much a move gains: at least 0; that of a number is -1 over its denominator.

        >>> Form.read("{2|-1/2}").temperature, Form.read("^*").temperature, Form.number(3).temperature
        (Fraction(5, 4), Fraction(0, 1), Fraction(-1, 1))
        """
        number = self.as_number
        return self.thermograph[0][-1][0] if number is None else Fraction(-1, number.denominator)

    @property
    def mean(self) -> Fraction:
        """The average value of each of many copies: that of the mast.

        >>> Form.read("{2|-1/2}").mean
        Fraction(3, 4)
        """
        return self.thermograph[0][-1][1]

    def __add__(self, other: _Other) -> Form:
        added = _form_or_none(other)
        return NotImplemented if added is None else _sum_of(self, added)

    __radd__ = __add__

    def __neg__(self) -> Form:
        form: Form = _answer(_negative, self)
        return form

    def __sub__(self, other: _Other) -> Form:
        taken = _form_or_none(other)
        return NotImplemented if taken is None else _sum_of(self, -taken)

    def __rsub__(self, other: _Other) -> Form:
        return -self + other

    def __le__(self, other: _Other) -> bool:
        compared = _form_or_none(other)
        return NotImplemented if compared is None else _is_at_most(self, compared)

    def __ge__(self, other: _Other) -> bool:
        compared = _form_or_none(other)
        return NotImplemented if compared is None else _is_at_most(compared, self)

    def __lt__(self, other: _Other) -> bool:
        compared = _form_or_none(other)
        return NotImplemented if compared is None else self <= compared and self is not compared

    def __gt__(self, other: _Other) -> bool:
        compared = _form_or_none(other)
        return NotImplemented if compared is None else self >= compared and self is not compared

    def fuzzy(self, other: _Other = 0) -> bool:
        """Reports whether the two are confused: whoever moves first in the difference wins."""
        return not self <= other and not self >= other

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Form):
            return self is other
        if isinstance(other, (numbers.Rational, float)):
            number = self.as_number
            return number is not None and number == other
        return NotImplemented

    def __hash__(self) -> int:
        return self._hash

    def __str__(self) -> str:
        return _word(self)

    def __repr__(self) -> str:
        try:
            return f"Form({_word(self)!r})"
        except ValueError:
            return f"<Form of more than {_LONGEST} letters>"


_Other = Union[Form, int, float, Fraction]
_Options = tuple[frozenset[Form], frozenset[Form]]
_Wall = tuple[tuple[Fraction, Fraction], ...]


def _form_or_none(value: object) -> Optional[Form]:
    if isinstance(value, Form):
        return value
    if isinstance(value, numbers.Rational):
        value = Fraction(value)
    return Form.number(value) if isinstance(value, (float, Fraction)) else None


def _form(value: object) -> Form:
    form = _form_or_none(value)
    if form is None:
        raise TypeError(f"option of a form: expected a form or a number, not {value!r}")
    return form


def _simple_of(left: frozenset[Form], right: frozenset[Form]) -> Optional[_Simple]:
    """The sum of a number, ups and a star whose canonical form has these options, if there is one."""
    lefts = {option._simple for option in left}
    rights = {option._simple for option in right}
    simple = [option for option in (*lefts, *rights) if option is not None]
    if len(simple) != len(lefts) + len(rights):
        return None
    guesses: list[_Simple] = []
    bases = [option.number for option in simple if not option.ups and not option.star]
    if len(bases) == len(simple) and len(lefts) <= 1 and len(rights) <= 1:
        low, high = (bases[0] if lefts else None), (bases[-1] if rights else None)
        if low is not None and high is not None:
            number = (low + high) / 2
        else:
            number = low + 1 if low is not None else high - 1 if high is not None else Fraction(0)
        guesses.append(_Simple(number))
    if bases:
        base = bases[0]
        guesses += [_Simple(base, 1, 1), _Simple(base, -1, 1)]
        if len(lefts) == len(rights):
            guesses.append(_Simple(base, 0, len(lefts)))
        if len(lefts) == len(rights) == 1:
            first, last = simple[0], simple[-1]
            guesses += [_Simple(base, last.ups + 1, last.star ^ 1), _Simple(base, first.ups - 1, first.star ^ 1)]
    # A guess is right only where its own options are exactly these.
    listed = (guess for guess in guesses if guess.ups or guess.star <= _OPTIONS)
    return next((guess for guess in listed if guess.options() == (lefts, rights)), None)


# What may recurse deeply is a generator that yields the calls it needs, each a function with its arguments, and gets their
# answers.
_Call = tuple[Any, ...]
_Calls = Generator[_Call, Any, Any]

_known: dict[_Call, Any] = {}
"""Answers of calls."""


def _run(calls: _Calls, known: dict[_Call, Any]) -> Any:
    """Answers the calls of a generator, and theirs, and returns what it returns. Nothing recurses."""
    waiting: list[tuple[Optional[_Call], _Calls]] = [(None, calls)]
    answer: Any = None
    steps = 0
    while True:
        call, calls = waiting[-1]
        try:
            needed = calls.send(answer)
        except StopIteration as end:
            waiting.pop()
            answer = end.value
            if call is None:
                return answer
            if len(known) >= _REMEMBERED:
                known.clear()
            known[call] = answer
            continue
        steps += 1
        if steps > _STEPS:
            raise ValueError(f"canonical form: too large, it takes more than {_STEPS} steps")
        answer = known.get(needed)
        if answer is None:
            waiting.append((needed, needed[0](*needed[1:])))


def _one(*call: Any) -> _Calls:
    return (yield call)


def _each(calls: Iterable[_Call]) -> _Calls:
    """Answers all calls with the set of their answers."""
    answers = set()
    for call in calls:
        answers.add((yield call))
    return frozenset(answers)


def _answer(*call: Any) -> Any:
    answer = _known.get(call)
    return _run(_one(*call), _known) if answer is None else answer


def _is_at_most(a: Form, b: Form) -> bool:
    answer: bool = _answer(_at_most, a, b)
    return answer


def _sum_of(a: Form, b: Form) -> Form:
    form: Form = _answer(*_adding(a, b))
    return form


def _quick(a: Form, b: Form) -> Optional[bool]:
    """Compares forms by arithmetic and by their stops; ``None`` where that does not tell."""
    if a is b:
        return True
    if a._simple is not None and b._simple is not None:
        return a._simple.at_most(b._simple)
    (a_left, a_right), (b_left, b_right) = a._stops, b._stops
    if a_left < b_right:
        return True
    return False if a_left > b_left or a_right > b_right else None


def _at_most(a: Form, b: Form) -> _Calls:
    """a <= b: no Left option of a is at least b, and no Right option of b at most a."""
    quick = _quick(a, b)
    if quick is not None:
        return quick
    for left in a.left:
        if (yield _at_most, b, left):
            return False
    for right in b.right:
        if (yield _at_most, right, a):
            return False
    return True


def _form_at_most(a: Form, left: frozenset[Form], right: frozenset[Form]) -> _Calls:
    """a <= b, of which b is given by its options."""
    for option in right:
        if (yield _at_most, option, a):
            return False
    for option in a.left:
        if (yield _form_at_least, option, left, right):
            return False
    return True


def _form_at_least(a: Form, left: frozenset[Form], right: frozenset[Form]) -> _Calls:
    """a >= b, of which b is given by its options."""
    for option in left:
        if (yield _at_most, a, option):
            return False
    for option in a.right:
        if (yield _form_at_most, option, left, right):
            return False
    return True


def _canonical(left: frozenset[Form], right: frozenset[Form]) -> _Calls:
    """Removes dominated options and bypasses reversible ones (Siegel, section II.2)."""
    left = yield from _undominated(left, True)
    right = yield from _undominated(right, False)
    # The value stays when moves are bypassed: they are always compared with the game as it was given.
    new_left = yield from _bypassed(left, right, True)
    new_right = yield from _bypassed(left, right, False)
    new_left = yield from _undominated(new_left, True)
    new_right = yield from _undominated(new_right, False)
    return Form._intern(new_left, new_right)


def _undominated(options: Iterable[Form], is_left: bool) -> _Calls:
    kept: list[Form] = []
    for option in options:
        still: list[Form] = []
        for other in kept:
            worse, better = (option, other) if is_left else (other, option)
            if (yield _at_most, worse, better):
                still = kept
                break
            if not (yield _at_most, better, worse):
                still.append(other)
        else:
            still.append(option)
        kept = still
    return frozenset(kept)


def _bypassed(left: frozenset[Form], right: frozenset[Form], is_left: bool) -> _Calls:
    """The options of one player with those of the replies in place of reversible ones."""
    waiting = list(left if is_left else right)
    seen, kept = set(waiting), set()
    while waiting:
        option = waiting.pop()
        for reply in option.right if is_left else option.left:
            if (yield _form_at_most if is_left else _form_at_least, reply, left, right):
                waiting += [after for after in (reply.left if is_left else reply.right) if after not in seen]
                seen.update(waiting)
                break
        else:
            kept.add(option)
    return frozenset(kept)


def _adding(a: Form, b: Form) -> _Call:
    return (_sum, a, b) if id(a) <= id(b) else (_sum, b, a)


def _sum(a: Form, b: Form) -> _Calls:
    if a._simple is not None and b._simple is not None:
        return Form._of(a._simple.plus(b._simple))
    for number, form in ((a, b), (b, a)):
        if number.as_number is not None:
            if number.as_number == 0:
                return form
            # A number is moved in only where nothing else is left to move in, and the options stay canonical.
            left = yield from _each(_adding(number, option) for option in form.left)
            right = yield from _each(_adding(number, option) for option in form.right)
            return Form._intern(left, right)
    pairs = (a, b), (b, a)
    left = yield from _each(_adding(option, other) for moved, other in pairs for option in moved.left)
    right = yield from _each(_adding(option, other) for moved, other in pairs for option in moved.right)
    return (yield _canonical, left, right)


def _negative(form: Form) -> _Calls:
    if form._simple is not None:
        return Form._of(form._simple.negative())
    left = yield from _each((_negative, option) for option in form.right)
    right = yield from _each((_negative, option) for option in form.left)
    return Form._intern(left, right)


def _walls(form: Form) -> _Calls:
    """The thermograph (Siegel, section II.5): the left wall is the greatest right wall of the Left options less the temperature."""
    zero = Fraction(0)
    if form._simple is not None:
        # Ups and nimbers are infinitesimal.
        wall = ((zero, form._simple.number),)
        return wall, wall
    of_left = yield from _each((_walls, option) for option in form.left)
    of_right = yield from _each((_walls, option) for option in form.right)
    greatest = functools.reduce(functools.partial(_outer, max), [right for _, right in of_left])
    least = functools.reduce(functools.partial(_outer, min), [left for left, _ in of_right])
    times = _temperatures(greatest, least)

    def apart(time: Fraction) -> Fraction:
        return _wall_at(greatest, time) - _wall_at(least, time) - 2 * time

    # Above the last vertex the walls of the options are level: those of the form approach each other by 2 for each degree.
    times.append(times[-1] + max(apart(times[-1]), zero) / 2)
    at = next(at for at, time in enumerate(times) if apart(time) <= 0)
    temperature = times[at]
    if at > 0:
        before, after = apart(times[at - 1]), apart(temperature)
        temperature = times[at - 1] + (temperature - times[at - 1]) * before / (before - after)
    end = temperature, _wall_at(greatest, temperature) - temperature
    left = [(time, value - time) for time, value in greatest if time < temperature]
    right = [(time, value + time) for time, value in least if time < temperature]
    return _corners([*left, end]), _corners([*right, end])


def _outer(best: Callable[..., Fraction], a: _Wall, b: _Wall) -> _Wall:
    """The greater, or the lesser, of two walls at each temperature."""
    found: list[tuple[Fraction, Fraction]] = []
    since = before = Fraction(0)
    for time in _temperatures(a, b):
        x, y = _wall_at(a, time), _wall_at(b, time)
        if before * (x - y) < 0:
            crossing = since + (time - since) * before / (before - (x - y))
            found.append((crossing, _wall_at(a, crossing)))
        found.append((time, best(x, y)))
        since, before = time, x - y
    return _corners(found)


def _temperatures(a: _Wall, b: _Wall) -> list[Fraction]:
    return sorted({time for time, _ in (*a, *b)})


def _wall_at(wall: _Wall, time: Fraction) -> Fraction:
    """The value of a wall at a temperature of at least 0."""
    # Infinity places the vertex of this temperature before it.
    after = bisect.bisect(wall, (time, math.inf))
    since, value = wall[after - 1]
    if after == len(wall):
        return value
    end, last = wall[after]
    return value + (last - value) * (time - since) / (end - since)


def _corners(vertices: list[tuple[Fraction, Fraction]]) -> _Wall:
    """A wall without the vertices at which it goes straight on."""
    kept: list[tuple[Fraction, Fraction]] = []
    for time, value in vertices:
        while len(kept) > 1:
            (since, first), (middle, second) = kept[-2:]
            if (second - first) * (time - middle) != (value - second) * (middle - since):
                break
            kept.pop()
        kept.append((time, value))
    return tuple(kept)


_OPENING = re.compile(r"tiny\(|miny\(|\+-\(|\+-|\{")
_SIMPLE = re.compile(r"(-?[0-9]+)?(?:(?<=[0-9])/([0-9]+))?(\^[0-9]+|\^+|v[0-9]+|v+)?(?:(\*)([0-9]*))?")


def _reading(text: str) -> _Calls:
    # Groups that are open: the sign that opened each, and the options read so far, those of Left first.
    groups: list[tuple[str, list[list[Form]]]] = []
    at = 0
    while True:
        opening = _OPENING.match(text, at)
        form: Optional[Form] = None
        if opening:
            at = opening.end()
            groups.append((opening[0], [[]]))
            if opening[0] != "{" or text[at : at + 1] != "|":
                continue
        else:
            form, at = _read_simple(text, at)
        while True:
            if not groups:
                if at < len(text):
                    raise _unexpected(text, at)
                return form
            sign, lists = groups[-1]
            if form is not None:
                lists[-1].append(form)
            closing = "" if sign == "+-" else "}" if sign == "{" else ")"
            if sign == "{" and len(lists) == 1:
                closing = "|"
            if text.startswith(closing, at):
                at += len(closing)
                if closing != "|":
                    groups.pop()
                    form = yield from _closed(sign, lists)
                    continue
                lists.append([])
                if text[at : at + 1] != "}":
                    break
                form = None
            elif text[at : at + 1] == "," and form is not None and sign in ("{", "+-("):
                at += 1
                break
            else:
                raise _unexpected(text, at)


def _closed(sign: str, lists: list[list[Form]]) -> _Calls:
    """The form of a group that was read."""
    if sign == "{":
        return (yield _canonical, frozenset(lists[0]), frozenset(lists[1]))
    negatives = yield from _each((_negative, option) for option in lists[0])
    if sign.startswith("+-"):
        return (yield _canonical, frozenset(lists[0]), negatives)
    zero = frozenset([Form.number(0)])
    threat = yield _canonical, zero, negatives
    tiny = yield _canonical, zero, frozenset([threat])
    return tiny if sign == "tiny(" else (yield _negative, tiny)


def _unexpected(text: str, at: int) -> ValueError:
    rest = text[at : at + 20]
    return ValueError(f"canonical form: unexpected {rest!r}" if rest else "canonical form: unexpected end")


def _read_simple(text: str, at: int) -> tuple[Form, int]:
    """Reads ``-3/4``, ``1/2^3*2``, ``vv``, ``*``; returns where it ends, too."""
    found = _SIMPLE.match(text, at)
    if not found or not found[0]:
        raise _unexpected(text, at)
    top, bottom, ups, star, size = found.groups()
    if max(map(len, (top or "", bottom or "", ups or "", size or ""))) > _BITS:
        raise ValueError(f"canonical form: expected numbers of at most {_BITS} binary digits")
    if bottom is not None and int(bottom) == 0:
        raise ValueError(f"canonical form: expected a number above 0 below the line in {found[0]!r}")
    count = 0
    if ups:
        count = (int(ups[1:]) if ups[1:].isdigit() else len(ups)) * (1 if ups[0] == "^" else -1)
    simple = _Simple(Fraction(int(top or "0"), int(bottom or "1")), count, int(size or "1") if star else 0)
    return Form._of(simple), found.end()


def _word(form: Form) -> str:
    word: str = _run(_one(_Writer().word, form), {})
    return word


class _Writer:
    """Writes forms. Raises ``ValueError`` where the words are too long."""

    def __init__(self) -> None:
        self._letters = 0

    def word(self, form: Form) -> _Calls:
        word = str(form._simple) if form._simple is not None else (yield from self._other(form))
        self._letters += len(word)
        if len(word) > _LONGEST or self._letters > 1000 * _LONGEST:
            raise ValueError(f"canonical form: too long to write, it has more than {_LONGEST} letters")
        return word

    def _other(self, form: Form) -> _Calls:
        negative = -form
        if negative is form:
            options = yield from self._list(form.left)
            alone = len(form.left) == 1 and next(iter(form.left)).as_number is not None
            return f"+-{options}" if alone else f"+-({options})"
        for name, game in (("tiny", form), ("miny", negative)):
            threat = _threat(game)
            if threat is not None:
                return f"{name}({(yield self.word, threat)})"
        left = yield from self._list(form.left)
        right = yield from self._list(form.right)
        return f"{{{left}|{right}}}"

    def _list(self, options: frozenset[Form]) -> _Calls:
        words = yield from _each((self.word, option) for option in options)
        return ",".join(sorted(words))


def _threat(form: Form) -> Optional[Form]:
    """G of ``{0|{0|-G}}``, where that is the form and G is positive."""
    zero = Form.number(0)
    answers = list(form.right)
    if form.left == {zero} and len(answers) == 1 and answers[0].left == {zero} and len(answers[0].right) == 1:
        threat = -next(iter(answers[0].right))
        return threat if threat > 0 else None
    return None
