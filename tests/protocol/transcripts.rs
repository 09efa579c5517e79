//! A conversation for each game of the catalog, under version control: a diff shows any change of behaviour.
//!
//! `RENEW=1 cargo test --test protocol transcripts` writes them anew.

use std::path::PathBuf;

use grundy::catalog::CATALOG;

use crate::wire::Wire;

/// What is asked of every game.
const SCRIPT: &[&str] = &[
    "isready",
    "query fen",
    "query p1turn",
    "query legalmoves",
    "query value",
    "query bestmoves",
    "query grundy",
    "query islegal nonsense",
    "query gameover",
    "query result",
];
/// Plies played of each game.
const PLIES: usize = 3;
/// The longest line kept.
const WIDEST: usize = 400;

fn conversation(game: &str) -> String {
    let wire = Wire::game(game);
    let mut text = format!("$ grundy --game {game}\n");
    let mut moves = Vec::new();
    let mut log = |sent: &str, got: &[String]| {
        text.push_str(&format!("> {sent}\n"));
        for line in got.iter().filter(|line| !is_progress(line)) {
            let line = masked(line);
            let end = line.char_indices().nth(WIDEST).map_or(line.len(), |(at, _)| at);
            text.push_str(&format!("< {}{}\n", &line[..end], if end < line.len() { " .." } else { "" }));
        }
    };
    for ask in SCRIPT {
        wire.send(ask);
        let ends = if *ask == "isready" { "readyok" } else { "response" };
        log(ask, &wire.until(ends));
    }
    for _ in 0..PLIES {
        wire.send("go nodes 1000");
        let lines = wire.until("bestmove");
        let (last_info, best) = (lines.len().saturating_sub(2), lines.len() - 1);
        log("go nodes 1000", &lines[last_info..]);
        let word = lines[best].trim_start_matches("bestmove ").to_owned();
        if word == "0000" {
            break;
        }
        moves.push(word);
        let position = format!("position startpos moves {}", moves.join(" "));
        wire.send(&position);
        log(&position, &[]);
        wire.send("query fen");
        log("query fen", &wire.until("response"));
    }
    wire.end();
    text
}

/// Whether a line tells how far a table is; how many such lines there are is a matter of the machine.
fn is_progress(line: &str) -> bool {
    line.starts_with("info string ") && line.contains(" of ")
}

/// The line with what differs from run to run left open.
fn masked(line: &str) -> String {
    let mut words: Vec<&str> = line.split(' ').collect();
    for at in 1..words.len() {
        if ["nps", "time", "hashfull"].contains(&words[at - 1]) {
            words[at] = "_";
        }
    }
    words.join(" ")
}

#[test]
fn every_game_speaks_as_its_transcript_says() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/protocol/transcripts");
    let renew = std::env::var_os("RENEW").is_some();
    let mut wrong = Vec::new();
    for row in CATALOG.rows() {
        let said = conversation(row.default);
        let file = folder.join(format!("{}.txt", row.name));
        if renew {
            std::fs::write(&file, &said).expect("the folder of transcripts can be written");
        }
        let kept = std::fs::read_to_string(&file).unwrap_or_default();
        if kept != said {
            wrong.push(format!("{}:\n--- kept\n{kept}\n--- said\n{said}", row.name));
        }
    }
    assert!(wrong.is_empty(), "RENEW=1 writes them anew, if the change is meant\n{}", wrong.join("\n"));
}
