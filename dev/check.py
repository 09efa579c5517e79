#!/usr/bin/env python3
"""Checks a certificate of `referee audit`: `python3 dev/check.py FILE`. To be read, in ten minutes, before it is trusted.

It says what `referee check` says, with its exit codes: 0 all is proved, 1 something is not, 2 wrong usage. It shares
nothing with the other checkers. docs/certificates.md states the seven conditions, here by their numbers, and why they suffice.
The checksum finds accidents only, and is not worked out. The games: tictactoe, mnk, connect4, nim, lgame, dots."""
import re, sys

# A value is a number, the larger the better for the player to move: MATE - 12 is `win:12`, SOME_WIN a win of unknown
# distance, 0 a draw, what is less than POINTS either way a margin; losses are negative.
MATE, SOME_WIN, POINTS = 1 << 30, 1 << 28, 1 << 27
def need(condition, why):
    if not condition:
        raise ValueError(why)
# ---- The games. A position is its text, which ends with the player to move. `holds`: whether the rules write a text so;
# `over`: the value of a finished position, else None; `moves`: words, positions after them and what they gain.

other = {"1": "2", "2": "1"}
def square(x, y, rows): return f"{chr(97 + x)}{rows - y}"  # y counts from the top
class Rows:  # K in a row, with gravity or without: tictactoe, mnk, connect4
    def __init__(self, columns, rows, k, misere=False, falls=False):
        need(columns * rows <= 400, "a smaller board")
        self.columns, self.rows, self.falls, self.end = columns, rows, falls, MATE if misere else -MATE
        at = {(x, y): y * (columns + 1) + x for y in range(rows) for x in range(columns)}  # places in the text
        steps = [(1, 0), (0, 1), (1, 1), (-1, 1)]
        lines = [[at.get((x + i * a, y + i * b)) for i in range(k)] for x, y in at for a, b in steps]
        self.cells, self.lines = [(i, x, y) for (x, y), i in at.items()], [line for line in lines if None not in line]
    def has_line(self, text, mark): return any(all(text[i] == mark for i in line) for line in self.lines)
    def rests(self, text, i, y): return not self.falls or y == self.rows - 1 or text[i + self.columns + 1] != "."
    def holds(self, text):
        row, two = f"[XO.]{{{self.columns}}}", text[-1:] == "2"
        return re.fullmatch(f"{row}(/{row}){{{self.rows - 1}}} [12]", text) \
            and text.count("X") == text.count("O") + two and not self.has_line(text, "XO"[two]) \
            and all(text[i] == "." or self.rests(text, i, y) for i, _, y in self.cells)
    def over(self, text):
        return self.end if self.has_line(text, "XO"[text[-1] == "1"]) else None if "." in text else 0
    def moves(self, text):
        for i, x, y in self.cells:
            if text[i] == "." and self.rests(text, i, y):
                word = chr(97 + x) if self.falls else square(x, y, self.rows)
                yield word, text[:i] + "XO"[text[-1] == "2"] + text[i + 1:-1] + other[text[-1]], 0
class Nim:
    def __init__(self, max=10**18, misere=False):
        self.most, self.end = max, MATE if misere else -MATE
    def holds(self, text): return re.fullmatch("(0|[1-9][0-9]{0,17})(,(0|[1-9][0-9]{0,17}))* [12]", text)
    def over(self, text): return None if re.search("[1-9]", text[:-1]) else self.end
    def moves(self, text):
        heaps = [int(heap) for heap in text[:-2].split(",")]
        for i, heap in enumerate(heaps):
            for take in range(1, min(heap, self.most) + 1):
                left = ",".join(map(str, heaps[:i] + [heap - take] + heaps[i + 1:]))
                yield f"{i + 1}:{take}", f"{left} {other[text[-1]]}", 0
class LGame:
    def __init__(self):
        self.board = {5 * y + x: square(x, y, 4) for x in range(4) for y in (3, 2, 1, 0)}  # places in the text, by name
        bends = [(a, b) for a in (1, -1, 5, -5) for b in (1, -1, 5, -5) if abs(a) != abs(b)]  # 5 on: one row down
        ls = [{i, i + a, i + 2 * a, i + b} for i in self.board for a, b in bends]  # three in a row, one beside an end
        self.ls = {frozenset(cells) for cells in ls if cells <= self.board.keys()}
    def cells(self, text, mark): return frozenset(i for i in self.board if text[i] == mark)
    def holds(self, text):
        return re.fullmatch("[ABo.]{4}(/[ABo.]{4}){3} [12]", text) and text.count("o") == 2 \
            and {self.cells(text, "A"), self.cells(text, "B")} <= self.ls
    def over(self, text): return None if next(self.moves(text), None) else -MATE
    def moves(self, text):
        mark = "AB"[text[-1] == "2"]
        lifted = text[:-1].replace(mark, ".") + other[text[-1]]
        for place in self.ls - {self.cells(text, mark)}:
            if all(lifted[i] == "." for i in place):
                word = "".join(name for i, name in self.board.items() if i in place)
                put = "".join(mark if i in place else c for i, c in enumerate(lifted))
                yield word, put, 0
                for a, b in [(a, b) for a in self.cells(put, "o") for b in self.cells(put, ".")]:
                    changed = "".join("." if i == a else "o" if i == b else c for i, c in enumerate(put))
                    yield f"{word}:{self.board[a]}{self.board[b]}", changed, 0
