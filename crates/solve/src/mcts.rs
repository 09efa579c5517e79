//! Monte-Carlo tree search: a tree grown by the upper confidence rule (UCT), leaves judged by play drawn by lot, and
//! proofs carried back to the root (MCTS-Solver).
//!
//! What it says is a guess until the root is proved. Made for games without a good evaluation. Until a move was tried
//! often it is judged by the playouts in which its player made it later on as well (RAVE), and the lots of playouts
//! favour moves that have won more (MAST). The tree is a plain tree: a position reached by two ways stands in it twice.
//!
//! Sources: L. Kocsis and C. Szepesvári, "Bandit based Monte-Carlo planning", ECML 2006; M. H. M. Winands,
//! Y. Björnsson and J.-T. Saito, "Monte-Carlo tree search solver", CG 2008; S. Gelly and D. Silver, "Monte-Carlo tree
//! search and rapid action value estimation in computer Go", Artificial Intelligence 175, 2011; H. Finnsson and
//! Y. Björnsson, "Simulation-based approach to general game playing", AAAI 2008 (MAST).

use std::hash::Hash;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use grundy_core::game::{Game, MORE, Player, Scored, children, total};
use grundy_core::random::SplitMix64;
use grundy_core::value::{Score, Value, Wdl};
use grundy_session::{Distance, Limits};
use rustc_hash::FxHashMap;

use crate::{Question, Variation};

/// How much moves that were tried seldom are favoured.
const CURIOSITY: f64 = 0.1;
/// Visits of a node after which the later use of a move counts half of what it counts without any.
const EQUIVALENCE: f64 = 300.0;
/// Moves that lots are drawn for in a playout; the one that has won most is played.
const CANDIDATES: u32 = 2;
/// Plies after which random play counts as a draw: play that may go on for ever.
const LONGEST_PLAYOUT: u32 = 2_000;
/// Plies of a playout between two looks at the clock.
const STRETCH: u32 = 64;
/// Playouts for each ply of `go depth`, which sets no other limit.
const A_PLY: u64 = 10_000;
/// Expanded nodes of the old tree among which the new root is looked for.
const LOOKED_AT: usize = 10_000;

/// How often something was tried, and how often player one won then.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    visits: u32,
    /// Twice the wins of player one, a draw counting one.
    halves: u32,
}

impl Tally {
    fn add(&mut self, outcome: Wdl) {
        if self.visits < u32::MAX / 2 {
            self.visits += 1;
            self.halves += match outcome {
                Wdl::Win => 2,
                Wdl::Draw => 1,
                Wdl::Loss => 0,
            };
        }
    }

    /// The share of games that this player has won; half of them where there was none.
    fn rate(self, player: Player) -> f64 {
        let rate =
            if self.visits == 0 { 0.5 } else { f64::from(self.halves) / (2.0 * f64::from(self.visits)) };
        if player == Player::One { rate } else { 1.0 - rate }
    }
}

/// A position of the tree, reached by one way.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// The move that leads here, by its name among [`Names`].
    name: u32,
    /// Its children, one after the other; none where it was not looked into.
    first: u32,
    count: u32,
    /// Playouts through this node.
    own: Tally,
    /// Playouts through the position before in which the move was made there or later by the same player.
    later: Tally,
    /// How the game ends for player one with best play, where that is proved.
    proof: Option<Wdl>,
}

impl Node {
    fn new(name: u32, proof: Option<Wdl>) -> Node {
        let none = Tally::default();
        Node { name, first: 0, count: 0, own: none, later: none, proof }
    }

    fn children(&self) -> std::ops::Range<u32> {
        self.first..self.first + self.count
    }

    /// How good the move looks to the player who makes it, of itself and by its later use.
    fn rate(&self, mover: Player) -> f64 {
        let trust = (EQUIVALENCE / (3.0 * f64::from(self.own.visits) + EQUIVALENCE)).sqrt();
        // Few later uses say little as well.
        let trust = trust * f64::from(self.later.visits) / (f64::from(self.later.visits) + 4.0);
        (1.0 - trust) * self.own.rate(mover) + trust * self.later.rate(mover)
    }
}

