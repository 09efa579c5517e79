//! Retrograde analysis in shards: each finds the positions of the present distance among its own cells, and sends what
//! they mean for their predecessors to the shards that have these.

use grundy_core::game::Scored;
use grundy_core::table::{Checkpoint, Checkpoints, Coding, HOLE, Meaning, Snapshot, Width, win_code};
use grundy_session::{Belief, Layout, Next, Outbox, Progress, Shard, SolveError};

use super::ability::Reversible;
use super::backward::{Backward, Buckets, Collect, GamePredecessors, Update, WINS};
use super::cells::{self, CellArray, Look, Slot, StretchSummary};
use super::part::{Part, Whole};
use super::steps::{LISTED, SCANNED, STRETCH_BITS, apply, scan};
use crate::asking::unreadable;
use crate::codes::Codes;
use crate::crew::allocate;
use crate::moves::{ListMoves, MovesOf};
use crate::prover::Prover;

/// Updates that are collected before they are sent; in tests few, so that rounds end with some that wait.
const BATCH: usize = if cfg!(test) { 12 } else { 1 << 18 };
/// Blocks that a table has at most: a bucket each would take too much memory.
const MOST_BLOCKS: u64 = 1 << 12;
/// Cells of the largest shard: an update has so many bits for its place.
const MOST_CELLS: u64 = 1 << 31;

/// What the rounds are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Looking at every position once.
    Look,
    /// Going back from the positions of the present distance.
    Distance,
    /// Finding the largest code.
    Settle,
    /// Proving the finished cells.
    Prove,
}

/// One shard.
pub(crate) struct RetrogradeShard<'a> {
    /// Dropped once every position was looked at, and with it the tables that it needs.
    look: Option<Box<dyn Look + 'a>>,
    back: Box<dyn Collect + 'a>,
    prover: Prover<'a>,
    layout: Layout,
    part: u32,
    /// How many cells there are.
    len: usize,
    /// The cells; empty before the first work, so that what was kept needs no room beside them.
    cells: CellArray,
    /// The best that the moves out of the part leave to each position's mover, where there are such moves.
    exits: Option<CellArray>,
    /// What was kept, where the looking is for the exits alone.
    kept: Option<Stand>,
    phase: Phase,
    /// The cell where the phase goes on.
    at: usize,
    /// The cell where it goes on from what is kept: updates in the buckets are not kept.
    sent: usize,
    /// What has been seen: by this shard while it looks, by all shards then.
    seen: StretchSummary,
    plies: u32,
    /// Positions with a value, in all shards.
    done: u64,
    /// Positions of the present distance in rising order, where they are known and few.
    listed: Option<Vec<u32>>,
    /// Positions of the next distance, while they are few.
    fresh: Option<Vec<u32>>,
    /// How many positions of the next distance this shard has found and not reported, and all have in this distance.
    news: u64,
    all_news: u64,
    buckets: Buckets,
    /// Updates in the buckets.
    collected: usize,
    coding: Coding,
    finished: Codes,
}

/// Where a shard goes on once its exits are known.
struct Stand {
    cells: CellArray,
    seen: StretchSummary,
    at: usize,
}

/// Runs code for the cells, of whatever width they are.
macro_rules! with_cells {
    ($array:expr, $cells:ident => $body:expr) => {
        match $array {
            CellArray::One($cells) => $body,
            CellArray::Two($cells) => $body,
            CellArray::Four($cells) => $body,
        }
    };
}

/// How the numbers of a game are dealt out: in the stretches of the solver for one machine, in smaller ones where there
/// would be few, in larger ones where there would be very many.
fn layout(count: u64, parts: u32) -> Layout {
    let few = |shift: &u32| count >> shift >= 8 * u64::from(parts);
    let shift = (2..=STRETCH_BITS).rev().find(few).unwrap_or(2);
    let many = |shift: &u32| count.div_ceil(1 << shift) <= MOST_BLOCKS;
    let shift = (shift..31).find(many).unwrap_or(31);
    Layout::new(count, shift, parts)
}

