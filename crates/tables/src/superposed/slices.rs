//! A class of positions that is laid out slice by slice.

use super::layout::{Far, Levels, Superposed};
use super::words::WordCodes;

/// A class laid out: as a whole, or in slices.
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

    /// Returns the number of chains.
    fn chains(&self) -> usize;

    /// Returns the number of slices of a chain.
    fn length(&self) -> usize;

    /// Returns the number of words of a slice.
    fn words(&self) -> usize;

    /// Returns the lowest index in its chain of the slices that the first `steps` steps solve.
    fn lowest(&self, steps: usize) -> usize;

    /// Returns the next slice of a chain. `done` are the values of the chain so far, its slices in the order of their
    /// indices, which is not that of the steps.
    fn step(&self, chain: usize, step: usize, done: &ChainValues<'_>) -> SliceWork<Self::Slice>;
}

/// The slices that the first steps of a chain solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Portion {
    /// The index of the chain.
    pub chain: usize,
    /// The number of steps.
    pub steps: usize,
}

/// The values of the slices of a chain, by side to move.
#[derive(Debug)]
pub struct ChainValues<'a> {
    /// The lowest index in the chain of the slices that are stored.
    pub lowest: usize,
    /// The codes of those slices.
    pub cells: [&'a mut [WordCodes]; 2],
    /// The plies of values that are [`FAR`](super::FAR), indexed from the beginning of the chain.
    pub far: [Far; 2],
    /// The longest distance so far, in plies.
    pub longest: u32,
}

/// The next step for a slice, and its index in its chain.
pub enum SliceWork<S> {
    /// The slice is to be solved.
    Solve(usize, S),
    /// The values of the slice follow from those of other slices.
    Known(usize, Levels),
}
