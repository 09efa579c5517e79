//! Wythoff's game: a move takes from either of two heaps, or the same number from both.
//!
//! * The player who cannot move loses; `misere`: wins.
//! * Position `3,5 1`; moves `1:n`, `2:n`, `both:n`.
//!
//! Solved by formula: the lost positions are the pairs `(floor(k phi), floor(k phi) + k)` (W. A. Wythoff, "A
//! modification of the game of Nim", Nieuw Archief voor Wiskunde 7, 1907), computed in integers; in misere play `(0,1)`
//! and `(2,2)` replace `(0,0)` and `(1,2)`. Grundy numbers, for which no formula is known, come from the recursion,
//! which is the witness.

use grundy_core::game::{Flow, Game, MORE, Notation, Player, Scored, cannot_move};
use grundy_core::value::Value;
use grundy_core::words;
use grundy_sums::formula::Formula;
use grundy_sums::sum::Sum;

/// Maximum number of counters in a heap.
pub const MOST: u64 = 1_000_000_000_000_000_000;

/// The rules of Wythoff's game.
#[derive(Clone, Debug)]
pub struct Wythoff {
    heaps: [u64; 2],
    misere: bool,
}

/// The heaps and the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// Counters in both heaps.
    pub heaps: [u64; 2],
    /// The player to move.
    pub turn: Player,
}

/// Takes from one heap or the same number from both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// Number taken from the first heap.
    pub first: u64,
    /// Number taken from the second heap.
    pub second: u64,
}

impl Wythoff {
    /// Returns Wythoff's game on two heaps.
    ///
    /// # Errors
    /// There are not two heaps, or one is too large.
    pub fn new(heaps: &[u64], misere: bool) -> Result<Wythoff, String> {
        match *heaps {
            [a, b] if a.max(b) <= MOST => Ok(Wythoff { heaps: [a, b], misere }),
            _ => Err(format!("wythoff has two heaps of 0 to {MOST} counters: wythoff:3,5")),
        }
    }

    /// Returns the other heap of the lost position that has this one.
    fn partner(&self, heap: u64) -> u64 {
        match heap {
            0 | 1 if self.misere => 1 - heap,
            2 if self.misere => 2,
            _ => partner(heap),
        }
    }

    /// Returns the smaller heap of the lost position whose heaps differ by `difference`.
    fn smaller(&self, difference: u64) -> u64 {
        match difference {
            0 if self.misere => 2,
            1 if self.misere => 0,
            _ => floor_phi(difference),
        }
    }

    fn legal(position: &Position, m: Move) -> bool {
        let [a, b] = position.heaps;
        let one = m.first == 0 || m.second == 0 || m.first == m.second;
        one && m.first.max(m.second) > 0 && m.first <= a && m.second <= b
    }
}

/// Returns `floor(k phi)` with the golden ratio phi.
fn floor_phi(k: u64) -> u64 {
    let k = u128::from(k);
    ((k + (5 * k * k).isqrt()) / 2) as u64
}

fn partner(heap: u64) -> u64 {
    // Either heap = floor(k phi) with k close to heap / phi, or heap = floor(k phi) + k with k close to heap / phi^2.
    let n = u128::from(heap);
    let by_phi = (((5 * n * n).isqrt() - n) / 2) as u64;
    let near = |k: u64| k.saturating_sub(2)..=k + 2;
    if let Some(k) = near(by_phi).find(|&k| floor_phi(k) == heap) {
        return heap + k;
    }
    near(heap - by_phi).find(|&k| floor_phi(k) + k == heap).map_or(heap, |k| heap - k)
}

impl Game for Wythoff {
    type Position = Position;
    type Move = Move;

    fn start(&self) -> Position {
        Position { heaps: self.heaps, turn: Player::One }
    }

    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    fn over(&self, position: &Position) -> Option<Value> {
        (position.heaps == [0, 0]).then_some(cannot_move(self.misere))
    }

    fn moves(&self, position: &Position, visit: &mut impl FnMut(Move) -> Flow) -> Flow {
        let [a, b] = position.heaps;
        (1..=a).try_for_each(|n| visit(Move { first: n, second: 0 }))?;
        (1..=b).try_for_each(|n| visit(Move { first: 0, second: n }))?;
        (1..=a.min(b)).try_for_each(|n| visit(Move { first: n, second: n }))
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        let [a, b] = position.heaps;
        Position { heaps: [a - m.first, b - m.second], turn: !position.turn }
    }

    fn essence(&self, position: &Position) -> Position {
        Position { turn: Player::One, ..*position }
    }

    fn canonical(&self, position: &Position) -> Position {
        let mut canonical = *position;
        canonical.heaps.sort_unstable();
        canonical
    }
}

impl Scored for Wythoff {}

impl Notation for Wythoff {
    fn write_position(&self, position: &Position) -> String {
        format!("{} {}", words::join(&position.heaps), position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([heaps], turn) = words::fields(text, "two heaps like 3,5")?;
        match *words::list(heaps, "heaps", MOST, 2)? {
            [a, b] => Ok(Position { heaps: [a, b], turn }),
            _ => Err("expected two heaps like 3,5".to_owned()),
        }
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        match (m.first, m.second) {
            (n, 0) => format!("1:{n}"),
            (0, n) => format!("2:{n}"),
            (n, _) => format!("both:{n}"),
        }
    }

    fn read_move(&self, position: &Position, word: &str) -> Option<Move> {
        let (heap, n) = word.split_once(':')?;
        let n = words::number(n, MOST)?;
        let m = match heap {
            "1" => Move { first: n, second: 0 },
            "2" => Move { first: 0, second: n },
            "both" => Move { first: n, second: n },
            _ => return None,
        };
        Wythoff::legal(position, m).then_some(m)
    }

    fn draw(&self, position: &Position) -> String {
        let [a, b] = position.heaps.map(words::draw_heap);
        format!("1: {a}\n2: {b}\n")
    }
}

impl Formula for Wythoff {
    fn formula(&self, position: &Position) -> Value {
        let [a, b] = position.heaps;
        if self.partner(a) == b { Value::LOSS } else { Value::WIN }
    }

    fn keeping_moves(&self, position: &Position) -> Vec<Move> {
        let [a, b] = position.heaps;
        if self.partner(a) == b {
            return Vec::new();
        }
        let candidates = [
            a.checked_sub(self.partner(b)).map(|n| Move { first: n, second: 0 }),
            b.checked_sub(self.partner(a)).map(|n| Move { first: 0, second: n }),
            a.min(b).checked_sub(self.smaller(a.abs_diff(b))).map(|n| Move { first: n, second: n }),
        ];
        candidates.into_iter().flatten().filter(|&m| Wythoff::legal(position, m)).collect()
    }
}

impl Sum for Wythoff {
    /// Both heaps together, the smaller first.
    type Part = (u64, u64);

    fn normal_play(&self) -> bool {
        !self.misere
    }

    fn parts(&self, position: &Position) -> Vec<(u64, u64)> {
        let [a, b] = position.heaps;
        vec![(a.min(b), a.max(b))]
    }

    fn options(&self, &(a, b): &(u64, u64), visit: &mut dyn FnMut(&[(u64, u64)]) -> Flow) -> Flow {
        let mut show = |a: u64, b: u64| visit(&[(a.min(b), a.max(b))]);
        (0..a).try_for_each(|n| show(n, b))?;
        (0..b).try_for_each(|n| show(a, n))?;
        (1..=a).try_for_each(|n| show(a - n, b - n))?;
        MORE
    }
}
