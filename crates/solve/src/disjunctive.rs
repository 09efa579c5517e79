//! Sums of games of different kinds: Grundy numbers where all are impartial, loopy ones among them, else canonical forms.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use grundy_core::game::legal_moves;
use grundy_core::value::Value;
use grundy_session::{Canonical, Grundy, NEVER, Need, SolveError};

use crate::cgt::{Arena, Dyadic, Form, PARTIZAN, Patience, Simple, mover_wins, write};
use crate::component::Component;
use crate::sum::{BySum, Sum};
use crate::{Oracle, Worth};

/// A sum of which some summands are components.
pub trait Disjunctive: Sum {
    /// The summands of a position.
    fn summands<'a>(&'a self, position: &'a Self::Position) -> Vec<Summand<'a, Self::Part>>;

    /// Which summand a move is made in.
    fn place(&self, m: Self::Move) -> usize;
}

/// A game of a sum in a position.
pub enum Summand<'a, P> {
    /// Parts of an impartial game that is a sum itself.
    Parts(Vec<P>),
    /// A component and its board.
    Component(&'a dyn Component, &'a str),
}

/// What a summand or a sum is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Total {
    Number(u64),
    Loopy(Vec<u64>),
    Form(Form),
    Unknown(String),
}

/// A question may take so long for each summand where nothing was prepared.
const UNPREPARED: Duration = Duration::from_millis(200);
/// The same where the preparation has found no end.
const HOPELESS: Duration = Duration::from_millis(2);

/// Answers for sums, without distances.
#[derive(Debug)]
pub struct ByComponents<G: Disjunctive> {
    numbers: BySum<G>,
    arena: Mutex<Arena>,
    hopeless: AtomicBool,
}

impl<G: Disjunctive> Default for ByComponents<G> {
    fn default() -> ByComponents<G> {
        ByComponents { numbers: BySum::default(), arena: Mutex::default(), hopeless: AtomicBool::new(false) }
    }
}

impl<G: Disjunctive> ByComponents<G> {
    fn of_summand(
        &self,
        game: &G,
        summand: &Summand<'_, G::Part>,
        arena: &mut Arena,
        time: Duration,
    ) -> Total {
        let late = || Total::Unknown("not found in time".to_owned());
        match summand {
            Summand::Parts(parts) => {
                let number = parts.iter().try_fold(0, |sum, p| Some(sum ^ self.numbers.number(game, p)?));
                number.map_or_else(late, Total::Number)
            }
            Summand::Component(component, board) if component.is_impartial() => {
                match component.grundy(board, time) {
                    Grundy::Number(number) => Total::Number(number),
                    Grundy::Loopy(list) => Total::Loopy(list),
                    Grundy::Unknown(why) => Total::Unknown(why),
                }
            }
            Summand::Component(component, board) => {
                let mut patience = Patience::new(time, &NEVER);
                component.form(board, arena, &mut patience).map_or_else(|_| late(), Total::Form)
            }
        }
    }

    fn each(&self, game: &G, position: &G::Position, arena: &mut Arena, time: Duration) -> Vec<Total> {
        let summands = game.summands(position);
        summands.iter().map(|summand| self.of_summand(game, summand, arena, time)).collect()
    }

    fn time(&self) -> Duration {
        if self.hopeless.load(Relaxed) { HOPELESS } else { UNPREPARED }
    }

    fn value_in(&self, game: &G, position: &G::Position, arena: &mut Arena, time: Duration) -> Option<Value> {
        let each = self.each(game, position, arena, time);
        outcome(&total(&each, arena, time), game.turn(position), arena, time)
    }

    fn sum_in(&self, game: &G, position: &G::Position, arena: &mut Arena, time: Duration) -> Total {
        let each = self.each(game, position, arena, time);
        total(&each, arena, time)
    }
}

