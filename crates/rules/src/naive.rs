//! A second interpreter, straight from the definition of the language: a witness for the first.
//!
//! It walks over the tree of the rules itself. What is still to be followed is a list of parts, the next one last; a step
//! takes the last part off the list and puts what it consists of back. It shares the tree with the quick interpreter and
//! nothing else: no instructions, no packed positions, no lists of targets.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::board::NOWHERE;
use crate::program::{Expr, Kind, Node, Program};

/// A part that is still to be followed: a node of the tree, by its address, and in which copies of repeated parts it
/// stands. For a repetition also how many rounds are left.
#[derive(Clone, Debug)]
struct Part<'p> {
    node: &'p Node,
    copies: Rc<Vec<u32>>,
    left: u32,
}

impl PartialEq for Part<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Part<'_> {
    fn key(&self) -> (usize, &[u32], u32) {
        (std::ptr::from_ref(self.node) as usize, &self.copies, self.left)
    }
}

/// What is still to be followed, the next part last.
type Rest<'p> = Vec<Part<'p>>;

/// A list of what is still to be followed, to be compared.
type RestKey = Vec<(usize, Vec<u32>, u32)>;

fn rest_key(rest: &[Part<'_>]) -> RestKey {
    rest.iter()
        .map(|part| {
            let (node, copies, left) = part.key();
            (node, copies.to_vec(), left)
        })
        .collect()
}

/// The state of a game.
#[derive(Clone, Debug)]
pub struct State<'p> {
    /// The piece on each cell.
    pub cells: Vec<u8>,
    /// Scores and variables.
    pub variables: Vec<i64>,
    /// The cell.
    pub cell: u16,
    /// Whose turn it is; `None` is the keeper's.
    pub turn: Option<u8>,
    rest: Rest<'p>,
}

/// A modifier of a move, as it can be told apart: where it stands in the file, which copy of it, on which cell, what it
/// does.
pub type Step = (usize, Vec<u32>, u16, String);

/// A legal move: its modifiers and what it leads to.
#[derive(Clone, Debug)]
pub struct Successor<'p> {
    /// The modifiers.
    pub path: Vec<Step>,
    /// The state after it.
    pub state: State<'p>,
}

/// Steps that one question may take.
const STEPS: u64 = 50_000_000;

/// The interpreter.
#[derive(Clone, Copy, Debug)]
pub struct Naive<'p> {
    program: &'p Program,
}

/// What a search for modifiers has still to do, and what it has seen.
struct Search<'p> {
    open: Vec<(Rest<'p>, u16)>,
    seen: BTreeSet<(RestKey, u16)>,
    /// Modifiers and switches that were reached, with what follows them.
    found: Vec<(Part<'p>, Rest<'p>, u16)>,
    /// Whether the end of the list was reached.
    ended: bool,
}

impl<'p> Naive<'p> {
    /// An interpreter of a program.
    pub fn new(program: &'p Program) -> Naive<'p> {
        Naive { program }
    }

    /// The state when the first player is to move; `None` where the game is over before.
    pub fn start(&self) -> Option<State<'p>> {
        let part = Part { node: &self.program.rules, copies: Rc::default(), left: 0 };
        let state = State {
            cells: self.program.board.start.clone(),
            variables: vec![0; self.program.variables.len()],
            cell: 0,
            turn: None,
            rest: vec![part],
        };
        self.settle(state).ok()
    }

    /// Plays the keeper's moves, each time the first; where he has none the state as it is when the game ends.
    ///
    /// # Errors
    /// The game is over: with which state.
    pub fn settle(&self, state: State<'p>) -> Result<State<'p>, State<'p>> {
        let mut state = state;
        while state.turn.is_none() {
            match self.moves(&state, 1).pop() {
                Some(first) => state = first.state,
                None => return Err(state),
            }
        }
        Ok(state)
    }

