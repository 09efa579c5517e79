//! The memory of transposition tables: words that are 0 at first, allocated by the system when they are first touched.

use std::sync::atomic::AtomicU64;

/// Words that are 0 at first.
#[cfg(not(target_family = "wasm"))]
pub(crate) struct Zeroed(memmap2::MmapMut);

#[cfg(not(target_family = "wasm"))]
impl Zeroed {
    /// Allocates `bytes` bytes, a whole number of words; `None` if there is too little memory.
    pub(crate) fn new(bytes: usize) -> Option<Zeroed> {
        let map = memmap2::MmapMut::map_anon(bytes).ok()?;
        // Probes are spread over the memory: with large pages far fewer of them miss the TLB.
        #[cfg(target_os = "linux")]
        if bytes >= 4 << 20 {
            // Without it the table is only slower.
            let _ = map.advise(memmap2::Advice::HugePage);
        }
        Some(Zeroed(map))
    }

    /// Returns the words.
    pub(crate) fn words(&mut self) -> &mut [AtomicU64] {
        zerocopy::FromBytes::mut_from_bytes(&mut self.0).expect("a map is aligned to pages and whole words")
    }
}

/// Words that are 0 at first, from the heap: WebAssembly maps no memory.
#[cfg(target_family = "wasm")]
pub(crate) struct Zeroed(Box<[AtomicU64]>);

#[cfg(target_family = "wasm")]
impl Zeroed {
    /// Allocates `bytes` bytes, a whole number of words; `None` if there is too little memory.
    pub(crate) fn new(bytes: usize) -> Option<Zeroed> {
        bytemuck::allocation::try_zeroed_slice_box(bytes / 8).ok().map(Zeroed)
    }

    /// Returns the words.
    pub(crate) fn words(&mut self) -> &mut [AtomicU64] {
        &mut self.0
    }
}
