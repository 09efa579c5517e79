//! Strings in two groups, and the index of every set of strings left.

use super::ability::Coins;
use grundy_core::rank::{compress, expand};
use grundy_core::sorting;
use grundy_session::SolveError;

/// The most strings in one group: the tables over its sets must fit in memory.
const MOST_IN_GROUP: usize = 26;
/// The most strings of a game with this indexing.
pub const MOST_STRINGS: u32 = 2 * MOST_IN_GROUP as u32;

/// The number of strings left in each group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GroupPart {
    /// In front.
    pub front: usize,
    /// Behind.
    pub back: usize,
}

impl GroupPart {
    /// Returns the strings left in both groups.
    pub fn left(self) -> usize {
        self.front + self.back
    }
}

/// The groups, and sets by class and rank.
#[derive(Debug)]
pub struct Split {
    strings: usize,
    front: u64,
    back: u64,
    /// For each front set the place of its class among those of its size.
    class: Vec<u32>,
    /// For each front set the symmetry that maps it to the head of its class.
    turn: Vec<u8>,
    /// The heads of the classes, by size.
    heads: Vec<Vec<u32>>,
    /// For each back set its rank among those of its size.
    rank: Vec<u32>,
    /// The back sets, by size and rank.
    sets: Vec<Vec<u32>>,
    /// The symmetries, restricted to the back group.
    turns: Vec<Permutation>,
    /// For each front string the earlier strings of exactly the same coins.
    pub(super) twins: Vec<u32>,
    /// The front and back strings of the coins.
    pub(super) coins: Vec<[u32; 2]>,
    pub(super) fine: i32,
}

/// A permutation of at most 32 elements, by tables of bytes.
#[derive(Clone, Debug)]
struct Permutation(Vec<[u32; 256]>);

impl Permutation {
    /// Creates the permutation that maps `i` to `to[i]`.
    fn new(to: &[u8]) -> Permutation {
        let table = |things: &[u8]| {
            std::array::from_fn(|bits| {
                things
                    .iter()
                    .enumerate()
                    .filter(|(i, _)| bits >> i & 1 == 1)
                    .fold(0, |set, (_, &t)| set | 1 << t)
            })
        };
        Permutation(to.chunks(8).map(table).collect())
    }

    #[inline]
    fn apply(&self, set: u32) -> u32 {
        self.0.iter().enumerate().fold(0, |image, (i, table)| image | table[(set >> (8 * i) & 255) as usize])
    }
}

/// Returns the number of strings of exactly the same coins as an earlier one.
pub(super) fn twins(coins: &Coins) -> u32 {
    let of = |i: u32| coins.coins.iter().map(move |coin| coin >> i & 1);
    (0..coins.strings).filter(|&i| (0..i).any(|j| of(i).eq(of(j)))).count() as u32
}

/// Returns the orbits of the strings under the symmetries, as sets, in the order of their first strings.
pub(super) fn orbits(coins: &Coins) -> Vec<u64> {
    let mut orbits: Vec<u64> = Vec::new();
    for i in 0..coins.strings as usize {
        let orbit = coins.symmetries.iter().fold(1 << i, |set: u64, to| set | 1 << to[i]);
        if !orbits.contains(&orbit) {
            orbits.push(orbit);
        }
    }
    orbits
}

/// Returns the front strings: all twins, then whole orbits, the largest first, up to half of the strings.
pub(super) fn front(coins: &Coins) -> u64 {
    let n = coins.strings as usize;
    let of = |i: usize| -> Vec<usize> {
        (0..coins.coins.len()).filter(|&c| coins.coins[c] >> i & 1 == 1).collect()
    };
    let of: Vec<Vec<usize>> = (0..n).map(of).collect();
    let is_twin = |i: usize| (0..n).any(|j| j != i && of[i] == of[j]);
    let has_twin = |orbit: &u64| (0..n).any(|i| orbit >> i & 1 == 1 && is_twin(i));
    let mut orbits = orbits(coins);
    sorting::sort_by_key(&mut orbits, |orbit| (!has_twin(orbit), std::cmp::Reverse(orbit.count_ones())));
    let mut front = 0_u64;
    for orbit in orbits {
        if has_twin(&orbit) || (front | orbit).count_ones() as usize <= n.div_ceil(2) {
            front |= orbit;
        }
    }
    front
}

