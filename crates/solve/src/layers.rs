//! Tables of acyclic games: each value is worked out from children that are already in the table.

mod bits;

use grundy_core::game::Indexed;
use std::ops::Range;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32};

use crate::cell::{Cell, copy_bytes, empty_cells};
use crate::crew::{Crew, Meter, available_memory, refuse_beyond};
use grundy_core::game::Scored;
use grundy_core::table::{Coding, HOLE, Keep, Kept, Meaning, NoKeep, Snapshot, Table, Width};
use grundy_core::value::{Step, Unit, Value};
use grundy_session::{SolveError, Work};

/// The order in which an acyclic game's table can be filled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// Every move leads to a lower number: fill from 0 upwards.
    Lower,
    /// Every move leads to a higher number: fill from the top downwards.
    Higher,
    /// These ranges, in this order, cover all numbers; every move leads from a range to one named earlier, so
    /// the numbers of one range can be filled in parallel.
    Layers(Vec<Range<u64>>),
    /// Numbers are sets of bits, and every move takes bits out: fill subsets before the sets that hold them, those
    /// that do not hold each other in parallel.
    Subsets,
}

/// An acyclic game: no position can come twice.
pub trait Acyclic: Indexed {
    /// The order in which every move leads to what is already filled.
    fn order(&self) -> Order;

    /// The moves by their bits, for games for points in which every number is a position and every move takes one bit
    /// out of the number: visits sets of such bits, each with what its moves mean; none where the game is over. A bit
    /// that gains nothing and passes the turn in a number does so in every number with more bits.
    ///
    /// `false`, nothing visited, says that the game is not so, which is the default.
    fn bit_moves(&self, _number: u64, _visit: &mut impl FnMut(u64, Step)) -> bool {
        false
    }
}

/// The value of every numbered position of an acyclic game, with distances or points.
///
/// Cells are one byte where all values fit, otherwise two or four.
///
/// # Errors
/// The work was stopped, needs too much memory, or the game breaks the promise of [`Acyclic`].
pub fn solve<G: Scored + Acyclic>(game: &G, work: &Work<'_>) -> Result<Table, SolveError> {
    solve_kept(game, work, &mut NoKeep)
}

/// As [`solve`], going on from what an earlier run has kept, and keeping what is done now and then.
///
/// # Errors
/// As [`solve`].
pub fn solve_kept<G: Scored + Acyclic>(
    game: &G,
    work: &Work<'_>,
    keep: &mut dyn Keep,
) -> Result<Table, SolveError> {
    let crew = Crew::new(work);
    let kept = keep.take().filter(|kept| kept.stage.len() == 1);
    let mut width = kept.as_ref().map_or(Width::One, |kept| kept.width);
    let mut kept = kept;
    loop {
        let filled = match width {
            Width::Quarter | Width::One if bits::serves(game) => {
                bits::fill(game, &crew, work, kept.take(), keep)
            }
            Width::Quarter | Width::One => fill::<G, AtomicU8>(game, &crew, work, kept.take(), keep),
            Width::Two => fill::<G, AtomicU16>(game, &crew, work, kept.take(), keep),
            Width::Four => fill::<G, AtomicU32>(game, &crew, work, kept.take(), keep),
        };
        width = match (filled, width) {
            (Err(Fault::Error(error)), _) => return Err(error),
            (Err(Fault::TooWide), Width::Quarter | Width::One) => Width::Two,
            (Err(Fault::TooWide), Width::Two) => Width::Four,
            (Err(Fault::TooWide), Width::Four) => {
                let why = "a value of unknown distance or beyond all cells";
                return Err(SolveError::Broken(why.to_owned()));
            }
            (Ok(table), _) => return Ok(table),
        };
    }
}

/// Why cells of one width were not filled.
enum Fault {
    /// A value does not fit the width.
    TooWide,
    /// Any width would fail.
    Error(SolveError),
}

impl From<SolveError> for Fault {
    fn from(error: SolveError) -> Fault {
        Fault::Error(error)
    }
}

