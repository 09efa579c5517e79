//! The commands of the protocol, parsed from lines.

use std::fmt;

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `ugi`.
    Ugi,
    /// `uci`.
    Uci,
    /// `isready`.
    IsReady,
    /// `uginewgame`, `ucinewgame` or `new game`; the last one may name the game to change to.
    NewGame(Option<String>),
    /// `setoption name N value V`; the value is empty if none was given.
    SetOption {
        /// The option's name with single blanks.
        name: String,
        /// Its new value, blanks unchanged.
        value: String,
    },
    /// `position startpos|fen F [moves ..]`.
    Position {
        /// The position in words; `None` for the start.
        fen: Option<String>,
        /// The moves played from it.
        moves: Words,
    },
    /// `position index [NUMBERING] N [moves ..]`
    Numbered {
        /// The name of the numbering; `None` for that of the game's table.
        numbering: Option<String>,
        /// The position's number.
        number: u64,
        /// The moves played from it.
        moves: Words,
    },
    /// A `position` that cannot be read, with its words.
    Misplaced(String),
    /// A line that cannot be read, with what is said of it.
    Unread(String),
    /// `moves ..` without a position: they are played from the current one.
    Moves(Words),
    /// `move M`: one move, to which the engine may reply.
    Move(String),
    /// `reply on` or `reply off`.
    Reply(bool),
    /// `go ..`.
    Go(GoWords),
    /// `stop`.
    Stop,
    /// `ponderhit`.
    PonderHit,
    /// `quit`.
    Quit,
    /// `query ..`.
    Query(Query),
    /// `help`.
    Help,
    /// A line of another protocol, for its translator.
    Foreign(String),
    /// A command without effect and answer (`debug on`, `register later`).
    Silent,
}

/// Words of a line as one text, so that a command takes about as much memory as its line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words(String);

impl Words {
    fn of(words: &[&str]) -> Words {
        Words(words.join(" "))
    }

    /// Iterates over the words.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.split_ascii_whitespace()
    }
}

/// The answer to `help`.
pub const HELP: &str = "\
new game [GAME]          start anew, with another game if one is named: new game connect4:5x4
move M                   play M; reply on: the engine answers with a move of its own; reply off
moves M M ..             play these moves
go [movetime MS]         find a move; stop ends a search; go perft N counts lines of play
query fen                the position; query legalmoves: the moves; query index: its number
query value              the exact value; query values: that of every move; query bestmoves
position startpos|fen F|index N [moves M ..], setoption name N value V, isready, uginewgame, ugi, uci
quit                     end
Games: grundy games. All of this: protocol.md";

/// The words of `go`. Unknown ones, and those with unreadable numbers, are skipped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoWords {
    /// Milliseconds and increments for player one and two.
    pub clocks: [ClockWords; 2],
    /// `movestogo`: moves to the next time control.
    pub moves_to_go: Option<u64>,
    /// Milliseconds for this move.
    pub move_time: Option<i64>,
    /// Plies.
    pub depth: Option<u32>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Search for a mate in this number of moves.
    pub mate: Option<u32>,
    /// Count the lines of play of this many plies instead of searching.
    pub perft: Option<u32>,
    /// True if a count was asked for without a readable number: nothing is counted or searched.
    pub unread_perft: bool,
    /// Search until `stop`.
    pub infinite: bool,
    /// Search on the opponent's time until `ponderhit` or `stop`.
    pub ponder: bool,
    /// Consider these moves only.
    pub search_moves: Words,
    /// Error messages about numbers, a line each.
    pub faults: Vec<String>,
}

/// Maximum number of faults reported of one `go`.
const FAULTS: usize = 16;

/// Reads seconds, which may have a fraction, as milliseconds; `None` unless they are a number from -10^9 to 10^9.
pub fn milliseconds(seconds: &str) -> Option<i64> {
    let seconds: f64 = seconds.parse().ok()?;
    (-1e9..=1e9).contains(&seconds).then_some((seconds * 1000.0) as i64)
}

/// One player's clock, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClockWords {
    /// Time left.
    pub time: Option<i64>,
    /// Increment per move.
    pub increment: Option<i64>,
    /// True if the time was given but unreadable.
    pub unread: bool,
}

