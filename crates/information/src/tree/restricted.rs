//! Zero-sum trees whose linear program is too large to be solved at once.
//!
//! Few of a player's actions are needed for an optimal strategy. So each player in turn is restricted to some actions
//! while the other has all of them: the value of the restricted game is a bound. The actions are guessed from the
//! average strategies of regret matching, and those of best replies are added, until both bounds are equal (H. B.
//! McMahan, G. Gordon, A. Blum, "Planning in the presence of cost functions controlled by an adversary", 2003, for
//! matrix games; B. Bosansky and others, "An exact double-oracle algorithm for zero-sum extensive-form games with
//! imperfect information", 2014).

use crate::fraction::{Fraction, approximate};

use super::piece::Piece;
use super::regret::{Behaviour, Rounded};
use super::{Plans, Side, Tree};

/// Number of rounds of regret matching.
const ROUNDS: usize = 6000;
/// Least probability in the average strategy of actions that are tried at first.
const PROBABLE: f64 = 0.02;
/// The least gain of a reply that counts.
const GAIN: f64 = 1e-9;
/// Maximum number of times that actions are added.
const MOST_TIMES: usize = 500;
/// Maximum number of cells of a linear program in floating point (8 bytes each).
const MOST_CELLS: usize = 150_000_000;

/// One player with a subset of his actions, against all of the other's.
struct Half {
    side: Side,
    /// For each of his sequences whether its last action is kept.
    kept: Vec<bool>,
    /// The payoff of player 1, the part of the tree, and the weights of both.
    solved: Option<(Fraction, Piece, [Vec<Fraction>; 2])>,
}

/// Returns the value for player 1 of a part of a tree; writes optimal strategies of both into the plans of the whole
/// tree.
///
/// # Errors
/// It is too large, or the bounds did not meet: the message has them.
pub fn solve(whole: &Piece, plans: &mut Plans) -> Result<Fraction, String> {
    let tree = &whole.tree;
    let rounded = Rounded::new(tree);
    let average = rounded.average(ROUNDS);
    let estimate = rounded.expected(&average);
    let mut halves = Side::BOTH.map(|side| Half {
        side,
        kept: rounded.probable(side, &average[side.index()], PROBABLE),
        solved: None,
    });
    for _ in 0..MOST_TIMES {
        let mut values = Vec::new();
        for half in &mut halves {
            values.push(half.solve(tree)?);
        }
        if values[0] == values[1] {
            for half in &halves {
                half.write(whole, plans);
            }
            return Ok(values.swap_remove(0));
        }
        // The bound that is probably wrong first.
        let wrong = |half: usize| (approximate(&values[half]) - estimate).abs();
        let order = if wrong(0) > wrong(1) { [0, 1] } else { [1, 0] };
        if !order.into_iter().any(|half| halves[half].grow(tree, &rounded, &average[1 - half])) {
            break;
        }
    }
    let bound = |half: &Half| half.solved.as_ref().map_or(String::new(), |(value, _, _)| value.to_string());
    let [below, above] = [&halves[0], &halves[1]].map(bound);
    Err(format!("the value lies from {below} to {above}, and the exact one was not found"))
}

impl Half {
    /// Returns the payoff of player 1 if this player has only his kept actions.
    fn solve(&mut self, tree: &Tree) -> Result<Fraction, String> {
        if let Some((value, _, _)) = &self.solved {
            return Ok(value.clone());
        }
        let piece = Piece::with(tree, |infoset, action| {
            tree.infosets()[infoset].side != self.side || self.kept[tree.sequence(infoset, action)]
        });
        if piece.cells() > MOST_CELLS {
            let [one, two] = Side::BOTH.map(|side| piece.tree.sequence_count(side));
            return Err(format!("{one} and {two} sequences of actions: too many for a linear program"));
        }
        let (value, weights) = piece.solve()?;
        self.solved = Some((value.clone(), piece, weights));
        Ok(value)
    }

    /// Adds the actions of a best reply to the other's strategy against the kept ones, and reports whether there are
    /// any. Where the other's strategy does not lead, he is assumed to play by regret matching.
    fn grow(&mut self, tree: &Tree, rounded: &Rounded, otherwise: &Behaviour) -> bool {
        let Some((value, piece, weights)) = &self.solved else { return false };
        let other = self.side.other();
        let mut behaviour = otherwise.clone();
        for (home, kept, weights) in piece.reached(other, &weights[other.index()]) {
            let weights: Vec<f64> = weights.iter().map(approximate).collect();
            let sum: f64 = weights.iter().sum();
            for (action, weight) in kept.iter().zip(&weights) {
                behaviour[tree.sequence(home, *action)] = weight / sum;
            }
        }
        let (gets, replies) = rounded.reply(self.side, &behaviour);
        let before = if self.side == Side::One { approximate(value) } else { -approximate(value) };
        if gets <= before + GAIN {
            return false;
        }
        let mut grown = false;
        for (kept, played) in self.kept.iter_mut().zip(replies) {
            grown |= played && !*kept;
            *kept |= played;
        }
        if grown {
            self.solved = None;
        }
        grown
    }

    /// Writes his strategy into the plans of the whole tree.
    fn write(&self, whole: &Piece, plans: &mut Plans) {
        let Some((_, piece, weights)) = &self.solved else { return };
        let mut local = Plans::even(&whole.tree);
        piece.set(self.side, &weights[self.side.index()], &mut local);
        whole.adopt(self.side, &mut local, plans);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::examples;
    use crate::tree::sequence;

    #[test]
    fn few_actions_of_each_player_prove_the_same_value_as_all() {
        for name in ["kuhn:6", "leduc", "liars-dice:3", "goofspiel-descending:3"] {
            let tree = examples::tree(name).expect("it is there");
            let sum = tree.constant_sum().expect("zero-sum");
            let whole = Piece::subgame(&tree, 0, &HashMap::new(), &sum);
            let mut plans = Plans::even(&tree);
            let value = solve(&whole, &mut plans).expect("the bounds meet");
            assert_eq!(value, sequence::solve(&tree).expect("zero-sum").value, "{name}");
            assert!(sequence::proves(&tree, &sequence::Optimum { value, plans }), "{name}");
        }
    }
}
