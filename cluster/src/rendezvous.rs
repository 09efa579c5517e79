//! Connects the processes of a solve: two connections between every pair, one for timely and one for heartbeats. A handshake
//! proves to both ends that the other has the same token and the same job.
//!
//! A connection that does not complete the handshake in time is closed and logged. A number of handshakes run at a time;
//! further connections are closed and must try again.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use sha2::{Digest, Sha256};

use crate::cli::{Failure, LOST};

/// The first bytes of both sides.
const MAGIC: [u8; 8] = *b"\x89grclus1";
/// The longest time of a handshake.
const HANDSHAKE: Duration = Duration::from_secs(5);
/// The time before a process tries again to connect, or to accept.
const RETRY: Duration = Duration::from_millis(50);
/// The most handshakes at a time: further connections are closed at once.
const MOST_HANDSHAKES: usize = 64;
/// The most missing processes that are named; the others are counted.
const NAMED: usize = 4;

/// The purpose of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lane {
    /// The messages of timely.
    Data,
    /// Heartbeats.
    Heartbeat,
}

/// The processes of a solve, as one of them sees them.
pub struct Party {
    /// The address of each process.
    pub hosts: Vec<String>,
    /// The index of this process.
    pub rank: u32,
    /// The shared secret.
    pub token: Vec<u8>,
    /// A checksum of the job, which must be the same for all.
    pub job: [u8; 32],
}

/// The connections with the other processes, by rank; `None` for this one.
pub struct Connections {
    pub data: Vec<Option<TcpStream>>,
    pub heartbeat: Vec<Option<TcpStream>>,
}

/// Connects this process with all others. If there is a `listener`, it is bound to the own address already.
///
/// # Errors
/// The own address cannot be listened on, another process has another token or job, or some have not come in time.
pub fn connect(party: Party, listener: Option<TcpListener>, within: Duration) -> Result<Connections> {
    let until = Instant::now() + within;
    let party = Arc::new(party);
    let own = &party.hosts[party.rank as usize];
    let bind = || -> Result<TcpListener> { Ok(TcpListener::bind(&*resolve(own)?)?) };
    let listener = match listener {
        Some(listener) => listener,
        None => bind().with_context(|| format!("cannot listen on {own}"))?,
    };
    listener.set_nonblocking(true)?;
    let (found, finds) = channel();
    let troubles = Troubles::default();
    for rank in 0..party.rank {
        for lane in [Lane::Data, Lane::Heartbeat] {
            let (party, found, troubles) = (Arc::clone(&party), found.clone(), troubles.clone());
            thread::spawn(move || reach(&party, rank, lane, until, &found, &troubles));
        }
    }
    gather(&party, &listener, until, (&found, &finds), &troubles)
}

/// A connection, or why the start must fail.
type Find = Result<(u32, Lane, TcpStream)>;

/// The last error with each process that is not connected yet.
#[derive(Clone, Default)]
struct Troubles(Arc<Mutex<BTreeMap<u32, String>>>);

impl Troubles {
    fn note(&self, rank: u32, trouble: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(rank, trouble);
    }

    fn of(&self, rank: u32) -> String {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(&rank).map_or_else(|| "nothing was heard of it".to_owned(), Clone::clone)
    }
}

