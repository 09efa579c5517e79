//! Walks through positions and asks an engine for its move in each: all that can arise when it plays, all there
//! are, or a sample.

use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use grundy_core::game::Player as Side;
use grundy_core::random::SplitMix64;
use grundy_session::{Catalog, Played, Session, Successor};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::graph::{Edge, Node};
use crate::player::{Claim, Clocks, Player};
use crate::spec::Spec;
use crate::traffic::TrafficLog;
use crate::truth;
use crate::verdict::Fault;

/// Which positions are visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Those that arise when the engine moves for this side by its own choice and the other by every legal move.
    Strategy(Side),
    /// Every position of the game.
    All,
}

/// An engine and a game to walk through with it.
pub struct Walk<'a> {
    /// The games there are.
    pub catalog: Catalog,
    /// The engine.
    pub spec: &'a Spec,
    /// The game by its full name.
    pub game: &'a str,
    /// Where it begins, where not at the game's start.
    pub start: Option<&'a str>,
    /// How many engines are asked at the same time.
    pub concurrency: usize,
    /// Whether every question is asked twice.
    pub twice: bool,
    /// The most positions to keep.
    pub most: usize,
    /// Where the traffic goes.
    pub log: &'a TrafficLog,
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

/// What a walk brought home.
pub struct Explored {
    /// The positions with the moves that count; the first is the root.
    pub nodes: Vec<Node>,
    /// Every answer of the engine, with the place of its position.
    pub replies: Vec<(u32, Reply)>,
}

struct Asker {
    player: Player,
    rules: Session,
}

/// What one position grew into.
struct Growth {
    reply: Option<Reply>,
    moves: Vec<Successor>,
}

impl Walk<'_> {
    /// Visits every position of the scope, level by level.
    ///
    /// # Errors
    /// See [`Trouble`].
    pub fn explore(&self, scope: Scope) -> Result<Explored, Trouble> {
        let mut rules = self.rules()?;
        rules.setup(self.start).map_err(|e| Trouble::Refused(e.to_string()))?;
        let root = Node {
            position: rules.position(),
            turn: rules.turn(),
            over: rules.over(),
            edges: Vec::new(),
            choice: None,
            parent: None,
        };
        let mut askers = self.askers()?;
        let mut known: FxHashMap<String, u32> = FxHashMap::default();
        known.insert(root.position.clone(), 0);
        let mut nodes = vec![root];
        let mut replies = Vec::new();
        let mut progress = Progress::new();
        let mut level = 0..1;
        for depth in 0.. {
            if level.is_empty() {
                break;
            }
            let open: Vec<u32> = level.clone().filter(|&i| nodes[i as usize].over.is_none()).collect();
            let growths = self.grow(&mut askers, &nodes, &open, scope, &mut progress)?;
            for (at, growth) in open.into_iter().zip(growths) {
                let turn = nodes[at as usize].turn;
                for Successor { word, position, step, over } in growth.moves {
                    let next = nodes.len() as u32;
                    let child = *known.entry(position.clone()).or_insert(next);
                    if child == next {
                        nodes.push(Node {
                            position,
                            turn: if step.turn_passed { !turn } else { turn },
                            over,
                            edges: Vec::new(),
                            choice: None,
                            parent: Some((at, word)),
                        });
                    }
                    nodes[at as usize].edges.push(Edge { child, step });
                }
                if let Some(reply) = growth.reply {
                    nodes[at as usize].choice = Some(reply.after.word.clone());
                    replies.push((at, reply));
                }
                if nodes.len() > self.most {
                    return Err(Trouble::Refused(format!(
                        "more than {} positions: sample them (--sample N), or allow more (--max-positions N)",
                        self.most
                    )));
                }
            }
            level = level.end..nodes.len() as u32;
            progress
                .show(|| format!("ply {depth}: {} positions, {} to go on from", nodes.len(), level.len()));
        }
        dismiss(askers);
        Ok(Explored { nodes, replies })
    }

    /// Asks in so many different unfinished positions of random games.
    ///
    /// # Errors
    /// See [`Trouble`].
    pub fn sample(&self, count: usize, seed: u64) -> Result<Vec<Reply>, Trouble> {
        let positions =
            sample(&self.catalog, self.game, self.start, count, seed).map_err(Trouble::Refused)?;
        let nodes: Vec<Node> = positions
            .into_iter()
            .map(|position| Node {
                position,
                turn: Side::One,
                over: None,
                edges: Vec::new(),
                choice: None,
                parent: None,
            })
            .collect();
        let open: Vec<u32> = (0..nodes.len() as u32).collect();
        let mut askers = self.askers()?;
        let mut progress = Progress::new();
        let growths = self.grow(&mut askers, &nodes, &open, Scope::All, &mut progress)?;
        dismiss(askers);
        Ok(growths.into_iter().filter_map(|growth| growth.reply).collect())
    }

    fn rules(&self) -> Result<Session, Trouble> {
        truth::rules(&self.catalog, self.game).map_err(Trouble::Refused)
    }

    fn askers(&self) -> Result<Vec<Asker>, Trouble> {
        let started = |_| -> Result<Asker, Trouble> {
            let trouble = |fault| Trouble::Engine { position: String::new(), fault };
            let name = self.spec.name.clone().unwrap_or_default();
            let mut player =
                Player::start(&self.catalog, self.spec, Some(self.game), &name, self.log).map_err(trouble)?;
            player.new_game().map_err(trouble)?;
            Ok(Asker { player, rules: self.rules()? })
        };
        (0..self.concurrency.max(1)).map(started).collect()
    }

    /// Grows every open position, in parallel, the results in their order.
    fn grow(
        &self,
        askers: &mut [Asker],
        nodes: &[Node],
        open: &[u32],
        scope: Scope,
        progress: &mut Progress,
    ) -> Result<Vec<Growth>, Trouble> {
        let next = AtomicUsize::new(0);
        let done: Mutex<Vec<(usize, Result<Growth, Trouble>)>> = Mutex::default();
        progress.level = Instant::now();
        let progress = Mutex::new(progress);
        std::thread::scope(|threads| {
            for asker in askers {
                threads.spawn(|| {
                    loop {
                        let i = next.fetch_add(1, Ordering::Relaxed);
                        let Some(&at) = open.get(i) else { return };
                        let growth = asker.grow(&nodes[at as usize], scope, self.twice);
                        if growth.is_err() {
                            next.store(open.len(), Ordering::Relaxed);
                        }
                        done.lock().unwrap_or_else(PoisonError::into_inner).push((i, growth));
                        if let Ok(mut progress) = progress.try_lock() {
                            progress.rate(i, open.len(), nodes.len());
                        }
                    }
                });
            }
        });
        let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_by_key(|(i, _)| *i);
        done.into_iter().map(|(_, growth)| growth).collect()
    }
}

