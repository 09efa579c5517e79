//! The finished table as an oracle: of all positions, or of those with few strings cut (an opening book).

use std::marker::PhantomData;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use xxhash_rust::xxh3::Xxh3;

use grundy_core::game::{Notation, Player};
use grundy_core::table::{Flaw, Maker, Scratch, Table, TableError};
use grundy_core::text::size;
use grundy_core::value::{Unit, Value};
use grundy_session::{
    Assurance, Estimate, Home, Judge, Need, SolveError, Support, Tabled, VerifyError, Work,
};

use super::ability::{Coins, StringsAndCoins};
use super::make::{CODING, DiskStore, MemoryStore, estimate, kept_parts, measure, solve};
use super::split::{GroupPart, MOST_STRINGS, Split, twins};
use crate::Oracle;
use crate::crew::{Meter, refuse_beyond};
use crate::filed::Filed;
use crate::verify::{checked, verify_again};

/// The most states that are computed again to prove an opening book: seconds of work.
const MOST_AGAIN: u64 = 1 << 28;
/// The binary logarithm of the largest number of positions for which a table is considered.
const MOST_BITS: u32 = 41;

/// Knows the values in a table by groups, if its file exists.
pub struct Book<G: StringsAndCoins> {
    split: OnceLock<Result<Arc<Split>, SolveError>>,
    open: Filed<OpenedTable>,
    game: PhantomData<fn(&G)>,
}

/// A file with the number of states before each part.
#[derive(Debug)]
pub(super) struct OpenedTable {
    pub(super) table: Table,
    /// The most strings that are cut in the positions of the table.
    pub(super) drawn: usize,
    /// States before a part, by strings left in front and behind.
    before: Vec<Vec<u64>>,
}

impl<G: StringsAndCoins> Book<G> {
    /// Creates a book without a file.
    pub fn new() -> Book<G> {
        Book { split: OnceLock::new(), open: Filed::default(), game: PhantomData }
    }
}

impl<G: StringsAndCoins> Default for Book<G> {
    fn default() -> Book<G> {
        Book::new()
    }
}

impl<G: StringsAndCoins> Book<G> {
    /// Returns the groups of the game's strings.
    ///
    /// # Errors
    /// The game does not fit such a table.
    pub fn split(&self, game: &G) -> Result<Arc<Split>, SolveError> {
        let made = self.split.get_or_init(|| match game.coins() {
            Some(coins) => Split::new(&coins).map(Arc::new),
            None => Err(SolveError::Numerous(format!("too many lines, expected at most {MOST_STRINGS}"))),
        });
        made.clone()
    }

    /// Returns the file, opened once it is there.
    pub(super) fn opened(&self, game: &G, home: &Home) -> Option<&OpenedTable> {
        let Home { folder, name } = home;
        self.open.open(&folder.file(name), &|path| {
            let other = || TableError::new(path, Flaw::OtherRules);
            let split = self.split(game).map_err(|_| other())?;
            let count = Table::open(path)?.count();
            let table = Table::open_for(path, name, self.fingerprint(game), count)?;
            let numbers = OpenedTable::numbers(&split, count).filter(|_| table.coding() == CODING);
            let (drawn, before) = numbers.ok_or_else(other)?;
            Ok(OpenedTable { table, drawn, before })
        })
    }
}

impl<G: StringsAndCoins> Book<G> {
    /// Returns a checksum of the rules and the indexing.
    pub(super) fn fingerprint(&self, game: &G) -> u64 {
        let mut sum = Xxh3::new();
        if let Some(coins) = game.coins() {
            sum.update(b"groups 1");
            sum.update(&coins.strings.to_le_bytes());
            sum.update(&coins.fine.to_le_bytes());
            // The length comes before the list, so that no two boards give the same bytes.
            sum.update(&(coins.coins.len() as u64).to_le_bytes());
            coins.coins.iter().for_each(|strings| sum.update(&strings.to_le_bytes()));
            coins.symmetries.iter().for_each(|symmetry| sum.update(symmetry));
        }
        sum.digest()
    }

    /// Returns the position with this index among all positions, those with fewest strings cut first.
    pub(super) fn position(&self, game: &G, mut number: u64) -> Option<G::Position> {
        let split = self.split(game).ok()?;
        for part in kept_parts(&split, split.strings()) {
            if number < split.size(part) {
                return Some(game.with_strings(split.left(part, number)?));
            }
            number -= split.size(part);
        }
        None
    }

