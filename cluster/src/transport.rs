//! The timely dataflow that carries the messages of shards between workers, and the rounds of one worker.
//!
//! A first exchange brings a message to the worker that it is addressed to, a second one brings the answer back, in the same
//! round. The round is over when timely's progress tracking says that every message and every answer has been received.
//! Flow control bounds memory: a worker stops sending while another one has not received its share of [`WINDOW`] bytes.

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

use crate::heartbeat::Heartbeat;
use crate::message::{Body, Bytes, Message, Report};

/// The bytes that a worker may have in flight; about as many may be in flight to it.
const WINDOW: u64 = 4 << 20;
/// The least share of the window for one receiver, in bytes.
const LEAST_SHARE: u64 = 1 << 16;
/// The longest time that an idle worker sleeps.
const PAUSE: Duration = Duration::from_millis(50);

/// The state that the dataflow and the rounds of a worker share: what it receives, and what it has in flight.
struct Inbox {
    index: u32,
    /// The current timestamp. Messages of later timestamps from faster workers are buffered.
    now: u64,
    /// The shard, once the worker has it.
    shard: Option<Box<dyn Shard>>,
    heartbeat: Arc<Heartbeat>,
    /// Why this worker has failed.
    error: Option<String>,
    reports: Vec<Option<Result<Report, String>>>,
    cells: Vec<(u64, Vec<u8>)>,
    /// Bytes that were sent to each worker and have not been acknowledged.
    in_flight: Vec<u64>,
    /// All bytes sent to other workers.
    sent: u64,
}

impl Inbox {
    /// Receives messages; returns the answers.
    fn take(&mut self, messages: &mut Vec<Message>) -> Vec<Message> {
        let mut out = Outbox::default();
        let mut answers = Vec::new();
        self.heartbeat.note();
        for Message { from, body, .. } in messages.drain(..) {
            match body {
                Body::Shard(Bytes(payload)) => {
                    if let Some(taken) = self.shard.as_mut().map(|shard| shard.take(from, &payload, &mut out))
                    {
                        self.note(taken);
                    }
                    answers.push(self.message(from, Body::Taken(payload.len() as u64)));
                }
                Body::Taken(bytes) => {
                    if let Some(way) = self.in_flight.get_mut(from as usize) {
                        *way = way.saturating_sub(bytes);
                    }
                }
                Body::Report(report) => self.report(from, Ok(report)),
                Body::Failed(why) => self.report(from, Err(why)),
                Body::Cells(block, Bytes(bytes)) => self.cells.push((block, bytes)),
            }
        }
        // Answers are bounded by the messages that they answer, so they are not flow-controlled.
        self.sent += out.messages.iter().map(|(_, payload)| payload.len() as u64).sum::<u64>();
        answers.extend(
            out.messages.into_iter().map(|(to, payload)| self.message(to, Body::Shard(Bytes(payload)))),
        );
        answers
    }

    fn report(&mut self, from: u32, report: Result<Report, String>) {
        if let Some(place) = self.reports.get_mut(from as usize) {
            *place = Some(report);
        }
    }

    /// Does a little of the shard's work; returns whether there is more, and the messages to send.
    fn work(&mut self) -> (bool, Vec<Message>) {
        let Some(shard) = self.shard.as_mut().filter(|_| self.error.is_none()) else {
            return (false, Vec::new());
        };
        let mut out = Outbox::default();
        let more = shard.work(&mut out);
        let more = self.note(more).unwrap_or(false);
        (more, self.messages(out))
    }

    /// Records an error.
    fn note<T>(&mut self, result: Result<T, SolveError>) -> Option<T> {
        result.map_err(|error| self.error.get_or_insert_with(|| error.to_string()).len()).ok()
    }

    fn message(&self, to: u32, body: Body) -> Message {
        Message { to, from: self.index, body }
    }

    /// Reports whether some receiver's share of the window is used up.
    fn is_full(&self) -> bool {
        let share = (WINDOW / self.in_flight.len() as u64).max(LEAST_SHARE);
        self.in_flight.iter().any(|&bytes| bytes > share)
    }

