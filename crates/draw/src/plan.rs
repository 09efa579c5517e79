//! Boards with a [`Plan`] of their cells: hexagons, layers, graphs.

use std::fmt::Write as _;

use grundy_session::{CellForm, Plan, Spot};

use crate::parts::{cell_name, escape, man, open, piece};
use grundy_core::text::column_name;

/// Returns the marks of a position's first fields, as many as have `cells` of them: a board of several layers has a field for
/// each.
fn marks(position: &str, cells: usize) -> Vec<char> {
    let mut marks = Vec::new();
    for field in position.split_whitespace() {
        if marks.len() >= cells {
            break;
        }
        marks.extend(field.chars().filter(|&mark| mark != '/' && mark != '#'));
    }
    marks
}

/// Draws a position; `None` if it does not have a mark for each cell.
pub(crate) fn picture(plan: &Plan, position: &str, before: Option<&str>) -> Option<String> {
    let marks = |position| marks(position, plan.cells.len());
    let (now, old) = (marks(position), before.map_or_else(Vec::new, marks));
    if now.len() != plan.cells.len() || now.is_empty() {
        return None;
    }
    let largest = |side: fn(&Spot) -> f64| plan.cells.iter().map(side).fold(0.0, f64::max);
    let (width, height) = (largest(|spot| spot.x) + 1.0, largest(|spot| spot.y) + 1.0);
    let rows = height.round() as usize;
    let edged = edged(plan, rows);
    // Names of points stand outside of the board, those of other cells in them.
    let around = !edged && plan.form == CellForm::Point;
    let (left, top) = if edged {
        (0.8, 0.6)
    } else if around {
        (0.5, 0.9)
    } else {
        (0.2, 0.75)
    };
    let (right, bottom) = if edged {
        (0.3, 0.8)
    } else if around {
        (0.5, 0.7)
    } else {
        (0.3, 0.4)
    };
    let mut svg = open(width + left + right, height + bottom, 40.0);
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
            let (aside, above) = if around { outwards(spot, width, height) } else { (0.0, 0.35) };
            let (x, y) = (round(x + aside), round(y - above));
            let _ = write!(svg, "<text class=\"l q\" x=\"{x}\" y=\"{y}\">{name}</text>");
        }
        match plan.form {
            CellForm::Square => piece(&mut svg, mark, x, y),
            CellForm::Point | CellForm::Hexagon => man(&mut svg, mark, x, y),
        }
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

/// Returns the offset of a point's name to the right and upwards: away from the middle of the board, and at the side if that is
/// below the point, since the value of a move may be drawn below its man.
fn outwards(spot: &Spot, width: f64, height: f64) -> (f64, f64) {
    let (x, y) = (spot.x + 0.5 - width / 2.0, height / 2.0 - spot.y - 0.5);
    let far = x.hypot(y);
    match (far < 0.3, y < -x.abs()) {
        (true, _) => (0.0, 0.39),
        (false, true) => (0.47_f64.copysign(x), -0.42),
        (false, false) => (0.52 * x / far, 0.5 * y / far - 0.07),
    }
}

/// Reports whether letters and numbers at the edges are enough to name all cells.
fn edged(plan: &Plan, rows: usize) -> bool {
    plan.form != CellForm::Hexagon
        && plan.cells.iter().all(|spot| {
            let whole = spot.x.fract() == 0.0 && spot.y.fract() == 0.0 && (spot.y as usize) < rows;
            whole && cell_name(spot.x as usize, spot.y as usize, rows) == spot.name
        })
}

/// Rounds to two digits.
fn round(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}
