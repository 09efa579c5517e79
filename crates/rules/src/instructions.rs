//! The compiled rules: a graph of tests, walks and modifiers, each with the instruction that follows.
//!
//! Instructions are made from the end of the rules to their beginning, so that each knows its successor. A part that
//! only walks over the board becomes one instruction with a list of targets for each cell.

use crate::board::{Board, NOWHERE};
use crate::formulas::Formulas;
use crate::limits;
use crate::program::{Comparison, Expr, Kind, Node, Program};
use crate::relation::{Relations, Tables, Targets, only_walks};
use crate::source::{Fault, Span};
use grundy_core::interner::Interner;
use grundy_core::sorting;

/// The index of an instruction.
pub type At = u32;

/// The operation of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Goes to the single target in a list of [`Code::steps`].
    Step(u32),
    /// Goes to each target in a list of [`Code::walks`].
    Walk(u32),
    /// Continues if a list of [`Code::places`] allows the cell.
    Place(u32),
    /// Continues if a set of [`Code::sets`] has the piece on the cell.
    On(u32),
    /// Continues if a comparison of [`Code::comparisons`] holds.
    Compare(u32),
    /// Continues if the instructions from `start` on lead to an end, or if they do not and `negated` is set.
    Check {
        /// `true` if they must not lead to an end.
        negated: bool,
        /// The first instruction of the check.
        start: At,
    },
    /// Continues with each of the instructions in this range of [`Code::branches`].
    Branch(u32, u32),
    /// Puts a piece on the cell.
    Off(u8),
    /// Assigns an expression of [`Code::values`] to a variable.
    Assign(u16, u32),
    /// Ends the move; the turn goes to a player, or to the keeper.
    Switch(Option<u8>),
    /// The end of a check, or of the rules.
    End,
}

/// An instruction.
#[derive(Clone, Copy, Debug)]
pub struct Instruction {
    /// The operation.
    pub op: Op,
    /// The next instruction.
    pub next: At,
    /// If several paths may lead here with one cell: an index from 1, otherwise 0.
    pub join: u32,
    /// For modifiers an index from 1, otherwise 0.
    pub modifier: u32,
}

/// A comparison, in forms that are fast to evaluate.
#[derive(Clone, Debug)]
pub enum Test {
    /// A variable and a number.
    Variable(u16, Comparison, i64),
    /// Any two values.
    Any(Expr, Comparison, Expr),
}

/// The rules of a game as instructions.
#[derive(Debug)]
pub struct Code {
    /// The instructions.
    pub all: Vec<Instruction>,
    /// The place of each instruction in the text.
    pub spans: Vec<Span>,
    /// The first instruction.
    pub start: At,
    /// Instructions of all branches.
    pub branches: Vec<At>,
    /// Walks to many cells.
    pub walks: Tables,
    /// Walks to at most one cell.
    pub steps: Vec<Vec<u16>>,
    /// The cells at which each place test continues.
    pub places: Vec<Vec<bool>>,
    /// Sets of pieces.
    pub sets: Vec<[bool; 256]>,
    /// The pieces of each set.
    pub members: Vec<Vec<u8>>,
    /// Comparisons.
    pub comparisons: Vec<Test>,
    /// Values of assignments.
    pub values: Vec<Expr>,
    /// Number of joins.
    pub joins: u32,
    /// The instruction of each modifier, by its index from 1: the last one of the rules first.
    pub modifiers: Vec<At>,
    /// `true` if the continuation from an instruction is the same from every cell.
    pub anywhere: Vec<bool>,
    /// `true` if an instruction is within a check.
    pub checked: Vec<bool>,
    /// Checks that are evaluated from the bits of the board.
    pub formulas: Formulas,
    /// `true` if a move may walk over the board between its last modifier, or its beginning, and this instruction.
    pub walked: Vec<bool>,
}

/// The compiler.
struct Compiler<'a> {
    code: Code,
    board: &'a Board,
    relations: Relations<'a>,
    steps: Interner<Vec<u16>>,
    places: Interner<Vec<bool>>,
    sets: Interner<Vec<u8>>,
    end: At,
    /// Number of checks that enclose the current part.
    within: u32,
}

