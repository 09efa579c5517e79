//! Reads games from texts: moves in words, PGN, records of the referee.

use std::borrow::Cow;
use std::fmt;

use grundy_core::files;
use grundy_core::value::Value;
use grundy_session::{Catalog, Session, Work};
use serde::Serialize;

use crate::pgn::{Games, is_plain};

/// The most games that are read from one text.
const MOST_GAMES: usize = 2_000;
/// Legal moves that are checked for being numbers.
const LISTED: usize = 100;
/// Legal moves that a refusal names.
const NAMED: usize = 8;
/// Spellings of a pass or null move in records.
const NULL_MOVES: [&str; 4] = ["--", "Z0", "0000", "@@@@"];

/// The reason why a text is not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unread {
    /// Moves alone, of a game that is not named.
    WhichGame,
    /// A move that is not legal where it stands: one line.
    Move(String),
    /// Another fault: one line that says where the text is wrong, and what is wrong there.
    Text(String),
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unread::WhichGame => f.write_str("moves alone do not say which game they are of"),
            Unread::Move(why) | Unread::Text(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Unread {}

impl From<String> for Unread {
    fn from(why: String) -> Unread {
        Unread::Text(why)
    }
}

impl From<Unread> for String {
    fn from(why: Unread) -> String {
        why.to_string()
    }
}

/// A game that was read.
#[derive(Debug, Serialize)]
pub struct Game {
    /// The game's name.
    pub game: String,
    /// The players, in one line.
    pub title: String,
    /// The names of player one and two, if the text has them.
    #[serde(skip)]
    pub players: Option<[String; 2]>,
    /// The position from which it begins, if that is not the game's start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// All moves.
    pub moves: Vec<String>,
    /// The number of moves that lost value, if the record has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slips: Option<usize>,
    /// One line on the rules that the game is read by, where they are not those of its own name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl Game {
    /// Sets up a session of this game at its end.
    ///
    /// # Errors
    /// The position or a move is not one of the session's game.
    pub fn set_up(&self, session: &mut Session) -> Result<(), String> {
        session.setup(self.fen.as_deref()).map_err(|refusal| refusal.to_string())?;
        self.moves
            .iter()
            .try_for_each(|word| session.play(word).map(|_| ()))
            .map_err(|refusal| refusal.to_string())
    }
}

/// Reads the games of a text; `open` opens the games that it names. They are games of `game` unless the text names another one.
/// If `game` is empty, a PGN is of chess unless it names a variant, and moves alone are of the game that the catalog
/// [recognizes](Catalog::recognize). Moves alone, and a PGN without a FEN, begin at `start` if that is given.
///
/// # Errors
/// Says where the text is wrong, and what is wrong there.
pub fn read(
    catalog: &Catalog,
    open: &dyn Fn(&str) -> Result<Session, String>,
    game: &str,
    start: Option<&str>,
    text: &str,
    work: &Work<'_>,
) -> Result<Vec<Game>, Unread> {
    const EXPECTED: &str = "expected moves, a PGN, or a record of the referee";
    let text = files::without_mark(text).trim();
    if text.is_empty() {
        return Err(Unread::Text(format!("the text is empty: {EXPECTED}")));
    }
    if is_sgf(text) {
        return Err(Unread::Text(format!("SGF is not read: {EXPECTED}")));
    }
    if is_record(text) {
        return record(text, work, open).map_err(Unread::Text);
    }
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    if let Some(game) = as_written(open, game, start, &text) {
        return Ok(vec![game]);
    }
    pgn(catalog, &text, [game, start.unwrap_or_default()], work, open)
}

/// Reads the games of a text like [`read`]; moves on several lines that are no game together are read line by line, if every
/// line is a game by itself.
///
/// # Errors
/// Says where the text is wrong, and what is wrong there.
pub fn read_or_lines(
    catalog: &Catalog,
    open: &dyn Fn(&str) -> Result<Session, String>,
    game: &str,
    start: Option<&str>,
    text: &str,
    work: &Work<'_>,
) -> Result<Vec<Game>, Unread> {
    let why = match read(catalog, open, game, start, text, work) {
        Err(why @ (Unread::Move(_) | Unread::WhichGame)) => why,
        read => return read,
    };
    let lines = (1..).zip(files::without_mark(text).lines());
    let lines: Vec<(usize, &str)> = lines.filter(|(_, line)| !line.trim().is_empty()).collect();
    let Some(&(_, first)) = lines.first().filter(|_| lines.len() > 1) else { return Err(why) };
    if lines.iter().any(|(_, line)| is_of_pgn(line)) {
        return Err(why);
    }
    let recognized = || catalog.recognize(text).or_else(|| catalog.recognize(first)).unwrap_or_default();
    let name = if game.is_empty() { recognized() } else { game };
    let mut games = Vec::new();
    for &(number, line) in lines.iter().take(MOST_GAMES) {
        let mut read = read(catalog, open, name, start, line, work).unwrap_or_default();
        if read.len() != 1 || read.iter().any(|game| game.moves.is_empty()) {
            let together = format!("; the {} lines are read as one game", lines.len());
            return Err(match why {
                Unread::Move(why) => Unread::Move(why + &together),
                why => why,
            });
        }
        for game in &mut read {
            game.note.get_or_insert_with(|| {
                format!("line {number}, a game of its own: the moves of all lines together are none")
            });
        }
        games.append(&mut read);
    }
    Ok(games)
}

/// Reports whether a line has signs of a PGN at its beginning, or the number of a later move: such lines belong together.
fn is_of_pgn(line: &str) -> bool {
    let line = line.trim_start();
    let behind = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = &line[..line.len() - behind.len()];
    line.starts_with(['[', '{', '(', ';', '%']) || behind.starts_with(['.', '…']) && number != "1"
}

/// Returns the game of a text that is moves as the game writes them, apart by blanks, some of which hold signs that mean
/// something else in a PGN (Sprouts); `None` if it is not.
fn as_written(
    open: &dyn Fn(&str) -> Result<Session, String>,
    game: &str,
    start: Option<&str>,
    text: &str,
) -> Option<Game> {
    if game.is_empty() || text.split_whitespace().all(is_plain) {
        return None;
    }
    let mut session = open(game).ok()?;
    session.setup(start).ok()?;
    text.split_whitespace().try_for_each(|word| session.play(word).map(|_| ()).ok())?;
    Some(Game {
        game: session.name().to_owned(),
        title: "pasted".to_owned(),
        players: None,
        fen: start.map(str::to_owned),
        moves: session.history().to_vec(),
        slips: None,
        note: None,
    })
}

/// Decodes a text: UTF-8, or Latin-1 as in the PGN standard of 1994.
pub fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|&byte| char::from(byte)).collect()),
    }
}

