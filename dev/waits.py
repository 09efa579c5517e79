#!/usr/bin/env python3
"""Measures the time from `go` without a limit to `bestmove`: the time until random positions are proved.

The engine is reset before each. Usage: dev/waits.py [--engine target/release/grundy] [--game connect4:7x6] [--plies 8 9 10]
[--positions 100] [--threads 1] [--seed 1]
"""
import random
import time

from engine import Engine, base_line, begin, legal_moves, quantile


def random_line(engine, plies):
    """A random line of `plies` moves from the start that leaves the game unfinished."""
    while True:
        moves = []
        engine.position(moves)
        while legal := sorted(legal_moves(engine.ask("legalmoves")[0])):
            if len(moves) == plies:
                return moves
            moves.append(random.choice(legal))
            engine.position(moves)


def main():
    parser = base_line(__doc__)
    parser.add_argument("--game", default="connect4:7x6")
    parser.add_argument("--plies", type=int, nargs="+", default=[8, 9, 10])
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--threads", type=int, default=1)
    options = begin(parser)
    engine = Engine(options.engine, options.game)
    engine.say(f"setoption name Threads value {options.threads}")
    for plies in options.plies:
        times, nodes = [], []
        for _ in range(options.positions):
            moves = random_line(engine, plies)
            engine.say("uginewgame")
            engine.position(moves)
            engine.ask("p1turn")
            start = time.perf_counter()
            engine.say("go")
            _, infos = engine.best()
            times.append(time.perf_counter() - start)
            nodes.append(int(infos[-1].split(" nodes ")[1].split()[0]) / 1e6)
        times.sort()
        median, p90, late = quantile(times, 0.5), quantile(times, 0.9), sum(t > 1 for t in times)
        print(
            f"{options.game} after {plies} plies: median {median:.3f} s, p90 {p90:.3f}, worst {times[-1]:.2f}, "
            f"{late} of {len(times)} over a second; million nodes: mean {sum(nodes) / len(nodes):.3f}, worst {max(nodes):.2f}",
            flush=True,
        )
    engine.close()


if __name__ == "__main__":
    main()
