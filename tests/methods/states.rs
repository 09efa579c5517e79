//! Methods remember only what a position's value depends on: published counts, and values in cyclic games for points.

use std::process::Command;

use super::{grundy, solve, value};

/// Positions of few stones and their values, from `truth/awari_small.tsv` of the family.
const AWARI: [(&str, &str, &str); 8] = [
    ("3", "0,0,1,0,0,0/0,0,1,1,0,0 0-0 1", "+0"),
    ("3", "0,0,1,0,0,0/0,1,0,0,1,0 0-0 1", "+0"),
    ("3", "0,1,0,1,0,0/0,0,0,0,1,0 0-0 1", "+3"),
    ("5", "1,0,0,0,0,0/0,1,1,0,0,2 0-0 1", "-2"),
    ("4", "0,0,2,0,1,0/0,0,0,0,0,1 0-0 1", "+2"),
    ("3", "0,0,1,0,1,0/0,0,0,0,0,1 0-0 1", "+3"),
    ("4", "0,0,0,0,0,1/0,1,0,0,2,0 0-0 1", "-2"),
    ("5", "0,0,2,1,1,0/0,0,0,1,0,0 0-0 1", "+2"),
];

#[test]
fn methods_look_at_no_more_positions_than_values_depend_on() {
    let row: Vec<String> = (1..=40).map(|n| (n * 7 % 41).to_string()).collect();
    let row = format!("row:{}", row.join(","));
    for (game, states) in [
        ("dots:2x2", 4_096),
        // All intervals, and the empty one.
        (row.as_str(), 820 + 1),
        ("euler:3x3", 512),
        ("matches:21", 22),
        ("nim:3,5,7", 4 * 6 * 8),
        ("heaps:kayles:5", 0),
    ] {
        let found = ["layers", "queue", "sweeps", "memo"].map(|method| solve(game, &[method]).remove(0));
        for (value, [positions, ..]) in &found {
            assert_eq!(*value, found[0].0, "{game}");
            assert!(states == 0 || *positions <= states, "{game}: {positions}");
            assert_eq!(*positions, found[0].1[0], "{game}");
        }
    }
}

#[test]
fn clocks_do_not_tell_positions_of_chess_apart() {
    let counts = grundy(&["count", "chess", "3", "--quiet"]);
    let row: Vec<&str> = counts.lines().last().unwrap().split('\t').collect();
    assert_eq!(row[..3], ["3", "8902", "5362"]);
}

#[test]
fn a_count_says_on_how_many_states_values_depend() {
    let out = Command::new(env!("CARGO_BIN_EXE_grundy")).args(["count", "dots:1x2"]).output().unwrap();
    let told = String::from_utf8_lossy(&out.stderr).into_owned();
    // Every set of the seven lines.
    assert!(told.contains("142 positions") && told.contains("values depend on 128"), "{told}");
}

#[test]
fn an_ending_by_the_queue_has_the_distance_of_its_table() {
    let position = ["--position", "8/8/8/8/8/2k5/8/K6R w - - 0 1"];
    let by_queue = value("chess:KRvK", &[&["queue"][..], &position].concat());
    let table = super::inputs::fed(&["analyze", "--game", "chess:KRvK"], &format!("{}\n", position[1]));
    assert_eq!(table.split('\t').nth(1), Some(by_queue.as_str()), "{table}");
}

#[test]
fn points_are_found_where_play_can_come_back() {
    for (stones, position, known) in AWARI {
        for method in ["queue", "sweeps"] {
            let found = value(&format!("awari:{stones}"), &[method, "--position", position]);
            assert_eq!(found, known, "{position} by {method}");
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("points.dot");
    // From a, b and c the cycle leads to gains, from d and e only to losses that both players put off for ever.
    let graph = "digraph g { a [start=true] a -> b b -> c c -> a b -> x c -> y c -> d d -> e e -> d d -> u e -> v \
                 x [value=-3] y [value=4] u [value=3] v [value=4] }";
    std::fs::write(&path, graph).unwrap();
    let game = format!("graph:file={}", path.display());
    for node in ["a", "b", "c", "d", "e"] {
        for turn in ["1", "2"] {
            let at = format!("{node} {turn}");
            let table = super::inputs::fed(&["analyze", "--game", &game], &format!("{at}\n"));
            for method in ["queue", "sweeps"] {
                let found = value(&game, &[method, "--position", &at]);
                assert_eq!(table.split('\t').nth(1), Some(found.as_str()), "{at} by {method}: {table}");
            }
        }
    }
}

#[test]
fn plain_recursion_names_its_longest_line() {
    let out = grundy(&["solve", "tictactoe", "--by", "naive", "--position", "XOX/OXO/... 1"]);
    assert!(out.contains("\tdeepest 3: "), "{out}");
}

#[test]
fn playouts_ask_no_table_and_prove_small_ends() {
    let won = grundy(&["solve", "tictactoe", "--by", "mcts", "--position", "XX./OO./... 1"]);
    assert!(won.contains("value >= win") && won.contains("proved; best play c3"), "{won}");
    let open = grundy(&["solve", "tictactoe", "--by", "mcts", "--depth", "1", "--seconds", "5"]);
    assert!(open.contains("value ~ ") && open.contains("nodes"), "{open}");
}
