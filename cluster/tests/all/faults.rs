//! Processes that are killed, stopped, left alone, or meet strangers.

use std::fs;
use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use grundy::table::Form;

use crate::tools::{children, expected, made, names, program, said, signal};

const GAME: &str = "teeko:4x4";

/// `launch` of the game in so many processes, which keeps its work all the time.
fn launch(folder: &Path, processes: u32, more: &[&str]) -> Command {
    let mut command = program();
    command.args(["launch", GAME, "--keep-every", "0.05", "--local", &processes.to_string(), "--tables"]);
    command.arg(folder).args(more).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Waits until something is so, for a minute.
fn wait_until(mut so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !so() {
        assert!(begun.elapsed() < Duration::from_secs(60), "waited for too long");
        sleep(Duration::from_millis(5));
    }
}

/// Whether some of the work is kept in a folder, by two workers at least.
fn is_kept(folder: &Path) -> bool {
    let Some(parts) = names(folder).into_iter().find(|name| name.ends_with(".cluster")) else { return false };
    let whole =
        |name: &str| name.split_once(".round-").is_some_and(|(_, round)| round.parse::<u64>().is_ok());
    let files = fs::read_dir(folder.join(parts)).into_iter().flatten().flatten();
    files.filter(|file| file.file_name().to_str().is_some_and(whole)).count() >= 2
}

fn running(child: &mut Child) -> bool {
    child.try_wait().unwrap().is_none()
}

#[test]
fn a_killed_worker_is_named_and_the_solve_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let mut run = launch(folder.path(), 3, &[]).env("RUST_LOG", "info").spawn().unwrap();
    wait_until(|| is_kept(folder.path()) || !running(&mut run));
    let workers = children(run.id());
    if let Some(&worker) = workers.get(1) {
        signal(worker, "KILL");
    }
    let run = run.wait_with_output().unwrap();
    let (_, log) = said(&run);
    assert!(run.status.success(), "{log}");
    assert!(made(folder.path(), GAME) == expected(GAME, Form::Packed), "other bytes: {log}");
    assert!(workers.is_empty() || log.contains("rank 1 (127.0.0.1:") && log.contains("is lost"), "{log}");
    assert_eq!(names(folder.path()).len(), 1, "{:?}", names(folder.path()));
}

#[test]
fn a_silent_worker_is_lost_after_the_time_that_was_said() {
    let folder = tempfile::tempdir().unwrap();
    let mut run = launch(folder.path(), 2, &["--patience", "1.5", "--restarts", "0"]).spawn().unwrap();
    wait_until(|| is_kept(folder.path()) || !running(&mut run));
    let workers = children(run.id());
    let Some(&worker) = workers.get(1) else { return };
    signal(worker, "STOP");
    let begun = Instant::now();
    let run = run.wait_with_output().unwrap();
    let (out, log) = said(&run);
    assert_eq!((run.status.code(), out.as_str()), (Some(3), ""), "{log}");
    assert!(log.contains("rank 1") && log.contains("it has been silent for 1.5 s"), "{log}");
    assert!(begun.elapsed() < Duration::from_secs(20), "{log}");
    assert!(is_kept(folder.path()));
}

#[test]
fn a_solve_that_was_killed_goes_on_from_what_was_kept() {
    let folder = tempfile::tempdir().unwrap();
    let solve = || {
        let mut command = program();
        command
            .args(["solve", GAME, "--keep-every", "0.02", "--threads", "2", "--tables"])
            .arg(folder.path());
        command.env("RUST_LOG", "info").stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    };
    let mut killed = solve().spawn().unwrap();
    wait_until(|| is_kept(folder.path()) || !running(&mut killed));
    killed.kill().unwrap();
    killed.wait().unwrap();
    let run = solve().output().unwrap();
    let (out, log) = said(&run);
    assert!(run.status.success(), "{log}");
    assert!(log.contains("goes on from round") || out.contains("there already"), "{out}{log}");
    assert!(made(folder.path(), GAME) == expected(GAME, Form::Packed), "other bytes: {log}");
    assert_eq!(names(folder.path()).len(), 1, "{:?}", names(folder.path()));
}

#[test]
fn a_damaged_or_foreign_piece_of_work_is_not_gone_on_from() {
    let folder = tempfile::tempdir().unwrap();
    let parts = folder.path().join("lgame.cluster");
    fs::create_dir(&parts).unwrap();
    fs::write(parts.join("shard-0-of-1.round-7"), "damaged").unwrap();
    fs::write(parts.join("shard-0-of-1.round-8.tmp.1"), "half").unwrap();
    let run = program().args(["solve", "lgame", "--tables"]).arg(folder.path()).output().unwrap();
    assert!(run.status.success(), "{:?}", said(&run));
    assert!(made(folder.path(), "lgame") == expected("lgame", Form::Packed));
    assert_eq!(names(folder.path()).len(), 1, "{:?}", names(folder.path()));
}

