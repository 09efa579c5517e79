//! A file system that fails at the n-th call, once or for ever, for every n.

use std::fs;
use std::io::{self, ErrorKind, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use grundy::table::{
    CheckpointFile, Checkpoints, Disk, Files, Folder, Out, Packing, Snapshot, Table, Width, write,
};

use crate::tools::{NAME, label, names, open, table, write_table};

/// The way in which a call fails.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Failure {
    Error(ErrorKind),
    /// Half of the bytes are written, the rest must be written again: not a failure.
    Short,
    /// A signal interrupted the call, which must be repeated: not a failure.
    Interrupted,
}

/// Counts calls and decides which fail.
#[derive(Clone, Copy)]
struct Calls {
    made: usize,
    fail_at: usize,
    for_ever: bool,
    failure: Failure,
}

/// The real file system, except for one call or all calls from one on.
#[derive(Clone)]
struct Failing(Arc<Mutex<Calls>>);

impl Failing {
    fn new(fail_at: usize, for_ever: bool, failure: Failure) -> Failing {
        Failing(Arc::new(Mutex::new(Calls { made: 0, fail_at, for_ever, failure })))
    }

    fn made(&self) -> usize {
        self.0.lock().unwrap().made
    }

    /// Counts a call; returns the way in which it fails, if it does.
    fn failure(&self) -> Option<Failure> {
        let mut calls = self.0.lock().unwrap();
        calls.made += 1;
        let hit = calls.made == calls.fail_at || (calls.for_ever && calls.made > calls.fail_at);
        hit.then_some(calls.failure)
    }

    fn call(&self) -> io::Result<()> {
        match self.failure() {
            Some(Failure::Error(kind)) => Err(kind.into()),
            _ => Ok(()),
        }
    }
}

impl Files for Failing {
    fn create(&self, path: &Path) -> io::Result<Box<dyn Out>> {
        self.call()?;
        Ok(Box::new(FailingOut { inner: Disk.create(path)?, files: self.clone() }))
    }
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.call()?;
        Disk.rename(from, to)
    }
    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        // Thousands of real syncs would take minutes and prove nothing more.
        self.call().and_then(|()| fs::metadata(folder).map(|_| ()))
    }
    fn remove(&self, path: &Path) -> io::Result<()> {
        Disk.remove(path)
    }
}

struct FailingOut {
    inner: Box<dyn Out>,
    files: Failing,
}

impl Write for FailingOut {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Small pieces make many calls, each of which can fail.
        let piece = &bytes[..bytes.len().min(48)];
        match self.files.failure() {
            None => self.inner.write(piece),
            Some(Failure::Error(kind)) => Err(kind.into()),
            Some(Failure::Short) => self.inner.write(&piece[..piece.len().div_ceil(2)]),
            Some(Failure::Interrupted) => Err(ErrorKind::Interrupted.into()),
        }
    }
    fn flush(&mut self) -> io::Result<()> {
        self.files.call()?;
        self.inner.flush()
    }
}

impl Seek for FailingOut {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.files.call()?;
        self.inner.seek(to)
    }
}

impl Out for FailingOut {
    fn sync(&mut self) -> io::Result<()> {
        self.files.call()
    }
}

#[test]
fn every_call_of_writing_a_table_fails_in_turn_and_the_old_table_or_the_new_one_stands() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.grundy");
    let table = table();
    let counting = Failing::new(usize::MAX, false, Failure::Short);
    write(&counting, &path, &label(), &table, Packing::Packed, 1).unwrap();
    let whole = fs::read(&path).unwrap();
    let calls = counting.made();
    let mut cases = 0;
    for failure in [
        Failure::Error(ErrorKind::StorageFull),
        Failure::Error(ErrorKind::PermissionDenied),
        Failure::Error(ErrorKind::Other),
        Failure::Short,
        Failure::Interrupted,
    ] {
        for for_ever in [false, true] {
            if for_ever && failure == Failure::Interrupted {
                continue;
            }
            for fail_at in 1..=calls {
                for old in [None, Some(b"the old table".as_slice())] {
                    let _ = fs::remove_file(&path);
                    if let Some(old) = old {
                        fs::write(&path, old).unwrap();
                    }
                    let files = Failing::new(fail_at, for_ever, failure);
                    let written = write(&files, &path, &label(), &table, Packing::Packed, 1);
                    let found = fs::read(&path).ok();
                    let harmless = matches!(failure, Failure::Short | Failure::Interrupted);
                    match written {
                        Ok(()) => assert_eq!(found.as_deref(), Some(whole.as_slice())),
                        Err(error) => {
                            assert!(!harmless, "{failure:?} at call {fail_at}: {error}");
                            let line = error.to_string();
                            assert!(line.contains("t.grundy") && !line.contains('\n'), "{line}");
                            // Only the last call, which syncs the rename, comes after the table has its name.
                            if found.as_deref() != Some(whole.as_slice()) {
                                assert_eq!(found.as_deref(), old, "{failure:?} at call {fail_at}");
                            }
                        }
                    }
                    let left = names(folder.path());
                    assert!(left.iter().all(|name| name == "t.grundy"), "{left:?}");
                    cases += 1;
                }
            }
        }
    }
    assert!(cases >= 1_600, "{cases}");
}

