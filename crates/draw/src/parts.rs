//! The elements of pictures.

use std::fmt::Write as _;

use grundy_core::text::column_name;

/// Names a cell; rows are counted from the bottom.
pub fn cell_name(column: usize, row_from_top: usize, rows: usize) -> String {
    format!("{}{}", column_name(column), rows - row_from_top)
}

/// Returns the rows of the board with which a position begins.
pub fn rows_of(position: &str) -> Vec<&str> {
    position.split_whitespace().next().map_or_else(Vec::new, |board| board.split('/').collect())
}

/// The room above a picture for the upper half of its top border, in cells.
const TOP: f64 = 0.04;

/// Opens a picture of a size in cells, with `unit` pixels a cell.
pub fn open(width: f64, height: f64, unit: f64) -> String {
    open_from(0.0, width, height, unit)
}

/// Opens a picture as [`open`] does, of which the left edge is at `left`.
pub fn open_from(left: f64, width: f64, height: f64, unit: f64) -> String {
    let height = height + TOP;
    let (w, h) = (width * unit, height * unit);
    format!(
        "<svg class=\"b\" width=\"{w:.0}\" height=\"{h:.0}\" viewBox=\"{left} -{TOP} {width} {height:.2}\">"
    )
}

/// Adds a class to a picture: the material of its board.
pub fn themed(picture: &str, class: &str) -> String {
    picture.replacen("class=\"b\"", &format!("class=\"b {class}\""), 1)
}

/// Draws a disc in the colour of a class.
pub fn disc(svg: &mut String, class: &str, x: f64, y: f64) {
    let _ = write!(svg, "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y:.2}\" r=\".36\"/>");
}

/// Draws the letters below and the numbers at the left of a board whose cells begin at (1, 0).
pub fn labels(svg: &mut String, columns: usize, rows: usize) {
    for c in 0..columns {
        let _ = write!(
            svg,
            "<text class=\"l\" x=\"{}\" y=\"{}\">{}</text>",
            c as f64 + 1.5,
            rows as f64 + 0.36,
            column_name(c)
        );
    }
    for r in 0..rows {
        let _ = write!(svg, "<text class=\"l\" x=\".75\" y=\"{}\">{}</text>", r as f64 + 0.6, rows - r);
    }
}

/// Draws the piece of a mark; other marks are written out.
pub fn piece(svg: &mut String, mark: char, x: f64, y: f64) {
    let _ = match mark {
        '.' => Ok(()),
        'X' => write!(svg, "<path class=\"x\" d=\"M{} {}l.5 .5m0 -.5l-.5 .5\"/>", x - 0.25, y - 0.25),
        'O' => write!(svg, "<circle class=\"o\" cx=\"{x}\" cy=\"{y}\" r=\".28\"/>"),
        'o' => write!(svg, "<circle class=\"k\" cx=\"{x}\" cy=\"{y}\" r=\".25\"/>"),
        'A' | 'B' => {
            let class = if mark == 'A' { "f" } else { "s" };
            write!(
                svg,
                "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\".9\" height=\".9\"/>",
                x - 0.45,
                y - 0.45
            )
        }
        '*' | '#' => {
            write!(svg, "<rect class=\"k\" x=\"{}\" y=\"{}\" width=\"1\" height=\"1\"/>", x - 0.5, y - 0.5)
        }
        other => write!(svg, "<text x=\"{x}\" y=\"{}\">{}</text>", y + 0.22, escape(&other.to_string())),
    };
}

/// Draws the man of a player on a point; other marks as [`piece`] does.
pub fn man(svg: &mut String, mark: char, x: f64, y: f64) {
    match mark {
        'X' | 'O' => {
            let class = if mark == 'X' { "f" } else { "s" };
            let _ = write!(svg, "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\".29\"/>");
        }
        other => piece(svg, other, x, y),
    }
}

/// Returns the value of an attribute in the opening tag of an element.
pub fn attribute<'t>(tag: &'t str, name: &str) -> &'t str {
    let start = format!(" {name}=\"");
    let value = tag.split_once(&start).map_or("", |(_, rest)| rest);
    value.split('"').next().unwrap_or("")
}

/// Escapes a text for a page.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Reports whether a text is rows of equal length joined by `/`.
pub fn is_board(text: &str) -> bool {
    let mut rows = text.split('/').map(|row| row.chars().count());
    let width = rows.next().unwrap_or(0);
    width > 0 && text.contains('/') && rows.all(|row| row == width)
}

/// Draws cells with a mark and a name each; the picture is left open.
pub fn cells(rows: &[&str], old: &[&str], name: impl Fn(usize, usize) -> String) -> String {
    cells_over(rows, rows, old, name)
}

/// Draws cells as [`cells`] does, and marks those in which `now` differs from `old`.
pub fn cells_over(
    rows: &[&str],
    now: &[&str],
    old: &[&str],
    name: impl Fn(usize, usize) -> String,
) -> String {
    let columns = rows.first().map_or(0, |row| row.chars().count());
    let unit = if columns > 9 { 26.0 } else { 36.0 };
    let mut svg = open_from(0.45, columns as f64 + 0.65, rows.len() as f64 + 0.5, unit);
    for (r, row) in rows.iter().enumerate() {
        for (c, mark) in row.chars().enumerate() {
            let at_cell = |board: &[&str]| board.get(r).and_then(|row| row.chars().nth(c));
            let class = if at_cell(old).is_some_and(|was| Some(was) != at_cell(now)) { "c n" } else { "c" };
            let (x, y, at) = (c + 1, r, name(c, r));
            let _ = write!(
                svg,
                "<rect class=\"{class}\" data-at=\"{at}\" x=\"{x}\" y=\"{y}\" width=\"1\" height=\"1\"/>"
            );
            piece(&mut svg, mark, x as f64 + 0.5, y as f64 + 0.5);
        }
    }
    svg
}
