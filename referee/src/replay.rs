//! A recorded game replayed by the rules: all its positions, for reports and exports.

use grundy_core::game::Player;
use grundy_core::value::Value;
use grundy_session::{Catalog, Session};

use crate::games;
use crate::record::Game;

/// A recorded game with its positions.
pub struct Replay {
    /// The positions, one more than the recorded moves.
    pub positions: Vec<String>,
    /// The value of each position for player one: 1 won, 0 drawn, -1 lost; in games for points the final margin.
    /// `None` if unknown.
    pub values_for_one: Vec<Option<f64>>,
}

/// Replays a game.
///
/// # Errors
/// The record is not of this game; one line.
pub fn replay(catalog: &Catalog, game: &Game) -> Result<Replay, String> {
    let mut rules = games::rules(catalog, &game.game)?;
    game.set_up(&mut rules)?;
    let mut replay = Replay { positions: Vec::new(), values_for_one: Vec::new() };
    for m in &game.moves {
        replay.push(&rules, m.before.as_ref().map(|recorded| recorded.value));
        rules.play(&m.word).map_err(|e| format!("game {}: {e}", game.id))?;
    }
    replay.push(&rules, rules.over());
    Ok(replay)
}

impl Replay {
    fn push(&mut self, rules: &Session, value: Option<Value>) {
        let sign = if rules.turn() == Player::One { 1.0 } else { -1.0 };
        self.values_for_one.push(value.map(|value| match (rules.unit(), value.margin()) {
            (unit, Some(margin)) if unit.is_points() => {
                let margin = f64::from(margin) / f64::from(unit.denominator().get());
                let lead = rules.score().map_or(0, |(one, two)| one - two);
                sign * margin + f64::from(lead)
            }
            _ => sign * f64::from(rules.outcome(value) as i8 - 1),
        }));
        self.positions.push(rules.position());
    }
}
