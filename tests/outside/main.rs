//! A crate outside this workspace that depends on `grundy` by its path, with a game of its own and no other, is built and
//! played.

#![allow(clippy::unwrap_used)] // a test that cannot go on should fail

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// The libraries of others serve here as this workspace has compiled them, so its settings of the profile are repeated. Its own crates are compiled again, without
/// optimisation, since that is quick.
const MANIFEST: &str = r#"
[package]
name = "outside"
edition = "2024"

[dependencies]
grundy = { path = "PATH", default-features = false }

[workspace]

[profile.dev]
opt-level = 1
debug = false
lto = "off"
codegen-units = 8
incremental = false

[profile.dev.package]
"#;

#[test]
fn a_crate_outside_the_workspace_plays_its_own_game_with_the_whole_engine() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    std::fs::create_dir(place("src")).unwrap();
    let mut manifest = MANIFEST.replace("PATH", root.to_str().unwrap());
    for name in ["core", "engine", "referee", "session", "solve"] {
        manifest += &format!("grundy-{name} = {{ opt-level = 0 }}\n");
    }
    std::fs::write(place("Cargo.toml"), manifest).unwrap();
    // The same versions of everything, so that nothing is fetched.
    std::fs::copy(root.join("Cargo.lock"), place("Cargo.lock")).unwrap();
    std::fs::copy(root.join("examples/own_game.rs"), place("src/main.rs")).unwrap();
    let target = Path::new(env!("CARGO_BIN_EXE_grundy")).ancestors().nth(2).unwrap();
    let built = Command::new(env!("CARGO"))
        .args(["build", "--offline", "--quiet"])
        .current_dir(folder.path())
        .env("CARGO_TARGET_DIR", target)
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let outside = target.join("debug/outside");
    let ask = |args: &[&str], input: &str| {
        let mut child =
            Command::new(&outside).args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{args:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let said = ask(&[], "position startpos\nquery fen\nquery value\n");
    assert_eq!(said, "response 3,5 1\nresponse win:5\n");
    assert!(ask(&["perft", "twin-heaps", "1"], "").contains("perft 1 = 5"));
    let games = ask(&["games"], "");
    assert!(games.contains("twin-heaps") && !games.contains("nim"), "{games}");
    let tables = place("tables");
    let solved = ask(&["solve", "twin-heaps", "--check", "-q", "--tables", tables.to_str().unwrap()], "");
    assert!(solved.contains("40401 numbers"), "{solved}");
    let analyzed = ask(&["analyze", "--game", "twin-heaps"], "1,1 1\n");
    assert_eq!(analyzed, "1,1 1\twin:1\t1-1\t1-1\n");
}
