//! Rows of the partizan games.

use std::path::Path;

use grundy_core::dot::{Undirected, read_undirected};
use grundy_core::files;
use grundy_session::{Row, Session, Shape, Spec};
use grundy_solve::play::play;
use grundy_solve::search::Searcher;

use crate::bush::Bush;
use crate::colouring::{CELLS, Colouring, Rule};
use crate::stalks::Stalks;
use crate::toads::ToadsAndFrogs;

/// The largest file that is read, in bytes.
const LARGEST_FILE: u64 = 1 << 20;

/// The games of this family.
pub static ROWS: [Row; 4] = [
    Row::new("hackenbush", "hackenbush:RBBG,B", |spec| match spec.key("file") {
        Some(path) => {
            let game = Bush::new(&graph(path)?).map_err(|why| format!("{path}: {why}"))?;
            Ok(play(spec, game).forms().search::<Searcher<_>>().session())
        }
        None => {
            let game = Stalks::new(spec.word().unwrap_or("RBBG,B"))?;
            Ok(play(spec, game).forms().search::<Searcher<_>>().session())
        }
    })
    .parameters("STALK,STALK,.. file=F")
    .about("cut an edge of your colour, blue or red, or a green one; what hangs in the air falls")
    .method("canonical forms, else search")
    .shape(Shape::Strip),
    Row::new("toads-and-frogs", "toads-and-frogs:TT..FF", |spec| {
        let game = ToadsAndFrogs::new(spec.word().unwrap_or("TT..FF"))?;
        Ok(play(spec, game).forms().search::<Searcher<_>>().session())
    })
    .parameters("ROW")
    .about("toads step or jump right, frogs left; who cannot move loses")
    .method("canonical forms, else search")
    .shape(Shape::Strip),
    Row::new("col", "col:3x3", |spec| colouring(spec, Rule::Col))
        .parameters("RxC file=F")
        .about("colour a cell, never beside your own colour; who cannot move loses")
        .method("canonical forms, else search"),
    Row::new("snort", "snort:3x3", |spec| colouring(spec, Rule::Snort))
        .parameters("RxC file=F")
        .about("colour a cell, never beside the other's colour; who cannot move loses")
        .method("canonical forms, else search"),
];

/// A game of colours on a grid or on the graph of a file.
fn colouring(spec: &mut Spec<'_>, rule: Rule) -> Result<Session, String> {
    let game = match spec.key("file") {
        Some(path) => Colouring::on_graph(rule, &graph(path)?).map_err(|why| format!("{path}: {why}"))?,
        None => {
            let [rows, columns] = spec.size("RxC", 1..=CELLS)?.unwrap_or([3, 3]);
            Colouring::on_grid(rule, rows, columns)?
        }
    };
    Ok(play(spec, game).forms().search::<Searcher<_>>().session())
}

/// The undirected graph of a file that a game's name points to.
fn graph(path: &str) -> Result<Undirected, String> {
    let text = files::read_text(Path::new(path), LARGEST_FILE).map_err(|error| error.to_string())?;
    read_undirected(&text).map_err(|why| format!("{path}: {why}"))
}
