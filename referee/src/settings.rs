//! The settings of a match, from the command line and a configuration file.

use std::path::{Path, PathBuf};

use grundy_core::files;
use grundy_core::text::excerpt;
use grundy_engine::paths;
use serde::{Deserialize, Serialize};

use crate::adjudication::Adjudication;
use crate::engine_spec::{EngineSpec, Limits, TimeControl};

/// Default of `--max-plies`.
const MOST_PLIES: usize = 1000;
/// The most games, engines or threads at the same time.
const MOST_WORKERS: usize = 256;
/// The largest configuration file, in bytes.
const LARGEST_FILE: u64 = 1 << 20;
/// The longest name of an engine, in characters; longer ones are cut.
const LONGEST_NAME: usize = 80;
/// The most engines of a match.
const MOST_ENGINES: usize = 256;

/// Checks the number of parallel workers given by `option`.
///
/// # Errors
/// The number is 0 or too large; one line.
pub(crate) fn worker_count(option: &str, number: usize) -> Result<usize, String> {
    match number {
        1..=MOST_WORKERS => Ok(number),
        _ => Err(format!("bad {option} {number}: expected 1 to {MOST_WORKERS}")),
    }
}

/// The settings of a match or tournament. A configuration file in TOML has the same names.
#[derive(clap::Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct MatchSettings {
    /// The game by its full name, as `grundy games` lists them; may be repeated
    #[arg(long = "game", value_name = "GAME")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub game: Vec<String>,
    /// An engine: its command, with settings among the words: name=N dir=D proto=ugi|uci|gomocup|gtp|xboard
    /// tc=.. movetime=MS nodes=N depth=N margin=MS startup=MS stall=MS memory=MB stderr=FILE restart=on
    /// ponder=on option.NAME=V env.NAME=V; or the command as cmd=PROGRAM arg=WORD
    #[arg(long = "engine", value_name = "COMMAND")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub engine: Vec<String>,
    /// Games per pairing and round, sides swapped every game [2, or every opening twice; with --sprt until it is decided]
    #[arg(long, value_name = "N")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub games: Option<usize>,
    /// Rounds [1]
    #[arg(long, value_name = "N")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds: Option<usize>,
    /// Let the first engine play all others, instead of everyone against everyone
    #[arg(long)]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub gauntlet: bool,
    /// Openings, each played with both sides: a PGN, a file with a position or moves per line, `all:K` for
    /// every position after K plies, `random:K` for K random plies; in chess:960 they come after one of its
    /// 960 starts
    #[arg(long, value_name = "FILE|all:K|random:K")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub openings: Option<String>,
    /// Position that every game starts from
    #[arg(long, value_name = "POSITION", conflicts_with = "openings")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// A clock: [moves/]seconds[+increment]
    #[arg(long, value_name = "TC")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tc: Option<String>,
    /// Milliseconds per move [1000, if no limit is set]
    #[arg(long, value_name = "MS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub movetime: Option<u64>,
    /// Nodes per move
    #[arg(long, value_name = "N")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Depth of a move's search, in plies
    #[arg(long, value_name = "N")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Milliseconds an answer may be late [50]
    #[arg(long, value_name = "MS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_margin: Option<u64>,
    /// Milliseconds for an engine's greeting [10000]
    #[arg(long, value_name = "MS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub startup_timeout: Option<u64>,
    /// Milliseconds of silence from an engine without a clock [60000]
    #[arg(long, value_name = "MS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stall_timeout: Option<u64>,
    /// Plies after which a game is drawn, its opening not counted [1000]
    #[arg(long, value_name = "N")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_plies: Option<usize>,
    /// Adjudicate a loss: moves=M score=CP, for a player whose engine announces a score of -CP centipawns or
    /// less in M consecutive moves; with the word twosided, if the opponent announces CP or more as often
    #[arg(long, value_name = "SETTING", num_args = 1..=3)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub resign: Vec<String>,
    /// Adjudicate a draw: after=N moves=M score=CP, from the ply 2N on, if both engines announce scores from
    /// -CP to CP centipawns in M consecutive moves each
    #[arg(long, value_name = "SETTING", num_args = 1..=3)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub draw: Vec<String>,
    /// Games played in parallel [1]
    #[arg(long, value_name = "N")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub concurrency: Option<usize>,
    /// Seed of random openings [0], and of engines with an option `Seed`
    #[arg(long, value_name = "N")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Start a new process for every game
    #[arg(long)]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub restart: bool,
    /// Data memory per engine, in megabytes
    #[arg(long, value_name = "MB")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_limit: Option<u64>,
    /// Do not compare moves with exact values
    #[arg(long)]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub no_audit: bool,
    /// Milliseconds after each game for proving moves by search that no table knows, 0 for none; unused time passes
    /// to later games [2000]
    #[arg(long, value_name = "MS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prove: Option<u64>,
    /// Folder of the tables that exact values come from
    #[arg(long, value_name = "DIR", value_parser = paths::existing_folder())]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tables: Option<PathBuf>,
    /// Stop when a sequential test decides whether the first engine is stronger by elo0 or elo1, with the error probabilities
    /// alpha and beta: 0 10 0.05 0.05
    #[arg(long, num_args = 4, value_names = ["ELO0", "ELO1", "ALPHA", "BETA"], allow_negative_numbers = true)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sprt: Vec<f64>,
    /// Print the final tables in one piece, not folded into 80 columns
    #[arg(long)]
    #[serde(skip_serializing)]
    pub wide: bool,
    /// Append every finished game to this file of JSON lines
    #[arg(long, value_name = "FILE", value_parser = paths::written())]
    #[serde(skip_serializing)]
    pub record: Option<PathBuf>,
    /// Log all traffic between referee and engines to this file
    #[arg(long, value_name = "FILE", value_parser = paths::written())]
    #[serde(skip_serializing)]
    pub log: Option<PathBuf>,
}

