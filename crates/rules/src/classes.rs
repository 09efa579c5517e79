//! Classes of positions, found from the rules alone: by entry, scores and variables, and the number of each piece.
//!
//! The rules are followed with the board left open: only the numbers of the pieces are known, and which pieces may be
//! on the current cell. Checks are assumed to hold. So every class that can be reached is found, and perhaps some more.

use grundy_core::interner::Interner;
use grundy_core::sorting;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::instructions::{At, Code, Op, Test};
use crate::position::Entry;
use crate::program::{Comparison, Expr, Program};
use crate::symmetry::Image;

/// Maximum number of steps for finding the classes.
const STEPS: u32 = 2_000_000;
/// Maximum number of kinds of pieces, and of scores and variables: with more no classes are found.
const MOST: usize = 16;

/// A class of positions.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Class {
    /// The entry of the rules.
    pub entry: u16,
    /// Scores and variables.
    pub variables: SmallVec<[i64; 4]>,
    /// Number of each piece, by its index.
    pub counts: SmallVec<[u8; 8]>,
}

/// Classes of positions, and the classes that each leads to.
#[derive(Clone, Debug)]
pub struct Classes {
    /// The classes.
    pub all: Vec<Class>,
    /// For each class the indices of the classes that a move may lead to.
    pub exits: Vec<Vec<u32>>,
}

/// The parts of a game that finding its classes needs.
pub struct Ground<'r> {
    /// The file.
    pub program: &'r Program,
    /// Its instructions.
    pub code: &'r Code,
    /// The entries of the rules; the last two are the end of the game with either player's turn.
    pub entries: &'r [Entry],
    /// The entry of each instruction and player.
    pub entry_of: &'r [[u16; 2]],
}

/// Returns the classes of a game, without those with more pieces than the author declares; `None` if there are too
/// many, or once `fits` returns false of a class.
pub fn classes(ground: &Ground<'_>, fits: &mut dyn FnMut(&Class) -> bool) -> Option<Classes> {
    let Ground { program, code, entries, .. } = *ground;
    if program.pieces.len() > MOST || program.variables.len() > MOST || program.board.cells() > 255 {
        return None;
    }
    let mut found = Finder {
        ground,
        classes: Interner::default(),
        boards: Interner::default(),
        seen: Interner::default(),
        steps: STEPS,
    };
    let mut counts: SmallVec<[u8; 8]> = SmallVec::from_elem(0, program.pieces.len());
    program.board.start.iter().for_each(|&piece| counts[usize::from(piece)] += 1);
    let begin = Class { entry: 0, variables: SmallVec::from_elem(0, program.variables.len()), counts };
    // The keeper moves first, as if after the second player.
    let ends = entries.len() as u16 - 2;
    found.follow(&begin, code.start, ends)?;
    let mut exits: Vec<Vec<u32>> = Vec::new();
    let mut counted = 0;
    while let Some(class) = found.classes.list().get(exits.len()).cloned() {
        let new = &found.classes.list()[counted..];
        counted += new.len();
        if !new.iter().all(&mut *fits) {
            return None;
        }
        let entry = entries[usize::from(class.entry)];
        exits.push(match entry.at {
            Some(at) => found.follow(&class, at, ends + (!entry.player).index() as u16)?,
            None => Vec::new(),
        });
    }
    Some(Classes { all: found.classes.list().to_vec(), exits })
}

