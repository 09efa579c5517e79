//! Keys of graphs by colour refinement, computed for eight graphs at once; isomorphic graphs get the same key.
//!
//! A box's first name is derived from its open lines and those that lead to the border; then names are refined round by
//! round by those of the neighbours (Weisfeiler and Leman 1968). The key is a sum over the last names.
//!
//! **H (when names suffice).** Let D be the boxes of a graph that share their names after k rounds, let the open lines
//! between boxes of D form no cycle, and let no two connected boxes of D be more than d lines apart. Then every graph
//! whose boxes have the same names after k + 1 + d rounds, each as often, is isomorphic, so it has the same value.
//! *Proof.* A name determines the names of the rounds before, and how many neighbours had each of them. So boxes
//! outside D are mapped to those of their name, with the lines between them. Let x be in D, and x' of the same last
//! name. Their neighbours outside D are the same, those in D have in pairs the same names after k + d rounds, the
//! neighbours of these (but for where we came from) after k + d - 1, and so on: after d steps we have seen the whole
//! component of x in D, a tree, and around x' the same tree with the same neighbours outside D. So a last name
//! determines the tree that a box is in, and each tree occurs as often in both graphs.
//!
//! If names do not suffice, the slower names of `graph.rs` are used.

use super::incidence::Incidence;
use super::line_sets::Lines;
use super::rules::Dots;
use grundy_core::bits::{Bits, places};
use grundy_core::random::{DEGSKI, GOLDEN, XXH_PRIME_2, XXH_PRIME_3};
use grundy_tables::superposed::{BitRow, Lanes, VectorWork, run_on};

/// Number of graphs that are named together.
pub(super) const GRAPHS: usize = 8;

/// Rounds before names are compared: k of theorem H.
const ROUNDS: u32 = 3;

/// The largest d of theorem H for which the rounds are made.
const FARTHEST: u32 = 6;

/// Computes the keys of eight graphs of at most `N` boxes and `M` lines between boxes.
struct Refinement<'a, B, const N: usize, const M: usize> {
    dots: &'a Dots<B>,
    incidence: &'a Incidence,
    open: &'a [Lines<B>; GRAPHS],
}

impl<B: Bits> Dots<B> {
    /// Returns the keys of eight sets of open lines that leave no box to take; `None` where names do not suffice.
    pub(super) fn refined_keys(&self, open: &[Lines<B>; GRAPHS]) -> [Option<[u64; 2]>; GRAPHS] {
        let incidence = &self.tables().incidence;
        let (dots, isa) = (self, incidence.isa);
        // A board has fewer boxes than its words have bits. Every size is compiled for three instruction sets, so each
        // word type has only the sizes that its own boards need.
        let boxes = incidence.boxes.len();
        if const { size_of::<B>() <= 4 } {
            match boxes {
                ..=16 => run_on(isa, Refinement::<B, 16, 32> { dots, incidence, open }),
                _ => run_on(isa, Refinement::<B, 32, 64> { dots, incidence, open }),
            }
        } else if const { size_of::<B>() <= 8 } {
            match boxes {
                ..=32 => run_on(isa, Refinement::<B, 32, 64> { dots, incidence, open }),
                _ => run_on(isa, Refinement::<B, 64, 128> { dots, incidence, open }),
            }
        } else {
            run_on(isa, Refinement::<B, 128, 256> { dots, incidence, open })
        }
    }

    /// Returns a d of theorem H for boxes that share their names; `None` if lines between them form a cycle.
    fn apart(&self, boxes: B, open: Lines<B>) -> Option<u32> {
        let (down, right) = (boxes << self.stride, boxes << 1);
        let mut inside = Lines { h: open.h & boxes & down, v: open.v & boxes & right };
        let mut leaves = self.degrees(inside);
        if leaves.any == leaves.one {
            return Some(u32::from(!leaves.any.none()));
        }
        let mut apart = 0;
        while !leaves.any.none() {
            if leaves.one.none() {
                return None;
            }
            // Without its leaves the diameter of a tree is smaller by two.
            apart += 2;
            inside = inside.without(self.around(leaves.one));
            leaves = self.degrees(inside);
        }
        Some(apart)
    }
}

/// Eight graphs on the boxes that are unfinished in any of them.
struct Graphs<L, const N: usize, const M: usize> {
    boxes: usize,
    names: [L; N],
    /// The words that boxes contribute to their neighbours' names.
    told: [L; N],
    lines: usize,
    /// The graphs in which each line between two boxes is open.
    open: [L; M],
    ends: [[u8; 2]; M],
}

