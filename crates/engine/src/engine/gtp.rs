//! The Go Text Protocol, version 2, as a third front end: one command a line, one answer each, no thread.
//!
//! Black is player one and White player two, whatever the game. Where moves are single squares they are written as Go
//! programs do, see `vertices`, and GoGui's rules commands make it a board for the game. Positions, and the moves of
//! other games, are those of `protocol.md`.

use std::io::{self, BufReader, Read, Write};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::clock;
use super::config::Config;
use super::options::Options;
use super::vertices::{PASS, Vertices};
use crate::protocol::{GoWords, clean, milliseconds, read_line, value_word};
use grundy_core::files;
use grundy_core::game::{GameResult, Player};
use grundy_core::random::SplitMix64;
use grundy_core::value::Step;
use grundy_session::{Go, MoveValue, Picked, Session};

const COMMANDS: &[&str] = &[
    "boardsize",
    "clear_board",
    "final_score",
    "genmove",
    "gogui-analyze_commands",
    "gogui-rules_board",
    "gogui-rules_board_size",
    "gogui-rules_final_result",
    "gogui-rules_game_id",
    "gogui-rules_legal_moves",
    "gogui-rules_side_to_move",
    "grundy-best",
    "grundy-game",
    "grundy-legal",
    "grundy-position",
    "grundy-setup",
    "grundy-value",
    "grundy-values",
    "known_command",
    "komi",
    "list_commands",
    "name",
    "play",
    "protocol_version",
    "quit",
    "reg_genmove",
    "showboard",
    "time_left",
    "time_settings",
    "undo",
    "version",
];

/// Prefix of commands for a board of single squares; other games lack them.
const RULES: &str = "gogui-rules_";
/// Maximum number of moves listed.
const LISTED: usize = 10_000;

struct Gtp {
    session: Session,
    /// The board, if moves are single squares.
    vertices: Option<Vertices>,
    /// Passes since the game ended, which `undo` takes back.
    passes: u32,
    config: Config,
    go: GoWords,
    /// The moves that each player has to make in the time left.
    stones: [Option<u64>; 2],
    /// The random generator of a weakened engine.
    random: SplitMix64,
}

/// Speaks GTP until `quit` or the end of input.
///
/// # Errors
/// The output could not be written, or the configured game cannot be opened. A reader that closed our output is no
/// error.
pub fn run(input: impl Read, mut output: impl Write, config: Config) -> io::Result<()> {
    let name = config.game.clone().unwrap_or_else(|| config.catalog.usual().to_owned());
    let (session, vertices) = open(&config, &name).map_err(io::Error::other)?;
    let random = SplitMix64(config.settings.seed.unwrap_or(0));
    let go = GoWords::default();
    let mut gtp = Gtp { session, vertices, passes: 0, config, go, stones: [None; 2], random };
    let mut input = BufReader::new(input);
    let mut bytes = Vec::new();
    while let Some(too_long) = read_line(&mut input, &mut bytes) {
        let read = Instant::now();
        let line = preprocessed(&String::from_utf8_lossy(&bytes));
        let mut words: Vec<&str> = line.split_ascii_whitespace().collect();
        let id = words.first().filter(|w| w.bytes().all(|b| b.is_ascii_digit())).copied();
        if id.is_some() {
            words.remove(0);
        }
        let (command, arguments) = match words.split_first() {
            Some((&command, arguments)) => (command, arguments),
            None if id.is_some() || too_long => ("", &[][..]),
            None => continue,
        };
        let answer =
            if too_long { Err("line too long".to_owned()) } else { gtp.obey(command, arguments, read) };
        let (mark, text) = match &answer {
            Ok(text) => ('=', text.as_str()),
            Err(text) => ('?', text.as_str()),
        };
        log::trace!("< {line}");
        log::trace!("> {mark} {}", clean(text));
        // An empty line ends an answer, so that an empty row of a board is a blank.
        let lines = text.trim_end().split('\n').enumerate();
        let rows: Vec<&str> =
            lines.map(|(at, line)| if at > 0 && line.trim().is_empty() { " " } else { line }).collect();
        let answered = output
            .write_all(format!("{mark}{} {}\n\n", id.unwrap_or(""), rows.join("\n")).as_bytes())
            .and_then(|()| output.flush());
        match answered {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
            other => other?,
        }
        if command == "quit" {
            break;
        }
    }
    Ok(())
}

