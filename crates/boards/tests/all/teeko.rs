//! Teeko on the real board, against what Guy L. Steele Jr. found ("Summary of the solving of the game of Teeko", 1999;
//! E. W. Weisstein, "Teeko", MathWorld): the standard game is a draw; the advanced one is won by the first player in 13
//! turns, and becomes a draw if the first man may not be put in the centre.

use std::sync::Arc;

use grundy_boards::teeko::Teeko;
use grundy_core::game::{Game, Indexed, Notation};
use grundy_core::table::NoCheckpoints;
use grundy_core::value::Value;
use grundy_session::{SolveError, Work, quiet_work};
use grundy_tables::tiers::{FinishedTier, Tiered, solve_tier};
use grundy_tables::{TableOracle, retrograde};

use super::{pick, valued_moves};

#[test]
#[ignore = "two tables of 97 million positions: a minute, in a release build"]
fn standard_teeko_is_a_draw_and_advanced_teeko_is_won_in_thirteen_turns_from_the_centre() {
    for (advanced, value, winning) in [(false, Value::DRAW, &[][..]), (true, Value::win_in(13), &["c3"][..])]
    {
        let game = Teeko::new(5, 5, advanced).unwrap();
        let table = retrograde::solve_reversible(&game, &quiet_work()).unwrap();
        assert_eq!(table.get(game.index(&game.start())), Some(value), "advanced: {advanced}");
        let moves = valued_moves(&game, &TableOracle::new(table), &game.start());
        let won = pick(&moves, |value| value > Value::DRAW, |m| game.write_move(&game.start(), m));
        assert_eq!(won, winning, "advanced: {advanced}");
    }
}

/// Tier by tier, each with the tables that its moves lead to and no others.
#[test]
fn tiers_fit_into_memory_that_all_positions_together_do_not() {
    let game = Teeko::new(4, 3, false).unwrap();
    let whole = retrograde::solve_reversible(&game, &quiet_work()).unwrap();
    let tiers = game.tiers();
    let largest = tiers.iter().map(|tier| tier.numbers.end - tier.numbers.start).max().unwrap();
    let less = (game.size() - largest) / 2;
    let work = Work { memory_limit: Some(retrograde::memory(game.size()) - less), ..quiet_work() };
    let refused = retrograde::solve_reversible(&game, &work);
    assert!(matches!(refused, Err(SolveError::TooLarge { .. })), "{refused:?}");
    let mut made: Vec<FinishedTier> = Vec::new();
    for (at, tier) in tiers.iter().enumerate() {
        made.retain(|(numbers, _)| game.exits(at).iter().any(|&exit| tiers[exit].numbers == *numbers));
        assert!(made.len() <= 1, "two tiers at a time");
        let table = solve_tier(&game, at, &made, &work, &mut NoCheckpoints).unwrap();
        for number in tier.numbers.clone() {
            assert_eq!(table.get(number - tier.numbers.start), whole.get(number), "number {number}");
        }
        made.push((tier.numbers.clone(), Arc::new(table)));
    }
}
