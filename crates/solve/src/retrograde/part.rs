//! What is analysed at one time: all positions of a game, or those of a part whose moves may lead to finished parts.

use std::ops::Range;

use super::backward::Distinct;
use grundy_core::game::{Indexed, Scored};
use grundy_core::value::Value;

/// Positions with numbers of their own, from 0 on.
pub(crate) trait Part: Sync {
    /// How many numbers there are.
    fn len(&self) -> u64;

    /// Whether moves may lead out of it, to positions whose values are known.
    fn leaves(&self) -> bool;

    /// Whether moves may stay in it. Where none does each position is looked at once, and that is all.
    fn stays(&self) -> bool;

    /// Visits the positions of a range of numbers in rising order, each with what is seen of it at once, or why that
    /// cannot be.
    fn look(&self, range: Range<u64>, visit: &mut impl FnMut(u64, Result<Seen, String>));

    /// How many places there are in the order of [`Part::look_at_places`].
    fn places(&self) -> u64 {
        self.len()
    }

    /// As [`Part::look`], at some places of the order in which looking at all positions is fastest. A place may have many
    /// positions.
    fn look_at_places(&self, places: Range<u64>, visit: &mut impl FnMut(u64, Result<Seen, String>)) {
        self.look(places, visit);
    }
}

/// What is seen of a position at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// It is over.
    Over(Value),
    /// It goes on.
    Open {
        /// How many distinct children lie in the part.
        inner: u32,
        /// The best value that a move out of the part gives the mover.
        exit: Option<Value>,
    },
}

/// All positions of a game.
pub(crate) struct Whole<'a, G>(pub(crate) &'a G);

impl<G: Scored + Indexed> Part for Whole<'_, G> {
    fn len(&self) -> u64 {
        self.0.size()
    }

    fn leaves(&self) -> bool {
        false
    }

    fn stays(&self) -> bool {
        true
    }

    fn look(&self, range: Range<u64>, visit: &mut impl FnMut(u64, Result<Seen, String>)) {
        let Whole(game) = *self;
        let mut children = Distinct::new();
        game.walk(range, &mut |number, position| {
            if let Some(value) = game.over(&position) {
                return visit(number, Ok(Seen::Over(value)));
            }
            let inner = game.child_count(&position).unwrap_or_else(|| {
                children.clear();
                let mut left = 0;
                game.child_numbers(&position, &mut |child, step| {
                    left += u32::from(children.insert(child, step.turn_passed));
                });
                left
            });
            visit(number, Ok(Seen::Open { inner, exit: None }));
        });
    }
}
