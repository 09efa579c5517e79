//! A table computed by a single shard, in the memory of one process.

use grundy_core::table::{Checkpoints, Table};
use grundy_session::{Next, Outbox, Shard, SolveError, Work};

/// A shard whose finished cells can be moved out.
pub(crate) trait TakeCells: Shard {
    /// Takes the bytes of the cells, encoded as in a table.
    fn take_cells(&mut self) -> Vec<u8>;
}

/// Computes a table by the only shard of it, which `make` creates. Continues from a checkpoint if there is one.
///
/// # Errors
/// The work was stopped, needs too much memory, or the game breaks a promise.
pub(crate) fn solve<S: TakeCells>(
    make: &dyn Fn() -> Result<S, SolveError>,
    work: &Work<'_>,
    checkpoints: &mut dyn Checkpoints,
) -> Result<Table, SolveError> {
    let mut shard = make()?;
    if let Some(kept) = checkpoints.resume()
        && !shard.go_on(kept)
    {
        shard = make()?;
    }
    let mut out = Outbox::default();
    loop {
        loop {
            if work.stopped() {
                return Err(SolveError::Stopped);
            }
            let more = shard.work(&mut out)?;
            (work.report)(&shard.progress());
            // A round may end early.
            if !more || checkpoints.due() {
                break;
            }
        }
        let report = shard.report();
        if shard.next(&[report])? == Next::Done {
            break;
        }
        if checkpoints.due() {
            shard.keep(checkpoints);
        }
    }
    let (coding, count) = (shard.coding(), shard.layout().count());
    Table::from_cells(coding, count, shard.take_cells())
        .ok_or_else(|| SolveError::Broken("the table has lost cells".to_owned()))
}
