//! Published values of K in a row.

use grundy_boards::gomoku::Gomoku;
use grundy_boards::mnk::Mnk;
use grundy_core::game::{Game, Notation, Player, Scored};
use grundy_core::value::{Score, Value, Wdl};
use grundy_search::Question;
use grundy_search::alpha_beta::{AlphaBeta, Bounds, Heuristic};
use grundy_search::pns::{ProofNumberSearch, ProofOutcome};
use grundy_session::{Distance, Limits, NEVER};

/// Returns the winner's outcome without its distance.
fn winner<G: Scored + Heuristic + Bounds>(game: &G, position: &G::Position) -> Wdl {
    let question = Question { distance: Distance::First, ..Question::new(game, position) };
    AlphaBeta::new(64, 2).value(&question).unwrap().wdl()
}

/// Returns the outcome that proof numbers prove.
fn proved<G: Scored + Heuristic + Bounds>(game: &G, position: &G::Position) -> Wdl {
    let mut prover = ProofNumberSearch::new(64).unwrap();
    let mut reaches = |target| prover.ask(game, position, target, &Limits::default(), &NEVER).unwrap();
    match reaches(Value::from_raw(1)) {
        ProofOutcome::Reached(_) => Wdl::Win,
        ProofOutcome::Missed if reaches(Value::DRAW) == ProofOutcome::Missed => Wdl::Loss,
        ProofOutcome::Missed => Wdl::Draw,
    }
}

/// J. W. H. M. Uiterwijk and H. J. van den Herik, "The advantage of the initiative", 2000. In release on one thread
/// proof numbers show 6,5,4 with 4,911 nodes in 0.07 s, 6,6,4 with 3,186 in 0.05 s; alpha-beta takes 372,045 and 1.3 s,
/// 13,710 and 0.08 s.
#[test]
fn four_in_a_row_needs_six_columns() {
    for (columns, rows) in [(6, 5), (6, 6), (7, 5), (7, 6)] {
        let game = Mnk::new(columns, rows, 4, false).unwrap();
        assert_eq!(proved(&game, &game.start()), Wdl::Win, "{columns},{rows},4");
    }
    for (columns, rows) in [(4, 4), (5, 4)] {
        let game = Mnk::new(columns, rows, 4, false).unwrap();
        assert_eq!(winner(&game, &game.start()), Wdl::Draw, "{columns},{rows},4");
    }
}

#[test]
fn four_in_a_row_on_five_by_five_is_a_draw() {
    let game = Mnk::new(5, 5, 4, false).unwrap();
    assert_eq!(winner(&game, &game.start()), Wdl::Draw);
}

/// A pairing stops every line of 5,5,5 and 7,7,6; the others take a few moves first. After each first move the second
/// player cannot win either.
#[test]
fn large_boards_are_drawn_by_a_strategy_for_each_player() {
    for (columns, rows, k) in [(5, 5, 5), (6, 5, 5), (6, 6, 5), (7, 7, 6), (8, 8, 6)] {
        let game = Mnk::new(columns, rows, k, false).unwrap();
        let start = game.start();
        let question = Question::new(&game, &start);
        assert_eq!(AlphaBeta::new(1, 1).value(&question), Some(Value::DRAW), "{columns},{rows},{k}");
        let child = game.play(&start, 0);
        assert_eq!(
            game.bounds_of_root(&child, 2_000, &NEVER),
            (Value::DRAW, Value::DRAW),
            "{columns},{rows},{k}"
        );
    }
}

/// W.-Y. Hsu and others, "On solving the 7,7,5-game and the 8,8,5-game", Theoretical Computer Science 815, 2020.
#[test]
fn five_in_a_row_on_seven_by_seven_is_a_draw() {
    let game = Mnk::new(7, 7, 5, false).unwrap();
    assert_eq!(game.bounds_of_root(&game.start(), 100_000, &NEVER), (Value::DRAW, Value::DRAW));
}

#[test]
fn pairs_of_cells_show_who_cannot_win() {
    let game = Mnk::new(5, 5, 5, false).unwrap();
    let pairs = game.pairs(&game.start(), Player::One).unwrap();
    // Twelve lines, each with a pair of its own.
    assert_eq!(pairs.len(), 12);
    let position = game.read_position("XXXX./...../OOOO./...../..... 1").unwrap();
    assert_eq!(game.pairs(&position, Player::Two), None);
}

/// Player one, to move, wins by fours and open threes.
#[test]
fn a_chain_of_threats_is_proved_in_few_nodes() {
    let game = Gomoku::new(15, 15, 5, false).unwrap();
    let mut position = game.start();
    for word in "g6 h10 e5 k9 e6 f6".split(' ') {
        position = game.play(&position, game.read_move(&position, word).unwrap());
    }
    let limits = Limits { nodes: Some(20_000), ..Limits::default() };
    let lines =
        AlphaBeta::new(16, 1).search(&Question { limits, ..Question::new(&game, &position) }, &mut |_| {});
    let Score::AtLeast(value) = lines[0].score else { panic!("{:?}", lines[0].score) };
    assert!(value.plies().is_some_and(|plies| plies <= 13), "{value:?}");
}

/// Three in a row is won exactly where a board of 3 by 4 has room.
#[test]
fn three_in_a_row_needs_three_by_four() {
    for (columns, rows) in (1..=6).flat_map(|c| (1..=6).map(move |r| (c, r))).filter(|(c, r)| c.max(r) > &2) {
        let game = Mnk::new(columns, rows, 3, false).unwrap();
        let fits = columns.min(rows) >= 3 && columns.max(rows) >= 4;
        let expected = if fits { Wdl::Win } else { Wdl::Draw };
        assert_eq!(winner(&game, &game.start()), expected, "{columns},{rows},3");
    }
}

/// J. W. H. M. Uiterwijk and H. J. van den Herik, 2000. The second player never wins: he could have used the first
/// player's stone.
#[test]
fn mnk_is_a_draw_or_won_by_the_first_player() {
    for (columns, rows, k) in
        (1..5).flat_map(|c| (1..4).flat_map(move |r| (1..=c.max(r)).map(move |k| (c, r, k))))
    {
        let game = Mnk::new(columns, rows, k, false).unwrap();
        assert_ne!(winner(&game, &game.start()), Wdl::Loss, "{columns},{rows},{k}");
    }
    let game = Mnk::new(4, 3, 3, true).unwrap();
    assert_eq!(winner(&game, &game.start()), Wdl::Loss, "misere");
}
