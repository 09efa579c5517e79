//! Learned evaluations: their file, and the estimate of a position.
//!
//! The model is either a sum of weights over [`tuples`] of cells, with tables that symmetries and translations share, or
//! a small [`network`]. Where the game is the same for both players, they share weights.
//!
//! An estimate is a guess. No value, proof or table depends on weights.

mod bytes;
mod error;
pub mod network;
pub mod tuples;

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use xxhash_rust::xxh3::xxh3_128;

use crate::files;
use crate::game::Player;
use crate::pack;
use crate::table::{Disk, TableError, write_whole};

use self::bytes::Reader;
use self::error::VERSION;
pub use self::error::WeightsError;
pub use self::network::Network;
pub use self::tuples::{Image, Tuples};

/// The beginning of every weights file.
const MAGIC: &[u8; 8] = b"grundyW\n";
/// Bytes before the packed contents: magic, version, checksum, length of the contents.
const HEAD: usize = 8 + 4 + 16 + 8;
/// The largest file and the largest contents that are read, in bytes.
const LARGEST_FILE: u64 = 64 << 20;
const LARGEST: usize = 128 << 20;
/// The level of compression.
const LEVEL: i32 = 9;

/// The form of an evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Model {
    /// Tables over tuples of cells.
    Tuples(Tuples),
    /// A network with one hidden layer.
    Network(Network),
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
    /// The number of games played to make them.
    pub games: u64,
    /// The seed of the games.
    pub seed: u64,
    /// The number of cells of every position.
    pub cells: usize,
    /// The digit of each byte of a cell, for either player to move.
    pub digits: [[u8; 256]; 2],
    /// Digits are below this.
    pub base: u8,
    /// The hundredths of a point, or of the unit of guesses, that a weight of 1 in a tuple's table or an output of 1 of a
    /// network is worth; in units of 2^-16.
    pub unit: u32,
    /// The weights.
    pub model: Model,
}

/// Weights, ready to estimate positions.
#[derive(Clone, Debug)]
pub struct Weights {
    contents: Contents,
    /// The images of tuples by cell, for either player to move.
    sides: [tuples::Side; 2],
    /// Identifies the weights that accumulators belong to.
    id: u64,
}

/// The sums of the last position estimated, so that the next one costs only what differs.
#[derive(Clone, Debug, Default)]
pub struct Accumulators {
    owner: u64,
    last: Last,
    /// A buffer for the cells of a position.
    pub cells: Vec<u8>,
}

/// The last position, for each model.
#[derive(Clone, Debug, Default)]
enum Last {
    #[default]
    None,
    Tuples([tuples::Indices; 2]),
    Network(network::Sums),
}

impl Weights {
    /// Checks contents and prepares them for use.
    ///
    /// # Errors
    /// The contents contradict themselves: what is wrong.
    pub fn new(contents: Contents) -> Result<Weights, WeightsError> {
        static IDS: AtomicU64 = AtomicU64::new(1);
        let Contents { cells, base, digits, .. } = &contents;
        if *base == 0 || digits.iter().flatten().any(|digit| digit >= base) {
            return Err(WeightsError::Damaged("a digit is too large"));
        }
        let sides = match &contents.model {
            Model::Tuples(tuples) => {
                tuples.check(*cells, *base)?;
                [0, 1].map(|turn| tuples::Side::new(*cells, *base, tuples, turn))
            }
            Model::Network(network) => {
                network.check(*cells, *base)?;
                Default::default()
            }
        };
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
        let contents = &self.contents;
        if memory.owner != self.id {
            memory.owner = self.id;
            memory.last = match &contents.model {
                Model::Tuples(_) => Last::Tuples(self.sides.each_ref().map(|side| side.zero(cells.len()))),
                Model::Network(_) => Last::Network(network::Sums::default()),
            };
        }
        let unit = i64::from(contents.unit);
        let hundredths = match (&contents.model, &mut memory.last) {
            (Model::Tuples(tuples), Last::Tuples(last)) => {
                let turn = turn.index();
                let (side, digits) = (&self.sides[turn], &contents.digits[turn]);
                (tuples::sum(tuples, side, digits, cells, &mut last[turn]) * unit) >> 16
            }
            (Model::Network(network), Last::Network(last)) => {
                network.output(contents.base, &contents.digits, turn, cells, last) * unit
                    / (network::UNIT << 16)
            }
            // Accumulators of these weights have their model.
            _ => 0,
        };
        hundredths as i32
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
        let Contents { game, digest, method, games, seed, cells, digits, base, unit, model } = &self.contents;
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
        match model {
            Model::Tuples(tuples) => {
                body.push(0);
                tuples.write(&mut body);
            }
            Model::Network(network) => {
                body.push(1);
                network.write(&mut body);
            }
        }
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
    let model = match body.number::<1>()? {
        0 => Model::Tuples(Tuples::read(&mut body)?),
        1 => Model::Network(Network::read(&mut body, cells)?),
        _ => return Err(WeightsError::Damaged("no model has this number")),
    };
    if !body.0.is_empty() {
        return Err(WeightsError::Damaged("there is more than the contents"));
    }
    Ok(Contents { game, digest, method, games, seed, cells, digits, base, unit, model })
}

#[cfg(test)]
mod tests;
