//! What a text holds, or what is wrong with it.

use crate::bimatrix::Bimatrix;
use crate::matrix::Matrix;
use crate::several::Several;
use crate::tree::Tree;

/// What a text holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contents {
    /// A matrix game.
    Matrix(Matrix),
    /// Matrix games, one a line.
    Matrices(Vec<Matrix>),
    /// A bimatrix game.
    Bimatrix(Bimatrix),
    /// A game in strategic form of three or more players.
    Several(Several),
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
    pub(super) fn new(line: usize, reason: impl Into<String>) -> Refusal {
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
