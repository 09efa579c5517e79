//! `grundy-cluster solve`: one process of a solve, with its threads.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use grundy::output::stdout;
use grundy::session::{Assurance, Catalog, Next, Settings, SolveError, Tabled, Work, quiet_work};
use grundy::table::{Folder, Packing, refuse_without_room};
use grundy::text::{counted, grouped, size};
use sha2::{Digest, Sha256};
use timely::WorkerConfig;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::allocator::{AllocatorBuilder, ProcessBuilder};
use timely::communication::{Config, Hooks};
use timely::worker::Worker;

use crate::checkpoint::CheckpointFiles;
use crate::cli::{Common, FAILED, SolveArgs, TOKEN, seconds, usage};
use crate::heartbeat::Heartbeat;
use crate::join::join;
use crate::limits;
use crate::rendezvous::{self, Party};
use crate::system;
use crate::transport::Transport;
use crate::watch::{Watch, tell as tell_line};

/// The longest round, so that progress is reported.
const ROUND: Duration = Duration::from_secs(2);
/// The longest list of hosts, in bytes.
const LONGEST_HOSTS: u64 = 1 << 20;
/// The longest token, in bytes.
const LONGEST_TOKEN: u64 = 1 << 12;
/// About the memory that a worker needs besides its cells, in bytes.
const BUFFERS: u64 = 24 << 20;

/// The job of all workers of a process.
struct Job {
    /// The tables to build, one after another.
    tables: Vec<TableJob>,
    common: Common,
    folder: Folder,
    heartbeat: Arc<Heartbeat>,
}

/// One table to build.
struct TableJob {
    game: &'static dyn Tabled,
    /// True if this process has found its file.
    there: bool,
}

/// A worker's report on a table.
struct Done {
    /// True if its file existed already.
    there: bool,
    solved: Duration,
    sent: u64,
    rounds: u64,
    assurance: Option<(Assurance, Duration)>,
}

