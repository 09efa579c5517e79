//! The games of the folder `rules/`: known counts and known values.

use grundy_contract::Contract;
use grundy_core::game::{Game, Notation, perft};
use grundy_rules::library;
use grundy_session::{NEVER, Settings, Work};
use grundy_solve::discovered::{Keys, Packed, Reach, find, solve};

use super::game;

fn work(threads: usize) -> Work<'static> {
    Work { stop: &NEVER, threads, memory_limit: None, report: &|_| {} }
}

#[test]
fn every_file_tells_its_origin_and_loads() {
    assert!(library::names().len() >= 25);
    for name in library::names() {
        let text = library::game(name).unwrap();
        assert!(
            text.lines().take(3).all(|line| line.starts_with("// ")),
            "{name}: three lines of comment first"
        );
        let rules = game(name);
        assert!(!rules.program.directives.about.is_empty(), "{name}");
        assert!(rules.fault().is_none(), "{name}");
        assert!(rules.bits().is_some(), "{name}: positions can be packed");
        let start = rules.write_position(&rules.start());
        assert_eq!(rules.read_position(&start), Ok(rules.start()), "{name}: {start}");
        assert_eq!(start.split(' ').count(), 2, "{name}: {start}");
    }
}

#[test]
fn small_games_keep_the_contract_of_games() {
    Contract::new(game("tictactoe"))
        .positions(5_478)
        .perft(&[9, 72, 504, 3024, 15_120, 54_720, 148_176, 200_448, 127_872])
        .run();
    Contract::new(game("three-mens-morris")).positions(5_390).run();
    for name in
        ["hexapawn", "pong-hau-ki", "mu-torere", "nim", "notakto", "konane", "col", "snort", "reversi"]
    {
        Contract::new(game(name)).limit(2_000).run();
    }
}

#[test]
fn values_known_from_the_literature() {
    let settings = Settings::default();
    for (name, value) in [
        ("tictactoe", "draw"),
        ("three-mens-morris", "win:9"),
        ("hexapawn", "loss:6"),
        ("mu-torere", "draw"),
        ("pong-hau-ki", "draw"),
        ("notakto", "win"),
        ("nim", "win"),
        ("hex", "win"),
        ("domineering", "win"),
        ("mnk", "win"),
        ("dodgem", "win"),
        ("snort", "win"),
        ("col", "loss"),
        ("konane", "loss"),
        ("reversi", "-8"),
    ] {
        let mut session = grundy_rules::ROWS[0].open(&format!("rules:{name}"), &settings).unwrap();
        session.ready(&work(1), None);
        let found = session.value().unwrap().show(session.unit()).to_string();
        assert!(found.starts_with(value), "{name}: {found}, expected {value}");
    }
}

#[test]
fn a_table_is_the_same_however_many_threads_make_it() {
    for name in ["mnk", "achi", "reversi", "quixo"] {
        let rules = game(name);
        let mut made = Vec::new();
        for threads in [1, 3] {
            let found = find(&rules, &Reach::default(), &work(threads)).unwrap().unwrap();
            let mut none = grundy_core::table::NoCheckpoints;
            let table = solve(&rules, &found, &work(threads), &mut none).unwrap();
            made.push((found, table.cells().map(<[u8]>::to_vec)));
        }
        assert!(made[0] == made[1], "{name}");
        assert!(made[0].0.tiers.iter().map(|tier| tier.len()).sum::<usize>() == made[0].0.keys.len());
    }
}

#[test]
fn a_search_for_positions_ends_at_its_limit() {
    let rules = game("connect4");
    let few = Reach { positions: Some(10_000), until: None };
    assert_eq!(find(&rules, &few, &work(1)), Ok(None));
    let small = Work { memory_limit: Some(1 << 20), ..work(1) };
    assert!(matches!(
        find(&rules, &Reach::default(), &small),
        Err(grundy_session::SolveError::TooLarge { .. })
    ));
}

#[test]
fn packed_positions_are_unpacked_as_they_were() {
    for name in ["three-mens-morris", "six-mens-morris", "lgame", "fox-and-hounds"] {
        let rules = game(name);
        for position in rules.early(500) {
            let code = rules.pack(&position).unwrap();
            assert_eq!(rules.unpack(code), position, "{name}");
        }
    }
    let Keys::Small(keys) = Keys::Small(vec![3, 5]) else { panic!("small") };
    assert_eq!(Keys::Small(keys).find(5), Some(1));
}

#[test]
fn perft_in_place_counts_as_perft_over_positions() {
    for name in ["teeko", "quixo", "dodgem", "lgame"] {
        let rules = game(name);
        for depth in 0..3 {
            assert_eq!(rules.perft(&rules.start(), depth), perft(&rules, &rules.start(), depth), "{name}");
        }
    }
}
