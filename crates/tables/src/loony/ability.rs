//! The trait of games with loony states.

use std::time::Duration;

use grundy_core::game::Game;
use grundy_core::table::Table;
use grundy_core::value::Value;
use grundy_session::{Home, Loony, SolveError, Tabled, Work};

/// A game in which the player who makes the next loony move decides otherwise even games.
pub trait LoonyStates: Game {
    /// Reports whether the state has a meaning under these rules.
    fn has_states(&self) -> bool;

    /// Reports whether the move that led here was loony, whichever it was.
    fn is_loony(&self, position: &Self::Position) -> bool;

    /// Returns the state of an unfinished position and of its moves, as far as they follow from what is known.
    fn loony_states(
        &self,
        position: &Self::Position,
        known: &mut Known<'_, Self::Position>,
    ) -> States<Self::Move>;
}

/// Known values and states of positions.
pub struct Known<'a, P> {
    /// Exact values, if known.
    pub value: &'a mut dyn FnMut(&P) -> Option<Value>,
    /// Loony states for the player to move, if a table has them.
    pub state: &'a dyn Fn(&P) -> Option<Loony>,
}

/// The loony states of a position, for the player to move, and of its moves, each for the player who makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct States<M> {
    /// The state of the position.
    pub position: Option<Loony>,
    /// The states of the moves.
    pub moves: Vec<(M, Option<Loony>)>,
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
