//! One part of a table: its margins from the largest down.

use std::collections::BTreeSet;
use std::ops::Range;

use grundy_core::game::Scored;
use grundy_core::table::{Coding, HOLE};
use grundy_core::value::{Step, Value};
use grundy_session::{Progress, SolveError, Work};

use super::ability::Parted;
use super::open::Open;
use crate::cell::Cell;
use crate::crew::Crew;
use crate::fault::Fault;
use crate::retrograde::Distinct;

/// How many numbers one task goes through.
pub(super) const TASK: u64 = 1 << 15;

/// One part, while it is solved.
pub(super) struct Part<'a, G, C> {
    pub(super) game: &'a G,
    pub(super) coding: Coding,
    /// A margin and a rank for each number of the table.
    pub(super) cells: &'a [C],
    pub(super) begin: u64,
    pub(super) end: u64,
    pub(super) crew: &'a Crew,
    pub(super) work: &'a Work<'a>,
    /// Which part it is, and how many numbers there are in all parts, for reports.
    pub(super) number: u64,
    pub(super) of: u64,
}

/// The margins of a part that are still to come, and what is known for them.
pub(super) struct Margins {
    /// The least last.
    left: Vec<u32>,
    open: Open,
    /// Where each margin begins, largest margin first: its places. Empty where cells are one byte: these are scanned.
    seeds: Vec<(u32, u64)>,
}

impl Margins {
    /// The margin that was done last where none was.
    pub(super) const WHOLE: u64 = u64::MAX;

    /// Takes the largest margin that is left.
    pub(super) fn next(&mut self) -> Option<u32> {
        self.left.pop()
    }
}

/// What one task has found when a part begins.
#[derive(Default)]
struct Found {
    margins: BTreeSet<u32>,
    seeds: Vec<(u32, u64)>,
}

/// Positions of one rank, by their places in the part.
type Places = Vec<u64>;

