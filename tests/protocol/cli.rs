//! The command line: what it prints, and its exit codes.

use crate::wire::{output, output_to};

fn grundy(args: &[&str], input: &str) -> (i32, String, String) {
    let out = output(args, input);
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (out.status.code().unwrap_or(-1), text(out.stdout), text(out.stderr))
}

#[test]
fn exit_codes_say_how_it_went() {
    assert_eq!(grundy(&[], "quit\n").0, 0);
    assert_eq!(grundy(&["--help"], "").0, 0);
    assert_eq!(grundy(&["--game", "nope"], "").0, 2);
    assert_eq!(grundy(&["--no-such-flag"], "").0, 2);
    assert_eq!(grundy(&["perft", "nim:x", "2"], "").0, 2);
    assert_eq!(grundy(&["analyze", "--game", "nim"], "3,5,7 1\n").0, 0);
    assert_eq!(grundy(&["analyze", "--game", "nim"], "garbage\n").0, 1);
}

#[test]
fn an_unknown_name_and_a_file_that_cannot_be_read_are_wrong_usage() {
    let folder = tempfile::tempdir().expect("a folder");
    let payoffs = folder.path().join("payoffs.txt");
    std::fs::write(&payoffs, "1 2\n3 x\n").expect("written");
    let payoffs = payoffs.to_str().expect("UTF-8");
    for (args, why) in [
        (&["equilibrium", "none.nfg"][..], "cannot read none.nfg: "),
        (&["equilibrium", payoffs], "payoffs.txt: line 2: \"x\" is no number"),
        (&["equilibrium", "--example", "poker"], "no example is called \"poker\": expected one of "),
        (&["atlas", "xyzzy"], "no entry contains \"xyzzy\": grundy atlas lists all"),
        (&["atlas", "check", "xyzzy"], "no entry contains \"xyzzy\": grundy atlas lists all"),
        (&["atlas", "table", "xyzzy"], "no table \"xyzzy\": expected one of cram, "),
        (&["learn", "othello:4x4", "--positions", "none.txt"], "none.txt: "),
        (
            &["analyze", "none.pgn"],
            "cannot read \"none.pgn\": there is no such file, and no game of this name",
        ),
        (&["none.pgn"], "cannot read \"none.pgn\": there is no such file"),
        (
            &["--game", "tictactoe", "b2", "a1"],
            "unknown command \"b2\": to play from a position or moves, write grundy tictactoe b2 a1",
        ),
        (&["--game=nim:3,5,7", "1:1"], "write grundy nim:3,5,7 1:1"),
        (
            &["play", "tictactoe", "--level", "9"],
            "invalid value '9' for '--level <N>': expected 1 to 8, or perfect",
        ),
    ] {
        let (code, out, error) = grundy(args, "");
        assert_eq!((code, out.as_str(), error.lines().count()), (2, "", 1), "{args:?}: {error}");
        assert!(error.contains(why), "{args:?}: {error}");
    }
}

#[test]
fn an_option_that_a_command_lacks_is_refused_in_one_line() {
    for (args, said) in [
        (
            &["solve", "nim", "--csv"][..],
            "error: grundy solve has no option --csv: grundy solve --help lists all\n",
        ),
        (&["--no-such-flag"], "error: grundy has no option --no-such-flag: grundy --help lists all\n"),
    ] {
        let (code, out, error) = grundy(args, "");
        assert_eq!((code, out.as_str(), error.as_str()), (2, "", said), "{args:?}");
    }
}

#[test]
fn what_cannot_be_written_is_told_with_a_code_and_a_closed_pipe_is_not() {
    let commands: [(&[&str], &str); 16] = [
        (&["--help"], ""),
        (&["--version"], ""),
        (&["games"], ""),
        (&["games", "nim"], ""),
        (&["games", "--markdown"], ""),
        (&["perft", "nim:1,2", "2"], ""),
        (&["count", "tictactoe", "1"], ""),
        (&["tree", "nim:1,2", "--depth", "2"], ""),
        (&["solve", "nim:1,2", "--by", "memo"], ""),
        (&["analyze", "--game", "nim:1,2"], "startpos\n"),
        (&["analyze", "--game", "nim:1,2", "--json"], "startpos\n"),
        (&["check-rules", "tictactoe"], ""),
        (&["equilibrium", "--examples"], ""),
        (&["equilibrium"], "1 2\n3 4\n"),
        (&["--game", "nim:1,2", "gtp"], "name\n"),
        (&["--game", "nim:1,2"], "query fen\n"),
    ];
    for (args, input) in commands {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
        let out = output_to(args, input, full.into());
        let said = String::from_utf8_lossy(&out.stderr).into_owned();
        assert_eq!((out.status.code(), said.lines().count()), (Some(1), 1), "{args:?}: {said}");
        assert!(said.contains("cannot write to stdout: No space left on device"), "{args:?}: {said}");
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let out = output_to(args, input, writer.into());
        assert_eq!((out.status.code(), out.stderr.len()), (Some(0), 0), "{args:?}");
    }
}

#[test]
fn folders_and_files_of_the_command_line_are_checked_at_the_start() {
    let file = env!("CARGO_BIN_EXE_grundy");
    let inside = format!("{file}/x");
    for args in [
        &["--tables", file][..],
        &["analyze", "--game", "nim", "--tables", file],
        &["solve", "nim", "--tables", file],
        &["tables", "list", "--tables", file],
        &["solve", "dots:1x1", "--keep", &inside],
        &["equilibrium", "--example", "kuhn:3", "--certificate", "/no/such/folder/c"],
    ] {
        let (code, out, error) = grundy(args, "");
        assert_eq!((code, out.as_str(), error.lines().count()), (2, "", 1), "{args:?}: {error}");
        assert!(error.contains("folder"), "{args:?}: {error}");
    }
}

#[test]
fn labels_of_a_file_make_no_fields_and_no_lines() {
    let game = "EFG 2 R \"t\" { \"a\" \"b\" }\n\"\"\np \"\" 1 1 \"x\ty\" { \"L\nM\" \"\u{1b}[31mR\" } 0\n\
                t \"\" 1 \"\" { 1, -1 }\nt \"\" 2 \"\" { 2, -2 }\n";
    let (code, out, error) = grundy(&["equilibrium"], game);
    assert_eq!(code, 0, "{error}");
    assert!(out.contains("\tx\\x09y\t") && out.contains("L\\x0aM") && !out.contains('\u{1b}'), "{out}");
}

#[test]
fn a_refused_game_gets_one_line_that_says_what_is_possible() {
    for name in ["nope", "nim:x", "nim:3:max=0", "nim:3:bogus", "", ":", "nim:99999999999999999999999"] {
        let (code, out, error) = grundy(&["--game", name], "");
        assert_eq!((code, out.as_str()), (2, ""), "{name}");
        assert_eq!(error.trim_end().lines().count(), 1, "{name}: {error}");
        assert!(
            error.contains("expected") || error.contains("to") || error.contains("at least"),
            "{name}: {error}"
        );
    }
}

#[test]
fn a_refused_name_is_named_with_the_one_that_works() {
    for (name, why) in [
        (
            "sum:stones:.X:table+nim:3",
            "stones:.X:table has a table, which a sum cannot add: expected stones:.X, by formula",
        ),
        (
            "sum:nim:3+nim:4+misere+misere",
            "misere is said of the whole sum, once and at its end: expected sum:nim:3+nim:4+misere",
        ),
        ("sum:misere+nim:3", "expected sum:nim:3+misere"),
        ("sum:nim:3+foo", "foo cannot stand in a sum: expected a game that grundy games sum lists"),
        ("tictactoe:5x1", "tictactoe has a board of 3x3: expected mnk:1,5,3 or another game of mnk"),
        ("mnk:5x1", "bad size \"5x1\": expected M,N,K, as in mnk:4,4,4"),
        ("0.77:10", "unknown game: did you mean heaps:0.77? grundy games lists all"),
        ("chess:960:518", "unknown section 518 of chess:960: a start is given as a position, in FEN"),
        ("chess:KQvK:960", "unknown section KQvK of chess:960: an ending has no castling"),
    ] {
        let (code, out, error) = grundy(&["analyze", name], "");
        assert_eq!((code, out.as_str(), error.lines().count()), (2, "", 1), "{name}: {error}");
        assert!(error.contains(why), "{name}: {error}");
    }
}

#[test]
fn a_position_and_moves_are_read_without_a_word_between_them() {
    for (args, first) in [
        (&["nim:3,5,7", "1,5,7", "3:3"][..], "player one wins 1,5,4 2"),
        (&["nim:3,5,7", "1,5,7 2", "3:3"], "player two wins 1,5,4 1"),
        (&["tictactoe", ".../.../... 1", "b2"], ".../.X./... 2 (tictactoe) is a draw"),
        (&["heaps", "kayles", "7", "5"], "player one wins heaps:kayles:7,5"),
        (&["heaps:kayles:7,5", "misere"], "player one wins heaps:kayles:7,5:misere"),
        (&["sprouts", "2"], "player two wins sprouts:2"),
        (&["heaps:kayles:2001"], "player one wins heaps:kayles:2001; 163 of 2,001 first moves win"),
    ] {
        let (_, out, error) = grundy(&[&["analyze"], args].concat(), "");
        assert!(out.starts_with(first), "{args:?}: {out}{error}");
    }
    for (args, why) in [
        (&["nim:3,5,7", "3,5,7 3"][..], "not legal in 3,5,7 1"),
        (&["8/8/8/8/8/8/8/P3K3 w - - 0 1"], "bad position"),
        (&["rules", "chess"], "chess is a game, and no move or position of rules"),
        (&["hackenbush:my.dot"], "bad stalk \"my.dot\""),
        (&["chess:KQk", "8/8/8/4k3/8/8/8/KQ6 w - - 0 1"], "bad ending \"KQk\": expected chess:KQvK"),
    ] {
        let (code, out, error) = grundy(&[&["analyze"], args].concat(), "");
        assert_eq!((code, out.as_str(), error.lines().count()), (2, "", 1), "{args:?}: {error}");
        assert!(error.contains(why), "{args:?}: {error}");
    }
}

