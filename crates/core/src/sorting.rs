//! Type-erased sorts, to avoid monomorphising the sorts of the standard library per type.
//!
//! The sorts of the standard library are compiled anew for every type and every key, about 10 kB of machine code each.
//! These sort indices by one compiled sort and then permute the elements. They are stable, allocate one word an element
//! and compare through a pointer: an inner loop is better served by `slice::sort_unstable`.

use std::cmp::Ordering;

/// Sorts a list.
///
/// ```
/// let mut names = ["nim", "dots", "chess"];
/// grundy_core::sorting::sort(&mut names);
/// assert_eq!(names, ["chess", "dots", "nim"]);
/// ```
pub fn sort<T: Ord>(list: &mut [T]) {
    sort_by(list, T::cmp);
}

/// Sorts a list by a key of each element; elements with equal keys stay in order.
pub fn sort_by_key<T, K: Ord>(list: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(list, |a, b| key(a).cmp(&key(b)));
}

/// Sorts a short list by insertion, in place: for inner loops, and to avoid the code of another sort. A long one is sorted as
/// by [`sort`].
///
/// ```
/// let mut heaps = [7, 3, 5];
/// grundy_core::sorting::sort_few(&mut heaps);
/// assert_eq!(heaps, [3, 5, 7]);
/// ```
#[inline]
pub fn sort_few<T: Ord>(list: &mut [T]) {
    /// Length up to which the standard library sorts by insertion.
    const FEW: usize = 20;
    if list.len() > FEW {
        return sort(list);
    }
    for end in 1..list.len() {
        let mut at = end;
        while at > 0 && list[at] < list[at - 1] {
            list.swap(at, at - 1);
            at -= 1;
        }
    }
}

/// Sorts a list by a key that is computed once for each element; elements with equal keys stay in order.
pub fn sort_by_cached_key<T, K: Ord>(list: &mut [T], key: impl Fn(&T) -> K) {
    let keys: Vec<K> = list.iter().map(key).collect();
    arrange(list, places(keys.len(), &|a, b| keys[a].cmp(&keys[b])));
}

/// Sorts a list by a comparison; elements that compare equal stay in order.
pub fn sort_by<T>(list: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let order = places(list.len(), &|a, b| compare(&list[a], &list[b]));
    arrange(list, order);
}

/// Moves the element of each index of `order` to the place of that index.
fn arrange<T>(list: &mut [T], mut order: Vec<usize>) {
    for start in 0..order.len() {
        // Apply one cycle of the permutation.
        let mut at = start;
        loop {
            let from = std::mem::replace(&mut order[at], at);
            if from == start {
                break;
            }
            list.swap(at, from);
            at = from;
        }
    }
}

/// Returns the indices `0..count` in the order of their elements.
fn places(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    places.sort_by(|&a, &b| compare(a, b));
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix64;

    #[test]
    fn lists_are_sorted_as_the_standard_library_sorts_them() {
        let mut random = SplitMix64(1);
        for length in (0..40).chain([200, 1_000]) {
            for most in [1, 3, 1_000] {
                let list: Vec<(usize, usize)> = (0..length).map(|i| (random.below(most), i)).collect();
                let (mut expected, mut own) = (list.clone(), list.clone());
                expected.sort_by_key(|pair| pair.0);
                sort_by_key(&mut own, |pair| pair.0);
                assert_eq!(own, expected);
                let mut own = list.clone();
                sort_by_cached_key(&mut own, |pair| pair.0);
                assert_eq!(own, expected);
                for sort in [sort, sort_few] {
                    let mut own = list.clone();
                    own.reverse();
                    sort(&mut own);
                    assert_eq!(own, expected);
                }
            }
        }
    }
}
