//! Positions as commands of the protocol set them up: a start, and the moves from there.

use std::fmt;

use grundy_session::Session;

/// A position by its start and the moves from there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// The position before the moves; `None` for the game's start.
    pub start: Option<String>,
    /// The moves, in their standard spelling.
    pub moves: Vec<String>,
}

impl Setup {
    /// Returns the setup of a position without moves.
    pub fn position(position: &str) -> Setup {
        Setup { start: Some(position.to_owned()), moves: Vec::new() }
    }

    /// Reads a position or a command like `startpos moves a1 b2` or `fen F moves a1`, with or without `position` in
    /// front.
    pub fn read(text: &str) -> Setup {
        let text = text.strip_prefix("position ").unwrap_or(text).trim();
        let (start, moves) = match text.split_once(" moves") {
            Some((start, moves)) if moves.is_empty() || moves.starts_with(' ') => (start.trim(), moves),
            _ => (text, ""),
        };
        let start = start.strip_prefix("fen ").unwrap_or(start).trim();
        Setup {
            start: Some(start).filter(|&start| start != "startpos").map(str::to_owned),
            moves: moves.split_whitespace().map(str::to_owned).collect(),
        }
    }

    /// Sets up the position in `rules`.
    ///
    /// # Errors
    /// The start or a move is refused; one line.
    pub fn set_up(&self, rules: &mut Session) -> Result<(), String> {
        rules.setup(self.start.as_deref()).map_err(|refusal| refusal.to_string())?;
        self.moves.iter().try_for_each(|word| rules.play_moves(word).map_err(|refusal| refusal.to_string()))
    }
}

/// The command of the protocol.
impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.start {
            Some(start) => f.write_str(&command::of(start))?,
            None => f.write_str("position startpos")?,
        }
        if !self.moves.is_empty() {
            write!(f, " moves {}", self.moves.join(" "))?;
        }
        Ok(())
    }
}

/// Sets up `start`, or the game's start, and plays `moves`.
///
/// # Errors
/// The start or a move is refused; one line.
pub fn set_up(rules: &mut Session, start: Option<&str>, moves: &[String]) -> Result<(), String> {
    rules.setup(start).map_err(|refusal| refusal.to_string())?;
    for word in moves {
        rules.play(word).map_err(|refusal| refusal.to_string())?;
    }
    Ok(())
}

/// Positions as records and reports write them: as a command to paste.
pub mod command {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    /// The beginning of the command.
    pub const BEGINNING: &str = "position fen ";

    /// Returns the command that sets up `position`.
    pub fn of(position: &str) -> String {
        format!("{BEGINNING}{position}")
    }

    pub fn serialize<S: Serializer>(position: &str, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&of(position))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
        let command = String::deserialize(deserializer)?;
        let position = command.strip_prefix(BEGINNING).map(str::to_owned);
        position.ok_or_else(|| D::Error::custom(format!("{command:?}: expected a command \"{BEGINNING}..\"")))
    }
}
