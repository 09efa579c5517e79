//! Protocol rules that real clients rely on, one test each.

use std::time::{Duration, Instant};

use crate::wire::Wire;
use grundy::catalog::{self, CATALOG};
use grundy::session::Settings;

/// Timeout: far more than any answer needs, far less than a hang.
const SOON: Duration = Duration::from_secs(30);

#[test]
fn the_handshake_ends_with_ok_in_both_dialects() {
    let wire = Wire::game("nim:3,5,7");
    wire.send("ugi");
    let lines = wire.until("ugiok");
    assert!(lines[0].starts_with("id name grundy "));
    assert!(lines[1].starts_with("id author "));
    for line in &lines[2..lines.len() - 1] {
        let (name, rest) = line.split_once(" type ").unwrap_or_else(|| panic!("{line}"));
        assert!(name.strip_prefix("option name ").is_some_and(|name| !name.is_empty()), "{line}");
        let words: Vec<&str> = rest.split(' ').collect();
        assert_eq!(words[1], "default", "{line}");
        assert!(!words[2].is_empty(), "{line}");
    }
    wire.send("uci");
    let lines = wire.until("uciok");
    let variant = lines.iter().find(|l| l.contains("UCI_Variant")).expect("UCI has variants");
    assert!(
        variant.contains("default chess")
            && variant.contains("var chess")
            && variant.contains("var standard")
    );
    assert!(variant.contains("var tictactoe") && variant.contains("var cfour"));
    wire.end();
}

#[test]
fn bestmove_is_two_words_and_nothing_follows_it() {
    let wire = Wire::game("nim:3,5,7");
    wire.send("go");
    let lines = wire.until("bestmove");
    assert_eq!(lines.last().expect("a line").split(' ').count(), 2);
    for line in &lines {
        assert!(line.len() >= 8, "{line}");
    }
    wire.silent_for(Duration::from_millis(50));
    wire.end();
}

#[test]
fn the_last_info_line_has_an_exact_score_and_its_numbers() {
    let wire = Wire::game("tictactoe");
    for position in ["startpos", "fen X.O/.../... 1", "fen XX./OO./... 1"] {
        wire.send(&format!("position {position}"));
        wire.send("go");
        let lines = wire.until("bestmove");
        let info: Vec<&str> = lines[lines.len() - 2].split(' ').collect();
        for key in ["depth", "nodes", "time", "nps"] {
            let at = info.iter().position(|w| *w == key).unwrap_or_else(|| panic!("no {key}: {info:?}"));
            info[at + 1].parse::<u64>().expect("a whole number");
        }
        assert!(!info.contains(&"lowerbound") && !info.contains(&"upperbound"));
        let value = info.iter().position(|w| *w == "value").expect("tables know the value");
        let pv = info.iter().position(|w| *w == "pv").expect("a line of play");
        assert!(value < pv);
        assert_eq!(format!("bestmove {}", info[pv + 1]), lines[lines.len() - 1]);
    }
    wire.end();
}

#[test]
fn a_mating_line_is_as_long_as_its_mate_and_ends_the_game() {
    let wire = Wire::game("tictactoe");
    // The mover wins in 3 plies: a double threat.
    wire.send("position fen X.O/.../O.X 1");
    wire.send("go");
    let lines = wire.until("bestmove");
    let info = &lines[lines.len() - 2];
    let plies: usize =
        info.split("mate ").nth(1).and_then(|s| s.split(' ').next()).expect("a mate").parse().expect("plies");
    let pv: Vec<&str> = info.split(" pv ").nth(1).expect("a line").split(' ').collect();
    assert_eq!(pv.len(), plies, "{info}");
    wire.send(&format!("position fen X.O/.../O.X 1 moves {}", pv.join(" ")));
    assert_eq!(wire.ask("query gameover"), "response true");
    assert_eq!(wire.ask("query result"), "response p1win");
    wire.send("uci");
    wire.until("uciok");
    wire.send("position fen X.O/.../O.X 1");
    wire.send("go");
    let lines = wire.until("bestmove");
    let info = &lines[lines.len() - 2];
    assert!(info.contains(&format!("mate {} ", plies.div_ceil(2))), "{info}");
    wire.end();
}

