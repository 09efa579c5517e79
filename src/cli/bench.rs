//! `grundy bench`: fixed positions of many games. Nodes and checksum change only when behaviour does.

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Args;
use grundy::session::{Go, Settings};
use grundy::solve::Limits;

use super::open;

#[derive(Args)]
pub struct BenchArgs {}

/// Game, and the moves from its start to the position that is searched, with the depth where a limit is needed.
const POSITIONS: &[(&str, &str, Option<u32>)] = &[
    ("nim:3,5,7", "", None),
    ("connect4:5x4", "", None),
    ("connect4:7x6", "d d e", Some(9)),
    ("othello:4x4", "", None),
    ("othello:4x4:score=win", "", None),
    ("othello:8x8", "d3", Some(6)),
    ("hex:4", "", None),
    ("domineering:5x5", "", None),
    ("breakthrough:4x4", "", None),
    ("hexapawn:4x5", "", None),
    ("kalah:4,3", "", None),
    ("mnk:7,7,5", "d4", Some(3)),
];

pub fn run(_args: &BenchArgs) -> Result<ExitCode> {
    let mut out = io::stdout().lock();
    let (mut nodes, mut checksum) = (0, 0xcbf2_9ce4_8422_2325_u64);
    let began = Instant::now();
    for (game, moves, depth) in POSITIONS {
        let mut session = open(game, &Settings::default())?;
        for word in moves.split_whitespace() {
            session.play(word).with_context(|| format!("bench position of {game}"))?;
        }
        let go = Go { limits: Limits { depth: *depth, ..Limits::default() }, ..Go::default() };
        let (mut here, mut found) = (0, String::new());
        let stop = AtomicBool::new(false);
        let best = session.go(&go, &stop, &mut |info| {
            here = info.nodes;
            found = format!("{:?}", info.score);
        });
        let best = best.unwrap_or_default();
        nodes += here;
        for byte in found.bytes().chain(best.bytes()) {
            checksum = (checksum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        writeln!(out, "{game} {moves}: {found} {best}, {here} nodes")?;
    }
    let rate = nodes as f64 / began.elapsed().as_secs_f64().max(1e-9);
    writeln!(out, "bench: {nodes} nodes, checksum {checksum:016x}, {rate:.0} nodes a second")?;
    Ok(ExitCode::SUCCESS)
}
