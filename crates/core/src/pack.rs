//! Compression of tables, on disk and in memory, and of large texts.
//!
//! On WebAssembly nothing is compressed: zstd is written in C, and there is no disk to keep files on.

use std::io::{self, Write};
use std::path::Path;

#[cfg(not(target_family = "wasm"))]
pub use zstd::bulk::{Compressor, Decompressor, decompress};

#[cfg(not(target_family = "wasm"))]
pub use stream::{compress_stream, expand_stream};

/// Writes to `out` what `write` writes, compressed if the name of its file ends with `.zst`.
///
/// # Errors
/// Those of `write` and of `out`.
pub fn write_as_named(
    file: &Path,
    mut out: impl Write,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    if file.extension().is_some_and(|extension| extension == "zst") {
        return compress_stream(out, write);
    }
    write(&mut out)?;
    out.flush()
}

/// The first bytes of a stream that is compressed by zstd.
pub const STREAM: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

#[cfg(not(target_family = "wasm"))]
mod stream {
    use std::io::{self, BufRead, Read, Write};

    /// Compression level: fast enough to be no slower than a disk.
    const LEVEL: i32 = 1;

    /// Compresses to `out` what `write` writes.
    ///
    /// # Errors
    /// Those of `write` and of `out`.
    pub fn compress_stream(
        out: impl Write,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut encoder = zstd::stream::Encoder::new(out, LEVEL)?;
        encoder.include_checksum(true)?;
        write(&mut encoder)?;
        encoder.finish()?.flush()
    }

    /// Returns a reader of what was compressed.
    ///
    /// # Errors
    /// There is no memory for it.
    pub fn expand_stream(bytes: impl BufRead) -> io::Result<impl Read> {
        zstd::stream::Decoder::with_buffer(bytes)
    }
}

#[cfg(target_family = "wasm")]
pub use plain::{Compressor, Decompressor, compress_stream, decompress, expand_stream};

#[cfg(target_family = "wasm")]
mod plain {
    use std::io;
    use std::marker::PhantomData;

    /// A stand-in for the compressor that copies bytes.
    pub struct Compressor<'a>(PhantomData<&'a ()>);

    impl Compressor<'_> {
        /// Returns a compressor; the level is ignored.
        ///
        /// # Errors
        /// None.
        pub fn new(_level: i32) -> io::Result<Self> {
            Ok(Compressor(PhantomData))
        }

        /// Returns the same bytes.
        ///
        /// # Errors
        /// None.
        pub fn compress(&mut self, bytes: &[u8]) -> io::Result<Vec<u8>> {
            Ok(bytes.to_vec())
        }
    }

    /// A stand-in for the decompressor that copies bytes.
    pub struct Decompressor<'a>(PhantomData<&'a ()>);

    impl Decompressor<'_> {
        /// Returns a decompressor for any number of blocks.
        ///
        /// # Errors
        /// None.
        pub fn new() -> io::Result<Self> {
            Ok(Decompressor(PhantomData))
        }

        /// Copies the bytes into `into` and returns their number.
        ///
        /// # Errors
        /// `into` is too short.
        pub fn decompress_to_buffer(&mut self, bytes: &[u8], into: &mut [u8]) -> io::Result<usize> {
            into.get_mut(..bytes.len()).ok_or(io::ErrorKind::InvalidData)?.copy_from_slice(bytes);
            Ok(bytes.len())
        }
    }

    /// Refuses to compress.
    ///
    /// # Errors
    /// Always.
    pub fn compress_stream(
        _out: impl io::Write,
        _write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>,
    ) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Refuses to read what was compressed.
    ///
    /// # Errors
    /// Always.
    pub fn expand_stream(_bytes: impl io::BufRead) -> io::Result<io::Empty> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Returns the same bytes.
    ///
    /// # Errors
    /// There are more than `most` bytes.
    pub fn decompress(bytes: &[u8], most: usize) -> io::Result<Vec<u8>> {
        if bytes.len() > most { Err(io::ErrorKind::InvalidData.into()) } else { Ok(bytes.to_vec()) }
    }
}
