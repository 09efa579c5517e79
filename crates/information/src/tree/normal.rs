//! The reduced normal form of a tree: pure strategies that are undefined where their own actions never lead.

use num_traits::{One, Zero};

use crate::bimatrix::Bimatrix;
use crate::fraction::Fraction;
use crate::matrix::Matrix;
use grundy_core::sorting;

use super::{Node, Plans, Side, Tree};

/// Maximum number of pure strategies of a player.
pub const MOST: usize = 2000;

/// A tree as a bimatrix game, with the pure strategies of its rows and columns.
pub struct NormalForm {
    /// The payoffs.
    pub game: Bimatrix,
    /// For each player his pure strategies: for each of his sequences whether it is played.
    pub plans: [Vec<Vec<bool>>; 2],
}

/// Maximum number of pure strategies of a player times his sequences.
const MOST_CELLS: usize = 1 << 26;

/// Returns the number of reduced pure strategies of a player.
fn counted(tree: &Tree, side: Side) -> usize {
    let mut plans = vec![1usize; tree.sequence_count(side)];
    for infoset in tree.infosets_of(side).into_iter().rev() {
        let actions = 0..tree.infosets()[infoset].actions.len();
        let here = actions.fold(0usize, |all, a| all.saturating_add(plans[tree.sequence(infoset, a)]));
        let before = &mut plans[tree.sequence_to(infoset)];
        *before = before.saturating_mul(here);
    }
    plans[0]
}

/// Returns the reduced pure strategies of a player: for each of his sequences whether it is played.
///
/// # Errors
/// There are more than [`MOST`], or they are very long.
pub fn pure_plans(tree: &Tree, side: Side) -> Result<Vec<Vec<bool>>, String> {
    let count = tree.sequence_count(side);
    // The information sets after each sequence.
    let mut behind = vec![Vec::new(); count];
    for infoset in tree.infosets_of(side) {
        behind[tree.sequence_to(infoset)].push(infoset);
    }
    let player = side.index() + 1;
    let plans = counted(tree, side);
    if plans > MOST {
        return Err(format!("player {player} has more than {MOST} pure strategies: too many to list"));
    }
    if plans.saturating_mul(count) > MOST_CELLS {
        return Err(format!(
            "player {player} has {plans} pure strategies of {count} sequences of actions: too many to list"
        ));
    }
    let mut first = vec![false; count];
    first[0] = true;
    let mut open = vec![(first, behind[0].clone())];
    let mut plans = Vec::new();
    while let Some((plan, mut waiting)) = open.pop() {
        let Some(infoset) = waiting.pop() else {
            plans.push(plan);
            continue;
        };
        for action in 0..tree.infosets()[infoset].actions.len() {
            let sequence = tree.sequence(infoset, action);
            let (mut next, mut more) = (plan.clone(), waiting.clone());
            next[sequence] = true;
            more.extend(&behind[sequence]);
            open.push((next, more));
        }
    }
    sorting::sort_by(&mut plans, |a, b| b.cmp(a));
    Ok(plans)
}

/// Returns the reduced normal form.
///
/// # Errors
/// A player has too many pure strategies.
pub fn form(tree: &Tree) -> Result<NormalForm, String> {
    let plans = [pure_plans(tree, Side::One)?, pure_plans(tree, Side::Two)?];
    let (height, width) = (plans[0].len(), plans[1].len());
    let mut cells = [0, 1].map(|_| vec![vec![Fraction::zero(); width]; height]);
    for ((node, reached), chance) in tree.nodes().iter().zip(tree.reached()).zip(tree.chances()) {
        let Node::End(payoffs) = node else { continue };
        let weighted: Vec<Fraction> = payoffs.iter().map(|payoff| payoff * &chance).collect();
        for i in (0..height).filter(|&i| plans[0][i][reached[0]]) {
            for j in (0..width).filter(|&j| plans[1][j][reached[1]]) {
                for (cells, payoff) in cells.iter_mut().zip(&weighted) {
                    cells[i][j] += payoff;
                }
            }
        }
    }
    let [row, column] = cells;
    let game = Bimatrix::new(Matrix::new(row)?, Matrix::new(column)?)?;
    Ok(NormalForm { game, plans })
}

impl NormalForm {
    /// Returns the plans of the tree (probabilities at each information set) that play like these two mixtures of pure
    /// strategies.
    pub fn behaviour(&self, tree: &Tree, row: &[Fraction], column: &[Fraction]) -> Plans {
        let mut plans = Plans::even(tree);
        for (side, mixture) in Side::BOTH.into_iter().zip([row, column]) {
            let mut weights = vec![Fraction::zero(); tree.sequence_count(side)];
            for (plan, p) in self.plans[side.index()].iter().zip(mixture).filter(|(_, p)| !p.is_zero()) {
                weights
                    .iter_mut()
                    .zip(plan)
                    .filter(|(_, played)| **played)
                    .for_each(|(weight, _)| *weight += p);
            }
            debug_assert!(weights[0].is_one());
            plans.set_weights(tree, side, &weights);
        }
        plans
    }
}
