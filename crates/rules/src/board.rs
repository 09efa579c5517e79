//! Boards: rectangles, hexagons, cuboids and graphs, all as cells with labelled edges.

use crate::lex::{Name, Names, Tok};
use crate::limits;
use crate::reader::{Parser, Symbol};
use crate::source::{Fault, Span};

/// The geometry of a board, for names and drawings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Rows of cells; layers one after the other.
    Rows {
        /// For each layer its rows, each a list of cells; `None` is a hole.
        layers: Vec<Vec<Vec<Option<u16>>>>,
        /// `true` if each row is shifted by half a cell from the one above.
        hexagons: bool,
    },
    /// Cells with names of their own.
    Graph {
        /// The names, in the order of the cells.
        names: Vec<String>,
    },
}

/// The cells of a board and their adjacency.
#[derive(Clone, Debug)]
pub struct Board {
    /// The piece on each cell at the start. Play begins at cell 0.
    pub start: Vec<u8>,
    /// The names of the labels.
    pub labels: Vec<String>,
    /// For each label the neighbour of each cell, or `NOWHERE`.
    pub edges: Vec<Vec<u16>>,
    /// The geometry.
    pub shape: Shape,
}

/// Stands for no cell.
pub const NOWHERE: u16 = u16::MAX;

impl Board {
    /// Returns the number of cells.
    pub fn cells(&self) -> usize {
        self.start.len()
    }

    /// Appends a canonical text of the board, for the checksum.
    pub fn describe(&self, text: &mut String) {
        text.push_str(&format!("{:?}{:?}{:?}{:?}", self.start, self.labels, self.edges, self.shape));
    }
}

/// A row of pieces and its place in the file.
type PieceRow = (Vec<Option<u8>>, Span);

/// Reads the section of the board.
///
/// # Errors
/// The fault, and what was expected.
pub fn read(parser: &mut Parser<'_>) -> Result<Board, Fault> {
    let generator = match parser.peek().tok {
        Tok::Name(name) => parser.names.word(name).to_owned(),
        _ => return Err(parser.unexpected("rectangle(..), hexagon(..), cuboid(..) or the cells of a graph")),
    };
    let board = match generator.as_str() {
        "rectangle" => rows(parser, 4, false)?,
        "hexagon" => rows(parser, 6, true)?,
        "cuboid" => cuboid(parser)?,
        _ => graph(parser)?,
    };
    match parser.peek().tok {
        Tok::End => Ok(board),
        _ => Err(parser.unexpected("the end of the board")),
    }
}

/// Reads the labels of a generator and the comma after them.
fn labels(parser: &mut Parser<'_>, count: usize) -> Result<Vec<String>, Fault> {
    parser.take();
    parser.expect("(")?;
    let mut found: Vec<String> = Vec::new();
    for _ in 0..count {
        let span = parser.peek().span;
        let label = parser.name("the name of a direction")?;
        let word = parser.names.word(label).to_owned();
        if found.contains(&word) {
            return Err(Fault::new(
                span,
                format!("direction `{word}` is there twice: expected {count} names"),
            ));
        }
        parser.define(label, Symbol::Label(found.len() as u16), span)?;
        found.push(word);
        parser.expect(",")?;
    }
    Ok(found)
}

/// Reads `[a, b, , c]`.
fn piece_row(parser: &mut Parser<'_>) -> Result<PieceRow, Fault> {
    let span = parser.peek().span;
    parser.expect("[")?;
    let mut row = Vec::new();
    loop {
        let hole = matches!(parser.peek().tok, Tok::Sign("," | "]"));
        row.push(if hole { None } else { Some(parser.piece()?) });
        if !parser.takes(",") {
            parser.expect("]")?;
            return Ok((row, span));
        }
        if row.len() > limits::CELLS {
            return Err(too_many(span));
        }
    }
}

fn too_many(span: Span) -> Fault {
    Fault::new(span, format!("a board of more than {} cells", limits::CELLS))
}

/// Assigns a cell to each piece of some rows.
fn place(rows: &[PieceRow], start: &mut Vec<u8>) -> Result<Vec<Vec<Option<u16>>>, Fault> {
    let mut placed = Vec::with_capacity(rows.len());
    for (row, span) in rows {
        let mut cells = Vec::with_capacity(row.len());
        for piece in row {
            cells.push(piece.map(|piece| {
                start.push(piece);
                (start.len() - 1) as u16
            }));
        }
        if start.len() > limits::CELLS {
            return Err(too_many(*span));
        }
        placed.push(cells);
    }
    Ok(placed)
}

