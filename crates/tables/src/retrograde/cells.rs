//! The cells of retrograde analysis: each holds a value, or the number of distinct children that may still avoid a loss.

use std::ops::Range;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, Ordering};

use crate::cell::copy_bytes;
use crate::crew::{allocate, finished};
use grundy_core::table::{
    Checkpoint, Checkpoints, Coding, DRAW, Distances, HOLE, Meaning, Snapshot, Table, Width, loss_code,
    win_code,
};
use grundy_core::value::{Value, Wdl};
use grundy_session::SolveError;

/// A cell of some width: stored codes of values from 0 upwards, counts of unknown positions from [`Slot::MAX`] downwards.
///
/// `MAX - n` means that `n` distinct children are not yet known to be lost moves. A width suffices as long as the codes of
/// distances and the counts of children do not overlap.
pub(super) trait Slot: Copy + Eq + Send + Sync {
    const MAX: u32;
    const WIDTH: Width;
    /// True if cells hold alternating distances only, whose parity tells wins from losses.
    const ALTERNATES: bool = false;
    /// A cell that any thread may write.
    type Shared: Send + Sync;
    /// Creates a cell with a stored code or a count.
    fn of_stored(stored: u32) -> Self;
    /// Returns the stored code or the count.
    fn get(self) -> u32;
    /// Returns the form in which a code of [`Meaning::Distance`] is stored.
    #[inline]
    fn stored(code: u32) -> u32 {
        code
    }
    /// Creates a cell with the code of a value.
    #[inline]
    fn new(code: u32) -> Self {
        Self::of_stored(Self::stored(code))
    }
    /// Returns the code of the value; not called for counts.
    #[inline]
    fn code(self) -> u32 {
        self.get()
    }
    fn share(self) -> Self::Shared;
    fn own(shared: Self::Shared) -> Self;
    fn put(self, shared: &Self::Shared);
    fn of(shared: &Self::Shared) -> Self;
    /// Wraps cells of this width.
    fn array(cells: Vec<Self>) -> CellArray;
    /// Returns the cells of an array; `None` if they have another width.
    fn cells(array: CellArray) -> Option<Vec<Self>>;
    /// As [`Slot::cells`], by reference.
    fn slice(array: &mut CellArray) -> Option<&mut [Self]>;
}

macro_rules! slots {
    ($($int:ty, $shared:ty, $array:ident);*) => {$(
        impl Slot for $int {
            const MAX: u32 = <$int>::MAX as u32;
            const WIDTH: Width = Width::$array;
            type Shared = $shared;
            #[inline]
            fn of_stored(stored: u32) -> Self {
                stored as $int
            }
            #[inline]
            fn get(self) -> u32 {
                u32::from(self)
            }
            #[inline]
            fn share(self) -> $shared {
                <$shared>::new(self)
            }
            #[inline]
            fn own(shared: $shared) -> $int {
                shared.into_inner()
            }
            #[inline]
            fn put(self, shared: &$shared) {
                shared.store(self, Ordering::Relaxed);
            }
            #[inline]
            fn of(shared: &$shared) -> $int {
                shared.load(Ordering::Relaxed)
            }
            fn array(cells: Vec<$int>) -> CellArray {
                CellArray::$array(cells)
            }
            fn cells(array: CellArray) -> Option<Vec<$int>> {
                if let CellArray::$array(cells) = array { Some(cells) } else { None }
            }
            fn slice(array: &mut CellArray) -> Option<&mut [$int]> {
                if let CellArray::$array(cells) = array { Some(cells) } else { None }
            }
        }
    )*};
}
slots!(u8, AtomicU8, One; u16, AtomicU16, Two; u32, AtomicU32, Four);

/// A byte for a distance that alternates: every win takes an odd number of plies and every loss an even one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct ByParity(u8);

impl Slot for ByParity {
    const MAX: u32 = u8::MAX as u32;
    const WIDTH: Width = Width::One;
    const ALTERNATES: bool = true;
    type Shared = AtomicU8;
    #[inline]
    fn of_stored(stored: u32) -> ByParity {
        ByParity(stored as u8)
    }
    #[inline]
    fn get(self) -> u32 {
        self.0.into()
    }
    #[inline]
    fn stored(code: u32) -> u32 {
        ALTERNATING.of_distance(code)
    }
    #[inline]
    fn code(self) -> u32 {
        match self.get() {
            HOLE => HOLE,
            stored => 2 * stored - 2 + stored % 2,
        }
    }
    fn share(self) -> AtomicU8 {
        self.0.share()
    }
    fn own(shared: AtomicU8) -> ByParity {
        ByParity(shared.into_inner())
    }
    #[inline]
    fn put(self, shared: &AtomicU8) {
        self.0.put(shared);
    }
    #[inline]
    fn of(shared: &AtomicU8) -> ByParity {
        ByParity(u8::of(shared))
    }
    fn array(cells: Vec<ByParity>) -> CellArray {
        CellArray::ByParity(cells)
    }
    fn cells(array: CellArray) -> Option<Vec<ByParity>> {
        if let CellArray::ByParity(cells) = array { Some(cells) } else { None }
    }
    fn slice(array: &mut CellArray) -> Option<&mut [ByParity]> {
        if let CellArray::ByParity(cells) = array { Some(cells) } else { None }
    }
}

