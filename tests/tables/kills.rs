//! The command line: solvers that are killed, locked out, or given folders that cannot be written.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::Duration;

use crate::tools::{Dice, names};

const GAME: &str = "mnk:4,3,3";
const FILE: &str = "mnk_4,3,3.grundy";

/// Starts `grundy solve` with checkpoints as often as possible.
fn solver(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_grundy"));
    command.args(["solve", GAME, "--quiet", "--keep-every", "0", "--threads", "2", "--tables"]).arg(folder);
    command
}

fn tables(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_grundy"));
    command.arg("tables").args(args).arg("--tables").arg(folder).output().unwrap()
}

#[test]
fn a_file_size_limit_ends_a_solve_in_one_line_and_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    // Blocks of 512 bytes: the table has more than one and the checkpoint too.
    for blocks in [0, 1, 2] {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("ulimit -f {blocks}; exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_grundy")]);
        shell.args(["solve", "lgame", "--quiet", "--tables"]).arg(folder.path());
        let run = shell.output().unwrap();
        assert_eq!(run.status.code(), Some(1), "{blocks} blocks: {run:?}");
        let said = String::from_utf8(run.stderr).unwrap();
        assert!(said.contains("File too large") && said.lines().count() == 1, "{blocks} blocks: {said}");
        assert_eq!(names(folder.path()), Vec::<String>::new(), "{blocks} blocks");
    }
}

#[test]
fn a_run_that_finds_a_checkpoint_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let solve = |more: &[&str]| {
        let mut solve = Command::new(env!("CARGO_BIN_EXE_grundy"));
        solve.args(["solve", GAME, "--tables"]).arg(folder.path()).args(more);
        String::from_utf8(solve.output().unwrap().stderr).unwrap()
    };
    // Whatever the file holds, the table is the same.
    let checkpoint = || fs::write(folder.path().join("mnk_4,3,3.part"), "of another run").unwrap();
    checkpoint();
    assert!(solve(&[]).contains("mnk:4,3,3: finds the checkpoint of an earlier run"));
    assert_eq!(names(folder.path()), [FILE]);
    checkpoint();
    assert!(!solve(&["--quiet", "--again"]).contains("checkpoint of an earlier run"));
}

#[test]
fn a_table_whose_rules_file_is_gone_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let rules = folder.path().join("nim.rbg");
    fs::write(&rules, include_str!("../../rules/nim.rbg")).unwrap();
    let mut solve = Command::new(env!("CARGO_BIN_EXE_grundy"));
    solve.arg("solve").arg(&rules).args(["--quiet", "--tables"]).arg(folder.path());
    assert!(solve.output().unwrap().status.success());
    fs::remove_file(&rules).unwrap();
    let run = tables(folder.path(), &["verify", "--quiet"]);
    let said = String::from_utf8(run.stderr).unwrap();
    assert!(!run.status.success() && said.contains(".grundy: cannot read \""), "{said}");
}

#[test]
fn what_is_no_regular_file_is_no_table_and_nobody_waits_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("lgame.grundy");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let run = tables(folder.path(), &["verify"]);
    let said = format!("{}{}", String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    assert!(!run.status.success() && said.contains("expected a regular file, this is a pipe"), "{said}");
    let mut analyze = Command::new(env!("CARGO_BIN_EXE_grundy"));
    for file in [pipe.to_str().unwrap(), "/dev/zero"] {
        let game = format!("graph:file={file}");
        let run = analyze.args(["analyze", "--game", &game]).stdin(Stdio::null()).output().unwrap();
        let said = String::from_utf8_lossy(&run.stderr).into_owned();
        assert!(said.contains("expected a regular file, this is a "), "{said}");
        analyze = Command::new(env!("CARGO_BIN_EXE_grundy"));
    }
}

#[test]
fn fifty_kills_at_random_moments_end_with_the_same_bytes() {
    let reference = tempfile::tempdir().unwrap();
    assert!(solver(reference.path()).output().unwrap().status.success());
    let expected = fs::read(reference.path().join(FILE)).unwrap();
    let (killed, went_on) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let seen = || (killed.load(Ordering::Relaxed), went_on.load(Ordering::Relaxed));
    // On a fast machine a solver may finish before it is killed: then there are more solves, never fewer kills. They
    // mostly wait: three at a time.
    let solves = AtomicUsize::new(0);
    let solve_killed = |mut dice: Dice| {
        while solves.fetch_add(1, Ordering::Relaxed) < 50 || seen().0 < 50 || seen().1 == 0 {
            assert!(solves.load(Ordering::Relaxed) < 1_000, "killed and checkpoints: {:?}", seen());
            let folder = tempfile::tempdir().unwrap();
            // At most three runs are killed, the last one is not.
            for _ in 0..3 {
                let mut child = solver(folder.path()).stdout(Stdio::null()).spawn().unwrap();
                sleep(Duration::from_micros(dice.roll(60_000) as u64));
                killed.fetch_add(child.try_wait().unwrap().is_none().into(), Ordering::Relaxed);
                child.kill().unwrap();
                child.wait().unwrap();
                went_on.fetch_add(folder.path().join("mnk_4,3,3.part").exists().into(), Ordering::Relaxed);
            }
            let last = solver(folder.path()).output().unwrap();
            assert!(last.status.success(), "{last:?}");
            assert_eq!(names(folder.path()), [FILE]);
            assert!(fs::read(folder.path().join(FILE)).unwrap() == expected, "other bytes after a kill");
        }
    };
    std::thread::scope(|scope| {
        for seed in 11..14 {
            scope.spawn(move || solve_killed(Dice(seed)));
        }
    });
}