/// Reads a rectangle or a hexagon.
fn rows(parser: &mut Parser<'_>, directions: usize, hexagons: bool) -> Result<Board, Fault> {
    let labels = labels(parser, directions)?;
    let mut rows = Vec::new();
    while parser.peek().tok == Tok::Sign("[") {
        rows.push(piece_row(parser)?);
    }
    if rows.is_empty() {
        return Err(parser.unexpected("a row of pieces as [a, b, c]"));
    }
    parser.expect(")")?;
    let (mut start, mut edges) = (Vec::new(), Vec::new());
    let placed = place(&rows, &mut start)?;
    if hexagons {
        hexagon_edges(&rows, &placed, start.len(), &mut edges)?;
    } else {
        rectangle_edges(&rows, &placed, start.len(), &mut edges)?;
    }
    finish(start, labels, edges, Shape::Rows { layers: vec![placed], hexagons }, rows[0].1)
}

fn finish(
    start: Vec<u8>,
    labels: Vec<String>,
    edges: Vec<Vec<u16>>,
    shape: Shape,
    span: Span,
) -> Result<Board, Fault> {
    if start.is_empty() {
        return Err(Fault::new(span, "a board without cells: expected at least one piece"));
    }
    Ok(Board { start, labels, edges, shape })
}

/// Adds edges between two cells, both ways.
fn join(edges: &mut [Vec<u16>], there: usize, back: usize, from: Option<u16>, to: Option<u16>) {
    if let (Some(from), Some(to)) = (from, to) {
        edges[there][usize::from(from)] = to;
        edges[back][usize::from(to)] = from;
    }
}

/// Adds the edges up, down, left and right.
fn rectangle_edges(
    rows: &[PieceRow],
    placed: &[Vec<Option<u16>>],
    cells: usize,
    edges: &mut Vec<Vec<u16>>,
) -> Result<(), Fault> {
    edges.resize(4, vec![NOWHERE; cells]);
    let columns = placed[0].len();
    for (y, row) in placed.iter().enumerate() {
        if row.len() != columns {
            let what = format!("a row of {} cells: expected {columns} as in the first row", row.len());
            return Err(Fault::new(rows[y].1, what));
        }
        for (x, &cell) in row.iter().enumerate() {
            if x > 0 {
                join(edges, 2, 3, cell, row[x - 1]);
            }
            if y > 0 {
                join(edges, 0, 1, cell, placed[y - 1][x]);
            }
        }
    }
    Ok(())
}

/// Adds the edges north-west, north-east, east, south-east, south-west and west. Rows grow by one cell up to the
/// longest and then shrink by one.
fn hexagon_edges(
    rows: &[PieceRow],
    placed: &[Vec<Option<u16>>],
    cells: usize,
    edges: &mut Vec<Vec<u16>>,
) -> Result<(), Fault> {
    edges.resize(6, vec![NOWHERE; cells]);
    let mut shrinking = false;
    for (y, row) in placed.iter().enumerate() {
        for x in 1..row.len() {
            join(edges, 5, 2, row[x], row[x - 1]);
        }
        let Some(above) = y.checked_sub(1).map(|y| &placed[y]) else { continue };
        let grows = row.len() == above.len() + 1;
        shrinking |= row.len() + 1 == above.len();
        if shrinking == grows || row.len().abs_diff(above.len()) != 1 {
            let expected = if shrinking {
                "one less than in the row above"
            } else {
                "one more or one less than in the row above"
            };
            return Err(Fault::new(rows[y].1, format!("a row of {} cells: expected {expected}", row.len())));
        }
        for (x, &cell) in row.iter().enumerate() {
            // The neighbours above are half a cell to the left and to the right.
            let (left, right) = if grows { (x.checked_sub(1), Some(x)) } else { (Some(x), Some(x + 1)) };
            let of = |x: Option<usize>| x.and_then(|x| above.get(x).copied().flatten());
            join(edges, 0, 3, cell, of(left));
            join(edges, 1, 4, cell, of(right));
        }
    }
    Ok(())
}

