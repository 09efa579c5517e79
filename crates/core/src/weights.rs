//! Weights of learned evaluations: tables over tuples of cells, their file, and the estimate of a position.
//!
//! An estimate is the sum of one weight for each *image*: a tuple of cells with a table that has a weight for every
//! filling of them. Images that a symmetry of the game or a translation of the board maps to each other share a table.
//! Each player to move has images of his own; where the game is the same for both players, they share tables as well.
//!
//! An estimate is a guess. No value, proof or table depends on weights.

use std::fmt;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use xxhash_rust::xxh3::xxh3_128;

use crate::files::{self, FileError};
use crate::game::Player;
use crate::pack;
use crate::table::{Disk, TableError, write_whole};
use crate::text::visible;

/// The beginning of every weights file.
const MAGIC: &[u8; 8] = b"grundyW\n";
/// The version of the format.
const VERSION: u32 = 1;
/// Bytes before the packed contents: magic, version, checksum, length of the contents.
const HEAD: usize = 8 + 4 + 16 + 8;
/// The largest file and the largest contents that are read, in bytes.
const LARGEST_FILE: u64 = 64 << 20;
const LARGEST: usize = 128 << 20;
/// The most cells, images for each player, cells of an image, and weights.
const CELLS: usize = 4096;
const IMAGES: usize = 1 << 15;
const WIDTH: usize = 16;
const WEIGHTS: usize = 1 << 25;
/// The level of compression.
const LEVEL: i32 = 9;

/// A tuple of cells and the place of its table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// The index of the table's first weight.
    pub base: u32,
    /// The cells, the one that counts least first.
    pub cells: Vec<u16>,
}

/// The contents of a weights file.
#[derive(Clone, Debug, PartialEq)]
pub struct Contents {
    /// The game's full name.
    pub game: String,
    /// The digest of the files that the game is read from; empty without any.
    pub digest: String,
    /// The method that made the weights.
    pub method: String,
    /// The games played to make them, and the seed.
    pub games: u64,
    /// The seed of the games.
    pub seed: u64,
    /// The number of cells of every position.
    pub cells: usize,
    /// The digit of each byte of a cell, for either player to move.
    pub digits: [[u8; 256]; 2],
    /// Digits are below this.
    pub base: u8,
    /// The images, for either player to move.
    pub images: [Vec<Image>; 2],
    /// Hundredths of a point, or of the unit of guesses, that a weight of 1 is worth; in units of 2^-16.
    pub unit: u32,
    /// The weights of all tables.
    pub weights: Vec<i16>,
}

/// Why a weights file was refused.
#[derive(Debug)]
pub enum WeightsError {
    /// It cannot be read.
    File(FileError),
    /// It does not begin like one.
    NotWeights,
    /// It is of another format version.
    Version(u32),
    /// Its checksum is wrong, or the contents are not what a writer would write.
    Damaged(&'static str),
    /// It is of another game: the expected one and the one found.
    OtherGame(String, String),
    /// The game's rules were changed since.
    OtherRules,
}

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WeightsError::File(error) => write!(f, "{error}"),
            WeightsError::NotWeights => f.write_str("not a weights file of this program"),
            WeightsError::Version(found) => write!(f, "format version {found}, expected {VERSION}"),
            WeightsError::Damaged(what) => write!(f, "damaged: {what}"),
            WeightsError::OtherGame(expected, found) => {
                write!(f, "weights of {}, expected {expected}", visible(found))
            }
            WeightsError::OtherRules => f.write_str("learned with other rules of this game: learn anew"),
        }
    }
}

impl std::error::Error for WeightsError {}

/// Weights, ready to estimate positions.
#[derive(Clone, Debug)]
pub struct Weights {
    contents: Contents,
    sides: [Side; 2],
    /// Identifies the weights that accumulators belong to.
    id: u64,
}

/// The images of one player to move, by cell.
#[derive(Clone, Debug, Default)]
struct Side {
    /// The place of each cell's entries in `touching`, and the end of the last.
    begins: Vec<u32>,
    /// For each cell: each image that contains it, and the difference of its index from one digit to the next.
    touching: Vec<(u32, u32)>,
    /// The index of each image with all digits 0, and the sum of these weights.
    indices: Vec<u32>,
    sum: i32,
}

/// The indices of the last position estimated for either player, so that the next one costs only what differs.
#[derive(Clone, Debug, Default)]
pub struct Accumulators {
    owner: u64,
    sides: [Accumulator; 2],
    /// A buffer for the cells of a position.
    pub cells: Vec<u8>,
}