impl<'a> RetrogradeShard<'a> {
    /// The shard of a game that knows its predecessors.
    pub(crate) fn reversible<G: Scored + Reversible>(
        game: &'a G,
        part: u32,
        parts: u32,
    ) -> Result<RetrogradeShard<'a>, SolveError> {
        let moves = Box::new(MovesOf { game });
        RetrogradeShard::of_part(Whole(game), GamePredecessors { game }, moves, game.loose(), (part, parts))
    }

    /// The shard of a part of a game; `within` are its positions that lead to a position in one move, and `moves` serve
    /// the proof.
    pub(crate) fn of_part(
        whole: impl Part + 'a,
        within: impl Backward + 'a,
        moves: Box<dyn ListMoves + 'a>,
        loose: bool,
        (part, parts): (u32, u32),
    ) -> Result<RetrogradeShard<'a>, SolveError> {
        let layout = layout(whole.len(), parts);
        let len = layout.cells(part);
        if len > MOST_CELLS || layout.shift() > 30 {
            let why =
                format!("{len} positions are too many for one of {parts} shards: expected more of these");
            return Err(SolveError::Broken(why));
        }
        Ok(RetrogradeShard {
            exits: whole.leaves().then(|| CellArray::One(Vec::new())),
            look: Some(Box::new(whole)),
            back: Box::new(within),
            prover: Prover::new(moves, layout, part, loose, None),
            layout,
            part,
            len: len as usize,
            cells: CellArray::One(Vec::new()),
            kept: None,
            phase: Phase::Look,
            at: 0,
            sent: 0,
            seen: StretchSummary::default(),
            plies: 0,
            done: 0,
            listed: None,
            fresh: Some(Vec::new()),
            news: 0,
            all_news: 0,
            buckets: Buckets::new(layout.count(), layout.shift()),
            collected: 0,
            coding: Coding { meaning: Meaning::Distance, width: Width::One },
            finished: Codes::default(),
        })
    }

    /// How the cells are dealt out.
    pub(crate) fn dealt(&self) -> Layout {
        self.layout
    }

    /// The proof rests on these finished tables.
    pub(crate) fn rest_on(&mut self, given: &str) {
        self.prover.rest_on(given);
    }

    /// Goes back by these predecessors from here on.
    pub(crate) fn set_predecessors(&mut self, back: impl Backward + 'a) {
        self.back = Box::new(back);
    }

    /// So many listed positions are few.
    fn cap(&self) -> usize {
        self.len / 128 + 4096
    }

    /// Looks at a task of positions.
    fn look(&mut self) -> Result<bool, SolveError> {
        let task = cells::TASK.min(1 << self.layout.shift());
        let end = self.len.min(self.at + task);
        let Some(look) = self.look.as_ref().filter(|_| self.at < end) else { return Ok(false) };
        if self.cells.len() == 0 && self.kept.is_none() {
            self.cells = CellArray::One(allocate(self.len as u64, HOLE as u8)?);
        }
        if let Some(exits) = self.exits.as_mut().filter(|exits| exits.len() == 0) {
            *exits = CellArray::One(allocate(self.len as u64, HOLE as u8)?);
        }
        let first = self.layout.number(self.part, self.at as u64);
        let range = self.at..end;
        // Where something was kept, only the exits are missing.
        let seen = look.look(first, &mut self.cells, self.exits.as_mut(), range)?;
        self.seen.add(&seen);
        let (cap, layout) = (self.cap(), self.layout);
        self.fresh = self.fresh.take().filter(|all| all.len() + seen.ends.len() <= cap);
        if let Some(fresh) = &mut self.fresh {
            fresh.extend(seen.ends.iter().map(|&number| layout.locate(number).1 as u32));
        }
        self.at = end;
        Ok(end < self.len)
    }

    /// Goes back from a few positions of the present distance.
    fn go_back(&mut self, out: &mut Outbox) -> Result<bool, SolveError> {
        let Self { layout, part, plies, .. } = *self;
        let (known, at) = match &self.listed {
            Some(listed) => {
                let begin = listed.partition_point(|&cell| (cell as usize) < self.at);
                let some = &listed[begin..listed.len().min(begin + LISTED)];
                let lost = |cell: u32| with_cells!(&self.cells, cells => is_lost(cells, cell, plies));
                let known = some.iter().map(|&cell| u64::from(cell) << 1 | u64::from(lost(cell))).collect();
                let next = listed.get(begin + some.len()).map_or(self.len, |&cell| cell as usize);
                (known, next)
            }
            None => {
                let end = self.len.min(self.at + SCANNED);
                (with_cells!(&self.cells, cells => scan(cells, self.at..end, plies)), end)
            }
        };
        self.at = at;
        for some in known.chunks(LISTED) {
            let numbers: Vec<u64> =
                some.iter().map(|&known| layout.number(part, known >> 1) << 1 | known & 1).collect();
            self.collected += self.back.collect(&numbers, &mut self.buckets)?;
        }
        let more = self.at < self.len;
        // All that was collected is sent at once: what is kept lies before the updates of some cells, or after them.
        if !more || self.collected >= BATCH {
            self.send(out)?;
        }
        if self.collected == 0 {
            self.sent = self.at;
        }
        Ok(more)
    }

    /// Empties the buckets: applies what is for this shard, and sends the rest.
    fn send(&mut self, out: &mut Outbox) -> Result<(), SolveError> {
        let mut lists = std::mem::take(&mut self.buckets.lists);
        let mut messages = vec![Vec::new(); self.layout.parts() as usize];
        for (block, list) in (0..).zip(&mut lists).filter(|(_, list)| !list.is_empty()) {
            let (owner, own) = self.layout.place(block);
            if owner == self.part {
                self.apply(own, list.iter().copied());
            } else {
                let message = &mut messages[owner as usize];
                if message.is_empty() {
                    message.reserve(4 * self.collected / self.layout.parts() as usize);
                }
                write(message, own as u32, list, self.layout.shift());
            }
            list.clear();
        }
        self.buckets.lists = lists;
        self.collected = 0;
        for (owner, message) in (0..).zip(messages).filter(|(_, message)| !message.is_empty()) {
            out.send(owner, message);
        }
        Ok(())
    }

    /// Applies updates to one of the own blocks.
    fn apply(&mut self, own: u64, updates: impl Iterator<Item = Update>) {
        let begin = (own << self.layout.shift()) as usize;
        let end = self.len.min(begin + (1 << self.layout.shift()));
        let (cap, most) = (self.cap(), self.seen.most_children);
        let Self { plies, news, fresh, .. } = self;
        let mut note = |offset: u32| {
            *news += 1;
            if let Some(list) = fresh {
                if list.len() < cap {
                    list.push(begin as u32 + offset);
                } else {
                    *fresh = None;
                }
            }
        };
        with_cells!(&mut self.cells, cells => {
            apply(&mut cells[begin..end], *plies, most, updates, &mut note);
        });
    }

    /// Begins a distance with what was found for it.
    fn begin_distance(&mut self, all_listed: bool) -> Result<(), SolveError> {
        self.phase = Phase::Distance;
        (self.at, self.sent) = (0, 0);
        self.all_news = 0;
        self.listed = self.fresh.take().filter(|_| all_listed);
        if let Some(listed) = &mut self.listed {
            listed.sort_unstable();
        }
        self.fresh = Some(Vec::new());
        self.widen()?;
        self.leave();
        Ok(())
    }

    /// Resolves what a move out of the part decides at this distance.
    fn leave(&mut self) {
        let Some(exits) = self.exits.take() else { return };
        let size = 1 << self.layout.shift();
        for own in 0..self.len.div_ceil(size) {
            let range = own * size..self.len.min((own + 1) * size);
            let left = exits.of_distance(range, self.plies + 1).into_iter();
            self.apply(own as u64, left.map(|(at, win)| at | if win { WINS } else { 0 }));
        }
        self.exits = Some(exits);
    }

    /// Gives the cells room for the next distance.
    fn widen(&mut self) -> Result<(), SolveError> {
        let cells = std::mem::replace(&mut self.cells, CellArray::One(Vec::new()));
        self.cells = cells.with_room_for(win_code(self.plies + 1), self.seen.most_children)?;
        Ok(())
    }

    /// Ends the looking: begins anew with wider cells where these were too narrow.
    fn looked(&mut self, reports: &[Vec<u64>]) -> Result<(), SolveError> {
        if sum(reports, 0)? > 0 {
            return Ok(());
        }
        let mut all = StretchSummary::default();
        for report in reports {
            let words = report[1..].try_into().map_err(|_| unreadable())?;
            all.add(&StretchSummary::of_words(words));
        }
        let present = self.exits.as_ref().filter(|_| self.kept.is_some()).unwrap_or(&self.cells);
        let wider = match present.width() {
            Width::Two if !all.fits::<u16>() => Width::Four,
            Width::Four if !all.fits::<u32>() => return Err(cells::too_many_moves()),
            Width::One | Width::Quarter if !all.fits::<u8>() => Width::Two,
            _ => return self.begin(all),
        };
        let empty = || CellArray::empty(wider, self.len as u64);
        let exits = self.exits.as_ref().map(|_| empty()).transpose()?;
        if self.kept.is_none() {
            self.cells = CellArray::One(Vec::new());
            self.cells = empty()?;
        }
        self.exits = exits;
        (self.at, self.seen, self.fresh) = (0, StretchSummary::default(), Some(Vec::new()));
        Ok(())
    }

    /// Begins to go back, or goes on, once every position was looked at.
    fn begin(&mut self, all: StretchSummary) -> Result<(), SolveError> {
        self.look = None;
        if let Some(stand) = self.kept.take() {
            self.stand(stand);
            self.seen.last_exit = all.last_exit;
            return Ok(());
        }
        (self.done, self.seen) = (all.done, all);
        self.begin_distance(self.seen.last_end == 0)
    }

    /// Goes on from what was kept.
    fn stand(&mut self, Stand { cells, seen, at }: Stand) {
        self.cells = cells;
        self.seen = seen;
        self.phase = Phase::Distance;
        (self.at, self.sent) = (at, at);
        self.listed = None;
        // What was found before is listed nowhere.
        self.fresh = None;
    }

    /// Ends a round of going back.
    fn went_back(&mut self, reports: &[Vec<u64>]) -> Result<(), SolveError> {
        let news = sum(reports, 1)?;
        self.all_news += news;
        self.done += news;
        if sum(reports, 0)? > 0 {
            return Ok(());
        }
        let last = self.all_news == 0 && self.plies >= self.seen.last_end.max(self.seen.last_exit);
        self.plies += 1;
        if last {
            let largest = self.cells.settle(self.seen.most_children);
            self.seen.largest_code = largest;
            self.phase = Phase::Settle;
            return Ok(());
        }
        self.begin_distance(self.plies > self.seen.last_end)
    }

    /// Lays the cells out as the table does.
    fn settled(&mut self, reports: &[Vec<u64>]) -> Result<Next, SolveError> {
        let largest = most(reports, 0)? as u32;
        let cells = std::mem::replace(&mut self.cells, CellArray::One(Vec::new()));
        let (width, bytes) = cells.laid_out(largest, self.seen.no_distances);
        let meaning = if self.seen.no_distances { Meaning::Outcome } else { Meaning::Distance };
        self.coding = Coding { meaning, width };
        self.finished.bytes = bytes;
        Ok(Next::Done)
    }
}