fn dismiss(askers: Vec<Asker>) {
    for mut asker in askers {
        asker.player.quit();
    }
}

impl Asker {
    fn grow(&mut self, node: &Node, scope: Scope, twice: bool) -> Result<Growth, Trouble> {
        let asked = match scope {
            Scope::All => true,
            Scope::Strategy(side) => node.turn == side,
        };
        let reply = if asked { Some(self.ask(&node.position, twice)?) } else { None };
        let moves = match (&reply, scope) {
            (Some(reply), Scope::Strategy(_)) => vec![reply.after.clone()],
            _ => {
                self.rules.setup(Some(&node.position)).map_err(|e| Trouble::Refused(e.to_string()))?;
                self.rules.successors(usize::MAX)
            }
        };
        Ok(Growth { reply, moves })
    }

    fn ask(&mut self, position: &str, twice: bool) -> Result<Reply, Trouble> {
        let trouble = |fault| Trouble::Engine { position: position.to_string(), fault };
        self.rules.setup(Some(position)).map_err(|e| Trouble::Refused(e.to_string()))?;
        let side = self.rules.turn();
        let clock = self.player.spec.limits.clock;
        let clocks = Clocks {
            side,
            left: [clock.map(|c| c.time); 2],
            increment: [clock.map_or(Duration::ZERO, |c| c.increment); 2],
            moves_to_go: clock.map_or(0, |c| c.moves),
        };
        let command = format!("position fen {position}");
        let answer = self.player.think(&command, &clocks).map_err(trouble)?;
        let mut otherwise = None;
        if twice {
            let again = self.player.think(&command, &clocks).map_err(trouble)?;
            otherwise = (again.word != answer.word).then_some(again.word);
        }
        let Ok(Played { word, step }) = self.rules.play(&answer.word) else {
            return Err(trouble(Fault::IllegalMove(answer.word)));
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
