//! Misere play of heap games by the misere quotient: a finite commutative monoid in which every sum of heaps has an
//! element that determines its outcome (T. E. Plambeck, "Taming the wild in impartial combinatorial games", Integers 5,
//! 2005; T. E. Plambeck and A. N. Siegel, "Misere quotients for impartial games", Journal of Combinatorial Theory A
//! 115, 2008).
//!
//! The monoid is built heap by heap, by guess and proof.
//!
//! Guess: a new heap is identified with an existing element. If none fits, the heap and its powers become new elements;
//! two sums become one element if no sum of a list of samples distinguishes them. If the proof fails, the list is
//! extended. Where no list suffices, the quotient of all heaps is guessed at once (`whole`).
//!
//! Proof: heaps are added to the empty sum, one after another. Each sum has two properties: its element, and the set of
//! elements that its moves lead to. That ends when no new pair of these appears. The quotient is right if in every pair
//! the element is lost for the player to move exactly if there is a move and none leads to a lost element.

mod presentation;
mod whole;

use std::collections::{BTreeMap, HashMap, HashSet};

use grundy_core::bits::places;

pub use presentation::Presentation;
use whole::{ELEMENTS, Guess};

/// Steps from sum to sum for all proofs of a quotient: some seconds.
const PATIENCE: u64 = 4_000_000;
/// Sums between two checks whether the work is to end.
const STRETCH: usize = 1 << 6;
/// Maximum number of different powers of a new element.
const POWERS: usize = 3;

/// Number of refinements of the classes of sums.
const DEPTHS: usize = 3;
/// Maximum number of classes.
const CLASSES: usize = 1_000;

/// A set of elements as bits.
type Set = u128;

/// The kind of a heap: its element, and those of its options.
type Kind = (u8, Set);

/// The quotient of all sums of heaps up to a size.
#[derive(Clone, Debug)]
pub struct Quotient {
    /// The product of each two elements. Element 0 is the empty sum.
    product: Vec<Vec<u8>>,
    /// The elements in which the player to move loses.
    lost: Set,
    /// The element of each heap, by size from 0.
    heaps: Vec<u8>,
    /// Weights of heaps, each more than the parts that a move leaves together: an order in which sums become smaller.
    weights: Vec<usize>,
    /// Steps left for proofs; 0 if no larger heap is tried any more.
    patience: u64,
}

/// Returns the weight of a heap from those of smaller ones.
fn weight(heap: usize, weights: &[usize], options: &impl Fn(usize, &mut dyn FnMut(usize, usize))) -> usize {
    let mut most = 0;
    options(heap, &mut |one, two| most = most.max(weights[one].saturating_add(weights[two])));
    most.saturating_add(1)
}

fn members(set: Set) -> impl Iterator<Item = u8> {
    places(set).map(|element| element as u8)
}

impl Quotient {
    /// Returns the quotient of no heaps.
    pub fn empty() -> Quotient {
        Quotient { product: vec![vec![0]], lost: 0, heaps: vec![0], weights: vec![0], patience: PATIENCE }
    }

    /// Makes it the quotient of a game's heaps up to `largest`; false where that is not found. `options` visits the two parts
    /// that a move leaves of a heap, both smaller than it, 0 for none.
    ///
    /// ```
    /// use grundy_sums::quotient::Quotient;
    /// // Nim: who takes the last counter loses.
    /// let mut nim = Quotient::empty();
    /// assert!(nim.grow(7, |heap, visit| (0..heap).for_each(|rest| visit(rest, 0))));
    /// let lost = |heaps: &[usize]| nim.is_lost(heaps).unwrap();
    /// assert!(lost(&[1]) && !lost(&[1, 1]) && lost(&[2, 2]) && lost(&[3, 5, 6]));
    /// ```
    pub fn grow(&mut self, largest: usize, options: impl Fn(usize, &mut dyn FnMut(usize, usize))) -> bool {
        self.grow_until(largest, options, &|| false)
    }

    /// As [`Quotient::grow`], until `stopped` returns true: the heaps found by then stay, and it can be extended again.
    pub fn grow_until(
        &mut self,
        largest: usize,
        options: impl Fn(usize, &mut dyn FnMut(usize, usize)),
        stopped: &dyn Fn() -> bool,
    ) -> bool {
        while self.heaps.len() <= largest {
            let heap = self.heaps.len();
            self.weights.push(weight(heap, &self.weights, &options));
            if self.patience == 0 || stopped() || !self.add(heap, &options, stopped) {
                self.weights.truncate(heap);
                let found = self.patience > 0 && !stopped() && self.take_whole(largest, &options, stopped);
                if !found && !stopped() {
                    self.patience = 0;
                }
                return found;
            }
        }
        true
    }