/// A move that the tree knows.
#[derive(Clone, Copy, Debug)]
struct Name<M> {
    m: M,
    /// All playouts in which each player made it.
    all: [Tally; 2],
    /// The last playout in which each player made it.
    last: [u64; 2],
}

/// The moves of the tree, each once.
struct Names<M> {
    list: Vec<Name<M>>,
    numbers: FxHashMap<M, u32>,
}

impl<M: Copy + Eq + Hash> Names<M> {
    fn name(&mut self, m: M) -> u32 {
        let Names { list, numbers } = self;
        *numbers.entry(m).or_insert_with(|| {
            list.push(Name { m, all: [Tally::default(); 2], last: [0; 2] });
            list.len() as u32 - 1
        })
    }

    /// The memory of one name, in nodes: lists double when they grow.
    const fn cost() -> usize {
        (2 * size_of::<Name<M>>() + 4 * (size_of::<(M, u32)>() + 1)) / size_of::<Node>() + 1
    }
}

/// Monte-Carlo tree search as a session's search.
pub struct MonteCarlo<G: Game> {
    nodes: Vec<Node>,
    most: usize,
    names: Names<G::Move>,
    lots: SplitMix64,
    /// The position of the root, where the tree holds all its moves.
    root: Option<G::Position>,
    /// Playouts since the engine began.
    playouts: u64,
    /// What one playout went through, kept for its memory: nodes and who moves there, moves made after the tree,
    /// legal moves.
    path: Vec<(u32, Player)>,
    made: Vec<(u32, Player)>,
    legal: Vec<G::Move>,
}

/// An outcome for player one, as the other player sees it or as he does.
fn seen(wdl: Wdl, player: Player) -> Wdl {
    if player == Player::One { wdl } else { -wdl }
}

/// How a game ends for player one where it is over: by the final score in games for points.
fn ended<G: Scored>(game: &G, position: &G::Position) -> Option<Wdl> {
    let value = game.over(position)?;
    Some(seen(total(game, position, value).wdl(), game.turn(position)))
}

/// What a child is to the player who moves there: a proved win, nothing certain or a draw, a proved loss.
fn standing(node: &Node, mover: Player) -> u8 {
    match node.proof.map(|proof| seen(proof, mover)) {
        Some(Wdl::Win) => 2,
        None | Some(Wdl::Draw) => 1,
        Some(Wdl::Loss) => 0,
    }
}

/// When a search ends from outside.
struct Ends<'a> {
    stop: &'a std::sync::atomic::AtomicBool,
    end: Option<Instant>,
}

impl Ends<'_> {
    fn now(&self) -> bool {
        self.stop.load(Relaxed) || self.end.is_some_and(|end| Instant::now() >= end)
    }
}

impl<G: Scored> MonteCarlo<G> {
    /// A search with a tree of so many megabytes; the same seed gives the same play.
    pub fn new(megabytes: usize, seed: u64) -> MonteCarlo<G> {
        let most = ((megabytes << 20) / size_of::<Node>()).clamp(1 << 12, u32::MAX as usize - 1);
        MonteCarlo {
            nodes: Vec::new(),
            most,
            names: Names { list: Vec::new(), numbers: FxHashMap::default() },
            lots: SplitMix64(seed),
            root: None,
            playouts: 0,
            path: Vec::new(),
            made: Vec::new(),
            legal: Vec::new(),
        }
    }

    /// The memory that is taken, in nodes.
    fn taken(&self) -> usize {
        self.nodes.len() + self.names.list.len() * Names::<G::Move>::cost()
    }

