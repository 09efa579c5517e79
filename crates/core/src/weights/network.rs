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
/// Cells that are compared together.
const EIGHT: usize = 8;
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

/// The last position estimated.
#[derive(Clone, Debug, Default)]
pub(super) struct Sums {
    /// Its cells; none before the first estimate.
    cells: Vec<u8>,
    /// The hidden sums in either player's view.
    views: [Vec<i16>; 2],
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

    /// Returns the matrix of a player's view.
    fn matrix(&self, view: usize) -> usize {
        view % self.offsets.len()
    }

    /// Returns the weights of an input for each neuron, in a player's view.
    #[inline]
    fn input(&self, base: u8, view: usize, cell: usize, digit: u8) -> &[i16] {
        let place = self.matrix(view) * self.places[view].len() + usize::from(self.places[view][cell]);
        let begin = (place * (usize::from(base) - 1) + usize::from(digit) - 1) * self.hidden;
        &self.inputs[begin..begin + self.hidden]
    }

    /// Updates the sums for a cell whose byte was `old`, if there was one, and is `new`.
    #[inline]
    fn update(
        &self,
        base: u8,
        digits: &[[u8; 256]; 2],
        cell: usize,
        (old, new): (Option<u8>, u8),
        views: &mut [Vec<i16>; 2],
    ) {
        for (view, sums) in views.iter_mut().enumerate() {
            let digit = |byte: u8| digits[view][usize::from(byte)];
            let (old, new) = (old.map_or(0, digit), digit(new));
            if old == new {
                continue;
            }
            if old != 0 {
                let weights = self.input(base, view, cell, old);
                sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum -= weight);
            }
            if new != 0 {
                let weights = self.input(base, view, cell, new);
                sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight);
            }
        }
    }

    /// Returns the output for a position of cells of `base` kinds with `turn` to move, in units of 1 / [`UNIT`], rounded to
    /// zero; `last` becomes its sums.
    #[inline]
    pub(super) fn output(
        &self,
        base: u8,
        digits: &[[u8; 256]; 2],
        turn: Player,
        cells: &[u8],
        last: &mut Sums,
    ) -> i64 {
        let Sums { cells: before, views } = last;
        if before.len() == cells.len() {
            let (eights, rest) = cells.as_chunks::<EIGHT>();
            let (eights_before, rest_before) = before.as_chunks::<EIGHT>();
            for (begin, (new, old)) in (0..).step_by(EIGHT).zip(eights.iter().zip(eights_before)) {
                let mut differ = u64::from_le_bytes(*new) ^ u64::from_le_bytes(*old);
                while differ != 0 {
                    let at = differ.trailing_zeros() as usize / 8;
                    differ &= !(0xff << (8 * at));
                    self.update(base, digits, begin + at, (Some(old[at]), new[at]), views);
                }
            }
            for (cell, (&new, &old)) in (cells.len() - rest.len()..).zip(rest.iter().zip(rest_before)) {
                self.update(base, digits, cell, (Some(old), new), views);
            }
        } else {
            for (view, sums) in views.iter_mut().enumerate() {
                let begin = self.matrix(view) * self.hidden;
                *sums = self.biases[begin..begin + self.hidden].to_vec();
            }
            for (cell, &new) in cells.iter().enumerate() {
                self.update(base, digits, cell, (None, new), views);
            }
        }
        before.clear();
        before.extend_from_slice(cells);
        let mover = turn.index();
        let begin = 2 * self.matrix(mover) * self.hidden;
        let (own, other) = self.outputs[begin..begin + 2 * self.hidden].split_at(self.hidden);
        let output = i64::from(self.offsets[self.matrix(mover)])
            + i64::from(weighted(&views[mover], own))
            + i64::from(weighted(&views[1 - mover], other));
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
