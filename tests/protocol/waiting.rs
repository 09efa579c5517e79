//! Queued commands, commands served at once, and how the engine exits.

use std::time::{Duration, Instant};

use crate::wire::Wire;

/// Timeout: far more than any answer needs, far less than a hang.
const SOON: Duration = Duration::from_secs(30);

/// Sends a whole conversation in one piece and returns the output until the end.
fn piped(game: &str, text: &str) -> Vec<String> {
    let wire = Wire::game(game);
    wire.bytes(text.as_bytes());
    wire.end().0
}

/// Returns the lines without those of searches and without notes that a search was stopped.
fn answers(lines: &[String]) -> Vec<&str> {
    let said = |line: &&str| !line.starts_with("info depth") && !line.ends_with("the move is not searched");
    lines.iter().map(String::as_str).filter(said).collect()
}

#[test]
fn a_question_before_the_end_of_input_is_answered() {
    assert_eq!(piped("mnk:4,4,4", "query value\n"), ["response draw"]);
    assert_eq!(piped("dots:2x2", "query value"), ["response +2"]);
    assert_eq!(
        piped("nim:3,5,7", "isready\nquery fen\nisready\n"),
        ["readyok", "response 3,5,7 1", "readyok"]
    );
}

#[test]
fn a_search_before_the_end_of_input_has_its_own_limits() {
    let lines = piped("connect4:7x7", "go nodes 100000\n");
    assert!(lines.iter().any(|line| line.contains(" nodes 100000 ")), "{lines:?}");
    let began = Instant::now();
    piped("connect4:7x7", "go movetime 700\n");
    assert!(began.elapsed() > Duration::from_millis(600), "{:?}", began.elapsed());
}

#[test]
fn what_stands_behind_a_go_waits_its_turn() {
    let lines = piped(
        "connect4:7x7",
        "go nodes 20000\nquery p1turn\nposition startpos moves d\nquery p1turn\ngo nodes 1000\n\
         setoption name Game value nim:1,2\nquery fen\nmoves 2:1\nuginewgame\nquery fen\n",
    );
    let said = answers(&lines);
    assert!(said[0].starts_with("bestmove ") && said[3].starts_with("bestmove "), "{said:?}");
    assert_eq!(said[1..3], ["response true", "response false"]);
    assert_eq!(said[4..], ["response 1,2 1", "response 1,2 1"]);
}

#[test]
fn a_stop_reaches_a_count_that_waits() {
    let wire = Wire::game("connect4:7x7");
    wire.send("go infinite");
    wire.send("go perft 30");
    wire.send("stop");
    wire.send("query p1turn");
    let lines = wire.until("response");
    assert!(lines.iter().any(|line| line.contains("not all counted")), "{lines:?}");
    wire.end();
}

#[test]
fn refused_weights_change_nothing() {
    let wire = Wire::game("connect4:7x7");
    wire.send("setoption name Weights value /nonexistent");
    assert!(wire.until("info string error")[0].contains("/nonexistent"));
    wire.send("setoption name Hash value 16");
    wire.send("setoption name Game value tictactoe");
    assert_eq!(wire.ask("query fen"), "response .../.../... 1");
    wire.end();
}

#[test]
fn a_quick_answer_before_quit_is_the_one_that_would_come_without_it() {
    let lines = piped("nim:3,5,7", "go\nquery value\nquit\nquery fen\n");
    assert_eq!(answers(&lines), ["bestmove 1:1", "response win"]);
}

#[test]
fn a_move_that_quit_leaves_unsearched_says_so() {
    let text = "go movetime 20000\nposition startpos moves d\ngo movetime 20000\nquit\n";
    let lines = piped("connect4:7x7", text);
    let best: Vec<usize> = (0..lines.len()).filter(|&i| lines[i].starts_with("bestmove ")).collect();
    assert_eq!(best.len(), 2, "{lines:?}");
    for at in best {
        assert!(lines[at - 1].starts_with("info string quit came before "), "{lines:?}");
    }
    let unsearched = lines.iter().filter(|line| line.contains(" nodes 0 ")).count();
    let said = lines.iter().filter(|line| line.ends_with("the move is not searched")).count();
    assert_eq!(unsearched, said, "{lines:?}");
    // A complete answer has no such note.
    let known = piped("nim:3,5,7", "go\nquit\n");
    assert!(!known.iter().any(|line| line.starts_with("info string")), "{known:?}");
}

