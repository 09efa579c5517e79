//! Retrograde analysis 64 positions to a word: exact distances by set operations on whole levels.
//!
//! With L(n) the positions lost in exactly n plies and W(n) those won in exactly n (exits included):
//!
//! * L(0): the side to move has no move and has lost;
//! * W(n+1) = unmoves(L(n)), legal and not won before;
//! * L(n+2) = what is left of the others and not in unmoves(what is not won in n+1 or fewer).
//!
//! "All moves lose" is a complement, so that there are no counters, no queues and no forward moves. A position gets
//! its value once, with its level; what is left at the end is drawn. Based on the idea of bit-parallel retrograde
//! analysis of Bleicher's FEG and others, laid out anew as in the prototype that came with this project.

mod deadlines;
mod library;
mod numbers;
mod packed;
mod slices;

use std::iter::repeat;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use crate::superposed::{
    Cells, DRAW, Exits, FAR, Far, Isa, Job, Lanes, Levels, MAX_PLIES, NONE, Row, Superposed, code_of, run_on,
};
use grundy_session::{Progress, SolveError, Work};

pub use deadlines::{Deadlines, solve_deadlines};
pub use library::{Library, Shelf};
pub(crate) use numbers::{memory, solve_kept};
pub use slices::solve_slices;

/// Everything known of one side to move.
struct Side {
    legal: Vec<Row>,
    /// Not won so far, exits included.
    open: Vec<Row>,
    /// Not lost so far, of what can be lost.
    left: Vec<Row>,
    /// Lost in exactly the present number of plies, exits included.
    fresh: Vec<Row>,
    cells: Vec<Cells>,
    /// By block: in which groups `fresh` has anything.
    live: Vec<u64>,
    /// By block: in which groups anything was won in the present number of plies.
    won: Vec<u64>,
    /// Where a move out of the layout does not lose in the present number of plies. Empty where there are no such
    /// moves.
    hold: Vec<Row>,
}

/// Distances beyond this are no chess, nor anything else that is laid out like this.
const MOST_PLIES: u32 = 1 << 14;

/// Solves a layout on the best instructions of this processor.
///
/// # Errors
/// The work was stopped, needs more memory than it may use, or has distances that no cell can hold.
pub fn solve<E: Superposed>(layout: &E, work: &Work<'_>) -> Result<Levels, SolveError> {
    solve_on(Isa::best(), layout, work)
}

/// Solves a layout on these instructions; for tests and measurements.
///
/// # Errors
/// As [`solve`].
pub fn solve_on<E: Superposed>(isa: Isa, layout: &E, work: &Work<'_>) -> Result<Levels, SolveError> {
    if layout.longest_exit() > MAX_PLIES {
        return Err(SolveError::Broken(format!("exits of more than {MAX_PLIES} plies")));
    }
    let leaves = [0, 1].map(|side| layout.leaving(side).map_or(0, |leaving| leaving.longest));
    let longest_exit = layout.longest_exit().max(leaves[0]).max(leaves[1]);
    let (mut sides, team) = begin(isa, layout, work)?;
    let rows = layout.rows();
    let mut longest = 0;
    let far = Mutex::new([Far::new(), Far::new()]);

    for plies in (1..).step_by(2) {
        if work.stopped() {
            return Err(SolveError::Stopped);
        }
        if plies > MOST_PLIES {
            return Err(SolveError::Broken(format!("distances above {MOST_PLIES} plies")));
        }
        (work.report)(&Progress { what: format!("distance {plies}"), done: u64::from(plies), total: 0 });
        let fresh = [0, 1].map(|side: usize| std::mem::take(&mut sides[side].fresh));
        let live = [0, 1].map(|side: usize| std::mem::take(&mut sides[side].live));
        let step = Step::Win(plies);
        let (set, live_set) = ([&fresh[0][..], &fresh[1][..]], [&live[0][..], &live[1][..]]);
        let sweep = Sweep { isa, layout, step, set, live: live_set, far: &far };
        team.each(sweep, by_block(&mut sides, rows));
        for ((side, fresh), live) in sides.iter_mut().zip(fresh).zip(live) {
            (side.fresh, side.live) = (fresh, live);
        }
        let open = [0, 1].map(|side: usize| std::mem::take(&mut sides[side].open));
        let won = [0, 1].map(|side: usize| std::mem::take(&mut sides[side].won));
        let any_won = won.iter().flatten().any(|&groups| groups != 0);
        let step = Step::Lose(plies + 1);
        let (set, live_set) = ([&open[0][..], &open[1][..]], [&won[0][..], &won[1][..]]);
        let sweep = Sweep { isa, layout, step, set, live: live_set, far: &far };
        team.each(sweep, by_block(&mut sides, rows));
        for ((side, open), won) in sides.iter_mut().zip(open).zip(won) {
            (side.open, side.won) = (open, won);
        }
        let any_lost = sides.iter().any(|side| side.live.iter().any(|&groups| groups != 0));
        longest = if any_lost {
            plies + 1
        } else if any_won {
            plies
        } else {
            longest
        };
        if !any_lost && plies + 1 > longest_exit {
            break;
        }
    }
    let far = far.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(Levels { cells: sides.map(|side| side.cells), far, longest })
}

