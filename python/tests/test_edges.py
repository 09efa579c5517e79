"""Large, strange and wrong arguments: each has an exact answer or is refused in one line."""

import gc
import os
import pathlib
import pickle
import subprocess
import sys
import threading
import typing
import time as clock
from fractions import Fraction
from typing import Any, Callable

import pytest

import grundy
from grundy import Game, Value, cgt
from grundy._served import Server
from grundy.cgt import Form


def test_large_forms_take_no_time() -> None:
    began = clock.monotonic()
    assert Game("hackenbush:" + "G" * 20 + ",B").start().cgt() == Form.read("1*20")
    assert Form.nimber(16) + Form.nimber(8) is Form.nimber(24) and Form.read("1*30") - 1 is Form.nimber(30)
    assert Form.read("^1000*1000") - Form.read("^999*1001") is Form.read("^*") and Form.read("^*32").fuzzy(0) is False
    assert str(Form.read("{300|-300}") + Form.read("^300*3")) == "{300^300*3|-300^300*3}"
    assert Form.read("{300|-300}") + Form.read("{300|-299}") is Form.read("{{600|1}|{0|-599}}")
    assert clock.monotonic() - began < 5


def test_deep_forms_do_not_end_the_stack() -> None:
    for name, word in ("hackenbush:" + "B" * 501, "501"), ("nim:1001", "*1001"):
        assert str(Game(name).start().cgt()) == word
    stalk = Game("hackenbush:G" + "B" * 400).start().cgt()
    assert stalk is not None and Form.read(str(stalk)) is stalk and pickle.loads(pickle.dumps(stalk)) is stalk
    assert str(-stalk).startswith("{0|0,{0|0,") and -(-stalk) is stalk
    assert repr(Form.read("^600")) == "Form('^600')" and Form.read("+-" * 2000 + "1") == 0
    assert Form.number(300) + 300 == 600 and Form.number(1) < 501
    assert Form.number(Fraction(1, 2**1200)) > 0
    long = ["{" * 2000, "9" * 5000, "^" + "9" * 5000, "*" + "9" * 5000]
    for text in [*long, "1/2^^3", "{1|2,}", "+-()", "-", "", "1/0", "1/3", "\u0663"]:
        with pytest.raises(ValueError) as refused:
            Form.read(text)
        assert "\n" not in str(refused.value) and len(str(refused.value)) < 100
    with pytest.raises(ValueError, match="dyadic"):
        Form.number(float("inf"))
    with pytest.raises(ValueError, match="too many to list"):
        Form.nimber(10**9).left
    with pytest.raises(ValueError, match="too large"):
        Form.read("{" + ",".join(f"{{{n}|-{n}}}" for n in range(2000)) + "|}")

    def hot(ends: range) -> Form:
        half = len(ends) // 2
        return Form([hot(ends[:half])], [hot(ends[half:])]) if half else Form.number(ends[0] * 2**4000)

    long_one = hot(range(64, 0, -1))
    assert repr(long_one) == "<Form of more than 60000 letters>" and repr(hot(range(4, 0, -1))).startswith("Form('{{")
    with pytest.raises(ValueError, match="too long to write"):
        str(long_one)


def test_forms_that_nobody_uses_are_forgotten() -> None:
    kept = Form.read("{7|{5|-3}}")
    words = [f"{{{n}|-{n + 1}/2}}" for n in range(1000, 1400, 2)]
    for word in words:
        Form.read(word)
    deep = Form.read("+-" * 2000 + "{3|1}")
    cgt._known.clear()
    del deep
    gc.collect()
    before = len(Form._made)
    forms = [Form.read(word) for word in words]
    assert len(Form._made) >= before + len(words) and all(Form.read(str(form)) is form for form in forms)
    del forms
    cgt._known.clear()
    gc.collect()
    assert len(Form._made) <= before and Form.read("{7|{5|-3}}") is kept and kept in {kept}


