//! Misere play of octal games: small sums by all their positions, larger ones by the misere quotient.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use grundy_core::game::Scored;
use grundy_core::value::Value;
use grundy_session::{Need, SolveError};

use crate::Oracle;
use crate::memo::{ByMemo, Folded};
use crate::octal::Octal;
use crate::quotient::Quotient;

/// The largest heap that is tried.
const LARGEST: u64 = 1_000;

/// Knows small sums with distances, and others where the game's quotient is small.
#[derive(Debug)]
pub struct ByQuotient<G: Folded> {
    memo: ByMemo<G>,
    quotient: Mutex<Quotient>,
    /// Whether the position that was made ready last is too large for all positions to be looked at: then no value has a
    /// distance, so that all of them can be compared.
    large: AtomicBool,
}

impl<G: Folded> Default for ByQuotient<G> {
    fn default() -> ByQuotient<G> {
        ByQuotient {
            memo: ByMemo::default(),
            quotient: Mutex::new(Quotient::empty()),
            large: AtomicBool::new(false),
        }
    }
}

impl<G: Folded + Octal> ByQuotient<G> {
    fn by_quotient(&self, game: &G, position: &G::Position) -> Option<Value> {
        let heaps = game.parts(position);
        let largest = heaps.iter().copied().max().unwrap_or(0);
        if largest > LARGEST {
            return None;
        }
        let heaps: Vec<usize> = heaps.into_iter().map(|heap| heap as usize).collect();
        let mut quotient = self.quotient.lock().unwrap_or_else(PoisonError::into_inner);
        quotient.grow(largest as usize, |heap, visit| options(game, heap as u64, visit));
        quotient.is_lost(&heaps).map(|lost| if lost { Value::LOSS } else { Value::WIN })
    }
}

/// Visits the two parts that each move leaves of a heap, 0 for none.
fn options<G: Octal>(game: &G, heap: u64, visit: &mut dyn FnMut(usize, usize)) {
    for take in 0..=game.longest(heap).min(heap) {
        let (digit, rest) = (game.digit(take), heap - take);
        if digit & (if rest == 0 { 1 } else { 2 }) != 0 {
            visit(rest as usize, 0);
        }
        if digit & 4 != 0 {
            let parts = (1..=rest / 2).filter(|part| !(game.unequal() && part * 2 == rest));
            parts.for_each(|part| visit(part as usize, (rest - part) as usize));
        }
    }
}

impl<G: Folded + Octal + Scored> Oracle<G> for ByQuotient<G> {
    fn ready(&self, game: &G, position: &G::Position, need: &Need<'_>) -> Result<(), SolveError> {
        self.memo.ready(game, position, need)?;
        let large = self.memo.value(game, position).is_none() && self.by_quotient(game, position).is_some();
        self.large.store(large, Ordering::Relaxed);
        Ok(())
    }

    fn value(&self, game: &G, position: &G::Position) -> Option<Value> {
        let by_quotient = || self.by_quotient(game, position);
        match self.large.load(Ordering::Relaxed) {
            true => by_quotient().or_else(|| self.memo.value(game, position)),
            false => self.memo.value(game, position).or_else(by_quotient),
        }
    }

    fn no_grundy(&self, game: &G) -> Option<String> {
        self.memo.no_grundy(game)
    }
}
