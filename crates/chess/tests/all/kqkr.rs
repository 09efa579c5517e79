//! King and queen against king and rook (UVa 10383, "Queen vs. Rook"): distances, best moves and their names, from a
//! separate plain solver whose rows python-chess has checked.

use grundy_chess::endings::Census;
use grundy_chess::{Chess, Material, write_san};
use grundy_core::game::{Game, Notation, legal_moves};
use grundy_core::value::{Step, Value};
use grundy_tables::Oracle;

use super::endings::{library, table};

const SAMPLE: &str = include_str!("../truth/kqkr_sample.tsv");
const HISTOGRAM: &str = include_str!("../truth/kqkr_dtm_histogram.tsv");

#[test]
fn every_sampled_position_has_its_distance_and_all_its_best_moves() {
    let chess = Chess::new();
    for row in SAMPLE.lines().skip(1) {
        let fields: Vec<&str> = row.split('\t').collect();
        let position = chess.read_position(fields[2]).unwrap();
        let value = library().value(&chess, &position).unwrap();
        let plies: i64 = fields[4].parse().unwrap();
        assert_eq!(value.plies().map_or(-1, i64::from), plies, "{row}");
        let best: Vec<_> = legal_moves(&chess, &position)
            .into_iter()
            .filter(|&m| {
                library().value(&chess, &chess.play(&position, m)).unwrap().back(Step::PASSED) == value
            })
            .collect();
        let sorted = |mut words: Vec<String>| {
            words.sort();
            if words.is_empty() { "-".to_owned() } else { words.join(",") }
        };
        let uci = sorted(best.iter().map(|&m| chess.write_move(&position, m)).collect());
        let san = sorted(best.iter().map(|&m| write_san(&position, m)).collect());
        let split = |text: &str| sorted(text.split([',', ' ']).map(str::to_owned).collect());
        assert_eq!(uci, split(fields[5]), "{row}");
        assert_eq!(san, split(fields[6]), "{row}");
    }
}

#[test]
fn the_numbers_of_positions_by_distance_agree() {
    for (side, name) in [(0, "queen_side"), (1, "rook_side")] {
        let census = Census::new(Material::read("KQvKR").unwrap(), &table("KQvKR"), side);
        let mut rows = 0;
        for row in HISTOGRAM.lines().skip(1).filter(|row| row.starts_with(name)) {
            let fields: Vec<&str> = row.split('\t').collect();
            let code = if fields[1] == "DRAW" { 0 } else { fields[2].parse::<usize>().unwrap() + 1 };
            assert_eq!(census.full[code].to_string(), fields[3], "{row}");
            rows += 1;
        }
        assert!(rows > 20);
    }
}

#[test]
fn the_longest_win_takes_35_moves_and_black_wins_in_19_at_most() {
    let chess = Chess::new();
    for (fen, plies) in [("8/8/r7/8/3k4/8/8/K1Q5 w - -", 69), ("8/8/8/8/8/1r6/6Q1/k1K5 b - -", 37)] {
        let position = chess.read_position(fen).unwrap();
        assert_eq!(library().value(&chess, &position), Some(Value::win_in(plies)));
    }
}
