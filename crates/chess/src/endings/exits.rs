//! Captures and promotions, which lead to smaller endings. Their values are stored in bits that encode no position of
//! the ending itself.

use std::sync::Arc;

use super::arrangement::Arrangement;
use super::link::Link;
use super::man::Man;
use super::unmoves::Plane;
use crate::material::Material;
use grundy_tables::superposed::{BitRow, Code, DRAW, Exits, Lanes, Levels, NONE, WordCodes, has, note};

/// Returns the squares of a captured man, as bits, that encode that this captor, now on `square`, has just taken it.
pub fn taken_at(captor: Man, victim: Man, square: u8) -> u64 {
    let rank = square >> 3;
    if captor.is_pawn() && rank == captor.double_rank() {
        return 0;
    }
    if !victim.is_pawn() {
        return 1 << square;
    }
    let mut bits = if rank == 0 || rank == 7 { 0 } else { 1 << square };
    // En passant: the captor is behind the pawn, which is encoded on its first rank.
    if captor.is_pawn() && rank == if victim.side == 0 { 2 } else { 5 } {
        bits |= 1 << (8 * victim.double_rank() + (square & 7));
    }
    bits
}

/// Returns the squares of a captor, as bits, that encode that it has just taken this man, which is encoded on `square`.
fn captors(captor: Man, victim: Man, square: u8) -> u64 {
    (0..64).filter(|&s| taken_at(captor, victim, s) >> square & 1 == 1).fold(0, |bits, s| bits | 1 << s)
}

/// Returns, for each square of the second-to-last man, the last man's squares that encode that this pawn has just taken
/// the last man, and the squares that encode that the last man, a pawn, has just taken this one; 0 if no such capture
/// is possible.
pub fn takes(men: &[Man]) -> [Plane; 2] {
    let mut takes = [[BitRow::default(); 8]; 2];
    if let [.., lane, word] = *men
        && lane.side != word.side
    {
        for s in 0..64u8 {
            let (r, f) = (usize::from(s / 8), usize::from(s % 8));
            if lane.is_pawn() {
                takes[0][r].0[f] = taken_at(lane, word, s);
            }
            if word.is_pawn() {
                takes[1][r].0[f] = captors(word, lane, s);
            }
        }
    }
    takes
}

/// Index of a fixed pawn's square among the squares of the men.
pub const STILL: usize = 2;

/// The positions in which one man has just been taken, with its side to move.
pub struct Captured {
    victim: usize,
    /// By pair of kings, and with three men by the square of the first one left: the codes by the square of the last.
    /// Empty if only the kings are left.
    cells: Vec<WordCodes>,
    /// By pair: the set of codes that occur.
    present: Vec<[u64; 4]>,
}

impl Captured {
    /// Returns the exits of a layout; `still` is a fixed pawn beside its men.
    pub fn new(
        arrangement: &Arrangement,
        victim: usize,
        still: Option<(Man, u8)>,
        solved: &dyn Fn(Material) -> Arc<Levels>,
    ) -> Captured {
        let side = usize::from(arrangement.men[victim].side);
        let mut left: Vec<(usize, Man)> =
            arrangement.men.iter().copied().enumerate().filter(|&(i, _)| i != victim).collect();
        left.extend(still.map(|(pawn, _)| (STILL, pawn)));
        let Some(link) = Link::new(&left, solved) else {
            return Captured { victim, cells: Vec::new(), present: Vec::new() };
        };
        let planes = if arrangement.men.len() == 3 { 64 } else { 1 };
        let mut cells = Vec::with_capacity(arrangement.pairs.kings.len() * planes);
        let mut present = vec![[0; 4]; arrangement.pairs.kings.len()];
        for (&kings, present) in arrangement.pairs.kings.iter().zip(&mut present) {
            for first in 0..planes as u8 {
                let mut squares = [0; 3];
                squares[STILL] = still.map_or(0, |(_, square)| square);
                let mut men = (0..arrangement.men.len()).rev().filter(|&i| i != victim);
                let last = men.next().expect("a man is left, or there were no link");
                if let Some(i) = men.next() {
                    squares[i] = first;
                }
                let codes = link.codes(side, kings, &squares, last);
                for code in codes.0 {
                    note(present, code);
                }
                cells.push(codes);
            }
        }
        Captured { victim, cells, present }
    }

    /// Reports whether a pair of kings has this code.
    #[inline(always)]
    pub fn has(&self, block: usize, code: Code) -> bool {
        self.present.get(block).is_some_and(|codes| has(codes, code))
    }

