//! The spellings that other programs' UCI variants use for some of our games.
//!
//! Under `UCI_Variant tictactoe` and `cfour` boards are `3/3/3[PPPPPpppp] w - - 0 1` (`P` is player one, digits
//! count empty cells, what is left in hand stands in brackets) and moves are drops, `P@b2`.

use std::fmt::Write;

/// The UCI variant name of one of our games in other programs, and their spelling of its positions and moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// Its name in other programs.
    pub name: &'static str,
    /// The full name of the game.
    pub game: &'static str,
    /// The spelling of positions and moves.
    pub spelling: Spelling,
}

/// The spelling of a game's positions and moves in another program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// Our own.
    Ours,
    /// Drops of pieces on squares: `P@b2`.
    Drops,
    /// The same where stones fall: our moves name a column, theirs the square on which the stone lands.
    Falls,
}

impl Variant {
    /// Reports whether anything is spelled differently from `protocol.md`.
    pub fn differs(self) -> bool {
        self.spelling != Spelling::Ours
    }

    /// Translates a position of theirs to ours. Other text is passed on unchanged, to be refused or understood there.
    pub fn position_in(self, fen: &str) -> String {
        let mut fields = fen.split_ascii_whitespace();
        let (Some(placement), Some(side @ ("w" | "b"))) = (fields.next(), fields.next()) else {
            return fen.to_owned();
        };
        let board = placement.split('[').next().unwrap_or("");
        let mut ours = String::new();
        for c in board.chars() {
            match c {
                '1'..='9' => {
                    ours.extend(std::iter::repeat_n('.', c.to_digit(10).unwrap_or(0) as usize));
                }
                'P' => ours.push('X'),
                'p' => ours.push('O'),
                other => ours.push(other),
            }
        }
        ours.push_str(if side == "w" { " 1" } else { " 2" });
        ours
    }

    /// Translates a position of ours to theirs.
    pub fn position_out(self, ours: &str) -> String {
        let (board, turn) = ours.split_once(' ').unwrap_or((ours, "1"));
        let mut fen = String::new();
        let (mut empty, mut one, mut two, mut cells) = (0, 0, 0, 0);
        let flush = |fen: &mut String, empty: &mut u32| {
            if *empty > 0 {
                let _ = write!(fen, "{empty}");
                *empty = 0;
            }
        };
        for c in board.chars() {
            cells += usize::from(c != '/');
            match c {
                '.' => empty += 1,
                _ => {
                    flush(&mut fen, &mut empty);
                    one += usize::from(c == 'X');
                    two += usize::from(c == 'O');
                    fen.push(match c {
                        'X' => 'P',
                        'O' => 'p',
                        other => other,
                    });
                }
            }
        }
        flush(&mut fen, &mut empty);
        let hand = |who: &str, all: usize, used: usize| who.repeat(all.saturating_sub(used));
        let side = if turn == "2" { "b" } else { "w" };
        let moves = (one + two) / 2 + 1;
        format!(
            "{fen}[{}{}] {side} - - 0 {moves}",
            hand("P", cells.div_ceil(2), one),
            hand("p", cells / 2, two)
        )
    }

    /// Translates a move of theirs to ours.
    pub fn move_in(self, word: &str) -> String {
        let square = word.strip_prefix("P@").or_else(|| word.strip_prefix("p@")).unwrap_or(word);
        if self.spelling == Spelling::Falls && word.contains('@') {
            square.chars().take(1).collect()
        } else {
            square.to_owned()
        }
    }

    /// Translates a line of our moves, played from the given position of ours, to theirs.
    pub fn line_out(self, ours: &[String], position: &str) -> Vec<String> {
        let landing_row = |at: usize, column: &String| {
            landing(column, position) + ours[..at].iter().filter(|earlier| *earlier == column).count()
        };
        ours.iter()
            .enumerate()
            .map(|(at, word)| match self.spelling {
                Spelling::Ours => word.clone(),
                Spelling::Drops => format!("P@{word}"),
                Spelling::Falls => format!("P@{word}{}", landing_row(at, word)),
            })
            .collect()
    }

    /// Translates a move of ours, on the board it is played on, to theirs.
    pub fn move_out(self, ours: &str, position: &str) -> String {
        self.line_out(&[ours.to_owned()], position).concat()
    }
}

/// Returns the row on which a stone dropped into a column lands, counted from 1 at the bottom.
fn landing(column: &str, position: &str) -> usize {
    let board = position.split(' ').next().unwrap_or("");
    let at = column.bytes().next().map_or(0, |b| usize::from(b.saturating_sub(b'a')));
    1 + board.split('/').filter(|row| row.as_bytes().get(at).is_some_and(|&c| c != b'.')).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACED: Variant = Variant { name: "tictactoe", game: "tictactoe", spelling: Spelling::Drops };
    const FALLING: Variant = Variant { name: "cfour", game: "connect4:7x6", spelling: Spelling::Falls };

    #[test]
    fn tictactoe_boards_go_there_and_back() {
        let v = PLACED;
        assert_eq!(v.position_out(".../.../... 1"), "3/3/3[PPPPPpppp] w - - 0 1");
        assert_eq!(v.position_in("3/3/3[PPPPPpppp] w - - 0 1"), ".../.../... 1");
        assert_eq!(v.position_out("X.O/.../.X. 2"), "P1p/3/1P1[PPPppp] b - - 0 2");
        assert_eq!(v.position_in("P1p/3/1P1[PPPppp] b - - 0 2"), "X.O/.../.X. 2");
    }

    #[test]
    fn drops_name_the_square_they_land_on() {
        let board = "......./......./......./......./...O.../...X... 1";
        assert_eq!(FALLING.move_out("d", board), "P@d3");
        let line = ["d", "c", "d"].map(str::to_owned);
        assert_eq!(FALLING.line_out(&line, board), ["P@d3", "P@c1", "P@d4"]);
        assert_eq!(FALLING.move_in("P@d3"), "d");
        assert_eq!(PLACED.move_in("P@a1"), "a1");
    }
}
