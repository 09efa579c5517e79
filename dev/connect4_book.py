#!/usr/bin/env python3
"""Compares an opening book of Connect Four, distances included, with BitBully's search from its own book of 12 plies.

Needs `pip install bitbully bitbully-databases`, and a book that `grundy solve connect4:7x6 --book PLIES` made in the folder of
tables. All positions of up to PLIES stones are asked, one of each mirrored pair, and those of one stone more, of which some
follow from the book; 8 plies take 40 s.
Usage: [GRUNDY_TABLES=FOLDER] dev/connect4_book.py [--engine target/release/grundy] [--plies 8]
Exit code 0: no difference; 1: differences, each printed, or no such book.
"""
import sys

import bitbully

from engine import Engine, base_line, begin, differ

# Positions that are asked at a time.
MANY = 1000


def openings(plies):
    """All unfinished positions of up to `plies` stones without mirror images: the moves that lead there, and BitBully's board."""
    layer = {"": ([], bitbully.Board())}
    for ply in range(plies + 1):
        yield from layer.values()
        found = {}
        for moves, board in layer.values() if ply < plies else ():
            for column in board.legal_moves():
                child = board.play_on_copy(column)
                if not child.is_game_over():
                    key = min(child.to_string(), child.mirror().to_string())
                    found.setdefault(key, ([*moves, "abcdefg"[column]], child))
        layer = found


def score(value, stones):
    """A value as solvers of Connect Four write it: 22 less the winner's stones at the end, negative for a loss."""
    word, _, plies = value.partition(":")
    left = 22 - (stones + int(plies or 0) + 1) // 2
    return {"win": left, "draw": 0, "loss": -left}[word]


def main():
    parser = base_line(__doc__)
    parser.add_argument("--plies", type=int, default=8)
    options = begin(parser)
    engine, other = Engine(options.engine, "connect4:7x6"), bitbully.BitBully()
    positions, known, differences = list(openings(options.plies + 1)), 0, 0
    for first in range(0, len(positions), MANY):
        some = positions[first : first + MANY]
        engine.say("\n".join(f"position startpos moves {' '.join(moves)}\nquery value" for moves, _ in some))
        for moves, board in some:
            value = engine.answer()
            if value == "?" and len(moves) <= options.plies:
                sys.exit(f"no book knows the position after {' '.join(moves) or 'the start'}")
            if value == "?":
                continue
            known += 1
            theirs = other.mtdf(board)
            if score(value, len(moves)) != theirs:
                differ("connect4:7x6", moves, value, theirs)
                differences += 1
    engine.close()
    print(f"{len(positions)} positions, {known} with a value, {differences} differences")
    sys.exit(differences > 0)


if __name__ == "__main__":
    main()
