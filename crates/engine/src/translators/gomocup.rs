//! The protocol of Piskvork and the Gomocup tournaments, for `mnk` games.
//!
//! Cells are `x,y` from 0. `INFO` lines have no answer, so a rule that is not played is refused by one `ERROR` line when
//! it is set and again by every question for a move. Source: "Gomoku AI Protocol" (plastovicka.github.io/protocl2en.htm).

use grundy_core::text::excerpt;
use grundy_session::{Catalog, Session, Settings};

use super::report::{Heard, Report};
use super::translator::{Act, Translator, Urgency};

/// The game of boards of any size.
const FAMILY: &str = "mnk";
/// Stones in a row, unless the game of the command line says otherwise.
const IN_A_ROW: usize = 5;
/// The time for a move if the host asks for one as soon as possible, in milliseconds.
const AT_ONCE: u64 = 30;
/// The value of `time_left` without a limit, and the largest of 32 bits.
const UNLIMITED: i64 = i32::MAX as i64;
/// The part of the host's memory limit that the transposition table may take.
const TABLE_SHARE: u64 = 4;
/// The engine's own size of the table in MB, which a larger limit does not change.
const TABLE_MB: u64 = 64;

/// A stone, and whether it is the engine's.
type Stone = (usize, usize, bool);

pub(super) struct Gomocup {
    catalog: Catalog,
    /// The game by its rules.
    rules: Session,
    in_a_row: usize,
    /// Columns and rows; `None` before `START`.
    size: Option<(usize, usize)>,
    /// The stones in the order of play.
    stones: Vec<Stone>,
    /// The stones named since `BOARD`, or what was wrong with them.
    board: Option<Result<Vec<Stone>, String>>,
    /// Milliseconds for a move; 0 as few as possible.
    turn: Option<u64>,
    /// Milliseconds left for the game.
    left: Option<i64>,
    hash_mb: u64,
    /// The refusal of a rule that is not played.
    refused: Option<String>,
    last: Option<Report>,
}

impl Gomocup {
    /// Returns a translator that plays with as many stones in a row as the game of the command line has, or five.
    pub fn new(catalog: &Catalog, game: Option<&str>) -> Result<Gomocup, String> {
        let name = game.unwrap_or("mnk:15,15,5");
        let in_a_row = match game.map(|game| game.split(':').collect::<Vec<_>>()).as_deref() {
            None => Some(IN_A_ROW),
            Some([FAMILY, sizes]) => sizes.rsplit(',').next().and_then(|k| k.trim().parse().ok()),
            Some(_) => None,
        };
        let in_a_row = in_a_row.ok_or_else(|| {
            format!("the Gomocup protocol plays mnk:M,N,K: expected no game or one of these, not {name}")
        })?;
        let rules = catalog.open(name, &Settings::default())?;
        Ok(Gomocup {
            catalog: *catalog,
            rules,
            in_a_row,
            size: None,
            stones: Vec::new(),
            board: None,
            turn: None,
            left: None,
            hash_mb: TABLE_MB,
            refused: None,
            last: None,
        })
    }

    /// Begins a game (`START`, `RECTSTART`).
    fn start(&mut self, size: Option<(usize, usize)>, expected: &str) -> Vec<Act> {
        let Some((columns, rows)) = size else { return error(&format!("expected {expected}")) };
        let name = format!("{FAMILY}:{columns},{rows},{}", self.in_a_row);
        match self.catalog.open(&name, &Settings::default()) {
            Ok(rules) => {
                self.rules = rules;
                self.size = size;
                self.clear();
                let game = Act::tell(format!("setoption name Game value {name}"));
                vec![game, Act::tell("uginewgame"), Act::say("OK")]
            }
            Err(why) => error(&format!("unsupported size {columns}x{rows}: {why}")),
        }
    }

    fn clear(&mut self) {
        (self.stones, self.board, self.last) = (Vec::new(), None, None);
    }

    /// Reads `x,y` and perhaps a third number.
    fn numbers(text: &str) -> Option<(usize, usize, Option<usize>)> {
        let mut numbers = text.split(',').map(|number| number.trim().parse::<usize>().ok());
        let (x, y, third) = (numbers.next()??, numbers.next()??, numbers.next());
        match (third, numbers.next()) {
            (None, _) => Some((x, y, None)),
            (Some(third), None) => Some((x, y, Some(third?))),
            _ => None,
        }
    }

