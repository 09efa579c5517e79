//! A game read from a rules file, with the traits that the engine uses.
//!
//! A position is the board, the scores and variables, the entry of the rules and the current cell. The keeper's moves
//! are part of the move before them, so that in every position a player is to move or the game is over. If every
//! continuation chooses its cell anew, the cell is no part of the position.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use grundy_core::game::{Flow, Game, MORE, Notation, Player, Scored, hash_of};
use grundy_core::value::{Step, Unit, Value};
use grundy_search::alpha_beta::{Bounds, Heuristic};
use grundy_tables::discovered::{Packed, Reached};
use smallvec::SmallVec;

use crate::board_notation::BoardNotation;
use crate::canonical::Canonical;
use crate::classes::Ground;
use crate::directives::{Scoring, Symmetry};
use crate::instructions::{Code, Op};
use crate::limits;
use crate::machine::{Cursor, Machine, Runaway};
use crate::move_names::MoveNames;
use crate::numbering::{Numbering, Unnumbered};
use crate::packing::PositionPacking;
use crate::parse::parse;
use crate::position::{Entry, Move, NAMED, Position};
use crate::program::Program;
use crate::source::Fault;
use crate::symbolic::compile;
use crate::symmetry::{self, Image, Symmetries, Why};

/// The rules of a game from a file.
#[derive(Debug)]
pub struct Rules {
    /// The file.
    pub program: Program,
    /// Its instructions.
    pub code: Code,
    /// The entries of the rules; the last two are the end of the game with either player's turn.
    pub entries: Vec<Entry>,
    /// The entry of each instruction and player, or [`NO_ENTRY`].
    entry_of: Vec<[u16; 2]>,
    /// The entry after each switch to a player outside of checks, in reading order with powers expanded.
    pub switches: Vec<u16>,
    /// The packing of positions, if they fit.
    pub packing: Option<PositionPacking>,
    /// The symmetries of packed positions, computed on first use.
    canonical: OnceLock<(Canonical, Option<Why>)>,
    /// The indexing of packed positions by a formula, computed on first use.
    numbering: OnceLock<Result<Numbering, Unnumbered>>,
    /// The indices that can be reached, once they were found.
    pub(crate) reached: OnceLock<Reached>,
    /// The exchange of the players if both have the same moves, computed on first use.
    pub(crate) exchange: OnceLock<Option<Image>>,
    /// Why positions have no value, computed on first use.
    pub(crate) unvalued: OnceLock<Option<String>>,
    /// The notation of squares and pieces.
    pub board_notation: BoardNotation,
    start: Position,
    /// The names of the moves of the last position.
    pub(crate) move_names: MoveNames,
    /// The first rule that ran away, and the message about it.
    fault: OnceLock<(Runaway, String)>,
    /// Warning logged once for a position with too many moves to solve (it can still be played).
    crowd: OnceLock<String>,
    /// `true` once the file was read: until then a fault is an error and is not logged.
    begun: bool,
    number: u64,
}

/// Number of moves of the start, or of a position that was typed, that are listed to detect a rule that runs away.
const LISTED: usize = 100_000;
/// Number of positions from which the usual values are learned.
const USUAL: usize = 200;

const NO_ENTRY: u16 = u16::MAX;

/// A unique id, so that machines are reused by their own game only.
static NUMBERS: AtomicU64 = AtomicU64::new(1);

thread_local! {
    /// Idle machines, each with the id of its game.
    static MACHINES: RefCell<Vec<(u64, Machine)>> = const { RefCell::new(Vec::new()) };
}

/// Maximum number of idle machines kept on a thread.
const KEPT: usize = 8;

impl Rules {
    /// Reads a game for two players from a rules file.
    ///
    /// # Errors
    /// The first fault, with its place.
    pub fn new(text: &str) -> Result<Rules, Fault> {
        Rules::from_program(parse(text)?)
    }