impl Classes {
    /// Adds the images of all classes by these symmetries, any of which may be applied after a move.
    pub fn close<'i>(&mut self, images: impl Iterator<Item = &'i Image> + Clone) {
        let mut numbers: FxHashMap<Class, u32> = self.all.iter().cloned().zip(0..).collect();
        for at in 0..self.all.len() {
            for image in images.clone() {
                let other = self.all[at].image(image);
                if !numbers.contains_key(&other) {
                    numbers.insert(other.clone(), self.all.len() as u32);
                    self.all.push(other);
                    self.exits.push(self.exits[at].clone());
                }
            }
        }
        for exits in &mut self.exits {
            let others = |&exit: &u32| {
                let class = &self.all[exit as usize];
                images
                    .clone()
                    .filter_map(|image| numbers.get(&class.image(image)).copied())
                    .collect::<Vec<u32>>()
            };
            let others: Vec<u32> = exits.iter().flat_map(others).collect();
            exits.extend(others);
            sorting::sort(exits);
            exits.dedup();
        }
    }

    /// Sorts the classes so that each comes after those it leads to. Returns the start of each further wave: a class
    /// leads to earlier waves only. There are no waves if classes are cyclic.
    pub fn sort(&mut self) -> Vec<usize> {
        let (order, waves) = waves(&self.exits);
        self.all = order.iter().map(|&at| self.all[at as usize].clone()).collect();
        // The sort has invalidated the indices of the exits.
        self.exits.clear();
        waves
    }
}

impl Class {
    fn image(&self, image: &Image) -> Class {
        let mut other = self.clone();
        other.entry = image.entries[usize::from(self.entry)];
        for (&to, &value) in image.variables.iter().zip(&self.variables) {
            other.variables[usize::from(to)] = value;
        }
        for (&to, &count) in image.pieces.iter().zip(&self.counts) {
            other.counts[usize::from(to)] = count;
        }
        other
    }
}

/// Scores and variables, and the number of each piece.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Board {
    variables: SmallVec<[i64; 4]>,
    counts: SmallVec<[u8; 8]>,
}

/// A state in the middle of a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Middle {
    at: At,
    /// The set of pieces that may be on the current cell.
    known: u16,
    /// The index of the board.
    board: u32,
}

/// An interpreter of the rules with the board left open.
struct Finder<'r> {
    ground: &'r Ground<'r>,
    classes: Interner<Class>,
    /// The boards of one move.
    boards: Interner<Board>,
    /// The states of one move.
    seen: Interner<Middle>,
    steps: u32,
}

impl Board {
    fn value(&self, expr: &Expr) -> Option<i64> {
        match expr {
            Expr::Number(number) => Some(*number),
            Expr::Variable(variable) => Some(self.variables[usize::from(*variable)]),
            Expr::Count(piece) => Some(i64::from(self.counts[usize::from(*piece)])),
            Expr::Join(operator, pair) => operator.join(self.value(&pair.0)?, self.value(&pair.1)?),
        }
    }

    fn holds(&self, test: &Test) -> bool {
        let holds = |left, comparison: Comparison, right| match (left, right) {
            (Some(left), Some(right)) => comparison.holds(left, right),
            _ => false,
        };
        match test {
            Test::Variable(variable, comparison, number) => {
                comparison.holds(self.variables[usize::from(*variable)], *number)
            }
            Test::Any(left, comparison, right) => holds(self.value(left), *comparison, self.value(right)),
        }
    }

    /// Returns the pieces of a set that are on the board.
    fn among(&self, known: u16) -> u16 {
        let on_board = (0..self.counts.len()).filter(|&piece| self.counts[piece] > 0);
        known & on_board.fold(0, |bits, piece| bits | 1 << piece)
    }
}

