//! The protocols of other programs: Gomocup, Hub, NBoard, XBoard.

use std::io::Cursor;
use std::time::{Duration, Instant};

use crate::wire::{Wire, output};
use grundy::catalog::CATALOG;
use grundy::engine::{Config, Protocol, run};
use grundy::game::{GameResult, Player};
use grundy::random::SplitMix64;
use grundy::session::Settings;

fn config(protocol: Protocol, game: Option<&str>) -> Config {
    Config { game: game.map(str::to_owned), protocol: Some(protocol), ..Config::new(&CATALOG) }
}

/// Sends a whole conversation at once; returns all answers.
fn talk(protocol: Protocol, game: Option<&str>, input: &str) -> Vec<String> {
    let mut out = Vec::new();
    run(Cursor::new(input.to_owned()), &mut out, config(protocol, game)).expect("no stream fails");
    String::from_utf8(out).expect("UTF-8").lines().map(str::to_owned).collect()
}

// ---- Gomocup ----

fn gomocup(game: &str, input: &str) -> Vec<String> {
    let lines = talk(Protocol::Gomocup, Some(game), input);
    lines.into_iter().filter(|line| !line.starts_with("MESSAGE")).collect()
}

#[test]
fn gomocup_plays_on_the_board_that_is_set_up() {
    let wire = Wire::with(config(Protocol::Gomocup, Some("mnk:3,3,3")));
    assert_eq!(wire.ask("START 3"), "OK");
    let mut rules = CATALOG.open("mnk:3,3,3", &Settings::default()).expect("a game");
    while rules.over().is_none() {
        let word = rules.legal_moves(1).remove(0);
        rules.play(&word).expect("a legal move");
        if rules.over().is_some() {
            break;
        }
        let (column, row) = (word.as_bytes()[0] - b'a', &word[1..]);
        wire.send(&format!("TURN {column},{}", row.parse::<usize>().expect("a row") - 1));
        let answer = loop {
            let line = wire.line();
            if !line.starts_with("MESSAGE") {
                break line;
            }
        };
        let (x, y) = answer.split_once(',').unwrap_or_else(|| panic!("{answer}"));
        let column = char::from(b'a' + x.parse::<u8>().expect("a number"));
        rules
            .play(&format!("{column}{}", y.parse::<usize>().expect("a number") + 1))
            .expect("a legal answer");
    }
    assert_ne!(rules.result(), Some(GameResult::Win(Player::One)), "it does not lose");
    wire.send("END");
    wire.send("ABOUT");
    assert_eq!(wire.end().0, [""; 0], "nothing is said after END");
    // Row 0 has two own stones: the third wins, on boards that are no squares, too.
    let board = "BOARD\n0,0,1\n1,0,1\n0,2,2\n1,2,2\nDONE\n";
    assert_eq!(gomocup("mnk:4,3,3", &format!("RECTSTART 4,3\n{board}")), ["OK", "2,0"]);
    // The opponent is to be stopped.
    let board = "BOARD\n0,0,2\n1,0,2\n1,1,1\nDONE\n";
    assert_eq!(gomocup("mnk:3,3,3", &format!("START 3\n{board}")), ["OK", "2,0"]);
}

