//! Ranks of simplicial complexes: families of sets of letters with every subset of their members.
//!
//! A family over six letters is a word of 64 bits, bit `s` for the set with the binary digits `s`; over five letters it is a
//! word of 32 bits, over four of 16. It falls into two families over one letter less: the sets without the last letter, and
//! those with it, as a part of the former. Families are numbered and ranked by these halves, so that a family comes behind
//! all that it contains. The family without any set, not even the empty one, is counted too.

/// Number of families over four letters.
const FOUR: usize = 168;
/// Number of families over five letters.
pub(super) const FIVE: usize = 7581;

/// The families over five letters with tables that rank them.
#[derive(Clone, Debug)]
pub(super) struct Families {
    /// The number of each family over four letters.
    numbers: Vec<u8>,
    /// For two families over four letters, the rank of the second within the first.
    ranks: Vec<[u8; FOUR]>,
    /// All families over five letters, by number.
    five: Vec<u32>,
    /// The number of a family over five letters by those of its halves.
    of_halves: Vec<[u16; FOUR]>,
    /// For each family over five letters the number of families within it whose first half has a smaller number.
    before: Vec<[u16; FOUR]>,
}

/// Returns the halves of a family over five letters.
#[inline]
fn halves(family: u32) -> (u16, u16) {
    (family as u16, (family >> 16) as u16)
}

/// Reports whether a word is a family over four letters.
fn is_family(word: u16) -> bool {
    const WITHOUT: [u16; 4] = [0x5555, 0x3333, 0x0F0F, 0x00FF];
    (0..4).all(|letter| (word >> (1 << letter)) & WITHOUT[letter] & !word == 0)
}

impl Families {
    pub(super) fn new() -> Families {
        let four: Vec<u16> = (0..=u16::MAX).filter(|&word| is_family(word)).collect();
        let mut numbers = vec![u8::MAX; 1 << 16];
        (0..).zip(&four).for_each(|(number, &family)| numbers[usize::from(family)] = number);
        let within = |all: u16| move |&&family: &&u16| family & !all == 0;
        let mut ranks = vec![[u8::MAX; FOUR]; FOUR];
        for (ranks, &all) in ranks.iter_mut().zip(&four) {
            for (rank, &family) in (0..).zip(four.iter().filter(within(all))) {
                ranks[usize::from(numbers[usize::from(family)])] = rank;
            }
        }
        let counts: Vec<u16> =
            four.iter().map(|&all| four.iter().filter(within(all)).count() as u16).collect();
        let count = |family: u16| counts[usize::from(numbers[usize::from(family)])];
        let mut five = Vec::with_capacity(FIVE);
        let mut of_halves = vec![[u16::MAX; FOUR]; FOUR];
        for (numbered, &without) in of_halves.iter_mut().zip(&four) {
            for &with in four.iter().filter(within(without)) {
                numbered[usize::from(numbers[usize::from(with)])] = five.len() as u16;
                five.push(u32::from(without) | u32::from(with) << 16);
            }
        }
        let before = |&family: &u32| {
            let (without, with) = halves(family);
            let mut sum = 0;
            let mut before = [0; FOUR];
            for (before, &half) in before.iter_mut().zip(&four) {
                *before = sum;
                sum += if half & !without == 0 { count(half & with) } else { 0 };
            }
            before
        };
        let before = five.iter().map(before).collect();
        Families { numbers, ranks, five, of_halves, before }
    }

    #[inline]
    fn four(&self, family: u16) -> usize {
        usize::from(self.numbers[usize::from(family)])
    }

    /// Returns the number of a family over five letters.
    #[inline]
    pub(super) fn number(&self, family: u32) -> usize {
        let (without, with) = halves(family);
        usize::from(self.of_halves[self.four(without)][self.four(with)])
    }

    /// Returns how many families within `all` come before `family`, which lies within it.
    #[inline]
    pub(super) fn rank(&self, all: u32, family: u32) -> u32 {
        let ((_, all_with), (without, with)) = (halves(all), halves(family));
        let before = self.before[self.number(all)][self.four(without)];
        u32::from(before) + u32::from(self.ranks[self.four(all_with & without)][self.four(with)])
    }

    /// Returns the families within a family over five letters, by rank.
    pub(super) fn within(&self, all: u32) -> impl Iterator<Item = u32> + '_ {
        self.five.iter().copied().filter(move |family| family & !all == 0)
    }

    /// Returns all families over five letters, by number.
    pub(super) fn all(&self) -> &[u32] {
        &self.five
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_are_numbered_and_ranked_in_order() {
        let families = Families::new();
        assert_eq!(families.five.len(), FIVE);
        for (number, &family) in families.five.iter().enumerate() {
            assert_eq!(families.number(family), number);
        }
        for &all in families.five.iter().step_by(97) {
            for (rank, family) in (0..).zip(families.within(all)) {
                assert_eq!(families.rank(all, family), rank, "{family:x} within {all:x}");
            }
        }
    }
}
