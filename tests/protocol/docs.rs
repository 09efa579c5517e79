//! The conversations in README.md, protocol.md and the pages of the book are true, and the list of games is complete.
//! `dev/check_docs` runs the shell commands of these pages.

use std::fs;

use crate::wire::{Wire, output};
use grundy::catalog::CATALOG;
use grundy::engine::{Config, Protocol};

/// Runs every block of a document that begins with `$ grundy`: `> ` lines are sent, `< ` lines must come, in
/// order; ` ..` at the end of a line stands for anything, a line `< ..` for any number of lines.
fn conversations_of(document: &str) -> usize {
    let mut count = 0;
    for block in document.split("```").skip(1).step_by(2) {
        let mut lines = block.lines().skip(1);
        let Some(command) = lines.next().and_then(|l| l.strip_prefix("$ grundy")) else { continue };
        let lines: Vec<&str> = lines.collect();
        if !lines.iter().any(|l| l.starts_with("> ")) {
            continue;
        }
        count += 1;
        let (protocol, command) = [
            (" gomocup", Protocol::Gomocup),
            (" hub", Protocol::Hub),
            (" nboard", Protocol::NBoard),
            (" xboard", Protocol::XBoard),
        ]
        .into_iter()
        .find_map(|(word, protocol)| Some((Some(protocol), command.strip_suffix(word)?)))
        .unwrap_or((None, command));
        let game = command.trim().strip_prefix("--game ").map(str::to_owned);
        let wire = Wire::with(Config { protocol, game, ..Config::new(&CATALOG) });
        let mut any = false;
        for line in lines {
            if let Some(sent) = line.strip_prefix("> ") {
                wire.send(sent);
            } else if line == "< .." {
                any = true;
            } else if let Some(expected) = line.strip_prefix("< ") {
                let matches = |got: &str| match expected.strip_suffix(" ..") {
                    Some(start) => got.starts_with(start),
                    None => got == expected,
                };
                let mut got = wire.line();
                while any && !matches(&got) {
                    assert!(!got.starts_with("bestmove"), "in {command:?}: no {expected:?} before {got:?}");
                    got = wire.line();
                }
                any = false;
                assert!(matches(&got), "in {command:?}: expected {expected:?}, got {got:?}");
            }
        }
        wire.end();
    }
    count
}

#[test]
fn the_examples_of_protocol_md_are_what_the_engine_says() {
    assert!(conversations_of(include_str!("../../protocol.md")) >= 5);
}

#[test]
fn the_examples_of_the_readme_are_what_the_engine_says() {
    assert!(conversations_of(include_str!("../../README.md")) >= 1);
}

#[test]
fn the_examples_of_the_book_are_what_the_engine_says() {
    let pages = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/docs")).expect("there is a book");
    for page in pages.map(|entry| entry.expect("an entry").path()) {
        if page.extension().is_some_and(|ending| ending == "md") {
            conversations_of(&fs::read_to_string(&page).expect("a page is UTF-8"));
        }
    }
}

#[test]
fn the_book_lists_the_games_of_the_catalog() {
    let out = output(&["games", "--markdown"], "");
    let table = String::from_utf8(out.stdout).expect("UTF-8");
    let page = include_str!("../../docs/games.md");
    for row in table.lines() {
        assert!(
            page.contains(row),
            "docs/games.md lacks the row (renew with `grundy games --markdown`):\n{row}"
        );
    }
}

#[test]
fn every_game_says_its_rules_in_two_sentences() {
    let rules_files = || CATALOG.row("rules").expect("the row of rules files").other_names;
    let files = rules_files().iter().map(|&(_, full)| full);
    let parameters = [
        "tictactoe:misere",
        "mnk:15,15,5:misere",
        "teeko:5x5:advanced",
        "euler:4x4:maxlen=1",
        "euler:5x5:maxlen=4:normal:span=short",
        "othello:6x6:score=win",
        "morris:3:nodiagonals",
        "morris:6",
        "morris:lasker:nofly",
        "dots:3x3:start=swedish:penalty=1",
        "chess:KQvKR",
        "nim:3,5:max=3:misere",
        "count:100:max=10",
        "subtract:20:set=2,5:misere",
        "matches:21:misere",
        "heaps:0.77:3,5",
        "heaps:dawsons-chess:7:misere",
        "moore-nim:3,5,7:k=3:misere",
        "staircase-nim:7,1:nofloor",
        "silver-dollar:..o..o.o.o:plain",
        "sum:nim:3,5+graph+misere",
    ];
    for name in CATALOG.rows().map(|row| row.default).chain(files).chain(parameters) {
        let described = CATALOG.row(name).expect("a row").describe(name);
        let sentences = described.rules.matches(". ").count() + 1;
        assert!((2..=4).contains(&sentences) && described.rules.ends_with('.'), "{name}: {described:?}");
        assert!(described.rules.len() <= 560 && !described.rules.contains('K'), "{name}: {described:?}");
        assert!(described.title.starts_with(char::is_uppercase), "{name}: {described:?}");
        assert!(described.players.iter().all(|player| player.starts_with(char::is_uppercase)), "{name}");
    }
    for name in parameters {
        let row = CATALOG.row(name).expect("a row");
        assert_ne!(
            row.describe(name).rules,
            row.describe(row.name).rules,
            "{name} has the rules of its usual game"
        );
    }
    let title = |name: &str| CATALOG.row(name).expect("a row").describe(name).title;
    assert_eq!(title("connect4"), "Connect Four 7x6");
    assert_eq!(title("morris:9"), "Nine Men's Morris");
    assert_eq!(title("rules:konane-5x5"), "Konane 5x5");
    assert_eq!(title("heaps:kayles:7,5"), "Kayles 7,5");
    let folder = tempfile::tempdir().unwrap();
    for (file, expected) in
        [("two-heaps.rbg", "Two heaps"), ("rules-22e191dff7016ac822e191dff7016ac8.rbg", "Rules")]
    {
        let path = folder.path().join(file);
        let text = include_str!("../../rules/nim.rbg");
        let text =
            text.lines().filter(|line| !line.starts_with("//@ about") && !line.starts_with("//@ title"));
        std::fs::write(&path, text.collect::<Vec<_>>().join("\n")).unwrap();
        assert_eq!(title(&format!("rules:file={}", path.display())), expected);
    }
    let players = |name: &str| CATALOG.row(name).expect("a row").describe(name).players;
    assert_eq!(players("hackenbush:RBBG,B"), ["Blue", "Red"]);
    assert_eq!(players("rules:fox-and-hounds"), ["Fox", "Hounds"]);
    let rules = |name: &str| CATALOG.row(name).expect("a row").describe(name).rules;
    assert!(rules("nim:3,5:max=3:misere").ends_with("Whoever takes the last counter loses."));
    assert!(rules("rules:file=/no/such.rbg").is_empty(), "a file that cannot be read says nothing");
}
