//! Tables of acyclic games, filled in an order in which the children of a position come before it.

mod ability;
mod back;
mod batches;
mod bits;
mod fault;
mod outcomes;
pub(crate) mod shard;

use std::ops::Range;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32};

use crate::cell::{Cell, copy_bytes, empty_cells};
use crate::crew::{Crew, Meter, finished, refuse_beyond};
use crate::fault::{Fault, wider};
use grundy_core::game::Scored;
use grundy_core::table::{
    Checkpoint, Checkpoints, Coding, HOLE, Meaning, NoCheckpoints, Snapshot, Table, Width,
};
use grundy_core::value::Value;
use grundy_session::{SolveError, Work, available_memory};

pub use ability::{Acyclic, Order};
use back::Back;
use batches::batches;
use fault::{BEYOND, broken};
pub use outcomes::{ByOutcome, Outcomes, solve_outcomes};

/// Positions between two looks at the stop flag.
const PAUSE: u64 = 1 << 10;

/// Computes the table of an acyclic game, with distances or points.
///
/// Cells take one byte if all values fit, otherwise two or four.
///
/// # Errors
/// The work was stopped, needs too much memory, or the game breaks the promise of [`Acyclic`].
pub fn solve<G: Scored + Acyclic>(game: &G, work: &Work<'_>) -> Result<Table, SolveError> {
    solve_resumable(game, work, &mut NoCheckpoints)
}

/// As [`solve`], with checkpoints.
///
/// # Errors
/// As [`solve`].
pub fn solve_resumable<G: Scored + Acyclic>(
    game: &G,
    work: &Work<'_>,
    checkpoints: &mut dyn Checkpoints,
) -> Result<Table, SolveError> {
    let crew = Crew::new(work);
    let kept = checkpoints.resume().filter(|kept| kept.stage.len() == 1);
    let mut width = kept.as_ref().map_or(Width::One, |kept| kept.width);
    let mut kept = kept;
    loop {
        let filled = match width {
            Width::Quarter | Width::One if bits::serves(game) => {
                bits::fill(game, &crew, work, kept.take(), checkpoints)
            }
            Width::Quarter | Width::One => fill::<G, AtomicU8>(game, &crew, work, kept.take(), checkpoints),
            Width::Two => fill::<G, AtomicU16>(game, &crew, work, kept.take(), checkpoints),
            Width::Four => fill::<G, AtomicU32>(game, &crew, work, kept.take(), checkpoints),
        };
        width = match filled {
            Ok(table) => return Ok(table),
            Err(Fault::Error(error)) => return Err(error),
            Err(Fault::TooWide) => wider(width, BEYOND)?,
        };
    }
}

/// Fills a table whose cells are `C`.
fn fill<G: Scored + Acyclic, C: Cell>(
    game: &G,
    crew: &Crew,
    work: &Work<'_>,
    kept: Option<Checkpoint>,
    checkpoints: &mut dyn Checkpoints,
) -> Result<Table, Fault> {
    let meaning = if game.unit().is_points() { Meaning::Points } else { Meaning::Distance };
    let coding = Coding { meaning, width: C::WIDTH };
    let order = game.order();
    let falling = order == Order::Higher;
    let back = Back::new(coding);
    fill_in_order::<C>(coding, game.size(), order, (crew, work), kept, checkpoints, &|cells, stretch| {
        let sheet = Sheet { game, coding, back: &back, cells, work };
        if falling { sheet.fall(stretch) } else { sheet.rise(stretch) }
    })
}

/// Fills the cells of a stretch of numbers.
type FillStretch<'a, C> = dyn Fn(&[C], Range<u64>) -> Result<(), Fault> + Sync + 'a;

