//! The log of all traffic between the referee and its engines, with the time since the referee started.

use std::fs::File;
use std::io::{BufWriter, Write};
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
    file: Mutex<BufWriter<File>>,
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
        let file = Mutex::new(BufWriter::new(file));
        Ok(TrafficLog(Some(Arc::new(Shared { file, began: clock::now() }))))
    }

    /// Returns the log for the lines of one engine.
    pub fn of(&self, name: &str) -> Traffic {
        Traffic { log: self.clone(), name: name.to_string() }
    }

    fn write(&self, name: &str, sign: char, line: &str, at: Instant) {
        log::trace!("{name} {sign} {}", visible(line));
        if let Some(shared) = &self.0 {
            let since = at.saturating_duration_since(shared.began).as_secs_f64();
            let mut file = shared.file.lock().unwrap_or_else(PoisonError::into_inner);
            let line = visible(line);
            // A log that cannot be written does not end the match, but changes the exit code.
            if let Err(e) = writeln!(file, "{since:13.6} {name} {sign} {line}").and_then(|()| file.flush()) {
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
        if self.log.0.is_some() || log::log_enabled!(log::Level::Trace) {
            for line in lines.lines() {
                self.log.write(&self.name, '<', line, clock::now());
            }
        }
    }

    /// Logs a line from the engine.
    pub fn heard(&self, line: &str, at: Instant) {
        self.log.write(&self.name, '>', line, at);
    }

    /// Logs a line of the engine's stderr.
    pub fn complained(&self, line: &str) {
        self.log.write(&self.name, '!', line, clock::now());
    }
}
