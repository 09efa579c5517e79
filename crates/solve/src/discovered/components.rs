//! Strongly connected components of the classes of positions, in the order in which they can be solved.

use grundy_core::sorting;
use std::hash::Hash;
use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

/// Classes that lead to each other: a strongly connected component of the graph of classes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectedClasses {
    /// The numbers of the positions, as ranges in rising order.
    pub ranges: Vec<Range<u32>>,
    /// Whether a move may stay within the component.
    pub circular: bool,
}

impl ConnectedClasses {
    /// How many positions it has.
    pub fn len(&self) -> usize {
        self.ranges.iter().map(|range| range.len()).sum()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The components of sorted positions: the strongly connected parts of the graph of their classes, joined by `pairs`, those
/// that lead nowhere first.
pub(super) fn components<K: Copy + Ord + Hash>(
    keys: &[K],
    class: impl Fn(K) -> K,
    pairs: &FxHashSet<(K, K)>,
) -> Vec<ConnectedClasses> {
    let mut classes: Vec<K> = Vec::new();
    let mut ranges: Vec<Range<u32>> = Vec::new();
    for (at, &key) in keys.iter().enumerate() {
        let own = class(key);
        if classes.last() == Some(&own) {
            if let Some(range) = ranges.last_mut() {
                range.end = at as u32 + 1;
            }
        } else {
            classes.push(own);
            ranges.push(at as u32..at as u32 + 1);
        }
    }
    let numbers: FxHashMap<K, u32> = classes.iter().copied().zip(0..).collect();
    let mut exits: Vec<Vec<u32>> = vec![Vec::new(); classes.len()];
    for (from, to) in pairs {
        if let (Some(&from), Some(&to)) = (numbers.get(from), numbers.get(to)) {
            exits[from as usize].push(to);
        }
    }
    // The order of a set is not the same everywhere.
    exits.iter_mut().for_each(|exits| sorting::sort(exits));
    let mut made = Vec::new();
    for part in connected(&exits) {
        let circular = part.len() > 1 || exits[part[0] as usize].contains(&part[0]);
        let mut own: Vec<Range<u32>> = part.iter().map(|&class| ranges[class as usize].clone()).collect();
        sorting::sort_by_key(&mut own, |range| range.start);
        made.push(ConnectedClasses { ranges: own, circular });
    }
    made
}

/// The strongly connected parts of a graph, each after all that it leads to (Tarjan, "Depth-first search and linear
/// graph algorithms", 1972).
fn connected(exits: &[Vec<u32>]) -> Vec<Vec<u32>> {
    const NEW: u32 = u32::MAX;
    let count = exits.len();
    let (mut order, mut low) = (vec![NEW; count], vec![0u32; count]);
    let mut on_stack = vec![false; count];
    let (mut stack, mut parts, mut time) = (Vec::new(), Vec::new(), 0);
    for root in 0..count as u32 {
        if order[root as usize] != NEW {
            continue;
        }
        // A node and how many of its exits were followed.
        let mut path: Vec<(u32, usize)> = vec![(root, 0)];
        while let Some((node, followed)) = path.pop() {
            let own = node as usize;
            if followed == 0 {
                (order[own], low[own]) = (time, time);
                time += 1;
                stack.push(node);
                on_stack[own] = true;
            }
            if followed > 0 {
                low[own] = low[own].min(low[exits[own][followed - 1] as usize]);
            }
            let mut next = followed;
            let mut deeper = None;
            while let Some(&exit) = exits[own].get(next) {
                next += 1;
                if order[exit as usize] == NEW {
                    deeper = Some(exit);
                    break;
                }
                if on_stack[exit as usize] {
                    low[own] = low[own].min(order[exit as usize]);
                }
            }
            if let Some(exit) = deeper {
                path.push((node, next));
                path.push((exit, 0));
                continue;
            }
            if low[own] == order[own] {
                let mut part = Vec::new();
                while let Some(other) = stack.pop() {
                    on_stack[other as usize] = false;
                    part.push(other);
                    if other == node {
                        break;
                    }
                }
                parts.push(part);
            }
        }
    }
    parts
}
