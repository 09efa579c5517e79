//! `grundy-cluster solve`: one process of a solve, with its threads.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use grundy::session::{Belief, Catalog, Next, Settings, Shard, Tabled};
use grundy::table::{Folder, Form, Label, Table, refuse_without_room};
use sha2::{Digest, Sha256};
use timely::WorkerConfig;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::allocator::{AllocatorBuilder, ProcessBuilder};
use timely::communication::{Config, Hooks};
use timely::worker::Worker;

use crate::carry::Carrier;
use crate::cli::{Common, SolveArgs, TOKEN, Usage, seconds};
use crate::join::join;
use crate::kept::Kept;
use crate::meet::{Party, meet};
use crate::watch::Watch;

/// A round ends after this time at the latest, so that progress is told.
const ROUND: Duration = Duration::from_secs(2);
/// A longer list of hosts is no list of hosts.
const LONGEST_HOSTS: u64 = 1 << 20;
/// A longer token is no token.
const LONGEST_TOKEN: u64 = 1 << 12;
/// About what a worker needs besides its cells.
const BUFFERS: u64 = 24 << 20;

/// What all workers of a process know of the work.
struct Job {
    game: &'static dyn Tabled,
    common: Common,
    folder: Folder,
    /// Whether the table is there already, as far as this process sees.
    there: bool,
}

/// What a worker has done.
struct Done {
    /// Whether the table was there already.
    there: bool,
    solved: Duration,
    sent: u64,
    belief: Option<(Belief, Duration)>,
}

