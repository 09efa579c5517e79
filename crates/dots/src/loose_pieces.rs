//! Loose chains and loops, which belong to no joint: kept apart from the board as an indexed multiset.
//!
//! A loose chain leads from border to border, a loose loop back to itself. Only their lengths matter, and two short
//! chains of one length are removed (theorem I of [`super::chains`]). All multisets of at most [`LIMIT`] boxes are
//! indexed and solved once for each board.

use grundy_core::sorting;
use rustc_hash::FxHashMap;

/// Maximum number of boxes of a multiset; pieces that would exceed it stay on the board.
pub const LIMIT: usize = 25;

/// Index of the empty multiset.
pub const NOTHING: u16 = 0;

/// A loose piece and its length in boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Piece {
    /// From border to border, by its length.
    Chain(u32),
    /// Back to itself, by its length.
    Loop(u32),
}

impl Piece {
    /// Returns the number of boxes.
    pub const fn boxes(self) -> u32 {
        match self {
            Piece::Chain(n) | Piece::Loop(n) => n,
        }
    }

    /// Returns the cost, for the player who takes the piece, of making the other move next: all but two boxes of a long
    /// chain, or all but four of a loop, are taken, and the other takes the rest. `None` for a chain of one or two
    /// boxes, which gives no choice.
    pub const fn price(self) -> Option<i32> {
        match self {
            Piece::Chain(..3) => None,
            Piece::Chain(_) => Some(4),
            Piece::Loop(_) => Some(8),
        }
    }

    fn slot(self) -> usize {
        match self {
            Piece::Chain(n) => n as usize - 1,
            Piece::Loop(n) => LIMIT + n as usize / 2 - 2,
        }
    }
}

const SLOTS: usize = LIMIT + LIMIT / 2 - 1;

/// Stands for no multiset: it would be too large, or the piece is not in it.
const NONE: u16 = u16::MAX;

/// All multisets of loose pieces up to a size.
#[derive(Clone, Debug)]
pub struct Loose {
    with: Vec<[u16; SLOTS]>,
    without: Vec<[u16; SLOTS]>,
    openings: Vec<[Option<Piece>; 3]>,
    values: Vec<i32>,
    boxes: Vec<u8>,
}

impl Loose {
    /// Returns the multisets of at most `boxes` boxes (and [`LIMIT`]). A full board costs the player to move `penalty`.
    pub fn new(boxes: u32, penalty: i32) -> Loose {
        let limit = boxes.min(LIMIT as u32);
        let pieces: Vec<Piece> =
            (1..=limit).map(Piece::Chain).chain((4..=limit).step_by(2).map(Piece::Loop)).collect();
        let mut sets: Vec<Vec<u8>> = Vec::new();
        collect(&pieces, limit, &mut vec![0; SLOTS], &mut sets);
        let size = |set: &[u8]| pieces.iter().map(|p| u32::from(set[p.slot()]) * p.boxes()).sum::<u32>();
        sorting::sort_by_key(&mut sets, |set| size(set));
        let numbers: FxHashMap<&[u8], u16> = sets.iter().map(Vec::as_slice).zip(0..NONE).collect();
        let mut loose = Loose {
            with: vec![[NONE; SLOTS]; sets.len()],
            without: vec![[NONE; SLOTS]; sets.len()],
            openings: vec![[None; 3]; sets.len()],
            values: vec![-penalty],
            boxes: sets.iter().map(|set| size(set) as u8).collect(),
        };
        for (n, set) in sets.iter().enumerate() {
            for &piece in &pieces {
                let mut other = set.clone();
                if piece.price().is_none() && other[piece.slot()] == 1 {
                    other[piece.slot()] = 0;
                    loose.with[n][piece.slot()] = numbers[other.as_slice()];
                    continue;
                }
                other[piece.slot()] += 1;
                if let Some(&number) = numbers.get(other.as_slice()) {
                    loose.with[n][piece.slot()] = number;
                    loose.without[usize::from(number)][piece.slot()] = n as u16;
                }
            }
        }
        for n in 0..sets.len() as u16 {
            let held = |range: &dyn Fn(&Piece) -> bool| {
                pieces.iter().copied().find(|p| range(p) && loose.without(n, *p).is_some())
            };
            loose.openings[usize::from(n)] = [
                held(&|p| matches!(p, Piece::Chain(..3))),
                held(&|p| matches!(p, Piece::Chain(3..))),
                held(&|p| matches!(p, Piece::Loop(_))),
            ];
            if n > 0 {
                let best = loose.openings(n).map(|(piece, rest)| {
                    let value = loose.values[usize::from(rest)];
                    -(piece.boxes() as i32 + piece.price().map_or(value, |price| value.max(-price - value)))
                });
                let best = best.max().unwrap_or(0);
                loose.values.push(best);
            }
        }
        loose
    }

