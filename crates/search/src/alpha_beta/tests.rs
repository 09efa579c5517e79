//! The search against a plain memoised minimax, on small random games with extra turns, points and draws.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use grundy_core::game::{Flow, Game, MORE, Player, children, legal_moves};
use grundy_core::value::{Score, Unit};
use grundy_session::{Distance, Limits};

use super::*;
use grundy_tables::Oracle;

/// A layered random graph whose every property is a hash of the seed.
#[derive(Clone, Copy)]
struct Maze {
    seed: u64,
    unit: Unit,
    layers: u32,
    extra_turns: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Spot {
    layer: u32,
    place: u32,
    turn: Player,
    score: (i32, i32),
}

impl Maze {
    fn dice(&self, spot: &Spot, what: u64) -> u64 {
        let mut x = self.seed
            ^ u64::from(spot.layer) << 40
            ^ u64::from(spot.place) << 20
            ^ what.wrapping_mul(0x9E37_79B9);
        for _ in 0..3 {
            x = (x ^ x >> 31).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        }
        x ^ x >> 29
    }
}

impl Game for Maze {
    type Position = Spot;
    type Move = u8;

    fn start(&self) -> Spot {
        Spot { layer: 0, place: 0, turn: Player::One, score: (0, 0) }
    }

    fn turn(&self, spot: &Spot) -> Player {
        spot.turn
    }

    fn over(&self, spot: &Spot) -> Option<Value> {
        let ends = spot.layer == self.layers || spot.layer > 1 && self.dice(spot, 99).is_multiple_of(9);
        ends.then(|| match (self.unit, self.dice(spot, 98) % 3) {
            (Unit::Points, _) => Value::points(self.dice(spot, 97) as i32 % 3),
            (_, 0) => Value::DRAW,
            (_, 1) => Value::win_in(0),
            _ => Value::loss_in(0),
        })
    }

    fn moves(&self, spot: &Spot, visit: &mut impl FnMut(u8) -> Flow) -> Flow {
        for m in 0..1 + self.dice(spot, 50) % 4 {
            visit(m as u8)?;
        }
        MORE
    }

    fn play(&self, spot: &Spot, m: u8) -> Spot {
        let dice = self.dice(spot, u64::from(m));
        let mut score = spot.score;
        let gain = self.gain(spot, m);
        if spot.turn == Player::One {
            score.0 += gain
        } else {
            score.1 += gain
        }
        let stays = self.extra_turns && dice.is_multiple_of(5);
        let turn = if stays { spot.turn } else { !spot.turn };
        Spot { layer: spot.layer + 1, place: (dice >> 8) as u32 % 40, turn, score }
    }
}

impl Scored for Maze {
    fn unit(&self) -> Unit {
        self.unit
    }

    fn gain(&self, spot: &Spot, m: u8) -> i32 {
        if self.unit.is_points() { (self.dice(spot, 70 + u64::from(m)) % 7) as i32 - 2 } else { 0 }
    }

    fn score(&self, spot: &Spot) -> (i32, i32) {
        spot.score
    }
}

impl Heuristic for Maze {
    fn key(&self, spot: &Spot) -> u64 {
        u64::from(spot.layer) << 32 | u64::from(spot.place) << 1 | spot.turn.index() as u64
    }

