//! The notation of positions and moves of a rules file.
//!
//! A move is the squares that it changes, joined by `-`, including the square where it ends. If two moves of a position
//! would be written alike, the letters of the pieces that they put follow the squares (`a7-a8Q`); if that does not tell
//! them apart, the values of variables follow, and last a number. A move that names no square is `pass`.

use std::sync::PoisonError;

use grundy_core::game::{Game, Notation, Player};
use rustc_hash::FxHashMap;

use crate::directives::Moves;
use crate::game::{Rules, width};
use crate::instructions::Op;
use crate::move_names::NamedMoves;
use crate::position::{Move, Position};
use crate::program::Expr;

/// Maximum number of moves of one position that are named together; further ones are named individually.
const NAMED: usize = 50_000;

impl Rules {
    /// Returns the squares of a move, those that it changes and the one where it ends.
    fn squares(&self, path: &[(u32, u16)]) -> Vec<u16> {
        let mut squares: Vec<u16> = Vec::new();
        for &(modifier, cell) in path {
            let at = self.code.modifiers[modifier as usize];
            let told = match self.code.all[at as usize].op {
                Op::Off(_) => true,
                Op::Switch(_) => self.code.walked[at as usize],
                _ => false,
            };
            if told && squares.last() != Some(&cell) {
                squares.push(cell);
            }
        }
        match self.program.directives.moves {
            Moves::All => squares,
            Moves::FromTo => {
                let last = squares.len().saturating_sub(1);
                squares
                    .into_iter()
                    .enumerate()
                    .filter(|&(at, _)| at == 0 || at == last)
                    .map(|(_, cell)| cell)
                    .collect()
            }
            Moves::To => squares.last().copied().into_iter().collect(),
        }
    }

    /// Returns the word of a move by its squares alone.
    fn plain(&self, path: &[(u32, u16)]) -> String {
        let squares = self.squares(path);
        if squares.is_empty() {
            return "pass".to_owned();
        }
        let names: Vec<&str> =
            squares.iter().map(|&cell| self.board_notation.squares[usize::from(cell)].as_str()).collect();
        names.join("-")
    }

    /// Returns the letters of the pieces that a move puts, without those that empty a cell.
    fn letters_of(&self, path: &[(u32, u16)]) -> String {
        let letter = |&(modifier, _): &(u32, u16)| {
            let at = self.code.modifiers[modifier as usize];
            let Op::Off(piece) = self.code.all[at as usize].op else { return None };
            Some(self.board_notation.letters[usize::from(piece)]).filter(|&letter| letter != '.')
        };
        path.iter().filter_map(letter).collect()
    }

    /// Returns the constants that a move assigns to variables, one after the other.
    fn constants_of(&self, path: &[(u32, u16)]) -> String {
        let constant = |&(modifier, _): &(u32, u16)| {
            let at = self.code.modifiers[modifier as usize];
            let Op::Assign(_, value) = self.code.all[at as usize].op else { return None };
            let Expr::Number(number) = self.code.values[value as usize] else { return None };
            Some(number.to_string())
        };
        path.iter().filter_map(constant).collect()
    }

    /// Names the moves of a position, unless it was the last one.
    fn named<R>(&self, position: &Position, f: impl FnOnce(&NamedMoves) -> R) -> R {
        let mut named = self.move_names.0.lock().unwrap_or_else(PoisonError::into_inner);
        if named.position.as_ref() != Some(position) {
            let moves = self.paths(position, NAMED);
            let mut words: Vec<String> = moves.iter().map(|(_, path)| self.plain(path)).collect();
            // Each round looks at the words that are still alike.
            for round in 0..3 {
                let mut counts: FxHashMap<String, u32> = FxHashMap::default();
                words.iter().for_each(|word| *counts.entry(word.clone()).or_default() += 1);
                let mut numbers: FxHashMap<String, u32> = FxHashMap::default();
                for (word, (_, path)) in words.iter_mut().zip(&moves) {
                    if counts.get(word).copied() < Some(2) {
                        continue;
                    }
                    match round {
                        0 => word.push_str(&self.letters_of(path)),
                        1 => word.push_str(&self.constants_of(path)),
                        _ => {
                            let number = numbers.entry(word.clone()).or_default();
                            *number += 1;
                            word.push_str(&format!(".{number}"));
                        }
                    }
                }
            }
            let by_word = words.iter().cloned().zip(moves.iter().map(|(m, _)| *m)).rev().collect();
            let words = moves.iter().map(|(m, _)| *m).zip(words).collect();
            *named = NamedMoves { position: Some(position.clone()), words, moves: by_word };
        }
        f(&named)
    }

