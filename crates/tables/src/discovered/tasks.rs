//! The positions of one ply, distributed among threads so that the memory of the results stays bounded.

/// Positions of a task.
const TASK: usize = 1 << 10;
/// Tasks of a thread whose results are in memory at once.
const TASKS: usize = 16;
/// A task that has found this number of moves leaves the rest of its positions to another.
pub(super) const CHILDREN: usize = 1 << 20;

/// Positions of a task between two looks at the clock.
pub(super) const STRETCH: usize = 8;

/// Positions that are still to be expanded, the next ones last.
pub(super) struct Tasks<'a, K>(Vec<&'a [K]>);

impl<'a, K> Tasks<'a, K> {
    pub(super) fn new(positions: &'a [K]) -> Tasks<'a, K> {
        Tasks(positions.chunks(TASK).rev().collect())
    }

    /// Returns the next tasks for `threads` threads; `None` if all positions were taken.
    pub(super) fn take(&mut self, threads: usize) -> Option<Vec<&'a [K]>> {
        let taken = self.0.split_off(self.0.len().saturating_sub(TASKS * threads));
        (!taken.is_empty()).then_some(taken)
    }

    /// Returns the positions that a task has left.
    pub(super) fn give_back(&mut self, rest: &'a [K]) {
        if !rest.is_empty() {
            self.0.push(rest);
        }
    }
}
