//! The repeated prisoner's dilemma: strategies with a memory of one round, and their exact expected scores.

pub mod plugin;
pub mod tournament;

use grundy_core::text::excerpt;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

use crate::fraction::{self, Fraction, ratio};

/// The action of a player in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Cooperate, `C`.
    Cooperate,
    /// Defect, `D`.
    Defect,
}

impl Action {
    /// Returns its letter.
    pub const fn letter(self) -> char {
        match self {
            Action::Cooperate => 'C',
            Action::Defect => 'D',
        }
    }

    /// Returns the action with this letter; `None` for other words.
    pub fn read(word: &str) -> Option<Action> {
        match word {
            "C" => Some(Action::Cooperate),
            "D" => Some(Action::Defect),
            _ => None,
        }
    }
}

/// The payoffs of a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payoffs {
    /// Both cooperate.
    pub reward: Fraction,
    /// I cooperate, the other defects.
    pub sucker: Fraction,
    /// I defect, the other cooperates.
    pub temptation: Fraction,
    /// Both defect.
    pub punishment: Fraction,
}

impl Default for Payoffs {
    /// Returns the payoffs of R. Axelrod's tournaments: 3, 0, 5, 1.
    fn default() -> Payoffs {
        let [reward, sucker, temptation, punishment] = [3, 0, 5, 1].map(|x| ratio(x, 1));
        Payoffs { reward, sucker, temptation, punishment }
    }
}

impl Payoffs {
    /// Reads reward, sucker's payoff, temptation and punishment, separated by commas.
    ///
    /// # Errors
    /// A description of what is wrong with the list.
    pub fn read(text: &str) -> Result<Payoffs, String> {
        let numbers =
            text.split(',').map(|word| fraction::read(word.trim())).collect::<Result<Vec<_>, _>>()?;
        match <[Fraction; 4]>::try_from(numbers) {
            Ok([reward, sucker, temptation, punishment]) => {
                Ok(Payoffs { reward, sucker, temptation, punishment })
            }
            Err(numbers) => Err(format!(
                "{} payoffs: expected reward, sucker, temptation, punishment like 3,0,5,1",
                numbers.len()
            )),
        }
    }

    /// Returns the payoff of a player's action against the other's.
    pub fn of(&self, mine: Action, other: Action) -> &Fraction {
        match (mine, other) {
            (Action::Cooperate, Action::Cooperate) => &self.reward,
            (Action::Cooperate, Action::Defect) => &self.sucker,
            (Action::Defect, Action::Cooperate) => &self.temptation,
            (Action::Defect, Action::Defect) => &self.punishment,
        }
    }
}

/// A strategy with a memory of one round: its probabilities of cooperation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strategy {
    /// Its name.
    pub name: String,
    /// In the first round.
    pub first: Fraction,
    /// After both cooperated; after only this player did; after only the other did; after neither did.
    pub after: [Fraction; 4],
}

/// Names of strategies and their probabilities in thirds.
const NAMED: &[(&str, i64, [i64; 4])] = &[
    ("always-cooperate", 3, [3, 3, 3, 3]),
    ("always-defect", 0, [0, 0, 0, 0]),
    ("tit-for-tat", 3, [3, 0, 3, 0]),
    ("suspicious-tit-for-tat", 0, [3, 0, 3, 0]),
    ("generous-tit-for-tat", 3, [3, 1, 3, 1]),
    ("grim", 3, [3, 0, 0, 0]),
    ("pavlov", 3, [3, 0, 0, 3]),
];

impl Strategy {
    /// Returns the names that [`Strategy::read`] knows, except those with parameters.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMED.iter().map(|(name, _, _)| *name)
    }

    /// Returns a strategy by its name; `random:P` cooperates with probability P, `memory:FIRST,CC,CD,DC,DD` with these.
    ///
    /// # Errors
    /// There is none of this name, or its numbers are no probabilities.
    ///
    /// ```
    /// use grundy_information::{fraction::ratio, repeated::{Length, Payoffs, Strategy, expected}};
    /// let (kind, mean) = (Strategy::read("tit-for-tat")?, Strategy::read("always-defect")?);
    /// let scores = expected(&kind, &mean, &Payoffs::default(), &Length::Rounds(10), &ratio(0, 1));
    /// assert_eq!(scores, [ratio(9, 10), ratio(7, 5)]);
    /// # Ok::<(), String>(())
    /// ```
    pub fn read(name: &str) -> Result<Strategy, String> {
        if let Some((_, first, after)) = NAMED.iter().find(|(known, _, _)| *known == name) {
            let third = |k: i64| ratio(k, 3);
            return Ok(Strategy { name: name.to_string(), first: third(*first), after: after.map(third) });
        }
        let numbers = |text: &str| text.split(',').map(fraction::read).collect::<Result<Vec<_>, _>>();
        let numbers = match name.split_once(':') {
            Some(("random", p)) => vec![fraction::read(p)?; 5],
            Some(("memory", list)) => numbers(list)?,
            _ => {
                let names: Vec<&str> = Strategy::names().collect();
                return Err(format!(
                    "no strategy is called {:?}: expected {}, random:P, memory:FIRST,CC,CD,DC,DD or cmd:COMMAND",
                    excerpt(name, 200),
                    names.join(", ")
                ));
            }
        };
        if numbers.iter().any(|p| p.is_negative() || *p > Fraction::one()) {
            return Err(format!("{:?}: expected probabilities from 0 to 1", excerpt(name, 200)));
        }
        match <[Fraction; 5]>::try_from(numbers) {
            Ok([first, cc, cd, dc, dd]) => {
                Ok(Strategy { name: name.to_string(), first, after: [cc, cd, dc, dd] })
            }
            Err(numbers) => Err(format!("{:?}: {} numbers: expected 5", excerpt(name, 200), numbers.len())),
        }
    }

    /// Returns the probability of cooperation after a round `(own, other)`, or in the first round.
    pub fn cooperates(&self, last: Option<(Action, Action)>) -> &Fraction {
        match last {
            None => &self.first,
            Some((Action::Cooperate, Action::Cooperate)) => &self.after[0],
            Some((Action::Cooperate, Action::Defect)) => &self.after[1],
            Some((Action::Defect, Action::Cooperate)) => &self.after[2],
            Some((Action::Defect, Action::Defect)) => &self.after[3],
        }
    }
}

