//! The canonical forms of positions: built from those of all reachable positions, and cached.

use std::fmt::Debug;
use std::hash::Hash;
use std::sync::Mutex;
use std::time::Duration;

use rustc_hash::FxHashMap;

use grundy_core::game::{Game, Player};
use grundy_core::value::Value;
use grundy_session::{Canonical, Grundy, Need, SolveError, Work, at_once};

use super::arena::{Arena, Form, Simple};
use super::dyadic::Dyadic;
use super::patience::{Gap, Patience};
use super::thermograph::described;
use crate::Worth;
use crate::at_hand::{AtHand, BESIDE};
use grundy_tables::Oracle;

/// An acyclic game in which a player without a move loses, and the board alone determines the moves of either player.
/// Player one is Left, player two Right.
pub trait Partizan: Game {
    /// A part of a board that is played independently of the others, without the player to move. Symmetric parts should
    /// be equal.
    type Part: Clone + Eq + Hash + Debug + Send;

    /// Returns the parts whose sum a position is; those without a move may be omitted.
    fn parts(&self, position: &Self::Position) -> Vec<Self::Part>;

    /// Visits the parts that each move of this player leaves of a part.
    fn options(&self, part: &Self::Part, player: Player, visit: &mut dyn FnMut(Vec<Self::Part>));

    /// Returns the form of a part, if the game has a formula for it.
    fn simple(&self, _part: &Self::Part) -> Option<Simple> {
        None
    }

    /// Returns the negative of a part, in which the players have changed places; `None` if the game does not tell it:
    /// its sums are then not searched by outcomes.
    fn negative(&self, _part: &Self::Part) -> Option<Self::Part> {
        None
    }

    /// Returns the size of a part, by which those are chosen that are replaced by their forms where outcomes are
    /// searched: larger than that of each part that a move leaves of it, or 0 for all parts.
    fn part_size(&self, _part: &Self::Part) -> u32 {
        0
    }

    /// Returns the number of moves of a player in a part.
    fn mobility(&self, part: &Self::Part, player: Player) -> u32 {
        let mut moves = 0;
        self.options(part, player, &mut |_| moves += 1);
        moves
    }
}

/// Maximum number of parts with cached forms.
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
    /// Returns the arena of the forms.
    pub fn arena(&mut self) -> &mut Arena {
        &mut self.arena
    }

    /// Sets the memory limit to `room` bytes; discards all forms if too much is in use.
    fn make_room(&mut self, room: u64) {
        if self.bytes() > room / 4 * 3 {
            *self = Forms::default();
        }
        self.arena.make_room(room);
    }

    /// Returns the approximate size of the forms in bytes.
    pub fn bytes(&self) -> u64 {
        self.arena.bytes() + (self.known.capacity() * (size_of::<(G::Part, Form)>() + BESIDE)) as u64
    }

    /// Returns the form of a position, if those of its parts are known.
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

    /// Returns the form of a position.
    ///
    /// # Errors
    /// The patience is exhausted, or there are too many positions or forms.
    pub fn form(
        &mut self,
        game: &G,
        position: &G::Position,
        patience: &mut Patience<'_>,
    ) -> Result<Form, Gap> {
        let parts = game.parts(position);
        let forms =
            parts.iter().map(|part| self.part(game, part, patience)).collect::<Result<Vec<Form>, Gap>>();
        self.total(&forms?, patience)
    }

    /// Returns the form of a part.
    ///
    /// # Errors
    /// The patience is exhausted, or there are too many positions or forms.
    pub fn part(&mut self, game: &G, part: &G::Part, patience: &mut Patience<'_>) -> Result<Form, Gap> {
        if let Some(&form) = self.known.get(part) {
            return Ok(form);
        }
        let mut open = vec![part.clone()];
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
        self.known.get(part).copied().ok_or(Gap::OutOfBounds)
    }

    /// Returns the form of a part by its options; `None` if some of them are not known yet, which are pushed on `open`.
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

/// The oracle by canonical forms: outcomes, without distances, and values in sums.
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

/// Steps of a request that was not prepared, whose forms may be known and only have to be added.
const ADDING: u32 = 1_000;

/// Time limit to find out whether a position of a partizan game is a nimber.
const LOOKING: Duration = Duration::from_secs(1);
/// The reason for a position without a Grundy number.
pub(crate) const PARTIZAN: &str = "the players have different moves: query cgt";

impl<G: Partizan> ByForms<G> {
    /// Returns the form of a position in another arena.
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
        let Some(mut forms) = work.lock(&self.forms) else { return Grundy::NotInTime };
        let mut patience = Patience::new(&work);
        forms.make_room(patience.room());
        let Ok(form) = forms.form(game, position, &mut patience) else {
            return Grundy::NotInTime;
        };
        match forms.arena.as_simple(form) {
            Some(simple) if simple == Simple::nimber(simple.star) => Grundy::Nimber(simple.star),
            _ => Grundy::Unknown(PARTIZAN.to_owned()),
        }
    }

    fn canonical(&self, game: &G, position: &G::Position, work: &Work<'_>) -> Canonical {
        let Some(mut forms) = work.lock(&self.forms) else { return Canonical::NotInTime };
        let mut patience = Patience::new(work);
        forms.make_room(patience.room());
        match forms.form(game, position, &mut patience) {
            Ok(form) => described(&mut forms.arena, form, &mut patience),
            Err(Gap::OutOfBounds) => Canonical::NotInTime,
        }
    }
}

/// Reports whether the player to move wins a game of this form.
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
    /// Returns the approximate memory of the method in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        let forms = self.forms.try_lock().map_or(Patience::steps(0).room(), |forms| forms.bytes());
        forms + self.at_hand.bytes()
    }
}

/// Returns the outcome of a position whose form is known or found.
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
        let work = need.work.within(need.automatic.min(need.quiet));
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
        // If others are at work, what they find is at hand when they are done.
        let mut forms = at_once().lock(&self.forms)?;
        value_of(game, position, &mut forms, &mut Patience::steps(ADDING))
    }
}
