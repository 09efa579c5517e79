//! Abilities for alpha-beta: keys, an evaluation, and move ordering.

use super::line_sets::Lines;
use super::rules::{Dots, Line, Position};
use grundy_core::bits::{Bits, places};
use grundy_core::random::chained;
use grundy_search::alpha_beta::{Bounds, Heuristic};

impl<B: Bits> Heuristic for Dots<B> {
    /// Returns the canonical set of open lines: itself up to 64 lines, a hash of it beyond.
    fn key(&self, position: &Position<B>) -> u64 {
        let Lines { h, v } = self.mirrors.canonical(position.open);
        let verticals = self.setup.rows * (self.setup.cols + 1);
        if self.setup.lines() <= 64 {
            let cols = self.setup.cols;
            let rows = 0..=self.setup.rows;
            let row = |r| ((h >> (r * self.stride)).low() & ((1 << cols) - 1)) << (r * cols);
            return v.low() | rows.fold(0, |set, r| set | row(r)) << verticals;
        }
        let words = [h.words(), v.words()].concat();
        words.iter().fold(0, |key: u64, word| chained(key, *word))
    }

    /// Counts the boxes that can be taken at once.
    fn guess(&self, position: &Position<B>) -> i32 {
        100 * self.degrees(position.open).one.count() as i32
    }

    /// Orders moves: takes boxes first, gives none away while others are left, and prefers lines between
    /// two boxes to those of the border.
    fn hint(&self, position: &Position<B>, line: Line, _child: &Position<B>) -> i32 {
        let drawn = self.line(line);
        let degrees = self.degrees(position.open);
        let beside = self.beside(drawn);
        let middle = places(beside).count() as i32;
        1000 * (degrees.one & beside).count() as i32 - 100 * (degrees.two & beside).count() as i32 + middle
    }
}

impl<B: Bits> Bounds for Dots<B> {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Setup;
    use grundy_core::game::{Game, Indexed};

    #[test]
    fn keys_of_small_boards_are_one_to_one() {
        let game = Dots::<u32>::new(Setup::empty(2, 2)).expect("fits");
        let mut seen = std::collections::HashMap::new();
        for n in 0..game.size() {
            let position = game.position(n).expect("every number is a position");
            let canonical = game.mirrors.canonical(position.open);
            assert_eq!(*seen.entry(game.key(&position)).or_insert(canonical), canonical);
        }
        assert!(seen.len() < 570 && game.over(&game.start()).is_none());
    }
}