    fn board_of(&self, position: &Position) -> Vec<u8> {
        position.data[..self.program.board.cells()].to_vec()
    }

    fn variables_text(&self, position: &Position) -> String {
        let values: Vec<String> =
            (0..self.program.variables.len()).map(|at| self.variable(position, at).to_string()).collect();
        values.join(",")
    }

    /// Learns the usual values from some positions; they need not be written.
    pub(crate) fn learn(&mut self, positions: &[Position]) {
        let cells = self.program.board.cells();
        let places: Vec<(Player, u16, Vec<u8>)> = positions
            .iter()
            .filter(|position| self.entries[usize::from(position.entry)].at.is_some())
            .map(|position| (self.turn(position), position.entry, position.data[cells..].to_vec()))
            .collect();
        self.board_notation.note_usual(&places);
    }

    /// Reads the scores and variables in their written form.
    fn read_variables(&self, text: &str) -> Result<Vec<u8>, String> {
        let variables = &self.program.variables;
        let expected = || {
            let names: Vec<String> = variables
                .iter()
                .map(|bounded| format!("{} (0 to {})", bounded.name, bounded.bound))
                .collect();
            format!("expected {} joined by commas", names.join(", "))
        };
        let mut bytes = Vec::new();
        let mut words = text.split(',');
        for bounded in variables {
            let word = words.next().ok_or_else(expected)?;
            let plain = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
            let value = word.parse::<u32>().ok().filter(|&value| plain && value <= bounded.bound);
            bytes.extend_from_slice(&value.ok_or_else(expected)?.to_le_bytes()[..width(bounded.bound)]);
        }
        if words.next().is_some() { Err(expected()) } else { Ok(bytes) }
    }

    /// Reads `3`, `3b2` or `end` with the player to move.
    fn read_entry(&self, text: &str, turn: Player) -> Result<(u16, u16), String> {
        let ends = self.entries.len() - 2;
        let expected = || {
            let own: Vec<String> = (0..ends)
                .filter(|&at| self.entries[at].player == turn)
                .take(20)
                .map(|at| {
                    let cell = if self.cell_matters(at as u16) { " and a square" } else { "" };
                    format!("@{at}{cell}")
                })
                .collect();
            format!(
                "bad place in the rules {:?}: expected {} or @end",
                grundy_core::words::short(text),
                own.join(", ")
            )
        };
        if text == "end" {
            return Ok(((ends + turn.index()) as u16, 0));
        }
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let (number, square) = text.split_at(digits);
        let entry: usize = number.parse().map_err(|_| expected())?;
        if entry >= ends || self.entries[entry].player != turn {
            return Err(expected());
        }
        let entry = entry as u16;
        let cell = match (self.cell_matters(entry), square) {
            (false, "") => 0,
            (true, square) => self.board_notation.cell(square).ok_or_else(expected)?,
            _ => return Err(expected()),
        };
        Ok((entry, cell))
    }

    /// Reports whether the current cell makes a difference at an entry.
    pub fn cell_matters(&self, entry: u16) -> bool {
        let at = self.entries[usize::from(entry)].at;
        self.program.board.cells() > 1 && at.is_some_and(|at| !self.code.anywhere[at as usize])
    }
}

