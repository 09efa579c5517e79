//! Walks over positions and asks an engine for its move in each: all that its play can reach, all of the game, or a
//! sample.

use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use grundy_core::game::Player;
use grundy_core::random::SplitMix64;
use grundy_core::sorting;
use grundy_core::threads::share;
use grundy_session::{Catalog, Played, Session, Successor};
use rustc_hash::FxHashSet;

use crate::claim::Claim;
use crate::engine::{Clocks, Engine};
use crate::engine_spec::EngineSpec;
use crate::games;
use crate::graph::{Edge, Node};
use crate::hash_index::HashIndex;
use crate::setup::Setup;
use crate::traffic::TrafficLog;
use crate::verdict::Fault;

/// The positions to visit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The positions that arise when the engine plays this side and the other makes every legal move.
    Strategy(Player),
    /// Every position of the game.
    All,
    /// A sample of positions.
    Sample,
}

/// An engine and a game to walk through with it.
pub struct Walk<'a> {
    /// The games there are.
    pub catalog: Catalog,
    /// The engine.
    pub spec: &'a EngineSpec,
    /// The game by its full name.
    pub game: &'a str,
    /// The position to start from; `None` for the game's start.
    pub start: Option<&'a str>,
    /// The number of engine processes asked in parallel.
    pub concurrency: usize,
    /// Set to ask every question twice.
    pub twice: bool,
    /// Set to prefer, among equally good moves, one to a position visited before.
    pub prefer: bool,
    /// The most positions to keep, and the most bytes for them and their moves.
    pub budget: Budget,
    /// The log of the traffic.
    pub log: &'a TrafficLog,
    /// Set when the walk is interrupted.
    pub stop: &'a AtomicBool,
}

/// The limits of a walk's memory.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Positions.
    pub positions: usize,
    /// Bytes.
    pub bytes: u64,
}

/// The memory of a position without its text, its share of the index and of the solver's lists included, in bytes.
const POSITION_BYTES: u64 = 200;
/// The memory of a move in the graph and in the solver's lists, in bytes.
const MOVE_BYTES: u64 = 32;
/// The memory of a move that is not in the graph yet, in bytes.
const SUCCESSOR_BYTES: u64 = 200;

impl Budget {
    fn refuse_positions(&self) -> WalkError {
        let most = self.positions;
        WalkError::Refused(format!(
            "more than {most} positions: sample them (--sample N), or allow more (--max-positions N)"
        ))
    }

    fn refuse_bytes(&self) -> WalkError {
        let most = self.bytes >> 20;
        WalkError::Refused(format!(
            "positions and moves beyond {most} MB: sample them (--sample N), or allow more (--memory MB)"
        ))
    }
}

/// An engine's answer in one position.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The position.
    pub position: String,
    /// The move that counts, in the standard notation, and the position after it: the engine's, or one that it calls as
    /// good, see `prefer`.
    pub after: Successor,
    /// Its claim about the position.
    pub claim: Option<Claim>,
    /// A different move that it gave when asked again.
    pub otherwise: Option<String>,
}

/// Reasons for a walk to end early.
#[derive(Debug)]
pub enum WalkError {
    /// The engine misbehaved in this position.
    Engine {
        /// The position.
        position: String,
        /// The misbehaviour.
        fault: Fault,
    },
    /// The walk cannot be done as asked; one line.
    Refused(String),
    /// The walk was interrupted.
    Interrupted,
}

struct Prober {
    player: Engine,
    rules: Session,
}

/// A position's answer and its moves.
struct Expansion {
    reply: Option<Reply>,
    moves: Vec<Successor>,
}

/// The positions visited so far.
#[derive(Clone, Copy)]
struct Visited<'a> {
    nodes: &'a [Node],
    index: &'a HashIndex,
}

impl Visited<'_> {
    fn has(&self, position: &str) -> bool {
        self.index.find(position, |n| &self.nodes[n as usize].position).is_some()
    }
}

/// Positions expanded in one batch: few, so that little waits in memory.
const BATCH: usize = 512;

/// A callback for every answer, with the positions so far and the index of the one it is about.
pub type OnReply<'j> = &'j mut dyn FnMut(&[Node], u32, &Reply);