    /// Returns a game for two players.
    ///
    /// # Errors
    /// It is too large, or runs away at once.
    pub fn from_program(program: Program) -> Result<Rules, Fault> {
        let place = program.rules.span;
        let code = compile(&program)?;
        let mut entries = Vec::new();
        let mut entry_of = vec![[NO_ENTRY; 2]; code.all.len()];
        let mut switches = Vec::new();
        for &at in code.modifiers[1..].iter().rev().filter(|&&at| !code.checked[at as usize]) {
            let instruction = &code.all[at as usize];
            let Op::Switch(Some(player)) = instruction.op else { continue };
            let entry = &mut entry_of[instruction.next as usize][usize::from(player)];
            if *entry == NO_ENTRY {
                *entry = entries.len() as u16;
                let player = if player == 0 { Player::One } else { Player::Two };
                entries.push(Entry { at: Some(instruction.next), player });
            }
            switches.push(*entry);
            if entries.len() >= usize::from(NO_ENTRY) - 4 {
                return Err(Fault::new(
                    place,
                    "more than 65000 places in the rules where a player is to move",
                ));
            }
        }
        entries.extend([Player::One, Player::Two].map(|player| Entry { at: None, player }));
        let packing = PositionPacking::new(&program, &code, &entries);
        let board_notation = BoardNotation::new(&program)?;
        let start = Position { data: SmallVec::new(), entry: 0, cell: 0 };
        let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
        let (fault, crowd) = (OnceLock::new(), OnceLock::new());
        let (canonical, exchange) = (OnceLock::new(), OnceLock::new());
        let (numbering, reached, unvalued) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        let move_names = MoveNames::default();
        let mut rules = Rules {
            program,
            code,
            entries,
            entry_of,
            switches,
            packing,
            canonical,
            numbering,
            reached,
            exchange,
            unvalued,
            board_notation,
            start,
            move_names,
            fault,
            crowd,
            begun: false,
            number,
        };
        let mut machine = Machine::new(&rules.program, &rules.code);
        let cursor = Cursor { at: rules.code.start, cell: 0, turn: None };
        let cursor = machine.settle(&rules.code, cursor);
        if let Some(runaway) = machine.runaway {
            return Err(Fault::new(rules.code.spans[runaway.at as usize], runaway.what));
        }
        rules.start = rules.seen(&machine, cursor, Player::Two);
        // A rule that runs away shows when all moves of the start are listed, at the latest.
        let mut listed = 0;
        let _ = rules.each(&rules.start, |_, _| {
            listed += 1;
            if listed < LISTED { MORE } else { ControlFlow::Break(()) }
        });
        let usual = rules.early(USUAL);
        rules.learn(&usual);
        if let Some((runaway, _)) = rules.fault.get() {
            return Err(Fault::new(rules.code.spans[runaway.at as usize], runaway.what));
        }
        rules.begun = true;
        Ok(rules)
    }

    /// Returns the symmetries by which positions are indexed: those that are found, with colours only if the author
    /// declares them, since positions that cannot be reached then represent others.
    pub fn canonical(&self) -> &Canonical {
        &self.symmetries().0
    }

    /// Returns the indexing of packed positions by a formula.
    ///
    /// # Errors
    /// Why positions are discovered instead.
    pub fn numbering(&self) -> Result<&Numbering, Unnumbered> {
        let new = || {
            let packing = self.packing.as_ref().ok_or(Unnumbered::Unpacked)?;
            let Rules { program, code, entries, entry_of, .. } = self;
            Numbering::new(&Ground { program, code, entries, entry_of }, packing, self.canonical())
        };
        self.numbering.get_or_init(new).as_ref().map_err(|why| *why)
    }

    /// Returns why no further symmetry was shown to hold.
    pub fn asymmetry(&self) -> Option<Why> {
        self.symmetries().1
    }

    fn symmetries(&self) -> &(Canonical, Option<Why>) {
        self.canonical.get_or_init(|| {
            let Some(packing) = &self.packing else { return Default::default() };
            let colours = self.program.directives.symmetry.iter().any(|&(kind, _)| kind == Symmetry::Colours);
            let Symmetries { mut images, why } =
                symmetry::find(&self.program, &self.code, &self.entries, colours);
            images.retain(|image| packing.fits(image));
            let matters = (0..self.entries.len() as u16).map(|entry| self.cell_matters(entry)).collect();
            (Canonical::new(images, packing, matters), why)
        })
    }

    /// Returns a position and its images by every symmetry, one for each symmetry.
    pub fn images(&self, position: &Position) -> Vec<Position> {
        let mut images = vec![position.clone()];
        let Some(packing) = &self.packing else { return images };
        let code = self.with(|machine| {
            self.load(position, machine);
            packing.pack(&machine.cells, &machine.variables, position.entry, position.cell)
        });
        images.extend(self.canonical().images_of(packing, code).into_iter().map(|code| self.unpack(code)));
        images
    }

