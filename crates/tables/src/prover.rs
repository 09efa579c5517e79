//! The proof of a table in shards: every shard compares its own values with those of the children, in whichever shard these
//! lie.

use std::ops::Range;

use grundy_core::table::{Coding, Meaning};
use grundy_session::{Assurance, Judge, Layout, Next, Outbox, Progress, SolveError, VerifyError};

use crate::asking::{Message, Pending, Questions, answer, cells, read, unreadable};
use crate::backup::{Backup, Examined};
use crate::codes::Codes;
use crate::moves::{ListMoves, Moves};
use crate::parts::Parts;
use crate::ranked::Ranked;
use crate::verify::{Seen, support};

/// Positions that are examined in one step.
const PIECE: u64 = 1 << 11;

/// Proves the cells of one shard.
pub(crate) struct Prover<'a> {
    moves: Box<dyn ListMoves + 'a>,
    layout: Layout,
    part: u32,
    /// True if an index without a position may have any value.
    loose: bool,
    /// The parts that every move is compared with, if any.
    parts: Option<Parts>,
    /// Finished tables that the proof rests on, in words.
    given: Option<String>,
    questions: Questions,
    /// The next own cell.
    at: u64,
    /// Facts about the own cells examined so far.
    seen: Option<Seen>,
    /// States examined in all shards.
    done: u64,
}

impl<'a> Prover<'a> {
    pub(crate) fn new(
        moves: Box<dyn ListMoves + 'a>,
        layout: Layout,
        part: u32,
        loose: bool,
        parts: Option<Parts>,
    ) -> Prover<'a> {
        let questions = Questions::new(1);
        Prover { moves, layout, part, loose, parts, given: None, questions, at: 0, seen: None, done: 0 }
    }

    /// Records the finished tables that the proof rests on, in words.
    pub(crate) fn rest_on(&mut self, given: &str) {
        self.given = Some(given.to_owned());
    }

    /// Has margins compared with their ranks in these parts of the table.
    pub(crate) fn by_ranks(&mut self, parts: Parts) {
        self.parts = Some(parts);
        self.questions = Questions::new(2);
    }

    /// Examines a piece of the own cells; returns whether more are left.
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
                    return Err(doubt(&VerifyError::Wrong { number, found, expected: None }));
                }
            }
        }
        let code = |cell, nth| code(own, coding, cell, nth);
        match self.questions.ask(layout, part, moves, |_| false, code, out)? {
            Some(known) => self.judge(&known, own, coding),
            None => Ok(()),
        }
    }

    /// Judges positions whose children are known.
    fn judge(&mut self, known: &Pending, own: &Codes, coding: Coding) -> Result<(), SolveError> {
        let Self { layout, parts, seen, .. } = self;
        let seen = seen.get_or_insert_with(|| Seen::new(coding));
        let (ranked, each) = (coding.meaning == Meaning::Ranked, coding.cells() as usize);
        for (at, place) in known.moves.positions.iter().enumerate() {
            let (number, cell) = (place.number, layout.locate(place.number).1);
            let rank = if ranked { code(own, coding, cell, 1) } else { 0 };
            let found = (coding.decode(code(own, coding, cell, 0)), rank);
            let mut backup = Backup::new(number, parts.as_ref(), ranked);
            if let Some(exit) = place.exit {
                backup.add_worth(Some((exit, 0)));
            }
            for at in known.moves.of(at) {
                let (child, step) = known.moves.children[at];
                let codes = &known.codes[each * at..];
                let value = coding.decode(codes[0]);
                let child_found = value.map(|value| -> Ranked { (value, if ranked { codes[1] } else { 0 }) });
                backup.add(child, step, child_found);
            }
            let examined = place.over.map_or_else(|| backup.examined(), Examined::Over);
            seen.judge(coding, number, found, examined).map_err(|wrong| doubt(&wrong))?;
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

    /// Returns the report of a round: whether cells are left, how many were examined, and the facts about them.
    pub(crate) fn report(&self, coding: Coding) -> Vec<u64> {
        let rest = u64::from(self.at < self.layout.cells(self.part));
        let (width, unmeasured) = match &self.seen {
            Some(seen) => seen.words(),
            None => Seen::new(coding).words(),
        };
        vec![rest, self.at, width, unmeasured]
    }

    /// Ends a round by the reports of all shards.
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
        Progress { what: "positions verified".into(), done: self.done, total: self.layout.count() }
    }

    /// Returns how far cells of this coding may be believed after the last round.
    pub(crate) fn assurance(&self, coding: Coding) -> Assurance {
        let support = support(coding.meaning, self.parts.is_some());
        Judge::new(coding.unit(), support).given(self.given.clone()).assurance()
    }
}

/// Returns the `nth` code of an own cell.
fn code(own: &Codes, coding: Coding, cell: u64, nth: usize) -> u32 {
    own.get(coding.width, cell as usize * coding.cells() as usize + nth)
}

fn doubt(doubt: &VerifyError) -> SolveError {
    SolveError::Broken(doubt.to_string())
}
