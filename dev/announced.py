#!/usr/bin/env python3
"""Lets the engine play itself and a random mover, and checks that what it announced as proved comes true.

A proved win (`value win:N`, `score mate N`, or a lower bound of a win) must be won, a proved draw not lost, a proved
margin reached or passed; between two engines that play well a margin is met exactly once it is proved. A book may prove what
the time of a move is too short to keep: an announcement that does not come true is asked again, with a minute, of a
new engine, and is right if that proves it.

Usage: dev/announced.py [--engine target/release/grundy] [--games 10] [--movetime 50] [--seed 1] [GAME ..]
Exit code 0: all announcements came true or are proved again; 1: one is not, printed with the moves.
"""
import random
import re
import sys

from engine import Engine, begin, command_line

GAMES = [
    "hex:5", "hex:6", "hex:9", "mnk:5,5,4", "mnk:6,5,4", "mnk:6,6,4", "mnk:5,5,5", "domineering:6x6", "domineering:8x8",
    "breakthrough:5x5", "breakthrough:8x8", "hexapawn:4x5", "hexapawn:8x8", "kalah:4,3", "kalah:6,4", "othello:6x6",
    "othello:8x8", "connect4:7x6", "connect4:5x5",
]


def announced(info):
    """The proved lower bound for the player to move: 1 for a win, 0 for a draw, a margin as ('margin', n), or None."""
    if margin := re.search(r" value ([+-]\d+)", info):
        return "margin", int(margin[1])
    if re.search(r" value win", info) or re.search(r" score mate \d+(?! upperbound)", info):
        return 1
    if re.search(r" score cp 20000\b", info):
        return 1
    if " value draw" in info:
        return 0
    return None


def lead(fen, first):
    """Points so far of player one or two, if the position contains them."""
    stores = re.search(r" (\d+)-(\d+) ", fen)
    net = int(stores[1]) - int(stores[2]) if stores else 0
    return net if first else -net


def play(command, name, movetime, against_random, number):
    """Plays one game; returns the announcements that did not come true, and the number of announcements."""
    sides = [Engine(command, name), None if against_random else Engine(command, name)]
    if number % 2 == 1:
        sides.reverse()
    judge = Engine(command, name)
    moves, claims = [], []
    opening = 0 if against_random else 2
    while True:
        judge.position(moves)
        turn, over, legal, fen = judge.ask("p1turn", "gameover", "legalmoves", "fen")
        first, legal = turn == "true", legal.split()
        if over == "true":
            break
        engine = sides[0 if first else 1]
        if engine is None or len(moves) < opening:
            moves.append(random.choice(legal))
            continue
        engine.position(moves)
        move, infos = engine.go(movetime)
        info = next((line for line in reversed(infos) if " score " in line), "")
        if move not in legal:
            sys.exit(f"{name}: illegal {move} after {' '.join(moves)}")
        if (claim := announced(info)) is not None:
            claims.append((len(moves), first, claim, lead(fen, first)))
        moves.append(move)
    result, value = judge.ask("result", "value")
    outcome = {"p1win": 1, "p2win": -1}.get(result, 0)
    margin = None
    if value[0] in "+-":
        margin = lead(fen, first) + int(value)
        margin = margin if first else -margin
    broken, given_away = [], 0
    for ply, first, claim, before in claims:
        if isinstance(claim, tuple):
            reached = (margin if first else -margin) - before
            kept = reached >= claim[1] if against_random else reached == claim[1]
        else:
            kept = (outcome if first else -outcome) >= claim
        if not kept and proved_again(command, name, moves[:ply], claim):
            given_away += 1
        elif not kept:
            broken.append(f"{name}: {claim} announced at ply {ply}, ended {result} {margin}: {' '.join(moves)}")
    for engine in {side for side in sides if side} | {judge}:
        engine.close()
    return broken, given_away, len(claims), outcome, sides[0] is not None


def proved_again(command, name, moves, claim):
    """Returns whether a new engine proves what was announced after these moves, or more, within a minute."""
    engine = Engine(command, name)
    engine.say("setoption name Query Time value 60000")
    engine.position(moves)
    (value,) = engine.ask("value")
    engine.close()
    if isinstance(claim, tuple):
        return value[0] in "+-" and int(value) >= claim[1]
    return value.startswith("win") or claim == 0 and value.startswith("draw")


def main():
    parser = command_line(__doc__, 10)
    parser.add_argument("--movetime", type=int, default=50)
    options = begin(parser)
    right = True
    for name in options.names or GAMES:
        for against_random in [False, True]:
            score, count, lost = [0, 0, 0], 0, 0
            for number in range(options.games):
                broken, given_away, claims, outcome, first = play(
                    options.engine, name, options.movetime, against_random, number
                )
                score[1 - (outcome if first else -outcome)] += 1
                count += claims
                lost += given_away
                right = right and not broken
                for line in broken:
                    print(line)
            whom = "a random mover" if against_random else "itself"
            later = f", {lost} right and given away later" if lost else ""
            print(f"{name} against {whom}: +{score[0]} ={score[1]} -{score[2]}, {count} proved values announced{later}")
            sys.stdout.flush()
    sys.exit(0 if right else 1)


if __name__ == "__main__":
    main()
