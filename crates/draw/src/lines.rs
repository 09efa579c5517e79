//! Boards on which players make lines of marks: crosses and noughts, a frame with holes, a goban; and the chains of Hex.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write as _;

use crate::parts::{cell_name, cells, disc, is_board, labels, open_from, rows_of, themed};

/// The least columns and rows of a board that is drawn as a goban.
const GOBAN: usize = 9;
/// The length of a line in games whose names do not say it.
const LENGTH: usize = 3;
/// The length of a line in a frame.
const IN_FRAME: usize = 4;

/// Returns the length of a line: the third number of a game's name.
fn length(game: &str) -> usize {
    let numbers = game.split(':').nth(1).unwrap_or("");
    numbers.split(',').nth(2).and_then(|number| number.parse().ok()).unwrap_or(LENGTH)
}

/// Reports whether a board is as large as a goban.
pub(crate) fn is_goban(board: &str) -> bool {
    let rows = board.split('/').count();
    is_board(board) && rows >= GOBAN && board.split('/').all(|row| row.chars().count() >= GOBAN)
}

/// Draws crosses and noughts in cells.
pub(crate) fn crosses(game: &str, board: &str, before: Option<&str>) -> String {
    let rows: Vec<&str> = board.split('/').collect();
    let mut svg = cells(&rows, &rows_of(before.unwrap_or_default()), |c, r| cell_name(c, r, rows.len()));
    finish(&mut svg, &rows, length(game));
    svg
}

/// Draws discs in a frame with holes.
pub(crate) fn frame(board: &str, before: Option<&str>) -> String {
    let (rows, old) = (board.split('/').collect::<Vec<_>>(), rows_of(before.unwrap_or_default()));
    let columns = rows.first().map_or(0, |row| row.chars().count());
    let mut svg = themed(&open_from(0.45, columns as f64 + 0.65, rows.len() as f64 + 0.5, 36.0), "frame");
    for_each(&rows, &old, |c, r, mark, class| {
        let (x, y, at) = (c as f64 + 1.5, r as f64 + 0.5, cell_name(c, r, rows.len()));
        let (left, top) = (c + 1, r);
        let _ = write!(
            svg,
            "<rect class=\"{class}\" data-at=\"{at}\" x=\"{left}\" y=\"{top}\" width=\"1\" height=\"1\"/>\
             <circle class=\"hole\" cx=\"{x}\" cy=\"{y}\" r=\".4\"/>"
        );
        stone(&mut svg, mark, x, y);
    });
    finish(&mut svg, &rows, IN_FRAME);
    svg
}

/// Draws stones on the crossings of lines.
pub(crate) fn goban(game: &str, board: &str, before: Option<&str>) -> String {
    let (rows, old) = (board.split('/').collect::<Vec<_>>(), rows_of(before.unwrap_or_default()));
    let columns = rows.first().map_or(0, |row| row.chars().count());
    let mut svg = themed(&open_from(0.45, columns as f64 + 0.65, rows.len() as f64 + 0.5, 26.0), "goban");
    for_each(&rows, &old, |c, r, _, class| {
        let (left, top, at) = (c + 1, r, cell_name(c, r, rows.len()));
        let _ = write!(
            svg,
            "<rect class=\"{class}\" data-at=\"{at}\" x=\"{left}\" y=\"{top}\" width=\"1\" height=\"1\"/>"
        );
    });
    let _ = write!(svg, "<path class=\"g\" d=\"");
    for r in 0..rows.len() {
        let _ = write!(svg, "M1.5 {}h{}", r as f64 + 0.5, columns - 1);
    }
    for c in 0..columns {
        let _ = write!(svg, "M{} .5v{}", c as f64 + 1.5, rows.len() - 1);
    }
    svg += "\"/>";
    for_each(&rows, &old, |c, r, mark, _| stone(&mut svg, mark, c as f64 + 1.5, r as f64 + 0.5));
    finish(&mut svg, &rows, length(game));
    svg
}

/// Calls `f` with column, row, mark and class of each cell; cells that differ from `old` are marked.
fn for_each(rows: &[&str], old: &[&str], mut f: impl FnMut(usize, usize, char, &str)) {
    for (r, row) in rows.iter().enumerate() {
        for (c, mark) in row.chars().enumerate() {
            let was = old.get(r).and_then(|row| row.chars().nth(c));
            f(c, r, mark, if was.is_some_and(|was| was != mark) { "c n" } else { "c" });
        }
    }
}

