//! The predecessors of a position: from the game if it knows them, otherwise from its reversed graph.

use super::ability::Reversible;
use super::children::Children;
use crate::crew::{Meter, allocate};
use grundy_core::random::fibonacci;
use grundy_session::{Shard, SolveError, Work};

/// The positions that lead to a position in one move.
pub(crate) trait Backward: Sync {
    /// Visits each predecessor of `number`, with whether the turn passes by the move. One may come more than once.
    fn visit(&self, number: u64, visit: &mut impl FnMut(u64, bool));
}

/// A position of the current distance: twice its index, plus one if it is lost.
pub(crate) type Known = u64;

/// An update of a predecessor's cell: its offset in its stretch, with [`WINS`] if the move wins.
pub(crate) type Update = u32;
pub(crate) const WINS: Update = 1 << 31;

/// The most stretches that have a list each. Counting sort takes a few more instructions for each update, but many lists
/// take longer to allocate.
const LISTS: u64 = 32;

/// Updates of predecessors, collected in any order and then sorted by stretches of `2^shift` states.
pub(crate) struct Buckets {
    count: u64,
    shift: u32,
    /// A list for each stretch of a small table.
    lists: Vec<Vec<Update>>,
    /// The stretch and the update, in a large table.
    updates: Vec<(u32, Update)>,
    /// True if the turn did not pass with some move.
    strays: bool,
}

/// Updates sorted by the stretch of the table that they belong to.
pub(crate) struct Sorted {
    /// A list for each stretch of a small table.
    lists: Vec<Vec<Update>>,
    /// The end of each stretch's updates in a large table.
    ends: Vec<u32>,
    updates: Vec<Update>,
    /// True if the turn did not pass with some move.
    pub(super) strays: bool,
}

impl Buckets {
    /// Creates an empty collection for a table of `count` states.
    pub(super) fn new(count: u64, shift: u32) -> Buckets {
        let stretches = count.div_ceil(1 << shift);
        let lists = if stretches <= LISTS { vec![Vec::new(); stretches as usize] } else { Vec::new() };
        Buckets { count, shift, lists, updates: Vec::new(), strays: false }
    }

    /// Adds an update; returns false if there is no such state.
    #[inline]
    fn push(&mut self, number: u64, wins: Update) -> bool {
        let offset = (number & ((1 << self.shift) - 1)) as Update;
        if number >= self.count {
            return false;
        }
        let stretch = number >> self.shift;
        match self.lists.get_mut(stretch as usize) {
            Some(list) => list.push(offset | wins),
            None => self.updates.push((stretch as u32, offset | wins)),
        }
        true
    }

    /// Returns the updates sorted by stretches (counting sort).
    pub(super) fn sorted(self) -> Sorted {
        if !self.lists.is_empty() {
            return Sorted { lists: self.lists, ends: Vec::new(), updates: Vec::new(), strays: self.strays };
        }
        let mut ends = vec![0u32; self.count.div_ceil(1 << self.shift) as usize];
        for &(stretch, _) in &self.updates {
            ends[stretch as usize] += 1;
        }
        let mut begin = 0;
        for end in &mut ends {
            begin += std::mem::replace(end, begin);
        }
        // Placing the updates moves each begin to its end.
        let mut updates = vec![0; self.updates.len()];
        for (stretch, update) in self.updates {
            let at = &mut ends[stretch as usize];
            updates[*at as usize] = update;
            *at += 1;
        }
        Sorted { lists: Vec::new(), ends, updates, strays: self.strays }
    }
}

impl Sorted {
    /// Returns the updates of a stretch.
    #[inline]
    pub(super) fn of(&self, stretch: usize) -> &[Update] {
        if let Some(list) = self.lists.get(stretch) {
            return list;
        }
        let begin = stretch.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.updates[begin as usize..self.ends[stretch] as usize]
    }

