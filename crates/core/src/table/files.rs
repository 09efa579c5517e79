//! The file system operations used to write tables. Tests substitute one that fails.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};

#[cfg(unix)]
use super::flaw::Flaw;
use super::flaw::TableError;

/// A file system, as far as writing goes.
pub trait Files: Sync {
    /// Creates a file, or truncates an existing one.
    ///
    /// # Errors
    /// Error of the file system.
    fn create(&self, path: &Path) -> io::Result<Box<dyn Out>>;

    /// Renames a file atomically, replacing a file of the new name.
    ///
    /// # Errors
    /// Error of the file system.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Makes renames in a folder durable.
    ///
    /// # Errors
    /// Error of the file system.
    fn sync_folder(&self, folder: &Path) -> io::Result<()>;

    /// Removes a file.
    ///
    /// # Errors
    /// Error of the file system.
    fn remove(&self, path: &Path) -> io::Result<()>;
}

/// A file being written.
pub trait Out: Write + Seek {
    /// Waits until all data is on the disk.
    ///
    /// # Errors
    /// Error of the file system.
    fn sync(&mut self) -> io::Result<()>;
}

/// The real file system.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl Files for Disk {
    fn create(&self, path: &Path) -> io::Result<Box<dyn Out>> {
        Ok(Box::new(OpenOptions::new().write(true).create(true).truncate(true).open(path)?))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        // Windows has no such call, and its file system orders a rename after the data.
        if cfg!(windows) { Ok(()) } else { File::open(folder)?.sync_all() }
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }
}

impl Out for File {
    fn sync(&mut self) -> io::Result<()> {
        self.sync_all()
    }
}

/// Separates a file's name from the id of the process that is writing it.
pub(super) const TEMPORARY: &str = ".tmp.";

/// Replaces a file atomically: at every moment its name refers to the old file or to the complete new one. The new file
/// is written under a temporary name, synced and renamed, and then the folder is synced.
///
/// # Errors
/// The first error of the file system; no partial file is left.
pub fn write_whole(
    files: &dyn Files,
    path: &Path,
    fill: impl FnOnce(&mut dyn Out) -> io::Result<()>,
) -> Result<(), TableError> {
    let mut name = path.as_os_str().to_owned();
    name.push(format!("{TEMPORARY}{}", std::process::id()));
    let beside = PathBuf::from(name);
    let written = (|| {
        let mut out = files.create(&beside)?;
        fill(&mut *out)?;
        out.sync()?;
        drop(out);
        files.rename(&beside, path)
    })();
    if let Err(error) = written {
        let _ = files.remove(&beside);
        return Err(TableError::new(path, error));
    }
    let folder = path.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
    files.sync_folder(folder).map_err(|error| TableError::new(path, error))
}

/// Checks that the disk has `needed` bytes of free space.
///
/// # Errors
/// [`Flaw::NoRoom`] with both figures.
pub fn refuse_without_room(folder: &Path, needed: u64) -> Result<(), TableError> {
    #[cfg(unix)]
    if let Ok(disk) = rustix::fs::statvfs(folder) {
        let free = disk.f_bavail.saturating_mul(disk.f_frsize);
        if free < needed {
            return Err(TableError::new(folder, Flaw::NoRoom { needed, free }));
        }
    }
    #[cfg(not(unix))]
    let _ = (folder, needed);
    Ok(())
}
