//! Alpha-beta on trees of numbers: it visits as many leaves as another program counted.

use std::fmt::Write;

use serde_json::Value;

use super::solve;

const TRUTH: &str = include_str!("truth/alphabeta_trees.tsv");

/// Writes a nested list as a graph: player one, who moves at the root, maximises; a leaf's number is player one's.
fn graph(tree: &Value) -> String {
    fn add(tree: &Value, ply: u32, nodes: &mut String, arrows: &mut String, next: &mut usize) -> usize {
        let here = *next;
        *next += 1;
        let start = if here == 0 { "start=true" } else { "" };
        match tree {
            Value::Array(children) => {
                writeln!(nodes, "n{here} [{start}];").unwrap();
                for child in children {
                    let there = add(child, ply + 1, nodes, arrows, next);
                    writeln!(arrows, "n{here} -> n{there};").unwrap();
                }
            }
            leaf => {
                let value = leaf.as_i64().unwrap();
                let seen = if ply.is_multiple_of(2) { value } else { -value };
                writeln!(nodes, "n{here} [{start} value={seen}];").unwrap();
            }
        }
        here
    }
    let (mut nodes, mut arrows) = (String::new(), String::new());
    add(tree, 0, &mut nodes, &mut arrows, &mut 0);
    format!("digraph {{\n{nodes}{arrows}}}\n")
}

#[test]
fn alpha_beta_looks_at_the_leaves_that_another_program_counted() {
    let folder = tempfile::tempdir().unwrap();
    for row in TRUTH.lines().skip(1).step_by(4) {
        let fields: Vec<&str> = row.split('\t').collect();
        let path = folder.path().join("tree.dot");
        std::fs::write(&path, graph(&serde_json::from_str(fields[1]).unwrap())).unwrap();
        let game = format!("graph:file={}", path.display());
        let value = format!("{:+}", fields[2].parse::<i64>().unwrap());
        let leaves = |by: &[&str]| {
            let (found, [_, leaves, _]) = solve(&game, by).remove(0);
            assert_eq!(found, value, "tree {} by {by:?}", fields[0]);
            leaves.to_string()
        };
        assert_eq!(leaves(&["naive"]), fields[3], "tree {}", fields[0]);
        assert_eq!(leaves(&["search", "--plain"]), fields[4], "tree {}", fields[0]);
        assert_eq!(leaves(&["search", "--plain", "--bounds", "1"]), fields[5], "tree {}", fields[0]);
    }
}
