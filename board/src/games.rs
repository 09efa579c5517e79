//! The games that visitors have opened, with the tables that were made for them.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use grundy::session::{Catalog, Session, Settings, files_of};
use rustc_hash::FxHashMap;

/// No name of a game is longer.
const LONGEST_NAME: usize = 400;
/// No position is longer.
const LONGEST_POSITION: usize = 8_192;
/// No game has more moves before it is refused.
const MOST_MOVES: usize = 2_000;

/// Bytes that an open game takes beside what its methods keep.
const EACH: u64 = 64 << 10;

/// Open games by their names, as many as fit in memory; the least recently asked for is closed first.
pub struct Games {
    catalog: Catalog,
    settings: Settings,
    /// Bytes that they may keep.
    memory: u64,
    folders: Vec<PathBuf>,
    open: Mutex<OpenGames>,
}

#[derive(Default)]
struct OpenGames {
    games: FxHashMap<String, (u64, Arc<Mutex<Session>>)>,
    clock: u64,
}

/// Which position of which game a request is about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Place {
    /// The game's full or bare name.
    pub game: String,
    /// The position from which the moves are played; the game's start without it.
    pub fen: Option<String>,
    /// Moves from there.
    pub moves: Vec<String>,
}

impl Place {
    /// A place after some words of a request: moves are split by blanks.
    pub fn new(game: &str, fen: Option<&str>, moves: Option<&str>) -> Place {
        let moves = moves.unwrap_or("").split_whitespace().map(str::to_owned).collect();
        let fen = fen.map(str::trim).filter(|fen| !fen.is_empty() && *fen != "startpos").map(str::to_owned);
        Place { game: game.to_owned(), fen, moves }
    }

    /// The place after the first moves only.
    pub fn cut(&self, moves: usize) -> Place {
        Place { moves: self.moves[..moves.min(self.moves.len())].to_vec(), ..self.clone() }
    }
}

impl Games {
    /// No game is open.
    pub fn new(catalog: Catalog, settings: Settings, memory: u64, folders: Vec<PathBuf>) -> Games {
        Games { catalog, settings, memory, folders, open: Mutex::default() }
    }

    /// Closes games until the others fit in memory: to be called when a question has made one of them larger.
    pub fn settle(&self) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let mut by_use: Vec<(u64, u64, String)> = Vec::with_capacity(open.games.len());
        for (name, (last, session)) in &open.games {
            let session = session.lock().unwrap_or_else(PoisonError::into_inner);
            by_use.push((*last, session.bytes() + EACH, name.clone()));
        }
        by_use.sort_unstable();
        let mut all: u64 = by_use.iter().map(|(_, bytes, _)| bytes).sum();
        for (_, bytes, name) in by_use {
            if all <= self.memory {
                break;
            }
            all -= bytes;
            open.games.remove(&name);
        }
    }

    /// Refuses what no visitor may ask for, before anything is read.
    ///
    /// # Errors
    /// One line that says what is refused.
    pub fn admit(&self, place: &Place) -> Result<(), String> {
        admit_name(&place.game, &self.folders)?;
        if place.fen.as_ref().is_some_and(|fen| fen.len() > LONGEST_POSITION) {
            return Err(format!("a position of more than {LONGEST_POSITION} bytes"));
        }
        if place.moves.len() > MOST_MOVES || place.moves.iter().any(|word| word.len() > LONGEST_NAME) {
            return Err(format!("more than {MOST_MOVES} moves, or one of more than {LONGEST_NAME} bytes"));
        }
        Ok(())
    }

    /// A session of a game that is open already; `None` where it is not.
    pub fn kept(&self, game: &str) -> Option<Session> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.clock += 1;
        let now = open.clock;
        let (last, session) = open.games.get_mut(game)?;
        *last = now;
        let session = session.clone();
        drop(open);
        Some(session.lock().unwrap_or_else(PoisonError::into_inner).fork())
    }

    /// A session of a game, which is opened where it is not yet.
    ///
    /// # Errors
    /// There is no such game; one line.
    pub fn session(&self, game: &str) -> Result<Session, String> {
        if let Some(session) = self.kept(game) {
            return Ok(session);
        }
        let session = self.catalog.open(game, &self.settings)?;
        let fork = session.fork();
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.clock += 1;
        let now = open.clock;
        open.games.insert(game.to_owned(), (now, Arc::new(Mutex::new(session))));
        Ok(fork)
    }

    /// A session set up at a place; its game is opened where it is not yet.
    ///
    /// # Errors
    /// There is no such game, or the position or a move is refused; one line.
    pub fn session_at(&self, place: &Place) -> Result<Session, String> {
        let mut session = self.session(&place.game)?;
        set_up(&mut session, place)?;
        Ok(session)
    }
}

/// Whether visitors may open a game of this name.
///
/// # Errors
/// One line that says why not.
pub fn admit_name(game: &str, folders: &[PathBuf]) -> Result<(), String> {
    if game.len() > LONGEST_NAME {
        return Err(format!("a game's name of more than {LONGEST_NAME} bytes"));
    }
    for file in files_of(game) {
        if folders.is_empty() {
            return Err("games from files are not served here: start the board with --rules-dir".to_owned());
        }
        let served = |path: PathBuf| path.is_file() && folders.iter().any(|dir| path.starts_with(dir));
        if !Path::new(file).canonicalize().is_ok_and(served) {
            return Err(format!("file {file:?}: expected a file in the folder of rules"));
        }
    }
    Ok(())
}

/// Sets a session up at a place.
///
/// # Errors
/// The position or a move is refused; one line.
pub fn set_up(session: &mut Session, place: &Place) -> Result<(), String> {
    session.setup(place.fen.as_deref()).map_err(|refusal| refusal.to_string())?;
    for word in &place.moves {
        session.play(word).map_err(|refusal| refusal.to_string())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy::catalog::CATALOG;

    #[test]
    fn open_games_are_bounded_by_their_bytes() {
        let games = Games::new(CATALOG, Settings::default(), 4 * EACH, Vec::new());
        for heap in 1..=10 {
            games.session(&format!("nim:{heap}")).expect("a game");
            games.session("nim:1").expect("a game that is asked for again and again");
        }
        games.settle();
        let kept = |heap: u32| games.kept(&format!("nim:{heap}")).is_some();
        assert_eq!((1..=10).filter(|&heap| kept(heap)).collect::<Vec<_>>(), [1, 8, 9, 10]);
        // A table counts: there is no room beside it.
        let mut large = games.session("tictactoe").expect("a game");
        let before = large.bytes();
        large.value();
        assert!(large.bytes() > before, "its table");
    }
}
