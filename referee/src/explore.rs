//! Walks through positions and asks an engine for its move in each: all that can arise when it plays, all there
//! are, or a sample.

use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use grundy_core::game::Player;
use grundy_core::random::SplitMix64;
use grundy_core::sorting;
use grundy_core::threads::share;
use grundy_session::{Catalog, Played, Session, Successor};
use rustc_hash::FxHashSet;

use crate::engine::{Claim, Clocks, Engine};
use crate::graph::{Edge, Node};
use crate::index::Index;
use crate::spec::EngineSpec;
use crate::traffic::TrafficLog;
use crate::truth;
use crate::verdict::Fault;

/// Which positions are visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Those that arise when the engine moves for this side by its own choice and the other by every legal move.
    Strategy(Player),
    /// Every position of the game.
    All,
    /// Some positions, each by itself.
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
    /// Where it begins, where not at the game's start.
    pub start: Option<&'a str>,
    /// How many engines are asked at the same time.
    pub concurrency: usize,
    /// Whether every question is asked twice.
    pub twice: bool,
    /// Whether of equally good moves one that leads to a position visited before is preferred.
    pub prefer: bool,
    /// The most positions to keep, and the most bytes for them and their moves.
    pub most: Most,
    /// Where the traffic goes.
    pub log: &'a TrafficLog,
}

/// How much a walk may keep.
#[derive(Clone, Copy, Debug)]
pub struct Most {
    /// Positions.
    pub positions: usize,
    /// Bytes.
    pub bytes: u64,
}

/// What a position takes beside its text, with its share of the index and of the solver's lists.
const A_POSITION: u64 = 200;
/// What a move takes in the graph and in the solver's lists.
const A_MOVE: u64 = 32;
/// What a move takes on its way into the graph.
const A_SUCCESSOR: u64 = 200;

impl Most {
    fn refuse_positions(&self) -> Trouble {
        let most = self.positions;
        Trouble::Refused(format!(
            "more than {most} positions: sample them (--sample N), or allow more (--max-positions N)"
        ))
    }

    fn refuse_bytes(&self) -> Trouble {
        let most = self.bytes >> 20;
        Trouble::Refused(format!(
            "positions and moves beyond {most} MB: sample them (--sample N), or allow more (--memory MB)"
        ))
    }
}

/// What an engine answered in one position.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The position.
    pub position: String,
    /// Its move, in the first spelling, and where that leads.
    pub after: Successor,
    /// What it claims the position to be worth.
    pub claim: Option<Claim>,
    /// Another move it gave when asked again.
    pub otherwise: Option<String>,
}

/// Why a walk ended before its end.
#[derive(Debug)]
pub enum Trouble {
    /// The engine misbehaved in this position.
    Engine {
        /// The position.
        position: String,
        /// What it did.
        fault: Fault,
    },
    /// The walk cannot be done as asked; one line.
    Refused(String),
}

struct Asker {
    player: Engine,
    rules: Session,
}

/// What one position grew into.
struct Growth {
    reply: Option<Reply>,
    moves: Vec<Successor>,
}

/// The positions visited so far.
#[derive(Clone, Copy)]
struct Visited<'a> {
    nodes: &'a [Node],
    index: &'a Index,
}

impl Visited<'_> {
    fn has(&self, position: &str) -> bool {
        self.index.find(position, |n| &self.nodes[n as usize].position).is_some()
    }
}

/// Positions that grow before what they grew into is kept: few, so that little waits in memory.
const BATCH: usize = 512;

/// Told of every answer of the engine, with the positions so far and the place of the one it is about.
pub type Judge<'j> = &'j mut dyn FnMut(&[Node], u32, &Reply);

