//! The parts of an explicit graph: positions, moves, what they are worth, and the moves turned round.

use grundy_core::game::Player;
use grundy_core::value::{Step, Value};

/// A position in the graph.
#[derive(Clone, Debug)]
pub struct Node {
    /// The position as one line.
    pub position: Box<str>,
    /// The player to move.
    pub turn: Player,
    /// Its value where the game is over.
    pub over: Option<Value>,
    /// The moves that count here: the one an engine chose, or all.
    pub edges: Box<[Edge]>,
    /// The move an engine chose, where it was asked.
    pub choice: Option<Box<str>>,
    /// The position it was first reached from, for the shortest line to it.
    pub parent: Option<u32>,
}

impl Node {
    /// A position without moves yet.
    pub fn new(position: &str, turn: Player, over: Option<Value>, parent: Option<u32>) -> Node {
        Node { position: position.into(), turn, over, edges: Box::default(), choice: None, parent }
    }
}

/// A move in the graph.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// The place of the position it leads to.
    pub child: u32,
    /// What it means for worth.
    pub step: Step,
}

/// What backward induction says of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Worth {
    /// The value for the player to move, with its distance.
    pub value: Value,
    /// What shows that nothing holds itself up. In games for points the most plies until the end; for wins and losses
    /// without a distance how far they are from the ends; where lines go round in a game for points, how far a margin
    /// other than 0 is from a move that leaves the part with it.
    pub rank: u32,
    /// In games for points in which lines go round: the part of the graph. Moves lead to the same part or a lower one.
    pub part: Option<u32>,
}

/// For each position, the positions with a move to it (as often as they have one), in one flat list.
pub struct Parents {
    starts: Vec<u32>,
    list: Vec<(u32, Step)>,
}

impl Parents {
    /// The positions with a move to this one, and what the move means.
    pub fn of(&self, i: usize) -> &[(u32, Step)] {
        &self.list[self.starts[i] as usize..self.starts[i + 1] as usize]
    }
}

/// The moves of a graph turned round.
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
