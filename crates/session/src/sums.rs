//! What a position is worth in sums of games: its Grundy number, its canonical form.

use std::fmt;

/// What is known of a position's Grundy number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Grundy {
    /// The number: the position is worth a heap of nim of this size.
    Number(u64),
    /// Play may go on for ever: infinity with the numbers of the moves to positions that have one, rising (C. A. B.
    /// Smith, "Graphs and composite games", 1966; A. S. Fraenkel and Y. Perl, 1975).
    Loopy(Vec<u64>),
    /// There is none, or none was found: why.
    Unknown(String),
}

impl Grundy {
    /// The number, where there is one.
    pub fn number(&self) -> Option<u64> {
        match self {
            Grundy::Number(number) => Some(*number),
            _ => None,
        }
    }
}

impl fmt::Display for Grundy {
    /// `5`, `inf(0,2)`, or `unknown` and why in brackets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Grundy::Number(number) => write!(f, "{number}"),
            Grundy::Loopy(numbers) => {
                let words: Vec<String> = numbers.iter().map(u64::to_string).collect();
                write!(f, "inf({})", words.join(","))
            }
            Grundy::Unknown(why) => write!(f, "unknown ({why})"),
        }
    }
}

/// What is known of a position's canonical form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Canonical {
    /// The form in one word: `1/2`, `^*`, `+-1`, `{2|-1/2}`.
    Form(String),
    /// It was not found in time, or would be too large.
    NotInTime,
    /// The game has no canonical forms: it does not end by the rule that who cannot move loses, or may go on for ever.
    Unknown,
}

impl Canonical {
    /// The form of a position with this Grundy number.
    pub fn of(grundy: &Grundy) -> Canonical {
        match grundy {
            Grundy::Number(0) => Canonical::Form("0".to_owned()),
            Grundy::Number(1) => Canonical::Form("*".to_owned()),
            Grundy::Number(n) => Canonical::Form(format!("*{n}")),
            _ => Canonical::Unknown,
        }
    }
}

impl fmt::Display for Canonical {
    /// The form, `?` or `unknown`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Canonical::Form(word) => word,
            Canonical::NotInTime => "?",
            Canonical::Unknown => "unknown",
        })
    }
}
