//! Coin turning: Turning Turtles and Twins.
//!
//! * Coins in a row show `O` or `X`. A move turns one coin from `O` to `X`; in Turning Turtles it may also turn one
//!   coin left of it, either way up; in Twins it must. The player who cannot move loses.
//! * Position `XOXO 1`; moves `4` (turn coin 4 alone, coins counted from 1, from the left) and `4,2` (and coin 2 too).
//!
//! Solved by formula: each `O` is a heap of Nim as large as its index, counted from 1 in Turning Turtles and from 0 in
//! Twins (Winning Ways, chapter 14). The recursion over whole rows is the witness.

use grundy_core::game::{Flow, Game, MORE, Notation, Player, Scored, cannot_move};
use grundy_core::value::Value;
use grundy_core::words;
use grundy_sums::formula::Formula;
use grundy_sums::sum::Sum;

/// The longest row.
pub const COINS: usize = 1_000;

/// The rules of a coin turning game.
#[derive(Clone, Debug)]
pub struct CoinTurning {
    start: Position,
    twins: bool,
}

/// The row and the player to move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// Number of coins.
    pub length: u32,
    /// The coins that show `O`, counted from 1, rising.
    pub heads: Vec<u32>,
    /// The player to move.
    pub turn: Player,
}

/// Turns one coin or two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The coin that is turned to `X`, counted from 1.
    pub right: u32,
    /// The other coin, or 0.
    pub left: u32,
}

impl CoinTurning {
    /// Returns Turning Turtles, or Twins, on a row of `O` and `X`.
    ///
    /// # Errors
    /// The row is empty, too long, or has other letters.
    pub fn new(row: &str, twins: bool) -> Result<CoinTurning, String> {
        Ok(CoinTurning { start: read_row(row, Player::One)?, twins })
    }

    /// Returns the Nim heap of a coin showing `O`.
    fn worth(&self, coin: u32) -> u32 {
        coin - u32::from(self.twins)
    }

    pub(super) fn number(&self, heads: &[u32]) -> u32 {
        heads.iter().fold(0, |sum, &coin| sum ^ self.worth(coin))
    }

    fn visit_heads(&self, heads: &[u32], visit: &mut impl FnMut(Move) -> Flow) -> Flow {
        for &right in heads {
            for left in u32::from(self.twins)..right {
                visit(Move { right, left })?;
            }
        }
        MORE
    }

    fn turned(heads: &[u32], m: Move) -> Vec<u32> {
        let mut heads = heads.to_vec();
        for coin in [m.right, m.left].into_iter().filter(|&coin| coin > 0) {
            match heads.binary_search(&coin) {
                Ok(place) => drop(heads.remove(place)),
                Err(place) => heads.insert(place, coin),
            }
        }
        heads
    }
}

fn read_row(row: &str, turn: Player) -> Result<Position, String> {
    let heads = words::row(row, "XO", COINS)
        .ok_or_else(|| format!("the row is 1 to {COINS} coins, `O` or `X`, not {:?}", words::short(row)))?;
    Ok(Position { length: row.len() as u32, heads, turn })
}

impl Game for CoinTurning {
    type Position = Position;
    type Move = Move;

    fn start(&self) -> Position {
        self.start.clone()
    }

    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    fn over(&self, position: &Position) -> Option<Value> {
        position.heads.iter().all(|&coin| self.worth(coin) == 0).then_some(cannot_move(false))
    }

    fn moves(&self, position: &Position, visit: &mut impl FnMut(Move) -> Flow) -> Flow {
        self.visit_heads(&position.heads, visit)
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        let heads = CoinTurning::turned(&position.heads, m);
        Position { length: position.length, heads, turn: !position.turn }
    }

    fn essence(&self, position: &Position) -> Position {
        Position { turn: Player::One, ..position.clone() }
    }
}

impl Scored for CoinTurning {}

impl Notation for CoinTurning {
    fn write_position(&self, position: &Position) -> String {
        let row = words::write_row(position.length, 'X', position.heads.iter().map(|&coin| (coin, 'O')));
        format!("{row} {}", position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([row], turn) = words::fields(text, "a row of coins like XOXO")?;
        read_row(row, turn)
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        if m.left == 0 { m.right.to_string() } else { format!("{},{}", m.right, m.left) }
    }

    fn read_move(&self, position: &Position, word: &str) -> Option<Move> {
        let coin = |word| words::number(word, COINS as u64).filter(|&c| c > 0).map(|c| c as u32);
        let (right, left) = match word.split_once(',') {
            Some((right, left)) => (coin(right)?, coin(left)?),
            None => (coin(word)?, 0),
        };
        let there = position.heads.binary_search(&right).is_ok();
        (there && (u32::from(self.twins)..right).contains(&left)).then_some(Move { right, left })
    }
}

impl Formula for CoinTurning {
    fn formula(&self, position: &Position) -> Value {
        if self.number(&position.heads) == 0 { Value::LOSS } else { Value::WIN }
    }

    fn keeping_moves(&self, position: &Position) -> Vec<Move> {
        let number = self.number(&position.heads);
        let mut keeping = Vec::new();
        if number != 0 {
            let _ = self.visit_heads(&position.heads, &mut |m| {
                let left = if m.left == 0 { 0 } else { self.worth(m.left) };
                if number ^ self.worth(m.right) ^ left == 0 {
                    keeping.push(m);
                }
                MORE
            });
        }
        keeping
    }

    fn grundy(&self, position: &Position) -> Option<u64> {
        Some(u64::from(self.number(&position.heads)))
    }
}

/// The whole row is one component: as the witness, it uses no heaps.
impl Sum for CoinTurning {
    type Part = Vec<u32>;

    fn parts(&self, position: &Position) -> Vec<Vec<u32>> {
        vec![position.heads.clone()]
    }

    fn options(&self, heads: &Vec<u32>, visit: &mut dyn FnMut(&[Vec<u32>]) -> Flow) -> Flow {
        self.visit_heads(heads, &mut |m| visit(&[CoinTurning::turned(heads, m)]))
    }
}
