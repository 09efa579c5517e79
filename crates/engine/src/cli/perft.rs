//! `grundy perft`: counts lines of play, the usual check of a game's rules.

use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;
use clap::Args;
use grundy_session::{Catalog, NEVER, Settings};

use super::numbers::rate;
use super::output::stdout;
use super::shared::{Usage, open};

#[derive(Args)]
pub struct PerftArgs {
    /// The game
    game: String,
    /// Plies to count
    depth: u32,
    /// Count from this position instead of the start
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true)]
    position: Option<String>,
    /// Count below each first move as well
    #[arg(long)]
    divide: bool,
}

pub fn run(catalog: &Catalog, args: &PerftArgs, settings: &Settings) -> Result<ExitCode> {
    let mut session = open(catalog, &args.game, settings)?;
    session.setup_typed(args.position.as_deref()).map_err(|refusal| Usage(refusal.to_string()))?;
    let mut out = stdout();
    if args.divide && args.depth > 0 {
        for word in session.legal_moves(usize::MAX) {
            session.play(&word)?;
            writeln!(out, "{word} {}", session.perft(args.depth - 1, &NEVER).unwrap_or(0))?;
            session.undo();
        }
    }
    for depth in 1..=args.depth {
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
