//! Boards whose cells lie as a [`Plan`] says: hexagons, layers, graphs.

use std::fmt::Write as _;

use grundy_session::{CellForm, Plan, Spot};

use crate::parts::{cell_name, column_name, escape, open, piece};

/// The signs of the cells of a position.
fn marks(position: &str) -> Vec<char> {
    let board = position.split_whitespace().next().unwrap_or("");
    board.chars().filter(|&mark| mark != '/' && mark != '#').collect()
}

/// The picture of a position; `None` where it has not a sign for each cell.
pub(crate) fn picture(plan: &Plan, position: &str, before: Option<&str>) -> Option<String> {
    let (now, old) = (marks(position), before.map_or_else(Vec::new, marks));
    if now.len() != plan.cells.len() || now.is_empty() {
        return None;
    }
    let largest = |side: fn(&Spot) -> f64| plan.cells.iter().map(side).fold(0.0, f64::max);
    let (width, height) = (largest(|spot| spot.x) + 1.0, largest(|spot| spot.y) + 1.0);
    let rows = height.round() as usize;
    let edged = edged(plan, rows);
    let (left, top) = if edged { (0.8, 0.6) } else { (0.2, 0.75) };
    let mut svg = open(width + left + 0.3, height + if edged { 0.8 } else { 0.4 }, 40.0);
    let at = |spot: &Spot| (round(spot.x + left + 0.5), round(spot.y + top));
    for &[from, to] in &plan.lines {
        let ((x, y), (to_x, to_y)) = (at(&plan.cells[from]), at(&plan.cells[to]));
        let _ = write!(svg, "<path class=\"g\" d=\"M{x} {y}L{to_x} {to_y}\"/>");
    }
    for (i, (spot, &mark)) in plan.cells.iter().zip(&now).enumerate() {
        let ((x, y), name) = (at(spot), escape(&spot.name));
        let class = if old.get(i).is_some_and(|&was| was != mark) { "c n" } else { "c" };
        let _ = match plan.form {
            CellForm::Point => {
                write!(svg, "<circle class=\"{class}\" data-at=\"{name}\" cx=\"{x}\" cy=\"{y}\" r=\".34\"/>")
            }
            CellForm::Square => {
                let (left, top) = (round(x - 0.5), round(y - 0.5));
                let place = format!("x=\"{left}\" y=\"{top}\" width=\"1\" height=\"1\"");
                write!(svg, "<rect class=\"{class}\" data-at=\"{name}\" {place}/>")
            }
            CellForm::Hexagon => {
                let (left, top) = (round(x - 0.5), round(y - 0.29));
                let path = format!("M{left} {top}l.5 -.29 .5 .29v.58l-.5 .29 -.5 -.29z");
                write!(svg, "<path class=\"{class}\" data-at=\"{name}\" d=\"{path}\"/>")
            }
        };
        if !edged {
            // Below a man there may be the value of his moves.
            let above = if plan.form == CellForm::Point { 0.39 } else { 0.35 };
            let _ = write!(svg, "<text class=\"l q\" x=\"{x}\" y=\"{}\">{name}</text>", round(y - above));
        }
        piece(&mut svg, mark, x, y);
    }
    if edged {
        for row in 0..rows {
            let y = round(row as f64 + 0.72);
            let _ = write!(svg, "<text class=\"l\" x=\".4\" y=\"{y}\">{}</text>", rows - row);
        }
        for column in 0..width.round() as usize {
            let (x, y, name) = (round(column as f64 + left + 0.5), round(height + 0.55), column_name(column));
            let _ = write!(svg, "<text class=\"l\" x=\"{x}\" y=\"{y}\">{name}</text>");
        }
    }
    Some(svg + "</svg>")
}

/// Whether letters and numbers at the edges name all cells.
fn edged(plan: &Plan, rows: usize) -> bool {
    plan.form != CellForm::Hexagon
        && plan.cells.iter().all(|spot| {
            let whole = spot.x.fract() == 0.0 && spot.y.fract() == 0.0 && (spot.y as usize) < rows;
            whole && cell_name(spot.x as usize, spot.y as usize, rows) == spot.name
        })
}

/// A number of a few digits.
fn round(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}