/// Makes cells writable by any thread, in the same memory.
pub(super) fn shared<S: Slot>(cells: Vec<S>) -> Vec<S::Shared> {
    cells.into_iter().map(S::share).collect()
}

/// The reverse of [`shared`].
pub(super) fn owned<S: Slot>(cells: Vec<S::Shared>) -> Vec<S> {
    cells.into_iter().map(S::own).collect()
}

/// Copies bytes of shared cells as [`CellArray::copy`] does.
pub(super) fn copy_shared<S: Slot>(cells: &[S::Shared], offset: u64, into: &mut [u8]) {
    copy_bytes(cells, |cell| S::of(cell).get(), offset, into);
}

/// Runs code for cells of any width.
macro_rules! with_cells {
    ($array:expr, $cells:pat => $body:expr) => {
        match $array {
            CellArray::One($cells) => $body,
            CellArray::ByParity($cells) => $body,
            CellArray::Two($cells) => $body,
            CellArray::Four($cells) => $body,
        }
    };
}
pub(super) use with_cells;

/// All cells of a part, in the least width that has sufficed so far.
pub(super) enum CellArray {
    One(Vec<u8>),
    ByParity(Vec<ByParity>),
    Two(Vec<u16>),
    Four(Vec<u32>),
}

impl CellArray {
    /// Creates cells without values.
    ///
    /// # Errors
    /// There is too little memory.
    pub(super) fn empty(width: Width, len: u64) -> Result<CellArray, SolveError> {
        Ok(match width {
            Width::Quarter | Width::One => CellArray::One(allocate(len, HOLE as u8)?),
            Width::Two => CellArray::Two(allocate(len, HOLE as u16)?),
            Width::Four => CellArray::Four(allocate(len, HOLE)?),
        })
    }

    pub(super) fn len(&self) -> usize {
        with_cells!(self, cells => cells.len())
    }

    /// Returns the offsets in a range of the cells that are lost or won in `plies`, and whether each is won.
    pub(super) fn of_distance(&self, range: Range<usize>, plies: u32) -> Vec<(u32, bool)> {
        fn find<S: Slot>(cells: &[S], plies: u32) -> Vec<(u32, bool)> {
            if S::stored(win_code(plies)) > S::MAX {
                return Vec::new();
            }
            of_distance(cells, plies).map(|(at, win)| (at as u32, win)).collect()
        }
        with_cells!(self, cells => find(&cells[range], plies))
    }

    /// Visits the codes of a range of values.
    pub(super) fn visit_codes(&self, range: Range<usize>, visit: &mut impl FnMut(u32)) {
        with_cells!(self, cells => cells[range].iter().for_each(|cell| visit(cell.code())));
    }

    /// Widens the cells until codes up to `code` do not overlap the counts. If all distances alternate, a byte may hold
    /// them [by parity](ByParity).
    ///
    /// # Errors
    /// No width suffices, or there is too little memory.
    pub(super) fn with_room_for(
        self,
        code: u32,
        most_children: u32,
        alternate: bool,
    ) -> Result<CellArray, SolveError> {
        let fits = match self {
            CellArray::One(_) => code < u32::from(u8::MAX).saturating_sub(most_children),
            CellArray::ByParity(_) => {
                alternate && ByParity::stored(code) < ByParity::MAX.saturating_sub(most_children)
            }
            CellArray::Two(_) => code < u32::from(u16::MAX).saturating_sub(most_children),
            CellArray::Four(_) => code < u32::MAX - most_children,
        };
        match fits {
            true => Ok(self),
            false => self.widened(most_children, alternate)?.with_room_for(code, most_children, alternate),
        }
    }