#[test]
fn a_position_is_set_up_by_its_number_with_moves_behind_it() {
    let text = "query index\nposition index 1 moves 1\nquery fen\nposition index 99\ngo\nposition index x\n\
                position index 3\nquery index\nquery fen\n";
    let lines = piped("stones:..XX:table", text);
    let answers: Vec<&str> = answers(&lines);
    assert_eq!(answers[0], "response 12", "{lines:?}");
    let refused = lines.iter().filter(|line| line.starts_with("info string error bad position ")).count();
    assert!(refused >= 2, "{lines:?}");
    assert!(lines.contains(&"bestmove 0000".to_owned()), "{lines:?}");
    assert_eq!(&answers[answers.len() - 2..], ["response 3", "response XX.. 1"], "{lines:?}");
}

#[test]
fn only_searches_without_an_end_are_ended_by_the_end_of_input() {
    let lines = piped("connect4:7x7", "go infinite\nquery p1turn\ngo ponder wtime 1000000\nquery p2turn\n");
    let said = answers(&lines);
    assert!(said[0].starts_with("bestmove ") && said[2].starts_with("bestmove "), "{said:?}");
    assert_eq!((said[1], said[3]), ("response true", "response false"));
}

#[test]
fn stop_quit_ponderhit_and_isready_are_served_at_once() {
    let wire = Wire::game("connect4:7x7");
    wire.send("go infinite\nquery p1turn\nposition startpos moves d\nquery p1turn");
    wire.send("isready");
    wire.until("readyok");
    wire.send("stop");
    wire.until("bestmove");
    assert_eq!(wire.line(), "response true");
    assert_eq!(wire.line(), "response false");
    wire.send("go ponder p2time 100\nquery p2turn");
    wire.until("info depth");
    wire.send("ponderhit");
    wire.until("bestmove");
    assert_eq!(wire.line(), "response true");
    wire.send("go infinite\nquery p2turn");
    wire.until("info depth");
    let began = Instant::now();
    wire.send("quit");
    let (lines, _) = wire.end();
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
    assert!(lines.iter().any(|line| line.starts_with("bestmove ")), "{lines:?}");
}

#[test]
fn what_cannot_be_read_is_told_in_its_place() {
    let lines = piped("connect4:6x5", "position startpos\ngo nodes 300\nfoo bar\nquery fen\n");
    let at = |start: &str| lines.iter().position(|line| line.starts_with(start)).expect(start);
    assert!(
        at("bestmove") < at("info string error unknown command") && at("info string error") < at("response")
    );
}

#[test]
fn a_mate_within_the_moves_asked_for_ends_the_search() {
    let lines = piped("chess", "uci\nposition fen 7k/8/5K2/8/8/8/8/Q7 w - - 0 1\ngo mate 5\n");
    assert!(lines.last().is_some_and(|line| line.starts_with("bestmove ")), "{lines:?}");
}

#[test]
fn a_search_on_the_opponents_time_ends_at_its_own_limit() {
    let wire = Wire::game("othello:8x8");
    for limit in ["depth 2", "nodes 100", "mate 1"] {
        wire.send(&format!("go ponder {limit}"));
        wire.until("info depth");
        std::thread::sleep(Duration::from_millis(300));
        let began = Instant::now();
        wire.send("ponderhit");
        wire.until("bestmove");
        assert!(began.elapsed() < Duration::from_secs(2), "{limit}: {:?}", began.elapsed());
    }
}

#[test]
fn a_stop_is_for_every_search_that_was_asked_for_before_it() {
    let wire = Wire::game("connect4:7x7");
    wire.bytes(
        b"go infinite\nstop\ngo infinite\ngo infinite\nstop\ngo ponder p1time 200\nponderhit\nisready\n",
    );
    for _ in 0..4 {
        wire.until("bestmove");
    }
    wire.end();
}

#[test]
fn the_queue_of_a_search_without_an_end_is_bounded_and_stop_is_heard() {
    let wire = Wire::game("connect4:7x7");
    wire.send("go infinite");
    wire.until("info depth");
    wire.bytes("query p1turn\n".repeat(30_000).as_bytes());
    wire.send("stop");
    let lines = wire.end().0;
    let count = |start: &str| lines.iter().filter(|line| line.starts_with(start)).count();
    assert_eq!(count("bestmove "), 1);
    assert_eq!((count("response true"), count("info string error too many lines")), (10_000, 20_000));
}

