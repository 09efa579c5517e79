//! The value of one position from the values of its children: the step that every proof of a table repeats.

use grundy_core::table::Table;
use grundy_core::value::{Step, Value};

use crate::parts::Parts;
use crate::ranked::Ranked;

/// The result of examining a position by the rules and a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Examined {
    /// The game is over, with this value.
    Over(Value),
    /// The best value that the children leave to the mover, with its rank (0 in a table without ranks); `None` if a child
    /// has no value.
    Open(Option<Ranked>),
    /// A move leads to this state, which does not come earlier, or gains points within a part.
    Late(u64),
}

/// The value of an unfinished position, built up move by move.
pub(crate) struct Backup<'a> {
    parts: Option<&'a Parts>,
    state: u64,
    /// The position's own part, if ranks are backed up.
    ranked: Option<Option<usize>>,
    best: Option<Ranked>,
    missing: bool,
    late: Option<u64>,
}

impl<'a> Backup<'a> {
    /// Starts at a state without moves. Every move is compared with `parts`, if given; if `ranked`, so are the ranks.
    pub(crate) fn new(state: u64, parts: Option<&'a Parts>, ranked: bool) -> Backup<'a> {
        let ranked = ranked.then(|| parts.and_then(|parts| parts.part(state)));
        Backup { parts, state, ranked, best: None, missing: false, late: None }
    }

    /// Adds a move to `child`, whose value and rank the table has as `found`.
    #[inline]
    pub(crate) fn add(&mut self, child: u64, step: Step, found: Option<Ranked>) {
        let worth = found.map(|(value, rank)| (value.back(step), rank));
        match (self.parts, self.ranked) {
            (Some(parts), Some(own)) => self.add_ranked(parts, own, child, step, worth),
            (Some(parts), None) if !parts.comes_before(child, self.state) => {
                self.late.get_or_insert(child);
            }
            _ => self.add_worth(worth),
        }
    }

    /// Adds a move in a table of ranks. A move that stays in its part gains nothing; the rank of others starts at 0.
    fn add_ranked(
        &mut self,
        parts: &Parts,
        own: Option<usize>,
        child: u64,
        step: Step,
        worth: Option<Ranked>,
    ) {
        let part = parts.part(child);
        let stays = part == own && own.is_some_and(|own| parts.is_cyclic(own));
        if part > own || part == own && !stays || stays && step.gain != 0 {
            self.late.get_or_insert(child);
            return;
        }
        self.add_worth(worth.map(|(worth, rank)| (worth, if stays { rank } else { 0 })));
    }

    /// Adds a move that is worth so much to the mover; `None` if that is not known.
    #[inline]
    pub(crate) fn add_worth(&mut self, worth: Option<Ranked>) {
        let Some((worth, rank)) = worth else {
            self.missing = true;
            return;
        };
        match &mut self.best {
            Some((best, _)) if worth < *best => {}
            // Whoever is ahead takes the quickest way, whoever is behind the slowest.
            Some((best, least)) if worth == *best => {
                *least = if worth.raw() > 0 { rank.min(*least) } else { rank.max(*least) };
            }
            _ => self.best = Some((worth, rank)),
        }
    }

    /// Returns what was seen. The rank is one more than that of the child it rests on, and 0 for a margin of 0.
    pub(crate) fn examined(self) -> Examined {
        if let Some(child) = self.late {
            return Examined::Late(child);
        }
        let next = |(value, rank): Ranked| match self.ranked {
            Some(_) if value.raw() != 0 => Some((value, rank.checked_add(1)?)),
            _ => Some((value, 0)),
        };
        Examined::Open(self.best.filter(|_| !self.missing).and_then(next))
    }
}

/// Returns the value and rank of a state in a table; the rank is 0 if the table has none.
#[inline]
pub(crate) fn found(table: &Table, state: u64, ranked: bool) -> Option<Ranked> {
    let value = table.get(state)?;
    Some((value, if ranked { table.rank(state)? } else { 0 }))
}