#[test]
fn the_line_of_a_known_value_is_short_under_a_short_clock() {
    let wire = Wire::game("dodgem:3");
    let plies = |go: &str| {
        wire.send(go);
        let lines = wire.until("bestmove");
        lines[lines.len() - 2].split(" pv ").nth(1).expect("a line").split(' ').count()
    };
    assert_eq!([plies("go"), plies("go movetime 500"), plies("go movetime 60000")], [20, 16, 20]);
    wire.end();
}

#[test]
fn a_finished_game_gets_no_move() {
    let wire = Wire::game("nim:0,0");
    assert_eq!(wire.ask("go"), "bestmove 0000");
    assert_eq!(wire.ask("query legalmoves"), "response none");
    assert_eq!(wire.ask("query bestmoves"), "response none");
    assert_eq!(wire.ask("query values"), "response none");
    assert_eq!(wire.ask("query value"), "response loss:0");
    assert_eq!(wire.ask("query result"), "response p2win");
    wire.send("uci");
    wire.until("uciok");
    wire.send("go");
    assert_eq!(wire.line(), "info depth 0 score mate 0");
    assert_eq!(wire.line(), "bestmove (none)");
    wire.end();
}

#[test]
fn a_refused_position_is_named_once_and_then_has_no_moves() {
    let wire = Wire::game("nim:3,5,7");
    for bad in ["position fen 3,x 1", "position startpos moves 1:1 9:9", "position fen 3,5 7", "moves 4:1"] {
        wire.send("position startpos");
        let error = wire.ask(bad);
        assert!(error.starts_with("info string error "), "{bad}: {error}");
        assert_eq!(wire.ask("go"), "bestmove 0000", "{bad}");
        assert_eq!(wire.ask("query result"), "response none");
        for query in ["fen", "legalmoves", "value", "values", "bestmoves", "islegal 1:1", "grundy"] {
            assert_eq!(wire.ask(&format!("query {query}")), "response none", "{bad}: {query}");
        }
    }
    wire.send("position startpos");
    assert_eq!(wire.ask("query islegal 1:1"), "response true");
    wire.end();
}

#[test]
fn a_position_from_which_the_rules_run_away_is_refused_however_it_is_typed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("away.rbg");
    let rules = "#players = a(100), b(100)\n#pieces = e, x, o\n#variables =\n\
        #board = rectangle(up,down,left,right,[e,e,e][e,e,e])\n#any = (up*+down*)(left*+right*)\n\
        #rules = (->a any {e} [x] ({! any {o}} + {? any {o}} ([x] [e])* {o}) [$ a=100, b=0] \
        ->b any {e} [x] [$ b=100, a=0])*";
    std::fs::write(&path, rules).unwrap();
    let name = format!("rules:file={}", path.display());
    let mut session = catalog::open(&name, &Settings::default()).unwrap();
    let start = session.position();
    for typed in ["o../... 1", "o..... 1", "o.. ... 1"] {
        let refusal = session.setup_typed(Some(typed)).unwrap_err().to_string();
        assert!(refusal.contains("runs away"), "{typed}: {refusal}");
        assert_eq!((session.position(), session.breakdown()), (start.clone(), None), "{typed}");
    }
    session.setup_typed(Some("x.....")).unwrap();
    assert_eq!(session.position(), "x../... 1");
}

