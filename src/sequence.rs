//! `grundy sequence CODE HEAPS`: the Grundy numbers of the heaps of an octal game and their period, or its misere quotient.

use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::bail;
use clap::{ArgMatches, CommandFactory, FromArgMatches};
use grundy_core::game::MORE;
use grundy_core::text::grouped;
use grundy_engine::output::{stdout, write_line};
use grundy_engine::{Extra, Usage};
use grundy_heaps::heap_game::HeapGame;
use grundy_heaps::heaps::{Heaps, Rule};
use grundy_session::quiet_work;
use grundy_sums::octal::{ByOctal, Period};
use grundy_sums::quotient::Quotient;
use grundy_sums::sum::Sum;

/// The subcommand.
pub const SEQUENCE: Extra =
    Extra { under: None, command: SequenceArgs::command, run: |_, arguments| run(arguments) };

/// Maximum size of a heap of a misere quotient.
const MISERE: u64 = 1_000;
/// Time limit of a misere quotient.
const PATIENCE: Duration = Duration::from_secs(10);

/// The Grundy numbers of the heaps of an octal game, and their period if it is proved.
///
/// The numbers are those of the heaps of 1, 2, 3 counters and so on. With --misere the elements of these heaps in their
/// misere quotient, all its elements, its relations, and the elements in which the player to move loses.
#[derive(clap::Parser, Debug)]
#[command(name = "sequence", after_help = EXAMPLES)]
struct SequenceArgs {
    /// The octal code, or the game's name: 0.77 is kayles
    code: String,
    /// Counters of the largest heap
    #[arg(default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    heaps: u64,
    /// Misere play, in which the player who cannot move wins: the misere quotient
    #[arg(long)]
    misere: bool,
}

const EXAMPLES: &str = "Examples:\n  grundy sequence 0.77 100\n  grundy sequence dawsons-chess\n  grundy sequence kayles 20 --misere";

fn run(arguments: &ArgMatches) -> anyhow::Result<ExitCode> {
    let args = SequenceArgs::from_arg_matches(arguments)?;
    // The name may begin with that of its family.
    let rule = Rule::read(args.code.strip_prefix("heaps:").unwrap_or(&args.code)).map_err(Usage)?;
    let game = HeapGame::new(Heaps::new(rule, vec![args.heaps], args.misere).map_err(Usage)?);
    match args.misere {
        true => quotient(&game, args.heaps)?,
        false => numbers(&game, args.heaps)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes the Grundy numbers of the heaps up to `largest`, and the period.
fn numbers(game: &HeapGame, largest: u64) -> anyhow::Result<()> {
    let mut out = stdout();
    let oracle = ByOctal::default();
    let number = |heap| oracle.number(game, heap, &quiet_work()).map(|number| number.to_string());
    let found: Vec<String> = (1..=largest).map_while(number).collect();
    write_line("", &found.join(" "))?;
    let known = found.len() as u64;
    if known < largest {
        bail!("the number of heap {} was not found: expected at most {known} heaps", known + 1);
    }
    out.flush()?;
    match oracle.period(game) {
        Some(Period { start, length }) => {
            writeln!(out, "period {} from heap {} on, proved", grouped(length), grouped(start))?;
        }
        None => writeln!(out, "no period is proved")?,
    }
    Ok(())
}

/// Writes the misere quotient of the heaps up to `largest`.
fn quotient(game: &HeapGame, largest: u64) -> anyhow::Result<()> {
    if largest > MISERE {
        return Err(Usage(format!("--misere: expected at most {} heaps", grouped(MISERE))).into());
    }
    let options = |heap: usize, visit: &mut dyn FnMut(usize, usize)| {
        let _ = game.options(&vec![heap as u64], &mut |parts| {
            let size =
                |at: usize| parts.get(at).and_then(|part| part.first()).map_or(0, |&size| size as usize);
            visit(size(0), size(1));
            MORE
        });
    };
    let mut quotient = Quotient::empty();
    let work = quiet_work().within(PATIENCE);
    if !quotient.grow_until(largest as usize, options, &|| work.stopped()) {
        let seconds = PATIENCE.as_secs();
        bail!("no small misere quotient was found in {seconds} seconds: expected fewer heaps than {largest}");
    }
    let shown = quotient.presentation();
    let relations: Vec<String> =
        shown.relations.iter().map(|[product, word]| format!("{product}={word}")).collect();
    write_line("", &shown.heaps[1..].join(" "))?;
    write_line(&format!("{} elements: ", shown.elements.len()), &shown.elements.join(" "))?;
    write_line("relations: ", &relations.join(" "))?;
    write_line("lost for the player to move: ", &shown.lost.join(" "))?;
    Ok(())
}
