//! Tests that the files are those of one machine, and that no other files stay.

use std::fs;

use grundy::catalog::CATALOG;
use grundy::session::{Settings, quiet_work};
use grundy::table::{Disk, Folder, Packing, Scratch, write};

use crate::tools::{PATIENT, coins, expected, made, names, program, random_graph, said};

/// Builds a table in several processes and threads, and compares it.
fn compare(game: &str, processes: u32, threads: u32, more: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let mut command = program();
    match processes {
        1 => command.args(["solve", game]),
        _ => command.args(["launch", game, "--local", &processes.to_string()]),
    };
    command.args(["--threads", &threads.to_string(), "--tables"]).arg(folder.path()).args(more).args(PATIENT);
    let run = command.output().unwrap();
    let at = format!("{game}, {processes} processes of {threads} threads: {:?}", said(&run));
    assert!(run.status.success(), "{at}");
    let form = if more.contains(&"--plain") { Packing::Plain } else { Packing::Packed };
    assert!(made(folder.path(), game) == expected(game, form), "other bytes: {at}");
    let (out, log) = said(&run);
    assert_eq!(log, "", "{at}");
    let proved = more.contains(&"--check");
    assert_eq!(out.lines().count(), if proved { 3 } else { 2 }, "{at}");
    assert_eq!(out.contains("proved: all "), proved, "{at}");
    // Beside the table of a rules file whose positions have no numbers by a formula lies the file of its positions.
    let keyed = ["rules:konane", "rules:lgame"].contains(&game) || game.starts_with("rules:file=");
    let files = 1 + usize::from(keyed);
    assert_eq!(names(folder.path()).len(), files, "{at}: {:?}", names(folder.path()));
}

#[test]
fn rules_files() {
    for game in ["rules:tictactoe", "rules:pong-hau-ki", "rules:dodgem", "rules:nim", "rules:konane"] {
        for (processes, threads) in [(1, 1), (2, 2)] {
            compare(game, processes, threads, &["--check"]);
        }
    }
}

#[test]
fn cyclic_games_for_points() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("coins.rbg");
    std::fs::write(&file, coins(&["xece", "ecec", "ceco"])).unwrap();
    let rules = format!("rules:file={}", file.display());
    for (processes, threads) in [(1, 1), (1, 2), (3, 1)] {
        compare("awari:7", processes, threads, &["--check"]);
        compare(&rules, processes, threads, &["--check"]);
    }
}

#[test]
fn tiers_one_after_another() {
    let (folder, alone) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let game = "morris:3";
    let mut command = program();
    command.args(["launch", game, "--local", "3", "--check", "--tables"]).arg(folder.path()).args(PATIENT);
    let run = command.output().unwrap();
    assert!(run.status.success(), "{:?}", said(&run));
    let settings = Settings { tables: Some(alone.path().to_owned()), ..Settings::default() };
    let session = CATALOG.open(game, &settings).unwrap();
    let game = session.tabled(None).unwrap();
    let (here, there) = (Folder::find(Some(alone.path())), Folder::find(Some(folder.path())));
    for part in game.parts() {
        let table = part.solve(&quiet_work(), &Scratch::none()).unwrap();
        let (path, made) = (here.file(part.name()), fs::read(there.file(part.name())).unwrap());
        write(&Disk, &path, &part.label(), &table, Packing::Packed, 1).unwrap();
        assert!(made == fs::read(path).unwrap(), "other bytes: {}", part.name());
    }
    assert_eq!(names(folder.path()).len(), game.parts().len(), "{:?}", names(folder.path()));
}

#[test]
fn small_games_on_threads_and_processes() {
    for game in ["lgame", "mnk:3,3,3", "euler:3x3", "dots:2x2", "graph"] {
        for (processes, threads) in [(1, 1), (1, 3), (2, 1), (3, 2)] {
            compare(game, processes, threads, &["--check"]);
        }
    }
}

#[test]
fn files_with_blocks_as_they_are() {
    compare("lgame", 1, 2, &["--plain"]);
    compare("mnk:4,3,3", 2, 1, &["--plain"]);
}

#[test]
fn a_larger_game_in_four_processes() {
    compare("teeko:4x4", 4, 1, &["--check"]);
}

#[test]
fn a_random_graph() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("graph.dot");
    std::fs::write(&file, random_graph(5_000)).unwrap();
    compare(&format!("graph:file={}", file.display()), 2, 2, &["--check"]);
}

/// All numbers of processes and threads.
fn compare_all(game: &str) {
    for (processes, threads) in [(1, 1), (1, 2), (2, 1), (2, 2), (4, 1), (4, 2)] {
        let begun = std::time::Instant::now();
        compare(game, processes, threads, &[]);
        eprintln!("{game}, {processes} x {threads}: the same bytes, {:.1} s", begun.elapsed().as_secs_f64());
    }
}

macro_rules! large {
    ($($name:ident: $game:expr,)*) => {$(
        #[test]
        #[ignore = "minutes: cargo test --release -p grundy-cluster -- --ignored large"]
        fn $name() {
            compare_all($game);
        }
    )*};
}

/// Each by itself, so that one can be run alone.
mod large {
    use super::*;

    large! {
        lgame: "lgame",
        teeko_4x4: "teeko:4x4",
        teeko_5x4: "teeko:5x4",
        mnk_4_4_4: "mnk:4,4,4",
        euler_5x5: "euler:5x5",
        dots_3x3: "dots:3x3",
        awari_12: "awari:12",
        rules_lgame: "rules:lgame",
        rules_hexapawn: "rules:hexapawn",
    }

    #[test]
    #[ignore = "minutes: cargo test --release -p grundy-cluster -- --ignored large"]
    fn graph_of_a_million_nodes() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("graph.dot");
        fs::write(&file, random_graph(1_000_000)).unwrap();
        compare_all(&format!("graph:file={}", file.display()));
    }
}
