//! The finished table as an oracle: all positions, or an opening book of those with few strings cut.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock};

use xxhash_rust::xxh3::Xxh3;

use super::make::{CODING, Plan, Store, kept_parts, measure, plan, solve};
use super::split::{MOST_STRINGS, Part, Split};
use crate::game::{Game, StringsAndCoins};
use crate::solve::crew::Meter;
use crate::solve::verify::{Doubt, checked};
use crate::solve::{Oracle, SolveError, Work};
use crate::table::{Flaw, Folder, Table, TableError};
use crate::value::Value;

/// A table that is made part by part, its game's abilities erased.
pub trait Parted<G: Game>: Sync {
    /// A number that changes with the rules and the numbering.
    fn fingerprint(&self, game: &G) -> u64;

    /// What a table with at most `drawn` strings cut takes.
    ///
    /// # Errors
    /// The game does not fit such a table.
    fn plan(&self, game: &G, drawn: usize) -> Result<Plan, SolveError>;

    /// The seconds that one thread takes, measured in half of one.
    ///
    /// # Errors
    /// The game does not fit such a table.
    fn seconds(&self, game: &G) -> Result<f64, SolveError>;

    /// Makes the table with at most `drawn` strings cut.
    ///
    /// # Errors
    /// Those of [`solve`], and where the game does not fit.
    fn solve(
        &self,
        game: &G,
        drawn: usize,
        store: &mut dyn Store,
        work: &Work<'_>,
    ) -> Result<Table, SolveError>;

    /// How many numbers the file has, or a table of all positions where there is none.
    fn count(&self, game: &G) -> u64;

    /// The position with this number, of all positions, those with fewest strings cut first.
    fn position(&self, game: &G, number: u64) -> Option<G::Position>;

    /// Checks every checksum of a file and then the value of every position whose children it holds.
    ///
    /// # Errors
    /// The first doubt.
    fn verify(&self, game: &G, table: &Table, work: &Work<'_>) -> Result<(), Doubt>;
}

/// A table by groups: used where its file is there, for the positions that it holds.
pub struct Book<G: StringsAndCoins> {
    split: OnceLock<Result<Arc<Split>, SolveError>>,
    open: OnceLock<Opened>,
    /// A file that could not be believed is told of once.
    refused: AtomicBool,
    place: Mutex<Option<(Folder, String)>>,
    game: PhantomData<fn(&G)>,
}

/// A file with the numbers before each part.
#[derive(Debug)]
struct Opened {
    table: Table,
    /// At most so many strings are cut in the positions of the table.
    drawn: usize,
    /// Numbers before a part, by strings left in front and behind.
    before: Vec<Vec<u64>>,
}

impl<G: StringsAndCoins> Book<G> {
    /// A book without a file yet.
    pub fn new() -> Book<G> {
        Book {
            split: OnceLock::new(),
            open: OnceLock::new(),
            refused: AtomicBool::new(false),
            place: Mutex::new(None),
            game: PhantomData,
        }
    }
}

impl<G: StringsAndCoins> Default for Book<G> {
    fn default() -> Book<G> {
        Book::new()
    }
}

impl<G: StringsAndCoins> Book<G> {
    /// The groups of the game's strings.
    ///
    /// # Errors
    /// The game does not fit such a table.
    pub fn split(&self, game: &G) -> Result<Arc<Split>, SolveError> {
        let made = self.split.get_or_init(|| match game.coins() {
            Some(coins) => Split::new(&coins).map(Arc::new),
            None => Err(SolveError::Broken(format!("too many lines, expected at most {MOST_STRINGS}"))),
        });
        made.clone()
    }

    /// The file, opened once it is there.
    fn opened(&self, game: &G) -> Option<&Opened> {
        if let Some(opened) = self.open.get() {
            return Some(opened);
        }
        let (folder, name) = self.place.lock().ok()?.clone()?;
        let path = folder.file(&name);
        if self.refused.load(Relaxed) || !path.exists() {
            return None;
        }
        let split = self.split(game).ok()?;
        let opened = Table::open(&path).and_then(|table| {
            let table = Table::open_for(&path, &name, self.fingerprint(game), table.count())?;
            let numbers = Opened::numbers(&split, table.count()).filter(|_| table.coding() == CODING);
            let (drawn, before) = numbers.ok_or_else(|| TableError::new(&path, Flaw::OtherRules))?;
            Ok(Opened { table, drawn, before })
        });
        match opened {
            Ok(opened) => Some(self.open.get_or_init(|| opened)),
            Err(error) => {
                log::warn!("{error}");
                self.refused.store(true, Relaxed);
                None
            }
        }
    }
}

impl<G: StringsAndCoins> Parted<G> for Book<G> {
    fn fingerprint(&self, game: &G) -> u64 {
        let mut sum = Xxh3::new();
        if let Some(coins) = game.coins() {
            sum.update(b"groups 1");
            sum.update(&coins.strings.to_le_bytes());
            sum.update(&coins.fine.to_le_bytes());
            // The length stands before the list, so that no two boards give the same bytes.
            sum.update(&(coins.coins.len() as u64).to_le_bytes());
            coins.coins.iter().for_each(|strings| sum.update(&strings.to_le_bytes()));
            coins.symmetries.iter().for_each(|symmetry| sum.update(symmetry));
        }
        sum.digest()
    }