/// Reports whether a text begins like a line of JSON; a comment of a PGN begins with a brace, too.
fn is_record(text: &str) -> bool {
    let inner = text.strip_prefix('{').map(str::trim_start);
    let named = text.lines().next().is_some_and(|line| line.contains("\":") || !line.contains('}'));
    inner.is_some_and(|inner| inner.starts_with('"') && named)
}

/// Reports whether a text begins like a game in the Smart Game Format.
fn is_sgf(text: &str) -> bool {
    text.strip_prefix('(').is_some_and(|inner| inner.trim_start().starts_with(';')) && text.contains('[')
}

/// Plays words, each a move as the game or as people write it, or several without blanks between them, and returns the
/// moves as the game writes them. Annotations among the words are skipped.
fn played<'w>(
    session: &mut Session,
    words: impl Iterator<Item = &'w str>,
    work: &Work<'_>,
) -> Result<Vec<String>, Unread> {
    let mut numbers = false;
    for word in words {
        in_time(work)?;
        if session.play_moves(word).is_ok() || session.play(judged(word)).is_ok() {
            numbers |= is_number(word);
            continue;
        }
        if is_annotation(session, word, &mut numbers) {
            continue;
        }
        let (number, position) = (session.history().len() + 1, session.position());
        return Err(Unread::Move(match word {
            _ if session.over().is_some() => {
                format!(
                    "move {number}: {word:?} comes after the end: by the rules the game is over in {position}"
                )
            }
            _ => {
                let legal = session.legal_moves(NAMED + 1);
                let more = if legal.len() > NAMED { " .." } else { "" };
                let legal = legal[..legal.len().min(NAMED)].join(" ");
                let what = if NULL_MOVES.contains(&word) { " passes, which" } else { "" };
                format!("move {number}: {word:?}{what} is not legal in {position}; legal: {legal}{more}")
            }
        }));
    }
    Ok(session.history().to_vec())
}