fn is_lost<S: Slot>(cells: &[S], cell: u32, plies: u32) -> bool {
    cells[cell as usize] == S::new(grundy_core::table::loss_code(plies))
}

/// The sum of a word of all reports.
pub(super) fn sum(reports: &[Vec<u64>], at: usize) -> Result<u64, SolveError> {
    reports.iter().try_fold(0, |sum, report| Ok(sum + report.get(at).ok_or_else(unreadable)?))
}

/// The largest of a word of all reports.
fn most(reports: &[Vec<u64>], at: usize) -> Result<u64, SolveError> {
    reports
        .iter()
        .try_fold(0, |most, report| Ok(report.get(at).ok_or_else(unreadable)?.max(&most).to_owned()))
}

/// Bytes of an update on its way: its place in the block and, in the highest bit, whether the move wins.
fn update_bytes(shift: u32) -> usize {
    (shift as usize + 1).div_ceil(8)
}

/// Runs code for updates of so many bytes.
macro_rules! with_bytes {
    ($bytes:expr, $n:ident => $body:expr) => {
        match $bytes {
            1 => {
                const $n: usize = 1;
                $body
            }
            2 => {
                const $n: usize = 2;
                $body
            }
            3 => {
                const $n: usize = 3;
                $body
            }
            _ => {
                const $n: usize = 4;
                $body
            }
        }
    };
}

