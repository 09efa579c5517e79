//! Why a table could not be filled, and the next width where its cells were too narrow.

use grundy_core::table::Width;
use grundy_session::SolveError;

/// Why cells of one width were not filled.
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

/// The next wider cells; where there are none, an error says why no width would do.
pub(crate) fn wider(width: Width, why: &str) -> Result<Width, SolveError> {
    match width {
        Width::Quarter | Width::One => Ok(Width::Two),
        Width::Two => Ok(Width::Four),
        Width::Four => Err(SolveError::Broken(why.to_owned())),
    }
}
