//! Signs of life between the processes of a solve: timely itself waits for ever for a process that is stopped or cut off.
//!
//! Every process sends a byte to every other one twice a second. Whoever hears nothing of another for too long, or sees
//! its connection end, tells which one is lost, to the user and to the others, and ends. The byte says whether the process
//! does something or waits for others: where all wait for all for too long, the connections for messages carry nothing any
//! more. A process that has done its work says so before it ends.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use grundy::text::brief;

use crate::cli::{FAILED, LOST};
use crate::pulse::Pulse;

/// The time between two signs of life.
const BEAT: Duration = Duration::from_millis(500);
/// How long the death of a connection may be explained by a sign of life that says more.
const GRACE: Duration = Duration::from_millis(1500);

/// I do something.
const HERE: u8 = b'.';
/// I wait for others.
const IDLE: u8 = b',';
/// In place of a rank: the messages between the processes do not arrive.
const CUT: u32 = u32::MAX;
/// My work is done.
const DONE: u8 = b'd';
/// I end, since a process is lost whose rank follows.
const ENDING: u8 = b'e';

/// Tells the user one line.
pub fn tell(line: &str) {
    // Where there is nobody to tell, nothing else can be done.
    let _ = writeln!(io::stderr().lock(), "grundy-cluster: {}", brief(&line.replace('\n', " ")));
}

/// Has a thread that panics end the process: the other threads would wait for it.
pub fn end_with_panics() {
    let told = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        told(panic);
        std::process::exit(FAILED.into());
    }));
}

/// Watches over the other processes.
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
    pulse: Arc<Pulse>,
    /// For each process, how often in a row it has said that it waits.
    idle: Vec<AtomicU32>,
}

impl Watch {
    /// Begins to send signs of life, and to listen to those of the others.
    pub fn start(
        hosts: Vec<String>,
        rank: u32,
        peers: Vec<Option<TcpStream>>,
        patience: Duration,
        pulse: &Arc<Pulse>,
    ) -> Watch {
        let idle = peers.iter().map(|_| AtomicU32::new(0)).collect();
        let (done, ending, pulse) = (AtomicBool::new(false), Mutex::new(()), Arc::clone(pulse));
        let watch = Watch { shared: Arc::new(Shared { hosts, rank, peers, done, ending, pulse, idle }) };
        for peer in 0..watch.shared.peers.len() as u32 {
            if peer != rank {
                let watch = watch.clone();
                thread::spawn(move || watch.listen(peer, patience));
            }
        }
        let sender = watch.clone();
        thread::spawn(move || {
            while !sender.shared.done.load(Ordering::Acquire) {
                let sign = if sender.shared.pulse.beats() { HERE } else { IDLE };
                sender.count(rank, sign);
                sender.send(&[sign]);
                if sender.is_stuck(patience) {
                    sender.end(CUT, "");
                }
                thread::sleep(BEAT);
            }
        });
        watch.replace_panics();
        watch
    }

    /// Timely's own threads panic where a connection ends: that tells which process is lost.
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

    /// Counts how often in a row a process has said that it waits.
    fn count(&self, rank: u32, sign: u8) {
        if let Some(idle) = self.shared.idle.get(rank as usize) {
            if sign == IDLE {
                idle.fetch_add(1, Ordering::AcqRel);
            } else {
                idle.store(0, Ordering::Release);
            }
        }
    }

    /// Whether all processes have waited for each other for so long.
    fn is_stuck(&self, patience: Duration) -> bool {
        let often = (patience.as_secs_f64() / BEAT.as_secs_f64()).ceil().max(2.0) as u32;
        self.shared.idle.iter().all(|idle| idle.load(Ordering::Acquire) >= often)
    }

    /// Says that this process has done its work.
    pub fn done(&self) {
        self.shared.done.store(true, Ordering::Release);
        self.send(&[DONE]);
        for peer in self.shared.peers.iter().flatten() {
            let _ = peer.shutdown(Shutdown::Write);
        }
    }

    fn send(&self, bytes: &[u8]) {
        for mut peer in self.shared.peers.iter().flatten() {
            // Whoever cannot be written to is noticed by the reader.
            let _ = peer.set_write_timeout(Some(BEAT));
            let _ = peer.write_all(bytes);
        }
    }

    fn listen(&self, rank: u32, patience: Duration) {
        let Some(mut peer) = self.shared.peers.get(rank as usize).and_then(Option::as_ref) else { return };
        let _ = peer.set_read_timeout(Some(patience));
        loop {
            let mut sign = [0];
            match peer.read(&mut sign) {
                Ok(1) if sign == [HERE] || sign == [IDLE] => self.count(rank, sign[0]),
                Ok(1) if sign == [DONE] => {
                    // Whoever has done its work waits for nobody.
                    self.count(rank, HERE);
                    return;
                }
                Ok(1) if sign == [ENDING] => {
                    let mut other = [0; 4];
                    match peer.read_exact(&mut other) {
                        Ok(()) => self.end(u32::from_le_bytes(other), &format!("rank {rank} says so")),
                        Err(_) => self.end(rank, "its connection has ended"),
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                    let silence = format!("it has been silent for {} s", patience.as_secs_f32());
                    self.end(rank, &silence);
                }
                _ => self.end(rank, "its connection has ended"),
            }
        }
    }

    /// Ends this process since another one is lost, or all wait for each other; only the first to notice tells it.
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
