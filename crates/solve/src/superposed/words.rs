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

/// What a cell says of its position, for the side to move: 0 a draw, `n + 1` decided in `n` plies (a win where `n`
/// is odd, a loss where it is even), 254 decided in more plies than a cell can say, 255 no position.
pub type Code = u8;

/// The code of a draw.
pub const DRAW: Code = 0;
/// The code of what is no position.
pub const NONE: Code = 255;
/// The code of what is decided in more than [`MAX_PLIES`]; how many stands beside the cells.
pub const FAR: Code = 254;
/// The longest distance that a cell can hold, in plies.
pub const MAX_PLIES: u32 = 252;

/// The value that a code stands for; `None` for what is no position, and for what is too far for a cell.
pub fn decode(code: Code) -> Option<Value> {
    match code {
        NONE | FAR => None,
        DRAW => Some(Value::DRAW),
        _ => Some(decided(u32::from(code) - 1)),
    }
}

/// What is decided in so many plies: a win where they are odd, else a loss.
pub(super) fn decided(plies: u32) -> Value {
    if plies.is_multiple_of(2) { Value::loss_in(plies) } else { Value::win_in(plies) }
}

/// The code of what is decided in so many plies.
pub fn code_of(plies: u32) -> Code {
    if plies > MAX_PLIES { FAR } else { plies as u8 + 1 }
}
