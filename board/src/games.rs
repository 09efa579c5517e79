//! The games that clients have opened, with the tables that were built for them.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use grundy::session::{Catalog, Session, Settings, files_of};
use rustc_hash::FxHashMap;

/// The longest name of a game, in bytes.
const LONGEST_NAME: usize = 400;
/// The longest position, in bytes.
const LONGEST_POSITION: usize = 8_192;
/// The most moves that may lead to a position.
const MOST_MOVES: usize = 2_000;

/// Bytes that an open game takes beside its methods' tables.
const EACH: u64 = 64 << 10;

/// Open games by their names, as many as fit in memory; the least recently used is closed first.
pub struct Games {
    catalog: Catalog,
    settings: Settings,
    /// Bytes that open games may take.
    memory: u64,
    open: Mutex<OpenGames>,
}

#[derive(Default)]
struct OpenGames {
    games: FxHashMap<String, OpenGame>,
    clock: u64,
}

struct OpenGame {
    /// When it was last used, by the clock of the open games.
    last: u64,
    session: Arc<Mutex<Session>>,
    /// When the files of its name were changed before it was opened.
    changed: Vec<Option<SystemTime>>,
}

/// The position that a request is about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PositionRef {
    /// The game's full or bare name.
    pub game: String,
    /// The position from which the moves are played; the game's start if `None`.
    pub fen: Option<String>,
    /// Moves from there.
    pub moves: Vec<String>,
}

impl PositionRef {
    /// Reads the fields of a request; `moves` are split by blanks.
    pub fn new(game: &str, fen: Option<&str>, moves: Option<&str>) -> PositionRef {
        let moves = moves.unwrap_or("").split_whitespace().map(str::to_owned).collect();
        let fen = fen.map(str::trim).filter(|fen| !fen.is_empty() && *fen != "startpos").map(str::to_owned);
        PositionRef { game: game.to_owned(), fen, moves }
    }

    /// Returns the position after the first `moves` moves.
    pub fn cut(&self, moves: usize) -> PositionRef {
        PositionRef { moves: self.moves[..moves.min(self.moves.len())].to_vec(), ..self.clone() }
    }
}

