//! Monte-Carlo tree search: a tree grown by the upper confidence rule (UCT), leaves judged by random play, and proofs
//! carried back to the root (MCTS-Solver).
//!
//! What it says is a guess until the root is proved. Made for games without a good evaluation.
//!
//! Sources: L. Kocsis and C. Szepesvári, "Bandit based Monte-Carlo planning", ECML 2006; M. H. M. Winands,
//! Y. Björnsson and J.-T. Saito, "Monte-Carlo tree search solver", CG 2008.

use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use grundy_core::game::{MORE, Player, Scored, children, legal_moves, total};
use grundy_core::random::SplitMix64;
use grundy_core::value::{Score, Value, Wdl};
use grundy_session::{Distance, Limits};

use crate::{Question, Variation};

/// How much moves that were tried seldom are favoured.
const CURIOSITY: f64 = 0.7;
/// Plies after which random play counts as a draw: play that may go on for ever.
const LONGEST_PLAYOUT: u32 = 2_000;
/// Playouts between two looks at the clock.
const STRETCH: u64 = 16;
/// Playouts for each ply of `go depth`, which sets no other limit.
const A_PLY: u64 = 10_000;

/// Monte-Carlo tree search as a session's search.
pub struct MonteCarlo {
    nodes: Vec<Node>,
    most: usize,
    lots: SplitMix64,
}

/// A position of the tree, reached by one way.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// Its move among the legal moves of the position before.
    place: u32,
    /// Its children, one after the other; none where it was not looked into.
    first: u32,
    count: u32,
    visits: u32,
    /// Wins of player one, a draw counting half.
    wins: f64,
    /// How the game ends for player one with best play, where that is proved.
    proof: Option<Wdl>,
}

impl Node {
    fn new(place: u32, proof: Option<Wdl>) -> Node {
        Node { place, first: 0, count: 0, visits: 0, wins: 0.0, proof }
    }

    /// The share of games that this player has won.
    fn rate(&self, player: Player) -> f64 {
        let rate = if self.visits == 0 { 0.5 } else { self.wins / f64::from(self.visits) };
        if player == Player::One { rate } else { 1.0 - rate }
    }
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

impl MonteCarlo {
    /// One playout from the root: down the tree, one step out of it, random play, and all of it back.
    fn playout<G: Scored>(&mut self, question: &Question<'_, G>, path: &mut Vec<(u32, Player)>) {
        let game = question.game;
        let mut position = question.position.clone();
        let mut at = 0u32;
        path.clear();
        let outcome = loop {
            let mover = game.turn(&position);
            path.push((at, mover));
            let node = self.nodes[at as usize];
            if let Some(proof) = node.proof {
                break proof;
            }
            if node.count == 0 {
                if node.visits > 0 && self.expand(game, &position, at) {
                    // It is come to again, with children.
                    path.pop();
                    continue;
                }
                break self.random(game, position);
            }
            at = self.choose(at, mover);
            let Some(m) = crate::at_place(game, &position, self.nodes[at as usize].place) else {
                break Wdl::Draw;
            };
            position = game.play(&position, m);
        };
        let win = match outcome {
            Wdl::Win => 1.0,
            Wdl::Draw => 0.5,
            Wdl::Loss => 0.0,
        };
        for &(at, mover) in path.iter().rev() {
            let node = &mut self.nodes[at as usize];
            node.visits = node.visits.saturating_add(1);
            node.wins += win;
            if node.proof.is_none() && node.count > 0 {
                self.prove(at, mover);
            }
        }
    }

    /// Gives a node its children; false where there is no room. What is over among them is proved at once.
    fn expand<G: Scored>(&mut self, game: &G, position: &G::Position, at: u32) -> bool {
        let first = self.nodes.len();
        let mut place = 0;
        let (nodes, most) = (&mut self.nodes, self.most);
        let whole = children(game, position, &mut |_, child, _| {
            nodes.push(Node::new(place, ended(game, &child)));
            place += 1;
            if nodes.len() < most { MORE } else { std::ops::ControlFlow::Break(()) }
        });
        if whole.is_break() {
            self.nodes.truncate(first);
            return false;
        }
        let node = &mut self.nodes[at as usize];
        (node.first, node.count) = (first as u32, place);
        self.prove(at, game.turn(position));
        true
    }

