//! Boards of points and lines: squares within squares, the middles of their sides joined, or nine points in a square.

use std::fmt::Write as _;

use crate::parts::{cell_name, escape, labels, man, open};

/// The lengths of the rows of the known boards.
const BOARDS: [&[usize]; 3] = [&[3, 3, 3], &[3, 3, 4, 3, 3], &[3, 3, 3, 6, 3, 3, 3]];

/// Reports whether the rows are those of such a board.
pub(crate) fn is_board(text: &str) -> bool {
    let lengths: Vec<usize> = text.split('/').map(|row| row.chars().count()).collect();
    BOARDS.contains(&lengths.as_slice())
}

/// Draws the board with the men on it, and those in hand below.
pub(crate) fn picture(game: &str, fields: &[&str], before: Option<&str>) -> String {
    let board = fields[0];
    let side = board.split('/').count();
    let middle = (side / 2) as f64;
    let mut svg = open(side as f64 + 1.3, side as f64 + 1.6, 40.0);
    let lines = if side == 3 { square(!game.contains(":nodiagonals")) } else { rings(side / 2) };
    for [x, y, to_x, to_y] in lines {
        // The ends are relative to the middle of the board.
        let [x, y, to_x, to_y] =
            [x + middle + 1.5, y + middle + 0.5, to_x + middle + 1.5, to_y + middle + 0.5];
        let _ = write!(svg, "<path class=\"g\" d=\"M{x} {y}L{to_x} {to_y}\"/>");
    }
    let old: Vec<char> = before.map_or_else(Vec::new, |before| marks(before).collect());
    for (i, ((column, row), mark)) in places(side).into_iter().zip(marks(board)).enumerate() {
        let (x, y, at) = (column as f64 + 1.5, row as f64 + 0.5, cell_name(column, row, side));
        let new = if old.get(i).is_some_and(|&was| was != mark) { " n" } else { "" };
        let _ = write!(svg, "<circle class=\"c{new}\" data-at=\"{at}\" cx=\"{x}\" cy=\"{y}\" r=\".33\"/>");
        man(&mut svg, mark, x, y);
    }
    labels(&mut svg, side, side);
    if let Some((one, two)) = fields.get(1).and_then(|hands| hands.split_once('-')) {
        let (x, y) = (middle + 1.5, side as f64 + 1.3);
        let _ = write!(
            svg,
            "<text class=\"l h\" x=\"{x}\" y=\"{y}\">in hand {}-{}</text>",
            escape(one),
            escape(two)
        );
    }
    svg + "</svg>"
}

/// Returns the marks of a position's points, in the order of its text.
fn marks(position: &str) -> impl Iterator<Item = char> {
    let board = position.split_whitespace().next().unwrap_or("");
    board.chars().filter(|&mark| mark != '/')
}

/// Returns the column and the row from the top of every point.
fn places(side: usize) -> Vec<(usize, usize)> {
    let middle = side / 2;
    let is_point = |&(column, row): &(usize, usize)| {
        let (x, y) = (column.abs_diff(middle), row.abs_diff(middle));
        side == 3 || (x, y) != (0, 0) && (x == 0 || y == 0 || x == y)
    };
    (0..side).flat_map(|row| (0..side).map(move |column| (column, row))).filter(is_point).collect()
}

/// Lines between points by their ends.
type Lines = Vec<[f64; 4]>;

/// Returns the lines of nine points: rows, columns, and both diagonals if the game has them.
fn square(diagonals: bool) -> Lines {
    let ends = [-1.0, 0.0, 1.0];
    let rows = ends.map(|y| [-1.0, y, 1.0, y]);
    let columns = ends.map(|x| [x, -1.0, x, 1.0]);
    let slanting = [[-1.0, -1.0, 1.0, 1.0], [-1.0, 1.0, 1.0, -1.0]];
    rows.into_iter().chain(columns).chain(slanting.into_iter().filter(|_| diagonals)).collect()
}

/// Returns the lines of `count` squares, and those that join the middles of their sides.
fn rings(count: usize) -> Lines {
    let largest = count as f64;
    let squares = (1..=count)
        .map(|size| size as f64)
        .flat_map(|d| [[-d, -d, d, -d], [-d, d, d, d], [-d, -d, -d, d], [d, -d, d, d]]);
    let joined =
        [[-1.0, 0.0], [1.0, 0.0], [0.0, -1.0], [0.0, 1.0]].map(|[x, y]| [x, y, x * largest, y * largest]);
    squares.chain(joined).collect()
}
