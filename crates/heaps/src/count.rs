//! Counting to a target: the player who reaches it or goes beyond loses.
//!
//! * The count starts at 0; a move adds 1..`max` (2). Going beyond the target is legal.
//! * Position `0 1` (the count), move `+2`.
//!
//! Solved by formula: to be one below the target, mod `max + 1`, is lost. Its distances are exact: a lost player can
//! make each round no longer than `max + 1`, and the winner must make it that long. The witness is the table.

use grundy_core::game::{Flow, Game, Indexed, Notation, Player, Scored};
use grundy_core::value::Value;
use grundy_core::words;
use grundy_sums::formula::Formula;
use grundy_tables::layers::{Acyclic, Order};

/// The largest target and the largest `max`.
pub const MOST: u64 = 1_000_000_000;

/// The rules of counting.
#[derive(Clone, Debug)]
pub struct Count {
    target: u64,
    max: u64,
}

/// The count and the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The count so far.
    pub count: u64,
    /// The player to move.
    pub turn: Player,
}

impl Count {
    /// Returns the game of counting to `target` by steps of 1..`max`.
    ///
    /// # Errors
    /// The target or `max` is 0 or too large.
    pub fn new(target: u64, max: u64) -> Result<Count, String> {
        if (1..=MOST).contains(&target) && (1..=MOST).contains(&max) {
            Ok(Count { target, max })
        } else {
            Err(format!("count has a target and a max of 1..{MOST}: count:21:max=2"))
        }
    }

    /// Returns how much can be counted before the target is reached; `None` if it is reached.
    fn room(&self, position: &Position) -> Option<u64> {
        (self.target - 1).checked_sub(position.count)
    }
}

impl Game for Count {
    type Position = Position;
    /// The number added.
    type Move = u64;

    fn start(&self) -> Position {
        Position { count: 0, turn: Player::One }
    }

    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    fn over(&self, position: &Position) -> Option<Value> {
        self.room(position).is_none().then_some(Value::win_in(0))
    }

    fn moves(&self, _position: &Position, visit: &mut impl FnMut(u64) -> Flow) -> Flow {
        (1..=self.max).try_for_each(visit)
    }

    fn play(&self, position: &Position, add: u64) -> Position {
        Position { count: position.count + add, turn: !position.turn }
    }

    fn essence(&self, position: &Position) -> Position {
        Position { turn: Player::One, ..*position }
    }
}

impl Scored for Count {}

impl Notation for Count {
    fn write_position(&self, position: &Position) -> String {
        format!("{} {}", position.count, position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([count], turn) = words::fields(text, "the count, a number like 0")?;
        let most = self.target - 1 + self.max;
        let count = words::number(count, most)
            .ok_or_else(|| format!("the count is a number of 0..{most}, not {:?}", words::short(count)))?;
        Ok(Position { count, turn })
    }

    fn write_move(&self, _position: &Position, add: u64) -> String {
        format!("+{add}")
    }

    fn read_move(&self, position: &Position, word: &str) -> Option<u64> {
        let add = words::number(word.strip_prefix('+')?, self.max)?;
        (add > 0 && self.over(position).is_none()).then_some(add)
    }

    fn draw(&self, position: &Position) -> String {
        format!("{} of {}\n", position.count, self.target)
    }
}

impl Formula for Count {
    fn no_grundy(&self) -> Option<&'static str> {
        Some("who makes the last move loses")
    }

    fn formula(&self, position: &Position) -> Value {
        let Some(room) = self.room(position) else { return Value::win_in(0) };
        // Every round of two moves takes max + 1; the very last move is forced beyond the target.
        let (rounds, first) = (room / (self.max + 1), room % (self.max + 1));
        let plies = u32::try_from(2 * rounds + 1).unwrap_or(Value::MAX_PLIES);
        if first == 0 { Value::loss_in(plies) } else { Value::win_in(plies + 1) }
    }

    fn keeping_moves(&self, position: &Position) -> Vec<u64> {
        match self.room(position).map(|room| room % (self.max + 1)) {
            None | Some(0) => Vec::new(),
            Some(first) => vec![first],
        }
    }
}

/// Indexed by the count; all counts from the target on share an index.
impl Indexed for Count {
    fn size(&self) -> u64 {
        self.target + 1
    }

    fn index(&self, position: &Position) -> u64 {
        position.count.min(self.target)
    }

    fn position(&self, index: u64) -> Option<Position> {
        (index <= self.target).then_some(Position { count: index, turn: Player::One })
    }
}

impl Acyclic for Count {
    fn order(&self) -> Order {
        Order::Higher
    }
}
