//! The settings of a session, and what one `go` asks for.

use std::path::PathBuf;
use std::time::Instant;

use grundy_core::value::Value;

/// The settings of a session, as engine options set them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Threads for searching and solving, at least 1.
    pub threads: usize,
    /// Megabytes of transposition table.
    pub hash_mb: usize,
    /// The most memory that a question may use for tables and for what methods remember, in bytes; `None` is what there is.
    pub memory: Option<u64>,
    /// The folder of tables; `None` is the usual one.
    pub tables: Option<PathBuf>,
    /// How many lines a search reports.
    pub multi_pv: usize,
    /// The seed of the choice among equally good moves; `None` always chooses the same one.
    pub seed: Option<u64>,
    /// How much of a won or lost game a search has to prove.
    pub distance: Distance,
    /// How games are searched.
    pub method: Method,
    /// How positions are judged that are not searched further.
    pub evaluation: Evaluation,
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
        }
    }
}

/// How much of a won or lost game is proved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Distance {
    /// Only that it is won or lost.
    First,
    /// In how many plies it is won or lost with best play.
    #[default]
    Exact,
}

/// How games are searched that have a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// As the game's row says.
    #[default]
    Own,
    /// By Monte-Carlo tree search, in every game, without asking a table, formula or book.
    MonteCarlo,
}

/// How positions are judged that are not searched further.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Evaluation {
    /// As the game's search does it.
    #[default]
    Own,
    /// As textbooks do: the lines that are open to the player to move less those that are open to the other. Games that
    /// have this evaluation are searched by plain alpha-beta, and no table is asked.
    Lines,
}

/// What one `go` asks for.
#[derive(Clone, Debug, Default)]
pub struct Go {
    /// When a search ends.
    pub limits: Limits,
    /// The moves to consider; all, where this is empty.
    pub search_moves: Vec<String>,
    /// Whether the search works alone, as a second witness: no table, formula or book is used.
    pub alone: bool,
    /// What the position is worth at least, where that is proved already, of one of its moves for instance: the search
    /// takes it on trust.
    pub at_least: Option<Value>,
}

/// When a search ends. Without any limit it ends when the value is proved.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Plies of iterative deepening.
    pub depth: Option<u32>,
    /// Nodes visited.
    pub nodes: Option<u64>,
    /// No new iteration starts after this instant.
    pub soft: Option<Instant>,
    /// The search ends at this instant.
    pub hard: Option<Instant>,
    /// Whether the search goes on after the value is proved, until it is stopped (`go infinite`, `go ponder`).
    pub infinite: bool,
}

impl Limits {
    /// When a search has to begin, so that tables are made until then at most: after half of the time.
    pub fn patience(&self) -> Option<Instant> {
        let now = Instant::now();
        self.soft.or(self.hard).map(|end| now + end.saturating_duration_since(now) / 2)
    }
}
