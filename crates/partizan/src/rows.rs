//! Rows of the partizan games.

use std::path::Path;

use grundy_core::dot::{Undirected, read_undirected};
use grundy_core::files;
use grundy_search::alpha_beta::AlphaBeta;
use grundy_search::board::{BoardGame, BoardMethod};
use grundy_search::play::play;
use grundy_session::{Parameter, Row, Session, Shape, Spec};
use grundy_sums::cgt::ByForms;
use grundy_sums::component::{self, SummandRow};

use crate::bush::Bush;
use crate::colouring::{CELLS, Colouring, Rule};
use crate::stalks::Stalks;
use crate::toads::ToadsAndFrogs;

/// The largest file that is read, in bytes.
const LARGEST_FILE: u64 = 1 << 20;

/// The methods of Hackenbush on graphs and of Toads and Frogs.
const METHODS: [BoardMethod; 2] = [BoardMethod::FormsAlone, BoardMethod::AlphaBeta];
/// The methods of Col and Snort.
const COLOURING_METHODS: [BoardMethod; 2] = [BoardMethod::FormsAlone, BoardMethod::SumAlphaBeta];

/// The sections of Col and Snort.
const COLOURING: [Parameter; 2] = [
    Parameter::new("RxC", "rows and columns, to 64 cells and 26 columns", "3x3"),
    Parameter::new("file=F", "an undirected DOT graph instead, nodes may have color=blue|red", "none"),
];

/// Games of this family that a sum can have.
pub static SUMMANDS: [SummandRow; 4] = [
    SummandRow {
        name: "hackenbush",
        default: "hackenbush:RBBG,B",
        parameters: "STALK,STALK,.. file=F",
        open: |spec| {
            Ok(match spec.key("file") {
                Some(path) => read_bush(path, spec)?.component(),
                None => component::partizan(read_stalks(spec)?),
            })
        },
    },
    SummandRow {
        name: "toads-and-frogs",
        default: "toads-and-frogs:TT..FF",
        parameters: "ROW",
        open: |spec| Ok(read_toads(spec)?.component()),
    },
    SummandRow {
        name: "col",
        default: "col:3x3",
        parameters: "RxC file=F",
        open: |spec| Ok(read_colouring(spec, Rule::Col)?.component()),
    },
    SummandRow {
        name: "snort",
        default: "snort:3x3",
        parameters: "RxC file=F",
        open: |spec| Ok(read_colouring(spec, Rule::Snort)?.component()),
    },
];

