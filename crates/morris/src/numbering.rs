//! Indexing of positions, and their tiers.
//!
//! Men that were taken or placed do not come back to the board or the hand: a tier holds the positions with given
//! numbers of men of either player on the board and in hand, whoever of the two is to move. If these numbers differ it
//! has two *halves*, one for each player to move. A half whose mover places men does not lead to the other, so that it
//! is a tier of its own.
//!
//! Within a half an index is the class of the mover's men up to the symmetries of the board, and then the rank of the
//! other's men among the free points, both mapped so that the mover's men are the least of their class. If symmetries
//! fix the mover's men, the index is the least of several; the others belong to no position.

use std::ops::Range;

use grundy_core::classes::SetClasses;
use grundy_core::game::Player;
use grundy_core::rank::{Subsets, compress, expand, next_of_its_size};
use grundy_core::sorting;
use grundy_tables::tiers::Tier;

use crate::board::Board;
use crate::classes::{Classes, counts};
use crate::position::{Force, Position};

/// The men of the mover and of the other in a half of a tier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Half {
    pub(crate) mover: Force,
    pub(crate) other: Force,
    /// The index of its first position.
    first: u64,
    /// Number of ways to place the other's men.
    each: u64,
    /// Number of indices.
    size: u64,
}

/// The least set of a class of the other's men.
pub(crate) struct Others {
    pub(crate) men: u32,
    /// The stabilizer of the set, as a bit mask of symmetries.
    kept: u16,
}

impl Others {
    /// Reports whether only the identity fixes the men.
    pub(crate) fn is_plain(&self) -> bool {
        self.kept == 1
    }
}

impl Half {
    /// Returns its first index.
    pub(crate) fn first(&self) -> u64 {
        self.first
    }

    /// Returns the position with these men.
    #[inline]
    fn position(&self, mover: u32, other: u32) -> Position {
        let hand = [self.mover.hand, self.other.hand];
        // Player one places first: if the mover has more men in hand, he is player two.
        let turn = if hand[0] > hand[1] { Player::Two } else { Player::One };
        Position { men: [mover, other], hand, turn }
    }
}

/// The indexing of one game.
#[derive(Debug)]
pub(crate) struct Numbering {
    pub(crate) subsets: Subsets,
    classes: Classes,
    /// All halves in the order of their indices.
    halves: Vec<Half>,
    /// Indices into `halves` where tiers begin.
    tiers: Vec<usize>,
    /// Index into `halves`, by the forces of the mover and the other.
    places: Vec<u32>,
    /// Number of classes of the sets of each size.
    counts: Vec<u64>,
    most: usize,
}

/// The mover's men mapped to the least of their class, and the first index of such positions.
pub(crate) struct Turned<'a> {
    first: u64,
    /// The points that are free of the mover's men after the mapping.
    free: u64,
    symmetry: usize,
    /// The stabilizer of the men, as a bit mask of symmetries.
    kept: u16,
    board: &'a Board,
    subsets: &'a Subsets,
}

impl Turned<'_> {
    /// Reports whether only the identity fixes the men.
    #[inline]
    pub(crate) fn is_plain(&self) -> bool {
        self.kept == 1
    }

    /// Returns the index of the position whose men of the other, mapped, have this rank among the free points.
    #[inline]
    pub(crate) fn at(&self, rank: u64) -> u64 {
        self.first + rank
    }

    /// Returns the bit of a point, mapped, among the free points.
    #[inline]
    pub(crate) fn place(&self, point: usize) -> u32 {
        let image = self.board.symmetries[self.symmetry][point];
        1 << (self.free & ((1 << image) - 1)).count_ones()
    }

    /// Returns the index of the position with these men of the other.
    #[inline]
    pub(crate) fn with(&self, other: u32) -> u64 {
        self.first + self.rank(self.board.image(self.symmetry, other))
    }

    /// Returns the least rank of a set that is mapped already, over all symmetries that fix the mover's men.
    #[inline]
    fn rank(&self, other: u32) -> u64 {
        let rank = |set: u32| self.subsets.rank(compress(set.into(), self.free));
        let mut least = rank(other);
        let mut rest = self.kept & !1;
        while rest != 0 {
            least = least.min(rank(self.board.image(rest.trailing_zeros() as usize, other)));
            rest &= rest - 1;
        }
        least
    }
}

/// The positions whose men of the other are a given set, except for one man that is placed or moved.
pub(crate) struct Around<'a> {
    turned: Turned<'a>,
    men: u32,
    /// The men, mapped, and packed among the points that are free then.
    packed: u64,
}

impl<'a> Turned<'a> {
    /// Prepares the indices of sets of the other's men that differ from `men` by one man.
    #[inline]
    pub(crate) fn around(self, men: u32) -> Around<'a> {
        let packed = compress(self.board.image(self.symmetry, men).into(), self.free);
        Around { turned: self, men, packed }
    }
}

