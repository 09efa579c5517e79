//! Loony states of a game of strings and coins whose table is built in parts: part by part, from the finished table of
//! values.

use std::ops::Range;

use grundy_core::game::{Notation, Player};
use grundy_core::table::{Maker, Scratch, Source, Table};
use grundy_core::value::Unit;
use grundy_session::{Assurance, Estimate, Home, Judge, SolveError, Support, Tabled, VerifyError, Work};

use super::ability::StringsAndCoins;
use super::book::{Book, OpenedTable};
use super::make::{Cells, DiskStore, Joined, MemoryStore, Store, each_part, estimate, kept_parts, read};
use super::split::{GroupPart, Split};
use crate::crew::{Crew, Meter, refuse_beyond};
use crate::loony::{CODING, LoonyStates, StatesBy, mark};
use crate::verify::checked;

/// The states for the player to move, as the cells of the finished table have them.
const MINE: u8 = 1;
const NOBODY: u8 = 2;
const OTHER: u8 = 3;

/// States of a task.
const TASK: u64 = 1 << 14;
/// Tasks whose cells are written together.
const BAND: u64 = 1 << 10;

/// Loony states under the indices of the table of values by groups.
#[derive(Clone, Copy, Debug)]
pub struct ByGroups;

impl<G: StringsAndCoins + LoonyStates + Notation> StatesBy<G, Book<G>> for ByGroups {
    fn count(&self, values: &Book<G>, game: &G) -> u64 {
        values.split(game).map_or(0, |split| estimate(&split, usize::MAX).kept)
    }

    fn fingerprint(&self, values: &Book<G>, game: &G) -> u64 {
        mark(values.fingerprint(game))
    }

    fn number(&self, values: &Book<G>, game: &G, position: &G::Position) -> Option<u64> {
        values.number(game, game.strings_left(position))
    }

    fn make(&self, _game: &G, _work: &Work<'_>) -> Result<Table, SolveError> {
        Err(SolveError::Broken("made on request only".to_owned()))
    }

    fn tabled<'a>(
        &'a self,
        values: &'a Book<G>,
        game: &'a G,
        home: Home,
        name: String,
    ) -> Box<dyn Tabled + 'a> {
        Box::new(GroupStates { game, values, home, name })
    }
}

/// A game with the table of its loony states.
struct GroupStates<'a, G: StringsAndCoins> {
    game: &'a G,
    values: &'a Book<G>,
    /// The place of the table of values.
    home: Home,
    name: String,
}

/// Computes the loony states of all positions from the table of their values, continuing from the parts in the store.
///
/// # Errors
/// The work was stopped, a value is missing, or a part could not be written.
pub fn solve_states<G: StringsAndCoins + LoonyStates>(
    game: &G,
    split: &Split,
    values: &Table,
    store: &mut dyn Store,
    work: &Work<'_>,
) -> Result<Table, SolveError> {
    let rules = Rules::new(game, split, values)?;
    let mut make = |part: GroupPart, store: &mut dyn Store, crew: &Crew, meter: &Meter<'_, '_>| {
        rules.make(part, store, crew, meter)
    };
    let (count, cells) = each_part(split, usize::MAX, store, work, &mut make)?;
    Ok(Table::from_source(CODING, count, Box::new(Quartered(cells))))
}

/// Data from which loony states are computed.
struct Rules<'a, G> {
    game: &'a G,
    split: &'a Split,
    /// The coins of each string, as sets of strings.
    coins: Vec<Vec<u64>>,
    /// Values of all positions, and the number of states before each part.
    values: &'a Table,
    before: Vec<Vec<u64>>,
}