/// The subjects of `query`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Query {
    /// `p1turn`.
    PlayerOneTurn,
    /// `p2turn`.
    PlayerTwoTurn,
    /// `gameover`.
    GameOver,
    /// The result of the game.
    Result,
    /// The position as a line.
    Fen,
    /// All legal moves.
    LegalMoves,
    /// `islegal M`.
    IsLegal(String),
    /// The exact value.
    Value,
    /// The moves of the best value.
    BestMoves,
    /// Every legal move with its value.
    Values,
    /// The Grundy number.
    Grundy,
    /// The canonical form.
    CanonicalForm,
    /// The temperature, the mean and the walls of the canonical form.
    Thermograph,
    /// The game's annotation: in Dots-and-Boxes `loony`, who makes the next loony move. Unknown words are read as one.
    Annotation {
        /// Its name.
        name: String,
        /// True to report it after each legal move.
        moves: bool,
    },
    /// The position's number in the game's table, or in the named numbering.
    Index(Option<String>),
}

/// The reason why a line is no command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unread {
    /// The line is blank: it is skipped silently.
    Blank,
    /// The first word is unknown.
    Unknown(String),
    /// Something is missing after the command.
    Incomplete {
        /// The command.
        command: &'static str,
        /// The expected rest, in words.
        expected: &'static str,
    },
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unread::Blank => f.write_str("blank line"),
            Unread::Unknown(word) => write!(f, "unknown command {word:?}"),
            Unread::Incomplete { command, expected } => {
                write!(f, "incomplete command {command:?}: expected {expected}")
            }
        }
    }
}

impl std::error::Error for Unread {}

impl Command {
    /// Reads one line without its end.
    ///
    /// # Errors
    /// The line is blank, its first word unknown, or the rest is incomplete.
    pub fn read(line: &str) -> Result<Command, Unread> {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        match words.as_slice() {
            [] => Err(Unread::Blank),
            ["ugi", ..] => Ok(Command::Ugi),
            ["uci", ..] => Ok(Command::Uci),
            ["isready", ..] => Ok(Command::IsReady),
            ["uginewgame" | "ucinewgame", ..] | ["new", "game"] => Ok(Command::NewGame(None)),
            ["new", "game", game @ ..] => Ok(Command::NewGame(Some(game.join(" ")))),
            ["new", ..] => {
                Err(Unread::Incomplete { command: "new", expected: "game, then perhaps its name" })
            }
            ["stop", ..] => Ok(Command::Stop),
            ["ponderhit", ..] => Ok(Command::PonderHit),
            ["quit", ..] => Ok(Command::Quit),
            ["debug" | "register", ..] => Ok(Command::Silent),
            ["setoption", rest @ ..] => set_option(rest, line),
            ["position", rest @ ..] => {
                Ok(position(rest).unwrap_or_else(|| Command::Misplaced(rest.join(" "))))
            }
            ["moves", rest @ ..] => Ok(Command::Moves(Words::of(rest))),
            ["move", word] => Ok(Command::Move((*word).to_owned())),
            ["move", ..] => Err(Unread::Incomplete { command: "move", expected: "one move" }),
            ["reply", "on"] => Ok(Command::Reply(true)),
            ["reply", "off"] => Ok(Command::Reply(false)),
            ["reply", ..] => Err(Unread::Incomplete { command: "reply", expected: "on or off" }),
            ["help", ..] => Ok(Command::Help),
            ["go", rest @ ..] => Ok(Command::Go(GoWords::read(rest))),
            ["query", rest @ ..] => query(rest),
            [first, ..] => Err(Unread::Unknown((*first).to_owned())),
        }
    }
}

impl Command {
    /// Returns the command after a `ponderhit`: a `go ponder` becomes a `go` on the engine's own time.
    #[must_use]
    pub fn after_ponderhit(self) -> Command {
        match self {
            Command::Go(words) => Command::Go(GoWords { ponder: false, ..words }),
            other => other,
        }
    }
}

/// Reads `name NAME [value VALUE]`, the words of a `line` after its first.
fn set_option(words: &[&str], line: &str) -> Result<Command, Unread> {
    let missing = Unread::Incomplete { command: "setoption", expected: "name NAME [value VALUE]" };
    let ["name", rest @ ..] = words else { return Err(missing) };
    let at = rest.iter().position(|w| *w == "value").unwrap_or(rest.len());
    if at == 0 {
        return Err(missing);
    }
    // A path may hold several blanks in a row, so the value is no list of words.
    let value = behind(line, 3 + at).to_owned();
    Ok(Command::SetOption { name: rest[..at].join(" "), value })
}

/// Returns the rest of a line after its first `count` words.
fn behind(line: &str, count: usize) -> &str {
    let mut rest = line.trim_ascii_start();
    for _ in 0..count {
        let end = rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(rest.len());
        rest = rest[end..].trim_ascii_start();
    }
    rest.trim_ascii_end()
}

