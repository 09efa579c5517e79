//! The proof of one position by search: `grundy solve` where no table fits, and `grundy solve --by search`.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Result;
use grundy_core::text::grouped;
use grundy_core::value::{Score, Unit, Value};
use grundy_session::{Go, Limits, Progress, Session};

use super::numbers::rate;
use super::output::stdout;
use super::progress::Meter;
use super::shared::{Usage, log_line};
use super::stopping::Stopper;
use crate::protocol::value_word;

/// Time after which a search tells what takes it so long, and prints a proof of who wins while it searches for the distance.
pub(super) const ANNOUNCED: Duration = Duration::from_secs(5);

/// Loads the results of earlier searches from a file and saves new ones to it. Returns whether there were any.
pub(super) fn keep(session: &mut Session, path: &Path, every: f64) -> Result<bool> {
    let every = Duration::from_secs_f64(every);
    let Some(there) = session.keep(path, every) else {
        return Err(Usage(format!(
            "the search of {} cannot be saved: expected another game for --keep, such as dots",
            session.name()
        ))
        .into());
    };
    let there = there?;
    if there {
        writeln!(stdout(), "goes on from {}", path.display())?;
    }
    Ok(there)
}

/// The findings of a search of a position.
#[derive(Default)]
pub(super) struct Proof {
    /// The value or its bound, as far as it is proved.
    pub(super) score: Option<Score>,
    /// The line of play of the last score.
    pub(super) line: Vec<String>,
    /// The line of play that the search thinks best, without a proof.
    pub(super) likely: Vec<String>,
    /// Positions visited.
    pub(super) nodes: u64,
}

/// Searches the session's position until its value is proved or `stop` is set, and shows the bounds as they are found. Logs
/// `patience` once the search has taken [`ANNOUNCED`]. Calls `tell` when the winner is proved before the distance.
pub(super) fn prove(
    session: &mut Session,
    stop: &AtomicBool,
    meter: &Meter,
    mut patience: Option<&str>,
    mut tell: impl FnMut(Value),
) -> Proof {
    let (mut proof, began, unit) = (Proof::default(), Instant::now(), session.unit());
    let mut told = false;
    session.think(&Go::default(), stop, &mut |info| {
        if info.rank != 1 {
            return;
        }
        proof.nodes = info.nodes;
        match info.score {
            Score::Guess(_) => proof.likely.clone_from(&info.pv),
            score => (proof.score, proof.line) = (Some(score), info.pv.clone()),
        }
        if let Some(value) = info.score.settled().filter(|_| !told && info.score.exact().is_none()) {
            told = true;
            tell(value);
        }
        let bound = proof.score.map_or(String::new(), |score| format!(" {},", shown(score, unit)));
        let speed = rate(info.nodes, began.elapsed()).map_or(String::new(), |rate| format!(", {rate}"));
        if began.elapsed() > ANNOUNCED {
            patience.take().into_iter().flat_map(str::lines).for_each(log_line);
        }
        // Searches by proof numbers have no depth.
        let depth = if info.depth > 0 { format!(" depth {},", info.depth) } else { String::new() };
        let what = format!("search:{bound}{depth} {} positions{speed}", grouped(info.nodes));
        meter.show(&Progress { what: what.into(), done: 0, total: 0 });
    });
    proof
}

/// Returns a proved score as `= draw`, `>= draw` or `<= +3`.
fn shown(score: Score, unit: Unit) -> String {
    let (sign, value) = match score {
        Score::Exact(value) => ("=", value),
        Score::AtLeast(value) => (">=", value),
        Score::AtMost(value) => ("<=", value),
        Score::Guess(_) => return "?".to_owned(),
    };
    format!("{sign} {}", value_word(Some(value), unit))
}

/// Searches the session's position, without tables, until its value is proved, the time is up or `depth` plies are searched. Prints
/// the expected size, each bound, and with `estimates` the estimates. `given` is the file with earlier results on which a proof
/// rests.
pub(super) fn run(
    session: &mut Session,
    given: Option<&Path>,
    seconds: Option<f64>,
    depth: Option<u32>,
    estimates: bool,
) -> Result<ExitCode> {
    let mut out = stdout();
    writeln!(out, "{} {}", session.name(), session.position())?;
    if let Some(over) = session.over() {
        writeln!(out, "value = {}\tthe game is over", value_word(Some(over), session.unit()))?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(effort) = session.effort() {
        writeln!(out, "{effort}")?;
    }
    let began = Instant::now();
    let stopper = Stopper::new(seconds, None)?;
    let stop = stopper.flag();
    let (mut proved, mut failed, mut shown) = (None, Ok(()), None);
    let mut likely = String::new();
    let unit = session.unit();
    // No limit is given to the search itself, so that it tells bounds as it proves them.
    let limits = Limits { depth, ..Limits::default() };
    let go = Go { alone: true, limits, ..Go::default() };
    session.think(&go, stop, &mut |info| {
        let (sign, value) = match info.score {
            Score::Exact(value) => ("=", value),
            Score::AtLeast(value) => (">=", value),
            Score::AtMost(value) => ("<=", value),
            Score::Guess(guess) => {
                if estimates && info.rank == 1 && failed.is_ok() {
                    if !info.pv.is_empty() {
                        likely = format!("; likely play {}", info.pv.join(" "));
                    }
                    failed = writeln!(
                        out,
                        "value ~ {:+.2}\tdepth {}\tnodes {}\t{:.1} s\t{}",
                        f64::from(guess) / 100.0,
                        info.depth,
                        info.nodes,
                        began.elapsed().as_secs_f64(),
                        info.pv.join(" ")
                    );
                }
                return;
            }
        };
        if info.rank != 1 || shown.replace(info.score) == Some(info.score) {
            return;
        }
        let line = format!(
            "value {sign} {}\tnodes {}\t{:.1} s",
            value_word(Some(value), unit),
            info.nodes,
            began.elapsed().as_secs_f64()
        );
        if failed.is_ok() {
            failed = writeln!(out, "{line}").and_then(|()| out.flush());
        }
        if info.score.settled().is_some() {
            proved = Some((info.score.exact().is_some(), info.pv.join(" ")));
        }
    });
    // Playouts, and chains of threats, prove who wins and not how soon: such a search ends by itself.
    let ended_by_itself = depth.is_none() && !stop.load(Ordering::Relaxed);
    if let Some((whole, _)) = &mut proved {
        *whole |= estimates || ended_by_itself;
    }
    failed?;
    let seconds = began.elapsed().as_secs_f64();
    let given = given.map_or_else(String::new, |path| format!(", given {}", path.display()));
    match proved {
        Some((true, line)) => writeln!(out, "proved{given}; best play {line}")?,
        Some((false, line)) => writeln!(
            out,
            "who wins is proved{given}, in how many plies is not, after {seconds:.1} s; best play {line}"
        )?,
        None => writeln!(out, "not proved in {seconds:.1} s{likely}")?,
    }
    Ok(stopper.code().unwrap_or(ExitCode::SUCCESS))
}