def test_threads_make_one_form() -> None:
    made: list[list[Form]] = []
    gate = threading.Barrier(8)

    def make() -> None:
        gate.wait()
        made.append([Form.nimber(size) for size in range(5000, 5200)])

    threads = [threading.Thread(target=make) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 8 and all(one is other for several in zip(*made) for one, other in zip(several, several[1:]))


def test_forms_meet_numbers_and_strangers() -> None:
    assert Form([2], [-2]) is Form.read("+-2") and Form([Fraction(1, 2)], [1.0]) == 0.75
    assert 1 - Form.nimber(1) is Form.read("1*") and 0.5 + Form.number(1) == Fraction(3, 2)
    one: Any = Form.number(1)
    assert one == 1.0 and one <= 1.0 and one >= 1.0 and hash(one) == hash(1.0) and {one: 1}[1] == 1
    assert one != "1" and one != Form.nimber(1)
    for wrong in "ab", [None], ["1"]:
        with pytest.raises(TypeError, match="option of a form"):
            Form(wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="expected a str"):
        Form.read(None)  # type: ignore[arg-type]

    class Odd:
        def __radd__(self, other: object) -> str:
            return "odd"

        def __gt__(self, other: object) -> bool:
            return True

    assert one + Odd() == "odd" and one < Odd()
    for stranger in "a", None:
        with pytest.raises(TypeError):
            one + stranger
        with pytest.raises(TypeError):
            one <= stranger


def test_graphs_keep_their_nodes_apart() -> None:
    networkx = pytest.importorskip("networkx")
    with pytest.raises(ValueError, match="nodes 1 and '1' have the same name"):
        Game(graph=networkx.DiGraph([(0, 1), (1, "1"), ("1", 2)]))
    names = ["a\\b", "a\\\\b", 'say \\\\"x"', "two\nlines", "C:\\", 'back\\"', "x\\\ny", "\\"]
    start = Game(graph=networkx.DiGraph([("start", name) for name in names])).start()
    assert start.moves()[:2] == ["a\\b", "a\\\\b"] and len(set(map(str, start.successors().values()))) == len(names)
    assert start.moves()[4] == "C:\\" and str(start.play("a\\b")) == "a\\b 2"
    with pytest.raises(ValueError, match="cannot be written"):
        Game(graph=networkx.DiGraph([("start", "<\\")]))
    strangers: list[Any] = [networkx.Graph([(1, 2)]), [(1, 2)], 5]
    for wrong in strangers:
        with pytest.raises(TypeError, match="expected a path or a networkx.DiGraph"):
            Game(graph=wrong)


def test_graphs_have_decimal_values() -> None:
    networkx = pytest.importorskip("networkx")
    graph = networkx.DiGraph([("a", "b"), ("a", "c")])
    graph.add_node("b", value="1.5")
    graph.add_node("c", value="-2")
    start = Game(graph=graph).start()
    best = Value(points=2)
    assert start.value() == best and start.values() == {"c": best, "b": Value(points=Fraction(-3, 2))}
    assert start.search(depth=2).value == best and start.play("b").margin == Fraction(-3, 2)
    report = grundy.match(first, "name=perfect grundy", start.game, games=1)
    assert report.regret("first") == 3.5
    # What str() writes is a value of a graph.
    graph.add_node("b", value=str(Value.read("+1.5")))
    assert Game(graph=graph).start().values() == start.values()


def test_equal_graphs_are_equal_games_in_any_order() -> None:
    networkx = pytest.importorskip("networkx")
    one = Game(graph=networkx.DiGraph([("a", "b"), ("a", "c"), ("b", "c")]))
    other = Game(graph=networkx.DiGraph([("b", "c"), ("a", "c"), ("a", "b")]))
    assert one == other and hash(one) == hash(other) and one.start() == other.start()
    assert one != Game(graph=networkx.DiGraph([("a", "b"), ("b", "c")])) and pickle.loads(pickle.dumps(one)) == one


def test_a_start_may_be_a_text() -> None:
    networkx = pytest.importorskip("networkx")
    graph = networkx.DiGraph([("a", "b"), ("b", "c"), ("c", "a")])
    for node, word in ("a", "false"), ("b", '"true"'), ("c", ""):
        graph.nodes[node]["start"] = word
    assert str(Game(graph=graph).start()) == "b 1"
    graph.nodes["a"]["start"] = "yes"
    with pytest.raises(ValueError, match="node 'a' has start='yes': expected true or false"):
        Game(graph=graph)


def test_paths_stay_when_the_folder_of_the_moment_changes(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "g.dot").write_text("digraph { a [start=true]; a -> b }")
    monkeypatch.chdir(tmp_path)
    game, report = Game(graph="g.dot"), grundy.match(first, first, Game(graph=pathlib.Path("g.dot")), games=1)
    monkeypatch.chdir(tmp_path.parent)
    assert game.name == f"graph:file={tmp_path / 'g.dot'}" and pickle.loads(pickle.dumps(game)) == game
    assert game.start().draw().startswith("<svg") and [len(judgement.moves) for judgement in report.judgements()] == [1]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be forked here")
def test_the_graph_of_a_game_outlives_a_forked_child(tmp_path: pathlib.Path) -> None:
    pytest.importorskip("networkx")
    program = (
        "import os, pathlib, sys, networkx, grundy\n"
        "game = grundy.Game(graph=networkx.DiGraph([('a', 'b')]))\n"
        "path = pathlib.Path(game.name.split('=', 1)[1])\n"
        "child = os.fork()\n"
        "if child == 0: sys.exit()\n"
        "os.waitpid(child, 0)\n"
        "print(path, path.is_file())\n"
    )
    # Not the sources beside the tests, which lack the native module.
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)
    path, was_there = done.stdout.rsplit(" ", 1)
    assert was_there.strip() == "True" and not pathlib.Path(path).parent.exists()


