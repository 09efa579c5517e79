//! Sums of games of different kinds: Grundy numbers, loopy ones included, if all are impartial, else canonical forms.

use std::sync::Mutex;

use grundy_core::game::Player;
use grundy_core::value::Value;
use grundy_session::{Canonical, Grundy, Need, SolveError, Work, at_once};

use crate::Worth;
use crate::at_hand::AtHand;
use crate::cgt::{Arena, Dyadic, Form, PARTIZAN, Patience, Simple, described, mover_wins};
use crate::component::Component;
use crate::sum::{BySum, Sum};
use grundy_tables::Oracle;

/// A sum of which some summands are components.
pub trait Disjunctive: Sum {
    /// Returns the summands of a position.
    fn summands<'a>(&'a self, position: &'a Self::Position) -> Vec<Summand<'a, Self::Part>>;
}

/// A game of a sum in a position.
pub enum Summand<'a, P> {
    /// Parts of an impartial game that is a sum itself.
    Parts(Vec<P>),
    /// A component and its board.
    Component(&'a dyn Component, &'a str),
}

/// The value of a summand or a sum.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Total {
    Number(u64),
    Loopy(Vec<u64>),
    Form(Form),
    NotInTime,
    Unknown(String),
}

/// Steps of a request that was not prepared.
const UNPREPARED: u32 = 1_000;

/// The oracle of sums, without distances.
#[derive(Debug)]
pub struct ByComponents<G: Disjunctive> {
    numbers: BySum<G>,
    arena: Mutex<Arena>,
    at_hand: AtHand<G::Position>,
}

impl<G: Disjunctive> Default for ByComponents<G> {
    fn default() -> ByComponents<G> {
        ByComponents { numbers: BySum::default(), arena: Mutex::default(), at_hand: AtHand::default() }
    }
}

impl<G: Disjunctive> ByComponents<G> {
    fn of_summand(
        &self,
        game: &G,
        summand: &Summand<'_, G::Part>,
        arena: &mut Arena,
        patience: &mut Patience<'_>,
    ) -> Total {
        match summand {
            Summand::Parts(parts) => {
                let number = |part| self.numbers.number(game, part, patience.work());
                let sum = parts.iter().try_fold(0, |sum, part| Some(sum ^ number(part)?));
                sum.map_or(Total::NotInTime, Total::Number)
            }
            Summand::Component(component, board) if component.is_impartial() => {
                match component.grundy(board, patience.work()) {
                    Grundy::Number(number) | Grundy::Nimber(number) => Total::Number(number),
                    Grundy::Loopy(list) => Total::Loopy(list),
                    Grundy::NotInTime => Total::NotInTime,
                    Grundy::Unknown(why) => Total::Unknown(why),
                }
            }
            Summand::Component(component, board) => {
                component.form(board, arena, patience).map_or(Total::NotInTime, Total::Form)
            }
        }
    }

    /// Returns the value of a position, found with one patience for all of its games.
    fn sum_in(
        &self,
        game: &G,
        position: &G::Position,
        arena: &mut Arena,
        patience: &mut Patience<'_>,
    ) -> Total {
        let mut each = Vec::new();
        for summand in game.summands(position) {
            match self.of_summand(game, &summand, arena, patience) {
                unknown @ (Total::NotInTime | Total::Unknown(_)) => return unknown,
                known => each.push(known),
            }
        }
        total(&each, arena, patience)
    }

    fn value_in(
        &self,
        game: &G,
        position: &G::Position,
        arena: &mut Arena,
        patience: &mut Patience<'_>,
    ) -> Option<Value> {
        let sum = self.sum_in(game, position, arena, patience);
        outcome(&sum, game.turn(position), arena, patience)
    }

    /// Returns the approximate memory of the method in bytes, without its games.
    pub(crate) fn bytes(&self) -> u64 {
        let arena = self.arena.try_lock().map_or(Patience::steps(0).room(), |arena| arena.bytes());
        arena + self.numbers.bytes() + self.at_hand.bytes()
    }
}

