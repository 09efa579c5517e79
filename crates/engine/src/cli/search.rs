//! `grundy solve --by search`: the proof of one position.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use grundy_core::value::Score;
use grundy_session::{Go, Limits, Session};

use super::output::stdout;
use super::shared::Usage;
use crate::protocol::value_word;

/// Loads the results of earlier searches from a file and saves new ones to it.
pub(super) fn keep(session: &mut Session, path: &Path, every: f64) -> Result<()> {
    let every = Duration::try_from_secs_f64(every).unwrap_or(Duration::MAX);
    let Some(there) = session.keep(path, every) else {
        return Err(Usage(format!(
            "{} keeps no searches: expected a game proved by null windows, such as dots",
            session.name()
        ))
        .into());
    };
    if there? {
        writeln!(stdout(), "goes on from {}", path.display())?;
    }
    Ok(())
}

/// Searches a position, without tables, until its value is proved, the time is up or `depth` plies are searched. Prints
/// the expected size, each bound, and with `estimates` the estimates.
pub(super) fn run(
    session: &mut Session,
    position: Option<&str>,
    seconds: Option<f64>,
    depth: Option<u32>,
    estimates: bool,
) -> Result<ExitCode> {
    session.setup(position).map_err(|refusal| Usage(refusal.to_string()))?;
    let mut out = stdout();
    writeln!(out, "{} {}", session.name(), session.position())?;
    if let Some(effort) = session.effort() {
        writeln!(out, "{effort}")?;
    }
    let began = Instant::now();
    let limit = seconds.and_then(|s| Duration::try_from_secs_f64(s).ok());
    let stop = AtomicBool::new(false);
    let (mut proved, mut failed, mut shown) = (None, Ok(()), None);
    let mut likely = String::new();
    let unit = session.unit();
    std::thread::scope(|scope| {
        let (done, ended) = std::sync::mpsc::channel::<()>();
        let stop = &stop;
        if let Some(limit) = limit {
            let watch = move || {
                if ended.recv_timeout(limit).is_err() {
                    stop.store(true, std::sync::atomic::Ordering::Relaxed);
                }
            };
            std::thread::Builder::new().spawn_scoped(scope, watch).context("no thread to watch the time")?;
        }
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
                        likely = format!("; likely play {}", info.pv.join(" "));
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
            // Playouts prove who wins and not how soon.
            let known = if estimates { info.score.settled() } else { info.score.exact() };
            if known.is_some() {
                proved = Some(info.pv.join(" "));
            }
        });
        let _ = done.send(());
        Ok::<_, anyhow::Error>(())
    })?;
    failed?;
    match proved {
        Some(line) => writeln!(out, "proved; best play {line}")?,
        None => writeln!(out, "not proved in {:.1} s{likely}", began.elapsed().as_secs_f64())?,
    }
    Ok(ExitCode::SUCCESS)
}
