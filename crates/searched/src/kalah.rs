//! Kalah with M pits a side and N seeds in each.
//!
//! * A move takes all seeds of one of one's own pits and sows them one by one counterclockwise: into one's own pits,
//!   one's store, and the other's pits, but not the other's store.
//! * If the last seed falls into one's store, one moves again. If it falls into an empty pit of one's own, it and the
//!   seeds opposite go to one's store (even if there are none: the empty-capture rule).
//! * When a player has no seed left in his pits at the end of a move, the other puts the seeds of his own pits into his
//!   store.
//! * Position `4,4,4/4,4,4 0-0 1`: player one's pits and player two's, each from the left as their owner sees them,
//!   then the stores; move `1`, the pit counted from its owner's left.
//!
//! Solved by search, with a table of the last positions where it has the time; small sizes also by thresholds: a seed that
//! reaches a store leaves fewer on the board. A position is indexed as the mover sees it, those with fewer seeds first. The
//! stores are points already won, so keys and indices ignore them. A precomputed array holds where the seeds of each pit go.
//!
//! Source: W. J. Champion, 1940; G. Irving, J. Donkers and J. Uiterwijk, "Solving Kalah", ICGA Journal 23, 2000.

use std::ops::Range;

use grundy_core::game::{Flow, Game, Indexed, MORE, Notation, Player, Scored};
use grundy_core::random::mix_pair;
use grundy_core::stones::Stones;
use grundy_core::value::{Unit, Value};
use grundy_core::words;
use grundy_search::alpha_beta::{Bounds, Heuristic};
use grundy_tables::endgames::Endgames;
use grundy_tables::thresholds::Parted;

/// The rules of Kalah.
#[derive(Clone, Debug)]
pub struct Kalah {
    pits: usize,
    seeds: u8,
    /// By pit and its number of seeds: the effect of sowing it.
    sowings: Vec<[Sowing; MOST_SEEDS as usize + 1]>,
    numbers: Stones,
}

/// The destinations of a pit's seeds, eight pits in a word, a byte a pit.
#[derive(Clone, Copy, Debug, Default)]
struct Sowing {
    mine: u64,
    other: u64,
    /// Seeds for the mover's store.
    gain: u8,
    /// Index of the last seed's destination, counted from the mover's left: his pits, his store, the other's pits.
    last: u8,
}

/// Maximum number of pits a side.
pub const MOST_PITS: usize = 8;
/// Maximum number of seeds on the board.
const MOST_SEEDS: u32 = 160;

/// The seeds, and the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// Player one's pits and player two's, from their owner's left.
    pub pits: [[u8; MOST_PITS]; 2],
    /// Player one's store and player two's.
    pub stores: [u8; 2],
    /// The player to move.
    pub turn: Player,
}

impl Kalah {
    /// Returns the game with this many pits a side and this many seeds in each.
    ///
    /// # Errors
    /// There are no pits or too many, or too many seeds.
    pub fn new(pits: usize, seeds: u32) -> Result<Kalah, String> {
        if !(1..=MOST_PITS).contains(&pits) || !(1..=MOST_SEEDS / (2 * pits as u32)).contains(&seeds) {
            return Err(format!(
                "no kalah of {pits} pits with {seeds} seeds: expected 1 to {MOST_PITS} pits and at most {MOST_SEEDS} seeds"
            ));
        }
        let sowings = (0..pits).map(|pit| std::array::from_fn(|hand| sowing(pits, pit, hand))).collect();
        let numbers = Stones::new(2 * pits, MOST_SEEDS as usize);
        Ok(Kalah { pits, seeds: seeds as u8, sowings, numbers })
    }

