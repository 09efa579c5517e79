//! The Silver Dollar game: coins on a strip of cells move to the left, and one of them is worth having.
//!
//! * A move takes a coin to any free cell left of it without passing another coin; the leftmost coin may also be put
//!   into the bag, from any cell. The player who puts the dollar `$` into the bag wins.
//! * `plain`: there is no dollar and no bag; the player who cannot move loses.
//! * Position `..o..$o 1`, cells counted from 1, from the left; moves `6-4`, and `3-0` into the bag.
//!
//! Solved by formula: the free cells left of every second coin from the right are heaps of Nim. A leftmost coin that is
//! not paired counts its distance to the bag, or one less if the dollar comes next, because the player who bags it then
//! loses. A leftmost dollar wins at once (J. H. Conway, On Numbers and Games, chapter 11). The recursion over whole
//! positions is the witness and gives the Grundy numbers.

use grundy_core::drawing;
use grundy_core::game::{Flow, MORE};
use grundy_core::value::Value;
use grundy_core::words;

use crate::heap_game::{HeapRules, Move, Position};

/// The longest strip.
pub const CELLS: usize = 10_000;

/// The rules of the Silver Dollar game.
#[derive(Clone, Debug)]
pub struct SilverDollar {
    start: Vec<u64>,
    plain: bool,
}

impl SilverDollar {
    /// Returns the game from a strip of `.`, `o` and, unless it is plain, one `$`.
    ///
    /// # Errors
    /// The strip is empty, too long, has other letters, or has not the one dollar it needs.
    pub fn new(strip: &str, plain: bool) -> Result<SilverDollar, String> {
        let start = read_strip(strip, plain)?;
        if !plain && start[DOLLAR] == 0 {
            return Err("the strip has one dollar $, like ..o..$o, unless the game is plain".to_owned());
        }
        Ok(SilverDollar { start, plain })
    }

    /// Returns the lowest cell that the coin of this index can go to.
    fn lowest(&self, coins: &[u64], place: usize) -> u64 {
        if place == 0 { self.plain.into() } else { coins[place - 1] + 1 }
    }

    /// Returns the exclusive or of the heaps of Nim; in the plain game it is the Grundy number.
    fn number(&self, heaps: &[u64]) -> u64 {
        let coins = &heaps[COINS..];
        let gap = |place: usize| match place {
            // The distance to cell 1, or to the bag.
            0 => coins[0] - u64::from(self.plain || heaps[DOLLAR] == 2),
            _ => coins[place] - coins[place - 1] - 1,
        };
        (0..coins.len()).rev().step_by(2).fold(0, |sum, place| sum ^ gap(place))
    }
}

/// Index of the length of the strip in a position.
const LENGTH: usize = 0;
/// Index of the dollar's index among the coins, counted from 1; 0 if there is none.
const DOLLAR: usize = 1;
/// Index of the first coin's cell.
const COINS: usize = 2;

fn read_strip(text: &str, plain: bool) -> Result<Vec<u64>, String> {
    let dollars = text.bytes().filter(|&b| b == b'$').count();
    let Some(coins) = words::row(text, ".o$", CELLS).filter(|_| dollars <= usize::from(!plain)) else {
        return Err(format!(
            "the strip is 1 to {CELLS} cells, `.` for a free one, `o` for a coin{}, not {:?}",
            if plain { "" } else { " and `$` for the dollar, at most one" },
            words::short(text)
        ));
    };
    let dollar = text.bytes().filter(|&b| b != b'.').position(|b| b == b'$').map_or(0, |place| place + 1);
    let mut strip = vec![text.len() as u64, dollar as u64];
    strip.extend(coins.into_iter().map(u64::from));
    Ok(strip)
}

/// A position is the length of the strip, the dollar's index among the coins, and the coins' cells, rising. A move is the
/// cell that a coin leaves and the one it goes to, 0 for the bag.
impl HeapRules for SilverDollar {
    fn start(&self) -> Vec<u64> {
        self.start.clone()
    }

    fn is_over(&self, position: &Position) -> bool {
        match self.plain {
            true => (1..).zip(&position.heaps[COINS..]).all(|(cell, &coin)| cell == coin),
            false => position.heaps[DOLLAR] == 0,
        }
    }

    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        if !self.plain && position.heaps[DOLLAR] == 0 {
            return MORE;
        }
        let coins = &position.heaps[COINS..];
        for (place, &from) in coins.iter().enumerate() {
            for to in self.lowest(coins, place)..from {
                visit(Move::pair(from, to))?;
            }
        }
        MORE
    }

    fn play(&self, position: &mut Position, m: Move) {
        let heaps = &mut position.heaps;
        if m.by[1] == 0 {
            heaps.remove(COINS);
            heaps[DOLLAR] = heaps[DOLLAR].saturating_sub(1);
        } else if let Ok(place) = heaps[COINS..].binary_search(&m.by[0]) {
            heaps[COINS + place] = m.by[1];
        }
    }

    fn write(&self, heaps: &[u64]) -> String {
        let letter = |place| if heaps[DOLLAR] == place { '$' } else { 'o' };
        let coins = (1..).zip(&heaps[COINS..]).map(|(place, &coin)| (coin as u32, letter(place)));
        words::write_row(heaps[LENGTH] as u32, '.', coins)
    }

    fn draw(&self, position: &Position) -> String {
        drawing::of_row(&self.write_position(position))
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        Position::read(text, "a strip like ..o..$o", |strip| read_strip(strip, self.plain))
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        format!("{}-{}", m.by[0], m.by[1])
    }

    fn read_move(&self, position: &Position, word: &str) -> Option<Move> {
        let (from, to) = Move::read_dash(word)?;
        let coins = &position.heaps[COINS..];
        let place = coins.binary_search(&from).ok()?;
        let legal = !self.is_over(position) && (self.lowest(coins, place)..from).contains(&to);
        legal.then(|| Move::pair(from, to))
    }

    fn grundy(&self, position: &Position) -> Option<u64> {
        self.plain.then(|| self.number(&position.heaps))
    }

    fn formula(&self, position: &Position) -> Value {
        let lost = match position.heaps[DOLLAR] {
            0 => !self.plain || self.number(&position.heaps) == 0,
            1 => false,
            _ => self.number(&position.heaps) == 0,
        };
        if lost { Value::LOSS } else { Value::WIN }
    }

    /// The whole strip is one component: as the witness, it uses no pairs. Its length does not matter.
    fn make_part(&self, heaps: &mut Vec<u64>) {
        heaps[LENGTH] = 0;
    }
}
