//! The tree of Monte-Carlo tree search, independent of the game: a move is a number, its name.

use std::cmp::Reverse;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use grundy_core::game::Player;
use grundy_core::random::SplitMix64;
use grundy_core::sorting;
use grundy_core::value::{Score, Unit, Value, Wdl};
use grundy_session::{Distance, Info, Limits};

/// Exploration constant: weight of rarely tried moves.
const CURIOSITY: f64 = 0.1;
/// Visits of a node after which the RAVE weight has halved.
const EQUIVALENCE: f64 = 300.0;
/// Playouts for each ply of `go depth`, which sets no other limit.
const A_PLY: u64 = 10_000;

/// Visits and wins of player one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    pub visits: u32,
    /// Twice the wins of player one, with a draw counted as 1.
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

    /// Returns the share of games won by this player; 1/2 if there was none.
    pub(super) fn rate(self, player: Player) -> f64 {
        let rate =
            if self.visits == 0 { 0.5 } else { f64::from(self.halves) / (2.0 * f64::from(self.visits)) };
        if player == Player::One { rate } else { 1.0 - rate }
    }
}

/// A node: a position reached by one line of play.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The name of the move that leads here.
    pub name: u32,
    /// Its children, consecutive; none if it is not expanded.
    first: u32,
    pub count: u32,
    /// Playouts through this node.
    pub own: Tally,
    /// Playouts through its parent in which the same player made the move there or later (RAVE).
    later: Tally,
    /// The proved outcome for player one, if any.
    pub proof: Option<Wdl>,
}

impl Node {
    fn new(name: u32, proof: Option<Wdl>) -> Node {
        let none = Tally::default();
        Node { name, first: 0, count: 0, own: none, later: none, proof }
    }

    pub(super) fn children(&self) -> std::ops::Range<u32> {
        self.first..self.first + self.count
    }

    /// Returns the winning rate of the move for the player who makes it, combined with RAVE.
    fn rate(&self, mover: Player) -> f64 {
        let trust = (EQUIVALENCE / (3.0 * f64::from(self.own.visits) + EQUIVALENCE)).sqrt();
        // Few later uses say little as well.
        let trust = trust * f64::from(self.later.visits) / (f64::from(self.later.visits) + 4.0);
        (1.0 - trust) * self.own.rate(mover) + trust * self.later.rate(mover)
    }
}

/// Statistics of a move wherever it was made.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Name {
    /// All playouts in which each player made it.
    pub all: [Tally; 2],
    /// The last playout in which each player made it.
    last: [u64; 2],
}

/// Converts an outcome between player one's view and `player`'s.
pub(super) fn seen(wdl: Wdl, player: Player) -> Wdl {
    if player == Player::One { wdl } else { -wdl }
}

/// Ranks a child for the player who moves to it: 2 for a proved win, 1 for a draw or nothing proved, 0 for a proved
/// loss.
fn standing(node: &Node, mover: Player) -> u8 {
    match node.proof.map(|proof| seen(proof, mover)) {
        Some(Wdl::Win) => 2,
        None | Some(Wdl::Draw) => 1,
        Some(Wdl::Loss) => 0,
    }
}

/// External end of a search.
pub(super) struct Ends<'a> {
    stop: &'a AtomicBool,
    end: Option<Instant>,
}

impl Ends<'_> {
    pub(super) fn now(&self) -> bool {
        self.stop.load(Relaxed) || self.end.is_some_and(|end| Instant::now() >= end)
    }
}

/// The question about the root.
pub(super) struct Root<'a> {
    pub mover: Player,
    /// Number of lines to report.
    pub lines: usize,
    pub distance: Distance,
    /// The unit of values.
    pub unit: Unit,
    pub limits: Limits,
    pub stop: &'a AtomicBool,
}

/// The game of a tree, with a position that starts at the root and moves on.
pub(super) trait Walk {
    /// Returns to the root.
    fn begin(&mut self);

    /// Returns the player to move.
    fn turn(&self) -> Player;

    /// Expands the node of the position; returns false if there is no memory. Finished children are proved at once.
    fn expand(&mut self, tree: &mut Tree, at: u32) -> bool;

    /// Makes the move of a name.
    fn play(&mut self, name: u32);

