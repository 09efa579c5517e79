//! Processes that are killed, stopped, left alone, or meet strangers.

use std::collections::HashMap;
use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU8, Ordering};
use std::thread::sleep;
use std::time::Duration;

use grundy::random::SplitMix64;
use grundy::table::Packing;

use crate::tools::{
    PATIENT, children, ended, expected, hosts, made, names, program, running, said, signal, wait_until,
};

const GAME: &str = "teeko:4x4";
/// A game whose tables are made part by part.
const POINTS: &str = "awari:9";

/// Runs `launch` for a game, with checkpoints all the time.
fn launch(game: &str, folder: &Path, processes: u32, more: &[&str]) -> Command {
    let mut command = program();
    command.args(["launch", game, "--keep-every", "0.05", "--local", &processes.to_string(), "--tables"]);
    command.arg(folder).args(more).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Reports whether a folder has a checkpoint to which every worker has added its shard.
fn is_kept(folder: &Path) -> bool {
    let Some(parts) = names(folder).into_iter().find(|name| name.ends_with(".cluster")) else { return false };
    let mut shards: HashMap<String, usize> = HashMap::new();
    for file in fs::read_dir(folder.join(parts)).into_iter().flatten().flatten() {
        let name = file.file_name();
        // As in `shard-0-of-3.round-5-1f`; files that are still written have another ending.
        let Some((shard, round)) = name.to_str().and_then(|name| name.split_once(".round-")) else {
            continue;
        };
        let workers = shard.rsplit('-').next().and_then(|count| count.parse().ok());
        let saved = shards.entry(round.to_owned()).or_default();
        *saved += 1;
        if !round.contains('.') && workers == Some(*saved) {
            return true;
        }
    }
    false
}

/// Stops a worker of a run that is under way and has kept some of its work; `None` where the run has ended before.
fn stop_worker(folder: &Path, run: &mut Child, rank: usize) -> Option<Vec<u32>> {
    wait_until(|| is_kept(folder) || !running(run));
    let workers = children(run.id());
    signal(*workers.get(rank)?, "STOP");
    // Without this worker there will be no table.
    sleep(Duration::from_millis(200));
    (running(run) && !names(folder).iter().any(|name| name.ends_with(".grundy"))).then_some(workers)
}

#[test]
fn a_killed_worker_is_named_and_the_solve_goes_on() {
    kill_one(GAME);
    kill_one(POINTS);
}

fn kill_one(game: &str) {
    let folder = tempfile::tempdir().unwrap();
    let mut run = launch(game, folder.path(), 3, &PATIENT).env("RUST_LOG", "info").spawn().unwrap();
    let stopped = stop_worker(folder.path(), &mut run, 0);
    if let Some(workers) = &stopped {
        signal(workers[1], "KILL");
        signal(workers[0], "CONT");
    }
    let run = ended(run);
    let (_, log) = said(&run);
    assert!(run.status.success(), "{log}");
    assert!(made(folder.path(), game) == expected(game, Packing::Packed), "other bytes: {log}");
    let named = log.contains("rank 1 (127.0.0.1:") && log.contains("is lost") && log.contains("resumes from");
    assert!(stopped.is_none() || named, "{log}");
    assert_eq!(names(folder.path()).len(), 1, "{:?}", names(folder.path()));
}

#[test]
fn a_silent_worker_is_lost_after_the_time_that_was_said() {
    let folder = tempfile::tempdir().unwrap();
    let mut run = launch(GAME, folder.path(), 2, &["--patience", "1", "--restarts", "0"]).spawn().unwrap();
    let stopped = stop_worker(folder.path(), &mut run, 1);
    let run = ended(run);
    let (out, log) = said(&run);
    if stopped.is_some() {
        assert_eq!((run.status.code(), out.as_str()), (Some(3), ""), "{log}");
        assert!(log.contains("rank 1") && log.contains("it has been silent for 1 s"), "{log}");
        assert!(is_kept(folder.path()));
    }
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
    assert!(log.contains("resumes from round") || out.contains("there already"), "{out}{log}");
    assert!(made(folder.path(), GAME) == expected(GAME, Packing::Packed), "other bytes: {log}");
    assert_eq!(names(folder.path()).len(), 1, "{:?}", names(folder.path()));
}

#[test]
fn a_damaged_or_foreign_piece_of_work_is_not_gone_on_from() {
    let folder = tempfile::tempdir().unwrap();
    let parts = folder.path().join("lgame.cluster");
    fs::create_dir(&parts).unwrap();
    for (name, text) in [
        ("shard-0-of-1.round-7-00000000000000aa", "damaged"),
        ("shard-0-of-1.round-7", "of another version"),
        ("shard-0-of-1.round-8-00000000000000aa.tmp.1", "half"),
        ("shard-1-of-2.round-8-00000000000000aa", "of another number of workers"),
    ] {
        fs::write(parts.join(name), text).unwrap();
    }
    let run = program().args(["solve", "lgame", "--tables"]).arg(folder.path()).output().unwrap();
    assert!(run.status.success(), "{:?}", said(&run));
    assert!(made(folder.path(), "lgame") == expected("lgame", Packing::Packed));
    assert_eq!(names(folder.path()).len(), 1, "{:?}", names(folder.path()));
}

/// A process of a solve by hand: its rank, and the addresses as it sees them.
fn by_hand(game: &str, folder: &Path, rank: usize, hosts: &[String], token: &str, within: &str) -> Child {
    let file = folder.join(format!("hosts-{rank}"));
    fs::write(&file, hosts.join("\n")).unwrap();
    let mut command = program();
    command.args(["solve", game, "--processes", &hosts.len().to_string()]);
    command.args(["--keep-every", "0.05", "--patience", "2"]);
    command.args(["--start-within", within, "--rank", &rank.to_string(), "--hosts"]).arg(&file);
    command.arg("--tables").arg(folder.join(rank.to_string())).env("GRUNDY_CLUSTER_TOKEN", token);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Runs both processes by hand to the end, and compares the table.
fn finish(folder: &Path) {
    let hosts = hosts(2);
    let runs = [0, 1].map(|rank| by_hand(GAME, folder, rank, &hosts, "secret", "600"));
    let runs = runs.map(ended);
    assert!(runs.iter().all(|run| run.status.success()), "{:?}", runs.each_ref().map(said));
    assert!(made(&folder.join("0"), GAME) == expected(GAME, Packing::Packed));
}

#[test]
fn strangers_that_connect_do_no_harm() {
    let folder = tempfile::tempdir().unwrap();
    let hosts = hosts(2);
    let start = |rank| by_hand(GAME, folder.path(), rank, &hosts, "secret", "600");
    let first = start(0);
    let mut strangers = Vec::new();
    wait_until(|| {
        strangers.extend(TcpStream::connect(&hosts[0]));
        strangers.len() == 3
    });
    strangers[1].write_all(&[b'x'; 100]).unwrap();
    strangers[2].write_all(b"\x89grclus1").unwrap();
    drop(strangers.remove(0));
    let runs = [first, start(1)].map(ended);
    assert!(runs.iter().all(|run| run.status.success()), "{:?}", runs.each_ref().map(said));
    assert!(made(&folder.path().join("0"), GAME) == expected(GAME, Packing::Packed));
    let (out, _) = said(&runs[0]);
    assert_eq!(out.lines().count(), 2, "{out}");
    assert_eq!(said(&runs[1]).0, "");
}

#[test]
fn another_token_ends_the_start_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let hosts = hosts(2);
    let mut second = by_hand(GAME, folder.path(), 1, &hosts, "wrong", "600");
    // The first one is there until the other has been refused.
    let first = loop {
        let first = ended(by_hand(GAME, folder.path(), 0, &hosts, "right", "0.4"));
        if !running(&mut second) {
            break first;
        }
    };
    let second = ended(second);
    assert_eq!((first.status.code(), second.status.code()), (Some(3), Some(1)));
    let (_, log) = said(&second);
    assert!(log.lines().count() == 1 && log.contains("rank 0") && log.contains("has another token"), "{log}");
    let (_, log) = said(&first);
    assert!(log.contains("not all processes came in time: rank 1"), "{log}");
}

#[test]
fn a_process_that_nobody_joins_gives_up_in_time() {
    let folder = tempfile::tempdir().unwrap();
    let first = ended(by_hand(GAME, folder.path(), 0, &hosts(2), "t", "0.3"));
    let (out, log) = said(&first);
    assert_eq!((first.status.code(), out.as_str(), log.lines().count()), (Some(3), "", 1), "{log}");
    assert!(log.contains("not all processes came in time: rank 1"), "{log}");
}

#[test]
fn a_process_that_waits_for_others_is_not_lost() {
    let folder = tempfile::tempdir().unwrap();
    let [first, second, third, elsewhere] = hosts(4).try_into().unwrap();
    // The third process looks for the second where it is not; the first meets both.
    let hosts = [first.clone(), second, third.clone()];
    let other = [first, elsewhere, third];
    let start = |rank, hosts: &[String]| by_hand(GAME, folder.path(), rank, hosts, "secret", "6");
    let runs = [start(0, &hosts), start(1, &other), start(2, &hosts)].map(ended);
    let logs = runs.each_ref().map(|run| said(run).1);
    assert!(runs.iter().all(|run| run.status.code() == Some(3)), "{logs:?}");
    assert!(!logs.iter().any(|log| log.contains("silent")), "{logs:?}");
    assert!(logs[2].contains("not all processes came in time: rank 1"), "{logs:?}");
}

/// A proxy hands on what comes.
const PASS: u8 = 0;
/// Nothing more is handed on, and nobody is told.
const HOLD_ALL: u8 = 1;
/// The same, for the messages only: heartbeats pass.
const HOLD_DATA: u8 = 2;
/// The connections end.
const CUT: u8 = 3;

/// Hands on what comes from one side to the other, as long as it may.
fn pump(mut from: TcpStream, mut to: TcpStream, data: bool, mode: &AtomicU8) {
    let mut buffer = [0; 1 << 16];
    from.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
    loop {
        let mode = mode.load(Ordering::Acquire);
        if mode == CUT {
            let _ = (from.shutdown(Shutdown::Both), to.shutdown(Shutdown::Both));
            return;
        }
        let held = mode == HOLD_ALL || mode == HOLD_DATA && data;
        match from.read(&mut buffer) {
            Ok(0) => return drop(to.shutdown(Shutdown::Write)),
            Ok(_) if held => {}
            Ok(read) => {
                if to.write_all(&buffer[..read]).is_err() {
                    return;
                }
            }
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(_) => return,
        }
    }
}

/// Accepts connections, and hands on what comes to an address.
fn proxy(listener: &TcpListener, to: &str, mode: &'static AtomicU8) {
    for near in listener.incoming().map_while(Result::ok) {
        let Ok(far) = TcpStream::connect(to) else { continue };
        let (mut near, mut far) = (near, far);
        let mut hello = [0; 61];
        if near.read_exact(&mut hello).is_err() || far.write_all(&hello).is_err() {
            continue;
        }
        // Behind the magic and the rank.
        let data = hello[12] == 0;
        for (from, to) in [(near.try_clone().unwrap(), far.try_clone().unwrap()), (far, near)] {
            std::thread::spawn(move || pump(from, to, data, mode));
        }
    }
}

/// The addresses of two processes as the first knows them and as the second does, who reaches the first through a proxy;
/// and what the proxy does.
fn proxied() -> ([String; 2], [String; 2], &'static AtomicU8) {
    let [first, second, between] = hosts(3).try_into().unwrap();
    let listener = TcpListener::bind(&between).unwrap();
    let mode: &'static AtomicU8 = Box::leak(Box::new(AtomicU8::new(PASS)));
    let to = first.clone();
    std::thread::spawn(move || proxy(&listener, &to, mode));
    ([first, second.clone()], [between, second], mode)
}

#[test]
fn a_network_that_is_cut_ends_in_one_line_and_the_solve_goes_on() {
    let cuts = [
        (CUT, "its connection has ended"),
        (HOLD_ALL, "it has been silent for 2 s"),
        (HOLD_DATA, "the messages between the processes do not arrive"),
    ];
    // They mostly wait.
    std::thread::scope(|scope| {
        for (kind, expected) in cuts {
            scope.spawn(move || cut_off(kind, expected));
        }
    });
}

/// Two processes between which the network does this.
fn cut_off(kind: u8, expected: &str) {
    let folder = tempfile::tempdir().unwrap();
    let (hosts, through, mode) = proxied();
    let mut first = by_hand(GAME, folder.path(), 0, &hosts, "secret", "600");
    let second = by_hand(GAME, folder.path(), 1, &through, "secret", "600");
    let own = folder.path().join("0");
    let begun = || own.join("teeko_4x4.cluster").exists();
    wait_until(|| begun() || !running(&mut first));
    mode.store(kind, Ordering::Release);
    let runs = [first, second].map(ended);
    let logs = runs.each_ref().map(|run| said(run).1);
    for (run, log) in runs.iter().zip(&logs) {
        assert!(matches!(run.status.code(), Some(0 | 3)), "{logs:?}");
        assert!(run.status.success() || log.lines().count() == 1, "{logs:?}");
    }
    // Whoever has just finished may not notice any more.
    let some = logs.iter().any(|log| log.contains(expected) || log.contains("has ended"));
    assert!(runs.iter().all(|run| run.status.success()) || some, "{expected}: {logs:?}");
    finish(folder.path());
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

/// The counts of faults, by kind.
#[derive(Debug, Default)]
#[allow(dead_code)] // they are shown
struct Hurt {
    killed: u32,
    stopped: u32,
    stopped_for_a_while: u32,
    stopped_for_20_s: u32,
    disks_full: u32,
    networks_cut: u32,
    networks_silent: u32,
}

/// A solve in which workers are killed, stopped, or have their disks full at random moments.
fn hurt_workers(game: &str, expected: &[u8], random: &mut SplitMix64, hurt: &mut Hurt) {
    let folder = tempfile::tempdir().unwrap();
    // Who is patient outlasts a stop of 20 s, and others start again.
    let patience = ["2", "2", "40"][random.below(3)];
    let processes = 2 + random.below(2) as u32;
    let run = launch(game, folder.path(), processes, &["--patience", patience]).spawn().unwrap();
    let mut full = false;
    for _ in 0..=random.below(3) {
        sleep(Duration::from_millis(random.below(1000) as u64));
        let workers = children(run.id());
        if workers.is_empty() {
            continue;
        }
        let worker = workers[random.below(workers.len())];
        let stop_for = |millis: u64| {
            signal(worker, "STOP");
            sleep(Duration::from_millis(millis));
            signal(worker, "CONT");
        };
        match random.below(10) {
            0..4 => {
                hurt.killed += 1;
                signal(worker, "KILL");
            }
            4 => {
                hurt.stopped += 1;
                signal(worker, "STOP");
            }
            5 | 6 => {
                hurt.stopped_for_a_while += 1;
                stop_for([300, 3000][random.below(2)]);
            }
            7 | 8 => {
                hurt.stopped_for_20_s += 1;
                stop_for(20_000);
            }
            _ => {
                hurt.disks_full += 1;
                full = true;
                let limit = ["--fsize=4096", "--pid", &worker.to_string()];
                let _ = Command::new("prlimit").args(limit).output().unwrap();
            }
        }
    }
    let run = ended(run);
    let (_, log) = said(&run);
    if full && run.status.code() == Some(1) {
        assert!(log.contains("File too large"), "{game}: {log}");
        let tables = names(folder.path()).into_iter().filter(|name| name.ends_with(".grundy"));
        assert_eq!(tables.count(), 0, "{game}: {log}");
        return;
    }
    assert!(run.status.success(), "{game}: {log}");
    assert!(made(folder.path(), game) == expected, "{game}: other bytes: {log}");
}

/// A solve by hand in two processes, started until both have ended well; the network between them is hurt by a proxy at
/// random moments of the first starts.
fn hurt_network(game: &str, expected: &[u8], random: &mut SplitMix64, hurt: &mut Hurt) {
    let folder = tempfile::tempdir().unwrap();
    let (hosts, through, mode) = proxied();
    let cuts = 1 + random.below(3);
    for start in 0.. {
        mode.store(PASS, Ordering::Release);
        let within = if start < cuts { "10" } else { "600" };
        let first = by_hand(game, folder.path(), 0, &hosts, "secret", within);
        let second = by_hand(game, folder.path(), 1, &through, "secret", within);
        if start < cuts {
            sleep(Duration::from_millis(random.below(1500) as u64));
            let kind = [CUT, HOLD_ALL, HOLD_DATA][random.below(3)];
            *if kind == CUT { &mut hurt.networks_cut } else { &mut hurt.networks_silent } += 1;
            mode.store(kind, Ordering::Release);
        }
        let runs = [first, second].map(ended);
        for run in &runs {
            let (_, log) = said(run);
            assert!(matches!(run.status.code(), Some(0 | 3)), "{game}: {log}");
            // Whoever was cut off while it shook hands is warned of besides.
            let told = log.lines().filter(|line| !line.contains("WARN")).count();
            assert!(run.status.success() || told == 1, "{game}: {log}");
        }
        if runs.iter().all(|run| run.status.success()) {
            break;
        }
        assert!(start < cuts + 3, "{game}: {:?}", runs.each_ref().map(said));
    }
    assert!(made(&folder.path().join("0"), game) == expected, "{game}: other bytes");
}

/// A hundred solves in which a worker is killed, stopped for a while, for 20 s or for ever, has its disk full, or is cut
/// off, at random moments. Four at a time: most of them wait.
#[test]
#[ignore = "minutes: cargo test --release -p grundy-cluster -- --ignored a_hundred --nocapture"]
fn a_hundred_solves_that_are_hurt_end_with_the_same_table() {
    let games = [GAME, POINTS].map(|game| (game, expected(game, Packing::Packed)));
    let lane = |seed: u64| {
        let (mut random, mut hurt) = (SplitMix64(seed), Hurt::default());
        for solve in 0..25 {
            let (game, expected) = &games[random.below(2)];
            match solve % 4 {
                3 => hurt_network(game, expected, &mut random, &mut hurt),
                _ => hurt_workers(game, expected, &mut random, &mut hurt),
            }
        }
        println!("{hurt:?}");
    };
    std::thread::scope(|scope| {
        (1..=4).for_each(|seed| drop(scope.spawn(move || lane(seed))));
    });
}
