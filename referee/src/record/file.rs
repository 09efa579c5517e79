//! A record as a file: written line by line, locked against a second writer, watched while it is written, read back.

use std::collections::HashMap;
use std::fmt;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use grundy_core::files;
use grundy_core::text::{brief, visible};
use xxhash_rust::xxh3::Xxh3;

use super::chain::{Broken, Chain};
use super::line::{Departure, FORMAT, Game, Header, Line};
use crate::platform;

/// The longest line that is written or read, in bytes.
const LONGEST_LINE: u64 = 64 << 20;
/// The largest record that is read, in bytes.
const LARGEST: u64 = 8 << 30;
/// The beginning of every line; an incomplete last line begins like this, or is a part of it.
const BEGINNING: &[u8] = b"{\"line\":\"";

/// The byte order mark, which some programs put in front of a text.
const MARK: &[u8] = "\u{feff}".as_bytes();
/// The refusal of CRLF line ends.
const REWRITTEN: &str =
    ": another program has rewritten the file; expected LF, to which dos2unix converts it";

/// The content of a record.
pub struct Contents {
    /// Its first line.
    pub header: Header,
    /// The games, in the order in which they ended.
    pub games: Vec<Game>,
    /// Engines that ended badly.
    pub departures: Vec<Departure>,
    /// The line of each game.
    pub(super) game_locations: Vec<Location>,
    /// The line of each departure.
    pub(super) departure_locations: Vec<Location>,
    /// Bytes of the file in complete lines.
    pub(super) whole: u64,
    /// Bytes of an incomplete line behind them.
    pub torn: u64,
    /// The chain after the last complete line; `None` if the lines have no checksums.
    chain: Option<Chain>,
    /// The checksum of all complete lines.
    bytes: Xxh3,
}

impl Contents {
    /// Reports whether its lines have checksums: those of older versions have none.
    pub fn is_sealed(&self) -> bool {
        self.chain.is_some()
    }
}

/// A line of a record: its number, from 1, and the byte it begins at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// The number.
    pub line: usize,
    /// The byte.
    pub from: u64,
}

impl Location {
    /// The first line.
    pub const HEADER: Location = Location { line: 1, from: 0 };

    /// Returns the error for damage of this line.
    pub fn damaged(self, what: impl Into<String>) -> ReadError {
        ReadError::Damaged(self, what.into())
    }
}

/// Reasons to refuse a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// It cannot be read at all.
    Unreadable(String),
    /// A line that is damaged or contradicts the rules, and what is wrong with it.
    Damaged(Location, String),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Unreadable(why) => f.write_str(why),
            ReadError::Damaged(at, what) => {
                write!(f, "line {} is damaged: {}", at.line, brief(&visible(what)))
            }
        }
    }
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> ReadError {
        ReadError::Unreadable(error.to_string())
    }
}

/// A record being written, locked against a second writer.
pub struct Record {
    file: File,
    path: PathBuf,
    chain: Option<Chain>,
    /// The length of the file as we have written it, and the checksum of its bytes.
    length: u64,
    bytes: Xxh3,
    /// The time of the last change that we know of, in seconds and nanoseconds.
    changed: (i64, i64),
    /// Set if somebody else has written to the file: nothing is appended then.
    spoilt: Option<String>,
}

impl Record {
    /// Creates a record with its header. A file that is not empty is not overwritten.
    ///
    /// # Errors
    /// The file holds something, is in use, is no regular file or cannot be written.
    pub fn create(path: &Path, header: &Header) -> Result<Record, String> {
        let in_words = |e: &dyn fmt::Display| format!("{}: {e}", path.display());
        let file = files::open_with(platform::appending(&mut OpenOptions::new()).create(true), path)
            .map_err(|e| in_words(&e))?;
        lock(&file, path)?;
        if file.metadata().map_err(|e| in_words(&e))?.len() > 0 {
            return Err(format!(
                "{} exists: expected a new file, or --resume if it is the record of this run",
                path.display()
            ));
        }
        let mut record = Record::over(file, path, Some(Chain::default()), 0, Xxh3::new());
        record.append(&Line::Header(Box::new(header.clone())))?;
        Ok(record)
    }

    /// Opens a record for appending, and reads it.
    ///
    /// # Errors
    /// The file is in use, cannot be read, or is damaged.
    pub(super) fn open(path: &Path) -> Result<(Record, Contents), ReadError> {
        let unreadable = |e: &dyn fmt::Display| ReadError::Unreadable(e.to_string());
        let file = files::open_with(platform::appending(&mut OpenOptions::new()), path)
            .map_err(|e| unreadable(&e))?;
        lock(&file, Path::new("it")).map_err(ReadError::Unreadable)?;
        let contents = read_from(&file)?;
        let record = Record::over(file, path, contents.chain, contents.whole, contents.bytes.clone());
        Ok((record, contents))
    }

    fn over(file: File, path: &Path, chain: Option<Chain>, length: u64, bytes: Xxh3) -> Record {
        let changed = file.metadata().map_or((0, 0), |data| platform::changed(&data));
        Record { file, path: path.to_path_buf(), chain, length, bytes, changed, spoilt: None }
    }

