//! The file of positions beside a table: it gives each position its index.
//!
//! | bytes | |
//! |---|---|
//! | 8 | magic `89 'gkeys' 02 0A` |
//! | 8 | checksum of the rules |
//! | 8 | number of positions |
//! | 4 | number of components |
//! | | for each component: 1 if it is cyclic, else 0 (1 byte), number of ranges (4), begin and end of each (4 each) |
//! | | the positions in rising order, each less the one before, 7 bits to a byte, the lowest first |
//! | 16 | xxh3 (128 bits) of all before |

use std::io::{BufReader, BufWriter, Read, Write};
use std::path::Path;

use xxhash_rust::xxh3::Xxh3;

use super::find::{Found, MOST};
use super::keys::Keys;
use crate::parts::{Part, Parts};
use grundy_core::files;
use grundy_core::table::{Disk, Flaw, TableError, write_whole};

const MAGIC: [u8; 8] = *b"\x89gkeys\x02\n";

/// Writes the positions.
pub(super) fn write(path: &Path, checksum: u64, found: &Found) -> Result<(), TableError> {
    write_whole(&Disk, path, |out| {
        let mut out = BufWriter::with_capacity(1 << 20, out);
        let mut sum = Xxh3::new();
        let mut put = |bytes: &[u8], out: &mut dyn Write| {
            sum.update(bytes);
            out.write_all(bytes)
        };
        let mut head = MAGIC.to_vec();
        head.extend(checksum.to_le_bytes());
        head.extend((found.keys.len() as u64).to_le_bytes());
        head.extend((found.components.len() as u32).to_le_bytes());
        for component in &found.components {
            head.push(u8::from(component.cyclic));
            head.extend((component.ranges.len() as u32).to_le_bytes());
            for range in &component.ranges {
                head.extend((range.start as u32).to_le_bytes());
                head.extend((range.end as u32).to_le_bytes());
            }
        }
        put(&head, &mut out)?;
        let mut before = 0;
        let mut bytes = Vec::with_capacity(1 << 16);
        for number in 0..found.keys.len() {
            let key = found.keys.get(number);
            let mut step = key - before;
            before = key;
            while step >= 128 {
                bytes.push(step as u8 | 128);
                step >>= 7;
            }
            bytes.push(step as u8);
            if bytes.len() > (1 << 16) - 32 {
                put(&bytes, &mut out)?;
                bytes.clear();
            }
        }
        put(&bytes, &mut out)?;
        out.write_all(&sum.digest128().to_le_bytes())?;
        out.flush()
    })
}

/// A file being read, with its running checksum.
struct Summed<R> {
    inner: R,
    sum: Xxh3,
    buffer: Vec<u8>,
    at: usize,
    left: u64,
}

impl<R: Read> Summed<R> {
    fn byte(&mut self) -> Result<u8, Flaw> {
        if self.at == self.buffer.len() {
            let want = self.left.min(1 << 18) as usize;
            if want == 0 {
                return Err(Flaw::NotATable);
            }
            self.buffer.resize(want, 0);
            self.inner.read_exact(&mut self.buffer)?;
            self.sum.update(&self.buffer);
            self.left -= want as u64;
            self.at = 0;
        }
        self.at += 1;
        Ok(self.buffer[self.at - 1])
    }

    /// Reads a number in groups of 7 bits, the lowest first.
    fn step(&mut self) -> Result<u128, Flaw> {
        let mut step = 0u128;
        for shift in (0..128).step_by(7) {
            let byte = self.byte()?;
            let bits = u128::from(byte & 127);
            step |= bits << shift;
            if byte < 128 {
                return if step >> shift == bits { Ok(step) } else { Err(Flaw::NotATable) };
            }
        }
        Err(Flaw::NotATable)
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], Flaw> {
        let mut bytes = [0; N];
        for byte in &mut bytes {
            *byte = self.byte()?;
        }
        Ok(bytes)
    }
}

/// Reads the positions. None is looked up before the checksum was compared.
pub(super) fn read(path: &Path, checksum: u64, small: bool) -> Result<Found, TableError> {
    parse(path, checksum, small).map_err(|flaw| TableError::new(path, flaw))
}

fn parse(path: &Path, checksum: u64, small: bool) -> Result<Found, Flaw> {
    let file = files::open(path).map_err(std::io::Error::from)?;
    let length = file.metadata()?.len();
    if length < 44 {
        return Err(Flaw::NotATable);
    }
    let inner = BufReader::with_capacity(1 << 18, file);
    let mut file = Summed { inner, sum: Xxh3::new(), buffer: Vec::new(), at: 0, left: length - 16 };
    if file.take()? != MAGIC {
        return Err(Flaw::NotATable);
    }
    if u64::from_le_bytes(file.take()?) != checksum {
        return Err(Flaw::OtherRules);
    }
    let count = u64::from_le_bytes(file.take()?);
    let tier_count = u32::from_le_bytes(file.take()?);
    // A position takes a byte at least.
    if count > length.min(MOST) || u64::from(tier_count) > length {
        return Err(Flaw::NotATable);
    }
    let mut components = Vec::new();
    for _ in 0..tier_count {
        let [cyclic] = file.take()?;
        let ranges = u32::from_le_bytes(file.take()?);
        let mut component = Part { ranges: Vec::new(), cyclic: cyclic == 1 };
        for _ in 0..ranges {
            let (start, end) = (u32::from_le_bytes(file.take()?), u32::from_le_bytes(file.take()?));
            if start >= end || u64::from(end) > count {
                return Err(Flaw::NotATable);
            }
            component.ranges.push(start.into()..end.into());
        }
        components.push(component);
    }
    if Parts::new(components.clone()).covering(count).is_err() {
        return Err(Flaw::NotATable);
    }
    // Room is made as positions come: a file of holes is long and has none.
    let room = |had: usize| if had.is_power_of_two() { had.min(count as usize - had) } else { 0 };
    let mut keys = if small { Keys::Small(Vec::new()) } else { Keys::Large(Vec::new()) };
    let mut key = 0u128;
    for number in 0..count {
        let step = file.step()?;
        // Positions stand in rising order, so that each is found by its key.
        let next = key.checked_add(step).filter(|_| number == 0 || step > 0);
        key = next.filter(|&key| !small || u64::try_from(key).is_ok()).ok_or(Flaw::NotATable)?;
        match &mut keys {
            Keys::Small(keys) => {
                keys.reserve_exact(room(keys.len()));
                keys.push(key as u64);
            }
            Keys::Large(keys) => {
                keys.reserve_exact(room(keys.len()));
                keys.push(key);
            }
        }
    }
    if file.left > 0 || file.at != file.buffer.len() {
        return Err(Flaw::NotATable);
    }
    let mut sum = [0; 16];
    file.inner.read_exact(&mut sum)?;
    if u128::from_le_bytes(sum) != file.sum.digest128() {
        return Err(Flaw::NotATable);
    }
    Ok(Found { keys, components })
}
