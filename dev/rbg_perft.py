#!/usr/bin/env python3
"""Compares perft of public Regular Boardgames files with counts of other programs.

    git clone https://github.com/marekesz/rbgGames ../rbgGames
    cargo build --release -p grundy-rules --example perft && cargo build --release
    python3 dev/rbg_perft.py ../rbgGames COUNTS.tsv target/release/examples/perft target/release/grundy

COUNTS.tsv has the columns file, depth, perft; files are paths that end like those of the checkout. Every file of the
checkout is read, too; games that are not for two players must be refused with their number of players.
"""

import argparse
import csv
import pathlib
import re
import subprocess
import sys
import time


def counted(perft, path, depth, seconds):
    """The count of a file at a depth; None if it takes too long."""
    try:
        done = subprocess.run([perft, path, str(depth)], capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return None
    return done.stdout.split(" ")[0] if done.returncode == 0 else f"refused: {done.stderr.strip()}"


def players(path):
    """The number of players in a file."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", path.read_text(), flags=re.S)
    section = re.search(r"#\s*players\s*=([^#]*)", text)
    return len(re.findall(r"\(\s*\d+\s*\)", section.group(1)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=pathlib.Path)
    parser.add_argument("counts", type=pathlib.Path)
    parser.add_argument("perft", help="the example perft of crates/rules")
    parser.add_argument("grundy", help="the program grundy")
    parser.add_argument("--most", type=int, default=3_000_000, help="leave out counts beyond this")
    parser.add_argument("--seconds", type=float, default=120, help="the longest time for a count")
    arguments = parser.parse_args()
    files = sorted(arguments.checkout.rglob("*.rbg"))
    wrong, read = [], 0
    for path in files:
        number = players(path)
        command = [arguments.grundy, "check-rules", str(path), "--positions", "100"]
        said = subprocess.run(command, capture_output=True, text=True)
        if number == 2 and said.returncode == 0:
            read += 1
        elif number != 2 and said.returncode != 0 and f"a game of {number} players" in said.stdout:
            print(f"{path.name}: refused as a game of {number} players")
        else:
            wrong.append(f"{path}: {number} players: {(said.stdout + said.stderr).strip()[:200]}")
    print(f"{len(files)} files: {read} of two players read")
    right, left, late = 0, 0, []
    began = time.time()
    with open(arguments.counts, newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            if int(row["perft"]) > arguments.most:
                left += 1
                continue
            tail = row["file"].split("/", 1)[1]
            found = counted(arguments.perft, str(arguments.checkout / tail), row["depth"], arguments.seconds)
            if found is None:
                late.append(f"{tail} {row['depth']}")
            elif found == row["perft"]:
                right += 1
            else:
                wrong.append(f"{tail} depth {row['depth']}: {found}, expected {row['perft']}")
    print(f"{right} counts right, {left} beyond {arguments.most} left out, {len(late)} too slow, {time.time() - began:.0f} s")
    for line in late:
        print(f"too slow: {line}")
    for line in wrong:
        print(f"WRONG {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
