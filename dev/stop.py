#!/usr/bin/env python3
"""Measures the time from `stop` to `bestmove` while searches keep their threads busy.

Usage: dev/stop.py [--threads 2] [--times 40] [GAME,HASH ...]
"""
import random
import time

from engine import Engine, base_line, begin, quantile

SEARCHES = ["connect4:7x6,1024", "othello:8x8,2048", "othello:6x6,512", "hex:7,64", "dots:5x5,1024"]


def main():
    parser = base_line(__doc__)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--times", type=int, default=40)
    parser.add_argument("searches", nargs="*", help="a game and megabytes of Hash")
    options = begin(parser)
    for search in options.searches or SEARCHES:
        game, megabytes = search.rsplit(",", 1)
        engine = Engine(options.engine, game)
        engine.say(f"setoption name Threads value {options.threads}\nsetoption name Hash value {megabytes}")
        times = []
        while len(times) < options.times:
            engine.say("uginewgame\nposition startpos\ngo infinite")
            time.sleep(random.uniform(0.3, 0.8))
            start = time.perf_counter()
            engine.say("stop")
            engine.best()
            times.append((time.perf_counter() - start) * 1e3)
        engine.close()
        times.sort()
        median, p90 = quantile(times, 0.5), quantile(times, 0.9)
        print(f"{search}: median {median:.2f} ms, p90 {p90:.2f}, worst {times[-1]:.2f} of {len(times)}", flush=True)


if __name__ == "__main__":
    main()
