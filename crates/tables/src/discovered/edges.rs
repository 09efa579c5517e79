//! Moves within a component of discovered positions, as they are found, and reversed.

use grundy_core::value::Step;
use grundy_session::SolveError;

use crate::crew::allocate;

/// Raw value of a position that is not solved yet.
pub(super) const UNKNOWN: i32 = i32::MIN;

/// A move within the component, seen from its child.
#[derive(Clone, Copy)]
pub(super) struct Edge {
    /// Local index of the position it comes from, with [`PASSES`] if the turn passes.
    pub(super) from: u32,
}

/// Marks an edge whose move passes the turn.
pub(super) const PASSES: u32 = 1 << 31;

/// The result of expanding some positions.
#[derive(Default)]
pub(super) struct Looked {
    /// Per position: its value if the game is over, else the best of the moves out of the component, or [`UNKNOWN`].
    pub(super) best: Vec<i32>,
    /// Per position: the number of its moves within the component.
    pub(super) open: Vec<u32>,
    /// Per position: whether the game is over. Games for points only.
    pub(super) over: Vec<bool>,
    /// The moves within the component: the local index of the child, and the edge.
    pub(super) edges: Vec<(u32, Edge)>,
    /// Per move: the points that it gains. Games for points only.
    pub(super) gains: Vec<i32>,
}

/// The reversed graph of a component.
pub(super) struct Reversed {
    begins: Vec<u32>,
    edges: Vec<Edge>,
    gains: Vec<i32>,
}

impl Reversed {
    pub(super) fn new(count: usize, edges: Vec<(u32, Edge)>, gains: &[i32]) -> Result<Reversed, SolveError> {
        if edges.len() > u32::MAX as usize {
            return Err(SolveError::Broken(
                "a class of positions has more than 4 thousand million moves".to_owned(),
            ));
        }
        let mut begins = allocate(count as u64 + 2, 0u32)?;
        for (to, _) in &edges {
            begins[*to as usize + 2] += 1;
        }
        for at in 2..begins.len() {
            begins[at] += begins[at - 1];
        }
        let mut sorted = allocate(edges.len() as u64, Edge { from: 0 })?;
        let mut sorted_gains = vec![0; gains.len()];
        for (at, (to, edge)) in edges.into_iter().enumerate() {
            let place = &mut begins[to as usize + 1];
            sorted[*place as usize] = edge;
            if let Some(gain) = gains.get(at) {
                sorted_gains[*place as usize] = *gain;
            }
            *place += 1;
        }
        Ok(Reversed { begins, edges: sorted, gains: sorted_gains })
    }

    /// Visits the moves to a position, given by its local index: where each comes from, and its step.
    pub(super) fn to(&self, place: u32) -> impl Iterator<Item = (u32, Step)> {
        let range = self.begins[place as usize] as usize..self.begins[place as usize + 1] as usize;
        range.map(|at| {
            let from = self.edges[at].from;
            let gain = self.gains.get(at).copied().unwrap_or(0);
            (from & !PASSES, Step { turn_passed: from & PASSES != 0, gain })
        })
    }
}
