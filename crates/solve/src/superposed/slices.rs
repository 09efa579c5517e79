//! A class of positions that is laid out slice by slice.

use super::layout::{Far, Levels, Superposed};
use super::words::WordCodes;

/// A class laid out: whole, or in slices.
pub enum Laid<W, S> {
    /// All positions in one layout.
    Whole(W),
    /// Slice by slice.
    Sliced(S),
}

/// A class in slices. The slices form chains that do not lead to each other. Within a chain a slice leads only to
/// earlier ones.
pub trait Slices: Sync {
    /// A slice laid out.
    type Slice: Superposed;

    /// How many chains there are.
    fn chains(&self) -> usize;

    /// How many slices a chain has.
    fn length(&self) -> usize;

    /// How many words a slice has.
    fn words(&self) -> usize;

    /// The next slice of a chain. `done` are the values of the chain so far, its slices in the order of their
    /// numbers, which is not that of the steps.
    fn step(&self, chain: usize, step: usize, done: &ChainValues<'_>) -> SliceWork<Self::Slice>;
}

/// The values of the slices of a chain, by side to move.
#[derive(Debug)]
pub struct ChainValues<'a> {
    /// The codes.
    pub cells: [&'a mut [WordCodes]; 2],
    /// The plies of those that are [`FAR`](super::FAR), numbered from the beginning of the chain.
    pub far: [Far; 2],
    /// The longest distance so far, in plies.
    pub longest: u32,
}

/// What is to be done for a slice, and its number in its chain.
pub enum SliceWork<S> {
    /// It is to be solved.
    Solve(usize, S),
    /// Its values follow from those of other slices.
    Known(usize, Levels),
}
