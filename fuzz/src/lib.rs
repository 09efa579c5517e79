//! Every parser of untrusted bytes, as a function of any bytes.
//!
//! A target may refuse its input; it panics only if grundy has a fault. `mkdir -p fuzz/corpus/NAME && cargo
//! fuzz run NAME fuzz/corpus/NAME fuzz/seeds/NAME` runs one for as long as you like and keeps what it finds in
//! `fuzz/corpus`; the test `fuzz` of the root package runs all of them for a short while.

use std::io::Write;

use grundy::engine::Protocol;
use grundy::protocol::Command;
use grundy::referee::readers;
use grundy::session::{Session, Settings};
use grundy::table::Table;
use grundy::{catalog, dot, files};

/// A target: its name and its function.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: [Target; 9] = [
    ("line", line),
    ("position", position),
    ("dot", dot_file),
    ("table", table),
    ("certificate", certificate),
    ("record", record),
    ("config", config),
    ("suite", suite),
    ("protocol", protocol),
];

/// A line of the protocol.
pub fn line(bytes: &[u8]) {
    match Command::read(&String::from_utf8_lossy(bytes)) {
        Ok(command) => drop(format!("{command:?}")),
        Err(unread) => drop(unread.to_string()),
    }
}

/// Lines of a protocol that the first one names.
pub fn protocol(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (name, lines) = text.split_once('\n').unwrap_or((&text, ""));
    let protocol = match name {
        "gomocup" => Protocol::Gomocup,
        "hub" => Protocol::Hub,
        "nboard" => Protocol::NBoard,
        _ => Protocol::XBoard,
    };
    let lines = protocol.translated(&catalog::CATALOG, None, lines).expect("every protocol has a usual game");
    for line in lines {
        assert!(!line.contains('\n'), "{line:?}");
    }
}

/// The name of a game on the first line, a position on the second, moves on the third. The result is written, read
/// again, and played from.
pub fn position(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = text.splitn(3, '\n');
    let [name, position, moves] = [(); 3].map(|()| lines.next().unwrap_or(""));
    // Other files are the inputs of other targets.
    if name.contains("file=") {
        return;
    }
    let Ok(mut session) = catalog::open(name, &Settings::default()) else { return };
    if session.setup(Some(position)).is_err() {
        return;
    }
    written_is_read(&mut session);
    for word in moves.split_whitespace().take(8) {
        if session.play(word).is_err() {
            break;
        }
        written_is_read(&mut session);
    }
}

/// Checks that the position's text sets up the same position, and that every listed move is legal.
fn written_is_read(session: &mut Session) {
    let written = session.position();
    let mut again = session.at_start();
    again.setup(Some(&written)).unwrap_or_else(|why| panic!("{written}: {why}"));
    assert_eq!(again.position(), written);
    drop((again.turn(), again.draw(), again.canonical()));
    for word in again.legal_moves(6) {
        again.play(&word).unwrap_or_else(|why| panic!("{written}: {word}: {why}"));
        again.undo();
    }
}

/// A graph in the DOT language.
pub fn dot_file(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    refused_in_one_line(dot::read(&text).map(drop));
    refused_in_one_line(
        dot::read_undirected(&text.replacen("digraph", "graph", 1).replace("->", "--")).map(drop),
    );
}

/// A table's file.
pub fn table(bytes: &[u8]) {
    let file = file_of(bytes);
    let Ok(table) = Table::open(file.path()) else { return };
    let last = table.count().saturating_sub(1);
    for number in [0, 1, last / 2, last, last.saturating_add(1)] {
        let _ = table.get(number);
    }
    let _ = table.check();
}

/// A certificate whose checksum is taken as right.
pub fn certificate(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let statements = text.find("\nchecksum ").map_or(&text[..], |end| &text[..=end]);
    // Other files are the inputs of other targets.
    if !statements.contains("file=") {
        refused_in_one_line(readers::certificate(&catalog::CATALOG, statements));
    }
}

/// The record of a match.
pub fn record(bytes: &[u8]) {
    refused_in_one_line(readers::record(&catalog::CATALOG, file_of(bytes).path()));
}

/// The settings of a match in TOML.
pub fn config(bytes: &[u8]) {
    refused_in_one_line(readers::config(file_of(bytes).path()));
}

/// Positions of a suite, in our own notation or as EPD.
pub fn suite(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    // Other files are the inputs of other targets.
    if !text.contains("file=") {
        refused_in_one_line(readers::suite(&catalog::CATALOG, files::without_mark(&text)));
    }
}

fn refused_in_one_line(read: Result<(), String>) {
    if let Err(why) = read {
        assert!(!why.is_empty() && !why.trim_end().contains('\n'), "{why:?}");
    }
}

fn file_of(bytes: &[u8]) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().expect("a file");
    file.write_all(bytes).expect("room for it");
    file
}
