//! The elements of an explicit graph: positions, moves, values, and predecessors.

use grundy_core::game::Player;
use grundy_core::value::{Step, Value};

/// A position in the graph.
#[derive(Clone, Debug)]
pub struct Node {
    /// The position as one line.
    pub position: Box<str>,
    /// The player to move.
    pub turn: Player,
    /// Its value if the game is over.
    pub over: Option<Value>,
    /// The moves that count here: the one an engine chose, or all.
    pub edges: Box<[Edge]>,
    /// The engine's move, or one that it calls as good, if it was asked.
    pub choice: Option<Box<str>>,
    /// The position it was first reached from, on a shortest line.
    pub parent: Option<u32>,
}

impl Node {
    /// Returns a position without moves yet.
    pub fn new(position: &str, turn: Player, over: Option<Value>, parent: Option<u32>) -> Node {
        Node { position: position.into(), turn, over, edges: Box::default(), choice: None, parent }
    }
}

/// A move in the graph.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// The index of the position it leads to.
    pub child: u32,
    /// Its effect on values.
    pub step: Step,
}

/// The value of a position with its progress measure, as in a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeValue {
    /// The value for the player to move, with its distance.
    pub value: Value,
    /// Progress measure: strictly decreases along the moves that a value rests on. In acyclic games for points the
    /// most plies to the end; for outcomes without distances the number of plies by which they were settled; in
    /// cyclic games for points the number of plies to a move that leaves the part with the margin, 0 for a margin of
    /// 0.
    pub rank: u32,
    /// In cyclic games for points, the component: moves lead to the same part or a lower one.
    pub part: Option<u32>,
}

/// The predecessors of each position, once per move, in one flat list.
pub struct Parents {
    starts: Vec<u32>,
    list: Vec<(u32, Step)>,
}

impl Parents {
    /// Returns the predecessors of position `i`, and the steps of their moves.
    pub fn of(&self, i: usize) -> &[(u32, Step)] {
        &self.list[self.starts[i] as usize..self.starts[i + 1] as usize]
    }
}

/// Returns the reversed graph.
pub fn parents_of(nodes: &[Node]) -> Parents {
    let mut starts = vec![0u32; nodes.len() + 1];
    for edge in nodes.iter().flat_map(|node| node.edges.iter()) {
        starts[edge.child as usize + 1] += 1;
    }
    for i in 1..starts.len() {
        starts[i] += starts[i - 1];
    }
    let mut next = starts.clone();
    let mut list = vec![(0, Step::PASSED); starts[nodes.len()] as usize];
    for (i, node) in nodes.iter().enumerate() {
        for edge in node.edges.iter() {
            let at = &mut next[edge.child as usize];
            list[*at as usize] = (i as u32, edge.step);
            *at += 1;
        }
    }
    Parents { starts, list }
}
