//! Long sequences of Grundy numbers by their sparse space.
//!
//! In many octal games nearly all Grundy numbers have an odd count of ones among certain bits: call them odd, and the few
//! others rare. The rare numbers are the sparse space. The exclusive or of two rare or of two odd numbers is rare, that of a
//! rare and an odd one is odd. So a split leaves an odd number only where one of its parts is rare, and there are few such
//! splits. The number of a heap is the least one that no move leaves. Usually that is the least odd one that those few splits
//! do not leave. A smaller rare one would have to be left by no split; all rare ones below are soon found among the splits
//! (A. Gangolli and T. Plambeck, "A note on periodicity in some octal games", International
//! Journal of Game Theory 18, 1989; A. Flammenkamp's tables of octal games).

/// A take: the number of counters, and the digit of the code.
pub(super) type Take = (usize, u8);

/// The space of rare numbers of a sequence, and the heaps that have one.
#[derive(Clone, Debug)]
pub(super) struct Sparse {
    /// Numbers with an even count of ones among these bits are rare.
    bits: u32,
    /// Heaps of rare numbers and these numbers, rising.
    rare: Vec<(u32, u32)>,
    /// The heaps from here on got their numbers by the sparse space.
    first: usize,
    /// Maximum size of rare heaps, and of the smaller parts of splits that heaps from `first` on needed.
    reach: usize,
}

impl Sparse {
    /// Returns the space with the fewest numbers of the second half of a sequence; `None` if these are not few.
    pub(super) fn find(numbers: &[u32]) -> Option<Sparse> {
        let largest = *numbers.iter().max()?;
        let half = &numbers[numbers.len() / 2..];
        if largest == 0 || largest >= 1 << 12 {
            return None;
        }
        let all = 1u32 << (32 - largest.leading_zeros());
        let count = |bits: u32| half.iter().filter(|&&n| is_rare(bits, n)).count();
        let (least, bits) = (1..all).map(|bits| (count(bits), bits)).min()?;
        if least * 8 > half.len() {
            return None;
        }
        let heaps = (1u32..).zip(numbers.iter().copied().skip(1));
        let rare: Vec<(u32, u32)> = heaps.filter(|&(_, n)| is_rare(bits, n)).collect();
        let reach = rare.last().map_or(0, |&(heap, _)| heap as usize);
        Some(Sparse { bits, rare, first: numbers.len(), reach })
    }

    /// Proves that numbers which repeat after `length` heaps, from heap `start` to the last of the `known` ones, do so
    /// forever. No take is longer than `code`.
    ///
    /// The number of a heap `n` depends on two things: the numbers of the heaps at most `code + reach` smaller, which
    /// determine its splits with a rare part, and splits with a part of at most `reach` that leave every rare number
    /// below it. Both are those of heap `n - length` if the last `code + reach` numbers are those of `length` heaps
    /// before. Then `n` has the same number, which is not rare, and so on.
    pub(super) fn proves(&self, start: usize, length: usize, code: usize, known: usize) -> bool {
        let before = known.saturating_sub(length);
        before >= self.first.max(2 * self.reach + code) && before >= start + code + self.reach
    }

    /// Adds the numbers of all heaps below `length`, while `patience` (splits examined) lasts. Every heap is larger
    /// than the longest take.
    pub(super) fn extend(
        &mut self,
        numbers: &mut Vec<u32>,
        takes: &[Take],
        length: usize,
        patience: &mut u64,
    ) {
        let largest = numbers.iter().copied().max().unwrap_or(0);
        let mut seen: Vec<u32> = vec![u32::MAX; (largest as usize + 2).next_power_of_two() * 2];
        while numbers.len() < length && *patience > 0 {
            let heap = numbers.len();
            let stamp = heap as u32;
            let mut looked = 0;
            for &(take, digit) in takes {
                let rest = heap - take;
                if digit & 2 != 0 {
                    mark(&mut seen, numbers[rest], stamp);
                }
                if digit & 4 != 0 {
                    for &(part, number) in self.rare.iter().take_while(|&&(part, _)| (part as usize) < rest) {
                        mark(&mut seen, number ^ numbers[rest - part as usize], stamp);
                    }
                    looked += self.rare.len();
                }
            }
            let is_seen = |seen: &[u32], n: u32| seen.get(n as usize) == Some(&stamp);
            let odd = (0..).find(|&n| !is_rare(self.bits, n) && !is_seen(&seen, n)).unwrap_or(0);
            let mut open = (0..odd).filter(|&n| is_rare(self.bits, n) && !is_seen(&seen, n)).count();
            for &(take, _) in takes.iter().filter(|&&(_, digit)| digit & 4 != 0) {
                let rest = heap - take;
                for part in 1..=rest / 2 {
                    if open == 0 {
                        break;
                    }
                    looked += 1;
                    self.reach = self.reach.max(part);
                    let number = numbers[part] ^ numbers[rest - part];
                    if number < odd && !is_seen(&seen, number) {
                        mark(&mut seen, number, stamp);
                        open -= usize::from(is_rare(self.bits, number));
                    }
                }
            }
            let rare = || (0..odd).find(|&n| is_rare(self.bits, n) && !is_seen(&seen, n));
            let number = if open == 0 { odd } else { rare().unwrap_or(odd) };
            if is_rare(self.bits, number) {
                self.rare.push((stamp, number));
                self.reach = heap;
            }
            numbers.push(number);
            *patience = patience.saturating_sub(looked as u64 + 32);
        }
    }
}