impl<B: Bits, const N: usize, const M: usize> VectorWork for Refinement<'_, B, N, M> {
    type Output = [Option<[u64; 2]>; GRAPHS];

    #[inline(always)]
    fn run<L: Lanes>(self) -> Self::Output {
        let incidence = self.incidence;
        let mut rows = [BitRow::default(); 4];
        let mut any: Lines<B> = Lines::default();
        for (i, open) in self.open.iter().enumerate() {
            let ([a, b], [c, d]) = (open.h.words(), open.v.words());
            (rows[0].0[i], rows[1].0[i], rows[2].0[i], rows[3].0[i]) = (a, b, c, d);
            any.h |= open.h;
            any.v |= open.v;
        }
        let ([a, b], [c, d]) = (any.h.words(), any.v.words());
        let unfinished = self.dots.unfinished(any);
        let none = L::splat(0);
        let mut graphs: Graphs<L, N, M> = Graphs {
            boxes: 0,
            names: [L::splat(FIRST); N],
            told: [none; N],
            lines: 0,
            open: [none; M],
            ends: [[0; 2]; M],
        };
        // The boxes of the board by their indices here, and the inverse.
        let (mut numbers, mut at) = ([0_u8; N], [0_u8; N]);
        for (number, &place) in incidence.boxes.iter().enumerate() {
            at[number & (N - 1)] = graphs.boxes as u8;
            numbers[graphs.boxes & (N - 1)] = number as u8;
            graphs.boxes += usize::from((unfinished >> place).meets(B::ONE));
        }
        graphs.boxes = graphs.boxes.min(N);
        for (word, any) in [a, b, c, d].into_iter().enumerate() {
            if any == 0 {
                continue;
            }
            let (words, ends) = (L::load(&rows[word]), &incidence.ends[word]);
            let mut rest = any & incidence.outer[word];
            while rest != 0 {
                let bit = rest.trailing_zeros();
                rest &= rest - 1;
                let end = usize::from(at[usize::from(ends[bit as usize & 63][0]) & (N - 1)]) & (N - 1);
                graphs.names[end] = graphs.names[end].add(words.having(bit).and(L::splat(BORDER)));
            }
            let mut rest = any & incidence.inner[word];
            while rest != 0 {
                let bit = rest.trailing_zeros();
                rest &= rest - 1;
                let [a, b] = ends[bit as usize & 63];
                let (a, b) = (at[usize::from(a) & (N - 1)], at[usize::from(b) & (N - 1)]);
                let open = words.having(bit);
                graphs.open[graphs.lines & (M - 1)] = open;
                graphs.ends[graphs.lines & (M - 1)] = [a, b];
                graphs.lines += 1;
                let (a, b) = (usize::from(a) & (N - 1), usize::from(b) & (N - 1));
                let word = open.and(L::splat(INNER));
                graphs.names[a] = graphs.names[a].add(word);
                graphs.names[b] = graphs.names[b].add(word);
            }
        }
        graphs.lines = graphs.lines.min(M);
        // The graphs in which a box has no lines; there it has a unique name, and is not counted.
        let mut gone = [none; N];
        for (i, gone) in gone.iter_mut().enumerate().take(graphs.boxes) {
            *gone = graphs.names[i].equal(L::splat(FIRST));
            let own = L::splat(OWN.wrapping_mul(2 * i as u64 + 1));
            graphs.names[i] = graphs.names[i].without(*gone).or(gone.and(own));
        }
        for _ in 0..ROUNDS {
            graphs.refine();
        }
        let shared = graphs.shared();
        graphs.refine();
        let mut keys = [None; GRAPHS];
        let mut apart = [0; GRAPHS];
        let mut farthest = 0;
        for i in 0..GRAPHS {
            let mut boxes = B::NONE;
            for (half, shared) in shared.iter().enumerate() {
                for bit in places(shared[i]) {
                    let at = bit as usize + 64 * half;
                    boxes |= B::ONE << incidence.boxes[usize::from(numbers[at & (N - 1)])];
                }
            }
            if !boxes.none() {
                apart[i] = self.dots.apart(boxes, self.open[i]).unwrap_or(u32::MAX);
                if apart[i] <= FARTHEST {
                    farthest = farthest.max(apart[i]);
                }
            }
        }
        for d in 0..=farthest {
            if d > 0 {
                graphs.refine();
            }
            if !apart.contains(&d) {
                continue;
            }
            let [a, b] = graphs.sums(&gone);
            for i in 0..GRAPHS {
                if apart[i] == d {
                    keys[i] = Some([a[i], b[i]]);
                }
            }
        }
        keys
    }
}

