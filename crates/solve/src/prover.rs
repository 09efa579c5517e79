//! The proof of a table in shards: every shard compares its own values with those of the children, wherever these lie.

use std::ops::Range;

use grundy_core::table::{Coding, Meaning, Width};
use grundy_core::value::Value;
use grundy_session::{Belief, Doubt, Judge, Layout, Next, Outbox, Progress, SolveError};

use crate::asking::{Message, Pending, Questions, answer, cells, read, unreadable};
use crate::codes::Codes;
use crate::layers::Precedence;
use crate::moves::{ListMoves, Moves};
use crate::ranked::{best_ranked, judge_ranked, least_width};
use crate::verify::{Seen, coarse, support};

/// Positions that are looked at in one step.
const PIECE: u64 = 1 << 11;

/// Proves the cells of one shard.
pub(crate) struct Prover<'a> {
    moves: Box<dyn ListMoves + 'a>,
    layout: Layout,
    part: u32,
    /// Whether a number that no position has may have any value.
    loose: bool,
    /// Which numbers come before which, where that is checked; of margins with ranks, the parts of the table.
    order: Option<Precedence>,
    /// Finished tables that the proof rests on, where there are some.
    given: Option<String>,
    questions: Questions,
    /// The own cell where the work goes on.
    at: u64,
    /// What has been seen by this shard.
    seen: Option<Seen>,
    /// Numbers looked at in all shards.
    done: u64,
}

impl<'a> Prover<'a> {
    pub(crate) fn new(
        moves: Box<dyn ListMoves + 'a>,
        layout: Layout,
        part: u32,
        loose: bool,
        order: Option<Precedence>,
    ) -> Prover<'a> {
        let questions = Questions::new(1);
        Prover { moves, layout, part, loose, order, given: None, questions, at: 0, seen: None, done: 0 }
    }

    /// The proof rests on these finished tables.
    pub(crate) fn rest_on(&mut self, given: &str) {
        self.given = Some(given.to_owned());
    }

    /// The margins have ranks in these parts of the table.
    pub(crate) fn by_ranks(&mut self, parts: Precedence) {
        self.order = Some(parts);
        self.questions = Questions::new(2);
    }

    /// Looks at a piece of the own cells.
    pub(crate) fn work(&mut self, own: &Codes, coding: Coding, out: &mut Outbox) -> Result<bool, SolveError> {
        let len = self.layout.cells(self.part);
        if self.at < len {
            let piece = PIECE.min(1 << self.layout.shift()).min(len - self.at);
            let first = self.layout.number(self.part, self.at);
            self.at += piece;
            self.piece(first..first + piece, own, coding, out)?;
        }
        Ok(self.at < len)
    }

    fn piece(
        &mut self,
        range: Range<u64>,
        own: &Codes,
        coding: Coding,
        out: &mut Outbox,
    ) -> Result<(), SolveError> {
        let Self { layout, part, .. } = *self;
        let mut moves = Moves::default();
        self.moves.list(range.clone(), &mut moves);
        if !self.loose {
            let mut positions = moves.positions.iter().map(|place| place.number).peekable();
            for number in range {
                let hole = positions.next_if_eq(&number).is_none();
                let found = coding.decode(code(own, coding, layout.locate(number).1, 0));
                if hole && found.is_some() {
                    return Err(doubt(&Doubt::Wrong { number, found, expected: None }));
                }
            }
        }
        let code = |cell, nth| code(own, coding, cell, nth);
        match self.questions.ask(layout, part, moves, |_| false, code, out)? {
            Some(known) => self.judge(&known, own, coding),
            None => Ok(()),
        }
    }

    fn judge(&mut self, known: &Pending, own: &Codes, coding: Coding) -> Result<(), SolveError> {
        match (&self.order, coding.meaning) {
            (Some(parts), Meaning::Ranked) => {
                let width = compare_ranks(known, parts, self.layout, own, coding);
                let width = width.map_err(|wrong| doubt(&wrong))?;
                self.seen.get_or_insert_with(|| Seen::new(coding)).add_width(width);
                Ok(())
            }
            _ => self.compare(known, own, coding),
        }
    }

    /// Compares positions with their children.
    fn compare(&mut self, known: &Pending, own: &Codes, coding: Coding) -> Result<(), SolveError> {
        for (at, place) in known.moves.positions.iter().enumerate() {
            let number = place.number;
            let found = coding.decode(own.get(coding.width, self.layout.locate(number).1 as usize));
            let children = known.moves.of(at);
            let late =
                |child: &u64| self.order.as_ref().is_some_and(|order| !order.comes_before(*child, number));
            let children = known.moves.children[children.clone()].iter().zip(&known.codes[children]);
            if let Some((&(child, _), _)) = children.clone().find(|((child, _), _)| late(child)) {
                return Err(doubt(&Doubt::Order { number, child }));
            }
            let mut worths = children.map(|(&(_, step), &code)| Some(coding.decode(code)?.back(step)));
            let best =
                || worths.try_fold(place.exit, |best: Option<Value>, worth| Some(best.max(Some(worth?))))?;
            let expected = place.over.map_or_else(best, |ended| coarse(coding, ended));
            let seen = self.seen.get_or_insert_with(|| Seen::new(coding));
            seen.judge(coding, number, place.over, found, expected).map_err(|wrong| doubt(&wrong))?;
        }
        Ok(())
    }

    /// Answers a question, or takes an answer.
    pub(crate) fn take(
        &mut self,
        own: &Codes,
        coding: Coding,
        from: u32,
        message: &[u8],
        out: &mut Outbox,
    ) -> Result<(), SolveError> {
        match read(message)? {
            Message::Ask(id, asked) => {
                let each = coding.cells() as usize;
                let codes = cells(asked).flat_map(|cell| each * cell..each * (cell + 1));
                out.send(from, answer(id, coding.width, codes.map(|at| own.get(coding.width, at))));
                Ok(())
            }
            Message::Answer(id, codes) => match self.questions.answered(from, id, codes, coding.width)? {
                Some(known) => self.judge(&known, own, coding),
                None => Ok(()),
            },
        }
    }

    /// What is left, how many numbers were looked at, and what they need.
    pub(crate) fn report(&self, coding: Coding) -> Vec<u64> {
        let rest = u64::from(self.at < self.layout.cells(self.part));
        let (width, unmeasured) = match &self.seen {
            Some(seen) => seen.words(),
            None => Seen::new(coding).words(),
        };
        vec![rest, self.at, width, unmeasured]
    }

    /// Ends a round.
    pub(crate) fn next(&mut self, reports: &[Vec<u64>], coding: Coding) -> Result<Next, SolveError> {
        let mut rest = false;
        let mut all = Seen::new(coding);
        self.done = 0;
        for report in reports {
            let &[left, done, width, unmeasured] = report.as_slice() else { return Err(unreadable()) };
            rest |= left > 0;
            self.done += done;
            all.add_words(width, unmeasured);
        }
        if rest {
            return Ok(Next::Round);
        }
        all.agrees_with(coding).map_err(|wrong| doubt(&wrong))?;
        Ok(Next::Done)
    }

    pub(crate) fn progress(&self) -> Progress {
        Progress { what: "positions verified".to_owned(), done: self.done, total: self.layout.count() }
    }

    /// How far cells of this coding may be believed when the rounds have ended.
    pub(crate) fn belief(&self, coding: Coding) -> Belief {
        let support = support(coding.meaning, self.order.is_some());
        Judge::new(coding.unit(), support).given(self.given.clone()).belief()
    }
}

