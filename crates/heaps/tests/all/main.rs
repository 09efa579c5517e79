//! Impartial games: each against its truth file, and its methods against each other.

#![allow(clippy::unwrap_used)] // a test that cannot go on should fail

mod classic;
mod contract;
mod misere_sums;
mod nim;
mod octal;
mod stones;
mod taking;
mod wire;

use grundy_core::game::{Notation, legal_moves};
use grundy_core::value::{Value, Wdl};
use grundy_heaps::heap_game::{HeapGame, HeapRules};
use grundy_tables::Oracle;

/// Returns the game of these rules.
pub fn heap_game(rules: Result<impl HeapRules, String>) -> HeapGame {
    HeapGame::new(rules.unwrap())
}

/// Returns the words of the truth files.
pub fn outcome(value: Option<Value>) -> &'static str {
    match value.map(Value::wdl) {
        Some(Wdl::Win) => "WIN",
        Some(Wdl::Loss) => "LOSS",
        Some(Wdl::Draw) => "DRAW",
        None => "?",
    }
}

/// Returns the moves that keep a won position won, in words and sorted: asked of every child.
pub fn winning_moves<G: Notation>(game: &G, oracle: &impl Oracle<G>, position: &G::Position) -> Vec<String> {
    let mut words: Vec<String> = legal_moves(game, position)
        .into_iter()
        .filter(|&m| outcome(oracle.value(game, &game.play(position, m))) == "LOSS")
        .map(|m| game.write_move(position, m))
        .collect();
    words.sort();
    words
}

/// Returns the moves that the method says keep the value, in words and sorted.
pub fn keeping_moves<G: Notation>(game: &G, oracle: &impl Oracle<G>, position: &G::Position) -> Vec<String> {
    let moves = oracle.keeping_moves(game, position).unwrap_or_default();
    let mut words: Vec<String> = moves.into_iter().map(|m| game.write_move(position, m)).collect();
    words.sort();
    words
}

/// Returns the value of a position after the work it needs.
pub fn prepared<G: Notation>(oracle: &impl Oracle<G>, game: &G, position: &G::Position) -> Option<Value> {
    grundy_contract::ready(oracle, game, position);
    oracle.value(game, position)
}
