//! A conversation for each game of the catalog, under version control: how positions and moves are written, which moves
//! are legal, and the values that are known without a search. A diff shows any change of these. Results of searches are
//! checked and not stored: move and line are legal, and proved values agree with the known ones.
//!
//! `RENEW=1 cargo test --test protocol transcripts` rewrites them.

use std::path::PathBuf;

use grundy::catalog::CATALOG;

use crate::wire::Wire;

/// Commands sent to every game at its start.
const SCRIPT: &[&str] =
    &["isready", "query p1turn", "query grundy", "query islegal nonsense", "query gameover", "query result"];
/// Queries sent in every position.
const ASKED: &[&str] = &["query fen", "query legalmoves", "query value", "query bestmoves"];
/// Plies played of each game.
const PLIES: usize = 4;
/// Longer lines are cut to this length.
const WIDEST: usize = 400;

fn conversation(game: &str) -> String {
    let wire = Wire::game(game);
    // What a search finds depends on the machine.
    wire.send("setoption name Query Time value 0");
    let mut text = format!("$ grundy --game {game}\n");
    let mut ask = |line: &str| {
        wire.send(line);
        let mut notes = Vec::new();
        let answer = match line {
            "isready" => wire.until("readyok").pop().unwrap_or_default(),
            line if line.starts_with("position") => {
                text.push_str(&format!("> {line}\n"));
                return String::new();
            }
            _ => {
                let mut lines = wire.until("response");
                let answer = lines.pop().unwrap_or_default();
                notes = lines;
                answer
            }
        };
        // The reason why a value is unknown may depend on time.
        let answer = answer.split(" (").next().unwrap_or_default().to_owned();
        let end = answer.char_indices().nth(WIDEST).map_or(answer.len(), |(at, _)| at);
        let cut = if end < answer.len() { " .." } else { "" };
        let notes: String = notes.iter().map(|note| format!("< {note}\n")).collect();
        text.push_str(&format!("> {line}\n{notes}< {}{cut}\n", &answer[..end]));
        answer
    };
    SCRIPT.iter().for_each(|line| {
        ask(line);
    });
    let mut moves: Vec<String> = Vec::new();
    for _ in 0..=PLIES {
        let answers: Vec<String> = ASKED.iter().map(|line| ask(line)).collect();
        let words = |at: usize| answers[at].split(' ').skip(1);
        if words(1).eq(["none"]) {
            break;
        }
        searched(&wire, &moves, words(2).next().filter(|&value| value != "?"));
        // A move from the middle of the list, a different one each time.
        let legal: Vec<&str> = words(1).collect();
        moves.push(legal[(legal.len() / 2 + moves.len()) % legal.len()].to_owned());
        ask(&position(&moves));
    }
    wire.end();
    text
}

fn position(moves: &[String]) -> String {
    format!("position startpos{}{}", if moves.is_empty() { "" } else { " moves " }, moves.join(" "))
}

/// Searches briefly and checks that the result is legal and, if the value is known, right.
fn searched(wire: &Wire, moves: &[String], known: Option<&str>) {
    wire.send("go nodes 1000");
    let lines = wire.until("bestmove");
    let infos = || lines.iter().filter(|line| line.starts_with("info depth"));
    let last = infos().next_back().expect("a search reports");
    let pv: Vec<String> = last.split(" pv ").nth(1).expect("a line").split(' ').map(str::to_owned).collect();
    assert_eq!(lines[lines.len() - 1], format!("bestmove {}", pv[0]));
    let line = [moves, &pv].concat();
    wire.send(&position(&line));
    // An illegal move would be reported.
    wire.send("isready");
    assert_eq!(wire.until("readyok").iter().find(|line| line.contains("error")), None, "{last}");
    for value in infos().filter_map(|line| line.split(" value ").nth(1)?.split(' ').next()) {
        let same = |known: &str| known == value || known.split(':').next() == Some(value);
        assert!(known.is_none_or(same), "{last}: {known:?}");
    }
    wire.send(&position(moves));
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
        // A session waits a second for a table, which may be too short on a loaded machine.
        if kept != said && kept != conversation(row.default) {
            wrong.push(format!("{}:\n--- kept\n{kept}\n--- said\n{said}", row.name));
        }
    }
    assert!(wrong.is_empty(), "RENEW=1 writes them anew, if the change is meant\n{}", wrong.join("\n"));
}
