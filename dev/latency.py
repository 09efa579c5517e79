#!/usr/bin/env python3
"""Measures the time from `go` to `bestmove` in random positions of an ending; the first one solves it.

Usage: dev/latency.py [--engine target/release/grundy] [--game chess] [--ending KQvKR] [--positions 1000] [--movetime 1000]
(on a loaded machine prefix it with `chrt -f 1`)
"""
import random
import time

from engine import Engine, base_line, begin, quantile


def some_fen(ending):
    """A placement that is often legal: the kings apart, either side to move."""
    men = [c if side == 0 else c.lower() for side, word in enumerate(ending.split("v")) for c in word]
    while True:
        squares = random.sample(range(64), len(men))
        kings = [s for man, s in zip(men, squares) if man in "Kk"]
        if max(abs(kings[0] // 8 - kings[1] // 8), abs(kings[0] % 8 - kings[1] % 8)) < 2:
            continue
        if any(man in "Pp" and s // 8 in (0, 7) for man, s in zip(men, squares)):
            continue
        board = ["1"] * 64
        for man, s in zip(men, squares):
            board[s] = man
        return "/".join("".join(board[8 * r:8 * r + 8]) for r in range(8)) + " " + random.choice("wb") + " - - 0 1"


def main():
    parser = base_line(__doc__)
    parser.add_argument("--game", default="chess")
    parser.add_argument("--ending", default="KQvKR")
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--movetime", type=int, default=1000)
    options = begin(parser)
    engine = Engine(options.engine, options.game)
    times = []
    while len(times) <= options.positions:
        engine.say(f"position fen {some_fen(options.ending)}")
        # A position that is refused has no legal moves either.
        if engine.ask("legalmoves") == ["none"]:
            continue
        start = time.perf_counter()
        engine.go(options.movetime)
        times.append((time.perf_counter() - start) * 1e3)
    engine.close()
    first, rest = times[0], sorted(times[1:])
    median, p99 = quantile(rest, 0.5), quantile(rest, 0.99)
    print(f"{options.ending}: first {first:.1f} ms; median {median:.2f}, p99 {p99:.2f}, worst {rest[-1]:.2f} of {len(rest)}")


if __name__ == "__main__":
    main()
