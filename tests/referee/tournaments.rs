//! Tournaments: pairings, openings and settings.

use std::collections::BTreeSet;

use crate::tools::{GRUNDY, arguments, bad_engine, essences, folder, four, games, referee, spoiler};

#[test]
fn everyone_meets_everyone_with_both_sides() {
    let engines = four();
    let run = referee(&arguments(&engines, &["--game", "nim:1,2", "--games", "10", "--concurrency", "2"]));
    assert_eq!(run.code, Some(1), "{}", run.said());
    assert!(run.out.contains("Started game 60 of 60 (worst vs first)"), "{}", run.out);
    assert!(run.out.contains("points of"), "a crosstable: {}", run.out);
    assert!(run.out.contains("Results of perfect vs double (nim:1,2):"), "{}", run.out);
    assert!(run.out.contains("Ptnml(0-2): ["), "{}", run.out);
    // They always play the same, so that of each pairing all pairs end alike.
    assert!(!run.out.contains("Elo") && !run.out.contains("LOS"), "{}", run.out);
}

#[test]
fn strength_is_given_where_the_pairs_differ() {
    let engines =
        [format!("name=one {GRUNDY} option.Weaken=40"), format!("name=two {GRUNDY} option.Weaken=60")];
    let run = referee(&arguments(&engines, &["--game", "nim:3,4,5", "--games", "20", "--seed", "1"]));
    for words in ["Elo: ", "LOS: ", "Ptnml(0-2): ["] {
        assert!(run.out.contains(words), "{words}: {}", run.out);
    }
}

#[test]
fn figures_that_say_nothing_are_left_out() {
    let engines = &four()[..2];
    let run = referee(&arguments(engines, &["--game", "nim:3,4,5", "--games", "4"]));
    assert_eq!(run.code, Some(0), "{}", run.said());
    for word in ["Elo", "LOS", "nan", "inf"] {
        assert!(!run.out.contains(word), "{word}: {}", run.out);
    }
    assert!(run.out.contains("Games: 4, Wins: 2, Losses: 2"), "{}", run.out);
}

