//! The log of all traffic between the referee and its engines, with the time since the referee started.

use std::fmt::Write as _;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use grundy_core::text::visible;
use grundy_engine::output::keep_failure;

use crate::clock;
use crate::output::open_log;

/// A log that several engines share; the default logs nothing.
#[derive(Clone, Default)]
pub struct TrafficLog(Option<Arc<Shared>>);

struct Shared {
    file: Mutex<File>,
    began: Instant,
}

impl TrafficLog {
    /// Creates a log in a new file, or none.
    ///
    /// # Errors
    /// The file cannot be made; one line.
    pub fn to(path: Option<&Path>) -> Result<TrafficLog, String> {
        let Some(path) = path else { return Ok(TrafficLog::default()) };
        let file = open_log(path).map_err(|e| format!("{}: {e}", path.display()))?;
        // Old content is removed; a device has none.
        let _ = file.set_len(0);
        Ok(TrafficLog(Some(Arc::new(Shared { file: Mutex::new(file), began: clock::now() }))))
    }

    /// Returns the log for the lines of one engine.
    pub fn of(&self, name: &str) -> Traffic {
        Traffic { log: self.clone(), name: name.to_string() }
    }

    fn write<'l>(&self, name: &str, sign: char, lines: impl IntoIterator<Item = &'l str>, at: Instant) {
        if self.0.is_none() && !log::log_enabled!(log::Level::Trace) {
            return;
        }
        let began = self.0.as_ref().map_or(at, |shared| shared.began);
        let since = at.saturating_duration_since(began).as_secs_f64();
        let mut text = String::new();
        for line in lines {
            let line = visible(line);
            log::trace!("{name} {sign} {line}");
            let _ = writeln!(text, "{since:13.6} {name} {sign} {line}");
        }
        if let Some(shared) = &self.0 {
            let mut file = shared.file.lock().unwrap_or_else(PoisonError::into_inner);
            // A log that cannot be written does not end the match, but changes the exit code.
            if let Err(e) = file.write_all(text.as_bytes()) {
                keep_failure(&format!("cannot write the log: {e}"));
            }
        }
    }
}

/// The log of one engine.
#[derive(Clone, Default)]
pub struct Traffic {
    log: TrafficLog,
    name: String,
}

impl Traffic {
    /// Logs lines from the referee to the engine.
    pub fn said(&self, lines: &str) {
        self.log.write(&self.name, '<', lines.lines(), clock::now());
    }

    /// Logs a line from the engine.
    pub fn heard(&self, line: &str, at: Instant) {
        self.log.write(&self.name, '>', [line], at);
    }

    /// Logs lines of the engine's stderr.
    pub fn complained(&self, lines: &[String]) {
        self.log.write(&self.name, '!', lines.iter().map(String::as_str), clock::now());
    }
}
