#!/usr/bin/env python3
"""Compares the verdicts of three checkers on forged certificates: dev/check.py, `referee check` and `grundy-verified`.

Needs `pip install xxhash` for the checksums. Usage: dev/forged.py [--engine target/release/grundy] [--verified
proofs/grundy-verified] [--count 20000] [--seed 1] [--keep DIR]; `referee` stands beside the engine, and where there is no
`grundy-verified` two are compared. Certificates that audits of small games write are
changed as a forger would: values, ranks, parts, moves, positions, lines dropped, doubled and exchanged, the header; then
the checksum is worked out anew. All must say the same, of honest ones too. Exit code 0: they do; 1: a difference, with
the file that shows it.
"""
import argparse
import contextlib
import io
import os
import random
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import xxhash

import check

GAMES = ["tictactoe", "mnk:3,2,2", "mnk:3,3,3:misere", "nim:1,2,2", "nim:2,3:misere", "nim:5:max=2", "connect4:4x2", "connect4:2x4",
         "dots:1x1", "dots:1x2", "dots:1x2:start=icelandic", "dots:1x1:penalty=2", "dots:1x3:start=swedish"]


def honest(engine, referee, folder):
    """Sections of all games: both strategies and the table of all positions, as lists of lines without the checksum."""
    sections = []
    for game in GAMES:
        for more in [[], ["--all"]]:
            file = os.path.join(folder, "honest")
            command = [referee, "audit", "--game", game, "--engine", engine, "--certificate", file]
            subprocess.run(command + more, capture_output=True, check=True, timeout=600)
            with open(file, encoding="utf-8") as text:
                now = []
                for line in text.read().splitlines():
                    if line.startswith("checksum "):
                        sections.append(now)
                        now = []
                    else:
                        now.append(line)
    return sections


def some_value(dice, old):
    """Another value, mostly near the old one."""
    number = int("".join(c for c in old if c.isdigit()) or "0")
    near = max(0, number + dice.choice([-2, -1, 1, 2]))
    return dice.choice([f"win:{near}", f"loss:{near}", f"win:{number}", f"loss:{number}", "draw", "win", "loss", f"+{near}",
                        f"-{near}", f"+{number}", f"-{number}", "+0", "win:805306367", "loss:805306366", "+134217727"])


def change(dice, lines):
    """Changes a section once."""
    header, body = lines[:6], [line.split("\t") for line in lines[6:]]
    what = dice.randrange(16)
    if not body or what == 0:
        at = dice.randrange(1, 6)
        key, value = header[at].split(" ", 1)
        header[at] = key + " " + {
            "game": lambda: dice.choice(GAMES), "kind": lambda: dice.choice(["table", "strategy 1", "strategy 2"]),
            "start": lambda: dice.choice(body)[0] if body else value, "value": lambda: some_value(dice, value),
            "positions": lambda: str(max(0, int(value) + dice.choice([-1, 1])))}[key]()
        return header + ["\t".join(fields) for fields in body]
    at = dice.randrange(len(body))
    fields, other = body[at], dice.choice(body)
    if what <= 3:
        fields[1] = some_value(dice, fields[1])
        if len(fields) == 3 and fields[1] in ("win", "loss"):
            fields.append(str(dice.randrange(6)))
    elif what == 4:  # All distances, or all margins, are a little off.
        shift = dice.choice([-2, 2])
        for fields in body:
            head, mark, number = fields[1].partition(":")
            if mark:
                fields[1] = f"{head}:{max(0, int(number) + shift)}"
    elif what == 5:
        fields[2] = dice.choice([other[2], "*", "a1", "1:1", "b", "a1b1", "a1a2"])
    elif what == 6 and len(fields) > 3:
        fields[3] = str(max(0, int(fields[3]) + dice.choice([-1, 1, 3])))
    elif what == 7:  # Distances give way to ranks, by right or a little off.
        few = dice.random() < 0.5
        for line in body:
            head, mark, number = line[1].partition(":")
            if mark and len(line) == 3 and (few or dice.random() < 0.9):
                line[1] = head
                line.append(str(int(number) + (dice.random() < 0.05)))
    elif what == 8:  # Parts, by right or not: the number of free lines falls with every move.
        for line in body:
            if len(line) == 4:
                line.append(str(max(0, line[0].count(".") + (dice.random() < 0.05))))
                line[3] = "0" if dice.random() < 0.5 else line[3]
    elif what == 9:
        del body[at]
    elif what == 10:
        body.insert(dice.randrange(len(body) + 1), list(fields))
    elif what == 11:
        fields[0] = other[0]
    elif what == 12:
        place = dice.randrange(len(fields[0]))
        fields[0] = fields[0][:place] + dice.choice("XO.-|/ 0123,AB*\u00e9") + fields[0][place + 1:]
    elif what == 13:
        fields[0], other[0] = other[0], fields[0]
    elif what == 14:
        body.append([other[0][:-1] + dice.choice("12")] + fields[1:])
    else:
        dice.shuffle(body)
    if dice.random() < 0.8:
        header[5] = f"positions {len(body)}"
    if dice.random() < 0.5 and body:  # The header says what the first line does.
        first = next((line for line in body if "start " + line[0] == header[3]), None)
        header[4] = f"value {first[1]}" if first else header[4]
    return header + ["\t".join(line) for line in body]


