//! The canonical forms of positions: made from those of all that can follow, and remembered.

use std::fmt::Debug;
use std::hash::Hash;
use std::sync::{Mutex, TryLockError};
use std::time::Duration;

use rustc_hash::FxHashMap;

use grundy_core::game::{Game, Player};
use grundy_core::value::Value;
use grundy_session::{Canonical, Grundy, Need, SolveError, Work};

use super::arena::{Arena, Form, Simple};
use super::dyadic::Dyadic;
use super::patience::{Gap, Patience};
use super::text;
use crate::at_hand::{AtHand, BESIDE};
use crate::{Oracle, Worth};

/// A game in which who cannot move loses and no position comes twice, and in which the board alone says what either
/// player may do. Player one is Left, player two Right.
pub trait Partizan: Game {
    /// A part of a board that is played independently of the others: all that matters of it, whoever is to move. Parts
    /// that are images of each other should be equal.
    type Part: Clone + Eq + Hash + Debug + Send;

    /// The parts whose sum a position is; those in which nobody can move may be left out.
    fn parts(&self, position: &Self::Position) -> Vec<Self::Part>;

    /// Visits the parts that each move of this player leaves of a part.
    fn options(&self, part: &Self::Part, player: Player, visit: &mut dyn FnMut(Vec<Self::Part>));

    /// The form of a part where the game knows it by a formula.
    fn simple(&self, _part: &Self::Part) -> Option<Simple> {
        None
    }
}

/// The most parts whose forms are remembered.
const PARTS: usize = 2_000_000;

/// The forms of the parts of one game.
#[derive(Debug)]
pub struct Forms<G: Partizan> {
    arena: Arena,
    known: FxHashMap<G::Part, Form>,
}

impl<G: Partizan> Default for Forms<G> {
    fn default() -> Forms<G> {
        Forms { arena: Arena::default(), known: FxHashMap::default() }
    }
}

impl<G: Partizan> Forms<G> {
    /// The forms that were made.
    pub fn arena(&mut self) -> &mut Arena {
        &mut self.arena
    }

    /// Makes room for forms in so many bytes; where too much is taken all are forgotten.
    fn make_room(&mut self, room: u64) {
        if self.bytes() > room / 4 * 3 {
            *self = Forms::default();
        }
        self.arena.make_room(room);
    }

    /// About how many bytes the forms take.
    pub fn bytes(&self) -> u64 {
        self.arena.bytes() + (self.known.capacity() * (size_of::<(G::Part, Form)>() + BESIDE)) as u64
    }

    /// The form of a position, where those of its parts are known.
    pub fn known(&mut self, game: &G, position: &G::Position, patience: &mut Patience<'_>) -> Option<Form> {
        let mut forms = Vec::new();
        for part in game.parts(position) {
            forms.push(match (self.known.get(&part), game.simple(&part)) {
                (Some(&form), _) => form,
                (None, simple) => self.arena.simple(simple?).ok()?,
            });
        }
        self.total(&forms, patience).ok()
    }

    fn total(&mut self, parts: &[Form], patience: &mut Patience<'_>) -> Result<Form, Gap> {
        let zero = self.arena.simple(Simple::number(Dyadic::ZERO))?;
        parts.iter().try_fold(zero, |sum, &part| self.arena.sum(sum, part, patience))
    }

    /// The form of a position.
    ///
    /// # Errors
    /// The patience is over, or there are too many positions or forms.
    pub fn form(
        &mut self,
        game: &G,
        position: &G::Position,
        patience: &mut Patience<'_>,
    ) -> Result<Form, Gap> {
        let parts = game.parts(position);
        let mut open = parts.clone();
        while let Some(now) = open.last().cloned() {
            if self.known.contains_key(&now) {
                open.pop();
                continue;
            }
            patience.look()?;
            let waiting = (open.len() * size_of::<G::Part>()) as u64;
            if self.known.len() >= PARTS || self.bytes() + waiting > patience.room() {
                return Err(Gap::OutOfBounds);
            }
            let form = match game.simple(&now) {
                Some(simple) => Some(self.arena.simple(simple)?),
                None => self.by_options(game, &now, &mut open, patience)?,
            };
            if let Some(form) = form {
                self.known.insert(now, form);
                open.pop();
            }
        }
        let forms: Option<Vec<Form>> = parts.iter().map(|part| self.known.get(part).copied()).collect();
        self.total(&forms.ok_or(Gap::OutOfBounds)?, patience)
    }

    /// The form of a part by its options; `None` where some of them are not known yet, which are put on `open`.
    fn by_options(
        &mut self,
        game: &G,
        now: &G::Part,
        open: &mut Vec<G::Part>,
        patience: &mut Patience<'_>,
    ) -> Result<Option<Form>, Gap> {
        let mut options: [Vec<Vec<Form>>; 2] = [Vec::new(), Vec::new()];
        let before = open.len();
        for player in [Player::One, Player::Two] {
            game.options(now, player, &mut |parts| {
                let mut forms = Vec::with_capacity(parts.len());
                for part in parts {
                    match self.known.get(&part) {
                        Some(&form) => forms.push(form),
                        None => open.push(part),
                    }
                }
                options[player.index()].push(forms);
            });
        }
        if open.len() > before {
            return Ok(None);
        }
        let mut sums = |list: &[Vec<Form>]| {
            list.iter().map(|forms| self.total(forms, patience)).collect::<Result<Vec<Form>, Gap>>()
        };
        let (left, right) = (sums(&options[0])?, sums(&options[1])?);
        self.arena.game(left, right, patience).map(Some)
    }
}

