//! `stones_in_pits.tsv`: a board, its outcome, and all winning moves as `from>to` with pits counted from 0.

use grundy_core::game::{Game, Indexed, Notation};
use grundy_heaps::stones::Stones;
use grundy_session::quiet_work;
use grundy_sums::formula::ByFormula;

use grundy_sums::sum::BySum;
use grundy_tables::{Oracle, TableOracle};

use super::{heap_game, keeping_moves, outcome, winning_moves};
use grundy_contract::rows;

#[test]
fn stones_in_pits_are_as_in_the_truth_file() {
    for row in rows!("stones_in_pits.tsv") {
        let game = heap_game(Stones::new(row.get("board")));
        let mut moves: Vec<String> = row
            .words("win_moves", ';')
            .iter()
            .map(|word| {
                let (from, to) = word.split_once('>').unwrap();
                format!("{}-{}", from.parse::<u32>().unwrap() + 1, to.parse::<u32>().unwrap() + 1)
            })
            .collect();
        moves.sort();
        assert_eq!(outcome(ByFormula.value(&game, &game.start())), row.get("outcome"));
        assert_eq!(keeping_moves(&game, &ByFormula, &game.start()), moves);
        assert_eq!(winning_moves(&game, &ByFormula, &game.start()), moves);
    }
}

/// The source's example.
#[test]
fn the_example_is_lost() {
    let game = heap_game(Stones::new("..X.X.....X....XX.X...X"));
    assert_eq!(outcome(ByFormula.value(&game, &game.start())), "LOSS");
}

#[test]
fn formula_table_and_recursion_agree_on_every_row_of_fourteen_pits() {
    let game = heap_game(Stones::new(".............."));
    let (table, sum) = (TableOracle::layers(), BySum::default());
    grundy_contract::ready(&table, &game, &game.start());
    for index in 0..game.size() {
        let position = game.position(index).unwrap();
        let value = ByFormula.value(&game, &position);
        let name = game.write_position(&position);
        assert_eq!(outcome(value), outcome(table.value(&game, &position)), "{name}");
        assert_eq!(
            ByFormula.grundy(&game, &position, &quiet_work()),
            sum.grundy(&game, &position, &quiet_work()),
            "{name}"
        );
    }
}
