//! What a game must know for this method.

use std::time::Duration;

use grundy_core::game::Game;
use grundy_core::table::Table;
use grundy_core::value::Value;
use grundy_session::{Home, Loony, SolveError, Tabled, Work};

/// A game in which who makes the next loony move decides games that are even otherwise.
pub trait LoonyStates: Game {
    /// Whether the rules, as they are settled, give the state a meaning.
    fn has_states(&self) -> bool;

    /// Whether the move that led here was loony, whichever it was.
    fn is_loony(&self, position: &Self::Position) -> bool;

    /// The state of an unfinished position and of its moves, as far as they can be had from what is known.
    fn loony_states(
        &self,
        position: &Self::Position,
        known: &mut Known<'_, Self::Position>,
    ) -> States<Self::Move>;
}

/// What is known of positions.
pub struct Known<'a, P> {
    /// Exact values, where they can be had.
    pub value: &'a mut dyn FnMut(&P) -> Option<Value>,
    /// Loony states for the player to move, where a table has them.
    pub state: &'a dyn Fn(&P) -> Option<Loony>,
}

/// The loony states of a position, for the player to move, and of its moves, each for the player who makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct States<M> {
    /// That of the position.
    pub position: Option<Loony>,
    /// Those of the moves.
    pub moves: Vec<(M, Option<Loony>)>,
}

/// A way to number loony states and to make the table of them, beside values that `O` knows.
pub trait StatesBy<G: Game, O>: Send + Sync {
    /// How many numbers there are.
    fn count(&self, values: &O, game: &G) -> u64;

    /// A number that changes with the rules, the numbering and what the table holds.
    fn fingerprint(&self, values: &O, game: &G) -> u64;

    /// The number of a position; `None` if it has none.
    fn number(&self, values: &O, game: &G, position: &G::Position) -> Option<u64>;

    /// About how long the table takes to make from nothing; `None` if it is only made on request.
    fn takes(&self, _game: &G) -> Option<Duration> {
        None
    }

    /// Makes the table from nothing.
    ///
    /// # Errors
    /// The work was stopped, needs too much memory, or the table is only made on request.
    fn make(&self, game: &G, work: &Work<'_>) -> Result<Table, SolveError>;

    /// The table under this name, for `solve` and `tables`. `home` is where the table of values is.
    fn tabled<'a>(&'a self, values: &'a O, game: &'a G, home: Home, name: String) -> Box<dyn Tabled + 'a>;
}
