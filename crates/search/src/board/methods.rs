//! The methods of games on a board. Nothing here is generic, so that families compile none of them again.

use std::sync::Arc;

use grundy_session::{Session, Spec};
use grundy_sums::cgt::ByForms;
use grundy_sums::component::{self, Component};
use grundy_sums::memo::ByMemo;
use grundy_tables::TableOracle;
use grundy_tables::discovered::Discovered;

use super::game::BoardGame;
use crate::alpha_beta::AlphaBeta;
use crate::play::{Play, Proofs, play};

/// A method of a game on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardMethod {
    /// A table of the positions that can be reached: [`Discovered`].
    Discovered,
    /// A table of all indices, filled by [layers](TableOracle::layers).
    Layers,
    /// A table of all indices, filled by [retrograde analysis](TableOracle::retrograde).
    Retrograde,
    /// A table of the indices that can be reached, filled by retrograde analysis with
    /// [predecessors](TableOracle::numbered_reversible).
    NumberedReversible,
    /// The values of all positions that follow: [`ByMemo`].
    Memo,
    /// Canonical forms, for values in sums: [`ByForms`].
    Forms,
    /// Canonical forms, both for outcomes and for values in sums: [`Play::forms`].
    FormsAlone,
    /// The search [`AlphaBeta`].
    AlphaBeta,
    /// The search [`Proofs`].
    Proofs,
}

impl BoardGame {
    /// Returns a session of the game under the full name of `spec`, with these methods.
    pub fn session(self, spec: &Spec<'_>, methods: &[BoardMethod]) -> Session {
        let add = |game: Play<BoardGame>, method: &BoardMethod| match method {
            BoardMethod::Discovered => game.oracle(Discovered::new()),
            BoardMethod::Layers => game.oracle(TableOracle::layers()),
            BoardMethod::Retrograde => game.oracle(TableOracle::retrograde()),
            BoardMethod::NumberedReversible => game.oracle(TableOracle::numbered_reversible()),
            BoardMethod::Memo => game.oracle(ByMemo::default()),
            BoardMethod::Forms => game.worth(ByForms::default()),
            BoardMethod::FormsAlone => game.forms(),
            BoardMethod::AlphaBeta => game.search::<AlphaBeta<_>>(),
            BoardMethod::Proofs => game.search::<Proofs<_>>(),
        };
        methods.iter().fold(play(spec, self), add).session()
    }

    /// Returns the game as a component of sums.
    pub fn component(self) -> Arc<dyn Component> {
        component::partizan(self)
    }
}
