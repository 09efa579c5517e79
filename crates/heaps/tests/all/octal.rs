//! `grundy_sequences.tsv`, `octal_sums.tsv`, `kayles_misere_single.tsv`: heaps that are taken from and split.

use std::collections::HashMap;

use grundy_core::game::{Game, Notation, Player, legal_moves};
use grundy_heaps::heap_game::{HeapGame, Position};
use grundy_heaps::heaps::{Heaps, Rule};
use grundy_session::quiet_work;
use grundy_sums::memo::ByMemo;
use grundy_sums::octal::{ByOctal, Period};
use grundy_sums::sum::BySum;
use grundy_tables::Oracle;

use super::{heap_game, keeping_moves, outcome, prepared, winning_moves};
use grundy_contract::rows;

/// Returns the rule of a game by its name in the truth files.
fn rule(name: &str) -> Rule {
    let word = match name {
        "kayles(0.77)" | "kayles" => "kayles",
        "dawsons_kayles(0.07)" | "dawsons_kayles" => "dawsons-kayles",
        "dawsons_chess(0.137)" | "dawsons_chess" => "dawsons-chess",
        "grundys_game" => "grundys-game",
        "laskers_nim(4.333..)" | "laskers_nim" => "laskers-nim",
        "heap_remove3_split(triomino on x cells)" => "0.007",
        // A cross takes its cell and the neighbours, or the two on each side, out of the row.
        "strip_no_adjacent_crosses" => "0.137",
        "treblecross_reduced" => "0.11337",
        other => other.strip_prefix("octal ").unwrap_or_else(|| panic!("unknown game {other}")),
    };
    Rule::read(word).unwrap()
}

fn heaps(rule: Rule, heaps: &[u64], misere: bool) -> HeapGame {
    heap_game(Heaps::new(rule, heaps.to_vec(), misere))
}

#[test]
fn grundy_numbers_are_as_in_the_truth_file() {
    let mut oracles: HashMap<String, (HeapGame, ByOctal, BySum<HeapGame>)> = HashMap::new();
    for row in rows!("grundy_sequences.tsv") {
        let name = row.get("game");
        let (game, octal, sum) = oracles
            .entry(name.to_owned())
            .or_insert_with(|| (heaps(rule(name), &[], false), ByOctal::default(), BySum::default()));
        let (heap, number) = (row.number("n"), row.number("grundy"));
        assert_eq!(octal.number(game, heap, &quiet_work()), Some(number), "{name} {heap}");
        if heap <= 200 {
            assert_eq!(sum.number(game, &vec![heap], &quiet_work()), Some(number), "{name} {heap}");
        }
    }
}

#[test]
fn sums_are_as_in_the_truth_file() {
    for row in rows!("octal_sums.tsv") {
        let game = heaps(rule(row.get("game")), &row.numbers("heaps"), false);
        let octal = ByOctal::default();
        assert_eq!(octal.grundy(&game, &game.start(), &quiet_work()), Some(row.number("grundy_sum")));
        assert_eq!(outcome(octal.value(&game, &game.start())), row.get("outcome"));
        assert_eq!(keeping_moves(&game, &octal, &game.start()), winning_moves(&game, &octal, &game.start()));
    }
}

#[test]
fn misere_kayles_is_as_in_the_truth_file() {
    let memo = ByMemo::default();
    for row in rows!("kayles_misere_single.tsv") {
        let game = heaps(rule("kayles"), &[row.number("n")], true);
        assert_eq!(outcome(prepared(&memo, &game, &game.start())), row.get("misere_outcome"));
    }
}

/// Kayles and Dawson's Kayles have had these periods in print since 1956; the starts are their last exceptions plus 1.
#[test]
fn published_periods_are_found_and_proved() {
    let published = [
        ("kayles", 71, 12),
        ("dawsons-kayles", 53, 34),
        ("dawsons-chess", 52, 34),
        ("0.055", 259, 148),
        ("0.156", 3_479, 349),
        ("0.165", 5_181, 1_550),
        ("0.644", 3_256, 442),
        ("0.356", 7_315, 142),
    ];
    for (name, start, length) in published {
        let game = heaps(Rule::read(name).unwrap(), &[], false);
        assert_eq!(ByOctal::default().period(&game), Some(Period { start, length }), "{name}");
    }
}

#[test]
fn heaps_of_any_size_are_answered_through_the_period() {
    let game = heaps(rule("kayles"), &[1_000_000_000_000, 7, 1_000], false);
    let octal = ByOctal::default();
    let moves = octal.keeping_moves(&game, &game.start()).unwrap();
    assert!(!moves.is_empty());
    for m in moves {
        assert_eq!(outcome(octal.value(&game, &game.play(&game.start(), m))), "LOSS");
    }
}

