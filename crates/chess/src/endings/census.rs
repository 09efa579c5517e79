//! Counts of the won, drawn and lost positions of an ending, by plies.

use super::arrangement::Arrangement;
use super::man::{RANK_1, RANK_8};
use super::pairs::turned;
use crate::material::Material;
use grundy_tables::superposed::{DRAW, FAR, Levels, NONE};

/// The positions of an ending with one side to move: first the drawn ones, then those decided in 0, 1, .. plies.
/// Positions with a right to capture en passant are not counted.
#[derive(Clone, Debug)]
pub struct Census {
    /// Counts every position once; identical men are not told apart.
    pub full: Vec<u64>,
    /// Counts symmetric positions once: eight symmetries without pawns, two with them.
    pub unique: Vec<u64>,
}

impl Census {
    /// Counts an ending with `side` (0: the side written first) to move.
    pub fn new(ending: Material, levels: &Levels, side: usize) -> Census {
        let arrangement = Arrangement::new(ending);
        let men = &arrangement.men;
        let counts = levels.longest as usize + 2;
        let mut census = Census { full: vec![0; counts], unique: vec![0; counts] };
        let cells = &levels.cells[side];
        // Identical men, except a fixed pawn, are in rising order.
        let still = usize::from(arrangement.sliced);
        let twins: Vec<(usize, usize)> = (1..men.len())
            .flat_map(|j| (still..j).map(move |i| (i, j)))
            .filter(|&(i, j)| men[i] == men[j])
            .collect();
        let ordered = |s: &[u8]| twins.iter().all(|&(i, j)| s[i] < s[j]);
        for (word, codes) in cells.iter().enumerate() {
            for (bit, &code) in codes.0.iter().enumerate().filter(|&(_, &code)| code != NONE) {
                let Some((kings, all)) = arrangement.squares(word, bit) else { continue };
                let squares = &all[..men.len()];
                let on_edge = |s: u8| (RANK_1 | RANK_8) >> s & 1 == 1;
                let stands = men.iter().zip(squares).all(|(man, &s)| !(man.is_pawn() && on_edge(s)));
                if !stands || !ordered(squares) {
                    continue;
                }
                let halved = arrangement.pairs.symmetries == 8 && kings.iter().all(|&k| k >> 3 == k & 7);
                let weight = match arrangement.pairs.symmetries {
                    1 => 2,
                    n => u64::from(n) / if halved { 2 } else { 1 },
                };
                let code = if code == FAR {
                    levels.far[side]
                        .get(&(word as u64 * 64 + bit as u64))
                        .map_or(0, |&plies| plies as usize + 1)
                } else {
                    usize::from(code)
                };
                census.full[code] += weight;
                let first = !halved || {
                    let mut mirrored: Vec<u8> = squares.iter().map(|&s| turned(4, s)).collect();
                    for &(i, j) in &twins {
                        if mirrored[i] > mirrored[j] {
                            mirrored.swap(i, j);
                        }
                    }
                    squares <= &mirrored[..]
                };
                census.unique[code] += u64::from(first);
            }
        }
        if arrangement.sliced {
            // Each of the identical pawns was the fixed one, once.
            let ways = men.iter().filter(|&man| man == &men[0]).count() as u64;
            census.full.iter_mut().chain(&mut census.unique).for_each(|count| *count /= ways);
        }
        census
    }

    /// Returns the won, drawn and lost positions of one of the two counts.
    pub fn wdl(counts: &[u64]) -> [u64; 3] {
        let mut sums = [0; 3];
        for (code, &count) in counts.iter().enumerate() {
            sums[if code == usize::from(DRAW) { 1 } else { 2 * (code % 2) }] += count;
        }
        sums
    }

    /// Returns the longest win and the longest loss in plies.
    pub fn longest(&self) -> [Option<u32>; 2] {
        [0, 1].map(|odd| {
            let code = (1..self.full.len()).rev().find(|&code| code % 2 == odd && self.full[code] > 0);
            code.map(|code| code as u32 - 1)
        })
    }
}
