//! Games with different moves for the players.

use grundy_contract::Contract;
use grundy_core::dot::read_undirected;
use grundy_partizan::bush::Bush;
use grundy_partizan::colouring::{Colouring, Rule};
use grundy_partizan::stalks::Stalks;
use grundy_partizan::toads::ToadsAndFrogs;
use grundy_search::board::BoardGame;
use grundy_sums::cgt::ByForms;

#[test]
fn hackenbush_on_stalks() {
    let stalks =
        |text| Contract::new(Stalks::new(text).unwrap()).search().oracle("forms", ByForms::<Stalks>::default);
    stalks("RBBG,B").run();
    stalks("GGG,BRB,RBR,BG").from("GBR,-,RRG 2").limit(20_000).run();
    stalks("BRGBRGBRG,RRBB,GGG").limit(3_000).run();
}

#[test]
fn hackenbush_on_graphs() {
    let bush = |text: &str| {
        let game = Bush::new(&read_undirected(text).unwrap()).unwrap();
        Contract::new(BoardGame::new(game)).search().oracle("forms", ByForms::<BoardGame>::default)
    };
    bush(
        "graph { ground -- a [color=blue]; a -- b [color=red]; b -- ground [color=green]; a -- a [color=R] }",
    )
    .run();
    bush("graph { edge [color=red]; ground -- a -- b -- c; edge [color=blue]; c -- ground -- d; d -- d; a -- d; \
          a -- b [color=G]; e -- ground [color=B] }")
    .run();
}

#[test]
fn toads_and_frogs() {
    let toads = |text| {
        let game = ToadsAndFrogs::new(text).unwrap();
        Contract::new(BoardGame::new(game)).search().oracle("forms", ByForms::<BoardGame>::default)
    };
    toads("TT..FF").run();
    toads("TTT..FFF").from("FFTT.T.F 2").run();
    toads("T").run();
    toads("TTTT...FFFF").limit(20_000).run();
}

#[test]
fn col_and_snort() {
    for rule in [Rule::Col, Rule::Snort] {
        let contract = |game: Result<Colouring, String>| {
            let contract = Contract::new(BoardGame::new(game.unwrap())).search().partizan();
            contract.oracle("forms", ByForms::<BoardGame>::default)
        };
        let on_grid = |rows, columns| contract(Colouring::on_grid(rule, rows, columns));
        on_grid(1, 1).run();
        on_grid(2, 3).run();
        on_grid(3, 3).run();
        on_grid(1, 7).run();
        on_grid(4, 4).from("X.../..O./..../...X 1").limit(1_000).run();
        let graph = "graph { hub -- { a b c d } ; a -- b; c -- d; d [color=blue]; lone }";
        contract(Colouring::on_graph(rule, &read_undirected(graph).unwrap())).run();
    }
}

#[test]
fn stalks_of_too_many_edges_are_refused() {
    let stalks = |edges: usize| Stalks::new(&"B".repeat(edges));
    assert!(stalks(5_000).is_ok());
    assert!(stalks(5_001).unwrap_err().contains("5000 edges"));
}

#[test]
fn grids_that_are_too_large_are_refused() {
    let col = |rows, columns| Colouring::on_grid(Rule::Col, rows, columns).map(|_| ());
    assert_eq!((col(64, 1), col(2, 26)), (Ok(()), Ok(())));
    for (rows, columns) in [(1, 64), (5, 13), (0, 3)] {
        assert!(col(rows, columns).unwrap_err().ends_with("of 1 to 64 cells, at most 26 columns"));
    }
}

#[test]
fn bad_graphs_are_refused() {
    let bush = |text: &str| Bush::new(&read_undirected(text).unwrap()).unwrap_err();
    assert!(bush("graph { a -- b [color=red] }").contains("ground"));
    assert!(bush("graph { ground -- a [color=red]; b -- c [color=red] }").contains("edge 2"));
    assert!(bush("graph { ground -- a }").contains("color="));
    let snort = |text: &str| Colouring::on_graph(Rule::Snort, &read_undirected(text).unwrap()).unwrap_err();
    assert!(snort("graph { a -- a }").contains("loop"));
    assert!(snort("graph { a -- b; a [color=red]; b [color=blue] }").contains("rule"));
    assert!(snort("graph { }").contains("nodes"));
}
