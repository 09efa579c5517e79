//! A table computed in shards that share no memory, on several threads or machines.
//!
//! The states are divided into blocks, and the blocks are distributed to the shards in turn. All shards work in rounds:
//! in a round a shard does what it can by itself, and sends messages to others, which may reply. When every message of
//! the round has been taken, all shards report the results of the round, and each derives the next step from all
//! reports, as the others do. The transport of the messages decides when a round ends: a shard may be stopped whenever
//! it has more to do.

use std::ops::Range;

use grundy_core::table::{Checkpoint, Checkpoints, Coding};

use crate::{Assurance, Progress, SolveError};

/// The distribution of the states of a table: in blocks of one size, to the shards in turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    count: u64,
    shift: u32,
    parts: u32,
}

impl Layout {
    /// Distributes `count` states in blocks of `2^shift` to `parts` shards.
    pub const fn new(count: u64, shift: u32, parts: u32) -> Layout {
        Layout { count, shift, parts }
    }

    /// Returns the number of states.
    pub const fn count(self) -> u64 {
        self.count
    }

    /// Returns the number of shards.
    pub const fn parts(self) -> u32 {
        self.parts
    }

    /// Returns the number of low bits of an index that are not part of the block.
    pub const fn shift(self) -> u32 {
        self.shift
    }

    /// Returns the number of blocks.
    pub const fn blocks(self) -> u64 {
        self.count.div_ceil(1 << self.shift)
    }

    /// Returns the states of a block.
    pub fn block(self, block: u64) -> Range<u64> {
        block << self.shift..self.count.min((block + 1) << self.shift)
    }

    /// Returns the shard that holds a block, and the block's index among its own.
    #[inline]
    pub const fn place(self, block: u64) -> (u32, u64) {
        ((block % self.parts as u64) as u32, block / self.parts as u64)
    }

    /// Returns the shard that holds a state, and the state's cell there.
    #[inline]
    pub const fn locate(self, number: u64) -> (u32, u64) {
        let (part, own) = self.place(number >> self.shift);
        (part, own << self.shift | number & ((1 << self.shift) - 1))
    }

    /// Returns the state in a cell of a shard.
    #[inline]
    pub const fn number(self, part: u32, cell: u64) -> u64 {
        let block = (cell >> self.shift) * self.parts as u64 + part as u64;
        block << self.shift | cell & ((1 << self.shift) - 1)
    }

    /// Returns the number of cells of a shard whose states come before this one.
    pub fn cells_before(self, part: u32, number: u64) -> u64 {
        let (owner, _) = self.place(number >> self.shift);
        let whole = ((number >> self.shift) + self.parts as u64 - 1 - u64::from(part)) / self.parts as u64;
        let rest = if owner == part { number & ((1 << self.shift) - 1) } else { 0 };
        self.cells(part).min((whole << self.shift) + rest)
    }

    /// Returns the number of blocks of a shard.
    pub const fn own_blocks(self, part: u32) -> u64 {
        (self.blocks() + self.parts as u64 - 1 - part as u64) / self.parts as u64
    }

    /// Returns the number of cells of a shard.
    pub fn cells(self, part: u32) -> u64 {
        match self.own_blocks(part) {
            0 => 0,
            own => {
                let last = self.block((own - 1) * u64::from(self.parts) + u64::from(part));
                ((own - 1) << self.shift) + (last.end - last.start)
            }
        }
    }
}

/// Messages to other shards, not yet transported.
#[derive(Debug, Default)]
pub struct Outbox {
    /// The receiving shard and the message, in the order of sending.
    pub messages: Vec<(u32, Vec<u8>)>,
}

impl Outbox {
    /// Adds a message.
    pub fn send(&mut self, to: u32, message: Vec<u8>) {
        self.messages.push((to, message));
    }
}

/// The step after a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Another round.
    Round,
    /// The shards are done.
    Done,
}

/// One shard of a table that is being computed.
pub trait Shard {
    /// Returns the distribution of the states.
    fn layout(&self) -> Layout;

    /// Returns the least bytes per state while the table is computed.
    fn bytes_each(&self) -> u64 {
        1
    }

    /// Does a small part of the work of the round; returns whether there is more to do.
    ///
    /// # Errors
    /// The game breaks a promise, or there is too little memory.
    fn work(&mut self, out: &mut Outbox) -> Result<bool, SolveError>;

    /// Takes a message that another shard has sent in this round. A reply belongs to the same round.
    ///
    /// # Errors
    /// As [`Shard::work`]; or no shard of this table sends such a message.
    fn take(&mut self, from: u32, message: &[u8], out: &mut Outbox) -> Result<(), SolveError>;

    /// Returns the results of the round here, and the work that is left. Called once, when all messages have been
    /// taken.
    fn report(&mut self) -> Vec<u64>;

    /// Ends the round by the reports of all shards, in their order.
    ///
    /// # Errors
    /// As [`Shard::work`].
    fn next(&mut self, reports: &[Vec<u64>]) -> Result<Next, SolveError>;

    /// Returns the progress of all shards at the end of the last round.
    fn progress(&self) -> Progress;

    /// Saves what a later run needs to continue from here; between two rounds.
    fn keep(&self, checkpoints: &mut dyn Checkpoints);

    /// Continues from a checkpoint; returns false if it is not one of this shard.
    fn go_on(&mut self, kept: Checkpoint) -> bool;

    /// Returns the coding of the cells, once the shards are done.
    fn coding(&self) -> Coding;

    /// Copies bytes of the cells, encoded as in a table, starting at byte `offset`; once the shards are done.
    fn copy(&self, offset: u64, into: &mut [u8]);

    /// Makes the next rounds prove the finished cells: every value against those of the children.
    fn prove(&mut self);

    /// Returns how far the cells may be believed after these rounds.
    fn assurance(&self) -> Assurance;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_one_cell() {
        for (count, shift, parts) in [(1000, 4, 3), (16, 4, 5), (17, 4, 2), (0, 4, 2), (1 << 12, 6, 4)] {
            let layout = Layout::new(count, shift, parts);
            let mut next = vec![0; parts as usize];
            for number in 0..count {
                let (part, cell) = layout.locate(number);
                assert_eq!((next[part as usize], layout.number(part, cell)), (cell, number));
                assert!((0..parts).all(|part| layout.cells_before(part, number) == next[part as usize]));
                next[part as usize] += 1;
            }
            let cells: Vec<_> = (0..parts).map(|part| layout.cells(part)).collect();
            assert_eq!(cells, next, "{count} {shift} {parts}");
            assert!((0..parts).all(|part| layout.cells_before(part, count) == layout.cells(part)));
        }
    }
}
