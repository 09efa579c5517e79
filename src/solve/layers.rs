//! Tables of acyclic games: each value is worked out from children that are already in the table.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU16, AtomicU32, Ordering};

use crate::game::{Acyclic, Order, Scored};
use crate::solve::cell::{Cell, empty_cells};
use crate::solve::crew::{Crew, Meter, refuse_beyond};
use crate::solve::{SolveError, Work};
use crate::table::{Coding, HOLE, Meaning, Table};
use crate::value::{Unit, Value};

/// The value of every numbered position of an acyclic game, with distances or points.
///
/// Cells are one byte where all values fit, otherwise two or four.
///
/// # Errors
/// The work was stopped, needs too much memory, or the game breaks the promise of [`Acyclic`].
pub fn solve<G: Scored + Acyclic>(game: &G, work: &Work<'_>) -> Result<Table, SolveError> {
    let crew = Crew::new(work);
    match fill::<G, AtomicU8>(game, &crew, work) {
        Err(Fault::TooWide) => {}
        done => return done.map_err(Fault::error),
    }
    match fill::<G, AtomicU16>(game, &crew, work) {
        Err(Fault::TooWide) => {}
        done => return done.map_err(Fault::error),
    }
    fill::<G, AtomicU32>(game, &crew, work).map_err(Fault::error)
}

/// Why cells of one width were not filled.
enum Fault {
    /// A value does not fit the width.
    TooWide,
    /// Any width would fail.
    Error(SolveError),
}

impl Fault {
    fn error(self) -> SolveError {
        match self {
            Fault::TooWide => {
                SolveError::Broken("a value of unknown distance or beyond all cells".to_owned())
            }
            Fault::Error(error) => error,
        }
    }
}

impl From<SolveError> for Fault {
    fn from(error: SolveError) -> Fault {
        Fault::Error(error)
    }
}

/// Numbers between two reports.
const STRETCH: u64 = 1 << 16;

/// Fills a table whose cells are `C`.
fn fill<G: Scored + Acyclic, C: Cell>(game: &G, crew: &Crew, work: &Work<'_>) -> Result<Table, Fault> {
    let count = game.size();
    let meaning = if game.unit() == Unit::Points { Meaning::Points } else { Meaning::Distance };
    let coding = Coding { meaning, width: C::WIDTH };
    let needed = C::WIDTH.bytes(count);
    refuse_beyond(needed, work)?;
    let cells: Vec<C> = empty_cells(count)
        .ok_or(SolveError::TooLarge { needed: needed.unwrap_or(u64::MAX), limit: available() })?;
    let sheet = Sheet { game, coding, cells: &cells };
    match game.order() {
        Order::Lower => {
            let meter = Meter::new(work, "positions", count);
            for part in stretches(&(0..count)) {
                sheet.fill(part.clone())?;
                meter.add(part.end - part.start)?;
            }
        }
        Order::Higher => {
            let meter = Meter::new(work, "positions", count);
            for part in stretches(&(0..count)).rev() {
                sheet.fill(part.clone().rev())?;
                meter.add(part.end - part.start)?;
            }
        }
        Order::Layers(layers) => {
            check_layers(&layers, count)?;
            for (number, layer) in layers.iter().enumerate() {
                let meter = Meter::new(
                    work,
                    format!("layer {} of {}", number + 1, layers.len()),
                    layer.end - layer.start,
                );
                sheet.fill_layer(layer, crew, &meter)?;
            }
        }
    }
    Table::from_cells(coding, count, C::into_bytes(cells))
        .ok_or_else(|| SolveError::Broken("the table has lost cells".to_owned()).into())
}

fn available() -> u64 {
    crate::solve::crew::available_memory().unwrap_or(0)
}

