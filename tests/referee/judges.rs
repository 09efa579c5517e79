//! Two engines compared, and suites of positions with known answers.

use crate::tools::{GRUNDY, bad_engine, folder, referee};

#[test]
fn lists_of_ten_thousand_moves_are_heard_to_their_end() {
    let run =
        referee(&["compare", "--game", "nim:20000", "--engine", GRUNDY, "--engine", GRUNDY, "--sample", "2"]);
    assert_eq!(run.code, Some(0), "{}", run.said());
    assert!(run.out.contains("no disagreement (legal moves compared in 2"), "{}", run.out);
}

#[test]
fn two_good_engines_agree() {
    let run = referee(&[
        "compare",
        "--game",
        "tictactoe",
        "--engine",
        GRUNDY,
        "--engine",
        GRUNDY,
        "--sample",
        "300",
    ]);
    assert_eq!(run.code, Some(0), "{}", run.said());
    assert!(
        run.out.contains(
            "300 positions of tictactoe: no disagreement (legal moves compared in 300, values in 300"
        )
    );
}

#[test]
fn the_first_disagreement_is_shown_as_commands_to_paste() {
    let liar = format!("name=liar {} lie-value", bad_engine().display());
    let run = referee(&["compare", "--game", "nim:1,2", "--engine", GRUNDY, "--engine", &liar]);
    assert_eq!(run.code, Some(5), "{}", run.said());
    for words in
        ["they disagree about the value:\nposition fen 1,2 1\nquery value", "# grundy: win", "# liar: loss:2"]
    {
        assert!(run.out.contains(words), "{words}: {}", run.out);
    }
    // A mate that nobody can give: known from `info score`, where an engine answers no queries.
    let mates = format!("name=mates proto=uci {} lie-mate", bad_engine().display());
    let run = referee(&["compare", "--game", "nim:1,2", "--engine", GRUNDY, "--engine", &mates]);
    assert_eq!(run.code, Some(5), "{}", run.said());
    assert!(run.out.contains("# grundy: win\n# mates: loss within 2 plies"), "{}", run.out);
    // Our engine told to play another game: other moves in the same position.
    let other = format!("name=other {} shorten-moves", bad_engine().display());
    let run = referee(&["compare", "--game", "nim:1,2", "--engine", GRUNDY, "--engine", &other]);
    assert_eq!(run.code, Some(5), "{}", run.said());
    assert!(run.out.contains("# only grundy: 2:2"), "{}", run.out);
    // Moves alone prove no agreement.
    let mute = format!("name=mute {} no-queries", bad_engine().display());
    let both = ["compare", "--game", "nim:1,2", "--engine", GRUNDY, "--engine", &mute];
    let run = referee(&both);
    assert_eq!(run.code, Some(1), "{}", run.said());
    assert!(
        run.out.contains(" of nim:1,2 (random games led to no more): nothing was compared"),
        "{}",
        run.out
    );
    let run = referee(&[&both[..], &["--sample", "0"]].concat());
    assert!(run.code == Some(2) && run.err.contains("--sample 0: expected at least 1"), "{}", run.said());
    let one = referee(&["compare", "--game", "nim:1,2", "--engine", GRUNDY]);
    assert_eq!(one.code, Some(2), "{}", one.said());
}