impl<'a, G: StringsAndCoins + LoonyStates> Rules<'a, G> {
    fn new(game: &'a G, split: &'a Split, values: &'a Table) -> Result<Rules<'a, G>, SolveError> {
        let numbers = OpenedTable::numbers(split, values.count());
        let before = numbers.filter(|(drawn, _)| *drawn == split.strings()).map(|(_, before)| before);
        let before =
            before.ok_or_else(|| SolveError::Broken("not the values of all positions".to_owned()))?;
        let coins = game.coins().map(|coins| coins.coins).unwrap_or_default();
        let of = |string: usize| coins.iter().copied().filter(|coin| coin >> string & 1 == 1).collect();
        Ok(Rules { game, split, coins: (0..split.strings()).map(of).collect(), values, before })
    }

    /// Returns the number of states before a part.
    fn before(&self, part: GroupPart) -> u64 {
        self.before[part.front][part.back]
    }

    fn value(&self, part: GroupPart, number: u64) -> Option<i32> {
        self.values.get(self.before(part) + number)?.margin()
    }

    /// Returns the loony state of a state of a part from those of its children; `None` if a value is missing.
    fn state(&self, part: GroupPart, number: u64, of: &dyn Fn(GroupPart, u64) -> u8) -> Option<u8> {
        let left = self.split.left(part, number)?;
        if left == 0 {
            return Some(NOBODY);
        }
        if self.game.is_loony(&self.game.with_strings(left)) {
            return Some(OTHER);
        }
        let own = self.value(part, number)?;
        let (mut best, mut rest) = (MINE, left);
        while rest != 0 && best != OTHER {
            let string = rest.trailing_zeros() as usize;
            let child = left & !(1 << string);
            rest &= rest - 1;
            let won = self.coins[string].iter().filter(|&&coin| coin & child == 0).count() as i32;
            let (to, at) = self.split.number(child);
            let value = self.value(to, at)?;
            let passes = won == 0;
            if own == if passes { -value } else { won + value } {
                let state = of(to, at);
                best = best.max(if passes { MINE + OTHER - state } else { state });
            }
        }
        Some(best)
    }

    /// Computes a part from those in the store.
    fn make(
        &self,
        part: GroupPart,
        store: &mut dyn Store,
        crew: &Crew,
        meter: &Meter<'_, '_>,
    ) -> Result<(), SolveError> {
        let child = |front: Option<usize>, back: Option<usize>, store: &mut dyn Store| match (front, back) {
            (Some(front), Some(back)) => read(self.split, GroupPart { front, back }, store).map(Some),
            _ => Ok(None),
        };
        let ahead = child(part.front.checked_sub(1), Some(part.back), store)?;
        let behind = child(Some(part.front), part.back.checked_sub(1), store)?;
        let cells = |cells: &Option<Cells>, at: u64| {
            cells.as_ref().and_then(|cells| cells.all().get(at as usize)).copied().unwrap_or(NOBODY)
        };
        let of = |to: GroupPart, at: u64| cells(if to.front < part.front { &ahead } else { &behind }, at);
        let size = self.split.size(part);
        let mut bands = (0..size).step_by((TASK * BAND) as usize);
        let mut make_band = || {
            let Some(first) = bands.next() else { return Ok(None) };
            let last = size.min(first + TASK * BAND);
            let tasks: Vec<Range<u64>> =
                (first..last).step_by(TASK as usize).map(|at| at..last.min(at + TASK)).collect();
            let done = crew.map(tasks, &|numbers: Range<u64>| {
                meter.add(numbers.end - numbers.start)?;
                let missing = || SolveError::Broken(format!("no value in part {}-{}", part.front, part.back));
                numbers.map(|n| self.state(part, n, &of).ok_or_else(missing)).collect::<Result<Vec<u8>, _>>()
            });
            Ok(Some(done.into_iter().collect::<Result<Vec<_>, SolveError>>()?.concat()))
        };
        store.save(part, size, &mut make_band)
    }
}

/// Loony states of a byte each as cells of two bits.
#[derive(Debug)]
struct Quartered(Joined);

impl Source for Quartered {
    fn copy(&self, offset: u64, into: &mut [u8]) {
        let mut bytes = vec![0; into.len() * 4];
        self.0.copy(offset * 4, &mut bytes);
        for (cell, four) in into.iter_mut().zip(bytes.chunks_exact(4)) {
            *cell = four.iter().rev().fold(0, |cell, state| cell << 2 | state);
        }
    }
}

impl<G: StringsAndCoins + LoonyStates + Notation> GroupStates<'_, G> {
    /// Returns the finished table of values.
    fn opened(&self) -> Result<&OpenedTable, SolveError> {
        let all = self.values.split(self.game)?.strings();
        let opened = self.values.opened(self.game, &self.home).filter(|opened| opened.drawn == all);
        opened.ok_or_else(|| SolveError::NoTable {
            name: self.home.name.clone(),
            folder: self.home.folder.path().to_owned(),
        })
    }

    /// Calls `ask` with the groups and the values, unpacked if they fit in memory.
    fn with_values<T>(
        &self,
        work: &Work<'_>,
        ask: impl FnOnce(&Split, &Table) -> Result<T, VerifyError>,
    ) -> Result<T, VerifyError> {
        let split = self.values.split(self.game).map_err(VerifyError::Work)?;
        let opened = self.opened().map_err(VerifyError::Work)?;
        let loaded = checked(&opened.table, work)?;
        ask(&split, loaded.as_ref().unwrap_or(&opened.table))
    }
}