/// Prepares a line as in section 3.1 of the protocol: removes control characters, turns tabs into blanks, and drops
/// comments after a number sign.
fn preprocessed(line: &str) -> String {
    let line = files::without_mark(line);
    let kept = line.chars().filter(|&c| c == '\t' || !c.is_control());
    kept.take_while(|&c| c != '#').map(|c| if c == '\t' { ' ' } else { c }).collect()
}

/// Opens a game, and its board if its moves are single squares.
fn open(config: &Config, name: &str) -> Result<(Session, Option<Vertices>), String> {
    let mut session = config.catalog.open(name, &config.settings)?;
    let shape = config.catalog.row(name).map(|row| row.shape);
    let vertices = shape.and_then(|shape| Vertices::of(&mut session, shape));
    Ok((session, vertices))
}

impl Gtp {
    fn obey(&mut self, command: &str, arguments: &[&str], read: Instant) -> Result<String, String> {
        if !self.knows(command) {
            return Err("unknown command".to_owned());
        }
        let nothing = Ok(String::new());
        match (command, arguments) {
            ("protocol_version", []) => Ok("2".to_owned()),
            ("name", []) => Ok("grundy".to_owned()),
            ("version", []) => Ok(env!("CARGO_PKG_VERSION").to_owned()),
            ("known_command", [name]) => Ok(self.knows(name).to_string()),
            ("list_commands", []) => {
                let known: Vec<&str> = COMMANDS.iter().copied().filter(|name| self.knows(name)).collect();
                Ok(known.join("\n"))
            }
            ("quit", _) => nothing,
            ("boardsize", [_] | [_, _]) => self.board_size(arguments).and(nothing),
            // Points are given by the rules alone.
            ("komi", [_]) => nothing,
            ("clear_board", []) => {
                self.session.forget();
                self.set_up(None).and(nothing)
            }
            ("time_settings", [main, period, stones]) => self.time(main, period, stones).and(nothing),
            ("time_left", [color, time, stones]) => self.time_left(color, time, stones).and(nothing),
            ("play", [color, vertex]) => self.play(color, vertex).and(nothing),
            ("genmove" | "reg_genmove", [color]) => self.generate(color, command == "genmove", read),
            ("undo", []) if self.passes > 0 => {
                self.passes -= 1;
                nothing
            }
            ("undo", []) if self.session.undo() => nothing,
            ("undo", []) => Err("cannot undo".to_owned()),
            ("showboard", []) => Ok(match &self.vertices {
                Some(board) => format!("\n{}", board.draw(&self.session.position())),
                None => format!("\n{}", self.session.draw()),
            }),
            ("final_score", []) => self.final_score(),
            ("grundy-game", []) => Ok(self.session.name().to_owned()),
            ("grundy-game", [name, ..]) => {
                (self.session, self.vertices) = open(&self.config, name).map_err(|why| clean(&why))?;
                self.passes = 0;
                nothing
            }
            ("grundy-setup", position) if !position.is_empty() => {
                self.set_up(Some(&position.join(" "))).and(nothing)
            }
            ("grundy-position", _) => Ok(self.session.position()),
            ("grundy-legal", _) => Ok(self.legal().join(" ")),
            ("grundy-value", _) => {
                let known = self.session.known(0);
                Ok(value_word(known.value, self.session.unit()))
            }
            ("grundy-values", _) => self.values(false),
            ("grundy-best", _) => self.values(true),
            ("gogui-analyze_commands", _) => Ok(self.analyze_commands()),
            (rules, _) if rules.starts_with(RULES) => self.rules(rules),
            _ => Err("syntax error".to_owned()),
        }
    }

    /// Reports whether the game has this command.
    fn knows(&self, command: &str) -> bool {
        COMMANDS.contains(&command) && (self.vertices.is_some() || !command.starts_with(RULES))
    }

    fn set_up(&mut self, position: Option<&str>) -> Result<(), String> {
        self.session.setup(position).map_err(|refusal| clean(&refusal.to_string()))?;
        self.passes = 0;
        Ok(())
    }