impl Notation for Rules {
    fn write_position(&self, position: &Position) -> String {
        let turn = self.turn(position);
        let cells = self.program.board.cells();
        let mut text = self.board_notation.write_board(&self.program.board, &position.data[..cells]);
        let usual = &self.board_notation.usual;
        if usual.variables.get(&position.entry).map(Vec::as_slice) != Some(&position.data[cells..]) {
            text.push(' ');
            text.push_str(&self.variables_text(position));
        }
        let matters = self.cell_matters(position.entry);
        if self.entries[usize::from(position.entry)].at.is_none() {
            text.push_str(" @end");
        } else if matters || usual.entry[turn.index()] != Some(position.entry) {
            text.push_str(&format!(" @{}", position.entry));
            if matters {
                text.push_str(&self.board_notation.squares[usize::from(position.cell)]);
            }
        }
        text + " " + turn.digit()
    }

    fn cells(&self, position: &Position, cells: &mut Vec<u8>) {
        self.board_notation.push_cells(
            &self.program.board,
            &position.data[..self.program.board.cells()],
            cells,
        );
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let mut fields: Vec<&str> = text.split_whitespace().collect();
        let turn = match fields.last().and_then(|word| Player::read(word)) {
            // A board of one cell could be called `1`, but no letter is a digit.
            Some(turn) => {
                fields.pop();
                turn
            }
            None => Player::One,
        };
        let (&board, rest) = fields.split_first().ok_or("expected a board and the turn, 1 or 2")?;
        let cells = self.board_notation.read_board(&self.program.board, board)?;
        let (mut variables, mut entry) = (None, None);
        for &field in rest {
            match field.strip_prefix('@') {
                Some(word) if entry.is_none() => entry = Some(self.read_entry(word, turn)?),
                None if variables.is_none() => variables = Some(self.read_variables(field)?),
                _ => {
                    return Err(
                        "expected a board, values joined by commas, @ and a place in the rules, and the turn"
                            .to_owned(),
                    );
                }
            }
        }
        let usual = &self.board_notation.usual;
        let (entry, cell) = match entry {
            Some(entry) => entry,
            None => match usual.entry[turn.index()] {
                Some(entry) if !self.cell_matters(entry) => (entry, 0),
                _ => {
                    return Err(format!(
                        "expected @ and a place in the rules before the turn {}",
                        turn.digit()
                    ));
                }
            },
        };
        let variables = match variables {
            Some(variables) => variables,
            None => usual
                .variables
                .get(&entry)
                .cloned()
                .ok_or("expected the scores and variables joined by commas")?,
        };
        let mut data = smallvec::SmallVec::from_vec(cells);
        data.extend_from_slice(&variables);
        data.shrink_to_fit();
        Ok(Position { data, entry, cell })
    }

    fn refusal(&self, position: &Position) -> Option<String> {
        self.runs_away(position)
    }

    fn breakdown(&self) -> Option<String> {
        self.fault().map(str::to_owned)
    }

    fn unvalued(&self) -> Option<String> {
        self.breakdown().or_else(|| self.unvalued.get_or_init(|| self.sums_differ()).clone())
    }

    fn write_move(&self, position: &Position, m: Move) -> String {
        self.named(position, |named| named.words.get(&m).cloned()).unwrap_or_else(|| {
            // A move beyond those named together is named by its numbers.
            m.digits()
        })
    }

    fn read_move(&self, position: &Position, word: &str) -> Option<Move> {
        if self.over(position).is_some() {
            return None;
        }
        let named = self.named(position, |named| named.moves.get(word).copied());
        named.or_else(|| {
            let m = Move::from_digits(word)?;
            let mut found = false;
            let _ = self.moves(position, &mut |other| {
                found |= other == m;
                if found { std::ops::ControlFlow::Break(()) } else { grundy_core::game::MORE }
            });
            found.then_some(m)
        })
    }

    fn draw(&self, position: &Position) -> String {
        let mut text = self.board_notation.draw(&self.program.board, &self.board_of(position));
        let named = self.program.variables.iter().enumerate().skip(2);
        for (at, bounded) in named {
            text.push_str(&format!("\n{} {}", bounded.name, self.variable(position, at)));
        }
        text
    }
}