#[test]
fn gomocup_answers_mistakes_in_one_line_and_goes_on() {
    for (input, expected) in [
        ("BEGIN", "ERROR BEGIN without a board"),
        ("START x", "ERROR expected START SIZE"),
        ("START 64", "ERROR unsupported size 64x64"),
        ("START 2", "ERROR unsupported size 2x2"),
        ("RECTSTART 5", "ERROR expected RECTSTART WIDTH,HEIGHT"),
        ("START 3\nTURN 3,0", "ERROR bad cell \"3,0\""),
        ("START 3\nTURN a", "ERROR bad cell"),
        ("START 3\nTURN 1,1\nTURN 1,1", "ERROR the cell 1,1 is taken"),
        ("START 3\nTAKEBACK 1,1", "ERROR TAKEBACK 1,1"),
        ("START 3\nDONE", "ERROR DONE without BOARD"),
        ("START 3\nBOARD\n0,0,1\nDONE", "ERROR it is not this player's turn"),
        ("START 3\nBOARD\n0,0,3\nDONE", "ERROR bad line \"0,0,3\""),
        ("START 3\nBOARD\n0,0,2\n0,0,2\nDONE", "ERROR the cell 0,0 is taken"),
        ("START 3\nBOARD\n0,0,2\n1,0,2\n2,0,2\n0,1,1\n1,1,1\nDONE", "ERROR the game is over"),
        ("INFO rule 1", "ERROR INFO rule 1 is not played"),
        ("START 3\nINFO rule 4\nBEGIN", "ERROR INFO rule 4 is not played"),
        ("SWAP2BOARD", "UNKNOWN command SWAP2BOARD"),
    ] {
        let lines = gomocup("mnk:3,3,3", &format!("{input}\nABOUT\n"));
        let [.., answer, about] = &lines[..] else { panic!("{input}: {lines:?}") };
        assert!(answer.starts_with(expected), "{input}: {lines:?}");
        assert!(about.starts_with("name=\"grundy\", version="), "{input}: {lines:?}");
    }
    // A stone can be taken back and the rule corrected.
    let game = "START 3\nINFO rule 1\nINFO rule 0\nINFO max_memory 1000000\nTURN 0,0\nRESTART\nTURN 1,1\nTAKEBACK 0,1\n";
    let lines = gomocup("mnk:3,3,3", game);
    assert_eq!((lines[2].matches(',').count(), lines[3].as_str()), (1, "OK"), "{lines:?}");
    assert!(lines[5].starts_with("ERROR TAKEBACK") || lines[5] == "OK", "{lines:?}");
}

#[test]
fn gomocup_plays_five_in_a_row_on_the_usual_boards_in_time() {
    for size in [15, 20] {
        let began = Instant::now();
        let input = format!(
            "START {size}\nINFO timeout_turn 300\nINFO timeout_match 60000\nINFO time_left 60000\nTURN 7,7\n"
        );
        let lines = talk(Protocol::Gomocup, None, &input);
        assert!(began.elapsed() < Duration::from_secs(10), "{lines:?}");
        assert!(lines.iter().any(|line| line.starts_with("MESSAGE depth ")), "{lines:?}");
        assert!(lines.last().is_some_and(|line| line.contains(',')), "{lines:?}");
    }
    // An open three of the engine, and a four of the opponent's that must be blocked at its one open end.
    let board = "START 15\nINFO timeout_turn 300\nBOARD\n7,7,2\n7,8,1\n8,7,2\n8,8,1\n9,7,2\n9,8,1\n10,7,2\n6,7,1\n5,5,2\n12,12,1\n3,2,2\nDONE\n";
    assert_eq!(gomocup_default(board), ["OK", "11,7"]);
}

fn gomocup_default(input: &str) -> Vec<String> {
    let lines = talk(Protocol::Gomocup, None, input);
    lines.into_iter().filter(|line| !line.starts_with("MESSAGE")).collect()
}

// ---- XBoard ----

fn xboard(input: &str) -> Vec<String> {
    talk(Protocol::XBoard, None, input)
}

#[test]
fn xboard_is_told_the_features_and_recognized_by_its_first_word() {
    for lines in [xboard("xboard\nprotover 2\n"), {
        let mut out = Vec::new();
        run(Cursor::new("xboard\nprotover 2\n"), &mut out, Config::new(&CATALOG)).expect("no stream fails");
        String::from_utf8(out).expect("UTF-8").lines().map(str::to_owned).collect()
    }] {
        assert_eq!(lines.first().map(String::as_str), Some("feature done=0"), "{lines:?}");
        assert_eq!(lines.last().map(String::as_str), Some("feature done=1"), "{lines:?}");
        let all = lines.join(" ");
        for feature in ["ping=1", "setboard=1", "usermove=1", "analyze=1", "variants=\"normal,fischerandom\""]
        {
            assert!(all.contains(feature), "{feature}: {all}");
        }
    }
    let wire = Wire::game("nim:1,2");
    assert!(wire.ask("xboard").starts_with("info string error XBoard's protocol plays chess"));
    assert_eq!(wire.ask("query p1turn"), "response true");
    wire.end();
}

