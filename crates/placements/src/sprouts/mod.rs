//! Sprouts: spots joined by lines that do not cross.
//!
//! * A move draws a line from a spot to another one or back to itself, across no line, and puts a new spot on it. No spot has
//!   more than three ends of lines. The last move wins, with `misere` it loses.
//! * Position `0.0.}! 1`: boundaries end with `.`, regions with `}`, lands with `!`. A boundary lists the spots met along one
//!   figure: `0` is a spot without a line, `1` one with one line, `2` one with two lines that can be reached from one side
//!   only; a small letter occurs twice on its boundary, a capital in two regions. Spots and regions in which no line can be
//!   drawn any more are left out; a position without a land is `!`.
//! * Move: the position after it without the turn, or its number in the list of moves, counted from 1.
//!
//! Solved by the Grundy numbers of lands, found by the outcome of lands beside heaps of Nim. In misere play all positions that
//! follow are examined.
//!
//! Source: J. H. Conway and M. S. Paterson, 1967; see `land.rs` for the representation.

mod land;

use std::hash::BuildHasher;
use std::sync::{Arc, Mutex, PoisonError};

use grundy_core::game::{Flow, Game, MORE, Notation, Player, Scored, cannot_move};
use grundy_core::sorting;
use grundy_core::value::Value;
use grundy_core::words;
use grundy_sums::sum::Sum;
use rustc_hash::FxBuildHasher;

pub use land::Land;

/// The lands after each move from some lands.
type Children = Arc<Vec<Vec<Land>>>;

/// Lands, and the lands after each move from them.
type Listed = (Vec<Land>, Children);

/// The rules for a number of spots.
#[derive(Debug)]
pub struct Sprouts {
    spots: usize,
    misere: bool,
    /// Moves listed before, at the place of their lands' hash: each is made soon after it was listed, and a search comes
    /// back to a position once for each of its moves.
    listed: Mutex<Vec<Option<Listed>>>,
}

/// The lands, sorted, and the player to move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    lands: Vec<Land>,
    turn: Player,
}

impl Sprouts {
    /// Largest number of spots.
    pub const MOST: usize = land::SPOTS;

    /// Number of positions whose moves are remembered.
    const LISTED: usize = 64;

    /// Returns the game of this many spots.
    ///
    /// # Errors
    /// There are none, or more than [`Sprouts::MOST`].
    pub fn new(spots: usize, misere: bool) -> Result<Sprouts, String> {
        match (1..=Sprouts::MOST).contains(&spots) {
            true => Ok(Sprouts { spots, misere, listed: Mutex::new(vec![None; Sprouts::LISTED]) }),
            false => Err(format!("no game of {spots} spots: expected 1 to {}", Sprouts::MOST)),
        }
    }

    /// Returns the lands after each move, sorted, none twice.
    fn children(&self, position: &Position) -> Children {
        let place = FxBuildHasher.hash_one(&position.lands) as usize % Sprouts::LISTED;
        let mut listed = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, children)) = listed[place].as_ref().filter(|(lands, _)| *lands == position.lands) {
            return children.clone();
        }
        let mut children = Vec::new();
        for (at, land) in
            position.lands.iter().enumerate().filter(|&(at, land)| !position.lands[..at].contains(land))
        {
            land.each_option(&mut |mut lands| {
                let others = position.lands.iter().enumerate().filter(|&(other, _)| other != at);
                lands.extend(others.map(|(_, land)| land.clone()));
                sorting::sort_few(&mut lands);
                children.push(lands);
                true
            });
            sorting::sort(&mut children);
            children.dedup();
        }
        let children = Arc::new(children);
        listed[place] = Some((position.lands.clone(), children.clone()));
        children
    }
}

fn board(lands: &[Land]) -> String {
    match lands {
        [] => "!".to_owned(),
        lands => lands.iter().map(|land| format!("{}!", land.text())).collect(),
    }
}

impl Game for Sprouts {
    type Position = Position;
    /// The index of the position after it among all of them.
    type Move = u32;

    fn start(&self) -> Position {
        Position { lands: vec![Land::start(self.spots)], turn: Player::One }
    }

    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    fn over(&self, position: &Position) -> Option<Value> {
        position.lands.is_empty().then_some(cannot_move(self.misere))
    }

    fn moves(&self, position: &Position, visit: &mut impl FnMut(u32) -> Flow) -> Flow {
        (0..self.children(position).len() as u32).try_for_each(visit)
    }

    fn play(&self, position: &Position, m: u32) -> Position {
        Position { lands: self.children(position)[m as usize].clone(), turn: !position.turn }
    }

    fn essence(&self, position: &Position) -> Position {
        Position { turn: Player::One, ..position.clone() }
    }
}

impl Scored for Sprouts {}

impl Notation for Sprouts {
    fn write_position(&self, position: &Position) -> String {
        format!("{} {}", board(&position.lands), position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([board], turn) = words::fields(text, "lands that end with !, as 0.0.}!,")?;
        let Some(text) = board.strip_suffix('!') else {
            return Err("expected lands that end with !, as 0.0.}!".to_owned());
        };
        let mut lands = Vec::new();
        for text in text.split('!').filter(|_| !text.is_empty()) {
            lands.extend(Land::read(text)?);
        }
        sorting::sort_few(&mut lands);
        land::check_lives(lands.iter().map(Land::lives).sum())?;
        Ok(Position { lands, turn })
    }

    fn write_move(&self, position: &Position, m: u32) -> String {
        board(&self.children(position)[m as usize])
    }

    fn read_move(&self, position: &Position, word: &str) -> Option<u32> {
        let children = self.children(position);
        if let Some(number) = words::number(word, children.len() as u64) {
            return (number as u32).checked_sub(1);
        }
        children.iter().position(|lands| board(lands) == word).map(|place| place as u32)
    }
}

impl Sum for Sprouts {
    type Part = Land;

    fn normal_play(&self) -> bool {
        !self.misere
    }

    fn parts(&self, position: &Position) -> Vec<Land> {
        position.lands.clone()
    }

    /// Finding a normal form takes longer with every spot.
    fn effort(&self, part: &Land) -> u64 {
        1 + (part.lives() * part.lives() / 8) as u64
    }

    fn options(&self, part: &Land, visit: &mut dyn FnMut(&[Land]) -> Flow) -> Flow {
        let mut flow = MORE;
        part.each_option(&mut |lands| {
            flow = visit(&lands);
            flow.is_continue()
        });
        flow
    }
}
