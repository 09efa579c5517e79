//! `wythoff.tsv`, `chomp.tsv`, `fibonacci_nim.tsv`, `moore_nim.tsv`, `staircase_nim.tsv`, `strip_games.tsv`,
//! `silver_dollar.tsv`, `nim_with_increases.tsv`: each with the outcome for the player to move.

use grundy_core::game::{Game, Indexed, Notation};
use grundy_heaps::chomp::Chomp;
use grundy_heaps::coins::CoinTurning;
use grundy_heaps::fibonacci::FibonacciNim;
use grundy_heaps::increase::NimIncrease;
use grundy_heaps::moore::MooreNim;
use grundy_heaps::nimble::Nimble;
use grundy_heaps::northcott::Northcott;
use grundy_heaps::silver::SilverDollar;
use grundy_heaps::staircase::Staircase;
use grundy_heaps::wythoff::Wythoff;
use grundy_session::quiet_work;
use grundy_sums::formula::ByFormula;
use grundy_sums::formula::Formula;
use grundy_sums::memo::ByMemo;
use grundy_sums::sum::BySum;
use grundy_sums::sum::Sum;
use grundy_tables::{Oracle, TableOracle};

use super::{heap_game, keeping_moves, outcome, prepared, winning_moves};
use grundy_contract::rows;

/// Returns the outcome by formula, and that the moves the formula names are those that win.
fn by_formula<G: Formula + Notation>(game: &G) -> &'static str {
    let start = game.start();
    let name = game.write_position(&start);
    let value = outcome(ByFormula.value(game, &start));
    if value == "WIN" {
        let moves = keeping_moves(game, &ByFormula, &start);
        assert_eq!(moves, winning_moves(game, &ByFormula, &start), "{name}");
        assert!(!moves.is_empty(), "{name}");
    }
    value
}

/// Returns the same, and the recursion agrees wherever it is asked to.
fn by_both<G: Formula + Sum + Notation>(game: &G, sum: &BySum<G>, witness: bool) -> &'static str {
    let start = game.start();
    let value = by_formula(game);
    if witness {
        assert_eq!(outcome(prepared(sum, game, &start)), value, "{}", game.write_position(&start));
        if let Some(number) = game.grundy(&start) {
            assert_eq!(
                sum.grundy(game, &start, &quiet_work()),
                Some(number),
                "{}",
                game.write_position(&start)
            );
        }
    }
    value
}

#[test]
fn wythoff_is_as_in_the_truth_file() {
    let sum = BySum::default();
    for row in rows!("wythoff.tsv") {
        let heaps = [row.number("a"), row.number("b")];
        let game = heap_game(Wythoff::new(&heaps, false));
        assert_eq!(by_both(&game, &sum, true), row.get("normal"), "{heaps:?}");
        assert_eq!(sum.grundy(&game, &game.start(), &quiet_work()), Some(row.number("grundy")));
        let game = heap_game(Wythoff::new(&heaps, true));
        assert_eq!(by_formula(&game), row.get("misere"), "{heaps:?}");
    }
}

#[test]
fn wythoff_pairs_far_away_are_exact() {
    // The 10^17th pair, from the golden ratio to 40 digits.
    let k = 100_000_000_000_000_000;
    let a = 161_803_398_874_989_484;
    for (heaps, value) in
        [([a, a + k], "LOSS"), ([a, a + k - 1], "WIN"), ([a + k, a], "LOSS"), ([a + 1, a + k + 1], "WIN")]
    {
        let game = heap_game(Wythoff::new(&heaps, false));
        assert_eq!(outcome(ByFormula.value(&game, &game.start())), value);
    }
    let game = heap_game(Wythoff::new(&[a, a + k + 5], false));
    let moves = ByFormula.keeping_moves(&game, &game.start()).unwrap();
    assert!(moves.iter().any(|&m| game.write_move(&game.start(), m) == "2:5"));
}

#[test]
fn chomp_is_as_in_the_truth_file() {
    let game = heap_game(Chomp::new(8, 8));
    let table = TableOracle::layers();
    let memo = ByMemo::default();
    grundy_contract::ready(&table, &game, &game.start());
    for row in rows!("chomp.tsv") {
        let position = game.read_position(row.get("rows")).unwrap();
        assert_eq!(outcome(table.value(&game, &position)), row.get("outcome"));
        assert_eq!(table.value(&game, &position), prepared(&memo, &game, &position));
        let mut cells: Vec<String> = row
            .words("win_moves", ';')
            .iter()
            .map(|cell| {
                let (r, c) = cell.split_once(':').unwrap();
                let column = (b'a' + c.parse::<u8>().unwrap()) as char;
                format!("{column}{}", r.parse::<u32>().unwrap() + 1)
            })
            .collect();
        cells.sort();
        assert_eq!(winning_moves(&game, &table, &position), cells, "{}", row.get("rows"));
    }
}

#[test]
fn the_table_of_chomp_and_looking_at_everything_agree_on_every_shape() {
    for (rows, columns) in [(1, 1), (1, 9), (9, 1), (3, 4), (6, 5)] {
        let game = heap_game(Chomp::new(rows, columns));
        let (table, memo) = (TableOracle::layers(), ByMemo::default());
        grundy_contract::ready(&table, &game, &game.start());
        for index in 0..game.size() {
            let position = game.position(index).unwrap();
            assert_eq!(game.index(&position), index);
            assert_eq!(table.value(&game, &position), prepared(&memo, &game, &position), "{position:?}");
        }
    }
}

