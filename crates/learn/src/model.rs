//! A sum of weights over tuples of cells, and how it learns.
//!
//! The weights change by temporal coherence (TC): each has a rate of its own, the size of the sum of its errors divided by
//! the sum of their sizes. Where errors of both signs come, the rate falls. A step is divided by the number of weights that
//! share it (normalised least mean squares), so that one step changes the estimate by a fixed share of the error.
//!
//! Sources: D. F. Beal and M. C. Smith, "Temporal coherence and prediction decay in TD learning", IJCAI 1999; S. Bagheri,
//! M. Thill, P. Koch and W. Konen, "Online adaptable learning rates for the game Connect-4", IEEE T-CIAIG 8, 2016;
//! S. M. Lucas, "Learning to play Othello with n-tuple systems", 2008.

use grundy_core::game::Player;
use grundy_core::weights::{Contents, Image};

use crate::symmetry::Symmetry;
use crate::tuples::Table;

/// Units of a stored weight to 1.
const SCALE: f32 = 1024.0;
/// The most that an estimate may be, in units of the model.
const MOST: f32 = 16.0;
/// The share of the error that one step takes away at the full rate.
const STEP: f32 = 1.0;

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
    fn error(self, estimate: f32, worth: f32) -> f32 {
        match self {
            // The gradient of the cross entropy of odds.
            Aim::Result => (worth - self.worth(estimate)) / 2.0,
            Aim::Margin(_) => (worth - estimate).clamp(-1.0, 1.0) / 2.0,
        }
    }
}

/// A model that learns.
pub struct Model {
    /// The objective.
    pub aim: Aim,
    /// The constant part: the names, digits and images of the file.
    shape: Contents,
    /// The index of the weight that each index of a table stands for.
    same: Vec<u32>,
    weights: Vec<f32>,
    /// The sum of each weight's errors, and of their sizes.
    sums: Vec<(f32, f32)>,
    /// The number of times that the position at hand uses each weight.
    uses: Vec<u16>,
    /// The weights of the position at hand.
    active: Vec<u32>,
}

impl Model {
    /// Returns a model of zeros. `shape` has names, sizes and the digits of cells for player one; images and weights are
    /// replaced. With `swap` player two's positions are seen as their images.
    pub fn new(mut shape: Contents, tables: &[Table], swap: Option<&Symmetry>, aim: Aim) -> Model {
        let base = usize::from(shape.base);
        let mut same: Vec<u32> = Vec::new();
        shape.images = [Vec::new(), Vec::new()];
        // Cells of player two's images, and the shift of his tables.
        let mut back: Vec<u16> = (0..shape.cells as u16).collect();
        if let Some(swap) = swap {
            swap.cells.iter().zip(0..).for_each(|(&to, cell)| back[usize::from(to)] = cell);
            shape.digits[1] = std::array::from_fn(|byte| shape.digits[0][usize::from(swap.letters[byte])]);
        } else {
            shape.digits[1] = shape.digits[0];
        }
        for side in 0..2 {
            let mut begin = if side == 1 && swap.is_none() { same.len() } else { 0 };
            for table in tables {
                let size = base.pow(table.width as u32);
                if begin == same.len() {
                    let begin = begin as u32;
                    same.extend(joined(base, table).into_iter().map(|index| begin + index));
                }
                for image in &table.images {
                    let cells =
                        image.iter().map(|&cell| if side == 0 { cell } else { back[usize::from(cell)] });
                    shape.images[side].push(Image { base: begin as u32, cells: cells.collect() });
                }
                begin += size;
            }
        }
        let count = same.len();
        shape.unit = (aim.hundredths() / SCALE * 65536.0) as u32;
        Model {
            aim,
            shape,
            same,
            weights: vec![0.0; count],
            sums: vec![(0.0, 0.0); count],
            uses: vec![0; count],
            active: Vec::new(),
        }
    }

    /// Returns the number of weights, equal ones counted once.
    pub fn size(&self) -> usize {
        self.same.iter().zip(0..).filter(|&(&same, index)| same == index).count()
    }

    /// Continues with the weights of a file; returns false if it has other tables.
    pub fn take(&mut self, contents: &Contents) -> bool {
        let fits = contents.images == self.shape.images
            && contents.digits == self.shape.digits
            && contents.weights.len() == self.weights.len();
        if fits {
            self.shape.games = contents.games;
            // A margin's unit may have been another.
            let share = contents.unit as f32 / self.shape.unit as f32 / SCALE;
            let given = self.weights.iter_mut().zip(&contents.weights);
            given.for_each(|(weight, &given)| *weight = f32::from(given) * share);
        }
        fits
    }

    /// Returns the games played so far.
    pub fn games(&self) -> u64 {
        self.shape.games
    }

    /// Counts games played.
    pub fn count(&mut self, games: u64) {
        self.shape.games += games;
    }

    /// Returns the estimate of a position, in units of the model; its weights are then the active ones.
    pub fn estimate(&mut self, turn: Player, cells: &[u8]) -> f32 {
        let digits = &self.shape.digits[turn.index()];
        let base = u32::from(self.shape.base);
        self.active.clear();
        let mut sum = 0.0;
        for image in &self.shape.images[turn.index()] {
            let digit = |&cell: &u16| u32::from(digits[usize::from(cells[usize::from(cell)])]);
            let filling = image.cells.iter().rev().fold(0, |sum, cell| sum * base + digit(cell));
            let index = self.same[(image.base + filling) as usize];
            self.active.push(index);
            sum += self.weights[index as usize];
        }
        sum.clamp(-MOST, MOST)
    }

