//! The positions of two men with a pawn on one file, laid out for the bit-parallel method: a row for each pair of kings, a
//! word for each rank of the pawn, from its own side, and a bit for each square of the other man.
//!
//! As in other layouts ([`super`]) bits that are no positions encode exits: both men on one square or one on an enemy king's,
//! a pawn on its last rank, and a double step just made on a pawn's first rank. The pawn's captures leave the file; they are
//! given as the best move out of each position.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::arrangement::Arrangement;
use super::exits::{select, worse, worse_of_all};
use super::layout::{attackers, double_steps, sights};
use super::link::Link;
use super::man::{Man, PAWN, RANK_1, RANK_8};
use super::pairs::Pairs;
use super::unmoves::within_words;
use crate::material::Material;
use grundy_tables::superposed::{
    BitRow, Code, DRAW, Exits, Isa, Lanes, Leaving, Levels, NONE, Superposed, VectorWork, WordCodes, has,
    note, run_on,
};

/// The values that a portion's layout needs of smaller endings.
#[derive(Default)]
pub(super) struct Sources {
    pub(super) whole: FxHashMap<Material, Arc<Levels>>,
    /// By file: the portions with a pawn on it.
    pub(super) on_file: FxHashMap<(Material, usize), Arc<Levels>>,
}

/// Ranks on which a pawn can stand, from its own side.
const RANKS: std::ops::Range<u8> = 1..7;

/// Two men with a pawn on one file, laid out.
pub struct FileLayout {
    pairs: &'static Pairs,
    pawn: Man,
    file: u8,
    other: Man,
    /// The squares that the other man may have.
    squares: u64,
    /// By side to move: the codes of exits, by word.
    exits: [Vec<WordCodes>; 2],
    /// By side to move and pair: the set of codes that occur.
    present: [Vec<[u64; 4]>; 2],
    /// The best move of the pawn out of each position, if it can capture the other man.
    leaving: Option<Leaving>,
    longest_exit: u32,
    /// By rank of the pawn: its square.
    own: BitRow,
    /// By rank of the pawn: the other man's square that encodes that it has just taken the pawn.
    taken: BitRow,
}

/// The links to smaller endings; squares are indexed like the men.
struct Links {
    /// Without each man.
    without: [Option<Link>; 2],
    /// By kind: the pawn was promoted.
    promoted: Vec<Link>,
    /// By kind: the pawn has taken the other man, and was promoted.
    alone: Vec<Link>,
    /// By kind: the other man, a pawn, was promoted.
    other_promoted: Vec<Link>,
}

impl Links {
    fn new(men: [Man; 2], pawn: usize, (own, other): (u8, Option<u8>), sources: &Sources) -> Links {
        let whole = |ending: Material| sources.whole[&ending].clone();
        let on = |file: u8| {
            move |ending: Material| sources.on_file[&(ending, usize::from(file.min(7 - file)))].clone()
        };
        let kinds = |link: &dyn Fn(u8) -> Option<Link>| (0..PAWN).filter_map(link).collect::<Vec<_>>();
        let named = |i: usize, kind: u8| (i, Man { kind, ..men[i] });
        let (stays, is) = ((1 - pawn, men[1 - pawn]), (pawn, men[pawn]));
        Links {
            without: [1, 0].map(|left| Link::new(&[(left, men[left])], &whole)),
            promoted: kinds(&|kind| {
                let two = [named(pawn, kind), stays];
                match other {
                    Some(file) => Link::on_file(&two, &on(file)),
                    None => Link::new(&two, &whole),
                }
            }),
            alone: kinds(&|kind| Link::new(&[named(pawn, kind)], &whole)),
            other_promoted: kinds(&|kind| {
                other.and_then(|_| Link::on_file(&[is, named(1 - pawn, kind)], &on(own)))
            }),
        }
    }
}

/// Returns the code of a position from that of the one after its best move.
fn back(code: Code) -> Code {
    match code {
        NONE | DRAW => code,
        // Portions have no distance beyond a cell.
        _ => code.saturating_add(1).min(NONE - 1),
    }
}

