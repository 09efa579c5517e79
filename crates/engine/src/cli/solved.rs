//! The answer of `grundy solve` for programs: one JSON object.

use std::io::{self, Write};

use grundy_core::value::Unit;
use grundy_session::{Analysis, MoveValue, Session};
use serde::Serialize;

/// An answer, with the names of `grundy analyze --json` for what both say.
#[derive(Serialize)]
pub struct Solved {
    game: String,
    position: String,
    /// The value; a bound, or `?`, if it was not proved.
    value: String,
    /// The outcome for the player to move, or `?`.
    result: String,
    /// The moves with their values, best first.
    moves: Vec<Judged>,
    /// Best play, as far as it is known.
    line: Vec<String>,
    /// The method, and what it took.
    #[serde(skip_serializing_if = "String::is_empty")]
    solved_by: String,
    seconds: f64,
    /// The next step, if the value was not proved.
    #[serde(skip_serializing_if = "String::is_empty")]
    next: String,
}

#[derive(Serialize)]
struct Judged {
    r#move: String,
    value: String,
}

impl Solved {
    /// Describes what was `found` of the session's position in `seconds`.
    pub fn of(session: &Session, found: &Analysis, seconds: f64) -> Solved {
        let unit: Unit = session.unit();
        let judged = |m: &MoveValue| Judged { r#move: m.word.clone(), value: m.show(unit) };
        Solved {
            game: session.name().to_owned(),
            position: session.position(),
            value: found.show(unit),
            result: found.value.map_or_else(|| "?".to_owned(), |value| session.outcome(value).to_string()),
            moves: found.list.moves.iter().map(judged).collect(),
            line: Vec::new(),
            solved_by: String::new(),
            seconds: (seconds * 1e3).round() / 1e3,
            next: String::new(),
        }
    }

    /// Adds the line of best play, in moves split by blanks, and the method.
    #[must_use]
    pub fn by(self, line: &str, how: &str) -> Solved {
        let line = line.split_whitespace().map(str::to_owned).collect();
        Solved { line, solved_by: how.to_owned(), ..self }
    }

    /// Adds what to do next.
    #[must_use]
    pub fn then(self, next: String) -> Solved {
        Solved { next, ..self }
    }

    /// Writes the object on one line.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{}", serde_json::to_string(self)?)
    }
}
