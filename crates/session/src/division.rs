//! How the moves of a game are divided into groups for a table that is made part by part.

/// The orbits of a game's moves under its symmetries, and groups of orbits. A part of a table holds the positions with
/// given counts of moves left in each group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Division {
    /// What the moves are called: `lines`.
    pub noun: &'static str,
    /// The moves in words, orbit by orbit: a symmetry carries each to any other of its orbit.
    pub orbits: Vec<Vec<String>>,
    /// The groups of the table that the game's method makes; empty where it makes the table in one piece.
    pub made: Vec<Vec<String>>,
    /// Ways to divide the orbits into groups, with the fewest groups first.
    pub splits: Vec<Grouping>,
}

/// One way to divide the orbits of moves into groups, and what parts it gives. Every set of moves left is counted, images
/// of each other too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grouping {
    /// The moves of each group in words.
    pub groups: Vec<Vec<String>>,
    /// How many parts there are, each a file.
    pub files: u64,
    /// The positions of the largest part.
    pub largest: u64,
    /// The most bytes of a part and of those that it is made from, a byte a position.
    pub memory: u64,
}