/// The games of this family.
pub static ROWS: [Row; 4] = [
    Row::new("hackenbush", "hackenbush:RBBG,B", |spec| match spec.key("file") {
        Some(path) => Ok(read_bush(path, spec)?.session(spec, &METHODS)),
        None => {
            let game = read_stalks(spec)?;
            Ok(play(spec, game).summing_oracle(ByForms::default()).search::<AlphaBeta<_>>().session())
        }
    })
    .parameters("STALK,STALK,.. file=F")
    .about("cut an edge of your colour; what hangs in the air falls")
    .title("Hackenbush")
    .rules(
        "Take turns to cut an edge: player one a blue one, player two a red one, either of them a \
         green one. Edges that no longer hang together with the ground fall off, and whoever \
         finds nothing to cut loses.",
    )
    .players("Blue", "Red")
    .details(&[
        Parameter::new(
            "STALK,STALK,..",
            "edges from the ground up: B player one's, R two's, G either's",
            "RBBG,B",
        ),
        Parameter::new(
            "file=F",
            "an undirected DOT graph with a node `ground`, edges color=blue|red|green",
            "none",
        ),
    ])
    .known("a stalk of blue and red edges is a number by Berlekamp's rule: BR is 1/2, BBR 3/2")
    .moves("2:3 cuts edge 3, counted from the ground, of stalk 2; of a graph 3 cuts edge 3")
    .method("canonical forms, else search")
    .shape(Shape::Stalks),
    Row::new("toads-and-frogs", "toads-and-frogs:TT..FF", |spec| {
        Ok(read_toads(spec)?.session(spec, &METHODS))
    })
    .parameters("ROW")
    .about("toads step or jump right, frogs left; who cannot move loses")
    .title("Toads and Frogs")
    .rules(
        "Toads go to the right and frogs to the left: one step to a free cell, or a jump over one \
         animal of the other kind to the free cell behind it. Whoever cannot move loses.",
    )
    .players("Toads", "Frogs")
    .details(&[Parameter::new("ROW", "cells from the left: T a toad, F a frog, . free", "TT..FF")])
    .known("T.TFF is worth ^, TT..FF *")
    .moves("2-3 moves the animal on cell 2 to cell 3, counted from 1 at the left")
    .method("canonical forms, else search")
    .shape(Shape::Strip),
    Row::new("col", "col:3x3", |spec| colouring(spec, Rule::Col))
        .parameters("RxC file=F")
        .about("colour a cell, none beside your own; last move wins")
        .title("Col")
        .rules(
            "Take turns to paint a free cell in your colour, but never beside a cell of that same \
             colour. Whoever cannot paint another cell loses.",
        )
        .players("Blue", "Red")
        .shape(Shape::Painted)
        .details(&COLOURING)
        .known("every position is a number, or a number and *")
        .method("canonical forms; else who wins by outcomes of sums, how soon by search"),
    Row::new("snort", "snort:3x3", |spec| colouring(spec, Rule::Snort))
        .parameters("RxC file=F")
        .about("colour a cell, none beside the other's; last move wins")
        .title("Snort")
        .rules(
            "Take turns to paint a free cell in your colour, but never beside a cell of the other \
             player's colour. Whoever cannot paint another cell loses.",
        )
        .players("Blue", "Red")
        .shape(Shape::Painted)
        .details(&COLOURING)
        .known("1x3 is worth +-2, 1x4 +-({2|1})")
        .method("canonical forms; else who wins by outcomes of sums, how soon by search"),
];

/// Returns a game of colours on a grid or on the graph of a file.
fn colouring(spec: &mut Spec<'_>, rule: Rule) -> Result<Session, String> {
    Ok(read_colouring(spec, rule)?.session(spec, &COLOURING_METHODS))
}

fn read_colouring(spec: &mut Spec<'_>, rule: Rule) -> Result<BoardGame, String> {
    let game = match spec.key("file") {
        Some(path) => Colouring::on_graph(rule, &graph(path, spec)?).map_err(|why| format!("{path}: {why}")),
        None => {
            let [rows, columns] = spec.size("RxC", 1..=CELLS)?.unwrap_or([3, 3]);
            Colouring::on_grid(rule, rows, columns)
        }
    };
    game.map(BoardGame::new)
}

fn read_bush(path: &str, spec: &mut Spec<'_>) -> Result<BoardGame, String> {
    Bush::new(&graph(path, spec)?).map(BoardGame::new).map_err(|why| format!("{path}: {why}"))
}

fn read_stalks(spec: &mut Spec<'_>) -> Result<Stalks, String> {
    Stalks::new(spec.word().unwrap_or("RBBG,B"))
}

fn read_toads(spec: &mut Spec<'_>) -> Result<BoardGame, String> {
    ToadsAndFrogs::new(spec.word().unwrap_or("TT..FF")).map(BoardGame::new)
}

/// Returns the undirected graph of a file that a game's name points to.
fn graph(path: &str, spec: &mut Spec<'_>) -> Result<Undirected, String> {
    let text = files::read_text(Path::new(path), LARGEST_FILE).map_err(|error| error.to_string())?;
    let graph = read_undirected(&text).map_err(|why| format!("{path}: {why}"))?;
    spec.means(&graph.canonical(&["color"]));
    Ok(graph)
}
