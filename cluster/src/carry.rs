//! The timely dataflow that carries the messages of shards between workers, and the rounds of one worker.
//!
//! A letter is a message on its way. A first exchange brings it to the worker that it is addressed to, a second one brings the
//! answer back, in the same round. The round is over when timely's progress tracking says that every letter and every answer
//! has been taken in. A worker stops sending while too much of what it sent to another one has not been taken in there: each
//! has an equal share of [`WINDOW`] bytes. So the memory of fast and of slow workers is bounded.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use grundy::session::{Next, Outbox, Shard, SolveError};
use timely::dataflow::channels::pact::{Exchange, Pipeline};
use timely::dataflow::operators::generic::Operator;
use timely::dataflow::operators::{Capability, Input, Probe};
use timely::dataflow::{InputHandleVec, ProbeHandle};
use timely::scheduling::Activator;
use timely::worker::Worker;

use crate::letter::{Body, Bytes, Letter};
use crate::pulse::Pulse;

/// Bytes that a worker may have on their way, and about as many may be on their way to it.
const WINDOW: u64 = 4 << 20;
/// A share of it is no smaller.
const LEAST: u64 = 1 << 16;
/// How long a worker that has nothing to do sleeps at most before it looks again.
const PAUSE: Duration = Duration::from_millis(50);

/// What the dataflow and the rounds of a worker share.
struct Desk {
    index: u32,
    /// The time whose letters may be taken. Who is faster sends letters of the next time before this worker has done with
    /// its own: they wait.
    now: u64,
    /// The shard, once the worker has it.
    shard: Option<Box<dyn Shard>>,
    pulse: Arc<Pulse>,
    /// Why this worker cannot go on.
    error: Option<String>,
    reports: Vec<Option<Result<Vec<u64>, String>>>,
    cells: Vec<(u64, Vec<u8>)>,
    /// Bytes that were sent to each worker and have not been taken.
    on_the_way: Vec<u64>,
    /// All bytes sent to other workers.
    sent: u64,
}

impl Desk {
    /// Takes letters; gives what goes back to their senders.
    fn take(&mut self, letters: &mut Vec<Letter>) -> Vec<Letter> {
        let mut out = Outbox::default();
        let mut answers = Vec::new();
        self.pulse.note();
        for Letter { from, body, .. } in letters.drain(..) {
            match body {
                Body::Shard(Bytes(message)) => {
                    if let Some(taken) = self.shard.as_mut().map(|shard| shard.take(from, &message, &mut out))
                    {
                        self.note(taken);
                    }
                    answers.push(self.letter(from, Body::Taken(message.len() as u64)));
                }
                Body::Taken(bytes) => {
                    if let Some(way) = self.on_the_way.get_mut(from as usize) {
                        *way = way.saturating_sub(bytes);
                    }
                }
                Body::Report(words) => self.report(from, Ok(words)),
                Body::Failed(why) => self.report(from, Err(why)),
                Body::Cells(block, Bytes(bytes)) => self.cells.push((block, bytes)),
            }
        }
        // What answers a letter is bounded by the letters: it counts for nobody's window.
        self.sent += out.messages.iter().map(|(_, message)| message.len() as u64).sum::<u64>();
        answers.extend(out.messages.into_iter().map(|(to, message)| Letter {
            to,
            from: self.index,
            body: Body::Shard(Bytes(message)),
        }));
        answers
    }

    fn report(&mut self, from: u32, report: Result<Vec<u64>, String>) {
        if let Some(place) = self.reports.get_mut(from as usize) {
            *place = Some(report);
        }
    }

    /// Does a little of the shard's own work; gives whether there is more, and the letters.
    fn work(&mut self) -> (bool, Vec<Letter>) {
        let Some(shard) = self.shard.as_mut().filter(|_| self.error.is_none()) else {
            return (false, Vec::new());
        };
        let mut out = Outbox::default();
        let more = shard.work(&mut out);
        let more = self.note(more).unwrap_or(false);
        (more, self.letters(out))
    }

    /// Remembers an error.
    fn note<T>(&mut self, result: Result<T, SolveError>) -> Option<T> {
        result.map_err(|error| self.error.get_or_insert_with(|| error.to_string()).len()).ok()
    }

    fn letter(&self, to: u32, body: Body) -> Letter {
        Letter { to, from: self.index, body }
    }

