//! The interpreter: finds the legal moves of a position, one after the other, and the positions they lead to.
//!
//! A move is a path of modifiers. From an instruction, all modifiers are found that can be reached without another one
//! between: first all of them, by a depth-first search that visits each instruction and cell once. Then each is
//! applied, the search continues from there, and it is undone. So two paths to the same modifiers are one move.

use std::ops::ControlFlow;

use grundy_core::game::{Flow, MORE};

use crate::board::NOWHERE;
use crate::instructions::{At, Code, Op, Test};
use crate::limits;
use crate::program::{Expr, Program};

/// A modifier, by its index, and the cell where it was applied.
pub type Mark = (u32, u16);

/// The undo information of a modifier.
#[derive(Clone, Copy, Debug)]
enum Change {
    Cell(u16, u8),
    Variable(u16, i64),
}

/// A prefix of a move: its continuations, and its changes.
#[derive(Clone, Copy, Debug)]
struct Frame {
    begin: usize,
    now: usize,
    changes: usize,
}

/// The budget that was exceeded, and the instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Runaway {
    /// The budget in words.
    pub what: &'static str,
    /// The instruction.
    pub at: At,
}

// The budgets that a query can exceed, each with what to do.
const STEPS: &str = "more than 20 million steps for few moves: expected conditions that fail earlier";
const CHECKED: &str =
    "more than 600 actions within a check: expected a condition in the loop that fails at some time";
const MODIFIERS: &str =
    "more than 20000 actions in one move: expected a condition in the loop that fails at some time";
const KEEPER: &str =
    "more than 200000 moves of the keeper: expected a condition in the loop that fails at some time";

/// The point at which the game is in its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// The next instruction.
    pub at: At,
    /// The current cell.
    pub cell: u16,
    /// The player to move; `None` is the keeper.
    pub turn: Option<u8>,
}

/// A board, variables, and the working memory of a search for moves.
#[derive(Debug, Default)]
pub struct Machine {
    /// The piece on each cell.
    pub cells: Vec<u8>,
    /// Number of each piece on the board.
    counts: Vec<i64>,
    /// The cells that have each piece, on boards of no more than 64 cells.
    places: Vec<u64>,
    /// The cells that have a piece of each set of the formulas.
    bits: Vec<u64>,
    /// The values of scores and variables.
    pub variables: Vec<i64>,
    bounds: Vec<i64>,
    changes: Vec<Change>,
    /// The modifiers of the move so far.
    pub path: Vec<Mark>,
    frames: Vec<Frame>,
    /// Modifiers that can come next, for all frames.
    open: Vec<(At, u16)>,
    stack: Vec<(At, u16)>,
    /// The last search that visited each join and cell.
    seen: Vec<u32>,
    search: u32,
    /// Steps that no move has paid for.
    steps: u64,
    /// The other steps.
    pub spent: u64,
    checked: usize,
    /// The budget that was exceeded, if one was.
    pub runaway: Option<Runaway>,
}

impl Machine {
    /// Returns a machine for one program.
    pub fn new(program: &Program, code: &Code) -> Machine {
        let cells = program.board.cells();
        let mut machine = Machine {
            cells: program.board.start.clone(),
            counts: vec![0; program.pieces.len()],
            places: vec![0; program.pieces.len()],
            bits: vec![0; code.formulas.sets],
            variables: vec![0; program.variables.len()],
            bounds: program.variables.iter().map(|bounded| i64::from(bounded.bound)).collect(),
            seen: vec![0; (code.joins as usize + 1) * cells],
            ..Machine::default()
        };
        machine.look_over(code);
        machine
    }

    /// Recounts the pieces after the cells were set from outside.
    pub fn look_over(&mut self, code: &Code) {
        self.counts.fill(0);
        self.places.fill(0);
        self.bits.fill(0);
        for (cell, &piece) in self.cells.iter().enumerate() {
            self.counts[usize::from(piece)] += 1;
            self.places[usize::from(piece)] |= 1 << (cell & 63);
            for &set in &code.formulas.sets_of[usize::from(piece)] {
                self.bits[set as usize] |= 1 << cell;
            }
        }
    }

