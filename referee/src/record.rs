//! The record of a run: JSON lines, one of them on disk the moment its game ends, and read back to go on.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::settings::Settings;
use crate::verdict::{Dispute, Ending, Fault, Gravity, Outcome, Slip};

/// One line of a record.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "line")]
pub enum Line {
    /// The first line: what was to be played.
    Header(Header),
    /// A game that ended.
    Game(Game),
    /// An engine that did not leave as it should.
    Farewell(Departure),
}

/// What was to be played.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Header {
    /// The version of the program that wrote the record.
    pub version: String,
    /// When the run began, in milliseconds since 1970.
    pub began: u64,
    /// All settings of the run.
    pub settings: Settings,
    /// The engines' names, in the order of the command line.
    pub names: Vec<String>,
    /// How many games the run has.
    pub games: usize,
}

/// A game that ended.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Game {
    /// Its number in the run, from 1.
    pub id: usize,
    /// The game by its full name.
    pub game: String,
    /// Games of one pair share the opening and swap the sides.
    pub pair: usize,
    /// The engines of player one and player two, by their place on the command line.
    pub engines: [usize; 2],
    /// Their names.
    pub players: [String; 2],
    /// The position it began from, where that is not the game's start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// Moves that nobody chose.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opening: Vec<String>,
    /// The result.
    pub result: Outcome,
    /// How it ended.
    pub ending: Ending,
    /// The same in words.
    pub reason: String,
    /// When it began, in milliseconds since 1970.
    pub began: u64,
    /// How long it took, in milliseconds.
    pub took_ms: u64,
    /// The moves, after those of the opening.
    pub moves: Vec<Move>,
    /// Where judges disagreed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disputes: Vec<Dispute>,
    /// The last lines on stderr of the engine that failed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stderr: Vec<String>,
}

/// One move of a game and its audit.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Move {
    /// The player who made it, 1 or 2.
    pub by: u8,
    /// The move.
    pub word: String,
    /// The time it took, in microseconds.
    pub us: u64,
    /// The exact value of the position before it, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// The exact value of the move for its mover.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// What the engine claimed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim: Option<String>,
    /// What it cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<Audit>,
}

/// A move that was not the best.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Audit {
    /// What it cost.
    #[serde(flatten)]
    pub slip: Slip,
    /// The position before it, as a command to paste.
    pub position: String,
    /// Moves that would have kept the value.
    pub keeping: Vec<String>,
    /// Moves that were best.
    pub best: Vec<String>,
}

/// An engine that did not leave as it should.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Departure {
    /// Its name.
    pub name: String,
    /// What it did.
    pub fault: Fault,
    /// The same in words.
    pub words: String,
}

impl Game {
    /// How bad it was.
    pub fn gravity(&self) -> Gravity {
        let mut worst = match &self.ending {
            Ending::Fault { fault, .. } => fault.gravity(),
            Ending::Interrupted => Gravity::Interrupted,
            Ending::Rules | Ending::Repetition | Ending::MaxPlies => Gravity::Clean,
        };
        if !self.disputes.is_empty() {
            worst = worst.max(Gravity::Disputed);
        }
        if self.moves.iter().any(|m| m.fault.as_ref().is_some_and(|f| f.slip.loses_value())) {
            worst = worst.max(Gravity::Slipped);
        }
        worst
    }
}

/// A record being written, locked against a second writer.
pub struct Record {
    file: File,
    path: PathBuf,
}

/// What stands in a record.
pub struct Contents {
    /// Its first line.
    pub header: Header,
    /// The games, in the order in which they ended.
    pub games: Vec<Game>,
    /// Engines that left badly.
    pub departures: Vec<Departure>,
    /// How many bytes of the file are whole lines.
    pub whole: u64,
}

