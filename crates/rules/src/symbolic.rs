//! Symbolic paths through the rules with the board left open: the conditions for a modifier to come next, or for a
//! check to reach its end.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::board::NOWHERE;
use crate::formulas::{Formula, Formulas, NONE, Term, least};
use crate::instructions::{At, Code, Op};
use crate::program::Program;
use crate::source::Fault;
use grundy_core::interner::Interner;

/// Maximum number of conditions that are found for one game; what would need more is followed step by step.
const WORK: u32 = 300_000;
/// Maximum number of paths through one check from one cell.
const PATHS: usize = 3_000;
/// Maximum number of terms of one check at one cell.
const TERMS: usize = 400;
/// Maximum nesting depth of checks.
const DEPTH: u32 = 8;

/// A path to a modifier, or to the end of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// The condition.
    pub term: Term,
    /// The modifier and its cell; `None` is the end.
    pub to: Option<(At, u16)>,
}

/// Finds the formulas of checks.
pub struct Finder<'c> {
    code: &'c Code,
    /// The set of all pieces.
    all: u64,
    known: FxHashMap<(At, u16), Option<Formula>>,
    /// The terms of each formula.
    pub formulas: Interner<Vec<Term>>,
    work: u32,
}

impl<'c> Finder<'c> {
    /// Prepares the search for formulas of these rules.
    pub fn new(code: &'c Code, pieces: usize) -> Finder<'c> {
        let all = if pieces >= 64 { u64::MAX } else { (1 << pieces) - 1 };
        Finder {
            code,
            all,
            known: FxHashMap::default(),
            formulas: Interner::default(),
            work: if pieces > 64 { 0 } else { WORK },
        }
    }

    /// Returns the formula of a check whose inside begins here; `None` if it has none, or too large a one.
    pub fn check(&mut self, start: At, cell: u16, depth: u32) -> Option<Formula> {
        let cell = if self.code.anywhere[start as usize] { 0 } else { cell };
        if let Some(&known) = self.known.get(&(start, cell)) {
            return known;
        }
        let found = self.paths(start, cell, depth).and_then(|paths| {
            let ended = paths.iter().all(|path| path.to.is_none() && path.term.comparisons.is_empty());
            let terms: Vec<Term> = paths.into_iter().map(|path| path.term).collect();
            (ended && terms.len() <= TERMS).then(|| least(terms))
        });
        let number = found.map(|terms| self.formulas.insert(terms).0);
        self.known.insert((start, cell), number);
        number
    }

    /// Returns all paths from an instruction and a cell to the next modifier or to an end; `None` if there are too
    /// many, or if a check on one of them has no formula.
    pub fn paths(&mut self, start: At, cell: u16, depth: u32) -> Option<Vec<Path>> {
        if depth > DEPTH {
            return None;
        }
        let code = self.code;
        let mut open = vec![(start, cell, Term::default())];
        let mut seen: FxHashSet<(At, u16, Term)> = FxHashSet::default();
        let mut paths = Vec::new();
        while let Some((at, cell, term)) = open.pop() {
            self.work = self.work.checked_sub(1)?;
            let instruction = code.all[at as usize];
            if instruction.join != 0 && !seen.insert((at, cell, term.clone())) {
                continue;
            }
            if seen.len() > PATHS || open.len() + paths.len() > PATHS {
                return None;
            }
            let next = instruction.next;
            match instruction.op {
                Op::Step(step) => {
                    let to = code.steps[step as usize][usize::from(cell)];
                    if to != NOWHERE {
                        open.push((next, to, term));
                    }
                }
                Op::Walk(walk) => {
                    let targets = code.walks.of(walk, cell);
                    open.extend(targets.iter().rev().map(|&to| (next, to, term.clone())));
                }
                Op::Place(place) => {
                    if code.places[place as usize][usize::from(cell)] {
                        open.push((next, cell, term));
                    }
                }
                Op::On(set) => {
                    let set = &code.sets[set as usize];
                    let pieces = (0..64).filter(|&piece| set[piece]).fold(0, |bits, piece| bits | 1 << piece);
                    let mut term = term;
                    if term.look(cell, pieces, self.all) {
                        open.push((next, cell, term));
                    }
                }
                Op::Compare(comparison) => {
                    let mut term = term;
                    if let Err(at) = term.comparisons.binary_search(&comparison) {
                        term.comparisons.insert(at, comparison);
                    }
                    open.push((next, cell, term));
                }
                Op::Check { negated, start } => {
                    let formula = self.check(start, cell, depth + 1)?;
                    let terms = &self.formulas.list()[formula as usize];
                    let mut term = term;
                    if terms.is_empty() || terms[0] == Term::default() {
                        // It never holds, or always.
                        if terms.is_empty() == negated {
                            open.push((next, cell, term));
                        }
                        continue;
                    }
                    let literal = (formula, !negated);
                    if term.checks.contains(&(formula, negated)) {
                        continue;
                    }
                    if let Err(at) = term.checks.binary_search(&literal) {
                        term.checks.insert(at, literal);
                    }
                    open.push((next, cell, term));
                }
                Op::Branch(begin, end) => {
                    let branches = &code.branches[begin as usize..end as usize];
                    open.extend(branches.iter().rev().map(|&branch| (branch, cell, term.clone())));
                }
                Op::Off(_) | Op::Assign(..) | Op::Switch(_) => {
                    paths.push(Path { term, to: Some((at, cell)) })
                }
                Op::End => paths.push(Path { term, to: None }),
            }
        }
        Some(paths)
    }
}

/// Compiles a program to instructions, with the formulas of its checks.
///
/// # Errors
/// The rules are too large.
pub fn compile(program: &Program) -> Result<Code, Fault> {
    let mut code = Code::new(program)?;
    code.formulas = formulas(&code, program.board.cells(), program.pieces.len());
    Ok(code)
}

/// Returns the formulas of all checks that have one at every cell.
fn formulas(code: &Code, cells: usize, pieces: usize) -> Formulas {
    let mut of = vec![NONE; code.all.len()];
    let mut at: Vec<Vec<Formula>> = Vec::new();
    if cells > 64 || pieces > 64 {
        return Formulas::new(of, at, &[], pieces);
    }
    let mut finder = Finder::new(code, pieces);
    for (number, instruction) in code.all.iter().enumerate() {
        let Op::Check { start, .. } = instruction.op else { continue };
        let each: Option<Vec<Formula>> = (0..cells as u16).map(|cell| finder.check(start, cell, 0)).collect();
        if let Some(each) = each {
            of[number] = at.len() as u32;
            at.push(each);
        }
    }
    Formulas::new(of, at, finder.formulas.list(), pieces)
}
