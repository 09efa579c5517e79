//! A portion of an ending with a pawn on one file, to be solved as the only slice of its chain.

use super::arrangement::Arrangement;
use super::file_layout::{FileLayout, Sources};
use super::on_file::{chains, files, needs, pawn, words};
use crate::material::Material;
use grundy_tables::superposed::{Portion, Solved};

/// A portion as the only slice of its chain.
pub struct OnFile {
    arrangement: Arrangement,
    portion: Portion,
    sources: Sources,
}

impl OnFile {
    /// Loads the values that a portion needs; `None` if the ending has no portions by file, or one of them is missing.
    pub(super) fn new(
        arrangement: Arrangement,
        portion: Portion,
        solved: &dyn Solved<Material>,
    ) -> Option<OnFile> {
        pawn(&arrangement)?;
        let mut sources = Sources::default();
        for (ending, part) in needs(&arrangement, portion) {
            match part {
                None => drop(sources.whole.insert(ending, solved.levels(ending))),
                // The whole ending has another index.
                Some(part) => {
                    sources.on_file.insert((ending, part.chain), solved.part(ending, part)?);
                }
            }
        }
        Some(OnFile { arrangement, portion, sources })
    }

    pub(super) fn chains(&self) -> usize {
        chains(&self.arrangement)
    }

    pub(super) fn words(&self) -> usize {
        words()
    }

    /// Returns the layout of the portion.
    pub(super) fn layout(&self) -> FileLayout {
        FileLayout::new(&self.arrangement, files(&self.arrangement, self.portion), &self.sources)
    }
}
