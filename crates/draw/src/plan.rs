//! Boards with a [`Plan`] of their cells: hexagons, layers, graphs.

use std::f64::consts::TAU;
use std::fmt::Write as _;

use grundy_session::{CellForm, Plan};

use crate::parts::{cell_name, escape, man, open, piece};
use grundy_core::text::column_name;

/// Largest distance of the nearest points of a board, in cells; boards of more distant points are drawn closer together.
const NEAREST: f64 = 1.5;
/// Number of directions from a point in which its name may be written.
const DIRECTIONS: u32 = 16;
/// Distance from all else, in cells, beyond which a name has room enough.
const ROOM: f64 = 0.25;
/// Names of more letters are written smaller.
const SHORT: usize = 3;

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
    let rows = (plan.cells.iter().map(|spot| spot.y).fold(0.0, f64::max) + 1.0).round() as usize;
    let edged = edged(plan, rows);
    // Names of points stand beside them, those of other cells in them.
    let around = !edged && plan.form == CellForm::Point;
    let scale = if around { scale(plan) } else { 1.0 };
    let places: Vec<Place> = plan.cells.iter().map(|spot| [spot.x * scale, spot.y * scale]).collect();
    let [width, height] = extent(&places).map(|side| side + 1.0);
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
    let at = |place: usize| (round(places[place][0] + left + 0.5), round(places[place][1] + top));
    for &[from, to] in &plan.lines {
        let ((x, y), (to_x, to_y)) = (at(from), at(to));
        let _ = write!(svg, "<path class=\"g\" d=\"M{x} {y}L{to_x} {to_y}\"/>");
    }
    for (i, (spot, &mark)) in plan.cells.iter().zip(&now).enumerate() {
        let ((x, y), name) = (at(i), escape(&spot.name));
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
            let [right, down] = if around { beside(plan, &places, i) } else { [0.0, -0.34] };
            let (x, y) = (round(x + right), round(y + down));
            let class = if around && is_short(&spot.name) { "l" } else { "l q" };
            let _ = write!(svg, "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{name}</text>");
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

/// A place in a picture: to the right and downwards, in cells.
type Place = [f64; 2];

/// Returns the largest coordinates of places.
fn extent(places: &[Place]) -> Place {
    [0, 1].map(|side| places.iter().map(|place| place[side]).fold(0.0, f64::max))
}

/// Returns the factor that brings the nearest points to the distance [`NEAREST`]; 1 if they are not farther apart.
fn scale(plan: &Plan) -> f64 {
    let to_others = |i: usize| {
        let spot = &plan.cells[i];
        plan.cells[..i].iter().map(move |other| (other.x - spot.x).hypot(other.y - spot.y))
    };
    let nearest = (0..plan.cells.len()).flat_map(to_others).fold(f64::INFINITY, f64::min);
    if nearest > NEAREST && nearest.is_finite() { NEAREST / nearest } else { 1.0 }
}

fn is_short(name: &str) -> bool {
    name.chars().count() <= SHORT
}

/// Returns half the width of a point's name, in cells.
fn half_width(name: &str) -> f64 {
    name.chars().count() as f64 * if is_short(name) { 0.065 } else { 0.05 }
}

/// Returns where the name of the point `index` is written, from the point to the right and downwards to its base line: on the
/// side that is farthest from lines, other points and values below men, preferably outwards.
fn beside(plan: &Plan, places: &[Place], index: usize) -> Place {
    let [x, y] = places[index];
    let [out, under] = extent(places).map(|side| side / 2.0);
    let (out, under) = (x - out, y - under);
    let far = out.hypot(under).max(0.01);
    let half = half_width(&plan.cells[index].name);
    let (mut found, mut most) = ([0.0, -0.39], f64::MIN);
    for step in 0..DIRECTIONS {
        let (down, right) = (TAU * f64::from(step) / f64::from(DIRECTIONS)).sin_cos();
        let offset = [right * (0.42 + half), down * 0.53];
        // Along the name.
        let spots = [-1.0, -0.5, 0.0, 0.5, 1.0].map(|part| [x + offset[0] + part * half, y + offset[1]]);
        let free = spots.map(|spot| room(plan, places, index, spot)).into_iter().fold(ROOM, f64::min);
        let score = free + 0.1 * (right * out + down * under) / far;
        // Rounding must not choose between equal directions.
        if score > most + 1e-9 {
            (found, most) = ([offset[0], offset[1] + 0.08], score);
        }
    }
    found
}

/// Returns the distance of a spot of the name of the point `index` from all else, at most [`ROOM`].
fn room(plan: &Plan, places: &[Place], index: usize, spot: Place) -> f64 {
    let lines = plan.lines.iter().map(|&[from, to]| distance(spot, places[from], places[to]) - 0.1);
    let others = (0..places.len()).filter(|&other| other != index);
    let points = others.map(|other| distance(spot, places[other], places[other]) - 0.43);
    let values = places.iter().enumerate().map(|(other, [x, y])| {
        let far = distance(spot, [x - 0.25, y + 0.34], [x + 0.25, y + 0.34]);
        far - if other == index { 0.25 } else { 0.15 }
    });
    lines.chain(points).chain(values).fold(ROOM, f64::min)
}

/// Returns the distance of a spot from the line between two places.
fn distance(spot: Place, from: Place, to: Place) -> f64 {
    let (across, along) = (to[0] - from[0], to[1] - from[1]);
    let [x, y] = [spot[0] - from[0], spot[1] - from[1]];
    let length = across * across + along * along;
    let part = if length > 0.0 { ((x * across + y * along) / length).clamp(0.0, 1.0) } else { 0.0 };
    (x - part * across).hypot(y - part * along)
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

#[cfg(test)]
mod tests {
    use grundy_session::Spot;

    use super::*;

    /// Returns a point in the middle, and eight around it, each joined to it and to its neighbours.
    fn wheel(radius: f64) -> Plan {
        let turn = |k: u32| (TAU * (f64::from(k) + 0.5) / 8.0).sin_cos();
        let middle = radius * (TAU / 16.0).cos();
        let mut cells = vec![Spot { name: "centre".to_owned(), x: middle, y: middle }];
        cells.extend((0..8).map(|k| {
            let (down, right) = turn(k);
            Spot { name: format!("n{k}"), x: middle + radius * right, y: middle + radius * down }
        }));
        let lines = (1..9).flat_map(|k| [[0, k], [k, k % 8 + 1]]).collect();
        Plan { form: CellForm::Point, cells, lines }
    }

    #[test]
    fn names_of_points_keep_clear_of_lines_and_points() {
        let plan = wheel(1.5);
        let places: Vec<Place> = plan.cells.iter().map(|spot| [spot.x, spot.y]).collect();
        for (index, spot) in plan.cells.iter().enumerate() {
            let ([right, down], [x, y]) = (beside(&plan, &places, index), places[index]);
            let half = half_width(&spot.name);
            for part in [-half, 0.0, half] {
                let free = room(&plan, &places, index, [x + right + part, y + down - 0.08]);
                assert!(free >= 0.0, "{} at {right} {down}: {free}", spot.name);
            }
        }
    }

    #[test]
    fn boards_of_distant_points_are_drawn_closer_together() {
        let width = |radius: f64| {
            let picture = picture(&wheel(radius), "X........ 1", None).expect("a mark for each point");
            let width = picture.split('"').find_map(|part| part.split(' ').nth(2)?.parse::<f64>().ok());
            width.expect("a view box")
        };
        assert!(width(1.3) < width(4.0) && (width(4.0) - width(8.0)).abs() < 1e-6);
    }
}
