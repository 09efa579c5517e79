//! Mutated rules files: no panic, no hang, and every refusal one line.

use grundy_core::game::{Game, Indexed, Notation};
use grundy_core::random::SplitMix64;
use grundy_rules::game::Rules;
use grundy_rules::library;
use grundy_session::{NEVER, SolveError, Work};
use grundy_tables::discovered::{Found, Horizon, Numbered, Packed, find, reach};

/// Returns a random directive, which may be valid.
fn line(random: &mut SplitMix64) -> String {
    let keys =
        ["value", "symmetry", "letters", "move", "about", "repeat", "rank", "places", "picture", "rnak", ""];
    let words = [
        "score",
        "difference",
        "outcome",
        "rotate",
        "reflect",
        "colours",
        "rotate,reflect,colours",
        "e=.",
        "x=X",
        "o=O",
        "e=\u{e9}",
        "x==",
        "from-to",
        "to",
        "all",
        "3",
        "0",
        "-1",
        "x<=3",
        "o<=3",
        "x<=3,o<=3",
        "x<=0",
        "e<=99999999999",
        "x<3",
        "a=0,1",
        "a1=0,2.5",
        "a1=NaN,1",
        "<=",
        ",",
        "=",
    ];
    let mut line = format!("//@ {}", keys[random.below(keys.len())]);
    for _ in 0..random.below(4) {
        line.push(' ');
        line.push_str(words[random.below(words.len())]);
    }
    line + "\n"
}

/// Returns a file with some changes.
fn mutated(random: &mut SplitMix64) -> String {
    let names = library::names();
    let mut bytes = library::game(names[random.below(names.len())]).unwrap().as_bytes().to_vec();
    let other = library::game(names[random.below(names.len())]).unwrap().as_bytes();
    for _ in 0..=random.below(6) {
        let at = random.below(bytes.len());
        match random.below(7) {
            0 => {
                bytes.remove(at);
            }
            1 => bytes[at] = b"(){}[]+*^~#;,=$!?-> \n09aexo"[random.below(27)],
            2 => bytes.insert(at, b"(){}[]+*^~#;,=$!?-> \n09aexo"[random.below(27)]),
            3 => {
                let end = (at + random.below(40)).min(bytes.len());
                let part = bytes[at..end].to_vec();
                let to = random.below(bytes.len());
                bytes.splice(to..to, part);
            }
            4 => {
                let end = (at + random.below(40)).min(bytes.len());
                bytes.drain(at..end);
            }
            5 => {
                let after = bytes[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
                bytes.splice(after..after, line(random).into_bytes());
            }
            _ => {
                let from = random.below(other.len());
                let end = (from + random.below(60)).min(other.len());
                bytes.splice(at..at, other[from..end].iter().copied());
            }
        }
        if bytes.is_empty() {
            break;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Seconds of processor time that this thread has taken, where the system tells.
fn processor_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(text.split(' ').next()?.parse::<f64>().ok()? / 1e9)
}

/// Returns the most memory that this process has taken, in megabytes, where the system tells.
fn peak_megabytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? / 1024)
}

/// One of this many files is checked for the indexing and the discovery of its positions.
const EACH: u64 = 16;
/// Maximum number of positions that are discovered.
const FOUND: u64 = 500;

/// Indexes positions and discovers them; both ways must find the same.
fn number(rules: &Rules, seed: u64, random: &mut SplitMix64) {
    let start = rules.start();
    assert_eq!(rules.pack(&start).is_some(), rules.bits().is_some(), "seed {seed}");
    let work = Work { stop: &NEVER, until: None, threads: 1, memory_limit: Some(64 << 20), report: &|_| {} };
    let horizon = Horizon { positions: Some(FOUND), until: None };
    let found = find(rules, &horizon, &work);
    let fault = |why: &SolveError| {
        let why = why.to_string();
        assert!(!why.contains('\n') && why.len() < 1_000, "seed {seed}: {why}");
    };
    found.as_ref().err().into_iter().for_each(fault);
    let Ok(numbering) = rules.numbering() else { return };
    for _ in 0..20 {
        let number = random.bits() % numbering.size().max(1);
        let Some(position) = rules.position(number) else { continue };
        assert_eq!(rules.index(&position), number, "seed {seed}");
    }
    let reached = reach(rules, &horizon, &work);
    reached.as_ref().err().into_iter().for_each(fault);
    if let (Ok(Some(Found { keys, .. })), Ok(true)) = (&found, &reached) {
        let count = rules.reached().map(|reached| reached.count());
        assert_eq!(count, Some(keys.len() as u64), "seed {seed}");
        for at in 0..keys.len() {
            let number = rules.number(keys.get(at)).unwrap();
            let position = rules.position(number).unwrap();
            assert_eq!(rules.index(&position), number, "seed {seed}");
            assert_eq!(rules.pack(&position), Some(keys.get(at)), "seed {seed}");
        }
    }
}

/// Reads one mutated file, and plays a game at random where it is one.
fn read(seed: u64) {
    let mut random = SplitMix64(seed);
    let text = mutated(&mut random);
    let rules = match Rules::new(&text) {
        Ok(rules) => rules,
        Err(fault) => {
            let line = fault.line(&text);
            assert!(!line.contains('\n') && line.len() < 500, "seed {seed}: {line}");
            return;
        }
    };
    // Looking for symmetries takes longer than all else.
    if seed.is_multiple_of(EACH) {
        number(&rules, seed, &mut random);
    }
    let mut position = rules.start();
    for _ in 0..8 {
        if seed.is_multiple_of(EACH) && rules.reached().is_none() && rules.is_numbered() {
            let index = rules.index(&position);
            let again = rules.position(index);
            assert!(again.is_none_or(|again| rules.pack(&again) == rules.pack(&position)), "seed {seed}");
        }
        let line = rules.write_position(&position);
        assert!(rules.read_position(&line).is_ok() || line.contains('@'), "seed {seed}: {line}");
        if rules.over(&position).is_some() {
            return;
        }
        let moves = rules.paths(&position, 100);
        assert!((1..=100).contains(&moves.len()), "seed {seed}: {line}");
        position = rules.play(&position, moves[random.below(moves.len())].0);
    }
}

/// Reads the files of these seeds; returns the most processor time that one took, and its seed.
fn fuzz(seeds: std::ops::Range<u64>) -> (f64, u64) {
    let mut slowest = (0.0, 0);
    for seed in seeds {
        let began = processor_seconds();
        read(seed);
        if let (Some(began), Some(ended)) = (began, processor_seconds()) {
            slowest = if ended - began > slowest.0 { (ended - began, seed) } else { slowest };
        }
    }
    slowest
}

#[test]
fn mutated_files_neither_panic_nor_hang() {
    let (seconds, seed) = fuzz(0..1_500);
    assert!(seconds < 5.0, "seed {seed} takes {seconds} s without optimisation");
}

/// A million files, or those from `FUZZ_SEED` on: `cargo test --release -p grundy-rules --test all -- --ignored
/// --nocapture a_million_mutated`.
#[test]
#[ignore = "about an hour"]
fn a_million_mutated_files() {
    let first = std::env::var("FUZZ_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0);
    for thousands in 0..100 {
        let begin = first + thousands * 10_000;
        let (seconds, seed) = fuzz(begin..begin + 10_000);
        let megabytes = peak_megabytes().unwrap_or(0);
        eprintln!("seeds to {}: the slowest {seconds:.2} s, seed {seed}; {megabytes} MB", begin + 10_000);
        assert!(seconds < 5.0, "seed {seed} takes {seconds} s");
        assert!(megabytes < 2_000, "{megabytes} MB");
    }
}
