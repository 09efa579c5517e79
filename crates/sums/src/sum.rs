//! Sprague and Grundy: a sum of independent parts has the exclusive or of their Grundy numbers, and the number of a
//! part is the least that none of its options has (the mex).
//!
//! R. P. Sprague, "Über mathematische Kampfspiele", Tohoku Mathematical Journal 41, 1935; P. M. Grundy,
//! "Mathematics and games", Eureka 2, 1939.

use grundy_core::game::{Flow, Game};
use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::BuildHasherDefault;
use std::hash::Hash;
use std::ops::ControlFlow;
use std::sync::Mutex;

use rustc_hash::FxHasher;

use crate::at_hand::{AtHand, BESIDE};
use grundy_core::game::MORE;
use grundy_core::sorting;
use grundy_core::value::Value;
use grundy_session::{Need, SolveError, Work, at_once};
use grundy_tables::Oracle;

/// An impartial game that is a sum of independent parts, each worth a Grundy number (Sprague and Grundy).
///
/// Positions may be sums that the parts of one game alone never reach.
pub trait Sum: Game {
    /// An independent part: a heap, a row of pins. Where moves mostly lead to smaller parts in this order, few
    /// parts are visited twice: small ones are valued first.
    type Part: Clone + Eq + Hash + Ord + Debug + Send;

    /// Reports whether a player without a move loses. If not (misere play), Grundy numbers do not tell the winner.
    fn normal_play(&self) -> bool {
        true
    }

    /// Returns the parts of a position, in the order in which moves name them.
    fn parts(&self, position: &Self::Position) -> Vec<Self::Part>;

    /// Visits what each move in one part leaves of it: a list of parts, empty if nothing is left.
    fn options(&self, part: &Self::Part, visit: &mut dyn FnMut(&[Self::Part]) -> Flow) -> Flow;

    /// Returns how long finding one option of a part takes, in units of about 10 microseconds; 1 where it takes less.
    fn effort(&self, _part: &Self::Part) -> u64 {
        1
    }

    /// Returns the Grundy number of a part, if there is a formula or a sequence for it, within the limits of `work`;
    /// `None` asks for the recursion.
    fn grundy_of(&self, _part: &Self::Part, _work: &Work<'_>) -> Option<u64> {
        None
    }
}

/// The reason for a number that was not found.
pub(crate) const TOO_LARGE: &str = "the position is too large for its number to be found";
/// The reason for a game without numbers.
pub const MISERE: &str = "misere play: Grundy numbers do not tell who wins";

type Memo<P> = HashMap<P, u64, BuildHasherDefault<FxHasher>>;

/// Options that one request may visit before it is given up.
const PATIENCE: u64 = 100_000_000;
/// Options that may be visited for a value that was not prepared.
const UNPREPARED: u64 = 20_000;
/// Options between two checks of the deadline.
const STRETCH: u64 = 1 << 4;
/// Maximum number of parts with pending numbers.
const MISSING: usize = 1 << 20;
const OPEN: usize = 1 << 22;
/// Maximum size of the cache of numbers in bytes; it is cleared above this.
const ROOM: u64 = 1 << 28;

/// The oracle by Grundy numbers, found by recursion and cached for every part.
#[derive(Debug)]
pub struct BySum<G: Sum> {
    memo: Mutex<Memo<G::Part>>,
    at_hand: AtHand<G::Position>,
    patience: u64,
}

impl<G: Sum> Default for BySum<G> {
    fn default() -> BySum<G> {
        BySum { memo: Mutex::default(), at_hand: AtHand::default(), patience: PATIENCE }
    }
}

impl<G: Sum> BySum<G> {
    /// Returns an oracle that gives a request up after visiting `options` options.
    pub fn with_patience(options: u64) -> BySum<G> {
        BySum { patience: options, ..BySum::default() }
    }

    /// Returns the Grundy number of a part; `None` if it is not found before the work ends, or takes too many options.
    pub fn number(&self, game: &G, part: &G::Part, work: &Work<'_>) -> Option<u64> {
        let mut memo = work.lock(&self.memo)?;
        if bytes(&memo) > ROOM {
            *memo = Memo::default();
        }
        number(game, part, &mut memo, self.patience, Some(work))
    }

    /// Returns the number of a whole position.
    fn total(&self, game: &G, position: &G::Position, work: &Work<'_>) -> Option<u64> {
        if !game.normal_play() {
            return None;
        }
        let parts = game.parts(position);
        parts.iter().try_fold(0, |sum, part| Some(sum ^ self.number(game, part, work)?))
    }
}

/// Returns the approximate size of the numbers of parts in bytes.
fn bytes<P>(memo: &Memo<P>) -> u64 {
    (memo.capacity() * (size_of::<(P, u64)>() + BESIDE)) as u64
}

fn of_number(number: u64) -> Value {
    if number == 0 { Value::LOSS } else { Value::WIN }
}

