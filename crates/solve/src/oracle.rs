//! The interface of a method that knows exact values.

use grundy_core::game::Game;
use grundy_core::value::Value;
use grundy_session::{Home, Loony, Need, SolveError, Tabled, Work};

use crate::StateNumbers;

/// A method that knows exact values of positions.
pub trait Oracle<G: Game>: Send + Sync {
    /// Does the long work that the values of `position` and of those after its moves need, unless it was done before, and
    /// ends where the work of `need` does.
    ///
    /// # Errors
    /// The work was stopped or is too large; the method then answers `None`.
    fn ready(&self, _game: &G, _position: &G::Position, _need: &Need<'_>) -> Result<(), SolveError> {
        Ok(())
    }

    /// About how many bytes of memory the method keeps, of tables and of all that it remembers. Asked now and then by
    /// whoever keeps many games open; waits for nobody.
    fn bytes(&self) -> u64;

    /// The exact value of a position, finished or not; `None` where the method does not know it. Asked at every position
    /// of a search, so it looks up, or counts few steps: what takes long is for [`Oracle::ready`]. A method without
    /// distances gives a finished position a value without a distance too.
    fn value(&self, game: &G, position: &G::Position) -> Option<Value>;

    /// Proved bounds of an unfinished position's value for the player to move, where the method knows any.
    fn bounds(&self, game: &G, position: &G::Position) -> Option<(Value, Value)> {
        // A win of unknown distance bounds no distance.
        self.value(game, position).filter(|value| !value.is_unmeasured()).map(|value| (value, value))
    }

    /// What the position would be worth without a rule of the game, and which rule, where that makes a difference.
    fn without_rule(&self, _game: &G, _position: &G::Position) -> Option<(Value, &'static str)> {
        None
    }

    /// Moves that keep the value, where the method finds them without looking at every child; an empty list means that
    /// every move does. `None` has the caller compare the values of the children.
    fn keeping_moves(&self, _game: &G, _position: &G::Position) -> Option<Vec<G::Move>> {
        None
    }

    /// For a move that keeps the value of a position, in games for points in which positions may repeat: in how many
    /// plies after it a gain or an end is forced that the value rests on. Whoever keeps a value without coming nearer
    /// may go round for ever.
    fn pace(&self, _game: &G, _position: &G::Position, _m: G::Move) -> Option<u32> {
        None
    }

    /// Makes ready what loony states need, if that can be done before the work ends.
    fn ready_for_loony(&self, _game: &G, _work: &Work<'_>) {}

    /// Who makes the next loony move, for the player to move, where the method knows it.
    fn loony(&self, _game: &G, _position: &G::Position) -> Option<Loony> {
        None
    }

    /// The Grundy number of a position, where the game is impartial and the method finds it before the work ends.
    fn grundy(&self, _game: &G, _position: &G::Position, _work: &Work<'_>) -> Option<u64> {
        None
    }

    /// Why the game has no Grundy numbers, or none that the method could find; `None` where it does not know.
    fn no_grundy(&self, _game: &G) -> Option<String> {
        None
    }

    /// The numbers that the method knows positions by, where it has any.
    fn states(&self, _game: &G) -> Option<StateNumbers<G>> {
        None
    }

    /// The table behind the values, where the method makes one: of all positions, or of those with at most `book` plies
    /// played.
    fn tabled<'a>(
        &'a self,
        _game: &'a G,
        _home: &'a Home,
        _book: Option<u32>,
    ) -> Option<Box<dyn Tabled + 'a>> {
        None
    }
}
