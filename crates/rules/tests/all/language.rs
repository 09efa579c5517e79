//! The language: what is read, and what is refused in which words.

use grundy_core::game::{Game, Notation};
use grundy_rules::game::Rules;
use grundy_rules::parse::parse;
use grundy_session::{NEVER, Shape, SolveError, Work, quiet_work};
use grundy_tables::discovered::{Horizon, find};

/// Returns a small game with these rules.
fn with(rules: &str) -> String {
    format!(
        "#players = first(100), second(100)\n#pieces = e, a\n#variables = n(3)\n\
         #board = rectangle(up,down,left,right,[e,e][e,e])\n#rules = {rules}"
    )
}

fn perft(text: &str, depth: u32) -> u64 {
    let rules = Rules::new(text).unwrap_or_else(|fault| panic!("{}", fault.show(text)));
    rules.perft(&rules.start(), depth)
}

#[test]
fn a_move_is_its_modifiers() {
    // Two ways to one cell are one move, two occurrences two.
    assert_eq!(perft(&with("->first (up* + down*)(left* + right*) {e} [a] ->second {}"), 1), 4);
    assert_eq!(perft(&with("->first ({e}[a] + {e}[a]) ->second {}"), 1), 2);
    assert_eq!(perft(&with("->first ([a] down [a] + down [a] up [a]) ->second {}"), 1), 2);
    // The cell of the switch counts.
    assert_eq!(perft(&with("->first (right + down) ->second {}"), 1), 2);
    assert_eq!(perft(&with("->first (right down + down right) ->second {}"), 1), 1);
    assert_eq!(perft(&with("->first [e, a] ->second {}"), 1), 2);
    assert_eq!(perft(&with("->first . ->second {}"), 1), 1);
    assert_eq!(perft(&with("->first {} ->second"), 1), 0);
}

#[test]
fn constants_are_in_the_name_of_a_move_only_if_letters_do_not_tell_it_apart() {
    let text = with("->first ([a] [$ first=100, second=0] + [b] + [b] [$ n=1] + [b] [$ n=2]) ->second {}")
        .replace("#pieces = e, a", "#pieces = e, a, b");
    let rules = Rules::new(&text).unwrap_or_else(|fault| panic!("{}", fault.show(&text)));
    let start = rules.start();
    let mut moves = Vec::new();
    let _ = rules.moves(&start, &mut |m| {
        moves.push(m);
        grundy_core::game::MORE
    });
    let mut words: Vec<String> = moves.iter().map(|&m| rules.write_move(&start, m)).collect();
    for (word, m) in words.iter().zip(moves) {
        assert_eq!(rules.read_move(&start, word), Some(m), "{word}");
    }
    words.sort();
    assert_eq!(words, ["a2a", "a2b", "a2b1", "a2b2"]);
}

#[test]
fn keepers_take_the_first_move_and_cost_no_ply() {
    let text = with("(->first (. + up) ->> ((up* + down*)(left* + right*) {e} [a] ->>)* ->second)^2 {}");
    assert_eq!(perft(&text, 1), 1);
    assert_eq!(perft(&text, 2), 1);
}

#[test]
fn macros_are_a_preprocessor() {
    // No parentheses come of themselves: `down right^2` leads nowhere on this board.
    assert_eq!(perft(&with("->first [a] ->second {}").replace("#rules", "#m(d) = d^2\n#rules"), 1), 1);
    let text = with("->first go(down right) ->second {}").replace("#rules", "#go(d) = {? d} [a]\n#rules");
    assert_eq!(perft(&text, 1), 1);
    let pasted =
        with("->first x(a; fir) ->second {}").replace("#rules", "#x(p; q) = [p] [$ q~st = 100]\n#rules");
    assert_eq!(perft(&pasted, 1), 1);
    let parts = with("->first all({;}) ->second {}")
        .replace("#rules", "#all(l; r) = (l e r [a] + l a r [e])\n#rules");
    assert_eq!(perft(&parts, 1), 1);
    // Of two definitions with the same number of arguments the first counts.
    let twice = with("->first m(a) ->second {}").replace("#rules", "#m(x) = [x]\n#m(x) = {}\n#rules");
    assert_eq!(perft(&twice, 1), 1);
    assert_eq!(parse(&twice).unwrap().warnings.len(), 1);
}

