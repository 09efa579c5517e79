"""The package against what is known of its games."""

import pickle
import random
import threading
from fractions import Fraction

import pytest

import grundy
from grundy import Game, Value
from grundy.cgt import Form


def test_positions_are_values() -> None:
    game = Game("tictactoe")
    position = game.start().play("b2", "a1")
    assert position == game.position(str(position)) and hash(position) == hash(game.position(str(position)))
    assert pickle.loads(pickle.dumps(position)) == position
    assert len({position, game.position(str(position)), game.start()}) == 2
    assert game.start() != Game("mnk:3,3,3").start()
    assert position.turn == 1 and not position.is_over and position.winner is None


def test_a_refusal_is_one_line() -> None:
    with pytest.raises(ValueError, match="illegal move"):
        Game("tictactoe").start().play("z9")
    with pytest.raises(ValueError, match="bad position"):
        Game("tictactoe").position("nonsense")
    with pytest.raises(ValueError) as refused:
        Game("conect4")
    assert "connect4" in str(refused.value) and "\n" not in str(refused.value)
    with pytest.raises(ValueError, match="the game is over"):
        Game("nim:1").start().play("1:1").search()


def test_values_are_exact_or_none() -> None:
    assert Game("mnk:4,4,4").start().value() == Value("draw")
    assert Game("connect4:4x4").start().value(20) == Value("draw")
    assert Game("chess").start().value(0.1) is None
    values = Game("nim:3,5,7").start().values()
    assert sum(value == Value("win") for value in values.values()) == 3
    assert Game("dots:2x2").start().value() == Value(points=1) or Game("dots:2x2").start().value() == Value(points=-1)


def test_a_search_tells_what_it_finds_and_ends_at_an_exception() -> None:
    lines: list[grundy.Search] = []
    found = Game("connect4:5x4").start().search(10, on_info=lines.append)
    assert lines and found.best == lines[-1].line[0] and found.kind == "exact" and found.value == Value("draw")

    class Enough(Exception):
        pass

    def stop(_line: grundy.Search) -> None:
        raise Enough

    with pytest.raises(Enough):
        Game("chess").start().search(600, on_info=stop)


def test_threads_ask_side_by_side() -> None:
    game = Game("mnk:4,4,4")
    game.start().value()
    faults: list[BaseException] = []

    def ask(seed: int) -> None:
        try:
            draw = random.Random(seed)
            position = game.start()
            while not position.is_over:
                value = position.value()
                best = position.best_moves()
                assert value is not None and best
                position = position.play(draw.choice(best))
            assert position.winner == 0
        except BaseException as fault:
            faults.append(fault)

    threads = [threading.Thread(target=ask, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults


def test_a_table_agrees_with_its_positions() -> None:
    numpy = pytest.importorskip("numpy")
    game = Game("tictactoe")
    table = game.solve(save=False)
    pairs = list(table)
    assert len(pairs) == int((table.values != -(2**31)).sum())
    assert all(position.value() == value for position, value in pairs[::97])
    codes = game.values([position for position, _ in pairs])
    assert [Value.decode(code, None) for code in codes] == [value for _, value in pairs]
    assert codes.dtype == numpy.int32
    assert table.verify().startswith("proved")


def test_a_table_is_exported(tmp_path) -> None:  # type: ignore[no-untyped-def]
    pyarrow = pytest.importorskip("pyarrow.parquet")
    table = Game("police").solve(save=False)
    table.to_csv(tmp_path / "police.csv")
    table.to_parquet(tmp_path / "police.parquet")
    rows = pyarrow.read_table(tmp_path / "police.parquet").num_rows
    lines = (tmp_path / "police.csv").read_text().splitlines()
    assert rows == len(lines) - 1 > 0


def test_rules_and_graphs_are_games(tmp_path) -> None:  # type: ignore[no-untyped-def]
    networkx = pytest.importorskip("networkx")
    graph = networkx.DiGraph([("a", "b"), ("b", "c"), ("a", "c")])
    game = Game(graph=graph)
    assert game.start().value() == Value("win", plies=1)
    assert pickle.loads(pickle.dumps(game.start())).value() == Value("win", plies=1)
    back = Game("nim:2").graph()
    assert back.number_of_nodes() == len(list(Game("nim:2").start().walk())) and back.number_of_edges() == 3
    rules = tmp_path / "row.rbg"
    rules.write_text(
        "#players = first(100), second(100)\n#pieces = e, x\n#variables =\n"
        "#board = rectangle(up,down,left,right, [e, e, e, e])\n#anySquare = (left* + right*)\n"
        "#turn(me; other) = ->me anySquare {e} [x] right {e} [x] [$ me=100, other=0]\n"
        "#rules = [$ second=100] (turn(first; second) turn(second; first))*\n"
    )
    assert Game(rules=rules).start().value() == Value("win", plies=1)


def test_pictures_and_trees() -> None:
    position = Game("connect4").start()
    assert position.draw().startswith("<svg") and "<style>" in position._repr_svg_()
    tree = Game("nim:2").start().tree(2)
    assert tree["value"] == Value("win") and len(tree["moves"]) == 2


def test_canonical_forms_agree_with_the_engine() -> None:
    draw = random.Random(1)
    for name in ("domineering:2x4", "hackenbush:RBBG,BR", "col:2x3", "toads-and-frogs:TT..FF"):
        position = Game(name).start()
        while not position.is_over:
            form = position.cgt()
            assert form is not None and Form.read(str(form)) is form
            left = Game(name).position(f"{str(position).rsplit(' ', 1)[0]} 1")
            right = Game(name).position(f"{str(position).rsplit(' ', 1)[0]} 2")
            options = [
                [child.cgt() for child in side.successors().values()] if not side.is_over else [] for side in (left, right)
            ]
            assert Form(*options) is form
            position = position.play(draw.choice(position.moves()))


def test_judging_finds_the_slip() -> None:
    judgement = grundy.judge("tictactoe", ["b2", "b1", "a1", "c3"])
    assert [verdict.move for verdict in judgement.slips] == ["b1"]
    assert judgement.regret(2) == 1.0 and judgement.regret(1) == 0.0


def test_the_referee_judges_a_callable(tmp_path) -> None:  # type: ignore[no-untyped-def]
    draw = random.Random(3)

    def careless(position: grundy.Position) -> str:
        return draw.choice(position.moves())

    engine = grundy.referee.program("grundy")
    report = grundy.match(careless, f"name=perfect {engine}", "tictactoe", games=6, movetime=200)
    assert len([game for game in report.games if "moves" in game]) == 6
    assert report.code in (0, 1)
    perfect = grundy.match(lambda p: (p.best_moves() or p.moves())[0], f"name=perfect {engine}", "nim:3,5", games=2)
    assert perfect.clean
    proof = tmp_path / "proof"
    audited = grundy.audit(f"name=perfect {engine}", "tictactoe", certificate=proof)
    assert "value proved: draw" in audited.text and grundy.check(proof).clean


def test_equilibria_are_fractions() -> None:
    assert grundy.equilibrium([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])["value"] == Fraction(0)
    with pytest.raises(ValueError):
        grundy.equilibrium([[1, 2], [3]])