/// Reports whether a number has an even count of ones among these bits.
fn is_rare(bits: u32, number: u32) -> bool {
    (number & bits).count_ones().is_multiple_of(2)
}

fn mark(seen: &mut Vec<u32>, number: u32, stamp: u32) {
    let at = number as usize;
    if at >= seen.len() {
        seen.resize((at + 1).next_power_of_two(), u32::MAX);
    }
    seen[at] = stamp;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of a game by its digits, by looking at every split.
    fn plain(takes: &[Take], length: usize) -> Vec<u32> {
        let mut numbers: Vec<u32> = Vec::new();
        for heap in 0..length {
            let mut seen = [false; 1 << 12];
            for &(take, digit) in takes.iter().filter(|&&(take, _)| take <= heap) {
                let rest = heap - take;
                if digit & (if rest == 0 { 1 } else { 2 }) != 0 {
                    seen[numbers[rest] as usize] = true;
                }
                if digit & 4 != 0 {
                    (1..=rest / 2)
                        .for_each(|part| seen[(numbers[part] ^ numbers[rest - part]) as usize] = true);
                }
            }
            numbers.push((0..).find(|&n| !seen[n as usize]).unwrap());
        }
        numbers
    }

    #[test]
    fn long_sequences_are_those_of_all_splits() {
        let codes: [&[Take]; 6] = [
            &[(1, 1), (2, 6)],
            &[(1, 3), (2, 5), (3, 4)],
            &[(1, 1), (2, 7), (3, 7), (4, 7)],
            &[(1, 7), (2, 7)],
            &[(2, 7)],
            &[(1, 6)],
        ];
        let mut served = 0;
        for takes in codes {
            let expected = plain(takes, 4_000);
            let mut numbers = expected[..1_000].to_vec();
            let Some(mut sparse) = Sparse::find(&numbers) else { continue };
            let mut patience = u64::MAX;
            sparse.extend(&mut numbers, takes, 4_000, &mut patience);
            assert_eq!(numbers, expected, "{takes:?}");
            served += 1;
        }
        assert!(served >= 4, "{served} of the sequences have a sparse space");
    }

    /// Periods of two kinds of proof: what is proved from the first heaps holds far beyond them.
    #[test]
    fn what_is_proved_holds_further_on() {
        let codes: [(&[Take], usize, usize); 6] = [
            (&[(1, 7), (2, 7)], 71, 12),
            (&[(2, 7)], 53, 34),
            (&[(1, 1), (2, 5), (3, 6)], 3_479, 349),
            (&[(2, 5), (3, 5)], 259, 148),
            (&[(1, 6), (2, 4), (3, 4)], 3_256, 442),
            (&[(1, 3), (2, 5), (3, 6)], 7_315, 142),
        ];
        let mut served = 0;
        for (takes, start, length) in codes {
            let expected = plain(takes, 16_000);
            let mut numbers = expected[..1_000].to_vec();
            let Some(mut sparse) = Sparse::find(&numbers) else { continue };
            let code = takes.iter().map(|&(take, _)| take).max().unwrap();
            let mut proved = None;
            while proved.is_none() && numbers.len() < 9_000 {
                let known = numbers.len() + 50;
                sparse.extend(&mut numbers, takes, known, &mut u64::MAX.clone());
                let equal = |n: &usize| numbers[*n] == numbers[*n + length];
                let from = (0..known - length).rev().take_while(equal).last();
                proved = from.filter(|&from| sparse.proves(from, length, code, known));
            }
            let Some(from) = proved else { continue };
            assert_eq!(from, start, "{takes:?}");
            assert!((from..16_000 - length).all(|n| expected[n] == expected[n + length]), "{takes:?}");
            served += 1;
        }
        assert!(served >= 4, "{served} of the periods were proved");
    }
}