    /// Truncates the file to `length` bytes.
    ///
    /// # Errors
    /// It cannot be truncated.
    pub(super) fn cut(&mut self, length: u64) -> io::Result<()> {
        self.file.set_len(length)?;
        self.file.sync_data()?;
        self.file.seek(SeekFrom::End(0))?;
        self.note_change();
        Ok(())
    }

    /// Appends a line and waits until it is on disk. If it does not fit, the file keeps its old content.
    ///
    /// # Errors
    /// It cannot be written, or somebody else has written into the file; one line.
    pub fn append(&mut self, line: &Line) -> Result<(), String> {
        self.untouched()?;
        let mut text = serde_json::to_string(line).map_err(|e| e.to_string())?;
        let mut chain = self.chain;
        if let Some(chain) = &mut chain {
            text = chain.seal(&text);
        }
        text.push('\n');
        if text.len() as u64 > LONGEST_LINE {
            return Err(format!("{}: a line of {} bytes is too long", self.path.display(), text.len()));
        }
        self.chain = chain;
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.sync_data());
        if let Err(e) = written {
            // The next `--resume` would cut off an incomplete line as well.
            let _ = self.file.set_len(self.length);
            self.note_change();
            let why = format!("{}: {e}", self.path.display());
            self.spoilt = Some(why.clone());
            return Err(why);
        }
        self.length += text.len() as u64;
        self.bytes.update(text.as_bytes());
        self.note_change();
        Ok(())
    }

    /// Checks that the file holds what was written and nothing else. Costs two system calls while the file is
    /// unchanged.
    ///
    /// # Errors
    /// Somebody has written into it, or it has been moved or removed; one line. Nothing is added to it from then on.
    pub fn untouched(&mut self) -> Result<(), String> {
        if let Some(why) = &self.spoilt {
            return Err(why.clone());
        }
        let found = self.look();
        if let Err(why) = &found {
            self.spoilt = Some(why.clone());
        }
        found
    }

    fn look(&mut self) -> Result<(), String> {
        let path = self.path.display();
        let ours = self.file.metadata().map_err(|e| format!("{path}: {e}"))?;
        let there = std::fs::metadata(&self.path);
        if !there.is_ok_and(|there| platform::identity(&there) == platform::identity(&ours)) {
            return Err(format!("{path}: the record was moved, removed or replaced during the run"));
        }
        if ours.len() != self.length {
            let (found, written) = (ours.len(), self.length);
            return Err(format!(
                "{path}: another program has written to the record: {found} bytes long, {written} were written"
            ));
        }
        let changed = platform::changed(&ours);
        if changed != self.changed {
            self.reread()?;
            self.changed = changed;
        }
        Ok(())
    }

    /// Reads the file again and compares it with what was written.
    ///
    /// # Errors
    /// It holds something else; one line.
    pub fn reread(&self) -> Result<(), String> {
        let path = self.path.display();
        let refused = |e: &dyn fmt::Display| format!("{path}: {e}");
        let mut file = files::open(&self.path).map_err(|e| refused(&e))?;
        let mut bytes = Xxh3::new();
        let mut chunk = vec![0; 1 << 16];
        loop {
            let count = file.read(&mut chunk).map_err(|e| refused(&e))?;
            if count == 0 {
                break;
            }
            bytes.update(&chunk[..count]);
        }
        if bytes.digest128() == self.bytes.digest128() {
            return Ok(());
        }
        Err(format!(
            "{path}: another program has written to the record: its lines are no longer those written"
        ))
    }

    fn note_change(&mut self) {
        if let Ok(data) = self.file.metadata() {
            self.changed = platform::changed(&data);
        }
    }
}

fn lock(file: &File, path: &Path) -> Result<(), String> {
    match platform::lock(file) {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(format!("{} is in use by another referee", path.display())),
        Err(TryLockError::Error(e)) => Err(format!("{}: {e}", path.display())),
    }
}

/// Reads the lines of a record, without comparing them with the rules or the schedule.
///
/// # Errors
/// The file cannot be read or is damaged.
pub(super) fn read(path: &Path) -> Result<Contents, ReadError> {
    let file = files::open(path).map_err(|e| ReadError::Unreadable(e.to_string()))?;
    read_from(&file)
}