    /// Returns the multiset equivalent to this one with one more piece; `None` if it is too large.
    #[inline]
    pub fn with(&self, number: u16, piece: Piece) -> Option<u16> {
        if piece.boxes() as usize > LIMIT {
            return None;
        }
        Some(self.with[usize::from(number)][piece.slot()]).filter(|&n| n != NONE)
    }

    fn without(&self, number: u16, piece: Piece) -> Option<u16> {
        Some(self.without[usize::from(number)][piece.slot()]).filter(|&n| n != NONE)
    }

    /// Returns the pieces worth opening, the shortest of each kind, and the multiset without each.
    #[inline]
    pub fn openings(&self, number: u16) -> impl Iterator<Item = (Piece, u16)> {
        let pieces = self.openings[usize::from(number)];
        pieces.into_iter().flatten().filter_map(move |piece| Some((piece, self.without(number, piece)?)))
    }

    /// Returns the value for the player who must move when nothing but the multiset is left.
    #[inline]
    pub fn value(&self, number: u16) -> i32 {
        self.values[usize::from(number)]
    }

    /// Returns the number of boxes of the multiset.
    pub fn boxes(&self, number: u16) -> u32 {
        u32::from(self.boxes[usize::from(number)])
    }
}

fn collect(pieces: &[Piece], left: u32, set: &mut Vec<u8>, sets: &mut Vec<Vec<u8>>) {
    let Some((&piece, rest)) = pieces.split_first() else {
        sets.push(set.clone());
        return;
    };
    let most = if piece.price().is_none() { 1 } else { u32::MAX };
    for count in 0..=most.min(left / piece.boxes()) {
        set[piece.slot()] = count as u8;
        collect(rest, left - count * piece.boxes(), set, sets);
    }
    set[piece.slot()] = 0;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_endgames_have_their_values() {
        let loose = Loose::new(16, 0);
        let number =
            |pieces: &[Piece]| pieces.iter().fold(NOTHING, |n, &p| loose.with(n, p).expect("small enough"));
        let value = |pieces: &[Piece]| loose.value(number(pieces));
        assert_eq!(loose.boxes(number(&[Piece::Chain(2), Piece::Loop(4)])), 6);
        assert_eq!(number(&[Piece::Chain(1), Piece::Chain(5), Piece::Chain(1)]), number(&[Piece::Chain(5)]));
        assert_eq!(value(&[]), 0);
        assert_eq!(value(&[Piece::Chain(3)]), -3);
        assert_eq!(value(&[Piece::Chain(3), Piece::Chain(4)]), -3, "all but two of the 3, then all of the 4");
        assert_eq!(value(&[Piece::Loop(4), Piece::Loop(4)]), 0, "keeping control costs the whole loop");
        assert_eq!(value(&[Piece::Chain(1), Piece::Chain(2)]), 1);
    }

    #[test]
    fn the_largest_table_fits_its_numbers() {
        let loose = Loose::new(100, 0);
        assert!(loose.values.len() < usize::from(NONE), "{}", loose.values.len());
    }
}
