//! `grundy perft`: counts lines of play, the usual check of a game's rules.

use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;
use clap::Args;
use grundy_session::{Catalog, NEVER, Settings};

use super::given::Given;
use super::numbers::rate;
use super::output::stdout;
use super::shared::Usage;

#[derive(Args)]
#[command(override_usage = "grundy perft [OPTIONS] <GAME> [POSITION]... <DEPTH>")]
#[command(after_help = "The last word is the plies to count.")]
pub struct PerftArgs {
    #[command(flatten)]
    given: Given,
    /// Count below each first move as well
    #[arg(long)]
    divide: bool,
}

pub fn run(catalog: &Catalog, mut args: PerftArgs, settings: &Settings) -> Result<ExitCode> {
    let Some(depth) = args.given.last_number() else {
        return Err(Usage(
            "expected the plies to count as the last word: grundy perft GAME DEPTH".to_owned(),
        )
        .into());
    };
    let mut session = args.given.open(catalog, settings)?;
    let mut out = stdout();
    if args.divide && depth > 0 {
        for word in session.legal_moves(usize::MAX) {
            session.play(&word)?;
            writeln!(out, "{word} {}", session.perft(depth - 1, &NEVER).unwrap_or(0))?;
            session.undo();
        }
    }
    if depth == 0 {
        writeln!(out, "perft 0 = 1")?;
    }
    for depth in 1..=depth {
        let began = Instant::now();
        let count = session.perft(depth, &NEVER).unwrap_or(0);
        let rate = rate(count, began.elapsed()).map_or(String::new(), |rate| format!(" ({rate})"));
        writeln!(out, "perft {depth} = {count}{rate}")?;
        if count == 0 {
            break;
        }
    }
    Ok(ExitCode::SUCCESS)
}