    /// Makes it the quotient of all heaps up to `largest` as [`whole::guess`] has it; false if that is not proved.
    fn take_whole(
        &mut self,
        largest: usize,
        options: &impl Fn(usize, &mut dyn FnMut(usize, usize)),
        stopped: &dyn Fn() -> bool,
    ) -> bool {
        let mut weights = self.weights.clone();
        for heap in weights.len()..=largest {
            weights.push(weight(heap, &weights, options));
        }
        let Some(Guess { product, lost, heaps }) = whole::guess(largest, options, stopped) else {
            return false;
        };
        let mut guess = Quotient { product, lost, heaps, weights, patience: PATIENCE };
        let kinds = guess.kinds(options);
        let proved = guess.is_monoid() && guess.proves(&kinds, stopped);
        if proved {
            *self = guess;
        }
        proved
    }

    /// Returns the number of elements.
    pub fn size(&self) -> usize {
        self.product.len()
    }

    /// Returns its generators, its relations and its elements in words.
    ///
    /// ```
    /// use grundy_sums::quotient::Quotient;
    /// let mut nim = Quotient::empty();
    /// assert!(nim.grow(3, |heap, visit| (0..heap).for_each(|rest| visit(rest, 0))));
    /// let shown = nim.presentation();
    /// assert_eq!(shown.heaps, ["1", "a", "b", "ab"]);
    /// assert_eq!(shown.elements, ["1", "a", "b", "ab", "b^2", "ab^2"]);
    /// assert_eq!(shown.relations, [["a^2", "1"], ["b^3", "b"]]);
    /// assert_eq!(shown.lost, ["a", "b^2"]);
    /// ```
    pub fn presentation(&self) -> Presentation {
        Presentation::of(&self.product, &self.heaps, self.lost)
    }

    /// Reports whether the player to move loses a sum; `None` if a heap is larger than all known ones.
    pub fn is_lost(&self, heaps: &[usize]) -> Option<bool> {
        let element = heaps.iter().try_fold(0, |all, &heap| {
            self.heaps.get(heap).map(|&heap| self.product[usize::from(all)][usize::from(heap)])
        })?;
        Some(self.lost >> element & 1 == 1)
    }

    fn times(&self, one: u8, other: u8) -> u8 {
        self.product[usize::from(one)][usize::from(other)]
    }

    fn all_times(&self, set: Set, factor: u8) -> Set {
        members(set).fold(0, |all, element| all | 1 << self.times(element, factor))
    }

    /// Returns the elements of a heap's options.
    fn options(&self, heap: usize, options: &impl Fn(usize, &mut dyn FnMut(usize, usize))) -> Set {
        let mut set = 0;
        options(heap, &mut |one, two| set |= 1 << self.times(self.heaps[one], self.heaps[two]));
        set
    }

    /// Returns the kinds of the heaps, each once.
    fn kinds(&self, options: &impl Fn(usize, &mut dyn FnMut(usize, usize))) -> Vec<Kind> {
        let mut kinds: Vec<Kind> =
            (1..self.heaps.len()).map(|heap| (self.heaps[heap], self.options(heap, options))).collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }

    /// Extends the quotient by the next heap, if that is found.
    fn add(
        &mut self,
        heap: usize,
        options: &impl Fn(usize, &mut dyn FnMut(usize, usize)),
        stopped: &dyn Fn() -> bool,
    ) -> bool {
        let set = self.options(heap, options);
        let kinds = self.kinds(options);
        if let Some(&(element, _)) = kinds.iter().find(|(_, known)| *known == set) {
            self.heaps.push(element);
            return true;
        }
        for element in 0..self.size() as u8 {
            let with: Vec<Kind> = kinds.iter().copied().chain([(element, set)]).collect();
            if self.proves(&with, stopped) {
                self.heaps.push(element);
                return true;
            }
        }
        let mut sums = Sums::of(self, options);
        for _ in 0..DEPTHS {
            if let Some(mut larger) = self.joined(heap, &sums, options) {
                let kinds = larger.kinds(options);
                let proved = larger.is_monoid() && larger.proves(&kinds, stopped);
                self.patience = larger.patience;
                if proved {
                    *self = larger;
                    return true;
                }
            }
            let Some(finer) = sums.told_apart(options).filter(|_| !stopped()) else { return false };
            sums = finer;
        }
        false
    }

