//! Files of solved classes, so that the next session need not solve them again.
//!
//! A file has one class or one portion, packed as in memory: a mark, a hash of rules and layout, the portion (zeros for
//! a whole class), the cells, and the xxh3 (64 bits) of all that. Numbers have 8 bytes, the lowest first.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use xxhash_rust::xxh3::xxh3_64;

use super::packed::{PackedClass, put, take};
use super::slices::PortionLevels;
use grundy_core::table::{Disk, TableError, refuse_without_room, write_whole};

/// The first bytes of a file.
const MARK: &[u8; 8] = b"grclass1";
/// Bytes that stay free on the disk.
const SPARE: u64 = 1 << 30;

/// The content of a file.
pub(super) enum Kept {
    Class(Arc<PackedClass>),
    Portion(Arc<PortionLevels>),
}

/// A class, or one of its chains.
type Part<E> = (E, Option<usize>);

/// The files of a library's classes, in the folder of the last request.
pub(super) struct ClassFiles<E> {
    /// The beginning of their names; `None` if there are no files.
    name: Option<&'static str>,
    folder: Mutex<Option<PathBuf>>,
    /// The classes and chains that are not in files yet.
    unsaved: Mutex<Vec<Part<E>>>,
}

impl<E: Copy + Display> ClassFiles<E> {
    /// Returns files whose names begin with `name`, or none at all.
    pub(super) fn new(name: Option<&'static str>) -> ClassFiles<E> {
        let name = name.filter(|_| !cfg!(target_family = "wasm"));
        ClassFiles { name, folder: Mutex::default(), unsaved: Mutex::default() }
    }

    /// Sets the folder.
    pub(super) fn keep_in(&self, folder: &Path) {
        let mut kept = self.folder.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.as_deref() != Some(folder) {
            *kept = Some(folder.to_owned());
        }
    }

    fn path(&self, (ending, chain): Part<E>) -> Option<PathBuf> {
        let chain = chain.map_or(String::new(), |chain| format!("_{chain}"));
        let folder = self.folder.lock().unwrap_or_else(PoisonError::into_inner).clone()?;
        Some(folder.join(format!("{}_{ending}{chain}.class", self.name?)))
    }

    /// Reports whether there is a file.
    pub(super) fn exists(&self, part: Part<E>) -> bool {
        self.path(part).is_some_and(|path| path.exists())
    }

    /// Reads a file of the rules and the layout with this fingerprint; `None` if there is none.
    pub(super) fn read(&self, part: Part<E>, fingerprint: impl FnOnce() -> u64) -> Option<Kept> {
        let path = self.path(part).filter(|path| path.exists())?;
        read(&path, fingerprint())
    }

    /// Writes a file, and creates the folder if necessary.
    ///
    /// # Errors
    /// The error of the file system, or the disk is almost full.
    pub(super) fn write(&self, part: Part<E>, fingerprint: u64, kept: &Kept) -> Result<(), TableError> {
        let Some(path) = self.path(part) else { return Ok(()) };
        let folder = path.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder).map_err(|error| TableError::new(folder, error))?;
        write(&path, fingerprint, kept)
    }

    /// Adds a class or a chain that is to be written.
    pub(super) fn add(&self, part: Part<E>) {
        if self.name.is_some() {
            self.unsaved.lock().unwrap_or_else(PoisonError::into_inner).push(part);
        }
    }

    /// Reports whether something is to be written.
    pub(super) fn any_unsaved(&self) -> bool {
        !self.unsaved.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    /// Takes what is to be written next.
    pub(super) fn next_unsaved(&self) -> Option<Part<E>> {
        self.unsaved.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }
}

/// Writes a class to a file, completely or not at all. The folder exists.
///
/// # Errors
/// The error of the file system, or the disk is almost full.
fn write(path: &Path, fingerprint: u64, kept: &Kept) -> Result<(), TableError> {
    let mut bytes = MARK.to_vec();
    put(&mut bytes, fingerprint);
    match kept {
        Kept::Class(class) => {
            [0; 4].into_iter().for_each(|field| put(&mut bytes, field));
            class.write(&mut bytes);
        }
        Kept::Portion(portion) => {
            portion.place().into_iter().for_each(|field| put(&mut bytes, field as u64));
            portion.pack().iter().for_each(|class| class.write(&mut bytes));
        }
    }
    let sum = xxh3_64(&bytes);
    put(&mut bytes, sum);
    refuse_without_room(path.parent().unwrap_or(Path::new(".")), bytes.len() as u64 + SPARE)?;
    write_whole(&Disk, path, |out| out.write_all(&bytes))
}

/// Reads a file; `None` if it is missing, damaged, or of other rules or another layout.
fn read(path: &Path, fingerprint: u64) -> Option<Kept> {
    let bytes = std::fs::read(path).ok()?;
    let (content, sum) = bytes.split_last_chunk::<8>()?;
    let mut rest = content.strip_prefix(MARK)?;
    if u64::from_le_bytes(*sum) != xxh3_64(content) || take(&mut rest)? != fingerprint {
        log::warn!("{}: damaged, or of another version", path.display());
        return None;
    }
    let mut place = [0; 4];
    for field in &mut place {
        *field = usize::try_from(take(&mut rest)?).ok()?;
    }
    let class = PackedClass::read(&mut rest)?;
    Some(if place == [0; 4] {
        Kept::Class(Arc::new(class))
    } else {
        Kept::Portion(Arc::new(PortionLevels::new(place, &class)?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::superposed::{Far, Levels, NONE, Place, WordCodes};
    use std::fs;

    fn levels() -> Levels {
        let cells = |seed: usize| {
            (0..1_500).map(|word| WordCodes([((word * 31 + seed) % 17) as u8; 64])).collect::<Vec<_>>()
        };
        Levels { cells: [cells(1), cells(2)], far: [Far::from([(5, 300)]), Far::new()], longest: 300 }
    }

    #[test]
    fn a_class_and_a_portion_are_read_as_they_were_written_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let (path, levels) = (folder.path().join("a.class"), levels());
        let packed = PackedClass::new(&levels).unwrap();
        let place = [2, 3, 4_000, 4_100];
        let portion = Kept::Portion(Arc::new(PortionLevels::new(place, &packed).unwrap()));
        for kept in [Kept::Class(Arc::new(packed)), portion] {
            write(&path, 7, &kept).unwrap();
            match read(&path, 7) {
                Some(Kept::Class(class)) => {
                    let read = class.unpack().unwrap();
                    assert_eq!(
                        (read.cells, read.far, read.longest),
                        (levels.cells.clone(), levels.far.clone(), 300)
                    );
                }
                Some(Kept::Portion(portion)) => {
                    assert_eq!(portion.place(), place);
                    let code = |word| portion.code(Place { side: 1, word, bit: 9 });
                    assert_eq!((code(4_099), code(4_100), code(4_101)), (NONE, 2, 33 % 17));
                }
                None => panic!("it was written"),
            }
            // Other rules, a changed byte, a missing end.
            assert!(read(&path, 8).is_none());
            let bytes = fs::read(&path).unwrap();
            for at in [0, 20, 60, bytes.len() / 2, bytes.len() - 1] {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1;
                fs::write(&path, damaged).unwrap();
                assert!(read(&path, 7).is_none(), "{at}");
            }
            fs::write(&path, &bytes[..bytes.len() - 9]).unwrap();
            assert!(read(&path, 7).is_none());
        }
    }
}
