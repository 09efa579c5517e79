//! The exhaustive audit: compares every move that an engine would make with the exact value, and works out from the
//! rules alone what its strategy achieves.

use std::fmt::{self, Write as _};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use grundy_core::game::Player as Side;
use grundy_core::text::{counted, excerpt};
use grundy_core::value::Value;
use grundy_engine::paths;

use crate::certificate::{self, Guarantees, Kind, Section};
use crate::claim::Text;
use crate::engine_spec::EngineSpec;
use crate::exact::{self, ExactValues};
use crate::games;
use crate::graph::{self, Node};
use crate::output::{deliver, folded};
use crate::record::SlipRecord;
use crate::schedule::LEAVES_A_GAME;
use crate::settings::{Thinking, worker_count};
use crate::setup::command;
use crate::traffic::TrafficLog;
use crate::verdict::{Dispute, EXCERPT, Severity};
use crate::walk::{Budget, Reply, Scope, Walk, WalkError};
use grundy_session::{Catalog, Session, files_of};

/// Default of `--max-positions`.
const MOST_POSITIONS: usize = 10_000_000;
/// Default of `--memory`, in megabytes.
const MOST_MEMORY: u64 = 4_096;
/// Findings of each kind that are printed.
const SHOWN: usize = 10;

/// Arguments of `referee audit`.
#[derive(clap::Args, Debug)]
pub struct AuditArgs {
    /// The game by its full name; more than once for several games
    #[arg(long = "game", value_name = "GAME", required = true)]
    pub games: Vec<String>,
    /// The engine: its command, with settings among the words as in `match`
    #[arg(long, value_name = "COMMAND")]
    pub engine: String,
    /// The side the engine plays: 1, 2 or both [both]
    #[arg(long, value_name = "SIDE", value_parser = ["1", "2", "both"], default_value = "both", hide_default_value = true)]
    pub side: String,
    /// Ask in every position of the game, not only in those that the engine's own play can reach
    #[arg(long, conflicts_with_all = ["side", "sample"])]
    pub all: bool,
    /// Ask in N different positions of random games
    #[arg(long, value_name = "N", conflicts_with = "certificate")]
    pub sample: Option<usize>,
    /// Seed of the sample [0]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub seed: u64,
    /// Position to start from [the game's start]
    #[arg(long, value_name = "POSITION")]
    pub position: Option<String>,
    /// Engine processes asked in parallel [1]
    #[arg(long, value_name = "N", default_value_t = 1, hide_default_value = true)]
    pub concurrency: usize,
    /// Ask everything twice: an engine that changes its mind has no strategy
    #[arg(long)]
    pub twice: bool,
    /// Write what was proved to this file, for `referee check`
    #[arg(long, value_name = "FILE", value_parser = paths::certificate())]
    pub certificate: Option<PathBuf>,
    /// Maximum number of positions to keep [10000000]
    #[arg(long, value_name = "N", default_value_t = MOST_POSITIONS, hide_default_value = true)]
    pub max_positions: usize,
    /// Maximum memory for positions and moves, in megabytes [4096]
    #[arg(long, value_name = "MB", default_value_t = MOST_MEMORY, hide_default_value = true)]
    pub memory: u64,
    #[command(flatten)]
    pub thinking: Thinking,
    /// Folder of the tables that exact values come from
    #[arg(long, value_name = "DIR", value_parser = paths::existing_folder())]
    pub tables: Option<PathBuf>,
    /// Log all traffic between referee and engine to this file
    #[arg(long, value_name = "FILE", value_parser = paths::written())]
    pub log: Option<PathBuf>,
}