    /// Proves that all sums of heaps of these kinds are lost exactly if their elements say so.
    fn proves(&mut self, kinds: &[Kind], stopped: &dyn Fn() -> bool) -> bool {
        let mut seen: HashSet<(u8, Set)> = HashSet::from([(0, 0)]);
        let mut open = vec![(0, 0)];
        while let Some((element, moves)) = open.pop() {
            let lost = moves != 0 && moves & self.lost == 0;
            if lost != (self.lost >> element & 1 == 1) {
                return false;
            }
            self.patience = self.patience.saturating_sub(kinds.len() as u64);
            if self.patience == 0 || seen.len().is_multiple_of(STRETCH) && stopped() {
                return false;
            }
            for &(heap, options) in kinds {
                let next = (
                    self.times(element, heap),
                    self.all_times(moves, heap) | self.all_times(options, element),
                );
                if seen.insert(next) {
                    open.push(next);
                }
            }
        }
        true
    }

    /// Reports whether the products are those of a commutative monoid.
    fn is_monoid(&self) -> bool {
        let all = || 0..self.size() as u8;
        all().all(|a| self.times(0, a) == a)
            && all().all(|a| all().all(|b| self.times(a, b) == self.times(b, a)))
            && all().all(|a| {
                all().all(|b| {
                    all().all(|c| self.times(self.times(a, b), c) == self.times(a, self.times(b, c)))
                })
            })
    }

    /// Returns a guess at the quotient with a heap that is none of the elements.
    fn joined(
        &self,
        heap: usize,
        sums: &Sums,
        options: &impl Fn(usize, &mut dyn FnMut(usize, usize)),
    ) -> Option<Quotient> {
        let count = sums.moves.len();
        let set = sums.options(heap, options);
        // The outcome of a sum with `n` of the new heap beside it.
        let powers = 4 * POWERS + 1;
        let weight = self.weights[heap];
        let mut lost = vec![vec![false; powers]; count];
        let mut order: Vec<(usize, usize, usize)> = (0..count)
            .flat_map(|sum| (0..powers).map(move |power| (sum, power)))
            .map(|(sum, power)| (weight.saturating_mul(power).saturating_add(sums.weight[sum]), sum, power))
            .collect();
        order.sort_unstable();
        for (_, sum, power) in order {
            let beside = sums.moves[sum].iter().map(|&to| lost[to as usize][power]);
            let within = set
                .iter()
                .filter(|_| power > 0)
                .map(|&o| lost[sums.times[sum][o as usize] as usize][power - 1]);
            let mut moves = beside.chain(within).peekable();
            lost[sum][power] = moves.peek().is_some() && !moves.any(|to_lost| to_lost);
        }
        // Sums with powers, told apart by what they win beside others.
        let mut classes: HashMap<Vec<u64>, u8> = HashMap::new();
        let mut class_of = vec![vec![0u8; 2 * POWERS + 1]; count];
        let mut first: Vec<(usize, usize)> = Vec::new();
        for power in 0..=2 * POWERS {
            for (sum, classes_here) in class_of.iter_mut().enumerate() {
                let mut signature = vec![0u64; (count * (2 * POWERS + 1)).div_ceil(64)];
                let mut bit = 0;
                for &both in &sums.times[sum] {
                    for with in 0..=2 * POWERS {
                        signature[bit / 64] |= u64::from(lost[both as usize][power + with]) << (bit % 64);
                        bit += 1;
                    }
                }
                let next = classes.len() as u8;
                let class = *classes.entry(signature).or_insert(next);
                if class == next {
                    if power > POWERS || classes.len() > ELEMENTS {
                        return None;
                    }
                    first.push((sum, power));
                }
                classes_here[power] = class;
            }
        }
        let times = |&(a, j): &(usize, usize)| -> Vec<u8> {
            first.iter().map(|&(b, k)| class_of[sums.times[a][b] as usize][j + k]).collect()
        };
        let bits =
            first.iter().enumerate().map(|(class, &(sum, power))| Set::from(lost[sum][power]) << class);
        let mut heaps: Vec<u8> = sums.heaps.iter().map(|&sum| class_of[sum as usize][0]).collect();
        heaps.push(class_of[0][1]);
        let lost = bits.fold(0, |all, bit| all | bit);
        let product = first.iter().map(times).collect();
        Some(Quotient { product, lost, heaps, weights: self.weights.clone(), patience: self.patience })
    }
}

/// Representative sums of heaps: the lightest of each element, or of each of finer classes.
struct Sums {
    /// The class of the sum of two classes.
    times: Vec<Vec<u32>>,
    /// The class of each heap.
    heaps: Vec<u32>,
    /// The weight of each sum.
    weight: Vec<usize>,
    /// The weight of each heap.
    weights: Vec<usize>,
    /// The classes to which the moves of each class lead.
    moves: Vec<Vec<u32>>,
}

