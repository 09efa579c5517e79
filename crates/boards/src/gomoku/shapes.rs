//! The shapes of all cells of four lines at once.
//!
//! Shapes are numbered by strength and named as in five in a row. A *five* (7) completes a line. An *open four* (6) needs
//! one of two further stones, a *four* (5) a certain one. An *open three* (4) needs one more for an open four. Below these
//! are threes (3), open twos (2) and twos (1). A shape needs a line of `k` cells without a stone of the other player.

use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

use crate::mnk::WAYS;

/// A word for each direction, with 32 bits for each player: at most 20 places, so nothing is shifted from one half to the
/// other within a run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Words(pub [u64; WAYS]);

impl Words {
    pub const NONE: Words = Words([0; WAYS]);
}

// Written out, because the tests are compiled with little optimisation.
impl BitAnd for Words {
    type Output = Words;
    #[inline]
    fn bitand(self, Words([e, f, g, h]): Words) -> Words {
        let Words([a, b, c, d]) = self;
        Words([a & e, b & f, c & g, d & h])
    }
}

impl BitOr for Words {
    type Output = Words;
    #[inline]
    fn bitor(self, Words([e, f, g, h]): Words) -> Words {
        let Words([a, b, c, d]) = self;
        Words([a | e, b | f, c | g, d | h])
    }
}

impl BitXor for Words {
    type Output = Words;
    #[inline]
    fn bitxor(self, Words([e, f, g, h]): Words) -> Words {
        let Words([a, b, c, d]) = self;
        Words([a ^ e, b ^ f, c ^ g, d ^ h])
    }
}

impl Not for Words {
    type Output = Words;
    #[inline]
    fn not(self) -> Words {
        let Words([a, b, c, d]) = self;
        Words([!a, !b, !c, !d])
    }
}

impl Shl<u32> for Words {
    type Output = Words;
    #[inline]
    fn shl(self, n: u32) -> Words {
        let Words([a, b, c, d]) = self;
        Words([a << n, b << n, c << n, d << n])
    }
}

impl Shr<u32> for Words {
    type Output = Words;
    #[inline]
    fn shr(self, n: u32) -> Words {
        let Words([a, b, c, d]) = self;
        Words([a >> n, b >> n, c >> n, d >> n])
    }
}

/// The shapes on four lines for both players: bits 0, 1 and 2 of the shape of each place.
pub(super) type Planes = [Words; 3];

/// Returns the shapes of lines with these stones and free places, in runs of `k`.
#[inline]
pub(super) fn shapes(own: Words, free: Words, k: u32) -> Planes {
    // The runs of k places without a stone of the other, by first place, and those that lack at least 1 to 5 stones.
    let mut live = !Words::NONE;
    let mut least = [Words::NONE; 5];
    for i in 0..k {
        live = live & (own | free) >> i;
        let lacks = free >> i;
        for n in (1..5).rev() {
            least[n] = least[n] | least[n - 1] & lacks;
        }
        least[0] = least[0] | lacks;
    }
    let lacking = |n: usize| live & least[n - 1] & !least[n];
    let spread = |runs: Words, from: u32| (from..k).fold(Words::NONE, |places, i| places | runs << i) & free;
    // The k-1 places between two free ones: either of these completes a line.
    let open = |n: usize| spread(lacking(n) & live >> 1 & free & free >> k, 1);
    let five = spread(lacking(1), 0);
    // Places with another free one `apart` in a run that lacks these two, by the number of such places.
    let (mut one, mut two) = (Words::NONE, Words::NONE);
    let mut through = Words::NONE;
    for n in 1..k {
        through = through | lacking(2) << (n - 1);
        let apart = k - n;
        let pairs = free & free >> apart & through;
        for places in [pairs, pairs << apart] {
            two = two | one & places;
            one = one | places;
        }
    }
    let high = five | one | open(3);
    let three = spread(lacking(3), 0) & !high;
    let open_two = open(4) & !(high | three);
    let two_stones = spread(lacking(4), 0) & !(high | three | open_two);
    let open_four = two & !five;
    [five | one & !open_four | three | two_stones, five | open_four | three | open_two, high]
}

/// The lowest bit of each direction's shape.
const LOWEST: u16 = 0x1111;

/// Returns a bit for each direction of fives, of shapes from fours, of open fours, and of open threes.
#[inline]
pub(super) fn kinds(shapes: u16) -> [u16; 4] {
    let [low, middle, high] = [shapes, shapes >> 1, shapes >> 2].map(|bits| bits & LOWEST);
    [low & middle & high, high & (low | middle), high & middle & !low, high & !(low | middle)]
}

/// Reports whether a stone makes two threats at once, one of them an open three.
#[inline]
pub(super) fn is_fork(shapes: u16) -> bool {
    let [_, fours, _, open_threes] = kinds(shapes);
    open_threes != 0 && (fours | open_threes).count_ones() > 1
}
