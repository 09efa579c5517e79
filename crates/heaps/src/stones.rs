//! Stones in a row of pits, at most one a pit.
//!
//! * A move takes a stone 1 or 2 pits to the left into an empty pit; it never jumps over another stone.
//! * The player who cannot move loses.
//! * Position `..X.X..X 1`, move `8-6` (from pit 8 to pit 6, counted from 1, from the left).
//!
//! Solved by formula: the free pits left of every second stone from the right are heaps of Nim with at most 2 a move,
//! so each counts mod 3. A move of one of the other stones widens such a gap, and is undone by following it just as
//! far. The witnesses are the table over all rows of the same length and the recursion.

use grundy_core::drawing;
use grundy_core::game::{Flow, MORE};
use grundy_core::words;

use crate::heap_game::{HeapRules, Move, Position};

/// The longest row of pits.
pub const PITS: usize = 10_000;
/// The longest row whose positions are indexed by all pits; in longer ones they are indexed by the pits of the stones.
pub const ALL_PITS: u64 = 24;
/// Maximum number of positions of a table, if memory suffices.
pub const TABLE_SIZE: u64 = 1 << 36;

/// The rules of stones in pits.
#[derive(Clone, Debug)]
pub struct Stones {
    start: Vec<u64>,
}

impl Stones {
    /// Returns the game on a row of `.` and `X`.
    ///
    /// # Errors
    /// The row is empty, too long, or has other letters.
    pub fn new(row: &str) -> Result<Stones, String> {
        Ok(Stones { start: read_row(row)? })
    }

    /// Returns the length of the row that the game starts from.
    fn pits(&self) -> u64 {
        self.start[0]
    }
}

fn read_row(row: &str) -> Result<Vec<u64>, String> {
    let stones = words::row(row, ".X", PITS).ok_or_else(|| {
        format!(
            "the row is 1 to {PITS} pits, `.` for an empty one and `X` for a stone, not {:?}",
            words::short(row)
        )
    })?;
    Ok([row.len() as u64].into_iter().chain(stones.into_iter().map(|place| u64::from(place) - 1)).collect())
}

/// Returns the number of free pits between stone `place`, counted from the left, and the next one to its left.
fn gap(stones: &[u64], place: usize) -> u64 {
    let wall = if place == 0 { 0 } else { stones[place - 1] + 1 };
    stones[place] - wall
}

/// Returns the position's Grundy number: the exclusive or of the gaps of every second stone from the right, mod 3.
fn number(stones: &[u64]) -> u64 {
    let places = (0..stones.len()).rev().step_by(2);
    places.fold(0, |sum, place| sum ^ (gap(stones, place) % 3))
}

/// A position is the length of the row, then the pits that hold a stone, counted from 0, rising. A move is the pit that a
/// stone leaves, counted from 0, and the distance, 1 or 2.
///
/// Positions of short rows are indexed by their stones as bits, the leftmost pit the lowest. In longer rows only
/// positions with as many stones as the start are indexed, by the rank of the stones' pits among all subsets of that
/// size:
///
/// ```text
/// pits 0..26, stones at 3 and 7: rank C(3,1) + C(7,2) = 3 + 21 = 24 of C(27,2) = 351
/// ```
///
/// A stone that moves left lowers either index.
impl HeapRules for Stones {
    fn start(&self) -> Vec<u64> {
        self.start.clone()
    }