    /// Reads the free cell `x,y`.
    fn cell(&self, text: &str) -> Result<(usize, usize), String> {
        let (columns, rows) = self.size.unwrap_or_default();
        match Gomocup::numbers(text) {
            Some((x, y, None)) if x < columns && y < rows => match self.holds(x, y) {
                false => Ok((x, y)),
                true => Err(format!("the cell {x},{y} is taken")),
            },
            _ => Err(format!("bad cell {:?}: expected X,Y below {columns},{rows}", excerpt(text, 40))),
        }
    }

    fn holds(&self, x: usize, y: usize) -> bool {
        self.stones.iter().any(|&(column, row, _)| (column, row) == (x, y))
    }

    /// Adds a line of `BOARD`.
    fn place(&mut self, line: &str) {
        let (columns, rows) = self.size.unwrap_or_default();
        let Some(Ok(placed)) = &mut self.board else { return };
        let fault = match Gomocup::numbers(line) {
            Some((x, y, Some(field @ (1 | 2)))) if x < columns && y < rows => {
                if !placed.iter().any(|&(column, row, _)| (column, row) == (x, y)) {
                    placed.push((x, y, field == 1));
                    return;
                }
                format!("the cell {x},{y} is taken")
            }
            _ => {
                let line = excerpt(line, 40);
                format!(
                    "bad line {line:?} of BOARD: expected X,Y,1 for own and X,Y,2 for the opponent's stones"
                )
            }
        };
        self.board = Some(Err(fault));
    }

    /// Returns the position as text, with the engine to move.
    fn position(&self) -> Result<String, String> {
        let (columns, rows) = self.size.unwrap_or_default();
        let own = self.stones.iter().filter(|&&(.., own)| own).count();
        let first = match (self.stones.len() - own).checked_sub(own) {
            Some(0) => true,
            Some(1) => false,
            _ => {
                return Err(format!(
                    "it is not this player's turn with {own} own stones of {}",
                    self.stones.len()
                ));
            }
        };
        let mut cells = vec![vec!['.'; columns]; rows];
        for &(x, y, own) in &self.stones {
            cells[rows - 1 - y][x] = if own == first { 'X' } else { 'O' };
        }
        let cells: Vec<String> = cells.into_iter().map(String::from_iter).collect();
        Ok(format!("{} {}", cells.join("/"), if first { 1 } else { 2 }))
    }

    /// Asks the engine for a move.
    fn think(&mut self) -> Vec<Act> {
        if let Some(refused) = &self.refused {
            return error(refused);
        }
        let position = match self.position() {
            Ok(position) => position,
            Err(why) => return error(&why),
        };
        if let Err(why) = self.rules.setup(Some(&position)) {
            // The board itself is not repeated.
            let why = why.to_string();
            return error(why.rsplit_once("\": ").map_or(&*why, |(_, reason)| reason));
        }
        if self.rules.over().is_some() {
            return error("the game is over");
        }
        self.last = None;
        let mut go = "go".to_owned();
        if let Some(turn) = self.turn {
            go += &format!(" movetime {}", if turn == 0 { AT_ONCE } else { turn });
        }
        if let Some(left) = self.left {
            go += &format!(" p1time {left} p2time {left}");
        }
        vec![Act::tell(format!("position fen {position}")), Act::tell(go)]
    }

    /// Reads a setting (`INFO`): most keys are not for this engine.
    fn info(&mut self, key: &str, value: &str) -> Vec<Act> {
        let number = value.parse::<i64>().ok();
        let known = number.and_then(|number| u64::try_from(number).ok());
        match key.to_ascii_lowercase().as_str() {
            "timeout_turn" => self.turn = known.or(self.turn),
            "time_left" => self.left = number.filter(|&left| left < UNLIMITED),
            "timeout_match" => self.left = number.filter(|&left| left > 0),
            "max_memory" => {
                let limit = known.filter(|&bytes| bytes > 0).map_or(TABLE_MB, |bytes| bytes >> 20);
                let hash_mb = (limit / TABLE_SHARE).clamp(1, TABLE_MB);
                if hash_mb != std::mem::replace(&mut self.hash_mb, hash_mb) {
                    return vec![Act::tell(format!("setoption name Hash value {hash_mb}"))];
                }
            }
            "rule" => {
                let other = number != Some(0);
                self.refused = other.then(|| {
                    let value = excerpt(value, 40);
                    format!("INFO rule {value} is not played: expected 0, freestyle, where five or more in a row win")
                });
                return self.refused.as_deref().map_or_else(Vec::new, error);
            }
            _ => {}
        }
        Vec::new()
    }
}

