//! `count_to_n.tsv`, `subtraction.tsv`: one number that moves make larger or smaller.

use grundy_core::game::{Game, Notation, Player};
use grundy_heaps::count::Count;
use grundy_heaps::heap_game::{HeapGame, Position};
use grundy_heaps::subtract::Subtract;
use grundy_session::quiet_work;
use grundy_sums::formula::ByFormula;
use grundy_sums::octal::{ByOctal, Period};

use grundy_sums::sum::BySum;
use grundy_tables::{Oracle, TableOracle};

use super::{heap_game, keeping_moves, outcome, winning_moves};
use grundy_contract::rows;

fn subtract(set: &[u64], heap: u64, misere: bool) -> HeapGame {
    heap_game(Subtract::new(heap, set.to_vec(), misere))
}

#[test]
fn counting_is_as_in_the_truth_file() {
    for row in rows!("count_to_n.tsv") {
        let game = heap_game(Count::new(row.number("target"), row.number("k")));
        let position = game.read_position(row.get("sum")).unwrap();
        assert_eq!(outcome(ByFormula.value(&game, &position)), row.get("outcome"));
        let adds: Vec<String> = row.words("win_adds", ',').iter().map(|add| format!("+{add}")).collect();
        assert_eq!(keeping_moves(&game, &ByFormula, &position), adds);
        assert_eq!(winning_moves(&game, &ByFormula, &position), adds);
    }
}

#[test]
fn counting_by_formula_and_by_table_agree_in_value_and_distance() {
    for (target, max) in [(1, 1), (21, 2), (21, 3), (50, 7), (10, 30), (100, 1)] {
        let game = heap_game(Count::new(target, max));
        let table = TableOracle::layers();
        grundy_contract::ready(&table, &game, &game.start());
        for count in 0..target + max {
            let position = Position { heaps: vec![count], turn: Player::Two };
            assert_eq!(ByFormula.value(&game, &position), table.value(&game, &position), "{count}");
        }
    }
}

#[test]
fn subtraction_is_as_in_the_truth_file() {
    for row in rows!("subtraction.tsv") {
        let (set, heap) = (row.numbers("set"), row.number("n"));
        let game = subtract(&set, heap, false);
        let takes = row.words("win_takes_normal", ',');
        let (octal, sum) = (ByOctal::default(), BySum::default());
        assert_eq!(outcome(octal.value(&game, &game.start())), row.get("normal"));
        assert_eq!(outcome(sum.value(&game, &game.start())), row.get("normal"));
        assert_eq!(octal.grundy(&game, &game.start(), &quiet_work()), Some(row.number("grundy")));
        assert_eq!(keeping_moves(&game, &octal, &game.start()), takes);
        assert_eq!(winning_moves(&game, &octal, &game.start()), takes);

        let game = subtract(&set, heap, true);
        let octal = ByOctal::default();
        assert_eq!(outcome(octal.value(&game, &game.start())), row.get("misere"));
        assert_eq!(keeping_moves(&game, &octal, &game.start()), winning_moves(&game, &octal, &game.start()));
    }
}

/// A period that was proved is set against the table, heap by heap, far beyond the part that proves it.
#[test]
fn subtraction_by_period_and_by_table_agree() {
    let sets: [&[u64]; 6] =
        [&[1, 2, 3], &[2, 5, 7], &[3], &[1, 4, 9, 16, 25], &[2, 3, 11, 29], &[7, 12, 100]];
    for set in sets {
        for misere in [false, true] {
            let game = subtract(set, 5_000, misere);
            let (octal, table) = (ByOctal::default(), TableOracle::layers());
            grundy_contract::ready(&table, &game, &game.start());
            for heap in (0..=5_000).rev() {
                let position = Position { heaps: vec![heap], turn: Player::One };
                let values = (octal.value(&game, &position), table.value(&game, &position));
                assert_eq!(outcome(values.0), outcome(values.1), "{set:?} {misere} {heap}");
            }
        }
    }
}

#[test]
fn a_heap_of_a_thousand_million_is_answered_through_the_period() {
    let game = subtract(&[1, 2, 3], 1_000_000_000, false);
    assert_eq!(outcome(ByOctal::default().value(&game, &game.start())), "LOSS");
    let game = subtract(&[2, 5, 7], 1_000_000_000, true);
    let octal = ByOctal::default();
    let Some(Period { length, .. }) = octal.period(&game) else { panic!("a finite set has a period") };
    let small = Position::new(vec![1_000_000_000 % length + 100 * length]);
    assert_eq!(octal.value(&game, &game.start()), octal.value(&game, &small));
}
