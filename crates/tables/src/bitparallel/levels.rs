//! The distances of one layout, two levels at a time.

use std::iter::repeat;
use std::sync::{Mutex, PoisonError};

use grundy_core::bits::indices;
use grundy_session::{Activity, Progress, SolveError, Work};

use super::kernel::{Kernel, Team};
use super::rows::{group, mark_row};
use crate::superposed::{
    BitRow, DRAW, Exits, FAR, Far, Isa, Lanes, Levels, MAX_PLIES, NONE, Superposed, WordCodes, code_of, has,
};

/// The sets of one side to move.
pub(super) struct Side {
    pub legal: Vec<BitRow>,
    /// Not won so far, exits included.
    pub open: Vec<BitRow>,
    /// Not lost so far, among positions that can be lost.
    pub left: Vec<BitRow>,
    /// Lost in exactly the current number of plies, exits included.
    pub fresh: Vec<BitRow>,
    pub cells: Vec<WordCodes>,
    /// By block: the groups in which `fresh` is not empty.
    pub live: Vec<u64>,
    /// By block: the groups in which a position was won in the current number of plies.
    pub won: Vec<u64>,
    /// The positions from which a move out of the layout does not lose in the current number of plies. Empty if there
    /// are no such moves.
    pub hold: Vec<BitRow>,
}

/// Distances beyond this occur neither in chess nor in any other game with such a layout.
const MOST_PLIES: u32 = 1 << 14;

/// Solves a layout with the best instructions of this processor.
///
/// # Errors
/// The work was stopped, needs too much memory, or has distances that no cell can hold.
pub fn solve<E: Superposed>(layout: &E, work: &Work<'_>) -> Result<Levels, SolveError> {
    solve_on(Isa::best(), layout, work)
}

