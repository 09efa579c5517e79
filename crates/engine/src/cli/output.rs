//! Stdout of every program: output that cannot be written is an error with an exit code, even if the writer continued.
//!
//! The first failure is kept until the program ends. A reader that has closed the pipe is no failure.

use std::fmt;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

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
        _ if error.use_stderr() => error.print(),
        _ => noted(error.print()),
    };
    u8::try_from(error.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from)
}