/// A class of sums, and those to which its moves lead.
type Finer = (u32, Vec<u32>);

impl Sums {
    /// Returns a sum for each element of a quotient.
    fn of(quotient: &Quotient, options: &impl Fn(usize, &mut dyn FnMut(usize, usize))) -> Sums {
        let times: Vec<Vec<u32>> =
            quotient.product.iter().map(|row| row.iter().map(|&x| u32::from(x)).collect()).collect();
        let heaps: Vec<u32> = quotient.heaps.iter().map(|&x| u32::from(x)).collect();
        let (weight, moves) = (vec![0; times.len()], vec![Vec::new(); times.len()]);
        Sums { times, heaps, weight, weights: quotient.weights.clone(), moves }.with_moves(options)
    }

    /// Finds a lightest sum for each class.
    fn with_moves(mut self, options: &impl Fn(usize, &mut dyn FnMut(usize, usize))) -> Sums {
        let mut found = vec![false; self.times.len()];
        self.visit(options, |(class, moves), weight, sums| {
            let new = !std::mem::replace(&mut found[*class as usize], true);
            if new {
                (sums.weight[*class as usize], sums.moves[*class as usize]) = (weight, moves.clone());
            }
            new
        });
        self
    }

    /// Returns the classes of a heap's options.
    fn options(&self, heap: usize, options: &impl Fn(usize, &mut dyn FnMut(usize, usize))) -> Vec<u32> {
        let mut list = Vec::new();
        options(heap, &mut |one, two| {
            list.push(self.times[self.heaps[one] as usize][self.heaps[two] as usize])
        });
        list.sort_unstable();
        list.dedup();
        list
    }

    fn product(&self, (a, from_a): &Finer, (b, from_b): &Finer) -> Finer {
        let beside = |list: &[u32], other: u32| {
            list.iter().map(move |&x| self.times[other as usize][x as usize]).collect::<Vec<_>>()
        };
        let mut moves = beside(from_a, *b);
        moves.extend(beside(from_b, *a));
        moves.sort_unstable();
        moves.dedup();
        (self.times[*a as usize][*b as usize], moves)
    }

    /// Visits sums of heaps, light ones first, and adds heaps to those for which `new` returns true.
    fn visit(
        &mut self,
        options: &impl Fn(usize, &mut dyn FnMut(usize, usize)),
        mut new: impl FnMut(&Finer, usize, &mut Sums) -> bool,
    ) {
        let mut kinds: HashMap<Finer, usize> = HashMap::new();
        for heap in 1..self.heaps.len() {
            let lightest = kinds.entry((self.heaps[heap], self.options(heap, options))).or_insert(usize::MAX);
            *lightest = self.weights[heap].min(*lightest);
        }
        let mut kinds: Vec<(Finer, usize)> = kinds.into_iter().collect();
        kinds.sort_unstable_by(|(one, a), (two, b)| (a, one).cmp(&(b, two)));
        let mut open: BTreeMap<usize, Vec<Finer>> = BTreeMap::from([(0, vec![(0, Vec::new())])]);
        while let Some((weight, list)) = open.pop_first() {
            for finer in list {
                if new(&finer, weight, self) {
                    for (kind, more) in &kinds {
                        open.entry(weight.saturating_add(*more))
                            .or_default()
                            .push(self.product(&finer, kind));
                    }
                }
            }
        }
    }

