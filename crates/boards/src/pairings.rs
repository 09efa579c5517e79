//! Draws in a row by stopping every line of the other: remarks on pairs of cells that do, and certificates.

use std::sync::atomic::AtomicBool;

use grundy_core::game::{Game, Player};
use grundy_session::Annotation;
use grundy_tables::{Annotator, FindValue};

use crate::blocking;
use crate::mnk::{Mnk, Position};

/// Remarks on players who cannot win, whatever they play.
#[derive(Clone, Copy, Debug)]
pub struct Pairings;

impl Annotator<Mnk> for Pairings {
    fn name(&self, _game: &Mnk) -> Option<&'static str> {
        None
    }

    fn annotate(
        &self,
        _game: &Mnk,
        _position: &Position,
        _value: &mut FindValue<'_, Position>,
    ) -> Annotation<u8> {
        Annotation { position: <Annotation>::NONE, moves: Vec::new() }
    }

    fn remarks(&self, game: &Mnk, position: &Position, _value: &mut FindValue<'_, Position>) -> Vec<String> {
        if game.over(position).is_some() {
            return Vec::new();
        }
        let remark = |player: Player| {
            let pairs = game.pairs(position, player)?;
            let [loser, other] = [player, !player].map(|player| ["X", "O"][player.index()]);
            if pairs.is_empty() {
                return Some(format!("{loser} cannot win: {other} has a stone on every line"));
            }
            let names: Vec<String> =
                pairs.iter().map(|pair| pair.map(|cell| game.grid().square(cell)).join("-")).collect();
            Some(format!(
                "{loser} cannot win: every line of {loser} has a pair of cells, and {other} answers a stone on one of them by \
                 the other: {}",
                names.join(" ")
            ))
        };
        [Player::One, Player::Two].into_iter().filter_map(remark).collect()
    }

    fn certificate(&self, game: &Mnk, position: &Position, stop: &AtomicBool) -> Option<String> {
        blocking::certificate(game, position, stop)
    }
}
