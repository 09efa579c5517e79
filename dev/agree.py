#!/usr/bin/env python3
"""Asks several commands for the values of the same positions of every game, and reports answers that contradict each other.

For each game some positions are reached by random play. The engine's queries, `analyze`, `solve`, `tree`, `review`, `grundy
mcp` and, if there is a `grundy-board` beside the engine, the board are asked for the legal moves, the value and the value of
each move. A value that is not proved, or a bound, contradicts nothing that it leaves open. `puzzles` must show positions that
the queries confirm: the move is the only one that keeps the value.

Usage: dev/agree.py [--engine target/release/grundy] [--seconds S] [--positions N] [--seed N] [GAME ..]
Exit code 0: nothing was contradicted; 1: something was.
"""
import json
import pathlib
import random
import re
import subprocess
import tempfile
import urllib.error
import urllib.parse
import urllib.request

import engine as engines

ROOT = pathlib.Path(__file__).resolve().parent.parent
# A move and its value, which may be a bound.
LISTED = re.compile(r"(.+?)=((?:[<>]=)?[^=]+)$")
# Larger than any distance in plies and any number of points.
MOST = 1_000_000


def small_games(engine, seconds):
    """Returns the games of the atlas that are solved within `seconds`, and the defaults of all others."""
    told = subprocess.run([engine, "atlas", "--json"], capture_output=True, text=True, check=True).stdout
    atlas = [json.loads(line) for line in told.splitlines()]
    timed = [row for row in atlas if row["status"] == "solved" and row["seconds"] is not None]
    cheap = {row["name"] for row in timed if row["seconds"] <= seconds}
    table = subprocess.run([engine, "games", "--markdown"], capture_output=True, text=True, check=True).stdout
    games = re.findall(r"^\| `([^`]+)`", table, re.M)
    return sorted({*cheap, *games, *(f"rules:{path.stem}" for path in (ROOT / "rules").glob("*.rbg"))})


