//! Thresholds in shards: each looks at its own positions of a part, requests margins in earlier parts from the other shards,
//! and sends the updates of the predecessors of each rank to the shards that hold them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use grundy_core::game::Scored;
use grundy_core::table::{Checkpoint, Checkpoints, Coding, Meaning, Snapshot, Width};
use grundy_core::value::Value;
use grundy_session::{Activity, Assurance, Layout, Next, Outbox, Progress, Shard, SolveError};

use super::ability::Parted;
use super::growing::Growing;
use crate::alone::TakeCells;
use crate::asking::{Message, Pending, Prepared, Questions, answer, cells, most, read, sum};
use crate::codes::{Codes, code, set_code};
use crate::crew::Crew;
use crate::moves::{ListMoves, Moves, MovesOf};
use crate::parts::{Part, Parts};
use crate::prover::Prover;
use crate::ranked::{Ranked, beyond, lay_out, least_width};
use crate::retrograde::graph::{GraphShard, MovesTo};
use crate::retrograde::updates::{self, Apply, Waiting};
use crate::retrograde::{Backward, Collect, Distinct, TakePredecessors, Update, WINS};

/// Positions that are looked at in one step; in tests few.
const PIECE: u64 = if cfg!(test) { 3 } else { 1 << 11 };
/// Positions whose predecessors are updated in one step; in tests few.
const LISTED: usize = if cfg!(test) { 4 } else { 1 << 12 };

/// Encoding of ranks: 0 for no position, 1 for an open one, `n + 2` for rank `n`.
const OPEN: u32 = 1;
const FIRST_RANK: u32 = 2;

/// The purpose of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Looking at every position of the part once.
    Look,
    /// Updating the predecessors of the positions of the current rank; without ranks, of those that were settled.
    Back,
    /// Without ranks: requesting the margins of the children of positions whose children all have one.
    Ask,
    /// Finding the least width that holds all cells.
    Measure,
    /// Proving the finished cells.
    Prove,
}

/// The treatment of moves that gain points within a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gains {
    /// The game is refused.
    Refused,
    /// The table is computed again without ranks: then no play may be cyclic.
    Unranked,
}

/// One shard.
pub(crate) struct ThresholdShard<'a> {
    crew: Crew,
    moves: Box<dyn ListMoves + 'a>,
    back: Box<dyn Collect + 'a>,
    prover: Prover<'a>,
    gains: Gains,
    /// True if margins have ranks.
    ranked: bool,
    parts: Parts,
    layout: Layout,
    shard: u32,
    /// A margin and a rank for each own state, see [`coded`] and [`OPEN`]; allocated by the first work, so that a checkpoint
    /// can be read before.
    cells: Growing,
    /// The current part, and its own cells.
    part: usize,
    own: Vec<Range<u64>>,
    /// The number of moves that stay in the part and may still avoid the margin, for each cell from the beginning of the
    /// block of the first own cell to the last.
    counts: Growing,
    pub(super) phase: Phase,
    /// The next cell of the first look: the range among the own cells, and the cell.
    look: (usize, u64),
    /// True if some move gains points and stays in its part.
    gained: bool,
    /// The sizes of the margins that are left.
    margins: BTreeSet<u32>,
    /// The cells of each of these whose margin comes from the end of the game or from a move out of the part; `None` as
    /// long as they are found by a scan.
    seeds: Option<BTreeMap<u32, Vec<u32>>>,
    /// The current margin.
    margin: u32,
    rank: u32,
    /// Cells of the current rank (sorted), the index of the next one, and the cell that a checkpoint continues from: buffered
    /// updates are not saved.
    frontier: Vec<u32>,
    at: usize,
    sent: u32,
    /// Cells of the next rank.
    next: Vec<u32>,
    /// Without ranks: cells whose children all have a margin.
    ready: Vec<u32>,
    waiting: Waiting,
    questions: Questions,
    /// Number of states of the parts before.
    done: u64,
    coding: Coding,
    finished: Codes,
}

/// The result of the first look at a position.
struct Looked {
    cell: u64,
    /// The value of an end, or the best of the moves out of the part.
    value: Option<Value>,
    rank: u32,
    /// Number of distinct moves that stay in the part.
    staying: u32,
    /// True if one of these gains points.
    gained: bool,
}

/// Encodes a margin: the smaller its absolute value, the smaller the code; 0 stands for none.
fn coded(margin: Value) -> Result<u32, SolveError> {
    let margin = margin.margin().ok_or_else(beyond)?;
    Ok((margin << 1 ^ margin >> 31).cast_unsigned() + 1)
}

