//! The orbits of the strings and the groups that they can be divided into, as a help for users who choose.

use grundy_core::game::{Notation, legal_moves};
use grundy_core::sorting;
use grundy_session::{Division, Grouping};

use super::ability::StringsAndCoins;
use super::split::{front, orbits};

/// The most parts of a split that is shown.
const MOST_PARTS: u64 = 1 << 20;

/// Returns the orbits of a game's strings, the groups of its table if that is built `by_groups`, and splits into one or
/// more groups; `None` for a game of more than 64 strings.
pub fn division<G: StringsAndCoins + Notation>(
    game: &G,
    noun: &'static str,
    by_groups: bool,
) -> Option<Division> {
    let coins = game.coins()?;
    let words: Vec<String> = (0..coins.strings)
        .map(|string| {
            let alone = game.with_strings(1 << string);
            let word = |&m| game.write_move(&alone, m);
            legal_moves(game, &alone).first().map_or_else(String::new, word)
        })
        .collect();
    let named = |set: u64| -> Vec<String> {
        words.iter().zip(0..).filter(|(_, i)| set >> i & 1 == 1).map(|(word, _)| word.clone()).collect()
    };
    let mut orbits = orbits(&coins);
    sorting::sort_by_key(&mut orbits, |orbit| std::cmp::Reverse(orbit.count_ones()));
    let all = orbits.iter().fold(0, |all, orbit| all | orbit);
    let front = front(&coins);
    let made = if by_groups { vec![named(front), named(all & !front)] } else { Vec::new() };
    let split = |count: usize| {
        let groups = balanced(&orbits, count);
        let sizes: Vec<u64> = groups.iter().map(|group| u64::from(group.count_ones())).collect();
        let files = sizes.iter().try_fold(1_u64, |all, size| all.checked_mul(size + 1))?;
        if files > MOST_PARTS {
            return None;
        }
        let mut most = Most::default();
        most.look(&sizes, 1.0, 1.0);
        let groups = groups.into_iter().map(&named).collect();
        Some(Grouping { groups, files, largest: most.part as u64, memory: most.memory as u64 })
    };
    let splits = (1..=orbits.len()).map_while(split).collect();
    Some(Division { noun, orbits: orbits.iter().map(|&orbit| named(orbit)).collect(), made, splits })
}

/// Divides orbits into groups of about equal size: each orbit, the largest first, joins the smallest group.
fn balanced(orbits: &[u64], count: usize) -> Vec<u64> {
    let mut groups = vec![0_u64; count];
    for orbit in orbits {
        if let Some(group) = groups.iter_mut().min_by_key(|group| group.count_ones()) {
            *group |= orbit;
        }
    }
    groups
}

/// The states of the largest part, and the most states of a part together with its children.
#[derive(Default)]
struct Most {
    part: f64,
    memory: f64,
}

impl Most {
    /// Visits all parts whose groups before these have `part` positions; with their children, each with one string of
    /// one of those groups less, they have `with_children` times as many.
    fn look(&mut self, sizes: &[u64], part: f64, with_children: f64) {
        let Some((&size, rest)) = sizes.split_first() else {
            self.part = self.part.max(part);
            self.memory = self.memory.max(part * with_children);
            return;
        };
        let mut sets = 1.0;
        for left in 0..=size {
            let (left, size) = (left as f64, size as f64);
            self.look(rest, part * sets, with_children + left / (size - left + 1.0));
            sets *= (size - left) / (left + 1.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orbits_are_divided_as_equally_as_they_come() {
        // Seven orbits of four and five of two, as those of 3x5 boxes.
        let orbits: Vec<u64> =
            (0..7).map(|i| 0b1111 << (4 * i)).chain((0..5).map(|i| 0b11 << (28 + 2 * i))).collect();
        let sizes =
            |count| -> Vec<u32> { balanced(&orbits, count).iter().map(|group| group.count_ones()).collect() };
        assert_eq!(sizes(6), [8, 6, 6, 6, 6, 6]);
        assert_eq!(sizes(2), [20, 18]);
    }

    #[test]
    fn the_largest_part_is_that_of_half_of_each_group() {
        let mut most = Most::default();
        most.look(&[4, 2], 1.0, 1.0);
        // 6 x 2 positions; children of 3 and 1 strings left: 4 x 2 + 4 x 1 + 6 x 1 and so on.
        assert_eq!((most.part, most.memory), (12.0, 12.0 + 4.0 * 2.0 + 6.0));
    }
}
