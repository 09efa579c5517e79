//! `grundy count` against counts that a program of another kind made, and the orders of filling a board.

use std::collections::BTreeMap;

use super::grundy;

const TRUTH: &str = include_str!("truth/count_per_ply.tsv");

/// Rows by ply: lines, positions, classes, finished.
fn count(game: &str, more: &[&str]) -> BTreeMap<String, [String; 4]> {
    let mut args = vec!["count", game, "--quiet"];
    args.extend(more);
    let out = grundy(&args);
    let mut lines = out.lines();
    assert_eq!(lines.next(), Some("ply\tlines\tpositions\tclasses\tfinished"));
    let row = |line: &str| {
        let mut fields = line.split('\t').map(str::to_owned);
        let mut next = || fields.next().unwrap();
        (next(), [next(), next(), next(), next()])
    };
    lines.map(row).collect()
}

#[test]
fn lines_positions_classes_and_ends_are_those_of_another_program() {
    let mut games: BTreeMap<&str, Vec<Vec<&str>>> = BTreeMap::new();
    for row in TRUTH.lines().skip(1) {
        let fields: Vec<&str> = row.split('\t').collect();
        if fields[1] != "all" {
            games.entry(fields[0]).or_default().push(fields);
        }
    }
    assert_eq!(games.len(), 45);
    for (game, rows) in games {
        // The last plies of the largest boards take too long for a test.
        let few = |row: &&Vec<&str>| row[3].parse::<u64>().unwrap() <= 30_000;
        let Some(most) = rows.iter().filter(few).map(|row| row[1].parse::<u32>().unwrap()).max() else {
            continue;
        };
        let counted = count(game, &[&most.to_string()]);
        for row in rows.iter().filter(few) {
            let expected = [row[2], row[3], row[5], row[6]].map(str::to_owned);
            assert_eq!(counted.get(row[1]), Some(&expected), "{game} ply {}", row[1]);
        }
    }
}

#[test]
fn a_board_is_filled_in_as_many_orders_as_its_cells_can_be_put_in() {
    let filled = count("tictactoe", &["--past-the-end"]);
    assert_eq!(filled["8"][0], "362880");
    assert_eq!(filled["9"], ["362880", "126", "23", "126"].map(str::to_owned));
    let ended = count("tictactoe", &[]);
    assert_eq!(ended["9"], ["127872", "78", "15", "78"].map(str::to_owned));
    let sum = |column: usize| ended.values().map(|row| row[column].parse::<u64>().unwrap()).sum::<u64>();
    assert_eq!((sum(1), sum(2), sum(3)), (5_478, 765, 958));
}

/// Counted by a program that shares no code.
#[test]
fn cells_that_no_domino_can_cover_tell_positions_of_cram_apart() {
    for (game, ply, positions, finished) in [
        ("cram:1x5", "2", "3", "3"),
        ("cram:2x4", "3", "16", "6"),
        ("cram:3x3", "3", "40", "4"),
        ("cram:3x3", "4", "5", "5"),
    ] {
        let counted = &count(game, &[])[ply];
        assert_eq!([counted[1].as_str(), counted[3].as_str()], [positions, finished], "{game} ply {ply}");
    }
}
