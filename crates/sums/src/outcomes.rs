//! Sprague and Grundy by outcomes: the player to move loses a part beside a heap of Nim exactly if the heap is the part's
//! Grundy number. Most numbers that [`sum`](crate::sum) would find are never needed.
//!
//! A sum is searched as one part and a heap: the other parts, the smaller ones, are replaced by their numbers. One option that
//! is lost ends the search of a part and a heap. A number is found by heaps of 0, 1, 2, ..
//!
//! J. Lemoine and S. Viennot, "Nimbers are inevitable", Theoretical Computer Science 462, 2012 (arXiv 1011.5841).

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::{Mutex, MutexGuard};

use grundy_core::game::MORE;
use grundy_core::sorting;
use grundy_core::value::Value;
use grundy_session::{Need, SolveError, Work, at_once};
use grundy_tables::Oracle;
use rustc_hash::FxHasher;

use crate::at_hand::{AtHand, BESIDE};
use crate::sum::{MISERE, Sum, TOO_LARGE};

/// Heaps that are tried.
const HEAPS: u32 = 64;
/// Number of a part whose number is not known.
const OPEN: u8 = u8::MAX;
/// Options that may be examined even after the deadline: small parts are answered at once.
const AT_ONCE: u64 = 1 << 10;
/// Options between two checks of the deadline.
const STRETCH: u64 = 1 << 4;
/// Largest depth of the recursion: the longest game times the heaps.
const DEPTH: usize = 2_000;
/// Maximum number of parts remembered: more are forgotten before the next request.
const PARTS: usize = 20_000_000;

/// Proved facts about the Grundy number of a part.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// The Grundy number, or [`OPEN`].
    number: u8,
    /// Numbers that it does not have, as bits.
    excluded: u64,
}

const NOTHING: Known = Known { number: OPEN, excluded: 0 };

impl Known {
    /// Reports whether the part has this number, if that is known.
    fn has(self, heap: u32) -> Option<bool> {
        match self.number {
            OPEN if self.excluded >> heap & 1 == 1 => Some(false),
            OPEN => None,
            number => Some(u32::from(number) == heap),
        }
    }
}

type Memo<P> = HashMap<P, Known, BuildHasherDefault<FxHasher>>;

/// The oracle of sums whose games are short, by the outcomes of parts beside heaps of Nim.
#[derive(Debug)]
pub struct ByOutcomes<G: Sum> {
    memo: Mutex<Memo<G::Part>>,
    at_hand: AtHand<G::Position>,
}

impl<G: Sum> Default for ByOutcomes<G> {
    fn default() -> ByOutcomes<G> {
        ByOutcomes { memo: Mutex::default(), at_hand: AtHand::default() }
    }
}

/// One search with what is known before it.
struct Search<'a, G: Sum> {
    game: &'a G,
    memo: &'a mut Memo<G::Part>,
    work: &'a Work<'a>,
    /// The options examined, by the [effort](Sum::effort) of each.
    options: u64,
    /// The options at which the deadline is looked at.
    next: u64,
    depth: usize,
}

