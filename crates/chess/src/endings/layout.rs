//! An ending, or a slice of one, laid out for the bit-parallel method: legal positions, exits, and backward moves.

use std::ops::Range;

use cozy_chess::{
    Color, Square, get_between_rays, get_bishop_rays, get_knight_moves, get_pawn_attacks, get_rook_rays,
};

use super::arrangement::Arrangement;
use super::exits::{Captured, Promoted, takes};
use super::fixed_pawn::FixedPawn;
use super::man::{Man, RANK_1, RANK_8};
use super::pairs::{turned, unturned};
use super::unmoves::{self, OWN_BIT, Plane};
use grundy_tables::superposed::{
    BitBoards, BitRow, Code, Exits, Isa, Lanes, Leaving, Superposed, VectorWork, WordCodes, run_on,
};

/// An ending laid out as a whole, or a slice of one.
pub struct Planes {
    pub(super) arrangement: Arrangement,
    pub(super) captured: [Vec<Captured>; 2],
    pub(super) promoted: [Vec<Promoted>; 2],
    longest_exit: u32,
    pub(super) fixed_pawn: Option<FixedPawn>,
    /// Captures by pawns between the man of the words and the man of the bits, in the form that backward moves need.
    takes: [Plane; 2],
}

impl Planes {
    /// Returns the layout of these men, without exits yet.
    pub(super) fn new(arrangement: Arrangement, longest_exit: u32) -> Planes {
        let takes = takes(&arrangement.men);
        let (captured, promoted) = Default::default();
        Planes { arrangement, captured, promoted, longest_exit, fixed_pawn: None, takes }
    }

    fn kings(&self, block: usize) -> ([u8; 2], u64) {
        let kings = self.arrangement.pairs.kings[block];
        (kings, 1 << kings[0] | 1 << kings[1])
    }

    /// Returns the fixed pawn and its square.
    fn still(&self) -> Option<(Man, usize)> {
        self.fixed_pawn.as_ref().map(|fixed_pawn| (fixed_pawn.pawn, usize::from(fixed_pawn.square)))
    }

    fn own_rows(&self, block: usize) -> Range<usize> {
        let rows = self.arrangement.rows();
        block * rows..(block + 1) * rows
    }

    /// Adds the backward moves of the men of one plane: of pieces from the first plane given, of pawns from the second.
    /// `outer` is the square of the third man.
    #[inline(always)]
    fn plane_unmoves<L: Lanes>(
        &self,
        side: u8,
        kings: u64,
        outer: Option<(Man, usize)>,
        [from, of_pawns]: [&Plane; 2],
        out: &mut Plane,
    ) {
        let [.., lane, word] = self.arrangement.men[..] else { return };
        let outer_bit = outer.map_or(0, |(_, s)| 1u64 << s);
        let enemy_outer = outer.is_some_and(|(man, _)| man.side != side);
        if lane.side == side {
            let mut free = OWN_BIT;
            for (r, row) in free.iter_mut().enumerate() {
                for (f, bits) in row.0.iter_mut().enumerate() {
                    let s = 8 * r + f;
                    *bits = if (kings | outer_bit) >> s & 1 == 1 { 0 } else { !*bits };
                }
            }
            let mut taken = self.takes[0];
            if let Some((_, s)) = outer.filter(|_| enemy_outer) {
                taken[s / 8].0[s % 8] = !0;
            }
            let from = if lane.is_pawn() { of_pawns } else { from };
            unmoves::between_words::<L>(lane, from, &free, &taken, out);
        }
        if word.side == side {
            let occupied = L::splat(kings | outer_bit);
            let from = if word.is_pawn() { of_pawns } else { from };
            for r in 0..8 {
                let x = L::load(&from[r]);
                if x.any() {
                    let own = L::load(&OWN_BIT[r]);
                    let mut taken = L::load(&self.takes[1][r]);
                    if word.is_pawn() && enemy_outer {
                        taken = taken.or(L::splat(outer_bit));
                    }
                    let empty = L::splat(!0).without(occupied.or(own));
                    let y = unmoves::within_words(word, x, empty, taken);
                    L::load(&out[r]).or(y).store(&mut out[r]);
                }
            }
        }
    }

