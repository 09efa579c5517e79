//! Opening books: the exact value of every position within the first plies of a game.
//!
//! A book's file has values only, in the order of the positions' keys; the positions are found again by playing all
//! openings. Only the positions at the edge of the book are searched, in the order of play, since neighbours share most
//! of the transposition table. All other values follow from these.
//!
//! The book also bounds the values of positions one move beyond it, in games that can take moves back: no move is worth
//! more than its position, and if every other move is worth less, this one is worth as much.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashSet;
use xxhash_rust::xxh3::Xxh3;

use grundy_core::game::{Game, MORE, Notation, Player, Scored, children, step};
use grundy_core::sorting;
use grundy_core::table::{
    Checkpoint, Checkpoints, Coding, Flaw, HOLE, Maker, Meaning, Scratch, Snapshot, Table, TableError, Width,
};
use grundy_core::value::{Unit, Value};
use grundy_session::{
    Assurance, Estimate, Home, Judge, Need, SolveError, Support, Tabled, VerifyError, Work, quiet_work,
};

use crate::alpha_beta::{AlphaBeta, Bounds, Heuristic};
use grundy_tables::Oracle;
use grundy_tables::background::Background;
use grundy_tables::crew::{Crew, Meter};
use grundy_tables::filed::Filed;

/// Maximum length of a book, in plies.
pub const MOST_PLIES: u32 = 24;
/// Maximum number of positions of a book.
const MOST: usize = 1 << 24;
/// Size of the transposition table in megabytes, if no memory limit is set.
const MEMORY: u64 = 1024;
/// Positions searched by one thread between two checkpoints.
const SHARE: usize = 64;

/// The oracle of an opening book, whose file is read when it is first needed, on a thread of its own: a search with little
/// time begins without it.
pub struct Openings<G: Game> {
    file: Arc<BookFile<G>>,
    background: Background,
    /// The folder and name for which a file was last searched, so that it is not searched for again.
    looked: Mutex<Option<Home>>,
}

/// A book and the places of its file.
struct BookFile<G: Game> {
    /// The length of the book; `None` is the longest one whose file exists.
    plies: Option<u32>,
    /// The file of the book that ships with the program.
    shipped: Option<&'static [u8]>,
    opened: Filed<(Positions<G>, Table)>,
}

/// Bytes for a position of a book beside itself: its key and its index in the order of play.
const EACH: usize = 16;

/// The positions of a book by number.
struct Positions<G: Game> {
    keys: Vec<u64>,
    positions: Vec<G::Position>,
    /// The numbers in the order of play, where neighbours have most of their moves in common.
    by_play: Vec<usize>,
}

/// The opening book of a game, of a given length.
pub struct OpeningBook<'a, G: Game> {
    game: &'a G,
    plies: u32,
    all: Result<Positions<G>, SolveError>,
}

impl<G: Scored + Heuristic + Bounds> Openings<G> {
    /// Returns the oracle of a book of `plies` plies, or of any number. `shipped` is the file of a book that needs no
    /// folder; a longer one in the folder is preferred.
    pub fn new(plies: Option<u32>, shipped: Option<&'static [u8]>) -> Openings<G> {
        let file = Arc::new(BookFile { plies, shipped, opened: Filed::default() });
        Openings { file, background: Background::default(), looked: Mutex::default() }
    }
}

impl<G: Scored + Heuristic + Bounds> BookFile<G> {
    /// Returns the value of a position in the book.
    fn inside(&self, game: &G, position: &G::Position) -> Option<Value> {
        let (positions, table) = self.opened.get()?;
        table.get(positions.number(game, position)?)
    }

