//! Points of discovered positions that may come again: each component by thresholds, the largest margin first, every margin
//! with its rank. The method, its proof and its sources stand in [`crate::thresholds`]: components are its parts.

use grundy_core::sorting;
use grundy_core::table::Table;
use grundy_core::value::Value;
use grundy_session::SolveError;

use super::edges::{Looked, Reversed, UNKNOWN};
use crate::crew::allocate;
use crate::ranked::table;

/// The rank of a position whose margin is not settled.
const OPEN: u32 = u32::MAX;

/// The margins, as [`Value::raw`], and the ranks of a component whose moves out of it are valued, and whose moves within it
/// gain nothing.
pub(super) fn settle(looked: Looked) -> Result<Vec<(i32, u32)>, SolveError> {
    let Looked { best, mut open, over, edges, .. } = looked;
    let count = best.len();
    let reversed = Reversed::new(count, edges, &[])?;
    let mut settled: Vec<(i32, u32)> = allocate(count as u64, (0, OPEN))?;
    // Places by the margin that the end of the game or a move out of the component gives, the largest last.
    let margin = |place: u32| best[place as usize].unsigned_abs();
    let mut seeds: Vec<u32> =
        (0..count as u32).filter(|&place| best[place as usize] != UNKNOWN && margin(place) > 0).collect();
    sorting::sort_by_key(&mut seeds, |&place| margin(place));
    while let Some(&largest) = seeds.last() {
        let level = margin(largest) as i32;
        let from = seeds.partition_point(|&place| margin(place) < level as u32);
        let (mut frontier, mut next) = (Vec::new(), Vec::new());
        for place in seeds.drain(from..) {
            let at = place as usize;
            if over[at] {
                settled[at] = (best[at], 0);
                frontier.push(place);
            } else if settled[at].1 == OPEN && (best[at] > 0 || open[at] == 0) {
                settled[at] = (best[at], 1);
                next.push(place);
            }
        }
        let mut rank = 0;
        while !(frontier.is_empty() && next.is_empty()) {
            rank += 1;
            for &place in &frontier {
                let value = Value::from_raw(settled[place as usize].0);
                for (from, step) in reversed.to(place) {
                    let before = from as usize;
                    if settled[before].1 != OPEN {
                        continue;
                    }
                    let worth = value.back(step).raw();
                    if worth < 0 {
                        open[before] -= 1;
                        // Another move may still be better than this margin.
                        if open[before] > 0 || best[before] != UNKNOWN && best[before] > -level {
                            continue;
                        }
                    }
                    settled[before] = (worth, rank);
                    next.push(from);
                }
            }
            frontier = std::mem::take(&mut next);
        }
    }
    // What is open now is worth nothing to both.
    for (settled, over) in settled.iter_mut().zip(over) {
        if settled.1 == OPEN || over && settled.0 == 0 {
            *settled = (0, 0);
        }
    }
    Ok(settled)
}

/// Margins and ranks as a table.
pub(super) fn encode(margins: &[i32], ranks: &[i32]) -> Result<Table, SolveError> {
    let ranked = |(&margin, &rank): (&i32, &i32)| Some((Value::from_raw(margin), rank.cast_unsigned()));
    table(margins.iter().zip(ranks).map(ranked), margins.len() as u64)
}
