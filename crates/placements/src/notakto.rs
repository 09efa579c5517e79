//! Notakto: noughts and crosses on several boards where both players put crosses.
//!
//! * Put `X` on a free cell of a board without three in a row, across, down or diagonally. A board with three in a row is dead.
//!   Whoever makes the last board dead loses.
//! * Position `X...../....../....X. 1`: the boards side by side, rows from the top; move `b2`, the cell.
//!
//! Solved by enumeration on few boards, with distances, else by the misere quotient, which has 18 elements. A part of a sum is
//! a board that is not dead, up to symmetry, by its free cells.
//!
//! Source: T. E. Plambeck and G. Whitehead, "The secrets of Notakto: winning at X-only tic-tac-toe", arXiv 1301.1672, 2013:
//! the first player wins on an odd number of boards, the second on an even one.

use grundy_core::bits::indices;
use grundy_core::game::{Flow, MORE, Player, cannot_move};
use grundy_core::grid::{Grid, LINES_OF_THREE};
use grundy_core::value::Value;
use grundy_core::words;
use grundy_search::board::{BoardRules, Layout, Move, Position};
use grundy_session::{CellForm, Plan, Spot};

/// Side of a board.
const SIDE: usize = 3;
/// One board.
const BOARD: Grid = Grid { columns: SIDE, rows: SIDE };
/// All cells of a board.
const FULL: u64 = 0o777;

/// The rules for a number of boards. The crosses are the bits of player one's men, by cells of the boards side by side.
#[derive(Clone, Debug)]
pub struct Notakto {
    grid: Grid,
    /// For the crosses of a board the largest image of them, full for a dead board.
    classes: Vec<u64>,
}

fn is_dead(board: u64) -> bool {
    LINES_OF_THREE.iter().any(|line| board & line == *line)
}

impl Notakto {
    /// Largest number of boards.
    pub const MOST: usize = 7;

    /// Returns the game on `boards` boards.
    ///
    /// # Errors
    /// There are none, or more than [`Notakto::MOST`].
    pub fn new(boards: usize) -> Result<Notakto, String> {
        if !(1..=Notakto::MOST).contains(&boards) {
            return Err(format!("no game on {boards} boards: expected 1 to {}", Notakto::MOST));
        }
        let symmetries = BOARD.symmetries();
        let class = |board: u64| {
            let image = |map: &Vec<usize>| indices(board).fold(0, |image, cell| image | 1 << map[cell]);
            if is_dead(board) { FULL } else { symmetries.iter().map(image).fold(board, u64::max) }
        };
        let grid = Grid { columns: SIDE * boards, rows: SIDE };
        Ok(Notakto { grid, classes: (0..=FULL).map(class).collect() })
    }

    /// Returns the plan of the cells for pictures: the boards with a gap between them.
    pub fn plan(&self) -> Plan {
        let spot = |cell: usize| {
            let (column, row) = self.grid.coordinates(cell);
            let x = column as f64 + 0.5 * (column / SIDE) as f64;
            Spot { name: self.grid.square(cell), x, y: row as f64 }
        };
        Plan { form: CellForm::Square, cells: (0..self.grid.cells()).map(spot).collect(), lines: Vec::new() }
    }

    /// Returns the place of the first cell of a board's row.
    fn at(&self, board: usize, row: usize) -> usize {
        row * self.grid.columns + board * SIDE
    }

    /// Returns the crosses of each board.
    fn boards(&self, position: &Position) -> impl Iterator<Item = u64> {
        let crosses = position.men[0];
        (0..self.grid.columns / SIDE).map(move |board| {
            (0..SIDE).fold(0, |cells, row| cells | (crosses >> self.at(board, row) & 0o7) << (SIDE * row))
        })
    }

    fn of_boards(&self, boards: &[u64], turn: Player) -> Position {
        let mut crosses = 0;
        for (board, cells) in boards.iter().enumerate() {
            (0..SIDE).for_each(|row| crosses |= (cells >> (SIDE * row) & 0o7) << self.at(board, row));
        }
        Position { men: [crosses, 0], turn, ..Position::EMPTY }
    }

    /// Returns the part of a board with these crosses; `None` if it is dead.
    fn part(&self, board: u64) -> Option<[u64; 2]> {
        let class = self.classes[board as usize];
        (class != FULL).then_some([FULL ^ class, 0])
    }
}