    /// Sows a pit. Returns the position after it and the mover's gain minus the other's.
    #[inline]
    fn sow(&self, position: &Position, m: u8) -> (Position, i32) {
        let n = self.pits;
        let mover = position.turn.index();
        let [mut mine, mut other] = self.sides(position);
        let hand = mine >> (8 * m) & 255;
        let Sowing { mine: near, other: far, gain, last } = self.sowings[usize::from(m)][hand as usize];
        mine = (mine ^ hand << (8 * m)) + near;
        other += far;
        let mut gain = i32::from(gain);
        let last = usize::from(last);
        if last < n && mine >> (8 * last) & 255 == 1 {
            let opposite = 8 * (n - 1 - last);
            gain += 1 + (other >> opposite & 255) as i32;
            other &= !(255 << opposite);
            mine ^= 1 << (8 * last);
        }
        let mut next = *position;
        // At the end of the game the remaining seeds go to their owners: a gain or a loss of the mover.
        let mut theirs = 0;
        if mine == 0 || other == 0 {
            theirs = left(other);
            gain += left(mine);
            (mine, other) = (0, 0);
        }
        next.pits[mover] = mine.to_le_bytes();
        next.pits[1 - mover] = other.to_le_bytes();
        next.stores[mover] = next.stores[mover].saturating_add(gain as u8);
        next.stores[1 - mover] = next.stores[1 - mover].saturating_add(theirs as u8);
        if last != n {
            next.turn = !position.turn;
        }
        (next, gain - theirs)
    }

    /// Returns the pits of the player to move and those of the other, a byte a pit.
    #[inline]
    fn sides(&self, position: &Position) -> [u64; 2] {
        let mover = position.turn.index();
        [position.pits[mover], position.pits[1 - mover]].map(u64::from_le_bytes)
    }
}

/// All pits as the player to move sees them: his from his left, then the other's from the other's left.
type Board = [u8; 2 * MOST_PITS];

impl Kalah {
    /// Returns the seeds at the start: the maximum of the table's positions.
    fn all_seeds(&self) -> usize {
        2 * self.pits * usize::from(self.seeds)
    }

    /// Returns the pits as the player to move sees them, his own first.
    fn board(&self, position: &Position) -> Board {
        let mut board: Board = [0; 2 * MOST_PITS];
        let mover = position.turn.index();
        board[..self.pits].copy_from_slice(&position.pits[mover][..self.pits]);
        board[self.pits..2 * self.pits].copy_from_slice(&position.pits[1 - mover][..self.pits]);
        board
    }

    /// Returns the position of a board, with player one to move.
    fn of_board(&self, board: &Board) -> Position {
        let mut pits = [[0; MOST_PITS]; 2];
        pits[0][..self.pits].copy_from_slice(&board[..self.pits]);
        pits[1][..self.pits].copy_from_slice(&board[self.pits..2 * self.pits]);
        Position { pits, stores: [0; 2], turn: Player::One }
    }
}

impl Indexed for Kalah {
    fn size(&self) -> u64 {
        self.numbers.count(self.all_seeds())
    }

    fn index(&self, position: &Position) -> u64 {
        self.numbers.index(&self.board(position))
    }

    fn position(&self, index: u64) -> Option<Position> {
        (index < self.size()).then(|| self.of_board(&self.numbers.arrangement(index)))
    }

    fn walk(&self, range: Range<u64>, visit: &mut impl FnMut(u64, Position)) {
        let range = range.start..range.end.min(self.size());
        self.numbers.walk(range, &mut |number, board| visit(number, self.of_board(board)));
    }
}

impl Parted for Kalah {
    fn parts(&self) -> Vec<u64> {
        (0..=self.all_seeds()).map(|seeds| self.numbers.count(seeds)).collect()
    }

