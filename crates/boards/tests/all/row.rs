//! `number_row.tsv` (the rows of fewer than 100 numbers and those of 1,000) and `number_row_positions.tsv`.

use grundy_boards::row::NumberRow;
use grundy_core::game::{Game, Notation};
use grundy_core::value::Value;
use grundy_tables::Oracle;
use grundy_tables::frames::ByFrames;

use super::{pick, valued_moves};
use grundy_contract::rows;

/// Returns margin and best moves of a row typed in while another game is played, and of the game with this row.
fn check(numbers: &str, margin: i32, best: &[String]) {
    let list: Vec<u64> = numbers.split(' ').map(|n| n.parse().unwrap()).collect();
    let own = NumberRow::new(&list).unwrap();
    let other = NumberRow::new(&[3, 1, 2]).unwrap();
    let typed = other.read_position(&numbers.replace(' ', ",")).unwrap();
    for (game, position) in [(&own, own.start()), (&other, typed)] {
        let frames = ByFrames::default();
        grundy_contract::ready(&frames, game, &position);
        let value = frames.value(game, &position).unwrap();
        assert_eq!(value, Value::points(margin), "{numbers}");
        let moves = valued_moves(game, &frames, &position);
        let mut found = pick(&moves, |v| v == value, |m| game.write_move(&position, m));
        if list.len() == 1 {
            found.push("R".to_string());
        }
        assert_eq!(found, best, "{numbers}");
    }
}

#[test]
fn rows_are_as_in_the_truth_file() {
    for row in rows!("number_row.tsv") {
        check(row.get("numbers"), row.get("margin").parse().unwrap(), &row.words("best_first_moves", ','));
    }
}

#[test]
fn rows_in_mid_game_are_as_in_the_truth_file() {
    for row in rows!("number_row_positions.tsv") {
        check(
            row.get("numbers"),
            row.get("margin_for_mover").parse().unwrap(),
            &row.words("best_moves", ','),
        );
    }
}