    /// Plays randomly to the end of the game; returns the outcome for player one, `None` if it was ended from outside.
    fn finish(&mut self, tree: &mut Tree, ends: &Ends<'_>) -> Option<Wdl>;

    /// Reports a line, by the names of its moves; its moves and its length are added to `info`.
    fn tell(&mut self, line: &[u32], info: Info<()>);
}

/// The tree, with statistics of moves wherever they are made.
pub(super) struct Tree {
    pub nodes: Vec<Node>,
    pub names: Vec<Name>,
    /// The memory of one name, in nodes.
    name_cost: usize,
    /// Memory limit, in nodes.
    pub most: usize,
    pub random: SplitMix64,
    /// Playouts since the engine began.
    pub playouts: u64,
    /// Buffers of one playout: nodes with the player to move, and moves made below the tree.
    pub path: Vec<(u32, Player)>,
    pub made: Vec<(u32, Player)>,
}

impl Tree {
    /// Returns an empty tree of this size in megabytes. `name_bytes` is the game's memory for a move beside its
    /// [`Name`]; the same seed gives the same play.
    pub(super) fn new(megabytes: usize, name_bytes: usize, seed: u64) -> Tree {
        let node = size_of::<Node>();
        Tree {
            nodes: Vec::new(),
            names: Vec::new(),
            // Lists double when they grow.
            name_cost: (2 * size_of::<Name>() + name_bytes) / node + 1,
            most: ((megabytes << 20) / node).clamp(1 << 12, u32::MAX as usize - 1),
            random: SplitMix64(seed),
            playouts: 0,
            path: Vec::new(),
            made: Vec::new(),
        }
    }

    /// Resets the tree to an unexpanded root.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.names.clear();
        self.nodes.push(Node::new(0, None));
    }

    /// Returns the memory in use, in nodes.
    pub(super) fn taken(&self) -> usize {
        self.nodes.len() + self.names.len() * self.name_cost
    }

    /// Adds a node. The children of a node are added consecutively, then attached by [`Tree::adopt`].
    pub(super) fn add(&mut self, name: u32, proof: Option<Wdl>) {
        if self.nodes.len() == self.nodes.capacity() {
            // Doubling beyond the bound would break it.
            let more = self.nodes.len().max(1 << 10).min(self.most - self.nodes.len());
            self.nodes.reserve_exact(more);
        }
        self.nodes.push(Node::new(name, proof));
    }

    /// Makes the nodes from `first` on the children of a node.
    pub(super) fn adopt(&mut self, at: u32, first: usize, mover: Player) {
        let count = (self.nodes.len() - first) as u32;
        let node = &mut self.nodes[at as usize];
        (node.first, node.count) = (first as u32, count);
        self.prove(at, mover);
    }

    /// Runs one playout from the root: selection, expansion, simulation and backup. One ended from outside has no effect.
    fn playout(&mut self, walk: &mut dyn Walk, lines: usize, ends: &Ends<'_>) {
        walk.begin();
        let mut at = 0u32;
        self.playouts += 1;
        self.path.clear();
        self.made.clear();
        let outcome = loop {
            let mover = walk.turn();
            let node = self.nodes[at as usize];
            if node.proof.is_none() && node.count == 0 && node.own.visits > 0 {
                walk.expand(self, at);
            }
            self.path.push((at, mover));
            let node = self.nodes[at as usize];
            if at != 0
                && let Some(proof) = node.proof
            {
                break Some(proof);
            }
            if node.count == 0 {
                break walk.finish(self, ends);
            }
            at = self.choose(at, mover, lines);
            walk.play(self.nodes[at as usize].name);
        };
        if let Some(outcome) = outcome {
            self.carry_back(outcome);
        }
    }

    /// Reports the line that begins with a child of the root.
    fn tell_line(&self, walk: &mut dyn Walk, child: u32, info: Info<()>) {
        walk.begin();
        let mut line = Vec::new();
        let mut next = Some(child);
        while let Some(at) = next {
            let name = self.nodes[at as usize].name;
            line.push(name);
            walk.play(name);
            next = self.best_child(at, walk.turn());
        }
        walk.tell(&line, info);
    }