    /// One playout from the root: down the tree, one step out of it, play by lot, and all of it back. Nothing is
    /// learned of one that is ended from outside.
    fn playout(&mut self, question: &Question<'_, G>, ends: &Ends<'_>) {
        let game = question.game;
        let mut position = question.position.clone();
        let mut at = 0u32;
        self.playouts += 1;
        self.path.clear();
        self.made.clear();
        let outcome = loop {
            let mover = game.turn(&position);
            let node = self.nodes[at as usize];
            if node.proof.is_none() && node.count == 0 && node.own.visits > 0 {
                self.expand(game, &position, at);
            }
            self.path.push((at, mover));
            let node = self.nodes[at as usize];
            if at != 0
                && let Some(proof) = node.proof
            {
                break Some(proof);
            }
            if node.count == 0 {
                break self.random(game, position, ends);
            }
            at = self.choose(at, mover, question.lines);
            position = game.play(&position, self.names.list[self.nodes[at as usize].name as usize].m);
        };
        if let Some(outcome) = outcome {
            self.carry_back(outcome);
        }
    }

    /// Carries an outcome back over the moves of a playout: to the nodes, to moves that were made later, and proofs.
    fn carry_back(&mut self, mut outcome: Wdl) {
        for &(name, player) in &self.made {
            let name = &mut self.names.list[name as usize];
            name.all[player.index()].add(outcome);
            name.last[player.index()] = self.playouts;
        }
        let mut below: Option<u32> = None;
        while let Some((at, mover)) = self.path.pop() {
            let children = self.nodes[at as usize].children();
            if let Some(below) = below {
                let child = self.nodes[below as usize];
                let name = &mut self.names.list[child.name as usize];
                name.all[mover.index()].add(outcome);
                name.last[mover.index()] = self.playouts;
                let mut drawn = false;
                for child in &mut self.nodes[children.start as usize..children.end as usize] {
                    drawn |= child.proof == Some(Wdl::Draw);
                    if self.names.list[child.name as usize].last[mover.index()] == self.playouts {
                        child.later.add(outcome);
                    }
                }
                // Who can draw for certain need not bear less.
                if drawn {
                    outcome = seen(seen(outcome, mover).max(Wdl::Draw), mover);
                }
                if child.proof.is_some() && self.nodes[at as usize].proof.is_none() {
                    self.prove(at, mover);
                }
            }
            self.nodes[at as usize].own.add(outcome);
            below = Some(at);
        }
    }

    /// Gives a node its children; false where there is no room. What is over among them is proved at once.
    fn expand(&mut self, game: &G, position: &G::Position, at: u32) -> bool {
        let first = self.nodes.len();
        let whole = children(game, position, &mut |m, child, _| {
            if self.taken() >= self.most {
                return ControlFlow::Break(());
            }
            let name = self.names.name(m);
            if self.nodes.len() == self.nodes.capacity() {
                // Doubling beyond the bound would break it.
                let more = self.nodes.len().max(1 << 10).min(self.most - self.nodes.len());
                self.nodes.reserve_exact(more);
            }
            self.nodes.push(Node::new(name, ended(game, &child)));
            MORE
        });
        if whole.is_break() {
            self.nodes.truncate(first);
            return false;
        }
        let count = (self.nodes.len() - first) as u32;
        let node = &mut self.nodes[at as usize];
        (node.first, node.count) = (first as u32, count);
        self.prove(at, game.turn(position));
        true
    }

    /// Proves a node where its children do: one that wins is enough, else all must be proved.
    fn prove(&mut self, at: u32, mover: Player) {
        let mut best: Option<Wdl> = None;
        let mut whole = true;
        for child in self.nodes[at as usize].children() {
            match self.nodes[child as usize].proof {
                Some(proof) => best = best.max(Some(seen(proof, mover))),
                None => whole = false,
            }
        }
        if let Some(best) = best.filter(|&best| best == Wdl::Win || whole) {
            self.nodes[at as usize].proof = Some(seen(best, mover));
        }
    }