def sealed(sections):
    parts = ["".join(line + "\n" for line in lines) for lines in sections]
    return "".join(f"{part}checksum {xxhash.xxh3_128_hexdigest(part.encode())}\n" for part in parts)


def in_process(text):
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said):
            check.check(text)
        return True, said.getvalue()
    except (ValueError, TypeError, KeyError) as why:
        return False, str(why)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--engine", default="target/release/grundy")
    parser.add_argument("--verified", default="proofs/grundy-verified")
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", default="", help="a folder for files that show a difference")
    options = parser.parse_args()
    dice = random.Random(options.seed)
    folder = tempfile.mkdtemp()
    referee = os.path.join(os.path.dirname(options.engine) or ".", "referee")
    sections = honest(options.engine, referee, folder)
    checkers = [[referee, "check"]] + ([[options.verified]] if os.path.exists(options.verified) else [])
    print(f"{len(sections)} honest sections; dev/check.py against {' and '.join(c[0] for c in checkers)}")

    def compare(numbered):
        number, text = numbered
        file = os.path.join(folder, str(number))
        with open(file, "w", encoding="utf-8", newline="") as out:
            out.write(text)
        ours, said = in_process_of[number]
        theirs = [subprocess.run(c + [file], capture_output=True, text=True) for c in checkers]
        same = all(run.returncode == (0 if ours else 1) for run in theirs) and (not ours or theirs[0].stdout == said)
        if same:
            os.remove(file)
            return None
        kept = file if not options.keep else os.path.join(options.keep, f"{options.seed}-{number}")
        os.makedirs(os.path.dirname(kept), exist_ok=True)
        shutil.move(file, kept)
        words = [(run.returncode, (run.stdout + run.stderr).strip()) for run in theirs]
        return f"{kept}: dev/check.py {'accepts' if ours else 'refuses'}: {said.strip()}; the others: {words}"

    accepted, different, in_process_of = 0, 0, {}
    with ThreadPoolExecutor(2) as pool:
        for begin in range(0, options.count, 500):
            texts = []
            for number in range(begin, min(begin + 500, options.count)):
                lines = dice.choice(sections)
                for _ in range(0 if number < len(sections) else dice.choice([1, 1, 1, 2, 3])):
                    lines = change(dice, list(lines))
                lines = sections[number] if number < len(sections) else lines
                texts.append((number, sealed([lines])))
                in_process_of[number] = in_process(texts[-1][1])
                accepted += in_process_of[number][0]
            for why in filter(None, pool.map(compare, texts)):
                different += 1
                print(why)
            in_process_of.clear()
    print(f"{options.count} certificates, {accepted} accepted, {different} differences")
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
