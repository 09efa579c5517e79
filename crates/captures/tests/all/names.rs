//! Names of games, and positions that cannot be.

use grundy_captures::ROWS;
use grundy_contract::{open, try_open};

#[test]
fn wrong_names_are_refused_with_what_was_expected() {
    for (name, expected) in [
        ("nogo:7x7", "1 to 36 cells"),
        ("nogo:3", "expected RxC"),
        ("konane:1x5", "at least 2 rows"),
        ("konane:5x7", "the only one is player two's"),
        ("amazons:4x6", "4 or 5 columns"),
        ("fanorona:4x4", "odd numbers"),
        ("fanorona:7x7", "at most 45 points"),
        ("dodgem:8", "expected 2 to 7"),
        ("infinite-tictactoe:misery", "did you mean misere"),
        ("hare-and-hounds:length=4", "expected 3, 5 or 7"),
        ("hare-and-hounds:first=fox", "expected first=hare"),
        ("kaooa:crows=4:captures=5", "at most as many captures"),
        ("tsoro-yematatu:jump=never", "expected jump=stuck"),
        ("three-musketeers:4", "expected 3 or 5"),
        ("draughts:9men", "expected 2men to 6men"),
        ("draughts:4men:tier=9m0k-1m0k", "expected one such as"),
    ] {
        let refusal = try_open(&ROWS, name).err().unwrap_or_else(|| panic!("{name} was opened"));
        assert!(refusal.contains(expected) && !refusal.contains('\n'), "{name}: {refusal}");
    }
}

#[test]
fn positions_that_cannot_be_are_refused() {
    for (name, text, expected) in [
        ("nogo:1x3", "XXX 2", "no liberty"),
        ("atari-go:1x4", "XO.. 2", "no liberty"),
        ("konane:4x4", "OXOX/XOXO/OXOX/XOXO 1", "other colour"),
        ("konane:4x4", "XOXO/OXOX/XOXO/OXOX 2", "no hole"),
        ("konane:4x4", "XOXO/O.OX/XOXO/OXOX 1", "one hole"),
        ("dodgem:2", "XX/.. 1", "too many cars"),
        ("infinite-tictactoe", "33./.../... 1", "one newest mark"),
        ("infinite-tictactoe", "3../.../... 1", "put in turn"),
        ("hare-and-hounds", "X../X...O/X. 1", "rows of 3/5/3"),
        ("hare-and-hounds", "X../X...O/... 1", "three hounds"),
        ("kaooa", "X..../..... 6-1 2", "at most 6 crows"),
        ("kaooa", "X..../..... 5-1 1", "vulture in hand"),
        ("kaooa", "X..../..... 2-1 2", "vulture in hand"),
        ("fanorona:3x3", "XXX/XXO/OO. 1", "more than 4 men"),
        ("tsoro-yematatu", "X/.../... 3-3 2", "do not add up"),
        ("tsoro-yematatu", "./.../... 3-3 2", "put in turn"),
        ("three-musketeers:3", "OOX/OOO/XOO 1", "expected three"),
        ("gobblers", "-,-,-/-,Ls,-/-,-,- 1", "three stacks"),
        ("gobblers", "S,S,S/-,-,-/-,-,- 1", "too many pieces"),
        ("dobutsu", "gle/.c./.C./E.G - 2", "bad lions"),
        ("dobutsu", "gle/.c./.C./ELG -! 1", "no try"),
        ("dobutsu", "gle/.c./.C./ELG c 1", "too many men"),
        ("dobutsu", "gl./.../.../.LG eC 1", "order CEGceg"),
        ("bagh-chal", "O...O/...../...../...../O.... 20 1", "3 tigers"),
        ("bagh-chal", "O...O/...../...../...../O...O 12 1", "15 to 20"),
        ("bagh-chal", "O...O/...../...../...../O...O 1 1", "1 goat on the board"),
        ("bagh-chal", "O...O/...../...../...../O...O 21 1", "to 20"),
        ("bagh-chal", "O...O/...../...../...../O...O 15 2", "goats' turn"),
        (
            "draughts:2men",
            "......../......../......../......../......../......../......../.x.O.... 1",
            "light square",
        ),
        (
            "draughts:2men",
            "......../......../......../......../......../......../......../x.o..... 1",
            "last row",
        ),
        (
            "draughts:2men",
            "......../......../......../......../......../......../......../x.O.X... 1",
            "at most 2",
        ),
    ] {
        let refusal = open(&ROWS, name).setup(Some(text)).err();
        let refusal = refusal.unwrap_or_else(|| panic!("{name} {text} was taken")).to_string();
        assert!(refusal.contains(expected) && !refusal.contains('\n'), "{name} {text}: {refusal}");
    }
}
