//! The words of a rules file for people: title, rules and players.

use std::ffi::OsStr;
use std::path::Path;

use grundy_session::Description;

use crate::directives::plain;
use crate::program::Program;

/// Longest rules taken from the comment at the head of a file, in characters.
const COMMENT: usize = 400;
/// Longest title by the name of a file, in characters.
const NAME: usize = 60;

/// Describes a game by the directives of its file; without `//@ rules` by the comment at its head, or by `//@ about`, and
/// without a title by the `name` of the file.
pub fn described(program: &Program, name: &str, text: &str, usual: Description) -> Description {
    let directives = &program.directives;
    let first = |texts: &[&str]| texts.iter().copied().find(|text| !text.is_empty()).unwrap_or("").to_owned();
    let player = |at: usize| match program.players.get(at).map(|player| player.name.as_str()) {
        None | Some("first" | "second" | "one" | "two") => usual.players[at].clone(),
        Some(name) => capital(name),
    };
    let about = first(&[&directives.about, &usual.about]);
    Description {
        title: first(&[&directives.title, &capital(&directives.about), &capital(&stem(name)), &usual.title]),
        rules: first(&[&directives.rules, &head(text), &sentence(&directives.about)]),
        players: [player(0), player(1)],
        shape: directives.picture.unwrap_or(usual.shape),
        about,
    }
}

/// Returns the name of a file without its folder and its ending, of an upload also without its digest, as words.
fn stem(path: &str) -> String {
    const DIGEST: usize = 32;
    let stem = Path::new(path).file_stem().and_then(OsStr::to_str).unwrap_or_default();
    let is_digest = |end: &str| end.len() == DIGEST && end.bytes().all(|byte| byte.is_ascii_hexdigit());
    let named = stem.rsplit_once('-').filter(|(_, end)| is_digest(end)).map_or(stem, |(named, _)| named);
    plain(&named.replace(['-', '_'], " "), NAME)
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
