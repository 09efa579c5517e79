//! Counting to a target: the player who reaches it or goes beyond loses.
//!
//! * The count starts at 0; a move adds 1..`max` (2). Going beyond the target is legal.
//! * Position `0 1` (the count), move `+2`.
//!
//! Solved by formula: to be one below the target, mod `max + 1`, is lost. Its distances are exact up to
//! [`Value::MAX_PLIES`]: a lost player can make each round no longer than `max + 1`, and the winner must make it that long.
//! The witness is the table.

use grundy_core::game::Flow;
use grundy_core::value::Value;
use grundy_core::words;
use grundy_tables::layers::Order;

use crate::heap_game::{HeapRules, Move, Position};

/// The largest target and the largest `max`.
pub const MOST: u64 = 1_000_000_000;

/// The rules of counting.
#[derive(Clone, Debug)]
pub struct Count {
    target: u64,
    max: u64,
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
        (self.target - 1).checked_sub(position.heaps[0])
    }
}

/// A position is the count, a move the number added.
impl HeapRules for Count {
    fn start(&self) -> Vec<u64> {
        vec![0]
    }

    fn misere(&self) -> bool {
        true
    }

    fn is_over(&self, position: &Position) -> bool {
        self.room(position).is_none()
    }

    fn moves(&self, _position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        (1..=self.max).try_for_each(|add| visit(Move::new(0, add)))
    }

    fn play(&self, position: &mut Position, m: Move) {
        position.heaps[0] += m.by();
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        Position::read(text, "the count, a number like 0", |count| {
            let most = self.target - 1 + self.max;
            let read = words::number(count, most).map(|count| vec![count]);
            read.ok_or_else(|| format!("the count is a number of 0..{most}, not {:?}", words::short(count)))
        })
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        format!("+{}", m.by())
    }

    fn read_move(&self, position: &Position, word: &str) -> Option<Move> {
        let add = words::number(word.strip_prefix('+')?, self.max)?;
        (add > 0 && !self.is_over(position)).then(|| Move::new(0, add))
    }

    fn draw(&self, position: &Position) -> String {
        format!("{} of {}\n", position.heaps[0], self.target)
    }

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

    fn keeping_moves(&self, position: &Position) -> Vec<Move> {
        self.room(position).map(|room| Move::new(0, room % (self.max + 1))).into_iter().collect()
    }

    /// Returns the number of counts; all from the target on share an index.
    fn size(&self) -> u64 {
        self.target + 1
    }

    fn index(&self, position: &Position) -> u64 {
        position.heaps[0].min(self.target)
    }

    fn position(&self, index: u64) -> Option<Position> {
        (index <= self.target).then(|| Position::new(vec![index]))
    }

    fn order(&self) -> Order {
        Order::Higher
    }
}