/// Accepts connections until all processes are connected.
fn gather(
    party: &Arc<Party>,
    listener: &TcpListener,
    until: Instant,
    (found, finds): (&Sender<Find>, &Receiver<Find>),
    troubles: &Troubles,
) -> Result<Connections> {
    let handshakes = Arc::new(AtomicUsize::new(0));
    let mut connections: BTreeMap<(u32, Lane), TcpStream> = BTreeMap::new();
    let all = 2 * (party.hosts.len() - 1);
    while connections.len() < all {
        if Instant::now() >= until {
            let missing = (0..party.hosts.len() as u32).filter(|&rank| rank != party.rank);
            let missing = missing.filter(|&rank| {
                [Lane::Data, Lane::Heartbeat].iter().any(|&lane| !connections.contains_key(&(rank, lane)))
            });
            let missing: Vec<u32> = missing.collect();
            let named = missing
                .iter()
                .take(NAMED)
                .map(|&rank| format!("rank {rank} ({}): {}", party.hosts[rank as usize], troubles.of(rank)));
            let others = missing.len().checked_sub(NAMED + 1).map(|more| format!("and {} others", more + 1));
            let named: Vec<_> = named.chain(others).collect();
            let text = format!("not all processes came in time: {}", named.join("; "));
            return Err(Failure { code: LOST, text }.into());
        }
        let wait = match listener.accept() {
            Ok((stream, from)) => {
                if handshakes.load(Ordering::Relaxed) < MOST_HANDSHAKES {
                    handshakes.fetch_add(1, Ordering::Relaxed);
                    let (party, found, handshakes) =
                        (Arc::clone(party), found.clone(), Arc::clone(&handshakes));
                    thread::spawn(move || {
                        match welcome(&party, stream) {
                            Ok(find) => drop(found.send(Ok(find))),
                            Err(why) => log::warn!("a connection from {from} was closed: {why}"),
                        }
                        handshakes.fetch_sub(1, Ordering::Relaxed);
                    });
                } else {
                    log::warn!("a connection from {from} was closed: too many handshakes");
                }
                Duration::ZERO
            }
            Err(error) => {
                if error.kind() != io::ErrorKind::WouldBlock {
                    log::warn!("a connection was not accepted: {error}");
                }
                RETRY
            }
        };
        if let Ok(find) = finds.recv_timeout(wait) {
            let (rank, lane, stream) = find?;
            connections.insert((rank, lane), stream);
        }
    }
    let mut lane = |lane| {
        let all = 0..party.hosts.len() as u32;
        all.map(|rank| connections.remove(&(rank, lane)).map(freed).transpose()).collect::<Result<Vec<_>>>()
    };
    Ok(Connections { data: lane(Lane::Data)?, heartbeat: lane(Lane::Heartbeat)? })
}

/// Removes the time limits of the handshake from a connection.
fn freed(stream: TcpStream) -> Result<TcpStream> {
    stream.set_read_timeout(None)?;
    stream.set_write_timeout(None)?;
    Ok(stream)
}

fn resolve(host: &str) -> Result<Vec<SocketAddr>> {
    let all: Vec<_> =
        host.to_socket_addrs().with_context(|| format!("{host:?}: expected HOST:PORT"))?.collect();
    if all.is_empty() { Err(anyhow!("{host} has no address")) } else { Ok(all) }
}

/// Connects with a process of a lower rank, which may not have started yet.
fn reach(party: &Party, rank: u32, lane: Lane, until: Instant, found: &Sender<Find>, troubles: &Troubles) {
    let host = &party.hosts[rank as usize];
    while Instant::now() < until {
        let tried = resolve(host).map_err(Refused::Later).and_then(|addresses| {
            let left = until.saturating_duration_since(Instant::now()).max(RETRY).min(HANDSHAKE);
            let streams = addresses.iter().map(|address| TcpStream::connect_timeout(address, left));
            let stream = streams.reduce(Result::or).unwrap_or_else(|| Err(io::ErrorKind::NotFound.into()));
            stream.map_err(|error| Refused::Later(error.into())).and_then(|stream| greet(party, lane, stream))
        });
        match tried {
            Ok(stream) => return drop(found.send(Ok((rank, lane, stream)))),
            Err(Refused::Later(error)) => troubles.note(rank, format!("{error:#}")),
            Err(Refused::ForGood(why)) => {
                return drop(found.send(Err(anyhow!("rank {rank} ({host}) {why}"))));
            }
        }
        thread::sleep(RETRY);
    }
}

