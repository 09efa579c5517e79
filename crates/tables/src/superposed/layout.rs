//! A game laid out in superposition, and the values of such a layout.

use std::collections::BTreeMap;

use grundy_core::value::Value;

use super::arch::Isa;
use super::lanes::Lanes;
use super::words::{BitRow, Code, FAR, NONE, WordCodes, decided, decode};

/// A selection of exits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exits {
    /// All exits that are positions.
    Any,
    /// The exits with this code.
    Coded(Code),
}

/// A game laid out in superposition. Two sides, 0 and 1, move in turn.
pub trait Superposed: Sync {
    /// Returns the number of blocks.
    fn blocks(&self) -> usize;

    /// Returns the number of rows of a block.
    fn rows(&self) -> usize;

    /// Writes a block's legal positions by side to move, and those in which a side that cannot move has lost (in others
    /// it has drawn). Exits are not legal positions.
    fn frame(&self, block: usize, legal: [&mut [BitRow]; 2], lost_if_stuck: [&mut [BitRow]; 2]);

    /// Writes the codes of exits that have cells of their own, for `side` to move.
    fn fill_exits(&self, side: usize, block: usize, cells: &mut [WordCodes]);

    /// Calls `visit` with word indices of the block and the bits of exits with `side` to move; returns whether there
    /// were any.
    fn exits<L: Lanes>(&self, side: usize, block: usize, which: Exits, visit: impl FnMut(usize, u64))
    -> bool;

    /// Reports whether a block may have exits with this code, `side` to move.
    fn has_exits(&self, side: usize, block: usize, code: Code) -> bool;

    /// Returns the longest distance among exits, in plies, without those of [`Superposed::leaving`].
    fn longest_exit(&self) -> u32;

    /// Returns the best value of a move out of the layout for each position with `side` to move, if there are such
    /// moves without an exit.
    fn leaving(&self, _side: usize) -> Option<&Leaving> {
        None
    }

    /// Reports whether moves within the layout reset the clock of a rule that draws games: pawn moves in chess.
    fn resets(&self) -> bool {
        false
    }

    /// Returns the groups of this block from whose positions a move of `side` can lead into live groups (by block, one
    /// bit a group); it may return more groups.
    fn reach(&self, side: usize, block: usize, live: &[u64]) -> u64;

    /// Writes the positions of a block, `side` to move, from which a move leads into `set` (the whole layout, the other
    /// side to move, exits included). Bits that are no legal positions may have any value, and so may all groups but
    /// these. Groups of the set that are not live are empty. If there is another set `reset`, moves that [reset the
    /// clock](Superposed::resets) lead into that one instead.
    ///
    /// Most of the work is done here, so this is compiled for each instruction set by itself, and not as a part of the
    /// caller; `isa` is the one to use.
    #[expect(clippy::too_many_arguments)]
    fn unmoves(
        &self,
        isa: Isa,
        side: usize,
        block: usize,
        set: &[BitRow],
        reset: Option<&[BitRow]>,
        live: Option<&[u64]>,
        groups: u64,
        out: &mut [BitRow],
    );
}

/// Reports whether a set has this code.
#[inline]
pub fn has(codes: &[u64; 4], code: Code) -> bool {
    codes[usize::from(code >> 6)] >> (code & 63) & 1 == 1
}

/// Adds a code to a set.
#[inline]
pub fn note(codes: &mut [u64; 4], code: Code) {
    codes[usize::from(code >> 6)] |= 1 << (code & 63);
}

/// Moves out of a layout, by the position that they start from.
#[derive(Clone, Debug, Default)]
pub struct Leaving {
    /// The value of the best move out of each position, by word of the layout; [`NONE`] if there is none.
    pub cells: Vec<WordCodes>,
    /// By block: the codes that occur.
    pub present: Vec<[u64; 4]>,
    /// The plies of values that are [`FAR`].
    pub far: Far,
    /// The longest distance among them, in plies.
    pub longest: u32,
}

/// Plies by the index of a position, 64 to a word.
pub type Far = BTreeMap<u64, u32>;

/// The values of a whole layout, by side to move: one cell block per word.
#[derive(Clone, Debug, Default)]
pub struct Levels {
    /// The codes by side to move.
    pub cells: [Vec<WordCodes>; 2],
    /// The plies of values that are [`FAR`], by side to move.
    pub far: [Far; 2],
    /// The longest distance, in plies.
    pub longest: u32,
}

/// The place of a position in a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The side to move.
    pub side: usize,
    /// The index of the word among all words of the layout.
    pub word: usize,
    /// The index of the bit in the word.
    pub bit: usize,
}

impl Place {
    /// Returns the index of the position among those with its side to move.
    pub fn number(self) -> u64 {
        self.word as u64 * 64 + (self.bit & 63) as u64
    }
}

impl Levels {
    /// Returns the code at a place; [`NONE`] outside the layout.
    pub fn code(&self, place: Place) -> Code {
        self.cells[place.side].get(place.word).map_or(NONE, |cells| cells.0[place.bit & 63])
    }

    /// Returns the value at a place; `None` if it is no position.
    pub fn value(&self, place: Place) -> Option<Value> {
        value_of(self.code(place), place, &self.far)
    }
}

/// Returns the value at a place whose cell has this code.
pub fn value_of(code: Code, place: Place, far: &[Far; 2]) -> Option<Value> {
    if code == FAR { far[place.side].get(&place.number()).copied().map(decided) } else { decode(code) }
}
