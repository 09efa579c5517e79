//! Whatever the input, the engine answers or exits: it never panics and never hangs.

use std::io::Cursor;
use std::time::{Duration, Instant};

use grundy::catalog::CATALOG;
use grundy::engine::{Config, run};
use grundy::random::SplitMix64;

/// Games that answer at once, so that many sequences can be run.
const GAMES: &[&str] = &["nim:3,5,7", "nim:1,2:misere", "nim:4,4:max=3"];

/// Fragments from which commands are composed.
const PIECES: &[&str] = &[
    "ugi",
    "uci",
    "isready",
    "uginewgame",
    "ucinewgame",
    "stop",
    "ponderhit",
    "quit",
    "debug on",
    "go",
    "go depth 3",
    "go infinite",
    "go ponder",
    "go movetime 1",
    "go nodes 5 searchmoves 1:1 9:9",
    "go wtime -5 btime 0 winc x",
    "go mate 99999999999999999999",
    "position startpos",
    "position",
    "position fen",
    "position fen 1,2,3 2 moves 1:1",
    "position startpos moves 1:1 2:1 3:1",
    "position fen -1,18446744073709551616 3",
    "moves 1:1",
    "moves",
    "moves 0:0",
    "query",
    "query value",
    "query values",
    "query bestmoves",
    "query legalmoves",
    "query islegal",
    "query islegal 1:1",
    "query result",
    "query gameover",
    "query p1turn",
    "query p2turn",
    "query fen",
    "query grundy",
    "query weather",
    "setoption",
    "setoption name",
    "setoption name Game value nim:2,2",
    "setoption name Game value nope",
    "setoption name Threads value 2",
    "setoption name Threads value -1",
    "setoption name Hash value 99999999999999",
    "setoption name Weaken value 50",
    "setoption name MultiPV value 3",
    "setoption name UCI_Variant value tictactoe",
    "setoption name UCI_Variant value cfour",
    "new game",
    "new game nim:2,2",
    "move 1:1",
    "reply on",
    "help",
    "position startpos 1:1",
    "setoption name Move Overhead value 5",
    "setoption name Nothing value at all",
    "setoption name Game value ",
    "",
    " ",
    "\t",
    "\r",
    "\0",
    "\u{feff}ugi",
    "xyzzy plugh",
    "=",
    "0000",
    "go go go",
    "position position",
];

fn sequence(random: &mut SplitMix64) -> Vec<u8> {
    let mut bytes = Vec::new();
    for _ in 0..random.below(12) + 1 {
        match random.below(8) {
            0 => bytes.extend((0..random.below(40)).map(|_| random.bits() as u8)),
            1 => {
                let mut piece = PIECES[random.below(PIECES.len())].as_bytes().to_vec();
                if !piece.is_empty() {
                    let at = random.below(piece.len());
                    piece[at] = random.bits() as u8;
                }
                bytes.extend(piece);
            }
            _ => bytes.extend(PIECES[random.below(PIECES.len())].bytes()),
        }
        if random.below(20) > 0 {
            bytes.extend(if random.below(10) == 0 { &b"\r\n"[..] } else { &b"\n"[..] });
        }
    }
    bytes
}

/// Feeds `count` sequences and returns how many bytes came back.
fn feed(count: usize, seed: u64) -> usize {
    let mut random = SplitMix64(seed);
    let mut said = 0;
    for n in 0..count {
        let mut bytes = sequence(&mut random);
        if bytes.windows(5).any(|word| word == b"cfour") {
            // Connect Four is searched, and the end of input would let a bare `go` have its five seconds.
            bytes.extend(b"\nquit\n");
        }
        let mut out = Vec::new();
        let game = Some(GAMES[random.below(GAMES.len())].to_owned());
        let began = Instant::now();
        let ended = run(Cursor::new(bytes.clone()), &mut out, Config { game, ..Config::new(&CATALOG) });
        let shown = String::from_utf8_lossy(&bytes).into_owned();
        assert!(ended.is_ok(), "sequence {n}: {shown:?}");
        assert!(began.elapsed() < Duration::from_secs(20), "sequence {n} took too long: {shown:?}");
        let text = String::from_utf8(out).expect("the engine writes UTF-8");
        assert!(!text.contains("fault of our own"), "sequence {n}: {shown:?}\n{text}");
        said += text.len();
    }
    said
}

#[test]
fn two_thousand_random_sequences_do_no_harm() {
    assert!(feed(2_000, 1) > 2_000);
}

/// `cargo test --release --test protocol -- --ignored million`
#[test]
#[ignore = "takes minutes"]
fn a_million_random_sequences_do_no_harm() {
    feed(1_000_000, 2);
}

#[test]
fn long_lines_are_skipped_or_refused_and_the_engine_goes_on() {
    for size in [1, 1 << 10, 1 << 20, 20 << 20] {
        for byte in [b'x', b' ', 0, 0xff] {
            let mut bytes = vec![byte; size];
            bytes.extend(b"\nquery p1turn\n");
            let mut out = Vec::new();
            run(Cursor::new(bytes), &mut out, Config::new(&CATALOG)).expect("no stream fails");
            let text = String::from_utf8(out).expect("UTF-8");
            assert!(text.ends_with("response true\n"), "{size} times {byte}: {text:?}");
            assert!(text.len() < 2_000, "an answer stays short: {}", text.len());
        }
    }
}

#[test]
fn a_hundred_thousand_commands_are_all_answered() {
    let input = "query p1turn\n".repeat(100_000);
    let mut out = Vec::new();
    run(Cursor::new(input), &mut out, Config::new(&CATALOG)).expect("no stream fails");
    assert_eq!(out.split(|&b| b == b'\n').filter(|l| *l == b"response true").count(), 100_000);
}
