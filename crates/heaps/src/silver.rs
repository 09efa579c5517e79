//! The Silver Dollar game: coins on a strip of cells move to the left, and one of them is worth having.
//!
//! * A move takes a coin to any free cell left of it without passing another coin; the leftmost coin may also be put
//!   into the bag, from any cell. The player who puts the dollar `$` into the bag wins.
//! * `plain`: there is no dollar and no bag; the player who cannot move loses.
//! * Position `..o..$o 1`, cells counted from 1, from the left; moves `7-4`, and `3-0` into the bag.
//!
//! Solved by formula: the free cells left of every second coin from the right are heaps of Nim. A leftmost coin that is
//! not paired counts its distance to the bag, or one less if the dollar comes next, because the player who bags it then
//! loses. A leftmost dollar wins at once (J. H. Conway, On Numbers and Games, chapter 11). The recursion over whole
//! positions is the witness and gives the Grundy numbers.

use grundy_core::game::{Flow, Game, MORE, Notation, Player, Scored, cannot_move};
use grundy_core::value::Value;
use grundy_core::words;
use grundy_sums::formula::Formula;
use grundy_sums::sum::Sum;

/// The longest strip.
pub const CELLS: usize = 10_000;

/// The rules of the Silver Dollar game.
#[derive(Clone, Debug)]
pub struct SilverDollar {
    start: Position,
    plain: bool,
}

/// The coins on a strip.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Strip {
    /// The coins' cells, counted from 1, rising.
    pub coins: Vec<u32>,
    /// Index of the dollar among the coins.
    pub dollar: Option<u32>,
}

/// The strip and the player to move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// Length of the strip.
    pub cells: u32,
    /// The coins.
    pub strip: Strip,
    /// The player to move.
    pub turn: Player,
}

/// Moves a coin to the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The cell it leaves, counted from 1.
    pub from: u32,
    /// The cell it goes to; 0 is the bag.
    pub to: u32,
}

impl SilverDollar {
    /// Returns the game from a strip of `.`, `o` and, unless it is plain, one `$`.
    ///
    /// # Errors
    /// The strip is empty, too long, has other letters, or has not the one dollar it needs.
    pub fn new(strip: &str, plain: bool) -> Result<SilverDollar, String> {
        let start = SilverDollar::read(strip, plain, Player::One)?;
        if !plain && start.strip.dollar.is_none() {
            return Err("the strip has one dollar $, like ..o..$o, unless the game is plain".to_owned());
        }
        Ok(SilverDollar { start, plain })
    }

    fn read(text: &str, plain: bool, turn: Player) -> Result<Position, String> {
        let dollars = text.bytes().filter(|&b| b == b'$').count();
        let Some(coins) = words::row(text, ".o$", CELLS).filter(|_| dollars <= usize::from(!plain)) else {
            return Err(format!(
                "the strip is 1 to {CELLS} cells, `.` for a free one, `o` for a coin{}, not {:?}",
                if plain { "" } else { " and `$` for the dollar, at most one" },
                words::short(text)
            ));
        };
        let dollar = text.bytes().filter(|&b| b != b'.').position(|b| b == b'$').map(|place| place as u32);
        Ok(Position { cells: text.len() as u32, strip: Strip { coins, dollar }, turn })
    }

    fn visit_coins(&self, strip: &Strip, visit: &mut impl FnMut(Move) -> Flow) -> Flow {
        if !self.plain && strip.dollar.is_none() {
            return MORE;
        }
        let mut least = u32::from(self.plain);
        for &from in &strip.coins {
            for to in least..from {
                visit(Move { from, to })?;
            }
            least = from + 1;
        }
        MORE
    }

    fn moved(strip: &Strip, m: Move) -> Strip {
        let mut strip = strip.clone();
        if m.to == 0 {
            strip.coins.remove(0);
            strip.dollar = strip.dollar.and_then(|place| place.checked_sub(1));
        } else if let Ok(place) = strip.coins.binary_search(&m.from) {
            strip.coins[place] = m.to;
        }
        strip
    }

