//! The cost of a move: the one judgement of moves, shared by the referee's audits and the board.

use std::fmt;

use crate::value::{Unit, Value, Wdl};

/// A mistake: the cost of a move to its mover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slip {
    /// A won position was drawn away.
    WinToDraw,
    /// A won position was lost.
    WinToLoss,
    /// A drawn position was lost.
    DrawToLoss,
    /// Points were lost.
    Points {
        /// Number of fractions of a point.
        lost: u32,
        /// Denominator of the fractions: 1 if points are whole.
        of: u32,
    },
    /// A win takes longer than it must.
    Slower {
        /// Number of plies.
        plies: u32,
    },
    /// A loss comes sooner than it must.
    Shorter {
        /// Number of plies.
        plies: u32,
    },
}

impl Slip {
    /// Reports whether the move changed who wins, or by how much.
    pub fn loses_value(self) -> bool {
        !matches!(self, Slip::Slower { .. } | Slip::Shorter { .. })
    }

    /// Returns the slip from one outcome to a worse one; `None` if it is not worse.
    pub fn between(before: Wdl, after: Wdl) -> Option<Slip> {
        match (before, after) {
            (Wdl::Win, Wdl::Draw) => Some(Slip::WinToDraw),
            (Wdl::Win, Wdl::Loss) => Some(Slip::WinToLoss),
            (Wdl::Draw, Wdl::Loss) => Some(Slip::DrawToLoss),
            _ => None,
        }
    }
}

impl fmt::Display for Slip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Slip::WinToDraw => f.write_str("a win became a draw"),
            Slip::WinToLoss => f.write_str("a win became a loss"),
            Slip::DrawToLoss => f.write_str("a draw became a loss"),
            Slip::Points { lost: 1, of: 1 } => f.write_str("1 point lost"),
            Slip::Points { lost, of: 1 } => write!(f, "{lost} points lost"),
            Slip::Points { lost, of } => write!(f, "{lost}/{of} points lost"),
            Slip::Slower { plies: 1 } => f.write_str("1 ply slower than best"),
            Slip::Slower { plies } => write!(f, "{plies} plies slower than best"),
            Slip::Shorter { plies: 1 } => f.write_str("lost 1 ply sooner than need be"),
            Slip::Shorter { plies } => write!(f, "lost {plies} plies sooner than need be"),
        }
    }
}

/// Judges a move that leads from value `before` to value `after`, both for its mover; `None` if it is best.
///
/// # Errors
/// The move is better than its position: the values contradict each other.
pub fn slip(unit: Unit, before: Value, after: Value) -> Result<Option<Slip>, Contradiction> {
    if unit.is_points() {
        return match (before.margin(), after.margin()) {
            (Some(had), Some(has)) if has > had => Err(Contradiction),
            (Some(had), Some(has)) if has < had => {
                Ok(Some(Slip::Points { lost: had.abs_diff(has), of: unit.denominator().get() }))
            }
            (Some(_), Some(_)) => Ok(None),
            _ => Err(Contradiction),
        };
    }
    if after.wdl() > before.wdl() {
        return Err(Contradiction);
    }
    if let Some(slip) = Slip::between(before.wdl(), after.wdl()) {
        return Ok(Some(slip));
    }
    let (Some(least), Some(takes)) = (before.plies(), after.plies()) else { return Ok(None) };
    match after.cmp(&before) {
        std::cmp::Ordering::Equal => Ok(None),
        std::cmp::Ordering::Greater => Err(Contradiction),
        std::cmp::Ordering::Less if takes > least => Ok(Some(Slip::Slower { plies: takes - least })),
        std::cmp::Ordering::Less => Ok(Some(Slip::Shorter { plies: least - takes })),
    }
}

/// A move worth more than the position it was played in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contradiction;
