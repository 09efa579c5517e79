#!/usr/bin/env python3
"""Plays random games side by side with Fairy-Stockfish's rules and compares legal moves, turns and results at every ply.

Needs `pip install pyffish`. Usage: dev/fairy.py [--engine target/release/grundy] [--games 1000] [NAME ..]
Exit code 0: no difference; 1: a difference, printed with the moves that lead to it.

Domineering has no counterpart: neither pyffish nor OpenSpiel has it.
"""
import argparse
import random
import sys

import pyffish

from openspiel import Engine

HEXAPAWN = """
[hexapawn{columns}x{rows}:breakthrough]
breakthroughPiece = -
customPiece1 = p:fmWfcF
flagPiece = p
maxFile = {columns}
maxRank = {rows}
startFen = {black}/{free}{white} w 0 1
flagRegionWhite = *{rows}
flagRegionBlack = *1
stalemateValue = loss
"""


def hexapawn(columns, rows):
    return HEXAPAWN.format(
        columns=columns,
        rows=rows,
        black="p" * columns,
        free=f"{columns}/" * (rows - 2),
        white="P" * columns,
    )


BREAKTHROUGH = """
[breakthrough{columns}x{rows}:breakthrough]
maxFile = {columns}
maxRank = {rows}
startFen = {black}/{black}/{free}{white}/{white} w 0 1
flagRegionWhite = *{rows}
flagRegionBlack = *1
"""


def breakthrough(columns, rows):
    return BREAKTHROUGH.format(
        columns=columns,
        rows=rows,
        black="p" * columns,
        free=f"{columns}/" * (rows - 4),
        white="P" * columns,
    )


GAMES = {
    "breakthrough:5x5": breakthrough(5, 5),
    "hexapawn:3x3": hexapawn(3, 3),
    "hexapawn:4x5": hexapawn(4, 5),
}


def state(variant, moves):
    """The legal moves there, and the result for the player to move where the game is over."""
    fen = pyffish.start_fen(variant)
    ended, result = pyffish.is_immediate_game_end(variant, fen, moves)
    if ended:
        return set(), result
    legal = set(pyffish.legal_moves(variant, fen, moves))
    return legal, None if legal else pyffish.game_result(variant, fen, moves)


def compare(engine, name, games):
    ini = GAMES[name]
    variant = name.replace(":", "")
    pyffish.load_variant_config(ini)
    plies = 0
    for number in range(games):
        moves = []
        while True:
            engine.say("position startpos" + (" moves " + " ".join(moves) if moves else ""))
            legal, over, result, first = engine.ask("legalmoves", "gameover", "result", "p1turn")
            theirs, worth = state(variant, moves)
            first_to_move = len(moves) % 2 == 0
            expected = "none"
            if worth is not None:
                expected = "draw" if worth == 0 else "p1win" if (worth > 0) == first_to_move else "p2win"
            ours = set() if legal == "none" else set(legal.split())
            same = ours == theirs and (over == "true") == (worth is not None) and result == expected
            if not same or (worth is None and (first == "true") != first_to_move):
                print(f"{name}: after {' '.join(moves) or 'the start'}")
                print(f"  grundy: {sorted(ours)} over {over}, result {result}")
                print(f"  theirs: {sorted(theirs)} result {expected}")
                return False
            plies += 1
            if not theirs:
                break
            moves.append(random.choice(sorted(theirs)))
    print(f"{name}: {games} games, {plies} positions, no difference")
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", default="target/release/grundy")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("names", nargs="*", help="games of the list; all without any")
    options = parser.parse_args()
    random.seed(options.seed)
    right = True
    for name in options.names or GAMES:
        engine = Engine(options.engine, name)
        right = compare(engine, name, options.games) and right
        engine.say("quit")
        engine.process.wait(timeout=10)
    sys.exit(0 if right else 1)


if __name__ == "__main__":
    main()
