//! Computing the table of loony states.

use crate::crew::{Meter, allocate, finished, refuse_beyond};
use crate::layers::{self, Acyclic, Order};
use grundy_core::game::Scored;
use grundy_core::table::{Coding, Meaning, Table, Width};
use grundy_core::value::Value;
use grundy_session::{SolveError, Work};

use super::ability::{Loony, LoonyStates};

/// The coding of the cells: a loss if the player to move makes the next loony move, a win if the opponent does.
pub(crate) const CODING: Coding = Coding { meaning: Meaning::Outcome, width: Width::Quarter };

/// States between two progress reports.
const STRETCH: u64 = 1 << 14;

/// Returns the bytes of memory that the table takes while it is computed, with values of one byte.
pub(super) fn memory(count: u64) -> u64 {
    count.saturating_add(count.div_ceil(4))
}

/// Returns the loony state that a cell stands for.
pub(super) fn state(value: Value) -> Loony {
    match value {
        Value::WIN => Loony::Other,
        Value::LOSS => Loony::Mine,
        _ => Loony::Nobody,
    }
}

/// Computes the loony state of every state, for the player to move.
///
/// # Errors
/// The work was stopped, needs too much memory, or moves lead to higher indices.
pub fn solve<G: Scored + Acyclic + LoonyStates>(game: &G, work: &Work<'_>) -> Result<Table, SolveError> {
    let count = game.size();
    if !matches!(game.order(), Order::Lower | Order::Subsets) || !game.has_states() {
        return Err(SolveError::Broken("no loony states".to_owned()));
    }
    refuse_beyond(Some(memory(count)), work)?;
    let values = layers::solve(game, work)?;
    let mut cells = allocate(count.div_ceil(4), 0_u8)?;
    let meter = Meter::new(work, "loony states", count);
    for first in (0..count).step_by(STRETCH as usize) {
        let last = count.min(first + STRETCH);
        for number in first..last {
            let state = of_number(game, &values, &cells, number);
            let code = match state {
                Loony::Mine => 1,
                Loony::Nobody => 2,
                Loony::Other => 3,
            };
            cells[(number / 4) as usize] |= code << (2 * (number % 4));
        }
        meter.add(last - first)?;
    }
    finished(CODING, count, cells)
}

/// Returns the loony state of a state from those of its children; `Nobody` if the game is over.
fn of_number<G: Scored + Acyclic + LoonyStates>(
    game: &G,
    values: &Table,
    cells: &[u8],
    number: u64,
) -> Loony {
    let Some(position) = game.position(number) else { return Loony::Nobody };
    if game.over(&position).is_some() {
        return Loony::Nobody;
    }
    if game.is_loony(&position) {
        return Loony::Other;
    }
    let value = values.get(number);
    let mut best = Loony::Mine;
    game.child_indices(&position, &mut |child, step| {
        if values.get(child).map(|worth| worth.back(step)) != value {
            return;
        }
        let of_child = match cells[(child / 4) as usize] >> (2 * (child % 4)) & 3 {
            1 => Loony::Mine,
            2 => Loony::Nobody,
            _ => Loony::Other,
        };
        best = best.max(if step.turn_passed { of_child.turned() } else { of_child });
    });
    best
}
