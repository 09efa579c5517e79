//! Subtraction games: one heap, from which a number of a given set is taken.
//!
//! * `subtract:20:set=1,2,3`: a move takes 1, 2 or 3. The player who cannot move loses; `misere`: wins.
//!   `matches:N` is the game with the set 1,2,3.
//! * Position `20 1`, move `3`.
//!
//! Solved by the sequence of Grundy numbers and its proved period, for sets 1..k by the formula `heap mod (k + 1)`
//! (Winning Ways, chapter 4); in misere play by the sequence of won and lost heaps, which is periodic for the same
//! reason. The witness is the table.

use grundy_core::game::{Flow, Game, Indexed, MORE, Notation, Player, Scored, cannot_move};
use grundy_core::value::Value;
use grundy_core::words;
use grundy_session::Work;
use grundy_sums::octal::Octal;
use grundy_sums::sum::Sum;
use grundy_tables::layers::{Acyclic, Order};

/// Maximum number of counters in the heap.
pub const MOST: u64 = 1_000_000_000_000_000_000;
/// The largest number of a set.
pub const LARGEST: u64 = 1_000_000;

/// The rules of a subtraction game.
#[derive(Clone, Debug)]
pub struct Subtract {
    heap: u64,
    /// Rising, without repeats.
    set: Vec<u64>,
    misere: bool,
}

/// The heap and the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// Counters in the heap.
    pub heap: u64,
    /// The player to move.
    pub turn: Player,
}

impl Subtract {
    /// Returns a game from a heap with a set of numbers that may be taken.
    ///
    /// # Errors
    /// The heap is too large, or the set is empty or has a number that is 0 or too large.
    pub fn new(heap: u64, mut set: Vec<u64>, misere: bool) -> Result<Subtract, String> {
        set.sort_unstable();
        set.dedup();
        if set.is_empty() || set.iter().any(|n| !(1..=LARGEST).contains(n)) {
            return Err(format!(
                "the set has one or more numbers of 1..{LARGEST}, joined by commas: set=1,2,3"
            ));
        }
        match heap {
            0..=MOST => Ok(Subtract { heap, set, misere }),
            _ => Err(format!("the heap has at most {MOST} counters")),
        }
    }

    /// Returns `k` if the set is 1..k.
    fn bound(&self) -> Option<u64> {
        let largest = *self.set.last()?;
        (largest == self.set.len() as u64).then_some(largest)
    }
}

impl Game for Subtract {
    type Position = Position;
    /// The number of counters taken.
    type Move = u64;

    fn start(&self) -> Position {
        Position { heap: self.heap, turn: Player::One }
    }

    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    fn over(&self, position: &Position) -> Option<Value> {
        let ended = self.set.first().is_none_or(|&least| least > position.heap);
        ended.then_some(cannot_move(self.misere))
    }

    fn moves(&self, position: &Position, visit: &mut impl FnMut(u64) -> Flow) -> Flow {
        self.set.iter().take_while(|&&take| take <= position.heap).try_for_each(|&take| visit(take))
    }

    fn play(&self, position: &Position, take: u64) -> Position {
        Position { heap: position.heap - take, turn: !position.turn }
    }

    fn essence(&self, position: &Position) -> Position {
        Position { turn: Player::One, ..*position }
    }
}

impl Scored for Subtract {}

impl Notation for Subtract {
    fn write_position(&self, position: &Position) -> String {
        format!("{} {}", position.heap, position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([heap], turn) = words::fields(text, "the heap, a number like 20")?;
        let heap = words::number(heap, MOST)
            .ok_or_else(|| format!("the heap is a number of 0..{MOST}, not {:?}", words::short(heap)))?;
        Ok(Position { heap, turn })
    }

    fn write_move(&self, _position: &Position, take: u64) -> String {
        take.to_string()
    }

    fn read_move(&self, position: &Position, word: &str) -> Option<u64> {
        words::number(word, position.heap).filter(|take| self.set.binary_search(take).is_ok())
    }

    fn draw(&self, position: &Position) -> String {
        format!("{}\n", words::draw_heap(position.heap))
    }
}

impl Sum for Subtract {
    type Part = u64;

    fn normal_play(&self) -> bool {
        !self.misere
    }

    fn parts(&self, position: &Position) -> Vec<u64> {
        vec![position.heap]
    }

    fn options(&self, &heap: &u64, visit: &mut dyn FnMut(&[u64]) -> Flow) -> Flow {
        for &take in self.set.iter().take_while(|&&take| take <= heap) {
            visit(&[heap - take])?;
        }
        MORE
    }

    fn grundy_of(&self, heap: &u64, _work: &Work<'_>) -> Option<u64> {
        self.bound().filter(|_| !self.misere).map(|k| heap % (k + 1))
    }
}

impl Octal for Subtract {
    fn digit(&self, take: u64) -> u8 {
        if self.set.binary_search(&take).is_ok() { 3 } else { 0 }
    }

    fn longest(&self, heap: u64) -> u64 {
        self.set.last().map_or(0, |&largest| largest.min(heap))
    }

    fn code_length(&self) -> Option<u64> {
        self.set.last().copied()
    }

    fn take(&self, _heap: usize, take: u64, _split: u64) -> u64 {
        take
    }
}

/// Indexed by the heap, up to the one the game starts from.
impl Indexed for Subtract {
    fn size(&self) -> u64 {
        self.heap + 1
    }

    fn index(&self, position: &Position) -> u64 {
        position.heap
    }

    fn position(&self, index: u64) -> Option<Position> {
        (index <= self.heap).then_some(Position { heap: index, turn: Player::One })
    }
}

impl Acyclic for Subtract {
    fn order(&self) -> Order {
        Order::Lower
    }
}