/// Fills a table in its order; `fill` computes a stretch of it.
fn fill_in_order<C: Cell>(
    coding: Coding,
    count: u64,
    order: Order,
    (crew, work): (&Crew, &Work<'_>),
    kept: Option<Checkpoint>,
    checkpoints: &mut dyn Checkpoints,
    fill: &FillStretch<'_, C>,
) -> Result<Table, Fault> {
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
    let meter = Meter::new(work, "positions", count);
    meter.add(from)?;
    let mut done = 0;
    for batch in batches(order, count, crew.size())? {
        let numbers: u64 = batch.iter().map(|stretch| stretch.end - stretch.start).sum();
        done += numbers;
        // The checkpoint may come from larger batches: filling a cell twice gives the same value.
        if done <= from {
            continue;
        }
        let filled = crew.map(batch, &|stretch| match work.stopped() {
            true => Err(SolveError::Stopped.into()),
            false => fill(&cells, stretch),
        });
        filled.into_iter().collect::<Result<(), _>>()?;
        meter.add(numbers)?;
        if checkpoints.due() {
            let copy = |offset, into: &mut [u8]| copy_bytes(&cells, C::get, offset, into);
            let len = needed.unwrap_or(0);
            checkpoints.save(&Snapshot { stage: &[done], width: C::WIDTH, len, copy: &copy });
        }
    }
    Ok(finished(coding, count, C::into_bytes(cells))?)
}

/// A table that is being filled.
struct Sheet<'a, G, C> {
    game: &'a G,
    coding: Coding,
    back: &'a Back,
    cells: &'a [C],
    work: &'a Work<'a>,
}