#[test]
fn boards_of_all_kinds() {
    let hexagon = "#players = f(1), s(1) #pieces = e, a #variables =
        #board = hexagon(nw,ne,e1,se,sw,w, [e,e][e,e,e][e,e])
        #rules = ->f (nw + ne + e1 + se + sw + w)* {e} [a] ->s {? (nw + ne + e1 + se + sw + w)^2} ->f {}";
    assert_eq!(perft(hexagon, 1), 7);
    let cuboid = "#players = f(1), s(1) #pieces = e #variables =
        #board = cuboid(up,down,left,right,front,back, [[e,e][e,e]] [[e,e][e,e]])
        #rules = ->f (down + right + front)* [e] ->s {}";
    assert_eq!(perft(cuboid, 1), 8);
    let graph = "#players = f(1), s(1) #pieces = e #variables =
        #board = x [e] {go: y} y [e] {go: z, back: x} z [e] {go: x}
        #rules = ->f go* [e] ->s {}";
    assert_eq!(perft(graph, 1), 3);
    let holes = "#players = f(1), s(1) #pieces = e #variables =
        #board = rectangle(up,down,left,right,[e, ,e][e,e,e])
        #rules = ->f (up + down + left + right)* [e] ->s {}";
    assert_eq!(perft(holes, 1), 5);
    let rules = Rules::new(holes).unwrap();
    assert_eq!(rules.write_position(&rules.start()), ".#./... 1");
}

#[test]
fn refusals_name_place_and_expectation() {
    for (text, place, what) in [
        (with("->first [a] ->third"), "5:24", "expected a player"),
        (with("->first a ->second"), "5:18", "expected `{..}` to test for it or `[..]` to put it"),
        (with("->first [a]* ->second"), "5:21", "([x])*"),
        (with("->first () ->second"), "5:19", "expected an action"),
        (with("->first (up + ) ->second"), "5:24", "expected an action"),
        (with("->first nowhere ->second"), "5:18", "unknown name `nowhere`"),
        (with("->first {$ n = 1} ->second"), "5:23", "expected a comparison"),
        (with("->first up^0 ->second"), "5:21", "at least 1"),
        (with("->first {? up ->second"), "5:", "expected `}`"),
        (with("->first % ->second"), "5:18", "unexpected character"),
        (
            with("->first [a] ->second").replace("#variables = n(3)\n", ""),
            "4:",
            "section `#variables` is missing",
        ),
        (with("->first [a] ->second").replace("n(3)", "a(3)"), "3:14", "`a` is a piece already"),
        (
            with("->first [a] ->second").replace("[e,e][e,e]", "[e,e][e]"),
            "4:44",
            "expected 2 as in the first row",
        ),
        (
            with("->first [a] ->second").replace("rectangle", "square"),
            "4:10",
            "unknown board `square`: expected rectangle, hexagon, cuboid or the cells of a graph",
        ),
        (with("->first [a] ->second").replace("second(100)", "second(0)"), "1:31", "at least 1"),
        (
            with("->first m(a) ->second").replace("#rules", "#m(x;y) = [x]\n#rules"),
            "6:18",
            "1 argument: expected 2",
        ),
        (with("->first m ->second").replace("#rules", "#m = m\n#rules"), "5:6", "unknown name `m`"),
        (with("->first [a] ->second").replace("#rules", "#m = a ~\n#rules"), "", ""),
        (with("->first [a] ->second") + "\n//@ value points", "6:1", "expected outcome, difference or score"),
        (with("->first [a] ->second") + "\n//@ letters e=.. a=X", "6:1", "one letter"),
        (with("->first [a] ->second") + "\n//@ letters e=X a=X", "6:1", "for `a`: `X` is that of `e`"),
        (with("->first [a] ->second") + "\n//@ letters e=X e=Y", "6:1", "one letter for `e`, which is"),
        (with("->first [a] ->second") + "\n//@ nonsense", "6:1", "expected value, symmetry"),
        (with("->first [a] ->second") + "\n//@ symetry rotate", "6:1", "did you mean `symmetry`?"),
    ] {
        let fault = match Rules::new(&text) {
            Err(fault) => fault,
            Ok(_) if what.is_empty() => continue,
            Ok(_) => panic!("read: {text}"),
        };
        let line = fault.line(&text);
        assert!(line.starts_with(place) && line.contains(what), "{line}, expected {place} {what}");
        assert!(!line.contains('\n') && line.len() < 300, "{line}");
        assert!(fault.show(&text).lines().last().unwrap().trim_end().ends_with('^'));
    }
}

