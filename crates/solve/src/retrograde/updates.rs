//! Updates on their way: what was collected for the blocks of a table, sent to the shards that have these.

use grundy_session::{Layout, Outbox, SolveError};

use super::backward::{Buckets, Collect, Known, Update, WINS};
use super::steps::STRETCH_BITS;
use crate::asking::unreadable;

/// Updates that are collected before they are sent; in tests few, so that rounds end with some that wait.
const BATCH: usize = if cfg!(test) { 12 } else { 1 << 18 };
/// Blocks that a table has at most: a bucket each would take too much memory.
const MOST_BLOCKS: u64 = 1 << 12;
/// Cells of the largest shard: an update has so many bits for its place.
const MOST_CELLS: u64 = 1 << 31;

/// How the numbers of a game are dealt out: in the stretches of the solver for one machine, in smaller ones where there
/// would be few, in larger ones where there would be very many.
///
/// # Errors
/// A shard would have too many cells.
pub(crate) fn layout(count: u64, (part, parts): (u32, u32)) -> Result<Layout, SolveError> {
    let few = |shift: &u32| count >> shift >= 8 * u64::from(parts);
    let shift = (2..=STRETCH_BITS).rev().find(few).unwrap_or(2);
    let many = |shift: &u32| count.div_ceil(1 << shift) <= MOST_BLOCKS;
    let shift = (shift..31).find(many).unwrap_or(31);
    let layout = Layout::new(count, shift, parts);
    let len = layout.cells(part);
    if len > MOST_CELLS || shift > 30 {
        let why = format!("{len} positions are too many for one of {parts} shards: expected more of these");
        return Err(SolveError::Broken(why));
    }
    Ok(layout)
}

/// A shard that updates its cells.
pub(crate) trait Apply {
    /// Applies updates to one of the own blocks, in which they lie.
    fn apply(&mut self, own: u64, updates: impl Iterator<Item = Update>) -> Result<(), SolveError>;
}

/// The updates of one shard that wait to be sent.
pub(crate) struct Waiting {
    layout: Layout,
    part: u32,
    buckets: Buckets,
    collected: usize,
}

impl Waiting {
    pub(crate) fn new(layout: Layout, part: u32) -> Waiting {
        let buckets = Buckets::new(layout.count(), layout.shift());
        Waiting { layout, part, buckets, collected: 0 }
    }

    /// Collects what these positions, by their own cells, mean for their predecessors.
    pub(crate) fn collect(&mut self, back: &dyn Collect, known: &[Known]) -> Result<(), SolveError> {
        let number = |&known: &Known| self.layout.number(self.part, known >> 1) << 1 | known & 1;
        let numbers: Vec<Known> = known.iter().map(number).collect();
        self.collected += back.collect(&numbers, &mut self.buckets)?;
        Ok(())
    }

    /// Whether so many wait that they should be sent.
    pub(crate) fn are_many(&self) -> bool {
        self.collected >= BATCH
    }

    /// Whether none waits.
    pub(crate) fn is_empty(&self) -> bool {
        self.collected == 0
    }
}

/// Empties the buckets that `waiting` finds in a shard: applies what is for this shard, and sends the rest.
pub(crate) fn send<S: Apply>(
    shard: &mut S,
    waiting: fn(&mut S) -> &mut Waiting,
    out: &mut Outbox,
) -> Result<(), SolveError> {
    let Waiting { layout, part, collected, .. } = *waiting(shard);
    let mut lists = std::mem::take(&mut waiting(shard).buckets.lists);
    let mut messages = vec![Vec::new(); layout.parts() as usize];
    for (block, list) in (0..).zip(&mut lists).filter(|(_, list)| !list.is_empty()) {
        let (owner, own) = layout.place(block);
        if owner == part {
            shard.apply(own, list.iter().copied())?;
        } else {
            let message = &mut messages[owner as usize];
            if message.is_empty() {
                message.reserve(4 * collected / layout.parts() as usize);
            }
            write(message, own as u32, list, layout.shift());
        }
        list.clear();
    }
    waiting(shard).buckets.lists = lists;
    waiting(shard).collected = 0;
    for (owner, message) in (0..).zip(messages).filter(|(_, message)| !message.is_empty()) {
        out.send(owner, message);
    }
    Ok(())
}

/// Applies the updates in a message to a shard of this many cells.
pub(crate) fn take(shard: &mut impl Apply, shift: u32, cells: u64, message: &[u8]) -> Result<(), SolveError> {
    let size = update_bytes(shift);
    let mut rest = message;
    while !rest.is_empty() {
        let (own, after) = rest.split_first_chunk::<4>().ok_or_else(unreadable)?;
        let (count, after) = after.split_first_chunk::<4>().ok_or_else(unreadable)?;
        let own = u64::from(u32::from_le_bytes(*own));
        let bytes = (u32::from_le_bytes(*count) as usize).checked_mul(size).ok_or_else(unreadable)?;
        let (updates, after) = after.split_at_checked(bytes).ok_or_else(unreadable)?;
        let room = cells.saturating_sub(own << shift).min(1 << shift);
        with_bytes!(size, N => {
            let farthest = read::<N>(updates).map(|update| u64::from(update & !WINS)).max();
            if farthest.is_some_and(|farthest| farthest >= room) {
                return Err(unreadable());
            }
            shard.apply(own, read::<N>(updates))?;
        });
        rest = after;
    }
    Ok(())
}

/// Bytes of an update on its way: its place in the block and, in the highest bit, whether the move wins.
fn update_bytes(shift: u32) -> usize {
    (shift as usize + 1).div_ceil(8)
}

/// Runs code for updates of so many bytes.
macro_rules! with_bytes {
    ($bytes:expr, $n:ident => $body:expr) => {
        match $bytes {
            1 => {
                const $n: usize = 1;
                $body
            }
            2 => {
                const $n: usize = 2;
                $body
            }
            3 => {
                const $n: usize = 3;
                $body
            }
            _ => {
                const $n: usize = 4;
                $body
            }
        }
    };
}
use with_bytes;

/// Adds the updates of a block to a message: the block, how many, and each update in as few bytes as hold a place.
fn write(message: &mut Vec<u8>, own: u32, list: &[Update], shift: u32) {
    fn add<const N: usize>(message: &mut Vec<u8>, list: &[Update]) {
        let high = 1 << (8 * N - 1);
        let begin = message.len();
        message.resize(begin + N * list.len(), 0);
        for (bytes, &update) in message[begin..].as_chunks_mut::<N>().0.iter_mut().zip(list) {
            let packed = if update & WINS != 0 { update & !WINS | high } else { update };
            bytes.copy_from_slice(&packed.to_le_bytes()[..N]);
        }
    }
    message.extend(own.to_le_bytes());
    message.extend((list.len() as u32).to_le_bytes());
    with_bytes!(update_bytes(shift), N => add::<N>(message, list));
}

/// The updates in these bytes.
fn read<const N: usize>(bytes: &[u8]) -> impl Iterator<Item = Update> {
    let high = 1 << (8 * N - 1);
    bytes.as_chunks::<N>().0.iter().map(move |bytes| {
        let mut word = [0; 4];
        word[..N].copy_from_slice(bytes);
        let packed = u32::from_le_bytes(word);
        if packed & high != 0 { packed & !high | WINS } else { packed }
    })
}