impl Walk<'_> {
    /// Visits every position of the scope, level by level; returns them with the moves that count, the root first.
    ///
    /// # Errors
    /// See [`WalkError`].
    pub fn explore(&self, scope: Scope, on_reply: OnReply<'_>) -> Result<Vec<Node>, WalkError> {
        let mut rules = self.rules()?;
        rules.setup(self.start).map_err(|e| WalkError::Refused(e.to_string()))?;
        let mut nodes = vec![Node::new(&rules.position(), rules.turn(), rules.over(), None)];
        let mut known = HashIndex::default();
        let _ = known.insert(&nodes[0].position, |n| &nodes[n as usize].position);
        let mut probers = self.probers()?;
        let mut progress = Progress::new();
        let mut spent = POSITION_BYTES;
        let mut level = 0..1;
        for depth in 0.. {
            if level.is_empty() {
                break;
            }
            let open: Vec<u32> = level.clone().filter(|&i| nodes[i as usize].over.is_none()).collect();
            progress.level = Instant::now();
            for (done, batch) in (0..).step_by(BATCH).zip(open.chunks(BATCH)) {
                let free = self.budget.bytes.saturating_sub(spent);
                let visited = Visited { nodes: &nodes, index: &known };
                let (expansions, ended) = self.expand(&mut probers, visited, batch, scope, free);
                for (&at, expansion) in batch.iter().zip(expansions) {
                    let turn = nodes[at as usize].turn;
                    let mut edges = Vec::with_capacity(expansion.moves.len());
                    for Successor { position, step, over, .. } in expansion.moves {
                        let child = match known.insert(&position, |n| &nodes[n as usize].position) {
                            Err(known) => known,
                            Ok(new) => {
                                let turn = if step.turn_passed { !turn } else { turn };
                                nodes.push(Node::new(&position, turn, over, Some(at)));
                                spent += POSITION_BYTES + position.len() as u64;
                                new
                            }
                        };
                        edges.push(Edge { child, step });
                    }
                    spent += MOVE_BYTES * edges.len() as u64;
                    nodes[at as usize].edges = edges.into_boxed_slice();
                    if let Some(reply) = expansion.reply {
                        nodes[at as usize].choice = Some(reply.after.word.as_str().into());
                        on_reply(&nodes, at, &reply);
                    }
                    if nodes.len() > self.budget.positions {
                        return Err(self.budget.refuse_positions());
                    }
                    if spent > self.budget.bytes {
                        return Err(self.budget.refuse_bytes());
                    }
                }
                ended?;
                progress.rate(done + batch.len(), open.len(), nodes.len());
            }
            level = level.end..nodes.len() as u32;
            progress
                .show(|| format!("ply {depth}: {} positions, {} to go on from", nodes.len(), level.len()));
        }
        quit_all(probers);
        Ok(nodes)
    }

    /// Asks in `count` different unfinished positions of random games.
    ///
    /// # Errors
    /// See [`WalkError`].
    pub fn sample(&self, count: usize, seed: u64, on_reply: OnReply<'_>) -> Result<(), WalkError> {
        let positions =
            sample(&self.catalog, self.game, self.start, count, seed).map_err(WalkError::Refused)?;
        let nodes: Vec<Node> =
            positions.iter().map(|position| Node::new(position, Player::One, None, None)).collect();
        drop(positions);
        let open: Vec<u32> = (0..nodes.len() as u32).collect();
        let mut probers = self.probers()?;
        let mut progress = Progress::new();
        for (done, batch) in (0..).step_by(BATCH).zip(open.chunks(BATCH)) {
            let visited = Visited { nodes: &nodes, index: &HashIndex::default() };
            let (expansions, ended) =
                self.expand(&mut probers, visited, batch, Scope::Sample, self.budget.bytes);
            for (&at, expansion) in batch.iter().zip(expansions) {
                if let Some(reply) = expansion.reply {
                    on_reply(&nodes, at, &reply);
                }
            }
            ended?;
            progress.rate(done + batch.len(), open.len(), nodes.len());
        }
        quit_all(probers);
        Ok(())
    }

    fn rules(&self) -> Result<Session, WalkError> {
        games::rules(&self.catalog, self.game).map_err(WalkError::Refused)
    }

    fn probers(&self) -> Result<Vec<Prober>, WalkError> {
        let started = |_| -> Result<Prober, WalkError> {
            let error = |fault| WalkError::Engine { position: String::new(), fault };
            let player = Engine::begin(&self.catalog, self.spec, self.game, self.log).map_err(error)?;
            player.check_options().map_err(WalkError::Refused)?;
            Ok(Prober { player, rules: self.rules()? })
        };
        (0..self.concurrency.max(1)).map(started).collect()
    }

    /// Expands positions in parallel, in order, within `free` bytes of memory, up to the first that ends the walk; returns
    /// why it ends, too.
    fn expand(
        &self,
        probers: &mut [Prober],
        visited: Visited<'_>,
        open: &[u32],
        scope: Scope,
        free: u64,
    ) -> (Vec<Expansion>, Result<(), WalkError>) {
        let next = AtomicUsize::new(0);
        let taken = AtomicU64::new(0);
        let done: Mutex<Vec<(usize, Result<Expansion, WalkError>)>> = Mutex::default();
        let (next, taken, done) = (&next, &taken, &done);
        std::thread::scope(|threads| {
            let workers = probers.iter_mut().map(|prober| {
                move || {
                    loop {
                        let i = next.fetch_add(1, Ordering::Relaxed);
                        let Some(&at) = open.get(i) else { return };
                        let expansion = prober.expand(at, visited, scope, self, taken, free);
                        if expansion.is_err() {
                            next.store(open.len(), Ordering::Relaxed);
                        }
                        done.lock().unwrap_or_else(PoisonError::into_inner).push((i, expansion));
                    }
                }
            });
            share(threads, workers);
        });
        let mut done = std::mem::take(&mut *done.lock().unwrap_or_else(PoisonError::into_inner));
        sorting::sort_by_key(&mut done, |(i, _)| *i);
        let mut expansions = Vec::with_capacity(done.len());
        for (_, expansion) in done {
            match expansion {
                Ok(expansion) => expansions.push(expansion),
                Err(why) => return (expansions, Err(why)),
            }
        }
        (expansions, Ok(()))
    }
}