#[test]
fn a_slip_is_told_with_what_may_have_been_meant() {
    let plain = with("->first go [a] ->second").replace("#rules", "#go = (right)\n#rules");
    assert!(Rules::new(&plain).is_ok());
    for (old, new, place, what) in [
        ("#pieces", "#piece", "2:1", "section `#pieces` is missing: is it meant by `#piece`"),
        ("#rules", "#Rules", "6:1", "section `#rules` is missing: is it meant by `#Rules`"),
        ("#rules", "rules", "6:1", "`rules` without its sign: expected `#rules = ..`"),
        ("#variables = n(3)\n", "", "5:", "`#variables =` if there are none"),
        ("#variables", "# counters\n#variables", "3:1", "expected `=`, or `//` in place of `#`"),
        ("#variables", "# counters of men\n#variables", "3:12", "or `//` in place of `#`"),
        ("(right)", "(rigth)", "5:8", "unknown name `rigth`: did you mean `right`?"),
        ("(right)", "(right", "5:7", "`(` is not closed: expected `)`"),
        ("->first go", "->frist go", "6:12", "expected a player; did you mean `first`?"),
        ("go [a]", "go [$ secnd=1] [a]", "6:24", "did you mean `second`?"),
        ("go [a]", "go {$ frst > 1} [a]", "6:24", "did you mean `first`?"),
        ("(right)", "(go)", "5:8", "unknown name `go`: expected the macro of this name above it"),
        ("#go =", "#go(x) =", "6:18", "expected arguments, separated by `;`, for the macro of this name"),
        ("#go", "#a = (right)\n#go", "5:1", "`a` is a piece, which this macro replaces"),
        ("#go", "#first = right\n#go", "5:1", "`first` is a player, which this macro replaces"),
    ] {
        let text = plain.replacen(old, new, 1);
        let line = Rules::new(&text).unwrap_err().line(&text);
        assert!(line.starts_with(place) && line.contains(what), "{line}, expected {place} {what}");
    }
}

/// Returns the remarks of `check-rules`, each with its line and column.
fn remarks(text: &str) -> Vec<String> {
    let report = grundy_rules::check::check(text, 1_000, &quiet_work());
    let report = report.unwrap_or_else(|fault| panic!("{}", fault.show(text)));
    report.warnings.iter().map(|fault| fault.line(text)).collect()
}

#[test]
fn what_macros_do_otherwise_than_meant_is_remarked() {
    let text = with("->first d* [a] ->second {}")
        .replace("#rules", "#d = up left\n#spare = (up)\n#right = left\n#rules");
    let told = remarks(&text);
    for expected in [
        "8:18: `*` applies only to the last word of `d`: expected parentheses around the macro",
        "6:1: macro `spare` is never used",
        "7:1: macro `right` is never used",
        "7:1: `right` is a direction, which this macro replaces: expected another name for the macro",
    ] {
        assert!(told.iter().any(|line| line == expected), "{expected}: {told:#?}");
    }
    let quiet = text.replace("up left", "(up left)");
    assert!(!remarks(&quiet).iter().any(|line| line.contains("applies only")));
}

#[test]
fn a_remark_on_a_macro_is_told_once() {
    let text = with("->first t ->second t").replace("#rules", "#t = {$ 3/0 == 1} [a]\n#rules");
    let told = remarks(&text);
    let of_macro: Vec<&String> = told.iter().filter(|line| line.starts_with("5:6:")).collect();
    assert!(of_macro.len() == 1 && of_macro[0].contains("division by 0: this always fails"), "{told:#?}");
}

#[test]
fn players_who_never_move_and_constants_out_of_bounds_are_remarked() {
    let told = remarks(&with("->first {e} [a] [$ n=4] ->first {}"));
    for expected in [
        "1:1: `second` is never to move: no rule has `->second`",
        "5:26: this always fails: `n` is at least 0 and at most 3",
    ] {
        assert!(told.iter().any(|line| line == expected), "{expected}: {told:#?}");
    }
    let told = remarks(&with("->first {e} [a] [$ n=3] ->second {}"));
    assert!(!told.iter().any(|line| line.contains("never to move") || line.contains("fails")), "{told:#?}");
}

