//! Marks of a position and its moves beside their values, which a game may supply.

/// The mark of a position and of each of its moves, `M` in words: in Dots-and-Boxes who makes the next loony move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotation<M = String> {
    /// The mark of the position.
    pub position: char,
    /// Each legal move with its mark, for the player who makes it.
    pub moves: Vec<(M, char)>,
}

impl Annotation {
    /// The mark of a position or move whose mark was not found in time.
    pub const UNKNOWN: char = '?';
    /// The mark of a position or move that needs none.
    pub const NONE: char = '-';

    /// Returns the mark of a move.
    pub fn of(&self, word: &str) -> char {
        self.moves.iter().find(|(m, _)| m == word).map_or(Annotation::UNKNOWN, |(_, mark)| *mark)
    }
}