    fn children(&self, at: u32) -> std::ops::Range<u32> {
        let node = &self.nodes[at as usize];
        node.first..node.first + node.count
    }

    /// Proves a node where its children do: one that wins is enough, else all must be proved.
    fn prove(&mut self, at: u32, mover: Player) {
        let mut best: Option<Wdl> = None;
        let mut whole = true;
        for child in self.children(at) {
            match self.nodes[child as usize].proof {
                Some(proof) => best = best.max(Some(seen(proof, mover))),
                None => whole = false,
            }
        }
        if let Some(best) = best.filter(|&best| best == Wdl::Win || whole) {
            self.nodes[at as usize].proof = Some(seen(best, mover));
        }
    }

    /// The child to be looked into: the upper confidence rule among those that are not proved to lose.
    fn choose(&mut self, at: u32, mover: Player) -> u32 {
        let log = f64::from(self.nodes[at as usize].visits.max(1)).ln();
        let mut best = (f64::NEG_INFINITY, self.nodes[at as usize].first);
        let start = self.lots.below(self.nodes[at as usize].count as usize) as u32;
        let range = self.children(at);
        for child in (range.start + start..range.end).chain(range.start..range.start + start) {
            let node = &self.nodes[child as usize];
            let urgency = match node.proof.map(|proof| seen(proof, mover)) {
                Some(Wdl::Win) => return child,
                Some(Wdl::Loss) => f64::MIN,
                _ if node.visits == 0 => f64::INFINITY,
                _ => node.rate(mover) + CURIOSITY * (log / f64::from(node.visits)).sqrt(),
            };
            if urgency > best.0 {
                best = (urgency, child);
            }
        }
        best.1
    }

    /// Plays at random to the end of the game: how it ends for player one.
    fn random<G: Scored>(&mut self, game: &G, mut position: G::Position) -> Wdl {
        for _ in 0..LONGEST_PLAYOUT {
            if let Some(outcome) = ended(game, &position) {
                return outcome;
            }
            let moves = legal_moves(game, &position);
            let Some(&m) = moves.get(self.lots.below(moves.len())) else { return Wdl::Draw };
            position = game.play(&position, m);
        }
        Wdl::Draw
    }

    /// The children of the root, best first: proved wins, then by visits, proved losses last.
    fn ranked(&self, mover: Player) -> Vec<u32> {
        let mut list: Vec<u32> = self.children(0).collect();
        list.sort_by_key(|&child| {
            let node = &self.nodes[child as usize];
            let proved = match node.proof.map(|proof| seen(proof, mover)) {
                Some(Wdl::Win) => 0,
                Some(Wdl::Loss) => 2,
                _ => 1,
            };
            (proved, std::cmp::Reverse(node.visits))
        });
        list
    }

    /// The line from a child of the root on: where the game is decided the proof, else the moves tried most.
    fn line<G: Scored>(&self, question: &Question<'_, G>, child: u32) -> Vec<u32> {
        let game = question.game;
        let (mut position, mut at) = (question.position.clone(), child);
        let mut line = Vec::new();
        loop {
            let place = self.nodes[at as usize].place;
            let Some(m) = crate::at_place(game, &position, place) else { return line };
            line.push(place);
            position = game.play(&position, m);
            let mover = game.turn(&position);
            let best = self.children(at).filter(|&child| self.nodes[child as usize].visits > 0).max_by_key(
                |&child| {
                    let node = &self.nodes[child as usize];
                    (node.proof.map(|proof| seen(proof, mover)), node.visits)
                },
            );
            match best {
                Some(next) => at = next,
                None => return line,
            }
        }
    }