impl<G: Scored + Parted, C: Cell> Part<'_, G, C> {
    /// The rank of an open position.
    fn open_rank() -> u32 {
        C::WIDTH.max_code()
    }

    /// Whether the places of a margin are found by looking at all cells: margins of one byte are few.
    fn scans() -> bool {
        size_of::<C>() == 1
    }

    fn margin(&self, number: u64) -> &C {
        &self.cells[2 * number as usize]
    }

    fn rank(&self, number: u64) -> &C {
        &self.cells[2 * number as usize + 1]
    }

    /// The value in a cell; `None` for a hole.
    fn value(&self, number: u64) -> Option<Value> {
        self.coding.decode(self.margin(number).get())
    }

    fn encode(&self, value: Value) -> Result<u32, Fault> {
        self.coding.encode(value).ok_or(Fault::TooWide)
    }

    fn broken(&self, number: u64, how: &str) -> Fault {
        let position = self.game.position(number);
        SolveError::Broken(format!("the game breaks its order: position {number} {how} ({position:?})"))
            .into()
    }

    /// The numbers of the part in tasks, a few for each thread at a time.
    fn tasks(&self) -> impl Iterator<Item = Vec<Range<u64>>> + use<G, C> {
        let (begin, end) = (self.begin, self.end);
        let group = TASK * 16 * self.crew.size() as u64;
        (begin..end).step_by(group as usize).map(move |first| {
            let last = end.min(first + group);
            (first..last).step_by(TASK as usize).map(|from| from..last.min(from + TASK)).collect()
        })
    }

    fn report(&self, what: &str, done: u64) -> Result<(), Fault> {
        let what = format!("part {}, {what}", self.number + 1);
        (self.work.report)(&Progress { what, done, total: self.of });
        if self.work.stopped() { Err(SolveError::Stopped.into()) } else { Ok(()) }
    }

    /// Looks at every position once: what it gets by leaving the part, and how many of its moves stay there. Margins
    /// from `done` up are settled already.
    pub(super) fn begin(&self, done: u64) -> Result<Margins, Fault> {
        let open = Open::new(self.end - self.begin)?;
        let mut all = Found::default();
        for tasks in self.tasks() {
            let seen = tasks.last().map_or(self.end, |task| task.end);
            for found in self.crew.map(tasks, &|task| self.look(task, &open, done)) {
                let Found { margins, seeds } = found?;
                all.margins.extend(margins);
                all.seeds.extend(seeds);
            }
            self.report("moves", seen)?;
        }
        let left = all.margins.into_iter().filter(|&margin| u64::from(margin) < done).collect();
        all.seeds.sort_unstable_by(|a, b| b.cmp(a));
        Ok(Margins { left, open, seeds: all.seeds })
    }

    /// [`Part::begin`] for a range of numbers.
    fn look(&self, task: Range<u64>, open: &Open, done: u64) -> Result<Found, Fault> {
        let (mut found, mut fault) = (Found::default(), None);
        let mut seen = Distinct::new();
        self.game.walk(task, &mut |number, position| {
            if fault.is_none() {
                fault = self.look_at(number, &position, &mut seen, open, done, &mut found).err();
            }
        });
        fault.map_or(Ok(found), Err)
    }

    fn look_at(
        &self,
        number: u64,
        position: &G::Position,
        seen: &mut Distinct,
        open: &Open,
        done: u64,
        found: &mut Found,
    ) -> Result<(), Fault> {
        let (margin, rank) = (self.margin(number), self.rank(number));
        if let Some(ended) = self.game.over(position) {
            margin.set(self.encode(ended)?);
            rank.set(0);
            self.note(number, ended, found);
            return Ok(());
        }
        let fresh = margin.get() == HOLE && rank.get() == 0;
        if !fresh && rank.get() != Self::open_rank() {
            return Ok(());
        }
        let (mut best, mut staying, mut moves) = (None, 0, 0u32);
        let mut wrong = None;
        seen.clear();
        self.game.child_numbers(position, &mut |child, step| {
            moves += 1;
            if child >= self.end {
                wrong = Some("leads to a later part");
            } else if child < self.begin {
                match self.value(child) {
                    Some(value) => best = best.max(Some(value.back(step))),
                    None => wrong = Some("leads to a number without a value"),
                }
            } else if step.gain != 0 {
                wrong = Some("gains points and stays in its part");
            } else if seen.insert(child, step.turn_passed) && !self.was_counted(child, step, done) {
                staying += 1;
            }
        });
        match wrong {
            Some(how) => return Err(self.broken(number, how)),
            None if moves == 0 => return Err(self.broken(number, "has no moves, yet it is not over")),
            None => {}
        }
        margin.set(best.map_or(Ok(HOLE), |best| self.encode(best))?);
        rank.set(Self::open_rank());
        open.set(number - self.begin, staying);
        if let Some(best) = best {
            self.note(number, best, found);
        }
        Ok(())
    }

    /// Whether a child was found before a restart to give the other a margin that is settled.
    fn was_counted(&self, child: u64, step: Step, done: u64) -> bool {
        if done == Margins::WHOLE || self.rank(child).get() == Self::open_rank() {
            return false;
        }
        let margin = self.value(child).map_or(0, |value| value.back(step).raw());
        margin < 0 && u64::from(margin.unsigned_abs()) >= done
    }

    /// Notes a margin, and its place where places are not found by a scan.
    fn note(&self, number: u64, value: Value, found: &mut Found) {
        let margin = value.raw().unsigned_abs();
        if margin > 0 {
            found.margins.insert(margin);
            if !Self::scans() {
                found.seeds.push((margin, number - self.begin));
            }
        }
    }

    /// Finds everybody who can force a margin, or cannot avoid it, larger ones being settled.
    pub(super) fn settle(&self, margins: &Margins, margin: u32) -> Result<(), Fault> {
        let codes = [1, -1].map(|sign| self.encode(Value::points(sign * margin as i32)));
        let [won, lost] = codes;
        let level = Level { part: self, open: &margins.open, margin: margin as i32, codes: [won?, lost?] };
        let (mut frontier, mut next) = (Places::new(), Places::new());
        if Self::scans() {
            for tasks in self.tasks() {
                for (ends, first) in
                    self.crew.map(tasks, &|task| level.sow(task.map(|number| number - self.begin)))
                {
                    frontier.extend(ends);
                    next.extend(first);
                }
            }
        } else {
            let from = margins.seeds.partition_point(|seed| seed.0 > margin);
            let until = margins.seeds.partition_point(|seed| seed.0 >= margin);
            (frontier, next) = level.sow(margins.seeds[from..until].iter().map(|seed| seed.1));
        }
        let mut rank = 0;
        while !(frontier.is_empty() && next.is_empty()) {
            if rank + 1 >= Self::open_rank() {
                return Err(Fault::TooWide);
            }
            let tasks: Vec<&[u64]> = frontier.chunks(TASK as usize / 8).collect();
            for found in self.crew.map(tasks, &|places| level.step_back(places, rank + 1)) {
                next.extend(found?);
            }
            rank += 1;
            frontier = std::mem::take(&mut next);
            self.report(&format!("margin {margin}, rank {rank}"), self.begin)?;
        }
        Ok(())
    }

    /// What is open now is worth nothing to both.
    pub(super) fn end(&self) {
        let even = self.coding.encode(Value::DRAW).unwrap_or(HOLE);
        for tasks in self.tasks() {
            self.crew.map(tasks, &|task| {
                for number in task {
                    let rank = self.rank(number);
                    if rank.get() == Self::open_rank() {
                        self.margin(number).set(even);
                        rank.set(0);
                    }
                }
            });
        }
    }
}

