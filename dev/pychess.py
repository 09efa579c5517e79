#!/usr/bin/env python3
"""Compares chess with python-chess: legal moves, and values with the tables that its source package brings for tests.

Needs `pip install chess`; for the tables `pip download --no-binary :all: --no-deps chess`, unpacked, and --data DIR on
its folder `data`: win, draw or loss of all endings of 3 and 4 men (Syzygy), also by the halfmove clock where there are
no pawns, distances to mate of 3 men (Gaviota) and of its published mates of 4 and 5 men.
Usage: dev/pychess.py [--engine target/release/grundy] [--data DIR] [--positions 300] [--mates5]
Exit code 0: no difference; 1: differences, printed.
"""
import argparse
import json
import pathlib
import random
import subprocess
import sys

import chess
import chess.gaviota
import chess.syzygy

differences = 0


def differ(*words):
    global differences
    differences += 1
    print("DIFFERENT", *words)


def analyze(engine, game, fens):
    """One object a position."""
    run = subprocess.run(
        [engine, "analyze", "--game", game, "--json"],
        input="".join(fen + "\n" for fen in fens), capture_output=True, text=True, check=False)
    rows = [json.loads(line) for line in run.stdout.splitlines()]
    if len(rows) != len(fens):
        sys.exit(f"{len(fens)} positions, {len(rows)} answers: {run.stderr}")
    return rows


def sign(word):
    return {"win": 1, "loss": -1, "draw": 0}.get(word.split(":")[0])


def some_positions(name, count, lots):
    """Random legal positions of an ending, the colours both ways, some with a right to capture en passant."""
    found = []
    while len(found) < count:
        board = chess.Board.empty()
        swap = lots.random() < 0.5
        men = [(letter, color != swap) for side, color in zip(name.split("v"), (True, False)) for letter in side]
        for (letter, color), square in zip(men, lots.sample(range(64), len(men))):
            board.set_piece_at(square, chess.Piece(chess.PIECE_SYMBOLS.index(letter.lower()), color))
        board.turn = lots.random() < 0.5
        if "P" in name:
            board.ep_square = lots.choice([None, lots.randrange(40, 48) if board.turn else lots.randrange(16, 24)])
            if not board.is_valid():
                board.ep_square = None
        if board.is_valid() and any(board.legal_moves):
            found.append(board)
    return found


def rules(engine, games, lots):
    """Legal moves along random games."""
    fens, moves = [], []
    for _ in range(games):
        board = chess.Board()
        while not board.is_game_over() and board.fullmove_number < 80:
            if lots.random() < 0.1:
                fens.append(board.fen())
                moves.append(sorted(move.uci() for move in board.legal_moves))
            board.push(lots.choice(list(board.legal_moves)))
    run = subprocess.Popen([engine, "--game", "chess"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    out, _ = run.communicate("".join(f"position fen {fen}\nquery legalmoves\n" for fen in fens) + "isready\n")
    answers = [line.split()[1:] for line in out.splitlines() if line.startswith("response")]
    for fen, ours, theirs in zip(fens, answers, moves, strict=True):
        if sorted(ours) != theirs:
            differ(fen, "moves", ours, theirs)
    print(f"legal moves of {len(fens)} positions")


def outcomes(engine, data, each, lots):
    """Win, draw and loss, and for pawnless endings whether the win comes in time for the fifty-move rule."""
    with chess.syzygy.open_tablebase(data / "syzygy" / "regular") as tables:
        names = sorted(path.stem for path in (data / "syzygy" / "regular").glob("*.rtbw"))
        for name in names:
            boards = some_positions(name, each, lots)
            expected = [tables.probe_wdl(board) for board in boards]
            for board, row, theirs in zip(boards, analyze(engine, "chess", [b.fen() for b in boards]), expected):
                if sign(row["value"]) != (theirs > 0) - (theirs < 0):
                    differ(board.fen(), row["value"], theirs)
            if "P" in name:
                continue
            # A table's distance to the next capture or mate may be rounded up by one.
            clocked = []
            for board in boards:
                dtz = tables.probe_dtz(board)
                if abs(dtz) > 2:
                    board.halfmove_clock = 100 - abs(dtz) + lots.choice([-2, -1, 1, 2])
                    if 0 <= board.halfmove_clock < 100:
                        clocked.append((board, dtz))
            rows = analyze(engine, "chess:4men:rule50", [b.fen() for b, _ in clocked])
            for (board, dtz), row in zip(clocked, rows):
                left = 100 - board.halfmove_clock
                in_time = abs(dtz) <= left
                if sign(row["value"]) != (((dtz > 0) - (dtz < 0)) if in_time else 0):
                    differ(board.fen(), row["value"], "plies to zeroing", dtz)
        print(f"win, draw and loss of {len(names)} endings, {each} positions each")


def distances(engine, data, each, lots, men5):
    """Distances to mate."""
    with chess.gaviota.open_tablebase(data / "gaviota") as tables:
        for name in ("KQvK", "KRvK", "KBvK", "KNvK", "KPvK"):
            boards = some_positions(name, each, lots)
            for board, row in zip(boards, analyze(engine, "chess", [b.fen() for b in boards])):
                check(board.fen(), row["value"], tables.probe_dtm(board))
    count = 0
    for file in ["endgame-dm-4.epd"] + ["endgame-dm-5.epd"] * men5:
        for line in (data / file).read_text().splitlines():
            if not line.strip() or line.startswith("#"):
                continue
            board, extra = chess.Board.from_epd(line)
            moves = extra["dm"]
            count += 1
            [row] = analyze(engine, "chess:%dmen" % len(board.piece_map()), [board.fen()])
            check(board.fen(), row["value"], moves * 2 - 1 if moves > 0 else moves * 2)
    print(f"distances of 5 endings of 3 men, {each} positions each, and of {count} published mates")


def check(fen, value, plies):
    said = int(value.split(":")[1]) * sign(value) if ":" in value else sign(value)
    if said != plies:
        differ(fen, value, plies)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--engine", default="target/release/grundy")
    parser.add_argument("--data", type=pathlib.Path)
    parser.add_argument("--positions", type=int, default=300)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--mates5", action="store_true", help="the published mates of 5 men too")
    args = parser.parse_args()
    lots = random.Random(1)
    rules(args.engine, args.games, lots)
    if args.data:
        outcomes(args.engine, args.data, args.positions, lots)
        distances(args.engine, args.data, args.positions, lots, args.mates5)
    print(f"{differences} differences")
    sys.exit(differences > 0)


if __name__ == "__main__":
    main()
