//! Exact values of positions and the cost of moves, from the library's own methods: the judge of every audit.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use grundy_core::value::{Unit, Value, Wdl};
use grundy_session::quiet_work;
use grundy_session::{Catalog, Judge, Session, Settings, Support};

pub use grundy_core::slip::{Contradiction, slip};

/// Value-preserving moves that a report names.
const MOST_LISTED: usize = 10;

/// The exact values of one game, for one thread. Threads share tables and nothing else.
pub struct ExactValues {
    session: Session,
    /// The position that the session is set up at; `None` if unknown.
    at: Option<String>,
}

impl ExactValues {
    /// Opens a game, and opens or builds the tables that exact values need; this can take minutes. Few or no values
    /// are known of a game that is too large to solve.
    ///
    /// # Errors
    /// The name is not one of the catalog's; one line.
    pub fn open(catalog: &Catalog, game: &str, tables: Option<PathBuf>) -> Result<ExactValues, String> {
        let settings = Settings { tables, known: false, ..Settings::default() };
        let mut session = catalog.open(game, &settings)?;
        if let Some(why) = session.ready(&quiet_work(), None).refused {
            log::warn!("{game}: no exact values, moves are not audited: {why}");
        }
        Ok(ExactValues::over(session))
    }

    /// Returns the values that `session` knows by now.
    pub fn over(session: Session) -> ExactValues {
        ExactValues { session, at: None }
    }

    /// Returns the same values for another thread.
    pub fn fork(&self) -> ExactValues {
        ExactValues::over(self.session.at_start())
    }

    /// Sets up a position, unless the last question was about it too; `None` if it is refused.
    fn stand_on(&mut self, position: &str) -> Option<&mut Session> {
        if self.at.as_deref() != Some(position) {
            self.at = None;
            self.session.setup(Some(position)).ok()?;
            self.at = Some(position.to_owned());
        }
        Some(&mut self.session)
    }

    /// Returns the unit of the values.
    pub fn unit(&self) -> Unit {
        self.session.unit()
    }

    /// Returns the exact value of a position without its history; `None` if unknown.
    pub fn value(&mut self, position: &str) -> Option<Value> {
        let judge = Judge::new(self.unit(), Support::Ranks);
        self.stand_on(position)?.value().filter(|&value| judge.admits(value).is_ok())
    }

    /// Returns the outcome for the player to move if the position has this value; in a game for points the score
    /// counts.
    pub fn ends(&mut self, position: &str, value: Value) -> Wdl {
        self.stand_on(position).map_or(value.wdl(), |session| session.outcome(value))
    }

    /// Returns the value-preserving moves of a position, and the best of them; at most [`MOST_LISTED`] of either.
    pub fn preserving_moves(&mut self, position: &str) -> Preserving {
        // What is not known may be more.
        let mut found = Preserving { more: true, ..Preserving::default() };
        let Some(session) = self.stand_on(position) else { return found };
        let list = session.values(MOST_LISTED);
        let Some(best) = list.moves.first().and_then(|m| m.value) else { return found };
        let keeps = |value: Value| match session.unit() {
            Unit::Outcome => value.wdl() == best.wdl(),
            Unit::Points | Unit::Fractions(_) => value == best,
        };
        found.more = list.truncated && list.moves.last().and_then(|m| m.value).is_none_or(keeps);
        for entry in list.moves {
            let Some(value) = entry.value else {
                found.more = true;
                continue;
            };
            if value == best && found.best.len() < MOST_LISTED {
                found.best.push(entry.word.clone());
            }
            if keeps(value) && found.keeping.len() < MOST_LISTED {
                found.keeping.push(entry.word);
            }
        }
        found
    }

    /// Returns the text of a value.
    pub fn words(&self, value: Value) -> String {
        value.show(self.unit()).to_string()
    }
}

/// The value-preserving moves of a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preserving {
    /// Moves that keep the outcome or the margin.
    pub keeping: Vec<String>,
    /// Moves that are best, distance included.
    pub best: Vec<String>,
    /// Set if there may be others.
    pub more: bool,
}

/// The exact values of all games of a run, each opened once.
pub struct ValueCache {
    catalog: Catalog,
    tables: Option<PathBuf>,
    open: Mutex<HashMap<String, ExactValues>>,
}

impl ValueCache {
    /// Returns an empty cache; tables are looked for in the folder `tables`.
    pub fn new(catalog: &Catalog, tables: Option<PathBuf>) -> ValueCache {
        ValueCache { catalog: *catalog, tables, open: Mutex::default() }
    }

    /// Returns the values of a game, for one thread.
    ///
    /// # Errors
    /// The name is not one of the catalog's; one line.
    pub fn of(&self, game: &str) -> Result<ExactValues, String> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(exact) = open.get(game) {
            return Ok(exact.fork());
        }
        let exact = ExactValues::open(&self.catalog, game, self.tables.clone())?;
        let fork = exact.fork();
        open.insert(game.to_string(), exact);
        Ok(fork)
    }
}
