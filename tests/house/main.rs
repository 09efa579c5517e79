//! The laws of the design, checked in the sources: which crate may import which, which files may name a method, print,
//! or be unsafe, that no files of a crate import each other in a cycle, and that mended phrases do not come back.

mod sources;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use sources::{Crate, code, crates, dependencies, manifest};

/// Files that may contain `unsafe` code, each for the reason in its head comment.
const UNSAFE: [&str; 8] = [
    "board/web/src/lib.rs",
    "crates/core/src/table/map.rs",
    "crates/engine/src/engine/prompt.rs",
    "crates/search/src/alpha_beta/prefetch.rs",
    "crates/searched/src/othello/avx2.rs",
    "crates/searched/src/othello/last_avx2.rs",
    "crates/tables/src/superposed/arch.rs",
    "referee/src/supervision/windows.rs",
];

/// The crates of methods, each of which imports those before it.
const METHODS: [&str; 3] = ["grundy-tables", "grundy-sums", "grundy-search"];

/// Workspaces of their own, whose lock files cargo does not renew with ours.
const WORKSPACES: [&str; 3] = ["python", "fuzz", "dist/manuals"];

/// Where code may write to stdout or read that of another process: the loop, the commands and the referee.
const COMMANDS: [&str; 9] = [
    "crates/engine/src/",
    "crates/information/src/command/",
    "crates/learn/src/command.rs",
    "referee/src/",
    "src/check_rules.rs",
    "cluster/src/solve.rs",
    "board/src/external.rs",
    "board/src/server.rs",
    "board/web/src/",
];

/// Returns the folder of the sources to check: cargo names it when it runs the test, so a built test can check another
/// checkout.
fn root() -> &'static Path {
    static ROOT: OnceLock<PathBuf> = OnceLock::new();
    ROOT.get_or_init(|| {
        std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or(env!("CARGO_MANIFEST_DIR").into()).into()
    })
}

/// Returns a path relative to the root.
fn shown(file: &Path) -> String {
    file.strip_prefix(root()).unwrap_or(file).display().to_string()
}

/// Returns every crate of the workspace by its package name.
fn all() -> BTreeMap<String, Crate> {
    crates(root()).into_iter().map(|each| (each.name.clone(), each)).collect()
}

/// Returns the crates that `from` is built from, without itself.
fn reached(all: &BTreeMap<String, Crate>, from: &str) -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    let mut next = vec![from.to_owned()];
    while let Some(name) = next.pop() {
        for below in all.get(&name).into_iter().flat_map(|each| &each.dependencies) {
            if seen.insert(below.clone()) {
                next.push(below.clone());
            }
        }
    }
    seen
}

/// Returns the crates of games: those with a `rows.rs`.
fn families(all: &BTreeMap<String, Crate>) -> Vec<&Crate> {
    all.values().filter(|each| each.folder.join("src/rows.rs").exists()).collect()
}

#[test]
fn crates_import_only_what_stands_below_them() {
    let all = all();
    let direct =
        |name: &str| -> BTreeSet<&str> { all[name].dependencies.iter().map(String::as_str).collect() };
    assert_eq!(direct("grundy-core"), BTreeSet::new(), "the ground imports nothing");
    assert_eq!(direct("grundy-session"), BTreeSet::from(["grundy-core"]));
    let mut below = BTreeSet::from(["grundy-core", "grundy-session"]);
    for name in METHODS {
        assert_eq!(direct(name), below);
        below.insert(name);
    }
    let families = families(&all);
    assert!(families.len() >= 5, "the families were not found");
    // The files of the folder `rules/`.
    below.insert("grundy-rules-library");
    for family in &families {
        assert!(direct(&family.name).is_subset(&below), "{} imports {:?}", family.name, direct(&family.name));
    }
    for name in ["grundy-engine", "grundy-referee"] {
        let reached = reached(&all, name);
        let games = families.iter().find(|family| reached.contains(&family.name));
        assert!(games.is_none(), "{name} knows games: {:?}", games.map(|family| &family.name));
        assert!(METHODS.iter().all(|&method| !reached.contains(method)), "{name} knows methods");
    }
    assert!(!reached(&all, "grundy-engine").contains("grundy-referee"), "the engine knows its judge");
    for each in all.values() {
        assert!(!each.dependencies.contains("grundy-contract"), "{} is not a test", each.name);
    }
}

