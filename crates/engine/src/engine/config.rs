//! What an engine begins with.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use grundy_session::{Catalog, Settings};

/// What the command line settles before the first line is read.
#[derive(Clone, Debug)]
pub struct Config {
    /// The games there are.
    pub catalog: Catalog,
    /// The game to begin with; without one, that of UCI where the client says `uci`, else the first of the catalog.
    pub game: Option<String>,
    /// What the options are set to at first.
    pub settings: Settings,
    /// Percent of moves that are played at random.
    pub weaken: u32,
    /// What a client that is not trusted may choose; a client that is trusted may choose everything.
    pub guest: Option<Guest>,
}

/// What a client may choose that is not trusted with the machine: everything that is not allowed here is refused, however
/// the line is written that asks for it.
#[derive(Clone)]
pub struct Guest {
    options: &'static [&'static str],
    /// How long it is still answered after the end of its input.
    pub(super) patience: Duration,
    admit: Arc<Admit>,
}

/// Refuses names of games; its error is one line that says why.
type Admit = dyn Fn(&str) -> Result<(), String> + Send + Sync;

impl Guest {
    /// The options that move neither files nor memory nor threads.
    pub const OPTIONS: &[&str] = &[
        "Game",
        "UCI_Variant",
        "MultiPV",
        "Ponder",
        "Distance",
        "Method",
        "Evaluation",
        "Rule50",
        "Move Overhead",
        "Reply",
        "Seed",
        "Weaken",
    ];

    /// A client that may set [`Guest::OPTIONS`] and open the games whose full names `admit` lets pass; its error is one
    /// line that says why a game is refused. After the end of its input what it has asked is answered for `patience`, and
    /// then stopped.
    pub fn new(
        patience: Duration,
        admit: impl Fn(&str) -> Result<(), String> + Send + Sync + 'static,
    ) -> Guest {
        Guest { options: Guest::OPTIONS, patience, admit: Arc::new(admit) }
    }

    /// Whether it may set the option; names are compared without regard to case.
    pub(super) fn may_set(&self, option: &str) -> bool {
        self.options.iter().any(|allowed| allowed.eq_ignore_ascii_case(option))
    }

    /// Whether it may open the game of this full name.
    ///
    /// # Errors
    /// It may not: one line that says why.
    pub(super) fn admit(&self, game: &str) -> Result<(), String> {
        (self.admit)(game)
    }
}

impl fmt::Debug for Guest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Guest").field("options", &self.options).finish_non_exhaustive()
    }
}

impl Config {
    /// The usual game of this catalog, with default settings.
    pub fn new(catalog: &Catalog) -> Config {
        Config { catalog: *catalog, game: None, settings: Settings::default(), weaken: 0, guest: None }
    }
}
