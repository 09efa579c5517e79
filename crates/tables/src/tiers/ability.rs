//! The trait of games that are solved tier by tier.

use std::ops::Range;

use grundy_core::game::{Indexed, Scored};
use grundy_core::value::{Step, Value};

use crate::retrograde::{Distinct, Missing, Sight};

/// A part of a game's states that is solved together, and kept in a table of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tier {
    /// Its name, a word that may occur in a game's name: `4-3`.
    pub name: String,
    /// The indices of its positions.
    pub numbers: Range<u64>,
    /// True if a move may lead out of it.
    pub leaves: bool,
    /// True if a move may stay in it. If none does, the first look at its positions gives their values.
    pub stays: bool,
    /// Ranges of the indices that are counted separately, each with its name; may be empty.
    pub sections: Vec<(String, Range<u64>)>,
}

/// A game whose positions fall into tiers.
pub trait Tiered: Scored + Indexed {
    /// Returns the tiers. Every state is in exactly one, and every move stays in its tier or leads to one earlier in the list.
    fn tiers(&self) -> Vec<Tier>;

    /// Returns the tiers to which moves out of `tier` may lead, by their places in the list. Tiers in which every position is
    /// over may be left out.
    fn exits(&self, tier: usize) -> Vec<usize>;

    /// Visits the predecessors of `position` in its tier by their indices, with whether the turn passes by the move. One may
    /// come more than once. As in [`Reversible`](crate::retrograde::Reversible), symmetric positions that share an index
    /// count as one.
    fn predecessors_within(&self, position: &Self::Position, visit: &mut impl FnMut(u64, bool));

    /// Returns the number of places in the order of [`Tiered::walk_places`] for the tier of these states.
    fn places(&self, tier: &Range<u64>) -> u64 {
        tier.end - tier.start
    }

    /// Visits the positions of the tier of these states at some places of an order of its own, each with its index. In that
    /// order the children of successive positions lie close together, so that reading their values does not wait for
    /// memory. Every position of the tier is at one place; a place may have many positions, or none. By default it is the
    /// order of the indices.
    fn walk_places(
        &self,
        tier: &Range<u64>,
        places: Range<u64>,
        visit: &mut impl FnMut(u64, Self::Position),
    ) {
        self.walk(tier.start + places.start..tier.start + places.end, visit);
    }

    /// Visits the indices of these positions with what the first look sees of each. `worth` gives the value of a move to a
    /// state of a finished tier. A game may know a faster way than to look at one position after another.
    fn survey(
        &self,
        tier: &Range<u64>,
        places: Range<u64>,
        worth: &impl Fn(u64, Step) -> Option<Value>,
        visit: &mut impl FnMut(u64, Sight),
    ) where
        Self: Sized,
    {
        let mut see = see(self, tier, worth);
        self.walk_places(tier, places, &mut |number, position| visit(number, see(&position)));
    }

    /// Returns the number of distinct children of an unfinished position in its own tier; `None` if the game does not know it
    /// without computing their indices.
    fn staying(&self, _position: &Self::Position) -> Option<u32> {
        None
    }

    /// Visits the children of an unfinished position that lie in other tiers. Those in its own may be visited too, and are
    /// ignored.
    fn leave(&self, position: &Self::Position, visit: &mut impl FnMut(Exit))
    where
        Self: Sized,
    {
        self.child_indices(position, &mut |number, step| visit(Exit::To(number, step)));
    }
}

/// A move that leads to another tier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// To the position with this index.
    To(u64, Step),
    /// To the end of the game, with its value for the mover. The tier it leads to need not be solved.
    Ends(Value),
}

/// Returns a function that looks at the positions of the tier of these states one by one. `worth` gives the value of a move to
/// a state of a finished tier.
pub fn see<'a, G: Tiered>(
    game: &'a G,
    tier: &'a Range<u64>,
    worth: &'a impl Fn(u64, Step) -> Option<Value>,
) -> impl FnMut(&G::Position) -> Sight + 'a {
    let mut children = Distinct::new();
    move |position| {
        if let Some(value) = game.over(position) {
            return Sight::over(value);
        }
        let (mut exit, mut missing) = (None, None);
        game.leave(position, &mut |out| match out {
            Exit::To(child, _) if tier.contains(&child) => {}
            Exit::To(child, step) => match worth(child, step) {
                None => missing = Some(child),
                worth => exit = exit.max(worth),
            },
            Exit::Ends(value) => exit = exit.max(Some(value)),
        });
        let inner = game.staying(position).unwrap_or_else(|| {
            children.clear();
            let mut inner = 0;
            game.child_indices(position, &mut |child, step| {
                if tier.contains(&child) {
                    inner += u32::from(children.insert(child, step.turn_passed));
                }
            });
            inner
        });
        match missing {
            None => Sight::open(inner, exit),
            Some(child) => Sight::missing(Missing(child)),
        }
    }
}