def test_deep_games_do_not_end_the_stack() -> None:
    assert Game("nim:1").start().perft(3000) == 0
    networkx = pytest.importorskip("networkx")
    line = Game(graph=networkx.path_graph(3000, create_using=networkx.DiGraph)).start()
    assert line.perft(2999) == 1
    tree, plies = line.tree(5000), 0
    while tree["moves"]:
        (tree,) = tree["moves"].values()
        plies += 1
    assert plies == 2999 and tree["position"].is_over and tree["value"] == Value("loss", 0)


def test_moves_are_listed_as_a_whole_or_not_at_all() -> None:
    many = Game("nim:1000001").start()
    for ask in many.moves, many.successors, lambda: list(many.walk()), lambda: many.perft(4):
        with pytest.raises(ValueError, match="more than 1000000"):
            ask()
    assert len(many.play("1:1").moves()) == 1_000_000


def test_numbers_out_of_range_are_named() -> None:
    start = Game("tictactoe").start()
    huge = 2**70
    questions: dict[str, list[Callable[[], object]]] = {
        "depth": [lambda: start.search(depth=-1), lambda: start.search(depth=huge)],
        "nodes": [lambda: start.search(nodes=-1), lambda: start.search(nodes=huge)],
        "level": [lambda: start.choose(level=0), lambda: start.choose(level=9)],
        "seed": [lambda: Game("tictactoe", seed=-1), lambda: Game("tictactoe", seed=huge), lambda: start.choose(seed=-1)],
        "threads": [lambda: Game("tictactoe", threads=-1), lambda: Game("tictactoe", threads=huge)],
        "hash_mb": [lambda: Game("tictactoe", hash_mb=-1), lambda: Game("tictactoe", hash_mb=huge)],
        "memory_mb": [lambda: start.game.solve(memory_mb=-1), lambda: start.game.solve(memory_mb=huge)],
    }
    questions["depth"] += [lambda: start.perft(-1), lambda: start.tree(-1)]
    for name, asked in questions.items():
        for question in asked:
            with pytest.raises(ValueError, match=f"^{name}=.*expected "):
                question()
    for time in 10**400, -(10**400):
        for ask in start.value, start.values, start.search, start.choose, start.nimber, start.cgt:
            with pytest.raises(ValueError, match="^time: expected seconds"):
                ask(time)
    strangers: list[Any] = ["0", 1.5, None]
    for wrong in strangers:
        for count in start.perft, start.tree:
            with pytest.raises(TypeError, match="cannot be interpreted as an integer"):
                count(wrong)
    with pytest.raises(TypeError, match="real number"):
        start.value(strangers[0])


