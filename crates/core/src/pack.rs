//! Bytes packed and unpacked: what tables on disk and in memory are kept in.
//!
//! On WebAssembly nothing is packed: zstd is written in C, and there is no disk to keep files on.

#[cfg(not(target_family = "wasm"))]
pub use zstd::bulk::{Compressor, Decompressor, decompress};

#[cfg(target_family = "wasm")]
pub use plain::{Compressor, Decompressor, decompress};

#[cfg(target_family = "wasm")]
mod plain {
    use std::io;
    use std::marker::PhantomData;

    /// Leaves bytes as they are.
    pub struct Compressor<'a>(PhantomData<&'a ()>);

    impl Compressor<'_> {
        /// The level says nothing here.
        ///
        /// # Errors
        /// None.
        pub fn new(_level: i32) -> io::Result<Self> {
            Ok(Compressor(PhantomData))
        }

        /// The same bytes.
        ///
        /// # Errors
        /// None.
        pub fn compress(&mut self, bytes: &[u8]) -> io::Result<Vec<u8>> {
            Ok(bytes.to_vec())
        }
    }

    /// Gives bytes back as they were.
    pub struct Decompressor<'a>(PhantomData<&'a ()>);

    impl Decompressor<'_> {
        /// One for any number of blocks.
        ///
        /// # Errors
        /// None.
        pub fn new() -> io::Result<Self> {
            Ok(Decompressor(PhantomData))
        }

        /// The same bytes, and how many they are.
        ///
        /// # Errors
        /// There is too little room for them.
        pub fn decompress_to_buffer(&mut self, bytes: &[u8], into: &mut [u8]) -> io::Result<usize> {
            into.get_mut(..bytes.len()).ok_or(io::ErrorKind::InvalidData)?.copy_from_slice(bytes);
            Ok(bytes.len())
        }
    }

    /// The same bytes.
    ///
    /// # Errors
    /// They are more than expected.
    pub fn decompress(bytes: &[u8], most: usize) -> io::Result<Vec<u8>> {
        if bytes.len() > most { Err(io::ErrorKind::InvalidData.into()) } else { Ok(bytes.to_vec()) }
    }
}
