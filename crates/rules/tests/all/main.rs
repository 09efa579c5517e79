//! Games from rules files: the language, both interpreters, and the games of the folder `rules/`.
#![allow(clippy::unwrap_used)] // a test that cannot go on should fail

mod fuzz;
mod games;
mod impartial;
mod language;
mod numbers;
mod page;
mod rounds;
mod truth;
mod twins;
mod witness;

use grundy_rules::game::Rules;

/// Returns a game of the folder `rules/`.
pub fn game(name: &str) -> Rules {
    let text = grundy_rules::library::game(name).unwrap();
    Rules::new(text).unwrap_or_else(|fault| panic!("{name}:{}", fault.show(text)))
}
