//! The exhaustive audit: every move an engine would make is compared with the exact value, and what its whole
//! strategy is worth is worked out from the rules alone.

use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use grundy_core::game::Player as Side;
use grundy_core::value::Value;

use crate::certificate::{self, Kind, Section};
use crate::explore::{Explored, Reply, Scope, Trouble, Walk};
use crate::graph;
use crate::output::deliver;
use crate::settings::Thinking;
use crate::spec::Spec;
use crate::traffic::TrafficLog;
use crate::truth::{self, Truth};
use crate::verdict::{Dispute, Gravity};
use grundy_session::Catalog;

/// How many positions are kept when nothing is said.
const MOST_POSITIONS: usize = 20_000_000;
/// How many findings are printed of each kind.
const SHOWN: usize = 10;

/// The audit's part of the command line.
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
    /// Ask in every position of the game, not only in those that arise when the engine plays
    #[arg(long, conflicts_with_all = ["side", "sample"])]
    pub all: bool,
    /// Ask in so many different positions of random games
    #[arg(long, value_name = "N", conflicts_with = "certificate")]
    pub sample: Option<usize>,
    /// What the sample is drawn from [0]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub seed: u64,
    /// Where it all begins, where not at the game's start
    #[arg(long, value_name = "POSITION")]
    pub position: Option<String>,
    /// Engines asked at the same time [1]
    #[arg(long, value_name = "N", default_value_t = 1, hide_default_value = true)]
    pub concurrency: usize,
    /// Ask everything twice: an engine that changes its mind has no strategy
    #[arg(long)]
    pub twice: bool,
    /// Write what was proved to this file; `referee check` verifies it by the rules alone
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    /// The most positions to keep [20000000]
    #[arg(long, value_name = "N", default_value_t = MOST_POSITIONS, hide_default_value = true)]
    pub max_positions: usize,
    #[command(flatten)]
    pub thinking: Thinking,
    /// The folder of the tables that exact values come from
    #[arg(long, value_name = "DIR")]
    pub tables: Option<PathBuf>,
    /// Write all that is said between referee and engine to this file
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
}

/// Runs the audits and prints what they found.
///
/// # Errors
/// The audit cannot be done as asked; one line.
pub fn run(catalog: &Catalog, args: &AuditArgs, out: &mut dyn Write) -> Result<Gravity, String> {
    let spec = args.thinking.specs(std::slice::from_ref(&args.engine))?.remove(0);
    let log = TrafficLog::to(args.log.as_deref())?;
    let mut worst = Gravity::Clean;
    let mut certificate = String::new();
    for game in &args.games {
        let truth = Truth::open(catalog, game, args.tables.clone())?;
        let mut audit = Audit { catalog, args, spec: &spec, truth, log: &log, game };
        for scope in args.scopes() {
            let (text, gravity) = audit.one(scope, &mut certificate)?;
            let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
            worst = worst.max(gravity);
        }
    }
    if let Some(path) = &args.certificate {
        if certificate.is_empty() {
            let _ = writeln!(out, "no certificate: nothing was proved");
        } else {
            deliver(&certificate, Some(path))?;
            let _ = writeln!(out, "certificate: {}; `referee check` verifies it", path.display());
        }
    }
    Ok(worst)
}

impl AuditArgs {
    fn scopes(&self) -> Vec<Scope> {
        match self.side.as_str() {
            _ if self.all || self.sample.is_some() => vec![Scope::All],
            "1" => vec![Scope::Strategy(Side::One)],
            "2" => vec![Scope::Strategy(Side::Two)],
            _ => vec![Scope::Strategy(Side::One), Scope::Strategy(Side::Two)],
        }
    }
}

struct Audit<'a> {
    catalog: &'a Catalog,
    args: &'a AuditArgs,
    spec: &'a Spec,
    truth: Truth,
    log: &'a TrafficLog,
    game: &'a str,
}