#[test]
fn xboard_plays_its_colour_and_claims_the_end() {
    let mate = "setboard 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1\n";
    assert_eq!(xboard(&format!("new\nforce\n{mate}sd 3\ngo\n")), ["move a1a8", "1-0 {White mates}"]);
    // The move of the opponent mates.
    assert_eq!(xboard(&format!("new\nforce\n{mate}playother\nusermove a1a8\n")), ["1-0 {White mates}"]);
    assert_eq!(
        xboard(&format!("new\nforce\n{mate}usermove Ra8#\nusermove g8f8\n")),
        ["1-0 {White mates}", "Illegal move (game is over): g8f8"]
    );
    let stalemate = "setboard 7k/8/6K1/8/8/5Q2/8/8 w - - 0 1\nusermove f3f7\n";
    assert_eq!(xboard(&format!("new\nforce\n{stalemate}")), ["1/2-1/2 {Stalemate}"]);
    // After new it plays Black; in force mode it does not.
    let lines = xboard("new\nsd 1\nusermove e2e4\nping 3\n");
    assert!(lines[0].starts_with("move ") && lines[1] == "pong 3", "{lines:?}");
    assert_eq!(xboard("new\nforce\nusermove e2e4\ne7e5\nping 4\n"), ["pong 4"]);
    let lines = xboard("new\nlevel 40 0:02 0\ntime 200\notim 200\ngo\nping 1\n");
    assert!(lines[0].starts_with("move ") && lines[1] == "pong 1", "{lines:?}");
}

#[test]
fn xboard_takes_moves_back_and_refuses_mistakes_in_one_line() {
    for (input, expected) in [
        ("usermove e2e5", "Illegal move: e2e5"),
        ("usermove e2e4\nusermove e2e4", "Illegal move: e2e4"),
        ("usermove e2e4\nundo\nusermove e2e4\nusermove e2e4", "Illegal move: e2e4"),
        ("usermove e2e4\nusermove e7e5\nremove\nusermove e7e5", "Illegal move: e7e5"),
        ("undo", "Error (no move to take back): undo"),
        ("setboard 8/8/8/8 w", "tellusererror Illegal position: "),
        ("variant crazyhouse", "Error (unsupported variant): crazyhouse"),
        ("sd x", "Error (bad argument): sd x"),
        ("level 1 2", "Error (bad argument): level 1 2"),
        ("st -5", "Error (bad argument): st -5"),
        ("time", "Error (bad argument): time"),
        ("edit", "Error (unknown command): edit"),
        ("frobnicate 3", "Error (unknown command): frobnicate 3"),
    ] {
        let lines = xboard(&format!("new\nforce\n{input}\nping 9\n"));
        assert!(lines.len() == 2 && lines[0].starts_with(expected), "{input}: {lines:?}");
        assert_eq!(lines[1], "pong 9");
    }
    assert_eq!(
        xboard("accepted ping\nhard\neasy\nrandom\nmemory 32\ncores 2\noption OwnBook=0\nping 1\n"),
        ["pong 1"]
    );
    let lines = xboard("option Nonsense=1\nping 1\n");
    assert!(lines[0].starts_with("# no option Nonsense"), "{lines:?}");
}

#[test]
fn xboard_claims_a_draw_by_history_and_goes_on_without_the_end() {
    let claim = "1/2-1/2 {Draw by repetition or the fifty-move rule}";
    let moves = "usermove g1f3\nusermove g8f6\nusermove f3g1\nusermove f6g8\n".repeat(2);
    assert_eq!(xboard(&format!("new\nforce\n{moves}{moves}usermove e2e4\nping 1\n")), ["pong 1"]);
    let (before, last) = moves.trim_end().rsplit_once('\n').expect("two lines");
    let lines = xboard(&format!("new\nforce\nsd 1\n{before}\nplayother\n{last}\n"));
    assert!(lines[0] == claim && lines[1].starts_with("move "), "{lines:?}");
    for drawn in [moves.as_str(), "setboard 8/8/8/8/8/4k3/8/4K2R w - - 100 80\n"] {
        let lines = xboard(&format!("new\nforce\n{drawn}sd 1\ngo\n"));
        assert!(lines.iter().any(|line| line.starts_with("move ")), "{drawn}: {lines:?}");
    }
}

#[test]
fn xboard_answers_go_by_the_result_of_a_finished_game() {
    for (position, result) in [
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "1/2-1/2 {Stalemate}"),
        ("R5k1/5ppp/8/8/8/8/8/7K b - - 0 1", "1-0 {White mates}"),
    ] {
        assert_eq!(xboard(&format!("new\nforce\nsetboard {position}\ngo\n")), [result]);
    }
}