#[test]
fn a_search_with_an_end_lets_any_number_of_lines_wait() {
    let lines = piped("connect4:7x7", &format!("go nodes 50000\n{}", "query p1turn\n".repeat(30_000)));
    assert_eq!(answers(&lines).len(), 30_001);
}

#[test]
fn a_position_that_cannot_be_read_is_a_refused_one() {
    let wire = Wire::game("nim:3,5,7");
    for bad in
        ["position", "position fen", "position startpos 1:1", "position 3,5,7 1", "position fen moves 1:1"]
    {
        wire.send("position startpos");
        let error = wire.ask(bad);
        let named = bad.strip_prefix("position").expect("a position").trim();
        assert!(error.starts_with("info string error bad position") && error.contains(named), "{error}");
        assert_eq!(wire.ask("go"), "bestmove 0000", "{bad}");
        assert_eq!(wire.ask("query fen"), "response none", "{bad}");
    }
    wire.send("uginewgame");
    assert_eq!(wire.ask("query fen"), "response 3,5,7 1");
    wire.end();
}

#[test]
fn a_position_that_no_method_solves_in_time_is_played_by_playouts() {
    // Neither game has a search of its own, and the second is too large for any method.
    for game in ["cram:8x8", "subset-takeaway:7"] {
        let lines = piped(game, "go movetime 300\n");
        let last = lines.iter().rfind(|line| line.starts_with("info depth")).expect("a line of play");
        assert!(!last.contains(" nodes 0 ") && !last.contains(" value "), "{game}: {last}");
        assert!(lines.last().is_some_and(|line| line.starts_with("bestmove")), "{game}: {lines:?}");
        // The time bounds the method, the number of nodes the playouts after it.
        let counted = piped(game, "go nodes 200 movetime 1000\n");
        let last = counted.iter().rfind(|line| line.starts_with("info depth")).expect("a line of play");
        assert!(last.contains(" nodes 200 "), "{game}: {last}");
    }
}

#[test]
fn move_overhead_is_kept_back() {
    let wire = Wire::game("connect4:7x7");
    wire.send("setoption name Move Overhead value 59900");
    let began = Instant::now();
    wire.send("go movetime 60000");
    wire.until("bestmove");
    // A tenth of a second is left; without the option it would be a whole minute.
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
    wire.end();
}

#[test]
fn plain_words_are_understood_beside_the_others() {
    let wire = Wire::game("nim:3,5,7");
    wire.send("new game tictactoe");
    wire.send("move b2");
    assert_eq!(wire.ask("query fen"), "response .../.X./... 2");
    assert!(wire.ask("move b2").contains("illegal move \"b2\""));
    assert_eq!(wire.ask("query fen"), "response .../.X./... 2");
    wire.send("reply on");
    wire.send("move a1");
    let reply = wire.until("bestmove").pop().expect("a line");
    assert_eq!(wire.ask("query p2turn"), "response true");
    wire.send("reply off");
    let free = wire.ask("query legalmoves");
    assert!(!free.contains(reply.trim_start_matches("bestmove ")), "{reply} {free}");
    wire.send("new game");
    assert_eq!(wire.ask("query fen"), "response .../.../... 1");
    assert!(wire.ask("new game tictacto").contains("did you mean tictactoe?"));
    assert_eq!(wire.ask("query fen"), "response .../.../... 1");
    for bad in ["move", "move a1 b2", "new", "reply", "reply maybe"] {
        assert!(wire.ask(bad).starts_with("info string error "), "{bad}");
    }
    wire.send("help");
    for line in grundy::protocol::HELP.lines() {
        assert_eq!(wire.line(), format!("info string {line}"));
    }
    wire.end();
}

