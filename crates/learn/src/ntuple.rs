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
use grundy_core::weights::{Contents, Image, Model, Tuples};

use crate::model::{Aim, Learner, MOST};
use crate::tuples::Table;

/// Units of a stored weight to 1.
const SCALE: f32 = 1024.0;
/// The share of the error that one step takes away at the full rate.
const STEP: f32 = 1.0;

/// Tables over tuples that learn.
pub struct NTuples {
    aim: Aim,
    digits: [[u8; 256]; 2],
    base: u8,
    images: [Vec<Image>; 2],
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

impl NTuples {
    /// Returns a model of zeros. `shape` has sizes and digits. With `turned`, the cell of player one's view that each cell of
    /// the board is for player two, both players share tables.
    pub fn new(shape: &Contents, tables: &[Table], turned: Option<&[u16]>, aim: Aim) -> NTuples {
        let base = usize::from(shape.base);
        let mut back: Vec<u16> = (0..shape.cells as u16).collect();
        if let Some(turned) = turned {
            turned.iter().zip(0..).for_each(|(&to, cell)| back[usize::from(to)] = cell);
        }
        let mut same: Vec<u32> = Vec::new();
        let mut images = [Vec::new(), Vec::new()];
        for (side, images) in images.iter_mut().enumerate() {
            let mut begin = if side == 1 && turned.is_none() { same.len() } else { 0 };
            for table in tables {
                let size = base.pow(table.width as u32);
                if begin == same.len() {
                    let begin = begin as u32;
                    same.extend(joined(base, table).into_iter().map(|index| begin + index));
                }
                for image in &table.images {
                    let cells =
                        image.iter().map(|&cell| if side == 0 { cell } else { back[usize::from(cell)] });
                    images.push(Image { base: begin as u32, cells: cells.collect() });
                }
                begin += size;
            }
        }
        let count = same.len();
        NTuples {
            aim,
            digits: shape.digits,
            base: shape.base,
            images,
            same,
            weights: vec![0.0; count],
            sums: vec![(0.0, 0.0); count],
            uses: vec![0; count],
            active: Vec::new(),
        }
    }

    fn unit(&self) -> u32 {
        (self.aim.hundredths() / SCALE * 65536.0) as u32
    }
}

impl Learner for NTuples {
    fn size(&self) -> usize {
        self.same.iter().zip(0..).filter(|&(&same, index)| same == index).count()
    }

    fn take(&mut self, contents: &Contents) -> bool {
        let Model::Tuples(tuples) = &contents.model else { return false };
        let fits = tuples.images == self.images
            && contents.digits == self.digits
            && tuples.weights.len() == self.weights.len();
        if fits {
            // A margin's unit may have been another.
            let share = contents.unit as f32 / self.unit() as f32 / SCALE;
            let given = self.weights.iter_mut().zip(&tuples.weights);
            given.for_each(|(weight, &given)| *weight = f32::from(given) * share);
        }
        fits
    }

    /// The weights of the position are then the active ones.
    fn estimate(&mut self, turn: Player, cells: &[u8]) -> f32 {
        let digits = &self.digits[turn.index()];
        let base = u32::from(self.base);
        self.active.clear();
        let mut sum = 0.0;
        for image in &self.images[turn.index()] {
            let digit = |&cell: &u16| u32::from(digits[usize::from(cells[usize::from(cell)])]);
            let filling = image.cells.iter().rev().fold(0, |sum, cell| sum * base + digit(cell));
            let index = self.same[(image.base + filling) as usize];
            self.active.push(index);
            sum += self.weights[index as usize];
        }
        sum.clamp(-MOST, MOST)
    }

    fn learn(&mut self, turn: Player, cells: &[u8], worth: f32) {
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
    }

    fn stored(&self) -> (Model, u32) {
        let stored = |&index: &u32| {
            let weight = self.weights[index as usize] * SCALE;
            weight.round().clamp(f32::from(i16::MIN), f32::from(i16::MAX)) as i16
        };
        let weights = self.same.iter().map(stored).collect();
        (Model::Tuples(Tuples { images: self.images.clone(), weights }), self.unit())
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

    use crate::model::tests::{guess, shape};

    #[test]
    fn tables_learn_what_they_are_told_and_files_estimate_the_same() {
        let table = || [Table { width: 3, images: vec![vec![0, 1, 2]], ties: vec![vec![2, 1, 0]] }];
        let shape = shape();
        let mut model = NTuples::new(&shape, &table(), Some(&[0, 1, 2]), Aim::Result);
        assert_eq!(model.size(), 18, "of 27 fillings 9 read alike from both ends");
        for _ in 0..200 {
            model.learn(Player::One, b"XX.", 1.0);
            model.learn(Player::One, b"OO.", -1.0);
        }
        assert!(model.estimate(Player::One, b"XX.") > 2.0 && model.estimate(Player::One, b"OO.") < -2.0);
        let same = model.estimate(Player::One, b".XX");
        assert_eq!(same, model.estimate(Player::One, b"XX."), "by the tie");
        assert_eq!(same, model.estimate(Player::Two, b".OO"), "by the exchange of players");
        let (contents, hundredths) = guess(&model, Player::Two, b".OO");
        assert!((hundredths as f32 - 100.0 * same).abs() < 2.0, "{hundredths} {same}");
        let mut again = NTuples::new(&shape, &table(), Some(&[0, 1, 2]), Aim::Result);
        assert!(again.take(&contents));
        assert!((again.estimate(Player::One, b"XX.") - same).abs() < 0.01);
    }

    #[test]
    fn a_margin_is_learned_in_its_unit() {
        let table = Table { width: 1, images: vec![vec![0], vec![1], vec![2]], ties: Vec::new() };
        let mut model = NTuples::new(&shape(), &[table], None, Aim::Margin(8.0));
        for _ in 0..500 {
            model.learn(Player::Two, b"XX.", 0.5);
        }
        let (_, hundredths) = guess(&model, Player::Two, b"XX.");
        assert!((hundredths - 400).abs() < 10, "4 of 8 points: {hundredths}");
        assert_eq!(guess(&model, Player::One, b"XX.").1, 0, "player one has tables of his own");
    }
}