#[test]
fn xboard_shows_its_thinking_and_stops_when_told() {
    let wire = Wire::with(config(Protocol::XBoard, None));
    wire.send("new\nforce\npost\nsetboard 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1\nanalyze");
    let thought = wire.until("1 ").pop().expect("a line");
    assert_eq!(thought.split(' ').count(), 5, "depth, score, time, nodes, a move: {thought}");
    wire.send("ping 7");
    wire.until("pong 7");
    wire.send("usermove h1g1");
    wire.send("exit");
    wire.send("ping 8");
    wire.until("pong 8");
    wire.silent_for(Duration::from_millis(50));
    // A search for a move is cut short by ?, and dropped by force.
    wire.send("new\nst 30\nnopost\nusermove e2e4");
    std::thread::sleep(Duration::from_millis(50));
    wire.send("?");
    assert!(wire.line().starts_with("move "));
    wire.send("usermove d2d4");
    std::thread::sleep(Duration::from_millis(50));
    wire.send("force\nping 9");
    assert_eq!(wire.line(), "pong 9");
    // An analysis is shown whatever was said before, and a game after it is not.
    wire.send("new\nnopost\nanalyze");
    wire.until("1 ");
    wire.send("exit\nping 10");
    wire.until("pong 10");
    wire.send("new\nsd 2\ngo");
    assert!(wire.line().starts_with("move "));
    // A command that is refused changes nothing, the search for a move neither.
    for (refused, answer) in [
        ("undo", "Error (no move to take back): undo"),
        ("variant crazyhouse", "Error (unsupported variant): crazyhouse"),
        ("setboard bad", "tellusererror Illegal position: "),
        ("edit", "Error (unknown command): edit"),
    ] {
        wire.send("new\nst 1\ngo");
        std::thread::sleep(Duration::from_millis(50));
        wire.send(refused);
        let two = [wire.line(), wire.line()];
        assert!(two.iter().any(|line| line.starts_with(answer)), "{refused}: {two:?}");
        assert!(two.iter().any(|line| line.starts_with("move ")), "{refused}: {two:?}");
    }
    wire.end();
    let mate = "new\nforce\npost\nsetboard 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1\nsd 2\ngo\n";
    assert!(xboard(mate).iter().any(|line| line.contains(" 100001 ") && line.ends_with(" a1a8")));
}

#[test]
fn xboard_plays_chess960() {
    let start = "new\nvariant fischerandom\nforce\nsetboard 4k3/8/8/8/8/8/8/5K1R w H - 0 1\n";
    assert_eq!(
        xboard(&format!("{start}usermove O-O\nusermove e8d8\nusermove f1h1\n")),
        ["Illegal move: f1h1"]
    );
    // A new game is one of standard chess again.
    let refused = xboard(&format!("{start}new\nsetboard 4k3/8/8/8/8/8/8/5K1R w H - 0 1\n"));
    assert!(refused[0].starts_with("tellusererror Illegal position"), "{refused:?}");
}

#[test]
fn xboard_plays_an_ending_from_its_table_and_accepts_the_draw() {
    let ending = |input: &str| talk(Protocol::XBoard, Some("chess:KRvK"), input);
    let lines = ending("new\nforce\nsetboard 8/8/8/8/8/1k6/8/K6R b - - 0 1\npost\ngo\ndraw\n");
    assert!(lines.iter().any(|line| line.starts_with("move b3")), "{lines:?}");
    assert_eq!(lines.last().map(String::as_str), Some("offer draw"), "a lost side accepts: {lines:?}");
}

// ---- NBoard ----

const GAME: &str = "set game (;GM[Othello]PC[NBoard]PB[a]PW[b]RE[?]TI[15:00]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[F6]B[D3/1.0/2.5]W[C5];)";

fn nboard(input: &str) -> Vec<String> {
    talk(Protocol::NBoard, None, input)
}