fn quit_all(probers: Vec<Prober>) {
    for mut prober in probers {
        prober.player.quit();
    }
}

impl Prober {
    fn expand(
        &mut self,
        at: u32,
        visited: Visited<'_>,
        scope: Scope,
        walk: &Walk<'_>,
        taken: &AtomicU64,
        free: u64,
    ) -> Result<Expansion, WalkError> {
        if walk.stop.load(Ordering::SeqCst) {
            return Err(WalkError::Interrupted);
        }
        let node = &visited.nodes[at as usize];
        let asked = match scope {
            Scope::All | Scope::Sample => true,
            Scope::Strategy(side) => node.turn == side,
        };
        let mut reply = if asked { Some(self.ask(&node.position, walk.twice)?) } else { None };
        if let (Some(reply), Scope::Strategy(_), true) = (&mut reply, scope, walk.prefer) {
            self.prefer(reply, visited)?;
        }
        let moves = match (&reply, scope) {
            (_, Scope::Sample) => Vec::new(),
            (Some(reply), Scope::Strategy(_)) => vec![reply.after.clone()],
            _ => {
                self.rules.setup(Some(&node.position)).map_err(|e| WalkError::Refused(e.to_string()))?;
                // Counted before they are listed: a position may have billions of moves.
                let room = free.saturating_sub(taken.load(Ordering::Relaxed)) / SUCCESSOR_BYTES;
                let count =
                    self.rules.count_moves(usize::try_from(room).unwrap_or(usize::MAX - 1) + 1) as u64;
                let taken = taken.fetch_add(count * SUCCESSOR_BYTES, Ordering::Relaxed);
                if taken + count * SUCCESSOR_BYTES > free {
                    return Err(walk.budget.refuse_bytes());
                }
                self.rules.successors(usize::MAX)
            }
        };
        Ok(Expansion { reply, moves })
    }

    /// Replaces the engine's move by one to a position visited before, if the engine says that it is as good: by
    /// `query bestmoves` or, without an answer, by an exact value for that move alone.
    fn prefer(&mut self, reply: &mut Reply, visited: Visited<'_>) -> Result<(), WalkError> {
        /// Moves that are asked about one by one.
        const ASKED: usize = 2;
        let known = |next: &Successor| next.over.is_none() && visited.has(&next.position);
        let Some(Claim::Exact(value)) = reply.claim else { return Ok(()) };
        if reply.after.over.is_some() || known(&reply.after) {
            return Ok(());
        }
        let error = |fault| WalkError::Engine { position: reply.position.clone(), fault };
        self.rules.setup(Some(&reply.position)).map_err(|e| WalkError::Refused(e.to_string()))?;
        let mut candidates = Vec::new();
        self.rules.each_successor(&mut |next| {
            if known(&next) {
                candidates.push(next);
            }
            candidates.len() < MOST_MOVES
        });
        if candidates.is_empty() {
            return Ok(());
        }
        let setup = Setup::position(&reply.position);
        let clocks = self.clocks();
        let said = self.player.query(&setup, "bestmoves").map_err(error)?;
        let said = said.filter(|said| said.split_whitespace().any(|word| *word == *reply.after.word));
        for candidate in candidates.into_iter().take(if said.is_some() { MOST_MOVES } else { ASKED }) {
            let as_good = match &said {
                Some(said) => said.split_whitespace().any(|word| *word == *candidate.word),
                None => {
                    let answer = self.player.think_of_move(&setup, &clocks, &candidate.word);
                    let answer = answer.map_err(error)?;
                    answer.word == candidate.word && answer.claim == Some(Claim::Exact(value))
                }
            };
            if as_good {
                reply.after = candidate;
                return Ok(());
            }
        }
        Ok(())
    }