def bounds(value):
    """Returns the least and the greatest that a value of the engine can stand for: points, or a win the greater the sooner."""
    if value is None or value in ("?", "unknown"):
        return -MOST, MOST
    if value.startswith((">=", "<=")):
        low, high = bounds(value[2:])
        return (low, MOST) if value[0] == ">" else (-MOST, high)
    word, _, plies = value.partition(":")
    if word == "draw":
        return 0, 0
    if word in ("win", "loss"):
        low, high = (MOST - int(plies),) * 2 if plies else (MOST // 2, MOST)
        return (low, high) if word == "win" else (-high, -low)
    return int(value), int(value)


def before(value, turned):
    """Returns what a value means a ply earlier, for the other player if the turn has passed."""
    if value.startswith((">=", "<=")):
        sign = value[:2].translate(str.maketrans("<>", "><")) if turned else value[:2]
        return sign + before(value[2:], turned)
    word, colon, plies = value.partition(":")
    if turned:
        word = {"win": "loss", "loss": "win"}.get(word, word)
    return word + (f":{int(plies) + 1}" if colon else "")


class Answers:
    """What each command said of one position."""

    def __init__(self, name):
        self.name, self.said, self.moves, self.faults = name, {}, {}, []

    def add(self, source, subject, value):
        """Notes a value, of the position (`None`) or of a move; reports a contradiction with what was said before."""
        low, high = bounds(value)
        for other, theirs in self.said.setdefault(subject, {}).items():
            least, greatest = bounds(theirs)
            if low > greatest or high < least:
                self.faults.append(f"{subject or 'value'}: {source} says {value}, {other} says {theirs}")
        self.said[subject][source] = value

    def add_moves(self, source, values, complete):
        """Notes the values of moves; reports a move that other commands do not have."""
        for move, value in values.items():
            self.add(source, move, value)
        for other, (theirs, whole) in self.moves.items():
            if (complete and set(theirs) - set(values)) or (whole and set(values) - set(theirs)):
                self.faults.append(f"moves: {source} has {' '.join(sorted(values))}, {other} {' '.join(sorted(theirs))}")
        self.moves[source] = list(values), complete


class Asker:
    def __init__(self, engine, seconds, tables):
        self.engine, self.seconds, self.tables = engine, seconds, tables
        self.board, self.running = None, []
        self.tools = self.start([engine, "mcp"])
        self.call("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "agree", "version": "1"})
        board = pathlib.Path(engine).with_name("grundy-board")
        if board.is_file():
            board = self.start([board, "--port", "0", "--tables", tables])
            self.board = board.stdout.readline().strip()

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        for process in self.running:
            process.kill()
            process.wait()

    def start(self, command):
        """Starts a program that runs until the end."""
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            env={"GRUNDY_TABLES": self.tables},
        )
        self.running.append(process)
        return process

    def run(self, *words, expect=(0,)):
        """Runs a command of the engine; returns its output, or raises `ValueError` with its error."""
        done = subprocess.run(
            [self.engine, *words], capture_output=True, text=True, timeout=30 + 20 * self.seconds,
            env={"GRUNDY_TABLES": self.tables},
        )
        if done.returncode not in expect:
            raise ValueError(f"exit code {done.returncode}: {done.stderr.strip()[-300:]}")
        return done.stdout

    def queries(self, answers, session):
        value, values, legal = session.ask("value", "values", "legalmoves")
        answers.add("query", None, value)
        if legal != "none" and not legal.endswith(".."):
            answers.add_moves("query legalmoves", dict.fromkeys(legal.split()), True)
        listed = dict(found.groups() for word in values.split() if (found := LISTED.match(word)))
        answers.add_moves("query values", listed, False)

    def document(self, answers, source, found):
        """Notes the object in which a command answers."""
        answers.add(source, None, found["value"])
        moves = {of["move"]: of["value"] for of in found.get("moves", [])}
        if moves:
            answers.add_moves(source, moves, bool(found.get("complete", False)) and not found.get("more_moves"))

    def analyze(self, answers, game, fen):
        text = self.run("analyze", "--game", game, "--position", fen, "--seconds", str(self.seconds), "--json")
        self.document(answers, "analyze", json.loads(text))

    def solve(self, answers, game, fen):
        text = self.run("solve", "--game", game, "--position", fen, "--seconds", str(self.seconds), "--json", "--quiet")
        self.document(answers, "solve", json.loads(text))

    def tree(self, answers, session, game, fen):
        """Compares the tree of depth 1; the values of its children are those of the positions after the moves."""
        words = ["tree", "--game", game, "--position", fen, "--depth", "1", "--seconds", str(self.seconds)]
        first, *rest = self.run(*words).splitlines()
        answers.add("tree", None, first.rsplit("\t", 1)[1])
        turn, children = session.ask("p1turn")[0], {}
        for line in rest:
            left, tab, value = line.rpartition("\t")
            if not tab:
                continue
            move, child = left.lstrip(" *").split("  ", 1)
            session.say(f"position fen {child}")
            known, over, to_move = session.ask("value", "gameover", "p1turn")
            children[move] = "?"
            below = Answers(child)
            below.add("query", None, known)
            if over != "true":
                below.add("tree", None, value)
            answers.faults += [f"after {move}: {fault}" for fault in below.faults]
            if value[-1].isdigit() and ":" not in value or over == "true":
                continue
            children[move] = before(value, turn != to_move)
        answers.add_moves("tree", children, False)

    def review(self, seen, game, moves):
        """Compares the review of a line of play with what was said of its positions."""
        if not moves:
            return
        text = self.run("review", "--game", game, "--seconds", str(self.seconds), "--json", " ".join(moves), expect=(0, 1))
        for move in json.loads(text)["moves"]:
            if answers := seen.get(move["position"]):
                answers.add("review", None, move["value"])
                answers.add("review", move["move"], move["after"])

    def puzzles(self, seen, session, game, seed):
        """Compares puzzles with the queries: the move is the only one that keeps the value."""
        for line in self.run("puzzles", game, "--count", "2", "--json", "--seed", str(seed)).splitlines():
            puzzle = json.loads(line)
            answers = seen[puzzle["position"]] = Answers(puzzle["position"])
            session.say(f"position fen {puzzle['position']}")
            answers.add("puzzles", None, puzzle["value"])
            answers.add("puzzles", puzzle["only"], puzzle["value"])
            self.queries(answers, session)
            for move, said in answers.said.items():
                low, high = bounds(said.get("query values"))
                if move not in (None, puzzle["only"]) and low == high and low >= bounds(puzzle["value"])[0]:
                    answers.faults.append(f"puzzles: {move} keeps the value, too")

    def mcp(self, answers, game, fen):
        found = self.call("tools/call", name="values", arguments={"game": game, "position": fen, "seconds": self.seconds})
        if found.get("isError"):
            raise ValueError(found["content"][0]["text"])
        self.document(answers, "mcp", found["structuredContent"])

    def call(self, method, **parameters):
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}
        self.tools.stdin.write(json.dumps(request) + "\n")
        self.tools.stdin.flush()
        return json.loads(self.tools.stdout.readline())["result"]

    def page(self, answers, game, fen):
        found = self.fetch(f"/api/{urllib.parse.quote(game, safe='')}/position", fen=fen, ms=int(1000 * self.seconds))
        self.document(answers, "board", found)

    def fetch(self, path, **parameters):
        address = f"{self.board}{path}?{urllib.parse.urlencode(parameters)}"
        try:
            with urllib.request.urlopen(address, timeout=60) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise ValueError(f"{error.code}: {error.read(300).decode()}") from None


