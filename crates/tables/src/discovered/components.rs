//! Strongly connected components of the classes of positions, in the order in which they can be solved.

use std::hash::Hash;
use std::ops::Range;

use grundy_core::sorting;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::parts::Part;

/// Returns the strongly connected components of the graph of classes of the sorted positions `keys`, each as a part of the
/// table. Two classes are joined if `pairs` has them; components without moves out come first.
pub(super) fn components<K: Copy + Ord + Hash>(
    keys: &[K],
    class: impl Fn(K) -> K,
    pairs: &FxHashSet<(K, K)>,
) -> Vec<Part> {
    let mut classes: Vec<K> = Vec::new();
    let mut ranges: Vec<Range<u64>> = Vec::new();
    for (at, &key) in keys.iter().enumerate() {
        let own = class(key);
        if classes.last() == Some(&own) {
            if let Some(range) = ranges.last_mut() {
                range.end = at as u64 + 1;
            }
        } else {
            classes.push(own);
            ranges.push(at as u64..at as u64 + 1);
        }
    }
    let numbers: FxHashMap<K, u32> = classes.iter().copied().zip(0..).collect();
    let mut exits: Vec<Vec<u32>> = vec![Vec::new(); classes.len()];
    for (from, to) in pairs {
        if let (Some(&from), Some(&to)) = (numbers.get(from), numbers.get(to)) {
            exits[from as usize].push(to);
        }
    }
    // The iteration order of a set is not the same on every machine.
    exits.iter_mut().for_each(|exits| sorting::sort(exits));
    let mut made = Vec::new();
    for part in connected(&exits) {
        let cyclic = part.len() > 1 || exits[part[0] as usize].contains(&part[0]);
        let mut own: Vec<Range<u64>> = part.iter().map(|&class| ranges[class as usize].clone()).collect();
        sorting::sort_by_key(&mut own, |range| range.start);
        made.push(Part { ranges: own, cyclic });
    }
    made
}

/// Returns the strongly connected components of a graph, each after all that it leads to (Tarjan, "Depth-first search and
/// linear graph algorithms", 1972).
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
        // A node and the number of its exits that were followed.
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
