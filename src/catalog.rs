//! All games of grundy: the rows of every family, in the order in which they are shown.

#[cfg(all(feature = "games", not(target_family = "wasm")))]
use grundy_heaps::heaps::Rule;
use grundy_session::{Catalog, Session, Settings};

#[cfg(feature = "games")]
mod games;
#[cfg(not(feature = "games"))]
mod games {
    use grundy_session::{Family, Trial};

    pub(super) static FAMILIES: &[Family] = &[];
    pub(super) const TRIALS: &[Trial] = &[];
    pub(super) const KNOWN: &str = "";
}
use games::{FAMILIES, KNOWN, TRIALS};

/// Every game of grundy; none without the feature `games`.
pub static CATALOG: Catalog =
    Catalog::new(FAMILIES).with_trials(TRIALS).with_known(KNOWN).with_elsewhere(elsewhere);

/// Returns one line about a game that has commands of its own, or about an ending of chess or an octal code without its first
/// word.
#[cfg(all(feature = "games", not(target_family = "wasm")))]
fn elsewhere(name: &str) -> Option<String> {
    let octal = || Rule::read(name).is_ok().then(|| format!("heaps:{name}"));
    grundy_information::command::elsewhere(name).or_else(|| {
        let meant = grundy_chess::ending_of(name).or_else(octal)?;
        Some(format!("unknown game: did you mean {meant}? grundy games lists all"))
    })
}

#[cfg(not(all(feature = "games", not(target_family = "wasm"))))]
fn elsewhere(_: &str) -> Option<String> {
    None
}

/// Opens a game by its full name (`nim:3,5,7:misere`), or by its bare name with its default parameters.
///
/// # Errors
/// One line that says what is wrong with the name and what was expected.
pub fn open(name: &str, settings: &Settings) -> Result<Session, String> {
    CATALOG.open(name, settings)
}
