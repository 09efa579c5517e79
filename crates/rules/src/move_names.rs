//! The names of the moves of the last position: they are made together, so that they are distinct.

use std::sync::Mutex;

use rustc_hash::FxHashMap;

use crate::position::{Move, Position};

/// The names of all moves of one position.
#[derive(Debug, Default)]
pub struct NamedMoves {
    /// The position.
    pub position: Option<Position>,
    /// The name of each move.
    pub words: FxHashMap<Move, String>,
    /// The move of each name.
    pub moves: FxHashMap<String, Move>,
}

/// The last position whose moves were named.
#[derive(Debug, Default)]
pub struct MoveNames(pub Mutex<NamedMoves>);
