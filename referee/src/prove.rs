//! `referee prove`: proves the moves of an existing record, with more time and threads than a match has.

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use grundy_core::sorting;
use grundy_core::text::counted;
use grundy_core::words;
use grundy_engine::paths;
use grundy_session::{Catalog, Work, quiet_work};

use crate::games;
use crate::output::folded;
use crate::prover::{self, Prover};
use crate::record::{self, Game, Line, Proof};
use crate::settings::worker_count;
use crate::summary;
use crate::tournament;
use crate::verdict::Severity;

/// Arguments of `referee prove`.
#[derive(clap::Args, Debug)]
pub struct ProveArgs {
    /// The record; results are appended to it
    pub record: PathBuf,
    /// Seconds for all games together [60]
    #[arg(long, value_name = "S", default_value_t = 60.0, hide_default_value = true, value_parser = words::time)]
    pub seconds: f64,
    /// Threads [1]
    #[arg(long, value_name = "N", default_value_t = 1, hide_default_value = true)]
    pub threads: usize,
    /// Folder of the tables that exact values come from
    #[arg(long, value_name = "DIR", value_parser = paths::existing_folder())]
    pub tables: Option<PathBuf>,
}

/// The distribution of the time.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pass {
    /// Half of the time in equal shares; unused time passes to later games.
    Shares,
    /// The rest, half of what is left to each game, games with the fewest open moves first: a position that many
    /// games share needs more than one game's share.
    Halves,
}

/// Proves the open moves of a record, and appends the results.
///
/// # Errors
/// The record cannot be read or written; one line.
pub fn run(
    catalog: &Catalog,
    args: &ProveArgs,
    stop: &AtomicBool,
    out: &mut dyn Write,
) -> Result<Severity, String> {
    let time = Duration::from_secs_f64(args.seconds);
    let (half, end) = (Instant::now() + time / 2, Instant::now() + time);
    worker_count("--threads", args.threads)?;
    let (mut record, mut contents) = record::open(catalog, Path::new(&args.record))?;
    let mut provers: HashMap<String, Prover> = HashMap::new();
    let mut say = |line: String| {
        let _ = write!(out, "{}", folded(&format!("{line}\n"))).and_then(|()| out.flush());
    };
    for pass in [Pass::Shares, Pass::Halves] {
        let mut open: Vec<usize> =
            (0..contents.games.len()).filter(|&i| prover::is_open(&contents.games[i])).collect();
        if pass == Pass::Halves {
            sorting::sort_by_key(&mut open, |&i| {
                contents.games[i].moves.iter().filter(|m| !m.is_proved()).count()
            });
        }
        for (done, &i) in open.iter().enumerate() {
            let left = |end: Instant| end.saturating_duration_since(Instant::now());
            let time = match pass {
                Pass::Shares => left(half) / (open.len() - done) as u32,
                Pass::Halves => left(end) / 2,
            };
            let game = &mut contents.games[i];
            let open = || Prover::new(catalog, &game.game, args.tables.clone(), args.threads);
            let prover = games::cached(&mut provers, &game.game, open)?;
            let before: Vec<String> = tournament::findings(game);
            let end = Instant::now() + time;
            let work = Work { stop, threads: args.threads, until: Some(end), ..quiet_work() };
            prover.solve_endings(game, &work)?;
            let added = prover.prove(game, end, stop)?;
            if added {
                record.append(&Line::Proof(Proof::of(game)))?;
            }
            if !added && pass == Pass::Halves {
                continue;
            }
            let [a, b] = &game.players;
            let state = prover::coverage(game).unwrap_or_else(|| words_of_all(game));
            say(format!("game {} ({a} vs {b}): {state}", game.id));
            tournament::findings(game).into_iter().filter(|line| !before.contains(line)).for_each(&mut say);
        }
    }
    let moves = contents.games.iter().map(|game| game.moves.len()).sum::<usize>();
    let all = contents.games.iter().flat_map(|game| &game.moves);
    let known = all.filter(|m| m.is_proved()).count();
    say(format!("{known} of {moves} moves in {} are proved", counted(contents.games.len(), "game")));
    if stop.load(Ordering::SeqCst) {
        return Ok(Severity::Interrupted);
    }
    Ok(summary::severity(&contents.games, &contents.departures))
}

fn words_of_all(game: &Game) -> String {
    match game.moves.len() {
        0 => "no moves".to_owned(),
        1 => "proved the only move".to_owned(),
        moves => format!("proved all {moves} moves"),
    }
}