fn position(words: &[&str]) -> Option<Command> {
    if let ["index", rest @ ..] = words {
        let (place, moves) = match rest.iter().position(|w| *w == "moves") {
            Some(at) => (&rest[..at], Words::of(&rest[at + 1..])),
            None => (rest, Words::default()),
        };
        let (numbering, number) = match place {
            [number] => (None, number),
            [name, number] => (Some((*name).to_owned()), number),
            _ => return None,
        };
        let digits = number.bytes().all(|byte| byte.is_ascii_digit());
        // A number beyond 64 bits is beyond every table.
        let number = if digits { number.parse().unwrap_or(u64::MAX) } else { return None };
        return Some(Command::Numbered { numbering, number, moves });
    }
    let (fen, rest) = match words {
        ["startpos", rest @ ..] => (None, rest),
        ["fen", first, rest @ ..] if *first != "moves" => {
            let at = rest.iter().position(|w| *w == "moves").unwrap_or(rest.len());
            (Some([&[*first], &rest[..at]].concat().join(" ")), &rest[at..])
        }
        _ => return None,
    };
    match rest {
        [] => Some(Command::Position { fen, moves: Words::default() }),
        ["moves", moves @ ..] => Some(Command::Position { fen, moves: Words::of(moves) }),
        _ => None,
    }
}

fn query(words: &[&str]) -> Result<Command, Unread> {
    Ok(Command::Query(match words {
        [] => return Err(Unread::Incomplete { command: "query", expected: "what is asked" }),
        ["p1turn", ..] => Query::PlayerOneTurn,
        ["p2turn", ..] => Query::PlayerTwoTurn,
        ["gameover", ..] => Query::GameOver,
        ["result", ..] => Query::Result,
        ["fen", ..] => Query::Fen,
        ["legalmoves", ..] => Query::LegalMoves,
        ["islegal", word, ..] => Query::IsLegal((*word).to_owned()),
        // Each query has one answer, and no word is no move.
        ["islegal"] => Query::IsLegal(String::new()),
        ["value", ..] => Query::Value,
        ["bestmoves", ..] => Query::BestMoves,
        ["values", ..] => Query::Values,
        ["grundy", ..] => Query::Grundy,
        ["cgt", ..] => Query::CanonicalForm,
        ["thermograph", ..] => Query::Thermograph,
        ["index", rest @ ..] => Query::Index(rest.first().map(|word| (*word).to_owned())),
        [name, rest @ ..] => {
            Query::Annotation { name: (*name).to_owned(), moves: rest.first() == Some(&"moves") }
        }
    }))
}

impl GoWords {
    /// Reads the words after `go`, in any order. Unknown words are skipped; a missing or malformed number is a fault.
    fn read(words: &[&str]) -> GoWords {
        const KEYS: [&str; 18] = [
            "p1time",
            "p2time",
            "p1inc",
            "p2inc",
            "wtime",
            "btime",
            "winc",
            "binc",
            "movestogo",
            "movetime",
            "depth",
            "nodes",
            "mate",
            "infinite",
            "ponder",
            "searchmoves",
            "perft",
            "eval",
        ];
        let mut go = GoWords::default();
        let mut rest = words;
        while let [word, tail @ ..] = rest {
            rest = tail;
            match *word {
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "searchmoves" => {
                    let end = tail.iter().position(|w| KEYS.contains(w)).unwrap_or(tail.len());
                    go.search_moves = Words::of(&tail[..end]);
                    rest = &tail[end..];
                }
                key if KEYS.contains(&key) => {
                    let number = tail.first().filter(|word| !KEYS.contains(word));
                    if let Some(number) = number {
                        rest = &tail[1..];
                        if let Some(number) = whole(number).filter(|&number| fits(key, number)) {
                            go.set(key, number);
                            continue;
                        }
                    }
                    go.misread(key, number.copied());
                }
                _ => {}
            }
        }
        go
    }

    /// Records a fault: the number after `key` is unreadable.
    fn misread(&mut self, key: &str, number: Option<&str>) {
        let side = match key {
            "p1time" | "wtime" => Some(0),
            "p2time" | "btime" => Some(1),
            "eval" => return,
            _ => None,
        };
        if let Some(side) = side {
            self.clocks[side].unread = true;
        }
        self.unread_perft |= key == "perft";
        if self.faults.len() == FAULTS {
            return;
        }
        let expected = if fits(key, -1) { "a whole number" } else { "a whole number from 0 on" };
        let found = number.map_or_else(|| "nothing".to_owned(), |word| format!("{word:?}"));
        self.faults
            .push(format!("bad number behind {key:?}: expected {expected}, found {found}; {key} is ignored"));
    }