    /// Returns bounds of a position's value by its predecessors in the book; equal if it is in the book itself or
    /// finished.
    fn around(&self, game: &G, position: &G::Position) -> Option<(Value, Value)> {
        self.opened.get()?;
        if let Some(value) = game.over(position).or_else(|| self.inside(game, position)) {
            return Some((value, value));
        }
        let mut bounds = None;
        game.retract(position, &mut |before, m| {
            let Some(value) = self.inside(game, &before) else { return };
            let (lo, hi) = bounds.get_or_insert_with(|| game.bounds(position, Value::DRAW));
            let step = step(game, &before, m, position);
            let value = value.forth(step);
            // The best move is as good as this one: where the turn passes, what it gets the other player does not.
            if step.turn_passed { *lo = value.max(*lo) } else { *hi = value.min(*hi) }
        });
        bounds
    }

    /// Returns the value of a position by elimination: no other move of a predecessor in the book reaches its value, so
    /// the move to this one does.
    fn left_over(&self, game: &G, position: &G::Position) -> Option<Value> {
        let key = game.key(position);
        let mut found = None;
        game.retract(position, &mut |before, m| {
            let Some(value) = self.inside(game, &before).filter(|_| found.is_none()) else { return };
            let others = children(game, &before, &mut |_, child, step| {
                let may = |(lo, hi): (Value, Value)| (lo..=hi).contains(&value.forth(step));
                let rival = game.key(&child) != key && self.around(game, &child).is_none_or(may);
                if rival { std::ops::ControlFlow::Break(()) } else { MORE }
            });
            if others.is_continue() {
                found = Some(value.forth(step(game, &before, m, position)));
            }
        });
        found
    }

    /// Opens the longest valid book that ships or is in the folder.
    fn find(&self, game: &G, home: &Home) {
        let Home { folder, name } = home;
        let mut shipped = self.shipped.and_then(|file| {
            Table::read(file).map_err(|flaw| log::error!("the book of {name} that ships: {flaw}")).ok()
        });
        let any = || (1..=MOST_PLIES).rev().map(|plies| (plies, format!("{name}:book={plies}"))).collect();
        for (plies, name) in self.plies.map_or_else(any, |plies| vec![(plies, name.clone())]) {
            let book = || OpeningBook::<G>::new(game, plies);
            if let Some((header, table)) = shipped.take_if(|(header, _)| header.name == name) {
                let book = book();
                let same = header.fingerprint == book.fingerprint() && header.count == book.count();
                if let (Ok(all), true) = (book.all, same && table.coding() == coding(game)) {
                    self.opened.set((all, table));
                    return;
                }
                log::error!("the book of {name} that ships is of other rules");
            }
            let opened = self.opened.open(&folder.file(&name), &|path| {
                let book = book();
                let table = Table::open_for(path, &name, book.fingerprint(), book.count())?;
                match book.all {
                    Ok(all) if table.coding() == coding(game) => Ok((all, table)),
                    _ => Err(TableError::new(path, Flaw::OtherRules)),
                }
            });
            if opened.is_some() {
                return;
            }
        }
    }
}

impl<G> Oracle<G> for Openings<G>
where
    G: Scored + Heuristic + Bounds + Notation + Clone,
{
    fn bytes(&self) -> u64 {
        self.file
            .opened
            .get()
            .map_or(0, |(all, table)| all.keys.len() as u64 * each_bytes::<G>() + table.bytes())
    }

    fn ready(&self, game: &G, _position: &G::Position, need: &Need<'_>) -> Result<(), SolveError> {
        let mut looked = self.looked.lock().unwrap_or_else(PoisonError::into_inner);
        if self.file.opened.get().is_none() && looked.as_ref() != Some(need.home) {
            let (file, game, home) = (self.file.clone(), game.clone(), need.home.clone());
            let find = move |_: &Work<'_>| {
                file.find(&game, &home);
                Ok(())
            };
            // A search for another file may be running; this one is looked for by the next question.
            if self.background.start("openings", 1, find).1 {
                *looked = Some(need.home.clone());
            }
        }
        drop(looked);
        // Reading takes about a second, and only a caller with little time goes on without the book.
        let until = need.work.until.filter(|_| need.hurried);
        self.background.finish(&Work { report: quiet_work().report, until, ..*need.work });
        Ok(())
    }

    fn tabled<'a>(&'a self, game: &'a G, home: &'a Home, _book: Option<u32>) -> Option<Box<dyn Tabled + 'a>> {
        Some(Box::new(OpeningBookTable {
            name: &home.name,
            game,
            book: OpeningBook::<G>::new(game, self.file.plies?),
            shipped: self.file.shipped,
        }))
    }

    fn value(&self, game: &G, position: &G::Position) -> Option<Value> {
        match self.bounds(game, position) {
            Some((lo, hi)) if lo == hi => Some(lo),
            _ => None,
        }
    }

    fn bounds(&self, game: &G, position: &G::Position) -> Option<(Value, Value)> {
        let bounds = self.file.around(game, position)?;
        let value = if bounds.0 < bounds.1 { self.file.left_over(game, position) } else { None };
        Some(value.map_or(bounds, |value| (value, value)))
    }
}

