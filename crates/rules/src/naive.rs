//! A second interpreter, straight from the definition of the language: a witness for the first.
//!
//! It walks the syntax tree of the rules. The continuation is a list of parts, the next one last; a step takes the last
//! part off the list and pushes its constituents. It shares the tree with the fast interpreter and nothing else: no
//! instructions, no packed positions, no lists of targets.

use std::fmt;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::board::NOWHERE;
use crate::program::{Expr, Kind, Node, Program};

/// A part of the continuation: a node of the tree by its index, and the copies of repeated parts that it is in. For a
/// repetition also the number of rounds begun.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Part {
    node: u32,
    copies: Arc<[u32]>,
    begun: u32,
}

/// A continuation: the parts still to be followed, the next one last.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rest(Vec<Part>);

/// The state of a game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The piece on each cell.
    pub cells: Vec<u8>,
    /// Scores and variables.
    pub variables: Vec<i64>,
    /// The cell.
    pub cell: u16,
    /// The player to move; `None` is the keeper.
    pub turn: Option<u8>,
    /// The continuation.
    pub rest: Rest,
}

/// A modifier of a move, as it can be told apart: its place in the file, which copy of it, its cell, its effect.
pub type Step = (usize, Vec<u32>, u16, String);

/// A legal move: its modifiers and the state it leads to.
#[derive(Clone, Debug)]
pub struct Successor {
    /// The modifiers.
    pub path: Vec<Step>,
    /// The state after it, before the keeper plays.
    pub state: State,
}

/// A state after the keeper has played.
#[derive(Clone, Debug)]
pub struct Settled {
    /// The state.
    pub state: State,
    /// `true` if the keeper had no move, which ends the game.
    pub over: bool,
}

/// The answer takes more steps than one query may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLong;

impl fmt::Display for TooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("too long for the second interpreter")
    }
}

/// Maximum number of steps of one query.
const STEPS: u64 = 50_000_000;
/// Maximum number of modifiers of one move; a check may have a quarter of them.
const DEPTH: usize = 2_000;
/// Maximum number of moves of the keeper between two moves of players.
const KEEPER: usize = 200_000;

/// A node of the tree, with its children by index.
#[derive(Clone, Debug)]
enum Item {
    Sequence(Vec<u32>),
    Choice(Vec<u32>),
    Star(u32),
    Power(u32, u32),
    Check(bool, u32),
    Leaf(Kind),
}

/// The interpreter.
#[derive(Clone, Debug)]
pub struct Naive {
    items: Vec<Item>,
    /// The place of each item in the file.
    places: Vec<usize>,
    root: u32,
    edges: Vec<Vec<u16>>,
    bounds: Vec<i64>,
    start: Vec<u8>,
}

/// A search for modifiers: its open states, and those it has seen.
struct Search {
    open: Vec<(Rest, u16)>,
    seen: FxHashSet<(Rest, u16)>,
    /// Modifiers and switches that were reached, with the continuation of each.
    found: Vec<(Part, Rest, u16)>,
    /// `true` if the end of the list was reached.
    ended: bool,
}

impl Naive {
    /// Returns an interpreter of a program.
    pub fn new(program: &Program) -> Naive {
        let mut naive = Naive {
            items: Vec::new(),
            places: Vec::new(),
            root: 0,
            edges: program.board.edges.clone(),
            bounds: program.variables.iter().map(|bounded| i64::from(bounded.bound)).collect(),
            start: program.board.start.clone(),
        };
        naive.root = naive.plant(&program.rules);
        naive
    }

    /// Adds a node of the tree; returns its index.
    fn plant(&mut self, node: &Node) -> u32 {
        let item = match &node.kind {
            Kind::Sequence(nodes) => Item::Sequence(nodes.iter().map(|node| self.plant(node)).collect()),
            Kind::Choice(nodes) => Item::Choice(nodes.iter().map(|node| self.plant(node)).collect()),
            Kind::Star(inside) => Item::Star(self.plant(inside)),
            Kind::Power(inside, times) => Item::Power(self.plant(inside), *times),
            Kind::Check { negated, inside } => Item::Check(*negated, self.plant(inside)),
            leaf => Item::Leaf(leaf.clone()),
        };
        self.items.push(item);
        self.places.push(node.span.at as usize);
        self.items.len() as u32 - 1
    }

