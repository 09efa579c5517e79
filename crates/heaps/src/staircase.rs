//! Staircase Nim: coins on steps, of which a move takes some one step down.
//!
//! * A move takes any number of coins, at least 1, from one step to the next lower one. Steps count from 1, the
//!   lowest; below step 1 is the floor, where coins rest (`floor`, the default), or step 1 is itself the bottom and
//!   its coins rest (`nofloor`).
//! * The player who cannot move loses.
//! * Position `7,1,0,6 1`: the coins on steps 1, 2, ..; move `3:2` takes 2 coins from step 3 down.
//!
//! Solved by formula: Nim on every second step, 1, 3, 5.. with a floor and 2, 4, 6.. without: coins that come onto such
//! a step are moved on (Winning Ways, chapter 15, and many before). The recursion over whole positions is the witness.

use grundy_core::game::{Flow, Game, MORE, Notation, Player, Scored, cannot_move};
use grundy_core::value::Value;
use grundy_core::words;
use grundy_sums::formula::Formula;
use grundy_sums::sum::Sum;

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

/// The coins and the player to move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// Coins on each step, the lowest first.
    pub steps: Vec<u64>,
    /// The player to move.
    pub turn: Player,
}

/// Takes coins one step down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The step they leave, counted from 0.
    pub step: u32,
    /// Number of coins.
    pub coins: u64,
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

    pub(super) fn number(&self, steps: &[u64]) -> u64 {
        steps.iter().skip(self.lowest()).step_by(2).fold(0, |sum, coins| sum ^ coins)
    }

    fn visit_steps(&self, steps: &[u64], visit: &mut impl FnMut(Move) -> Flow) -> Flow {
        for (step, &most) in (0..).zip(steps).skip(self.lowest()) {
            for coins in 1..=most {
                visit(Move { step, coins })?;
            }
        }
        MORE
    }

    fn moved(steps: &[u64], m: Move) -> Vec<u64> {
        let mut steps = steps.to_vec();
        let step = m.step as usize;
        steps[step] -= m.coins;
        if step > 0 {
            steps[step - 1] += m.coins;
        }
        steps
    }
}

impl Game for Staircase {
    type Position = Position;
    type Move = Move;

    fn start(&self) -> Position {
        Position { steps: self.steps.clone(), turn: Player::One }
    }

    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    fn over(&self, position: &Position) -> Option<Value> {
        position.steps.iter().skip(self.lowest()).all(|&n| n == 0).then_some(cannot_move(false))
    }

    fn moves(&self, position: &Position, visit: &mut impl FnMut(Move) -> Flow) -> Flow {
        self.visit_steps(&position.steps, visit)
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        Position { steps: Staircase::moved(&position.steps, m), turn: !position.turn }
    }

    fn essence(&self, position: &Position) -> Position {
        Position { turn: Player::One, ..position.clone() }
    }
}

impl Scored for Staircase {}

impl Notation for Staircase {
    fn write_position(&self, position: &Position) -> String {
        format!("{} {}", words::join(&position.steps), position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([steps], turn) = words::fields(text, "coins on steps like 7,1,0,6")?;
        let steps = words::list(steps, "steps", MOST, STEPS)?;
        Staircase::check(&steps)?;
        Ok(Position { steps, turn })
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        format!("{}:{}", m.step + 1, m.coins)
    }

    fn read_move(&self, position: &Position, word: &str) -> Option<Move> {
        let (step, coins) = word.split_once(':')?;
        let step = words::number(step, STEPS as u64)?.checked_sub(1)? as u32;
        let most = *position.steps.get(step as usize)?;
        let coins = words::number(coins, most)?;
        (coins > 0 && step as usize >= self.lowest()).then_some(Move { step, coins })
    }

    fn draw(&self, position: &Position) -> String {
        let rows = position.steps.iter().enumerate().rev();
        rows.map(|(step, &coins)| format!("{}: {}\n", step + 1, words::draw_heap(coins))).collect()
    }
}

impl Formula for Staircase {
    fn formula(&self, position: &Position) -> Value {
        if self.number(&position.steps) == 0 { Value::LOSS } else { Value::WIN }
    }

    fn keeping_moves(&self, position: &Position) -> Vec<Move> {
        let number = self.number(&position.steps);
        let mut keeping = Vec::new();
        if number == 0 {
            return keeping;
        }
        for (step, &most) in position.steps.iter().enumerate().skip(self.lowest()) {
            // A step that counts loses coins; any other moves them onto the step below, which counts.
            let coins = match self.counts(step) {
                true => most.checked_sub(most ^ number),
                false => {
                    let below = position.steps[step - 1];
                    (below ^ number).checked_sub(below)
                }
            };
            if let Some(coins) = coins.filter(|coins| (1..=most).contains(coins)) {
                keeping.push(Move { step: step as u32, coins });
            }
        }
        keeping
    }

    fn grundy(&self, position: &Position) -> Option<u64> {
        Some(self.number(&position.steps))
    }
}

/// The whole staircase is one component: as the witness, it treats all steps alike.
impl Sum for Staircase {
    type Part = Vec<u64>;

    fn parts(&self, position: &Position) -> Vec<Vec<u64>> {
        vec![position.steps.clone()]
    }

    fn options(&self, steps: &Vec<u64>, visit: &mut dyn FnMut(&[Vec<u64>]) -> Flow) -> Flow {
        self.visit_steps(steps, &mut |m| visit(&[Staircase::moved(steps, m)]))
    }
}