#[test]
fn a_bound_that_does_not_hold_is_told_where_it_stands() {
    let text = with("->first {e} [a] right {e} [a] ->second {}") + "\n//@ rank a<=1";
    let told = remarks(&text);
    assert!(
        told.iter().any(|line| line.starts_with("6:1: `//@ rank a<=1` does not hold: 2 of `a`")),
        "{told:#?}"
    );
}

#[test]
fn other_numbers_of_players_are_refused_by_name() {
    let one = "#players = p(1) #pieces = e #variables = #board = rectangle(u,d,l,r,[e]) #rules = ->p [e]";
    assert!(Rules::new(one).unwrap_err().what.contains("a game of 1 player: expected 2"));
    let three = one.replace("p(1)", "p(1), q(1), s(1)");
    assert!(Rules::new(&three).unwrap_err().what.contains("a game of 3 players: expected 2"));
}

#[test]
fn rules_that_run_away_are_refused_by_name() {
    let keeper = with("->> (->>)*");
    assert!(Rules::new(&keeper).unwrap_err().what.contains("moves of the keeper"));
    let modifiers = with("->first ([a])* ->second");
    let modifiers = Rules::new(&modifiers).unwrap_err().what;
    assert!(modifiers.contains("actions in one move: expected a condition in the loop"), "{modifiers}");
    let check = with("->first {! ([a])* {} } ->second");
    assert!(Rules::new(&check).unwrap_err().what.contains("actions within a check"));
}

#[test]
fn the_checksum_is_of_the_meaning() {
    let plain = parse(&with("->first [a] ->second")).unwrap().checksum();
    let spaced = with("->first   [a] // a comment\n ->second");
    assert_eq!(parse(&spaced).unwrap().checksum(), plain);
    let with_macro = with("->first put(a) ->second").replace("#rules", "#put(p) = [p]\n#rules");
    assert_eq!(parse(&with_macro).unwrap().checksum(), plain);
    assert_ne!(parse(&with("->first [e] ->second")).unwrap().checksum(), plain);
    assert_ne!(parse(&(with("->first [a] ->second") + "\n//@ value score")).unwrap().checksum(), plain);
}

#[test]
fn a_position_is_read_as_it_was_written_and_others_are_refused() {
    let rules = super::game("three-mens-morris");
    for position in rules.early(2_000) {
        let text = rules.write_position(&position);
        assert_eq!(rules.read_position(&text), Ok(position), "{text}");
    }
    for bad in [
        "",
        "1",
        "X../... 1",
        "X../.../... 3 1",
        ".../.../... @99 1",
        ".../.../... @end@end 1",
        "Y../.../... 1",
    ] {
        let refusal = rules.read_position(bad).unwrap_err();
        assert!(!refusal.contains('\n') && refusal.contains("expected"), "{bad}: {refusal}");
    }
}

#[test]
fn a_file_names_the_form_of_its_pictures() {
    let shape = |game: &str| grundy_rules::ROWS[0].describe(game).shape;
    assert_eq!(shape("rules:hex"), Shape::Hexagons);
    assert_eq!(shape("rules:tictactoe"), Shape::Grid);
    let text = grundy_rules::library::game("hex").unwrap().replace("picture hexagons", "picture stars");
    let refusal = Rules::new(&text).unwrap_err().what;
    assert!(refusal.contains("stars") && refusal.contains("expected marks, men"), "{refusal}");
}

