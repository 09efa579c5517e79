//! `tictactoe_all.tsv`: about half of the 5,478 positions, with values, distances and best moves (cells from 0, top
//! left). A draw's distance is the longest play, which the project does not count.

use grundy_boards::mnk::Mnk;
use grundy_core::game::{Game, Notation};
use grundy_search::alpha_beta::Heuristic;
use grundy_tables::{Oracle, TableOracle};

use super::{pick, value, valued_moves};
use grundy_contract::rows;

#[test]
fn tictactoe_is_as_in_the_truth_file() {
    let game = Mnk::new(3, 3, 3, false).unwrap();
    let table = TableOracle::layers();
    grundy_contract::ready(&table, &game, &game.start());
    for row in rows!("tictactoe_all.tsv") {
        let read = |board: &str, turn| {
            let rows = [&board[..3], &board[3..6], &board[6..]].join("/");
            game.read_position(&format!("{rows} {turn}")).unwrap()
        };
        let turn = if row.get("mover") == "X" { 1 } else { 2 };
        let position = read(row.get("board"), turn);
        let result =
            ["LOSS", "DRAW", "WIN"][(row.get("value_for_mover").parse::<i32>().unwrap() + 1) as usize];
        let truth = value(result, row.number("plies") as i64);
        let found = table.value(&game, &position).unwrap();
        assert_eq!(found, truth, "{}", row.get("board"));
        assert_eq!(game.over(&position).is_none(), row.get("status") == "PLAY");
        let moves = valued_moves(&game, &table, &position);
        let cell = |m: u8| m.to_string();
        assert_eq!(pick(&moves, |v| v.wdl() == found.wdl(), cell), row.words("best_moves", ','));
        if result != "DRAW" {
            assert_eq!(pick(&moves, |v| v == found, cell), row.words("distance_optimal_moves", ','));
        }
        let canonical = read(row.get("canonical"), turn);
        assert_eq!(game.key(&position), game.key(&canonical));
    }
}
