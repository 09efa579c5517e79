//! `grundy graph`: rounds of retrograde analysis over the whole graph of a small game.

use std::fs;

use super::grundy;
use grundy::catalog::CATALOG;
use grundy::session::Settings;
use grundy_draw::graph::{Graph, TooLarge};

fn explore(game: &str) -> Graph {
    Graph::explore(&mut CATALOG.open(game, &Settings::default()).unwrap(), 6_000, &|_| {}).unwrap()
}

#[test]
fn the_rounds_find_the_values_that_the_games_own_methods_know() {
    for game in [
        "nim:3,2",
        "nim:2,2:misere",
        "matches:9",
        "tictactoe",
        "chomp:3x3",
        "dots:1x2",
        "euler:3x3",
        "police",
        "wythoff:2,3",
        "graph:file=examples/retrograde.dot",
        "rules:pong-hau-ki",
        "sum:nim:2,1+nim:1",
    ] {
        let graph = explore(game);
        let mut session = CATALOG.open(game, &Settings::default()).unwrap();
        for node in &graph.nodes {
            session.setup(Some(&node.position)).unwrap();
            let known = session.value().unwrap();
            assert_eq!(node.value.map(|v| v.wdl()), Some(known.wdl()), "{game}: {}", node.position);
            if known.plies().is_some() && node.round.is_some() {
                assert_eq!(node.value, Some(known), "{game}: {}", node.position);
            }
            assert_eq!(node.edges.len(), session.successors(usize::MAX).len(), "{game}: {}", node.position);
        }
    }
    assert_eq!(explore("tictactoe").nodes.len(), 5_478);
}

#[test]
fn a_round_of_a_game_that_is_won_or_lost_is_the_distance() {
    let graph = explore("graph:file=examples/retrograde.dot");
    for node in graph.nodes.iter().filter(|node| node.round.is_some()) {
        if let Some(plies) = node.value.and_then(|value| value.plies()) {
            assert_eq!(node.round, Some(plies), "{}", node.position);
        }
    }
    // Positions that no round finds are drawn by a cycle.
    let [won, drawn, lost] = graph.count(None);
    assert_eq!((won, lost), (0, 0));
    assert!(drawn > 0);
}

#[test]
fn a_graph_is_written_as_text_for_graphviz_as_a_picture_and_as_a_page() {
    let text = grundy(&["graph", "nim:2,1"]);
    assert!(text.starts_with("3\twin:3\t2,1 1\t1:1*"), "{text}");
    assert!(text.contains("# round 0 finds 0 won, 0 drawn, "), "{text}");
    let early = grundy(&["graph", "nim:2,1", "--round", "1"]);
    assert!(early.starts_with("-\t?\t2,1 1\t1:1 "), "{early}");
    let dot = grundy(&["graph", "nim:2,1", "--dot"]);
    assert!(
        dot.starts_with("digraph \"nim:2,1\" {") && dot.contains(" -> ") && dot.ends_with("}\n"),
        "{dot}"
    );
    let svg = grundy(&["graph", "nim:2,1", "--svg", "--round", "1"]);
    assert!(svg.starts_with("<svg") && svg.contains("hidden") && svg.contains("data-round=\"0\""), "{svg}");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.html");
    assert_eq!(grundy(&["graph", "nim:2,1", "--html", "-o", file.to_str().unwrap()]), "");
    let page = fs::read_to_string(file).unwrap();
    assert!(
        page.starts_with("<!doctype html>") && page.contains("type=\"range\"") && !page.contains("http://l")
    );
}

#[test]
fn a_graph_of_too_many_positions_is_refused() {
    let mut session = CATALOG.open("tictactoe", &Settings::default()).unwrap();
    assert_eq!(Graph::explore(&mut session, 100, &|_| {}).err(), Some(TooLarge { limit: 100 }));
}
