//! Symmetries of a game: they are found, and shown to hold before they are used.
//!
//! A symmetry maps cells to cells; one of colours also maps pieces to pieces, scores and variables to others, and each
//! player to the other. It holds if the rules continue alike from a place and from its image: if the same modifiers can
//! come next, under the same conditions, up to the symmetry, and what follows each of them continues alike again. If
//! images differ in the order of a move's effects, whole moves are compared: everything that each puts and assigns, and
//! under which conditions on the board before it. The places that continue alike are the coarsest stable partition (P.
//! C. Kanellakis and S. A. Smolka, "CCS expressions, finite state processes, and three problems of equivalence", 1990),
//! found by refining a partition into one class.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::automorphisms::{exchanges, maps, turns};
use crate::board::{Board, Shape};
use crate::directives::Symmetry;
use crate::formulas::{Formula, Term, least};
use crate::instructions::{At, Code, Op, Test};
use crate::position::Entry;
use crate::program::{Expr, Program};
use crate::residual::Residual;
use crate::symbolic::{Finder, Path};
use grundy_core::interner::Interner;
use grundy_core::sorting;

/// A symmetry: the images under it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// The image of each cell.
    pub cells: Vec<u16>,
    /// The image of each piece.
    pub pieces: Vec<u8>,
    /// The image of each score and variable.
    pub variables: Vec<u16>,
    /// `true` if the players are exchanged.
    pub swaps: bool,
    /// The image of each entry.
    pub entries: Vec<u16>,
}

/// Maximum number of places in the rules, each with a cell, that are compared.
const PLACES: usize = 20_000;
/// Maximum number of terms that are compared for all maps of the cells together.
const COMPARED: usize = 2_000_000;
/// Maximum number of rounds of refining.
const ROUNDS: u32 = 100;

/// Maximum number of moves that are compared as a whole.
const MOVES: usize = 30_000;
/// Maximum number of effects of one of them.
const DONE: usize = 200;
/// Maximum number of moves of the keeper at one place that are shown to exclude each other.
const KEPT: usize = 400;

/// Why a symmetry is not shown to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// No map of the board to itself was found.
    Board,
    /// A check is too large to be evaluated from the board at once, as are chains of any length on larger boards.
    Checks,
    /// The keeper may have several moves, of which he takes the first.
    Keeper,
    /// There are too many places in the rules, or too many moves, to compare.
    Large,
    /// The rules differ at the image of some cell.
    Differs,
}

impl std::fmt::Display for Why {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Why::Board => "no turn and no mirror image of the board falls on the board",
            Why::Checks => "a check has too many ways to be compared",
            Why::Keeper => "the keeper may have a choice, and takes the first in the order of the rules",
            Why::Large => "there are too many moves to compare",
            Why::Differs => "the rules or their order differ at a cell's image",
        })
    }
}

/// The symmetries of a game.
#[derive(Clone, Debug, Default)]
pub struct Symmetries {
    /// The images except the identity.
    pub images: Vec<Image>,
    /// Why there are no more.
    pub why: Option<Why>,
}

/// Returns the symmetries of a game, with those of `colours` if they are wanted.
pub fn find(program: &Program, code: &Code, entries: &[Entry], colours: bool) -> Symmetries {
    let maps = maps(&program.board);
    let whole = (maps.len() * if colours { 2 } else { 1 }).saturating_sub(1);
    if whole == 0 {
        return Symmetries { images: Vec::new(), why: Some(Why::Board) };
    }
    let by = |graph: Result<Graph<'_>, Why>| match graph {
        Ok(graph) => graph.symmetries(&maps, colours),
        Err(why) => Symmetries { images: Vec::new(), why: Some(why) },
    };
    let steps = by(Graph::by_steps(program, code, entries));
    if steps.images.len() >= whole {
        return Symmetries { why: None, ..steps };
    }
    let moves = by(Graph::by_moves(program, code, entries));
    if moves.images.len() > steps.images.len() { moves } else { Symmetries { why: moves.why, ..steps } }
}