/// A code of an own cell.
fn code(own: &Codes, coding: Coding, cell: u64, nth: usize) -> u32 {
    own.get(coding.width, cell as usize * coding.cells() as usize + nth)
}

/// Compares margins and ranks with those of the children, as [`thresholds::verify`](crate::thresholds::verify) does;
/// gives the width that they need.
fn compare_ranks(
    known: &Pending,
    parts: &Precedence,
    layout: Layout,
    own: &Codes,
    coding: Coding,
) -> Result<Width, Doubt> {
    let mut width = Width::One;
    for (at, place) in known.moves.positions.iter().enumerate() {
        let (number, cell) = (place.number, layout.locate(place.number).1);
        let found = coding.decode(code(own, coding, cell, 0));
        let part = parts.place(number);
        let mut children = Vec::with_capacity(16);
        let mut missing = false;
        for at in known.moves.of(at) {
            let (child, step) = known.moves.children[at];
            let stays = parts.place(child) == part;
            if parts.place(child) > part || stays && step.gain != 0 {
                return Err(Doubt::Order { number, child });
            }
            match coding.decode(known.codes[2 * at]) {
                Some(value) => {
                    children.push((value.back(step), if stays { known.codes[2 * at + 1] } else { 0 }));
                }
                None => missing = true,
            }
        }
        let expected = match place.over {
            Some(ended) => Some((ended, 0)),
            None => best_ranked(&children).filter(|_| !missing),
        };
        judge_ranked(number, (found, code(own, coding, cell, 1)), expected)?;
        width = width.max(expected.and_then(least_width).unwrap_or(Width::Four));
    }
    Ok(width)
}

fn doubt(doubt: &Doubt) -> SolveError {
    SolveError::Broken(doubt.to_string())
}
