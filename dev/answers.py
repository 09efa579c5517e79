#!/usr/bin/env python3
"""Asks four plain questions about every game of the catalog and of the rules files, and checks that each is answered.

`grundy solve G`, `analyze G`, `games G` and `play G` (values, a hint, quit) must end in time with exit code 0. The first two
give an answer (who wins, or a draw), name the next command, or say why a proof is not feasible; the others show rules and a
board. None may say only `?`, and no line may be longer than a terminal is wide.

With --atlas it asks `analyze` about the start of every game that `grundy atlas` names.

Usage: dev/answers.py [--engine target/release/grundy] [--seconds S] [--limit SECONDS] [--only TEXT] [--atlas] [GAME ..]
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
# The names of some players are plurals.
ANSWER = re.compile(r"\bis a draw\b|\bwins\b|^[A-Z]\w+ win |\b(?:has|have) won\b", re.M)
NEXT = re.compile(r"^ +next +(?:.*grundy \w+|a proof of the start is not feasible here: )", re.M)
WIDTH = 80


def questions(game, seconds):
    """Returns the commands about a game: a name, the words, and what is typed."""
    time = str(int(1000 * seconds))
    return [
        ("solve", ["solve", game, "--seconds", str(seconds), "--quiet"], ""),
        ("analyze", ["analyze", game, "--movetime", time], ""),
        ("games", ["games", game], ""),
        ("play", ["play", game, "--first", "me", "--movetime", time], "v\nhint\nq\n"),
    ]


def run(engine, tables, words, typed, limit):
    """Runs a command; returns its seconds, its output, and what is wrong with it or None."""
    began = time.monotonic()
    try:
        done = subprocess.run(
            [engine, *words], input=typed, capture_output=True, text=True, timeout=limit + 30,
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
    return seconds, done.stdout, wrong


def fault(name, out):
    """Returns what is missing in the output of a command that has ended well, or None."""
    lines = out.splitlines()
    if name in ("solve", "analyze"):
        if not ANSWER.search(out) and not NEXT.search(out):
            return "neither an answer nor the next step"
    elif name == "play":
        if "your move>" not in out:
            return "no board to move on"
        if not any(line.startswith(("value", "hint")) or "=" in line for line in lines):
            return "no values and no hint"
    elif len(lines) < 4:
        return "no description"
    # A board may be wider, and so may a move of a large one, and the name of a file.
    wide = [line for line in lines if len(line) > WIDTH and not line.startswith("/")]
    long = [line for line in wide if name != "play" or "  " not in line.strip()]
    return f"a line is longer than {WIDTH} characters: {long[0][:40]} .." if long else None


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--engine", default=str(ROOT / "target/release/grundy"))
    options.add_argument("--seconds", type=float, default=2.0, help="time that is given to solve, analyze and play")
    options.add_argument("--limit", type=float, default=10.0, help="most seconds of a command")
    options.add_argument("--only", default="", help="only games whose name contains this")
    options.add_argument("--atlas", action="store_true", help="ask `analyze` about the games of the atlas instead")
    options.add_argument("games", nargs="*", metavar="GAME", help="only these games")
    options = options.parse_args()
    if not pathlib.Path(options.engine).is_file():
        sys.exit(f"no engine {options.engine}: run `cargo build --release` first")
    games = options.games
    if options.atlas:
        rows = (line.split("\t") for line in (ROOT / "atlas.tsv").read_text().splitlines() if line[:1] not in ("#", ""))
        next(rows)
        games = sorted({row[3] for row in rows} - {"-"})
    if not games:
        table = subprocess.run([options.engine, "games", "--markdown"], capture_output=True, text=True, check=True)
        games = re.findall(r"^\| `([^`]+)`", table.stdout, re.M)
        games += sorted(f"rules:{path.stem}" for path in (ROOT / "rules").glob("*.rbg"))
    games = [game for game in games if options.only in game]
    failed = answered = 0
    with tempfile.TemporaryDirectory() as tables:
        for game in games:
            said, first = [], "nothing"
            asked = questions(game, options.seconds)
            for name, words, typed in asked[1:2] if options.atlas else asked:
                seconds, out, wrong = run(options.engine, tables, words, typed, options.limit)
                wrong = wrong or fault(name, out)
                said.append(f"{name} {seconds:.1f} s" + (f": {wrong}" if wrong else ""))
                failed += wrong is not None
                if name == asked[0][0] or options.atlas:
                    answered += bool(ANSWER.search(out))
                    first = (out.splitlines() or ["nothing"])[0]
            print(f"{game}: {first}\n    {'; '.join(said)}", flush=True)
    print(f"{len(games)} games, {answered} solved within {options.seconds:g} s, {failed} questions without an answer")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
