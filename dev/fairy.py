#!/usr/bin/env python3
"""Plays random games side by side with Fairy-Stockfish's rules and compares legal moves, turns and results at every ply.

Needs `pip install pyffish`. Usage: dev/fairy.py [--engine target/release/grundy] [--games 1000] [NAME ..]
Exit code 0: no difference; 1: a difference, printed with the moves that lead to it.

Domineering has a script of its own: dev/domineering.py.
"""
import random

import pyffish

from engine import compare_all, differ, legal_moves

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

BREAKTHROUGH = """
[breakthrough{columns}x{rows}:breakthrough]
maxFile = {columns}
maxRank = {rows}
startFen = {black}/{black}/{free}{white}/{white} w 0 1
flagRegionWhite = *{rows}
flagRegionBlack = *1
"""


def variant_text(template, columns, rows, pawns):
    """The variant's rules for a board of this size on which each side has `pawns` rows of pawns."""
    return template.format(
        columns=columns,
        rows=rows,
        black="p" * columns,
        free=f"{columns}/" * (rows - 2 * pawns),
        white="P" * columns,
    )


GAMES = {
    "breakthrough:5x5": variant_text(BREAKTHROUGH, 5, 5, 2),
    "hexapawn:3x3": variant_text(HEXAPAWN, 3, 3, 1),
    "hexapawn:4x5": variant_text(HEXAPAWN, 4, 5, 1),
}


def state(variant, moves):
    """The legal moves there, and the result for the player to move if the game is over."""
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
            engine.position(moves)
            legal, over, result, first = engine.ask("legalmoves", "gameover", "result", "p1turn")
            theirs, worth = state(variant, moves)
            first_to_move = len(moves) % 2 == 0
            expected = "none"
            if worth is not None:
                expected = "draw" if worth == 0 else "p1win" if (worth > 0) == first_to_move else "p2win"
            ours = legal_moves(legal)
            same = ours == theirs and (over == "true") == (worth is not None) and result == expected
            if not same or (worth is None and (first == "true") != first_to_move):
                said = f"{sorted(ours)} over {over}, result {result}"
                return differ(name, moves, said, f"{sorted(theirs)} result {expected}")
            plies += 1
            if not theirs:
                break
            moves.append(random.choice(sorted(theirs)))
    print(f"{name}: {games} games, {plies} positions, no difference")
    return True


if __name__ == "__main__":
    compare_all(__doc__, GAMES, compare)