    /// Backs up an outcome over the moves of a playout: to nodes, to RAVE and MAST statistics, and as proofs.
    fn carry_back(&mut self, mut outcome: Wdl) {
        for &(name, player) in &self.made {
            let name = &mut self.names[name as usize];
            name.all[player.index()].add(outcome);
            name.last[player.index()] = self.playouts;
        }
        let mut below: Option<u32> = None;
        while let Some((at, mover)) = self.path.pop() {
            let children = self.nodes[at as usize].children();
            if let Some(below) = below {
                let child = self.nodes[below as usize];
                let name = &mut self.names[child.name as usize];
                name.all[mover.index()].add(outcome);
                name.last[mover.index()] = self.playouts;
                let mut drawn = false;
                for child in &mut self.nodes[children.start as usize..children.end as usize] {
                    drawn |= child.proof == Some(Wdl::Draw);
                    if self.names[child.name as usize].last[mover.index()] == self.playouts {
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

    /// Proves a node if its children do: one that wins is enough, else all must be proved.
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

    /// Returns the child to descend to: by upper confidence bounds among those not proved to lose; at the root of a
    /// search for several lines none that is proved.
    fn choose(&mut self, at: u32, mover: Player, lines: usize) -> u32 {
        let node = self.nodes[at as usize];
        let log = f64::from(node.own.visits.max(1)).ln();
        let mut best = (f64::NEG_INFINITY, node.first);
        let start = node.first + self.random.below(node.count as usize) as u32;
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

    /// Returns the best child: by proof if the game is decided, else by visits.
    fn best_child(&self, at: u32, mover: Player) -> Option<u32> {
        // A proof needs no visits.
        self.nodes[at as usize]
            .children()
            .map(|child| (self.nodes[child as usize], child))
            .filter(|(node, _)| node.own.visits > 0 || node.proof.is_some())
            .max_by_key(|(node, _)| (standing(node, mover), node.own.visits))
            .map(|(_, child)| child)
    }

    /// Grows the tree until the root is proved or the limits end it. The last report of each rank holds the answer.
    pub(super) fn grow(&mut self, root: &Root<'_>, walk: &mut dyn Walk) {
        let Root { lines, stop, limits: Limits { depth, nodes, soft, hard, infinite }, .. } = *root;
        let ends = Ends { stop, end: soft.or(hard) };
        let timed = ends.end.is_some();
        let most = nodes.or(depth.filter(|_| !timed).map(|depth| A_PLY.saturating_mul(u64::from(depth))));
        let (mut done, mut told, mut when) = (0u64, 1u64 << 10, Instant::now());
        self.tell(root, walk, 1);
        while !self.settled(lines, root.mover) && most.is_none_or(|most| done < most) && !ends.now() {
            self.playout(walk, lines, &ends);
            done += 1;
            if done == told || done.is_multiple_of(256) && when.elapsed() >= Duration::from_secs(1) {
                if done == told {
                    told = told.saturating_mul(2);
                }
                when = Instant::now();
                self.tell(root, walk, done);
            }
            // Without a limit nothing more is learned for certain once the tree is full.
            if !timed && most.is_none() && !infinite && self.taken() >= self.most - self.most / 10 {
                break;
            }
        }
        self.tell(root, walk, done);
        root.limits.hold(stop);
    }

    /// Reports the best moves: proved wins first, then by visits, proved losses last.
    fn tell(&self, root: &Root<'_>, walk: &mut dyn Walk, nodes: u64) {
        let mover = root.mover;
        let mut ranked: Vec<u32> = self.nodes[0].children().collect();
        sorting::sort_by_key(&mut ranked, |&child| {
            let node = &self.nodes[child as usize];
            Reverse((standing(node, mover), node.own.visits))
        });
        let first = root.distance == Distance::First;
        for (rank, child) in (1..).zip(ranked.into_iter().take(root.lines.max(1))) {
            let node = &self.nodes[child as usize];
            let proof = node.proof.map(|proof| seen(proof, mover));
            // A margin is more than who has more.
            let unit = root.unit;
            let score = match proof.filter(|_| !unit.is_points()) {
                Some(Wdl::Draw) => Score::Exact(Value::DRAW),
                Some(Wdl::Win) if first => Score::Exact(Value::WIN),
                Some(Wdl::Loss) if first => Score::Exact(Value::LOSS),
                // Who wins is proved, how soon is not.
                Some(Wdl::Win) => Score::AtLeast(Value::WIN),
                Some(Wdl::Loss) => Score::AtMost(Value::LOSS),
                None => Score::Guess((200.0 * (node.own.rate(mover) - 0.5)).round() as i32),
            };
            let hashfull = (self.taken() as u64 * 1000 / self.most.max(1) as u64).min(1000) as u32;
            let info = Info { nodes: nodes.max(1), hashfull, rank, ..Info::new(score, unit, Vec::new()) };
            self.tell_line(walk, child, info);
        }
    }

    /// Reports whether nothing more is to be proved: the root, and as many moves as lines.
    fn settled(&self, lines: usize, mover: Player) -> bool {
        let children = self.nodes[0].children();
        self.nodes[0].proof.is_some()
            && (lines <= 1
                || children.clone().all(|child| self.nodes[child as usize].proof.is_some())
                || children.filter(|&child| standing(&self.nodes[child as usize], mover) == 2).count()
                    >= lines)
    }

    /// Makes a node the root and removes all nodes not below it. Children follow their parents, so that one sweep moves
    /// all of them.
    pub(super) fn keep_below(&mut self, root: u32) {
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

    /// Keeps only the moves of the wanted names below the root, if there are any.
    pub(super) fn keep_only(&mut self, mover: Player, wanted: &dyn Fn(u32) -> bool) {
        let kept: Vec<Node> = self.nodes[1..].iter().filter(|node| wanted(node.name)).copied().collect();
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
