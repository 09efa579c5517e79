//! Values by index: the coding of cells, tables in memory and in files, and checkpoints.

mod checkpoint;
mod coding;
mod files;
mod flaw;
mod folder;
mod format;
mod map;
mod scratch;
mod stored;
mod values;
mod write;

pub use checkpoint::{Checkpoint, CheckpointFile, Checkpoints, EveryCheckpoint, NoCheckpoints, Snapshot};
pub use coding::{Coding, DRAW, Distances, HOLE, Meaning, Width, loss_code, win_code};
pub use files::{Disk, Files, Out, refuse_without_room, write_whole};
pub use flaw::{Flaw, TableError};
pub use folder::{CLASS_SUFFIX, Folder, Lock, kept_by};
pub use format::{Header, Maker, Packing};
pub use scratch::Scratch;
pub use values::{Source, Table};
pub use write::{Label, PackedBlock, Packer, block_size, unpack, write, write_blocks};
