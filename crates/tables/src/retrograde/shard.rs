//! Retrograde analysis in shards: each finds the positions of the current distance among its own cells, and sends the
//! updates of their predecessors to the shards that hold them.

use grundy_core::game::Scored;
use grundy_core::table::{
    Checkpoint, Checkpoints, Coding, Distances, HOLE, Meaning, Snapshot, Width, win_code,
};
use grundy_session::{Activity, Assurance, Layout, Next, Outbox, Progress, Shard, SolveError};

use super::ability::Reversible;
use super::backward::{Collect, GamePredecessors, TakePredecessors, Update, WINS};
use super::cells::{CellArray, OUTCOMES, is_lost, too_many_moves, with_cells};
use super::graph::{GraphShard, MovesTo};
use super::look::{StretchSummary, TASK, look_into};
use super::marks::Marks;
use super::part::{Part, Whole};
use super::steps::{LISTED, SCANNED, apply, scan};
use super::updates::{self, Apply, Waiting};
use crate::asking::{most, sum, unreadable};
use crate::codes::Codes;
use crate::crew::{Crew, allocate};
use crate::moves::{ListMoves, MovesOf};
use crate::prover::Prover;

/// The purpose of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Looking at every position once.
    Look,
    /// Updating the predecessors of the positions of the current distance.
    Distance,
    /// Finding the distances that occur.
    Settle,
    /// Proving the finished cells.
    Prove,
}

/// One shard.
pub(crate) struct RetrogradeShard<'a> {
    /// The positions; dropped after the first look at them, and with them the tables that they need.
    whole: Option<Box<dyn Part + 'a>>,
    back: Box<dyn Collect + 'a>,
    prover: Prover<'a>,
    layout: Layout,
    part: u32,
    /// Number of cells.
    len: usize,
    /// The cells; allocated by the first work, so that a checkpoint can be read before.
    cells: CellArray,
    /// The best value of the moves out of the part for each position, if there are such moves.
    exits: Option<CellArray>,
    /// The index of the exits, once they are known.
    marks: Option<Marks>,
    /// The checkpoint to continue from, while the first look is repeated for the exits alone.
    kept: Option<Resumed>,
    phase: Phase,
    /// The next cell of the phase.
    at: usize,
    /// The cell from which a checkpoint continues: buffered updates are not saved.
    sent: usize,
    /// Facts about the positions: of this shard during the first look, then of all shards.
    seen: StretchSummary,
    plies: u32,
    /// Positions with a value, in all shards.
    done: u64,
    /// Cells of the current distance, rising, if they are known and few.
    listed: Option<Vec<u32>>,
    /// Cells of the next distance, as long as they are few.
    fresh: Option<Vec<u32>>,
    /// Number of positions that this shard has resolved since its last report.
    news: u64,
    /// Number of positions that all shards have resolved at this distance.
    all_news: u64,
    /// Updates to be sent.
    waiting: Waiting,
    /// The distances that occur in its cells at the end.
    found: Distances,
    coding: Coding,
    finished: Codes,
}

/// The state of a checkpoint.
struct Resumed {
    cells: CellArray,
    seen: StretchSummary,
    at: usize,
}