impl<G: Heuristic> Positions<G> {
    /// Returns all unfinished positions after at most `plies` moves, one for each key.
    fn find(game: &G, plies: u32) -> Result<Positions<G>, SolveError> {
        let mut seen = FxHashSet::default();
        let mut found = Vec::new();
        let start = game.start();
        let mut layer = Vec::new();
        if game.over(&start).is_none() {
            seen.insert(game.key(&start));
            layer.push((game.key(&start), start));
        }
        for ply in 0..=plies {
            let mut next = Vec::new();
            if ply < plies {
                for (_, position) in &layer {
                    let _ = game.moves(position, &mut |m| {
                        let child = game.play(position, m);
                        let key = game.key(&child);
                        if game.over(&child).is_none() && seen.insert(key) {
                            next.push((key, child));
                        }
                        MORE
                    });
                    if seen.len() > MOST {
                        let why =
                            format!("more than {MOST} positions within {plies} plies: expected fewer plies");
                        return Err(SolveError::Numerous(why));
                    }
                }
            }
            found.append(&mut layer);
            layer = next;
        }
        let mut by_key: Vec<_> = found.into_iter().zip(0..).collect();
        sorting::sort_by_key(&mut by_key, |&((key, _), _)| key);
        let mut by_play = vec![0; by_key.len()];
        by_key.iter().enumerate().for_each(|(number, &(_, place))| by_play[place] = number);
        let (keys, positions) = by_key.into_iter().map(|(found, _)| found).unzip();
        Ok(Positions { keys, positions, by_play })
    }

    /// Returns the positions with these numbers.
    fn these(&self, numbers: &[usize]) -> Vec<&G::Position> {
        numbers.iter().map(|&n| &self.positions[n]).collect()
    }

    fn number(&self, game: &G, position: &G::Position) -> Option<u64> {
        self.keys.binary_search(&game.key(position)).ok().map(|number| number as u64)
    }
}

