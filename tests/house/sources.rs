//! Crates, modules and imports of the workspace, parsed from its files: as much of Rust's syntax as this project's
//! formatted sources need.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The path of a module within its crate, from the root down.
type Module = Vec<String>;

/// A crate of the workspace.
pub struct Crate {
    /// The package's name.
    pub name: String,
    /// The folder of its `Cargo.toml`.
    pub folder: PathBuf,
    /// The crates of this workspace that it is built from, without those of its tests.
    pub dependencies: BTreeSet<String>,
}

/// Returns all crates of a workspace except the facade at its root.
pub fn crates(root: &Path) -> Vec<Crate> {
    let folders = fs::read_dir(root.join("crates")).expect("there are crates");
    let mut folders: Vec<PathBuf> = folders.map(|entry| entry.expect("an entry").path()).collect();
    folders.extend(["referee", "board", "board/web", "cluster"].map(|folder| root.join(folder)));
    let package = |folder: PathBuf| {
        let manifest = manifest(&folder)?;
        let name = manifest["package"]["name"].as_str().expect("a package has a name").to_owned();
        let names = dependencies(&manifest).filter(|name| name.starts_with("grundy")).cloned();
        Some(Crate { name, folder, dependencies: names.collect() })
    };
    folders.into_iter().filter_map(package).collect()
}

/// Returns the manifest of a folder; `None` if it has none.
pub fn manifest(folder: &Path) -> Option<toml::Table> {
    let text = fs::read_to_string(folder.join("Cargo.toml")).ok()?;
    Some(text.parse().expect("a manifest is TOML"))
}

/// Returns the names of the packages that a package is built from on any target, without those of its tests.
pub fn dependencies(manifest: &toml::Table) -> impl Iterator<Item = &String> {
    let targets = manifest.get("target").and_then(toml::Value::as_table);
    let targets = targets.into_iter().flat_map(toml::Table::values).filter_map(toml::Value::as_table);
    let lists = targets.chain([manifest]).filter_map(|table| table.get("dependencies")?.as_table());
    lists.flat_map(toml::Table::keys)
}

/// Returns the code of a file without comments, string literals and unit tests.
pub fn code(file: &Path) -> String {
    let text = fs::read_to_string(file).expect("a source can be read");
    let begins_tests =
        |at: usize| text[at..].lines().nth(1).is_some_and(|line| line.ends_with("mod tests {"));
    let tests = text.match_indices("#[cfg(").map(|(at, _)| at).find(|&at| begins_tests(at));
    let text = &text[..tests.unwrap_or(text.len())];
    let mut code = String::with_capacity(text.len());
    for line in text.lines() {
        let mut rest = line;
        while let Some(at) = rest.find(['"', '/', '\'']) {
            let (before, tail) = rest.split_at(at);
            code.push_str(before);
            if tail.starts_with("//") {
                rest = "";
            } else if tail.starts_with('"') {
                rest = after_text(tail);
            } else {
                let quoted = tail.starts_with("'\"'") || tail.starts_with("'/'");
                rest = &tail[if quoted { 3 } else { 1 }..];
            }
        }
        code.push_str(rest);
        code.push('\n');
    }
    code
}

/// Returns the rest of a line after the string literal at its beginning; empty if the literal continues on the next line.
fn after_text(quoted: &str) -> &str {
    let mut escaped = false;
    for (at, c) in quoted.char_indices().skip(1) {
        match c {
            '"' if !escaped => return &quoted[at + 1..],
            _ => escaped = c == '\\' && !escaped,
        }
    }
    ""
}

impl Crate {
    /// Returns the files of its library and its binaries, sorted.
    pub fn files(&self) -> Vec<PathBuf> {
        let mut files = Vec::new();
        let mut folders = vec![self.folder.join("src")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).expect("a folder of sources").flatten() {
                let path = entry.path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|ending| ending == "rs") {
                    files.push(path);
                }
            }
        }
        files.sort();
        files
    }

    /// Returns the groups of files that import each other in a cycle.
    pub fn cycles(&self) -> Vec<Vec<PathBuf>> {
        let root = self.folder.join("src/lib.rs");
        let mut modules = BTreeMap::new();
        collect(&root, Vec::new(), &mut modules);
        let imports: BTreeMap<&Module, Vec<Import>> =
            modules.iter().map(|(module, file)| (module, imports(&code(file), module))).collect();
        let arrows: BTreeMap<&Module, BTreeSet<&Module>> = imports
            .iter()
            .map(|(&module, list)| {
                let to = list.iter().map(|import| home(&import.path, &imports, 0));
                (module, to.filter(|to| *to != module).collect())
            })
            .collect();
        let reach = |from: &Module| {
            let mut seen: BTreeSet<&Module> = BTreeSet::new();
            let mut next: Vec<&Module> = arrows[from].iter().copied().collect();
            while let Some(module) = next.pop() {
                if seen.insert(module) {
                    next.extend(&arrows[module]);
                }
            }
            seen
        };
        let reached: BTreeMap<&Module, BTreeSet<&Module>> =
            modules.keys().map(|module| (module, reach(module))).collect();
        let mut cycles: BTreeSet<Vec<PathBuf>> = BTreeSet::new();
        for module in modules.keys().filter(|module| reached[module].contains(module)) {
            let with = modules.keys().filter(|m| reached[module].contains(m) && reached[m].contains(module));
            cycles.insert(with.map(|module| modules[module].clone()).collect());
        }
        cycles.into_iter().collect()
    }
}