    /// Puts a piece on a cell; returns the one that was there.
    #[inline]
    fn exchange(&mut self, code: &Code, cell: u16, piece: u8) -> u8 {
        let old = std::mem::replace(&mut self.cells[usize::from(cell)], piece);
        self.counts[usize::from(old)] -= 1;
        self.counts[usize::from(piece)] += 1;
        let bit = 1 << (cell & 63);
        self.places[usize::from(old)] &= !bit;
        self.places[usize::from(piece)] |= bit;
        for &set in &code.formulas.sets_of[usize::from(old)] {
            self.bits[set as usize] &= !(1 << cell);
        }
        for &set in &code.formulas.sets_of[usize::from(piece)] {
            self.bits[set as usize] |= 1 << cell;
        }
        old
    }

    /// Discards the remains of an earlier query; board and variables stay.
    pub fn begin(&mut self) {
        self.changes.clear();
        self.path.clear();
        self.frames.clear();
        self.open.clear();
        self.stack.clear();
        self.spent += std::mem::take(&mut self.steps);
        self.checked = 0;
        self.runaway = None;
        if self.search > u32::MAX / 2 {
            self.seen.fill(0);
            self.search = 0;
        }
    }

    /// Returns the number of changes in force.
    pub fn mark(&self) -> usize {
        self.changes.len()
    }

    /// Returns the cells of the changes in force; one may occur several times.
    pub fn changed(&self) -> impl Iterator<Item = u16> {
        self.changes.iter().filter_map(|change| match change {
            Change::Cell(cell, _) => Some(*cell),
            Change::Variable(..) => None,
        })
    }

    /// Returns the number of a piece on the board.
    pub fn count(&self, piece: u8) -> i64 {
        self.counts[usize::from(piece)]
    }

    /// Undoes changes back to a mark.
    pub fn undo(&mut self, code: &Code, mark: usize) {
        while self.changes.len() > mark {
            match self.changes.pop() {
                Some(Change::Cell(cell, piece)) => {
                    self.exchange(code, cell, piece);
                }
                Some(Change::Variable(variable, value)) => self.variables[usize::from(variable)] = value,
                None => break,
            }
        }
    }

    #[cold]
    fn run_away(&mut self, what: &'static str, at: At) {
        self.runaway.get_or_insert(Runaway { what, at });
    }

    /// Applies a modifier of the board or of a variable; returns `false` if its value is out of bounds.
    #[inline]
    pub fn modify(&mut self, code: &Code, op: Op, cell: u16) -> bool {
        match op {
            Op::Off(piece) => {
                let old = self.exchange(code, cell, piece);
                self.changes.push(Change::Cell(cell, old));
                true
            }
            Op::Assign(variable, value) => {
                let place = usize::from(variable);
                let value = match &code.values[value as usize] {
                    Expr::Number(number) => Some(*number),
                    value => self.value(value),
                };
                let Some(value) = value.filter(|value| (0..=self.bounds[place]).contains(value)) else {
                    return false;
                };
                let old = std::mem::replace(&mut self.variables[place], value);
                self.changes.push(Change::Variable(variable, old));
                true
            }
            _ => true,
        }
    }

    fn value(&self, expr: &Expr) -> Option<i64> {
        match expr {
            Expr::Number(number) => Some(*number),
            Expr::Variable(variable) => Some(self.variables[usize::from(*variable)]),
            Expr::Count(piece) => Some(self.counts[usize::from(*piece)]),
            Expr::Join(operator, pair) => operator.join(self.value(&pair.0)?, self.value(&pair.1)?),
        }
    }

    #[inline]
    fn holds(&self, test: &Test) -> bool {
        match test {
            Test::Variable(variable, comparison, number) => {
                comparison.holds(self.variables[usize::from(*variable)], *number)
            }
            Test::Any(left, comparison, right) => match (self.value(left), self.value(right)) {
                (Some(left), Some(right)) => comparison.holds(left, right),
                _ => false,
            },
        }
    }