#[test]
fn a_game_whose_ends_do_not_say_who_has_won_is_played_and_has_no_value() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sums.rbg");
    let rules = "#players = red(10), blue(10)\n#pieces = e, r, b\n#variables =\n\
        #board = rectangle(up,down,left,right,[e,e][e,e])\n#any = (up*+down*)(left*+right*)\n\
        #turn(me; p) = ->me any {e} [p] ({? up {p}} [$ me=me+1] + {! up {p}})\n\
        #rules = (turn(red; r) turn(blue; b))*";
    std::fs::write(&path, rules).unwrap();
    let name = format!("rules:file={}", path.display());
    let wire = Wire::game(&name);
    for query in ["value", "values", "bestmoves"] {
        let said = wire.ask(&format!("query {query}"));
        assert!(!said.contains("draw") && !said.contains("win"), "{query}: {said}");
    }
    wire.send("go");
    let lines = wire.until("bestmove");
    assert!(lines.iter().all(|line| !line.contains(" value ")), "{lines:?}");
    wire.end();
    for command in ["analyze", "tree", "solve"] {
        let mut grundy = std::process::Command::new(env!("CARGO_BIN_EXE_grundy"));
        let run = grundy.arg(command).arg(&name).output().unwrap();
        let said = String::from_utf8(run.stderr).unwrap();
        assert!(!run.status.success() && said.contains("scores of the sums "), "{command}: {said}");
        assert_eq!(String::from_utf8(run.stdout).unwrap(), "", "{command}");
    }
}

#[test]
fn errors_name_the_move_and_the_position() {
    let wire = Wire::game("nim:3,5,7");
    let error = wire.ask("position startpos moves 1:9");
    assert!(error.contains("1:9") && error.contains("3,5,7 1"), "{error}");
    assert!(wire.ask("frobnicate now").contains("frobnicate"));
    wire.end();
}

#[test]
fn queries_work_right_after_a_new_game() {
    let wire = Wire::game("nim:3,5,7");
    wire.send("position startpos moves 1:1");
    assert_eq!(wire.ask("query p2turn"), "response true");
    wire.send("uginewgame");
    assert_eq!(wire.ask("query p1turn"), "response true");
    assert_eq!(wire.ask("query fen"), "response 3,5,7 1");
    assert_eq!(wire.ask("query gameover"), "response false");
    assert_eq!(wire.ask("query result"), "response none");
    assert_eq!(wire.ask("query weather"), "response unknown");
    wire.end();
}

#[test]
fn an_infinite_search_that_has_its_proof_waits_for_stop() {
    let wire = Wire::game("nim:3,5,7");
    for go in ["go infinite", "go ponder"] {
        wire.send(go);
        wire.until("info depth");
        wire.silent_for(Duration::from_millis(60));
        assert_eq!(wire.ask("isready"), "readyok");
        let began = Instant::now();
        let best = wire.ask("stop");
        assert!(best.starts_with("bestmove ") && began.elapsed() < SOON, "{best}");
    }
    wire.send("go ponder");
    wire.until("info depth");
    assert!(wire.ask("ponderhit").starts_with("bestmove "));
    wire.send("stop");
    wire.silent_for(Duration::from_millis(20));
    wire.end();
}

#[test]
fn the_end_of_input_ends_a_search_with_its_move() {
    for last in ["", "quit\n", "qui"] {
        let wire = Wire::game("nim:3,5,7");
        wire.send("go infinite");
        wire.until("info depth");
        wire.bytes(last.as_bytes());
        let (lines, time) = wire.end();
        // What cannot be read is told behind the move.
        let told = lines.iter().find(|line| !line.starts_with("info string error"));
        assert!(told.is_some_and(|l| l.starts_with("bestmove ")), "{last:?}: {lines:?}");
        assert!(time < SOON, "{last:?}: {time:?}");
    }
}

#[test]
fn piped_commands_are_all_answered_before_the_end() {
    let wire = Wire::game("tictactoe");
    wire.bytes(b"ugi\nisready\nposition startpos moves b2\nquery value\nquery fen\ngo\nquit\n");
    let (lines, _) = wire.end();
    assert!(lines.contains(&"readyok".to_owned()), "{lines:?}");
    assert!(lines.contains(&"response .../.X./... 2".to_owned()), "{lines:?}");
    assert!(lines.last().is_some_and(|l| l.starts_with("bestmove ")), "{lines:?}");
}