impl<G: StringsAndCoins + LoonyStates + Notation> Tabled for GroupStates<'_, G> {
    fn name(&self) -> &str {
        &self.name
    }

    fn unit(&self) -> Unit {
        Unit::Outcome
    }

    fn count(&self) -> u64 {
        StatesBy::count(&ByGroups, self.values, self.game)
    }

    fn fingerprint(&self) -> u64 {
        StatesBy::fingerprint(&ByGroups, self.values, self.game)
    }

    fn maker(&self) -> Maker {
        Maker::Other
    }

    fn estimate(&self, _work: &Work<'_>) -> Result<Estimate, SolveError> {
        let needed = estimate(&*self.values.split(self.game)?, usize::MAX);
        // The values are unpacked if they fit in memory.
        Ok(Estimate { seconds: None, moves: None, memory: needed.memory, ..needed })
    }

    fn solve(&self, work: &Work<'_>, scratch: &Scratch) -> Result<Table, SolveError> {
        if !self.game.has_states() {
            return Err(SolveError::Broken("no loony states".to_owned()));
        }
        let made = self.with_values(work, |split, values| {
            let solved = match scratch.parts(&self.name) {
                None => refuse_beyond(Some(self.count()), work)
                    .and_then(|()| solve_states(self.game, split, values, &mut MemoryStore::default(), work)),
                Some(folder) => DiskStore::new(&folder, &self.name, self.fingerprint())
                    .map_err(|error| SolveError::Broken(format!("{}: {error}", folder.display())))
                    .and_then(|mut store| solve_states(self.game, split, values, &mut store, work)),
            };
            solved.map_err(VerifyError::Work)
        });
        made.map_err(VerifyError::fails)
    }

    /// Compares every loony state with what the values and the states of its children make it: every move leads to
    /// fewer strings.
    fn verify(&self, table: &Table, work: &Work<'_>) -> Result<Assurance, VerifyError> {
        VerifyError::unless_coded(table.coding(), CODING)?;
        let loaded = checked(table, work)?;
        let table = loaded.as_ref().unwrap_or(table);
        let code = |number: u64| table.get(number).and_then(|value| CODING.encode(value)).unwrap_or(0) as u8;
        // Every move leads to fewer strings.
        let judge = Judge::new(Unit::Outcome, Support::Order);
        self.with_values(work, |split, values| {
            let rules = Rules::new(self.game, split, values).map_err(VerifyError::Work)?;
            let meter = Meter::new(work, "states verified", table.count());
            let crew = Crew::new(work);
            let of = |to: GroupPart, at: u64| code(rules.before(to) + at);
            for part in kept_parts(split, split.strings()) {
                let (first, size) = (rules.before(part), rules.split.size(part));
                let tasks = (0..size).step_by(TASK as usize).map(|at| at..size.min(at + TASK)).collect();
                let doubts = crew.map(tasks, &|mut numbers: Range<u64>| {
                    numbers.find_map(|n| {
                        let expected = rules.state(part, n, &of);
                        let expected = expected.and_then(|state| CODING.decode(state.into()));
                        judge.cell(first + n, table.get(first + n), expected).err()
                    })
                });
                doubts.into_iter().flatten().next().map_or(Ok(()), Err)?;
                meter.add(size).map_err(VerifyError::Work)?;
            }
            Ok(())
        })?;
        Ok(judge.given(Some(format!("the table of {}", self.home.name))).assurance())
    }

    fn turns(&self, range: Range<u64>, visit: &mut dyn FnMut(u64, Player)) {
        for number in range {
            if let Some(position) = self.values.position(self.game, number) {
                visit(number, self.game.turn(&position));
            }
        }
    }

    fn position(&self, number: u64) -> Option<(Player, String)> {
        let position = self.values.position(self.game, number)?;
        Some((self.game.turn(&position), self.game.write_position(&position)))
    }

    fn number(&self, position: &str) -> Option<u64> {
        self.values.number(self.game, self.game.strings_left(&self.game.read_position(position).ok()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_core::value::Value;

    #[test]
    fn states_are_packed_as_tables_have_them() {
        assert_eq!(CODING.decode(MINE.into()), Some(Value::LOSS));
        assert_eq!(CODING.decode(NOBODY.into()), Some(Value::DRAW));
        assert_eq!(CODING.decode(OTHER.into()), Some(Value::WIN));
    }
}