def play(session, choices, plies):
    """Plays random moves from the start; returns them."""
    moves = []
    for _ in range(plies):
        session.position(moves)
        legal, over = session.ask("legalmoves", "gameover")
        legal = [move for move in legal.split() if move not in ("none", "..")]
        if over == "true" or not legal:
            break
        moves.append(choices.choice(legal))
    return moves


def check_game(asker, game, options, choices):
    """Compares the commands about a game; returns the number of positions and what was contradicted."""
    session = engines.Engine(asker.engine, game)
    faults, seen = [], {}
    for at in range(options.positions):
        moves = play(session, choices, choices.randint(0, 8) if at else 0)
        session.position(moves)
        fen, over = session.ask("fen", "gameover")
        if over == "true" or fen in seen:
            continue
        answers = seen[fen] = Answers(fen)
        asker.queries(answers, session)
        questions = [
            lambda: asker.analyze(answers, game, fen),
            lambda: asker.solve(answers, game, fen),
            lambda: asker.tree(answers, session, game, fen),
            lambda: asker.review(seen, game, moves),
            lambda: asker.mcp(answers, game, fen),
        ]
        for question in questions + ([lambda: asker.page(answers, game, fen)] if asker.board else []):
            try:
                question()
            except (ValueError, KeyError, IndexError, OSError, subprocess.TimeoutExpired) as error:
                answers.faults.append(f"no answer: {error!r}")
    try:
        asker.puzzles(seen, session, game, options.seed)
    except subprocess.TimeoutExpired:
        # It builds the game's table first, or solves what random play comes to.
        pass
    except (ValueError, KeyError) as error:
        if "no position with an only move" not in str(error):
            faults.append(f"{game}: puzzles: {error}")
    session.close()
    for answers in seen.values():
        faults += [f"{game} {answers.name}: {fault}" for fault in answers.faults]
    return len(seen), faults


def main():
    parser = engines.base_line(__doc__)
    parser.add_argument("--seconds", type=float, default=1.0, help="of every command that searches")
    parser.add_argument("--positions", type=int, default=2, help="of each game")
    parser.add_argument("games", nargs="*", metavar="GAME")
    options = parser.parse_args()
    names = options.games or small_games(options.engine, 2.0)
    count, faults = 0, []
    with tempfile.TemporaryDirectory() as tables, Asker(options.engine, options.seconds, tables) as asker:
        for game in names:
            found, wrong = check_game(asker, game, options, random.Random(f"{options.seed} {game}"))
            count += found
            faults += wrong
            print(f"{game}: {found} positions" + "".join(f"\n  {fault}" for fault in wrong), flush=True)
    print(f"{count} positions of {len(names)} games, {len(faults)} contradictions")
    raise SystemExit(1 if faults else 0)


if __name__ == "__main__":
    main()
