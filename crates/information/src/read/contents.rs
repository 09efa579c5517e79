//! The contents of a text, or its refusal.

use crate::bimatrix::Bimatrix;
use crate::matrix::Matrix;
use crate::several::Several;
use crate::tree::Tree;

/// The contents of a text.
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

/// The error in a text, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The line, counted from 1; 0 if the error is in no single line.
    pub line: usize,
    /// The error, and what was expected.
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
