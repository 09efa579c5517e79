//! The conformance suite: our engine passes every check, and each check fails on an engine made to fail it.

use crate::tools::{GRUNDY, left_behind, referee, spoiler};

/// The checks that measure milliseconds: a busy machine fails them.
const TIMED: [&str; 3] = ["movetime", "infinite", "ready-in-search"];

#[test]
fn our_engine_conforms_in_both_dialects() {
    let checks = checks();
    let untimed = checks.iter().map(|(name, _)| name.as_str()).filter(|name| !TIMED.contains(name));
    let only: Vec<&str> = untimed.flat_map(|name| ["--only", name]).collect();
    conforms(&only);
}

#[test]
#[ignore = "milliseconds count: for a machine that does nothing else"]
fn our_engine_conforms_in_time() {
    conforms(&TIMED.map(|name| ["--only", name]).concat());
}

fn conforms(only: &[&str]) {
    std::thread::scope(|scope| {
        for (game, dialect) in
            [("tictactoe", "ugi"), ("tictactoe", "uci"), ("nim:2,3", "ugi"), ("nim:2,3", "uci")]
        {
            scope.spawn(move || {
                let mut all = vec!["conformance", "--engine", GRUNDY, "--game", game, "--dialect", dialect];
                all.extend(only);
                let run = referee(&all);
                assert_eq!(run.code, Some(0), "{}", run.said());
                assert_eq!(left_behind(run.pid), Vec::<u32>::new());
            });
        }
    });
}

#[test]
fn our_engine_conforms_to_the_protocol_of_gomocup() {
    let engine = format!("{GRUNDY} --game mnk:3,3,3 gomocup");
    let run = referee(&["conformance", "--engine", &engine, "--game", "mnk:3,3,3", "--dialect", "gomocup"]);
    assert_eq!(run.code, Some(0), "{}", run.said());
    assert!(run.out.contains("8 of 8 checks passed"), "{}", run.out);
}

#[test]
fn our_engine_conforms_to_the_protocols_of_xboard_nboard_and_hub() {
    for (dialect, game, checks) in
        [("xboard", "chess:KQvK", 8), ("nboard", "othello", 7), ("hub", "draughts:3men", 7)]
    {
        let engine = format!("{GRUNDY} --game {game} {dialect}");
        let run = referee(&["conformance", "--engine", &engine, "--game", game, "--dialect", dialect]);
        assert_eq!(run.code, Some(0), "{}", run.said());
        assert!(run.out.contains(&format!("{checks} of {checks} checks passed")), "{}", run.out);
    }
    let run = referee(&["conformance", "--engine", GRUNDY, "--game", "nim:3", "--dialect", "xboard"]);
    assert_eq!(run.code, Some(2), "{}", run.said());
    assert!(run.said().contains("expected one like chess"), "{}", run.said());
}

#[test]
fn in_a_game_for_points_scores_and_results_are_examined() {
    let run = referee(&[
        "conformance",
        "--engine",
        GRUNDY,
        "--game",
        "dots:1x2",
        "--only",
        "mate-score",
        "--only",
        "end-query",
    ]);
    assert_eq!(run.code, Some(0), "{}", run.said());
    assert!(run.out.contains("3 of 3 checks passed"), "{}", run.out);
}

/// The checks as the suite lists them, with the dialects they belong to.
fn checks() -> Vec<(String, String)> {
    let list = referee(&["conformance", "--engine", "x", "--list"]);
    let second = |line: &str| {
        let mut words = line.split_whitespace().skip(1);
        (words.next().unwrap().to_string(), words.next().unwrap().to_string())
    };
    list.out.lines().map(second).collect()
}

#[test]
fn each_check_fails_on_an_engine_that_breaks_its_rule() {
    let checks = checks();
    assert!(checks.len() > 40);
    let next = std::sync::atomic::AtomicUsize::new(0);
    // They mostly wait.
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                while let Some((name, dialect)) =
                    checks.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
                {
                    match dialect.as_str() {
                        "both" => ["ugi", "uci"].into_iter().for_each(|dialect| fails(name, dialect)),
                        dialect => fails(name, dialect),
                    }
                }
            });
        }
    });
}

fn fails(name: &str, dialect: &str) {
    let mut engine = format!("stall=1000 {} {name} {GRUNDY}", spoiler().display());
    let mut all = vec!["conformance", "--dialect", dialect, "--only", name];
    let games =
        [("gomocup", "mnk:3,3,3"), ("xboard", "chess:KQvK"), ("nboard", "othello"), ("hub", "draughts:2men")];
    if let Some((_, game)) = games.into_iter().find(|(protocol, _)| *protocol == dialect) {
        engine += &format!(" --game {game} {dialect}");
        all.extend(["--game", game]);
    }
    let run = referee(&[&all[..], &["--engine", &engine]].concat());
    assert_eq!(run.code, Some(3), "{name} in {dialect}: {}", run.said());
    assert!(run.out.contains(&format!("FAIL  {name}: ")), "{name}: {}", run.out);
    assert_eq!(left_behind(run.pid), Vec::<u32>::new(), "{name}");
}

#[test]
fn an_engine_that_never_says_a_word_is_given_up() {
    let run = referee(&[
        "conformance",
        "--engine",
        "startup=500 sleep 1000",
        "--dialect",
        "ugi",
        "--only",
        "greeting",
        "--only",
        "options",
        "--only",
        "ready",
        "--only",
        "bestmove",
        "--only",
        "pv",
    ]);
    assert_eq!(run.code, Some(3), "{}", run.said());
    assert!(
        run.out.contains("given up: the engine has said nothing of its own in 3 checks in a row"),
        "{}",
        run.out
    );
    assert!(run.out.contains("0 of 3 checks passed"), "{}", run.out);
}

#[test]
fn a_check_that_is_not_there_is_wrong_usage() {
    let run = referee(&["conformance", "--engine", GRUNDY, "--only", "manners"]);
    assert_eq!(run.code, Some(2), "{}", run.said());
}
