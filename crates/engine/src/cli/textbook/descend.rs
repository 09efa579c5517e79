//! Recursion from a position to the ends of the game: minimax, with memory, or alpha-beta with one bound or two.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use grundy_core::value::{Step, Value, Wdl};
use grundy_session::{Board, Form, Move};

use super::outcome::{Budget, Counts, Failure, Found, moves};

/// The cut-offs of a recursion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cuts {
    /// None: minimax.
    None,
    /// Alpha-beta with one bound: shallow cut-offs only.
    OneBound,
    /// Alpha-beta with two bounds: deep cut-offs as well.
    TwoBounds,
}

/// The options of a recursion.
#[derive(Clone, Copy, Debug)]
pub struct Descent {
    /// The cut-offs.
    pub cuts: Cuts,
    /// True if values are remembered, by essence.
    pub memory: bool,
    /// True if moves with cut-offs elsewhere are tried first, else the game's order holds (history heuristic).
    pub ordered: bool,
    /// True if distances are ignored.
    pub outcome: bool,
    /// Depth limit in plies; unfinished positions there count as draws.
    pub depth: Option<u32>,
}

/// A position on the current path.
struct Frame {
    moves: Vec<Move>,
    next: usize,
    best: Option<Value>,
    /// The best that each player has elsewhere, the mover's first.
    alpha: Value,
    beta: Value,
    /// The step of the move being searched.
    step: Step,
    /// Its index in the memory.
    place: u32,
    /// Its remaining depth.
    depth: u32,
}

/// The remembered bounds of a position's value.
#[derive(Clone, Copy)]
struct Known {
    lower: Value,
    upper: Value,
    /// The depth to which they hold.
    depth: u32,
}

/// Bounds below and above every value.
const LEAST: Value = Value::loss_in(0);
const MOST: Value = Value::win_in(0);

/// Positions between two checks of the deadline and the memory.
const STRETCH: u64 = 1 << 12;

struct Walk<'a> {
    board: &'a mut dyn Board,
    how: Descent,
    budget: Budget<'a>,
    counts: Counts,
    estimated: bool,
    known: Vec<Known>,
    /// The number of cut-offs of each move, by its word.
    history: HashMap<u64, u32>,
    path: Vec<Frame>,
    /// The longest line so far, as indices among the legal moves.
    deepest: Vec<u32>,
    /// Positions visited since the last look at the clock.
    since: u64,
}

/// Returns the value of the position on top of a board.
///
/// # Errors
/// The budget is used up, or there is a cycle and no depth limit.
pub fn descend(board: &mut dyn Board, how: Descent, budget: Budget<'_>) -> Result<Found, Failure> {
    board.clear(0);
    let mut walk = Walk {
        board,
        how,
        budget,
        counts: Counts::default(),
        estimated: false,
        known: Vec::new(),
        history: HashMap::new(),
        path: Vec::new(),
        deepest: Vec::new(),
        since: 0,
    };
    let value = walk.run();
    walk.board.clear(0);
    let value = value?;
    let also = if how.cuts == Cuts::None && !how.memory { Some(walk.deepest_line()?) } else { None };
    Ok(Found { value, estimated: walk.estimated, counts: walk.counts, also })
}

