//! Games on boards: each against its truth file.

#![allow(clippy::unwrap_used)] // a test that cannot go on should fail

mod contract;
mod euler;
mod graph;
mod impartial;
mod lgame;
mod mnk;
mod names;
mod police;
mod row;
mod teeko;
mod tictactoe;

use grundy_boards::graph::Graph;
use grundy_core::dot;
use grundy_core::game::{Notation, Scored, children};
use grundy_core::value::Value;
use grundy_tables::Oracle;

/// Returns the game on the graph of a DOT file's text.
pub fn graph_of(text: &str) -> Graph {
    Graph::new(&dot::read(text).unwrap()).unwrap()
}

/// Returns the moves with their values, as the method knows them.
pub fn valued_moves<G: Notation + Scored>(
    game: &G,
    oracle: &impl Oracle<G>,
    position: &G::Position,
) -> Vec<(G::Move, Value)> {
    let mut list = Vec::new();
    if game.over(position).is_none() {
        let _ = children(game, position, &mut |m, child, step| {
            list.push((m, oracle.value(game, &child).unwrap().back(step)));
            grundy_core::game::MORE
        });
    }
    list
}

/// Returns the value of a row that gives a result (`WIN`, `LOSS`, anything else a draw) and its distance.
pub fn value(result: &str, plies: i64) -> Value {
    match result {
        "WIN" | "W" => Value::win_in(plies as u32),
        "LOSS" | "L" => Value::loss_in(plies as u32),
        _ => Value::DRAW,
    }
}

/// Returns the words of those moves that satisfy a condition, sorted.
pub fn pick<M: Copy>(
    moves: &[(M, Value)],
    keep: impl Fn(Value) -> bool,
    word: impl Fn(M) -> String,
) -> Vec<String> {
    let mut words: Vec<String> = moves.iter().filter(|(_, v)| keep(*v)).map(|&(m, _)| word(m)).collect();
    words.sort();
    words
}