    /// Undoes sowing from pits right of an empty one of the other player. A move that leaves all seeds on the board
    /// ends on its own side, in a pit that held some, and the game continues.
    fn before(&self, position: &Position, visit: &mut impl FnMut(Position)) {
        let (mover, other) = (position.turn.index(), 1 - position.turn.index());
        if position.pits[mover][..self.pits].iter().all(|&seeds| seeds == 0) {
            return;
        }
        let sown = position.pits[other];
        for pit in (0..self.pits).filter(|&pit| sown[pit] == 0) {
            let mut before = Position { turn: !position.turn, ..*position };
            let behind = sown[..self.pits].iter().enumerate().skip(pit + 1);
            for (at, &seeds) in behind.take_while(|&(_, &seeds)| seeds > 0) {
                before.pits[other][at] -= 1;
                before.pits[other][pit] += 1;
                if seeds > 1 {
                    visit(before);
                }
            }
        }
    }

    fn smaller(&self) -> Vec<(String, Kalah)> {
        let smaller = |seeds| (format!("kalah:{},{seeds}", self.pits), Kalah { seeds, ..self.clone() });
        (1..self.seeds).rev().map(smaller).collect()
    }
}

/// Returns the destinations of `hand` seeds of a pit, which is emptied first.
fn sowing(pits: usize, pit: usize, hand: usize) -> Sowing {
    let mut sown = Sowing { last: pit as u8, ..Sowing::default() };
    for i in 1..=hand {
        let place = (pit + i) % (2 * pits + 1);
        match place {
            p if p < pits => sown.mine += 1 << (8 * p),
            p if p == pits => sown.gain += 1,
            p => sown.other += 1 << (8 * (p - pits - 1)),
        }
        sown.last = place as u8;
    }
    sown
}

/// Returns the number of seeds of a side; at most 160, so that it fits a byte.
#[inline]
fn left(side: u64) -> i32 {
    (side.wrapping_mul(0x0101_0101_0101_0101) >> 56) as i32
}

impl Game for Kalah {
    type Position = Position;
    /// The pit, counted from 0.
    type Move = u8;

    fn start(&self) -> Position {
        let mut pits = [0; MOST_PITS];
        pits[..self.pits].fill(self.seeds);
        Position { pits: [pits, pits], stores: [0, 0], turn: Player::One }
    }

    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    fn over(&self, position: &Position) -> Option<Value> {
        let [mine, other] = self.sides(position);
        (mine == 0 || other == 0).then(|| Value::points(left(mine) - left(other)))
    }

    fn moves(&self, position: &Position, visit: &mut impl FnMut(u8) -> Flow) -> Flow {
        let pits = &position.pits[position.turn.index()][..self.pits];
        for (pit, _) in (0..).zip(pits).filter(|&(_, &seeds)| seeds > 0) {
            visit(pit)?;
        }
        MORE
    }

    fn play(&self, position: &Position, m: u8) -> Position {
        self.sow(position, m).0
    }

    /// Returns the pits as the player to move sees them.
    fn essence(&self, position: &Position) -> Position {
        self.of_board(&self.board(position))
    }
}

impl Scored for Kalah {
    fn unit(&self) -> Unit {
        Unit::Points
    }

    fn gain(&self, position: &Position, m: u8) -> i32 {
        self.sow(position, m).1
    }

    fn score(&self, position: &Position) -> (i32, i32) {
        (i32::from(position.stores[0]), i32::from(position.stores[1]))
    }
}