impl<'a> RetrogradeShard<'a> {
    /// Creates shard `part` of `parts` of a game that knows its predecessors.
    ///
    /// # Errors
    /// The shard has too many cells.
    pub(crate) fn reversible<G: Scored + Reversible>(
        game: &'a G,
        part: u32,
        parts: u32,
    ) -> Result<RetrogradeShard<'a>, SolveError> {
        let moves = Box::new(MovesOf { game });
        let back = Box::new(GamePredecessors { game });
        RetrogradeShard::of_part(Box::new(Whole(game)), back, moves, game.loose(), (part, parts))
    }

    /// Creates shard `dealt.0` of `dealt.1` of a game that does not know its predecessors: the graph of its moves is reversed
    /// first. The moves are listed twice, for that and for the proof.
    ///
    /// # Errors
    /// The graph is too large, or the shard has too many cells.
    pub(crate) fn reversed(
        whole: Box<dyn Part + 'a>,
        [moves, proof]: [Box<dyn ListMoves + 'a>; 2],
        loose: bool,
        dealt: (u32, u32),
    ) -> Result<GraphShard<'a, RetrogradeShard<'a>>, SolveError> {
        let inner = RetrogradeShard::of_part(whole, Box::new(MovesTo::none()), proof, loose, dealt)?;
        GraphShard::new(inner, moves, |_, _| true, dealt.0)
    }

    /// Creates shard `dealt.0` of `dealt.1` of a part of a game; `within` gives the predecessors within the part, and `moves`
    /// serve the proof.
    ///
    /// # Errors
    /// The shard has too many cells.
    pub(crate) fn of_part(
        whole: Box<dyn Part + 'a>,
        within: Box<dyn Collect + 'a>,
        moves: Box<dyn ListMoves + 'a>,
        loose: bool,
        dealt: (u32, u32),
    ) -> Result<RetrogradeShard<'a>, SolveError> {
        let (layout, part) = (updates::layout(whole.len(), dealt)?, dealt.0);
        let len = layout.cells(part);
        Ok(RetrogradeShard {
            exits: whole.leaves().then(|| CellArray::One(Vec::new())),
            marks: None,
            whole: Some(whole),
            back: within,
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
            waiting: Waiting::new(layout, part),
            found: Distances::NONE,
            coding: Coding { meaning: Meaning::Distance, width: Width::One },
            finished: Codes::default(),
        })
    }

    /// Records the finished tables that the proof rests on, in words.
    pub(crate) fn rest_on(&mut self, given: &str) {
        self.prover.rest_on(given);
    }

    /// Returns the most positions of a list.
    fn cap(&self) -> usize {
        self.len / 128 + 4096
    }

    /// Looks at the positions of one task; returns whether more are left.
    fn look(&mut self) -> Result<bool, SolveError> {
        let task = TASK.min(1 << self.layout.shift());
        let end = self.len.min(self.at + task);
        let Some(whole) = self.whole.as_deref().filter(|_| self.at < end) else { return Ok(false) };
        if self.cells.len() == 0 && self.kept.is_none() {
            self.cells = CellArray::One(allocate(self.len as u64, HOLE as u8)?);
        }
        if let Some(exits) = self.exits.as_mut().filter(|exits| exits.len() == 0) {
            *exits = CellArray::One(allocate(self.len as u64, HOLE as u8)?);
        }
        let first = self.layout.number(self.part, self.at as u64);
        let range = self.at..end;
        let seen = look_into(whole, first, &mut self.cells, self.exits.as_mut(), range)?;
        self.seen.add(&seen);
        let (cap, layout) = (self.cap(), self.layout);
        self.fresh = self.fresh.take().filter(|all| all.len() + seen.ends.len() <= cap);
        if let Some(fresh) = &mut self.fresh {
            fresh.extend(seen.ends.iter().map(|&number| layout.locate(number).1 as u32));
        }
        self.at = end;
        Ok(end < self.len)
    }

    /// Collects the updates of a few positions of the current distance; returns whether more are left.
    fn go_back(&mut self, out: &mut Outbox) -> Result<bool, SolveError> {
        let plies = self.plies;
        let (known, at): (Vec<u64>, usize) = match &self.listed {
            Some(listed) => {
                let begin = listed.partition_point(|&cell| (cell as usize) < self.at);
                let some = &listed[begin..listed.len().min(begin + LISTED)];
                let lost =
                    |cell: u32| with_cells!(&self.cells, cells => is_lost(cells[cell as usize], plies));
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
        self.waiting.collect(&Crew::alone(), &*self.back, &known)?;
        let more = self.at < self.len;
        // All updates are sent at once, so that a checkpoint has those of a cell either all or not at all.
        if !more || self.waiting.are_many() {
            updates::send(self, |shard| &mut shard.waiting, out)?;
        }
        if self.waiting.is_empty() {
            self.sent = self.at;
        }
        Ok(more)
    }

    /// Applies updates to one of the own blocks.
    fn update(&mut self, own: u64, updates: impl Iterator<Item = Update>) {
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

    /// Begins a distance with the positions found for it.
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

    /// Resolves the positions that a move out of the part decides at this distance.
    fn leave(&mut self) {
        let Some(exits) = self.exits.take() else { return };
        let marks = self.marks.take().unwrap_or_else(|| Marks::new(&exits));
        let size = 1 << self.layout.shift();
        for own in 0..self.len.div_ceil(size) {
            let range = own * size..self.len.min((own + 1) * size);
            let left = marks.of_distance(&exits, range, self.plies + 1).into_iter();
            self.update(own as u64, left.map(|(at, win)| at | if win { WINS } else { 0 }));
        }
        (self.exits, self.marks) = (Some(exits), Some(marks));
    }

    /// Widens the cells for the next distance.
    fn widen(&mut self) -> Result<(), SolveError> {
        let cells = std::mem::replace(&mut self.cells, CellArray::One(Vec::new()));
        self.cells = cells.with_room_for(win_code(self.plies + 1), self.seen.most_children, false)?;
        Ok(())
    }

    /// Ends a round of looking; begins again with wider cells if these were too narrow.
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
            Width::Four if !all.fits::<u32>() => return Err(too_many_moves()),
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

    /// Begins with the first distance, or continues from the checkpoint, after the first look.
    fn begin(&mut self, all: StretchSummary) -> Result<(), SolveError> {
        self.whole = None;
        if let Some(kept) = self.kept.take() {
            self.resume(kept);
            self.seen.last_exit = all.last_exit;
            return Ok(());
        }
        (self.done, self.seen) = (all.done, all);
        self.begin_distance(self.seen.last_end == 0)
    }

    /// Continues from a checkpoint.
    fn resume(&mut self, Resumed { cells, seen, at }: Resumed) {
        self.cells = cells;
        self.seen = seen;
        self.phase = Phase::Distance;
        (self.at, self.sent) = (at, at);
        self.listed = None;
        // The positions found before are not listed.
        self.fresh = None;
    }

    /// Ends a round of a distance.
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
            self.found = self.cells.settle(self.seen.most_children);
            self.phase = Phase::Settle;
            return Ok(());
        }
        self.begin_distance(self.plies > self.seen.last_end)
    }

    /// Encodes the cells as the table does.
    fn settled(&mut self, reports: &[Vec<u64>]) -> Result<Next, SolveError> {
        let found = Distances::of_words([most(reports, 0)?, most(reports, 1)?]);
        let cells = std::mem::replace(&mut self.cells, CellArray::One(Vec::new()));
        self.coding = if self.seen.no_distances { OUTCOMES } else { found.coding() };
        self.exits = None;
        self.finished.bytes = cells.laid_out(self.coding);
        Ok(Next::Done)
    }
}