    /// Returns the updates of each stretch, in the order of the table.
    pub(super) fn stretches(&self) -> impl Iterator<Item = &[Update]> {
        (0..self.lists.len().max(self.ends.len())).map(|stretch| self.of(stretch))
    }
}

/// The updates of predecessors, with the type of the game erased.
pub(crate) trait Collect: Sync {
    /// Adds the updates of the predecessors of these positions; returns their number.
    ///
    /// # Errors
    /// A predecessor is beyond the table.
    fn collect(&self, positions: &[Known], buckets: &mut Buckets) -> Result<usize, SolveError>;
}

impl<P: Backward> Collect for P {
    fn collect(&self, positions: &[Known], buckets: &mut Buckets) -> Result<usize, SolveError> {
        let mut seen = Distinct::new();
        let mut beyond = None;
        let (mut updates, mut strays) = (0, false);
        for &known in positions {
            let (number, lost) = (known >> 1, known & 1 == 1);
            seen.clear();
            self.visit(number, &mut |predecessor, turn_passed| {
                if !seen.insert(predecessor, turn_passed) {
                    return;
                }
                let wins = if lost == turn_passed { WINS } else { 0 };
                strays |= !turn_passed;
                updates += 1;
                if !buckets.push(predecessor, wins) {
                    beyond = Some((number, predecessor));
                }
            });
        }
        buckets.strays |= strays;
        match beyond {
            None => Ok(updates),
            Some((number, predecessor)) => Err(SolveError::Broken(format!(
                "position {number} has the predecessor {predecessor}, which is beyond the table"
            ))),
        }
    }
}

/// A shard that is given the predecessors of its positions after it was created.
pub(crate) trait TakePredecessors<'a>: Shard {
    /// Uses these predecessors from now on.
    fn set_predecessors(&mut self, back: Box<dyn Collect + 'a>);
}

/// A game that knows its predecessors.
pub(super) struct GamePredecessors<'a, G> {
    pub(super) game: &'a G,
}

impl<G: Reversible> Backward for GamePredecessors<'_, G> {
    #[inline]
    fn visit(&self, number: u64, visit: &mut impl FnMut(u64, bool)) {
        let Some(position) = self.game.position(number) else { return };
        let turn = self.game.turn(&position);
        self.game.predecessors(&position, &mut |predecessor| {
            visit(self.game.index(&predecessor), self.game.turn(&predecessor) != turn);
        });
    }
}

/// A small set of children, cleared in constant time. Two moves to symmetric positions count as one child.
pub(crate) struct Distinct {
    /// Twice the index, plus one if the turn passes; and the time of its insertion.
    places: Vec<(u64, u32)>,
    /// Entries inserted earlier than this are not in the set.
    now: u32,
    len: usize,
}

impl Distinct {
    pub(crate) fn new() -> Distinct {
        Distinct { places: vec![(0, 0); 256], now: 1, len: 0 }
    }

    /// Empties the set.
    pub(crate) fn clear(&mut self) {
        self.len = 0;
        self.now = self.now.checked_add(1).unwrap_or_else(|| {
            self.places.fill((0, 0));
            1
        });
    }

    /// Inserts the child of a move; returns false if it was in already.
    #[inline]
    pub(crate) fn insert(&mut self, number: u64, turn_passed: bool) -> bool {
        let key = number << 1 | u64::from(turn_passed);
        if 2 * self.len >= self.places.len() {
            self.grow();
        }
        let mask = self.places.len() - 1;
        let mut at = (fibonacci(key) >> 32) as usize & mask;
        while self.places[at].1 == self.now {
            if self.places[at].0 == key {
                return false;
            }
            at = (at + 1) & mask;
        }
        self.places[at] = (key, self.now);
        self.len += 1;
        true
    }

    #[cold]
    fn grow(&mut self) {
        let room = 2 * self.places.len();
        let old = std::mem::replace(&mut self.places, vec![(0, 0); room]);
        let (was, len) = (self.now, self.len);
        self.now = 1;
        self.len = 0;
        for (key, _) in old.into_iter().filter(|&(_, put)| put == was) {
            self.insert(key >> 1, key & 1 == 1);
        }
        debug_assert!(self.len == len);
    }
}