impl Finder<'_> {
    /// Returns the classes that a class leads to by a move that begins at this instruction; `end` is the entry for a
    /// keeper without a move.
    fn follow(&mut self, class: &Class, at: At, end: u16) -> Option<Vec<u32>> {
        let mut exits = Vec::new();
        self.seen.clear();
        self.boards.clear();
        let Class { variables, counts, .. } = class.clone();
        let first = Middle { at, known: u16::MAX, board: self.boards.insert(Board { variables, counts }).0 };
        if self.ground.code.start == at && self.classes.list().is_empty() {
            self.reach(&first, end, &mut exits);
        }
        let mut open = vec![first];
        while let Some(middle) = open.pop() {
            if !self.seen.insert(middle).1 {
                continue;
            }
            self.steps = self.steps.checked_sub(1)?;
            let code = self.ground.code;
            let board = &self.boards.list()[middle.board as usize];
            let instruction = code.all[middle.at as usize];
            let mut next = Middle { at: instruction.next, ..middle };
            match instruction.op {
                Op::Step(_) | Op::Walk(_) => {
                    next.known = u16::MAX;
                    open.push(next);
                }
                Op::Place(_) | Op::Check { .. } => open.push(next),
                Op::On(set) => {
                    let set = &code.sets[set as usize];
                    next.known &=
                        (0..MOST).filter(|&piece| set[piece]).fold(0, |bits, piece| bits | 1 << piece);
                    if board.among(next.known) != 0 {
                        open.push(next);
                    }
                }
                Op::Compare(test) => {
                    if board.holds(&code.comparisons[test as usize]) {
                        open.push(next);
                    }
                }
                Op::Branch(begin, end) => {
                    let branches = &code.branches[begin as usize..end as usize];
                    open.extend(branches.iter().map(|&at| Middle { at, ..middle }));
                }
                Op::Off(piece) => {
                    let (pieces, before) = (board.among(middle.known), board.clone());
                    for old in (0..before.counts.len()).filter(|old| pieces >> old & 1 == 1) {
                        let mut board = before.clone();
                        board.counts[old] -= 1;
                        board.counts[usize::from(piece)] += 1;
                        let board = self.boards.insert(board).0;
                        open.push(Middle { known: 1 << piece, board, ..next });
                    }
                }
                Op::Assign(variable, value) => {
                    let bound = i64::from(self.ground.program.variables[usize::from(variable)].bound);
                    if let Some(value) = board.value(&code.values[value as usize])
                        && (0..=bound).contains(&value)
                    {
                        let mut board = board.clone();
                        board.variables[usize::from(variable)] = value;
                        open.push(Middle { board: self.boards.insert(board).0, ..next });
                    }
                }
                Op::Switch(None) => {
                    next.known = u16::MAX;
                    self.reach(&next, end, &mut exits);
                    open.push(next);
                }
                Op::Switch(Some(player)) => {
                    self.reach(
                        &next,
                        self.ground.entry_of[instruction.next as usize][usize::from(player)],
                        &mut exits,
                    );
                }
                Op::End => {}
            }
        }
        sorting::sort(&mut exits);
        exits.dedup();
        Some(exits)
    }

    /// Adds a class, unless the author declares that it does not occur.
    fn reach(&mut self, middle: &Middle, entry: u16, exits: &mut Vec<u32>) {
        let most = &self.ground.program.directives.most;
        let Board { variables, counts } = &self.boards.list()[middle.board as usize];
        if most.iter().any(|&(piece, most)| u32::from(counts[usize::from(piece)]) > most) {
            return;
        }
        let class = Class { entry, variables: variables.clone(), counts: counts.clone() };
        exits.push(self.classes.insert(class).0);
    }
}

/// Returns the classes in an order in which exits come before the classes that lead to them, and the start of each
/// further wave; no waves if some are cyclic.
fn waves(exits: &[Vec<u32>]) -> (Vec<u32>, Vec<usize>) {
    let mut left: Vec<u32> = exits.iter().map(|exits| exits.len() as u32).collect();
    let mut entrances: Vec<Vec<u32>> = vec![Vec::new(); exits.len()];
    for (from, exits) in (0..).zip(exits) {
        exits.iter().for_each(|&to| entrances[to as usize].push(from));
    }
    let mut order: Vec<u32> = (0..exits.len() as u32).filter(|&class| left[class as usize] == 0).collect();
    let (mut waves, mut begin) = (Vec::new(), 0);
    while begin < order.len() {
        waves.push(begin);
        let wave = order[begin..].to_vec();
        begin = order.len();
        for from in wave.into_iter().flat_map(|class| &entrances[class as usize]) {
            left[*from as usize] -= 1;
            if left[*from as usize] == 0 {
                order.push(*from);
            }
        }
    }
    if order.len() < exits.len() {
        waves.clear();
        order.extend((0..exits.len() as u32).filter(|&class| left[class as usize] > 0));
    }
    (order, waves)
}
