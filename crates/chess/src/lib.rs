//! Chess by the rules of FIDE, and its endings with few men.
//!
//! Any legal position can be played: castling, en passant, promotion, checkmate, stalemate. The fifty-move rule and
//! threefold repetition end a game that is played. The fifty-move rule changes the values of positions only if it is
//! switched on (`rule50`). Positions are written as FEN, moves as UCI, and as SAN for people.
//!
//! [`small`] is chess on a board of 3x3, solved whole.
//!
//! The crate `cozy-chess` generates the moves. Endings with few men are solved to the exact distance to mate by
//! `tables/bitparallel`; [`endings`] lays them out for it. Everything else is searched.

pub mod endings;
pub mod evaluation;
mod guess;
mod material;
mod notation;
// Without the rows a unit test of this crate compiles no method.
#[cfg(not(test))]
mod rows;
mod rules;
mod san;
pub mod small;
mod weights;

pub use material::{Material, ending_of};
pub use notation::{read_any_fen, read_fen, write_fen, write_san};
#[cfg(not(test))]
pub use rows::ROWS;
pub use rules::{Chess, Position, Scope};
