//! A game of a sum, its types erased: boards and moves in words, and the values of boards.

use std::fmt;
use std::sync::Arc;

use grundy_core::game::{MORE, Notation, Player};
use grundy_session::{Grundy, Spec, Work};

use crate::Worth;
use crate::cgt::{Arena, ByForms, Form, Gap, Partizan, Patience};
use crate::impartial::{ByMex, Impartial};

/// A move of a component and the board after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Successor {
    /// The move, in words.
    pub word: String,
    /// The board after it, without a turn.
    pub board: Arc<str>,
}

/// A game that can be a summand: a player without a move loses, and a board alone determines the moves of either
/// player.
pub trait Component: Send + Sync + fmt::Debug {
    /// Reports whether both players have the same moves.
    fn is_impartial(&self) -> bool;

    /// Returns the board at the start.
    fn start(&self) -> Arc<str>;

    /// Normalises a board to the game's own notation.
    ///
    /// # Errors
    /// The text is no board of this game: what was expected.
    fn read(&self, text: &str) -> Result<Arc<str>, String>;

    /// Returns the moves of a player.
    fn steps(&self, board: &str, player: Player) -> Vec<Successor>;

    /// Returns the index among [`Component::steps`] of the move `word`.
    fn find(&self, board: &str, player: Player, word: &str) -> Option<u32>;

    /// Returns a drawing.
    fn draw(&self, board: &str) -> String;

    /// Returns the Grundy number of a board of an impartial game, within the limits of `work`.
    fn grundy(&self, board: &str, work: &Work<'_>) -> Grundy;

    /// Returns the canonical form of a board in an arena.
    ///
    /// # Errors
    /// The patience is exhausted, or the game has none.
    fn form(&self, board: &str, arena: &mut Arena, patience: &mut Patience<'_>) -> Result<Form, Gap>;
}

/// A game that can be a summand, by the first word of its name.
#[derive(Clone, Copy, Debug)]
pub struct SummandRow {
    /// The first word.
    pub name: &'static str,
    /// The full name that the bare name is short for.
    pub default: &'static str,
    /// The sections that its name may have.
    pub parameters: &'static str,
    /// Opens the game of a parsed name.
    pub open: fn(&mut Spec<'_>) -> Result<Arc<dyn Component>, String>,
}

impl SummandRow {
    /// Opens the game of a full or a bare name, a part of the sum of `sum`.
    ///
    /// # Errors
    /// One line that names what was wrong in the name and says what was expected.
    pub fn open(&self, name: &str, sum: &mut Spec<'_>) -> Result<Arc<dyn Component>, String> {
        let mut spec = Spec::new(if name == self.name { self.default } else { name });
        let component = (self.open)(&mut spec)?;
        if let Some(digest) = spec.digest() {
            sum.means(&format!("{digest}\n"));
        }
        spec.finish(self.parameters)?;
        Ok(component)
    }
}

/// Returns an impartial game as a component.
///
/// # Errors
/// It is not impartial with these parameters, as the text says.
pub fn impartial<G: Impartial + Notation>(game: G) -> Result<Arc<dyn Component>, String> {
    match game.obstacle() {
        Some(why) => Err(format!("cannot stand in a sum: {why}")),
        None => Ok(Arc::new(Typed { game, worth: ByMex::default() })),
    }
}

/// Returns a partizan game as a component.
pub fn partizan<G: Partizan + Notation>(game: G) -> Arc<dyn Component> {
    Arc::new(Typed { game, worth: ByForms::default() })
}

/// A game with the method for the values of its boards.
struct Typed<G, W> {
    game: G,
    worth: W,
}

/// The differences between impartial and partizan games.
trait Side<G: Notation>: Send + Sync {
    const IMPARTIAL: bool;

    /// Returns why a position cannot be a summand.
    fn excluded(game: &G, position: &G::Position) -> Option<String>;

    /// Reports whether a move may be made in a sum.
    fn playable(game: &G, m: G::Move) -> bool;

    fn grundy(&self, game: &G, position: &G::Position, work: &Work<'_>) -> Grundy;

    fn form(
        &self,
        game: &G,
        position: &G::Position,
        arena: &mut Arena,
        patience: &mut Patience<'_>,
    ) -> Result<Form, Gap>;
}

impl<G: Impartial + Notation> Side<G> for ByMex<G> {
    const IMPARTIAL: bool = true;

    fn excluded(game: &G, position: &G::Position) -> Option<String> {
        game.excluded(position)
    }

    fn playable(game: &G, m: G::Move) -> bool {
        game.playable(m)
    }

    fn grundy(&self, game: &G, position: &G::Position, work: &Work<'_>) -> Grundy {
        Worth::grundy(self, game, position, work)
    }

    fn form(
        &self,
        _game: &G,
        _position: &G::Position,
        _arena: &mut Arena,
        _patience: &mut Patience<'_>,
    ) -> Result<Form, Gap> {
        // A sum makes the form of the number.
        Err(Gap::OutOfBounds)
    }
}

impl<G: Partizan + Notation> Side<G> for ByForms<G> {
    const IMPARTIAL: bool = false;

    fn excluded(_game: &G, _position: &G::Position) -> Option<String> {
        None
    }

    fn playable(_game: &G, _m: G::Move) -> bool {
        true
    }

    fn grundy(&self, game: &G, position: &G::Position, work: &Work<'_>) -> Grundy {
        Worth::grundy(self, game, position, work)
    }

    fn form(
        &self,
        game: &G,
        position: &G::Position,
        arena: &mut Arena,
        patience: &mut Patience<'_>,
    ) -> Result<Form, Gap> {
        self.form_in(game, position, arena, patience)
    }
}

impl<G: Notation, W> fmt::Debug for Typed<G, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.game.write_position(&self.game.start()))
    }
}

impl<G: Notation, W: Side<G>> Typed<G, W> {
    /// Returns the board of a position: its text without the turn.
    fn board(&self, position: &G::Position) -> Arc<str> {
        let line = self.game.write_position(position);
        line.rsplit_once(' ').map_or(line.as_str(), |(board, _)| board).into()
    }