/// Adds the updates of a block to a message: the block, how many, and each update in as few bytes as hold a place.
fn write(message: &mut Vec<u8>, own: u32, list: &[Update], shift: u32) {
    fn add<const N: usize>(message: &mut Vec<u8>, list: &[Update]) {
        let high = 1 << (8 * N - 1);
        let begin = message.len();
        message.resize(begin + N * list.len(), 0);
        for (bytes, &update) in message[begin..].as_chunks_mut::<N>().0.iter_mut().zip(list) {
            let packed = if update & WINS != 0 { update & !WINS | high } else { update };
            bytes.copy_from_slice(&packed.to_le_bytes()[..N]);
        }
    }
    message.extend(own.to_le_bytes());
    message.extend((list.len() as u32).to_le_bytes());
    with_bytes!(update_bytes(shift), N => add::<N>(message, list));
}

/// The updates in these bytes.
fn read<const N: usize>(bytes: &[u8]) -> impl Iterator<Item = Update> {
    let high = 1 << (8 * N - 1);
    bytes.as_chunks::<N>().0.iter().map(move |bytes| {
        let mut word = [0; 4];
        word[..N].copy_from_slice(bytes);
        let packed = u32::from_le_bytes(word);
        if packed & high != 0 { packed & !high | WINS } else { packed }
    })
}