    fn whole(&self) -> Part {
        Part { node: self.root, copies: Arc::from([]), begun: 0 }
    }

    /// Returns the continuation of each switch to a player, with the player, in reading order with powers expanded,
    /// except within checks.
    ///
    /// # Errors
    /// There are too many.
    pub fn switches(&self) -> Result<Vec<(Rest, u8)>, TooLong> {
        let mut found = Vec::new();
        let mut open = vec![(self.whole(), Rest::default())];
        let mut steps = STEPS;
        while let Some((part, rest)) = open.pop() {
            steps = steps.checked_sub(1 + rest.0.len() as u64).ok_or(TooLong)?;
            let inner = |node: u32| Part { node, copies: part.copies.clone(), begun: 0 };
            match &self.items[part.node as usize] {
                Item::Leaf(Kind::Switch(Some(player))) => found.push((rest.plain(self), *player)),
                Item::Sequence(nodes) => {
                    let mut rest = rest;
                    for &node in nodes.iter().rev() {
                        open.push((inner(node), rest.clone()));
                        rest.0.push(inner(node));
                    }
                }
                Item::Choice(nodes) => {
                    open.extend(nodes.iter().rev().map(|&node| (inner(node), rest.clone())));
                }
                Item::Star(inside) => {
                    let mut again = rest;
                    again.0.push(part.clone());
                    open.push((inner(*inside), again));
                }
                Item::Power(inside, times) if *times > 0 => {
                    let (first, again) = round(&part, *inside, *times);
                    if let Some(again) = again {
                        open.push((again.clone(), rest.clone()));
                        let mut rest = rest;
                        rest.0.push(again);
                        open.push((first, rest));
                    } else {
                        open.push((first, rest));
                    }
                }
                _ => {}
            }
        }
        Ok(found)
    }

    /// Returns the state when the first player is to move.
    ///
    /// # Errors
    /// The keeper plays too long.
    pub fn start(&self) -> Result<Settled, TooLong> {
        self.settle(State {
            cells: self.start.clone(),
            variables: vec![0; self.bounds.len()],
            cell: 0,
            turn: None,
            rest: Rest(vec![self.whole()]),
        })
    }

    /// Plays the keeper's moves, each time the first.
    ///
    /// # Errors
    /// The keeper plays too long.
    pub fn settle(&self, state: State) -> Result<Settled, TooLong> {
        let mut state = state;
        for _ in 0..KEEPER {
            if state.turn.is_some() {
                return Ok(Settled { state, over: false });
            }
            match self.moves(&state, 1)?.pop() {
                Some(first) => state = first.state,
                None => return Ok(Settled { state, over: true }),
            }
        }
        Err(TooLong)
    }

    /// Returns the legal moves of a state, at most `limit`, including the keeper's; the keeper's moves after a move are
    /// not played.
    ///
    /// # Errors
    /// Finding them takes too long.
    pub fn moves(&self, state: &State, limit: usize) -> Result<Vec<Successor>, TooLong> {
        let mut all = Vec::new();
        self.follow(state, &mut Vec::new(), limit, &mut all, &mut { STEPS })?;
        Ok(all)
    }

    /// Reports whether the moves of a state are the same from every cell. `free` tells, for a continuation with a
    /// player to move, whether the cell is chosen anew there.
    ///
    /// # Errors
    /// Finding out takes too long.
    pub fn chooses_anew(&self, state: &State, free: &dyn Fn(&Rest, u8) -> bool) -> Result<bool, TooLong> {
        self.is_free(state, free, &mut { STEPS }, 0)
    }