/// Returns a move without the judgement behind it (`e4+-`).
fn judged(word: &str) -> &str {
    word.trim_end_matches(|c: char| "+-=/±∓⩲⩱∞□".contains(c))
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Reports whether a word that is not a move is the number of one, a judgement like `+-`, or `e.p.` behind a capture. Notes in
/// `numbers` whether moves of the game are numbers, or read as numbers.
fn is_annotation(session: &mut Session, word: &str, numbers: &mut bool) -> bool {
    if is_number(word) {
        *numbers |= session.legal_moves(LISTED).iter().any(|m| is_number(m))
            || ["1", "2", "3", "4"].into_iter().any(|number| session.is_legal(number));
        return !*numbers;
    }
    word != "--" && !word.chars().any(char::is_alphanumeric)
        || ["e.p.", "e.p", "ep", "N", "D"].contains(&word)
}

/// Fails when the time is over.
fn in_time(work: &Work<'_>) -> Result<(), String> {
    match work.stopped() {
        true => Err("the text takes too long to read: open a part of it".to_owned()),
        false => Ok(()),
    }
}

/// Reads a record of the referee: one JSON object a line.
fn record(
    text: &str,
    work: &Work<'_>,
    open: &dyn Fn(&str) -> Result<Session, String>,
) -> Result<Vec<Game>, String> {
    let mut games = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        if games.len() >= MOST_GAMES {
            break;
        }
        let place = |why: String| format!("line {}: {why}", number + 1);
        in_time(work).map_err(place)?;
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
        let all = played(&mut session, all.iter().map(String::as_str), work);
        let all = all.map_err(|why| place(why.to_string()))?;
        let slips = moves.iter().filter(|m| !m["fault"].is_null()).count();
        let title = format!("game {}: {}", line["id"], words(&line["players"]).join(" - "));
        let players = <[String; 2]>::try_from(words(&line["players"])).ok();
        games.push(Game {
            game: name.to_owned(),
            title,
            players,
            fen,
            moves: all,
            slips: Some(slips),
            note: None,
        });
    }
    if games.is_empty() { Err("no games in this record".to_owned()) } else { Ok(games) }
}

/// The values of the tag `Variant` that mean the rules of chess, as lichess, chess.com and python-chess write them.
const STANDARD: [&str; 6] = ["standard", "normal", "chess", "classical", "from position", "regular"];

/// Its values for chess from other starts, and the game that they mean.
const SHUFFLED: [&str; 3] = ["chess960", "fischerandom", "fischer random"];
const SHUFFLED_GAME: &str = "chess:960";

/// The parameter of chess under which draws by a third repetition or fifty moves do not end a game: FIDE's laws (2023,
/// 9.2 and 9.3) have them claimed, and the games of a PGN may go on without.
const UNCLAIMED: &str = "32men";

