//! `graph_games*.tsv` and `minimax_dags.tsv`: every row is written as a DOT file and read back. Nodes are numbers from
//! 0; `terminal_labels` are for the player to move there, `terminal_winner` names the winner, and `leaf_values` are
//! Max's.

use grundy_boards::graph::Graph;
use grundy_core::game::{Game, Notation, Player};
use grundy_core::value::{Value, Wdl};
use grundy_tables::thresholds::ByThresholds;
use grundy_tables::{Oracle, TableOracle};

use super::{graph_of, pick, value, valued_moves};
use grundy_contract::{Contract, TruthRow, rows};
use grundy_core::random::SplitMix64;

/// Returns the row's graph with an attribute list for each node, starting at node 0.
fn graph(row: &TruthRow, attributes: impl Fn(usize) -> String) -> Graph {
    let mut text = "digraph row {\n".to_string();
    for (n, exits) in row.get("adjacency").split(';').enumerate() {
        let (from, to) = exits.split_once(':').unwrap();
        assert_eq!(from, n.to_string());
        let start = if n == 0 { "start=true" } else { "" };
        text += &format!("  {from} [{start} {}]\n", attributes(n));
        to.split(',').filter(|to| !to.is_empty()).for_each(|to| text += &format!("  {from} -> {to};\n"));
    }
    graph_of(&(text + "}\n"))
}

/// Returns the position of node `n`.
fn node(game: &Graph, n: usize) -> <Graph as Game>::Position {
    game.read_position(&format!("{n} 1")).or_else(|_| game.read_position(&format!("{n} 2"))).unwrap()
}

fn tables(game: &Graph) -> [TableOracle<Graph>; 2] {
    let tables = [TableOracle::retrograde(), TableOracle::reversible()];
    tables.iter().for_each(|table| grundy_contract::ready(table, game, &game.start()));
    tables
}

#[test]
fn graphs_with_cycles_are_as_in_the_truth_file() {
    for row in rows!("graph_games.tsv") {
        let labels: Vec<&str> = row.get("terminal_labels").split("").filter(|l| !l.is_empty()).collect();
        let game = graph(&row, |n| match labels[n] {
            "W" => "value=win".to_string(),
            "D" => "value=draw".to_string(),
            // A bare end is a loss: every other one says so.
            "L" if n % 2 == 0 => "value=loss".to_string(),
            _ => String::new(),
        });
        for table in tables(&game) {
            for (n, (result, plies)) in row
                .get("results")
                .split("")
                .filter(|r| !r.is_empty())
                .zip(row.get("plies").split(','))
                .enumerate()
            {
                let truth = value(result, plies.parse().unwrap());
                assert_eq!(
                    table.value(&game, &node(&game, n)),
                    Some(truth),
                    "row {} node {n}",
                    row.get("id")
                );
            }
        }
    }
}

#[test]
fn graphs_with_owners_are_as_in_the_truth_file() {
    for row in rows!("graph_games_two_player.tsv") {
        let letters = |column: &str| -> Vec<String> {
            row.get(column).split("").filter(|l| !l.is_empty()).map(str::to_string).collect()
        };
        let (owners, winners) = (letters("owners"), letters("terminal_winner"));
        let outcome = |winner: &str, n: usize| match winner {
            "0" => "draw",
            winner if winner == owners[n] => "win",
            _ => "loss",
        };
        let game = graph(&row, |n| match winners[n].as_str() {
            "-" => format!("owner={}", owners[n]),
            winner => format!("owner={}, value={}", owners[n], outcome(winner, n)),
        });
        for table in tables(&game) {
            let plies = row.get("plies").split(',').map(|plies| plies.parse().unwrap());
            for (n, (winner, plies)) in letters("results").iter().zip(plies).enumerate() {
                let truth = value(&outcome(winner, n).to_uppercase(), plies);
                assert_eq!(
                    table.value(&game, &node(&game, n)),
                    Some(truth),
                    "row {} node {n}",
                    row.get("id")
                );
            }
        }
    }
}