    fn plan(&self, game: &G, drawn: usize) -> Result<Plan, SolveError> {
        Ok(plan(&*self.split(game)?, drawn))
    }

    fn seconds(&self, game: &G) -> Result<f64, SolveError> {
        let split = self.split(game)?;
        Ok(plan(&split, 0).moves as f64 * measure(&split))
    }

    fn solve(
        &self,
        game: &G,
        drawn: usize,
        store: &mut dyn Store,
        work: &Work<'_>,
    ) -> Result<Table, SolveError> {
        solve(&*self.split(game)?, drawn, store, work)
    }

    fn count(&self, game: &G) -> u64 {
        match (self.opened(game), self.split(game)) {
            (Some(opened), _) => opened.table.count(),
            (None, Ok(split)) => plan(&split, split.strings()).kept,
            (None, Err(_)) => 0,
        }
    }

    fn position(&self, game: &G, mut number: u64) -> Option<G::Position> {
        let split = self.split(game).ok()?;
        for part in kept_parts(&split, split.strings()) {
            if number < split.size(part) {
                return Some(game.with_strings(split.left(part, number)?));
            }
            number -= split.size(part);
        }
        None
    }

    fn verify(&self, game: &G, table: &Table, work: &Work<'_>) -> Result<(), Doubt> {
        let loaded = checked(table, work)?;
        let table = loaded.as_ref().unwrap_or(table);
        let split = self.split(game).map_err(Doubt::Work)?;
        let broken = |what: &str| Doubt::Work(SolveError::Broken(what.to_owned()));
        let coins = game.coins().ok_or_else(|| broken("no strings"))?;
        let before = Opened::numbers(&split, table.count()).ok_or_else(|| broken("a count of no layer"))?;
        let meter = Meter::new(work, "positions verified", table.count());
        let get = |left: u64| {
            let (part, number) = split.number(left);
            table.get(before.1[part.front][part.back] + number)?.margin()
        };
        let won = |left: u64| coins.coins.iter().filter(|&&coin| coin & left == 0).count() as i32;
        for part in kept_parts(&split, before.0) {
            let first = before.1[part.front][part.back];
            if part.left() > 0 && split.strings() - part.left() == before.0 {
                continue;
            }
            for number in 0..split.size(part) {
                let Some(left) = split.left(part, number) else { continue };
                let cut = (0..coins.strings).map(|i| 1 << i).filter(|string| left & string != 0);
                let worth = cut.map(|string| {
                    let gain = won(left ^ string) - won(left);
                    get(left ^ string).map(|value| if gain > 0 { gain + value } else { -value })
                });
                let expected = worth.max().unwrap_or(Some(-coins.fine));
                let found = table.get(first + number);
                if found.and_then(Value::margin) != expected {
                    let expected = expected.map(Value::points);
                    return Err(Doubt::Wrong { number: first + number, found, expected });
                }
            }
            meter.add(split.size(part)).map_err(Doubt::Work)?;
        }
        Ok(())
    }
}

impl Opened {
    /// How many strings are cut at most in a table of so many numbers, and the numbers before each part; `None`
    /// where no layer ends there.
    fn numbers(split: &Split, count: u64) -> Option<(usize, Vec<Vec<u64>>)> {
        let all = split.strings();
        let mut before = vec![vec![0; all + 1]; all + 1];
        let mut sum = 0;
        for drawn in 0..=all {
            for Part { front, back } in split.layer(all - drawn) {
                before[front][back] = sum;
                sum += split.size(Part { front, back });
            }
            if sum == count {
                return Some((drawn, before));
            }
        }
        None
    }
}

impl<G: StringsAndCoins> Oracle<G> for Book<G> {
    fn prepare(&self, game: &G, _position: &G::Position, _work: &Work<'_>) -> Result<(), SolveError> {
        self.opened(game);
        Ok(())
    }

    fn value(&self, game: &G, position: &G::Position) -> Option<Value> {
        if let Some(ended) = game.over(position) {
            return Some(ended);
        }
        let opened = self.open.get()?;
        let split = self.split.get()?.as_ref().ok()?;
        let left = game.strings_left(position);
        if split.strings() - left.count_ones() as usize > opened.drawn {
            return None;
        }
        let (part, number) = split.number(left);
        opened.table.get(opened.before[part.front][part.back] + number)
    }

    fn look_in(&self, folder: Folder, name: &str) {
        if let Ok(mut place) = self.place.lock() {
            *place = Some((folder, name.to_owned()));
        }
    }

    fn as_book(&self) -> Option<&dyn Parted<G>> {
        Some(self)
    }
}