#[test]
fn searchmoves_are_the_only_moves_looked_at() {
    let wire = Wire::game("nim:3,5,7");
    wire.send("go searchmoves 2:2 3:7 movetime 100");
    let lines = wire.until("bestmove");
    assert!(["bestmove 2:2", "bestmove 3:7"].contains(&lines[lines.len() - 1].as_str()), "{lines:?}");
    wire.end();
}

#[test]
fn multi_pv_shows_several_moves_best_first() {
    let wire = Wire::game("tictactoe");
    wire.send("setoption name MultiPV value 3");
    wire.send("position fen XX./OO./... 1");
    wire.send("go");
    let lines = wire.until("bestmove");
    for rank in 1..=3 {
        assert!(lines.iter().any(|l| l.contains(&format!(" multipv {rank} "))), "{lines:?}");
    }
    assert_eq!(lines[lines.len() - 1], "bestmove c3");
    wire.end();
}

#[test]
fn lines_of_several_ranks_are_proved_in_games_for_points_and_begin_with_different_moves() {
    let wire = Wire::game("kalah:4,4");
    wire.send("setoption name MultiPV value 3");
    for (position, lines) in [
        ("2,0,2,2/2,2,2,3 0-0 1", ["3 -5", "4 -5", "1 -11"]),
        ("1,2,3,1/1,2,1,2 0-0 1", ["4 +1", "3 -3", "1 -3"]),
        ("0,3,1,3/0,3,2,3 0-0 1", ["4 -1", "2 -7", "3 -7"]),
    ] {
        wire.send(&format!("position fen {position}"));
        wire.send("go");
        let said = wire.until("bestmove");
        let last = |rank: usize| {
            let line = said.iter().rev().find(|line| line.contains(&format!(" multipv {rank} "))).unwrap();
            let after =
                |word: &str| line.split(&format!(" {word} ")).nth(1).unwrap().split(' ').next().unwrap();
            format!("{} {}", after("pv"), after("value"))
        };
        let mut found = [1, 2, 3].map(last);
        // Equal values come in any order.
        found.sort();
        let mut expected = lines;
        expected.sort_unstable();
        assert_eq!(found, expected, "{position}: {said:?}");
    }
    wire.end();
}

#[test]
fn dots_keep_to_their_nodes_and_search_a_guess_under_a_clock() {
    let wire = Wire::game("dots:5x5");
    let nodes = |line: &String| {
        let words: Vec<&str> = line.split(' ').collect();
        let at = words.iter().position(|&word| word == "nodes")?;
        words[at + 1].parse::<u64>().ok()
    };
    wire.send("go nodes 2000");
    let said: Vec<u64> = wire.until("bestmove").iter().filter_map(nodes).collect();
    assert!(said.is_sorted() && said.last().is_some_and(|&last| last <= 2_300), "{said:?}");
    wire.send("go wtime 6000 btime 6000");
    let lines = wire.until("bestmove");
    assert!(lines.iter().any(|line| line.starts_with("info depth 3 ")), "{lines:?}");
    wire.end();
}

#[test]
fn a_tictactoe_match_is_spoken_as_uci_variants_do() {
    let wire = Wire::with(grundy::engine::Config::new(&CATALOG));
    wire.send("uci");
    wire.until("uciok");
    wire.send("setoption name UCI_Variant value tictactoe");
    assert_eq!(wire.ask("isready"), "readyok");
    wire.send("ucinewgame");
    let mut moves: Vec<String> = Vec::new();
    loop {
        let tail = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        wire.send(&format!("position fen 3/3/3[PPPPPpppp] w - - 0 1{tail}"));
        wire.send("go movetime 50");
        let best = wire.until("bestmove").pop().expect("a line");
        let Some(word) = best.strip_prefix("bestmove P@") else { break };
        moves.push(format!("P@{word}"));
    }
    assert_eq!(moves.len(), 9, "perfect play fills the board: {moves:?}");
    assert_eq!(wire.ask("query result"), "response draw");
    wire.end();
}

