//! The parameters of a game as a form: a field for each section that its name may have.

use axum::extract::Query;
use axum::response::{IntoResponse, Redirect, Response};
use grundy::session::{Parameter, Row, sections};
use maud::{Markup, html};

use crate::address::address;
use crate::app::State;
use crate::error::ApiError;
use crate::games::PositionRef;
use crate::texts::Texts;

/// The kind of a section's field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    /// A word that is present or absent: `misere`, `score=win`.
    Switch,
    /// A value behind a key: `max=K`.
    Keyed(&'static str),
    /// One of a few words: `3|6|9|lasker`; behind a key, if there is one: `transfers=none|half`.
    Choice(Option<&'static str>),
    /// A value by itself: `HEAP,HEAP,..`.
    Bare,
}

impl Field {
    fn of(section: &'static str) -> Field {
        let free = section.contains(|c: char| c.is_ascii_uppercase());
        match section.split_once('=') {
            key if !free && section.contains('|') => Field::Choice(key.map(|(key, _)| key)),
            _ if !free => Field::Switch,
            Some((key, _)) => Field::Keyed(key),
            None => Field::Bare,
        }
    }

    /// Reports whether a section of a name may be the field's value without a key.
    fn bare(self) -> bool {
        matches!(self, Field::Choice(None) | Field::Bare)
    }

    /// Returns the key before the value, if there is one.
    fn key(self) -> Option<&'static str> {
        match self {
            Field::Keyed(key) => Some(key),
            Field::Choice(key) => key,
            Field::Switch | Field::Bare => None,
        }
    }
}

/// Returns the fields of a game's name and their values in it; the value of a switch that is on is its word.
fn fields(row: &Row, name: &str) -> Vec<(&'static Parameter, Field, String)> {
    let rest = name.split_once(':').map_or("", |(_, rest)| rest);
    // A single bare value may contain colons: the games of a sum.
    let whole = matches!(row.details, [only] if Field::of(only.section).bare());
    let mut sections: Vec<&str> = if whole { vec![rest] } else { sections(name).split_off(1) };
    sections.retain(|section| !section.is_empty());
    let mut take = |wanted: &dyn Fn(&str) -> bool| {
        let at = sections.iter().position(|section| wanted(section))?;
        Some(sections.remove(at).to_owned())
    };
    let mut found: Vec<_> = row.details.iter().map(|p| (p, Field::of(p.section), String::new())).collect();
    for (parameter, field, value) in &mut found {
        *value = match *field {
            Field::Switch => take(&|section| section == parameter.section),
            Field::Keyed(key) | Field::Choice(Some(key)) => {
                take(&|section| section.split_once('=').is_some_and(|(had, _)| had == key))
                    .and_then(|section| Some(section.split_once('=')?.1.to_owned()))
            }
            Field::Choice(None) | Field::Bare => None,
        }
        .unwrap_or_default();
    }
    for (_, _, value) in found.iter_mut().filter(|(_, field, _)| field.bare()) {
        *value = take(&|section| whole || !section.contains('=')).unwrap_or_default();
    }
    found
}

/// Draws the form of a game, filled in from a name. Fields of files are shown if `files` are served.
pub fn form(row: &'static Row, name: &str, files: bool, texts: Texts) -> Markup {
    let shown = |section: &str| files || !section.starts_with("file=");
    if !row.details.iter().any(|parameter| shown(parameter.section)) {
        return html! {};
    }
    html! {
        form class="fields" method="get" action="/open" {
            input type="hidden" name="game" value=(row.name);
            @for (at, (parameter, field, value)) in fields(row, name).iter().enumerate() {
                @if shown(parameter.section) {
                    @let id = format!("parameter{at}");
                    div class="field" {
                        @match field {
                            Field::Switch => {
                                label for=(id) {
                                    input type="checkbox" id=(id) name=(at) value=(parameter.section) checked[!value.is_empty()];
                                    " " code { (parameter.section) } ": " span lang="en" { (parameter.about) }
                                }
                            }
                            Field::Choice(_) => {
                                label for=(id) { span lang="en" { (parameter.about) } }
                                select id=(id) name=(at) {
                                    @if value.is_empty() {
                                        option value="" {}
                                    }
                                    @for word in words(parameter.section) {
                                        option value=(word) selected[word == value] { (word) }
                                    }
                                }
                            }
                            Field::Keyed(_) | Field::Bare => {
                                label for=(id) { code { (parameter.section) } ": " span lang="en" { (parameter.about) } }
                                input id=(id) name=(at) value=(value) spellcheck="false" autocomplete="off" autocapitalize="off";
                            }
                        }
                        span class="faint" {
                            (texts.get("default")) ": "
                            @if parameter.default == "none" { (texts.get("none")) } @else { span lang="en" { (parameter.default) } }
                        }
                    }
                }
            }
            button type="submit" { (texts.get("open-game")) }
        }
    }
}

/// `GET /open?game=NAME&0=..&1=..`: redirects to the game that a form describes, by the numbers of its fields; with `name` to
/// the game of this full name.
pub async fn open(app: State, Query(given): Query<Vec<(String, String)>>) -> Response {
    let value = |key: &str| given.iter().find(|(name, _)| name == key).map_or("", |(_, value)| value.trim());
    let go = |name: &str| Redirect::to(&address(&PositionRef::new(name, None, None))).into_response();
    if !value("name").is_empty() {
        return go(value("name"));
    }
    let Some(row) = app.catalog.row(value("game")) else {
        return ApiError::NotFound(value("game").to_owned()).into_response();
    };
    go(&named(row, &|at| value(&at.to_string()).to_owned()))
}

/// Returns the words of a choice, without its key.
fn words(section: &'static str) -> impl Iterator<Item = &'static str> {
    section.split_once('=').map_or(section, |(_, words)| words).split('|')
}

/// Composes a name from the values of its fields.
fn named(row: &Row, value: &dyn Fn(usize) -> String) -> String {
    let mut name = row.name.to_owned();
    for (at, parameter) in row.details.iter().enumerate() {
        let value = value(at);
        if value.is_empty() {
            continue;
        }
        name.push(':');
        if let Some(key) = Field::of(parameter.section).key() {
            name += key;
            name.push('=');
        }
        name += &value;
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy::catalog::CATALOG;

    #[test]
    fn a_form_that_is_sent_back_names_the_same_game() {
        let games = CATALOG.families().flat_map(|family| family.rows).map(|row| row.default);
        let more = [
            "mnk:3,3,3:misere",
            "nim:1,2:max=2:misere",
            "chess:KQvKR",
            "othello:4x4:score=win",
            "dots:2x2:penalty=3",
            "chopsticks:transfers=half",
        ];
        for name in games.chain(more) {
            let row = CATALOG.row(name).expect("a game of the catalog");
            let values: Vec<String> = fields(row, name).into_iter().map(|(_, _, value)| value).collect();
            assert_eq!(named(row, &|at| values[at].clone()), name);
        }
        let row = CATALOG.row("chopsticks").expect("a game of the catalog");
        let choices = fields(row, "chopsticks")
            .into_iter()
            .filter(|(_, field, _)| *field == Field::Choice(Some("transfers")));
        let choices: Vec<&str> = choices.flat_map(|(parameter, ..)| words(parameter.section)).collect();
        assert!(choices.contains(&"none") && choices.contains(&"half"), "{choices:?}");
    }
}
