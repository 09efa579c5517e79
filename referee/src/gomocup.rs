//! The Gomocup protocol as the referee speaks it with engines: boards and questions as lines, answers read back.
//!
//! Every question gives the whole board, so that any position of a game of lines can be asked about. The rule is
//! freestyle, the number in a row the engine's own. Source: "Gomoku AI Protocol" (plastovicka.github.io/protocl2en.htm).

use std::time::Duration;

use grundy_core::game::Player;
use grundy_session::{Catalog, Session, Shape};

use crate::engine_spec::Limits;
use crate::games;

/// A board as engines of the protocol know it.
pub struct Field {
    rules: Session,
    columns: usize,
    rows: usize,
}

impl Field {
    /// Returns the board of a game.
    ///
    /// # Errors
    /// The game is not one of stones in lines; one line.
    pub fn of(catalog: &Catalog, game: &str) -> Result<Field, String> {
        let rules = games::rules(catalog, game)?;
        if catalog.row(game).is_none_or(|row| row.shape != Shape::Lines) {
            return Err(format!(
                "{game} is no game of stones in lines, which the Gomocup protocol needs: mnk:15,15,5"
            ));
        }
        let position = rules.position();
        let board = position.split(' ').next().unwrap_or("");
        let (columns, rows) = (board.split('/').next().unwrap_or("").len(), board.split('/').count());
        Ok(Field { rules, columns, rows })
    }

    /// Returns the line that sets up the empty board.
    pub fn start(&self) -> String {
        match self.columns == self.rows {
            true => format!("START {}", self.columns),
            false => format!("RECTSTART {},{}", self.columns, self.rows),
        }
    }

    /// Returns the rules, for setting up the position that is asked about.
    pub fn rules(&mut self) -> &mut Session {
        &mut self.rules
    }

    /// Returns the lines that ask for a move in the position of the rules. `left` is the time left on the engine's clock.
    pub fn question(&self, limits: &Limits, left: Option<Duration>) -> String {
        let mut lines = Vec::new();
        if let Some(movetime) = limits.movetime {
            lines.push(format!("INFO timeout_turn {movetime}"));
        }
        if let (Some(control), Some(left)) = (&limits.clock, left) {
            lines.push(format!("INFO timeout_match {}", control.time.as_millis()));
            lines.push(format!("INFO time_left {}", left.as_millis()));
        }
        let position = self.rules.position();
        let own = if self.rules.turn() == Player::One { 'X' } else { 'O' };
        let mut stones = Vec::new();
        for (y, row) in position.split(' ').next().unwrap_or("").rsplit('/').enumerate() {
            for (x, cell) in row.chars().enumerate().filter(|&(_, cell)| cell != '.') {
                stones.push(format!("{x},{y},{}", if cell == own { 1 } else { 2 }));
            }
        }
        match stones.is_empty() {
            true => lines.extend([self.start(), "BEGIN".to_owned()]),
            false => {
                lines.push("BOARD".to_owned());
                lines.append(&mut stones);
                lines.push("DONE".to_owned());
            }
        }
        lines.join("\n")
    }
}

/// Returns the move of an answer `x,y` in our notation; `None` if the line is none.
pub fn move_in(line: &str) -> Option<String> {
    let (x, y) = line.split_once(',')?;
    let (x, y): (u8, usize) = (x.trim().parse().ok()?, y.trim().parse().ok()?);
    let column = char::from(b'a'.checked_add(x).filter(u8::is_ascii_lowercase)?);
    Some(format!("{column}{}", y.checked_add(1)?))
}

/// Returns a move in our notation as `x,y`.
pub fn move_out(word: &str) -> String {
    let column = word.bytes().next().map_or(0, |letter| letter.saturating_sub(b'a'));
    let row: usize = word.get(1..).and_then(|row| row.parse().ok()).unwrap_or(1);
    format!("{column},{}", row.saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::CATALOG;

    #[test]
    fn a_position_is_asked_about_with_its_stones() {
        let mut field = Field::of(&CATALOG, "tictactoe").unwrap();
        let limits = Limits { movetime: Some(50), ..Limits::default() };
        assert_eq!(field.question(&limits, None), "INFO timeout_turn 50\nSTART 3\nBEGIN");
        field.rules().setup(Some("X../.O./..X 2")).unwrap();
        assert_eq!(field.question(&Limits::default(), None), "BOARD\n2,0,2\n1,1,1\n0,2,2\nDONE");
        assert!(Field::of(&CATALOG, "nim:1,2").is_err());
    }

    #[test]
    fn answers_are_read_as_cells() {
        assert_eq!((move_in("7,7").as_deref(), move_out("h8").as_str()), (Some("h8"), "7,7"));
        assert_eq!(move_in(" 0 , 18 ").as_deref(), Some("a19"));
        for line in ["OK", "MESSAGE a,b", "7", "26,1", "-1,3", "1,18446744073709551615", "1,2,3"] {
            assert_eq!(move_in(line), None, "{line}");
        }
    }
}