#[derive(Clone, Debug, Default)]
struct Accumulator {
    digits: Vec<u8>,
    indices: Vec<u32>,
    sum: i32,
}

impl Weights {
    /// Checks contents and prepares them for use.
    ///
    /// # Errors
    /// The contents contradict themselves: what is wrong.
    pub fn new(contents: Contents) -> Result<Weights, WeightsError> {
        static IDS: AtomicU64 = AtomicU64::new(1);
        let Contents { cells, base, weights, images, digits, .. } = &contents;
        let wrong = |what| Err(WeightsError::Damaged(what));
        if *cells > CELLS || *base == 0 || weights.len() > WEIGHTS {
            return wrong("no weights have these sizes");
        }
        if digits.iter().flatten().any(|digit| digit >= base) {
            return wrong("a digit is too large");
        }
        for image in images.iter().flatten() {
            let table = u64::from(*base).checked_pow(image.cells.len() as u32);
            let end = table.and_then(|table| table.checked_add(u64::from(image.base)));
            if image.cells.len() > WIDTH || end.is_none_or(|end| end > weights.len() as u64) {
                return wrong("an image has no table");
            }
            if image.cells.iter().any(|&cell| usize::from(cell) >= *cells) {
                return wrong("an image has a cell beyond the last");
            }
        }
        if images.iter().any(|images| images.len() > IMAGES) {
            return wrong("too many images");
        }
        let sides = [0, 1].map(|turn| Side::new(&contents, turn));
        Ok(Weights { sides, contents, id: IDS.fetch_add(1, Relaxed) })
    }

    /// Returns the contents.
    pub fn contents(&self) -> &Contents {
        &self.contents
    }

    /// Returns an estimate for the player to move of a position with these cells, in hundredths; 0 if the number of cells
    /// is not that of the game's positions.
    #[inline]
    pub fn guess(&self, turn: Player, cells: &[u8], memory: &mut Accumulators) -> i32 {
        if cells.len() != self.contents.cells {
            return 0;
        }
        if memory.owner != self.id {
            memory.owner = self.id;
            for (side, accumulator) in self.sides.iter().zip(&mut memory.sides) {
                accumulator.digits = vec![0; cells.len()];
                accumulator.indices.clone_from(&side.indices);
                accumulator.sum = side.sum;
            }
        }
        let (side, now) = (&self.sides[turn.index()], &mut memory.sides[turn.index()]);
        let digits = &self.contents.digits[turn.index()];
        let weights = &self.contents.weights[..];
        for (cell, (&byte, old)) in cells.iter().zip(&mut now.digits).enumerate() {
            let digit = digits[usize::from(byte)];
            if digit == *old {
                continue;
            }
            let change = u32::from(digit).wrapping_sub(u32::from(*old));
            *old = digit;
            let touching = &side.touching[side.begins[cell] as usize..side.begins[cell + 1] as usize];
            for &(image, power) in touching {
                let index = &mut now.indices[image as usize];
                now.sum -= i32::from(weights[*index as usize]);
                *index = index.wrapping_add(change.wrapping_mul(power));
                now.sum += i32::from(weights[*index as usize]);
            }
        }
        ((i64::from(now.sum) * i64::from(self.contents.unit)) >> 16) as i32
    }

    /// Reads a file.
    ///
    /// # Errors
    /// It cannot be read, is damaged, or is no weights file of this version.
    pub fn read(path: &Path) -> Result<Weights, WeightsError> {
        Weights::from_bytes(&files::read(path, LARGEST_FILE).map_err(WeightsError::File)?)
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// Same as [`Weights::read`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Weights, WeightsError> {
        if bytes.len() < HEAD || &bytes[..8] != MAGIC {
            return Err(WeightsError::NotWeights);
        }
        let mut head = Reader(&bytes[8..]);
        let version = head.number::<4>()? as u32;
        if version != VERSION {
            return Err(WeightsError::Version(version));
        }
        let checksum = head.take(16)?;
        if checksum != xxh3_128(head.0).to_le_bytes() {
            return Err(WeightsError::Damaged("the checksum is wrong"));
        }
        let length = head.number::<8>()? as usize;
        if length > LARGEST {
            return Err(WeightsError::Damaged("no weights are that long"));
        }
        let body = pack::decompress(head.0, length).ok().filter(|body| body.len() == length);
        let body = body.ok_or(WeightsError::Damaged("the contents cannot be unpacked"))?;
        Weights::new(contents(&body)?)
    }

