//! Games in strategic form of three or more players: their pure equilibria and dominated strategies.
//!
//! Mixed equilibria of such games need not be rational: J. F. Nash's game of poker for three has only irrational ones
//! (*Annals of Mathematics* 54, 1951, 286-295). They are not computed.

use crate::bimatrix::dominance::{self, Dominated};
use crate::fraction::Fraction;
use crate::matrix::Matrix;

/// Maximum number of payoffs of a game.
pub const MOST_PAYOFFS: usize = 8_000_000;

/// A game in strategic form of any number of players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Several {
    /// Number of strategies of each player.
    sizes: Vec<usize>,
    /// Payoffs to all players, profile by profile; the first player's strategies change fastest.
    payoffs: Vec<Vec<Fraction>>,
}

impl Several {
    /// Returns a game of players with `sizes` strategies each and the payoffs of every profile, the first player's
    /// strategies changing fastest.
    ///
    /// # Errors
    /// A player has no strategies, or the number of payoffs does not match the profiles and players.
    pub fn new(sizes: Vec<usize>, payoffs: Vec<Vec<Fraction>>) -> Result<Several, String> {
        let profiles = sizes.iter().try_fold(1_usize, |all, &size| all.checked_mul(size));
        if profiles != Some(payoffs.len()) || payoffs.is_empty() {
            return Err(format!("{} outcomes for {sizes:?} strategies", payoffs.len()));
        }
        match payoffs.iter().find(|each| each.len() != sizes.len()) {
            Some(each) => Err(format!("{} payoffs: expected {}", each.len(), sizes.len())),
            None => Ok(Several { sizes, payoffs }),
        }
    }

    /// Returns the number of strategies of each player.
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// Returns the payoffs to all players in a profile of strategies, counted from 0.
    pub fn payoffs(&self, profile: &[usize]) -> &[Fraction] {
        let place = profile.iter().zip(&self.sizes).rev().fold(0, |at, (&own, &size)| at * size + own);
        &self.payoffs[place]
    }

    /// Returns the pure equilibria: profiles in which nobody gains by deviating alone, the first player's strategies
    /// changing fastest.
    pub fn pure(&self) -> Vec<Vec<usize>> {
        let mut stable = vec![true; self.payoffs.len()];
        let mut step = 1;
        for (player, &size) in self.sizes.iter().enumerate() {
            let firsts = (0..self.payoffs.len()).filter(|place| (place / step).is_multiple_of(size));
            for first in firsts {
                let own = (0..size).map(|strategy| first + strategy * step);
                let best = own.clone().map(|place| &self.payoffs[place][player]).max();
                own.for_each(|place| stable[place] &= Some(&self.payoffs[place][player]) == best);
            }
            step *= size;
        }
        (0..stable.len()).filter(|&place| stable[place]).map(|place| self.profile(place)).collect()
    }

    /// Returns the profile at an index of the list of payoffs.
    fn profile(&self, mut place: usize) -> Vec<usize> {
        let digit = |size: &usize| {
            let own = place % size;
            place /= size;
            own
        };
        self.sizes.iter().map(digit).collect()
    }

    /// Returns the dominated strategies of a player, counted from 0: another one, possibly mixed, is better whatever
    /// the others play, or never worse and once better.
    ///
    /// # Errors
    /// The others have more profiles than a matrix has columns.
    pub fn dominated(&self, player: usize) -> Result<Vec<Dominated>, String> {
        let step: usize = self.sizes[..player].iter().product();
        let size = self.sizes[player];
        let mut rows = vec![Vec::new(); size];
        for (place, payoffs) in self.payoffs.iter().enumerate() {
            rows[place / step % size].push(payoffs[player].clone());
        }
        Ok(dominance::rows(&Matrix::new(rows)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fraction::ratio;

    /// Returns a game of three players with two strategies each, by a function of their strategies.
    fn game(payoffs: impl Fn([usize; 3]) -> [i64; 3]) -> Several {
        let place = |n: usize| payoffs([n % 2, n / 2 % 2, n / 4]).map(|x| ratio(x, 1)).to_vec();
        Several::new(vec![2; 3], (0..8).map(place).collect()).expect("eight outcomes")
    }

    #[test]
    fn pure_equilibria_are_the_profiles_that_nobody_leaves() {
        // A player who is alone with his choice wins from the two others.
        let minority = game(|own| {
            let ones = own.iter().sum::<usize>();
            own.map(|choice| i64::from([ones == 2, ones == 1][choice]))
        });
        let pure = minority.pure();
        assert_eq!(pure.len(), 6, "{pure:?}");
        assert!(pure.iter().all(|own| (1..=2).contains(&own.iter().sum::<usize>())));
        assert_eq!(minority.payoffs(&[1, 0, 0]), [ratio(1, 1), ratio(0, 1), ratio(0, 1)]);
        // The third player wants to match the first, who wants to differ from the second, who wants to match the third.
        let round = game(|[a, b, c]| [i64::from(a != b), i64::from(b == c), i64::from(c == a)]);
        assert_eq!(round.pure(), Vec::<Vec<usize>>::new());
    }

    #[test]
    fn a_strategy_that_is_worse_against_all_others_is_dominated() {
        // The prisoner's dilemma of three: each gains 2 by silence of another, and 1 by his own talk.
        let dilemma = game(|own| {
            let silent = own.iter().filter(|&&talks| talks == 0).count() as i64;
            own.map(|talks| 2 * (silent - i64::from(talks == 0)) + i64::from(talks == 1))
        });
        assert_eq!(dilemma.pure(), [[1, 1, 1]]);
        for player in 0..3 {
            let found = dilemma.dominated(player).expect("small enough");
            assert_eq!(found.iter().map(|one| (one.row, one.strictly)).collect::<Vec<_>>(), [(0, true)]);
        }
    }
}
