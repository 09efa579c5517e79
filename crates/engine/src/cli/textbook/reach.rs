//! All positions that can follow a position, numbered, with the moves between them.

use grundy_core::value::{Step, Value};
use grundy_session::Board;

use super::outcome::{Budget, Counts, Failure, moves};

/// A move as seen from the position before it: where it leads and what it means.
#[derive(Clone, Copy, Debug)]
pub struct Arrow {
    /// The number of the position after it.
    pub to: u32,
    /// What it means for worth.
    pub step: Step,
}

/// Positions by their numbers, the first being 0, and their moves.
#[derive(Debug)]
pub struct Reach {
    /// The value of each position in which the game is over.
    over: Vec<Option<Value>>,
    /// Where each position's moves begin in `arrows`, and where the last one's end.
    first: Vec<usize>,
    arrows: Vec<Arrow>,
    /// What it took to find them.
    pub counts: Counts,
}

impl Reach {
    /// All that can follow the position on top of a board.
    ///
    /// # Errors
    /// The budget is used up.
    pub fn of(board: &mut dyn Board, budget: Budget) -> Result<Reach, Failure> {
        board.clear(0);
        board.shelve(0, false);
        let mut reach =
            Reach { over: Vec::new(), first: vec![0], arrows: Vec::new(), counts: Counts::default() };
        let mut waiting = 1;
        let mut done = 0;
        while done < waiting {
            board.unshelve(0, done);
            let over = board.standing().over;
            reach.over.push(over);
            reach.counts.positions += 1;
            reach.counts.finished += u64::from(over.is_some());
            let list = if over.is_some() { Vec::new() } else { moves(board)? };
            for m in list {
                let step = board.play(m);
                let (to, new) = board.shelve(0, false);
                board.undo();
                waiting += u32::from(new);
                reach.counts.lookups += 1;
                reach.arrows.push(Arrow { to, step });
            }
            reach.first.push(reach.arrows.len());
            done += 1;
            if done.is_multiple_of(256) {
                if budget.over() {
                    return Err(Failure::Time(reach.counts));
                }
                // The methods keep a value, a counter and the moves backwards beside this.
                let arrows = reach.arrows.capacity() * 2 * size_of::<Arrow>();
                let each = 2 * size_of::<Option<Value>>() + 2 * size_of::<usize>() + 8;
                let used = board.shelved() + (arrows + reach.over.capacity() * each) as u64;
                if used > budget.memory || waiting > u32::MAX - 1_000_000 {
                    return Err(Failure::Memory(reach.counts, budget.memory));
                }
            }
        }
        board.clear(0);
        Ok(reach)
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.over.len()
    }

    /// The value of a position in which the game is over.
    pub fn over(&self, position: usize) -> Option<Value> {
        self.over[position]
    }

    /// The moves of a position.
    pub fn arrows(&self, position: usize) -> &[Arrow] {
        &self.arrows[self.first[position]..self.first[position + 1]]
    }

    /// The moves that lead to each position, seen backwards.
    pub fn backwards(&self) -> Backwards {
        let mut first = vec![0; self.len() + 1];
        self.arrows.iter().for_each(|arrow| first[arrow.to as usize + 1] += 1);
        (0..self.len()).for_each(|at| first[at + 1] += first[at]);
        let mut next = first.clone();
        let mut arrows = vec![Arrow { to: 0, step: Step::PASSED }; self.arrows.len()];
        for from in 0..self.len() {
            for arrow in self.arrows(from) {
                let place = &mut next[arrow.to as usize];
                arrows[*place] = Arrow { to: from as u32, step: arrow.step };
                *place += 1;
            }
        }
        Backwards { first, arrows }
    }
}

/// Moves seen backwards: [`Arrow::to`] is the position before the move.
#[derive(Debug)]
pub struct Backwards {
    first: Vec<usize>,
    arrows: Vec<Arrow>,
}

impl Backwards {
    /// The moves that lead to a position.
    pub fn arrows(&self, position: usize) -> &[Arrow] {
        &self.arrows[self.first[position]..self.first[position + 1]]
    }
}
