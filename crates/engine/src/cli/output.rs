//! Stdout of every program: output that cannot be written is an error with an exit code, even if the writer continued.
//!
//! The first failure is kept until the program ends. A reader that has closed the pipe is no failure.

use std::fmt;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use clap::error::{ContextKind, ContextValue};
use grundy_core::text::{excerpt, wrapped};

/// The first failure to write.
static FAILURE: Mutex<Option<String>> = Mutex::new(None);

/// Stdout; whole lines are written at once.
#[derive(Clone, Copy, Debug)]
pub struct Output(());

/// Returns stdout, for all output of a program.
pub fn stdout() -> Output {
    Output(())
}

/// Turns the end of the process at the limit of file sizes (SIGXFSZ) into an error of the write.
pub fn survive_file_size_limit() {
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
}

/// Reports whether stdout is a terminal.
pub fn is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// Writes a label and a text as one line, which is broken to fit a terminal.
///
/// # Errors
/// The output cannot be written.
pub fn write_line(label: &str, text: &str) -> io::Result<()> {
    match is_terminal() {
        true => writeln!(stdout(), "{}", wrapped(label, text, 2)),
        false => writeln!(stdout(), "{label}{text}"),
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        noted(io::stdout().write(bytes))
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        noted(io::stdout().write_all(bytes))
    }

    fn write_fmt(&mut self, words: fmt::Arguments<'_>) -> io::Result<()> {
        noted(io::stdout().write_fmt(words))
    }

    fn flush(&mut self) -> io::Result<()> {
        noted(io::stdout().flush())
    }
}

/// Records a failure with a description of the output that could not be written.
fn noted<T>(done: io::Result<T>) -> io::Result<T> {
    done.map_err(|error| {
        if matches!(error.kind(), ErrorKind::BrokenPipe | ErrorKind::Interrupted) {
            return error;
        }
        let words = format!("cannot write to stdout: {error}");
        keep_failure(&words);
        io::Error::new(error.kind(), words)
    })
}

/// Records for the exit code that other output could not be written while the work continues.
pub fn keep_failure(words: &str) {
    FAILURE.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(|| words.to_owned());
}

/// Returns the exit code of a program: `code`, or `failed` with a message if that is success but some output could not
/// be written.
pub fn finish(code: ExitCode, failed: u8, tell: impl FnOnce(&str)) -> ExitCode {
    // What fails here is kept as well.
    let _ = stdout().flush();
    match &*FAILURE.lock().unwrap_or_else(PoisonError::into_inner) {
        Some(failure) if code == ExitCode::SUCCESS => {
            tell(failure);
            ExitCode::from(failed)
        }
        _ => code,
    }
}

/// Reports whether an error only means that the reader of our output has gone.
pub fn closed(error: &anyhow::Error) -> bool {
    error.chain().filter_map(|e| e.downcast_ref::<io::Error>()).any(|e| e.kind() == ErrorKind::BrokenPipe)
}

/// Shows why a command line is not run, which may be the requested help, and returns the exit code.
pub fn refuse(error: &clap::Error) -> ExitCode {
    // With stderr closed there is nobody to tell.
    let _ = match error.kind() {
        // One line says all; what follows it only names `--help`.
        clap::error::ErrorKind::ValueValidation => {
            writeln!(io::stderr(), "{}", error.to_string().lines().next().unwrap_or(""))
        }
        clap::error::ErrorKind::UnknownArgument => writeln!(io::stderr(), "error: {}", not_taken(error)),
        clap::error::ErrorKind::InvalidSubcommand => {
            writeln!(io::stderr(), "error: {}", no_command(error))
        }
        _ if error.use_stderr() => error.print(),
        _ => noted(error.print()),
    };
    u8::try_from(error.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from)
}

/// Returns a part of what clap says of an error; empty if it says nothing of that.
fn context(error: &clap::Error, kind: ContextKind) -> String {
    error.get(kind).map(ToString::to_string).unwrap_or_default()
}

