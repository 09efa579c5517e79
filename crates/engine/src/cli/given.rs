//! The game and the position that a command line names, in the same words for every subcommand.

use std::ffi::OsStr;
use std::path::Path;

use anyhow::Result;
use clap::Args;
use grundy_core::files;
use grundy_core::text::excerpt;
use grundy_review::{Game, Unread};
use grundy_session::{Catalog, Session, Settings, quiet_work};

use super::shared::Usage;

/// Most words that a name may have behind its first.
pub(super) const MOST_SECTIONS: usize = 5;
/// Legal moves whose signs are compared with those of a text.
const LISTED: usize = 100;

/// The most characters of a word in a message.
const SHOWN: usize = 200;

/// The largest file of a game that is read, in bytes.
const LARGEST: u64 = 16 << 20;

/// A game, and a position of it: the words behind a subcommand.
#[derive(Args, Clone, Debug)]
pub struct Given {
    /// The game, with its parameters: nim:3,5,7:misere
    #[arg(value_name = "GAME", required_unless_present = "given-game")]
    named: Option<String>,
    /// The position, or the moves to it: d d c, 1. e4 e5 [default: the start]
    #[arg(id = "given-words", value_name = "POSITION")]
    words: Vec<String>,
    /// The game, in place of the first word
    #[arg(id = "given-game", long = "game", value_name = "GAME")]
    pub game: Option<String>,
    /// The position, in place of these words; moves may follow from it
    #[arg(id = "given-position", long = "position", value_name = "POSITION", allow_hyphen_values = true)]
    position: Option<String>,
}

impl Given {
    /// Takes the last word away if it is a number: the plies of `grundy perft GAME PLIES`.
    pub fn last_number(&mut self) -> Option<u32> {
        // Behind `--game` the first word belongs to the position already.
        let first = self.named.as_ref().filter(|_| self.game.is_some());
        let number = self.words.last().or(first)?.parse().ok()?;
        if self.words.pop().is_none() {
            self.named = None;
        }
        Some(number)
    }

    /// Reports whether a position is given.
    pub fn has_position(&self) -> bool {
        self.position.is_some() || !self.words.is_empty() || self.game.is_some() && self.named.is_some()
    }

    /// Returns the only word if it names a file and no game: that of a saved game.
    pub fn file(&self, catalog: &Catalog) -> Option<&str> {
        let alone = self.words.is_empty() && self.game.is_none() && self.position.is_none();
        let name = self.named.as_deref().filter(|_| alone)?;
        (catalog.row(name).is_none() && Path::new(name).is_file()).then_some(name)
    }

    /// Opens the game and sets up its position. A file of a game stands for its moves.
    ///
    /// # Errors
    /// There is no such game, or the words are neither a position of it nor moves.
    pub fn open(&self, catalog: &Catalog, settings: &Settings) -> Result<Session> {
        if let Some(path) = self.file(catalog) {
            return Ok(at_end_of(catalog, settings, "", path).map_err(Usage)?);
        }
        // A file of rules or of a graph is a game.
        let path = self.named.as_deref().filter(|_| self.game.is_none());
        let of_file = |path| {
            let kind = catalog.game_of_file(path)?;
            (*catalog.full_name(path) == format!("{kind}:file={path}")).then_some((path, kind))
        };
        if let Some((path, kind)) = path.and_then(of_file) {
            if !Path::new(path).is_file() {
                let why =
                    format!("there is no file {path}: expected a file for {kind}, or a game of grundy games");
                return Err(Usage(why).into());
            }
            let words: Vec<&str> = self.words.iter().map(String::as_str).collect();
            let game = format!("{kind}:file={path}");
            return self.split(catalog, settings, &game, &words).map_err(|why| Usage(why).into());
        }
        // Behind `--game` the first word belongs to the position already, and so it does if it tells the game, as a FEN does.
        let told = self.named.as_deref().filter(|named| catalog.row(named).is_none());
        let (game, first) = match (self.game.as_deref(), self.named.as_deref()) {
            (Some(game), first) => (game, first),
            (None, Some(named)) => match told.and_then(|text| recognized(catalog, text)) {
                Some(told) => (told, Some(named)),
                None => match told.and_then(missing_file) {
                    Some(why) => return Err(Usage(why).into()),
                    None => (named, None),
                },
            },
            (None, None) => return Err(Usage("expected a game: grundy games lists them".to_owned()).into()),
        };
        let words: Vec<&str> = first.into_iter().chain(self.words.iter().map(String::as_str)).collect();
        self.split(catalog, settings, game, &words).map_err(|why| Usage(why).into())
    }

