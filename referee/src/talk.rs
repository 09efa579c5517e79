//! Line by line with an engine under test: what was said is kept, what is expected has a deadline.

use std::time::Duration;

use grundy_core::random::SplitMix64;
use grundy_session::{Catalog, Session};

use crate::clock;
use crate::process::{Farewell, Heard, Process, Silence};
use crate::spec::{Dialect, EngineSpec};
use crate::speech::{self, Speech};
use crate::traffic::TrafficLog;
use crate::truth::{self, Truth};

/// What an engine may take for an answer that needs no thought, where its settings do not say.
const SOON: Duration = Duration::from_secs(3);

/// What a search may take that has no limit but its end, or a small one.
const SEARCH: Duration = Duration::from_secs(20);

/// A conversation with one engine.
pub struct Talk {
    catalog: Catalog,
    /// What was said: `>` by us, `<` by the engine.
    pub traffic: Vec<String>,
    /// The dialect it is asked to speak.
    pub dialect: Dialect,
    /// The rules of the game.
    pub rules: Session,
    /// Its exact values.
    pub truth: Truth,
    /// The game's name.
    pub game: String,
    /// What the engine may take for an answer that needs no thought.
    pub soon: Duration,
    startup: Duration,
    process: Process,
    speech: Speech,
}

impl Talk {
    /// Starts the engine; nothing is said yet.
    ///
    /// # Errors
    /// It cannot be started, or the game is unknown.
    pub fn start(
        catalog: &Catalog,
        spec: &EngineSpec,
        game: &str,
        dialect: Dialect,
        truth: Truth,
        log: &TrafficLog,
    ) -> Result<Talk, String> {
        let process = Process::start(&spec.launch, log.of("engine"))?;
        let rules = truth::rules(catalog, game)?;
        let speech = Speech::default();
        Ok(Talk {
            catalog: *catalog,
            traffic: Vec::new(),
            dialect,
            rules,
            truth,
            game: game.to_string(),
            soon: spec.limits.stall.map_or(SOON, Duration::from_millis),
            startup: spec.limits.startup.map_or(SOON, Duration::from_millis),
            process,
            speech,
        })
    }

    /// Says a line (or several); positions are spelled as the engine spells them.
    pub fn say(&mut self, lines: &str) -> Result<(), String> {
        let spelled: Vec<_> = lines.split('\n').map(|line| self.speech.position(line)).collect();
        let lines = &spelled.join("\n");
        for line in lines.lines() {
            let shown: String = line.chars().take(200).collect();
            self.traffic.push(format!("> {}", shown.escape_debug()));
        }
        self.process.send(lines, clock::now() + self.soon).map_err(|silence| why(&silence))
    }

    /// The next line.
    pub fn hear(&mut self, patience: Duration) -> Result<Heard, String> {
        match self.process.line(clock::now() + patience) {
            Ok(heard) => {
                self.traffic.push(format!("< {}", heard.text));
                Ok(heard)
            }
            Err(silence) => Err(why(&silence)),
        }
    }

