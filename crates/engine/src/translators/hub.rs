//! The Hub protocol, version 2, for English draughts.
//!
//! Squares are numbered row by row from the top, 1 to 32: b8 is 1, a1 is 29. White is player one, who moves up the board. A
//! position has one letter for the player to move and one for each square. Source: protocol.txt of Scan 3.1 by F. Letouzey.

use grundy_core::text::excerpt;
use grundy_session::{Catalog, Session, Settings, Shape};

use super::report::{Heard, Report};
use super::translator::{Act, Translator, Urgency};
use crate::protocol::milliseconds;

/// The game that has the others of its family as positions.
const GAME: &str = "draughts:24men";
const SQUARES: usize = 32;
/// More than the legal moves of a position.
const MOST_MOVES: usize = 10_000;
/// The score of a won position in men, less a hundredth for each ply to the end.
const WON: f64 = 100.0;
/// Letters of Hub, and those of the game.
const LETTERS: [(char, char); 5] = [('w', 'x'), ('W', 'X'), ('b', 'o'), ('B', 'O'), ('e', '.')];
/// The answer to `go` in a finished game.
const OVER: &str = "the game is over";
/// Names of Hub's parameters and of the engine's options.
const PARAMETERS: [(&str, &str); 2] = [("threads", "Threads"), ("hash", "Hash")];

pub(super) struct Hub {
    rules: Session,
    /// The text of the position before the moves; `None` for the game's start.
    start: Option<String>,
    /// The fault of the last `pos`: no search of another position answers it.
    fault: Option<String>,
    /// The words of `go` for the last `level`.
    level: String,
    searching: bool,
    last: Option<Report>,
}

impl Hub {
    /// Returns a translator for this kind of draughts, or for the largest.
    pub fn new(catalog: &Catalog, game: Option<&str>) -> Result<Hub, String> {
        let name = game.unwrap_or(GAME);
        if catalog.row(name).is_none_or(|row| row.shape != Shape::Draughts) {
            return Err(format!(
                "the Hub protocol plays English draughts: expected no game or one like {GAME}, not {name}"
            ));
        }
        let rules = catalog.open(name, &Settings::default())?;
        Ok(Hub { rules, start: None, fault: None, level: String::new(), searching: false, last: None })
    }

    /// Sets up a position and plays the moves from it (`pos`).
    fn set_up(&mut self, arguments: &[(&str, &str)]) -> Result<(), String> {
        let start = position(value(arguments, "pos").unwrap_or(""))?;
        self.rules.setup(Some(&start)).map_err(|why| why.to_string())?;
        self.start = Some(start);
        for word in value(arguments, "moves").unwrap_or("").split_ascii_whitespace() {
            let wanted = squares(word).ok_or_else(|| format!("bad move {:?}", excerpt(word, 40)))?;
            let legal = self.rules.legal_moves(MOST_MOVES);
            let found = legal.iter().find(|legal| squares(&spelt(legal)).as_ref() == Some(&wanted));
            let found = found.ok_or_else(|| format!("illegal move {:?}", excerpt(word, 40)))?;
            self.rules.play(found).map_err(|why| why.to_string())?;
        }
        Ok(())
    }

    /// Starts a search of the position (`go`).
    fn search(&mut self) -> Vec<Act> {
        if let Some(fault) = &self.fault {
            return error(fault);
        }
        if self.rules.over().is_some() {
            return error(OVER);
        }
        let start = self.start.as_ref().map_or_else(|| "startpos".to_owned(), |start| format!("fen {start}"));
        let moves = self.rules.history();
        let moves = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        (self.searching, self.last) = (true, None);
        vec![Act::tell(format!("position {start}{moves}")), Act::tell(format!("go{}", self.level))]
    }
}

/// Returns the arguments of a line: names, each with its value or the empty text.
fn arguments(line: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut rest = line.trim_start();
    while !rest.is_empty() {
        let blank = |c: char| c.is_ascii_whitespace();
        let (name, behind) = rest.split_at(rest.find(|c| c == '=' || blank(c)).unwrap_or(rest.len()));
        let (value, behind) = match behind.strip_prefix('=') {
            None => ("", behind),
            Some(quoted) if quoted.starts_with('"') => {
                quoted[1..].split_once('"').unwrap_or((&quoted[1..], ""))
            }
            Some(plain) => plain.split_at(plain.find(blank).unwrap_or(plain.len())),
        };
        found.push((name, value));
        rest = behind.trim_start();
    }
    found
}