#[test]
fn nboard_answers_with_moves_hints_and_an_analysis() {
    let lines =
        nboard(&format!("nboard 2\nset depth 2\n{GAME}\nping 1\ngo\nhint 3\nlearn\nset contempt 5\n"));
    assert!(lines[0].starts_with("set myname grundy "));
    assert_eq!(lines[1], "pong 1");
    let best = lines.iter().find(|line| line.starts_with("=== ")).expect("a move");
    let words: Vec<&str> = best[4..].split('/').collect();
    assert!(words.len() == 3 && words[0].len() == 2 && words[1].parse::<f64>().is_ok(), "{best}");
    let hints: Vec<&String> = lines.iter().filter(|line| line.starts_with("search ")).collect();
    assert!(hints.len() >= 3 && hints.iter().all(|line| line.split(' ').count() == 5), "{hints:?}");
    assert!(lines.iter().any(|line| line.starts_with("nodestats ")));
    assert_eq!(lines.last().map(String::as_str), Some("learned"));
    let lines = nboard(&format!("set depth 1\n{GAME}\nmove E6/0/1\nanalyze\n"));
    let numbers: Vec<&str> =
        lines.iter().filter_map(|line| line.strip_prefix("analysis ")?.split(' ').next()).collect();
    assert_eq!(numbers, ["5", "4", "3", "2", "1", "0"], "{lines:?}");
    // A shorter game ends the analysis.
    let lines = nboard(&format!("set depth 1\n{GAME}\nanalyze\nset game (;B[F5];)\nping 1\n"));
    assert_eq!(lines.last().map(String::as_str), Some("pong 1"), "{lines:?}");
}

#[test]
fn nboard_proves_the_end_of_a_game_and_passes() {
    let cells = format!("{}{}{}", "*".repeat(48), "****OOO*", "*****O--");
    let end = format!("set game (;GM[Othello]BO[8 {cells} *];)");
    let lines = nboard(&format!("set depth 8\n{end}\nhint 1\n"));
    assert!(lines.iter().any(|line| line == "search H8PAG8 62.00 0 100%"), "{lines:?}");
    let lines = nboard(&format!("{end}\nmove H8\ngo\nmove PA\ngo\nmove G8\ngo\n"));
    let moves: Vec<&str> =
        lines.iter().filter_map(|line| line.strip_prefix("=== ")?.split('/').next()).collect();
    assert_eq!(moves, ["PA", "G8"], "{lines:?}");
    assert_eq!(lines.last().map(String::as_str), Some("status the game is over"));
}

#[test]
fn nboard_ignores_what_it_does_not_know_and_names_what_is_wrong() {
    assert_eq!(nboard("frobnicate\nset color red\nping 2\n"), ["pong 2"]);
    for bad in [
        "move A1",
        "set depth x",
        "hint",
        "set game (;BO[6 ---];)",
        "set game (;BO[8 ---",
        "set game (;B[A1];)",
        "set game garbage",
        "set game (;GM[Chess]B[C4];)",
    ] {
        let lines = nboard(&format!("{bad}\nping 3\n"));
        assert!(lines.len() == 2 && lines[0].starts_with("status Error: "), "{bad}: {lines:?}");
    }
    // All of a game or nothing: the position is that before, in which D3 is legal.
    assert_eq!(nboard("set game (;GM[Othello]B[F5]W[A1];)\nmove D3\nping 3\n").len(), 2);
    // ping ends a search without a move.
    let wire = Wire::with(config(Protocol::NBoard, None));
    wire.send("set depth 60\ngo");
    assert_eq!(wire.line(), "status grundy is thinking");
    wire.send("ping 5");
    wire.until("pong 5");
    wire.silent_for(Duration::from_millis(50));
    wire.end();
}

// ---- Hub ----

fn hub(game: Option<&str>, input: &str) -> Vec<String> {
    talk(Protocol::Hub, game, input)
}

/// A man on c1 and a king on g1 before a king on d4; the man of the other side stands on h6.
const ENDING: &str = "pos pos=WeeeeeeeeeeebeeeeeBeeeeeeeeeeeweW";

