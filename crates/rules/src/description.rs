//! The words of a rules file for people: title, rules and players.

use grundy_session::Description;

use crate::directives::plain;
use crate::program::Program;

/// Longest rules taken from the comment at the head of a file, in characters.
const COMMENT: usize = 400;

/// Describes a game by the directives of its file; without `//@ rules` by the comment at its head, or by `//@ about`.
pub fn described(program: &Program, text: &str, usual: Description) -> Description {
    let directives = &program.directives;
    let first = |texts: [&str; 3]| texts.into_iter().find(|text| !text.is_empty()).unwrap_or("").to_owned();
    let player = |at: usize| match program.players.get(at).map(|player| player.name.as_str()) {
        None | Some("first" | "second" | "one" | "two") => usual.players[at].clone(),
        Some(name) => capital(name),
    };
    let about = first([&directives.about, &usual.about, ""]);
    Description {
        title: first([&directives.title, &capital(&directives.about), &usual.title]),
        rules: first([&directives.rules, &head(text), &sentence(&directives.about)]),
        players: [player(0), player(1)],
        shape: directives.picture.unwrap_or(usual.shape),
        about,
    }
}

/// Returns the comment at the head of a file, on one line.
fn head(text: &str) -> String {
    let text = grundy_core::files::without_mark(text);
    let comment =
        text.lines().map_while(|line| line.trim().strip_prefix("//")).filter(|line| !line.starts_with('@'));
    plain(comment.map(str::trim).collect::<Vec<_>>().join(" ").trim(), COMMENT)
}

/// Returns a text as a sentence; nothing if there is no text.
fn sentence(text: &str) -> String {
    if text.is_empty() { String::new() } else { capital(text) + "." }
}

/// Returns a text with a capital at its beginning.
fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