#[test]
fn weaken_plays_random_legal_moves_and_is_off_by_default() {
    let wire = Wire::game("nim:1000");
    let mut seen = std::collections::HashSet::new();
    wire.send("go");
    assert_eq!(wire.until("bestmove").pop().expect("a line"), "bestmove 1:1000");
    wire.send("setoption name Weaken value 100");
    for _ in 0..8 {
        wire.send("go");
        seen.insert(wire.until("bestmove").pop());
    }
    assert!(seen.len() > 4, "{seen:?}");
    wire.end();
}

#[test]
fn an_unknown_option_or_a_bad_value_is_never_fatal() {
    let wire = Wire::game("nim:3,5,7");
    for line in [
        "setoption name Nothing value 1",
        "setoption name Hash value -5",
        "setoption name Hash value many",
        "setoption name Ponder value perhaps",
        "setoption name Game value nim:x",
        "setoption name Game value chess:KXvK",
        "setoption name UCI_Variant value atomic",
    ] {
        assert!(wire.ask(line).starts_with("info string "), "{line}");
        assert_eq!(wire.ask("isready"), "readyok");
    }
    assert_eq!(wire.ask("query fen"), "response 3,5,7 1");
    wire.end();
}

#[test]
fn options_are_read_without_regard_to_capitals() {
    let wire = Wire::game("nim:3,5,7");
    for line in [
        "setoption name Ponder value True",
        "setoption name REPLY value FALSE",
        "setoption name distance value First",
        "setoption name METHOD value OWN",
        "setoption name move  overhead value 20",
        "setoption name Tables value Default",
        "setoption name UCI_Variant value NIM:3,5,7",
        "setoption name Game value Nim:3,5,7",
        "setoption name Game value",
        "setoption name Game value <empty>",
        "setoption name Game",
        "setoption name UCI_Variant value",
    ] {
        wire.send(line);
        assert_eq!(wire.ask("query fen"), "response 3,5,7 1", "{line}");
    }
    wire.send("setoption name UCI_Variant value Chess");
    assert!(wire.ask("query fen").starts_with("response rnbqkbnr/"));
    wire.send("setoption name uci_variant value CFour");
    assert!(wire.ask("query fen").starts_with("response ......./"));
    wire.end();
}

#[test]
fn a_path_in_a_game_name_may_have_colons_and_blanks() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a: b  c.dot");
    std::fs::write(&path, "\u{feff}digraph { \"a b\" [start=true, value=\"\"]; \"a b\" -> c; c [value=.5] }")
        .expect("room");
    let wire = Wire::game("nim:3,5,7");
    wire.send(&format!("setoption name Game value graph:file={}:repeat=3", path.display()));
    assert_eq!(wire.ask("query fen"), "response a%20b 1");
    assert_eq!(wire.ask("query value"), "response -1/2");
    wire.send("position fen a%20b 2 moves c");
    assert_eq!(wire.ask("query fen"), "response c 1");
    wire.end();
}

#[test]
fn a_heap_of_which_a_million_is_taken_at_once_is_answered_at_once() {
    for (game, value) in [
        ("subtract:5000000:set=1000000", "win"),
        ("subtract:1000000000000000000:set=1000000", "loss"),
        ("subtract:1000000000000:set=300000:misere", "loss"),
    ] {
        let wire = Wire::game(game);
        let began = Instant::now();
        let mut answer = wire.ask("query value");
        // On a busy machine the time of a question may pass before it has had a turn.
        while answer == "response ?" && began.elapsed() < Duration::from_secs(20) {
            answer = wire.ask("query value");
        }
        assert_eq!(answer, format!("response {value}"), "{game}");
        wire.end();
    }
}