/// Solves a layout with these instructions; for tests and measurements.
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
    let mut longest = 0;
    let far = Mutex::new([Far::new(), Far::new()]);

    for plies in (1..).step_by(2) {
        if work.stopped() {
            return Err(SolveError::Stopped);
        }
        if plies > MOST_PLIES {
            return Err(SolveError::Broken(format!("distances above {MOST_PLIES} plies")));
        }
        (work.report)(&Progress { what: Activity::Distance(plies), done: 0, total: 0 });
        let fresh = [0, 1].map(|side: usize| std::mem::take(&mut sides[side].fresh));
        let live = [0, 1].map(|side: usize| std::mem::take(&mut sides[side].live));
        let next = Pass::Win(plies);
        let (set, live_set) = ([&fresh[0][..], &fresh[1][..]], [&live[0][..], &live[1][..]]);
        let pass = LevelPass { isa, layout, pass: next, set, live: live_set, far: &far };
        for side in &mut sides {
            side.won.fill(0);
        }
        team.each(&pass, pass.items(&mut sides));
        for ((side, fresh), live) in sides.iter_mut().zip(fresh).zip(live) {
            (side.fresh, side.live) = (fresh, live);
        }
        let open = [0, 1].map(|side: usize| std::mem::take(&mut sides[side].open));
        let won = [0, 1].map(|side: usize| std::mem::take(&mut sides[side].won));
        let any_won = won.iter().flatten().any(|&groups| groups != 0);
        let next = Pass::Lose(plies + 1);
        let (set, live_set) = ([&open[0][..], &open[1][..]], [&won[0][..], &won[1][..]]);
        let pass = LevelPass { isa, layout, pass: next, set, live: live_set, far: &far };
        team.each(&pass, pass.items(&mut sides));
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

/// Sets the legal positions, the open ones, and those in which a side is lost without a move.
pub(super) fn begin<E: Superposed>(
    isa: Isa,
    layout: &E,
    work: &Work<'_>,
) -> Result<([Side; 2], Team), SolveError> {
    let (blocks, rows) = (layout.blocks(), layout.rows());
    let needed = (blocks * rows * 2 * (4 * 64 + 512)) as u64;
    if let Some(limit) = work.memory_limit.filter(|&limit| needed > limit) {
        return Err(SolveError::TooLarge { needed, limit });
    }
    let empty = || vec![BitRow::default(); blocks * rows];
    let mut sides = [0, 1].map(|side| Side {
        legal: empty(),
        open: empty(),
        left: empty(),
        fresh: empty(),
        cells: vec![WordCodes([NONE; 64]); blocks * rows * 8],
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
    team.each(&Setup { layout }, frames);

    let open = [0, 1].map(|side: usize| std::mem::take(&mut sides[side].open));
    let far = Mutex::default();
    let pass =
        LevelPass { isa, layout, pass: Pass::Stuck, set: [&open[0], &open[1]], live: [&[], &[]], far: &far };
    team.each(&pass, pass.items(&mut sides));
    for (side, open) in sides.iter_mut().zip(open) {
        side.open = open;
    }
    Ok((sides, team))
}

/// One block of one side, to be worked on.
struct SideBlock<'a> {
    side: usize,
    number: usize,
    /// The groups from whose positions a move can lead into the set of the pass.
    groups: u64,
    legal: &'a [BitRow],
    open: &'a mut [BitRow],
    left: &'a mut [BitRow],
    fresh: &'a mut [BitRow],
    cells: &'a mut [WordCodes],
    live: Option<&'a mut u64>,
    won: Option<&'a mut u64>,
    hold: &'a mut [BitRow],
}

/// Returns the blocks of a side that `groups` has groups for. Fields that were taken out of the side are empty.
fn blocks_of(
    side: usize,
    all: &mut Side,
    rows: usize,
    mut groups: impl FnMut(usize) -> Option<u64>,
) -> impl Iterator<Item = SideBlock<'_>> {
    let mut legal = all.legal.chunks(rows);
    let mut open = all.open.chunks_mut(rows);
    let mut left = all.left.chunks_mut(rows);
    let mut fresh = all.fresh.chunks_mut(rows);
    let mut cells = all.cells.chunks_mut(rows * 8);
    let mut live = all.live.iter_mut();
    let mut won = all.won.iter_mut();
    let mut hold = all.hold.chunks_mut(rows);
    let mut skipped = 0;
    (0..legal.len()).filter_map(move |number| {
        let Some(groups) = groups(number) else {
            skipped += 1;
            return None;
        };
        let skipped = std::mem::take(&mut skipped);
        Some(SideBlock {
            side,
            number,
            groups,
            legal: legal.nth(skipped)?,
            open: open.nth(skipped).unwrap_or_default(),
            left: left.nth(skipped)?,
            fresh: fresh.nth(skipped).unwrap_or_default(),
            cells: cells.nth(skipped)?,
            live: live.nth(skipped),
            won: won.nth(skipped),
            hold: hold.nth(skipped).unwrap_or_default(),
        })
    })
}

/// The legal positions, those in which a side is lost without a move (stored in `left` for now), and the open ones.
struct Setup<'a, E> {
    layout: &'a E,
}

/// A block of both sides: its index, legal, left, open, cells.
type SetupItem<'a> =
    (usize, [&'a mut [BitRow]; 2], [&'a mut [BitRow]; 2], [&'a mut [BitRow]; 2], [&'a mut [WordCodes]; 2]);

impl<'a, E: Superposed> Kernel for Setup<'a, E> {
    type Item = SetupItem<'a>;

    fn rows(&self) -> usize {
        0
    }

