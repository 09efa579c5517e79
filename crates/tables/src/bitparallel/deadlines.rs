//! Values under a rule that draws the game after a number of plies without an exit, such as the fifty-move rule.
//!
//! With D(p, k) the value of position p with k plies left before the rule ends the game, and T(p) the table's value
//! without the rule, decided in t plies:
//!
//! * D(p, k) = T(p) for every k >= t, because best play then ends in time;
//! * for k < t a decided D(p, k) takes an exit within k plies on the way, so that it takes at most k plies and the
//!   longest exit; an exit resets the clock, so that its value is that of its own table;
//! * D(p, k) never gets worse for the winner as k grows, so that it is a step function of k with few steps.
//!
//! Moves within the layout that reset the clock (those of pawns) are like exits whose values are T.
//!
//! For k = 1, 2, .. the sets "won in at most n plies" and "lost in at most n plies" are computed from those for k - 1,
//! for the few n from k on that can still change, and only in blocks next to a change. The sets for n < k are those of
//! the table.

use super::kernel::Kernel;
use super::levels::{Side, begin};
use super::rows::{group, words};
use crate::superposed::{BitRow, Code, DRAW, Exits, Isa, Lanes, Levels, NONE, Place, Superposed, WordCodes};
use grundy_core::bits::indices;
use grundy_session::{Progress, SolveError, Work};

/// The values of a layout by plies left, beside its [`Levels`].
#[derive(Clone, Debug)]
pub struct Deadlines {
    /// By side to move: the number of plies left from which on the value is the table's; [`NEVER`] if it never is.
    needed: [Vec<WordCodes>; 2],
    /// By side to move and block, sorted: the code below that, from a number of plies left on.
    early: [Vec<Vec<Change>>; 2],
    /// Number of words of a block.
    words: usize,
    /// The number of plies left beyond which nothing changes.
    enough: u32,
}

/// Marks a position that has the table's value for no number of plies left.
const NEVER: u8 = 255;

/// A step of D(p, k): word of the block, bit, k and the code from that k on, 8 bits each but for the word's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Change(u32);

impl Change {
    fn new(word: usize, bit: u32, left: u8, code: Code) -> Change {
        Change((word as u32) << 22 | bit << 16 | u32::from(left) << 8 | u32::from(code))
    }

    fn code(self) -> Code {
        self.0 as u8
    }
}

/// The most words of a block that a [`Change`] can index.
const MOST_WORDS: usize = 1 << 10;

impl Deadlines {
    /// Returns the code at a place with `left` plies left; `plain` is the table's.
    pub fn code(&self, place: Place, plain: Code, left: u32) -> Code {
        let left = left.min(self.enough) as u8;
        let Some(needed) = self.needed[place.side].get(place.word) else { return plain };
        let bit = place.bit & 63;
        if plain == DRAW || plain == NONE || needed.0[bit] <= left {
            return plain;
        }
        let word = place.word % self.words;
        let steps = &self.early[place.side][place.word / self.words];
        let after = steps.partition_point(|&step| step <= Change::new(word, bit as u32, left, NONE));
        let last = after.checked_sub(1).map(|i| steps[i]);
        last.filter(|&step| step >= Change::new(word, bit as u32, 0, 0)).map_or(DRAW, Change::code)
    }

    /// Returns its size in bytes.
    pub fn bytes(&self) -> usize {
        let cells: usize = self.needed.iter().map(|cells| cells.len() * 64).sum();
        cells + self.early.iter().flatten().map(|steps| steps.len() * 4).sum::<usize>()
    }
}

/// Distances that bound the work, in plies.
struct Bounds {
    /// The longest distance after an exit, or after a move that sets the clock back.
    exit: u32,
    /// Plies left beyond which nothing changes.
    most: u32,
    /// The longest distance under the rule.
    top: u32,
}

impl Bounds {
    fn new<E: Superposed>(layout: &E, levels: &Levels, most: u32) -> Bounds {
        let exit = layout.longest_exit().max(if layout.resets() { levels.longest } else { 0 });
        let most = most.min(levels.longest);
        Bounds { exit, most, top: most + exit + 1 }
    }
}

