//! The engine under test, as the checks of the conformance suite speak with it: every line is kept, every answer has a
//! deadline, nothing is forgiven.

use std::time::Duration;

use grundy_core::random::SplitMix64;
use grundy_session::{Catalog, Session};

use super::protocol::Protocol;
use crate::clock;
use crate::engine::Engine;
use crate::engine_spec::{Dialect, EngineSpec};
use crate::exact::ExactValues;
use crate::games;
use crate::gomocup::Field;
use crate::process::{ExitKind, ReceiveError, ReceivedLine};
use crate::setup::Setup;
use crate::traffic::TrafficLog;

/// The time for an answer that needs no thought, if the engine's settings have none.
const SOON: Duration = Duration::from_secs(3);
/// The time for a search with a small limit or none but its end.
pub const SEARCH: Duration = Duration::from_secs(20);
/// The time in which an engine that says too much has said it.
pub const WHILE: Duration = Duration::from_millis(120);
/// The number of games that are tried for one that ends.
const GAMES_TO_AN_END: usize = 2_000;
/// The longest game that is tried, in plies.
const LONGEST_GAME: usize = 400;

/// The outcome of a check; an error says what was wrong.
pub type Checked = Result<(), String>;

/// Fails with the text of `otherwise` unless `holds`.
pub fn ensure(holds: bool, otherwise: impl FnOnce() -> String) -> Checked {
    if holds { Ok(()) } else { Err(otherwise()) }
}

/// Returns the word behind `key` in an info line.
pub fn after<'l>(line: &'l str, key: &str) -> Option<&'l str> {
    line.split_whitespace().skip_while(|&word| word != key).nth(1)
}

/// An engine under test, with the rules and the values of the game it is tested in.
pub struct Subject {
    engine: Engine,
    catalog: Catalog,
    /// All lines: `>` from us, `<` from the engine.
    pub traffic: Vec<String>,
    /// The dialect it is asked to speak.
    pub dialect: Dialect,
    /// The rules of the game.
    pub rules: Session,
    /// Its exact values.
    pub exact: ExactValues,
    game: String,
    /// The time for an answer that needs no thought.
    pub soon: Duration,
}

impl Subject {
    /// Starts the engine; nothing is said yet.
    ///
    /// # Errors
    /// It cannot be started, or the game is unknown.
    pub fn start(
        catalog: &Catalog,
        spec: &EngineSpec,
        game: &str,
        protocol: Protocol,
        exact: ExactValues,
    ) -> Result<Subject, String> {
        let dialect = protocol.dialect();
        let spec = EngineSpec { dialect: Some(dialect), ..spec.clone() };
        let engine = Engine::launch(catalog, &spec, &TrafficLog::default())?;
        let soon = spec.limits.stall.map_or(SOON, Duration::from_millis);
        let rules = games::rules(catalog, game)?;
        let (catalog, game) = (*catalog, game.to_string());
        Ok(Subject { engine, catalog, traffic: Vec::new(), dialect, rules, exact, game, soon })
    }

    /// Says a line, or several.
    ///
    /// # Errors
    /// The engine does not read it.
    pub fn say(&mut self, lines: &str) -> Checked {
        for line in lines.lines() {
            let shown: String = line.chars().take(200).collect();
            self.traffic.push(format!("> {}", shown.escape_debug()));
        }
        self.engine.process.send(lines, clock::now() + self.soon).map_err(|silence| why(&silence))
    }

    /// Waits for the next line.
    ///
    /// # Errors
    /// None came in time.
    pub fn hear(&mut self, patience: Duration) -> Result<ReceivedLine, String> {
        let heard = self.engine.process.line(clock::now() + patience).map_err(|silence| why(&silence))?;
        self.traffic.push(format!("< {}", heard.text));
        Ok(heard)
    }

