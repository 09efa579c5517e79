//! Zero-sum trees by the sequence form: D. Koller, N. Megiddo, B. von Stengel, "Efficient computation of equilibria
//! for extensive two-person games", 1996.
//!
//! A player's strategy is the weight of each sequence of his own actions; it grows with the tree, not with the number
//! of pure strategies. Proper subgames, which no information set leaves, are solved first and replaced by their
//! values.

use std::collections::HashMap;

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

use crate::fraction::{Fraction, common_denominator, dot, scaled};
use crate::polytope::Polytope;
use crate::program::Program;

use super::{Node, Plans, Side, Tree, best_replies, normal};

/// The most cells of a linear program.
const MOST_CELLS: usize = 20_000_000;

/// The value of a zero-sum tree, and optimal strategies of both players that prove it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Optimum {
    /// What player 1 gets.
    pub value: Fraction,
    /// What both play.
    pub plans: Plans,
}

/// Whether both strategies prove the value: no best reply gets more. Multiplies, adds and compares only.
pub fn proves(tree: &Tree, optimum: &Optimum) -> bool {
    let Some(sum) = tree.constant_sum() else { return false };
    optimum.plans.fit(tree)
        && best_replies(tree, &optimum.plans) == [optimum.value.clone(), sum - &optimum.value]
}

/// Solves a tree in which the payoffs add up to the same at every end.
///
/// # Errors
/// They do not.
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
    for root in subgames(tree) {
        let piece = Piece::cut(tree, root, &values, &sum);
        let (value, weights) = piece.solve()?;
        for (side, weights) in Side::BOTH.into_iter().zip(weights) {
            let mut local = Plans::even(&piece.tree);
            local.set_weights(&piece.tree, side, &weights);
            for (number, &home) in piece.homes.iter().enumerate() {
                if piece.tree.infosets()[number].side == side {
                    plans.0[home] = std::mem::take(&mut local.0[number]);
                }
            }
        }
        values.insert(root, value);
    }
    let value = values.remove(&0).ok_or("no value was found")?;
    let optimum = Optimum { value, plans };
    debug_assert!(proves(tree, &optimum));
    Ok(optimum)
}

/// The roots of proper subgames where a player decides, and the root of the tree, the deepest first.
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

/// A subtree as a tree of its own, subgames in it replaced by their values.
struct Piece {
    tree: Tree,
    /// For each information set its number in the whole tree.
    homes: Vec<usize>,
}

impl Piece {
    fn cut(tree: &Tree, root: usize, values: &HashMap<usize, Fraction>, sum: &Fraction) -> Piece {
        let mut nodes = Vec::new();
        let mut infosets = Vec::new();
        let mut homes = Vec::new();
        let mut known = HashMap::new();
        let mut waiting: Vec<(usize, Option<(usize, usize)>)> = vec![(root, None)];
        while let Some((from, origin)) = waiting.pop() {
            let at = nodes.len();
            if let Some((parent, branch)) = origin {
                match &mut nodes[parent] {
                    Node::Chance(branches) => branches[branch].2 = at,
                    Node::Turn(_, children) => children[branch] = at,
                    Node::End(_) => {}
                }
            }
            let node = match values.get(&from).filter(|_| from != root) {
                Some(value) => Node::End([value.clone(), sum - value]),
                None => tree.nodes()[from].clone(),
            };
            nodes.push(match node {
                Node::Turn(infoset, children) => {
                    let number = *known.entry(infoset).or_insert_with(|| {
                        infosets.push(tree.infosets()[infoset].clone());
                        homes.push(infoset);
                        homes.len() - 1
                    });
                    let later = children.iter().enumerate().rev();
                    waiting.extend(later.map(|(branch, &child)| (child, Some((at, branch)))));
                    Node::Turn(number, children)
                }
                Node::Chance(branches) => {
                    let later = branches.iter().enumerate().rev();
                    waiting.extend(later.map(|(branch, (_, _, child))| (*child, Some((at, branch)))));
                    Node::Chance(branches)
                }
                end @ Node::End(_) => end,
            });
        }
        let tree = Tree::new(String::new(), nodes, infosets).expect("a subgame of a tree is a tree");
        Piece { tree, homes }
    }