    #[inline(always)]
    fn work<L: Lanes>(&self, item: SetupItem<'a>, _: &mut [BitRow]) {
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

/// The set that is computed from a set of all positions by moves backwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pass {
    /// L(0), and the positions that can be lost at all, from those that are not won.
    Stuck,
    /// W(n) from L(n - 1).
    Win(u32),
    /// L(n) from the positions not won in n - 1 or fewer.
    Lose(u32),
}

/// A step in all blocks. All steps share one body, because it is compiled for each instruction set.
struct LevelPass<'a, E> {
    isa: Isa,
    layout: &'a E,
    pass: Pass,
    /// By side to move: the set that the moves lead to.
    set: [&'a [BitRow]; 2],
    /// By side to move and block: the groups in which the set has changed, or is not empty.
    live: [&'a [u64]; 2],
    /// Receives distances that are too large for a cell.
    far: &'a Mutex<[Far; 2]>,
}

/// Moves out of one block.
struct Leaves<'a> {
    cells: &'a [WordCodes],
    far: &'a Far,
    first: u64,
}

impl Leaves<'_> {
    /// Returns the positions of a row whose best move out is decided in this number of plies.
    #[inline(always)]
    fn decided<L: Lanes>(&self, row: usize, plies: u32) -> BitRow {
        let mut found = BitRow::default();
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

    /// Returns the positions of a row with such moves.
    #[inline(always)]
    fn any<L: Lanes>(&self, row: usize) -> BitRow {
        let mut found = BitRow::default();
        for (bits, cells) in found.0.iter_mut().zip(&self.cells[8 * row..]) {
            *bits = !L::coded(cells, NONE);
        }
        found
    }
}

impl<'a, E: Superposed> Kernel for LevelPass<'a, E> {
    type Item = SideBlock<'a>;

    fn rows(&self) -> usize {
        self.layout.rows()
    }