#[test]
fn lock_files_of_other_workspaces_have_our_dependencies() {
    let folders = all().into_values().map(|each| each.folder).chain([root().to_owned()]);
    let manifests: Vec<_> = folders.filter_map(|folder| manifest(&folder)).collect();
    for workspace in WORKSPACES {
        let file = root().join(workspace).join("Cargo.lock");
        let lock = std::fs::read_to_string(file).expect("a workspace has a lock file");
        let lock: toml::Table = lock.parse().expect("a lock file is TOML");
        let packages = lock["package"].as_array().expect("a lock file lists packages");
        for manifest in &manifests {
            let name = &manifest["package"]["name"];
            let Some(package) = packages.iter().find(|package| package["name"] == *name) else { continue };
            let listed = package.get("dependencies").and_then(toml::Value::as_array).into_iter().flatten();
            let listed: BTreeSet<&str> =
                listed.filter_map(|entry| entry.as_str()?.split(' ').next()).collect();
            let missing: Vec<_> =
                dependencies(manifest).filter(|name| !listed.contains(name.as_str())).collect();
            assert!(
                missing.is_empty(),
                "{workspace}/Cargo.lock lacks {missing:?} of {name}: run `cargo metadata --manifest-path {workspace}/Cargo.toml`"
            );
        }
    }
}

/// Returns the types that answer, search or build tables, by the traits that they implement, and the names by which sessions
/// are built.
fn methods(all: &BTreeMap<String, Crate>) -> BTreeSet<String> {
    let mut names = BTreeSet::from(["play::play", "BoardMethod"].map(str::to_owned));
    for file in METHODS.iter().flat_map(|&name| all[name].files()) {
        for line in code(&file).lines() {
            for method in ["Oracle<G> for ", "SearchMethod<G> for "] {
                let name = line.split(method).nth(1).filter(|_| line.trim_start().starts_with("impl"));
                names.extend(name.map(word).filter(|name| name.len() > 1 && name != "Box"));
            }
        }
    }
    assert!(
        names.contains("BySum") && names.contains("AlphaBeta") && names.contains("TableOracle"),
        "{names:?}"
    );
    names
}

/// Returns the identifier at the beginning of a text.
fn word(text: &str) -> String {
    text.chars().take_while(|&c| c.is_alphanumeric() || c == '_').collect()
}

/// Reports whether a text contains `name` as a whole identifier.
fn names(text: &str, name: &str) -> bool {
    let part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.match_indices(name)
        .any(|(at, _)| !part(text[..at].chars().next_back()) && !part(text[at + name.len()..].chars().next()))
}

#[test]
fn in_a_family_only_the_rows_name_a_method() {
    let all = all();
    let methods = methods(&all);
    let tools = ["std::thread", "std::fs", "std::net", "std::process", "std::time", "std::env"];
    for family in families(&all) {
        for file in family.files().into_iter().filter(|file| !file.ends_with("rows.rs")) {
            let text = code(&file);
            for method in &methods {
                assert!(!names(&text, method), "{} names the method {method}", shown(&file));
            }
            for tool in tools {
                assert!(!text.contains(tool), "{} is no business of rules: {}", tool, shown(&file));
            }
        }
    }
}

