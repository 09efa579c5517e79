//! [`Board`] implemented for one type of game: its rules. `values.rs` has its values, searches and tables.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use grundy_core::game::{
    Flow, Game, GameResult, MORE, Notation, Scored, each_child, each_move, perft_while, result, step,
};
use grundy_core::interner::Interner;
use grundy_core::value::{Step, Unit, Value};
use grundy_core::weights::Weights;
use grundy_session::{
    Annotation, Board, Division, Drawing, Drawn, Enumeration, Evaluation, Form, Info, Listed, Method, Move,
    REPETITIONS, Rules, Settings, Standing, Successor, Work,
};

use super::numbers::{NumberedBy, NumberedMoves};
use super::seeker::{MakeSearch, SearchMethod};
use super::states::StateSet;
use crate::mcts::MonteCarlo;
use grundy_sums::Worth;
use grundy_tables::{Annotator, Oracle};

/// The methods that answer for a game; each is optional.
pub(super) struct Methods<G: Game> {
    pub oracle: Option<Arc<dyn Oracle<G>>>,
    pub book: Option<Arc<dyn Oracle<G>>>,
    pub search: Option<MakeSearch<G>>,
    pub annotator: Option<Explanation<G>>,
    pub worth: Option<Arc<dyn Worth<G>>>,
    /// The search of the textbooks.
    pub textbook: Option<MakeSearch<G>>,
    /// The moves that the board leaves room for, in games that can be played on past their end.
    pub onward: Option<Visit<G>>,
    /// The division of the moves for tables in parts.
    pub division: Option<fn(&G) -> Option<Division>>,
    /// Numberings beside that of the table.
    pub numberings: &'static [NumberedBy<G>],
}

/// A method that marks and explains positions, and how a session asks it.
pub(super) struct Explanation<G: Game> {
    pub(super) annotator: Arc<dyn Annotator<G>>,
    pub(super) remarks: Ask<G, Vec<String>>,
    pub(super) annotate: Ask<G, Annotation>,
}

