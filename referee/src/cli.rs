//! The referee's command line: what can be asked for, and in which words.

use std::path::PathBuf;

use clap::{Parser, Subcommand};
use grundy_engine::paths;

use crate::audit::AuditArgs;
use crate::compare::CompareArgs;
use crate::conformance::ConformanceArgs;
use crate::guard;
use crate::prove::ProveArgs;
use crate::settings::MatchSettings;
use crate::suite::SuiteArgs;

/// Sets engines against each other and proves what they play.
///
/// Exit codes: 0 all clean, 1 a move lost value, 2 wrong usage or what cannot be read or written, 3 an illegal move or a broken protocol, 4 a crash,
/// a hang or a loss on time, 5 two judges disagree, 130 interrupted.
#[derive(Parser, Debug)]
#[command(version, max_term_width = 110)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Play a match or a tournament and audit every move
    Match(Box<MatchArgs>),
    /// Ask an engine in every position that can arise, and prove what its play is worth
    Audit(Box<AuditArgs>),
    /// Verify a certificate by the rules alone
    Check {
        /// The certificate
        file: PathBuf,
        /// Threads [all]
        #[arg(long, value_name = "N")]
        threads: Option<usize>,
        /// Follow the rules of a game from a rules file by a second interpreter alone
        #[arg(long)]
        rules_witness: bool,
    },
    /// Prove the moves in a record by search, with more time than a match has, and append what was found
    Prove(ProveArgs),
    /// Ask two engines the same and show the first thing they disagree about
    Compare(Box<CompareArgs>),
    /// Check the rules of the protocol one by one
    Conformance(Box<ConformanceArgs>),
    /// Ask an engine in positions with known answers
    Suite(Box<SuiteArgs>),
    /// Write a record in another format
    Export {
        /// The record
        record: PathBuf,
        #[command(flatten)]
        format: FormatArgs,
        /// Where to write it [stdout]
        #[arg(short, long, value_name = "FILE", value_parser = paths::written())]
        output: Option<PathBuf>,
        /// Cut a damaged record off where the damage begins
        #[arg(long)]
        repair: bool,
    },
    /// Make a page of a record: tables, boards, value graphs, every slip
    Report {
        /// The record
        record: PathBuf,
        /// Where to write it
        #[arg(short, long, value_name = "FILE", default_value = "report.html", value_parser = paths::written())]
        output: PathBuf,
        /// Cut a damaged record off where the damage begins
        #[arg(long)]
        repair: bool,
    },
    #[command(name = guard::KEEP_COMMAND, hide = true)]
    Keep {
        #[arg(long)]
        parent: u32,
        #[arg(long)]
        tag: String,
        #[arg(long)]
        fenced: bool,
        #[arg(long)]
        megabytes: Option<u64>,
        #[arg(last = true)]
        words: Vec<String>,
    },
    #[command(name = guard::FIRST_COMMAND, hide = true)]
    First {
        #[arg(long)]
        probe: bool,
    },
    #[command(name = guard::BECOME_COMMAND, hide = true)]
    Become {
        #[arg(long)]
        fenced: bool,
        #[arg(long)]
        megabytes: Option<u64>,
        #[arg(last = true)]
        words: Vec<String>,
    },
}

/// One of the formats.
#[derive(clap::Args, Debug)]
#[group(required = true, multiple = false)]
pub struct FormatArgs {
    /// Portable Game Notation: chess in standard algebraic notation, other games in their own words
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
    /// Append every game to this file of JSON lines the moment it ends
    #[arg(long, value_name = "FILE", value_parser = paths::written())]
    pub record: Option<PathBuf>,
    /// Go on with an interrupted run: its settings and its games are in the record
    #[arg(long, value_name = "FILE", conflicts_with_all = ["record", "config", "game", "engine"])]
    pub resume: Option<PathBuf>,
    /// With --resume: cut a damaged record off where the damage begins, and play the games behind it again
    #[arg(long, requires = "resume")]
    pub repair: bool,
    /// Write all that is said between referee and engines to this file
    #[arg(long, value_name = "FILE", value_parser = paths::written())]
    pub log: Option<PathBuf>,
}
