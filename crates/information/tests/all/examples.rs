use grundy_information::examples::*;
use grundy_information::fraction::{approximate, read};
use grundy_information::tree::sequence;

fn value(name: &str) -> String {
    let tree = tree(name).expect("it is there");
    let solved = sequence::solve(&tree).expect("zero-sum");
    assert!(sequence::proves(&tree, &solved), "{name}");
    solved.value.to_string()
}

#[test]
fn small_games_have_their_published_values() {
    // Kuhn 1950; Myerson 1991.
    assert_eq!(value("kuhn"), "-1/18");
    assert_eq!(value("stripped-down-poker"), "1/3");
}

#[test]
fn leduc_poker_has_an_exact_value() {
    // OpenSpiel and the literature give it in floating point: -0.0856064.
    let exact = value("leduc");
    assert_eq!(exact, "-1454920850547486749701863871533/16995463438839962469905132501930");
    let number = read(&exact).expect("a number");
    assert!((approximate(&number) + 0.085_606_424).abs() < 1e-9);
}

#[test]
fn dice_have_the_values_of_other_solvers() {
    // HiGHS through SciPy on the sequence form of OpenSpiel's rules, in floating point.
    for (faces, exact) in [(1, "1"), (2, "1/2"), (3, "1/9"), (4, "1/16")] {
        assert_eq!(value(&format!("liars-dice:{faces}")), exact);
    }
}

#[test]
#[ignore = "takes minutes without optimisation: cargo test --release -p grundy-information -- --ignored dice"]
fn dice_of_five_and_six_faces_have_the_values_of_other_solvers() {
    // M. Lanctot and others give -0.02713 for six faces ("Bluff(1,1,6)").
    for (faces, exact) in [(5, "1/125"), (6, "-7/258")] {
        assert_eq!(value(&format!("liars-dice:{faces}")), exact);
    }
}

#[test]
fn goofspiel_is_fair() {
    for name in ["goofspiel:2", "goofspiel:3", "goofspiel-descending:3", "goofspiel-descending:4"] {
        assert_eq!(value(name), "0", "{name}");
    }
}
