//! Textbook methods: `grundy solve --by`, `grundy count`, `grundy tree`, through the real binary.

#![allow(clippy::unwrap_used)] // a test that cannot go on should fail

mod counts;
mod graph;
mod inputs;
mod numbers;
mod shows;
mod states;
mod trees;
mod twins;

use std::process::Command;

/// Returns what the program prints; it must exit with 0.
fn grundy(args: &[&str]) -> String {
    let out = Command::new(env!("CARGO_BIN_EXE_grundy")).args(args).output().unwrap();
    assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).unwrap()
}

/// Parses the lines that `solve --by` prints: the value, positions visited, finished ones, look-ups.
fn solve(game: &str, by: &[&str]) -> Vec<(String, [u64; 3])> {
    let mut args = vec!["solve", game, "--by"];
    args.extend(by);
    let out = grundy(&args);
    let number = |part: &str| part.rsplit(' ').next().unwrap().parse().unwrap();
    let line = |line: &str| {
        let parts: Vec<&str> = line.split('\t').collect();
        let value = parts[0].strip_prefix("value ").unwrap().trim_start_matches("= ").to_owned();
        (value, [number(parts[1]), number(parts[2]), number(parts[3])])
    };
    out.lines().skip(1).map(line).collect()
}

/// Returns the last value that `solve --by` prints, whichever search answers.
fn value(game: &str, by: &[&str]) -> String {
    let out = grundy(&[&["solve", game, "--by"], by].concat());
    let last = out.lines().rfind(|line| line.starts_with("value = ")).unwrap();
    last["value = ".len()..].split('\t').next().unwrap().to_owned()
}

#[test]
fn naive_minimax_and_alpha_beta_look_at_as_many_positions_as_textbooks_say() {
    assert_eq!(solve("tictactoe", &["naive"]), [("draw".to_owned(), [549_946, 255_168, 0])]);
    // With both bounds, in the order of the cells, outcome only: the count that textbooks give beside 549,946.
    let plain = solve("tictactoe", &["search", "--plain"]);
    assert_eq!(plain[0].1[0], 18_297);
    let one_bound = solve("tictactoe", &["search", "--plain", "--bounds", "1"]);
    assert!(one_bound[0].1[0] > plain[0].1[0] && one_bound[0].1[0] < 549_946);
    for method in ["sweeps", "queue", "layers"] {
        let (value, [positions, finished, _]) = solve("tictactoe", &[method]).remove(0);
        assert_eq!((value.as_str(), positions, finished), ("draw", 5_478, 958), "{method}");
    }
}

#[test]
fn all_methods_agree_wherever_they_serve() {
    const ACYCLIC: [&str; 6] = ["memo", "sweeps", "queue", "layers", "search", "naive"];
    for (game, position, known) in [
        ("tictactoe", "X../.O./..X 2", Some("draw")),
        ("tictactoe", "X.O/.../X.. 2", Some("loss:4")),
        ("nim:2,2,3:misere", "2,2,3 1", Some("win:4")),
        ("dots:1x2", "../.../.. 0-0 1", Some("+0")),
        ("dots:2x2", "--/|.|/-./|../.. 0-0 1", None),
        ("row:4,7,2,9", "4,7,2,9 0-0 1", Some("+10")),
        ("kalah:2,2", "2,2/2,2 0-0 1", None),
        ("chomp:3x4", "4,4,4 1", None),
        ("euler:3x3", ".../.../... 1", None),
        ("hexapawn:3x3", "OOO/.../XXX 1", None),
        ("heaps:kayles:4,3", "4,3 1", None),
    ] {
        let found = ACYCLIC.map(|method| value(game, &[method, "--position", position]));
        if let Some(known) = known {
            assert_eq!(found[0], known, "{game} {position}");
        }
        for (method, found_by) in ACYCLIC.iter().zip(&found) {
            assert_eq!(*found_by, found[0], "{game} {position} by {method}");
        }
    }
    for method in ["sweeps", "queue"] {
        assert_eq!(solve("lgame", &[method])[0].0, "draw");
        assert_eq!(solve("graph", &[method])[0].0, "draw");
    }
}

#[test]
fn what_does_not_end_is_stopped_or_refused() {
    let stopped = grundy(&["solve", "dots:3x3", "--by", "naive", "--seconds", "0.2"]);
    assert!(stopped.contains("value ?\tpositions") && stopped.contains("not finished"), "{stopped}");
    for method in ["naive", "memo", "layers", "search"] {
        let out = Command::new(env!("CARGO_BIN_EXE_grundy"))
            .args(["solve", "lgame", "--by", method])
            .output()
            .unwrap();
        let error = String::from_utf8_lossy(&out.stderr).into_owned();
        assert!(out.status.code() == Some(1) && error.contains("comes back"), "{method}: {error}");
    }
    // With a depth it terminates, and says that the value is an estimate.
    assert!(grundy(&["solve", "lgame", "--by", "search", "--depth", "2"]).contains("value ~ draw"));
}

#[test]
fn trees_mark_the_best_moves() {
    let tree = grundy(&["tree", "nim:3,2:misere", "--depth", "2"]);
    assert!(tree.starts_with("3,2 1\twin\n  *1:1  2,2 2\tloss\n"), "{tree}");
    assert_eq!(tree.lines().count(), 1 + 5 + 4 + 3 + 2 + 4 + 3, "{tree}");
    // Two counters of two heaps: the tree meets the empty table twice, the folded one once.
    let ends = |more: &[&str]| {
        let tree = grundy(&[&["tree", "nim:1,1", "--depth", "9", "--dot"], more].concat());
        (tree.matches("label=\"0,0 1").count(), tree.matches(" -> ").count())
    };
    assert_eq!((ends(&[]), ends(&["--fold"])), ((2, 4), (1, 4)));
    let dot = grundy(&["tree", "nim:1,1:misere", "--depth", "9", "--dot"]);
    assert!(dot.starts_with("digraph \"nim:1,1:misere\" {\n") && dot.ends_with("}\n"), "{dot}");
    assert_eq!(dot.matches("style=bold").count(), 4, "{dot}");
}