impl Split {
    /// Divides the strings: all twins in front, then whole orbits, the largest first, up to half of the strings.
    ///
    /// # Errors
    /// The game has too many strings for the tables, or margins that a byte does not hold, or it breaks a promise.
    pub fn new(coins: &Coins) -> Result<Split, SolveError> {
        let n = coins.strings as usize;
        let broken = |what: &str| Err(SolveError::Broken(what.to_owned()));
        if n > MOST_STRINGS as usize {
            return Err(SolveError::Broken(format!(
                "{n} strings, expected at most {MOST_STRINGS} for a table by groups"
            )));
        }
        if coins.coins.len() as i64 + i64::from(coins.fine).abs() > 127 {
            return broken("margins beyond 127 do not fit the cells of a table by groups");
        }
        let of = |i: usize| -> Vec<usize> {
            (0..coins.coins.len()).filter(|&c| coins.coins[c] >> i & 1 == 1).collect()
        };
        let of: Vec<Vec<usize>> = (0..n).map(of).collect();
        if of.iter().any(|coins| coins.is_empty() || coins.len() > 2) {
            return broken("a string holds one coin or two");
        }
        for to in &coins.symmetries {
            let image = |coin: u64| (0..n).filter(|i| coin >> i & 1 == 1).fold(0, |set, i| set | 1 << to[i]);
            if to.len() != n || !coins.coins.iter().all(|&coin| coins.coins.contains(&image(coin))) {
                return broken("a symmetry does not carry coins to coins");
            }
        }
        let front = front(coins);
        let back = if n == 64 { !front } else { ((1_u64 << n) - 1) & !front };
        let (wide, deep) = (front.count_ones() as usize, back.count_ones() as usize);
        if wide.max(deep) > MOST_IN_GROUP {
            return broken("a group of strings is too large for a table by groups");
        }
        let within = |set: u64| -> Vec<usize> { (0..n).filter(|i| set >> i & 1 == 1).collect() };
        let (in_front, behind) = (within(front), within(back));
        let local = |strings: &[usize], to: &[u8]| -> Permutation {
            let place = |s: usize| strings.iter().position(|&t| t == s).unwrap_or(0) as u8;
            Permutation::new(&strings.iter().map(|&s| place(usize::from(to[s]))).collect::<Vec<u8>>())
        };
        let twins: Vec<u32> = (0..wide)
            .map(|i| (0..i).filter(|&j| of[in_front[i]] == of[in_front[j]]).fold(0, |set, j| set | 1 << j))
            .collect();
        let turns_in_front: Vec<Permutation> =
            coins.symmetries.iter().map(|to| local(&in_front, to)).collect();
        let mut split = Split {
            strings: n,
            front,
            back,
            class: vec![0; 1 << wide],
            turn: vec![0; 1 << wide],
            heads: vec![Vec::new(); wide + 1],
            rank: vec![0; 1 << deep],
            sets: vec![Vec::new(); deep + 1],
            turns: coins.symmetries.iter().map(|to| local(&behind, to)).collect(),
            twins,
            coins: coins
                .coins
                .iter()
                .map(|&c| [compress(c, front) as u32, compress(c, back) as u32])
                .collect(),
            fine: coins.fine,
        };
        split.number_sets(&turns_in_front);
        Ok(split)
    }

    fn number_sets(&mut self, turns_in_front: &[Permutation]) {
        let later: Vec<(u32, u32)> =
            self.twins.iter().zip(0..).map(|(&e, i)| (e, 1 << i)).filter(|t| t.0 != 0).collect();
        // Twins that are left move to the earliest places; later twins come later in the list.
        let settle = |mut set: u32| {
            for &(earlier, twin) in &later {
                let free = earlier & !set;
                if set & twin != 0 && free != 0 {
                    set = set & !twin | free & free.wrapping_neg();
                }
            }
            set
        };
        for set in 0..self.class.len() as u32 {
            let (mut head, mut turn) = (settle(set), 0);
            for (i, symmetry) in turns_in_front.iter().enumerate() {
                let image = settle(symmetry.apply(set));
                if image < head {
                    (head, turn) = (image, i as u8);
                }
            }
            let size = set.count_ones() as usize;
            self.class[set as usize] = if head == set {
                self.heads[size].push(set);
                self.heads[size].len() as u32 - 1
            } else {
                self.class[head as usize]
            };
            self.turn[set as usize] = turn;
        }
        for set in 0..self.rank.len() as u32 {
            let sets = &mut self.sets[set.count_ones() as usize];
            self.rank[set as usize] = sets.len() as u32;
            sets.push(set);
        }
    }

    /// Returns the number of strings.
    pub fn strings(&self) -> usize {
        self.strings
    }