    /// The child to be looked into: the upper confidence rule among those that are not proved to lose. At the root of
    /// a search for several lines, none that is proved.
    fn choose(&mut self, at: u32, mover: Player, lines: usize) -> u32 {
        let node = self.nodes[at as usize];
        let log = f64::from(node.own.visits.max(1)).ln();
        let mut best = (f64::NEG_INFINITY, node.first);
        let start = node.first + self.lots.below(node.count as usize) as u32;
        let range = node.children();
        for at_child in (start..range.end).chain(range.start..start) {
            let child = &self.nodes[at_child as usize];
            let urgency = match child.proof.map(|proof| seen(proof, mover)) {
                Some(_) if at == 0 && lines > 1 => f64::MIN,
                Some(Wdl::Win) => return at_child,
                Some(Wdl::Loss) => f64::MIN,
                // Nothing more is learned there.
                Some(Wdl::Draw) => f64::MIN / 2.0,
                None => child.rate(mover) + CURIOSITY * (log / (f64::from(child.own.visits) + 1.0)).sqrt(),
            };
            if urgency > best.0 {
                best = (urgency, at_child);
            }
        }
        best.1
    }

    /// Plays by lot to the end of the game: how it ends for player one; `None` where it was ended from outside.
    fn random(&mut self, game: &G, mut position: G::Position, ends: &Ends<'_>) -> Option<Wdl> {
        for ply in 1..=LONGEST_PLAYOUT {
            if let Some(outcome) = ended(game, &position) {
                return Some(outcome);
            }
            if ply.is_multiple_of(STRETCH) && ends.now() {
                return None;
            }
            let mover = game.turn(&position);
            let (legal, lots) = (&mut self.legal, &mut self.lots);
            legal.clear();
            let _ = game.moves(&position, &mut |m| {
                legal.push(m);
                MORE
            });
            let mut best: Option<(f64, G::Move, Option<u32>)> = None;
            for _ in 0..CANDIDATES {
                let Some(&m) = legal.get(lots.below(legal.len())) else { break };
                let name = self.names.numbers.get(&m).copied();
                let rate =
                    name.map_or(0.5, |name| self.names.list[name as usize].all[mover.index()].rate(mover));
                if best.is_none_or(|(most, ..)| rate > most) {
                    best = Some((rate, m, name));
                }
            }
            let Some((_, m, name)) = best else { return Some(Wdl::Draw) };
            self.made.extend(name.map(|name| (name, mover)));
            position = game.play(&position, m);
        }
        Some(Wdl::Draw)
    }

    /// The children of the root, best first: proved wins, then by visits, proved losses last.
    fn ranked(&self, mover: Player) -> Vec<u32> {
        let mut list: Vec<u32> = self.nodes[0].children().collect();
        list.sort_by_key(|&child| {
            let node = &self.nodes[child as usize];
            std::cmp::Reverse((standing(node, mover), node.own.visits))
        });
        list
    }

    /// The line from a child of the root on: where the game is decided the proof, else the moves tried most.
    fn line(&self, question: &Question<'_, G>, child: u32) -> Vec<u32> {
        let game = question.game;
        let (mut position, mut at) = (question.position.clone(), child);
        let mut line = Vec::new();
        loop {
            let m = self.names.list[self.nodes[at as usize].name as usize].m;
            let mut place = 0;
            let found = game.moves(&position, &mut |other| {
                if other == m {
                    return ControlFlow::Break(());
                }
                place += 1;
                MORE
            });
            if found.is_continue() {
                return line;
            }
            line.push(place);
            position = game.play(&position, m);
            let mover = game.turn(&position);
            // A proof needs no visits.
            let best = self.nodes[at as usize]
                .children()
                .map(|child| (self.nodes[child as usize], child))
                .filter(|(node, _)| node.own.visits > 0 || node.proof.is_some())
                .max_by_key(|(node, _)| (standing(node, mover), node.own.visits));
            match best {
                Some((_, next)) => at = next,
                None => return line,
            }
        }
    }