    /// Returns the index of the position with these strings left among all positions, those with fewest strings cut
    /// first.
    pub(super) fn number(&self, game: &G, left: u64) -> Option<u64> {
        let split = self.split(game).ok()?;
        let (own, number) = split.number(left);
        let earlier = kept_parts(&split, split.strings()).take_while(|&part| part != own);
        Some(earlier.map(|part| split.size(part)).sum::<u64>() + number)
    }

    /// Compares an opening book of positions with at most `drawn` strings cut with one that is computed again; `None`
    /// if that is too much work.
    fn solved_again(
        &self,
        split: &Split,
        drawn: usize,
        table: &Table,
        work: &Work<'_>,
    ) -> Result<Option<Assurance>, VerifyError> {
        let Estimate { numbers, memory, .. } = estimate(split, drawn);
        let needed = numbers.checked_add(memory);
        if numbers > MOST_AGAIN || refuse_beyond(needed, work).is_err() {
            return Ok(None);
        }
        let again = solve(split, drawn, &mut MemoryStore::default(), work).map_err(VerifyError::Work)?;
        verify_again(Unit::Points, table, &again).map(Some)
    }

    /// Checks every checksum of a file and then the value of every position whose children it holds. Every move cuts a
    /// string, so that no play is cyclic: a table of all positions is proved. The values at the end of an opening book
    /// rest on nothing in the file, and all others rest on them: such a book is computed again if that is little work,
    /// and is only consistent otherwise.
    fn verify(&self, game: &G, table: &Table, work: &Work<'_>) -> Result<Assurance, VerifyError> {
        let loaded = checked(table, work)?;
        let table = loaded.as_ref().unwrap_or(table);
        let split = self.split(game).map_err(VerifyError::Work)?;
        let broken = |what: &str| VerifyError::Work(SolveError::Broken(what.to_owned()));
        let coins = game.coins().ok_or_else(|| broken("no strings"))?;
        let before =
            OpenedTable::numbers(&split, table.count()).ok_or_else(|| broken("a count of no layer"))?;
        let meter = Meter::new(work, "positions verified", table.count());
        VerifyError::unless_coded(table.coding(), CODING)?;
        let mut edge = 0;
        // Every move cuts a string.
        let judge = Judge::new(Unit::Points, Support::Order);
        let get = |left: u64| {
            let (part, number) = split.number(left);
            table.get(before.1[part.front][part.back] + number)?.margin()
        };
        let won = |left: u64| coins.coins.iter().filter(|&&coin| coin & left == 0).count() as i32;
        for part in kept_parts(&split, before.0) {
            let first = before.1[part.front][part.back];
            if part.left() > 0 && split.strings() - part.left() == before.0 {
                edge += split.size(part);
                continue;
            }
            for number in 0..split.size(part) {
                let Some(left) = split.left(part, number) else { continue };
                let cut = (0..coins.strings).map(|i| 1 << i).filter(|string| left & string != 0);
                let worth = cut.map(|string| {
                    let gain = won(left ^ string) - won(left);
                    get(left ^ string).map(|value| if gain > 0 { gain + value } else { -value })
                });
                // A position with a child without a value has no value.
                let worth = worth.collect::<Option<Vec<i32>>>();
                let expected = worth.map(|worth| worth.into_iter().max().unwrap_or(-coins.fine));
                let (number, expected) = (first + number, expected.map(Value::points));
                judge.cell(number, table.get(number), expected)?;
            }
            meter.add(split.size(part)).map_err(VerifyError::Work)?;
        }
        if edge == 0 {
            return Ok(judge.assurance());
        }
        let again = self.solved_again(&split, before.0, table, work)?;
        let unsupported = Support::Nothing("nothing in the file shows the values at its end");
        Ok(again.unwrap_or_else(|| Judge::new(Unit::Points, unsupported).assurance()))
    }
}

impl OpenedTable {
    /// Returns the most strings that are cut in a table of `count` states, and the number of states before each part;
    /// `None` if no layer ends there.
    pub(super) fn numbers(split: &Split, count: u64) -> Option<(usize, Vec<Vec<u64>>)> {
        let all = split.strings();
        let mut before = vec![vec![0; all + 1]; all + 1];
        let mut sum = 0;
        for drawn in 0..=all {
            for GroupPart { front, back } in split.layer(all - drawn) {
                before[front][back] = sum;
                sum += split.size(GroupPart { front, back });
            }
            if sum == count {
                return Some((drawn, before));
            }
        }
        None
    }
}

impl<G: StringsAndCoins + Notation> Oracle<G> for Book<G> {
    fn bytes(&self) -> u64 {
        self.open.get().map_or(0, |open| open.table.bytes())
    }