/// Returns the value of an argument.
fn value<'l>(arguments: &[(&str, &'l str)], name: &str) -> Option<&'l str> {
    arguments.iter().find(|(found, _)| *found == name).map(|&(_, value)| value)
}

/// Returns a position of Hub as the game's text.
fn position(hub: &str) -> Result<String, String> {
    let expected = || {
        format!(
            "bad position {:?}: expected W or B, and {SQUARES} letters of w, W, b, B and e",
            excerpt(hub, 80)
        )
    };
    let mut letters = hub.chars();
    let turn = match letters.next() {
        Some('W') => 1,
        Some('B') => 2,
        _ => return Err(expected()),
    };
    let letter = |hub| LETTERS.iter().find(|(letter, _)| *letter == hub).map(|&(_, own)| own);
    let cells: Vec<char> = letters.map(letter).collect::<Option<_>>().ok_or_else(expected)?;
    if cells.len() != SQUARES {
        return Err(expected());
    }
    // The left square of the top row is light, that of the next one dark.
    let rows: Vec<String> = cells
        .chunks(4)
        .enumerate()
        .map(|(row, cells)| {
            cells.iter().flat_map(|&cell| if row % 2 == 0 { ['.', cell] } else { [cell, '.'] }).collect()
        })
        .collect();
    Ok(format!("{} {turn}", rows.join("/")))
}

/// Reports whether the player to move has men in a position of Hub, and the opponent has none.
fn is_cleared(hub: &str) -> bool {
    if position(hub).is_err() {
        return false;
    }
    let (mover, cells) = hub.split_at(1);
    let (white, black) = (cells.contains(['w', 'W']), cells.contains(['b', 'B']));
    if mover == "W" { white && !black } else { black && !white }
}

/// Returns a move of the game as Hub writes it: `29-25`, or `29x22x25`, where the men taken follow the squares.
fn spelt(word: &str) -> String {
    let places: Vec<(i32, i32)> = word
        .split(['-', 'x'])
        .filter_map(|square| {
            let (&column, row) = square.as_bytes().split_first()?;
            Some((
                i32::from(column) - i32::from(b'a'),
                8 - std::str::from_utf8(row).ok()?.parse::<i32>().ok()?,
            ))
        })
        .collect();
    let number = |(column, row): (i32, i32)| (row * 4 + column / 2 + 1).to_string();
    let (Some(&from), Some(&to)) = (places.first(), places.last()) else { return word.to_owned() };
    if word.contains('-') {
        return format!("{}-{}", number(from), number(to));
    }
    let taken =
        places.windows(2).map(|pair| number(((pair[0].0 + pair[1].0) / 2, (pair[0].1 + pair[1].1) / 2)));
    [number(from), number(to)].into_iter().chain(taken).collect::<Vec<_>>().join("x")
}

/// Returns the squares of a move of Hub: from, to, and the men taken, in order.
fn squares(word: &str) -> Option<Vec<usize>> {
    let mut squares: Vec<usize> =
        word.split(['-', 'x']).map(|square| square.parse().ok()).collect::<Option<_>>()?;
    squares.get_mut(2..)?.sort_unstable();
    Some(squares)
}

/// Returns the words of `go` for the arguments of `level`; `None` if a number cannot be read.
fn level(arguments: &[(&str, &str)]) -> Option<String> {
    let time = |name| match value(arguments, name) {
        None => Some(None),
        Some(text) => milliseconds(text).map(Some),
    };
    let mut words = String::new();
    for (name, word) in [("depth", "depth"), ("nodes", "nodes"), ("moves", "movestogo")] {
        if let Some(number) = value(arguments, name) {
            words += &format!(" {word} {}", number.parse::<u64>().ok()?);
        }
    }
    if let Some(time) = time("move-time")? {
        words += &format!(" movetime {}", time.max(1));
    }
    let increment = time("inc")?.unwrap_or(0);
    if let Some(time) = time("time")? {
        // Hub adds the increment before a move, not after it.
        let time = time + increment;
        words += &format!(" p1time {time} p2time {time} p1inc {increment} p2inc {increment}");
    }
    if value(arguments, "infinite").is_some() {
        words += " infinite";
    }
    Some(words)
}