/// Layers must cover every number once, or a cell would stay empty or be asked for too early.
fn check_layers(layers: &[Range<u64>], count: u64) -> Result<(), SolveError> {
    let mut sorted: Vec<_> = layers.iter().filter(|l| !l.is_empty()).collect();
    sorted.sort_by_key(|l| l.start);
    let end = sorted.iter().try_fold(0, |at, layer| (layer.start == at).then_some(layer.end));
    if end == Some(count) {
        Ok(())
    } else {
        Err(SolveError::Broken("the layers do not cover every number once".to_owned()))
    }
}

/// Cuts a range into stretches.
fn stretches(range: &Range<u64>) -> impl DoubleEndedIterator<Item = Range<u64>> + use<> {
    let Range { start, end } = *range;
    (0..(end - start).div_ceil(STRETCH)).map(move |i| {
        let from = start + i * STRETCH;
        from..end.min(from + STRETCH)
    })
}

/// A table half filled.
struct Sheet<'a, G, C> {
    game: &'a G,
    coding: Coding,
    cells: &'a [C],
}

impl<G: Scored + Acyclic, C: Cell> Sheet<'_, G, C> {
    /// Fills cells in this order.
    fn fill(&self, numbers: impl Iterator<Item = u64>) -> Result<(), Fault> {
        for number in numbers {
            if let Some(code) = self.code_of(number)? {
                self.cells[number as usize].set(code);
            }
        }
        Ok(())
    }

    /// Fills the cells of one layer, none of which depends on another.
    fn fill_layer(&self, layer: &Range<u64>, crew: &Crew, meter: &Meter<'_, '_>) -> Result<(), Fault> {
        let failed = AtomicBool::new(false);
        let results = crew.map(stretches(layer).collect(), |part| {
            if failed.load(Ordering::Relaxed) {
                return Ok(());
            }
            let units = part.end - part.start;
            let result = self.fill(part).and_then(|()| Ok(meter.add(units)?));
            if result.is_err() {
                failed.store(true, Ordering::Relaxed);
            }
            result
        });
        results.into_iter().collect()
    }

    /// The code of a position from its children's; `None` for a hole.
    #[inline]
    fn code_of(&self, number: u64) -> Result<Option<u32>, Fault> {
        let Some(position) = self.game.position(number) else {
            return Ok(None);
        };
        let value = match self.game.over(&position) {
            Some(value) => value,
            None => {
                let mut best: Option<Value> = None;
                let mut missing = None;
                self.game.child_numbers(&position, &mut |at, step| {
                    let code =
                        usize::try_from(at).ok().and_then(|at| self.cells.get(at)).map_or(HOLE, C::get);
                    match self.coding.decode(code) {
                        Some(value) => best = best.max(Some(value.back(step))),
                        None => missing = Some(at),
                    }
                });
                if let Some(child) = missing {
                    return Err(SolveError::Broken(format!(
                        "the order is not acyclic: position {number} leads to {child}, which has no value yet"
                    ))
                    .into());
                }
                best.ok_or_else(|| {
                    SolveError::Broken(format!("position {number} has no moves, yet it is not over"))
                })?
            }
        };
        self.coding.encode(value).map(Some).ok_or(Fault::TooWide)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Flow, MORE, Player};
    use crate::game::{Game, Indexed};
    use crate::solve::quiet_work;

    /// One heap; a move takes 1 or 2; whoever takes the last wins. The heap is the number.
    struct Heap {
        size: u64,
        order: Order,
        /// Points for each thing taken instead of a win for the last.
        points: Option<i32>,
    }

    impl Game for Heap {
        type Position = (u64, bool);
        type Move = u64;
        fn start(&self) -> (u64, bool) {
            (self.size - 1, false)
        }
        fn turn(&self, position: &(u64, bool)) -> Player {
            if position.1 { Player::Two } else { Player::One }
        }
        fn over(&self, position: &(u64, bool)) -> Option<Value> {
            (position.0 == 0).then_some(if self.points.is_some() { Value::DRAW } else { Value::loss_in(0) })
        }
        fn moves(&self, position: &(u64, bool), visit: &mut impl FnMut(u64) -> Flow) -> Flow {
            for take in 1..=position.0.min(2) {
                visit(take)?;
            }
            MORE
        }
        /// With points, a single thing lets the same player move again.
        fn play(&self, position: &(u64, bool), take: u64) -> (u64, bool) {
            (position.0 - take, position.1 ^ (self.points.is_none() || take == 2))
        }
    }

    impl Scored for Heap {
        fn unit(&self) -> Unit {
            if self.points.is_some() { Unit::Points } else { Unit::Outcome }
        }
        fn gain(&self, _: &(u64, bool), take: u64) -> i32 {
            self.points.unwrap_or(0) * take as i32
        }
    }

    impl Indexed for Heap {
        fn size(&self) -> u64 {
            self.size
        }
        fn index(&self, position: &(u64, bool)) -> u64 {
            position.0
        }
        fn position(&self, index: u64) -> Option<(u64, bool)> {
            Some((index, false))
        }
    }

    impl Acyclic for Heap {
        fn order(&self) -> Order {
            self.order.clone()
        }
    }

    fn heap(size: u64, order: Order, points: Option<i32>) -> Heap {
        Heap { size, order, points }
    }

    #[test]
    fn one_heap_is_lost_in_multiples_of_three() {
        let table = solve(&heap(100, Order::Lower, None), &quiet_work()).unwrap();
        for n in 0..100u32 {
            let expected = match n % 3 {
                0 => Value::loss_in(n / 3 * 2),
                rest => Value::win_in((n - rest) / 3 * 2 + 1),
            };
            assert_eq!(table.get(u64::from(n)), Some(expected), "{n}");
        }
        assert_eq!((table.get(100), table.count(), table.cells().len()), (None, 100, 100));
    }

    #[test]
    fn long_distances_take_wider_cells() {
        let table = solve(&heap(100_000, Order::Lower, None), &quiet_work()).unwrap();
        assert_eq!(table.cells().len(), 400_000);
        assert_eq!(table.get(99_999), Some(Value::loss_in(66_666)));
        let table = solve(&heap(10_000, Order::Lower, None), &quiet_work()).unwrap();
        assert_eq!(table.cells().len(), 20_000);
        assert_eq!(table.get(9_999), Some(Value::loss_in(6_666)));
    }

    #[test]
    fn layers_on_two_threads_give_the_same_bytes() {
        let game = |order| heap(500, order, None);
        let layers = Order::Layers((0..500).map(|n| n..n + 1).collect());
        let expected = solve(&game(Order::Lower), &quiet_work()).unwrap();
        let work = Work { threads: 2, ..quiet_work() };
        assert_eq!(solve(&game(layers), &work).unwrap(), expected);
    }

    #[test]
    fn a_mover_who_keeps_the_turn_takes_everything() {
        for scale in [1, 3, 1000] {
            let table = solve(&heap(40, Order::Lower, Some(scale)), &quiet_work()).unwrap();
            for n in 0..40 {
                assert_eq!(table.get(n), Some(Value::points(n as i32 * scale)));
            }
        }
    }

    #[test]
    fn a_wrong_order_is_refused() {
        for order in [Order::Higher, Order::Layers(vec![]), Order::Layers(vec![0..6, 5..9])] {
            let result = solve(&heap(9, order.clone(), None), &quiet_work());
            assert!(matches!(result, Err(SolveError::Broken(_))), "{order:?}");
        }
    }

    #[test]
    fn work_that_is_too_large_or_stopped_ends_with_its_reason() {
        let game = heap(1 << 60, Order::Lower, None);
        assert!(matches!(solve(&game, &quiet_work()), Err(SolveError::TooLarge { .. })));
        let work = Work { memory_limit: Some(999), ..quiet_work() };
        let result = solve(&heap(1000, Order::Lower, None), &work);
        assert_eq!(result, Err(SolveError::TooLarge { needed: 1000, limit: 999 }));
        let stop = AtomicBool::new(true);
        let work = Work { stop: &stop, ..quiet_work() };
        assert_eq!(solve(&heap(10, Order::Lower, None), &work), Err(SolveError::Stopped));
    }
}
