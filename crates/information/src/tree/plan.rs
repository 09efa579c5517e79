//! Strategies in a tree: behaviour at every information set, and the payoff of a best reply to it.

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

use crate::fraction::{Fraction, bits, common_denominator, is_mixed, scaled, share_denominator};

use super::game::{MOST_BITS_TOGETHER, Node, Side, Tree};

/// A strategy of both players: for each information set of the tree the probability of each action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plans(pub Vec<Vec<Fraction>>);

impl Plans {
    /// Reports whether there are probabilities for every information set and action, and they add up to 1.
    pub fn fit(&self, tree: &Tree) -> bool {
        self.0.len() == tree.infosets().len()
            && self.0.iter().zip(tree.infosets()).all(|(p, set)| p.len() == set.actions.len() && is_mixed(p))
    }

    /// Reports whether the probabilities of all sequences have bounded length, also over a common denominator.
    pub fn short(&self, tree: &Tree) -> bool {
        Side::BOTH.into_iter().all(|side| {
            let each = MOST_BITS_TOGETHER / tree.sequence_count(side) as u64;
            let weights = self.weights_within(tree, side, Some(Budget::default()));
            weights.is_some_and(|weights| share_denominator(&weights, each))
        })
    }

    /// Returns the realization weights of a player's sequences: the products of his own probabilities.
    pub fn weights(&self, tree: &Tree, side: Side) -> Vec<Fraction> {
        self.weights_within(tree, side, None).unwrap_or_default()
    }

    /// Same as [`Plans::weights`]; `None` if the numbers exceed the budget.
    fn weights_within(&self, tree: &Tree, side: Side, mut budget: Option<Budget>) -> Option<Vec<Fraction>> {
        let mut weights = vec![Fraction::one(); tree.sequence_count(side)];
        for infoset in tree.infosets_of(side) {
            let before = weights[tree.sequence_to(infoset)].clone();
            for (action, p) in self.0[infoset].iter().enumerate() {
                let weight = if before.is_zero() || p.is_zero() { Fraction::zero() } else { &before * p };
                if budget.as_mut().is_some_and(|budget| !budget.takes(&weight)) {
                    return None;
                }
                weights[tree.sequence(infoset, action)] = weight;
            }
        }
        Some(weights)
    }

    /// Sets the behaviour that gives a player's sequences these weights, or if they do not add up, their proportions.
    /// Where his own actions never lead, he plays evenly.
    pub fn set_weights(&mut self, tree: &Tree, side: Side, weights: &[Fraction]) {
        for infoset in tree.infosets_of(side) {
            let count = tree.infosets()[infoset].actions.len();
            let share: Vec<Fraction> =
                (0..count).map(|action| weights[tree.sequence(infoset, action)].clone()).collect();
            let sum: Fraction = share.iter().sum();
            self.0[infoset] = if sum.is_zero() {
                vec![Fraction::new(BigInt::one(), count.into()); count]
            } else {
                share.iter().map(|p| p / &sum).collect()
            };
        }
    }

    /// Returns the strategies in which all actions are equally probable.
    pub fn even(tree: &Tree) -> Plans {
        let even = |count: usize| vec![Fraction::new(BigInt::one(), count.into()); count];
        Plans(tree.infosets().iter().map(|set| even(set.actions.len())).collect())
    }

    /// Returns the expected payoffs of both players.
    pub fn payoffs(&self, tree: &Tree) -> [Fraction; 2] {
        let weights = Side::BOTH.map(|side| self.weights(tree, side));
        let mut sums = [Fraction::zero(), Fraction::zero()];
        for ((node, reached), chance) in tree.nodes().iter().zip(tree.reached()).zip(tree.chances()) {
            if let Node::End(payoffs) = node {
                let weight = chance * &weights[0][reached[0]] * &weights[1][reached[1]];
                sums.iter_mut().zip(payoffs).for_each(|(sum, payoff)| *sum += &weight * payoff);
            }
        }
        sums
    }
}

/// A limit on the numbers of a tree's solution: on the length of each, and on the total length of long ones.
pub(super) struct Budget {
    together: u64,
}

impl Budget {
    /// Maximum number of bits of one number.
    const EACH: u64 = 1 << 15;
    /// Numbers of at most this many bits cost nothing.
    const FREE: u64 = 128;

    /// Returns a budget of this many bits for all long numbers.
    pub(super) fn of(together: u64) -> Budget {
        Budget { together }
    }

    /// Counts a number; returns `false` if it is too long or the budget is exceeded.
    pub(super) fn takes(&mut self, number: &Fraction) -> bool {
        let length = bits(number);
        let left = self.together.checked_sub(length.saturating_sub(Self::FREE));
        self.together = left.unwrap_or(0);
        length <= Self::EACH && left.is_some()
    }
}

impl Default for Budget {
    fn default() -> Budget {
        Budget::of(1 << 28)
    }
}

/// Returns each player's payoff by a best reply to the other's strategy. Multiplies, adds and compares only.
pub fn best_replies(tree: &Tree, plans: &Plans) -> [Fraction; 2] {
    let chances = tree.chances();
    let scale = common_denominator(&chances);
    let chances: Vec<BigInt> = chances.iter().map(|p| scaled(p, &scale)).collect();
    Side::BOTH.map(|side| {
        let me = side.index();
        let others = plans.weights(tree, side.other());
        let share = common_denominator(&others);
        let others: Vec<BigInt> = others.iter().map(|p| scaled(p, &share)).collect();
        let payoffs = tree.nodes().iter().filter_map(|node| match node {
            Node::End(payoffs) => Some(&payoffs[me]),
            _ => None,
        });
        let unit = common_denominator(payoffs);
        let mut worth = vec![BigInt::zero(); tree.sequence_count(side)];
        for ((node, reached), chance) in tree.nodes().iter().zip(tree.reached()).zip(&chances) {
            if let Node::End(payoffs) = node {
                let weight = &others[reached[1 - me]];
                if !weight.is_zero() && !payoffs[me].is_zero() && !chance.is_zero() {
                    worth[reached[me]] += chance * weight * scaled(&payoffs[me], &unit);
                }
            }
        }
        for infoset in tree.infosets_of(side).into_iter().rev() {
            let count = tree.infosets()[infoset].actions.len();
            let best = (0..count).map(|action| &worth[tree.sequence(infoset, action)]).max().cloned();
            worth[tree.sequence_to(infoset)] += best.unwrap_or_default();
        }
        debug_assert!(!share.is_negative());
        Fraction::new(worth.swap_remove(0), scale.clone() * share * unit)
    })
}
