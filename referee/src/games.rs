//! Games of the catalog, opened for their rules.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use grundy_session::{Catalog, Session, Settings};

/// Opens a game for its rules, without tables; exact values come from [`ExactValues`](crate::exact::ExactValues).
///
/// # Errors
/// The name is not one of the catalog's; one line.
pub fn rules(catalog: &Catalog, game: &str) -> Result<Session, String> {
    catalog.open(game, &Settings::default())
}

/// Returns the entry of a game, which `open` makes at its first use.
///
/// # Errors
/// As opening it.
pub fn cached<'a, T>(
    kept: &'a mut HashMap<String, T>,
    game: &str,
    open: impl FnOnce() -> Result<T, String>,
) -> Result<&'a mut T, String> {
    match kept.entry(game.to_owned()) {
        Entry::Occupied(entry) => Ok(entry.into_mut()),
        Entry::Vacant(entry) => Ok(entry.insert(open()?)),
    }
}
