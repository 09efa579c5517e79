//! The finished table beside the oracle that knows the values.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use grundy_core::game::{Game, Notation, Player, Scored};
use grundy_core::table::{Maker, Scratch, Table};
use grundy_core::value::{Unit, Value};
use grundy_session::{
    Belief, Doubt, Estimate, Home, Loony, Need, Progress, SolveError, Tabled, Work, quiet_work,
};

use super::ability::LoonyStates;
use super::fill::{CODING, memory, solve, state};
use crate::Oracle;
use crate::filed::Filed;
use crate::layers::Acyclic;
use crate::verify::{checked, fingerprint};

/// About how many states one thread finds in a second.
const SPEED: u64 = 1 << 22;

/// Knows the loony states in a table, and the values that another oracle knows. The table is a file of its own, under
/// the game's name with the section `loony`.
pub struct LoonyTable<O> {
    values: O,
    /// The game's name without that section.
    base: String,
    /// Whether the table to be made is that of the states.
    named: bool,
    states: Filed<Table>,
}

impl<O> LoonyTable<O> {
    /// A table of states beside these values, for a game of this name without the section `loony`. `named` says
    /// whether the section was there: then solving makes the states, else the values.
    pub fn new(values: O, base: String, named: bool) -> LoonyTable<O> {
        LoonyTable { values, base, named, states: Filed::default() }
    }

    /// Where the values are.
    fn home(&self, home: &Home) -> Home {
        Home { folder: home.folder.clone(), name: self.base.clone() }
    }

    /// The name of the table of states.
    fn name(&self) -> String {
        format!("{}:loony", self.base)
    }
}

/// A number that changes with the rules and with what the table holds.
fn mark<G: Scored + Acyclic>(game: &G) -> u64 {
    fingerprint(game) ^ 0x6c6f_6f6e_7900_0001
}

impl<G, O> Oracle<G> for LoonyTable<O>
where
    G: Scored + Notation + Acyclic + LoonyStates,
    O: Oracle<G>,
{
    fn ready(&self, game: &G, position: &G::Position, need: &Need<'_>) -> Result<(), SolveError> {
        let name = self.name();
        self.states.open(&need.home.folder.file(&name), |path| {
            let table = Table::open_for(path, &name, mark(game), game.size())?;
            table.coded(path, |coding| coding == CODING)
        });
        self.values.ready(game, position, &Need { home: &self.home(need.home), ..*need })
    }

    fn value(&self, game: &G, position: &G::Position) -> Option<Value> {
        self.values.value(game, position)
    }

    fn ready_for_loony(&self, game: &G, until: Instant) {
        let needed = Duration::from_millis(game.size().saturating_mul(1000) / SPEED);
        if self.states.get().is_some() || !game.has_states() || Instant::now() + needed > until {
            return;
        }
        let late = AtomicBool::new(false);
        let report = |_: &Progress| late.store(Instant::now() >= until, Ordering::Relaxed);
        if let Ok(table) = solve(game, &Work { stop: &late, report: &report, ..quiet_work() }) {
            self.states.set(table);
        }
    }

    fn loony(&self, game: &G, position: &G::Position) -> Option<Loony> {
        self.states.get()?.get(game.index(position)).map(state)
    }

    fn tabled<'a>(&'a self, game: &'a G, home: &'a Home, book: Option<u32>) -> Option<Box<dyn Tabled + 'a>> {
        if self.named {
            return book
                .is_none()
                .then(|| Box::new(StatesTable { name: self.name(), game }) as Box<dyn Tabled>);
        }
        self.values.tabled(game, home, book)
    }
}

/// A game with the table of its loony states.
struct StatesTable<'a, G: Game> {
    name: String,
    game: &'a G,
}

impl<G: Scored + Notation + Acyclic + LoonyStates> Tabled for StatesTable<'_, G> {
    fn name(&self) -> &str {
        &self.name
    }

    fn unit(&self) -> Unit {
        Unit::Outcome
    }

    fn count(&self) -> u64 {
        self.game.size()
    }

    fn fingerprint(&self) -> u64 {
        mark(self.game)
    }

    fn maker(&self) -> Maker {
        Maker::Other
    }

    fn estimate(&self) -> Result<Estimate, SolveError> {
        let numbers = self.count();
        let seconds = Some(numbers as f64 / SPEED as f64);
        let disk = numbers.div_ceil(4);
        Ok(Estimate { disk, seconds, ..Estimate::in_one_piece(numbers, memory(numbers)) })
    }

    fn solve(&self, work: &Work<'_>, _scratch: &Scratch) -> Result<Table, SolveError> {
        solve(self.game, work)
    }

    /// Compares the table with one that is made anew from the rules.
    fn verify(&self, table: &Table, work: &Work<'_>) -> Result<Belief, Doubt> {
        let coding = table.coding();
        if coding != CODING {
            return Err(Doubt::Coding { found: coding, expected: CODING });
        }
        let loaded = checked(table, work)?;
        let table = loaded.as_ref().unwrap_or(table);
        let again = solve(self.game, work).map_err(Doubt::Work)?;
        match (0..self.count()).find(|&number| table.get(number) != again.get(number)) {
            Some(number) => {
                Err(Doubt::Wrong { number, found: table.get(number), expected: again.get(number) })
            }
            None => Ok(Belief::Proved),
        }
    }

    fn turn(&self, number: u64) -> Option<Player> {
        self.game.position(number).map(|position| self.game.turn(&position))
    }

    fn position(&self, number: u64) -> Option<(Player, String)> {
        let position = self.game.position(number)?;
        Some((self.game.turn(&position), self.game.write_position(&position)))
    }
}
