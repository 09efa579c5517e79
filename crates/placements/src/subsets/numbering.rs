//! Indices of the positions of Subset Take-Away, and their outcomes.
//!
//! The sets left, with the empty one, are a family over the letters. Those without the last letter are its *base*, those with
//! it, less this letter, its *link*: a family within the base. Bases that differ by the names of their letters share indices,
//! so that 16,352 bases of six letters stand for 7,828,353. An index is the first of its base's, and the rank of the link
//! within it. Bases come in the order of their numbers of sets and ranks rise with the links, so that every move leads to a
//! lower index. A position has an index for each letter that may be called the last, and for each symmetry of the base: its
//! outcome is worked out once for all of them.
//!
//! A. E. Brouwer and J. D. Christensen (Order 35, 2018) compute functions on the families of seven letters by halves, too.

use std::ops::Range;

use grundy_core::bits::indices;
use grundy_core::game::{Flow, MORE};
use grundy_core::sorting;
use grundy_tables::layers::Outcomes;

use super::families::{FIVE, Families};

/// Letters of a base at most.
const LETTERS: usize = 6;

/// For each letter the sets without it.
const WITHOUT: [u64; LETTERS] = [
    0x5555_5555_5555_5555,
    0x3333_3333_3333_3333,
    0x0F0F_0F0F_0F0F_0F0F,
    0x00FF_00FF_00FF_00FF,
    0x0000_FFFF_0000_FFFF,
    0x0000_0000_FFFF_FFFF,
];

/// A permutation of the letters as exchanges of two, each as a shift and the sets that it moves upwards.
#[derive(Clone, Copy, Debug, Default)]
struct Renaming {
    exchanges: [(u32, u64); LETTERS - 1],
    count: usize,
}

#[inline]
fn exchange(family: u64, (shift, moved): (u32, u64)) -> u64 {
    let changed = (family >> shift ^ family) & moved;
    family ^ changed ^ changed << shift
}

impl Renaming {
    /// Adds the exchange of two letters, the first the lower one.
    fn then(mut self, low: usize, high: usize) -> Renaming {
        if low != high {
            self.exchanges[self.count] = ((1 << high) - (1 << low), !WITHOUT[low] & WITHOUT[high]);
            self.count += 1;
        }
        self
    }

    #[inline]
    fn apply(&self, family: u64) -> u64 {
        self.exchanges[..self.count].iter().fold(family, |family, &pair| exchange(family, pair))
    }

    fn undo(&self, family: u64) -> u64 {
        self.exchanges[..self.count].iter().rev().fold(family, |family, &pair| exchange(family, pair))
    }

    /// Returns all permutations of some letters.
    fn all(letters: usize) -> Vec<Renaming> {
        (0..letters.saturating_sub(1)).fold(vec![Renaming::default()], |all, low| {
            let more = |renaming: Renaming| (low..letters).map(move |high| renaming.then(low, high));
            all.into_iter().flat_map(more).collect()
        })
    }
}

/// A base, one of each class.
#[derive(Clone, Debug)]
struct Base {
    sets: u64,
    /// The index of its first position.
    first: u64,
    /// For each family within the first half of the sets, by rank, the number of links whose first half comes before it; and
    /// the number of all links.
    before: Vec<u32>,
    /// The permutations of the letters that leave the sets as they are, the identity among them.
    symmetries: Vec<Renaming>,
}

/// Returns the halves of a family over six letters.
#[inline]
fn halves(family: u64) -> (u32, u32) {
    (family as u32, (family >> 32) as u32)
}

fn of_halves(without: u32, with: u32) -> u64 {
    u64::from(without) | u64::from(with) << 32
}

impl Base {
    fn end(&self) -> u64 {
        self.first + u64::from(self.before.last().copied().unwrap_or(0))
    }

    /// Returns the index of a link within the base.
    #[inline]
    fn index(&self, families: &Families, link: u64) -> u64 {
        let ((all, all_with), (without, with)) = (halves(self.sets), halves(link));
        let before = self.before[families.rank(all, without) as usize];
        self.first + u64::from(before + families.rank(all_with & without, with))
    }

