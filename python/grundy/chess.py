"""python-chess: exact distances to mate, and the engine.

>>> import chess, grundy.chess
>>> with grundy.chess.open_tablebase() as tables:
...     tables.probe_dtm(chess.Board("k7/8/1K6/8/8/8/8/6Q1 w - - 0 1"))
1
"""

from __future__ import annotations

from typing import Any, Optional

import chess
import chess.engine

from .game import Game
from .referee import program
from .value import Value

_MEN = 5
"""The most men of an ending that is asked."""


class Tablebase:
    """Probes exact values as ``chess.gaviota.PythonTablebase`` does.

    Boards of variants raise ``ValueError``; boards that are not legal have no known value.
    """

    def __init__(self, time: float = 10.0, **options: Any) -> None:
        self._time, self._options = time, options
        self._games: dict[str, Game] = {}

    def _value(self, board: chess.Board) -> Value:
        if board.uci_variant != "chess":
            raise ValueError(f"board: expected one of chess, not of {board.uci_variant}")
        fen, pieces = board.fen(), list(board.piece_map().values())
        if len(pieces) > _MEN or board.castling_rights:
            raise KeyError(f"no value for {fen}: expected at most {_MEN} men and no castling rights")
        if not board.is_valid():
            raise KeyError(f"no value for {fen}: expected a legal board")
        order = "KQRBNP"
        white, black = (
            "".join(sorted((piece.symbol().upper() for piece in pieces if piece.color == color), key=order.index))
            for color in chess.COLORS
        )
        name = f"chess:{white}v{black}" if len(pieces) > 2 else "chess"
        game = self._games.get(name)
        if game is None:
            game = self._games.setdefault(name, Game(name, **self._options))
        try:
            position = game.position(fen)
        except ValueError as refusal:
            raise KeyError(f"no value for {fen}: {refusal}") from None
        value = position.value(self._time)
        if value is None:
            raise KeyError(f"no value for {fen} within {self._time} s")
        return value

    def probe_dtm(self, board: chess.Board) -> int:
        """Returns the plies to mate, negative where the player to move is mated; 0 for a draw, and where mate is on the board.

        Raises ``KeyError`` where the value is not known.
        """
        value = self._value(board)
        return (value.plies or 0) * (1 if value.outcome == "win" else -1)

    def probe_wdl(self, board: chess.Board) -> int:
        """Returns 1, 0 or -1: a win, a draw or a loss for the player to move. The fifty-move rule is left out.

        Raises ``KeyError`` where the value is not known.
        """
        return {"win": 1, "draw": 0, "loss": -1}[self._value(board).outcome]

    def get_dtm(self, board: chess.Board, default: Optional[int] = None) -> Optional[int]:
        """Returns what ``probe_dtm`` does; ``default`` where the value is not known."""
        try:
            return self.probe_dtm(board)
        except KeyError:
            return default

    def get_wdl(self, board: chess.Board, default: Optional[int] = None) -> Optional[int]:
        """Returns what ``probe_wdl`` does; ``default`` where the value is not known."""
        try:
            return self.probe_wdl(board)
        except KeyError:
            return default

    def close(self) -> None:
        """Closes the tables."""
        self._games.clear()

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
