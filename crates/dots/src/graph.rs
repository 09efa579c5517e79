//! The graph of a position without boxes to take: joints, the links between them, and a canonical key.
//!
//! A joint is a box with three or four open lines; a *link* is a line between two joints or from a joint to the border,
//! or a chain of boxes with two open lines each. Only the length of a chain and its ends matter for play. Loose pieces
//! are no links; they are counted apart.
//!
//! **G (names).** Let every joint have a distinct name. Positions whose links, written as two names and a number of
//! boxes, are the same list in any order, and whose loose pieces are the same, have the same value. *Proof.* Mapping
//! joints to those of their name, links to the links written the same, and the boxes of chains in their order, is a
//! bijection of boxes and of open lines that keeps which lines are around which box, so it maps lines of play to lines
//! of play of equal value.
//!
//! So any way of naming makes a sound key, and the less names depend on locations, the more positions share one. Most
//! graphs get the quick keys of `refinement.rs`. For the others names are refined here from a joint's links by those of
//! its neighbours (Weisfeiler and Leman 1968); while two are still equal, one of these joints is marked and the names
//! are refined again. The choice of the marked joint makes no difference if a symmetry exchanges them, mirror images of
//! the board and boxes' corners among these. The key is 128 bits of a sum over the links.

use super::graph_tables::LinkEnd;
use super::line_sets::Lines;
use super::rules::Dots;
use grundy_core::bits::{Bits, places};
use grundy_core::random::{DEGSKI, mix_once};

/// A chain of boxes with two open lines each.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chain<B> {
    pub boxes: B,
    ends: [LinkEnd; 2],
}

/// A position as open lines and loose pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Graph<B> {
    /// The open lines that do not belong to loose pieces.
    pub open: Lines<B>,
    /// Index of the multiset of loose pieces.
    pub loose: u16,
}

impl<B: Bits> Dots<B> {
    /// Moves the loose pieces that have a box among `fresh`, which have two open lines each, from the lines to the
    /// multiset.
    #[inline]
    pub(super) fn take_off(&self, graph: &mut Graph<B>, mut fresh: B) {
        let open = graph.open;
        let two = self.degrees(open).two;
        while !fresh.none() {
            let mut boxes = fresh.lowest_set();
            fresh = fresh.without(boxes);
            let loose = loop {
                let more = self.grow(boxes, open);
                if more == boxes || more.meets(!two) {
                    break more == boxes;
                }
                boxes = more;
            };
            if loose && let Some(more) = self.tables().loose.with(graph.loose, self.piece(boxes, open)) {
                fresh = fresh.without(boxes);
                graph.loose = more;
                graph.open = graph.open.without(self.around(boxes));
            }
        }
    }

    /// Returns a chain of boxes with two open lines each, which is connected to a joint or exceeds the multiset's size.
    fn chain(&self, boxes: B, open: Lines<B>) -> Chain<B> {
        let tables = self.tables();
        let joints = self.grow(boxes, open).without(boxes);
        let around = self.around(boxes);
        let at_border = open.meets(Lines { h: around.h & tables.border.h, v: around.v & tables.border.v });
        let ends = if joints.none() {
            if at_border { [tables.ground; 2] } else { [tables.ring; 2] }
        } else {
            let first = joints.lowest() as LinkEnd;
            let second = joints.without(joints.lowest_set());
            match (second.none(), at_border) {
                (false, _) => [first, second.lowest() as LinkEnd],
                (true, true) => [first, tables.ground],
                (true, false) => [first, first],
            }
        };
        Chain { boxes, ends }
    }

    /// Returns the key of theorem G, of a graph whose loose pieces were taken off as far as the multiset has room.
    pub(super) fn key_of_links(&self, open: Lines<B>) -> [u64; 2] {
        let degrees = self.degrees(open);
        let mut chains = Vec::with_capacity(16);
        let mut rest = degrees.two;
        while !rest.none() {
            let boxes = self.flood(rest.lowest_set(), degrees.two, open);
            rest = rest.without(boxes);
            chains.push(self.chain(boxes, open));
        }
        let joints = degrees.any.without(degrees.two);
        if B::WIDTH <= 32 {
            self.sum_of_links::<32, 64>(open, &chains, degrees.two, joints)
        } else {
            self.sum_of_links::<128, 256>(open, &chains, degrees.two, joints)
        }
    }

