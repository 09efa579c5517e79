//! Games whose positions fall into classes, each solved after the classes that it leads to.

use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::sync::Arc;

use grundy_core::game::Game;
use grundy_core::value::Value;

use super::layout::{Levels, Place, Superposed};
use super::slices::{Laid, Slices};

/// A game whose positions fall into classes that can be laid out as bits. A class needs only the values of smaller
/// ones.
pub trait Endings: Game {
    /// A class, its symmetric forms being one.
    type Ending: Copy + Eq + Ord + Hash + Debug + Display + Send + Sync;
    /// A class laid out whole, with what it needs of smaller ones.
    type Layout: Superposed;
    /// A class laid out in slices, with what it needs of smaller ones.
    type Slices: Slices;

    /// The value of a position that is so simple that no table is needed.
    fn plain(&self, position: &Self::Position) -> Option<Value>;

    /// The class of a position, where it is one of few men.
    fn ending(&self, position: &Self::Position) -> Option<Self::Ending>;

    /// Classes that one move may make of a position that is in none itself.
    fn near(&self, _position: &Self::Position) -> Vec<Self::Ending> {
        Vec::new()
    }

    /// Where a position stands in its class.
    fn place(&self, ending: Self::Ending, position: &Self::Position) -> Place;

    /// Whether the game is about this class, so that making its table may take long.
    fn asked_for(&self, _ending: Self::Ending) -> bool {
        false
    }

    /// The classes of a game that numbers its positions, with the number at which each begins: the words of the
    /// layout, side 0 to move, then side 1, 64 numbers a word. What is [`Endings::plain`] has the numbers behind.
    fn classes(&self) -> Vec<(Self::Ending, u64)>;

    /// The bits of a word of a class that may be positions: exits and second ways to lay the same position out
    /// are left out.
    fn stands(&self, ending: Self::Ending, side: usize, word: usize) -> u64;

    /// The classes that moves out of this one lead to.
    fn needs(&self, ending: Self::Ending) -> Vec<Self::Ending>;

    /// The longest distance for which the table's value is the game's: a rule that the tables leave out may cut short
    /// what takes more plies than this. `None` where there is no such rule.
    fn horizon(&self, position: &Self::Position) -> Option<u32>;

    /// What that rule is called.
    fn rule(&self) -> &'static str {
        "the rule"
    }

    /// How many plies the rule behind [`Endings::horizon`] gives after each move out of this class and each move that
    /// [sets its clock back](Superposed::resets), where no other does: best play under the rule can then be known. `None`
    /// elsewhere.
    fn deadline(&self, _ending: Self::Ending) -> Option<u32> {
        None
    }

    /// The memory that solving the class takes, in bytes, without that of the classes it needs.
    fn memory(&self, ending: Self::Ending) -> u64;

    /// Lays a class out; `solved` gives the values of the classes it needs, at best each once, since it may have to
    /// unpack them.
    fn layout(
        &self,
        ending: Self::Ending,
        solved: &dyn Solved<Self::Ending>,
    ) -> Laid<Self::Layout, Self::Slices>;
}

/// A piece of work that does not depend on others.
pub type WorkItem<'a> = Box<dyn FnOnce() + Send + 'a>;

/// What the layout of a class needs: the values of solved classes, and threads.
pub trait Solved<E> {
    /// The values of a class that was solved before.
    fn levels(&self, ending: E) -> Arc<Levels>;

    /// Does all of this, on several threads where there are some.
    fn all(&self, tasks: Vec<WorkItem<'_>>) {
        tasks.into_iter().for_each(|task| task());
    }
}

impl<E, F: Fn(E) -> Arc<Levels>> Solved<E> for F {
    fn levels(&self, ending: E) -> Arc<Levels> {
        self(ending)
    }
}