impl Walk<'_> {
    /// Visits every position of the scope, level by level; gives them with the moves that count, the first of them the
    /// root.
    ///
    /// # Errors
    /// See [`Trouble`].
    pub fn explore(&self, scope: Scope, judge: Judge<'_>) -> Result<Vec<Node>, Trouble> {
        let mut rules = self.rules()?;
        rules.setup(self.start).map_err(|e| Trouble::Refused(e.to_string()))?;
        let mut nodes = vec![Node::new(&rules.position(), rules.turn(), rules.over(), None)];
        let mut known = Index::default();
        let _ = known.insert(&nodes[0].position, |n| &nodes[n as usize].position);
        let mut askers = self.askers()?;
        let mut progress = Progress::new();
        let mut spent = A_POSITION;
        let mut level = 0..1;
        for depth in 0.. {
            if level.is_empty() {
                break;
            }
            let open: Vec<u32> = level.clone().filter(|&i| nodes[i as usize].over.is_none()).collect();
            progress.level = Instant::now();
            for (done, batch) in (0..).step_by(BATCH).zip(open.chunks(BATCH)) {
                let free = self.most.bytes.saturating_sub(spent);
                let visited = Visited { nodes: &nodes, index: &known };
                let growths = self.grow(&mut askers, visited, batch, scope, free)?;
                for (&at, growth) in batch.iter().zip(growths) {
                    let turn = nodes[at as usize].turn;
                    let mut edges = Vec::with_capacity(growth.moves.len());
                    for Successor { position, step, over, .. } in growth.moves {
                        let child = match known.insert(&position, |n| &nodes[n as usize].position) {
                            Err(known) => known,
                            Ok(new) => {
                                let turn = if step.turn_passed { !turn } else { turn };
                                nodes.push(Node::new(&position, turn, over, Some(at)));
                                spent += A_POSITION + position.len() as u64;
                                new
                            }
                        };
                        edges.push(Edge { child, step });
                    }
                    spent += A_MOVE * edges.len() as u64;
                    nodes[at as usize].edges = edges.into_boxed_slice();
                    if let Some(reply) = growth.reply {
                        nodes[at as usize].choice = Some(reply.after.word.as_str().into());
                        judge(&nodes, at, &reply);
                    }
                    if nodes.len() > self.most.positions {
                        return Err(self.most.refuse_positions());
                    }
                    if spent > self.most.bytes {
                        return Err(self.most.refuse_bytes());
                    }
                }
                progress.rate(done, open.len(), nodes.len());
            }
            level = level.end..nodes.len() as u32;
            progress
                .show(|| format!("ply {depth}: {} positions, {} to go on from", nodes.len(), level.len()));
        }
        dismiss(askers);
        Ok(nodes)
    }

    /// Asks in so many different unfinished positions of random games.
    ///
    /// # Errors
    /// See [`Trouble`].
    pub fn sample(&self, count: usize, seed: u64, judge: Judge<'_>) -> Result<(), Trouble> {
        let positions =
            sample(&self.catalog, self.game, self.start, count, seed).map_err(Trouble::Refused)?;
        let nodes: Vec<Node> =
            positions.iter().map(|position| Node::new(position, Player::One, None, None)).collect();
        drop(positions);
        let open: Vec<u32> = (0..nodes.len() as u32).collect();
        let mut askers = self.askers()?;
        let mut progress = Progress::new();
        for (done, batch) in (0..).step_by(BATCH).zip(open.chunks(BATCH)) {
            let visited = Visited { nodes: &nodes, index: &Index::default() };
            let growths = self.grow(&mut askers, visited, batch, Scope::Sample, self.most.bytes)?;
            for (&at, growth) in batch.iter().zip(growths) {
                if let Some(reply) = growth.reply {
                    judge(&nodes, at, &reply);
                }
            }
            progress.rate(done, open.len(), nodes.len());
        }
        dismiss(askers);
        Ok(())
    }

    fn rules(&self) -> Result<Session, Trouble> {
        truth::rules(&self.catalog, self.game).map_err(Trouble::Refused)
    }

    fn askers(&self) -> Result<Vec<Asker>, Trouble> {
        let started = |_| -> Result<Asker, Trouble> {
            let trouble = |fault| Trouble::Engine { position: String::new(), fault };
            let name = self.spec.name.clone().unwrap_or_default();
            let mut player =
                Engine::start(&self.catalog, self.spec, Some(self.game), &name, self.log).map_err(trouble)?;
            player.new_game().map_err(trouble)?;
            Ok(Asker { player, rules: self.rules()? })
        };
        (0..self.concurrency.max(1)).map(started).collect()
    }

    /// Grows these positions, in parallel, the results in their order. What they grow into may take so many bytes.
    fn grow(
        &self,
        askers: &mut [Asker],
        visited: Visited<'_>,
        open: &[u32],
        scope: Scope,
        free: u64,
    ) -> Result<Vec<Growth>, Trouble> {
        let next = AtomicUsize::new(0);
        let taken = AtomicU64::new(0);
        let done: Mutex<Vec<(usize, Result<Growth, Trouble>)>> = Mutex::default();
        let (next, taken, done) = (&next, &taken, &done);
        std::thread::scope(|threads| {
            let workers = askers.iter_mut().map(|asker| {
                move || {
                    loop {
                        let i = next.fetch_add(1, Ordering::Relaxed);
                        let Some(&at) = open.get(i) else { return };
                        let growth = asker.grow(at, visited, scope, self, taken, free);
                        if growth.is_err() {
                            next.store(open.len(), Ordering::Relaxed);
                        }
                        done.lock().unwrap_or_else(PoisonError::into_inner).push((i, growth));
                    }
                }
            });
            share(threads, workers);
        });
        let mut done = std::mem::take(&mut *done.lock().unwrap_or_else(PoisonError::into_inner));
        sorting::sort_by_key(&mut done, |(i, _)| *i);
        done.into_iter().map(|(_, growth)| growth).collect()
    }
}

