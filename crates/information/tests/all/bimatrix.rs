use grundy_core::random::SplitMix64;
use grundy_information::bimatrix::*;
use grundy_information::examples;
use grundy_information::fraction::{Fraction, ratio};
use grundy_information::matrix::Matrix;
use num_traits::{One, Zero};

fn random(numbers: &mut SplitMix64, most: usize, spread: usize) -> Bimatrix {
    let (height, width) = (1 + numbers.below(most), 1 + numbers.below(most));
    let mut matrix = || {
        let mut cell = || ratio(numbers.below(spread) as i64, 1);
        Matrix::new((0..height).map(|_| (0..width).map(|_| cell()).collect()).collect()).expect("a rectangle")
    };
    Bimatrix::new(matrix(), matrix()).expect("of one shape")
}

#[test]
fn all_that_is_found_is_an_equilibrium_and_holds_the_pure_and_the_path_ends() {
    let mut numbers = SplitMix64(1);
    for round in 0..300 {
        let game = random(&mut numbers, 4, [3, 100][round % 2]);
        let all = game.equilibria().expect("few");
        assert!(all.iter().all(|equilibrium| game.proves(equilibrium)), "{game:?}");
        assert!(!all.is_empty());
        for (i, j) in game.pure() {
            assert!(all.iter().any(|e| e.row[i].is_one() && e.column[j].is_one()), "{game:?}");
        }
        for label in 0..game.row().height() + game.row().width() {
            let one = lemke::from_label(&game, label);
            assert!(game.proves(&one), "{game:?}");
            assert!(all.contains(&one), "{game:?}");
        }
    }
}

#[test]
fn vertices_agree_with_pairs_of_supports() {
    // In a game without ties every equilibrium has supports of equal size, found one by one.
    let mut numbers = SplitMix64(8);
    for _ in 0..60 {
        let game = random(&mut numbers, 3, 100_000);
        let all = game.equilibria().expect("few");
        let sizes = all.iter().map(|e| {
            let size = |strategy: &[Fraction]| strategy.iter().filter(|p| !p.is_zero()).count();
            (size(&e.row), size(&e.column))
        });
        assert!(sizes.clone().all(|(a, b)| a == b), "{game:?}");
        // R. Wilson, "Computing equilibria of n-person games", 1971.
        assert_eq!(all.len() % 2, 1, "{game:?}");
        let pure = sizes.filter(|(a, _)| *a == 1).count();
        assert_eq!(pure, game.pure().len());
    }
}

#[test]
fn a_zero_sum_game_has_its_extreme_optimal_strategies_as_equilibria() {
    let mut numbers = SplitMix64(5);
    for _ in 0..60 {
        let game = random(&mut numbers, 4, 3);
        let negated = game.row().cells().iter().map(|row| row.iter().map(|x| -x).collect()).collect();
        let zero_sum =
            Bimatrix::new(game.row().clone(), Matrix::new(negated).expect("a rectangle")).expect("shape");
        let (rows, columns) = game.row().extreme().expect("few");
        let all = zero_sum.equilibria().expect("few");
        assert_eq!(all.len(), rows.len() * columns.len(), "{game:?}");
    }
}

#[test]
fn the_best_correlated_equilibrium_is_one_and_at_least_as_good_as_any_other() {
    let mut numbers = SplitMix64(6);
    for _ in 0..60 {
        let game = random(&mut numbers, 4, 10);
        let best = correlated::best(&game).expect("small");
        assert!(correlated::proves(&game, &best), "{game:?}");
        let sum = |payoffs: &[Fraction; 2]| &payoffs[0] + &payoffs[1];
        assert!(game.equilibria().expect("few").iter().all(|e| sum(&e.payoffs) <= sum(&best.payoffs)));
    }
    let chicken = examples::bimatrix("chicken").expect("it is there");
    let best = correlated::best(&chicken).expect("small");
    assert_eq!(&best.payoffs[0] + &best.payoffs[1], ratio(21, 2));
}

#[test]
fn the_pareto_front_is_what_plain_comparison_leaves() {
    let mut numbers = SplitMix64(7);
    for _ in 0..200 {
        let game = random(&mut numbers, 4, 5);
        let payoffs = |i: usize, j: usize| (&game.row().cells()[i][j], &game.column().cells()[i][j]);
        let all: Vec<(usize, usize)> =
            (0..game.row().height()).flat_map(|i| (0..game.row().width()).map(move |j| (i, j))).collect();
        let beaten = |&(i, j): &(usize, usize)| {
            let (a, b) = payoffs(i, j);
            all.iter().map(|&(k, l)| payoffs(k, l)).any(|(c, d)| c >= a && d >= b && (c > a || d > b))
        };
        let plain: Vec<(usize, usize)> = all.iter().copied().filter(|at| !beaten(at)).collect();
        assert_eq!(game.pareto(), plain, "{game:?}");
    }
}

#[test]
fn the_prisoners_dilemma_has_one_equilibrium_that_everybody_would_leave() {
    let game = examples::bimatrix("prisoners-dilemma").expect("it is there");
    assert_eq!(game.pure(), [(1, 1)]);
    assert_eq!(game.equilibria().expect("few").len(), 1);
    assert!(!game.pareto().contains(&(1, 1)));
    assert_eq!(dominance::rows(game.row()).len(), 1);
}
