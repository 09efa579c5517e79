//! A game graph over indices, for the brute force that knows no game.

use grundy_core::value::{Step, Value};

/// A game graph.
pub struct Graph {
    /// The moves of each position: the child's index, and the step.
    pub moves: Vec<Vec<(usize, Step)>>,
    /// The value of each finished position.
    pub ends: Vec<Option<Value>>,
    for_points: bool,
}

impl Graph {
    pub fn new(for_points: bool) -> Graph {
        Graph { moves: Vec::new(), ends: Vec::new(), for_points }
    }

    /// Returns the value of every position, and whether some position can repeat.
    pub fn solve(&self) -> (Vec<Value>, bool) {
        let mut values = vec![Value::DRAW; self.moves.len()];
        let order = self.post_order();
        match &order {
            Some(order) => order.iter().for_each(|&n| values[n] = self.best_of_children(&values, n)),
            None => self.iterate(&mut values),
        }
        (values, order.is_none())
    }

    /// Returns the Grundy number of every position: the least number that no child has.
    pub fn grundy_numbers(&self) -> Vec<u64> {
        let mut numbers = vec![0; self.moves.len()];
        for n in self.post_order().expect("impartial games are acyclic") {
            let of_children: Vec<u64> = self.moves[n].iter().map(|&(child, _)| numbers[child]).collect();
            numbers[n] = (0..).find(|g| !of_children.contains(g)).expect("some number is free");
        }
        numbers
    }

    /// Returns the positions, children before parents; `None` if there is a cycle. Iterative, since games can be long.
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

    fn iterate(&self, values: &mut Vec<Value>) {
        if self.for_points {
            return self.components().iter().for_each(|component| self.iterate_within(values, component));
        }
        loop {
            let next: Vec<Value> = (0..values.len()).map(|n| self.best_of_children(values, n)).collect();
            if next == *values {
                return;
            }
            *values = next;
        }
    }

    /// Iterates like [`Graph::iterate`] within a component, with the values after it known. A gain within a component
    /// would otherwise be kept by a player who stops the game without paying for it.
    fn iterate_within(&self, values: &mut [Value], component: &[usize]) {
        for &n in component {
            let stays = self.moves[n].iter().filter(|(child, _)| component.binary_search(child).is_ok());
            assert!(stays.into_iter().all(|(_, step)| step.gain == 0), "a gain on a way round");
        }
        loop {
            let next: Vec<Value> = component.iter().map(|&n| self.best_of_children(values, n)).collect();
            if component.iter().zip(&next).all(|(&n, value)| values[n] == *value) {
                return;
            }
            component.iter().zip(next).for_each(|(&n, value)| values[n] = value);
        }
    }

    /// Returns the strongly connected components, each sorted, successors first (Tarjan's algorithm, without
    /// recursion).
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

    fn best_of_children(&self, values: &[Value], n: usize) -> Value {
        self.ends[n].unwrap_or_else(|| {
            let children = self.moves[n].iter().map(|&(child, step)| values[child].back(step));
            children.max().expect("an unfinished game has a move")
        })
    }
}
