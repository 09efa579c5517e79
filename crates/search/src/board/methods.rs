//! The methods of games on a board. Nothing here is generic, so that families compile none of them again.

use std::sync::Arc;

use grundy_session::{Session, Spec};
use grundy_sums::cgt::ByForms;
use grundy_sums::component::{self, Component};
use grundy_sums::impartial::ByMex;
use grundy_sums::memo::ByMemo;
use grundy_sums::misere::ByQuotient;
use grundy_sums::outcomes::ByOutcomes;
use grundy_tables::TableOracle;
use grundy_tables::discovered::Discovered;

use super::game::BoardGame;
use super::table_or_memo::TableOrMemo;
use crate::alpha_beta::AlphaBeta;
use crate::play::{NumberedBy, Play, Proofs, SumProofs, play};

/// A method of a game on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardMethod {
    /// A table of the positions that can be reached: [`Discovered`].
    Discovered,
    /// A table of all indices, filled by [layers](TableOracle::layers).
    Layers,
    /// A table of the [outcomes](TableOracle::outcomes) of all indices; while there is none, [`ByMemo`].
    OutcomeTable,
    /// A table of all indices, filled by [retrograde analysis](TableOracle::retrograde).
    Retrograde,
    /// A table of the indices that can be reached, filled by retrograde analysis with
    /// [predecessors](TableOracle::numbered_reversible).
    NumberedReversible,
    /// A table of all indices, filled by retrograde analysis with predecessors: [`TableOracle::reversible`].
    Reversible,
    /// The values of all positions that follow: [`ByMemo`].
    Memo,
    /// Canonical forms, for values in sums: [`ByForms`].
    Forms,
    /// Canonical forms, both for outcomes and for values in sums: [`Play::summing_oracle`].
    FormsAlone,
    /// Grundy numbers of the parts, by outcomes: [`ByOutcomes`].
    Outcomes,
    /// The misere quotient of the parts: [`ByQuotient`].
    Quotient,
    /// Grundy numbers, for values in sums: [`ByMex`].
    Mex,
    /// The search [`AlphaBeta`].
    AlphaBeta,
    /// The search [`Proofs`].
    Proofs,
    /// The search [`SumProofs`], else [`AlphaBeta`].
    SumAlphaBeta,
    /// The search [`SumProofs`], else [`Proofs`].
    SumProofs,
}

impl BoardGame {
    /// Returns a session of the game under the full name of `spec`, with these methods.
    pub fn session(self, spec: &Spec<'_>, methods: &[BoardMethod]) -> Session {
        self.numbered_session(spec, methods, &[])
    }

    /// Returns such a session with numberings of positions beside that of the table.
    pub fn numbered_session(
        self,
        spec: &Spec<'_>,
        methods: &[BoardMethod],
        numberings: &'static [NumberedBy<BoardGame>],
    ) -> Session {
        let add = |game: Play<BoardGame>, method: &BoardMethod| match method {
            BoardMethod::Discovered => game.oracle(Discovered::new()),
            BoardMethod::Layers => game.oracle(TableOracle::layers()),
            BoardMethod::OutcomeTable => game.oracle(TableOrMemo::new()),
            BoardMethod::Retrograde => game.oracle(TableOracle::retrograde()),
            BoardMethod::NumberedReversible => game.oracle(TableOracle::numbered_reversible()),
            BoardMethod::Reversible => game.oracle(TableOracle::reversible()),
            BoardMethod::Memo => game.oracle(ByMemo::default()),
            BoardMethod::Forms => game.worth(ByForms::default()),
            BoardMethod::FormsAlone => game.summing_oracle(ByForms::default()),
            BoardMethod::Outcomes => game.oracle(ByOutcomes::default()),
            BoardMethod::Quotient => game.oracle(ByQuotient::default()),
            BoardMethod::Mex => game.worth(ByMex::default()),
            BoardMethod::AlphaBeta => game.search::<AlphaBeta<_>>(),
            BoardMethod::Proofs => game.search::<Proofs<_>>(),
            BoardMethod::SumAlphaBeta => game.search::<SumProofs<_, AlphaBeta<_>>>(),
            BoardMethod::SumProofs => game.search::<SumProofs<_, Proofs<_>>>(),
        };
        methods.iter().fold(play(spec, self).numberings(numberings), add).session()
    }

    /// Returns an impartial game as a component of sums.
    ///
    /// # Errors
    /// It is not impartial with these parameters, as the text says.
    pub fn impartial_component(self) -> Result<Arc<dyn Component>, String> {
        component::impartial(self)
    }

    /// Returns a partizan game as a component of sums.
    pub fn component(self) -> Arc<dyn Component> {
        component::partizan(self)
    }
}