    /// Whether some worker has not taken its share of the window.
    fn is_full(&self) -> bool {
        let share = (WINDOW / self.on_the_way.len() as u64).max(LEAST);
        self.on_the_way.iter().any(|&bytes| bytes > share)
    }

    fn letters(&mut self, out: Outbox) -> Vec<Letter> {
        for (to, message) in &out.messages {
            self.sent += message.len() as u64;
            if let Some(way) = self.on_the_way.get_mut(*to as usize) {
                *way += message.len() as u64;
            }
        }
        out.messages.into_iter().map(|(to, message)| self.letter(to, Body::Shard(Bytes(message)))).collect()
    }
}

/// A worker with its shard.
pub struct Carrier<'w> {
    worker: &'w mut Worker,
    input: InputHandleVec<u64, Letter>,
    probe: ProbeHandle<u64>,
    desk: Rc<RefCell<Desk>>,
    /// Wakes the operator that takes letters.
    taking: Activator,
    time: u64,
    pulse: Arc<Pulse>,
}

impl<'w> Carrier<'w> {
    /// A worker that has no shard yet; `pulse` is told when it waits.
    pub fn new(worker: &'w mut Worker, pulse: &Arc<Pulse>) -> Carrier<'w> {
        let (index, peers) = (worker.index() as u32, worker.peers());
        let desk = Desk {
            index,
            now: 0,
            shard: None,
            pulse: Arc::clone(pulse),
            error: None,
            reports: vec![None; peers],
            cells: Vec::new(),
            on_the_way: vec![0; peers],
            sent: 0,
        };
        let desk = Rc::new(RefCell::new(desk));
        let mut input = InputHandleVec::new();
        let (first, second) = (Rc::clone(&desk), Rc::clone(&desk));
        let address = Rc::new(RefCell::new(None));
        let place = Rc::clone(&address);
        let to = |letter: &Letter| u64::from(letter.to);
        let probe = worker.dataflow(|scope| {
            scope
                .input_from(&mut input)
                // An input keeps letters until its time ends; an operator sends them when it has run.
                .unary(Pipeline, "post", move |_, _| {
                    move |input, output| {
                        input.for_each(|time, letters| output.session(&time).give_container(letters));
                    }
                })
                .container::<Vec<Letter>>()
                .unary(Exchange::new(to), "take", move |_, info| {
                    *place.borrow_mut() = Some(info.address);
                    let mut early: Vec<(Capability<u64>, Vec<Letter>)> = Vec::new();
                    move |input, output| {
                        input.for_each(|time, letters| {
                            early.extend(time.retain_least(0).map(|time| (time, std::mem::take(letters))));
                        });
                        let mut desk = first.borrow_mut();
                        let now = desk.now;
                        for (time, mut letters) in early.extract_if(.., |(time, _)| *time.time() <= now) {
                            let answers = desk.take(&mut letters);
                            output.session(&time).give_iterator(answers.into_iter());
                        }
                    }
                })
                .container::<Vec<Letter>>()
                .unary(Exchange::new(to), "answered", move |_, _| {
                    move |input, output| {
                        input.for_each(|time, letters| {
                            // An answer is not answered.
                            second.borrow_mut().take(letters);
                            output.session(&time).give_iterator(std::iter::empty::<()>());
                        });
                    }
                })
                .container::<Vec<()>>()
                .probe()
                .0
        });
        let address = address.borrow_mut().take().unwrap_or_else(|| Rc::from([]));
        let taking = worker.activator_for(address);
        Carrier { worker, input, probe, desk, taking, time: 0, pulse: Arc::clone(pulse) }
    }

    /// Which worker this is.
    pub fn index(&self) -> u32 {
        self.desk.borrow().index
    }

    /// How many workers there are.
    pub fn peers(&self) -> u32 {
        self.worker.peers() as u32
    }

    /// Asks the shard something; there is one by then.
    pub fn with<T>(&self, ask: impl FnOnce(&mut dyn Shard) -> T) -> T {
        let mut desk = self.desk.borrow_mut();
        ask(&mut **desk.shard.as_mut().expect("a worker is given its shard before its first round"))
    }

    /// Gives the worker its shard, or another one in its place.
    pub fn set(&mut self, shard: Box<dyn Shard>) {
        let mut desk = self.desk.borrow_mut();
        // The room of the old one is free before the new one needs any.
        desk.shard = None;
        desk.shard = Some(shard);
    }

    /// All bytes that this worker's shard has sent to other workers.
    pub fn sent(&self) -> u64 {
        self.desk.borrow().sent
    }

    /// One round, of about this length at most where there is more to do; gives what comes next, and the word that the
    /// first worker has added.
    pub fn round(&mut self, limit: Duration, word: u64) -> Result<(Next, u64)> {
        let begun = Instant::now();
        self.open();
        loop {
            let (more, letters) = self.desk.borrow_mut().work();
            self.post(letters);
            self.worker.step();
            if self.desk.borrow().is_full() {
                let _idle = self.pulse.waiting();
                while self.desk.borrow().is_full() {
                    self.worker.step_or_park(Some(PAUSE));
                }
            }
            if !more || begun.elapsed() >= limit {
                break;
            }
        }
        self.settle();
        let mut words = self.with(|shard| shard.report());
        words.push(word);
        let mut reports = self.exchange(words)?;
        let words: Vec<_> = reports.iter_mut().map(|report| report.pop().unwrap_or(0)).collect();
        let first = words.first().copied().unwrap_or(0);
        let next = self.with(|shard| shard.next(&reports));
        // An error here is told with the next report; until then nothing is done.
        let next = self.desk.borrow_mut().note(next).unwrap_or(Next::Round);
        Ok((next, first))
    }

    /// Sends a block's cells to the first worker.
    pub fn send_cells(&mut self, block: u64, cells: Vec<u8>) {
        let letter = self.desk.borrow().letter(0, Body::Cells(block, Bytes(cells)));
        self.post(vec![letter]);
        self.worker.step();
    }

    /// The cells that have been sent to this worker, in the order of their blocks.
    pub fn cells(&mut self) -> Vec<(u64, Vec<u8>)> {
        let mut cells = std::mem::take(&mut self.desk.borrow_mut().cells);
        cells.sort_unstable_by_key(|&(block, _)| block);
        cells
    }

    /// Tells all others, in place of the next words that are exchanged, why this worker cannot go on.
    pub fn fail(&mut self, why: String) -> anyhow::Error {
        self.desk.borrow_mut().error.get_or_insert(why);
        match self.exchange(Vec::new()) {
            Err(error) => error,
            Ok(_) => anyhow::anyhow!("the work failed"),
        }
    }

    /// Tells all workers some words; gives those of all, in their order.
    pub fn exchange(&mut self, words: Vec<u64>) -> Result<Vec<Vec<u64>>> {
        let letters = {
            let desk = self.desk.borrow();
            let body = desk.error.clone().map_or(Body::Report(words), Body::Failed);
            (0..desk.reports.len() as u32).map(|to| desk.letter(to, body.clone())).collect()
        };
        self.post(letters);
        self.settle();
        let mut all = Vec::new();
        for (from, place) in self.desk.borrow_mut().reports.iter_mut().enumerate() {
            match place.take() {
                Some(Ok(words)) => all.push(words),
                Some(Err(why)) => bail!("worker {from}: {why}"),
                None => bail!("worker {from} has sent no report"),
            }
        }
        Ok(all)
    }

    /// Takes the letters of the present time from here on.
    fn open(&mut self) {
        let mut desk = self.desk.borrow_mut();
        if desk.now < self.time {
            desk.now = self.time;
            self.taking.activate();
        }
    }

    /// Waits until everything that all workers have sent so far has been taken.
    pub fn settle(&mut self) {
        self.open();
        self.time += 1;
        self.input.advance_to(self.time);
        let _idle = self.pulse.waiting();
        while self.probe.less_than(&self.time) {
            self.worker.step_or_park(Some(PAUSE));
        }
    }

    fn post(&mut self, letters: Vec<Letter>) {
        if letters.is_empty() {
            return;
        }
        self.open();
        letters.into_iter().for_each(|letter| self.input.send(letter));
        self.input.flush();
    }
}

/// Letters that wait are taken whatever they are: the dataflow ends only when all are.
impl Drop for Carrier<'_> {
    fn drop(&mut self) {
        self.desk.borrow_mut().now = u64::MAX;
        self.taking.activate();
    }
}