    /// Copies the moves of positions without the right to capture en passant to those with it.
    #[inline(always)]
    fn copy_to_double_steps<L: Lanes>(&self, side: u8, plane: &mut Plane) {
        let [.., lane, word] = self.arrangement.men[..] else { return };
        if lane.is_pawn() && lane.side != side {
            let (double, fourth) = if lane.side == 0 { (0, 3) } else { (7, 4) };
            let x = L::load(&plane[double]).or(L::load(&plane[fourth]));
            x.store(&mut plane[double]);
        }
        if word.is_pawn() && word.side != side {
            for row in plane {
                let x = L::load(row);
                x.or(double_steps(word, x)).store(row);
            }
        }
    }
}

/// Returns the words of a pawn's fourth rank, moved to the rank that encodes its double step; all other bits are 0.
#[inline(always)]
pub(super) fn double_steps<B: BitBoards>(pawn: Man, x: B) -> B {
    if pawn.side == 0 { x.shr::<24>().and(B::splat(RANK_1)) } else { x.shl::<24>().and(B::splat(RANK_8)) }
}

/// Returns, by square of a man, the squares between it and the king if it could attack the king (none for knights,
/// pawns and neighbours), else `None`.
pub(super) fn sights(man: Man, king: u8) -> [Option<u64>; 64] {
    let king = Square::index(usize::from(king));
    std::array::from_fn(|s| {
        let square = Square::index(s);
        let line = get_rook_rays(square).has(king);
        let diagonal = get_bishop_rays(square).has(king);
        let color = Color::ALL[usize::from(man.side)];
        let sees = match man.kind {
            0 => line || diagonal,
            1 => line,
            2 => diagonal,
            3 => get_knight_moves(square).has(king),
            _ => get_pawn_attacks(square, color).has(king),
        };
        sees.then(|| get_between_rays(square, king).0 & if man.kind < 3 { !0 } else { 0 })
    })
}

/// Returns the squares from which a man attacks a king through empty squares.
#[inline(always)]
pub(super) fn attackers(man: Man, king: u64, empty: u64) -> u64 {
    match man.kind {
        0 => king.rook(empty) | king.bishop(empty),
        1 => king.rook(empty),
        2 => king.bishop(empty),
        3 => king.knight(),
        _ if man.side == 0 => king.down_diagonals(),
        _ => king.up_diagonals(),
    }
}

impl Superposed for Planes {
    fn blocks(&self) -> usize {
        self.arrangement.pairs.kings.len()
    }

    fn rows(&self) -> usize {
        self.arrangement.rows()
    }

    fn frame(&self, block: usize, legal: [&mut [BitRow]; 2], lost_if_stuck: [&mut [BitRow]; 2]) {
        let (squares, kings) = self.kings(block);
        let men = &self.arrangement.men;
        let enemy = |man: Man| squares[usize::from(1 - man.side)];
        let Some((&word, others)) = men.split_last() else { return };
        let views: Vec<[Option<u64>; 64]> = others.iter().map(|&man| sights(man, enemy(man))).collect();
        let target = 1u64 << enemy(word);
        let [legal0, legal1] = legal;
        let [lost0, lost1] = lost_if_stuck;
        // Occupied squares in all positions of the block.
        let mut still = kings;
        let mut vacant = true;
        let mut checked = [0u64; 2];
        if let Some((pawn, s)) = self.still() {
            vacant = kings >> s & 1 == 0;
            still |= 1 << s;
            if sights(pawn, enemy(pawn))[s].is_some() {
                checked[usize::from(pawn.side)] = !0;
            }
        }
        let mut on_board = |number: usize, own: &[u8]| {
            let mut placed = still;
            let mut possible = vacant;
            for (&man, &s) in others.iter().zip(own) {
                possible &= placed >> s & 1 == 0 && (!man.is_pawn() || (8..56).contains(&s));
                placed |= 1 << s;
            }
            // By side: the squares of the last man from which that side attacks the other's king.
            let mut attacked = checked;
            attacked[usize::from(word.side)] |= attackers(word, target, !placed);
            for ((&man, &s), view) in others.iter().zip(own).zip(&views) {
                if let Some(between) = view[usize::from(s)]
                    && between & placed == 0
                {
                    attacked[usize::from(man.side)] |= !between;
                }
            }
            let mut squares = if possible { !placed } else { 0 };
            if word.is_pawn() {
                squares &= !(RANK_1 | RANK_8);
            }
            let (r, f) = (number / 8, number % 8);
            legal0[r].0[f] = squares & !attacked[0];
            legal1[r].0[f] = squares & !attacked[1];
            lost0[r].0[f] = attacked[1];
            lost1[r].0[f] = attacked[0];
        };
        match others.len() {
            0 => on_board(0, &[]),
            1 => (0..64).for_each(|s| on_board(usize::from(s), &[s])),
            _ => (0..64u8).for_each(|a| {
                (0..64u8).for_each(|b| on_board(usize::from(a) * 64 + usize::from(b), &[a, b]))
            }),
        }
        // Double steps: legal for the other side if the pawn's path was free; exits need nothing here. There are two
        // men at most, since endings of three with pawns come in slices.
        let mut sides = [(legal0, lost0), (legal1, lost1)];
        if let [lane] = others
            && lane.is_pawn()
        {
            let (legal, lost) = &mut sides[usize::from(1 - lane.side)];
            let (double, way, fourth) = if lane.side == 0 { (0, [1, 2], 3) } else { (7, [6, 5], 4) };
            for f in 0..8 {
                let way = way.map(|r| 1u64 << (8 * r + f)).iter().fold(0, |a, b| a | b);
                legal[double].0[f] = if still & way == 0 { legal[fourth].0[f] & !way } else { 0 };
                lost[double].0[f] = lost[fourth].0[f];
            }
        }
        if word.is_pawn() {
            let (legal, lost) = &mut sides[usize::from(1 - word.side)];
            for r in 0..legal.len() {
                if others.last().is_some_and(|man| man.is_pawn()) && (r % 8 == 0 || r % 8 == 7) {
                    continue;
                }
                for f in 0..8 {
                    let placed = still | if others.is_empty() { 0 } else { 1 << (8 * r + f) };
                    let way_free = if word.side == 0 {
                        !(placed >> 8 | placed >> 16)
                    } else {
                        !(placed << 8 | placed << 16)
                    };
                    let bits = &mut legal[r].0[f];
                    *bits |= double_steps(word, *bits) & way_free;
                    let bits = &mut lost[r].0[f];
                    let edge = if word.side == 0 { RANK_1 } else { RANK_8 };
                    *bits = *bits & !edge | double_steps(word, *bits);
                }
            }
        }
    }

