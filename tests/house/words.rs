//! Phrases of an earlier private language that may not come back, each with the words to write instead.

use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;

use crate::{root, shown};

/// Phrases, in lower case and with blanks for underscores, and their replacements. Names of the code count as well.
const PHRASES: [(&str, &str); 9] = [
    ("so many", "a named quantity: `count` positions, at most `limit` bytes"),
    ("go round", CYCLES),
    ("goes round", CYCLES),
    ("going round", CYCLES),
    ("went round", CYCLES),
    ("circle", CYCLES),
    ("circles", CYCLES),
    ("circular", CYCLES),
    ("that stands", "the current one, the existing one, or nothing"),
];
const CYCLES: &str = "cycle, cyclic";

/// Words that may not begin a doc comment.
const BEGINNINGS: [&str; 6] = ["What", "Whether", "Those", "Who", "Whoever", "How often"];
const BEGIN_INSTEAD: &str =
    "for a function a verb in the third person (Returns, Reports whether), else a noun";

/// The files that are checked.
const ENDINGS: [&str; 5] = ["rs", "md", "rbg", "js", "py"];

/// Returns every file of the project that people read, except this one.
fn files() -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![root().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of the project").flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                // Cargo, fuzzing and npm leave files that are not sources.
                let built = name.to_string_lossy().starts_with('.')
                    || ["target", "corpus", "node_modules"].iter().any(|folder| name == *folder);
                folders.extend((!built).then_some(path));
            } else if ENDINGS.contains(&path.extension().and_then(OsStr::to_str).unwrap_or("")) {
                files.push(path);
            }
        }
    }
    files.retain(|file| !file.ends_with(file!()));
    files
}

/// Reports whether a phrase between these texts is part of a longer word.
fn within_a_word(before: &str, after: &str) -> bool {
    before.ends_with(char::is_alphanumeric) || after.starts_with(char::is_alphanumeric)
}

/// Reports whether `circle` between these texts is the shape of SVG, which has no other name.
fn is_shape(before: &str, after: &str) -> bool {
    before.ends_with(['<', '"']) || after.starts_with(" cx")
}

/// Returns the text of a file on one line, without markers of comments, so that a phrase is found across a line break;
/// and the line number of each byte.
fn on_one_line(text: &str) -> (String, Vec<usize>) {
    let (mut words, mut lines) = (String::with_capacity(text.len()), Vec::with_capacity(text.len()));
    for (at, line) in text.lines().enumerate() {
        let line = line.trim();
        let comment = ["///", "//!", "//", "#", "*"].iter().find_map(|marker| line.strip_prefix(marker));
        words.push_str(&comment.unwrap_or(line).trim().replace('_', " "));
        words.push(' ');
        lines.resize(words.len(), at + 1);
    }
    words.make_ascii_lowercase();
    (words, lines)
}

/// Returns the line, the phrase and the replacement of each of [`PHRASES`] in a text.
fn phrases(text: &str) -> Vec<(usize, &'static str, &'static str)> {
    let (words, lines) = on_one_line(text);
    let mut found = Vec::new();
    for (phrase, instead) in PHRASES {
        for (at, _) in words.match_indices(phrase) {
            let (before, after) = (&words[..at], &words[at + phrase.len()..]);
            let part = within_a_word(before, after);
            if !part && (phrase != "circle" || !is_shape(before, after)) {
                found.push((lines[at], phrase, instead));
            }
        }
    }
    found
}

/// Returns the same for each doc comment that begins with one of [`BEGINNINGS`].
fn beginnings(text: &str) -> Vec<(usize, &'static str, &'static str)> {
    let docs = text.lines().map(|line| {
        let line = line.trim_start();
        line.strip_prefix("///").or_else(|| line.strip_prefix("//!")).map(str::trim_start)
    });
    let mut found = Vec::new();
    let mut inside = false;
    for (at, doc) in docs.enumerate() {
        let first = doc.filter(|_| !inside).unwrap_or("");
        let begins = |word: &&str| first.strip_prefix(word).is_some_and(|rest| !within_a_word("", rest));
        found.extend(BEGINNINGS.into_iter().find(begins).map(|word| (at + 1, word, BEGIN_INSTEAD)));
        inside = doc.is_some();
    }
    found
}

#[test]
fn mended_phrases_do_not_come_back() {
    let mut found = Vec::new();
    for file in files() {
        let text = fs::read_to_string(&file).expect("a source is UTF-8");
        let rust = file.extension().is_some_and(|ending| ending == "rs");
        let docs = if rust { beginnings(&text) } else { Vec::new() };
        for (line, phrase, instead) in phrases(&text).into_iter().chain(docs) {
            found.push(format!("{}:{line}: \"{phrase}\": write {instead}", shown(&file)));
        }
    }
    found.sort();
    assert!(found.is_empty(), "{} phrases that may not come back:\n{}", found.len(), found.join("\n"));
}

#[test]
fn phrases_are_found_across_lines_and_in_names() {
    let found = phrases("/// Takes so\n/// many bytes.\nfn goes_round() {}\nlet encircle = \"<circle cx\";");
    assert_eq!(
        found.iter().map(|(line, phrase, _)| (*line, *phrase)).collect::<Vec<_>>(),
        [(1, "so many"), (3, "goes round")]
    );
    let found =
        beginnings("/// Whether it is.\n/// What else.\nfn a() {}\n//! Whatever. Those.\n\n  /// Who");
    assert_eq!(
        found.iter().map(|(line, word, _)| (*line, *word)).collect::<Vec<_>>(),
        [(1, "Whether"), (6, "Who")]
    );
}