#[test]
fn boards_that_are_no_plain_rows_are_laid_out() {
    let plan = |text: &str| grundy_rules::geometry::board_plan(&grundy_rules::parse::parse(text).unwrap());
    let of = |name: &str| plan(grundy_rules::library::game(name).unwrap());
    assert_eq!(of("tictactoe"), None, "rows tell it all");
    let morris = of("six-mens-morris").unwrap();
    assert_eq!((morris.cells.len(), morris.lines.len()), (16, 20));
    assert_eq!((morris.cells[0].x, morris.cells[0].y), (0.0, 4.0), "a1 is below at the left");
    let declared = of("pong-hau-ki").unwrap();
    assert_eq!((declared.cells[2].x, declared.cells[2].y), (1.0, 1.0), "where `//@ places` puts it");
    let star = of("mu-torere").unwrap();
    let apart = |a: usize, b: usize| {
        let (a, b) = (&star.cells[a], &star.cells[b]);
        (a.x - b.x).hypot(a.y - b.y)
    };
    assert_eq!(star.lines.len(), 16);
    for point in 1..9 {
        assert!((apart(0, point) / apart(0, 1) - 1.0).abs() < 0.01, "all points are as far from the centre");
        assert!((1..point).all(|other| apart(point, other) > 0.99), "no two lie on each other");
    }
    let start = "#players = a(1), b(1)\n#pieces = e\n#variables =\n#rules = ->a [e] ->b {}\n";
    let hexagon = plan(&format!("{start}#board = hexagon(p,q,r,s,t,u, [e,e][e,e,e][e,e])")).unwrap();
    assert_eq!(
        (hexagon.form, hexagon.cells[0].x, hexagon.cells[2].x),
        (grundy_session::CellForm::Hexagon, 0.5, 0.0)
    );
    let layers = plan(&format!("{start}#board = cuboid(p,q,r,s,t,u, [[e,e]][[e,e]])")).unwrap();
    assert_eq!((layers.cells[2].name.as_str(), layers.cells[2].x), ("a1^2", 2.5));
    let refused = |places: &str| {
        let text = grundy_rules::library::game("mu-torere")
            .unwrap()
            .replace("//@ letters", &format!("//@ places {places}\n//@ letters"));
        grundy_rules::parse::parse(&text).unwrap_err().what
    };
    assert!(refused("n0=1").contains("cell=column,row"), "{}", refused("n0=1"));
    assert!(refused("n0=nan,2").contains("0 to 100"));
    assert!(refused("n99=1,2").contains("unknown cell `n99`"));
}

#[test]
fn what_the_rules_as_a_whole_do_wrong_is_shown_where_it_stands() {
    let text = "#players = a(1), b(1), c(1)\n#pieces = e\n#variables =\n\
        #board = rectangle(up,down,left,right, [e,e])\n#rules = ->a [e] ->b {}\n";
    let line = |text: &str| Rules::new(text).unwrap_err().line(text);
    assert!(line(text).starts_with("1:"), "{}", line(text));
    assert!(line(text).contains("a game of 3 players: expected 2"), "{}", line(text));
    let text = text.replace(", c(1)", "").replace("->a [e]", "->a\n  ([$ a=1] [$ a=0])*");
    assert!(line(&text).starts_with("6:"), "{}", line(&text));
    assert!(line(&text).contains("more than 20000 actions in one move"), "{}", line(&text));
}

#[test]
fn a_position_with_too_many_moves_is_played_but_not_solved() {
    let row = ["e"; 21].join(",");
    // Each of 20 cells gets a piece or not, in one move.
    let text = format!(
        "#players = a(1), b(1)\n#pieces = e, x\n#variables =\n#board = rectangle(up,down,left,right, [{row}])\n\
         #rules = ->a (([e] + [x]) right)^20 [$ a=1] ->b {{x}} [e] ->> {{}}\n"
    );
    let rules = Rules::new(&text).unwrap();
    let work = Work { stop: &NEVER, until: None, threads: 1, memory_limit: None, report: &|_| {} };
    let found = find(&rules, &Horizon::default(), &work);
    let Err(SolveError::Broken(why)) = found else { panic!("{found:?}") };
    assert!(why.starts_with("more than 1000000 moves at "), "{why}");
    assert_eq!(rules.over(&rules.start()), None);
}

#[test]
fn a_file_with_millions_of_moves_in_a_position_is_checked_in_time() {
    let row = ["e"; 8].join(",");
    let text = format!(
        "#players = a(1), b(1)\n#pieces = e, x\n#variables =\n\
         #board = rectangle(up,down,left,right, [{row}][{row}][{row}])\n\
         #any = (up* + down*)(left* + right*)\n#flip = any ({{e}} [x] + {{x}} [e])\n\
         #rules = [$ b=1] (->a (flip)^5 [$ a=1, b=0] ->b any {{e}} [x] [$ a=0, b=1])*"
    );
    let report = grundy_rules::check::check(&text, 1, &quiet_work()).unwrap();
    let seen = report.facts.iter().find(|fact| fact.starts_with("longest list of moves seen: "));
    assert!(seen.is_some_and(|seen| seen.contains("at least 100,000 at ")), "{:?}", report.facts);
}

