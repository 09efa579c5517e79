//! The value read off the position: nothing is searched, nothing is stored.

use crate::game::{Formula, Sum};
use crate::solve::Oracle;
use crate::solve::sum::BySum;
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

/// How many options may be visited for a Grundy number that the formula does not give.
const PATIENCE: u64 = 5_000_000;

/// Answers with the formula, and with Grundy numbers by the recursion where the formula gives none.
#[derive(Debug)]
pub struct ByFormulaAndSum<G: Sum> {
    sum: BySum<G>,
}

impl<G: Sum> Default for ByFormulaAndSum<G> {
    fn default() -> ByFormulaAndSum<G> {
        ByFormulaAndSum { sum: BySum::with_patience(PATIENCE) }
    }
}

impl<G: Formula + Sum> Oracle<G> for ByFormulaAndSum<G> {
    fn value(&self, game: &G, position: &G::Position) -> Option<Value> {
        ByFormula.value(game, position)
    }

    fn keeping_moves(&self, game: &G, position: &G::Position) -> Option<Vec<G::Move>> {
        ByFormula.keeping_moves(game, position)
    }

    fn grundy(&self, game: &G, position: &G::Position) -> Option<u64> {
        game.grundy(position).or_else(|| self.sum.grundy(game, position))
    }
}
