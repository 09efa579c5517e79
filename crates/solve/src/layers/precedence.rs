//! Which numbers are filled before which: what shows that a game is acyclic.

use std::ops::Range;

use grundy_core::sorting;
use grundy_session::SolveError;

use super::ability::Order;
use super::batches::check_layers;

/// The precedence of numbers by an [`Order`].
pub(crate) enum Precedence {
    /// By the numbers themselves.
    Plain(Order),
    /// By the place of the range they lie in: where each range begins, and which one it is.
    Layers(Vec<(u64, usize)>),
}

impl Precedence {
    /// The precedence of so many numbers.
    ///
    /// # Errors
    /// The layers do not cover every number once.
    pub(crate) fn new(order: Order, count: u64) -> Result<Precedence, SolveError> {
        match order {
            Order::Layers(layers) => {
                let layers: Vec<_> = layers.into_iter().map(|layer| vec![layer]).collect();
                Precedence::layers(&layers, count)
            }
            plain => Ok(Precedence::plain(plain)),
        }
    }

    /// The precedence of an order that has no layers.
    pub(crate) fn plain(order: Order) -> Precedence {
        Precedence::Plain(order)
    }

    /// The precedence of layers, each of some ranges.
    ///
    /// # Errors
    /// They do not cover every number once.
    pub(crate) fn layers(layers: &[Vec<Range<u64>>], count: u64) -> Result<Precedence, SolveError> {
        let all: Vec<Range<u64>> = layers.iter().flatten().cloned().collect();
        check_layers(&all, count)?;
        let ranges =
            layers.iter().zip(0..).flat_map(|(layer, place)| layer.iter().map(move |range| (range, place)));
        let ranges = ranges.filter(|(range, _)| !range.is_empty());
        let mut begins: Vec<(u64, usize)> = ranges.map(|(range, place)| (range.start, place)).collect();
        sorting::sort(&mut begins);
        Ok(Precedence::Layers(begins))
    }

    /// Whether one number is filled strictly before another.
    pub(crate) fn comes_before(&self, first: u64, then: u64) -> bool {
        match self {
            Precedence::Plain(Order::Lower) => first < then,
            Precedence::Plain(Order::Higher) => first > then,
            Precedence::Plain(_) => first != then && first & !then == 0,
            Precedence::Layers(_) => self.place(first) < self.place(then),
        }
    }

    /// The place of the layer that a number lies in; `None` where there are no layers.
    #[inline]
    pub(crate) fn place(&self, number: u64) -> Option<usize> {
        let Precedence::Layers(begins) = self else { return None };
        let after = begins.partition_point(|&(begin, _)| begin <= number);
        after.checked_sub(1).map(|at| begins[at].1)
    }
}
