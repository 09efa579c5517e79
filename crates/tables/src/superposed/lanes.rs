//! Operations on words seen as boards of 8 by 8 bits, one at a time or eight at once.
//!
//! Bit `8 * r + f` is the square on file `f` (0 to 7) of rank `r`.

use std::marker::PhantomData;

use super::words::{BitRow, WordCodes};

const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// One or several words, each a board of 8 by 8 bits, on which the same operations are done.
pub trait BitBoards: Copy {
    /// Returns the same word everywhere.
    fn splat(word: u64) -> Self;
    /// Returns `self & other`.
    fn and(self, other: Self) -> Self;
    /// Returns `self | other`.
    fn or(self, other: Self) -> Self;
    /// Returns `self ^ other`.
    fn xor(self, other: Self) -> Self;
    /// Returns `self & !other`.
    fn without(self, other: Self) -> Self;
    /// Shifts every word towards higher bits.
    fn shl<const N: u32>(self) -> Self;
    /// Shifts every word towards lower bits.
    fn shr<const N: u32>(self) -> Self;

    /// Mirrors the boards left to right.
    #[inline(always)]
    fn flip_files(self) -> Self {
        let x = swap::<Self, 1>(self, 0x5555_5555_5555_5555);
        let x = swap::<Self, 2>(x, 0x3333_3333_3333_3333);
        swap::<Self, 4>(x, 0x0f0f_0f0f_0f0f_0f0f)
    }

    /// Mirrors the boards bottom to top.
    #[inline(always)]
    fn flip_ranks(self) -> Self {
        let x = swap::<Self, 8>(self, 0x00ff_00ff_00ff_00ff);
        let x = swap::<Self, 16>(x, 0x0000_ffff_0000_ffff);
        x.shr::<32>().or(x.shl::<32>())
    }

    /// Mirrors the boards at the diagonal from the lowest bit to the highest.
    #[inline(always)]
    fn transpose(self) -> Self {
        let x = delta::<Self, 28>(self, 0x0f0f_0f0f_0000_0000);
        let x = delta::<Self, 14>(x, 0x3333_0000_3333_0000);
        delta::<Self, 7>(x, 0x5500_5500_5500_5500)
    }

    /// Returns the squares that a rook on one of these squares attacks through empty squares, the first occupied one
    /// included.
    #[inline(always)]
    fn rook(self, empty: Self) -> Self {
        rook(self, empty)
    }

    /// Returns the squares that a bishop attacks, likewise.
    #[inline(always)]
    fn bishop(self, empty: Self) -> Self {
        bishop(self, empty)
    }

    /// Returns the squares that a knight on one of these squares attacks.
    #[inline(always)]
    fn knight(self) -> Self {
        knight(self)
    }

    /// Returns the squares diagonally above.
    #[inline(always)]
    fn up_diagonals(self) -> Self {
        let right = self.shl::<9>().and(Self::splat(NOT_A));
        right.or(self.shl::<7>().and(Self::splat(NOT_H)))
    }

    /// Returns the squares diagonally below.
    #[inline(always)]
    fn down_diagonals(self) -> Self {
        let right = self.shr::<7>().and(Self::splat(NOT_A));
        right.or(self.shr::<9>().and(Self::splat(NOT_H)))
    }
}

#[inline(always)]
fn rook<B: BitBoards>(g: B, empty: B) -> B {
    let p = empty;
    let east = p.and(B::splat(NOT_A));
    let west = p.and(B::splat(NOT_H));
    let a = spread_up::<B, 8, 16, 32>(g, p).shl::<8>();
    let b = spread_down::<B, 8, 16, 32>(g, p).shr::<8>();
    let c = spread_up::<B, 1, 2, 4>(g, east).shl::<1>().and(B::splat(NOT_A));
    let d = spread_down::<B, 1, 2, 4>(g, west).shr::<1>().and(B::splat(NOT_H));
    a.or(b).or(c.or(d))
}

