use grundy_core::random::SplitMix64;
use grundy_information::fraction::{Fraction, approximate, ratio};
use grundy_information::repeated::Action::{Cooperate, Defect};
use grundy_information::repeated::*;
use num_traits::{One, Zero};

fn strategy(name: &str) -> Strategy {
    Strategy::read(name).expect("it is known")
}

/// Returns the expected total by going through every history.
fn by_histories(
    one: &Strategy,
    two: &Strategy,
    rounds: usize,
    noise: &Fraction,
    last: Option<(Action, Action)>,
) -> Fraction {
    if rounds == 0 {
        return Fraction::zero();
    }
    let slips = |p: &Fraction| p * (Fraction::one() - noise) + (Fraction::one() - p) * noise;
    let (a, b) = (slips(one.cooperates(last)), slips(two.cooperates(last.map(|(x, y)| (y, x)))));
    let payoffs = Payoffs::default();
    [(Cooperate, Cooperate), (Cooperate, Defect), (Defect, Cooperate), (Defect, Defect)]
        .iter()
        .map(|&(x, y)| {
            let p = if x == Action::Cooperate { a.clone() } else { Fraction::one() - &a };
            let q = if y == Action::Cooperate { b.clone() } else { Fraction::one() - &b };
            p * q * (payoffs.of(x, y) + by_histories(one, two, rounds - 1, noise, Some((x, y))))
        })
        .sum()
}

#[test]
fn the_chain_counts_every_history() {
    let names =
        ["tit-for-tat", "grim", "pavlov", "random:1/3", "generous-tit-for-tat", "memory:1/2,1,0,1/4,1/5"];
    for one in names.map(strategy) {
        for two in names.map(strategy) {
            for noise in [ratio(0, 1), ratio(1, 10)] {
                let scores = expected(&one, &two, &Payoffs::default(), &Length::Rounds(4), &noise);
                assert_eq!(scores[0], by_histories(&one, &two, 4, &noise, None) / ratio(4, 1));
                let turned = expected(&two, &one, &Payoffs::default(), &Length::Rounds(4), &noise);
                assert_eq!([&scores[0], &scores[1]], [&turned[1], &turned[0]]);
            }
        }
    }
}

#[test]
fn matches_that_may_go_on_are_the_limit_of_long_ones() {
    let (one, two) = (strategy("tit-for-tat"), strategy("suspicious-tit-for-tat"));
    let scores = expected(&one, &two, &Payoffs::default(), &Length::Continues(ratio(1, 2)), &ratio(0, 1));
    // In turn 0 and 5, halved each round: (0 + 5/2 + 0 + 5/8 + ..) / 2.
    assert_eq!(scores, [ratio(5, 3), ratio(10, 3)]);
}

#[test]
fn played_matches_come_near_the_expected_score() {
    use grundy_information::repeated::tournament::{Player, TournamentSettings, play};
    let (one, two) = (strategy("random:1/3"), strategy("pavlov"));
    let settings = TournamentSettings { rounds: 1000, ..TournamentSettings::default() };
    let wanted = expected(&one, &two, &settings.payoffs, &Length::Rounds(1000), &ratio(0, 1));
    let mut random = SplitMix64(1);
    let players = [Player::Known(one), Player::Known(two)];
    let played = play(&players[0], &players[1], &settings, &mut random).expect("both are known");
    for (played, wanted) in played.scores.iter().zip(&wanted) {
        assert!((approximate(played) - approximate(wanted)).abs() < 0.2);
    }
}

#[test]
fn bad_strategies_are_refused() {
    for name in ["", "tit", "random:2", "random:x", "memory:1,1", "memory:1,1,1,1,-1", "random:1/0"] {
        assert!(Strategy::read(name).is_err(), "{name}");
    }
    assert!(Payoffs::read("3,0,5").is_err() && Payoffs::read("3,0,5,1").is_ok());
}