impl FileLayout {
    /// Lays out the positions of two men in which the pawn is on the first file, and the other, if it is a pawn, on the second.
    pub(super) fn new(arrangement: &Arrangement, files: (u8, Option<u8>), sources: &Sources) -> FileLayout {
        let men = [arrangement.men[0], arrangement.men[1]];
        let at = usize::from(!men[0].is_pawn());
        let (pairs, pawn, other, (file, other_file)) = (Pairs::of(1), men[at], men[1 - at], files);
        let squares = other_file.map_or(!0, |file| (0x0101_0101_0101_0101 << file) & !(RANK_1 | RANK_8));
        let words = pairs.kings.len() * 8;
        let all: Vec<&Arc<Levels>> = sources.whole.values().chain(sources.on_file.values()).collect();
        let square = |rank: u8| pawn.rank(rank) + file;
        let own = BitRow(std::array::from_fn(|rank| 1 << square(rank as u8)));
        let mut taken = BitRow([0; 8]);
        for rank in RANKS {
            taken.0[usize::from(rank)] = 1 << square(rank);
        }
        // En passant: the captor is behind the pawn.
        taken.0[0] = 1 << square(2);
        let mut layout = FileLayout {
            pairs,
            pawn,
            file,
            other,
            squares,
            exits: [(); 2].map(|()| vec![WordCodes([NONE; 64]); words]),
            present: [(); 2].map(|()| vec![[0; 4]; pairs.kings.len()]),
            leaving: None,
            longest_exit: all.iter().map(|levels| levels.longest).max().unwrap_or(0),
            own,
            taken,
        };
        let links = Links::new(men, at, files, sources);
        for (block, &kings) in pairs.kings.iter().enumerate() {
            layout.taken_exits(block, kings, at, &links);
            layout.promoted_exits(block, kings, at, other_file, &links);
        }
        if pawn.side != other.side {
            layout.leaving = Some(layout.captures(at, other_file, &links));
        }
        layout
    }

    /// Returns the pawn's square on a rank seen from its side.
    fn square(&self, rank: u8) -> u8 {
        self.pawn.rank(rank) + self.file
    }

    /// Sets the code of an exit.
    fn put(&mut self, side: usize, (block, rank): (usize, u8), square: u8, code: Code) {
        if code != NONE {
            self.exits[side][8 * block + usize::from(rank)].0[usize::from(square)] = code;
            note(&mut self.present[side][block], code);
        }
    }

    /// Adds the positions of a pair of kings in which one of the two men has just been taken.
    fn taken_exits(&mut self, block: usize, kings: [u8; 2], at: usize, links: &Links) {
        let (pawn, other) = (self.pawn, self.other);
        let [mover, victim] = [pawn, other].map(|man| usize::from(man.side));
        let (captor, king) = (kings[1 - victim], kings[1 - mover]);
        let enemies = pawn.side != other.side;
        for rank in RANKS {
            let square = self.square(rank);
            if let Some(link) = &links.without[1 - at]
                && (!other.is_pawn() || self.squares >> captor & 1 == 1)
            {
                self.put(victim, (block, rank), captor, link.code(victim, kings, &[square; 2]));
            }
            let Some(link) = &links.without[at] else { continue };
            if king == square {
                let codes = link.codes(mover, kings, &[square; 2], 1 - at);
                (0..).zip(codes.0).for_each(|(s, code)| self.put(mover, (block, rank), s, code));
            } else if enemies {
                self.put(mover, (block, rank), square, link.code(mover, kings, &[square; 2]));
            }
        }
        if let (Some(link), true) = (&links.without[at], enemies && other.is_pawn()) {
            let behind = self.square(2);
            self.put(mover, (block, 0), behind, link.code(mover, kings, &[behind; 2]));
        }
    }

    /// Adds the positions of a pair of kings in which one of the two men has just been promoted.
    fn promoted_exits(
        &mut self,
        block: usize,
        kings: [u8; 2],
        at: usize,
        other_file: Option<u8>,
        links: &Links,
    ) {
        let last = self.square(7);
        let side = usize::from(1 - self.pawn.side);
        let squares = |at: usize, [own, other]: [u8; 2]| if at == 0 { [own, other] } else { [other, own] };
        match other_file {
            _ if kings.contains(&last) => {}
            None => {
                let mut codes = [NONE; 64];
                for link in &links.promoted {
                    worse_of_all(&mut codes, &link.codes(side, kings, &[last; 2], 1 - at).0);
                }
                codes[usize::from(last)] = NONE;
                (0..).zip(codes).for_each(|(s, code)| self.put(side, (block, 7), s, code));
            }
            Some(file) => {
                for square in RANKS.map(|rank| 8 * rank + file) {
                    let at = squares(at, [last, square]);
                    let codes = links.promoted.iter().map(|link| link.code(side, kings, &at));
                    self.put(side, (block, 7), square, codes.fold(NONE, worse));
                }
            }
        }
        let Some(file) = other_file else { return };
        let last = 8 * self.other.last_rank() + file;
        let side = usize::from(1 - self.other.side);
        for rank in RANKS.filter(|_| !kings.contains(&last)) {
            let at = squares(at, [self.square(rank), last]);
            let codes = links.other_promoted.iter().map(|link| link.code(side, kings, &at));
            self.put(side, (block, rank), last, codes.fold(NONE, worse));
        }
    }