    /// Widens the cells by one step, at first [by parity](ByParity) if all distances alternate.
    ///
    /// # Errors
    /// As [`CellArray::with_room_for`].
    pub(super) fn widened(self, most_children: u32, alternate: bool) -> Result<CellArray, SolveError> {
        fn wide<S: Slot, T: Slot>(narrow: S, most_children: u32) -> T {
            match narrow.get() {
                count if count >= S::MAX - most_children => T::of_stored(T::MAX - (S::MAX - count)),
                _ => T::new(narrow.code()),
            }
        }
        fn widened<S: Slot, T: Slot>(narrow: &[S], most_children: u32) -> Result<CellArray, SolveError> {
            let mut cells = allocate(narrow.len() as u64, T::new(HOLE))?;
            for (cell, &narrow) in cells.iter_mut().zip(narrow) {
                *cell = wide(narrow, most_children);
            }
            Ok(T::array(cells))
        }
        match self {
            // In the same memory.
            CellArray::One(cells) if alternate => {
                Ok(CellArray::ByParity(cells.into_iter().map(|cell| wide(cell, most_children)).collect()))
            }
            CellArray::One(cells) => widened::<u8, u16>(&cells, most_children),
            CellArray::ByParity(cells) => widened::<ByParity, u16>(&cells, most_children),
            CellArray::Two(cells) => widened::<u16, u32>(&cells, most_children),
            CellArray::Four(_) => Err(SolveError::Broken(
                "a distance or the moves of a position are beyond all cells".to_owned(),
            )),
        }
    }

    /// Makes unknown positions draws; returns the distances in the cells.
    pub(super) fn settle(&mut self, most_children: u32) -> Distances {
        fn settle<S: Slot>(cells: &mut [S], most_children: u32) -> Distances {
            let mut seen = Distances::NONE;
            for cell in cells {
                if cell.get() >= S::MAX - most_children {
                    *cell = S::new(DRAW);
                }
                seen = seen.and(Distances::of(cell.code()));
            }
            seen
        }
        with_cells!(self, cells => settle(cells, most_children))
    }

    /// Encodes settled cells as a table does, in a coding of distances that holds them or as outcomes.
    pub(super) fn laid_out(self, coding: Coding) -> Vec<u8> {
        fn lay_out<S: Slot>(cells: &[S], coding: Coding) -> Vec<u8> {
            let codes = cells.iter().map(|cell| coding.of_distance(cell.code()));
            match coding.width {
                Width::Quarter => outcomes(cells),
                Width::One => codes.map(|code| code as u8).collect(),
                Width::Two => codes.flat_map(|code| (code as u16).to_le_bytes()).collect(),
                Width::Four => codes.flat_map(u32::to_le_bytes).collect(),
            }
        }
        fn outcomes<S: Slot>(cells: &[S]) -> Vec<u8> {
            let outcome = |code: u32| match DISTANCES.decode(code).map(Value::wdl) {
                None => 0,
                Some(Wdl::Loss) => 1,
                Some(Wdl::Draw) => 2,
                Some(Wdl::Win) => 3,
            };
            let byte = |four: &[S]| four.iter().rev().fold(0, |byte, cell| byte << 2 | outcome(cell.code()));
            cells.chunks(4).map(byte).collect()
        }
        match self {
            CellArray::One(cells) if coding == PLAIN => cells,
            CellArray::ByParity(cells) if coding == ALTERNATING => {
                cells.into_iter().map(|ByParity(stored)| stored).collect()
            }
            cells => with_cells!(&cells, cells => lay_out(cells, coding)),
        }
    }

    /// Returns the width of a cell.
    pub(super) fn width(&self) -> Width {
        match self {
            CellArray::One(_) | CellArray::ByParity(_) => Width::One,
            CellArray::Two(_) => Width::Two,
            CellArray::Four(_) => Width::Four,
        }
    }

    /// Takes cells of one byte [by parity](ByParity).
    pub(super) fn by_parity(self) -> CellArray {
        match self {
            CellArray::One(cells) => CellArray::ByParity(cells.into_iter().map(ByParity).collect()),
            wider => wider,
        }
    }

    /// Reports whether the cells hold distances [by parity](ByParity).
    pub(super) fn is_by_parity(&self) -> bool {
        matches!(self, CellArray::ByParity(_))
    }

    /// Creates cells from the bytes of [`CellArray::copy`]; `None` if no cells have this width.
    pub(super) fn of(width: Width, bytes: Vec<u8>) -> Option<CellArray> {
        Some(match width {
            Width::Quarter => return None,
            Width::One => CellArray::One(bytes),
            Width::Two => {
                CellArray::Two(bytes.as_chunks().0.iter().map(|cell| u16::from_le_bytes(*cell)).collect())
            }
            Width::Four => {
                CellArray::Four(bytes.as_chunks().0.iter().map(|cell| u32::from_le_bytes(*cell)).collect())
            }
        })
    }

