//! Stones in a row of pits, at most one a pit.
//!
//! * A move takes a stone 1 or 2 pits to the left into an empty pit; it never jumps over another stone.
//! * The player who cannot move loses.
//! * Position `..X.X..X 1`, move `5-3` (from pit 5 to pit 3, counted from 1, from the left).
//!
//! Solved by formula: the free pits left of every second stone from the right are heaps of Nim with at most 2 a move,
//! so each counts mod 3. A move of one of the other stones widens such a gap, and is undone by following it just as
//! far. The witnesses are the table over all rows of the same length and the recursion.

use grundy_core::game::{Flow, Game, Indexed, MORE, Notation, Player, Scored, cannot_move};
use grundy_core::value::Value;
use grundy_core::words;
use grundy_sums::formula::Formula;
use grundy_sums::sum::Sum;
use grundy_tables::layers::{Acyclic, Order};

/// The longest row of pits.
pub const PITS: usize = 10_000;
/// The longest row whose positions are indexed by all pits; in longer ones they are indexed by the pits of the stones.
pub const ALL_PITS: usize = 24;
/// Maximum number of positions of a table, if memory suffices.
pub const TABLE_SIZE: u64 = 1 << 36;

/// The rules of stones in pits.
#[derive(Clone, Debug)]
pub struct Stones {
    start: Position,
}

/// The row and the player to move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// Length of the row.
    pub pits: u32,
    /// The pits that hold a stone, counted from 0, rising.
    pub stones: Vec<u32>,
    /// The player to move.
    pub turn: Player,
}

/// Moves a stone to the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The pit it leaves, counted from 0.
    pub from: u32,
    /// Distance, 1 or 2.
    pub by: u32,
}

impl Stones {
    /// Returns the game on a row of `.` and `X`.
    ///
    /// # Errors
    /// The row is empty, too long, or has other letters.
    pub fn new(row: &str) -> Result<Stones, String> {
        Ok(Stones { start: Stones::row(row, Player::One)? })
    }

    /// Returns the length of the row that the game starts from.
    pub fn pits(&self) -> usize {
        self.start.pits as usize
    }

    fn row(row: &str, turn: Player) -> Result<Position, String> {
        let stones = words::row(row, ".X", PITS).ok_or_else(|| {
            format!(
                "the row is 1 to {PITS} pits, `.` for an empty one and `X` for a stone, not {:?}",
                words::short(row)
            )
        })?;
        let stones = stones.into_iter().map(|place| place - 1).collect();
        Ok(Position { pits: row.len() as u32, stones, turn })
    }

    /// Returns the number of free pits between stone `place`, counted from the left, and the next one to its left.
    fn gap(stones: &[u32], place: usize) -> u32 {
        let wall = if place == 0 { 0 } else { stones[place - 1] + 1 };
        stones[place] - wall
    }

    /// Returns the position's Grundy number: the exclusive or of the gaps of every second stone from the right, mod 3.
    pub(super) fn number(stones: &[u32]) -> u32 {
        let places = (0..stones.len()).rev().step_by(2);
        places.fold(0, |sum, place| sum ^ (Stones::gap(stones, place) % 3))
    }

    fn stone_moves(stones: &[u32], visit: &mut impl FnMut(Move) -> Flow) -> Flow {
        let mut wall = 0;
        for &from in stones {
            for by in 1..=2.min(from - wall) {
                visit(Move { from, by })?;
            }
            wall = from + 1;
        }
        MORE
    }

    fn moved(stones: &[u32], m: Move) -> Vec<u32> {
        stones.iter().map(|&pit| if pit == m.from { pit - m.by } else { pit }).collect()
    }
}

impl Game for Stones {
    type Position = Position;
    type Move = Move;

    fn start(&self) -> Position {
        self.start.clone()
    }

    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    fn over(&self, position: &Position) -> Option<Value> {
        let stuck = (0..position.stones.len()).all(|place| Stones::gap(&position.stones, place) == 0);
        stuck.then_some(cannot_move(false))
    }

    fn moves(&self, position: &Position, visit: &mut impl FnMut(Move) -> Flow) -> Flow {
        Stones::stone_moves(&position.stones, visit)
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        let stones = Stones::moved(&position.stones, m);
        Position { pits: position.pits, stones, turn: !position.turn }
    }

    fn essence(&self, position: &Position) -> Position {
        Position { turn: Player::One, ..position.clone() }
    }
}

impl Scored for Stones {}

