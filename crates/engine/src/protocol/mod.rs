//! The protocol as text: lines to [`Command`]s and answers to lines, in the dialects UGI and UCI.
//!
//! Nothing here knows a game or does anything; [`crate::engine`] acts on what is read here.

mod command;
mod dialect;
mod lines;
mod reply;

pub use command::{ClockWords, Command, GoWords, HELP, Query, Unread, Words, milliseconds};
pub use dialect::Dialect;
pub use lines::read_line;
pub use reply::{bound_free, clean, info_line, value_word};
