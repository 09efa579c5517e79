//! Why a table could not be filled.

use grundy_session::SolveError;

/// Why cells of one width were not filled.
pub(super) enum Fault {
    /// A value does not fit the width.
    TooWide,
    /// Any width would fail.
    Error(SolveError),
}

impl From<SolveError> for Fault {
    fn from(error: SolveError) -> Fault {
        Fault::Error(error)
    }
}

/// A promise of [`Acyclic`](super::Acyclic) or [`Indexed`](grundy_core::game::Indexed) that the game breaks.
pub(super) fn broken(number: u64, how: &str) -> Fault {
    Fault::Error(SolveError::Broken(format!("the game breaks its order: position {number} {how}")))
}
