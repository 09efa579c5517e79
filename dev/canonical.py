#!/usr/bin/env python3
"""Compares canonical forms (`query cgt`) of random positions with those of pycgt.

Needs `pip install pycgt` (0.2). Usage: dev/canonical.py [--engine target/release/grundy] [--games 1000] [NAME ..], where
`--games` counts the positions of each game. Exit code 0: no difference; 1: a difference, printed with its position.

The engine's answer is parsed into a game of pycgt and compared with the canonical form that pycgt computes for the
position, by its own rules where it has the game; Hackenbush is given to it option by option. The outcome is compared too.
"""
import random
import sys
from functools import cache

from pycgt.game import Game, add, canonical, negate
from pycgt.rulesets import domineering, graphs, grid, toads_and_frogs
from pycgt.values import UP, miny, nimber, number, tiny

from engine import compare_all

sys.setrecursionlimit(10_000)

GAMES = [
    "domineering:3x4", "domineering:4x4", "domineering:2x7", "col:3x3", "col:2x5", "snort:3x3", "snort:2x4",
    "toads-and-frogs:" + 9 * ".", "toads-and-frogs:" + 8 * ".", "hackenbush:" + 7 * "B", "hackenbush:GB,BRG",
]


class Word:
    """Parses the notation of protocol.md."""

    def __init__(self, text):
        self.text, self.at = text, 0

    def peek(self):
        return self.text[self.at:self.at + 1]

    def take(self, token):
        found = self.text.startswith(token, self.at)
        self.at += len(token) * found
        return found

    def digits(self):
        start = self.at
        while self.peek().isdigit():
            self.at += 1
        return self.text[start:self.at]

    def list(self, end):
        forms = [self.form()]
        while self.take(","):
            forms.append(self.form())
        assert self.take(end), self.text[self.at:]
        return forms

    def form(self):
        if self.take("+-("):
            left = self.list(")")
            return canonical(Game.of(left, [negate(form) for form in left]))
        if self.take("+-"):
            x = self.form()
            return canonical(Game.of([x], [negate(x)]))
        for name, make in (("tiny(", tiny), ("miny(", miny)):
            if self.take(name):
                return canonical(make(self.list(")")[0]))
        if self.take("{"):
            return canonical(Game.of(self.list("|"), self.list("}")))
        value = nimber(0)
        if self.peek().isdigit() or self.peek() == "-":
            whole = ("-" if self.take("-") else "") + self.digits()
            value = number(whole + ("/" + self.digits() if self.take("/") else ""))
        if self.peek() in ("^", "v") and self.peek():
            sign = self.peek()
            count = 0
            while self.take(sign):
                count += 1
            count = int(self.digits() or count)
            for _ in range(count):
                value = add(value, UP if sign == "^" else negate(UP))
        if self.take("*"):
            value = add(value, nimber(int(self.digits() or 1)))
        return canonical(value)


def read(text):
    word = Word(text)
    form = word.form()
    assert word.at == len(text), text
    return form


@cache
def stalk(letters):
    """A stalk of Hackenbush, option by option."""
    cut = [(letter, stalk(letters[:at])) for at, letter in enumerate(letters)]
    left = [option for letter, option in cut if letter in "BG"]
    right = [option for letter, option in cut if letter in "RG"]
    return canonical(Game.of(left, right))


def hackenbush(spec):
    stalks = ["".join(random.choices("BRG", k=random.randint(1, len(word) + 1))) for word in spec.split(",")]
    value = nimber(0)
    for letters in stalks:
        value = add(value, stalk(letters))
    return ",".join(stalks), canonical(value)


def toads(spec):
    row = "".join(random.choices("TF.", k=len(spec)))
    return row, toads_and_frogs.value(row.lower())


def dominoes(spec):
    rows, columns = map(int, spec.split("x"))
    cells = [(row, column) for row in range(rows) for column in range(columns)]
    covered = {cell for cell in cells if random.random() < random.choice((0.1, 0.3, 0.5))}
    board = ["".join("#" if (row, column) in covered else "." for column in range(columns)) for row in range(rows)]
    left = grid.Position.rectangle(rows, columns).remove(covered)
    return "/".join(board), grid.value(left, domineering.DOMINEERING)


def colouring(rule):
    def play(spec):
        rows, columns = map(int, spec.split("x"))
        at = lambda row, column: row * columns + column
        edges = [(at(r, c), at(r, c + 1)) for r in range(rows) for c in range(columns - 1)]
        edges += [(at(r, c), at(r + 1, c)) for r in range(rows - 1) for c in range(columns)]
        position = graphs.uncoloured(graphs.Graph.of(rows * columns, edges))
        for _ in range(random.randint(1, rows * columns // 2)):
            moves = position.moves(random.choice((graphs.LEFT, graphs.RIGHT)), rule)
            position = random.choice(moves) if moves else position
        mark = lambda cell: "X" if cell in position.left else "O" if cell in position.right else "."
        board = ["".join(mark(at(row, column)) for column in range(columns)) for row in range(rows)]
        return "/".join(board), graphs.value(position, rule)

    return play


RULES = {
    "domineering": dominoes,
    "col": colouring(graphs.COL),
    "snort": colouring(graphs.SNORT),
    "toads-and-frogs": toads,
    "hackenbush": hackenbush,
}


def compare(engine, name, games):
    kind, spec = name.split(":")
    for _ in range(games):
        position, expected = RULES[kind](spec)
        engine.say(f"position fen {position} {random.choice('12')}")
        (said,) = engine.ask("cgt")
        if said == "?" or read(said) != canonical(expected):
            print(f"{name}: {position}\n  grundy: {said}\n  pycgt: {expected}")
            return False
    print(f"{name}: {games} positions, no difference")
    return True


if __name__ == "__main__":
    compare_all(__doc__, GAMES, compare)