impl<G: Sum> Oracle<G> for BySum<G> {
    fn bytes(&self) -> u64 {
        self.memo.try_lock().map_or(ROOM, |memo| bytes(&memo)) + self.at_hand.bytes()
    }

    fn ready(&self, game: &G, position: &G::Position, need: &Need<'_>) -> Result<(), SolveError> {
        if self.at_hand.get(position).is_some() {
            return Ok(());
        }
        let work = need.work.within(need.automatic.min(need.quiet));
        if work.lock(&self.memo).is_none() {
            return Err(SolveError::Busy);
        }
        self.at_hand.fill(game, position, &work, |p| self.total(game, p, &work).map(of_number));
        if need.work.stopped() { Err(SolveError::Stopped) } else { Ok(()) }
    }

    fn value(&self, game: &G, position: &G::Position) -> Option<Value> {
        if let Some(value) = self.at_hand.get(position) {
            return Some(value);
        }
        if !game.normal_play() {
            return None;
        }
        // If others are at work, what they find is at hand when they are done.
        let mut memo = at_once().lock(&self.memo)?;
        let parts = game.parts(position);
        let number = |part| number(game, part, &mut memo, UNPREPARED, None);
        parts.iter().map(number).try_fold(0, |sum, number| Some(sum ^ number?)).map(of_number)
    }

    fn grundy(&self, game: &G, position: &G::Position, work: &Work<'_>) -> Option<u64> {
        self.total(game, position, work)
    }

    fn no_grundy(&self, game: &G) -> Option<String> {
        Some(if game.normal_play() { TOO_LARGE } else { MISERE }.to_owned())
    }
}

/// The recursion with an explicit stack, so that no heap is too deep. Without `work` only options are counted.
fn number<G: Sum>(
    game: &G,
    part: &G::Part,
    memo: &mut Memo<G::Part>,
    mut patience: u64,
    work: Option<&Work<'_>>,
) -> Option<u64> {
    let formula = |part: &G::Part| match work {
        Some(work) => game.grundy_of(part, work),
        None => game.grundy_of(part, &at_once()),
    };
    let known = |part: &G::Part, memo: &Memo<G::Part>| memo.get(part).copied().or_else(|| formula(part));
    if let Some(number) = known(part, memo) {
        return Some(number);
    }
    let mut mex = Mex::default();
    let mut missing: Vec<G::Part> = Vec::new();
    let mut open = vec![part.clone()];
    while let Some(part) = open.last() {
        if memo.contains_key(part) {
            open.pop();
            continue;
        }
        mex.clear();
        missing.clear();
        let mut tired = false;
        let _ = game.options(part, &mut |option| {
            patience = patience.saturating_sub(1);
            tired = patience == 0
                || missing.len() >= MISSING
                || patience.is_multiple_of(STRETCH) && work.is_some_and(Work::stopped);
            if tired {
                return ControlFlow::Break(());
            }
            let mut sum = Some(0);
            for part in option {
                match known(part, memo) {
                    Some(number) => sum = sum.map(|sum| sum ^ number),
                    None => {
                        sum = None;
                        missing.push(part.clone());
                    }
                }
            }
            if let Some(sum) = sum {
                mex.add(sum);
            }
            MORE
        });
        if tired || bytes(memo) > 2 * ROOM || open.len() > OPEN {
            return None;
        }
        if missing.is_empty() {
            memo.insert(part.clone(), mex.least());
            open.pop();
        } else {
            // The least part is valued first: most of the others then find all their options known.
            sorting::sort(&mut missing);
            missing.dedup();
            missing.reverse();
            open.append(&mut missing);
        }
    }
    known(part, memo)
}

/// Finds the least number that was not added.
///
/// ```
/// use grundy_sums::sum::Mex;
/// let mut mex = Mex::default();
/// [0, 1, 4, 1].into_iter().for_each(|n| mex.add(n));
/// assert_eq!(mex.least(), 2);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Mex {
    bits: Vec<u64>,
}

impl Mex {
    /// Numbers from here on are ignored: no part that can be valued has that many options.
    const LIMIT: u64 = 1 << 27;

    /// Forgets all numbers.
    pub fn clear(&mut self) {
        self.bits.clear();
    }

    /// Adds a number.
    pub fn add(&mut self, number: u64) {
        if number < Mex::LIMIT {
            let word = (number / 64) as usize;
            if word >= self.bits.len() {
                self.bits.resize(word + 1, 0);
            }
            self.bits[word] |= 1 << (number % 64);
        }
    }

    /// Returns the least number that was not added.
    pub fn least(&self) -> u64 {
        let full = self.bits.iter().take_while(|&&word| word == u64::MAX).count();
        let rest = self.bits.get(full).map_or(0, |word| word.trailing_ones());
        full as u64 * 64 + u64::from(rest)
    }
}