    /// Tells what is known of the best moves.
    fn tell<G: Scored>(&self, question: &Question<'_, G>, nodes: u64, report: &mut dyn FnMut(&Variation)) {
        let mover = question.game.turn(question.position);
        for (rank, child) in (1..).zip(self.ranked(mover).into_iter().take(question.lines.max(1))) {
            let node = &self.nodes[child as usize];
            let first = question.distance == Distance::First;
            let score = match node.proof.map(|proof| seen(proof, mover)) {
                Some(Wdl::Draw) => Score::Exact(Value::DRAW),
                Some(Wdl::Win) if first => Score::Exact(Value::WIN),
                Some(Wdl::Loss) if first => Score::Exact(Value::LOSS),
                // Who wins is proved, how soon is not.
                Some(Wdl::Win) => Score::AtLeast(Value::WIN),
                Some(Wdl::Loss) => Score::AtMost(Value::LOSS),
                None => Score::Guess((200.0 * (node.rate(mover) - 0.5)).round() as i32),
            };
            // A margin is more than who has more.
            let score = match score {
                Score::Guess(_) => score,
                _ if question.game.unit().is_points() => {
                    Score::Guess((200.0 * (node.rate(mover) - 0.5)).round() as i32)
                }
                proved => proved,
            };
            let pv = self.line(question, child);
            let depth = pv.len() as u32;
            let hashfull = (self.nodes.len() as u64 * 1000 / self.most.max(1) as u64) as u32;
            report(&Variation { depth, seldepth: depth, nodes: nodes.max(1), hashfull, rank, score, pv });
        }
    }
}

impl MonteCarlo {
    /// A search with a tree of so many megabytes; the same seed gives the same play.
    pub fn new(megabytes: usize, seed: u64) -> MonteCarlo {
        let most = ((megabytes << 20) / size_of::<Node>()).clamp(1 << 10, u32::MAX as usize - 1);
        MonteCarlo { nodes: Vec::new(), most, lots: SplitMix64(seed) }
    }

    /// Searches a position that is not over, until it is proved or the limits end it. The last report of each rank
    /// holds the answer.
    pub fn search<G: Scored>(&mut self, question: &Question<'_, G>, report: &mut dyn FnMut(&Variation)) {
        let Question { game, position, only, limits, stop, .. } = *question;
        let Limits { depth, nodes, soft, hard, infinite } = limits;
        self.nodes.clear();
        self.nodes.push(Node::new(0, None));
        if !self.expand(game, position, 0) {
            return;
        }
        if !only.is_empty() {
            self.keep_only(game, position, only);
        }
        let end = soft.or(hard);
        let most =
            nodes.or(depth.filter(|_| end.is_none()).map(|depth| A_PLY.saturating_mul(u64::from(depth))));
        let mut path = Vec::new();
        let (mut done, mut told) = (0u64, 1u64 << 10);
        self.tell(question, 1, report);
        while self.nodes[0].proof.is_none() && most.is_none_or(|most| done < most) {
            self.playout(question, &mut path);
            done += 1;
            if done.is_multiple_of(STRETCH)
                && (stop.load(Relaxed) || end.is_some_and(|end| Instant::now() >= end))
            {
                break;
            }
            if done == told {
                told *= 2;
                self.tell(question, done, report);
                // Without a limit nothing more is learned for certain once the tree is full.
                if end.is_none() && most.is_none() && !infinite && self.nodes.len() * 10 > self.most * 9 {
                    break;
                }
            }
        }
        self.tell(question, done, report);
        while infinite && !stop.load(Relaxed) && hard.is_none_or(|end| Instant::now() < end) {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
    }

    /// Leaves only these moves below the root.
    fn keep_only<G: Scored>(&mut self, game: &G, position: &G::Position, only: &[G::Move]) {
        let mut place = 0;
        let mut kept = Vec::new();
        let _ = game.moves(position, &mut |m| {
            if only.contains(&m) {
                kept.push(self.nodes[1 + place]);
            }
            place += 1;
            MORE
        });
        if kept.is_empty() {
            return;
        }
        self.nodes.truncate(1);
        self.nodes[0].proof = None;
        self.nodes[0].count = kept.len() as u32;
        self.nodes.extend(kept);
        self.prove(0, game.turn(position));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_core::game::{Flow, Game};

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

    #[test]
    fn nothing_is_called_proved_before_it_is() {
        let line = searched(&Heap { back: false }, 40, Some(50));
        assert!(matches!(line.score, Score::Guess(_)), "{line:?}");
        // Play that may go on for ever ends all the same.
        let line = searched(&Heap { back: true }, 9, Some(2_000));
        assert!(line.nodes <= 2_000 && !line.pv.is_empty());
    }
}
