"""The adapters against the packages that they are for."""

import importlib
import pathlib
import random

import pytest

import grundy


DEV = pathlib.Path(__file__).parents[2] / "dev"


@pytest.mark.parametrize("name", ["tictactoe", "mnk:5,4,4", "connect4:5x4", "othello:8x8", "hex:5", "dots:2x2", "breakthrough:5x6"])
def test_openspiel_has_the_same_game(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Plays at random; legal actions, turns and returns are those of OpenSpiel's own game."""
    pyspiel = pytest.importorskip("pyspiel")
    import grundy.openspiel

    # The script that compares rules over the protocol has the names of OpenSpiel's actions.
    monkeypatch.syspath_prepend(str(DEV))
    title, word_of = importlib.import_module("openspiel").GAMES[name]
    theirs, ours = pyspiel.load_game(title), grundy.openspiel.load(name)
    draw = random.Random(5)
    for _ in range(10):
        a, b = theirs.new_initial_state(), ours.new_initial_state()
        while not a.is_terminal():
            assert a.current_player() == b.current_player() and not b.is_terminal()
            actions = {word_of(a, action): action for action in a.legal_actions()}
            words = {b.action_to_string(b.current_player(), action): action for action in b.legal_actions()}
            assert actions.keys() == words.keys()
            word = draw.choice(sorted(words))
            a.apply_action(actions[word])
            b.apply_action(words[word])
        assert b.is_terminal() and [*map(sign, a.returns())] == [*map(sign, b.returns())]


def sign(number: float) -> int:
    """OpenSpiel counts won games where ours are played for points."""
    return (number > 0) - (number < 0)


@pytest.mark.parametrize("row", [row for row in grundy.games() if row.name not in ("graph", "rules")], ids=lambda row: row.name)
def test_openspiel_plays_every_game_of_the_catalog(row: grundy.Listed) -> None:
    """OpenSpiel's own test of a game: random play, serialisation, returns, strings."""
    pyspiel = pytest.importorskip("pyspiel")
    import grundy.openspiel

    game = grundy.openspiel.load(row.default, max_length=100)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
    again = pyspiel.load_game(str(game))
    assert again.new_initial_state().legal_actions() == game.new_initial_state().legal_actions()


def test_pettingzoo_conforms_and_knows_the_optimal_actions() -> None:
    pytest.importorskip("pettingzoo")
    import grundy.pettingzoo
    from pettingzoo.test import api_test

    env = grundy.pettingzoo.AEC("tictactoe", max_moves=9)
    api_test(env, num_cycles=100, verbose_progress=False)
    env.reset()
    while env.agents and not env.terminations[env.agent_selection]:
        optimal = env.infos[env.agent_selection]["optimal"]
        env.step(optimal[0])
    assert env.position.winner == 0


def test_gymnasium_cannot_beat_the_opponent() -> None:
    pytest.importorskip("gymnasium")
    import grundy.pettingzoo
    from gymnasium.utils.env_checker import check_env

    env = grundy.pettingzoo.Against("tictactoe", max_moves=9)
    check_env(env, skip_render_check=True)
    observation, info = env.reset(seed=1)
    draw = random.Random(7)
    for _ in range(10):
        observation, info = env.reset()
        over = False
        while not over:
            action = draw.randrange(len(info["moves"]))
            observation, reward, over, _, info = env.step(action)
        assert reward <= 0


def test_gymnasium_has_weaker_opponents_and_seeds() -> None:
    pytest.importorskip("gymnasium")
    pytest.importorskip("pettingzoo")
    import grundy.pettingzoo as zoo

    def played(env: zoo.Against, seed: int) -> tuple[list[str], float]:
        positions, score = [], 0.0
        for first in [True] + [False] * 9:
            _, info = env.reset(seed=seed if first else None)
            over, reward = False, 0.0
            while not over:
                _, reward, over, _, info = env.step(info["optimal"][0])
                positions.append(str(info["position"]))
            score += reward
        return positions, score

    # Values of nim are known at once: the levels of a long time find them, too.
    weak = zoo.Against("nim:3,5,7", player=2, level=1, time=100)
    assert played(weak, 5) == played(weak, 5) != played(weak, 6)
    assert played(weak, 5)[1] > -10
    perfect = zoo.Against("nim:3,5,7", player=2)
    assert played(perfect, 5) == played(perfect, 5) != played(perfect, 6)
    assert played(perfect, 5)[1] == -10


def test_gymnasium_takes_a_callable_as_the_opponent() -> None:
    pytest.importorskip("gymnasium")
    pytest.importorskip("pettingzoo")
    import grundy.pettingzoo as zoo

    env = zoo.Against("nim:3,5,7", player=2, opponent=lambda position: position.moves()[-1])
    _, info = env.reset(seed=1)
    start = grundy.Game("nim:3,5,7").start()
    assert info["position"] == start.play(start.moves()[-1])
    with pytest.raises(TypeError, match="expected one of level= and opponent="):
        zoo.Against("tictactoe", level=3, opponent=lambda position: position.moves()[0])
    for level in 0, 9:
        with pytest.raises(ValueError, match=f"^level={level}: expected 1 to 8"):
            zoo.Against("tictactoe", level=level)
    with pytest.raises(ValueError, match="illegal move"):
        zoo.Against("tictactoe", player=2, opponent=lambda _position: "z9").reset()


def test_gymnasium_makes_the_environment_with_its_render_mode() -> None:
    gymnasium = pytest.importorskip("gymnasium")
    pytest.importorskip("pettingzoo")
    import grundy.pettingzoo as zoo

    gymnasium.register(id="Grundy-v0", entry_point="grundy.pettingzoo:Against", kwargs={"max_moves": 9})
    env = gymnasium.make("Grundy-v0", render_mode="ansi")
    env.reset()
    assert env.render_mode == "ansi" and env.render() == env.unwrapped.position.text()
    for make in zoo.AEC, zoo.Against:
        silent = make("nim:1", render_mode=None)
        silent.reset()
        assert silent.render() is None and make("nim:1").render_mode == "ansi"
        with pytest.raises(ValueError, match="^render_mode='human': expected 'ansi', or None"):
            make("nim:1", render_mode="human")


def test_python_chess_probes_and_plays() -> None:
    chess = pytest.importorskip("chess")
    import grundy.chess

    with grundy.chess.open_tablebase() as tables:
        assert tables.probe_dtm(chess.Board("k7/8/1K6/8/8/8/8/6Q1 w - - 0 1")) == 1
        assert tables.probe_wdl(chess.Board("8/8/8/8/8/2k5/2p5/2K5 w - - 0 1")) == 0
        assert tables.get_dtm(chess.Board()) is None
    with grundy.chess.popen() as engine:
        board = chess.Board("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1")
        assert board.san(engine.play(board, chess.engine.Limit(time=0.5)).move) == "Ra8#"


def test_environments_refuse_what_they_cannot_hold() -> None:
    pytest.importorskip("pettingzoo")
    import grundy.pettingzoo as zoo

    for make in zoo.AEC, zoo.Against:
        with pytest.raises(ValueError, match="give a larger max_moves"):
            make("tictactoe", max_moves=8).reset()
    wide = zoo.AEC("nim:" + ",".join(["1"] * 300), max_moves=300)
    wide.reset()
    with pytest.raises(ValueError, match="expected at most 512"):
        wide.observe("player_1")
    env = zoo.AEC("tictactoe")
    env.reset()
    for wrong in 9, -1, 0.5, "0":
        with pytest.raises(ValueError, match="illegal action"):
            env.step(wrong)
    against = zoo.Against("tictactoe")
    for wrong in 9, -1, 0.5, 5000:
        against.reset()
        _, reward, over, _, info = against.step(wrong)
        assert reward == -1 and over and info["illegal"]
    for player in 0, 3:
        with pytest.raises(ValueError, match="^player="):
            zoo.Against("tictactoe", player=player)


def test_a_game_that_the_agent_never_plays_ends_at_its_first_step() -> None:
    pytest.importorskip("gymnasium")
    import grundy.pettingzoo

    env = grundy.pettingzoo.Against("nim:1", player=2)
    _, info = env.reset()
    assert info["moves"] == []
    _, reward, over, truncated, info = env.step(0)
    assert reward == -1 and over and not truncated and not info["illegal"]


def test_boards_that_are_no_positions_of_chess_have_no_value() -> None:
    chess = pytest.importorskip("chess")
    variant = pytest.importorskip("chess.variant")
    import grundy.chess

    with grundy.chess.open_tablebase() as tables:
        for fen in "8/8/8/8/8/8/8/k7 w - - 0 1", "8/8/8/8/8/8/8/8 w - - 0 1", "8/8/8/8/8/8/k7/K6Q w - - 0 1", "P7/8/8/8/8/8/k7/6K1 w - - 0 1":
            assert tables.get_dtm(chess.Board(fen)) is None and tables.get_wdl(chess.Board(fen), 7) == 7
        with pytest.raises(ValueError, match="atomic"):
            tables.get_dtm(variant.AtomicBoard("k7/8/1K6/8/8/8/8/6Q1 w - - 0 1"))


def test_openspiel_is_asked_by_name() -> None:
    pytest.importorskip("pyspiel")
    import grundy.openspiel

    with pytest.raises(TypeError, match="expected a str"):
        grundy.openspiel.load(grundy.Game("tictactoe"))  # type: ignore[arg-type]