/// The reversed graph of a game: the predecessors of each state.
pub(super) struct Reversed {
    /// The first edge of each state; they end where those of the next state begin.
    begins: Vec<u64>,
    /// Twice the index of the predecessor, plus one if the turn passes.
    edges: Vec<u32>,
}

impl Reversed {
    /// Returns the bytes of a graph of `count` states and `edges` moves.
    pub(super) fn bytes(count: u64, edges: u64) -> u64 {
        count.saturating_add(1).saturating_mul(8).saturating_add(edges.saturating_mul(4))
    }

    /// Builds the graph from all moves of all positions, generated twice: to count them and to store them.
    ///
    /// # Errors
    /// The work was stopped, needs too much memory, or a move leads beyond the table.
    pub(super) fn build(game: &dyn Children, work: &Work<'_>) -> Result<Reversed, SolveError> {
        let count = game.size();
        if count > 1 << 31 {
            return Err(SolveError::Broken(format!("a graph of {count} positions is too large to reverse")));
        }
        let mut begins = allocate(count + 1, 0u64)?;
        for_all_moves(game, &Meter::new(work, "counting moves", count), &mut |_, child, _| match begins
            .get_mut(child as usize + 1)
            .filter(|_| child < count)
        {
            Some(begin) => {
                *begin += 1;
                Ok(())
            }
            None => Err(beyond(child)),
        })?;
        for at in 1..begins.len() {
            begins[at] += begins[at - 1];
        }
        let mut edges = allocate(begins.last().copied().unwrap_or(0), 0u32)?;
        let meter = Meter::new(work, "reversing moves", count);
        for_all_moves(game, &meter, &mut |number, child, turn_passed| {
            // Storing an edge moves the begin of its state to that of the next one; corrected below.
            let at = begins.get_mut(child as usize).ok_or_else(|| beyond(child))?;
            let edge = edges.get_mut(*at as usize).ok_or_else(|| beyond(child))?;
            *edge = (number as u32) << 1 | u32::from(turn_passed);
            *at += 1;
            Ok(())
        })?;
        begins.rotate_right(1);
        if let Some(first) = begins.first_mut() {
            *first = 0;
        }
        Ok(Reversed { begins, edges })
    }
}

fn beyond(child: u64) -> SolveError {
    SolveError::Broken(format!("a move leads to index {child}, which is beyond the table"))
}

impl Backward for Reversed {
    #[inline]
    fn visit(&self, number: u64, visit: &mut impl FnMut(u64, bool)) {
        let at = number as usize;
        let edges = &self.edges[self.begins[at] as usize..self.begins[at + 1] as usize];
        edges.iter().for_each(|edge| visit(u64::from(edge >> 1), edge & 1 == 1));
    }
}

/// Visits every move of every unfinished position: the state, the child, and whether the turn passes. Moves to the same
/// child come once.
fn for_all_moves(
    game: &dyn Children,
    meter: &Meter<'_, '_>,
    visit: &mut dyn FnMut(u64, u64, bool) -> Result<(), SolveError>,
) -> Result<(), SolveError> {
    const STRETCH: usize = 1 << 14;
    let mut distinct = Distinct::new();
    let mut result = Ok(());
    for first in (0..game.size()).step_by(STRETCH) {
        meter.add(STRETCH as u64)?;
        let end = game.size().min(first + STRETCH as u64);
        game.each_open(first..end, &mut |number, children| {
            if result.is_ok() {
                distinct.clear();
                let mut new = children.iter().filter(|&&(child, passed)| distinct.insert(child, passed));
                result = new.try_for_each(|&(child, passed)| visit(number, child, passed));
            }
        });
        std::mem::replace(&mut result, Ok(()))?;
    }
    Ok(())
}
