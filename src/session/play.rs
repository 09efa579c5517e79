//! The session of any game: position and history, the method that answers, and the search where none does.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::choose::{
    Valued, best_first, best_moves, choose, line, listed, prefer_without_rule, value_of_move, valued_moves,
};
use super::tabled::{BookDoor, Booked, Door, Opened, Tabled};
use super::{Go, Info, MoveList, MoveValue, Refusal, Session, Settings, Successor};
use crate::game::{
    Game, GameResult, Heuristic, Indexed, MORE, Notation, Player, Scored, children, perft, result,
};
use crate::random::{SplitMix64, scatter};
use crate::solve::openings::Openings;
use crate::solve::windows::Keeper;
use crate::solve::{Limits, Line, NEVER, Oracle, Progress, SolveError, TableOracle, Work};
use crate::table::{Folder, TableError};
use crate::value::{Score, Unit, Value};

/// A search as a session needs it; [`Play::search`] takes one.
pub trait Seeker<G: Game>: Send {
    /// Searches a position that is not over. The last report of each rank holds the answer.
    fn seek(
        &mut self,
        game: &G,
        quest: &Quest<'_, G>,
        stop: &AtomicBool,
        oracle: Option<&dyn Oracle<G>>,
        report: &mut dyn FnMut(&Line<G::Move>),
    );

    /// Takes over threads, memory and further options.
    fn configure(&mut self, settings: &Settings);

    /// Whether what it finds rests on something that is not proved, by the name of the game.
    fn assumes(&self, _game: &G) -> bool {
        false
    }

    /// Goes on from what the keeper's file holds and keeps there what is found out, until configured anew: whether
    /// the file is there already. `None` where this search keeps nothing.
    fn keep(&mut self, _keeper: Keeper) -> Option<Result<bool, TableError>> {
        None
    }
}

/// What a search is asked.
pub struct Quest<'a, G: Game> {
    /// The position.
    pub position: &'a G::Position,
    /// The positions before it, oldest first.
    pub earlier: &'a [G::Position],
    /// Only these moves are looked at, where there are any.
    pub only: &'a [G::Move],
    /// How many lines are asked for.
    pub multi_pv: usize,
    /// When it ends.
    pub limits: Limits,
    /// A book of openings, for what it knows where it ends.
    pub book: Option<&'a dyn Oracle<G>>,
}

/// A game of type `G` being played. The catalog builds it: rules first, then the methods it may use.
pub struct Play<G: Game> {
    name: String,
    game: G,
    position: G::Position,
    earlier: Vec<G::Position>,
    words: Vec<String>,
    method: Option<Box<dyn Oracle<G>>>,
    /// A table that is too large to be made unasked: used where its file is there.
    stored: Option<Box<dyn Oracle<G>>>,
    /// A book of openings, used where its file is there.
    openings: Option<Box<dyn Opened<G>>>,
    search: Option<Box<dyn Seeker<G>>>,
    settings: Settings,
    random: SplitMix64,
    /// The position was made ready for the next [`Session::go`].
    ready: bool,
}

impl<G: Scored + Notation> Play<G> {
    /// A session at the start of a game, without any method yet.
    pub fn new(name: impl Into<String>, game: G) -> Play<G> {
        Play {
            name: name.into(),
            position: game.start(),
            game,
            earlier: Vec::new(),
            words: Vec::new(),
            method: None,
            stored: None,
            openings: None,
            search: None,
            settings: Settings::default(),
            random: SplitMix64::default(),
            ready: false,
        }
    }

    /// Answers with an oracle: a formula, a sum, or a table that is made when it is first needed.
    #[must_use]
    pub fn oracle(mut self, oracle: impl Oracle<G> + 'static) -> Play<G> {
        self.method = Some(Box::new(oracle));
        self
    }

    /// Answers from this table where its file is in the folder of tables; it is never made unasked.
    #[must_use]
    pub fn stored(mut self, table: TableOracle<G>) -> Play<G>
    where
        G: Indexed,
    {
        self.stored = Some(Box::new(table));
        self
    }

    /// Answers from an opening book where its file is in the folder of tables: of this many plies, or of any number.
    #[must_use]
    pub fn openings(mut self, plies: Option<u32>) -> Play<G>
    where
        G: Heuristic,
    {
        self.openings = Some(Box::new(Openings::new(plies)));
        self
    }

