//! The index of a position is its set of open lines, without lines drawn before the first move. Every move removes one
//! line.

use super::line_counts::{FIELD, MAX_NUMBERED};
use super::line_sets::Lines;
use super::rules::{Dots, Position};
use super::setup::Start;
use grundy_core::bits::Bits;
use grundy_core::game::{Indexed, Player, Scored};
use grundy_core::value::Step;
use grundy_tables::layers::{Acyclic, Order};

impl<B: Bits> Dots<B> {
    /// Reports whether an index is the set of lines in their own order without gaps.
    fn gapless(&self) -> bool {
        self.setup.start == Start::Empty && B::WIDTH <= 64
    }
}

impl<B: Bits> Indexed for Dots<B> {
    fn size(&self) -> u64 {
        match self.setup.open_lines() {
            lines @ ..=MAX_NUMBERED => 1 << lines,
            _ => u64::MAX,
        }
    }

    fn index(&self, position: &Position<B>) -> u64 {
        debug_assert!(self.setup.open_lines() <= MAX_NUMBERED);
        if self.gapless() {
            let (cols, rows) = (self.setup.cols, self.setup.rows + 1);
            let (h, v) = (position.open.h.low(), position.open.v.low());
            let row = |r| (h >> (r * self.stride) & ((1 << cols) - 1)) << (r * cols);
            return (0..rows).fold(v << (rows * cols), |number, r| number | row(r));
        }
        let numbered = self.numbers(self.open).zip(0..);
        numbered
            .fold(0, |number, (line, bit)| number | u64::from(self.line(line).meets(position.open)) << bit)
    }

    fn position(&self, index: u64) -> Option<Position<B>> {
        if index >= self.size() {
            return None;
        }
        let open = if self.gapless() {
            let (cols, rows) = (self.setup.cols, self.setup.rows + 1);
            let row = |r| (index >> (r * cols) & ((1 << cols) - 1)) << (r * self.stride);
            let h = (0..rows).fold(0, |set, r| set | row(r));
            Lines { h: B::of(h), v: B::of(index >> (rows * cols)) }
        } else {
            let numbered = self.numbers(self.open).zip(0..);
            numbered.filter(|&(_, bit)| index >> bit & 1 == 1).fold(
                Lines::default(),
                |set: Lines<B>, (line, _)| Lines {
                    h: set.h | self.line(line).h,
                    v: set.v | self.line(line).v,
                },
            )
        };
        Some(Position { open, score: [0, 0], turn: Player::One })
    }

    /// Removes one bit for each move; the lines that take a box are found for all at once.
    #[inline]
    fn child_indices(&self, position: &Self::Position, visit: &mut impl FnMut(u64, Step)) {
        let open = position.open;
        let number = self.index(position);
        let taking = self.around(self.degrees(open).one);
        let mut bits = number;
        if !open.meets(taking) {
            while bits != 0 {
                let rest = bits & (bits - 1);
                visit(number ^ bits ^ rest, Step::PASSED);
                bits = rest;
            }
            return;
        }
        for line in self.numbers(open) {
            let rest = bits & (bits - 1);
            let step = if self.line(line).meets(taking) {
                Step { turn_passed: false, gain: self.gain(position, line) }
            } else {
                Step::PASSED
            };
            visit(number ^ bits ^ rest, step);
            bits = rest;
        }
    }
}

impl<B: Bits> Acyclic for Dots<B> {
    fn order(&self) -> Order {
        Order::Subsets
    }

    #[inline]
    fn bit_moves(&self, number: u64, visit: &mut impl FnMut(u64, Step)) -> bool {
        let Some(counts) = self.counts() else { return false };
        let one = counts.with_one_line(number);
        if one == 0 {
            if number != 0 {
                visit(number, Step::PASSED);
            }
            return true;
        }
        let (mut taking, mut both) = (0, 0);
        let mut rest = one;
        while rest != 0 {
            let line = number & counts.lines[(rest.trailing_zeros() / FIELD) as usize];
            both |= taking & line;
            taking |= line;
            rest &= rest - 1;
        }
        let fine = if number & (number - 1) == 0 { self.setup.penalty } else { 0 };
        let step = |boxes| Step { turn_passed: false, gain: boxes - fine };
        for (bits, step) in [(number & !taking, Step::PASSED), (taking & !both, step(1)), (both, step(2))] {
            if bits != 0 {
                visit(bits, step);
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Setup;
    use grundy_core::bits::places;
    use grundy_core::game::{Flow, MORE, children};

    #[test]
    fn children_are_numbered_as_they_are_made() {
        for start in [Start::Empty, Start::Icelandic, Start::Swedish] {
            let game = Dots::<u64>::new(Setup { start, penalty: 3, ..Setup::empty(2, 3) }).expect("fits");
            for n in 1..game.size() {
                let position = game.position(n).expect("every number is a position");
                assert_eq!(game.index(&position), n);
                let mut made = Vec::new();
                let _: Flow = children(&game, &position, &mut |_, child, step| {
                    made.push((game.index(&child), step));
                    MORE
                });
                let mut numbered = Vec::new();
                game.child_indices(&position, &mut |number, step| numbered.push((number, step)));
                assert_eq!(numbered, made);
                let mut by_bits = Vec::new();
                assert!(game.bit_moves(n, &mut |bits, step| {
                    by_bits.extend(places(bits).map(|bit| (n ^ 1 << bit, step)));
                }));
                let key = |&(child, step): &(u64, Step)| (child, step.turn_passed, step.gain);
                by_bits.sort_by_key(key);
                made.sort_by_key(key);
                assert_eq!(by_bits, made);
                assert!(made.iter().all(|&(child, _)| child < n));
            }
        }
    }
}
