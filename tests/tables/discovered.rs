//! Games whose positions are found before they are solved.

use std::collections::BTreeMap;
use std::process::Command;

use grundy::session::{Assurance, Tabled, quiet_work};
use grundy::table::{Folder, Scratch, Table};
use xxhash_rust::xxh3::xxh3_128;

use crate::forged::{open, write_files};
use crate::tools::Dice;

/// The number of positions is unknown until they are found; the proof covers all of them.
#[test]
fn a_game_whose_positions_are_not_counted_yet_is_solved_and_proved_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut solve = Command::new(env!("CARGO_BIN_EXE_grundy"));
    solve.args(["solve", "rules:reversi", "--check", "--quiet", "--tables"]).arg(folder.path());
    let solved = solve.output().unwrap();
    let said = String::from_utf8_lossy(&solved.stdout).into_owned();
    assert!(solved.status.success(), "{said}{}", String::from_utf8_lossy(&solved.stderr));
    assert!(said.contains("proved: all 28,544 values follow from the rules"), "{said}");
}

/// Files that were made by earlier rules are refused, with one warning for each.
#[test]
fn a_file_of_positions_of_earlier_rules_is_told_once() {
    let folder = tempfile::tempdir().unwrap();
    let tables = folder.path().join("tables");
    let names = ["earlier.rbg", "later.rbg"].map(|name| format!("rules:file={name}"));
    let text = include_str!("../../rules/reversi.rbg");
    std::fs::write(folder.path().join("earlier.rbg"), text).unwrap();
    std::fs::write(folder.path().join("later.rbg"), format!("//@ repeat 3\n{text}")).unwrap();
    let solve = |name: &str| {
        let mut solve = Command::new(env!("CARGO_BIN_EXE_grundy"));
        solve.args(["solve", name, "--again", "--tables"]).arg(&tables).current_dir(folder.path());
        let solved = solve.output().unwrap();
        let said = String::from_utf8_lossy(&solved.stderr).into_owned();
        assert!(solved.status.success(), "{said}");
        said.lines().filter(|line| line.contains(".keys: made with other rules")).count()
    };
    assert_eq!(solve(&names[0]), 0);
    // Files are named by their rules: that of the earlier ones gets the name of the later.
    let [earlier, later] = names.each_ref().map(|name| {
        let session = open(name, folder.path());
        session.folder().moved(&tables).file(session.name()).with_extension("keys")
    });
    assert_ne!(earlier, later);
    std::fs::rename(earlier, later).unwrap();
    assert_eq!(solve(&names[1]), 1);
}

/// The files of a game belong to its rules: they are found from any folder and after the rules file was renamed, and those of
/// another file of this name are others.
#[test]
fn tables_of_a_rules_file_are_found_wherever_it_is() {
    let folder = tempfile::tempdir().unwrap();
    write_files(folder.path());
    let (there, tables) = (folder.path().join("there"), folder.path().join("tables"));
    std::fs::create_dir(&there).unwrap();
    let grundy = |command: &[&str], at: &std::path::Path| {
        let mut grundy = Command::new(env!("CARGO_BIN_EXE_grundy"));
        let run =
            grundy.args(command).args(["--quiet", "--tables"]).arg(&tables).current_dir(at).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&run.stderr), "", "{command:?}");
        assert!(run.status.success(), "{command:?}");
        String::from_utf8_lossy(&run.stdout).into_owned()
    };
    let solve = |name: &str, at: &std::path::Path| grundy(&["solve", name], at);
    assert!(!solve("fill.rbg", folder.path()).contains("there already"));
    std::fs::rename(folder.path().join("fill.rbg"), there.join("other.rbg")).unwrap();
    assert!(solve("there/other.rbg", folder.path()).contains("there already"));
    assert!(solve("other.rbg", &there).contains("there already"));
    std::fs::rename(folder.path().join("points.rbg"), folder.path().join("other.rbg")).unwrap();
    assert!(!solve("other.rbg", folder.path()).contains("there already"));
    assert!(solve("there/other.rbg", folder.path()).contains("there already"));
    let said = grundy(&["tables", "stats", "other.rbg"], &there);
    assert!(said.contains("rules:file=other.rbg ("), "{said}");
    grundy(&["tables", "verify", "there/other.rbg"], folder.path());
    grundy(&["tables", "convert", "--plain", "there/other.rbg"], folder.path());
    assert!(solve("other.rbg", &there).contains("there already"));
}

/// A file of positions: the bytes before the count, and the positions.
struct Keys {
    head: Vec<u8>,
    keys: Vec<u128>,
}