/// Types as the parser names them, and as they are written in the file.
const TYPES: [(&str, &str); 7] = [
    ("path string", "the name of a file"),
    ("a sequence", "a list in brackets"),
    ("a boolean", "true or false"),
    ("usize", "a whole number"),
    ("u64", "a whole number"),
    ("u32", "a whole number"),
    ("f64", "a number"),
];

/// Limits of an engine that is asked for single moves.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct Thinking {
    /// Milliseconds per move [1000, if no limit is set]
    #[arg(long, value_name = "MS")]
    pub movetime: Option<u64>,
    /// Nodes per move
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
    /// Depth of a move's search, in plies
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,
    /// Milliseconds an answer may be late [50]
    #[arg(long, value_name = "MS")]
    pub time_margin: Option<u64>,
}

impl Thinking {
    /// Returns an engine with these limits for each description.
    ///
    /// # Errors
    /// One line that says what was expected.
    pub fn specs(&self, engines: &[String]) -> Result<Vec<EngineSpec>, String> {
        let Thinking { movetime, nodes, depth, time_margin } = *self;
        let engine = engines.to_vec();
        let settings =
            MatchSettings { engine, movetime, nodes, depth, time_margin, ..MatchSettings::default() };
        let specs = settings.specs()?;
        specs.iter().try_for_each(EngineSpec::check)?;
        Ok(specs)
    }
}

impl MatchSettings {
    /// Reads a file in TOML. Paths in it are as on the command line, from the working folder.
    ///
    /// # Errors
    /// It cannot be read, or says what cannot be; one line.
    pub fn read(path: &Path) -> Result<MatchSettings, String> {
        let text = files::read_text(path, LARGEST_FILE).map_err(|e| format!("{}: {e}", path.display()))?;
        let torn = |e: toml::de::Error| format!("{}: {}", path.display(), e.message());
        let wrong = |e: toml::de::Error| {
            let lines: Vec<String> = e.to_string().lines().map(|line| line.trim().to_owned()).collect();
            let mut line = lines.join(" ");
            for (of_rust, word) in TYPES {
                line = line.replace(&format!("expected {of_rust}"), &format!("expected {word}"));
            }
            format!("{}: {line}", path.display())
        };
        let table: toml::Table = toml::from_str(&text).map_err(torn)?;
        let settings: MatchSettings = table.try_into().map_err(wrong)?;
        if settings.openings.is_some() && settings.position.is_some() {
            return Err(format!("{}: position cannot be used with openings", path.display()));
        }
        Ok(settings)
    }

    /// Returns these settings, completed by those of a configuration file.
    pub fn or(self, file: MatchSettings) -> MatchSettings {
        fn list<T>(ours: Vec<T>, theirs: Vec<T>) -> Vec<T> {
            if ours.is_empty() { theirs } else { ours }
        }
        let (openings, position) = (self.openings.is_some(), self.position.is_some());
        MatchSettings {
            game: list(self.game, file.game),
            engine: list(self.engine, file.engine),
            games: self.games.or(file.games),
            rounds: self.rounds.or(file.rounds),
            gauntlet: self.gauntlet || file.gauntlet,
            openings: self.openings.or(if position { None } else { file.openings }),
            position: self.position.or(if openings { None } else { file.position }),
            tc: self.tc.or(file.tc),
            movetime: self.movetime.or(file.movetime),
            nodes: self.nodes.or(file.nodes),
            depth: self.depth.or(file.depth),
            time_margin: self.time_margin.or(file.time_margin),
            startup_timeout: self.startup_timeout.or(file.startup_timeout),
            stall_timeout: self.stall_timeout.or(file.stall_timeout),
            max_plies: self.max_plies.or(file.max_plies),
            resign: list(self.resign, file.resign),
            draw: list(self.draw, file.draw),
            concurrency: self.concurrency.or(file.concurrency),
            seed: self.seed.or(file.seed),
            restart: self.restart || file.restart,
            memory_limit: self.memory_limit.or(file.memory_limit),
            no_audit: self.no_audit || file.no_audit,
            prove: self.prove.or(file.prove),
            tables: self.tables.or(file.tables),
            sprt: list(self.sprt, file.sprt),
            wide: self.wide || file.wide,
            record: self.record.or(file.record),
            log: self.log.or(file.log),
        }
    }

