//! The trait of games with loony states.

use std::time::Duration;

use grundy_core::game::Game;
use grundy_core::table::Table;
use grundy_session::{Annotation, Home, SolveError, Tabled, Work};

use crate::annotator::{Annotator, FindValue};

/// The player who makes the next loony move if both play for points first and then try to make the opponent do it; seen
/// by one of the players. Better states are larger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Loony {
    /// This player does, written `v`.
    Mine,
    /// Nobody does, written `-`.
    Nobody,
    /// The other player does, written `^`.
    Other,
}

impl Loony {
    /// Returns the state as the other player sees it.
    #[must_use]
    pub fn turned(self) -> Loony {
        match self {
            Loony::Mine => Loony::Other,
            Loony::Nobody => Loony::Nobody,
            Loony::Other => Loony::Mine,
        }
    }

    /// Returns the mark of a state, or that of an unknown one.
    pub fn mark(state: Option<Loony>) -> char {
        match state {
            Some(Loony::Mine) => 'v',
            Some(Loony::Nobody) => Annotation::NONE,
            Some(Loony::Other) => '^',
            None => Annotation::UNKNOWN,
        }
    }
}

/// A game in which the player who makes the next loony move decides otherwise even games.
pub trait LoonyStates: Game {
    /// Reports whether the state has a meaning under these rules.
    fn has_states(&self) -> bool;

    /// Reports whether the move that led here was loony, whichever it was.
    fn is_loony(&self, position: &Self::Position) -> bool;

    /// Returns the marks of a position and of its moves, as far as they follow from what is known.
    fn loony_marks(
        &self,
        position: &Self::Position,
        known: &mut Known<'_, Self::Position>,
    ) -> Annotation<Self::Move>;

    /// Returns comments on a position, one a line, as far as they follow from what is known.
    fn remarks(&self, position: &Self::Position, known: &mut Known<'_, Self::Position>) -> Vec<String>;
}

/// Known values and states of positions.
pub struct Known<'a, P> {
    /// Exact values, if known.
    pub value: &'a mut FindValue<'a, P>,
    /// Loony states for the player to move, if a table has them.
    pub state: &'a dyn Fn(&P) -> Option<Loony>,
}

/// An indexing of loony states, and the way to compute their table, beside values that `O` knows.
pub trait StatesBy<G: Game, O>: Send + Sync {
    /// Returns the number of states.
    fn count(&self, values: &O, game: &G) -> u64;

    /// Returns a checksum of the rules, the indexing and the content of the table.
    fn fingerprint(&self, values: &O, game: &G) -> u64;

    /// Returns the index of a position; `None` if it has none.
    fn number(&self, values: &O, game: &G, position: &G::Position) -> Option<u64>;

    /// Returns about the time that building the table takes; `None` if it is only built on request.
    fn takes(&self, _game: &G) -> Option<Duration> {
        None
    }

    /// Builds the table.
    ///
    /// # Errors
    /// The work was stopped, needs too much memory, or the table is only built on request.
    fn make(&self, game: &G, work: &Work<'_>) -> Result<Table, SolveError>;

    /// Returns the table under this name, for `solve` and `tables`. `home` is the place of the table of values.
    fn tabled<'a>(&'a self, values: &'a O, game: &'a G, home: Home, name: String) -> Box<dyn Tabled + 'a>;
}

/// The name of the annotation, and of the section of its table.
pub(super) const NAME: &str = "loony";

/// Annotates with loony states without a table of them.
#[derive(Clone, Copy, Debug)]
pub struct ByRules;

impl<G: LoonyStates> Annotator<G> for ByRules {
    fn name(&self, game: &G) -> Option<&'static str> {
        game.has_states().then_some(NAME)
    }

    fn annotate(
        &self,
        game: &G,
        position: &G::Position,
        value: &mut FindValue<'_, G::Position>,
    ) -> Annotation<G::Move> {
        game.loony_marks(position, &mut Known { value, state: &|_| None })
    }

    fn remarks(
        &self,
        game: &G,
        position: &G::Position,
        value: &mut FindValue<'_, G::Position>,
    ) -> Vec<String> {
        game.remarks(position, &mut Known { value, state: &|_| None })
    }
}