    /// Finds the modifiers that come next from an instruction and a cell and appends them to `open`. Returns whether
    /// the end of the instructions was reached, which ends the search if `only_end`.
    fn reach(&mut self, code: &Code, at: At, cell: u16, only_end: bool) -> bool {
        let base = self.stack.len();
        self.search += 1;
        let search = self.search;
        let cells = self.cells.len();
        let mut ended = false;
        self.stack.push((at, cell));
        while self.stack.len() > base {
            let Some((mut at, mut cell)) = self.stack.pop() else { break };
            loop {
                self.steps += 1;
                if self.steps > limits::STEPS {
                    self.run_away(STEPS, at);
                    self.stack.truncate(base);
                    return ended;
                }
                let instruction = code.all[at as usize];
                if instruction.join != 0 {
                    let seen = &mut self.seen[instruction.join as usize * cells + usize::from(cell)];
                    if std::mem::replace(seen, search) == search {
                        break;
                    }
                }
                match instruction.op {
                    Op::Step(step) => {
                        cell = code.steps[step as usize][usize::from(cell)];
                        if cell == NOWHERE {
                            break;
                        }
                    }
                    Op::On(set) => {
                        if !code.sets[set as usize][usize::from(self.cells[usize::from(cell)])] {
                            break;
                        }
                    }
                    Op::Walk(walk) => {
                        self.walk(code, walk, cell, instruction.next);
                        break;
                    }
                    Op::Place(place) => {
                        if !code.places[place as usize][usize::from(cell)] {
                            break;
                        }
                    }
                    Op::Compare(test) => {
                        if !self.holds(&code.comparisons[test as usize]) {
                            break;
                        }
                    }
                    Op::Check { negated, start } => {
                        if let Some(formula) = code.formulas.of(at, cell) {
                            if code.formulas.holds(formula, &self.bits) == negated {
                                break;
                            }
                        } else if self.leads(code, start, cell) == negated {
                            break;
                        }
                        if self.runaway.is_some() {
                            self.stack.truncate(base);
                            return ended;
                        }
                    }
                    Op::Branch(begin, end) => {
                        let branches = &code.branches[begin as usize..end as usize];
                        let Some((&first, others)) = branches.split_first() else { break };
                        self.stack.extend(others.iter().rev().map(|&branch| (branch, cell)));
                        at = first;
                        continue;
                    }
                    Op::Off(_) | Op::Assign(..) | Op::Switch(_) => {
                        self.open.push((at, cell));
                        break;
                    }
                    Op::End => {
                        ended = true;
                        if only_end {
                            self.stack.truncate(base);
                            return true;
                        }
                        break;
                    }
                }
                at = instruction.next;
            }
        }
        ended
    }

    /// Pushes the targets of a walk on the stack, the first on top; or appends them to `open`, if a modifier comes
    /// next.
    #[inline]
    fn walk(&mut self, code: &Code, walk: u32, cell: u16, next: At) {
        let instruction = code.all[next as usize];
        // A test of the piece on the cell comes next more often than not.
        let Op::On(set) = instruction.op else {
            let targets = code.walks.of(walk, cell);
            if code.is_plain_modifier(next) {
                self.open.extend(targets.iter().map(|&to| (next, to)));
            } else {
                self.stack.extend(targets.iter().rev().map(|&to| (next, to)));
            }
            return;
        };
        // A join remembers its cells, so it is visited by itself.
        let after = if instruction.join == 0 { instruction.next } else { next };
        let at_once = instruction.join == 0 && code.is_plain_modifier(after);
        if let Some((targets, rising)) = code.walks.bits(walk, cell) {
            let members = code.members[set as usize].iter();
            let mut hits = targets & members.fold(0, |bits, &piece| bits | self.places[usize::from(piece)]);
            if rising || hits & hits.wrapping_sub(1) == 0 {
                while hits != 0 {
                    if at_once {
                        self.open.push((after, hits.trailing_zeros() as u16));
                        hits &= hits - 1;
                    } else {
                        let last = hits.ilog2();
                        self.stack.push((after, last as u16));
                        hits ^= 1 << last;
                    }
                }
                return;
            }
            let hit = |to: &&u16| hits >> **to & 1 == 1;
            let targets = code.walks.of(walk, cell).iter();
            let count = hits.count_ones() as usize;
            if at_once {
                self.open.extend(targets.filter(hit).take(count).map(|&to| (after, to)));
            } else {
                self.stack.extend(targets.rev().filter(hit).take(count).map(|&to| (after, to)));
            }
            return;
        }
        let (set, board) = (&code.sets[set as usize], &self.cells);
        let hit = |to: &&u16| set[usize::from(board[usize::from(**to)])];
        let targets = code.walks.of(walk, cell).iter();
        if at_once {
            self.open.extend(targets.filter(hit).map(|&to| (after, to)));
        } else {
            self.stack.extend(targets.rev().filter(hit).map(|&to| (after, to)));
        }
    }

