//! A game from a rules file as played by the second interpreter: `referee check --rules-witness`.
//!
//! Moves, ends and scores come from [`Naive`] alone; the first interpreter provides only the notation of positions and
//! moves. A position that would not be read back as it was is written as `?` with the reason, which no certificate
//! lists; a word is a move only if the second interpreter finds a move to the same position.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use grundy_core::game::{Flow, Game, Notation, Player, Scored};
use grundy_core::value::{Unit, Value};
use rustc_hash::FxHashMap;

use crate::directives::Scoring;
use crate::game::{Rules, width};
use crate::naive::{Naive, Rest, Settled, State, TooLong};
use crate::position::Position;
use crate::source::Fault;

/// The entry of a position that cannot be written.
const NO_ENTRY: u16 = u16::MAX;
/// Maximum number of moves of a position.
const MOST: usize = 1_000_000;

/// The rules of a game, by the second interpreter.
#[derive(Debug)]
pub struct Witness {
    /// The notation of positions and moves.
    written: Rules,
    naive: Naive,
    /// The continuation of each entry.
    places: Vec<Rest>,
    entries: FxHashMap<(Rest, u8), u16>,
    number: u64,
    /// True once the successors of a position were not found.
    broken: AtomicBool,
}

/// The successors of a position, in the order of the moves; a single position that cannot be written if they were not
/// found.
type Successors = Rc<Vec<Position>>;

/// A unique id, so that cached results are used by their own game only.
static NUMBERS: AtomicU64 = AtomicU64::new(1);

thread_local! {
    /// The last position, with its game's id and its successors.
    static LAST: RefCell<Option<(u64, Position, Successors)>> = const { RefCell::new(None) };
}

impl Witness {
    /// Returns the game of a rules file.
    ///
    /// # Errors
    /// A fault of the file with its place, or both interpreters cannot be compared.
    pub fn new(text: &str) -> Result<Witness, Fault> {
        let written = Rules::new(text)?;
        let naive = Naive::new(&written.program);
        let fault = |what: String| Fault::new(written.program.rules.span, what);
        let switches = naive.switches().map_err(|error| fault(error.to_string()))?;
        let ends = written.entries.len() - 2;
        let mut places = vec![None; ends];
        let mut entries = FxHashMap::default();
        for (place, &entry) in switches.iter().zip(&written.switches) {
            places[usize::from(entry)].get_or_insert_with(|| place.0.clone());
            let same = *entries.entry(place.clone()).or_insert(entry) == entry;
            if !same || written.entries[usize::from(entry)].player as u8 != place.1 {
                return Err(fault(
                    "the second interpreter numbers the places in the rules otherwise".to_owned(),
                ));
            }
        }
        let places = places.into_iter().collect::<Option<Vec<Rest>>>();
        let Some(places) = places.filter(|_| switches.len() == written.switches.len()) else {
            let (one, other) = (written.switches.len(), switches.len());
            return Err(fault(format!("{one} switches, but the second interpreter finds {other}")));
        };
        let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
        Ok(Witness { written, naive, places, entries, number, broken: AtomicBool::new(false) })
    }

    /// Returns the state of a position; `None` if the game is over or has no such entry.
    fn state(&self, position: &Position) -> Option<State> {
        let rest = self.places.get(usize::from(position.entry))?.clone();
        let program = &self.written.program;
        Some(State {
            cells: position.data[..program.board.cells()].to_vec(),
            variables: self.variables(position),
            cell: position.cell,
            turn: Some(self.turn(position) as u8),
            rest,
        })
    }

    fn variables(&self, position: &Position) -> Vec<i64> {
        (0..self.written.program.variables.len()).map(|at| self.written.variable(position, at)).collect()
    }

    /// Returns the position of a state, after a move of `mover`.
    fn position(&self, settled: Settled, mover: Player) -> Position {
        let Settled { state, over } = settled;
        let mut data = smallvec::SmallVec::from_vec(state.cells);
        for (value, bounded) in state.variables.iter().zip(&self.written.program.variables) {
            data.extend_from_slice(&value.to_le_bytes()[..width(bounded.bound)]);
        }
        data.shrink_to_fit();
        let known = |turn| self.entries.get(&(state.rest, turn)).copied();
        let entry = match state.turn {
            _ if over => Some(self.end(!mover)),
            Some(turn) => known(turn),
            None => None,
        };
        let entry = entry.unwrap_or(NO_ENTRY);
        let matters = self.places.get(usize::from(entry)).is_some() && self.written.cell_matters(entry);
        Position { data, entry, cell: if matters { state.cell } else { 0 } }
    }

    /// Returns the entry of the end of the game with this player's turn.
    fn end(&self, turn: Player) -> u16 {
        (self.places.len() + turn.index()) as u16
    }

