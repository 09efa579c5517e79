//! Files of solved classes, so that the next session need not solve them again.
//!
//! A file has one class or one portion, packed as in memory: a mark, a hash of rules and layout, the portion (zeros for
//! a whole class), the cells, and the xxh3 (64 bits) of all that. Numbers have 8 bytes, the lowest first.

use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use xxhash_rust::xxh3::xxh3_64;

use super::packed::{PackedClass, put, take};
use super::slices::PortionLevels;
use crate::superposed::{Endings, Portion};
use grundy_core::files;
use grundy_core::table::{CLASS_SUFFIX, Disk, Flaw, TableError, refuse_without_room, write_whole};

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

    /// Returns the beginning of the files' names; `None` if there are no files.
    pub(super) fn name(&self) -> Option<&'static str> {
        self.name
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
        Some(folder.join(format!("{}_{ending}{chain}{CLASS_SUFFIX}", self.name?)))
    }

    /// Reports whether there is a file.
    pub(super) fn exists(&self, part: Part<E>) -> bool {
        self.path(part).is_some_and(|path| path.exists())
    }

    /// Reads a file of the rules and the layout of a game; `None` if there is none.
    pub(super) fn read<G: Endings<Ending = E>>(&self, game: &G, part: Part<E>) -> Option<Kept> {
        let path = self.path(part).filter(|path| path.exists())?;
        let kept =
            contents(&path, game, part).and_then(|contents| contents.kept().ok_or(Flaw::ContentDamaged));
        kept.inspect_err(|flaw| log::warn!("{}: {flaw}", path.display())).ok()
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

/// The content of a file, its cells packed.
pub(super) struct Contents {
    /// The [place](PortionLevels::place) of a portion; `None` for a whole class.
    pub place: Option<[usize; 4]>,
    pub class: PackedClass,
}

impl Contents {
    /// Returns the portion; `None` for a whole class.
    pub(super) fn portion(&self) -> Option<Portion> {
        self.place.map(|[chain, steps, ..]| Portion { chain, steps })
    }

    /// Returns the class or the portion, the latter unpacked; `None` if it is damaged.
    fn kept(self) -> Option<Kept> {
        let Contents { place, class } = self;
        Some(match place {
            None => Kept::Class(Arc::new(class)),
            Some(place) => Kept::Portion(Arc::new(PortionLevels::new(place, &class)?)),
        })
    }
}

/// Reads the file of a part of a game.
///
/// # Errors
/// It cannot be read, is damaged, or is of other rules or another layout.
pub(super) fn contents<G: Endings>(
    path: &Path,
    game: &G,
    (ending, chain): Part<G::Ending>,
) -> Result<Contents, Flaw> {
    // Cells hardly grow when they are packed; what is beside them takes little.
    let most = (4 * 64 * game.words(ending) as u64).saturating_add(1 << 24);
    let bytes = files::read(path, most).map_err(io::Error::from)?;
    contents_of(&bytes, game.fingerprint(ending), chain, |portion| game.stored(ending, portion))
}

/// Reads the bytes of a class, or of one of its chains, with this fingerprint; `stored` returns the words that are stored for
/// a portion.
fn contents_of(
    bytes: &[u8],
    fingerprint: u64,
    chain: Option<usize>,
    stored: impl FnOnce(Option<Portion>) -> Option<[usize; 3]>,
) -> Result<Contents, Flaw> {
    let (content, sum) = bytes.split_last_chunk::<8>().ok_or(Flaw::NotATable)?;
    let mut rest = content.strip_prefix(MARK).ok_or(Flaw::NotATable)?;
    if u64::from_le_bytes(*sum) != xxh3_64(content) {
        return Err(Flaw::ContentDamaged);
    }
    if take(&mut rest) != Some(fingerprint) {
        return Err(Flaw::OtherRules);
    }
    let mut place = [0; 4];
    for field in &mut place {
        *field = take(&mut rest).and_then(|field| usize::try_from(field).ok()).ok_or(Flaw::ContentDamaged)?;
    }
    let class = PackedClass::read(&mut rest).ok_or(Flaw::ContentDamaged)?;
    // Where the values belong is no choice of the file.
    let portion = chain.map(|chain| Portion { chain, steps: place[1] });
    let named = portion.map_or([0, 0], |portion| [portion.chain, portion.steps]);
    if [place[0], place[1]] != named || stored(portion) != Some([place[2], place[3], class.words()]) {
        return Err(Flaw::ContentDamaged);
    }
    Ok(Contents { place: portion.map(|_| place), class })
}

/// Returns the class and the chain that the name of a file has behind `prefix`; `None` if it is not named like one.
pub(super) fn named_by<'a>(prefix: &str, path: &'a Path) -> Option<(&'a str, Option<usize>)> {
    let name = path.file_name()?.to_str()?.strip_suffix(CLASS_SUFFIX)?;
    let words = name.strip_prefix(prefix)?.strip_prefix('_')?;
    Some(match words.split_once('_') {
        Some((class, chain)) => (class, Some(chain.parse().ok()?)),
        None => (words, None),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::superposed::{Far, Levels, NONE, Place, WordCodes};
    use std::fs;

    fn read(path: &Path, fingerprint: u64, place: [usize; 4]) -> Option<Kept> {
        let chain = Some(place[0]).filter(|_| place != [0; 4]);
        let stored = |_| Some([place[2], place[3], 1_500]);
        contents_of(&fs::read(path).ok()?, fingerprint, chain, stored).ok()?.kept()
    }

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
        for (kept, place) in [(Kept::Class(Arc::new(packed)), [0; 4]), (portion, place)] {
            write(&path, 7, &kept).unwrap();
            match read(&path, 7, place) {
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
            assert!(read(&path, 8, place).is_none());
            // Another chain, other words.
            for i in 0..4 {
                let mut other = place;
                other[i] += 1;
                assert!(i == 1 || read(&path, 7, other).is_none(), "{i}");
            }
            let bytes = fs::read(&path).unwrap();
            for at in [0, 20, 60, bytes.len() / 2, bytes.len() - 1] {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1;
                fs::write(&path, damaged).unwrap();
                assert!(read(&path, 7, place).is_none(), "{at}");
            }
            fs::write(&path, &bytes[..bytes.len() - 9]).unwrap();
            assert!(read(&path, 7, place).is_none());
        }
    }
}
