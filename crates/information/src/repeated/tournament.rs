//! A tournament of everybody against everybody, including themselves: exact expectations if both strategies are known,
//! played matches if a program takes part.

use std::time::Duration;

use grundy_core::random::SplitMix64;
use grundy_referee::TrafficLog;
use num_bigint::BigInt;
use num_traits::Zero;

use super::plugin::{Fault, Plugin};
use super::{Action, Length, Payoffs, Strategy, expected};
use crate::fraction::Fraction;

/// A participant.
// A tournament has few players: their sizes do not matter.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Player {
    /// A strategy whose expectations can be computed.
    Known(Strategy),
    /// A program: name and command.
    Program(String, Vec<String>),
}

impl Player {
    /// Returns the name.
    pub fn name(&self) -> &str {
        match self {
            Player::Known(strategy) => &strategy.name,
            Player::Program(name, _) => name,
        }
    }
}

/// Settings of the matches.
#[derive(Clone)]
pub struct TournamentSettings {
    /// The payoffs of a round.
    pub payoffs: Payoffs,
    /// The rounds of a match.
    pub rounds: usize,
    /// If set, expectations are those of matches that continue with this probability.
    pub continues: Option<Fraction>,
    /// The probability that an action is flipped by accident.
    pub noise: Fraction,
    /// Time limit of a program for an answer.
    pub timeout: Duration,
    /// The log of the traffic with programs.
    pub log: TrafficLog,
    /// Seed of the random numbers in played matches.
    pub seed: u64,
}

impl Default for TournamentSettings {
    fn default() -> TournamentSettings {
        TournamentSettings {
            payoffs: Payoffs::default(),
            rounds: 200,
            continues: None,
            noise: Fraction::zero(),
            timeout: Duration::from_secs(1),
            log: TrafficLog::default(),
            seed: 1,
        }
    }
}

/// A match that was played.
pub struct Played {
    /// The scores a round.
    pub scores: [Fraction; 2],
    /// The player at fault, the round, counted from 1, and the fault.
    pub fault: Option<(usize, usize, Fault)>,
}

/// The result of a tournament.
pub struct Crosstable {
    /// For each player the score a round against each.
    pub scores: Vec<Vec<Fraction>>,
    /// For each pair whether the score was played rather than computed.
    pub played: Vec<Vec<bool>>,
    /// For each player the mean of his scores.
    pub means: Vec<Fraction>,
    /// The faults: who, against whom, in which round, and the fault.
    pub faults: Vec<(usize, usize, usize, Fault)>,
}

/// Plays a tournament.
pub fn run(players: &[Player], settings: &TournamentSettings) -> Crosstable {
    let count = players.len();
    let mut random = SplitMix64(settings.seed);
    let mut scores = vec![vec![Fraction::zero(); count]; count];
    let mut played = vec![vec![false; count]; count];
    let mut faults = Vec::new();
    let length = match &settings.continues {
        Some(p) => Length::Continues(p.clone()),
        None => Length::Rounds(settings.rounds),
    };
    for i in 0..count {
        for j in i..count {
            let [one, two] = match (&players[i], &players[j]) {
                (Player::Known(one), Player::Known(two)) => {
                    expected(one, two, &settings.payoffs, &length, &settings.noise)
                }
                (one, two) => {
                    (played[i][j], played[j][i]) = (true, true);
                    match play(one, two, settings, &mut random) {
                        Ok(result) => {
                            if let Some((who, round, fault)) = result.fault {
                                let (who, other) = if who == 0 { (i, j) } else { (j, i) };
                                faults.push((who, other, round, fault));
                            }
                            result.scores
                        }
                        Err((who, fault)) => {
                            let (who, other) = if who == 0 { (i, j) } else { (j, i) };
                            faults.push((who, other, 0, fault));
                            forfeit(usize::from(who != i), &settings.payoffs)
                        }
                    }
                }
            };
            if i == j {
                // Against itself the mean of both seats.
                scores[i][i] = (one + two) / BigInt::from(2);
            } else {
                (scores[i][j], scores[j][i]) = (one, two);
            }
        }
    }
    let divisor = BigInt::from(count.max(1));
    let means = scores.iter().map(|row| row.iter().sum::<Fraction>() / &divisor).collect();
    Crosstable { scores, played, means, faults }
}