    /// Reports whether the player to move loses.
    fn lost(&self, strip: &Strip) -> bool {
        match strip.dollar {
            _ if self.plain => self.number(strip) == 0,
            None => true,
            Some(0) => false,
            Some(_) => self.number(strip) == 0,
        }
    }

    /// Returns the Grundy number in the plain game, where the formula gives it; else `None`.
    pub(super) fn grundy_number(&self, strip: &Strip) -> Option<u64> {
        self.plain.then(|| u64::from(self.number(strip)))
    }

    /// Returns the exclusive or of the heaps of Nim; in the plain game it is the Grundy number.
    fn number(&self, strip: &Strip) -> u32 {
        let coins = &strip.coins;
        let gap = |place: usize| match place {
            // The distance to cell 1, or to the bag.
            0 => coins[0] - u32::from(self.plain || strip.dollar == Some(1)),
            _ => coins[place] - coins[place - 1] - 1,
        };
        (0..coins.len()).rev().step_by(2).fold(0, |sum, place| sum ^ gap(place))
    }
}

impl Game for SilverDollar {
    type Position = Position;
    type Move = Move;

    fn start(&self) -> Position {
        self.start.clone()
    }

    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    fn over(&self, position: &Position) -> Option<Value> {
        let strip = &position.strip;
        let ended = match self.plain {
            true => (1..).zip(&strip.coins).all(|(cell, &coin)| cell == coin),
            false => strip.dollar.is_none(),
        };
        ended.then_some(cannot_move(false))
    }

    fn moves(&self, position: &Position, visit: &mut impl FnMut(Move) -> Flow) -> Flow {
        self.visit_coins(&position.strip, visit)
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        let strip = SilverDollar::moved(&position.strip, m);
        Position { cells: position.cells, strip, turn: !position.turn }
    }

    fn essence(&self, position: &Position) -> Position {
        Position { turn: Player::One, ..position.clone() }
    }
}

impl Scored for SilverDollar {}

impl Notation for SilverDollar {
    fn write_position(&self, position: &Position) -> String {
        let letter = |place| if position.strip.dollar == Some(place) { '$' } else { 'o' };
        let coins = (0..).zip(&position.strip.coins).map(|(place, &coin)| (coin, letter(place)));
        format!("{} {}", words::write_row(position.cells, '.', coins), position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([strip], turn) = words::fields(text, "a strip like ..o..$o")?;
        SilverDollar::read(strip, self.plain, turn)
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        format!("{}-{}", m.from, m.to)
    }

    fn read_move(&self, position: &Position, word: &str) -> Option<Move> {
        let (from, to) = word.split_once('-')?;
        let from = words::number(from, CELLS as u64)? as u32;
        let to = words::number(to, CELLS as u64)? as u32;
        let place = position.strip.coins.binary_search(&from).ok()?;
        let least = if place == 0 { u32::from(self.plain) } else { position.strip.coins[place - 1] + 1 };
        (self.over(position).is_none() && (least..from).contains(&to)).then_some(Move { from, to })
    }
}

impl Formula for SilverDollar {
    fn formula(&self, position: &Position) -> Value {
        if self.lost(&position.strip) { Value::LOSS } else { Value::WIN }
    }

    fn grundy(&self, position: &Position) -> Option<u64> {
        self.grundy_number(&position.strip)
    }
}

/// The whole strip is one component: as the witness, it uses no pairs.
impl Sum for SilverDollar {
    type Part = Strip;

    fn parts(&self, position: &Position) -> Vec<Strip> {
        vec![position.strip.clone()]
    }

    fn options(&self, strip: &Strip, visit: &mut dyn FnMut(&[Strip]) -> Flow) -> Flow {
        self.visit_coins(strip, &mut |m| visit(&[SilverDollar::moved(strip, m)]))
    }
}