    /// Waits for a line that begins with `word`; returns all lines up to it.
    ///
    /// # Errors
    /// It did not come in time.
    pub fn hear_until(&mut self, word: &str, patience: Duration) -> Result<Vec<String>, String> {
        self.timed_until(word, "", patience).map(|(lines, _)| lines)
    }

    /// Waits for a line that begins with `word` and contains `part`; returns all lines up to it.
    ///
    /// # Errors
    /// It did not come in time.
    pub fn hear_through(&mut self, word: &str, part: &str) -> Result<Vec<String>, String> {
        self.timed_until(word, part, self.soon).map(|(lines, _)| lines)
    }

    /// As [`Subject::hear_through`], with the time until the last line was read. One deadline holds for all lines.
    fn timed_until(
        &mut self,
        word: &str,
        part: &str,
        patience: Duration,
    ) -> Result<(Vec<String>, Duration), String> {
        let began = clock::now();
        let mut lines = Vec::new();
        loop {
            let left = patience.saturating_sub(clock::since(began));
            let heard = self.hear(left).map_err(|why| format!("no {word}: {why}"))?;
            let found = heard.text.split_whitespace().next() == Some(word) && heard.text.contains(part);
            lines.push(heard.text);
            if found {
                return Ok((lines, heard.at.saturating_duration_since(began)));
            }
        }
    }

    /// Waits for `time` in which nothing may be said.
    ///
    /// # Errors
    /// A line came, or the engine has gone.
    pub fn silence(&mut self, time: Duration) -> Checked {
        match self.engine.process.line(clock::now() + time) {
            Err(ReceiveError::Deadline) => Ok(()),
            Err(silence) => Err(why(&silence)),
            Ok(heard) => {
                self.traffic.push(format!("< {}", heard.text));
                Err(format!("{:?} where nothing may be said", heard.text))
            }
        }
    }

    /// Says `ugi` or `uci`; returns the greeting.
    ///
    /// # Errors
    /// It did not come in time.
    pub fn greet(&mut self) -> Result<Vec<String>, String> {
        let word = self.dialect.word();
        let patience = self.engine.spec.limits.startup.map_or(SOON, Duration::from_millis);
        self.say(word)?;
        self.hear_until(&format!("{word}ok"), patience)
    }

    /// Greets, sets the engine's options, chooses the game, begins it, and waits until the engine is ready.
    ///
    /// # Errors
    /// It does not answer.
    pub fn begin(&mut self) -> Checked {
        for line in self.greet()? {
            self.engine.learn_option(&line);
        }
        for line in self.engine.settings_for(&self.game) {
            self.say(&line)?;
        }
        self.new_game()?;
        self.say("isready")?;
        self.hear_until("readyok", 10 * self.soon).map(|_| ())
    }

    /// Says that a new game begins.
    ///
    /// # Errors
    /// The engine does not read it.
    pub fn new_game(&mut self) -> Checked {
        self.say(&format!("{}newgame", self.dialect.word()))
    }

    /// Says `lines`, the last of them a `go`; returns all lines up to `bestmove`, and the time it took.
    ///
    /// # Errors
    /// No `bestmove` came in time.
    pub fn go(&mut self, lines: &str) -> Result<(Vec<String>, Duration), String> {
        let asked = clock::now();
        self.say(lines)?;
        let spent = clock::since(asked);
        let (lines, took) = self.timed_until("bestmove", "", SEARCH)?;
        Ok((lines, spent + took))
    }

    /// Returns a move that the engine named in the standard notation of the game.
    pub fn move_in(&self, word: &str) -> String {
        self.engine.notation.move_in(word)
    }

    /// Returns the move of a `bestmove` line.
    ///
    /// # Errors
    /// It is not legal in the position of `rules`.
    pub fn legal(&mut self, line: Option<&String>) -> Result<String, String> {
        let word = self.move_in(line.and_then(|line| line.split_whitespace().nth(1)).unwrap_or(""));
        match self.rules.is_legal(&word) {
            true => Ok(word),
            false => Err(format!("{word:?} is no legal move in {}", self.rules.position())),
        }
    }

