//! Games that are saved and loaded: a line of the referee's record, or a PGN for the game that PGN was made for.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use grundy_core::files;
use grundy_core::game::{GameResult, Player};
use grundy_session::{Catalog, Session, Settings, quiet_work};
use serde_json::json;

/// The largest file that is read, in bytes.
const LARGEST: u64 = 16 << 20;
/// Width of the lines of a PGN.
const WIDTH: usize = 80;

/// Writes the game so far to a file: a PGN if its name ends so, else a record. Returns the file's name, `.grundy` added
/// if it had no ending. `own` is the file of this game, which may be written over.
///
/// # Errors
/// One line: the file exists already, cannot be written, or is to be a PGN of a game that PGN has no notation for.
pub fn save(
    catalog: &Catalog,
    session: &Session,
    (name, own): (&str, Option<&str>),
    start: Option<&str>,
    person: Player,
) -> Result<String, String> {
    if name.is_empty() {
        return Err("save: expected the name of a file, game.grundy or game.pgn".to_owned());
    }
    let name = match Path::new(name).extension() {
        None => format!("{name}.grundy"),
        Some(_) => name.to_owned(),
    };
    if own != Some(name.as_str()) && Path::new(&name).exists() {
        return Err(format!("{name} exists: expected a new name"));
    }
    let names = |player: Player| if player == person { "person" } else { "grundy" };
    let players = [Player::One, Player::Two].map(names);
    let text = match name.ends_with(".pgn") {
        true if catalog.is_standard(session.name()) => pgn(session, start, players),
        true => return Err(format!("{name}: PGN is for chess, expected game.grundy")),
        false => {
            let moves: Vec<_> = session.history().iter().map(|word| json!({ "word": word })).collect();
            let mut record =
                json!({ "line": "game", "game": session.name(), "players": players, "moves": moves });
            if let Some(start) = start {
                record["start"] = start.into();
            }
            format!("{record}\n")
        }
    };
    fs::write(&name, text).map_err(|error| format!("{name}: {error}"))?;
    Ok(name)
}

/// Writes the game as a PGN.
fn pgn(session: &Session, start: Option<&str>, players: [&str; 2]) -> String {
    let result = match session.result() {
        Some(GameResult::Win(Player::One)) => "1-0",
        Some(GameResult::Win(Player::Two)) => "0-1",
        Some(_) => "1/2-1/2",
        None => "*",
    };
    let mut text = String::new();
    let date = "????.??.??";
    let tags = [("Event", "grundy play"), ("Site", "?"), ("Date", date), ("Round", "-")];
    for (tag, value) in
        tags.into_iter().chain([("White", players[0]), ("Black", players[1]), ("Result", result)])
    {
        let _ = writeln!(text, "[{tag} \"{value}\"]");
    }
    if let Some(start) = start {
        let _ = write!(text, "[SetUp \"1\"]\n[FEN \"{start}\"]\n");
    }
    text.push('\n');
    let mut replay = session.fork();
    if replay.setup(start).is_err() {
        return text;
    }
    let black = usize::from(replay.turn() == Player::Two);
    let mut words = Vec::new();
    for (ply, word) in (black..).zip(session.history()) {
        match ply % 2 {
            0 => words.push(format!("{}.", ply / 2 + 1)),
            _ if words.is_empty() => words.push(format!("{}...", ply / 2 + 1)),
            _ => {}
        }
        words.push(replay.note(word).unwrap_or_else(|| word.clone()));
        if replay.play(word).is_err() {
            break;
        }
    }
    words.push(result.to_owned());
    let mut used = 0;
    for word in words {
        let gap = usize::from(used > 0);
        if used + gap + word.len() > WIDTH {
            text.push('\n');
            used = 0;
        } else if gap > 0 {
            text.push(' ');
            used += 1;
        }
        text += &word;
        used += word.len();
    }
    text.push('\n');
    text
}

/// Reads the first game of a file. Returns a session after its moves, and the position from which it begins.
///
/// # Errors
/// One line: the file cannot be read, or is no game.
pub fn load(
    catalog: &Catalog,
    game: &str,
    settings: &Settings,
    name: &str,
) -> Result<(Session, Option<String>), String> {
    if name.is_empty() {
        return Err("load: expected the name of a file".to_owned());
    }
    let text = files::read_text(Path::new(name), LARGEST).map_err(|error| format!("{name}: {error}"))?;
    let open = |name: &str| catalog.open(name, settings);
    let read = grundy_review::read(catalog, &open, game, None, &text, &quiet_work());
    let found = read.map_err(|why| format!("{name}: {why}"))?.into_iter().next();
    let found = found.ok_or_else(|| format!("{name}: no game in it"))?;
    let mut session = open(&found.game)?;
    session.setup(found.fen.as_deref()).map_err(|refusal| refusal.to_string())?;
    for word in &found.moves {
        session.play(word).map_err(|refusal| refusal.to_string())?;
    }
    Ok((session, found.fen))
}