/// An import: the path from the crate's root, and whether it is re-exported (`pub use`).
struct Import {
    path: Module,
    re_exported: bool,
}

/// Adds the module of `file` and those below it, with their files.
fn collect(file: &Path, module: Module, modules: &mut BTreeMap<Module, PathBuf>) {
    let folder = file.parent().expect("a file is in a folder");
    let own = file.file_stem().and_then(|stem| stem.to_str()).expect("a file has a name");
    let below = if matches!(own, "lib" | "mod" | "main") { folder.to_owned() } else { folder.join(own) };
    for line in code(file).lines() {
        let Some(name) = line.trim().strip_suffix(';').and_then(|line| line.split_once("mod ")) else {
            continue;
        };
        let (before, name) = name;
        if !(before.is_empty() || before.starts_with("pub")) {
            continue;
        }
        let files = [below.join(format!("{name}.rs")), below.join(name).join("mod.rs")];
        if let Some(file) = files.iter().find(|file| file.exists()) {
            let child = module.iter().cloned().chain([name.to_owned()]).collect();
            collect(file, child, modules);
        }
    }
    modules.insert(module, file.to_owned());
}

/// Returns what a file imports of its own crate, by `use` and by paths in its code.
fn imports(code: &str, module: &Module) -> Vec<Import> {
    let mut list = Vec::new();
    let mut rest = code;
    let mut other = String::new();
    while let Some(at) = find_use(rest) {
        let (before, tail) = rest.split_at(at);
        other.push_str(before);
        let end = tail.find(';').unwrap_or(tail.len());
        let re_exported =
            before.trim_end().rsplit(['\n', ';', '}']).next().is_some_and(|b| b.trim().starts_with("pub"));
        for path in expanded(&tail["use ".len()..end]) {
            list.extend(absolute(&path, module).map(|path| Import { path, re_exported }));
        }
        rest = &tail[end..];
    }
    other.push_str(rest);
    let path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    for word in other.split(|c| !path(c)).filter(|word| word.contains("::")) {
        let word = word.trim_matches(':');
        list.extend(absolute(word, module).map(|path| Import { path, re_exported: false }));
    }
    list
}

/// Returns the offset of the next `use`.
fn find_use(code: &str) -> Option<usize> {
    code.match_indices("use ").map(|(at, _)| at).find(|&at| {
        let before = code[..at].chars().next_back();
        before.is_none_or(|c| c.is_whitespace() || c == ')')
    })
}

/// Returns the single paths of a `use` with braces.
fn expanded(text: &str) -> Vec<String> {
    let text = text.trim();
    let Some((head, inner)) = text.strip_suffix('}').and_then(|text| text.split_once('{')) else {
        return vec![text.split(" as ").next().unwrap_or("").trim().to_owned()];
    };
    let mut depth = 0;
    let parts = inner.split(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    });
    parts
        .filter(|part| !part.trim().is_empty())
        .flat_map(|part| expanded(&format!("{head}{}", part.trim())))
        .collect()
}

/// Returns a path from the crate's root; `None` if its first word leads out of the crate.
fn absolute(path: &str, module: &Module) -> Option<Module> {
    let mut words = path.split("::").map(str::to_owned).peekable();
    let mut base = module.clone();
    match words.peek()?.as_str() {
        "crate" => {
            base.clear();
            words.next();
        }
        "self" => {
            words.next();
        }
        "super" => {
            while words.next_if(|word| word == "super").is_some() {
                base.pop();
            }
        }
        _ => {}
    }
    base.extend(words);
    Some(base)
}

/// Returns the module that defines the item at the end of a path, following re-exports.
fn home<'m>(path: &[String], imports: &BTreeMap<&'m Module, Vec<Import>>, depth: u32) -> &'m Module {
    let within = (0..=path.len()).rev().find_map(|length| imports.get_key_value(&path[..length].to_vec()));
    let (&module, list) = within.expect("every path begins at the root");
    let rest = &path[module.len()..];
    let re_exported = list.iter().find(|import| import.re_exported && import.path.last() == rest.first());
    match re_exported {
        Some(import) if !rest.is_empty() && depth < 8 => {
            let path: Module = import.path.iter().chain(&rest[1..]).cloned().collect();
            home(&path, imports, depth + 1)
        }
        _ => module,
    }
}
