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

/// The names that a file gives to the players of a game in strategic form, and to their strategies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// The players.
    pub players: Vec<String>,
    /// The strategies of each player; none for a player whose strategies are only counted.
    pub strategies: Vec<Vec<String>>,
}

impl Names {
    /// Reports whether any strategy has a name.
    pub fn has_strategies(&self) -> bool {
        self.strategies.iter().flatten().any(|name| !name.is_empty())
    }

    /// Returns the name of a player; the number, counted from 1, of one without a name.
    pub fn player(&self, player: usize) -> String {
        name_at(&self.players, player)
    }

    /// Returns the name of a player's strategy; the number, counted from 1, of one without a name.
    pub fn strategy(&self, player: usize, strategy: usize) -> String {
        name_at(self.strategies.get(player).map_or(&[][..], Vec::as_slice), strategy)
    }
}

fn name_at(names: &[String], at: usize) -> String {
    names.get(at).filter(|name| !name.is_empty()).cloned().unwrap_or_else(|| (at + 1).to_string())
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