/// Why a handshake has failed.
enum Refused {
    /// Another attempt may succeed.
    Later(anyhow::Error),
    /// Every attempt will fail.
    ForGood(&'static str),
}

impl From<io::Error> for Refused {
    fn from(error: io::Error) -> Refused {
        Refused::Later(error.into())
    }
}

/// The length of the connecting side's first message.
const HELLO: usize = 8 + 4 + 1 + 32 + 16;
/// The length of the reply.
const REPLY: usize = 8 + 32 + 16 + 32;
/// The verdicts of the accepting side.
const WELCOME: u8 = 1;
const NO: u8 = 2;

/// Performs the handshake of the connecting side.
fn greet(party: &Party, lane: Lane, mut stream: TcpStream) -> Result<TcpStream, Refused> {
    prepare(&stream)?;
    let own = nonce();
    let mut hello = Vec::with_capacity(HELLO);
    hello.extend(MAGIC);
    hello.extend(party.rank.to_le_bytes());
    hello.push(lane as u8);
    hello.extend(party.job);
    hello.extend(own);
    stream.write_all(&hello)?;
    let mut reply = [0; REPLY];
    let until = Instant::now() + HANDSHAKE;
    read_until(&mut stream, &mut reply, until)?;
    let (magic, rest) = reply.split_at(8);
    let (job, rest) = rest.split_at(32);
    let (other, proof) = rest.split_at(16);
    if magic != MAGIC {
        return Err(Refused::Later(anyhow!("what listens there is no process of this solve")));
    }
    if proof != party.proof(b"welcome", &own, other, party.rank, lane) {
        return Err(Refused::ForGood("has another token"));
    }
    if job != party.job {
        return Err(Refused::ForGood(
            "has other work: expected the same version, game, rules, processes, threads, --plain, --again, --check and --keep-every",
        ));
    }
    stream.write_all(&party.proof(b"greet", &own, other, party.rank, lane))?;
    let mut verdict = [0];
    read_until(&mut stream, &mut verdict, until)?;
    match verdict {
        [WELCOME] => Ok(stream),
        _ => Err(Refused::ForGood("has refused this process")),
    }
}

/// Performs the handshake of the accepting side.
fn welcome(party: &Party, mut stream: TcpStream) -> Result<(u32, Lane, TcpStream)> {
    prepare(&stream)?;
    let until = Instant::now() + HANDSHAKE;
    let mut hello = [0; HELLO];
    read_until(&mut stream, &mut hello, until).context("its handshake did not end in time")?;
    let (magic, rest) = hello.split_at(8);
    let (rank, rest) = rest.split_first_chunk::<4>().context("too short")?;
    let (lane, rest) = rest.split_first().context("too short")?;
    let (job, other) = rest.split_at(32);
    let rank = u32::from_le_bytes(*rank);
    let lane = match lane {
        0 => Lane::Data,
        1 => Lane::Heartbeat,
        _ => bail!("it is no process of a solve"),
    };
    if magic != MAGIC || rank <= party.rank || rank as usize >= party.hosts.len() {
        bail!("it is no process of this solve");
    }
    let own = nonce();
    let mut reply = Vec::with_capacity(REPLY);
    reply.extend(MAGIC);
    reply.extend(party.job);
    reply.extend(own);
    reply.extend(party.proof(b"welcome", other, &own, rank, lane));
    stream.write_all(&reply)?;
    let mut proof = [0; 32];
    read_until(&mut stream, &mut proof, until).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => anyhow!("it went away, as one with another token or other work does"),
        _ => anyhow!("its handshake did not end in time: {error}"),
    })?;
    if proof != party.proof(b"greet", other, &own, rank, lane) || job != party.job {
        let _ = stream.write_all(&[NO]);
        bail!("it has another token or other work");
    }
    stream.write_all(&[WELCOME])?;
    Ok((rank, lane, stream))
}

fn prepare(stream: &TcpStream) -> io::Result<()> {
    stream.set_nonblocking(false)?;
    stream.set_nodelay(true)?;
    stream.set_write_timeout(Some(HANDSHAKE))
}