    /// Opens the game of the name that the first words complete (`dots 2x2`), at the position that the others give.
    fn split(
        &self,
        catalog: &Catalog,
        settings: &Settings,
        game: &str,
        words: &[&str],
    ) -> Result<Session, String> {
        if let ([path], None) = (words, &self.position)
            && path.contains(['.', '/'])
            && Path::new(path).is_file()
        {
            return at_end_of(catalog, settings, game, path);
        }
        // The name of a sum ends with the game behind its last plus.
        if let Some(plus) = words.iter().rposition(|&word| word == "+").filter(|plus| plus + 1 < words.len())
        {
            let (games, rest) = words.split_at(plus + 2);
            return self.split(catalog, settings, &[&[game], games].concat().join(" "), rest);
        }
        // Numbers at the end are parameters, if there is such a game: `nim 3 5 7`, `nim:3 5 7`, `heaps kayles 7 5`. A list of
        // numbers in the name is whole, and so is one that follows a name with parameters: a position.
        let sized = game.contains(':');
        let listed = sized && game.rsplit(':').next().is_some_and(|last| last.contains(','));
        let is_number = |word: &&&str| word.bytes().all(|b| b.is_ascii_digit());
        let numbers = words.iter().rev().take_while(is_number).count();
        let whole = (numbers > 0 && !listed && self.position.is_none())
            .then(|| catalog.open(&[&[game], words].concat().join(" "), settings));
        if let Some(Ok(session)) = whole {
            return Ok(session);
        }
        let mut refused = None;
        for sections in 0..=words.len().min(MOST_SECTIONS) {
            let (sections, rest) = words.split_at(sections);
            let is_list = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit());
            if sized && sections.iter().any(is_list) {
                break;
            }
            // Behind parameters every word is a section of its own.
            let name = [&[game], sections].concat().join(if sized { ":" } else { " " });
            let mut session = match catalog.open(&name, settings) {
                Ok(session) => session,
                Err(why) => {
                    // What looks like a size is one.
                    if refused.is_some() && sections.iter().all(|word| is_size(word)) {
                        return Err(why);
                    }
                    continue;
                }
            };
            match set_up_words(catalog, settings, &mut session, self.position.as_deref(), &rest.join(" ")) {
                Ok(()) => return Ok(session),
                Err(why) => refused = Some(why),
            }
        }
        match (refused, words) {
            (Some(_), [other]) if catalog.row(other).is_some() => Err(format!(
                "{other} is a game, and no move or position of {game}; grundy games {other} has its rules"
            )),
            // Numbers that are no moves were meant as a size, unless they were read as moves.
            (Some(Unread::Text(why)), _) if numbers == words.len() => {
                Err(whole.and_then(Result::err).unwrap_or(why))
            }
            (Some(refused), _) => Err(refused.into()),
            // Words of a position are no part of a name with parameters.
            (None, _) if sized && numbers < words.len() => catalog.open(game, settings),
            // A name of several words is refused as a whole.
            (None, _) => catalog.open(&[&[game], words].concat().join(" "), settings),
        }
    }
}

/// Returns the name of the game that a text without one is of; a board of eight rows is of the game that FEN was made for.
pub fn recognized(catalog: &Catalog, text: &str) -> Option<&'static str> {
    let board = text.trim_start().split(' ').next().unwrap_or_default();
    let fen = || catalog.standard().filter(|_| board.matches('/').count() == 7).map(|row| row.name);
    catalog.recognize(text).or_else(fen)
}

