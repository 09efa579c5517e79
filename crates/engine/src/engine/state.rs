//! The state of the engine between two lines, and its output.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::rc::Rc;
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
use crate::translators::Translator;
use grundy_core::game::Player;
use grundy_core::random::SplitMix64;
use grundy_core::text::brief;
use grundy_session::{Catalog, Info, Session, Variant};

/// The state of the loop.
pub(super) struct Engine<W> {
    out: W,
    pub catalog: Catalog,
    /// The channel to the worker.
    pub jobs: Sender<Job>,
    /// The link to the reader.
    pub link: Link,
    pub options: Options,
    /// The translator of the client's protocol, if that is neither UGI nor UCI.
    pub translator: Option<Box<dyn Translator>>,
    /// The permissions of a client that is not trusted.
    pub guest: Option<Guest>,
    /// The random generator of a weakened engine.
    pub random: SplitMix64,
    pub dialect: Dialect,
    /// The UCI variant whose spellings are used.
    pub variant: Option<Variant>,
    /// True if the game was chosen explicitly, so that `uci` does not change it.
    pub chosen: bool,
    /// The game's full name.
    pub game: String,
    /// Sections of game names switched on by options.
    pub sections: Vec<&'static str>,
    /// The game being played; `None` while the worker has it.
    pub session: Option<Session>,
    /// The instant at which the game was opened; the clock of a `go` begins no earlier.
    pub opened: Instant,
    /// True if the last position was refused.
    pub refused: bool,
    pub busy: Busy,
    pub waiting: Waiting,
    /// True if `quit` was received: pending work gets a moment and no more.
    pub quitting: bool,
}

/// The worker's activity.
pub(super) enum Busy {
    /// None: the loop has the session.
    Idle,
    /// A table, a query or a count; `failed` is the answer if it is abandoned. The position is there for a variant, in which
    /// the moves of a count are written otherwise.
    Errand { stop: Arc<AtomicBool>, position: Option<String>, failed: &'static str },
    /// A search.
    Search(Box<Search>),
}

/// A search from `go` to `bestmove`.
pub(super) struct Search {
    pub stop: Arc<AtomicBool>,
    pub words: GoWords,
    /// The start of its clock.
    pub began: Instant,
    pub mover: Player,
    /// The position, for spellings that depend on it.
    pub position: String,
    /// The dialect of the client's `go`.
    pub dialect: Dialect,
    /// True if the move is to be played as well: the reply to `move M`.
    pub reply: bool,
    /// True if the answer waits for `stop` or `ponderhit`.
    pub held: bool,
    /// The instant at which the loop ends the search.
    pub deadline: Option<Instant>,
    /// The instant at which the search was told to end.
    pub stopped: Option<Instant>,
    /// True if `bestmove` was written while the worker still has the session.
    pub told: bool,
    /// The last report of each line, by its rank.
    pub lines: BTreeMap<u32, Rc<Info>>,
    /// The worker's answer, kept while the search is held.
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
            random: SplitMix64(config.settings.seed.unwrap_or(0)),
            options: Options::new(config.settings, config.weaken),
            translator: None,
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

    /// Writes one line of UGI, or what its translator makes of it.
    pub fn say(&mut self, line: &str) -> io::Result<()> {
        match &mut self.translator {
            None => self.write(line),
            Some(translator) => translator.answer(line).iter().try_for_each(|line| self.write(line)),
        }
    }

    /// Writes one line at once and flushes it.
    pub fn write(&mut self, line: &str) -> io::Result<()> {
        log::trace!("> {line}");
        let mut bytes = Vec::with_capacity(line.len() + 1);
        bytes.extend_from_slice(line.as_bytes());
        bytes.push(b'\n');
        self.out.write_all(&bytes)?;
        self.out.flush()
    }
}
