//! Games solved tier by tier: the command line builds, resumes, proves and counts their tables.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use grundy::game::Notation;
use grundy::games::morris::{Morris, Variant};
use grundy::session::{Home, Need, SolveError, quiet_work};
use grundy::table::{Disk, Folder, Label, Packing, Table, write};
use grundy::tables::{Oracle, TierOracle};

use crate::tools::Dice;

fn grundy(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_grundy"));
    command.args(args).arg("--tables").arg(folder);
    command
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn run(folder: &Path, args: &[&str]) -> (Option<i32>, String) {
    let output = grundy(folder, args).output().unwrap();
    (output.status.code(), said(&output))
}

/// Returns every file of a folder with its bytes.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().flatten();
    entries
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path()).unwrap()))
        .collect()
}

#[test]
fn tiers_are_made_proved_and_counted_and_the_engine_plays_from_them() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (code, text) = run(folder, &["solve", "morris:3", "--quiet", "--check"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.lines().last().unwrap().starts_with("proved: all "), "{text}");
    let (_, again) = run(folder, &["solve", "morris:3", "--quiet"]);
    assert!(again.contains(", 0 built in "), "{again}");
    let (code, verified) = run(folder, &["tables", "verify", "morris:3"]);
    assert!(code == Some(0) && verified.lines().all(|line| line.contains(": proved")), "{verified}");
    let (_, stats) = run(folder, &["tables", "stats", "morris:3"]);
    assert!(stats.starts_with("tier\tpositions\twin\tdraw\tloss\tover\tlongest\n"), "{stats}");
    assert!(stats.contains("\n0+3-0+3\t1\t1\t0\t0\t0\t9\n"), "{stats}");
    let (_, one) = run(folder, &["tables", "stats", "morris:3:tier=0+3-0+3"]);
    assert!(stats.contains(one.lines().last().unwrap()), "{one}");
    let (_, one) = run(folder, &["tables", "stats", "morris:3:tier=0+3-0+3", "--json"]);
    let section = r#"{"section":"0+3-0+3","positions":1,"win":1,"draw":0,"loss":0,"over":0,"longest":9}"#;
    assert!(one.contains(&format!(r#""positions":1,"unused_indices":0,"sections":[{section}]}}"#)), "{one}");
}

#[test]
fn another_folder_of_tables_is_looked_into_when_it_is_named() {
    let (empty, full) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (code, text) = run(full.path(), &["solve", "morris:6:tier=3-3", "--quiet"]);
    assert_eq!(code, Some(0), "{text}");
    let game = Morris::new(Variant::Six, None);
    let oracle = TierOracle::new(&game, "morris:6".to_owned(), None).unwrap();
    let position = game.read_position("X.X/.../..../OO./O.X 0-0 2").unwrap();
    let ready = |folder: &Path| {
        let home = Home { folder: Folder::find(Some(folder)), name: "morris:6".to_owned() };
        let (automatic, hurried, work) = (Duration::ZERO, false, &quiet_work());
        oracle.ready(
            &game,
            &position,
            &Need { home: &home, automatic, quiet: automatic, patience: automatic, hurried, work },
        )
    };
    assert!(matches!(ready(empty.path()), Err(SolveError::NoTable { .. })));
    assert_eq!(oracle.value(&game, &position), None);
    ready(full.path()).unwrap();
    assert!(oracle.value(&game, &position).is_some());
}

/// Runs solves with checkpoints as often as possible; each is killed a few times and ends with the same files.
fn kills_do_no_harm(game: &str, longest: usize, solves: usize) {
    let reference = tempfile::tempdir().unwrap();
    let solve = ["solve", game, "--quiet", "--keep-every", "0"];
    assert!(grundy(reference.path(), &solve).output().unwrap().status.success());
    let expected = files(reference.path());
    let mut dice = Dice(5);
    // A kill comes before or after a checkpoint by chance; `resume.rs` resumes from every checkpoint.
    for _ in 0..solves {
        let folder = tempfile::tempdir().unwrap();
        for _ in 0..3 {
            let mut child = grundy(folder.path(), &solve).stdout(Stdio::null()).spawn().unwrap();
            sleep(Duration::from_micros(dice.roll(longest) as u64));
            child.kill().unwrap();
            child.wait().unwrap();
        }
        let (code, text) = run(folder.path(), &solve);
        assert_eq!(code, Some(0), "{text}");
        assert!(files(folder.path()) == expected, "the files differ");
    }
}

#[test]
fn a_solve_that_is_killed_goes_on_and_ends_with_the_same_bytes() {
    std::thread::scope(|scope| {
        scope.spawn(|| kills_do_no_harm("morris:3", 200_000, 4));
        scope.spawn(|| kills_do_no_harm("awari:7", 100_000, 4));
    });
}

#[test]
fn what_a_killed_solve_leaves_beside_a_finished_table_goes_away() {
    for (game, file) in [("morris:3", "morris_3_tier=3-3"), ("awari:4", "awari_4")] {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        assert_eq!(run(folder, &["solve", game, "--quiet"]).0, Some(0));
        let expected = files(folder);
        for left in [".lock", ".part", ".part.tmp.7", ".grundy.tmp.7"] {
            fs::write(folder.join(format!("{file}{left}")), "left").unwrap();
        }
        let (code, text) = run(folder, &["solve", game, "--quiet"]);
        assert_eq!(code, Some(0), "{text}");
        assert!(files(folder) == expected, "{game}: {:?}", files(folder).keys());
    }
}

/// The limit is a number of blocks of 512 bytes: the first table or checkpoint that is larger fails.
#[test]
fn a_file_size_limit_ends_a_solve_in_one_line_and_the_same_command_goes_on() {
    for game in ["morris:6:tier=4-3", "awari:6"] {
        let reference = tempfile::tempdir().unwrap();
        assert_eq!(run(reference.path(), &["solve", game, "--quiet"]).0, Some(0));
        let expected = files(reference.path());
        let sizes = || expected.values().map(Vec::len);
        // Nothing fits; or all but the largest table, with checkpoints, too.
        let blocks = sizes().max().unwrap() / 512;
        let fitting = sizes().filter(|size| *size <= blocks * 512).count();
        for (blocks, every, fitting) in
            [(0, "60", 0), (1, "0", 0), (blocks, "60", fitting), (blocks, "0", fitting)]
        {
            let folder = tempfile::tempdir().unwrap();
            let mut shell = Command::new("sh");
            let limited = format!("ulimit -f {blocks}; exec \"$0\" \"$@\"");
            shell.args(["-c", &limited, env!("CARGO_BIN_EXE_grundy")]);
            shell.args(["solve", game, "--quiet", "--keep-every", every, "--tables"]).arg(folder.path());
            let limited = shell.output().unwrap();
            let at = format!("{game}, {blocks} blocks, every {every}");
            assert_eq!(limited.status.code(), Some(1), "{at}: {limited:?}");
            let text = String::from_utf8(limited.stderr).unwrap();
            let (warnings, errors): (Vec<&str>, Vec<&str>) =
                text.lines().partition(|line| line.contains("no checkpoint"));
            assert!(errors.len() == 1 && errors[0].contains("File too large"), "{at}: {text}");
            // A failed checkpoint is reported once for each table.
            assert!(warnings.len() <= if every == "0" { 1 + fitting } else { 0 }, "{at}: {text}");
            let left = files(folder.path());
            assert_eq!(left.keys().filter(|name| name.ends_with(".grundy")).count(), fitting, "{at}");
            let other = left.keys().find(|name| !name.ends_with(".grundy") && !name.ends_with(".part"));
            assert_eq!(other, None, "{at}");
            let (code, text) = run(folder.path(), &["solve", game, "--quiet", "--check"]);
            assert!(code == Some(0) && text.contains("proved"), "{at}: {text}");
            assert!(files(folder.path()) == expected, "{at}");
        }
    }
}

#[test]
fn limits_are_kept_and_what_was_made_stays() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (code, text) = run(folder, &["solve", "morris:6", "--quiet", "--memory-limit", "8"]);
    assert!(code == Some(1) && text.contains("the limit is 8 MB") && text.lines().count() == 1, "{text}");
    assert!(files(folder).is_empty());
    let (code, text) = run(folder, &["solve", "morris:6:tier=4-3", "--quiet", "--disk-limit", "0"]);
    assert!(code == Some(1) && text.contains("morris:6:tier=3-3: up to"), "{text}");
    let (code, text) = run(folder, &["solve", "morris:6:tier=3-3", "--quiet"]);
    assert_eq!(code, Some(0), "{text}");
    let (code, text) = run(folder, &["solve", "morris:6:tier=4-3", "--quiet", "--disk-limit", "0"]);
    assert!(
        code == Some(1) && text.contains("morris:6:tier=4-3: up to") && files(folder).len() == 1,
        "{text}"
    );
    let (code, text) = run(folder, &["solve", "awari:30", "--quiet", "--disk-limit", "1"]);
    assert!(code == Some(1) && text.contains("awari:30: up to") && text.lines().count() == 1, "{text}");
    for game in ["awari:14", "morris:lasker"] {
        let (code, text) = run(folder, &["solve", game, "--quiet", "--memory-limit", "8"]);
        assert!(code == Some(1) && text.contains("MB of memory, the limit is 8 MB"), "{text}");
        assert!(text.lines().count() == 1 && files(folder).len() == 1, "{text}");
    }
    let (code, text) = run(folder, &["tables", "stats", "morris:9"]);
    assert!(code != Some(0) && text.contains("`grundy solve morris:9` makes it"), "{text}");
}

#[test]
fn a_tier_for_which_there_is_too_little_memory_is_made_from_blocks_on_the_disk() {
    let (plenty, little) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let solve = ["solve", "morris:6:tier=4-3", "--quiet"];
    assert_eq!(run(plenty.path(), &solve).0, Some(0));
    // Two tables whose buffers alone would take more, and their moves into each other.
    let (code, text) = run(little.path(), &[&solve[..], &["--memory-limit", "16", "--check"]].concat());
    assert!(code == Some(0) && text.contains("proved: all "), "{text}");
    assert!(files(little.path()) == files(plenty.path()), "the files differ");
    let (code, text) =
        run(little.path(), &[&solve[..], &["--memory-limit", "16", "--again", "--disk-limit", "0"]].concat());
    assert!(code == Some(1) && text.contains("on disk"), "{text}");
}

#[test]
fn a_limit_of_the_process_is_a_limit_of_the_work() {
    let folder = tempfile::tempdir().unwrap();
    for more in ["", " --memory-limit 100000"] {
        let solve = format!("ulimit -v 600000; exec \"$0\" solve awari:20 --quiet{more} --tables \"$1\"");
        let mut command = Command::new("sh");
        command.arg("-c").arg(solve).arg(env!("CARGO_BIN_EXE_grundy")).arg(folder.path());
        let output = command.output().unwrap();
        let text = said(&output);
        assert!(output.status.code() == Some(1) && text.lines().count() == 1, "{text}");
        let limit = text.split("the limit is ").nth(1).and_then(|rest| rest.split(' ').next());
        assert!(limit.is_some_and(|mb| mb.parse::<u64>().unwrap() < 600), "{text}");
    }
}

#[test]
fn a_wrong_value_in_any_tier_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    assert!(grundy(folder, &["solve", "morris:3", "--quiet"]).output().unwrap().status.success());
    let path = folder.join("morris_3_tier=1+2-1+2.grundy");
    let whole = fs::read(&path).unwrap();
    let table = Table::open(&path).unwrap();
    let header = table.header().unwrap().clone();
    let mut cells = vec![0; table.count() as usize];
    table.copy_bytes(0, &mut cells).unwrap();
    let at = cells.iter().position(|&cell| cell > 3).unwrap();
    cells[at] ^= 1;
    let forged = Table::from_cells(table.coding(), table.count(), cells).unwrap();
    let label = Label { name: header.name, fingerprint: header.fingerprint, maker: header.maker };
    write(&Disk, &path, &label, &forged, Packing::Packed, 1).unwrap();
    let (code, text) = run(folder, &["tables", "verify", "morris:3"]);
    assert!(code == Some(1) && text.contains("its children make it"), "{text}");
    fs::write(&path, &whole).unwrap();
    // A missing tier is named.
    fs::remove_file(&path).unwrap();
    let (code, text) = run(folder, &["tables", "verify", "morris:3"]);
    assert!(code == Some(1) && text.contains("no table of morris:3:tier=1+2-1+2"), "{text}");
}