    /// Refuses another size, which is a part of the game's name; a game without a board of squares takes any.
    fn board_size(&self, arguments: &[&str]) -> Result<(), String> {
        let sizes: Result<Vec<usize>, _> = arguments.iter().map(|word| word.parse()).collect();
        let sizes = sizes.map_err(|_| "boardsize not an integer".to_owned())?;
        let fits = match (&self.vertices, sizes.as_slice()) {
            (None, _) => true,
            // Boards that are no squares are told by their columns.
            (Some(board), [columns]) => *columns == board.columns,
            (Some(board), [columns, rows]) => (*columns, *rows) == (board.columns, board.rows),
            _ => false,
        };
        if fits { Ok(()) } else { Err("unacceptable size".to_owned()) }
    }

    // ---- moves ----

    /// Returns a move of ours in GTP's spelling.
    fn vertex(&self, word: &str) -> String {
        let out = |board: &Vertices| board.out(word, &self.session.position());
        self.vertices.as_ref().map_or_else(|| word.to_owned(), out)
    }

    fn legal(&mut self) -> Vec<String> {
        let words = self.session.legal_moves(LISTED);
        words.iter().map(|word| self.vertex(word)).collect()
    }

    fn play(&mut self, color: &str, vertex: &str) -> Result<(), String> {
        self.turn_of(color)?;
        if self.session.over().is_some() && vertex.eq_ignore_ascii_case(PASS) {
            self.passes += 1;
            return Ok(());
        }
        let illegal = || "illegal move".to_owned();
        let played = match &self.vertices {
            Some(board) => {
                let word = board.read(vertex, &self.session.position()).ok_or_else(illegal)?;
                self.session.play(&word)
            }
            None => self.session.play(vertex),
        };
        played.map(|_| ()).map_err(|_| illegal())
    }

    fn generate(&mut self, color: &str, play: bool, read: Instant) -> Result<String, String> {
        self.turn_of(color)?;
        self.go.moves_to_go = self.stones[self.session.turn().index()];
        let limits = clock::limits(&self.go, self.session.turn(), read, Options::OVERHEAD);
        let go = Go { limits, ..Go::default() };
        let weak = self.random.below(100) < self.config.weaken as usize;
        let legal = if weak { self.session.legal_moves(LISTED) } else { Vec::new() };
        let word = match legal.len() {
            0 => self.session.think(&go, &AtomicBool::new(false), &mut |_| {}),
            count => legal.into_iter().nth(self.random.below(count)),
        };
        let word = word.ok_or_else(|| "the game is over".to_owned())?;
        let vertex = self.vertex(&word);
        if play {
            self.session.play(&word).map_err(|why| why.to_string())?;
        }
        Ok(vertex)
    }

    /// Refuses a colour that is not to move.
    fn turn_of(&self, color: &str) -> Result<(), String> {
        let player = player(color)?;
        if self.session.over().is_none() && player != self.session.turn() {
            return Err("not this colour's turn".to_owned());
        }
        Ok(())
    }

    // ---- time ----

    fn time(&mut self, main: &str, period: &str, stones: &str) -> Result<(), String> {
        let (main, period) = (time(main)?, time(period)?);
        let stones: u32 = stones.parse().map_err(|_| "syntax error".to_owned())?;
        (self.go, self.stones) = (GoWords::default(), [None; 2]);
        // No time at all and an empty period mean that there is no clock.
        if main > 0 || (period > 0 && stones > 0) {
            for clock in &mut self.go.clocks {
                clock.time = Some(if main > 0 { main } else { period });
            }
            self.stones = [(main == 0).then_some(u64::from(stones)); 2];
        }
        Ok(())
    }

    fn time_left(&mut self, color: &str, time: &str, stones: &str) -> Result<(), String> {
        let time = self::time(time)?;
        let stones: u64 = stones.parse().map_err(|_| "syntax error".to_owned())?;
        let player = player(color)?.index();
        self.go.clocks[player].time = Some(time);
        self.stones[player] = (stones > 0).then_some(stones);
        Ok(())
    }

    // ---- the end ----

    /// Returns the final margin of a game for points, 1 for any other win.
    fn margin(&self) -> u32 {
        let value = self.session.over().zip(self.session.score()).and_then(|(value, (one, two))| {
            let gain = if self.session.turn() == Player::One { one - two } else { two - one };
            value.back(Step { turn_passed: false, gain }).margin()
        });
        value.map_or(1, i32::unsigned_abs)
    }

