//! Fibonacci Nim: one heap; a move takes at most twice what the last move took.
//!
//! * The first move takes any number but not the whole heap; each later one up to twice the number taken before.
//! * The player who cannot move loses: the last counter wins.
//! * Position `20,19 1`: the heap and the most that may be taken now; `20` alone is a start, `20,19`. Move `3`.
//!
//! Solved by formula: the mover wins if he may take the least part of the heap's Zeckendorf sum of Fibonacci numbers;
//! all his winning moves are tails of that sum (M. J. Whinihan, "Fibonacci Nim", Fibonacci Quarterly 1, 1963). The
//! recursion is the witness and gives the Grundy numbers.

use grundy_core::game::Flow;
use grundy_core::value::Value;
use grundy_core::words;

use crate::heap_game::{HeapRules, Move, Position};

/// Maximum number of counters in the heap.
pub const MOST: u64 = 1_000_000_000_000_000_000;

/// The rules of Fibonacci Nim.
#[derive(Clone, Debug)]
pub struct FibonacciNim {
    heap: u64,
}

impl FibonacciNim {
    /// Returns Fibonacci Nim on a heap.
    ///
    /// # Errors
    /// The heap is empty or too large.
    pub fn new(heap: u64) -> Result<FibonacciNim, String> {
        match heap {
            1..=MOST => Ok(FibonacciNim { heap }),
            _ => Err(format!("fibonacci-nim has a heap of 1 to {MOST} counters: fibonacci-nim:20")),
        }
    }
}

/// Returns the heap as a sum of Fibonacci numbers no two of which are neighbours, the least first.
fn zeckendorf(heap: u64) -> Vec<u64> {
    let (mut small, mut large) = (1, 2);
    while large <= heap {
        (small, large) = (large, small + large);
    }
    let (mut parts, mut rest) = (Vec::new(), heap);
    while rest > 0 {
        if small <= rest {
            parts.push(small);
            rest -= small;
        }
        (small, large) = (large - small, small);
    }
    parts.reverse();
    parts
}

/// Returns the heap and the maximum number of counters that may be taken now, never more than the heap.
fn heap_and_limit(position: &Position) -> (u64, u64) {
    (position.heaps[0], position.heaps[1])
}

/// A position is the heap and the limit, a move the number of counters taken.
impl HeapRules for FibonacciNim {
    fn start(&self) -> Vec<u64> {
        vec![self.heap, self.heap - 1]
    }

    fn is_over(&self, position: &Position) -> bool {
        heap_and_limit(position).1 == 0
    }

    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        (1..=heap_and_limit(position).1).try_for_each(|take| visit(Move::new(0, take)))
    }

    fn play(&self, position: &mut Position, m: Move) {
        let heap = position.heaps[0] - m.by();
        position.heaps.copy_from_slice(&[heap, heap.min(2 * m.by())]);
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        Position::read(text, "the heap and the most that may be taken, like 20,19", |numbers| {
            match *words::list(numbers, "heap and limit", MOST, 2)? {
                [heap] => Ok(vec![heap, heap.saturating_sub(1)]),
                [heap, limit] if limit <= heap => Ok(vec![heap, limit]),
                _ => {
                    Err("no more can be taken than the heap holds: the limit is at most the heap".to_owned())
                }
            }
        })
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        m.by().to_string()
    }

    fn read_move(&self, position: &Position, word: &str) -> Option<Move> {
        let take = words::number(word, heap_and_limit(position).1).filter(|&take| take > 0)?;
        Some(Move::new(0, take))
    }

    fn draw(&self, position: &Position) -> String {
        let (heap, limit) = heap_and_limit(position);
        format!("{}\ntake at most {limit}\n", words::draw_heap(heap))
    }

    fn formula(&self, position: &Position) -> Value {
        let (heap, limit) = heap_and_limit(position);
        match zeckendorf(heap).first() {
            Some(&least) if least <= limit => Value::WIN,
            _ => Value::LOSS,
        }
    }

    fn keeping_moves(&self, position: &Position) -> Vec<Move> {
        let (heap, limit) = heap_and_limit(position);
        let parts = zeckendorf(heap);
        let mut keeping = Vec::new();
        let mut take = 0;
        for (i, &part) in parts.iter().enumerate() {
            take += part;
            if take > limit {
                break;
            }
            // The rest begins with the next part; the opponent must not be allowed to take it.
            if parts.get(i + 1).is_none_or(|&next| next > 2 * take) {
                keeping.push(Move::new(0, take));
            }
        }
        keeping
    }
}
