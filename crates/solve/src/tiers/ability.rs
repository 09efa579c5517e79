//! What a game must know to be solved tier by tier.

use std::ops::Range;

use grundy_core::game::{Indexed, Scored};
use grundy_core::value::{Step, Value};

use crate::retrograde::{Distinct, Missing, Sight};

/// Positions that are solved together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tier {
    /// Its name, a word that a game's name may hold: `4-3`.
    pub name: String,
    /// The numbers of its positions.
    pub numbers: Range<u64>,
    /// Whether a move may lead out of it.
    pub leaves: bool,
    /// Whether a move may stay in it. Where none does the values of its positions are seen at once.
    pub stays: bool,
    /// Ranges of these that are counted apart, each with its name; empty where nothing is.
    pub sections: Vec<(String, Range<u64>)>,
}

/// A game whose positions fall into tiers.
pub trait Tiered: Scored + Indexed {
    /// The tiers. Every number is in exactly one, and every move stays in its tier or leads to one earlier in the list.
    fn tiers(&self) -> Vec<Tier>;

    /// The tiers to which moves out of this one may lead, by their places in the list. Those in which every position is
    /// over may be left out.
    fn exits(&self, tier: usize) -> Vec<usize>;

    /// Visits the numbers of the positions in the same tier from which one move leads to `position`, and whether the
    /// turn passes by it. One may come more than once. As in [`Reversible`](crate::retrograde::Reversible), symmetric
    /// positions that share a number count as one.
    fn predecessors_within(&self, position: &Self::Position, visit: &mut impl FnMut(u64, bool));

    /// How many places there are in the order of [`Tiered::walk_places`] for the tier of these numbers.
    fn places(&self, tier: &Range<u64>) -> u64 {
        tier.end - tier.start
    }

    /// Visits the positions of the tier of these numbers at some places of an order of its own, each with its number:
    /// one in which the children of positions that follow each other lie close together, so that reading their values
    /// does not wait for memory. Every position of the tier is at one place; a place may have many, or none. The order
    /// of the numbers serves as well.
    fn walk_places(
        &self,
        tier: &Range<u64>,
        places: Range<u64>,
        visit: &mut impl FnMut(u64, Self::Position),
    ) {
        self.walk(tier.start + places.start..tier.start + places.end, visit);
    }

    /// Visits the numbers of these positions with what is seen of each at once, or why that cannot be; `worth` says what
    /// a move to a number of a finished tier is worth. A game may know a faster way than to look at one position after
    /// the other.
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

    /// How many distinct children of an unfinished position lie in its own tier; `None` where the game does not know it
    /// without numbering them.
    fn staying(&self, _position: &Self::Position) -> Option<u32> {
        None
    }

    /// Visits the children of an unfinished position that lie in other tiers. Those in its own may be visited too, and
    /// do not count.
    fn leave(&self, position: &Self::Position, visit: &mut impl FnMut(Exit))
    where
        Self: Sized,
    {
        self.child_numbers(position, &mut |number, step| visit(Exit::To(number, step)));
    }
}

/// A move that leads to another tier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// To the position with this number.
    To(u64, Step),
    /// It ends the game: what it is worth to the mover. The tier it leads to need not be solved.
    Ends(Value),
}

/// Looks at positions of the tier of these numbers one by one: what is seen of each at once, or why that cannot be. `worth`
/// says what a move to a number of a finished tier is worth.
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
            game.child_numbers(position, &mut |child, step| {
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
