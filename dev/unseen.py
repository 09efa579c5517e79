#!/usr/bin/env python3
"""Learn ten games that no evaluation was ever written for, and let each play the engine without what it learned.

    dev/unseen.py [--minutes 3] [--games 40] [--nodes 1000] [--threads 1] [--only WORD]

Writes the rules files and weights to unseen in the folder of the programs, runs `grundy learn` on each game and then a match at equal nodes, in pairs of
games from the same opening. Prints one line a game: games learned from, the share of points, the error on known positions.
"""

import argparse
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
ANY = "#anySquare = (up* + down*)(left* + right*)\n"
NEAR = "(up + down + left + right)"
# Pieces that race: `step` is how one goes ahead; who reaches the last row wins.
RACE = ANY + """#turn(me; other; own; enemy; ahead) =
    ->me anySquare {{own}} [e] {step} [own]
    [$ me=100, other=0] ({{? ahead}} + {{! ahead}} ->> {{}})
#rules = [$ second=100] (turn(first; second; x; o; up) turn(second; first; o; x; down))*
"""
# The last mover wins: `move` is a move.
LAST = ANY + """{macros}#turn(me; other; own; enemy) = ->me anySquare {move} [$ me=100, other=0]
#rules = [$ second=100] (turn(first; second; x; o) turn(second; first; o; x))*
"""
# Stones that stay: who has `shape` wins.
SHAPE = ANY + """#shape(p) = {shape}
#turn(me; other; p) = ->me anySquare {{e}} [p] ({{! shape(p)}} + {{? shape(p)}} [$ me=100, other=0] ->> {{}})
#rules = [$ first=50, second=50] (turn(first; second; x) turn(second; first; o))*
"""


def armies(columns, rows):
    """Returns rows with two ranks of men on either side."""
    return ["o" * columns] * 2 + ["e" * columns] * (rows - 4) + ["x" * columns] * 2


def chequered(columns, rows):
    """Returns rows filled with men of both players in turn."""
    return ["".join("xo"[(column + row) % 2] for column in range(columns)) for row in range(rows)]


def diagonals(length):
    """Returns the shape of a diagonal of this length through the last stone."""
    ways = [("up left", "down right"), ("up right", "down left")]
    return " + ".join(f"({back} {{p}})* ({there} {{p}})^{length - 1}" for back, there in ways)


QUEEN = " + ".join(f"{way} {{e}} ({way} {{e}})*" for way in (
    "up", "down", "left", "right", "up left", "up right", "down left", "down right"))
JUMP = " + ".join(f"{way} {{enemy}} [e] {way} {{e}}" for way in ("up", "down", "left", "right"))
GAMES = {
    "kingthrough": (armies(7, 7), RACE.format(step="(ahead {e, enemy} + ahead (left + right) {e, enemy})")),
    "runners": (armies(8, 8), RACE.format(step="(ahead {e} ({} + ahead {e}) + ahead (left + right) {enemy})")),
    "bishopthrough": (armies(8, 8), RACE.format(
        step="(" + " + ".join(f"(ahead {side} {{e}})* ahead {side} {{e, enemy}}" for side in ("left", "right")) + ")")),
    "strides": (armies(7, 8), RACE.format(
        step="(ahead ahead {e, enemy} + ahead (left + right) {e})")),
    "clobber-7x6": (chequered(7, 6), LAST.format(macros="", move=f"{{own}} [e] {NEAR} {{enemy}} [own]")),
    "snort-6x6": (["e" * 6] * 6, LAST.format(macros="", move=f"{{e}} {{! {NEAR} {{enemy}}}} [own]")),
    "jumps-8x6": ([row[:2] + "e" + row[3:] for row in chequered(8, 6)],
                  LAST.format(macros="", move=f"{{own}} [e] ({JUMP}) [own]")),
    "amazons-5x5": (["oeeeo", "eeeee", "eeeee", "eeeee", "xeeex"],
                    LAST.format(macros=f"#queen = ({QUEEN})\n", move="{own} [e] queen [own] queen [arrow]")),
    "col-7x7": (["e" * 7] * 7, LAST.format(macros="", move=f"{{e}} {{! {NEAR} {{own}}}} [own]")),
    "diagonal-7x7": (["e" * 7] * 7, SHAPE.format(shape=f"({diagonals(4)})")),
}


def write(name, rows, rules, folder):
    """Writes the rules file of a game."""
    pieces = "e, x, o" + (", arrow" if "arrow" in rules else "")
    letters = "e=. x=X o=O" + (" arrow=*" if "arrow" in rules else "")
    board = "\n".join("    [" + ", ".join(row) + "]" for row in rows)
    path = folder / f"{name}.rbg"
    path.write_text(
        f"// A game of dev/unseen.py.\n//@ about {name}\n//@ letters {letters}\n"
        f"#players = first(100), second(100)\n#pieces = {pieces}\n#variables =\n"
        f"#board = rectangle(up,down,left,right,\n{board})\n{rules}"
    )
    return path


def main():
    """Learns each game and prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=3.0)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--nodes", type=int, default=1000)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--bin", type=pathlib.Path, default=ROOT / "target/release")
    args = parser.parse_args()
    folder = args.bin / "unseen"
    folder.mkdir(parents=True, exist_ok=True)
    print(f"{'game':15} {'games':>6} {'off by':>7} {'points':>7} of {args.games}", flush=True)
    for name, (rows, rules) in GAMES.items():
        if args.only not in name:
            continue
        game = f"rules:file={write(name, rows, rules, folder)}"
        weights = folder / f"{name}.weights"
        learn = [args.bin / "grundy", "learn", game, "--minutes", str(args.minutes), "-o", weights]
        said = subprocess.run([*learn, "--threads", str(args.threads)], check=True, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE).stdout
        games, error = re.search(r"([\d,]+) games?,.*off by ([\d.]+)", said, re.S).groups()
        engines = [f"name={who} nodes={args.nodes} option.Weights={what} {args.bin / 'grundy'}"
                   for who, what in (("learned", weights), ("own", "none"))]
        match = [args.bin / "referee", "match", "--game", game, "--prove", "0", "--no-audit", "--openings", "random:3",
                 "--seed", "9", "--games", str(args.games), "--engine", engines[0], "--engine", engines[1]]
        out = subprocess.run(match, check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout
        points = re.search(r"Points: ([\d.]+)", out)
        print(f"{name:15} {games:>6} {error:>7} {points.group(1) if points else out[-300:]:>7}", flush=True)


if __name__ == "__main__":
    main()