    fn guess(&self, spot: &Spot) -> i32 {
        (self.dice(spot, 123) % 400) as i32 - 200
    }
}

impl Bounds for Maze {}

fn brute(maze: &Maze, spot: &Spot, memo: &mut HashMap<Spot, Value>) -> Value {
    if let Some(value) = maze.over(spot) {
        return value;
    }
    let bare = Spot { score: (0, 0), ..*spot };
    if let Some(&value) = memo.get(&bare) {
        return value;
    }
    let mut best = None;
    let _ = children(maze, spot, &mut |_, child, step| {
        best = best.max(Some(brute(maze, &child, memo).back(step)));
        MORE
    });
    let value = best.unwrap();
    memo.insert(bare, value);
    value
}

fn mazes() -> impl Iterator<Item = Maze> {
    (0..60u64).flat_map(|seed| {
        [(Unit::Outcome, false), (Unit::Outcome, true), (Unit::Points, false), (Unit::Points, true)]
            .map(|(unit, extra_turns)| Maze { seed: seed * 7919 + 13, unit, layers: 12, extra_turns })
    })
}

/// Everything a report claims must be true.
fn check(maze: &Maze, line: &Info<u8>, memo: &mut HashMap<Spot, Value>) {
    let start = maze.start();
    let first = line.pv[0];
    let child = maze.play(&start, first);
    let step = grundy_core::game::step(maze, &start, first, &child);
    let value = brute(maze, &child, memo).back(step);
    match line.score {
        Score::Exact(claim) => assert_eq!(claim, value),
        Score::AtLeast(claim) => assert!(claim <= value, "{claim:?} {value:?}"),
        Score::AtMost(claim) => assert!(claim >= value, "{claim:?} {value:?}"),
        Score::Guess(_) => {}
    }
    let mut spot = start;
    for &m in &line.pv {
        assert!(legal_moves(maze, &spot).contains(&m), "{:?}", line.pv);
        spot = maze.play(&spot, m);
    }
    if let Some(plies) = line.score.exact().and_then(Value::plies) {
        assert_eq!(plies as usize, line.pv.len());
    }
    if line.score.exact().is_some() {
        assert!(maze.over(&spot).is_some());
    }
}

#[test]
fn proved_values_are_those_of_minimax() {
    for maze in mazes() {
        let (mut memo, start) = (HashMap::new(), maze.start());
        let truth = brute(&maze, &start, &mut memo);
        for threads in [1, 2] {
            let mut searcher = AlphaBeta::new(1, threads);
            assert_eq!(searcher.value(&Question::new(&maze, &start)), Some(truth));
        }
        let question = Question { distance: Distance::First, ..Question::new(&maze, &start) };
        let value = AlphaBeta::new(1, 1).value(&question).unwrap();
        assert_eq!(value.wdl(), truth.wdl());
    }
}

#[test]
fn every_line_reported_is_true() {
    for maze in mazes() {
        let (mut memo, start) = (HashMap::new(), maze.start());
        let truth = brute(&maze, &start, &mut memo);
        let hour = Instant::now() + Duration::from_secs(3600);
        let depths = (1..14).map(|d| Limits { depth: Some(d), ..Limits::default() });
        let nodes = [1, 2, 10, 100, 1000].map(|n| Limits { nodes: Some(n), ..Limits::default() });
        let others = [Limits::default(), Limits { hard: Some(hour), ..Limits::default() }];
        for limits in depths.chain(nodes).chain(others) {
            for count in [1, 3] {
                let mut searcher = AlphaBeta::new(1, 1);
                let question = Question { lines: count, limits, ..Question::new(&maze, &start) };
                let lines = searcher.search(&question, &mut |line| check(&maze, &line, &mut memo));
                assert_eq!(lines.len(), count.min(legal_moves(&maze, &start).len()));
                if limits.depth.is_none() && limits.nodes.is_none() {
                    assert_eq!(lines[0].score, Score::Exact(truth));
                    assert!(lines.iter().all(|l| l.score.exact().is_some()));
                    assert!(lines.is_sorted_by_key(|l| std::cmp::Reverse(l.score.exact())));
                }
            }
        }
    }
}

/// Knows true bounds of what spots are worth: of some spots the value, of others one side or nothing.
struct Hearsay<'a> {
    maze: &'a Maze,
    memo: Mutex<HashMap<Spot, Value>>,
    /// Nothing is kept back.
    all: bool,
}

impl Oracle<Maze> for Hearsay<'_> {
    fn bytes(&self) -> u64 {
        0
    }

    fn value(&self, _maze: &Maze, _spot: &Spot) -> Option<Value> {
        None
    }

    fn bounds(&self, maze: &Maze, spot: &Spot) -> Option<(Value, Value)> {
        let value = brute(maze, spot, &mut self.memo.lock().unwrap());
        let (least, most) = match maze.unit {
            Unit::Points | Unit::Fractions(_) => {
                (Value::points(-Value::MAX_POINTS), Value::points(Value::MAX_POINTS))
            }
            Unit::Outcome => (Value::loss_in(1), Value::win_in(1)),
        };
        match self.maze.dice(spot, 7) % 4 {
            _ if self.all => Some((value, value)),
            0 => Some((value, value)),
            1 => Some((least, value)),
            2 => Some((value, most)),
            _ => None,
        }
    }
}

