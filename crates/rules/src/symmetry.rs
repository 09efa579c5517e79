//! Symmetries of a game: they are found, and shown to hold before they are used.
//!
//! A symmetry maps cells to cells; one of colours also maps pieces to pieces, scores and variables to others, and each
//! player to the other. It holds where the rules go on alike from a place and from its image: where the same modifiers can
//! come next, under the same conditions, up to the symmetry, and what follows each of them goes on alike again. That is
//! the coarsest partition into places that go on alike (P. C. Kanellakis and S. A. Smolka, "CCS expressions, finite
//! state processes, and three problems of equivalence", 1990), found by refining from one class on.

use rustc_hash::FxHashMap;

use crate::board::{Board, Layout, NOWHERE};
use crate::code::{At, Code, Op, Test};
use crate::directives::Symmetry;
use crate::formulas::{Formula, Term, least};
use crate::position::Entry;
use crate::program::{Expr, Program};
use crate::ways::{Finder, Way};

/// What a symmetry does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// The image of each cell.
    pub cells: Vec<u16>,
    /// The image of each piece.
    pub pieces: Vec<u8>,
    /// The image of each score and variable.
    pub variables: Vec<u16>,
    /// Whether the players change places.
    pub swaps: bool,
    /// The image of each place in the rules where a player is to move.
    pub entries: Vec<u16>,
}

/// Symmetries of a board that are tried.
const TRIED: usize = 64;
/// Ways of exchanging pieces and variables that are tried.
const EXCHANGES: usize = 64;
/// Places in the rules, each with a cell, that are compared.
const PLACES: usize = 20_000;
/// Terms that are compared for all maps of the cells together.
const COMPARED: usize = 2_000_000;
/// Rounds of refining.
const ROUNDS: u32 = 100;

/// The symmetries of a game besides the one that leaves all as it is, with those of `colours` where they are asked for.
pub fn find(program: &Program, code: &Code, entries: &[Entry], colours: bool) -> Vec<Image> {
    let Some(graph) = Graph::new(program, code, entries) else { return Vec::new() };
    let mut found: Vec<Image> = Vec::new();
    let maps = maps(&program.board);
    let terms: usize = graph.edges.iter().flatten().map(|edge| edge.terms.len()).sum();
    if maps.len() * terms > COMPARED {
        return Vec::new();
    }
    for cells in maps {
        let plain = Image {
            pieces: (0..program.pieces.len() as u8).collect(),
            variables: (0..program.variables.len() as u16).collect(),
            swaps: false,
            entries: Vec::new(),
            cells,
        };
        found.extend(graph.holds(&plain));
        for (pieces, variables) in if colours { exchanges(program) } else { Vec::new() } {
            let swapped = Image { pieces, variables, swaps: true, ..plain.clone() };
            let held = graph.holds(&swapped);
            let enough = held.is_some();
            found.extend(held);
            if enough {
                break;
            }
        }
    }
    found.retain(|image| {
        image.swaps || image.cells.iter().enumerate().any(|(cell, &to)| cell != usize::from(to))
    });
    found
}

