//! Grundy numbers by enumeration of all reachable positions: the least number that no option has (the mex), and in
//! cyclic games the loopy values of Smith, Fraenkel and Perl.
//!
//! For games of which no position is known to be a sum. R. P. Sprague, 1935; P. M. Grundy, 1939; C. A. B. Smith,
//! "Graphs and composite games", Journal of Combinatorial Theory 1, 1966; A. S. Fraenkel and Y. Perl, "Constructions in
//! combinatorial games with cycles", Colloquia Mathematica Societatis Janos Bolyai 10, 1975.

mod loopy;

use std::ops::ControlFlow;
use std::sync::Mutex;

use rustc_hash::FxHashMap;

use crate::Worth;
use crate::at_hand::BESIDE;
use crate::sum::Mex;
use grundy_core::game::{Flow, Game, MORE, class_of};
use grundy_session::{Grundy, Work};

pub use loopy::{Number, loopy_values};

/// A game in which both players have the same moves and a player without a move loses.
pub trait Impartial: Game {
    /// Returns why this game is not impartial with its parameters; `None` if it is.
    fn obstacle(&self) -> Option<String> {
        None
    }

    /// Returns why this position has no number although others have; `None` if it has.
    fn excluded(&self, _position: &Self::Position) -> Option<String> {
        None
    }

    /// Reports whether a move counts: a game in which some move loses by rule is impartial without that move.
    fn playable(&self, _m: Self::Move) -> bool {
        true
    }

    /// Returns why the game is not impartial, if that shows only at a later position: the game ends while there are
    /// moves, or the turn does not pass.
    fn flaw(&self, _position: &Self::Position) -> Option<String> {
        None
    }

    /// Reports whether positions can repeat.
    fn loopy(&self) -> bool {
        false
    }
}

/// Maximum number of positions remembered.
const POSITIONS: usize = 8_000_000;
/// Memory limit for them in bytes, and the assumed heap memory of a position that has any.
const ROOM: usize = 1 << 29;
const ELSEWHERE: usize = 96;
/// Maximum number of moves listed in a cyclic game.
const ARROWS: usize = 30_000_000;
/// Moves that may be examined even after the deadline: small positions are answered at once.
const AT_ONCE: u64 = 1 << 12;
/// Moves between two checks of the deadline.
const STRETCH: u64 = 1 << 4;

/// The oracle of such games, with a cache of numbers.
#[derive(Debug)]
pub struct ByMex<G: Game> {
    known: Mutex<FxHashMap<G::Position, Number>>,
}

impl<G: Game> Default for ByMex<G> {
    fn default() -> ByMex<G> {
        ByMex { known: Mutex::default() }
    }
}

/// Returns what is known in a game of too many positions.
fn many() -> Grundy {
    Grundy::Unknown("too many positions can follow".to_owned())
}

/// A counter of steps.
struct Clock<'a> {
    work: &'a Work<'a>,
    steps: u64,
}

impl Clock<'_> {
    /// Counts a step; returns false if the work is to end.
    fn step(&mut self) -> bool {
        self.steps += 1;
        self.steps < AT_ONCE || !self.steps.is_multiple_of(STRETCH) || !self.work.stopped()
    }
}

/// Returns the number of positions that may be remembered: those that fit in [`ROOM`].
fn most<P>() -> usize {
    let elsewhere = if std::mem::needs_drop::<P>() { ELSEWHERE } else { 0 };
    POSITIONS.min(ROOM / (size_of::<(P, Number)>() + BESIDE + elsewhere))
}

impl<G: Impartial> ByMex<G> {
    /// Returns the number of a position.
    ///
    /// # Errors
    /// [`Grundy::NotInTime`], or [`Grundy::Unknown`] with the reason: there are too many positions, or one of them has a
    /// flaw.
    pub fn number(&self, game: &G, position: &G::Position, work: &Work<'_>) -> Result<Number, Grundy> {
        let mut known = work.lock(&self.known).ok_or(Grundy::NotInTime)?;
        let class = class_of(game, position);
        if let Some(number) = known.get(&class) {
            return Ok(number.clone());
        }
        if known.len() >= most::<G::Position>() {
            // A search has no room beside them.
            known.clear();
        }
        let mut clock = Clock { work, steps: 0 };
        match game.loopy() {
            false => mex(game, &class, &mut known, &mut clock)?,
            true => cyclic(game, &class, &mut known, &mut clock)?,
        }
        known.get(&class).cloned().ok_or(Grundy::NotInTime)
    }
}

