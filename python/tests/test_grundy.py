"""The package against what is known of its games."""

import csv
import gc
import pathlib
import pickle
import random
import signal
import threading
import time as clock
from fractions import Fraction
from typing import Callable

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
    assert sorted([position, game.start()])[0] == game.start() and position > game.start()
    assert pickle.loads(pickle.dumps(Value("win", plies=3))) == Value("win", plies=3)


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
    with pytest.raises(ValueError, match="the game is over"):
        Game("nim:1").start().play("1:1").choose()
    with pytest.raises(ValueError, match="illegal move"):
        Game("tictactoe").start().search(moves=["b2", "z9"])
    with pytest.raises(RuntimeError, match="no table"):
        Game("othello").solve()
    for time in (-1.0, float("nan")):
        with pytest.raises(ValueError, match="expected seconds"):
            Game("tictactoe").start().value(time)


def test_values_are_ordered_and_kinds_are_not_mixed() -> None:
    order = [Value("loss", 2), Value("loss", 8), Value("loss"), Value("draw"), Value("win"), Value("win", 5), Value("win", 3)]
    assert sorted(reversed(order)) == order and [-value for value in reversed(order)][0] == Value("loss", 3)
    assert Value("draw") == Value(points=0) and hash(Value("draw")) == hash(Value(points=0)) and Value(points=1) != Value("win", 0)
    with pytest.raises(TypeError):
        Value("win") < Value(points=3)


def test_values_are_exact_or_none() -> None:
    assert Game("mnk:4,4,4").start().value() == Value("draw")
    assert Game("connect4:4x4").start().value(20) == Value("draw")
    began = clock.monotonic()
    chess = Game("chess").start()
    assert chess.value(0.1) is None and chess.best_moves(0.1) is None and set(chess.values(0.1).values()) == {None}
    assert clock.monotonic() - began < 3
    values = Game("nim:3,5,7").start().values()
    assert sum(value == Value("win") for value in values.values()) == 3
    assert Game("dots:2x2").start().value() == Value(points=2)


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


@pytest.mark.parametrize("ask", ["search", "choose", "value", "values", "perft", "solve"])
def test_ctrl_c_stops_every_question(ask: str, tmp_path: pathlib.Path) -> None:
    chess = Game("chess").start()
    questions: dict[str, Callable[[], object]] = {
        "search": lambda: chess.search(600),
        "choose": lambda: chess.choose(600),
        "value": lambda: chess.value(600),
        "values": lambda: chess.values(600),
        "perft": lambda: chess.perft(9),
        "solve": lambda: Game("mnk:5,4,4", tables=tmp_path).solve(),
    }
    interrupt = threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT))
    began = clock.monotonic()
    # Shells start work in the background with Ctrl-C ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        interrupt.start()
        with pytest.raises(KeyboardInterrupt):
            questions[ask]()
    finally:
        signal.signal(signal.SIGINT, before)
    assert clock.monotonic() - began < 5


def test_other_threads_run_while_a_search_does() -> None:
    done = threading.Event()
    counted = 0

    def count() -> None:
        nonlocal counted
        while not done.is_set():
            counted += 1
            clock.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    Game("chess").start().search(0.5)
    done.set()
    thread.join()
    assert counted > 50


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
    # The numbering has room for boards that cannot arise.
    assert 700 < len(pairs) < int((table.values != -(2**31)).sum())
    assert all(position.value() == value for position, value in pairs[::97])
    codes = game.values([position for position, _ in pairs])
    assert len(game.values([])) == 0
    with pytest.raises(ValueError, match="line feed"):
        game.values(["\n"])
    assert [Value.decode(code, None) for code in codes] == [value for _, value in pairs]
    assert codes.dtype == numpy.int32 and len(codes) == len(pairs)
    assert all(table.index(position) is not None for position, _ in pairs)
    assert table.index("nonsense") is None and table.position(table.index(game.start()) or 0) == game.start()
    assert table.verify().startswith("proved")


