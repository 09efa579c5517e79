//! Subtraction games: one heap, from which a number of a given set is taken.
//!
//! * `subtract:20:set=1,2,3`: a move takes 1, 2 or 3. The player who cannot move loses; `misere`: wins.
//!   `matches:N` is the game with the set 1,2,3.
//! * Position `20 1`, move `3`.
//!
//! Solved by the sequence of Grundy numbers and its proved period, for sets 1..k by the formula `heap mod (k + 1)`
//! (Winning Ways, chapter 4); in misere play by the sequence of won and lost heaps, which is periodic for the same
//! reason. The witness is the table.

use grundy_core::game::Flow;
use grundy_core::sorting;
use grundy_core::words;

use crate::heap_game::{HeapRules, Move, Position};
use grundy_sums::octal::OctalCode;

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

impl Subtract {
    /// Returns a game from a heap with a set of numbers that may be taken.
    ///
    /// # Errors
    /// The heap is too large, or the set is empty or has a number that is 0 or too large.
    pub fn new(heap: u64, mut set: Vec<u64>, misere: bool) -> Result<Subtract, String> {
        sorting::sort_few(&mut set);
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

/// A position is the heap, a move the number of counters taken.
impl HeapRules for Subtract {
    fn start(&self) -> Vec<u64> {
        vec![self.heap]
    }

    fn misere(&self) -> bool {
        self.misere
    }

    fn is_over(&self, position: &Position) -> bool {
        self.set.first().is_none_or(|&least| least > position.heaps[0])
    }

    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        let takes = self.set.iter().take_while(|&&take| take <= position.heaps[0]);
        takes.into_iter().try_for_each(|&take| visit(Move::new(0, take)))
    }

    fn play(&self, position: &mut Position, m: Move) {
        position.heaps[0] -= m.by();
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        Position::read(text, "the heap, a number like 20", |heap| {
            let read = words::number(heap, MOST).map(|heap| vec![heap]);
            read.ok_or_else(|| format!("the heap is a number of 0..{MOST}, not {:?}", words::short(heap)))
        })
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        m.by().to_string()
    }

    fn read_move(&self, position: &Position, word: &str) -> Option<Move> {
        let take = words::number(word, position.heaps[0])?;
        self.set.binary_search(&take).is_ok().then(|| Move::new(0, take))
    }

    fn draw(&self, position: &Position) -> String {
        format!("{}\n", words::draw_heap(position.heaps[0]))
    }

    fn octal(&self) -> Option<&dyn OctalCode> {
        Some(self)
    }

    /// Returns the number of heaps up to the one the game starts from.
    fn size(&self) -> u64 {
        self.heap + 1
    }

    fn index(&self, position: &Position) -> u64 {
        position.heaps[0]
    }

    fn position(&self, index: u64) -> Option<Position> {
        (index <= self.heap).then(|| Position::new(vec![index]))
    }
}

impl OctalCode for Subtract {
    fn digit(&self, take: u64) -> u8 {
        if self.set.binary_search(&take).is_ok() { 3 } else { 0 }
    }

    fn longest(&self, heap: u64) -> u64 {
        self.set.last().map_or(0, |&largest| largest.min(heap))
    }

    fn code_length(&self) -> Option<u64> {
        self.set.last().copied()
    }

    fn number(&self, heap: u64) -> Option<u64> {
        self.bound().filter(|_| !self.misere).map(|k| heap % (k + 1))
    }
}
