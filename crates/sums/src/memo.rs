//! Memoised search of acyclic games, for small positions of games without a formula or a numbering. Values have
//! distances. Positions of one class share a value, see [`class_of`].

use std::ops::ControlFlow;
use std::sync::Mutex;

use rustc_hash::FxHashMap;

use crate::at_hand::{AtHand, BESIDE};
use grundy_core::game::{Game, MORE, Scored, children, class_of};
use grundy_core::value::Value;
use grundy_session::{Need, SolveError, at_once};
use grundy_tables::Oracle;

/// Maximum number of positions remembered.
const POSITIONS: usize = 2_000_000;
/// Moves that [`Oracle::ready`] may examine for a position.
const PATIENCE: u64 = 8_000_000;
/// Moves that [`Oracle::value`] may examine, unless the position last prepared was not solved. The children of a prepared
/// position need none.
const UNPREPARED: u64 = 5_000;
/// Moves between two looks at the stop flag.
const STRETCH: u64 = 1 << 4;

/// The oracle of positions from which few enough positions can be reached. [`Oracle::ready`] does the work.
#[derive(Debug)]
pub struct ByMemo<G: Game> {
    known: Mutex<Remembered<G::Position>>,
    at_hand: AtHand<G::Position>,
}

#[derive(Debug)]
struct Remembered<P> {
    values: FxHashMap<P, Value>,
    /// The last position that was too large, so that it is not tried again for every request.
    too_large: Option<P>,
    /// True if the position last prepared was not solved.
    unsolved: bool,
}

impl<G: Game> Default for ByMemo<G> {
    fn default() -> ByMemo<G> {
        let known = Mutex::new(Remembered { values: FxHashMap::default(), too_large: None, unsolved: false });
        ByMemo { known, at_hand: AtHand::default() }
    }
}

impl<G: Scored> Oracle<G> for ByMemo<G> {
    fn bytes(&self) -> u64 {
        let each = size_of::<(G::Position, Value)>() + BESIDE;
        let values = self.known.try_lock().map_or(POSITIONS, |known| known.values.capacity());
        (values * each) as u64 + self.at_hand.bytes()
    }

    fn ready(&self, game: &G, position: &G::Position, need: &Need<'_>) -> Result<(), SolveError> {
        let work = &need.work.within(need.quiet);
        if self.at_hand.get(position).is_some() {
            return Ok(());
        }
        let root = class_of(game, position);
        let Some(mut known) = work.lock(&self.known) else { return Err(SolveError::Busy) };
        if known.too_large.as_ref() == Some(&root) {
            known.unsolved = true;
            return Ok(());
        }
        if known.values.len() >= POSITIONS / 2 {
            known.values.clear();
        }
        let value = solve(game, &root, &mut known.values, PATIENCE, &|| work.stopped());
        known.unsolved = value.is_none();
        if value.is_none() && work.stopped() {
            // What was found by then is remembered.
            return if need.work.stopped() { Err(SolveError::Stopped) } else { Ok(()) };
        }
        if value.is_none() {
            known.too_large = Some(root);
        } else {
            let values = &mut known.values;
            let of = |position: &G::Position| {
                solve(game, &class_of(game, position), values, UNPREPARED, &|| false)
            };
            self.at_hand.fill(game, position, work, of);
        }
        Ok(())
    }

    fn value(&self, game: &G, position: &G::Position) -> Option<Value> {
        if let Some(value) = self.at_hand.get(position) {
            return Some(value);
        }
        let root = class_of(game, position);
        // If others are at work, what they find is at hand when they are done.
        let mut known = at_once().lock(&self.known)?;
        // A search from a position that was not solved asks at every node: what is remembered has to do.
        let patience = if known.unsolved { 1 } else { UNPREPARED };
        solve(game, &root, &mut known.values, patience, &|| false)
    }
}

/// Returns the value of a position, examining at most `patience` moves.
fn solve<G: Scored>(
    game: &G,
    root: &G::Position,
    values: &mut FxHashMap<G::Position, Value>,
    mut patience: u64,
    stopped: &dyn Fn() -> bool,
) -> Option<Value> {
    if let Some(&value) = values.get(root) {
        return Some(value);
    }
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
                patience -= 1;
                let child = class_of(game, &child);
                match values.get(&child) {
                    Some(value) => best = best.max(Some(value.back(step))),
                    None => missing.push(child),
                }
                if patience.is_multiple_of(STRETCH) && stopped() {
                    patience = 0;
                }
                if patience > 0 { MORE } else { ControlFlow::Break(()) }
            });
        }
        if patience == 0 || values.len() >= POSITIONS {
            return None;
        }
        if missing.is_empty() {
            values.insert(now.clone(), best?);
            open.pop();
        } else {
            open.append(&mut missing);
        }
    }
    values.get(root).copied()
}
