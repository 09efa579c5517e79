//! Margins with ranks: how a position gets them from its children, and how tables store them.

use grundy_core::table::{Coding, HOLE, Meaning, Table, Width};
use grundy_core::value::{Unit, Value};
use grundy_session::{Doubt, Judge, SolveError, Support};

/// A margin and its rank.
pub(crate) type Ranked = (Value, u32);

/// The margin and rank of a position from those of its moves: for each move the margin that it is worth and the rank of the
/// position that it leads to, 0 where that lies in another part. `None` where there is no move, or the rank is too large.
pub(crate) fn best_ranked(moves: &[Ranked]) -> Option<Ranked> {
    let best = moves.iter().map(|&(worth, _)| worth).max()?;
    let ranks = moves.iter().filter(|&&(worth, _)| worth == best).map(|&(_, rank)| rank);
    let of_children = match best.raw() {
        0 => return Some((best, 0)),
        1.. => ranks.min(),
        _ => ranks.max(),
    };
    Some((best, of_children?.checked_add(1)?))
}

/// Compares what stands in a table with what the rules and the children make of it.
pub(crate) fn judge_ranked(
    number: u64,
    (found, stands): (Option<Value>, u32),
    expected: Option<Ranked>,
) -> Result<(), Doubt> {
    let margin = expected.map(|(margin, _)| margin);
    let judge = Judge::new(Unit::Points, Support::Ranks);
    judge.value(found, margin).map_err(|unproved| Doubt::of(unproved, number, found, margin))?;
    match expected {
        Some((_, rank)) if stands != rank => Err(Doubt::Rank { number, found: stands, expected: rank }),
        _ => Ok(()),
    }
}

/// The least cells that hold a margin and its rank; `None` where none do. The highest rank of each width is left free.
pub(crate) fn least_width((margin, rank): Ranked) -> Option<Width> {
    let widths = [Width::One, Width::Two, Width::Four].into_iter();
    let coding = |width| Coding { meaning: Meaning::Ranked, width };
    widths.filter(|width| rank < width.max_code()).find(|&width| coding(width).encode(margin).is_some())
}

/// What is wrong with a margin that no cells hold.
pub(crate) fn beyond() -> SolveError {
    SolveError::Broken("a margin is beyond all cells".to_owned())
}

/// Adds a number to cells that hold it, with its rank where there are ranks; `None` is a number that no position has.
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

/// The table of these margins and ranks, in the least cells that hold all.
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
    Table::from_cells(coding, count, cells)
        .ok_or_else(|| SolveError::Broken("the table has lost cells".to_owned()))
}
