//! Reads the `.tsv` files beside the tests.

use std::collections::HashMap;
use std::path::Path;

/// One line of a file: its cells by the names in the file's first line.
pub struct TruthRow(HashMap<String, String>);

impl TruthRow {
    /// Returns the cell of a column.
    pub fn get(&self, column: &str) -> &str {
        self.0.get(column).unwrap_or_else(|| panic!("no column {column}"))
    }

    /// Returns a cell that holds a number.
    pub fn number(&self, column: &str) -> u64 {
        self.get(column).parse().unwrap_or_else(|_| panic!("no number in {column}: {}", self.get(column)))
    }

    /// Returns a cell that holds numbers joined by commas.
    pub fn numbers(&self, column: &str) -> Vec<u64> {
        self.get(column).split(',').map(|n| n.parse().unwrap()).collect()
    }

    /// Returns a cell that holds words joined by `separator`, `-` for none; sorted.
    pub fn words(&self, column: &str, separator: char) -> Vec<String> {
        let cell = self.get(column);
        let mut words: Vec<String> =
            if cell == "-" { Vec::new() } else { cell.split(separator).map(str::to_string).collect() };
        words.sort();
        words
    }
}

/// Reads all rows of a file in the calling crate's `tests/truth`.
#[macro_export]
macro_rules! rows {
    ($file:expr) => {
        $crate::read(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/truth").join($file))
    };
}

/// Returns all rows of a file: cells split by tabs, named by the first line.
pub fn read(path: impl AsRef<Path>) -> Vec<TruthRow> {
    let path = path.as_ref();
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap().split('\t').collect();
    let rows: Vec<TruthRow> = lines
        .map(|line| {
            let cells = line.split('\t').map(str::to_string);
            TruthRow(names.iter().map(|n| n.to_string()).zip(cells).collect())
        })
        .collect();
    assert!(rows.len() > 1, "{} holds rows", path.display());
    rows
}
