//! Games out of texts that people bring: moves in words, PGN, records of the referee.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use grundy::session::{Catalog, Session, Settings};
use serde::Serialize;

use crate::games::admit_name;

/// No more games are read out of one text.
const MOST_GAMES: usize = 2_000;

/// A game that was read.
#[derive(Debug, Serialize)]
pub struct Game {
    /// The game's name.
    pub game: String,
    /// Who plays, and the result where the text says so.
    pub title: String,
    /// The position it begins from, where that is not the game's start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// All moves.
    pub moves: Vec<String>,
    /// How many of the moves lost value, where the record says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slips: Option<usize>,
}

/// Reads the games of a text. `game` is what plain moves are of; a PGN is of chess unless it names a variant.
///
/// # Errors
/// One line that names the place and what is wrong there.
pub fn read(
    catalog: &Catalog,
    settings: &Settings,
    folders: &[PathBuf],
    game: &str,
    text: &str,
    stop: &AtomicBool,
) -> Result<Vec<Game>, String> {
    let text = text.trim_start_matches('\u{feff}').trim();
    let open = |name: &str| -> Result<Session, String> {
        admit_name(name, folders)?;
        catalog.open(name, settings)
    };
    if text.is_empty() {
        return Err("the text is empty: expected moves, a PGN, or a record of the referee".to_owned());
    }
    if text.starts_with('{') {
        return record(text, stop, &open);
    }
    if text.starts_with('[') {
        let chess = catalog.standard().map_or("chess", |row| row.name);
        return pgn(text, chess, stop, &open);
    }
    if game.is_empty() {
        let why = "moves alone do not say which game they are of: paste them on that game's page, or bring a PGN or a record";
        return Err(why.to_owned());
    }
    let words = text.split_whitespace().filter(|word| !is_number(word));
    let mut session = open(game)?;
    let moves = played(&mut session, words)?;
    Ok(vec![Game { game: game.to_owned(), title: "pasted".to_owned(), fen: None, moves, slips: None }])
}

/// `12.` or `12...` of a list of moves.
fn is_number(word: &str) -> bool {
    word.ends_with('.') && word.trim_end_matches('.').bytes().all(|b| b.is_ascii_digit())
}

/// Plays words, each a move as the game writes it or as people note it, and gives them as the game writes them.
fn played<'w>(session: &mut Session, words: impl Iterator<Item = &'w str>) -> Result<Vec<String>, String> {
    let bare = |text: &str| text.trim_end_matches(['+', '#', '!', '?']).replace('=', "");
    let mut moves = Vec::new();
    for word in words {
        let found = session.spelling(word).or_else(|| {
            let wanted = bare(word);
            let legal = session.legal_moves(2_000);
            legal.into_iter().find(|m| session.note(m).is_some_and(|note| bare(&note) == wanted))
        });
        let found = found.ok_or_else(|| {
            format!("move {}: {word:?} is not legal in {}", moves.len() + 1, session.position())
        })?;
        session.play(&found).map_err(|refusal| refusal.to_string())?;
        moves.push(found);
    }
    Ok(moves)
}

/// A record of the referee: one JSON object a line.
fn record(
    text: &str,
    stop: &AtomicBool,
    open: &dyn Fn(&str) -> Result<Session, String>,
) -> Result<Vec<Game>, String> {
    let mut games = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        if stop.load(Ordering::Relaxed) || games.len() >= MOST_GAMES {
            break;
        }
        let place = |why: String| format!("line {}: {why}", number + 1);
        let line: serde_json::Value =
            serde_json::from_str(line).map_err(|error| place(format!("no JSON: {error}")))?;
        let (Some(name), Some(moves)) = (line["game"].as_str(), line["moves"].as_array()) else { continue };
        let words = |list: &serde_json::Value| -> Vec<String> {
            list.as_array()
                .map(|list| list.iter().filter_map(|word| word.as_str().map(str::to_owned)).collect())
                .unwrap_or_default()
        };
        let mut all = words(&line["opening"]);
        all.extend(moves.iter().filter_map(|m| m["word"].as_str().map(str::to_owned)));
        let fen = line["start"].as_str().map(str::to_owned);
        let mut session = open(name).map_err(place)?;
        session.setup(fen.as_deref()).map_err(|refusal| place(refusal.to_string()))?;
        let all = played(&mut session, all.iter().map(String::as_str)).map_err(place)?;
        let slips = moves.iter().filter(|m| !m["fault"].is_null()).count();
        let players = words(&line["players"]).join(" - ");
        let title = format!("game {}: {players}", line["id"]);
        games.push(Game { game: name.to_owned(), title, fen, moves: all, slips: Some(slips) });
    }
    if games.is_empty() { Err("no games in this record".to_owned()) } else { Ok(games) }
}

