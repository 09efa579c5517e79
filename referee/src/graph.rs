//! Positions and moves as an explicit graph, solved by backward induction: only the rules that made the graph are
//! used, and no method of the library.

mod cyclic;
mod node;

use std::collections::VecDeque;

use grundy_core::value::{Unit, Value, Wdl};
use grundy_session::{Judge, Session, Support};

pub use node::{Edge, Node, NodeValue};
use node::{Parents, parents_of};

/// Returns the values of all positions. Every unfinished position must have its moves.
///
/// # Errors
/// A move on a cycle gains points, or a value is none that [`Judge::admits`].
pub fn solve(nodes: &[Node], unit: Unit) -> Result<Vec<NodeValue>, String> {
    let parents = parents_of(nodes);
    let worth = match unit {
        Unit::Outcome => solve_outcome(nodes, &parents),
        Unit::Points | Unit::Fractions(_) => match solve_points(nodes, &parents) {
            Some(worth) => worth,
            None => cyclic::solve(nodes, &parents)?,
        },
    };
    let judge = Judge::new(unit, Support::Ranks);
    for (node, worth) in nodes.iter().zip(&worth) {
        judge.admits(worth.value).map_err(|why| format!("{}: {why}", node.position))?;
    }
    Ok(worth)
}

/// Solves a game of outcomes: positions are settled in the order of their distance, so the first winning move found
/// is the nearest and the last losing one the farthest; the rest are draws. If some end has no known distance, only
/// the order of settling is known.
fn solve_outcome(nodes: &[Node], parents: &Parents) -> Vec<NodeValue> {
    let measured = !nodes.iter().any(|node| node.over.is_some_and(Value::is_unmeasured));
    let known = |value: Value| match value.wdl() {
        _ if measured => value,
        Wdl::Win => Value::WIN,
        Wdl::Draw => Value::DRAW,
        Wdl::Loss => Value::LOSS,
    };
    let ended = |node: &Node| node.over.map(|value| NodeValue { value: known(value), rank: 0, part: None });
    let mut worth: Vec<Option<NodeValue>> = nodes.iter().map(ended).collect();
    let mut open: Vec<u32> = nodes.iter().map(|node| node.edges.len() as u32).collect();
    let settled = |node: &Node| node.over.is_some_and(|value| value.wdl() != Wdl::Draw);
    let mut queue: VecDeque<u32> = (0..nodes.len() as u32).filter(|&i| settled(&nodes[i as usize])).collect();
    while let Some(child) = queue.pop_front() {
        let Some(of_child) = worth[child as usize] else { continue };
        for &(parent, step) in parents.of(child as usize) {
            let p = parent as usize;
            if worth[p].is_some() {
                continue;
            }
            let value = of_child.value.back(step);
            open[p] -= 1;
            if value.wdl() == Wdl::Win || open[p] == 0 {
                worth[p] = Some(NodeValue { value, rank: of_child.rank + 1, part: None });
                queue.push_back(parent);
            }
        }
    }
    let drawn = NodeValue { value: Value::DRAW, rank: 0, part: None };
    worth.into_iter().map(|worth| worth.unwrap_or(drawn)).collect()
}

/// Solves an acyclic game for points; `None` if there is a cycle.
fn solve_points(nodes: &[Node], parents: &Parents) -> Option<Vec<NodeValue>> {
    let mut worth: Vec<Option<NodeValue>> =
        nodes.iter().map(|node| node.over.map(|value| NodeValue { value, rank: 0, part: None })).collect();
    let mut open: Vec<u32> = nodes.iter().map(|node| node.edges.len() as u32).collect();
    let mut queue: VecDeque<u32> = (0..nodes.len() as u32).filter(|&i| worth[i as usize].is_some()).collect();
    let mut done = 0;
    while let Some(child) = queue.pop_front() {
        done += 1;
        for &(parent, _) in parents.of(child as usize) {
            let p = parent as usize;
            open[p] -= 1;
            if open[p] == 0 && worth[p].is_none() {
                worth[p] = best_of(&nodes[p], &worth);
                queue.push_back(parent);
            }
        }
    }
    (done == nodes.len()).then(|| worth.into_iter().flatten().collect())
}

fn best_of(node: &Node, worth: &[Option<NodeValue>]) -> Option<NodeValue> {
    let children = || node.edges.iter().filter_map(|edge| Some((worth[edge.child as usize]?, edge.step)));
    Some(NodeValue {
        value: children().map(|(child, step)| child.value.back(step)).max()?,
        rank: children().map(|(child, _)| child.rank + 1).max()?,
        part: None,
    })
}

/// Returns the moves from the root of the graph to one of its positions.
pub fn line_to(nodes: &[Node], mut at: usize, rules: &mut Session) -> Vec<String> {
    let mut line = Vec::new();
    while let Some(parent) = nodes[at].parent {
        let (before, after) = (&nodes[parent as usize].position, &nodes[at].position);
        let mut found = None;
        if rules.setup(Some(before)).is_ok() {
            rules.each_successor(&mut |next| {
                if *next.position == **after {
                    found = Some(next.word);
                }
                found.is_none()
            });
        }
        line.push(found.unwrap_or_else(|| "?".to_string()));
        at = parent as usize;
    }
    line.reverse();
    line
}

#[cfg(test)]
mod tests {
    use grundy_core::game::Player;
    use grundy_core::value::Step;

    use super::*;

    fn node(over: Option<Value>, children: &[u32]) -> Node {
        let edges = children.iter().map(|&child| Edge { child, step: Step::PASSED }).collect();
        Node { edges, ..Node::new("", Player::One, over, None) }
    }

    #[test]
    fn the_winner_hurries_and_the_loser_delays() {
        // 0 can lose in 2 or in 4; 1 and 3 win at once, 2 wins only by way of 4.
        let nodes = [
            node(None, &[1, 2]),
            node(None, &[5]),
            node(None, &[4]),
            node(None, &[5]),
            node(None, &[3]),
            node(Some(Value::loss_in(0)), &[]),
        ];
        let worth = solve(&nodes, Unit::Outcome).unwrap();
        let words: Vec<String> = worth.iter().map(|w| w.value.show(Unit::Outcome).to_string()).collect();
        assert_eq!(words, ["loss:4", "win:1", "win:3", "win:1", "loss:2", "loss:0"]);
    }

    #[test]
    fn without_distances_there_are_ranks() {
        let nodes = [node(None, &[1]), node(None, &[2, 0]), node(Some(Value::LOSS), &[])];
        let worth = solve(&nodes, Unit::Outcome).unwrap();
        let said: Vec<_> = worth.iter().map(|w| (w.value, w.rank)).collect();
        assert_eq!(said, [(Value::LOSS, 2), (Value::WIN, 1), (Value::LOSS, 0)]);
    }

    #[test]
    fn a_cycle_is_a_draw_and_may_gain_nothing() {
        let nodes = [node(None, &[1]), node(None, &[0])];
        assert_eq!(solve(&nodes, Unit::Outcome).unwrap()[0].value, Value::DRAW);
        assert_eq!(solve(&nodes, Unit::Points).unwrap()[0].value, Value::DRAW);
        let mut gaining = nodes;
        gaining[1].edges[0].step.gain = 1;
        let why = solve(&gaining, Unit::Points).unwrap_err();
        assert_eq!(why, "a move on a cycle gains points");
    }
}
