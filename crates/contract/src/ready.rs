//! Prepares a method to answer, however long that takes.

use std::path::Path;
use std::time::Duration;

use grundy_core::game::Game;
use grundy_core::table::Folder;
use grundy_session::{Home, Need, quiet_work};
use grundy_tables::Oracle;

/// Does the work that a position needs, however long a table takes.
pub fn ready<G: Game>(oracle: &dyn Oracle<G>, game: &G, position: &G::Position) {
    let home = Home { folder: Folder::find(Some(Path::new("/nonexistent"))), name: "contract".to_owned() };
    let (automatic, hurried, work) = (Duration::MAX, false, &quiet_work());
    oracle
        .ready(
            game,
            position,
            &Need { home: &home, automatic, quiet: automatic, patience: automatic, hurried, work },
        )
        .unwrap();
}
