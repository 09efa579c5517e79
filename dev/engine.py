"""Shared by the scripts of this folder: an engine that answers queries, and the command line of those that compare rules."""
import argparse
import random
import subprocess
import sys


class Engine:
    def __init__(self, command, game):
        self.process = subprocess.Popen(
            [command, "--game", game], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.say("ugi")
        while self.hear() != "ugiok":
            pass

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def hear(self):
        line = self.process.stdout.readline()
        if not line:
            sys.exit("the engine has gone")
        return line.rstrip("\n")

    def position(self, moves):
        """Sets up the position after these moves from the start."""
        self.say("position startpos" + (" moves " + " ".join(moves) if moves else ""))

    def ask(self, *queries):
        """The answers to some queries, without their first word."""
        self.say("\n".join("query " + query for query in queries))
        return [self.answer() for _ in queries]

    def answer(self):
        while not (line := self.hear()).startswith("response "):
            pass
        return line.removeprefix("response ")

    def go(self, movetime):
        """The move found in `movetime` milliseconds, and the `info` lines about it."""
        self.say(f"go movetime {movetime}")
        return self.best()

    def best(self):
        """The move that a search ends with, and the `info` lines about it."""
        infos = []
        while not (line := self.hear()).startswith("bestmove"):
            if line.startswith("info"):
                infos.append(line)
        return line.split()[1], infos

    def proved(self, movetime):
        """The value that a search of at most `movetime` milliseconds proves for the player to move, or `None`."""
        return value_said(self.go(movetime)[1])

    def close(self):
        self.say("quit")
        self.process.wait(timeout=10)


def value_said(infos):
    """The last exact value in `info` lines, or `None`."""
    said = [line.split(" value ")[1].split()[0] for line in infos if " value " in line]
    return said[-1] if said else None


def quantile(sorted_times, share):
    """The quantile of a list of times."""
    return sorted_times[min(len(sorted_times) - 1, int(len(sorted_times) * share))]


def legal_moves(answer):
    """The moves of an answer to `query legalmoves`."""
    return set() if answer == "none" else set(answer.split())


def differ(name, moves, ours, theirs):
    """Prints the answers of the engine and of the other side after these moves; always false."""
    print(f"{name}: after {' '.join(moves) or 'the start'}\n  grundy: {ours}\n  theirs: {theirs}")
    return False


def base_line(about):
    """The options of every script: the engine and the seed."""
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    parser.add_argument("--engine", default="target/release/grundy")
    parser.add_argument("--seed", type=int, default=1)
    return parser


def command_line(about, games):
    """The options of scripts that play: by default `games` games of each, and names."""
    parser = base_line(about)
    parser.add_argument("--games", type=int, default=games)
    parser.add_argument("names", nargs="*", help="games of the list; all without any")
    return parser


def begin(parser):
    """The parsed command line; seeds the random generator."""
    options = parser.parse_args()
    random.seed(options.seed)
    return options


def compare_all(about, games, compare):
    """Runs `compare(engine, name, games)` for the games that the command line names; exits with 0 if all agree."""
    options = begin(command_line(about, 1000))
    right = True
    for name in options.names or games:
        engine = Engine(options.engine, name)
        right = compare(engine, name, options.games) and right
        engine.close()
    sys.exit(0 if right else 1)