    #[inline(always)]
    pub fn visit<L: Lanes>(
        &self,
        men: &[Man],
        block: usize,
        captor_king: u8,
        which: Exits,
        visit: &mut impl FnMut(usize, u64),
    ) -> bool {
        if let Exits::Coded(code) = which
            && !self.has(block, code)
        {
            return false;
        }
        let victim = men[self.victim];
        let by_king = !victim.is_pawn() || (8..56).contains(&captor_king);
        let by = |captor: Man| captor.side != victim.side;
        let king = usize::from(captor_king);
        let king_bit = if by_king { 1u64 << captor_king } else { 0 };
        match (men, self.victim) {
            ([_], _) => visit(0, king_bit),
            ([lane, _], 1) => each(select::<L>(&self.cells[block], which), |s| {
                let bits = if by(*lane) { taken_at(*lane, victim, s) } else { 0 };
                visit(usize::from(s), king_bit | bits);
            }),
            ([_, word], 0) => {
                let bits = select::<L>(&self.cells[block], which);
                if by_king {
                    visit(king, bits);
                }
                if by(*word) {
                    each(bits, |s| each(taken_at(*word, victim, s), |at| visit(usize::from(at), 1 << s)));
                }
            }
            ([outer, lane, word], number) => {
                for first in 0..64u8 {
                    let bits = select::<L>(&self.cells[block * 64 + usize::from(first)], which);
                    if bits == 0 {
                        continue;
                    }
                    let a = usize::from(first);
                    match number {
                        2 => each(bits, |s| {
                            let mut at = king_bit;
                            if by(*outer) {
                                at |= taken_at(*outer, victim, first);
                            }
                            if by(*lane) {
                                at |= taken_at(*lane, victim, s);
                            }
                            visit(a * 64 + usize::from(s), at);
                        }),
                        1 => {
                            if by_king {
                                visit(a * 64 + king, bits);
                            }
                            if by(*outer) {
                                each(taken_at(*outer, victim, first), |at| {
                                    visit(a * 64 + usize::from(at), bits)
                                });
                            }
                            if by(*word) {
                                each(bits, |s| {
                                    each(taken_at(*word, victim, s), |at| {
                                        visit(a * 64 + usize::from(at), 1 << s)
                                    });
                                });
                            }
                        }
                        _ => {
                            if by_king {
                                visit(king * 64 + a, bits);
                            }
                            if by(*lane) {
                                each(taken_at(*lane, victim, first), |at| {
                                    visit(usize::from(at) * 64 + a, bits)
                                });
                            }
                            if by(*word) {
                                each(bits, |s| {
                                    each(taken_at(*word, victim, s), |at| {
                                        visit(usize::from(at) * 64 + a, 1 << s)
                                    });
                                });
                            }
                        }
                    }
                }
            }
            _ => {}
        }
        true
    }
}

/// The positions in which one pawn has just been promoted, with the other side to move. Their codes are stored in the
/// cells of the ending itself.
#[derive(Clone)]
pub struct Promoted {
    pawn: usize,
    /// By pair, file of the pawn, and the squares of the others in their order, 64 to a block of cells.
    codes: Vec<WordCodes>,
    /// Number of blocks of cells by pair and file.
    chunks: usize,
    /// By pair: the set of codes that occur.
    present: Vec<[u64; 4]>,
}

impl Promoted {
    /// Returns an empty set of promotions.
    pub fn new(arrangement: &Arrangement, pawn: usize) -> Promoted {
        let chunks = (1usize << (6 * (arrangement.men.len() - 1))).div_ceil(64);
        let pairs = arrangement.pairs.kings.len();
        let codes = vec![WordCodes([NONE; 64]); pairs * 8 * chunks];
        Promoted { pawn, codes, chunks, present: vec![[0; 4]; pairs] }
    }

    /// Returns the index of the pawn among the men.
    pub fn pawn(&self) -> usize {
        self.pawn
    }

