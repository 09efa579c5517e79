//! `nim_*.tsv`: piles, outcome, all winning moves as `pile:take` with piles counted from 0.

use grundy_core::game::Player;
use grundy_core::game::{Game, Notation, legal_moves};
use grundy_heaps::heap_game::{HeapGame, Position};
use grundy_heaps::nim::Nim;
use grundy_session::quiet_work;
use grundy_sums::formula::ByFormula;
use grundy_sums::sum::BySum;
use grundy_tables::Oracle;

use super::{heap_game, keeping_moves, outcome, winning_moves};
use grundy_contract::{TruthRow, rows};

/// Returns game, position and moves of a row, the moves in the project's notation.
fn read(row: &TruthRow, max: Option<u64>, misere: bool) -> (HeapGame, Position, Vec<String>) {
    let heaps = row.numbers("piles");
    let game = heap_game(Nim::new(heaps, max, misere));
    let position = game.start();
    let mut moves: Vec<String> = row
        .words("win_moves", ';')
        .iter()
        .map(|word| {
            let (pile, take) = word.split_once(':').unwrap();
            format!("{}:{take}", pile.parse::<u64>().unwrap() + 1)
        })
        .collect();
    moves.sort();
    (game, position, moves)
}

fn check(row: &TruthRow, max: Option<u64>, misere: bool) {
    let (game, position, moves) = read(row, max, misere);
    let name = game.write_position(&position);
    assert_eq!(outcome(ByFormula.value(&game, &position)), row.get("outcome"), "{name}");
    assert_eq!(keeping_moves(&game, &ByFormula, &position), moves, "{name}");
    assert_eq!(winning_moves(&game, &ByFormula, &position), moves, "{name}");
    if !misere {
        let sum = BySum::default();
        assert_eq!(outcome(sum.value(&game, &position)), row.get("outcome"), "{name}");
        assert_eq!(
            sum.grundy(&game, &position, &quiet_work()),
            ByFormula.grundy(&game, &position, &quiet_work()),
            "{name}"
        );
        assert_eq!(winning_moves(&game, &sum, &position), moves, "{name}");
    }
}

#[test]
fn normal_play_is_as_in_the_truth_file() {
    rows!("nim_normal.tsv").iter().for_each(|row| check(row, None, false));
}

#[test]
fn misere_play_is_as_in_the_truth_file() {
    rows!("nim_misere.tsv").iter().for_each(|row| check(row, None, true));
}

#[test]
fn bounded_play_is_as_in_the_truth_file() {
    for row in rows!("nim_bounded.tsv") {
        check(&row, Some(row.number("k")), row.get("play") == "misere");
    }
}

/// `n_winning_piles` counts the piles that have a winning move, -1 where nobody counted.
#[test]
fn large_positions_are_as_in_the_truth_file() {
    for row in rows!("nim_large.tsv") {
        let max = Some(row.number("k")).filter(|&k| k > 0);
        let game = heap_game(Nim::new(row.numbers("piles"), max, row.get("play") == "misere"));
        let position = game.start();
        assert_eq!(outcome(ByFormula.value(&game, &position)), row.get("outcome"));
        let mut piles: Vec<u32> =
            ByFormula.keeping_moves(&game, &position).unwrap().iter().map(|m| m.at[0]).collect();
        piles.dedup();
        if row.get("n_winning_piles") != "-1" {
            assert_eq!(piles.len() as u64, row.number("n_winning_piles"));
        }
    }
}

#[test]
fn formula_and_sum_agree_on_every_small_position() {
    for max in [None, Some(1), Some(2), Some(3), Some(5)] {
        let game = heap_game(Nim::new(vec![7], max, false));
        let sum = BySum::default();
        for code in 0..8 * 8 * 8 * 4_u64 {
            let heaps = vec![code % 8, code / 8 % 8, code / 64 % 8, code / 512];
            let position = Position { heaps, turn: Player::Two };
            assert_eq!(sum.value(&game, &position), ByFormula.value(&game, &position));
            assert_eq!(
                sum.grundy(&game, &position, &quiet_work()),
                ByFormula.grundy(&game, &position, &quiet_work())
            );
        }
    }
}

#[test]
fn a_move_is_read_only_where_it_is_legal() {
    let game = heap_game(Nim::new(vec![3, 0, 7], Some(4), false));
    let start = game.start();
    for m in legal_moves(&game, &start) {
        assert_eq!(game.read_move(&start, &game.write_move(&start, m)), Some(m));
    }
    for word in ["", ":", "1", "1:0", "0:1", "4:1", "2:1", "1:4", "3:5", "1:-1", "01:1", "1:01", "1:1:1"] {
        assert_eq!(game.read_move(&start, word), None, "{word}");
    }
    assert_eq!(game.read_move(&start, "99999999999999999999:99999999999999999999"), None);
}

#[test]
fn bad_positions_are_refused() {
    let game = heap_game(Nim::new(vec![3], None, false));
    for text in ["", "1 2 3", "3,5 3", "a,b", "3,,5", "3,5,", "-1", "99999999999999999999", "3,5 1 1"] {
        let line = game.read_position(text).unwrap_err();
        assert!(!line.contains('\n') && !line.is_empty(), "{text}: {line}");
    }
}