impl Keys {
    fn read(bytes: &[u8]) -> Keys {
        let number = |at: usize, len: usize| {
            bytes[at..at + len].iter().rev().fold(0, |all, &byte| all << 8 | usize::from(byte))
        };
        let (count, components) = (number(16, 8), number(24, 4));
        let mut at = 28;
        for _ in 0..components {
            at += 5 + 8 * number(at + 1, 4);
        }
        let (mut keys, mut key) = (Vec::new(), 0);
        while keys.len() < count {
            let mut shift = 0;
            loop {
                key += u128::from(bytes[at] & 127) << shift;
                (at, shift) = (at + 1, shift + 7);
                if bytes[at - 1] < 128 {
                    break;
                }
            }
            keys.push(key);
        }
        Keys { head: bytes[..16].to_vec(), keys }
    }

    /// Returns the file with other positions, all in one component, with the right checksum.
    fn write(&self, keys: &[u128]) -> Vec<u8> {
        let mut bytes = self.head.clone();
        bytes.extend((keys.len() as u64).to_le_bytes());
        bytes.extend([1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0]);
        bytes.extend((keys.len() as u32).to_le_bytes());
        let mut before = 0;
        for &key in keys {
            let mut step = key.wrapping_sub(before);
            before = key;
            while step >= 128 {
                bytes.push(step as u8 | 128);
                step >>= 7;
            }
            bytes.push(step as u8);
        }
        let sum = xxh3_128(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }
}

/// The list of positions is untrusted too: none may be missing, and additional ones are harmless.
#[test]
fn a_forged_list_of_positions_proves_nothing_false() {
    let folder = tempfile::tempdir().unwrap();
    write_files(folder.path());
    let game = "rules:file=fill.rbg";
    let scratch = Scratch::new(Folder::find(Some(folder.path())), std::time::Duration::from_secs(999));
    let session = open(game, folder.path());
    let door = session.tabled(None).unwrap();
    let honest = door.solve(&quiet_work(), &scratch).unwrap();
    let path = session.folder().file(door.name()).with_extension("keys");
    let whole = Keys::read(&std::fs::read(&path).unwrap());
    assert_eq!((whole.keys.len() as u64, whole.keys.is_sorted()), (honest.count(), true));
    let cells = honest.cells().unwrap();
    let by_key: BTreeMap<u128, u8> = whole.keys.iter().copied().zip(cells.iter().copied()).collect();
    let texts = |door: &dyn Tabled, cells: &[u8]| -> BTreeMap<String, u8> {
        let text = |(number, &cell)| door.position(number).map(|(_, text)| (text, cell));
        (0..).zip(cells).filter_map(text).collect()
    };
    let truth = texts(&*door, cells);
    let verify = |keys: &[u128], cells: Vec<u8>| {
        std::fs::write(&path, whole.write(keys)).unwrap();
        let session = open(game, folder.path());
        let table = Table::from_cells(honest.coding(), cells.len() as u64, cells.clone()).unwrap();
        let door = session.tabled(None).unwrap();
        door.verify(&table, &quiet_work()).map(|assurance| (assurance, texts(&*door, &cells)))
    };
    assert_eq!(verify(&whole.keys, cells.to_vec()).unwrap(), (Assurance::Proved, truth.clone()));
    for left_out in 0..whole.keys.len() {
        let (mut keys, mut cells) = (whole.keys.clone(), cells.to_vec());
        keys.remove(left_out);
        cells.remove(left_out);
        assert!(verify(&keys, cells).is_err(), "without position {left_out}");
    }
    let mut dice = Dice(3);
    for _ in 0..200 {
        let mut forged = by_key.clone();
        for _ in 0..1 + dice.roll(3) {
            let key = whole.keys[dice.roll(whole.keys.len())];
            if dice.roll(2) == 0 {
                forged.remove(&key);
            }
            // Some name a place in the rules or a cell that does not exist.
            let other = key ^ 1 << dice.roll(64) ^ u128::from(dice.roll(2) as u64) << dice.roll(64);
            forged.insert(other, dice.roll(6) as u8);
        }
        let mut keys: Vec<u128> = forged.keys().copied().collect();
        if dice.roll(8) == 0 {
            let (one, other) = (dice.roll(keys.len()), dice.roll(keys.len()));
            keys.swap(one, other);
        }
        if let Ok((_, said)) = verify(&keys, forged.values().copied().collect()) {
            for (position, code) in &truth {
                assert_eq!(said.get(position), Some(code), "{position}: {keys:?}");
            }
        }
    }
}
