//! Tuples of cells with a table of weights each: lines, blocks and random walks, joined by symmetries and translations.

use std::collections::BTreeMap;

use grundy_core::random::SplitMix64;
use grundy_core::sorting;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::layout::Layout;

/// The most weights of one table, and of all together.
const LARGEST_TABLE: u64 = 1 << 15;
const MOST_WEIGHTS: u64 = 4 << 20;
/// The most images of all tables together.
const MOST_IMAGES: usize = 3000;
/// Boards of more cells have no blocks or lines with weights for one place only.
const MOST_PLACED: usize = 100;
/// Lists of more numbers have no tables of distant pairs.
const MOST_PAIRED: usize = 24;
/// Random walks.
const WALKS: usize = 8;

/// A table of weights with the tuples of cells that it is used for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The number of cells of each tuple.
    pub width: usize,
    /// The tuples, seen by player one; each order of cells is that of the table's digits.
    pub images: Vec<Vec<u16>>,
    /// Permutations of digits by which a symmetry maps a tuple to itself: fillings that they join have one weight.
    pub ties: Vec<Vec<usize>>,
}

/// Returns the most cells of a tuple whose table of `base` digits a cell is not too large; at least 1.
pub fn widest(base: u8) -> usize {
    let base = u64::from(base.max(2));
    (1..=16)
        .rev()
        .find(|&width| base.checked_pow(width).is_some_and(|size| size <= LARGEST_TABLE))
        .unwrap_or(1) as usize
}

/// Returns the tables of a game: `base` kinds of cells, and the symmetries of its cells, the identity first.
pub fn tables(layout: &Layout, base: u8, group: &[Vec<u16>], random: &mut SplitMix64) -> Vec<Table> {
    let mut maker =
        Maker { base, group, tables: Vec::new(), known: FxHashSet::default(), weights: 0, images: 0 };
    let cells = layout.cells() as u16;
    maker.place((0..cells).map(|cell| vec![cell]));
    let width = widest(base);
    if width < 2 {
        return maker.tables;
    }
    if layout.list {
        if layout.cells() <= MOST_PAIRED {
            maker.place((0..cells).flat_map(|a| (a + 1..cells).map(move |b| vec![a, b])));
        }
        maker.place((1..cells).map(|b| vec![b - 1, b]));
        if width > 2 {
            maker.place((2..cells).map(|c| vec![c - 2, c - 1, c]));
        }
        return maker.tables;
    }
    let places = &layout.places;
    let at: FxHashMap<(i32, i32), u16> = places.iter().copied().zip(0..).collect();
    // Every translation of a shape that fits on the board.
    let translations = |shape: &[(i32, i32)]| -> Vec<Vec<u16>> {
        let moved = |&(x, y): &(i32, i32)| {
            shape.iter().map(|(right, down)| at.get(&(x + right, y + down)).copied()).collect()
        };
        places.iter().filter_map(moved).collect()
    };
    let shapes = shapes(places, width);
    for shape in &shapes {
        maker.share(translations(shape));
    }
    if layout.cells() <= MOST_PLACED {
        for shape in &shapes {
            maker.place(translations(shape).into_iter());
        }
        maker.place(whole_lines(places, &at, width).into_iter());
        let neighbours = |cell: u16| -> Vec<u16> {
            let (x, y) = places[usize::from(cell)];
            let near = |&(a, b): &(i32, i32)| (a - x).abs() <= 2 && (b - y).abs() <= 2 && (a, b) != (x, y);
            (0..).zip(places).filter(|(_, place)| near(place)).map(|(cell, _)| cell).collect()
        };
        for _ in 0..WALKS {
            let mut walk = vec![random.below(places.len()) as u16];
            for _ in 0..10 * width {
                let last = walk[walk.len() - 1];
                let next = neighbours(last);
                let Some(&next) = next.get(random.below(next.len())) else { break };
                if walk.len() < width && !walk.contains(&next) {
                    walk.push(next);
                }
            }
            maker.place(std::iter::once(walk));
        }
    }
    maker.tables
}

/// Returns the shapes of tuples: lines in all directions, and blocks; in halves of a cell.
fn shapes(places: &[(i32, i32)], width: usize) -> Vec<Vec<(i32, i32)>> {
    let right = places.iter().map(|place| place.0).max().unwrap_or(0) / 2 + 1;
    let bottom = places.iter().map(|place| place.1).max().unwrap_or(0) / 2 + 1;
    let mut shapes = Vec::new();
    let longest = width.min(right.max(bottom) as usize);
    let lengths = if longest > 6 { vec![longest, 5] } else { vec![longest] };
    for length in lengths {
        for (x, y) in [(2, 0), (0, 2), (2, 2), (-2, 2), (1, 2), (-1, 2)] {
            shapes.push((0..length as i32).map(|step| (x * step, y * step)).collect());
        }
    }
    let blocks = [(3, 3), (4, 2), (2, 4), (3, 2), (2, 3), (2, 2)];
    let fitting: Vec<(i32, i32)> = blocks.into_iter().filter(|(x, y)| (x * y) as usize <= width).collect();
    // The largest, and those of the same size.
    let most = fitting.iter().map(|(x, y)| x * y).max().unwrap_or(0);
    for (x, y) in fitting.into_iter().filter(|(x, y)| x * y == most || x * y == 6 && most > 6) {
        shapes.push((0..y).flat_map(|row| (0..x).map(move |column| (2 * column, 2 * row))).collect());
    }
    shapes
}

