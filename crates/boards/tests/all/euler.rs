//! `euler_*.tsv`: cells from 0 at the top left, nails as sets of cells. `euler_4x4_sample.tsv` is one row in ten of
//! the file it comes from.

use grundy_boards::euler::{Euler, Rules};
use grundy_core::game::Game;
use grundy_core::value::{Value, Wdl};
use grundy_search::board::{BoardGame, Move, Position};
use grundy_tables::{Oracle, TableOracle};

use super::{pick, value, valued_moves};
use grundy_contract::{TruthRow, rows};

fn solved(rows: usize, columns: usize, variant: Rules) -> (BoardGame, TableOracle<BoardGame>) {
    let game = BoardGame::new(Euler::new(rows, columns, variant).unwrap());
    let table = TableOracle::layers();
    grundy_contract::ready(&table, &game, &game.start());
    (game, table)
}

fn position(row: &TruthRow) -> Position {
    covering(row.number("mask"))
}

fn covering(cells: u64) -> Position {
    Position { men: [cells, 0], ..Position::EMPTY }
}

fn truth(row: &TruthRow) -> Value {
    match row.get("outcome") {
        // The player who filled the board has lost.
        "END" => Value::win_in(0),
        outcome => value(outcome, row.number("plies") as i64),
    }
}

fn is_win(value: Value) -> bool {
    value.wdl() == Wdl::Win
}

#[test]
fn four_by_four_is_as_in_the_truth_file() {
    let (game, table) = solved(4, 4, Rules::default());
    for row in rows!("euler_4x4_sample.tsv") {
        let position = position(&row);
        assert_eq!(table.value(&game, &position), Some(truth(&row)), "{}", row.get("board"));
        let moves = valued_moves(&game, &table, &position);
        assert_eq!(moves.len() as u64, row.number("n_moves"));
        assert_eq!(pick(&moves, is_win, |m| m.0.to_string()), row.words("win_moves", ','));
    }
}

#[test]
fn every_first_nail_on_four_by_four_has_the_replies_of_the_truth_file() {
    let (game, table) = solved(4, 4, Rules::default());
    for row in rows!("euler_4x4_replies.tsv") {
        let position = game.play(&game.start(), Move(row.number("first_move_mask")));
        let moves = valued_moves(&game, &table, &position);
        assert_eq!(pick(&moves, is_win, |m| m.0.to_string()), row.words("winning_replies", ','));
    }
}

#[test]
fn four_by_four_has_as_many_won_and_lost_positions_as_published() {
    let (game, table) = solved(4, 4, Rules::default());
    let value = |covered| table.value(&game, &covering(covered)).unwrap();
    assert_eq!(value(0), Value::loss_in(13));
    let won = (0..65_535).filter(|&covered| is_win(value(covered))).count();
    assert_eq!((won, 65_535 - won), (51_733, 13_802));
}

#[test]
fn small_boards_are_as_in_the_truth_file() {
    let mut now = None;
    for row in rows!("euler_small_all.tsv") {
        let size =
            (row.number("rows") as usize, row.number("cols") as usize, row.get("span_rule") == "dim-1");
        assert_eq!((row.number("maxlen"), row.get("play")), (3, "misere"));
        if now.as_ref().is_none_or(|(known, _)| *known != size) {
            now = Some((size, solved(size.0, size.1, Rules { short: size.2, ..Rules::default() })));
        }
        let (_, (game, table)) = now.as_ref().unwrap();
        let position = position(&row);
        assert_eq!(table.value(game, &position), Some(truth(&row)), "{size:?} {}", row.get("board"));
        let won = valued_moves(game, table, &position).iter().filter(|(_, v)| is_win(*v)).count();
        assert_eq!(won as u64, row.number("n_win_moves"));
    }
}

/// Boards of up to this many cells; larger ones take long without optimisation.
fn boards(cells: std::ops::RangeInclusive<usize>) {
    for row in rows!("euler_boards.tsv") {
        let size = (row.number("rows") as usize, row.number("cols") as usize);
        if !cells.contains(&(size.0 * size.1)) {
            continue;
        }
        let variant = Rules {
            normal: row.get("play") == "normal",
            short: row.get("span_rule") == "dim-1",
            longest: row.number("maxlen") as usize,
        };
        let (game, table) = solved(size.0, size.1, variant);
        let moves = valued_moves(&game, &table, &game.start());
        let truth = value(row.get("first_player"), row.number("plies") as i64);
        assert_eq!(table.value(&game, &game.start()), Some(truth), "{size:?} {variant:?}");
        assert_eq!(moves.len() as u64, row.number("n_first_moves"), "{size:?} {variant:?}");
        let won = moves.iter().filter(|(_, v)| is_win(*v)).count();
        assert_eq!(won as u64, row.number("n_win_first_moves"), "{size:?} {variant:?}");
        let full = (1 << (size.0 * size.1)) - 1;
        let lost = (0..full).filter(|&covered| !is_win(table.value(&game, &covering(covered)).unwrap()));
        assert_eq!(lost.count() as u64, row.number("n_loss_positions"), "{size:?} {variant:?}");
    }
}

#[test]
fn empty_boards_of_up_to_14_cells_are_as_in_the_truth_file() {
    boards(1..=14);
}

#[test]
#[ignore = "minutes without optimisation: cargo test --release -p grundy-boards -- --ignored euler"]
fn empty_boards_of_up_to_25_cells_are_as_in_the_truth_file() {
    boards(15..=25);
}
