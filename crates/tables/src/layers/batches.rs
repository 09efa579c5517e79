//! The states of a table in an order in which they can be filled, in stretches for the threads.

use std::ops::Range;

use grundy_session::SolveError;

use super::ability::Order;
use crate::parts::check_cover;

/// States that one thread fills at a time.
pub(super) const STRETCH: u64 = 1 << 16;

/// Returns all states in batches of stretches: every move leads to an earlier batch, or to a state that its own stretch
/// fills before.
///
/// # Errors
/// The layers do not cover every state once.
pub(super) fn batches(
    order: Order,
    count: u64,
    threads: usize,
) -> Result<Box<dyn Iterator<Item = Vec<Range<u64>>>>, SolveError> {
    let group = 16 * threads;
    Ok(match order {
        Order::Lower => Box::new(stretches(&(0..count)).map(|stretch| vec![stretch])),
        Order::Higher => Box::new(stretches(&(0..count)).rev().map(|stretch| vec![stretch])),
        Order::Subsets => Box::new(by_size(count).flat_map(move |same| {
            let all: Vec<_> = same.flat_map(|block| stretches(&block)).collect();
            all.chunks(group).map(<[_]>::to_vec).collect::<Vec<_>>()
        })),
        Order::Layers(layers) => {
            check_cover(&layers, count)?;
            Box::new(layers.into_iter().flat_map(move |layer| {
                let all: Vec<_> = stretches(&layer).collect();
                all.chunks(group).map(<[_]>::to_vec).collect::<Vec<_>>()
            }))
        }
    })
}

/// Returns the states, as sets of bits, in blocks of equal high bits. Blocks with the same number of high bits come
/// together: no move leads from one of these to another.
pub(super) fn by_size(count: u64) -> impl Iterator<Item = impl Iterator<Item = Range<u64>>> {
    let highs = count.div_ceil(STRETCH);
    (0..=u64::BITS - highs.saturating_sub(1).leading_zeros()).map(move |size| {
        let same = (0..highs).filter(move |high| high.count_ones() == size);
        same.map(move |high| high * STRETCH..count.min((high + 1) * STRETCH))
    })
}

/// Divides a range into stretches.
fn stretches(range: &Range<u64>) -> impl DoubleEndedIterator<Item = Range<u64>> + use<> {
    let Range { start, end } = *range;
    (0..(end - start).div_ceil(STRETCH)).map(move |i| {
        let from = start + i * STRETCH;
        from..end.min(from + STRETCH)
    })
}
