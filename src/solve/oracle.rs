//! A table as an oracle: exact values of all positions it has numbers for.

use std::sync::{Arc, OnceLock};

use crate::game::{Acyclic, Indexed, Reversible, Scored};
use crate::solve::{Oracle, SolveError, Work, layers, retrograde};
use crate::table::Table;
use crate::value::Value;

/// A way to make a table.
type Method<G> = fn(&G, &Work<'_>) -> Result<Table, SolveError>;

/// Answers from a table, which is made by the first [`Oracle::prepare`] unless it was there from the start.
pub struct TableOracle<G> {
    table: OnceLock<Arc<Table>>,
    method: Option<Method<G>>,
}

impl<G> TableOracle<G> {
    /// An oracle over a table of the game it is asked about.
    pub fn new(table: impl Into<Arc<Table>>) -> TableOracle<G> {
        TableOracle { table: OnceLock::from(table.into()), method: None }
    }

    /// An oracle that makes its table with this method.
    pub fn with_method(method: fn(&G, &Work<'_>) -> Result<Table, SolveError>) -> TableOracle<G> {
        TableOracle { table: OnceLock::new(), method: Some(method) }
    }

    /// An oracle that makes its table by [`layers`].
    pub fn layers() -> TableOracle<G>
    where
        G: Scored + Acyclic,
    {
        TableOracle::with_method(layers::solve)
    }

    /// An oracle that makes its table by [`retrograde`] analysis.
    pub fn retrograde() -> TableOracle<G>
    where
        G: Scored + Indexed,
    {
        TableOracle::with_method(retrograde::solve)
    }

    /// An oracle that makes its table by [`retrograde`] analysis with the game's own predecessors.
    pub fn reversible() -> TableOracle<G>
    where
        G: Scored + Reversible,
    {
        TableOracle::with_method(retrograde::solve_reversible)
    }

    /// The table, where it is made.
    pub fn table(&self) -> Option<&Arc<Table>> {
        self.table.get()
    }
}

impl<G: Indexed> Oracle<G> for TableOracle<G> {
    fn prepare(&self, game: &G, _position: &G::Position, work: &Work<'_>) -> Result<(), SolveError> {
        if let (None, Some(method)) = (self.table.get(), self.method) {
            let table = method(game, work)?;
            // Where another thread was faster its table is the same.
            let _ = self.table.set(Arc::new(table));
        }
        Ok(())
    }

    fn value(&self, game: &G, position: &G::Position) -> Option<Value> {
        // A finished position may lie outside the table: its value is a matter of the rules.
        game.over(position).or_else(|| self.table.get()?.get(game.index(position)))
    }
}
