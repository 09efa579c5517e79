//! English draughts: evaluation and move ordering.

use grundy_core::random::{mix, mix_pair};
use grundy_search::alpha_beta::{ASPECTS, Bounds, Heuristic};

use super::{Draughts, Move, Position, WAYS, WHOLE};

impl Heuristic for Draughts {
    const SELECTIVE: bool = true;

    fn key(&self, position: &Position) -> u64 {
        mix_pair(pair(position.men), pair(position.kings)) ^ position.turn.index() as u64
    }

    fn guess(&self, position: &Position) -> i32 {
        let turned = position.turned();
        let [own, other] = [worth(position), worth(&turned)];
        // Whoever is ahead wants exchanges.
        let ahead = (own - other) / 50;
        own - other + ahead * (WHOLE - position.count()) as i32 / 2
    }

    fn hint(&self, _position: &Position, m: Move, _child: &Position) -> i32 {
        m.jumps() as i32
    }

    fn cyclic(&self) -> bool {
        true
    }

    fn selective(&self, _root: &Position) -> bool {
        self.most == WHOLE
    }

    fn noisy(&self, _position: &Position, m: Move) -> bool {
        m.jumps() > 0
    }

    fn threatened(&self, position: &Position) -> bool {
        self.takes(position)
    }

    fn tabled(&self, position: &Position) -> bool {
        position.count() <= self.indexed
    }

    /// A man that comes near the last row is urgent.
    fn urgency(&self, position: &Position, m: Move) -> i32 {
        let from = m.0 & 31;
        let man = position.men[0] >> from & 1 == 1;
        1000 * m.jumps() as i32 + if man { 40 * (from as i32 / 4) } else { 0 }
    }

    fn lane(&self, position: &Position, m: Move) -> usize {
        let from = (m.0 & 31) as usize;
        let king = (position.kings[0] >> from & 1) as usize;
        1 + (from * 4 + (m.0 >> WAYS & 3) as usize) * 2 + king
    }

    fn structures(&self, position: &Position) -> [u64; ASPECTS] {
        let mut hashes = [0; ASPECTS];
        (hashes[0], hashes[1]) = (mix(pair(position.men)), mix(pair(position.kings)));
        hashes
    }
}

/// Returns two sets of squares as one number.
fn pair(sets: [u32; 2]) -> u64 {
    u64::from(sets[0]) | u64::from(sets[1]) << 32
}

/// Returns the worth of the men of the player to move, in hundredths of a man.
fn worth(position: &Position) -> i32 {
    /// Men of the first row, who keep the other from crowning, and squares in the middle of the board.
    const BRIDGE: u32 = 0b1010;
    const MIDDLE: u32 = 0x0006_6000;
    let [men, kings] = [position.men[0], position.kings[0]];
    let count = |set: u32| set.count_ones() as i32;
    let rows = (0..7).map(|row| count(men >> (4 * row) & 15) * [0, 2, 3, 5, 8, 12, 22][row]).sum::<i32>();
    let guards = 4 * count(men & 15) + if men & BRIDGE == BRIDGE { 8 } else { 0 };
    100 * count(men)
        + 145 * count(kings)
        + rows
        + guards
        + 4 * count(men & MIDDLE)
        + 6 * count(kings & MIDDLE)
}

impl Bounds for Draughts {}