    /// Returns the message about a rule that ran away, if one did.
    pub fn fault(&self) -> Option<&str> {
        self.fault.get().map(|(_, what)| what.as_str())
    }

    /// Returns what is said of a rule that ran away.
    fn told(&self, runaway: Runaway) -> String {
        let crate::source::LineColumn { line, column } =
            self.board_notation.place(self.code.spans[runaway.at as usize].at);
        format!("the rule at {line}:{column} runs away: {}", runaway.what)
    }

    /// Returns the message about a rule that runs away in a position; `None` if none does.
    pub(crate) fn runs_away(&self, position: &Position) -> Option<String> {
        self.with(|machine| {
            let cursor = self.load(position, machine)?;
            let mut left = LISTED;
            let _ = machine.moves(&self.code, cursor.at, cursor.cell, &mut |machine, next| {
                machine.settle(&self.code, next);
                left -= 1;
                if left == 0 { ControlFlow::Break(()) } else { MORE }
            });
            machine.runaway.map(|runaway| self.told(runaway))
        })
    }

    /// Records that a rule ran away.
    fn note(&self, machine: &Machine) {
        if let Some(runaway) = machine.runaway
            && self.fault.get().is_none()
        {
            let what = self.told(runaway);
            if self.begun {
                log::warn!("{what}");
            }
            let _ = self.fault.set((runaway, what));
        }
    }

    /// Returns up to about `many` early positions, breadth first.
    pub fn early(&self, many: usize) -> Vec<Position> {
        let mut found = vec![self.start.clone()];
        let mut seen = rustc_hash::FxHashSet::default();
        let mut now = 0;
        // Where moves are expensive to find, fewer positions are returned.
        let mut left = limits::STEPS;
        while now < found.len() && found.len() < many && left > 0 && self.fault.get().is_none() {
            let position = found[now].clone();
            now += 1;
            let mut looked = 0;
            let mut before = self.with(|machine| machine.spent);
            let _ = self.each(&position, |machine, cursor| {
                looked += 1;
                left = left.saturating_sub(machine.spent - before);
                before = machine.spent;
                let child = self.settled(machine, cursor, self.turn(&position));
                if seen.insert(child.clone()) {
                    found.push(child);
                }
                if looked < 64 && found.len() < many && left > 0 { MORE } else { ControlFlow::Break(()) }
            });
        }
        found
    }

    /// Calls `f` with a machine of this game.
    pub(crate) fn with<R>(&self, f: impl FnOnce(&mut Machine) -> R) -> R {
        let own = MACHINES.with(|kept| {
            let mut kept = kept.borrow_mut();
            let at = kept.iter().rposition(|(number, _)| *number == self.number)?;
            Some(kept.swap_remove(at).1)
        });
        let mut machine = own.unwrap_or_else(|| Machine::new(&self.program, &self.code));
        let result = f(&mut machine);
        MACHINES.with(|kept| {
            let mut kept = kept.borrow_mut();
            if kept.len() >= KEPT {
                kept.remove(0);
            }
            kept.push((self.number, machine));
        });
        result
    }

    /// Loads a position into a machine; returns the cursor, or `None` if the game is over.
    pub(crate) fn load(&self, position: &Position, machine: &mut Machine) -> Option<Cursor> {
        machine.begin();
        let (cells, rest) = position.data.split_at(machine.cells.len());
        machine.cells.copy_from_slice(cells);
        machine.look_over(&self.code);
        let mut rest = rest;
        for (value, bounded) in machine.variables.iter_mut().zip(&self.program.variables) {
            let (bytes, after) = rest.split_at(width(bounded.bound));
            *value = bytes.iter().rev().fold(0, |value, &byte| value << 8 | i64::from(byte));
            rest = after;
        }
        self.cursor(position.entry, position.cell)
    }

    /// Returns the cursor at an entry; `None` at the end.
    pub fn cursor(&self, entry: u16, cell: u16) -> Option<Cursor> {
        let entry = self.entries[usize::from(entry)];
        Some(Cursor { at: entry.at?, cell, turn: Some(entry.player as u8) })
    }

