//! Layers: a position's layer is the length of the longest play from it, so that every move leads to a lower layer;
//! the layers are filled from the lowest up, and each position is worked out once.

use grundy_core::value::Value;

use super::outcome::{Budget, Failure, Found};
use super::reach::Reach;

/// Whether play can come back to a position.
pub fn comes_back(reach: &Reach, budget: Budget) -> bool {
    matches!(by_layers(reach, budget), Err(Failure::Comes(_)))
}

/// The value of position 0.
///
/// # Errors
/// The time is up, or play can come back to a position.
pub fn by_layers(reach: &Reach, budget: Budget) -> Result<Found, Failure> {
    let backwards = reach.backwards();
    let mut counts = reach.counts;
    let mut values: Vec<Value> = vec![Value::DRAW; reach.len()];
    let mut open: Vec<u32> = (0..reach.len()).map(|at| reach.arrows(at).len() as u32).collect();
    let mut layer: Vec<u32> = (0..reach.len() as u32).filter(|&at| open[at as usize] == 0).collect();
    let (mut layers, mut largest, mut done) = (0u64, 0, 0);
    while !layer.is_empty() {
        if budget.over() {
            return Err(Failure::Time(counts));
        }
        layers += 1;
        largest = largest.max(layer.len());
        done += layer.len();
        let mut next = Vec::new();
        for &at in &layer {
            let at = at as usize;
            counts.lookups += reach.arrows(at).len() as u64;
            let after = reach.arrows(at).iter().map(|arrow| values[arrow.to as usize].back(arrow.step)).max();
            values[at] = reach.over(at).or(after).unwrap_or(Value::DRAW);
            for arrow in backwards.arrows(at) {
                let before = &mut open[arrow.to as usize];
                *before -= 1;
                if *before == 0 {
                    next.push(arrow.to);
                }
            }
        }
        layer = next;
    }
    if done < reach.len() {
        return Err(Failure::Comes(counts));
    }
    let also = Some(format!("layers {layers}\tlargest {largest}"));
    Ok(Found { value: values[0], estimated: false, counts, also })
}