/// Two processes by hand, with a token each.
fn by_hand(folder: &Path, tokens: [&str; 2], within: &str) -> ([Child; 2], String) {
    let ports = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
    let hosts: Vec<_> = ports.iter().map(|port| port.local_addr().unwrap().to_string()).collect();
    let file = folder.join("hosts");
    fs::write(&file, hosts.join("\n")).unwrap();
    drop(ports);
    let start = |rank: usize| {
        let mut command = program();
        command.args(["solve", "lgame", "--processes", "2", "--start-within", within, "--hosts"]).arg(&file);
        command.args(["--rank", &rank.to_string(), "--tables"]).arg(folder.join(rank.to_string()));
        command.env("GRUNDY_CLUSTER_TOKEN", tokens[rank]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    ([start(0), start(1)], hosts[0].clone())
}

#[test]
fn strangers_that_connect_do_no_harm() {
    let folder = tempfile::tempdir().unwrap();
    let ports = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
    let hosts: Vec<_> = ports.iter().map(|port| port.local_addr().unwrap().to_string()).collect();
    fs::write(folder.path().join("hosts"), hosts.join("\n")).unwrap();
    drop(ports);
    let start = |rank: usize| {
        let mut command = program();
        command.args(["solve", "lgame", "--processes", "2", "--rank", &rank.to_string(), "--hosts"]);
        command.arg(folder.path().join("hosts")).arg("--tables").arg(folder.path().join(rank.to_string()));
        command.env("GRUNDY_CLUSTER_TOKEN", "secret").stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    let first = start(0);
    let mut strangers = Vec::new();
    wait_until(|| {
        strangers.extend(TcpStream::connect(&hosts[0]));
        strangers.len() == 3
    });
    strangers[1].write_all(&[b'x'; 100]).unwrap();
    strangers[2].write_all(b"\x89grclus1").unwrap();
    drop(strangers.remove(0));
    let runs = [first, start(1)].map(|run| run.wait_with_output().unwrap());
    assert!(runs.iter().all(|run| run.status.success()), "{:?}", runs.each_ref().map(said));
    assert!(made(&folder.path().join("0"), "lgame") == expected("lgame", Form::Packed));
    let (out, _) = said(&runs[0]);
    assert_eq!(out.lines().count(), 2, "{out}");
    assert_eq!(said(&runs[1]).0, "");
}

#[test]
fn another_token_ends_the_start_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let (runs, _) = by_hand(folder.path(), ["right", "wrong"], "2");
    let [first, second] = runs.map(|run| run.wait_with_output().unwrap());
    assert_eq!((first.status.code(), second.status.code()), (Some(1), Some(1)));
    let (_, log) = said(&second);
    assert!(log.lines().count() == 1 && log.contains("rank 0") && log.contains("has another token"), "{log}");
    let (_, log) = said(&first);
    assert!(log.contains("not all processes came in time: rank 1"), "{log}");
}

#[test]
fn a_process_that_nobody_joins_gives_up_in_time() {
    let folder = tempfile::tempdir().unwrap();
    let ([first, mut second], _) = by_hand(folder.path(), ["t", "t"], "1");
    second.kill().unwrap();
    second.wait().unwrap();
    let begun = Instant::now();
    let first = first.wait_with_output().unwrap();
    let (out, log) = said(&first);
    assert!(begun.elapsed() < Duration::from_secs(15));
    // It may have met the other one before that was killed.
    assert!(
        matches!(first.status.code(), Some(1 | 3)) && log.contains("rank 1") || out.contains("numbers"),
        "{log}"
    );
}

#[test]
fn a_full_disk_ends_in_one_line_and_keeps_nothing_half() {
    let folder = tempfile::tempdir().unwrap();
    for blocks in [0, 1, 2] {
        let mut shell = Command::new("sh");
        let program = env!("CARGO_BIN_EXE_grundy-cluster");
        shell.args(["-c", &format!("ulimit -f {blocks}; exec \"$0\" \"$@\""), program, "solve", "lgame"]);
        let run = shell.args(["--threads", "2", "--tables"]).arg(folder.path()).output().unwrap();
        let (out, log) = said(&run);
        assert_eq!((run.status.code(), out.as_str()), (Some(1), ""), "{blocks} blocks: {log}");
        assert!(log.contains("File too large") && log.lines().count() == 1, "{blocks} blocks: {log}");
        let left = names(folder.path());
        assert!(left.iter().all(|name| name.ends_with(".cluster")), "{blocks} blocks: {left:?}");
    }
}

/// A hundred solves in which a worker is killed or stopped at a random moment.
#[test]
#[ignore = "minutes: cargo test --release -p grundy-cluster -- --ignored a_hundred"]
fn a_hundred_solves_that_are_hurt_end_with_the_same_table() {
    let expected = expected(GAME, Form::Packed);
    let mut state = 7u64;
    let mut roll = |sides: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % sides
    };
    for solve in 0..100 {
        let folder = tempfile::tempdir().unwrap();
        let begun = Instant::now();
        let mut run = launch(folder.path(), 2 + roll(2) as u32, &["--patience", "2"]).spawn().unwrap();
        for _ in 0..=roll(3) {
            sleep(Duration::from_millis(roll(1000)));
            let workers = children(run.id());
            if !workers.is_empty() {
                let worker = workers[roll(workers.len() as u64) as usize];
                signal(worker, if roll(4) == 0 { "STOP" } else { "KILL" });
            }
        }
        wait_until(|| !running(&mut run));
        let run = run.wait_with_output().unwrap();
        let (_, log) = said(&run);
        assert!(run.status.success(), "solve {solve}: {log}");
        assert!(made(folder.path(), GAME) == expected, "solve {solve}: other bytes: {log}");
        assert!(begun.elapsed() < Duration::from_secs(60), "solve {solve}: {log}");
    }
}
