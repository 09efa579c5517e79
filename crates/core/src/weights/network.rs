//! A network with one hidden layer, whose sums are kept from position to position.
//!
//! Each player has a view of the board: an input for each cell and each kind of cell but free ones, 1 where the cell has
//! this kind. Either view is multiplied by a matrix; where the game is the same for both players, player two's view is the
//! board turned round and there is one matrix, else each player has one. The output is the sum over the hidden neurons of
//! both views, first those of the player to move, of the square of the neuron (cut to 0 to 1) times a weight.
//!
//! All numbers are integers: a neuron of 1 is [`ONE`], an output weight of 1 is [`OUTPUT`]. No sum can overflow, since
//! the sizes of weights are limited; so all processors find the same estimates.
//!
//! Source: Y. Nasu, "Efficiently updatable neural-network-based evaluation functions for computer shogi", 2018.

use crate::game::Player;

use super::bytes::{CELLS, Reader, WEIGHTS, put_numbers};
use super::error::WeightsError;

/// The most neurons of a view.
pub const HIDDEN: usize = 256;
/// A neuron of 1.
pub const ONE: i16 = 255;
/// An output weight of 1.
pub const OUTPUT: i16 = 64;
/// The largest size of an output weight.
pub const LARGEST_OUTPUT: i16 = 127;
/// An output of 1, without the unit of output weights.
pub const UNIT: i64 = ONE as i64 * ONE as i64;

/// A network with one hidden layer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Network {
    /// Neurons of a view.
    pub hidden: usize,
    /// The cell of the matrix that each cell of the board is, in either player's view.
    pub places: [Vec<u16>; 2],
    /// For each matrix, its cells, and the kinds of a cell from 1 on: the weight of this input for each neuron.
    pub inputs: Vec<i16>,
    /// For each matrix: the sum of each neuron without inputs.
    pub biases: Vec<i16>,
    /// For the player to move by each matrix: the weights of his own neurons, then of the other view's.
    pub outputs: Vec<i16>,
    /// For the player to move by each matrix: the output without neurons, in units of 1 / [`UNIT`] / [`OUTPUT`].
    pub offsets: Vec<i32>,
}

/// The hidden sums of the last position estimated, in one player's view.
#[derive(Clone, Debug, Default)]
pub(super) struct Sums {
    digits: Vec<u8>,
    sums: Vec<i16>,
}

impl Network {
    /// Returns the largest input weight or bias with which no sum over `cells` cells can overflow.
    pub fn largest_input(cells: usize) -> i16 {
        i16::MAX / (cells as i16).saturating_add(1)
    }

    /// Checks sizes and limits, for positions of `cells` cells of `base` kinds.
    pub(super) fn check(&self, cells: usize, base: u8) -> Result<(), WeightsError> {
        let wrong = |what| Err(WeightsError::Damaged(what));
        let matrices = self.offsets.len();
        if !(1..=HIDDEN).contains(&self.hidden) || !(1..=2).contains(&matrices) || cells > CELLS {
            return wrong("no network has these sizes");
        }
        let size = matrices * cells * usize::from(base.saturating_sub(1)) * self.hidden;
        if size > WEIGHTS
            || self.inputs.len() != size
            || self.biases.len() != matrices * self.hidden
            || self.outputs.len() != 2 * matrices * self.hidden
        {
            return wrong("the network has weights of other sizes");
        }
        if self.places.iter().any(|places| places.len() != cells) {
            return wrong("a view has another number of cells");
        }
        if self.places.iter().flatten().any(|&place| usize::from(place) >= cells) {
            return wrong("a view has a cell beyond the last");
        }
        let most = Network::largest_input(cells).unsigned_abs();
        let inputs = self.inputs.iter().chain(&self.biases).all(|weight| weight.unsigned_abs() <= most);
        if !inputs || self.outputs.iter().any(|weight| weight.unsigned_abs() > LARGEST_OUTPUT as u16) {
            return wrong("a weight is too large");
        }
        Ok(())
    }

