//! Zero-sum trees by the sequence form: D. Koller, N. Megiddo, B. von Stengel, "Efficient computation of equilibria
//! for extensive two-person games", 1996.
//!
//! A player's strategy is the weight of each sequence of his own actions; it grows with the tree, not with the number
//! of pure strategies. Proper subgames, which no information set crosses, are solved first and replaced by their
//! values.

use std::collections::HashMap;

use num_traits::{One, Zero};

use crate::fraction::{Fraction, dot};
use crate::polytope::Polytope;

use super::piece::Piece;
use super::plan::Budget;
use super::{Node, Plans, Side, Tree, best_replies, normal, restricted};

/// Maximum number of cells of a linear program that is solved with all actions at once.
const MOST_CELLS: usize = 4_000_000;

/// The value of a zero-sum tree, and optimal strategies of both players that prove it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Optimum {
    /// The payoff of player 1.
    pub value: Fraction,
    /// The strategies of both players.
    pub plans: Plans,
}

/// Reports whether both strategies prove the value: no best reply gets more. Multiplies, adds and compares only.
pub fn proves(tree: &Tree, optimum: &Optimum) -> bool {
    let Some(sum) = tree.constant_sum() else { return false };
    optimum.plans.fit(tree)
        && best_replies(tree, &optimum.plans) == [optimum.value.clone(), sum - &optimum.value]
}

/// Solves a tree with the same sum of payoffs at every end.
///
/// # Errors
/// The sum is not constant, or the tree is too large.
///
/// ```
/// use grundy_information::{examples, fraction::ratio, tree::sequence};
/// let kuhn = examples::tree("kuhn")?;
/// let solved = sequence::solve(&kuhn)?;
/// assert_eq!(solved.value, ratio(-1, 18));
/// assert!(sequence::proves(&kuhn, &solved));
/// # Ok::<(), String>(())
/// ```
pub fn solve(tree: &Tree) -> Result<Optimum, String> {
    let sum = tree.constant_sum();
    let sum = sum.ok_or("the payoffs do not add up to the same at every end: not a zero-sum game")?;
    let mut plans = Plans::even(tree);
    let mut values: HashMap<usize, Fraction> = HashMap::new();
    let mut budget = Budget::of(1 << 24);
    for root in subgames(tree) {
        let value = match choose(tree, root, &values, &mut plans) {
            Some(value) => value,
            None => solve_piece(&Piece::subgame(tree, root, &values, &sum), &mut plans)?,
        };
        if !budget.takes(&value) {
            return Err(format!("the values of the subgames down to node {} have too many digits", root + 1));
        }
        values.insert(root, value);
    }
    if !plans.short(tree) {
        return Err("the probabilities of the optimal strategies have too many digits".to_string());
    }
    let value = values.remove(&0).ok_or("no value was found")?;
    let optimum = Optimum { value, plans };
    debug_assert!(proves(tree, &optimum));
    Ok(optimum)
}

/// Returns the value of a subgame in which a player decides only once and knows the outcomes: that of his best action,
/// which is written into the plans.
fn choose(
    tree: &Tree,
    root: usize,
    values: &HashMap<usize, Fraction>,
    plans: &mut Plans,
) -> Option<Fraction> {
    let Node::Turn(infoset, children) = &tree.nodes()[root] else { return None };
    let worth = |child: &usize| match &tree.nodes()[*child] {
        Node::End([one, _]) => Some(one),
        _ => values.get(child),
    };
    let gains = children.iter().map(worth).collect::<Option<Vec<&Fraction>>>()?;
    let best = match tree.infosets()[*infoset].side {
        Side::One => (0..gains.len()).rev().max_by_key(|&action| gains[action])?,
        Side::Two => (0..gains.len()).min_by_key(|&action| gains[action])?,
    };
    plans.0[*infoset].fill(Fraction::zero());
    plans.0[*infoset][best] = Fraction::one();
    Some(gains[best].clone())
}

/// Returns the value of a part of a tree for player 1; writes both players' optimal strategies into the plans of the
/// whole tree.
fn solve_piece(piece: &Piece, plans: &mut Plans) -> Result<Fraction, String> {
    if piece.cells() > MOST_CELLS {
        return restricted::solve(piece, plans);
    }
    let (value, weights) = piece.solve()?;
    Side::BOTH.into_iter().zip(weights).for_each(|(side, weights)| piece.set(side, &weights, plans));
    Ok(value)
}