#[test]
fn a_file_of_a_game_is_read_by_every_command_that_takes_a_position() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        path.to_str().expect("UTF-8").to_owned()
    };
    let one = file("one.pgn", "[Variant \"tictactoe\"]\n\n1. b2 a1 2. c3 *\n");
    let moves = file("moves.txt", "b2 a1 c3\n");
    for args in
        [&[one.as_str()][..], &["tictactoe", &one], &["tictactoe", &moves], &["--game", "tictactoe", &moves]]
    {
        let (code, out, error) = grundy(&[&["analyze"], args].concat(), "");
        assert!(code == 0 && out.contains("..X/.X./O.. 2 (tictactoe)"), "{args:?}: {out}{error}");
    }
    let two = file("two.pgn", "[Variant \"tictactoe\"]\n\n1. b2 *\n\n[Variant \"tictactoe\"]\n\n1. a1 *\n");
    let arrows = file("arrows.dot", "digraph { a [start=true]; a -> b }");
    let (code, out, error) = grundy(&["analyze", &arrows], "");
    assert!(code == 0 && out.contains(" wins") && out.contains("graph:file="), "{out}{error}");
    // Every command takes it as a game.
    let (code, out, error) = grundy(&["games", &arrows], "");
    assert!(code == 0 && out.contains("  full name     graph:file="), "{out}{error}");
    assert_eq!(grundy(&["--game", &arrows], "query p1turn\n").1, "response true\n");
    for (args, why) in [
        (&["analyze", &two][..], "two.pgn has 2 games: expected one; grundy review "),
        (&["analyze", &moves], "do not say which game they are of: write the game before the file"),
        (&["play", "none.rbg"], "there is no file none.rbg: expected a file for rules"),
        (&["none.rbg"], "there is no file none.rbg: expected a file for rules"),
    ] {
        let (code, out, error) = grundy(args, "");
        assert_eq!((code, out.as_str(), error.lines().count()), (2, "", 1), "{args:?}: {error}");
        assert!(error.contains(why), "{args:?}: {error}");
    }
}

#[test]
fn sections_behind_blanks_name_one_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let tables = folder.path().to_str().expect("UTF-8");
    assert_eq!(grundy(&["solve", "mnk:3,2,2", "--tables", tables], "").0, 0);
    let (code, out, error) = grundy(&["tables", "verify", "mnk", "3,2,2", "--tables", tables], "");
    assert!(code == 0 && out.contains(".grundy: proved"), "{out}{error}");
    let (code, _, error) = grundy(&["tables", "convert", "mnk:3,2,2", "tictactoe", "--tables", tables], "");
    assert!(code == 2 && error.contains("expected one game or file"), "{error}");
}

#[test]
fn tables_are_listed_and_counted_as_json() {
    let folder = tempfile::tempdir().expect("a folder");
    let tables = folder.path().to_str().expect("UTF-8");
    assert_eq!(grundy(&["solve", "mnk:3,2,2", "--tables", tables], "").0, 0);
    let json = |command| {
        let (code, out, error) = grundy(&["tables", command, "--json", "--tables", tables], "");
        assert_eq!((code, out.lines().count()), (0, 1), "{out}{error}");
        serde_json::from_str::<serde_json::Value>(&out).expect("JSON")
    };
    let (listed, counted) = (json("list"), json("stats"));
    for object in [&listed, &counted] {
        assert_eq!(object["game"], "mnk:3,2,2");
        assert!(object["file"].as_str().is_some_and(|file| file.ends_with(".grundy")), "{object}");
    }
    assert_eq!((&listed["form"], &listed["method"]), (&"packed".into(), &"layers".into()), "{listed}");
    let number = |value: &serde_json::Value| value.as_u64().expect("a number");
    let sum = |list: &serde_json::Value, names: &[&str]| -> u64 {
        let rows = list.as_array().expect("a list");
        rows.iter().map(|row| names.iter().map(|name| number(&row[*name])).sum::<u64>()).sum()
    };
    let positions = number(&counted["positions"]);
    assert_eq!(number(&listed["values"]), positions + number(&counted["unused_indices"]));
    assert_eq!(sum(&counted["players"], &["win", "draw", "loss"]), positions);
    assert_eq!(sum(&counted["values"], &["count"]), positions);
    assert!(counted["longest_wins"][0]["plies"].is_u64(), "{counted}");
    let bad = folder.path().join("bad.grundy");
    std::fs::write(bad, "no table").expect("written");
    let (code, out, _) = grundy(&["tables", "list", "--json", "--tables", tables], "");
    let refused = out.lines().find(|line| line.starts_with("{\"error\":"));
    assert!(code == 1 && refused.is_some_and(|line| line.contains("bad.grundy")), "{out}");
}

#[test]
fn a_rules_file_names_its_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let (tables, rules) = (folder.path().to_str().expect("UTF-8"), "rules/tictactoe.rbg");
    assert_eq!(grundy(&["solve", rules, "--tables", tables], "").0, 0);
    for command in ["verify", "stats", "convert"] {
        let (code, out, error) = grundy(&["tables", command, rules, "--tables", tables], "");
        assert_eq!(code, 0, "{command}: {out} {error}");
    }
}

#[test]
fn a_rules_file_without_errors_is_called_so_first() {
    let (code, out, _) = grundy(&["check-rules", "tictactoe"], "");
    assert!(code == 0 && out.starts_with("tictactoe: no errors\nplayers "), "{out}");
    let (code, out, _) = grundy(&["check-rules", "rules:tictactoe", "--source"], "");
    assert!(code == 0 && out == std::fs::read_to_string("rules/tictactoe.rbg").expect("read"), "{out}");
}

#[test]
fn an_option_that_the_method_does_not_have_is_refused() {
    for (args, place) in [
        (&["--keep", "file"][..], "--keep would do nothing here: it is for --by search"),
        (&["--by", "search", "--certificate", "file"], "--certificate would do nothing here"),
        (&["--by", "search", "--estimate"], "--estimate would do nothing here: it is for solve without --by"),
        (&["--by", "queue", "--check"], "--check would do nothing here"),
        (&["--depth", "2"], "--depth would do nothing here: it is for --by naive"),
        (&["--loony"], "--loony would do nothing here: it is for dots without a penalty, not for nim:1,2"),
        (
            &["--certificate", "file"],
            "no certificate of nim:1,2: expected a game without points that is searched",
        ),
    ] {
        let (code, out, error) = grundy(&[&["solve", "nim:1,2"], args].concat(), "");
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}: {error}");
        assert!(error.contains(place), "{args:?}: {error}");
    }
}

#[test]
fn a_method_that_cycles_stop_names_those_that_end() {
    let (code, _, error) = grundy(&["solve", "police", "--by", "naive"], "");
    let expected = "expected --by sweeps or queue, or --depth N with naive, memo or search";
    assert!(code == 1 && error.contains(expected), "{error}");
}

#[test]
fn an_option_before_a_subcommand_that_would_not_hear_it_is_refused() {
    for args in [
        &["--tables", "t", "solve", "tictactoe"][..],
        &["--threads", "2", "tables", "list"],
        &["--weaken", "3", "games"],
    ] {
        let (code, out, error) = grundy(args, "");
        assert_eq!((code, out.as_str()), (2, ""));
        let expected = format!("{} before {} would do nothing", args[0], args[2]);
        assert!(error.contains(&expected), "{error}");
    }
}

#[test]
fn analyze_answers_a_line_each_in_order() {
    let (_, out, _) = grundy(&["analyze", "--game", "nim:3,5,7"], "startpos\n1,1\nbad\n0,0 2\n4,4,1 1\n");
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 5);
    assert_eq!(lines[0], "3,5,7 1\twin\t1:1 2:1 3:1\t1:1 2:1 3:1");
    assert_eq!(lines[1], "1,1 1\tloss\t1:1 2:1\t1:1 2:1");
    assert!(lines[2].starts_with("error "));
    assert_eq!(lines[3], "0,0 2\tloss:0\t-\t-");
    assert_eq!(lines[4], "4,4,1 1\twin\t3:1\t3:1");
}

#[test]
fn analyze_json_holds_one_object_a_line() {
    let (_, out, _) = grundy(&["analyze", "--json", "--game", "nim"], "1,2 1\nbad\n2,2 2\n");
    let lines: Vec<serde_json::Value> = out.lines().map(|l| serde_json::from_str(l).expect("JSON")).collect();
    assert_eq!(lines[0]["position"], "1,2 1");
    assert_eq!(lines[0]["value"], "win");
    assert_eq!(lines[0]["result"], "win");
    assert_eq!(lines[0]["grundy"], 3);
    assert_eq!(lines[0]["moves"][0]["move"], "2:1");
    assert!(lines[1]["error"].is_string());
    assert_eq!(lines[2]["grundy"], 0);
}

