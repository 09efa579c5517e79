//! Chess by the rules of FIDE, and its endings of few men.
//!
//! Any legal position can be played: castling, en passant, promotion, checkmate, stalemate. The fifty-move rule ends
//! games that are played, as the third repetition does; it counts in what positions are worth only where it is
//! switched on (`rule50`). Positions are FEN, moves UCI, and SAN where a person reads them.
//! The single moves come from the crate `cozy-chess`. Endings of few men are solved to the exact mate by
//! `solve/bitparallel`; how they are laid out for it is in [`endings`]. Everything else is searched.

pub mod endings;
mod guess;
mod material;
mod notation;
// Without the rows a unit test of this crate compiles no method.
#[cfg(not(test))]
mod rows;
mod rules;

pub use material::Material;
pub use notation::{read_fen, write_fen, write_san};
#[cfg(not(test))]
pub use rows::ROWS;
pub use rules::{Chess, Position, Scope};