/// Answers by canonical forms: who wins, without distances, and what the position is worth in sums.
#[derive(Debug)]
pub struct ByForms<G: Partizan> {
    forms: Mutex<Forms<G>>,
    at_hand: AtHand<G::Position>,
}

impl<G: Partizan> Default for ByForms<G> {
    fn default() -> ByForms<G> {
        ByForms { forms: Mutex::default(), at_hand: AtHand::default() }
    }
}

/// Steps of a question that was not made ready, whose forms may be known and have only to be added.
const ADDING: u32 = 1_000;

/// How long it may take to see whether a position of a game with different moves is worth a nimber after all.
const LOOKING: Duration = Duration::from_secs(1);
/// Why a position has no Grundy number.
pub(crate) const PARTIZAN: &str = "the players have different moves: query cgt";
/// Why a number was not found.
pub(crate) const LATE: &str = "not found in time";

impl<G: Partizan> ByForms<G> {
    /// Finds the form of a position in another arena.
    ///
    /// # Errors
    /// The patience is over, or there are too many positions or forms.
    pub fn form_in(
        &self,
        game: &G,
        position: &G::Position,
        arena: &mut Arena,
        patience: &mut Patience<'_>,
    ) -> Result<Form, Gap> {
        let mut forms = patience.work().lock(&self.forms).ok_or(Gap::OutOfBounds)?;
        forms.make_room(patience.room());
        let form = forms.form(game, position, patience)?;
        arena.copy(&forms.arena, form, patience)
    }
}

impl<G: Partizan> Worth<G> for ByForms<G> {
    fn bytes(&self) -> u64 {
        self.bytes()
    }

    fn grundy(&self, game: &G, position: &G::Position, work: &Work<'_>) -> Grundy {
        let work = work.within(LOOKING);
        let Some(mut forms) = work.lock(&self.forms) else { return Grundy::Unknown(LATE.to_owned()) };
        let mut patience = Patience::new(&work);
        forms.make_room(patience.room());
        let form = forms.form(game, position, &mut patience).ok();
        match form.and_then(|form| forms.arena.as_simple(form)) {
            Some(simple) if simple == Simple::nimber(simple.star) => Grundy::Number(simple.star),
            _ => Grundy::Unknown(PARTIZAN.to_owned()),
        }
    }

    fn canonical(&self, game: &G, position: &G::Position, work: &Work<'_>) -> Canonical {
        let Some(mut forms) = work.lock(&self.forms) else { return Canonical::NotInTime };
        let mut patience = Patience::new(work);
        forms.make_room(patience.room());
        let form = forms.form(game, position, &mut patience);
        match form.and_then(|form| text::write(&mut forms.arena, form, &mut patience)) {
            Ok(word) => Canonical::Form(word),
            Err(Gap::OutOfBounds) => Canonical::NotInTime,
        }
    }
}

/// Whether the player to move wins a game of this form.
pub(crate) fn mover_wins(
    arena: &mut Arena,
    form: Form,
    turn: Player,
    patience: &mut Patience<'_>,
) -> Result<bool, Gap> {
    let zero = arena.simple(Simple::number(Dyadic::ZERO))?;
    // Left, to move, loses where the game is at most 0.
    Ok(!match turn {
        Player::One => arena.at_most(form, zero, patience)?,
        Player::Two => arena.at_most(zero, form, patience)?,
    })
}

impl<G: Partizan> ByForms<G> {
    /// About how many bytes the method has taken.
    pub(crate) fn bytes(&self) -> u64 {
        let forms = self.forms.try_lock().map_or(Patience::steps(0).room(), |forms| forms.bytes());
        forms + self.at_hand.bytes()
    }
}

/// Who wins a position of which the form is known or found.
fn value_of<G: Partizan>(
    game: &G,
    position: &G::Position,
    forms: &mut Forms<G>,
    patience: &mut Patience<'_>,
) -> Option<Value> {
    let form = forms.known(game, position, patience)?;
    let wins = mover_wins(&mut forms.arena, form, game.turn(position), patience).ok()?;
    Some(if wins { Value::WIN } else { Value::LOSS })
}

impl<G: Partizan> Oracle<G> for ByForms<G> {
    fn bytes(&self) -> u64 {
        self.bytes()
    }

    fn ready(&self, game: &G, position: &G::Position, need: &Need<'_>) -> Result<(), SolveError> {
        if self.at_hand.get(position).is_some() {
            return Ok(());
        }
        let work = need.work.within(need.unasked);
        let Some(mut forms) = work.lock(&self.forms) else { return Err(SolveError::Busy) };
        let mut patience = Patience::new(&work);
        forms.make_room(patience.room());
        // Where no form is found in time a search may answer. All that can follow has its form with the position.
        if forms.form(game, position, &mut patience).is_ok() {
            let of = |position: &G::Position| value_of(game, position, &mut forms, &mut patience);
            self.at_hand.fill(game, position, &work, of);
        }
        if need.work.stopped() { Err(SolveError::Stopped) } else { Ok(()) }
    }

    fn value(&self, game: &G, position: &G::Position) -> Option<Value> {
        if let Some(value) = self.at_hand.get(position) {
            return Some(value);
        }
        let mut forms = match self.forms.try_lock() {
            Ok(forms) => forms,
            // What is remembered is true even if a thread died while it held the lock.
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            // Others are at work: what they find is at hand when they are done.
            Err(TryLockError::WouldBlock) => return None,
        };
        value_of(game, position, &mut forms, &mut Patience::steps(ADDING))
    }
}