    /// Copies bytes of the cells in little-endian order, starting at byte `offset`, which is a whole number of cells.
    pub(super) fn copy(&self, offset: u64, into: &mut [u8]) {
        with_cells!(self, cells => copy_bytes(cells, |cell| cell.get(), offset, into));
    }
}

/// Returns the offsets of the cells that are lost or won in `plies`, and whether each is won.
pub(super) fn of_distance<S: Slot>(cells: &[S], plies: u32) -> impl Iterator<Item = (usize, bool)> {
    /// Cells that are compared in one or a few vector instructions.
    const LANES: usize = 64;
    let (loss, win) = (S::new(loss_code(plies)), S::new(win_code(plies)));
    let is_won = move |cell| !is_lost::<S>(cell, plies);
    cells.chunks(LANES).enumerate().flat_map(move |(chunk, lanes)| {
        let any = lanes.iter().fold(false, |any, &cell| any | (cell == loss) | (cell == win));
        let lanes = if any { lanes } else { &[] };
        let found = lanes.iter().enumerate().filter(move |&(_, &cell)| cell == loss || cell == win);
        found.map(move |(at, &cell)| (chunk * LANES + at, is_won(cell)))
    })
}

/// Reports whether a cell with a distance of `plies` is lost.
#[inline]
pub(super) fn is_lost<S: Slot>(cell: S, plies: u32) -> bool {
    if S::ALTERNATES { plies.is_multiple_of(2) } else { cell == S::new(loss_code(plies)) }
}

/// The state of the analysis. At the beginning ends have their values, other positions the number of their distinct children.
pub(super) struct Stage {
    pub(super) cells: CellArray,
    /// The best value of the moves out of the part for each position, if there are such moves.
    pub(super) exits: Option<CellArray>,
    /// The largest distance among these.
    pub(super) last_exit: u32,
    /// The positions of the current distance, if they are known and few.
    pub(super) listed: Option<Vec<u64>>,
    /// The current distance: its predecessors come next.
    pub(super) plies: u32,
    /// Number of positions with a value.
    pub(super) done: u64,
    /// The most distinct children of any position.
    pub(super) most_children: u32,
    /// The largest distance of an end (0 unless the game ends early, with positions of known value).
    pub(super) last_end: u32,
    /// True if all distances seen so far alternate, and the turn has passed with every move.
    pub(super) alternate: bool,
    /// True if the distance of some end is unknown, so that no distance is known.
    pub(super) no_distances: bool,
    /// The number of moves of all positions; moves to the same state count once.
    pub(super) edges: u64,
    /// True if the cells of unknown positions count children; a forward sweep does not update them.
    pub(super) counted: bool,
    /// The place from which the current distance continues, in units of the method; 0 if it has not begun.
    pub(super) from: u64,
    /// Number of positions that the current distance has resolved so far.
    pub(super) news: u64,
}

impl Stage {
    /// The tag of its checkpoints.
    const TAG: u64 = u64::from_le_bytes(*b"distanc2");

    /// Reports whether a checkpoint is one of this stage.
    pub(super) fn is_in(kept: &Checkpoint) -> bool {
        kept.stage.first() == Some(&Stage::TAG)
    }

    /// Continues from a checkpoint of a part with `count` states; `None` if it is not one of this stage.
    pub(super) fn from_checkpoint(kept: Checkpoint, count: u64) -> Option<Stage> {
        let &[
            Stage::TAG,
            plies,
            done,
            most_children,
            last_end,
            alternate,
            no_distances,
            edges,
            counted,
            from,
            news,
            last_exit,
            exits,
            by_parity,
        ] = kept.stage.as_slice()
        else {
            return None;
        };
        let (cells, exits) = with_exits(kept.width, kept.cells, exits, count)?;
        Some(Stage {
            cells: if by_parity & 1 == 1 { cells.by_parity() } else { cells },
            exits: if by_parity & 2 == 2 { exits.map(CellArray::by_parity) } else { exits },
            alternate: alternate == 1,
            last_exit: u32::try_from(last_exit).ok()?,
            listed: None,
            plies: u32::try_from(plies).ok()?,
            done,
            most_children: u32::try_from(most_children).ok()?,
            last_end: u32::try_from(last_end).ok()?,
            no_distances: no_distances == 1,
            edges,
            counted: counted == 1,
            from,
            news,
        })
    }

