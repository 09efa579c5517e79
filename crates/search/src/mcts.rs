//! Monte-Carlo tree search: a tree grown by upper confidence bounds (UCT), leaves evaluated by random playouts, and
//! proofs backed up to the root (MCTS-Solver).
//!
//! Its scores are estimates until the root is proved. Made for games without a good evaluation. A move with few visits
//! is also judged by the playouts in which its player made it later on (RAVE), and playouts favour moves that have won
//! more (MAST). The tree is a plain tree: transpositions are stored twice.
//!
//! Sources: L. Kocsis and C. Szepesvári, "Bandit based Monte-Carlo planning", ECML 2006; M. H. M. Winands,
//! Y. Björnsson and J.-T. Saito, "Monte-Carlo tree search solver", CG 2008; S. Gelly and D. Silver, "Monte-Carlo tree
//! search and rapid action value estimation in computer Go", Artificial Intelligence 175, 2011; H. Finnsson and
//! Y. Björnsson, "Simulation-based approach to general game playing", AAAI 2008 (MAST).

mod tree;

use std::collections::VecDeque;
use std::ops::ControlFlow;

use grundy_core::game::{Game, MORE, Player, Scored, each_child, total};
use grundy_core::interner::Interner;
use grundy_core::value::Wdl;
use grundy_session::Info;

use crate::Question;
use tree::{Ends, Name, Root, Tree, Walk, seen};

/// Number of random candidate moves in a playout; the one that has won most is played.
const CANDIDATES: u32 = 2;
/// Plies after which a playout counts as a draw: it need not end.
const LONGEST_PLAYOUT: u32 = 2_000;
/// Plies of a playout between two checks of the deadline.
const STRETCH: u32 = 4;
/// Expanded nodes of the old tree examined to find the new root.
const LOOKED_AT: usize = 10_000;

/// Monte-Carlo tree search as a session's search.
pub struct MonteCarlo<G: Game> {
    tree: Tree,
    /// The moves of the tree; the number of a move is its name there.
    moves: Interner<G::Move>,
    /// The position of the root, if the tree has all its moves.
    root: Option<G::Position>,
    /// Buffer for the legal moves of one position.
    legal: Vec<G::Move>,
}

/// Returns the outcome of a finished game for player one, by the final score in games for points.
fn ended<G: Scored>(game: &G, position: &G::Position) -> Option<Wdl> {
    let value = game.over(position)?;
    Some(seen(total(game, position, value).wdl(), game.turn(position)))
}

/// A game that starts at the root of a search.
struct FromRoot<'a, G: Scored> {
    game: &'a G,
    root: &'a G::Position,
    now: G::Position,
    moves: &'a mut Interner<G::Move>,
    legal: &'a mut Vec<G::Move>,
    report: &'a mut dyn FnMut(Info<G::Move>),
}

