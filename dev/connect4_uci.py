#!/usr/bin/env python3
"""Compares who wins in positions of Connect Four with J. Tromp's data set in the UCI repository: all 67,557 positions of 8 plies,
but for mirror images, in which nobody has won and nobody can at once.

Needs `connect-4.data` (https://archive.ics.uci.edu/dataset/26/connect+4): a line is the cells a1 to a6, b1 .. g6 as x, o or b
and what the first player, who is to move, gets. Without an opening book in the folder of tables all of it takes hours.
Usage: dev/connect4_uci.py [--engine target/release/grundy] [--positions 100, 0 for all] [--seed 1] connect-4.data
Exit code 0: no difference; 1: differences, each printed.
"""
import collections
import random
import sys

from engine import Engine, base_line, begin


def position(cells):
    """The line's position as the engine reads it, rows from the top."""
    letters = {"x": "X", "o": "O", "b": "."}
    rows = ["".join(letters[cells[6 * column + row]] for column in range(7)) for row in reversed(range(6))]
    return "/".join(rows) + " 1"


def main():
    parser = base_line(__doc__)
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("data")
    options = begin(parser)
    with open(options.data) as file:
        lines = [line.strip().split(",") for line in file if line.strip()]
    if options.positions:
        lines = random.sample(lines, options.positions)
    engine = Engine(options.engine, "connect4:7x6")
    counts, differences = collections.Counter(), 0
    for *cells, wanted in lines:
        engine.say("position fen " + position(cells))
        # From the book, else by search.
        [said] = engine.ask("value")
        if said == "?":
            said = engine.proved(600_000) or "?"
        counts[wanted] += 1
        if said.split(":")[0] != wanted:
            print(f"{position(cells)}: {said}, the data set: {wanted}")
            differences += 1
    engine.close()
    print(f"{len(lines)} positions, {differences} differences;", ", ".join(f"{n} {word}" for word, n in counts.items()))
    sys.exit(differences > 0)


if __name__ == "__main__":
    main()
