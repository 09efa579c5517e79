//! What workers send each other.

use std::fmt;

use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A message to one worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Letter {
    pub to: u32,
    pub from: u32,
    pub body: Body,
}

/// What a message says.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Body {
    /// A message of a shard to another.
    Shard(Bytes),
    /// So many bytes of messages have been taken.
    Taken(u64),
    /// What a round has brought.
    Report(Vec<u64>),
    /// Why the worker cannot go on.
    Failed(String),
    /// The cells of a block, as the joining of the table lays them out.
    Cells(u64, Bytes),
}

/// Bytes that are written and read at once.
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

    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Bytes, E> {
        Ok(Bytes(bytes.to_vec()))
    }

    fn visit_byte_buf<E>(self, bytes: Vec<u8>) -> Result<Bytes, E> {
        Ok(Bytes(bytes))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Bytes, A::Error> {
        let mut bytes = Vec::new();
        while let Some(byte) = seq.next_element()? {
            bytes.push(byte);
        }
        Ok(Bytes(bytes))
    }
}
