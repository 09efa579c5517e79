//! The memory of transposition tables: words that are 0 at first.

use std::sync::atomic::AtomicU64;

/// Memory of at least this many bytes is mapped by the system, which zeroes each page when it is first touched. Less
/// comes from the heap, where memory freed before is used again: mapping it anew for each game of a thousand short ones
/// costs more than the games.
#[cfg(not(target_family = "wasm"))]
const MAPPED: usize = 4 << 20;

/// Words that are 0 at first.
pub(crate) enum Zeroed {
    /// From the heap; WebAssembly maps no memory.
    Heap(Box<[AtomicU64]>),
    #[cfg(not(target_family = "wasm"))]
    Mapped(memmap2::MmapMut),
}

impl Zeroed {
    /// Allocates `bytes` bytes, a whole number of words; `None` if there is too little memory.
    pub(crate) fn new(bytes: usize) -> Option<Zeroed> {
        #[cfg(not(target_family = "wasm"))]
        if bytes >= MAPPED {
            let map = memmap2::MmapMut::map_anon(bytes).ok()?;
            // Probes are spread over the memory: with large pages far fewer of them miss the TLB. Without them the table
            // is only slower.
            #[cfg(target_os = "linux")]
            let _ = map.advise(memmap2::Advice::HugePage);
            return Some(Zeroed::Mapped(map));
        }
        bytemuck::allocation::try_zeroed_slice_box(bytes / 8).ok().map(Zeroed::Heap)
    }

    /// Returns the words.
    pub(crate) fn words(&mut self) -> &mut [AtomicU64] {
        match self {
            Zeroed::Heap(words) => words,
            #[cfg(not(target_family = "wasm"))]
            Zeroed::Mapped(map) => {
                zerocopy::FromBytes::mut_from_bytes(map).expect("a map is aligned to pages and whole words")
            }
        }
    }
}