pub fn run(catalog: &Catalog, args: &SolveArgs) -> Result<ExitCode> {
    if args.with_parent {
        let signal = rustix::process::Signal::KILL;
        rustix::process::set_parent_process_death_signal(Some(signal))
            .context("cannot end with the parent")?;
    }
    if args.rank >= args.processes {
        return Err(Usage(format!("no rank {} of {} processes", args.rank, args.processes)).into());
    }
    let common = &args.common;
    let settings = Settings { tables: common.tables.clone(), ..Settings::default() };
    // The game is needed until the process ends, by all its threads.
    let session = Box::leak(Box::new(catalog.open(&common.game, &settings).map_err(Usage)?));
    let Some(game) = session.tabled(None) else {
        let why = format!("{} is solved without a table: expected a game with one", session.name());
        return Err(Usage(why).into());
    };
    let game: &'static dyn Tabled = Box::leak(game);
    let workers = args.processes * common.threads;
    refuse(game, common, workers)?;
    let folder = Folder::find(common.tables.as_deref());
    folder.make()?;
    let whose =
        if args.rank == 0 { game.name().to_owned() } else { format!("{} rank {}", game.name(), args.rank) };
    let _lock = folder.lock(&whose)?;
    let path = folder.file(game.name());
    let there = args.rank == 0
        && !common.again
        && path.exists()
        && match Table::open_for(&path, game.name(), game.fingerprint(), game.count()) {
            Ok(_) => true,
            Err(error) => {
                log::warn!("{error}; made anew");
                false
            }
        };
    refuse_without_room(folder.path(), 2 * game.count() / u64::from(args.processes))?;
    let job = Job { game, common: common.clone(), folder, there };
    let (builders, guard, watch) = connect(args, game)?;
    let config = WorkerConfig::default().idle_spin(Duration::from_micros(20));
    let guards = timely::execute::execute_from(builders, guard, config, move |worker| work(worker, &job))
        .map_err(|why| anyhow!(why))?;
    let mut done: Vec<Result<Done>> = Vec::new();
    for worker in guards.join() {
        done.push(worker.map_err(|why| anyhow!(why)).and_then(|done| done.map_err(|why| anyhow!(why))));
    }
    if let Some(watch) = watch {
        watch.done();
    }
    let done = done.into_iter().collect::<Result<Vec<_>>>()?;
    if args.rank == 0 {
        tell(game, args, &path, &done)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Refuses what cannot be made in shards, or not in the memory that it may use.
fn refuse(game: &dyn Tabled, common: &Common, workers: u32) -> Result<()> {
    // With very many shards, one of them is almost nothing.
    match game.shard(0, 1 << 20) {
        None => {
            let why = "its method makes the table in one piece: expected a game solved by layers or by \
                retrograde analysis with predecessors";
            return Err(Usage(format!("{}: {why}; use grundy solve", game.name())).into());
        }
        Some(Err(error)) => return Err(error.into()),
        Some(Ok(_)) => {}
    }
    let each = game.count().div_ceil(workers.into()).saturating_add(BUFFERS);
    let needed = each.saturating_mul(common.threads.into());
    if let Some(limit) =
        common.memory_limit.map(|mb| mb.saturating_mul(1 << 20)).filter(|&limit| needed > limit)
    {
        bail!(
            "needs {} MB of memory in each process, the limit is {} MB",
            needed.div_ceil(1 << 20),
            limit >> 20
        );
    }
    Ok(())
}

type Connected = (Vec<AllocatorBuilder>, Box<dyn std::any::Any + Send>, Option<Watch>);

/// The workers of this process, connected with those of the others.
fn connect(args: &SolveArgs, game: &dyn Tabled) -> Result<Connected> {
    let threads = args.common.threads as usize;
    if args.processes == 1 {
        let config = if threads == 1 { Config::Thread } else { Config::Process(threads) };
        let (builders, guard) = config.try_build().map_err(|why| anyhow!(why))?;
        return Ok((builders, guard, None));
    }
    let hosts = hosts(args)?;
    let party =
        Party { hosts: hosts.clone(), rank: args.rank, token: token(args)?, job: checksum(args, game) };
    let met = meet(party, seconds(args.common.start_within))?;
    let watch = Watch::start(hosts, args.rank, met.life, seconds(args.common.patience));
    let hooks = Hooks::default();
    let inner = ProcessBuilder::new_typed_vector(threads, hooks.refill.clone(), None);
    let rank = args.rank as usize;
    let (builders, guard) = initialize_networking_from_sockets(inner, met.data, rank, threads, hooks)
        .context("cannot start the threads of the network")?;
    Ok((builders.into_iter().map(AllocatorBuilder::Tcp).collect(), Box::new(guard), Some(watch)))
}

/// The address of each process.
fn hosts(args: &SolveArgs) -> Result<Vec<String>> {
    let Some(path) = &args.hosts else {
        return Err(Usage(
            "several processes need --hosts FILE, with HOST:PORT of each in a line".to_owned(),
        )
        .into());
    };
    let text = read(path, LONGEST_HOSTS)?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let hosts: Vec<String> = lines.map(str::to_owned).collect();
    if hosts.len() != args.processes as usize {
        let why = format!("{} has {} hosts: expected {}", path.display(), hosts.len(), args.processes);
        return Err(Usage(why).into());
    }
    Ok(hosts)
}

/// The secret that the processes share.
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
        return Err(Usage(why).into());
    }
    Ok(token.as_bytes().to_vec())
}

fn read(path: &PathBuf, longest: u64) -> Result<String> {
    grundy::files::read_text(path, longest)
        .map_err(|error| Usage(format!("cannot read {path:?}: {error}")).into())
}

/// A checksum of all that must be the same for the processes of a solve.
fn checksum(args: &SolveArgs, game: &dyn Tabled) -> [u8; 32] {
    let Common { threads, plain, again, check, keep_every, .. } = args.common;
    let words = (env!("CARGO_PKG_VERSION"), game.name(), game.fingerprint(), game.count());
    Sha256::digest(format!("{words:?} {:?}", (args.processes, threads, plain, again, check, keep_every)))
        .into()
}