impl Code {
    /// Compiles a program; the formulas of its checks are added later.
    ///
    /// # Errors
    /// The rules are too large.
    pub fn new(program: &Program) -> Result<Code, Fault> {
        let code = Code {
            all: Vec::new(),
            spans: Vec::new(),
            start: 0,
            branches: Vec::new(),
            walks: Tables::default(),
            steps: Vec::new(),
            places: Vec::new(),
            sets: Vec::new(),
            members: Vec::new(),
            comparisons: Vec::new(),
            values: Vec::new(),
            joins: 0,
            modifiers: vec![0],
            anywhere: Vec::new(),
            walked: Vec::new(),
            checked: Vec::new(),
            formulas: Formulas::new(Vec::new(), Vec::new(), &[], program.pieces.len()),
        };
        let mut compiler = Compiler {
            code,
            board: &program.board,
            relations: Relations::new(&program.board),
            steps: Interner::default(),
            places: Interner::default(),
            sets: Interner::default(),
            end: 0,
            within: 0,
        };
        compiler.end = compiler.push(Op::End, 0, program.rules.span)?;
        compiler.code.start = compiler.node(&program.rules, compiler.end)?;
        let mut code = compiler.code;
        code.steps = compiler.steps.into_list();
        code.places = compiler.places.into_list();
        code.members = compiler.sets.into_list();
        let set = |pieces: &Vec<u8>| {
            let mut set = [false; 256];
            pieces.iter().for_each(|&piece| set[usize::from(piece)] = true);
            set
        };
        code.sets = code.members.iter().map(set).collect();
        code.find_joins();
        if u64::from(code.joins) * program.board.cells() as u64 > 1 << 28 {
            return Err(Fault::new(program.rules.span, "the rules are too large for a board of this size"));
        }
        code.find_anywhere();
        code.find_walked();
        Ok(code)
    }

    /// Returns the successors of an instruction within a move or a check, without the inside of a check.
    fn successors(&self, at: At) -> &[At] {
        let instruction = &self.all[at as usize];
        match instruction.op {
            Op::Branch(begin, end) => &self.branches[begin as usize..end as usize],
            Op::End | Op::Off(_) | Op::Assign(..) | Op::Switch(_) => &[],
            _ => std::slice::from_ref(&instruction.next),
        }
    }

    /// Reports whether an instruction is a modifier with at most one path to it.
    #[inline]
    pub fn is_plain_modifier(&self, at: At) -> bool {
        let instruction = &self.all[at as usize];
        instruction.modifier != 0 && instruction.join == 0
    }

    /// Marks the instructions that more than one path leads to, where visited cells must be remembered.
    fn find_joins(&mut self) {
        let count = self.all.len();
        let mut ways = vec![0u32; count];
        ways[self.start as usize] += 1;
        for at in 0..count as At {
            for i in 0..self.successors(at).len() {
                let next = self.successors(at)[i];
                ways[next as usize] += 1;
            }
            match self.all[at as usize].op {
                Op::Off(_) | Op::Assign(..) | Op::Switch(_) => ways[self.all[at as usize].next as usize] += 1,
                Op::Check { start, .. } => ways[start as usize] += 1,
                _ => {}
            }
        }
        // `true` if one search may visit the instruction with several cells.
        let mut many: Vec<bool> = ways.iter().map(|&ways| ways > 1).collect();
        loop {
            let mut changed = false;
            // Successors mostly have lower indices.
            for at in (0..count as At).rev() {
                if many[at as usize] || matches!(self.all[at as usize].op, Op::Walk(_)) {
                    for i in 0..self.successors(at).len() {
                        let next = self.successors(at)[i] as usize;
                        changed |= !std::mem::replace(&mut many[next], true);
                    }
                }
            }
            if !changed {
                break;
            }
        }
        let mut merges = vec![false; count];
        for at in 0..count as At {
            let merging = match self.all[at as usize].op {
                // Several cells may have one target.
                Op::Walk(_) => many[at as usize],
                Op::Step(step) => many[at as usize] && !injective(&self.steps[step as usize]),
                _ => false,
            };
            if merging {
                merges[self.all[at as usize].next as usize] = true;
            }
        }
        for at in 0..count {
            if (ways[at] > 1 || merges[at]) && self.all[at].op != Op::End {
                self.joins += 1;
                self.all[at].join = self.joins;
            }
        }
    }

