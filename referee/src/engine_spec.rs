//! Descriptions of engines on the command line, and their limits.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use grundy_engine::paths;

use crate::output::open_log;
use crate::platform;
use crate::process::Launch;

/// Default time per move, in milliseconds.
const DEFAULT_MOVETIME: u64 = 1000;
/// Default margin for late answers, in milliseconds.
const DEFAULT_MARGIN: u64 = 50;
/// Default time for the greeting, in milliseconds.
const DEFAULT_STARTUP: u64 = 10_000;
/// Default time of silence without a clock, in milliseconds.
const DEFAULT_STALL: u64 = 60_000;

/// The settings among the words of a command, each with `=` and a value.
const SETTINGS: &str = "cmd arg name dir proto tc movetime nodes depth margin startup stall memory stderr restart \
                        ponder option.NAME env.NAME";

/// The description of an engine: its command, name, options and limits.
#[derive(Clone, Debug, Default)]
pub struct EngineSpec {
    /// The name in tables, if one was given.
    pub name: Option<String>,
    /// The command that starts it.
    pub launch: Launch,
    /// Options to set, in the order given.
    pub options: Vec<(String, String)>,
    /// The dialect, if it is given.
    pub dialect: Option<Dialect>,
    /// A new process for every game.
    pub restart: bool,
    /// In matches it ponders on the replies that it expects.
    pub ponder: bool,
    /// The limits of its thinking.
    pub limits: Limits,
}

/// The protocols of engines: the two dialects of our own, and those of other programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Universal Game Interface.
    Ugi,
    /// Universal Chess Interface.
    Uci,
    /// The protocol of Piskvork and Gomocup.
    Gomocup,
    /// The Go Text Protocol.
    Gtp,
    /// The protocol of XBoard and WinBoard.
    XBoard,
}

/// Limits of an engine's thinking; `None` is no limit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// A clock for the whole game.
    pub clock: Option<TimeControl>,
    /// Milliseconds a move.
    pub movetime: Option<u64>,
    /// Nodes a move.
    pub nodes: Option<u64>,
    /// Plies a move.
    pub depth: Option<u32>,
    /// The margin for late answers, in milliseconds.
    pub margin: Option<u64>,
    /// The time for its greeting, in milliseconds.
    pub startup: Option<u64>,
    /// The longest silence without a clock, in milliseconds: while it gets ready, or under a limit of nodes or depth.
    pub stall: Option<u64>,
}

impl Dialect {
    /// Returns its name, in UGI and UCI also the word that greets an engine.
    pub fn word(self) -> &'static str {
        match self {
            Dialect::Ugi => "ugi",
            Dialect::Uci => "uci",
            Dialect::Gomocup => "gomocup",
            Dialect::Gtp => "gtp",
            Dialect::XBoard => "xboard",
        }
    }

    /// Reports whether it has commands of its own for positions and moves.
    pub fn is_foreign(self) -> bool {
        matches!(self, Dialect::Gomocup | Dialect::Gtp | Dialect::XBoard)
    }
}

/// `moves/time+increment`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// Moves per period of time; 0 for the whole game.
    pub moves: u32,
    /// The time.
    pub time: Duration,
    /// The increment per move.
    pub increment: Duration,
}

impl Limits {
    /// Returns these limits, completed by those of `other`.
    pub fn or(mut self, other: &Limits) -> Limits {
        let says_something =
            self.clock.is_some() || self.movetime.is_some() || self.nodes.is_some() || self.depth.is_some();
        if !says_something {
            self.clock = other.clock;
            self.movetime = other.movetime;
            self.nodes = other.nodes;
            self.depth = other.depth;
        }
        self.margin = self.margin.or(other.margin);
        self.startup = self.startup.or(other.startup);
        self.stall = self.stall.or(other.stall);
        self
    }

    /// Returns these limits, or the default time per move if there are none.
    pub fn or_usual(self) -> Limits {
        self.or(&Limits { movetime: Some(DEFAULT_MOVETIME), ..Limits::default() })
    }

    /// Returns the margin for late answers.
    pub fn margin(&self) -> Duration {
        Duration::from_millis(self.margin.unwrap_or(DEFAULT_MARGIN))
    }

    /// Returns the time for the greeting.
    pub fn startup(&self) -> Duration {
        Duration::from_millis(self.startup.unwrap_or(DEFAULT_STARTUP))
    }

    /// Returns the longest silence without a clock.
    pub fn stall(&self) -> Duration {
        Duration::from_millis(self.stall.unwrap_or(DEFAULT_STALL))
    }

    /// Returns the longest time for a move, without the margin; `clock` is the time left on the engine's clock.
    pub fn longest(&self, clock: Option<Duration>) -> Duration {
        let movetime = self.movetime.map(Duration::from_millis);
        match (clock, movetime) {
            (Some(clock), Some(movetime)) => clock.min(movetime),
            (Some(limit), None) | (None, Some(limit)) => limit,
            (None, None) => self.stall(),
        }
    }
}

