//! Targets of parts of the rules that only walk over the board, computed in advance.

use rustc_hash::FxHashMap;

use crate::board::{Board, NOWHERE};
use crate::program::{Kind, Node};

/// Maximum number of steps for computing all relations: beyond it rules are followed edge by edge.
const WORK: usize = 20_000_000;

/// For each cell the cells that a walk leads to, in the order in which they are found, each once.
pub type Targets = Vec<Vec<u16>>;

/// Computes the targets of walks.
pub struct Relations<'a> {
    board: &'a Board,
    work: usize,
    /// For each cell the last list in which it was found.
    found: Vec<usize>,
    list: usize,
}

/// Reports whether a part of the rules only walks, and tests nothing but the board's edges.
pub fn only_walks(node: &Node) -> bool {
    match &node.kind {
        Kind::Shift(_) | Kind::Nothing => true,
        Kind::Sequence(nodes) | Kind::Choice(nodes) => nodes.iter().all(only_walks),
        Kind::Star(inside) | Kind::Power(inside, _) => only_walks(inside),
        Kind::Check { inside, .. } => only_walks(inside),
        _ => false,
    }
}

impl<'a> Relations<'a> {
    /// Prepares walks over this board.
    pub fn new(board: &'a Board) -> Relations<'a> {
        Relations { board, work: WORK, found: vec![0; board.cells()], list: 0 }
    }

    fn identity(&self) -> Targets {
        (0..self.board.cells() as u16).map(|cell| vec![cell]).collect()
    }

    /// Returns the targets of each cell, computed by `list`.
    fn each(&mut self, mut list: impl FnMut(&mut Self, u16, &mut Vec<u16>) -> Option<()>) -> Option<Targets> {
        let mut all = Vec::with_capacity(self.board.cells());
        for cell in 0..self.board.cells() as u16 {
            self.list += 1;
            let mut targets = Vec::new();
            list(self, cell, &mut targets)?;
            all.push(targets);
        }
        Some(all)
    }

    /// Adds a target if it is new in this list, and reports whether it was; `None` if the work is used up.
    fn add(&mut self, target: u16, targets: &mut Vec<u16>) -> Option<bool> {
        self.work = self.work.checked_sub(1)?;
        let new = std::mem::replace(&mut self.found[usize::from(target)], self.list) != self.list;
        if new {
            targets.push(target);
        }
        Some(new)
    }

    fn then(&mut self, first: &Targets, second: &Targets) -> Option<Targets> {
        self.each(|all, cell, targets| {
            for &middle in &first[usize::from(cell)] {
                for &target in &second[usize::from(middle)] {
                    all.add(target, targets)?;
                }
            }
            Some(())
        })
    }

    /// Returns the targets of a part of the rules that only walks; `None` if computing them takes too long.
    pub fn of(&mut self, node: &Node) -> Option<Targets> {
        match &node.kind {
            Kind::Shift(label) => {
                self.work = self.work.checked_sub(self.board.cells())?;
                let edges = &self.board.edges[usize::from(*label)];
                Some(edges.iter().map(|&to| if to == NOWHERE { Vec::new() } else { vec![to] }).collect())
            }
            Kind::Sequence(nodes) => self.all(nodes.iter()),
            Kind::Choice(nodes) => {
                // One part after another, since there may be very many.
                let mut found: Targets = vec![Vec::new(); self.board.cells()];
                for node in nodes {
                    for (all, targets) in found.iter_mut().zip(self.of(node)?) {
                        self.work = self.work.checked_sub(targets.len())?;
                        targets.into_iter().for_each(|target| {
                            if !all.contains(&target) {
                                all.push(target);
                            }
                        });
                    }
                }
                Some(found)
            }
            Kind::Star(inside) => {
                let once = self.of(inside)?;
                self.each(|all, cell, targets| {
                    let mut open = vec![cell];
                    while let Some(now) = open.pop() {
                        if all.add(now, targets)? {
                            open.extend(once[usize::from(now)].iter().rev());
                        }
                    }
                    Some(())
                })
            }
            Kind::Power(inside, times) => {
                let once = self.of(inside)?;
                let mut found = once.clone();
                for _ in 1..*times {
                    self.work = self.work.checked_sub(self.board.cells())?;
                    found = self.then(&found, &once)?;
                    if found.iter().all(Vec::is_empty) {
                        break;
                    }
                }
                Some(found)
            }
            Kind::Check { negated, inside } => {
                let inside = self.of(inside)?;
                let holds = |cell: usize| inside[cell].is_empty() == *negated;
                Some(
                    (0..inside.len())
                        .map(|cell| if holds(cell) { vec![cell as u16] } else { Vec::new() })
                        .collect(),
                )
            }
            _ => Some(self.identity()),
        }
    }

    /// Returns the targets of several parts, one after the other.
    pub fn all<'n>(&mut self, nodes: impl Iterator<Item = &'n Node>) -> Option<Targets> {
        let mut found: Option<Targets> = None;
        for node in nodes {
            self.work = self.work.checked_sub(self.board.cells())?;
            let next = self.of(node)?;
            found = Some(match found {
                None => next,
                Some(before) => self.then(&before, &next)?,
            });
        }
        Some(found.unwrap_or_else(|| self.identity()))
    }
}

/// Lists of targets; equal ones are stored once.
#[derive(Debug, Default)]
pub struct Tables {
    /// For each list the start of each cell's targets.
    pub begins: Vec<Vec<u32>>,
    /// For each list all targets.
    pub targets: Vec<Vec<u16>>,
    /// For each list the targets of each cell as bits, and whether they are rising; on boards of no more than 64 cells.
    bits: Vec<Vec<(u64, bool)>>,
    known: FxHashMap<Targets, u32>,
}

impl Tables {
    /// Returns the index of a list.
    pub fn number(&mut self, targets: &Targets) -> u32 {
        if let Some(&number) = self.known.get(targets) {
            return number;
        }
        let number = self.begins.len() as u32;
        let mut begins = vec![0];
        let mut flat = Vec::new();
        for list in targets {
            flat.extend(list);
            begins.push(flat.len() as u32);
        }
        let small = targets.iter().filter(|_| targets.len() <= 64);
        let bits = |list: &Vec<u16>| (list.iter().fold(0, |bits, &to| bits | 1 << to), list.is_sorted());
        self.bits.push(small.map(bits).collect());
        self.begins.push(begins);
        self.targets.push(flat);
        self.known.insert(targets.clone(), number);
        number
    }

    /// Returns the targets of a cell as bits, and whether they are in the order of the bits; on boards of no more than
    /// 64 cells.
    #[inline]
    pub fn bits(&self, number: u32, cell: u16) -> Option<(u64, bool)> {
        self.bits[number as usize].get(usize::from(cell)).copied()
    }

    /// Returns the targets of a cell.
    #[inline]
    pub fn of(&self, number: u32, cell: u16) -> &[u16] {
        let begins = &self.begins[number as usize];
        let (begin, end) = (begins[usize::from(cell)], begins[usize::from(cell) + 1]);
        &self.targets[number as usize][begin as usize..end as usize]
    }
}