#[test]
fn a_cyclic_game_is_drawn_at_the_third_repetition() {
    let folder = folder();
    let log = folder.join("log");
    let engines = [format!("name=a {GRUNDY}"), format!("name=b {GRUNDY}")];
    for game in ["lgame", "lgame:repeat=3"] {
        let more = ["--game", game, "--games", "2", "--movetime", "20000", "--log", log.to_str().unwrap()];
        let run = referee(&arguments(&engines, &more));
        assert_eq!(run.code, Some(0), "{}", run.said());
        assert_eq!(run.out.matches("Draw by 3-fold repetition").count(), 2, "{}", run.out);
        let traffic = std::fs::read_to_string(&log).unwrap();
        assert!(
            !traffic.contains("repeat"),
            "engines are told of no section that they may not know: {traffic}"
        );
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// A game of chess from a position between an engine that plays these moves by turns and its opponent.
fn chess_from(fen: &str, first: &str, second: &str) -> String {
    let folder = folder();
    let openings = folder.join("openings");
    std::fs::write(&openings, format!("{fen}\n")).unwrap();
    let engine = |name: &str, moves: &str| match moves {
        "" => format!("name={name} {GRUNDY}"),
        _ => format!("name={name} proto=uci {} shuffle:{moves} chess", bad_engine().display()),
    };
    let engines = [engine("A", first), engine("B", second)];
    let openings = openings.to_str().unwrap();
    // What no table told in time, on a busy machine, is proved afterwards.
    let game = ["--game", "chess", "--games", "1", "--openings", openings];
    let more = [&game[..], &["--movetime", "300", "--prove", "20000"]].concat();
    let run = referee(&arguments(&engines, &more));
    std::fs::remove_dir_all(folder).unwrap();
    run.out
}

#[test]
fn who_repeats_a_won_position_of_chess_is_charged() {
    let out = chess_from("7k/8/8/8/8/8/8/RR2K3 w - - 0 1", "a1a2,a2a1", "h8h7,h7h8");
    assert!(out.contains("Draw by 3-fold repetition"), "{out}");
    let slip = out.lines().find(|line| line.contains("slip: A played")).expect("a slip");
    // The move itself, and others that repeat, are none that would have kept the win.
    let (played, keeping) = slip.split_once("; kept by ").expect("moves");
    let played = played.split(" played ").nth(1).and_then(|rest| rest.split(' ').next()).expect("a move");
    assert!(!keeping.is_empty() && keeping.split(' ').all(|word| word != played), "{slip}");
    assert!(!out.contains("slip: B"), "{out}");
}

#[test]
fn the_clock_of_chess_makes_slips_and_unmakes_them() {
    // A king walks although only the pawn's move sets the clock back in time.
    let out = chess_from("4k3/8/3KP3/8/8/8/8/8 w - - 99 90", "d6d5", "");
    let slip =
        out.lines().find(|line| line.contains("slip: A played d6d5")).unwrap_or_else(|| panic!("{out}"));
    assert!(slip.ends_with("; kept by e6e7"), "{slip}");
    // Where every move draws nobody has slipped, and our own engine does not.
    for fen in ["4k3/8/8/8/8/8/8/RNBQKBNR w KQ - 99 90", "4k3/8/3KP3/8/8/8/8/8 w - - 99 90"] {
        let out = chess_from(fen, "", "");
        assert!(out.contains("Started game 1 of 1") && !out.contains("slip:"), "{out}");
    }
}

#[test]
fn a_gauntlet_is_the_first_against_the_rest() {
    let engines = four();
    let run = referee(&arguments(&engines, &["--game", "nim:1,2", "--gauntlet", "--rounds", "2"]));
    assert!(run.out.contains("12 games of nim:1,2"), "{}", run.out);
    assert!(!run.out.contains("(double vs first)"), "{}", run.out);
}

#[test]
fn every_opening_is_played_with_both_sides_and_none_twice() {
    let folder = folder();
    let record = folder.join("record.jsonl");
    let engines = &four()[..2];
    let more = ["--game", "tictactoe", "--openings", "all:1", "--record", record.to_str().unwrap()];
    let run = referee(&arguments(engines, &more));
    assert_eq!(run.code, Some(0), "{}", run.said());
    let openings: BTreeSet<String> =
        games(&record).iter().map(|g| format!("{} {}", g["opening"], g["players"])).collect();
    // A corner, an edge, the middle: the other cells are images of these.
    assert_eq!((games(&record).len(), openings.len()), (6, 6));
    assert!(run.out.contains("6 games, 3 of them unique; "), "{}", run.out);

    let file = folder.join("openings");
    std::fs::write(&file, "startpos moves b2 a1 # remark\n\nX../.O./... 1\nfen ..X/.O./... 1\n").unwrap();
    let run = referee(&arguments(engines, &["--game", "tictactoe", "--openings", file.to_str().unwrap()]));
    assert!(run.out.contains("4 games of tictactoe"), "{}", run.out);
    std::fs::write(&file, "X../.O./... 1\nnonsense\n").unwrap();
    let run = referee(&arguments(engines, &["--game", "tictactoe", "--openings", file.to_str().unwrap()]));
    assert_eq!(run.code, Some(2), "{}", run.said());
    assert!(run.err.contains(":2: bad position \"nonsense\""), "{}", run.err);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_same_seed_makes_the_same_tournament() {
    let folder = folder();
    let engines = &four()[..2];
    let play = |name: &str, seed: &str| {
        let record = folder.join(name);
        let more = ["--game", "tictactoe", "--games", "8", "--openings", "random:3", "--seed", seed];
        let mut all = arguments(engines, &more);
        all.extend(["--record", record.to_str().unwrap()]);
        referee(&all);
        essences(&record)
    };
    assert_eq!(play("a", "1"), play("b", "1"));
    assert_ne!(play("c", "1"), play("d", "2"));
    // Engines that draw lots draw the same ones, in whatever order the games are played.
    let dicing = [format!("name=a {GRUNDY} --weaken 60"), format!("name=b {GRUNDY} --weaken 60")];
    let dice = |name: &str, seed: &str, concurrency: &str| {
        let record = folder.join(name);
        let more = ["--game", "tictactoe", "--games", "12", "--seed", seed, "--concurrency", concurrency];
        let mut all = arguments(&dicing, &more);
        all.extend(["--record", record.to_str().unwrap()]);
        referee(&all);
        essences(&record)
    };
    let first = dice("e", "1", "1");
    assert_eq!((first.len(), &first), (12, &dice("f", "1", "3")));
    assert_ne!(first, dice("g", "2", "1"));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_configuration_file_says_what_the_command_line_does_not() {
    let folder = folder();
    let file = folder.join("match.toml");
    let text =
        format!("game = [\"nim:1,2\"]\nengine = [\"{GRUNDY}\", \"{GRUNDY}\"]\ngames = 6\nmovetime = 500\n");
    std::fs::write(&file, &text).unwrap();
    let run = referee(&["match", "--config", file.to_str().unwrap(), "--games", "4"]);
    assert_eq!(run.code, Some(0), "{}", run.said());
    assert!(run.out.contains("4 games of nim:1,2"), "{}", run.out);
    assert!(run.out.contains("(grundy vs grundy-2)"), "{}", run.out);
    let record = folder.join("record.jsonl");
    let more = format!("{text}record = {record:?}\nlog = {:?}\n", folder.join("log"));
    std::fs::write(&file, more).unwrap();
    let run = referee(&["match", "--config", file.to_str().unwrap()]);
    assert_eq!((run.code, games(&record).len()), (Some(0), 6), "{}", run.said());
    assert!(std::fs::read_to_string(folder.join("log")).unwrap().contains("bestmove"));
    assert!(run.out.contains("Neither lost value in any move"), "{}", run.out);
    // Outputs never replace what is read, whichever file names them.
    let openings = folder.join("openings");
    for (write, read) in [
        (format!("log = {file:?}"), &file),
        (format!("openings = {openings:?}\nlog = {openings:?}"), &openings),
        (format!("openings = {openings:?}\nrecord = {openings:?}"), &openings),
    ] {
        let said = format!("{text}{write}\n");
        std::fs::write(&openings, "1,2 1\n").unwrap();
        std::fs::write(&file, &said).unwrap();
        let before = std::fs::read(read).unwrap();
        let run = referee(&["match", "--config", file.to_str().unwrap()]);
        assert_eq!((run.code, std::fs::read(read).unwrap() == before), (Some(2), true), "{}", run.said());
    }
    let engine = format!("stderr={} {GRUNDY}", openings.display());
    let args = ["--game", "nim:1,2", "--engine", &engine, "--engine", GRUNDY, "--openings"];
    let run = referee(&[&["match"], &args[..], &[openings.to_str().unwrap()]].concat());
    assert_eq!(run.code, Some(2), "{}", run.said());
    assert_eq!(std::fs::read_to_string(&openings).unwrap(), "1,2 1\n");
    for (text, why) in [
        ("gmae = [\"nim\"]\n".to_owned(), "unknown field `gmae`, expected one of `game`, "),
        ("record = 3\n".to_owned(), "expected the name of a file"),
        (
            format!("{text}openings = \"all:1\"\nposition = \"1,2 1\"\n"),
            "position cannot be used with openings",
        ),
    ] {
        std::fs::write(&file, text).unwrap();
        let run = referee(&["match", "--config", file.to_str().unwrap()]);
        assert_eq!(run.code, Some(2), "{}", run.said());
        assert!(run.err.contains(why), "{}", run.err);
    }
    // The command line has one of them, the file the other.
    let record = folder.join("another.jsonl");
    let both = ["match", "--config", file.to_str().unwrap(), "--games", "2"];
    for (ours, theirs) in [("--openings", "position = \"0,2 1\""), ("--position", "openings = \"all:1\"")] {
        std::fs::write(&file, format!("{text}wide = true\n{theirs}\n")).unwrap();
        let ours = [ours, if ours == "--position" { "1,2 1" } else { "all:0" }];
        let run = referee(&[&both[..], &ours, &["--record", record.to_str().unwrap()]].concat());
        assert_eq!(run.code, Some(0), "{}", run.said());
        let game = games(&record).remove(0);
        assert_eq!(game["start"].as_str(), (ours[0] == "--position").then_some("1,2 1"), "{game}");
        let widest = run.out.lines().map(str::len).max();
        assert!(widest > Some(80), "the table is not folded: {}", run.out);
        std::fs::remove_file(&record).unwrap();
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn both_dialects_clocks_and_several_games_meet_in_one_tournament() {
    let folder = folder();
    let log = folder.join("log");
    let engines =
        [format!("name=ugi proto=ugi {GRUNDY}"), format!("name=uci proto=uci restart=on tc=20+0.1 {GRUNDY}")];
    let more = ["--game", "nim", "--game", "tictactoe", "--games", "2", "--tc", "40/20+0.1"];
    let mut all = arguments(&engines, &more);
    all.extend(["--log", log.to_str().unwrap()]);
    let run = referee(&all);
    assert_eq!(run.code, Some(0), "{}", run.said());
    let traffic = std::fs::read_to_string(&log).unwrap();
    for words in ["uci < go wtime 20000 winc 100", "ugi < go p1time 20000 p1inc 100", "movestogo 40"] {
        assert!(traffic.contains(words), "{words}: {traffic}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_sequential_test_stops_when_it_is_decided() {
    let bad = bad_engine().display();
    let engines = [format!("name=good {bad} plain"), format!("name=weak {bad} worst")];
    let more = ["--game", "nim:3,4,5", "--games", "2000", "--sprt", "0", "50", "0.05", "0.05"];
    let run = referee(&arguments(&engines, &more));
    assert_eq!(run.code, Some(1), "{}", run.said());
    assert!(run.out.contains("SPRT: H1 was accepted"), "{}", run.out);
    assert!(run.out.contains("LLR: "), "{}", run.out);
    assert!(!run.out.contains("Started game 1000 "), "it stops early");
}

#[test]
fn a_sequential_test_without_a_number_of_games_goes_on_until_it_is_decided() {
    let bad = bad_engine().display();
    let engines = [format!("name=good {bad} plain"), format!("name=weak {bad} worst")];
    let more = ["--game", "nim:3,4,5", "--no-audit", "--sprt", "0", "50", "0.05", "0.05"];
    let run = referee(&arguments(&engines, &more));
    assert_eq!(run.code, Some(0), "{}", run.said());
    assert!(run.out.starts_with("games of nim:3,4,5 until the test is decided"), "{}", run.out);
    assert!(run.out.contains("Started game 7 (good vs weak)"), "{}", run.out);
    assert!(run.out.contains("SPRT: H1 was accepted"), "{}", run.out);
    // Nothing was compared with exact values: value slips, distance slips, audited.
    let rows = run.out.lines().filter(|line| line.starts_with("good "));
    let open = rows.flat_map(str::split_whitespace).filter(|&cell| cell == "-").count();
    assert!(open >= 3, "{}", run.out);
    let run = referee(&arguments(&engines, &[&more[..], &["--rounds", "2"]].concat()));
    assert!(run.out.contains("Started game 4 of 4 "), "{}", run.out);
    assert!(run.out.contains("SPRT: undecided after 4 games"), "{}", run.out);
}

#[test]
fn an_option_that_an_engine_lacks_is_refused_with_the_closest() {
    let good = format!("name=a {GRUNDY}");
    let wrong = format!("name=b {GRUNDY} option.Wekaen=20");
    let both = ["--game", "nim:1,2", "--engine", &good, "--engine", &wrong];
    for (command, engines) in
        [("match", &both[..]), ("compare", &both), ("audit", &["--game", "nim:1,2", "--engine", &wrong])]
    {
        let run = referee(&[&[command], engines].concat());
        assert_eq!(run.code, Some(2), "{command}: {}", run.said());
        assert!(
            run.err.contains("engine b has no option Wekaen: did you mean Weaken?"),
            "{command}: {}",
            run.said()
        );
    }
}

#[test]
fn a_value_that_an_option_does_not_take_is_refused_before_the_first_game() {
    let good = format!("name=a {GRUNDY}");
    for (option, why) in [
        ("Weaken=banana", "expected a whole number from 0 to 100"),
        ("distance=purple", "expected one of exact, first"),
        ("Hash=99999999999", "expected a whole number from 1 to 65536"),
        ("Ponder=7", "expected true or false"),
    ] {
        let wrong = format!("name=b {GRUNDY} option.{option}");
        let run = referee(&["match", "--game", "nim:1,2", "--engine", &good, "--engine", &wrong]);
        assert_eq!(run.code, Some(2), "{option}: {}", run.said());
        assert_eq!(run.err, format!("referee: engine b: option {option}: {why}\n"));
    }
}

#[test]
fn wrong_usage_is_told_in_one_line_before_anything_is_started() {
    let good = format!("name=a {GRUNDY}");
    let two = ["--engine", &good, "--engine", &good];
    for (more, why) in [
        (vec!["--game", "chequers"], "unknown game"),
        (vec![], "which game?"),
        (vec!["--game", "nim", "--tc", "soon"], "bad time control"),
        (vec!["--game", "nim", "--openings", "/nowhere"], "openings /nowhere"),
        (vec!["--game", "nim", "--openings", "all:x"], "bad openings"),
        (vec!["--game", "nim", "--position", "x"], "bad position"),
        (
            vec!["--game", "tictactoe", "--position", "XXX/OO./... 2"],
            "tictactoe is over there: expected one that leaves a game to play",
        ),
        (vec!["--game", "nim", "--max-plies", "0"], "--max-plies 0: expected at least 1"),
        (
            vec!["--game", "nim", "--resign", "moves=0", "score=600"],
            "bad --resign \"moves=0 score=600\": expected",
        ),
        (
            vec!["--game", "nim", "--draw", "moves=8", "score=5"],
            "bad --draw \"moves=8 score=5\": expected after=N",
        ),
        (vec!["--game", "nim", "--repair"], "--repair: expected --resume FILE"),
        (vec!["--game", "nim", "-rounds", "2"], "match has no -rounds: write two dashes, --rounds"),
        (vec!["--game", "nim", "--repeat"], "match has no --repeat: both sides always play every opening"),
        (vec!["--game", "nim", "--sprt", "5", "0", "0.1", "0.1"], "bad --sprt"),
        (vec!["--game", "nim", "--record", "/nowhere/at/all"], "/nowhere/at/all"),
        (vec!["--game", "nim", "--tables", "/nowhere"], "no folder /nowhere"),
        (vec!["--game", "nim", "--movetime", "0"], "engine a: movetime 0: expected at least 1"),
        (vec!["--game", "nim", "--nodes", "0"], "engine a: nodes 0: expected at least 1"),
        (vec!["--game", "nim", "--depth", "0"], "engine a: depth 0: expected at least 1"),
        (vec!["--game", "nim", "--stall-timeout", "0"], "engine a: stall 0: expected at least 1"),
        (vec!["--game", "nim", "--memory-limit", "0"], "engine a: memory 0: expected at least 1"),
        (vec!["--resume", "/nowhere/at/all"], ""),
    ] {
        let mut all = vec!["match"];
        all.extend(two);
        all.extend(&more);
        let run = referee(&all);
        assert_eq!(run.code, Some(2), "{more:?}: {}", run.said());
        assert!(run.err.contains(why), "{more:?}: {}", run.err);
    }
    for (setting, why) in [
        ("stderr=/nowhere/x", "engine b: stderr=/nowhere/x: "),
        ("stderr=/", "engine b: stderr=/: "),
        ("dir=/nowhere", "engine b: dir: no folder /nowhere"),
        ("dir=/dev/null", "engine b: dir: /dev/null is no folder"),
        ("env.=3", "bad engine setting \"env.=3\": expected a name before ="),
        ("foo=bar", "bad engine setting \"foo=bar\": expected one of cmd arg name dir "),
    ] {
        let bad = format!("name=b {setting} {GRUNDY}");
        for command in ["match", "compare"] {
            let run = referee(&[command, "--game", "nim", "--engine", &good, "--engine", &bad]);
            assert_eq!(run.code, Some(2), "{command} {setting}: {}", run.said());
            assert!(run.err.contains(why) && run.err.lines().count() == 1, "{setting}: {}", run.err);
        }
    }
    let run = referee(&["match", "--game", "nim", "--engine", &good]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("two engines"), "{}", run.err);
}

#[test]
fn scores_end_games_and_a_wrong_adjudication_is_a_dispute() {
    let folder = folder();
    let record = folder.join("record");
    let path = record.to_str().unwrap();
    let engine =
        |name: &str, score: i32| format!("name={name} {} score:{score} tictactoe", bad_engine().display());
    let play = |scores: [i32; 2], more: &[&str]| {
        let _ = std::fs::remove_file(&record);
        let engines = [engine("a", scores[0]), engine("b", scores[1])];
        let game = ["--game", "tictactoe", "--games", "1", "--record", path];
        referee(&arguments(&engines, &[&game[..], more].concat()))
    };
    let resign = ["--resign", "moves=2", "score=600"];
    let run = play([-900, 0], &resign);
    assert!(run.out.contains("0-1 {Player 2 wins by adjudication: the engines' scores}"), "{}", run.said());
    assert!(
        run.out.contains("dispute: the adjudication says value win, the truth is draw"),
        "{}",
        run.said()
    );
    assert_eq!(run.code, Some(5), "{}", run.said());
    let game = games(&record).remove(0);
    assert_eq!(game["ending"], serde_json::json!({ "end": "adjudication" }));
    let scores: Vec<_> = game["moves"].as_array().unwrap().iter().map(|m| m["score"].as_i64()).collect();
    assert_eq!(scores, [Some(-900), Some(0), Some(-900)]);
    let pgn = referee(&["export", path, "--pgn"]).out;
    assert!(pgn.contains("[Termination \"adjudication\"]") && pgn.contains("[Result \"0-1\"]"), "{pgn}");
    let run = play([-900, 0], &[&resign[..], &["--no-audit"]].concat());
    assert_eq!(run.code, Some(0), "nothing is known to be wrong: {}", run.said());
    // The opponent does not agree, or the game is too short.
    let twosided = [&resign[..], &["twosided"]].concat();
    for rule in [&twosided[..], &["--resign", "moves=9", "score=600"]] {
        let run = play([-900, 0], rule);
        assert!(run.out.contains("1/2-1/2 {Draw by the rules}") && run.code == Some(0), "{}", run.said());
    }
    let run = play([5, -5], &["--draw", "after=2 moves=2 score=10"]);
    assert!(run.out.contains("1/2-1/2 {Draw by adjudication: the engines' scores}"), "{}", run.said());
    assert_eq!((run.code, games(&record)[0]["moves"].as_array().unwrap().len()), (Some(0), 4));
    // Where no table knows the game, the value is proved after it.
    let engines =
        [engine("a", -900).replace("tictactoe", "hex:3"), engine("b", 0).replace("tictactoe", "hex:3")];
    let more = ["--game", "hex:3", "--games", "1", "--prove", "60000", "--resign", "moves=1", "score=600"];
    let run = referee(&arguments(&engines, &more));
    let said = "dispute: the adjudication says value win, the truth is loss, proved";
    assert!(run.out.contains(said) && run.code == Some(5), "{}", run.said());
    let file = folder.join("match.toml");
    let engines = [engine("a", -900), engine("b", 0)];
    let text = format!(
        "game = [\"tictactoe\"]\nengine = {engines:?}\ngames = 1\nresign = [\"moves=2\", \"score=600\"]\n"
    );
    std::fs::write(&file, text).unwrap();
    let run = referee(&["match", "--config", file.to_str().unwrap()]);
    assert!(run.out.contains("Player 2 wins by adjudication"), "{}", run.said());
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn an_engine_that_knows_only_uci_variants_is_spoken_to_in_their_words() {
    let folder = folder();
    let log = folder.join("log");
    let ours = format!("name=ours {GRUNDY}");
    let theirs = format!("name=theirs proto=uci {} no-game-option {GRUNDY}", spoiler().display());
    let mut all = vec!["match", "--engine", &ours, "--engine", &theirs, "--log", log.to_str().unwrap()];
    all.extend([
        "--game",
        "tictactoe",
        "--game",
        "connect4",
        "--game",
        "chess:KRvK",
        "--openings",
        "random:2",
    ]);
    all.extend(["--movetime", "10", "--time-margin", "60000", "--max-plies", "60", "--prove", "0"]);
    let run = referee(&all);
    assert!(matches!(run.code, Some(0 | 1)), "nobody is misunderstood: {}", run.said());
    let traffic = std::fs::read_to_string(&log).unwrap();
    for words in [
        "theirs < setoption name UCI_Variant value tictactoe",
        "theirs < position fen 3/3/3[PPPPPpppp] w - - 0 1 moves P@",
        "theirs < setoption name UCI_Variant value cfour",
        "theirs < position fen 7/7/7/7/7/7[",
        "theirs > bestmove P@",
        "theirs < setoption name UCI_Variant value chess",
        "ours < setoption name Game value chess:KRvK",
    ] {
        assert!(traffic.contains(words), "{words}: {traffic}");
    }
    let start = traffic.lines().find(|line| line.contains("value chess")).unwrap();
    let set_up = traffic.split(start).nth(1).unwrap().lines().find(|line| line.contains("theirs < position"));
    assert!(set_up.unwrap().contains("position fen "), "its startpos would be that of chess: {set_up:?}");
    // The same by an option of its own, without a Game to be told.
    let told = format!("name=told proto=uci option.UCI_Variant=tictactoe {GRUNDY}");
    let run = referee(&["match", "--game", "tictactoe", "--engine", &ours, "--engine", &told]);
    assert_eq!(run.code, Some(0), "{}", run.said());
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn an_engine_of_uci_is_told_that_chess_is_chess960_and_one_that_cannot_be_told_is_refused() {
    let folder = folder();
    let log = folder.join("log");
    let log = log.to_str().unwrap();
    let ours = format!("name=ours {GRUNDY}");
    let theirs = format!("name=theirs proto=uci {} no-game-option {GRUNDY}", spoiler().display());
    let openings = folder.join("openings");
    let castled = "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQK2R w HAha - 0 1 moves e1h1\n";
    std::fs::write(&openings, castled).unwrap();
    let limits = ["--depth", "1", "--max-plies", "30", "--no-audit", "--log", log];
    let game = ["--game", "chess:960", "--game", "chess", "--games", "2"];
    let engines = [ours.clone(), theirs];
    let run = referee(&arguments(&engines, &[&game[..], &limits].concat()));
    assert_eq!(run.code, Some(0), "nobody is misunderstood: {}", run.said());
    let traffic = std::fs::read_to_string(log).unwrap();
    let told: Vec<&str> = traffic
        .split("theirs < setoption name UCI_Chess960 value ")
        .skip(1)
        .filter_map(|s| s.lines().next())
        .collect();
    assert_eq!(told, ["true", "false"], "{traffic}");
    let game = ["--game", "chess:960", "--openings", openings.to_str().unwrap()];
    let run = referee(&arguments(&engines, &[&game[..], &limits].concat()));
    assert_eq!(run.code, Some(0), "nobody is misunderstood: {}", run.said());
    let plain = "while read c more; do case $c in uci) echo uciok;; isready) echo readyok;; \
                 go) echo bestmove e2e4;; quit) exit;; esac; done";
    let engines = [ours, format!("name=plain proto=uci -- sh -c '{plain}'")];
    for (game, why) in [
        ("chess:960", "plain cannot play this game: chess:960 needs the option UCI_Chess960, which it lacks"),
        (
            "connect4",
            "plain cannot play this game: it has no option Game or UCI_Variant and plays only chess",
        ),
    ] {
        // The second game of the match is refused as early as the first.
        for games in [vec!["--game", game], vec!["--game", "chess", "--game", game]] {
            let run = referee(&arguments(&engines, &games));
            assert_eq!(run.code, Some(2), "{game}: {}", run.said());
            assert!(run.err.contains(why), "{game}: {}", run.err);
        }
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn an_engine_has_its_folder_its_environment_its_options_and_its_stderr_kept() {
    let folder = folder();
    let (complaints, log) = (folder.join("stderr"), folder.join("log"));
    let there = folder.canonicalize().unwrap();
    let settings = format!(
        "name=a dir={} env.GREETING=hello stderr={} option.Hash=3 restart",
        there.display(),
        complaints.display()
    );
    let odd = format!("{settings} -- sh -c 'echo \"$GREETING from $PWD\" >&2; exec {GRUNDY}'");
    let plain = format!("name=b {GRUNDY}");
    let engines = [odd, plain];
    let more = ["--game", "nim:1,2", "--games", "2", "--log", log.to_str().unwrap()];
    let run = referee(&arguments(&engines, &more));
    assert_eq!(run.code, Some(0), "{}", run.said());
    // A line for each of its two processes: it is started anew for every game.
    let line = format!("hello from {}\n", there.display());
    assert_eq!(std::fs::read_to_string(&complaints).unwrap(), line.repeat(2));
    let traffic = std::fs::read_to_string(&log).unwrap();
    assert_eq!(traffic.matches("a < setoption name Hash value 3").count(), 2, "{traffic}");
    assert_eq!(
        (traffic.matches("a < ugi\n").count(), traffic.matches("b < ugi\n").count()),
        (2, 1),
        "{traffic}"
    );
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn an_engine_of_the_gomocup_protocol_plays_a_match() {
    let engines = [
        format!("name=ours {GRUNDY}"),
        format!("name=piskvork proto=gomocup option.rule=0 {GRUNDY} --game mnk:3,3,3 gomocup"),
    ];
    let run =
        referee(&arguments(&engines, &["--game", "mnk:3,3,3", "--games", "4", "--openings", "random:1"]));
    assert_eq!(run.code, Some(0), "{}", run.said());
    assert!(run.out.contains("Games: 4, Wins: 0, Losses: 0, Draws: 4"), "{}", run.out);
    let run = referee(&arguments(&engines, &["--game", "nim:1,2", "--games", "2"]));
    assert_eq!(run.code, Some(2), "{}", run.said());
    assert!(run.err.contains("no game of stones in lines"), "{}", run.err);
    let rule = [engines[0].clone(), engines[1].replace("rule=0", "rule=1")];
    let run = referee(&arguments(&rule, &["--game", "mnk:3,3,3", "--games", "2"]));
    assert_eq!(run.code, Some(4), "it cannot begin a game of a rule that it does not play: {}", run.said());
}

#[test]
fn an_engine_of_gtp_plays_a_match() {
    let gtp = |game: &str| format!("name=gtp proto=gtp {GRUNDY} --game {game} gtp");
    for (game, more) in [
        ("mnk:3,3,3", ["--tc", "10+1"]),
        ("connect4:4x4", ["--movetime", "1000"]),
        // The letters of its columns leave out `i`.
        ("hex:9", ["--movetime", "50"]),
        // Its players pass.
        ("othello:4x4", ["--movetime", "1000"]),
    ] {
        let engines = [format!("name=ours {GRUNDY}"), gtp(game)];
        let plain = ["--game", game, "--games", "2", "--openings", "random:1", "--time-margin", "2000"];
        let plies: &[&str] = if game == "hex:9" { &["--max-plies", "6", "--no-audit"] } else { &[] };
        let run = referee(&arguments(&engines, &[&plain[..], &more[..], plies].concat()));
        assert_eq!(run.code, Some(0), "{game}: {}", run.said());
        assert!(run.out.contains("Games: 2, "), "{game}: {}", run.out);
    }
    let engines = [format!("name=ours {GRUNDY}"), gtp("nim:1,2")];
    let run = referee(&arguments(&engines, &["--game", "nim:1,2", "--games", "2"]));
    assert_eq!(run.code, Some(2), "{}", run.said());
    assert!(
        run.err.contains("gtp cannot play this game: ") && run.err.contains("not single squares"),
        "{}",
        run.err
    );
    // What it says to the size of the board is no move.
    let engines = [format!("name=ours {GRUNDY}"), gtp("mnk:5,5,4")];
    let run = referee(&arguments(&engines, &["--game", "mnk:3,3,3", "--games", "2"]));
    assert_eq!(run.code, Some(2), "{}", run.said());
    assert!(run.err.contains("gtp cannot play this game: boardsize 3: unacceptable size"), "{}", run.err);
    // The stones of a position are put down by turns.
    let engines = [format!("name=ours {GRUNDY}"), gtp("mnk:3,3,3")];
    let from = ["--game", "mnk:3,3,3", "--games", "2", "--position", "X../.O./... 1", "--movetime", "1000"];
    let run = referee(&arguments(&engines, &[&from[..], &["--time-margin", "2000"]].concat()));
    assert_eq!(run.code, Some(0), "{}", run.said());
    let audit = format!("proto=gtp {GRUNDY} --game mnk:3,3,3 gtp");
    let run = referee(&["audit", "--game", "mnk:3,3,3", "--engine", &audit, "--movetime", "2000"]);
    assert_eq!(run.code, Some(0), "{}", run.said());
}

#[test]
fn an_engine_that_ponders_is_told_whether_its_opponent_has_played_the_expected_reply() {
    let folder = folder();
    let log = folder.join("log");
    let script = "while read c more; do case $c in ugi) echo option name Ponder type check default false; \
                  echo ugiok;; isready) echo readyok;; quit) exit;; go) case $more in ponder*);; \
                  *) echo bestmove 1:1 ponder 1:1;; esac;; ponderhit|stop) echo bestmove 1:1 ponder 1:1;; \
                  esac; done";
    let ponders = format!("name=ponders ponder=on -- sh -c '{script}'");
    // Each takes one counter of six, or the opponent takes two.
    for (reply, hits, stops) in [("1:1", 2, 0), ("1:2", 0, 2)] {
        let script = format!(
            "while read c more; do case $c in ugi) echo ugiok;; isready) echo readyok;; quit) exit;; \
             go) echo bestmove {reply};; esac; done"
        );
        let engines = [ponders.clone(), format!("name=replies -- sh -c '{script}'")];
        let more = ["--game", "nim:6", "--games", "1", "--movetime", "20000", "--no-audit", "--log"];
        let run = referee(&arguments(&engines, &[&more[..], &[log.to_str().unwrap()]].concat()));
        assert_eq!(run.code, Some(0), "{}", run.said());
        assert!(run.out.contains("0-1 {Player 2 wins}"), "{}", run.said());
        let log = std::fs::read_to_string(&log).unwrap();
        let told =
            |line: &str| log.lines().filter(|told| told.contains(&format!("ponders < {line}"))).count();
        assert_eq!(told("setoption name Ponder value true"), 1, "{log}");
        assert_eq!(told("position startpos moves 1:1 1:1"), 1 + hits, "{log}");
        assert_eq!(
            [told("go ponder movetime 20000"), told("ponderhit"), told("stop")],
            [2, hits, stops],
            "{log}"
        );
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// Returns the command of an engine that runs a command of the shell when it is to ponder.
fn ponderer(command: &str) -> String {
    let script = format!(
        "while read c more; do case $c in ugi) echo ugiok;; isready) echo readyok;; quit) exit;; \
         go) case $more in ponder*) {command};; *) echo bestmove 1:1 ponder 1:1;; esac;; \
         ponderhit) echo bestmove 1:1;; esac; done"
    );
    format!("name=ponders ponder=on -- sh -c '{script}'")
}

#[test]
fn an_engine_that_ponders_is_read_while_its_opponent_thinks() {
    let folder = folder();
    let log = folder.join("log");
    let written = folder.join("written");
    let written = written.to_str().unwrap();
    let play = |ponders: String, wait: &str| {
        let slow = format!(
            "name=slow -- sh -c 'while read c more; do case $c in ugi) echo ugiok;; isready) echo readyok;; \
             quit) exit;; go) {wait}; echo bestmove 1:1;; esac; done'"
        );
        let more = ["--game", "nim:3", "--games", "1", "--movetime", "60000", "--no-audit", "--log"];
        referee(&arguments(&[ponders, slow], &[&more[..], &[log.to_str().unwrap()]].concat()))
    };
    // More than its pipe holds: its opponent does not answer before all of it is written.
    let until = format!("for i in `seq 800`; do [ -e {written} ] && break; sleep 0.05; done");
    let run = play(ponderer(&format!("printf \"%01000d\\n\" `seq 200`; : > {written}")), &until);
    assert_eq!(run.code, Some(0), "{}", run.said());
    assert!(run.out.contains("1-0 {Player 1 wins}"), "{}", run.said());
    let text = std::fs::read_to_string(&log).unwrap();
    let at = |line: &str| text.find(&format!(" ponders {line}\n")).unwrap_or_else(|| panic!("{line}"));
    // The pipe and the reader hold 80 KB, and 30 lines wait to be looked at.
    assert!(at(&format!("> {:01000}", 80)) < at("< ponderhit"), "it waited for a reader");
    // A fault is charged when the engine is to be asked.
    let run = play(ponderer("exit 7"), "sleep 1");
    assert_eq!(run.code, Some(4), "{}", run.said());
    assert!(run.said().contains("disconnects") && run.said().contains("exit status 7"), "{}", run.said());
    let run = play(ponderer("seq 100000 300000"), "sleep 1");
    assert_eq!(run.code, Some(4), "{}", run.said());
    assert!(run.said().contains("more than 100000 lines"), "{}", run.said());
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn openings_are_read_from_a_pgn_move_lists_and_obf() {
    let folder = folder();
    let file = folder.join("openings");
    let engines = [format!("name=a {GRUNDY}"), format!("name=b {GRUNDY}")];
    let play = |game: &str, text: &str| {
        std::fs::write(&file, text).unwrap();
        let openings = file.to_str().unwrap();
        let more =
            ["--game", game, "--openings", openings, "--movetime", "20", "--max-plies", "8", "--no-audit"];
        let run = referee(&arguments(&engines, &more));
        assert!(run.code.is_some_and(|code| code <= 1), "{}", run.said());
        run.out.matches("Finished game").count()
    };
    let pgn = "[Event \"a\"]\n[White \"x\"]\n\n1. e4 {best} e5 2. Nf3 *\n\n[Event \"b\"]\n\n1. d4 d5 *\n";
    assert_eq!(play("chess", pgn), 4);
    assert_eq!(play("chess", "e2e4 e7e5\nd4\n"), 4);
    let obf =
        "% remark\n---------------------------OX------XO--------------------------- X; F5:+0;\nF5D6C3\n";
    assert_eq!(play("othello", obf), 4);
    assert_eq!(play("chess", "1. e4 c5 2. Nf3\n1.d4 d5 2.c4 e6\n"), 4);
    let refused = |text: &[u8], why: &str| {
        std::fs::write(&file, text).unwrap();
        let run = referee(&arguments(&engines, &["--game", "chess", "--openings", file.to_str().unwrap()]));
        assert!(run.code == Some(2) && run.err.contains(why), "{}", run.said());
    };
    refused(b"", "openings has no openings: expected a PGN, or a position or moves a line");
    refused(b"# a remark\n\n", "openings has no openings: ");
    refused(b"\xff\xfe1\0", "this is UTF-16: expected text in UTF-8");
    refused(b"\x1b[31mx\n", "openings:1: bad position \"\\x1b[31mx\": ");
    refused(
        b"[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n1. e4 Ke4 *\n",
        "openings: game 2: move 2: \"Ke4\"",
    );
    refused(
        b"[Variant \"tictactoe\"]\n\n1. a1 b2 *\n",
        "openings: game 1: a game of tictactoe, expected chess",
    );
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn pairs_of_an_odd_number_of_games_continue_in_the_next_round() {
    let folder = folder();
    let record = folder.join("record");
    let engines = [format!("name=a {GRUNDY}"), format!("name=b {GRUNDY}"), format!("name=c {GRUNDY}")];
    let more = ["--game", "mnk:3,3,3", "--games", "3", "--rounds", "2", "--openings", "all:1"];
    let run = referee(&arguments(&engines, &[&more[..], &["--record", record.to_str().unwrap()]].concat()));
    assert_eq!(run.code, Some(0), "{}", run.said());
    let mut pairs: std::collections::BTreeMap<u64, Vec<serde_json::Value>> = Default::default();
    for game in games(&record) {
        pairs.entry(game["pair"].as_u64().unwrap()).or_default().push(game);
    }
    assert_eq!(pairs.len(), 9);
    for (pair, games) in pairs {
        let [one, two] = &games[..] else { panic!("{pair}: {games:?}") };
        assert_eq!(one["opening"], two["opening"], "{pair}");
        assert_eq!(
            (&one["engines"][0], &one["engines"][1]),
            (&two["engines"][1], &two["engines"][0]),
            "{pair}"
        );
    }
    std::fs::remove_dir_all(folder).unwrap();
}
