//! Grundy numbers of games from rules files.

use std::time::Duration;

use grundy_core::game::{Game, Notation};
use grundy_rules::game::Rules;
use grundy_session::{Grundy, quiet_work};
use grundy_sums::Worth;
use grundy_sums::impartial::ByMex;

use crate::game;

const TIME: Duration = Duration::from_secs(60);

fn number(game: &Rules, position: &str) -> Grundy {
    let position = game.read_position(position).unwrap_or_else(|why| panic!("{position}: {why}"));
    ByMex::default().grundy(game, &position, &quiet_work().within(TIME))
}

/// Returns the game in which players cover two free neighbours in a row of `cells` cells.
fn covers(cells: usize, end: &str) -> Rules {
    let row = vec!["e"; cells].join(", ");
    let text = format!(
        "#players = first(100), second(100)
         #pieces = e, x
         #variables =
         #board = rectangle(up,down,left,right, [{row}])
         #anySquare = (left* + right*)
         #turn(me; other) = ->me anySquare {{e}} [x] right {{e}} [x] {end}
         #rules = [$ second=100] (turn(first; second) turn(second; first))*"
    );
    Rules::new(&text).unwrap_or_else(|fault| panic!("{}", fault.show(&text)))
}

#[test]
fn a_row_has_the_numbers_of_dawsons_kayles() {
    // R. K. Guy and C. A. B. Smith, "The G-values of various games", 1956: the octal game .07.
    let published = [0, 0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2];
    for (cells, number) in published.into_iter().enumerate().skip(1) {
        let game = covers(cells, "[$ me=100, other=0]");
        assert_eq!(
            ByMex::default().grundy(&game, &game.start(), &quiet_work().within(TIME)),
            Grundy::Number(number),
            "{cells}"
        );
        // On one cell the rules stand where no move leads to.
        assert_eq!(game.stands_in_sums().is_ok(), cells > 1, "{cells}");
    }
}

#[test]
fn grids_have_the_numbers_of_node_kayles() {
    // S. Brown et al., "Nimber Sequences of Node-Kayles Games", 2020; OEIS A316632 for three rows.
    let text = grundy_rules::library::game("node-kayles").unwrap();
    let (before, rest) = text.split_once("left,right,").unwrap();
    let (_, after) = rest.split_once("\n\n").unwrap();
    for (rows, columns, number) in
        [(2, 2, 0), (2, 3, 1), (3, 3, 1), (3, 4, 0), (3, 5, 3), (3, 6, 3), (4, 4, 0)]
    {
        let board = vec![format!("[{}]", vec!["e"; columns].join(", ")); rows].join(" ");
        let game = Rules::new(&format!("{before}left,right, {board})\n\n{after}")).unwrap();
        let found = ByMex::default().grundy(&game, &game.start(), &quiet_work().within(TIME));
        assert_eq!(found, Grundy::Number(number), "{rows}x{columns}");
    }
}

#[test]
fn heaps_have_the_exclusive_or_whoever_is_to_move() {
    let game = game("nim");
    assert_eq!(
        ByMex::default().grundy(&game, &game.start(), &quiet_work().within(TIME)),
        Grundy::Number(3 ^ 5 ^ 7)
    );
    for (board, expected) in [
        ("oo.####/o....##/ooo....", 2 ^ 1 ^ 3),
        ("...####/.....##/o......", 1),
        ("...####/.....##/.......", 0),
    ] {
        for turn in 1..=2 {
            assert_eq!(number(&game, &format!("{board} {turn}")), Grundy::Number(expected), "{board}");
        }
    }
    assert_eq!(game.stands_in_sums(), Ok(()));
}

#[test]
fn games_that_are_not_impartial_say_why() {
    let why = |game: &Rules| match ByMex::default().grundy(game, &game.start(), &quiet_work().within(TIME)) {
        Grundy::Unknown(why) => why,
        found => panic!("{found:?}"),
    };
    for (name, reason) in [
        ("tictactoe", "the same moves"),
        ("domineering", "the same moves"),
        ("notakto", "play can end otherwise"),
    ] {
        let game = game(name);
        assert!(why(&game).contains(reason), "{name}: {}", why(&game));
        assert!(game.stands_in_sums().is_err_and(|why| why.contains(reason)), "{name}");
    }
    let misere = covers(4, "[$ me=0, other=100]");
    assert!(why(&misere).contains("play can end otherwise"), "{}", why(&misere));
}

#[test]
fn moves_in_words_and_numbers_meet_in_every_position_of_a_row() {
    // The number of each position is the least that none of its moves has, by plain recursion.
    fn least(game: &Rules, position: &<Rules as Game>::Position) -> u64 {
        let mut options = Vec::new();
        let _ = game.moves(position, &mut |m| {
            options.push(least(game, &game.play(position, m)));
            grundy_core::game::MORE
        });
        (0..).find(|number| !options.contains(number)).unwrap()
    }
    let game = covers(8, "[$ me=100, other=0]");
    let by_mex = ByMex::default();
    let mut position = game.start();
    while game.over(&position).is_none() {
        let expected = Grundy::Number(least(&game, &position));
        assert_eq!(
            by_mex.grundy(&game, &position, &quiet_work().within(TIME)),
            expected,
            "{}",
            game.write_position(&position)
        );
        let mut last = None;
        let _ = game.moves(&position, &mut |m| {
            last = Some(m);
            grundy_core::game::MORE
        });
        position = game.play(&position, last.unwrap());
    }
}