#[test]
fn hub_greets_and_answers_by_proved_moves_with_squares_by_numbers() {
    let lines = hub(None, "hub\nset-param name=hash value=16\ninit\nping\nnew-game\n");
    assert!(lines[0].starts_with("id name=grundy version="), "{lines:?}");
    assert_eq!(&lines[lines.len() - 3..], ["wait", "ready", "pong"], "{lines:?}");
    assert!(lines.iter().any(|line| line == "param name=variant value=english type=enum values=english"));
    // A king on c1 takes kings on d2 and f4.
    let takes = "WeeeeeeeeeeeeeeeeeeBeeeeeeBeeeWee";
    let lines = hub(Some("draughts:3men"), &format!("pos pos={takes}\nlevel move-time=1\ngo think\n"));
    let [.., info, done] = &lines[..] else { panic!("{lines:?}") };
    assert_eq!(done, "done move=30x16x26x19", "{lines:?}");
    assert!(info.contains(" score=99.99 ") && info.ends_with(" pv=\"30x16x26x19\""), "{lines:?}");
    // The same after a move of the other side, whose men taken may be named in any order.
    let before = "WeeeeeeeeeeeeeeeeeeBeeeeeeBeeeWee moves=\"30x16x19x26\"";
    let lines = hub(Some("draughts:3men"), &format!("pos pos={before}\ngo think\n"));
    assert_eq!(lines, ["error message=\"the game is over\""]);
    // So it is where the opponent has no men, and the position is no mistake.
    for cleared in ["WeeeeeeeeeeeeeeeeeeeeeeeeeeeeWeee", "BeeeeBeeeeeeeeeeeeeeeeeeeeeeeeeee"] {
        let lines = hub(None, &format!("pos pos={cleared}\nping\ngo think\n"));
        assert_eq!(lines, ["pong", "error message=\"the game is over\""], "{cleared}");
    }
    let lines =
        hub(Some("draughts:3men"), "pos pos=WeeeeBeeeeeeeeeeeeeeeeeeeeeeweeee\nlevel depth=3\ngo think\n");
    assert!(lines.last().is_some_and(|line| line.starts_with("done move=28-")), "{lines:?}");
    assert!(lines.last().is_some_and(|line| line.contains(" ponder=5-")), "{lines:?}");
}

#[test]
fn hub_names_what_is_wrong_and_does_not_search_another_position() {
    for (pos, expected) in [
        ("pos", "bad position \"\": expected W or B"),
        ("pos pos=Wee", "bad position 'Wee': expected W or B, and 32 letters"),
        ("pos pos=WeeeeBeeeeeeeeeeeeeeeeeeeeeeweeee moves=\"29-20\"", "illegal move '29-20'"),
        ("pos pos=WeeeeBeeeeeeeeeeeeeeeeeeeeeeweeee moves=x", "bad move 'x'"),
        ("pos pos=Wbbbbbbbbbbbbbbbbeeewwwwwwwwwwwww", "29 men: expected at most 24"),
    ] {
        let lines = hub(None, &format!("{pos}\ngo think\nping\n"));
        let message = expected.replace('"', "'");
        let [first, second, pong] = &lines[..] else { panic!("{pos}: {lines:?}") };
        assert!(
            first.starts_with("error message=")
                && first.contains(&message)
                && first == second
                && pong == "pong",
            "{pos}: {lines:?}"
        );
    }
    let level =
        "level time=x\nset-param name=variant value=normal\nfrobnicate a=\"b\nponder-hit\nstop\nping\n";
    let lines = hub(None, level);
    let [time, variant, pong] = &lines[..] else { panic!("{lines:?}") };
    assert!(time.starts_with("error message=\"bad level 'time=x'"), "{time}");
    assert!(variant.starts_with("error message=\"variant 'normal': expected english"), "{variant}");
    assert_eq!(pong, "pong");
}

#[test]
fn hub_keeps_the_clock_and_an_analysis_ends_by_stop() {
    let wire = Wire::with(config(Protocol::Hub, Some("draughts:6men")));
    wire.send(&format!("{ENDING}\nlevel moves=20 time=2.5 inc=0.1\ngo ponder"));
    wire.until("done");
    wire.send("level infinite\ngo analyze");
    assert!(wire.line().starts_with("info depth="));
    wire.send("stop");
    wire.until("done");
    wire.end();
    let told = Protocol::Hub
        .translated(&CATALOG, None, &format!("{ENDING}\nlevel moves=20 time=2.5 inc=0.1\ngo think\n"))
        .expect("a game");
    assert!(
        told.iter().any(|line| line == "> go movestogo 20 p1time 2600 p2time 2600 p1inc 100 p2inc 100"),
        "{told:?}"
    );
}

// ---- all of them ----

