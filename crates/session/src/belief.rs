//! How far a table may be believed.

use std::fmt;

/// How far a table may be believed that was checked without a doubt, the least first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Belief {
    /// Every checksum is right: the file is as somebody wrote it. Nothing is known of its values.
    Read,
    /// Every value that was compared is what the rules make of the values of its children; why that is no proof.
    Consistent(String),
    /// Proved if these other tables are: every value follows from the rules and from their values, and what a value rests
    /// on lies strictly nearer to the end of the game, or in one of them.
    Given(String),
    /// Every value follows from the rules: the table is consistent, and what a value rests on lies strictly nearer to
    /// the end of the game, by distances, by ranks or by the order of the numbers.
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