/// Returns the value of the sum of `each`.
fn total(each: &[Total], arena: &mut Arena, patience: &mut Patience<'_>) -> Total {
    let mut number = 0;
    let mut loopy: Option<Vec<u64>> = None;
    let mut forms = Vec::new();
    for value in each {
        match value {
            Total::Number(n) => number ^= n,
            // The sum of two infinities is a draw whatever else there is.
            Total::Loopy(list) => loopy = Some(if loopy.is_some() { Vec::new() } else { list.clone() }),
            Total::Form(form) => forms.push(*form),
            Total::NotInTime | Total::Unknown(_) => return value.clone(),
        }
    }
    match (loopy, forms.is_empty()) {
        (None, true) => Total::Number(number),
        (Some(list), true) => {
            let mut list: Vec<u64> = list.into_iter().map(|n| n ^ number).collect();
            list.sort_unstable();
            Total::Loopy(list)
        }
        (Some(_), false) => Total::Unknown("a loopy game beside a partizan one".to_owned()),
        (None, false) => {
            let start = arena.simple(Simple { number: Dyadic::ZERO, ups: 0, star: number });
            let sum =
                start.and_then(|start| forms.iter().try_fold(start, |sum, &f| arena.sum(sum, f, patience)));
            sum.map_or(Total::NotInTime, Total::Form)
        }
    }
}

/// Returns the outcome of a sum for the player to move.
fn outcome(sum: &Total, turn: Player, arena: &mut Arena, patience: &mut Patience<'_>) -> Option<Value> {
    let won = |wins| if wins { Value::WIN } else { Value::LOSS };
    match sum {
        Total::Number(number) => Some(won(*number != 0)),
        Total::Loopy(list) if list.contains(&0) => Some(Value::WIN),
        Total::Loopy(_) => Some(Value::DRAW),
        Total::Form(form) => mover_wins(arena, *form, turn, patience).ok().map(won),
        Total::NotInTime | Total::Unknown(_) => None,
    }
}

impl<G: Disjunctive> Oracle<G> for ByComponents<G> {
    fn bytes(&self) -> u64 {
        self.bytes()
    }

    fn ready(&self, game: &G, position: &G::Position, need: &Need<'_>) -> Result<(), SolveError> {
        if self.at_hand.get(position).is_some() {
            return Ok(());
        }
        let work = need.work.within(need.automatic.min(need.quiet));
        let Some(mut arena) = work.lock(&self.arena) else { return Err(SolveError::Busy) };
        let mut patience = Patience::new(&work);
        arena.make_room(patience.room());
        let of = |position: &G::Position| self.value_in(game, position, &mut arena, &mut patience);
        self.at_hand.fill(game, position, &work, of);
        if need.work.stopped() { Err(SolveError::Stopped) } else { Ok(()) }
    }

    fn value(&self, game: &G, position: &G::Position) -> Option<Value> {
        if let Some(value) = self.at_hand.get(position) {
            return Some(value);
        }
        // If others are at work, what they find is at hand when they are done.
        let mut arena = at_once().lock(&self.arena)?;
        self.value_in(game, position, &mut arena, &mut Patience::steps(UNPREPARED))
    }
}

impl<G: Disjunctive> Worth<G> for ByComponents<G> {
    fn bytes(&self) -> u64 {
        self.bytes()
    }

    fn grundy(&self, game: &G, position: &G::Position, work: &Work<'_>) -> Grundy {
        let Some(mut arena) = work.lock(&self.arena) else { return Grundy::NotInTime };
        match self.sum_in(game, position, &mut arena, &mut Patience::new(work)) {
            Total::Number(number) => Grundy::Number(number),
            Total::Loopy(list) => Grundy::Loopy(list),
            Total::NotInTime => Grundy::NotInTime,
            Total::Unknown(why) => Grundy::Unknown(why),
            Total::Form(form) => match arena.as_simple(form) {
                Some(simple) if simple == Simple::nimber(simple.star) => Grundy::Nimber(simple.star),
                _ => Grundy::Unknown(PARTIZAN.to_owned()),
            },
        }
    }

    fn canonical(&self, game: &G, position: &G::Position, work: &Work<'_>) -> Canonical {
        let Some(mut arena) = work.lock(&self.arena) else { return Canonical::NotInTime };
        let mut patience = Patience::new(work);
        match self.sum_in(game, position, &mut arena, &mut patience) {
            Total::Number(number) => Canonical::of(&Grundy::Number(number)),
            Total::Loopy(_) => Canonical::Unknown,
            Total::NotInTime => Canonical::NotInTime,
            Total::Unknown(_) => Canonical::Unknown,
            Total::Form(form) => described(&mut arena, form, &mut patience),
        }
    }
}
