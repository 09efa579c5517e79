//! Threads that work for requests, and the queue before them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crossbeam_channel::{Sender, bounded};
use tokio::sync::oneshot;

type Job = Box<dyn FnOnce() + Send>;

/// A bounded number of threads with a bounded queue.
pub struct Pool {
    jobs: Sender<Job>,
    waiting: Arc<AtomicUsize>,
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
    pub fn new(name: &str, threads: usize, queue: usize, niceness: i32) -> Pool {
        let (jobs, taken) = bounded::<Job>(queue);
        let waiting = Arc::new(AtomicUsize::new(0));
        for number in 0..threads {
            let (taken, waiting) = (taken.clone(), waiting.clone());
            let started = std::thread::Builder::new().name(format!("{name}-{number}")).spawn(move || {
                // On Linux this is of the calling thread alone. Where it is refused the thread works as others do.
                let _ = rustix::process::nice(niceness);
                for job in taken {
                    waiting.fetch_sub(1, Ordering::Relaxed);
                    // A job that panics takes its answer with it, not the thread.
                    let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(job));
                }
            });
            if let Err(error) = started {
                log::error!("{name}: a thread was not started: {error}");
            }
        }
        Pool { jobs, waiting }
    }

    /// Jobs that wait.
    pub fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Puts a job in the queue without waiting for it.
    ///
    /// # Errors
    /// The queue is full.
    pub fn submit(&self, job: impl FnOnce() + Send + 'static) -> Result<(), Missed> {
        self.waiting.fetch_add(1, Ordering::Relaxed);
        self.jobs.try_send(Box::new(job)).map_err(|_| {
            self.waiting.fetch_sub(1, Ordering::Relaxed);
            Missed::Full
        })
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