impl Record {
    /// A new record with its header. What stands in a file is not overwritten.
    ///
    /// # Errors
    /// The file holds something, is in use or cannot be written.
    pub fn create(path: &Path, header: &Header) -> Result<Record, String> {
        let in_words = |e: io::Error| format!("{}: {e}", path.display());
        let file = OpenOptions::new().append(true).create(true).open(path).map_err(in_words)?;
        lock(&file, path)?;
        if file.metadata().map_err(in_words)?.len() > 0 {
            return Err(format!("{} exists: go on with --resume, or name another file", path.display()));
        }
        let mut record = Record { file, path: path.to_path_buf() };
        record.append(&Line::Header(header.clone()))?;
        Ok(record)
    }

    /// Opens a record to go on with it; half a line at its end, left by a sudden death, is cut off.
    ///
    /// # Errors
    /// The file is in use, cannot be read, or is damaged before its last line.
    pub fn resume(path: &Path) -> Result<(Record, Contents), String> {
        let in_words = |e: io::Error| format!("{}: {e}", path.display());
        let mut file = OpenOptions::new().read(true).append(true).open(path).map_err(in_words)?;
        lock(&file, path)?;
        let contents = read_from(&mut file, path)?;
        file.set_len(contents.whole).map_err(in_words)?;
        file.seek(SeekFrom::End(0)).map_err(in_words)?;
        Ok((Record { file, path: path.to_path_buf() }, contents))
    }

    /// Appends a line and waits until it is on disk. Where it does not fit, what stood in the file before still does.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn append(&mut self, line: &Line) -> Result<(), String> {
        let mut text = serde_json::to_string(line).map_err(|e| e.to_string())?;
        text.push('\n');
        let before = self.file.metadata().map(|data| data.len());
        let written = self.file.write_all(text.as_bytes());
        let written = written.and_then(|()| self.file.sync_data().or_else(unless_unsyncable));
        written.map_err(|e| {
            // Half a line would be cut off by the next `--resume` as well.
            let _ = before.and_then(|length| self.file.set_len(length));
            format!("{}: {e}", self.path.display())
        })
    }
}

/// Pipes and devices cannot be synced and need not be.
fn unless_unsyncable(error: io::Error) -> io::Result<()> {
    if error.kind() == io::ErrorKind::InvalidInput { Ok(()) } else { Err(error) }
}

fn lock(file: &File, path: &Path) -> Result<(), String> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(format!("{} is in use by another referee", path.display())),
        Err(TryLockError::Error(e)) => Err(format!("{}: {e}", path.display())),
    }
}

/// Reads a record.
///
/// # Errors
/// The file cannot be read or is damaged; one line that says where.
pub fn read(path: &Path) -> Result<Contents, String> {
    let mut file = File::open(path).map_err(|e| format!("{}: {e}", path.display()))?;
    read_from(&mut file, path)
}

fn read_from(file: &mut File, path: &Path) -> Result<Contents, String> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(|e| format!("{}: {e}", path.display()))?;
    let whole = bytes.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
    let mut lines = bytes[..whole].split(|&b| b == b'\n').enumerate();
    let damaged =
        |number: usize, why: &str| format!("{}: line {} is damaged: {why}", path.display(), number + 1);
    let header = match lines.next() {
        Some((number, line)) if !line.is_empty() => match serde_json::from_slice(line) {
            Ok(Line::Header(header)) => header,
            Ok(_) => return Err(damaged(number, "expected a header")),
            Err(e) => return Err(damaged(number, &e.to_string())),
        },
        _ => return Err(format!("{}: no record: it has no header", path.display())),
    };
    let mut contents = Contents { header, games: Vec::new(), departures: Vec::new(), whole: whole as u64 };
    let mut seen = std::collections::HashSet::new();
    for (number, line) in lines.filter(|(_, line)| !line.is_empty()) {
        match serde_json::from_slice(line) {
            Ok(Line::Game(game)) if !seen.insert(game.id) => {
                return Err(damaged(number, &format!("game {} stands there twice", game.id)));
            }
            Ok(Line::Game(game)) => contents.games.push(game),
            Ok(Line::Farewell(departure)) => contents.departures.push(departure),
            Ok(Line::Header(_)) => return Err(damaged(number, "a second header")),
            Err(e) => return Err(damaged(number, &e.to_string())),
        }
    }
    Ok(contents)
}
