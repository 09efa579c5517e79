//! The command line of `referee`.

use std::path::PathBuf;

use clap::{CommandFactory, Parser, Subcommand};
use grundy_engine::paths;

use crate::audit::AuditArgs;
use crate::compare::CompareArgs;
use crate::conformance::ConformanceArgs;
use crate::export::Tags;
use crate::prove::ProveArgs;
use crate::settings::MatchSettings;
use crate::suite::SuiteArgs;
use crate::supervision;

/// Plays matches between engines and proves what they play.
///
/// Exit codes: 0 all clean, 1 a move lost value, 2 wrong usage or an unreadable or unwritable file, 3 an illegal move
/// or a broken protocol, 4 a crash, a hang or a loss on time, 5 two judges disagree, 130 interrupted.
#[derive(Parser, Debug)]
#[command(name = "referee", version, max_term_width = 110)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Play a match or a tournament and audit every move
    Match(Box<MatchArgs>),
    /// Ask an engine in every position that can arise, and prove what its play achieves
    Audit(Box<AuditArgs>),
    /// Verify a certificate by the rules alone
    Check {
        /// The certificate
        file: PathBuf,
        /// Threads [all]
        #[arg(long, value_name = "N")]
        threads: Option<usize>,
        /// Use the second interpreter alone for games from rules files
        #[arg(long)]
        rules_witness: bool,
    },
    /// Prove the moves in a record by search, with more time than a match has, and append what was found
    Prove(ProveArgs),
    /// Ask two engines for moves and values, and show the first disagreement
    Compare(Box<CompareArgs>),
    /// Check an engine against the rules of the protocol, one by one
    Conformance(Box<ConformanceArgs>),
    /// Ask an engine in positions with known answers
    Suite(Box<SuiteArgs>),
    /// Write a record in another format
    Export {
        /// The record
        record: PathBuf,
        #[command(flatten)]
        format: FormatArgs,
        #[command(flatten)]
        tags: Tags,
        /// Output file [stdout]
        #[arg(short, long, value_name = "FILE", value_parser = paths::written())]
        output: Option<PathBuf>,
        /// Truncate a damaged record at its first damaged line
        #[arg(long)]
        repair: bool,
    },
    /// Write a page with tables, boards, value graphs and every slip of a record
    Report {
        /// The record
        record: PathBuf,
        /// Output file
        #[arg(short, long, value_name = "FILE", default_value = "report.html", value_parser = paths::written())]
        output: PathBuf,
        /// Truncate a damaged record at its first damaged line
        #[arg(long)]
        repair: bool,
    },
    #[command(name = supervision::SUPERVISE_COMMAND, hide = true)]
    Supervise {
        #[arg(long)]
        parent: u32,
        #[arg(long)]
        tag: String,
        #[arg(long)]
        isolated: bool,
        #[arg(long)]
        megabytes: Option<u64>,
        #[arg(last = true)]
        words: Vec<String>,
    },
    #[command(name = supervision::INIT_COMMAND, hide = true)]
    Init {
        #[arg(long)]
        probe: bool,
    },
    #[command(name = supervision::EXEC_COMMAND, hide = true)]
    Exec {
        #[arg(long)]
        isolated: bool,
        #[arg(long)]
        megabytes: Option<u64>,
        #[arg(last = true)]
        words: Vec<String>,
    },
}

/// The output format.
#[derive(clap::Args, Debug)]
#[group(required = true, multiple = false)]
pub struct FormatArgs {
    /// Portable Game Notation: chess in standard algebraic notation, other games in their own notation
    #[arg(long)]
    pub pgn: bool,
    /// Comma-separated values, a line a game
    #[arg(long)]
    pub csv: bool,
    /// JUnit XML: every game a test, a slip a failure, misbehaviour an error
    #[arg(long)]
    pub junit: bool,
}

#[derive(clap::Args, Debug)]
pub struct MatchArgs {
    #[command(flatten)]
    pub settings: MatchSettings,
    /// Settings from a file in TOML; the command line wins
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Resume an interrupted run by its record, which holds its settings and games
    #[arg(long, value_name = "FILE", conflicts_with_all = ["record", "config", "game", "engine"])]
    pub resume: Option<PathBuf>,
    /// With --resume: truncate a damaged record at its first damaged line, and replay the games behind it
    #[arg(long)]
    pub repair: bool,
}

/// Options of cutechess-cli and fastchess, and what `match` has in their place.
const IN_PLACE: [(&str, &str); 7] = [
    ("each", "put --tc, --movetime, --nodes or --depth beside --engine"),
    ("maxmoves", "--max-plies N counts the moves of both players"),
    ("pgnout", "--record FILE, then referee export FILE --pgn"),
    ("recover", "a failed engine is always started again"),
    ("repeat", "both sides always play every opening"),
    ("srand", "--seed N"),
    ("variant", "--game NAME"),
];

/// Returns a line on an option of other match runners, or one with a single dash, that `match` does not take, with what to
/// write instead; `None` if `word` is neither.
pub fn in_place_of(word: &str) -> Option<String> {
    let name = word.strip_prefix('-')?;
    let name = name.strip_prefix('-').unwrap_or(name);
    if let Some((_, ours)) = IN_PLACE.iter().find(|(theirs, _)| *theirs == name) {
        return Some(format!("match has no {word}: {ours}"));
    }
    let command = Cli::command();
    let taken = command.find_subcommand("match")?.get_arguments().any(|arg| arg.get_long() == Some(name));
    (taken && !word.starts_with("--")).then(|| format!("match has no {word}: write two dashes, --{name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_options_of_other_runners_get_ours() {
        for (word, line) in [
            ("-engine", Some("match has no -engine: write two dashes, --engine")),
            ("-pgnout", Some("match has no -pgnout: --record FILE, then referee export FILE --pgn")),
            ("--repeat", Some("match has no --repeat: both sides always play every opening")),
            ("--engine", None),
            ("-nonsense", None),
            ("each", None),
        ] {
            assert_eq!(in_place_of(word).as_deref(), line, "{word}");
        }
    }
}