impl<'a, G: Scored + Heuristic + Bounds> OpeningBook<'a, G> {
    /// Returns the book of all positions after at most `plies` moves.
    pub fn new(game: &'a G, plies: u32) -> OpeningBook<'a, G> {
        OpeningBook { game, plies, all: Positions::find(game, plies) }
    }

    /// Returns the number of positions in the book.
    pub fn count(&self) -> u64 {
        self.all.as_ref().map_or(0, |all| all.keys.len() as u64)
    }

    /// Returns a number that changes with the rules and the keys.
    pub fn fingerprint(&self) -> u64 {
        let mut sum = Xxh3::with_seed(u64::from(self.plies));
        for all in self.all.iter() {
            for (key, position) in all.keys.iter().zip(&all.positions) {
                sum.update(&key.to_le_bytes());
                let _ = children(self.game, position, &mut |_, child, step| {
                    let ended = self.game.over(&child).map_or(i32::MIN, Value::raw);
                    sum.update(&[step.turn_passed.into()]);
                    sum.update(&ended.to_le_bytes());
                    sum.update(&step.gain.to_le_bytes());
                    MORE
                });
            }
        }
        sum.digest()
    }

    /// Returns the position with this number.
    pub fn position(&self, number: u64) -> Option<&G::Position> {
        self.all.as_ref().ok()?.positions.get(usize::try_from(number).ok()?)
    }

    /// Searches the positions at the edge, resuming from a checkpoint, and computes the rest.
    ///
    /// # Errors
    /// The work was stopped, there are too many positions, or a value does not fit a cell.
    pub fn solve(&self, work: &Work<'_>, checkpoints: &mut dyn Checkpoints) -> Result<Table, SolveError> {
        let all = self.all.as_ref().map_err(Clone::clone)?;
        let count = all.keys.len();
        let kept =
            checkpoints.resume().filter(|kept| kept.width == Width::Two && kept.cells.len() == 2 * count);
        let mut cells = kept.map_or_else(|| vec![0; 2 * count], |Checkpoint { cells, .. }| cells);
        let edge: Vec<usize> = all.by_play.iter().copied().filter(|&n| self.is_edge(all, n)).collect();
        let crew = Crew::new(work);
        let meter = Meter::new(work, "positions searched", edge.len() as u64);
        let mut searcher = searcher(work);
        for group in edge.chunks(SHARE * crew.size()) {
            let missing: Vec<usize> = group.iter().copied().filter(|&n| code(&cells, n) == HOLE).collect();
            if missing.is_empty() {
                meter.add(group.len() as u64)?;
                continue;
            }
            let values = searcher.values(self.game, all.these(&missing), &crew, work.stop);
            for (n, value) in missing.into_iter().zip(values) {
                put(&mut cells, n, encode(self.game, value.ok_or(SolveError::Stopped)?)?);
            }
            meter.add(group.len() as u64)?;
            if checkpoints.due() {
                let copy = |from: u64, to: &mut [u8]| {
                    let from = from as usize;
                    to.copy_from_slice(&cells[from..from + to.len()]);
                };
                let len = cells.len() as u64;
                checkpoints.save(&Snapshot { stage: &[0], width: Width::Two, len, copy: &copy });
            }
        }
        // A position is worked out when its children are: as many rounds as the book has plies, or a few more.
        let coding = coding(self.game);
        let mut open: Vec<usize> = (0..count).filter(|&n| code(&cells, n) == HOLE).collect();
        while !open.is_empty() {
            let before = open.len();
            let mut still = Vec::new();
            for n in open {
                match self.expected(all, n, &|child| coding.decode(code(&cells, child))) {
                    Some(value) => put(&mut cells, n, encode(self.game, value)?),
                    None => still.push(n),
                }
            }
            open = still;
            if open.len() == before {
                return Err(SolveError::Broken(
                    "positions repeat: there is no book of such a game".to_owned(),
                ));
            }
        }
        Table::from_cells(coding, count as u64, cells)
            .ok_or_else(|| SolveError::Broken("the cells do not fit the count".to_owned()))
    }

    /// Checks every checksum and every value: those at the edge by another search, the others against their children's.
    ///
    /// # Errors
    /// The first doubt.
    pub fn verify(&self, table: &Table, work: &Work<'_>) -> Result<Assurance, VerifyError> {
        table.check().map_err(VerifyError::Table)?;
        let all = self.all.as_ref().map_err(|error| VerifyError::Work(error.clone()))?;
        if table.count() != self.count() {
            return Err(VerifyError::Work(SolveError::Broken("the table is of another book".to_owned())));
        }
        let expected = coding(self.game);
        VerifyError::unless_coded(table.coding(), expected)?;
        // Values in the book rest on each other, down to those that are searched again.
        let judge = Judge::new(
            coding(self.game).unit(),
            match (expected.meaning, self.game.cyclic()) {
                (Meaning::Points, true) => Support::Nothing("nothing rules out cycles"),
                (Meaning::Points, false) => Support::Order,
                _ => Support::Distances,
            },
        );
        let crew = Crew::new(work);
        let meter = Meter::new(work, "positions verified", table.count());
        let mut searcher = searcher(work);
        for group in all.by_play.chunks(SHARE * crew.size()) {
            let (edge, inside): (Vec<usize>, _) = group.iter().partition(|&&n| self.is_edge(all, n));
            let searched = searcher.values(self.game, all.these(&edge), &crew, work.stop);
            let follows = |n: &usize| self.expected(all, *n, &|child| table.get(child as u64));
            let followed: Vec<_> = inside.iter().map(follows).collect();
            meter.add(group.len() as u64).map_err(VerifyError::Work)?;
            for (n, expected) in edge.into_iter().zip(searched).chain(inside.into_iter().zip(followed)) {
                judge.cell(n as u64, table.get(n as u64), expected)?;
            }
        }
        Ok(judge.assurance())
    }

    /// Reports whether a move leads out of the book.
    fn is_edge(&self, all: &Positions<G>, number: usize) -> bool {
        let game = self.game;
        children(game, &all.positions[number], &mut |_, child, _| {
            let inside = game.over(&child).is_some() || all.number(game, &child).is_some();
            if inside { MORE } else { std::ops::ControlFlow::Break(()) }
        })
        .is_break()
    }

    /// Returns the value of a position by the rules and its children's values; `None` if a child has none.
    fn expected(
        &self,
        all: &Positions<G>,
        number: usize,
        value: &dyn Fn(usize) -> Option<Value>,
    ) -> Option<Value> {
        let game = self.game;
        let mut best = None;
        let missing = children(game, &all.positions[number], &mut |_, child, step| {
            let inside = || value(all.number(game, &child)? as usize);
            match game.over(&child).or_else(inside) {
                Some(value) => best = best.max(Some(value.back(step))),
                None => return std::ops::ControlFlow::Break(()),
            }
            MORE
        });
        best.filter(|_| missing.is_continue())
    }
}

/// Returns the approximate bytes of a position that is kept with its key.
fn each_bytes<G: Game>() -> u64 {
    (size_of::<G::Position>() + EACH) as u64
}

/// Returns the megabytes of a search that `work` allows.
fn search_memory(work: &Work<'_>) -> u64 {
    work.memory_limit.map_or(MEMORY, |limit| limit >> 20)
}

/// Returns a searcher with the memory allowed by `work`.
fn searcher<G: Scored + Heuristic + Bounds>(work: &Work<'_>) -> AlphaBeta<G> {
    AlphaBeta::new(search_memory(work) as usize, work.threads)
}

fn coding<G: Scored>(game: &G) -> Coding {
    let meaning = if game.unit().is_points() { Meaning::Points } else { Meaning::Distance };
    Coding { meaning, width: Width::Two }
}

fn encode<G: Scored>(game: &G, value: Value) -> Result<u16, SolveError> {
    let code = coding(game).encode(value).and_then(|code| u16::try_from(code).ok());
    code.ok_or_else(|| SolveError::Broken(format!("{value:?} does not fit a cell")))
}

fn code(cells: &[u8], number: usize) -> u32 {
    u32::from(u16::from_le_bytes([cells[2 * number], cells[2 * number + 1]]))
}

fn put(cells: &mut [u8], number: usize, code: u16) {
    cells[2 * number..2 * number + 2].copy_from_slice(&code.to_le_bytes());
}

/// A game with its opening book.
struct OpeningBookTable<'a, G: Game> {
    name: &'a str,
    game: &'a G,
    book: OpeningBook<'a, G>,
    /// The file of the book that ships, which may be of another length.
    shipped: Option<&'static [u8]>,
}

