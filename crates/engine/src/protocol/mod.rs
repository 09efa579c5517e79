//! The words of the wire: lines to [`Command`]s and answers to lines, in the dialects UGI and UCI.
//!
//! Nothing here knows a game or does anything; [`crate::engine`] acts on what is read here.

mod command;
mod lines;
mod reply;

pub use command::{ClockWords, Command, GoWords, HELP, Query, Unread};
pub use lines::read_line;
pub use reply::{bound_free, clean, info_line, value_word};

/// How the client speaks; its first word picks it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Universal Game Interface: mate scores in plies, `bestmove` with one move only.
    Ugi,
    /// Universal Chess Interface: mate scores in moves of the winner.
    Uci,
}
