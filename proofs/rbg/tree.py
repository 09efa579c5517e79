"""Prints rules files as trees that Coq reads: `python3 tree.py FILE.rbg .. > Library.v`.

It expands macros, gives names their numbers, and works out which cell each direction of the board leads to. Nothing is
said here of what the rules mean: that is Rbg.v. To trust a game of the library is to trust these lines to read the
file as docs/rules.md says, or to read the tree they print."""
import hashlib
import os
import re
import sys

TOKEN = re.compile(r"\s+|//[^\n]*|/\*.*?\*/|[A-Za-z][A-Za-z0-9]*|[0-9]+"
                   r"|->>|->|\{\?|\{!|\{\$|\[\$|==|!=|<=|>=|[()\[\]{}~#\-+^/*.,;:=<>!?$]", re.S)
PASTED = "\0"  # ends a name that was pasted together, which is no macro call
SECTIONS = ["players", "pieces", "variables", "board", "rules"]


def tokens_of(text):
    at, found = 0, []
    while at < len(text):
        match = TOKEN.match(text, at)
        assert match, f"no token at byte {at}"
        word, at = match.group(), match.end()
        if not word.isspace() and not word.startswith(("//", "/*")):
            found.append(word)
    return found


def is_name(token):
    return token[0].isalpha()


class Macros:
    """Macros in the order of their definitions; each sees those before it only."""

    def __init__(self):
        self.all = []  # (name, parameters or None, body)

    def expand(self, tokens, visible):
        made, at = [], 0
        while at < len(tokens):
            token = tokens[at]
            at += 1
            fitting = [n for n in range(visible) if self.all[n][0] == token]
            if not fitting:
                made.append(token)
                continue
            chosen, arguments = fitting[0], []
            if self.all[chosen][1] is not None:
                if at == len(tokens) or tokens[at] != "(":
                    made.append(token)
                    continue
                arguments, at = split_arguments(tokens, at)
                chosen = next(n for n in fitting if len(self.all[n][1]) == len(arguments))
            given = [self.expand(argument, visible) for argument in arguments]
            made += self.expand(self.substitute(chosen, given), chosen)
        return made

    def substitute(self, chosen, given):
        _, parameters, body = self.all[chosen]
        values, made, joining = dict(zip(parameters or [], given)), [], False
        for token in body:
            if token == "~":
                joining = True
                continue
            new = list(values.get(token, [token]))
            if joining and made and new:
                joined = made.pop().rstrip(PASTED) + new.pop(0).rstrip(PASTED)
                made.append(joined + PASTED if is_name(joined) else joined)
            joining = False
            made += new
        return made


def split_arguments(tokens, opening):
    depth, arguments, now = 0, [], []
    for at in range(opening, len(tokens)):
        token = tokens[at]
        depth += (token == "(") - (token == ")")
        if depth == 0:
            return arguments + [now], at + 1
        if depth == 1 and token == ";":
            arguments.append(now)
            now = []
        elif at > opening:
            now.append(token)
    raise SyntaxError("a macro call without an end")


def sections_of(text):
    tokens, macros, sections, at = tokens_of(text), Macros(), {}, 0
    while at < len(tokens):
        assert tokens[at] == "#"
        end = tokens.index("#", at + 1) if "#" in tokens[at + 1:] else len(tokens)
        name, rest = tokens[at + 1], tokens[at + 2:end]
        parameters = None
        if rest[0] == "(":
            lists, after = split_arguments(rest, 0)
            parameters, rest = [one for (one,) in lists], rest[after:]
        assert rest[0] == "="
        if name in SECTIONS:
            sections[name] = [t.rstrip(PASTED) for t in macros.expand(rest[1:], len(macros.all))]
        elif all(m[0] != name or len(m[1]) != len(parameters) for m in macros.all):
            macros.all.append((name, parameters, rest[1:]))
        at = end
    return sections


class Reader:
    """Reads the tokens of one section."""

    def __init__(self, tokens):
        self.tokens, self.at = tokens, 0

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, expected=None):
        token = self.peek()
        assert token and expected in (None, token), f"found {token!r}, expected {expected!r}"
        self.at += 1
        return token

    def takes(self, token):
        found = self.peek() == token
        self.at += found
        return found


def bounded(tokens):
    reader, found = Reader(tokens), []
    while reader.peek():
        name = reader.take()
        reader.take("(")
        found.append((name, int(reader.take())))
        reader.take(")")
        reader.takes(",")
    return found


def row(reader, pieces):
    """`[a, b, , c]`, None for a hole."""
    reader.take("[")
    cells = []
    while True:
        cells.append(None if reader.peek() in (",", "]") else pieces.index(reader.take()))
        if not reader.takes(","):
            reader.take("]")
            return cells


