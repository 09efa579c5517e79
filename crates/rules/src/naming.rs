//! The words of the moves of the position that was asked about last: they are made together, so that they differ.

use std::sync::Mutex;

use rustc_hash::FxHashMap;

use crate::position::{Move, Position};

/// The words of all moves of one position.
#[derive(Debug, Default)]
pub struct Named {
    /// The position.
    pub position: Option<Position>,
    /// The word of each move.
    pub words: FxHashMap<Move, String>,
    /// The move of each word.
    pub moves: FxHashMap<String, Move>,
}

/// The last position whose moves were named.
#[derive(Debug, Default)]
pub struct Naming(pub Mutex<Named>);
