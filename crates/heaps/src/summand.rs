//! A game of another family in a sum: its board as text, its moves by their indices.

use std::sync::Arc;

use grundy_core::game::{Flow, Game, MORE, Notation, Player, Scored};
use grundy_core::value::Value;
use grundy_core::words;
use grundy_sums::component::Component;
use grundy_sums::sum::Sum;

/// A game of another family, its types erased.
#[derive(Clone, Debug)]
pub struct Other(Arc<dyn Component>);

/// The board, and the player to move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The board as the game writes it, without the turn.
    pub board: Arc<str>,
    /// The player to move.
    pub turn: Player,
}

impl Other {
    /// Returns a game as a summand.
    ///
    /// # Errors
    /// Its boards cannot be told apart in a sum, whose positions are joined by `+`.
    pub fn new(component: Arc<dyn Component>) -> Result<Other, String> {
        let start = component.start();
        if start.contains(['+', ' ']) {
            return Err(format!("{:?} cannot stand in a sum: it has a +", words::short(&start)));
        }
        // The start must be a board that a sum can read.
        component.read(&start)?;
        Ok(Other(component))
    }

    /// Returns the game.
    pub fn component(&self) -> &dyn Component {
        &*self.0
    }
}

impl Game for Other {
    type Position = Position;
    /// Index among the player's moves.
    type Move = u32;

    fn start(&self) -> Position {
        Position { board: self.0.start(), turn: Player::One }
    }

    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    fn over(&self, position: &Position) -> Option<Value> {
        self.0.steps(&position.board, position.turn).is_empty().then_some(Value::loss_in(0))
    }

    fn moves(&self, position: &Position, visit: &mut impl FnMut(u32) -> Flow) -> Flow {
        (0..self.0.steps(&position.board, position.turn).len() as u32).try_for_each(visit)
    }

    fn play(&self, position: &Position, m: u32) -> Position {
        let mut steps = self.0.steps(&position.board, position.turn);
        match (m as usize) < steps.len() {
            true => Position { board: steps.swap_remove(m as usize).board, turn: !position.turn },
            false => position.clone(),
        }
    }
}

impl Scored for Other {}

impl Notation for Other {
    fn write_position(&self, position: &Position) -> String {
        format!("{} {}", position.board, position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([board], turn) = words::fields(text, "a board")?;
        Ok(Position { board: self.0.read(board)?, turn })
    }

    fn write_move(&self, position: &Position, m: u32) -> String {
        let mut steps = self.0.steps(&position.board, position.turn);
        if (m as usize) < steps.len() { steps.swap_remove(m as usize).word } else { String::new() }
    }

    fn read_move(&self, position: &Position, word: &str) -> Option<u32> {
        self.0.find(&position.board, position.turn, word)
    }

    fn draw(&self, position: &Position) -> String {
        self.0.draw(&position.board)
    }
}

impl Sum for Other {
    type Part = Arc<str>;

    fn parts(&self, position: &Position) -> Vec<Arc<str>> {
        vec![position.board.clone()]
    }

    fn options(&self, part: &Arc<str>, visit: &mut dyn FnMut(&[Arc<str>]) -> Flow) -> Flow {
        for step in self.0.steps(part, Player::One) {
            visit(&[step.board])?;
        }
        MORE
    }
}