fn dismiss(askers: Vec<Asker>) {
    for mut asker in askers {
        asker.player.quit();
    }
}

impl Asker {
    fn grow(
        &mut self,
        at: u32,
        visited: Visited<'_>,
        scope: Scope,
        walk: &Walk<'_>,
        taken: &AtomicU64,
        free: u64,
    ) -> Result<Growth, Trouble> {
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
                self.rules.setup(Some(&node.position)).map_err(|e| Trouble::Refused(e.to_string()))?;
                // Counted first: a position may have thousands of millions of moves.
                let room = free.saturating_sub(taken.load(Ordering::Relaxed)) / A_SUCCESSOR;
                let count =
                    self.rules.count_moves(usize::try_from(room).unwrap_or(usize::MAX - 1) + 1) as u64;
                let taken = taken.fetch_add(count * A_SUCCESSOR, Ordering::Relaxed);
                if taken + count * A_SUCCESSOR > free {
                    return Err(walk.most.refuse_bytes());
                }
                self.rules.successors(usize::MAX)
            }
        };
        Ok(Growth { reply, moves })
    }

    /// Takes a move that leads to a position visited before in place of the engine's own, where the engine says that it
    /// is as good: by `query bestmoves` or, where it lists none, by an exact value for that move alone.
    fn prefer(&mut self, reply: &mut Reply, visited: Visited<'_>) -> Result<(), Trouble> {
        /// Moves that are asked about one by one.
        const ASKED: usize = 2;
        let known = |next: &Successor| next.over.is_none() && visited.has(&next.position);
        let Some(Claim::Exact(value)) = reply.claim else { return Ok(()) };
        if reply.after.over.is_some() || known(&reply.after) {
            return Ok(());
        }
        let trouble = |fault| Trouble::Engine { position: reply.position.clone(), fault };
        self.rules.setup(Some(&reply.position)).map_err(|e| Trouble::Refused(e.to_string()))?;
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
        let command = format!("position fen {}", reply.position);
        let clocks = self.clocks();
        let said = self.player.query(&command, "bestmoves").map_err(trouble)?;
        let said = said.filter(|said| said.split_whitespace().any(|word| *word == *reply.after.word));
        for candidate in candidates.into_iter().take(if said.is_some() { MOST_MOVES } else { ASKED }) {
            let as_good = match &said {
                Some(said) => said.split_whitespace().any(|word| *word == *candidate.word),
                None => {
                    let answer = self.player.think_of_move(&command, &clocks, &candidate.word);
                    let answer = answer.map_err(trouble)?;
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

    /// The clocks for a question where the rules stand.
    fn clocks(&self) -> Clocks {
        let clock = self.player.spec.limits.clock;
        Clocks {
            side: self.rules.turn(),
            left: [clock.map(|c| c.time); 2],
            increment: [clock.map_or(Duration::ZERO, |c| c.increment); 2],
            moves_to_go: clock.map_or(0, |c| c.moves),
        }
    }

    fn ask(&mut self, position: &str, twice: bool) -> Result<Reply, Trouble> {
        let trouble = |fault| Trouble::Engine { position: position.to_string(), fault };
        self.rules.setup(Some(position)).map_err(|e| Trouble::Refused(e.to_string()))?;
        let clocks = self.clocks();
        let command = format!("position fen {position}");
        let answer = self.player.think(&command, &clocks).map_err(trouble)?;
        let mut otherwise = None;
        if twice {
            let again = self.player.think(&command, &clocks).map_err(trouble)?;
            otherwise = (again.word != answer.word).then_some(again.word);
        }
        let Ok(Played { word, step }) = self.rules.play(&answer.word) else {
            return Err(trouble(Fault::illegal_move(&answer.word)));
        };
        let child = self.rules.position();
        // Set up anew: what was played before must not end the game.
        self.rules.setup(Some(&child)).map_err(|e| Trouble::Refused(e.to_string()))?;
        Ok(Reply {
            position: position.to_string(),
            after: Successor { word, position: child, step, over: self.rules.over() },
            claim: answer.claim,
            otherwise,
        })
    }
}

/// So many different unfinished positions of random games, fewer where there seem to be no more.
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
    let mut rules = truth::rules(catalog, game)?;
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

/// As long as a random game of a sample may be, in plies.
const LONGEST_SAMPLE: usize = 400;
/// Random games choose among so many moves.
const MOST_MOVES: usize = 10_000;

/// Now and then a line on stderr: every second on a terminal, every ten elsewhere.
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

    fn rate(&mut self, done: usize, of: usize, known: usize) {
        let (spent, left) = (self.level.elapsed().as_secs_f64(), of.saturating_sub(done));
        self.show(|| {
            let rest = spent / done.max(1) as f64 * left as f64;
            format!("{done} of {of} positions of this level, {known} known, at least {rest:.0} s to go")
        });
    }
}