impl<G: Scored + Notation + Heuristic + Bounds> Tabled for OpeningBookTable<'_, G> {
    fn name(&self) -> &str {
        self.name
    }

    fn unit(&self) -> Unit {
        self.game.unit()
    }

    fn count(&self) -> u64 {
        self.book.count()
    }

    fn fingerprint(&self) -> u64 {
        self.book.fingerprint()
    }

    fn maker(&self) -> Maker {
        Maker::Other
    }

    fn shipped(&self) -> Option<&'static [u8]> {
        self.shipped
    }

    fn estimate(&self, work: &Work<'_>) -> Result<Estimate, SolveError> {
        // The positions with two bytes of the table each, and the table of the search.
        let memory =
            self.count().saturating_mul(2 + each_bytes::<G>()).saturating_add(search_memory(work) << 20);
        let disk = self.count().saturating_mul(4);
        Ok(Estimate { disk, width: Width::Two, ..Estimate::in_one_piece(self.count(), memory) })
    }

    fn solve(&self, work: &Work<'_>, scratch: &Scratch) -> Result<Table, SolveError> {
        let mut checkpoints = scratch.checkpoint(self.name, self.fingerprint(), self.count());
        self.book.solve(work, checkpoints.as_mut())
    }

    fn verify(&self, table: &Table, work: &Work<'_>) -> Result<Assurance, VerifyError> {
        self.book.verify(table, work)
    }

    fn turns(&self, range: std::ops::Range<u64>, visit: &mut dyn FnMut(u64, Player)) {
        for number in range {
            if let Some(position) = self.book.position(number) {
                visit(number, self.game.turn(position));
            }
        }
    }

    fn position(&self, number: u64) -> Option<(Player, String)> {
        let position = self.book.position(number)?;
        Some((self.game.turn(position), self.game.write_position(position)))
    }

    fn number(&self, position: &str) -> Option<u64> {
        let position = self.game.read_position(position).ok()?;
        self.book.all.as_ref().ok()?.number(self.game, &position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_core::table::NoCheckpoints;
    use grundy_core::value::Wdl;
    use grundy_session::quiet_work;

    /// Take one or two of a heap; who takes the last counter wins.
    struct Heap(u64);

    impl Game for Heap {
        type Position = (u64, bool);
        type Move = u64;
        fn start(&self) -> (u64, bool) {
            (self.0, false)
        }
        fn turn(&self, position: &(u64, bool)) -> grundy_core::game::Player {
            if position.1 { grundy_core::game::Player::Two } else { grundy_core::game::Player::One }
        }
        fn over(&self, position: &(u64, bool)) -> Option<Value> {
            (position.0 == 0).then_some(Value::loss_in(0))
        }
        fn moves(
            &self,
            position: &(u64, bool),
            visit: &mut impl FnMut(u64) -> grundy_core::game::Flow,
        ) -> grundy_core::game::Flow {
            (1..=position.0.min(2)).try_for_each(visit)
        }
        fn play(&self, position: &(u64, bool), m: u64) -> (u64, bool) {
            (position.0 - m, !position.1)
        }
    }

    impl Scored for Heap {}

    impl Bounds for Heap {}

    impl Heuristic for Heap {
        fn key(&self, position: &(u64, bool)) -> u64 {
            position.0
        }
    }

    #[test]
    fn a_book_knows_its_positions_and_no_others() {
        let game = Heap(13);
        let book: OpeningBook<'_, _> = OpeningBook::new(&game, 3);
        // 13, 12, 11, 10, 9, 8, 7 counters.
        assert_eq!(book.count(), 7);
        let table = book.solve(&quiet_work(), &mut NoCheckpoints).unwrap();
        for number in 0..7 {
            let position = *book.position(number).unwrap();
            assert_eq!(position.0, 7 + number);
            let wins = !position.0.is_multiple_of(3);
            assert_eq!(table.get(number).unwrap().wdl() == Wdl::Win, wins, "{position:?}");
        }
        book.verify(&table, &quiet_work()).unwrap();
        let mut cells: Vec<u8> = (0..7)
            .flat_map(|n| (table.coding().encode(table.get(n).unwrap()).unwrap() as u16).to_le_bytes())
            .collect();
        cells[4] ^= 2;
        let wrong = Table::from_cells(table.coding(), 7, cells).unwrap();
        assert!(matches!(book.verify(&wrong, &quiet_work()), Err(VerifyError::Wrong { .. })));
    }
}
