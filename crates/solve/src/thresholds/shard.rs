//! Thresholds in shards: each looks at its own positions of a part, asks the other shards for margins in earlier parts,
//! and goes back from the positions of one rank to those that they settle, wherever these lie.

use std::collections::BTreeMap;
use std::ops::Range;

use grundy_core::game::Scored;
use grundy_core::table::{Checkpoint, Checkpoints, Coding, Meaning, Snapshot, Width};
use grundy_core::value::Value;
use grundy_session::{Belief, Layout, Next, Outbox, Progress, Shard, SolveError};

use super::ability::Parted;
use super::growing::Growing;
use crate::asking::{Message, Pending, Questions, answer, cells, most, read, sum};
use crate::codes::Codes;
use crate::layers::Precedence;
use crate::moves::{ListMoves, Moves, MovesOf};
use crate::prover::Prover;
use crate::ranked::{Ranked, beyond, lay_out, least_width};
use crate::retrograde::graph::{GraphShard, MovesTo};
use crate::retrograde::updates::{self, Apply, Waiting};
use crate::retrograde::{Backward, Collect, Distinct, TakePredecessors, Update, WINS};

/// Positions that are looked at in one step; in tests few.
const PIECE: u64 = if cfg!(test) { 3 } else { 1 << 11 };
/// Positions that are gone back from in one step; in tests few.
const LISTED: usize = if cfg!(test) { 4 } else { 1 << 12 };

/// What stands for a rank: nothing where no position is, a sign where none is settled, and else the rank behind these.
const OPEN: u32 = 1;
const FIRST_RANK: u32 = 2;

/// What the rounds are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Looking at every position of the part once.
    Look,
    /// Going back from the positions of the present rank; without ranks, from those that have got a margin.
    Back,
    /// Without ranks: asking for the margins of the children, where all of these have one.
    Ask,
    /// Finding the least cells that hold everything.
    Measure,
    /// Proving the finished cells.
    Prove,
}

/// What is done where points are gained within a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gains {
    /// The game is refused.
    Refused,
    /// All is begun anew without ranks: then no play may go round.
    Unranked,
}

/// One shard.
pub(crate) struct ThresholdShard<'a> {
    moves: Box<dyn ListMoves + 'a>,
    back: Box<dyn Collect + 'a>,
    prover: Prover<'a>,
    gains: Gains,
    /// Whether margins have ranks.
    ranked: bool,
    /// The numbers of each part.
    parts: Vec<Vec<Range<u64>>>,
    /// The part of each number.
    order: Precedence,
    layout: Layout,
    shard: u32,
    /// A margin and a rank for each own number, see [`coded`] and [`OPEN`]. Empty before the first work, so that what was
    /// kept needs no room beside them.
    cells: Growing,
    /// Which part comes now, and its own cells.
    part: usize,
    own: Vec<Range<u64>>,
    /// For each cell from the first to the last of these: how many moves of a position stay in the part, and may still
    /// avoid the margin.
    counts: Growing,
    pub(super) phase: Phase,
    /// Where in the own cells the look goes on: which range, and the cell.
    look: (usize, u64),
    /// Whether a move was seen that gains points and stays in its part.
    gained: bool,
    /// Cells with a margin other than 0 by the end of the game or by a move out of the part, by its size.
    seeds: BTreeMap<u32, Vec<u32>>,
    /// The margin that is being settled.
    margin: u32,
    rank: u32,
    /// Cells of the present rank in rising order, where the work goes on, and the cell where it goes on from what is kept:
    /// updates that wait are not kept.
    frontier: Vec<u32>,
    at: usize,
    sent: u32,
    /// Cells of the next rank.
    next: Vec<u32>,
    /// Without ranks: cells whose children all have a margin.
    ready: Vec<u32>,
    waiting: Waiting,
    questions: Questions,
    /// How many numbers the parts before have.
    done: u64,
    coding: Coding,
    finished: Codes,
}

/// A margin as a code that is the smaller the smaller the margin is; 0 stands for none.
fn coded(margin: Value) -> Result<u32, SolveError> {
    let margin = margin.margin().ok_or_else(beyond)?;
    Ok((margin << 1 ^ margin >> 31).cast_unsigned() + 1)
}

/// The margin behind a code.
fn decoded(code: u32) -> Option<Value> {
    let folded = code.checked_sub(1)?;
    Some(Value::points((folded >> 1).cast_signed() ^ -(folded & 1).cast_signed()))
}