#[test]
fn under_uci_the_expected_answer_is_named_for_pondering() {
    let wire = Wire::game("tictactoe");
    wire.send("uci");
    wire.until("uciok");
    wire.send("go");
    assert_eq!(wire.until("bestmove").pop().map(|best| best.split(' ').count()), Some(2), "nobody asked");
    wire.send("setoption name Ponder value true");
    wire.send("go");
    let lines = wire.until("bestmove");
    let words: Vec<&str> = lines[lines.len() - 1].split(' ').collect();
    assert_eq!((words.len(), words[2]), (4, "ponder"));
    wire.send(&format!("position startpos moves {}", words[1]));
    assert_eq!(wire.ask(&format!("query islegal {}", words[3])), "response true");
    // The expected move is played: the search on the opponent's time continues on the engine's own.
    wire.send(&format!("position startpos moves {} {}", words[1], words[3]));
    wire.send("go ponder wtime 60000 btime 60000");
    wire.until("info depth");
    wire.silent_for(Duration::from_millis(30));
    let best = wire.ask("ponderhit");
    assert!(best.starts_with("bestmove "), "{best}");
    // Another move is played: the client stops the search.
    wire.send(&format!("position startpos moves {} {}", words[1], words[3]));
    wire.send("go ponder wtime 60000 btime 60000");
    wire.until("info depth");
    assert!(wire.ask("stop").starts_with("bestmove "));
    // The last move of a game has no reply.
    wire.send("position fen XX./OO./... 1");
    wire.send("go");
    assert_eq!(wire.until("bestmove").pop().as_deref(), Some("bestmove c3"));
    wire.send("setoption name UCI_Variant value tictactoe");
    wire.send("go");
    let best = wire.until("bestmove").pop().expect("a line");
    let words: Vec<&str> = best.split(' ').collect();
    assert!(words[1].starts_with("P@") && words[3].starts_with("P@"), "{best}");
    wire.end();
}

#[test]
fn a_game_of_very_many_moves_is_answered() {
    let wire = Wire::game("nim:1000000");
    wire.send(&format!("position startpos moves {}", "1:1 ".repeat(60_000)));
    let began = Instant::now();
    wire.send("go movetime 100");
    assert_eq!(wire.until("bestmove").pop().as_deref(), Some("bestmove 1:940000"));
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
    wire.end();
}

#[test]
fn a_move_with_little_time_does_not_wait_for_the_book() {
    let mut times = Vec::new();
    for _ in 0..3 {
        let wire = Wire::game("connect4");
        let began = Instant::now();
        wire.send("go movetime 10");
        wire.until("bestmove");
        times.push(began.elapsed());
        // The book is read meanwhile.
        wire.send("isready");
        wire.until("readyok");
        assert_eq!(wire.ask("query value"), "response win:41");
        wire.end();
    }
    assert!(times.iter().min().is_some_and(|&time| time < Duration::from_millis(300)), "{times:?}");
}

#[test]
fn cyclic_play_ends_with_the_third_repetition_if_the_name_has_the_section() {
    let wire = Wire::game("lgame:repeat=3");
    let fen = |wire: &Wire| wire.ask("query fen");
    let start = fen(&wire);
    let there_and_back = there_and_back(&wire);
    wire.send(&format!("position startpos moves {}", there_and_back.join(" ")));
    assert_eq!((fen(&wire), wire.ask("query gameover")), (start.clone(), "response false".to_owned()));
    let twice = [there_and_back.join(" "), there_and_back.join(" ")].join(" ");
    wire.send(&format!("position startpos moves {twice}"));
    assert_eq!(fen(&wire), start);
    assert_eq!(wire.ask("query gameover"), "response true");
    assert_eq!(wire.ask("query result"), "response draw");
    assert_eq!(wire.ask("query legalmoves"), "response none");
    assert_eq!(wire.ask("go"), "bestmove 0000");
    // Without the section nothing ends.
    wire.send("setoption name Game value lgame");
    wire.send(&format!("position startpos moves {twice}"));
    assert_eq!(wire.ask("query gameover"), "response false");
    assert!(
        wire.ask("setoption name Game value nim:3,5,7:repeat=3").starts_with("info string error no repeat=3")
    );
    assert!(wire.ask("setoption name Game value lgame:repeat=2").contains("expected repeat=3"));
    wire.end();
}

/// Returns four moves of the L-Game that lead back to its start.
fn there_and_back(wire: &Wire) -> Vec<String> {
    let position = |moves: &[String]| {
        let tail = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        wire.send(&format!("position startpos{tail}"));
    };
    let legal = |moves: &[String]| -> Vec<String> {
        position(moves);
        let said = wire.ask("query legalmoves");
        said.split(' ').skip(1).filter(|word| !word.contains(':')).map(str::to_owned).collect()
    };
    position(&[]);
    let start = wire.ask("query fen");
    for first in legal(&[]) {
        for second in legal(std::slice::from_ref(&first)) {
            for third in legal(&[first.clone(), second.clone()]) {
                for fourth in legal(&[first.clone(), second.clone(), third.clone()]) {
                    let moves = vec![first.clone(), second.clone(), third.clone(), fourth];
                    position(&moves);
                    if wire.ask("query fen") == start {
                        return moves;
                    }
                }
            }
        }
    }
    panic!("the L-Game is cyclic")
}