/// Legal positions, what is open, where a side is lost without a move.
fn begin<E: Superposed>(isa: Isa, layout: &E, work: &Work<'_>) -> Result<([Side; 2], Team), SolveError> {
    let (blocks, rows) = (layout.blocks(), layout.rows());
    let needed = (blocks * rows * 2 * (4 * 64 + 512)) as u64;
    if let Some(limit) = work.memory_limit.filter(|&limit| needed > limit) {
        return Err(SolveError::TooLarge { needed, limit });
    }
    let empty = || vec![Row::default(); blocks * rows];
    let mut sides = [0, 1].map(|side| Side {
        legal: empty(),
        open: empty(),
        left: empty(),
        fresh: empty(),
        cells: vec![Cells([NONE; 64]); blocks * rows * 8],
        live: vec![0; blocks],
        won: vec![0; blocks],
        hold: if layout.leaving(side).is_some() { empty() } else { Vec::new() },
    });
    // Small layouts are done before a second thread has started.
    let threads = if blocks * rows < 1 << 14 { 1 } else { work.threads };
    let team = Team { isa, threads };

    let [white, black] = &mut sides;
    let frames = (0..blocks)
        .zip(white.legal.chunks_mut(rows).zip(black.legal.chunks_mut(rows)))
        .zip(white.left.chunks_mut(rows).zip(black.left.chunks_mut(rows)))
        .zip(white.open.chunks_mut(rows).zip(black.open.chunks_mut(rows)))
        .zip(white.cells.chunks_mut(rows * 8).zip(black.cells.chunks_mut(rows * 8)))
        .map(|((((block, legal), lost), open), cells)| {
            (block, [legal.0, legal.1], [lost.0, lost.1], [open.0, open.1], [cells.0, cells.1])
        });
    team.each(Frame { layout }, frames);

    let open = [0, 1].map(|side: usize| std::mem::take(&mut sides[side].open));
    let far = Mutex::default();
    let sweep =
        Sweep { isa, layout, step: Step::Stuck, set: [&open[0], &open[1]], live: [&[], &[]], far: &far };
    team.each(sweep, by_block(&mut sides, rows));
    for (side, open) in sides.iter_mut().zip(open) {
        side.open = open;
    }
    Ok((sides, team))
}

/// One block of one side, to be worked on.
struct Block<'a> {
    side: usize,
    number: usize,
    legal: &'a [Row],
    open: &'a mut [Row],
    left: &'a mut [Row],
    fresh: &'a mut [Row],
    cells: &'a mut [Cells],
    live: Option<&'a mut u64>,
    won: Option<&'a mut u64>,
    hold: &'a mut [Row],
}

/// All blocks of both sides. What was taken out of a side is empty.
fn by_block(sides: &mut [Side; 2], rows: usize) -> impl Iterator<Item = Block<'_>> {
    let [first, second] = sides;
    blocks_of(0, first, rows).chain(blocks_of(1, second, rows))
}

