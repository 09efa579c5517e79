//! A search from `go` to `bestmove`.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::clock;
use super::state::{Busy, Engine, Search};
use super::worker::{Job, Task};
use crate::protocol::{Dialect, GoWords, bound_free, clean, info_line};
use grundy_core::value::{Score, Unit, Wdl};
use grundy_session::{Go, Info};

/// Time that a stopped search has for its answer before the loop answers in its place.
const PATIENCE: Duration = Duration::from_millis(5);
/// Maximum number of moves among which a weakened engine chooses.
const LISTED: usize = 1_000;

impl<W: Write> Engine<W> {
    /// Begins a search (`go`): sends the session to the worker, or answers at once if there is nothing to search. With `reply` the move
    /// is played as well.
    pub fn go(&mut self, words: GoWords, read: Instant, reply: bool) -> io::Result<()> {
        for fault in &words.faults {
            self.error(&clean(fault))?;
        }
        if words.unread_perft {
            return self.say("Nodes searched: 0");
        }
        let Some(session) = self.session.as_mut().filter(|_| !self.refused) else {
            return self.say(if words.perft.is_some() { "Nodes searched: 0" } else { "bestmove 0000" });
        };
        if let Some(depth) = words.perft {
            return self.errand(Task::Perft(depth));
        }
        if let Some(value) = session.ended() {
            return match self.dialect {
                Dialect::Ugi => self.say("bestmove 0000"),
                Dialect::Uci => {
                    let score = if value.plies().is_some() { "mate" } else { "cp" };
                    self.say(&format!("info depth 0 score {score} 0"))?;
                    self.say("bestmove (none)")
                }
            };
        }
        // A client that sends `setoption` and `go` at once does not lose the time of opening the game.
        let began = read.max(self.opened);
        let mover = session.turn();
        let limits = clock::limits(&words, mover, began, self.options.overhead);
        let ours = |word: &str| self.variant.map_or_else(|| word.to_owned(), |v| v.move_in(word));
        let search_moves: Vec<String> = words.search_moves.iter().map(ours).collect();
        let stop = Arc::new(AtomicBool::new(false));
        let search = Box::new(Search {
            stop: stop.clone(),
            held: words.infinite || words.ponder,
            words,
            began,
            mover,
            position: session.position(),
            dialect: self.dialect,
            reply,
            deadline: limits.hard,
            stopped: None,
            told: false,
            lines: BTreeMap::new(),
            answer: None,
        });
        if self.options.weaken > 0 && self.random.below(100) < self.options.weaken as usize {
            let mut legal = session.legal_moves(LISTED);
            if legal.iter().any(|word| search_moves.contains(word)) {
                legal.retain(|word| search_moves.contains(word));
            }
            let unit = session.unit();
            if let Some(word) = legal.get(self.random.below(legal.len())) {
                return self.answer_unsearched(search, word.clone(), unit);
            }
        }
        let Some(session) = self.session.take() else { return self.no_game() };
        log::debug!("go: {} at {}, {limits:?}", session.name(), search.position);
        let go = Go { limits, search_moves, ..Go::default() };
        self.busy = Busy::Search(search);
        self.link.begin(&stop);
        let _ = self.jobs.send(Job { session, task: Task::Go(go), stop });
        Ok(())
    }

    /// Answers with an arbitrary move.
    fn answer_unsearched(&mut self, mut search: Box<Search>, word: String, unit: Unit) -> io::Result<()> {
        let info = Info::new(Score::Guess(1), unit, vec![word.clone()]);
        search.answer = Some(Some(word));
        let held = search.held;
        self.busy = Busy::Search(search);
        self.report(info)?;
        if held { Ok(()) } else { self.finish() }
    }

    /// Ends the search, which answers with its best move so far.
    pub fn stop_search(&mut self) -> io::Result<()> {
        let Busy::Search(search) = &mut self.busy else { return Ok(()) };
        search.stop.store(true, Ordering::Relaxed);
        search.held = false;
        search.stopped.get_or_insert_with(Instant::now);
        if search.answer.is_some() { self.finish() } else { Ok(()) }
    }

    /// Returns the instant at which the loop must end the search or answer in its place.
    pub fn alarm(&self) -> Option<Instant> {
        let Busy::Search(search) = &self.busy else { return None };
        match search.stopped {
            None => search.deadline,
            Some(stopped) => {
                (!search.told && !search.reply && search.lines.contains_key(&1)).then(|| stopped + PATIENCE)
            }
        }
    }

    /// Handles the alarm. On a loaded machine the worker may not be scheduled for a while, so the loop answers with
    /// what a stopped search has found so far.
    pub fn out_of_time(&mut self) -> io::Result<()> {
        let Busy::Search(search) = &mut self.busy else { return Ok(()) };
        if search.stopped.is_none() {
            return self.stop_search();
        }
        let best = search.lines.get(&1).and_then(|info| info.pv.first().cloned());
        self.say_best(best)?;
        if let Busy::Search(search) = &mut self.busy {
            search.told = true;
        }
        Ok(())
    }