/// Numbers that one thread fills at a time.
const STRETCH: u64 = 1 << 16;

/// Fills a table whose cells are `C`.
fn fill<G: Scored + Acyclic, C: Cell>(
    game: &G,
    crew: &Crew,
    work: &Work<'_>,
    kept: Option<Kept>,
    keep: &mut dyn Keep,
) -> Result<Table, Fault> {
    let count = game.size();
    let meaning = if game.unit() == Unit::Points { Meaning::Points } else { Meaning::Distance };
    let coding = Coding { meaning, width: C::WIDTH };
    let needed = C::WIDTH.bytes(count);
    refuse_beyond(needed, work)?;
    let mut from = 0;
    let cells: Vec<C> = match kept.filter(|kept| Some(kept.cells.len() as u64) == needed) {
        Some(kept) => {
            from = kept.stage[0];
            C::from_bytes(kept.cells)
        }
        None => empty_cells(count).ok_or_else(|| SolveError::TooLarge {
            needed: needed.unwrap_or(u64::MAX),
            limit: available_memory().unwrap_or(0),
        })?,
    };
    let sheet = Sheet { game, coding, seen: Seen::new(coding), cells: &cells };
    let meter = Meter::new(work, "positions", count);
    meter.add(from)?;
    let mut done = 0;
    let order = game.order();
    let falling = order == Order::Higher;
    for batch in batches(order, count, crew.size())? {
        let numbers: u64 = batch.iter().map(|stretch| stretch.end - stretch.start).sum();
        done += numbers;
        // A kept table may have been filled in larger batches than ours: what is filled twice comes out the same.
        if done <= from {
            continue;
        }
        sheet.fill_batch(batch, falling, crew)?;
        meter.add(numbers)?;
        if keep.due() {
            let copy = |offset, into: &mut [u8]| copy_bytes(&cells, offset, into);
            let len = needed.unwrap_or(0);
            keep.keep(&Snapshot { stage: &[done], width: C::WIDTH, len, copy: &copy });
        }
    }
    Table::from_cells(coding, count, C::into_bytes(cells))
        .ok_or_else(|| SolveError::Broken("the table has lost cells".to_owned()).into())
}

/// All numbers in batches of stretches, in an order in which every move leads to an earlier batch, or to what a
/// single stretch has filled before.
fn batches(
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
            check_layers(&layers, count)?;
            Box::new(layers.into_iter().flat_map(move |layer| {
                let all: Vec<_> = stretches(&layer).collect();
                all.chunks(group).map(<[_]>::to_vec).collect::<Vec<_>>()
            }))
        }
    })
}

/// Numbers as sets of bits in blocks of equal high bits, those of equally many high bits together: none of these leads
/// to another.
fn by_size(count: u64) -> impl Iterator<Item = impl Iterator<Item = Range<u64>>> {
    let highs = count.div_ceil(STRETCH);
    (0..=u64::BITS - highs.saturating_sub(1).leading_zeros()).map(move |size| {
        let same = (0..highs).filter(move |high| high.count_ones() == size);
        same.map(move |high| high * STRETCH..count.min((high + 1) * STRETCH))
    })
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
    seen: Seen,
    cells: &'a [C],
}