fn blocks_of(side: usize, all: &mut Side, rows: usize) -> impl Iterator<Item = Block<'_>> {
    let mut open = all.open.chunks_mut(rows);
    let mut fresh = all.fresh.chunks_mut(rows);
    let mut live = all.live.iter_mut();
    let mut won = all.won.iter_mut();
    let mut hold = all.hold.chunks_mut(rows);
    all.legal.chunks(rows).zip(all.left.chunks_mut(rows)).zip(all.cells.chunks_mut(rows * 8)).enumerate().map(
        move |(number, ((legal, left), cells))| Block {
            side,
            number,
            legal,
            open: open.next().unwrap_or_default(),
            left,
            fresh: fresh.next().unwrap_or_default(),
            cells,
            live: live.next(),
            won: won.next(),
            hold: hold.next().unwrap_or_default(),
        },
    )
}

/// What is done with each item, compiled for each instruction set.
trait Kernel: Sync {
    type Item: Send;
    fn rows(&self) -> usize;
    fn work<L: Lanes>(&self, item: Self::Item, scratch: &mut [Row]);
}

/// Threads with an instruction set.
struct Team {
    isa: Isa,
    threads: usize,
}

impl Team {
    fn each<K: Kernel>(&self, kernel: K, mut items: impl Iterator<Item = K::Item> + Send) {
        if self.threads <= 1 {
            run_on(self.isa, Loop { kernel: &kernel, next: &mut || items.next() });
            return;
        }
        let items = Mutex::new(items);
        std::thread::scope(|scope| {
            for _ in 0..self.threads {
                scope.spawn(|| {
                    let mut next = || items.lock().unwrap_or_else(PoisonError::into_inner).next();
                    run_on(self.isa, Loop { kernel: &kernel, next: &mut next });
                });
            }
        });
    }
}

/// Works on one item after another. Where they come from is asked once an item, so it is a `dyn`: the kernel is
/// compiled once for each instruction set, and not for each way to hand out items too.
struct Loop<'k, K: Kernel> {
    kernel: &'k K,
    next: &'k mut dyn FnMut() -> Option<K::Item>,
}

impl<K: Kernel> Job for Loop<'_, K> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let mut scratch = vec![Row::default(); self.kernel.rows()];
        while let Some(item) = (self.next)() {
            self.kernel.work::<L>(item, &mut scratch);
        }
    }
}

/// Legal positions, where a side is lost without a move (kept in `left` for the moment), what is open.
struct Frame<'a, E> {
    layout: &'a E,
}

/// A block of both sides: its number, legal, left, open, cells.
type FrameItem<'a> =
    (usize, [&'a mut [Row]; 2], [&'a mut [Row]; 2], [&'a mut [Row]; 2], [&'a mut [Cells]; 2]);

impl<'a, E: Superposed> Kernel for Frame<'a, E> {
    type Item = FrameItem<'a>;

    fn rows(&self) -> usize {
        0
    }

    #[inline(always)]
    fn work<L: Lanes>(&self, item: FrameItem<'a>, _: &mut [Row]) {
        let (block, [legal0, legal1], lost, open, cells) = item;
        self.layout.frame(block, [&mut *legal0, &mut *legal1], lost);
        for (side, ((legal, open), cells)) in [legal0, legal1].into_iter().zip(open).zip(cells).enumerate() {
            open.copy_from_slice(legal);
            for (row, cells) in legal.iter().zip(cells.chunks_exact_mut(8)) {
                for (&bits, cells) in row.0.iter().zip(cells) {
                    L::mark(cells, bits, DRAW);
                }
            }
            self.layout.fill_exits(side, block, cells);
            self.layout.exits::<L>(side, block, Exits::Any, |word, bits| {
                open[word / 8].0[word % 8] |= bits;
            });
        }
    }
}

/// What is made of one set of all positions by moves backwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// L(0), and what can be lost at all, from what is not won.
    Stuck,
    /// W(n) from L(n - 1).
    Win(u32),
    /// L(n) from what is not won in n - 1 or fewer.
    Lose(u32),
}