    /// Visits the links from an index on, rising.
    fn walk(&self, families: &Families, from: u64, visit: &mut dyn FnMut(u64) -> Flow) -> Flow {
        let (all, all_with) = halves(self.sets);
        let rank = from.saturating_sub(self.first) as u32;
        let half = self.before.partition_point(|&before| before <= rank).saturating_sub(1);
        let mut skipped = (rank - self.before[half]) as usize;
        for without in families.within(all).skip(half) {
            for with in families.within(all_with & without).skip(skipped) {
                visit(of_halves(without, with))?;
            }
            skipped = 0;
        }
        MORE
    }
}

/// The indices of the positions of a game.
#[derive(Clone, Debug)]
pub(super) struct Numbering {
    families: Families,
    /// The number of letters of a base.
    letters: usize,
    renamings: Vec<Renaming>,
    /// For each family over five letters the number of families over six whose first half has a smaller number.
    starts: Vec<u32>,
    /// For each family over six letters, by number, its class and the renaming that leads to the base of this class.
    classes: Vec<(u16, u16)>,
    bases: Vec<Base>,
    /// For each set those that contain it, the sets taken with it.
    above: Vec<u64>,
}

impl Numbering {
    /// Returns the indices for this number of letters: 2 to 7.
    pub(super) fn new(letters: usize) -> Numbering {
        let below = letters - 1;
        let families = Families::new();
        let counts: Vec<u32> =
            families.all().iter().map(|&all| families.within(all).count() as u32).collect();
        let starts = counts.iter().scan(0, |sum, count| {
            *sum += count;
            Some(*sum - count)
        });
        let starts: Vec<u32> = starts.collect();
        let (whole, whole_with) = halves(u64::MAX >> (64 - (1 << below)));
        let all: Vec<u64> = families
            .within(whole)
            .flat_map(|without| {
                families.within(whole_with & without).map(move |with| of_halves(without, with))
            })
            .filter(|&family| family != 0)
            .collect();
        let mut numbering = Numbering {
            letters: below,
            renamings: Renaming::all(below),
            classes: vec![(u16::MAX, 0); starts[FIVE - 1] as usize + counts[FIVE - 1] as usize],
            bases: Vec::new(),
            above: (0..64).map(above).collect(),
            starts,
            families,
        };
        let mut found = numbering.classify(&all);
        sorting::sort_by_key(&mut found, |&(sets, _)| (sets.count_ones(), sets));
        let mut places = vec![0; found.len()];
        let mut first = 0;
        for (place, &(sets, class)) in (0..).zip(&found) {
            places[usize::from(class)] = place;
            let base = numbering.base(sets, first, &counts);
            first = base.end();
            numbering.bases.push(base);
        }
        for (class, _) in &mut numbering.classes {
            *class = places.get(usize::from(*class)).copied().unwrap_or(u16::MAX);
        }
        numbering
    }

    /// Puts each family in its class. Returns one family of each class, with the number that the class has for now.
    fn classify(&mut self, all: &[u64]) -> Vec<(u64, u16)> {
        let mut found = Vec::new();
        for &family in all {
            if self.classes[self.number(family)].0 != u16::MAX {
                continue;
            }
            let class = found.len() as u16;
            found.push((family, class));
            for (at, renaming) in (0..).zip(&self.renamings) {
                let number = self.number(renaming.undo(family));
                let short =
                    |&(_, known): &(u16, u16)| self.renamings[usize::from(known)].count <= renaming.count;
                if self.classes[number].0 == u16::MAX || !short(&self.classes[number]) {
                    self.classes[number] = (class, at);
                }
            }
        }
        found
    }

    fn base(&self, sets: u64, first: u64, counts: &[u32]) -> Base {
        let (all, all_with) = halves(sets);
        let mut before = vec![0];
        let mut sum = 0;
        for without in self.families.within(all) {
            sum += counts[self.families.number(all_with & without)];
            before.push(sum);
        }
        let symmetries =
            self.renamings.iter().copied().filter(|renaming| renaming.apply(sets) == sets).collect();
        Base { sets, first, before, symmetries }
    }

    /// Returns the number of a family over six letters.
    #[inline]
    fn number(&self, family: u64) -> usize {
        let (without, with) = halves(family);
        (self.starts[self.families.number(without)] + self.families.rank(without, with)) as usize
    }

