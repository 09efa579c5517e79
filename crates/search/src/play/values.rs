//! [`Board`](grundy_session::Board) implemented for one type of game: values, searches and tables.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use grundy_core::game::{Notation, Scored, each_move, step};
use grundy_core::table::TableError;
use grundy_core::value::{Score, Unit, Value};
use grundy_core::weights::Weights;
use grundy_session::{
    Annotation, Canonical, Division, Go, Grundy, Home, Info, KeptTable, Limits, Move, MoveQuestion, Need,
    Numbering, Search, Settings, SolveError, Tabled, Tables, Values, Work,
};

use super::erased::{Erased, Explanation, Methods, flow};
use super::highest::Highest;
use super::seeker::{SearchMethod, widest};
use crate::Question;
use crate::evaluator::{ByWeights, Evaluator};
use crate::mcts::MonteCarlo;
use crate::windows::SearchFile;

/// Moves that are looked at between two checks of the deadline.
const FEW: usize = 64;

impl<G: Scored + Notation> Values for Erased<G> {
    fn ready(&mut self, need: &Need<'_>) -> Result<(), SolveError> {
        for oracle in self.book().into_iter().chain(self.methods.oracle.as_deref()) {
            match oracle.ready(&self.game, &self.position, need) {
                // The search answers where there is no table.
                Err(SolveError::NoTable { .. }) if self.methods.search.is_some() => {}
                done => done?,
            }
        }
        Ok(())
    }

    fn use_book(&mut self, on: bool) {
        self.uses_book = on;
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
                Unit::Outcome => "no method of this game finds the number",
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

    fn remarks(&mut self, settings: &Settings, work: &Work<'_>) -> Vec<String> {
        let methods = self.methods.clone();
        let remarks = |Explanation { annotator, remarks, .. }: &Explanation<G>| {
            remarks(self, &**annotator, settings, work)
        };
        methods.annotator.as_ref().map(remarks).unwrap_or_default()
    }

    fn certificate(&self, stop: &AtomicBool) -> Option<String> {
        self.methods.annotator.as_ref()?.annotator.certificate(&self.game, &self.position, stop)
    }

    fn annotation(&self) -> Option<&'static str> {
        self.methods.annotator.as_ref()?.annotator.name(&self.game)
    }

    fn annotate(&mut self, settings: &Settings, work: &Work<'_>) -> Option<Annotation> {
        self.annotation()?;
        let methods = self.methods.clone();
        let Explanation { annotator, annotate, .. } = methods.annotator.as_ref()?;
        Some(annotate(self, &**annotator, settings, work))
    }

    fn bytes(&self) -> u64 {
        let Methods { oracle, book, worth, .. } = &*self.methods;
        let oracles = oracle.iter().chain(book).map(|oracle| oracle.bytes()).sum::<u64>();
        // One method may be both.
        let both = oracle.iter().zip(worth).any(|(oracle, worth)| {
            std::ptr::eq(Arc::as_ptr(oracle).cast::<()>(), Arc::as_ptr(worth).cast::<()>())
        });
        oracles + worth.iter().filter(|_| !both).map(|worth| worth.bytes()).sum::<u64>()
    }
}

impl<G: Scored + Notation> Search for Erased<G> {
    fn evaluate_by(&mut self, weights: Option<Arc<Weights>>) {
        self.weights = weights;
        self.forget();
    }

    fn searches(&self) -> bool {
        self.methods.search.is_some()
    }

    fn evaluates(&self) -> bool {
        self.methods.textbook.is_some()
    }

    fn effort(&self) -> Option<String> {
        self.game.effort(&self.position)
    }

    fn search(
        &mut self,
        go: &Go,
        only: &[Move],
        settings: &Settings,
        stop: &AtomicBool,
        report: &mut dyn FnMut(Info),
    ) {
        let own = self.seeker(settings);
        let keeps = own.is_some();
        let mut seeker = own.unwrap_or_else(|| Box::new(<MonteCarlo<G> as SearchMethod<G>>::new(settings)));
        let only: Vec<G::Move> = only.iter().map(|&m| self.the(m)).collect();
        // A search without limits ends with a proof, whose nodes depend on no weights.
        let limited = go.limits.are_tight() || go.limits.infinite;
        let learned = self.weights.clone().filter(|_| limited).map(ByWeights);
        let question = Question {
            earlier: &self.earlier,
            only: &only,
            lines: settings.multi_pv.max(1),
            distance: settings.distance,
            limits: go.limits,
            stop,
            oracle: self.methods.oracle.as_deref().filter(|_| !go.alone),
            book: self.book().filter(|_| !go.alone),
            evaluator: learned.as_ref().map(|learned| learned as &dyn Evaluator<G>),
            at_least: go.at_least,
            ..Question::new(&*self.game, &self.position)
        };
        seeker.seek(&question, &mut |info| {
            let mut told = self.in_words(&info);
            // What rests on rules that cannot be followed is proved by nobody.
            if !matches!(told.score, Score::Guess(_)) && self.game.unvalued().is_some() {
                told.score = Score::Guess(0);
            }
            report(told);
        });
        // Playouts in place of a search only guess: they answer no question of values.
        self.seeker = Some(seeker).filter(|_| keeps);
    }

    fn bounds(
        &mut self,
        m: Move,
        asked: &MoveQuestion,
        settings: &Settings,
        limits: Limits,
        stop: &AtomicBool,
    ) -> (Value, Value) {
        let Some(mut seeker) = self.seeker(settings) else { return widest(self.game.unit()) };
        let question = Question {
            earlier: &self.earlier,
            only: &[self.the(m)],
            distance: asked.distance,
            limits,
            stop,
            oracle: self.methods.oracle.as_deref(),
            book: self.book(),
            at_most: asked.at_most,
            ..Question::new(&*self.game, &self.position)
        };
        let found = seeker.bounds(&question, asked.target);
        self.seeker = Some(seeker);
        let widest = widest(self.game.unit());
        if found != widest && self.game.unvalued().is_some() { widest } else { found }
    }

    fn reaching(&mut self, target: Value, settings: &Settings, stop: &AtomicBool) -> Option<Option<Move>> {
        let mut seeker = self.seeker(settings)?;
        let question = Question { stop, ..Question::new(&*self.game, &self.position) };
        let found = seeker.reaching(&question, target);
        self.seeker = Some(seeker);
        found.map(|m| self.moves.number(vec![m?]).first().copied())
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
}

impl<G: Scored + Notation> Tables for Erased<G> {
    fn tabled<'a>(&'a self, home: &'a Home, book: Option<u32>) -> Option<Box<dyn Tabled + 'a>> {
        let openings =
            self.methods.book.as_deref().and_then(|openings| openings.tabled(&self.game, home, book));
        openings.or_else(|| self.methods.oracle.as_deref()?.tabled(&self.game, home, book))
    }

    fn kept<'a>(&'a self, file: &Path) -> Option<Result<KeptTable<'a>, TableError>> {
        self.methods.oracle.as_deref()?.kept(&self.game, file)
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
}
