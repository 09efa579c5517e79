//! The values of an impartial game on a graph, cycles allowed.
//!
//! A node has the number `m` if `m` is the mex of the numbers of its exits and every exit without a number has itself
//! an exit of number `m`, to which the move can be turned back. The numbers do not hang on the order in which they are
//! given (Smith 1966; Siegel, "Combinatorial Game Theory", IV.4), so all nodes of number 0 are found first, then those
//! of 1, and so on. What is left is infinity.

/// A Grundy number or a loopy value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Number {
    /// A Grundy number.
    Plain(u32),
    /// Infinity, and the numbers of the options that have one, rising.
    Loopy(Box<[u32]>),
}

const NONE: u32 = u32::MAX;

/// Returns the value of every node of a graph, given by the exits of each node, each exit once.
///
/// ```
/// use grundy_sums::impartial::{Number, loopy_values};
/// // 0 and 1 lead to each other, 1 to the end 2 as well: who stands on 0 can only go on.
/// let values = loopy_values(&[vec![1], vec![0, 2], vec![]]);
/// assert_eq!(values[2], Number::Plain(0));
/// assert_eq!(values[1], Number::Plain(1));
/// assert_eq!(values[0], Number::Plain(0));
/// // An endless cycle is a draw.
/// assert_eq!(loopy_values(&[vec![1], vec![0]])[0], Number::Loopy([].into()));
/// ```
pub fn loopy_values(exits: &[Vec<u32>]) -> Vec<Number> {
    let entries = reversed(exits);
    let mut numbers = vec![NONE; exits.len()];
    acyclic(exits, &entries, &mut numbers);
    let mut open: Vec<u32> = (0..exits.len() as u32).filter(|&node| numbers[node as usize] == NONE).collect();
    for number in 0.. {
        // Nodes whose exits have all the lesser numbers may have this one, those that have it not among their exits.
        let candidates: Vec<u32> = open
            .iter()
            .copied()
            .filter(|&node| {
                let exits = &exits[node as usize];
                (0..number).all(|less| exits.iter().any(|&exit| numbers[exit as usize] == less))
            })
            .collect();
        if candidates.is_empty() {
            break;
        }
        level(number, &candidates, exits, &entries, &mut numbers);
        open.retain(|&node| numbers[node as usize] == NONE);
    }
    let value = |(exits, &number): (&Vec<u32>, &u32)| match number {
        NONE => {
            let mut list: Vec<u32> =
                exits.iter().map(|&exit| numbers[exit as usize]).filter(|&n| n != NONE).collect();
            list.sort_unstable();
            list.dedup();
            Number::Loopy(list.into())
        }
        number => Number::Plain(number),
    };
    exits.iter().zip(&numbers).map(value).collect()
}

fn reversed(exits: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut entries = vec![Vec::new(); exits.len()];
    for (node, list) in (0u32..).zip(exits) {
        list.iter().for_each(|&exit| entries[exit as usize].push(node));
    }
    entries
}

/// Finds the numbers of the nodes from which no cycle can be reached.
fn acyclic(exits: &[Vec<u32>], entries: &[Vec<u32>], numbers: &mut [u32]) {
    let mut waiting: Vec<u32> = exits.iter().map(|list| list.len() as u32).collect();
    let mut ready: Vec<u32> = (0..exits.len() as u32).filter(|&node| waiting[node as usize] == 0).collect();
    while let Some(node) = ready.pop() {
        let mut found: Vec<u32> = exits[node as usize].iter().map(|&exit| numbers[exit as usize]).collect();
        found.sort_unstable();
        found.dedup();
        let mex = (0u32..).zip(&found).take_while(|(n, found)| n == *found).count();
        numbers[node as usize] = mex as u32;
        for &entry in &entries[node as usize] {
            waiting[entry as usize] -= 1;
            if waiting[entry as usize] == 0 {
                ready.push(entry);
            }
        }
    }
}

/// Assigns `number` to the candidates that have it.
fn level(number: u32, candidates: &[u32], exits: &[Vec<u32>], entries: &[Vec<u32>], numbers: &mut [u32]) {
    let is_candidate: rustc_hash::FxHashSet<u32> = candidates.iter().copied().collect();
    // An exit is answered that has a number other than this one, or an exit of this one.
    let mut answered: Vec<bool> = numbers.iter().map(|&n| n != NONE).collect();
    let mut marked: Vec<bool> = vec![false; numbers.len()];
    let given: Vec<u32> =
        (0..numbers.len() as u32).filter(|&node| numbers[node as usize] == number).collect();
    let mut work: Vec<u32> = Vec::new();
    let mark = |node: u32, marked: &mut Vec<bool>, answered: &mut Vec<bool>, work: &mut Vec<u32>| {
        // Who can move to this number does not have it.
        for &entry in &entries[node as usize] {
            marked[entry as usize] = true;
            if !std::mem::replace(&mut answered[entry as usize], true) {
                work.extend(entries[entry as usize].iter().filter(|node| is_candidate.contains(node)));
            }
        }
    };
    given.into_iter().for_each(|node| mark(node, &mut marked, &mut answered, &mut work));
    work.extend(candidates);
    while let Some(node) = work.pop() {
        let free = numbers[node as usize] == NONE && !marked[node as usize];
        if free && exits[node as usize].iter().all(|&exit| answered[exit as usize]) {
            numbers[node as usize] = number;
            answered[node as usize] = true;
            mark(node, &mut marked, &mut answered, &mut work);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the outcome of each node plus a heap of nim, by retrograde analysis: true for the mover, false for the
    /// opponent, `None` for a draw.
    fn outcomes(exits: &[Vec<u32>], heap: usize) -> Vec<Vec<Option<bool>>> {
        let mut won: Vec<Vec<Option<bool>>> = vec![vec![None; heap + 1]; exits.len()];
        loop {
            let mut changed = false;
            for node in 0..exits.len() {
                for h in 0..=heap {
                    if won[node][h].is_some() {
                        continue;
                    }
                    let here = exits[node].iter().map(|&exit| won[exit as usize][h]);
                    let options: Vec<Option<bool>> = here.chain((0..h).map(|less| won[node][less])).collect();
                    let found = if options.contains(&Some(false)) {
                        Some(true)
                    } else {
                        options.iter().all(|o| *o == Some(true)).then_some(false)
                    };
                    changed |= found.is_some();
                    won[node][h] = found;
                }
            }
            if !changed {
                return won;
            }
        }
    }

    #[test]
    fn values_tell_who_wins_beside_any_heap() {
        let mut seed = 12345u64;
        let mut dice = |limit: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % limit
        };
        let mut loops = 0;
        for round in 0..3_000 {
            let nodes = 2 + dice(9) as usize;
            let density = 1 + dice(4);
            let exits: Vec<Vec<u32>> =
                (0..nodes).map(|_| (0..nodes as u32).filter(|_| dice(6) < density).collect()).collect();
            let heap = 9;
            let won = outcomes(&exits, heap);
            for (node, value) in loopy_values(&exits).iter().enumerate() {
                for (h, &found) in (0u32..).zip(&won[node]) {
                    let expected = match value {
                        Number::Plain(number) => Some(*number != h),
                        Number::Loopy(list) => list.contains(&h).then_some(true),
                    };
                    assert_eq!(found, expected, "round {round}, node {node} and heap {h} of {exits:?}");
                }
                loops += usize::from(matches!(value, Number::Loopy(list) if !list.is_empty()));
            }
        }
        assert!(loops > 100, "{loops}");
    }
}
