//! The objective of learning, and what the two models have in common.

use grundy_core::game::Player;
use grundy_core::weights::{Contents, Model};

/// The most that an estimate may be, in units of the model.
pub const MOST: f32 = 16.0;

/// The objective of a model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Aim {
    /// The result of the game: estimates are the logarithm of the odds of a win.
    Result,
    /// The margin still to come, divided by this many points.
    Margin(f32),
}

impl Aim {
    /// Converts an estimate to a worth: from -1 (lost) to 1 (won), or the margin in units.
    pub fn worth(self, estimate: f32) -> f32 {
        match self {
            Aim::Result => (estimate / 2.0).tanh(),
            Aim::Margin(_) => estimate,
        }
    }

    /// Returns the hundredths that an estimate of 1 is in a search.
    pub fn hundredths(self) -> f32 {
        match self {
            Aim::Result => 100.0,
            Aim::Margin(points) => 100.0 * points,
        }
    }

    /// Returns the error of an estimate of a position of this worth, as a step of gradient descent takes it.
    pub fn error(self, estimate: f32, worth: f32) -> f32 {
        match self {
            // The gradient of the cross entropy of odds.
            Aim::Result => (worth - self.worth(estimate)) / 2.0,
            Aim::Margin(_) => (worth - estimate).clamp(-1.0, 1.0) / 2.0,
        }
    }
}

/// A model that learns.
pub trait Learner: Send {
    /// Returns the number of weights, equal ones counted once.
    fn size(&self) -> usize;

    /// Continues with the weights of a file; returns false if it has a model of other sizes.
    fn take(&mut self, contents: &Contents) -> bool;

    /// Returns the estimate of a position, in units of the model.
    fn estimate(&mut self, turn: Player, cells: &[u8]) -> f32;

    /// Learns that a position has this worth.
    fn learn(&mut self, turn: Player, cells: &[u8], worth: f32);

    /// Returns the weights as they are stored, and the hundredths that a stored weight or an output of 1 is worth, in units
    /// of 2^-16.
    fn stored(&self) -> (Model, u32);
}

#[cfg(test)]
pub mod tests {
    use super::*;

    use grundy_core::weights::{Accumulators, Tuples, Weights};

    /// Contents of three cells of three kinds; what is X for player one is O for player two.
    pub fn shape() -> Contents {
        let mut digits = [[0; 256]; 2];
        for (digits, letters) in digits.iter_mut().zip([b"XO", b"OX"]) {
            (1..).zip(letters).for_each(|(digit, &letter)| digits[usize::from(letter)] = digit);
        }
        let (game, digest, method) = ("row".to_owned(), String::new(), "test".to_owned());
        let model = Model::Tuples(Tuples::default());
        Contents { game, digest, method, games: 0, seed: 0, cells: 3, digits, base: 3, unit: 0, model }
    }

    /// The contents of a file of a model, and what it estimates.
    pub fn guess(learner: &dyn Learner, turn: Player, cells: &[u8]) -> (Contents, i32) {
        let (model, unit) = learner.stored();
        let weights = Weights::new(Contents { model, unit, ..shape() }).unwrap();
        let hundredths = weights.guess(turn, cells, &mut Accumulators::default());
        (weights.contents().clone(), hundredths)
    }
}
