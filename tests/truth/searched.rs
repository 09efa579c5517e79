//! Published values of games that are solved by search.

use grundy::game::{Game, Heuristic, Player, Scored, legal_moves};
use grundy::games::connect4::Connect4;
use grundy::games::domineering::Domineering;
use grundy::games::hex::Hex;
use grundy::games::kalah::Kalah;
use grundy::games::mnk::Mnk;
use grundy::games::othello::Othello;
use grundy::games::pawns::Pawns;
use grundy::solve::search::{Distance, Searcher};
use grundy::solve::{Limits, NEVER};
use grundy::value::{Value, Wdl};

fn value<G: Scored + Heuristic>(game: &G, position: &G::Position) -> Value {
    Searcher::new(64, 2).value(game, position, &Limits::default(), &NEVER, None).unwrap()
}

/// Who wins, in however many plies.
fn winner<G: Scored + Heuristic>(game: &G, position: &G::Position) -> Wdl {
    let mut searcher = Searcher::new(64, 2);
    searcher.set_distance(Distance::First);
    searcher.value(game, position, &Limits::default(), &NEVER, None).unwrap().wdl()
}

/// J. Tromp, "John's Connect Four Playground" (results by board size; distances recomputed by others).
#[test]
fn connect_four_on_small_boards() {
    for (columns, rows, expected) in [
        (4, 4, Value::DRAW),
        (5, 4, Value::DRAW),
        (4, 5, Value::DRAW),
        (6, 4, Value::loss_in(24)),
        (4, 6, Value::DRAW),
    ] {
        let game = Connect4::new(columns, rows).unwrap();
        assert_eq!(value(&game, &game.start()), expected, "{columns}x{rows}");
    }
}

/// With 256 MB on one thread in release: 5x5 0.1 M nodes, 6x5 0.6 M, 7x4 0.4 M, 8x4 4.9 M and 4 s, 6x6 10.8 M and 7 s.
#[test]
#[ignore = "takes minutes without optimisation"]
fn connect_four_on_larger_boards() {
    for (columns, rows, expected) in [
        (5, 5, Value::DRAW),
        (6, 5, Value::DRAW),
        (7, 4, Value::DRAW),
        (6, 6, Value::loss_in(36)),
        (8, 4, Value::loss_in(32)),
        (8, 5, Value::win_in(39)),
        (7, 6, Value::win_in(41)),
    ] {
        let game = Connect4::new(columns, rows).unwrap();
        assert_eq!(value(&game, &game.start()), expected, "{columns}x{rows}");
    }
}

/// J. Feinstein, 1993: the second player wins both by perfect play; with the empty cells given to the winner 4x4
/// is -10.
#[test]
fn othello_on_4x4() {
    for (win, expected) in [(false, -8), (true, -10)] {
        let game = Othello::new(4, win).unwrap();
        assert_eq!(value(&game, &game.start()), Value::points(expected));
    }
}

#[test]
#[ignore = "takes minutes without optimisation"]
fn othello_on_6x6() {
    let game = Othello::new(6, false).unwrap();
    assert_eq!(value(&game, &game.start()), Value::points(-4));
}

/// The first player wins; on 5x5 with exactly 13 of the 25 first moves.
#[test]
fn hex_is_won_by_the_first_player() {
    for side in 1..=4 {
        let game = Hex::new(side).unwrap();
        assert_eq!(winner(&game, &game.start()), Wdl::Win, "{side}");
    }
}

#[test]
#[ignore = "takes minutes without optimisation"]
fn hex_5x5_has_13_winning_first_moves() {
    let game = Hex::new(5).unwrap();
    let start = game.start();
    let won =
        legal_moves(&game, &start).into_iter().filter(|&m| winner(&game, &game.play(&start, m)) == Wdl::Loss);
    assert_eq!(won.count(), 13);
}

/// Breuker, Uiterwijk and van den Herik, 2000: who wins when player one, who lays upright, starts, and when player
/// two starts.
#[test]
fn domineering_by_who_starts() {
    use Wdl::{Loss, Win};
    let mut boards = vec![(2, 2, [Win, Win]), (3, 3, [Win, Win]), (4, 4, [Win, Win]), (5, 5, [Loss, Loss])];
    if !cfg!(debug_assertions) {
        boards.extend([(6, 6, [Win, Win]), (7, 6, [Loss, Win]), (7, 7, [Win, Win])]);
    }
    for (rows, columns, expected) in boards {
        let game = Domineering::new(rows, columns).unwrap();
        let mut start = game.start();
        for (turn, result) in [Player::One, Player::Two].into_iter().zip(expected) {
            start.turn = turn;
            assert_eq!(winner(&game, &start), result, "{rows}x{columns}, {turn:?} starts");
        }
    }
}

/// A. Saffidine, N. Jouandeau and T. Cazenave, "Solving Breakthrough with race patterns and job-level proof number
/// search", 2011; M. Gardner, 1962.
#[test]
fn pawns_are_won_by_the_second_player() {
    let game = Pawns::hexapawn(3, 3).unwrap();
    assert_eq!(value(&game, &game.start()).wdl(), Wdl::Loss);
    let game = Pawns::breakthrough(4, 5).unwrap();
    assert_eq!(winner(&game, &game.start()), Wdl::Loss);
    if !cfg!(debug_assertions) {
        let game = Pawns::breakthrough(5, 5).unwrap();
        assert_eq!(winner(&game, &game.start()), Wdl::Loss);
    }
}

/// J. W. H. M. Uiterwijk and H. J. van den Herik, "The advantage of the initiative", 2000. In release on one thread: 5,5,4 1.0 M
/// nodes and 1.2 s, 6,5,4 4.0 M nodes and 3.5 s.
#[test]
#[ignore = "takes minutes without optimisation"]
fn four_in_a_row_needs_six_columns() {
    for (columns, rows, expected) in [(5, 5, Wdl::Draw), (6, 5, Wdl::Win), (6, 6, Wdl::Win)] {
        let game = Mnk::new(columns, rows, 4, false).unwrap();
        assert_eq!(winner(&game, &game.start()), expected, "{columns},{rows},4");
    }
}

/// G. Irving, J. Donkers and J. Uiterwijk, "Solving Kalah", 2000.
#[test]
#[ignore = "takes minutes"]
fn kalah_of_six_pits_with_four_seeds() {
    let game = Kalah::new(6, 4).unwrap();
    assert_eq!(value(&game, &game.start()), Value::points(10));
}

/// J. W. H. M. Uiterwijk and H. J. van den Herik, 2000. The second player never wins: he could have used the first
/// player's stone.
#[test]
fn mnk_is_a_draw_or_won_by_the_first_player() {
    use Wdl::{Draw, Loss, Win};
    for (columns, rows, k, expected) in
        [(3, 3, 3, Draw), (4, 3, 3, Win), (3, 4, 3, Win), (4, 4, 4, Draw), (5, 4, 4, Draw), (4, 4, 3, Win)]
    {
        let game = Mnk::new(columns, rows, k, false).unwrap();
        assert_eq!(winner(&game, &game.start()), expected, "{columns},{rows},{k}");
    }
    for (columns, rows, k) in
        (1..5).flat_map(|c| (1..4).flat_map(move |r| (1..=c.max(r)).map(move |k| (c, r, k))))
    {
        let game = Mnk::new(columns, rows, k, false).unwrap();
        assert_ne!(winner(&game, &game.start()), Loss, "{columns},{rows},{k}");
    }
    let game = Mnk::new(4, 3, 3, true).unwrap();
    assert_eq!(winner(&game, &game.start()), Loss, "misere");
}