/// Returns the bytes that [`solve_deadlines`] takes at most.
pub(super) fn deadlines_memory<E: Superposed>(layout: &E, levels: &Levels, most: u32) -> u64 {
    let Bounds { exit, top, .. } = Bounds::new(layout, levels, most);
    let resets = if layout.resets() { u64::from(exit) + 2 } else { 0 };
    (layout.blocks() * layout.rows()) as u64 * (2 * 64 * (u64::from(top) + resets + 14) + 2 * 512)
}

/// Finds the values with 1, 2, .. to `most` plies left. The values of all exits must be those after a reset of the
/// clock, and so must the table's if moves within the layout reset it.
///
/// # Errors
/// The work was stopped or needs too much memory, the layout is too large, or distances do not fit.
pub fn solve_deadlines<E: Superposed>(
    layout: &E,
    levels: &Levels,
    most: u32,
    work: &Work<'_>,
) -> Result<Deadlines, SolveError> {
    let (blocks, rows) = (layout.blocks(), layout.rows());
    let Bounds { exit, most, top } = Bounds::new(layout, levels, most);
    let needed = deadlines_memory(layout, levels, most);
    if let Some(limit) = work.memory_limit.filter(|&limit| needed > limit) {
        return Err(SolveError::TooLarge { needed, limit });
    }
    if rows * 8 > MOST_WORDS || top >= u32::from(NEVER) {
        return Err(SolveError::Broken("too large a layout for values by plies left".into()));
    }
    if [0, 1].iter().any(|&side| layout.leaving(side).is_some()) {
        return Err(SolveError::Broken("moves out of the layout that no exit stands for".into()));
    }
    let isa = Isa::best();
    let (mut sides, team) = begin(isa, layout, work)?;
    let mut times = sides.each_mut().map(|side| Time {
        needed: vec![WordCodes([NEVER; 64]); blocks * rows * 8],
        early: vec![Vec::new(); blocks],
        sets: vec![std::mem::take(&mut side.fresh), std::mem::take(&mut side.open)],
        changed: vec![vec![0; blocks]; top as usize + 1],
    });
    for (side, time) in times.iter_mut().enumerate() {
        for (bits, cells) in words(&time.sets[0]).zip(&mut time.needed) {
            indices(bits).for_each(|bit| cells.0[bit] = 0);
        }
        for plies in 1..=exit as usize + 1 {
            if plies == time.sets.len() {
                time.sets.push(time.sets[plies - 2].clone());
            }
            let blocks = time.sets[plies].chunks_mut(rows).enumerate();
            let items = blocks.map(|(number, set)| (side, number, set));
            team.each(&AddExits { layout, plies: plies as u32 }, items);
        }
    }
    let mut furthest = exit + 1;
    let fresh = layout.resets().then(|| FreshClock::new(&times, levels));
    for left in 1..=most {
        if work.stopped() {
            return Err(SolveError::Stopped);
        }
        let progress = Progress { what: "plies left".into(), done: left.into(), total: most.into() };
        (work.report)(&progress);
        // Each ply left adds at most a ply to the longest distance.
        let latest = (furthest + 1).max(exit + 1);
        // The sets with one ply less, for the next distance.
        let mut before = None;
        let mut changed = times.each_ref().map(|time| time.changed[left as usize - 1].clone());
        for plies in left..=latest {
            let new = plies as usize == times[0].sets.len();
            for time in times.iter_mut().filter(|_| new) {
                // With one ply less no position took this long.
                time.sets.push(time.sets[plies as usize - 2].clone());
            }
            let all = new || left == 1;
            if !all && changed.iter().flatten().all(|&groups| groups == 0) {
                // This distance has the same set as with one ply less.
                let of_this =
                    |time: &mut Time| std::mem::replace(&mut time.changed[plies as usize], vec![0; blocks]);
                (before, changed) = (None, times.each_mut().map(of_this));
                continue;
            }
            let set = before
                .take()
                .unwrap_or_else(|| times.each_ref().map(|time| time.sets[plies as usize - 1].clone()));
            let old = times.each_ref().map(|time| time.sets[plies as usize].clone());
            let old_changed = times.each_ref().map(|time| time.changed[plies as usize].clone());
            let update = DeadlinePass {
                isa,
                layout,
                plies,
                left: left as u8,
                all,
                set: [&set[0], &set[1]],
                fresh: fresh.as_ref().map(|fresh| fresh.sets(plies - 1)),
                changed: [&changed[0], &changed[1]],
            };
            team.each(&update, deadline_blocks(&sides, &mut times, levels, plies as usize, rows));
            if times.iter().any(|time| time.changed[plies as usize].iter().any(|&groups| groups != 0)) {
                furthest = furthest.max(plies);
            }
            (before, changed) = (Some(old), old_changed);
        }
    }
    let [mut white, mut black] = times;
    for steps in white.early.iter_mut().chain(&mut black.early) {
        steps.sort_unstable();
        steps.shrink_to_fit();
    }
    Ok(Deadlines {
        needed: [white.needed, black.needed],
        early: [white.early, black.early],
        words: rows * 8,
        enough: most,
    })
}