/// Runs the audits and prints their findings, those so far when `stop` is set.
///
/// # Errors
/// The audit cannot be done as asked; one line.
pub fn run(
    catalog: &Catalog,
    args: &AuditArgs,
    stop: &AtomicBool,
    out: &mut dyn Write,
) -> Result<Severity, String> {
    worker_count("--concurrency", args.concurrency)?;
    if args.sample == Some(0) {
        return Err("--sample 0: expected at least 1".to_owned());
    }
    let spec = args.thinking.specs(std::slice::from_ref(&args.engine))?.remove(0);
    let written = [args.certificate.as_deref(), args.log.as_deref(), spec.launch.stderr_log.as_deref()];
    let read = args.games.iter().flat_map(|game| files_of(game)).map(Path::new);
    paths::apart(written.into_iter().flatten(), read)?;
    let log = TrafficLog::to(args.log.as_deref())?;
    let mut worst = Severity::Clean;
    let mut certificate = Vec::new();
    for game in &args.games {
        if args.certificate.is_some() && game.contains(char::is_control) {
            return Err(format!(
                "{game:?}: a certificate names the game in a line: expected no control character"
            ));
        }
        let exact = ExactValues::open(catalog, game, args.tables.clone())?;
        let rules = games::rules(catalog, game)?;
        let (spec, log) = (&spec, &log);
        let mut audit = Audit { catalog, args, spec, exact, rules, log, stop, game, sure: [None; 2] };
        for scope in args.scopes() {
            let (text, severity) = audit.one(scope, &mut certificate)?;
            let _ = out.write_all(folded(&text).as_bytes()).and_then(|()| out.flush());
            worst = worst.max(severity);
            if severity == Severity::Interrupted {
                if args.certificate.is_some() {
                    let _ = writeln!(out, "no certificate: interrupted").and_then(|()| out.flush());
                }
                return Ok(severity);
            }
        }
        if let Some((line, severity)) = audit.both() {
            let _ = writeln!(out, "{line}").and_then(|()| out.flush());
            worst = worst.max(severity);
        }
    }
    if let Some(path) = &args.certificate {
        if certificate.is_empty() {
            let _ = writeln!(out, "no certificate: nothing was proved");
            worst = worst.max(Severity::Slipped);
        } else {
            deliver(&String::from_utf8_lossy(&certificate), Some(path))?;
            let _ = writeln!(out, "certificate: {}; `referee check` verifies it", path.display());
        }
    }
    Ok(worst)
}

impl AuditArgs {
    fn scopes(&self) -> Vec<Scope> {
        match self.side.as_str() {
            _ if self.sample.is_some() => vec![Scope::Sample],
            _ if self.all => vec![Scope::All],
            "1" => vec![Scope::Strategy(Side::One)],
            "2" => vec![Scope::Strategy(Side::Two)],
            _ => vec![Scope::Strategy(Side::One), Scope::Strategy(Side::Two)],
        }
    }
}

struct Audit<'a> {
    catalog: &'a Catalog,
    args: &'a AuditArgs,
    spec: &'a EngineSpec,
    exact: ExactValues,
    rules: Session,
    log: &'a TrafficLog,
    stop: &'a AtomicBool,
    game: &'a str,
    /// The value that each player's strategy guarantees at the start, as seen by the player to move there.
    sure: [Option<(Side, Value)>; 2],
}

/// Findings about the engine's answers.
#[derive(Default)]
struct Findings {
    asked: usize,
    known: usize,
    measured: usize,
    slips: Vec<String>,
    value_slips: usize,
    distance_slips: usize,
    most_plies_lost: u32,
    disputes: Vec<String>,
    disputed: usize,
}