#[test]
fn minimax_graphs_are_as_in_the_truth_file() {
    for row in rows!("minimax_dags.tsv") {
        let kinds: Vec<char> = row.get("kinds").chars().collect();
        let leaves: Vec<&str> = row.get("leaf_values").split(',').collect();
        // Max is player one; a value is seen by whoever is to move.
        let seen = |n: usize, value: i32| if kinds[n] == 'M' { value } else { -value };
        let game = graph(&row, |n| {
            let owner = if kinds[n] == 'M' { 1 } else { 2 };
            let leaf = leaves[n].parse().map(|value| format!("value={}", seen(n, value)));
            format!("owner={owner} {}", leaf.unwrap_or_default())
        });
        let table = TableOracle::layers();
        grundy_contract::ready(&table, &game, &game.start());
        for (n, truth) in row.get("all_values").split(',').enumerate() {
            let truth = Value::points(seen(n, truth.parse().unwrap()));
            assert_eq!(table.value(&game, &node(&game, n)), Some(truth), "row {} node {n}", row.get("id"));
        }
        let start = game.start();
        let best = table.value(&game, &start).unwrap();
        let moves = valued_moves(&game, &table, &start);
        let mut truth = row.words("best_root_moves", ',');
        truth.retain(|word| !word.is_empty());
        assert_eq!(
            pick(&moves, |v| v == best, |m| game.write_move(&start, m)),
            truth,
            "row {}",
            row.get("id")
        );
    }
}

/// Deeper than any stack, and further than 16 bits count.
#[test]
fn a_graph_of_very_many_nodes_in_a_row_is_solved() {
    a_row_is_solved(150_000);
}

#[test]
#[ignore = "3 s"]
fn a_graph_of_a_million_nodes_in_a_row_is_solved() {
    a_row_is_solved(1_000_000);
}

fn a_row_is_solved(nodes: usize) {
    let mut text = "digraph { 0 [start=true]\n".to_string();
    (1..nodes).for_each(|n| text += &format!("{} -> {n}\n", n - 1));
    // A way back makes it cyclic.
    let game = graph_of(&(text + &format!("{} -> 0 }}", nodes - 2)));
    let table = TableOracle::reversible();
    grundy_contract::ready(&table, &game, &game.start());
    let position = |n: usize| game.read_position(&n.to_string()).unwrap();
    assert_eq!(table.value(&game, &position(nodes - 2)), Some(Value::win_in(1)));
    assert_eq!(table.value(&game, &position(0)), Some(Value::win_in(nodes as u32 - 1)));
    assert_eq!(table.value(&game, &position(1)).map(Value::wdl), Some(Wdl::Loss));
    assert_eq!(game.turn(&game.start()), Player::One);
}

/// Minimax with cycles: play without end is worth 0 to both. Random graphs against sweeps from 0, by which a graph whose
/// points are all at its ends has the value of the game that is broken off after more and more plies.
#[test]
fn minimax_graphs_with_cycles_have_the_values_of_sweeps() {
    let mut random = SplitMix64(25);
    let mut cyclic = 0;
    for round in 0..300 {
        let nodes = 2 + random.below(20);
        let most = [3, 100, 1_000_000][round % 3];
        let exits: Vec<Vec<usize>> =
            (0..nodes).map(|_| (0..random.below(4)).map(|_| random.below(nodes)).collect()).collect();
        if exits.iter().all(|exits| !exits.is_empty()) {
            continue;
        }
        let mut text = "digraph { 0 [start=true]\n".to_string();
        for (n, exits) in exits.iter().enumerate() {
            let owner = ["", "owner=1", "owner=2"][random.below(3)];
            let value = random.below(2 * most + 1) as i64 - most as i64;
            let value = if exits.is_empty() { format!("value={value}") } else { String::new() };
            text += &format!("{n} [{owner} {value}]\n");
            exits.iter().for_each(|to| text += &format!("{n} -> {to}\n"));
        }
        let game = graph_of(&(text + "}"));
        cyclic += usize::from(game.has_cycle());
        Contract::new(game).every_index().thresholds().run();
    }
    assert!(cyclic > 100);
}

#[test]
fn a_player_with_an_endless_line_loses_no_points() {
    let game = "digraph { a [owner=1 start=true]; b [owner=2]; a -> b -> a; a -> lost; b -> c; lost [owner=1 value=-3];
        c [owner=1]; c -> won; c -> b; won [owner=2 value=-5] }";
    let game = graph_of(game);
    let table = ByThresholds::default();
    grundy_contract::ready(&table, &game, &game.start());
    let value = |name: &str| table.value(&game, &game.read_position(name).unwrap());
    assert_eq!(["a 1", "b 2", "c 1"].map(value), [0, 0, 5].map(|n| Some(Value::points(n))));
}