class Board:
    """Cells with their pieces, names and rows, and where each direction leads."""

    def __init__(self, reader, pieces):
        self.start, self.labels, self.edges, self.names, self.rows = [], [], {}, [], []
        shape = reader.peek()
        if shape in ("rectangle", "hexagon", "cuboid"):
            reader.take()
            reader.take("(")
            for _ in range(4 if shape == "rectangle" else 6):
                self.labels.append(reader.take())
                reader.take(",")
            layers = []
            while reader.peek() == "[":
                if shape == "cuboid":
                    reader.take("[")
                layer = [row(reader, pieces)]
                while reader.peek() == "[":
                    layer.append(row(reader, pieces))
                if shape == "cuboid":
                    reader.take("]")
                layers.append(self.place(layer))
            reader.take(")")
            self.join(shape, layers)
            self.name(layers)
        else:
            self.graph(reader, pieces)

    def place(self, layer):
        placed = []
        for cells in layer:
            placed.append([])
            for piece in cells:
                placed[-1].append(None if piece is None else len(self.start))
                if piece is not None:
                    self.start.append(piece)
        self.rows += placed
        return placed

    def edge(self, there, back, a, b):
        if a is not None and b is not None:
            self.edges[self.labels[there], a] = b
            self.edges[self.labels[back], b] = a

    def join(self, shape, layers):
        for layer in layers:
            for y, cells in enumerate(layer):
                above = layer[y - 1] if y else []
                for x, cell in enumerate(cells):
                    left = cells[x - 1] if x else None
                    at = lambda i: above[i] if 0 <= i < len(above) else None
                    if shape == "hexagon":
                        shift = 0 if len(cells) < len(above) else -1
                        self.edge(5, 2, cell, left)
                        self.edge(0, 3, cell, at(x + shift))
                        self.edge(1, 4, cell, at(x + shift + 1))
                    else:
                        self.edge(2, 3, cell, left)
                        self.edge(0, 1, cell, at(x))
        for layer, front in zip(layers, layers[1:]):
            for cells, others in zip(layer, front):
                for cell, other in zip(cells, others):
                    self.edge(4, 5, cell, other)

    def name(self, layers):
        self.names = [""] * len(self.start)
        for number, layer in enumerate(layers):
            for y, cells in enumerate(layer):
                for x, cell in enumerate(cells):
                    if cell is not None:
                        letters = chr(97 + x) if x < 26 else chr(96 + x // 26) + chr(97 + x % 26)
                        mark = f"^{number + 1}" if len(layers) > 1 else ""
                        self.names[cell] = f"{letters}{len(layer) - y}{mark}"

    def graph(self, reader, pieces):
        targets = {}
        while reader.peek():
            self.names.append(reader.take())
            reader.take("[")
            self.start.append(pieces.index(reader.take()))
            reader.take("]")
            reader.take("{")
            while True:
                label = reader.take()
                if label not in self.labels:
                    self.labels.append(label)
                reader.take(":")
                targets[label, len(self.names) - 1] = reader.take()
                if not reader.takes(","):
                    break
            reader.take("}")
        self.edges = {edge: self.names.index(to) for edge, to in targets.items()}
        self.rows = [list(range(len(self.names)))]


class Rules:
    """The tree of the rules, printed as a term of Coq."""

    def __init__(self, reader, board, players, pieces, variables):
        self.reader, self.board, self.players = reader, board, players
        self.pieces, self.variables = pieces, variables

    def choice(self):
        parts = [self.sequence()]
        while self.reader.takes("+"):
            parts.append(self.sequence())
        return fold("Either", parts)

    def sequence(self):
        parts = []
        while (part := self.element()) is not None:
            parts.append(part)
        assert parts, f"no action at {self.reader.peek()!r}"
        return fold("Then", parts)

    def element(self):
        r, token = self.reader, self.reader.peek()
        if token in self.board.labels:
            r.take()
            return self.suffix(f"(Shift {self.board.labels.index(token)})")
        if token == "(":
            r.take()
            inside = self.choice()
            r.take(")")
            return self.suffix(inside)
        if token in ("{", "["):
            r.take()
            close, found = {"{": "}", "[": "]"}[token], []
            while not r.takes(close):
                found.append(self.pieces.index(r.take()))
                r.takes(",")
            if token == "{":
                return "(On [" + "; ".join(map(str, found)) + "])"
            return fold("Either", [f"(Off {piece})" for piece in found])
        if token == "[$":
            r.take()
            found = []
            while True:
                variable = self.variables.index(r.take())
                r.take("=")
                found.append(f"(Assign {variable} {self.sum(0)})")
                if not r.takes(","):
                    r.take("]")
                    return fold("Then", found)
        if token == "{$":
            r.take()
            left, sign = self.sum(0), None
            sign = {"==": "Equal", "!=": "Unequal", "<": "Less", "<=": "AtMost", ">": "Greater",
                    ">=": "AtLeast"}[r.take()]
            right = self.sum(0)
            r.take("}")
            return f"(Compare {left} {sign} {right})"
        if token in ("{?", "{!"):
            r.take()
            inside = self.choice()
            r.take("}")
            return f"(Check {'true' if token == '{?' else 'false'} {inside})"
        if token == "->>":
            r.take()
            return "(Switch None)"
        if token == "->":
            r.take()
            return f"(Switch (Some {['One', 'Two'][self.players.index(r.take())]}))"
        if token == ".":
            r.take()
            return "Nothing"
        return None

    def suffix(self, part):
        if self.reader.takes("*"):
            return f"(Star {part})"
        if self.reader.takes("^"):
            return f"(Power {part} {int(self.reader.take())}%nat)"
        return part

    def sum(self, level):
        """Binds from the loosest: + - * /."""
        if level == 4:
            token = self.reader.take()
            if token == "(":
                inside = self.sum(0)
                self.reader.take(")")
                return inside
            if token.isdigit():
                return f"(Num {token}%Z)"
            return f"(Var {self.variables.index(token)})" if token in self.variables else \
                f"(Pieces {self.pieces.index(token)})"
        left = self.sum(level + 1)
        while self.reader.takes("+-*/"[level]):
            left = f"({['Add', 'Sub', 'Mul', 'Div'][level]} {left} {self.sum(level + 1)})"
        return left


def fold(name, parts):
    return parts[0] if len(parts) == 1 else f"({name} {parts[0]}\n {fold(name, parts[1:])})"


def letters_of(pieces, declared):
    """As declared, `.` for one called empty, else a letter of its name."""
    found = []
    for piece in pieces:
        own = [c for c in piece if c.isalpha()]
        choices = (["."] if piece in ("e", "empty") else []) + own + [c.swapcase() for c in own]
        choices += "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ!$%&()*+:;<>?[]^{|}~"
        taken = list(declared.values()) + [c for c, p in zip(found, pieces) if p not in declared]
        found.append(declared.get(piece) or next(c for c in choices if c not in taken))
    return found


def listed(parts):
    return "[" + "; ".join(parts) + "]"


def optional(numbers):
    return listed(["None" if n is None else f"Some {n}" for n in numbers])


def program(text):
    sections = sections_of(text)
    players = bounded(sections["players"])
    variables = players + bounded(sections["variables"])
    pieces = [token for token in sections["pieces"] if token != ","]
    assert len(players) == 2, "expected two players"
    board = Board(Reader(sections["board"]), pieces)
    reader = Reader(sections["rules"])
    rules = Rules(reader, board, [name for name, _ in players], pieces, [name for name, _ in variables])
    body = rules.choice()
    assert not reader.peek(), f"unexpected {reader.peek()!r} in the rules"
    remarks = dict(line.split(None, 1) for line in re.findall(r"//@\s*(\S+\s+[^\n]*)", text))
    declared = dict(word.split("=", 1) for word in remarks.get("letters", "").split())
    naming = {"all": "All", "from-to": "FromTo", "to": "To"}[remarks.get("move", "all").strip()]
    cells = range(len(board.start))
    edges = [optional([board.edges.get((label, cell)) for cell in cells]) for label in board.labels]
    points = "true" if remarks.get("value", "").strip() == "score" else "false"
    return f"""{{|
  first_board := {listed(map(str, board.start))};
  edges := {listed(edges)};
  bounds := {listed(str(most) for _, most in variables)};
  body := {body};
  counts_points := {points};
  letters := {listed('"' + c.replace('"', '""') + '"%char' for c in letters_of(pieces, declared))};
  squares := {listed(f'str "{name}"' for name in board.names)};
  layout := {listed(map(optional, board.rows))};
  names_by := {naming} |}}"""


def digest(text):
    """What certificates name the file by: the SHA-256 of its canonical text (docs/certificates.md)."""
    sections = sections_of(text)
    said = "rules\n" + "".join(" ".join([name] + sections[name]) + "\n" for name in SECTIONS)
    remarks = [line.split() for line in re.findall(r"//@([^\n]*)", text)]
    lines = ["//@ " + " ".join(words) + "\n" for words in remarks
             if words and words[0] in ("letters", "move", "repeat", "value")]
    return hashlib.sha256((said + "".join(sorted(lines))).encode()).hexdigest()


def main():
    print("(** Written by tree.py from the rules files: do not edit. *)\n")
    print("From Coq Require Import List NArith ZArith Ascii String.\nFrom Grundy Require Import Game.")
    print("From GrundyGames Require Import Grid.\nFrom GrundyRbg Require Import Rbg.")
    print("Import ListNotations.\nOpen Scope N_scope.\n")
    names, digests = [], []
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        name = os.path.basename(path).removesuffix(".rbg")
        names.append(name)
        digests.append(f'  ("{name}"%string, "{digest(text)}"%string)')
        print(f"Definition {name.replace('-', '_')} : program := {program(text)}.\n")
    print("Definition library : list (string * program) := [")
    print(";\n".join(f'  ("{name}"%string, {name.replace("-", "_")})' for name in names) + "].")
    print("\n(** What certificates name each file by. *)")
    print("Definition digests : list (string * string) := [")
    print(";\n".join(digests) + "].")


main()