    /// Searches where the oracle does not know.
    #[must_use]
    pub fn search(mut self, seeker: impl Seeker<G> + 'static) -> Play<G> {
        self.search = Some(Box::new(seeker));
        self
    }

    /// The session with its types erased.
    pub fn boxed(self) -> Box<dyn Session> {
        Box::new(self)
    }

    fn known(&self) -> Option<&dyn Oracle<G>> {
        self.method.as_deref()
    }

    /// Who knows the value of the position.
    fn knowing(&self) -> Option<(&dyn Oracle<G>, Value)> {
        let method = || Some((self.known()?, self.known()?.value(&self.game, &self.position)?));
        let opened = || {
            let book: &dyn Oracle<G> = &**self.openings.as_ref()?;
            Some((book, book.value(&self.game, &self.position)?))
        };
        method().or_else(opened)
    }

    /// The end of the game as the rules see it, history included.
    fn ended(&self) -> Option<Value> {
        self.game
            .over(&self.position)
            .or_else(|| self.game.drawn_by_history(&self.earlier, &self.position).then_some(Value::DRAW))
    }

    fn read_move(&self, word: &str) -> Result<G::Move, Refusal> {
        if self.ended().is_some() {
            return Err(Refusal::Over { word: word.to_owned() });
        }
        self.game
            .read_move(&self.position, word)
            .ok_or_else(|| Refusal::Move { word: word.to_owned(), position: self.position() })
    }

    fn info(&self, line: &Line<G::Move>) -> Info {
        let mut now = self.position.clone();
        let mut pv = Vec::with_capacity(line.pv.len());
        // A line to a known end is whole; any other ends where the rules end the game for what came before.
        let open = line.score.exact().is_none_or(|value| value.plies().is_none());
        let mut earlier = if open { self.earlier.clone() } else { Vec::new() };
        for &m in &line.pv {
            pv.push(self.game.write_move(&now, m));
            let next = self.game.play(&now, m);
            earlier.push(std::mem::replace(&mut now, next));
            if open && self.game.drawn_by_history(&earlier, &now) {
                break;
            }
        }
        Info {
            depth: line.depth,
            seldepth: line.seldepth,
            nodes: line.nodes,
            hashfull: line.hashfull,
            rank: line.rank,
            score: line.score,
            unit: self.game.unit(),
            pv,
        }
    }

    /// Makes ready what answers; `hurried` leaves what takes longer to a thread of its own.
    fn prepare_for(&mut self, work: &Work<'_>, hurried: bool) -> Result<(), SolveError> {
        let stored = self.stored.as_deref().and_then(Oracle::as_table);
        if self.method.is_none() && stored.is_some_and(TableOracle::is_stored) {
            self.method = self.stored.take();
        }
        if let Some(book) = &self.openings {
            book.prepare(&self.game, &self.position, work)?;
        }
        match self.known() {
            None => Ok(()),
            Some(oracle) if hurried => oracle.prepare_or_leave(&self.game, &self.position, work),
            Some(oracle) => oracle.prepare(&self.game, &self.position, work),
        }
    }

    /// Answers from the oracle, best line first; `None` where it does not know the position.
    fn answer_from_oracle(&mut self, only: &[G::Move], report: &mut dyn FnMut(&Info)) -> Option<String> {
        self.knowing()?;
        let lot = self.settings.seed.is_some().then(|| self.random.bits());
        let mut pick = |n: usize| (lot.unwrap_or(0) % n.max(1) as u64) as usize;
        let (oracle, value) = self.knowing()?;
        let (game, position) = (&self.game, &self.position);
        let mut ranked: Vec<(G::Move, Value)> = Vec::new();
        if only.is_empty() {
            let mut best = best_moves(game, oracle, position, value, listed());
            prefer_without_rule(game, oracle, position, &mut best);
            let by_lot: Option<&mut dyn FnMut(usize) -> usize> =
                if lot.is_some() { Some(&mut pick) } else { None };
            ranked.push((choose(game, oracle, position, &best, by_lot)?, value));
        }
        let lines = self.settings.multi_pv.max(1);
        if !only.is_empty() || lines > 1 {
            let list: Vec<Valued<G>> = if only.is_empty() {
                valued_moves(game, Some(oracle), position, listed()).0
            } else {
                only.iter().map(|&m| (m, value_of_move(game, oracle, position, m))).collect()
            };
            if self.search.is_some() && list.iter().any(|(_, value)| value.is_none()) {
                // A search tells the others apart.
                return None;
            }
            let mut list: Vec<_> = list.into_iter().filter_map(|(m, value)| Some((m, value?))).collect();
            best_first(&mut list);
            for (m, v) in list {
                if ranked.len() < lines && ranked.iter().all(|r| r.0 != m) {
                    ranked.push((m, v));
                }
            }
        }
        let mut lines = Vec::new();
        for (rank, &(m, value)) in (1..).zip(&ranked) {
            let pv = line(game, oracle, position, m, value);
            let depth = value.plies().map_or(pv.len(), |p| p as usize).max(1) as u32;
            let score = Score::Exact(value);
            lines.push(Line { depth, seldepth: depth, nodes: 1, hashfull: 0, rank, score, pv });
        }
        for line in &lines {
            report(&self.info(line));
        }
        let &(m, _) = ranked.first()?;
        Some(self.game.write_move(&self.position, m))
    }
}

