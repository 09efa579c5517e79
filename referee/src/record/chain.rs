//! The checksums of a record: each covers its line and the checksum of the line before it, so that any line that is
//! changed, moved, doubled or left out is detected by the next one.
//!
//! A sealed line is a JSON object whose last field is `"sum"`: 32 hexadecimal digits, the XXH3-128 of the previous
//! sum (zeros for the first line) and the bytes up to this field. It detects damage; a forger can compute it too, and
//! is detected by the rules of the games.

use xxhash_rust::xxh3::xxh3_128;

/// The text before and behind the digits.
const FIELD: (&str, &str) = (",\"sum\":\"", "\"}");
/// The number of digits of a sum.
const DIGITS: usize = 32;
/// The length of the field with its sum.
const TAIL: usize = FIELD.0.len() + DIGITS + FIELD.1.len();

/// The state of the checksums after some lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Chain(u128);

/// Reasons why a line does not continue the chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Broken {
    /// It ends in no checksum.
    Unsealed,
    /// Its checksum is not that of its bytes after the lines before it.
    Wrong,
}

impl Chain {
    /// Returns a line with its checksum; `json` is an object that is not empty.
    pub fn seal(&mut self, json: &str) -> String {
        let body = json.strip_suffix('}').unwrap_or(json);
        self.0 = self.after(body.as_bytes());
        format!("{body}{}{:032x}{}", FIELD.0, self.0, FIELD.1)
    }

    /// Returns the object of a sealed line without its checksum.
    ///
    /// # Errors
    /// The checksum is missing or wrong; the chain stays as it was.
    pub fn unseal(&mut self, line: &[u8]) -> Result<Vec<u8>, Broken> {
        let split = line.len().checked_sub(TAIL).ok_or(Broken::Unsealed)?;
        let (body, tail) = line.split_at(split);
        let digits = tail.strip_prefix(FIELD.0.as_bytes()).and_then(|t| t.strip_suffix(FIELD.1.as_bytes()));
        let digits = digits.ok_or(Broken::Unsealed)?;
        let sum = self.after(body);
        if digits != format!("{sum:032x}").as_bytes() {
            return Err(Broken::Wrong);
        }
        self.0 = sum;
        Ok([body, b"}"].concat())
    }

    fn after(self, body: &[u8]) -> u128 {
        let mut bytes = format!("{:032x}", self.0).into_bytes();
        bytes.extend_from_slice(body);
        xxh3_128(&bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_only_unchanged_and_in_its_place() {
        let mut chain = Chain::default();
        let lines = [chain.seal("{\"a\":1}"), chain.seal("{\"a\":1}")];
        assert_ne!(lines[0], lines[1]);
        let mut read = Chain::default();
        assert_eq!(read.unseal(lines[1].as_bytes()), Err(Broken::Wrong));
        assert_eq!(read.unseal(b"{\"a\":1}"), Err(Broken::Unsealed));
        for at in 0..lines[0].len() {
            for bit in 0..8 {
                let mut bytes = lines[0].clone().into_bytes();
                bytes[at] ^= 1 << bit;
                assert!(read.unseal(&bytes).is_err(), "{at} {bit}");
            }
        }
        assert_eq!(read.unseal(lines[0].as_bytes()).unwrap(), b"{\"a\":1}");
        assert_eq!(read.unseal(lines[1].as_bytes()).unwrap(), b"{\"a\":1}");
        assert_eq!(read, chain);
    }
}
