#!/usr/bin/env python3
"""Plays random games side by side with OpenSpiel and compares legal moves, turns and results at every ply.

Needs `pip install open_spiel`. Usage: dev/openspiel.py [--engine target/release/grundy] [--games 1000] [NAME ..]
Exit code 0: no difference; 1: a difference, printed with the moves that lead to it.
"""
import random
import re

import pyspiel

from engine import compare_all, differ, legal_moves


def square(column, row_from_bottom):
    return chr(ord("a") + column) + str(row_from_bottom + 1)


def cells(columns, rows):
    """Actions count cells row by row from the top left."""
    return lambda state, action: square(action % columns, rows - 1 - action // columns)


def othello(state, action):
    """OpenSpiel's first row is row 1."""
    return "pass" if action == 64 else square(action % 8, action // 8)


def breakthrough(rows):
    """OpenSpiel's first player starts at the top."""

    def name(state, action):
        word = state.action_to_string(action).rstrip("*")
        turn = lambda s: s[0] + str(rows + 1 - int(s[1:]))
        return turn(word[:2]) + turn(word[2:])

    return name


def column(state, action):
    return chr(ord("a") + action)


def pit(state, action):
    """Pits 1 to 6 are player one's, 8 to 13 player two's, each from its owner's left."""
    return str(action if action < 7 else action - 7)


def captures_nothing(state, action):
    """Whether the last seed of a move falls into an empty pit opposite another: OpenSpiel leaves it there."""
    top, stores, bottom = ([int(n) for n in re.findall("[0-9]+", row)] for row in str(state).split("\n")[:3])
    pits = [stores[0], *bottom, stores[1], *reversed(top)]
    seeds, pits[action] = pits[action], 0
    at, skip = action, 0 if action < 7 else 7
    while seeds:
        at = (at + 1) % 14
        if at != skip:
            pits[at] += 1
            seeds -= 1
    own = range(1, 7) if action < 7 else range(8, 14)
    return at in own and pits[at] == 1 and pits[14 - at] == 0


def line(rows, columns):
    """Actions count horizontals row by row from the top, then verticals; the left or lower dot is named first."""
    horizontals = (rows + 1) * columns

    def name(state, action):
        if action < horizontals:
            row, left = divmod(action, columns)
            return square(left, rows - row) + square(left + 1, rows - row)
        row, left = divmod(action - horizontals, columns + 1)
        return square(left, rows - row - 1) + square(left, rows - row)

    return name


GAMES = {
    "dots:2x2": ("dots_and_boxes(num_rows=2,num_cols=2)", line(2, 2)),
    "dots:3x4": ("dots_and_boxes(num_rows=3,num_cols=4)", line(3, 4)),
    "dots:4x7": ("dots_and_boxes(num_rows=4,num_cols=7)", line(4, 7)),
    "tictactoe": ("tic_tac_toe", cells(3, 3)),
    "mnk:5,4,4": ("mnk(m=5,n=4,k=4)", cells(5, 4)),
    "connect4:7x6": ("connect_four", column),
    "connect4:5x4": ("connect_four(rows=4,columns=5)", column),
    "othello:8x8": ("othello", othello),
    "hex:5": ("hex(board_size=5)", cells(5, 5)),
    "hex:11": ("hex(board_size=11)", cells(11, 11)),
    "kalah:6,4": ("mancala", pit),
    "breakthrough:8x8": ("breakthrough", breakthrough(8)),
    "breakthrough:5x6": ("breakthrough(rows=6,columns=5)", breakthrough(6)),
}


# Moves that mean something else there and are not played.
OTHER_RULES = {"kalah:6,4": captures_nothing}


def compare(engine, name, games):
    spiel_name, move_name = GAMES[name]
    game = pyspiel.load_game(spiel_name)
    other_rules = OTHER_RULES.get(name, lambda state, action: False)
    plies = 0
    for number in range(games):
        state, moves = game.new_initial_state(), []
        while True:
            engine.position(moves)
            legal, over, result, first = engine.ask("legalmoves", "gameover", "result", "p1turn")
            theirs = {} if state.is_terminal() else {move_name(state, a): a for a in state.legal_actions()}
            expected_result = "none"
            if state.is_terminal():
                score = state.returns()[0]
                expected_result = "p1win" if score > 0 else "p2win" if score < 0 else "draw"
            ours = legal_moves(legal)
            same = (
                ours == set(theirs)
                and over == ("true" if state.is_terminal() else "false")
                and result == expected_result
                and (state.is_terminal() or (first == "true") == (state.current_player() == 0))
            )
            if not same:
                said = f"{sorted(ours)} over {over}, result {result}"
                return differ(name, moves, said, f"{sorted(theirs)} result {expected_result}")
            plies += 1
            if state.is_terminal():
                break
            words = sorted(w for w, a in theirs.items() if not other_rules(state, a))
            if not words:
                break
            word = random.choice(words)
            moves.append(word)
            state.apply_action(theirs[word])
    print(f"{name}: {games} games, {plies} positions, no difference")
    return True


if __name__ == "__main__":
    compare_all(__doc__, GAMES, compare)