#[test]
fn a_hundred_heaps_of_a_million_are_answered_without_a_search() {
    let heaps = vec!["1000000"; 99].join(",");
    let wire = Wire::game("nim:1");
    wire.send(&format!("position fen {heaps},999999 1"));
    wire.send("go");
    let lines = wire.until("bestmove");
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].contains(" nodes 1 ") && lines[0].contains(" value win "), "{lines:?}");
    wire.end();
}

/// `cargo test --release --test protocol -- --ignored idle`
#[test]
#[ignore = "measures time, on an idle machine"]
fn a_hundred_heaps_of_a_million_take_ten_milliseconds_on_an_idle_machine() {
    let heaps = vec!["1000000"; 99].join(",");
    let wire = Wire::game("nim:1");
    wire.send(&format!("position fen {heaps},999999 1"));
    let began = Instant::now();
    wire.send("go");
    wire.until("bestmove");
    assert!(began.elapsed() < Duration::from_millis(10), "{:?}", began.elapsed());
    wire.end();
}

#[test]
fn the_seed_fits_32_bits() {
    let wire = Wire::game("nim:3,5,7");
    wire.send("ugi");
    let seed = wire.until("ugiok").into_iter().find(|line| line.contains(" Seed ")).expect("an option");
    let most: i32 = seed.rsplit(' ').next().expect("a word").parse().expect("fits 32 bits with a sign");
    wire.send(&format!("setoption name Seed value {most}"));
    assert_eq!(wire.ask("isready"), "readyok");
    wire.end();
}

#[test]
fn the_same_game_after_a_new_one_is_the_same_to_the_node() {
    for (game, new) in [("chess", "ucinewgame"), ("connect4", "uginewgame"), ("hex:5", "new game")] {
        let wire = Wire::game(game);
        let mut said = Vec::new();
        for _ in 0..2 {
            wire.send(new);
            for _ in 0..2 {
                wire.send("go depth 4");
                let lines = wire.until("bestmove");
                let nodes =
                    |line: &String| line.split(" nodes ").nth(1)?.split(' ').next()?.parse::<u64>().ok();
                said.push(lines.iter().rev().find_map(nodes));
            }
        }
        assert_eq!(said[..2], said[2..], "{game}");
        wire.end();
    }
}

#[test]
fn the_option_rule50_changes_chess_and_nothing_else() {
    let wire = Wire::game("chess:KQvK");
    let position = "position fen 8/8/8/4k3/8/8/8/KQ6 w - - 99 80";
    wire.send(position);
    assert!(wire.ask("query value").starts_with("response win:"));
    wire.send("setoption name Rule50 value true");
    wire.send(position);
    assert_eq!(wire.ask("query gameover"), "response false");
    assert!(!wire.ask("query value").starts_with("response win:"));
    wire.send("setoption name Rule50 value false");
    wire.send(position);
    assert!(wire.ask("query value").starts_with("response win:"));
    wire.send("setoption name Game value nim:3,5,7");
    wire.send("setoption name Rule50 value true");
    assert_eq!(wire.ask("query fen"), "response 3,5,7 1");
    wire.end();
}

