//! Numbers by a formula: the same values as those of discovered positions, and what unreachable numbers, declared bounds and
//! points make of them.

use grundy_contract::Contract;
use grundy_core::game::{Game, Indexed, Notation, Scored};
use grundy_core::table::{Meaning, NoCheckpoints};
use grundy_core::value::Unit;
use grundy_rules::check::check;
use grundy_rules::game::Rules;
use grundy_rules::library;
use grundy_rules::numbering::Unnumbered;
use grundy_session::{Assurance, NEVER, SolveError, Work};
use grundy_tables::TableOracle;
use grundy_tables::discovered::{Horizon, Numbered, find, reach, solve, solve_numbered};
use grundy_tables::verify::{verify, verify_acyclic};

use super::game;

fn work(threads: usize) -> Work<'static> {
    Work { stop: &NEVER, until: None, threads, memory_limit: None, report: &|_| {} }
}

/// Returns a game of the folder with one more line for us alone.
fn with_line(name: &str, line: &str) -> Rules {
    let text = format!("{line}\n{}", library::game(name).unwrap());
    Rules::new(&text).unwrap_or_else(|fault| panic!("{name}:{}", fault.show(&text)))
}

/// Compares the table by numbers with that of discovered positions: equal at every position, and all else unused.
fn compare(name: &str, rules: &Rules) {
    let found = find(rules, &Horizon::default(), &work(2)).unwrap().unwrap();
    let discovered = solve(rules, &found, &work(2), &mut NoCheckpoints).unwrap();
    let table = solve_numbered(rules, &work(2), &mut NoCheckpoints).unwrap();
    let reached = rules.reached().unwrap();
    assert_eq!(table.count(), rules.size(), "{name}");
    assert_eq!(reached.count(), found.keys.len() as u64, "{name}");
    for at in 0..found.keys.len() {
        let number = rules.number(found.keys.get(at)).unwrap();
        assert!(reached.has(number), "{name}");
        let position = rules.position(number).unwrap();
        assert_eq!(rules.index(&position), number, "{name}");
        assert_eq!(
            table.get(number),
            discovered.get(at as u64),
            "{name}: {}",
            rules.write_position(&position)
        );
    }
    let used = (0..table.count()).filter(|&number| table.get(number).is_some()).count();
    assert_eq!(used, found.keys.len(), "{name}");
    let mut walked = 0;
    rules.walk(0..rules.size(), &mut |_, _| walked += 1);
    assert_eq!(walked, used, "{name}");
    let assurance = if rules.is_acyclic() { verify_acyclic } else { verify };
    assert_eq!(assurance(rules, &table, &work(2)).unwrap(), Assurance::Proved, "{name}");
}

#[test]
fn numbers_have_the_values_of_discovered_positions() {
    for name in [
        "tictactoe",
        "achi",
        "col",
        "dodgem",
        "domineering",
        "hex",
        "hexapawn",
        "mnk",
        "mu-torere",
        "nim",
        "notakto",
        "pong-hau-ki",
        "quixo",
        "shisima",
        "snort",
        "three-mens-morris",
    ] {
        compare(name, &game(name));
    }
}

#[test]
#[ignore = "minutes: cargo test --release -p grundy-rules --test all -- --ignored large_numberings"]
fn large_numberings_have_the_values_of_discovered_positions() {
    for name in library::names() {
        let rules = game(name);
        if rules.is_numbered() {
            compare(name, &rules);
        }
    }
}

#[test]
fn points_are_solved_by_numbers_where_no_position_comes_again() {
    let text = "//@ letters e=. c=o\n//@ value score\n#players = first(9), second(9)\n#pieces = e, c\n\
        #variables =\n#board = rectangle(up,down,left,right, [c, c, c, c, c])\n#anySquare = (left* + right*)\n\
        #turn(me) = ->me anySquare {c} [e] ([$ me = me + 1] + right {c} [e] [$ me = me + 3])\n\
        #rules = (turn(first) turn(second))*";
    let rules = Rules::new(text).unwrap();
    assert_eq!(rules.unit(), Unit::Points);
    assert!(rules.is_acyclic());
    compare("points", &rules);
    let table = solve_numbered(&rules, &work(1), &mut NoCheckpoints).unwrap();
    assert_eq!(table.coding().meaning, Meaning::Points);
    // Points with cycles are left to thresholds.
    assert_eq!(game("reversi").numbering().err(), Some(Unnumbered::Large(1 << 24)));
}

#[test]
fn the_oracle_by_numbers_keeps_the_contract() {
    for name in ["tictactoe", "three-mens-morris", "dodgem"] {
        Contract::new(game(name))
            .limit(1_000)
            .oracle("numbered", || TableOracle::numbered(&game("achi")))
            .run();
    }
}

