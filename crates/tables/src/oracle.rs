//! The interface of methods that know exact values.

use std::path::Path;

use grundy_core::game::Game;
use grundy_core::table::TableError;
use grundy_core::value::Value;
use grundy_session::{Home, KeptTable, Need, SolveError, Tabled, Work};

use crate::StateNumbers;

/// A method that knows exact values of positions.
pub trait Oracle<G: Game>: Send + Sync {
    /// Does the long work that the values of `position` and its children need, unless it was done before, within the
    /// limits of `need`: opens or builds a table.
    ///
    /// # Errors
    /// The work was stopped or is too large; the method then answers `None`.
    fn ready(&self, _game: &G, _position: &G::Position, _need: &Need<'_>) -> Result<(), SolveError> {
        Ok(())
    }

    /// Returns the approximate memory of the method in bytes: tables and caches. Never blocks.
    fn bytes(&self) -> u64;

    /// Returns the exact value of a position, finished or not; `None` if the method does not know it. Called at every
    /// position of a search, so it takes microseconds at most; long work belongs in [`Oracle::ready`]. A method without
    /// distances returns values without distances for finished positions too.
    fn value(&self, game: &G, position: &G::Position) -> Option<Value>;

    /// Returns proved bounds of an unfinished position's value for the player to move, if the method knows any.
    fn bounds(&self, game: &G, position: &G::Position) -> Option<(Value, Value)> {
        // A win of unknown distance bounds no distance.
        self.value(game, position).filter(|value| !value.is_unmeasured()).map(|value| (value, value))
    }

    /// Returns the value that the position would have without a rule of the game, and the rule, if that makes a
    /// difference.
    fn without_rule(&self, _game: &G, _position: &G::Position) -> Option<(Value, &'static str)> {
        None
    }

    /// Returns the moves that keep the value, if the method finds them without looking at every child; an empty list
    /// means that every move does. With `None` the caller compares the values of the children.
    fn keeping_moves(&self, _game: &G, _position: &G::Position) -> Option<Vec<G::Move>> {
        None
    }

    /// Reports whether [`Oracle::keeping_moves`] lists all of them: where there are very many moves, some may be omitted.
    fn keeping_is_whole(&self, _game: &G, _position: &G::Position) -> bool {
        true
    }

    /// Returns the plies from a move that keeps the value until a gain or an end is forced, in games for points in
    /// which positions may repeat. Moves that keep the value without progress may cycle forever.
    fn pace(&self, _game: &G, _position: &G::Position, _m: G::Move) -> Option<u32> {
        None
    }

    /// Returns the Grundy number of a position, if the game is impartial and the method finds it before the work ends.
    fn grundy(&self, _game: &G, _position: &G::Position, _work: &Work<'_>) -> Option<u64> {
        None
    }

    /// Returns why the game has no Grundy numbers, or none that the method could find; `None` if it does not know.
    fn no_grundy(&self, _game: &G) -> Option<String> {
        None
    }

    /// Returns the method's numbering of positions, if it has one.
    fn states(&self, _game: &G) -> Option<StateNumbers<G>> {
        None
    }

    /// Returns the table behind the values, if the method builds one: of all positions, or with `book` of those with at most
    /// that many plies played, if the method builds such tables.
    fn tabled<'a>(
        &'a self,
        _game: &'a G,
        _home: &'a Home,
        _book: Option<u32>,
    ) -> Option<Box<dyn Tabled + 'a>> {
        None
    }

    /// Opens a file of values that the method keeps beside tables; `None` if it keeps none of this name.
    fn kept<'a>(&'a self, _game: &'a G, _file: &Path) -> Option<Result<KeptTable<'a>, TableError>> {
        None
    }
}