impl Notation for Kalah {
    fn write_position(&self, position: &Position) -> String {
        let side = |player: usize| {
            let pits: Vec<u64> = position.pits[player][..self.pits].iter().map(|&s| u64::from(s)).collect();
            words::join(&pits)
        };
        let [one, two] = position.stores;
        format!("{}/{} {one}-{two} {}", side(0), side(1), position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let expected = || {
            format!(
                "expected {} pits of player one, '/', as many of player two, the stores as 0-0, the turn, and at most \
                 {MOST_SEEDS} seeds: 4,4,4/4,4,4 0-0 1",
                self.pits
            )
        };
        // The stores may be omitted, and so may the turn.
        let (board, stores, turn) = match words::fields::<2>(text, "the pits, the stores") {
            Ok(([board, stores], turn)) if stores.contains('-') => (board, stores, turn),
            _ => {
                let ([board], turn) = words::fields::<1>(text, "the pits").map_err(|_| expected())?;
                (board, "0-0", turn)
            }
        };
        let number = |word: &str| words::number(word, u64::from(MOST_SEEDS)).map(|n| n as u8);
        let mut position = Position { pits: [[0; MOST_PITS]; 2], stores: [0, 0], turn };
        let (one, two) = board.split_once('/').ok_or_else(expected)?;
        for (side, text) in [one, two].into_iter().enumerate() {
            let seeds: Option<Vec<u8>> = text.split(',').take(MOST_PITS + 1).map(number).collect();
            let seeds = seeds.filter(|seeds| seeds.len() == self.pits).ok_or_else(expected)?;
            position.pits[side][..self.pits].copy_from_slice(&seeds);
        }
        let (one, two) = stores.split_once('-').ok_or_else(expected)?;
        position.stores = [number(one).ok_or_else(expected)?, number(two).ok_or_else(expected)?];
        let on_board: i32 = position.pits.iter().flatten().map(|&seeds| i32::from(seeds)).sum();
        let all = on_board + i32::from(position.stores[0]) + i32::from(position.stores[1]);
        if all > MOST_SEEDS as i32 { Err(expected()) } else { Ok(position) }
    }

    fn write_move(&self, _position: &Position, m: u8) -> String {
        (m + 1).to_string()
    }

    fn draw(&self, position: &Position) -> String {
        words::draw_pits(position.pits.each_ref().map(|pits| &pits[..self.pits]), position.stores)
    }
}

impl Endgames for Kalah {}

impl Heuristic for Kalah {
    /// Returns a key of the pits as the player to move sees them; two positions share it with a probability of about 2^-64.
    fn key(&self, position: &Position) -> u64 {
        let [mine, other] = self.sides(position);
        mix_pair(mine, other)
    }

    fn guess(&self, position: &Position) -> i32 {
        let [mine, other] = self.sides(position);
        20 * (left(mine) - left(other))
    }

    /// Orders the pit next to the store first: emptying it keeps the others from giving seeds away.
    fn hint(&self, position: &Position, m: u8, child: &Position) -> i32 {
        let mover = position.turn.index();
        let gain = i32::from(child.stores[mover]) - i32::from(position.stores[mover]);
        // Another move is worth more than the seeds that most captures gain: by the nodes of 6,3, 5,5 and 4,6.
        let again = if child.turn == position.turn { 4 } else { 0 };
        4 * (gain + again) + i32::from(m)
    }
}

impl Bounds for Kalah {
    /// Bounds the value by the seeds that are still on the board.
    fn bounds(&self, position: &Position, _target: Value) -> (Value, Value) {
        let [mine, other] = self.sides(position);
        let seeds = left(mine) + left(other);
        (Value::points(-seeds), Value::points(seeds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_sown_past_the_other_store_and_captured() {
        let game = Kalah::new(3, 4).unwrap();
        let play = |text: &str, word: &str| {
            let position = game.read_position(text).unwrap();
            let m = game.read_move(&position, word).unwrap();
            game.write_position(&game.play(&position, m))
        };
        assert_eq!(play("4,4,4/4,4,4 0-0 1", "1"), "0,5,5/5,4,4 1-0 2");
        assert_eq!(play("3,4,4/4,4,4 0-0 1", "1"), "0,5,5/4,4,4 1-0 1", "the last seed into the store");
        assert_eq!(play("1,0,2/4,5,6 0-0 1", "1"), "0,0,2/4,0,6 6-0 2", "a capture");
        assert_eq!(play("1,0,2/4,0,6 0-0 1", "1"), "0,0,2/4,0,6 1-0 2", "an empty capture");
        assert_eq!(play("0,0,7/1,1,1 0-0 1", "3"), "1,1,0/0,2,2 4-0 2", "a capture after a whole round");
    }
}