#[test]
fn a_solver_is_refused_in_one_line_where_another_one_works_or_the_folder_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |folder: &Path, more: &[&str], code: i32| {
        let output = solver(folder).args(more).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(text.lines().count(), 1, "{text}");
        text
    };
    let refusal = |folder: &Path, more: &[&str]| refused(folder, more, 1);
    let locked = grundy::table::Folder::find(Some(folder.path())).lock(GAME).unwrap();
    assert!(refusal(folder.path(), &[]).contains("another process is making this table"));
    drop(locked);
    let tight = refusal(folder.path(), &["--memory-limit", "0"]);
    let told = format!("{GAME} needs 1 MB of memory, the limit is 0 MB: expected a larger --memory-limit");
    assert!(tight.contains(&told), "{tight}");
    let estimate = solver(folder.path()).arg("--estimate").output().unwrap();
    let text = String::from_utf8(estimate.stdout).unwrap();
    assert!(estimate.status.success() && text.contains("positions") && text.contains("of memory"), "{text}");
    let file = folder.path().join("a file");
    fs::write(&file, "").unwrap();
    assert!(refused(&file, &[], 2).contains("a file is no folder: expected one"));
    assert!(refusal(&file.join("below"), &[]).contains("a file"));
    assert!(refusal(Path::new("/proc/nowhere"), &[]).contains("/proc/nowhere"));
    assert_eq!(names(folder.path()), ["a file"]);
    // A missing folder is made.
    let missing = folder.path().join("one").join("two");
    assert!(solver(&missing).output().unwrap().status.success());
}

#[test]
#[ignore = "mounts a small file system, which only root may"]
fn a_full_disk_is_one_line_and_nothing_half_written() {
    // A real full disk if the tests may mount a small file system; otherwise `disk` simulates one.
    let folder = tempfile::tempdir().unwrap();
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=128k", "tmpfs"])
        .arg(folder.path())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if !mounted {
        return;
    }
    let output = solver(folder.path()).output().unwrap();
    let left = names(folder.path());
    let unmounted = Command::new("umount").arg(folder.path()).status().unwrap();
    assert!(unmounted.success());
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("MB of disk"), "{text}");
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn tables_are_listed_proved_converted_and_counted() {
    let folder = tempfile::tempdir().unwrap();
    let made = solver(folder.path()).args(["--check"]).output().unwrap();
    assert!(String::from_utf8(made.stdout).unwrap().contains("proved"), "{:?}", made.stderr);
    let again = solver(folder.path()).output().unwrap();
    assert!(String::from_utf8(again.stdout).unwrap().contains("there already"));
    let packed = fs::read(folder.path().join(FILE)).unwrap();
    let text = |args: &[&str]| {
        let output = tables(folder.path(), args);
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(text(&["list"]).starts_with("mnk:4,3,3\t"));
    assert!(text(&["verify", "--quiet"]).contains("proved"));
    text(&["convert", "--plain", GAME]);
    assert!(text(&["list"]).contains("\tplain\t"));
    assert!(text(&["verify", GAME, "--quiet"]).contains("proved"));
    text(&["convert", GAME]);
    assert!(fs::read(folder.path().join(FILE)).unwrap() == packed);
    let stats = text(&["stats", GAME]);
    assert!(stats.contains("draw\t") && stats.contains("longest win:"), "{stats}");

    let mut bad = packed;
    let at = bad.len() - 9;
    bad[at] ^= 1;
    fs::write(folder.path().join(FILE), bad).unwrap();
    let output = tables(folder.path(), &["verify", "--quiet"]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains(FILE) && text.contains("checksum"), "{text}");
}

/// A path so long that one byte a cell holds its distances only because wins and losses alternate.
#[test]
fn a_table_of_alternating_distances_is_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("path.dot");
    let edges: String = (0..300).map(|node| format!("n{node} -> n{}; ", node + 1)).collect();
    fs::write(&path, format!("digraph {{ n0 [start=true]; {edges}}}")).unwrap();
    let game = format!("graph:file={}", path.display());
    let solve = || {
        let mut solve = Command::new(env!("CARGO_BIN_EXE_grundy"));
        solve.args(["solve", &game, "--quiet", "--tables"]).arg(folder.path()).output().unwrap()
    };
    assert!(solve().status.success());
    let again = solve();
    let said = String::from_utf8_lossy(&again.stdout);
    assert!(said.contains("loss:300") && said.contains("there already"), "{said}");
    assert_eq!(String::from_utf8_lossy(&again.stderr), "");
}
