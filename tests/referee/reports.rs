//! Exports and the report page of a record, the page looked at in a real browser where there is one.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::tools::{GRUNDY, bad_engine, folder, referee};

/// A record of a good engine against one that slips, in two games.
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
    let csv = export(&record, "--csv");
    assert_eq!(csv.lines().count(), 13);
    let junit = export(&record, "--junit");
    assert!(junit.contains("<testsuite name=\"grundy referee\" tests=\"12\""), "{junit}");
    assert!(junit.contains("<failure message=\"w&lt;eak played "), "{junit}");
    assert!(junit.contains("<error message=\"Player 2 makes an illegal move: zzz\"/>"), "{junit}");
    assert_eq!(referee(&["export", record.to_str().unwrap()]).code, Some(2));
    assert_eq!(referee(&["export", "/nowhere", "--csv"]).code, Some(2));
    std::fs::remove_dir_all(folder).unwrap();
}

fn report(folder: &Path) -> PathBuf {
    let page = folder.join("report.html");
    let run = referee(&["report", record(folder).to_str().unwrap(), "-o", page.to_str().unwrap()]);
    assert_eq!(run.code, Some(0), "{}", run.said());
    page
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
    let data: serde_json::Value = serde_json::from_str(&data.replace("<\\/", "</")).unwrap();
    assert_eq!(data["games"].as_array().unwrap().len(), 12);
    assert!(data["boards"].as_array().unwrap().iter().all(|b| b.as_str().unwrap().starts_with("<svg")));
    std::fs::remove_dir_all(folder).unwrap();
}

/// The browser that the ignored test looks through.
fn browser() -> Option<&'static str> {
    let names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];
    names.into_iter().find(|name| Command::new(name).arg("--version").output().is_ok())
}

#[test]
#[ignore = "needs a Chromium on the machine"]
fn arrow_keys_step_through_a_game_in_a_real_browser() {
    let folder = folder();
    let page = report(&folder);
    let keys = "<script>for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowLeft']) \
                document.dispatchEvent(new KeyboardEvent('keydown', { key }));</script></body>";
    let text = std::fs::read_to_string(&page).unwrap().replacen("</body>", keys, 1);
    std::fs::write(&page, text).unwrap();
    let browser = browser().expect("a Chromium");
    let mut command = Command::new(browser);
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"]);
    let output = command.arg(format!("file://{}", page.display())).output().unwrap();
    let dom = String::from_utf8_lossy(&output.stdout);
    assert!(dom.contains("game 2, tictactoe, ply 1 of "), "{dom}");
    assert!(dom.contains("<div id=\"board\"><svg") && dom.contains("<polyline"), "board and graph are drawn");
    assert!(dom.contains("<span data-ply=\"1\" class=\"on\">"), "the move is marked");
    std::fs::remove_dir_all(folder).unwrap();
}
