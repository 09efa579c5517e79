//! The states reachable from a position, by index. A method may keep their moves while memory lasts; otherwise moves
//! are generated anew each time, so that a state takes only a few bytes.

use std::mem::take;

use grundy_core::value::{Step, Value};
use grundy_session::Board;

use super::outcome::{Budget, Counts, Failure, MOST_MOVES, OPEN};

/// Bytes per state of a method beside the board's own: value, two counters, index in a queue.
const BESIDE: u64 = 4 * size_of::<u32>() as u64;
/// Moves between two checks of the deadline and the memory.
const STRETCH: u64 = 1 << 14;
/// Maximum number of states: index and mark fit 32 bits.
const MOST: usize = 1 << 31;

/// The states reachable from the position on top of a board, which has index 0.
pub struct Reach<'a> {
    board: &'a mut dyn Board,
    budget: Budget<'a>,
    /// Number of moves to each state; empty once taken.
    incoming: Vec<u32>,
    len: usize,
    kept: Option<Kept>,
    /// Moves since the last look at the clock.
    since: u64,
    /// The work so far.
    pub counts: Counts,
}

impl Drop for Reach<'_> {
    fn drop(&mut self) {
        self.board.end_states();
    }
}

impl<'a> Reach<'a> {
    /// Finds all states reachable from the position on top of a board. With `keep` their moves are kept, if none gains
    /// points, while they take less than half of the memory.
    ///
    /// # Errors
    /// The budget is used up, or a position has too many moves.
    pub fn of(board: &'a mut dyn Board, budget: Budget<'a>, keep: bool) -> Result<Reach<'a>, Failure> {
        board.begin_states();
        let (counts, kept) = (Counts::default(), keep.then(Kept::default));
        let mut reach = Reach { board, budget, incoming: vec![0], len: 0, kept, since: 0, counts };
        while reach.len < reach.incoming.len() {
            let Reach { board, incoming, len, kept, .. } = &mut reach;
            let mut moves = 0;
            let over = board.expand(*len as u32, &mut |to, new, step| {
                if new {
                    incoming.push(0);
                }
                incoming[to as usize] += 1;
                moves += 1;
                if step.gain != 0 {
                    *kept = None;
                }
                if let Some(kept) = kept {
                    kept.moves.push(Arrow::new(to, step));
                }
                moves <= MOST_MOVES
            });
            let over = over.map_err(Failure::Broken)?;
            if let Some(kept) = kept {
                kept.ends.push(kept.moves.len());
                kept.over.push(over.unwrap_or(OPEN));
            }
            *len += 1;
            reach.counts.positions += 1;
            reach.counts.finished += u64::from(over.is_some());
            if moves > MOST_MOVES {
                return Err(Failure::Moves(MOST_MOVES as u64));
            }
            reach.looked_up(moves as u64)?;
        }
        Ok(reach)
    }

    /// Counts moves, and checks clock and memory now and then.
    fn looked_up(&mut self, moves: u64) -> Result<(), Failure> {
        self.counts.lookups += moves;
        self.since += moves + 1;
        if self.since < STRETCH {
            return Ok(());
        }
        self.since = 0;
        if self.budget.over() {
            return Err(Failure::Time(self.counts));
        }
        let found = self.len.max(self.incoming.len());
        if self.kept.as_ref().is_some_and(|kept| kept.bytes() > self.budget.memory / 2) {
            self.kept = None;
        }
        self.room(found as u64 * BESIDE)?;
        if found < MOST { Ok(()) } else { Err(self.full()) }
    }

    /// Refuses `bytes` beside the board's own and the kept moves if that exceeds the budget.
    fn room(&self, bytes: u64) -> Result<(), Failure> {
        let bytes = bytes + self.kept.as_ref().map_or(0, Kept::bytes);
        if self.board.set_bytes().saturating_add(bytes) > self.budget.memory {
            Err(self.full())
        } else {
            Ok(())
        }
    }

    fn full(&self) -> Failure {
        Failure::Memory(self.counts, self.budget.memory)
    }

    /// Returns the number of states.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Visits the successors of a state with the steps of the moves, until `visit` returns false. Returns the value,
    /// with none visited, if the game is over.
    ///
    /// # Errors
    /// The time is up.
    pub fn expand(
        &mut self,
        place: u32,
        visit: &mut dyn FnMut(u32, Step) -> bool,
    ) -> Result<Option<Value>, Failure> {
        if let Some(kept) = &self.kept {
            let begin = place.checked_sub(1).map_or(0, |before| kept.ends[before as usize]);
            let list = &kept.moves[begin..kept.ends[place as usize]];
            let seen = list.iter().take_while(|arrow| visit(arrow.place(), arrow.step())).count() as u64;
            let over = Some(kept.over[place as usize]).filter(|&over| over != OPEN);
            self.looked_up(seen)?;
            return Ok(over);
        }
        let mut moves = 0;
        let over = self.board.expand(place, &mut |to, _, step| {
            moves += 1;
            visit(to, step)
        });
        self.looked_up(moves)?;
        over.map_err(Failure::Broken)
    }

    /// Returns the value of a state: that of a finished game, else that of the best move by the values of its
    /// successors.
    ///
    /// # Errors
    /// The time is up.
    pub fn best(&mut self, place: u32, value: &dyn Fn(u32) -> Value) -> Result<Value, Failure> {
        let mut best = None;
        let over = self.expand(place, &mut |to, step| {
            best = best.max(Some(value(to).back(step)));
            true
        })?;
        Ok(over.or(best).unwrap_or(Value::DRAW))
    }

    /// Returns the number of moves to each state.
    ///
    /// # Errors
    /// The time is up.
    pub fn incoming(&mut self) -> Result<Vec<u32>, Failure> {
        if !self.incoming.is_empty() {
            return Ok(take(&mut self.incoming));
        }
        let mut incoming = vec![0; self.len];
        for place in 0..self.len as u32 {
            self.expand(place, &mut |to, _| {
                incoming[to as usize] += 1;
                true
            })?;
        }
        Ok(incoming)
    }

    /// Returns the reversed graph. `see` receives each state's index, its number of moves, and its value if the game is
    /// over.
    ///
    /// # Errors
    /// The budget is used up.
    pub fn backwards(&mut self, see: &mut dyn FnMut(u32, u32, Option<Value>)) -> Result<Backwards, Failure> {
        let mut ends = self.incoming()?;
        let sum: u64 = ends.iter().map(|&count| u64::from(count)).sum();
        let count = u32::try_from(sum).map_err(|_| self.full())?;
        self.room(self.len as u64 * BESIDE + sum * size_of::<u32>() as u64)?;
        let mut arrows = vec![Arrow(0); count as usize];
        let mut begin = 0;
        for end in &mut ends {
            begin += std::mem::replace(end, begin);
        }
        for place in 0..self.len as u32 {
            let mut moves = 0;
            let over = self.expand(place, &mut |to, step| {
                let end = &mut ends[to as usize];
                arrows[*end as usize] = Arrow::new(place, step);
                *end += 1;
                moves += 1;
                true
            })?;
            see(place, moves, over);
        }
        self.kept = None;
        Ok(Backwards { ends, arrows })
    }
}

