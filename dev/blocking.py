#!/usr/bin/env python3
"""Checks certificates of blocking (`grundy solve mnk:7,7,5 --certificate FILE`) by nothing but docs/certificates.md.

A second, independent reader beside `referee check`: board, lines and symmetries are computed here.
Usage: dev/blocking.py [--engine target/release/grundy] [FILE ..]
Exit code 0: all proved; 1: a certificate is refused.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile


class Refused(Exception):
    """What a certificate does not prove."""


def need(holds, what):
    if not holds:
        raise Refused(what)


class Board:
    def __init__(self, game):
        need(game.startswith("mnk:"), "the game")
        self.columns, self.rows, k = map(int, game[4:].split(","))
        need(0 < self.columns * self.rows <= 64, "the board")
        self.cells = {chr(97 + x) + str(y + 1): (x, y) for x in range(self.columns) for y in range(self.rows)}
        self.lines = set()
        for x, y in self.cells.values():
            for right, up in [(1, 0), (0, 1), (1, 1), (1, -1)]:
                line = frozenset((x + right * i, y + up * i) for i in range(k))
                if line <= set(self.cells.values()):
                    self.lines.add(line)
        self.through = {cell: frozenset(n for n, line in enumerate(self.lines) if cell in line) for cell in self.cells.values()}

    def image(self, symmetry, cell):
        x, y = cell
        need(0 <= symmetry < (8 if self.columns == self.rows else 4), "a symmetry")
        x = self.columns - 1 - x if symmetry & 1 else x
        y = self.rows - 1 - y if symmetry & 2 else y
        # Rows count from the bottom here: the diagonal from the top left is mapped to itself.
        return (self.rows - 1 - y, self.columns - 1 - x) if symmetry & 4 else (x, y)

    def stopped(self, stones):
        """Returns the lines that meet a set of cells."""
        return frozenset().union(*(self.through[cell] for cell in stones))

    def squares(self, text, between):
        return [] if text == "-" else [self.cells[word] for word in text.split(between)]


def check(text):
    lines = iter(text.split("\n"))
    need(next(lines) == "grundy-blocking 1", "the first line")
    game = next(lines).removeprefix("game ")
    board = Board(game)
    position = next(lines).removeprefix("position ")
    rows, turn = position.split(" ")
    marks = {(x, board.rows - 1 - y): mark for y, row in enumerate(rows.split("/")) for x, mark in enumerate(row)}
    stones = [{cell for cell, mark in marks.items() if mark == own} for own in "XO"]
    need(marks.keys() == set(board.cells.values()) and int(turn) == 1 + len(stones[0]) - len(stones[1]), "the position")
    need(not any(line <= own for line in board.lines for own in stones), "the game is over")
    claims = []

    def applied(used, stopped):
        """Returns the zone of the use of a claim, where these lines are stopped."""
        number, _, symmetry = used.partition("/")
        need(0 <= int(number) < len(claims), "a later claim")
        taken, zone = claims[int(number)]
        image = lambda cells: {board.image(int(symmetry or 0), cell) for cell in cells}
        need(board.stopped(image(taken)) <= stopped, f"claim {used} needs more stones")
        return image(zone)

    for _ in range(int(next(lines).removeprefix("claims "))):
        kind, taken, reasons = next(lines).split("\t")
        taken = board.squares(taken, ",")
        stopped = board.stopped(taken)
        reasons = [] if reasons == "-" else reasons.split(",")
        if kind == "pairs":
            pairs = [board.squares(word, "-") for word in reasons]
            zone = [cell for pair in pairs for cell in pair]
            need(all(len(pair) == 2 for pair in pairs) and len(zone) == len(set(zone)), "pairs overlap")
            paired = frozenset().union(*(board.through[one] & board.through[other] for one, other in pairs))
            need(len(stopped | paired) == len(board.lines), "a line has no pair")
        else:
            need(kind == "answers", "a kind of claim")
            zones = []
            for word in reasons:
                cell, used = word.split(":")
                cell = board.cells[cell]
                zones.append({cell} | applied(used, stopped | board.through[cell]))
            need(zones and not set.intersection(*zones), "a move has no answer")
            zone = set.union(*zones)
        claims.append((taken, frozenset(zone)))
    proved = []
    for line in lines:
        if line.startswith("checksum "):
            break
        player, cell, used = line.split("\t")
        player = {"player 1": 0, "player 2": 1}[player]
        maker, breaker = stones[player], stones[1 - player]
        cell = set(board.squares(cell, ","))
        need(len(cell) <= 1 and not cell & (maker | breaker) and not (cell and int(turn) == player + 1), "a first move")
        need(not (cell | applied(used, board.stopped(breaker | cell))) & maker, "the player has a cell of the zone")
        proved.append(player)
    need(sorted(proved) == [0, 1], "both players")
    return f"{game} from {position}: draw, by {len(claims)} claims"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--engine", default="target/release/grundy", help="writes the certificates if no FILE is given")
    options.add_argument("files", nargs="*", metavar="FILE")
    options = options.parse_args()
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for game in [] if options.files else ["mnk:4,4,4", "mnk:5,5,5", "mnk:6,6,5", "mnk:7,6,5", "mnk:7,7,5"]:
            path = pathlib.Path(folder, game)
            subprocess.run([options.engine, "solve", game, "--certificate", path], check=True, capture_output=True)
            options.files.append(path)
        for path in options.files:
            try:
                print(check(pathlib.Path(path).read_text(encoding="utf-8")))
            except (Refused, ValueError, KeyError, IndexError, StopIteration) as error:
                failed = True
                print(f"{path}: refused: {error}")
    return failed


if __name__ == "__main__":
    sys.exit(main())