#[test]
fn fibonacci_nim_is_as_in_the_truth_file() {
    let sum = BySum::default();
    for row in rows!("fibonacci_nim.tsv") {
        let game = heap_game(FibonacciNim::new(row.number("n")));
        let position = game.read_position(&format!("{},{}", row.get("n"), row.get("limit"))).unwrap();
        assert_eq!(outcome(ByFormula.value(&game, &position)), row.get("outcome"));
        assert_eq!(keeping_moves(&game, &ByFormula, &position), row.words("win_takes", ','));
        assert_eq!(winning_moves(&game, &ByFormula, &position), row.words("win_takes", ','));
        if row.number("n") <= 120 {
            assert_eq!(outcome(sum.value(&game, &position)), row.get("outcome"));
        }
    }
}

#[test]
fn moore_nim_is_as_in_the_truth_file() {
    for row in rows!("moore_nim.tsv") {
        let game = heap_game(MooreNim::new(row.numbers("piles"), row.number("k") as usize, false));
        let start = game.start();
        assert_eq!(outcome(ByFormula.value(&game, &start)), row.get("outcome"));
        for m in ByFormula.keeping_moves(&game, &start).unwrap() {
            assert_eq!(outcome(ByFormula.value(&game, &game.play(&start, m))), "LOSS");
        }
    }
}

#[test]
fn staircase_nim_is_as_in_the_truth_file() {
    for row in rows!("staircase_nim.tsv") {
        let steps = row.numbers("steps_1_to_n");
        let game = heap_game(Staircase::new(steps.clone(), row.get("variant") == "floor"));
        let small = steps.iter().sum::<u64>() <= 10 && steps.len() <= 4;
        assert_eq!(by_both(&game, &BySum::default(), small), row.get("outcome"), "{steps:?}");
    }
}

#[test]
fn silver_dollar_is_as_in_the_truth_file() {
    let sum = BySum::default();
    for row in rows!("silver_dollar.tsv") {
        let cells = row.numbers("cells");
        let mut strip = ".".repeat(*cells.last().unwrap() as usize).into_bytes();
        for (i, &cell) in cells.iter().enumerate() {
            strip[cell as usize - 1] = if row.number("dollar_index") == i as u64 { b'$' } else { b'o' };
        }
        let game = heap_game(SilverDollar::new(std::str::from_utf8(&strip).unwrap(), false));
        assert_eq!(by_both(&game, &sum, true), row.get("outcome"), "{cells:?}");
    }
}

#[test]
fn nim_with_increases_is_as_in_the_truth_file() {
    let memo = ByMemo::default();
    for row in rows!("nim_with_increases.tsv") {
        let banks = [row.number("mover_bank"), row.number("opponent_bank")];
        let game = heap_game(NimIncrease::new(row.numbers("piles"), &banks));
        assert_eq!(by_formula(&game), row.get("outcome"));
        assert_eq!(outcome(prepared(&memo, &game, &game.start())), row.get("outcome"));
    }
}

#[test]
fn strip_games_are_as_in_the_truth_file() {
    let (turtles, twins) = (BySum::default(), BySum::default());
    for row in rows!("strip_games.tsv") {
        let text = row.get("position");
        let number = Some(row.number("grundy_or_xor"));
        let (value, grundy) = match row.get("game") {
            "nimble" => {
                let game = heap_game(Nimble::new(row.numbers("position")));
                (by_both(&game, &BySum::default(), true), game.grundy(&game.start()))
            }
            "nimble2" => {
                let cells = row.numbers("position");
                let mut strip = ".".repeat(*cells.last().unwrap() as usize).into_bytes();
                cells.iter().for_each(|&cell| strip[cell as usize - 1] = b'o');
                let game = heap_game(SilverDollar::new(std::str::from_utf8(&strip).unwrap(), true));
                let small = cells.len() <= 3 && strip.len() <= 20;
                (by_both(&game, &BySum::default(), small), game.grundy(&game.start()))
            }
            "turning_turtles" => {
                let game = heap_game(CoinTurning::new(text, false));
                (by_both(&game, &turtles, text.len() <= 12), game.grundy(&game.start()))
            }
            "twins" => {
                let game = heap_game(CoinTurning::new(text, true));
                (by_both(&game, &twins, text.len() <= 12), game.grundy(&game.start()))
            }
            northcott => {
                let digits = northcott.chars().filter(char::is_ascii_digit).collect::<String>();
                let men = text.replace(':', "-").replace(';', ",");
                let game = heap_game(Northcott::new(digits.parse().unwrap(), &men));
                (by_formula(&game), game.grundy(&game.start()))
            }
        };
        assert_eq!((value, grundy), (row.get("outcome"), number), "{} {text}", row.get("game"));
    }
}

/// Play may be cyclic, but a player with a win can always avoid that.
#[test]
fn northcott_by_formula_and_by_retrograde_analysis_agree() {
    for (columns, rows) in [(2, "1-2,2-1"), (4, "1-4,4-1"), (8, "1-8"), (3, "1-3,1-3,1-3")] {
        let game = heap_game(Northcott::new(columns, rows));
        let table = TableOracle::retrograde();
        grundy_contract::ready(&table, &game, &game.start());
        for position in (0..game.size()).filter_map(|index| game.position(index)) {
            let values = (ByFormula.value(&game, &position), table.value(&game, &position));
            assert_eq!(outcome(values.0), outcome(values.1), "{}", game.write_position(&position));
        }
    }
}
