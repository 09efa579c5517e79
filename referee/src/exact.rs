//! Exact values of positions and the cost of moves, from the library's own methods: the judge of every audit.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use grundy_core::value::{Unit, Value, Wdl};
use grundy_session::{Activity, Catalog, Judge, Progress, Session, Settings, Support, Work, quiet_work};

use crate::output::complain;

pub use grundy_core::slip::{Contradiction, slip};

/// Value-preserving moves that a report names.
const MOST_LISTED: usize = 10;

/// The exact values of one game, for one thread. Threads share tables and nothing else.
pub struct ExactValues {
    session: Session,
    /// The position that the session is set up at; `None` if unknown.
    at: Option<String>,
    /// True during a game: an ending is solved only if that takes about a second.
    in_passing: bool,
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
        let report = |progress: &Progress| {
            if let Some(table) = table_begun(progress) {
                complain(&format!("{game}: makes a table first: {table}"));
            }
        };
        if let Some(why) = session.ready(&Work { report: &report, ..quiet_work() }, None).refused {
            log::warn!("{game}: no exact values, moves are not audited: {why}");
        }
        Ok(ExactValues::over(session))
    }

    /// Returns the values that `session` knows by now.
    pub fn over(session: Session) -> ExactValues {
        ExactValues { session, at: None, in_passing: false }
    }

    /// Returns the same values for another thread.
    pub fn fork(&self) -> ExactValues {
        ExactValues::over(self.session.at_start())
    }

    /// Returns the same values for the moves of games, on another thread.
    fn for_games(&self) -> ExactValues {
        ExactValues { in_passing: true, ..self.fork() }
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
        let in_passing = self.in_passing;
        let session = self.stand_on(position)?;
        let value = if in_passing { session.value_in_passing() } else { session.value() };
        value.filter(|&value| judge.admits(value).is_ok())
    }

    /// Solves the ending of a position, unless that was done before or takes more than about a minute; returns the value.
    pub fn solve_ending(&mut self, position: &str, work: &Work<'_>) -> Option<Value> {
        let judge = Judge::new(self.unit(), Support::Ranks);
        let value = self.stand_on(position)?.solve_ending(work);
        value.filter(|&value| judge.admits(value).is_ok())
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

/// Returns the name and the cost of a table that takes long, if its making begins.
pub fn table_begun(progress: &Progress) -> Option<&str> {
    match &progress.what {
        Activity::Beginning(table) => Some(table),
        _ => None,
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

    /// Returns the values of a game, for the moves that one thread plays.
    ///
    /// # Errors
    /// The name is not one of the catalog's; one line.
    pub fn of(&self, game: &str) -> Result<ExactValues, String> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(exact) = open.get(game) {
            return Ok(exact.for_games());
        }
        let exact = ExactValues::open(&self.catalog, game, self.tables.clone())?;
        let for_games = exact.for_games();
        open.insert(game.to_string(), exact);
        Ok(for_games)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::CATALOG;

    #[test]
    fn a_game_waits_for_no_ending_of_five_men() {
        let folder = std::env::temp_dir().join(format!("grundy-exact-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let mut values = ValueCache::new(&CATALOG, Some(folder.clone())).of("chess").unwrap();
        assert_eq!(values.value("5k2/8/4P2B/4K3/8/6R1/8/8 b - - 0 1"), None);
        let won = values.value("7k/8/8/8/8/8/8/R3K3 w - - 0 1");
        assert_eq!(won.map(Value::wdl), Some(Wdl::Win));
        drop(values);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
