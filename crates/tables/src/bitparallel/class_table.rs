//! The values of a solved class, in one of several forms.

use std::sync::Arc;

use super::packed::PackedClass;
use super::slices::PortionLevels;
use crate::superposed::{Code, Levels, NONE, Place, WordCodes};
use grundy_core::value::Value;

/// The values of a class, packed or not, or of a portion of it.
#[derive(Clone)]
pub(super) enum ClassTable {
    Open(Arc<Levels>),
    Packed(Arc<PackedClass>),
    /// A portion, and the place in it that was asked for.
    Portion(Arc<PortionLevels>, Place),
}

impl ClassTable {
    pub(super) fn longest(&self) -> u32 {
        match self {
            ClassTable::Open(levels) => levels.longest,
            ClassTable::Packed(packed) => packed.longest(),
            ClassTable::Portion(portion, _) => portion.longest(),
        }
    }

    /// Returns the number of words with one side to move; 0 for a portion.
    pub(super) fn words(&self) -> usize {
        match self {
            ClassTable::Open(levels) => levels.cells[0].len(),
            ClassTable::Packed(packed) => packed.words(),
            ClassTable::Portion(..) => 0,
        }
    }

    /// Returns the codes of one word.
    pub(super) fn word(&self, side: usize, word: usize) -> WordCodes {
        match self {
            ClassTable::Open(levels) => {
                levels.cells[side].get(word).copied().unwrap_or(WordCodes([NONE; 64]))
            }
            ClassTable::Packed(packed) => packed.word(side, word),
            ClassTable::Portion(portion, _) => portion.word(side, word),
        }
    }

    pub(super) fn value(&self, place: Place) -> Option<Value> {
        match self {
            ClassTable::Open(levels) => levels.value(place),
            ClassTable::Packed(packed) => packed.value(place),
            ClassTable::Portion(portion, own) => portion.value(*own),
        }
    }

    pub(super) fn code(&self, place: Place) -> Code {
        match self {
            ClassTable::Open(levels) => levels.code(place),
            ClassTable::Packed(packed) => packed.code(place),
            ClassTable::Portion(portion, own) => portion.code(*own),
        }
    }

    /// Returns its size in bytes.
    pub(super) fn bytes(&self) -> u64 {
        match self {
            ClassTable::Open(levels) => bytes(levels) as u64,
            ClassTable::Packed(packed) => packed.bytes(),
            ClassTable::Portion(portion, _) => portion.bytes(),
        }
    }

    /// Returns the values of the class, unpacked if necessary; `None` if they are damaged or those of a portion.
    pub(super) fn levels(&self) -> Option<Arc<Levels>> {
        match self {
            ClassTable::Open(levels) => Some(levels.clone()),
            ClassTable::Packed(packed) => packed.unpack().map(Arc::new),
            ClassTable::Portion(..) => None,
        }
    }
}

/// Returns the bytes of the cells.
pub(super) fn bytes(levels: &Levels) -> usize {
    64 * levels.cells.iter().map(Vec::len).sum::<usize>()
}