    /// Returns the entry of a cursor, or the end after a move of `mover`; and the cell, 0 if it makes no difference.
    pub fn entry(&self, cursor: Option<Cursor>, mover: Player) -> (u16, u16) {
        let ends = self.entries.len() as u16 - 2;
        let Some(Cursor { at, cell, turn: Some(turn) }) = cursor else {
            return (ends + (!mover).index() as u16, 0);
        };
        let cell = if self.code.anywhere[at as usize] { 0 } else { cell };
        (self.entry_of[at as usize][usize::from(turn)], cell)
    }

    /// Reports whether the rules have this entry and the board this cell; a file of positions may name others.
    fn is_place(&self, entry: u16, cell: u16) -> bool {
        usize::from(entry) < self.entries.len() && usize::from(cell) < self.program.board.cells()
    }

    /// Returns the state of a machine as a position.
    pub(crate) fn seen(&self, machine: &Machine, cursor: Option<Cursor>, mover: Player) -> Position {
        let mut data = SmallVec::with_capacity(self.start.data.len());
        data.extend_from_slice(&machine.cells);
        for (value, bounded) in machine.variables.iter().zip(&self.program.variables) {
            data.extend_from_slice(&value.to_le_bytes()[..width(bounded.bound)]);
        }
        let (entry, cell) = self.entry(cursor, mover);
        Position { data, entry, cell }
    }

    /// Returns the position after the keeper has played.
    fn settled(&self, machine: &mut Machine, cursor: Cursor, mover: Player) -> Position {
        let cursor = machine.settle(&self.code, cursor);
        self.note(machine);
        self.seen(machine, cursor, mover)
    }

    /// Visits every legal move of a position on a machine, until `found` stops.
    fn each(&self, position: &Position, mut found: impl FnMut(&mut Machine, Cursor) -> Flow) -> Flow {
        self.with(|machine| {
            let Some(cursor) = self.load(position, machine) else { return MORE };
            let flow = machine.moves(&self.code, cursor.at, cursor.cell, &mut found);
            self.note(machine);
            flow
        })
    }

    /// Visits the machine after each legal move, before the keeper has played, until `visit` returns `false`.
    pub fn each_cursor(&self, position: &Position, visit: &mut dyn FnMut(&mut Machine, Cursor) -> bool) {
        let _ = self.each(position, |machine, cursor| {
            let mark = machine.mark();
            let more = visit(machine, cursor);
            machine.undo(&self.code, mark);
            if more { MORE } else { ControlFlow::Break(()) }
        });
    }

    /// Returns the value of a position's score or variable by its index.
    pub fn variable(&self, position: &Position, number: usize) -> i64 {
        let widths = self.program.variables.iter().map(|bounded| width(bounded.bound));
        let from = self.program.board.cells() + widths.clone().take(number).sum::<usize>();
        let bytes = &position.data[from..from + width(self.program.variables[number].bound)];
        bytes.iter().rev().fold(0, |value, &byte| value << 8 | i64::from(byte))
    }

    /// Returns the value of a finished game for the player whose turn it would be.
    pub fn worth(&self, scores: [i64; 2], turn: Player) -> Value {
        if self.program.directives.scoring == Scoring::Score {
            return Value::points(0);
        }
        match scores[turn.index()].cmp(&scores[(!turn).index()]) {
            std::cmp::Ordering::Less => Value::loss_in(0),
            std::cmp::Ordering::Equal => Value::DRAW,
            std::cmp::Ordering::Greater => Value::win_in(0),
        }
    }

    /// Visits every child, packed, of a packed position that is on a machine, or returns its value.
    pub(crate) fn children(
        &self,
        machine: &mut Machine,
        packing: &PositionPacking,
        (code, entry, cell): (u128, u16, u16),
        visit: &mut dyn FnMut(u128, Step),
    ) -> Option<Value> {
        let canonical = self.canonical();
        let turn = self.entries[usize::from(entry)].player;
        let scores = [machine.variables[0], machine.variables[1]];
        let points = self.program.directives.scoring == Scoring::Score;
        let mut moves = 0;
        if let Some(cursor) = self.cursor(entry, cell) {
            let _ = machine.moves(&self.code, cursor.at, cursor.cell, &mut |machine, cursor| {
                moves += 1;
                if moves > limits::MOVES {
                    self.crowd.get_or_init(|| {
                        let position = self.write_position(&self.unpack(code));
                        format!("more than {} moves at {position}: too many to be solved", limits::MOVES)
                    });
                    return ControlFlow::Break(());
                }
                let cursor = machine.settle(&self.code, cursor);
                let (entry, cell) = self.entry(cursor, turn);
                let child = packing.pack_changed(code, machine, entry, cell);
                let turn_passed = self.entries[usize::from(entry)].player != turn;
                let lead = |values: &[i64]| values[turn.index()] - values[(!turn).index()];
                let gain = if points { lead(&machine.variables) - lead(&scores) } else { 0 };
                visit(canonical.least(packing, child), Step { turn_passed, gain: gain as i32 });
                MORE
            });
            self.note(machine);
        }
        (moves == 0).then(|| self.worth(scores, turn))
    }

