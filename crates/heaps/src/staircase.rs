//! Staircase Nim: coins on steps, of which a move takes some one step down.
//!
//! * A move takes any number of coins, at least 1, from one step to the next lower one. Steps count from 1, the
//!   lowest; below step 1 is the floor, where coins rest (`floor`, the default), or step 1 is itself the bottom and
//!   its coins rest (`nofloor`).
//! * The player who cannot move loses.
//! * Position `7,1,0,6 1`: the coins on steps 1, 2, ..; move `4:2` takes 2 coins from step 4 down.
//!
//! Solved by formula: Nim on every second step, 1, 3, 5.. with a floor and 2, 4, 6.. without: coins that come onto such
//! a step are moved on (Winning Ways, chapter 15, and many before). The recursion over whole positions is the witness.

use grundy_core::game::{Flow, MORE};
use grundy_core::words;

use crate::heap_game::{HeapRules, Move, Position};

/// Maximum number of coins on the whole staircase.
pub const MOST: u64 = 1_000_000_000_000_000_000;
/// Maximum number of steps.
pub const STEPS: usize = 10_000;

/// The rules of Staircase Nim.
#[derive(Clone, Debug)]
pub struct Staircase {
    steps: Vec<u64>,
    floor: bool,
}

impl Staircase {
    /// Returns Staircase Nim with coins on steps, the lowest first, with or without a floor below step 1.
    ///
    /// # Errors
    /// There are no steps or too many, or too many coins.
    pub fn new(steps: Vec<u64>, floor: bool) -> Result<Staircase, String> {
        Staircase::check(&steps)?;
        Ok(Staircase { steps, floor })
    }

    fn check(steps: &[u64]) -> Result<(), String> {
        let coins = steps.iter().try_fold(0u64, |sum, &n| sum.checked_add(n)).filter(|&sum| sum <= MOST);
        match coins {
            Some(_) if (1..=STEPS).contains(&steps.len()) => Ok(()),
            _ => {
                Err(format!("staircase-nim has 1 to {STEPS} steps with at most {MOST} coins in all: 7,1,0,6"))
            }
        }
    }

    /// Returns the lowest step from which coins can move.
    fn lowest(&self) -> usize {
        usize::from(!self.floor)
    }

    /// Reports whether the coins of a step are a heap of Nim: every second step from the lowest.
    fn counts(&self, step: usize) -> bool {
        step % 2 == self.lowest()
    }

    fn number(&self, steps: &[u64]) -> u64 {
        steps.iter().skip(self.lowest()).step_by(2).fold(0, |sum, coins| sum ^ coins)
    }
}

/// A position is the coins on each step, the lowest first; a move is the step that coins leave, and their number. The whole
/// staircase is one component: as the witness, it treats all steps alike.
impl HeapRules for Staircase {
    fn start(&self) -> Vec<u64> {
        self.steps.clone()
    }

    fn is_over(&self, position: &Position) -> bool {
        position.heaps.iter().skip(self.lowest()).all(|&n| n == 0)
    }

    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        for (step, &most) in (0..).zip(&position.heaps).skip(self.lowest()) {
            for coins in 1..=most {
                visit(Move::new(step, coins))?;
            }
        }
        MORE
    }

    fn play(&self, position: &mut Position, m: Move) {
        position.heaps[m.at()] -= m.by();
        if m.at() > 0 {
            position.heaps[m.at() - 1] += m.by();
        }
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        Position::read(text, "coins on steps like 7,1,0,6", |steps| {
            let steps = words::list(steps, "steps", MOST, STEPS)?;
            Staircase::check(&steps)?;
            Ok(steps)
        })
    }

    fn read_move(&self, position: &Position, word: &str) -> Option<Move> {
        let m = Move::read(word)?;
        let most = *position.heaps.get(m.at())?;
        ((1..=most).contains(&m.by()) && m.at() >= self.lowest()).then_some(m)
    }

    fn draw(&self, position: &Position) -> String {
        let rows = position.heaps.iter().enumerate().rev();
        rows.map(|(step, &coins)| format!("{}: {}\n", step + 1, words::draw_heap(coins))).collect()
    }

    fn grundy(&self, position: &Position) -> Option<u64> {
        Some(self.number(&position.heaps))
    }

    fn keeping_moves(&self, position: &Position) -> Vec<Move> {
        let steps = &position.heaps;
        let number = self.number(steps);
        let mut keeping = Vec::new();
        for (step, &most) in steps.iter().enumerate().skip(self.lowest()) {
            // A step that counts loses coins; any other moves them onto the step below, which counts.
            let coins = match self.counts(step) {
                true => most.checked_sub(most ^ number),
                false => (steps[step - 1] ^ number).checked_sub(steps[step - 1]),
            };
            if let Some(coins) = coins.filter(|coins| (1..=most).contains(coins)) {
                keeping.push(Move::new(step as u32, coins));
            }
        }
        keeping
    }
}
