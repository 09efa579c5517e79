//! Pairs of kings up to the symmetry of the board, and the kings' moves between them.
//!
//! There are 3,612 pairs of kings that are not adjacent. Without pawns the board has eight symmetries, which leave 462
//! pairs; with pawns only left and right can be exchanged, which leaves 1,806; with a pawn already fixed on the left
//! half, all 3,612 remain. A symmetry is a number of three bits, applied in this order: 1 mirrors the files, 2 mirrors
//! the ranks, 4 exchanges files and ranks.

use std::sync::OnceLock;

use cozy_chess::{Square, get_king_moves};

use grundy_core::bits::indices;
use grundy_tables::superposed::BitBoards;

/// A king's move: the pair it leads to, and the symmetry that maps the board to that pair.
#[derive(Clone, Copy, Debug)]
pub struct KingStep {
    pub pair: u16,
    pub turn: u8,
}

/// The pairs under one group of symmetries.
#[derive(Debug)]
pub struct Pairs {
    /// The squares of the white and the black king.
    pub kings: Vec<[u8; 2]>,
    /// By white's and black's square: the pair and the symmetry; `None` if the kings are adjacent.
    steps: Vec<Option<KingStep>>,
    /// By colour and pair: the destinations of that king's moves.
    pub moves: [Vec<Vec<KingStep>>; 2],
    /// Number of symmetries.
    pub symmetries: u32,
}

impl Pairs {
    /// Returns the pairs under 8, 2 or 1 symmetries.
    pub fn of(symmetries: u32) -> &'static Pairs {
        static EIGHT: OnceLock<Pairs> = OnceLock::new();
        static TWO: OnceLock<Pairs> = OnceLock::new();
        static ONE: OnceLock<Pairs> = OnceLock::new();
        let made = match symmetries {
            8 => &EIGHT,
            2 => &TWO,
            _ => &ONE,
        };
        made.get_or_init(|| Pairs::new(symmetries))
    }

    /// Returns the symmetries of an ending with pawns, or of one without.
    pub fn symmetries(pawns: bool) -> u32 {
        if pawns { 2 } else { 8 }
    }

    fn new(symmetries: u32) -> Pairs {
        let free = |w: u8, b: u8| w != b && king_moves(w) >> b & 1 == 0;
        let mut pairs =
            Pairs { kings: Vec::new(), steps: vec![None; 4096], moves: [Vec::new(), Vec::new()], symmetries };
        let mut number = [u16::MAX; 4096];
        for (w, b) in (0..64).flat_map(|w| (0..64).map(move |b| (w, b))).filter(|&(w, b)| free(w, b)) {
            let turn = canonical_turn(symmetries, w, b);
            let (w1, b1) = (turned(turn, w), turned(turn, b));
            let slot = &mut number[usize::from(w1) * 64 + usize::from(b1)];
            if *slot == u16::MAX {
                *slot = pairs.kings.len() as u16;
                pairs.kings.push([w1, b1]);
            }
            pairs.steps[usize::from(w) * 64 + usize::from(b)] = Some(KingStep { pair: *slot, turn });
        }
        for &[w, b] in &pairs.kings {
            let to = |moves: u64, step: &dyn Fn(usize) -> Option<KingStep>| {
                indices(moves).filter_map(step).collect()
            };
            pairs.moves[0].push(to(king_moves(w), &|s| pairs.steps[s * 64 + usize::from(b)]));
            pairs.moves[1].push(to(king_moves(b), &|s| pairs.steps[usize::from(w) * 64 + s]));
        }
        pairs
    }

    /// Returns the pair of two kings and the symmetry that maps the board to it; `None` if they are adjacent.
    pub fn find(&self, white: u8, black: u8) -> Option<KingStep> {
        self.steps[usize::from(white) * 64 + usize::from(black)]
    }
}

fn king_moves(square: u8) -> u64 {
    get_king_moves(Square::index(usize::from(square))).0
}

/// Returns the symmetry that maps white's king to the files a to d, and without pawns into the triangle a1 d1 d4;
/// black's king is then not above the diagonal if white's is on it.
fn canonical_turn(symmetries: u32, white: u8, black: u8) -> u8 {
    if symmetries == 1 {
        return 0;
    }
    let mut turn = u8::from(white & 7 > 3);
    if symmetries == 8 {
        turn |= if white >> 3 > 3 { 2 } else { 0 };
        let height = |s: u8| i32::from(s >> 3) - i32::from(s & 7);
        let (w, b) = (height(turned(turn, white)), height(turned(turn, black)));
        if w > 0 || (w == 0 && b > 0) {
            turn |= 4;
        }
    }
    turn
}

/// Returns the image of a square under a symmetry.
#[inline(always)]
pub const fn turned(turn: u8, square: u8) -> u8 {
    TURNED[(turn & 7) as usize][(square & 63) as usize]
}

/// Returns the square that the symmetry maps to the first one.
#[inline(always)]
pub const fn turned_to_first(turn: u8) -> u8 {
    ((turn & 1) * 7) ^ ((turn >> 1 & 1) * 56)
}

const TURNED: [[u8; 64]; 8] = {
    let mut all = [[0; 64]; 8];
    let mut n = 0;
    while n < 512 {
        let (turn, mut s) = (n / 64, (n % 64) as u8);
        if turn & 1 != 0 {
            s ^= 7;
        }
        if turn & 2 != 0 {
            s ^= 56;
        }
        all[turn][n % 64] = if turn & 4 != 0 { s >> 3 | (s & 7) << 3 } else { s };
        n += 1;
    }
    all
};

/// Returns the preimages of squares under a symmetry.
#[inline(always)]
pub fn unturned<B: BitBoards>(turn: u8, squares: B) -> B {
    let mut x = squares;
    if turn & 4 != 0 {
        x = x.transpose();
    }
    if turn & 2 != 0 {
        x = x.flip_ranks();
    }
    if turn & 1 != 0 { x.flip_files() } else { x }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_462_and_1806_and_3612_pairs() {
        assert_eq!(Pairs::of(8).kings.len(), 462);
        assert_eq!(Pairs::of(2).kings.len(), 1806);
        assert_eq!(Pairs::of(1).kings.len(), 3612);
    }

    #[test]
    fn unturning_undoes_turning() {
        for turn in 0..8 {
            for square in 0..64 {
                assert_eq!(unturned(turn, 1u64 << turned(turn, square)), 1 << square);
            }
        }
    }
}
