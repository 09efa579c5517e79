//! Conditions on the board before a move, derived from conditions that are tested in the middle of it.

use rustc_hash::FxHashMap;

use crate::formulas::{Formula, Term, least};
use grundy_core::interner::Interner;
use grundy_core::sorting;

/// Formulas with the pieces that a move has put substituted, so that only conditions on the board before it remain.
#[derive(Default)]
pub(crate) struct Residual {
    pub(crate) formulas: Interner<Vec<Term>>,
    known: FxHashMap<(Formula, Vec<(u16, u8)>), Formula>,
}

impl Residual {
    /// Returns a term on a board with these pieces put; `None` if it cannot hold.
    pub(crate) fn term(&mut self, term: &Term, put: &[(u16, u8)], formulas: &[Vec<Term>]) -> Option<Term> {
        let mut left = Term { comparisons: term.comparisons.clone(), ..Term::default() };
        for &(cell, pieces) in &term.cells {
            match put.binary_search_by_key(&cell, |&(cell, _)| cell) {
                Ok(at) if pieces >> put[at].1 & 1 == 0 => return None,
                Ok(_) => {}
                Err(_) => left.cells.push((cell, pieces)),
            }
        }
        for &(formula, holds) in &term.checks {
            let number = self.formula(formula, put, formulas);
            let terms = &self.formulas.list()[number as usize];
            if terms.is_empty() || terms[0] == Term::default() {
                // It never holds, or always.
                if terms.is_empty() == holds {
                    return None;
                }
                continue;
            }
            left.checks.push((number, holds));
        }
        sorting::sort(&mut left.checks);
        left.checks.dedup();
        Some(left)
    }

    fn formula(&mut self, formula: Formula, put: &[(u16, u8)], formulas: &[Vec<Term>]) -> Formula {
        let key = (formula, put.to_vec());
        if let Some(&number) = self.known.get(&key) {
            return number;
        }
        let terms = formulas[formula as usize].iter().filter_map(|term| self.term(term, put, formulas));
        let terms = least(terms.collect());
        let (number, _) = self.formulas.insert(terms);
        self.known.insert(key, number);
        number
    }
}