#[test]
fn solve_json_is_one_object_whether_solved_or_not() {
    let solved = |args: &[&str]| {
        let (code, out, error) = grundy(&[&["solve", "--json"], args].concat(), "");
        assert_eq!((out.lines().count(), error.as_str()), (1, ""), "{out}");
        (code, serde_json::from_str::<serde_json::Value>(&out).expect("JSON"))
    };
    let (code, nim) = solved(&["nim:1,2"]);
    assert_eq!((code, &nim["value"], &nim["moves"][0]["move"]), (0, &"win".into(), &"2:1".into()));
    assert_eq!((&nim["game"], &nim["position"]), (&"nim:1,2".into(), &"1,2 1".into()));
    let (code, open) = solved(&["othello:8x8", "--seconds", "0.2", "--hash", "1"]);
    assert_eq!((code, &open["value"], &open["solved_by"]), (0, &"?".into(), &serde_json::Value::Null)); // no answer to a notification
    assert!(open["next"].as_str().is_some_and(|next| !next.is_empty()), "{open}");
}

#[test]
fn a_game_is_played_behind_options_of_the_engine() {
    let (code, out, _) = grundy(&["--weaken", "30", "--seed=3", "tictactoe"], "");
    assert!(code == 0 && out.starts_with("Tic-tac-toe"), "{out}");
    let (code, _, error) = grundy(&["--wekaen", "30", "tictactoe"], "");
    assert!(code == 2 && error.contains("--wekaen"), "{error}");
}

#[test]
fn lists_that_the_time_has_cut_short_say_so() {
    let position = "XOXO/OXOX/XOXO/OXOX 1\n";
    let (_, out, _) = grundy(&["analyze", "--game", "rules:clobber", "--movetime", "60"], position);
    let fields: Vec<&str> = out.trim_end().split('\t').collect();
    assert!(fields[2].ends_with("..") && fields[3].ends_with(".."), "{out}");
    let (_, out, _) = grundy(&["analyze", "--game", "rules:clobber", "--movetime", "60", "--json"], position);
    let answer: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(answer["complete"], false);
    assert!(answer["moves"].as_array().expect("a list").iter().any(|m| m["value"] == "?"), "{out}");
    let (_, out, _) = grundy(&["analyze", "--game", "tictactoe", "--json"], "startpos\n");
    assert!(out.contains("\"complete\":true"), "{out}");
}

#[test]
fn a_malformed_limit_is_named_and_starts_no_other_search() {
    let began = std::time::Instant::now();
    let (_, out, _) =
        grundy(&["--game", "chess"], "uci\ngo movetime 100.5\ngo depth x\ngo wtime 1.5 btime 60000\n");
    assert_eq!(
        out.lines().filter(|line| line.starts_with("info string error bad number behind ")).count(),
        3
    );
    assert_eq!(out.lines().filter(|line| line.starts_with("bestmove ")).count(), 3, "{out}");
    assert!(began.elapsed() < std::time::Duration::from_secs(12));
}

#[test]
fn no_won_position_is_repeated_for_the_third_time() {
    let police = "position fen ...../.*.*./...../E.... b4 e2 2 moves e3 a4 e2 b4 e3 a4 e2\ngo\n";
    let (_, out, _) = grundy(&["--game", "police:C..../.*.*./....T/E....:repeat=3"], police);
    let best = out.lines().find_map(|line| line.strip_prefix("bestmove ")).expect("a move");
    assert!(["a4", "a3"].contains(&best), "{out}");
}

#[test]
fn a_long_list_of_moves_is_cut_and_keeps_the_best() {
    let (_, out, _) = grundy(&["analyze", "--json", "--game", "nim"], "1000000,1000001,5 1\n");
    let answer: serde_json::Value = serde_json::from_str(out.trim_end()).expect("JSON");
    assert_eq!(answer["truncated"], true);
    assert_eq!(answer["moves"].as_array().map(Vec::len), Some(10_000));
    assert_eq!(answer["moves"][0]["value"], "win");
}

#[test]
fn a_hundred_thousand_positions_stream_through() {
    let (code, out, _) = grundy(&["analyze", "--game", "nim"], &"1,2,3 1\n".repeat(100_000));
    assert_eq!((code, out.lines().count()), (0, 100_000));
}

#[test]
fn perft_of_tictactoe_is_the_published_one() {
    let (_, out, _) = grundy(&["perft", "tictactoe", "9"], "");
    let counts: Vec<&str> = out.lines().filter_map(|l| l.split(' ').nth(3)).collect();
    assert_eq!(counts, ["9", "72", "504", "3024", "15120", "54720", "148176", "200448", "127872"]);
}

#[test]
fn a_person_can_play_through_a_pipe() {
    let (code, out, _) =
        grundy(&["play", "nim:1,2"], "me\nnonsense\nmoves\nhint\nvalue\n2:1\nundo\nboard\n2:1\nquit\n");
    assert_eq!(code, 0);
    assert!(out.contains("not a legal move"), "{out}");
    assert!(out.contains("legal: 1:1 2:1 2:2"), "{out}");
    assert!(out.contains("hint: 2:1"), "{out}");
    assert!(out.contains("engine plays"), "{out}");
}

#[test]
fn a_closed_output_is_a_quiet_end() {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_grundy"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the engine runs");
    drop(child.stdout.take());
    let mut input = child.stdin.take().expect("piped");
    // The engine may be gone already: then this write fails, which is as well.
    let _ = input.write_all(b"ugi\nisready\nugi\n");
    drop(input);
    let out = child.wait_with_output().expect("it ends");
    assert_eq!(out.status.code(), Some(0));
    assert!(!String::from_utf8_lossy(&out.stderr).contains("panicked"));
}

#[test]
fn bench_gives_the_same_signature_twice() {
    let signature = || {
        let (code, out, _) = grundy(&["bench"], "");
        assert_eq!(code, 0);
        let last = out.lines().last().expect("a line").to_owned();
        last.rsplit_once(',').expect("the speed stands last").0.to_owned()
    };
    assert_eq!(signature(), signature());
}

#[test]
fn the_list_of_games_fits_a_terminal() {
    let (code, out, _) = grundy(&["games"], "");
    assert_eq!(code, 0);
    for line in out.lines() {
        assert!(line.chars().count() <= 80 && !line.ends_with(".."), "{line}");
    }
    for row in grundy::catalog::CATALOG.rows() {
        let begins = format!("  {} ", row.name);
        assert_eq!(out.lines().filter(|line| line.starts_with(&begins)).count(), 1, "{}", row.name);
    }
}

#[test]
fn an_entry_of_the_atlas_names_the_command_that_solves_it() {
    for (entry, command) in [
        ("amazons-4x5", "solved by  grundy solve amazons:4x5 --by search\n"),
        ("amazons-5x5", "solved by  grundy solve amazons:5x5 --by search --distance first\n"),
    ] {
        let (code, out, error) = grundy(&["atlas", entry], "");
        assert_eq!((code, error.as_str()), (0, ""));
        assert!(out.contains(command), "{out}");
    }
}

#[test]
fn every_game_is_shown_in_full() {
    for row in grundy::catalog::CATALOG.rows() {
        let (code, out, error) = grundy(&["games", row.name], "");
        assert_eq!((code, error.as_str()), (0, ""), "{}", row.name);
        for line in out.lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
        for label in ["what it is ", "position ", "moves ", "solved by "] {
            assert!(out.contains(&format!("  {label}")), "{}: no {label}\n{out}", row.name);
        }
        // Moves that are no cells are explained.
        let moves = out.split("\n  moves ").nth(1).and_then(|rest| rest.split_whitespace().next());
        let is_cell = |word: &str| word.len() <= 2 && word.starts_with(|c: char| c.is_ascii_lowercase());
        assert!(moves.is_some_and(is_cell) || !row.moves.is_empty() || row.name == "rules", "{out}");
        assert!(row.moves.len() <= 130, "{}: more than two lines", row.name);
        // Each section that the name takes is explained.
        for section in row.details {
            assert!(
                out.contains(&format!("  {} ", section.section)),
                "{}: {}\n{out}",
                row.name,
                section.section
            );
        }
    }
    assert_eq!(grundy(&["games", "nope"], "").0, 2);
}

#[test]
fn a_misspelt_game_gets_the_closest_name() {
    for (typed, meant) in [
        ("tictacto", "tictactoe"),
        ("conect4", "connect4"),
        ("Othelo:6x6", "othello"),
        ("dot", "dots"),
        ("gomku", "mnk:15,15,5"),
        ("cfour", "connect4:7x6"),
        ("connect-for", "connect4"),
        ("kayels", "heaps:kayles"),
        ("konan", "konane"),
        ("rules:tictacto", "rules:tictactoe"),
    ] {
        for args in [&["--game", typed][..], &["play", typed], &["solve", typed], &["games", typed]] {
            let (code, _, error) = grundy(args, "");
            assert_eq!(code, 2);
            assert!(error.contains(&format!("did you mean {meant}?")), "{args:?}: {error}");
        }
    }
    let unlike = grundy(&["--game", "xyzzy"], "").2;
    assert!(!unlike.contains("did you mean") && unlike.len() < 80, "{unlike}");
    let variant = grundy(&[], "uci\nsetoption name UCI_Variant value gomku\n").1;
    assert!(
        variant.ends_with("info string error unknown variant \"gomku\": did you mean gomoku?\n"),
        "{variant}"
    );
}

