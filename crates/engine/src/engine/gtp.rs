//! The Go Text Protocol, version 2, as a third front end: one command a line, one answer each, no thread.
//!
//! Black is player one and White player two, whatever the game. Moves and positions are those of `games.md`.

use std::io::{self, BufReader, Read, Write};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::{Config, clock};
use crate::protocol::{GoWords, clean, read_line, value_word};
use grundy_core::game::{GameResult, Player};
use grundy_session::{Go, Session};

const COMMANDS: &[&str] = &[
    "boardsize",
    "clear_board",
    "final_score",
    "genmove",
    "grundy-game",
    "grundy-legal",
    "grundy-position",
    "grundy-setup",
    "grundy-value",
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

/// Moves that `grundy-legal` lists at most.
const LISTED: usize = 10_000;

struct Gtp {
    session: Session,
    config: Config,
    go: GoWords,
}

/// Speaks GTP until `quit` or the end of input.
///
/// # Errors
/// The output could not be written, or the configured game cannot be opened. A reader that closed our output is no
/// error.
pub fn run(input: impl Read, mut output: impl Write, config: Config) -> io::Result<()> {
    let name = config.game.clone().unwrap_or_else(|| config.catalog.usual().to_owned());
    let session = config.catalog.open(&name, &config.settings).map_err(io::Error::other)?;
    let mut gtp = Gtp { session, config, go: GoWords::default() };
    let mut input = BufReader::new(input);
    let mut bytes = Vec::new();
    while let Some(too_long) = read_line(&mut input, &mut bytes) {
        let read = Instant::now();
        let text = String::from_utf8_lossy(&bytes);
        let line: String = text.split('#').next().unwrap_or("").replace(|c: char| c.is_control(), " ");
        let mut words: Vec<&str> = line.split_whitespace().collect();
        let id = words.first().filter(|w| w.bytes().all(|b| b.is_ascii_digit())).copied();
        if id.is_some() {
            words.remove(0);
        }
        let Some((&command, arguments)) = words.split_first() else { continue };
        let answer =
            if too_long { Err("line too long".to_owned()) } else { gtp.obey(command, arguments, read) };
        let (mark, text) = match &answer {
            Ok(text) => ('=', text.as_str()),
            Err(text) => ('?', text.as_str()),
        };
        let answered = output
            .write_all(format!("{mark}{} {}\n\n", id.unwrap_or(""), text.trim_end()).as_bytes())
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

impl Gtp {
    fn obey(&mut self, command: &str, arguments: &[&str], read: Instant) -> Result<String, String> {
        let nothing = Ok(String::new());
        match (command, arguments) {
            ("protocol_version", _) => Ok("2".to_owned()),
            ("name", _) => Ok("grundy".to_owned()),
            ("version", _) => Ok(env!("CARGO_PKG_VERSION").to_owned()),
            ("known_command", [name, ..]) => Ok(COMMANDS.contains(name).to_string()),
            ("list_commands", _) => Ok(COMMANDS.join("\n")),
            ("quit", _) => nothing,
            // The size is part of the game's name; controllers send these before every game.
            ("boardsize" | "komi", [_, ..]) => nothing,
            ("clear_board", _) => self.session.setup(None).map_err(|e| e.to_string()).and(nothing),
            ("time_settings", [main, period, stones, ..]) => self.time(main, period, stones).and(nothing),
            ("time_left", [color, time, stones, ..]) => self.time_left(color, time, stones).and(nothing),
            ("play", [color, word, ..]) => {
                self.turn_of(color)?;
                self.session
                    .play(&word.to_lowercase())
                    .or_else(|_| self.session.play(word))
                    .map_err(|_| "illegal move".to_owned())?;
                nothing
            }
            ("genmove" | "reg_genmove", [color, ..]) => {
                self.turn_of(color)?;
                let limits = clock::limits(&self.go, self.session.turn(), read);
                let go = Go { limits, ..Go::default() };
                let word = self
                    .session
                    .think(&go, &AtomicBool::new(false), &mut |_| {})
                    .ok_or_else(|| "the game is over".to_owned())?;
                if command == "genmove" {
                    self.session.play(&word).map_err(|e| e.to_string())?;
                }
                Ok(word)
            }
            ("undo", _) if self.session.undo() => nothing,
            ("undo", _) => Err("cannot undo".to_owned()),
            ("showboard", _) => Ok(format!("\n{}", self.session.draw())),
            ("final_score", _) => Ok(self.final_score()?),
            ("grundy-game", []) => Ok(self.session.name().to_owned()),
            ("grundy-game", [name, ..]) => {
                self.session =
                    self.config.catalog.open(name, &self.config.settings).map_err(|e| clean(&e))?;
                nothing
            }
            ("grundy-setup", position) if !position.is_empty() => {
                let set = self.session.setup(Some(&position.join(" ")));
                set.map_err(|refusal| clean(&refusal.to_string())).and(nothing)
            }
            ("grundy-position", _) => Ok(self.session.position()),
            ("grundy-legal", _) => Ok(self.session.legal_moves(LISTED).join(" ")),
            ("grundy-value", _) => {
                let value = self.session.value();
                Ok(value_word(value, self.session.unit()))
            }
            (known, _) if COMMANDS.contains(&known) => Err("syntax error".to_owned()),
            _ => Err("unknown command".to_owned()),
        }
    }

    /// Refuses a colour whose turn it is not.
    fn turn_of(&self, color: &str) -> Result<(), String> {
        let player = player(color)?;
        if self.session.over().is_none() && player != self.session.turn() {
            return Err("not this colour's turn".to_owned());
        }
        Ok(())
    }

    fn time(&mut self, main: &str, period: &str, stones: &str) -> Result<(), String> {
        let number = |word: &str| word.parse::<u32>().map_err(|_| "syntax error".to_owned());
        let (main, period, stones) = (number(main)?, number(period)?, number(stones)?);
        self.go = GoWords::default();
        // No time at all and an empty period mean that there is no clock.
        if main > 0 || (period > 0 && stones > 0) {
            let all = i64::from(if main > 0 { main } else { period }) * 1000;
            for clock in &mut self.go.clocks {
                clock.time = Some(all);
            }
            self.go.moves_to_go = (main == 0).then_some(u64::from(stones));
        }
        Ok(())
    }

    fn time_left(&mut self, color: &str, time: &str, stones: &str) -> Result<(), String> {
        let seconds: u32 = time.parse().map_err(|_| "syntax error".to_owned())?;
        let stones: u64 = stones.parse().map_err(|_| "syntax error".to_owned())?;
        self.go.clocks[player(color)?.index()].time = Some(i64::from(seconds) * 1000);
        self.go.moves_to_go = (stones > 0).then_some(stones);
        Ok(())
    }

    fn final_score(&self) -> Result<String, String> {
        let result = self.session.result().ok_or_else(|| "the game goes on".to_owned())?;
        let margin = self.session.score().map_or(1, |(one, two)| one.abs_diff(two).max(1));
        Ok(match result {
            GameResult::Win(Player::One) => format!("B+{margin}"),
            GameResult::Win(Player::Two) => format!("W+{margin}"),
            GameResult::Draw => "0".to_owned(),
        })
    }
}

fn player(color: &str) -> Result<Player, String> {
    match color.to_ascii_lowercase().as_str() {
        "b" | "black" | "1" => Ok(Player::One),
        "w" | "white" | "2" => Ok(Player::Two),
        _ => Err("syntax error".to_owned()),
    }
}
