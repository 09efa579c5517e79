//! Why weights are refused.

use std::fmt;

use crate::files::FileError;
use crate::text::visible;

/// The version of the format.
pub(super) const VERSION: u32 = 2;

/// Why a weights file was refused.
#[derive(Debug)]
pub enum WeightsError {
    /// It cannot be read.
    File(FileError),
    /// It does not begin like one.
    NotWeights,
    /// It is of another format version.
    Version(u32),
    /// Its checksum is wrong, or the contents are not what a writer would write.
    Damaged(&'static str),
    /// It is of another game: the expected one and the one found.
    OtherGame(String, String),
    /// The game's rules were changed since.
    OtherRules,
}

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WeightsError::File(error) => write!(f, "{error}"),
            WeightsError::NotWeights => f.write_str("not a weights file of this program"),
            WeightsError::Version(found) => {
                write!(f, "format version {found}, expected {VERSION}: remove it and learn anew")
            }
            WeightsError::Damaged(what) => write!(f, "damaged: {what}"),
            WeightsError::OtherGame(expected, found) => {
                write!(f, "weights of {}, expected {expected}", visible(found))
            }
            WeightsError::OtherRules => f.write_str("learned with other rules of this game: learn anew"),
        }
    }
}

impl std::error::Error for WeightsError {}
