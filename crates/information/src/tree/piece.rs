//! A part of a zero-sum tree as a linear program over the sequences of both players: a subgame, with the subgames in it
//! replaced by their values, and with a subset of the actions.

use std::collections::HashMap;

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

use crate::fraction::{Fraction, common_denominator, scaled};
use crate::program::Program;
use grundy_core::sorting;

use super::{Infoset, Node, Plans, Side, Tree};

/// Maximum number of cells of a linear program that is solved by pivots on integers if floating point fails.
const MOST_BY_INTEGERS: usize = 1_000_000;

/// A part of a tree as a tree of its own.
pub struct Piece {
    /// The part as a tree.
    pub tree: Tree,
    /// For each information set its index in the whole tree, and the indices of its actions that are kept.
    homes: Vec<(usize, Vec<usize>)>,
}

impl Piece {
    /// Returns the subgame at a node; the nodes in `values` become ends with these payoffs to player 1, of a constant
    /// `sum`.
    pub fn subgame(tree: &Tree, root: usize, values: &HashMap<usize, Fraction>, sum: &Fraction) -> Piece {
        Piece::cut(tree, root, |at| values.get(&at).map(|value| [value.clone(), sum - value]), |_, _| true)
    }

    /// Returns the whole tree with only those actions `(information set, action)` that `keep` accepts: at least one
    /// everywhere.
    pub fn with(tree: &Tree, keep: impl Fn(usize, usize) -> bool) -> Piece {
        Piece::cut(tree, 0, |_| None, keep)
    }

    fn cut(
        tree: &Tree,
        root: usize,
        payoffs: impl Fn(usize) -> Option<[Fraction; 2]>,
        keep: impl Fn(usize, usize) -> bool,
    ) -> Piece {
        let mut nodes: Vec<Node> = Vec::new();
        let mut infosets = Vec::new();
        let mut homes: Vec<(usize, Vec<usize>)> = Vec::new();
        let mut known = HashMap::new();
        let mut waiting: Vec<(usize, Option<(usize, usize)>)> = vec![(root, None)];
        while let Some((from, origin)) = waiting.pop() {
            let at = nodes.len();
            if let Some((parent, branch)) = origin {
                nodes[parent].lead(branch, at);
            }
            let node = match payoffs(from).filter(|_| from != root) {
                Some(payoffs) => Node::End(payoffs),
                None => tree.nodes()[from].clone(),
            };
            nodes.push(match node {
                Node::Turn(infoset, children) => {
                    let number = *known.entry(infoset).or_insert_with(|| {
                        let Infoset { side, name, actions } = &tree.infosets()[infoset];
                        let kept: Vec<usize> = (0..actions.len()).filter(|&a| keep(infoset, a)).collect();
                        let actions = kept.iter().map(|&a| actions[a].clone()).collect();
                        infosets.push(Infoset { side: *side, name: name.clone(), actions });
                        homes.push((infoset, kept));
                        homes.len() - 1
                    });
                    let children: Vec<usize> =
                        homes[number].1.iter().map(|&action| children[action]).collect();
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
        let tree = Tree::new(String::new(), nodes, infosets).expect("a part of a tree is a tree");
        Piece { tree, homes }
    }

    /// Returns the information sets of a player that weights of his sequences reach: for each its index in the whole
    /// tree, the indices of its kept actions, and their weights.
    pub fn reached<'p>(
        &'p self,
        side: Side,
        weights: &'p [Fraction],
    ) -> impl Iterator<Item = (usize, &'p [usize], &'p [Fraction])> {
        let all = self.homes.iter().enumerate();
        let mine = all.filter(move |(number, _)| self.tree.infosets()[*number].side == side);
        let with_weights = mine.map(|(number, (home, kept))| {
            let first = self.tree.sequence(number, 0);
            (*home, kept.as_slice(), &weights[first..first + kept.len()])
        });
        with_weights.filter(|(_, _, weights)| weights.iter().any(|weight| !weight.is_zero()))
    }

    /// Writes the behaviour given by these weights into the plans of the whole tree, where they lead.
    pub fn set(&self, side: Side, weights: &[Fraction], plans: &mut Plans) {
        for (home, kept, weights) in self.reached(side, weights) {
            let sum: Fraction = weights.iter().sum();
            plans.0[home].fill(Fraction::zero());
            kept.iter().zip(weights).for_each(|(&action, weight)| plans.0[home][action] = weight / &sum);
        }
    }

    /// Moves one player's behaviour in this part into the plans of the whole tree.
    pub fn adopt(&self, side: Side, local: &mut Plans, plans: &mut Plans) {
        for (number, (home, _)) in self.homes.iter().enumerate() {
            if self.tree.infosets()[number].side == side {
                plans.0[*home] = std::mem::take(&mut local.0[number]);
            }
        }
    }

    /// Returns the number of cells of its linear program.
    pub fn cells(&self) -> usize {
        let size = |side: Side| self.tree.sequence_count(side) + self.tree.infosets_of(side.other()).len();
        size(Side::One).saturating_mul(size(Side::Two))
    }

    /// Returns the value for player 1 and the weights of both players' sequences.
    ///
    /// # Errors
    /// It is too large.
    ///
    /// With all payoffs positive more weight never hurts player 1 and less never hurts player 2. So the weights of a
    /// player's actions may be bounded by the weight that leads to them instead of adding up to it, and 0 is feasible.
    pub fn solve(&self) -> Result<(Fraction, [Vec<Fraction>; 2]), String> {
        let tree = &self.tree;
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
            sorting::sort_by_key(&mut row, |(variable, _)| *variable);
            program.limit(row, BigInt::zero());
        }
        let solution = match program.solve_by_guess() {
            Some(solution) => solution,
            None if self.cells() > MOST_BY_INTEGERS => {
                let [one, two] = Side::BOTH.map(|side| tree.sequence_count(side));
                return Err(format!(
                    "{one} and {two} sequences of actions: floating point led to no answer that proves itself, and they \
                     are too many for integers"
                ));
            }
            None => program.solve().map_err(|error| error.to_string())?,
        };
        let value = &solution.value / &game.scale - &game.shift;
        Ok((value, [solution.primal[..count].to_vec(), solution.dual[first..].to_vec()]))
    }
}

/// The payoffs to player 1 by sequences of both, multiplied by chance probabilities: all are positive integers.
struct Form {
    cells: HashMap<(usize, usize), BigInt>,
    /// The factor by which they were multiplied.
    scale: BigInt,
    /// The amount added to the payoff at each end before.
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
