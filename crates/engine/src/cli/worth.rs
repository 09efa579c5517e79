//! The value of a position in sums, in words: its Grundy number, or its outcome class and canonical form with what the
//! thermograph tells.

use std::time::Duration;

use grundy_core::game::Player;
use grundy_core::text::grouped;
use grundy_session::{Canonical, Catalog, Grundy, OutcomeClass, Session, Thermograph, quiet_work};

use super::verdict;

/// Maximum number of characters of a form that is written.
const LONGEST: usize = 60;
/// Maximum number of corners of walls that are written.
const CORNERS: usize = 20;

/// Returns the lines about the value of the position in sums, each with its label, where one is found in `time`.
pub fn lines(catalog: &Catalog, session: &mut Session, time: Duration) -> Vec<(&'static str, String)> {
    // The form of a Grundy number says the same.
    if let Grundy::Number(number) = session.grundy_within(&quiet_work().within(time)) {
        return vec![("Grundy number", grouped(number))];
    }
    let form = session.canonical_form_within(&quiet_work().within(time));
    let Canonical::Form { word, class, thermograph } = form else { return Vec::new() };
    let word = match word.chars().count() {
        ..=LONGEST => word,
        length => format!("of {length} characters: query cgt writes it"),
    };
    let mut lines =
        vec![("outcome class", class_in_words(catalog, session, class)), ("canonical form", word)];
    if let Some(thermograph) = thermograph {
        let Thermograph { mast, left, right } = &thermograph;
        lines.push(("temperature", format!("{}, mean {}", mast.temperature, mast.mean)));
        // Without heat the walls are one point.
        match left.len() + right.len() {
            ..=2 => {}
            3..=CORNERS => lines.push(("walls", thermograph.to_string())),
            corners => lines.push(("walls", format!("of {corners} corners: --json lists them"))),
        }
    }
    lines
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