impl<G: Sum> Search<'_, G> {
    fn known(&self, part: &G::Part) -> Known {
        self.memo.get(part).copied().unwrap_or(NOTHING)
    }

    /// Replaces the parts whose numbers are known by one heap; returns it and the other parts, the largest last.
    fn reduced(&self, parts: &[G::Part], mut heap: u32) -> (u32, Vec<G::Part>) {
        let mut open: Vec<G::Part> = Vec::new();
        for part in parts {
            match self.known(part).number {
                OPEN => open.push(part.clone()),
                number => heap ^= u32::from(number),
            }
        }
        sorting::sort_few(&mut open);
        // Two equal parts are worth nothing.
        let mut odd: Vec<G::Part> = Vec::with_capacity(open.len());
        for part in open {
            if odd.last() == Some(&part) {
                odd.pop();
            } else {
                odd.push(part);
            }
        }
        (heap, odd)
    }

    /// Reports whether the player to move loses these parts and a heap; `None` if the work has ended.
    fn sum_is_lost(&mut self, parts: &[G::Part], heap: u32) -> Option<bool> {
        let (mut heap, mut open) = self.reduced(parts, heap);
        let Some(largest) = open.pop() else { return Some(heap == 0) };
        for part in &open {
            heap ^= self.number(part)?;
        }
        self.is_lost(&largest, heap)
    }

    /// Returns the Grundy number of a part.
    fn number(&mut self, part: &G::Part) -> Option<u32> {
        for heap in 0..HEAPS {
            if self.is_lost(part, heap)? {
                return Some(heap);
            }
        }
        None
    }

    /// Reports whether the player to move loses a part and a heap.
    fn is_lost(&mut self, part: &G::Part, heap: u32) -> Option<bool> {
        if let Some(has) = self.known(part).has(heap) {
            return Some(has);
        }
        if heap >= HEAPS || self.depth >= DEPTH || self.memo.len() >= PARTS {
            return None;
        }
        self.depth += 1;
        let lost = self.search(part, heap);
        self.depth -= 1;
        lost
    }

    fn search(&mut self, part: &G::Part, heap: u32) -> Option<bool> {
        // The options that are not decided at once, as the parts left and the heap beside them.
        let mut open: Vec<(Vec<G::Part>, u32)> = Vec::new();
        let mut won = false;
        let mut late = false;
        let game = self.game;
        let effort = game.effort(part);
        let _ = game.options(part, &mut |parts| {
            self.options += effort;
            if self.options >= self.next {
                self.next = self.options + STRETCH;
                late = self.work.stopped();
            }
            let (rest, parts) = self.reduced(parts, heap);
            let lost = match &parts[..] {
                [] => Some(rest == 0),
                [part] => self.known(part).has(rest),
                _ => None,
            };
            won = lost == Some(true);
            if lost.is_none() {
                open.push((parts, rest));
            }
            if won || late { std::ops::ControlFlow::Break(()) } else { MORE }
        });
        if late {
            return None;
        }
        if !won {
            // Options of small parts are searched first.
            sorting::sort_by(&mut open, |(one, _), (other, _)| {
                one.iter().rev().cmp(other.iter().rev()).then(one.len().cmp(&other.len()))
            });
            open.dedup();
            for (parts, rest) in &open {
                won = self.sum_is_lost(parts, *rest)?;
                if won {
                    break;
                }
            }
        }
        if won {
            self.memo.entry(part.clone()).or_insert(NOTHING).excluded |= 1 << heap;
            return Some(false);
        }
        // No option has this number: the part's is this or a smaller one.
        for smaller in 0..heap {
            if self.is_lost(part, smaller)? {
                return Some(false);
            }
        }
        self.memo.entry(part.clone()).or_insert(NOTHING).number = heap as u8;
        Some(true)
    }
}

impl<G: Sum> ByOutcomes<G> {
    /// Returns what is remembered, empty if there was no room for more; `None` if the work has ended, and in misere play.
    fn memo(&self, game: &G, work: &Work<'_>) -> Option<MutexGuard<'_, Memo<G::Part>>> {
        let mut memo = work.lock(&self.memo).filter(|_| game.normal_play())?;
        if memo.len() >= PARTS {
            *memo = Memo::default();
        }
        Some(memo)
    }

    /// Reports whether the player to move loses a position, by `free` options even if the work has ended.
    fn outcome(&self, game: &G, position: &G::Position, work: &Work<'_>, free: u64) -> Option<Value> {
        let mut memo = self.memo(game, work)?;
        let mut search = Search { game, memo: &mut memo, work, options: 0, next: free, depth: 0 };
        let lost = search.sum_is_lost(&game.parts(position), 0)?;
        Some(if lost { Value::LOSS } else { Value::WIN })
    }
}

impl<G: Sum> Oracle<G> for ByOutcomes<G> {
    fn bytes(&self) -> u64 {
        let parts = match self.memo.try_lock() {
            Ok(memo) => memo.capacity(),
            Err(_) => PARTS,
        };
        (parts * (size_of::<(G::Part, Known)>() + BESIDE)) as u64 + self.at_hand.bytes()
    }

    fn ready(&self, game: &G, position: &G::Position, need: &Need<'_>) -> Result<(), SolveError> {
        if self.at_hand.get(position).is_some() {
            return Ok(());
        }
        let work = need.work.within(need.automatic.min(need.quiet));
        if work.lock(&self.memo).is_none() {
            return Err(SolveError::Busy);
        }
        self.at_hand.fill(game, position, &work, |p| self.outcome(game, p, &work, 0));
        if need.work.stopped() { Err(SolveError::Stopped) } else { Ok(()) }
    }

    fn value(&self, game: &G, position: &G::Position) -> Option<Value> {
        if let Some(value) = self.at_hand.get(position) {
            return Some(value);
        }
        // If others are at work, what they find is at hand when they are done.
        self.outcome(game, position, &at_once(), AT_ONCE)
    }

    fn grundy(&self, game: &G, position: &G::Position, work: &Work<'_>) -> Option<u64> {
        let mut memo = self.memo(game, work)?;
        let mut search = Search { game, memo: &mut memo, work, options: 0, next: AT_ONCE, depth: 0 };
        let parts = game.parts(position);
        parts.iter().try_fold(0, |sum, part| Some(sum ^ u64::from(search.number(part)?)))
    }

    fn no_grundy(&self, game: &G) -> Option<String> {
        Some(if game.normal_play() { TOO_LARGE } else { MISERE }.to_owned())
    }
}