/// Visits the classes that the moves of a position lead to.
fn options<G: Impartial>(
    game: &G,
    position: &G::Position,
    visit: &mut impl FnMut(G::Position) -> Flow,
) -> Flow {
    if game.over(position).is_some() {
        return MORE;
    }
    game.moves(position, &mut |m| match game.playable(m) {
        true => visit(class_of(game, &game.play(position, m))),
        false => MORE,
    })
}

/// Finds the number of a position of an acyclic game, with an explicit stack, so that no game is too long.
fn mex<G: Impartial>(
    game: &G,
    root: &G::Position,
    known: &mut FxHashMap<G::Position, Number>,
    clock: &mut Clock<'_>,
) -> Result<(), Grundy> {
    let mut open = vec![root.clone()];
    let mut numbers = Mex::default();
    while let Some(now) = open.last().cloned() {
        if known.contains_key(&now) {
            open.pop();
            continue;
        }
        numbers.clear();
        let before = open.len();
        if known.len() >= most::<G::Position>() || before >= 4 * most::<G::Position>() {
            return Err(many());
        }
        let mut tired = false;
        let _ = options(game, &now, &mut |option| {
            match known.get(&option) {
                Some(&Number::Plain(number)) => numbers.add(u64::from(number)),
                // The rules have promised that no position comes twice.
                Some(Number::Loopy(_)) => {}
                None => open.push(option),
            }
            tired |= !clock.step();
            if tired { ControlFlow::Break(()) } else { MORE }
        });
        if tired {
            return Err(Grundy::NotInTime);
        }
        if open.len() == before {
            if let Some(flaw) = game.flaw(&now) {
                return Err(Grundy::Unknown(flaw));
            }
            let number = u32::try_from(numbers.least()).map_err(|_| many())?;
            known.insert(now, Number::Plain(number));
            open.pop();
        }
    }
    Ok(())
}

/// Finds the values of all positions reachable from one in a cyclic game.
fn cyclic<G: Impartial>(
    game: &G,
    root: &G::Position,
    known: &mut FxHashMap<G::Position, Number>,
    clock: &mut Clock<'_>,
) -> Result<(), Grundy> {
    let mut places: FxHashMap<G::Position, u32> = FxHashMap::default();
    let mut list = vec![root.clone()];
    places.insert(root.clone(), 0);
    let mut exits: Vec<Vec<u32>> = Vec::new();
    let mut arrows = 0;
    while exits.len() < list.len() {
        let now = list[exits.len()].clone();
        let mut heads = Vec::new();
        if let Some(flaw) = game.flaw(&now) {
            return Err(Grundy::Unknown(flaw));
        }
        if list.len() >= most::<G::Position>() / 2 || arrows >= ARROWS {
            return Err(many());
        }
        let mut tired = false;
        let _ = options(game, &now, &mut |option| {
            let next = list.len() as u32;
            let place = *places.entry(option.clone()).or_insert(next);
            if place == next {
                list.push(option);
            }
            heads.push(place);
            tired |= !clock.step();
            if tired { ControlFlow::Break(()) } else { MORE }
        });
        if tired {
            return Err(Grundy::NotInTime);
        }
        heads.sort_unstable();
        heads.dedup();
        arrows += heads.len();
        exits.push(heads);
    }
    if known.len() + list.len() > most::<G::Position>() {
        known.clear();
    }
    known.extend(list.into_iter().zip(loopy_values(&exits)));
    Ok(())
}

impl<G: Impartial> Worth<G> for ByMex<G> {
    fn bytes(&self) -> u64 {
        let all = self.known.try_lock().map_or(POSITIONS, |known| known.capacity());
        (all * (size_of::<(G::Position, Number)>() + BESIDE)) as u64
    }

    fn grundy(&self, game: &G, position: &G::Position, work: &Work<'_>) -> Grundy {
        if let Some(why) = game.obstacle().or_else(|| game.excluded(position)) {
            return Grundy::Unknown(why);
        }
        match self.number(game, position, work) {
            Ok(Number::Plain(number)) => Grundy::Number(u64::from(number)),
            Ok(Number::Loopy(numbers)) => Grundy::Loopy(numbers.iter().map(|&n| u64::from(n)).collect()),
            Err(unknown) => unknown,
        }
    }
}
