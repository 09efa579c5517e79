//! Published values of games that are solved by search.

use grundy::game::{Game, Heuristic, Scored};
use grundy::games::connect4::Connect4;
use grundy::solve::search::Searcher;
use grundy::solve::{Limits, NEVER};
use grundy::value::Value;

fn value<G: Scored + Heuristic>(game: &G, position: &G::Position) -> Value {
    Searcher::new(64, 2).value(game, position, &Limits::default(), &NEVER, None).unwrap()
}

/// J. Tromp, "John's Connect Four Playground" (results by board size; distances recomputed by others).
#[test]
fn connect_four_on_small_boards() {
    for (columns, rows, expected) in [
        (4, 4, Value::DRAW),
        (5, 4, Value::DRAW),
        (4, 5, Value::DRAW),
        (6, 4, Value::loss_in(24)),
        (4, 6, Value::DRAW),
    ] {
        let game = Connect4::new(columns, rows).unwrap();
        assert_eq!(value(&game, &game.start()), expected, "{columns}x{rows}");
    }
}

#[test]
#[ignore = "takes minutes without optimisation"]
fn connect_four_on_larger_boards() {
    for (columns, rows, expected) in [
        (5, 5, Value::DRAW),
        (6, 5, Value::DRAW),
        (7, 4, Value::DRAW),
        (6, 6, Value::loss_in(36)),
        (8, 4, Value::loss_in(32)),
        (8, 5, Value::win_in(39)),
        (7, 6, Value::win_in(41)),
    ] {
        let game = Connect4::new(columns, rows).unwrap();
        assert_eq!(value(&game, &game.start()), expected, "{columns}x{rows}");
    }
}
