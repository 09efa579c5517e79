//! What the checks share: how one ends, and words of the engine's lines.

use std::time::Duration;

/// Long enough for an engine that says too much to say it.
pub const WHILE: Duration = Duration::from_millis(120);

/// How a check ends: an error says what was wrong.
pub type Checked = Result<(), String>;

/// Fails with a text where something does not hold.
pub fn ensure(holds: bool, otherwise: impl FnOnce() -> String) -> Checked {
    if holds { Ok(()) } else { Err(otherwise()) }
}

/// The words of an info line as `key`, and what follows it.
pub fn after<'l>(line: &'l str, key: &str) -> Option<&'l str> {
    line.split_whitespace().skip_while(|&word| word != key).nth(1)
}
