//! The value read off the position: nothing is searched, nothing is stored.

use crate::game::Formula;
use crate::solve::Oracle;
use crate::value::Value;

/// Answers with what the game's own formula says.
///
/// ```
/// use grundy::game::Game;
/// use grundy::games::nim::Nim;
/// use grundy::solve::{Oracle, formula::ByFormula};
/// use grundy::value::Value;
///
/// let nim = Nim::new(vec![3, 5, 7], None, false)?;
/// assert_eq!(ByFormula.value(&nim, &nim.start()), Some(Value::WIN));
/// assert_eq!(ByFormula.keeping_moves(&nim, &nim.start()).map(|moves| moves.len()), Some(3));
/// assert_eq!(ByFormula.grundy(&nim, &nim.start()), Some(3 ^ 5 ^ 7));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ByFormula;

impl<G: Formula> Oracle<G> for ByFormula {
    fn value(&self, game: &G, position: &G::Position) -> Option<Value> {
        Some(game.formula(position))
    }

    fn keeping_moves(&self, game: &G, position: &G::Position) -> Option<Vec<G::Move>> {
        Some(if game.over(position).is_some() { Vec::new() } else { game.keeping_moves(position) })
    }

    fn grundy(&self, game: &G, position: &G::Position) -> Option<u64> {
        game.grundy(position)
    }
}
