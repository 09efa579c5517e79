//! A guess at the quotient of all heaps at once, for games whose moves leave one part at most: boards, not heaps that fall
//! apart.
//!
//! Heaps that win the same beside any two heaps are taken for equal. Sums of a few of these classes become one element if they
//! win the same beside any sum of a few more.

use std::collections::HashMap;

/// Maximum number of elements.
pub(super) const ELEMENTS: usize = 100;
/// Maximum number of heaps.
const HEAPS: usize = 150;
/// Maximum number of classes of heaps.
const CLASSES: usize = 14;
/// Maximum number of classes in a sum that is looked at (elements have fewer), and in one beside it by which elements are told
/// apart.
const LENGTHS: [usize; 2] = [5, 3];

/// A guess.
pub(super) struct Guess {
    /// The product of each two elements. Element 0 is the empty sum.
    pub(super) product: Vec<Vec<u8>>,
    /// The elements in which the player to move loses, as bits.
    pub(super) lost: u128,
    /// The element of each heap.
    pub(super) heaps: Vec<u8>,
}

/// Reports whether a sum is lost by the outcomes after its moves: who cannot move wins.
fn is_lost(mut after_moves: impl Iterator<Item = bool>) -> bool {
    let mut any = false;
    let winning = after_moves.any(|lost| {
        any = true;
        lost
    });
    any && !winning
}

/// Returns the class of each heap by what it wins beside two others, and the first heap of each class.
fn classes(options: &[Vec<usize>]) -> (Vec<usize>, Vec<usize>) {
    let count = options.len();
    // Three heaps, the largest first, and so in an order in which moves lead to earlier sums.
    let place = |mut heaps: [usize; 3]| {
        heaps.sort_unstable_by(|a, b| b.cmp(a));
        (heaps[0] * count + heaps[1]) * count + heaps[2]
    };
    let mut lost = vec![false; count * count * count];
    for one in 0..count {
        for two in 0..=one {
            for three in 0..=two {
                let first = options[one].iter().map(|&left| lost[place([left, two, three])]);
                let second = options[two].iter().map(|&left| lost[place([one, left, three])]);
                let third = options[three].iter().map(|&left| lost[place([one, two, left])]);
                lost[place([one, two, three])] = is_lost(first.chain(second).chain(third));
            }
        }
    }
    let mut known: HashMap<Vec<bool>, usize> = HashMap::new();
    let (mut class_of, mut first) = (Vec::new(), Vec::new());
    for heap in 0..count {
        let beside = (0..count).flat_map(|one| (0..=one).map(move |two| [heap, one, two]));
        let next = known.len();
        let class = *known.entry(beside.map(|heaps| lost[place(heaps)]).collect()).or_insert(next);
        if class == next {
            first.push(heap);
        }
        class_of.push(class);
    }
    (class_of, first)
}

/// Sums of classes, each as a rising list without class 0, in which nothing is left.
struct Words {
    /// The classes that the moves of each class lead to, all of them smaller.
    options: Vec<Vec<usize>>,
    lost: HashMap<Vec<usize>, bool>,
}

impl Words {
    fn lost(&mut self, word: &[usize]) -> bool {
        if let Some(&known) = self.lost.get(word) {
            return known;
        }
        let mut after = Vec::new();
        for at in 0..word.len() {
            for to in 0..self.options[word[at]].len() {
                let mut left = word.to_vec();
                left.remove(at);
                left = with(&left, self.options[word[at]][to]);
                after.push(self.lost(&left));
            }
        }
        let lost = is_lost(after.into_iter());
        self.lost.insert(word.to_vec(), lost);
        lost
    }
}

/// Returns a word with one class more.
fn with(word: &[usize], class: usize) -> Vec<usize> {
    let mut word = word.to_vec();
    if class > 0 {
        word.insert(word.partition_point(|&other| other <= class), class);
    }
    word
}

/// Returns all words of at most `length` classes, short ones first.
fn words(classes: usize, length: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    let mut from = 0;
    for _ in 0..length {
        let end = all.len();
        for at in from..end {
            let least = all[at].last().copied().unwrap_or(1);
            all.extend((least..classes).map(|class| with(&all[at], class)).collect::<Vec<_>>());
        }
        from = end;
    }
    all
}

/// Guesses the quotient of the heaps up to `largest`, which are none of a quotient yet; `None` if a move leaves two parts, or
/// more than a guess can hold, or it was `stopped`.
pub(super) fn guess(
    largest: usize,
    options: &impl Fn(usize, &mut dyn FnMut(usize, usize)),
    stopped: &dyn Fn() -> bool,
) -> Option<Guess> {
    if largest > HEAPS {
        return None;
    }
    let mut whole = true;
    let of_heap = |heap: usize| {
        let mut list = Vec::new();
        options(heap, &mut |one, two| {
            whole &= one == 0 || two == 0;
            list.push(one.max(two));
        });
        list
    };
    let options_of: Vec<Vec<usize>> = (0..=largest).map(of_heap).collect();
    if !whole {
        return None;
    }
    let (class_of, first) = classes(&options_of);
    if first.len() > CLASSES {
        return None;
    }
    let to_classes = |&heap: &usize| options_of[heap].iter().map(|&left| class_of[left]).collect();
    let mut sums = Words { options: first.iter().map(to_classes).collect(), lost: HashMap::new() };
    let beside = words(first.len(), LENGTHS[1]);
    let mut known: HashMap<Vec<bool>, u8> = HashMap::new();
    let mut element_of: HashMap<Vec<usize>, u8> = HashMap::new();
    let mut elements: Vec<Vec<usize>> = Vec::new();
    for word in words(first.len(), LENGTHS[0]) {
        if stopped() {
            return None;
        }
        let wins = beside.iter().map(|more| {
            let both = more.iter().fold(word.clone(), |word, &class| with(&word, class));
            sums.lost(&both)
        });
        let next = known.len() as u8;
        let element = *known.entry(wins.collect()).or_insert(next);
        if element == next {
            if elements.len() == ELEMENTS || word.len() == LENGTHS[0] {
                return None;
            }
            elements.push(word.clone());
        }
        element_of.insert(word, element);
    }
    let times = |element: u8, class: usize| {
        element_of.get(&with(&elements[usize::from(element)], class)).copied().unwrap_or(0)
    };
    let product = |one: usize| {
        elements.iter().map(|word| word.iter().fold(one as u8, |all, &class| times(all, class))).collect()
    };
    let lost = (0..).zip(&elements).filter(|(_, word)| sums.lost(word)).fold(0, |all, (at, _)| all | 1 << at);
    let heaps = class_of.iter().map(|&class| times(0, class)).collect();
    Some(Guess { product: (0..elements.len()).map(product).collect(), lost, heaps })
}
