"""Environments for learning: a PettingZoo AEC environment, and a Gymnasium environment against an opponent.

An observation is the position's notation as bytes with a mask of legal actions; an action is the number of a move in
``Position.moves()``. ``info`` has the position, its moves and, where they are proved in time, the optimal actions.
"""

from __future__ import annotations

import operator
from typing import Any, Callable, Optional, SupportsIndex

import gymnasium
import numpy
import pettingzoo
from gymnasium import spaces

from .game import Game, Position, _whole

_WIDTH = 512


def _observation_space(max_moves: int) -> spaces.Dict:
    return spaces.Dict(
        {
            "observation": spaces.Box(0, 255, (_WIDTH,), numpy.uint8),
            "action_mask": spaces.Box(0, 1, (max_moves,), numpy.int8),
        }
    )


def _observe(position: Position, words: list[str], max_moves: int) -> dict[str, Any]:
    text = str(position).encode()
    if len(text) > _WIDTH:
        raise ValueError(f"position of {len(text)} bytes: expected at most {_WIDTH}, that an observation holds")
    observation = numpy.zeros(_WIDTH, numpy.uint8)
    observation[: len(text)] = numpy.frombuffer(text, numpy.uint8)
    mask = numpy.zeros(max_moves, numpy.int8)
    mask[: len(words)] = 1
    return {"observation": observation, "action_mask": mask}


def _moves(position: Position, max_moves: int) -> list[str]:
    words = [] if position.is_over else position.moves()
    if len(words) > max_moves:
        raise ValueError(f"{len(words)} moves: give a larger max_moves")
    return words


def _chosen(action: Any, words: list[str]) -> Optional[str]:
    """The move that an action is, or ``None``."""
    try:
        number = operator.index(action)
    except TypeError:
        return None
    return words[number] if 0 <= number < len(words) else None


def _info(position: Position, words: list[str], time: float) -> dict[str, Any]:
    best = None if position.is_over else position.best_moves(time)
    optimal = None if best is None else [words.index(word) for word in best]
    return {"position": position, "moves": words, "optimal": optimal}


def _reward(position: Position, player: int) -> float:
    margin = position.margin
    if margin is not None:
        return float(margin if player == 1 else -margin)
    if not position.winner:
        return 0.0
    return 1.0 if position.winner == player else -1.0


def _render_mode(mode: Optional[str], metadata: dict[str, Any]) -> Optional[str]:
    """An argument that is one of the modes of an environment. Without a mode nothing is rendered."""
    if mode is not None and mode not in metadata["render_modes"]:
        raise ValueError(f"render_mode={mode!r}: expected {' or '.join(map(repr, metadata['render_modes']))}, or None")
    return mode


class AEC(pettingzoo.AECEnv):  # type: ignore[misc]
    """A game of the catalog for two agents, ``player_1`` and ``player_2``."""

    metadata = {"name": "grundy_v0", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(
        self,
        game: str = "tictactoe",
        *,
        max_moves: int = 1024,
        max_plies: int = 1000,
        time: float = 0.1,
        render_mode: Optional[str] = "ansi",
    ) -> None:
        super().__init__()
        self.game = Game(game)
        self.max_moves, self.max_plies, self.time = max_moves, max_plies, time
        self.possible_agents = ["player_1", "player_2"]
        self.observation_spaces = {agent: _observation_space(max_moves) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(max_moves) for agent in self.possible_agents}
        self.render_mode = _render_mode(render_mode, self.metadata)

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: Optional[int] = None, options: Any = None) -> None:
        self.agents = self.possible_agents[:]
        self.rewards = {agent: 0.0 for agent in self.agents}
        self._cumulative_rewards = {agent: 0.0 for agent in self.agents}
        self.terminations = {agent: False for agent in self.agents}
        self.truncations = {agent: False for agent in self.agents}
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.plies = 0
        self._stand(self.game.start())
        self._settle()

    def _stand(self, position: Position) -> None:
        self.words = _moves(position, self.max_moves)
        self.position = position
        self.agent_selection = f"player_{position.turn}"
        self.infos[self.agent_selection] = _info(position, self.words, self.time)

    def observe(self, agent: str) -> dict[str, Any]:
        words = self.words if agent == self.agent_selection else []
        return _observe(self.position, words, self.max_moves)

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        word = _chosen(action, self.words)
        if word is None:
            raise ValueError(f"illegal action {action}: expected one that the mask allows")
        self._stand(self.position.play(word))
        self.plies += 1
        self._settle()

    def _settle(self) -> None:
        """Ends the game where it is over, or long enough."""
        if self.position.is_over:
            self.rewards = {name: _reward(self.position, number) for number, name in enumerate(self.agents, 1)}
            self.terminations = {name: True for name in self.agents}
        elif self.plies >= self.max_plies:
            self.truncations = {name: True for name in self.agents}
        self._accumulate_rewards()
        if self.position.is_over or self.plies >= self.max_plies:
            self.agent_selection = self.agents[0]

    def render(self) -> Optional[str]:
        return None if self.render_mode is None else self.position.text()

    def close(self) -> None:
        """Does nothing: there is no window."""