    /// Adds the promotions to one kind of man; `still` is a fixed pawn beside the men.
    pub fn add(
        &mut self,
        arrangement: &Arrangement,
        kind: u8,
        still: Option<(Man, u8)>,
        solved: &dyn Fn(Material) -> Arc<Levels>,
    ) {
        let (pawn, chunks) = (self.pawn, self.chunks);
        let man = arrangement.men[pawn];
        let side = usize::from(1 - man.side);
        let mut men: Vec<(usize, Man)> = arrangement.men.iter().copied().enumerate().collect();
        men[pawn].1.kind = kind;
        men.extend(still.map(|(pawn, _)| (STILL, pawn)));
        let Some(link) = Link::new(&men, solved) else { return };
        let others: Vec<usize> = (0..arrangement.men.len()).filter(|&i| i != pawn).collect();
        for (&kings, codes) in arrangement.pairs.kings.iter().zip(self.codes.chunks_mut(8 * chunks)) {
            for (file, codes) in (0..8).zip(codes.chunks_mut(chunks)) {
                let square = 8 * man.last_rank() + file;
                if kings.contains(&square) {
                    continue;
                }
                let mut squares = [0; 3];
                squares[STILL] = still.map_or(0, |(_, square)| square);
                squares[pawn] = square;
                for (first, codes) in (0..).zip(codes) {
                    match others[..] {
                        [] => codes.0[0] = worse(codes.0[0], link.code(side, kings, &squares)),
                        [_, _] if first == square => {}
                        [.., last] => {
                            if let [other, _] = others[..] {
                                squares[other] = first;
                            }
                            let mut found = link.codes(side, kings, &squares, last);
                            found.0[usize::from(square)] = NONE;
                            worse_of_all(&mut codes.0, &found.0);
                        }
                    }
                }
            }
        }
    }

    /// Collects the set of codes that occur; to be called once, after the last promotion was added.
    pub fn sealed(mut self) -> Promoted {
        for (present, codes) in self.present.iter_mut().zip(self.codes.chunks(8 * self.chunks)) {
            *present = [0; 4];
            for code in codes.iter().flat_map(|codes| codes.0) {
                note(present, code);
            }
        }
        self
    }

    /// Returns, by file of the pawn, its square and the codes by the others' squares.
    fn files(&self, men: &[Man], block: usize) -> impl Iterator<Item = (usize, &[WordCodes])> {
        let last = 8 * usize::from(men[self.pawn].last_rank());
        let codes = &self.codes[block * 8 * self.chunks..(block + 1) * 8 * self.chunks];
        (last..).zip(codes.chunks(self.chunks))
    }

    /// Reports whether a pair of kings has this code.
    #[inline(always)]
    pub fn has(&self, block: usize, code: Code) -> bool {
        has(&self.present[block], code)
    }

    /// Writes the codes into the cells of a block.
    pub fn fill(&self, men: &[Man], block: usize, cells: &mut [WordCodes]) {
        for (square, codes) in self.files(men, block) {
            for (chunk, codes) in codes.iter().enumerate() {
                if self.pawn + 1 < men.len() {
                    cells[chunk * 64 + square] = *codes;
                } else if men.len() == 1 {
                    cells[0].0[square] = codes.0[0];
                } else {
                    for (cells, &code) in cells[chunk * 64..].iter_mut().zip(&codes.0) {
                        cells.0[square] = code;
                    }
                }
            }
        }
    }

    #[inline(always)]
    pub fn visit<L: Lanes>(
        &self,
        men: &[Man],
        block: usize,
        which: Exits,
        visit: &mut impl FnMut(usize, u64),
    ) -> bool {
        if let Exits::Coded(code) = which
            && !self.has(block, code)
        {
            return false;
        }
        for (square, codes) in self.files(men, block) {
            for (chunk, codes) in codes.iter().enumerate() {
                let bits = select::<L>(codes, which);
                if self.pawn + 1 < men.len() {
                    if bits != 0 {
                        visit(chunk * 64 + square, bits);
                    }
                } else {
                    each(bits, |other| visit(chunk * 64 + usize::from(other), 1 << square));
                }
            }
        }
        true
    }
}

/// Returns the code that is worse for the side to move; if only one of the two is a code, returns that one.
#[inline(always)]
pub fn worse(a: Code, b: Code) -> Code {
    if rank(a) <= rank(b) { a } else { b }
}

/// Applies [`worse`] to each of 64 codes.
pub fn worse_of_all(codes: &mut [Code; 64], others: &[Code; 64]) {
    for (code, &other) in codes.iter_mut().zip(others) {
        *code = worse(*code, other);
    }
}

/// Returns the rank of a code in the order of preference, without a table, so that the compiler can vectorize it.
#[inline(always)]
const fn rank(code: Code) -> u8 {
    let half = code / 2;
    let rank = if code.is_multiple_of(2) { 254 - half } else { half };
    let rank = if code == DRAW { 127 } else { rank };
    if code == NONE { NONE } else { rank }
}

#[inline(always)]
pub fn select<L: Lanes>(cells: &WordCodes, which: Exits) -> u64 {
    match which {
        Exits::Any => !L::coded(cells, NONE),
        Exits::Coded(code) => L::coded(cells, code),
    }
}

#[inline(always)]
pub fn each(mut bits: u64, mut visit: impl FnMut(u8)) {
    while bits != 0 {
        visit(bits.trailing_zeros() as u8);
        bits &= bits - 1;
    }
}
