use grundy_core::random::SplitMix64;
use grundy_information::certificate::{Claim, verify, write};
use grundy_information::examples;
use grundy_information::fraction::{Fraction, approximate, ratio, read};
use grundy_information::tree::regret::Rounded;
use grundy_information::tree::*;

/// Returns a random zero-sum tree: one throw of chance, then turns in which each player sees part of what happened.
fn random(seed: u64) -> Tree {
    #[derive(Clone)]
    struct State {
        thrown: Option<usize>,
        played: Vec<usize>,
    }
    let mut numbers = SplitMix64(seed);
    let depth = 1 + numbers.below(3);
    let sees: Vec<usize> = (0..8).map(|_| numbers.below(4)).collect();
    let rules = |state: &State| {
        let Some(thrown) = state.thrown else {
            let branches = (0..3).map(|k| (k.to_string(), ratio(k + 1, 6), k as usize));
            let next = |k| State { thrown: Some(k), ..state.clone() };
            return GrowStep::Chance(branches.map(|(name, p, k)| (name, p, next(k))).collect());
        };
        let at = state.played.len();
        if at == depth + 1 {
            let code = state.played.iter().fold(thrown as u64 + 1, |code, a| code * 7 + *a as u64);
            let payoff = SplitMix64(seed ^ code << 8).below(9) as i64 - 4;
            return GrowStep::End(ratio(payoff, 1));
        }
        let side = Side::BOTH[at % 2];
        // He knows his own actions, whether chance was 0 if he sees it, and the other's last action if he sees that.
        let own: Vec<String> =
            (0..at).filter(|k| k % 2 == at % 2).map(|k| state.played[k].to_string()).collect();
        let chance = if sees[at % 2] % 2 == 1 { u8::from(thrown == 0) } else { 9 };
        let other = (0..at).rev().filter(|k| k % 2 != at % 2 && sees[*k] > 1);
        let other: Vec<String> = other.map(|k| state.played[k].to_string()).collect();
        let knowledge = format!("{at}/{}/{chance}/{}", own.join("-"), other.join("-"));
        let actions = (0..2 + at % 2).map(|action| {
            let mut next = state.clone();
            next.played.push(action);
            (action.to_string(), next)
        });
        GrowStep::Turn(side, knowledge, actions.collect())
    };
    grow("random", State { thrown: None, played: Vec::new() }, rules).expect("perfect recall")
}

#[test]
fn sequence_form_and_normal_form_agree_on_random_trees() {
    for seed in 0..80 {
        let tree = random(seed);
        let solved = sequence::solve(&tree).expect("zero-sum");
        assert!(sequence::proves(&tree, &solved), "seed {seed}");
        let Ok(form) = normal::form(&tree) else { continue };
        if form.game.row().height() * form.game.row().width() > 20_000 {
            continue;
        }
        let plain = form.game.row().solve_by_integers();
        assert_eq!(plain.value, solved.value, "seed {seed}");
        let plans = form.behaviour(&tree, &plain.row, &plain.column);
        assert!(sequence::proves(&tree, &sequence::Optimum { value: plain.value, plans }), "seed {seed}");
    }
}

#[test]
fn kuhn_poker_has_the_family_of_optimal_strategies_that_kuhn_found() {
    let tree = examples::tree("kuhn").expect("it is there");
    let solved = sequence::solve(&tree).expect("zero-sum");
    let extreme = sequence::extreme(&tree, &solved, Side::One).expect("few");
    let named = |name: &str| {
        let is = |set: &Infoset| set.side == Side::One && set.name == name;
        tree.infosets().iter().position(is).expect("it is there")
    };
    let (jack, queen, king) = (named("J/"), named("Q/check-bet"), named("K/"));
    // Player 1 bets the jack with probability alpha, the king with 3 alpha, and calls with the queen with
    // alpha + 1/3, for any alpha from 0 to 1/3.
    let mut alphas = Vec::new();
    for weights in &extreme {
        let alpha = weights[tree.sequence(jack, 1)].clone();
        assert_eq!(weights[tree.sequence(king, 1)], &alpha * ratio(3, 1));
        assert_eq!(weights[tree.sequence(queen, 1)], &alpha + ratio(1, 3));
        alphas.push(alpha);
    }
    assert_eq!(alphas, [ratio(1, 3), ratio(0, 1)]);
    // Player 2 has one optimal strategy.
    assert_eq!(sequence::extreme(&tree, &solved, Side::Two).expect("few").len(), 1);
}

