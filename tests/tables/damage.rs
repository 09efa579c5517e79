//! Damaged and foreign files: all are refused or proved harmless, none is trusted.

use std::fs;
use std::os::unix::fs::FileExt;

use grundy::game::Indexed;
use grundy::games::mnk::Mnk;
use grundy::session::VerifyError;
use grundy::session::quiet_work;
use grundy::table::{Coding, Disk, Label, Maker, Meaning, Packing, Table, Width, write};
use grundy::tables::layers;
use grundy::tables::verify::{fingerprint, verify};
use xxhash_rust::xxh3::xxh3_128;

use crate::tools::{Dice, NAME, game, label, open, table, write_table};

const FORMS: [Packing; 2] = [Packing::Plain, Packing::Packed];

/// A file with some bits of one byte flipped in place, until it is dropped: a file written anew each time
/// waits for the disk.
struct Flipped<'a> {
    file: fs::File,
    good: &'a [u8],
    at: usize,
}

impl Flipped<'_> {
    fn new<'a>(path: &std::path::Path, good: &'a [u8], at: usize, bits: u8) -> Flipped<'a> {
        let file = fs::OpenOptions::new().write(true).open(path).unwrap();
        file.write_all_at(&[good[at] ^ bits], at as u64).unwrap();
        Flipped { file, good, at }
    }
}

impl Drop for Flipped<'_> {
    fn drop(&mut self) {
        self.file.write_all_at(&self.good[self.at..][..1], self.at as u64).unwrap();
    }
}

/// Reports whether a changed file is refused: when it is opened, by a missing value, or by the full check. A value that
/// differs from the true one fails the test, whatever the check says.
fn refused(path: &std::path::Path, truth: &Table) -> bool {
    let Ok(opened) = open(path) else { return true };
    let mut missing = false;
    for number in 0..truth.count() {
        match (opened.get(number), truth.get(number)) {
            (None, Some(_)) => missing = true,
            (found, expected) => assert_eq!(found, expected, "a damaged value was believed"),
        }
    }
    let checked = opened.check();
    assert!(!missing || checked.is_err(), "the check misses a damaged block");
    checked.is_err()
}

#[test]
fn every_flipped_byte_of_a_small_table_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.grundy");
    let truth = table();
    for form in FORMS {
        write_table(&path, form);
        let good = fs::read(&path).unwrap();
        assert!(!refused(&path, &truth));
        let mut cases = 0;
        for at in 0..good.len() {
            // The padding is all zeroes and all alike: every 16th byte of it will do.
            if at > 512 && at < 4096 && at % 16 != 0 {
                continue;
            }
            let flipped = Flipped::new(&path, &good, at, 1 << (at % 8));
            assert!(refused(&path, &truth), "{form:?}: byte {at} of {}", good.len());
            drop(flipped);
            cases += 1;
        }
        assert!(cases > 700, "{cases}");
    }
}

/// Flips random bits anywhere in the file, `times` times.
fn random_flips(times: usize, seed: u64) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.grundy");
    let truth = table();
    let mut dice = Dice(seed);
    for form in FORMS {
        write_table(&path, form);
        let good = fs::read(&path).unwrap();
        for _ in 0..times / FORMS.len() {
            let (at, bit) = (dice.roll(good.len()), dice.roll(8));
            let flipped = Flipped::new(&path, &good, at, 1 << bit);
            assert!(refused(&path, &truth), "{form:?}: bit {bit} of byte {at} of {}", good.len());
            drop(flipped);
        }
    }
}

#[test]
fn five_thousand_random_flips_are_refused() {
    random_flips(5_000, 17);
}

#[test]
#[ignore = "half a minute"]
fn a_hundred_thousand_random_flips_are_refused() {
    random_flips(100_000, 23);
}

#[test]
fn every_bit_of_the_header_flipped_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.grundy");
    for form in FORMS {
        write_table(&path, form);
        let good = fs::read(&path).unwrap();
        let length = u32::from_le_bytes(good[12..16].try_into().unwrap()) as usize;
        for at in 0..length {
            for bit in 0..8 {
                let flipped = Flipped::new(&path, &good, at, 1 << bit);
                assert!(open(&path).is_err(), "{form:?}: bit {bit} of byte {at}");
                drop(flipped);
            }
        }
    }
}

#[test]
fn a_thousand_truncations_and_longer_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.grundy");
    let mut dice = Dice(5);
    for form in FORMS {
        write_table(&path, form);
        let good = fs::read(&path).unwrap();
        let mut lengths: Vec<usize> = (0..100).chain((1..20).map(|n| good.len() - n)).collect();
        lengths.extend((0..400).map(|_| dice.roll(good.len())));
        for length in lengths {
            fs::write(&path, &good[..length]).unwrap();
            let error = open(&path).unwrap_err();
            assert!(error.contains("t.grundy") && !error.contains('\n'), "{error}");
        }
        for more in [1, 2, 4096, 100_000] {
            let mut long = good.clone();
            long.resize(good.len() + more, 0);
            fs::write(&path, &long).unwrap();
            assert!(open(&path).is_err());
        }
    }
}

