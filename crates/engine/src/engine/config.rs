//! The configuration of an engine.

use std::time::Duration;

use crate::translators::Protocol;
use grundy_session::{Catalog, Settings};

/// The configuration of an engine, set before the first line is read.
#[derive(Clone, Debug)]
pub struct Config {
    /// The games.
    pub catalog: Catalog,
    /// The first game; `None` is UCI's own if the client says `uci`, else the first of the catalog.
    pub game: Option<String>,
    /// The initial options.
    pub settings: Settings,
    /// Percentage of moves played at random.
    pub weaken: u32,
    /// The protocol to be translated; `None` speaks UGI and UCI, and XBoard's protocol if the client begins with
    /// `xboard`.
    pub protocol: Option<Protocol>,
    /// The permissions of a client that is not trusted; `None` for a trusted one.
    pub guest: Option<Guest>,
}

/// The permissions of a client that is not trusted with the machine. Everything that is not allowed here is refused.
#[derive(Clone, Debug)]
pub struct Guest {
    options: &'static [&'static str],
    /// Time for answers after the end of its input.
    pub(super) patience: Duration,
}

impl Guest {
    /// The options that affect neither files nor memory nor threads.
    pub const OPTIONS: &[&str] = &[
        "Game",
        "UCI_Variant",
        "UCI_Chess960",
        "OwnBook",
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

    /// Returns the permissions of a client that may set [`Guest::OPTIONS`]. After the end of its input pending requests are
    /// answered for `patience`, then stopped. The files that it may open are those of [`Settings::files`].
    pub fn new(patience: Duration) -> Guest {
        Guest { options: Guest::OPTIONS, patience }
    }

    /// Reports whether it may set the option; names are compared case-insensitively.
    pub(super) fn may_set(&self, option: &str) -> bool {
        self.options.iter().any(|allowed| allowed.eq_ignore_ascii_case(option))
    }
}

impl Config {
    /// Returns the default game of this catalog with default settings.
    pub fn new(catalog: &Catalog) -> Config {
        let settings = Settings::default();
        Config { catalog: *catalog, game: None, settings, weaken: 0, protocol: None, guest: None }
    }
}
