//! The positions of one ply, shared out among threads so that the memory of what is found stays bounded.

/// Positions that one task looks at.
const TASK: usize = 1 << 10;
/// Tasks of a thread whose news are in memory at once.
const TASKS: usize = 16;
/// A task that has found so many moves leaves the rest of its positions to another.
pub(super) const CHILDREN: usize = 1 << 20;

/// Positions that are still to be looked at, the next ones last.
pub(super) struct Tasks<'a, K>(Vec<&'a [K]>);

impl<'a, K> Tasks<'a, K> {
    pub(super) fn new(positions: &'a [K]) -> Tasks<'a, K> {
        Tasks(positions.chunks(TASK).rev().collect())
    }

    /// The next tasks for so many threads; `None` where all is done.
    pub(super) fn take(&mut self, threads: usize) -> Option<Vec<&'a [K]>> {
        let taken = self.0.split_off(self.0.len().saturating_sub(TASKS * threads));
        (!taken.is_empty()).then_some(taken)
    }

    /// What a task has left.
    pub(super) fn give_back(&mut self, rest: &'a [K]) {
        if !rest.is_empty() {
            self.0.push(rest);
        }
    }
}
