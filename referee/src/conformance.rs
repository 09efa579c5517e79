//! The conformance suite: the rules of each protocol as numbered checks against one engine, each in a fresh process.

use std::io::Write;

use clap::builder::PossibleValuesParser;
use grundy_core::text::brief;

use crate::checks::{CHECKS, PROTOCOLS, Protocol, Subject};
use crate::engine_spec::EngineSpec;
use crate::exact::ExactValues;
use crate::output::folded;
use crate::verdict::Severity;
use grundy_session::{Catalog, Shape};

/// Arguments of `referee conformance`.
#[derive(clap::Args, Debug)]
pub struct ConformanceArgs {
    /// The engine: its command, with settings among the words as in `match`
    #[arg(long, value_name = "COMMAND", required_unless_present = "list")]
    pub engine: Option<String>,
    /// The game to test with: a small one of the catalog [tictactoe for ugi and uci; else the game of the protocol]
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    /// The protocol: ugi, uci, both of these, gomocup, xboard, nboard or hub
    #[arg(long, value_name = "DIALECT", value_parser = dialects(), default_value = "both", hide_possible_values = true)]
    pub dialect: String,
    /// Only the checks with these names
    #[arg(long, value_name = "NAME")]
    pub only: Vec<String>,
    /// List the checks and what each demands
    #[arg(long)]
    pub list: bool,
}

/// Runs the checks and prints their outcomes.
///
/// # Errors
/// The suite cannot be run as asked; one line.
pub fn run(catalog: &Catalog, args: &ConformanceArgs, out: &mut dyn Write) -> Result<Severity, String> {
    if let Some(name) = args.only.iter().find(|name| !CHECKS.iter().any(|check| check.name == **name)) {
        return Err(format!("no check is called {name:?}: --list names them"));
    }
    let mut say = |line: String| {
        let _ = write!(out, "{}", folded(&format!("{line}\n"))).and_then(|()| out.flush());
    };
    let protocols: Vec<Protocol> =
        PROTOCOLS.into_iter().filter(|protocol| protocol.is_in(&args.dialect)).collect();
    let asked_of = |name: &String| {
        CHECKS
            .iter()
            .any(|check| check.name == *name && protocols.iter().any(|&protocol| check.is_of(protocol)))
    };
    if let Some(name) = args.only.first().filter(|_| !args.only.iter().any(asked_of)) {
        let dialect = &args.dialect;
        return Err(format!(
            "--only {name}: no check of --dialect {dialect}; --list --dialect {dialect} names those"
        ));
    }
    if args.list {
        for (i, check) in CHECKS.iter().enumerate() {
            // Without a dialect all are listed.
            if args.dialect != "both" && !protocols.iter().any(|&protocol| check.is_of(protocol)) {
                continue;
            }
            let dialect = check.protocol.map_or("both", Protocol::word);
            say(format!("{:3} {:18} {dialect:7}  {}", i + 1, check.name, check.demands));
        }
        return Ok(Severity::Clean);
    }
    let spec = EngineSpec::read(args.engine.as_deref().unwrap_or(""))?;
    let shape = protocols.iter().copied().find_map(Protocol::shape);
    let game = game(catalog, args.game.as_deref(), shape)?;
    let exact = ExactValues::open(catalog, game, None)?;
    let (mut passed, mut asked, mut silent) = (0, 0, 0);
    'suite: for protocol in protocols {
        for (i, check) in CHECKS.iter().enumerate() {
            let chosen = args.only.is_empty() || args.only.iter().any(|name| name == check.name);
            if !chosen || !check.is_of(protocol) {
                continue;
            }
            asked += 1;
            let mut traffic = Vec::new();
            let outcome =
                Subject::start(catalog, &spec, game, protocol, exact.fork()).and_then(|mut subject| {
                    let outcome = (check.run)(&mut subject);
                    traffic = std::mem::take(&mut subject.traffic);
                    outcome
                });
            let label = format!("{} {:3}", protocol.word(), i + 1);
            // An echo says nothing.
            let said = |line: &str| traffic.iter().any(|own| own.strip_prefix("> ") == Some(line));
            let heard = traffic.iter().any(|line| line.strip_prefix("< ").is_some_and(|line| !said(line)));
            silent = if outcome.is_ok() || heard { 0 } else { silent + 1 };
            match outcome {
                Ok(()) => {
                    passed += 1;
                    say(format!("{label} ok    {}: {}", check.name, check.demands));
                }
                Err(why) => {
                    say(format!("{label} FAIL  {}: {}", check.name, check.demands));
                    say(format!("             {}", brief(&why)));
                    let shown = traffic.len().saturating_sub(SHOWN);
                    for line in &traffic[shown..] {
                        let line: String = line.chars().take(160).collect();
                        say(format!("             {line}"));
                    }
                }
            }
            if silent == MOST_SILENT {
                say(format!("given up: the engine has said nothing of its own in {silent} checks in a row"));
                break 'suite;
            }
        }
    }
    say(format!("{passed} of {asked} checks passed"));
    Ok(if passed == asked { Severity::Clean } else { Severity::Broken })
}

/// Returns the game to test with: the given one, or the first of the shape that the protocol is for.
fn game<'g>(catalog: &Catalog, given: Option<&'g str>, shape: Option<Shape>) -> Result<&'g str, String> {
    let Some(shape) = shape else { return Ok(given.unwrap_or(catalog.usual())) };
    let first =
        catalog.rows().find(|row| row.shape == shape).ok_or("the catalog has no game of this protocol")?;
    match given {
        Some(name) if catalog.row(name).is_some_and(|row| row.shape != shape) => {
            Err(format!("{name} is no game of this protocol: expected one like {}", first.name))
        }
        // Engines of five in a row play no shorter lines.
        None if shape == Shape::Lines => Ok("gomoku"),
        given => Ok(given.unwrap_or(first.name)),
    }
}

/// Returns the parser of `--dialect`.
fn dialects() -> PossibleValuesParser {
    PossibleValuesParser::new(PROTOCOLS.map(Protocol::word).into_iter().chain(["both"]))
}

/// Consecutive checks without a line from the engine after which the suite gives up.
const MOST_SILENT: usize = 3;
/// Lines of traffic that are shown of a failed check.
const SHOWN: usize = 14;