impl TimeControl {
    /// Reads `[moves/][minutes:]seconds[+increment]`.
    ///
    /// # Errors
    /// One line that says what was expected.
    pub fn read(text: &str) -> Result<TimeControl, String> {
        let expected =
            || format!("bad time control {text:?}: expected moves/time+inc in seconds, like 40/60+0.5");
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => (moves.parse().map_err(|_| expected())?, rest),
            None => (0, text),
        };
        let (time, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let time = match time.split_once(':') {
            Some((minutes, seconds)) => {
                let minutes = seconds_in(minutes).ok_or_else(expected)?.checked_mul(60);
                minutes.and_then(|m| m.checked_add(seconds_in(seconds)?)).ok_or_else(expected)?
            }
            None => seconds_in(time).ok_or_else(expected)?,
        };
        let increment = seconds_in(increment).ok_or_else(expected)?;
        if time.is_zero() && increment.is_zero() {
            return Err(expected());
        }
        Ok(TimeControl { moves, time, increment })
    }
}

fn seconds_in(text: &str) -> Option<Duration> {
    let seconds: f64 = text.parse().ok()?;
    // A month is longer than any game, and far from any overflow.
    (0.0..=2.7e6).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
}

impl EngineSpec {
    /// Reads an engine as the command line gives it: a command, with settings as `key=value` among its words:
    /// [`SETTINGS`]. The command may be given as settings, too: `cmd=PROGRAM arg=WORD`. What comes after `--` belongs to the
    /// command as it stands.
    ///
    /// # Errors
    /// One line that says what was expected.
    pub fn read(text: &str) -> Result<EngineSpec, String> {
        EngineSpec::read_as(text, false)
    }

    /// Reads an engine as the header of a record has it, also of an older version, which took more: empty names, any word
    /// for `restart`, which was off then, and `foo=bar` as a program.
    ///
    /// # Errors
    /// One line that says what was expected.
    pub fn read_recorded(text: &str) -> Result<EngineSpec, String> {
        EngineSpec::read_as(text, true)
    }

    fn read_as(text: &str, recorded: bool) -> Result<EngineSpec, String> {
        let words = platform::split_command(text)
            .ok_or_else(|| format!("bad engine {text:?}: a quote is not closed"))?;
        let mut spec = EngineSpec::default();
        let mut env = BTreeMap::new();
        let mut literal = false;
        for word in words {
            if literal || !spec.set(&word, &mut env, recorded)? {
                if !literal && word == "--" {
                    literal = true;
                } else if !literal && !recorded && spec.launch.words.is_empty() && is_like_setting(&word) {
                    return Err(format!(
                        "bad engine setting {word:?}: expected one of {SETTINGS}, or -- before such a command"
                    ));
                } else {
                    spec.launch.words.push(word);
                }
            }
        }
        spec.launch.env = env;
        if spec.launch.words.is_empty() {
            return Err(format!("bad engine {text:?}: expected a command"));
        }
        Ok(spec)
    }

    /// Checks, before anything is started, what does not follow from the words alone: that no limit is 0, that the folder
    /// exists, and that the file for its stderr can be written.
    ///
    /// # Errors
    /// One line that says what was expected.
    pub fn check(&self) -> Result<(), String> {
        let (limits, launch) = (&self.limits, &self.launch);
        let refused = |what: String| format!("engine {}: {what}", self.name.as_deref().unwrap_or_default());
        let numbers = [
            ("movetime", limits.movetime),
            ("nodes", limits.nodes),
            ("depth", limits.depth.map(u64::from)),
            ("startup", limits.startup),
            ("stall", limits.stall),
            ("memory", launch.memory_mb),
        ];
        if let Some((what, _)) = numbers.iter().find(|(_, number)| *number == Some(0)) {
            return Err(refused(format!("{what} 0: expected at least 1")));
        }
        if self.ponder && self.dialect.is_some_and(Dialect::is_foreign) {
            return Err(refused("ponder: expected an engine of UGI or UCI".to_owned()));
        }
        if let Some(dir) = &launch.dir {
            paths::folder(dir.clone()).map_err(|why| refused(format!("dir: {why}")))?;
        }
        if let Some(path) = &launch.stderr_log {
            open_log(path).map_err(|why| refused(format!("stderr={}: {why}", path.display())))?;
        }
        Ok(())
    }