#[test]
fn a_common_name_opens_its_game() {
    for (typed, name) in [
        ("ttt", "tictactoe"),
        ("Tic-Tac-Toe", "tictactoe"),
        ("c4", "connect4"),
        ("connect-four:5x4", "connect4:5x4"),
        ("connect four 5 4", "connect4:5x4"),
        ("9mm", "morris:9"),
        ("Gomoku", "mnk:15,15,5"),
        ("oware:10", "awari:10"),
        ("mancala", "kalah"),
        ("reversi", "othello"),
        ("ko-na-ne", "konane"),
        ("kayles:3,5", "heaps:kayles:3,5"),
        ("Chess960", "chess:960"),
        ("domineering:3X4", "domineering:3X4"),
    ] {
        assert_eq!(grundy::catalog::CATALOG.full_name(typed), name);
        assert_eq!(grundy(&["--game", typed], "query p1turn\n").1, "response true\n", "{typed}");
    }
}

#[test]
fn the_games_of_rules_files_are_listed_with_what_they_are() {
    let (code, out, _) = grundy(&["games", "rules"], "");
    assert_eq!(code, 0);
    let all = grundy(&["games"], "").1;
    let members = grundy::catalog::CATALOG.row("rules").expect("a row").members();
    assert!(members.len() > 60, "{members:?}");
    for (name, about) in members {
        assert!(!about.is_empty() && out.contains(&format!("\n  {name} ")), "{name}: {about}\n{out}");
        assert!(all.contains(name.strip_prefix("rules:").expect("its family")), "{name}\n{all}");
    }
    assert!(grundy(&["games", "konane"], "").1.contains("  what it is    jump over "));
    let plain = grundy(&["games", "silver-dollar:plain"], "").1;
    assert!(plain.contains("who cannot move loses\n") && !plain.contains("to win"), "{plain}");
}

#[test]
fn play_explains_the_game_shows_values_changes_sides_and_keeps_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (code, out, _) = grundy(
        &["play", "tictactoe", "--level", "3"],
        &format!(
            "me\nB2\nv\nlevel 9\nlevel perfect\nrules\nsave {0}\nsave {0}\nsave {1}\nswap\nq\n",
            file("g"),
            file("g.pgn")
        ),
    );
    assert_eq!(code, 0);
    assert!(out.starts_with("Tic-tac-toe (tictactoe)\nTake turns to put your mark"), "{out}");
    assert!(out.contains("you are player 1, X; the engine plays at level 3\n"), "{out}");
    assert!(out.contains("values: ") && out.contains("= a draw"), "{out}");
    assert!(out.contains("level \"9\": expected 1 to 8, or perfect\n"), "{out}");
    assert!(out.contains("you are player 2, O\n"), "{out}");
    assert!(out.matches("g.grundy\n").count() == 2 && out.contains("PGN is for chess"), "{out}");
    let script = format!("me\nload {}\nb2\nundo\nb2\nq\n", file("g.grundy"));
    let (_, out, _) = grundy(&["play", "nim:1,2"], &script);
    assert!(out.contains("loaded: Tic-tac-toe\n") && out.contains("engine plays"), "{out}");
    assert_eq!(out.matches("\"b2\" is not a legal move").count(), 1, "until it is taken back: {out}");
    let (_, out, _) = grundy(
        &["play", "chess", "--movetime", "20", "--position", "6k1/5ppp/8/8/8/8/8/K3Q3 w - - 0 1"],
        &format!("me\ne1e8\nsave {}\nq\n", file("mate.pgn")),
    );
    assert!(out.contains("You win."), "{out}");
    let pgn = std::fs::read_to_string(file("mate.pgn")).expect("a PGN");
    assert!(pgn.contains("[FEN \"6k1/") && pgn.ends_with("\n\n1. Qe8# 1-0\n"), "{pgn}");
    let (_, out, _) = grundy(&["play", "chess", "--movetime", "20"], "me\nv\nq\n");
    assert!(out.contains("values: 20 moves, none of a known value; a proof of the start"), "{out}");
}

#[test]
fn who_starts_is_asked_until_it_is_said() {
    let (code, out, _) = grundy(&["play", "tictactoe"], "perhaps\n\nme\nquit\n");
    assert_eq!(code, 0);
    assert_eq!(out.matches("Please say me or engine").count(), 2, "{out}");
    assert!(out.contains("X is player one") && out.contains("you are player 1"), "{out}");
    assert!(out.contains("\"perhaps\": expected me or engine, or a move such as a3\n"), "{out}");
    assert!(!out.contains("is not a legal move"), "{out}");
    let (_, out, _) = grundy(&["play", "tictactoe"], "engine\nquit\n");
    assert!(out.contains("you are player 2") && out.contains("engine plays"), "{out}");
}

#[test]
fn the_words_of_a_move_are_explained_before_the_first_and_after_a_wrong_one() {
    let (_, out, _) = grundy(&["play", "nim", "--first", "me"], "3\nv\nquit\n");
    assert!(out.contains("\n+ you win, - you lose\n"), "{out}");
    assert!(out.contains("\na move: 2:4 takes 4 counters from heap 2\n"), "{out}");
    let refused = out.split("\"3\" is not a legal move").nth(1).expect("a refusal");
    assert!(refused.replace("\n  ", " ").contains("a move: 2:4 takes 4 counters"), "{out}");
    let kayles = grundy(&["games", "kayles"], "").1;
    assert!(kayles.contains("\n  a move        1:2 takes 2 from heap 1, "), "{kayles}");
    assert!(kayles.contains("only in misere"), "{kayles}");
}

#[test]
fn a_rate_is_left_out_where_it_means_nothing() {
    let (_, out, _) = grundy(&["perft", "tictactoe", "2"], "");
    assert_eq!(out, "perft 1 = 9\nperft 2 = 72\n");
}

#[test]
fn gomoku_is_played_on_fifteen_rows() {
    let script = "uci\nsetoption name UCI_Variant value gomoku\nposition startpos moves h8 h9\nquery fen\n\
                  position startpos moves h8 a1 h9 a2 h10 a3 h11 a4\ngo movetime 300\n";
    let (code, out, _) = grundy(&[], script);
    assert_eq!(code, 0);
    assert!(out.contains("var gomoku"), "{out}");
    assert!(out.contains("response .............../"), "{out}");
    assert!(out.contains(" string value win:1\nbestmove h"), "UCI has no word `value`: {out}");
    let (_, out, _) = grundy(&["--game", "mnk:15,15,5"], "go nodes 1\n");
    assert!(out.ends_with("bestmove h8\n"), "a search without time starts in the middle: {out}");
    assert_eq!(grundy(&["--game", "mnk:20,20,6"], "query p1turn\n").1, "response true\n");
    assert_eq!(grundy(&["--game", "mnk:21,20,5"], "").0, 2);
}

#[test]
fn a_name_takes_numbers_by_blanks() {
    let (_, out, _) = grundy(
        &["--game", "row:4 7  2 9"],
        "query fen\nposition fen 4 7 2 9\nquery fen\n\
        position fen 4 7 2 9 3-1 2\nquery fen\nnew game nim:3, 5 7\nquery fen\n",
    );
    let fens = ["4,7,2,9 0-0 1", "4,7,2,9 0-0 1", "4,7,2,9 3-1 2", "3,5,7 1"];
    assert_eq!(out, fens.map(|fen| format!("response {fen}\n")).concat());
}

#[test]
fn a_weakened_opponent_can_be_played_and_its_moves_follow_the_seed() {
    let play = |seed: &str, weaken: &str| {
        let args = ["--seed", seed, "play", "nim:9,9", "--first", "engine", "--weaken", weaken];
        let (code, out, _) = grundy(&args, "quit\n");
        assert_eq!(code, 0);
        out.lines().find(|line| line.starts_with("engine plays ")).expect("it moves").to_owned()
    };
    let moves: std::collections::HashSet<String> =
        ["1", "2", "3", "4", "5"].iter().map(|seed| play(seed, "100")).collect();
    assert!(moves.len() > 1, "{moves:?}");
    assert_eq!(play("3", "100"), play("3", "100"));
    let (code, _, error) = grundy(&["play", "nim", "--weaken", "101"], "");
    assert_eq!((code, error.contains("0..=100")), (2, true), "{error}");
}

#[test]
fn the_log_tells_decisions_and_traffic_on_stderr_alone() {
    let run = |level: &str| {
        let args = ["--log", level, "--game", "tictactoe"];
        grundy(&args, "position startpos moves b2\ngo\nquery index\n")
    };
    let (_, plain, nothing) = run("warn");
    let (_, out, debug) = run("debug");
    assert_eq!((plain.lines().count(), nothing.as_str()), (out.lines().count(), ""));
    for decision in ["opens tictactoe", "answers from the known value draw", "bestmove a"] {
        assert!(debug.contains(decision), "{decision}: {debug}");
    }
    assert!(!debug.contains("< go"), "{debug}");
    let (_, _, trace) = run("trace");
    assert!(trace.contains("< go") && trace.contains("> bestmove "), "{trace}");
}

#[test]
fn what_a_game_says_of_itself_is_what_it_plays() {
    let games = |name: &str| grundy(&["games", name], "").1;
    let othello = games("othello");
    assert!(othello.contains("the winner gets the empty cells") && !othello.contains("only who wins"));
    // 4x4 is lost by 8 discs; with the cells that stay empty it would be more.
    let value = |game: &str| {
        let (_, out, _) = grundy(&["analyze", "--game", game], "XXXX/XXXX/XXX./OOOX 2\n");
        out.split('\t').nth(1).expect("a value").to_owned()
    };
    assert_eq!((value("othello:4x4"), value("othello:4x4:score=win")), ("-9".into(), "-10".into()));
    let lgame = games("lgame");
    assert!(lgame.contains("index relative") && lgame.contains("294,912"), "{lgame}");
    let dots = games("dots").replace("\n                ", " ");
    assert!(dots.contains("in D. Wilson's analysis v is player one and ^ player two"), "{dots}");
}

