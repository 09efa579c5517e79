//! Fibonacci Nim: one heap; a move takes at most twice what the last move took.
//!
//! * The first move takes any number but not the whole heap; each later one up to twice the number taken before.
//! * The player who cannot move loses: the last counter wins.
//! * Position `20,19 1`: the heap and the most that may be taken now; `20` alone is a start, `20,19`. Move `3`.
//!
//! Solved by formula: the mover wins if he may take the least part of the heap's Zeckendorf sum of Fibonacci numbers;
//! all his winning moves are tails of that sum (M. J. Whinihan, "Fibonacci Nim", Fibonacci Quarterly 1, 1963). The
//! recursion is the witness and gives the Grundy numbers.

use grundy_core::game::{Flow, Game, MORE, Notation, Player, Scored, cannot_move};
use grundy_core::value::Value;
use grundy_core::words;
use grundy_sums::formula::Formula;
use grundy_sums::sum::Sum;

/// Maximum number of counters in the heap.
pub const MOST: u64 = 1_000_000_000_000_000_000;

/// The rules of Fibonacci Nim.
#[derive(Clone, Debug)]
pub struct FibonacciNim {
    heap: u64,
}

/// The heap, the limit of a move, and the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// Counters in the heap.
    pub heap: u64,
    /// The maximum number of counters that may be taken now, never more than the heap.
    pub limit: u64,
    /// The player to move.
    pub turn: Player,
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

impl Game for FibonacciNim {
    type Position = Position;
    /// The number of counters taken.
    type Move = u64;

    fn start(&self) -> Position {
        Position { heap: self.heap, limit: self.heap - 1, turn: Player::One }
    }

    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    fn over(&self, position: &Position) -> Option<Value> {
        (position.limit == 0).then_some(cannot_move(false))
    }

    fn moves(&self, position: &Position, visit: &mut impl FnMut(u64) -> Flow) -> Flow {
        (1..=position.limit).try_for_each(visit)
    }

    fn play(&self, position: &Position, take: u64) -> Position {
        let heap = position.heap - take;
        Position { heap, limit: heap.min(2 * take), turn: !position.turn }
    }

    fn essence(&self, position: &Position) -> Position {
        Position { turn: Player::One, ..*position }
    }
}

impl Scored for FibonacciNim {}

impl Notation for FibonacciNim {
    fn write_position(&self, position: &Position) -> String {
        format!("{},{} {}", position.heap, position.limit, position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([numbers], turn) = words::fields(text, "the heap and the most that may be taken, like 20,19")?;
        match *words::list(numbers, "heap and limit", MOST, 2)? {
            [heap] => Ok(Position { heap, limit: heap.saturating_sub(1), turn }),
            [heap, limit] if limit <= heap => Ok(Position { heap, limit, turn }),
            _ => Err("no more can be taken than the heap holds: the limit is at most the heap".to_owned()),
        }
    }

    fn write_move(&self, _position: &Position, take: u64) -> String {
        take.to_string()
    }

    fn read_move(&self, position: &Position, word: &str) -> Option<u64> {
        words::number(word, position.limit).filter(|&take| take > 0)
    }

    fn draw(&self, position: &Position) -> String {
        format!("{}\ntake at most {}\n", words::draw_heap(position.heap), position.limit)
    }
}

impl Formula for FibonacciNim {
    fn formula(&self, position: &Position) -> Value {
        match zeckendorf(position.heap).first() {
            Some(&least) if least <= position.limit => Value::WIN,
            _ => Value::LOSS,
        }
    }

    fn keeping_moves(&self, position: &Position) -> Vec<u64> {
        let parts = zeckendorf(position.heap);
        let mut keeping = Vec::new();
        let mut take = 0;
        for (i, &part) in parts.iter().enumerate() {
            take += part;
            if take > position.limit {
                break;
            }
            // The rest begins with the next part; the opponent must not be allowed to take it.
            if parts.get(i + 1).is_none_or(|&next| next > 2 * take) {
                keeping.push(take);
            }
        }
        keeping
    }
}

impl Sum for FibonacciNim {
    /// Heap and limit.
    type Part = (u64, u64);

    fn parts(&self, position: &Position) -> Vec<(u64, u64)> {
        vec![(position.heap, position.limit)]
    }

    fn options(&self, &(heap, limit): &(u64, u64), visit: &mut dyn FnMut(&[(u64, u64)]) -> Flow) -> Flow {
        for take in 1..=limit {
            let rest = heap - take;
            visit(&[(rest, rest.min(2 * take))])?;
        }
        MORE
    }
}