    /// The value for player 1 and the weights of both players' sequences.
    ///
    /// With all payoffs positive more weight never hurts player 1 and less never hurts player 2. So the weights of a
    /// player's actions may be limited by what leads to them instead of adding up to it, and 0 is a point to begin
    /// with.
    fn solve(&self) -> Result<(Fraction, [Vec<Fraction>; 2]), String> {
        let tree = &self.tree;
        let sizes = Side::BOTH.map(|side| tree.sequence_count(side) + tree.infosets_of(side.other()).len());
        if sizes[0].saturating_mul(sizes[1]) > MOST_CELLS {
            let [one, two] = Side::BOTH.map(|side| tree.sequence_count(side));
            return Err(format!("{one} and {two} sequences of actions: too many for a linear program"));
        }
        let game = Form::of(tree);
        let count = tree.sequence_count(Side::One);
        let worth_of: HashMap<usize, usize> =
            tree.infosets_of(Side::Two).into_iter().enumerate().map(|(k, h)| (h, count + 1 + k)).collect();
        let mut objective = vec![BigInt::zero(); count + 1 + worth_of.len()];
        objective[count] = BigInt::one();
        let mut program = Program::new(objective);
        program.limit(vec![(0, BigInt::one())], BigInt::one());
        for infoset in tree.infosets_of(Side::One) {
            let actions = 0..tree.infosets()[infoset].actions.len();
            let mut row: Vec<(usize, BigInt)> =
                actions.map(|action| (tree.sequence(infoset, action), BigInt::one())).collect();
            row.push((tree.sequence_to(infoset), -BigInt::one()));
            program.limit(row, BigInt::zero());
        }
        let first = program.rows.len();
        let mut rows: Vec<Vec<(usize, BigInt)>> = vec![Vec::new(); tree.sequence_count(Side::Two)];
        rows[0].push((count, BigInt::one()));
        for (&infoset, &worth) in &worth_of {
            for action in 0..tree.infosets()[infoset].actions.len() {
                rows[tree.sequence(infoset, action)].push((worth, BigInt::one()));
            }
            rows[tree.sequence_to(infoset)].push((worth, -BigInt::one()));
        }
        for (&(one, two), payoff) in &game.cells {
            rows[two].push((one, -payoff));
        }
        for mut row in rows {
            row.sort_by_key(|(variable, _)| *variable);
            program.limit(row, BigInt::zero());
        }
        let solution = program.solve().map_err(|error| error.to_string())?;
        let value = &solution.value / &game.scale - &game.shift;
        Ok((value, [solution.primal[..count].to_vec(), solution.dual[first..].to_vec()]))
    }
}

/// The payoffs to player 1 by sequences of both: chance is part of them, all are positive integers.
struct Form {
    cells: HashMap<(usize, usize), BigInt>,
    /// What they were multiplied by.
    scale: BigInt,
    /// What was added to the payoff at each end before.
    shift: Fraction,
}

impl Form {
    fn of(tree: &Tree) -> Form {
        let payoff = |node: &Node| match node {
            Node::End([one, _]) => Some(one.clone()),
            _ => None,
        };
        let least = tree.nodes().iter().filter_map(payoff).min().unwrap_or_else(Fraction::zero);
        let shift = Fraction::one() - least;
        let mut cells: HashMap<(usize, usize), Fraction> = HashMap::new();
        for ((node, reached), chance) in tree.nodes().iter().zip(tree.reached()).zip(tree.chances()) {
            if let Some(payoff) = payoff(node) {
                *cells.entry((reached[0], reached[1])).or_insert_with(Fraction::zero) +=
                    chance * (payoff + &shift);
            }
        }
        let scale = common_denominator(cells.values());
        let cells = cells.into_iter().filter(|(_, x)| x.is_positive());
        Form { cells: cells.map(|(at, x)| (at, scaled(&x, &scale))).collect(), scale, shift }
    }
}

/// All extreme optimal strategies of a player, as weights of his sequences in lexicographic order; every optimal
/// strategy is a mixture of them.
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
    // What no best reply to the other's optimal strategy plays has no weight.
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
