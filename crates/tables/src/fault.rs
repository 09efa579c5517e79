//! Reasons why a table was not filled, and the next width if its cells were too narrow.

use grundy_core::table::Width;
use grundy_session::SolveError;

/// The reason why cells of one width were not filled.
pub(crate) enum Fault {
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

/// Returns the next larger width.
///
/// # Errors
/// There is none, for the reason `why`.
pub(crate) fn wider(width: Width, why: &str) -> Result<Width, SolveError> {
    match width {
        Width::Quarter | Width::One => Ok(Width::Two),
        Width::Two => Ok(Width::Four),
        Width::Four => Err(SolveError::Broken(why.to_owned())),
    }
}
