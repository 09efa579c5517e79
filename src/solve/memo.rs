//! Values of acyclic games by looking at all that can follow, and remembering it.
//!
//! For small positions of games that have no formula and no numbering. Values come with their distances.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashMap;

use crate::game::{Folded, MORE, Scored, children};
use crate::solve::Oracle;
use crate::value::Value;

/// How many positions are remembered.
const POSITIONS: usize = 2_000_000;
/// How many moves one question may look at.
const PATIENCE: u64 = 20_000_000;

/// Answers for every position whose followers are few enough; the others it does not know.
#[derive(Debug)]
pub struct ByMemo<G: Folded> {
    values: Mutex<FxHashMap<G::Position, Value>>,
    positions: usize,
    patience: u64,
}

impl<G: Folded> Default for ByMemo<G> {
    fn default() -> ByMemo<G> {
        ByMemo { values: Mutex::default(), positions: POSITIONS, patience: PATIENCE }
    }
}

impl<G: Folded + Scored> Oracle<G> for ByMemo<G> {
    fn value(&self, game: &G, position: &G::Position) -> Option<Value> {
        let root = game.fold(position);
        // What is remembered is true even if a thread died while it held the lock.
        let mut values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
        if values.len() >= self.positions && !values.contains_key(&root) {
            values.clear();
        }
        let mut patience = self.patience;
        let mut missing = Vec::new();
        let mut open = vec![root.clone()];
        while let Some(now) = open.last() {
            if values.contains_key(now) {
                open.pop();
                continue;
            }
            missing.clear();
            let mut best: Option<Value> = game.over(now);
            if best.is_none() {
                let _ = children(game, now, &mut |_, child, step| {
                    patience = patience.saturating_sub(1);
                    let child = game.fold(&child);
                    match values.get(&child) {
                        Some(value) => best = best.max(Some(value.back(step))),
                        None => missing.push(child),
                    }
                    if patience > 0 { MORE } else { ControlFlow::Break(()) }
                });
            }
            if patience == 0 || values.len() >= self.positions {
                break;
            }
            if missing.is_empty() {
                values.insert(now.clone(), best?);
                open.pop();
            } else {
                open.append(&mut missing);
            }
        }
        values.get(&root).copied()
    }
}
