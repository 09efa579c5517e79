//! Plain brute force on nothing but the rules: the independent witness of every method.
//!
//! Every position that can be reached is listed with its moves. Where no position can come twice, values are
//! found by plain recursion in post-order; otherwise by Jacobi iteration: start with "draw" everywhere, replace
//! every value by the best of its children, until nothing changes. After `k` rounds the values are those of the
//! game that is broken off as a draw after `k` plies, so a win or loss in `k` plies is exact from then on. In a game
//! for points this is done for one set of positions after another that can all come back to each other.

use std::collections::HashMap;
use std::ops::ControlFlow;

use grundy_core::game::{MORE, Scored, children};
use grundy_core::value::{Step, Value};

/// All positions reachable from some roots, with their values.
pub struct Brute<G: Scored> {
    /// The positions in the order of their discovery; the roots come first.
    pub positions: Vec<G::Position>,
    /// The value of each position for its player to move.
    pub values: Vec<Value>,
    /// Whether some position can come twice.
    pub cyclic: bool,
    numbers: HashMap<G::Position, usize>,
    moves: Vec<Vec<(usize, Step)>>,
}

impl<G: Scored> Brute<G> {
    /// Lists and solves everything reachable from the roots; `None` where that is more than `limit` positions.
    pub fn solve(game: &G, roots: &[G::Position], limit: usize) -> Option<Brute<G>> {
        let mut brute: Brute<G> = Brute {
            positions: Vec::new(),
            values: Vec::new(),
            cyclic: false,
            numbers: HashMap::new(),
            moves: Vec::new(),
        };
        for root in roots {
            brute.number(root);
        }
        while brute.moves.len() < brute.positions.len() {
            let position = brute.positions[brute.moves.len()].clone();
            let mut list = Vec::new();
            if game.over(&position).is_none() {
                let _ = children(game, &position, &mut |_, child, step| {
                    list.push((brute.number(&child), step));
                    if brute.positions.len() > limit { ControlFlow::Break(()) } else { MORE }
                });
            }
            if brute.positions.len() > limit {
                return None;
            }
            brute.moves.push(list);
        }
        match brute.post_order() {
            Some(order) => brute.recurse(game, &order),
            None => {
                brute.cyclic = true;
                brute.iterate(game);
            }
        }
        Some(brute)
    }

    /// The value of a position that was reached.
    pub fn value(&self, position: &G::Position) -> Option<Value> {
        self.numbers.get(position).map(|&n| self.values[n])
    }

    /// The Grundy number of every position, for impartial games without cycles: the least number that no child has.
    pub fn grundy_numbers(&self) -> Vec<u64> {
        let mut numbers = vec![0; self.positions.len()];
        for n in self.post_order().expect("impartial games are acyclic") {
            let of_children: Vec<u64> = self.moves[n].iter().map(|&(child, _)| numbers[child]).collect();
            numbers[n] = (0..).find(|g| !of_children.contains(g)).expect("some number is free");
        }
        numbers
    }

    fn number(&mut self, position: &G::Position) -> usize {
        if let Some(&n) = self.numbers.get(position) {
            return n;
        }
        self.numbers.insert(position.clone(), self.positions.len());
        self.positions.push(position.clone());
        self.positions.len() - 1
    }

    /// Children before parents, or `None` where there is a cycle. Without recursion: games can be long.
    fn post_order(&self) -> Option<Vec<usize>> {
        const NEW: u8 = 0;
        const OPEN: u8 = 1;
        const DONE: u8 = 2;
        let mut state = vec![NEW; self.moves.len()];
        let mut order = Vec::with_capacity(self.moves.len());
        for root in 0..self.moves.len() {
            if state[root] != NEW {
                continue;
            }
            state[root] = OPEN;
            let mut path = vec![(root, 0)];
            while let Some((n, next)) = path.last_mut() {
                if let Some(&(child, _)) = self.moves[*n].get(*next) {
                    *next += 1;
                    match state[child] {
                        NEW => {
                            state[child] = OPEN;
                            path.push((child, 0));
                        }
                        OPEN => return None,
                        _ => {}
                    }
                } else {
                    state[*n] = DONE;
                    order.push(*n);
                    path.pop();
                }
            }
        }
        Some(order)
    }

    fn recurse(&mut self, game: &G, order: &[usize]) {
        self.values = vec![Value::DRAW; self.positions.len()];
        for &n in order {
            self.values[n] = self.best_of_children(game, n);
        }
    }

    fn iterate(&mut self, game: &G) {
        self.values = vec![Value::DRAW; self.positions.len()];
        if game.unit().is_points() {
            return self.components().iter().for_each(|component| self.iterate_within(game, component));
        }
        loop {
            let next: Vec<Value> =
                (0..self.positions.len()).map(|n| self.best_of_children(game, n)).collect();
            if next == self.values {
                return;
            }
            self.values = next;
        }
    }

    /// [`Brute::iterate`] for positions that can all come back to each other, the values after them being known.
    /// Otherwise who breaks off a game would keep what he has gained and not pay for it.
    fn iterate_within(&mut self, game: &G, component: &[usize]) {
        for &n in component {
            let stays = self.moves[n].iter().filter(|(child, _)| component.binary_search(child).is_ok());
            assert!(stays.into_iter().all(|(_, step)| step.gain == 0), "a gain on a way round");
        }
        loop {
            let next: Vec<Value> = component.iter().map(|&n| self.best_of_children(game, n)).collect();
            if component.iter().zip(&next).all(|(&n, value)| self.values[n] == *value) {
                return;
            }
            component.iter().zip(next).for_each(|(&n, value)| self.values[n] = value);
        }
    }

    /// The positions in sets that can all come back to each other, each sorted, what follows them first (Tarjan's
    /// algorithm, without recursion).
    fn components(&self) -> Vec<Vec<usize>> {
        let count = self.moves.len();
        let (mut found, mut lowest) = (vec![usize::MAX; count], vec![usize::MAX; count]);
        let (mut open, mut is_open, mut components) = (Vec::new(), vec![false; count], Vec::new());
        let mut next = 0;
        for root in 0..count {
            let mut path = if found[root] == usize::MAX { vec![(root, 0)] } else { Vec::new() };
            while let Some((n, at)) = path.last_mut() {
                let n = *n;
                if *at == 0 {
                    (found[n], lowest[n], is_open[n]) = (next, next, true);
                    open.push(n);
                    next += 1;
                }
                if let Some(&(child, _)) = self.moves[n].get(*at) {
                    *at += 1;
                    if found[child] == usize::MAX {
                        path.push((child, 0));
                    } else if is_open[child] {
                        lowest[n] = lowest[n].min(found[child]);
                    }
                    continue;
                }
                path.pop();
                if let Some((parent, _)) = path.last() {
                    lowest[*parent] = lowest[*parent].min(lowest[n]);
                }
                if lowest[n] == found[n] {
                    let begin = open.iter().rposition(|&m| m == n).expect("it is open");
                    let mut component = open.split_off(begin);
                    component.iter().for_each(|&m| is_open[m] = false);
                    component.sort_unstable();
                    components.push(component);
                }
            }
        }
        components
    }

    fn best_of_children(&self, game: &G, n: usize) -> Value {
        match game.over(&self.positions[n]) {
            Some(value) => value,
            None => self.moves[n]
                .iter()
                .map(|&(child, step)| self.values[child].back(step))
                .max()
                .expect("an unfinished game has a move"),
        }
    }
}
