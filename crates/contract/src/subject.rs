//! The input of the checks: a game, its positions, and their values by brute force.

use std::collections::HashMap;
use std::ops::ControlFlow;

use grundy_core::game::{Game, MORE, Notation, Scored};
use grundy_core::value::Value;

use crate::brute::Brute;
use grundy_core::random::SplitMix64;

/// Calls one ability on a position that came from outside; only a panic matters.
pub type Poke<G> = Box<dyn Fn(&G, &<G as Game>::Position)>;

/// The game and the positions that every check looks at.
pub struct Subject<G: Notation + Scored> {
    pub game: G,
    /// Every reachable position, or those of some random games if there are too many.
    pub positions: Vec<G::Position>,
    /// `true` if `positions` is every reachable position.
    pub exhaustive: bool,
    /// Values from the brute force, if the game is small enough.
    pub brute: Option<Brute<G>>,
}

impl<G: Notation + Scored> Subject<G> {
    /// Returns the brute force's value, if it has one.
    pub fn value(&self, position: &G::Position) -> Option<Value> {
        self.brute.as_ref()?.value(position)
    }

    /// Returns the position in words, for messages.
    pub fn show(&self, position: &G::Position) -> String {
        self.game.write_position(position)
    }
}

/// Returns the positions of random games from each root.
pub fn random_positions<G: Notation + Scored>(game: &G, roots: &[G::Position]) -> Vec<G::Position> {
    let mut random = SplitMix64(1);
    // A map, since the brute force has one of this type: a set would be compiled once more for each game.
    let mut seen = HashMap::new();
    let mut list = Vec::new();
    for round in 0..60 {
        let mut position = roots[round % roots.len()].clone();
        for _ in 0..200 {
            if seen.insert(position.clone(), list.len()).is_none() {
                list.push(position.clone());
            }
            let moves = some_moves(game, &position, 10_000);
            match moves.len() {
                0 => break,
                count => position = game.play(&position, moves[random.below(count)]),
            }
        }
    }
    list
}

/// Returns the first `most` legal moves.
pub fn some_moves<G: Notation>(game: &G, position: &G::Position, most: usize) -> Vec<G::Move> {
    let mut moves = Vec::new();
    if game.over(position).is_none() {
        let _ = game.moves(position, &mut |m| {
            moves.push(m);
            if moves.len() < most { MORE } else { ControlFlow::Break(()) }
        });
    }
    moves
}