/// A step in all blocks. All steps share one body, because it is compiled for each instruction set.
struct Sweep<'a, E> {
    isa: Isa,
    layout: &'a E,
    step: Step,
    /// By side to move: the set that is led to.
    set: [&'a [Row]; 2],
    /// By side to move and block: the groups in which the set has changed, or is not empty.
    live: [&'a [u64]; 2],
    /// Where what is too far for a cell is written.
    far: &'a Mutex<[Far; 2]>,
}

/// Moves out of one block.
struct Leaves<'a> {
    cells: &'a [Cells],
    far: &'a Far,
    first: u64,
}

impl Leaves<'_> {
    /// The positions of a row from which the best of them is decided in so many plies.
    #[inline(always)]
    fn decided<L: Lanes>(&self, row: usize, plies: u32) -> Row {
        let mut found = Row::default();
        let code = code_of(plies);
        if code == FAR {
            let first = self.first + row as u64 * 512;
            for (&number, _) in self.far.range(first..first + 512).filter(|&(_, &n)| n == plies) {
                found.0[(number - first) as usize / 64] |= 1 << (number % 64);
            }
        } else {
            for (bits, cells) in found.0.iter_mut().zip(&self.cells[8 * row..]) {
                *bits = L::coded(cells, code);
            }
        }
        found
    }

    /// The positions of a row with such moves.
    #[inline(always)]
    fn any<L: Lanes>(&self, row: usize) -> Row {
        let mut found = Row::default();
        for (bits, cells) in found.0.iter_mut().zip(&self.cells[8 * row..]) {
            *bits = !L::coded(cells, NONE);
        }
        found
    }
}

impl<'a, E: Superposed> Kernel for Sweep<'a, E> {
    type Item = Block<'a>;

    fn rows(&self) -> usize {
        self.layout.rows()
    }

    #[inline(always)]
    fn work<L: Lanes>(&self, block: Block<'a>, can: &mut [Row]) {
        // Layouts that nothing leaves are the most: they have a body without all that.
        if self.layout.leaving(block.side).is_some() {
            self.step_in::<L, true>(block, can);
        } else {
            self.step_in::<L, false>(block, can);
        }
    }
}

