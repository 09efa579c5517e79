//! Points of discovered positions that may come again: each tier by thresholds, the largest margin first, every margin
//! with its rank. The method, its proof and its sources stand in [`crate::thresholds`]: tiers are its parts.

use grundy_core::table::{Coding, Meaning, Table, Width};
use grundy_core::value::Value;
use grundy_session::SolveError;

use super::edges::{Looked, Reversed, UNKNOWN};
use super::find::Found;
use super::keys::Places;
use super::order::Order;
use super::packed::Packed;
use crate::crew::allocate;

/// A margin as [`Value::raw`], and its rank.
pub(super) type Ranked = (i32, u32);

/// The rank of a position whose margin is not settled.
const OPEN: u32 = u32::MAX;

/// The margins and ranks of a tier whose moves out of it are valued, and whose moves within it gain nothing.
pub(super) fn settle(looked: Looked) -> Result<Vec<Ranked>, SolveError> {
    let Looked { best, mut open, over, edges, .. } = looked;
    let count = best.len();
    let reversed = Reversed::new(count, edges, &[])?;
    let mut settled: Vec<Ranked> = allocate(count as u64, (0, OPEN))?;
    // Places by the margin that the end of the game or a move out of the tier gives, the largest last.
    let margin = |place: u32| best[place as usize].unsigned_abs();
    let mut seeds: Vec<u32> =
        (0..count as u32).filter(|&place| best[place as usize] != UNKNOWN && margin(place) > 0).collect();
    seeds.sort_by_key(|&place| margin(place));
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
    for width in [Width::One, Width::Two, Width::Four] {
        let coding = Coding { meaning: Meaning::Ranked, width };
        let size = width.bytes(1).unwrap_or(4) as usize;
        let mut cells = Vec::with_capacity(margins.len() * size * 2);
        let fits = margins.iter().zip(ranks).all(|(&margin, &rank)| {
            let rank = rank.cast_unsigned();
            let Some(code) = coding.encode(Value::from_raw(margin)).filter(|_| rank < width.max_code())
            else {
                return false;
            };
            cells.extend_from_slice(&code.to_le_bytes()[..size]);
            cells.extend_from_slice(&rank.to_le_bytes()[..size]);
            true
        });
        if fits {
            return Table::from_cells(coding, margins.len() as u64, cells)
                .ok_or_else(|| SolveError::Broken("the table has lost cells".to_owned()));
        }
    }
    Err(SolveError::Broken("a margin is beyond all cells".to_owned()))
}

/// What the rules and the children make of a position's margin and rank; `None` where a child has none, or the tiers
/// are not as they should be.
pub(super) fn expected<G: Packed>(
    game: &G,
    table: &Table,
    (found, places, order): (&Found, &Places, &Order),
    number: usize,
) -> Option<(Value, u32)> {
    let tier = order.tier(number);
    let (mut all, mut whole) = (Vec::with_capacity(16), true);
    let over = game.expand(found.keys.get(number), &mut |child, step| {
        let Some(child) = places.find(&found.keys, child) else {
            whole = false;
            return;
        };
        let other = order.tier(child);
        let stays = other == tier && order.circular(tier);
        whole &= other < tier || stays && step.gain == 0;
        match (table.get(child as u64), table.rank(child as u64)) {
            (Some(value), Some(rank)) => all.push((value.back(step), if stays { rank } else { 0 })),
            _ => whole = false,
        }
    });
    if let Some(ended) = over {
        return Some((ended, 0));
    }
    let best = all.iter().map(|&(worth, _)| worth).max().filter(|_| whole)?;
    let ranks = all.iter().filter(|&&(worth, _)| worth == best).map(|&(_, rank)| rank);
    let of_children = match best.raw() {
        0 => return Some((best, 0)),
        1.. => ranks.min(),
        _ => ranks.max(),
    };
    Some((best, of_children?.checked_add(1)?))
}
