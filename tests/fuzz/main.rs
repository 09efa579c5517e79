//! Every fuzz target on its seeds and on thousands of changed ones: a short run of what `cargo fuzz` does for hours.

#![allow(clippy::unwrap_used)] // a test that cannot go on should fail

#[path = "../../fuzz/src/lib.rs"]
mod targets;

use std::path::Path;

use grundy::catalog::CATALOG;
use grundy::random::{SplitMix64, chained};
use grundy::session::Settings;

/// Default number of inputs for each target; `GRUNDY_FUZZ_RUNS` overrides it.
const RUNS: usize = 8_000;
/// Maximum length of an input in bytes.
const LONGEST: usize = 1 << 16;

#[test]
fn no_bytes_make_a_reader_panic() {
    let runs = std::env::var("GRUNDY_FUZZ_RUNS").map_or(RUNS, |runs| runs.parse().unwrap());
    std::thread::scope(|scope| {
        for (name, target) in targets::TARGETS {
            scope.spawn(move || {
                let seeds = seeds(name);
                seeds.iter().for_each(|seed| target(seed));
                let mut lots = SplitMix64(name.bytes().fold(0, |seed, byte| chained(seed, byte.into())));
                for _ in 0..runs {
                    target(&changed(&seeds, &mut lots));
                }
            });
        }
    });
}

/// Returns the files of `fuzz/seeds`, and for positions those of every game's first plies.
fn seeds(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(name);
    let mut paths: Vec<_> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let mut seeds: Vec<_> = paths.iter().map(|path| std::fs::read(path).unwrap()).collect();
    if name == "position" {
        for row in CATALOG.rows().filter(|row| !row.default.is_empty()) {
            let Ok(mut session) = CATALOG.open(row.name, &Settings::default()) else { continue };
            for _ in 0..4 {
                let moves = session.legal_moves(3);
                let words = moves.join(" ");
                seeds.push(format!("{}\n{}\n{words}", row.default, session.position()).into_bytes());
                let Some(word) = moves.last() else { break };
                session.play(word).unwrap();
            }
        }
    }
    assert!(!seeds.is_empty(), "no seeds for {name}");
    seeds
}

/// Returns a seed after one to six changes of the kinds that find faults in parsers.
fn changed(seeds: &[Vec<u8>], lots: &mut SplitMix64) -> Vec<u8> {
    /// Words that are difficult for parsers of numbers, lists and boards.
    const WORDS: [&str; 12] = [
        "0",
        "-1",
        "4294967296",
        "18446744073709551616",
        ",",
        "/",
        ":",
        "\n",
        "\u{a0}",
        "\0",
        "\u{fffd}é",
        "=",
    ];
    let mut bytes = one(seeds, lots).clone();
    for _ in 0..=below(6, lots) {
        let at = below(bytes.len() + 1, lots);
        let upto = (at + below(8, lots)).min(bytes.len());
        match below(6, lots) {
            0 if at < bytes.len() => bytes[at] ^= 1 << below(8, lots),
            1 => drop(bytes.drain(at..upto)),
            2 => {
                let copied = bytes[at..upto].to_vec();
                bytes.splice(at..at, copied);
            }
            3 => drop(bytes.splice(at..upto, one(&WORDS, lots).bytes())),
            4 => {
                let other = one(seeds, lots);
                let from = below(other.len() + 1, lots);
                bytes.truncate(at);
                bytes.extend_from_slice(&other[from..]);
            }
            _ => bytes.truncate(at),
        }
    }
    bytes.truncate(LONGEST);
    bytes
}

fn below(bound: usize, lots: &mut SplitMix64) -> usize {
    (lots.bits() % bound as u64) as usize
}

fn one<'a, T>(list: &'a [T], lots: &mut SplitMix64) -> &'a T {
    &list[below(list.len(), lots)]
}