/// Asks about the position of a session, with a source of exact values.
type Ask<G, T> = fn(&mut Erased<G>, &dyn Annotator<G>, &Settings, &Work<'_>) -> T;

impl<G: Game> Default for Methods<G> {
    fn default() -> Methods<G> {
        Methods {
            oracle: None,
            book: None,
            search: None,
            annotator: None,
            worth: None,
            textbook: None,
            onward: None,
            division: None,
            numberings: &[],
        }
    }
}

/// Returns whether a listing of moves continues.
pub(super) fn flow(more: bool) -> Flow {
    if more { MORE } else { ControlFlow::Break(()) }
}

/// A game, its positions on a stack, and its methods.
pub(super) struct Erased<G: Game> {
    pub(super) game: Arc<G>,
    pub(super) position: G::Position,
    /// The position as it was reached, if a clock has ended the game in it and `position` is the unclaimed one.
    reached: Option<G::Position>,
    /// The positions before it, oldest first.
    pub(super) earlier: Vec<G::Position>,
    pub(super) moves: NumberedMoves<G::Move>,
    /// The moves that were asked about in the positions before.
    asked: Vec<NumberedMoves<G::Move>>,
    pub(super) methods: Arc<Methods<G>>,
    /// True if the third repetition of a position ends the game.
    repetition_ends: bool,
    /// True if play goes on after a draw by the game's own rules about its history.
    draws_are_claimed: bool,
    /// True if the opening book answers.
    pub(super) uses_book: bool,
    /// The search, once it was needed.
    pub(super) seeker: Option<Box<dyn SearchMethod<G>>>,
    /// The learned evaluation.
    pub(super) weights: Option<Arc<Weights>>,
    sets: Vec<Interner<G::Position>>,
    states: Option<StateSet<G>>,
}

/// Returns the number of `earlier` positions that `now` repeats.
#[inline(never)]
fn times<G: Game>(game: &G, earlier: &[G::Position], now: &G::Position) -> usize {
    earlier.iter().filter(|position| game.repeats(position, now)).count()
}

/// Visits moves of a position.
pub(super) type Visit<G> = fn(&G, &<G as Game>::Position, &mut dyn FnMut(<G as Game>::Move) -> Flow);

impl<G: Scored + Notation> Erased<G> {
    pub(super) fn new(game: Arc<G>, methods: Arc<Methods<G>>) -> Erased<G> {
        Erased {
            position: game.start(),
            reached: None,
            game,
            earlier: Vec::new(),
            moves: NumberedMoves::default(),
            asked: Vec::new(),
            methods,
            repetition_ends: false,
            draws_are_claimed: false,
            uses_book: true,
            seeker: None,
            weights: None,
            sets: Vec::new(),
            states: None,
        }
    }

    /// Returns the methods that know values, in the order in which they are asked.
    pub(super) fn oracles(&self) -> impl Iterator<Item = &dyn Oracle<G>> {
        self.methods.oracle.as_deref().into_iter().chain(self.book())
    }

    /// Returns the opening book, unless it is not to be used.
    pub(super) fn book(&self) -> Option<&dyn Oracle<G>> {
        self.methods.book.as_deref().filter(|_| self.uses_book)
    }

    /// Visits the legal moves with their exact values, until `visit` returns false.
    pub(super) fn each_valued(&self, visit: &mut dyn FnMut(G::Move, Option<Value>) -> bool) {
        let (game, position) = (&*self.game, &self.position);
        if game.over(position).is_some() {
            return;
        }
        let _ = each_child(game, position, &mut |m, child, step| {
            flow(visit(m, self.known(child).map(|value| value.back(step))))
        });
    }

    /// Returns the exact value of a position, if a method knows it.
    pub(super) fn known(&self, position: &G::Position) -> Option<Value> {
        self.oracles().find_map(|oracle| oracle.value(&self.game, position))
    }

    pub(super) fn the(&self, m: Move) -> G::Move {
        self.moves.all()[m.0 as usize]
    }

    /// Returns why the history `earlier` ends the game as a draw with the position `now`.
    fn drawn_after(&self, earlier: &[G::Position], now: &G::Position) -> Option<Drawn> {
        if self.game.drawn_by_history(earlier, now) {
            return Some(Drawn::ByRules);
        }
        let ends = self.repetition_ends && times(&*self.game, earlier, now) + 1 >= REPETITIONS;
        ends.then_some(Drawn::ByRepetition)
    }

    /// Returns the position in this form.
    fn in_form(&self, form: Form) -> G::Position {
        let (game, position) = (&*self.game, &self.position);
        match form {
            Form::Canonical => game.canonical(position),
            Form::Clockless => game.without_clock(position),
            Form::Essence => game.essence(position),
            Form::Position => {
                let bare = game.without_clock(position);
                let same = bare == *position || game.essence(&bare) == game.essence(position);
                if same { bare } else { position.clone() }
            }
        }
    }

    /// Begins a new game from a position.
    fn begin_at(&mut self, position: G::Position) {
        self.change_to(position);
        self.earlier.clear();
        self.moves = NumberedMoves::default();
        self.asked.clear();
    }

    /// Changes the position; returns the one before as it was reached.
    fn change_to(&mut self, position: G::Position) -> G::Position {
        let unclaimed = if self.draws_are_claimed { self.game.unclaimed(&position) } else { None };
        let (position, reached) = match unclaimed {
            Some(unclaimed) => (unclaimed, Some(position)),
            None => (position, None),
        };
        let before = std::mem::replace(&mut self.position, position);
        std::mem::replace(&mut self.reached, reached).unwrap_or(before)
    }

    /// Takes the search, made anew if there is none yet.
    pub(super) fn seeker(&mut self, settings: &Settings) -> Option<Box<dyn SearchMethod<G>>> {
        self.seeker.take().or_else(|| {
            if let (Evaluation::Lines, Some(textbook)) = (settings.evaluation, self.methods.textbook) {
                return Some(textbook(settings));
            }
            match settings.method {
                Method::Own => self.methods.search.map(|search| search(settings)),
                Method::MonteCarlo => Some(Box::new(<MonteCarlo<G> as SearchMethod<G>>::new(settings))),
            }
        })
    }

    /// Returns a report with its moves in words. A line without a known end stops where the game's history would end it
    /// as a draw.
    pub(super) fn in_words(&self, info: &Info<G::Move>) -> Info {
        let game = &*self.game;
        let mut now = self.position.clone();
        let mut pv = Vec::with_capacity(info.pv.len());
        let open = info.score.exact().is_none_or(|value| value.plies().is_none());
        let mut earlier = if open { self.earlier.clone() } else { Vec::new() };
        for &m in &info.pv {
            pv.push(game.write_move(&now, m));
            let next = game.play(&now, m);
            let before = std::mem::replace(&mut now, next);
            if open {
                earlier.push(before);
                if self.drawn_after(&earlier, &now).is_some() {
                    break;
                }
            }
        }
        info.with_pv(pv)
    }
}

impl<G: Scored + Notation> Board for Erased<G> {
    fn fork(&self) -> Box<dyn Board> {
        let fork = Erased::new(self.game.clone(), self.methods.clone());
        Box::new(Erased {
            repetition_ends: self.repetition_ends,
            draws_are_claimed: self.draws_are_claimed,
            uses_book: self.uses_book,
            weights: self.weights.clone(),
            ..fork
        })
    }
}

impl<G: Scored + Notation> Rules for Erased<G> {
    fn unit(&self) -> Unit {
        self.game.unit()
    }

    fn set_up(&mut self, position: Option<&str>) -> Result<(), String> {
        let position = match position {
            None => self.game.start(),
            Some(text) => self.game.read_position(text)?,
        };
        self.begin_at(position);
        Ok(())
    }

    fn is_incomplete(&self, text: &str) -> bool {
        self.game.is_incomplete(text)
    }

    fn refusal(&self) -> Option<String> {
        self.game.refusal(&self.position)
    }

    fn breakdown(&self) -> Option<String> {
        self.game.breakdown()
    }

    fn unvalued(&self) -> Option<String> {
        self.game.unvalued()
    }

    fn standing(&self) -> Standing {
        let (game, position) = (&*self.game, &self.position);
        let over = game.over(position);
        let result: Option<GameResult> = over.and_then(|_| result(game, position));
        let (turn, score, clock) = (game.turn(position), game.score(position), game.clock(position));
        Standing { turn, over, result, score, clock }
    }

    fn end_by_repetition(&mut self) {
        self.repetition_ends = true;
    }

    fn claim_draws(&mut self, claimed: bool) {
        self.draws_are_claimed = claimed;
        let position = self.reached.take().unwrap_or_else(|| self.position.clone());
        self.change_to(position);
    }

    fn drawn(&self) -> Option<Drawn> {
        match self.reached {
            Some(_) => Some(Drawn::ByRules),
            None => self.drawn_after(&self.earlier, &self.position),
        }
    }

    fn repetitions(&self) -> usize {
        1 + times(&*self.game, &self.earlier, &self.position)
    }

    fn met_twice(&self) -> bool {
        let mut met = Interner::default();
        let positions = self.earlier.iter().chain([&self.position]);
        positions.map(|position| self.game.without_clock(position)).any(|position| !met.insert(position).1)
    }

    fn draw(&self, how: Drawing<'_>) -> String {
        let (game, position) = (&*self.game, &self.position);
        match how {
            Drawing::Line => game.write_position(self.reached.as_ref().unwrap_or(position)),
            Drawing::Canonical => game.write_position(&game.canonical(position)),
            Drawing::Board => game.draw(position),
            Drawing::Game => game.draw_game(&self.earlier, position),
            Drawing::Words(word) => game.draw_words(position, &|m| word(&game.write_move(position, m))),
        }
    }

    fn cells(&self, cells: &mut Vec<u8>) {
        self.game.cells(&self.position, cells);
    }

    fn play(&mut self, m: Move) -> Step {
        let m = self.the(m);
        let next = self.game.play(&self.position, m);
        let step = step(&*self.game, &self.position, m, &next);
        let before = self.change_to(next);
        self.earlier.push(before);
        self.asked.push(std::mem::take(&mut self.moves));
        step
    }

    fn undo(&mut self) -> bool {
        let (Some(position), Some(moves)) = (self.earlier.pop(), self.asked.pop()) else { return false };
        self.change_to(position);
        self.moves = moves;
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

    fn keeping_is_whole(&self) -> bool {
        let (game, position) = (&*self.game, &self.position);
        let oracle = self.oracles().find(|oracle| oracle.value(game, position).is_some());
        oracle.is_none_or(|oracle| oracle.keeping_is_whole(game, position))
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

    fn perft(&self, depth: u32, stop: &AtomicBool) -> Option<u64> {
        perft_while(&*self.game, &self.position, depth, &|| !stop.load(Ordering::Relaxed))
    }
}

impl<G: Scored + Notation> Enumeration for Erased<G> {
    fn clear(&mut self, set: usize) {
        if set >= self.sets.len() {
            self.sets.resize_with(set + 1, Interner::default);
        }
        self.sets[set] = Interner::default();
    }

    fn insert(&mut self, set: usize, form: Form) -> (u32, bool) {
        let stored = self.in_form(form);
        self.sets[set].insert(stored)
    }

    fn index_in(&self, set: usize, form: Form) -> Option<u32> {
        self.sets.get(set)?.number(&self.in_form(form))
    }

    fn load(&mut self, set: usize, index: u32) {
        self.begin_at(self.sets[set].list()[index as usize].clone());
    }

    fn set_bytes(&self) -> u64 {
        // A rough guess of a position's heap memory: four times the length of its text.
        let elsewhere = if std::mem::needs_drop::<G::Position>() {
            self.game.write_position(&self.position).len() * 4
        } else {
            0
        };
        let sets = self.sets.iter().map(|set| set.bytes() + (set.list().len() * elsewhere) as u64);
        sets.sum::<u64>() + self.states.as_ref().map_or(0, |states| states.bytes(elsewhere))
    }

    fn begin_states(&mut self) {
        let game = &*self.game;
        let numbers = self.oracles().find_map(|oracle| oracle.states(game));
        self.states = Some(StateSet::new(game, &self.position, numbers));
    }

    fn expand(
        &mut self,
        index: u32,
        visit: &mut dyn FnMut(u32, bool, Step) -> bool,
    ) -> Result<Option<Value>, String> {
        let states = self.states.as_mut().ok_or("no states were begun")?;
        states.expand(&self.game, index, visit)
    }

    fn end_states(&mut self) {
        self.states = None;
    }
}