impl<G: Scored + Notation> Session for Play<G> {
    fn name(&self) -> &str {
        &self.name
    }

    fn unit(&self) -> Unit {
        self.game.unit()
    }

    fn setup(&mut self, position: Option<&str>) -> Result<(), Refusal> {
        let position = match position {
            None => self.game.start(),
            Some(text) => self
                .game
                .read_position(text)
                .map_err(|why| Refusal::Position { text: shortened(text), why })?,
        };
        self.position = position;
        self.ready = false;
        self.earlier.clear();
        self.words.clear();
        Ok(())
    }

    fn play(&mut self, word: &str) -> Result<(), Refusal> {
        let m = self.read_move(word)?;
        self.ready = false;
        self.words.push(self.game.write_move(&self.position, m));
        let next = self.game.play(&self.position, m);
        self.earlier.push(std::mem::replace(&mut self.position, next));
        Ok(())
    }

    fn undo(&mut self) -> bool {
        self.ready = false;
        self.words.pop();
        self.earlier.pop().map(|earlier| self.position = earlier).is_some()
    }

    fn history(&self) -> &[String] {
        &self.words
    }

    fn turn(&self) -> Player {
        self.game.turn(&self.position)
    }

    fn over(&self) -> Option<Value> {
        self.ended()
    }

    fn result(&self) -> Option<GameResult> {
        match result(&self.game, &self.position) {
            None => self.ended().map(|_| GameResult::Draw),
            known => known,
        }
    }

    fn score(&self) -> Option<(i32, i32)> {
        (self.game.unit() == Unit::Points).then(|| self.game.score(&self.position))
    }

    fn repetitions(&self) -> usize {
        1 + self.earlier.iter().filter(|p| **p == self.position).count()
    }

    fn position(&self) -> String {
        self.game.write_position(&self.position)
    }

    fn canonical(&self) -> String {
        self.game.write_position(&self.game.canonical(&self.position))
    }

    fn draw(&self) -> String {
        self.game.draw(&self.position)
    }

    fn draw_game(&self) -> String {
        self.game.draw_game(&self.earlier, &self.position)
    }

    fn draw_values(&self, list: &MoveList) -> String {
        let unit = self.game.unit();
        self.game.draw_with(&self.position, &|m| {
            let word = self.game.write_move(&self.position, m);
            let found = list.moves.iter().find(|valued| valued.word == word)?;
            Some(found.value.map_or_else(|| "?".to_owned(), |value| value.show(unit).to_string()))
        })
    }

    fn remarks(&mut self) -> Vec<String> {
        let mut seeker = self.search.take();
        let oracle = self.known();
        let end = Instant::now() + REMARKING;
        let remarks = self.game.remarks(&self.position, &mut |position| {
            let known = self.game.over(position).or_else(|| oracle?.value(&self.game, position));
            known.or_else(|| {
                let limits = Limits { hard: Some(end), ..Limits::default() };
                let quest = Quest { position, earlier: &[], only: &[], multi_pv: 1, limits, book: None };
                let mut value = None;
                let seeker = seeker.as_mut().filter(|_| Instant::now() < end)?;
                seeker.seek(&self.game, &quest, &NEVER, oracle, &mut |line| value = line.score.exact());
                value
            })
        });
        self.search = seeker;
        remarks
    }

