//! What a game may say of a position beyond values: drawings with marks, lines for a player.

use grundy_core::game::{Notation, Scored};
use grundy_session::{Settings, Work};

use super::erased::{Erased, Remarked};
use crate::loony::Known;

/// What a game has to say to people beyond its positions and moves.
pub trait Remarks: Notation {
    /// The drawing with a word at the place of each move that has one, usually its value.
    fn draw_with(&self, position: &Self::Position, word: &dyn Fn(Self::Move) -> Option<String>) -> String;

    /// The drawing with what the game so far has to add, for one who plays: the last move, whose is what.
    fn draw_game(&self, earlier: &[Self::Position], position: &Self::Position) -> String;

    /// What a player may want to know of a position beyond values, a line each.
    fn remarks(&self, position: &Self::Position, known: &mut Known<'_, Self::Position>) -> Vec<String>;

    /// How large a search of a position may get, in words, where the game has an idea of it.
    fn effort(&self, position: &Self::Position) -> Option<String>;
}

/// The game's own remarks.
pub(super) struct ByRemarks;

impl<G: Scored + Remarks> Remarked<G> for ByRemarks {
    fn draw_with(
        &self,
        game: &G,
        position: &G::Position,
        word: &dyn Fn(G::Move) -> Option<String>,
    ) -> String {
        game.draw_with(position, word)
    }
    fn draw_game(&self, game: &G, earlier: &[G::Position], position: &G::Position) -> String {
        game.draw_game(earlier, position)
    }
    fn remarks(&self, erased: &mut Erased<G>, settings: &Settings, work: &Work<'_>) -> Vec<String> {
        let mut lines = Vec::new();
        erased.with_values(settings, work, &mut |game, position, known| {
            lines = game.remarks(position, known);
        });
        lines
    }
    fn effort(&self, game: &G, position: &G::Position) -> Option<String> {
        game.effort(position)
    }
}