impl Shard for RetrogradeShard<'_> {
    fn layout(&self) -> Layout {
        self.layout
    }

    fn work(&mut self, out: &mut Outbox) -> Result<bool, SolveError> {
        match self.phase {
            Phase::Look => self.look(),
            Phase::Distance => self.go_back(out),
            Phase::Settle => Ok(false),
            Phase::Prove => self.prover.work(&self.finished, self.coding, out),
        }
    }

    fn take(&mut self, from: u32, message: &[u8], out: &mut Outbox) -> Result<(), SolveError> {
        if self.phase == Phase::Prove {
            return self.prover.take(&self.finished, self.coding, from, message, out);
        }
        let size = update_bytes(self.layout.shift());
        let mut rest = message;
        while !rest.is_empty() {
            let (own, after) = rest.split_first_chunk::<4>().ok_or_else(unreadable)?;
            let (count, after) = after.split_first_chunk::<4>().ok_or_else(unreadable)?;
            let own = u64::from(u32::from_le_bytes(*own));
            let bytes = (u32::from_le_bytes(*count) as usize).checked_mul(size).ok_or_else(unreadable)?;
            let (updates, after) = after.split_at_checked(bytes).ok_or_else(unreadable)?;
            let begin = own << self.layout.shift();
            let room = (self.len as u64).saturating_sub(begin).min(1 << self.layout.shift());
            with_bytes!(size, N => {
                let farthest = read::<N>(updates).map(|update| u64::from(update & !WINS)).max();
                if farthest.is_some_and(|farthest| farthest >= room) {
                    return Err(unreadable());
                }
                self.apply(own, read::<N>(updates));
            });
            rest = after;
        }
        Ok(())
    }

    fn report(&mut self) -> Vec<u64> {
        let rest = (self.at < self.len).into();
        match self.phase {
            Phase::Look => [&[rest], &self.seen.words()[..]].concat(),
            Phase::Distance => vec![rest, std::mem::take(&mut self.news)],
            Phase::Settle => vec![self.seen.largest_code.into()],
            Phase::Prove => self.prover.report(self.coding),
        }
    }

    fn next(&mut self, reports: &[Vec<u64>]) -> Result<Next, SolveError> {
        match self.phase {
            Phase::Look => self.looked(reports)?,
            Phase::Distance => self.went_back(reports)?,
            Phase::Settle => return self.settled(reports),
            Phase::Prove => return self.prover.next(reports, self.coding),
        }
        Ok(Next::Round)
    }

    fn progress(&self) -> Progress {
        let what = match self.phase {
            Phase::Look => "positions looked at".to_owned(),
            Phase::Distance => format!("distance {}", self.plies),
            Phase::Settle => "writing".to_owned(),
            Phase::Prove => return self.prover.progress(),
        };
        Progress { what, done: self.done, total: self.layout.count() }
    }

    fn keep(&self, checkpoints: &mut dyn Checkpoints) {
        // While the exits of what was kept are looked for, it is kept as it is.
        let (cells, seen, looks, at) = match &self.kept {
            Some(stand) => (&stand.cells, &stand.seen, false, stand.at),
            None if self.phase == Phase::Look => (&self.cells, &self.seen, true, self.at),
            None => (&self.cells, &self.seen, false, self.sent),
        };
        let width = cells.width();
        checkpoints.save(&Snapshot {
            stage: &[
                &[(!looks).into(), self.plies.into(), self.done, at as u64, self.all_news, self.news],
                &seen.words()[..],
            ]
            .concat(),
            width,
            len: width.bytes(cells.len() as u64).unwrap_or(0),
            copy: &|offset, into| cells.copy(offset, into),
        });
    }

    fn go_on(&mut self, kept: Checkpoint) -> bool {
        let &[goes_back, plies, done, at, all_news, news, ref seen @ ..] = kept.stage.as_slice() else {
            return false;
        };
        let Ok(seen) = seen.try_into() else { return false };
        let Some(cells) = CellArray::of(kept.width, kept.cells) else { return false };
        let goes_back = goes_back == 1;
        let begun = goes_back || at > 0;
        if cells.len() != self.len && (begun || cells.len() > 0) || at > self.len as u64 {
            return false;
        }
        let seen = StretchSummary::of_words(seen);
        (self.plies, self.done, self.all_news, self.news) = (plies as u32, done, all_news, news);
        let at = at as usize;
        match (goes_back, self.exits.is_some()) {
            (true, false) => self.stand(Stand { cells, seen, at }),
            (true, true) => self.kept = Some(Stand { cells, seen, at }),
            // The exits were not kept: all is looked at again.
            (false, true) => {}
            (false, false) => (self.cells, self.seen, self.at, self.fresh) = (cells, seen, at, None),
        }
        true
    }

    fn coding(&self) -> Coding {
        self.coding
    }

    fn copy(&self, offset: u64, into: &mut [u8]) {
        into.copy_from_slice(&self.finished.bytes[offset as usize..][..into.len()]);
    }

    fn prove(&mut self) {
        self.phase = Phase::Prove;
    }

    fn belief(&self) -> Belief {
        self.prover.belief(self.coding)
    }
}
