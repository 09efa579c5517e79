//! The finished table beside the oracle that knows the values.

use std::ops::Range;
use std::time::{Duration, Instant};

use grundy_core::game::{Game, Notation, Player, Scored};
use grundy_core::table::{Maker, Scratch, Table};
use grundy_core::value::{Unit, Value};
use grundy_session::{Annotation, Assurance, Estimate, Home, Need, SolveError, Tabled, VerifyError, Work};

use super::ability::{ByRules, Known, Loony, LoonyStates, NAME, StatesBy};
use super::fill::{CODING, memory, solve, state};
use crate::Oracle;
use crate::annotator::{Annotator, FindValue};
use crate::filed::Filed;
use crate::layers::Acyclic;
use crate::states::StateNumbers;
use crate::table_oracle::{number_in_table, turns};
use crate::verify::{checked, fingerprint, verify_again};

/// About the states that one thread computes in a second.
const SPEED: u64 = 1 << 22;

/// Knows the loony states in a table, and the values that another oracle knows. The table has a file of its own, under
/// the game's name with the section `loony`.
pub struct LoonyTable<O, S> {
    values: O,
    /// The indexing of the states.
    by: S,
    /// The game's name without that section.
    base: String,
    /// True if the table to be built is that of the states.
    named: bool,
    states: Filed<Table>,
}

impl<O, S> LoonyTable<O, S> {
    /// Creates a table of states beside these values, for a game of this name without the section `loony`. `named` says
    /// whether the section was there: then solving computes the states, else the values.
    pub fn new(values: O, by: S, base: String, named: bool) -> LoonyTable<O, S> {
        LoonyTable { values, by, base, named, states: Filed::default() }
    }

    /// Returns the place of the values.
    fn home(&self, home: &Home) -> Home {
        Home { folder: home.folder.clone(), name: self.base.clone() }
    }

    /// Returns the name of the table of states.
    fn name(&self) -> String {
        format!("{}:{NAME}", self.base)
    }
}

/// Returns the fingerprint of a table of loony states from that of the rules.
pub(crate) const fn mark(rules: u64) -> u64 {
    rules ^ 0x6c6f_6f6e_7900_0001
}

impl<G, O, S> Oracle<G> for LoonyTable<O, S>
where
    G: Scored + Notation + LoonyStates,
    O: Oracle<G>,
    S: StatesBy<G, O>,
{
    fn bytes(&self) -> u64 {
        self.values.bytes() + self.states.get().map_or(0, Table::bytes)
    }

    fn ready(&self, game: &G, position: &G::Position, need: &Need<'_>) -> Result<(), SolveError> {
        let name = self.name();
        self.states.open(&need.home.folder.file(&name), &|path| {
            let (mark, count) = (self.by.fingerprint(&self.values, game), self.by.count(&self.values, game));
            let table = Table::open_for(path, &name, mark, count)?;
            table.coded(path, |coding| coding == CODING)
        });
        self.values.ready(game, position, &Need { home: &self.home(need.home), ..*need })
    }

    fn value(&self, game: &G, position: &G::Position) -> Option<Value> {
        self.values.value(game, position)
    }

    fn states(&self, game: &G) -> Option<StateNumbers<G>> {
        self.values.states(game)
    }

    fn tabled<'a>(&'a self, game: &'a G, home: &'a Home, book: Option<u32>) -> Option<Box<dyn Tabled + 'a>> {
        if self.named {
            let states = || self.by.tabled(&self.values, game, self.home(home), self.name());
            return book.is_none().then(states);
        }
        self.values.tabled(game, home, book)
    }
}

impl<O, S> LoonyTable<O, S> {
    /// Returns the state in the table for the player to move, if it is there.
    fn state<G: Game>(&self, game: &G, position: &G::Position) -> Option<Loony>
    where
        S: StatesBy<G, O>,
    {
        let table = self.states.get()?;
        table.get(self.by.number(&self.values, game, position)?).map(state)
    }
}

impl<G, O, S> Annotator<G> for LoonyTable<O, S>
where
    G: LoonyStates,
    O: Oracle<G>,
    S: StatesBy<G, O>,
{
    fn name(&self, game: &G) -> Option<&'static str> {
        ByRules.name(game)
    }

    fn ready(&self, game: &G, work: &Work<'_>) {
        let Some(needed) = self.by.takes(game).filter(|_| self.states.get().is_none()) else { return };
        let late = work.until.is_some_and(|until| Instant::now() + needed > until);
        if !game.has_states() || late || work.stopped() {
            return;
        }
        if let Ok(table) = self.by.make(game, work) {
            self.states.set(table);
        }
    }

    fn annotate(
        &self,
        game: &G,
        position: &G::Position,
        value: &mut FindValue<'_, G::Position>,
    ) -> Annotation<G::Move> {
        game.loony_marks(position, &mut Known { value, state: &|position| self.state(game, position) })
    }

    fn remarks(
        &self,
        game: &G,
        position: &G::Position,
        value: &mut FindValue<'_, G::Position>,
    ) -> Vec<String> {
        game.remarks(position, &mut Known { value, state: &|position| self.state(game, position) })
    }
}

/// Loony states under the indices of the game's own table, computed in one piece with their values.
#[derive(Clone, Copy, Debug)]
pub struct Whole;

impl<G: Scored + Notation + Acyclic + LoonyStates, O> StatesBy<G, O> for Whole {
    fn count(&self, _values: &O, game: &G) -> u64 {
        game.size()
    }

    fn fingerprint(&self, _values: &O, game: &G) -> u64 {
        mark(fingerprint(game))
    }

    fn number(&self, _values: &O, game: &G, position: &G::Position) -> Option<u64> {
        Some(game.index(position))
    }

    fn takes(&self, game: &G) -> Option<Duration> {
        Some(Duration::from_millis(game.size().saturating_mul(1000) / SPEED))
    }

    fn make(&self, game: &G, work: &Work<'_>) -> Result<Table, SolveError> {
        solve(game, work)
    }

    fn tabled<'a>(&'a self, _values: &'a O, game: &'a G, _home: Home, name: String) -> Box<dyn Tabled + 'a> {
        Box::new(StatesTable { name, game })
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
        mark(fingerprint(self.game))
    }

    fn maker(&self) -> Maker {
        Maker::Other
    }

    fn estimate(&self, _work: &Work<'_>) -> Result<Estimate, SolveError> {
        let numbers = self.count();
        let seconds = Some(numbers as f64 / SPEED as f64);
        let disk = numbers.div_ceil(4);
        Ok(Estimate { disk, seconds, ..Estimate::in_one_piece(numbers, memory(numbers)) })
    }

    fn solve(&self, work: &Work<'_>, _scratch: &Scratch) -> Result<Table, SolveError> {
        solve(self.game, work)
    }

    /// Compares the table with one that is computed again from the rules.
    fn verify(&self, table: &Table, work: &Work<'_>) -> Result<Assurance, VerifyError> {
        VerifyError::unless_coded(table.coding(), CODING)?;
        let loaded = checked(table, work)?;
        let table = loaded.as_ref().unwrap_or(table);
        let again = solve(self.game, work).map_err(VerifyError::Work)?;
        verify_again(self.unit(), table, &again)
    }

    fn turns(&self, range: Range<u64>, visit: &mut dyn FnMut(u64, Player)) {
        turns(self.game, range, visit);
    }

    fn position(&self, number: u64) -> Option<(Player, String)> {
        let position = self.game.position(number)?;
        Some((self.game.turn(&position), self.game.write_position(&position)))
    }

    fn number(&self, position: &str) -> Option<u64> {
        number_in_table(self.game, position)
    }
}