    /// Returns the sum of theorem G; N is more than the index of any joint, MOST than the number of links.
    #[inline]
    fn sum_of_links<const N: usize, const MOST: usize>(
        &self,
        open: Lines<B>,
        chains: &[Chain<B>],
        two: B,
        joints: B,
    ) -> [u64; 2] {
        let tables = self.tables();
        // First names: the links from a joint to anything but another joint.
        let mut spurs = [0_u64; N];
        let mut links = [([0; 2], 0_u64); MOST];
        let mut count = 0;
        let mut link = |ends: [LinkEnd; 2], word: u64| {
            links[count] = (ends, word);
            count += 1;
        };
        let mut rest = 0_u64;
        for chain in chains {
            let ([end, other], word) = (chain.ends, tables.lengths[chain.boxes.count() as usize]);
            if end >= tables.ground {
                rest = rest.wrapping_add(mix_once::<29, 32>(word.wrapping_add(u64::from(end))));
            } else if other == tables.ground || other == end {
                let word = if other == end { word.rotate_left(32) } else { word };
                spurs[usize::from(end)] = spurs[usize::from(end)].wrapping_add(word);
            } else {
                link([end, other], word);
            }
        }
        let plain = open.without(self.around(two));
        let direct = tables.lengths[0];
        for (set, back) in [(plain.h, self.stride), (plain.v, 1)] {
            let inner = set & joints & (joints << back);
            places(inner).for_each(|p| link([(p - back) as LinkEnd, p as LinkEnd], direct));
            let outer = set.without(inner);
            for p in places(outer & joints).chain(places((outer >> back) & joints)) {
                spurs[p as usize] = spurs[p as usize].wrapping_add(direct);
            }
        }
        let links = &links[..count];
        let mut names = refined(&spurs, links);
        let mut refined_well = false;
        while let Some(joint) = first_of_same(&names, joints) {
            if refined_well {
                names[joint as usize] = names[joint as usize].wrapping_add(DEGSKI);
            }
            refined_well = true;
            for _ in 0..ROUNDS {
                names = refined(&names, links);
            }
        }
        let mut sum = [rest, rest];
        let mut add = |a: u64, b: u64, word: u64| {
            let product = a.wrapping_add(word).wrapping_mul(b.wrapping_add(word));
            sum[0] = sum[0].wrapping_add(mix_once::<29, 32>(product));
            sum[1] = sum[1].wrapping_add(mix_once::<29, 32>(a.wrapping_add(b) ^ product.rotate_left(32)));
        };
        for &([a, b], word) in links {
            add(names[usize::from(a)], names[usize::from(b)], word);
        }
        places(joints).for_each(|joint| add(names[joint as usize], !spurs[joint as usize], 1));
        sum
    }
}

/// Number of refinements before a joint is marked, and after.
const ROUNDS: u32 = 3;

/// Returns the refined names of joints: their own combined with those of their neighbours.
#[inline]
fn refined<const N: usize>(names: &[u64; N], links: &[([LinkEnd; 2], u64)]) -> [u64; N] {
    let mut next = names.map(|name| name.rotate_left(17));
    for &([a, b], word) in links {
        let (a, b) = (usize::from(a), usize::from(b));
        next[a] = next[a].wrapping_add(mix_once::<29, 32>(names[b].wrapping_add(word)));
        next[b] = next[b].wrapping_add(mix_once::<29, 32>(names[a].wrapping_add(word)));
    }
    next
}

/// Returns the first joint among those with the least name that several share; `None` if all names differ.
#[inline]
fn first_of_same<B: Bits>(names: &[u64], joints: B) -> Option<u32> {
    let mut seen = [0_u64; 4];
    let all_differ = places(joints).all(|joint| {
        let bit = names[joint as usize] >> 56;
        let (word, bit) = (&mut seen[bit as usize >> 6], 1 << (bit & 63));
        let new = *word & bit == 0;
        *word |= bit;
        new
    });
    if all_differ {
        return None;
    }
    let mut least: Option<(u64, u32)> = None;
    let mut rest = joints;
    while !rest.none() {
        let joint = rest.lowest();
        rest = rest.without(rest.lowest_set());
        let name = names[joint as usize];
        if places(rest).any(|other| names[other as usize] == name) && least.is_none_or(|(n, _)| name < n) {
            least = Some((name, joint));
        }
    }
    least.map(|(_, joint)| joint)
}