/// The moves of all states, none of which gains points.
#[derive(Default)]
struct Kept {
    /// The states that moves lead to.
    moves: Vec<Arrow>,
    /// The end of each state's moves, which begin at the end of the previous state's.
    ends: Vec<usize>,
    /// The value of each state if the game is over, else [`OPEN`].
    over: Vec<Value>,
}

impl Kept {
    /// Returns its size in bytes.
    fn bytes(&self) -> u64 {
        let states = self.ends.capacity() * size_of::<usize>() + self.over.capacity() * size_of::<Value>();
        (self.moves.capacity() * size_of::<Arrow>() + states) as u64
    }
}

/// A move from or to a state: the index of the other state, and whether the turn passes.
#[derive(Clone, Copy, Debug)]
pub struct Arrow(u32);

impl Arrow {
    fn new(place: u32, step: Step) -> Arrow {
        Arrow(place << 1 | u32::from(step.turn_passed))
    }

    /// Returns the index of the other state.
    pub const fn place(self) -> u32 {
        self.0 >> 1
    }

    /// Returns the step of the move, which gains nothing.
    pub const fn step(self) -> Step {
        Step { turn_passed: self.0 & 1 == 1, gain: 0 }
    }
}

/// The reversed graph.
#[derive(Debug)]
pub struct Backwards {
    /// The end of each state's arrows, which begin at the end of the previous state's.
    ends: Vec<u32>,
    arrows: Vec<Arrow>,
}

impl Backwards {
    /// Returns the moves that lead to a state.
    pub fn arrows(&self, place: u32) -> &[Arrow] {
        let begin = place.checked_sub(1).map_or(0, |before| self.ends[before as usize]);
        &self.arrows[begin as usize..self.ends[place as usize] as usize]
    }
}
