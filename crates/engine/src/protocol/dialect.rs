//! The two dialects of the protocol.

/// A dialect, chosen by the client's first word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Universal Game Interface: mate scores in plies, `bestmove` with one move only.
    Ugi,
    /// Universal Chess Interface: mate scores in moves of the winner.
    Uci,
}
