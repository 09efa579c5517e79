//! Values at hand: those that a method has found for the positions that were made ready, and for those after their moves.
//!
//! Looking one up waits for nobody, while the method itself may be at work on another question.

use std::ops::ControlFlow;
use std::sync::{PoisonError, RwLock};

use grundy_core::game::{Game, MORE, each_move};
use grundy_core::value::Value;
use grundy_session::Work;
use rustc_hash::FxHashMap;

/// Values that are kept; they are forgotten where there are more.
const KEPT: usize = 100_000;
/// Moves of one position that are looked at.
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
    /// The value of a position, where it was found.
    pub(crate) fn get(&self, position: &P) -> Option<Value> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(position).copied()
    }

    /// Finds the values of the positions after the moves of one, and then its own by `value`, until the work ends. Whether
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

    /// About how many bytes they take.
    pub(crate) fn bytes(&self) -> u64 {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        (known.capacity() * (size_of::<(P, Value)>() + BESIDE)) as u64
    }
}

/// What an entry of a map takes beside the entry itself, with what a position may keep elsewhere.
pub(crate) const BESIDE: usize = 32;