/// Two ways to a number: the sequence with its period, and the recursion over a heap's options.
#[test]
fn sequence_and_recursion_agree() {
    for code in ["0.77", "4.7", "0.3", "0.007", "4.333", "0.6", "4.0041", "0.00001", "0.7777777", "4.1"] {
        let game = heaps(Rule::read(code).unwrap(), &[], false);
        let (octal, sum) = (ByOctal::default(), BySum::default());
        for heap in (0..300).rev() {
            assert_eq!(
                octal.number(&game, heap, &quiet_work()),
                sum.number(&game, &vec![heap], &quiet_work()),
                "{code} {heap}"
            );
        }
    }
    let game = heaps(Rule::GrundysGame, &[], false);
    let (octal, sum) = (ByOctal::default(), BySum::default());
    for heap in 0..300 {
        assert_eq!(
            octal.number(&game, heap, &quiet_work()),
            sum.number(&game, &vec![heap], &quiet_work()),
            "{heap}"
        );
    }
}

/// Returns the winner by looking at everything, as plainly as can be written.
fn wins(game: &HeapGame, position: &Position) -> bool {
    match game.over(position) {
        Some(value) => outcome(Some(value)) == "WIN",
        None => legal_moves(game, position).into_iter().any(|m| !wins(game, &game.play(position, m))),
    }
}

#[test]
fn small_sums_agree_with_looking_at_everything() {
    for name in ["kayles", "grundys-game", "laskers-nim", "4.7", "0.137"] {
        for misere in [false, true] {
            let game = heaps(Rule::read(name).unwrap(), &[], misere);
            let (octal, memo) = (ByOctal::default(), ByMemo::default());
            for list in [vec![], vec![1], vec![6], vec![5, 2], vec![2, 2, 2], vec![4, 3, 1]] {
                let position = Position { heaps: list, turn: Player::One };
                let truth = if wins(&game, &position) { "WIN" } else { "LOSS" };
                assert_eq!(outcome(prepared(&memo, &game, &position)), truth, "{name} {position:?}");
                if !misere {
                    assert_eq!(outcome(octal.value(&game, &position)), truth, "{name} {position:?}");
                }
            }
        }
    }
}

#[test]
fn moves_and_positions_are_written_as_games_md_fixes_them() {
    let game = heaps(rule("kayles"), &[7, 5], false);
    let play = |position: &str, word: &str| {
        let position = game.read_position(position).unwrap();
        let m = game.read_move(&position, word).unwrap_or_else(|| panic!("{word} is legal"));
        assert_eq!(game.write_move(&position, m), word);
        game.write_position(&game.play(&position, m))
    };
    assert_eq!(play("7,5 1", "1:2"), "5,5 2");
    assert_eq!(play("7,5 1", "2:1:3-1"), "7,3,1 2");
    assert_eq!(play("2,5 2", "1:2"), "5 1");
    assert_eq!(play("1", "1:1"), "0 2");
    assert_eq!(game.write_position(&game.read_position("0").unwrap()), "0 1");
    let start = game.start();
    for word in
        ["", "1", "1:3", "1:0", "3:1", "1:1:1-5", "1:1:6-0", "1:1:4-1", "1:1:5-1-", "0:1", "1:1:", "1:2:-5"]
    {
        assert_eq!(game.read_move(&start, word), None, "{word}");
    }
}

#[test]
fn codes_out_of_range_are_refused_in_one_line() {
    for code in ["", "0", "0.", "0.8", "1.7", "0.0", "4.0x", "7.77", ".77", "0.7.7", "kayle", "0.77 "] {
        let refusal = Rule::read(code).unwrap_err();
        assert!(refusal.contains("octal code") && !refusal.contains('\n'), "{refusal}");
    }
    assert!(Rule::read("4.0").is_ok());
}

/// The period of 0.16: A. Gangolli and T. Plambeck, 1989. It begins with heap 105,351.
#[test]
#[ignore = "takes half a minute without optimisation"]
fn the_period_of_16() {
    record("0.16", 105_351, 149_459);
}

/// A. Flammenkamp, 2000: 0.354 has pre-period 10,061,916 and period 1,180. Minutes with optimisation.
#[test]
#[ignore = "takes minutes with optimisation"]
fn the_period_of_354() {
    record("0.354", 10_061_916, 1_180);
}

/// A. Flammenkamp, as OEIS A071509 gives it: 0.1777 has period 60,620,715, and its last exception is 160,949,017.
#[test]
#[ignore = "takes minutes with optimisation, and a gigabyte"]
fn the_period_of_1777() {
    record("0.1777", 160_949_018, 60_620_715);
}

fn record(code: &str, start: u64, length: u64) {
    let game = heap_game(Heaps::new(Rule::read(code).unwrap(), vec![1], false));
    let found = ByOctal::with_patience(1 << 40).period(&game);
    assert_eq!(found, Some(Period { start, length }), "{code}");
}
