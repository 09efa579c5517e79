//! Plain brute force on nothing but the rules: the independent witness of every method.
//!
//! Every reachable position is listed with its moves. If no position can repeat, values are found by plain recursion in
//! post-order, otherwise by Jacobi iteration: start with a draw everywhere, replace every value by the best of its
//! children, until nothing changes. After `k` rounds the values are those of the game that is stopped as a draw after
//! `k` plies, so a win or loss in `k` plies is exact from then on. In a game for points this is done for one strongly
//! connected component after another.

use std::collections::HashMap;
use std::ops::ControlFlow;

use grundy_core::game::{MORE, Scored, children};
use grundy_core::value::Value;

use crate::graph::Graph;

/// All positions reachable from some roots, with their values.
pub struct Brute<G: Scored> {
    /// The positions in the order of their discovery; the roots come first.
    pub positions: Vec<G::Position>,
    /// The value of each position for its player to move.
    pub values: Vec<Value>,
    /// `true` if some position can repeat.
    pub cyclic: bool,
    numbers: HashMap<G::Position, usize>,
    graph: Graph,
}

impl<G: Scored> Brute<G> {
    /// Lists and solves everything reachable from the roots; `None` if that is more than `limit` positions.
    pub fn solve(game: &G, roots: &[G::Position], limit: usize) -> Option<Brute<G>> {
        let mut brute: Brute<G> = Brute {
            positions: Vec::new(),
            values: Vec::new(),
            cyclic: false,
            numbers: HashMap::new(),
            graph: Graph::new(game.unit().is_points()),
        };
        for root in roots {
            brute.number(root);
        }
        while brute.graph.moves.len() < brute.positions.len() {
            let position = brute.positions[brute.graph.moves.len()].clone();
            let end = game.over(&position);
            let mut list = Vec::new();
            if end.is_none() {
                let _ = children(game, &position, &mut |_, child, step| {
                    list.push((brute.number(&child), step));
                    if brute.positions.len() > limit { ControlFlow::Break(()) } else { MORE }
                });
            }
            if brute.positions.len() > limit {
                return None;
            }
            brute.graph.ends.push(end);
            brute.graph.moves.push(list);
        }
        (brute.values, brute.cyclic) = brute.graph.solve();
        Some(brute)
    }

    /// Returns the value of a position; `None` if it was not reached.
    pub fn value(&self, position: &G::Position) -> Option<Value> {
        self.numbers.get(position).map(|&n| self.values[n])
    }

    /// Returns the Grundy number of every position, for impartial games without cycles.
    pub fn grundy_numbers(&self) -> Vec<u64> {
        self.graph.grundy_numbers()
    }

    fn number(&mut self, position: &G::Position) -> usize {
        if let Some(&n) = self.numbers.get(position) {
            return n;
        }
        self.numbers.insert(position.clone(), self.positions.len());
        self.positions.push(position.clone());
        self.positions.len() - 1
    }
}
