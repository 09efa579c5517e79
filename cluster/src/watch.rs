//! Signs of life between the processes of a solve: timely itself waits for ever for a process that is stopped or cut off.
//!
//! Every process sends a byte to every other one twice a second. Whoever hears nothing of another for too long, or sees
//! its connection end, tells which one is lost, to the user and to the others, and ends. A process that has done its work
//! says so before it ends.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::cli::{FAILED, LOST};

/// The time between two signs of life.
const BEAT: Duration = Duration::from_millis(500);
/// How long the death of a connection may be explained by a sign of life that says more.
const GRACE: Duration = Duration::from_millis(1500);

/// I am here.
const HERE: u8 = b'.';
/// My work is done.
const DONE: u8 = b'd';
/// I end, since a process is lost whose rank follows.
const ENDING: u8 = b'e';

/// Tells the user one line.
pub fn tell(line: &str) {
    // Where there is nobody to tell, nothing else can be done.
    let _ = writeln!(io::stderr().lock(), "grundy-cluster: {}", line.replace('\n', " "));
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
}

impl Watch {
    /// Begins to send signs of life, and to listen to those of the others.
    pub fn start(hosts: Vec<String>, rank: u32, peers: Vec<Option<TcpStream>>, patience: Duration) -> Watch {
        let done = AtomicBool::new(false);
        let watch = Watch { shared: Arc::new(Shared { hosts, rank, peers, done, ending: Mutex::new(()) }) };
        for peer in 0..watch.shared.peers.len() as u32 {
            if peer != rank {
                let watch = watch.clone();
                thread::spawn(move || watch.listen(peer, patience));
            }
        }
        let sender = watch.clone();
        thread::spawn(move || {
            while !sender.shared.done.load(Ordering::Acquire) {
                sender.send(&[HERE]);
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
                    watch.lost(rank, "the connection with it has ended");
                }
                None => told(panic),
            }
        }));
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
                Ok(1) if sign == [HERE] => {}
                Ok(1) if sign == [DONE] => return,
                Ok(1) if sign == [ENDING] => {
                    let mut other = [0; 4];
                    match peer.read_exact(&mut other) {
                        Ok(()) => self.lost(u32::from_le_bytes(other), &format!("rank {rank} says so")),
                        Err(_) => self.lost(rank, "its connection has ended"),
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                    let silence = format!("it has been silent for {} s", patience.as_secs_f32());
                    self.lost(rank, &silence);
                }
                _ => self.lost(rank, "its connection has ended"),
            }
        }
    }

    /// Ends this process since another one is lost; only the first to notice tells it.
    fn lost(&self, rank: u32, how: &str) -> ! {
        let _ending = self.shared.ending.lock().unwrap_or_else(PoisonError::into_inner);
        let Shared { hosts, rank: own, .. } = &*self.shared;
        if rank != *own {
            let mut sign = vec![ENDING];
            sign.extend(rank.to_le_bytes());
            self.send(&sign);
        }
        let host = hosts.get(rank as usize).map_or("", |host| host);
        tell(&format!("rank {rank} ({host}) is lost to rank {own}: {how}; start all again to go on"));
        std::process::exit(LOST.into())
    }
}
