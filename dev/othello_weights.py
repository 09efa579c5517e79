#!/usr/bin/env python3
"""Fits the weights of Othello's patterns (`crates/searched/src/othello/weights6.bin`, `weights8.bin`) to exact results.

Needs `pip install numpy scipy`. Usage, for positions and then for the weights (two hours, a minute):
  dev/othello_weights.py [--engine target/release/grundy] [--seed 1] [--side 8] --games 100000 POSITIONS
  dev/othello_weights.py --weights crates/searched/src/othello/weights6.bin POSITIONS ..
The weights of the project rest on 500,000 positions of such games of 6x6 and 163,000 met in a proof of it, and on 300,000
of games of 8x8 with 9 to 15 free cells.
A line a position: rows from the top, `X` for the player to move, and his final difference under best play. The groups
of cells must be those of `pattern.rs`; the general weights are printed, for the same file.
"""
import random

import numpy
from scipy import sparse
from scipy.sparse.linalg import lsmr

from engine import Engine, base_line, begin, legal_moves, value_said

CORNER = [(c, r) for r in range(2) for c in range(4)]
GROUPS = {
    6: [[(c, 0) for c in range(6)] + [(1, 1), (4, 1)], CORNER, [(i, i) for i in range(6)]],
    8: [[(c, 0) for c in range(8)], CORNER, [(c, 1) for c in range(8)], [(i, i) for i in range(8)]],
}
# Hundredths of a disc; see `pattern.rs`.
UNIT = 20
# How far a weight is drawn to nothing.
DAMP = 3.0


def make(engine, games, file):
    """Plays games with different shares of random moves and writes their positions with 9 to 17 free cells, with values."""
    for _ in range(games):
        moves, free = [], min(random.randint(10, 17), random.randint(10, 17))
        whims = [random.choice([0.1, 0.3, 0.6, 1.0]) for _ in range(2)]
        while True:
            engine.position(moves)
            fen, legal = engine.ask("fen", "legalmoves")
            board, turn = fen.split()
            legal = legal_moves(legal)
            if not legal or board.count(".") < 9:
                break
            if board.count(".") > free:
                whim = len(moves) < 4 or random.random() < whims[int(turn) - 1]
                moves.append(random.choice(sorted(legal)) if whim else engine.go(1)[0])
                continue
            if turn == "2":
                board = board.translate(str.maketrans("XO", "OX"))
            best, infos = engine.go(10**9)
            value = value_said(infos)
            if legal != {"pass"}:
                file.write(f"{board} {0 if value == 'draw' else int(value)}\n")
            moves.append(best)


def fit(files, weights):
    digits = {".": 0, "X": 1, "O": 2}
    boards, values = [], []
    for name in files:
        for line in open(name):
            board, value = line.split()
            rows = board.split("/")[::-1]
            boards.append([[digits[cell] for cell in row] for row in rows])
            values.append(int(value))
    groups = GROUPS[len(boards[0])]
    boards = numpy.array(boards, dtype=numpy.int8)
    values = numpy.array(values, dtype=float)

    columns, alike = [general(boards)], []
    for group in groups:
        numbers, same = fillings(boards, group)
        alike.append(same)
        rows = numpy.repeat(numpy.arange(len(boards)), numbers.shape[1])
        ones = numpy.ones(numbers.size)
        shape = (len(boards), 3 ** len(group))
        columns.append(sparse.csr_matrix((ones, (rows, same[numbers.ravel()])), shape=shape))
    matrix = sparse.hstack(columns).tocsr()
    found = lsmr(matrix, values, damp=DAMP, maxiter=200)[0]
    error = numpy.sqrt(numpy.mean((values - matrix @ found) ** 2))
    names = ["constant", "odd", "mobility", "frontier"]
    print(f"{len(values)} positions, off by {error:.2f} discs (root mean square);", end=" ")
    print(", ".join(f"{name}: {round(100 * weight)}" for name, weight in zip(names, found)))
    out, at = b"", len(names)
    for same in alike:
        own = found[at : at + len(same)]
        at += len(same)
        out += numpy.clip(numpy.round(own[same] * 100 / UNIT), -128, 127).astype(numpy.int8).tobytes()
    with open(weights, "wb") as file:
        file.write(out)


def images(boards):
    """The boards by column and row, turned and mirrored in the eight ways of `pattern.rs`."""
    for turn in range(8):
        seen = boards.transpose(0, 2, 1) if turn & 1 == 0 else boards
        seen = seen[:, ::-1, :] if turn & 2 else seen
        yield seen[:, :, ::-1] if turn & 4 else seen


def fillings(boards, group):
    """The indices of the fillings of a group's images, one column per image, and for each index the least equivalent one:
    a group that is its own image counts once, read either way."""
    side = boards.shape[1]
    places = numpy.arange(side * side).reshape(1, side, side)
    powers = 3 ** numpy.arange(len(group))
    numbers = numpy.arange(3 ** len(group))
    same, columns, seen = numbers.copy(), [], {}
    for image, place in zip(images(boards), images(places)):
        cells = [int(place[0, c, r]) for c, r in group]
        before = seen.setdefault(tuple(sorted(cells)), cells)
        if before is cells:
            columns.append(sum(image[:, c, r].astype(numpy.int64) * p for (c, r), p in zip(group, powers)))
        else:
            other = sum(numbers // powers[i] % 3 * powers[cells.index(cell)] for i, cell in enumerate(before))
            same = numpy.minimum(same, other)
    return numpy.stack(columns, 1), same


def general(boards):
    """One; whether the number of free cells is odd; moves; discs beside a free cell, for both players."""
    side = boards.shape[1]

    def shifted(cells, down, right):
        out = numpy.zeros_like(cells)
        there = lambda d: (slice(max(d, 0), side + min(d, 0)), slice(max(-d, 0), side + min(-d, 0)))
        (to_row, from_row), (to_column, from_column) = there(down), there(right)
        out[:, to_row, to_column] = cells[:, from_row, from_column]
        return out

    around = [(d, r) for d in (-1, 0, 1) for r in (-1, 0, 1) if (d, r) != (0, 0)]
    mine, other, free = boards == 1, boards == 2, boards == 0

    def moves(own, others):
        found = numpy.zeros_like(own)
        for step in around:
            row = others & shifted(own, *step)
            for _ in range(side - 3):
                row |= others & shifted(row, *step)
            found |= free & shifted(row, *step)
        return found

    open_to = numpy.any([shifted(free, *step) for step in around], axis=0)
    count = lambda cells: cells.sum(axis=(1, 2))
    more = lambda a, b: count(a).astype(float) - count(b)
    return numpy.stack(
        [
            numpy.ones(len(boards)),
            count(free) % 2,
            more(moves(mine, other), moves(other, mine)),
            more(mine & open_to, other & open_to),
        ],
        axis=1,
    )


def main():
    parser = base_line(__doc__)
    parser.add_argument("--side", type=int, default=6)
    parser.add_argument("--games", type=int)
    parser.add_argument("--weights")
    parser.add_argument("positions", nargs="+")
    options = begin(parser)
    if options.weights:
        fit(options.positions, options.weights)
    elif options.games:
        engine = Engine(options.engine, f"othello:{options.side}x{options.side}")
        with open(options.positions[0], "a") as file:
            make(engine, options.games, file)
        engine.close()
    else:
        parser.error("expected --games N to make positions, or --weights FILE to fit to them")


if __name__ == "__main__":
    main()