    /// Continues the search on the engine's own clock (`ponderhit`).
    pub fn ponder_hit(&mut self) -> io::Result<()> {
        let Busy::Search(search) = &mut self.busy else { return Ok(()) };
        if !search.words.ponder || !search.held {
            return Ok(());
        }
        search.held = search.words.infinite;
        let time = clock::after_ponderhit(&search.words, search.mover, self.options.overhead);
        search.deadline = time.map(|time| Instant::now() + time);
        let proved = search.lines.get(&1).is_some_and(|info| info.score.exact().is_some());
        match search.held {
            true => Ok(()),
            // What is proved needs no more time, though a search on the opponent's time goes on until it is stopped.
            false if proved => self.stop_search(),
            false if search.answer.is_some() => self.finish(),
            false => Ok(()),
        }
    }

    /// Handles a report of the worker.
    pub fn report(&mut self, info: Info) -> io::Result<()> {
        let Busy::Search(mut search) = std::mem::replace(&mut self.busy, Busy::Idle) else { return Ok(()) };
        let told = if search.told { Ok(()) } else { self.tell(&search, &info, info.score) };
        let wanted = search.words.mate.filter(|_| info.rank == 1 && !search.held);
        let within = |moves: u32| {
            let (Score::Exact(value) | Score::AtLeast(value)) = info.score else { return false };
            value.wdl() == Wdl::Win && value.plies().is_some_and(|plies| plies < moves.saturating_mul(2))
        };
        let found = wanted.is_some_and(within);
        search.lines.insert(info.rank, Rc::new(info));
        self.busy = Busy::Search(search);
        told?;
        // A mate within this number of moves was asked for, and no shorter one.
        if found { self.stop_search() } else { Ok(()) }
    }

    /// Handles the worker's move.
    pub fn found(&mut self, word: Option<String>) -> io::Result<()> {
        let Busy::Search(search) = &mut self.busy else { return Ok(()) };
        search.answer = Some(word);
        if search.held { Ok(()) } else { self.finish() }
    }

    /// Ends a search whose session has returned; writes the answer unless that was done before.
    fn finish(&mut self) -> io::Result<()> {
        let Busy::Search(search) = &self.busy else { return Ok(()) };
        let (told, answer) = (search.told, search.answer.clone().flatten());
        if search.reply
            && let (Some(session), Some(word)) = (&mut self.session, &answer)
            && let Err(why) = session.play(word)
        {
            log::error!("internal error: {why}");
        }
        if !told {
            self.say_best(answer)?;
        }
        self.busy = Busy::Idle;
        Ok(())
    }

    /// Writes the last `info` line of each rank that had a bound, without it, and `bestmove`.
    fn say_best(&mut self, word: Option<String>) -> io::Result<()> {
        let Busy::Search(search) = std::mem::replace(&mut self.busy, Busy::Idle) else { return Ok(()) };
        for last in search.lines.values() {
            if matches!(last.score, Score::AtLeast(_) | Score::AtMost(_)) {
                self.tell(&search, last, bound_free(last.score, last.unit))?;
            }
        }
        if let Some(why) = self.cut_short(&search) {
            self.note(why)?;
        }
        let line = word.map_or_else(|| "0000".to_owned(), |word| self.best_words(&search, word));
        log::debug!("bestmove {line} after {} ms", search.began.elapsed().as_millis());
        self.busy = Busy::Search(search);
        self.say(&format!("bestmove {line}"))
    }

    /// Returns a note for an answer that was not searched to the limits of `go`.
    fn cut_short(&self, search: &Search) -> Option<&'static str> {
        search.stopped?;
        let best = search.lines.get(&1);
        match best.is_none_or(|info| info.nodes == 0 && info.score.exact().is_none()) {
            true if self.quitting => Some("quit came before the search began: the move is not searched"),
            true => Some("stopped before the search found anything: the move is not searched"),
            false if self.quitting && best.is_some_and(|info| info.score.exact().is_none()) => {
                Some("quit came before the limits of the search: the move is searched no further")
            }
            false => None,
        }
    }

    /// Returns the move, and the expected reply for a client that lets the engine ponder on it.
    fn best_words(&self, search: &Search, word: String) -> String {
        let pv = search.lines.get(&1).map_or(&[][..], |info| &info.pv);
        let wanted = self.options.ponder && search.dialect == Dialect::Uci;
        let expected = pv.get(1).filter(|_| wanted && pv[0] == word).cloned();
        let line: Vec<String> = std::iter::once(word).chain(expected).collect();
        self.variant.map_or_else(|| line.clone(), |v| v.line_out(&line, &search.position)).join(" ponder ")
    }

    /// Writes the `info` line of a report, with `score` in place of its own.
    fn tell(&mut self, search: &Search, info: &Info, score: Score) -> io::Result<()> {
        let time = search.began.elapsed();
        let spelt = self.variant.map(|variant| variant.line_out(&info.pv, &search.position));
        self.say(&info_line(info, score, spelt.as_ref().unwrap_or(&info.pv), search.dialect, time))
    }
}