/// All that one worker does.
fn work(worker: &mut Worker, job: &Job) -> Result<Done, String> {
    solve(worker, job).map_err(|error| format!("{error:#}"))
}

fn solve(worker: &mut Worker, job: &Job) -> Result<Done> {
    let Job { game, common, folder, .. } = job;
    let (index, peers) = (worker.index() as u32, worker.peers() as u32);
    let anew = || -> Result<Box<dyn Shard>> {
        let shard = game.shard(index, peers).context("the method makes the table in one piece")?;
        Ok(shard?)
    };
    let begun = Instant::now();
    let shard = anew()?;
    let mut carrier = Carrier::new(worker, shard);
    let there = carrier.exchange(vec![job.there.into()])?[0] == [1];
    if there {
        return Ok(Done { there, solved: begun.elapsed(), sent: 0, belief: None });
    }
    let parts = folder.part(game.name()).with_extension("cluster");
    let mut kept = Kept::new(&parts, game.name(), game.fingerprint(), &carrier, seconds(common.keep_every));
    let mut number = kept.go_on(&mut carrier, anew)?;
    if number > 0 && index == 0 {
        let progress = carrier.with(|shard| shard.progress());
        log::info!("goes on from round {number}: {}", progress.what);
    }
    loop {
        let limit = ROUND.min(kept.until_due()).max(Duration::from_millis(1));
        let (next, due) = carrier.round(limit, kept.is_due().into())?;
        if next == Next::Done {
            break;
        }
        number += 1;
        if due > 0 {
            kept.save(&mut carrier, number)?;
        }
        if index == 0 {
            let progress = carrier.with(|shard| shard.progress());
            log::debug!("round {number}: {}, {} of {}", progress.what, progress.done, progress.total);
        }
    }
    let solved = begun.elapsed();
    let (name, fingerprint, maker) = (game.name().to_owned(), game.fingerprint(), game.maker());
    let form = if common.plain { Form::Plain } else { Form::Packed };
    join(&mut carrier, &folder.file(&name), &Label { name, fingerprint, maker }, form)?;
    kept.discard();
    let belief = if common.check { Some(prove(&mut carrier)?) } else { None };
    Ok(Done { there, solved, sent: carrier.sent(), belief })
}

/// Proves the finished shards.
fn prove(carrier: &mut Carrier<'_>) -> Result<(Belief, Duration)> {
    let begun = Instant::now();
    carrier.with(|shard| shard.prove());
    while carrier.round(ROUND, 0)?.0 != Next::Done {}
    Ok((carrier.with(|shard| shard.belief()), begun.elapsed()))
}

/// Tells what was done.
fn tell(game: &dyn Tabled, args: &SolveArgs, path: &PathBuf, done: &[Done]) -> Result<()> {
    let mut out = io::stdout();
    let Some(first) = done.first() else { bail!("no worker has done anything") };
    if first.there {
        writeln!(out, "{}: there already", path.display())?;
        if args.common.check {
            bail!("a table that is there already is proved by grundy tables verify");
        }
        return Ok(());
    }
    let sent: u64 = done.iter().map(|done| done.sent).sum();
    writeln!(
        out,
        "{}: {} numbers in {:.2} s ({} processes of {} threads), {:.1} MB sent by this one",
        game.name(),
        game.count(),
        first.solved.as_secs_f64(),
        args.processes,
        args.common.threads,
        sent as f64 / 1e6
    )?;
    writeln!(out, "{}: {} bytes", path.display(), std::fs::metadata(path).map_or(0, |file| file.len()))?;
    match &first.belief {
        None => {}
        Some((Belief::Proved, time)) => writeln!(
            out,
            "proved: the values of all {} numbers follow from the rules, {:.1} s",
            game.count(),
            time.as_secs_f64()
        )?,
        Some((belief, time)) => {
            writeln!(out, "{belief}; {} numbers, {:.1} s", game.count(), time.as_secs_f64())?
        }
    }
    Ok(())
}
