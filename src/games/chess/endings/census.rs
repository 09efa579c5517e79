//! How many positions of an ending are won, drawn and lost, and in how many plies.

use super::pairs::turned;
use super::{Material, RANK_1, RANK_8, Shape};
use crate::superposed::{Code, DRAW, Levels, NONE};

/// The positions of an ending with one side to move, by code; rights to capture en passant left out.
#[derive(Clone, Debug)]
pub struct Census {
    /// All on the board, identical men not told apart.
    pub full: [u64; 256],
    /// The same with symmetric positions counted once: eight symmetries, with pawns two.
    pub unique: [u64; 256],
}

impl Census {
    /// Counts an ending, `side` (0: the side written first) to move.
    pub fn new(ending: Material, levels: &Levels, side: usize) -> Census {
        let shape = Shape::new(ending);
        let men = &shape.men;
        let mut census = Census { full: [0; 256], unique: [0; 256] };
        let cells = &levels.cells[side];
        let twins: Vec<(usize, usize)> = (1..men.len())
            .flat_map(|j| (0..j).map(move |i| (i, j)))
            .filter(|&(i, j)| men[i] == men[j])
            .collect();
        let ordered = |s: &[u8]| twins.iter().all(|&(i, j)| s[i] < s[j]);
        for (pair, &kings) in shape.pairs.kings.iter().enumerate() {
            let halved = shape.pairs.symmetries == 8 && kings.iter().all(|&k| k >> 3 == k & 7);
            let weight = u64::from(shape.pairs.symmetries) / if halved { 2 } else { 1 };
            let words = if men.len() == 1 { 1 } else { shape.rows() * 8 };
            for number in 0..words {
                let codes = &cells[pair * shape.rows() * 8 + number];
                for (bit, &code) in codes.0.iter().enumerate().filter(|&(_, &code)| code != NONE) {
                    let all = [(number / 64) as u8, (number % 64) as u8, bit as u8];
                    let squares = &all[3 - men.len()..];
                    let on_edge = |s: u8| (RANK_1 | RANK_8) >> s & 1 == 1;
                    let stands = men.iter().zip(squares).all(|(man, &s)| !(man.is_pawn() && on_edge(s)));
                    if !stands || !ordered(squares) {
                        continue;
                    }
                    census.full[usize::from(code)] += weight;
                    let first = !halved || {
                        let mut mirrored: Vec<u8> = squares.iter().map(|&s| turned(4, s)).collect();
                        for &(i, j) in &twins {
                            if mirrored[i] > mirrored[j] {
                                mirrored.swap(i, j);
                            }
                        }
                        squares <= &mirrored[..]
                    };
                    census.unique[usize::from(code)] += u64::from(first);
                }
            }
        }
        census
    }

    /// Won, drawn and lost positions of one of the two counts.
    pub fn wdl(counts: &[u64; 256]) -> [u64; 3] {
        let mut sums = [0; 3];
        for (code, &count) in counts.iter().enumerate().take(usize::from(NONE)) {
            sums[if code == usize::from(DRAW) { 1 } else { 2 * (code % 2) }] += count;
        }
        sums
    }

    /// The longest win and the longest loss in plies.
    pub fn longest(&self) -> [Option<u32>; 2] {
        [0, 1].map(|odd| {
            (1..NONE)
                .rev()
                .find(|&code: &Code| code % 2 == odd && self.full[usize::from(code)] > 0)
                .map(|c| u32::from(c) - 1)
        })
    }
}
