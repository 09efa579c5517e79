//! A line of the player: a move or a command.

use std::io::{self, Write};

use anyhow::Result;
use grundy_core::text::counted;
use grundy_core::words::short;
use grundy_session::NEVER;

use super::terminal::WORDS;
use super::{Play, Turn, describe, files};
use crate::cli::next;
use crate::cli::shared::wrapped;
use crate::protocol::{clean, value_word};

/// Moves shown by `moves` and offered for completion.
const SHOWN: usize = 200;
/// Moves shown after a word that was no move.
const EXAMPLES: usize = 8;
/// Moves of which `v` finds the values.
const VALUED: usize = 400;

/// The commands besides moves.
const HELP: &str = "  moves      what is legal
  hint       a best move
  v          the values of all moves
  value      what the position is worth
  undo       takes back your last move
  swap       you take the other side
  level N    the strength of the engine: 1 to 8, or perfect
  save FILE  writes the game: name.grundy, in chess also name.pgn
  load FILE  goes on with a game from a file
  board      shows the position
  rules      the rules again
  new        begins another game
  help       these words
  quit, q    ends";

impl Play<'_> {
    /// Reads a line of the person and obeys it.
    pub fn turn(&mut self, prompt: &str) -> Result<Turn> {
        let session = &mut self.session;
        let words = || {
            let commands = WORDS.map(str::to_owned);
            session.legal_moves(SHOWN).into_iter().chain(commands).collect()
        };
        let Some(line) = self.terminal.ask(prompt, words)? else { return Ok(Turn::Quit) };
        self.obey(&line, false)
    }

    /// Plays the move that a line names, or does what it commands. With `who_starts` the line answers that question.
    pub fn obey(&mut self, line: &str, who_starts: bool) -> Result<Turn> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        // Moves come first, so that none is hidden by a command; but there is always a way out.
        if word != "quit" && self.session.over().is_none() && self.session.play(line).is_ok() {
            return Ok(Turn::Changed);
        }
        match word.to_lowercase().as_str() {
            "" => {}
            "quit" | "q" | "exit" => return Ok(Turn::Quit),
            "new" => return Ok(Turn::Restart),
            "help" | "?" => writeln!(self.terminal.out, "{HELP}")?,
            "board" => self.show()?,
            "rules" => {
                writeln!(self.terminal.out, "{}", wrapped("", &self.description.rules, 0))?;
            }
            "moves" => self.moves()?,
            "hint" => match self.engine.best(&mut self.session) {
                Some(word) => writeln!(self.terminal.out, "hint: {word}")?,
                None => writeln!(self.terminal.out, "no move is legal")?,
            },
            "value" => {
                let (unit, value) = (self.session.unit(), self.session.value());
                match value {
                    Some(_) => writeln!(self.terminal.out, "value for you: {}", value_word(value, unit))?,
                    None => {
                        writeln!(
                            self.terminal.out,
                            "value for you: not known without a search (try hint or v)"
                        )?;
                    }
                }
            }
            "v" | "values" => {
                let text = self.values();
                writeln!(self.terminal.out, "{text}")?;
            }
            "undo" => return self.undo(),
            "swap" => {
                self.person = !self.person;
                self.tell_side()?;
                return Ok(Turn::Changed);
            }
            "level" => match rest.trim().parse() {
                Ok(level) => {
                    self.engine.level = level;
                    self.tell_side()?;
                }
                Err(why) => writeln!(self.terminal.out, "level {:?}: {why}", short(rest.trim()))?,
            },
            "save" => self.save(rest.trim())?,
            "load" => return self.load(rest.trim()),
            _ => self.refuse(line, who_starts)?,
        }
        Ok(Turn::Again)
    }

    /// Returns the values of the moves, or the next step if none is known.
    fn values(&mut self) -> String {
        let work = self.session.work(&NEVER);
        let found = self.session.analyze(VALUED, self.engine.time, &work);
        let moves = &found.list.moves;
        let known = moves.is_empty() || moves.iter().any(|m| m.value.is_some() || m.bound.is_some());
        if known || found.value.is_some() || found.bound.is_some() {
            return self.screen().values(&mut self.session, &found.list);
        }
        let next = next::after_search(self.catalog, &self.session, self.engine.time);
        wrapped("values: ", &format!("{}, none of a known value; {next}", counted(moves.len(), "move")), 8)
    }

    /// Lists the legal moves.
    fn moves(&mut self) -> io::Result<()> {
        let words = self.session.legal_moves(SHOWN + 1);
        let more = if words.len() > SHOWN { " and more" } else { "" };
        let shown = words.len().min(SHOWN);
        writeln!(
            self.terminal.out,
            "{}",
            wrapped("legal: ", &format!("{}{more}", words[..shown].join(" ")), 7)
        )
    }

    /// Says that a line is no move, or with `who_starts` no answer to that question.
    fn refuse(&mut self, line: &str, who_starts: bool) -> io::Result<()> {
        let line = clean(line);
        if self.session.over().is_some() {
            return writeln!(self.terminal.out, "{line:?}: expected new, undo, save FILE or quit");
        }
        if who_starts {
            let first = self.session.legal_moves(1);
            let move_too =
                first.first().map_or_else(String::new, |word| format!(", or a move such as {word}"));
            return writeln!(self.terminal.out, "{line:?}: expected me or engine{move_too}");
        }
        let words = self.session.legal_moves(EXAMPLES + 1);
        let more = if words.len() > EXAMPLES { " .. (type moves for all)" } else { "" };
        let some = words[..words.len().min(EXAMPLES)].join(" ");
        let meaning = match self.catalog.row(self.session.name()).map_or("", |row| row.moves) {
            "" => String::new(),
            moves => format!("; a move: {moves}"),
        };
        let said = format!("{line:?} is not a legal move here; legal: {some}{more}{meaning}");
        writeln!(self.terminal.out, "{}", wrapped("", &said, 2))
    }

    /// Takes moves back to the person's own last turn.
    fn undo(&mut self) -> Result<Turn> {
        let mut undone = self.session.undo();
        while undone && self.session.turn() != self.person && self.session.undo() {}
        if self.session.turn() != self.person {
            undone = false;
            writeln!(self.terminal.out, "the engine made the first move; nothing of yours to take back")?;
            if let Some(word) = self.engine.choose(&mut self.session) {
                self.session.play(&word)?;
            }
        } else if !undone {
            writeln!(self.terminal.out, "nothing to take back")?;
        }
        Ok(if undone { Turn::Changed } else { Turn::Again })
    }

    /// Writes the game to a file.
    fn save(&mut self, name: &str) -> io::Result<()> {
        let own = self.file.as_deref();
        match files::save(self.catalog, &self.session, (name, own), self.start.as_deref(), self.person) {
            Ok(name) => {
                writeln!(self.terminal.out, "saved: {name}")?;
                self.file = Some(name);
            }
            Err(why) => writeln!(self.terminal.out, "{why}")?,
        }
        Ok(())
    }

    /// Goes on with a game from a file, with the side that the file gives the person, else with the same as before.
    fn load(&mut self, name: &str) -> Result<Turn> {
        match files::load(self.catalog, self.session.name(), &self.settings, name) {
            Ok(files::Loaded { session, start, person, file }) => {
                self.description = describe(self.catalog, session.name());
                (self.session, self.start) = (session, start);
                self.person = person.unwrap_or(self.person);
                (self.seen, self.file) = (None, Some(file));
                writeln!(self.terminal.out, "loaded: {}", self.description.title)?;
                self.tell_side()?;
                Ok(Turn::Changed)
            }
            Err(why) => {
                writeln!(self.terminal.out, "{why}")?;
                Ok(Turn::Again)
            }
        }
    }
}
