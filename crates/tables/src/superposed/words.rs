//! Sets of positions as rows of words, and the codes of the positions of a word.

use grundy_core::value::Value;

/// Eight words: 512 positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(64))]
pub struct BitRow(pub [u64; 8]);

/// The codes of the 64 positions of one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct WordCodes(pub [u8; 64]);

/// The code of a position, for the side to move: 0 a draw, `n + 1` decided in `n` plies (a win if `n` is odd, a loss if
/// it is even), 254 decided in more plies than a cell can hold, 255 no position.
pub type Code = u8;

/// The code of a draw.
pub const DRAW: Code = 0;
/// The code of a bit that is no position.
pub const NONE: Code = 255;
/// The code of a position that is decided in more than [`MAX_PLIES`]; its plies are stored beside the cells.
pub const FAR: Code = 254;
/// The longest distance that a cell can hold, in plies.
pub const MAX_PLIES: u32 = 252;

/// Returns the value that a code stands for; `None` if it is no position, or its distance is too large for a cell.
pub fn decode(code: Code) -> Option<Value> {
    match code {
        NONE | FAR => None,
        DRAW => Some(Value::DRAW),
        _ => Some(decided(u32::from(code) - 1)),
    }
}

/// Returns the value decided in `plies`: a win if these are odd, else a loss.
pub(super) fn decided(plies: u32) -> Value {
    if plies.is_multiple_of(2) { Value::loss_in(plies) } else { Value::win_in(plies) }
}

/// Returns the code of a position decided in `plies`.
pub fn code_of(plies: u32) -> Code {
    if plies > MAX_PLIES { FAR } else { plies as u8 + 1 }
}
