//! Chess and its endings: names, and the tables that all sessions share.

use std::sync::LazyLock;

use super::{Spec, play};
use crate::game::Indexed;
use crate::games::chess::{Chess, Material};
use crate::session::Session;
use crate::solve::bitparallel::{Library, Shelf};
use crate::solve::search::Searcher;

/// Opens `chess`, `chess:KQvKR`, `chess:4men`, each with `rule50` if wanted.
pub(super) fn open(spec: &mut Spec<'_>) -> Result<Box<dyn Session>, String> {
    let rule50 = spec.flag("rule50");
    let game = match spec.word() {
        None => Chess::new(),
        Some(word) => match word.strip_suffix("men") {
            Some(men) => Chess::men(men.parse().map_err(|_| bad_ending(word))?)?,
            None => Chess::ending(Material::read(word).map_err(|_| bad_ending(word))?)?,
        },
    };
    // Tables know no fifty-move rule, so that files are for games without it.
    let on_disk = game.size() > 0 && !rule50;
    let session = play(spec, game.with_rule50(rule50)).search(Searcher::new(64, 1));
    Ok(if on_disk { session.oracle(Shelf::new(tables())).boxed() } else { session.oracle(tables()).boxed() })
}

/// The endings solved so far.
fn tables() -> &'static Library<Chess> {
    static TABLES: LazyLock<Library<Chess>> = LazyLock::new(|| Library::new(64 << 20).prompt());
    &TABLES
}

/// The refusal of what is no ending's name.
fn bad_ending(word: &str) -> String {
    let shown: String = word.chars().take(60).collect();
    format!("bad ending {shown:?}: expected one like KQvKR, or 4men")
}
