//! `referee repeated`: a tournament of the repeated prisoner's dilemma.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Result, anyhow, bail};
use clap::{ArgMatches, Args, Command, FromArgMatches};
use grundy_core::sorting;
use grundy_core::text::visible;
use grundy_engine::output::{is_terminal, stdout};
use grundy_engine::{Extra, paths};
use grundy_referee::{TrafficLog, WIDTH, columns, split_command};
use num_traits::{One, Signed, Zero};

use crate::fraction::{self, Fraction};
use crate::repeated::plugin::Fault;
use crate::repeated::tournament::{self, Crosstable, Player, TournamentSettings};
use crate::repeated::{MOST_ROUNDS, Payoffs, Strategy};

/// The subcommand.
pub const EXTRA: Extra = Extra { under: None, command, run: |_, matches| run(matches) };

/// Exit code: a program answered something other than `C` or `D`.
const PROTOCOL: u8 = 3;
/// Exit code: a program ended, or did not answer.
const SILENT: u8 = 4;

/// Play the repeated prisoner's dilemma, everybody against everybody: exact expected scores a round if both strategies
/// are known, played matches (marked *) if a program takes part
#[derive(Args)]
struct RepeatedArgs {
    /// A player: a name (tit-for-tat), random:P, memory:FIRST,CC,CD,DC,DD, or cmd:COMMAND for a program that speaks the
    /// protocol of docs/information.md [default: all names, and random:1/2]
    #[arg(long = "strategy", value_name = "STRATEGY")]
    strategies: Vec<String>,
    /// Rounds of a match
    #[arg(long, value_name = "N", default_value_t = 200)]
    rounds: usize,
    /// Compute the scores of matches that continue with this probability after each round instead
    #[arg(long, value_name = "P")]
    continues: Option<String>,
    /// The probability that an action is flipped by accident
    #[arg(long, value_name = "P", default_value = "0")]
    noise: String,
    /// Reward, sucker's payoff, temptation, punishment
    #[arg(long, value_name = "R,S,T,P", default_value = "3,0,5,1", allow_hyphen_values = true)]
    payoffs: String,
    /// Write every score as a fraction, however long; otherwise long ones are rounded and marked ~
    #[arg(long)]
    exact: bool,
    /// Milliseconds that a program may take for an answer
    #[arg(long, value_name = "MS", default_value_t = 1000)]
    timeout: u64,
    /// Seed of the random numbers in played matches
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// Log the traffic between referee and programs to this file
    #[arg(long, value_name = "FILE", value_parser = paths::written())]
    log: Option<PathBuf>,
}

fn command() -> Command {
    RepeatedArgs::augment_args(Command::new("repeated"))
}

fn run(matches: &ArgMatches) -> Result<ExitCode> {
    let args = RepeatedArgs::from_arg_matches(matches)?;
    let settings = settings(&args)?;
    let players = players(&args)?;
    if settings.continues.is_some() && players.iter().any(|player| matches!(player, Player::Program(..))) {
        bail!("--continues is computed, and programs play: expected --rounds");
    }
    let table = tournament::run(&players, &settings);
    match report(&mut stdout(), &players, &table, args.exact) {
        // The reader of the table has gone.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(ExitCode::SUCCESS),
        done => Ok(done?),
    }
}

/// Writes the table and the faults; returns the exit code.
fn report(out: &mut impl Write, players: &[Player], table: &Crosstable, exact: bool) -> io::Result<ExitCode> {
    show(out, players, table, exact, is_terminal())?;
    let mut code = ExitCode::SUCCESS;
    for (who, other, round, fault) in &table.faults {
        let (who, other) = (visible(players[*who].name()), visible(players[*other].name()));
        writeln!(out, "fault\t{who}\tround {round} against {other}: {fault}")?;
        code = match fault {
            Fault::Protocol(_) => ExitCode::from(PROTOCOL),
            Fault::Silent(_) => ExitCode::from(SILENT),
        };
    }
    out.flush()?;
    Ok(code)
}