#[test]
fn what_was_proved_before_leaves_less_to_search() {
    let mut nodes = [0; 3];
    for maze in mazes() {
        let (mut memo, start) = (HashMap::new(), maze.start());
        let truth = brute(&maze, &start, &mut memo);
        let less = Value::from_raw(truth.raw() - 1);
        for (at_least, nodes) in [None, Some(less), Some(truth)].into_iter().zip(&mut nodes) {
            let mut searcher = AlphaBeta::new(1, 1);
            let question = Question { at_least, ..Question::new(&maze, &start) };
            let lines = searcher.search(&question, &mut |line| check(&maze, &line, &mut memo));
            assert_eq!(lines[0].score.exact(), Some(truth));
            *nodes += searcher.nodes();
        }
    }
    assert!(nodes[2] < nodes[0], "{nodes:?}");
}

#[test]
fn what_a_book_knows_leaves_less_to_search() {
    let mut nodes = [0; 3];
    for maze in mazes() {
        let (mut memo, start) = (HashMap::new(), maze.start());
        let truth = brute(&maze, &start, &mut memo);
        for threads in [1, 2] {
            for distance in [Distance::Exact, Distance::First] {
                for (all, nodes) in [None, Some(false), Some(true)].into_iter().zip(&mut nodes) {
                    let hearsay =
                        all.map(|all| Hearsay { maze: &maze, memo: Mutex::new(HashMap::new()), all });
                    let book = hearsay.as_ref().map(|hearsay| hearsay as &dyn Oracle<Maze>);
                    let mut searcher = AlphaBeta::new(1, threads);
                    let question = Question { book, distance, ..Question::new(&maze, &start) };
                    let exact = distance == Distance::Exact || maze.unit().is_points();
                    let lines = searcher.search(&question, &mut |line| {
                        if exact {
                            check(&maze, &line, &mut memo);
                        }
                    });
                    let found = lines[0].score.settled().unwrap();
                    assert!(if exact { found == truth } else { found.wdl() == truth.wdl() });
                    *nodes += if threads == 1 { searcher.nodes() } else { 0 };
                }
            }
        }
    }
    assert!(nodes[2] < nodes[1] && nodes[1] < nodes[0], "{nodes:?}");
}

#[test]
fn only_the_moves_asked_for_are_looked_at() {
    for maze in mazes() {
        let (mut memo, start) = (HashMap::new(), maze.start());
        for m in legal_moves(&maze, &start) {
            let mut searcher = AlphaBeta::new(1, 1);
            let question = Question { only: &[m], lines: 2, ..Question::new(&maze, &start) };
            let lines = searcher.search(&question, &mut |_| {});
            assert_eq!(lines.len(), 1);
            assert_eq!(lines[0].pv[0], m);
            assert!(lines[0].score.exact().is_some());
            check(&maze, &lines[0], &mut memo);
        }
    }
}

#[test]
fn a_search_stopped_before_it_began_has_a_move() {
    let stop = AtomicBool::new(true);
    for maze in mazes() {
        for infinite in [false, true] {
            let limits = Limits { infinite, ..Limits::default() };
            let mut searcher = AlphaBeta::new(1, 1);
            let start = maze.start();
            let question = Question { limits, stop: &stop, ..Question::new(&maze, &start) };
            let lines = searcher.search(&question, &mut |_| {});
            assert!(legal_moves(&maze, &start).contains(&lines[0].pv[0]));
        }
    }
}

/// A maze that no search gets to the end of: the limit ends it, or this test does not end.
#[test]
fn a_hard_limit_ends_a_search() {
    let maze = Maze { seed: 5, unit: Unit::Points, layers: 4000, extra_turns: true };
    for threads in [1, 2] {
        let mut searcher = AlphaBeta::new(16, threads);
        let limits = Limits { hard: Some(Instant::now() + Duration::from_millis(30)), ..Limits::default() };
        let start = maze.start();
        let lines = searcher.search(&Question { limits, ..Question::new(&maze, &start) }, &mut |_| {});
        assert!(!lines.is_empty());
    }
}
