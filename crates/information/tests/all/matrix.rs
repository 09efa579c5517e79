use grundy_core::random::SplitMix64;
use grundy_information::fraction::{Fraction, ratio, read};
use grundy_information::matrix::*;
use num_traits::{One, Zero};

fn game(text: &str) -> Matrix {
    let row = |row: &str| row.split(',').map(|word| read(word).expect("a number")).collect();
    Matrix::new(text.split('/').map(row).collect()).expect("a rectangle")
}

fn random(random: &mut SplitMix64, most: usize, spread: usize) -> Matrix {
    let (height, width) = (1 + random.below(most), 1 + random.below(most));
    let mut cell = || ratio(random.below(2 * spread + 1) as i64 - spread as i64, 1);
    Matrix::new((0..height).map(|_| (0..width).map(|_| cell()).collect()).collect()).expect("a rectangle")
}

/// Returns the value by trying supports of equal size: L. S. Shapley and R. N. Snow, "Basic solutions of discrete
/// games", 1950. Some square submatrix gives the value and both strategies by Cramer's rule.
fn by_supports(game: &Matrix) -> Option<Fraction> {
    let (height, width) = (game.height(), game.width());
    for size in 1..=height.min(width) {
        for rows in subsets(height, size) {
            for columns in subsets(width, size) {
                let Some((value, row)) = equalise(game, &rows, &columns, false) else { continue };
                let Some((_, column)) = equalise(game, &rows, &columns, true) else { continue };
                if game.proves(&Optimum { value: value.clone(), row, column }) {
                    return Some(value);
                }
            }
        }
    }
    None
}

fn subsets(n: usize, size: usize) -> Vec<Vec<usize>> {
    (0..1u32 << n)
        .filter(|mask| mask.count_ones() as usize == size)
        .map(|mask| (0..n).filter(|i| mask >> i & 1 == 1).collect())
        .collect()
}

/// Returns the strategy on `rows` (or on `columns`, where `turned`) that makes all columns (rows) worth the same.
fn equalise(
    game: &Matrix,
    rows: &[usize],
    columns: &[usize],
    turned: bool,
) -> Option<(Fraction, Vec<Fraction>)> {
    let size = rows.len();
    let at = |i: usize, j: usize| {
        if turned { &game.cells()[rows[i]][columns[j]] } else { &game.cells()[rows[j]][columns[i]] }
    };
    // Unknown: the strategy and the value. Plain elimination on fractions.
    let mut system: Vec<Vec<Fraction>> = (0..size)
        .map(|i| {
            let mut row: Vec<Fraction> = (0..size).map(|j| at(i, j).clone()).collect();
            row.extend([ratio(-1, 1), ratio(0, 1)]);
            row
        })
        .collect();
    let mut sum = vec![ratio(1, 1); size];
    sum.extend([ratio(0, 1), ratio(1, 1)]);
    system.push(sum);
    for column in 0..=size {
        let pivot = (column..=size).find(|&i| !system[i][column].is_zero())?;
        system.swap(column, pivot);
        let scale = system[column][column].clone();
        system[column].iter_mut().for_each(|x| *x /= &scale);
        let row = system[column].clone();
        for (i, other) in system.iter_mut().enumerate() {
            if i != column && !other[column].is_zero() {
                let factor = other[column].clone();
                other.iter_mut().zip(&row).for_each(|(x, y)| *x -= &factor * y);
            }
        }
    }
    let places = if turned { columns } else { rows };
    let mut strategy = vec![ratio(0, 1); if turned { game.width() } else { game.height() }];
    places.iter().zip(&system).for_each(|(&place, row)| strategy[place] = row[size + 1].clone());
    Some((system[size][size + 1].clone(), strategy))
}

/// Solves `rounds` random games by both methods and by trying supports.
fn compare_with_supports(rounds: usize, sizes: &[usize]) {
    let mut numbers = SplitMix64(22);
    for round in 0..rounds {
        let most = sizes[round % sizes.len()];
        // Large games have far too many supports where many payoffs are equal.
        let spread = if most > 6 { 1000 } else { [1, 3, 50][round % 3] };
        let game = random(&mut numbers, most, spread);
        let (solved, other) = (game.solve(), game.solve_by_integers());
        assert!(game.proves(&solved) && game.proves(&other), "{game:?}");
        assert_eq!(solved.value, other.value, "{game:?}");
        assert_eq!(by_supports(&game), Some(solved.value), "{game:?}");
    }
}

#[test]
fn random_games_have_the_value_of_their_supports() {
    compare_with_supports(500, &[3, 4, 5]);
}

#[test]
#[ignore = "takes minutes without optimisation: cargo test --release -p grundy-information -- --ignored"]
fn two_thousand_random_games_to_8x8_have_the_value_of_their_supports() {
    compare_with_supports(2000, &[4, 5, 6, 7, 8]);
}

#[test]
fn extreme_strategies_are_optimal_and_hold_the_one_that_simplex_finds() {
    let mut numbers = SplitMix64(4);
    for _ in 0..200 {
        let game = random(&mut numbers, 5, 2);
        let solved = game.solve_by_integers();
        let (rows, columns) = game.extreme().expect("few");
        for row in &rows {
            for column in &columns {
                let optimum = Optimum { row: row.clone(), column: column.clone(), ..solved.clone() };
                assert!(game.proves(&optimum), "{game:?}");
            }
        }
        // A vertex of the simplex method is a vertex of the optimal set.
        assert!(rows.contains(&solved.row) && columns.contains(&solved.column), "{game:?}");
        for (i, j) in game.saddles() {
            assert!(
                rows.iter().any(|row| row[i].is_one()) && columns.iter().any(|column| column[j].is_one())
            );
        }
    }
}

#[test]
fn a_game_of_zeros_has_every_pure_strategy_as_extreme() {
    let (rows, columns) = game("0,0,0/0,0,0").extreme().expect("few");
    assert_eq!((rows.len(), columns.len()), (2, 3));
}

#[test]
fn a_changed_answer_proves_nothing() {
    let game = game("3,-1/-2,4");
    let solved = game.solve();
    assert!(game.proves(&solved));
    let worse = Optimum { value: &solved.value - ratio(1, 1000), ..solved.clone() };
    let other = Optimum { row: vec![ratio(1, 2), ratio(1, 2)], ..solved.clone() };
    let short = Optimum { row: vec![ratio(1, 1)], ..solved.clone() };
    let unfair = Optimum { row: vec![ratio(8, 5), ratio(-3, 5)], ..solved };
    assert!([worse, other, short, unfair].iter().all(|changed| !game.proves(changed)));
}

#[test]
fn huge_payoffs_are_exact_too() {
    let game = game("1e60,-1e60/-1e60,3e60");
    let solved = game.solve();
    assert!(game.proves(&solved));
    assert_eq!(solved.row, [ratio(2, 3), ratio(1, 3)]);
}

#[test]
fn truth_rows_are_met() {
    let text = include_str!("../truth/matrix_games.tsv");
    let mut count = 0;
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let numbers = |text: &str| -> Vec<Fraction> {
            text.split(',').map(|word| read(word).expect("a number")).collect()
        };
        let game = game(fields[1]);
        let value = read(fields[2]).expect("a number");
        let published = Optimum { value, row: numbers(fields[3]), column: numbers(fields[4]) };
        assert!(game.proves(&published), "{line}");
        assert_eq!(game.solve().value, published.value, "{line}");
        assert_eq!(game.solve_by_integers().value, published.value, "{line}");
        assert_eq!(!game.saddles().is_empty(), fields[5] == "True", "{line}");
        count += 1;
    }
    assert_eq!(count, 100);
}
