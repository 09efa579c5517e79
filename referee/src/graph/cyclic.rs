//! Cyclic games for points, solved by thresholds: a second implementation of the method, which shares no code with
//! the library on purpose.
//!
//! The *parts* of the graph are its strongly connected components, numbered so that a move leads to its own part or
//! to a lower one. Cycles stay within a part, where no move may gain points. Parts are solved in rising order, and in
//! each the largest margin comes first: it is won by a player who can leave the part with it or move to a position
//! that wins it, and conceded by one whose moves all concede it. Positions left open after all margins are worth 0:
//! both players can cycle forever.

use std::collections::VecDeque;

use grundy_core::sorting;
use grundy_core::value::Value;

use super::node::{Node, NodeValue, Parents};

/// The rank of an unsettled position.
const OPEN: u32 = u32::MAX;

/// Returns the values of all positions.
///
/// # Errors
/// A move that stays in its part gains points.
pub(super) fn solve(nodes: &[Node], parents: &Parents) -> Result<Vec<NodeValue>, String> {
    let parts = parts_of(nodes);
    let mut members: Vec<u32> = (0..nodes.len() as u32).collect();
    sorting::sort_by_key(&mut members, |&i| parts[i as usize]);
    let open = |&part| NodeValue { value: Value::DRAW, rank: OPEN, part: Some(part) };
    let mut graph = Graph {
        nodes,
        parents,
        parts: &parts,
        worth: parts.iter().map(open).collect(),
        leaving: vec![None; nodes.len()],
        staying: vec![0; nodes.len()],
    };
    for part in members.chunk_by(|&a, &b| parts[a as usize] == parts[b as usize]) {
        graph.settle(part)?;
    }
    Ok(graph.worth)
}

struct Graph<'a> {
    nodes: &'a [Node],
    parents: &'a Parents,
    parts: &'a [u32],
    worth: Vec<NodeValue>,
    /// Per position, the best value of a move that leaves its part.
    leaving: Vec<Option<Value>>,
    /// Per position, the number of moves that stay in its part and may still avoid the current margin.
    staying: Vec<u32>,
}

impl Graph<'_> {
    /// Settles the positions of a part; lower parts are settled.
    fn settle(&mut self, part: &[u32]) -> Result<(), String> {
        for &i in part {
            self.scan_moves(i as usize)?;
        }
        let margin = |&i: &u32| self.leaving[i as usize].map_or(0, |value| value.raw().unsigned_abs());
        let mut seeds: Vec<u32> = part.iter().copied().filter(|i| margin(i) > 0).collect();
        sorting::sort_by_key(&mut seeds, |i| std::cmp::Reverse(margin(i)));
        let margins: Vec<Vec<u32>> =
            seeds.chunk_by(|a, b| margin(a) == margin(b)).map(<[u32]>::to_vec).collect();
        for seeds in margins {
            self.settle_margin(&seeds);
        }
        for worth in part.iter().map(|&i| i as usize) {
            // Settled with margin 0, which needs no rank.
            if self.worth[worth].rank == OPEN {
                self.worth[worth].rank = 0;
            }
        }
        Ok(())
    }

    /// Evaluates the moves of a position that leave its part, and counts those that stay.
    fn scan_moves(&mut self, i: usize) -> Result<(), String> {
        if let Some(value) = self.nodes[i].over {
            self.worth[i] = NodeValue { value, rank: 0, ..self.worth[i] };
            return Ok(());
        }
        for edge in &self.nodes[i].edges {
            let child = edge.child as usize;
            if self.parts[child] != self.parts[i] {
                self.leaving[i] = self.leaving[i].max(Some(self.worth[child].value.back(edge.step)));
            } else if edge.step.gain != 0 {
                return Err("a move on a cycle gains points".to_owned());
            } else {
                self.staying[i] += 1;
            }
        }
        Ok(())
    }

    /// Settles the positions that win or concede the current margin. `seeds` are the positions whose best move out of
    /// the part has this margin, for either player.
    fn settle_margin(&mut self, seeds: &[u32]) {
        let mut queue = VecDeque::new();
        for &i in seeds {
            let at = i as usize;
            let Some(value) = self.leaving[at].filter(|_| self.worth[at].rank == OPEN) else { continue };
            if value > Value::DRAW || self.staying[at] == 0 {
                self.worth[at] = NodeValue { value, rank: 1, ..self.worth[at] };
                queue.push_back(i);
            }
        }
        while let Some(child) = queue.pop_front() {
            let of_child = self.worth[child as usize];
            for &(parent, step) in self.parents.of(child as usize) {
                let p = parent as usize;
                if self.worth[p].part != of_child.part || self.worth[p].rank != OPEN {
                    continue;
                }
                let value = of_child.value.back(step);
                if value < Value::DRAW {
                    self.staying[p] -= 1;
                    if self.staying[p] > 0 || self.leaving[p] > Some(value) {
                        continue;
                    }
                }
                self.worth[p] = NodeValue { value, rank: of_child.rank + 1, ..self.worth[p] };
                queue.push_back(parent);
            }
        }
    }
}