#[test]
fn payoffs_are_decimals_where_the_input_had_them() {
    let (_, out, _) = grundy(&["equilibrium"], "0.5,-0.5/-0.25,0.75\n");
    assert_eq!(out, "value\t0.125\nrow\t1/2\t1/2\ncolumn\t5/8\t3/8\nsaddle\tnone\n");
    let (_, out, _) = grundy(&["equilibrium"], "1/2,-1/2;-1/4,3/4\n");
    assert!(out.starts_with("value\t1/8\n"), "{out}");
    // A fraction without a finite decimal form stays a fraction.
    let (_, out, _) = grundy(&["equilibrium"], "1.0,0/0,2\n");
    assert!(out.starts_with("value\t2/3\n"), "{out}");
}

#[test]
fn players_and_strategies_have_the_names_that_a_file_gives_them() {
    let two = "NFG 1 R \"\" { \"Ann\" \"Bob\" } { { \"stay\" \"go\" } { \"left\" \"\" } }\n3 3 5 0 0 5 1 1\n";
    let (_, out, _) = grundy(&["equilibrium"], two);
    assert_eq!(
        out,
        "equilibrium\trow\t0\t1\tcolumn\t0\t1\tpayoffs\t1\t1\n\
         player\t1\tAnn\tstay\t0\tgo\t1\nplayer\t2\tBob\tleft\t0\t2\t1\n"
    );
    let (_, out, _) = grundy(&["equilibrium", "--json"], two);
    let found: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(found["players"], serde_json::json!(["Ann", "Bob"]));
    assert_eq!(found["strategies"], serde_json::json!([["stay", "go"], ["left", ""]]));
    assert_eq!(found["equilibria"][0]["row"], serde_json::json!(["0", "1"]));
    let counted = two.replace("{ { \"stay\" \"go\" } { \"left\" \"\" } }", "{ 2 2 }");
    let (_, out, _) = grundy(&["equilibrium"], &counted);
    assert!(out.starts_with("players\tAnn\tBob\nequilibrium\t") && out.lines().count() == 2, "{out}");
    let three = "NFG 1 R \"\" { \"A\" \"B\" \"C\" } { { \"x\" } { \"y\" } { \"z\" } } 1 2 3";
    let (_, out, _) = grundy(&["equilibrium"], three);
    assert!(out.ends_with("player\t1\tA\tx\t1\nplayer\t2\tB\ty\t1\nplayer\t3\tC\tz\t1\n"), "{out}");
}

#[test]
fn equilibria_that_are_not_listed_are_hinted_at() {
    let said = |args: &[&str]| grundy(&[&["equilibrium", "--example"][..], args].concat(), "").2;
    assert_eq!(said(&["chicken"]), "2 of 3 extreme equilibria are listed: --all lists all of them\n");
    for args in [&["chicken", "--all"][..], &["chicken", "--json"], &["prisoners-dilemma"]] {
        assert_eq!(said(args), "", "{args:?}");
    }
}

#[test]
fn only_trees_are_written_as_trees() {
    for (input, what) in
        [("1 2\n3 4\n", "a matrix game of 2 x 2"), ("3,3 0,5 / 5,0 1,1\n", "a bimatrix game of 2 x 2")]
    {
        let (code, out, error) = grundy(&["equilibrium", "--efg"], input);
        assert_eq!((code, out.as_str(), error.lines().count()), (2, "", 1), "{error}");
        assert!(error.contains(what) && error.contains("expected an .efg file"), "{error}");
    }
}

#[test]
fn a_game_of_three_players_has_its_pure_equilibria_and_dominated_strategies() {
    // The prisoner's dilemma of three: 2 for each other one who is silent, and 1 more for talking.
    let game = "NFG 1 R \"dilemma\" { \"A\" \"B\" \"C\" } { 2 2 2 }\n\
        4 4 4  5 2 2  2 5 2  3 3 0  2 2 5  3 0 3  0 3 3  1 1 1\n";
    let (code, out, _) = grundy(&["equilibrium", "--analysis"], game);
    let rows: Vec<&str> = out.lines().collect();
    assert_eq!(code, 0);
    assert_eq!(
        rows[..2],
        ["players\tA\tB\tC", "equilibrium\tstrategies\t2\t2\t2\tpayoffs\t1\t1\t1"],
        "{out}"
    );
    for (player, row) in (1..=3).zip(&rows[2..]) {
        assert_eq!(*row, format!("dominated-{player}\t1\tstrictly\t0\t1"), "{out}");
    }
    for refused in ["--all", "--certificate"] {
        let more = if refused == "--certificate" { vec![refused, "/dev/null"] } else { vec![refused] };
        let (code, out, error) = grundy(&[&["equilibrium"], &more[..]].concat(), game);
        assert_eq!((code, out.as_str(), error.lines().count()), (2, "", 1), "{error}");
        assert!(error.contains("expected"), "{error}");
    }
}

#[test]
fn analysis_names_the_source_of_what_was_proved_earlier() {
    let (code, text, _) =
        grundy(&["analyze", "--game", "dots:4x4", "--movetime", "1", "--json"], "startpos\n");
    let found: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((code, &found["value"], &found["result"]), (0, &"+0".into(), &"draw".into()));
    let source = found["source"].as_str().expect("a source");
    assert!(source.starts_with("grundy solve dots:4x4 --by search, November 2026, "), "{source}");
    assert!(found["moves"].as_array().is_some_and(|moves| moves.iter().all(|m| m["value"] != "?")), "{text}");
    let (_, text, _) = grundy(&["analyze", "--game", "dots:4x4", "--movetime", "1"], "startpos\n");
    assert!(
        text.trim_end().split('\t').nth(4).is_some_and(|known| known == format!("known by {source}")),
        "{text}"
    );
    // What a search finds at once is proved, not known.
    let (_, text, _) = grundy(&["analyze", "--game", "othello:4x4", "--json"], "startpos\n");
    let found: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(
        (&found["value"], found.get("source"), &found["complete"]),
        (&"-8".into(), None, &true.into())
    );
    let told = grundy(&["games", "dots:4x4"], "").1;
    let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("proved by grundy solve dots:4x4 --by search"), "{told}");
}

#[test]
fn a_game_is_reviewed_from_its_end_backwards() {
    let (code, out, error) = grundy(&["review", "--game", "tictactoe", "B2", "a2", "a1", "c3", "c1"], "");
    assert_eq!((code, error.as_str()), (1, ""), "{out}");
    let headline = "first slip: move 2, a2, O threw away the draw: draw -> loss in 6;";
    assert!(out.replace("\n  ", " ").contains(headline), "{out}");
    assert!(
        out.contains("kept by") && out.contains("a3 c3 a1 c1") && out.contains("5 of 5 moves proved"),
        "{out}"
    );
    assert!(out.lines().all(|line| line.chars().count() <= 80), "{out}");
    let (code, out, _) = grundy(&["review", "--game", "connect4:4x4", "--json", "-"], "1212131\n");
    let found: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(
        (code, &found["first_slip"], &found["moves"][5]["move"]),
        (1, &6.into(), &"c".into()),
        "{out}"
    );
    assert_eq!(
        (&found["moves"][5]["slip"]["kept_by"], &found["moves"][6]["after"]),
        (&["a"].into(), &"win:1".into())
    );
    assert_eq!(found["moves"][5]["slip"]["best"], serde_json::json!(["a"]), "{out}");
    assert_eq!((&found["result"], &found["not_proved"]), (&"1-0".into(), &serde_json::json!([])), "{out}");
    // A search finds one of the best moves.
    let hex = ["review", "hex:4", "a1", "b2", "a2", "c2", "d1", "b3", "--seconds", "30"];
    let (_, out, _) = grundy(&[&hex[..], &["--json"]].concat(), "");
    let found: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    for ply in [4, 5, 6] {
        let slip = &found["moves"][ply - 1]["slip"];
        assert_eq!(slip["best"].as_array().map(Vec::len), Some(1), "ply {ply}: {out}");
    }
    let (_, out, _) = grundy(&hex, "");
    let words: Vec<&str> = out.split_whitespace().collect();
    assert!(words.join(" ").contains("sooner than need be; best "), "{out}");
    let (code, out, _) = grundy(&["review", "nim:1,2", "2:1 1:1 2:1"], "");
    assert!(code == 0 && out.contains("no slip: every move kept the value of its position"), "{out}");
}