/// Returns the command of a line such as `Usage: grundy solve [OPTIONS] ..`.
fn command_of(usage: &str) -> String {
    let words = usage.split_whitespace().skip(1).take_while(|word| !word.starts_with(['[', '<', '-']));
    words.collect::<Vec<_>>().join(" ")
}

/// Returns the refusal of a subcommand that a command does not have, with the closest one and the next command.
fn no_command(error: &clap::Error) -> String {
    let command = command_of(&context(error, ContextKind::Usage));
    let given = excerpt(&context(error, ContextKind::InvalidSubcommand), 200);
    let close = match context(error, ContextKind::SuggestedSubcommand) {
        close if close.is_empty() => close,
        close => format!("did you mean {close}? "),
    };
    format!("{command} has no command {given:?}: {close}{command} --help lists all")
}

/// Returns the refusal of an option or a word that a command does not take, with the closest option and the next command. Clap
/// would advise to pass the option as a value, which no command here takes.
fn not_taken(error: &clap::Error) -> String {
    let (usage, given) = (context(error, ContextKind::Usage), context(error, ContextKind::InvalidArg));
    let (command, given) = (command_of(&usage), excerpt(&given, 200));
    if !given.starts_with('-') {
        return format!("{command} does not take {given:?}: {command} --help shows what it takes");
    }
    let advice = match (error.get(ContextKind::SuggestedArg), error.get(ContextKind::Suggested)) {
        (Some(close), _) => format!("did you mean {close}? "),
        (None, Some(ContextValue::StyledStrs(tips))) => {
            let others = tips.iter().map(ToString::to_string).find(|tip| !tip.starts_with("to pass "));
            others.map_or_else(String::new, |tip| format!("{tip}; "))
        }
        _ => String::new(),
    };
    let position = match !given.starts_with("--") && usage.contains("[POSITION]") {
        true => "a position that begins with - goes behind --position; ",
        false => "",
    };
    format!("{command} has no option {given}: {advice}{position}{command} --help lists all")
}

#[cfg(test)]
mod tests {
    use clap::{Arg, ArgAction, Command};

    use super::{no_command, not_taken};

    #[test]
    fn an_option_that_a_command_lacks_gets_the_closest_one_and_the_list() {
        let command = || {
            let json = Arg::new("json").long("json").action(ArgAction::SetTrue);
            let position = Arg::new("position").value_name("POSITION").action(ArgAction::Append);
            let solve = Command::new("solve").args([json, position]);
            Command::new("grundy").subcommands([solve, Command::new("list")])
        };
        for (words, said) in [
            (["solve", "--csv"], "grundy solve has no option --csv: grundy solve --help lists all"),
            (
                ["solve", "--jsn"],
                "grundy solve has no option --jsn: did you mean --json? grundy solve --help lists all",
            ),
            (
                ["solve", "-3"],
                "grundy solve has no option -3: a position that begins with - goes behind --position; grundy solve \
                 --help lists all",
            ),
            (["list", "x"], "grundy list does not take \"x\": grundy list --help shows what it takes"),
        ] {
            let refused = command().try_get_matches_from(["grundy"].into_iter().chain(words));
            assert_eq!(refused.map(|_| String::new()).unwrap_or_else(|error| not_taken(&error)), said);
        }
    }

    #[test]
    fn a_command_that_is_not_there_gets_the_closest_one_and_the_list() {
        let command = || {
            let tables = Command::new("tables").subcommands([Command::new("list"), Command::new("verify")]);
            Command::new("grundy").subcommand(tables.subcommand_required(true))
        };
        for (word, said) in [
            ("export", "grundy tables has no command \"export\": grundy tables --help lists all"),
            (
                "verfy",
                "grundy tables has no command \"verfy\": did you mean verify? grundy tables --help lists all",
            ),
        ] {
            let refused = command().try_get_matches_from(["grundy", "tables", word]);
            assert_eq!(refused.map(|_| String::new()).unwrap_or_else(|error| no_command(&error)), said);
        }
    }
}