    /// Returns the bytes of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let body = self.body();
        let packed = pack::Compressor::new(LEVEL).and_then(|mut packer| packer.compress(&body));
        // Only a lack of memory can fail here; a file of another length is then refused by its reader.
        let packed = packed.unwrap_or_default();
        let mut rest = (body.len() as u64).to_le_bytes().to_vec();
        rest.extend(packed);
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(xxh3_128(&rest).to_le_bytes());
        bytes.extend(rest);
        bytes
    }

    /// Writes a file, which replaces one of this name at once.
    ///
    /// # Errors
    /// The first error of the file system.
    pub fn write(&self, path: &Path) -> Result<(), TableError> {
        let bytes = self.to_bytes();
        write_whole(&Disk, path, |out| out.write_all(&bytes))
    }

    /// Checks that these are weights of a game.
    ///
    /// # Errors
    /// They are those of another game, or of other rules of this name.
    pub fn check(&self, game: &str, digest: Option<&str>) -> Result<(), WeightsError> {
        let Contents { game: found, digest: own, .. } = &self.contents;
        match digest {
            // The digest says which game it is, wherever its file is.
            Some(digest) if *own == digest => Ok(()),
            Some(_) if found == game => Err(WeightsError::OtherRules),
            None if found == game => Ok(()),
            _ => Err(WeightsError::OtherGame(game.to_owned(), found.clone())),
        }
    }

    fn body(&self) -> Vec<u8> {
        let Contents { game, digest, method, games, seed, cells, digits, base, images, unit, weights } =
            &self.contents;
        let mut body = Vec::new();
        for text in [game, digest, method] {
            body.extend((text.len() as u32).to_le_bytes());
            body.extend(text.bytes());
        }
        body.extend(games.to_le_bytes());
        body.extend(seed.to_le_bytes());
        body.extend((*cells as u32).to_le_bytes());
        body.push(*base);
        digits.iter().for_each(|digits| body.extend(digits));
        body.extend(unit.to_le_bytes());
        for images in images {
            body.extend((images.len() as u32).to_le_bytes());
            for Image { base, cells } in images {
                body.extend(base.to_le_bytes());
                body.push(cells.len() as u8);
                cells.iter().for_each(|cell| body.extend(cell.to_le_bytes()));
            }
        }
        body.extend((weights.len() as u32).to_le_bytes());
        weights.iter().for_each(|weight| body.extend(weight.to_le_bytes()));
        body
    }
}

/// Reads unpacked contents.
fn contents(body: &[u8]) -> Result<Contents, WeightsError> {
    let mut body = Reader(body);
    let (game, digest, method) = (body.text()?, body.text()?, body.text()?);
    let (games, seed) = (body.number::<8>()?, body.number::<8>()?);
    let cells = body.number::<4>()? as usize;
    let base = body.number::<1>()? as u8;
    let mut digits = [[0; 256]; 2];
    for digits in &mut digits {
        digits.copy_from_slice(body.take(256)?);
    }
    let unit = body.number::<4>()? as u32;
    let mut images = [Vec::new(), Vec::new()];
    for images in &mut images {
        for _ in 0..body.number::<4>()? {
            let base = body.number::<4>()? as u32;
            let width = body.number::<1>()? as usize;
            let cells = body.take(2 * width)?.chunks_exact(2);
            let cells = cells.map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
            images.push(Image { base, cells });
        }
    }
    let count = body.number::<4>()? as usize;
    let weights = body.take(count.saturating_mul(2))?.chunks_exact(2);
    let weights = weights.map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect();
    if !body.0.is_empty() {
        return Err(WeightsError::Damaged("there is more than the contents"));
    }
    Ok(Contents { game, digest, method, games, seed, cells, digits, base, images, unit, weights })
}

/// The rest of some bytes.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], WeightsError> {
        let (taken, rest) =
            self.0.split_at_checked(length).ok_or(WeightsError::Damaged("it is cut short"))?;
        self.0 = rest;
        Ok(taken)
    }

    /// Reads a number of `N` bytes, at most 8.
    fn number<const N: usize>(&mut self) -> Result<u64, WeightsError> {
        Ok(self.take(N)?.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)))
    }

    fn text(&mut self) -> Result<String, WeightsError> {
        let length = self.number::<4>()? as usize;
        let text = std::str::from_utf8(self.take(length)?);
        text.map(str::to_owned).map_err(|_| WeightsError::Damaged("a text is no UTF-8"))
    }
}