#[test]
fn a_review_reads_what_people_bring() {
    let stalemate =
        "[FEN \"k7/8/2K5/8/8/8/8/1Q6 w - - 0 1\"]\n[White \"A\"]\n[Black \"B\"]\n\n1. \u{2655}b6 1/2-1/2\n";
    let (code, out, error) = grundy(&["review", "-", "--seconds", "20"], stalemate);
    assert_eq!((code, error.as_str()), (1, ""), "{out}");
    assert!(
        out.replace("\n  ", " ").contains("first slip: move 1, Qb6, A threw away the win: win in 1 -> draw;"),
        "{out}"
    );
    assert!(out.contains("Qb7#"), "in the notation of people: {out}");
    let (code, page, _) = grundy(&["review", "-", "--seconds", "20", "--html"], stalemate);
    assert!(code == 1 && page.starts_with("<!DOCTYPE html>") && page.contains("<td>Qb6</td>"), "{page}");
    // A position and the moves from it, as `grundy analyze` reads them.
    let rook = "7k/8/8/8/8/8/8/K6R b - - 0 1";
    for args in [&["review", rook, "Kg7", "--seconds", "20"][..], &["review", "chess", rook, "h8g7"]] {
        let (code, out, error) = grundy(args, "");
        assert!(code <= 1 && out.contains(" 1 move, not finished"), "{args:?}: {out}{error}");
    }
    for (args, why) in [
        (&["review", rook, "Kg6"][..], "move 1: \"Kg6\" is not legal"),
        (&["review", "b2", "a1"], "name the game"),
        (&["review", "--game", "tictactoe", "b2 b2"], "move 2: \"b2\" is not legal"),
        (&["review", "/no/such/file.pgn"], "/no/such/file.pgn"),
        (&["review", "1. e4 e5 2. Ke3"], "move 3: \"Ke3\" is not legal"),
    ] {
        let (code, out, error) = grundy(args, "");
        assert_eq!((code, out.as_str(), error.lines().count()), (2, "", 1), "{args:?}: {error}");
        assert!(error.contains(why), "{args:?}: {error}");
    }
    for args in [
        ["review", "44", "--seconds", "0"],
        ["solve", "tictactoe", "--seconds", "nan"],
        ["analyze", "tictactoe", "--seconds", "1e10"],
        ["tree", "tictactoe", "--seconds", "inf"],
        ["learn", "hex:5", "--minutes", "0"],
        ["learn", "hex:5", "--seconds", "0"],
    ] {
        let (code, out, error) = grundy(&args, "");
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}");
        assert!(error.contains("expected a number above 0"), "{args:?}: {error}");
    }
}

#[test]
fn positions_and_moves_are_read_as_other_programs_write_them() {
    let board = "---------------------------OX------XO---------------------------";
    let letters = format!("position fen {board} X;");
    for (game, theirs, ours) in [
        ("connect4", "position startpos moves 44444432", "position startpos moves d d d d d d c b"),
        ("othello", "position startpos moves F5D6C3", "position startpos moves f5 d6 c3"),
        ("othello", letters.as_str(), "position startpos"),
        ("tictactoe", "position startpos moves B2 a1C3", "position startpos moves b2 a1 c3"),
        (
            "chess",
            "position startpos moves \u{2658}f3 e7\u{2013}e5 E4",
            "position startpos moves g1f3 e7e5 e2e4",
        ),
    ] {
        let fen = |line: &str| grundy(&["--game", game], &format!("{line}\nquery fen\n")).1;
        assert_eq!(fen(theirs), fen(ours), "{theirs}");
        assert!(fen(ours).contains("response ") && !fen(ours).contains("error"), "{}", fen(ours));
    }
    // A word that can be split in two ways is no list of moves, and one move is asked for as one.
    let (_, out, _) =
        grundy(&["--game", "connect4"], "position startpos\nmove 44\nposition startpos moves 48\n");
    assert_eq!(out.matches("illegal move").count(), 2, "{out}");
}

/// Returns what `grundy solve` prints, with tables in a new folder.
fn solved(args: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let tables = folder.path().to_str().expect("UTF-8");
    let (code, out, error) = grundy(&[&["solve", "--quiet", "--tables", tables], args].concat(), "");
    assert_eq!(code, 0, "{args:?}: {error}");
    out
}

#[test]
fn solve_says_first_who_wins() {
    for (game, answer) in [
        ("nim:3,5,7", "player one wins nim:3,5,7; only 1:1, 2:1 and 3:1 win"),
        ("tictactoe", "tictactoe is a draw; all 9 first moves keep it"),
        ("row:4,7,2,9", "player one wins row:4,7,2,9 by 10 points; only R keeps it"),
        ("wythoff:3,5", "player two wins wythoff:3,5; every move loses"),
        ("connect4:4x4", "connect4:4x4 is a draw; "),
        ("hexapawn:3x3", "Black wins hexapawn:3x3 in "),
        ("konane", "White wins konane:4x4 in "),
        ("toads-and-frogs:TT..FF", "Toads win toads-and-frogs:TT..FF; "),
        ("rules:mnk", "Cross wins rules:mnk in 7 plies; "),
    ] {
        let out = solved(&[game]);
        assert!(out.starts_with(answer), "{game}: {out}");
        assert!(out.contains("\n  solved by ") && out.contains("\n  cost "), "{game}: {out}");
    }
    // An ending is no position: the one that the answer is about is named, and the longest win of all.
    let out = solved(&["chess:KQvK"]);
    assert!(out.starts_with("White mates in ") && out.contains(" (chess:KQvK); "), "{out}");
    assert!(out.contains("\n  whole table   the longest win takes 19 plies; "), "{out}");
    for (typed, meant) in [("chess:KQkr", "expected chess:KQvKR"), ("KRvK", "did you mean chess:KRvK?")] {
        let (code, _, error) = grundy(&["solve", typed], "");
        assert!(code == 2 && error.contains(meant), "{typed}: {error}");
    }
    // Blanks may separate the sections of a name.
    assert!(solved(&["nim", "3,5,7"]).starts_with("player one wins nim:3,5,7; "));
    assert!(solved(&["nim", "3", "5", "7"]).starts_with("player one wins nim:3,5,7; "));
    assert!(solved(&["nim:3", "5", "7"]).starts_with("player one wins nim:3,5,7; "));
    let position = solved(&["tictactoe", "--position", "XX./OO./... 1"]);
    assert!(position.starts_with("X wins XX./OO./... 1 (tictactoe) in 1 ply; "), "{position}");
}

#[test]
fn what_is_not_solved_in_time_names_the_next_step() {
    let infeasible = "a proof of the start is not feasible here: ";
    for (game, said, step) in [
        ("kalah:6,4", "South wins kalah:6,4 by 10 points; not proved again", "grundy solve kalah:6,4"),
        ("connect4:8x7", "connect4:8x7 is not solved yet", "grundy solve connect4:8x7"),
        ("chess", "chess is not solved yet", infeasible),
        ("chess:960", "chess:960 is not solved yet", infeasible),
        ("mnk:15,15,5", "mnk:15,15,5 is not solved here yet", infeasible),
    ] {
        let out = solved(&[game, "--seconds", "0.1"]);
        assert!(out.starts_with(&format!("{said}: stopped after ")), "{out}");
        let next = out.lines().find(|line| line.starts_with("  next ")).expect("a next step");
        assert!(next.contains(step), "{out}");
    }
    let out = solved(&["mnk:15,15,5", "--seconds", "0.1"]);
    assert!(out.contains("\n  published     a win for the player who begins (L. V. Allis"), "{out}");
    let out = solved(&["teeko:5x4", "--seconds", "0.4", "--threads", "1"]);
    assert!(out.contains("grundy solve teeko:5x4 resumes from the checkpoint"), "{out}");
    // A game without a search of its own has the time once, for all methods together.
    let out = solved(&["cram:7x7", "--seconds", "1"]);
    let taken =
        out.lines().next().and_then(|line| line.strip_prefix("cram:7x7 is not solved yet: stopped after "));
    let taken = taken.and_then(|taken| taken.strip_suffix(" s")?.parse::<f64>().ok());
    assert!(taken.is_some_and(|taken| taken < 1.9), "{out}");
    let json = grundy(&["analyze", "--game", "connect4:8x7", "--json", "--movetime", "50"], "startpos\n").1;
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert!(
        json["next"].as_str().is_some_and(|next| next.contains("; grundy solve connect4:8x7 ")),
        "{json}"
    );
    let known = grundy(&["analyze", "--game", "nim", "--json"], "startpos\n").1;
    assert!(!known.contains("next"), "{known}");
    // Games that the catalog does not have, and their commands.
    let (code, _, error) = grundy(&["solve", "kuhn:3"], "");
    assert!(code == 2 && error.contains("grundy equilibrium --example kuhn"), "{error}");
}

#[test]
fn who_wins_is_proved_alone_where_that_is_asked() {
    let out = solved(&["domineering:6x6", "--distance", "first"]);
    assert!(out.starts_with("Vertical wins domineering:6x6;"), "{out}");
    let out = solved(&["domineering:6x6", "--distance", "first", "--by", "search"]);
    assert!(out.contains("value = win\t") && out.contains("\nproved; "), "{out}");
}

#[test]
fn a_proof_that_is_out_of_reach_is_called_so_before_the_search() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};
    let folder = tempfile::tempdir().expect("a folder");
    let mut child = Command::new(env!("CARGO_BIN_EXE_grundy"))
        .args(["solve", "gomoku", "--tables"])
        .arg(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut first = String::new();
    let read = BufReader::new(child.stderr.take().expect("piped")).read_line(&mut first);
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    assert!(read.is_ok() && first.starts_with("not feasible here: "), "{first}");
}