@pytest.mark.parametrize("name", ["tictactoe", "police", "lgame"])
def test_a_table_is_exported(name: str, tmp_path: pathlib.Path) -> None:
    pyarrow = pytest.importorskip("pyarrow.parquet")
    steps: list[str] = []
    game = Game(name, tables=tmp_path)
    table = game.solve(save=True, progress=lambda step, _done, _total: steps.append(step))
    table.to_csv(tmp_path / "table.csv")
    table.to_parquet(tmp_path / "table.parquet")
    rows = pyarrow.read_table(tmp_path / "table.parquet").to_pylist()
    with open(tmp_path / "table.csv", newline="", encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    assert len(rows) == len(lines) > 0
    for row, line in list(zip(rows, lines))[::max(1, len(rows) // 100)]:
        position = game.position(row["position"])
        assert (line["position"], line["best_moves"].split()) == (row["position"], row["best_moves"])
        assert position.turn == row["turn"] == int(line["turn"])
        assert position.value() == game.decode(row["value"]) and set(row["best_moves"]) == set(position.best_moves() or ())


def test_a_table_is_a_data_frame() -> None:
    pytest.importorskip("pandas")
    game = Game("tictactoe")
    table = game.solve(save=False)
    frame = table.to_pandas()
    assert [*map(str, frame.dtypes[["turn", "value"]])] == ["int8", "int32"]
    rows = frame.to_dict("records")
    for row, (position, value) in list(zip(rows, table))[::97]:
        assert (game.position(row["position"]), row["turn"]) == (position, position.turn)
        assert game.decode(row["value"]) == value and set(row["best_moves"]) == set(position.best_moves() or ())
    brief = table.to_pandas(best=False)
    assert list(brief.columns) == ["position", "turn", "value"] and len(brief) == len(rows) == len(list(table))


def test_rules_and_graphs_are_games(tmp_path: pathlib.Path) -> None:
    networkx = pytest.importorskip("networkx")
    graph = networkx.DiGraph([("a", "b"), ("b", "c"), ("a", "c")])
    game = Game(graph=graph)
    assert game.start().value() == Value("win", plies=1) and list(game.start().play("b").successors()) == ["c"]
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
    assert position.draw().startswith("<svg") and "<style>" in position.draw()._repr_svg_() == position._repr_svg_()
    tree = Game("nim:2").start().tree(2)
    assert tree["value"] == Value("win") and len(tree["moves"]) == 2


def test_canonical_forms_agree_with_the_engine() -> None:
    draw = random.Random(1)
    for name in ("domineering:2x4", "hackenbush:RBBG,BR", "col:2x3", "toads-and-frogs:TT..FF"):
        position = Game(name).start()
        while not position.is_over:
            form = position.cgt()
            assert form is not None and Form.read(str(form)) is form and pickle.loads(pickle.dumps(form)) is form
            left = Game(name).position(f"{str(position).rsplit(' ', 1)[0]} 1")
            right = Game(name).position(f"{str(position).rsplit(' ', 1)[0]} 2")
            options = [
                [option for child in side.successors().values() if (option := child.cgt()) is not None]
                for side in (left, right)
            ]
            assert Form(*options) is form
            position = position.play(draw.choice(position.moves()))


def test_the_walls_of_hot_forms_meet_at_their_temperature() -> None:
    """Forms and values of the engine's own tests, of which {2|-1/2} is in Winning Ways, chapter 6."""
    known = {"3": "-1 3", "-3/4": "-1/4 -3/4", "^^*": "0 0", "tiny(2)": "0 0", "{2|-1/2}": "5/4 3/4", "{1|0}": "1/2 1/2"}
    known |= {"{4|{1|0}}": "7/4 9/4", "+-({4|{1|0}})": "9/4 0", "{1,{5|0}|-3}": "11/4 -1/4"}
    for word, mast in known.items():
        form = Form.read(word)
        assert f"{form.temperature} {form.mean}" == mast
        assert ((-form).temperature, (-form).mean) == (form.temperature, -form.mean)
    hot, threat = Form.read("{1,{5|0}|-3}"), Form.read("{4|{1|0}}")
    walls = [" ".join(f"{temperature},{value}" for temperature, value in wall) for wall in threat.thermograph]
    # Right's reply to 0 cools Left's threat: the right wall is upright up to 1/2.
    assert walls == ["0,4 7/4,9/4", "0,1 1/2,1 7/4,9/4"]
    assert (hot + threat).mean == hot.mean + threat.mean and (hot + threat).temperature <= hot.temperature


def test_judging_finds_the_slip() -> None:
    judgement = grundy.judge("tictactoe", ["b2", "b1", "a1", "c3"])
    assert [verdict.move for verdict in judgement.slips] == ["b1"]
    assert judgement.regret(2) == 1.0 and judgement.regret(1) == 0.0


def test_the_referee_judges_a_callable(tmp_path: pathlib.Path) -> None:
    draw = random.Random(3)

    def careless(position: grundy.Position) -> str:
        return draw.choice(position.moves())

    report = grundy.match(careless, "name=perfect grundy", "tictactoe", games=6, movetime=200)
    assert len(report.games) == 6 and report.code in (0, 1)
    slips = [len(judgement.slips) for judgement in report.judgements()]
    assert sum(slips) > 0 and report.regret("careless") >= sum(slips) and report.regret("perfect") == 0
    assert all(verdict.kept_by for judgement in report.judgements() for verdict in judgement.slips)
    perfect = grundy.match(lambda p: (p.best_moves() or p.moves())[0], "name=perfect grundy", "nim:3,5", games=2)
    assert perfect.clean
    proof = tmp_path / "proof"
    audited = grundy.audit("name=perfect grundy", "tictactoe", certificate=proof)
    assert "value proved: draw" in audited.text and grundy.check(proof).clean


def test_what_a_callable_raises_comes_back() -> None:
    class Tired(Exception):
        pass

    def tired(_position: grundy.Position) -> str:
        raise Tired

    with pytest.raises(Tired):
        grundy.match(tired, "name=perfect grundy", "tictactoe", games=1)
    with pytest.raises(StopIteration):
        grundy.match(lambda _position: next(iter([])), "name=perfect grundy", "nim:2", games=1)
    with pytest.raises(StopIteration):
        grundy.audit(lambda _position: next(iter([])), "nim:2")


def test_a_report_keeps_the_graphs_it_was_given() -> None:
    networkx = pytest.importorskip("networkx")
    edges = [("a", "b"), ("a", "c"), ("b", "c"), ("c", "d")]
    report = grundy.match(lambda p: p.moves()[0], "name=perfect grundy", [Game(graph=networkx.DiGraph(edges)), "nim:2"], games=2)
    gc.collect()
    again = pickle.loads(pickle.dumps(report))
    assert len(report.games) == 4 and report.judgements() == again.judgements() and "_given" not in repr(report)
    assert report.regret("perfect") == 0 and report.judgements()[0].moves[0].position.game.start().moves() == ["b", "c"]


def test_equilibria_are_fractions() -> None:
    assert grundy.equilibrium([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])["value"] == Fraction(0)
    with pytest.raises(ValueError):
        grundy.equilibrium([[1, 2], [3]])
