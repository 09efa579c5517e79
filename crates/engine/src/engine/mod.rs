//! The engine: a loop between a reader thread and a worker thread, with its streams as arguments.
//!
//! The loop owns the output and the state. The session travels to the worker with a job and comes back with the
//! answer, so there are no locks around it. The way of one `go`, file by file:
//!
//! 1. `reader`: the reader thread splits the input into lines and notes the time of each.
//! 2. `serve`: the loop hears the line. While other work is under way it waits its turn in the queue of `waiting`.
//! 3. `searching`: `go` becomes limits (`clock`), and a job with the session is sent to the worker.
//! 4. `worker`: the worker thread asks the session, which reports what it finds.
//! 5. `serve` hears the reports, `searching` says them as `info` lines; when the session is back, as `bestmove`.
//!
//! `setup` does the handshake and the options, `position` the positions and moves, `asking` the queries; `foreign` hands
//! lines of other protocols to their translators; `state` is what they all work on.

mod asking;
mod clock;
mod config;
mod foreign;
pub mod gtp;
mod options;
mod position;
mod prompt;
mod reader;
mod searching;
mod serve;
mod setup;
mod state;
pub mod vertices;
mod waiting;
mod worker;

use std::io::{self, Read, Write};

use crossbeam_channel::{bounded, unbounded};

pub use crate::translators::Protocol;
pub use config::{Config, Guest};
use reader::Link;
use state::Engine;

/// Lines read ahead of the loop.
const READ_AHEAD: usize = 256;

/// Speaks the protocol until `quit`, or until what was asked before the end of input is answered.
///
/// On Linux the thread that calls this gets shorter slices of the processor, and gets them sooner.
///
/// # Errors
/// The output could not be written, or the configured protocol does not have the configured game. A reader that closed
/// our output is no error.
pub fn run(input: impl Read + Send + 'static, output: impl Write, config: Config) -> io::Result<()> {
    let translator = match config.protocol {
        Some(protocol) => {
            Some(protocol.translator(&config.catalog, config.game.as_deref()).map_err(io::Error::other)?)
        }
        None => None,
    };
    let (lines_in, lines) = bounded(READ_AHEAD);
    let link = Link::default();
    let readers = link.clone();
    std::thread::Builder::new()
        .name("reader".into())
        .spawn(move || reader::run(input, &lines_in, &readers))?;
    let (jobs, jobs_out) = unbounded();
    let (events_in, events) = unbounded();
    std::thread::Builder::new().name("worker".into()).spawn(move || worker::run(&jobs_out, &events_in))?;
    prompt::prompt();
    let mut engine = Engine::new(output, config, jobs, link);
    if let Some(translator) = translator {
        engine.translate_by(translator);
    }
    let ended = engine.serve(&lines, &events);
    engine.halt();
    match ended {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        ended => ended,
    }
}
