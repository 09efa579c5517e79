//! Games whose positions have indices by a formula: the reachable ones are found breadth first, with a bit for each index. The
//! moves found on the way are kept if there is enough memory, so that no position is expanded twice.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use super::edges::{Edge, PASSES, Reversed};
use super::find::{Horizon, Sums};
use super::packed::Packed;
use super::tasks::{CHILDREN, STRETCH, Tasks};
use crate::crew::{Crew, allocate, refuse_beyond};
use crate::layers::{self, Acyclic};
use crate::retrograde::{self, Backward, Distinct, Part, Sight, Sights};
use grundy_core::bits::places;
use grundy_core::table::{Checkpoints, Table};
use grundy_core::value::Value;
use grundy_session::{Progress, SolveError, Work};

/// A game whose packed positions have indices by a formula. [`Indexed::position`](grundy_core::game::Indexed::position)
/// returns `None` if the index is known to be unreachable.
pub trait Numbered: Packed + Acyclic {
    /// Reports whether positions have such indices at all, and are to be solved by them.
    fn is_numbered(&self) -> bool;

    /// Reports whether no position can repeat, so that [`Acyclic::order`] holds.
    fn is_acyclic(&self) -> bool;

    /// Returns the index of a packed position.
    ///
    /// # Errors
    /// The reason why it has none.
    fn number(&self, code: u128) -> Result<u64, String>;

    /// Returns the reachable indices, once they were found.
    fn reached(&self) -> Option<&Reached>;

    /// Stores the reachable indices.
    fn keep_reached(&self, reached: Reached);
}

/// A set of indices, with a bit for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reached {
    bits: Vec<u64>,
    count: u64,
}

/// Visits the indices of a range that may have a position, rising: the reachable ones, or all before these were found.
pub fn each_within(reached: Option<&Reached>, range: Range<u64>, visit: &mut impl FnMut(u64)) {
    match reached {
        Some(reached) => reached.within(range).for_each(visit),
        None => range.for_each(visit),
    }
}

impl Reached {
    /// Reports whether an index is in the set.
    #[inline]
    pub fn has(&self, number: u64) -> bool {
        self.bits.get((number / 64) as usize).is_some_and(|bits| bits >> (number % 64) & 1 == 1)
    }

    /// Returns the size of the set.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the indices of the set in a range, rising.
    pub fn within(&self, range: Range<u64>) -> impl Iterator<Item = u64> {
        let words = range.start / 64..range.end.div_ceil(64).min(self.bits.len() as u64);
        words.flat_map(move |word| {
            let low = range.start.saturating_sub(word * 64);
            let high = range.end.saturating_sub(word * 64).min(64);
            let inside = u64::MAX << low & u64::MAX.checked_shr(64 - high as u32).unwrap_or(0);
            places(self.bits[word as usize] & inside).map(move |bit| word * 64 + u64::from(bit))
        })
    }
}

/// The result of a task.
#[derive(Default)]
struct News {
    /// Number of positions that were expanded.
    looked: usize,
    /// Positions that were not found before.
    positions: Vec<u128>,
    sums: Sums,
    /// The reason why a position has no index, if one has none.
    unnumbered: Option<String>,
    moves: Graph,
}

/// The moves of all positions.
#[derive(Default)]
struct Graph {
    /// Positions that are over, with their values.
    over: Vec<(u32, i32)>,
    /// All others, with the number of their distinct children.
    open: Vec<(u32, u32)>,
    edges: Vec<(u32, Edge)>,
}

impl Graph {
    /// Returns the bytes in use while the moves are reversed.
    fn bytes(&self) -> u64 {
        ((self.over.len() + self.open.len()) * 16 + self.edges.len() * 12) as u64
    }

    fn extend(&mut self, other: Graph) {
        self.over.extend(other.over);
        self.open.extend(other.open);
        self.edges.extend(other.edges);
    }
}

/// A game whose positions were all expanded.
struct Looked {
    count: u64,
    /// As in [`Graph`], sorted.
    over: Vec<(u32, i32)>,
    open: Vec<(u32, u32)>,
}

impl Part for Looked {
    fn len(&self) -> u64 {
        self.count
    }

    fn leaves(&self) -> bool {
        false
    }

    fn stays(&self) -> bool {
        true
    }

    fn look(&self, range: Range<u64>, sights: &mut Sights<'_>) {
        fn of<T>(list: &[(u32, T)], range: &Range<u64>) -> Range<usize> {
            let place = |end: u64| list.partition_point(|&(number, _)| u64::from(number) < end);
            place(range.start)..place(range.end)
        }
        let mut over = self.over[of(&self.over, &range)].iter().peekable();
        let mut open = self.open[of(&self.open, &range)].iter().peekable();
        while over.peek().is_some() || open.peek().is_some() {
            let next = |list: Option<u32>| list.unwrap_or(u32::MAX);
            let ended = next(over.peek().map(|end| end.0)) < next(open.peek().map(|place| place.0));
            if ended && let Some(&(number, raw)) = over.next() {
                sights.push(number.into(), Sight::over(Value::from_raw(raw)));
            } else if let Some(&(number, inner)) = open.next() {
                sights.push(number.into(), Sight::open(inner, None));
            }
        }
    }
}

impl Backward for Reversed {
    fn visit(&self, number: u64, visit: &mut impl FnMut(u64, bool)) {
        self.to(number as u32).for_each(|(from, step)| visit(from.into(), step.turn_passed));
    }
}

