//! Nothing of an engine outlives its game: processes are known by a tag in their environment, a small guard
//! process ends them when the referee dies, and limits are set between `fork` and the engine.

use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process, setrlimit};

/// The variable that marks an engine and everything it starts, wherever it hides.
pub const TAG: &str = "GRUNDY_REFEREE_TAG";
/// The hidden subcommand of the guard process.
pub const GUARD_COMMAND: &str = "__guard";
/// The hidden subcommand that sets limits and becomes the engine.
pub const LIMIT_COMMAND: &str = "__limit";

/// How often everything with a tag is looked for again: a process may start another while it is killed.
const ROUNDS: usize = 20;

/// A tag for one engine process.
pub fn new_tag() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    watch();
    format!("{}.{}", referee_tag(), NEXT.fetch_add(1, Ordering::Relaxed))
}

fn referee_tag() -> &'static str {
    static MINE: OnceLock<String> = OnceLock::new();
    MINE.get_or_init(|| {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_nanos());
        format!("{}-{now:x}", std::process::id())
    })
}

/// Starts the guard once. It ends the engines when its input ends, and that is when we do, however we end.
fn watch() {
    static GUARD: OnceLock<Option<Child>> = OnceLock::new();
    GUARD.get_or_init(|| {
        let mut command = Command::new(std::env::current_exe().ok()?);
        command.args([GUARD_COMMAND, referee_tag()]).process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().ok()
    });
}

/// The guard's whole life.
pub fn stand_guard(tag: &str) {
    let _ = io::stdin().read_to_end(&mut Vec::new());
    // The dot after the number keeps engine 1 apart from engine 10.
    kill_tagged(&format!("{tag}."));
}

/// Kills every process that carries a tag, where the system shows environments (`/proc`).
pub fn kill_tagged(tag: &str) {
    let whole = !tag.ends_with('.');
    for _ in 0..ROUNDS {
        if kill_once(tag, whole) == 0 {
            return;
        }
    }
}

fn kill_once(tag: &str, whole: bool) -> usize {
    let Ok(processes) = std::fs::read_dir("/proc") else { return 0 };
    let wanted = format!("{TAG}={tag}");
    let mut killed = 0;
    for entry in processes.flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        let Ok(environment) = std::fs::read(entry.path().join("environ")) else { continue };
        let carries = environment.split(|&b| b == 0).any(|variable| match whole {
            true => variable == wanted.as_bytes(),
            false => variable.starts_with(wanted.as_bytes()),
        });
        if carries && Pid::from_raw(pid).is_some_and(|pid| kill_process(pid, Signal::KILL).is_ok()) {
            killed += 1;
        }
    }
    killed
}

/// A command that starts an engine under a limit of data memory.
///
/// # Errors
/// Our own program cannot be found.
pub fn limited(megabytes: u64, words: &[String]) -> io::Result<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg(LIMIT_COMMAND).arg(megabytes.to_string()).arg("--").args(words);
    Ok(command)
}

/// Sets the limit on itself and becomes the engine; returns only where that fails.
///
/// Data memory and not address space: engines that map tables keep their maps.
pub fn become_limited(megabytes: u64, words: &[String]) -> io::Error {
    let bytes = megabytes.saturating_mul(1 << 20);
    let limit = Rlimit { current: Some(bytes), maximum: Some(bytes) };
    if let Err(e) = setrlimit(Resource::Data, limit) {
        return e.into();
    }
    match words.split_first() {
        Some((program, arguments)) => Command::new(program).args(arguments).exec(),
        None => io::Error::from(io::ErrorKind::InvalidInput),
    }
}