/// Games in portable game notation. Comments, variations and annotations are passed over.
fn pgn(
    text: &str,
    chess: &str,
    stop: &AtomicBool,
    open: &dyn Fn(&str) -> Result<Session, String>,
) -> Result<Vec<Game>, String> {
    let mut games = Vec::new();
    let mut rest = text;
    while !rest.trim_start().is_empty() && games.len() < MOST_GAMES && !stop.load(Ordering::Relaxed) {
        let (mut name, mut fen, mut players) = (chess.to_owned(), None, [String::new(), String::new()]);
        rest = rest.trim_start();
        while let Some(tag) = rest.strip_prefix('[') {
            let (tag, after) = tag.split_once(']').ok_or("a tag without its end: expected ]")?;
            let (key, value) = tag.split_once(' ').unwrap_or((tag, ""));
            let value = value.trim().trim_matches('"').to_owned();
            match key {
                "White" => players[0] = value,
                "Black" => players[1] = value,
                "FEN" => fen = Some(value),
                "Variant"
                    if !value.eq_ignore_ascii_case("standard") && !value.eq_ignore_ascii_case(chess) =>
                {
                    name = value;
                }
                _ => {}
            }
            rest = after.trim_start();
        }
        let (words, after) = movetext(rest);
        if after.len() == rest.len() {
            break;
        }
        rest = after;
        let title = format!("{} - {}", players[0], players[1]);
        let place = |why: String| format!("game {} ({title}): {why}", games.len() + 1);
        let mut session = open(&name).map_err(place)?;
        session.setup(fen.as_deref()).map_err(|refusal| place(refusal.to_string()))?;
        let moves = played(&mut session, words.iter().map(String::as_str)).map_err(place)?;
        games.push(Game { game: name, title, fen, moves, slips: None });
    }
    if games.is_empty() { Err("no games in this PGN".to_owned()) } else { Ok(games) }
}

/// The moves up to the result, and what follows it.
fn movetext(text: &str) -> (Vec<String>, &str) {
    let (mut words, mut word, mut depth) = (Vec::new(), String::new(), 0_u32);
    let mut letters = text.char_indices();
    let mut line_begins = true;
    while let Some((at, letter)) = letters.next() {
        match letter {
            '{' => drop(letters.by_ref().find(|&(_, letter)| letter == '}')),
            ';' => drop(letters.by_ref().find(|&(_, letter)| letter == '\n')),
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            '[' if depth == 0 && line_begins => return (words, &text[at..]),
            _ if depth > 0 => {}
            _ if letter.is_whitespace() => {
                let done = std::mem::take(&mut word);
                if ["1-0", "0-1", "1/2-1/2", "*"].contains(&done.as_str()) {
                    return (words, &text[at..]);
                }
                push(&mut words, &done);
            }
            _ => word.push(letter),
        }
        line_begins = letter == '\n';
    }
    if !["1-0", "0-1", "1/2-1/2", "*"].contains(&word.as_str()) {
        push(&mut words, &word);
    }
    (words, "")
}

/// Adds a word of movetext where it is a move: `12.e4` is one behind its number, `$3` is none.
fn push(words: &mut Vec<String>, word: &str) {
    let bare = word.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches('.');
    let word = if bare.len() < word.len() && word.contains('.') { bare } else { word };
    if !word.is_empty() && !word.starts_with('$') && !is_number(word) {
        words.push(word.to_owned());
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a test that cannot go on should fail
    use super::*;
    use grundy::catalog::CATALOG;

    fn games(game: &str, text: &str) -> Result<Vec<Game>, String> {
        read(&CATALOG, &Settings::default(), &[], game, text, &AtomicBool::new(false))
    }

    #[test]
    fn moves_are_read_as_people_bring_them() {
        assert_eq!(games("tictactoe", "1. b2 a1 2. c3").unwrap()[0].moves, ["b2", "a1", "c3"]);
        let pgn = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 {best} e5 2.Nf3 (2. f4 exf4) Nc6 $1 1-0\n\n[White \"C\"]\n\n1. d4 *\n";
        let read = games("", pgn).unwrap();
        assert_eq!(read[0].moves, ["e2e4", "e7e5", "g1f3", "b8c6"]);
        assert_eq!((read.len(), read[1].moves.len(), read[0].title.as_str()), (2, 1, "A - B"));
        let record = r#"{"line":"header","names":[]}
{"line":"game","id":1,"game":"nim:3,5,7","players":["a","b"],"moves":[{"by":1,"word":"1:1","us":3},{"by":2,"word":"2:5","us":3,"fault":{}}]}"#;
        let read = games("", record).unwrap();
        assert_eq!((read[0].moves.len(), read[0].slips), (2, Some(1)));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        assert!(games("tictactoe", "b2 b2").unwrap_err().contains("move 2"));
        assert!(games("", "[White \"A\"]\n\n1. e5 *").unwrap_err().contains("game 1"));
        assert!(games("", "{\"game\"").unwrap_err().contains("line 1"));
        assert!(games("graph:file=/etc/passwd", "a").unwrap_err().contains("--rules-dir"));
        assert!(games("", "").unwrap_err().contains("empty"));
        assert!(games("", "1. e4 e5").unwrap_err().contains("on that game's page"));
    }
}