/// What the summands are worth together.
fn total(each: &[Total], arena: &mut Arena, time: Duration) -> Total {
    let mut number = 0;
    let mut loopy: Option<Vec<u64>> = None;
    let mut forms = Vec::new();
    for value in each {
        match value {
            Total::Number(n) => number ^= n,
            // The sum of two infinities is a draw whatever else there is.
            Total::Loopy(list) => loopy = Some(if loopy.is_some() { Vec::new() } else { list.clone() }),
            Total::Form(form) => forms.push(*form),
            Total::Unknown(_) => return value.clone(),
        }
    }
    match (loopy, forms.is_empty()) {
        (None, true) => Total::Number(number),
        (Some(list), true) => {
            let mut list: Vec<u64> = list.into_iter().map(|n| n ^ number).collect();
            list.sort_unstable();
            Total::Loopy(list)
        }
        (Some(_), false) => {
            Total::Unknown("a game that can go on for ever beside one with different moves".to_owned())
        }
        (None, false) => {
            let mut patience = Patience::new(time, &NEVER);
            let start = arena.simple(Simple { number: Dyadic::ZERO, ups: 0, star: number });
            let sum = start
                .and_then(|start| forms.iter().try_fold(start, |sum, &f| arena.sum(sum, f, &mut patience)));
            sum.map_or_else(|_| Total::Unknown("not found in time".to_owned()), Total::Form)
        }
    }
}

/// Who wins a sum, for the player to move.
fn outcome(sum: &Total, turn: grundy_core::game::Player, arena: &mut Arena, time: Duration) -> Option<Value> {
    let won = |wins| if wins { Value::WIN } else { Value::LOSS };
    match sum {
        Total::Number(number) => Some(won(*number != 0)),
        Total::Loopy(list) if list.contains(&0) => Some(Value::WIN),
        Total::Loopy(_) => Some(Value::DRAW),
        Total::Form(form) => mover_wins(arena, *form, turn, &mut Patience::new(time, &NEVER)).ok().map(won),
        Total::Unknown(_) => None,
    }
}

impl<G: Disjunctive> Oracle<G> for ByComponents<G> {
    fn ready(&self, game: &G, position: &G::Position, need: &Need<'_>) -> Result<(), SolveError> {
        let mut arena = self.arena.lock().unwrap_or_else(PoisonError::into_inner);
        let known = self.value_in(game, position, &mut arena, need.unasked).is_some();
        self.hopeless.store(!known, Relaxed);
        Ok(())
    }

    fn value(&self, game: &G, position: &G::Position) -> Option<Value> {
        let mut arena = self.arena.lock().unwrap_or_else(PoisonError::into_inner);
        self.value_in(game, position, &mut arena, self.time())
    }

    /// All of them; none in a lost position.
    fn keeping_moves(&self, game: &G, position: &G::Position) -> Option<Vec<G::Move>> {
        let mut arena = self.arena.lock().unwrap_or_else(PoisonError::into_inner);
        let (arena, time) = (&mut *arena, self.time());
        let mut each = self.each(game, position, arena, time);
        let value = outcome(&total(&each, arena, time), game.turn(position), arena, time)?;
        let mut keeping = Vec::new();
        if value == Value::LOSS {
            return Some(keeping);
        }
        for m in legal_moves(game, position) {
            let child = game.play(position, m);
            let place = game.place(m);
            let summand = game.summands(&child).swap_remove(place);
            let after = self.of_summand(game, &summand, arena, time);
            let before = std::mem::replace(&mut each[place], after);
            let found = outcome(&total(&each, arena, time), game.turn(&child), arena, time);
            each[place] = before;
            let keeps = if value == Value::WIN { Value::LOSS } else { Value::DRAW };
            if found == Some(keeps) {
                keeping.push(m);
            }
        }
        Some(keeping)
    }
}

impl<G: Disjunctive> Worth<G> for ByComponents<G> {
    fn grundy(&self, game: &G, position: &G::Position, time: Duration) -> Grundy {
        let mut arena = self.arena.lock().unwrap_or_else(PoisonError::into_inner);
        match self.sum_in(game, position, &mut arena, time) {
            Total::Number(number) => Grundy::Number(number),
            Total::Loopy(list) => Grundy::Loopy(list),
            Total::Unknown(why) => Grundy::Unknown(why),
            Total::Form(form) => match arena.as_simple(form) {
                Some(simple) if simple == Simple::nimber(simple.star) => Grundy::Number(simple.star),
                _ => Grundy::Unknown(PARTIZAN.to_owned()),
            },
        }
    }

    fn canonical(&self, game: &G, position: &G::Position, time: Duration) -> Canonical {
        let mut arena = self.arena.lock().unwrap_or_else(PoisonError::into_inner);
        match self.sum_in(game, position, &mut arena, time) {
            Total::Number(number) => Canonical::of(&Grundy::Number(number)),
            Total::Loopy(_) => Canonical::Unknown,
            Total::Unknown(_) => Canonical::NotInTime,
            Total::Form(form) => write(&mut arena, form).map_or(Canonical::NotInTime, Canonical::Form),
        }
    }
}
