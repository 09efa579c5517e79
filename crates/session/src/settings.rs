//! The settings of a session, and the request of one `go`.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use grundy_core::text::brief;
use grundy_core::value::Value;

use crate::spec::files_of;

/// The settings of a session, as engine options set them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Threads for searching and solving, at least 1.
    pub threads: usize,
    /// Megabytes of transposition table.
    pub hash_mb: usize,
    /// Memory limit for tables and caches of one request, in bytes; `None` is the free memory.
    pub memory: Option<u64>,
    /// The folder of tables; `None` is the default one.
    pub tables: Option<PathBuf>,
    /// Number of lines that a search reports.
    pub multi_pv: usize,
    /// Random seed for the choice among equally good moves; `None` always chooses the same one.
    pub seed: Option<u64>,
    /// The extent of proofs of won and lost games.
    pub distance: Distance,
    /// The search method.
    pub method: Method,
    /// The evaluation of leaves.
    pub evaluation: Evaluation,
    /// True to answer from opening books: those that ship with the program, and those in the folder of tables.
    pub own_book: bool,
    /// True to use [`Known`](crate::Known) results: they are shown as known, and confine a search with little time to the
    /// moves that keep the value.
    pub known: bool,
    /// The learned evaluation of searches with limits.
    pub weights: WeightsChoice,
    /// The files that the name of a game may have opened.
    pub files: Files,
}

impl Default for Settings {
    fn default() -> Settings {
        let (distance, method, evaluation) = (Distance::Exact, Method::Own, Evaluation::Own);
        Settings {
            threads: 1,
            hash_mb: 64,
            memory: None,
            tables: None,
            multi_pv: 1,
            seed: None,
            distance,
            method,
            evaluation,
            own_book: true,
            known: true,
            weights: WeightsChoice::Found,
            files: Files::Any,
        }
    }
}

/// The files that the name of a game may have opened (`graph:file=PATH`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Files {
    /// Every file.
    #[default]
    Any,
    /// Files in these folders, whose paths are canonical; none if there are no folders.
    Within(Vec<PathBuf>),
}

impl Files {
    /// Returns the folders of the files that may be opened; none if every file may.
    pub fn folders(&self) -> &[PathBuf] {
        match self {
            Files::Any => &[],
            Files::Within(folders) => folders,
        }
    }

    /// Checks the files in a game's full name.
    ///
    /// # Errors
    /// One of them may not be opened; one line.
    pub fn admit(&self, full: &str) -> Result<(), String> {
        let Files::Within(folders) = self else { return Ok(()) };
        let files = files_of(full);
        // What is no section of a file may be one to a game that reads its name in its own way.
        if folders.is_empty() && full.contains("file=") || full.matches("file=").count() != files.len() {
            return Err("games from files are not opened here".to_owned());
        }
        let served = |path: PathBuf| path.is_file() && folders.iter().any(|folder| path.starts_with(folder));
        match files.into_iter().find(|file| !Path::new(file).canonicalize().is_ok_and(served)) {
            Some(file) => Err(format!("file {:?}: expected a file in the folder of rules", brief(file))),
            None => Ok(()),
        }
    }
}

/// The weights of a learned evaluation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum WeightsChoice {
    /// The file of the game in the folder of tables, if there is one.
    #[default]
    Found,
    /// None: the game's own evaluation.
    Off,
    /// This file.
    File(PathBuf),
}

impl WeightsChoice {
    /// Reads the value of an option: `none`, or a path.
    pub fn parse(word: &str) -> WeightsChoice {
        if word.eq_ignore_ascii_case("none") { WeightsChoice::Off } else { WeightsChoice::File(word.into()) }
    }
}

/// The extent of proofs of won and lost games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Distance {
    /// The outcome alone.
    First,
    /// The distance as well: plies to the end with best play.
    #[default]
    Exact,
}

/// The search method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// The one named by the game's row.
    #[default]
    Own,
    /// Monte-Carlo tree search, in every game, without table, formula or book.
    MonteCarlo,
}

/// The evaluation of positions that are not searched further.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Evaluation {
    /// That of the game's search.
    #[default]
    Own,
    /// That of textbooks: the lines still open to the player to move minus those open to the opponent. Games that have
    /// it are searched by plain alpha-beta without tables.
    Lines,
}

/// The request of one `go`.
#[derive(Clone, Debug, Default)]
pub struct Go {
    /// When a search ends.
    pub limits: Limits,
    /// The moves to consider; all if empty.
    pub search_moves: Vec<String>,
    /// True to search without formula, book and tables but those that the search itself makes, as a second witness.
    pub alone: bool,
    /// Proved lower bound of the position's value, if one is known; the search does not check it.
    pub at_least: Option<Value>,
}

/// The limits of a search. Without any it ends when the value is proved.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Maximum depth of iterative deepening, in plies.
    pub depth: Option<u32>,
    /// Maximum number of nodes.
    pub nodes: Option<u64>,
    /// Soft time limit: no new iteration starts after it.
    pub soft: Option<Instant>,
    /// Hard time limit.
    pub hard: Option<Instant>,
    /// True if the search continues after the value is proved, until it is stopped (`go infinite`, `go ponder`).
    pub infinite: bool,
}

impl Limits {
    /// Reports whether the search may end before the value is proved.
    pub fn are_tight(&self) -> bool {
        !self.infinite
            && (self.depth.is_some() || self.nodes.is_some() || self.soft.is_some() || self.hard.is_some())
    }

    /// Waits, in an infinite search that has nothing left to do, until it is stopped or its time is up.
    pub fn hold(&self, stop: &AtomicBool) {
        while self.infinite && !stop.load(Relaxed) && self.hard.is_none_or(|end| Instant::now() < end) {
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Reports whether nodes or plies limit the search, and no clock.
    pub(crate) fn are_counted(&self) -> bool {
        (self.depth.is_some() || self.nodes.is_some()) && self.soft.or(self.hard).is_none()
    }

    /// Reports whether the move is due in less than about a second.
    pub(crate) fn hurry(&self) -> bool {
        const SHORT: Duration = Duration::from_millis(900);
        self.hard.is_some_and(|end| end < Instant::now() + SHORT)
    }

    /// Returns the instant at which a search has to begin, so that tables may be built until then: after half of the
    /// time.
    pub fn patience(&self) -> Option<Instant> {
        let now = Instant::now();
        self.soft.or(self.hard).map(|end| now + end.saturating_duration_since(now) / 2)
    }
}