/// The data of one side to move.
struct Time {
    needed: Vec<WordCodes>,
    early: Vec<Vec<Change>>,
    /// By distance, exits included: even, what is lost in at most that many plies; odd, what is not won in that many.
    sets: Vec<Vec<BitRow>>,
    /// By distance and block: the groups in which the set changed with the last ply left.
    changed: Vec<Vec<u64>>,
}

/// The sets of a [`Time`] after a reset of the clock: those of the table.
struct FreshClock([Vec<Vec<BitRow>>; 2]);

impl FreshClock {
    /// Creates them from sets that hold at most what is decided at once, exits included, and the table's cells.
    fn new(times: &[Time; 2], levels: &Levels) -> FreshClock {
        let mut sides = times.each_ref().map(|time| time.sets.clone());
        for (sets, cells) in sides.iter_mut().zip(&levels.cells) {
            let last = sets.len() - 1;
            for (word, cells) in cells.iter().enumerate() {
                for (bit, &code) in cells.0.iter().enumerate() {
                    if code == DRAW || code == NONE {
                        continue;
                    }
                    let plies = usize::from(code) - 1;
                    for set in sets[plies.min(last)..].iter_mut().step_by(2) {
                        let bits = &mut set[word / 8].0[word % 8];
                        *bits = if plies % 2 == 0 { *bits | 1 << bit } else { *bits & !(1 << bit) };
                    }
                }
            }
        }
        FreshClock(sides)
    }

    /// Returns the sets of one distance, by side to move. Beyond the longest distance no set changes.
    fn sets(&self, plies: u32) -> [&[BitRow]; 2] {
        self.0.each_ref().map(|sets| {
            let last = sets.len() - 1;
            let plies = plies as usize;
            &sets[if plies <= last { plies } else { last - (plies - last) % 2 }][..]
        })
    }
}

/// Adds the exits of one distance to the lost positions, or removes them from those that are not won.
struct AddExits<'a, E> {
    layout: &'a E,
    plies: u32,
}

