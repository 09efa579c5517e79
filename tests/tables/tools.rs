//! Shared by the tests of tables: a small game, its table, and files of it.

use std::path::Path;

use grundy::game::Indexed;
use grundy::games::mnk::Mnk;
use grundy::session::quiet_work;
use grundy::table::{Disk, Label, Maker, Packing, Table, write};
use grundy::tables::layers;
use grundy::tables::verify::fingerprint;

pub const NAME: &str = "mnk:3,2,2";

pub fn game() -> Mnk {
    Mnk::new(3, 2, 2, false).unwrap()
}

pub fn table() -> Table {
    layers::solve(&game(), &quiet_work()).unwrap()
}

pub fn label() -> Label {
    Label { name: NAME.to_owned(), fingerprint: fingerprint(&game()), maker: Maker::Layers }
}

/// Writes the small table to a file.
pub fn write_table(path: &Path, form: Packing) {
    write(&Disk, path, &label(), &table(), form, 1).unwrap();
}

/// Opens a file as the small game's table.
pub fn open(path: &Path) -> Result<Table, String> {
    Table::open_for(path, NAME, fingerprint(&game()), game().size()).map_err(|error| error.to_string())
}

/// Returns the names of a folder's files, sorted.
pub fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// A pseudo-random sequence, so that tests are reproducible.
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % sides
    }
}
