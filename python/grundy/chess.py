"""python-chess: exact distances to mate, and the engine.

>>> import chess, grundy.chess
>>> with grundy.chess.open_tablebase() as tables:
...     tables.probe_dtm(chess.Board("8/8/8/8/8/4k3/8/3KQ3 b - - 0 1"))
-...
"""

from __future__ import annotations

from typing import Any, Optional

import chess
import chess.engine

from .game import Game
from .referee import program


class Tablebase:
    """Probes exact values as ``chess.gaviota.PythonTablebase`` does."""

    def __init__(self, time: float = 10.0, **options: Any) -> None:
        self._game, self._time = Game("chess", **options), time

    def _ending(self, board: chess.Board) -> Game:
        pieces = board.piece_map().values()
        letters = {color: [piece.symbol().upper() for piece in pieces if piece.color == color] for color in chess.COLORS}
        if len(pieces) > 5 or board.castling_rights:
            raise KeyError(f"no value for {board.fen()}: expected at most five men and no castling rights")
        order = "KQRBNP"
        white, black = ("".join(sorted(letters[color], key=order.index)) for color in chess.COLORS)
        return Game("chess", **self._game._arguments) if len(pieces) < 3 else Game(
            f"chess:{white}v{black}", **self._game._arguments
        )

    def probe_dtm(self, board: chess.Board) -> int:
        """Returns the plies to mate, negative where the player to move is mated, 0 for a draw or a mate that stands.

        Raises ``KeyError`` where the value is not known.
        """
        value = self._ending(board).position(board.fen()).value(self._time)
        if value is None:
            raise KeyError(f"no value for {board.fen()} within {self._time} s")
        return {"win": 1, "draw": 0, "loss": -1}[value.outcome] * (value.plies or 0)

    def probe_wdl(self, board: chess.Board) -> int:
        """Returns 1, 0 or -1: a win, a draw or a loss for the player to move. The fifty-move rule is left out."""
        value = self._ending(board).position(board.fen()).value(self._time)
        if value is None:
            raise KeyError(f"no value for {board.fen()} within {self._time} s")
        return {"win": 1, "draw": 0, "loss": -1}[value.outcome]

    def get_dtm(self, board: chess.Board, default: Optional[int] = None) -> Optional[int]:
        """As ``probe_dtm``; ``default`` where the value is not known."""
        try:
            return self.probe_dtm(board)
        except KeyError:
            return default

    def get_wdl(self, board: chess.Board, default: Optional[int] = None) -> Optional[int]:
        """As ``probe_wdl``; ``default`` where the value is not known."""
        try:
            return self.probe_wdl(board)
        except KeyError:
            return default

    def close(self) -> None:
        """Does nothing: tables close with the last position."""

    def __enter__(self) -> Tablebase:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_tablebase(time: float = 10.0, **options: Any) -> Tablebase:
    """Opens exact values of chess; ``time`` in seconds bounds each question, ``options`` are those of ``Game``."""
    return Tablebase(time, **options)


def popen(**options: Any) -> chess.engine.SimpleEngine:
    """Starts the engine as a UCI engine for python-chess."""
    return chess.engine.SimpleEngine.popen_uci([program("grundy"), "--game", "chess"], **options)