    /// Turns a shard's outbox into messages, and counts them as in flight.
    fn messages(&mut self, out: Outbox) -> Vec<Message> {
        for (to, payload) in &out.messages {
            self.sent += payload.len() as u64;
            if let Some(way) = self.in_flight.get_mut(*to as usize) {
                *way += payload.len() as u64;
            }
        }
        out.messages.into_iter().map(|(to, payload)| self.message(to, Body::Shard(Bytes(payload)))).collect()
    }
}

/// A worker with its shard.
pub struct Transport<'w> {
    worker: &'w mut Worker,
    input: InputHandleVec<u64, Message>,
    probe: ProbeHandle<u64>,
    inbox: Rc<RefCell<Inbox>>,
    /// Wakes the operator that receives messages.
    taking: Activator,
    time: u64,
    heartbeat: Arc<Heartbeat>,
}

impl<'w> Transport<'w> {
    /// Builds the dataflow of a worker that has no shard yet; `heartbeat` is told when it waits.
    pub fn new(worker: &'w mut Worker, heartbeat: &Arc<Heartbeat>) -> Transport<'w> {
        let (index, peers) = (worker.index() as u32, worker.peers());
        let inbox = Inbox {
            index,
            now: 0,
            shard: None,
            heartbeat: Arc::clone(heartbeat),
            error: None,
            reports: vec![None; peers],
            cells: Vec::new(),
            in_flight: vec![0; peers],
            sent: 0,
        };
        let inbox = Rc::new(RefCell::new(inbox));
        let mut input = InputHandleVec::new();
        let (first, second) = (Rc::clone(&inbox), Rc::clone(&inbox));
        let address = Rc::new(RefCell::new(None));
        let place = Rc::clone(&address);
        let to = |message: &Message| u64::from(message.to);
        let probe = worker.dataflow(|scope| {
            scope
                .input_from(&mut input)
                // An input holds messages until its timestamp ends; an operator sends them when it has run.
                .unary(Pipeline, "send", move |_, _| {
                    move |input, output| {
                        input.for_each(|time, messages| output.session(&time).give_container(messages));
                    }
                })
                .container::<Vec<Message>>()
                .unary(Exchange::new(to), "receive", move |_, info| {
                    *place.borrow_mut() = Some(info.address);
                    let mut early: Vec<(Capability<u64>, Vec<Message>)> = Vec::new();
                    move |input, output| {
                        input.for_each(|time, messages| {
                            early.extend(time.retain_least(0).map(|time| (time, std::mem::take(messages))));
                        });
                        let mut inbox = first.borrow_mut();
                        let now = inbox.now;
                        for (time, mut messages) in early.extract_if(.., |(time, _)| *time.time() <= now) {
                            let answers = inbox.take(&mut messages);
                            output.session(&time).give_iterator(answers.into_iter());
                        }
                    }
                })
                .container::<Vec<Message>>()
                .unary(Exchange::new(to), "acknowledge", move |_, _| {
                    move |input, output| {
                        input.for_each(|time, messages| {
                            // Answers need no answer.
                            second.borrow_mut().take(messages);
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
        Transport { worker, input, probe, inbox, taking, time: 0, heartbeat: Arc::clone(heartbeat) }
    }

    /// Returns the index of this worker.
    pub fn index(&self) -> u32 {
        self.inbox.borrow().index
    }

    /// Returns the number of workers.
    pub fn peers(&self) -> u32 {
        self.worker.peers() as u32
    }

    /// Calls `ask` with the shard, which must be set.
    pub fn with<T>(&self, ask: impl FnOnce(&mut dyn Shard) -> T) -> T {
        let mut inbox = self.inbox.borrow_mut();
        ask(&mut **inbox.shard.as_mut().expect("a worker is given its shard before its first round"))
    }

    /// Sets or replaces the worker's shard.
    pub fn set(&mut self, shard: Box<dyn Shard>) {
        let mut inbox = self.inbox.borrow_mut();
        // Drop the old shard first to free its memory.
        inbox.shard = None;
        inbox.shard = Some(shard);
    }

    /// Returns the bytes that this worker's shard has sent to other workers.
    pub fn sent(&self) -> u64 {
        self.inbox.borrow().sent
    }

    /// Runs one round, which ends after about `limit` even if there is more to do. Returns what comes next, and the `stamp` of
    /// the first worker.
    ///
    /// # Errors
    /// A worker has failed.
    pub fn round(&mut self, limit: Duration, stamp: u64) -> Result<(Next, u64)> {
        let begun = Instant::now();
        self.open();
        loop {
            let (more, messages) = self.inbox.borrow_mut().work();
            self.send(messages);
            self.worker.step();
            if self.inbox.borrow().is_full() {
                let _idle = self.heartbeat.waiting();
                while self.inbox.borrow().is_full() {
                    self.worker.step_or_park(Some(PAUSE));
                }
            }
            if !more || begun.elapsed() >= limit {
                break;
            }
        }
        self.drain();
        let words = self.with(|shard| shard.report());
        let reports = self.exchange_reports(Report { words, stamp })?;
        let first = reports.first().map_or(0, |report| report.stamp);
        let reports: Vec<_> = reports.into_iter().map(|report| report.words).collect();
        let next = self.with(|shard| shard.next(&reports));
        // An error is reported with the next exchange; until then nothing is done.
        let next = self.inbox.borrow_mut().note(next).unwrap_or(Next::Round);
        Ok((next, first))
    }

    /// Sends the cells of a block to the first worker.
    pub fn send_cells(&mut self, block: u64, cells: Vec<u8>) {
        let message = self.inbox.borrow().message(0, Body::Cells(block, Bytes(cells)));
        self.send(vec![message]);
        self.worker.step();
    }

    /// Takes the cells that this worker has received, in the order of their blocks.
    pub fn cells(&mut self) -> Vec<(u64, Vec<u8>)> {
        let mut cells = std::mem::take(&mut self.inbox.borrow_mut().cells);
        cells.sort_unstable_by_key(|&(block, _)| block);
        cells
    }

    /// Fails the next exchange of all workers with this worker's error; returns the error.
    pub fn fail(&mut self, why: String) -> anyhow::Error {
        self.inbox.borrow_mut().error.get_or_insert(why);
        match self.exchange(Vec::new()) {
            Err(error) => error,
            Ok(_) => anyhow::anyhow!("the work failed"),
        }
    }

    /// Sends `words` to all workers; returns those of each worker, by index.
    ///
    /// # Errors
    /// A worker has failed.
    pub fn exchange(&mut self, words: Vec<u64>) -> Result<Vec<Vec<u64>>> {
        let reports = self.exchange_reports(Report { words, stamp: 0 })?;
        Ok(reports.into_iter().map(|report| report.words).collect())
    }

    fn exchange_reports(&mut self, report: Report) -> Result<Vec<Report>> {
        let messages = {
            let inbox = self.inbox.borrow();
            let body = inbox.error.clone().map_or(Body::Report(report), Body::Failed);
            (0..inbox.reports.len() as u32).map(|to| inbox.message(to, body.clone())).collect()
        };
        self.send(messages);
        self.drain();
        let mut all = Vec::new();
        for (from, place) in self.inbox.borrow_mut().reports.iter_mut().enumerate() {
            match place.take() {
                Some(Ok(report)) => all.push(report),
                Some(Err(why)) => bail!("worker {from}: {why}"),
                None => bail!("worker {from} has sent no report"),
            }
        }
        Ok(all)
    }

    /// Starts to receive messages of the current timestamp.
    fn open(&mut self) {
        let mut inbox = self.inbox.borrow_mut();
        if inbox.now < self.time {
            inbox.now = self.time;
            self.taking.activate();
        }
    }

    /// Waits until everything that all workers have sent so far has been received.
    pub fn drain(&mut self) {
        self.open();
        self.time += 1;
        self.input.advance_to(self.time);
        let _idle = self.heartbeat.waiting();
        while self.probe.less_than(&self.time) {
            self.worker.step_or_park(Some(PAUSE));
        }
    }

    fn send(&mut self, messages: Vec<Message>) {
        if messages.is_empty() {
            return;
        }
        self.open();
        messages.into_iter().for_each(|message| self.input.send(message));
        self.input.flush();
    }
}

/// Receives the messages that are buffered: the dataflow ends only when there are none.
impl Drop for Transport<'_> {
    fn drop(&mut self) {
        self.inbox.borrow_mut().now = u64::MAX;
        self.taking.activate();
    }
}
