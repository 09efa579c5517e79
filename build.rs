//! Lets the linker make the programs smaller, if it can: it folds identical machine code and packs relocations.
//!
//! Generic methods are compiled for every game, and some of the results are identical to the byte. LLVM's linker, the
//! default on Linux, keeps one copy; GNU's cannot. Nothing here compares the addresses of functions or of constants.

use std::env;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Folds identical functions and constants.
const FOLD: &str = "-Wl,--icf=all,--ignore-data-address-equality";
/// Packs the relocations of a program that can be loaded anywhere: half a megabyte less. Needs glibc 2.36 or musl 1.2.4.
const PACK: &str = "-Wl,-z,pack-relative-relocs";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let optimised = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    for argument in [FOLD, PACK].into_iter().filter(|argument| optimised && links_with(argument)) {
        println!("cargo::rustc-link-arg-bins={argument}");
        println!("cargo::rustc-link-arg-examples={argument}");
    }
}

/// Reports whether an empty program for the target links with this argument.
fn links_with(argument: &str) -> bool {
    let (Ok(rustc), Ok(target), Ok(out)) = (env::var("RUSTC"), env::var("TARGET"), env::var("OUT_DIR"))
    else {
        return false;
    };
    let source = PathBuf::from(&out).join("empty.rs");
    if std::fs::write(&source, "fn main() {}").is_err() {
        return false;
    }
    let mut command = Command::new(rustc);
    command
        .args(["--crate-name", "empty", "--target", &target])
        .arg(&source)
        .arg("-o")
        .arg(source.with_extension("exe"));
    command.arg(format!("-Clink-arg={argument}"));
    if let Ok(linker) = env::var("RUSTC_LINKER") {
        command.arg(format!("-Clinker={linker}"));
    }
    command.args(
        env::var("CARGO_ENCODED_RUSTFLAGS")
            .unwrap_or_default()
            .split('\u{1f}')
            .filter(|flag| !flag.is_empty()),
    );
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
