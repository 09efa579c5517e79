//! Threads that work for requests, and the queue before them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::oneshot;

use crate::client;
use crate::error::ApiError;
#[cfg(not(target_family = "wasm"))]
use crate::fair_queue::FairQueue;
#[cfg(not(target_family = "wasm"))]
use crate::system;

type Job = Box<dyn FnOnce() + Send>;

/// A bounded number of threads behind a bounded queue, which is fair to all clients.
pub struct Pool {
    jobs: Arc<Jobs>,
}

/// The queue before the threads.
#[cfg(not(target_family = "wasm"))]
type Jobs = FairQueue<Job>;

/// Without threads each job runs when it is submitted.
#[cfg(target_family = "wasm")]
struct Jobs;

#[cfg(target_family = "wasm")]
impl Jobs {
    fn len(&self) -> usize {
        0
    }

    fn push(&self, _: std::net::IpAddr, job: Job) -> bool {
        job();
        true
    }
}

/// Sets a stop flag when dropped: nobody waits for the work any more.
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Pool {
    /// Spawns `threads` threads at the given nice value behind a queue of at most `queue` jobs.
    #[cfg(not(target_family = "wasm"))]
    pub fn new(name: &str, threads: usize, queue: usize, niceness: i32) -> Pool {
        let jobs = Arc::new(Jobs::new(queue));
        for number in 0..threads {
            let jobs = jobs.clone();
            let started = std::thread::Builder::new().name(format!("{name}-{number}")).spawn(move || {
                system::lower_priority(niceness);
                loop {
                    // A job that panics drops its answer; the thread goes on.
                    let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(jobs.pop()));
                }
            });
            if let Err(error) = started {
                log::error!("{name}: a thread was not started: {error}");
            }
        }
        Pool { jobs }
    }

    /// Makes a pool without threads.
    #[cfg(target_family = "wasm")]
    pub fn new(_: &str, _: usize, _: usize, _: i32) -> Pool {
        Pool { jobs: Arc::new(Jobs) }
    }

    /// Returns the number of jobs that are waiting.
    pub fn waiting(&self) -> usize {
        self.jobs.len()
    }

    /// Puts a job in the queue without waiting for it.
    ///
    /// # Errors
    /// The queue is full, or half full of jobs of the same client.
    pub fn submit(&self, job: impl FnOnce() + Send + 'static) -> Result<(), ApiError> {
        if self.jobs.push(client::current(), Box::new(job)) { Ok(()) } else { Err(ApiError::Busy) }
    }

    /// Runs a job and returns its result. The job's stop flag is set if the future is dropped; a job that still waits then
    /// is not run.
    ///
    /// # Errors
    /// The queue is full, or the job panicked.
    pub async fn run<T: Send + 'static>(
        &self,
        job: impl FnOnce(&AtomicBool) -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let stop = Arc::new(AtomicBool::new(false));
        let _stop_on_drop = StopOnDrop(stop.clone());
        let (answer, answered) = oneshot::channel();
        self.submit(move || {
            if !stop.load(Ordering::Relaxed) {
                let _ = answer.send(job(&stop));
            }
        })?;
        answered.await.map_err(|_| ApiError::Internal)
    }
}
