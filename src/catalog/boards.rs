//! Rows of games on boards and graphs.

use std::fs::File;
use std::io::Read;

use super::{Row, play};
use crate::games::euler::{Euler, Variant};
use crate::games::graph::Graph;
use crate::games::lgame::LGame;
use crate::games::police::Police;
use crate::games::row;
use crate::grid::Grid;
use crate::solve::TableOracle;
use crate::solve::frames::ByFrames;
use crate::value::Unit;

/// The largest file that is read, in bytes.
const LARGEST_FILE: u64 = 1 << 29;
/// Numbers of a table that is made unasked: a board of 25 cells in two seconds; a map or a graph was written to
/// have it solved.
const ASKED: u64 = 1 << 26;

pub(super) const EULER: Row = Row {
    name: "euler",
    parameters: "RxC maxlen=K normal span=short",
    default: "euler:4x4",
    method: "table by layers",
    about: "nails on a board of R rows; who fills it loses",
    open: |spec| {
        let normal = spec.flag("normal");
        let longest = spec.number("maxlen", 1..=Euler::MOST_CELLS)?.unwrap_or(Variant::default().longest);
        let short = match spec.key("span") {
            None => false,
            Some("short") => true,
            Some(word) => return Err(format!("bad span={word}: expected span=short")),
        };
        let [rows, columns] = spec.size("RxC", 1..=Euler::MOST_CELLS)?.unwrap_or([4, 4]);
        let game = Euler::new(rows, columns, Variant { normal, short, longest })?;
        Ok(play(spec, game).oracle(TableOracle::layers().quick(ASKED)).boxed())
    },
};

pub(super) const LGAME: Row = Row {
    name: "lgame",
    parameters: "",
    default: "lgame",
    method: "table by retrograde analysis",
    about: "the L-Game: who cannot move his L loses",
    open: |spec| Ok(play(spec, LGame).oracle(TableOracle::reversible()).boxed()),
};

pub(super) const POLICE: Row = Row {
    name: "police",
    parameters: "MAP file=F",
    default: "police:C..../.*.*./....T/E....",
    method: "table by retrograde analysis",
    about: "a policeman after a thief on a map; rows joined by /",
    open: |spec| {
        let game = match (spec.key("file"), spec.word()) {
            (Some(path), None) => {
                let longest = ((Grid::MOST_COLUMNS + 2) * Grid::MOST_ROWS) as u64;
                Police::new(&file(path, longest)?).map_err(|why| format!("{path}: {why}"))?
            }
            (None, Some(map)) => Police::new(map)?,
            _ => return Err("expected one map: police:C..T or police:file=F".to_string()),
        };
        Ok(play(spec, game).oracle(TableOracle::reversible().quick(ASKED)).boxed())
    },
};

/// The graph of a bare `graph`.
const EXAMPLE: &str = "digraph example {
    a [start=true]
    a -> b -> c -> a
    b -> d
    c -> e
    d -> f
    e -> { b f }
    f [value=draw]
    e -> g -> h
}";

pub(super) const GRAPH: Row = Row {
    name: "graph",
    parameters: "file=F",
    default: "graph",
    method: "table by retrograde analysis, integer values by layers",
    about: "a token on a directed graph of a DOT file",
    open: |spec| {
        let game = match spec.key("file") {
            Some(path) => {
                Graph::from_dot(&file(path, LARGEST_FILE)?).map_err(|why| format!("{path}: {why}"))?
            }
            None => Graph::from_dot(EXAMPLE)?,
        };
        let table = match crate::game::Scored::unit(&game) {
            Unit::Points => TableOracle::layers(),
            Unit::Outcome => TableOracle::reversible(),
        };
        Ok(play(spec, game).oracle(table.quick(ASKED)).boxed())
    },
};

pub(super) const ROW: Row = Row {
    name: "row",
    parameters: "N,N,..",
    default: "row:4,7,2,9",
    method: "table by layers, one for each row",
    about: "take the leftmost or the rightmost number; most points win",
    open: |spec| {
        let numbers = spec.list("a number of the row", 0..=row::LARGEST)?.unwrap_or_else(|| vec![4, 7, 2, 9]);
        Ok(play(spec, row::Row::new(&numbers)?).oracle(ByFrames::default()).boxed())
    },
};

/// The text of a file that a game's name points to.
fn file(path: &str, longest: u64) -> Result<String, String> {
    let cannot = |error: std::io::Error| format!("cannot read {path:?}: {error}");
    let mut text = String::new();
    File::open(path).map_err(cannot)?.take(longest + 1).read_to_string(&mut text).map_err(cannot)?;
    if text.len() as u64 > longest {
        return Err(format!("{path:?} is too long: expected at most {longest} bytes"));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use crate::catalog::open;
    use crate::session::Settings;

    /// What `open` says of a name that it must refuse.
    fn refusal(name: &str) -> String {
        let refusal = open(name, &Settings::default()).err().unwrap_or_else(|| panic!("{name} was opened"));
        assert!(!refusal.contains('\n') && refusal.len() < 400, "{refusal}");
        refusal
    }

    #[test]
    fn wrong_names_are_refused_with_what_was_expected() {
        for (name, expected) in [
            ("euler:9x9", "1 to 25 cells"),
            ("euler:4", "expected RxC"),
            ("euler:4x4:span=long", "span=short"),
            ("euler:4x4:maxlen=0", "1 to 25"),
            ("row:", "0 to 10000"),
            ("row:4,x", "0 to 10000"),
            ("row:10001", "0 to 10000"),
            ("lgame:3", "no parameters"),
            ("police:CC", "expected one of each"),
            ("police:CT:file=x", "police:C..T or police:file=F"),
            ("graph:file=there/is/no/such.dot", "cannot read"),
            ("graph:x", "file=F"),
            ("mnk:9,9,5", "1 to 64 cells"),
            ("mnk:3,3,9", "1 to 3"),
            ("teeko:6x5", "3 to 5"),
            ("teeko:5", "CxR"),
        ] {
            assert!(refusal(name).contains(expected), "{name}: {}", refusal(name));
        }
        let long = format!("row:{}", vec!["1"; 1_001].join(","));
        assert!(refusal(&long).contains("1 to 1000 numbers"));
    }

    #[test]
    fn files_are_read_and_bad_ones_refused_by_name() {
        let folder = std::env::temp_dir().join(format!("grundy-boards-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a temporary folder");
        let write = |name: &str, text: &[u8]| {
            let path = folder.join(name);
            std::fs::write(&path, text).expect("a temporary file");
            path.to_string_lossy().into_owned()
        };
        let map = write("map.txt", b"C..\nT.*\n");
        let session = open(&format!("police:file={map}"), &Settings::default()).map(|s| s.position());
        assert_eq!(session, Ok(".../..* a2 a1 1".to_string()));
        let cyclic = write("cyclic.dot", b"digraph { a [start=true]; a -> b -> a; b -> c; c [value=3] }");
        assert!(refusal(&format!("graph:file={cyclic}")).contains("a -> b -> a"));
        let noise = write("noise.dot", &[0xff, 0xfe, 0, 1]);
        assert!(refusal(&format!("graph:file={noise}")).contains("noise.dot"));
        std::fs::remove_dir_all(&folder).expect("the temporary folder goes");
    }
}