/// Reads layers of rows: up, down, left, right, front, back; the front of a cell is in the next layer.
fn cuboid(parser: &mut Parser<'_>) -> Result<Board, Fault> {
    let labels = labels(parser, 6)?;
    let mut start = Vec::new();
    let mut layers: Vec<Vec<Vec<Option<u16>>>> = Vec::new();
    let mut pieces = Vec::new();
    while parser.peek().tok == Tok::Sign("[") {
        let span = parser.peek().span;
        parser.expect("[")?;
        let mut rows = Vec::new();
        while parser.peek().tok == Tok::Sign("[") {
            rows.push(piece_row(parser)?);
        }
        parser.expect("]")?;
        if rows.is_empty() || layers.first().is_some_and(|first| first.len() != rows.len()) {
            return Err(Fault::new(
                span,
                "a layer of another size: expected as many rows as in the first layer",
            ));
        }
        layers.push(place(&rows, &mut start)?);
        pieces.push(rows);
    }
    let Some(first) = pieces.first() else {
        return Err(parser.unexpected("a layer of rows as [[a, b][c, d]]"));
    };
    let span = first[0].1;
    parser.expect(")")?;
    let mut edges = Vec::new();
    for (rows, placed) in pieces.iter().zip(&layers) {
        if placed[0].len() != layers[0][0].len() {
            return Err(Fault::new(
                rows[0].1,
                "a layer of another size: expected rows as long as in the first layer",
            ));
        }
        let mut flat = Vec::new();
        rectangle_edges(rows, placed, start.len(), &mut flat)?;
        if edges.is_empty() {
            edges = vec![vec![NOWHERE; start.len()]; 6];
        }
        for (all, layer) in edges.iter_mut().zip(flat) {
            for (edge, found) in all.iter_mut().zip(layer) {
                if found != NOWHERE {
                    *edge = found;
                }
            }
        }
    }
    for pair in layers.windows(2) {
        for (row, next) in pair[0].iter().zip(&pair[1]) {
            for (&cell, &front) in row.iter().zip(next) {
                join(&mut edges, 4, 5, cell, front);
            }
        }
    }
    finish(start, labels, edges, Shape::Rows { layers, hexagons: false }, span)
}

/// A cell of a graph as it is written.
struct Vertex {
    name: Name,
    edges: Vec<(u16, Name, Span)>,
}

/// Reads `name [piece] {label: target, label: target}` for each cell.
fn graph(parser: &mut Parser<'_>) -> Result<Board, Fault> {
    let mut vertices: Vec<Vertex> = Vec::new();
    let (mut start, mut labels): (Vec<u8>, Vec<String>) = (Vec::new(), Vec::new());
    let mut numbers = rustc_hash::FxHashMap::default();
    let first = parser.peek().span;
    while let Tok::Name(name) = parser.peek().tok {
        let span = parser.take().span;
        if vertices.is_empty() && parser.peek().tok == Tok::Sign("(") {
            let what = format!(
                "unknown board `{}`: expected rectangle, hexagon, cuboid or the cells of a graph",
                parser.names.word(name)
            );
            return Err(Fault::new(span, what));
        }
        if numbers.insert(name, vertices.len() as u16).is_some() {
            return Err(Fault::new(span, format!("cell `{}` is there twice", parser.names.word(name))));
        }
        parser.expect("[")?;
        start.push(parser.piece()?);
        parser.expect("]")?;
        parser.expect("{")?;
        let mut edges: Vec<(u16, Name, Span)> = Vec::new();
        loop {
            let span = parser.peek().span;
            let label = parser.name("the name of a direction")?;
            let number = match parser.symbol(label) {
                Some(Symbol::Label(number)) => number,
                _ => {
                    parser.define(label, Symbol::Label(labels.len() as u16), span)?;
                    labels.push(parser.names.word(label).to_owned());
                    labels.len() as u16 - 1
                }
            };
            if edges.iter().any(|edge| edge.0 == number) {
                let word = parser.names.word(label);
                return Err(Fault::new(span, format!("direction `{word}` leads to two cells: expected one")));
            }
            parser.expect(":")?;
            let span = parser.peek().span;
            edges.push((number, parser.name("the name of a cell")?, span));
            if !parser.takes(",") {
                break;
            }
        }
        parser.expect("}")?;
        vertices.push(Vertex { name, edges });
        if start.len() > limits::CELLS || labels.len() > limits::CELLS {
            return Err(too_many(span));
        }
    }
    if vertices.len() * labels.len() > limits::CELLS * 64 {
        return Err(Fault::new(first, "a graph of too many cells and directions"));
    }
    let mut edges = vec![vec![NOWHERE; start.len()]; labels.len()];
    for (from, vertex) in vertices.iter().enumerate() {
        for &(label, target, span) in &vertex.edges {
            let to = numbers.get(&target).copied();
            edges[usize::from(label)][from] = to.ok_or_else(|| {
                Fault::new(
                    span,
                    format!("unknown cell `{}`: expected one of the board", parser.names.word(target)),
                )
            })?;
        }
    }
    let names = names_of(&vertices, parser.names);
    finish(start, labels, edges, Shape::Graph { names }, first)
}

fn names_of(vertices: &[Vertex], names: &Names) -> Vec<String> {
    vertices.iter().map(|vertex| names.word(vertex.name).to_owned()).collect()
}
