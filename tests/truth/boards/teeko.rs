//! Teeko on the real board, against what Guy L. Steele Jr. found in 1998 (E. W. Weisstein, "Teeko", MathWorld): the
//! standard game is a draw, the advanced one is won by the first player in 13 turns.

use grundy::game::{Game, Indexed};
use grundy::games::teeko::Teeko;
use grundy::solve::{quiet_work, retrograde};
use grundy::value::Value;

#[test]
#[ignore = "two tables of 97 million positions: minutes, in a release build"]
fn standard_teeko_is_a_draw_and_advanced_teeko_is_won_in_thirteen_turns() {
    for (advanced, value) in [(false, Value::DRAW), (true, Value::win_in(25))] {
        let game = Teeko::new(5, 5, advanced).unwrap();
        let table = retrograde::solve_reversible(&game, &quiet_work()).unwrap();
        assert_eq!(table.get(game.index(&game.start())), Some(value), "advanced: {advanced}");
    }
}
