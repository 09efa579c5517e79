//! The division of a game's moves into groups, for a table that is built part by part.

/// The orbits of a game's moves under its symmetries, and groups of orbits. A part of a table holds the positions with
/// given counts of moves left in each group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Division {
    /// The word for moves: `lines`.
    pub noun: &'static str,
    /// The moves in words, orbit by orbit: a symmetry maps each to any other of its orbit.
    pub orbits: Vec<Vec<String>>,
    /// The groups of the table that the game's method builds; empty if it builds the table in one piece.
    pub made: Vec<Vec<String>>,
    /// Ways to divide the orbits into groups, with the fewest groups first.
    pub splits: Vec<Grouping>,
}

/// One way to divide the orbits of moves into groups, and the parts that result. Every set of moves left is counted,
/// symmetric ones separately.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grouping {
    /// The moves of each group in words.
    pub groups: Vec<Vec<String>>,
    /// The number of parts, each a file.
    pub files: u64,
    /// The positions of the largest part.
    pub largest: u64,
    /// The largest size of a part and of those it is built from together, in bytes at a byte a position.
    pub memory: u64,
}