/// Returns the roots of proper subgames where a player decides, and the root of the tree, the deepest first.
fn subgames(tree: &Tree) -> Vec<usize> {
    let count = tree.nodes().len();
    let mut ranges = vec![(usize::MAX, 0); tree.infosets().len()];
    for (at, node) in tree.nodes().iter().enumerate() {
        if let Node::Turn(infoset, _) = node {
            let range = &mut ranges[*infoset];
            *range = (range.0.min(at), range.1.max(at));
        }
    }
    // For each subtree: its last node, and the first and last node of all information sets in it.
    let mut spans = vec![(0, usize::MAX, 0); count];
    let mut roots = Vec::new();
    for at in (0..count).rev() {
        let mut span = (at, usize::MAX, 0);
        let mut join = |child: usize, spans: &[(usize, usize, usize)]| {
            let below = spans[child];
            span = (span.0.max(below.0), span.1.min(below.1), span.2.max(below.2));
        };
        let mut decides = false;
        match &tree.nodes()[at] {
            Node::End(_) => {}
            Node::Chance(branches) => branches.iter().for_each(|(_, _, child)| join(*child, &spans)),
            Node::Turn(infoset, children) => {
                decides = true;
                children.iter().for_each(|child| join(*child, &spans));
                let (first, last) = ranges[*infoset];
                span = (span.0, span.1.min(first), span.2.max(last));
            }
        }
        spans[at] = span;
        if at == 0 || decides && span.1 >= at && span.2 <= span.0 {
            roots.push(at);
        }
    }
    roots
}

/// Returns all extreme optimal strategies of a player, as weights of his sequences in lexicographic order; every
/// optimal strategy is a mixture of them.
///
/// # Errors
/// There are too many, or the other player has too many pure strategies.
pub fn extreme(tree: &Tree, optimum: &Optimum, side: Side) -> Result<Vec<Vec<Fraction>>, String> {
    let sum = tree.constant_sum().ok_or("not a zero-sum game")?;
    let value = match side {
        Side::One => optimum.value.clone(),
        Side::Two => sum - &optimum.value,
    };
    let me = side.index();
    let replies = normal::pure_plans(tree, side.other())?;
    let theirs = optimum.plans.weights(tree, side.other());
    let count = tree.sequence_count(side);
    let mut cells: HashMap<(usize, usize), Fraction> = HashMap::new();
    for ((node, reached), chance) in tree.nodes().iter().zip(tree.reached()).zip(tree.chances()) {
        if let Node::End(payoffs) = node {
            *cells.entry((reached[me], reached[1 - me])).or_insert_with(Fraction::zero) +=
                chance * &payoffs[me];
        }
    }
    let unit = |at: usize| -> Vec<Fraction> {
        (0..count).map(|k| Fraction::from_integer(u8::from(k == at).into())).collect()
    };
    let mut polytope = Polytope::default();
    polytope.zero.push((unit(0), -Fraction::one()));
    // Sequences that no best reply to the other's optimal strategy plays have no weight.
    let mut worth = vec![Fraction::zero(); count];
    for (&(mine, other), payoff) in &cells {
        worth[mine] += payoff * &theirs[other];
    }
    let mut best = HashMap::new();
    for infoset in tree.infosets_of(side).into_iter().rev() {
        let actions = 0..tree.infosets()[infoset].actions.len();
        let most = actions.map(|action| worth[tree.sequence(infoset, action)].clone()).max();
        let most = most.unwrap_or_else(Fraction::zero);
        worth[tree.sequence_to(infoset)] += &most;
        best.insert(infoset, most);
    }
    for (&infoset, most) in &best {
        let mut flow = unit(tree.sequence_to(infoset));
        flow.iter_mut().for_each(|x| *x = -&*x);
        for action in 0..tree.infosets()[infoset].actions.len() {
            let sequence = tree.sequence(infoset, action);
            flow[sequence] = Fraction::one();
            let form = (unit(sequence), Fraction::zero());
            if worth[sequence] < *most {
                polytope.zero.push(form);
            } else {
                polytope.at_least_zero.push(form);
            }
        }
        polytope.zero.push((flow, Fraction::zero()));
    }
    for reply in &replies {
        let mut factors = vec![Fraction::zero(); count];
        for (&(mine, other), payoff) in cells.iter().filter(|((_, other), _)| reply[*other]) {
            debug_assert!(reply[other]);
            factors[mine] += payoff;
        }
        polytope.at_least_zero.push((factors, -&value));
    }
    let found = polytope.vertices().map_err(|error| error.to_string())?;
    debug_assert!(found.iter().all(|weights| dot(weights, &unit(0)).is_one()));
    Ok(found)
}
