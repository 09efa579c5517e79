//! Lookup of positions of a smaller ending from a larger one.

use std::sync::Arc;

use super::arrangement::Arrangement;
use super::man::{Man, kept, material};
use super::on_file::{self, locate};
use super::pairs::{turned, turned_to_first};
use crate::material::Material;
use grundy_tables::superposed::{Code, Levels, NONE, Place, WordCodes};

/// The codes of a smaller ending, addressed by the squares of a larger one.
pub(super) struct Link {
    levels: Arc<Levels>,
    arrangement: Arrangement,
    swap: bool,
    /// The index of the pawn whose file is fixed, if the codes are those of a [portion](super::on_file).
    fixed: Option<usize>,
    /// By man of the smaller ending: the index of its square among the given ones.
    order: Vec<usize>,
}

impl Link {
    /// Returns the link to the portion of the ending of these men in which its pawn is on one file.
    pub(super) fn on_file(men: &[(usize, Man)], solved: &dyn Fn(Material) -> Arc<Levels>) -> Option<Link> {
        let link = Link::new(men, solved)?;
        Some(Link { fixed: on_file::pawn(&link.arrangement), ..link })
    }

    /// Returns the link to the ending of these men, each with the index of its square; `None` for bare kings.
    pub(super) fn new(men: &[(usize, Man)], solved: &dyn Fn(Material) -> Arc<Levels>) -> Option<Link> {
        if men.is_empty() {
            return None;
        }
        let here = material(men.iter().map(|&(_, man)| man));
        let ending = kept(here);
        let swap = here != ending;
        let arrangement = Arrangement::new(ending);
        let mut left = men.to_vec();
        let order = arrangement
            .men
            .iter()
            .map(|man| {
                let side = if swap { 1 - man.side } else { man.side };
                let found = left.iter().position(|&(_, m)| m == Man { side, kind: man.kind });
                left.remove(found.expect("the same men are on both sides")).0
            })
            .collect();
        Some(Link { levels: solved(ending), arrangement, swap, fixed: None, order })
    }

    /// Returns the code with `side` to move; squares are indexed as in [`Link::new`].
    #[inline]
    pub(super) fn code(&self, side: usize, kings: [u8; 2], squares: &[u8]) -> Code {
        let (side, kings, flip) = self.view(side, kings);
        let mut own = [0; 3];
        for (to, &from) in own.iter_mut().zip(&self.order) {
            *to = squares[from] ^ flip;
        }
        match self.locate(kings, &own[..self.order.len()]) {
            Some((word, bit)) => self.levels.code(Place { side, word, bit }),
            None => NONE,
        }
    }

    /// Returns the codes for all 64 squares of one of the men.
    #[inline]
    pub(super) fn codes(&self, side: usize, kings: [u8; 2], squares: &[u8], varied: usize) -> WordCodes {
        let mut codes = WordCodes([NONE; 64]);
        let (view, view_kings, flip) = self.view(side, kings);
        let mut own = [0; 3];
        let mut shift = None;
        for (i, (to, &from)) in own.iter_mut().zip(&self.order).enumerate() {
            *to = squares[from] ^ flip;
            if from == varied {
                // Square 0 of the layout for now.
                let below = if self.fixed.is_some() { 0 } else { self.order.len() - 1 - i };
                shift = Some((i, 6 * below));
            }
        }
        let Some((at, shift)) = shift else { return codes };
        let fixed = self.fixed.or(self.arrangement.sliced.then_some(0));
        if fixed == Some(at) {
            let mut squares: [u8; 3] = std::array::from_fn(|i| squares.get(i).copied().unwrap_or(0));
            for (s, code) in (0..).zip(&mut codes.0) {
                squares[varied] = s;
                *code = self.code(side, kings, &squares);
            }
            return codes;
        }
        let turn = match fixed {
            Some(pawn) => u8::from(own[pawn] & 7 > 3),
            None => self.arrangement.pairs.find(view_kings[0], view_kings[1]).map_or(0, |step| step.turn),
        };
        own[at] = turned_to_first(turn);
        let Some((word, bit)) = self.locate(view_kings, &own[..self.order.len()]) else {
            return codes;
        };
        let (base, cells) = (word * 64 + bit, &self.levels.cells[view]);
        if shift == 0 {
            // All are in one word.
            if let Some(cells) = cells.get(word) {
                codes.0 = std::array::from_fn(|s| cells.0[usize::from(turned(turn, s as u8 ^ flip) & 63)]);
            }
            return codes;
        }
        for (s, code) in (0..).zip(&mut codes.0) {
            let number = base + (usize::from(turned(turn, s ^ flip)) << shift);
            *code = cells.get(number / 64).map_or(NONE, |cells| cells.0[number % 64]);
        }
        codes
    }

    #[inline]
    fn locate(&self, kings: [u8; 2], squares: &[u8]) -> Option<(usize, usize)> {
        match (self.fixed, squares) {
            (Some(pawn), &[a, b]) => locate(&self.arrangement, pawn, kings, [a, b]),
            _ => self.arrangement.locate(kings, squares),
        }
    }

    /// Returns the side to move, the kings and the mask that flips the squares, in the colouring of the ending's table.
    #[inline]
    fn view(&self, side: usize, kings: [u8; 2]) -> (usize, [u8; 2], u8) {
        if self.swap { (1 - side, [kings[1] ^ 56, kings[0] ^ 56], 56) } else { (side, kings, 0) }
    }
}