pub fn run(catalog: &Catalog, args: &SolveArgs) -> Result<ExitCode> {
    if let Some(parent) = args.launched_by {
        system::end_with(parent)?;
    }
    if args.rank >= args.processes {
        return Err(usage(format!("no rank {} of {} processes", args.rank, args.processes)));
    }
    let common = &args.common;
    let settings = Settings { tables: common.tables.clone(), ..Settings::default() };
    // All threads need the game until the process ends.
    let session = Box::leak(Box::new(catalog.open(&common.game, &settings).map_err(usage)?));
    let Some(game) = session.tabled(None) else {
        let why = format!("{} is solved without a table: expected a game with one", session.name());
        return Err(usage(why));
    };
    let game: &'static dyn Tabled = Box::leak(game);
    let folder = session.folder().clone();
    let bytes = common.memory_limit.map(|mb| mb.saturating_mul(1 << 20));
    let parts: Vec<&'static dyn Tabled> = match game.parts() {
        parts if parts.is_empty() => vec![game],
        parts => parts.into_iter().map(|part| &*Box::leak(part)).collect(),
    };
    let workers = args.processes * common.threads;
    game.prepare(&Work { threads: common.threads as usize, memory_limit: bytes, ..quiet_work() }, false)?;
    let each: Vec<u64> = parts.iter().map(|part| refuse(*part, common, workers)).collect::<Result<_>>()?;
    folder.make()?;
    let whose =
        if args.rank == 0 { game.name().to_owned() } else { format!("{} rank {}", game.name(), args.rank) };
    let _lock = folder.lock(&whose)?;
    let others = parts.iter().filter(|part| args.rank == 0 && part.name() != game.name());
    let _locks = others.map(|part| folder.lock(part.name())).collect::<Result<Vec<_>, _>>()?;
    let there = |part: &dyn Tabled| args.rank == 0 && !common.again && is_there(&folder, part);
    let tables: Vec<TableJob> =
        parts.iter().map(|&part| TableJob { game: part, there: there(part) }).collect();
    let missing = tables.iter().zip(each).filter(|(table, _)| !table.there);
    let room = missing.map(|(table, each)| (2 * each).saturating_mul(table.game.count())).max().unwrap_or(0);
    refuse_without_room(folder.path(), room / u64::from(args.processes))?;
    if args.rank == 0 {
        game.prepare(&quiet_work(), true)?;
    }
    let heartbeat = Arc::new(Heartbeat::default());
    let job =
        Job { tables, common: common.clone(), folder: folder.clone(), heartbeat: Arc::clone(&heartbeat) };
    let (builders, guard, watch) = connect(args, game, &heartbeat)?;
    let config = WorkerConfig::default().idle_spin(Duration::from_micros(20));
    let guards = timely::execute::execute_from(builders, guard, config, move |worker| work(worker, &job))
        .map_err(|why| anyhow!(why))?;
    let mut done: Vec<Result<Vec<Done>>> = Vec::new();
    for worker in guards.join() {
        done.push(worker.map_err(|why| anyhow!(why)).and_then(|done| done.map_err(|why| anyhow!(why))));
    }
    if let Some(watch) = watch {
        watch.done();
    }
    let done = done.into_iter().collect::<Result<Vec<_>>>()?;
    if args.rank == 0 {
        for (at, part) in parts.iter().enumerate() {
            let done: Vec<&Done> = done.iter().filter_map(|tables| tables.get(at)).collect();
            tell(*part, args, &folder.file(part.name()), &done)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Reports whether the folder has the table.
fn is_there(folder: &Folder, game: &dyn Tabled) -> bool {
    let existing = game.existing(folder, game.count()).unwrap_or_else(|error| {
        log::warn!("{error}; it is built again");
        None
    });
    existing.is_some()
}

/// Refuses a table that cannot be built in shards, or not within the memory limits; returns the bytes of each position.
///
/// # Errors
/// The table is refused; one line.
fn refuse(game: &dyn Tabled, common: &Common, workers: u32) -> Result<u64> {
    // One of very many shards takes almost no memory.
    let number = match game.shard(0, 1 << 20) {
        None => {
            let why = "its method makes the table in one piece: expected a game solved by layers, by retrograde \
                analysis, tier by tier, or by thresholds";
            return Err(usage(format!("{}: {why}; use grundy solve", game.name())));
        }
        // A tier's moves may lead to a tier that is built before it.
        Some(Err(SolveError::NoTable { .. })) => 1,
        Some(Ok(shard)) => shard.bytes_each(),
        Some(Err(error)) => return Err(error.into()),
    };
    let each = game.count().div_ceil(workers.into()).saturating_mul(number).saturating_add(BUFFERS);
    let needed = each.saturating_mul(common.threads.into());
    let given = common.memory_limit.map(|mb| mb.saturating_mul(1 << 20));
    let limit = [given, limits::memory()].into_iter().flatten().min();
    if let Some(limit) = limit.filter(|&limit| needed > limit) {
        bail!(
            "needs {} MB of memory in each process, the limit is {} MB",
            needed.div_ceil(1 << 20),
            limit >> 20
        );
    }
    Ok(number)
}

type Connected = (Vec<AllocatorBuilder>, Box<dyn std::any::Any + Send>, Option<Watch>);

/// Connects the workers of this process with those of the others.
fn connect(args: &SolveArgs, game: &dyn Tabled, heartbeat: &Arc<Heartbeat>) -> Result<Connected> {
    let threads = args.common.threads as usize;
    if args.processes == 1 {
        let config = if threads == 1 { Config::Thread } else { Config::Process(threads) };
        let (builders, guard) = config.try_build().map_err(|why| anyhow!(why))?;
        return Ok((builders, guard, None));
    }
    let hosts = hosts(args)?;
    let party =
        Party { hosts: hosts.clone(), rank: args.rank, token: token(args)?, job: checksum(args, game) };
    let listener = match args.launched_by {
        Some(_) => system::given()?,
        None => None,
    };
    let (within, patience) = (seconds(args.common.start_within), seconds(args.common.patience));
    let met = rendezvous::connect(party, listener, within)?;
    let watch = Watch::start(hosts, args.rank, met.heartbeat, within, patience, heartbeat);
    let hooks = Hooks::default();
    let inner = ProcessBuilder::new_typed_vector(threads, hooks.refill.clone(), None);
    let rank = args.rank as usize;
    let (builders, guard) = initialize_networking_from_sockets(inner, met.data, rank, threads, hooks)
        .context("cannot start the threads of the network")?;
    Ok((builders.into_iter().map(AllocatorBuilder::Tcp).collect(), Box::new(guard), Some(watch)))
}

/// Reads the address of each process.
fn hosts(args: &SolveArgs) -> Result<Vec<String>> {
    let Some(path) = &args.hosts else {
        return Err(usage(
            "several processes need --hosts FILE, with HOST:PORT of each in a line".to_owned(),
        ));
    };
    let text = read(path, LONGEST_HOSTS)?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let hosts: Vec<String> = lines.map(str::to_owned).collect();
    if hosts.len() != args.processes as usize {
        let why = format!("{} has {} hosts: expected {}", path.display(), hosts.len(), args.processes);
        return Err(usage(why));
    }
    if let Some(twice) = (1..hosts.len()).find(|&at| hosts[..at].contains(&hosts[at])) {
        let why =
            format!("{} names {} twice: expected an address for each process", path.display(), hosts[twice]);
        return Err(usage(why));
    }
    if let Some(host) = hosts.iter().find(|host| host.ends_with(":0")) {
        let why = format!("{} names {host}: expected a port that the others can find", path.display());
        return Err(usage(why));
    }
    Ok(hosts)
}

/// Reads the shared secret.
fn token(args: &SolveArgs) -> Result<Vec<u8>> {
    let token = match &args.token_file {
        Some(path) => read(path, LONGEST_TOKEN)?,
        None => std::env::var(TOKEN).unwrap_or_default(),
    };
    let token = token.trim();
    if token.is_empty() {
        let why = format!(
            "several processes need a secret that they share: expected it in {TOKEN} or --token-file"
        );
        return Err(usage(why));
    }
    Ok(token.as_bytes().to_vec())
}

fn read(path: &PathBuf, longest: u64) -> Result<String> {
    grundy::files::read_text(path, longest).map_err(|error| usage(format!("cannot read {path:?}: {error}")))
}

/// Returns a checksum of all that must be the same for the processes of a solve.
fn checksum(args: &SolveArgs, game: &dyn Tabled) -> [u8; 32] {
    let Common { threads, plain, again, check, keep_every, .. } = args.common;
    let words = (env!("CARGO_PKG_VERSION"), game.name(), game.fingerprint(), game.count());
    Sha256::digest(format!("{words:?} {:?}", (args.processes, threads, plain, again, check, keep_every)))
        .into()
}

/// Builds the tables on one worker.
fn work(worker: &mut Worker, job: &Job) -> Result<Vec<Done>, String> {
    let _busy = job.heartbeat.working();
    let tables = job.tables.iter().map(|table| solve(worker, job, table));
    tables.collect::<Result<_>>().map_err(|error| format!("{error:#}"))
}

fn solve(worker: &mut Worker, job: &Job, table: &TableJob) -> Result<Done> {
    let Job { common, folder, heartbeat, .. } = job;
    let game = table.game;
    let (index, peers) = (worker.index() as u32, worker.peers() as u32);
    // A worker without a shard cannot report an error to the others, so the process exits.
    let anew = || match game.shard(index, peers) {
        Some(Ok(shard)) => shard,
        Some(Err(error @ SolveError::NoTable { .. })) => {
            end(&format!("{}: {error}; expected a folder that all processes share", game.name()))
        }
        Some(Err(error)) => end(&format!("{}: {error}", game.name())),
        None => end(&format!("{}: the method makes the table in one piece", game.name())),
    };
    let begun = Instant::now();
    let mut transport = Transport::new(worker, heartbeat);
    let there = transport.exchange(vec![table.there.into()])?[0] == [1];
    let parts = folder.part(game.name()).with_extension("cluster");
    if there {
        // The process that wrote the table may have been killed before it could remove the checkpoints.
        CheckpointFiles::discard(&parts, &transport);
        return Ok(Done { there, solved: begun.elapsed(), sent: 0, rounds: 0, assurance: None });
    }
    transport.set(anew());
    let every = seconds(common.keep_every);
    let mut kept = CheckpointFiles::new(&parts, game.name(), game.fingerprint(), &transport, every);
    let mut number = kept.go_on(&mut transport, anew)?;
    if number > 0 && index == 0 {
        let progress = transport.with(|shard| shard.progress());
        log::info!("resumes from round {number}: {}", progress.what);
    }
    let first = number;
    loop {
        let limit = ROUND.min(kept.until_due()).max(Duration::from_millis(1));
        let (next, stamp) = transport.round(limit, kept.stamp_if_due())?;
        number += 1;
        if next == Next::Done {
            break;
        }
        if stamp > 0 {
            kept.save(&mut transport, number, stamp)?;
        }
        if index == 0 {
            let progress = transport.with(|shard| shard.progress());
            log::debug!("round {number}: {}, {} of {}", progress.what, progress.done, progress.total);
        }
    }
    let solved = begun.elapsed();
    // Proved before it is written: a worker that is lost meanwhile leaves the checkpoints behind.
    let assurance = if common.check { Some(prove(&mut transport)?) } else { None };
    let packing = if common.plain { Packing::Plain } else { Packing::Packed };
    join(&mut transport, &folder.file(game.name()), &game.label(), packing)?;
    CheckpointFiles::discard(&parts, &transport);
    Ok(Done { there, solved, sent: transport.sent(), rounds: number - first, assurance })
}

/// Exits with one line on stderr.
fn end(why: &str) -> ! {
    tell_line(why);
    std::process::exit(FAILED.into())
}

/// Proves the finished shards.
fn prove(transport: &mut Transport<'_>) -> Result<(Assurance, Duration)> {
    let begun = Instant::now();
    transport.with(|shard| shard.prove());
    while transport.round(ROUND, 0)?.0 != Next::Done {}
    Ok((transport.with(|shard| shard.assurance()), begun.elapsed()))
}

/// Prints what was done.
fn tell(game: &dyn Tabled, args: &SolveArgs, path: &Path, done: &[&Done]) -> Result<()> {
    let mut out = stdout();
    let Some(first) = done.first() else { bail!("no worker has done anything") };
    if first.there {
        let verify = if args.common.check { "; grundy tables verify proves it" } else { "" };
        writeln!(out, "{}: there already{verify}", path.display())?;
        return Ok(());
    }
    let sent: u64 = done.iter().map(|done| done.sent).sum();
    writeln!(
        out,
        "{}: {} values in {:.2} s ({} of {}), {} rounds, {:.1} MB sent by this one",
        game.name(),
        grouped(game.count()),
        first.solved.as_secs_f64(),
        if args.processes == 1 { "1 process".to_owned() } else { format!("{} processes", args.processes) },
        counted(args.common.threads, "thread"),
        first.rounds,
        sent as f64 / 1e6
    )?;
    writeln!(out, "{}: {}", path.display(), size(std::fs::metadata(path).map_or(0, |file| file.len())))?;
    if let Some((assurance, time)) = &first.assurance {
        writeln!(out, "{}", assurance.report(game.count(), *time))?;
    }
    Ok(())
}