/// One margin being settled.
struct Level<'a, G, C> {
    part: &'a Part<'a, G, C>,
    open: &'a Open,
    margin: i32,
    /// The codes of the margin for who has it and for the other.
    codes: [u32; 2],
}

impl<G: Scored + Parted, C: Cell> Level<'_, G, C> {
    /// Of these places the ends with this margin, and those that are settled because the part is left with it.
    fn sow(&self, places: impl Iterator<Item = u64>) -> (Places, Places) {
        let [won, lost] = self.codes;
        let open = Part::<G, C>::open_rank();
        let (mut ends, mut first) = (Places::new(), Places::new());
        for place in places {
            let number = self.part.begin + place;
            let (margin, rank) = (self.part.margin(number).get(), self.part.rank(number));
            if rank.get() == 0 && (margin == won || margin == lost) {
                ends.push(place);
            } else if rank.get() == open && (margin == won || margin == lost && self.open.none(place)) {
                rank.set(1);
                first.push(place);
            }
        }
        (ends, first)
    }

    /// Settles what stands before these places and is settled by them; all of it gets this rank.
    fn step_back(&self, places: &[u64], rank: u32) -> Result<Places, Fault> {
        let part = self.part;
        let (mut found, mut seen, mut fault) = (Places::new(), Distinct::new(), None);
        for &place in places {
            let number = part.begin + place;
            let (Some(value), Some(position)) = (part.value(number), part.game.position(number)) else {
                return Err(part.broken(number, "was settled, yet it is none"));
            };
            let turn = part.game.turn(&position);
            seen.clear();
            part.game.before(&position, &mut |before| {
                let turn_passed = part.game.turn(&before) != turn;
                let number = part.game.index(&before);
                if !(part.begin..part.end).contains(&number) {
                    fault = Some(part.broken(number, "stands before one of another part"));
                } else if seen.insert(number, turn_passed) {
                    match self.settles(number, value.back(Step { turn_passed, gain: 0 }), rank) {
                        Ok(true) => found.push(number - part.begin),
                        Ok(false) => {}
                        Err(other) => fault = Some(other),
                    }
                }
            });
            if let Some(fault) = fault {
                return Err(fault);
            }
        }
        Ok(found)
    }

    /// Takes note of a move whose value is known; says whether that settles the position.
    #[inline]
    fn settles(&self, number: u64, worth: Value, rank: u32) -> Result<bool, Fault> {
        let (part, open) = (self.part, Part::<G, C>::open_rank());
        let (margin, its_rank) = (part.margin(number), part.rank(number));
        if its_rank.get() != open {
            return Ok(false);
        }
        let [won, lost] = self.codes;
        if worth.raw() > 0 {
            // Only the thread that settles the position writes its margin: whoever has a move like this one can force
            // the margin, so that his moves never all give way.
            let first = its_rank.swap(open, rank);
            if first {
                margin.set(won);
            }
            return Ok(first);
        }
        let place = number - part.begin;
        let Some(left) = self.open.less(place) else {
            return Err(part.broken(number, "has fewer moves than lead back to it"));
        };
        let leaving = part.coding.decode(margin.get());
        if left > 0 || leaving.is_some_and(|leaving| leaving > Value::points(-self.margin)) {
            return Ok(false);
        }
        margin.set(lost);
        its_rank.set(rank);
        Ok(true)
    }
}
