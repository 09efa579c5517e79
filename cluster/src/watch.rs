//! Heartbeats between the processes of a solve: timely itself waits for ever for a process that is stopped or cut off.
//!
//! Every process sends a byte to every other one twice a second. A process that hears nothing of another for too long, or sees
//! its connection end, tells the user and the other processes which one is lost, and exits. The byte says whether the process
//! is busy or idle: if all are idle for too long, the connections for messages are broken. A process that has finished says so
//! before it exits.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use grundy::text::brief;

use crate::cli::{FAILED, LOST};
use crate::heartbeat::Heartbeat;

/// The time between two heartbeats.
const INTERVAL: Duration = Duration::from_millis(500);
/// The time in which a message may explain why a connection has ended.
const GRACE: Duration = Duration::from_millis(1500);

/// The process is busy.
const BUSY: u8 = b'.';
/// The process waits for others.
const IDLE: u8 = b',';
/// In place of a rank: messages between the processes do not arrive.
const CUT: u32 = u32::MAX;
/// The process has finished.
const DONE: u8 = b'd';
/// The process exits, since another one is lost, whose rank follows.
const ENDING: u8 = b'e';

/// Prints one line on stderr.
pub fn tell(line: &str) {
    // If stderr is closed nothing else can be done.
    let _ = writeln!(io::stderr().lock(), "grundy-cluster: {}", brief(&line.replace('\n', " ")));
}

/// Makes a panic of any thread end the process: the other threads would wait for it.
pub fn end_with_panics() {
    let told = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        told(panic);
        std::process::exit(FAILED.into());
    }));
}

/// Watches the other processes.
#[derive(Clone)]
pub struct Watch {
    shared: Arc<Shared>,
}

struct Shared {
    hosts: Vec<String>,
    rank: u32,
    peers: Vec<Option<TcpStream>>,
    done: AtomicBool,
    ending: Mutex<()>,
    heartbeat: Arc<Heartbeat>,
    /// For each process, the number of idle heartbeats in a row.
    idle: Vec<AtomicU32>,
}

impl Watch {
    /// Starts to send heartbeats, and to listen to those of the others. Every process has connected with all others
    /// `start_within` after its start, and sends heartbeats from then on.
    pub fn start(
        hosts: Vec<String>,
        rank: u32,
        peers: Vec<Option<TcpStream>>,
        start_within: Duration,
        patience: Duration,
        heartbeat: &Arc<Heartbeat>,
    ) -> Watch {
        let idle = peers.iter().map(|_| AtomicU32::new(0)).collect();
        let (done, ending, heartbeat) = (AtomicBool::new(false), Mutex::new(()), Arc::clone(heartbeat));
        let watch = Watch { shared: Arc::new(Shared { hosts, rank, peers, done, ending, heartbeat, idle }) };
        for peer in 0..watch.shared.peers.len() as u32 {
            if peer != rank {
                let watch = watch.clone();
                thread::spawn(move || watch.listen(peer, start_within, patience));
            }
        }
        let sender = watch.clone();
        thread::spawn(move || {
            while !sender.shared.done.load(Ordering::Acquire) {
                let sign = if sender.shared.heartbeat.is_active() { BUSY } else { IDLE };
                sender.count(rank, sign);
                sender.send(&[sign]);
                if sender.is_stuck(patience) {
                    sender.end(CUT, "");
                }
                thread::sleep(INTERVAL);
            }
        });
        watch.replace_panics();
        watch
    }

    /// Reports a panic of timely's own threads as a lost process: they panic when a connection ends.
    fn replace_panics(&self) {
        let watch = self.clone();
        let told = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            let name = thread::current().name().unwrap_or_default().to_owned();
            let peer = ["timely:recv-", "timely:send-"]
                .iter()
                .find_map(|kind| name.strip_prefix(kind)?.parse().ok());
            match peer {
                Some(rank) => {
                    thread::sleep(GRACE);
                    watch.end(rank, "the connection with it has ended");
                }
                None => told(panic),
            }
        }));
    }

    /// Counts the idle heartbeats of a process.
    fn count(&self, rank: u32, sign: u8) {
        if let Some(idle) = self.shared.idle.get(rank as usize) {
            if sign == IDLE {
                idle.fetch_add(1, Ordering::AcqRel);
            } else {
                idle.store(0, Ordering::Release);
            }
        }
    }

    /// Reports whether all processes have been idle for `patience`.
    fn is_stuck(&self, patience: Duration) -> bool {
        let often = (patience.as_secs_f64() / INTERVAL.as_secs_f64()).ceil().max(2.0) as u32;
        self.shared.idle.iter().all(|idle| idle.load(Ordering::Acquire) >= often)
    }

    /// Tells the others that this process has finished.
    pub fn done(&self) {
        self.shared.done.store(true, Ordering::Release);
        self.send(&[DONE]);
        for peer in self.shared.peers.iter().flatten() {
            let _ = peer.shutdown(Shutdown::Write);
        }
    }

    fn send(&self, bytes: &[u8]) {
        for mut peer in self.shared.peers.iter().flatten() {
            // A peer that cannot be written to is noticed by the reader.
            let _ = peer.set_write_timeout(Some(INTERVAL));
            let _ = peer.write_all(bytes);
        }
    }

    fn listen(&self, rank: u32, start_within: Duration, patience: Duration) {
        let Some(mut peer) = self.shared.peers.get(rank as usize).and_then(Option::as_ref) else { return };
        // Before its first sign a process may still wait for others.
        let mut wait = start_within + patience;
        loop {
            let _ = peer.set_read_timeout(Some(wait));
            let mut sign = [0];
            match peer.read(&mut sign) {
                Ok(1) if sign == [BUSY] || sign == [IDLE] => {
                    self.count(rank, sign[0]);
                    wait = patience;
                }
                Ok(1) if sign == [DONE] => {
                    // A process that has finished waits for nobody.
                    self.count(rank, BUSY);
                    return;
                }
                Ok(1) if sign == [ENDING] => {
                    let mut other = [0; 4];
                    match peer.read_exact(&mut other) {
                        Ok(()) => self.end(u32::from_le_bytes(other), &format!("reported by rank {rank}")),
                        Err(_) => self.end(rank, "its connection has ended"),
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                    let silence = format!("it has been silent for {} s", wait.as_secs_f32());
                    self.end(rank, &silence);
                }
                _ => self.end(rank, "its connection has ended"),
            }
        }
    }

    /// Exits since another process is lost, or all wait for each other; only the first thread to notice reports it.
    fn end(&self, rank: u32, how: &str) -> ! {
        let _ending = self.shared.ending.lock().unwrap_or_else(PoisonError::into_inner);
        let Shared { hosts, rank: own, .. } = &*self.shared;
        if rank != *own {
            let mut sign = vec![ENDING];
            sign.extend(rank.to_le_bytes());
            self.send(&sign);
        }
        if rank == CUT {
            let how = if how.is_empty() { "all processes wait for each other" } else { how };
            tell(&format!(
                "the messages between the processes do not arrive: {how}; start all again to go on"
            ));
        } else {
            let host = hosts.get(rank as usize).map_or("", |host| host);
            tell(&format!("rank {rank} ({host}) is lost to rank {own}: {how}; start all again to go on"));
        }
        std::process::exit(LOST.into())
    }
}
