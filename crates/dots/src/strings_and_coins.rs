//! Dots-and-Boxes as Strings-and-Coins: a box is a coin, an open line a string, the border the ground.

use super::line_sets::Lines;
use super::rules::{Dots, Line, Position};
use grundy_core::bits::Bits;
use grundy_core::game::Indexed;
use grundy_tables::groups::{Coins, StringsAndCoins};

impl<B: Bits> StringsAndCoins for Dots<B> {
    fn coins(&self) -> Option<Coins> {
        let lines: Vec<Line> = self.numbers(self.open).collect();
        if lines.len() > 64 {
            return None;
        }
        let place = |set: Lines<B>| lines.iter().position(|&line| self.line(line) == set);
        let around = |box_place: u32| {
            let around = self.around(B::ONE << box_place);
            let strings = lines.iter().zip(0..).filter(|&(&line, _)| self.line(line).meets(around));
            strings.fold(0, |set: u64, (_, i)| set | 1 << i)
        };
        let coins = grundy_core::bits::places(self.boxes).map(around).filter(|&coin| coin != 0).collect();
        // The images of each line, in the same order for every line: a column of this is a symmetry.
        let images: Vec<Vec<Lines<B>>> =
            lines.iter().map(|&line| self.mirrors.images(self.line(line)).collect()).collect();
        let count = images.first().map_or(0, Vec::len);
        let symmetries = (0..count).filter_map(|n| {
            // A start that is not symmetric has lines whose images are not open.
            images.iter().map(|images| place(images[n]).map(|p| p as u8)).collect()
        });
        let fine = self.setup.penalty;
        Some(Coins { strings: lines.len() as u32, coins, symmetries: symmetries.collect(), fine })
    }

    fn strings_left(&self, position: &Position<B>) -> u64 {
        self.index(position)
    }

    fn with_strings(&self, left: u64) -> Position<B> {
        self.position(left).unwrap_or_else(|| grundy_core::game::Game::start(self))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Setup, Start};
    use super::*;

    #[test]
    fn boards_have_their_symmetries() {
        let symmetries = |setup| Dots::<u32>::new(setup).unwrap().coins().unwrap().symmetries.len();
        assert_eq!(symmetries(Setup::empty(2, 3)), 4);
        assert_eq!(symmetries(Setup::empty(3, 3)), 8);
        assert_eq!(symmetries(Setup { start: Start::Icelandic, ..Setup::empty(2, 3) }), 1);
        assert_eq!(symmetries(Setup { start: Start::Icelandic, ..Setup::empty(3, 3) }), 2);
        assert_eq!(symmetries(Setup { start: Start::Swedish, ..Setup::empty(2, 3) }), 4);
    }
}
