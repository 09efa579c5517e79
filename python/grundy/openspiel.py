"""OpenSpiel games for the catalog: ``pyspiel`` games with alternating turns, perfect information, and no chance.

An action is the number of a move in ``Position.moves()``; ``action_to_string`` gives the move.

>>> import grundy.openspiel
>>> state = grundy.openspiel.load("tictactoe").new_initial_state()
>>> state.apply_action(4)
>>> state.current_player(), state.legal_actions()
(1, [0, 1, 2, 3, 4, 5, 6, 7])
"""

from __future__ import annotations

from typing import Any

import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from .game import Game, Position


# OpenSpiel reads a comma and an equals sign as its own.
_WRITTEN, _READ = str.maketrans(",=", ";~"), str.maketrans(";~", ",=")


def load(name: str, *, max_moves: int = 1024, max_length: int = 1000) -> Any:
    """Opens a game of the catalog as a ``pyspiel`` game.

    ``max_moves`` bounds the legal moves of a position and ``max_length`` the plies of a game: a longer one ends as a draw.

    It is ``pyspiel.load_game("python_grundy(game=NAME,max_moves=1024,max_length=1000)")``, in the name ``;`` for ``,`` and ``~`` for
    ``=``.
    """
    if not isinstance(name, str):
        raise TypeError(f"name: expected a str, not {name!r}")
    return _Game({"game": name.translate(_WRITTEN), "max_moves": max_moves, "max_length": max_length})


_TYPE = pyspiel.GameType(
    short_name="python_grundy",
    long_name="A game of grundy's catalog",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=False,
    parameter_specification={"game": "tictactoe", "max_moves": 1024, "max_length": 1000},
)


class _Game(pyspiel.Game):  # type: ignore[misc]
    def __init__(self, params: Any = None) -> None:
        params = dict(params or {})
        self.grundy = Game(params.get("game", "tictactoe").translate(_READ))
        self.max_moves = int(params.get("max_moves", 1024))
        self.max_length = int(params.get("max_length", 1000))
        # Scores of a game for points are not bounded by its name.
        most = 1_000_000.0 if self.grundy.counts_points else 1.0
        info = pyspiel.GameInfo(
            num_distinct_actions=self.max_moves,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-most,
            max_utility=most,
            utility_sum=0.0,
            max_game_length=self.max_length,
        )
        super().__init__(_TYPE, info, params)

    def new_initial_state(self) -> _State:
        return _State(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class _State(pyspiel.State):  # type: ignore[misc]
    def __init__(self, game: _Game) -> None:
        super().__init__(game)
        # OpenSpiel copies states: none keeps the game, whose copies lack what Python adds to it.
        self._max_moves, self._max_length = game.max_moves, game.max_length
        self.position: Position = game.grundy.start()
        self._words: list[str] = self.position.moves()
        self._played = 0

    def _is_over(self) -> bool:
        return self.position.is_over or self._played >= self._max_length

    def current_player(self) -> int:
        return int(pyspiel.PlayerId.TERMINAL) if self._is_over() else self.position.turn - 1

    def _legal_actions(self, player: int) -> list[int]:
        if len(self._words) > self._max_moves:
            raise ValueError(f"{len(self._words)} moves: give a larger max_moves")
        return list(range(len(self._words)))

    def _apply_action(self, action: int) -> None:
        self.position = self.position.play(self._words[action])
        self._words = [] if self.position.is_over else self.position.moves()
        self._played += 1

    def _action_to_string(self, player: int, action: int) -> str:
        return self._words[action]

    def is_terminal(self) -> bool:
        return self._is_over()

    def returns(self) -> list[float]:
        if not self.position.is_over:
            return [0.0, 0.0]
        margin = self.position.margin
        if margin is not None:
            return [float(margin), float(-margin)]
        winner = self.position.winner
        return [0.0, 0.0] if not winner else [1.0, -1.0] if winner == 1 else [-1.0, 1.0]

    def observation_string(self, player: int) -> str:
        return str(self.position)

    def information_state_string(self, player: int = 0) -> str:
        return str(self.position)

    def __str__(self) -> str:
        return self.position.text()


pyspiel.register_game(_TYPE, _Game)
