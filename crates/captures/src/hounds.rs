//! Hare and Hounds, the French military game: three hounds corner a hare.
//!
//! * Points in three rows, the middle row one point longer at either end. Lines join neighbours along rows and columns, the
//!   ends of the middle row with the outer rows, and the points of the middle row in columns c, e, g .. with all eight around.
//! * The hounds `X` are player one's; they start on the left end and on the left points of the outer rows, the hare `O` on the
//!   right end. A hound moves along a line to a free point, never further left, the hare in any direction. The hounds win
//!   when the hare cannot move on its turn, the hare as soon as no hound stands in a column left of its own. Endless play is
//!   a draw.
//! * Position `X../X...O/X.. 1`, rows of points from the top; move `a2-b2`.
//!
//! Source: E. R. Berlekamp, J. H. Conway and R. K. Guy, "Winning Ways", 1982, chapter 21.

use grundy_core::game::{Flow, MORE, Player};
use grundy_core::value::Value;
use grundy_core::words;
use grundy_search::board::{BoardRules, Image, Layout, Move, Position, images};

use crate::field::cells;
use crate::points::{Points, square};

/// The rules of Hare and Hounds.
#[derive(Clone, Debug)]
pub struct Hounds {
    points: Points,
    /// Points of an outer row.
    length: usize,
    /// The column of each point.
    column: Vec<usize>,
    first: Player,
}

impl Hounds {
    /// Returns the game on outer rows of `length` points; `first` moves first.
    ///
    /// # Errors
    /// The length is not 3, 5 or 7.
    pub fn new(length: usize, first: Player) -> Result<Hounds, String> {
        if ![3, 5, 7].contains(&length) {
            return Err(format!("bad length={length}: expected 3, 5 or 7"));
        }
        let places: Vec<(usize, usize)> = (1..=length)
            .map(|column| (column, 0))
            .chain((0..length + 2).map(|column| (column, 1)))
            .chain((1..=length).map(|column| (column, 2)))
            .collect();
        let at =
            |column: usize, row: usize| places.iter().position(|&place| place == (column, row)).unwrap_or(0);
        let mut lines: Vec<Vec<usize>> = vec![
            (1..=length).map(|column| at(column, 0)).collect(),
            (0..length + 2).map(|column| at(column, 1)).collect(),
            (1..=length).map(|column| at(column, 2)).collect(),
        ];
        lines.extend((1..=length).map(|column| vec![at(column, 0), at(column, 1), at(column, 2)]));
        // The points of columns a, c, e .. of the middle row have slanting lines.
        for column in (0..length + 2).step_by(2) {
            for beside in [column.checked_sub(1), Some(column + 1)].into_iter().flatten() {
                if (1..=length).contains(&beside) {
                    lines.extend([0, 2].map(|row| vec![at(column, 1), at(beside, row)]));
                }
            }
        }
        let spots = places.iter().map(|&(column, row)| square(column, row, 3)).collect();
        let points = Points::new(spots, &[length, length + 2, length], lines);
        Ok(Hounds { points, length, column: places.iter().map(|place| place.0).collect(), first })
    }

    /// Returns the board, for drawings.
    pub fn points(&self) -> &Points {
        &self.points
    }

    /// Reports whether no hound stands in a column left of the hare.
    fn is_past(&self, position: &Position) -> bool {
        let [hounds, hare] = position.men;
        cells(hare).any(|hare| cells(hounds).all(|hound| self.column[hound] >= self.column[hare]))
    }
}

impl BoardRules for Hounds {
    fn layout(&self) -> Layout {
        Layout { cells: self.points.count() as u32, rest: 0, stage: 6 }
    }

    fn symmetries(&self) -> Vec<Image> {
        let count = self.points.count();
        let mirror = (0..count).map(|point| match point {
            point if point < self.length => point + count - self.length,
            point if point >= count - self.length => point - (count - self.length),
            point => point,
        });
        images(&[(0..count).collect(), mirror.collect()], 0, 0)
    }

    /// The hounds never go back: the sum of the columns that they have left to go.
    fn stage(&self, position: &Position) -> u64 {
        cells(position.men[0]).map(|hound| (self.length + 1 - self.column[hound]) as u64).sum()
    }

    fn cyclic(&self) -> bool {
        true
    }

    fn start(&self) -> Position {
        let (count, middle) = (self.points.count(), self.length);
        let hounds = 1 | 1 << middle | 1 << (count - self.length);
        let hare = 1 << (middle + self.length + 1);
        Position { men: [hounds, hare], rest: 0, turn: self.first }
    }

    fn over(&self, position: &Position) -> Option<Value> {
        let won = position.turn == Player::Two;
        self.is_past(position).then(|| if won { Value::win_in(0) } else { Value::loss_in(0) })
    }

    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        let free = self.points.all() & !position.taken();
        for from in cells(position.own()) {
            for to in cells(self.points.near(from) & free) {
                if position.turn == Player::Two || self.column[to] >= self.column[from] {
                    visit(Move::of(from, to))?;
                }
            }
        }
        MORE
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        position.after(position.own() & !(1 << m.from()) | 1 << m.to(), position.other(), 0)
    }

    fn draw(&self, position: &Position) -> String {
        self.points.plan().draw(self.write_position(position))
    }

    fn write_position(&self, position: &Position) -> String {
        format!("{} {}", self.points.write(position.men), position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([board], turn) = words::fields(text, "the rows of points, as X../X...O/X..,")?;
        let men = self.points.read(board)?;
        match men.map(u64::count_ones) {
            [3, 1] => Ok(Position { men, rest: 0, turn }),
            [hounds, hares] => {
                Err(format!("{hounds} X and {hares} O: expected three hounds X and one hare O"))
            }
        }
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        format!("{}-{}", self.points.name(m.from()), self.points.name(m.to()))
    }
}
