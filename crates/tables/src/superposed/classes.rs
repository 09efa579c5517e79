//! Games whose positions fall into classes, each solved after the classes that it leads to.

use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::ops::Range;
use std::sync::Arc;

use grundy_core::game::Game;
use grundy_core::value::Value;

use super::layout::{Levels, Place, Superposed};
use super::slices::{Laid, Portion, Slices};

/// A game whose positions fall into classes that can be laid out as bits. A class needs only the values of smaller
/// ones.
pub trait Endings: Game {
    /// A class; its symmetric forms count as one.
    type Ending: Copy + Eq + Ord + Hash + Debug + Display + Send + Sync;
    /// A class laid out as a whole, with the values that it needs of smaller ones.
    type Layout: Superposed;
    /// A class laid out in slices, with the values that it needs of smaller ones.
    type Slices: Slices;

    /// Returns the value of a position that is so simple that no table is needed.
    fn plain(&self, position: &Self::Position) -> Option<Value>;

    /// Returns the class of a position, if it has few enough pieces.
    fn ending(&self, position: &Self::Position) -> Option<Self::Ending>;

    /// Returns the classes that one move may lead to from a position that is in none itself.
    fn near(&self, _position: &Self::Position) -> Vec<Self::Ending> {
        Vec::new()
    }

    /// Returns the class of this name; `None` if there is none.
    fn named(&self, name: &str) -> Option<Self::Ending>;

    /// Returns the number of words of a class with one side to move.
    fn words(&self, ending: Self::Ending) -> usize;

    /// Returns the place of a position in its class.
    fn place(&self, ending: Self::Ending, position: &Self::Position) -> Place;

    /// Reports whether the game is about this class, so that building its table may take long.
    fn asked_for(&self, _ending: Self::Ending) -> bool {
        false
    }

    /// Returns the classes of a game with indices, each with its first index. Index layout: for each class all words
    /// with side 0 to move, then side 1, 64 indices per word; positions of [`Endings::plain`] come last.
    fn classes(&self) -> Vec<(Self::Ending, u64)>;

    /// Returns the mask of bits of a word that are positions; exits and duplicate encodings are cleared.
    fn stands(&self, ending: Self::Ending, side: usize, word: usize) -> u64;

    /// Returns the classes that moves out of this one lead to.
    fn needs(&self, ending: Self::Ending) -> Vec<Self::Ending>;

    /// Returns the longest distance for which the table's value is the game's: a rule that the tables leave out may end
    /// the game before. `None` if there is no such rule.
    fn horizon(&self, position: &Self::Position) -> Option<u32>;

    /// Returns the name of that rule.
    fn rule(&self) -> &'static str {
        "the rule"
    }

    /// Returns the plies that the rule behind [`Endings::horizon`] leaves after each move out of this class and each
    /// move that [resets its clock](Superposed::resets), if no other move resets it: then best play under the rule can
    /// be computed. `None` otherwise.
    fn deadline(&self, _ending: Self::Ending) -> Option<u32> {
        None
    }

    /// Returns the bytes of memory that solving the class, or a portion of it, takes, without those of the classes it
    /// needs.
    fn memory(&self, ending: Self::Ending, portion: Option<Portion>) -> u64;

    /// Returns about how many seconds of one thread solving the class, or a portion of it, takes, without the classes
    /// it needs.
    fn seconds(&self, ending: Self::Ending, portion: Option<Portion>) -> f64;

    /// Returns a hash that changes with the rules of the class and its layout.
    fn fingerprint(&self, ending: Self::Ending) -> u64;

    /// Lays out a class; `solved` returns the values of the classes it needs, which should be requested once each,
    /// since they may have to be unpacked.
    fn layout(
        &self,
        ending: Self::Ending,
        solved: &dyn Solved<Self::Ending>,
    ) -> Laid<Self::Layout, Self::Slices>;

    /// Returns the portion of a class that holds a place and every place that play can lead to from there within the class;
    /// `None` if the class is solved as a whole only.
    fn portion(&self, _ending: Self::Ending, _place: Place) -> Option<Portion> {
        None
    }

    /// Returns the words of a class for which the values of a portion, or of all of it, are stored: the first of the portion's
    /// chain, the first that is stored, and how many are. `None` if there is no such portion.
    fn stored(&self, ending: Self::Ending, portion: Option<Portion>) -> Option<[usize; 3]> {
        portion.is_none().then(|| [0, 0, self.words(ending)])
    }

    /// Returns the positions of a portion in words.
    fn portion_words(&self, _ending: Self::Ending, portion: Portion) -> String {
        format!("portion {} up to step {}", portion.chain, portion.steps)
    }

    /// Returns the place in the values of a portion of a place of its class, if these have a layout of their own.
    fn place_in(&self, _ending: Self::Ending, _portion: Portion, place: Place) -> Place {
        place
    }

    /// Returns the classes that moves out of a portion of this one, or out of all of it, lead to, each with the portion of
    /// it that is enough.
    fn needs_of(&self, ending: Self::Ending, _portion: Option<Portion>) -> Vec<Part<Self::Ending>> {
        self.needs(ending).into_iter().map(|needed| (needed, None)).collect()
    }

    /// Lays out a class in slices, to take these steps of one chain only; `None` if it has no chains, or if a
    /// [part](Solved::part) that they need is missing.
    fn slices(
        &self,
        _ending: Self::Ending,
        _chain: usize,
        _steps: Range<usize>,
        _solved: &dyn Solved<Self::Ending>,
    ) -> Option<Self::Slices> {
        None
    }
}

/// A class, or a portion of it.
pub type Part<E> = (E, Option<Portion>);

/// A piece of work that does not depend on others.
pub type WorkItem<'a> = Box<dyn FnOnce() + Send + 'a>;

/// The values of solved classes and the threads for laying out a class.
pub trait Solved<E> {
    /// Returns the values of a class that was solved before.
    fn levels(&self, ending: E) -> Arc<Levels>;

    /// Returns the values of a portion of a class that was solved before; `None` if no portion is.
    fn part(&self, _ending: E, _portion: Portion) -> Option<Arc<Levels>> {
        None
    }

    /// Runs all tasks, on several threads if there are some.
    fn all(&self, tasks: Vec<WorkItem<'_>>) {
        tasks.into_iter().for_each(|task| task());
    }
}

impl<E, F: Fn(E) -> Arc<Levels>> Solved<E> for F {
    fn levels(&self, ending: E) -> Arc<Levels> {
        self(ending)
    }
}
