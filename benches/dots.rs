//! Dots-and-Boxes: exact values of empty boards by search, with nodes and seconds, and the 3x3 table.
//!
//! `cargo bench --bench dots -- 4x4 [MEGABYTES [THREADS]]`; without arguments it solves the small boards.

#![allow(clippy::print_stdout)]

use std::time::Instant;

use grundy::game::Game;
use grundy::games::dots::{Bits, Dots, Setup};
use grundy::search::windows::WindowProver;
use grundy::session::{Limits, NEVER};

fn search<B: Bits>(setup: Setup, megabytes: usize, threads: usize) {
    let start = Instant::now();
    let game = Dots::<B>::new(setup).expect("the word was chosen by the size");
    let mut prover = WindowProver::new(megabytes, threads);
    let score = prover.value(&game, &game.start(), &Limits::default(), &NEVER, &mut |_, _| {});
    let (wall, cpu) = (start.elapsed().as_secs_f64(), cpu_seconds());
    let name = setup.name();
    println!("{name} {score:?} nodes {} wall {wall:.3} s process cpu {cpu:.2} s", prover.nodes());
}

/// Returns the user and system time of this process so far, in seconds.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or("").split_whitespace().collect();
    let ticks = |i: usize| fields.get(i).and_then(|f| f.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / 100.0
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let number = |i: usize, default| words.get(i).and_then(|w| w.parse().ok()).unwrap_or(default);
    let boards = words.first().map_or(vec!["2x2", "3x3", "3x4"], |name| vec![name.as_str()]);
    for name in boards {
        match Setup::read(name.split(':')) {
            Ok(setup) if setup.width() <= 32 => search::<u32>(setup, number(1, 64), number(2, 1)),
            Ok(setup) => search::<u64>(setup, number(1, 64), number(2, 1)),
            Err(error) => println!("{error}"),
        }
    }
}
