//! [`Board`] implemented for one type of game.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use grundy_core::game::{
    Flow, Game, GameResult, MORE, Notation, Scored, each_child, each_move, perft, result, step,
};
use grundy_core::interner::Interner;
use grundy_core::table::TableError;
use grundy_core::value::{Step, Unit, Value};
use grundy_session::{
    Ask, Board, Canonical, Division, Drawing, Evaluation, Grundy, Home, Info, Kept, Limits, Listed,
    LoonyMoves, Method, Move, Need, Numbering, Settings, SolveError, Standing, Successor, Tabled, Work,
};

use super::highest::Highest;
use super::numbers::{NumberedBy, NumberedMoves};
use super::seeker::{MakeSearch, Seeker};
use super::states::StateSet;
use crate::loony::{Known, States};
use crate::mcts::MonteCarlo;
use crate::windows::SearchFile;
use crate::{Oracle, Question, Variation, Worth, at_place};

/// Makes a search that has learned nothing yet.
type MakeSeeker<G> = fn() -> Box<dyn Seeker<G>>;

/// The loony states of a position and of its moves; `None` where they have no meaning.
type AskLoony<G> = fn(&mut Erased<G>, &Settings, &Work<'_>) -> Option<LoonyMoves>;

/// Is given a position and the values that are known.
pub(super) type WithKnown<'a, G> =
    dyn FnMut(&G, &<G as Game>::Position, &mut Known<'_, <G as Game>::Position>) + 'a;

/// The loony states of a position by the game's own rules.
type FindStates<G> = fn(
    &G,
    &<G as Game>::Position,
    &mut Known<'_, <G as Game>::Position>,
) -> Option<States<<G as Game>::Move>>;

/// What a game has to say to people beyond its positions and moves, for code that does not know whether it has any.
pub(super) trait Remarked<G: Game>: Sync {
    fn draw_with(&self, game: &G, position: &G::Position, word: &dyn Fn(G::Move) -> Option<String>)
    -> String;
    fn draw_game(&self, game: &G, earlier: &[G::Position], position: &G::Position) -> String;
    /// Lines for a player, with values that are known, or found before the work ends.
    fn remarks(&self, erased: &mut Erased<G>, settings: &Settings, work: &Work<'_>) -> Vec<String>;
    fn effort(&self, game: &G, position: &G::Position) -> Option<String>;
}

/// The methods that answer for a game; each is optional.
pub(super) struct Methods<G: Game> {
    pub oracle: Option<Arc<dyn Oracle<G>>>,
    pub book: Option<Arc<dyn Oracle<G>>>,
    pub search: Option<MakeSearch<G>>,
    pub remarks: Option<&'static dyn Remarked<G>>,
    pub worth: Option<Arc<dyn Worth<G>>>,
    /// The search of the textbooks.
    pub textbook: Option<MakeSeeker<G>>,
    /// The loony states of moves, in games that have them.
    pub loony: Option<AskLoony<G>>,
    /// The moves that the board leaves room for, in games that can be played on past their end.
    pub onward: Option<Visit<G>>,
    /// How the moves are divided for tables in parts.
    pub division: Option<fn(&G) -> Option<Division>>,
    /// Numberings beside that of the table.
    pub numberings: &'static [NumberedBy<G>],
}

impl<G: Game> Default for Methods<G> {
    fn default() -> Methods<G> {
        Methods {
            oracle: None,
            book: None,
            search: None,
            remarks: None,
            worth: None,
            textbook: None,
            loony: None,
            onward: None,
            division: None,
            numberings: &[],
        }
    }
}

impl<G: Game> Clone for Methods<G> {
    fn clone(&self) -> Methods<G> {
        let (oracle, book, worth) = (self.oracle.clone(), self.book.clone(), self.worth.clone());
        let Methods { search, remarks, textbook, loony, onward, division, numberings, .. } = *self;
        Methods { oracle, book, search, remarks, worth, textbook, loony, onward, division, numberings }
    }
}

/// Moves that are looked at between two looks at the clock.
const FEW: usize = 64;

/// Whether a listing of moves goes on.
fn flow(more: bool) -> Flow {
    if more { MORE } else { ControlFlow::Break(()) }
}

/// A game, its positions on a stack, and its methods.
pub(super) struct Erased<G: Game> {
    game: Arc<G>,
    position: G::Position,
    /// The positions before it, oldest first.
    earlier: Vec<G::Position>,
    moves: NumberedMoves<G::Move>,
    /// The moves that were asked about in the positions before.
    asked: Vec<NumberedMoves<G::Move>>,
    methods: Methods<G>,
    /// The search, once it was needed.
    seeker: Option<Box<dyn Seeker<G>>>,
    shelves: Vec<Interner<G::Position>>,
    states: Option<StateSet<G>>,
}

/// How often a position came before.
fn times<G: Game>(game: &G, earlier: &[G::Position], now: &G::Position) -> usize {
    earlier.iter().filter(|position| game.repeats(position, now)).count()
}

/// Moves of a position, one after another.
pub(super) type Visit<G> = fn(&G, &<G as Game>::Position, &mut dyn FnMut(<G as Game>::Move) -> Flow);

impl<G: Scored + Notation> Erased<G> {
    pub(super) fn new(game: Arc<G>, methods: Methods<G>) -> Erased<G> {
        let (position, moves) = (game.start(), NumberedMoves::default());
        let (earlier, asked) = (Vec::new(), Vec::new());
        let (seeker, shelves, states) = (None, Vec::new(), None);
        Erased { game, position, earlier, moves, asked, methods, seeker, shelves, states }
    }

    /// The methods that know values, the one to be asked first before the other.
    fn oracles(&self) -> impl Iterator<Item = &dyn Oracle<G>> {
        self.methods.oracle.iter().chain(&self.methods.book).map(|oracle| &**oracle)
    }

    /// Shows the legal moves with their exact values, until `visit` says that it has seen enough.
    fn each_valued(&self, visit: &mut dyn FnMut(G::Move, Option<Value>) -> bool) {
        let (game, position) = (&*self.game, &self.position);
        if game.over(position).is_some() {
            return;
        }
        let _ = each_child(game, position, &mut |m, child, step| {
            flow(visit(m, self.known(child).map(|value| value.back(step))))
        });
    }

    /// The exact value of a position, where a method knows it.
    fn known(&self, position: &G::Position) -> Option<Value> {
        self.oracles().find_map(|oracle| oracle.value(&self.game, position))
    }

    fn the(&self, m: Move) -> G::Move {
        self.moves.all()[m.0 as usize]
    }

    /// Begins anew with a position.
    fn stand_on(&mut self, position: G::Position) {
        self.position = position;
        self.earlier.clear();
        self.moves = NumberedMoves::default();
        self.asked.clear();
    }

    /// The search, ready to be asked.
    fn seeker(&mut self, settings: &Settings) -> Option<Box<dyn Seeker<G>>> {
        self.seeker.take().or_else(|| {
            if let (Evaluation::Lines, Some(textbook)) = (settings.evaluation, self.methods.textbook) {
                return Some(textbook());
            }
            match settings.method {
                Method::Own => self.methods.search.map(|search| search(settings)),
                Method::MonteCarlo => Some(Box::new(<MonteCarlo<G> as Seeker<G>>::new(settings))),
            }
        })
    }

    /// Asks something of the position that needs exact values of others: by the oracle, or by searches before
    /// the work ends.
    pub(super) fn with_values(&mut self, settings: &Settings, work: &Work<'_>, ask: &mut WithKnown<'_, G>) {
        if work.stopped() {
            let oracle = self.methods.oracle.as_deref();
            let state = |position: &G::Position| oracle?.loony(&self.game, position);
            return ask(&self.game, &self.position, &mut Known { value: &mut |_| None, state: &state });
        }
        let mut seeker = self.seeker(settings);
        let (game, oracle) = (&*self.game, self.methods.oracle.as_deref());
        let mut value = |position: &G::Position| {
            let known = game.over(position).or_else(|| oracle?.value(game, position));
            if work.stopped() {
                return None;
            }
            known.or_else(|| {
                let limits = Limits { hard: work.until, ..Limits::default() };
                let question = Question { limits, oracle, stop: work.stop, ..Question::new(game, position) };
                let mut value = None;
                seeker.as_mut()?.seek(&question, &mut |line| value = line.score.exact());
                value
            })
        };
        let state = |position: &G::Position| oracle?.loony(game, position);
        ask(game, &self.position, &mut Known { value: &mut value, state: &state });
        self.seeker = seeker;
    }

    /// The loony states of the position and of its moves, by the game's own `states`, as far as they are found
    /// before the work ends.
    pub(super) fn ask_loony(
        &mut self,
        settings: &Settings,
        work: &Work<'_>,
        states: FindStates<G>,
    ) -> Option<LoonyMoves> {
        if self.game.over(&self.position).is_none() {
            self.oracles().for_each(|oracle| oracle.ready_for_loony(&self.game, work));
        }
        let mut found = None;
        self.with_values(settings, work, &mut |game, position, known| {
            found = states(game, position, known);
        });
        let States { position, moves } = found?;
        let word = |m| self.game.write_move(&self.position, m);
        Some(LoonyMoves {
            state: position,
            moves: moves.into_iter().map(|(m, state)| (word(m), state)).collect(),
        })
    }

    /// Searches the position: see [`Board::search`].
    fn seek(&mut self, ask: &Ask<'_>, settings: &Settings, report: &mut dyn FnMut(&Info)) {
        let Some(mut seeker) = self.seeker(settings) else { return };
        let only: Vec<G::Move> = ask.only.iter().map(|&m| self.the(m)).collect();
        let question = Question {
            game: &*self.game,
            position: &self.position,
            earlier: &self.earlier,
            only: &only,
            lines: ask.lines,
            distance: settings.distance,
            limits: ask.go.limits,
            stop: ask.stop,
            oracle: self.methods.oracle.as_deref().filter(|_| !ask.go.alone),
            book: self.methods.book.as_deref().filter(|_| !ask.go.alone),
            at_least: ask.go.at_least,
        };
        seeker.seek(&question, &mut |line| report(&self.info(line, ask.repeats)));
        self.seeker = Some(seeker);
    }

    /// A line of a search in words, no further than where the rules, or so many repetitions, end the game for what came
    /// before.
    fn info(&self, line: &Variation, repeats: Option<usize>) -> Info {
        let game = &*self.game;
        let mut now = self.position.clone();
        let mut pv = Vec::with_capacity(line.pv.len());
        // A line to a known end is whole.
        let open = line.score.exact().is_none_or(|value| value.plies().is_none());
        let mut earlier = if open { self.earlier.clone() } else { Vec::new() };
        for &place in &line.pv {
            let Some(m) = at_place(game, &now, place) else { break };
            pv.push(game.write_move(&now, m));
            let next = game.play(&now, m);
            let before = std::mem::replace(&mut now, next);
            if open {
                earlier.push(before);
                let times = || 1 + times(game, &earlier, &now);
                if game.drawn_by_history(&earlier, &now) || repeats.is_some_and(|most| times() >= most) {
                    break;
                }
            }
        }
        let Variation { depth, seldepth, nodes, hashfull, rank, score, .. } = *line;
        Info { depth, seldepth, nodes, hashfull, rank, score, unit: game.unit(), pv }
    }
}

impl<G: Scored + Notation> Board for Erased<G> {
    fn unit(&self) -> Unit {
        self.game.unit()
    }

    fn set_up(&mut self, position: Option<&str>) -> Result<(), String> {
        let position = match position {
            None => self.game.start(),
            Some(text) => self.game.read_position(text)?,
        };
        self.stand_on(position);
        Ok(())
    }

    fn goes_on(&self, text: &str) -> bool {
        self.game.goes_on(text)
    }

    fn standing(&self) -> Standing {
        let (game, position) = (&*self.game, &self.position);
        let over = game.over(position);
        let result: Option<GameResult> = over.and_then(|_| result(game, position));
        let (turn, score, clock) = (game.turn(position), game.score(position), game.clock(position));
        Standing { turn, over, result, score, clock }
    }

    fn drawn(&self) -> bool {
        self.game.drawn_by_history(&self.earlier, &self.position)
    }

    fn repetitions(&self) -> usize {
        1 + times(&*self.game, &self.earlier, &self.position)
    }

    fn met_twice(&self) -> bool {
        let (game, earlier) = (&*self.game, &self.earlier);
        let again = |at: usize| times(game, &earlier[..at], &earlier[at]) > 0;
        times(game, earlier, &self.position) > 0 || (0..earlier.len()).rev().any(again)
    }

    fn draw(&self, how: Drawing<'_>) -> String {
        let (game, position) = (&*self.game, &self.position);
        match (how, self.methods.remarks) {
            (Drawing::Line, _) => game.write_position(position),
            (Drawing::Canonical, _) => game.write_position(&game.canonical(position)),
            (Drawing::Game, Some(remarks)) => remarks.draw_game(game, &self.earlier, position),
            (Drawing::Words(word), Some(remarks)) => {
                remarks.draw_with(game, position, &|m| word(&game.write_move(position, m)))
            }
            (Drawing::Board | Drawing::Game | Drawing::Words(_), _) => game.draw(position),
        }
    }

    fn play(&mut self, m: Move) -> Step {
        let m = self.the(m);
        let next = self.game.play(&self.position, m);
        let step = step(&*self.game, &self.position, m, &next);
        self.earlier.push(std::mem::replace(&mut self.position, next));
        self.asked.push(std::mem::take(&mut self.moves));
        step
    }

    fn undo(&mut self) -> bool {
        let (Some(position), Some(moves)) = (self.earlier.pop(), self.asked.pop()) else { return false };
        (self.position, self.moves) = (position, moves);
        true
    }

    fn list(&mut self, which: Listed, limit: usize) -> Option<Vec<Move>> {
        let (game, position) = (&*self.game, &self.position);
        let mut moves = Vec::new();
        let mut push = |m| {
            moves.push(m);
            flow(moves.len() < limit)
        };
        match which {
            Listed::Legal => {
                if limit > 0 && game.over(position).is_none() {
                    let _ = each_move(game, position, &mut push);
                }
            }
            Listed::Onward => {
                self.methods.onward?(game, position, &mut push);
                moves.truncate(limit);
            }
            Listed::Keeping => {
                let oracle = self.oracles().find(|oracle| oracle.value(game, position).is_some())?;
                moves = oracle.keeping_moves(game, position)?;
                moves.truncate(limit);
            }
            Listed::Worth(value) if limit > 0 => self.each_valued(&mut |m, worth| {
                if worth == Some(value) {
                    moves.push(m);
                }
                moves.len() < limit
            }),
            Listed::Worth(_) => {}
        }
        Some(self.moves.number(moves))
    }

    fn each_successor(&self, visit: &mut dyn FnMut(Successor) -> bool) {
        let (game, position) = (&*self.game, &self.position);
        if game.over(position).is_some() {
            return;
        }
        let _ = each_child(game, position, &mut |m, child, step| {
            let word = game.write_move(position, m);
            // What the rules say where the child is set up by itself: a clock in the position may end the game.
            let drawn = || game.drawn_by_history(&[], child).then_some(Value::DRAW);
            let over = game.over(child).or_else(drawn);
            flow(visit(Successor { word, position: game.write_position(child), step, over }))
        });
    }

    fn count_moves(&self, limit: usize) -> usize {
        let mut count = 0;
        if limit > 0 && self.game.over(&self.position).is_none() {
            let _ = each_move(&*self.game, &self.position, &mut |_| {
                count += 1;
                flow(count < limit)
            });
        }
        count
    }

    fn find(&mut self, word: &str) -> Option<Move> {
        let m = self.game.read_move(&self.position, word)?;
        self.moves.number(vec![m]).first().copied()
    }

    fn word(&self, m: Move) -> String {
        self.game.write_move(&self.position, self.the(m))
    }

    fn note(&self, m: Move) -> String {
        self.game.write_note(&self.position, self.the(m))
    }

    fn clear(&mut self, shelf: usize) {
        if shelf >= self.shelves.len() {
            self.shelves.resize_with(shelf + 1, Interner::default);
        }
        self.shelves[shelf] = Interner::default();
    }

    fn shelve(&mut self, shelf: usize, kept: Kept) -> (u32, bool) {
        let (game, position) = (&*self.game, &self.position);
        let kept = match kept {
            Kept::Image => game.canonical(position),
            Kept::Clockless => game.without_clock(position),
            Kept::Essence => game.essence(position),
            Kept::Position => {
                let facts = |position: &G::Position| (game.turn(position), game.score(position));
                let essence = game.essence(position);
                if facts(&essence) == facts(position) { essence } else { position.clone() }
            }
        };
        self.shelves[shelf].insert(kept)
    }

    fn unshelve(&mut self, shelf: usize, place: u32) {
        self.stand_on(self.shelves[shelf].list()[place as usize].clone());
    }

    fn shelved(&self) -> u64 {
        // What a position keeps elsewhere is about as much again as its line.
        let elsewhere = if std::mem::needs_drop::<G::Position>() {
            self.game.write_position(&self.position).len() * 4
        } else {
            0
        };
        let shelves =
            self.shelves.iter().map(|shelf| shelf.bytes() + (shelf.list().len() * elsewhere) as u64);
        shelves.sum::<u64>() + self.states.as_ref().map_or(0, |states| states.bytes(elsewhere))
    }

    fn begin_states(&mut self) {
        let game = &*self.game;
        let numbers = self.oracles().find_map(|oracle| oracle.states(game));
        self.states = Some(StateSet::new(game, &self.position, numbers));
    }

    fn expand(
        &mut self,
        place: u32,
        visit: &mut dyn FnMut(u32, bool, Step) -> bool,
    ) -> Result<Option<Value>, String> {
        let states = self.states.as_mut().ok_or("no states were begun")?;
        states.expand(&self.game, place, visit)
    }

    fn end_states(&mut self) {
        self.states = None;
    }

    fn ready(&mut self, need: &Need<'_>) -> Result<(), SolveError> {
        for oracle in self.methods.book.iter().chain(&self.methods.oracle) {
            match oracle.ready(&self.game, &self.position, need) {
                // The search answers where there is no table.
                Err(SolveError::NoTable { .. }) if self.methods.search.is_some() => {}
                done => done?,
            }
        }
        Ok(())
    }

    fn value(&self) -> Option<Value> {
        self.known(&self.position)
    }

    fn worth(&self, m: Move) -> Option<Value> {
        let (game, m) = (&*self.game, self.the(m));
        let child = game.play(&self.position, m);
        let value = self.known(&child)?;
        Some(value.back(step(game, &self.position, m, &child)))
    }

    fn pace(&self, m: Move) -> Option<u32> {
        self.oracles().find_map(|oracle| oracle.pace(&self.game, &self.position, self.the(m)))
    }

    fn each_worth(&self, visit: &mut dyn FnMut(Option<Value>) -> bool) {
        self.each_valued(&mut |_, worth| visit(worth));
    }

    fn most_valued(&mut self, limit: usize, until: Option<Instant>) -> (Vec<(Move, Option<Value>)>, bool) {
        let mut highest = Highest::new(limit);
        let (mut looked, mut cut) = (0_usize, false);
        self.each_valued(&mut |_, worth| {
            highest.add(worth);
            looked += 1;
            cut = looked.is_multiple_of(FEW) && until.is_some_and(|until| Instant::now() >= until);
            !cut
        });
        let places = highest.places();
        let (mut at, mut moves) = (0, Vec::new());
        if !places.is_empty() {
            let _ = each_move(&*self.game, &self.position, &mut |m| {
                if places.get(moves.len()) == Some(&at) {
                    moves.push(m);
                }
                at += 1;
                flow(moves.len() < places.len())
            });
        }
        let (list, truncated) = highest.ranked(&places, &self.moves.number(moves));
        (list, truncated || cut)
    }

    fn without_rule(&self) -> Option<(Value, &'static str)> {
        self.methods.oracle.as_ref()?.without_rule(&self.game, &self.position)
    }

    fn grundy(&self, work: &Work<'_>) -> Grundy {
        let (game, position) = (&*self.game, &self.position);
        if let Some(worth) = &self.methods.worth {
            return worth.grundy(game, position, work);
        }
        if let Some(number) = self.oracles().find_map(|oracle| oracle.grundy(game, position, work)) {
            return Grundy::Number(number);
        }
        let why = self.oracles().find_map(|oracle| oracle.no_grundy(game));
        Grundy::Unknown(why.unwrap_or_else(|| {
            match game.unit() {
                Unit::Points | Unit::Fractions(_) => "points decide, not the last move",
                Unit::Outcome => "the players have different moves, or the last move does not decide",
            }
            .to_owned()
        }))
    }

    fn canonical_form(&self, work: &Work<'_>) -> Canonical {
        match &self.methods.worth {
            Some(worth) => worth.canonical(&self.game, &self.position, work),
            None => Canonical::of(&self.grundy(work)),
        }
    }

    fn perft(&self, depth: u32) -> u64 {
        perft(&*self.game, &self.position, depth)
    }

    fn remarks(&mut self, settings: &Settings, work: &Work<'_>) -> Vec<String> {
        self.methods.remarks.map_or(Vec::new(), |remarks| remarks.remarks(self, settings, work))
    }

    fn loony(&mut self, settings: &Settings, work: &Work<'_>) -> Option<LoonyMoves> {
        self.methods.loony?(self, settings, work)
    }

    fn searches(&self) -> bool {
        self.methods.search.is_some()
    }

    fn evaluates(&self) -> bool {
        self.methods.textbook.is_some()
    }

    fn effort(&self) -> Option<String> {
        self.methods.remarks?.effort(&self.game, &self.position)
    }

    fn search(&mut self, ask: &Ask<'_>, settings: &Settings, report: &mut dyn FnMut(&Info)) {
        self.seek(ask, settings, report);
    }

    fn forget(&mut self) {
        self.seeker = None;
    }

    fn keep(
        &mut self,
        name: &str,
        file: &Path,
        every: Duration,
        settings: &Settings,
    ) -> Option<Result<bool, TableError>> {
        let mut seeker = self.seeker(settings)?;
        let keeper = SearchFile { path: file.to_owned(), name: name.to_owned(), every };
        let kept = seeker.keep(keeper);
        self.seeker = Some(seeker);
        kept
    }

    fn bytes(&self) -> u64 {
        let Methods { oracle, book, worth, .. } = &self.methods;
        let oracles = oracle.iter().chain(book).map(|oracle| oracle.bytes()).sum::<u64>();
        // One method may be both.
        let both = oracle.iter().zip(worth).any(|(oracle, worth)| {
            std::ptr::eq(Arc::as_ptr(oracle).cast::<()>(), Arc::as_ptr(worth).cast::<()>())
        });
        oracles + worth.iter().filter(|_| !both).map(|worth| worth.bytes()).sum::<u64>()
    }

    fn tabled<'a>(&'a self, home: &'a Home, book: Option<u32>) -> Option<Box<dyn Tabled + 'a>> {
        let openings =
            self.methods.book.as_deref().and_then(|openings| openings.tabled(&self.game, home, book));
        openings.or_else(|| self.methods.oracle.as_deref()?.tabled(&self.game, home, book))
    }

    fn division(&self) -> Option<Division> {
        self.methods.division?(&self.game)
    }

    fn numberings(&self) -> Vec<Numbering> {
        self.methods.numberings.iter().map(|numbering| numbering.facts).collect()
    }

    fn number(&self, numbering: &str) -> Option<u64> {
        let found = self.methods.numberings.iter().find(|known| known.facts.name == numbering)?;
        Some((found.index)(&self.game, &self.position))
    }

    fn numbered(&self, numbering: &str, number: u64) -> Option<String> {
        let found = self.methods.numberings.iter().find(|known| known.facts.name == numbering)?;
        (found.position)(&self.game, number).map(|position| self.game.write_position(&position))
    }

    fn fork(&self) -> Box<dyn Board> {
        Box::new(Erased {
            game: self.game.clone(),
            position: self.game.start(),
            earlier: Vec::new(),
            moves: NumberedMoves::default(),
            asked: Vec::new(),
            methods: self.methods.clone(),
            seeker: None,
            shelves: Vec::new(),
            states: None,
        })
    }
}