    /// Tells what is known of the best moves.
    fn tell(&self, question: &Question<'_, G>, nodes: u64, report: &mut dyn FnMut(&Variation)) {
        let mover = question.game.turn(question.position);
        let first = question.distance == Distance::First;
        for (rank, child) in (1..).zip(self.ranked(mover).into_iter().take(question.lines.max(1))) {
            let node = &self.nodes[child as usize];
            let proof = node.proof.map(|proof| seen(proof, mover));
            // A margin is more than who has more.
            let score = match proof.filter(|_| !question.game.unit().is_points()) {
                Some(Wdl::Draw) => Score::Exact(Value::DRAW),
                Some(Wdl::Win) if first => Score::Exact(Value::WIN),
                Some(Wdl::Loss) if first => Score::Exact(Value::LOSS),
                // Who wins is proved, how soon is not.
                Some(Wdl::Win) => Score::AtLeast(Value::WIN),
                Some(Wdl::Loss) => Score::AtMost(Value::LOSS),
                None => Score::Guess((200.0 * (node.own.rate(mover) - 0.5)).round() as i32),
            };
            let pv = self.line(question, child);
            let depth = pv.len() as u32;
            let hashfull = (self.taken() as u64 * 1000 / self.most.max(1) as u64).min(1000) as u32;
            report(&Variation { depth, seldepth: depth, nodes: nodes.max(1), hashfull, rank, score, pv });
        }
    }

    /// Whether nothing more is to be proved: the root, and as many moves as lines are asked for.
    fn settled(&self, lines: usize, mover: Player) -> bool {
        let children = self.nodes[0].children();
        self.nodes[0].proof.is_some()
            && (lines <= 1
                || children.clone().all(|child| self.nodes[child as usize].proof.is_some())
                || children.filter(|&child| standing(&self.nodes[child as usize], mover) == 2).count()
                    >= lines)
    }

