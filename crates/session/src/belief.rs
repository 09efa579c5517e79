//! What a check of a table has shown: nothing about its values, that they are consistent, or that they are proved.

use std::fmt;

/// What a check that found no fault has shown of a table, the least first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Belief {
    /// Every checksum is right: the file is as somebody wrote it. Nothing is known of its values.
    Read,
    /// Every value that was compared follows from the rules and the values of its children. The text says why that is no
    /// proof.
    Consistent(String),
    /// Proved if the tables that the text names are: every value follows from the rules and from their values, and each
    /// value depends only on values nearer to the end of the game or in those tables.
    Given(String),
    /// Every value follows from the rules: the table is consistent, and each value depends only on values nearer to the
    /// end of the game, by their distances, their ranks or the order of their numbers.
    Proved,
}

impl Belief {
    /// The one word for it: `read`, `consistent`, `proved-given` or `proved`.
    pub const fn word(&self) -> &'static str {
        match self {
            Belief::Read => "read",
            Belief::Consistent(_) => "consistent",
            Belief::Given(_) => "proved-given",
            Belief::Proved => "proved",
        }
    }
}

impl fmt::Display for Belief {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Belief::Consistent(why) => write!(f, "consistent, not proved: {why}"),
            Belief::Given(which) => write!(f, "proved, given {which}"),
            other => f.write_str(other.word()),
        }
    }
}