impl<E: Superposed> Sweep<'_, E> {
    /// Writes down what is decided in more plies than a cell can say.
    #[cold]
    fn write_far(&self, side: usize, first: u64, row: &Row, plies: u32) {
        let mut far = self.far.lock().unwrap_or_else(PoisonError::into_inner);
        for (word, &bits) in (0..).zip(&row.0) {
            far[side].extend(each(bits).map(|bit| (first + word * 64 + bit as u64, plies)));
        }
    }

    #[inline(always)]
    fn step_in<L: Lanes, const LEAVES: bool>(&self, block: Block<'_>, can: &mut [Row]) {
        let Block { side, number, legal, open, left, fresh, cells, live, won, hold } = block;
        let (other, layout, rows) = (1 - side, self.layout, self.layout.rows());
        let plies = match self.step {
            Step::Stuck => 0,
            Step::Win(plies) | Step::Lose(plies) => plies,
        };
        let code = code_of(plies);
        // Moves out of the layout: of the whole block, and whether any is decided in this number of plies.
        let mut due = false;
        let leaves = layout.leaving(side).filter(|_| LEAVES).map(|leaving| {
            let begin = number * rows * 8;
            due = leaving.present[number][usize::from(code >> 6)] >> (code & 63) & 1 == 1;
            let cells = &leaving.cells[begin..begin + rows * 8];
            Leaves { cells, far: &leaving.far, first: begin as u64 * 64 }
        });
        if let Some(leaves) = &leaves {
            match self.step {
                Step::Stuck => (0..rows).for_each(|r| hold[r] = leaves.any::<L>(r)),
                Step::Lose(_) if due => {
                    for (r, hold) in hold.iter_mut().enumerate() {
                        let lost = leaves.decided::<L>(r, plies);
                        L::load(hold).without(L::load(&lost)).store(hold);
                    }
                }
                _ => {}
            }
        }
        let live_set = self.live[other];
        // Only groups from which something new can be reached, and where something is undecided.
        let reach = match self.step {
            Step::Stuck => !0,
            Step::Win(_) | Step::Lose(_) => layout.reach(side, number, live_set),
        };
        let mut groups = 0;
        for (g, (left, open)) in (0..).zip(left.chunks(8).zip(open.chunks(8).chain(repeat(&[][..])))) {
            if !due && reach >> g & 1 == 0 {
                continue;
            }
            let undecided = match self.step {
                Step::Stuck => true,
                Step::Win(_) => open.iter().any(|row| L::load(row).any()),
                Step::Lose(_) => left.iter().any(|row| L::load(row).any()),
            };
            groups |= u64::from(undecided) << g;
        }
        let mut found = 0u64;
        if let (Step::Lose(_), Some(live)) = (self.step, live.as_ref()) {
            for g in each(**live) {
                fresh[group(g, rows)].fill(Row::default());
            }
        }
        if groups != 0 {
            let sparse = matches!(self.step, Step::Win(_)).then_some(live_set);
            layout.unmoves(self.isa, side, number, self.set[other], sparse, groups, can);
        }
        for g in each(groups) {
            for r in group(g, rows) {
                let mut reached = L::load(&can[r]);
                if let Some(leaves) = &leaves {
                    let more = match self.step {
                        Step::Stuck | Step::Lose(_) => hold[r],
                        Step::Win(_) if due => leaves.decided::<L>(r, plies),
                        Step::Win(_) => Row::default(),
                    };
                    reached = reached.or(L::load(&more));
                }
                let new = match self.step {
                    Step::Stuck => {
                        let legal = L::load(&legal[r]);
                        let lost = legal.without(reached).and(L::load(&left[r]));
                        legal.and(reached).store(&mut left[r]);
                        lost.store(&mut fresh[r]);
                        lost
                    }
                    Step::Win(_) => {
                        let here = L::load(&open[r]);
                        let won = reached.and(L::load(&legal[r])).and(here);
                        here.without(won).store(&mut open[r]);
                        won
                    }
                    Step::Lose(_) => {
                        let here = L::load(&left[r]);
                        let lost = here.without(reached);
                        here.without(lost).store(&mut left[r]);
                        lost.store(&mut fresh[r]);
                        lost
                    }
                };
                if new.any() {
                    found |= 1 << (r / 8);
                    mark_row::<L>(&mut cells[8 * r..8 * r + 8], new, code);
                    if code == FAR {
                        let mut row = Row::default();
                        new.store(&mut row);
                        self.write_far(side, ((number * rows + r) * 512) as u64, &row, plies);
                    }
                }
            }
        }
        if plies <= layout.longest_exit() {
            layout.exits::<L>(side, number, Exits::Coded(code), |word, bits| {
                let (row, lane) = (word / 8, word % 8);
                found |= 1 << (row / 8);
                match self.step {
                    Step::Win(_) => open[row].0[lane] &= !bits,
                    Step::Stuck | Step::Lose(_) => fresh[row].0[lane] |= bits,
                }
            });
        }
        let flag = if matches!(self.step, Step::Win(_)) { won } else { live };
        if let Some(flag) = flag {
            *flag = found;
        }
    }
}

/// The rows of a group.
fn group(number: usize, rows: usize) -> Range<usize> {
    8 * number..rows.min(8 * number + 8)
}

/// The numbers of the bits that are set.
fn each(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let next = (bits != 0).then(|| bits.trailing_zeros() as usize);
        bits &= bits.wrapping_sub(1);
        next
    })
}

fn words(rows: &[Row]) -> impl Iterator<Item = u64> {
    rows.iter().flat_map(|row| row.0)
}

#[inline(always)]
fn mark_row<L: Lanes>(cells: &mut [Cells], new: L, code: u8) {
    let mut row = Row::default();
    new.store(&mut row);
    for i in each(u64::from(new.busy())) {
        L::mark(&mut cells[i], row.0[i], code);
    }
}
