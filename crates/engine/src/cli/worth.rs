//! The value of a position in sums, in words: its Grundy number, or its outcome class and canonical form with what the
//! thermograph tells.

use std::time::Duration;

use grundy_core::game::Player;
use grundy_core::text::grouped;
use grundy_session::{Canonical, Catalog, Grundy, Mast, OutcomeClass, Session, quiet_work};

use super::verdict;

/// Maximum number of characters of a form that is written.
const LONGEST: usize = 60;

/// Returns the lines about the value of the position in sums, each with its label, where one is found in `time`.
pub fn lines(catalog: &Catalog, session: &mut Session, time: Duration) -> Vec<(&'static str, String)> {
    // The form of a Grundy number says the same.
    if let Grundy::Number(number) = session.grundy_within(&quiet_work().within(time)) {
        return vec![("Grundy number", grouped(number))];
    }
    let form = session.canonical_form_within(&quiet_work().within(time));
    let Canonical::Form { word, class, mast } = form else { return Vec::new() };
    let word = match word.chars().count() {
        ..=LONGEST => word,
        length => format!("of {length} characters: query cgt writes it"),
    };
    let mast =
        mast.map_or_else(String::new, |Mast { mean, temperature }| format!("{temperature}, mean {mean}"));
    vec![
        ("outcome class", class_in_words(catalog, session, class)),
        ("canonical form", word),
        ("temperature", mast),
    ]
}

/// Returns the letter of an outcome class and who wins.
fn class_in_words(catalog: &Catalog, session: &Session, class: OutcomeClass) -> String {
    let wins = |player| verdict::wins(&verdict::player_name(catalog, session, player));
    let who = match class {
        OutcomeClass::Next => "whoever begins wins".to_owned(),
        OutcomeClass::Previous => "whoever begins loses".to_owned(),
        OutcomeClass::Left => format!("{}, whoever begins", wins(Player::One)),
        OutcomeClass::Right => format!("{}, whoever begins", wins(Player::Two)),
    };
    format!("{class}: {who}")
}