#[inline(always)]
fn bishop<B: BitBoards>(g: B, empty: B) -> B {
    let east = empty.and(B::splat(NOT_A));
    let west = empty.and(B::splat(NOT_H));
    let a = spread_up::<B, 9, 18, 36>(g, east).shl::<9>().and(B::splat(NOT_A));
    let b = spread_down::<B, 7, 14, 28>(g, east).shr::<7>().and(B::splat(NOT_A));
    let c = spread_up::<B, 7, 14, 28>(g, west).shl::<7>().and(B::splat(NOT_H));
    let d = spread_down::<B, 9, 18, 36>(g, west).shr::<9>().and(B::splat(NOT_H));
    a.or(b).or(c.or(d))
}

#[inline(always)]
fn knight<B: BitBoards>(g: B) -> B {
    let left1 = g.shr::<1>().and(B::splat(NOT_H));
    let right1 = g.shl::<1>().and(B::splat(NOT_A));
    let left2 = g.shr::<2>().and(B::splat(0x3f3f_3f3f_3f3f_3f3f));
    let right2 = g.shl::<2>().and(B::splat(0xfcfc_fcfc_fcfc_fcfc));
    let (one, two) = (left1.or(right1), left2.or(right2));
    one.shl::<16>().or(one.shr::<16>()).or(two.shl::<8>().or(two.shr::<8>()))
}

/// Exchanges adjacent groups of `N` bits.
#[inline(always)]
fn swap<B: BitBoards, const N: u32>(x: B, mask: u64) -> B {
    let mask = B::splat(mask);
    x.shr::<N>().and(mask).or(x.and(mask).shl::<N>())
}

/// Exchanges the bits of the mask with those `N` below them.
#[inline(always)]
fn delta<B: BitBoards, const N: u32>(x: B, mask: u64) -> B {
    let t = x.xor(x.shl::<N>()).and(B::splat(mask));
    x.xor(t.xor(t.shr::<N>()))
}

/// Kogge-Stone fill: the squares reached from `g` by steps of `A` upwards within `p` (`B = 2A`, `C = 4A`).
#[inline(always)]
fn spread_up<T: BitBoards, const A: u32, const B: u32, const C: u32>(g: T, p: T) -> T {
    let g = g.or(p.and(g.shl::<A>()));
    let p = p.and(p.shl::<A>());
    let g = g.or(p.and(g.shl::<B>()));
    let p = p.and(p.shl::<B>());
    g.or(p.and(g.shl::<C>()))
}

/// The same downwards.
#[inline(always)]
fn spread_down<T: BitBoards, const A: u32, const B: u32, const C: u32>(g: T, p: T) -> T {
    let g = g.or(p.and(g.shr::<A>()));
    let p = p.and(p.shr::<A>());
    let g = g.or(p.and(g.shr::<B>()));
    let p = p.and(p.shr::<B>());
    g.or(p.and(g.shr::<C>()))
}

impl BitBoards for u64 {
    #[inline(always)]
    fn splat(word: u64) -> u64 {
        word
    }
    #[inline(always)]
    fn and(self, other: u64) -> u64 {
        self & other
    }
    #[inline(always)]
    fn or(self, other: u64) -> u64 {
        self | other
    }
    #[inline(always)]
    fn xor(self, other: u64) -> u64 {
        self ^ other
    }
    #[inline(always)]
    fn without(self, other: u64) -> u64 {
        self & !other
    }
    #[inline(always)]
    fn shl<const N: u32>(self) -> u64 {
        self << N
    }
    #[inline(always)]
    fn shr<const N: u32>(self) -> u64 {
        self >> N
    }
    #[inline(always)]
    fn flip_ranks(self) -> u64 {
        self.swap_bytes()
    }
}

