//! Games from text: tables of payoffs, and Gambit's `.nfg` and `.efg` files.

mod efg;
mod nfg;
pub mod table;
mod words;

use crate::bimatrix::Bimatrix;
use crate::matrix::Matrix;
use crate::tree::Tree;

/// The most bytes of a file.
pub const MOST_BYTES: u64 = 64 << 20;

/// What a text holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contents {
    /// A matrix game.
    Matrix(Matrix),
    /// Matrix games, one a line.
    Matrices(Vec<Matrix>),
    /// A bimatrix game.
    Bimatrix(Bimatrix),
    /// A tree.
    Tree(Tree),
}

/// What is wrong with a text, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The line, counted from 1; 0 where it is no single line.
    pub line: usize,
    /// What is wrong and what was expected.
    pub reason: String,
}

impl Refusal {
    fn new(line: usize, reason: impl Into<String>) -> Refusal {
        Refusal { line, reason: reason.into() }
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.line {
            0 => f.write_str(&self.reason),
            line => write!(f, "line {line}: {}", self.reason),
        }
    }
}

impl std::error::Error for Refusal {}

/// Reads a game of any kind; the first word tells `.nfg` and `.efg` from tables.
///
/// # Errors
/// The first thing that is wrong, with its line.
///
/// ```
/// use grundy_information::read::{Contents, read, table::Lines};
/// let Ok(Contents::Matrix(game)) = read("1,-2/2,3", Lines::Guess) else { unreachable!() };
/// assert_eq!(game.solve().value.to_string(), "2");
/// assert_eq!(read("1 2\n3", Lines::Guess).unwrap_err().to_string(), "line 2: 1 payoffs: expected 2 as in line 1");
/// ```
pub fn read(text: &str, lines: table::Lines) -> Result<Contents, Refusal> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match text.split_whitespace().next() {
        None => Err(Refusal::new(0, "the text is empty: expected payoffs, or a .nfg or .efg file")),
        Some("NFG") => nfg::read(text).map(Contents::Bimatrix),
        Some("EFG") => efg::read(text).map(Contents::Tree),
        Some(_) => table::read(text, lines),
    }
}

pub use efg::write as write_efg;

#[cfg(test)]
mod tests;