#[cfg(unix)]
#[test]
fn the_first_ctrl_c_is_acknowledged_and_what_is_known_is_printed() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::{Command, Stdio};
    let folder = tempfile::tempdir().expect("a folder");
    let mut child = Command::new(env!("CARGO_BIN_EXE_grundy"))
        .args(["solve", "kalah:6,4", "--tables"])
        .arg(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the engine runs");
    let mut errors = BufReader::new(child.stderr.take().expect("piped"));
    let mut line = String::new();
    // The result of an earlier proof is told when Ctrl-C is watched already.
    errors.read_line(&mut line).expect("UTF-8");
    assert!(line.starts_with("known: ") && line.contains(" wins kalah:6,4 by 10 points; "), "{line}");
    rustix::process::kill_process(rustix::process::Pid::from_child(&child), rustix::process::Signal::INT)
        .expect("it runs");
    while !line.starts_with("stopping; ") {
        line.clear();
        assert!(errors.read_line(&mut line).expect("UTF-8") > 0, "no acknowledgement");
    }
    let mut out = String::new();
    child.stdout.take().expect("piped").read_to_string(&mut out).expect("UTF-8");
    assert_eq!(child.wait().expect("it ends").code(), Some(130), "{out}");
    assert!(out.contains("; not proved again: ") && out.contains("\n  next "), "{out}");
}

