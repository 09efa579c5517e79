//! Candidates for symmetries: permutations of the cells of a board, and involutions of pieces and variables.

use rustc_hash::FxHashMap;

use crate::board::{Board, NOWHERE, Shape};
use crate::program::Program;
use grundy_core::sorting;

/// Maximum number of symmetries of a board that are tried.
const TRIED: usize = 64;
/// Maximum number of exchanges of pieces and variables that are tried.
const EXCHANGES: usize = 64;

/// Returns the coordinates of each cell in a plane; `None` if the board has none.
fn plane(board: &Board) -> Option<Vec<(i32, i32)>> {
    let Shape::Rows { layers, hexagons } = &board.shape else { return None };
    let [rows] = layers.as_slice() else { return None };
    // Behind the longest row those of a hexagon begin further to the right.
    let longest = rows.iter().map(Vec::len).max()?;
    let middle = rows.iter().position(|row| row.len() == longest)? as i32;
    let mut places = vec![(0, 0); board.cells()];
    for (y, row) in rows.iter().enumerate() {
        for (x, cell) in row.iter().enumerate() {
            let Some(cell) = cell else { continue };
            let (x, y) = (x as i32, y as i32);
            // On a hexagon both coordinates run along its edges.
            places[usize::from(*cell)] = if *hexagons { (x + (y - middle).max(0), y) } else { (x, y) };
        }
    }
    Some(places)
}

