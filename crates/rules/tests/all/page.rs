//! The page `docs/rules.md`: every game that it shows is read, and has the value that it tells.

use grundy_rules::game::Rules;
use grundy_session::{NEVER, Work};
use grundy_tables::discovered::{Horizon, Packed, find, solve};

/// Returns the games of the page, each with the line behind it.
fn snippets() -> Vec<(String, String)> {
    let page = include_str!("../../../../docs/rules.md");
    let mut found = Vec::new();
    for part in page.split("```rbg\n").skip(1) {
        let (text, rest) = part.split_once("```").unwrap();
        let told = rest.trim_start().lines().next().unwrap_or("").to_owned();
        found.push((text.to_owned(), told));
    }
    found
}

#[test]
fn every_game_of_the_page_is_read_and_has_the_value_it_tells() {
    let snippets = snippets();
    assert!(snippets.len() >= 6, "{}", snippets.len());
    let mut wrong = Vec::new();
    for (text, told) in snippets {
        let rules = Rules::new(&text).unwrap_or_else(|fault| panic!("{}", fault.show(&text)));
        let work = Work { stop: &NEVER, until: None, threads: 1, memory_limit: None, report: &|_| {} };
        let found = find(&rules, &Horizon::default(), &work).unwrap().unwrap();
        let table = solve(&rules, &found, &work, &mut grundy_core::table::NoCheckpoints).unwrap();
        let start = rules.pack(&grundy_core::game::Game::start(&rules)).unwrap();
        let value = table.get(found.keys.find(start).unwrap() as u64).unwrap();
        let value = value.show(grundy_core::game::Scored::unit(&rules));
        let positions = found.positions(&rules).unwrap();
        let expected = format!("`{positions} positions, {value}`");
        if told != expected {
            wrong.push(format!("{told}, expected {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