    fn is_free(
        &self,
        state: &State,
        free: &dyn Fn(&Rest, u8) -> bool,
        steps: &mut u64,
        depth: usize,
    ) -> Result<bool, TooLong> {
        /// A modifier that can come next, its continuation, and its cell; `None` is the original cell.
        type Next = (Part, Rest, Option<u16>);
        if depth > DEPTH / 4 {
            return Err(TooLong);
        }
        let puts = |part: &Part| matches!(self.items[part.node as usize], Item::Leaf(Kind::Off(_)));
        let mut first: Option<[FxHashSet<Next>; 2]> = None;
        let mut alike = true;
        for cell in 0..state.cells.len() as u16 {
            let (found, _) = self.reach(&State { cell, ..state.clone() }, steps)?;
            let exact =
                found.iter().map(|(part, rest, at)| (part.clone(), rest.clone(), Some(*at))).collect();
            let handed = found.into_iter().map(|(part, rest, at)| {
                let at = (at != cell || puts(&part)).then_some(at);
                (part, rest, at)
            });
            let now = [exact, handed.collect()];
            match &first {
                None => first = Some(now),
                Some(first) if now[0] == first[0] => {}
                Some(first) if now[1] == first[1] => alike = false,
                Some(_) => return Ok(false),
            }
        }
        if alike {
            // The same modifiers at the same cells: what follows is the same, too.
            return Ok(true);
        }
        // A path that hands the cell on must lead to where it is chosen anew.
        let [_, handed] = first.unwrap_or_default();
        for (part, rest, at) in handed {
            if at.is_some() {
                continue;
            }
            let Some(next) = self.modified(state, &part, rest, state.cell) else { continue };
            let free = match (&self.items[part.node as usize], next.turn) {
                (Item::Leaf(Kind::Switch(_)), Some(player)) => free(&next.rest, player),
                _ => self.is_free(&next, free, steps, depth + 1)?,
            };
            if !free {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn follow(
        &self,
        state: &State,
        path: &mut Vec<Step>,
        limit: usize,
        all: &mut Vec<Successor>,
        steps: &mut u64,
    ) -> Result<(), TooLong> {
        if path.len() > DEPTH {
            return Err(TooLong);
        }
        let (found, _) = self.reach(state, steps)?;
        for (part, rest, cell) in found {
            if all.len() >= limit {
                return Ok(());
            }
            let Some(next) = self.modified(state, &part, rest, cell) else { continue };
            let Item::Leaf(kind) = &self.items[part.node as usize] else { continue };
            path.push((self.places[part.node as usize], part.copies.to_vec(), cell, format!("{kind:?}")));
            if matches!(kind, Kind::Switch(_)) {
                all.push(Successor { path: path.clone(), state: next });
            } else {
                self.follow(&next, path, limit, all, steps)?;
            }
            path.pop();
        }
        Ok(())
    }

    /// Returns the state after a modifier; `None` if a value is out of bounds.
    fn modified(&self, state: &State, part: &Part, rest: Rest, cell: u16) -> Option<State> {
        let mut next = State { cell, rest, ..state.clone() };
        match &self.items[part.node as usize] {
            Item::Leaf(Kind::Off(piece)) => next.cells[usize::from(cell)] = *piece,
            Item::Leaf(Kind::Assign(variable, value)) => {
                let variable = usize::from(*variable);
                let value = evaluate(value, state)?;
                next.variables[variable] = (0..=self.bounds[variable]).contains(&value).then_some(value)?;
            }
            Item::Leaf(Kind::Switch(turn)) => {
                next.turn = *turn;
                next.rest = next.rest.plain(self);
            }
            _ => {}
        }
        Some(next)
    }

    /// Returns all modifiers that can come next, each with its continuation, and whether the end can be reached without
    /// one.
    #[allow(clippy::type_complexity)]
    fn reach(&self, state: &State, steps: &mut u64) -> Result<(Vec<(Part, Rest, u16)>, bool), TooLong> {
        let open = vec![(state.rest.clone(), state.cell)];
        let mut search = Search { open, seen: FxHashSet::default(), found: Vec::new(), ended: false };
        while let Some((rest, cell)) = search.open.pop() {
            *steps = steps.checked_sub(1).ok_or(TooLong)?;
            if search.seen.insert((rest.clone(), cell)) {
                self.step(state, rest, cell, &mut search, steps)?;
            }
        }
        Ok((search.found, search.ended))
    }

    /// Performs one step: takes the next part off the list and follows it.
    fn step(
        &self,
        state: &State,
        rest: Rest,
        cell: u16,
        search: &mut Search,
        steps: &mut u64,
    ) -> Result<(), TooLong> {
        let mut rest = rest;
        let Some(part) = rest.0.pop() else {
            search.ended = true;
            return Ok(());
        };
        let inner = |node: u32| Part { node, copies: part.copies.clone(), begun: 0 };
        let leaf = match &self.items[part.node as usize] {
            Item::Sequence(nodes) => {
                rest.0.extend(nodes.iter().rev().map(|&node| inner(node)));
                search.open.push((rest, cell));
                return Ok(());
            }
            Item::Choice(nodes) => {
                for &node in nodes.iter().rev() {
                    let mut one = rest.clone();
                    one.0.push(inner(node));
                    search.open.push((one, cell));
                }
                return Ok(());
            }
            Item::Star(inside) => {
                let mut again = rest.clone();
                again.0.extend([part.clone(), inner(*inside)]);
                search.open.push((again, cell));
                search.open.push((rest, cell));
                return Ok(());
            }
            // A part that is to be repeated zero times cannot be followed.
            Item::Power(_, 0) => return Ok(()),
            Item::Power(inside, times) => {
                let (first, again) = round(&part, *inside, *times);
                rest.0.extend(again);
                rest.0.push(first);
                search.open.push((rest, cell));
                return Ok(());
            }
            Item::Check(negated, inside) => {
                let within = State { rest: Rest(vec![inner(*inside)]), cell, ..state.clone() };
                if self.leads(&within, steps, 0)? != *negated {
                    search.open.push((rest, cell));
                }
                return Ok(());
            }
            Item::Leaf(leaf) => leaf,
        };
        let goes = match leaf {
            Kind::Nothing => Some(cell),
            Kind::Shift(label) => {
                Some(self.edges[usize::from(*label)][usize::from(cell)]).filter(|&to| to != NOWHERE)
            }
            Kind::On(pieces) => pieces.contains(&state.cells[usize::from(cell)]).then_some(cell),
            Kind::Compare(left, comparison, right) => {
                let values = evaluate(left, state).zip(evaluate(right, state));
                values.filter(|&(left, right)| comparison.holds(left, right)).map(|_| cell)
            }
            _ => {
                search.found.push((part, rest, cell));
                return Ok(());
            }
        };
        search.open.extend(goes.map(|cell| (rest, cell)));
        Ok(())
    }

    /// Reports whether the end of a check can be reached.
    fn leads(&self, state: &State, steps: &mut u64, depth: usize) -> Result<bool, TooLong> {
        if depth > DEPTH / 4 {
            return Err(TooLong);
        }
        let (found, ended) = self.reach(state, steps)?;
        if ended {
            return Ok(true);
        }
        for (part, rest, cell) in found {
            if let Some(next) = self.modified(state, &part, rest, cell)
                && self.leads(&next, steps, depth + 1)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Counts the sequences of exactly `depth` moves of players.
    ///
    /// # Errors
    /// A question takes too long.
    pub fn perft(&self, state: &State, depth: u32) -> Result<u64, TooLong> {
        if depth == 0 {
            return Ok(1);
        }
        let moves = self.moves(state, usize::MAX)?;
        if depth == 1 {
            return Ok(moves.len() as u64);
        }
        let mut count = 0;
        for m in moves {
            let Settled { state, over } = self.settle(m.state)?;
            count += if over { 0 } else { self.perft(&state, depth - 1)? };
        }
        Ok(count)
    }
}

/// Returns the next round of a repetition, and the repetition after it if more rounds follow.
fn round(part: &Part, inside: u32, times: u32) -> (Part, Option<Part>) {
    let begun = part.begun + 1;
    let mut copies = part.copies.to_vec();
    copies.push(begun);
    let first = Part { node: inside, copies: Arc::from(copies), begun: 0 };
    (first, (begun < times).then(|| Part { begun, ..part.clone() }))
}

impl Rest {
    /// Returns the same continuation without parts at its beginning that do nothing.
    fn plain(mut self, naive: &Naive) -> Rest {
        while let Some(part) = self.0.last()
            && matches!(naive.items[part.node as usize], Item::Leaf(Kind::Nothing))
        {
            self.0.pop();
        }
        self
    }
}

fn evaluate(expr: &Expr, state: &State) -> Option<i64> {
    Some(match expr {
        Expr::Number(number) => *number,
        Expr::Variable(variable) => state.variables[usize::from(*variable)],
        Expr::Count(piece) => state.cells.iter().filter(|cell| *cell == piece).count() as i64,
        Expr::Join(operator, pair) => operator.join(evaluate(&pair.0, state)?, evaluate(&pair.1, state)?)?,
    })
}