    /// Returns the name of a move by its modifiers; a long move is named by its index `place` in the list.
    fn name(&self, path: &[(u32, u16)], place: u32) -> Move {
        let mut name = [0; NAMED];
        if path.len() > NAMED || self.code.modifiers.len() > usize::from(u16::MAX) {
            name[1] = place;
        } else {
            for (name, &(modifier, cell)) in name.iter_mut().zip(path) {
                *name = modifier << 16 | u32::from(cell);
            }
        }
        Move(name)
    }

    /// Calls `f` with the machine after a legal move, and with the cursor then.
    fn after<R>(&self, position: &Position, m: Move, f: impl FnOnce(&mut Machine, Option<Cursor>) -> R) -> R {
        self.with(|machine| {
            let Some(cursor) = self.load(position, machine) else { return f(machine, None) };
            if m.0[0] == 0 {
                let mut left = m.0[1];
                let mut reached = None;
                let _ = machine.moves(&self.code, cursor.at, cursor.cell, &mut |_, cursor| {
                    reached = Some(cursor);
                    left = left.wrapping_sub(1);
                    if left == u32::MAX { ControlFlow::Break(()) } else { MORE }
                });
                return f(machine, reached);
            }
            let mut reached = None;
            for mark in m.0.iter().take_while(|mark| **mark != 0) {
                let (modifier, cell) = (mark >> 16, *mark as u16);
                let instruction = &self.code.all[self.code.modifiers[modifier as usize] as usize];
                if let Op::Switch(turn) = instruction.op {
                    reached = Some(Cursor { at: instruction.next, cell, turn });
                } else {
                    machine.modify(&self.code, instruction.op, cell);
                }
            }
            f(machine, reached)
        })
    }

    /// Returns the modifiers of every legal move in the order of the moves, at most `limit`.
    pub fn paths(&self, position: &Position, limit: usize) -> Vec<(Move, Vec<(u32, u16)>)> {
        let mut found = Vec::new();
        let _ = self.each(position, |machine, _| {
            found.push((self.name(&machine.path, found.len() as u32), machine.path.clone()));
            if found.len() < limit { MORE } else { ControlFlow::Break(()) }
        });
        found
    }

    /// Counts lines of play of exactly `depth` plies.
    pub fn perft(&self, position: &Position, depth: u32) -> u64 {
        self.with(|machine| {
            self.load(position, machine)
                .map_or(u64::from(depth == 0), |cursor| machine.perft(&self.code, cursor, depth))
        })
    }
}

/// Returns the bytes of a score or variable with this bound.
pub fn width(bound: u32) -> usize {
    match bound {
        0..=0xFF => 1,
        0x100..=0xFFFF => 2,
        _ => 4,
    }
}

impl Game for Rules {
    type Position = Position;
    type Move = Move;

    fn start(&self) -> Position {
        self.start.clone()
    }

    fn turn(&self, position: &Position) -> Player {
        self.entries[usize::from(position.entry)].player
    }

    fn over(&self, position: &Position) -> Option<Value> {
        if self.each(position, |_, _| ControlFlow::Break(())).is_break() {
            return None;
        }
        let scores = [self.variable(position, 0), self.variable(position, 1)];
        Some(self.worth(scores, self.turn(position)))
    }

    fn moves(&self, position: &Position, visit: &mut impl FnMut(Move) -> Flow) -> Flow {
        let mut place = 0;
        self.each(position, |machine, _| {
            let m = self.name(&machine.path, place);
            place += 1;
            visit(m)
        })
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        let mover = self.turn(position);
        self.after(position, m, |machine, cursor| match cursor {
            Some(cursor) => self.settled(machine, cursor, mover),
            None => self.seen(machine, None, mover),
        })
    }