#[test]
fn a_suite_passes_fails_and_tells_where() {
    let folder = folder();
    let (file, junit) = (folder.join("suite"), folder.join("junit.xml"));
    let good = "# endings\ngame nim:1,2\n1,2 1 ; value win ; best 2:1\ngame tictactoe\nXX./OO./... 1 ; best c3 ; value win:1\n\
                X../.../... 2 ; value draw ; best b2\nXX./O../... 2 ; best c3 ; avoid a1\n";
    std::fs::write(&file, good).unwrap();
    let run = referee(&["suite", file.to_str().unwrap(), "--engine", GRUNDY]);
    assert_eq!(run.code, Some(0), "{}", run.said());
    assert!(run.out.contains("4 of 4 positions as expected"), "{}", run.out);

    std::fs::write(&file, format!("{good}X../.../... 2 ; best a1\nX../.../... 2 ; value win:3\n")).unwrap();
    let all = ["suite", file.to_str().unwrap(), "--engine", GRUNDY, "--junit", junit.to_str().unwrap()];
    let run = referee(&all);
    assert_eq!(run.code, Some(1), "{}", run.said());
    assert!(
        run.out.contains("FAIL line 8: played b2, expected a1: position fen X../.../... 2"),
        "{}",
        run.out
    );
    assert!(run.out.contains("said draw, expected win:3"), "{}", run.out);
    let junit = std::fs::read_to_string(junit).unwrap();
    assert!(junit.contains("tests=\"6\" failures=\"2\""), "{junit}");

    for (text, why) in [
        ("X../.../... 2 ; best b2", "which game?"),
        ("game chequers", "unknown game"),
        ("game tictactoe\nX../.../... 2 ; best a3", "a3 is no legal move there"),
    ] {
        std::fs::write(&file, text).unwrap();
        let run = referee(&["suite", file.to_str().unwrap(), "--engine", GRUNDY]);
        assert_eq!(run.code, Some(2), "{}", run.said());
        assert!(run.err.contains(why), "{}", run.err);
    }
    let crash = format!("{} crash-at-go", bad_engine().display());
    std::fs::write(&file, good).unwrap();
    let run = referee(&["suite", file.to_str().unwrap(), "--engine", &crash]);
    assert_eq!(run.code, Some(4), "{}", run.said());
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn chess_suites_are_read_as_epd() {
    let folder = folder();
    let (file, junit) = (folder.join("suite.epd"), folder.join("junit.xml"));
    let path = file.to_str().unwrap();
    let suite = |more: &[&str]| {
        let mut all = vec!["suite", path, "--engine", GRUNDY, "--movetime", "20000"];
        all.extend(more);
        referee(&all)
    };
    // The game is chess without being named; signs, counters and unknown operations change nothing.
    let good = "\u{feff}6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8# #1; dm 1; id \"nr #7; back rank\"; c0 \"a remark\";\r\n\
                6k1/5ppp/8/8/8/8/8/R5K1 w - - am Ra7 Kf1; hmvc 0; fmvn 1;\n\
                7k/8/4K3/8/8/8/8/6Q1 w - - dm 2;\n\
                7k/8/5K2/8/8/8/8/6Q1 w - - bm Qg7 Qg7+;\n";
    std::fs::write(&file, good).unwrap();
    let run = suite(&[]);
    assert_eq!(run.code, Some(0), "{}", run.said());
    assert!(run.out.contains("4 of 4 positions as expected"), "{}", run.out);
    let bad = format!(
        "{good}7k/8/4K3/8/8/8/8/6Q1 w - - dm 1;\n7k/8/5K2/8/8/8/8/6Q1 w - - am Qg7; id \"mate in one\";\n\
                       7k/8/5K2/8/8/8/8/6Q1 w - - bm Kf5;\n"
    );
    std::fs::write(&file, bad).unwrap();
    let run = suite(&["--junit", junit.to_str().unwrap()]);
    assert_eq!(run.code, Some(1), "{}", run.said());
    for words in [
        "FAIL line 5: no mate in 1 was announced",
        "FAIL line 6 (mate in one): played g1g7",
        "FAIL line 7: played ",
    ] {
        assert!(run.out.contains(words), "{words}: {}", run.out);
    }
    assert!(
        run.out.contains("which is to be avoided") && run.out.contains("4 of 7 positions"),
        "{}",
        run.out
    );
    let junit = std::fs::read_to_string(junit).unwrap();
    assert!(junit.contains("tests=\"7\" failures=\"3\""), "{junit}");
    for (line, why) in [
        ("7k/8/5K2/8/8/8/8/6Q1 w - - bm Qa9;", ":1: Qa9 is no legal move there"),
        ("7k/8/5K2/8/8/8/8/6Q1 w - - dm soon;", ":1: dm \"soon\": expected a number"),
        ("7k/8/5K2/8/8/8/6Q1 w - - bm Qg7;", ":1: "),
        ("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", ":1: nothing is expected there"),
        ("3,4,5 1", ":1: which game?"),
        ("game chess\n7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", ":2: nothing is expected there"),
        ("7k/8/5K2/8/8/8/8/6Q1 w - - id \"bm Qg7;\";", ":1: nothing is expected there"),
    ] {
        std::fs::write(&file, line).unwrap();
        let run = suite(&[]);
        assert_eq!(run.code, Some(2), "{line}: {}", run.said());
        assert!(run.err.contains(why) && run.err.lines().count() == 1, "{line}: {}", run.err);
    }
    std::fs::remove_dir_all(folder).unwrap();
}