impl BoardRules for Notakto {
    fn layout(&self) -> Layout {
        Layout { cells: self.grid.cells() as u32, rest: 0, stage: 0 }
    }

    fn ended(&self, position: &Position) -> Option<Value> {
        self.boards(position).all(is_dead).then_some(cannot_move(true))
    }

    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        for (board, cells) in self.boards(position).enumerate().filter(|&(_, cells)| !is_dead(cells)) {
            for cell in indices(FULL ^ cells) {
                visit(Move((self.at(board, cell / SIDE) + cell % SIDE) as u64))?;
            }
        }
        MORE
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        let men = [position.men[0] | 1 << m.0, 0];
        Position { men, turn: !position.turn, ..*position }
    }

    fn essence(&self, position: &Position) -> Position {
        Position { turn: Player::One, ..*position }
    }

    /// Returns the boards' classes, sorted.
    fn canonical(&self, position: &Position) -> Option<Position> {
        let mut boards = [0; Notakto::MOST];
        let boards = &mut boards[..self.grid.columns / SIDE];
        for (class, board) in boards.iter_mut().zip(self.boards(position)) {
            *class = self.classes[board as usize];
        }
        boards.sort_unstable();
        Some(self.of_boards(boards, position.turn))
    }

    fn normal_play(&self) -> bool {
        false
    }

    fn parts(&self, position: &Position) -> Vec<[u64; 2]> {
        self.boards(position).filter_map(|board| self.part(board)).collect()
    }

    fn each_option(&self, part: [u64; 2], visit: &mut dyn FnMut(&[[u64; 2]]) -> Flow) -> Flow {
        indices(part[0]).try_for_each(|cell| match self.part(FULL ^ part[0] | 1 << cell) {
            Some(left) => visit(&[left]),
            None => visit(&[]),
        })
    }

    fn draw(&self, position: &Position) -> String {
        self.plan().draw(self.write_position(position))
    }

    fn write_position(&self, position: &Position) -> String {
        let board = self.grid.write(|cell| if position.men[0] >> cell & 1 == 1 { 'X' } else { '.' });
        format!("{board} {}", position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([board], turn) = words::fields(text, "the boards' rows from the top, as X../.../...,")?;
        let mut crosses = 0;
        self.grid.read(board, "X and .", |cell, letter| {
            crosses |= u64::from(letter == 'X') << cell;
            matches!(letter, 'X' | '.')
        })?;
        Ok(Position { men: [crosses, 0], turn, ..Position::EMPTY })
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        self.grid.square(m.0 as usize)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use grundy_search::board::BoardGame;
    use grundy_session::quiet_work;
    use grundy_sums::misere::ByQuotient;

    use super::*;

    #[test]
    fn a_quotient_of_18_elements_tells_who_wins_on_any_number_of_boards() {
        for boards in 1..=Notakto::MOST {
            let rules = Notakto::new(boards).unwrap();
            let start = rules.start();
            let expected = if boards % 2 == 1 { Value::WIN } else { Value::LOSS };
            let oracle = ByQuotient::default();
            let value = oracle.by_quotient(&BoardGame::new(rules), &start, &quiet_work());
            assert_eq!((value, oracle.size()), (Some(expected), 18), "{boards} boards");
        }
    }

    /// Reports whether the player to move loses, from the rules alone.
    fn is_lost(game: &Notakto, position: Position, known: &mut HashMap<Position, bool>) -> bool {
        let position = game.canonical(&game.essence(&position)).unwrap();
        if let Some(&lost) = known.get(&position) {
            return lost;
        }
        let mut any_lost = game.ended(&position).is_some();
        let _ = game.moves(&position, &mut |m| {
            any_lost |= is_lost(game, game.play(&position, m), known);
            MORE
        });
        known.insert(position, !any_lost);
        !any_lost
    }

    #[test]
    fn the_quotient_agrees_with_the_rules_in_all_positions_of_three_boards() {
        let rules = Notakto::new(3).unwrap();
        let mut known = HashMap::new();
        assert!(!is_lost(&rules, rules.start(), &mut known));
        let (game, oracle) = (BoardGame::new(rules), ByQuotient::default());
        for (position, lost) in known {
            let expected = if lost { Value::LOSS } else { Value::WIN };
            assert_eq!(oracle.by_quotient(&game, &position, &quiet_work()), Some(expected), "{position:?}");
        }
    }
}
