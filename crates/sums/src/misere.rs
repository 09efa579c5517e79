//! Misere play of sums: small ones by enumeration, larger ones by the misere quotient of their parts.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use grundy_core::game::{Flow, MORE, Scored};
use grundy_core::sorting;
use grundy_core::value::Value;
use grundy_session::{Need, SolveError, Work, at_once};

use crate::at_hand::AtHand;
use crate::memo::ByMemo;
use crate::quotient::Quotient;
use crate::sum::{MISERE, Sum};
use grundy_tables::Oracle;

/// Maximum number of different parts.
const PARTS: usize = 1_000;

/// The oracle of small sums, with distances, and of others if the game's quotient is small.
#[derive(Debug)]
pub struct ByQuotient<G: Sum> {
    memo: ByMemo<G>,
    /// Values from the quotient.
    at_hand: AtHand<G::Position>,
    parts: Mutex<Parts<G::Part>>,
    /// True if the position prepared last is too large for enumeration: then no value has a distance, so that all of
    /// them can be compared.
    large: AtomicBool,
}

/// The parts found so far, numbered from 1 so that moves lead to smaller numbers.
#[derive(Debug)]
struct Parts<P> {
    numbers: HashMap<P, usize>,
    /// The two parts that each move leaves, 0 for none.
    options: Vec<Vec<(usize, usize)>>,
    quotient: Quotient,
}

impl<G: Sum> Default for ByQuotient<G> {
    fn default() -> ByQuotient<G> {
        let (numbers, options) = (HashMap::new(), vec![Vec::new()]);
        ByQuotient {
            memo: ByMemo::default(),
            at_hand: AtHand::default(),
            parts: Mutex::new(Parts { numbers, options, quotient: Quotient::empty() }),
            large: AtomicBool::new(false),
        }
    }
}

impl<G: Sum> ByQuotient<G> {
    /// Returns the value from the quotient alone, which is extended as needed within the limits of `work`.
    pub fn by_quotient(&self, game: &G, position: &G::Position, work: &Work<'_>) -> Option<Value> {
        let mut known = work.lock(&self.parts)?;
        let parts = game.parts(position).into_iter().map(|part| known.number(game, part, work));
        let parts: Vec<usize> = parts.collect::<Option<_>>()?;
        known.quotient.is_lost(&parts).map(|lost| if lost { Value::LOSS } else { Value::WIN })
    }

    /// Returns the number of elements of the quotient that has been found so far.
    pub fn size(&self) -> usize {
        self.parts.lock().map_or(0, |parts| parts.quotient.size())
    }
}

impl<P: Clone + Ord + Hash> Parts<P> {
    /// Returns the number of a part; `None` if too many parts can follow, a move leaves more than two, or the work has ended.
    fn number<G: Sum<Part = P>>(&mut self, game: &G, part: P, work: &Work<'_>) -> Option<usize> {
        let there = self.numbers.get(&part).copied();
        if work.stopped() {
            return there;
        }
        let mut open = if there.is_some() { Vec::new() } else { vec![part.clone()] };
        while let Some(now) = open.pop() {
            if self.numbers.contains_key(&now) {
                continue;
            }
            let (mut options, mut missing, mut served) = (Vec::new(), Vec::new(), true);
            let _ = game.options(&now, &mut |left| {
                served &= left.len() <= 2 && missing.len() <= PARTS * PARTS;
                if !served {
                    return Flow::Break(());
                }
                let before = missing.len();
                missing.extend(left.iter().filter(|part| !self.numbers.contains_key(part)).cloned());
                if missing.len() == before {
                    let number = |place: usize| left.get(place).map_or(0, |part| self.numbers[part]);
                    options.push((number(0), number(1)));
                }
                MORE
            });
            if !served || self.numbers.len() >= PARTS || open.len() > PARTS * PARTS || work.stopped() {
                return None;
            }
            sorting::sort(&mut missing);
            missing.dedup();
            if missing.is_empty() {
                options.sort_unstable();
                options.dedup();
                self.numbers.insert(now, self.options.len());
                self.options.push(options);
            } else {
                open.push(now);
                open.append(&mut missing);
            }
        }
        let list = &self.options;
        let options = |part: usize, visit: &mut dyn FnMut(usize, usize)| {
            list[part].iter().for_each(|&(one, two)| visit(one, two));
        };
        // Also for a part that is known: the work may have ended before the quotient had it.
        self.quotient.grow_until(list.len() - 1, options, &|| work.stopped());
        self.numbers.get(&part).copied()
    }
}

impl<G: Sum + Scored> Oracle<G> for ByQuotient<G> {
    /// Returns the approximate memory in bytes, without the small quotient.
    fn bytes(&self) -> u64 {
        self.memo.bytes() + self.at_hand.bytes()
    }

    fn ready(&self, game: &G, position: &G::Position, need: &Need<'_>) -> Result<(), SolveError> {
        self.memo.ready(game, position, need)?;
        let large = self.memo.value(game, position).is_none() && {
            let work = need.work.within(need.automatic.min(need.quiet));
            let of = |position: &G::Position| self.by_quotient(game, position, &work);
            self.at_hand.get(position).is_some() || self.at_hand.fill(game, position, &work, of)
        };
        self.large.store(large, Ordering::Relaxed);
        if need.work.stopped() { Err(SolveError::Stopped) } else { Ok(()) }
    }

    fn value(&self, game: &G, position: &G::Position) -> Option<Value> {
        let by_quotient =
            || self.at_hand.get(position).or_else(|| self.by_quotient(game, position, &at_once()));
        match self.large.load(Ordering::Relaxed) {
            true => by_quotient().or_else(|| self.memo.value(game, position)),
            false => self.memo.value(game, position).or_else(by_quotient),
        }
    }

    fn no_grundy(&self, _game: &G) -> Option<String> {
        Some(MISERE.to_owned())
    }
}