    #[inline(always)]
    fn work<L: Lanes>(&self, block: SideBlock<'a>, can: &mut [BitRow]) {
        // Most layouts have no moves out: they use a body without that.
        if self.layout.leaving(block.side).is_some() {
            self.run_in::<L, true>(block, can);
        } else {
            self.run_in::<L, false>(block, can);
        }
    }
}

impl<E: Superposed> LevelPass<'_, E> {
    /// Returns the blocks in which the step can change something.
    fn items<'a>(&'a self, sides: &'a mut [Side; 2]) -> impl Iterator<Item = SideBlock<'a>> + Send {
        let [first, second] = sides;
        let rows = self.layout.rows();
        let of = |side: usize, all: &'a mut Side| {
            // Blocks with lost positions of the level before: these are removed.
            let stale = if self.losing() { all.live.clone() } else { Vec::new() };
            let live = self.live[1 - side].iter().any(|&groups| groups != 0);
            blocks_of(side, all, rows, move |block| {
                let stale = stale.get(block).is_some_and(|&groups| groups != 0);
                self.groups(side, block, live, stale)
            })
        };
        of(0, first).chain(of(1, second))
    }

    fn losing(&self) -> bool {
        matches!(self.pass, Pass::Lose(_))
    }

    /// Returns the groups of a block from whose positions a move can lead into the set, which has any if `live`; `None` if
    /// nothing is to be done in the block.
    fn groups(&self, side: usize, block: usize, live: bool, stale: bool) -> Option<u64> {
        let plies = match self.pass {
            Pass::Win(plies) | Pass::Lose(plies) => plies,
            Pass::Stuck => return Some(!0),
        };
        let (layout, code) = (self.layout, code_of(plies));
        let groups = if live { layout.reach(side, block, self.live[1 - side]) } else { 0 };
        let anything = groups != 0
            || stale
            || layout.leaving(side).is_some_and(|leaving| has(&leaving.present[block], code))
            || plies <= layout.longest_exit() && layout.has_exits(side, block, code);
        anything.then_some(groups)
    }

    /// Records the positions that are decided in more plies than a cell can hold.
    #[cold]
    fn write_far(&self, side: usize, first: u64, row: &BitRow, plies: u32) {
        let mut far = self.far.lock().unwrap_or_else(PoisonError::into_inner);
        for (word, &bits) in (0..).zip(&row.0) {
            far[side].extend(indices(bits).map(|bit| (first + word * 64 + bit as u64, plies)));
        }
    }

    #[inline(always)]
    fn run_in<L: Lanes, const LEAVES: bool>(&self, block: SideBlock<'_>, can: &mut [BitRow]) {
        let SideBlock { side, number, groups: reach, legal, open, left, fresh, cells, live, won, hold } =
            block;
        let (other, layout, rows) = (1 - side, self.layout, self.layout.rows());
        let plies = match self.pass {
            Pass::Stuck => 0,
            Pass::Win(plies) | Pass::Lose(plies) => plies,
        };
        let code = code_of(plies);
        // Moves out of the layout: of the whole block, and whether any is decided in this number of plies.
        let mut due = false;
        let leaves = layout.leaving(side).filter(|_| LEAVES).map(|leaving| {
            let begin = number * rows * 8;
            due = has(&leaving.present[number], code);
            let cells = &leaving.cells[begin..begin + rows * 8];
            Leaves { cells, far: &leaving.far, first: begin as u64 * 64 }
        });
        if let Some(leaves) = &leaves {
            match self.pass {
                Pass::Stuck => (0..rows).for_each(|r| hold[r] = leaves.any::<L>(r)),
                Pass::Lose(_) if due => {
                    for (r, hold) in hold.iter_mut().enumerate() {
                        let lost = leaves.decided::<L>(r, plies);
                        L::load(hold).without(L::load(&lost)).store(hold);
                    }
                }
                _ => {}
            }
        }
        let live_set = self.live[other];
        // Of these groups only those in which a position is undecided.
        let mut groups = 0;
        for (g, (left, open)) in (0..).zip(left.chunks(8).zip(open.chunks(8).chain(repeat(&[][..])))) {
            if !due && reach >> g & 1 == 0 {
                continue;
            }
            let undecided = match self.pass {
                Pass::Stuck => true,
                Pass::Win(_) => open.iter().any(|row| L::load(row).any()),
                Pass::Lose(_) => left.iter().any(|row| L::load(row).any()),
            };
            groups |= u64::from(undecided) << g;
        }
        let mut found = 0u64;
        if let (Pass::Lose(_), Some(live)) = (self.pass, live.as_ref()) {
            for g in indices(**live) {
                fresh[group(g, rows)].iter_mut().for_each(|row| L::splat(0).store(row));
            }
        }
        if groups != 0 {
            let sparse = matches!(self.pass, Pass::Win(_)).then_some(live_set);
            layout.unmoves(self.isa, side, number, self.set[other], None, sparse, groups, can);
        }
        for g in indices(groups) {
            for r in group(g, rows) {
                let mut reached = L::load(&can[r]);
                if let Some(leaves) = &leaves {
                    let more = match self.pass {
                        Pass::Stuck | Pass::Lose(_) => hold[r],
                        Pass::Win(_) if due => leaves.decided::<L>(r, plies),
                        Pass::Win(_) => BitRow::default(),
                    };
                    reached = reached.or(L::load(&more));
                }
                let new = match self.pass {
                    Pass::Stuck => {
                        let legal = L::load(&legal[r]);
                        let lost = legal.without(reached).and(L::load(&left[r]));
                        legal.and(reached).store(&mut left[r]);
                        lost.store(&mut fresh[r]);
                        lost
                    }
                    Pass::Win(_) => {
                        let here = L::load(&open[r]);
                        let won = reached.and(L::load(&legal[r])).and(here);
                        here.without(won).store(&mut open[r]);
                        won
                    }
                    Pass::Lose(_) => {
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
                        let mut row = BitRow::default();
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
                match self.pass {
                    Pass::Win(_) => open[row].0[lane] &= !bits,
                    Pass::Stuck | Pass::Lose(_) => fresh[row].0[lane] |= bits,
                }
            });
        }
        let flag = if matches!(self.pass, Pass::Win(_)) { won } else { live };
        if let Some(flag) = flag {
            *flag = found;
        }
    }
}
