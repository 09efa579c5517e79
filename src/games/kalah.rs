//! Kalah with M pits a side and N seeds in each.
//!
//! * A move takes all seeds of one of one's own pits and sows them one by one counterclockwise: one's own pits, one's
//!   store, the other's pits, not the other's store.
//! * If the last seed falls into one's store, one moves again. If it falls into an empty pit of one's own, it and the
//!   seeds opposite go to one's store (even if there are none: the empty-capture rule).
//! * When a player has no seed left in his pits, at the end of a move, the other puts what is in his into his store.
//! * Position `4,4,4/4,4,4 0-0 1`: player one's pits and player two's, each from the left as their owner sees them, then
//!   the stores; move `1`, the pit counted from its owner's left.
//!
//! Solved by search; the stores are points already won and no part of the key.
//!
//! Source: W. J. Champion, 1940; G. Irving, J. Donkers and J. Uiterwijk, "Solving Kalah", ICGA Journal 23, 2000.

use crate::game::{Flow, Game, Heuristic, MORE, Notation, Player, Scored};
use crate::games::words;
use crate::value::{Unit, Value};

/// The rules of Kalah.
#[derive(Clone, Debug)]
pub struct Kalah {
    pits: usize,
    seeds: u8,
}

/// The most pits a side.
pub const MOST_PITS: usize = 8;
/// The most seeds on the board.
const MOST_SEEDS: u32 = 160;

/// The seeds, and whose turn it is.
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
    /// The game with this many pits a side and this many seeds in each.
    ///
    /// # Errors
    /// There are no pits or too many, or too many seeds.
    pub fn new(pits: usize, seeds: u32) -> Result<Kalah, String> {
        if !(1..=MOST_PITS).contains(&pits) || !(1..=MOST_SEEDS / (2 * pits as u32)).contains(&seeds) {
            return Err(format!(
                "no kalah of {pits} pits with {seeds} seeds: expected 1 to {MOST_PITS} pits and at most {MOST_SEEDS} seeds"
            ));
        }
        Ok(Kalah { pits, seeds: seeds as u8 })
    }

    /// Sows a pit: the position after it and what the mover gained.
    fn sow(&self, position: &Position, m: u8) -> (Position, i32) {
        let n = self.pits;
        let mut next = *position;
        let mover = position.turn.index();
        let mut hand = std::mem::take(&mut next.pits[mover][usize::from(m)]);
        // Places counted from the mover's left: his pits, his store, the other's pits.
        let mut place = usize::from(m);
        let mut gain = 0;
        while hand > 0 {
            place = (place + 1) % (2 * n + 1);
            hand -= 1;
            match place {
                p if p < n => next.pits[mover][p] += 1,
                p if p == n => gain += 1,
                p => next.pits[1 - mover][p - n - 1] += 1,
            }
        }
        if place < n && next.pits[mover][place] == 1 {
            let opposite = std::mem::take(&mut next.pits[1 - mover][n - 1 - place]);
            gain += 1 + i32::from(opposite);
            next.pits[mover][place] = 0;
        }
        next.stores[mover] = next.stores[mover].saturating_add(gain as u8);
        if place != n {
            next.turn = !position.turn;
        }
        (next, gain)
    }

    fn left(&self, position: &Position, player: usize) -> i32 {
        position.pits[player].iter().map(|&seeds| i32::from(seeds)).sum()
    }
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
        let mover = position.turn.index();
        let (mine, other) = (self.left(position, mover), self.left(position, 1 - mover));
        (mine == 0 || other == 0).then(|| Value::points(mine - other))
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
        // The stores may be left out, and so may the turn.
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
        let on_board = self.left(&position, 0) + self.left(&position, 1);
        let all = on_board + i32::from(position.stores[0]) + i32::from(position.stores[1]);
        if all > MOST_SEEDS as i32 { Err(expected()) } else { Ok(position) }
    }

    fn write_move(&self, _position: &Position, m: u8) -> String {
        (m + 1).to_string()
    }

    fn draw(&self, position: &Position) -> String {
        let row = |pits: &mut dyn Iterator<Item = &u8>| pits.map(|s| format!("{s:>4}")).collect::<String>();
        let [one, two] = position.stores;
        format!(
            "    {}\n{two:>4}{}{one:>4}\n    {}",
            row(&mut position.pits[1][..self.pits].iter().rev()),
            " ".repeat(4 * self.pits),
            row(&mut position.pits[0][..self.pits].iter())
        )
    }
}

impl Heuristic for Kalah {
    /// The pits as the player to move sees them; one-to-one where they fit 64 bits, else with odds of 2^-64 a pair.
    fn key(&self, position: &Position) -> u64 {
        let mover = position.turn.index();
        let [mine, other] = [position.pits[mover], position.pits[1 - mover]].map(u64::from_le_bytes);
        let mixed = (mine ^ 0x9e37_79b9_7f4a_7c15).wrapping_mul(0xff51_afd7_ed55_8ccd);
        let mixed = (mixed ^ mixed >> 32 ^ other.rotate_left(29)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
        (mixed ^ mixed >> 33).wrapping_add(other.wrapping_mul(0xd6e8_feb8_6659_fd93))
    }

    fn guess(&self, position: &Position) -> i32 {
        let mover = position.turn.index();
        20 * (self.left(position, mover) - self.left(position, 1 - mover))
    }

    fn hint(&self, position: &Position, m: u8) -> i32 {
        let (next, gain) = self.sow(position, m);
        let again = if next.turn == position.turn { 2 } else { 0 };
        // The pit next to the store first: it keeps the others from giving seeds away.
        4 * (gain + again) + i32::from(m)
    }

    /// Nobody can win more than the seeds that are still on the board.
    fn bounds(&self, position: &Position, _target: Value) -> (Value, Value) {
        let seeds = self.left(position, 0) + self.left(position, 1);
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