/// Returns the exchange of the players and their scores that changes nothing else, if it is a symmetry: then both
/// players have the same moves everywhere.
pub fn exchange(program: &Program, code: &Code, entries: &[Entry]) -> Option<Image> {
    if program.variables[0].bound != program.variables[1].bound {
        return None;
    }
    let others = 2..program.variables.len() as u16;
    let exchanged = Image {
        cells: (0..program.board.cells() as u16).collect(),
        pieces: (0..program.pieces.len() as u8).collect(),
        variables: [1, 0].into_iter().chain(others).collect(),
        swaps: true,
        entries: Vec::new(),
    };
    let by = |graph: Result<Graph<'_>, Why>| {
        let graph = graph.ok()?;
        let mut names = Names::default();
        let own = graph.labels(&graph.same(), &mut names);
        graph.holds(&exchanged, &own, &mut names)
    };
    by(Graph::by_steps(program, code, entries)).or_else(|| by(Graph::by_moves(program, code, entries)))
}

/// Returns the kinds of symmetry among some images.
pub fn kinds(images: &[Image], board: &Board) -> Vec<Symmetry> {
    let mut kinds = Vec::new();
    for image in images {
        let fixed = image.cells.iter().enumerate().all(|(cell, &to)| cell == usize::from(to));
        let kind = match image.swaps {
            true => Symmetry::Colours,
            false if matches!(board.shape, Shape::Graph { .. }) => Symmetry::Graph,
            false if !fixed && turns(board, &image.cells) => Symmetry::Rotate,
            false => Symmetry::Reflect,
        };
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    kinds
}

/// The index of a list of effects of a move that come before a value is read and make a difference to it.
type History = u32;

/// The history without effects, which is always the first.
const NONE: History = 0;

/// An effect of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Done {
    /// A piece is put on a cell.
    Put(u16, u8),
    /// The value with this index is assigned to a variable; the history is that of the value.
    Give(u16, u32, History),
}

/// The image of an effect: `true` and the variable, or `false` and the cell; the index of the value or of the piece; and
/// the index of the image of the history.
type Effect = ((bool, u16), u32, u32);

/// A continuation of a place: its effects, and the place after it.
struct Edge {
    done: Vec<Done>,
    /// The player to move then, if the turn passes.
    turn: Option<Option<u8>>,
    /// The conditions, one of which must hold.
    terms: Vec<Term>,
    next: usize,
}

/// Pieces on cells in the order of the cells.
type Put = Vec<(u16, u8)>;

/// A place in the rules where a modifier comes next, the cell, and the pieces that the move has put so far.
type Place = (At, u16, Put);

/// A whole move: the pieces it puts, its assignments, the player to move then, and the place after it.
type Whole = (Put, Vec<Done>, Option<u8>, usize);

/// Puts a piece on a cell.
fn put_on(put: &mut Put, cell: u16, piece: u8) {
    match put.binary_search_by_key(&cell, |&(cell, _)| cell) {
        Ok(at) => put[at].1 = piece,
        Err(at) => put.insert(at, (cell, piece)),
    }
}

/// The graph of the places of the rules.
struct Graph<'c> {
    program: &'c Program,
    code: &'c Code,
    entries: &'c [Entry],
    places: FxHashMap<Place, usize>,
    edges: Vec<Vec<Edge>>,
    /// The terms of each formula that occurs in a term of an edge or of a later formula.
    formulas: Vec<Vec<Term>>,
    /// The histories. Those that occur in one have smaller indices.
    histories: Interner<Vec<Done>>,
    /// The comparisons of terms, each with its history.
    compared: Interner<(u32, History)>,
}

impl<'c> Graph<'c> {
    /// Returns a graph without edges, and the places where players are to move.
    fn begin(program: &'c Program, code: &'c Code, entries: &'c [Entry]) -> (Graph<'c>, Vec<Place>) {
        let (places, edges, formulas) = (FxHashMap::default(), Vec::new(), Vec::new());
        let (mut histories, compared) = (Interner::<Vec<Done>>::default(), Interner::default());
        histories.insert(Vec::new());
        let mut graph = Graph { program, code, entries, places, edges, formulas, histories, compared };
        let mut open: Vec<Place> = Vec::new();
        for at in entries.iter().filter_map(|entry| entry.at) {
            for cell in 0..program.board.cells() as u16 {
                graph.place((at, cell, Vec::new()), &mut open);
            }
        }
        (graph, open)
    }