#[test]
fn header_fields_out_of_range_are_refused_even_with_a_right_checksum() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.grundy");
    write_table(&path, Packing::Packed);
    let good = fs::read(&path).unwrap();
    let length = u32::from_le_bytes(good[12..16].try_into().unwrap()) as usize;
    let truth = table();
    let mut cases = 0;
    // Every byte before the name, with values that lie at the edges.
    for at in 8..74 {
        for value in [0, 1, 3, 0x7F, 0x80, 0xFE, 0xFF] {
            // The checksums of list and content are checked later; the bytes below are not fields of a range.
            if good[at] == value || (48..72).contains(&at) {
                continue;
            }
            let mut bad = good.clone();
            bad[at] = value;
            let sum = xxh3_128(&bad[..length - 16]).to_le_bytes();
            bad[length - 16..length].copy_from_slice(&sum);
            fs::write(&path, &bad).unwrap();
            match open(&path) {
                Err(_) => {}
                // Another meaning is detected by the proof, anything else by a checksum, or is harmless.
                Ok(opened) if opened.coding() != truth.coding() => {
                    assert!(verify(&game(), &opened, &quiet_work()).is_err());
                }
                Ok(opened) => {
                    for number in 0..opened.count() {
                        let found = opened.get(number);
                        assert!(found.is_none() || found == truth.get(number), "byte {at} = {value}");
                    }
                }
            }
            cases += 1;
        }
    }
    assert!(cases > 250, "{cases}");
}

#[test]
fn tables_of_other_games_parameters_versions_and_rules_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.grundy");
    let refusal = || open(&path).unwrap_err();

    let other = Mnk::new(2, 2, 2, false).unwrap();
    let other_table = layers::solve(&other, &quiet_work()).unwrap();
    let other_label =
        Label { name: "mnk:2,2,2".to_owned(), fingerprint: fingerprint(&other), maker: Maker::Layers };
    write(&Disk, &path, &other_label, &other_table, Packing::Packed, 1).unwrap();
    assert!(refusal().contains("a table of mnk:2,2,2, expected mnk:3,2,2"), "{}", refusal());

    // The same name and count, but misere: the fingerprint detects it as the name would.
    let misere = Mnk::new(3, 2, 2, true).unwrap();
    assert_eq!(misere.size(), game().size());
    let misere_label = Label { fingerprint: fingerprint(&misere), ..label() };
    write(&Disk, &path, &misere_label, &table(), Packing::Packed, 1).unwrap();
    assert!(refusal().contains("other rules"), "{}", refusal());

    write_table(&path, Packing::Packed);
    let mut bytes = fs::read(&path).unwrap();
    bytes[8] = 2;
    fs::write(&path, &bytes).unwrap();
    assert!(refusal().contains("format version 2, expected 1"), "{}", refusal());

    for (content, expected) in [("", "not a table"), ("GIF89a", "not a table")] {
        fs::write(&path, content).unwrap();
        assert!(refusal().contains(expected), "{}", refusal());
    }
    fs::write(&path, vec![7; 100_000]).unwrap();
    assert!(refusal().contains("not a table"), "{}", refusal());
    fs::remove_file(&path).unwrap();
    assert!(refusal().contains("t.grundy"), "{}", refusal());
    fs::create_dir(&path).unwrap();
    assert!(refusal().contains("this is a folder"), "{}", refusal());
}

#[test]
fn a_table_whose_checksums_are_right_and_whose_values_are_wrong_is_not_proved() {
    let truth = table();
    let cells = truth.cells().unwrap();
    let coding = truth.coding();
    for at in 0..cells.len() {
        for code in [0, 1, 2, 3, cells[at].wrapping_add(2)] {
            let mut lies = cells.to_vec();
            if lies[at] == code {
                continue;
            }
            lies[at] = code;
            let table = Table::from_cells(coding, truth.count(), lies).unwrap();
            let doubt = verify(&game(), &table, &quiet_work()).unwrap_err();
            assert!(matches!(doubt, VerifyError::Wrong { .. }), "{doubt}");
        }
    }
    verify(&game(), &truth, &quiet_work()).unwrap();
    let outcomes = Coding { meaning: Meaning::Points, width: Width::One };
    let table = Table::from_cells(outcomes, truth.count(), cells.to_vec()).unwrap();
    assert!(matches!(verify(&game(), &table, &quiet_work()), Err(VerifyError::Work(_))));
}

#[test]
fn both_forms_hold_the_same_values_and_are_written_the_same_by_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(NAME);
    let big = Mnk::new(4, 3, 3, false).unwrap();
    let table = layers::solve(&big, &quiet_work()).unwrap();
    let label = Label { name: "mnk:4,3,3".to_owned(), fingerprint: 1, maker: Maker::Layers };
    for form in FORMS {
        let mut written = Vec::new();
        for threads in [1, 2, 5] {
            write(&Disk, &path, &label, &table, form, threads).unwrap();
            let opened = Table::open_for(&path, "mnk:4,3,3", 1, big.size()).unwrap();
            opened.check().unwrap();
            assert!(opened == table);
            let loaded = opened.load(threads, &mut |_, _| true).unwrap().unwrap();
            assert!(loaded == table && loaded.cells().is_some());
            assert!(opened.load(threads, &mut |_, _| false).unwrap().is_none());
            written.push(fs::read(&path).unwrap());
        }
        assert!(written.iter().all(|bytes| *bytes == written[0]));
        // A table in a file can be written again like one in memory.
        let opened = Table::open(&path).unwrap();
        let copy = folder.path().join("copy");
        write(&Disk, &copy, &label, &opened, form, 2).unwrap();
        assert_eq!(fs::read(&copy).unwrap(), written[0]);
    }
}