    /// Returns the captures of the pawn, which leave its file.
    fn captures(&self, at: usize, other_file: Option<u8>, links: &Links) -> Leaving {
        let side = usize::from(1 - self.pawn.side);
        let pairs = self.pairs.kings.len();
        let mut leaving = Leaving {
            cells: vec![WordCodes([NONE; 64]); pairs * 8],
            present: vec![[0; 4]; pairs],
            ..Leaving::default()
        };
        let files = [self.file.checked_sub(1), Some(self.file + 1)].into_iter().flatten();
        let files: Vec<u8> = files.filter(|&file| other_file.is_none_or(|other| other == file)).collect();
        let alone = |rank: u8| match rank {
            // No pawn is on the last rank, to be taken there.
            6 if self.other.is_pawn() => &[][..],
            6 => &links.alone[..],
            _ => links.without[1 - at].as_slice(),
        };
        for (block, &kings) in self.pairs.kings.iter().enumerate() {
            for rank in RANKS.filter(|&rank| !kings.contains(&self.square(rank))) {
                for &file in &files {
                    let target = self.square(rank + 1) - self.file + file;
                    let codes = alone(rank).iter().map(|link| link.code(side, kings, &[target; 2]));
                    let code = if kings.contains(&target) { NONE } else { back(codes.fold(NONE, worse)) };
                    if code == NONE {
                        continue;
                    }
                    let cells = &mut leaving.cells[8 * block + usize::from(rank)].0;
                    cells[usize::from(target)] = code;
                    // A pawn after its double step is taken on its fourth rank, or en passant on its third.
                    if self.other.is_pawn() && (3..5).contains(&rank) {
                        cells[usize::from(8 * self.other.double_rank() + file)] = code;
                    }
                    note(&mut leaving.present[block], code);
                    leaving.longest = leaving.longest.max(u32::from(code).saturating_sub(1));
                }
            }
        }
        leaving
    }
}

impl Superposed for FileLayout {
    fn blocks(&self) -> usize {
        self.pairs.kings.len()
    }

    fn rows(&self) -> usize {
        1
    }

    fn frame(&self, block: usize, legal: [&mut [BitRow]; 2], lost_if_stuck: [&mut [BitRow]; 2]) {
        let (pawn, other, squares) = (self.pawn, self.other, self.pairs.kings[block]);
        let kings = 1u64 << squares[0] | 1 << squares[1];
        let enemy = |man: Man| squares[usize::from(1 - man.side)];
        let view = sights(pawn, enemy(pawn));
        let [legal0, legal1] = legal;
        let [lost0, lost1] = lost_if_stuck;
        for rank in RANKS {
            let (square, lane) = (self.square(rank), usize::from(rank));
            let placed = kings | 1 << square;
            let mut attacked = [0u64; 2];
            attacked[usize::from(other.side)] |= attackers(other, 1 << enemy(other), !placed);
            if view[usize::from(square)].is_some() {
                attacked[usize::from(pawn.side)] = !0;
            }
            let free = if kings >> square & 1 == 0 { self.squares & !placed } else { 0 };
            legal0[0].0[lane] = free & !attacked[0];
            legal1[0].0[lane] = free & !attacked[1];
            lost0[0].0[lane] = attacked[1];
            lost1[0].0[lane] = attacked[0];
        }
        // Double steps: legal for the other side if the pawn's path was free.
        let mut sides = [(legal0, lost0), (legal1, lost1)];
        let (legal, lost) = &mut sides[usize::from(1 - pawn.side)];
        let way = 1u64 << self.square(1) | 1 << self.square(2);
        legal[0].0[0] = if kings & way == 0 { legal[0].0[3] & !way } else { 0 };
        lost[0].0[0] = lost[0].0[3];
        if other.is_pawn() {
            let (legal, lost) = &mut sides[usize::from(1 - other.side)];
            for lane in RANKS.map(usize::from) {
                let placed = kings | self.own.0[lane];
                let way_free = match other.side {
                    0 => !(placed >> 8 | placed >> 16),
                    _ => !(placed << 8 | placed << 16),
                };
                let bits = &mut legal[0].0[lane];
                *bits |= double_steps(other, *bits) & way_free;
                let edge = if other.side == 0 { RANK_1 } else { RANK_8 };
                let bits = &mut lost[0].0[lane];
                *bits = *bits & !edge | double_steps(other, *bits);
            }
        }
    }