    fn legal_moves(&self, limit: usize) -> Vec<String> {
        let mut words = Vec::new();
        if limit > 0 && self.ended().is_none() {
            let _ = self.game.moves(&self.position, &mut |m| {
                words.push(self.game.write_move(&self.position, m));
                if words.len() < limit { MORE } else { ControlFlow::Break(()) }
            });
        }
        words
    }

    fn successors(&self, limit: usize) -> Vec<Successor> {
        let mut list = Vec::new();
        if limit > 0 && self.game.over(&self.position).is_none() {
            let _ = children(&self.game, &self.position, &mut |m, child, step| {
                list.push(Successor {
                    word: self.game.write_move(&self.position, m),
                    position: self.game.write_position(&child),
                    step,
                    over: self.game.over(&child),
                });
                if list.len() < limit { MORE } else { ControlFlow::Break(()) }
            });
        }
        list
    }

    fn is_legal(&self, word: &str) -> bool {
        self.read_move(word).is_ok()
    }

    fn spelling(&self, word: &str) -> Option<String> {
        let m = self.read_move(word).ok()?;
        Some(self.game.write_move(&self.position, m))
    }

    fn note(&self, word: &str) -> Option<String> {
        let m = self.read_move(word).ok()?;
        Some(self.game.write_note(&self.position, m))
    }

    fn prepare(&mut self, work: &Work<'_>) -> Result<(), SolveError> {
        self.prepare_for(work, false)
    }

    fn value(&mut self) -> Option<Value> {
        if let Some(ended) = self.ended() {
            return Some(ended);
        }
        let _ = self.prepare(&work_of(&self.settings));
        self.knowing().map(|(_, value)| value)
    }

    fn without_rule(&self) -> Option<(Value, &'static str)> {
        self.known()?.without_rule(&self.game, &self.position)
    }

    fn values(&mut self, limit: usize) -> MoveList {
        if self.ended().is_some() {
            return MoveList::default();
        }
        let _ = self.prepare(&work_of(&self.settings));
        let oracle = self.knowing().map_or(self.known(), |(oracle, _)| Some(oracle));
        let (list, truncated) = valued_moves(&self.game, oracle, &self.position, limit);
        let moves = list
            .into_iter()
            .map(|(m, value)| MoveValue { word: self.game.write_move(&self.position, m), value })
            .collect();
        MoveList { moves, truncated }
    }

    fn grundy(&mut self) -> Option<u64> {
        let _ = self.prepare(&work_of(&self.settings));
        self.known()?.grundy(&self.game, &self.position)
    }

    fn searches(&self) -> bool {
        self.search.is_some()
    }

    fn go(&mut self, go: &Go, stop: &AtomicBool, report: &mut dyn FnMut(&Info)) -> Option<String> {
        if self.ended().is_some() {
            return None;
        }
        let only: Vec<G::Move> =
            go.search_moves.iter().filter_map(|w| self.game.read_move(&self.position, w)).collect();
        if !go.alone {
            if !self.ready {
                let _ = self.make_ready(&go.limits, stop);
            }
            self.ready = false;
            if let Some(word) = self.answer_from_oracle(&only, report) {
                return Some(word);
            }
        }
        let mut best = None;
        if let Some(mut seeker) = self.search.take() {
            let book = match &self.openings {
                Some(book) if !go.alone => Some::<&dyn Oracle<G>>(&**book),
                _ => None,
            };
            let quest = Quest {
                position: &self.position,
                earlier: &self.earlier,
                only: &only,
                multi_pv: self.settings.multi_pv.max(1),
                limits: go.limits,
                book,
            };
            let oracle = self.known().filter(|_| !go.alone);
            seeker.seek(&self.game, &quest, stop, oracle, &mut |line| {
                if line.rank == 1 {
                    best = line.pv.first().copied();
                }
                report(&self.info(line));
            });
            self.search = Some(seeker);
        }
        // Without a method, or stopped before anything was found: any legal move, and a guess that says nothing.
        let m = match best {
            Some(m) => m,
            None => {
                let mut m = only.first().copied();
                if m.is_none() {
                    // Only the first is listed: there may be thousands of millions.
                    let _ = self.game.moves(&self.position, &mut |first| {
                        m = Some(first);
                        ControlFlow::Break(())
                    });
                }
                let m = m?;
                // Not 0: a line of one move with the score of a draw would claim that the move ends the game.
                let score = Score::Guess(1);
                let line = Line { depth: 1, seldepth: 1, nodes: 1, hashfull: 0, rank: 1, score, pv: vec![m] };
                report(&self.info(&line));
                m
            }
        };
        Some(self.game.write_move(&self.position, m))
    }