    /// Returns the finished table.
    pub(super) fn into_table(mut self) -> Result<Table, SolveError> {
        let count = self.cells.len() as u64;
        // They are not needed any more, and encoding takes memory.
        self.exits = None;
        let seen = self.cells.settle(self.most_children);
        let coding = if self.no_distances { OUTCOMES } else { seen.coding() };
        finished(coding, count, self.cells.laid_out(coding))
    }

    /// Ends a distance; returns whether it was the last one.
    pub(super) fn end_distance(&mut self) -> bool {
        let last = self.news == 0 && self.plies >= self.last_end.max(self.last_exit);
        self.plies += 1;
        self.from = 0;
        self.news = 0;
        last
    }

    /// Saves a checkpoint.
    pub(super) fn save(&self, checkpoints: &mut dyn Checkpoints) {
        let Stage {
            plies,
            done,
            most_children,
            last_end,
            alternate,
            no_distances,
            edges,
            counted,
            from,
            news,
            last_exit,
            ..
        } = *self;
        let width = self.cells.width();
        let cells = width.bytes(self.cells.len() as u64).unwrap_or(0);
        let exits = self.exits.as_ref().map(|exits| (exits, exits.width().bytes(exits.len() as u64)));
        checkpoints.save(&Snapshot {
            stage: &[
                Stage::TAG,
                plies.into(),
                done,
                most_children.into(),
                last_end.into(),
                alternate.into(),
                no_distances.into(),
                edges,
                counted.into(),
                from,
                news,
                last_exit.into(),
                self.exits.as_ref().map_or(0, |exits| exits.width().bytes(1).unwrap_or(0)),
                u64::from(self.cells.is_by_parity())
                    | u64::from(self.exits.as_ref().is_some_and(CellArray::is_by_parity)) << 1,
            ],
            width,
            len: cells + exits.and_then(|(_, bytes)| bytes).unwrap_or(0),
            copy: &|offset, into| {
                copy_both(
                    offset,
                    into,
                    cells,
                    |at, into| self.cells.copy(at, into),
                    |at, into| {
                        if let Some((exits, _)) = exits {
                            exits.copy(at, into);
                        }
                    },
                );
            },
        });
    }
}

/// Copies bytes of two arrays, one behind the other; the first has `first` bytes.
pub(super) fn copy_both(
    offset: u64,
    into: &mut [u8],
    first: u64,
    copy: impl Fn(u64, &mut [u8]),
    second: impl Fn(u64, &mut [u8]),
) {
    let of_first = first.saturating_sub(offset).min(into.len() as u64) as usize;
    let (a, b) = into.split_at_mut(of_first);
    if !a.is_empty() {
        copy(offset, a);
    }
    if !b.is_empty() {
        second((offset + of_first as u64).saturating_sub(first), b);
    }
}

/// Reads the cells of a checkpoint of `count` states, and behind them the exits of `exits` bytes each, none if that is 0.
/// Returns `None` if the number of bytes does not fit.
pub(super) fn with_exits(
    width: Width,
    mut bytes: Vec<u8>,
    exits: u64,
    count: u64,
) -> Option<(CellArray, Option<CellArray>)> {
    let behind = match exits {
        0 => None,
        1 => Some(Width::One),
        2 => Some(Width::Two),
        4 => Some(Width::Four),
        _ => return None,
    };
    let own = width.bytes(count)?;
    let all = own.checked_add(behind.map_or(Some(0), |width| width.bytes(count))?)?;
    if bytes.len() as u64 != all {
        return None;
    }
    let exits = match behind {
        Some(width) => Some(CellArray::of(width, bytes.split_off(own as usize))?),
        None => None,
    };
    Some((CellArray::of(width, bytes)?, exits))
}

/// The place where a distance begins or continues, and the test for a due checkpoint.
pub(super) struct Halt<'a> {
    pub(super) from: u64,
    /// Number of positions with a value by then.
    pub(super) done: u64,
    pub(super) due: &'a dyn Fn() -> bool,
}

/// Returns the error for a game for which no cell is wide enough.
pub(super) fn too_many_moves() -> SolveError {
    SolveError::Broken("a position has too many moves".to_owned())
}

/// Coding of outcomes alone, for games whose ends have no known distance.
pub(super) const OUTCOMES: Coding = Coding { meaning: Meaning::Outcome, width: Width::Quarter };

/// Coding of alternating distances, in one byte.
const ALTERNATING: Coding = Coding { meaning: Meaning::Alternating, width: Width::One };

/// Coding of distances in one byte.
const PLAIN: Coding = Coding { meaning: Meaning::Distance, width: Width::One };

/// Coding of the values in cells that are being filled.
pub(super) const DISTANCES: Coding = Coding { meaning: Meaning::Distance, width: Width::Four };
