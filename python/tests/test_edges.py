"""Large, strange and wrong arguments: each has an exact answer or is refused in one line."""

import pickle
import time as clock
from fractions import Fraction
from typing import Any

import pytest

from grundy import Game
from grundy.cgt import Form


def test_large_forms_take_no_time() -> None:
    began = clock.monotonic()
    assert Game("hackenbush:" + "G" * 20 + ",B").start().cgt() == Form.read("1*20")
    assert Form.nimber(16) + Form.nimber(8) is Form.nimber(24) and Form.read("1*30") - 1 is Form.nimber(30)
    assert Form.read("^1000*1000") - Form.read("^999*1001") is Form.read("^*") and Form.read("^*32").fuzzy(0) is False
    assert str(Form.read("{300|-300}") + Form.read("^300*3")) == "{300^300*3|-300^300*3}"
    assert Form.read("{300|-300}") + Form.read("{300|-299}") is Form.read("{{600|1}|{0|-599}}")
    assert clock.monotonic() - began < 5


def test_deep_forms_do_not_end_the_stack() -> None:
    for name, word in ("hackenbush:" + "B" * 501, "501"), ("nim:1001", "*1001"):
        assert str(Game(name).start().cgt()) == word
    stalk = Game("hackenbush:G" + "B" * 400).start().cgt()
    assert stalk is not None and Form.read(str(stalk)) is stalk and pickle.loads(pickle.dumps(stalk)) is stalk
    assert str(-stalk).startswith("{0|0,{0|0,") and -(-stalk) is stalk
    assert repr(Form.read("^600")) == "Form('^600')" and Form.read("+-" * 2000 + "1") == 0
    assert Form.number(300) + 300 == 600 and Form.number(1) < 501
    assert Form.number(Fraction(1, 2**1200)) > 0
    long = ["{" * 2000, "9" * 5000, "^" + "9" * 5000, "*" + "9" * 5000]
    for text in [*long, "1/2^^3", "{1|2,}", "+-()", "-", "", "1/0", "1/3", "\u0663"]:
        with pytest.raises(ValueError) as refused:
            Form.read(text)
        assert "\n" not in str(refused.value) and len(str(refused.value)) < 100
    with pytest.raises(ValueError, match="dyadic"):
        Form.number(float("inf"))
    with pytest.raises(ValueError, match="too many to list"):
        Form.nimber(10**9).left
    with pytest.raises(ValueError, match="too large"):
        sum((Form([2**k], [-(2**k) - 1]) for k in range(20)), Form.number(0))


def test_forms_meet_numbers_and_strangers() -> None:
    assert Form([2], [-2]) is Form.read("+-2") and Form([Fraction(1, 2)], [1.0]) == 0.75
    assert 1 - Form.nimber(1) is Form.read("1*") and 0.5 + Form.number(1) == Fraction(3, 2)
    one: Any = Form.number(1)
    assert one == 1.0 and one <= 1.0 and one >= 1.0 and hash(one) == hash(1.0) and {one: 1}[1] == 1
    assert one != "1" and one != Form.nimber(1)
    for wrong in "ab", [None], ["1"]:
        with pytest.raises(TypeError, match="option of a form"):
            Form(wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="expected a str"):
        Form.read(None)  # type: ignore[arg-type]

    class Odd:
        def __radd__(self, other: object) -> str:
            return "odd"

        def __gt__(self, other: object) -> bool:
            return True

    assert one + Odd() == "odd" and one < Odd()
    for stranger in "a", None:
        with pytest.raises(TypeError):
            one + stranger
        with pytest.raises(TypeError):
            one <= stranger