impl<G: Scored + Acyclic, C: Cell> Sheet<'_, G, C> {
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

    /// Fills the cell of a position from its children's. Fails if the work is to end.
    #[inline]
    fn set(&self, number: u64, position: &G::Position) -> Result<(), Fault> {
        if number.is_multiple_of(PAUSE) && self.work.stopped() {
            return Err(SolveError::Stopped.into());
        }
        let value = match self.game.over(position) {
            Some(value) => value,
            None => self.best(number, position)?,
        };
        let code = self.coding.encode(value).ok_or(Fault::TooWide)?;
        self.cells.get(number as usize).ok_or_else(|| broken(number, "is beyond the table"))?.set(code);
        Ok(())
    }

    /// Returns the best value that a child leaves to the mover.
    #[inline]
    fn best(&self, number: u64, position: &G::Position) -> Result<Value, Fault> {
        let mut best = i32::MIN;
        let mut missing = false;
        self.game.child_indices(position, &mut |child, step| {
            let code = self.cells.get(child as usize).map_or(HOLE, C::get);
            missing |= code == HOLE;
            best = best.max(self.back.back(code, step));
        });
        match (best, missing) {
            (_, true) => Err(broken(number, "leads to one that has no value yet")),
            (i32::MIN, false) => Err(broken(number, "has no moves, yet it is not over")),
            (best, false) => Ok(Value::from_raw(best)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use grundy_core::game::{Flow, MORE, Player};
    use grundy_core::game::{Game, Indexed};
    use grundy_core::value::Unit;
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

    /// A game whose moves are listed; its numbers are its positions.
    struct Listed {
        children: Vec<Vec<u64>>,
        turn: Vec<Player>,
        /// The points that a move to a state gains; empty in a game of outcomes.
        gains: Vec<i32>,
        order: Order,
    }

    impl Game for Listed {
        type Position = u64;
        type Move = u64;
        fn start(&self) -> u64 {
            0
        }
        fn turn(&self, number: &u64) -> Player {
            self.turn[*number as usize]
        }
        fn over(&self, number: &u64) -> Option<Value> {
            let value = if self.gains.is_empty() { Value::loss_in(0) } else { Value::DRAW };
            self.children[*number as usize].is_empty().then_some(value)
        }
        fn moves(&self, number: &u64, visit: &mut impl FnMut(u64) -> Flow) -> Flow {
            self.children[*number as usize].iter().try_for_each(|&child| visit(child))
        }
        fn play(&self, _: &u64, child: u64) -> u64 {
            child
        }
    }

    impl Scored for Listed {
        fn unit(&self) -> Unit {
            if self.gains.is_empty() { Unit::Outcome } else { Unit::Points }
        }
        fn gain(&self, _: &u64, child: u64) -> i32 {
            self.gains.get(child as usize).copied().unwrap_or(0)
        }
    }

    impl Indexed for Listed {
        fn size(&self) -> u64 {
            self.children.len() as u64
        }
        fn index(&self, number: &u64) -> u64 {
            *number
        }
        fn position(&self, number: u64) -> Option<u64> {
            Some(number)
        }
    }

    impl Acyclic for Listed {
        fn order(&self) -> Order {
            self.order.clone()
        }
    }

    /// A random game whose moves follow an order.
    fn listed(order: Order, count: u64, largest: usize, dice: &mut crate::retrograde::tests::Dice) -> Listed {
        let layer = |number: u64, layers: &[Range<u64>]| {
            layers.iter().position(|layer| layer.contains(&number)).unwrap_or(0)
        };
        let mut children = Vec::new();
        for number in 0..count {
            let moves = (0..dice.roll(5)).filter_map(|_| {
                let other = dice.roll(count as usize) as u64;
                match &order {
                    Order::Lower => (number > 0).then(|| other % number),
                    Order::Higher => (number + 1 < count).then(|| number + 1 + other % (count - number - 1)),
                    Order::Subsets => Some(other & number).filter(|&child| child != number),
                    Order::Layers(layers) => {
                        Some(other).filter(|&child| layer(child, layers) < layer(number, layers))
                    }
                }
            });
            children.push(moves.collect());
        }
        let player = |dice: &mut crate::retrograde::tests::Dice| [Player::One, Player::Two][dice.roll(2)];
        Listed {
            children,
            turn: (0..count).map(|_| player(dice)).collect(),
            gains: (0..if largest > 0 { count } else { 0 }).map(|_| dice.roll(largest) as i32).collect(),
            order,
        }
    }

    /// Compares the shards of a game with its table.
    fn compare_shards<G: Scored + Acyclic>(
        game: &G,
        parts: u32,
        dice: &mut crate::retrograde::tests::Dice,
        at: &str,
    ) {
        let expected = solve(game, &quiet_work()).unwrap();
        let make = |part| -> Result<Box<dyn grundy_session::Shard + '_>, SolveError> {
            Ok(Box::new(shard::LayersShard::new(game, (part, parts))?))
        };
        let made =
            crate::together::together(parts, game.size(), &make, &mut |sides| dice.roll(sides)).unwrap();
        assert_eq!((made.coding(), made.cells()), (expected.coding(), expected.cells()), "{at}");
    }

    #[test]
    fn shards_make_the_same_tables_and_prove_them() {
        let mut dice = crate::retrograde::tests::Dice(5);
        let layers = |count: u64| Order::Layers((0..count).map(|n| n..n + 1).collect());
        for (count, points) in [(1, None), (40, Some(1)), (40, Some(1000)), (500, None)] {
            for order in [Order::Lower, layers(count)] {
                for parts in 1..4 {
                    let at = format!("{count} {points:?} {order:?} in {parts}");
                    compare_shards(&heap(count, order.clone(), points), parts, &mut dice, &at);
                }
            }
        }
    }

    #[test]
    fn shards_of_many_pieces_a_layer_go_on_wherever_they_were_stopped() {
        let mut dice = crate::retrograde::tests::Dice(29);
        for number in 0..60 {
            let count = 40 + dice.roll(300) as u64;
            let cut = dice.roll(count as usize) as u64;
            // Ranges in another order than their numbers, one of them empty.
            let layers = vec![cut..count, 0..cut / 3, 5..5, cut / 3..cut];
            let order = [Order::Lower, Order::Higher, Order::Subsets, Order::Layers(layers)];
            // The widths of cells grow with what a move gains.
            let largest = [0, 3, 200, 100_000][dice.roll(4)];
            let game = listed(order[number % 4].clone(), count, largest, &mut dice);
            let parts = 1 + dice.roll(4) as u32;
            compare_shards(
                &game,
                parts,
                &mut dice,
                &format!("game {number}: {:?}, up to {largest}", game.order),
            );
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
