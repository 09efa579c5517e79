//! Tables by layers of everything reachable from one position.
//!
//! For games in which a user may enter positions that no table built in advance would hold.

use crate::layers::Acyclic;
use grundy_core::game::{Game, Scored};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::{Oracle, layers};
use grundy_core::game::Indexed;
use grundy_core::table::Table;
use grundy_core::value::Value;
use grundy_session::{Need, SolveError};

/// A game in which everything reachable from a position is a small acyclic game with a numbering.
pub trait Framed: Scored {
    /// The game of everything reachable from one position. Its values are those of this game; scores are ignored.
    type Frame: Scored + Acyclic;

    /// Returns the frame of a position, which contains everything reachable from it.
    fn frame(&self, position: &Self::Position) -> Self::Frame;

    /// Returns the position in a frame; `None` if it is not in it. Must be fast.
    fn place(
        &self,
        frame: &Self::Frame,
        position: &Self::Position,
    ) -> Option<<Self::Frame as Game>::Position>;
}

/// Number of tables cached: the positions of one game in play share one.
const KEPT: usize = 4;

/// The oracle of prepared positions and everything reachable from them.
pub struct ByFrames<G: Framed> {
    /// The cached tables, the latest last.
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
    fn bytes(&self) -> u64 {
        self.tables().iter().map(|(_, table)| table.bytes()).sum()
    }

    fn ready(&self, game: &G, position: &G::Position, need: &Need<'_>) -> Result<(), SolveError> {
        let work = need.work;
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
