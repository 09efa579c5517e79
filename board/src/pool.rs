//! Threads that work for requests, and the queue before them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::oneshot;

#[cfg(not(target_family = "wasm"))]
use crate::turns::Turns;
use crate::visitor;

type Job = Box<dyn FnOnce() + Send>;

/// A bounded number of threads with a bounded queue, in which visitors take turns.
pub struct Pool {
    jobs: Arc<Jobs>,
}

/// The queue before the threads.
#[cfg(not(target_family = "wasm"))]
type Jobs = Turns<Job>;

/// Where there are no threads each job is done when it comes.
#[cfg(target_family = "wasm")]
struct Jobs;

#[cfg(target_family = "wasm")]
impl Jobs {
    fn len(&self) -> usize {
        0
    }

    fn put(&self, _: std::net::IpAddr, job: Job) -> bool {
        job();
        true
    }
}

/// Why a pool gave no answer.
#[derive(Debug)]
pub enum Missed {
    /// The queue is full: the client may come again.
    Full,
    /// The work broke off.
    Broken,
}

/// Tells work to stop when whoever asked for it has gone.
pub struct Leash(Arc<AtomicBool>);

impl Leash {
    /// A new leash, and the flag that it sets when it is dropped.
    pub fn new() -> (Leash, Arc<AtomicBool>) {
        let flag = Arc::new(AtomicBool::new(false));
        (Leash(flag.clone()), flag)
    }
}

impl Drop for Leash {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Pool {
    /// So many threads, which are nicer than others by `niceness`, and room for so many jobs before them.
    #[cfg(not(target_family = "wasm"))]
    pub fn new(name: &str, threads: usize, queue: usize, niceness: i32) -> Pool {
        let jobs = Arc::new(Jobs::new(queue));
        for number in 0..threads {
            let jobs = jobs.clone();
            let started = std::thread::Builder::new().name(format!("{name}-{number}")).spawn(move || {
                // On Linux this is of the calling thread alone. Where it is refused the thread works as others do.
                let _ = rustix::process::nice(niceness);
                loop {
                    // A job that panics takes its answer with it, not the thread.
                    let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(jobs.take()));
                }
            });
            if let Err(error) = started {
                log::error!("{name}: a thread was not started: {error}");
            }
        }
        Pool { jobs }
    }

    /// No threads, whatever is asked for.
    #[cfg(target_family = "wasm")]
    pub fn new(_: &str, _: usize, _: usize, _: i32) -> Pool {
        Pool { jobs: Arc::new(Jobs) }
    }

    /// Jobs that wait.
    pub fn waiting(&self) -> usize {
        self.jobs.len()
    }

    /// Puts a job in the queue without waiting for it.
    ///
    /// # Errors
    /// The queue is full, or half full of what the same visitor asked for.
    pub fn submit(&self, job: impl FnOnce() + Send + 'static) -> Result<(), Missed> {
        if self.jobs.put(visitor::current(), Box::new(job)) { Ok(()) } else { Err(Missed::Full) }
    }

    /// Runs a job and gives what it found. The job is told by its flag when the future is dropped.
    ///
    /// # Errors
    /// The queue is full, or the job broke off.
    pub async fn run<T: Send + 'static>(
        &self,
        job: impl FnOnce(&AtomicBool) -> T + Send + 'static,
    ) -> Result<T, Missed> {
        let (leash, stop) = Leash::new();
        let (answer, answered) = oneshot::channel();
        self.submit(move || {
            if !stop.load(Ordering::Relaxed) {
                let _ = answer.send(job(&stop));
            }
        })?;
        let found = answered.await.map_err(|_| Missed::Broken);
        drop(leash);
        found
    }
}