def test_texts_that_utf8_has_not_are_refused() -> None:
    start = Game("tictactoe").start()
    table = start.game.solve(save=False)
    questions: dict[str, Callable[[], object]] = {
        "name": lambda: Game("\ud800"),
        "position": lambda: start.game.position("\ud800"),
        "positions": lambda: start.game.values([start, "\ud800"]),
        "move": lambda: start.play("b2\ud800"),
        "moves": lambda: start.search(moves=["\ud800"]),
    }
    networkx = pytest.importorskip("networkx")
    questions["graph"] = lambda: Game(graph=networkx.DiGraph([("a", "\ud800")]))
    questions["position "] = lambda: table.index("\ud800")
    for name, ask in questions.items():
        with pytest.raises(ValueError) as refused:
            ask()
        assert str(refused.value) == f"{name.strip()}: unexpected '\\ud800': expected text without surrogates"


def test_annotations_can_be_read() -> None:
    for function in Game.__init__, grundy.Position.__init__:
        assert typing.get_type_hints(function)["return"] is type(None)


def test_tables_take_any_integer_within_them(tmp_path: pathlib.Path) -> None:
    numpy = pytest.importorskip("numpy")
    table = Game("tictactoe", tables=tmp_path).solve()
    assert table.position(numpy.uint8(255)) == table.position(255)
    assert list(table.block(numpy.uint8(250), 260)) == list(table.values[250:260])
    questions: dict[str, Callable[[], object]] = {
        "start": lambda: table.block(-1, 5),
        "end": lambda: table.block(0, 2**70),
        "index": lambda: table.position(-1),
    }
    for name, ask in questions.items():
        with pytest.raises(ValueError, match=f"^{name}="):
            ask()
    with pytest.raises(ValueError, match=f"expected 0 to {len(table) - 1}"):
        table.position(len(table))
    steps: list[tuple[str, int, int]] = []
    table.to_csv(tmp_path / "table.csv", progress=lambda *step: steps.append(step))
    assert steps[-1] == ("write", len(table), len(table))
    nowhere: Any = None
    with pytest.raises(TypeError):
        table.to_csv(nowhere)
    pytest.importorskip("pyarrow")
    with pytest.raises(TypeError):
        table.to_parquet(nowhere)
    assert not pathlib.Path("None").exists()


def first(position: grundy.Position) -> str:
    return position.moves()[0]


def test_a_served_callable_leaves_nothing_behind() -> None:
    before = threading.active_count()
    servers = [Server(first, "first") for _ in range(3)]
    for server in servers:
        server.close()
    grundy.match(first, "name=perfect grundy", "nim:2", games=2)
    grundy.audit(first, "nim:2")
    for wrong in ({"games": -1}, {"game": None}, {"game": 5}):
        with pytest.raises((TypeError, ValueError)):
            grundy.match(first, "grundy", **wrong)
    stranger: Any = 5
    with pytest.raises(TypeError, match="expected a command or a callable"):
        grundy.match(first, stranger)
    deadline = clock.monotonic() + 5
    while threading.active_count() > before and clock.monotonic() < deadline:
        clock.sleep(0.01)
    assert threading.active_count() == before