/// Reports whether a map of the cells of a rectangle or hexagon is a rotation, not a reflection.
pub(crate) fn turns(board: &Board, cells: &[u16]) -> bool {
    let Some(places) = plane(board) else { return false };
    // A rotation keeps the sign of a triangle's area.
    let area = |of: &dyn Fn(usize) -> (i32, i32), [a, b, c]: [usize; 3]| {
        let ((ax, ay), (bx, by), (cx, cy)) = (of(a), of(b), of(c));
        (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
    };
    let (here, there) = (|cell: usize| places[cell], |cell: usize| places[usize::from(cells[cell])]);
    let count = cells.len();
    (2..count).find_map(|c| {
        let before = area(&here, [0, 1, c]);
        (before != 0).then(|| before.signum() == area(&there, [0, 1, c]).signum())
    }) == Some(true)
}

/// Returns the maps of the cells that may be symmetries: those of the plane, or the automorphisms of a graph.
pub(crate) fn maps(board: &Board) -> Vec<Vec<u16>> {
    let count = board.cells();
    let Some(places) = plane(board) else { return automorphisms(board) };
    let hexagons = matches!(board.shape, Shape::Rows { hexagons: true, .. });
    let mut at: FxHashMap<(i32, i32), u16> = FxHashMap::default();
    let normal = |points: Vec<(i32, i32)>| -> Vec<(i32, i32)> {
        let x = points.iter().map(|point| point.0).min().unwrap_or(0);
        let y = points.iter().map(|point| point.1).min().unwrap_or(0);
        points.into_iter().map(|point| (point.0 - x, point.1 - y)).collect()
    };
    let places = normal(places);
    places.iter().zip(0..).for_each(|(&place, cell)| {
        at.insert(place, cell);
    });
    let turn = |(x, y): (i32, i32)| if hexagons { (x - y, x) } else { (-y, x) };
    let mirror = |(x, y): (i32, i32)| if hexagons { (y, x) } else { (-x, y) };
    let mut found: Vec<Vec<u16>> = Vec::new();
    let mut points = places;
    for _ in 0..2 {
        for _ in 0..if hexagons { 6 } else { 4 } {
            let image: Option<Vec<u16>> =
                normal(points.clone()).iter().map(|place| at.get(place).copied()).collect();
            found.extend(image.filter(|image| image.len() == count));
            points = points.into_iter().map(turn).collect();
        }
        points = points.into_iter().map(mirror).collect();
    }
    sorting::sort(&mut found);
    found.dedup();
    found
}

/// Returns the automorphisms of a graph that keep some cells, so few that there are at most [`TRIED`] of them.
fn automorphisms(board: &Board) -> Vec<Vec<u16>> {
    let count = board.cells();
    let mut joined = vec![vec![0u16; count]; count];
    for edges in &board.edges {
        for (from, &to) in edges.iter().enumerate().filter(|(_, to)| **to != NOWHERE) {
            joined[from][usize::from(to)] += 1;
        }
    }
    let degree = |cell: usize| {
        let out: u32 = joined[cell].iter().map(|&edges| u32::from(edges)).sum();
        let into: u32 = joined.iter().map(|row| u32::from(row[cell])).sum();
        (out, into)
    };
    let degrees: Vec<(u32, u32)> = (0..count).map(degree).collect();
    // Each cell after a neighbour, so that few images remain possible.
    let mut order: Vec<usize> = Vec::new();
    while let Some(next) = (0..count).filter(|cell| !order.contains(cell)).max_by_key(|&cell| {
        let near = order.iter().filter(|&&other| joined[cell][other] + joined[other][cell] > 0).count();
        (near, std::cmp::Reverse(cell))
    }) {
        order.push(next);
        if count > 128 {
            return Vec::new();
        }
    }
    let first = (0..16).chain((4..).map(|power| 1 << power)).take_while(|&kept| kept < count);
    let mut keeping = first.chain([count]);
    keeping.find_map(|kept| automorphisms_keeping(kept, &order, &joined, &degrees)).unwrap_or_default()
}

/// Returns the automorphisms of a graph that keep the first `kept` of its cells in this order; `None` if there are more than
/// [`TRIED`], or if finding them takes long.
fn automorphisms_keeping(
    kept: usize,
    order: &[usize],
    joined: &[Vec<u16>],
    degrees: &[(u32, u32)],
) -> Option<Vec<Vec<u16>>> {
    let count = order.len();
    let (mut found, mut image) = (Vec::new(), vec![NOWHERE; count]);
    let mut steps = 200_000u32;
    // The next image to try for each cell of the order so far.
    let mut tries = vec![0usize];
    while let Some(next) = tries.pop() {
        let depth = tries.len();
        let cell = order[depth];
        image[cell] = NOWHERE;
        let fits = |to: usize| {
            (depth >= kept || to == cell)
                && degrees[cell] == degrees[to]
                && joined[cell][cell] == joined[to][to]
                && order[..depth].iter().all(|&other| {
                    let there = usize::from(image[other]);
                    there != to
                        && joined[cell][other] == joined[to][there]
                        && joined[other][cell] == joined[there][to]
                })
        };
        steps = steps.checked_sub(1)?;
        let Some(to) = (next..count).find(|&to| fits(to)) else { continue };
        image[cell] = to as u16;
        tries.push(to + 1);
        if depth + 1 < count {
            tries.push(0);
            continue;
        }
        if found.len() == TRIED {
            return None;
        }
        found.push(image.clone());
    }
    Some(found)
}

/// Returns exchanges of pieces in pairs, and of variables in pairs; the scores are exchanged.
pub(crate) fn exchanges(program: &Program) -> Vec<(Vec<u8>, Vec<u16>)> {
    let bounds: Vec<u32> = program.variables.iter().map(|bounded| bounded.bound).collect();
    if bounds[0] != bounds[1] {
        return Vec::new();
    }
    let pieces = involutions(program.pieces.len(), &|_, _| true);
    let variables = involutions(bounds.len() - 2, &|one, other| bounds[one + 2] == bounds[other + 2]);
    let mut found = Vec::new();
    for pieces in pieces.iter().rev() {
        for variables in variables.iter().rev() {
            let mut all = vec![1, 0];
            all.extend(variables.iter().map(|&variable| variable as u16 + 2));
            found.push((pieces.iter().map(|&piece| piece as u8).collect(), all));
            if found.len() >= EXCHANGES {
                return found;
            }
        }
    }
    found
}

/// Returns involutions of `count` elements, those that move few first; at most [`EXCHANGES`].
fn involutions(count: usize, may: &dyn Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
    let mut found = vec![(0..count).collect::<Vec<usize>>()];
    let mut at = 0;
    while at < found.len() && found.len() < EXCHANGES {
        let base = found[at].clone();
        at += 1;
        let last = (0..count).rev().find(|&thing| base[thing] != thing && base[thing] > thing);
        for one in last.map_or(0, |last| last + 1)..count {
            for other in one + 1..count {
                if base[one] == one && base[other] == other && may(one, other) {
                    let mut next = base.clone();
                    next.swap(one, other);
                    found.push(next);
                }
            }
        }
    }
    found.truncate(EXCHANGES);
    found
}
