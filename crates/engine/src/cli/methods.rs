//! `grundy solve --by naive|memo|sweeps|queue|layers|search`: the value of one position by a textbook method, with
//! counts of its work.

use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;
use clap::Args;
use grundy_core::value::Unit;
use grundy_session::{Board, Session};

use super::output::stdout;
use super::shared::{FAILED, Usage, log_line};
use super::textbook::{
    Budget, Counts, Cuts, Descent, Failure, Found, Reach, by_layers, by_queue, by_sweeps, descend,
};
use crate::protocol::value_word;

/// Default memory limit of a method, in megabytes.
pub(super) const MEMORY_MB: u64 = 2048;

/// Options of the methods for one position.
#[derive(Args)]
pub struct MethodArgs {
    /// Depth limit for naive, memo and search; unfinished positions there count as draws, and the value is written with
    /// ~
    #[arg(long, value_name = "PLIES")]
    pub depth: Option<u32>,
    /// Bounds of alpha-beta: 1 for shallow cut-offs only, 2 for deep ones as well
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=2))]
    pub bounds: Option<u8>,
    /// Extent of the proof [default: exact, unless the atlas knows the winner alone; with `--by search --plain` first who
    /// wins, then how soon]
    #[arg(long, value_enum)]
    pub distance: Option<Asked>,
}

/// The extent of the proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Asked {
    /// The winner, not how soon.
    First,
    /// The number of plies as well.
    Exact,
}

/// A method of the textbooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    Naive,
    Memo,
    Sweeps,
    Queue,
    Layers,
    /// Alpha-beta; with `plain` in the game's order and without memory.
    Search {
        plain: bool,
    },
}

/// Finds the value of the session's position and prints the work that took.
pub(super) fn run(
    session: &mut Session,
    method: Method,
    args: &MethodArgs,
    budget: Budget<'_>,
) -> Result<ExitCode> {
    if args.depth.is_some() && matches!(method, Method::Sweeps | Method::Queue | Method::Layers) {
        return Err(Usage("--depth is for --by naive, memo and search".to_owned()).into());
    }
    let mut board = session.board().map_err(Usage)?;
    let unit = session.unit();
    let mut out = stdout();
    writeln!(out, "{} {}", session.name(), session.position())?;
    let began = Instant::now();
    let mut code = ExitCode::SUCCESS;
    for (mark, outcome) in passes(method, args, unit) {
        log::debug!("{}: {method:?}, outcome alone: {outcome}", session.name());
        match solve(board.as_mut(), method, args, unit, outcome, budget) {
            Ok(found) => writeln!(out, "{}", line(&found, unit, began, mark))?,
            Err(Failure::Time(counts)) => {
                writeln!(out, "value ?\t{}\tnot finished", done(counts, began))?;
            }
            Err(failure) => {
                log_line(&format!("error: {}: {failure}", session.name()));
                code = ExitCode::from(FAILED);
            }
        }
    }
    Ok(code)
}

/// Finds the value of the session's position by one run of a method.
///
/// # Errors
/// The limits were reached, or the method does not serve the game.
pub(super) fn value(
    session: &mut Session,
    method: Method,
    args: &MethodArgs,
    budget: Budget<'_>,
) -> Result<Found, Failure> {
    let mut board = session.board().map_err(Failure::Broken)?;
    solve(board.as_mut(), method, args, session.unit(), false, budget)
}

/// Returns the runs of a method: name, and whether distances are ignored.
fn passes(method: Method, args: &MethodArgs, unit: Unit) -> Vec<(&'static str, bool)> {
    const FIRST: (&str, bool) = ("\twho wins", true);
    const EXACT: (&str, bool) = ("\thow soon", false);
    match (method, args.distance) {
        _ if unit.is_points() => vec![("", false)],
        (Method::Search { plain: true }, None) => vec![FIRST, EXACT],
        (Method::Search { .. } | Method::Naive | Method::Memo, Some(Asked::First)) => vec![FIRST],
        _ => vec![("", false)],
    }
}

/// Finds the value of a position, or why the rules could not be followed to find it.
fn solve(
    board: &mut dyn Board,
    method: Method,
    args: &MethodArgs,
    unit: Unit,
    outcome: bool,
    budget: Budget<'_>,
) -> Result<Found, Failure> {
    let cuts = if args.bounds == Some(1) { Cuts::OneBound } else { Cuts::TwoBounds };
    let naive = Descent { cuts: Cuts::None, memory: false, ordered: false, outcome, depth: args.depth };
    let found = match method {
        Method::Naive => descend(board, naive, budget),
        Method::Memo => descend(board, Descent { memory: true, ..naive }, budget),
        Method::Search { plain } => {
            descend(board, Descent { cuts, memory: !plain, ordered: !plain, ..naive }, budget)
        }
        Method::Sweeps => by_sweeps(&mut Reach::of(board, budget, true)?, unit),
        Method::Queue => by_queue(&mut Reach::of(board, budget, true)?, unit),
        Method::Layers => by_layers(&mut Reach::of(board, budget, false)?),
    }?;
    board.unvalued().map_or(Ok(found), |why| Err(Failure::Broken(why)))
}

/// Returns a result as one line, fields separated by tabs.
fn line(found: &Found, unit: Unit, began: Instant, mark: &str) -> String {
    let sign = if found.estimated { "~" } else { "=" };
    let also = found.also.as_ref().map_or(String::new(), |also| format!("\t{also}"));
    format!("value {sign} {}\t{}{also}{mark}", value_word(Some(found.value), unit), done(found.counts, began))
}

fn done(counts: Counts, began: Instant) -> String {
    let Counts { positions, finished, lookups } = counts;
    let seconds = began.elapsed().as_secs_f64();
    format!("positions {positions}\tfinished {finished}\tlook-ups {lookups}\t{seconds:.2} s")
}
