//! Engines of XBoard's protocol as opponents.

use crate::tools::{GRUNDY, Run, arguments, folder, referee};

#[test]
fn an_engine_of_the_protocol_of_xboard_plays_a_match() {
    let folder = folder();
    let log = folder.join("log");
    let log = log.to_str().unwrap();
    let theirs = format!("name=theirs proto=xboard option.OwnBook=0 {GRUNDY} xboard");
    let engines = [format!("name=ours {GRUNDY}"), theirs];
    let limits = ["--games", "2", "--max-plies", "6", "--no-audit", "--time-margin", "5000", "--log", log];
    for (game, more, told) in [
        ("chess", ["--openings", "random:2", "--tc", "20+0.1"], "level 0 0:20 0.1"),
        ("chess:960", ["--openings", "random:0", "--depth", "2"], "variant fischerandom"),
        ("chess:KQvK", ["--openings", "random:1", "--movetime", "1000"], "st 1"),
    ] {
        let run = referee(&arguments(&engines, &[&["--game", game], &limits[..], &more].concat()));
        assert_eq!(run.code, Some(0), "{game}: {}", run.said());
        assert!(run.out.contains("Games: 2, "), "{game}: {}", run.out);
        let traffic = std::fs::read_to_string(log).unwrap();
        for line in ["protover 2", "ping 2", "usermove ", "option OwnBook=0", told] {
            assert!(traffic.contains(&format!("theirs < {line}")), "{game}, {line}: {traffic}");
        }
    }
    let run = referee(&arguments(&engines, &["--game", "tictactoe", "--games", "2"]));
    assert_eq!(run.code, Some(2), "{}", run.said());
    assert!(run.err.contains("theirs cannot play this game: tictactoe is no kind of chess"), "{}", run.err);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn features_without_end_are_refused_in_time() {
    let theirs =
        "name=theirs proto=xboard startup=2000 -- sh -c 'yes \"feature a=1\" & while read c; do :; done'";
    let run = play(theirs, &[]);
    assert_eq!(run.code, Some(2), "{}", run.said());
    assert!(run.err.contains("its greeting does not end"), "{}", run.err);
}

#[test]
fn the_words_of_cutechess_name_an_engine_and_one_that_ends_is_heard() {
    let run = play(&format!("name=theirs cmd={GRUNDY} arg=xboard proto=xboard"), &[]);
    assert_eq!(run.code, Some(0), "{}", run.said());
    let run = play("name=theirs proto=xboard -- sh -c 'echo no such game >&2; exit 2'", &[]);
    assert_eq!(run.code, Some(2), "{}", run.said());
    let said = "engine theirs disconnects: exit status 2; it says no such game";
    assert!(run.err.contains(said), "{}", run.err);
}

/// An engine that answers the commands of `cases`, in the syntax of the shell's `case`.
fn scripted(cases: &str) -> String {
    format!(
        "name=theirs proto=xboard -- sh -c 'while read c more; do case $c in {cases} quit) exit;; esac; done'"
    )
}

/// Plays a game of our engine against `theirs`, which moves first.
fn play(theirs: &str, more: &[&str]) -> Run {
    let engines = [theirs.to_owned(), format!("name=ours {GRUNDY}")];
    let game = ["--game", "chess", "--games", "1", "--depth", "1", "--max-plies", "8", "--no-audit"];
    referee(&arguments(&engines, &[&game[..], more].concat()))
}

#[test]
fn features_are_answered_and_need_no_end() {
    let folder = folder();
    let log = folder.join("log");
    let log = log.to_str().unwrap();
    // It has no feature done.
    let theirs = scripted(
        "protover) echo \"feature setboard=1 playother=1 debug=1\"; echo \"feature usermove=1 sigint=0\";; \
         go) echo \"move a2a4\";; usermove) echo resign;;",
    );
    let run = play(&theirs, &["--log", log]);
    assert!(run.code == Some(0) && run.out.contains("Player 1 resigns"), "{}", run.said());
    let traffic = std::fs::read_to_string(log).unwrap();
    for told in
        ["accepted setboard", "rejected playother", "accepted debug", "accepted sigint", "new", "usermove "]
    {
        assert!(traffic.contains(&format!("theirs < {told}")), "{told}: {traffic}");
    }
    // It knows version 1 only, and no commands for the user.
    let theirs = scripted(
        "protover|post|easy) echo \"Illegal move: $c $more\";; go) echo \"move a2a4\"; go=1;; \
         ????) if [ $go ]; then echo resign; fi;;",
    );
    let run = play(&theirs, &["--log", log]);
    assert!(run.code == Some(0) && run.out.contains("Player 1 resigns"), "{}", run.said());
    assert!(run.err.contains("warn: engine theirs: it names no features"), "{}", run.err);
    let traffic = std::fs::read_to_string(log).unwrap();
    assert!(!traffic.contains("usermove"), "{traffic}");
    // It asks for more time, and does not use it.
    let waits = scripted("protover) echo \"feature done=0\";;").replace("proto=", "startup=1500 proto=");
    let run = play(&waits, &[]);
    assert_eq!(run.code, Some(2), "{}", run.said());
    assert!(run.err.contains("theirs stalls: its features do not end with done=1"), "{}", run.err);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn an_engine_without_setboard_is_refused_where_games_begin_elsewhere() {
    let theirs = scripted("protover) echo \"feature usermove=1 done=1\";; go) echo resign;;");
    let run = play(&theirs, &["--position", "4k3/8/8/8/8/8/8/4KQ2 w - - 0 1"]);
    assert_eq!(run.code, Some(2), "{}", run.said());
    let said = "no game was played: engine theirs cannot play this game: it lacks the feature setboard, and so plays \
                from the usual start only, not from 4k3/8/8/8/8/8/8/4KQ2 w - - 0 1";
    assert!(run.err.contains(said), "{}", run.err);
}

#[test]
fn a_result_that_an_engine_claims_is_judged_by_the_rules() {
    let folder = folder();
    let record = folder.join("record");
    let record = record.to_str().unwrap();
    let (usual, bare) =
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "8/8/4k3/8/8/3K4/8/8 w - - 0 1");
    let fifty = "6k1/8/8/8/8/8/8/K6R w - - 99 80";
    for (position, claim, code, result) in [
        (
            usual,
            "1/2-1/2 {Draw by repetition}",
            3,
            "0-1 {Player 1 breaks the protocol: it claims \"1/2-1/2 {Draw",
        ),
        (usual, "1-0 {White mates}", 3, "0-1 {Player 1 breaks the protocol: it claims \"1-0 {White mates}\""),
        (usual, "0-1 {Black mates}", 0, "0-1 {Player 1 resigns}"),
        (
            bare,
            "1/2-1/2 {Insufficient material}",
            0,
            "1/2-1/2 {Player 1 claims the draw: neither side can mate}",
        ),
        (fifty, "1/2-1/2 {Fifty moves}", 0, "1/2-1/2 {Draw by the rules}"),
    ] {
        let theirs = scripted(&format!(
            "protover) echo \"feature setboard=1 usermove=1 done=1\";; go) echo \"{claim}\";;"
        ));
        let run = play(&theirs, &["--position", position, "--record", record]);
        assert_eq!(run.code, Some(code), "{claim}: {}", run.said());
        assert!(run.out.contains(result), "{claim}: {}", run.said());
        // The record has this ending, and it follows from the rules.
        let exported = referee(&["export", record, "--junit"]);
        assert_eq!(exported.code, Some(0), "{claim}: {}", exported.said());
        assert_eq!(exported.out.contains("<error"), code != 0, "{claim}: {}", exported.out);
        std::fs::remove_file(record).unwrap();
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_an_engine_says_beside_its_moves_is_no_fault() {
    let talk = "offer draw|telluser hello|tellopponent resign|tellall 1 2 3 4|# 1-0|Illegal move: easy|\
                Error (unknown command): post|Error (unknown command): accepted";
    let talk: String = talk.split('|').map(|line| format!("echo \"{line}\"; ")).collect();
    let features = "protover) echo \"feature usermove=1 done=1\";;";
    let run = play(
        &scripted(&format!("{features} go) {talk} echo \"move a2a4\"; {talk};; usermove) echo resign;;")),
        &[],
    );
    assert!(run.code == Some(0) && run.out.contains("Player 1 resigns"), "{}", run.said());
    let refuses =
        scripted(&format!("{features} go) echo \"move a2a4\";; usermove) echo \"Error (what): $c\";;"));
    let run = play(&refuses, &[]);
    assert_eq!(run.code, Some(3), "{}", run.said());
    assert!(
        run.out.contains("Player 1 breaks the protocol: it says \"Error (what): usermove\""),
        "{}",
        run.said()
    );
}
