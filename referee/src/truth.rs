//! Exact values of positions and what a move cost, from the library's own methods: the judge of every audit.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use grundy_core::value::{Unit, Value, Wdl};
use grundy_session::quiet_work;
use grundy_session::{Catalog, Judge, Session, Settings, Support};

pub use grundy_core::slip::{Contradiction, slip};

/// How many keepers a report names.
const KEEPERS: usize = 10;

/// The values of one game, for one thread: tables are shared with other threads, nothing else is.
pub struct Truth {
    session: Session,
}

/// Opens a game with the rules only; the values come from [`Truth`].
///
/// # Errors
/// The name is not one of the catalog's; one line.
pub fn rules(catalog: &Catalog, game: &str) -> Result<Session, String> {
    catalog.open(game, &Settings::default())
}

/// What is kept for a game, opened when it is first asked for.
///
/// # Errors
/// As opening it.
pub fn of_game<'a, T>(
    kept: &'a mut HashMap<String, T>,
    game: &str,
    open: impl FnOnce() -> Result<T, String>,
) -> Result<&'a mut T, String> {
    match kept.entry(game.to_owned()) {
        Entry::Occupied(entry) => Ok(entry.into_mut()),
        Entry::Vacant(entry) => Ok(entry.insert(open()?)),
    }
}

impl Truth {
    /// Opens a game and does the long work that exact values need. A game that is too large to solve has a truth
    /// that knows few values or none.
    ///
    /// # Errors
    /// The name is not one of the catalog's; one line.
    pub fn open(catalog: &Catalog, game: &str, tables: Option<PathBuf>) -> Result<Truth, String> {
        let settings = Settings { tables, ..Settings::default() };
        let mut session = catalog.open(game, &settings)?;
        if let Some(why) = session.ready(&quiet_work(), None).refused {
            log::warn!("{game}: no exact values, moves are not audited: {why}");
        }
        Ok(Truth { session })
    }

    /// A truth of what a session knows by now.
    pub fn over(session: Session) -> Truth {
        Truth { session }
    }

    /// The same truth for another thread.
    pub fn fork(&self) -> Truth {
        Truth { session: self.session.fork() }
    }

    /// What the values of this game count.
    pub fn unit(&self) -> Unit {
        self.session.unit()
    }

    /// The exact value of a position by itself, whatever was played before; `None` where it is not known.
    pub fn value(&mut self, position: &str) -> Option<Value> {
        self.session.setup(Some(position)).ok()?;
        let judge = Judge::new(self.unit(), Support::Ranks);
        self.session.value().filter(|&value| judge.admits(value).is_ok())
    }

    /// How the game ends for the player to move if the position is worth this: in a game for points, who is ahead.
    pub fn ends(&mut self, position: &str, value: Value) -> Wdl {
        match self.session.setup(Some(position)) {
            Ok(()) => self.session.outcome(value),
            Err(_) => value.wdl(),
        }
    }

    /// The moves that keep the value of a position, some of them where there are very many; and those of them
    /// that are best.
    pub fn keepers(&mut self, position: &str) -> Keepers {
        let mut keepers = Keepers::default();
        if self.session.setup(Some(position)).is_err() {
            return keepers;
        }
        let list = self.session.values(KEEPERS);
        let Some(best) = list.moves.first().and_then(|m| m.value) else { return keepers };
        let keeps = |value: Value| match self.session.unit() {
            Unit::Outcome => value.wdl() == best.wdl(),
            Unit::Points | Unit::Fractions(_) => value == best,
        };
        keepers.more = list.truncated && list.moves.last().and_then(|m| m.value).is_none_or(keeps);
        for entry in list.moves {
            let Some(value) = entry.value else {
                keepers.more = true;
                continue;
            };
            if value == best && keepers.best.len() < KEEPERS {
                keepers.best.push(entry.word.clone());
            }
            if keeps(value) && keepers.keeping.len() < KEEPERS {
                keepers.keeping.push(entry.word);
            }
        }
        keepers
    }

    /// A value in words.
    pub fn words(&self, value: Value) -> String {
        value.show(self.unit()).to_string()
    }
}

/// Moves that keep a position's value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Keepers {
    /// Those that keep who wins, or the points.
    pub keeping: Vec<String>,
    /// Those that are best, distance included.
    pub best: Vec<String>,
    /// Whether there may be others.
    pub more: bool,
}

/// The truths of all games of a run, each made once.
pub struct Truths {
    catalog: Catalog,
    tables: Option<PathBuf>,
    open: Mutex<HashMap<String, Truth>>,
}

impl Truths {
    /// None opened yet; tables are looked for in this folder.
    pub fn new(catalog: &Catalog, tables: Option<PathBuf>) -> Truths {
        Truths { catalog: *catalog, tables, open: Mutex::default() }
    }

    /// The truth of a game, for one thread.
    ///
    /// # Errors
    /// The name is not one of the catalog's; one line.
    pub fn of(&self, game: &str) -> Result<Truth, String> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(truth) = open.get(game) {
            return Ok(truth.fork());
        }
        let truth = Truth::open(&self.catalog, game, self.tables.clone())?;
        let fork = truth.fork();
        open.insert(game.to_string(), truth);
        Ok(fork)
    }
}