    /// Reports whether the instructions lead to an end from here; board and variables are unchanged.
    fn leads(&mut self, code: &Code, at: At, cell: u16) -> bool {
        let base = self.open.len();
        if self.reach(code, at, cell, true) {
            self.open.truncate(base);
            return true;
        }
        let mut found = false;
        let mut now = base;
        while !found && now < self.open.len() && self.runaway.is_none() {
            let (at, cell) = self.open[now];
            now += 1;
            let (Op::Off(_) | Op::Assign(..)) = code.all[at as usize].op else {
                // A switch inside of a check continues like any action, and changes nothing.
                found = self.leads_deeper(code, at, cell);
                continue;
            };
            let mark = self.mark();
            if self.modify(code, code.all[at as usize].op, cell) {
                found = self.leads_deeper(code, at, cell);
            }
            self.undo(code, mark);
        }
        self.open.truncate(base);
        found
    }

    fn leads_deeper(&mut self, code: &Code, at: At, cell: u16) -> bool {
        if self.checked >= limits::CHECKED {
            self.run_away(CHECKED, at);
            return false;
        }
        self.checked += 1;
        let found = self.leads(code, code.all[at as usize].next, cell);
        self.checked -= 1;
        found
    }

    /// Visits every legal move from here: `found` sees the machine with the move's modifiers applied and in `path`, and
    /// the cursor after it. If `found` stops, its changes stay in force.
    pub fn moves(
        &mut self,
        code: &Code,
        at: At,
        cell: u16,
        found: &mut dyn FnMut(&mut Machine, Cursor) -> Flow,
    ) -> Flow {
        let (base, start) = (self.frames.len(), self.path.len());
        self.enter(code, at, cell, self.mark());
        while let Some(&Frame { begin, now, changes }) = self.frames.last() {
            if self.runaway.is_some() {
                break;
            }
            if now == self.open.len() {
                self.open.truncate(begin);
                self.frames.pop();
                self.undo(code, changes);
                if self.frames.len() == base {
                    return MORE;
                }
                self.path.pop();
                continue;
            }
            if let Some(frame) = self.frames.last_mut() {
                frame.now += 1;
            }
            let (at, cell) = self.open[now];
            let instruction = code.all[at as usize];
            let mark = self.mark();
            if let Op::Switch(turn) = instruction.op {
                self.path.push((instruction.modifier, cell));
                // A move pays for few steps, so that many moves which are hard to find run away as well.
                let paid = self.steps.min(limits::STEPS_OF_A_MOVE);
                (self.spent, self.steps) = (self.spent + paid, self.steps - paid);
                let flow = found(self, Cursor { at: instruction.next, cell, turn });
                if flow.is_break() {
                    self.leave(base, start);
                    return flow;
                }
                self.undo(code, mark);
                self.path.pop();
            } else if self.modify(code, instruction.op, cell) {
                if self.path.len() >= limits::MODIFIERS {
                    self.run_away(MODIFIERS, at);
                    break;
                }
                self.path.push((instruction.modifier, cell));
                self.enter(code, instruction.next, cell, mark);
            }
        }
        self.leave(base, start);
        ControlFlow::Break(())
    }

    /// Discards the open modifiers of a search that ended early.
    fn leave(&mut self, base: usize, start: usize) {
        if let Some(frame) = self.frames.get(base) {
            self.open.truncate(frame.begin);
        }
        self.frames.truncate(base);
        self.path.truncate(start);
    }

    fn enter(&mut self, code: &Code, at: At, cell: u16, changes: usize) {
        let begin = self.open.len();
        self.reach(code, at, cell, false);
        self.frames.push(Frame { begin, now: begin, changes });
    }

    /// Plays the keeper until a player is to move: each time the first move that is found. `None` if the keeper has no
    /// move, which ends the game. The changes stay in force.
    pub fn settle(&mut self, code: &Code, cursor: Cursor) -> Option<Cursor> {
        let mut cursor = cursor;
        let mut count = 0;
        while cursor.turn.is_none() {
            count += 1;
            if count > limits::KEEPER {
                self.run_away(KEEPER, cursor.at);
                return None;
            }
            let mut first = None;
            let _ = self.moves(code, cursor.at, cursor.cell, &mut |_, next| {
                first = Some(next);
                ControlFlow::Break(())
            });
            cursor = first?;
        }
        Some(cursor)
    }

    /// Counts the sequences of exactly `depth` moves of players from here; changes are undone.
    pub fn perft(&mut self, code: &Code, cursor: Cursor, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut count = 0;
        let _ = self.moves(code, cursor.at, cursor.cell, &mut |machine, next| {
            if depth == 1 {
                count += 1;
            } else if let Some(next) = machine.settle(code, next) {
                count += machine.perft(code, next, depth - 1);
            }
            MORE
        });
        count
    }
}
