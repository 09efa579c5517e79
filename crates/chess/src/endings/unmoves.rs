//! Backward moves on whole words: the last man moves within its word, the one before it between the 64 words of a
//! plane, a third between planes, and a king by mapping the plane of another pair of kings through a symmetry.
// Rows are addressed by rank, with neighbours above and below: indices are clearer than iterators here.
#![allow(clippy::needless_range_loop)]

use super::man::{Man, PAWN, RANK_1, RANK_8};
use grundy_core::bits::indices;
use grundy_tables::superposed::{BitBoards, BitRow, Lanes};

/// The words by the squares of one man: eight rows by rank, eight words by file.
pub type Plane = [BitRow; 8];

/// The bit of each word's own square, by rank and file.
pub const OWN_BIT: Plane = {
    let mut plane = [BitRow([0; 8]); 8];
    let mut s = 0;
    while s < 64 {
        plane[s / 8].0[s % 8] = 1 << s;
        s += 1;
    }
    plane
};

/// Adds the positions of another pair's plane that a king's move reaches through this symmetry.
#[inline(always)]
pub fn pull<L: Lanes>(turn: u8, from: &Plane, out: &mut Plane) {
    match turn {
        0 => pull_by::<L, 0>(from, out),
        1 => pull_by::<L, 1>(from, out),
        2 => pull_by::<L, 2>(from, out),
        3 => pull_by::<L, 3>(from, out),
        4 => pull_by::<L, 4>(from, out),
        5 => pull_by::<L, 5>(from, out),
        6 => pull_by::<L, 6>(from, out),
        _ => pull_by::<L, 7>(from, out),
    }
}

#[inline(always)]
fn pull_by<L: Lanes, const TURN: u8>(from: &Plane, out: &mut Plane) {
    for r in 0..8 {
        let r1 = if TURN & 2 != 0 { 7 - r } else { r };
        let mut v = if TURN & 4 == 0 { L::load(&from[r1]) } else { L::column(from, r1) };
        if TURN & 1 != 0 {
            v = v.reverse();
        }
        v = super::pairs::unturned(TURN, v);
        L::load(&out[r]).or(v).store(&mut out[r]);
    }
}

/// Adds the backward moves of the man of the words; `free` are the bits that coincide with no man.
#[inline(always)]
pub fn between_words<L: Lanes>(man: Man, from: &Plane, free: &Plane, taken: &Plane, out: &mut Plane) {
    match man.kind {
        0 => {
            lines::<L>(from, free, out);
            diagonals::<L>(from, free, out);
        }
        1 => lines::<L>(from, free, out),
        2 => diagonals::<L>(from, free, out),
        3 => {
            for r in 0..8 {
                let mut v = L::splat(0);
                if r >= 1 {
                    let x = L::load(&from[r - 1]);
                    v = v.or(x.up::<2>()).or(x.down::<2>());
                }
                if r <= 6 {
                    let x = L::load(&from[r + 1]);
                    v = v.or(x.up::<2>()).or(x.down::<2>());
                }
                if r >= 2 {
                    let x = L::load(&from[r - 2]);
                    v = v.or(x.up::<1>()).or(x.down::<1>());
                }
                if r <= 5 {
                    let x = L::load(&from[r + 2]);
                    v = v.or(x.up::<1>()).or(x.down::<1>());
                }
                L::load(&out[r]).or(v).store(&mut out[r]);
            }
        }
        _ => {
            // Origin of the pawn: one rank back, or beside that if it took; from its first rank, which encodes a double
            // step that may be taken en passant, to the second.
            let white = man.side == 0;
            for step in 2..8 {
                let r = if white { step } else { 7 - step };
                let back = if white { r - 1 } else { r + 1 };
                let x = L::load(&from[r]);
                let took = x.and(L::load(&taken[r]));
                let v = x.and(L::load(&free[r])).or(took.up::<1>()).or(took.down::<1>());
                L::load(&out[back]).or(v).store(&mut out[back]);
            }
            let (double, second) = if white { (0, 1) } else { (7, 6) };
            L::load(&out[second]).or(L::load(&from[double])).store(&mut out[second]);
        }
    }
}

#[inline(always)]
fn lines<L: Lanes>(from: &Plane, free: &Plane, out: &mut Plane) {
    let mut up = L::splat(0);
    let mut down = L::splat(0);
    for i in 1..8 {
        up = up.or(L::load(&from[i - 1])).and(L::load(&free[i]));
        L::load(&out[i]).or(up).store(&mut out[i]);
        let j = 7 - i;
        down = down.or(L::load(&from[j + 1])).and(L::load(&free[j]));
        L::load(&out[j]).or(down).store(&mut out[j]);
    }
    for r in 0..8 {
        let x = L::load(&from[r]);
        let m = L::load(&free[r]);
        let (mut g, mut p) = (x, m);
        g = g.or(p.and(g.up::<1>()));
        p = p.and(p.up::<1>());
        g = g.or(p.and(g.up::<2>()));
        p = p.and(p.up::<2>());
        g = g.or(p.and(g.up::<4>()));
        let east = g.up::<1>();
        (g, p) = (x, m);
        g = g.or(p.and(g.down::<1>()));
        p = p.and(p.down::<1>());
        g = g.or(p.and(g.down::<2>()));
        p = p.and(p.down::<2>());
        g = g.or(p.and(g.down::<4>()));
        L::load(&out[r]).or(m.and(east.or(g.down::<1>()))).store(&mut out[r]);
    }
}