    fn ready(&self, game: &G, _position: &G::Position, need: &Need<'_>) -> Result<(), SolveError> {
        self.opened(game, need.home);
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

    fn tabled<'a>(&'a self, game: &'a G, home: &'a Home, book: Option<u32>) -> Option<Box<dyn Tabled + 'a>> {
        Some(Box::new(GroupsTable { home, game, book: self, drawn: book }))
    }
}

/// A game with the table of its positions.
struct GroupsTable<'a, G: StringsAndCoins> {
    home: &'a Home,
    game: &'a G,
    book: &'a Book<G>,
    /// The most strings that are cut in the positions of a table to be built; `None` for all positions.
    drawn: Option<u32>,
}

impl<G: StringsAndCoins> GroupsTable<'_, G> {
    /// Returns the most strings that are cut in a position of the table.
    fn most(&self) -> usize {
        self.drawn.map_or(usize::MAX, |plies| plies as usize)
    }

    /// Reports whether a table of all positions is too large for any machine; does not number them.
    fn is_hopeless(&self) -> bool {
        let halves = |coins: &Coins| coins.symmetries.len().max(1).ilog2() + twins(coins);
        let bits = self.game.coins().map(|coins| coins.strings.saturating_sub(halves(&coins)));
        self.drawn.is_none() && bits.is_none_or(|bits| bits > MOST_BITS)
    }

    /// Returns the number of states of a table to be built.
    fn wanted(&self) -> u64 {
        self.book.split(self.game).map_or(0, |split| estimate(&split, self.most()).kept)
    }
}

impl<G: StringsAndCoins + Notation> Tabled for GroupsTable<'_, G> {
    fn name(&self) -> &str {
        &self.home.name
    }

    fn unit(&self) -> Unit {
        self.game.unit()
    }

    fn count(&self) -> u64 {
        // A file may hold all positions, or those with few strings cut.
        let stored = if self.drawn.is_none() { self.book.opened(self.game, self.home) } else { None };
        stored.map_or_else(|| self.wanted(), |opened| opened.table.count())
    }

    fn count_within(&self, _work: &Work<'_>) -> Option<u64> {
        if self.is_hopeless() && self.book.opened(self.game, self.home).is_none() {
            return None;
        }
        Some(self.count())
    }

    fn fingerprint(&self) -> u64 {
        self.book.fingerprint(self.game)
    }

    fn maker(&self) -> Maker {
        Maker::Layers
    }

    fn estimate(&self, _work: &Work<'_>) -> Result<Estimate, SolveError> {
        if self.is_hopeless() {
            let words = format!("a table of all positions needs more than {} of disk", size(1 << MOST_BITS));
            return Err(SolveError::Numerous(words));
        }
        Ok(estimate(&*self.book.split(self.game)?, self.most()))
    }

    fn measured(&self, _work: &Work<'_>) -> Option<f64> {
        let split = self.book.split(self.game).ok()?;
        Some(estimate(&split, 0).moves? as f64 * measure(&split))
    }

    fn solve(&self, work: &Work<'_>, scratch: &Scratch) -> Result<Table, SolveError> {
        let split = self.book.split(self.game)?;
        match scratch.parts(self.name()) {
            None => {
                let Estimate { memory, disk, .. } = estimate(&split, self.most());
                refuse_beyond(memory.checked_add(disk), work)?;
                solve(&split, self.most(), &mut MemoryStore::default(), work)
            }
            Some(folder) => {
                let mut store = DiskStore::new(&folder, self.name(), self.fingerprint())
                    .map_err(|error| SolveError::Broken(format!("{}: {error}", folder.display())))?;
                solve(&split, self.most(), &mut store, work)
            }
        }
    }

    fn verify(&self, table: &Table, work: &Work<'_>) -> Result<Assurance, VerifyError> {
        self.book.verify(self.game, table, work)
    }

    fn turns(&self, range: Range<u64>, visit: &mut dyn FnMut(u64, Player)) {
        for number in range {
            if let Some(position) = self.book.position(self.game, number) {
                visit(number, self.game.turn(&position));
            }
        }
    }

    fn position(&self, number: u64) -> Option<(Player, String)> {
        let position = self.book.position(self.game, number)?;
        Some((self.game.turn(&position), self.game.write_position(&position)))
    }

    fn number(&self, position: &str) -> Option<u64> {
        let left = self.game.strings_left(&self.game.read_position(position).ok()?);
        let number = self.book.number(self.game, left)?;
        (number < self.count()).then_some(number)
    }
}
