//! A cache of values: those that a method has found for prepared positions and their children.
//!
//! A lookup never blocks, while the method itself may be working on another request.

use std::ops::ControlFlow;
use std::sync::{PoisonError, RwLock};

use grundy_core::game::{Game, MORE, each_move};
use grundy_core::value::Value;
use grundy_session::Work;
use rustc_hash::FxHashMap;

/// Maximum number of cached values; the cache is cleared above this.
const KEPT: usize = 100_000;
/// Maximum number of children of one position.
const LISTED: usize = 10_000;

/// Values by position.
#[derive(Debug)]
pub(crate) struct AtHand<P>(RwLock<FxHashMap<P, Value>>);

impl<P> Default for AtHand<P> {
    fn default() -> AtHand<P> {
        AtHand(RwLock::default())
    }
}

impl<P: Clone + Eq + std::hash::Hash> AtHand<P> {
    /// Returns the value of a position, if it was found.
    pub(crate) fn get(&self, position: &P) -> Option<Value> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(position).copied()
    }

    /// Finds the values of a position's children, and then its own, by `value`, until the work ends. Returns whether
    /// its own was found.
    pub(crate) fn fill<G: Game<Position = P>>(
        &self,
        game: &G,
        position: &P,
        work: &Work<'_>,
        mut value: impl FnMut(&P) -> Option<Value>,
    ) -> bool {
        let Some(own) = value(position) else { return false };
        let mut found = Vec::new();
        let mut looked = 0;
        if game.over(position).is_none() {
            let _ = each_move(game, position, &mut |m| {
                let child = game.play(position, m);
                found.extend(value(&child).map(|value| (child, value)));
                looked += 1;
                if looked < LISTED && !work.stopped() { MORE } else { ControlFlow::Break(()) }
            });
        }
        found.push((position.clone(), own));
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() + found.len() > KEPT {
            known.clear();
        }
        known.extend(found);
        true
    }

    /// Returns the approximate size in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        (known.capacity() * (size_of::<(P, Value)>() + BESIDE)) as u64
    }
}

/// Overhead of a map entry in bytes, with a position's heap memory.
pub(crate) const BESIDE: usize = 32;
