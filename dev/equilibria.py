"""Compares grundy equilibrium with pygambit (exact) and OpenSpiel (floating point) on the same games.

    python3 -m venv venv && venv/bin/pip install pygambit open_spiel
    venv/bin/python dev/equilibria.py target/release/grundy            correctness
    venv/bin/python dev/equilibria.py target/release/grundy --speed    times of both on the same games
"""

import json
import random
import resource
import subprocess
import sys
from fractions import Fraction

import pygambit


def grundy(arguments, text=""):
    began = cpu(resource.RUSAGE_CHILDREN)
    done = subprocess.run([ENGINE, "equilibrium", "--json", *arguments], input=text, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"grundy equilibrium {arguments}: {done.stderr}")
    return json.loads(done.stdout), cpu(resource.RUSAGE_CHILDREN) - began


def cpu(whose):
    """CPU seconds, which other work on the machine hardly changes."""
    used = resource.getrusage(whose)
    return used.ru_utime + used.ru_stime


def table(rows):
    return "\n".join(" ".join(map(str, row)) for row in rows) + "\n"


def matrix(numbers, height, width, spread):
    return [[numbers.randint(-spread, spread) for _ in range(width)] for _ in range(height)]


def gambit(row, column):
    return pygambit.Game.from_arrays([[Fraction(x) for x in r] for r in row], [[Fraction(x) for x in r] for r in column])


def mixtures(game, solution):
    """The equilibria that Gambit found, as pairs of tuples of fractions."""
    players = list(game.players)
    return {
        tuple(tuple(Fraction(str(profile[s])) for s in player.strategies) for player in players)
        for profile in solution.equilibria
    }


def correctness():
    numbers = random.Random(22)
    for n in range(200):
        row = matrix(numbers, numbers.randint(1, 6), numbers.randint(1, 6), 9)
        game = gambit(row, [[-x for x in r] for r in row])
        ours, _ = grundy([], table(row))
        profile = pygambit.nash.lp_solve(game, rational=True).equilibria[0]
        theirs = Fraction(str(profile.payoff(list(game.players)[0])))
        assert Fraction(ours["value"]) == theirs, (row, ours, theirs)
    print("200 random matrix games: the value of pygambit's lp_solve")
    for n in range(200):
        height, width = numbers.randint(1, 5), numbers.randint(1, 5)
        row, column = matrix(numbers, height, width, 9), matrix(numbers, height, width, 9)
        game = gambit(row, column)
        ours, _ = grundy(["--all"], table(row) + "\n" + table(column))
        ours = {(tuple(map(Fraction, e["row"])), tuple(map(Fraction, e["column"]))) for e in ours["equilibria"]}
        theirs = mixtures(game, pygambit.nash.enummixed_solve(game, rational=True))
        assert ours == theirs, (row, column, ours, theirs)
    print("200 random bimatrix games: the extreme equilibria of pygambit's enummixed_solve")
    for name in ("kuhn", "kuhn:4", "stripped-down-poker", "goofspiel:2", "liars-dice:2"):
        efg = subprocess.run([ENGINE, "equilibrium", "--example", name, "--efg"], capture_output=True, text=True).stdout
        with open("/tmp/grundy-example.efg", "w") as file:
            file.write(efg)
        game = pygambit.read_efg("/tmp/grundy-example.efg")
        profile = pygambit.nash.lp_solve(game, rational=True, use_strategic=False).equilibria[0]
        theirs = Fraction(str(profile.payoff(list(game.players)[0])))
        ours, _ = grundy(["--example", name])
        assert Fraction(ours["value"]) == theirs, (name, ours["value"], theirs)
        print(f"{name}: {theirs} by pygambit's lp_solve too")
    openspiel()


def openspiel():
    import pyspiel
    from open_spiel.python.algorithms import cfr, exploitability

    games = [
        ("kuhn", "kuhn_poker", 500),
        ("leduc", "leduc_poker", 200),
        ("liars-dice:3", "liars_dice(numdice=1,dice_sides=3)", 500),
        ("goofspiel-descending:3", "goofspiel(num_cards=3,points_order=descending,returns_type=point_difference)", 200),
    ]
    for name, theirs, rounds in games:
        game = pyspiel.load_game(theirs)
        if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
            game = pyspiel.convert_to_turn_based(game)
        solver = pyspiel.CFRPlusSolver(game)
        for _ in range(rounds):
            solver.evaluate_and_update_policy()
        policy = solver.average_policy()
        value = pyspiel.expected_returns(game.new_initial_state(), policy, -1, True)[0]
        gap = 2 * pyspiel.exploitability(game, policy)
        ours, _ = grundy(["--example", name])
        exact = float(Fraction(ours["value"]))
        assert abs(exact - value) <= gap + 1e-9, (name, exact, value, gap)
        print(f"{name}: {ours['value']} = {exact:.9f}; OpenSpiel's CFR+ {value:.9f}, wrong by at most {gap:.9f}")


def timed(what):
    began = cpu(resource.RUSAGE_SELF)
    what()
    return cpu(resource.RUSAGE_SELF) - began


def speed():
    numbers = random.Random(1)
    for size in (20, 50, 100):
        row = matrix(numbers, size, size, 100)
        _, ours = grundy([], table(row))
        game = gambit(row, [[-x for x in r] for r in row])
        theirs = timed(lambda: pygambit.nash.lp_solve(game, rational=True))
        print(f"matrix {size}x{size}: grundy {ours:.3f} s, pygambit lp_solve {theirs:.3f} s", flush=True)
    for size in (10, 20, 50):
        row, column = matrix(numbers, size, size, 100), matrix(numbers, size, size, 100)
        _, ours = grundy([], table(row) + "\n" + table(column))
        game = gambit(row, column)
        theirs = timed(lambda: pygambit.nash.lcp_solve(game, rational=True, use_strategic=True, stop_after=1))
        print(f"bimatrix {size}x{size}: grundy {ours:.3f} s, pygambit lcp_solve {theirs:.3f} s", flush=True)
    for size in (8, 10, 12):
        row, column = matrix(numbers, size, size, 100), matrix(numbers, size, size, 100)
        answer, ours = grundy(["--all"], table(row) + "\n" + table(column))
        game = gambit(row, column)
        rounded = timed(lambda: pygambit.nash.enummixed_solve(game, rational=False))
        # Exact enumeration of 12x12 takes many minutes.
        exact = timed(lambda: pygambit.nash.enummixed_solve(game, rational=True)) if size < 12 else float("nan")
        print(
            f"bimatrix {size}x{size}, all {len(answer['equilibria'])} equilibria: grundy {ours:.3f} s, "
            f"pygambit enummixed_solve {exact:.3f} s exact, {rounded:.3f} s in floating point",
            flush=True,
        )
    for cards in range(3, 13):
        name = f"kuhn:{cards}"
        efg = subprocess.run([ENGINE, "equilibrium", "--example", name, "--efg"], capture_output=True, text=True).stdout
        with open("/tmp/grundy-example.efg", "w") as file:
            file.write(efg)
        answer, ours = grundy(["/tmp/grundy-example.efg"])
        game = pygambit.read_efg("/tmp/grundy-example.efg")
        theirs = timed(lambda: pygambit.nash.lp_solve(game, rational=True, use_strategic=False))
        print(f"{name}: {answer['value']}: grundy {ours:.3f} s, pygambit lp_solve {theirs:.3f} s", flush=True)


ENGINE = sys.argv[1] if len(sys.argv) > 1 else "target/release/grundy"
if "--speed" in sys.argv:
    speed()
else:
    correctness()