/// Returns the refusal of a word that is no game and is like the name of a file that is not there; `None` for other words.
pub(super) fn missing_file(word: &str) -> Option<String> {
    let path = Path::new(word);
    let part = |part: Option<&OsStr>| part.and_then(OsStr::to_str).unwrap_or_default().to_owned();
    let (stem, ending) = (part(path.file_stem()), part(path.extension()));
    // Positions have no letters behind a dot, or no letters before it.
    let named = stem.starts_with(|c: char| c.is_ascii_alphanumeric()) && !word.contains(' ');
    let like = named && ending.len() > 1 && ending.bytes().all(|byte| byte.is_ascii_alphabetic());
    (like && !path.exists()).then(|| {
        let shown = excerpt(word, SHOWN);
        format!(
            "cannot read \"{shown}\": there is no such file, and no game of this name (grundy games lists \
             them)"
        )
    })
}

/// Reads the games of a file: a PGN, records or moves. They are of `game` unless the file names another one.
///
/// # Errors
/// One line: the file cannot be read, or has no game.
pub fn games_of(catalog: &Catalog, settings: &Settings, game: &str, path: &str) -> Result<Vec<Game>, String> {
    let text = files::read_text(Path::new(path), LARGEST).map_err(|error| format!("{path}: {error}"))?;
    let open = |name: &str| catalog.open(name, settings);
    grundy_review::read(catalog, &open, game, None, &text, &quiet_work()).map_err(|why| match why {
        Unread::WhichGame => format!("{path}: {why}: write the game before the file"),
        Unread::Move(why) | Unread::Text(why) => format!("{path}: {why}"),
    })
}

/// Opens the game of a file at its end.
fn at_end_of(catalog: &Catalog, settings: &Settings, game: &str, path: &str) -> Result<Session, String> {
    let mut games = games_of(catalog, settings, game, path)?;
    if games.len() > 1 {
        return Err(format!(
            "{path} has {} games: expected one; grundy review {path} reads all",
            games.len()
        ));
    }
    let found = games.swap_remove(0);
    let mut session = catalog.open(&found.game, settings)?;
    if !game.is_empty() && catalog.open(game, settings)?.name() != session.name() {
        return Err(format!("{path} is a game of {}, not of {game}: leave out {game}", session.name()));
    }
    found.set_up(&mut session)?;
    Ok(session)
}

/// Reports whether a word is like the size of a board: `4x5`, `3,3`.
fn is_size(word: &str) -> bool {
    word.contains(['x', ',']) && word.chars().all(|c| c.is_ascii_digit() || c == 'x' || c == ',')
}

/// Sets up the position of one line: a position or `startpos`, optionally followed by `moves ..`.
///
/// # Errors
/// It is no position, or a move is not legal.
pub fn set_up(session: &mut Session, line: &str) -> Result<(), String> {
    let line = files::without_mark(line).trim_start().trim_end_matches([' ', '\t', '\r']);
    let line = if session.is_incomplete(line.trim_end()) { line } else { line.trim_end() };
    let (position, moves) = match line.split_once(" moves") {
        Some((position, moves)) if moves.is_empty() || moves.starts_with(' ') => (position.trim_end(), moves),
        _ => (line, ""),
    };
    let position = (position != "startpos").then_some(position);
    session.setup_typed(position).map_err(|refusal| refusal.to_string())?;
    for word in moves.split_whitespace() {
        session.play_moves(word).map_err(|refusal| refusal.to_string())?;
    }
    Ok(())
}