#[test]
fn only_command_lines_print() {
    for each in all().values() {
        for file in each.files() {
            let text = code(&file);
            for print in ["println!", "print!", "eprintln!", "eprint!", "dbg!"] {
                assert!(!names(&text, print), "{} has {print}", shown(&file));
            }
            let may = COMMANDS.iter().any(|place| shown(&file).starts_with(place));
            assert!(may || !names(&text, "stdout"), "{} writes to stdout", shown(&file));
            // One place reports failed writes.
            let may = ["crates/engine/src/cli/output.rs", "board/web/src/"];
            let may = may.iter().any(|place| shown(&file).starts_with(place));
            assert!(may || !text.contains("io::stdout()"), "{}: expected output::stdout", shown(&file));
        }
    }
}

#[test]
fn only_the_judge_calls_a_table_proved() {
    for each in all().values() {
        for file in each.files().into_iter().filter(|file| !file.ends_with("session/src/assurance.rs")) {
            for line in code(&file).lines() {
                let made = ["Assurance::Proved", "Assurance::Given("].iter().any(|word| line.contains(word));
                assert!(
                    !made || line.contains("=>") || line.contains("assert"),
                    "{}: ask a Judge instead: {line}",
                    shown(&file)
                );
            }
        }
    }
}

#[test]
fn unsafe_code_stands_only_where_it_is_allowed() {
    let mut found: Vec<String> = Vec::new();
    for each in all().values() {
        let holds =
            |file: &PathBuf| names(&code(file), "unsafe") || code(file).contains("allow(unsafe_code)");
        found.extend(each.files().iter().filter(|file| holds(file)).map(|file| shown(file)));
    }
    found.sort();
    assert_eq!(found, UNSAFE);
}

#[test]
fn a_library_whose_tests_are_not_run_has_none() {
    for each in all().values() {
        let manifest = manifest(&each.folder).expect("a crate has a manifest");
        let tested = |library: &toml::Value| library.get("test").and_then(toml::Value::as_bool);
        if manifest.get("lib").and_then(tested) != Some(false) {
            continue;
        }
        for file in each.files() {
            let text = fs::read_to_string(&file).expect("a source can be read");
            assert!(
                !text.contains("#[cfg(test)]"),
                "{}: tests of {} stand in its tests folder",
                shown(&file),
                each.name
            );
        }
    }
}

#[test]
fn no_files_import_each_other_in_a_cycle() {
    for each in all().values() {
        let cycles = each.cycles();
        let list: Vec<_> =
            cycles.iter().map(|cycle| cycle.iter().map(|file| shown(file)).collect::<Vec<_>>()).collect();
        assert!(list.is_empty(), "{} has files that import each other: {list:?}", each.name);
    }
}

/// Reports whether a doc comment contains an example that would run.
fn has_example(text: &str) -> bool {
    let comments = text.lines().map(str::trim_start);
    let words = comments.filter_map(|line| line.strip_prefix("///").or_else(|| line.strip_prefix("//!")));
    let fences = words.map(str::trim).filter(|words| words.starts_with("```"));
    fences.step_by(2).any(|begin| !matches!(begin, "```text" | "```ignore"))
}

#[test]
fn no_example_stands_where_none_is_run() {
    for (name, each) in all() {
        let manifest = manifest(&each.folder).expect("a crate has a manifest");
        let library = manifest.get("lib").and_then(toml::Value::as_table);
        let runs = library.and_then(|library| library.get("doctest")?.as_bool()).unwrap_or(true);
        for file in each.files() {
            let text = std::fs::read_to_string(&file).expect("a source can be read");
            assert!(runs || !has_example(&text), "{name}: an example in {}", shown(&file));
        }
    }
}

#[test]
fn debug_assertions_hold_in_tests() {
    let manifest = manifest(root()).expect("the workspace has a manifest");
    let packages = manifest["profile"]["dev"]["package"].as_table().expect("packages have settings");
    for (name, each) in all() {
        let setting = packages.get(&name).and_then(|package| package.get("debug-assertions")?.as_bool());
        for file in each.files().into_iter().filter(|_| setting != Some(true)) {
            assert!(!code(&file).contains("debug_assert"), "{name} is compiled without: {}", shown(&file));
        }
    }
}