    fn fill_exits(&self, side: usize, block: usize, cells: &mut [WordCodes]) {
        for promoted in &self.promoted[side] {
            promoted.fill(&self.arrangement.men, block, cells);
        }
    }

    #[inline(always)]
    fn exits<L: Lanes>(
        &self,
        side: usize,
        block: usize,
        which: Exits,
        mut visit: impl FnMut(usize, u64),
    ) -> bool {
        let captor_king = self.arrangement.pairs.kings[block][1 - side];
        let mut any = false;
        for captured in &self.captured[side] {
            any |= captured.visit::<L>(&self.arrangement.men, block, captor_king, which, &mut visit);
        }
        for promoted in &self.promoted[side] {
            any |= promoted.visit::<L>(&self.arrangement.men, block, which, &mut visit);
        }
        if let Some(fixed_pawn) = self.fixed_pawn.as_ref().filter(|s| usize::from(s.pawn.side) == side) {
            any |= fixed_pawn.taken.visit::<L>(block, which, &mut visit);
        }
        any
    }

    fn has_exits(&self, side: usize, block: usize, code: Code) -> bool {
        let taken = self.fixed_pawn.as_ref().filter(|s| usize::from(s.pawn.side) == side);
        self.captured[side].iter().any(|captured| captured.has(block, code))
            || self.promoted[side].iter().any(|promoted| promoted.has(block, code))
            || taken.is_some_and(|fixed_pawn| fixed_pawn.taken.has(block, code))
    }

    fn leaving(&self, side: usize) -> Option<&Leaving> {
        let fixed_pawn = self.fixed_pawn.as_ref().filter(|s| usize::from(s.pawn.side) == side);
        fixed_pawn.map(|fixed_pawn| &fixed_pawn.leaving)
    }

    fn longest_exit(&self) -> u32 {
        self.longest_exit
    }

    fn resets(&self) -> bool {
        self.arrangement.men.iter().any(|man| man.is_pawn())
    }

    fn reach(&self, side: usize, block: usize, live: &[u64]) -> u64 {
        let (_, kings) = self.kings(block);
        let steps = &self.arrangement.pairs.moves[side][block];
        let [outer, _, _] = self.arrangement.men[..] else {
            if self.still().is_some_and(|(_, s)| kings >> s & 1 == 1) {
                return 0;
            }
            let any = live[block] != 0 || steps.iter().any(|step| live[usize::from(step.pair)] != 0);
            return u64::from(any);
        };
        // With three men a group is a plane, so that a word of groups is a board of the outer man's squares.
        let mut groups = live[block];
        if usize::from(outer.side) == side {
            groups |= unmoves::within_words(outer, live[block], !kings, 0);
        }
        steps.iter().fold(groups, |groups, step| groups | unturned(step.turn, live[usize::from(step.pair)]))
    }

