//! Subcommands that another crate adds to the command line of the engine or the referee.

use std::process::ExitCode;

use anyhow::Result;
use clap::{ArgMatches, Command};
use grundy_session::Catalog;

/// A subcommand supplied by another crate.
///
/// It is shown by `--help` and completed like the others, and has its own arguments.
///
/// ```
/// use std::process::ExitCode;
/// use grundy_engine::Extra;
/// let hello = Extra {
///     under: None,
///     command: || clap::Command::new("hello").about("Say hello"),
///     run: |_, _| Ok(ExitCode::SUCCESS),
/// };
/// assert_eq!((hello.command)().get_name(), "hello");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Extra {
    /// The parent subcommand (`play` for `grundy play NAME`); `None` at the top.
    pub under: Option<&'static str>,
    /// Its name, its help and its arguments.
    pub command: fn() -> Command,
    /// Runs it on its arguments, with the games of the program. An error is shown as one line after `error: ` and ends with exit code 1.
    pub run: fn(&Catalog, &ArgMatches) -> Result<ExitCode>,
}

/// Adds these subcommands to a command line.
pub fn augment(command: Command, extras: &[Extra]) -> Command {
    extras.iter().fold(command, |command, extra| match extra.under {
        None => command.subcommand((extra.command)()),
        Some(parent) => command.mut_subcommand(parent, |parent| {
            parent
                .subcommand((extra.command)())
                .subcommand_negates_reqs(true)
                .args_conflicts_with_subcommands(true)
        }),
    })
}

/// Returns the one of these subcommands that was given, with its arguments.
pub fn chosen<'m>(matches: &'m ArgMatches, extras: &[Extra]) -> Option<(Extra, &'m ArgMatches)> {
    let (top, below) = matches.subcommand()?;
    extras.iter().find_map(|extra| {
        let (parent, name, arguments) = match extra.under {
            None => (None, top, below),
            Some(_) => below.subcommand().map(|(name, arguments)| (Some(top), name, arguments))?,
        };
        (extra.under == parent && (extra.command)().get_name() == name).then_some((*extra, arguments))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXTRAS: [Extra; 2] = [
        Extra { under: None, command: || Command::new("hello"), run: |_, _| Ok(ExitCode::SUCCESS) },
        Extra { under: Some("play"), command: || Command::new("dice"), run: |_, _| Ok(ExitCode::SUCCESS) },
    ];

    fn asked(words: &[&str]) -> Option<String> {
        let play = Command::new("play").arg(clap::Arg::new("game").required(true));
        let matches = augment(Command::new("test").subcommand(play), &EXTRAS).try_get_matches_from(words);
        let matches = matches.ok()?;
        chosen(&matches, &EXTRAS).map(|(extra, _)| (extra.command)().get_name().to_string())
    }

    #[test]
    fn a_subcommand_is_found_at_the_top_and_under_another() {
        assert_eq!(asked(&["test", "hello"]).as_deref(), Some("hello"));
        assert_eq!(asked(&["test", "play", "dice"]).as_deref(), Some("dice"));
        assert_eq!(asked(&["test", "play", "nim"]), None);
    }
}
