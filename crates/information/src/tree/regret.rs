//! Regret matching with positive regrets and linear averaging (CFR+, O. Tammelin, "Solving large imperfect information
//! games using CFR+", 2014) in floating point: it quickly approximates optimal strategies of a zero-sum tree.

use std::collections::HashMap;

use crate::fraction::approximate;
use grundy_core::sorting;

use super::{Node, Side, Tree};

/// An information set of a player: the sequence that leads to it, that of its first action, and its number of actions.
#[derive(Clone, Copy, Debug)]
struct Choice {
    parent: usize,
    first: usize,
    count: usize,
}

impl Choice {
    fn range(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.count
    }
}

/// A zero-sum tree as payoffs to sequences of both players, rounded.
pub struct Rounded {
    /// For each player's sequence those of the other with which it ends the game, and the other's payoff there.
    cells: [Vec<Vec<(usize, f64)>>; 2],
    /// For each player his information sets, each after those that lead to it.
    choices: [Vec<Choice>; 2],
}

/// Behaviour of one player: a probability for each of his sequences, given that its information set is reached; 1 for
/// the empty sequence.
pub type Behaviour = Vec<f64>;

impl Rounded {
    /// Returns the payoffs to player 1 of a tree; player 2 gets their negatives.
    pub fn new(tree: &Tree) -> Rounded {
        let chances = tree.chances();
        let mut sums: HashMap<[usize; 2], f64> = HashMap::new();
        for ((node, reached), chance) in tree.nodes().iter().zip(tree.reached()).zip(&chances) {
            if let Node::End([one, _]) = node {
                *sums.entry(*reached).or_default() += approximate(one) * approximate(chance);
            }
        }
        let mut sums: Vec<([usize; 2], f64)> = sums.into_iter().collect();
        sorting::sort_by_key(&mut sums, |(reached, _)| *reached);
        let mut cells = Side::BOTH.map(|side| vec![Vec::new(); tree.sequence_count(side)]);
        for ([one, two], payoff) in sums {
            cells[0][one].push((two, -payoff));
            cells[1][two].push((one, payoff));
        }
        let choices = Side::BOTH.map(|side| {
            let choice = |infoset: usize| Choice {
                parent: tree.sequence_to(infoset),
                first: tree.sequence(infoset, 0),
                count: tree.infosets()[infoset].actions.len(),
            };
            tree.infosets_of(side).into_iter().map(choice).collect()
        });
        Rounded { cells, choices }
    }

    /// Returns the weight of each sequence of a player.
    fn weights(&self, side: Side, behaviour: &[f64]) -> Vec<f64> {
        let mut weights = vec![1.0; behaviour.len()];
        for choice in &self.choices[side.index()] {
            for at in choice.range() {
                weights[at] = weights[choice.parent] * behaviour[at];
            }
        }
        weights
    }

    /// Returns the payoff of the ends directly after each sequence of a player, against the other's weights.
    fn ends(&self, side: Side, others: &[f64]) -> Vec<f64> {
        let mut worth = vec![0.0; self.cells[side.index()].len()];
        for (cells, weight) in self.cells[side.other().index()].iter().zip(others).filter(|(_, w)| **w != 0.0)
        {
            cells.iter().for_each(|&(mine, payoff)| worth[mine] += payoff * weight);
        }
        worth
    }

    /// Returns a best reply to the other's behaviour: its payoff, and for each of the player's sequences whether it is
    /// played.
    pub fn reply(&self, side: Side, other: &[f64]) -> (f64, Vec<bool>) {
        let choices = &self.choices[side.index()];
        let mut worth = self.ends(side, &self.weights(side.other(), other));
        let mut best = Vec::with_capacity(choices.len());
        for choice in choices.iter().rev() {
            let at = choice.range().max_by(|&a, &b| worth[a].total_cmp(&worth[b])).unwrap_or(choice.first);
            worth[choice.parent] += worth[at];
            best.push(at);
        }
        let mut played = vec![false; worth.len()];
        played[0] = true;
        for (choice, at) in choices.iter().zip(best.into_iter().rev()) {
            played[at] = played[choice.parent];
        }
        (worth[0], played)
    }

    /// Returns the expected payoff of player 1.
    pub fn expected(&self, behaviour: &[Behaviour; 2]) -> f64 {
        let [one, two] = Side::BOTH.map(|side| self.weights(side, &behaviour[side.index()]));
        self.ends(Side::One, &two).iter().zip(&one).map(|(payoff, weight)| payoff * weight).sum()
    }

    /// Returns the average behaviour of both players after `rounds` rounds.
    pub fn average(&self, rounds: usize) -> [Behaviour; 2] {
        let zeros = || Side::BOTH.map(|side| vec![0.0; self.cells[side.index()].len()]);
        let (mut regrets, mut sums) = (zeros(), zeros());
        for round in 1..=rounds {
            for side in Side::BOTH {
                let me = side.index();
                let other = self.matching(side.other(), &regrets[1 - me]);
                let mine = self.matching(side, &regrets[me]);
                let mut worth = self.ends(side, &self.weights(side.other(), &other));
                for choice in self.choices[me].iter().rev() {
                    let here: f64 = choice.range().map(|at| worth[at] * mine[at]).sum();
                    worth[choice.parent] += here;
                    for at in choice.range() {
                        regrets[me][at] = (regrets[me][at] + worth[at] - here).max(0.0);
                    }
                }
                let mine = self.matching(side, &regrets[me]);
                for (sum, weight) in sums[me].iter_mut().zip(self.weights(side, &mine)) {
                    *sum += round as f64 * weight;
                }
            }
        }
        Side::BOTH.map(|side| self.matching(side, &sums[side.index()]))
    }

    /// Returns behaviour in proportion to nonnegative numbers; even if all of them are 0.
    pub fn matching(&self, side: Side, numbers: &[f64]) -> Behaviour {
        let mut behaviour = vec![1.0; numbers.len()];
        for choice in &self.choices[side.index()] {
            let sum: f64 = numbers[choice.range()].iter().sum();
            for at in choice.range() {
                behaviour[at] = if sum > 0.0 { numbers[at] / sum } else { 1.0 / choice.count as f64 };
            }
        }
        behaviour
    }

    /// Returns, for each sequence of a player, whether its last action has at least probability `least`, or the
    /// greatest.
    pub fn probable(&self, side: Side, behaviour: &[f64], least: f64) -> Vec<bool> {
        let mut kept: Vec<bool> = behaviour.iter().map(|&p| p >= least).collect();
        for choice in &self.choices[side.index()] {
            let best = choice.range().max_by(|&a, &b| behaviour[a].total_cmp(&behaviour[b]));
            best.into_iter().for_each(|at| kept[at] = true);
        }
        kept
    }

    /// Returns the least payoff of player 1 with the first behaviour, and his greatest payoff against the second.
    pub fn bounds(&self, behaviour: &[Behaviour; 2]) -> (f64, f64) {
        (-self.reply(Side::Two, &behaviour[0]).0, self.reply(Side::One, &behaviour[1]).0)
    }
}