impl Around<'_> {
    /// Returns the index with one man more on `to`, and none on `from`.
    #[inline]
    pub(crate) fn with(&self, from: Option<u8>, to: usize) -> u64 {
        let Around { turned, men, packed } = self;
        if !turned.is_plain() {
            return turned.with(men & !from.map_or(0, |from| 1 << from) | 1 << to);
        }
        let packed = packed & !from.map_or(0, |from| self.bit(from.into())) | self.bit(to);
        turned.first + turned.subsets.rank(packed)
    }

    /// Returns the bit of a point among the packed ones.
    #[inline]
    fn bit(&self, point: usize) -> u64 {
        self.turned.place(point).into()
    }
}

impl Numbering {
    /// Returns the indexing of a game with at most `most` men each; `slides` tells whether a player with men in hand
    /// may move one.
    pub(crate) fn new(board: &Board, most: u8, slides: bool) -> Numbering {
        let subsets = Subsets::new(board.points);
        let forces: Vec<Force> =
            (0..=most).flat_map(|board| (0..=most - board).map(move |hand| Force { board, hand })).collect();
        let mut pairs: Vec<(Force, Force)> = Vec::new();
        for &mover in &forces {
            for &other in &forces {
                // One half of a tier with two halves represents it.
                if mover >= other || !joined(mover, other, slides) {
                    pairs.push((mover, other));
                }
            }
        }
        // Ordered so that moves lead to earlier tiers: men are taken, men are placed, and a mover without men in hand
        // leads to the half whose mover has some.
        let order = |&(mover, other): &(Force, Force)| {
            (mover.all() + other.all(), mover.hand + other.hand, mover.hand == 0, mover, other)
        };
        sorting::sort_by_key(&mut pairs, order);
        let counts = counts(board);
        let (mut halves, mut tiers, mut first) = (Vec::new(), Vec::new(), 0);
        for (mover, other) in pairs {
            tiers.push(halves.len());
            let both = mover != other && joined(mover, other, slides);
            for (mover, other) in [(mover, other), (other, mover)].into_iter().take(1 + usize::from(both)) {
                let (men, others) = (usize::from(mover.board), usize::from(other.board));
                let free = board.points - men;
                let each = if others <= free { subsets.choose(free, others) } else { 0 };
                let size = counts[men] * each;
                halves.push(Half { mover, other, first, each, size });
                first += size;
            }
        }
        let most = usize::from(most) + 1;
        let mut places = vec![0; most * most * most * most];
        for (at, half) in halves.iter().enumerate() {
            places[place(most, half.mover, half.other)] = at as u32;
        }
        Numbering { subsets, classes: Classes::new(board), halves, tiers, places, counts, most }
    }

    pub(crate) fn size(&self) -> u64 {
        self.halves.last().map_or(0, |half| half.first + half.size)
    }

    fn half(&self, mover: Force, other: Force) -> &Half {
        &self.halves[self.places[place(self.most, mover, other)] as usize]
    }

    fn sized(&self, board: &Board, men: u8) -> &SetClasses {
        self.classes.of_size(board, &self.subsets, men.into())
    }

    /// Returns the indices of the positions with these men of the mover.
    #[inline]
    pub(crate) fn turn<'a>(&'a self, board: &'a Board, men: u32, mover: Force, other: Force) -> Turned<'a> {
        let half = self.half(mover, other);
        let sized = self.sized(board, mover.board);
        let (class, symmetry) = sized.of(self.subsets.rank(men.into()));
        self.turned(board, half, sized, class, symmetry)
    }