impl Side {
    fn new(contents: &Contents, turn: usize) -> Side {
        let images = &contents.images[turn];
        let mut by_cell: Vec<Vec<(u32, u32)>> = vec![Vec::new(); contents.cells];
        for (number, image) in (0..).zip(images) {
            let mut power = 1;
            for &cell in &image.cells {
                by_cell[usize::from(cell)].push((number, power));
                power *= u32::from(contents.base);
            }
        }
        let mut begins = vec![0];
        for touching in &by_cell {
            begins.push(begins[begins.len() - 1] + touching.len() as u32);
        }
        let indices: Vec<u32> = images.iter().map(|image| image.base).collect();
        let sum = indices.iter().map(|&index| i32::from(contents.weights[index as usize])).sum();
        Side { begins, touching: by_cell.concat(), indices, sum }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::random::SplitMix64;

    /// Weights over pairs of four cells of three kinds, drawn by lot.
    fn sample() -> Weights {
        let mut random = SplitMix64(3);
        let mut digits = [[0; 256]; 2];
        for (turn, signs) in [b"XO", b"OX"].into_iter().enumerate() {
            (1..).zip(signs).for_each(|(digit, &sign)| digits[turn][usize::from(sign)] = digit);
        }
        let pairs = [[0u16, 1], [1, 2], [2, 3]];
        let images = |back: bool| {
            let cells = |pair: [u16; 2]| pair.map(|cell| if back { 3 - cell } else { cell }).to_vec();
            pairs.iter().zip([0, 9, 0]).map(|(&pair, base)| Image { base, cells: cells(pair) }).collect()
        };
        Weights::new(Contents {
            game: "four:1".to_owned(),
            digest: String::new(),
            method: "test".to_owned(),
            games: 12,
            seed: 7,
            cells: 4,
            digits,
            base: 3,
            images: [images(false), images(true)],
            unit: 3 << 16,
            weights: (0..18).map(|_| random.below(2000) as i16 - 1000).collect(),
        })
        .unwrap()
    }

    /// The estimate by its definition.
    fn plain(weights: &Weights, turn: Player, cells: &[u8]) -> i32 {
        let contents = weights.contents();
        let digit =
            |cell: u16| u32::from(contents.digits[turn.index()][usize::from(cells[usize::from(cell)])]);
        let sum = |image: &Image| {
            let index = image.cells.iter().rev().fold(0, |sum, &cell| sum * 3 + digit(cell));
            i32::from(contents.weights[(image.base + index) as usize])
        };
        3 * contents.images[turn.index()].iter().map(sum).sum::<i32>()
    }

    #[test]
    fn an_estimate_does_not_depend_on_the_one_before() {
        let (weights, mut memory, mut random) = (sample(), Accumulators::default(), SplitMix64(1));
        for _ in 0..500 {
            let cells = [0; 4].map(|_| b".XO"[random.below(3)]);
            let turn = [Player::One, Player::Two][random.below(2)];
            assert_eq!(weights.guess(turn, &cells, &mut memory), plain(&weights, turn, &cells));
        }
        assert_eq!(weights.guess(Player::One, b"XO.", &mut memory), 0, "three cells are no position");
    }

    #[test]
    fn a_file_is_read_as_it_was_written_and_damage_is_refused() {
        let bytes = sample().to_bytes();
        assert_eq!(Weights::from_bytes(&bytes).unwrap().contents(), sample().contents());
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert!(Weights::from_bytes(&damaged).is_err(), "byte {at}");
            assert!(Weights::from_bytes(&bytes[..at]).is_err(), "cut at {at}");
        }
        let refusal = |change: fn(&mut Contents)| {
            let mut contents = sample().contents().clone();
            change(&mut contents);
            Weights::new(contents).unwrap_err().to_string()
        };
        assert!(refusal(|c| c.images[1][0].base = 10).contains("no table"));
        assert!(refusal(|c| c.images[0][0].cells[1] = 4).contains("beyond the last"));
        assert!(refusal(|c| c.digits[0][9] = 3).contains("too large"));
        assert!(refusal(|c| c.images[0][0].cells = vec![0; 99]).contains("no table"));
    }

    #[test]
    fn weights_are_those_of_one_game_and_its_rules() {
        let told =
            |weights: &Weights, game, digest| weights.check(game, digest).err().map(|why| why.to_string());
        let weights = sample();
        assert_eq!(told(&weights, "four:1", None), None);
        assert_eq!(told(&weights, "four:2", None).as_deref(), Some("weights of four:1, expected four:2"));
        let contents = Contents { digest: "abc".to_owned(), ..weights.contents().clone() };
        let ruled = Weights::new(contents).unwrap();
        assert_eq!(told(&ruled, "elsewhere", Some("abc")), None);
        assert!(told(&ruled, "four:1", Some("abd")).unwrap().contains("other rules"));
    }
}