class Dots:
    def __init__(self, rows, columns, start="empty", penalty=0):
        self.rows, self.penalty = rows, penalty
        # Where the lines stand in the text: in rows from the top, the lines of odd rows are upright.
        place = lambda row, x: row // 2 * (2 * columns + 3) + row % 2 * (columns + 1) + x
        self.lines = {place(row, x): (row, x) for row in range(2 * rows + 1) for x in range(columns + row % 2)}
        self.boxes = [[place(2 * y, x), place(2 * y + 2, x), place(2 * y + 1, x), place(2 * y + 1, x + 1)]
                      for y in range(rows) for x in range(columns)]
        left_or_low = {i for i, (row, x) in self.lines.items() if row == 2 * rows or (row % 2 and x == 0)}
        border = left_or_low | {i for i, (row, x) in self.lines.items() if row == 0 or (row % 2 and x == columns)}
        drawn = {"empty": set(), "icelandic": left_or_low, "swedish": border}[start]
        self.board = "".join("/" if i not in self.lines else f"[{'' if i in drawn else '.'}{'-|'[self.lines[i][0] % 2]}]"
                             for i in range(max(self.lines) + 1))
    def holds(self, text):
        return re.fullmatch(f"{self.board} (0|-?[1-9][0-9]{{0,8}})-(0|-?[1-9][0-9]{{0,8}}) [12]", text)
    def over(self, text): return None if "." in text else 0
    def moves(self, text):
        board, scores, turn = text.split(" ")
        one, two = map(int, re.fullmatch("(-?[0-9]+)-(-?[0-9]+)", scores).groups())
        for i, (row, x) in self.lines.items():
            if board[i] == ".":
                left = board[:i] + "-|"[row % 2] + board[i + 1:]
                taken = sum(i in box and all(left[j] != "." for j in box) for box in self.boxes)
                gain = taken - (0 if "." in left else self.penalty)
                ends = [(x, row // 2 + 1), (x, row // 2)] if row % 2 else [(x, row // 2), (x + 1, row // 2)]
                scores = [one + (gain if taken and turn == "1" else 0), two + (gain if taken and turn == "2" else 0)]
                yield "".join(square(*dot, self.rows + 1) for dot in ends), \
                    f"{left} {scores[0]}-{scores[1]} {turn if taken else other[turn]}", gain
def game_of(name):
    game, *given = name.split(":")
    size = given.pop(0) if given and given[0][:1].isdigit() else ""
    size = [int(n) for n in size.split("x" if game in ("connect4", "dots") else ",") if size]
    pairs = [s.partition("=") for s in given]
    need(len({key for key, *_ in pairs}) == len(pairs), f"{name}: a key is there twice")
    need(all(sign and (key == "start" or re.fullmatch("-?[0-9]{1,9}", value)) if key in ("max", "start", "penalty")
             else not sign for key, sign, value in pairs), f"{name}: bad parameters")
    need(game != "mnk" or not size or size[2] <= max(size[:2]), f"{name}: longer lines than the board")
    keys = {key: value if key == "start" else int(value or 1) for key, _, value in pairs}
    games = {"tictactoe": lambda **keys: Rows(3, 3, 3, **keys), "mnk": lambda **keys: Rows(*size or (4, 4, 4), **keys),
             "connect4": lambda: Rows(*size or (7, 6), 4, falls=True), "nim": Nim, "lgame": LGame,
             "dots": lambda **keys: Dots(*size or (3, 3), **keys)}
    need(game in games, f"no rules of {name!r} here: expected one of {', '.join(games)}")
    return games[game](**keys)

# ---- Certificates.
def back(value, passed, gain):
    """A child's value before the move: turned over if the turn passed, a ply farther, a margin with the gain."""
    seen = -value if passed else value
    farther = 0 if abs(seen) <= SOME_WIN + 1 else 1 if seen > 0 else -1
    return max(1 - POINTS, min(POINTS - 1, seen + gain)) if abs(seen) < POINTS else seen - farther
def read_value(word):
    found = re.fullmatch(r"(win|loss|draw|win:|loss:|[+-])([0-9]*)", word)
    need(found and bool(found[2]) == (found[1][-1] in ":+-"), f"bad value {word!r}")
    number = int(found[2] or 0)
    need(number < (POINTS if found[1] in "+-" else MATE - SOME_WIN), f"bad value {word!r}")
    return {"win": SOME_WIN, "loss": -SOME_WIN, "draw": 0, "win:": MATE - number, "loss:": number - MATE,
            "+": number, "-": -number}[found[1]]
def show(value, points):
    who = "draw" if value == 0 else "win" if value > 0 else "loss"
    return f"{value:+d}" if points else who if value in (0, SOME_WIN, -SOME_WIN) else f"{who}:{MATE - abs(value)}"
def read_line(line, points):  # a position, and its value, word, rank and part
    position, said, word, *numbers = line.split("\t") if line.count("\t") > 1 else ("", line, "")
    value = read_value(said)
    need((abs(value) < POINTS if points else value == 0 or abs(value) > POINTS) and show(value, points) == said
         and abs(value) not in (SOME_WIN + 1, POINTS - 1), f"{position}: bad value {said}")  # (5)
    ranked = points or abs(value) == SOME_WIN
    need(all(re.fullmatch("0|[1-9][0-9]{0,9}", n) and int(n) < 1 << 32 for n in numbers) and
         ranked <= len(numbers) <= ranked + points, f"bad line {line!r}")
    rank = int(numbers[0]) if ranked else MATE - abs(value) if value else 0
    return position, (value, word, rank, int(numbers[1]) if len(numbers) == 2 else None)
def check_position(game, points, side, listed, position):  # how many moves there were
    def must(condition, why): need(condition, f"{position}: {why}")
    value, word, rank, part = listed[position]
    must(game.holds(position), "it is no position, or written otherwise")  # (1)
    must(game.over(position) is None, "the game is over there")
    must((word == "*") != (position[-1] == side), "one move must stand where the strategy moves, and * elsewhere")  # (2)
    moves = [move for move in game.moves(position) if word in ("*", move[0])]
    must(moves, f"no move {word!r}")  # (3)
    seen, ranks, wins = [], [], False
    for name, child, gain in moves:
        ends = None if child in listed else game.over(child)
        must(ends is not None or child in listed, f"after {name} comes {child}, which is not listed")  # (3)
        child_value, _, child_rank, child_part = listed[child] if ends is None else (ends, "", 0, -1)
        worth = back(child_value, child[-1] != position[-1], gain)
        nearer = child_rank < rank
        if part is not None:  # (7)
            must(child_part <= part, f"after {name} comes a higher part")
            must(child_part < part or gain == 0, f"{name} gains points and stays in its part")
            nearer = nearer or child_part < part
        every = worth == value < 0 if part is not None else points or value == -SOME_WIN
        must(nearer or not every, f"after {name} the end is not nearer")  # (6), (7)
        wins |= nearer and (worth == value if part is not None else worth > 0)
        seen, ranks = seen + [worth], ranks + [child_rank]
    best = max(seen)  # (4)
    must(wins if value == SOME_WIN else best < 0 if value == -SOME_WIN else best == value,
         f"listed as {show(value, points)}, its moves make it {show(best, points)}")
    must(SOME_WIN not in seen or value == SOME_WIN, "a move wins without a distance: it may be nearer")  # (5)
    must(part is None or value <= 0 or wins, "no move that is worth as much comes nearer")  # (7)
    must(part is not None or not points or max(ranks) + 1 == rank, "another number of plies to the end")  # (6)
    return len(moves)
def counted(count, noun): return f"{count:,} {noun}{'s' * (count != 1)}"
def check_section(text):
    text = text.replace("\r\n", "\n")
    header = re.match("grundy-certificate 1\ngame (.*)\nkind (table|strategy ([12]))\n"
                      "start (.*)\nvalue (.*)\npositions (0|[1-9][0-9]*)\n", text)
    need(header, "expected a game, kind, start, value and number of positions")
    name, _, side, start, said, count = header.groups()
    value, game, points, lines = read_value(said), game_of(name), name.startswith("dots"), text[header.end():].split("\n")[:-1]
    need(show(value, points) == said, f"bad value {said!r}")
    listed = dict(read_line(line, points) for line in lines)
    need(len(listed) == len(lines) == int(count), "other positions than it says, or one twice")  # (1)
    need(len({entry[3] is None for entry in listed.values()}) < 2, "a part stands on some lines only")  # (7)
    moves = sum(check_position(game, points, side, listed, position) for position in listed)
    need(game.holds(start) and (listed[start][0] if start in listed else game.over(start)) == value,
         f"{start}: not listed, or worth another value")
    shown, turn = show(value, points), start[-1]
    sure = f"player {side} gets at least this against any play: {shown} as seen by" if side else f"the value is {shown} for"
    print(f"{name}: proved by the rules alone, {counted(len(listed), 'position')}, {counted(moves, 'move')}")
    print(f"  {start}: {sure} player {turn}, who is to move")
    return name, start, side, shown
def check(text):
    sections = re.findall(r"(.*?\n)checksum [0-9a-f]{32}\n", text, re.S)
    need(sections and len("".join(sections)) + 42 * len(sections) == len(text), "expected sections that end with a checksum")
    proved = [check_section(section) for section in sections]
    for name, start, side, shown in proved:
        if side == "1" and (name, start, "2", shown) in proved:
            print(f"{name}: value proved: {shown} for player {start[-1]}, who is to move")
if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(print(__doc__, file=sys.stderr) or 2)
    try:
        check(open(sys.argv[1], encoding="utf-8", newline="").read())
    except (OSError, ValueError, TypeError, KeyError) as why:
        sys.exit(f"check.py: refused: {why}")