/// Returns the lines that begin at the edge, in pieces of at most `width` cells from their ends, if they have 3 cells or more.
fn whole_lines(places: &[(i32, i32)], at: &FxHashMap<(i32, i32), u16>, width: usize) -> Vec<Vec<u16>> {
    let mut lines = Vec::new();
    for (x, y) in [(2, 0), (0, 2), (2, 2), (-2, 2)] {
        for &(a, b) in places.iter().filter(|(a, b)| !at.contains_key(&(a - x, b - y))) {
            let line: Vec<u16> =
                (0..).map_while(|step| at.get(&(a + x * step, b + y * step)).copied()).collect();
            if line.len() >= 3 {
                lines.push(line[..line.len().min(width)].to_vec());
                lines.push(line[line.len() - line.len().min(width)..].to_vec());
            }
        }
    }
    lines
}

/// Collects tables without duplicates, up to the limits.
struct Maker<'a> {
    base: u8,
    group: &'a [Vec<u16>],
    tables: Vec<Table>,
    /// The sets of cells that have a table for one place.
    known: FxHashSet<Vec<u16>>,
    weights: u64,
    images: usize,
}

impl Maker<'_> {
    /// Adds a table for each tuple, joined with its images by symmetries, unless an earlier one has the same cells.
    fn place(&mut self, tuples: impl Iterator<Item = Vec<u16>>) {
        for tuple in tuples {
            let mut cells = tuple.clone();
            sorting::sort(&mut cells);
            if self.known.contains(&cells) {
                continue;
            }
            let table = self.orbit(vec![tuple]);
            for image in &table.images {
                let mut cells = image.clone();
                sorting::sort(&mut cells);
                self.known.insert(cells);
            }
            self.add(table);
        }
    }

    /// Adds one table for all tuples, unless one has the same images.
    fn share(&mut self, tuples: Vec<Vec<u16>>) {
        if tuples.len() < 2 {
            return;
        }
        let table = self.orbit(tuples);
        let sets = |table: &Table| -> FxHashSet<Vec<u16>> {
            let sorted = |image: &Vec<u16>| {
                let mut cells = image.clone();
                sorting::sort(&mut cells);
                cells
            };
            table.images.iter().map(sorted).collect()
        };
        let same = |other: &Table| {
            other.width == table.width
                && other.images.len() == table.images.len()
                && sets(other) == sets(&table)
        };
        if !self.tables.iter().any(same) {
            self.add(table);
        }
    }

    fn add(&mut self, table: Table) {
        let weights = u64::from(self.base).pow(table.width as u32);
        let most = self.weights + weights > MOST_WEIGHTS || self.images + table.images.len() > MOST_IMAGES;
        if !most {
            self.weights += weights;
            self.images += table.images.len();
            self.tables.push(table);
        }
    }

    /// Returns the table of tuples and of all their images.
    fn orbit(&self, tuples: Vec<Vec<u16>>) -> Table {
        let width = tuples[0].len();
        let mut images: BTreeMap<Vec<u16>, Vec<u16>> = BTreeMap::new();
        let mut ties: Vec<Vec<usize>> = Vec::new();
        for tuple in &tuples {
            for map in self.group {
                let image: Vec<u16> = tuple.iter().map(|&cell| map[usize::from(cell)]).collect();
                let mut cells = image.clone();
                sorting::sort(&mut cells);
                let first = images.entry(cells).or_insert_with(|| image.clone());
                let tie: Vec<usize> =
                    image.iter().filter_map(|cell| first.iter().position(|other| other == cell)).collect();
                if tie.iter().enumerate().any(|(at, &to)| at != to) && !ties.contains(&tie) {
                    ties.push(tie);
                }
            }
        }
        Table { width, images: images.into_values().collect(), ties }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_of_a_tuple_share_a_table() {
        let layout = Layout::of(".../.../... 1").unwrap();
        let mirror = vec![2, 1, 0, 5, 4, 3, 8, 7, 6];
        let identity: Vec<u16> = (0..9).collect();
        let found = tables(&layout, 3, &[identity.clone(), mirror], &mut SplitMix64(1));
        let singles: Vec<_> = found.iter().filter(|table| table.width == 1).collect();
        assert_eq!(singles.len(), 6);
        let row = found.iter().find(|table| table.images.contains(&vec![0, 1, 2])).unwrap();
        assert_eq!(row.ties, [[2, 1, 0]], "a row read from either end is the same row");
        let alone = tables(&layout, 3, &[identity], &mut SplitMix64(1));
        assert!(alone.iter().filter(|table| table.width == 1).count() == 9);
        assert!(found.iter().all(|table| table.images.iter().all(|image| image.len() == table.width)));
    }

    #[test]
    fn tables_stay_within_their_limits() {
        assert_eq!([2, 3, 5, 13, 200].map(widest), [15, 9, 6, 4, 1]);
        let row = ".".repeat(19);
        let layout = Layout::of(&[&*row; 19].join("/")).unwrap();
        let identity: Vec<u16> = (0..361).collect();
        let found = tables(&layout, 3, &[identity], &mut SplitMix64(1));
        assert!(found.iter().map(|table| table.images.len()).sum::<usize>() <= MOST_IMAGES);
    }
}
