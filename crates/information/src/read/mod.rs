//! Games from text: tables of payoffs, and Gambit's `.nfg` and `.efg` files.

mod contents;
mod efg;
mod nfg;
pub mod table;
mod words;

use grundy_core::files;

pub use contents::{Contents, Names, Refusal};
pub use efg::write as write_efg;

/// Maximum number of bytes of a file.
pub const MOST_BYTES: u64 = 64 << 20;

/// Reads a game of any kind; the first word tells `.nfg` and `.efg` from tables.
///
/// # Errors
/// The first error, with its line.
///
/// ```
/// use grundy_information::read::{Contents, read, table::Lines};
/// let Ok(Contents::Matrix(game)) = read("1,-2/2,3", Lines::Guess) else { unreachable!() };
/// assert_eq!(game.solve().value.to_string(), "2");
/// assert_eq!(read("1 2\n3", Lines::Guess).unwrap_err().to_string(), "line 2: 1 payoff: expected 2 as in line 1");
/// ```
pub fn read(text: &str, lines: table::Lines) -> Result<Contents, Refusal> {
    read_named(text, lines).map(|(contents, _)| contents)
}

/// Reads a game like [`read`], and the names that an `.nfg` file gives to players and strategies.
///
/// # Errors
/// The first error, with its line.
pub fn read_named(text: &str, lines: table::Lines) -> Result<(Contents, Option<Names>), Refusal> {
    let text = files::without_mark(text);
    match text.split_whitespace().next() {
        None => Err(Refusal::new(0, "the text is empty: expected payoffs, or a .nfg or .efg file")),
        Some("NFG") => nfg::read(text).map(|(contents, names)| (contents, Some(names))),
        Some("EFG") => efg::read(text).map(|tree| (Contents::Tree(tree), None)),
        Some(_) => table::read(text, lines).map(|contents| (contents, None)),
    }
}