#[inline(always)]
fn diagonals<L: Lanes>(from: &Plane, free: &Plane, out: &mut Plane) {
    let mut up = [L::splat(0); 2];
    let mut down = [L::splat(0); 2];
    for i in 1..8 {
        let (x, m) = (L::load(&from[i - 1]), L::load(&free[i]));
        up = [up[0].or(x).up::<1>().and(m), up[1].or(x).down::<1>().and(m)];
        L::load(&out[i]).or(up[0]).or(up[1]).store(&mut out[i]);
        let j = 7 - i;
        let (x, m) = (L::load(&from[j + 1]), L::load(&free[j]));
        down = [down[0].or(x).up::<1>().and(m), down[1].or(x).down::<1>().and(m)];
        L::load(&out[j]).or(down[0]).or(down[1]).store(&mut out[j]);
    }
}

/// Returns the moves of the man whose squares are the bits; `empty` are the squares without a man, `taken` those where
/// it can have taken one.
#[inline(always)]
pub fn within_words<B: BitBoards>(man: Man, from: B, empty: B, taken: B) -> B {
    match man.kind {
        0 => from.rook(empty).or(from.bishop(empty)),
        1 => from.rook(empty),
        2 => from.bishop(empty),
        3 => from.knight(),
        _ if man.side == 0 => {
            let landed = from.and(B::splat(!0xffff));
            let pushed = landed.and(empty).shr::<8>().or(from.and(B::splat(RANK_1)).shl::<8>());
            pushed.or(landed.and(taken).down_diagonals())
        }
        _ => {
            let landed = from.and(B::splat(!0 >> 16));
            let pushed = landed.and(empty).shl::<8>().or(from.and(B::splat(RANK_8)).shr::<8>());
            pushed.or(landed.and(taken).up_diagonals())
        }
    }
}

/// Adds the moves of the man of the planes to some planes. `busy` is the set of planes of `from` that have bits.
#[inline(always)]
pub fn between_planes<L: Lanes>(
    man: Man,
    from: &[BitRow],
    kings: u64,
    busy: u64,
    wanted: u64,
    out: &mut [BitRow],
) {
    const STEPS: [(i8, i8); 8] = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)];
    const KNIGHT: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
    debug_assert!(man.kind != PAWN, "a pawn never stands for the planes");
    if man.kind == 3 {
        for s in indices(busy) {
            for (df, dr) in KNIGHT {
                if let Some(t) = stepped(s, df, dr)
                    && wanted & !kings & 1 << t != 0
                {
                    for r in 0..8 {
                        let to = &mut out[8 * t + r];
                        L::load(to).or(L::load(&from[8 * s + r])).store(to);
                    }
                }
            }
        }
        return;
    }
    let steps = match man.kind {
        0 => &STEPS[..],
        1 => &STEPS[..4],
        _ => &STEPS[4..],
    };
    for &(df, dr) in steps {
        for start in (0..64usize).filter(|&s| stepped(s, -df, -dr).is_none()) {
            let mut moving = [L::splat(0); 8];
            let mut any = false;
            let mut s = start;
            loop {
                if busy >> s & 1 == 1 {
                    for r in 0..8 {
                        moving[r] = moving[r].or(L::load(&from[8 * s + r]));
                    }
                    any = true;
                }
                let Some(next) = stepped(s, df, dr) else { break };
                s = next;
                if !any {
                    continue;
                }
                if kings >> s & 1 == 1 {
                    moving = [L::splat(0); 8];
                    any = false;
                    continue;
                }
                let others = L::splat(!(1 << s));
                for r in 0..8 {
                    moving[r] = moving[r].and(others);
                }
                let mut keep = BitRow([!0; 8]);
                keep.0[s % 8] = 0;
                moving[s / 8] = moving[s / 8].and(L::load(&keep));
                if wanted >> s & 1 == 1 {
                    for r in 0..8 {
                        let to = &mut out[8 * s + r];
                        L::load(to).or(moving[r]).store(to);
                    }
                }
            }
        }
    }
}

#[inline(always)]
fn stepped(square: usize, df: i8, dr: i8) -> Option<usize> {
    let (f, r) = ((square % 8) as i8 + df, (square / 8) as i8 + dr);
    ((0..8).contains(&f) && (0..8).contains(&r)).then_some((8 * r + f) as usize)
}