    /// Searches a position that is not over, until it is proved or the limits end it. The last report of each rank
    /// holds the answer.
    pub fn search(&mut self, question: &Question<'_, G>, report: &mut dyn FnMut(&Variation)) {
        let Question { game, position, only, limits, stop, lines, .. } = *question;
        let Limits { depth, nodes, soft, hard, infinite } = limits;
        let mover = game.turn(position);
        let kept =
            self.root.take().filter(|_| only.is_empty()).and_then(|old| self.find(game, old, position));
        match kept {
            Some(at) => self.keep_below(at),
            None => {
                self.nodes.clear();
                self.names.list.clear();
                self.names.numbers.clear();
                self.nodes.push(Node::new(0, None));
                if !self.expand(game, position, 0) {
                    return;
                }
            }
        }
        if only.is_empty() {
            self.root = Some(position.clone());
        } else {
            self.keep_only(mover, only);
        }
        let ends = Ends { stop, end: soft.or(hard) };
        let timed = ends.end.is_some();
        let most = nodes.or(depth.filter(|_| !timed).map(|depth| A_PLY.saturating_mul(u64::from(depth))));
        let (mut done, mut told, mut when) = (0u64, 1u64 << 10, Instant::now());
        self.tell(question, 1, report);
        while !self.settled(lines, mover) && most.is_none_or(|most| done < most) && !ends.now() {
            self.playout(question, &ends);
            done += 1;
            if done == told || done.is_multiple_of(256) && when.elapsed() >= Duration::from_secs(1) {
                if done == told {
                    told = told.saturating_mul(2);
                }
                when = Instant::now();
                self.tell(question, done, report);
            }
            // Without a limit nothing more is learned for certain once the tree is full.
            if !timed && most.is_none() && !infinite && self.taken() >= self.most - self.most / 10 {
                break;
            }
        }
        self.tell(question, done, report);
        while infinite && !stop.load(Relaxed) && hard.is_none_or(|end| Instant::now() < end) {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// The node of the old tree that stands for a position and was looked into. Nearer ones are looked at first.
    fn find(&self, game: &G, old: G::Position, position: &G::Position) -> Option<u32> {
        let mut queue = std::collections::VecDeque::from([(0u32, old)]);
        let mut looked_at = 0;
        while let Some((at, now)) = queue.pop_front() {
            if now == *position {
                return Some(at);
            }
            looked_at += 1;
            if looked_at > LOOKED_AT {
                return None;
            }
            for child in self.nodes[at as usize].children() {
                let node = &self.nodes[child as usize];
                if node.count > 0 && queue.len() < LOOKED_AT {
                    let m = self.names.list[node.name as usize].m;
                    queue.push_back((child, game.play(&now, m)));
                }
            }
        }
        None
    }

    /// Makes a node the root and forgets what does not stand below it. Children stand behind their parents, so that
    /// one sweep moves all of them.
    fn keep_below(&mut self, root: u32) {
        if root == 0 {
            return;
        }
        let mut kept = vec![0u64; self.nodes.len().div_ceil(64)];
        let is = |kept: &[u64], at: u32| kept[at as usize / 64] >> (at % 64) & 1 == 1;
        kept[root as usize / 64] |= 1 << (root % 64);
        for at in root..self.nodes.len() as u32 {
            if is(&kept, at) {
                self.nodes[at as usize]
                    .children()
                    .for_each(|child| kept[child as usize / 64] |= 1 << (child % 64));
            }
        }
        let mut before = Vec::with_capacity(kept.len());
        let mut sum = 0u32;
        for word in &kept {
            before.push(sum);
            sum += word.count_ones();
        }
        let new = |at: u32| {
            before[at as usize / 64] + (kept[at as usize / 64] & ((1 << (at % 64)) - 1)).count_ones()
        };
        for at in root..self.nodes.len() as u32 {
            if is(&kept, at) {
                let mut node = self.nodes[at as usize];
                if node.count > 0 {
                    node.first = new(node.first);
                }
                self.nodes[new(at) as usize] = node;
            }
        }
        self.nodes.truncate(sum as usize);
    }

    /// Leaves only these moves below the root.
    fn keep_only(&mut self, mover: Player, only: &[G::Move]) {
        let kept: Vec<Node> = self.nodes[1..]
            .iter()
            .filter(|node| only.contains(&self.names.list[node.name as usize].m))
            .copied()
            .collect();
        if kept.is_empty() {
            return;
        }
        self.nodes.truncate(1);
        self.nodes[0].proof = None;
        self.nodes[0].count = kept.len() as u32;
        self.nodes.extend(kept);
        self.prove(0, mover);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_core::game::{Flow, legal_moves};

    /// One heap, 1 to 3 at once; who takes the last one wins. `loop_` lets a player put one back instead.
    struct Heap {
        back: bool,
    }

    impl Game for Heap {
        type Position = (u32, bool);
        type Move = i32;
        fn start(&self) -> (u32, bool) {
            (8, true)
        }
        fn turn(&self, position: &(u32, bool)) -> Player {
            if position.1 { Player::One } else { Player::Two }
        }
        fn over(&self, position: &(u32, bool)) -> Option<Value> {
            (position.0 == 0).then_some(Value::loss_in(0))
        }
        fn moves(&self, position: &(u32, bool), visit: &mut impl FnMut(i32) -> Flow) -> Flow {
            (1..=3.min(position.0 as i32)).try_for_each(&mut *visit)?;
            if self.back { visit(-1) } else { MORE }
        }
        fn play(&self, position: &(u32, bool), m: i32) -> (u32, bool) {
            (position.0.saturating_add_signed(-m), !position.1)
        }
    }

    impl Scored for Heap {}

    fn searched(game: &Heap, heap: u32, nodes: Option<u64>) -> Variation {
        let position = (heap, true);
        let limits = Limits { nodes, ..Limits::default() };
        let mut last = None;
        let question = Question { limits, ..Question::new(game, &position) };
        MonteCarlo::new(4, 1).search(&question, &mut |line| last = Some(line.clone()));
        last.expect("a report")
    }

    #[test]
    fn small_games_are_proved_and_won_by_the_winning_move() {
        for heap in 1..=13 {
            let line = searched(&Heap { back: false }, heap, None);
            if heap % 4 == 0 {
                assert_eq!(line.score, Score::AtMost(Value::LOSS), "{heap}");
            } else {
                assert_eq!((line.score, line.pv[0] + 1), (Score::AtLeast(Value::WIN), heap % 4), "{heap}");
            }
        }
    }

    /// Each player puts marks on a strip; three of his own side by side win, a full strip is a draw.
    struct Strip;

    impl Game for Strip {
        type Position = ([u32; 2], bool);
        type Move = u32;
        fn start(&self) -> ([u32; 2], bool) {
            ([0; 2], true)
        }
        fn turn(&self, position: &([u32; 2], bool)) -> Player {
            if position.1 { Player::One } else { Player::Two }
        }
        fn over(&self, &(marks, first): &([u32; 2], bool)) -> Option<Value> {
            let last = marks[usize::from(first)];
            if last & last >> 1 & last >> 2 != 0 {
                return Some(Value::loss_in(0));
            }
            (marks[0] | marks[1] == 0xff).then_some(Value::DRAW)
        }
        fn moves(&self, &(marks, _): &([u32; 2], bool), visit: &mut impl FnMut(u32) -> Flow) -> Flow {
            (0..8).filter(|cell| (marks[0] | marks[1]) >> cell & 1 == 0).try_for_each(visit)
        }
        fn play(&self, &(mut marks, first): &([u32; 2], bool), m: u32) -> ([u32; 2], bool) {
            marks[usize::from(!first)] |= 1 << m;
            (marks, !first)
        }
    }

    impl Scored for Strip {}

    /// The outcome of a position for the player to move, by plain recursion.
    fn outcome(position: &([u32; 2], bool)) -> Wdl {
        Strip.over(position).map_or_else(
            || {
                let mut best = Wdl::Loss;
                let _ = children(&Strip, position, &mut |_, child, _| {
                    best = best.max(-outcome(&child));
                    MORE
                });
                best
            },
            Value::wdl,
        )
    }

    #[test]
    fn what_is_proved_is_what_recursion_finds_draws_and_later_lines_too() {
        let mut lots = SplitMix64(5);
        for seed in 0..40 {
            let mut position = Strip.start();
            for _ in 0..2 + seed % 3 {
                position = Strip.play(&position, legal_moves(&Strip, &position)[lots.below(4)]);
            }
            if Strip.over(&position).is_some() {
                continue;
            }
            let mut last = std::collections::BTreeMap::new();
            let question = Question { lines: 8, ..Question::new(&Strip, &position) };
            MonteCarlo::new(8, seed).search(&question, &mut |line| {
                last.insert(line.rank, line.clone());
            });
            let moves = legal_moves(&Strip, &position);
            assert_eq!(last.len(), moves.len());
            for (rank, line) in last {
                let m = moves[line.pv[0] as usize];
                let found = match line.score {
                    Score::Exact(Value::DRAW) => Wdl::Draw,
                    Score::AtLeast(Value::WIN) => Wdl::Win,
                    Score::AtMost(Value::LOSS) => Wdl::Loss,
                    ref other => panic!("not proved: {other:?}"),
                };
                assert_eq!(found, -outcome(&Strip.play(&position, m)), "{position:?} {m}");
                assert!(rank > 1 || found == outcome(&position), "the best move comes first");
            }
        }
    }

    #[test]
    fn the_tree_is_kept_between_moves_and_stays_true() {
        let game = Heap { back: false };
        let mut search = MonteCarlo::new(4, 1);
        let limits = Limits { nodes: Some(3_000), ..Limits::default() };
        let start = (60, true);
        search.search(&Question { limits, ..Question::new(&game, &start) }, &mut |_| {});
        let before = search.nodes.len();
        let later = game.play(&game.play(&start, 3), 1);
        let at = search.find(&game, start, &later).expect("the position stands in the tree");
        let visits = search.nodes[at as usize].own.visits;
        assert!(visits > 10, "{visits}");
        let none = Limits { nodes: Some(0), ..limits };
        search.search(&Question { limits: none, ..Question::new(&game, &later) }, &mut |_| {});
        assert!(search.nodes.len() < before && search.nodes[0].own.visits == visits);
        // Every node still stands for a position that its moves lead to, and every child has a place of its own.
        let mut queue = vec![(0u32, later)];
        let mut seen = 0;
        while let Some((at, position)) = queue.pop() {
            seen += 1;
            let node = &search.nodes[at as usize];
            let moves: Vec<i32> = node
                .children()
                .map(|at| search.names.list[search.nodes[at as usize].name as usize].m)
                .collect();
            assert!(moves.is_empty() || moves == legal_moves(&game, &position));
            assert!(node.proof.is_none_or(|proof| {
                seen_by(proof, &game, &position) == if position.0 % 4 == 0 { Wdl::Loss } else { Wdl::Win }
            }));
            queue.extend(node.children().zip(moves.iter().map(|&m| game.play(&position, m))));
        }
        assert_eq!(seen, search.nodes.len());
    }

    fn seen_by(proof: Wdl, game: &Heap, position: &(u32, bool)) -> Wdl {
        super::seen(proof, game.turn(position))
    }

    #[test]
    fn memory_time_and_stop_are_obeyed() {
        let game = Heap { back: true };
        let start = (40, true);
        let mut search = MonteCarlo::new(0, 1);
        let limits = Limits { nodes: Some(30_000), ..Limits::default() };
        search.search(&Question { limits, ..Question::new(&game, &start) }, &mut |_| {});
        assert!(search.taken() <= search.most && search.nodes.capacity() <= search.most);
        // A playout that goes on for ever ends with the time.
        let end = Instant::now() + Duration::from_millis(50);
        let limits = Limits { hard: Some(end), ..Limits::default() };
        search.search(&Question { limits, ..Question::new(&game, &start) }, &mut |_| {});
        assert!(Instant::now() < end + Duration::from_secs(2));
        let stop = std::sync::atomic::AtomicBool::new(true);
        let mut told = 0;
        let question = Question { stop: &stop, ..Question::new(&game, &start) };
        search.search(&question, &mut |line| told += line.pv.len().min(1));
        assert!(told > 0, "a move is named even then");
    }

    #[test]
    fn only_the_moves_that_were_asked_for_are_judged() {
        let game = Heap { back: false };
        let position = (6, true);
        let mut last = None;
        let mut search = MonteCarlo::new(4, 1);
        search.search(&Question { only: &[1, 3], ..Question::new(&game, &position) }, &mut |line| {
            last = Some(line.clone());
        });
        // Two counters would win; of the others none does.
        assert_eq!(last.map(|line| line.score), Some(Score::AtMost(Value::LOSS)));
        let mut last = None;
        search.search(&Question::new(&game, &position), &mut |line| last = Some(line.clone()));
        assert_eq!(last.map(|line| (line.score, line.pv[0])), Some((Score::AtLeast(Value::WIN), 1)));
    }

    #[test]
    fn nothing_is_called_proved_before_it_is() {
        let line = searched(&Heap { back: false }, 40, Some(50));
        assert!(matches!(line.score, Score::Guess(_)), "{line:?}");
        // Play that may go on for ever ends all the same.
        let line = searched(&Heap { back: true }, 9, Some(2_000));
        assert!(line.nodes <= 2_000 && !line.pv.is_empty());
    }
}
