//! Work on the blocks of a layout, compiled for each instruction set and distributed to threads.

use std::sync::{Mutex, PoisonError};

use grundy_core::threads;

use crate::superposed::{BitRow, Isa, Lanes, VectorWork, run_on};

/// The work on each item, compiled for each instruction set.
pub(super) trait Kernel: Sync {
    type Item: Send;
    fn rows(&self) -> usize;
    fn work<L: Lanes>(&self, item: Self::Item, scratch: &mut [BitRow]);
}

/// Threads with an instruction set.
pub(super) struct Team {
    pub isa: Isa,
    pub threads: usize,
}

impl Team {
    pub fn each<K: Kernel>(&self, kernel: &K, mut items: impl Iterator<Item = K::Item> + Send) {
        if self.threads <= 1 {
            run_on(self.isa, Loop { kernel, next: &mut || items.next() });
            return;
        }
        let items = Mutex::new(items);
        std::thread::scope(|scope| {
            let worker = || {
                let mut next = || items.lock().unwrap_or_else(PoisonError::into_inner).next();
                run_on(self.isa, Loop { kernel, next: &mut next });
            };
            threads::share(scope, (0..self.threads).map(|_| worker));
        });
    }
}

/// Works on one item after another. The source of items is called once per item, so it is a `dyn`: the kernel is
/// compiled once for each instruction set, and not again for each source.
struct Loop<'k, K: Kernel> {
    kernel: &'k K,
    next: &'k mut dyn FnMut() -> Option<K::Item>,
}

impl<K: Kernel> VectorWork for Loop<'_, K> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let mut scratch = vec![BitRow::default(); self.kernel.rows()];
        while let Some(item) = (self.next)() {
            self.kernel.work::<L>(item, &mut scratch);
        }
    }
}
