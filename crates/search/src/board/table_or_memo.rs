//! A table of outcomes, or while there is none, the values of all positions that follow.

use grundy_core::value::Value;
use grundy_session::{Home, Need, SolveError, Tabled};
use grundy_sums::memo::ByMemo;
use grundy_tables::{Oracle, StateNumbers, TableOracle};

use super::game::BoardGame;
use super::position::Position;

/// Knows the outcomes in a [table](TableOracle::outcomes); without it the values of small positions, with distances.
pub(super) struct TableOrMemo {
    table: TableOracle<BoardGame>,
    memo: ByMemo<BoardGame>,
}

impl TableOrMemo {
    pub(super) fn new() -> TableOrMemo {
        TableOrMemo { table: TableOracle::outcomes(), memo: ByMemo::default() }
    }

    /// Returns the method that is asked. Values of both are not mixed: those of the table have no distances.
    fn method(&self) -> &dyn Oracle<BoardGame> {
        if self.table.table().is_some() { &self.table } else { &self.memo }
    }
}

impl Oracle<BoardGame> for TableOrMemo {
    fn ready(&self, game: &BoardGame, position: &Position, need: &Need<'_>) -> Result<(), SolveError> {
        let missing = match self.table.ready(game, position, need) {
            Err(error @ SolveError::NoTable { .. }) => error,
            ready => return ready,
        };
        self.memo.ready(game, position, need)?;
        // A position that is too large takes the table.
        self.memo.value(game, position).map_or(Err(missing), |_| Ok(()))
    }

    fn bytes(&self) -> u64 {
        Oracle::bytes(&self.table) + Oracle::bytes(&self.memo)
    }

    fn value(&self, game: &BoardGame, position: &Position) -> Option<Value> {
        self.method().value(game, position)
    }

    fn states(&self, game: &BoardGame) -> Option<StateNumbers<BoardGame>> {
        self.table.states(game)
    }

    fn tabled<'a>(
        &'a self,
        game: &'a BoardGame,
        home: &'a Home,
        book: Option<u32>,
    ) -> Option<Box<dyn Tabled + 'a>> {
        self.table.tabled(game, home, book)
    }
}