#[test]
fn a_game_that_is_over_at_once_has_no_longest_list_of_moves() {
    let report = grundy_rules::check::check(&with("->first {a} ->second"), 100, &quiet_work()).unwrap();
    assert!(report.facts.contains(&"no position with a move was seen".to_owned()), "{:?}", report.facts);
}

#[test]
fn turns_that_are_not_repeated_get_one_remark() {
    let text = "#players = red(100), blue(100)\n#pieces = e, r, b\n#variables =\n\
        #board = rectangle(up,down,left,right,[e,e][e,e])\n#any = (up* + down*)(left* + right*)\n\
        #turn(me; other; p) = ->me any {e} [p] [$ me=100, other=0]\n\
        #rules = turn(red; blue; r) turn(blue; red; b)";
    assert_eq!(remarks(text), ["7:29: the rules end without another `->`: put the turns into `( .. )*`"]);
    let repeated =
        text.replace("turn(red; blue; r) turn(blue; red; b)", "(turn(red; blue; r) turn(blue; red; b))*");
    assert_eq!(remarks(&repeated), [""; 0]);
}

#[test]
fn random_games_tell_what_play_is_like() {
    let text = "#players = red(100), blue(100)\n#pieces = e, r\n#variables =\n\
        #board = rectangle(up,down,left,right,[e,e,e])\n#any = (left* + right*)\n\
        #turn(me; other) = ->me any {e} [r] [$ me=100, other=0]\n#rules = (turn(red; blue) turn(blue; red))*";
    let report = grundy_rules::check::check(text, 100, &quiet_work()).unwrap();
    for expected in [
        "200 random games: 3 to 3 plies, mean 3.0; moves in a position: mean 2.0",
        "won by red: 200, by blue: 0; drawn: 0",
    ] {
        assert!(report.facts.iter().any(|fact| fact == expected), "{:?}", report.facts);
    }
}

/// Returns a game of two players who change their scores as given.
fn scores(first: &str, second: &str, rules: &str) -> Result<Rules, String> {
    let text = format!(
        "//@ value score\n#players = a({first}), b({second})\n#pieces = e, x\n#variables = n(9)\n\
         #board = rectangle(up,down,left,right,[e,e])\n#rules = {rules}"
    );
    Rules::new(&text).map_err(|fault| fault.line(&text))
}

#[test]
fn margins_that_values_do_not_tell_apart_are_refused_by_name() {
    let gains = |points: &str| format!("->a {{e}} [x] [$ a={points}] ->b {{e}} [x] [$ b=1]");
    for (first, second, points) in [
        ("1000000000", "1000000000", "200000000"),
        ("134217726", "1", "a+1"),
        ("1000000000", "1", "a+1"),
        ("1000000000", "9", "n*100000000"),
        ("1000000000", "9", "9*(n*20000000)"),
    ] {
        let why = scores(first, second, &gains(points)).unwrap_err();
        assert!(why.contains("3:1") || why.contains("2:"), "{why}");
        assert!(why.contains("margins of up to") && why.contains("at most 134217726"), "{why}");
    }
    for (first, second, points) in [
        ("100", "100", "100"),
        ("134217725", "1", "a+1"),
        // Declared, and never given.
        ("1000000000", "1000000000", "5"),
        ("1000000000", "9", "n*10000000"),
        ("1000000000", "9", "n/2"),
    ] {
        scores(first, second, &gains(points)).unwrap_or_else(|why| panic!("{points}: {why}"));
    }
    // If only the higher score counts there are no margins.
    let large = "#players = a(1000000000), b(1000000000)\n#pieces = e, x\n#variables =\n\
                 #board = rectangle(up,down,left,right,[e,e])\n#rules = ->a {e} [x] [$ a=900000000]";
    Rules::new(large).unwrap();
}