#[test]
fn a_game_that_a_protocol_does_not_have_is_wrong_usage() {
    for (protocol, word) in
        [("gomocup", "Gomocup"), ("hub", "Hub"), ("nboard", "NBoard"), ("xboard", "XBoard")]
    {
        let out = output(&["--game", "nim:1,2", protocol], "");
        let said = String::from_utf8_lossy(&out.stderr).into_owned();
        assert_eq!(out.status.code(), Some(2), "{protocol}: {said}");
        assert!(said.contains(word) && said.trim_end().lines().count() == 1, "{protocol}: {said}");
    }
}

/// Fragments of lines of each protocol.
const PIECES: [(Protocol, &str, &[&str]); 4] = [
    (
        Protocol::Gomocup,
        "mnk:3,3,3",
        &[
            "START 3",
            "START",
            "RECTSTART 3,4",
            "BEGIN",
            "TURN 1,1",
            "TURN 0,2",
            "BOARD",
            "1,1,2",
            "0,0,1",
            "DONE",
            "TAKEBACK 1,1",
            "RESTART",
            "INFO timeout_turn 1",
            "INFO time_left -5",
            "INFO rule 1",
            "INFO rule 0",
            "INFO max_memory 9",
            "INFO",
            "ABOUT",
            "END",
        ],
    ),
    (
        Protocol::Hub,
        "draughts:2men",
        &[
            "hub",
            "init",
            "set-param name=hash value=1",
            "set-param name=variant value=normal",
            "new-game",
            "pos pos=WeeeeBeeeeeeeeeeeeeeeeeeeeeeweeee",
            "pos pos=BeeeebeeeeeeeeeeeeeeeeeeeeeeeeeeW moves=\"5-9 32-27\"",
            "pos pos=Wxx moves=\"",
            "level move-time=0.01",
            "level depth=2 nodes=9",
            "level moves=3 time=1 inc=0.1",
            "level infinite",
            "go think",
            "go ponder",
            "go analyze",
            "stop",
            "ping",
            "ponder-hit",
            "quit",
        ],
    ),
    (
        Protocol::NBoard,
        "othello:8x8",
        &[
            "nboard 2",
            "set depth 1",
            "set depth 2",
            "set game (;BO[8 x];)",
            GAME,
            "move F5",
            "move PA",
            "hint 2",
            "go",
            "ping 1",
            "learn",
            "analyze",
            "set contempt 1",
            "set",
            "quit",
        ],
    ),
    (
        Protocol::XBoard,
        "chess:KRvK",
        &[
            "xboard",
            "protover 2",
            "new",
            "force",
            "go",
            "playother",
            "sd 1",
            "st 0.01",
            "level 40 5 0",
            "time 1",
            "otim -3",
            "usermove a1a2",
            "setboard 8/8/8/8/8/1k6/8/K6R w - - 0 1",
            "undo",
            "remove",
            "ping 1",
            "analyze",
            "exit",
            "post",
            "nopost",
            "?",
            ".",
            "hint",
            "draw",
            "result 1-0 {x}",
            "variant fischerandom",
            "variant normal",
            "memory 1",
            "cores 1",
            "quit",
        ],
    ),
];

#[test]
fn random_lines_of_every_protocol_do_no_harm() {
    let mut random = SplitMix64(3);
    for n in 0..600 {
        let (protocol, game, pieces) = PIECES[n % PIECES.len()];
        let mut bytes = Vec::new();
        for _ in 0..random.below(12) + 1 {
            let mut piece = pieces[random.below(pieces.len())].as_bytes().to_vec();
            if random.below(6) == 0 && !piece.is_empty() {
                let at = random.below(piece.len());
                piece[at] = random.bits() as u8;
            }
            bytes.extend(piece);
            bytes.push(b'\n');
        }
        // Searches without a limit are cut short.
        bytes.extend(b"quit\nEND\n");
        let mut out = Vec::new();
        let began = Instant::now();
        let ended = run(Cursor::new(bytes.clone()), &mut out, config(protocol, Some(game)));
        let shown = String::from_utf8_lossy(&bytes).into_owned();
        assert!(ended.is_ok() && began.elapsed() < Duration::from_secs(20), "sequence {n}: {shown:?}");
        let text = String::from_utf8(out).expect("UTF-8");
        assert!(!text.contains("internal error"), "sequence {n}: {shown:?}\n{text}");
    }
}