def test_what_is_no_move_of_the_position_loses_the_game() -> None:
    long = "b2\nBecause it is best"
    for answer in long, "b2 a1", "b2\nbestmove a1", "b2\ud800", "\ud800":
        with pytest.raises(ValueError):
            Game("tictactoe").start().play(answer)
        report = grundy.match(lambda _position: answer, "name=perfect grundy", "tictactoe", games=1)
        (line,) = report.games
        assert (report.code, line["result"], line["moves"], line["ending"]["fault"]) == (3, "0-1", [], "illegal-move"), answer
    assert line["ending"]["detail"] == "\\ud800"
    def padded(position: grundy.Position) -> str:
        return f" {(position.best_moves() or position.moves())[0]}\r\n"

    assert grundy.match(padded, "name=perfect grundy", "tictactoe", games=1).clean
    # A node by its name is a move for both.
    networkx = pytest.importorskip("networkx")
    game = Game(graph=networkx.DiGraph([("a", "b c"), ("a", "d\ne")]))
    for answer in "b c", "d\ne":
        assert grundy.match(lambda _position: answer, "name=perfect grundy", game, games=1).clean


def test_a_callable_plays_games_of_any_name(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "two  blanks.dot"
    path.write_text("digraph { a [start=true]; a -> b -> c; a -> c }")

    class Named:
        __name__ = 5

        def __call__(self, position: grundy.Position) -> str:
            return first(position)

    report = grundy.match(Named(), "name=perfect grundy", Game(graph=path), games=2)
    assert len(report.games) == 2 and "player1" in report.games[0]["players"]
    assert "player1" in grundy.audit(Named(), Game(graph=path)).text


def test_texts_are_no_options_and_refusals_have_one_line() -> None:
    with pytest.raises(ValueError, match="-h: No such file"):
        grundy.check("-h")
    side: Any = "3"
    questions: list[Callable[[], object]] = [
        lambda: grundy.match("grundy", "grundy", games=-1),
        lambda: grundy.match("grundy", "grundy", movetime=-5),
        lambda: grundy.audit("grundy", "nim:3", side=side),
        lambda: grundy.match("grundy", "grundy", "-h"),
    ]
    for ask in questions:
        with pytest.raises(ValueError) as refused:
            ask()
        assert "\n" not in str(refused.value) and "--help" not in str(refused.value)


def test_only_matrices_are_solved() -> None:
    numpy = pytest.importorskip("numpy")
    pennies = [[1, -1], [-1, 1]]
    expected = grundy.equilibrium(pennies)
    assert expected == grundy.equilibrium(numpy.array(pennies)) == grundy.equilibrium([["1", "-2/2"], [numpy.float32(-1), 1.0]])
    assert grundy.equilibrium([[numpy.float32(0.1)]])["value"] == Fraction(*numpy.float32(0.1).as_integer_ratio())
    assert grundy.equilibrium([[0.1]])["value"] == Fraction(0.1)
    strangers: list[Any] = ["12", ["12", "34"], [{0: 1}], {0: [1]}, 5, None]
    for wrong in strangers:
        with pytest.raises(TypeError, match="expected a list of rows"):
            grundy.equilibrium(wrong)
    for wrong in [], [[]], [[1], []], [[float("inf")]], [[float("nan")]], [[None]], [["1/0"]], [["x"]]:
        with pytest.raises(ValueError) as refused:
            grundy.equilibrium(wrong)
        assert "\n" not in str(refused.value)
    for wrong in [], [[]]:
        with pytest.raises(ValueError):
            grundy.equilibrium([[1]], wrong)


def test_arrays_have_the_types_of_arguments() -> None:
    pytest.importorskip("numpy")
    import numpy

    game = Game("nim:3,5,7")
    row = numpy.array([1, -1])
    assert grundy.equilibrium(numpy.array([[1, -1], [-1, 1]]), [-row, row])["equilibria"][0]["payoffs"] == [0, 0]
    codes = game.values(numpy.array(["3,5,7 1", "1,1 2"]))
    assert list(map(game.decode, codes)) == [Value("win"), Value("loss")] and len(game.values(str(p) for p in [game.start()])) == 1
    two = numpy.int64(2)
    assert Game("tictactoe", threads=two).start().perft(two) == 72 and Value("win", plies=two) == Value("win", 2)
    assert game.start().search(depth=two).best is not None and len(Game("nim:1").start().tree(two)["moves"]) == 1


def test_data_frames_are_matrices() -> None:
    pandas = pytest.importorskip("pandas")
    pennies = pandas.DataFrame([[1, -1], [-1, 1]], columns=["7", "8"])
    assert grundy.equilibrium(pennies)["row"] == [Fraction(1, 2)] * 2
    assert grundy.equilibrium(pandas.DataFrame({"a": [2**60 + 1], "b": [2.0**62]}))["value"] == 2**60 + 1


def test_judging_begins_anywhere() -> None:
    game = Game("tictactoe")
    start = game.start().play("b2")
    assert str(grundy.judge(game, ["b1"], start=start)) == str(grundy.judge("tictactoe", ["b1"], start=str(start)))
    with pytest.raises(ValueError, match="expected a position of"):
        grundy.judge("mnk:3,3,3", [], start=start)
    strangers: list[Any] = [start, None, 5]
    for wrong in strangers:
        with pytest.raises(TypeError, match="expected a name or a game"):
            grundy.judge(wrong, [])
    odd: Any = 5
    for ask in start.draw, game.solve(save=False).index, lambda odd: grundy.judge(game, [], start=odd):
        with pytest.raises(TypeError, match="expected a position"):
            ask(odd)
    with pytest.raises(TypeError, match="expected a str"):
        Game(odd)


def test_positions_of_another_game_are_refused() -> None:
    game, other = Game("tictactoe"), Game("mnk:3,3,3").start()
    table = game.solve(save=False)
    questions: list[Callable[[], object]] = [
        lambda: game.values([game.start(), other]),
        lambda: table.index(other),
        lambda: other in table,
        lambda: game.start().draw(other),
        lambda: grundy.judge(game, [], start=other),
    ]
    for ask in questions:
        with pytest.raises(ValueError, match=f"expected a position of {game.name}, not of {other.game.name}"):
            ask()
    # Positions of an equal game are positions of the game.
    same = Game("tictactoe").start().play("b2")
    assert table.index(same) == table.index(str(same)) and game.values([same])[0] == game.values([str(same)])[0]
    assert game.start().draw(same) == game.start().draw(game.start().play("b2"))


def test_tables_contain_positions_and_are_not_pickled() -> None:
    table = Game("tictactoe").solve(save=False)
    start = table.game.start()
    assert start in table and str(start) in table and start.play("a3") in table and "nonsense" not in table
    assert all(position in table for position, _ in table)
    strangers: list[Any] = [None, 5, b"x", next(iter(table))]
    for wrong in strangers:
        with pytest.raises(TypeError, match="expected a position or its text"):
            wrong in table
    with pytest.raises(TypeError, match="pickle its game"):
        pickle.dumps(table)


def test_values_are_read_strictly_and_pickled() -> None:
    for text in "win", "win:5", "loss:0", "draw", "+3", "-1/2", "+0":
        value = Value.read(text)
        assert str(value) == text
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            assert repr(pickle.loads(pickle.dumps(value, protocol))) == repr(value)
    for text, points in ("+1.5", Fraction(3, 2)), ("+0.0", Fraction(0)), ("-2.5", Fraction(-5, 2)), ("+0.125000", Fraction(1, 8)):
        value = Value.read(text)
        assert value == Value(points=points) == Value.read(str(value))
    for wrong in "", "win:", "win: 5", "win:-1", "win:1_0", "win:\u0663", "draw:3", "+1e3", "+1.", "+.5", "+1.5/2", "1.5", "-1/0", "+1_0", "+", "3", "won":
        with pytest.raises(ValueError):
            Value.read(wrong)
    for plies in 2**31, 10**30, -1:
        with pytest.raises(ValueError, match="^plies="):
            Value("win", plies)
    half: Any = 0.5
    with pytest.raises(TypeError):
        Value("win", half)
    assert Value("win", 2**31 - 1) > Value("draw")