/// Returns the scores a round after a fault: the player at fault gets the sucker's payoff.
fn forfeit(who: usize, payoffs: &Payoffs) -> [Fraction; 2] {
    let mut scores = [payoffs.sucker.clone(), payoffs.temptation.clone()];
    if who == 1 {
        scores.swap(0, 1);
    }
    scores
}

enum Seat<'a> {
    Known(&'a Strategy),
    Program(Plugin),
}

impl Seat<'_> {
    fn action(&mut self, last: Option<(Action, Action)>, random: &mut SplitMix64) -> Result<Action, Fault> {
        match self {
            Seat::Known(strategy) => Ok(if happens(strategy.cooperates(last), random) {
                Action::Cooperate
            } else {
                Action::Defect
            }),
            Seat::Program(plugin) => plugin.action(),
        }
    }
}

fn sit<'a>(player: &'a Player, settings: &TournamentSettings) -> Result<Seat<'a>, Fault> {
    match player {
        Player::Known(strategy) => Ok(Seat::Known(strategy)),
        Player::Program(name, words) => {
            Plugin::start(words, &settings.payoffs, settings.timeout, settings.log.of(name))
                .map(Seat::Program)
        }
    }
}

/// Reports whether an event of this probability happens.
fn happens(probability: &Fraction, random: &mut SplitMix64) -> bool {
    !probability.is_zero() && BigInt::from(random.bits()) * probability.denom() < probability.numer() << 64u32
}

/// Plays one match. A player at fault gets the sucker's payoff in all remaining rounds, the other the temptation.
///
/// # Errors
/// A program cannot be started: which one, and why.
pub fn play(
    one: &Player,
    two: &Player,
    settings: &TournamentSettings,
    random: &mut SplitMix64,
) -> Result<Played, (usize, Fault)> {
    let mut seats =
        [sit(one, settings).map_err(|fault| (0, fault))?, sit(two, settings).map_err(|fault| (1, fault))?];
    let mut sums = [Fraction::zero(), Fraction::zero()];
    let mut last: Option<[Action; 2]> = None;
    let mut fault = None;
    'rounds: for round in 0..settings.rounds {
        let mut actions = [Action::Cooperate; 2];
        for at in [0, 1] {
            let seen = last.map(|actions| (actions[at], actions[1 - at]));
            match seats[at].action(seen, random) {
                Ok(action) => actions[at] = action,
                Err(found) => {
                    fault = Some((at, round + 1, found));
                    break 'rounds;
                }
            }
        }
        for action in &mut actions {
            if happens(&settings.noise, random) {
                *action = if *action == Action::Cooperate { Action::Defect } else { Action::Cooperate };
            }
        }
        for at in [0, 1] {
            sums[at] += settings.payoffs.of(actions[at], actions[1 - at]);
        }
        for at in [0, 1] {
            if let Seat::Program(plugin) = &mut seats[at]
                && let Err(found) = plugin.saw(actions[1 - at])
            {
                fault = Some((at, round + 2, found));
                break 'rounds;
            }
        }
        last = Some(actions);
    }
    for seat in &mut seats {
        if let Seat::Program(plugin) = seat {
            plugin.quit();
        }
    }
    if let Some((who, round, _)) = &fault {
        let left = Fraction::from_integer(settings.rounds.saturating_sub(round - 1).into());
        let each = forfeit(*who, &settings.payoffs);
        sums.iter_mut().zip(each).for_each(|(sum, payoff)| *sum += payoff * &left);
    }
    let rounds = BigInt::from(settings.rounds.max(1));
    Ok(Played { scores: sums.map(|sum| sum / &rounds), fault })
}
