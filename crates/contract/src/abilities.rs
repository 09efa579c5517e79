//! Checks of the abilities: indexing, order, predecessors, keys, symmetric images.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::Hash;

use grundy_core::game::{Indexed, MORE, Notation, Scored, children, legal_moves};
use grundy_core::value::Value;
use grundy_search::alpha_beta::Heuristic;
use grundy_tables::layers::{Acyclic, Order};
use grundy_tables::retrograde::Reversible;
use grundy_tables::thresholds::Parted;

use crate::subject::Subject;
use grundy_core::random::SplitMix64;

/// Indexings up to this size are checked from end to end.
const WALK: u64 = 200_000;

/// Checks that `index(position(n)) == n`, that indices are in range, and that positions that share an index share their
/// value.
pub fn indexing_is_one_to_one<G: Notation + Scored + Indexed>(subject: &Subject<G>) {
    let game = &subject.game;
    for n in indices_to_try(game) {
        if let Some(position) = game.position(n) {
            assert_eq!(game.index(&position), n, "number {n} is {}", subject.show(&position));
        }
    }
    assert_eq!(game.position(game.size()), None, "a number past the end");
    assert_eq!(game.position(u64::MAX), None, "the last number of all");
    for position in &subject.positions {
        let n = game.index(position);
        let at = || subject.show(position);
        assert!(n < game.size(), "number {n} of {}: {}", game.size(), at());
        let representative = game.position(n).unwrap_or_else(|| panic!("number {n} is nobody's: {}", at()));
        assert_eq!(game.index(&representative), n, "{}", at());
        if subject.brute.is_some() {
            let (mine, its) = (subject.value(position), subject.value(&representative));
            assert_eq!(mine, its, "{} and {} share number {n}", at(), subject.show(&representative));
        }
    }
    same_value_by(subject, "number", |position| game.index(position));
    essences_share(subject, "number", |position| game.index(position));
    walking_visits_every_index(game);
    for position in subject.positions.iter().filter(|p| game.over(p).is_none()) {
        let mut numbers = Vec::new();
        game.child_indices(position, &mut |n, step| numbers.push((n, step)));
        let mut expected = Vec::new();
        let _ = children(game, position, &mut |_, child, step| {
            expected.push((game.index(&child), step));
            MORE
        });
        assert_eq!(numbers, expected, "numbers of the children of {}", subject.show(position));
        if let Some(count) = game.child_count(position) {
            let distinct: BTreeSet<_> = numbers.iter().map(|(n, step)| (n, step.turn_passed)).collect();
            assert_eq!(count as usize, distinct.len(), "children of {}", subject.show(position));
        }
    }
}

/// Checks that walking a range visits the position of each index, in order.
fn walking_visits_every_index<G: Indexed>(game: &G) {
    let mut random = SplitMix64(5);
    let mut ranges = vec![0..game.size().min(WALK), game.size().saturating_sub(1_000)..game.size(), 3..3];
    for _ in 0..50 {
        let from = random.bits() % game.size();
        ranges.push(from..(from + random.bits() % 1_000).min(game.size()));
    }
    for range in ranges {
        let mut expected = range.clone().filter_map(|n| Some((n, game.position(n)?)));
        game.walk(range.clone(), &mut |n, position| {
            assert_eq!(Some((n, position)), expected.next(), "walking {range:?}");
        });
        assert_eq!(expected.next(), None, "walking {range:?} ends too early");
    }
}

/// Checks that positions of one key have one value.
pub fn one_key_one_value<G: Notation + Scored + Heuristic>(subject: &Subject<G>) {
    same_value_by(subject, "key", |position| subject.game.key(position));
    // If positions can repeat, the search detects repetitions by its key, so the key may include the player to move.
    if !subject.game.cyclic() {
        essences_share(subject, "key", |position| subject.game.key(position));
    }
}

/// Checks that positions of one essence share the key by which values are stored.
fn essences_share<G: Notation + Scored>(
    subject: &Subject<G>,
    what: &str,
    known_by: impl Fn(&G::Position) -> u64,
) {
    for position in &subject.positions {
        let essence = subject.game.essence(position);
        let at = || format!("{} and {}", subject.show(position), subject.show(&essence));
        assert_eq!(known_by(position), known_by(&essence), "not the same {what}: {}", at());
    }
}

