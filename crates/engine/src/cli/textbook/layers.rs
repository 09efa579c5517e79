//! Layers: a state's layer is the length of the longest line of play to it, so that every move leads to a later layer.
//! The layers are solved from the last to the first, each state once.

use grundy_core::value::Value;

use super::outcome::{Failure, Found};
use super::reach::Reach;

/// The states in an order in which every move leads to a later one.
struct Order {
    places: Vec<u32>,
    layers: u64,
    /// Size of the largest layer.
    largest: usize,
}

/// Returns an order of the states; `None` if there is a cycle.
fn order(reach: &mut Reach<'_>) -> Result<Option<Order>, Failure> {
    let mut waiting = reach.incoming()?;
    let mut order = Order { places: Vec::with_capacity(reach.len()), layers: 0, largest: 0 };
    if waiting[0] == 0 {
        order.places.push(0);
    }
    let mut begin = 0;
    while begin < order.places.len() {
        let layer = begin..order.places.len();
        order.layers += 1;
        order.largest = order.largest.max(layer.len());
        begin = layer.end;
        for at in layer {
            let places = &mut order.places;
            reach.expand(places[at], &mut |to, _| {
                let waiting = &mut waiting[to as usize];
                *waiting -= 1;
                if *waiting == 0 {
                    places.push(to);
                }
                true
            })?;
        }
    }
    Ok((order.places.len() == reach.len()).then_some(order))
}

/// Reports whether the states have a cycle.
///
/// # Errors
/// The time is up.
pub fn comes_back(reach: &mut Reach<'_>) -> Result<bool, Failure> {
    Ok(order(reach)?.is_none())
}

/// Returns the value of the state at index 0.
///
/// # Errors
/// The time is up, or there is a cycle.
pub fn by_layers(reach: &mut Reach<'_>) -> Result<Found, Failure> {
    let Some(Order { places, layers, largest }) = order(reach)? else {
        return Err(Failure::Comes(reach.counts));
    };
    let mut values: Vec<Value> = vec![Value::DRAW; reach.len()];
    for &place in places.iter().rev() {
        values[place as usize] = reach.best(place, &|to| values[to as usize])?;
    }
    let also = Some(format!("layers {layers}\tlargest {largest}"));
    Ok(Found { value: values[0], estimated: false, counts: reach.counts, also })
}