    /// Returns the graph of all places that can be reached modifier by modifier.
    fn by_steps(program: &'c Program, code: &'c Code, entries: &'c [Entry]) -> Result<Graph<'c>, Why> {
        let mut finder = Finder::new(code, program.pieces.len());
        let (mut graph, mut open) = Graph::begin(program, code, entries);
        for number in 0..code.comparisons.len() as u32 {
            graph.compared.insert((number, NONE));
        }
        let mut residual = Residual::default();
        let mut now = 0;
        while now < open.len() {
            let (at, cell, put) = open[now].clone();
            now += 1;
            let mut by_target: FxHashMap<(At, u16), Vec<Term>> = FxHashMap::default();
            for Path { term, to } in finder.paths(at, cell, 0).ok_or(Why::Checks)? {
                if let Some(to) = to
                    && let Some(term) = residual.term(&term, &put, finder.formulas.list())
                {
                    by_target.entry(to).or_default().push(term);
                }
            }
            let mut edges = Vec::with_capacity(by_target.len());
            for ((at, cell), terms) in by_target {
                let instruction = &code.all[at as usize];
                let (mut put, mut done, mut turn) = (put.clone(), Vec::new(), None);
                match instruction.op {
                    Op::Off(piece) => {
                        put_on(&mut put, cell, piece);
                        done.push(Done::Put(cell, piece));
                    }
                    Op::Assign(variable, value) => done.push(Done::Give(variable, value, NONE)),
                    Op::Switch(to) => {
                        if to.is_some() {
                            put.clear();
                        }
                        turn = Some(to);
                    }
                    _ => {}
                }
                let next = graph.place((instruction.next, cell, put), &mut open);
                edges.push(Edge { done, turn, terms: least(terms), next });
            }
            graph.edges.push(edges);
            if open.len() > PLACES {
                return Err(Why::Large);
            }
        }
        graph.formulas = residual.formulas.into_list();
        // The keeper takes the first of his moves: with a single one the order does not matter.
        if graph.keeper_chooses() { Err(Why::Keeper) } else { Ok(graph) }
    }

    /// Returns the graph of the places where a move begins, each with the whole effects of its moves.
    fn by_moves(program: &'c Program, code: &'c Code, entries: &'c [Entry]) -> Result<Graph<'c>, Why> {
        let mut finder = Finder::new(code, program.pieces.len());
        let (mut graph, mut open) = Graph::begin(program, code, entries);
        let mut residual = Residual::default();
        let mut keepers: Vec<usize> = Vec::new();
        let (mut now, mut moves) = (0, 0);
        while now < open.len() {
            let (at, cell, _) = open[now];
            now += 1;
            let mut found: FxHashMap<Whole, Vec<Term>> = FxHashMap::default();
            let mut begun = vec![(at, cell, Put::new(), Vec::<Done>::new(), Term::default())];
            while let Some((at, cell, put, done, before)) = begun.pop() {
                for Path { term, to } in finder.paths(at, cell, 0).ok_or(Why::Checks)? {
                    let Some((at, cell)) = to else { continue };
                    let Some(mut term) = residual.term(&term, &put, finder.formulas.list()) else { continue };
                    for comparison in &mut term.comparisons {
                        *comparison = graph.comparison(*comparison, &done);
                    }
                    let Some(term) = both(&before, term) else { continue };
                    moves += 1;
                    if moves > MOVES || done.len() > DONE {
                        return Err(Why::Large);
                    }
                    let instruction = &code.all[at as usize];
                    let (mut put, mut done) = (put.clone(), done.clone());
                    match instruction.op {
                        Op::Off(piece) => {
                            put_on(&mut put, cell, piece);
                            done.push(Done::Put(cell, piece));
                        }
                        Op::Assign(variable, value) => {
                            let before = history(&[&code.values[value as usize]], &done);
                            let before = graph.histories.insert(before).0;
                            done.push(Done::Give(variable, value, before));
                        }
                        Op::Switch(turn) => {
                            let next = graph.place((instruction.next, cell, Vec::new()), &mut open);
                            if turn.is_none() && !keepers.contains(&next) {
                                keepers.push(next);
                            }
                            done.retain(|done| matches!(done, Done::Give(..)));
                            found.entry((put, done, turn, next)).or_default().push(term);
                            continue;
                        }
                        _ => {}
                    }
                    begun.push((instruction.next, cell, put, done, term));
                }
            }
            let edge = |((put, given, turn, next), terms): (Whole, Vec<Term>)| {
                let put = put.into_iter().map(|(cell, piece)| Done::Put(cell, piece));
                Edge { done: put.chain(given).collect(), turn: Some(turn), terms: least(terms), next }
            };
            graph.edges.push(found.into_iter().map(edge).collect());
            if open.len() > PLACES {
                return Err(Why::Large);
            }
        }
        graph.formulas = residual.formulas.into_list();
        if keepers.into_iter().all(|place| graph.has_one_way(place)) { Ok(graph) } else { Err(Why::Keeper) }
    }

    /// Reports whether no two moves from a place are possible at once.
    fn has_one_way(&self, place: usize) -> bool {
        let edges = &self.edges[place];
        let apart = |one: &Edge, other: &Edge| {
            one.terms.iter().all(|one| {
                other.terms.iter().all(|other| self.excludes(one, other) || self.excludes(other, one))
            })
        };
        edges.len() <= KEPT
            && (1..edges.len()).all(|at| edges[..at].iter().all(|other| apart(&edges[at], other)))
    }

    /// Reports whether one term excludes the other.
    fn excludes(&self, one: &Term, other: &Term) -> bool {
        let apart = |&(cell, pieces): &(u16, u64)| {
            other.cells.iter().any(|&(there, others)| there == cell && pieces & others == 0)
        };
        one.cells.iter().any(apart)
            || one.checks.iter().any(|&(formula, holds)| {
                let mut terms = self.formulas[formula as usize].iter();
                !holds && terms.any(|term| term.follows_from(other))
                    || other.checks.contains(&(formula, !holds))
            })
    }

    /// Returns the index of a comparison after the effects of a move.
    fn comparison(&mut self, comparison: u32, done: &[Done]) -> u32 {
        let before = match &self.code.comparisons[comparison as usize] {
            Test::Variable(variable, ..) => history(&[&Expr::Variable(*variable)], done),
            Test::Any(left, _, right) => history(&[left, right], done),
        };
        let before = self.histories.insert(before).0;
        self.compared.insert((comparison, before)).0
    }

    /// Returns the symmetries among these maps of the board.
    fn symmetries(&self, maps: &[Vec<u16>], colours: bool) -> Symmetries {
        let mut images: Vec<Image> = Vec::new();
        let terms: usize = self.edges.iter().flatten().map(|edge| edge.terms.len()).sum();
        if maps.len() * terms > COMPARED {
            return Symmetries { images, why: Some(Why::Large) };
        }
        let mut names = Names::default();
        let own = self.labels(&self.same(), &mut names);
        let exchanges = if colours { exchanges(self.program) } else { Vec::new() };
        let mut plain: Vec<Option<Image>> = Vec::with_capacity(maps.len());
        for cells in maps {
            plain.push(self.holds(&Image { cells: cells.clone(), ..self.same() }, &own, &mut names));
        }
        let held: FxHashSet<&[u16]> =
            maps.iter().zip(&plain).filter(|(_, held)| held.is_some()).map(|(cells, _)| &cells[..]).collect();
        // Maps that were tried with all exchanges, each with the first exchange that holds.
        let mut tried: Vec<(&[u16], Option<usize>)> = Vec::new();
        for (cells, plain) in maps.iter().zip(plain) {
            images.extend(plain);
            // Symmetries can be combined: maps that differ by one have the same exchanges.
            let alike = tried.iter().find(|(other, _)| held.contains(&quotient(cells, other)[..]));
            let known = alike.map(|&(_, exchange)| exchange);
            let candidates = match known {
                Some(exchange) => exchange.map_or(0..0, |at| at..at + 1),
                None => 0..exchanges.len(),
            };
            let mut found = None;
            for (at, (pieces, variables)) in
                exchanges.iter().enumerate().take(candidates.end).skip(candidates.start)
            {
                let (cells, pieces, variables) = (cells.clone(), pieces.clone(), variables.clone());
                let swapped = Image { cells, pieces, variables, swaps: true, ..self.same() };
                if let Some(swapped) = self.holds(&swapped, &own, &mut names) {
                    images.push(swapped);
                    found = Some(at);
                    break;
                }
            }
            if known.is_none() {
                tried.push((cells.as_slice(), found));
            }
        }
        images.retain(|image| {
            image.swaps || image.cells.iter().enumerate().any(|(cell, &to)| cell != usize::from(to))
        });
        Symmetries { images, why: Some(Why::Differs) }
    }

    /// Reports whether the keeper may have several moves.
    fn keeper_chooses(&self) -> bool {
        let keepers = self.edges.iter().flatten().filter(|edge| edge.turn == Some(None));
        let mut open: Vec<usize> = keepers.map(|edge| edge.next).collect();
        let mut seen = vec![false; self.edges.len()];
        while let Some(place) = open.pop() {
            if std::mem::replace(&mut seen[place], true) {
                continue;
            }
            if self.edges[place].len() > 1 {
                return true;
            }
            let onward = self.edges[place].iter().filter(|edge| edge.turn.is_none());
            open.extend(onward.map(|edge| edge.next));
        }
        false
    }

    /// Returns the index of a place, and adds it to the list if it is new.
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

    /// Returns the identity.
    fn same(&self) -> Image {
        Image {
            cells: (0..self.program.board.cells() as u16).collect(),
            pieces: (0..self.program.pieces.len() as u8).collect(),
            variables: (0..self.program.variables.len() as u16).collect(),
            swaps: false,
            entries: Vec::new(),
        }
    }

    /// Returns the symmetry with the images of the places in the rules, if it holds. `own` are the labels of the edges
    /// under the identity.
    fn holds(&self, image: &Image, own: &Labels, names: &mut Names) -> Option<Image> {
        let count = self.edges.len();
        let histories = self.histories(image, names);
        let edge_effects = self.edge_effects(image, &histories, names);
        // The edges of images have effects of edges: most wrong exchanges of pieces show here, at little cost.
        let known: FxHashSet<u32> = own.iter().flatten().map(|&[what, _]| what).collect();
        if !edge_effects.iter().flatten().all(|what| known.contains(what)) {
            return None;
        }
        let labels = [own, &self.labels_of(image, &histories, &edge_effects, names)];
        // The class of each place, and then of each image of a place.
        let mut classes = vec![0u32; 2 * count];
        let mut before = 1;
        for round in 0.. {
            if round == ROUNDS {
                return None;
            }
            let mut numbers: Interner<Vec<[u32; 3]>> = Interner::default();
            let mut next = Vec::with_capacity(2 * count);
            for (side, labels) in labels.iter().enumerate() {
                for (edges, labels) in self.edges.iter().zip(labels.iter()) {
                    let paths = edges.iter().zip(labels);
                    let mut signature: Vec<[u32; 3]> = paths
                        .map(|(edge, &[what, terms])| [what, classes[side * count + edge.next], terms])
                        .collect();
                    sorting::sort(&mut signature);
                    names.join(&mut signature);
                    next.push(numbers.insert(signature).0);
                }
            }
            let now = numbers.list().len();
            classes = next;
            if now == before {
                break;
            }
            before = now;
        }
        self.entries_of(image, &classes).map(|entries| Image { entries, ..image.clone() })
    }

    /// Returns the image of each entry; `None` if one has none.
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

    /// Returns the effects and the terms of each edge under a symmetry. Minimal terms have minimal images, so that
    /// these only need sorting.
    fn labels(&self, image: &Image, names: &mut Names) -> Labels {
        let histories = self.histories(image, names);
        let edge_effects = self.edge_effects(image, &histories, names);
        self.labels_of(image, &histories, &edge_effects, names)
    }

    /// Returns [`Graph::labels`] with the effects of each edge, `edge_effects`, and the images of the histories.
    fn labels_of(
        &self,
        image: &Image,
        histories: &[u32],
        edge_effects: &[Vec<u32>],
        names: &mut Names,
    ) -> Labels {
        let compared = self.compared.list().iter();
        let compared: Vec<u32> =
            compared.map(|&comparison| self.compared(comparison, image, histories, names)).collect();
        // A formula comes after those that it contains.
        let mut formulas: Vec<Formula> = Vec::with_capacity(self.formulas.len());
        for terms in &self.formulas {
            let terms = terms.iter().map(|term| self.term(term, image, &formulas, &compared)).collect();
            formulas.push(names.terms(sorted(terms)));
        }
        let mut label = |(edge, &what): (&Edge, &u32)| {
            let terms = edge.terms.iter().map(|term| self.term(term, image, &formulas, &compared)).collect();
            [what, names.terms(sorted(terms))]
        };
        let edges = self.edges.iter().zip(edge_effects);
        edges.map(|(edges, edge_effects)| edges.iter().zip(edge_effects).map(&mut label).collect()).collect()
    }

    /// Returns the effects of each edge under a symmetry, with the player to move then.
    fn edge_effects(&self, image: &Image, histories: &[u32], names: &mut Names) -> Vec<Vec<u32>> {
        let mut what = |edge: &Edge| {
            let mut done = self.done(&edge.done, image, histories, names);
            // The effects on one cell or variable stay in order.
            sorting::sort_by_key(&mut done, |&(of, ..)| of);
            let turn = edge.turn.map(|turn| turn.map(|turn| if image.swaps { 1 - turn } else { turn }));
            let done = names.effects(done);
            names.edge_effects.insert((done, turn)).0
        };
        self.edges.iter().map(|edges| edges.iter().map(&mut what).collect()).collect()
    }

    /// Returns the image of each history under a symmetry.
    fn histories(&self, image: &Image, names: &mut Names) -> Vec<u32> {
        let mut images: Vec<u32> = Vec::with_capacity(self.histories.list().len());
        for done in self.histories.list() {
            let done = self.done(done, image, &images, names);
            images.push(names.effects(done));
        }
        images
    }

    /// Returns the effects of a move under a symmetry; `histories` are the images of the histories in them.
    fn done(&self, done: &[Done], image: &Image, histories: &[u32], names: &mut Names) -> Vec<Effect> {
        let of = |done: &Done| match *done {
            Done::Put(cell, piece) => {
                let piece = image.pieces[usize::from(piece)];
                ((false, image.cells[usize::from(cell)]), u32::from(piece), 0)
            }
            Done::Give(variable, value, before) => {
                let value = self.value(&self.code.values[value as usize], image);
                let value = names.text(format!("{value:?}"));
                ((true, image.variables[usize::from(variable)]), value, histories[before as usize])
            }
        };
        done.iter().map(of).collect()
    }

    /// Returns the image of a term; `formulas` and `compared` are the images of its parts.
    fn term(&self, term: &Term, image: &Image, formulas: &[Formula], compared: &[u32]) -> Term {
        let pieces = |bits: u64| {
            let of = (0..image.pieces.len()).filter(|&piece| bits >> piece & 1 == 1);
            of.fold(0, |bits, piece| bits | 1 << image.pieces[piece])
        };
        let mut cells: Vec<(u16, u64)> =
            term.cells.iter().map(|&(cell, bits)| (image.cells[usize::from(cell)], pieces(bits))).collect();
        sorting::sort(&mut cells);
        let mut checks: Vec<(Formula, bool)> =
            term.checks.iter().map(|&(formula, holds)| (formulas[formula as usize], holds)).collect();
        sorting::sort(&mut checks);
        let mut comparisons: Vec<u32> =
            term.comparisons.iter().map(|&comparison| compared[comparison as usize]).collect();
        sorting::sort(&mut comparisons);
        Term { cells, checks, comparisons }
    }

    /// Returns the image of a comparison.
    fn compared(
        &self,
        (comparison, before): (u32, History),
        image: &Image,
        histories: &[u32],
        names: &mut Names,
    ) -> u32 {
        let said = match &self.code.comparisons[comparison as usize] {
            Test::Variable(variable, comparison, number) => {
                let variable = Expr::Variable(image.variables[usize::from(*variable)]);
                format!("{variable:?} {comparison:?} {:?}", Expr::Number(*number))
            }
            Test::Any(left, comparison, right) => {
                let (left, right) = (self.value(left, image), self.value(right, image));
                format!("{left:?} {comparison:?} {right:?}")
            }
        };
        let said = names.text(said);
        names.compared.insert((said, histories[before as usize])).0
    }

    /// Returns the image of a value.
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

/// Returns the effects before these values are read that can make a difference: the last assignment to each variable among
/// them, and all that changes what they count.
fn history(values: &[&Expr], done: &[Done]) -> Vec<Done> {
    fn reads(value: &Expr, read: &dyn Fn(&Expr) -> bool) -> bool {
        match value {
            Expr::Join(_, pair) => reads(&pair.0, read) || reads(&pair.1, read),
            _ => read(value),
        }
    }
    let any = |read: &dyn Fn(&Expr) -> bool| values.iter().any(|value| reads(value, read));
    let counts = any(&|value| matches!(value, Expr::Count(_)));
    let gives = |done: &Done, variable: u16| matches!(done, Done::Give(given, ..) if *given == variable);
    let kept = |at: usize| match done[at] {
        Done::Put(..) => counts,
        Done::Give(variable, ..) => {
            any(&|value| matches!(value, Expr::Variable(own) if *own == variable))
                && !done[at + 1..].iter().any(|later| gives(later, variable))
        }
    };
    (0..done.len()).filter(|&at| kept(at)).map(|at| done[at]).collect()
}

/// Returns the map that leads to `cells` if `first` is applied before it.
fn quotient(cells: &[u16], first: &[u16]) -> Vec<u16> {
    let mut map = vec![0; cells.len()];
    for (&from, &to) in first.iter().zip(cells) {
        map[usize::from(from)] = to;
    }
    map
}

/// Sorts terms.
fn sorted(mut terms: Vec<Term>) -> Vec<Term> {
    sorting::sort(&mut terms);
    terms.dedup();
    terms
}

/// Returns the conjunction of both terms; `None` if they exclude each other.
fn both(one: &Term, other: Term) -> Option<Term> {
    let mut all = one.clone();
    for (cell, pieces) in other.cells {
        all.look(cell, pieces, u64::MAX).then_some(())?;
    }
    all.checks.extend(other.checks);
    sorting::sort(&mut all.checks);
    all.checks.dedup();
    all.comparisons.extend(other.comparisons);
    sorting::sort(&mut all.comparisons);
    all.comparisons.dedup();
    let torn = |pair: &[(Formula, bool)]| pair[0].0 == pair[1].0;
    (!all.checks.windows(2).any(torn)).then_some(all)
}

/// For each place the edges from it: the index of its effects, and that of its terms.
type Labels = Vec<Vec<[u32; 2]>>;

/// Interns the compared parts, so that equal parts have equal indices.
#[derive(Default)]
struct Names {
    texts: Interner<String>,
    effects: Interner<Vec<Effect>>,
    /// The effects of an edge, and the player to move then if the turn passes.
    edge_effects: Interner<(u32, Option<Option<u8>>)>,
    /// A comparison in words, and its history.
    compared: Interner<(u32, u32)>,
    terms: Interner<Vec<Term>>,
    /// The indices of lists of terms of which one must hold.
    joined: FxHashMap<Vec<u32>, u32>,
}

impl Names {
    fn text(&mut self, text: String) -> u32 {
        self.texts.insert(text).0
    }

    fn effects(&mut self, effects: Vec<Effect>) -> u32 {
        self.effects.insert(effects).0
    }

    fn terms(&mut self, terms: Vec<Term>) -> u32 {
        self.terms.insert(terms).0
    }

    /// Merges continuations with the same effects that lead to one class: one of their terms must hold.
    fn join(&mut self, signature: &mut Vec<[u32; 3]>) {
        let alike = |one: &[u32; 3], other: &[u32; 3]| one[..2] == other[..2];
        if !signature.windows(2).any(|pair| alike(&pair[0], &pair[1])) {
            return;
        }
        signature.dedup();
        let of_one = |paths: &[[u32; 3]]| {
            let numbers: Vec<u32> = paths.iter().map(|path| path[2]).collect();
            let terms = match numbers[..] {
                [number] => number,
                _ => self.either(numbers),
            };
            [paths[0][0], paths[0][1], terms]
        };
        *signature = signature.chunk_by(alike).map(of_one).collect();
    }

    /// Returns the index of the union of these lists of terms.
    fn either(&mut self, numbers: Vec<u32>) -> u32 {
        if let Some(&known) = self.joined.get(&numbers) {
            return known;
        }
        let all = numbers.iter().flat_map(|&number| &self.terms.list()[number as usize]).cloned().collect();
        let joined = self.terms(least(all));
        self.joined.insert(numbers, joined);
        joined
    }
}