impl Audit<'_> {
    fn one(&mut self, scope: Scope, certificate: &mut Vec<u8>) -> Result<(String, Severity), String> {
        let began = Instant::now();
        self.rules.setup(self.args.position.as_deref()).map_err(|e| format!("{}: {e}", self.game))?;
        if self.rules.result().is_some() {
            return Err(format!("{}: the game is over at the start: {LEAVES_A_GAME}", self.game));
        }
        // If a table knows the values, the engine's own choice is audited.
        let start = self.rules.position();
        let walk = Walk {
            catalog: *self.catalog,
            spec: self.spec,
            game: self.game,
            start: self.args.position.as_deref(),
            concurrency: self.args.concurrency,
            twice: self.args.twice,
            prefer: self.exact.value(&start).is_none(),
            budget: Budget {
                positions: self.args.max_positions,
                bytes: self.args.memory.saturating_mul(1 << 20),
            },
            log: self.log,
            stop: self.stop,
        };
        let mut text = format!("{}, {}\n", self.game, self.what(scope));
        let mut findings = Findings::default();
        let (args, game) = (self.args, self.game);
        let mut judge = |nodes: &[Node], at: u32, reply: &Reply| self.judge(nodes, at, reply, &mut findings);
        let done = match args.sample {
            Some(count) => walk.sample(count, args.seed, &mut judge).map(|()| None),
            None => walk.explore(scope, &mut judge).map(Some),
        };
        let explored = match done {
            Ok(done) => done,
            Err(WalkError::Refused(why)) => return Err(format!("{game}: {why}")),
            Err(WalkError::Engine { position, fault }) => {
                let at =
                    if position.is_empty() { String::new() } else { format!(": {}", command::of(&position)) };
                let _ = writeln!(text, "  the engine {fault}{at}");
                return Ok((text, fault.severity()));
            }
            Err(WalkError::Interrupted) => {
                let _ = writeln!(text, "  interrupted     asked in {}", findings.asked);
                findings.describe(&mut text);
                return Ok((text, Severity::Interrupted));
            }
        };
        if let Some(explored) = &explored {
            let proved = self.prove(scope, explored, &mut findings, certificate);
            let _ =
                writeln!(text, "  positions       {} visited, asked in {}", explored.len(), findings.asked);
            text += &proved;
        } else {
            let fewer = self.args.sample.is_some_and(|count| findings.asked < count);
            let why = if fewer { ": random games led to no more" } else { "" };
            let _ = writeln!(text, "  positions       asked in {}{why}", findings.asked);
        }
        findings.describe(&mut text);
        let _ = writeln!(text, "  time            {:.1} s", began.elapsed().as_secs_f64());
        Ok((text, findings.severity()))
    }

    fn what(&self, scope: Scope) -> String {
        let name = self.spec.name.as_deref().unwrap_or("the engine");
        match (scope, self.args.sample) {
            (_, Some(count)) => {
                format!("{name} in {} of random games (seed {})", counted(count, "position"), self.args.seed)
            }
            (Scope::All | Scope::Sample, _) => format!("{name} in every position"),
            (Scope::Strategy(side), _) => format!("{name} as player {} against every reply", side.digit()),
        }
    }

    /// Returns what the two strategies prove together, and its severity.
    fn both(&self) -> Option<(String, Severity)> {
        let [Some((turn, one)), Some((_, two))] = self.sure else { return None };
        let sure = Guarantees { turn, unit: self.exact.unit(), by: [one, two] };
        let severity = match sure.value() {
            _ if sure.contradicts() => Severity::Disputed,
            Some(_) => Severity::Clean,
            // One of the two strategies has lost the difference.
            None => Severity::Slipped,
        };
        Some((format!("{}, both sides: {sure}", self.game), severity))
    }

    fn judge(&mut self, nodes: &[Node], at: u32, reply: &Reply, findings: &mut Findings) {
        findings.asked += 1;
        let dispute = |about: &str, said: String, truth: String| Dispute {
            who: "the engine".to_string(),
            about: about.to_string(),
            said,
            truth,
            position: reply.position.clone(),
        };
        if let Some(other) = &reply.otherwise {
            let (other, at) = (excerpt(other, EXCERPT), command::of(&reply.position));
            findings.dispute(&format!(
                "the engine says bestmove {other}, and said {} a moment before: {at}",
                reply.after.word
            ));
        }
        let exact = &mut self.exact;
        let (Some(had), Some(child)) = (exact.value(&reply.position), exact.value(&reply.after.position))
        else {
            return;
        };
        findings.known += 1;
        if let Some(claim) = reply.claim
            && !claim.agrees(had, exact.ends(&reply.position, had))
        {
            findings.dispute(&dispute("value", claim.words(exact.unit()), exact.words(had)));
        }
        let has = child.back(reply.after.step);
        findings.measured += usize::from(had.plies().is_some() && has.plies().is_some());
        match exact::slip(exact.unit(), had, has) {
            Ok(None) => {}
            Ok(Some(slip)) if slip.loses_value() => {
                findings.value_slips += 1;
                if findings.slips.len() < SHOWN {
                    let preserving = exact.preserving_moves(&reply.position);
                    let keeping = SlipRecord::of(slip, &reply.position, preserving).kept_by();
                    let line = match self.args.sample {
                        Some(_) => "in the sample".to_string(),
                        None => match graph::line_to(nodes, at as usize, &mut self.rules) {
                            line if line.is_empty() => "at the start".to_string(),
                            line => format!("after {}", line.join(" ")),
                        },
                    };
                    findings.slips.push(format!(
                        "{line}: {} played {}, {slip}: {}; kept by {keeping}",
                        self.spec.name.as_deref().unwrap_or("the engine"),
                        reply.after.word,
                        command::of(&reply.position)
                    ));
                }
            }
            Ok(Some(_)) => {
                findings.distance_slips += 1;
                let lost = had.plies().unwrap_or(0).abs_diff(has.plies().unwrap_or(0));
                findings.most_plies_lost = findings.most_plies_lost.max(lost);
            }
            Err(exact::Contradiction) => {
                findings.dispute(&dispute("the move's value", exact.words(has), exact.words(had)));
            }
        }
    }

    /// Solves the graph by backward induction: what the strategy guarantees, and whether the library's values agree.
    fn prove(
        &mut self,
        scope: Scope,
        explored: &[Node],
        findings: &mut Findings,
        certificate: &mut Vec<u8>,
    ) -> String {
        let unit = self.exact.unit();
        let worth = match graph::solve(explored, unit) {
            Ok(worth) => worth,
            Err(why) => return format!("  proof           none: {why}\n"),
        };
        let show = |value: Value| value.show(unit).to_string();
        let (root, turn) = (worth[0].value, explored[0].turn.digit());
        let (kind, words) = match scope {
            Scope::All | Scope::Sample => {
                let mut differing = 0u64;
                for (node, worth) in explored.iter().zip(&worth) {
                    let Some(value) = self.exact.value(&node.position) else { continue };
                    let same = match (value.plies(), unit) {
                        (None, grundy_core::value::Unit::Outcome) => value.wdl() == worth.value.wdl(),
                        _ => value == worth.value,
                    };
                    if !same {
                        differing += 1;
                        findings.dispute(&Dispute {
                            who: "the library".to_string(),
                            about: "value".to_string(),
                            said: show(value),
                            truth: format!("{} by the rules alone", show(worth.value)),
                            position: node.position.to_string(),
                        });
                    }
                }
                let agree = match differing {
                    0 => "as the library says everywhere".to_string(),
                    n => format!("the library differs in {}", counted(n, "position")),
                };
                (Kind::Table, format!("{} for player {turn} to move, {agree}", show(root)))
            }
            Scope::Strategy(side) => {
                self.sure[side.index()] = Some((explored[0].turn, root));
                let best = self.exact.value(&explored[0].position);
                let best =
                    best.map_or_else(String::new, |best| format!("; the exact value is {}", show(best)));
                let words = format!(
                    "player {} guarantees {} as seen by player {turn} to move{best}",
                    side.digit(),
                    show(root)
                );
                (Kind::Strategy(side), words)
            }
        };
        if self.args.certificate.is_some() {
            let digest = self.rules.digest();
            let section = Section { game: self.game, digest, kind, unit, nodes: explored, worth: &worth };
            certificate.extend(certificate::write(&section).unwrap_or_default());
        }
        format!("  by rules alone  {words}\n")
    }
}

