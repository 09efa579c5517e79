//! Solved classes in compressed form: all of them together would not fit in memory.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::superposed::{Code, DRAW, FAR, Far, Levels, NONE, Place, WordCodes, value_of};
use grundy_core::pack::{Compressor, decompress};
use grundy_core::value::Value;

/// Words of a block, which is unpacked for one request.
const BLOCK: usize = 1 << 9;
/// Compression level. Beyond this the time grows more than the size shrinks.
const LEVEL: i32 = 1;

/// The values of a class, its cells packed.
pub struct PackedClass {
    /// By side to move: the packed blocks, one behind the other, and the end of each.
    sides: [(Vec<u8>, Vec<usize>); 2],
    words: usize,
    far: [Far; 2],
    /// The longest distance, once it is known. That of a file is found in its cells.
    longest: OnceLock<u32>,
    last: Mutex<Option<Unpacked>>,
}

/// The block that was unpacked last.
struct Unpacked {
    side: usize,
    number: usize,
    cells: Arc<Vec<u8>>,
}

impl PackedClass {
    /// Returns its size in bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.sides.iter().map(|(packed, ends)| (packed.len() + size_of_val(&ends[..])) as u64).sum()
    }

    /// Packs a class; `None` if that fails.
    pub fn new(levels: &Levels) -> Option<PackedClass> {
        let mut packer = Compressor::new(LEVEL).ok()?;
        let mut pack = |cells: &[WordCodes]| {
            let (mut bytes, mut ends, mut plain) = (Vec::new(), Vec::new(), Vec::new());
            for block in cells.chunks(BLOCK) {
                plain.clear();
                block.iter().for_each(|cells| plain.extend_from_slice(&cells.0));
                bytes.extend(packer.compress(&plain).ok()?);
                ends.push(bytes.len());
            }
            bytes.shrink_to_fit();
            Some((bytes, ends))
        };
        let [white, black] = &levels.cells;
        Some(PackedClass {
            sides: [pack(white)?, pack(black)?],
            words: white.len(),
            far: levels.far.clone(),
            longest: levels.longest.into(),
            last: Mutex::default(),
        })
    }

    /// Appends the class to a file's bytes.
    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        put(bytes, self.words as u64);
        put(bytes, self.longest().into());
        for ((packed, ends), far) in self.sides.iter().zip(&self.far) {
            put(bytes, ends.len() as u64);
            ends.iter().for_each(|&end| put(bytes, end as u64));
            put(bytes, far.len() as u64);
            for (&number, &plies) in far {
                put(bytes, number);
                put(bytes, plies.into());
            }
            bytes.extend(packed);
        }
    }

    /// Takes a class from the beginning of a file's bytes; `None` if there is none.
    pub(super) fn read(bytes: &mut &[u8]) -> Option<PackedClass> {
        let words = usize::try_from(take(bytes)?).ok()?;
        u32::try_from(take(bytes)?).ok()?;
        let mut far = [Far::new(), Far::new()];
        let mut sides = [(); 2].map(|()| (Vec::new(), Vec::new()));
        for ((packed, ends), far) in sides.iter_mut().zip(&mut far) {
            let blocks = take(bytes)?;
            if blocks != words.div_ceil(BLOCK) as u64 {
                return None;
            }
            let mut last = 0;
            for _ in 0..blocks {
                let end = usize::try_from(take(bytes)?).ok().filter(|&end| end >= last)?;
                ends.push(end);
                last = end;
            }
            for _ in 0..take(bytes)? {
                let number = take(bytes)?;
                far.insert(number, u32::try_from(take(bytes)?).ok()?);
            }
            let (own, rest) = bytes.split_at_checked(last)?;
            packed.extend(own);
            *bytes = rest;
        }
        Some(PackedClass { sides, words, far, longest: OnceLock::new(), last: Mutex::default() })
    }

    /// Returns the plies of the values that are [`FAR`](crate::superposed::FAR), by side to move.
    pub(super) fn far(&self) -> &[Far; 2] {
        &self.far
    }

    /// Returns the longest distance, in plies; no distance is longer than that of a class that is damaged.
    pub fn longest(&self) -> u32 {
        *self.longest.get_or_init(|| {
            let blocks =
                (0..2).flat_map(|side| (0..self.sides[side].1.len()).map(move |block| (side, block)));
            let longest = blocks.map(|(side, block)| self.block(side, block).map(|codes| longest_of(&codes)));
            let longest = longest.collect::<Option<Vec<u32>>>().map(|all| all.into_iter().max().unwrap_or(0));
            longest.map_or(u32::MAX, |longest| longest.max(longest_far(&self.far)))
        })
    }

    /// Unpacks the class; `None` if it is damaged.
    pub fn unpack(&self) -> Option<Levels> {
        let mut cells = [0, 1].map(|_| Vec::with_capacity(self.words));
        let mut longest = longest_far(&self.far);
        for (side, cells) in cells.iter_mut().enumerate() {
            for block in 0..self.sides[side].1.len() {
                let bytes = self.block(side, block)?;
                let (words, rest) = bytes.as_chunks::<64>();
                if !rest.is_empty() {
                    return None;
                }
                longest = longest.max(longest_of(&bytes));
                cells.extend(words.iter().map(|&codes| WordCodes(codes)));
            }
        }
        let whole = cells.iter().all(|cells| cells.len() == self.words);
        whole.then(|| Levels { cells, far: self.far.clone(), longest: *self.longest.get_or_init(|| longest) })
    }

    /// Returns the number of words with one side to move.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Returns the code at a place; [`NONE`] outside the layout.
    pub fn code(&self, place: Place) -> Code {
        self.word(place.side, place.word).0[place.bit & 63]
    }

    /// Returns the codes of one word; [`NONE`] outside the layout.
    pub fn word(&self, side: usize, word: usize) -> WordCodes {
        let mut codes = WordCodes([NONE; 64]);
        let (block, at) = (word / BLOCK, (word % BLOCK) * 64);
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let cells = match &*last {
            Some(last) if (last.side, last.number) == (side, block) => last.cells.clone(),
            _ => {
                let Some(cells) = self.block(side, block).map(Arc::new) else { return codes };
                *last = Some(Unpacked { side, number: block, cells: cells.clone() });
                cells
            }
        };
        drop(last);
        if let Some(found) = cells.get(at..at + 64) {
            codes.0.copy_from_slice(found);
        }
        codes
    }

    /// Returns the value at a place; `None` if it is no position.
    pub fn value(&self, place: Place) -> Option<Value> {
        value_of(self.code(place), place, &self.far)
    }

    fn block(&self, side: usize, number: usize) -> Option<Vec<u8>> {
        let (bytes, ends) = &self.sides[side];
        let end = *ends.get(number)?;
        let begin = number.checked_sub(1).map_or(0, |before| ends[before]);
        decompress(&bytes[begin..end], BLOCK * 64).ok()
    }
}

/// Returns the longest distance that some cells hold.
fn longest_of(codes: &[Code]) -> u32 {
    let held = codes.iter().map(|&code| if matches!(code, NONE | FAR) { DRAW } else { code });
    u32::from(held.max().unwrap_or(DRAW)).saturating_sub(1)
}

/// Returns the longest distance beside the cells.
fn longest_far(far: &[Far; 2]) -> u32 {
    far.iter().flat_map(|far| far.values().copied()).max().unwrap_or(0)
}

/// Appends a number.
pub(super) fn put(bytes: &mut Vec<u8>, number: u64) {
    bytes.extend(number.to_le_bytes());
}

/// Takes a number from the beginning of `bytes`; `None` at their end.
pub(super) fn take(bytes: &mut &[u8]) -> Option<u64> {
    let (number, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(u64::from_le_bytes(*number))
}
