//! Tables made for one position at a time: of all that can follow from it, by layers.
//!
//! For games in which a user may type a position that no table made in advance would hold.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::game::{Framed, Indexed};
use crate::solve::{Oracle, SolveError, Work, layers};
use crate::table::Table;
use crate::value::Value;

/// How many tables are kept: the positions of one game in play share one.
const KEPT: usize = 4;

/// Answers for the positions that it was prepared for and all that follows from them.
pub struct ByFrames<G: Framed> {
    /// The latest last.
    tables: Mutex<Vec<(G::Frame, Table)>>,
}

impl<G: Framed> Default for ByFrames<G> {
    fn default() -> ByFrames<G> {
        ByFrames { tables: Mutex::default() }
    }
}

impl<G: Framed> ByFrames<G> {
    fn tables(&self) -> MutexGuard<'_, Vec<(G::Frame, Table)>> {
        // Tables are put in whole: they are good even if a thread died while it held the lock.
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<G: Framed> Oracle<G> for ByFrames<G> {
    fn prepare(&self, game: &G, position: &G::Position, work: &Work<'_>) -> Result<(), SolveError> {
        if self.tables().iter().any(|(frame, _)| game.place(frame, position).is_some()) {
            return Ok(());
        }
        let frame = game.frame(position);
        let table = layers::solve(&frame, work)?;
        let mut tables = self.tables();
        if tables.len() == KEPT {
            tables.remove(0);
        }
        tables.push((frame, table));
        Ok(())
    }

    fn value(&self, game: &G, position: &G::Position) -> Option<Value> {
        game.over(position).or_else(|| {
            let tables = self.tables();
            tables.iter().find_map(|(frame, table)| table.get(frame.index(&game.place(frame, position)?)))
        })
    }
}