/// As [`set_up`], for a line that may also have moves from the start alone. Digits are moves where moves are of one sign.
///
/// # Errors
/// It is neither.
pub fn set_up_line(session: &mut Session, line: &str) -> Result<(), String> {
    let Err(refused) = set_up(session, line) else { return Ok(()) };
    let short = || session.at_start().legal_moves(1).iter().all(|word| word.len() == 1);
    let digits = line.chars().all(|c| c.is_ascii_digit() || c.is_whitespace());
    if line.trim().is_empty() || digits && !short() {
        return Err(refused);
    }
    set_up(session, &format!("startpos moves {line}")).map_err(|_| refused)
}

/// Sets up the position that the words of the command line mean: a position, or moves as people write them, from `start`
/// if that is given.
fn set_up_words(
    catalog: &Catalog,
    settings: &Settings,
    session: &mut Session,
    start: Option<&str>,
    words: &str,
) -> Result<(), Unread> {
    if let Some(start) = start {
        session.setup_typed(Some(start)).map_err(|refusal| refusal.to_string())?;
    }
    if words.is_empty() {
        return Ok(());
    }
    let start = start.map(|_| session.position());
    // As other programs write it.
    let words = words.strip_prefix("fen ").unwrap_or(words);
    let from_start = words.split(' ').next() == Some("moves");
    let line = if from_start { format!("startpos {words}") } else { words.to_owned() };
    let refused = match &start {
        Some(_) => String::new(),
        None => match set_up(session, &line) {
            Ok(()) => return Ok(()),
            Err(refused) => refused,
        },
    };
    match moves_from(catalog, settings, session, start.as_deref(), &line, &refused) {
        Err(_) if start.is_none() && !from_start && position_and_moves(session, &line) => Ok(()),
        found => found,
    }
}

/// Sets up the first words as a position, and plays the others from it; returns false if they are none.
fn position_and_moves(session: &mut Session, line: &str) -> bool {
    /// The most words of a position.
    const WORDS: usize = 8;
    let ends: Vec<usize> = line.match_indices(' ').map(|(end, _)| end).take(WORDS).collect();
    ends.into_iter().rev().any(|end| {
        let (position, moves) = line.split_at(end);
        set_up(session, &format!("{position} moves{moves}")).is_ok()
    })
}

/// Plays the moves of a line, from `start` or from the position that the line names; `refused` is why the line is no
/// position.
fn moves_from(
    catalog: &Catalog,
    settings: &Settings,
    session: &mut Session,
    start: Option<&str>,
    line: &str,
    refused: &str,
) -> Result<(), Unread> {
    let (start, moves) = match line.split_once(" moves ") {
        Some((from, moves)) if start.is_none() => (Some(from).filter(|&from| from != "startpos"), moves),
        Some(("startpos", moves)) => (start, moves),
        _ if start.is_none() && is_like_position(catalog, session, line) => {
            return Err(Unread::Text(refused.to_owned()));
        }
        _ => (start, line),
    };
    let open = |name: &str| catalog.open(name, settings);
    let game =
        grundy_review::read(catalog, &open, session.name(), start, moves, &quiet_work())?.swap_remove(0);
    if game.game != session.name() {
        return Err(Unread::Text(format!("the moves are of {}, not of {}", game.game, session.name())));
    }
    Ok(game.set_up(session)?)
}

/// Reports whether a text is more like a position of the game than like moves: it has one of the signs that stand between
/// the parts of a position and in no move, or is about as long as one and has no blanks where one has none.
fn is_like_position(catalog: &Catalog, session: &Session, text: &str) -> bool {
    if catalog.is_standard(session.name()) {
        // No move of chess has a slash.
        return text.contains('/');
    }
    let mut fork = session.at_start();
    if text.split(' ').next().is_some_and(|first| fork.is_legal(first)) {
        return false;
    }
    let (start, moves) = (fork.position(), fork.legal_moves(LISTED));
    let separates = |c: &char| matches!(c, '/' | '|' | ';' | '=');
    start.chars().filter(separates).any(|c| text.contains(c) && !moves.iter().any(|word| word.contains(c)))
        || text.len() >= start.len().max(4) && !text.trim().contains(' ')
}
