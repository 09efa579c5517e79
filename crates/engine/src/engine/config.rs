//! What an engine begins with.

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
}

impl Config {
    /// The usual game of this catalog, with default settings.
    pub fn new(catalog: &Catalog) -> Config {
        Config { catalog: *catalog, game: None, settings: Settings::default(), weaken: 0 }
    }
}