    /// Returns the value that the user has given to an option; case does not matter.
    pub fn given(&self, name: &str) -> Option<&str> {
        let found = self.options.iter().find(|(option, _)| option.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// Reads a word as a setting; returns false if it is none.
    fn set(
        &mut self,
        word: &str,
        env: &mut BTreeMap<String, String>,
        recorded: bool,
    ) -> Result<bool, String> {
        let Some((key, value)) = word.split_once('=') else {
            if word == "restart" {
                self.restart = true;
                return Ok(true);
            }
            return Ok(false);
        };
        let number = || {
            value.parse::<u64>().map_err(|_| format!("bad engine setting {word:?}: expected a whole number"))
        };
        match key {
            "cmd" => self.launch.words.insert(0, value.to_string()),
            "arg" => self.launch.words.push(value.to_string()),
            "name" if value.trim().is_empty() && !recorded => {
                return Err(format!("bad engine setting {word:?}: expected a name"));
            }
            "name" => self.name = Some(value.to_string()),
            "dir" => self.launch.dir = Some(PathBuf::from(value)),
            "stderr" => self.launch.stderr_log = Some(PathBuf::from(value)),
            "memory" => self.launch.memory_mb = Some(number()?),
            "restart" | "ponder" => {
                let on = match value {
                    "on" | "true" | "yes" | "1" => true,
                    "off" | "false" | "no" | "0" => false,
                    _ if recorded => false,
                    _ => return Err(format!("bad engine setting {word:?}: expected on or off")),
                };
                match key {
                    "restart" => self.restart = on,
                    _ => self.ponder = on,
                }
            }
            "proto" => self.dialect = Some(read_dialect(value)?),
            "tc" => self.limits.clock = Some(TimeControl::read(value)?),
            "movetime" => self.limits.movetime = Some(number()?),
            "nodes" => self.limits.nodes = Some(number()?),
            "depth" => self.limits.depth = Some(u32::try_from(number()?).unwrap_or(u32::MAX)),
            "margin" => self.limits.margin = Some(number()?),
            "startup" => self.limits.startup = Some(number()?),
            "stall" => self.limits.stall = Some(number()?),
            _ => match (key.strip_prefix("option."), key.strip_prefix("env.")) {
                (Some(""), _) | (_, Some("")) if !recorded => {
                    return Err(format!("bad engine setting {word:?}: expected a name before ="));
                }
                (Some(name), _) => self.options.push((name.to_string(), value.to_string())),
                (_, Some(name)) => {
                    env.insert(name.to_string(), value.to_string());
                }
                _ => return Ok(false),
            },
        }
        Ok(true)
    }
}

/// Reports whether a word is rather a misspelt setting than a program.
fn is_like_setting(word: &str) -> bool {
    let key = word.split_once('=').map(|(key, _)| key);
    key.is_some_and(|key| key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'.'))
}

fn read_dialect(word: &str) -> Result<Dialect, String> {
    let all = [Dialect::Ugi, Dialect::Uci, Dialect::Gomocup, Dialect::Gtp, Dialect::XBoard];
    let found = all.into_iter().find(|dialect| dialect.word() == word);
    found.ok_or_else(|| format!("bad protocol {word:?}: expected ugi, uci, gomocup, gtp or xboard"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_control_is_read() {
        let read = TimeControl::read("40/1:30+0.5").unwrap();
        assert_eq!((read.moves, read.time.as_secs(), read.increment.as_millis()), (40, 90, 500));
        assert_eq!(TimeControl::read("10").unwrap().time.as_secs(), 10);
        for bad in ["", "x", "0", "1/", "-1", "nan", "inf", "1e99", "1+x", "-/3"] {
            assert!(TimeControl::read(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn settings_stand_among_the_words_of_a_command() {
        let spec =
            EngineSpec::read("name=A 'my engine' --game nim option.Hash=16 movetime=5 -- name=b").unwrap();
        assert_eq!(spec.name.as_deref(), Some("A"));
        assert_eq!(spec.launch.words, ["my engine", "--game", "nim", "name=b"]);
        assert_eq!(spec.options, [("Hash".to_string(), "16".to_string())]);
        assert_eq!(spec.limits.movetime, Some(5));
        assert!(!EngineSpec::read("restart restart=off x").unwrap().restart);
        let cutechess =
            EngineSpec::read("name=C proto=xboard arg=-x arg='a b' cmd='my engine' --last").unwrap();
        assert_eq!(cutechess.launch.words, ["my engine", "-x", "a b", "--last"]);
        let refusal = EngineSpec::read("restart=foo x").unwrap_err();
        assert_eq!(refusal, "bad engine setting \"restart=foo\": expected on or off");
        assert!(!EngineSpec::read_recorded("restart=foo x").unwrap().restart);
        let ponders = EngineSpec::read("ponder=on proto=gtp x").unwrap();
        assert!(ponders.ponder && !ponders.restart && ponders.check().is_err());
        assert!(
            EngineSpec::read("").is_err()
                && EngineSpec::read("'x").is_err()
                && EngineSpec::read("movetime=x y").is_err()
        );
        for bad in ["name= x", "'name= ' x", "env.=3 x", "option.=3 x", "foo=bar x", "movtime=5 x"] {
            assert!(EngineSpec::read(bad).unwrap_err().contains(": expected "), "{bad}");
            assert!(EngineSpec::read_recorded(bad).is_ok(), "{bad}");
        }
        for (fine, program) in [("-- foo=bar", "foo=bar"), ("./a=b", "./a=b"), ("x foo=bar", "x")] {
            assert_eq!(EngineSpec::read(fine).unwrap().launch.words[0], program);
        }
    }
}
