#!/usr/bin/env python3
"""Asks three plain questions about every game of the catalog and of the rules files, and checks that each is answered.

`grundy solve G --seconds 5`, `grundy analyze G` and `grundy games G` must end in time with exit code 0, and give an answer
(who wins, or a draw) or name the next command; none may say only `?`.

Usage: dev/answers.py [--engine target/release/grundy] [--limit SECONDS] [GAME ..]
Exit code 0: every question was answered; 1: one was not.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
ANSWER = re.compile(r"\bis a draw\b|\bwins\b|\bhas won\b")
NEXT = re.compile(r"^ +next +.*grundy \w+", re.M)


def run(engine, tables, words, limit):
    """Runs a command; returns its seconds, its output, and what is wrong with it or None."""
    began = time.monotonic()
    try:
        done = subprocess.run(
            [engine, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=limit + 30,
            env={"GRUNDY_TABLES": tables},
        )
    except subprocess.TimeoutExpired:
        return limit + 30, "", "did not end"
    seconds = time.monotonic() - began
    wrong = None
    if done.returncode != 0:
        wrong = f"exit code {done.returncode}: {done.stderr.strip().splitlines()[-1:]}"
    elif seconds > limit:
        wrong = f"took {seconds:.1f} s"
    elif any(len(line) > 80 for line in done.stdout.splitlines() if line.startswith("  ")):
        wrong = "a line is longer than 80 characters"
    return seconds, done.stdout, wrong


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--engine", default=str(ROOT / "target/release/grundy"))
    options.add_argument("--limit", type=float, default=10.0, help="seconds for each command")
    options.add_argument("games", nargs="*", metavar="GAME", help="only these games")
    options = options.parse_args()
    if not pathlib.Path(options.engine).is_file():
        sys.exit(f"no engine {options.engine}: run `cargo build --release` first")
    games = options.games
    if not games:
        table = subprocess.run([options.engine, "games", "--markdown"], capture_output=True, text=True, check=True)
        games = re.findall(r"^\| `([^`]+)`", table.stdout, re.M)
        games += sorted(f"rules:{path.stem}" for path in (ROOT / "rules").glob("*.rbg"))
    failed = answered = 0
    with tempfile.TemporaryDirectory() as tables:
        for game in games:
            said = []
            for words in [["solve", game, "--seconds", "5", "--quiet"], ["analyze", game], ["games", game]]:
                seconds, out, wrong = run(options.engine, tables, words, options.limit)
                if wrong is None and words[0] != "games" and not ANSWER.search(out) and not NEXT.search(out):
                    wrong = "neither an answer nor the next step"
                answered += words[0] == "solve" and bool(ANSWER.search(out))
                said.append(f"{words[0]} {seconds:.1f} s" + (f": {wrong}" if wrong else ""))
                failed += wrong is not None
                if words[0] == "solve":
                    first = (out.splitlines() or ["nothing"])[0]
            print(f"{game}: {first}\n    {'; '.join(said)}", flush=True)
    print(f"{len(games)} games, {answered} solved within 5 s, {failed} questions without an answer")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