    /// Returns the base of the class of a family, and the renaming that leads to it.
    #[inline]
    fn class(&self, family: u64) -> (&Base, &Renaming) {
        let (class, renaming) = self.classes[self.number(family)];
        (&self.bases[usize::from(class)], &self.renamings[usize::from(renaming)])
    }

    /// Returns the index of a family given by its base and its link.
    pub(super) fn index(&self, base: u64, link: u64) -> u64 {
        let (base, renaming) = self.class(base);
        base.index(&self.families, renaming.apply(link))
    }

    /// Visits the families of some indices, rising: each with its index, its base and its link.
    pub(super) fn walk(&self, range: Range<u64>, visit: &mut dyn FnMut(u64, u64, u64)) {
        let from = self.bases.partition_point(|base| base.end() <= range.start);
        let mut index = range.start;
        for base in self.bases[from..].iter().take_while(|base| base.first < range.end) {
            let _ = base.walk(&self.families, index, &mut |link| {
                if index >= range.end {
                    return Flow::Break(());
                }
                visit(index, base.sets, link);
                index += 1;
                MORE
            });
        }
    }

    /// Returns the indices in groups: of the bases with equally many sets, each with its indices. Moves lead to an earlier
    /// group, or to a lower index of the same base.
    pub(super) fn groups(&self) -> Vec<Vec<Range<u64>>> {
        let same = self.bases.chunk_by(|a, b| a.sets.count_ones() == b.sets.count_ones());
        same.map(|bases| bases.iter().map(|base| base.first..base.end()).collect()).collect()
    }

    /// Visits all indices of a position, some of them more than once.
    fn each_index(&self, base: u64, link: u64, visit: &mut impl FnMut(u64)) {
        let mut of_split = |base: u64, link: u64| {
            let (base, renaming) = self.class(base);
            let link = renaming.apply(link);
            for symmetry in &base.symmetries {
                visit(base.index(&self.families, symmetry.apply(link)));
            }
        };
        of_split(base, link);
        for (letter, without) in WITHOUT[..self.letters].iter().enumerate() {
            // The letter changes places with the last one.
            let shift = 1 << letter;
            of_split(
                base & without | (link & without) << shift,
                (base & !without) >> shift | link & !without,
            );
        }
    }

    /// Decides the outcomes of some states of one base.
    pub(super) fn decide(&self, states: Range<u64>, outcomes: &Outcomes) {
        let base = &self.bases[self.bases.partition_point(|base| base.end() <= states.start)];
        let taken = |set: usize| (!self.above[set], self.class(base.sets & !self.above[set]));
        // The sets of the base and those of the link, each in the order of when they last won.
        let mut of_base: Vec<_> = indices(base.sets & !1).map(taken).collect();
        let mut of_link: Vec<(u64, u64)> =
            indices(base.sets).map(|set| (1 << set, !self.above[set])).collect();
        let mut same = Vec::new();
        let mut state = states.start;
        let _ = base.walk(&self.families, states.start, &mut |link| {
            if state == states.end {
                return Flow::Break(());
            }
            state += 1;
            if !outcomes.open(state - 1) {
                return MORE;
            }
            let in_link = |&(set, left): &(u64, u64)| {
                link & set != 0 && !outcomes.won(base.index(&self.families, link & left))
            };
            let in_base = |&(left, (base, renaming)): &(u64, (&Base, &Renaming))| {
                !outcomes.won(base.index(&self.families, renaming.apply(link & left)))
            };
            let won = to_front(&mut of_link, in_link) || to_front(&mut of_base, in_base);
            same.clear();
            self.each_index(base.sets, link, &mut |index| {
                if outcomes.open(index) {
                    same.push(index);
                }
            });
            same.iter().for_each(|&index| outcomes.set(index, won));
            MORE
        });
    }
}

/// Returns the sets of six letters that contain `set`.
fn above(set: u64) -> u64 {
    (0..64).filter(|other| other & set == set).fold(0, |sets, other| sets | 1 << other)
}

/// Reports whether an item passes the test, and moves the first that does to the front.
#[inline]
fn to_front<T>(items: &mut [T], test: impl Fn(&T) -> bool) -> bool {
    let found = items.iter().position(test);
    if let Some(at) = found {
        items[..=at].rotate_right(1);
    }
    found.is_some()
}