/// Reads the games of a PGN, or of words alone, which are moves of `game` from `start`, its own if empty.
fn pgn(
    catalog: &Catalog,
    text: &str,
    [game, start]: [&str; 2],
    work: &Work<'_>,
    open: &dyn Fn(&str) -> Result<Session, String>,
) -> Result<Vec<Game>, Unread> {
    let chess = catalog.standard().map_or("chess", |row| row.name);
    let mut games = Vec::new();
    let game = if game.is_empty() { catalog.recognize(text).unwrap_or_default() } else { game };
    for written in Games::new(text).take(MOST_GAMES) {
        let written = written?;
        in_time(work)?;
        let (name, title) = match written.tag("Variant") {
            _ if written.tags.is_empty() && game.is_empty() => return Err(Unread::WhichGame),
            _ if written.tags.is_empty() => (game, "pasted".to_owned()),
            variant => {
                let player = |tag| written.tag(tag).unwrap_or_default();
                let unnamed = if game.is_empty() { chess } else { game };
                let name = match variant {
                    None => unnamed,
                    Some(variant) => match variant.to_ascii_lowercase().as_str() {
                        known if STANDARD.contains(&known) => chess,
                        known if SHUFFLED.contains(&known) => SHUFFLED_GAME,
                        _ => variant,
                    },
                };
                let title = format!("{} - {}", player("White"), player("Black"));
                (name, if title == " - " { "pasted".to_owned() } else { title })
            }
        };
        let number = games.len() + 1;
        let place = |why: Unread| match title.as_str() {
            "pasted" if written.tags.is_empty() => why,
            "pasted" => Unread::Text(format!("game {number}: {why}")),
            title => Unread::Text(format!("game {number} ({title}): {why}")),
        };
        let fen = written.tag("FEN").or(Some(start).filter(|start| !start.is_empty())).map(str::to_owned);
        let players = ["White", "Black"].map(|tag| written.tag(tag).map(str::to_owned));
        let players = match players {
            [Some(one), Some(two)] => Some([one, two]),
            _ => None,
        };
        let name = catalog.cased(name);
        let mut session = open(&name).map_err(|why| place(why.into()))?;
        session.setup(fen.as_deref()).map_err(|refusal| place(refusal.to_string().into()))?;
        let words = written.words.iter().copied();
        let game = match played(&mut session, words.clone(), work) {
            Ok(moves) => Game { game: name, title, players, fen, moves, slips: None, note: None },
            // A third repetition or fifty moves may be claimed, and nobody has.
            Err(why) if catalog.is_standard(&name) && session.over() == Some(Value::DRAW) => {
                let drawn = session.history().len();
                let name = format!("{chess}:{UNCLAIMED}");
                while session.undo() {}
                let start = session.position();
                let mut session = open(&name).map_err(|why| place(why.into()))?;
                if session.setup(Some(&start)).is_err() {
                    // A start of Chess960.
                    return Err(place(why));
                }
                let moves = played(&mut session, words, work).map_err(place)?;
                let note = format!(
                    "played on after a draw that could be claimed at ply {drawn}: by the rules of {name}, without such draws"
                );
                Game { game: name, title, players, fen: Some(start), moves, slips: None, note: Some(note) }
            }
            Err(why) => return Err(place(why)),
        };
        if !written.tags.is_empty() || !game.moves.is_empty() {
            // Numbers alone are no game.
            games.push(game);
        }
    }
    match games.is_empty() {
        true => Err(Unread::Text("no moves in this text, and no position".to_owned())),
        false => Ok(games),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a test that cannot go on should fail
    use super::*;
    use crate::tests::CATALOG;
    use grundy_session::{Settings, quiet_work};

    fn games(game: &str, text: &str) -> Result<Vec<Game>, String> {
        let open = |name: &str| match name.contains("file=") {
            true => Err("games from files are not served here".to_owned()),
            false => CATALOG.open(name, &Settings::default()),
        };
        read(&CATALOG, &open, game, None, text, &quiet_work()).map_err(String::from)
    }

    #[test]
    fn moves_are_read_as_people_bring_them() {
        assert_eq!(games("tictactoe", "1. b2 a1 2. c3").unwrap()[0].moves, ["b2", "a1", "c3"]);
        let pgn = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 {best} e5 2.Nf3 (2. f4 exf4) Nc6 $1 1-0\n\n[White \"C\"]\n\n1. d4 *\n";
        let read = games("", pgn).unwrap();
        assert_eq!(read[0].moves, ["e2e4", "e7e5", "g1f3", "b8c6"]);
        assert_eq!((read.len(), read[1].moves.len(), read[0].title.as_str()), (2, 1, "A - B"));
        assert_eq!(games("tictactoe", "1... 6 2").err().unwrap(), "no moves in this text, and no position");
        let record = r#"{"line":"header","names":[]}
{"line":"game","id":1,"game":"nim:3,5,7","players":["a","b"],"moves":[{"by":1,"word":"1:1","us":3},{"by":2,"word":"2:5","us":3,"fault":{}}]}"#;
        let read = games("", record).unwrap();
        assert_eq!((read[0].moves.len(), read[0].slips), (2, Some(1)));
    }

    #[test]
    fn a_list_of_moves_says_its_game_where_only_one_has_such_moves() {
        let read = |text: &str| {
            let game = games("", text).unwrap_or_else(|why| panic!("{text}: {why}")).remove(0);
            (game.game, game.moves.join(" "))
        };
        let as_text = |game: &str, moves: &str| (game.to_owned(), moves.to_owned());
        assert_eq!(read("44444432"), as_text("connect4:7x6", "d d d d d d c b"));
        assert_eq!(read("4 4\n43"), as_text("connect4:7x6", "d d d c"));
        assert_eq!(read("F5D6C3"), as_text("othello:8x8", "f5 d6 c3"));
        assert_eq!(read("1. e4 e5 2. Nf3"), as_text("chess", "e2e4 e7e5 g1f3"));
        assert_eq!(games("tictactoe", "B2a1 C3").unwrap()[0].moves, ["b2", "a1", "c3"]);
        assert_eq!(games("awari", "321").unwrap()[0].moves, ["3", "2", "1"]);
        // The first player has no move after the eighth.
        let passes = games("", "d3c3e6d2d1e1b3c1b4").unwrap().remove(0).moves;
        assert_eq!(passes[7..], ["c1", "pass", "b4"]);
        assert!(games("connect4", "4444444").unwrap_err().contains("move 1: \"4444444\" is not legal"));
        assert!(games("tictactoe", "b2b2").unwrap_err().contains("move 1"));
    }

    #[test]
    fn lines_that_are_no_game_together_are_games_of_their_own() {
        let read = |game: &str, text: &str| {
            let open = |name: &str| CATALOG.open(name, &Settings::default());
            read_or_lines(&CATALOG, &open, game, None, text, &quiet_work()).map_err(String::from)
        };
        let moves = |game: &str, text: &str| -> Vec<String> {
            read(game, text).unwrap().iter().map(|game| game.moves.join(" ")).collect()
        };
        assert_eq!(moves("", "44444432\n\n4444\r\n"), ["d d d d d d c b", "d d d d"]);
        assert_eq!(moves("tictactoe", "b2 a1\n1. b2 c3"), ["b2 a1", "b2 c3"]);
        let note = read("connect4", "44444432\n4444").unwrap().remove(1).note.unwrap();
        assert!(note.starts_with("line 2, ") && note.lines().count() == 1, "{note}");
        // One game, where that is possible or its numbers say so.
        assert_eq!(moves("", "444\n444"), ["d d d d d d"]);
        assert_eq!(read("", "1. e4 e5\n2. e4").unwrap_err(), games("", "1. e4 e5\n2. e4").unwrap_err());
        let said = read("connect4", "444444\n4\n8").unwrap_err();
        assert!(
            said.starts_with("move 7: ") && said.ends_with("; the 3 lines are read as one game"),
            "{said}"
        );
        assert_eq!(read("", "b2\na1").unwrap_err(), Unread::WhichGame.to_string());
    }

    #[test]
    fn a_pgn_is_read_by_its_import_format() {
        let moves = |game: &str, text: &str| -> Vec<String> {
            games(game, text)
                .unwrap_or_else(|why| panic!("{text}: {why}"))
                .into_iter()
                .flat_map(|game| game.moves)
                .collect()
        };
        let tags = "[White \"Müller, A]x\"]\r\n[Variant \"From Position\"]\r\n[SetUp \"1\"]\r\n\
                    [FEN\t\"r3k2r/8/8/3pP3/8/8/P7/R3K2R w KQkq d6 0 1\"]\r\n\r\n";
        for (text, right) in [
            ("1. exd6 e.p. 0-0-0 *", "e5d6 e8c8"),
            ("1 exd6ep+- O–O {a}2.♖xh8+!! ±", "e5d6 e8g8 h1h8"),
            ("1. 0-0-0$1(1. 0-0)1...0-0-0\r\n% no\r\n2. a2-a4 N", "e1c1 e8c8 a2a4"),
        ] {
            assert_eq!(moves("", &format!("{tags}{text}")).join(" "), right, "{text}");
        }
        assert_eq!(moves("chess", "1. e4 e5 1-0\n\n1. d4 d5 1/2-1/2").len(), 4);
        assert_eq!(games("chess", "1. e4 e5 1-0\n\n1. d4 d5 1/2-1/2").unwrap().len(), 2);
        assert_eq!(moves("", "{ \"x\" }\n[Variant \"Normal\"]\n1 e4"), ["e2e4"]);
        assert_eq!(moves("", "[Variant \"Awari\"]\n\n1. 3 2 2. 1 6"), ["3", "2", "1", "6"]);
        assert_eq!(moves("tictactoe", "[White \"A\"]\n\n1. b2 a1 *"), ["b2", "a1"]);
        assert_eq!(moves("tictactoe", "[Variant \"Standard\"]\n\n1. e4 *"), ["e2e4"]);
        let refused = |text: &str| games("chess", text).unwrap_err();
        assert!(refused("1. e4 -- 2. d4").contains("\"--\" passes, which is not legal"));
        assert!(refused("[Variant \"Atomic\"]\n\n1. e4").contains("Atomic"));
        assert!(refused("1. e4 e5 2. foo").contains("move 3: \"foo\" is not legal"));
        assert!(refused("1. f3 e5 2. g4 Qh4# 3. a3").contains("the game is over"));
        assert!(games("matches:3", "3 1 2 3").unwrap_err().contains("comes after the end"));
        let knights = "Nb3 Nb6 Na1 Na8 ".repeat(3);
        let start = "nrkrbbqn/pppppppp/8/8/8/8/PPPPPPPP/NRKRBBQN w DBdb - 0 1";
        let said =
            games("", &format!("[Variant \"Chess960\"]\n[FEN \"{start}\"]\n\n{knights} g3 *")).unwrap_err();
        assert!(said.contains("comes after the end"), "{said}");
    }

    #[test]
    fn a_game_may_be_played_on_after_a_draw_that_nobody_claimed() {
        let knights = "Nf3 Nf6 Ng1 Ng8 ";
        let read = |text: &str| games("", &format!("[White \"A\"]\n\n{text}")).map(|mut read| read.remove(0));
        let ends = read(&knights.repeat(2)).unwrap();
        assert_eq!(
            (ends.game.as_str(), ends.note),
            ("chess", None),
            "the third time comes with the last move"
        );
        let on = read(&(knights.repeat(3) + "e4 e5 1/2-1/2")).unwrap();
        assert_eq!((on.game.as_str(), on.moves.len()), ("chess:32men", 14));
        let note = on.note.unwrap();
        assert!(note.contains("could be claimed at ply 8") && note.lines().count() == 1, "{note}");
        let mut session = CATALOG.open(&on.game, &Settings::default()).unwrap();
        session.setup(on.fen.as_deref()).unwrap();
        for word in &on.moves {
            session.play(word).unwrap();
        }
        let rooks = "[FEN \"k7/8/8/8/8/8/1R6/K7 w - - 97 100\"]\n\nRb3 Ka7 Rb4 Ka8 Rb5 Ka7";
        let on = games("", rooks).unwrap().remove(0);
        assert_eq!((on.moves.len(), on.note.is_some()), (6, true), "after fifty moves");
        let said = read(&(knights.repeat(3) + "e5")).unwrap_err();
        assert!(said.contains("move 13: \"e5\" is not legal"), "{said}");
    }

    #[test]
    fn what_is_no_utf_8_is_latin_1() {
        assert_eq!(text_of(b"M\xfcller"), "Müller");
        assert_eq!(text_of("Müller".as_bytes()), "Müller");
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        assert!(games("tictactoe", "b2 b2").unwrap_err().contains("move 2"));
        assert!(games("", "[White \"A\"]\n\n1. e5 *").unwrap_err().contains("game 1"));
        let untitled = "[Event \"x\"]\n\n1. e4 *\n\n[Event \"y\"]\n\n1. e5 *";
        assert!(games("", untitled).unwrap_err().starts_with("game 2: move 1: "));
        assert!(games("", "{\"game\"").unwrap_err().contains("line 1"));
        assert!(games("graph:file=/etc/passwd", "a").unwrap_err().contains("not served"));
        assert!(games("", "").unwrap_err().contains("empty"));
        for sgf in ["(;GM[1]FF[4]SZ[9];B[ee];W[cc])", "\n( ;GM[2]\n;B[d3])\n"] {
            let said = games("othello", sgf).unwrap_err();
            assert_eq!(said, "SGF is not read: expected moves, a PGN, or a record of the referee");
        }
        assert_eq!(games("chess", "(; no variation\n1. d4) 1. e4").unwrap()[0].moves, ["e2e4"]);
        assert_eq!(games("", "b2 a1").unwrap_err(), Unread::WhichGame.to_string());
    }
}
