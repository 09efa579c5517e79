//! A game laid out in superposition, and the values of such a layout.

use std::collections::BTreeMap;

use grundy_core::value::Value;

use super::arch::Isa;
use super::lanes::Lanes;
use super::words::{BitRow, Code, FAR, NONE, WordCodes, decided, decode};

/// Which exits are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exits {
    /// All that are positions.
    Any,
    /// Those with this code.
    Coded(Code),
}

/// A game laid out in superposition. Two sides, 0 and 1, move in turn.
pub trait Superposed: Sync {
    /// How many blocks there are.
    fn blocks(&self) -> usize;

    /// How many rows a block has.
    fn rows(&self) -> usize;

    /// Writes a block's legal positions by side to move, and where a side that cannot move has lost (elsewhere it
    /// has drawn). Exits are not legal positions.
    fn frame(&self, block: usize, legal: [&mut [BitRow]; 2], lost_if_stuck: [&mut [BitRow]; 2]);

    /// Writes the codes of exits that stand in cells of their own, for `side` to move.
    fn fill_exits(&self, side: usize, block: usize, cells: &mut [WordCodes]);

    /// Calls `visit` with word numbers of the block and the bits of exits with `side` to move; true if there were
    /// any.
    fn exits<L: Lanes>(&self, side: usize, block: usize, which: Exits, visit: impl FnMut(usize, u64))
    -> bool;

    /// The longest distance among exits, in plies; those of [`Superposed::leaving`] left out.
    fn longest_exit(&self) -> u32;

    /// The best that a move out of the layout gives to each position with `side` to move, where there are such moves
    /// that no exit stands for.
    fn leaving(&self, _side: usize) -> Option<&Leaving> {
        None
    }

    /// Whether moves within the layout set back the clock of a rule that draws games: pawns' moves in chess.
    fn resets(&self) -> bool {
        false
    }

    /// The groups of this block from whose positions a move of `side` can lead into live groups (by block, one bit
    /// a group); rather too many than too few.
    fn reach(&self, side: usize, block: usize, live: &[u64]) -> u64;

    /// Writes the positions of a block, `side` to move, from which a move leads into `set` (the whole layout, the
    /// other side to move, exits included). Bits that are no legal positions may come out as they like, and so may
    /// all groups but these. Groups of the set that are not live are empty. Where there is another set `reset`, moves
    /// that [set back the clock](Superposed::resets) lead into that one instead.
    ///
    /// This is where most of the work is done, so it is compiled for each of the instruction sets by itself, and not
    /// as a part of whoever calls it: `isa` says which one to use.
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

/// Moves out of a layout by the position that they start from.
#[derive(Clone, Debug, Default)]
pub struct Leaving {
    /// What the best of them makes of each position, by word of the layout; [`NONE`] where there is none.
    pub cells: Vec<WordCodes>,
    /// By block: which codes there are.
    pub present: Vec<[u64; 4]>,
    /// The plies of those that are [`FAR`].
    pub far: Far,
    /// The longest distance among them, in plies.
    pub longest: u32,
}

/// Plies by the number of a position, 64 to a word.
pub type Far = BTreeMap<u64, u32>;

/// The values of a whole layout, by side to move: one cell block a word.
#[derive(Clone, Debug, Default)]
pub struct Levels {
    /// The codes by side to move.
    pub cells: [Vec<WordCodes>; 2],
    /// The plies of those that are [`FAR`], by side to move.
    pub far: [Far; 2],
    /// The longest distance, in plies.
    pub longest: u32,
}

/// Where a position stands in a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The side to move.
    pub side: usize,
    /// The number of the word among all words of the layout.
    pub word: usize,
    /// The number of the bit in the word.
    pub bit: usize,
}

impl Place {
    /// The number of the position among those with its side to move.
    pub fn number(self) -> u64 {
        self.word as u64 * 64 + (self.bit & 63) as u64
    }
}

impl Levels {
    /// The code at a place; [`NONE`] outside the layout.
    pub fn code(&self, place: Place) -> Code {
        self.cells[place.side].get(place.word).map_or(NONE, |cells| cells.0[place.bit & 63])
    }

    /// The value at a place; `None` for what is no position.
    pub fn value(&self, place: Place) -> Option<Value> {
        value_of(self.code(place), place, &self.far)
    }
}

/// The value at a place whose cell has this code.
pub fn value_of(code: Code, place: Place, far: &[Far; 2]) -> Option<Value> {
    if code == FAR { far[place.side].get(&place.number()).copied().map(decided) } else { decode(code) }
}