impl<G: Scored> Walk for FromRoot<'_, G> {
    fn begin(&mut self) {
        self.now = self.root.clone();
    }

    fn turn(&self) -> Player {
        self.game.turn(&self.now)
    }

    fn expand(&mut self, tree: &mut Tree, at: u32) -> bool {
        let (game, first) = (self.game, tree.nodes.len());
        let moves = &mut *self.moves;
        let whole = each_child(game, &self.now, &mut |m, child, _| {
            if tree.taken() >= tree.most {
                return ControlFlow::Break(());
            }
            let (name, new) = moves.insert(m);
            if new {
                tree.names.push(Name::default());
            }
            tree.add(name, ended(game, child));
            MORE
        });
        if whole.is_break() {
            tree.nodes.truncate(first);
            return false;
        }
        tree.adopt(at, first, game.turn(&self.now));
        true
    }

    fn play(&mut self, name: u32) {
        self.now = self.game.play(&self.now, self.moves.list()[name as usize]);
    }

    fn finish(&mut self, tree: &mut Tree, ends: &Ends<'_>) -> Option<Wdl> {
        let game = self.game;
        for ply in 1..=LONGEST_PLAYOUT {
            if let Some(outcome) = ended(game, &self.now) {
                return Some(outcome);
            }
            if ply.is_multiple_of(STRETCH) && ends.now() {
                return None;
            }
            let mover = game.turn(&self.now);
            let legal = &mut *self.legal;
            legal.clear();
            let _ = game.moves(&self.now, &mut |m| {
                legal.push(m);
                MORE
            });
            let mut best: Option<(f64, G::Move, Option<u32>)> = None;
            for _ in 0..CANDIDATES {
                let Some(&m) = legal.get(tree.random.below(legal.len())) else { break };
                let name = self.moves.number(&m);
                let rate = name.map_or(0.5, |name| tree.names[name as usize].all[mover.index()].rate(mover));
                if best.is_none_or(|(most, ..)| rate > most) {
                    best = Some((rate, m, name));
                }
            }
            let Some((_, m, name)) = best else { return Some(Wdl::Draw) };
            tree.made.extend(name.map(|name| (name, mover)));
            self.now = game.play(&self.now, m);
        }
        Some(Wdl::Draw)
    }

    fn tell(&mut self, line: &[u32], info: Info<()>) {
        let pv: Vec<G::Move> = line.iter().map(|&name| self.moves.list()[name as usize]).collect();
        let depth = pv.len() as u32;
        (self.report)(Info { depth, seldepth: depth, ..info.with_pv(pv) });
    }
}

impl<G: Scored> MonteCarlo<G> {
    /// Returns a search with a tree of this size in megabytes; the same seed gives the same play.
    pub fn new(megabytes: usize, seed: u64) -> MonteCarlo<G> {
        let name_bytes = 2 * size_of::<G::Move>() + 4 * (size_of::<u32>() + 1);
        MonteCarlo {
            tree: Tree::new(megabytes, name_bytes, seed),
            moves: Interner::default(),
            root: None,
            legal: Vec::new(),
        }
    }

    /// Searches an unfinished position until it is proved or the limits end it. The last report of each rank holds the
    /// answer; there is none if the memory does not hold the moves of the root.
    pub fn search(&mut self, question: &Question<'_, G>, report: &mut dyn FnMut(Info<G::Move>)) {
        let Question { game, position, only, limits, stop, lines, distance, .. } = *question;
        let mover = game.turn(position);
        let root = self.root.take().filter(|_| only.is_empty());
        let kept = root.and_then(|root| self.find(game, root, position));
        let MonteCarlo { tree, moves, legal, .. } = self;
        let mut walk = FromRoot { game, root: position, now: position.clone(), moves, legal, report };
        match kept {
            Some(at) => tree.keep_below(at),
            None => {
                tree.clear();
                walk.moves.clear();
                if !walk.expand(tree, 0) {
                    return;
                }
            }
        }
        if only.is_empty() {
            self.root = Some(position.clone());
        } else {
            tree.keep_only(mover, &|name| only.contains(&walk.moves.list()[name as usize]));
        }
        let root = Root { mover, lines, distance, unit: game.unit(), limits, stop };
        tree.grow(&root, &mut walk);
    }