/// Fills `into` before `until`, however slowly the bytes arrive.
fn read_until(stream: &mut TcpStream, into: &mut [u8], until: Instant) -> io::Result<()> {
    let mut at = 0;
    while at < into.len() {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        stream.set_read_timeout(Some(left))?;
        match stream.read(&mut into[at..]) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(read) => at += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Returns random bytes, new for each handshake.
fn nonce() -> [u8; 16] {
    let mut bytes = [0; 16];
    if getrandom::fill(&mut bytes).is_err() {
        log::warn!("the system has no random bytes: an earlier handshake could be played again");
    }
    bytes
}

impl Party {
    /// Proves that this process has the token, for one handshake only.
    fn proof(&self, role: &[u8], greeter: &[u8], welcomer: &[u8], rank: u32, lane: Lane) -> [u8; 32] {
        let token = Sha256::digest(&self.token);
        let mut sum = Sha256::new();
        for part in [&token[..], role, greeter, welcomer, &rank.to_le_bytes(), &[lane as u8], &token[..]] {
            sum.update(part);
        }
        sum.finalize().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn party(hosts: &[String], rank: u32, token: &str, job: u8) -> Party {
        Party { hosts: hosts.to_vec(), rank, token: token.as_bytes().to_vec(), job: [job; 32] }
    }

    /// Returns `count` listeners and their addresses.
    fn hosts(count: usize) -> (Vec<Option<TcpListener>>, Vec<String>) {
        let listeners: Vec<_> = (0..count).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
        let hosts = listeners.iter().map(|listener| listener.local_addr().unwrap().to_string()).collect();
        (listeners.into_iter().map(Some).collect(), hosts)
    }

    /// Long enough on any machine.
    const LONG: u64 = 120_000;

    fn start(
        party: Party,
        listeners: &mut [Option<TcpListener>],
        millis: u64,
    ) -> thread::JoinHandle<Result<Connections>> {
        let listener = listeners[party.rank as usize].take();
        thread::spawn(move || connect(party, listener, Duration::from_millis(millis)))
    }

    #[test]
    fn three_processes_meet_whatever_else_connects() {
        let (mut listeners, hosts) = hosts(3);
        let mut start = |rank| start(party(&hosts, rank, "secret", 1), &mut listeners, LONG);
        let first = start(0);
        // One that says nothing, one that says something else, and one that leaves.
        let connect = || loop {
            if let Ok(stream) = TcpStream::connect(&hosts[0]) {
                return stream;
            }
        };
        let silent = connect();
        let mut other = connect();
        other
            .write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\nUser-Agent: somebody\r\n\r\n")
            .unwrap();
        drop(connect());
        let all = [first, start(1), start(2)];
        for (rank, met) in all.into_iter().enumerate() {
            let met = met.join().unwrap().unwrap();
            for (other, stream) in met.data.iter().zip(&met.heartbeat).enumerate() {
                assert_eq!((stream.0.is_none(), stream.1.is_none()), (other == rank, other == rank));
            }
        }
        drop(silent);
    }

    #[test]
    fn another_token_and_other_work_are_refused_by_name() {
        for (token, job, expected) in [("wrong", 1, "has another token"), ("secret", 2, "has other work")] {
            let (mut listeners, hosts) = hosts(2);
            let second = start(party(&hosts, 1, token, job), &mut listeners, LONG);
            // The first one listens until the other has been refused.
            let listener = listeners[0].take().unwrap();
            let first = loop {
                let listener = Some(listener.try_clone().unwrap());
                let met = connect(party(&hosts, 0, "secret", 1), listener, Duration::from_millis(200));
                if second.is_finished() {
                    break met;
                }
            };
            let second = second.join().unwrap();
            let second = second.err().unwrap();
            assert!(second.to_string().contains(expected), "{second}");
            let first = first.err().unwrap();
            assert!(first.to_string().contains("rank 1"), "{first}");
        }
    }

    #[test]
    fn who_waits_for_nobody_gives_up_in_time() {
        for rank in [0, 1] {
            let (mut listeners, hosts) = hosts(2);
            let own = start(party(&hosts, rank, "secret", 1), &mut listeners, 100);
            let error = own.join().unwrap().err().unwrap();
            assert!(error.to_string().contains(&format!("rank {}", 1 - rank)), "{error}");
        }
    }

    #[test]
    fn a_listener_that_never_answers_does_not_hang_the_start() {
        // The listener of rank 0 is there, and nobody accepts.
        let (mut listeners, hosts) = hosts(2);
        let own = start(party(&hosts, 1, "secret", 1), &mut listeners, 500);
        let error = own.join().unwrap().err().unwrap();
        assert!(error.to_string().contains("rank 0"), "{error}");
    }
}
