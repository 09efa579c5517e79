//! Positions of the cells in a drawing of the board: hexagons, layers of a cuboid side by side, and graphs.
//!
//! A graph has no geometry. Its cells are where `//@ places` puts them; without that, names like `b3` are columns and
//! rows; otherwise the cells are placed so that their distances in the drawing approximate those along the edges
//! (stress majorization: E. Gansner, Y. Koren and S. North, "Graph drawing by stress majorization", GD 2004).

use grundy_core::random::SplitMix64;
use grundy_core::sorting;
use grundy_session::{CellForm, Plan, Spot};

use crate::board::{Board, NOWHERE, Shape};
use crate::board_notation;
use crate::program::Program;

/// Maximum number of cells of a graph that is laid out.
const MOST: usize = 200;
/// Maximum number of initial layouts, and number of improvements of each.
const BEGINNINGS: usize = 12;
const ROUNDS: usize = 200;

/// Returns the drawing of a program's board; `None` for whole rows of squares, which need no plan.
pub fn board_plan(program: &Program) -> Option<Plan> {
    let board = &program.board;
    let (form, places) = match &board.shape {
        Shape::Rows { layers, hexagons: true } => {
            (CellForm::Hexagon, hexagons(layers.first()?, board.cells()))
        }
        Shape::Rows { layers, .. } => {
            let whole = layers.iter().flatten().flatten().all(Option::is_some);
            if layers.len() == 1 && layers[0].len() > 1 && whole {
                return None;
            }
            (CellForm::Square, side_by_side(layers, board.cells()))
        }
        Shape::Graph { names } => (CellForm::Point, graph(board, names, &program.directives.places)?),
    };
    let lines = if form == CellForm::Point { lines(board) } else { Vec::new() };
    let spot = |(name, [x, y]): (String, [f64; 2])| Spot { name, x, y };
    let cells = board_notation::squares(board).into_iter().zip(places).map(spot).collect();
    Some(Plan { form, cells, lines })
}

/// Places rows of hexagons, with the middle of each row above the middle of the next.
fn hexagons(rows: &[Vec<Option<u16>>], cells: usize) -> Vec<[f64; 2]> {
    let longest = rows.iter().map(Vec::len).max().unwrap_or(0);
    let mut places = vec![[0.0; 2]; cells];
    for (y, row) in rows.iter().enumerate() {
        for (x, cell) in row.iter().enumerate().filter_map(|(x, cell)| Some((x, (*cell)?))) {
            // The distance of two rows is the height of an equilateral triangle.
            let height = 0.75_f64.sqrt();
            places[usize::from(cell)] = [x as f64 + (longest - row.len()) as f64 / 2.0, y as f64 * height];
        }
    }
    places
}

/// Places layers of squares with a gap between them.
fn side_by_side(layers: &[Vec<Vec<Option<u16>>>], cells: usize) -> Vec<[f64; 2]> {
    let mut places = vec![[0.0; 2]; cells];
    let width = layers.first().and_then(|rows| rows.first()).map_or(0, Vec::len) as f64 + 0.5;
    for (at, rows) in layers.iter().enumerate() {
        for (y, row) in rows.iter().enumerate() {
            for (x, cell) in row.iter().enumerate().filter_map(|(x, cell)| Some((x, (*cell)?))) {
                places[usize::from(cell)] = [at as f64 * width + x as f64, y as f64];
            }
        }
    }
    places
}

/// Returns the pairs of cells joined by an edge.
fn lines(board: &Board) -> Vec<[usize; 2]> {
    let edges = board.edges.iter().flat_map(|label| label.iter().enumerate());
    let mut lines: Vec<[usize; 2]> = edges
        .filter(|&(from, &to)| to != NOWHERE && from != usize::from(to))
        .map(|(from, &to)| [from.min(to.into()), from.max(to.into())])
        .collect();
    sorting::sort(&mut lines);
    lines.dedup();
    lines
}

/// Returns the coordinates of a graph's cells; `None` if it is too large.
fn graph(board: &Board, names: &[String], declared: &[(u16, [f64; 2])]) -> Option<Vec<[f64; 2]>> {
    let mut places = match by_names(names) {
        Some(places) => places,
        None if declared.len() == names.len() => vec![[0.0; 2]; names.len()],
        None if names.len() > MOST => return None,
        None => upright(board, by_distances(&distances(board))),
    };
    for &(cell, place) in declared {
        places[usize::from(cell)] = place;
    }
    Some(places)
}

/// Returns coordinates from names like `b3`: the column, and the row from the bottom.
fn by_names(names: &[String]) -> Option<Vec<[f64; 2]>> {
    let place = |name: &String| -> Option<[f64; 2]> {
        let column = name.bytes().next().filter(u8::is_ascii_lowercase)?;
        let row: u8 = name[1..].parse().ok().filter(|&row| row < 100)?;
        Some([f64::from(column), -f64::from(row)])
    };
    let mut places: Vec<[f64; 2]> = names.iter().map(place).collect::<Option<_>>()?;
    for axis in 0..2 {
        let least = places.iter().map(|place| place[axis]).fold(f64::INFINITY, f64::min);
        places.iter_mut().for_each(|place| place[axis] -= least);
        // Names that only count are no coordinates.
        if places.iter().all(|place| place[axis] == 0.0) {
            return None;
        }
    }
    Some(places)
}