/// What was found in the engine's answers.
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
    fn one(&mut self, scope: Scope, certificate: &mut String) -> Result<(String, Gravity), String> {
        let began = Instant::now();
        let walk = Walk {
            catalog: *self.catalog,
            spec: self.spec,
            game: self.game,
            start: self.args.position.as_deref(),
            concurrency: self.args.concurrency,
            twice: self.args.twice,
            most: self.args.max_positions,
            log: self.log,
        };
        let mut text = format!("{}, {}\n", self.game, self.what(scope));
        let done = match self.args.sample {
            Some(count) => {
                walk.sample(count, self.args.seed).map(|replies| (None, self.judge_sample(&replies)))
            }
            None => walk.explore(scope).map(|explored| {
                let findings = self.judge(&explored);
                (Some(explored), findings)
            }),
        };
        let (explored, mut findings) = match done {
            Ok(done) => done,
            Err(Trouble::Refused(why)) => return Err(why),
            Err(Trouble::Engine { position, fault }) => {
                let at =
                    if position.is_empty() { String::new() } else { format!(": position fen {position}") };
                let _ = writeln!(text, "  the engine {fault}{at}");
                return Ok((text, fault.gravity()));
            }
        };
        if let Some(explored) = &explored {
            let proved = self.prove(scope, explored, &mut findings, certificate);
            let _ = writeln!(
                text,
                "  positions       {} visited, asked in {}",
                explored.nodes.len(),
                findings.asked
            );
            text += &proved;
        } else {
            let _ = writeln!(text, "  positions       asked in {}", findings.asked);
        }
        findings.describe(&mut text);
        let _ = writeln!(text, "  time            {:.1} s", began.elapsed().as_secs_f64());
        Ok((text, findings.gravity()))
    }

    fn what(&self, scope: Scope) -> String {
        let name = self.spec.name.as_deref().unwrap_or("the engine");
        match (scope, self.args.sample) {
            (_, Some(count)) => {
                format!("{name} in {count} positions of random games (seed {})", self.args.seed)
            }
            (Scope::All, _) => format!("{name} in every position"),
            (Scope::Strategy(side), _) => format!("{name} as player {} against every reply", side.digit()),
        }
    }

    fn judge(&mut self, explored: &Explored) -> Findings {
        let mut findings = Findings::default();
        for (at, reply) in &explored.replies {
            let line = || {
                let line = graph::line_to(&explored.nodes, *at as usize);
                if line.is_empty() { "at the start".to_string() } else { format!("after {}", line.join(" ")) }
            };
            self.judge_reply(reply, &mut findings, &line);
        }
        findings
    }

    fn judge_sample(&mut self, replies: &[Reply]) -> Findings {
        let mut findings = Findings::default();
        for reply in replies {
            self.judge_reply(reply, &mut findings, &|| "in the sample".to_string());
        }
        findings
    }

    fn judge_reply(&mut self, reply: &Reply, findings: &mut Findings, line: &dyn Fn() -> String) {
        findings.asked += 1;
        let position = format!("position fen {}", reply.position);
        let dispute = |about: &str, said: String, truth: String| Dispute {
            who: "the engine".to_string(),
            about: about.to_string(),
            said,
            truth,
            position: position.clone(),
        };
        if let Some(other) = &reply.otherwise {
            findings.dispute(dispute(
                "bestmove",
                other.clone(),
                format!("{} a moment before", reply.after.word),
            ));
        }
        let truth = &mut self.truth;
        let (Some(had), Some(child)) = (truth.value(&reply.position), truth.value(&reply.after.position))
        else {
            return;
        };
        findings.known += 1;
        if let Some(claim) = reply.claim
            && !claim.agrees(had, truth.ends(&reply.position, had))
        {
            findings.dispute(dispute("value", claim.words(truth.unit()), truth.words(had)));
        }
        let has = child.back(reply.after.step);
        findings.measured += usize::from(had.plies().is_some() && has.plies().is_some());
        match truth::slip(truth.unit(), had, has) {
            Ok(None) => {}
            Ok(Some(slip)) if slip.loses_value() => {
                findings.value_slips += 1;
                if findings.slips.len() < SHOWN {
                    let keeping = truth.keepers(&reply.position).keeping.join(" ");
                    findings.slips.push(format!(
                        "{}: {} played {}, {slip}: {position}; kept by {keeping}",
                        line(),
                        self.spec.name.as_deref().unwrap_or("the engine"),
                        reply.after.word
                    ));
                }
            }
            Ok(Some(_)) => {
                findings.distance_slips += 1;
                let lost = had.plies().unwrap_or(0).abs_diff(has.plies().unwrap_or(0));
                findings.most_plies_lost = findings.most_plies_lost.max(lost);
            }
            Err(truth::Contradiction) => {
                findings.dispute(dispute("the move's value", truth.words(has), truth.words(had)));
            }
        }
    }

    /// Values by the graph alone: what the strategy gets, and whether the library's values stand beside them.
    fn prove(
        &mut self,
        scope: Scope,
        explored: &Explored,
        findings: &mut Findings,
        certificate: &mut String,
    ) -> String {
        let unit = self.truth.unit();
        let worth = match graph::solve(&explored.nodes, unit) {
            Ok(worth) => worth,
            Err(why) => return format!("  proof           none: {why}\n"),
        };
        let show = |value: Value| value.show(unit).to_string();
        let (root, turn) = (worth[0].value, explored.nodes[0].turn.digit());
        let (kind, words) = match scope {
            Scope::All => {
                let differing = AtomicU64::new(0);
                for (node, worth) in explored.nodes.iter().zip(&worth) {
                    let Some(value) = self.truth.value(&node.position) else { continue };
                    let same = match (value.plies(), unit) {
                        (None, grundy_core::value::Unit::Outcome) => value.wdl() == worth.value.wdl(),
                        _ => value == worth.value,
                    };
                    if !same {
                        differing.fetch_add(1, Ordering::Relaxed);
                        findings.dispute(Dispute {
                            who: "the library".to_string(),
                            about: "value".to_string(),
                            said: show(value),
                            truth: format!("{} by the rules alone", show(worth.value)),
                            position: format!("position fen {}", node.position),
                        });
                    }
                }
                let agree = match differing.into_inner() {
                    0 => "as the library says everywhere".to_string(),
                    n => format!("the library differs in {n} positions"),
                };
                (Kind::Table, format!("{} for player {turn} to move, {agree}", show(root)))
            }
            Scope::Strategy(side) => {
                let best = self.truth.value(&explored.nodes[0].position);
                let best =
                    best.map_or_else(String::new, |best| format!("; the exact value is {}", show(best)));
                let words = format!(
                    "player {} is sure of {} as player {turn} to move sees it{best}",
                    side.digit(),
                    show(root)
                );
                (Kind::Strategy(side), words)
            }
        };
        if self.args.certificate.is_some() {
            let section = Section { game: self.game, kind, unit, nodes: &explored.nodes, worth: &worth };
            *certificate += &certificate::write(&section);
        }
        format!("  by rules alone  {words}\n")
    }
}