/// Computes the table of all reachable states: by layers if no position can repeat, else by retrograde analysis.
///
/// # Errors
/// The work was stopped, needs too much memory, or the game has a fault.
pub fn solve_numbered<G: Numbered>(
    game: &G,
    work: &Work<'_>,
    keep: &mut dyn Checkpoints,
) -> Result<Table, SolveError> {
    if game.is_acyclic() {
        reach(game, &Horizon::default(), work)?;
        return layers::solve_resumable(game, work, keep);
    }
    let count = game.size();
    let mut moves = (count < u64::from(PASSES)).then(Graph::default);
    explore(game, &Horizon::default(), work, &mut moves)?;
    let Some(Graph { mut over, mut open, edges }) = moves else {
        return retrograde::solve_resumable(game, work, keep);
    };
    let back = Reversed::new(count as usize, edges, &[])?;
    over.sort_unstable();
    open.sort_unstable();
    retrograde::solve_part(Box::new(Looked { count, over, open }), &back, work, keep)
}

/// Finds the reachable indices and stores them. Returns false if the search reaches a limit of the horizon.
///
/// # Errors
/// The work was stopped, needs too much memory, or the game has a fault.
pub fn reach<G: Numbered>(game: &G, horizon: &Horizon, work: &Work<'_>) -> Result<bool, SolveError> {
    if game.reached().is_some() {
        return Ok(true);
    }
    explore(game, horizon, work, &mut None)
}

/// As [`reach`]; also collects all moves, which are dropped if they need too much memory.
fn explore<G: Numbered>(
    game: &G,
    horizon: &Horizon,
    work: &Work<'_>,
    moves: &mut Option<Graph>,
) -> Result<bool, SolveError> {
    let crew = Crew::new(work);
    let room = work.memory().unwrap_or(u64::MAX);
    let words = game.size().div_ceil(64);
    refuse_beyond(Some(words * 8 + game.size()), work)?;
    let bits = allocate(words, 0u64)?;
    let bits: Vec<AtomicU64> = bits.into_iter().map(AtomicU64::new).collect();
    let start = game.pack(&game.start());
    let start = start.ok_or_else(|| SolveError::Broken("the start cannot be packed".to_owned()))?;
    let first = game.number(start).map_err(SolveError::Broken)?;
    bits[(first / 64) as usize].fetch_or(1 << (first % 64), Ordering::Relaxed);
    let (mut frontier, mut next) = (vec![start], Vec::new());
    let (mut count, mut ply, mut sums) = (1, 0, Sums::default());
    while !frontier.is_empty() {
        let mut tasks = Tasks::new(&frontier);
        while let Some(taken) = tasks.take(crew.size()) {
            if work.stopped() {
                return Err(SolveError::Stopped);
            }
            let with_moves = moves.is_some();
            let ended = || work.stopped() || horizon.is_past();
            let found =
                crew.map(taken.clone(), &|positions| look(game, positions, &bits, with_moves, &ended));
            for (positions, news) in taken.into_iter().zip(found) {
                tasks.give_back(&positions[news.looked..]);
                if let Some(why) = news.unnumbered {
                    return Err(SolveError::Broken(why));
                }
                sums = sums.joined(news.sums);
                next.extend(news.positions);
                if let Some(moves) = moves {
                    moves.extend(news.moves);
                }
            }
            if let Some(fault) = game.fault() {
                return Err(SolveError::Broken(fault));
            }
            let found = count + next.len() as u64;
            let waiting = (frontier.len() + next.capacity()) * size_of::<u128>();
            let least = words * 8 + waiting as u64;
            refuse_beyond(Some(least), work)?;
            // The cells, and the begin of the moves to each state.
            moves.take_if(|moves| least + game.size() * 6 + 2 * moves.bytes() > room);
            if horizon.positions.is_some_and(|most| found > most) || horizon.is_past() {
                return Ok(false);
            }
            let what = format!("positions found, ply {ply}");
            (work.report)(&Progress { what: what.into(), done: found, total: 0 });
        }
        count += next.len() as u64;
        std::mem::swap(&mut frontier, &mut next);
        next.clear();
        ply += 1;
    }
    sums.same()?;
    let bits = bits.into_iter().map(AtomicU64::into_inner).collect();
    game.keep_reached(Reached { bits, count });
    Ok(true)
}

/// Expands some positions, until the work has ended.
fn look<G: Numbered>(
    game: &G,
    positions: &[u128],
    bits: &[AtomicU64],
    with_moves: bool,
    ended: &dyn Fn() -> bool,
) -> News {
    let mut news = News::default();
    let mut distinct = Distinct::new();
    let News { looked, positions: found, sums, unnumbered, moves } = &mut news;
    for &position in positions {
        let checks = *looked > 0 && looked.is_multiple_of(STRETCH);
        if found.len() + moves.edges.len() >= CHILDREN || checks && ended() {
            break;
        }
        *looked += 1;
        let own = if with_moves { game.number(position).unwrap_or(0) as u32 } else { 0 };
        let before = moves.edges.len();
        distinct.clear();
        let over = game.expand(position, &mut |child, step| match game.number(child) {
            Ok(number) => {
                let (word, bit) = (&bits[(number / 64) as usize], 1 << (number % 64));
                // Most children were found before: reading is cheaper than writing.
                if word.load(Ordering::Relaxed) & bit == 0 && word.fetch_or(bit, Ordering::Relaxed) & bit == 0
                {
                    found.push(child);
                }
                if with_moves && distinct.insert(number, step.turn_passed) {
                    let from = own | if step.turn_passed { PASSES } else { 0 };
                    moves.edges.push((number as u32, Edge { from }));
                }
            }
            Err(why) => {
                unnumbered.get_or_insert(why);
            }
        });
        if over.is_some() {
            *sums = sums.with(game.sum_at_end(position));
        }
        match over {
            _ if !with_moves => {}
            Some(value) => moves.over.push((own, value.raw())),
            None => moves.open.push((own, (moves.edges.len() - before) as u32)),
        }
    }
    news
}