/// Eight words at once, with the operations on whole rows of them.
pub trait Lanes: BitBoards {
    /// Loads the words of a row.
    fn load(row: &BitRow) -> Self;
    /// Stores the words in a row.
    fn store(self, row: &mut BitRow);
    /// Word `i` of the result is word `8 * i + column` of eight rows.
    fn column(rows: &[BitRow; 8], column: usize) -> Self;
    /// Word `i` of the result is word `i - K`; zeros enter.
    fn up<const K: usize>(self) -> Self;
    /// Word `i` of the result is word `i + K`; zeros enter.
    fn down<const K: usize>(self) -> Self;
    /// The words in reverse order.
    fn reverse(self) -> Self;
    /// Reports whether any bit is set.
    fn any(self) -> bool;
    /// Returns the words that have any bit set, as a mask.
    fn busy(self) -> u8;
    /// Adds the words of the other, with wrap-around.
    fn add(self, other: Self) -> Self;
    /// Multiplies the two halves of every word.
    fn halves(self) -> Self;
    /// Returns ones in every bit of the words whose bit `bit` (0 to 63) is set, zeros in the others.
    fn having(self, bit: u32) -> Self;
    /// Returns ones in every bit of the words that are equal, zeros in the others.
    fn equal(self, other: Self) -> Self;
    /// Adds the bits of `bits` in every word in which `a` and `b` are equal.
    fn note(self, a: Self, b: Self, bits: Self) -> Self;
    /// Writes a code to the cells of these bits.
    fn mark(cells: &mut WordCodes, bits: u64, code: u8);
    /// Returns the bits whose cells hold a code.
    fn coded(cells: &WordCodes, code: u8) -> u64;
}

/// Eight words by portable operations. Those on cells, the slowest ones, are the methods of `C`.
#[derive(Clone, Copy)]
pub struct Words<C>([u64; 8], PhantomData<C>);

/// The operations on the cells of one word.
pub trait Cells: Copy {
    /// True if the attacks of pieces are called rather than repeated wherever they are used.
    const CALLS: bool = false;

    /// Writes a code to the cells of these bits.
    fn mark(cells: &mut WordCodes, bits: u64, code: u8);
    /// Returns the bits whose cells hold a code.
    fn coded(cells: &WordCodes, code: u8) -> u64;
}

/// Cells one at a time.
#[derive(Clone, Copy)]
pub struct Single;

/// Eight words without instructions of their own.
pub type Portable = Words<Single>;

impl<C: Cells> BitBoards for Words<C> {
    #[inline(always)]
    fn splat(word: u64) -> Self {
        Words([word; 8], PhantomData)
    }
    #[inline(always)]
    fn and(mut self, other: Self) -> Self {
        for i in 0..8 {
            self.0[i] &= other.0[i];
        }
        self
    }
    #[inline(always)]
    fn or(mut self, other: Self) -> Self {
        for i in 0..8 {
            self.0[i] |= other.0[i];
        }
        self
    }
    #[inline(always)]
    fn xor(mut self, other: Self) -> Self {
        for i in 0..8 {
            self.0[i] ^= other.0[i];
        }
        self
    }
    #[inline(always)]
    fn without(mut self, other: Self) -> Self {
        for i in 0..8 {
            self.0[i] &= !other.0[i];
        }
        self
    }
    #[inline(always)]
    fn shl<const N: u32>(mut self) -> Self {
        for i in 0..8 {
            self.0[i] <<= N;
        }
        self
    }
    #[inline(always)]
    fn shr<const N: u32>(mut self) -> Self {
        for i in 0..8 {
            self.0[i] >>= N;
        }
        self
    }
    #[inline(always)]
    fn rook(self, empty: Self) -> Self {
        if const { C::CALLS } { called_rook(self, empty) } else { rook(self, empty) }
    }
    #[inline(always)]
    fn bishop(self, empty: Self) -> Self {
        if const { C::CALLS } { called_bishop(self, empty) } else { bishop(self, empty) }
    }
    #[inline(always)]
    fn knight(self) -> Self {
        if const { C::CALLS } { called_knight(self) } else { knight(self) }
    }
}

