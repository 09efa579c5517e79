//! `grundy check-rules FILE`: reports errors and facts of a rules file.

use std::io::Write;
use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use grundy_engine::output::{stdout, write_line};
use grundy_engine::{Extra, Meter, Usage};
use grundy_rules::check::examine;
use grundy_rules::game::Rules;
use grundy_rules::{library, read};
use grundy_session::{Work, quiet_work};

/// The subcommand.
pub const CHECK_RULES: Extra = Extra { under: None, command, run: |_, arguments| run(arguments) };

fn command() -> Command {
    Command::new("check-rules")
        .about("Check a rules file: errors with their lines, the number of positions, whether the game is cyclic")
        .arg(
            Arg::new("file")
                .value_name("FILE")
                .required(true)
                .help("The rules file, or the name of a game of `rules`"),
        )
        .arg(
            Arg::new("positions")
                .long("positions")
                .value_name("N")
                .value_parser(value_parser!(u64).range(1..=4_000_000_000))
                .default_value("1000000")
                .help("Find at most N positions"),
        )
        .arg(
            Arg::new("source")
                .long("source")
                .action(ArgAction::SetTrue)
                .help("Print the file instead, to begin another game with it: tictactoe --source > my.rbg"),
        )
}

fn run(arguments: &ArgMatches) -> anyhow::Result<ExitCode> {
    let given = arguments.get_one::<String>("file").map_or("", String::as_str);
    // A full name of the game will do.
    let path = given.strip_prefix("rules:").unwrap_or(given);
    let path = path.strip_prefix("file=").unwrap_or(path);
    let most = arguments.get_one::<u64>("positions").copied().unwrap_or(1_000_000);
    let there = std::path::Path::new(path).exists();
    let text = match library::game(path) {
        Some(text) if !there => text.to_owned(),
        None if !there && !path.contains(['/', '.']) => {
            let why = format!("no rules {path:?}: expected a file, or a name of grundy games rules");
            return Err(Usage(why).into());
        }
        _ => read(path).map_err(Usage)?,
    };
    let mut out = stdout();
    if arguments.get_flag("source") {
        out.write_all(text.as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    }
    let rules = match Rules::new(&text) {
        Ok(rules) => rules,
        Err(fault) => {
            writeln!(out, "{path}:{}", fault.show(&text))?;
            return Ok(ExitCode::FAILURE);
        }
    };
    // The verdict is known before positions are counted, which takes a while.
    writeln!(out, "{path}: no errors")?;
    let meter = Meter::new(false);
    let report = examine(&rules, most, &Work { report: &|progress| meter.show(progress), ..quiet_work() });
    meter.finish();
    for fault in &report.warnings {
        writeln!(out, "{path}:{}", fault.show(&text))?;
    }
    for fact in &report.facts {
        write_line("", fact)?;
    }
    Ok(ExitCode::SUCCESS)
}
