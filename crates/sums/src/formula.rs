//! Values by a formula: nothing is searched, nothing is stored.

use crate::sum::BySum;
use crate::sum::Sum;
use grundy_core::game::{Game, legal_moves};
use grundy_core::value::Value;
use grundy_session::Work;
use grundy_tables::Oracle;

/// A game whose values are given by a formula.
pub trait Formula: Game {
    /// Returns the exact value of a position, finished or not. A formula without distances returns values without
    /// distances for finished positions too.
    fn formula(&self, position: &Self::Position) -> Value;

    /// Returns moves that keep the value, in a fixed order: at least one in a won position, and all of them if they can
    /// be listed. The list may be empty in a lost position, where every move keeps the value. The default applies the
    /// formula to every child; a game with very many moves overrides it.
    fn keeping_moves(&self, position: &Self::Position) -> Vec<Self::Move>
    where
        Self: Sized,
    {
        if self.formula(position) < Value::DRAW {
            return Vec::new();
        }
        let mut keeping = legal_moves(self, position);
        keeping.retain(|&m| self.formula(&self.play(position, m)) < Value::DRAW);
        keeping
    }

    /// Reports whether [`Formula::keeping_moves`] lists all of them.
    fn keeping_is_whole(&self, _position: &Self::Position) -> bool {
        true
    }

    /// Returns why no position has a Grundy number; `None` if they have, or if the reason is unknown.
    fn no_grundy(&self) -> Option<&'static str> {
        None
    }

    /// Returns the Grundy number, if the game is impartial, in normal play, and has a formula for it.
    fn grundy(&self, _position: &Self::Position) -> Option<u64> {
        None
    }
}

/// The oracle of the game's own formula.
#[derive(Clone, Copy, Debug, Default)]
pub struct ByFormula;

impl<G: Formula> Oracle<G> for ByFormula {
    fn bytes(&self) -> u64 {
        0
    }

    fn value(&self, game: &G, position: &G::Position) -> Option<Value> {
        Some(game.formula(position))
    }

    fn keeping_moves(&self, game: &G, position: &G::Position) -> Option<Vec<G::Move>> {
        Some(if game.over(position).is_some() { Vec::new() } else { game.keeping_moves(position) })
    }

    fn keeping_is_whole(&self, game: &G, position: &G::Position) -> bool {
        game.keeping_is_whole(position)
    }

    fn grundy(&self, game: &G, position: &G::Position, _work: &Work<'_>) -> Option<u64> {
        game.grundy(position)
    }

    fn no_grundy(&self, game: &G) -> Option<String> {
        game.no_grundy().map(str::to_owned)
    }
}

/// Options that may be visited for a Grundy number without a formula.
const PATIENCE: u64 = 5_000_000;

/// The oracle of the formula, with Grundy numbers by recursion if the formula has none.
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
    fn bytes(&self) -> u64 {
        self.sum.bytes()
    }

    fn value(&self, game: &G, position: &G::Position) -> Option<Value> {
        ByFormula.value(game, position)
    }

    fn keeping_moves(&self, game: &G, position: &G::Position) -> Option<Vec<G::Move>> {
        ByFormula.keeping_moves(game, position)
    }

    fn keeping_is_whole(&self, game: &G, position: &G::Position) -> bool {
        ByFormula.keeping_is_whole(game, position)
    }

    fn grundy(&self, game: &G, position: &G::Position, work: &Work<'_>) -> Option<u64> {
        game.grundy(position).or_else(|| self.sum.grundy(game, position, work))
    }

    fn no_grundy(&self, game: &G) -> Option<String> {
        self.sum.no_grundy(game)
    }
}
