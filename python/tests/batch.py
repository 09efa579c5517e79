"""Times ``Game.values`` on a million positions of mnk:4,4,4 beside the same questions in Rust (``examples/values.rs``).

Fails where Python takes more than twice the time.
"""

import itertools
import pathlib
import subprocess
import sys
import tempfile
import time

import grundy

COUNT = 1_000_000
ROOT = pathlib.Path(__file__).parent.parent


def main() -> int:
    with tempfile.TemporaryDirectory() as tables:
        game = grundy.Game("mnk:4,4,4", tables=tables)
        table = game.solve()
        positions = [position for position, _ in itertools.islice(table, COUNT)]
        ours = float("inf")
        for _ in range(3):
            began = time.perf_counter()
            codes = game.values(positions)
            ours = min(ours, time.perf_counter() - began)
        assert all(codes[at] == table.values[table.index(positions[at]) or 0] for at in range(0, COUNT, 997))
        command = ["cargo", "run", "--release", "--locked", "--quiet", "--example", "values", "mnk:4,4,4"]
        lines = "\n".join(map(str, positions))
        done = subprocess.run(command, cwd=ROOT, input=lines, stdout=subprocess.PIPE, text=True, check=True)
    theirs = float(done.stdout)
    print(f"{len(positions)} positions of mnk:4,4,4: {ours:.2f} s in Python, {theirs:.2f} s in Rust, {ours / theirs:.2f} times")
    return 0 if len(positions) == COUNT and ours <= 2 * theirs else 1


if __name__ == "__main__":
    sys.exit(main())