    /// Learns that a position has this worth; returns the error before.
    pub fn learn(&mut self, turn: Player, cells: &[u8], worth: f32) -> f32 {
        let estimate = self.estimate(turn, cells);
        let error = self.aim.error(estimate, worth);
        self.active.iter().for_each(|&index| self.uses[index as usize] += 1);
        let norm: f32 = self.active.iter().map(|&index| f32::from(self.uses[index as usize])).sum();
        let step = STEP * error / norm.max(1.0);
        for &index in &self.active {
            let index = index as usize;
            let uses = std::mem::take(&mut self.uses[index]);
            if uses == 0 {
                continue;
            }
            let (sum, size) = &mut self.sums[index];
            let rate = if *size == 0.0 { 1.0 } else { sum.abs() / *size };
            *sum += error;
            *size += error.abs();
            self.weights[index] += step * rate * f32::from(uses);
        }
        error
    }

    /// Returns the contents of a file of the weights.
    pub fn contents(&self) -> Contents {
        let stored = |&index: &u32| {
            let weight = self.weights[index as usize] * SCALE;
            weight.round().clamp(f32::from(i16::MIN), f32::from(i16::MAX)) as i16
        };
        Contents { weights: self.same.iter().map(stored).collect(), ..self.shape.clone() }
    }
}

/// Returns for each index of a table the least index that ties join it with.
fn joined(base: usize, table: &Table) -> Vec<u32> {
    let size = base.pow(table.width as u32);
    let mut least: Vec<u32> = (0..size as u32).collect();
    // Ties are few and short: a few passes reach the least index of each class.
    loop {
        let mut changed = false;
        for tie in &table.ties {
            for index in 0..size {
                let digit = |place: usize| index / base.pow(place as u32) % base;
                let other = tie.iter().rev().fold(0, |sum, &place| sum * base + digit(place));
                let both = least[index].min(least[other]);
                changed |= least[index] != both || least[other] != both;
                (least[index], least[other]) = (both, both);
            }
        }
        if !changed {
            return least;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use grundy_core::weights::{Accumulators, Weights};

    fn shape(base: u8) -> Contents {
        let mut digits = [[0; 256]; 2];
        (digits[0][usize::from(b'X')], digits[0][usize::from(b'O')]) = (1, 2);
        Contents {
            game: "row".to_owned(),
            digest: String::new(),
            method: "test".to_owned(),
            games: 0,
            seed: 0,
            cells: 3,
            digits,
            base,
            images: [Vec::new(), Vec::new()],
            unit: 0,
            weights: Vec::new(),
        }
    }

    #[test]
    fn a_model_learns_what_it_is_told_and_files_estimate_the_same() {
        let table = Table { width: 3, images: vec![vec![0, 1, 2]], ties: vec![vec![2, 1, 0]] };
        let mut letters: [u8; 256] = std::array::from_fn(|byte| byte as u8);
        (letters[usize::from(b'X')], letters[usize::from(b'O')]) = (b'O', b'X');
        let swap = Symmetry { cells: vec![0, 1, 2], letters, swaps: true };
        let mut model = Model::new(shape(3), &[table], Some(&swap), Aim::Result);
        assert_eq!(model.size(), 18, "of 27 fillings 9 read alike from both ends");
        for _ in 0..200 {
            model.learn(Player::One, b"XX.", 1.0);
            model.learn(Player::One, b"OO.", -1.0);
        }
        assert!(model.estimate(Player::One, b"XX.") > 2.0 && model.estimate(Player::One, b"OO.") < -2.0);
        let same = model.estimate(Player::One, b".XX");
        assert_eq!(same, model.estimate(Player::One, b"XX."), "by the tie");
        assert_eq!(same, model.estimate(Player::Two, b".OO"), "by the exchange of players");
        let weights = Weights::new(model.contents()).unwrap();
        let mut memory = Accumulators::default();
        let hundredths = weights.guess(Player::Two, b".OO", &mut memory);
        assert!((hundredths as f32 - 100.0 * same).abs() < 2.0, "{hundredths} {same}");
        let table = Table { width: 3, images: vec![vec![0, 1, 2]], ties: vec![vec![2, 1, 0]] };
        let mut again = Model::new(shape(3), &[table], Some(&swap), Aim::Result);
        assert!(again.take(weights.contents()));
        assert!((again.estimate(Player::One, b"XX.") - same).abs() < 0.01);
    }

    #[test]
    fn a_margin_is_learned_in_its_unit() {
        let table = Table { width: 1, images: vec![vec![0], vec![1], vec![2]], ties: Vec::new() };
        let mut model = Model::new(shape(3), &[table], None, Aim::Margin(8.0));
        for _ in 0..500 {
            model.learn(Player::Two, b"XX.", 0.5);
        }
        let mut memory = Accumulators::default();
        let weights = Weights::new(model.contents()).unwrap();
        let guess = weights.guess(Player::Two, b"XX.", &mut memory);
        assert!((guess - 400).abs() < 10, "4 of 8 points: {guess}");
        assert_eq!(weights.guess(Player::One, b"XX.", &mut memory), 0, "player one has tables of his own");
    }
}