#[test]
fn regret_matching_closes_in_on_the_exact_value_from_both_sides() {
    for name in ["kuhn", "kuhn:5", "liars-dice:2", "liars-dice:3", "goofspiel:3", "leduc"] {
        let tree = examples::tree(name).expect("it is there");
        let solved = sequence::solve(&tree).expect("zero-sum");
        let exact = approximate(&solved.value);
        let rounded = Rounded::new(&tree);
        let (below, above) = rounded.bounds(&rounded.average(500));
        assert!(below <= exact + 1e-12 && exact <= above + 1e-12, "{name}: {below} {exact} {above}");
        assert!(above - below < 0.02, "{name}: {below} {exact} {above}");
    }
}

#[test]
fn a_player_who_forgets_is_refused() {
    let set = |side, name: &str| Infoset { side, name: name.into(), actions: vec!["a".into(), "b".into()] };
    let end = || Node::End([ratio(0, 1), ratio(0, 1)]);
    // The same information set behind two actions of his own.
    let nodes = vec![
        Node::Turn(0, vec![1, 4]),
        Node::Turn(1, vec![2, 3]),
        end(),
        end(),
        Node::Turn(1, vec![5, 6]),
        end(),
        end(),
    ];
    let flaw = Tree::new(String::new(), nodes, vec![set(Side::One, "x"), set(Side::One, "y")])
        .expect_err("he forgets");
    assert_eq!(flaw.node, 4);
    assert!(flaw.reason.contains("imperfect recall"), "{flaw}");
    // The same information set twice on a path.
    let nodes = vec![Node::Turn(0, vec![1, 4]), Node::Turn(0, vec![2, 3]), end(), end(), end()];
    assert!(Tree::new(String::new(), nodes, vec![set(Side::One, "x")]).is_err());
}

#[test]
fn chance_must_add_up() {
    let end = || Node::End([ratio(0, 1), ratio(0, 1)]);
    let chance =
        |p: [i64; 2]| Node::Chance(vec![("a".into(), ratio(p[0], 3), 1), ("b".into(), ratio(p[1], 3), 2)]);
    let tree = |p| Tree::new(String::new(), vec![chance(p), end(), end()], Vec::new());
    assert!(tree([1, 2]).is_ok());
    for p in [[1, 1], [4, -1]] {
        assert!(tree(p).is_err());
    }
}

/// Returns the game in which players in turn stop or go on, up to `length` times; player 1 gets `payoff` when one
/// stops.
fn chain(length: usize, payoff: impl Fn(usize) -> i64) -> Tree {
    let rules = |&at: &usize| match at {
        at if at >= length => GrowStep::End(ratio(payoff(at - length), 1)),
        at => GrowStep::Turn(
            Side::BOTH[at % 2],
            at.to_string(),
            vec![
                ("stop".into(), length + at),
                ("go".into(), if at + 1 < length { at + 1 } else { 2 * length }),
            ],
        ),
    };
    grow("chain", 0, rules).expect("perfect recall")
}

#[test]
fn a_deep_tree_has_the_value_of_backward_induction() {
    let payoff = |at: usize| SplitMix64(at as u64).below(1000) as i64;
    let length = 30_000;
    let tree = chain(length, payoff);
    let best = (0..length).rev().fold(payoff(length), |behind, at| match at % 2 {
        0 => behind.max(payoff(at)),
        _ => behind.min(payoff(at)),
    });
    assert_eq!(sequence::solve(&tree).expect("zero-sum").value, ratio(best, 1));
    let listed = normal::pure_plans(&tree, Side::One);
    assert!(listed.is_err_and(|why| why.contains("more than 2000 pure strategies")));
}

#[test]
fn probabilities_that_multiply_to_long_numbers_are_refused() {
    let tree = chain(300, |_| 0);
    let p = read(&format!("1/{}", "7".repeat(300))).expect("a number");
    let plans =
        |p: &Fraction| Plans(tree.infosets().iter().map(|_| vec![p.clone(), ratio(1, 1) - p]).collect());
    assert!(!plans(&p).short(&tree));
    assert!(plans(&ratio(1, 3)).short(&tree));
    let claim = Claim::Tree(tree.clone(), plans(&p), [ratio(0, 1), ratio(0, 1)]);
    let said = verify(&write(&claim));
    assert_eq!(said, Err("the plans have probabilities of too many digits".to_string()));
}