#[test]
fn a_checkpoint_that_cannot_be_written_leaves_the_one_before() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.part");
    fn checkpoint<'a>(files: &'a dyn Files, path: &Path) -> CheckpointFile<'a> {
        CheckpointFile::new(files, path.to_owned(), NAME, 7, 5000, Duration::ZERO)
    }
    let copy = |offset: u64, into: &mut [u8]| into.fill(offset as u8);
    let snapshot = |stage| Snapshot { stage, width: Width::One, len: 5000, copy: &copy };
    let counting = Failing::new(usize::MAX, false, Failure::Short);
    checkpoint(&counting, &path).save(&snapshot(&[1, 2]));
    let calls = counting.made();
    for fail_at in 1..calls {
        let files = Failing::new(fail_at, true, Failure::Error(ErrorKind::StorageFull));
        checkpoint(&files, &path).save(&snapshot(&[3, 4]));
        let kept = checkpoint(&Disk, &path).resume().unwrap();
        assert_eq!((kept.stage, kept.cells), (vec![1, 2], vec![0; 5000]), "call {fail_at} of {calls}");
        assert_eq!(names(folder.path()), ["t.part"]);
    }
    checkpoint(&Disk, &path).save(&snapshot(&[3, 4]));
    assert_eq!(checkpoint(&Disk, &path).resume().unwrap().stage, [3, 4]);
    // Of another game, other rules or damaged in any byte: not taken.
    let others = [("mnk:9,9,9", 7, 5000), (NAME, 8, 5000), (NAME, 7, 5001)];
    for (name, fingerprint, count) in others {
        let mut other = CheckpointFile::new(&Disk, path.clone(), name, fingerprint, count, Duration::ZERO);
        assert_eq!(other.resume(), None);
    }
    let good = fs::read(&path).unwrap();
    for at in 0..good.len() {
        let mut bad = good.clone();
        bad[at] ^= 0x10;
        fs::write(&path, &bad).unwrap();
        assert_eq!(checkpoint(&Disk, &path).resume(), None, "byte {at}");
    }
    for length in (0..good.len()).step_by(97) {
        fs::write(&path, &good[..length]).unwrap();
        assert_eq!(checkpoint(&Disk, &path).resume(), None);
    }
}

#[test]
fn a_second_solver_is_refused_while_the_first_one_lives() {
    let folder = tempfile::tempdir().unwrap();
    let folder = Folder::find(Some(folder.path()));
    for _ in 0..20 {
        let first = folder.lock(NAME).unwrap();
        let second = folder.lock(NAME).unwrap_err().to_string();
        assert!(second.contains("another process is making this table"), "{second}");
        assert!(folder.lock("mnk:3,3,3").is_ok(), "other tables may be made");
        drop(first);
    }
    assert!(names(folder.path()).is_empty());
}

/// Writes a plain table of `count` cells.
fn large_table(path: &Path, count: u64) {
    let coding = grundy::table::Coding { meaning: grundy::table::Meaning::Distance, width: Width::One };
    let large = Table::from_cells(coding, count, (0..count).map(|n| (n % 251) as u8).collect()).unwrap();
    write(&Disk, path, &label(), &large, Packing::Plain, 2).unwrap();
}

/// Blocks are read when they are needed: damage to them does not show before.
#[test]
fn a_table_is_opened_by_its_header_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.grundy");
    let count = 1_000_000;
    large_table(&path, count);
    let mut bytes = fs::read(&path).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let table = Table::open(&path).unwrap();
    assert_eq!((table.code(0), table.code(count - 1)), (Some(0), None));
    write_table(&path, Packing::Packed);
    assert!(open(&path).is_ok());
}

/// `cargo test --release --test tables -- --ignored milliseconds`
#[test]
#[ignore = "measures time, on an idle machine"]
fn a_table_opens_in_under_five_milliseconds_whatever_its_size() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.grundy");
    let count = 50_000_000;
    large_table(&path, count);
    let began = Instant::now();
    let table = Table::open(&path).unwrap();
    assert_eq!(table.code(count - 1), Some(((count - 1) % 251) as u32));
    assert!(began.elapsed() < Duration::from_millis(5), "{:?}", began.elapsed());
}