    fn set(&mut self, key: &str, number: i64) {
        let count = u64::try_from(number).unwrap_or(0);
        let small = u32::try_from(count).unwrap_or(u32::MAX);
        match key {
            "p1time" | "wtime" => self.clocks[0].time = Some(number),
            "p2time" | "btime" => self.clocks[1].time = Some(number),
            "p1inc" | "winc" => self.clocks[0].increment = Some(number),
            "p2inc" | "binc" => self.clocks[1].increment = Some(number),
            "movestogo" => self.moves_to_go = Some(count).filter(|&moves| moves > 0),
            "movetime" => self.move_time = Some(number),
            "depth" => self.depth = Some(small),
            "nodes" => self.nodes = Some(count),
            "mate" => self.mate = Some(small),
            "perft" => self.perft = Some(small),
            _ => {}
        }
    }
}

/// Reports whether a word of `go` may have this number. Clocks may be negative, and `movestogo -1` means no control.
fn fits(key: &str, number: i64) -> bool {
    number >= 0 || !matches!(key, "depth" | "nodes" | "mate" | "perft")
}

/// Reads an integer, clamped to 64 bits.
fn whole(word: &str) -> Option<i64> {
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some(word.parse().unwrap_or(if word.starts_with('-') { i64::MIN } else { i64::MAX }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn go_reads_its_words_in_any_order_and_skips_the_unknown() {
        let Ok(Command::Go(go)) = Command::read(
            "go frobnicate 7 btime -5 searchmoves a1 b2 depth 4 wtime 99999999999999999999 ponder",
        ) else {
            panic!("go is a command")
        };
        assert_eq!(go.clocks[1].time, Some(-5));
        assert_eq!(go.clocks[0].time, Some(i64::MAX));
        assert_eq!(go.search_moves, Words::of(&["a1", "b2"]));
        assert_eq!(go.depth, Some(4));
        assert!(go.ponder && !go.infinite);
    }

    #[test]
    fn a_number_that_is_missing_leaves_the_next_word_alone() {
        let Ok(Command::Go(go)) = Command::read("go movetime depth 3") else { panic!("go is a command") };
        assert_eq!((go.move_time, go.depth), (None, Some(3)));
        assert_eq!(go.faults.len(), 1);
    }

    #[test]
    fn a_malformed_number_is_named_and_its_word_ignored() {
        let read = |line: &str| match Command::read(line) {
            Ok(Command::Go(go)) => go,
            other => panic!("{other:?}"),
        };
        for key in
            ["wtime", "p2time", "winc", "p2inc", "movestogo", "movetime", "depth", "nodes", "mate", "perft"]
        {
            for bad in ["100.5", "x", "1e3", "", "0x10", "--5", "5ms"] {
                let go = read(&format!("go {key} {bad}"));
                assert_eq!(go.faults.len(), 1, "{key} {bad}");
                assert!(go.faults[0].contains(key), "{:?}", go.faults);
                let clocks = go.clocks.map(|clock| ClockWords { unread: false, ..clock });
                assert_eq!(go.unread_perft, key == "perft", "{key} {bad}");
                let rest = GoWords { faults: Vec::new(), clocks, unread_perft: false, ..go };
                assert_eq!(rest, GoWords::default(), "{key} {bad}");
            }
        }
        assert_eq!(read("go depth -3 nodes -1 mate -2").faults.len(), 3);
        assert_eq!(read("go wtime -3 btime 5 movestogo -1 movetime 7 depth 1").faults, [] as [&str; 0]);
        assert_eq!(read("go movestogo 0 movestogo -1").moves_to_go, None);
        // What comes behind it is read.
        assert_eq!(read("go depth x movetime 20").move_time, Some(20));
    }

    #[test]
    fn option_names_and_values_may_have_blanks() {
        assert_eq!(
            Command::read("setoption  name  Clear  Hash value  a  b "),
            Ok(Command::SetOption { name: "Clear Hash".into(), value: "a  b".into() })
        );
        assert!(Command::read("setoption").is_err());
        assert!(Command::read("setoption name value 3").is_err());
    }

    #[test]
    fn a_position_keeps_its_moves_apart_from_its_fen() {
        assert_eq!(
            Command::read("position fen 3,5,7 1 moves 1:3"),
            Ok(Command::Position { fen: Some("3,5,7 1".into()), moves: Words::of(&["1:3"]) })
        );
        for bad in ["", "startpos a1", "fen", "fen moves a1", "position startpos", "3,5,7 1"] {
            let read = Command::read(&format!("position {bad}"));
            assert_eq!(read, Ok(Command::Misplaced(bad.to_owned())));
        }
    }
}
