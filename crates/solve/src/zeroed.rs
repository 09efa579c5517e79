//! The memory of transposition tables: whole words, all 0, which the system gives as they are first touched.

use std::sync::atomic::AtomicU64;

/// Words that begin as 0.
#[cfg(not(target_family = "wasm"))]
pub(crate) struct Zeroed(memmap2::MmapMut);

#[cfg(not(target_family = "wasm"))]
impl Zeroed {
    /// So many bytes, a whole number of words; `None` where there are not so many.
    pub(crate) fn new(bytes: usize) -> Option<Zeroed> {
        let map = memmap2::MmapMut::map_anon(bytes).ok()?;
        // Probes go all over the memory: with large pages far fewer of them miss the processor's page table.
        #[cfg(target_os = "linux")]
        if bytes >= 4 << 20 {
            // Where it is not to be had the table is slower, nothing else.
            let _ = map.advise(memmap2::Advice::HugePage);
        }
        Some(Zeroed(map))
    }

    /// The words.
    pub(crate) fn words(&mut self) -> &mut [AtomicU64] {
        zerocopy::FromBytes::mut_from_bytes(&mut self.0).expect("a map is aligned to pages and whole words")
    }
}

/// Words that begin as 0, from the heap: WebAssembly maps no memory.
#[cfg(target_family = "wasm")]
pub(crate) struct Zeroed(Box<[AtomicU64]>);

#[cfg(target_family = "wasm")]
impl Zeroed {
    /// So many bytes, a whole number of words; `None` where there are not so many.
    pub(crate) fn new(bytes: usize) -> Option<Zeroed> {
        bytemuck::allocation::try_zeroed_slice_box(bytes / 8).ok().map(Zeroed)
    }

    /// The words.
    pub(crate) fn words(&mut self) -> &mut [AtomicU64] {
        &mut self.0
    }
}
