//! Checks as formulas, evaluated from the bits of the board instead of step by step.
//!
//! Rules that only walk and look at pieces reach their end if one of several terms holds. A term is a list of cells,
//! each with the pieces that may be there, and of other checks. The terms are found once for each cell, by following
//! the rules with the board left open: each look at a piece becomes a condition.

use grundy_core::sorting;
use rustc_hash::FxHashMap;

/// The index of a formula.
pub type Formula = u32;

/// A conjunction of conditions under which the rules continue.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term {
    /// Cells in rising order, each with the set of pieces that may be there.
    pub cells: Vec<(u16, u64)>,
    /// Other checks, each with whether it must hold.
    pub checks: Vec<(Formula, bool)>,
    /// Indices of comparisons, which must hold.
    pub comparisons: Vec<u32>,
}

impl Term {
    /// Reports whether this term holds wherever `other` does.
    pub fn follows_from(&self, other: &Term) -> bool {
        self.cells.iter().all(|&(cell, pieces)| {
            other.cells.iter().any(|&(there, others)| there == cell && others & !pieces == 0)
        }) && self.checks.iter().all(|check| other.checks.contains(check))
            && self.comparisons.iter().all(|comparison| other.comparisons.contains(comparison))
    }

    /// Adds that one of these pieces is on the cell; returns `false` if that is impossible.
    pub fn look(&mut self, cell: u16, pieces: u64, all: u64) -> bool {
        if pieces & all == all {
            return true;
        }
        match self.cells.binary_search_by_key(&cell, |&(cell, _)| cell) {
            Ok(at) => {
                self.cells[at].1 &= pieces;
                self.cells[at].1 != 0
            }
            Err(at) => {
                self.cells.insert(at, (cell, pieces));
                pieces != 0
            }
        }
    }
}

/// Returns the minimal terms, of which none follows from another, in order.
pub fn least(terms: Vec<Term>) -> Vec<Term> {
    let mut terms = terms;
    sorting::sort(&mut terms);
    terms.dedup();
    let follows = |at: usize| {
        let others = terms.iter().enumerate().filter(|&(other, _)| other != at);
        others.into_iter().any(|(_, other)| other.follows_from(&terms[at]))
    };
    let keep: Vec<bool> = (0..terms.len()).map(|at| !follows(at)).collect();
    let mut keep = keep.into_iter();
    terms.retain(|_| keep.next() == Some(true));
    terms
}

/// A term in bits: all cells of a mask have pieces of a set, further such masks, and other checks.
#[derive(Clone, Copy, Debug)]
struct Flat {
    set: u32,
    mask: u64,
    more: (u32, u32),
    checks: (u32, u32),
}

/// The formulas of a game's checks, in bits.
#[derive(Debug, Default)]
pub struct Formulas {
    /// For each instruction the index of its formulas in `at`, or [`NONE`].
    of: Vec<u32>,
    /// For each check with formulas the formula at each cell.
    at: Vec<Vec<Formula>>,
    ranges: Vec<(u32, u32)>,
    terms: Vec<Flat>,
    more: Vec<(u32, u64)>,
    checks: Vec<(Formula, bool)>,
    /// For each piece the sets that contain it: the bits of the board that change with it.
    pub sets_of: Vec<Vec<u32>>,
    /// Number of sets.
    pub sets: usize,
}

/// No check with formulas.
pub const NONE: u32 = u32::MAX;

impl Formulas {
    /// Returns the formulas with these terms: `at` has, for each check with formulas, the formula at each cell; `of`
    /// has, for each instruction, the check's index in that list, or `NONE`.
    pub fn new(of: Vec<u32>, at: Vec<Vec<Formula>>, all: &[Vec<Term>], pieces: usize) -> Formulas {
        let sets_of = vec![Vec::new(); pieces];
        let mut formulas = Formulas { of, at, sets_of, ..Formulas::default() };
        formulas.flatten(all);
        formulas
    }

    fn flatten(&mut self, all: &[Vec<Term>]) {
        let mut sets: FxHashMap<u64, u32> = FxHashMap::default();
        for terms in all {
            let begin = self.terms.len() as u32;
            for term in terms {
                let mut masks: Vec<(u32, u64)> = Vec::new();
                for &(cell, pieces) in &term.cells {
                    let next = sets.len() as u32;
                    let set = *sets.entry(pieces).or_insert(next);
                    match masks.iter_mut().find(|(other, _)| *other == set) {
                        Some((_, mask)) => *mask |= 1 << cell,
                        None => masks.push((set, 1 << cell)),
                    }
                }
                let (set, mask) = masks.first().copied().unwrap_or((0, 0));
                let more = self.more.len() as u32;
                self.more.extend(masks.iter().skip(1));
                let checks = self.checks.len() as u32;
                self.checks.extend(&term.checks);
                let more = (more, self.more.len() as u32);
                self.terms.push(Flat { set, mask, more, checks: (checks, self.checks.len() as u32) });
            }
            self.ranges.push((begin, self.terms.len() as u32));
        }
        // A term without cells looks at set 0 too.
        self.sets = sets.len().max(1);
        for (pieces, set) in sets {
            for (piece, own) in self.sets_of.iter_mut().enumerate() {
                if pieces >> piece & 1 == 1 {
                    own.push(set);
                }
            }
        }
        self.sets_of.iter_mut().for_each(|sets| sorting::sort(sets));
    }

    /// Returns the formula of a check at a cell, if it has one.
    #[inline]
    pub fn of(&self, at: u32, cell: u16) -> Option<Formula> {
        let place = *self.of.get(at as usize)?;
        (place != NONE).then(|| self.at[place as usize][usize::from(cell)])
    }

    /// Reports whether a formula holds on a board of these bits.
    #[inline]
    pub fn holds(&self, formula: Formula, bits: &[u64]) -> bool {
        let (begin, end) = self.ranges[formula as usize];
        self.terms[begin as usize..end as usize].iter().any(|term| {
            term.mask & !bits[term.set as usize] == 0
                && (term.more.0 == term.more.1 && term.checks.0 == term.checks.1 || self.rest(term, bits))
        })
    }

    fn rest(&self, term: &Flat, bits: &[u64]) -> bool {
        let more = &self.more[term.more.0 as usize..term.more.1 as usize];
        let checks = &self.checks[term.checks.0 as usize..term.checks.1 as usize];
        more.iter().all(|&(set, mask)| mask & !bits[set as usize] == 0)
            && checks.iter().all(|&(formula, holds)| self.holds(formula, bits) == holds)
    }
}
