#!/usr/bin/env python3
"""Plays random games of Domineering side by side with pycgt and compares legal moves, results and who wins at every ply.

Needs `pip install pycgt` (0.2). Usage: dev/domineering.py [--engine target/release/grundy] [--games 1000] [NAME ..]
Exit code 0: no difference; 1: a difference, printed with the moves that lead to it.

pycgt computes the canonical form of the rest of the board, as a sum of its components, and so the winner; our engine searches.
"""
import random

from pycgt.game import Outcome
from pycgt.rulesets.domineering import DOMINEERING
from pycgt.rulesets.grid import Position, value

from engine import compare_all, differ, legal_moves

GAMES = ["domineering:3x3", "domineering:4x4", "domineering:3x5", "domineering:4x5", "domineering:6x6"]
# Canonical forms of more cells at once take too long.
CELLS = 16


def words(rows, position, first):
    """The moves of the player to move, by our names of them."""
    moves = DOMINEERING.left_moves(position) if first else DOMINEERING.right_moves(position)
    named = {}
    for cells in moves:
        row, column = max(row for row, _ in cells), min(column for _, column in cells)
        named["abcdefgh"[column] + str(rows - row)] = cells
    return named


def wins(position, first):
    """Whether the player to move wins, by the value of the rest of the board."""
    outcome = value(position, DOMINEERING).outcome
    return outcome == Outcome.FIRST or outcome == (Outcome.LEFT if first else Outcome.RIGHT)


def compare(engine, name, games):
    rows, columns = map(int, name.split(":")[1].split("x"))
    plies = judged = 0
    for _ in range(games):
        moves = []
        left = Position.rectangle(rows, columns)
        while True:
            first = len(moves) % 2 == 0
            engine.position(moves)
            legal, over, result = engine.ask("legalmoves", "gameover", "result")
            theirs = words(rows, left, first)
            ours = legal_moves(legal)
            expected = "none" if theirs else "p2win" if first else "p1win"
            same = ours == set(theirs) and (over == "true") == (not theirs) and result == expected
            said = wanted = None
            if same and theirs and left.size <= CELLS:
                said, wanted = engine.proved(10000), wins(left, first)
                same = said is not None and said.startswith("win" if wanted else "loss")
                judged += 1
            if not same:
                said = f"{sorted(ours)} over {over}, result {result}, value {said}"
                return differ(name, moves, said, f"{sorted(theirs)} result {expected}, a win: {wanted}")
            plies += 1
            if not theirs:
                break
            move = random.choice(sorted(theirs))
            moves.append(move)
            left = left.remove(theirs[move])
    print(f"{name}: {games} games, {plies} positions, {judged} of them valued, no difference")
    return True


if __name__ == "__main__":
    compare_all(__doc__, GAMES, compare)
