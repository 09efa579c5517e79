//! Compression of tables, on disk and in memory.
//!
//! On WebAssembly nothing is compressed: zstd is written in C, and there is no disk to keep files on.

#[cfg(not(target_family = "wasm"))]
pub use zstd::bulk::{Compressor, Decompressor, decompress};

#[cfg(target_family = "wasm")]
pub use plain::{Compressor, Decompressor, decompress};

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

    /// Returns the same bytes.
    ///
    /// # Errors
    /// There are more than `most` bytes.
    pub fn decompress(bytes: &[u8], most: usize) -> io::Result<Vec<u8>> {
        if bytes.len() > most { Err(io::ErrorKind::InvalidData.into()) } else { Ok(bytes.to_vec()) }
    }
}