    fn position(&self, board: &str, player: Player) -> Result<G::Position, String> {
        self.game.read_position(&format!("{board} {}", player.digit()))
    }

    /// Returns the moves that may be made in a sum.
    fn moves(&self, position: &G::Position) -> Vec<G::Move> {
        let mut list = Vec::new();
        if self.game.over(position).is_none() {
            let _ = self.game.moves(position, &mut |m| {
                if W::playable(&self.game, m) {
                    list.push(m);
                }
                MORE
            });
        }
        list
    }
}

impl<G: Notation, W: Side<G>> Component for Typed<G, W> {
    fn is_impartial(&self) -> bool {
        W::IMPARTIAL
    }

    fn start(&self) -> Arc<str> {
        self.board(&self.game.start())
    }

    fn read(&self, text: &str) -> Result<Arc<str>, String> {
        let position = self.position(text, Player::One)?;
        match W::excluded(&self.game, &position) {
            Some(why) => Err(why),
            None => Ok(self.board(&position)),
        }
    }

    fn steps(&self, board: &str, player: Player) -> Vec<Successor> {
        let Ok(position) = self.position(board, player) else { return Vec::new() };
        let step = |m| Successor {
            word: self.game.write_move(&position, m),
            board: self.board(&self.game.play(&position, m)),
        };
        self.moves(&position).into_iter().map(step).collect()
    }

    fn find(&self, board: &str, player: Player, word: &str) -> Option<u32> {
        let position = self.position(board, player).ok()?;
        let m = self.game.read_move(&position, word)?;
        (0..).zip(self.moves(&position)).find(|&(_, other)| other == m).map(|(place, _)| place)
    }

    fn draw(&self, board: &str) -> String {
        self.position(board, Player::One).map_or_else(|why| why, |position| self.game.draw(&position))
    }

    fn grundy(&self, board: &str, work: &Work<'_>) -> Grundy {
        match self.position(board, Player::One) {
            Ok(position) => self.worth.grundy(&self.game, &position, work),
            Err(why) => Grundy::Unknown(why),
        }
    }

    fn form(&self, board: &str, arena: &mut Arena, patience: &mut Patience<'_>) -> Result<Form, Gap> {
        let position = self.position(board, Player::One).map_err(|_| Gap::OutOfBounds)?;
        self.worth.form(&self.game, &position, arena, patience)
    }
}
