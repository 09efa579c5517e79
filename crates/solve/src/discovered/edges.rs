//! Moves within a component of discovered positions, as they are found, and turned round.

use grundy_core::value::Step;
use grundy_session::SolveError;

use crate::crew::allocate;

/// What is not known yet, as [`Value::raw`](grundy_core::value::Value::raw).
pub(super) const UNKNOWN: i32 = i32::MIN;

/// A move within the component, seen from the position it leads to.
#[derive(Clone, Copy)]
pub(super) struct Edge {
    /// Where in the component the move comes from; the highest bit says whether the turn passes.
    pub(super) from: u32,
}

/// Marks an edge whose move passes the turn.
pub(super) const PASSES: u32 = 1 << 31;

/// What a task has found out about some positions.
#[derive(Default)]
pub(super) struct Looked {
    /// For each the best value of a move out of the component, or that the rules give; [`UNKNOWN`] where there is none.
    pub(super) best: Vec<i32>,
    /// For each the number of its moves within the component.
    pub(super) open: Vec<u32>,
    /// For each whether the game is over, in games for points.
    pub(super) over: Vec<bool>,
    /// The moves within the component: the place of the child, and the edge.
    pub(super) edges: Vec<(u32, Edge)>,
    /// What each of them gains, in games for points.
    pub(super) gains: Vec<i32>,
}

/// The moves within a component, by the position they lead to.
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

    /// The moves to a place: where from, and what each means.
    pub(super) fn to(&self, place: u32) -> impl Iterator<Item = (u32, Step)> {
        let range = self.begins[place as usize] as usize..self.begins[place as usize + 1] as usize;
        range.map(|at| {
            let from = self.edges[at].from;
            let gain = self.gains.get(at).copied().unwrap_or(0);
            (from & !PASSES, Step { turn_passed: from & PASSES != 0, gain })
        })
    }
}
