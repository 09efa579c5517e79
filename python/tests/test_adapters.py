"""The adapters against the packages that they are for."""

import random

import pytest

import grundy


def test_openspiel_plays_the_same_tictactoe() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    import grundy.openspiel

    theirs = pyspiel.load_game("tic_tac_toe")
    ours = grundy.openspiel.load("tictactoe")
    draw = random.Random(5)
    for _ in range(50):
        a, b = theirs.new_initial_state(), ours.new_initial_state()
        while not a.is_terminal():
            assert a.current_player() == b.current_player() and not b.is_terminal()
            action = draw.choice(a.legal_actions())
            row, column = divmod(action, 3)
            word = f"{'abc'[column]}{3 - row}"
            words = {b.action_to_string(b.current_player(), k): k for k in b.legal_actions()}
            assert len(words) == len(a.legal_actions())
            a.apply_action(action)
            b.apply_action(words[word])
        assert b.is_terminal() and a.returns() == b.returns()


def test_openspiel_plays_every_small_game_to_its_end() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    import grundy.openspiel

    draw = random.Random(6)
    for name in ("nim:3,5,7", "connect4", "dots:2x2", "hex:4", "lgame", "awari:6"):
        state = grundy.openspiel.load(name, max_length=200).new_initial_state()
        while not state.is_terminal():
            state.apply_action(draw.choice(state.legal_actions()))
        assert sum(state.returns()) == 0
    assert pyspiel.load_game("python_grundy(name=nim:3,5)").new_initial_state().legal_actions() == list(range(8))


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
    observation, info = env.reset(seed=1)
    draw = random.Random(7)
    for _ in range(10):
        observation, info = env.reset()
        over = False
        while not over:
            action = draw.randrange(len(info["moves"]))
            observation, reward, over, _, info = env.step(action)
        assert reward <= 0
    assert check_env is not None


def test_python_chess_probes_and_plays() -> None:
    chess = pytest.importorskip("chess")
    import grundy.chess

    with grundy.chess.open_tablebase() as tables:
        assert tables.probe_dtm(chess.Board("k7/8/1K6/8/8/8/8/7Q w - - 0 1")) == 1
        assert tables.probe_wdl(chess.Board("8/8/8/8/8/2k5/2p5/2K5 w - - 0 1")) == 0
        assert tables.get_dtm(chess.Board()) is None
    with grundy.chess.popen() as engine:
        board = chess.Board("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1")
        assert board.san(engine.play(board, chess.engine.Limit(time=0.5)).move) == "Ra8#"