#[inline(never)]
fn called_rook<B: BitBoards>(from: B, empty: B) -> B {
    rook(from, empty)
}

#[inline(never)]
fn called_bishop<B: BitBoards>(from: B, empty: B) -> B {
    bishop(from, empty)
}

#[inline(never)]
fn called_knight<B: BitBoards>(from: B) -> B {
    knight(from)
}

impl<C: Cells> Lanes for Words<C> {
    #[inline(always)]
    fn load(row: &BitRow) -> Self {
        Words(row.0, PhantomData)
    }
    #[inline(always)]
    fn store(self, row: &mut BitRow) {
        row.0 = self.0;
    }
    #[inline(always)]
    fn add(mut self, other: Self) -> Self {
        for i in 0..8 {
            self.0[i] = self.0[i].wrapping_add(other.0[i]);
        }
        self
    }
    #[inline(always)]
    fn halves(mut self) -> Self {
        for i in 0..8 {
            self.0[i] = (self.0[i] & 0xFFFF_FFFF) * (self.0[i] >> 32);
        }
        self
    }
    #[inline(always)]
    fn having(mut self, bit: u32) -> Self {
        for i in 0..8 {
            self.0[i] = 0_u64.wrapping_sub(self.0[i] >> (bit & 63) & 1);
        }
        self
    }
    #[inline(always)]
    fn equal(mut self, other: Self) -> Self {
        for i in 0..8 {
            self.0[i] = 0_u64.wrapping_sub(u64::from(self.0[i] == other.0[i]));
        }
        self
    }
    #[inline(always)]
    fn note(self, a: Self, b: Self, bits: Self) -> Self {
        self.or(a.equal(b).and(bits))
    }
    #[inline(always)]
    fn column(rows: &[BitRow; 8], column: usize) -> Self {
        let mut out = [0; 8];
        for i in 0..8 {
            out[i] = rows[i].0[column];
        }
        Words(out, PhantomData)
    }
    #[inline(always)]
    fn up<const K: usize>(self) -> Self {
        let mut out = [0; 8];
        out[K..].copy_from_slice(&self.0[..8 - K]);
        Words(out, PhantomData)
    }
    #[inline(always)]
    fn down<const K: usize>(self) -> Self {
        let mut out = [0; 8];
        out[..8 - K].copy_from_slice(&self.0[K..]);
        Words(out, PhantomData)
    }
    #[inline(always)]
    fn reverse(self) -> Self {
        let mut out = self.0;
        out.reverse();
        Words(out, PhantomData)
    }
    #[inline(always)]
    fn any(self) -> bool {
        let w = self.0;
        (w[0] | w[1]) | (w[2] | w[3]) | ((w[4] | w[5]) | (w[6] | w[7])) != 0
    }
    #[inline(always)]
    fn busy(self) -> u8 {
        let mut busy = 0;
        for (i, &word) in self.0.iter().enumerate() {
            busy |= u8::from(word != 0) << i;
        }
        busy
    }
    #[inline(always)]
    fn mark(cells: &mut WordCodes, bits: u64, code: u8) {
        C::mark(cells, bits, code);
    }
    #[inline(always)]
    fn coded(cells: &WordCodes, code: u8) -> u64 {
        C::coded(cells, code)
    }
}

impl Cells for Single {
    /// The processors of this family have better instructions, except for very old ones.
    const CALLS: bool = cfg!(target_arch = "x86_64");

    #[inline(always)]
    fn mark(cells: &mut WordCodes, mut bits: u64, code: u8) {
        while bits != 0 {
            cells.0[bits.trailing_zeros() as usize] = code;
            bits &= bits - 1;
        }
    }
    #[inline(always)]
    fn coded(cells: &WordCodes, code: u8) -> u64 {
        let mut bits = 0;
        for (i, &cell) in cells.0.iter().enumerate() {
            bits |= u64::from(cell == code) << i;
        }
        bits
    }
}