    /// Returns the expanded node of the old tree for a position, in breadth-first order.
    fn find(&self, game: &G, old: G::Position, position: &G::Position) -> Option<u32> {
        let tree = &self.tree;
        let mut queue = VecDeque::from([(0u32, old)]);
        let mut looked_at = 0;
        while let Some((at, now)) = queue.pop_front() {
            if now == *position {
                return Some(at);
            }
            looked_at += 1;
            if looked_at > LOOKED_AT {
                return None;
            }
            for child in tree.nodes[at as usize].children() {
                let node = &tree.nodes[child as usize];
                if node.count > 0 && queue.len() < LOOKED_AT {
                    queue.push_back((child, game.play(&now, self.moves.list()[node.name as usize])));
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::time::{Duration, Instant};

    use grundy_core::game::{Flow, children, legal_moves};
    use grundy_core::random::SplitMix64;
    use grundy_core::value::{Score, Value};
    use grundy_session::Limits;

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

    fn searched(game: &Heap, heap: u32, nodes: Option<u64>) -> Info<i32> {
        let position = (heap, true);
        let limits = Limits { nodes, ..Limits::default() };
        let mut last = None;
        let question = Question { limits, ..Question::new(game, &position) };
        MonteCarlo::new(4, 1).search(&question, &mut |line| last = Some(line));
        last.expect("a report")
    }

    #[test]
    fn small_games_are_proved_and_won_by_the_winning_move() {
        for heap in 1..=13 {
            let line = searched(&Heap { back: false }, heap, None);
            if heap % 4 == 0 {
                assert_eq!(line.score, Score::AtMost(Value::LOSS), "{heap}");
            } else {
                assert_eq!((line.score, line.pv[0]), (Score::AtLeast(Value::WIN), heap as i32 % 4), "{heap}");
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
        let mut random = SplitMix64(5);
        for seed in 0..40 {
            let mut position = Strip.start();
            for _ in 0..2 + seed % 3 {
                position = Strip.play(&position, legal_moves(&Strip, &position)[random.below(4)]);
            }
            if Strip.over(&position).is_some() {
                continue;
            }
            let mut last = std::collections::BTreeMap::new();
            let question = Question { lines: 8, ..Question::new(&Strip, &position) };
            MonteCarlo::new(8, seed).search(&question, &mut |line| {
                last.insert(line.rank, line);
            });
            let moves = legal_moves(&Strip, &position);
            assert_eq!(last.len(), moves.len());
            for (rank, line) in last {
                let m = line.pv[0];
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
        let before = search.tree.nodes.len();
        let later = game.play(&game.play(&start, 3), 1);
        let at = search.find(&game, start, &later).expect("the position stands in the tree");
        let visits = search.tree.nodes[at as usize].own.visits;
        assert!(visits > 10, "{visits}");
        let none = Limits { nodes: Some(0), ..limits };
        search.search(&Question { limits: none, ..Question::new(&game, &later) }, &mut |_| {});
        assert!(search.tree.nodes.len() < before && search.tree.nodes[0].own.visits == visits);
        // Every node still stands for a position that its moves lead to, and every child has a place of its own.
        let mut queue = vec![(0u32, later)];
        let mut seen = 0;
        while let Some((at, position)) = queue.pop() {
            seen += 1;
            let node = &search.tree.nodes[at as usize];
            let moves: Vec<i32> = node
                .children()
                .map(|at| search.moves.list()[search.tree.nodes[at as usize].name as usize])
                .collect();
            assert!(moves.is_empty() || moves == legal_moves(&game, &position));
            assert!(node.proof.is_none_or(|proof| {
                seen_by(proof, &game, &position) == if position.0 % 4 == 0 { Wdl::Loss } else { Wdl::Win }
            }));
            queue.extend(node.children().zip(moves.iter().map(|&m| game.play(&position, m))));
        }
        assert_eq!(seen, search.tree.nodes.len());
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
        assert!(search.tree.taken() <= search.tree.most && search.tree.nodes.capacity() <= search.tree.most);
        // A playout that goes on for ever ends with the time.
        let end = Instant::now() + Duration::from_millis(50);
        let limits = Limits { hard: Some(end), ..Limits::default() };
        search.search(&Question { limits, ..Question::new(&game, &start) }, &mut |_| {});
        assert!(Instant::now() < end + Duration::from_secs(60));
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
            last = Some(line);
        });
        // Two counters would win; of the others none does.
        assert_eq!(last.map(|line| line.score), Some(Score::AtMost(Value::LOSS)));
        let mut last = None;
        search.search(&Question::new(&game, &position), &mut |line| last = Some(line));
        assert_eq!(last.map(|line| (line.score, line.pv[0])), Some((Score::AtLeast(Value::WIN), 2)));
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
