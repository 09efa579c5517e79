//! What engine options set, and what one `go` asks for.

use std::path::PathBuf;
use std::time::Instant;

/// What engine options set for a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Threads for searching and solving, at least 1.
    pub threads: usize,
    /// Megabytes of transposition table.
    pub hash_mb: usize,
    /// The folder of tables, where one was named.
    pub tables: Option<PathBuf>,
    /// How many lines a search reports.
    pub multi_pv: usize,
    /// Chooses among equally good moves; `None` chooses always the same one.
    pub seed: Option<u64>,
    /// What of a won or lost game a search has to prove.
    pub distance: Distance,
}

impl Default for Settings {
    fn default() -> Settings {
        let distance = Distance::Exact;
        Settings { threads: 1, hash_mb: 64, tables: None, multi_pv: 1, seed: None, distance }
    }
}

/// What of a won or lost game is proved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Distance {
    /// That it is won or lost: the first proof will do.
    First,
    /// In how many plies with best play.
    #[default]
    Exact,
}

/// What one `go` asks for.
#[derive(Clone, Debug, Default)]
pub struct Go {
    /// When a search ends.
    pub limits: Limits,
    /// Only these moves are looked at, where there are any.
    pub search_moves: Vec<String>,
    /// By the search alone, as a second witness: no table, formula or book is asked.
    pub alone: bool,
}

/// When a search ends. Where nothing is set it ends with its proof.
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
    /// Go on after the value is proved, until stopped (`go infinite`, `go ponder`).
    pub infinite: bool,
}

impl Limits {
    /// Until when tables may be made before a search has to begin: half of the time, where there is a clock.
    pub fn patience(&self) -> Option<Instant> {
        let now = Instant::now();
        self.soft.or(self.hard).map(|end| now + end.saturating_duration_since(now) / 2)
    }
}