    /// The lines up to the first that begins with this word, that one included.
    pub fn hear_until(&mut self, word: &str, patience: Duration) -> Result<Vec<String>, String> {
        let deadline = clock::now() + patience;
        let mut lines = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(clock::now());
            let heard = self.hear(left).map_err(|why| format!("no {word}: {why}"))?;
            let found = heard.text.split_whitespace().next() == Some(word);
            lines.push(heard.text);
            if found {
                return Ok(lines);
            }
        }
    }

    /// Nothing may be said for so long.
    pub fn silence(&mut self, time: Duration) -> Result<(), String> {
        match self.process.line(clock::now() + time) {
            Err(Silence::Deadline) => Ok(()),
            Err(silence) => Err(why(&silence)),
            Ok(heard) => {
                self.traffic.push(format!("< {}", heard.text));
                Err(format!("{:?} where nothing is to be said", heard.text))
            }
        }
    }

    /// Says `ugi` or `uci` and hears the greeting.
    pub fn greet(&mut self) -> Result<Vec<String>, String> {
        let word = if self.dialect == Dialect::Ugi { "ugi" } else { "uci" };
        self.say(word)?;
        self.hear_until(&format!("{word}ok"), self.startup)
    }

    /// Greets, chooses the game, and waits until the engine is ready.
    pub fn begin(&mut self) -> Result<(), String> {
        let lines = self.greet()?;
        let has_game = lines.iter().any(|line| line.starts_with("option name Game "));
        let variants: Vec<String> = lines.iter().flat_map(|line| speech::variants_in(line)).collect();
        let (told, speech) = speech::choose(&self.catalog, &self.game, has_game, &variants);
        if let Some(line) = told {
            self.say(&line)?;
        }
        self.speech = speech;
        self.say(if self.dialect == Dialect::Ugi { "uginewgame" } else { "ucinewgame" })?;
        self.ready()
    }

    /// `isready` and `readyok`, whatever comes between.
    pub fn ready(&mut self) -> Result<(), String> {
        self.say("isready")?;
        self.hear_until("readyok", 10 * self.soon).map(|_| ())
    }

    /// Asks and hears all lines up to `bestmove`, with the time it took.
    pub fn go(&mut self, lines: &str) -> Result<(Vec<String>, Duration), String> {
        let asked = clock::now();
        self.say(lines)?;
        let mut said = Vec::new();
        loop {
            // One deadline, however much is said before it.
            let left = SEARCH.saturating_sub(clock::since(asked));
            let heard = self.hear(left).map_err(|why| format!("no bestmove: {why}"))?;
            let took = heard.at.saturating_duration_since(asked);
            let last = heard.text.split_whitespace().next() == Some("bestmove");
            said.push(heard.text);
            if last {
                return Ok((said, took));
            }
        }
    }

    /// A move that the engine named, in our words.
    pub fn ours(&self, word: &str) -> String {
        self.speech.move_in(word)
    }

    /// The move of a `bestmove` line; it must be legal where the rules stand.
    pub fn legal(&mut self, line: Option<&String>) -> Result<String, String> {
        let word = &self.ours(line.and_then(|line| line.split_whitespace().nth(1)).unwrap_or(""));
        match self.rules.is_legal(word) {
            true => Ok(word.clone()),
            false => Err(format!("{word:?} is no legal move in {}", self.rules.position())),
        }
    }

    /// The answer to a query, its first word `response` left out.
    pub fn query(&mut self, what: &str) -> Result<String, String> {
        self.say(&format!("query {what}"))?;
        let heard = self.hear(self.soon)?;
        let rest = heard.text.strip_prefix("response ");
        rest.map(str::to_string).ok_or_else(|| format!("{:?} instead of a response", heard.text))
    }

    /// Closes the engine's input or says `quit`, and waits for its end.
    pub fn leave(&mut self, quit: bool) -> Result<(), String> {
        self.traffic.push(if quit { "> quit" } else { "> (end of input)" }.to_string());
        let farewell = if quit { self.process.quit_only() } else { self.process.end_input() };
        match farewell {
            Farewell::Clean => Ok(()),
            Farewell::Failed(status) => Err(format!("it ended with {status}")),
            Farewell::Killed => Err("it did not end".to_string()),
        }
    }

    /// Sets up a position by moves, here and there.
    pub fn position(&mut self, moves: &[String]) -> Result<(), String> {
        self.rules.setup(None).map_err(|e| e.to_string())?;
        for word in moves {
            self.rules.play(word).map_err(|e| e.to_string())?;
        }
        let line = match moves.is_empty() {
            true => "position startpos".to_string(),
            false => format!("position startpos moves {}", moves.join(" ")),
        };
        self.say(&line)
    }

    /// Moves to a position that is over by itself: the first legal move each time or, where that goes round, random
    /// ones.
    pub fn line_to_the_end(&mut self) -> Result<Vec<String>, String> {
        let mut bare = truth::rules(&self.catalog, &self.game)?;
        let mut random = SplitMix64(0);
        for game in 0..GAMES_TO_AN_END {
            self.rules.setup(None).map_err(|e| e.to_string())?;
            let mut line = Vec::new();
            while line.len() < LONGEST_GAME {
                let position = self.rules.position();
                // A third repetition is no end that a position shows.
                if self.rules.over().is_some() {
                    bare.setup(Some(&position)).map_err(|e| e.to_string())?;
                    if bare.over().is_some() {
                        return Ok(line);
                    }
                    break;
                }
                let moves = self.rules.legal_moves(if game == 0 { 1 } else { 1000 });
                let word = moves.get(random.below(moves.len().max(1))).cloned();
                let word = word.ok_or("no legal move in an unfinished position")?;
                self.rules.play(&word).map_err(|e| e.to_string())?;
                line.push(word);
            }
        }
        Err("no game comes to an end: choose a smaller one for this suite (--game)".to_string())
    }
}

/// Games that are tried to come to an end.
const GAMES_TO_AN_END: usize = 2_000;
/// Longer games are no good for a suite that plays them to the end, in plies.
const LONGEST_GAME: usize = 400;

fn why(silence: &Silence) -> String {
    match silence {
        Silence::Deadline => "nothing was said in time".to_string(),
        Silence::Gone(how) => format!("the engine is gone: {how}"),
        Silence::Flood(how) => format!("it floods: {how}"),
    }
}
