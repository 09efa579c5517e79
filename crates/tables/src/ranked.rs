//! Margins with ranks, as tables store them.

use grundy_core::table::{Coding, HOLE, Meaning, Table, Width};
use grundy_core::value::Value;
use grundy_session::SolveError;

use crate::crew::finished;

/// A margin and its rank.
pub(crate) type Ranked = (Value, u32);

/// Returns the least width that holds a margin and its rank; `None` if none does. The highest code of each width is left
/// free.
pub(crate) fn least_width((margin, rank): Ranked) -> Option<Width> {
    let widths = [Width::One, Width::Two, Width::Four].into_iter();
    let coding = |width| Coding { meaning: Meaning::Ranked, width };
    widths.filter(|width| rank < width.max_code()).find(|&width| coding(width).encode(margin).is_some())
}

/// Returns the error for a margin that no width holds.
pub(crate) fn beyond() -> SolveError {
    SolveError::Broken("a margin is beyond all cells".to_owned())
}

/// Appends the cell of a state: its margin, and its rank if the coding has ranks; `None` for a hole.
pub(crate) fn lay_out(cells: &mut Vec<u8>, coding: Coding, ranked: Option<Ranked>) {
    let (code, rank) = match ranked {
        Some((margin, rank)) => (coding.encode(margin).unwrap_or(HOLE), rank),
        None => (HOLE, 0),
    };
    let bytes = coding.width.bytes(1).unwrap_or(4) as usize;
    cells.extend_from_slice(&code.to_le_bytes()[..bytes]);
    if coding.meaning == Meaning::Ranked {
        cells.extend_from_slice(&rank.to_le_bytes()[..bytes]);
    }
}

/// Creates the table of these margins and ranks, in the least width that holds them all.
///
/// # Errors
/// A margin is beyond all cells.
pub(crate) fn table(
    numbers: impl Iterator<Item = Option<Ranked>> + Clone,
    count: u64,
) -> Result<Table, SolveError> {
    let mut width = Width::One;
    for ranked in numbers.clone().flatten() {
        width = width.max(least_width(ranked).ok_or_else(beyond)?);
    }
    let coding = Coding { meaning: Meaning::Ranked, width };
    let mut cells = Vec::with_capacity(coding.bytes(count).unwrap_or(0) as usize);
    numbers.for_each(|ranked| lay_out(&mut cells, coding, ranked));
    finished(coding, count, cells)
}
