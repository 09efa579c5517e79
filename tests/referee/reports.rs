//! Exports and the report page of a record; the page is opened in a real browser if there is one.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use grundy::catalog;

use crate::tools::{GRUNDY, arguments, bad_engine, folder, referee};

/// Returns a record of two games of a good engine against one that slips.
fn record(folder: &Path) -> PathBuf {
    let record = folder.join("record.jsonl");
    let bad = bad_engine().display();
    let engines = [
        format!("name=good {GRUNDY}"),
        format!("name=w<eak {bad} worst"),
        format!("name=rude {bad} illegal"),
    ];
    let mut all = vec!["match", "--game", "tictactoe", "--game", "nim:3,4,5", "--openings", "random:1"];
    for engine in &engines {
        all.extend(["--engine", engine]);
    }
    all.extend(["--record", record.to_str().unwrap()]);
    let run = referee(&all);
    assert_eq!(run.code, Some(3), "{}", run.said());
    record
}

fn export(record: &Path, format: &str) -> String {
    let run = referee(&["export", record.to_str().unwrap(), format]);
    assert_eq!(run.code, Some(0), "{}", run.said());
    run.out
}

#[test]
fn a_record_goes_out_in_the_formats_of_others() {
    let folder = folder();
    let record = record(&folder);
    let pgn = export(&record, "--pgn");
    assert_eq!(pgn.matches("[Event ").count(), 12);
    assert!(
        pgn.contains("[Variant \"tictactoe\"]") && pgn.contains("[Termination \"illegal move\"]"),
        "{pgn}"
    );
    assert!(pgn.lines().all(|line| line.starts_with('[') || line.len() <= 80), "{pgn}");
    assert_eq!(pgn.matches("[TimeControl \"1/1\"]\n").count(), 12, "{pgn}");
    let csv = export(&record, "--csv");
    assert_eq!(csv.lines().count(), 13);
    let junit = export(&record, "--junit");
    assert!(junit.contains("<testsuite name=\"grundy referee\" tests=\"12\""), "{junit}");
    assert!(junit.contains("<failure message=\"w&lt;eak played "), "{junit}");
    assert!(junit.contains("<error message=\"Player 2 makes an illegal move: zzz\"/>"), "{junit}");
    assert_eq!(referee(&["export", record.to_str().unwrap()]).code, Some(2));
    assert_eq!(referee(&["export", "/nowhere", "--csv"]).code, Some(2));
    let checked = referee(&["check", record.to_str().unwrap()]);
    assert!(checked.err.contains("is the record of a match and no certificate"), "{}", checked.said());
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn an_engine_that_ends_badly_after_its_games_is_exported() {
    let folder = folder();
    let record = folder.join("record");
    let engines =
        [format!("name=good {GRUNDY}"), format!("name=b<ad {} crash-at-quit", bad_engine().display())];
    let more = ["--game", "nim:1,2", "--movetime", "20000", "--record", record.to_str().unwrap()];
    let run = referee(&arguments(&engines, &more));
    assert_eq!(run.code, Some(4), "{}", run.said());
    let csv = export(&record, "--csv");
    let line = ",,,\"b<ad\",,,abandoned,\"disconnects: at quit, exit status 9\",,,,,,,";
    assert_eq!(csv.lines().last(), Some(line), "{csv}");
    let cells = |line: &str| line.matches(',').count();
    // Its words have a comma of their own.
    assert_eq!(csv.lines().next().map(cells), csv.lines().last().map(|line| cells(line) - 1), "{csv}");
    let junit = export(&record, "--junit");
    assert!(junit.contains("tests=\"3\" failures=\"0\" errors=\"1\""), "{junit}");
    assert!(junit.contains("<testcase classname=\"b&lt;ad\" name=\"after its games\">"), "{junit}");
    assert!(junit.contains("<error message=\"disconnects: at quit, exit status 9\"/>"), "{junit}");
    std::fs::remove_dir_all(folder).unwrap();
}

fn report(folder: &Path) -> PathBuf {
    let page = folder.join("report.html");
    let run = referee(&["report", record(folder).to_str().unwrap(), "-o", page.to_str().unwrap()]);
    assert_eq!(run.code, Some(0), "{}", run.said());
    page
}

#[test]
fn boards_of_dots_say_who_makes_the_next_loony_move() {
    let folder = folder();
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (record, page) = (path("dots.jsonl"), path("dots.html"));
    let engines = [format!("name=a {GRUNDY}"), format!("name=b {GRUNDY}")];
    let mut run = vec!["match", "--record", &record, "--game", "dots:1x3"];
    for engine in &engines {
        run.extend(["--engine", engine]);
    }
    assert_eq!(referee(&run).code, Some(0));
    assert_eq!(referee(&["report", &record, "-o", &page]).code, Some(0));
    let text = std::fs::read_to_string(&page).unwrap();
    assert!(text.contains("A free line bears who makes the next loony move"));
    let bears = |mark: &str| text.contains(&format!("\\\"\\u003e{mark}\\u003c/text"));
    assert!(bears("v") || bears("^"), "some line decides it");
    assert!(!bears("?"), "so small a board is known at once");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_report_is_one_page_that_needs_nothing_else() {
    let folder = folder();
    let page = std::fs::read_to_string(report(&folder)).unwrap();
    for foreign in ["http:", "https:", "src=", "@import", "url("] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    assert!(page.contains("w&lt;eak") && page.contains("<pre>position fen "), "escaped, and to be pasted");
    let data = page.split("id=\"data\">").nth(1).unwrap().split("</script>").next().unwrap();
    assert!(!data.contains(['<', '>', '&']), "an engine's words end no script element and begin none");
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    assert_eq!(data["games"].as_array().unwrap().len(), 12);
    assert!(data["boards"].as_array().unwrap().iter().all(|b| b.as_str().unwrap().starts_with("<svg")));
    std::fs::remove_dir_all(folder).unwrap();
}

/// Debian's name for it first.
const BROWSERS: [&str; 4] = ["chromium", "chromium-headless-shell", "chromium-browser", "google-chrome"];

/// Opens a page in a real browser and returns its output; `None` without a browser.
fn in_a_browser(page: &Path, arguments: &[&str]) -> Option<String> {
    let there = |name: &&&str| Command::new(name).arg("--version").output().is_ok();
    let Some(browser) = BROWSERS.iter().find(there) else {
        // Not by a macro: a test's output is only shown where it fails.
        let words = "SKIPPED: no Chromium on this machine, so the report was not looked at (apt-get install chromium)\n";
        let _ = std::io::stderr().write_all(words.as_bytes());
        return None;
    };
    let profile = page.with_file_name("profile");
    let mut command = Command::new(browser);
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]);
    command.args(["--disable-background-networking", "--disable-component-update", "--disable-sync"]);
    command.arg(format!("--user-data-dir={}", profile.display())).args(arguments);
    let output = command.arg(format!("file://{}", page.display())).output().unwrap();
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn arrow_keys_step_through_a_game_in_a_real_browser() {
    let folder = folder();
    let page = report(&folder);
    let keys = "<script>addEventListener('error', (e) => document.title = 'error: ' + e.message);</script>\
                <script>for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowLeft']) \
                document.dispatchEvent(new KeyboardEvent('keydown', { key }));\
                const box = document.querySelector('#board svg').getBoundingClientRect();\
                document.title = `${Math.round(box.width)}x${Math.round(box.height)}`;</script></body>";
    let text = std::fs::read_to_string(&page).unwrap().replacen("</body>", keys, 1);
    std::fs::write(&page, text).unwrap();
    if let Some(dom) = in_a_browser(&page, &["--dump-dom"]) {
        assert!(dom.contains("game 2, tictactoe, ply 1 of "), "{dom}");
        assert!(
            dom.contains("<div id=\"board\"><svg") && dom.contains("<polyline"),
            "board and graph are drawn"
        );
        assert!(dom.contains("<span data-ply=\"1\" class=\"on\">"), "the move is marked");
        assert!(dom.contains("<title>131x127</title>"), "the board is as large as it was drawn: {dom}");
        let picture = folder.join("page.png");
        let screenshot = format!("--screenshot={}", picture.display());
        in_a_browser(&page, &["--window-size=1200,1400", &screenshot]);
        let bytes = std::fs::read(&picture).unwrap();
        assert!(bytes.starts_with(b"\x89PNG") && bytes.len() > 20_000, "a page with something on it");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn every_game_of_the_catalog_is_drawn_in_a_real_browser() {
    let folder = folder();
    let record = folder.join("record.jsonl");
    let listed = Command::new(GRUNDY).arg("games").output().unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    let names: Vec<&str> = listed
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| catalog::CATALOG.row(name).is_some())
        .collect();
    assert!(names.len() > 30, "{listed}");
    let plain = format!("name=plain movetime=1 margin=60000 {GRUNDY}");
    let mut all = vec![
        "match",
        "--no-audit",
        "--games",
        "1",
        "--max-plies",
        "6",
        "--engine",
        &plain,
        "--engine",
        &plain,
    ];
    for name in &names {
        // The tables of these would take seconds.
        let small = match *name {
            "awari" => "awari:6",
            "dots" => "dots:2x3",
            "draughts" => "draughts:2men",
            "mnk" => "mnk:4,3,3",
            "teeko" => "teeko:4x4",
            name => name,
        };
        all.extend(["--game", small]);
    }
    all.extend(["--record", record.to_str().unwrap()]);
    let run = referee(&all);
    assert_eq!(run.code, Some(0), "{}", run.said());
    let page = folder.join("report.html");
    let made = referee(&["report", record.to_str().unwrap(), "-o", page.to_str().unwrap()]);
    assert_eq!(made.code, Some(0), "{}", made.said());
    // Every board of every game is put on the page and measured by the browser itself.
    let measure = "<script>const sizes = data.games.map((g) => g.boards.every((at) => {\
                   by('board').innerHTML = data.boards[at];\
                   const svg = by('board').querySelector('svg').getBoundingClientRect();\
                   const inner = [...by('board').querySelectorAll('svg *')].map((e) => e.getBoundingClientRect());\
                   return svg.width > 20 && svg.height > 20 && inner.length > 0 && inner.every((r) =>\
                     r.left >= svg.left - 2 && r.right <= svg.right + 2 && r.top >= svg.top - 2 && r.bottom <= svg.bottom + 2);\
                   }) ? '' : g.game).filter((name) => name);\
                   document.title = `outside: ${sizes.join(' ')}.`;</script></body>";
    let text = std::fs::read_to_string(&page).unwrap().replacen("</body>", measure, 1);
    std::fs::write(&page, text).unwrap();
    if let Some(dom) = in_a_browser(&page, &["--dump-dom"]) {
        assert!(dom.contains("<title>outside: .</title>"), "{}", dom.split("</title>").next().unwrap());
    }
    std::fs::remove_dir_all(folder).unwrap();
}
