//! What the engine knows between two lines, and how it writes one.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use crossbeam_channel::Sender;

use super::config::{Config, Guest};
use super::options::Options;
use super::reader::Link;
use super::waiting::Waiting;
use super::worker::Job;
use crate::protocol::{Dialect, GoWords};
use grundy_core::game::Player;
use grundy_core::random::SplitMix64;
use grundy_core::text::brief;
use grundy_session::{Catalog, Info, Session, Variant};

/// The state of the loop.
pub(super) struct Engine<W> {
    out: W,
    pub catalog: Catalog,
    /// To the worker.
    pub jobs: Sender<Job>,
    /// To the reader.
    pub link: Link,
    pub options: Options,
    /// What the client may choose, where it is not trusted.
    pub guest: Option<Guest>,
    /// Chooses the moves of an engine that is weakened.
    pub lots: SplitMix64,
    pub dialect: Dialect,
    /// The UCI variant whose spellings are used.
    pub variant: Option<Variant>,
    /// The game was chosen by somebody, so that `uci` does not change it.
    pub chosen: bool,
    /// The game's full name.
    pub game: String,
    /// Sections of game names that options have switched on.
    pub sections: Vec<&'static str>,
    /// The game being played; away while the worker has it.
    pub session: Option<Session>,
    /// When the game was opened: no earlier does the clock of a `go` begin.
    pub opened: Instant,
    /// The last position was refused.
    pub refused: bool,
    pub busy: Busy,
    pub waiting: Waiting,
    /// `quit` was heard: what is under way, and what waits, gets a moment and no more.
    pub quitting: bool,
}

/// What the worker is at.
pub(super) enum Busy {
    /// Nothing: the session is at home.
    Idle,
    /// A table or a question.
    Errand { stop: Arc<AtomicBool> },
    /// A search.
    Search(Box<Search>),
}

/// A search from `go` to `bestmove`.
pub(super) struct Search {
    pub stop: Arc<AtomicBool>,
    pub words: GoWords,
    /// When its clock began.
    pub began: Instant,
    pub mover: Player,
    /// The position, for spellings that depend on it.
    pub position: String,
    /// How the client spoke when it asked.
    pub dialect: Dialect,
    /// The move is to be played as well: the reply to `move M`.
    pub reply: bool,
    /// The answer waits for `stop` or `ponderhit`.
    pub held: bool,
    /// When the loop itself ends the search.
    pub deadline: Option<Instant>,
    /// When the search was told to end.
    pub stopped: Option<Instant>,
    /// `bestmove` was said, and the worker has yet to bring the session home.
    pub told: bool,
    /// The last report of all, and the last one of the best move.
    pub last: Option<Info>,
    pub best: Option<Info>,
    /// The answer, once the worker has found it; kept here while the search is held.
    pub answer: Option<Option<String>>,
}

impl<W: Write> Engine<W> {
    pub fn new(out: W, config: Config, jobs: Sender<Job>, link: Link) -> Engine<W> {
        let chosen = config.game.is_some();
        let game = config.game.unwrap_or_else(|| config.catalog.usual().to_owned());
        Engine {
            out,
            catalog: config.catalog,
            jobs,
            link,
            lots: SplitMix64(config.settings.seed.unwrap_or(0)),
            options: Options::new(config.settings, config.weaken),
            guest: config.guest,
            dialect: Dialect::Ugi,
            variant: None,
            chosen,
            game,
            sections: Vec::new(),
            session: None,
            opened: Instant::now(),
            refused: false,
            busy: Busy::Idle,
            waiting: Waiting::default(),
            quitting: false,
        }
    }

    pub fn no_game(&mut self) -> io::Result<()> {
        self.error("no game is set up")
    }

    pub fn error(&mut self, text: &str) -> io::Result<()> {
        self.say(&format!("info string error {}", brief(text)))
    }

    pub fn note(&mut self, text: &str) -> io::Result<()> {
        self.say(&format!("info string {text}"))
    }

    /// One line in one write, flushed.
    pub fn say(&mut self, line: &str) -> io::Result<()> {
        log::trace!("> {line}");
        let mut bytes = Vec::with_capacity(line.len() + 1);
        bytes.extend_from_slice(line.as_bytes());
        bytes.push(b'\n');
        self.out.write_all(&bytes)?;
        self.out.flush()
    }
}