    /// Returns the clocks for a question about the current position.
    fn clocks(&self) -> Clocks {
        Clocks::full(&self.player.spec.limits, self.rules.turn())
    }

    fn ask(&mut self, position: &str, twice: bool) -> Result<Reply, WalkError> {
        let error = |fault| WalkError::Engine { position: position.to_string(), fault };
        self.rules.setup(Some(position)).map_err(|e| WalkError::Refused(e.to_string()))?;
        let clocks = self.clocks();
        let setup = Setup::position(position);
        let answer = self.player.think(&setup, &clocks).map_err(error)?;
        let mut otherwise = None;
        if twice {
            let again = self.player.think(&setup, &clocks).map_err(error)?;
            otherwise = (again.word != answer.word).then_some(again.word);
        }
        let Ok(Played { word, step }) = self.rules.play(&answer.word) else {
            return Err(error(Fault::illegal_move(&answer.word)));
        };
        let child = self.rules.position();
        // Set up without its history, which could end the game.
        self.rules.setup(Some(&child)).map_err(|e| WalkError::Refused(e.to_string()))?;
        Ok(Reply {
            position: position.to_string(),
            after: Successor { word, position: child, step, over: self.rules.over() },
            claim: answer.claim,
            otherwise,
        })
    }
}

/// Returns `count` different unfinished positions of random games, or fewer if no more are found.
///
/// # Errors
/// The game or the position cannot be used; one line.
pub fn sample(
    catalog: &Catalog,
    game: &str,
    start: Option<&str>,
    count: usize,
    seed: u64,
) -> Result<Vec<String>, String> {
    let mut rules = games::rules(catalog, game)?;
    let mut random = SplitMix64(seed);
    let mut seen = FxHashSet::default();
    let mut list = Vec::new();
    let mut barren = 0;
    while list.len() < count && barren < 1000 {
        barren += 1;
        rules.setup(start).map_err(|e| e.to_string())?;
        for _ in 0..LONGEST_SAMPLE {
            if rules.over().is_some() {
                break;
            }
            let position = rules.position();
            if list.len() < count && seen.insert(position.clone()) {
                list.push(position);
                barren = 0;
            }
            let moves = rules.legal_moves(MOST_MOVES);
            if moves.is_empty() {
                break;
            }
            let word = &moves[random.below(moves.len())];
            rules.play(word).map_err(|e| e.to_string())?;
        }
    }
    Ok(list)
}

/// The longest random game of a sample, in plies.
const LONGEST_SAMPLE: usize = 400;
/// The most moves that a random game chooses among.
const MOST_MOVES: usize = 10_000;

/// Progress lines on stderr: every second on a terminal, every ten elsewhere.
struct Progress {
    began: Instant,
    level: Instant,
    last: Instant,
    every: Duration,
}

impl Progress {
    fn new() -> Progress {
        let every = Duration::from_secs(if std::io::stderr().is_terminal() { 1 } else { 10 });
        let now = Instant::now();
        Progress { began: now, level: now, last: now, every }
    }

    fn show(&mut self, line: impl FnOnce() -> String) {
        if self.last.elapsed() >= self.every {
            self.last = Instant::now();
            let _ = writeln!(std::io::stderr(), "{:6.1} s  {}", self.began.elapsed().as_secs_f64(), line());
        }
    }

    /// Shows how many positions of a level are done, and estimates the time that the others take by these.
    fn rate(&mut self, done: usize, of: usize, known: usize) {
        let spent = self.level.elapsed();
        self.show(|| {
            let rest = rest(spent, done, of).as_secs_f64();
            format!("{done} of {of} positions of this level, {known} known, about {rest:.0} s to go in it")
        });
    }
}

/// Returns the time that the rest of `of` positions takes if `done` of them have taken `spent`.
fn rest(spent: Duration, done: usize, of: usize) -> Duration {
    spent.mul_f64(of.saturating_sub(done) as f64 / done.max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_of_a_level_takes_as_long_for_each_position_as_what_is_done() {
        let spent = Duration::from_secs(3);
        assert_eq!(rest(spent, 512, 1_536), Duration::from_secs(6));
        assert_eq!(rest(spent, 512, 512), Duration::ZERO);
    }
}