#[test]
fn a_table_by_numbers_is_the_same_however_many_threads_make_it() {
    for name in ["mnk", "achi", "quixo"] {
        let made = [1, 3].map(|threads| {
            let table = solve_numbered(&game(name), &work(threads), &mut NoCheckpoints).unwrap();
            table.cells().unwrap().to_vec()
        });
        assert!(made[0] == made[1], "{name}");
    }
}

#[test]
fn declared_bounds_make_numbers_fewer() {
    let size = |rules: &Rules| rules.numbering().map(|numbering| numbering.size());
    assert_eq!(size(&game("connect4")).err(), Some(Unnumbered::Large(1 << 24)));
    assert_eq!(size(&with_line("connect4", "//@ rank x<=10,o<=10")), Ok(1_482_730_098));
    // Classes that the rules themselves exclude need no line.
    let morris = game("three-mens-morris");
    assert_eq!(size(&morris), size(&with_line("three-mens-morris", "//@ rank x<=3, o<=3")));
    assert_ne!(
        Indexed::checksum(&morris),
        Indexed::checksum(&with_line("three-mens-morris", "//@ rank x<=3")),
        "a table of the one is none of the other"
    );
}

#[test]
fn a_bound_that_the_game_breaks_is_refused_by_name() {
    let rules = with_line("three-mens-morris", "//@ rank x<=2");
    let expected = "`//@ rank x<=2` does not hold: 3 of `x` come at ";
    for result in [
        reach(&rules, &Horizon::default(), &work(1)).map(|_| ()),
        solve_numbered(&rules, &work(1), &mut NoCheckpoints).map(|_| ()),
    ] {
        let Err(SolveError::Broken(why)) = result else { panic!("{result:?}") };
        assert!(why.starts_with(expected), "{why}");
    }
    // At the start already.
    let Err(SolveError::Broken(why)) =
        reach(&with_line("dodgem", "//@ rank x<=1"), &Horizon::default(), &work(1))
    else {
        panic!("2 cars")
    };
    assert!(why.starts_with("`//@ rank x<=1` does not hold: 2 of `x` come at "), "{why}");
    let text = format!("//@ rank x<=2\n{}", library::game("three-mens-morris").unwrap());
    let said = check(&text, 100_000, &work(1)).unwrap();
    assert!(said.warnings.iter().any(|warning| warning.what.starts_with(expected)), "{:?}", said.warnings);
}

#[test]
fn positions_that_cannot_be_reached_have_no_value() {
    let rules = game("tictactoe");
    let table = solve_numbered(&rules, &work(1), &mut NoCheckpoints).unwrap();
    for line in ["XXX/OOO/... 1", "XX./.../... 1", "XXX/XXX/XXX 2"] {
        let position = rules.read_position(line).unwrap();
        let number = rules.index(&position);
        assert_eq!(table.get(number), None, "{line}");
        assert_eq!(rules.position(number), None, "{line}");
    }
    assert!(table.get(rules.index(&rules.start())).is_some());
}

#[test]
fn a_search_for_numbers_ends_at_its_limit() {
    let rules = game("mnk");
    let few = Horizon { positions: Some(1_000), until: None };
    assert_eq!(reach(&rules, &few, &work(1)), Ok(false));
    assert!(rules.reached().is_none());
    let small = Work { memory_limit: Some(1 << 16), ..work(1) };
    assert!(matches!(reach(&rules, &Horizon::default(), &small), Err(SolveError::TooLarge { .. })));
}

#[test]
fn lines_of_bounds_are_read_or_refused_by_what_was_expected() {
    for (line, expected) in [
        ("//@ rank x<=3,o<=3", None),
        ("//@ rank x<=3 o<=3", None),
        ("//@ rank", Some("expected piece<=number, as x<=3,o<=3")),
        ("//@ rank x<3", Some("expected piece<=number, as x<=3,o<=3")),
        ("//@ rank x<=-1", Some("expected piece<=number, as x<=3,o<=3")),
        ("//@ rank y<=3", Some("unknown piece `y`: expected one of e, x, o")),
        ("//@ rank x<=3,x<=4", Some("expected one number for each piece")),
    ] {
        let text = format!("{line}\n{}", library::game("tictactoe").unwrap());
        let found = Rules::new(&text).err().map(|fault| fault.line(&text));
        match expected {
            None => assert_eq!(found, None, "{line}"),
            Some(expected) => assert!(found.as_ref().unwrap().contains(expected), "{line}: {found:?}"),
        }
    }
}
