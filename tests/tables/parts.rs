//! Tables built in parts: estimates, opening books, kills and damaged parts.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use grundy::session::Settings;

const GAME: &str = "dots:1x8";
const FILE: &str = "dots_1x8.grundy";
const PARTS: &str = "dots_1x8.parts";

fn grundy(folder: &Path, args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_grundy"))
        .args(args)
        .env("GRUNDY_TABLES", folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn estimates_are_printed_before_anything_starts() {
    let folder = tempfile::tempdir().unwrap();
    for (game, numbers) in
        [(GAME, "positions in all parts: "), ("dots:3x4", "173,408,256"), ("dots:3x5", "22,045,261,824")]
    {
        let printed = text(&grundy(folder.path(), &["solve", game, "--estimate"], ""));
        for word in [numbers, "disk: ", "memory: ", "time: "] {
            assert!(printed.contains(word), "{printed}");
        }
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    // Without a table a formula or a search has a time as well.
    for game in ["nim:3,5,7", "hexapawn:3x3"] {
        let printed = text(&grundy(folder.path(), &["solve", game, "--estimate"], ""));
        assert!(printed.contains("time: less than a second"), "{printed}");
    }
    // A table that this machine cannot hold is not what `solve` would do: one line tells the time of that.
    let printed = text(&grundy(folder.path(), &["solve", "mnk:5,5,4", "--estimate"], ""));
    assert!(
        printed.contains("\ntime of this table: ") && printed.contains("builds no table here"),
        "{printed}"
    );
    assert_eq!(printed.lines().filter(|line| line.starts_with("time: ")).count(), 1, "{printed}");
    // The search that has proved a value is named beside the time of the table.
    let printed = text(&grundy(folder.path(), &["solve", "dots:3x4", "--estimate"], ""));
    assert!(printed.contains("\ninstead: grundy solve dots:3x4 --by search "), "{printed}");
    let book = text(&grundy(folder.path(), &["solve", "connect4:4x4", "--book", "6", "--estimate"], ""));
    assert!(book.contains("time: ") && book.contains("an estimate"), "{book}");
}

#[test]
fn an_opening_book_is_refused_where_a_table_of_all_positions_is_built() {
    let folder = tempfile::tempdir().unwrap();
    for (game, why) in [
        ("dots:2x2", "--book would do nothing here: grundy solve dots:2x2 builds a table of all positions"),
        ("tictactoe", "--book would do nothing here: grundy solve tictactoe builds"),
        ("nim:3,5,7", "nim:3,5,7 has no such opening book: "),
    ] {
        let out = grundy(folder.path(), &["solve", game, "--book", "2"], "");
        let said = String::from_utf8_lossy(&out.stderr);
        assert_eq!((out.status.code(), said.lines().count()), (Some(2), 1), "{said}");
        assert!(said.contains(why), "{said}");
    }
}

#[test]
fn an_opening_book_is_used_and_ends_where_it_ends() {
    let folder = tempfile::tempdir().unwrap();
    let whole = tempfile::tempdir().unwrap();
    text(&grundy(folder.path(), &["solve", GAME, "--book", "1", "--quiet"], ""));
    text(&grundy(folder.path(), &["solve", GAME, "--book", "3", "--quiet", "--check"], ""));
    let again = text(&grundy(folder.path(), &["solve", GAME, "--book", "2", "--quiet"], ""));
    assert!(again.contains("there already"), "{again}");
    text(&grundy(whole.path(), &["solve", GAME, "--quiet", "--check"], ""));
    assert!(folder.path().join(FILE).exists() && !folder.path().join(PARTS).exists());
    assert!(text(&grundy(folder.path(), &["tables", "verify", GAME, "--quiet"], "")).contains("proved"));
    let value = |folder: &Path, moves: &str| {
        let settings = Settings { tables: Some(folder.to_owned()), ..Settings::default() };
        let mut session = grundy::catalog::open(GAME, &settings).unwrap();
        moves.split_whitespace().for_each(|word| drop(session.play(word).unwrap()));
        session.value()
    };
    // The book has positions with three lines drawn, not those with four: these are searched.
    for (moves, in_book) in [("", true), ("a1b1 c1d1 f1g1", true), ("a1b1 c1d1 f1g1 d2e2", false)] {
        let known = value(whole.path(), moves);
        assert!(known.is_some(), "{moves}");
        assert_eq!(value(folder.path(), moves), known.filter(|_| in_book), "{moves}");
    }
    // Best moves come from the book, from the search and from the table alike.
    let positions =
        "startpos\nstartpos moves a1b1\nstartpos moves a1b1 c1d1 f1g1\nstartpos moves a1b1 c1d1 f1g1 d2e2\n";
    let analyze = ["analyze", "--game", GAME, "--movetime", "20000"];
    let nothing = tempfile::tempdir().unwrap();
    let answers = |folder: &Path| {
        let printed = text(&grundy(folder, &analyze, positions));
        let sorted = |line: &str| {
            let mut fields: Vec<String> = line.split('\t').map(str::to_owned).collect();
            for field in &mut fields[2..] {
                let mut words: Vec<&str> = field.split(' ').collect();
                words.sort_unstable();
                *field = words.join(" ");
            }
            fields
        };
        printed.lines().map(sorted).collect::<Vec<_>>()
    };
    let expected = answers(whole.path());
    assert_eq!(answers(folder.path()), expected);
    assert_eq!(answers(nothing.path()), expected);
}

#[test]
fn killed_work_goes_on_from_its_parts_and_ends_with_the_same_bytes() {
    let reference = tempfile::tempdir().unwrap();
    text(&grundy(reference.path(), &["solve", GAME, "--quiet"], ""));
    let expected = fs::read(reference.path().join(FILE)).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut went_on = 0;
    for n in 1..=6 {
        let mut child = Command::new(env!("CARGO_BIN_EXE_grundy"))
            .args(["solve", GAME, "--quiet", "--threads", "2", "--tables"])
            .arg(folder.path())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let parts = || fs::read_dir(folder.path().join(PARTS)).into_iter().flatten().flatten();
        // Killed when there are more parts than the last time.
        while child.try_wait().unwrap().is_none() && parts().count() < 6 * n {
            sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        went_on += usize::from(parts().count() > 0);
        // Now and then a part is damaged as well.
        if n % 2 == 0
            && let Some(part) = parts().max_by_key(|entry| entry.metadata().unwrap().len())
        {
            fs::write(part.path(), "nonsense").unwrap();
        }
    }
    // A damaged part that is needed ends a run with a message, and is removed by the next.
    for _ in 0..8 {
        if grundy(folder.path(), &["solve", GAME, "--quiet"], "").status.success() {
            break;
        }
    }
    assert!(fs::read(folder.path().join(FILE)).unwrap() == expected, "other bytes after a kill");
    assert!(!folder.path().join(PARTS).exists());
    assert!(went_on > 0, "no kill came in the middle");
}

#[test]
fn a_search_tells_its_size_first_and_bounds_until_it_is_done() {
    let folder = tempfile::tempdir().unwrap();
    let solve = ["solve", "dots:2x5", "--by", "search", "--hash", "16", "--threads", "2"];
    let printed = text(&grundy(folder.path(), &solve, ""));
    let lines: Vec<&str> = printed.lines().collect();
    assert!(lines[1].contains("27 lines open: at most 2^27 positions"), "{printed}");
    assert!(
        printed.contains("value = -2") && lines.last().unwrap().starts_with("proved; best play "),
        "{printed}"
    );
    // The empty 5x5 is stopped by its time limit, with what is proved by then.
    let solve = ["solve", "dots:5x5", "--by", "search", "--hash", "16", "--seconds", "0.5"];
    assert!(text(&grundy(folder.path(), &solve, "")).contains("not proved in "));
    let over = ["solve", "hex:2", "--by", "search", "--position", "X./XO 2"];
    assert!(text(&grundy(folder.path(), &over, "")).contains("the game is over"));
}

#[test]
fn a_search_asks_no_table_and_no_formula() {
    let folder = tempfile::tempdir().unwrap();
    assert!(grundy(folder.path(), &["solve", "mnk:4,3,3:misere"], "").status.success());
    for (game, value) in [("dots:2x2", "value = +2"), ("mnk:4,3,3:misere", "value = loss:11")] {
        let (found, nodes) = told(&text(&grundy(folder.path(), &["solve", game, "--by", "search"], "")));
        assert_eq!(found, value);
        assert!(nodes > 1, "{game} was looked up");
    }
    // A game without a search of its own is searched as textbooks do.
    let plain = text(&grundy(folder.path(), &["solve", "nim:3,5,7", "--by", "search"], ""));
    assert!(plain.contains("value = win:15\tpositions "), "{plain}");
}

/// Returns the last value and the node count of a search.
fn told(printed: &str) -> (String, u64) {
    let line =
        printed.lines().rfind(|line| line.starts_with("value = ")).unwrap_or_else(|| panic!("{printed}"));
    let mut fields = line.split('\t');
    let value = fields.next().unwrap().to_owned();
    (value, fields.next().unwrap().strip_prefix("nodes ").unwrap().parse().unwrap())
}

#[test]
fn a_search_that_was_killed_goes_on_from_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kept");
    let search = |game: &str, hash: &str, every: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_grundy"));
        command.args(["solve", game, "--by", "search", "--hash", hash, "--keep-every", every, "--keep"]);
        command.arg(&file);
        command
    };
    let whole = text(&grundy(folder.path(), &["solve", "dots:2x5", "--by", "search", "--hash", "16"], ""));
    let (value, nodes) = told(&whole);
    let mut child = search("dots:2x5", "16", "0.05").stdout(Stdio::null()).spawn().unwrap();
    while !file.exists() && child.try_wait().unwrap().is_none() {
        sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let again = text(&search("dots:2x5", "16", "20").output().unwrap());
    assert!(again.starts_with("goes on from "), "{again}");
    let (value_again, nodes_again) = told(&again);
    assert!(value_again == value && nodes_again < nodes, "{whole}{again}");
    // The proof is in the file by now.
    let (value_known, nodes_known) = told(&text(&search("dots:2x5", "16", "20").output().unwrap()));
    assert!(value_known == value && nodes_known * 10 < nodes, "{nodes_known} of {nodes}");
    // A file that cannot be resumed from is refused in one line with its name, and not changed.
    let good = fs::read(&file).unwrap();
    let refused = |command: &mut Command, why: &str| {
        let output = command.output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && said.contains(why) && !said.contains("panicked"), "{said}");
    };
    refused(&mut search("dots:1x6", "16", "20"), "of another game, expected dots:1x6");
    refused(&mut search("dots:2x5", "32", "20"), "kept with a table of 16 MB");
    let mut bad = good.clone();
    for (place, length) in [(0, good.len()), (9, good.len()), (good.len() / 2, good.len()), (0, 100), (0, 0)]
    {
        bad.clone_from(&good);
        bad[place] ^= 4;
        bad.truncate(length);
        fs::write(&file, &bad).unwrap();
        refused(&mut search("dots:2x5", "16", "20"), "damaged, or not a kept search");
        assert!(fs::read(&file).unwrap() == bad);
    }
    let mut other = search("connect4:4x4", "16", "20");
    refused(&mut other, "cannot be saved: expected ");
}