fn settings(args: &RepeatedArgs) -> Result<TournamentSettings> {
    if args.rounds == 0 || args.rounds > MOST_ROUNDS {
        bail!("--rounds {}: expected 1 to {MOST_ROUNDS}", args.rounds);
    }
    let probability = |name: &str, text: &str| -> Result<Fraction> {
        let p = fraction::read(text).map_err(|reason| anyhow!("{name}: {reason}"))?;
        if p.is_negative() || p > Fraction::one() {
            bail!("{name} {p}: expected a probability from 0 to 1");
        }
        Ok(p)
    };
    let continues = match &args.continues {
        None => None,
        Some(text) => {
            let p = probability("--continues", text)?;
            if p.is_one() {
                bail!("--continues 1 never ends: expected less than 1");
            }
            Some(p)
        }
    };
    Ok(TournamentSettings {
        payoffs: Payoffs::read(&args.payoffs).map_err(|reason| anyhow!("--payoffs: {reason}"))?,
        rounds: args.rounds,
        continues,
        noise: probability("--noise", &args.noise)?,
        timeout: Duration::from_millis(args.timeout),
        log: TrafficLog::to(args.log.as_deref()).map_err(|reason| anyhow!(reason))?,
        seed: args.seed,
    })
}

fn players(args: &RepeatedArgs) -> Result<Vec<Player>> {
    let all: Vec<String> = if args.strategies.is_empty() {
        Strategy::names().map(String::from).chain(["random:1/2".to_string()]).collect()
    } else {
        args.strategies.clone()
    };
    let player = |name: &String| match name.strip_prefix("cmd:") {
        None => Strategy::read(name).map(Player::Known).map_err(|reason| anyhow!(reason)),
        Some(command) => {
            let words = split_command(command).filter(|words| !words.is_empty());
            let words =
                words.ok_or_else(|| anyhow!("{name:?}: expected a command with its quotes closed"))?;
            Ok(Player::Program(words.join(" "), words))
        }
    };
    all.iter().map(player).collect()
}

/// Writes a line for each player, the best first: rank, name, mean, then the score against each. `folded` aligns the columns
/// for a terminal, those of the opponents headed by their ranks; otherwise tabs stand between them.
fn show(
    out: &mut impl Write,
    players: &[Player],
    table: &Crosstable,
    exact: bool,
    folded: bool,
) -> io::Result<()> {
    let word = |score: &Fraction| if exact { score.to_string() } else { short(score) };
    let mut order: Vec<usize> = (0..players.len()).collect();
    sorting::sort_by(&mut order, |&a, &b| table.means[b].cmp(&table.means[a]));
    let names: Vec<String> = order.iter().map(|&i| visible(players[i].name()).into_owned()).collect();
    let ranks = (1..=names.len()).map(|rank| rank.to_string());
    let against: Vec<_> = if folded { ranks.collect() } else { names.clone() };
    let mut rows = vec![[vec!["rank".into(), "strategy".into(), "mean".into()], against].concat()];
    for (rank, &i) in order.iter().enumerate() {
        let cell = |&j: &usize| {
            let mark = if table.played[i][j] { "*" } else { "" };
            format!("{}{mark}", word(&table.scores[i][j]))
        };
        let player = vec![(rank + 1).to_string(), names[rank].clone(), word(&table.means[i])];
        rows.push([player, order.iter().map(cell).collect()].concat());
    }
    if folded {
        let named =
            |row: &Vec<String>| [vec![format!("{:<4}  {}", row[0], row[1])], row[2..].into()].concat();
        return out.write_all(columns(&rows.iter().map(named).collect::<Vec<_>>(), WIDTH).as_bytes());
    }
    rows.iter().try_for_each(|row| writeln!(out, "{}", row.join("\t")))
}

/// Returns a fraction, or if it is long its decimals after `~`.
fn short(number: &Fraction) -> String {
    let exact = number.to_string();
    if exact.len() <= 12 || number.is_zero() {
        exact
    } else {
        format!("~{:.6}", fraction::approximate(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_fractions_are_rounded_unless_all_is_asked_for() {
        let players: Vec<Player> =
            ["grim", "random:1/3"].map(|name| Player::Known(Strategy::read(name).unwrap())).into();
        let table =
            tournament::run(&players, &TournamentSettings { rounds: 100, ..TournamentSettings::default() });
        let shown = |exact| {
            let mut out = Vec::new();
            show(&mut out, &players, &table, exact, false).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert!(shown(false).contains("\t~2."), "{}", shown(false));
        assert!(
            !shown(true).contains('~') && shown(true).contains(&table.means[0].to_string()),
            "{}",
            shown(true)
        );
    }
}