/// Decodes a margin.
fn decoded(code: u32) -> Option<Value> {
    let folded = code.checked_sub(1)?;
    Some(Value::points((folded >> 1).cast_signed() ^ -(folded & 1).cast_signed()))
}

/// The predecessors of a position within its part.
pub(super) struct Before<'a, G>(pub(super) &'a G);

impl<G: Scored + Parted> Backward for Before<'_, G> {
    fn visit(&self, number: u64, visit: &mut impl FnMut(u64, bool)) {
        let Some(position) = self.0.position(number) else { return };
        let turn = self.0.turn(&position);
        self.0.before(&position, &mut |before| visit(self.0.index(&before), self.0.turn(&before) != turn));
    }
}

impl<'a> ThresholdShard<'a> {
    /// Creates shard `dealt.0` of `dealt.1` of a game's table.
    ///
    /// # Errors
    /// The parts do not cover every state once, or the shard has too many cells.
    pub(crate) fn new<G: Scored + Parted>(
        game: &'a G,
        dealt: (u32, u32),
    ) -> Result<ThresholdShard<'a>, SolveError> {
        let moves = [(); 2].map(|()| Box::new(MovesOf { game }) as Box<dyn ListMoves>);
        let parts = Parts::by_ends(&game.parts());
        ThresholdShard::in_parts(game.size(), parts, moves, Before(game), Gains::Refused, dealt)
    }

    /// Creates a shard of a table without known predecessors: the graph of its moves is reversed first. The moves are listed
    /// three times: for that, for the values, and for the proof.
    ///
    /// # Errors
    /// As [`ThresholdShard::new`].
    pub(crate) fn reversed(
        count: u64,
        parts: Vec<Part>,
        [moves, values, proof]: [Box<dyn ListMoves + 'a>; 3],
        dealt: (u32, u32),
    ) -> Result<GraphShard<'a, ThresholdShard<'a>>, SolveError> {
        let parts = Parts::new(parts);
        let order = parts.clone();
        let is_within = move |from, to| order.part(from) == order.part(to);
        let none = MovesTo::none();
        let inner = ThresholdShard::in_parts(count, parts, [values, proof], none, Gains::Unranked, dealt)?;
        GraphShard::new(inner, moves, is_within, dealt.0)
    }

    /// Creates a shard of a table with these parts. The moves are listed twice: for the values, and for the proof; `back`
    /// gives the predecessors of a position within its part.
    ///
    /// # Errors
    /// As [`ThresholdShard::new`].
    pub(crate) fn in_parts(
        count: u64,
        parts: Parts,
        [moves, proof]: [Box<dyn ListMoves + 'a>; 2],
        back: impl Backward + 'a,
        gains: Gains,
        dealt: (u32, u32),
    ) -> Result<ThresholdShard<'a>, SolveError> {
        let (layout, shard) = (updates::layout(count, dealt)?, dealt.0);
        let mut made = ThresholdShard {
            crew: Crew::alone(),
            moves,
            back: Box::new(back),
            prover: Prover::new(proof, layout, shard, false, None),
            gains,
            ranked: true,
            parts: parts.covering(count)?,
            layout,
            shard,
            cells: Growing::none(),
            part: 0,
            own: Vec::new(),
            counts: Growing::none(),
            phase: Phase::Look,
            look: (0, 0),
            gained: false,
            margins: BTreeSet::new(),
            seeds: None,
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

    /// Works on these threads.
    pub(crate) fn with_crew(self, crew: Crew) -> ThresholdShard<'a> {
        ThresholdShard { crew, ..self }
    }

    /// Begins with a part, or with the measuring if no part is left.
    fn begin_part(&mut self, part: usize) {
        let parts = self.parts.list();
        self.part = part + parts.iter().skip(part).take_while(|part| part.is_empty()).count();
        self.done = parts.iter().take(self.part).map(Part::len).sum();
        let cell = |number| self.layout.cells_before(self.shard, number);
        let ranges = parts.get(self.part).map_or(&[][..], |part| part.ranges.as_slice());
        let own = ranges.iter().map(|range| cell(range.start)..cell(range.end));
        self.own = own.filter(|cells| !cells.is_empty()).collect();
        self.look = (0, self.own.first().map_or(0, |cells| cells.start));
        self.counts = Growing::none();
        self.margins.clear();
        self.seeds = None;
        (self.frontier, self.next, self.ready) = Default::default();
        self.phase = if self.part < parts.len() { Phase::Look } else { Phase::Measure };
    }

    /// Returns the range from the first own cell of the part to the last.
    fn span(&self) -> Range<u64> {
        let (first, last) = (self.own.first(), self.own.last());
        first.map_or(0, |cells| cells.start)..last.map_or(0, |cells| cells.end)
    }

    /// Returns the cell of the first count.
    fn counts_from(&self) -> u64 {
        self.span().start >> self.layout.shift() << self.layout.shift()
    }

    /// Returns the number of counts.
    fn counts_len(&self) -> u64 {
        self.span().end - self.counts_from()
    }

    /// Returns the own cells of the part.
    fn own_cells(&self) -> impl Iterator<Item = u64> + use<> {
        self.own.clone().into_iter().flatten()
    }

    fn rank(&self, cell: u64) -> u32 {
        self.cells.get(2 * cell + 1)
    }

    /// Returns the margin in a cell; of an open position the best of its moves out of the part.
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

    /// Takes the states of the next piece of the part; `None` if no own piece is left.
    fn next_piece(&mut self) -> Option<Range<u64>> {
        let Self { layout, shard, look: (range, cell), .. } = *self;
        let cells = self.own.get(range)?;
        // Adjacent cells have adjacent states within a block.
        let block = ((cell >> layout.shift()) + 1) << layout.shift();
        let end = cells.end.min(block).min(cell + PIECE);
        let first = layout.number(shard, cell);
        self.look = match self.own.get(range + 1) {
            Some(next) if end == cells.end => (range + 1, next.start),
            _ if end == cells.end => (range + 1, end),
            _ => (range, end),
        };
        Some(first..first + (end - cell))
    }

    /// Looks at a few pieces of the part; returns whether more are left.
    fn look(&mut self, out: &mut Outbox) -> Result<bool, SolveError> {
        let Self { layout, shard, part, .. } = *self;
        if self.cells.is_empty() {
            self.cells = Growing::new(2 * layout.cells(shard))?;
        }
        if self.counts.is_empty() {
            self.counts = Growing::new(self.counts_len())?;
        }
        let tasks = self.crew.tasks();
        let pieces: Vec<Range<u64>> = std::iter::from_fn(|| self.next_piece()).take(tasks).collect();
        let this = &*self;
        let later = |child| this.parts.part(child) >= Some(part);
        let own = |cell, _| this.cells.get(2 * cell);
        let looked = this.crew.map(pieces, &|piece: Range<u64>| -> Result<_, SolveError> {
            let mut moves = Moves::default();
            this.moves.list(piece, &mut moves);
            let asked: Prepared = this.questions.prepare(layout, shard, moves, later, own)?;
            let looked = asked.known().map_or(Ok(Vec::new()), |known| this.judge(known))?;
            Ok((asked, looked))
        });
        for looked in looked {
            let (asked, looked) = looked?;
            if self.questions.send(asked, out).is_some() {
                self.note_all(looked)?;
            }
        }
        Ok(self.look.0 < self.own.len())
    }

    /// Examines positions for whose moves out of the part all margins are known.
    fn judge(&self, known: &Pending) -> Result<Vec<Looked>, SolveError> {
        let mut all = Vec::with_capacity(known.moves.positions.len());
        let mut seen = Distinct::new();
        for (at, place) in known.moves.positions.iter().enumerate() {
            let cell = self.layout.locate(place.number).1;
            if let Some(ended) = place.over {
                all.push(Looked { cell, value: Some(ended), rank: FIRST_RANK, staying: 0, gained: false });
                continue;
            }
            let (mut best, mut staying, mut gained) = (None, 0, false);
            seen.clear();
            let children = known.moves.of(at);
            if children.is_empty() {
                return Err(self.broken(cell, "has no moves, yet it is not over"));
            }
            for (&(child, step), &code) in
                known.moves.children[children.clone()].iter().zip(&known.codes[children])
            {
                match self.parts.part(child).cmp(&Some(self.part)) {
                    std::cmp::Ordering::Greater => return Err(self.broken(cell, "leads to a later part")),
                    std::cmp::Ordering::Less => match decoded(code) {
                        Some(value) => best = best.max(Some(value.back(step))),
                        None => return Err(self.broken(cell, "leads to an index without a value")),
                    },
                    std::cmp::Ordering::Equal => {
                        if step.gain != 0 && self.gains == Gains::Refused {
                            return Err(self.broken(cell, "gains points and stays in its part"));
                        }
                        gained |= step.gain != 0;
                        staying += u32::from(seen.insert(child, step.turn_passed));
                    }
                }
            }
            let settled = !self.ranked && staying == 0;
            let rank = if settled { FIRST_RANK } else { OPEN };
            all.push(Looked { cell, value: best, rank, staying, gained });
        }
        Ok(all)
    }

    /// Notes examined positions.
    fn note_all(&mut self, all: Vec<Looked>) -> Result<(), SolveError> {
        let first = self.counts_from();
        for Looked { cell, value, rank, staying, gained } in all {
            self.gained |= gained;
            self.set(cell, value, rank)?;
            self.counts.set(cell - first, staying)?;
            match value {
                Some(value) if self.ranked || rank == FIRST_RANK => self.note(cell, value),
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
            self.margins.insert(size);
        }
    }

    /// Returns the next cell of the first look, 0 if it has not begun.
    fn looked_to(&self) -> u64 {
        match self.look {
            (0, cell) if cell == self.span().start => 0,
            (range, cell) if range < self.own.len() => cell,
            _ => u64::MAX,
        }
    }

    /// Continues the first look at a cell.
    fn go_on_looking(&mut self, at: u64) {
        let range = self.own.iter().take_while(|cells| cells.end <= at).count();
        self.look = (range, self.own.get(range).map_or(at, |cells| cells.start.max(at)));
        for cell in self.own_cells().take_while(|&cell| cell < at) {
            if let Some(value) = self.value(cell).filter(|_| self.ranked || self.rank(cell) != OPEN) {
                self.note(cell, value);
            }
        }
    }

    /// Continues with a margin and a rank; the updates from cells before `sent` were applied.
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

    /// Returns the largest margin that is left, 0 if there is none.
    fn largest(&self) -> u64 {
        self.margins.last().map_or(0, |&size| size.into())
    }

    /// Returns the cells whose margin of this size comes from the end of the game or from a move out of the part.
    fn seeds(&mut self, size: u32) -> Vec<u32> {
        if self.cells.width() == Width::One && self.seeds.is_none() {
            // Margins of one byte are few: a scan for each takes no memory.
            let code = |sign| u8::try_from(coded(Value::points(sign * size.cast_signed())).ok()?).ok();
            let codes: Vec<u8> = [1, -1].into_iter().filter_map(code).collect();
            let is_seed = |&[margin, rank]: &[u8; 2]| {
                codes.contains(&margin) && (OPEN..=FIRST_RANK).contains(&rank.into())
            };
            let mut all = Vec::new();
            for cells in &self.own {
                let bytes = 2 * cells.start as usize..2 * cells.end as usize;
                let pairs = self.cells.bytes()[bytes].as_chunks::<2>().0;
                let found = (cells.start as u32..).zip(pairs).filter(|&(_, pair)| is_seed(pair));
                all.extend(found.map(|(cell, _)| cell));
            }
            return all;
        }
        if self.seeds.is_none() {
            let mut seeds: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
            for cell in self.own_cells().filter(|&cell| (OPEN..=FIRST_RANK).contains(&self.rank(cell))) {
                if let Some(value) = self.value(cell) {
                    seeds.entry(value.raw().unsigned_abs()).or_default().push(cell as u32);
                }
            }
            self.seeds = Some(seeds);
        }
        self.seeds.as_mut().and_then(|seeds| seeds.remove(&size)).unwrap_or_default()
    }

    /// Begins the largest margin that is left in any shard; ends the part if there is none.
    fn begin_margin(&mut self, largest: u64) -> Result<(), SolveError> {
        if largest == 0 {
            return self.end_part();
        }
        self.margin = largest as u32;
        self.margins.remove(&self.margin);
        let first = self.counts_from();
        let mut ends = Vec::new();
        for cell in self.seeds(self.margin) {
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

    /// Begins a rank with these cells.
    fn begin_rank(&mut self, rank: u32, mut cells: Vec<u32>) {
        cells.sort_unstable();
        (self.phase, self.rank, self.frontier, self.at, self.sent) = (Phase::Back, rank, cells, 0, 0);
    }

    /// Collects the updates of a few positions; returns whether more are left.
    fn go_back(&mut self, out: &mut Outbox) -> Result<bool, SolveError> {
        let end = self.frontier.len().min(self.at + LISTED * self.crew.tasks());
        let is_lost = |cell: u32| self.value(cell.into()).is_some_and(|value| value.raw() < 0);
        let known: Vec<u64> = self.frontier[self.at..end]
            .iter()
            .map(|&cell| u64::from(cell) << 1 | u64::from(is_lost(cell)))
            .collect();
        self.waiting.collect(&self.crew, &*self.back, &known)?;
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

    /// Requests the margins of the children of a position: each has one. Returns whether more positions are left.
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

    /// Sets positions to the best of their moves.
    fn answered(&mut self, known: &Pending) -> Result<(), SolveError> {
        for (at, place) in known.moves.positions.iter().enumerate() {
            let cell = self.layout.locate(place.number).1;
            let children = known.moves.of(at);
            let worths = known.moves.children[children.clone()].iter().zip(&known.codes[children]);
            let worths = worths.map(|(&(_, step), &code)| Some(decoded(code)?.back(step)));
            let best = worths.collect::<Option<Vec<_>>>().and_then(|worths| worths.into_iter().max());
            let Some(best) = best else {
                return Err(self.broken(cell, "leads to an index without a value"));
            };
            self.set(cell, Some(best), FIRST_RANK)?;
            self.next.push(cell as u32);
        }
        Ok(())
    }

    /// Ends a part: open positions are worth nothing to both players.
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

    /// Ends a round of a rank.
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

    /// Ends a round of requests.
    fn asked(&mut self, reports: &[Vec<u64>]) -> Result<(), SolveError> {
        if sum(reports, 0)? == 0 {
            self.ready = Vec::new();
            let next = std::mem::take(&mut self.next);
            self.begin_rank(0, next);
        }
        Ok(())
    }

    /// Returns the margin and rank of a cell.
    fn found(&self, cell: u64) -> Option<Ranked> {
        Some((self.value(cell)?, self.rank(cell).saturating_sub(FIRST_RANK)))
    }

    /// Returns the least width that holds the own cells.
    fn least_width(&self) -> Option<Width> {
        let points = Coding { meaning: Meaning::Points, width: Width::One };
        let least = |found: Ranked| match self.ranked {
            true => least_width(found),
            false => points.least_width(found.0),
        };
        let found = (0..self.layout.cells(self.shard)).filter_map(|cell| self.found(cell));
        found.map(least).try_fold(Width::One, |width, least| Some(width.max(least?)))
    }

    /// Encodes the cells as the table does, in place.
    fn lay_out(&mut self, width: Width) -> Result<(), SolveError> {
        // Another shard may need a larger width.
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
    fn apply(&mut self, own: u64, updates: impl Iterator<Item = Update>) -> Result<(), SolveError> {
        let updates: Vec<Update> = updates.collect();
        self.apply_all(vec![(own, vec![&updates])])
    }

    fn apply_all(&mut self, blocks: Vec<(u64, Vec<&[Update]>)>) -> Result<(), SolveError> {
        let (shift, ranked, span, from) = (self.layout.shift(), self.ranked, self.span(), self.counts_from());
        let margin = self.margin.cast_signed();
        let [won, lost] = [margin, -margin].map(|margin| coded(Value::points(margin)));
        let (won, lost, rank) = (won?, lost?, FIRST_RANK + self.rank + 1);
        if ranked {
            self.cells.widen_for(won.max(lost).max(rank))?;
        }
        let Self { crew, cells, counts, .. } = self;
        let widths = (cells.width(), counts.width());
        let bytes = |cells: u64, width: Width| width.bytes(cells).unwrap_or(u64::MAX) as usize;
        let mut cells = (0..).zip(cells.bytes_mut().chunks_mut(bytes(2 << shift, widths.0)));
        let mut counts = (from >> shift..).zip(counts.bytes_mut().chunks_mut(bytes(1 << shift, widths.1)));
        let mut tasks = Vec::with_capacity(blocks.len());
        let mut beyond = None;
        for (own, updates) in blocks {
            let cells = cells.find(|(block, _)| *block == own);
            let counts = counts.find(|(block, _)| *block == own);
            match (cells, counts) {
                (Some((_, cells)), Some((_, counts))) => tasks.push((own << shift, updates, cells, counts)),
                _ => beyond = beyond.or(Some(own << shift)),
            }
        }
        let level = Level { ranked, span, widths, margin, won, lost, rank };
        let settled = crew.map(tasks, &|(first, updates, cells, counts): Task<'_>| {
            level.settle(first, updates.into_iter().flatten().copied(), cells, counts)
        });
        for settled in settled {
            let settled = settled.map_err(|(cell, how)| self.broken(cell, how))?;
            let list = if ranked { &mut self.next } else { &mut self.ready };
            list.extend(settled);
        }
        beyond.map_or(Ok(()), |cell| Err(self.broken(cell, BEYOND_PART)))
    }
}

/// A block: its first cell, the updates of its cells, the cells and their counts.
type Task<'t> = (u64, Vec<&'t [Update]>, &'t mut [u8], &'t mut [u8]);

/// The reason to refuse a predecessor in another part.
const BEYOND_PART: &str = "stands before one of another part";

/// A rank of a margin, while the predecessors of its positions are updated.
struct Level {
    ranked: bool,
    /// The cells of the part.
    span: Range<u64>,
    /// The widths of cells and of counts.
    widths: (Width, Width),
    margin: i32,
    /// The codes of the margin for the player who has it, and for the opponent.
    won: u32,
    lost: u32,
    /// The code of the next rank.
    rank: u32,
}

impl Level {
    /// Updates the cells of the block that begins at cell `first`; returns those that are settled or, without ranks, ready.
    ///
    /// # Errors
    /// A cell, and the promise of the game that it breaks.
    fn settle(
        &self,
        first: u64,
        updates: impl Iterator<Item = Update>,
        cells: &mut [u8],
        counts: &mut [u8],
    ) -> Result<Vec<u32>, (u64, &'static str)> {
        let (width, counts_width) = self.widths;
        let mut settled = Vec::new();
        for update in updates {
            let at = (update & !WINS) as usize;
            let cell = first + at as u64;
            if !self.span.contains(&cell) {
                return Err((cell, BEYOND_PART));
            }
            if code(cells, width, 2 * at + 1) != OPEN {
                continue;
            }
            let wins = self.ranked && update & WINS != 0;
            if !wins {
                let left = code(counts, counts_width, at).checked_sub(1);
                let left = left.ok_or((cell, "has fewer moves than lead back to it"))?;
                set_code(counts, counts_width, at, left);
                let leaving = decoded(code(cells, width, 2 * at));
                // Another move may still be better than this margin.
                if left > 0
                    || self.ranked && leaving.is_some_and(|leaving| leaving > Value::points(-self.margin))
                {
                    continue;
                }
            }
            if self.ranked {
                set_code(cells, width, 2 * at, if wins { self.won } else { self.lost });
                set_code(cells, width, 2 * at + 1, self.rank);
            }
            settled.push(cell as u32);
        }
        Ok(settled)
    }
}

impl TakeCells for ThresholdShard<'_> {
    fn take_cells(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.finished.bytes)
    }
}

impl<'a> TakePredecessors<'a> for ThresholdShard<'a> {
    fn set_predecessors(&mut self, back: Box<dyn Collect + 'a>) {
        self.back = back;
    }
}

/// Returns the width with this number in checkpoints and reports.
fn width_of(word: u64) -> Option<Width> {
    [Width::One, Width::Two, Width::Four].into_iter().find(|&width| width as u64 == word)
}

impl Shard for ThresholdShard<'_> {
    fn layout(&self) -> Layout {
        self.layout
    }

    // A margin and a rank; the counts are those of one part alone.
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
                    Some(known) => self.judge(&known).and_then(|looked| self.note_all(looked)),
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
            Phase::Look => format!("part {part}, moves").into(),
            Phase::Back if self.ranked => {
                format!("part {part}, margin {}, rank {}", self.margin, self.rank).into()
            }
            Phase::Back | Phase::Ask => format!("part {part}, margins").into(),
            Phase::Measure => Activity::Writing,
            Phase::Prove => return self.prover.progress(),
        };
        let looked =
            if self.phase == Phase::Look { self.look.1.saturating_sub(self.span().start) } else { 0 };
        Progress { what, done: self.done + looked, total: self.layout.count() }
    }

    // Without ranks, a later run begins the current part again.
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
        if part > self.parts.list().len() as u64 || kept.width == Width::Quarter {
            return false;
        }
        self.ranked = ranked > 0;
        self.begin_part(part as usize);
        let back = back > 0;
        let begun = back || at > 0;
        let cells = kept.width.bytes(2 * self.layout.cells(self.shard)).unwrap_or(u64::MAX);
        let rest = if begun { counts.bytes(self.counts_len()).unwrap_or(u64::MAX) } else { 0 };
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
        if self.ranked {
            self.prover.by_ranks(self.parts.clone());
        }
    }

    fn assurance(&self) -> Assurance {
        self.prover.assurance(self.coding)
    }
}
