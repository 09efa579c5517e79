//! The one place that maps a file into memory.
#![allow(unsafe_code)]

use std::fs::File;
use std::io;
use std::ops::Deref;

/// A file mapped into memory, read on first access.
#[derive(Debug)]
pub(super) struct Map(memmap2::Mmap);

impl Map {
    /// Maps a whole file for reading.
    pub(super) fn of(file: &File) -> io::Result<Map> {
        // SAFETY: the bytes may only change under us if another process writes to the file. Table files are never
        // written in place (they are made under another name, synced and renamed), and every block is checked
        // against its checksum before its first use. Whoever cuts a table short while it is open breaks this
        // promise and ends the process with SIGBUS; no value is believed wrongly.
        unsafe { memmap2::Mmap::map(file) }.map(Map)
    }
}

impl Deref for Map {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.0
    }
}
