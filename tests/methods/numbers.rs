//! Positions and their indices, for every game of the catalog that has a table.

use grundy::catalog::{self, CATALOG};
use grundy::session::Settings;
use grundy_contract::indices_round_trip;

/// Games beyond the defaults of the catalog: tables of every kind.
const KINDS: [&str; 22] = [
    "mnk:3,3,3:misere",
    "stones:..X.X..X:table",
    "chomp:4x4",
    "euler:3x4",
    // Retrograde analysis, with cells of a map.
    "police:C../..T",
    // Tiers, all together and one alone.
    "morris:3",
    "morris:6",
    "morris:9:nofly",
    "morris:lasker",
    // Thresholds.
    "awari:6",
    "kalah:3,2",
    // In one piece, by groups of lines, and loony states.
    "dots:2x2",
    "dots:2x3:start=icelandic:penalty=3",
    "dots:3x4",
    "dots:2x3:loony",
    // Bit-parallel.
    "chess:KQvKR",
    "chess:KPvK",
    "chess:3men",
    // An opening book.
    "connect4:4x4:book=3",
    // Positions that have to be found, with indices by a formula or by their rank.
    "rules:nine-holes",
    "rules:pong-hau-ki",
    "rules:konane",
];

#[test]
fn numbers_come_back_in_every_game_with_a_table() {
    let names = CATALOG.rows().map(|row| row.default).chain(KINDS);
    let mut without = Vec::new();
    for name in names {
        let mut session = catalog::open(name, &Settings::default()).unwrap();
        if session.tabled(None).is_some() {
            // A book has no later positions.
            let plies = if name.contains(":book=3") { 3 } else { 30 };
            indices_round_trip(&mut session, None, plies);
        } else {
            let why = session.number(None).unwrap_err();
            assert_eq!(why, format!("{name} has no table with indices of positions"));
            without.push(session.name().to_owned());
        }
    }
    assert!(!without.iter().any(|name| KINDS.contains(&name.as_str())), "{without:?}");
}

#[test]
fn a_number_that_is_too_large_or_nobodys_is_refused_and_says_why() {
    let mut session = catalog::open("lgame", &Settings::default()).unwrap();
    let refused = |session: &mut grundy::session::Session, numbering, number| {
        session.setup_number(numbering, number).unwrap_err().to_string()
    };
    assert_eq!(
        refused(&mut session, None, 2_296),
        "bad position \"index 2296\": expected an index below 2296"
    );
    assert_eq!(
        refused(&mut session, Some("relative"), 0),
        "bad position \"index relative 0\": no position has this index"
    );
    let whole = catalog::open("morris:6", &Settings::default()).unwrap();
    let first = whole.tabled(None).unwrap().parts()[0].name().to_owned();
    let mut tier = catalog::open(&first, &Settings::default()).unwrap();
    tier.setup_number(None, 0).unwrap();
    assert_eq!(tier.number(None), Ok(0));
    tier.setup(None).unwrap();
    let why = tier.number(None).unwrap_err();
    assert_eq!(why, format!("the table of {first} does not hold the position"));
}