    /// Marks the instructions before which a move may have walked since its last modifier.
    fn find_walked(&mut self) {
        let mut walked = vec![false; self.all.len()];
        loop {
            let mut changed = false;
            for at in (0..self.all.len() as At).rev() {
                if walked[at as usize] || matches!(self.all[at as usize].op, Op::Walk(_) | Op::Step(_)) {
                    for &next in self.successors(at) {
                        changed |= !std::mem::replace(&mut walked[next as usize], true);
                    }
                }
            }
            if !changed {
                break;
            }
        }
        self.walked = walked;
    }

    /// Marks the instructions from which play continues in the same way from every cell, since the cell is chosen anew.
    fn find_anywhere(&mut self) {
        let count = self.all.len();
        let same_lists = |targets: &[Vec<u16>]| targets.iter().all(|list| *list == targets[0]);
        let walks: Vec<bool> = (0..self.walks.begins.len() as u32)
            .map(|walk| {
                let cells = self.walks.begins[walk as usize].len() as u16 - 1;
                let lists: Vec<Vec<u16>> = (0..cells)
                    .map(|cell| {
                        let mut list = self.walks.of(walk, cell).to_vec();
                        sorting::sort(&mut list);
                        list
                    })
                    .collect();
                same_lists(&lists)
            })
            .collect();
        let steps: Vec<bool> = self.steps.iter().map(|step| step.iter().all(|to| *to == step[0])).collect();
        let mut anywhere = vec![true; count];
        loop {
            let mut changed = false;
            for at in 0..count {
                let Instruction { op, next, .. } = self.all[at];
                let follows = anywhere[next as usize];
                let now = match op {
                    Op::Walk(walk) => walks[walk as usize],
                    Op::Step(step) => steps[step as usize],
                    Op::Place(place) => {
                        let place = &self.places[place as usize];
                        place.iter().all(|&goes| !goes) || follows && place.iter().all(|&goes| goes)
                    }
                    // `{}` leads nowhere from any cell.
                    Op::On(set) => self.sets[set as usize].iter().all(|&has| !has),
                    Op::Off(_) => false,
                    Op::Check { start, .. } => anywhere[start as usize] && follows,
                    Op::Branch(begin, end) => {
                        let branches = &self.branches[begin as usize..end as usize];
                        branches.iter().all(|&branch| anywhere[branch as usize])
                    }
                    Op::Compare(_) | Op::Assign(..) | Op::Switch(_) => follows,
                    Op::End => true,
                };
                if anywhere[at] && !now {
                    anywhere[at] = false;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        self.anywhere = anywhere;
    }
}

/// Reports whether no two cells have the same target.
fn injective(step: &[u16]) -> bool {
    let mut targets: Vec<u16> = step.iter().copied().filter(|&to| to != NOWHERE).collect();
    sorting::sort(&mut targets);
    targets.windows(2).all(|pair| pair[0] != pair[1])
}

impl Compiler<'_> {
    fn push(&mut self, op: Op, next: At, span: Span) -> Result<At, Fault> {
        self.code.checked.push(self.within > 0);
        if self.code.all.len() >= limits::ACTIONS {
            return Err(Fault::new(span, format!("the rules have more than {} actions", limits::ACTIONS)));
        }
        let at = self.code.all.len() as At;
        let mut modifier = 0;
        if matches!(op, Op::Off(_) | Op::Assign(..) | Op::Switch(_)) {
            modifier = self.code.modifiers.len() as u32;
            self.code.modifiers.push(at);
        }
        self.code.all.push(Instruction { op, next, join: 0, modifier });
        self.code.spans.push(span);
        Ok(at)
    }

    /// Compiles a part of the rules that `next` follows; returns its first instruction.
    fn node(&mut self, node: &Node, next: At) -> Result<At, Fault> {
        let span = node.span;
        if only_walks(node)
            && let Some(targets) = self.relations.of(node)
        {
            return self.walk(&targets, next, span);
        }
        match &node.kind {
            Kind::Sequence(nodes) => self.sequence(nodes, next),
            Kind::Choice(nodes) => {
                let mut starts = Vec::with_capacity(nodes.len());
                // From the end like everything else, so that modifiers are in the reverse order of reading.
                for node in nodes.iter().rev() {
                    starts.push(self.node(node, next)?);
                }
                starts.reverse();
                self.branch(&starts, span)
            }
            Kind::Star(inside) => {
                // The loop is created before its inside, which leads back to it.
                let at = self.push(Op::Branch(0, 0), next, span)?;
                let inside = self.node(inside, at)?;
                let begin = self.code.branches.len() as u32;
                self.code.branches.extend([next, inside]);
                self.code.all[at as usize].op = Op::Branch(begin, begin + 2);
                Ok(at)
            }
            Kind::Power(inside, times) => {
                let mut next = next;
                for _ in 0..*times {
                    let before = self.code.all.len();
                    next = self.node(inside, next)?;
                    if self.code.all.len() == before {
                        break;
                    }
                }
                Ok(next)
            }
            Kind::Shift(label) => {
                let (step, _) = self.steps.insert(self.board.edges[usize::from(*label)].clone());
                self.push(Op::Step(step), next, span)
            }
            Kind::On(pieces) => {
                let mut sorted = pieces.clone();
                sorting::sort(&mut sorted);
                sorted.dedup();
                let (set, _) = self.sets.insert(sorted);
                self.push(Op::On(set), next, span)
            }
            Kind::Off(piece) => self.push(Op::Off(*piece), next, span),
            Kind::Assign(variable, value) => {
                self.code.values.push(value.clone());
                let value = self.code.values.len() as u32 - 1;
                self.push(Op::Assign(*variable, value), next, span)
            }
            Kind::Compare(left, comparison, right) => {
                let test = match (left, right) {
                    (Expr::Variable(variable), Expr::Number(number)) => {
                        Test::Variable(*variable, *comparison, *number)
                    }
                    _ => Test::Any(left.clone(), *comparison, right.clone()),
                };
                self.code.comparisons.push(test);
                let number = self.code.comparisons.len() as u32 - 1;
                self.push(Op::Compare(number), next, span)
            }
            Kind::Check { negated, inside } => {
                self.within += 1;
                let start = self.node(inside, self.end)?;
                self.within -= 1;
                self.push(Op::Check { negated: *negated, start }, next, span)
            }
            Kind::Switch(player) => self.push(Op::Switch(*player), next, span),
            Kind::Nothing => Ok(next),
        }
    }

    /// Compiles a sequence; adjacent parts that only walk become one instruction.
    fn sequence(&mut self, nodes: &[Node], next: At) -> Result<At, Fault> {
        let mut next = next;
        let mut end = nodes.len();
        while end > 0 {
            let walking = nodes[..end].iter().rev().take_while(|node| only_walks(node)).count();
            let run = &nodes[end - walking..end];
            let targets = if walking > 1 { self.relations.all(run.iter()) } else { None };
            if let Some(targets) = targets {
                next = self.walk(&targets, next, run[0].span)?;
                end -= walking;
            } else {
                end -= 1;
                next = self.node(&nodes[end], next)?;
            }
        }
        Ok(next)
    }

    fn branch(&mut self, starts: &[At], span: Span) -> Result<At, Fault> {
        let begin = self.code.branches.len() as u32;
        self.code.branches.extend(starts);
        self.push(Op::Branch(begin, begin + starts.len() as u32), 0, span)
    }

    /// Returns the instruction for a walk with known targets.
    fn walk(&mut self, targets: &Targets, next: At, span: Span) -> Result<At, Fault> {
        let stays =
            targets.iter().enumerate().all(|(cell, list)| list.iter().all(|&to| usize::from(to) == cell));
        if stays {
            let place: Vec<bool> = targets.iter().map(|list| !list.is_empty()).collect();
            if place.iter().all(|&goes| goes) {
                return Ok(next);
            }
            let (number, _) = self.places.insert(place);
            return self.push(Op::Place(number), next, span);
        }
        if targets.iter().all(|list| list.len() <= 1) {
            let step = targets.iter().map(|list| list.first().copied().unwrap_or(NOWHERE)).collect();
            let (step, _) = self.steps.insert(step);
            return self.push(Op::Step(step), next, span);
        }
        let number = self.code.walks.number(targets);
        self.push(Op::Walk(number), next, span)
    }
}