    /// Returns the longest game, in plies.
    pub fn most_plies(&self) -> usize {
        self.max_plies.unwrap_or(MOST_PLIES)
    }

    /// Returns the rules by which scores end games.
    ///
    /// # Errors
    /// They cannot be read; one line.
    pub fn adjudication(&self) -> Result<Adjudication, String> {
        Adjudication::read(&self.resign, &self.draw)
    }

    /// Refuses every setting but `concurrency`: a match that is resumed keeps those of its record.
    ///
    /// # Errors
    /// There is another; one line that names it.
    pub fn only_concurrency(&self) -> Result<(), String> {
        let given = MatchSettings { concurrency: None, ..self.clone() };
        let given = toml::Table::try_from(given).map_err(|error| error.to_string())?;
        match given.keys().next() {
            Some(key) => Err(format!(
                "--{} with --resume: expected no settings but --concurrency, the others are those of the record",
                key.replace('_', "-")
            )),
            None => Ok(()),
        }
    }

    /// Returns the number of games played in parallel.
    ///
    /// # Errors
    /// The number is zero or too large; one line.
    pub fn workers(&self) -> Result<usize, String> {
        worker_count("--concurrency", self.concurrency.unwrap_or(1))
    }

    /// Returns the threads for proofs after a game: a worker's share of the cores.
    pub fn proving_threads(&self) -> usize {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        (cores / self.workers().unwrap_or(1)).max(1)
    }

    /// Reports whether the openings come from a file.
    pub fn has_openings_file(&self) -> bool {
        let made = |text: &String| text.starts_with("all:") || text.starts_with("random:");
        self.openings.as_ref().is_some_and(|text| !made(text))
    }

    /// Returns the limits of engines without their own.
    ///
    /// # Errors
    /// The time control cannot be read; one line.
    pub fn limits(&self) -> Result<Limits, String> {
        Ok(Limits {
            clock: self.tc.as_deref().map(TimeControl::read).transpose()?,
            movetime: self.movetime,
            nodes: self.nodes,
            depth: self.depth,
            margin: self.time_margin,
            startup: self.startup_timeout,
            stall: self.stall_timeout,
        })
    }

    /// Returns the engines with names and limits. Those without a name get that of their program.
    ///
    /// # Errors
    /// One line that says what was expected.
    pub fn specs(&self) -> Result<Vec<EngineSpec>, String> {
        self.specs_by(EngineSpec::read)
    }

    /// Returns the engines of a record as [`MatchSettings::specs`], read as [`EngineSpec::read_recorded`] does.
    ///
    /// # Errors
    /// One line that says what was expected.
    pub fn recorded_specs(&self) -> Result<Vec<EngineSpec>, String> {
        self.specs_by(EngineSpec::read_recorded)
    }

    fn specs_by(&self, read: fn(&str) -> Result<EngineSpec, String>) -> Result<Vec<EngineSpec>, String> {
        let limits = self.limits()?;
        if self.engine.len() > MOST_ENGINES {
            return Err(format!("{} engines: expected at most {MOST_ENGINES}", self.engine.len()));
        }
        let mut specs: Vec<EngineSpec> = Vec::new();
        for text in &self.engine {
            let mut spec = read(text)?;
            let name = spec.name.take().unwrap_or_else(|| program_name(&spec.launch.words[0]));
            let name = excerpt(&name, LONGEST_NAME);
            let mut unique = name.clone();
            for number in 2.. {
                if !specs.iter().any(|other| other.name.as_deref() == Some(&unique)) {
                    break;
                }
                unique = format!("{name}-{number}");
            }
            spec.name = Some(unique);
            spec.limits = spec.limits.or(&limits).or_usual();
            spec.restart |= self.restart;
            spec.launch.memory_mb = spec.launch.memory_mb.or(self.memory_limit);
            specs.push(spec);
        }
        Ok(specs)
    }
}

fn program_name(program: &str) -> String {
    let stem = std::path::Path::new(program).file_stem();
    stem.map_or_else(|| program.to_string(), |stem| stem.to_string_lossy().into_owned())
}
