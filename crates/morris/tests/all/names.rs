//! Names of games, positions and moves.

use grundy_contract::{open, try_open};
use grundy_morris::ROWS;

#[test]
fn wrong_names_are_refused_with_what_was_expected() {
    for (name, expected) in [
        ("morris:", "expected 3, 6, 9 or lasker"),
        ("morris:12", "expected 3, 6, 9 or lasker"),
        ("morris:fly", "expected 3, 6, 9 or lasker"),
        ("morris:9:fly:nofly", "expected one of them"),
        ("morris:9:nodiagonals", "expected morris:3"),
        ("morris:9:tier=9-10", "expected one such as"),
        ("morris:9:9", "3|6|9|lasker"),
    ] {
        let refusal = try_open(&ROWS, name).err().unwrap_or_else(|| panic!("{name} was opened"));
        assert!(refusal.contains(expected) && !refusal.contains('\n'), "{name}: {refusal}");
    }
    assert_eq!(open(&ROWS, "morris").name(), "morris:9");
    assert_eq!(open(&ROWS, "morris:9:tier=4-3").position(), open(&ROWS, "morris:9").position());
}

#[test]
fn positions_that_cannot_be_are_refused() {
    let mut session = open(&ROWS, "morris:6");
    for (text, expected) in [
        ("", "expected the points"),
        ("XX./.../..../.../... 0-0 1 1", "expected the points"),
        ("XX./.../.../.../... 0-0 1", "rows of 3/3/4/3/3"),
        ("XX./.../....x/.../... 0-0 1", "rows of 3/3/4/3/3"),
        ("XXx/.../..../.../... 0-0 1", "bad mark 'x'"),
        ("XXX/.../..../.../... 4-0 1", "expected at most 6"),
        ("XXX/.../..../.../... 3-7 1", "two numbers to 6"),
        ("XXX/.../..../.../... 3 1", "two numbers to 6"),
        ("XXX/.../..../.../... 3-3 3", "the turn is 1 or 2"),
        ("XXX/.../..../.../... 3", "the turn is 1 or 2"),
    ] {
        let refusal =
            session.setup(Some(text)).err().unwrap_or_else(|| panic!("{text} was taken")).to_string();
        assert!(refusal.contains(expected) && !refusal.contains('\n'), "{text}: {refusal}");
    }
    session.setup(Some("XXX/OOO/X.../.../... 2")).unwrap();
    assert_eq!(session.position(), "XXX/OOO/X.../.../... 0-0 2");
}

#[test]
fn moves_take_men_in_no_mill_unless_all_are() {
    let moves = |game: &str, position: &str| {
        let mut session = open(&ROWS, game);
        session.setup(Some(position)).unwrap();
        session.legal_moves(usize::MAX).join(" ")
    };
    // The man at a1 stands alone, those in the mill b4 b3 b2 are safe.
    assert_eq!(moves("morris:6", "XX./O../.O../O../O.. 1-0 1"), "e5xa1 c4 d4 a3 d3 e3 c2 d2 c1 e1");
    // All are in a mill.
    assert_eq!(
        moves("morris:6", "XX./OOO/X.../..X/... 1-0 1").split(' ').take(3).collect::<Vec<_>>(),
        ["e5xb4", "e5xc4", "e5xd4"]
    );
    // Who closes a mill must take a man.
    let mut session = open(&ROWS, "morris:6");
    session.setup(Some("XX./.../...X/..O/OOO 1")).unwrap();
    assert!(session.is_legal("e3-e5xd2") && !session.is_legal("e3-e5xa1") && !session.is_legal("e3-e5"));
    // Three men fly where that is the rule.
    let text = "X.X/.../.../....../O../.O./O.X";
    assert!(moves("morris:9", &format!("{text} 1")).split(' ').any(|word| word == "a7-b6"));
    assert!(!moves("morris:9:nofly", &format!("{text} 1")).split(' ').any(|word| word == "a7-b6"));
    // In Lasker's game who has men in hand may move one instead, but does not fly.
    let lasker = moves("morris:lasker", &format!("{text} 2-0 1"));
    assert!(lasker.split(' ').any(|word| word == "b6") && lasker.split(' ').any(|word| word == "a7-a4"));
    assert!(!lasker.split(' ').any(|word| word == "a7-b6"));
}
