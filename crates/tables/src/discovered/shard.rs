//! Discovered tables in shards. Every shard has all positions; only the values are distributed.

use std::ops::Range;
use std::sync::Arc;

use grundy_core::value::{Step, Unit, Value};
use grundy_session::{Shard, SolveError};

use super::find::Found;
use super::keys::Places;
use super::packed::Packed;
use crate::layers::shard::LayersShard;
use crate::moves::{ListMoves, Moves, Place};
use crate::retrograde::shard::RetrogradeShard;
use crate::retrograde::{Distinct, Part, Sight, Sights};
use crate::thresholds::shard::ThresholdShard;

/// Creates shard `dealt.0` of `dealt.1`: by layers if no component is cyclic, else by retrograde analysis, or by thresholds
/// if the game counts points.
///
/// # Errors
/// The shard has too many cells.
pub(super) fn shard<'a, G: Packed>(
    game: &'a G,
    found: &Arc<Found>,
    places: &Arc<Places>,
    dealt: (u32, u32),
) -> Result<Box<dyn Shard + 'a>, SolveError> {
    let numbered = || SortedKeys { game, found: Arc::clone(found), places: Arc::clone(places) };
    let moves = || [(); 2].map(|()| Box::new(numbered()) as Box<dyn ListMoves>);
    let (count, unit) = (found.keys.len() as u64, game.unit());
    if found.is_cyclic() && unit == Unit::Outcome {
        return Ok(Box::new(RetrogradeShard::reversed(Box::new(numbered()), moves(), false, dealt)?));
    }
    let components = found.components.clone();
    if found.is_cyclic() {
        return Ok(Box::new(ThresholdShard::reversed(
            count,
            components,
            [(); 3].map(|()| Box::new(numbered()) as Box<_>),
            dealt,
        )?));
    }
    Ok(Box::new(LayersShard::in_layers(count, unit, components, moves(), dealt)?))
}

/// A game whose positions are indexed by their places among those found.
struct SortedKeys<'a, G> {
    game: &'a G,
    found: Arc<Found>,
    places: Arc<Places>,
}

impl<G: Packed> SortedKeys<'_, G> {
    /// Visits the children of a position by their indices, or returns its value if the game is over. A child that was not
    /// found has the index `u64::MAX`.
    fn expand(&self, number: u64, visit: &mut dyn FnMut(u64, Step)) -> Option<Value> {
        let keys = &self.found.keys;
        self.game.expand(keys.get(number as usize), &mut |child, step| {
            visit(self.places.find(keys, child).map_or(u64::MAX, |child| child as u64), step);
        })
    }
}

impl<G: Packed> Part for SortedKeys<'_, G> {
    fn len(&self) -> u64 {
        self.found.keys.len() as u64
    }

    fn leaves(&self) -> bool {
        false
    }

    fn stays(&self) -> bool {
        true
    }

    fn look(&self, range: Range<u64>, sights: &mut Sights<'_>) {
        let mut children = Distinct::new();
        for number in range {
            children.clear();
            let mut inner = 0;
            let over = self.expand(number, &mut |child, step| {
                inner += u32::from(children.insert(child, step.turn_passed));
            });
            sights.push(number, over.map_or(Sight::open(inner, None), Sight::over));
        }
    }
}

impl<G: Packed> ListMoves for SortedKeys<'_, G> {
    fn list(&self, range: Range<u64>, into: &mut Moves) {
        for number in range {
            let children = &mut into.children;
            let over = self.expand(number, &mut |child, step| children.push((child, step)));
            into.positions.push(Place { number, over, exit: None, end: into.children.len() });
        }
    }
}
