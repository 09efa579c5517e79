//! Wythoff's game: a move takes from either of two heaps, or the same number from both.
//!
//! * The player who cannot move loses; `misere`: wins.
//! * Position `3,5 1`; moves `1:n`, `2:n`, `both:n`.
//!
//! Solved by formula: the lost positions are the pairs `(floor(k phi), floor(k phi) + k)` (W. A. Wythoff, "A
//! modification of the game of Nim", Nieuw Archief voor Wiskunde 7, 1907), computed in integers; in misere play `(0,1)`
//! and `(2,2)` replace `(0,0)` and `(1,2)`. Grundy numbers, for which no formula is known, come from the recursion,
//! which is the witness.

use grundy_core::game::Flow;
use grundy_core::sorting;
use grundy_core::value::Value;
use grundy_core::words;

use crate::heap_game::{HeapRules, Move, Position};

/// Maximum number of counters in a heap.
pub const MOST: u64 = 1_000_000_000_000_000_000;

/// The rules of Wythoff's game.
#[derive(Clone, Debug)]
pub struct Wythoff {
    heaps: [u64; 2],
    misere: bool,
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

    /// Reports whether a move takes from one heap or the same number from both, as far as they last.
    fn legal([a, b]: [u64; 2], first: u64, second: u64) -> bool {
        let one = first == 0 || second == 0 || first == second;
        one && first.max(second) > 0 && first <= a && second <= b
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

/// Returns both heaps.
fn both(heaps: &[u64]) -> [u64; 2] {
    [heaps[0], heaps[1]]
}

/// A move is the numbers taken from the first and from the second heap.
impl HeapRules for Wythoff {
    fn start(&self) -> Vec<u64> {
        self.heaps.to_vec()
    }

    fn misere(&self) -> bool {
        self.misere
    }

    fn is_over(&self, position: &Position) -> bool {
        position.is_empty()
    }

    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        let [a, b] = both(&position.heaps);
        (1..=a).try_for_each(|n| visit(Move::pair(n, 0)))?;
        (1..=b).try_for_each(|n| visit(Move::pair(0, n)))?;
        (1..=a.min(b)).try_for_each(|n| visit(Move::pair(n, n)))
    }

    fn play(&self, position: &mut Position, m: Move) {
        (0..2).for_each(|heap| position.heaps[heap] -= m.by[heap]);
    }

    fn make_canonical(&self, position: &mut Position) {
        sorting::sort_few(&mut position.heaps);
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        Position::read(text, "two heaps like 3,5", |heaps| match words::list(heaps, "heaps", MOST, 2)? {
            heaps if heaps.len() == 2 => Ok(heaps),
            _ => Err("expected two heaps like 3,5".to_owned()),
        })
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        match (m.by[0], m.by[1]) {
            (n, 0) => format!("1:{n}"),
            (0, n) => format!("2:{n}"),
            (n, _) => format!("both:{n}"),
        }
    }

    fn read_move(&self, position: &Position, word: &str) -> Option<Move> {
        let (heap, n) = word.split_once(':')?;
        let n = words::number(n, MOST)?;
        let (first, second) = match heap {
            "1" => (n, 0),
            "2" => (0, n),
            "both" => (n, n),
            _ => return None,
        };
        Wythoff::legal(both(&position.heaps), first, second).then(|| Move::pair(first, second))
    }

    fn draw(&self, position: &Position) -> String {
        let [a, b] = both(&position.heaps).map(words::draw_heap);
        format!("1: {a}\n2: {b}\n")
    }

    fn formula(&self, position: &Position) -> Value {
        let [a, b] = both(&position.heaps);
        if self.partner(a) == b { Value::LOSS } else { Value::WIN }
    }

    fn keeping_moves(&self, position: &Position) -> Vec<Move> {
        let [a, b] = both(&position.heaps);
        let candidates = [
            a.checked_sub(self.partner(b)).map(|n| (n, 0)),
            b.checked_sub(self.partner(a)).map(|n| (0, n)),
            a.min(b).checked_sub(self.smaller(a.abs_diff(b))).map(|n| (n, n)),
        ];
        let legal = candidates.into_iter().flatten().filter(|&(n, k)| Wythoff::legal([a, b], n, k));
        legal.map(|(first, second)| Move::pair(first, second)).collect()
    }

    fn make_part(&self, heaps: &mut Vec<u64>) {
        sorting::sort_few(heaps);
    }
}