    /// Returns the number of back strings.
    pub(super) fn deep(&self) -> usize {
        self.sets.len() - 1
    }

    /// Returns all parts with `left` strings left.
    pub fn layer(&self, left: usize) -> impl Iterator<Item = GroupPart> + '_ {
        let (wide, deep) = (self.heads.len() - 1, self.sets.len() - 1);
        let fronts = left.saturating_sub(deep)..=left.min(wide);
        fronts.map(move |front| GroupPart { front, back: left - front })
    }

    /// Returns the number of states of a part.
    pub fn size(&self, part: GroupPart) -> u64 {
        self.heads[part.front].len() as u64 * self.sets[part.back].len() as u64
    }

    /// Returns the part of a set of strings left, and its index there.
    #[inline]
    pub fn number(&self, left: u64) -> (GroupPart, u64) {
        let (front, back) = (compress(left, self.front) as u32, compress(left, self.back) as u32);
        let part = GroupPart { front: front.count_ones() as usize, back: back.count_ones() as usize };
        let back = match self.turn[front as usize] {
            0 => back,
            turn => self.turns[usize::from(turn)].apply(back),
        };
        let row = u64::from(self.class[front as usize]);
        (part, row * self.sets[part.back].len() as u64 + u64::from(self.rank[back as usize]))
    }

    /// Returns the set of strings left with this index; `None` if the part has no such index.
    pub fn left(&self, part: GroupPart, number: u64) -> Option<u64> {
        let sets = self.sets.get(part.back)?;
        let width = sets.len() as u64;
        let front = *self.heads.get(part.front)?.get((number / width) as usize)?;
        let back = sets[(number % width) as usize];
        Some(expand(u64::from(front), self.front) | expand(u64::from(back), self.back))
    }

    /// Returns the heads of the classes of front sets of this size.
    pub(super) fn heads(&self, size: usize) -> &[u32] {
        &self.heads[size]
    }

    /// Returns the back sets of this size, by rank.
    pub(super) fn sets(&self, size: usize) -> &[u32] {
        &self.sets[size]
    }

    /// Returns the rank of a back set.
    #[inline]
    pub(super) fn rank(&self, set: u32) -> u32 {
        self.rank[set as usize]
    }

    /// Returns the class of a front set, and the symmetry that maps it to the head of the class.
    #[inline]
    pub(super) fn class(&self, set: u32) -> (usize, usize) {
        (self.class[set as usize] as usize, usize::from(self.turn[set as usize]))
    }

    /// Returns, for each symmetry, the ranks of the images of all back sets of this size; none for the identity, the
    /// first.
    pub(super) fn turned(&self, size: usize) -> Vec<Vec<u32>> {
        let images =
            |turn: &Permutation| self.sets[size].iter().map(|&set| self.rank(turn.apply(set))).collect();
        let rest = self.turns.iter().skip(1).map(images);
        std::iter::once(Vec::new()).chain(rest).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two coins in a row: strings 0 1 2 only of the first, 3 of both, 4 5 6 only of the second.
    fn domino() -> Coins {
        Coins {
            strings: 7,
            coins: vec![0b000_1111, 0b111_1000],
            symmetries: vec![vec![0, 1, 2, 3, 4, 5, 6], vec![4, 5, 6, 3, 0, 1, 2]],
            fine: 0,
        }
    }

    #[test]
    fn twins_and_images_share_a_number() {
        let split = Split::new(&domino()).unwrap();
        let numbers: u64 = (0..=7).flat_map(|left| split.layer(left)).map(|part| split.size(part)).sum();
        // Strings left of each coin's own: 0 to 3, in either order; times the string between.
        assert_eq!(numbers, 2 * (4 * 5 / 2));
        assert_eq!(split.number(0b000_0001), split.number(0b100_0000));
        assert_ne!(split.number(0b000_0011), split.number(0b010_0001));
        for left in 0..1 << 7 {
            let (part, number) = split.number(left);
            let head = split.left(part, number).unwrap();
            assert_eq!((split.number(head), head.count_ones()), ((part, number), left.count_ones()));
        }
    }

    #[test]
    fn what_is_too_large_or_broken_is_refused() {
        let refused = |coins: &Coins| Split::new(coins).is_err();
        assert!(refused(&Coins { strings: 64, ..domino() }));
        assert!(refused(&Coins { fine: 126, ..domino() }));
        assert!(refused(&Coins { symmetries: vec![vec![0, 1, 2, 4, 3, 5, 6]], ..domino() }));
        assert!(refused(&Coins { strings: 8, symmetries: Vec::new(), ..domino() }));
    }
}
