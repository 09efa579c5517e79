//! `grundy play rock-paper-scissors`: against the optimal mixed strategy.

use std::io::Write;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{ArgMatches, Args, Command, FromArgMatches};
use grundy_engine::Extra;

use super::table::{CardTable, TableArgs};
use crate::examples;

/// The subcommand.
pub const EXTRA: Extra = Extra { under: Some("play"), command, run: |_, matches| run(matches) };

const NAMES: [&str; 3] = ["rock", "paper", "scissors"];

/// The rules.
const RULES: &str = "\
Both players choose rock, paper or scissors at the same time. Rock beats
scissors, scissors beat paper, paper beats rock; the winner gets a point from
the loser. The engine chooses each of them with a chance of a third.";

/// Rock-paper-scissors against the optimal mixed strategy
#[derive(Args)]
struct RoshamboArgs {
    #[command(flatten)]
    table: TableArgs,
}

fn command() -> Command {
    RoshamboArgs::augment_args(Command::new("rock-paper-scissors"))
}

fn run(matches: &ArgMatches) -> Result<ExitCode> {
    let args = RoshamboArgs::from_arg_matches(matches)?;
    let game = examples::bimatrix("rock-paper-scissors").context("rock-paper-scissors is an example")?;
    let optimum = game.row().solve();
    let table = &mut CardTable::open(&args.table, RULES)?;
    let words = NAMES.map(String::from);
    loop {
        let round = table.next_round();
        if args.table.rounds.is_some_and(|most| round > most) {
            break;
        }
        let engine = table.throw(&optimum.column);
        writeln!(table.out, "round {round}")?;
        let Some(mine) = table.choose(&words)? else { break };
        writeln!(table.out, "the engine shows {}", NAMES[engine])?;
        table.score(&game.row().cells()[mine][engine], &optimum.value)?;
    }
    table.close()?;
    Ok(ExitCode::SUCCESS)
}