impl Games {
    /// Makes the list of open games, empty.
    pub fn new(catalog: Catalog, settings: Settings, memory: u64) -> Games {
        Games { catalog, settings, memory, open: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, OpenGames> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Closes games until the others fit in memory. To be called when a question may have built a table.
    pub fn settle(&self) {
        let mut open = self.lock();
        let mut by_use: Vec<(u64, u64, String)> = Vec::with_capacity(open.games.len());
        for (name, game) in &open.games {
            let session = game.session.lock().unwrap_or_else(PoisonError::into_inner);
            by_use.push((game.last, session.bytes() + EACH, name.clone()));
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

    /// Closes a game: the next question opens it anew.
    pub fn close(&self, game: &str) {
        self.lock().games.remove(game);
    }

    /// Refuses what no client may ask for, before anything is opened.
    ///
    /// # Errors
    /// One line that says what is refused.
    pub fn admit(&self, target: &PositionRef) -> Result<(), String> {
        self.admit_name(&self.full_name(&target.game))?;
        if target.fen.as_ref().is_some_and(|fen| fen.len() > LONGEST_POSITION) {
            return Err(format!("a position of more than {LONGEST_POSITION} bytes"));
        }
        if target.fen.as_ref().is_some_and(|fen| fen.contains(char::is_control)) {
            return Err("a position is one line".to_owned());
        }
        if target.moves.len() > MOST_MOVES || target.moves.iter().any(|word| word.len() > LONGEST_NAME) {
            return Err(format!("more than {MOST_MOVES} moves, or one of more than {LONGEST_NAME} bytes"));
        }
        Ok(())
    }

    /// Checks that clients may open a game of this name.
    ///
    /// # Errors
    /// One line that says why not.
    pub fn admit_name(&self, full: &str) -> Result<(), String> {
        if full.len() > LONGEST_NAME {
            return Err(format!("a game's name of more than {LONGEST_NAME} bytes"));
        }
        if self.settings.files.folders().is_empty() && full.contains("file=") {
            return Err("games from files are not served here: start the board with --rules-dir".to_owned());
        }
        self.settings.files.admit(full)
    }

    /// Returns the name by which the catalog opens a game: files that are named without a folder are looked for in those
    /// of the board.
    pub fn full_name<'n>(&self, game: &'n str) -> Cow<'n, str> {
        let full = self.catalog.full_name(game);
        let mut name = full.clone();
        for file in files_of(&full) {
            let found = self
                .settings
                .files
                .folders()
                .iter()
                .map(|folder| folder.join(file))
                .find(|path| path.is_file());
            if let Some(path) = found.filter(|_| !file.contains('/')) {
                let served = format!("file={}", path.display());
                name = Cow::Owned(name.replacen(&format!("file={file}"), &served, 1));
            }
        }
        name
    }

    /// Takes the paths of the board's folders out of a text that clients read, and names the list of games that they see.
    pub fn shown(&self, text: &str) -> String {
        let paths = self.settings.files.folders().iter().map(|folder| format!("{}/", folder.display()));
        let text = paths.fold(text.to_owned(), |text, path| text.replace(&path, ""));
        let text = text.replace("a game that grundy games sum lists", "another game");
        ["grundy games rules lists", "grundy games lists"]
            .into_iter()
            .fold(text, |text, command| text.replace(command, "the first page lists"))
    }

    /// Reports whether a game is open.
    pub fn is_open(&self, game: &str) -> bool {
        self.lock().games.contains_key(game)
    }

    /// Returns when the files that a game's name names were last changed.
    fn changed(&self, game: &str) -> Vec<Option<SystemTime>> {
        let changed = |file: &str| std::fs::metadata(file).and_then(|file| file.modified()).ok();
        files_of(&self.full_name(game)).into_iter().map(changed).collect()
    }

    /// Returns a session of a game that is open, and whose files are those that it was opened with; else `None`.
    fn open_session(&self, game: &str) -> Option<Session> {
        let changed = self.changed(game);
        let mut open = self.lock();
        open.clock += 1;
        let now = open.clock;
        let opened = open.games.get_mut(game).filter(|opened| opened.changed == changed)?;
        opened.last = now;
        let session = opened.session.clone();
        drop(open);
        Some(session.lock().unwrap_or_else(PoisonError::into_inner).at_start())
    }

    /// Returns a session of a game at its start, without keeping the game open.
    ///
    /// # Errors
    /// There is no such game; one line.
    pub fn session_once(&self, game: &str) -> Result<Session, String> {
        match self.open_session(game) {
            Some(session) => Ok(session),
            None => self.catalog.open(&self.full_name(game), &self.settings).map_err(|why| self.shown(&why)),
        }
    }

    /// Returns a session of a game at its start, and keeps the game open.
    ///
    /// # Errors
    /// There is no such game; one line.
    pub fn session(&self, game: &str) -> Result<Session, String> {
        if let Some(session) = self.open_session(game) {
            return Ok(session);
        }
        let changed = self.changed(game);
        let session = self.session_once(game)?;
        let fork = session.at_start();
        let mut open = self.lock();
        open.clock += 1;
        let last = open.clock;
        open.games
            .insert(game.to_owned(), OpenGame { last, session: Arc::new(Mutex::new(session)), changed });
        Ok(fork)
    }
}

/// Sets a session up at a position.
///
/// # Errors
/// The position or a move is refused; one line.
pub fn set_up(session: &mut Session, target: &PositionRef) -> Result<(), String> {
    session.setup_typed(target.fen.as_deref()).map_err(|refusal| refusal.to_string())?;
    for word in &target.moves {
        session.play_moves(word).map_err(|refusal| refusal.to_string())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use grundy::catalog::CATALOG;
    use grundy::session::Files;

    #[test]
    fn open_games_are_bounded_by_their_bytes() {
        // A table that somebody has solved before would be opened as a file, which takes no memory.
        let folder = tempfile::tempdir().expect("a folder");
        let settings = Settings { tables: Some(folder.path().to_owned()), ..Settings::default() };
        let games = Games::new(CATALOG, settings, 4 * EACH);
        for heap in 1..=10 {
            games.session(&format!("nim:{heap}")).expect("a game");
            games.session("nim:1").expect("a game that is asked for again and again");
        }
        games.settle();
        let open = |heap: u32| games.is_open(&format!("nim:{heap}"));
        assert_eq!((1..=10).filter(|&heap| open(heap)).collect::<Vec<_>>(), [1, 8, 9, 10]);
        // A table counts: there is no room beside it.
        let mut large = games.session("tictactoe").expect("a game");
        let before = large.bytes();
        large.value();
        assert!(large.bytes() > before, "its table");
    }

    #[test]
    fn a_game_whose_file_has_changed_is_opened_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("g.dot");
        let settings =
            Settings { files: Files::Within(vec![folder.path().to_owned()]), ..Settings::default() };
        let games = Games::new(CATALOG, settings, 1 << 20);
        let write = |start: &str, second: u64| {
            let text = format!("digraph {{ {start} [start=true]; a -> b; b -> c }}");
            std::fs::write(&file, text).expect("a file");
            let time = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(second);
            let file = std::fs::File::options().append(true).open(&file).expect("a file");
            file.set_modified(time).expect("a time");
        };
        for (start, second) in [("a", 1), ("b", 2), ("b", 2)] {
            write(start, second);
            let position = games.session("graph:file=g.dot").expect("a game").position();
            assert!(position.starts_with(start), "{position}");
        }
    }

    #[test]
    fn files_are_named_without_the_folder_they_are_served_from() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("g.dot"), "digraph { a [start=true]; a -> b }").expect("a file");
        let folder = folder.path().canonicalize().expect("a path");
        let settings = Settings { files: Files::Within(vec![folder.clone()]), ..Settings::default() };
        let games = Games::new(CATALOG, settings, 1 << 20);
        let full = format!("graph:file={}/g.dot:repeat=3", folder.display());
        assert_eq!(games.full_name("graph:file=g.dot:repeat=3"), full);
        assert_eq!(games.shown(&full), "graph:file=g.dot:repeat=3");
        let admits = |game: &str| games.admit(&PositionRef::new(game, None, None)).is_ok();
        assert!(
            admits("graph:file=g.dot") && !admits("graph:file=../g.dot") && !admits("graph:file=other.dot")
        );
        // Whatever the catalog reads as the name of a file.
        let (inside, outside) = (folder.join("g.dot"), folder.parent().expect("a folder").join("h.dot"));
        std::fs::write(&outside, "digraph { a [start=true]; a -> b }").expect("a file");
        let opens = |file: &Path, name: &str| {
            let name = name.replace("FILE", &file.display().to_string());
            admits(&name) && games.session_once(&name).is_ok()
        };
        for name in ["graph:file=FILE", "graph file=FILE", "Graph:file=FILE", "sum:nim:3+graph file=FILE"] {
            assert!(opens(&inside, name) && !opens(&outside, name), "{name}");
        }
        let closed =
            Games::new(CATALOG, Settings { files: Files::Within(Vec::new()), ..Settings::default() }, 1);
        assert!(closed.session_once(&format!("graph file={}", inside.display())).is_err());
        std::fs::remove_file(outside).expect("it was there");
    }
}
