//! `grundy-cluster launch`: the processes of a solve on this machine, started again where one is lost.

use std::io::Write;
use std::net::TcpListener;
use std::process::{Child, Command, ExitCode, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::cli::{Common, LOST, LaunchArgs, TOKEN, seconds};
use crate::system;

/// The interval at which the processes are checked.
const LOOK: Duration = Duration::from_millis(50);
/// The time beyond `--patience` in which the other processes notice that one is lost.
const GRACE: Duration = Duration::from_secs(5);
/// The time in which they end once one of them has noticed, since it tells them.
const TOLD: Duration = Duration::from_secs(2);

pub fn run(args: &LaunchArgs) -> Result<ExitCode> {
    for start in 0.. {
        let ends = start_all(args)?;
        // After a lost process a restart may succeed; a process that has failed would fail again.
        let failed =
            ends.iter().filter_map(ExitStatus::code).find(|&code| code != 0 && code != i32::from(LOST));
        if let Some(code) = failed {
            return Ok(ExitCode::from(u8::try_from(code).unwrap_or(crate::cli::FAILED)));
        }
        if ends[0].success() {
            return Ok(ExitCode::SUCCESS);
        }
        if start >= args.restarts {
            log::error!("a process was lost {} times: no further restart", start + 1);
            break;
        }
        log::warn!("a process was lost; all are started again");
    }
    Ok(ExitCode::from(LOST))
}

/// Starts all processes and waits until they have ended.
fn start_all(args: &LaunchArgs) -> Result<Vec<ExitStatus>> {
    let mut token = [0; 16];
    getrandom::fill(&mut token).context("the system has no random bytes")?;
    let token: String = token.iter().map(|byte| format!("{byte:02x}")).collect();
    let mut hosts = tempfile::NamedTempFile::new().context("cannot write the list of hosts")?;
    let listeners =
        (0..args.local).map(|_| TcpListener::bind("127.0.0.1:0")).collect::<Result<Vec<_>, _>>()?;
    for listener in &listeners {
        writeln!(hosts, "{}", listener.local_addr()?)?;
    }
    hosts.flush()?;
    let program = std::env::current_exe().context("cannot find this program")?;
    let mut children = Children(Vec::new());
    let own = std::process::id().to_string();
    for (rank, listener) in listeners.into_iter().enumerate() {
        let mut command = Command::new(&program);
        command.arg("solve").args(words(&args.common)).args(["--processes", &args.local.to_string()]);
        command.args(["--rank", &rank.to_string(), "--launched-by", &own, "--hosts"]).arg(hosts.path());
        system::give(&mut command, listener);
        // Where memory has run out, the lines of a backtrace would ask for more, and wait for themselves.
        command.env("RUST_BACKTRACE", "0");
        children.0.push(command.env(TOKEN, &token).spawn().context("cannot start a process")?);
    }
    children.wait(seconds(args.common.patience) + GRACE)
}

/// The processes, which are killed when dropped.
struct Children(Vec<Child>);

impl Children {
    /// Waits until all have ended. Once one has failed, the others have `patience` to notice; those that do not end are
    /// killed.
    fn wait(&mut self, patience: Duration) -> Result<Vec<ExitStatus>> {
        let mut until: Option<Instant> = None;
        loop {
            let ends = self.0.iter_mut().map(Child::try_wait).collect::<Result<Vec<_>, _>>()?;
            if ends.iter().all(Option::is_some) {
                return Ok(ends.into_iter().flatten().collect());
            }
            let now = Instant::now();
            let failed = ends.iter().flatten().any(|end| !end.success());
            let noticed = ends.iter().flatten().any(|end| end.code() == Some(i32::from(LOST)));
            let next = failed.then(|| now + if noticed { TOLD } else { patience });
            // The earliest deadline holds.
            until = [until, next].into_iter().flatten().min();
            if until.is_some_and(|until| now >= until) {
                self.kill();
            }
            thread::sleep(LOOK);
        }
    }

    fn kill(&mut self) {
        self.0.iter_mut().for_each(|child| drop(child.kill()));
    }
}

impl Drop for Children {
    fn drop(&mut self) {
        self.kill();
        self.0.iter_mut().for_each(|child| drop(child.wait()));
    }
}

/// Returns the arguments as they were given.
fn words(common: &Common) -> Vec<std::ffi::OsString> {
    let mut words: Vec<std::ffi::OsString> = vec![common.game.clone().into()];
    if let Some(folder) = &common.tables {
        words.extend(["--tables".into(), folder.into()]);
    }
    if let Some(limit) = common.memory_limit {
        words.extend(["--memory-limit".into(), limit.to_string().into()]);
    }
    for (flag, given) in [("--plain", common.plain), ("--again", common.again), ("--check", common.check)] {
        words.extend(given.then(|| flag.into()));
    }
    let seconds = [
        ("--keep-every", common.keep_every),
        ("--start-within", common.start_within),
        ("--patience", common.patience),
    ];
    for (flag, value) in seconds {
        words.extend([flag.into(), value.to_string().into()]);
    }
    words.extend(["--threads".into(), common.threads.to_string().into()]);
    words
}