/// The positions of a part before a position.
struct Before<'a, G>(&'a G);

impl<G: Scored + Parted> Backward for Before<'_, G> {
    fn visit(&self, number: u64, visit: &mut impl FnMut(u64, bool)) {
        let Some(position) = self.0.position(number) else { return };
        let turn = self.0.turn(&position);
        self.0.before(&position, &mut |before| visit(self.0.index(&before), self.0.turn(&before) != turn));
    }
}

impl<'a> ThresholdShard<'a> {
    /// One of so many shards of a game's table.
    pub(crate) fn new<G: Scored + Parted>(
        game: &'a G,
        dealt: (u32, u32),
    ) -> Result<ThresholdShard<'a>, SolveError> {
        let moves = [(); 2].map(|()| Box::new(MovesOf { game }) as Box<dyn ListMoves>);
        let ends = game.parts();
        let begins = std::iter::once(0).chain(ends.iter().copied());
        let ranges = begins.zip(&ends).map(|(begin, &end)| begin..end);
        let parts = ranges.map(|range| vec![range]).collect();
        ThresholdShard::in_parts(game.size(), parts, moves, Before(game), Gains::Refused, dealt)
    }

    /// The shard of a table whose positions before others are not known: its moves are turned round first. They are listed
    /// for that, for the values, and for the proof.
    pub(crate) fn turned_round(
        count: u64,
        parts: Vec<Vec<Range<u64>>>,
        [moves, values, proof]: [Box<dyn ListMoves + 'a>; 3],
        dealt: (u32, u32),
    ) -> Result<GraphShard<'a, ThresholdShard<'a>>, SolveError> {
        let order = Precedence::layers(&parts, count)?;
        let is_within = move |from, to| order.place(from) == order.place(to);
        let none = MovesTo::none();
        let inner = ThresholdShard::in_parts(count, parts, [values, proof], none, Gains::Unranked, dealt)?;
        GraphShard::new(inner, moves, is_within, dealt.0)
    }

    /// The shard of a table with these parts. The moves are listed twice: for the values, and for the proof; `back` leads
    /// from a position to those of its part before it.
    pub(crate) fn in_parts(
        count: u64,
        parts: Vec<Vec<Range<u64>>>,
        [moves, proof]: [Box<dyn ListMoves + 'a>; 2],
        back: impl Backward + 'a,
        gains: Gains,
        dealt: (u32, u32),
    ) -> Result<ThresholdShard<'a>, SolveError> {
        let order = Precedence::layers(&parts, count)?;
        let (layout, shard) = (updates::layout(count, dealt)?, dealt.0);
        let mut made = ThresholdShard {
            moves,
            back: Box::new(back),
            prover: Prover::new(proof, layout, shard, false, None),
            gains,
            ranked: true,
            parts,
            order,
            layout,
            shard,
            cells: Growing::none(),
            part: 0,
            own: Vec::new(),
            counts: Growing::none(),
            phase: Phase::Look,
            look: (0, 0),
            gained: false,
            seeds: BTreeMap::new(),
            margin: 0,
            rank: 0,
            frontier: Vec::new(),
            at: 0,
            sent: 0,
            next: Vec::new(),
            ready: Vec::new(),
            waiting: Waiting::new(layout, shard),
            questions: Questions::new(1),
            done: 0,
            coding: Coding { meaning: Meaning::Ranked, width: Width::One },
            finished: Codes::default(),
        };
        made.begin_part(0);
        Ok(made)
    }

    /// Begins to look at a part, or to measure where no part is left.
    fn begin_part(&mut self, part: usize) {
        let is_empty = |ranges: &Vec<Range<u64>>| ranges.iter().all(Range::is_empty);
        let skipped = self.parts.get(part..).unwrap_or(&[]).iter().take_while(|part| is_empty(part)).count();
        self.part = part + skipped;
        let numbers = |part: &[Range<u64>]| part.iter().map(|range| range.end - range.start).sum::<u64>();
        self.done = self.parts[..self.part].iter().map(|part| numbers(part)).sum();
        let cell = |number| self.layout.cells_before(self.shard, number);
        let ranges = self.parts.get(self.part).map_or(&[][..], Vec::as_slice);
        let own = ranges.iter().map(|range| cell(range.start)..cell(range.end));
        self.own = own.filter(|cells| !cells.is_empty()).collect();
        self.look = (0, self.own.first().map_or(0, |cells| cells.start));
        self.counts = Growing::none();
        self.seeds.clear();
        (self.frontier, self.next, self.ready) = Default::default();
        self.phase = if self.part < self.parts.len() { Phase::Look } else { Phase::Measure };
    }

    /// From the first own cell of the part to the last.
    fn span(&self) -> Range<u64> {
        let (first, last) = (self.own.first(), self.own.last());
        first.map_or(0, |cells| cells.start)..last.map_or(0, |cells| cells.end)
    }

    /// The own cells of the part.
    fn own_cells(&self) -> impl Iterator<Item = u64> + use<> {
        self.own.clone().into_iter().flatten()
    }

    fn rank(&self, cell: u64) -> u32 {
        self.cells.get(2 * cell + 1)
    }

    /// The margin in a cell; of an open position the best of its moves out of the part.
    fn value(&self, cell: u64) -> Option<Value> {
        decoded(self.cells.get(2 * cell))
    }

    fn set(&mut self, cell: u64, margin: Option<Value>, rank: u32) -> Result<(), SolveError> {
        self.cells.set(2 * cell, margin.map_or(Ok(0), coded)?)?;
        self.cells.set(2 * cell + 1, rank)
    }

    fn broken(&self, cell: u64, how: &str) -> SolveError {
        let number = self.layout.number(self.shard, cell);
        SolveError::Broken(format!("the game breaks its order: position {number} {how}"))
    }

    /// Looks at a piece of the part.
    fn look(&mut self, out: &mut Outbox) -> Result<bool, SolveError> {
        let Self { layout, shard, part, .. } = *self;
        let (range, cell) = self.look;
        if self.cells.is_empty() {
            self.cells = Growing::new(2 * layout.cells(shard))?;
        }
        let Some(cells) = self.own.get(range) else { return Ok(false) };
        if self.counts.is_empty() {
            let span = self.span();
            self.counts = Growing::new(span.end - span.start)?;
        }
        // Neighbouring cells have neighbouring numbers as far as their block goes.
        let block = ((cell >> layout.shift()) + 1) << layout.shift();
        let end = cells.end.min(block).min(cell + PIECE);
        let first = layout.number(shard, cell);
        let mut moves = Moves::default();
        self.moves.list(first..first + (end - cell), &mut moves);
        self.look = match self.own.get(range + 1) {
            Some(next) if end == cells.end => (range + 1, next.start),
            _ if end == cells.end => (range + 1, end),
            _ => (range, end),
        };
        let later = |child| self.order.place(child) >= Some(part);
        let own = |cell, _| self.cells.get(2 * cell);
        if let Some(known) = self.questions.ask(layout, shard, moves, later, own, out)? {
            self.looked(&known)?;
        }
        Ok(self.look.0 < self.own.len())
    }

    /// Takes note of positions for whose moves out of the part all margins are known.
    fn looked(&mut self, known: &Pending) -> Result<(), SolveError> {
        let mut seen = Distinct::new();
        for (at, place) in known.moves.positions.iter().enumerate() {
            let cell = self.layout.locate(place.number).1;
            if let Some(ended) = place.over {
                self.set(cell, Some(ended), FIRST_RANK)?;
                self.note(cell, ended);
                continue;
            }
            let (mut best, mut staying) = (None, 0);
            seen.clear();
            let children = known.moves.of(at);
            if children.is_empty() {
                return Err(self.broken(cell, "has no moves, yet it is not over"));
            }
            for (&(child, step), &code) in
                known.moves.children[children.clone()].iter().zip(&known.codes[children])
            {
                match self.order.place(child).cmp(&Some(self.part)) {
                    std::cmp::Ordering::Greater => return Err(self.broken(cell, "leads to a later part")),
                    std::cmp::Ordering::Less => match decoded(code) {
                        Some(value) => best = best.max(Some(value.back(step))),
                        None => return Err(self.broken(cell, "leads to a number without a value")),
                    },
                    std::cmp::Ordering::Equal => {
                        if step.gain != 0 && self.gains == Gains::Refused {
                            return Err(self.broken(cell, "gains points and stays in its part"));
                        }
                        self.gained |= step.gain != 0;
                        staying += u32::from(seen.insert(child, step.turn_passed));
                    }
                }
            }
            let settled = !self.ranked && staying == 0;
            self.set(cell, best, if settled { FIRST_RANK } else { OPEN })?;
            self.counts.set(cell - self.span().start, staying)?;
            match best {
                Some(best) if self.ranked || settled => self.note(cell, best),
                _ => {}
            }
        }
        Ok(())
    }

    /// Notes a cell whose margin is known by the end of the game or by a move out of the part.
    fn note(&mut self, cell: u64, value: Value) {
        let size = value.raw().unsigned_abs();
        if !self.ranked {
            self.next.push(cell as u32);
        } else if size > 0 {
            self.seeds.entry(size).or_default().push(cell as u32);
        }
    }

    /// The cell where the look goes on, 0 where it has not begun.
    fn looked_to(&self) -> u64 {
        match self.look {
            (0, cell) if cell == self.span().start => 0,
            (range, cell) if range < self.own.len() => cell,
            _ => u64::MAX,
        }
    }

    /// Goes on looking from a cell, those before it being looked at.
    fn go_on_looking(&mut self, at: u64) {
        let range = self.own.iter().take_while(|cells| cells.end <= at).count();
        self.look = (range, self.own.get(range).map_or(at, |cells| cells.start.max(at)));
        for cell in self.own_cells().take_while(|&cell| cell < at) {
            if let Some(value) = self.value(cell).filter(|_| self.ranked || self.rank(cell) != OPEN) {
                self.note(cell, value);
            }
        }
    }

    /// Goes on going back from the cells of a margin and a rank, the updates from those before `sent` being applied.
    fn go_on_back(&mut self, margin: u32, rank: u32, sent: u64) {
        (self.margin, self.rank) = (margin, rank);
        let mut frontier = Vec::new();
        for cell in self.own_cells() {
            let Some(value) = self.value(cell) else { continue };
            let (size, stands) = (value.raw().unsigned_abs(), self.rank(cell));
            match stands.checked_sub(FIRST_RANK).filter(|_| size == margin) {
                Some(settled) if settled == rank && cell >= sent => frontier.push(cell as u32),
                Some(settled) if settled == rank + 1 => self.next.push(cell as u32),
                None if size < margin && stands <= FIRST_RANK => self.note(cell, value),
                _ => {}
            }
        }
        self.begin_rank(rank, frontier);
        self.sent = sent as u32;
    }

    /// The largest margin that is left.
    fn largest(&self) -> u64 {
        self.seeds.last_key_value().map_or(0, |(&size, _)| size.into())
    }

    /// Begins the largest margin that is left in any shard; ends the part where there is none.
    fn begin_margin(&mut self, largest: u64) -> Result<(), SolveError> {
        if largest == 0 {
            return self.end_part();
        }
        self.margin = largest as u32;
        let first = self.span().start;
        let mut ends = Vec::new();
        for cell in self.seeds.remove(&self.margin).unwrap_or_default() {
            let rank = self.rank(cell.into());
            let worth = self.value(cell.into()).filter(|value| value.raw().unsigned_abs() == self.margin);
            let settled =
                worth.is_some_and(|worth| worth.raw() > 0 || self.counts.get(u64::from(cell) - first) == 0);
            if rank == FIRST_RANK {
                ends.push(cell);
            } else if rank == OPEN && settled {
                self.cells.set(2 * u64::from(cell) + 1, FIRST_RANK + 1)?;
                self.next.push(cell);
            }
        }
        self.begin_rank(0, ends);
        Ok(())
    }

    /// Begins to go back from these cells.
    fn begin_rank(&mut self, rank: u32, mut cells: Vec<u32>) {
        cells.sort_unstable();
        (self.phase, self.rank, self.frontier, self.at, self.sent) = (Phase::Back, rank, cells, 0, 0);
    }

    /// Goes back from a few positions.
    fn go_back(&mut self, out: &mut Outbox) -> Result<bool, SolveError> {
        let end = self.frontier.len().min(self.at + LISTED);
        let is_lost = |cell: u32| self.value(cell.into()).is_some_and(|value| value.raw() < 0);
        let known: Vec<u64> = self.frontier[self.at..end]
            .iter()
            .map(|&cell| u64::from(cell) << 1 | u64::from(is_lost(cell)))
            .collect();
        self.waiting.collect(&*self.back, &known)?;
        self.at = end;
        let more = end < self.frontier.len();
        if !more || self.waiting.are_many() {
            updates::send(self, |shard| &mut shard.waiting, out)?;
        }
        if self.waiting.is_empty() {
            self.sent = self.frontier.get(end).copied().unwrap_or(u32::MAX);
        }
        Ok(more)
    }

    /// Takes note of a move of a position to one that is settled.
    fn settle(&mut self, cell: u64, wins: bool) -> Result<(), SolveError> {
        let span = self.span();
        if !span.contains(&cell) {
            return Err(self.broken(cell, "stands before one of another part"));
        }
        if self.rank(cell) != OPEN {
            return Ok(());
        }
        let margin = self.margin.cast_signed();
        if wins && self.ranked {
            self.set(cell, Some(Value::points(margin)), FIRST_RANK + self.rank + 1)?;
            self.next.push(cell as u32);
            return Ok(());
        }
        let Some(left) = self.counts.get(cell - span.start).checked_sub(1) else {
            return Err(self.broken(cell, "has fewer moves than lead back to it"));
        };
        self.counts.set(cell - span.start, left)?;
        if left > 0 {
            return Ok(());
        }
        if !self.ranked {
            self.ready.push(cell as u32);
        } else if self.value(cell).is_none_or(|leaving| leaving <= Value::points(-margin)) {
            self.set(cell, Some(Value::points(-margin)), FIRST_RANK + self.rank + 1)?;
            self.next.push(cell as u32);
        }
        Ok(())
    }

    /// Asks for the margins of the children of a position: each has one.
    fn ask(&mut self, out: &mut Outbox) -> Result<bool, SolveError> {
        let Self { layout, shard, .. } = *self;
        if let Some(&cell) = self.ready.get(self.at) {
            self.at += 1;
            let number = layout.number(shard, cell.into());
            let mut moves = Moves::default();
            self.moves.list(number..number + 1, &mut moves);
            let own = |cell, _| self.cells.get(2 * cell);
            if let Some(known) = self.questions.ask(layout, shard, moves, |_| false, own, out)? {
                self.answered(&known)?;
            }
        }
        Ok(self.at < self.ready.len())
    }

    /// Gives positions the best of their moves.
    fn answered(&mut self, known: &Pending) -> Result<(), SolveError> {
        for (at, place) in known.moves.positions.iter().enumerate() {
            let cell = self.layout.locate(place.number).1;
            let children = known.moves.of(at);
            let worths = known.moves.children[children.clone()].iter().zip(&known.codes[children]);
            let worths = worths.map(|(&(_, step), &code)| Some(decoded(code)?.back(step)));
            let best = worths.collect::<Option<Vec<_>>>().and_then(|worths| worths.into_iter().max());
            let Some(best) = best else {
                return Err(self.broken(cell, "leads to a number without a value"));
            };
            self.set(cell, Some(best), FIRST_RANK)?;
            self.next.push(cell as u32);
        }
        Ok(())
    }

    /// Ends a part: what is open now is worth nothing to both.
    fn end_part(&mut self) -> Result<(), SolveError> {
        for cell in self.own_cells() {
            if self.rank(cell) == OPEN {
                if !self.ranked {
                    let what = "positions come again between moves that gain points: expected that no score falls again";
                    return Err(SolveError::Broken(what.to_owned()));
                }
                self.set(cell, Some(Value::DRAW), FIRST_RANK)?;
            }
        }
        self.begin_part(self.part + 1);
        Ok(())
    }

    /// Ends a round of looking.
    fn looked_at_all(&mut self, reports: &[Vec<u64>]) -> Result<(), SolveError> {
        if most(reports, 1)? > 0 && self.ranked {
            self.ranked = false;
            self.cells = Growing::none();
            self.begin_part(0);
        } else if sum(reports, 0)? > 0 {
        } else if self.ranked {
            self.begin_margin(most(reports, 2)?)?;
        } else {
            let known = std::mem::take(&mut self.next);
            self.begin_rank(0, known);
        }
        Ok(())
    }

    /// Ends a round of going back.
    fn went_back(&mut self, reports: &[Vec<u64>]) -> Result<(), SolveError> {
        if sum(reports, 0)? > 0 {
            return Ok(());
        }
        let news = sum(reports, 1)? > 0;
        match (self.ranked, news) {
            (true, false) => self.begin_margin(most(reports, 2)?),
            (false, false) => self.end_part(),
            (true, true) => {
                let next = std::mem::take(&mut self.next);
                self.begin_rank(self.rank + 1, next);
                Ok(())
            }
            (false, true) => {
                (self.phase, self.at) = (Phase::Ask, 0);
                Ok(())
            }
        }
    }

    /// Ends a round of asking.
    fn asked(&mut self, reports: &[Vec<u64>]) -> Result<(), SolveError> {
        if sum(reports, 0)? == 0 {
            self.ready = Vec::new();
            let next = std::mem::take(&mut self.next);
            self.begin_rank(0, next);
        }
        Ok(())
    }

    /// What has been found for a cell.
    fn found(&self, cell: u64) -> Option<Ranked> {
        Some((self.value(cell)?, self.rank(cell).saturating_sub(FIRST_RANK)))
    }

    /// The least width that holds the own cells.
    fn least_width(&self) -> Option<Width> {
        let points = Coding { meaning: Meaning::Points, width: Width::One };
        let least = |found: Ranked| match self.ranked {
            true => least_width(found),
            false => points.least_width(found.0),
        };
        let found = (0..self.layout.cells(self.shard)).filter_map(|cell| self.found(cell));
        found.map(least).try_fold(Width::One, |width, least| Some(width.max(least?)))
    }

    /// Lays the cells out as the table does, each where it was, or before that.
    fn lay_out(&mut self, width: Width) -> Result<(), SolveError> {
        // Another shard may have had to hold more.
        self.cells.widen(width)?;
        let meaning = if self.ranked { Meaning::Ranked } else { Meaning::Points };
        self.coding = Coding { meaning, width };
        let mut at = 0;
        let mut laid_out = Vec::new();
        for cell in 0..self.layout.cells(self.shard) {
            laid_out.clear();
            lay_out(&mut laid_out, self.coding, self.found(cell));
            self.cells.bytes_mut()[at..at + laid_out.len()].copy_from_slice(&laid_out);
            at += laid_out.len();
        }
        let mut bytes = std::mem::replace(&mut self.cells, Growing::none()).into_bytes();
        bytes.truncate(at);
        bytes.shrink_to_fit();
        self.finished.bytes = bytes;
        Ok(())
    }
}