    fn turned<'a>(
        &'a self,
        board: &'a Board,
        half: &Half,
        sized: &SetClasses,
        class: usize,
        symmetry: usize,
    ) -> Turned<'a> {
        let free = u64::from(board.all & !sized.least(class));
        let first = half.first + class as u64 * half.each;
        Turned { first, free, symmetry, kept: sized.kept(class), board, subsets: &self.subsets }
    }

    #[inline]
    pub(crate) fn index(&self, board: &Board, position: &Position) -> u64 {
        let [mover, other] = position.forces();
        self.turn(board, position.men[0], mover, other).with(position.men[1])
    }

    /// Visits the positions of a range of indices.
    #[inline]
    pub(crate) fn walk(&self, board: &Board, range: Range<u64>, visit: &mut impl FnMut(u64, Position)) {
        let end = range.end.min(self.size());
        let mut n = range.start;
        while n < end {
            let half = &self.halves[self.halves.partition_point(|half| half.first + half.size <= n)];
            let last = end.min(half.first + half.size);
            let sized = self.sized(board, half.mover.board);
            let others = usize::from(half.other.board);
            let mut class = ((n - half.first) / half.each) as usize;
            let mut packed = self.subsets.subset((n - half.first) % half.each, others);
            while n < last {
                let turned = self.turned(board, half, sized, class, 0);
                let men = sized.least(class);
                let stop = last.min(turned.first + half.each);
                while n < stop {
                    let other = expand(packed, turned.free) as u32;
                    if turned.is_plain() || turned.first + turned.rank(other) == n {
                        visit(n, half.position(men, other));
                    }
                    packed = next_of_its_size(packed);
                    n += 1;
                }
                class += 1;
                packed = (1 << others) - 1;
            }
        }
    }

    /// Returns the halves of the tier with these indices.
    fn halves_of(&self, numbers: &Range<u64>) -> &[Half] {
        let at = |n| self.halves.partition_point(|half| half.first < n);
        &self.halves[at(numbers.start)..at(numbers.end)]
    }

    /// Returns the number of classes of the other's men in a half.
    fn others_of(&self, half: &Half) -> u64 {
        if half.size == 0 { 0 } else { self.counts[usize::from(half.other.board)] }
    }

    /// Returns the number of classes of the other's men in the tier with these indices.
    pub(crate) fn places(&self, numbers: &Range<u64>) -> u64 {
        self.halves_of(numbers).iter().map(|half| self.others_of(half)).sum()
    }

    /// Visits the halves of the tier with these indices, each with some of the classes of the other's men, which are
    /// counted through all halves.
    pub(crate) fn blocks(
        &self,
        board: &Board,
        numbers: &Range<u64>,
        places: Range<u64>,
        visit: &mut impl FnMut(&Half, &Others),
    ) {
        let mut first = 0;
        for half in self.halves_of(numbers) {
            let len = self.others_of(half);
            let sized = self.sized(board, half.other.board);
            for place in places.start.max(first)..places.end.min(first + len) {
                let class = (place - first) as usize;
                visit(half, &Others { men: sized.least(class), kept: sized.kept(class) });
            }
            first += len;
        }
    }

    /// Visits the positions of a half in which the other has these men, with their indices and the mover's men packed
    /// among the points that the other leaves free.
    #[inline]
    pub(crate) fn walk_block(
        &self,
        board: &Board,
        half: &Half,
        others: &Others,
        visit: &mut impl FnMut(u64, u64, Position),
    ) {
        let own = self.sized(board, half.mover.board);
        let men = usize::from(half.mover.board);
        let free = u64::from(board.all & !others.men);
        let mut packed = (1u64 << men) - 1;
        for _ in 0..self.subsets.choose(free.count_ones() as usize, men) {
            let mover = expand(packed, free) as u32;
            // Of men that the stabilizer maps to each other only the least are visited.
            let mut rest = others.kept & !1;
            let mut least = true;
            while rest != 0 {
                least &= mover <= board.image(rest.trailing_zeros() as usize, mover);
                rest &= rest - 1;
            }
            if least {
                let (class, symmetry) = own.of(self.subsets.rank(mover.into()));
                let number = self.turned(board, half, own, class, symmetry).with(others.men);
                visit(number, packed, half.position(mover, others.men));
            }
            packed = next_of_its_size(packed);
        }
    }

    /// Returns the halves of a tier.
    pub(crate) fn halves(&self, tier: usize) -> &[Half] {
        let end = self.tiers.get(tier + 1).copied().unwrap_or(self.halves.len());
        &self.halves[self.tiers[tier]..end]
    }

    /// Returns the tier of these forces.
    pub(crate) fn tier(&self, mover: Force, other: Force) -> usize {
        let at = self.places[place(self.most, mover, other)] as usize;
        self.tiers.partition_point(|&first| first <= at) - 1
    }

    /// Returns all tiers. `leaves` tells whether moves lead out of a tier, `slides` whether a player with men in hand
    /// may move one.
    pub(crate) fn tiers(&self, leaves: impl Fn(usize) -> bool, slides: bool) -> Vec<Tier> {
        let tier = |tier: usize| {
            let halves = self.halves(tier);
            let section =
                |half: &Half| (format!("{}-{}", half.mover, half.other), half.first..half.first + half.size);
            let sections: Vec<_> = halves.iter().map(section).collect();
            let numbers = sections[0].1.start..sections[sections.len() - 1].1.end;
            let stays = joined(halves[0].mover, halves[0].other, slides);
            Tier { name: sections[0].0.clone(), numbers, leaves: leaves(tier), stays, sections }
        };
        (0..self.tiers.len()).map(tier).collect()
    }
}

/// Reports whether the two halves, with either player to move, lead to each other.
#[inline]
pub(crate) fn joined(mover: Force, other: Force, slides: bool) -> bool {
    slides || mover.hand + other.hand == 0
}

/// Returns the index of a half in [`Numbering::places`].
#[inline]
fn place(most: usize, mover: Force, other: Force) -> usize {
    let all = [mover.board, mover.hand, other.board, other.hand];
    all.into_iter().fold(0, |place, n| place * most + usize::from(n))
}