impl Apply for RetrogradeShard<'_> {
    fn apply(&mut self, own: u64, updates: impl Iterator<Item = Update>) -> Result<(), SolveError> {
        self.update(own, updates);
        Ok(())
    }
}

impl<'a> TakePredecessors<'a> for RetrogradeShard<'a> {
    fn set_predecessors(&mut self, back: Box<dyn Collect + 'a>) {
        self.back = back;
    }
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
        let (shift, cells) = (self.layout.shift(), self.len as u64);
        updates::take(self, shift, cells, message)
    }

    fn report(&mut self) -> Vec<u64> {
        let rest = (self.at < self.len).into();
        match self.phase {
            Phase::Look => [&[rest], &self.seen.words()[..]].concat(),
            Phase::Distance => vec![rest, std::mem::take(&mut self.news)],
            Phase::Settle => self.found.words().to_vec(),
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
            Phase::Look => Activity::Positions,
            Phase::Distance => Activity::Distance(self.plies),
            Phase::Settle => Activity::Writing,
            Phase::Prove => return self.prover.progress(),
        };
        Progress { what, done: self.done, total: self.layout.count() }
    }

    fn keep(&self, checkpoints: &mut dyn Checkpoints) {
        // While the exits are found again, the checkpoint is saved as it was.
        let (cells, seen, looks, at) = match &self.kept {
            Some(kept) => (&kept.cells, &kept.seen, false, kept.at),
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
            (true, false) => self.resume(Resumed { cells, seen, at }),
            (true, true) => self.kept = Some(Resumed { cells, seen, at }),
            // The exits were not saved: all positions are looked at again.
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

    fn assurance(&self) -> Assurance {
        self.prover.assurance(self.coding)
    }
}
