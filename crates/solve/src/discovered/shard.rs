//! Discovered tables in shards. Whoever has a shard has found all positions; the values alone are dealt out.

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

/// One of so many shards: by layers where no class of positions leads to itself, else by retrograde analysis, or by
/// thresholds where points are counted.
pub(super) fn shard<'a, G: Packed>(
    game: &'a G,
    found: &Arc<Found>,
    places: &Arc<Places>,
    dealt: (u32, u32),
) -> Result<Box<dyn Shard + 'a>, SolveError> {
    let numbered = || SortedKeys { game, found: Arc::clone(found), places: Arc::clone(places) };
    let moves = || [(); 2].map(|()| Box::new(numbered()) as Box<dyn ListMoves>);
    let (count, unit) = (found.keys.len() as u64, game.unit());
    let circular = found.components.iter().any(|component| component.circular);
    if circular && unit == Unit::Outcome {
        return Ok(Box::new(RetrogradeShard::turned_round(numbered(), moves(), false, dealt)?));
    }
    let wide = |range: &Range<u32>| u64::from(range.start)..u64::from(range.end);
    let components =
        found.components.iter().map(|component| component.ranges.iter().map(wide).collect()).collect();
    if circular {
        return Ok(Box::new(ThresholdShard::turned_round(
            count,
            components,
            [(); 3].map(|()| Box::new(numbered()) as Box<_>),
            dealt,
        )?));
    }
    Ok(Box::new(LayersShard::in_layers(count, unit, components, moves(), dealt)?))
}

/// A game whose positions are numbered by their places among those found.
struct SortedKeys<'a, G> {
    game: &'a G,
    found: Arc<Found>,
    places: Arc<Places>,
}

impl<G: Packed> SortedKeys<'_, G> {
    /// Visits the children of a position by their numbers, or gives its value; a child that was not found has a number
    /// that no position has.
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