impl<'a, E: Superposed> Kernel for AddExits<'a, E> {
    type Item = (usize, usize, &'a mut [BitRow]);

    fn rows(&self) -> usize {
        0
    }

    #[inline(always)]
    fn work<L: Lanes>(&self, (side, number, set): Self::Item, _: &mut [BitRow]) {
        let which = Exits::Coded(self.plies as u8 + 1);
        self.layout.exits::<L>(side, number, which, |word, bits| {
            let word = &mut set[word / 8].0[word % 8];
            *word = if self.plies.is_multiple_of(2) { *word | bits } else { *word & !bits };
        });
    }
}

/// The set of one distance, from that of the distance before with one ply less left.
struct DeadlinePass<'a, E> {
    isa: Isa,
    layout: &'a E,
    plies: u32,
    left: u8,
    /// True if all blocks are processed, and not only those next to a change.
    all: bool,
    /// By side to move: the set of the distance before.
    set: [&'a [BitRow]; 2],
    /// The same after a reset of the clock, if moves within the layout do that.
    fresh: Option<[&'a [BitRow]; 2]>,
    /// By side to move and block: the groups that have changed.
    changed: [&'a [u64]; 2],
}

/// One block of one side.
struct DeadlineBlock<'a> {
    side: usize,
    number: usize,
    /// The positions that can become decided: the legal ones, or the legal ones that are not decided at once.
    can: &'a [BitRow],
    /// The finished set of the distance before the last.
    below: Option<&'a [BitRow]>,
    set: &'a mut [BitRow],
    plain: &'a [WordCodes],
    needed: &'a mut [WordCodes],
    early: &'a mut Vec<Change>,
    changed: &'a mut u64,
}

impl<'a, E: Superposed> Kernel for DeadlinePass<'a, E> {
    type Item = DeadlineBlock<'a>;

    fn rows(&self) -> usize {
        self.layout.rows()
    }

    #[inline(always)]
    fn work<L: Lanes>(&self, part: DeadlineBlock<'a>, reached: &mut [BitRow]) {
        let (layout, rows, other) = (self.layout, self.layout.rows(), 1 - part.side);
        let near = if self.all { !0 } else { layout.reach(part.side, part.number, self.changed[other]) };
        let groups = (0..rows.div_ceil(8)).filter(|g| near >> g & 1 == 1).fold(0, |set, g| set | 1u64 << g);
        *part.changed = 0;
        if groups == 0 {
            return;
        }
        let fresh = self.fresh.map(|sets| sets[other]);
        layout.unmoves(self.isa, part.side, part.number, self.set[other], fresh, None, groups, reached);
        let code = self.plies as u8 + 1;
        for r in indices(groups).flat_map(|g| group(g, rows)) {
            let here = L::load(&part.set[r]);
            let can = L::load(&part.can[r]);
            let reached = L::load(&reached[r]);
            let (new, first) = if self.plies % 2 == 1 {
                let won = reached.and(can).and(here);
                here.without(won).store(&mut part.set[r]);
                (won, part.below.map_or(won, |below| won.and(L::load(&below[r]))))
            } else {
                let lost = can.without(reached).without(here);
                here.or(lost).store(&mut part.set[r]);
                (lost, part.below.map_or(lost, |below| lost.without(L::load(&below[r]))))
            };
            if !new.any() {
                continue;
            }
            *part.changed |= 1 << (r / 8);
            let mut words = BitRow::default();
            first.store(&mut words);
            for (word, &bits) in (8 * r..).zip(&words.0) {
                for bit in indices(bits) {
                    if part.plain[word].0[bit] == code {
                        part.needed[word].0[bit] = self.left;
                    } else {
                        part.early.push(Change::new(word, bit as u32, self.left, code));
                    }
                }
            }
        }
    }
}

/// All blocks of both sides for one distance.
fn deadline_blocks<'a>(
    sides: &'a [Side; 2],
    times: &'a mut [Time; 2],
    levels: &'a Levels,
    plies: usize,
    rows: usize,
) -> impl Iterator<Item = DeadlineBlock<'a>> {
    times.iter_mut().zip(sides).zip(&levels.cells).enumerate().flat_map(
        move |(side, ((time, all), plain))| {
            let (lower, upper) = time.sets.split_at_mut(plies);
            let mut below = plies.checked_sub(2).map(|n| lower[n].chunks(rows));
            let can = if plies % 2 == 1 { &all.legal } else { &all.left };
            can.chunks(rows)
                .zip(upper[0].chunks_mut(rows))
                .zip(plain.chunks(rows * 8))
                .zip(time.needed.chunks_mut(rows * 8))
                .zip(&mut time.early)
                .zip(&mut time.changed[plies])
                .enumerate()
                .map(move |(number, (((((can, set), plain), needed), early), changed))| {
                    let below = below.as_mut().and_then(Iterator::next);
                    DeadlineBlock { side, number, can, below, set, plain, needed, early, changed }
                })
        },
    )
}