impl<L: Lanes, const N: usize, const M: usize> Graphs<L, N, M> {
    /// Performs a round: combines names with those of their neighbours.
    #[inline(always)]
    fn refine(&mut self) {
        for i in 0..self.boxes {
            let name = self.names[i];
            // The product of two halves is one instruction in vectors of every width.
            self.told[i] = name.halves().add(name);
            self.names[i] = name.shl::<17>().or(name.shr::<47>());
        }
        for i in 0..self.lines {
            let [a, b] = self.ends[i];
            let (a, b, open) = (usize::from(a) & (N - 1), usize::from(b) & (N - 1), self.open[i]);
            self.names[a] = self.names[a].add(self.told[b].and(open));
            self.names[b] = self.names[b].add(self.told[a].and(open));
        }
    }

    /// Returns the boxes that share their names, as bits of two words for each graph.
    #[inline(always)]
    fn shared(&self) -> [[u64; GRAPHS]; 2] {
        let (mut low, mut high) = (L::splat(0), L::splat(0));
        for i in 1..self.boxes {
            let name = self.names[i];
            let bit = L::splat(if i < 64 { 1 << i } else { 0 });
            let far = L::splat(if i < 64 { 0 } else { 1 << (i & 63) });
            for j in 0..i {
                let (other, word) = (self.names[j], 1 << (j & 63));
                if N <= 64 {
                    low = low.note(name, other, bit.or(L::splat(word)));
                } else {
                    let (near, above) = if j < 64 { (word, 0) } else { (0, word) };
                    low = low.note(name, other, bit.or(L::splat(near)));
                    high = high.note(name, other, far.or(L::splat(above)));
                }
            }
        }
        [row(low), row(high)]
    }

    /// Returns sums over the names, two for each graph.
    #[inline(always)]
    fn sums(&self, gone: &[L; N]) -> [[u64; GRAPHS]; 2] {
        let (mut a, mut b) = (L::splat(0), L::splat(0));
        for i in 0..self.boxes {
            let (name, gone) = (self.names[i], gone[i]);
            a = a.add(twist(name, 1).without(gone));
            b = b.add(twist(name, 2).without(gone));
        }
        [row(a), row(b)]
    }
}

const FIRST: u64 = GOLDEN;
const BORDER: u64 = XXH_PRIME_2;
const INNER: u64 = XXH_PRIME_3;
const OWN: u64 = DEGSKI;

/// Returns the words of the eight graphs as an array.
#[inline(always)]
fn row<L: Lanes>(words: L) -> [u64; GRAPHS] {
    let mut row = BitRow::default();
    words.store(&mut row);
    row.0
}

/// Mixes words, differently for each `way`.
#[inline(always)]
fn twist<L: Lanes>(words: L, way: u64) -> L {
    let words = words.add(L::splat(way.wrapping_mul(OWN)));
    words.halves().xor(words.shl::<23>().or(words.shr::<41>()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Setup;
    use grundy_core::random::SplitMix64;
    use grundy_tables::superposed::Isa;

    /// Returns a random subset of the lines of a board.
    fn some_lines(dots: &Dots<u32>, random: &mut SplitMix64) -> Lines<u32> {
        let few = random.below(3);
        let drop = (0..=few).fold((u64::MAX, u64::MAX), |(h, v), _| (h & random.bits(), v & random.bits()));
        dots.open.without(Lines { h: drop.0 as u32, v: drop.1 as u32 })
    }

    #[test]
    fn images_of_a_graph_have_one_key_whatever_they_are_looked_at_with() {
        let mut random = SplitMix64(1);
        let dots = Dots::<u32>::new(Setup::empty(4, 4)).expect("a small board");
        let mut named = 0;
        for _ in 0..500 {
            let set = some_lines(&dots, &mut random);
            let images: Vec<Lines<u32>> = dots.mirrors.images(set).collect();
            let together = dots.refined_keys(images.as_slice().try_into().expect("eight images"));
            let mut among = [0; GRAPHS].map(|_| some_lines(&dots, &mut random));
            among[random.below(GRAPHS)] = dots.mirrors.settle(set);
            let others = dots.refined_keys(&among);
            assert!(together.iter().all(|key| *key == together[0]), "{set:?}");
            assert!(others.contains(&together[0]), "{set:?}");
            named += usize::from(together[0].is_some());
        }
        assert!(named > 300, "{named}");
    }

    #[test]
    fn every_set_of_instructions_finds_the_same_names() {
        let mut random = SplitMix64(2);
        let dots = Dots::<u32>::new(Setup::empty(3, 5)).expect("a small board");
        let incidence = &dots.tables().incidence;
        for _ in 0..100 {
            let open = [0; GRAPHS].map(|_| some_lines(&dots, &mut random));
            let found = [Isa::Portable, Isa::Avx2, Isa::Avx512]
                .map(|isa| run_on(isa, Refinement::<u32, 16, 32> { dots: &dots, incidence, open: &open }));
            assert!(found[0] == found[1] && found[0] == found[2]);
        }
    }
}
