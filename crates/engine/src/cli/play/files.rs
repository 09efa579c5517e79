//! Games that are saved and loaded: a line of the referee's record, or a PGN for the game that PGN was made for.

use std::fs;
use std::path::Path;

use grundy_core::game::Player;
use grundy_session::{Catalog, Session, Settings};
use serde_json::json;

use crate::cli::given::games_of;

/// The name of the person in a file.
const PERSON: &str = "person";

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
        let or = if catalog.is_standard(session.name()) { " or game.pgn" } else { "" };
        return Err(format!("save: expected the name of a file, game.grundy{or}"));
    }
    let name = match Path::new(name).extension() {
        None => format!("{name}.grundy"),
        Some(_) => name.to_owned(),
    };
    if own != Some(name.as_str()) && Path::new(&name).exists() {
        return Err(format!("{name} exists: expected a new name"));
    }
    let names = |player: Player| if player == person { PERSON } else { "grundy" };
    let players = [Player::One, Player::Two].map(names);
    let text = match name.ends_with(".pgn") {
        true if catalog.is_standard(session.name()) => {
            let [white, black] = players;
            let tags = [("Event", "grundy play"), ("Site", "?"), ("Date", "????.??.??"), ("Round", "-")];
            let tags = [&tags[..], &[("White", white), ("Black", black)]].concat();
            grundy_review::write_pgn(session, start, &tags, None)
        }
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

/// A game from a file.
pub struct Loaded {
    /// A session after its moves.
    pub session: Session,
    /// The position from which it begins, if that is not the game's start.
    pub start: Option<String>,
    /// The side of the person, if the file was saved here.
    pub person: Option<Player>,
    /// The name of the file.
    pub file: String,
}

/// Reads the first game of a file.
///
/// # Errors
/// One line: the file cannot be read, or is no game.
pub fn load(catalog: &Catalog, game: &str, settings: &Settings, name: &str) -> Result<Loaded, String> {
    if name.is_empty() {
        return Err("load: expected the name of a file".to_owned());
    }
    // As `save` names it.
    let saved = format!("{name}.grundy");
    let bare = Path::new(name).extension().is_none() && !Path::new(name).exists();
    let name = if bare && Path::new(&saved).exists() { &saved } else { name };
    let found = games_of(catalog, settings, game, name)?.into_iter().next();
    let found = found.ok_or_else(|| format!("{name}: no game in it"))?;
    let mut session = catalog.open(&found.game, settings)?;
    found.set_up(&mut session)?;
    let players = found.players.unwrap_or_default();
    let person = [Player::One, Player::Two].into_iter().find(|player| players[player.index()] == PERSON);
    Ok(Loaded { session, start: found.fen, person, file: name.to_owned() })
}
