//! A game of its own beside the whole engine: as an example, and in a crate outside this workspace, which depends on `grundy`
//! by its path and has no other game.

#![allow(clippy::unwrap_used)] // a test that cannot go on should fail

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

const MANIFEST: &str = r#"
[package]
name = "outside"
edition = "2024"

[dependencies]
grundy = { path = "PATH", default-features = false }
# With the features that this workspace asks for, so that these libraries are not compiled once more.
bytemuck = { version = "1", features = ["min_const_generics"] }
either = { version = "1", default-features = false, features = ["use_std"] }
memchr = "2"
rustix = { version = "1", features = ["time"] }
serde_core = "1"
serde_json = { version = "1", features = ["raw_value"] }
zerocopy = { version = "0.8", features = ["simd"] }

[workspace]
"#;

/// Returns the development profile of this workspace, so that external libraries are reused as compiled for it. Its own
/// crates are compiled again in any case: without optimisation and checks, since that is quick.
fn profile(manifest: &str) -> String {
    let manifest: toml::Table = manifest.parse().unwrap();
    let mut dev = manifest["profile"]["dev"].clone();
    let packages = dev["package"].as_table_mut().unwrap();
    let dependencies = manifest["workspace"]["dependencies"].as_table().unwrap();
    for name in dependencies.keys().filter(|name| name.starts_with("grundy")) {
        let mut quick = toml::Table::new();
        quick.insert("opt-level".into(), 0.into());
        quick.insert("debug-assertions".into(), false.into());
        quick.insert("overflow-checks".into(), false.into());
        packages.insert(name.clone(), quick.into());
    }
    dev.as_table_mut().unwrap().insert("incremental".into(), false.into());
    let profile = toml::Table::from_iter([("dev".into(), dev)]);
    toml::Table::from_iter([("profile".into(), profile.into())]).to_string()
}

#[test]
#[ignore = "a minute of compiling; dev/check_targets runs it"]
fn a_crate_outside_the_workspace_plays_its_own_game_with_the_whole_engine() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    std::fs::create_dir(place("src")).unwrap();
    let manifest = MANIFEST.replace("PATH", root.to_str().unwrap());
    let ours = std::fs::read_to_string(root.join("Cargo.toml")).unwrap();
    std::fs::write(place("Cargo.toml"), manifest + &profile(&ours)).unwrap();
    // The same versions of all dependencies, so that nothing is downloaded.
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
    let games = Command::new(&outside).arg("games").output().unwrap();
    assert!(!String::from_utf8_lossy(&games.stdout).contains("nim"), "{games:?}");
    plays_twin_heaps(&outside);
}

/// The same game as the example that cargo builds with the tests.
#[test]
fn an_example_plays_its_own_game_with_the_whole_engine() {
    let example = Path::new(env!("CARGO_BIN_EXE_grundy")).with_file_name("examples").join("own_game");
    assert!(example.is_file(), "no {}: run `cargo build --example own_game` first", example.display());
    plays_twin_heaps(&example);
}

/// Asks a program with the game `twin-heaps` by every way of the engine.
fn plays_twin_heaps(program: &Path) {
    let ask = |args: &[&str], input: &str| {
        let mut child =
            Command::new(program).args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{args:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let said = ask(&[], "position startpos\nquery fen\nquery value\n");
    assert_eq!(said, "response 3,5 1\nresponse win:5\n");
    assert!(ask(&["perft", "twin-heaps", "1"], "").contains("perft 1 = 5"));
    assert!(ask(&["games"], "").contains("twin-heaps"));
    let folder = tempfile::tempdir().unwrap();
    let tables = folder.path();
    let solved = ask(&["solve", "twin-heaps", "--check", "-q", "--tables", tables.to_str().unwrap()], "");
    assert!(solved.contains("40,401 values"), "{solved}");
    let analyzed = ask(&["analyze", "--game", "twin-heaps"], "1,1 1\n");
    assert_eq!(analyzed, "1,1 1\twin:1\t1-1\t1-1\n");
}