    fn unmoves(
        &self,
        isa: Isa,
        side: usize,
        block: usize,
        set: &[BitRow],
        reset: Option<&[BitRow]>,
        live: Option<&[u64]>,
        groups: u64,
        out: &mut [BitRow],
    ) {
        run_on(isa, Unmoves { layout: self, side, block, set, reset, live, groups, out });
    }
}

/// The backward moves into a set of positions, in one block.
struct Unmoves<'a> {
    layout: &'a Planes,
    side: usize,
    block: usize,
    set: &'a [BitRow],
    /// The target set of pawn moves, if it is another set.
    reset: Option<&'a [BitRow]>,
    live: Option<&'a [u64]>,
    groups: u64,
    out: &'a mut [BitRow],
}

impl VectorWork for Unmoves<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Unmoves { layout, side, block, set, reset, live, groups, out } = self;
        let (_, kings) = layout.kings(block);
        let here = &set[layout.own_rows(block)];
        let of_pawns = reset.map_or(here, |reset| &reset[layout.own_rows(block)]);
        let alive = |pair: usize| live.map_or(!0, |live| live[pair]);
        let steps = &layout.arrangement.pairs.moves[side][block];
        let mover = side as u8;
        match layout.arrangement.men[..] {
            [] => {}
            [word] => {
                let mut y = 0;
                for step in steps {
                    if alive(usize::from(step.pair)) != 0 {
                        y |= unturned(step.turn, set[usize::from(step.pair)].0[0]);
                    }
                }
                if word.side == mover {
                    let from = if word.is_pawn() { of_pawns } else { here };
                    y |= unmoves::within_words(word, from[0].0[0], !kings, 0);
                } else if word.is_pawn() {
                    y |= double_steps(word, y);
                }
                out[0].0[0] = y;
            }
            [.., lane, word] => {
                // With two men a block is one plane, and there is no outer man.
                let outer = if layout.arrangement.men.len() > 2 {
                    layout.arrangement.men.first().copied()
                } else {
                    None
                };
                let count = out.len() / 8;
                let planes = |of: u64| (0..count).filter(move |s| of >> s & 1 == 1);
                // The outer man cannot be on a king's square.
                let inner = if outer.is_some() { groups & !kings } else { groups };
                for s in planes(groups) {
                    *plane_mut(out, s) = [BitRow::default(); 8];
                }
                for step in steps {
                    let pair = usize::from(step.pair);
                    let from = &set[layout.own_rows(pair)];
                    if outer.is_none() {
                        if alive(pair) != 0 {
                            unmoves::pull::<L>(step.turn, plane(from, 0), plane_mut(out, 0));
                        }
                        continue;
                    }
                    for s in planes(inner & unturned(step.turn, alive(pair))) {
                        let s1 = usize::from(turned(step.turn, s as u8));
                        unmoves::pull::<L>(step.turn, plane(from, s1), plane_mut(out, s));
                    }
                }
                let own = alive(block);
                for s in planes(inner & own) {
                    let outer = outer.map(|man| (man, s)).or(layout.still());
                    layout.plane_unmoves::<L>(
                        mover,
                        kings,
                        outer,
                        [plane(here, s), plane(of_pawns, s)],
                        plane_mut(out, s),
                    );
                }
                if let Some(outer) = outer.filter(|outer| outer.side == mover && own != 0) {
                    unmoves::between_planes::<L>(outer, here, kings, own, groups, out);
                }
                if [lane, word].iter().any(|man| man.is_pawn() && man.side != mover) {
                    for s in planes(groups) {
                        layout.copy_to_double_steps::<L>(mover, plane_mut(out, s));
                    }
                }
            }
        }
    }
}

#[inline(always)]
fn plane(rows: &[BitRow], number: usize) -> &Plane {
    rows[8 * number..8 * number + 8].try_into().expect("eight rows are a plane")
}

#[inline(always)]
fn plane_mut(rows: &mut [BitRow], number: usize) -> &mut Plane {
    (&mut rows[8 * number..8 * number + 8]).try_into().expect("eight rows are a plane")
}