impl Findings {
    fn dispute(&mut self, dispute: Dispute) {
        self.disputed += 1;
        if self.disputes.len() < SHOWN {
            self.disputes.push(dispute.to_string());
        }
    }

    fn describe(&self, text: &mut String) {
        let value = match (self.value_slips, self.known) {
            (_, 0) => "unknown: no method knows the values of this game".to_string(),
            (0, known) if known == self.asked => "never lost".to_string(),
            (0, known) => format!("never lost in the {known} positions whose value is known"),
            (slips, _) => format!("lost in {slips} positions"),
        };
        let _ = writeln!(text, "  value           {value}");
        for slip in &self.slips {
            let _ = writeln!(text, "    {slip}");
        }
        let distance = match self.distance_slips {
            0 if self.measured == 0 => "not counted: no method of this game knows it".to_string(),
            0 => "always best".to_string(),
            slips => format!("not best in {slips} positions, by {} plies at the most", self.most_plies_lost),
        };
        let _ = writeln!(text, "  distance        {distance}");
        if self.disputed > 0 {
            let _ = writeln!(text, "  disputes        {}", self.disputed);
            for dispute in &self.disputes {
                let _ = writeln!(text, "    {dispute}");
            }
        }
    }

    fn gravity(&self) -> Gravity {
        match (self.disputed, self.value_slips) {
            (1.., _) => Gravity::Disputed,
            (0, 1..) => Gravity::Slipped,
            (0, 0) => Gravity::Clean,
        }
    }
}