    /// The legal moves of a state, at most `limit`, the keeper's included; what the keeper does after a move is not
    /// played.
    pub fn moves(&self, state: &State<'p>, limit: usize) -> Vec<Successor<'p>> {
        let mut all = Vec::new();
        let mut steps = STEPS;
        self.follow(state, &mut Vec::new(), limit, &mut all, &mut steps);
        all
    }

    fn follow(
        &self,
        state: &State<'p>,
        path: &mut Vec<Step>,
        limit: usize,
        all: &mut Vec<Successor<'p>>,
        steps: &mut u64,
    ) {
        let (found, _) = self.reach(state, steps);
        for (part, rest, cell) in found {
            if all.len() >= limit || *steps == 0 || path.len() > 2_000 {
                return;
            }
            let Some(next) = self.modified(state, &part, rest, cell) else { continue };
            let place = part.node.span.at as usize;
            path.push((place, part.copies.to_vec(), cell, format!("{:?}", part.node.kind)));
            if matches!(part.node.kind, Kind::Switch(_)) {
                all.push(Successor { path: path.clone(), state: next });
            } else {
                self.follow(&next, path, limit, all, steps);
            }
            path.pop();
        }
    }

    /// The state after a modifier; `None` where a value is out of bounds.
    fn modified(&self, state: &State<'p>, part: &Part<'p>, rest: Rest<'p>, cell: u16) -> Option<State<'p>> {
        let mut next = State { cell, rest, ..state.clone() };
        match &part.node.kind {
            Kind::Off(piece) => next.cells[usize::from(cell)] = *piece,
            Kind::Assign(variable, value) => {
                let value = evaluate(value, state)?;
                let bound = i64::from(self.program.variables[usize::from(*variable)].bound);
                next.variables[usize::from(*variable)] = (0..=bound).contains(&value).then_some(value)?;
            }
            Kind::Switch(turn) => next.turn = *turn,
            _ => {}
        }
        Some(next)
    }

    /// All modifiers that can come next, and whether the end can be reached without one.
    #[allow(clippy::type_complexity)]
    fn reach(&self, state: &State<'p>, steps: &mut u64) -> (Vec<(Part<'p>, Rest<'p>, u16)>, bool) {
        let open = vec![(state.rest.clone(), state.cell)];
        let mut search = Search { open, seen: BTreeSet::new(), found: Vec::new(), ended: false };
        while let Some((rest, cell)) = search.open.pop() {
            if *steps == 0 {
                break;
            }
            *steps -= 1;
            if search.seen.insert((rest_key(&rest), cell)) {
                self.step(state, rest, cell, &mut search, steps);
            }
        }
        (search.found, search.ended)
    }

    /// One step: the next part is taken off the list and followed.
    fn step(&self, state: &State<'p>, rest: Rest<'p>, cell: u16, search: &mut Search<'p>, steps: &mut u64) {
        let mut rest = rest;
        let Some(part) = rest.pop() else {
            search.ended = true;
            return;
        };
        let inner = |node: &'p Node| Part { node, copies: part.copies.clone(), left: 0 };
        match &part.node.kind {
            Kind::Nothing => search.open.push((rest, cell)),
            Kind::Sequence(nodes) => {
                rest.extend(nodes.iter().rev().map(inner));
                search.open.push((rest, cell));
            }
            Kind::Choice(nodes) => {
                for node in nodes.iter().rev() {
                    let mut one = rest.clone();
                    one.push(inner(node));
                    search.open.push((one, cell));
                }
            }
            Kind::Star(inside) => {
                let mut again = rest.clone();
                again.push(part.clone());
                again.push(inner(inside));
                search.open.push((again, cell));
                search.open.push((rest, cell));
            }
            Kind::Power(inside, times) => {
                // `left` counts the rounds that were begun.
                let round = part.left + 1;
                if round < *times {
                    rest.push(Part { left: round, ..part.clone() });
                }
                let mut copies = part.copies.to_vec();
                copies.push(round);
                rest.push(Part { node: inside, copies: Rc::new(copies), left: 0 });
                search.open.push((rest, cell));
            }
            Kind::Shift(label) => {
                let to = self.program.board.edges[usize::from(*label)][usize::from(cell)];
                if to != NOWHERE {
                    search.open.push((rest, to));
                }
            }
            Kind::On(pieces) => {
                if pieces.contains(&state.cells[usize::from(cell)]) {
                    search.open.push((rest, cell));
                }
            }
            Kind::Compare(left, comparison, right) => {
                if let (Some(left), Some(right)) = (evaluate(left, state), evaluate(right, state))
                    && comparison.holds(left, right)
                {
                    search.open.push((rest, cell));
                }
            }
            Kind::Check { negated, inside } => {
                let within = State { rest: vec![inner(inside)], cell, ..state.clone() };
                if self.leads(&within, steps, 0) != *negated {
                    search.open.push((rest, cell));
                }
            }
            Kind::Off(_) | Kind::Assign(..) | Kind::Switch(_) => search.found.push((part, rest, cell)),
        }
    }

    /// Whether the end of a check can be reached.
    fn leads(&self, state: &State<'p>, steps: &mut u64, depth: usize) -> bool {
        let (found, ended) = self.reach(state, steps);
        ended
            || depth < 500
                && found.into_iter().any(|(part, rest, cell)| {
                    let next = self.modified(state, &part, rest, cell);
                    next.is_some_and(|next| self.leads(&next, steps, depth + 1))
                })
    }

    /// Sequences of exactly so many moves of players.
    pub fn perft(&self, state: &State<'p>, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = self.moves(state, usize::MAX);
        if depth == 1 {
            return moves.len() as u64;
        }
        let settled = moves.into_iter().filter_map(|m| self.settle(m.state).ok());
        settled.map(|state| self.perft(&state, depth - 1)).sum()
    }
}

fn evaluate(expr: &Expr, state: &State<'_>) -> Option<i64> {
    Some(match expr {
        Expr::Number(number) => *number,
        Expr::Variable(variable) => state.variables[usize::from(*variable)],
        Expr::Count(piece) => state.cells.iter().filter(|cell| *cell == piece).count() as i64,
        Expr::Join(operator, pair) => operator.join(evaluate(&pair.0, state)?, evaluate(&pair.1, state)?)?,
    })
}

/// A place in the rules, to be compared with others: what is still to be followed there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Where(RestKey);

impl State<'_> {
    /// The place in the rules.
    pub fn place(&self) -> Where {
        Where(rest_key(&self.rest))
    }
}

/// How often each kind of move and outcome comes, to compare two interpreters.
pub type Census = BTreeMap<(Vec<(u16, String)>, Vec<u8>, Vec<i64>, Option<u8>), u32>;

/// The moves of a state by what they do and where they lead, each with how often it comes.
pub fn census(naive: &Naive<'_>, state: &State<'_>) -> Census {
    let mut census = Census::new();
    for Successor { path, state } in naive.moves(state, usize::MAX) {
        let path = path.into_iter().map(|(_, _, cell, what)| (cell, what)).collect();
        let state = naive.settle(state).unwrap_or_else(|ended| ended);
        *census.entry((path, state.cells, state.variables, state.turn)).or_default() += 1;
    }
    census
}