/// Returns the number of edges between any two cells, ignoring their direction.
fn distances(board: &Board) -> Vec<Vec<f64>> {
    let count = board.cells();
    let mut next = vec![Vec::new(); count];
    for [a, b] in lines(board) {
        next[a].push(b);
        next[b].push(a);
    }
    // Disconnected cells are placed somewhat apart.
    let apart = (count as f64).sqrt() + 1.0;
    (0..count)
        .map(|from| {
            let mut far = vec![apart; count];
            far[from] = 0.0;
            let mut found = std::collections::VecDeque::from([from]);
            let mut seen = vec![false; count];
            seen[from] = true;
            while let Some(cell) = found.pop_front() {
                for &to in &next[cell] {
                    if !std::mem::replace(&mut seen[to], true) {
                        far[to] = far[cell] + 1.0;
                        found.push_back(to);
                    }
                }
            }
            far
        })
        .collect()
}

/// Returns coordinates whose distances approximate the given ones: the best of a few attempts.
fn by_distances(far: &[Vec<f64>]) -> Vec<[f64; 2]> {
    let count = far.len();
    let mut dice = SplitMix64(1);
    let attempt = |beginning: usize| {
        let mut places: Vec<[f64; 2]> = (0..count)
            .map(|cell| {
                let turn = std::f64::consts::TAU * cell as f64 / count as f64;
                if beginning == 0 {
                    [turn.cos(), turn.sin()]
                } else {
                    [dice.below(1 << 20), dice.below(1 << 20)].map(|side| side as f64 / f64::from(1 << 18))
                }
            })
            .collect();
        for _ in 0..ROUNDS {
            for cell in 0..count {
                places[cell] = pulled(cell, &places, far);
            }
        }
        (stress(&places, far), places)
    };
    // Large graphs get fewer attempts, so that a picture takes no more than about a tenth of a second.
    let attempts = (0..(40_000 / (count * count).max(1)).clamp(1, BEGINNINGS)).map(attempt);
    attempts.min_by(|a, b| a.0.total_cmp(&b.0)).map_or_else(Vec::new, |(_, places)| places)
}

/// Returns the mean of the positions that the other cells suggest for a cell, with more weight for those nearer along
/// the edges.
fn pulled(cell: usize, places: &[[f64; 2]], far: &[Vec<f64>]) -> [f64; 2] {
    let (mut sum, mut weights) = ([0.0; 2], 0.0);
    for (other, place) in places.iter().enumerate().filter(|&(other, _)| other != cell) {
        let [dx, dy] = [places[cell][0] - place[0], places[cell][1] - place[1]];
        let wanted = far[cell][other];
        let (scale, weight) = (wanted / dx.hypot(dy).max(1e-9), wanted.powi(-2));
        sum[0] += weight * (place[0] + dx * scale);
        sum[1] += weight * (place[1] + dy * scale);
        weights += weight;
    }
    if weights > 0.0 { sum.map(|side| side / weights) } else { places[cell] }
}

/// Returns the squared error of the distances in the drawing.
fn stress(places: &[[f64; 2]], far: &[Vec<f64>]) -> f64 {
    let pairs = (0..places.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
    pairs
        .map(|(a, b)| {
            let is = (places[a][0] - places[b][0]).hypot(places[a][1] - places[b][1]);
            (is / far[a][b] - 1.0).powi(2)
        })
        .sum()
}

/// Rotates a drawing so that as many lines as possible are horizontal or vertical, and mirrors it so that cells written
/// first are above and at the left; the unit is the least distance between two cells.
fn upright(board: &Board, places: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    /// Maximum number of lines whose directions are tried.
    const TRIED: usize = 300;
    let angle = |[a, b]: [usize; 2]| (places[b][1] - places[a][1]).atan2(places[b][0] - places[a][0]);
    let angles: Vec<f64> = lines(board).into_iter().map(angle).collect();
    let turned = |by: f64| -> Vec<[f64; 2]> {
        let (sin, cos) = by.sin_cos();
        places.iter().map(|[x, y]| [x * cos + y * sin, y * cos - x * sin]).collect()
    };
    let straight = |by: f64| angles.iter().filter(|&angle| ((angle - by) * 2.0).sin().abs() <= 0.02).count();
    let tried = angles.iter().step_by(angles.len().div_ceil(TRIED).max(1));
    let best = tried.copied().max_by_key(|&by| straight(by));
    let mut places = turned(best.unwrap_or(0.0));
    let middle = places.len() as f64 / 2.0;
    for axis in 0..2 {
        let mean = places.iter().map(|place| place[axis]).sum::<f64>() / places.len() as f64;
        let order = |(at, place): (usize, &[f64; 2])| (at as f64 - middle) * (place[axis] - mean);
        if places.iter().enumerate().map(order).sum::<f64>() < -1e-6 {
            places.iter_mut().for_each(|place| place[axis] = -place[axis]);
        }
        let least = places.iter().map(|place| place[axis]).fold(f64::INFINITY, f64::min);
        places.iter_mut().for_each(|place| place[axis] -= least);
    }
    let pairs = (0..places.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
    let gap = |(a, b): (usize, usize)| (places[a][0] - places[b][0]).hypot(places[a][1] - places[b][1]);
    let unit = pairs.map(gap).fold(f64::INFINITY, f64::min).clamp(0.2, 1.0);
    places.iter().map(|place| place.map(|side| side / unit)).collect()
}
