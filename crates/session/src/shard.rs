//! A table made in shards that share no memory, on several threads or machines.
//!
//! The numbers are cut into blocks, and the blocks dealt out to the shards in turn. All shards work in rounds: in a round a shard does what
//! it can by itself, and sends messages to others, which may answer. When every message of the round has been taken, all
//! shards tell what the round has brought, and each decides by all reports, as the others do, what comes next. Who
//! carries the messages decides when a round ends: a shard may be stopped wherever it has more to do.

use std::ops::Range;

use grundy_core::table::{Checkpoint, Checkpoints, Coding};

use crate::{Belief, Progress, SolveError};

/// How the numbers of a table are dealt out: in blocks of one size, to the shards in turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    count: u64,
    shift: u32,
    parts: u32,
}

impl Layout {
    /// `count` numbers in blocks of `2^shift`, for so many shards.
    pub const fn new(count: u64, shift: u32, parts: u32) -> Layout {
        Layout { count, shift, parts }
    }

    /// How many numbers there are.
    pub const fn count(self) -> u64 {
        self.count
    }

    /// How many shards there are.
    pub const fn parts(self) -> u32 {
        self.parts
    }

    /// The number without so many low bits is the block's.
    pub const fn shift(self) -> u32 {
        self.shift
    }

    /// How many blocks there are.
    pub const fn blocks(self) -> u64 {
        self.count.div_ceil(1 << self.shift)
    }

    /// The numbers of a block.
    pub fn block(self, block: u64) -> Range<u64> {
        block << self.shift..self.count.min((block + 1) << self.shift)
    }

    /// Which shard has a block, and which of its own blocks that is there.
    #[inline]
    pub const fn place(self, block: u64) -> (u32, u64) {
        ((block % self.parts as u64) as u32, block / self.parts as u64)
    }

    /// Which shard has a number, and where among its cells.
    #[inline]
    pub const fn locate(self, number: u64) -> (u32, u64) {
        let (part, own) = self.place(number >> self.shift);
        (part, own << self.shift | number & ((1 << self.shift) - 1))
    }

    /// The number in a cell of a shard.
    #[inline]
    pub const fn number(self, part: u32, cell: u64) -> u64 {
        let block = (cell >> self.shift) * self.parts as u64 + part as u64;
        block << self.shift | cell & ((1 << self.shift) - 1)
    }

    /// How many cells of a shard have lower numbers than this one.
    pub fn cells_before(self, part: u32, number: u64) -> u64 {
        let (owner, _) = self.place(number >> self.shift);
        let whole = ((number >> self.shift) + self.parts as u64 - 1 - u64::from(part)) / self.parts as u64;
        let rest = if owner == part { number & ((1 << self.shift) - 1) } else { 0 };
        self.cells(part).min((whole << self.shift) + rest)
    }

    /// How many blocks a shard has.
    pub const fn own_blocks(self, part: u32) -> u64 {
        (self.blocks() + self.parts as u64 - 1 - part as u64) / self.parts as u64
    }

    /// How many cells a shard has.
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

/// Messages to other shards, until somebody carries them there.
#[derive(Debug, Default)]
pub struct Outbox {
    /// To which shard, and what.
    pub messages: Vec<(u32, Vec<u8>)>,
}

impl Outbox {
    /// Puts a message in.
    pub fn send(&mut self, to: u32, message: Vec<u8>) {
        self.messages.push((to, message));
    }
}

/// What comes after a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Another round.
    Round,
    /// The shards are done.
    Done,
}

/// One shard of a table that is being made.
pub trait Shard {
    /// Where the numbers are.
    fn layout(&self) -> Layout;

    /// The least bytes that each number takes while the table is made.
    fn bytes_each(&self) -> u64 {
        1
    }

    /// Does a little of what the round asks of this shard; says whether there is more to do.
    ///
    /// # Errors
    /// The game breaks a promise, or there is too little memory.
    fn work(&mut self, out: &mut Outbox) -> Result<bool, SolveError>;

    /// Takes a message that another shard has sent in this round. An answer belongs to the same round.
    ///
    /// # Errors
    /// As [`Shard::work`]; the message is not one that a shard of this table sends.
    fn take(&mut self, from: u32, message: &[u8], out: &mut Outbox) -> Result<(), SolveError>;

    /// What the round has brought here, and what is left of it. Asked once, when all messages have been taken.
    fn report(&mut self) -> Vec<u64>;

    /// Ends the round by the reports of all shards, in their order.
    ///
    /// # Errors
    /// As [`Shard::work`].
    fn next(&mut self, reports: &[Vec<u64>]) -> Result<Next, SolveError>;

    /// How far all shards were when the last round ended.
    fn progress(&self) -> Progress;

    /// Keeps what a later run needs to go on from here; between two rounds.
    fn keep(&self, checkpoints: &mut dyn Checkpoints);

    /// Goes on from what an earlier run has kept; false where that is not of this shard.
    fn go_on(&mut self, kept: Checkpoint) -> bool;

    /// What the cells mean, once the shards are done.
    fn coding(&self) -> Coding;

    /// Copies bytes of this shard's cells, laid out as in a table, from an offset on; once the shards are done.
    fn copy(&self, offset: u64, into: &mut [u8]);

    /// Has the next rounds prove the finished cells: every value against those of its children.
    fn prove(&mut self);

    /// How far the cells may be believed when these rounds have ended.
    fn belief(&self) -> Belief;
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