    fn final_score(&self) -> Result<String, String> {
        let result = self.session.result().ok_or_else(|| "the game goes on".to_owned())?;
        Ok(match result {
            GameResult::Win(Player::One) => format!("B+{}", self.margin()),
            GameResult::Win(Player::Two) => format!("W+{}", self.margin()),
            GameResult::Draw => "0".to_owned(),
        })
    }

    // ---- GoGui ----

    /// Answers GoGui's commands for a board of the game.
    fn rules(&mut self, command: &str) -> Result<String, String> {
        let Some(board) = self.vertices.clone() else { return Err("no board of single squares".to_owned()) };
        match &command[RULES.len()..] {
            "game_id" => {
                // One capital, then small letters only, as GoGui asks.
                let name = self.session.name().split(':').next().unwrap_or("");
                let letters: String = name.chars().filter(char::is_ascii_alphabetic).collect();
                Ok(letters
                    .get(..1)
                    .map_or_else(|| "Game".to_owned(), |first| first.to_ascii_uppercase() + &letters[1..]))
            }
            "board_size" => Ok(board.size()),
            "board" => {
                let rows = board.cells(&self.session.position());
                let row = |row: &Vec<char>| row.iter().map(char::to_string).collect::<Vec<_>>().join(" ");
                Ok(rows.iter().map(row).collect::<Vec<_>>().join("\n"))
            }
            "legal_moves" => {
                let shown = |vertex: &String| match vertex.as_str() {
                    PASS => vertex.clone(),
                    _ => vertex.to_ascii_uppercase(),
                };
                Ok(self.legal().iter().map(shown).collect::<Vec<_>>().join(" "))
            }
            "side_to_move" => Ok(color(self.session.turn()).to_ascii_lowercase()),
            _ => Ok(match (self.session.result(), self.session.score()) {
                (None, _) => "unknown".to_owned(),
                (Some(GameResult::Draw), _) => "Draw".to_owned(),
                (Some(GameResult::Win(winner)), None) => format!("{} wins", color(winner)),
                (Some(GameResult::Win(winner)), Some(_)) => {
                    format!("{} wins by {}", color(winner), self.margin())
                }
            }),
        }
    }

    /// Returns the analyses that GoGui can show: type, label and command, a line each.
    fn analyze_commands(&self) -> String {
        let (pairs, list) = if self.vertices.is_some() { ("pspairs", "plist") } else { ("string", "string") };
        format!(
            "{pairs}/Value of every move/grundy-values\n{list}/Best moves/grundy-best\n\
             string/Value of the position/grundy-value"
        )
    }

    /// Returns every legal move with its value, best first, or the best moves alone. A list of vertices cannot mark
    /// that moves may be missing; an incomplete one is refused.
    fn values(&mut self, best: bool) -> Result<String, String> {
        let unit = self.session.unit();
        let known = self.session.known(LISTED);
        let vertex = |word: &str| match self.vertices {
            Some(_) => self.vertex(word).to_ascii_uppercase(),
            None => word.to_owned(),
        };
        if !best {
            let shown = |m: &MoveValue| format!("{} {}", vertex(&m.word), m.show(unit));
            return Ok(known.list.moves.iter().map(shown).collect::<Vec<_>>().join("\n"));
        }
        let best = known.best(unit);
        if !best.complete && self.vertices.is_some() {
            return Err("the best moves are not all known without a search: see genmove".to_owned());
        }
        let more = (!best.complete).then(|| Picked::MORE.to_owned());
        Ok(best.words.iter().map(|word| vertex(word)).chain(more).collect::<Vec<_>>().join(" "))
    }
}

fn color(player: Player) -> &'static str {
    match player {
        Player::One => "Black",
        Player::Two => "White",
    }
}

fn player(color: &str) -> Result<Player, String> {
    match color.to_ascii_lowercase().as_str() {
        "b" | "black" | "1" => Ok(Player::One),
        "w" | "white" | "2" => Ok(Player::Two),
        _ => Err("syntax error".to_owned()),
    }
}

/// Reads a time in seconds, which the protocol wants whole and some programs do not, as milliseconds.
fn time(word: &str) -> Result<i64, String> {
    milliseconds(word).filter(|&time| time >= 0).ok_or_else(|| "syntax error".to_owned())
}