fn read_from(mut file: &File) -> Result<Contents, ReadError> {
    let length = file.metadata()?.len();
    if length > LARGEST {
        return Err(ReadError::Unreadable(format!("longer than the {LARGEST} bytes a record may have")));
    }
    file.seek(SeekFrom::Start(0))?;
    let mut input = BufReader::new(file.take(length));
    let mut line = Vec::new();
    let mut at = Location::HEADER;
    let mut contents: Option<Contents> = None;
    let mut seen = HashMap::new();
    let marked = input.fill_buf()?.starts_with(MARK);
    if marked {
        input.consume(MARK.len());
        at.from = MARK.len() as u64;
    }
    loop {
        line.clear();
        input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        let size = line.len() as u64;
        if line.pop() != Some(b'\n') {
            if size == LONGEST_LINE {
                return Err(at.damaged(format!("it is longer than {LONGEST_LINE} bytes")));
            }
            break;
        }
        if line.ends_with(b"\r") {
            return Err(match contents {
                None => ReadError::Unreadable(format!("its lines end in CRLF{REWRITTEN}")),
                Some(_) => at.damaged(format!("it ends in CRLF{REWRITTEN}")),
            });
        }
        match &mut contents {
            None => {
                let found = contents.insert(first(&line)?);
                found.bytes.update(if marked { MARK } else { &[] });
            }
            Some(contents) => next(contents, &line, at, &mut seen)?,
        }
        at = Location { line: at.line + 1, from: at.from + size };
        if let Some(contents) = &mut contents {
            contents.bytes.update(&line);
            contents.bytes.update(b"\n");
            contents.whole = at.from;
        }
    }
    let mut contents =
        contents.ok_or_else(|| ReadError::Unreadable("no record: it has no header".to_string()))?;
    contents.torn = length.saturating_sub(contents.whole);
    if contents.torn > 0 {
        torn(&contents, &line_again(file, contents.whole)?, at)?;
    }
    Ok(contents)
}

/// Returns the rest of a file from byte `from`, up to the longest line.
fn line_again(mut file: &File, from: u64) -> Result<Vec<u8>, ReadError> {
    let mut rest = Vec::new();
    file.seek(SeekFrom::Start(from))?;
    file.take(LONGEST_LINE).read_to_end(&mut rest)?;
    Ok(rest)
}

/// Checks that an incomplete last line is the beginning of a line, as a sudden end leaves it.
fn torn(contents: &Contents, rest: &[u8], at: Location) -> Result<(), ReadError> {
    let shared = rest.len().min(BEGINNING.len());
    if rest[..shared] != BEGINNING[..shared] {
        return Err(at.damaged("the text behind the last line is no beginning of a line"));
    }
    // A complete line whose end was replaced was not left by a sudden end.
    let whole = (1..=rest.len().min(4)).any(|more| {
        let mut chain = contents.chain;
        chain.as_mut().is_some_and(|chain| chain.unseal(&rest[..rest.len() - more]).is_ok())
    });
    if whole { Err(at.damaged("its line end is missing")) } else { Ok(()) }
}

/// Reads the header.
fn first(line: &[u8]) -> Result<Contents, ReadError> {
    let at = Location::HEADER;
    let mut chain = Chain::default();
    let (body, chain) = match chain.unseal(line) {
        Ok(body) => (body, Some(chain)),
        Err(Broken::Wrong) => return Err(at.damaged("its checksum is wrong")),
        Err(Broken::Unsealed) => (line.to_vec(), None),
    };
    let header = match serde_json::from_slice(&body) {
        Ok(Line::Header(header)) => *header,
        Ok(_) => return Err(at.damaged("expected a header")),
        Err(e) => return Err(at.damaged(e.to_string())),
    };
    match (header.format, chain) {
        (0, None) | (FORMAT, Some(_)) => {}
        (0 | FORMAT, _) => return Err(at.damaged("its checksum is missing")),
        (other, _) => {
            return Err(ReadError::Unreadable(format!("a record of format {other}, expected {FORMAT}")));
        }
    }
    Ok(Contents {
        header,
        games: Vec::new(),
        departures: Vec::new(),
        game_locations: Vec::new(),
        departure_locations: Vec::new(),
        whole: 0,
        torn: 0,
        chain,
        bytes: Xxh3::new(),
    })
}

/// Reads a line behind the header; `seen` has the place of each game by its id.
fn next(
    contents: &mut Contents,
    line: &[u8],
    at: Location,
    seen: &mut HashMap<usize, usize>,
) -> Result<(), ReadError> {
    let body = match &mut contents.chain {
        None if line.is_empty() => return Ok(()),
        None => line.to_vec(),
        Some(chain) => chain.unseal(line).map_err(|broken| {
            at.damaged(match broken {
                Broken::Unsealed => "its checksum is missing",
                Broken::Wrong => "its checksum is wrong: it was changed, or a line before it is gone",
            })
        })?,
    };
    match serde_json::from_slice(&body) {
        Ok(Line::Game(game)) => {
            if seen.insert(game.id, contents.games.len()).is_some() {
                return Err(at.damaged(format!("game {} is recorded twice", game.id)));
            }
            contents.games.push(*game);
            contents.game_locations.push(at);
        }
        Ok(Line::Departure(departure)) => {
            contents.departures.push(departure);
            contents.departure_locations.push(at);
        }
        Ok(Line::Proof(proof)) => {
            let id = proof.id;
            let game = seen.get(&id).copied().filter(|&game| proof.apply(&mut contents.games[game]));
            let Some(game) = game else {
                return Err(at.damaged(format!("it proves moves of a game {id} that is not recorded")));
            };
            // The game's values come from this line now.
            contents.game_locations[game] = at;
        }
        Ok(Line::Header(_)) => return Err(at.damaged("a second header")),
        Err(e) => return Err(at.damaged(e.to_string())),
    }
    Ok(())
}