impl<G: Scored + Acyclic, C: Cell> Sheet<'_, G, C> {
    /// Fills stretches, each by itself in rising or falling order.
    fn fill_batch(&self, batch: Vec<Range<u64>>, falling: bool, crew: &Crew) -> Result<(), Fault> {
        let filled = crew.map(batch, |stretch| if falling { self.fall(stretch) } else { self.rise(stretch) });
        filled.into_iter().collect()
    }

    fn rise(&self, stretch: Range<u64>) -> Result<(), Fault> {
        let mut result = Ok(());
        self.game.walk(stretch, &mut |number, position| {
            if result.is_ok() {
                result = self.set(number, &position);
            }
        });
        result
    }

    fn fall(&self, stretch: Range<u64>) -> Result<(), Fault> {
        for number in stretch.rev() {
            if let Some(position) = self.game.position(number) {
                self.set(number, &position)?;
            }
        }
        Ok(())
    }

    /// Fills the cell of a position from its children's.
    #[inline]
    fn set(&self, number: u64, position: &G::Position) -> Result<(), Fault> {
        let value = match self.game.over(position) {
            Some(value) => value,
            None => self.best(number, position)?,
        };
        let code = self.coding.encode(value).ok_or(Fault::TooWide)?;
        self.cells.get(number as usize).ok_or_else(|| broken(number, "is beyond the table"))?.set(code);
        Ok(())
    }

    /// The best value that a child leaves to the mover.
    #[inline]
    fn best(&self, number: u64, position: &G::Position) -> Result<Value, Fault> {
        let mut best = i32::MIN;
        let mut missing = false;
        self.game.child_numbers(position, &mut |child, step| {
            let code = self.cells.get(child as usize).map_or(HOLE, C::get);
            missing |= code == HOLE;
            best = best.max(self.seen.back(code, step));
        });
        match (best, missing) {
            (_, true) => Err(broken(number, "leads to one that has no value yet")),
            (i32::MIN, false) => Err(broken(number, "has no moves, yet it is not over")),
            (best, false) => Ok(Value::from_raw(best)),
        }
    }
}

/// What codes are worth one move back. For one-byte cells all answers are written down beforehand.
enum Seen {
    /// By whether the turn passes, then by code; the gain is added.
    Points(Box<[[i32; 256]; 2]>),
    /// The same for games of outcome, which have no gains.
    Distance(Box<[[i32; 256]; 2]>),
    /// Worked out each time.
    Wide(Coding),
}

impl Seen {
    fn new(coding: Coding) -> Seen {
        if coding.width != Width::One {
            return Seen::Wide(coding);
        }
        let mut back = Box::new([[i32::MIN; 256]; 2]);
        for (turn_passed, row) in [false, true].into_iter().zip(back.iter_mut()) {
            for (code, back) in (0..).zip(row.iter_mut()) {
                let value = coding.decode(code).map(|value| value.back(Step { turn_passed, gain: 0 }));
                *back = value.map_or(i32::MIN, Value::raw);
            }
        }
        if coding.meaning == Meaning::Points { Seen::Points(back) } else { Seen::Distance(back) }
    }

    /// The raw value, seen by the mover, of a child with this code; the least of all for a hole.
    #[inline]
    fn back(&self, code: u32, step: Step) -> i32 {
        let at = |rows: &[[i32; 256]; 2]| rows[usize::from(step.turn_passed)][(code & 0xFF) as usize];
        match self {
            Seen::Distance(rows) => at(rows),
            Seen::Points(rows) => at(rows).saturating_add(step.gain),
            Seen::Wide(coding) => coding.decode(code).map_or(i32::MIN, |value| value.back(step).raw()),
        }
    }
}

/// A promise of [`Acyclic`] or [`Indexed`](grundy_core::game::Indexed) that the game breaks.
fn broken(number: u64, how: &str) -> Fault {
    Fault::Error(SolveError::Broken(format!("the game breaks its order: position {number} {how}")))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use grundy_core::game::{Flow, MORE, Player};
    use grundy_core::game::{Game, Indexed};
    use grundy_session::quiet_work;

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
        assert_eq!((table.get(100), table.count(), table.cells().unwrap().len()), (None, 100, 100));
    }

    #[test]
    fn long_distances_take_wider_cells() {
        let table = solve(&heap(100_000, Order::Lower, None), &quiet_work()).unwrap();
        assert_eq!(table.cells().unwrap().len(), 400_000);
        assert_eq!(table.get(99_999), Some(Value::loss_in(66_666)));
        let table = solve(&heap(10_000, Order::Lower, None), &quiet_work()).unwrap();
        assert_eq!(table.cells().unwrap().len(), 20_000);
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
