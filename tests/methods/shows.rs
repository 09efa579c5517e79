//! Output of `grundy tree` and `grundy solve --estimate`, and the log of the referee.

use super::grundy;

#[test]
fn a_tree_by_classes_has_one_move_of_each_kind_and_says_how_many_there_are() {
    let tree = |more: &[&str]| grundy(&[&["tree", "tictactoe", "--depth", "2"], more].concat());
    let lines: Vec<String> = tree(&["--classes"]).lines().map(str::to_owned).collect();
    let moves: Vec<&str> = lines.iter().filter(|line| line.starts_with("  *")).map(String::as_str).collect();
    assert_eq!(moves.len(), 3, "{lines:?}");
    assert_eq!(moves.iter().filter(|line| line.contains(" x4 ")).count(), 2, "{lines:?}");
    // 3 + 12 positions up to symmetry after one move and after two; symmetric moves of a position count once.
    assert_eq!(lines.len(), 1 + 3 + (5 + 2 + 5), "{lines:?}");
    assert_eq!(tree(&[]).lines().count(), 1 + 9 + 72);
    let dot = tree(&["--classes", "--dot"]);
    assert_eq!(dot.matches("[label=\"").count(), 16 + 15, "{dot}");
    assert!(dot.contains(" x4\" style=bold"), "{dot}");
}

#[test]
fn a_tree_for_one_player_has_his_values_at_every_turn() {
    let position = "XX./OO./... 1";
    let tree = |player: &str| {
        grundy(&["tree", "tictactoe", "--depth", "1", "--position", position, "--player", player])
    };
    let values = |text: &str, first: char| -> Vec<String> {
        let rows = text.lines().filter(|line| line.trim_start().starts_with(first));
        rows.map(|line| line.rsplit('\t').next().unwrap().to_owned()).collect()
    };
    let (one, two) = (tree("1"), tree("2"));
    assert!(one.starts_with(&format!("{position}\twin:1\n")), "{one}");
    assert!(two.starts_with(&format!("{position}\tloss:1\n")), "{two}");
    // Player two is to move then: his loss is a win for player one.
    assert_eq!(values(&one, '*'), ["win:0"]);
    assert_eq!(values(&two, '*'), ["loss:0"]);
    let plain = grundy(&["tree", "tictactoe", "--depth", "1", "--position", position]);
    assert_eq!(values(&plain, '*'), ["loss:0"]);
}

#[test]
fn an_estimate_of_dots_shows_orbits_groups_files_and_splits() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["solve", "dots:3x5", "--estimate", "--tables", folder.path().to_str().unwrap()];
    let out = grundy(&[&args[..], &["--memory-limit", "1000"]].concat());
    assert!(out.contains("orbits of lines under the symmetries: 12: 7 of 4 lines, 5 of 2 lines"), "{out}");
    assert_eq!(out.lines().filter(|line| line.starts_with("  orbit ")).count(), 12, "{out}");
    let row = out.lines().find(|line| line.starts_with("6\t")).unwrap();
    // Nine counts of lines left in the first group, seven in each of the others.
    assert!(row.starts_with("6\t8 6 6 6 6 6\t151263\t"), "{row}");
    // The largest file is the one with half of the lines of each group left.
    assert_eq!(row.split('\t').nth(3), Some((70 * 20_u64.pow(5)).to_string().as_str()), "{row}");
    assert!(out.contains("lines of 6 groups:\n  group 1, 8 lines: "), "{out}");
    assert!(out.contains("-CELLS") || out.contains("FRONT-BACK.cells"), "{out}");
    assert!(out.lines().any(|line| line.starts_with("within 1.0 GB: ")), "{out}");
    // Every line is in exactly one group.
    let groups = &out[out.find("lines of 6 groups:").unwrap()..];
    let groups = groups.split("lines of 7 groups:").next().unwrap();
    let mut lines: Vec<&str> = groups.split_whitespace().filter(|word| word.len() == 4).collect();
    lines.sort_unstable();
    lines.dedup();
    assert_eq!(lines.len(), 38, "{groups}");
    // A board whose table is built in one piece has orbits and splits, but no groups of its own.
    let small = grundy(&["solve", "dots:2x2", "--estimate"]);
    assert!(small.contains("2: 1 of 8 lines, 1 of 4 lines") && small.contains("in one piece"), "{small}");
}

#[test]
fn the_referee_tells_its_decisions_and_the_traffic_on_stderr_where_it_is_asked_to() {
    let run = |level: &str| {
        let engine = env!("CARGO_BIN_EXE_grundy");
        let mut referee = std::process::Command::new(env!("CARGO_BIN_EXE_referee"));
        referee.args(["match", "--game", "nim:1,2", "--games", "1", "--engine", engine, "--engine"]);
        let out = referee.arg(format!("{engine} name=other")).env("RUST_LOG", level).output().unwrap();
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8(out.stderr).unwrap()
    };
    let decisions = run("debug");
    for decision in ["grundy is ready", "grundy plays 2:1", "value before win and after win", "after 3 moves"]
    {
        assert!(decisions.contains(decision), "{decision}: {decisions}");
    }
    assert!(!decisions.contains("bestmove"), "{decisions}");
    let traffic = run("trace");
    assert!(traffic.contains("grundy < go") && traffic.contains("other > bestmove "), "{traffic}");
}

#[test]
fn a_tree_of_a_searched_game_has_the_values_that_analyze_finds() {
    for game in ["hexapawn:3x3", "hex:3", "othello:4x4", "domineering:3x3", "kalah:2,2"] {
        let tree = grundy(&["tree", game, "--depth", "2"]);
        let mut best = 0;
        for line in tree.lines() {
            let (node, value) = line.rsplit_once('\t').expect("a value");
            let position = node.trim_start().split_once("  ").map_or(node, |(_, position)| position);
            best += usize::from(node.trim_start().starts_with('*'));
            let asked = grundy(&["analyze", "--game", game, "--position", position, "--json"]);
            let asked: serde_json::Value = serde_json::from_str(&asked).expect("JSON");
            assert_eq!(asked["value"], value, "{game}: {line}");
        }
        assert!(best > 1, "{tree}");
    }
}
