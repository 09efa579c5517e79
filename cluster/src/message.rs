//! The messages between workers.

use std::fmt;

use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A message to one worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Message {
    pub to: u32,
    pub from: u32,
    pub body: Body,
}

/// The contents of a message.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Body {
    /// A message from one shard to another.
    Shard(Bytes),
    /// Acknowledges messages of this many bytes.
    Taken(u64),
    /// The report of a worker.
    Report(Report),
    /// The error of a worker that has failed.
    Failed(String),
    /// A block's number and cells, for joining the table.
    Cells(u64, Bytes),
}

/// The report of a worker to all others at the end of a round.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Report {
    /// The report of its shard, or other words that the workers exchange.
    pub words: Vec<u64>,
    /// The stamp of the checkpoint that is due, else 0.
    pub stamp: u64,
}

/// A byte vector that is serialized as one string of bytes.
#[derive(Clone, Debug, Default)]
pub struct Bytes(pub Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Bytes, D::Error> {
        deserializer.deserialize_byte_buf(ReadBytes)
    }
}

struct ReadBytes;

impl<'de> Visitor<'de> for ReadBytes {
    type Value = Bytes;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bytes")
    }

    fn visit_byte_buf<E>(self, bytes: Vec<u8>) -> Result<Bytes, E> {
        Ok(Bytes(bytes))
    }
}
