//! Coin turning: Turning Turtles and Twins.
//!
//! * Coins in a row show `O` or `X`. A move turns one coin from `O` to `X`; in Turning Turtles it may also turn one
//!   coin left of it, either way up; in Twins it must. The player who cannot move loses.
//! * Position `XOXO 1`; moves `4` (turn coin 4 alone, coins counted from 1, from the left) and `4,2` (and coin 2 too).
//!
//! Solved by formula: each `O` is a heap of Nim as large as its index, counted from 1 in Turning Turtles and from 0 in
//! Twins (Winning Ways, chapter 14). The recursion over whole rows is the witness.

use grundy_core::drawing;
use grundy_core::game::{Flow, MORE};
use grundy_core::words;

use crate::heap_game::{HeapRules, Move, Position};

/// The longest row.
pub const COINS: usize = 1_000;

/// The rules of a coin turning game.
#[derive(Clone, Debug)]
pub struct CoinTurning {
    start: Vec<u64>,
    twins: bool,
}

impl CoinTurning {
    /// Returns Turning Turtles, or Twins, on a row of `O` and `X`.
    ///
    /// # Errors
    /// The row is empty, too long, or has other letters.
    pub fn new(row: &str, twins: bool) -> Result<CoinTurning, String> {
        Ok(CoinTurning { start: read_row(row)?, twins })
    }

    /// Returns the Nim heap of a coin showing `O`.
    fn worth(&self, coin: u64) -> u64 {
        coin - u64::from(self.twins)
    }

    fn number(&self, position: &Position) -> u64 {
        position.heaps[1..].iter().fold(0, |sum, &coin| sum ^ self.worth(coin))
    }
}

fn read_row(row: &str) -> Result<Vec<u64>, String> {
    let heads = words::row(row, "XO", COINS)
        .ok_or_else(|| format!("the row is 1 to {COINS} coins, `O` or `X`, not {:?}", words::short(row)))?;
    Ok([row.len() as u64].into_iter().chain(heads.into_iter().map(u64::from)).collect())
}

/// A position is the number of coins, then the coins that show `O`, counted from 1, rising. A move is the coin that is
/// turned to `X` and the other coin, or 0.
impl HeapRules for CoinTurning {
    fn start(&self) -> Vec<u64> {
        self.start.clone()
    }

    fn is_over(&self, position: &Position) -> bool {
        position.heaps[1..].iter().all(|&coin| self.worth(coin) == 0)
    }

    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        for &right in &position.heaps[1..] {
            for left in u64::from(self.twins)..right {
                visit(Move::pair(right, left))?;
            }
        }
        MORE
    }

    fn play(&self, position: &mut Position, m: Move) {
        for coin in m.by.into_iter().filter(|&coin| coin > 0) {
            match position.heaps[1..].binary_search(&coin) {
                Ok(place) => drop(position.heaps.remove(1 + place)),
                Err(place) => position.heaps.insert(1 + place, coin),
            }
        }
    }

    fn write(&self, heaps: &[u64]) -> String {
        words::write_row(heaps[0] as u32, 'X', heaps[1..].iter().map(|&coin| (coin as u32, 'O')))
    }

    fn draw(&self, position: &Position) -> String {
        drawing::of_row(&self.write_position(position))
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        Position::read(text, "a row of coins like XOXO", read_row)
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        if m.by[1] == 0 { m.by[0].to_string() } else { format!("{},{}", m.by[0], m.by[1]) }
    }

    fn read_move(&self, position: &Position, word: &str) -> Option<Move> {
        let coin = |word| words::number(word, COINS as u64).filter(|&coin| coin > 0);
        let (right, left) = match word.split_once(',') {
            Some((right, left)) => (coin(right)?, coin(left)?),
            None => (coin(word)?, 0),
        };
        let there = position.heaps[1..].binary_search(&right).is_ok();
        (there && (u64::from(self.twins)..right).contains(&left)).then(|| Move::pair(right, left))
    }

    fn grundy(&self, position: &Position) -> Option<u64> {
        Some(self.number(position))
    }

    fn keeping_moves(&self, position: &Position) -> Vec<Move> {
        let number = self.number(position);
        let mut keeping = Vec::new();
        let _ = self.moves(position, &mut |m| {
            let left = if m.by[1] == 0 { 0 } else { self.worth(m.by[1]) };
            if number ^ self.worth(m.by[0]) ^ left == 0 {
                keeping.push(m);
            }
            MORE
        });
        keeping
    }

    /// The whole row is one component: as the witness, it uses no heaps. Its length does not matter.
    fn make_part(&self, heaps: &mut Vec<u64>) {
        heaps[0] = 0;
    }
}
