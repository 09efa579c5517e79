//! The certainty of a move, by which a search with a clock ends early or late.

/// The certainty of the selective search's move.
#[derive(Clone, Copy, Default)]
pub(super) struct Pace {
    /// True once an iteration was selective.
    pub selective: bool,
    /// Iterations in a row with the same best move, and that move.
    steady: u32,
    best: u32,
    /// The share of the nodes that the best move took, in hundredths.
    effort: u32,
    /// The score of the last iteration, and the loss against that before, in hundredths of a point.
    score: i32,
    fall: i32,
    /// True if a win was found that no deeper search needs.
    pub won: bool,
}

impl Pace {
    /// Adds the result of an iteration.
    pub(super) fn learn(&mut self, best: u32, score: i32, effort: u32, won: bool) {
        self.steady = if self.selective && self.best == best { self.steady + 1 } else { 0 };
        self.fall = if self.selective { self.score.saturating_sub(score).clamp(0, 100) } else { 0 };
        *self = Pace { selective: true, best, effort, score, won, ..*self };
    }

    /// Returns the share of the usual time that is enough, in hundredths: less where the best move took most of the nodes
    /// and has not changed, more where the score falls.
    pub(super) fn share(&self) -> u32 {
        if !self.selective {
            return 100;
        }
        let share = 170 - self.effort.clamp(20, 100) - 8 * self.steady.min(5);
        (share + self.fall as u32).clamp(40, 160)
    }
}