fn error(why: &str) -> Vec<Act> {
    vec![Act::say(complaint(why))]
}

/// Returns the line that tells the host of a fault.
fn complaint(why: &str) -> String {
    format!("error message=\"{}\"", excerpt(why, 200).replace('"', "'"))
}

/// Returns the answer to `hub`.
fn greeting() -> Vec<Act> {
    vec![
        Act::say(concat!(
            "id name=grundy version=",
            env!("CARGO_PKG_VERSION"),
            " author=\"the grundy developers\""
        )),
        Act::say("param name=variant value=english type=enum values=english"),
        Act::say("param name=threads value=1 type=int min=1 max=256"),
        Act::say("param name=hash value=64 type=int min=1 max=65536"),
        Act::say("wait"),
    ]
}

/// Returns the line that shows a report: scores are in men.
fn shown(report: &Report) -> String {
    let score = match report.mate {
        Some(plies) => plies.signum() as f64 * (WON - plies.abs() as f64 / 100.0),
        None => report.cp as f64 / 100.0,
    };
    let line: Vec<String> = report.pv.iter().map(|word| spelt(word)).collect();
    format!(
        "info depth={} score={score:.2} nodes={} time={:.3} pv=\"{}\"",
        report.depth,
        report.nodes,
        report.time as f64 / 1000.0,
        line.join(" ")
    )
}

impl Translator for Hub {
    fn game(&self) -> &str {
        self.rules.name()
    }

    fn urgency(&mut self, line: &str) -> Urgency {
        match line.split_ascii_whitespace().next() {
            Some("quit") => Urgency::Quits,
            Some("stop") if self.searching => Urgency::Stops,
            Some("ping") if self.searching => Urgency::Answered(vec!["pong".to_owned()]),
            _ => Urgency::Waits,
        }
    }

    fn command(&mut self, line: &str) -> Vec<Act> {
        let line = line.trim();
        let (command, rest) = line.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((line, ""));
        let arguments = arguments(rest);
        match command {
            "hub" => greeting(),
            "init" => vec![Act::say("ready")],
            "ping" => vec![Act::say("pong")],
            "new-game" => vec![Act::tell("uginewgame")],
            "set-param" => {
                let [name, value] = ["name", "value"].map(|name| value(&arguments, name).unwrap_or(""));
                match PARAMETERS.iter().find(|(parameter, _)| *parameter == name) {
                    Some((_, option)) => vec![Act::tell(format!("setoption name {option} value {value}"))],
                    None if name == "variant" && value != "english" => {
                        error(&format!("variant {:?}: expected english", excerpt(value, 40)))
                    }
                    None => Vec::new(),
                }
            }
            "pos" => {
                self.fault = self.set_up(&arguments).err();
                let [pos, moves] = ["pos", "moves"].map(|name| value(&arguments, name).unwrap_or(""));
                // A game that is over, in a position that the rules do not read: the opponent has no men.
                if moves.is_empty() && is_cleared(pos) {
                    self.fault = Some(OVER.to_owned());
                    return Vec::new();
                }
                self.fault.as_deref().map_or_else(Vec::new, error)
            }
            "level" => match level(&arguments) {
                Some(level) => {
                    self.level = level;
                    Vec::new()
                }
                None => error(&format!("bad level {:?}: expected numbers", excerpt(rest, 80))),
            },
            "go" => self.search(),
            // As the protocol demands, unknown lines are ignored; a search that ponders may end before ponder-hit.
            _ => Vec::new(),
        }
    }

    fn answer(&mut self, line: &str) -> Vec<String> {
        match Heard::read(line) {
            Heard::Report(report) if report.rank == 1 && !report.bound => {
                let line = shown(&report);
                self.last = Some(report);
                vec![line]
            }
            Heard::Best(word) => {
                let reply = self.last.take().and_then(|report| report.pv.get(1).map(|word| spelt(word)));
                let reply = reply.map_or_else(String::new, |reply| format!(" ponder={reply}"));
                self.searching = false;
                vec![
                    word.map_or_else(
                        || complaint("no move"),
                        |word| format!("done move={}{reply}", spelt(word)),
                    ),
                ]
            }
            Heard::Error(why) => vec![complaint(why)],
            Heard::Report(_) | Heard::Note(_) | Heard::Other => Vec::new(),
        }
    }
}