    /// Returns the least of the images with the same player to move.
    fn canonical(&self, position: &Position) -> Position {
        let images = self.images(position).into_iter();
        let own = images.filter(|image| self.turn(image) == self.turn(position));
        own.min_by(|a, b| a.data.cmp(&b.data).then((a.entry, a.cell).cmp(&(b.entry, b.cell))))
            .unwrap_or_else(|| position.clone())
    }

    /// Ignores the turn if both players have the same moves. Keeps the scores, which the rules may read.
    fn essence(&self, position: &Position) -> Position {
        self.seen_by_one(position)
    }

    fn drawn_by_history(&self, earlier: &[Position], now: &Position) -> bool {
        let times = self.program.directives.repeat;
        times
            .is_some_and(|times| 1 + earlier.iter().filter(|before| *before == now).count() >= times as usize)
    }
}

impl Scored for Rules {
    fn unit(&self) -> Unit {
        if self.program.directives.scoring == Scoring::Score { Unit::Points } else { Unit::Outcome }
    }

    fn gain(&self, position: &Position, m: Move) -> i32 {
        if self.unit() == Unit::Outcome {
            return 0;
        }
        let child = self.play(position, m);
        let lead =
            |(one, two): (i32, i32)| if self.turn(position) == Player::One { one - two } else { two - one };
        lead(self.score(&child)) - lead(self.score(position))
    }

    fn score(&self, position: &Position) -> (i32, i32) {
        if self.unit() == Unit::Outcome {
            return (0, 0);
        }
        (self.variable(position, 0) as i32, self.variable(position, 1) as i32)
    }
}

impl Heuristic for Rules {
    fn key(&self, position: &Position) -> u64 {
        hash_of(position)
    }

    fn cyclic(&self) -> bool {
        true
    }
}

impl Bounds for Rules {}

impl Packed for Rules {
    fn bits(&self) -> Option<u32> {
        self.packing.as_ref().map(PositionPacking::bits)
    }

    fn class_shift(&self) -> u32 {
        self.packing.as_ref().map_or(0, PositionPacking::class_shift)
    }

    fn pack(&self, position: &Position) -> Option<u128> {
        let packing = self.packing.as_ref()?;
        self.with(|machine| {
            self.load(position, machine);
            if !packing.can_be(&machine.cells, &machine.variables) {
                return None;
            }
            let code = packing.pack(&machine.cells, &machine.variables, position.entry, position.cell);
            Some(self.canonical().least(packing, code))
        })
    }

    fn unpack(&self, code: u128) -> Position {
        self.with(|machine| {
            machine.begin();
            let Some(packing) = &self.packing else { return self.start.clone() };
            let (entry, cell) = packing.unpack(code, &mut machine.cells, &mut machine.variables);
            if !self.is_place(entry, cell) {
                return self.start.clone();
            }
            let mut position = self.seen(machine, None, Player::One);
            (position.entry, position.cell) = (entry, cell);
            position
        })
    }

    fn expand(&self, code: u128, visit: &mut dyn FnMut(u128, Step)) -> Option<Value> {
        let packing = self.packing.as_ref()?;
        self.with(|machine| {
            machine.begin();
            let (entry, cell) = packing.unpack(code, &mut machine.cells, &mut machine.variables);
            if !self.is_place(entry, cell) {
                return None;
            }
            machine.look_over(&self.code);
            self.children(machine, packing, (code, entry, cell), visit)
        })
    }

    fn fault(&self) -> Option<String> {
        self.fault().map(str::to_owned).or_else(|| self.crowd.get().cloned())
    }

    fn checksum(&self) -> u64 {
        self.program.checksum()
    }

    fn alike(&self, code: u128) -> Option<u64> {
        let packing = self.packing.as_ref()?;
        let canonical = self.canonical();
        let start = self.pack(&self.start)?;
        // From a start that is its own image, all images of reachable positions are reachable.
        let known = canonical.is_empty()
            || canonical.alike(packing, start) == 1 && canonical.images().all(|image| !image.swaps);
        known.then(|| canonical.alike(packing, code))
    }

    fn sum_at_end(&self, code: u128) -> Option<i64> {
        if self.program.directives.scoring != Scoring::Outcome {
            return None;
        }
        let packing = self.packing.as_ref()?;
        self.with(|machine| {
            packing.unpack(code, &mut machine.cells, &mut machine.variables);
            Some(machine.variables[0] + machine.variables[1])
        })
    }
}