/// The length of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Length {
    /// This many rounds.
    Rounds(usize),
    /// After each round another with this probability, less than 1; scores are divided by the expected number of
    /// rounds.
    Continues(Fraction),
}

/// Maximum number of rounds.
pub const MOST_ROUNDS: usize = 2000;

const STATES: [(Action, Action); 4] = [
    (Action::Cooperate, Action::Cooperate),
    (Action::Cooperate, Action::Defect),
    (Action::Defect, Action::Cooperate),
    (Action::Defect, Action::Defect),
];

/// Returns the expected score a round of both players, by the Markov chain of the last round. Each action is flipped by
/// accident with the probability `noise`.
pub fn expected(
    one: &Strategy,
    two: &Strategy,
    payoffs: &Payoffs,
    length: &Length,
    noise: &Fraction,
) -> [Fraction; 2] {
    let slips = |p: &Fraction| p + noise - p * noise * ratio(2, 1);
    let next = |last: Option<(Action, Action)>| -> [Fraction; 4] {
        let (a, b) = (slips(one.cooperates(last)), slips(two.cooperates(last.map(|(x, y)| (y, x)))));
        let (c, d) = (Fraction::one() - &a, Fraction::one() - &b);
        [&a * &b, &a * &d, &c * &b, &c * &d]
    };
    let start = next(None);
    let step = STATES.map(|state| next(Some(state)));
    let weights = match length {
        Length::Rounds(rounds) => {
            // In parts of a unit that all probabilities have, so that no fraction is reduced on the way.
            let all = || start.iter().chain(step.iter().flatten());
            let unit = all().fold(BigInt::one(), |unit, p| unit.lcm(p.denom()));
            let parts = |p: &Fraction| p.numer() * (&unit / p.denom());
            let step = step.each_ref().map(|row| row.each_ref().map(parts));
            let mut now = start.each_ref().map(parts);
            let (mut sum, mut whole) = (now.clone(), unit.clone());
            for _ in 1..*rounds {
                now = [0, 1, 2, 3].map(|to| (0..4).map(|from| &now[from] * &step[from][to]).sum());
                sum.iter_mut().zip(&now).for_each(|(sum, p)| *sum = &*sum * &unit + p);
                whole *= &unit;
            }
            whole *= *rounds;
            sum.map(|sum| Fraction::new(sum, whole.clone()))
        }
        Length::Continues(p) => discounted(&start, &step, p),
    };
    let score = |payoff: &dyn Fn((Action, Action)) -> Fraction| {
        STATES.iter().zip(&weights).map(|(&state, weight)| payoff(state) * weight).sum()
    };
    [score(&|(a, b)| payoffs.of(a, b).clone()), score(&|(a, b)| payoffs.of(b, a).clone())]
}

/// Returns the solution of `x = (1 - p) start + p x step`, by elimination on fractions.
fn discounted(start: &[Fraction; 4], step: &[[Fraction; 4]; 4], p: &Fraction) -> [Fraction; 4] {
    let mut rows: Vec<Vec<Fraction>> = (0..4)
        .map(|to| {
            let unit = |from: usize| Fraction::from_integer(u8::from(from == to).into());
            let mut row: Vec<Fraction> = (0..4).map(|from| unit(from) - p * &step[from][to]).collect();
            row.push((Fraction::one() - p) * &start[to]);
            row
        })
        .collect();
    for column in 0..4 {
        // With p below 1 the matrix is strictly diagonally dominant by columns, so no pivot is 0.
        let scale = rows[column][column].clone();
        rows[column].iter_mut().for_each(|x| *x /= &scale);
        let row = rows[column].clone();
        for (i, other) in rows.iter_mut().enumerate() {
            if i != column && !other[column].is_zero() {
                let factor = other[column].clone();
                other.iter_mut().zip(&row).for_each(|(x, y)| *x -= &factor * y);
            }
        }
    }
    [0, 1, 2, 3].map(|i| rows[i][4].clone())
}