/// Returns the line that refuses a command.
fn error(why: &str) -> Vec<Act> {
    vec![Act::say(format!("ERROR {why}"))]
}

impl Translator for Gomocup {
    fn game(&self) -> &str {
        self.rules.name()
    }

    fn urgency(&mut self, line: &str) -> Urgency {
        if line.trim().eq_ignore_ascii_case("END") { Urgency::Quits } else { Urgency::Waits }
    }

    fn command(&mut self, line: &str) -> Vec<Act> {
        let line = line.trim();
        let (command, rest) = line.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((line, ""));
        let (command, rest) = (command.to_ascii_uppercase(), rest.trim());
        if self.board.is_some() && command != "DONE" {
            self.place(line);
            return Vec::new();
        }
        match command.as_str() {
            "" => Vec::new(),
            "START" => self.start(rest.parse().ok().map(|side| (side, side)), "START SIZE"),
            "RECTSTART" => {
                let size = match Gomocup::numbers(rest) {
                    Some((columns, rows, None)) => Some((columns, rows)),
                    _ => None,
                };
                self.start(size, "RECTSTART WIDTH,HEIGHT")
            }
            "INFO" => {
                let (key, value) = rest.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((rest, ""));
                self.info(key, value.trim())
            }
            "ABOUT" => vec![Act::say(concat!(
                "name=\"grundy\", version=\"",
                env!("CARGO_PKG_VERSION"),
                "\", author=\"the grundy developers\""
            ))],
            "BEGIN" | "TURN" | "BOARD" | "TAKEBACK" | "RESTART" | "DONE" if self.size.is_none() => {
                error(&format!("{command} without a board: expected START SIZE first"))
            }
            "RESTART" => {
                self.clear();
                vec![Act::tell("uginewgame"), Act::say("OK")]
            }
            "BEGIN" if self.stones.is_empty() => self.think(),
            "BEGIN" => error("BEGIN on a board with stones: expected RESTART first, or TURN X,Y"),
            "TURN" => match self.cell(rest) {
                Ok((x, y)) => {
                    self.stones.push((x, y, false));
                    let acts = self.think();
                    if let [Act::Say(_)] = &acts[..] {
                        self.stones.pop();
                    }
                    acts
                }
                Err(why) => error(&why),
            },
            "BOARD" => {
                self.board = Some(Ok(Vec::new()));
                Vec::new()
            }
            "DONE" => match self.board.take() {
                Some(Ok(stones)) => {
                    self.stones = stones;
                    self.think()
                }
                Some(Err(why)) => error(&why),
                None => error("DONE without BOARD"),
            },
            "TAKEBACK" => match (Gomocup::numbers(rest), self.stones.last()) {
                (Some((x, y, None)), Some(&(column, row, _))) if (x, y) == (column, row) => {
                    self.stones.pop();
                    vec![Act::say("OK")]
                }
                _ => error(&format!("TAKEBACK {}: expected the cell of the last stone", excerpt(rest, 40))),
            },
            other => vec![Act::say(format!("UNKNOWN command {}", excerpt(other, 40)))],
        }
    }

    fn answer(&mut self, line: &str) -> Vec<String> {
        match Heard::read(line) {
            Heard::Report(report) if report.rank == 1 => {
                self.last = Some(report);
                Vec::new()
            }
            Heard::Best(Some(word)) => {
                let column = word.bytes().next().map(|letter| usize::from(letter.wrapping_sub(b'a')));
                let row = word
                    .get(1..)
                    .and_then(|row| row.parse::<usize>().ok())
                    .and_then(|row| row.checked_sub(1));
                let Some((x, y)) = column.zip(row) else { return vec![format!("ERROR bad move {word}")] };
                self.stones.push((x, y, true));
                let told = self.last.take().map(|report| {
                    let score = match &report.value {
                        Some(value) => format!("value {value}"),
                        None => format!("score {}", report.cp),
                    };
                    format!(
                        "MESSAGE depth {} nodes {} {score} pv {}",
                        report.depth,
                        report.nodes,
                        report.pv.join(" ")
                    )
                });
                told.into_iter().chain([format!("{x},{y}")]).collect()
            }
            Heard::Best(None) => vec!["ERROR no move".to_owned()],
            Heard::Error(why) => vec![format!("ERROR {why}")],
            Heard::Note(note) => vec![format!("MESSAGE {note}")],
            Heard::Report(_) | Heard::Other => Vec::new(),
        }
    }
}
