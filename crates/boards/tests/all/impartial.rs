//! Grundy numbers of boards and graphs, against plain recursion and against who wins beside heaps of nim.

use std::collections::HashMap;

use super::graph_of;
use grundy_boards::euler::{Euler, Rules};
use grundy_contract::open;
use grundy_core::game::{Game, Notation, legal_moves};
use grundy_search::board::BoardGame;
use grundy_session::{Canonical, Grundy, quiet_work};
use grundy_sums::Worth;
use grundy_sums::impartial::ByMex;
use std::time::Duration;

const TIME: Duration = Duration::from_secs(60);

/// Returns the mex of the numbers of the children, by plain recursion.
fn plain<G: Game>(game: &G, position: &G::Position, memo: &mut HashMap<G::Position, u64>) -> u64 {
    if let Some(&number) = memo.get(position) {
        return number;
    }
    let children = legal_moves(game, position).into_iter().map(|m| game.play(position, m));
    let numbers: Vec<u64> =
        children.collect::<Vec<_>>().iter().map(|child| plain(game, child, memo)).collect();
    let mex = (0..).find(|n| !numbers.contains(n)).unwrap();
    memo.insert(position.clone(), mex);
    mex
}

#[test]
fn nails_have_the_numbers_of_plain_recursion() {
    let rules = Rules { normal: true, ..Rules::default() };
    for (rows, columns) in [(1, 1), (1, 6), (2, 3), (3, 3), (3, 4)] {
        let game = BoardGame::new(Euler::new(rows, columns, rules).unwrap());
        let (by_mex, mut memo) = (ByMex::default(), HashMap::new());
        plain(&game, &game.start(), &mut memo);
        for (position, &number) in &memo {
            let found = by_mex.grundy(&game, position, &quiet_work().within(TIME));
            assert_eq!(found, Grundy::Number(number), "{rows}x{columns} {}", game.write_position(position));
        }
    }
    let mut session = open(&grundy_boards::ROWS, "euler:4x4:normal");
    let number = session.grundy().number().unwrap();
    let won = session.value().is_some_and(|value| value.wdl() == grundy_core::value::Wdl::Win);
    assert_eq!(number != 0, won, "a position worth 0 is lost, and no other");
    assert_eq!(session.canonical_form(), Canonical::of(&Grundy::Number(number)));
    let why = open(&grundy_boards::ROWS, "euler:4x4").grundy().to_string();
    assert!(why.starts_with("unknown (") && why.contains("misere"), "{why}");
}

#[test]
fn nodes_have_numbers_and_cycles_infinities() {
    let number = |text: &str| {
        let game = graph_of(text);
        ByMex::default().grundy(&game, &game.start(), &quiet_work().within(TIME))
    };
    assert_eq!(number("digraph { a [start=true]; a -> {b c}; b -> c }"), Grundy::Number(2));
    assert_eq!(number("digraph { a [start=true]; a -> b -> a; b -> c }"), Grundy::Number(0));
    assert_eq!(number("digraph { a [start=true]; a -> b -> a }"), Grundy::Loopy(vec![]));
    assert_eq!(
        number("digraph { a [start=true]; a -> {a b}; b -> c; a -> c; c -> d; c -> e -> d }").to_string(),
        "inf(0,2)"
    );
    for (text, part) in [
        ("digraph { a [start=true owner=1]; a -> b }", "owner"),
        ("digraph { a [start=true]; a -> b; b [value=win] }", "last move"),
        ("digraph { a [start=true]; a -> b; b [value=3] }", "points"),
    ] {
        let why = number(text).to_string();
        assert!(why.starts_with("unknown (") && why.contains(part), "{text}: {why}");
    }
}
