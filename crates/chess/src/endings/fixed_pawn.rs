//! The fixed pawn of a slice: the positions in which it has just been taken, and the best of its own moves.

use rustc_hash::FxHashMap;

use super::arrangement::Arrangement;
use super::exits::{each, select};
use super::link::Link;
use super::man::Man;
use grundy_tables::superposed::{Code, Exits, Lanes, Leaving, WordCodes, has, note};

/// The fixed pawn of a slice.
pub struct FixedPawn {
    pub pawn: Man,
    pub square: u8,
    /// The positions in which it has just been taken.
    pub taken: FixedPawnTaken,
    /// The best value that its own moves give each position.
    pub leaving: Leaving,
}

/// The positions in which the fixed pawn has just been taken, with its side to move: another man is on its square.
pub struct FixedPawnTaken {
    square: usize,
    /// By pair, if the man of the lanes has taken it: the codes by the square of the last man.
    by_lane: Vec<WordCodes>,
    /// By pair, if the last man has: the codes by the square of the man of the lanes.
    by_word: Vec<WordCodes>,
    /// If a king has: the codes by both squares.
    by_king: FxHashMap<usize, Vec<WordCodes>>,
    /// By pair: the set of codes that occur.
    present: Vec<[u64; 4]>,
}

impl FixedPawnTaken {
    pub(super) fn new(two: &Arrangement, pawn: Man, square: u8, link: Option<&Link>) -> FixedPawnTaken {
        let mut taken = FixedPawnTaken {
            square: usize::from(square),
            by_lane: Vec::new(),
            by_word: Vec::new(),
            by_king: FxHashMap::default(),
            present: vec![[0; 4]; two.pairs.kings.len()],
        };
        let Some(link) = link else { return taken };
        let side = usize::from(pawn.side);
        let enemy = |man: Man| man.side != pawn.side;
        for (block, (&kings, present)) in two.pairs.kings.iter().zip(&mut taken.present).enumerate() {
            let mut codes = |squares: [u8; 2], varied: usize| {
                let cells = link.codes(side, kings, &squares, varied);
                for code in cells.0 {
                    note(present, code);
                }
                cells
            };
            if enemy(two.men[0]) {
                taken.by_lane.push(codes([square, 0], 1));
            }
            if enemy(two.men[1]) {
                taken.by_word.push(codes([0, square], 0));
            }
            if kings[1 - side] == square {
                taken.by_king.insert(block, (0..64).map(|lane| codes([lane, 0], 1)).collect());
            }
        }
        taken
    }

    /// Reports whether a pair of kings has this code.
    #[inline(always)]
    pub fn has(&self, block: usize, code: Code) -> bool {
        has(&self.present[block], code)
    }

    #[inline(always)]
    pub fn visit<L: Lanes>(&self, block: usize, which: Exits, visit: &mut impl FnMut(usize, u64)) -> bool {
        if let Exits::Coded(code) = which
            && !self.has(block, code)
        {
            return false;
        }
        if let Some(cells) = self.by_lane.get(block) {
            visit(self.square, select::<L>(cells, which));
        }
        if let Some(cells) = self.by_word.get(block) {
            each(select::<L>(cells, which), |lane| visit(usize::from(lane), 1 << self.square));
        }
        if let Some(planes) = self.by_king.get(&block) {
            for (lane, cells) in planes.iter().enumerate() {
                visit(lane, select::<L>(cells, which));
            }
        }
        true
    }
}
