//! A program with a game of one's own in front of those of grundy: endings of chess like any game that numbers its positions
//! and knows no predecessors, so that every move is sent to the shard of the position it leads to.
//!
//! Called with `solve` or `launch` this is that program; otherwise it calls itself and compares the tables.
//! `cargo test --release -p grundy-cluster --test own -- --ignored` takes an ending of four men.

#![allow(clippy::unwrap_used)] // a test that cannot go on should fail
#![allow(clippy::print_stdout)] // it runs without the harness that prints for others

use std::path::Path;
use std::process::{Command, ExitCode};

use grundy::catalog::CATALOG;
use grundy::games::chess::{Chess, Material};
use grundy::search::play::play;
use grundy::session::{Row, Settings, quiet_work};
use grundy::table::{Disk, Folder, Packing, Scratch, write};
use grundy::tables::TableOracle;

static ROWS: [Row; 1] = [Row::new("ending", "ending:KRvK", |spec| {
    let word = spec.word().ok_or("expected an ending as KRvK")?;
    let game = Chess::ending(Material::read(word).map_err(|_| "expected an ending as KRvK")?)?;
    Ok(play(spec, game).oracle(TableOracle::retrograde()).session())
})];

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.first().map(String::as_str) {
        Some("solve" | "launch") => return grundy_cluster::main(&ROWS),
        Some("--list") => return ExitCode::SUCCESS,
        _ => {}
    }
    let long = args.iter().any(|arg| arg == "--ignored");
    if long {
        compare("ending:KQvKR", &[(1, 1), (1, 2), (2, 1), (2, 2), (4, 1), (4, 2)]);
    } else {
        compare("ending:KRvK", &[(1, 1), (1, 2), (2, 1), (4, 1)]);
    }
    ExitCode::SUCCESS
}

/// Builds a table on one machine and in several processes and threads, and compares the files.
fn compare(game: &str, ways: &[(u32, u32)]) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("expected");
    solve(game, &path);
    let expected = std::fs::read(&path).unwrap();
    for &(processes, threads) in ways {
        let folder = folder.path().join(format!("{processes}-{threads}"));
        let mut command = Command::new(std::env::current_exe().unwrap());
        match processes {
            1 => command.args(["solve", game]),
            _ => command.args(["launch", game, "--local", &processes.to_string()]),
        };
        command.args(["--threads", &threads.to_string(), "--patience", "300", "--start-within", "600"]);
        let run = command.arg("--check").arg("--tables").arg(&folder).output().unwrap();
        let said = [&run.stdout, &run.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
        let at = format!("{game}, {processes} processes of {threads} threads");
        assert!(run.status.success() && said[0].contains("proved"), "{at}: {said:?}");
        let made = std::fs::read(Folder::find(Some(&folder)).file(game)).unwrap();
        assert!(made == expected, "other bytes: {at}: {said:?}");
        println!("{at}: the same {} bytes: {}", made.len(), said[0].lines().next().unwrap_or_default());
    }
}

fn solve(game: &str, path: &Path) {
    let catalog = CATALOG.with(&ROWS);
    let session = catalog.open(game, &Settings::default()).unwrap();
    let game = session.tabled(None).unwrap();
    let table = game.solve(&quiet_work(), &Scratch::none()).unwrap();
    write(&Disk, path, &game.label(), &table, Packing::Packed, 1).unwrap();
}