    fn make_ready(&mut self, limits: &Limits, stop: &AtomicBool) -> Vec<String> {
        let threads = self.settings.threads.max(1);
        let end = limits.soft.or(limits.hard).filter(|_| self.search.is_some());
        let now = Instant::now();
        // What takes longer is made behind the search.
        let until = end.map(|end| now + end.saturating_duration_since(now) / 2);
        let halt = AtomicBool::new(false);
        let notes = Mutex::new(Vec::new());
        let report = |progress: &Progress| {
            if stop.load(Ordering::Relaxed) || until.is_some_and(|until| Instant::now() >= until) {
                halt.store(true, Ordering::Relaxed);
            }
            if let (0, 0, Ok(mut notes)) = (progress.done, progress.total, notes.lock())
                && notes.is_empty()
            {
                notes.push(format!("makes a table first: {}", progress.what));
            }
        };
        let stop = if until.is_some() { &halt } else { stop };
        // Why it could not be made ready shows in the answer.
        let work = Work { stop, threads, memory_limit: None, report: &report };
        let _ = self.prepare_for(&work, until.is_some());
        let mut notes = notes.into_inner().unwrap_or_default();
        self.ready = true;
        if let Some((value, rule)) = self.without_rule() {
            notes.push(format!("{} without {rule}", value.show(self.game.unit())));
        }
        notes
    }

    fn perft(&self, depth: u32) -> u64 {
        perft(&self.game, &self.position, depth)
    }

    fn keep(&mut self, file: &Path, every: Duration) -> Option<Result<bool, TableError>> {
        let keeper = Keeper { path: file.to_owned(), name: self.name.clone(), every };
        self.search.as_mut()?.keep(keeper)
    }

    fn configure(&mut self, settings: &Settings) {
        self.settings = settings.clone();
        self.ready = false;
        // Scattered, so that seeds that follow each other begin differently.
        self.random = SplitMix64(settings.seed.map_or(0, scatter));
        if let Some(seeker) = &mut self.search {
            seeker.configure(settings);
        }
        let folder = || Folder::find(settings.tables.as_deref());
        for oracle in [&self.method, &self.stored].into_iter().flatten() {
            oracle.look_in(folder(), &self.name);
        }
        if let Some(book) = &self.openings {
            book.look_in(folder(), &self.name);
        }
    }

    fn tabled(&self) -> Option<Box<dyn Tabled + '_>> {
        if let Some(door) = self.openings.as_ref().and_then(|book| book.door(&self.name, &self.game)) {
            return Some(door);
        }
        let oracle = self.method.as_deref().or(self.stored.as_deref())?;
        if let Some(book) = oracle.as_book() {
            return Some(Box::new(BookDoor { name: &self.name, game: &self.game, book }));
        }
        let table = oracle.as_table()?;
        let method = table.method()?;
        Some(Box::new(Door { name: &self.name, game: &self.game, method }))
    }

    fn booked(&self) -> Option<Box<dyn Booked + '_>> {
        let book = self.method.as_deref()?.as_book()?;
        Some(Box::new(BookDoor { name: &self.name, game: &self.game, book }))
    }

    fn assumes(&self) -> bool {
        self.search.as_ref().is_some_and(|seeker| seeker.assumes(&self.game))
    }

    fn effort(&self) -> Option<String> {
        self.game.effort(&self.position)
    }
}

/// How long remarks may search.
const REMARKING: Duration = Duration::from_secs(2);

/// The work of a question that nobody stops.
fn work_of(settings: &Settings) -> Work<'static> {
    Work { threads: settings.threads.max(1), ..crate::solve::quiet_work() }
}

/// A text from outside, cut to what fits an error line.
fn shortened(text: &str) -> String {
    const LONGEST: usize = 120;
    match text.char_indices().nth(LONGEST) {
        None => text.to_owned(),
        Some((at, _)) => format!("{}...", &text[..at]),
    }
}