#[test]
fn a_known_result_is_told_apart_from_what_is_proved_now() {
    let wire = Wire::game("dots:4x5");
    wire.send("setoption name Query Time value 0");
    wire.send("query value");
    let lines = wire.until("response");
    assert!(
        lines[0].starts_with("info string known: >=+0; proved by grundy solve dots:4x5 --by search, "),
        "{lines:?}"
    );
    assert_eq!(lines[1..], ["response ?"], "a bound is no value");
    wire.send("setoption name Game value othello:6x6");
    wire.send("query value");
    let lines = wire.until("response");
    assert!(
        lines[0].starts_with("info string known: -4, kept by c2 b3 e4 d5; proved by grundy solve "),
        "{lines:?}"
    );
    assert_eq!(lines[1..], ["response -4"]);
    wire.send("query values");
    assert_eq!(wire.until("response").pop().as_deref(), Some("response c2=-4 b3=-4 e4=-4 d5=-4"));
    // A search with little time plays a move that keeps the value, and says why.
    wire.send("setoption name Game value dots:3x4");
    wire.send("go nodes 1");
    let lines = wire.until("bestmove");
    assert!(lines.iter().all(|line| !line.starts_with("info string known")), "a second's work: {lines:?}");
    wire.send("setoption name Game value morris:9");
    wire.send("setoption name Game value connect4:8x5");
    wire.send("go nodes 1");
    let lines = wire.until("bestmove");
    assert!(lines.iter().any(|line| line.starts_with("info string known: win:39")), "{lines:?}");
    // After a move nothing is known.
    wire.send("position startpos moves a");
    assert_eq!(wire.ask("query value"), "response ?");
    wire.end();
}

#[test]
fn queries_search_and_keep_what_go_has_proved() {
    let wire = Wire::game("connect4:5x4");
    wire.send("go");
    wire.until("bestmove");
    wire.send("setoption name Query Time value 0");
    assert_eq!(wire.ask("query value"), "response draw");
    wire.send("setoption name Query Time value 30000");
    assert_eq!(wire.ask("query values"), "response b=draw c=draw d=draw a=loss:20 e=loss:20");
    assert_eq!(wire.ask("query bestmoves"), "response b c d");
    wire.send("setoption name Game value domineering:5x5");
    wire.send("setoption name Query Time value 30000");
    assert_eq!(wire.ask("query value"), "response loss:12");
    wire.end();
}

#[test]
fn the_opening_book_can_be_turned_off() {
    let wire = Wire::game("connect4:7x6");
    wire.send("setoption name Query Time value 0");
    assert_eq!(wire.ask("query value"), "response win:41");
    wire.send("position startpos moves d");
    assert_eq!(wire.ask("query value"), "response loss:40");
    wire.send("setoption name OwnBook value false");
    assert_eq!(wire.ask("query value"), "response ?");
    wire.send("position startpos");
    wire.send("query value");
    let lines = wire.until("response");
    assert!(lines[0].starts_with("info string known: win:41, kept by d; proved by "), "{lines:?}");
    wire.end();
}

#[test]
fn perft_counts_lines_of_play_move_by_move() {
    let wire = Wire::game("tictactoe");
    wire.send("go perft 2");
    let lines = wire.until("Nodes searched");
    assert_eq!((lines.len(), lines[0].as_str(), lines[9].as_str()), (10, "a3: 8", "Nodes searched: 72"));
    for (line, total) in [("go perft 0", 1), ("go perft 9", 127_872), ("go depth 3 perft 1", 9)] {
        wire.send(line);
        assert_eq!(wire.until("Nodes searched").pop(), Some(format!("Nodes searched: {total}")), "{line}");
    }
    assert_eq!(
        wire.ask("go perft x"),
        "info string error bad number behind \"perft\": expected a whole number from 0 on, found \"x\"; perft is ignored"
    );
    assert_eq!(wire.line(), "Nodes searched: 0", "no search follows");
    wire.send("position fen XXX/OO./... 2");
    assert_eq!(wire.ask("go perft 3"), "Nodes searched: 0");
    wire.send("position nonsense");
    wire.line();
    assert_eq!(wire.ask("go perft 3"), "Nodes searched: 0");
    wire.end();
    let wire = Wire::game("chess");
    wire.send("go perft 30");
    wire.send("stop");
    assert!(wire.line().starts_with("info string stopped"));
    wire.send("position fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9");
    assert!(wire.line().contains("960"), "standard chess names the option");
    wire.send("setoption name UCI_Chess960 value true");
    wire.send("position fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9");
    wire.send("go perft 2");
    assert_eq!(wire.until("Nodes searched").pop().as_deref(), Some("Nodes searched: 528"));
    wire.end();
}
