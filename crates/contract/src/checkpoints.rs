//! Work that goes on from every checkpoint it ever kept ends with the same table.

use grundy_core::table::{Checkpoint, Checkpoints, Snapshot, Table};
use grundy_session::{SolveError, Work, quiet_work};

/// Keeps every checkpoint in memory, and begins from one of them.
#[derive(Default)]
pub struct Every {
    /// Where the work begins, until it has asked.
    pub from: Option<Checkpoint>,
    /// What was kept, in order.
    pub kept: Vec<Checkpoint>,
}

/// Bytes saved at a time, as a file is written: smaller than the tables of the tests.
const PIECE: usize = 1 << 12;

impl Checkpoints for Every {
    fn resume(&mut self) -> Option<Checkpoint> {
        self.from.take()
    }
    fn due(&self) -> bool {
        true
    }
    fn save(&mut self, snapshot: &Snapshot<'_>) {
        let mut cells = vec![0; snapshot.len as usize];
        for (piece, at) in cells.chunks_mut(PIECE).zip((0..).step_by(PIECE)) {
            (snapshot.copy)(at, piece);
        }
        self.kept.push(Checkpoint { stage: snapshot.stage.to_vec(), width: snapshot.width, cells });
    }
}

/// Solves from the beginning and then from each checkpoint, with another number of threads; how many checkpoints there
/// were.
pub fn goes_on(solve: impl Fn(&Work<'_>, &mut dyn Checkpoints) -> Result<Table, SolveError>) -> usize {
    goes_on_from(1, solve)
}

/// The same from one checkpoint of so many.
pub fn goes_on_from(
    every: usize,
    solve: impl Fn(&Work<'_>, &mut dyn Checkpoints) -> Result<Table, SolveError>,
) -> usize {
    let mut first = Every::default();
    let expected = solve(&quiet_work(), &mut first).unwrap();
    let checkpoints = first.kept.len();
    for (number, kept) in first.kept.into_iter().enumerate().step_by(every) {
        let work = Work { threads: 1 + number % 3, ..quiet_work() };
        let mut later = Every { from: Some(kept), kept: Vec::new() };
        let table = solve(&work, &mut later).unwrap();
        assert!(table == expected, "from checkpoint {number}");
        assert!(later.from.is_none(), "checkpoint {number} was not asked for");
        assert!(later.kept.len() < checkpoints, "checkpoint {number} was not taken");
    }
    checkpoints
}
