//! Chess on 3x3 against a program of its own in C++, which sweeps over all placings with White to move until nothing changes and
//! knows no symmetry but the exchange of the colours: its counts, and its values of the positions of `chess_3x3.tsv` (up to
//! twelve of each distance, and random ones).
//!
//! K. Kryukov has the longest mate (16 moves), one position that is lost in 32 plies (24 with images, colours, and any man on b3),
//! and "about 56 million" positions; that program counts 54,687,564 if boards without pawns are turned, too.

use std::collections::BTreeMap;
use std::sync::Arc;

use grundy_chess::small::SmallChess;
use grundy_contract::{Contract, rows};
use grundy_core::game::{Game, Indexed, Notation, Scored, legal_moves};
use grundy_core::table::{NoCheckpoints, Table};
use grundy_core::value::{Unit, Value};
use grundy_session::{NEVER, Work};
use grundy_tables::tiers::{FinishedTier, Tiered, solve_tier};

/// Numbers of positions by their value, mirror images counted apart.
type Counts = BTreeMap<String, u64>;

#[test]
fn contract() {
    Contract::new(SmallChess::new(4).unwrap()).standard_fen().indexed().heuristic().tiers().run();
    Contract::new(SmallChess::new(9).unwrap())
        .standard_fen()
        .indexed()
        .heuristic()
        .tiered()
        .limit(1_000)
        .run();
}

#[test]
fn five_men_have_the_counts_and_values_of_another_program() {
    let counts = solved(5);
    let expected = [
        97_365, 61_114, 48_579, 27_054, 24_236, 22_884, 16_817, 10_498, 9_111, 6_564, 4_968, 3_234, 2_180,
        1_406, 978, 354, 238, 93, 52, 46, 18, 14, 14, 18, 16,
    ];
    compare(&counts, 177_098 + 27_154, &expected);
}

#[test]
#[ignore = "a minute: cargo test --release -p grundy-chess --test all -- --ignored small"]
fn all_positions_have_the_counts_and_values_of_another_program() {
    let counts = solved(9);
    let expected = [
        49_733_424, 17_515_028, 16_321_717, 9_153_016, 7_121_060, 4_523_466, 3_532_754, 2_487_973, 2_365_876,
        1_743_712, 1_681_768, 1_171_434, 1_019_064, 623_586, 493_067, 302_356, 238_071, 138_824, 104_434,
        54_303, 39_823, 19_332, 15_244, 10_626, 7_224, 3_538, 4_758, 1_288, 786, 964, 350, 82, 12,
    ];
    compare(&counts, 145_518_672 - expected.iter().sum::<u64>(), &expected);
}

/// Compares the counts with those of draws, and of positions that are decided in 0, 1, 2, .. plies.
fn compare(counts: &Counts, draws: u64, expected: &[u64]) {
    let decided = |plies: u32| if plies % 2 == 1 { Value::win_in(plies) } else { Value::loss_in(plies) };
    let values = (0..).map(decided).map(|value| value.show(Unit::Outcome).to_string());
    let mut all: Counts = values.zip(expected.iter().copied()).collect();
    all.insert("draw".to_owned(), draws);
    assert_eq!(counts, &all);
}

/// Solves all tiers of at most `men` men, compares the rows of the file, and counts the values.
fn solved(men: usize) -> Counts {
    let game = SmallChess::new(men).unwrap();
    let work = Work { stop: &NEVER, until: None, threads: 2, memory_limit: None, report: &|_| {} };
    let mut made: Vec<FinishedTier> = Vec::new();
    let mut counts = Counts::new();
    for (at, tier) in game.tiers().iter().enumerate() {
        let table: Table = solve_tier(&game, at, &made, &work, &mut NoCheckpoints).unwrap();
        game.walk(tier.numbers.clone(), &mut |number, position| {
            let value = table.get(number - tier.numbers.start).unwrap();
            let apart = if is_symmetric(&game.write_position(&position)) { 1 } else { 2 };
            *counts.entry(value.show(game.unit()).to_string()).or_default() += apart;
        });
        made.push((tier.numbers.clone(), Arc::new(table)));
    }
    let value = |position: &<SmallChess as Game>::Position| {
        let number = game.index(position);
        let (numbers, table) = made.iter().find(|(numbers, _)| numbers.contains(&number)).unwrap();
        table.get(number - numbers.start).unwrap().show(game.unit()).to_string()
    };
    let name = if men == 9 { "chess-3x3".to_owned() } else { format!("chess-3x3:{men}men") };
    let rows: Vec<_> = rows!("chess_3x3.tsv").into_iter().filter(|row| row.get("game") == name).collect();
    assert!(rows.len() > 100);
    for row in rows {
        let position = game.read_position(row.get("position")).unwrap();
        assert_eq!(game.write_position(&position), format!("{} - - 0 1", row.get("position")));
        assert_eq!(value(&position), row.get("value"), "{}", row.get("position"));
    }
    counts
}

/// Reports whether a board is its own mirror image.
fn is_symmetric(fen: &str) -> bool {
    let rows = fen.split_whitespace().next().unwrap_or("").split('/');
    rows.into_iter().all(|row| row.chars().eq(row.chars().rev()))
}

#[test]
fn positions_are_read_as_fen_and_as_ten_letters() {
    let game = SmallChess::new(9).unwrap();
    // The longest mate, by K. Kryukov: "underpromotion to Knight is necessary".
    let position = game.start();
    assert_eq!(game.write_position(&position), "KpN/bPk/BqN w - - 0 1");
    for same in ["wKpNbPkBqN", "KpN/bPk/BqN w", "KpN/bPk/BqN"] {
        assert_eq!(game.read_position(same).unwrap(), position, "{same}");
    }
    let moves: Vec<String> =
        legal_moves(&game, &position).into_iter().map(|m| game.write_move(&position, m)).collect();
    assert_eq!(moves, ["c1a2", "c1b3", "c3b1", "c3a2"]);
    for (text, why) in [
        ("KpN/bPk w", "3 of 3 squares"),
        ("KpN/bPk/Bq w", "row 1"),
        ("KpN/bPk/BqN x", "expected w or b"),
        ("KpN/bPk/BqN w KQ - 0 1", "castling"),
        ("KpN/bPk/BqN w - - 0 1 7", "six fields"),
        ("kpN/bPk/BqN w", "one king"),
        ("KPN/b1k/BqN w", "last row"),
        ("Kk1/3/3 w", "not in check"),
        ("2k/1B1/K2 w", "not in check"),
        ("", "3 of 3 squares"),
    ] {
        let refused = game.read_position(text).unwrap_err();
        assert!(refused.contains(why), "{text}: {refused}");
    }
}