/// Checks that symmetric images have one value.
pub fn images_have_one_value<G: Notation + Scored>(
    subject: &Subject<G>,
    images: fn(&G, &G::Position) -> Vec<G::Position>,
) {
    for position in &subject.positions {
        for image in images(&subject.game, position) {
            let (at, there) = (subject.show(position), subject.show(&image));
            let count = |p| legal_moves(&subject.game, p).len();
            assert_eq!(count(position), count(&image), "moves of {at} and {there}");
            // The brute force has no value of an image that cannot be reached.
            if let Some(value) = subject.value(&image) {
                assert_eq!(subject.value(position), Some(value), "{at} and {there}");
            }
        }
    }
}

/// Checks that every move leads to an index that the order fills earlier, and that the order covers every index.
pub fn moves_follow_the_order<G: Notation + Scored + Acyclic>(subject: &Subject<G>) {
    let game = &subject.game;
    let order = game.order();
    // Start of each layer, and its rank in the order.
    let mut layers: BTreeMap<u64, usize> = BTreeMap::new();
    if let Order::Layers(ranges) = &order {
        let mut sorted = ranges.clone();
        sorted.retain(|range| !range.is_empty());
        sorted.sort_by_key(|range| range.start);
        let ends = sorted.iter().fold(0, |end, range| {
            assert_eq!(range.start, end, "layers overlap or leave a gap");
            range.end
        });
        assert_eq!(ends, game.size(), "layers do not reach the end");
        layers.extend(ranges.iter().enumerate().filter(|(_, r)| !r.is_empty()).map(|(i, r)| (r.start, i)));
    }
    let layer_of = |n: u64| *layers.range(..=n).next_back().expect("the first layer starts at 0").1;
    let mut check = |position: &G::Position| {
        let from = game.index(position);
        for m in legal_moves(game, position) {
            let to = game.index(&game.play(position, m));
            let kept = match order {
                Order::Lower => to < from,
                Order::Higher => to > from,
                Order::Subsets => to & !from == 0 && to != from,
                Order::Layers(_) => layer_of(to) < layer_of(from),
            };
            let word = game.write_move(position, m);
            assert!(kept, "{word} leads from {from} to {to} against the order: {}", subject.show(position));
        }
    };
    subject.positions.iter().for_each(&mut check);
    // A table is filled at every index, also at those that play never reaches.
    indices_to_try(game).filter_map(|n| game.position(n)).for_each(|p| check(&p));
    if game.bit_moves(0, &mut |_, _| {}) {
        indices_to_try(game).for_each(|n| bit_moves_are_moves(game, n));
    }
}

/// Checks that the moves by their bits are the children by their indices, and that a bit that only passes the turn does
/// so together with any other bit.
fn bit_moves_are_moves<G: Scored + Acyclic>(game: &G, number: u64) {
    let by_bits = |number: u64| {
        let mut moves = Vec::new();
        assert!(game.bit_moves(number, &mut |bits, step| {
            assert!(bits != 0 && bits & !number == 0, "bits {bits:b} of {number:b}");
            let each = (0..64).filter(|bit| bits >> bit & 1 == 1);
            moves.extend(each.map(|bit| (number ^ 1 << bit, step.turn_passed, step.gain)));
        }));
        moves.sort_unstable();
        moves
    };
    let moves = by_bits(number);
    let mut children = Vec::new();
    let position = game.position(number).expect("every number is a position");
    if game.over(&position).is_none() {
        game.child_indices(&position, &mut |child, step| children.push((child, step.turn_passed, step.gain)));
    }
    children.sort_unstable();
    assert_eq!(moves, children, "moves of {number:b}");
    for more in (0..64).map(|bit| number | 1 << bit).filter(|&more| more != number && more < game.size()) {
        let others = by_bits(more);
        for &(child, turn_passed, gain) in moves.iter().filter(|m| m.1 && m.2 == 0) {
            let same = (more ^ number ^ child, turn_passed, gain);
            assert!(others.binary_search(&same).is_ok(), "{number:b} to {child:b} with {more:b}");
        }
    }
}

