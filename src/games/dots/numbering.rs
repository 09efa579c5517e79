//! Numbers of positions: the set of open lines, lines drawn from the start left out. Every move leads to a lower one.

use super::Bits;
use super::rules::{Dots, Lines, Position};
use crate::game::{Acyclic, Indexed, Order, Player};

/// Numbers are given to boards with at most this many lines open at the start; [`Indexed::size`] of a larger board
/// is `u64::MAX`, which no table can hold.
pub const MAX_NUMBERED: u32 = 63;

impl<B: Bits> Indexed for Dots<B> {
    fn size(&self) -> u64 {
        match self.setup.open_lines() {
            lines @ ..=MAX_NUMBERED => 1 << lines,
            _ => u64::MAX,
        }
    }

    fn index(&self, position: &Position<B>) -> u64 {
        debug_assert!(self.setup.open_lines() <= MAX_NUMBERED);
        let numbered = self.numbers(self.open).zip(0..);
        numbered
            .fold(0, |number, (line, bit)| number | u64::from(self.line(line).meets(position.open)) << bit)
    }

    fn position(&self, index: u64) -> Option<Position<B>> {
        if index >= self.size() {
            return None;
        }
        let numbered = self.numbers(self.open).zip(0..);
        let open = numbered.filter(|&(_, bit)| index >> bit & 1 == 1).fold(
            Lines::default(),
            |set: Lines<B>, (line, _)| Lines { h: set.h | self.line(line).h, v: set.v | self.line(line).v },
        );
        Some(Position { open, score: [0, 0], turn: Player::One })
    }
}

impl<B: Bits> Acyclic for Dots<B> {
    fn order(&self) -> Order {
        Order::Lower
    }
}