    /// Fails if this move loses value in the position of `rules`, as far as its values are known.
    ///
    /// # Errors
    /// The move, and those that keep the value.
    pub fn keeps_value(&mut self, word: &str) -> Checked {
        let position = self.rules.position();
        let found = self.exact.preserving_moves(&position);
        let kept = found.more || found.keeping.is_empty() || found.keeping.iter().any(|kept| kept == word);
        ensure(kept, || format!("{word} loses value in {position}, kept by {}", found.keeping.join(" ")))
    }

    /// Returns the answer to a query, without the word `response`.
    ///
    /// # Errors
    /// Another line came, or none in time.
    pub fn query(&mut self, what: &str) -> Result<String, String> {
        self.say(&format!("query {what}"))?;
        let heard = self.hear(self.soon)?;
        let rest = heard.text.strip_prefix("response ");
        rest.map(str::to_string).ok_or_else(|| format!("{:?} instead of a response", heard.text))
    }

    /// Says `quit`, or closes the engine's input, and waits for its end.
    ///
    /// # Errors
    /// It did not end by itself, or ended badly.
    pub fn leave(&mut self, quit: bool) -> Checked {
        self.traffic.push(if quit { "> quit" } else { "> (end of input)" }.to_string());
        let process = &mut self.engine.process;
        match if quit { process.quit_only() } else { process.end_input() } {
            ExitKind::Clean => Ok(()),
            ExitKind::Failed(status) => Err(format!("it ended with {status}")),
            ExitKind::Killed => Err("it did not end".to_string()),
        }
    }

    /// Returns the board of the game for the Gomocup protocol.
    ///
    /// # Errors
    /// The game is not one of stones in lines.
    pub fn field(&self) -> Result<Field, String> {
        Field::of(&self.catalog, &self.game)
    }

    /// Returns the command that sets up a position, as the engine reads it.
    pub fn command(&self, setup: &Setup) -> String {
        self.engine.notation.position(setup)
    }

    /// Sets up a position by its moves, in `rules` and in the engine.
    ///
    /// # Errors
    /// A move is not legal, or the engine does not read.
    pub fn position(&mut self, moves: &[String]) -> Checked {
        let setup = Setup { start: None, moves: moves.to_vec() };
        setup.set_up(&mut self.rules)?;
        self.say(&self.command(&setup))
    }

    /// Returns the moves to a finished position: the first legal move each time or, if that never ends, random ones.
    ///
    /// # Errors
    /// No game comes to an end.
    pub fn line_to_the_end(&mut self) -> Result<Vec<String>, String> {
        let mut bare = games::rules(&self.catalog, &self.game)?;
        let mut random = SplitMix64(0);
        for game in 0..GAMES_TO_AN_END {
            self.rules.setup(None).map_err(|e| e.to_string())?;
            while self.rules.history().len() < LONGEST_GAME {
                // A position does not show an end by repetition.
                if self.rules.over().is_some() {
                    bare.setup(Some(&self.rules.position())).map_err(|e| e.to_string())?;
                    if bare.over().is_some() {
                        return Ok(self.rules.history().to_vec());
                    }
                    break;
                }
                let moves = self.rules.legal_moves(if game == 0 { 1 } else { 1000 });
                let word = moves.get(random.below(moves.len().max(1)));
                let word = word.ok_or("no legal move in an unfinished position")?;
                self.rules.play(word).map_err(|e| e.to_string())?;
            }
        }
        Err("no game comes to an end: choose a smaller one for this suite (--game)".to_string())
    }
}

fn why(silence: &ReceiveError) -> String {
    match silence {
        ReceiveError::Deadline => "not said in time".to_string(),
        ReceiveError::Gone(how) => format!("the engine is gone: {how}"),
        ReceiveError::Flood(how) => format!("it floods: {how}"),
    }
}
