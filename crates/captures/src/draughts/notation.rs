//! English draughts: positions and moves as text, and those of Portable Draughts Notation (PDN).
//!
//! PDN numbers the dark squares from 1 to 32 as Black sees them, who moves first and is player one here: 1 is g1, 4 is a1,
//! 32 is b8. A position is `B:W21,22,K31:B1,2`: who moves, and the squares of White and Black, `K` before those of kings.
//! Source: PDN 3.0, <https://pdn.fmjd.org>.

use grundy_core::game::{Flow, Game, MORE, Notation, Player};
use grundy_core::words;

use super::{Draughts, GRID, LAST, Move, Position, SQUARES, cell};
use crate::field::cells;

/// Returns the square in the same row that is as far from the other end.
fn mirrored(square: usize) -> usize {
    square / 4 * 4 + 3 - square % 4
}

/// Returns the number that PDN gives to a square seen by a player.
fn number(square: usize, turn: Player) -> usize {
    mirrored(if turn == Player::One { square } else { SQUARES - 1 - square }) + 1
}

/// Returns a position of PDN as the game's own text; `None` if it is none.
fn numbered(text: &str) -> Option<String> {
    let (turn, lists) = text.trim_end_matches('.').split_once(':')?;
    let mut letters = ['.'; 64];
    for list in lists.split(':') {
        let (man, king) = match list.chars().next()? {
            'B' => ('x', 'X'),
            'W' => ('o', 'O'),
            _ => return None,
        };
        for word in list[1..].split(',').filter(|word| !word.is_empty()) {
            let (mark, squares) = word.strip_prefix('K').map_or((man, word), |squares| (king, squares));
            let (first, last) = squares.split_once('-').unwrap_or((squares, squares));
            for number in first.parse::<usize>().ok()?..=last.parse().ok()? {
                let square = number.checked_sub(1).filter(|&square| square < SQUARES)?;
                let place = &mut letters[cell(mirrored(square), Player::One)];
                if std::mem::replace(place, mark) != '.' {
                    return None;
                }
            }
        }
    }
    let turn = match turn {
        "B" => 1,
        "W" => 2,
        _ => return None,
    };
    Some(format!("{} {turn}", GRID.write(|cell| letters[cell])))
}

impl Notation for Draughts {
    fn write_position(&self, position: &Position) -> String {
        let mut letters = ['.'; 64];
        let marks = if position.turn == Player::One { ["xX", "oO"] } else { ["oO", "xX"] };
        for (side, marks) in marks.into_iter().enumerate() {
            for (set, mark) in [position.men[side], position.kings[side]].into_iter().zip(marks.chars()) {
                cells(set).for_each(|square| letters[cell(square, position.turn)] = mark);
            }
        }
        format!("{} {}", GRID.write(|cell| letters[cell]), position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let spelt = numbered(text);
        let text = spelt.as_deref().unwrap_or(text);
        let ([board], turn) = words::fields(text, "the board's rows from the top,")?;
        let mut position = Position { men: [0, 0], kings: [0, 0], turn };
        let squares: Vec<usize> = (0..SQUARES).map(|square| cell(square, turn)).collect();
        let mut light = false;
        GRID.read(board, "x, X, o, O and .", |cell, letter| {
            let Some(at) = "xXoO.".find(letter) else { return false };
            let square = squares.iter().position(|&square| square == cell);
            let side = (at / 2) ^ turn.index();
            match (letter, square) {
                ('.', _) => {}
                (_, None) => light = true,
                ('x' | 'o', Some(square)) => position.men[side] |= 1 << square,
                (_, Some(square)) => position.kings[side] |= 1 << square,
            }
            true
        })?;
        if light {
            return Err("a man on a light square: expected men on squares such as a1 and b2".to_owned());
        }
        let count = position.count();
        if count > self.most {
            return Err(format!("{count} men: expected at most {}", self.most));
        }
        if position.other() == 0 {
            return Err("no man of the player who has moved: expected one".to_owned());
        }
        if position.men[0] & LAST != 0 || position.men[1] & LAST.reverse_bits() != 0 {
            return Err("a man on its last row: expected a king there".to_owned());
        }
        Ok(position)
    }

    fn write_move(&self, position: &Position, m: Move) -> String {
        let sign = if m.jumps() == 0 { "-" } else { "x" };
        let squares: Vec<String> =
            self.path(m).map(|(square, _)| GRID.square(cell(square, position.turn))).collect();
        squares.join(sign)
    }

    /// Reads `11-15` and `22x15` too, the numbers of PDN. Of a move that takes several men the first and the last number are
    /// enough, if no other move has them.
    fn read_move(&self, position: &Position, word: &str) -> Option<Move> {
        let sign = if word.contains('-') { '-' } else { 'x' };
        let wanted: Option<Vec<usize>> = word.split(sign).map(|number| number.parse().ok()).collect();
        let (mut spelt, mut ends) = (None, Vec::new());
        if self.over(position).is_none() {
            let _ = self.moves(position, &mut |m| {
                let Some(wanted) = &wanted else {
                    spelt = Some(m).filter(|&m| self.write_move(position, m) == word);
                    return if spelt.is_some() { Flow::Break(()) } else { MORE };
                };
                if (m.jumps() > 0) != (sign == 'x') {
                    return MORE;
                }
                let squares: Vec<usize> =
                    self.path(m).map(|(square, _)| number(square, position.turn)).collect();
                spelt = spelt.or(Some(m).filter(|_| squares == *wanted));
                if wanted.len() == 2 && [squares.first(), squares.last()] == [wanted.first(), wanted.last()] {
                    ends.push(m);
                }
                MORE
            });
        }
        spelt.or(<[Move; 1]>::try_from(ends).ok().map(|[m]| m))
    }

    fn draw(&self, position: &Position) -> String {
        let text = self.write_position(position);
        let (board, turn) = text.split_once(' ').unwrap_or((&text, ""));
        format!("{}\n\n{turn}", GRID.draw(board))
    }
}