    fn is_over(&self, position: &Position) -> bool {
        let stones = &position.heaps[1..];
        (0..stones.len()).all(|place| gap(stones, place) == 0)
    }

    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        let mut wall = 0;
        for &from in &position.heaps[1..] {
            for by in 1..=2.min(from - wall) {
                visit(Move::new(from as u32, by))?;
            }
            wall = from + 1;
        }
        MORE
    }

    fn play(&self, position: &mut Position, m: Move) {
        let from = m.at[0].into();
        position.heaps[1..].iter_mut().filter(|pit| **pit == from).for_each(|pit| *pit -= m.by());
    }

    fn write(&self, heaps: &[u64]) -> String {
        words::write_row(heaps[0] as u32, '.', heaps[1..].iter().map(|&pit| (pit as u32 + 1, 'X')))
    }

    fn draw(&self, position: &Position) -> String {
        drawing::of_row(&self.write_position(position))
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        Position::read(text, "a row of pits like ..X.X..X", read_row)
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        let from = u64::from(m.at[0]) + 1;
        format!("{from}-{}", from - m.by())
    }

    fn read_move(&self, position: &Position, word: &str) -> Option<Move> {
        let (from, to) = Move::read_dash(word)?;
        let (from, to) = (from.checked_sub(1)?, to.checked_sub(1)?);
        let by = from.checked_sub(to)?;
        let stones = &position.heaps[1..];
        let place = stones.binary_search(&from).ok()?;
        (1..=2.min(gap(stones, place))).contains(&by).then(|| Move::new(from as u32, by))
    }

    fn grundy(&self, position: &Position) -> Option<u64> {
        Some(number(&position.heaps[1..]))
    }

    fn keeping_moves(&self, position: &Position) -> Vec<Move> {
        let stones = &position.heaps[1..];
        let number = number(stones);
        let mut keeping = Vec::new();
        for (place, &from) in stones.iter().enumerate() {
            let own = gap(stones, place);
            let counted = (stones.len() - place) % 2 == 1;
            for by in 1..=2.min(own) {
                // Either the stone's own gap shrinks, or that of the stone to its right grows.
                let (before, after) = match counted {
                    true => (own, own - by),
                    false => {
                        let right = gap(stones, place + 1);
                        (right, right + by)
                    }
                };
                if number ^ (before % 3) ^ (after % 3) == 0 {
                    keeping.push(Move::new(from as u32, by));
                }
            }
        }
        keeping
    }

    /// The whole row is one component: as the witness, it uses no gaps. Its length does not matter.
    fn make_part(&self, heaps: &mut Vec<u64>) {
        heaps[0] = 0;
    }

    fn size(&self) -> u64 {
        match self.pits() <= ALL_PITS {
            true => 1 << self.pits(),
            false => choose(self.pits(), self.start.len() - 1),
        }
    }

    fn index(&self, position: &Position) -> u64 {
        let stones = &position.heaps[1..];
        if stones.last().is_some_and(|&pit| pit >= self.pits()) {
            // Not in the table: no valid index.
            return u64::MAX;
        }
        if self.pits() <= ALL_PITS {
            return stones.iter().fold(0, |bits, pit| bits | 1 << pit);
        }
        if position.heaps.len() != self.start.len() {
            return u64::MAX;
        }
        stones.iter().zip(1..).map(|(&pit, place)| choose(pit, place)).fold(0, u64::saturating_add)
    }

    fn position(&self, index: u64) -> Option<Position> {
        if index >= self.size() {
            return None;
        }
        if self.pits() <= ALL_PITS {
            let stones = (0..self.pits()).filter(|pit| index >> pit & 1 == 1);
            return Some(Position::new([self.pits()].into_iter().chain(stones).collect()));
        }
        let mut left = index;
        let mut above = self.pits();
        let mut heaps = self.start.clone();
        for (place, stone) in heaps.iter_mut().enumerate().skip(1).rev() {
            // The last pit left of the next stone whose binomial does not exceed the rank.
            let (mut low, mut high) = (0, above);
            while high - low > 1 {
                let middle = low + (high - low) / 2;
                if choose(middle, place) <= left { low = middle } else { high = middle }
            }
            left -= choose(low, place);
            (*stone, above) = (low, low);
        }
        Some(Position::new(heaps))
    }
}

/// Returns the binomial coefficient `C(n, k)`, clamped to 64 bits.
fn choose(n: u64, k: usize) -> u64 {
    let n = u128::from(n);
    let k = k as u128;
    if k > n {
        return 0;
    }
    let mut ways: u128 = 1;
    for i in 0..k.min(n - k) {
        ways = ways * (n - i) / (i + 1);
        if ways > u128::from(u64::MAX) {
            return u64::MAX;
        }
    }
    ways as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heap_game::after;

    #[test]
    fn places_of_stones_are_numbered_one_to_one_and_every_move_makes_the_number_smaller() {
        for row in [
            "X........................XX",
            "...........X............X.....X..X",
            "X.........................",
            ".".repeat(25).as_str(),
        ] {
            let game = Stones::new(row).unwrap();
            for number in 0..game.size() {
                let position = game.position(number).unwrap();
                assert_eq!(game.index(&position), number, "{row} {position:?}");
                let _ = game.moves(&position, &mut |m| {
                    assert!(game.index(&after(&game, &position, m)) < number, "{row} {position:?} {m:?}");
                    MORE
                });
            }
            assert_eq!(game.position(game.size()), None);
        }
        assert_eq!(Stones::new("X........................X.").unwrap().size(), 351);
        assert_eq!(choose(10_000, 5_000), u64::MAX);
    }

    #[test]
    fn other_numbers_of_stones_have_no_number() {
        let game = Stones::new("X........................X.").unwrap();
        for row in
            ["X..........................", "XXX........................", "X..........................X"]
        {
            assert!(game.index(&game.read_position(row).unwrap()) >= game.size(), "{row}");
        }
    }
}
