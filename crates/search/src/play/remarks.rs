//! Drawings with marks and comments for a player, by the game's own knowledge.

use grundy_core::game::{Notation, Scored};
use grundy_session::{Settings, Work};

use super::erased::{Erased, Remarked};
use grundy_tables::loony::Known;

/// Drawings and comments for people.
pub trait Remarks: Notation {
    /// Returns the drawing with a word, usually its value, at the place of each move that has one.
    fn draw_with(&self, position: &Self::Position, word: &dyn Fn(Self::Move) -> Option<String>) -> String;

    /// Returns the drawing with marks from the game so far: the last move, who took what.
    fn draw_game(&self, earlier: &[Self::Position], position: &Self::Position) -> String;

    /// Returns comments on a position for a player, a line each.
    fn remarks(&self, position: &Self::Position, known: &mut Known<'_, Self::Position>) -> Vec<String>;

    /// Returns an estimate of the size of a search of a position, in words, if the game has one.
    fn effort(&self, position: &Self::Position) -> Option<String>;
}

/// The erased form of [`Remarks`].
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