/// Draws the stone or disc of a mark.
fn stone(svg: &mut String, mark: char, x: f64, y: f64) {
    match mark {
        'X' => disc(svg, "f", x, y),
        'O' => disc(svg, "s", x, y),
        _ => {}
    }
}

/// Adds the labels and the line that won, and closes the picture.
fn finish(svg: &mut String, rows: &[&str], length: usize) {
    labels(svg, rows.first().map_or(0, |row| row.chars().count()), rows.len());
    if let Some([(c, r), (to_c, to_r)]) = line(rows, length) {
        let at = |cell: usize, aside: f64| cell as f64 + aside;
        let (x, y, to_x, to_y) = (at(c, 1.5), at(r, 0.5), at(to_c, 1.5), at(to_r, 0.5));
        let _ = write!(svg, "<path class=\"won\" d=\"M{x} {y}L{to_x} {to_y}\"/>");
    }
    svg.push_str("</svg>");
}

/// Returns column and row of both ends of a line of at least `length` equal marks; `None` if there is none.
fn line(rows: &[&str], length: usize) -> Option<[(usize, usize); 2]> {
    let cells: Vec<Vec<char>> = rows.iter().map(|row| row.chars().collect()).collect();
    let mark = |c: isize, r: isize| -> Option<char> {
        let row = cells.get(usize::try_from(r).ok()?)?;
        row.get(usize::try_from(c).ok()?).copied().filter(|mark| matches!(mark, 'X' | 'O'))
    };
    for r in 0..cells.len() as isize {
        for c in 0..cells[r as usize].len() as isize {
            let Some(first) = mark(c, r) else { continue };
            for (right, down) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
                let more = (1..).take_while(|&k| mark(c + k * right, r + k * down) == Some(first)).count();
                if length > 1 && more + 1 >= length {
                    let k = more as isize;
                    return Some([
                        (c as usize, r as usize),
                        ((c + k * right) as usize, (r + k * down) as usize),
                    ]);
                }
            }
        }
    }
    None
}

/// Returns column and row of the stones of a shortest chain on a board of Hex that joins a player's borders: top and bottom for
/// `X`, left and right for `O`. `None` if no borders are joined.
pub(crate) fn chain(rows: &[&str]) -> Option<Vec<(usize, usize)>> {
    let cells: Vec<Vec<char>> = rows.iter().map(|row| row.chars().collect()).collect();
    let (high, wide) = (cells.len(), cells.first().map_or(0, Vec::len));
    let stones = |mark: char, along: &dyn Fn(usize) -> (usize, usize), count: usize| {
        (0..count).map(along).filter(|&(c, r)| cells[r][c] == mark).collect::<Vec<_>>()
    };
    joined(&cells, stones('X', &|c| (c, 0), wide), &|_, r| r + 1 == high)
        .or_else(|| joined(&cells, stones('O', &|r| (0, r), high), &|c, _| c + 1 == wide))
}

/// Returns the stones from one of `begin` to one at the `end`, through neighbours of one colour.
fn joined(
    cells: &[Vec<char>],
    begin: Vec<(usize, usize)>,
    end: &dyn Fn(usize, usize) -> bool,
) -> Option<Vec<(usize, usize)>> {
    let mut from: BTreeMap<_, _> = begin.iter().map(|&stone| (stone, None)).collect();
    let mut queue = VecDeque::from(begin);
    while let Some((c, r)) = queue.pop_front() {
        if end(c, r) {
            return Some(
                std::iter::successors(Some((c, r)), |stone| from.get(stone).copied().flatten()).collect(),
            );
        }
        for (right, down) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)] {
            let (Some(column), Some(row)) = (c.checked_add_signed(right), r.checked_add_signed(down)) else {
                continue;
            };
            let same = cells.get(row).and_then(|line| line.get(column)) == Some(&cells[r][c]);
            if same && !from.contains_key(&(column, row)) {
                from.insert((column, row), Some((c, r)));
                queue.push_back((column, row));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_of_hex_joins_the_borders_of_its_player() {
        assert_eq!(chain(&["OX.", ".XO", "X.O"]), Some(vec![(0, 2), (1, 1), (1, 0)]));
        assert_eq!(chain(&["X.O", "XO.", "OX."]), Some(vec![(2, 0), (1, 1), (0, 2)]));
        assert_eq!(chain(&["X..", "O..", "X.."]), None);
    }
}
