//! Mutated rules files: no panic, no hang, and every refusal one line.

use grundy_contract::Dice;
use grundy_core::game::{Game, Notation};
use grundy_rules::game::Rules;
use grundy_rules::library;

/// A file with some changes.
fn mutated(dice: &mut Dice) -> String {
    let names = library::names();
    let mut bytes = library::game(names[dice.below(names.len())]).unwrap().as_bytes().to_vec();
    let other = library::game(names[dice.below(names.len())]).unwrap().as_bytes();
    for _ in 0..=dice.below(6) {
        let at = dice.below(bytes.len());
        match dice.below(6) {
            0 => {
                bytes.remove(at);
            }
            1 => bytes[at] = b"(){}[]+*^~#;,=$!?-> \n09aexo"[dice.below(27)],
            2 => bytes.insert(at, b"(){}[]+*^~#;,=$!?-> \n09aexo"[dice.below(27)]),
            3 => {
                let end = (at + dice.below(40)).min(bytes.len());
                let part = bytes[at..end].to_vec();
                let to = dice.below(bytes.len());
                bytes.splice(to..to, part);
            }
            4 => {
                let end = (at + dice.below(40)).min(bytes.len());
                bytes.drain(at..end);
            }
            _ => {
                let from = dice.below(other.len());
                let end = (from + dice.below(60)).min(other.len());
                bytes.splice(at..at, other[from..end].iter().copied());
            }
        }
        if bytes.is_empty() {
            break;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn fuzz(seeds: std::ops::Range<u64>) {
    for seed in seeds {
        let text = mutated(&mut Dice::new(seed));
        let began = std::time::Instant::now();
        match Rules::new(&text) {
            Ok(rules) => {
                let start = rules.start();
                let _ = rules.over(&start);
                let line = rules.write_position(&start);
                assert!(rules.read_position(&line).is_ok() || line.contains('@'), "seed {seed}: {line}");
                assert!(rules.paths(&start, 100).len() <= 100);
            }
            Err(fault) => {
                let line = fault.line(&text);
                assert!(!line.contains('\n') && line.len() < 500, "seed {seed}: {line}");
            }
        }
        // A loaded machine may be ten times as slow as one that is idle.
        assert!(began.elapsed().as_secs() < 10, "seed {seed} takes {:?}", began.elapsed());
    }
}

#[test]
fn mutated_files_neither_panic_nor_hang() {
    fuzz(0..1_500);
}

/// A million files: `cargo test --release -p grundy-rules --test all -- --ignored mutated`.
#[test]
#[ignore = "about an hour"]
fn a_million_mutated_files() {
    fuzz(0..1_000_000);
}