    fn find(&self, position: &Position) -> Result<Vec<Position>, TooLong> {
        let Some(state) = self.state(position) else { return Ok(Vec::new()) };
        // A position written without a cell represents all cells.
        if !self.written.cell_matters(position.entry) {
            let free = |rest: &Rest, player: u8| {
                let entry = self.entries.get(&(rest.clone(), player));
                entry.is_some_and(|&entry| !self.written.cell_matters(entry))
            };
            if !self.naive.chooses_anew(&state, &free)? {
                return Err(TooLong);
            }
        }
        let moves = self.naive.moves(&state, MOST)?;
        if moves.len() == MOST {
            return Err(TooLong);
        }
        let mover = self.turn(position);
        moves.into_iter().map(|m| Ok(self.position(self.naive.settle(m.state)?, mover))).collect()
    }

    /// Returns the successors of a position, in the order of the moves.
    fn successors(&self, position: &Position) -> Successors {
        LAST.with(|last| {
            let mut last = last.borrow_mut();
            if let Some((number, before, found)) = &*last
                && (*number, before) == (self.number, position)
            {
                return found.clone();
            }
            let unknown = |_| {
                self.broken.store(true, Ordering::Relaxed);
                vec![Position { entry: NO_ENTRY, ..position.clone() }]
            };
            let found = Rc::new(self.find(position).unwrap_or_else(unknown));
            *last = Some((self.number, position.clone(), found.clone()));
            found
        })
    }
}

impl Game for Witness {
    type Position = Position;
    /// Index among all moves.
    type Move = u32;

    fn start(&self) -> Position {
        let settled = self.naive.start();
        let broken = |_| {
            self.broken.store(true, Ordering::Relaxed);
            Position { entry: NO_ENTRY, ..self.written.start() }
        };
        settled.map_or_else(broken, |settled| self.position(settled, Player::Two))
    }

    fn turn(&self, position: &Position) -> Player {
        self.written.entries.get(usize::from(position.entry)).map_or(Player::One, |entry| entry.player)
    }

    fn over(&self, position: &Position) -> Option<Value> {
        if !self.successors(position).is_empty() {
            return None;
        }
        let scores = self.variables(position);
        let (own, other) = match self.turn(position) {
            Player::One => (scores[0], scores[1]),
            Player::Two => (scores[1], scores[0]),
        };
        Some(match self.unit() {
            Unit::Points | Unit::Fractions(_) => Value::points(0),
            Unit::Outcome if own > other => Value::win_in(0),
            Unit::Outcome if own < other => Value::loss_in(0),
            Unit::Outcome => Value::DRAW,
        })
    }

    fn moves(&self, position: &Position, visit: &mut impl FnMut(u32) -> Flow) -> Flow {
        (0..self.successors(position).len() as u32).try_for_each(visit)
    }

    fn play(&self, position: &Position, m: u32) -> Position {
        let broken = || Position { entry: NO_ENTRY, ..position.clone() };
        self.successors(position).get(m as usize).cloned().unwrap_or_else(broken)
    }
}

impl Scored for Witness {
    fn unit(&self) -> Unit {
        if self.written.program.directives.scoring == Scoring::Score { Unit::Points } else { Unit::Outcome }
    }

    fn gain(&self, position: &Position, m: u32) -> i32 {
        let child = self.play(position, m);
        let lead = |(one, two): (i32, i32)| match self.turn(position) {
            Player::One => one - two,
            Player::Two => two - one,
        };
        lead(self.score(&child)) - lead(self.score(position))
    }

    fn score(&self, position: &Position) -> (i32, i32) {
        if self.unit() == Unit::Outcome {
            return (0, 0);
        }
        let scores = self.variables(position);
        (scores[0] as i32, scores[1] as i32)
    }
}

impl Notation for Witness {
    fn write_position(&self, position: &Position) -> String {
        if usize::from(position.entry) >= self.places.len() + 2 {
            return "?: the second interpreter finds no end of it, or another place in the rules".to_owned();
        }
        let text = self.written.write_position(position);
        match self.written.read_position(&text) {
            Ok(read) if read == *position => text,
            _ => format!("?: read otherwise than written: {text}"),
        }
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        self.written.read_position(text)
    }

    fn breakdown(&self) -> Option<String> {
        let broken = self.broken.load(Ordering::Relaxed);
        broken.then(|| "the second interpreter finds no end of the rules in some position".to_owned())
    }

    fn unvalued(&self) -> Option<String> {
        self.breakdown().or_else(|| self.written.unvalued())
    }

    fn write_move(&self, _position: &Position, m: u32) -> String {
        format!("move{}", m + 1)
    }

    fn read_move(&self, position: &Position, word: &str) -> Option<u32> {
        let m = self.written.read_move(position, word)?;
        let child = self.written.play(position, m);
        let found = self.successors(position).iter().position(|other| *other == child);
        found.map(|at| at as u32)
    }
}