    /// Appends the bytes of a file.
    pub(super) fn write(&self, body: &mut Vec<u8>) {
        body.extend((self.hidden as u32).to_le_bytes());
        body.push(self.offsets.len() as u8);
        self.places.iter().flatten().for_each(|place| body.extend(place.to_le_bytes()));
        self.offsets.iter().for_each(|offset| body.extend(offset.to_le_bytes()));
        [&self.inputs, &self.biases, &self.outputs]
            .into_iter()
            .for_each(|weights| put_numbers(body, weights));
    }

    /// Reads what [`Network::write`] wrote, of positions of `cells` cells.
    pub(super) fn read(body: &mut Reader<'_>, cells: usize) -> Result<Network, WeightsError> {
        let hidden = body.number::<4>()? as usize;
        let matrices = body.number::<1>()?;
        let mut places = [Vec::new(), Vec::new()];
        for places in &mut places {
            let pairs = body.take(2 * cells)?.chunks_exact(2);
            places.extend(pairs.map(|pair| u16::from_le_bytes([pair[0], pair[1]])));
        }
        let offsets = (0..matrices).map(|_| Ok(body.number::<4>()? as i32)).collect::<Result<_, _>>()?;
        let (inputs, biases, outputs) = (body.numbers()?, body.numbers()?, body.numbers()?);
        Ok(Network { hidden, places, inputs, biases, outputs, offsets })
    }

    /// Returns the sums of a board of free cells, as either player sees it.
    pub(super) fn zero(&self, cells: usize) -> [Sums; 2] {
        [0, 1].map(|view| {
            let begin = self.matrix(view) * self.hidden;
            Sums { digits: vec![0; cells], sums: self.biases[begin..begin + self.hidden].to_vec() }
        })
    }

    /// Returns the matrix of a player's view.
    fn matrix(&self, view: usize) -> usize {
        view % self.offsets.len()
    }

    /// Returns the output for a position of cells of `base` kinds with `turn` to move, in units of 1 / [`UNIT`], rounded to
    /// zero; `now` becomes its sums.
    #[inline]
    pub(super) fn output(
        &self,
        base: u8,
        digits: &[[u8; 256]; 2],
        turn: Player,
        cells: &[u8],
        now: &mut [Sums; 2],
    ) -> i64 {
        let kinds = usize::from(base) - 1;
        for (view, now) in now.iter_mut().enumerate() {
            let digits = &digits[view];
            let matrix = self.matrix(view) * cells.len();
            for (cell, (&byte, old)) in cells.iter().zip(&mut now.digits).enumerate() {
                let digit = digits[usize::from(byte)];
                if digit == *old {
                    continue;
                }
                let place = (matrix + usize::from(self.places[view][cell])) * kinds;
                let weights = |digit: u8| {
                    let begin = (place + usize::from(digit) - 1) * self.hidden;
                    &self.inputs[begin..begin + self.hidden]
                };
                if *old != 0 {
                    now.sums.iter_mut().zip(weights(*old)).for_each(|(sum, weight)| *sum -= weight);
                }
                if digit != 0 {
                    now.sums.iter_mut().zip(weights(digit)).for_each(|(sum, weight)| *sum += weight);
                }
                *old = digit;
            }
        }
        let mover = turn.index();
        let begin = 2 * self.matrix(mover) * self.hidden;
        let (own, other) = self.outputs[begin..begin + 2 * self.hidden].split_at(self.hidden);
        let output = i64::from(self.offsets[self.matrix(mover)])
            + i64::from(weighted(&now[mover].sums, own))
            + i64::from(weighted(&now[1 - mover].sums, other));
        output / i64::from(OUTPUT)
    }
}

/// Returns the sum of squares of neurons times their weights.
fn weighted(sums: &[i16], weights: &[i16]) -> i32 {
    let neuron = |(&sum, &weight): (&i16, &i16)| {
        let value = sum.clamp(0, ONE);
        // At most 255 * 127, and in the sum at most 256 times 255 * 255 * 127: both fit.
        i32::from(value * weight) * i32::from(value)
    };
    sums.iter().zip(weights).map(neuron).sum()
}
