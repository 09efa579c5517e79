//! Runs shards in one thread, for tests: rounds end early at random, messages are delayed at random, and now and then all
//! shards are dropped and continue from their checkpoints.

use std::collections::VecDeque;

use grundy_core::table::{Checkpoint, EveryCheckpoint, Table};
use grundy_session::{Next, Outbox, Shard, SolveError};

/// Returns the checkpoint of a shard.
pub(crate) fn kept(shard: &dyn Shard) -> Checkpoint {
    let mut every = EveryCheckpoint::default();
    shard.keep(&mut every);
    every.kept.pop().expect("it was kept")
}

/// Computes a table of `count` states by `parts` shards, and has them prove it.
pub(crate) fn together<'a>(
    parts: u32,
    count: u64,
    make: &dyn Fn(u32) -> Result<Box<dyn Shard + 'a>, SolveError>,
    roll: &mut dyn FnMut(usize) -> usize,
) -> Result<Table, SolveError> {
    let all = || (0..parts).map(make).collect::<Result<Vec<_>, _>>();
    let mut shards = all()?;
    let keep_all = |shards: &[Box<dyn Shard + 'a>]| -> Vec<Checkpoint> {
        shards.iter().map(|shard| kept(&**shard)).collect()
    };
    let mut kept = keep_all(&shards);
    // Shards are dropped at most 200 times, and in some tests never.
    let (often, mut drops) = ([4, 10, usize::MAX][roll(3)], 200);
    while round(&mut shards, roll)? != Next::Done {
        if roll(3) == 0 {
            kept = keep_all(&shards);
        }
        if drops > 0 && roll(often) == 0 {
            drops -= 1;
            shards = all()?;
            for (shard, kept) in shards.iter_mut().zip(&kept) {
                assert!(shard.go_on(kept.clone()));
            }
        }
    }
    let (layout, coding) = (shards[0].layout(), shards[0].coding());
    assert_eq!(layout.count(), count);
    let mut cells = vec![0; coding.bytes(count).expect("a small table") as usize];
    for block in 0..layout.blocks() {
        let (part, own) = layout.place(block);
        let bytes = |numbers| coding.bytes(numbers).expect("a small table");
        let range = layout.block(block);
        let into = bytes(range.start) as usize..bytes(range.end) as usize;
        shards[part as usize].copy(bytes(own << layout.shift()), &mut cells[into]);
    }
    shards.iter_mut().for_each(|shard| shard.prove());
    while round(&mut shards, roll)? != Next::Done {}
    Ok(Table::from_cells(coding, count, cells).expect("all cells are there"))
}

/// Runs one round.
fn round(
    shards: &mut [Box<dyn Shard + '_>],
    roll: &mut dyn FnMut(usize) -> usize,
) -> Result<Next, SolveError> {
    let mut working: Vec<bool> = vec![true; shards.len()];
    let mut letters: VecDeque<(u32, u32, Vec<u8>)> = VecDeque::new();
    loop {
        let at = roll(shards.len());
        let mut out = Outbox::default();
        if roll(2) == 0 {
            if let Some((from, to, letter)) = letters.pop_front() {
                shards[to as usize].take(from, &letter, &mut out)?;
                letters.extend(out.messages.drain(..).map(|(back, letter)| (to, back, letter)));
            }
        } else if working[at] {
            working[at] = shards[at].work(&mut out)? && roll(4) > 0;
            letters.extend(out.messages.drain(..).map(|(to, letter)| (at as u32, to, letter)));
        }
        if letters.is_empty() && !working.contains(&true) {
            break;
        }
    }
    let reports: Vec<_> = shards.iter_mut().map(|shard| shard.report()).collect();
    let next: Vec<_> = shards.iter_mut().map(|shard| shard.next(&reports)).collect::<Result<_, _>>()?;
    assert!(next.iter().all(|each| *each == next[0]), "the shards disagree");
    Ok(next[0])
}