class Against(gymnasium.Env[Any, Any]):
    """A game of the catalog against an opponent.

    The opponent is the engine, which plays perfectly where values are known, or at a ``level`` of 1 to 8 as ``Position.choose``
    does. ``opponent`` is another one: a callable that returns a move, as in ``grundy.match``. ``reset(seed=..)`` repeats the
    engine's slips and its choices among equally good moves; before the first seed it chooses the first of these.

    An action that the mask does not allow ends the game as a loss, with ``illegal`` in ``info``. Where the game is over before
    the agent's first turn, the first step says so, whatever its action.
    """

    metadata = {"render_modes": ["ansi"]}

    def __init__(
        self,
        game: str = "tictactoe",
        *,
        player: int = 1,
        level: Optional[SupportsIndex] = None,
        opponent: Optional[Callable[[Position], str]] = None,
        max_moves: int = 1024,
        max_plies: int = 1000,
        time: float = 0.1,
        render_mode: Optional[str] = "ansi",
    ) -> None:
        if player not in (1, 2):
            raise ValueError(f"player={player!r}: expected 1 or 2")
        if level is not None and opponent is not None:
            raise TypeError("expected one of level= and opponent=")
        self.game, self.player = Game(game), player
        self._level = None if level is None else _whole("level", level, 1, 8)
        self._opponent = opponent
        self.max_moves, self.max_plies, self.time = max_moves, max_plies, time
        self.observation_space = _observation_space(max_moves)
        self.action_space = spaces.Discrete(max_moves)
        self.render_mode = _render_mode(render_mode, self.metadata)

    def reset(self, *, seed: Optional[int] = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        if seed is not None:
            self.game = self.game._seeded(self._lot())
        self.plies = 0
        self._reply(self.game.start())
        return self._state()

    def _reply(self, position: Position) -> None:
        while not position.is_over and position.turn != self.player and self.plies < self.max_plies:
            position = position.play(self._choose(position))
            self.plies += 1
        self.words = _moves(position, self.max_moves)
        self.position = position

    def _choose(self, position: Position) -> str:
        if self._opponent is not None:
            return self._opponent(position)
        return position.choose(self.time, level=self._level, seed=self._lot())

    def _lot(self) -> int:
        return int.from_bytes(self.np_random.bytes(8), "big")

    def _state(self) -> tuple[Any, dict[str, Any]]:
        info = _info(self.position, self.words, self.time)
        return _observe(self.position, self.words, self.max_moves), {**info, "illegal": False}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        word = _chosen(action, self.words)
        ended = self.position.is_over or self.plies >= self.max_plies
        illegal = word is None and not ended
        if word is not None and not ended:
            self.plies += 1
            self._reply(self.position.play(word))
        over = self.position.is_over
        reward = -1.0 if illegal else _reward(self.position, self.player) if over else 0.0
        observation, info = self._state()
        truncated = not over and self.plies >= self.max_plies
        return observation, reward, over or illegal, truncated, {**info, "illegal": illegal}

    def render(self) -> Optional[str]:
        return None if self.render_mode is None else self.position.text()
