//! The ways to solve a part of an ending as one type, so that the solver is compiled once.

use super::file_portion::OnFile;
use super::forms::Layout;
use super::slices::Sliced;
use grundy_tables::superposed::{ChainValues, SliceWork, Slices};

/// An ending in slices.
pub enum Slicing {
    /// By the square of a pawn.
    Square(Sliced),
    /// By the file of a pawn, one slice of which is solved.
    File(OnFile),
}

impl Slices for Slicing {
    type Slice = Layout;

    fn chains(&self) -> usize {
        match self {
            Slicing::Square(slices) => slices.chains(),
            Slicing::File(slices) => slices.chains(),
        }
    }

    fn length(&self) -> usize {
        match self {
            Slicing::Square(slices) => slices.length(),
            Slicing::File(_) => 1,
        }
    }

    fn words(&self) -> usize {
        match self {
            Slicing::Square(slices) => slices.words(),
            Slicing::File(slices) => slices.words(),
        }
    }

    fn lowest(&self, steps: usize) -> usize {
        match self {
            Slicing::Square(slices) => slices.lowest(steps),
            Slicing::File(_) => 1 - steps.min(1),
        }
    }

    fn step(&self, chain: usize, step: usize, done: &ChainValues<'_>) -> SliceWork<Layout> {
        match self {
            Slicing::Square(slices) => slices.step(chain, step, done),
            Slicing::File(slices) => SliceWork::Solve(0, Layout::File(slices.layout())),
        }
    }
}