/// Checks that the indices of a position's predecessors are exactly those with a move to its index.
pub fn predecessors_are_reversed_moves<G: Notation + Scored + Reversible>(subject: &Subject<G>) {
    let game = &subject.game;
    let numbers_before = |position: &G::Position| {
        let mut before = BTreeSet::new();
        game.predecessors(position, &mut |p| {
            before.insert(game.index(&p));
        });
        before
    };
    let numbers_after = |position: &G::Position| -> BTreeSet<u64> {
        legal_moves(game, position).into_iter().map(|m| game.index(&game.play(position, m))).collect()
    };
    if game.size() <= WALK {
        let mut reversed: HashMap<u64, BTreeSet<u64>> = HashMap::new();
        for n in 0..game.size() {
            if let Some(position) = game.position(n) {
                for child in numbers_after(&position) {
                    reversed.entry(child).or_default().insert(n);
                }
            }
        }
        for n in 0..game.size() {
            if let Some(position) = game.position(n) {
                let expected = reversed.remove(&n).unwrap_or_default();
                assert_eq!(numbers_before(&position), expected, "before {}", subject.show(&position));
            }
        }
    }
    let stride = (subject.positions.len() / 300).max(1);
    for position in subject.positions.iter().step_by(stride) {
        let n = game.index(position);
        for m in legal_moves(game, position) {
            let child = game.play(position, m);
            let missing = || format!("{} is not before {}", subject.show(position), subject.show(&child));
            assert!(numbers_before(&child).contains(&n), "{}", missing());
        }
        game.predecessors(position, &mut |before| {
            let excess = || format!("{} does not lead to {}", subject.show(&before), subject.show(position));
            assert!(numbers_after(&before).contains(&n), "{}", excess());
        });
    }
}

/// Checks that a move leads to an earlier part, or stays in its part and gains nothing, and that the predecessors of a
/// position in its part are exactly the positions that lead to it there.
pub fn moves_keep_to_the_parts<G: Notation + Scored + Parted>(subject: &Subject<G>) {
    let game = &subject.game;
    let ends = game.parts();
    assert!(ends.is_sorted() && ends.last() == Some(&game.size()), "parts end at {ends:?}");
    let part = |number: u64| ends.partition_point(|&end| end <= number);
    let numbers_before = |position: &G::Position| {
        let mut before = BTreeSet::new();
        game.before(position, &mut |p| {
            before.insert((game.index(&p), game.turn(&p) != game.turn(position)));
        });
        before
    };
    let all = indices_to_try(game).filter_map(|n| game.position(n)).chain(subject.positions.iter().cloned());
    let mut reversed: HashMap<u64, BTreeSet<_>> = HashMap::new();
    for position in all.filter(|position| game.over(position).is_none()) {
        let number = game.index(&position);
        game.child_indices(&position, &mut |child, step| {
            let at = || format!("{} leads to {child}", subject.show(&position));
            assert!(part(child) <= part(number), "a later part: {}", at());
            assert!(part(child) < part(number) || step.gain == 0, "a gain within a part: {}", at());
            if part(child) == part(number) {
                reversed.entry(child).or_default().insert((number, step.turn_passed));
            }
        });
    }
    for (number, leading) in &reversed {
        let position = game.position(*number).expect("a child has a number");
        let before = numbers_before(&position);
        let same = if game.size() <= WALK { before == *leading } else { before.is_superset(leading) };
        assert!(same, "before {}: {before:?}, expected {leading:?}", subject.show(&position));
    }
    for number in indices_to_try(game).filter(|number| !reversed.contains_key(number)) {
        let Some(position) = game.position(number) else { continue };
        for (before, _) in numbers_before(&position) {
            let mut leads = false;
            let from = game.position(before).expect("what stands before has a number");
            game.child_indices(&from, &mut |child, _| leads |= child == number);
            assert!(leads, "{} does not lead to {}", subject.show(&from), subject.show(&position));
        }
    }
}

fn same_value_by<G: Notation + Scored, K: Eq + Hash>(
    subject: &Subject<G>,
    what: &str,
    key: impl Fn(&G::Position) -> K,
) {
    let mut values: HashMap<K, (Value, &G::Position)> = HashMap::new();
    for position in &subject.positions {
        let Some(value) = subject.value(position) else { return };
        let (first, other) = *values.entry(key(position)).or_insert((value, position));
        assert_eq!(first, value, "{} and {} share a {what}", subject.show(other), subject.show(position));
    }
}

/// Returns all indices of a small indexing; the first, the last and a sample of a large one.
pub fn indices_to_try<G: Indexed>(game: &G) -> Box<dyn Iterator<Item = u64>> {
    let size = game.size();
    if size <= WALK {
        return Box::new(0..size);
    }
    let mut random = SplitMix64(3);
    let sample: Vec<u64> = (0..WALK / 4).map(|_| random.bits() % size).collect();
    Box::new((0..1_000).chain(sample).chain(size - 1_000..size))
}