impl Findings {
    fn dispute(&mut self, dispute: &dyn fmt::Display) {
        self.disputed += 1;
        if self.disputes.len() < SHOWN {
            self.disputes.push(dispute.to_string());
        }
    }

    fn describe(&self, text: &mut String) {
        let value = match (self.value_slips, self.known) {
            (_, 0) => "unknown: no table or formula knows the values of these positions".to_string(),
            (0, known) if known == self.asked => "never lost".to_string(),
            (0, 1) => "not lost in the only position whose value is known".to_string(),
            (0, known) => format!("never lost in the {} whose value is known", counted(known, "position")),
            (slips, _) => format!("lost in {}", counted(slips, "position")),
        };
        let _ = writeln!(text, "  value           {value}");
        for slip in &self.slips {
            let _ = writeln!(text, "    {slip}");
        }
        let distance = match self.distance_slips {
            0 if self.measured == 0 => "not counted: none is known of these positions".to_string(),
            0 => "always best".to_string(),
            slips => {
                let most = match self.most_plies_lost {
                    1 => "1 ply".to_string(),
                    plies => format!("{plies} plies"),
                };
                format!("not best in {}, by {most} at most", counted(slips, "position"))
            }
        };
        let _ = writeln!(text, "  distance        {distance}");
        if self.disputed > 0 {
            let _ = writeln!(text, "  disputes        {}", self.disputed);
            for dispute in &self.disputes {
                let _ = writeln!(text, "    {dispute}");
            }
        }
    }

    fn severity(&self) -> Severity {
        match (self.disputed, self.value_slips) {
            (1.., _) => Severity::Disputed,
            (0, 1..) => Severity::Slipped,
            (0, 0) => Severity::Clean,
        }
    }
}