impl Apply for ThresholdShard<'_> {
    fn apply(&mut self, own: u64, mut updates: impl Iterator<Item = Update>) -> Result<(), SolveError> {
        let begin = own << self.layout.shift();
        updates.try_for_each(|update| self.settle(begin + u64::from(update & !WINS), update & WINS != 0))
    }
}

impl<'a> TakePredecessors<'a> for ThresholdShard<'a> {
    fn set_predecessors(&mut self, back: Box<dyn Collect + 'a>) {
        self.back = back;
    }
}

/// How widths are numbered in what is kept, and in reports.
fn width_of(word: u64) -> Option<Width> {
    [Width::One, Width::Two, Width::Four].into_iter().find(|&width| width as u64 == word)
}

impl Shard for ThresholdShard<'_> {
    fn layout(&self) -> Layout {
        self.layout
    }

    // A margin and a rank; counts are those of one part alone.
    fn bytes_each(&self) -> u64 {
        2
    }

    fn work(&mut self, out: &mut Outbox) -> Result<bool, SolveError> {
        match self.phase {
            Phase::Look => self.look(out),
            Phase::Back => self.go_back(out),
            Phase::Ask => self.ask(out),
            Phase::Measure => Ok(false),
            Phase::Prove => self.prover.work(&self.finished, self.coding, out),
        }
    }

    fn take(&mut self, from: u32, message: &[u8], out: &mut Outbox) -> Result<(), SolveError> {
        match self.phase {
            Phase::Prove => self.prover.take(&self.finished, self.coding, from, message, out),
            Phase::Back => {
                let (shift, cells) = (self.layout.shift(), self.layout.cells(self.shard));
                updates::take(self, shift, cells, message)
            }
            Phase::Look | Phase::Ask | Phase::Measure => match read(message)? {
                Message::Ask(id, asked) => {
                    let codes = cells(asked).map(|cell| self.cells.get(2 * cell as u64));
                    out.send(from, answer(id, Width::Four, codes));
                    Ok(())
                }
                Message::Answer(id, codes) => match self.questions.answered(from, id, codes, Width::Four)? {
                    Some(known) if self.phase == Phase::Ask => self.answered(&known),
                    Some(known) => self.looked(&known),
                    None => Ok(()),
                },
            },
        }
    }

    fn report(&mut self) -> Vec<u64> {
        match self.phase {
            Phase::Look => vec![
                u64::from(self.look.0 < self.own.len()),
                std::mem::take(&mut self.gained).into(),
                self.largest(),
            ],
            Phase::Back => {
                let news = if self.ranked { &self.next } else { &self.ready };
                vec![u64::from(self.at < self.frontier.len()), news.len() as u64, self.largest()]
            }
            Phase::Ask => vec![u64::from(self.at < self.ready.len())],
            Phase::Measure => vec![self.least_width().map_or(u64::MAX, |width| width as u64)],
            Phase::Prove => self.prover.report(self.coding),
        }
    }

    fn next(&mut self, reports: &[Vec<u64>]) -> Result<Next, SolveError> {
        match self.phase {
            Phase::Look => self.looked_at_all(reports)?,
            Phase::Back => self.went_back(reports)?,
            Phase::Ask => self.asked(reports)?,
            Phase::Measure => {
                self.lay_out(width_of(most(reports, 0)?).ok_or_else(beyond)?)?;
                return Ok(Next::Done);
            }
            Phase::Prove => return self.prover.next(reports, self.coding),
        }
        Ok(Next::Round)
    }

    fn progress(&self) -> Progress {
        let part = self.part + 1;
        let what = match self.phase {
            Phase::Look => format!("part {part}, moves"),
            Phase::Back if self.ranked => format!("part {part}, margin {}, rank {}", self.margin, self.rank),
            Phase::Back | Phase::Ask => format!("part {part}, margins"),
            Phase::Measure => "writing".to_owned(),
            Phase::Prove => return self.prover.progress(),
        };
        Progress { what, done: self.done, total: self.layout.count() }
    }

    // Without ranks a part is begun anew by a later run once it was looked at.
    fn keep(&self, checkpoints: &mut dyn Checkpoints) {
        let back = self.phase == Phase::Back && self.ranked;
        let at = match self.phase {
            Phase::Back if back => self.sent.into(),
            Phase::Look => self.looked_to(),
            _ => 0,
        };
        let (margin, rank) = if back { (self.margin, self.rank) } else { (0, 0) };
        let counts = if back || at > 0 { &self.counts } else { &Growing::none() };
        let (cells, rest) = (self.cells.bytes(), counts.bytes());
        let copy = |offset: u64, into: &mut [u8]| {
            let after = rest.iter().skip((offset as usize).saturating_sub(cells.len()));
            let all = cells.iter().skip(offset as usize).chain(after);
            into.iter_mut().zip(all).for_each(|(into, &byte)| *into = byte);
        };
        let place = [self.part as u64, self.ranked.into(), back.into(), margin.into(), rank.into()];
        checkpoints.save(&Snapshot {
            stage: &[&place[..], &[at, counts.width() as u64]].concat(),
            width: self.cells.width(),
            len: (cells.len() + rest.len()) as u64,
            copy: &copy,
        });
    }

    fn go_on(&mut self, kept: Checkpoint) -> bool {
        let &[part, ranked, back, margin, rank, at, counts] = kept.stage.as_slice() else { return false };
        let Some(counts) = width_of(counts) else { return false };
        if part > self.parts.len() as u64 || kept.width == Width::Quarter {
            return false;
        }
        self.ranked = ranked > 0;
        self.begin_part(part as usize);
        let (back, span) = (back > 0, self.span());
        let begun = back || at > 0;
        let cells = kept.width.bytes(2 * self.layout.cells(self.shard)).unwrap_or(u64::MAX);
        let rest = if begun { counts.bytes(span.end - span.start).unwrap_or(u64::MAX) } else { 0 };
        let is_empty = kept.cells.is_empty() && self.done == 0 && !begun;
        if !is_empty && cells.checked_add(rest) != Some(kept.cells.len() as u64) {
            return false;
        }
        let mut bytes = kept.cells;
        let rest = bytes.split_off(bytes.len().min(cells as usize));
        self.cells = Growing::of_bytes(kept.width, bytes);
        self.counts = Growing::of_bytes(counts, rest);
        if back {
            self.go_on_back(margin as u32, rank as u32, at);
        } else if begun {
            self.go_on_looking(at);
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
        if self.ranked
            && let Ok(parts) = Precedence::layers(&self.parts, self.layout.count())
        {
            self.prover.by_ranks(parts);
        }
    }

    fn belief(&self) -> Belief {
        self.prover.belief(self.coding)
    }
}