#[test]
fn a_position_that_runs_away_is_refused_and_changes_no_other() {
    let text = "#players = a(100), b(100)\n#pieces = e, x, o\n#variables = n(3)\n\
        #board = rectangle(up,down,left,right,[e,e,e])\n#any = (left*+right*)\n\
        #rules = (->a any {e} [x] ({! any {o}} + {? any {o}} ([x] [e])* {o}) [$ a=100, b=0] \
        ->b any {e} [x] [$ b=100,a=0])*";
    let rules = Rules::new(text).unwrap_or_else(|fault| panic!("{}", fault.show(text)));
    let away = text_of(&rules, 'o');
    assert!(rules.refusal(&away).is_some_and(|why| why.contains("runs away")));
    let _ = rules.over(&away);
    assert!(rules.refusal(&rules.start()).is_none());
    assert!(rules.over(&rules.start()).is_none(), "the others are as they were");
}

/// Returns the start with another piece on its first cell.
fn text_of(rules: &Rules, letter: char) -> grundy_rules::position::Position {
    let text = rules.write_position(&rules.start());
    rules.read_position(&format!("{letter}{}", &text[1..])).unwrap()
}

#[test]
fn deep_values_and_long_histories_are_refused_or_read_in_time() {
    let deep = (0..100).fold("n".to_owned(), |inside, _| format!("({inside}{})", "+1".repeat(900)));
    let why = parse(&with(&format!("->first {{$ {deep} > 0}} {{e}} [a] ->second {{}}"))).unwrap_err();
    assert!(why.what.contains("at most 2000 operators"), "{}", why.what);
    // Each assignment rests on all before it.
    let again = "->first {e} [a] ([$ n = n + 1])^60 [$ n = 0] [$ first = 100] ->second {}";
    let text = format!("//@ symmetry rotate,reflect\n{}", with(again).replace("n(3)", "n(99)"));
    assert!(Rules::new(&text).is_ok());
    // A keeper with a single move at every place.
    let keeper = "->first {e} [a] ->> ([$ n = n + 1] ->>)* {$ n == 20000} [$ n = 0] ->second {}";
    let text = with(keeper).replace("n(3)", "n(20000)");
    grundy_rules::check::check(&text, 1_000, &quiet_work()).unwrap();
}

#[test]
fn a_variable_that_one_move_raises_step_by_step_is_compared_in_time() {
    let row = ["e"; 24].join(",");
    let text = format!(
        "#players = a(100), b(100)\n#pieces = e, x\n#variables = n(40)\n\
         #board = rectangle(up,down,left,right, [{row}])\n\
         #turn(me; other) = ->me left* {{! left}} ({{e}} [x] [$ n = n + 1] right)* {{e}} [x] {{$ n > 0}} [$ n = 0] \
         [$ me=100, other=0]\n#rules = [$ b=100] (turn(a; b) turn(b; a))*"
    );
    let report = grundy_rules::check::check(&text, 1_000, &quiet_work()).unwrap();
    assert!(report.facts.iter().any(|fact| fact.starts_with("no symmetry is used")), "{:?}", report.facts);
}

#[test]
fn a_directive_with_one_value_stands_once() {
    let text = format!("//@ value outcome\n//@ value score\n{}", with("->first {e} [a] ->second {}"));
    assert!(parse(&text).unwrap_err().what.contains("`//@ value` is there twice"));
}

#[test]
fn columns_are_letters_and_a_triangle_has_six_symmetries() {
    let wide =
        with("->first {e} [a] ->second {}").replace("[e,e][e,e]", &format!("[{}e]", "e,".repeat(1_536)));
    let rules = Rules::new(&wide).unwrap();
    let names = &rules.board_notation.squares;
    assert!(names.iter().all(|name| name.bytes().all(|byte| byte.is_ascii_alphanumeric())), "{names:?}");
    let sides = "hexagon(east,west,northeast,southwest,northwest,southeast,[e][e,e][e,e,e])";
    let triangle = with("(->first ANY {e} [a] ->second ANY {e} [a])*")
        .replace("ANY", "(east + west + northeast + southwest + northwest + southeast)*");
    let triangle = triangle.replace("rectangle(up,down,left,right,[e,e][e,e])", sides);
    let text = format!("//@ symmetry rotate,reflect\n{triangle}");
    let rules = Rules::new(&text).unwrap_or_else(|fault| panic!("{}", fault.show(&text)));
    let corner = rules.perft(&rules.start(), 1);
    assert_eq!(corner, 6);
    let report = grundy_rules::check::check(&text, 1_000, &quiet_work()).unwrap();
    let symmetry = report.warnings.iter().find(|fault| fault.what.contains("symmetr"));
    assert!(symmetry.is_none(), "{symmetry:?}");
}