    /// Refines the classes by those to which moves lead. `None` if they are too many.
    fn told_apart(mut self, options: &impl Fn(usize, &mut dyn FnMut(usize, usize))) -> Option<Sums> {
        let mut numbers: HashMap<Finer, u32> = HashMap::new();
        let mut list: Vec<(Finer, usize)> = Vec::new();
        self.visit(options, |finer, weight, _| {
            let new = list.len() <= CLASSES && !numbers.contains_key(finer);
            if new {
                numbers.insert(finer.clone(), list.len() as u32);
                list.push((finer.clone(), weight));
            }
            new
        });
        if list.len() > CLASSES {
            return None;
        }
        let number = |finer: &Finer| numbers.get(finer).copied();
        let times = list.iter().map(|(a, _)| list.iter().map(|(b, _)| number(&self.product(a, b))).collect());
        let times: Vec<Vec<u32>> = times.collect::<Option<_>>()?;
        let of_heap = |heap: usize| (self.heaps[heap], self.options(heap, options));
        let heaps = (0..self.heaps.len()).map(|heap| number(&of_heap(heap))).collect::<Option<Vec<u32>>>()?;
        let (weight, moves) = (vec![0; list.len()], vec![Vec::new(); list.len()]);
        Some(Sums { times, heaps, weight, weights: self.weights.clone(), moves }.with_moves(options))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The options of a heap of an octal game by its digits behind the point.
    fn octal(digits: &'static [u8]) -> impl Fn(usize, &mut dyn FnMut(usize, usize)) {
        move |heap, visit| {
            for (take, digit) in (1..=heap).zip(digits) {
                let rest = heap - take;
                if digit & (if rest == 0 { 1 } else { 2 }) != 0 {
                    visit(rest, 0);
                }
                if digit & 4 != 0 {
                    (1..=rest / 2).for_each(|part| visit(part, rest - part));
                }
            }
        }
    }

    /// True if the player to move loses, by plain recursion.
    fn plain(
        heaps: &[usize],
        options: &impl Fn(usize, &mut dyn FnMut(usize, usize)),
        known: &mut HashMap<Vec<usize>, bool>,
    ) -> bool {
        let mut heaps: Vec<usize> = heaps.iter().copied().filter(|&heap| heap > 0).collect();
        heaps.sort_unstable();
        if let Some(&lost) = known.get(&heaps) {
            return lost;
        }
        let mut next = Vec::new();
        for (at, &heap) in heaps.iter().enumerate() {
            options(heap, &mut |one, two| {
                let mut rest = heaps.clone();
                rest.remove(at);
                rest.extend([one, two]);
                next.push(rest);
            });
        }
        let lost = !next.is_empty() && next.iter().all(|next| !plain(next, options, known));
        known.insert(heaps, lost);
        lost
    }

    #[test]
    fn sums_are_lost_as_plain_recursion_says() {
        let codes: [&[u8]; 6] = [&[7, 7], &[0, 7], &[3, 3, 3], &[1, 2, 3], &[0, 1, 5], &[7, 5]];
        let mut served = 0;
        for digits in codes {
            let options = octal(digits);
            let mut quotient = Quotient::empty();
            if !quotient.grow(9, &options) {
                continue;
            }
            served += 1;
            let mut known = HashMap::new();
            for a in 0..=9 {
                for b in a..=9 {
                    for c in b..=9 {
                        let heaps = [a, b, c];
                        let expected = plain(&heaps, &options, &mut known);
                        assert_eq!(quotient.is_lost(&heaps), Some(expected), "{digits:?} {heaps:?}");
                    }
                }
            }
        }
        assert!(served >= 4, "{served} games have a quotient");
    }

    #[test]
    fn many_heaps_of_kayles_are_lost_as_plain_recursion_says() {
        let options = octal(&[7, 7]);
        let mut quotient = Quotient::empty();
        assert!(quotient.grow(20, &options));
        let mut known = HashMap::new();
        // All ways to write at most this number of counters as heaps.
        let mut open = vec![(Vec::new(), 20, 20)];
        while let Some((heaps, left, largest)) = open.pop() {
            assert_eq!(quotient.is_lost(&heaps), Some(plain(&heaps, &options, &mut known)), "{heaps:?}");
            for heap in 1..=largest.min(left) {
                open.push((heaps.iter().copied().chain([heap]).collect(), left - heap, heap));
            }
        }
        assert!(known.len() > 2_000, "{}", known.len());
    }

    #[test]
    fn kayles_has_a_quotient_of_forty_elements_that_some_sum_tells_apart() {
        let mut quotient = Quotient::empty();
        assert!(quotient.grow(100, octal(&[7, 7])));
        let beside = |element: u8| -> Vec<bool> {
            (0..quotient.size() as u8).map(|c| quotient.lost >> quotient.times(element, c) & 1 == 1).collect()
        };
        let told_apart: HashSet<Vec<bool>> = (0..40).map(beside).collect();
        assert_eq!((quotient.size(), told_apart.len()), (40, 40));
        let shown = quotient.presentation();
        assert_eq!((shown.elements.len(), &*shown.heaps[1], &*shown.heaps[2]), (40, "a", "b"));
        assert_eq!(shown.lost.len(), quotient.lost.count_ones() as usize);
    }

    #[test]
    fn a_game_without_a_small_quotient_is_given_up() {
        let mut quotient = Quotient::empty();
        assert!(!quotient.grow(200, octal(&[3, 5])));
        assert!(!quotient.grow(200, octal(&[3, 5])));
        assert_eq!(quotient.is_lost(&[1, 1]), Some(false));
        assert_eq!(quotient.is_lost(&[200]), None);
    }
}