/// The kinds of symmetry that some images show.
pub fn kinds(images: &[Image], board: &Board) -> Vec<Symmetry> {
    let mut kinds = Vec::new();
    for image in images {
        let fixed = image.cells.iter().enumerate().all(|(cell, &to)| cell == usize::from(to));
        let kind = match image.swaps {
            true => Symmetry::Colours,
            false if matches!(board.shape, Layout::Graph { .. }) => Symmetry::Graph,
            false if !fixed && turns(board, &image.cells) => Symmetry::Rotate,
            false => Symmetry::Reflect,
        };
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    kinds
}

/// The place of each cell in a plane.
fn plane(board: &Board) -> Option<Vec<(i32, i32)>> {
    let Layout::Rows { layers, hexagons } = &board.shape else { return None };
    let [rows] = layers.as_slice() else { return None };
    let middle = rows.len() as i32 / 2;
    let mut places = vec![(0, 0); board.cells()];
    for (y, row) in rows.iter().enumerate() {
        for (x, cell) in row.iter().enumerate() {
            let Some(cell) = cell else { continue };
            let (x, y) = (x as i32, y as i32);
            // Of a hexagon both coordinates run along its edges.
            places[usize::from(*cell)] = if *hexagons { (x + (y - middle).max(0), y) } else { (x, y) };
        }
    }
    Some(places)
}

/// Whether a map of the cells of a rectangle or hexagon turns the board and does not reflect it.
fn turns(board: &Board, cells: &[u16]) -> bool {
    let Some(places) = plane(board) else { return false };
    // The signed area of a triangle keeps its sign.
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

/// Maps of the cells to each other that may be symmetries: of the plane, or of a graph those that keep its edges.
fn maps(board: &Board) -> Vec<Vec<u16>> {
    let count = board.cells();
    let Some(places) = plane(board) else { return automorphisms(board) };
    let hexagons = matches!(board.shape, Layout::Rows { hexagons: true, .. });
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
    found.sort_unstable();
    found.dedup();
    found
}

/// Maps of the cells of a graph that keep which cells are joined, at most [`TRIED`].
fn automorphisms(board: &Board) -> Vec<Vec<u16>> {
    let count = board.cells();
    let mut joined = vec![vec![0u8; count]; count];
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
    // Each cell after a neighbour, so that few places are left for it.
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
    let (mut found, mut image) = (Vec::new(), vec![NOWHERE; count]);
    let mut steps = 200_000u32;
    // The next place to try for each cell of the order so far.
    let mut tries = vec![0usize];
    while let Some(next) = tries.pop() {
        let depth = tries.len();
        let cell = order[depth];
        image[cell] = NOWHERE;
        let fits = |to: usize| {
            degrees[cell] == degrees[to]
                && joined[cell][cell] == joined[to][to]
                && order[..depth].iter().all(|&other| {
                    let there = usize::from(image[other]);
                    there != to
                        && joined[cell][other] == joined[to][there]
                        && joined[other][cell] == joined[there][to]
                })
        };
        steps = steps.saturating_sub(1);
        let Some(to) = (next..count).find(|&to| fits(to)).filter(|_| steps > 0) else { continue };
        image[cell] = to as u16;
        tries.push(to + 1);
        if depth + 1 < count {
            tries.push(0);
            continue;
        }
        found.push(image.clone());
        if found.len() >= TRIED {
            break;
        }
    }
    found
}

/// Ways of exchanging pieces in pairs, and variables in pairs; the scores change places.
fn exchanges(program: &Program) -> Vec<(Vec<u8>, Vec<u16>)> {
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

/// Maps of so many things that are their own inverse, those that move little first; at most [`EXCHANGES`].
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

/// A modifier that may come next from a place, and the place behind it.
struct Edge {
    op: Op,
    cell: u16,
    /// Under which of these conditions.
    terms: Vec<Term>,
    next: usize,
}

/// A place in the rules where a modifier comes next, the cell, and what the move so far has put on which cells, in their
/// order.
type Place = (At, u16, Vec<(u16, u8)>);

/// The places of the rules.
struct Graph<'c> {
    program: &'c Program,
    code: &'c Code,
    entries: &'c [Entry],
    places: FxHashMap<Place, usize>,
    edges: Vec<Vec<Edge>>,
    /// The terms of each formula that a term of an edge or of a later formula names.
    formulas: Vec<Vec<Term>>,
}

impl<'c> Graph<'c> {
    /// All places that can be reached; `None` where there are too many or a condition is no formula.
    fn new(program: &'c Program, code: &'c Code, entries: &'c [Entry]) -> Option<Graph<'c>> {
        let cells = program.board.cells();
        let mut finder = Finder::new(code, program.pieces.len());
        let (places, edges, formulas) = (FxHashMap::default(), Vec::new(), Vec::new());
        let mut graph = Graph { program, code, entries, places, edges, formulas };
        let mut reduced = Reduced::default();
        let mut open: Vec<Place> = Vec::new();
        for at in entries.iter().filter_map(|entry| entry.at) {
            for cell in 0..cells as u16 {
                graph.place((at, cell, Vec::new()), &mut open);
            }
        }
        let mut now = 0;
        while now < open.len() {
            let (at, cell, put) = open[now].clone();
            now += 1;
            let mut by_target: FxHashMap<(At, u16), Vec<Term>> = FxHashMap::default();
            for Way { term, to } in finder.ways(at, cell, 0)? {
                if let Some(to) = to
                    && let Some(term) = reduced.term(&term, &put, &finder.formulas)
                {
                    by_target.entry(to).or_default().push(term);
                }
            }
            let mut edges = Vec::with_capacity(by_target.len());
            for ((at, cell), terms) in by_target {
                let instruction = &code.all[at as usize];
                let mut put = put.clone();
                match instruction.op {
                    Op::Off(piece) => match put.binary_search_by_key(&cell, |&(cell, _)| cell) {
                        Ok(at) => put[at].1 = piece,
                        Err(at) => put.insert(at, (cell, piece)),
                    },
                    Op::Switch(Some(_)) => put.clear(),
                    _ => {}
                }
                let next = graph.place((instruction.next, cell, put), &mut open);
                edges.push(Edge { op: instruction.op, cell, terms, next });
            }
            graph.edges.push(edges);
            if open.len() > PLACES {
                return None;
            }
        }
        graph.formulas = reduced.formulas;
        // The keeper takes the first of his moves: only with one way to go there is no first and no second.
        (!graph.keeper_chooses()).then_some(graph)
    }

    /// Whether there may be several ways for the keeper.
    fn keeper_chooses(&self) -> bool {
        let keepers = self.edges.iter().flatten().filter(|edge| edge.op == Op::Switch(None));
        let mut open: Vec<usize> = keepers.map(|edge| edge.next).collect();
        let mut seen = vec![false; self.edges.len()];
        while let Some(place) = open.pop() {
            if std::mem::replace(&mut seen[place], true) {
                continue;
            }
            if self.edges[place].len() > 1 {
                return true;
            }
            let onward = self.edges[place].iter().filter(|edge| !matches!(edge.op, Op::Switch(_)));
            open.extend(onward.map(|edge| edge.next));
        }
        false
    }

    /// The number of a place, which is put on the list where it is new.
    fn place(&mut self, place: Place, open: &mut Vec<Place>) -> usize {
        let (at, cell, put) = place;
        let place = (at, if self.code.anywhere[at as usize] { 0 } else { cell }, put);
        let next = self.places.len();
        let number = *self.places.entry(place.clone()).or_insert(next);
        if number == next {
            open.push(place);
        }
        number
    }

    /// The symmetry with the images of the places in the rules, where it holds.
    fn holds(&self, image: &Image) -> Option<Image> {
        let same = Image {
            cells: (0..self.program.board.cells() as u16).collect(),
            pieces: (0..self.program.pieces.len() as u8).collect(),
            variables: (0..self.program.variables.len() as u16).collect(),
            swaps: false,
            entries: Vec::new(),
        };
        let count = self.edges.len();
        let mut names = Names::default();
        let labels = [&same, image].map(|image| self.labels(image, &mut names));
        // The class of each place, and then of each image of a place.
        let mut classes = vec![0u32; 2 * count];
        let mut before = 1;
        for round in 0.. {
            if round == ROUNDS {
                return None;
            }
            let mut numbers: FxHashMap<Vec<[u32; 3]>, u32> = FxHashMap::default();
            let mut next = Vec::with_capacity(2 * count);
            for (side, labels) in labels.iter().enumerate() {
                for (edges, labels) in self.edges.iter().zip(labels) {
                    let mut by_class: FxHashMap<[u32; 2], Vec<Term>> = FxHashMap::default();
                    for (edge, (what, terms)) in edges.iter().zip(labels) {
                        let class = classes[side * count + edge.next];
                        by_class.entry([*what, class]).or_default().extend(terms.iter().cloned());
                    }
                    // Several ways to one class: one of their terms holds.
                    let named = |([what, class], terms): ([u32; 2], Vec<Term>)| {
                        [what, class, names.terms(least(terms))]
                    };
                    let mut signature: Vec<[u32; 3]> = by_class.into_iter().map(named).collect();
                    signature.sort_unstable();
                    let number = numbers.len() as u32;
                    next.push(*numbers.entry(signature).or_insert(number));
                }
            }
            let now = numbers.len();
            classes = next;
            if now == before {
                break;
            }
            before = now;
        }
        self.entries_of(image, &classes).map(|entries| Image { entries, ..image.clone() })
    }

    /// The image of each entry, where every one has one.
    fn entries_of(&self, image: &Image, classes: &[u32]) -> Option<Vec<u16>> {
        let count = self.edges.len();
        let cells = self.program.board.cells() as u16;
        let place = |at: At, cell: u16| {
            self.places[&(at, if self.code.anywhere[at as usize] { 0 } else { cell }, Vec::new())]
        };
        let same = |one: &Entry, other: &Entry| {
            let player = if image.swaps { !one.player } else { one.player };
            let (Some(at), Some(to)) = (one.at, other.at) else {
                return one.at == other.at && player == other.player;
            };
            player == other.player
                && self.code.anywhere[at as usize] == self.code.anywhere[to as usize]
                && (0..cells).all(|cell| {
                    classes[count + place(at, cell)] == classes[place(to, image.cells[usize::from(cell)])]
                })
        };
        let of = |(number, entry): (usize, &Entry)| {
            let own = same(entry, entry).then_some(number);
            own.or_else(|| self.entries.iter().position(|other| same(entry, other))).map(|to| to as u16)
        };
        self.entries.iter().enumerate().map(of).collect()
    }

    /// What each edge does under a symmetry, and under which terms.
    fn labels(&self, image: &Image, names: &mut Names) -> Vec<Vec<(u32, Vec<Term>)>> {
        // A formula stands behind those that it has within.
        let mut formulas: Vec<Formula> = Vec::with_capacity(self.formulas.len());
        for terms in &self.formulas {
            let terms = terms.iter().map(|term| self.term(term, image, &formulas, names)).collect();
            formulas.push(names.terms(least(terms)));
        }
        let mut label = |edge: &Edge| {
            let terms = edge.terms.iter().map(|term| self.term(term, image, &formulas, names)).collect();
            let cell = image.cells[usize::from(edge.cell)];
            let what = match edge.op {
                Op::Off(piece) => format!("{cell} [{}]", image.pieces[usize::from(piece)]),
                Op::Assign(variable, value) => {
                    let value = self.value(&self.code.values[value as usize], image);
                    format!("${} {value:?}", image.variables[usize::from(variable)])
                }
                Op::Switch(turn) => {
                    format!("->{:?}", turn.map(|turn| if image.swaps { 1 - turn } else { turn }))
                }
                _ => String::new(),
            };
            (names.text(what), terms)
        };
        self.edges.iter().map(|edges| edges.iter().map(&mut label).collect()).collect()
    }

    fn term(&self, term: &Term, image: &Image, formulas: &[Formula], names: &mut Names) -> Term {
        let pieces = |bits: u64| {
            let of = (0..image.pieces.len()).filter(|&piece| bits >> piece & 1 == 1);
            of.fold(0, |bits, piece| bits | 1 << image.pieces[piece])
        };
        let mut cells: Vec<(u16, u64)> =
            term.cells.iter().map(|&(cell, bits)| (image.cells[usize::from(cell)], pieces(bits))).collect();
        cells.sort_unstable();
        let mut checks: Vec<(Formula, bool)> =
            term.checks.iter().map(|&(formula, holds)| (formulas[formula as usize], holds)).collect();
        checks.sort_unstable();
        let of = |&comparison: &u32| {
            names.text(match &self.code.comparisons[comparison as usize] {
                Test::Variable(variable, comparison, number) => {
                    let variable = Expr::Variable(image.variables[usize::from(*variable)]);
                    format!("{variable:?} {comparison:?} {:?}", Expr::Number(*number))
                }
                Test::Any(left, comparison, right) => {
                    let (left, right) = (self.value(left, image), self.value(right, image));
                    format!("{left:?} {comparison:?} {right:?}")
                }
            })
        };
        let mut comparisons: Vec<u32> = term.comparisons.iter().map(of).collect();
        comparisons.sort_unstable();
        Term { cells, checks, comparisons }
    }

    /// The image of a value.
    fn value(&self, expr: &Expr, image: &Image) -> Expr {
        match expr {
            Expr::Number(number) => Expr::Number(*number),
            Expr::Variable(variable) => Expr::Variable(image.variables[usize::from(*variable)]),
            Expr::Count(piece) => Expr::Count(image.pieces[usize::from(*piece)]),
            Expr::Join(operator, pair) => {
                Expr::Join(*operator, Box::new((self.value(&pair.0, image), self.value(&pair.1, image))))
            }
        }
    }
}

/// Formulas without what a move has settled: what stands on the cells that it has put pieces on.
#[derive(Default)]
struct Reduced {
    formulas: Vec<Vec<Term>>,
    numbers: FxHashMap<Vec<Term>, Formula>,
    known: FxHashMap<(Formula, Vec<(u16, u8)>), Formula>,
}

impl Reduced {
    /// A term on a board with these pieces put; `None` where it cannot hold.
    fn term(&mut self, term: &Term, put: &[(u16, u8)], formulas: &[Vec<Term>]) -> Option<Term> {
        let mut left = Term { comparisons: term.comparisons.clone(), ..Term::default() };
        for &(cell, pieces) in &term.cells {
            match put.binary_search_by_key(&cell, |&(cell, _)| cell) {
                Ok(at) if pieces >> put[at].1 & 1 == 0 => return None,
                Ok(_) => {}
                Err(_) => left.cells.push((cell, pieces)),
            }
        }
        for &(formula, holds) in &term.checks {
            let number = self.formula(formula, put, formulas);
            let terms = &self.formulas[number as usize];
            if terms.is_empty() || terms[0] == Term::default() {
                // It never holds, or always.
                if terms.is_empty() == holds {
                    return None;
                }
                continue;
            }
            left.checks.push((number, holds));
        }
        left.checks.sort_unstable();
        left.checks.dedup();
        Some(left)
    }

    fn formula(&mut self, formula: Formula, put: &[(u16, u8)], formulas: &[Vec<Term>]) -> Formula {
        let key = (formula, put.to_vec());
        if let Some(&number) = self.known.get(&key) {
            return number;
        }
        let terms = formulas[formula as usize].iter().filter_map(|term| self.term(term, put, formulas));
        let terms = least(terms.collect());
        let next = self.formulas.len() as Formula;
        let number = *self.numbers.entry(terms).or_insert_with_key(|terms| {
            self.formulas.push(terms.clone());
            next
        });
        self.known.insert(key, number);
        number
    }
}

/// Numbers for what is compared, so that equal things have equal numbers.
#[derive(Default)]
struct Names {
    texts: FxHashMap<String, u32>,
    terms: FxHashMap<Vec<Term>, u32>,
}

impl Names {
    fn text(&mut self, text: String) -> u32 {
        let next = self.texts.len() as u32;
        *self.texts.entry(text).or_insert(next)
    }

    fn terms(&mut self, terms: Vec<Term>) -> u32 {
        let next = self.terms.len() as u32;
        *self.terms.entry(terms).or_insert(next)
    }
}
