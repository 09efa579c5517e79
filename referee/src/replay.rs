//! A recorded game played over again by the rules: every position it went through, for reports and exports.

use grundy_core::game::Player;
use grundy_core::value::Value;
use grundy_session::{Catalog, Session};

use crate::record::Game;
use crate::truth;

/// A recorded game with its positions.
pub struct Replay {
    /// The positions, the first before any recorded move; one more than moves.
    pub positions: Vec<String>,
    /// Where the game stood at each position for player one: 1 won, 0 drawn, -1 lost; in games for points the final
    /// margin. `None` where it is not known.
    pub course: Vec<Option<f64>>,
    /// The player to move at each position.
    pub turns: Vec<Player>,
}

/// Plays a game over again.
///
/// # Errors
/// The record is not of this game; one line.
pub fn replay(catalog: &Catalog, game: &Game) -> Result<Replay, String> {
    let mut rules = truth::rules(catalog, &game.game)?;
    rules.setup(game.start.as_deref()).map_err(|e| e.to_string())?;
    for word in &game.opening {
        rules.play(word).map_err(|e| e.to_string())?;
    }
    let mut replay = Replay { positions: Vec::new(), course: Vec::new(), turns: Vec::new() };
    for m in &game.moves {
        replay.push(&rules, m.before.as_deref());
        rules.play(&m.word).map_err(|e| format!("game {}: {e}", game.id))?;
    }
    let over = rules.over().map(|value| value.show(rules.unit()).to_string());
    replay.push(&rules, over.as_deref());
    Ok(replay)
}

impl Replay {
    fn push(&mut self, rules: &Session, value: Option<&str>) {
        let turn = rules.turn();
        let sign = if turn == Player::One { 1.0 } else { -1.0 };
        let value = value.and_then(Value::read);
        self.course.push(value.map(|value| match (rules.unit(), value.margin()) {
            (unit, Some(margin)) if unit.is_points() => {
                let margin = f64::from(margin) / f64::from(unit.parts().get());
                let lead = rules.score().map_or(0, |(one, two)| one - two);
                sign * margin + f64::from(lead)
            }
            _ => sign * f64::from(rules.outcome(value) as i8 - 1),
        }));
        self.positions.push(rules.position());
        self.turns.push(turn);
    }
}