#[test]
fn a_table_of_cards_is_80_columns_wide() {
    for (game, lines) in
        [("kuhn", "a word\ncheck\ncheck\nfold\n"), ("rock-paper-scissors", "\nrock\npaper\n")]
    {
        let (code, out, error) = grundy(&["play", game, "--seed", "1"], lines);
        assert_eq!((code, error.as_str()), (0, ""), "{out}");
        assert!(out.contains("\nsecret: ") && out.contains("\ncheck: printf %s \\\n"), "{out}");
        assert_eq!(out.contains("\nyour word: a word\n"), game == "kuhn", "{out}");
        assert!(out.lines().all(|line| line.chars().count() <= 80), "{out}");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_at_a_table_of_cards_shows_the_secret() {
    use std::io::{BufRead, BufReader, Read, Write};
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_grundy"))
        .args(["play", "kuhn", "--seed", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it runs");
    let mut input = child.stdin.take().expect("piped");
    input.write_all(b"\n").expect("it reads");
    let mut output = BufReader::new(child.stdout.take().expect("piped"));
    let mut line = String::new();
    // Ctrl-C is watched once the first round begins.
    while !line.starts_with("round 1: ") {
        line.clear();
        assert!(output.read_line(&mut line).expect("UTF-8") > 0, "no round");
    }
    rustix::process::kill_process(rustix::process::Pid::from_child(&child), rustix::process::Signal::INT)
        .expect("it runs");
    let mut out = String::new();
    output.read_to_string(&mut out).expect("UTF-8");
    assert_eq!(child.wait().expect("it ends").code(), None, "{out}");
    assert!(out.contains("\nsecret: ") && out.contains("| sha256sum\n"), "{out}");
    drop(input);
}

#[test]
fn a_sequence_has_its_period_or_its_misere_quotient() {
    // Winning Ways, chapter 4; the quotient of misere Nim with heaps of one and two: Plambeck and Siegel, 2008.
    let numbers = "1 2 3 1 4 3 2 1 4 2 6 4\nperiod 12 from heap 71 on, proved\n";
    for code in ["0.77", "kayles", "heaps:kayles"] {
        assert_eq!(grundy(&["sequence", code, "12"], ""), (0, numbers.to_owned(), String::new()));
    }
    let (_, out, _) = grundy(&["sequence", "0.333", "3", "--misere"], "");
    let quotient =
        "a b ab\n6 elements: 1 a b ab b^2 ab^2\nrelations: a^2=1 b^3=b\nlost for the player to move: a b^2\n";
    assert_eq!(out, quotient);
    let (code, _, error) = grundy(&["sequence", "0.78"], "");
    assert!(code == 2 && error.contains("is no heap game: expected kayles, "), "{error}");
}

#[test]
fn analyze_answers_a_position_of_the_command_line_in_words() {
    let (code, out, _) = grundy(&["analyze", "nim:3,5,7"], "");
    assert!(code == 0 && out.starts_with("player one wins nim:3,5,7; "), "{out}");
    let (_, out, _) = grundy(&["analyze", "nim:3,5,7", "1,1"], "");
    assert!(out.starts_with("player two wins 1,1 1 (nim:3,5,7); every move loses\n"), "{out}");
    let (_, out, _) = grundy(&["analyze", "tictactoe", "moves", "a1", "b2"], "");
    assert!(out.contains("(tictactoe) is a draw; ") && out.contains("\n  moves "), "{out}");
    // Moves are understood as people write them, with and without the word.
    for words in ["a1 b2", "A1b2", "moves 1. a1 b2", "startpos moves a1b2"] {
        assert_eq!(grundy(&["analyze", "tictactoe", words], "").1, out, "{words}");
    }
    let (_, out, _) = grundy(&["analyze", "connect4", "44444432", "--movetime", "1"], "");
    assert!(out.contains("(connect4:7x6) "), "{out}");
    assert!(grundy(&["analyze", "nim", "3,5,7"], "").1.contains("\n  Grundy number 1\n"));
    assert!(grundy(&["analyze", "dots", "1x1"], "").1.contains(" wins dots:1x1 "));
    assert!(grundy(&["analyze", "hackenbush:BRR"], "").1.contains("\n  canonical form  1/4\n"));
    // A nimber of a partizan game is a form, and no Grundy number.
    let (_, out, _) = grundy(&["analyze", "hackenbush:GGG"], "");
    assert!(out.contains("\n  canonical form  *3\n  temperature   0, mean 0\n"), "{out}");
    assert!(!out.contains("Grundy number"), "{out}");
    let (_, out, _) = grundy(&["analyze", "domineering:2x3"], "");
    assert!(out.contains("\n  canonical form  {2|-1/2}\n  temperature   5/4, mean 3/4\n"), "{out}");
    let (_, out, _) = grundy(&["analyze", "domineering:2x3", "--json"], "");
    let fields = r#""cgt":"{2|-1/2}","outcome_class":"N","temperature":"5/4","mean":"3/4""#;
    assert!(out.contains(fields), "{out}");
    assert!(out.contains(r#""walls":{"left":[["0","2"],["5/4","3/4"]],"right":[["0","-1/2"],["#), "{out}");
    let (_, out, _) = grundy(&["analyze", "domineering:2x3"], "");
    assert!(out.contains("\n  walls         left 2@0 3/4@5/4 right -1/2@0 3/4@5/4\n"), "{out}");
    let (_, out, _) = grundy(&["--game", "domineering:2x3"], "query thermograph\n");
    assert!(out.contains("response temperature 5/4 mean 3/4 left 2@0 3/4@5/4 right -1/2@0 3/4@5/4"), "{out}");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("heat.svg");
    let file = file.to_str().unwrap();
    assert_eq!(grundy(&["analyze", "domineering:2x3", "--thermograph", file], "").0, 0);
    assert!(std::fs::read_to_string(file).unwrap().starts_with("<svg "));
    let (code, _, error) = grundy(&["analyze", "tictactoe", "--thermograph", file], "");
    assert!(code == 2 && error.contains("tictactoe has no canonical forms"), "{error}");
    // Numbers are cold, and have an outcome class without both players' proofs.
    let (_, out, _) = grundy(&["analyze", "hackenbush:BR"], "");
    assert!(out.contains("\n  outcome class L: Blue wins, whoever begins\n  canonical form  1/2\n"), "{out}");
    assert!(out.contains("\n  temperature   -1/2, mean 1/2\n"), "{out}");
    let (_, out, _) = grundy(&["analyze", "toads-and-frogs:T.F"], "");
    assert!(out.contains("\n  outcome class N: whoever begins wins\n  canonical form  *\n"), "{out}");
    let (code, out, _) = grundy(&["analyze", "dots:2x2", "--loony"], "");
    assert!(code == 0 && out.contains("\n  loony         -: nobody makes a loony move\n"), "{out}");
    assert!(out.contains("\n  loony moves   ") && out.contains("a3b3=-"), "{out}");
    // A drawing has the marks where they are asked for, since they take time.
    for (options, marked) in [(&["--draw"][..], false), (&["--draw", "--loony"], true)] {
        let (code, out, _) = grundy(&[&["analyze", "dots:2x3"], options].concat(), "");
        assert_eq!((code, out.contains(" + -2v + ")), (0, marked), "{out}");
    }
    let (code, _, error) = grundy(&["analyze", "tictactoe", "--loony"], "");
    assert!(code == 2 && error.contains("--loony would do nothing here: "), "{error}");
    // Every other command takes a position in the same words.
    for words in ["a1 b2", "X.. .O. ..."] {
        assert!(solved(&["tictactoe", words]).contains(" (tictactoe) is a draw; "), "{words:?}");
    }
    let two = |words: &[&str]| {
        grundy(words, "")
            .1
            .lines()
            .map(|line| line.split(" (").next().unwrap_or("").to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(two(&["perft", "tictactoe", "a1", "b2", "2"]), ["perft 1 = 7", "perft 2 = 42"]);
    assert!(
        grundy(&["tree", "tictactoe", "a1", "b2", "--depth", "1"], "").1.starts_with(".../.O./X.. 1\tdraw\n")
    );
    assert!(
        grundy(&["count", "--game", "tictactoe", "--position", ".../.O./X.. 1", "a2", "1"], "")
            .1
            .contains("\n1\t6\t")
    );
    assert_eq!(grundy(&["perft", "tictactoe"], "").0, 2);
    // The games of a sum may have other names.
    let kayles = "player one wins sum:nim:3+heaps:kayles:5; ";
    for words in ["sum:nim:3+kayles:5", "nim:3 + kayles:5", "nim 3 + kayles 5", "sum nim:3 + kayles:5"] {
        assert!(solved(&words.split(' ').collect::<Vec<_>>()).starts_with(kayles), "{words}");
        assert!(solved(&[words]).starts_with(kayles), "{words}");
    }
    // A number behind a column is no second move.
    let (code, _, error) = grundy(&["analyze", "connect4", "d2"], "");
    assert!(code == 2 && error.contains("d2"), "{error}");
    let after = solved(&["nim:3", "+", "nim:4", "2/1:1"]);
    assert!(after.starts_with("player one wins"), "{after}");
    // A text that tells its game needs no name, and the line of a mate is shown.
    let (code, out, _) = grundy(&["analyze", "7k/8/5K2/8/8/8/8/Q7 w - - 0 1"], "");
    assert!(code == 0 && out.starts_with("White mates in 2 in 7k/8/"), "{out}");
    assert!(out.contains(" (chess); ") && out.contains("\n  best play "), "{out}");
    let (code, _, error) = grundy(&["analyze", "chess", "8/8/4k3/8/8/4K3/3P4/1r5 w - - 0 1"], "");
    assert!(code == 2 && error.ends_with(": rank 1, \"1r5\", has 7\n"), "{error}");
    // A line that comes back to the root may go on by the best move there, which a worse one left.
    let (_, out, _) = grundy(&["analyze", "fanorona:3x3", "XOX/.../X.X 1"], "");
    assert!(out.contains("a1-a2=win:5"), "{out}");
    // What a search has not proved is likely play.
    let (_, out, _) = grundy(&["analyze", "mnk:15,15,5", "--movetime", "50"], "");
    assert!(out.contains("\n  likely play "), "{out}");
    let (code, _, error) = grundy(&["analyze", "tictactoe", "a1", "a1"], "");
    assert!(code == 2 && error.contains("error: move 2: \"a1\" is not legal in .../.../X.. 2"), "{error}");
    // With a pipe, and with a format for programs, the answer is a line of fields.
    let fields = "1,1 1\tloss\t1:1 2:1\t1:1 2:1\n";
    assert_eq!(grundy(&["analyze", "nim:3,5,7"], "1,1\n").1, fields);
    assert_eq!(grundy(&["analyze", "--game", "nim:3,5,7", "1,1", "--format", "words"], "").1, fields);
    assert_eq!(grundy(&["analyze", "nim:3,5,7", "nonsense"], "").0, 2);
    assert_eq!(grundy(&["analyze"], "").0, 2);
}

#[test]
fn a_game_alone_is_played_and_an_unknown_word_gets_the_closest() {
    let (code, out, _) = grundy(&["nim:1,2", "--first", "me"], "hint\nquit\n");
    assert!(code == 0 && out.contains("hint: 2:1"), "{out}");
    for (typed, meant) in [("solv", "solve"), ("tictacto", "tictactoe"), ("analyse", "analyze")] {
        let (code, out, error) = grundy(&[typed], "");
        assert_eq!((code, out.as_str(), error.lines().count()), (2, "", 1), "{error}");
        assert!(error.contains(&format!("did you mean {meant}?")), "{typed}: {error}");
    }
    assert!(grundy(&["xyzzy"], "").2.contains("grundy games"));
}

#[test]
fn a_tool_explains_the_words_of_a_move() {
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_games","arguments":{"game":"nim"}}}"#;
    let (code, out, _) = grundy(&["mcp"], call);
    let answer: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    let words = answer["result"]["structuredContent"]["a_move"].as_str();
    assert!(code == 0 && words.is_some_and(|words| !words.is_empty()), "{out}");
}

#[test]
fn tools_are_called_by_messages_and_what_is_wrong_is_one_line() {
    let call = |id: u32, tool: &str, arguments: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments}}}}}"#
        )
    };
    let lines = [
        r#"{"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":"2025-06-18"}}"#
            .to_owned(),
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.to_owned(),
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#.to_owned(),
        call(2, "values", r#"{"game":"tictactoe","position":"X.O/.../... 1"}"#),
        call(3, "best_move", r#"{"game":"nim:3,5,7","moves":"1:1"}"#),
        call(4, "solve_matrix", r#"{"payoffs":[[1,0,-1],[-1,2,0]]}"#),
        call(5, "values", r#"{"game":"graph:file=/etc/passwd"}"#),
        call(6, "position", r#"{"game":"tictactoe","moves":["z9"]}"#),
        call(7, "no-such-tool", "{}"),
        call(9, "position", r#"{"game":"sum:nim:3+graph file=/etc/passwd"}"#),
        call(10, "review_game", r#"{"moves":"[Variant \"rules:file=/etc/passwd\"]\n\n1. a"}"#),
        r#"[{"jsonrpc":"2.0","id":11,"method":"ping"},{"jsonrpc":"2.0","method":"x"},{"id":12}]"#.to_owned(),
        "[]".to_owned(),
        "no json".to_owned(),
        r#"{"jsonrpc":"2.0","id":8,"method":"resources/list"}"#.to_owned(),
    ];
    let (code, out, _) = grundy(&["mcp"], &lines.join("\n"));
    let answers: Vec<serde_json::Value> =
        out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!((code, answers.len()), (0, lines.len() - 1), "{out}");
    assert_eq!(answers[0]["result"]["protocolVersion"], "2025-06-18");
    assert_eq!(answers[1]["result"]["tools"].as_array().map(Vec::len), Some(6));
    let found = |at: usize| &answers[at]["result"]["structuredContent"];
    assert_eq!((&found(2)["value"], &found(2)["complete"]), (&"win:5".into(), &true.into()));
    assert_eq!((&found(3)["value"], &found(3)["proved"]), (&"loss".into(), &true.into()));
    assert_eq!((&found(4)["value"], &found(4)["row"][0]), (&"-1/3".into(), &"1/3".into()));
    for at in [5, 6, 8, 9] {
        let why = answers[at]["result"]["content"][0]["text"].as_str().expect("a text");
        assert!(answers[at]["result"]["isError"] == true && why.lines().count() == 1, "{out}");
    }
    for at in [5, 8, 9] {
        let why = answers[at]["result"]["content"][0]["text"].as_str().expect("a text");
        assert!(why.contains("games from files"), "{why}");
    }
    let batch = &answers[10];
    assert_eq!(
        (&batch[0]["id"], &batch[1]["id"], &batch[2]),
        (&11.into(), &12.into(), &serde_json::Value::Null)
    ); // no answer to a notification
    assert_eq!(batch[1]["error"]["code"], -32_600);
    let codes: Vec<_> = [&answers[7..8], &answers[11..]]
        .concat()
        .iter()
        .map(|answer| answer["error"]["code"].clone())
        .collect();
    assert_eq!(codes, [-32_602, -32_600, -32_700, -32_601]);
}

#[test]
fn a_game_begun_from_a_bare_fen_is_saved_with_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let saved = folder.path().join("game.grundy");
    let name = saved.to_str().expect("UTF-8");
    let fen = "8/8/8/8/8/4k3/8/R3K3 w - - 0 1";
    let (code, out, _) =
        grundy(&["play", fen, "--first", "me", "--movetime", "10"], &format!("Ra4\nsave {name}\nq\n"));
    assert!(code == 0 && out.contains("saved"), "{out}");
    let text = std::fs::read_to_string(&saved).expect("saved");
    assert!(text.contains(fen), "{text}");
    // The name of a file, or a position, is enough.
    for word in [name, fen] {
        let (code, out, err) = grundy(&[word], "q\n");
        assert_eq!(code, 0, "{word}: {out}{err}");
    }
}

#[test]
fn a_command_that_is_proposed_stands_on_one_line() {
    for words in [&["othello", "f5d6c3d3c4f4f6"][..], &["chess", "e4", "e5", "Nf3", "Nc6", "Bb5", "a6"]] {
        let (_, out, _) = grundy(&[&["analyze"], words, &["--movetime", "1"]].concat(), "");
        let line = out.lines().find(|line| line.contains("grundy solve")).unwrap_or_else(|| panic!("{out}"));
        assert_eq!(line.matches('\'').count(), 2, "{out}");
        // The start is out of reach, and so nothing is promised.
        assert!(!out.contains("until it is"), "{out}");
    }
}

#[test]
fn moves_and_sums_are_read_in_the_forms_in_which_people_give_them() {
    let (code, out, _) = grundy(&["review", "sprouts:3", "0.AB.}0.AB.}!", "--json"], "");
    assert!(code == 0 && out.contains("\"move\":\"0.AB.}0.AB.}!\""), "{out}");
    let (code, out, _) = grundy(&["analyze", "--game", "connect4:4x4"], "1234\nstartpos\n");
    assert!(code == 0 && out.lines().count() == 2, "{out}");
    assert!(grundy(&["analyze", "nim:3+nim:5"], "").1.contains("wins sum:nim:3+nim:5"));
    assert!(grundy(&["analyze", "nim:3+nim:5", "--position", "3+1"], "").1.contains("only 1/1:2 wins"));
    assert_eq!(grundy(&["analyze", "--game", "tictactoe"], "X.O/.../... 1\n\n").0, 1);
    assert_eq!(grundy(&["analyze", "--game", "sprouts:3"], "22\n").0, 1);
    let (code, _, err) = grundy(&["analyze", "connect4", "4448"], "");
    assert!(code == 2 && err.contains("4448") && !err.contains("CxR"), "{err}");
}

#[test]
fn a_known_value_comes_first_where_it_is_not_proved_again() {
    let (_, out, _) = grundy(&["solve", "quarto", "--seconds", "0.1", "--quiet"], "");
    assert!(out.starts_with("quarto is a draw") && out.contains("not proved again"), "{out}");
}
