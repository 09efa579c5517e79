//! Updates of predecessors, sent to the shards that hold them.

use grundy_session::{Layout, Outbox, SolveError};

use super::backward::{Buckets, Collect, Known, Sorted, Update, WINS};
use super::steps::{LISTED, STRETCH_BITS};
use crate::asking::unreadable;
use crate::crew::Crew;

/// Updates that are collected before they are sent; in tests few, so that rounds end with some buffered.
const BATCH: usize = if cfg!(test) { 12 } else { 1 << 18 };
/// The most blocks of a table: sorting by more would take too much memory.
const MOST_BLOCKS: u64 = 1 << 12;
/// Cells of the largest shard: lists have 32 bits for a cell.
const MOST_CELLS: u64 = (1 << 32) - 1;

/// Returns how the states of a game are distributed: in the stretches of the solver for one machine, in smaller ones if
/// there would be few, in larger ones if there would be very many.
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
    /// Applies updates to the own block with this index, which holds their cells.
    ///
    /// # Errors
    /// The game breaks a promise of its abilities.
    fn apply(&mut self, own: u64, updates: impl Iterator<Item = Update>) -> Result<(), SolveError>;

    /// As [`Apply::apply`], for several own blocks, rising, with some lists of updates each.
    ///
    /// # Errors
    /// As [`Apply::apply`].
    fn apply_all(&mut self, blocks: Vec<(u64, Vec<&[Update]>)>) -> Result<(), SolveError> {
        let mut apply =
            |(own, lists): (u64, Vec<&[Update]>)| self.apply(own, lists.into_iter().flatten().copied());
        blocks.into_iter().try_for_each(&mut apply)
    }
}

/// The updates of one shard that are to be sent.
pub(crate) struct Waiting {
    layout: Layout,
    part: u32,
    sorted: Vec<Sorted>,
    collected: usize,
}

impl Waiting {
    pub(crate) fn new(layout: Layout, part: u32) -> Waiting {
        Waiting { layout, part, sorted: Vec::new(), collected: 0 }
    }

    /// Collects the updates of the predecessors of these positions, given by their own cells.
    ///
    /// # Errors
    /// A predecessor is beyond the table.
    pub(crate) fn collect(
        &mut self,
        crew: &Crew,
        back: &dyn Collect,
        known: &[Known],
    ) -> Result<(), SolveError> {
        let (layout, part) = (self.layout, self.part);
        let found = crew.map(known.chunks(LISTED).collect(), &|known: &[Known]| {
            let number = |&known: &Known| layout.number(part, known >> 1) << 1 | known & 1;
            let numbers: Vec<Known> = known.iter().map(number).collect();
            let mut buckets = Buckets::new(layout.count(), layout.shift());
            back.collect(&numbers, &mut buckets).map(|updates| (updates, buckets.sorted()))
        });
        for found in found {
            let (updates, sorted) = found?;
            self.collected += updates;
            self.sorted.push(sorted);
        }
        Ok(())
    }

    /// Reports whether there are enough updates to send them.
    pub(crate) fn are_many(&self) -> bool {
        self.collected >= BATCH
    }

    /// Reports whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.collected == 0
    }
}

/// Takes the updates that `waiting` finds in a shard: applies those of its own blocks, and sends the others.
///
/// # Errors
/// As [`Apply::apply`].
pub(crate) fn send<S: Apply>(
    shard: &mut S,
    waiting: fn(&mut S) -> &mut Waiting,
    out: &mut Outbox,
) -> Result<(), SolveError> {
    let Waiting { layout, part, collected, .. } = *waiting(shard);
    let sorted = std::mem::take(&mut waiting(shard).sorted);
    let mut messages = vec![Vec::new(); layout.parts() as usize];
    let mut blocks = Vec::new();
    for block in 0..layout.blocks() {
        let (owner, own) = layout.place(block);
        let lists = sorted.iter().map(|sorted| sorted.of(block as usize));
        let lists: Vec<&[Update]> = lists.filter(|list| !list.is_empty()).collect();
        if owner == part && !lists.is_empty() {
            blocks.push((own, lists));
            continue;
        }
        for list in lists {
            let message = &mut messages[owner as usize];
            if message.is_empty() {
                message.reserve(4 * collected / layout.parts() as usize);
            }
            write(message, own as u32, list, layout.shift());
        }
    }
    shard.apply_all(blocks)?;
    waiting(shard).collected = 0;
    for (owner, message) in (0..).zip(messages).filter(|(_, message)| !message.is_empty()) {
        out.send(owner, message);
    }
    Ok(())
}

/// Applies the updates in a message to a shard of `cells` cells in blocks of `2^shift`.
///
/// # Errors
/// The message cannot be read, or as [`Apply::apply`].
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

/// Returns the bytes of an update in a message: its offset in the block and, in the highest bit, whether the move wins.
fn update_bytes(shift: u32) -> usize {
    (shift as usize + 1).div_ceil(8)
}

/// Runs code for updates of `$bytes` bytes.
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

/// Appends the updates of a block to a message: the block, their number, and each update in the fewest bytes that hold an
/// offset.
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

/// Reads the updates in these bytes.
fn read<const N: usize>(bytes: &[u8]) -> impl Iterator<Item = Update> {
    let high = 1 << (8 * N - 1);
    bytes.as_chunks::<N>().0.iter().map(move |bytes| {
        let mut word = [0; 4];
        word[..N].copy_from_slice(bytes);
        let packed = u32::from_le_bytes(word);
        if packed & high != 0 { packed & !high | WINS } else { packed }
    })
}