/// Returns the strongly connected component of each position, numbered children first (R. Tarjan, "Depth-first search
/// and linear graph algorithms", 1972), without recursion.
fn parts_of(nodes: &[Node]) -> Vec<u32> {
    const NONE: u32 = u32::MAX;
    let mut part = vec![NONE; nodes.len()];
    let mut parts = 0;
    // The visit number of each position and the earliest one it leads back to; 0 if not visited.
    let mut met = vec![0u32; nodes.len()];
    let mut back = vec![0u32; nodes.len()];
    let mut clock = 0;
    let mut stack = Vec::new();
    // Positions on the current path, and the next move of each.
    let mut way: Vec<(u32, u32)> = Vec::new();
    for root in 0..nodes.len() as u32 {
        if met[root as usize] == 0 {
            way.push((root, 0));
        }
        while let Some((i, next)) = way.last_mut() {
            let (i, edge) = (*i as usize, *next as usize);
            if edge == 0 {
                clock += 1;
                met[i] = clock;
                back[i] = clock;
                stack.push(i as u32);
            }
            *next += 1;
            if let Some(edge) = nodes[i].edges.get(edge) {
                let child = edge.child as usize;
                if met[child] == 0 {
                    way.push((edge.child, 0));
                } else if part[child] == NONE {
                    back[i] = back[i].min(met[child]);
                }
                continue;
            }
            way.pop();
            if let Some(&(before, _)) = way.last() {
                back[before as usize] = back[before as usize].min(back[i]);
            }
            if back[i] == met[i] {
                while let Some(member) = stack.pop() {
                    part[member as usize] = parts;
                    if member as usize == i {
                        break;
                    }
                }
                parts += 1;
            }
        }
    }
    part
}

#[cfg(test)]
mod tests {
    use grundy_core::game::Player;
    use grundy_core::value::Step;

    use super::super::node::{Edge, parents_of};
    use super::*;

    /// A position from which the turn passes to some children and stays with others.
    fn node(over: Option<i32>, passed: &[u32], kept: &[u32]) -> Node {
        let edge = |turn_passed| move |&child: &u32| Edge { child, step: Step { turn_passed, gain: 0 } };
        let edges = passed.iter().map(edge(true)).chain(kept.iter().map(edge(false))).collect();
        Node { edges, ..Node::new("", Player::One, over.map(Value::points), None) }
    }

    fn end(margin: i32) -> Node {
        node(Some(margin), &[], &[])
    }

    fn solved(nodes: &[Node]) -> Vec<(i32, u32)> {
        let worth = solve(nodes, &parents_of(nodes)).unwrap();
        worth.iter().map(|worth| (worth.value.raw(), worth.rank)).collect()
    }

    #[test]
    fn the_player_ahead_leaves_the_cycle_and_the_one_behind_stays() {
        // 0 and 1 lead to each other; 1 may leave with 3 for itself, 0 with less.
        let nodes = [node(None, &[1, 3], &[]), node(None, &[0, 2], &[]), end(-3), end(5)];
        assert_eq!(solved(&nodes), [(-3, 2), (3, 1), (-3, 0), (5, 0)]);
        // Nobody gains by leaving: both stay on the cycle.
        let nodes = [node(None, &[1, 3], &[]), node(None, &[0, 2], &[]), end(3), end(5)];
        assert_eq!(solved(&nodes), [(0, 0), (0, 0), (3, 0), (5, 0)]);
        // A cycle of one player, who leaves it for his best exit.
        let nodes = [node(None, &[], &[1, 2]), node(None, &[], &[0, 3]), end(2), end(-1)];
        assert_eq!(solved(&nodes), [(2, 1), (2, 2), (2, 0), (-1, 0)]);
    }

    #[test]
    fn parts_are_numbered_children_first() {
        let nodes = [
            node(None, &[1], &[]),
            node(None, &[2, 3], &[]),
            node(None, &[1], &[]),
            node(None, &[3, 4], &[]),
            end(0),
        ];
        assert_eq!(parts_of(&nodes), [3, 2, 2, 1, 0]);
    }
}