impl Notation for Stones {
    fn write_position(&self, position: &Position) -> String {
        let row = words::write_row(position.pits, '.', position.stones.iter().map(|&pit| (pit + 1, 'X')));
        format!("{row} {}", position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([row], turn) = words::fields(text, "a row of pits like ..X.X..X")?;
        Stones::row(row, turn)
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        format!("{}-{}", m.from + 1, m.from + 1 - m.by)
    }

    fn read_move(&self, position: &Position, word: &str) -> Option<Move> {
        let (from, to) = word.split_once('-')?;
        let from = words::number(from, PITS as u64)?.checked_sub(1)? as u32;
        let to = words::number(to, PITS as u64)?.checked_sub(1)? as u32;
        let by = from.checked_sub(to)?;
        let place = position.stones.binary_search(&from).ok()?;
        (1..=2.min(Stones::gap(&position.stones, place))).contains(&by).then_some(Move { from, by })
    }
}

impl Formula for Stones {
    fn formula(&self, position: &Position) -> Value {
        if Stones::number(&position.stones) == 0 { Value::LOSS } else { Value::WIN }
    }

    fn keeping_moves(&self, position: &Position) -> Vec<Move> {
        let number = Stones::number(&position.stones);
        let count = position.stones.len();
        let mut keeping = Vec::new();
        if number == 0 {
            return keeping;
        }
        for place in 0..count {
            let gap = Stones::gap(&position.stones, place);
            let counted = (count - place) % 2 == 1;
            for by in 1..=2.min(gap) {
                // Either the stone's own gap shrinks, or that of the stone to its right grows.
                let (before, after) = match counted {
                    true => (gap, gap - by),
                    false => {
                        let right = Stones::gap(&position.stones, place + 1);
                        (right, right + by)
                    }
                };
                if number ^ (before % 3) ^ (after % 3) == 0 {
                    keeping.push(Move { from: position.stones[place], by });
                }
            }
        }
        keeping
    }

    fn grundy(&self, position: &Position) -> Option<u64> {
        Some(u64::from(Stones::number(&position.stones)))
    }
}

/// The whole row is one component: as the witness, it uses no gaps.
impl Sum for Stones {
    type Part = Vec<u32>;

    fn parts(&self, position: &Position) -> Vec<Vec<u32>> {
        vec![position.stones.clone()]
    }

    fn options(&self, stones: &Vec<u32>, visit: &mut dyn FnMut(&[Vec<u32>]) -> Flow) -> Flow {
        Stones::stone_moves(stones, &mut |m| visit(&[Stones::moved(stones, m)]))
    }
}

/// Positions of short rows are indexed by their stones as bits, the leftmost pit the lowest. In longer rows only
/// positions with as many stones as the start are indexed, by the rank of the stones' pits among all subsets of that
/// size:
///
/// ```text
/// pits 0..26, stones at 3 and 7: rank C(3,1) + C(7,2) = 3 + 21 = 24 of C(27,2) = 351
/// ```
///
/// A stone that moves left lowers either index.
impl Indexed for Stones {
    fn size(&self) -> u64 {
        if self.pits() <= ALL_PITS {
            1 << self.pits()
        } else {
            choose(self.start.pits, self.start.stones.len())
        }
    }

    fn index(&self, position: &Position) -> u64 {
        let stones = &position.stones;
        if stones.last().is_some_and(|&pit| pit >= self.start.pits) {
            // Not in the table: no valid index.
            return u64::MAX;
        }
        if self.pits() <= ALL_PITS {
            return stones.iter().fold(0, |bits, pit| bits | 1 << pit);
        }
        if stones.len() != self.start.stones.len() {
            return u64::MAX;
        }
        stones.iter().zip(1..).map(|(&pit, place)| choose(pit, place)).fold(0, u64::saturating_add)
    }

    fn position(&self, index: u64) -> Option<Position> {
        if index >= self.size() {
            return None;
        }
        let (pits, turn) = (self.start.pits, Player::One);
        if self.pits() <= ALL_PITS {
            let stones = (0..pits).filter(|pit| index >> pit & 1 == 1).collect();
            return Some(Position { pits, stones, turn });
        }
        let mut left = index;
        let mut above = pits;
        let mut stones = vec![0; self.start.stones.len()];
        for (place, stone) in stones.iter_mut().enumerate().rev() {
            let place = place + 1;
            // The last pit left of the next stone whose binomial does not exceed the rank.
            let (mut low, mut high) = (0, above);
            while high - low > 1 {
                let middle = low + (high - low) / 2;
                if choose(middle, place) <= left { low = middle } else { high = middle }
            }
            left -= choose(low, place);
            (*stone, above) = (low, low);
        }
        Some(Position { pits, stones, turn })
    }
}

/// Returns the binomial coefficient `C(n, k)`, clamped to 64 bits.
fn choose(n: u32, k: usize) -> u64 {
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

impl Acyclic for Stones {
    fn order(&self) -> Order {
        Order::Lower
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
                    assert!(game.index(&game.play(&position, m)) < number, "{row} {position:?} {m:?}");
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
