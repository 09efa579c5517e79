//! Other engines that speak UGI or UCI, started for one move at a time.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::str::FromStr;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use grundy::session::Session;

use crate::games::PositionRef;

/// The longest line of an engine that is read, in bytes.
const LONGEST_LINE: usize = 1 << 16;
/// The time that an engine may take beyond that of its move, also to start; at most half of the board's limit.
const GRACE: Duration = Duration::from_secs(3);

/// An engine that was named when the board started.
#[derive(Clone, Debug)]
pub struct ExternalEngine {
    /// Its name on the page.
    pub name: String,
    command: Vec<String>,
    /// The longest time that an answer may take.
    limit: Duration,
}

impl FromStr for ExternalEngine {
    type Err = String;

    fn from_str(text: &str) -> Result<ExternalEngine, String> {
        let (name, command) = text.split_once('=').ok_or("expected NAME=COMMAND")?;
        let command: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
        if name.is_empty() || command.is_empty() {
            return Err("expected NAME=COMMAND".to_owned());
        }
        Ok(ExternalEngine { name: name.to_owned(), command, limit: Duration::MAX })
    }
}

/// A process that is killed when dropped.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl ExternalEngine {
    /// Returns the engine with answers that take no longer than `limit`.
    #[must_use]
    pub fn within(self, limit: Duration) -> ExternalEngine {
        ExternalEngine { limit, ..self }
    }

    /// Asks the engine for a move at `target` within `time`, so that the answer takes no longer than its limit.
    ///
    /// # Errors
    /// It does not start, ends, or does not answer in time; one line that names it.
    pub fn choose(&self, session: &Session, target: &PositionRef, time: Duration) -> Result<String, String> {
        let grace = GRACE.min(self.limit / 2);
        let time = time.min(self.limit - grace);
        let fault = |what: &str| format!("{}: {what}", self.name);
        let mut child = Command::new(&self.command[0])
            .args(&self.command[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| fault(&format!("does not start: {error}")))?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let _running = Running(child);
        let (Some(mut input), Some(output)) = (input, output) else { return Err(fault("has no pipes")) };
        let (lines, heard) = mpsc::sync_channel(64);
        let listening = std::thread::Builder::new().spawn(move || {
            let mut reader = BufReader::new(output);
            loop {
                let mut line = Vec::new();
                let mut limited = std::io::Read::take(&mut reader, LONGEST_LINE as u64);
                if limited.read_until(b'\n', &mut line).unwrap_or(0) == 0 {
                    return;
                }
                if lines.send(String::from_utf8_lossy(&line).trim().to_owned()).is_err() {
                    return;
                }
            }
        });
        listening.map_err(|error| fault(&format!("has no thread for its output: {error}")))?;
        let end = Instant::now() + time + grace;
        let wait = |wanted: &[&str]| -> Result<String, String> {
            loop {
                let left = end.saturating_duration_since(Instant::now());
                let line = heard.recv_timeout(left).map_err(|error| match error {
                    mpsc::RecvTimeoutError::Timeout => fault("does not answer in time"),
                    mpsc::RecvTimeoutError::Disconnected => fault("has ended"),
                })?;
                if line.split_whitespace().next().is_some_and(|first| wanted.contains(&first)) {
                    return Ok(line);
                }
            }
        };
        // Not what a visitor typed, but the same as the game writes it.
        let from = match &target.fen {
            None => "startpos".to_owned(),
            Some(fen) => {
                let mut start = session.at_start();
                start.setup_typed(Some(fen)).map_err(|refusal| refusal.to_string())?;
                format!("fen {}", start.position())
            }
        };
        let moves = match session.history() {
            [] => String::new(),
            moves => format!(" moves {}", moves.join(" ")),
        };
        let mut say = |text: &str| input.write_all(text.as_bytes()).map_err(|_| fault("has ended"));
        say("ugi\nuci\n")?;
        let own = wait(&["ugiok", "uciok"])?.starts_with("ugiok");
        let game = session.name();
        // An engine that speaks both goes back to UGI, in whose notation moves are asked for.
        let dialect = if own { "ugi".to_owned() } else { format!("setoption name UCI_Variant value {game}") };
        say(&format!("{dialect}\nsetoption name Game value {game}\nisready\n"))?;
        wait(&["readyok"])?;
        say(&format!("position {from}{moves}\ngo movetime {}\n", time.as_millis().max(1)))?;
        let line = wait(&["bestmove"])?;
        let _ = say("quit\n");
        line.split_whitespace().nth(1).map(str::to_owned).ok_or_else(|| fault("bestmove without a move"))
    }
}