impl Walk<'_> {
    fn run(&mut self) -> Result<Value, Failure> {
        let mut back = self.enter(LEAST, MOST)?;
        loop {
            let Some(mut frame) = self.path.pop() else { return Ok(back.unwrap_or(Value::DRAW)) };
            if let Some(value) = back.take() {
                // The root has nobody to tell.
                self.take(&mut frame, value);
            }
            if frame.next == frame.moves.len() {
                let value = frame.best.unwrap_or(Value::DRAW);
                self.remember(&frame, value);
                if self.path.is_empty() {
                    return Ok(value);
                }
                self.board.undo();
                back = Some(value);
                continue;
            }
            let m = frame.moves[frame.next];
            frame.step = self.board.play(m);
            let (alpha, beta) = window(self.how.cuts, &frame);
            self.path.push(frame);
            back = self.enter(alpha, beta)?;
            if back.is_some() {
                self.board.undo();
            }
        }
    }

    /// Visits the position on top: returns its value if that is known at once, else pushes it on the path.
    fn enter(&mut self, alpha: Value, beta: Value) -> Result<Option<Value>, Failure> {
        self.since += 1;
        if self.since == STRETCH {
            self.since = 0;
            if self.budget.over() {
                return Err(Failure::Time(self.counts));
            }
            let used = self.board.set_bytes() + (self.known.capacity() * size_of::<Known>()) as u64;
            if used > self.budget.memory {
                return Err(Failure::Memory(self.counts, self.budget.memory));
            }
        }
        if self.path.len() > self.deepest.len() {
            self.deepest = self.path.iter().map(|frame| frame.next as u32).collect();
        }
        let left = self.how.depth.map(|depth| (depth as usize).saturating_sub(self.path.len()));
        let (mut place, mut new) = (0, true);
        let depth = left.map_or(u32::MAX, |left| left as u32);
        if self.how.memory {
            (place, new) = self.board.insert(0, Form::Essence);
            self.counts.lookups += 1;
            if new {
                self.known.push(Known { lower: LEAST, upper: MOST, depth });
            } else {
                let known = &mut self.known[place as usize];
                if known.depth >= depth {
                    if known.lower >= beta || known.lower == known.upper {
                        return Ok(Some(known.lower));
                    }
                    if known.upper <= alpha {
                        return Ok(Some(known.upper));
                    }
                }
            }
        }
        self.counts.positions += 1;
        if let Some(value) = self.board.standing().over {
            self.counts.finished += 1;
            let value = self.seen(value);
            if self.how.memory {
                self.known[place as usize] = Known { lower: value, upper: value, depth: u32::MAX };
            }
            return Ok(Some(value));
        }
        if left == Some(0) {
            self.estimated = true;
            return Ok(Some(Value::DRAW));
        }
        if self.how.depth.is_none() && !(self.how.memory && new) && self.board.repetitions() > 1 {
            return Err(Failure::Comes(self.counts));
        }
        let mut moves = moves(self.board)?;
        if self.how.ordered && !self.history.is_empty() {
            moves.sort_by_cached_key(|&m| {
                Reverse(self.history.get(&word_key(self.board, m)).copied().unwrap_or(0))
            });
        }
        let step = Step::PASSED;
        self.path.push(Frame { moves, next: 0, best: None, alpha, beta, step, place, depth });
        Ok(None)
    }

    /// Returns the longest line searched, in words. The board is at the root.
    fn deepest_line(&mut self) -> Result<String, Failure> {
        let mut line = format!("deepest {}", self.deepest.len());
        for (ply, &place) in self.deepest.iter().enumerate() {
            let Some(&m) = moves(self.board)?.get(place as usize) else { break };
            line.push_str(if ply == 0 { ": " } else { " " });
            line.push_str(&self.board.word(m));
            self.board.play(m);
        }
        for _ in 0..self.deepest.len() {
            self.board.undo();
        }
        Ok(line)
    }

    /// Returns a value, without its distance if distances are ignored.
    fn seen(&self, value: Value) -> Value {
        match (self.how.outcome, value.wdl()) {
            (false, _) => value,
            (true, Wdl::Win) => Value::WIN,
            (true, Wdl::Draw) => Value::DRAW,
            (true, Wdl::Loss) => Value::LOSS,
        }
    }

    /// Updates a frame with the value of the position after its current move.
    fn take(&mut self, frame: &mut Frame, value: Value) {
        frame.best = frame.best.max(Some(value.back(frame.step)));
        if self.how.cuts != Cuts::None && frame.best.is_some_and(|best| best >= frame.beta) {
            if self.how.ordered {
                let key = word_key(self.board, frame.moves[frame.next]);
                *self.history.entry(key).or_default() += 1;
            }
            frame.next = frame.moves.len();
        } else {
            frame.next += 1;
        }
    }

    fn remember(&mut self, frame: &Frame, value: Value) {
        if !self.how.memory {
            return;
        }
        let known = &mut self.known[frame.place as usize];
        if known.depth != frame.depth {
            *known = Known { lower: LEAST, upper: MOST, depth: frame.depth };
        }
        // A value above alpha is no less than it seems, one below beta no more.
        let (below, above) = (frame.alpha, frame.beta);
        if self.how.cuts == Cuts::None || value > below && value < above {
            (known.lower, known.upper) = (value, value);
        } else if value >= above {
            known.lower = known.lower.max(value);
        } else {
            known.upper = known.upper.min(value);
        }
    }
}

/// Returns the window for the position after the current move of a frame.
fn window(cuts: Cuts, frame: &Frame) -> (Value, Value) {
    let best = frame.best.unwrap_or(LEAST);
    let (alpha, beta) = match cuts {
        Cuts::None => return (LEAST, MOST),
        Cuts::OneBound => (best, if frame.step.turn_passed { MOST } else { frame.beta }),
        Cuts::TwoBounds => (frame.alpha.max(best), frame.beta),
    };
    let (alpha, beta) = (alpha.forth(frame.step), beta.forth(frame.step));
    if frame.step.turn_passed { (beta, alpha) } else { (alpha, beta) }
}

/// Returns a key of a move, by its word.
fn word_key(board: &dyn Board, m: Move) -> u64 {
    let mut hasher = DefaultHasher::new();
    board.word(m).hash(&mut hasher);
    hasher.finish()
}
