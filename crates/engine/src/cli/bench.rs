//! `grundy bench`: searches fixed positions of many games. Nodes and checksum change only if behaviour does.

use std::io::Write;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Args;
use grundy_session::Limits;
use grundy_session::{Catalog, Go, Settings, Trial};

use super::output::stdout;
use super::shared::open;

#[derive(Args)]
pub struct BenchArgs {}

pub fn run(catalog: &Catalog, _args: &BenchArgs) -> Result<ExitCode> {
    let mut out = stdout();
    let (mut nodes, mut checksum) = (0, 0xcbf2_9ce4_8422_2325_u64);
    let began = Instant::now();
    // Books would answer in place of the search.
    let settings = Settings { own_book: false, known: false, ..Settings::default() };
    for Trial { game, moves, depth } in catalog.trials() {
        let mut session = open(catalog, game, &settings)?;
        for word in moves.split_whitespace() {
            session.play(word).with_context(|| format!("bench position of {game}"))?;
        }
        let go = Go { limits: Limits { depth: *depth, ..Limits::default() }, ..Go::default() };
        let (mut here, mut found) = (0, String::new());
        let stop = AtomicBool::new(false);
        let best = session.think(&go, &stop, &mut |info| {
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
