//! Check that work resumed from any of its checkpoints ends with the same table.

use grundy_core::table::{Checkpoints, EveryCheckpoint, Table};
use grundy_session::{SolveError, Work, quiet_work};

/// Solves from the beginning and then from each checkpoint, with 1 to 3 threads. Returns the number of checkpoints.
pub fn resumes_from_each(
    solve: impl Fn(&Work<'_>, &mut dyn Checkpoints) -> Result<Table, SolveError>,
) -> usize {
    resumes_from_every(1, solve)
}

/// Does the same from one of every `every` checkpoints.
pub fn resumes_from_every(
    every: usize,
    solve: impl Fn(&Work<'_>, &mut dyn Checkpoints) -> Result<Table, SolveError>,
) -> usize {
    let mut first = EveryCheckpoint::default();
    let expected = solve(&quiet_work(), &mut first).unwrap();
    let checkpoints = first.kept.len();
    for (number, kept) in first.kept.into_iter().enumerate().step_by(every) {
        let work = Work { threads: 1 + number % 3, ..quiet_work() };
        let mut later = EveryCheckpoint { from: Some(kept), kept: Vec::new() };
        let table = solve(&work, &mut later).unwrap();
        assert!(table == expected, "from checkpoint {number}");
        assert!(later.from.is_none(), "checkpoint {number} was not asked for");
        assert!(later.kept.len() < checkpoints, "checkpoint {number} was not taken");
    }
    checkpoints
}
