//! One tier in shards. Each opens the tables of the tiers that the moves lead to.

use std::ops::Range;
use std::sync::OnceLock;

use grundy_core::game::{MORE, children};
use grundy_core::value::{Step, Value};
use grundy_session::{SolveError, VerifyError};

use super::ability::Tiered;
use super::part::{FinishedTier, GIVEN, InTier, Within, value_in};
use crate::moves::{ListMoves, Moves, Place};
use crate::retrograde::shard::RetrogradeShard;

/// Creates shard `dealt.0` of `dealt.1` of a tier; `open` opens the tables that its moves lead to, once for the values and
/// once for the proof.
///
/// # Errors
/// A table cannot be opened, or the shard has too many cells.
pub(super) fn shard<'a, G: Tiered>(
    game: &'a G,
    numbers: Range<u64>,
    leaves: bool,
    open: impl Fn() -> Result<Vec<FinishedTier>, VerifyError> + Sync + 'a,
    dealt: (u32, u32),
) -> Result<RetrogradeShard<'a>, SolveError> {
    let exits = open().map_err(VerifyError::fails)?;
    let rests = !exits.is_empty();
    let within = Within { game, first: numbers.start };
    let moves = Box::new(TierMoves { game, numbers: numbers.clone(), open, exits: OnceLock::new() });
    // A shard works through the distances of every tier: it does not know whether moves stay in the other shards.
    let whole = InTier { game, numbers, exits, leaves, stays: true };
    let mut shard = RetrogradeShard::of_part(Box::new(whole), Box::new(within), moves, game.loose(), dealt)?;
    if rests {
        shard.rest_on(GIVEN);
    }
    Ok(shard)
}

/// The moves of a tier by the rules alone.
struct TierMoves<'a, G, O> {
    game: &'a G,
    numbers: Range<u64>,
    open: O,
    exits: OnceLock<Vec<FinishedTier>>,
}

impl<G: Tiered, O: Fn() -> Result<Vec<FinishedTier>, VerifyError> + Sync> TierMoves<'_, G, O> {
    /// Returns the finished tables; none if one cannot be opened, so that the proof fails at the first move that leads there.
    fn exits(&self) -> &[FinishedTier] {
        self.exits.get_or_init(|| {
            (self.open)().unwrap_or_else(|doubt| {
                log::warn!("{doubt}");
                Vec::new()
            })
        })
    }
}

impl<G: Tiered, O: Fn() -> Result<Vec<FinishedTier>, VerifyError> + Sync> ListMoves for TierMoves<'_, G, O> {
    fn list(&self, range: Range<u64>, into: &mut Moves) {
        let (first, exits) = (self.numbers.start, self.exits());
        self.game.walk(first + range.start..first + range.end, &mut |number, position| {
            let over = self.game.over(&position);
            let mut exit = None;
            if over.is_none() {
                let _ = children(self.game, &position, &mut |_, child, step: Step| {
                    let ended: Option<Value> = self.game.over(&child);
                    let number = self.game.index(&child);
                    match ended.or_else(|| value_in(exits, number)) {
                        Some(value) => exit = exit.max(Some(value.back(step))),
                        // The index of another tier wraps around, and is refused as one beyond the table.
                        None => into.children.push((number.wrapping_sub(first), step)),
                    }
                    MORE
                });
            }
            into.positions.push(Place { number: number - first, over, exit, end: into.children.len() });
        });
    }
}
