//! Compares two engines: legal moves and values of the same positions, up to the first disagreement.

use std::fmt::Write as _;
use std::path::PathBuf;

use grundy_core::sorting;
use grundy_core::text::counted;
use grundy_core::value::Value;
use grundy_engine::paths;
use grundy_session::{Catalog, Session};

use crate::claim::{Claim, Text};
use crate::engine::{Clocks, Engine};
use crate::games;
use crate::settings::Thinking;
use crate::setup::{Setup, command};
use crate::traffic::TrafficLog;
use crate::verdict::{Fault, Severity};
use crate::walk;

/// Default of `--sample`.
const POSITIONS: usize = 1000;

/// Arguments of `referee compare`.
#[derive(clap::Args, Debug)]
pub struct CompareArgs {
    /// The game by its full name
    #[arg(long, value_name = "GAME")]
    pub game: String,
    /// An engine, twice: its command, with settings among the words as in `match`
    #[arg(long = "engine", value_name = "COMMAND", required = true)]
    pub engines: Vec<String>,
    /// Positions of random games to compare [1000]
    #[arg(long, value_name = "N", default_value_t = POSITIONS, hide_default_value = true)]
    pub sample: usize,
    /// Seed of the random games [0]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub seed: u64,
    /// Position that the random games start from [the game's start]
    #[arg(long, value_name = "POSITION")]
    pub position: Option<String>,
    #[command(flatten)]
    pub thinking: Thinking,
    /// Log all traffic between referee and engines to this file
    #[arg(long, value_name = "FILE", value_parser = paths::written())]
    pub log: Option<PathBuf>,
}

/// An engine's view of a position; `None` for what it does not say.
#[derive(Debug, PartialEq, Eq)]
struct Opinion {
    moves: Option<Vec<String>>,
    claim: Option<Claim>,
}

/// Runs the comparison; returns its report.
///
/// # Errors
/// The comparison cannot be made as asked; one line.
pub fn run(catalog: &Catalog, args: &CompareArgs) -> Result<(String, Severity), String> {
    if args.engines.len() != 2 {
        return Err("a comparison needs two engines: --engine 'COMMAND' --engine 'COMMAND'".to_string());
    }
    if args.sample == 0 {
        return Err("--sample 0: expected at least 1".to_owned());
    }
    let log = TrafficLog::to(args.log.as_deref())?;
    let positions = walk::sample(catalog, &args.game, args.position.as_deref(), args.sample, args.seed)?;
    let mut rules = games::rules(catalog, &args.game)?;
    let mut players = Vec::new();
    for spec in args.thinking.specs(&args.engines)? {
        match Engine::begin(catalog, &spec, &args.game, &log) {
            Ok(player) => {
                player.check_options()?;
                players.push(player);
            }
            Err(fault) => {
                let name = spec.name.unwrap_or_default();
                return Ok((format!("{name} {fault}\n"), fault.severity()));
            }
        }
    }
    let (mut moves, mut values) = (0, 0);
    for position in &positions {
        rules.setup(Some(position)).map_err(|e| e.to_string())?;
        let mut opinions = Vec::new();
        for player in &mut players {
            match opinion(player, &mut rules, position) {
                Ok(opinion) => opinions.push(opinion),
                Err(fault) => {
                    let text = format!("{} {fault}: {}\n", player.name, command::of(position));
                    return Ok((text, fault.severity()));
                }
            }
        }
        if let Some(text) = difference(&opinions, &players, &rules, position) {
            return Ok((text, Severity::Disputed));
        }
        moves += usize::from(opinions.iter().all(|opinion| opinion.moves.is_some()));
        values += usize::from(opinions.iter().all(|opinion| opinion.claim.is_some()));
    }
    let why = if positions.len() < args.sample { " (random games led to no more)" } else { "" };
    let (found, severity) = match (moves, values) {
        (0, 0) => (
            "nothing was compared: no position where both say their legal moves or a value",
            Severity::Slipped,
        ),
        _ => ("no disagreement", Severity::Clean),
    };
    let text = format!(
        "{} of {}{why}: {found} (legal moves compared in {moves}, values in {values})\n",
        counted(positions.len(), "position"),
        args.game
    );
    Ok((text, severity))
}

/// Asks an engine by queries or, if it knows none, by a search.
fn opinion(player: &mut Engine, rules: &mut Session, position: &str) -> Result<Opinion, Fault> {
    let setup = Setup::position(position);
    let moves = player.query(&setup, "legalmoves")?.filter(|said| said != "unknown");
    let moves = moves.map(|said| {
        let mut moves: Vec<String> = said.split_whitespace().map(str::to_string).collect();
        sorting::sort(&mut moves);
        moves
    });
    let value = player.query(&setup, "value")?.and_then(|said| Value::read(&said));
    let mut claim = value.map(Claim::Exact);
    if claim.is_none() {
        let answer = player.think(&setup, &Clocks::full(&player.spec.limits, rules.turn()))?;
        if !rules.is_legal(&answer.word) {
            return Err(Fault::illegal_move(&answer.word));
        }
        claim = answer.claim;
    }
    Ok(Opinion { moves, claim })
}

/// Reports whether both claims can be true of one position: an announced mate bounds the distance.
fn compatible(a: Claim, b: Claim, rules: &Session) -> bool {
    match (a, b) {
        (claim, Claim::Exact(value)) | (Claim::Exact(value), claim) => {
            claim.agrees(value, rules.outcome(value))
        }
        (Claim::Within(a, _), Claim::Within(b, _)) => a == b,
    }
}

/// Returns the first disagreement, as commands to paste.
fn difference(opinions: &[Opinion], players: &[Engine], rules: &Session, position: &str) -> Option<String> {
    let [ours, theirs] = opinions else { return None };
    let command = command::of(position);
    let mut text = String::new();
    if let (Some(a), Some(b)) = (&ours.moves, &theirs.moves)
        && a != b
    {
        let only = |a: &[String], b: &[String]| {
            let list: Vec<&str> = a.iter().filter(|word| !b.contains(word)).map(String::as_str).collect();
            if list.is_empty() { "none".to_string() } else { list.join(" ") }
        };
        let _ = writeln!(text, "they disagree about the legal moves:\n{command}\nquery legalmoves");
        let _ = writeln!(text, "# only {}: {}", players[0].name, only(a, b));
        let _ = writeln!(text, "# only {}: {}", players[1].name, only(b, a));
        return Some(text);
    }
    if let (Some(a), Some(b)) = (ours.claim, theirs.claim)
        && !compatible(a, b, rules)
    {
        let (a, b) = (a.words(rules.unit()), b.words(rules.unit()));
        let query =
            if rules.unit().is_points() { "query value (points still to come)" } else { "query value" };
        let _ = writeln!(text, "they disagree about the value:\n{command}\n{query}");
        let _ = writeln!(text, "# {}: {a}\n# {}: {b}", players[0].name, players[1].name);
        return Some(text);
    }
    None
}