    fn fill_exits(&self, _side: usize, _block: usize, _cells: &mut [WordCodes]) {}

    #[inline(always)]
    fn exits<L: Lanes>(
        &self,
        side: usize,
        block: usize,
        which: Exits,
        mut visit: impl FnMut(usize, u64),
    ) -> bool {
        if let Exits::Coded(code) = which
            && !self.has_exits(side, block, code)
        {
            return false;
        }
        for (word, codes) in self.exits[side][8 * block..8 * block + 8].iter().enumerate() {
            let bits = select::<L>(codes, which);
            if bits != 0 {
                visit(word, bits);
            }
        }
        true
    }

    fn has_exits(&self, side: usize, block: usize, code: Code) -> bool {
        has(&self.present[side][block], code)
    }

    fn longest_exit(&self) -> u32 {
        self.longest_exit
    }

    fn leaving(&self, side: usize) -> Option<&Leaving> {
        self.leaving.as_ref().filter(|_| usize::from(self.pawn.side) == side)
    }

    fn resets(&self) -> bool {
        true
    }

    fn reach(&self, side: usize, block: usize, live: &[u64]) -> u64 {
        let steps = &self.pairs.moves[side][block];
        u64::from(live[block] != 0 || steps.iter().any(|step| live[usize::from(step.pair)] != 0))
    }

    fn unmoves(
        &self,
        isa: Isa,
        side: usize,
        block: usize,
        set: &[BitRow],
        reset: Option<&[BitRow]>,
        _live: Option<&[u64]>,
        _groups: u64,
        out: &mut [BitRow],
    ) {
        run_on(isa, Unmoves { layout: self, side, block, set, of_pawns: reset.unwrap_or(set), out });
    }
}

/// The backward moves into a set of positions, in one block.
struct Unmoves<'a> {
    layout: &'a FileLayout,
    side: usize,
    block: usize,
    set: &'a [BitRow],
    /// The target set of pawn moves.
    of_pawns: &'a [BitRow],
    out: &'a mut [BitRow],
}

impl VectorWork for Unmoves<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        /// The first lane, and those from the third on.
        const FIRST: BitRow = BitRow([!0, 0, 0, 0, 0, 0, 0, 0]);
        const PUSHED: BitRow = BitRow([0, 0, !0, !0, !0, !0, !0, !0]);
        let Unmoves { layout, side, block, set, of_pawns, out } = self;
        let FileLayout { pairs, pawn, other, own, taken, .. } = layout;
        let squares = pairs.kings[block];
        let kings = L::splat(1u64 << squares[0] | 1 << squares[1]);
        let mut reached = L::splat(0);
        for step in &pairs.moves[side][block] {
            reached = reached.or(L::load(&set[usize::from(step.pair)]));
        }
        let own = L::load(own);
        let empty = L::splat(!0).without(kings.or(own));
        if usize::from(pawn.side) == side {
            let x = L::load(&of_pawns[block]);
            // A king on the pawn's square: it has just taken the pawn.
            let mut free = BitRow::default();
            L::splat(!0).without(own).store(&mut free);
            for (bits, &square) in free.0.iter_mut().zip(&layout.own.0) {
                if (1u64 << squares[0] | 1 << squares[1]) & square != 0 {
                    *bits = 0;
                }
            }
            let pushed = x.and(L::load(&free)).and(L::load(&PUSHED)).down::<1>();
            reached = reached.or(pushed).or(x.and(L::load(&FIRST)).up::<1>());
        }
        if usize::from(other.side) == side {
            let x = L::load(if other.is_pawn() { &of_pawns[block] } else { &set[block] });
            if x.any() {
                let taken = if pawn.side == other.side { L::splat(0) } else { L::load(taken) };
                reached = reached.or(within_words(*other, x, empty, taken));
            }
        }
        if usize::from(pawn.side) != side {
            // After a double step the moves are those of the pawn on its fourth rank, and the capture.
            reached = reached.or(reached.down::<1>().down::<2>().and(L::load(&FIRST)));
        }
        if other.is_pawn() && usize::from(other.side) != side {
            reached = reached.or(double_steps(*other, reached));
        }
        reached.store(&mut out[0]);
    }
}
