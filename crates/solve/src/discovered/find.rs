//! Finds all positions that can be reached, breadth first.

use std::time::Instant;

use rustc_hash::FxHashSet;

use super::components::{ConnectedClasses, components};
use super::keys::{Keys, scattered};
use super::packed::Packed;
use super::set::{Key, Set};
use super::tasks::{CHILDREN, Tasks};
use crate::crew::Crew;
use grundy_session::{Progress, SolveError, Work};

/// How far positions are looked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Horizon {
    /// At most about so many positions.
    pub positions: Option<u64>,
    /// Until then.
    pub until: Option<Instant>,
}

/// All positions of a game, and in which order they can be solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The positions.
    pub keys: Keys,
    /// Classes that do not lead to each other, those that come last in a game first.
    pub components: Vec<ConnectedClasses>,
}

impl Found {
    /// How many positions can be reached, those that are packed alike counted each; `None` where that is not known.
    pub fn positions<G: Packed>(&self, game: &G) -> Option<u64> {
        (0..self.keys.len()).map(|number| game.alike(self.keys.get(number))).sum()
    }
}

/// The most positions: numbers have 32 bits.
const MOST: u64 = u32::MAX as u64 - 16;
/// The set is kept in so many parts, so that threads do not wait for each other.
const SHARDS: usize = 64;
/// With more pairs of classes than that, classes are of no use.
const MOST_PAIRS: usize = 2_000_000;

/// Finds the positions that can be reached from the start; `None` where there are more than the limit allows.
///
/// # Errors
/// The work was stopped, needs too much memory, or the game has a fault.
pub fn find<G: Packed>(game: &G, reach: &Horizon, work: &Work<'_>) -> Result<Option<Found>, SolveError> {
    match game.bits() {
        Some(0..=63) => search::<G, u64>(game, reach, work, Keys::Small),
        Some(64..=127) => search::<G, u128>(game, reach, work, Keys::Large),
        _ => Err(SolveError::Broken("a position does not fit 128 bits: too large for a table".to_owned())),
    }
}

/// What a task has found.
struct News<K> {
    /// How many of the positions were looked at.
    looked: usize,
    /// Children, by their shard.
    children: Vec<Vec<K>>,
    /// Pairs of classes that a move joins.
    pairs: FxHashSet<(K, K)>,
    sums: Sums,
}

/// The least and the largest sum of the scores where the game is over.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sums(Option<[i64; 2]>);

impl Sums {
    /// These, and one more where there is one.
    pub(super) fn with(self, sum: Option<i64>) -> Sums {
        self.joined(Sums(sum.map(|sum| [sum, sum])))
    }

    pub(super) fn joined(self, other: Sums) -> Sums {
        match (self.0, other.0) {
            (Some([least, most]), Some([l, m])) => Sums(Some([least.min(l), most.max(m)])),
            (one, other) => Sums(one.or(other)),
        }
    }

    /// Refuses sums that differ.
    pub(super) fn same(self) -> Result<(), SolveError> {
        let Some([least, most]) = self.0.filter(|[least, most]| least != most) else { return Ok(()) };
        let what = format!(
            "ends with scores of the sums {least} and {most}, so that one player's gain is not the other's loss: \
             `//@ value difference` lets the higher score win, `//@ value score` counts the margin"
        );
        Err(SolveError::Broken(what))
    }
}

fn search<G: Packed, K: Key + std::hash::Hash>(
    game: &G,
    reach: &Horizon,
    work: &Work<'_>,
    wrap: fn(Vec<K>) -> Keys,
) -> Result<Option<Found>, SolveError> {
    let crew = Crew::new(work);
    let shift = game.class_shift();
    let room = work.memory().unwrap_or(u64::MAX);
    let mut shards: Vec<Set<K>> = (0..SHARDS).map(|_| Set::new()).collect();
    let mut pairs: Option<FxHashSet<(K, K)>> = Some(FxHashSet::default());
    let start = game
        .pack(&game.start())
        .ok_or_else(|| SolveError::Broken("the start cannot be packed".to_owned()))?;
    let start = K::from_wide(start);
    shards[shard(start)].insert(start);
    let (mut frontier, mut next) = (vec![start], Vec::new());
    let (mut total, mut depth, mut sums) = (1u64, 0u32, Sums::default());
    while !frontier.is_empty() {
        let mut tasks = Tasks::new(&frontier);
        while let Some(taken) = tasks.take(crew.size()) {
            if work.stopped() {
                return Err(SolveError::Stopped);
            }
            let with_pairs = pairs.is_some();
            let found = crew.map(taken.clone(), &|positions| look(game, positions, shift, with_pairs));
            for (positions, news) in taken.into_iter().zip(&found) {
                tasks.give_back(&positions[news.looked..]);
            }
            if let Some(fault) = game.fault() {
                return Err(SolveError::Broken(fault));
            }
            let inserts: Vec<(usize, &mut Set<K>)> = shards.iter_mut().enumerate().collect();
            let new = crew.map(inserts, &|(at, shard): (usize, &mut Set<K>)| {
                let mut new = Vec::new();
                for news in &found {
                    new.extend(news.children[at].iter().copied().filter(|&key| shard.insert(key)));
                }
                new
            });
            next.extend(new.into_iter().flatten());
            for news in found {
                sums = sums.joined(news.sums);
                if let Some(all) = &mut pairs {
                    all.extend(news.pairs);
                }
            }
            if pairs.as_ref().is_some_and(|pairs| pairs.len() > MOST_PAIRS) {
                pairs = None;
            }
            total = shards.iter().map(|shard| shard.len() as u64).sum();
            // The set, what is still to be looked at, and later the sorted list.
            let bytes: u64 = shards.iter().map(Set::bytes).sum();
            let needed =
                bytes + (total + next.capacity() as u64 + frontier.len() as u64) * size_of::<K>() as u64;
            if needed > room || total > MOST {
                return Err(SolveError::TooLarge { needed, limit: room });
            }
            if reach.positions.is_some_and(|most| total > most)
                || reach.until.is_some_and(|until| Instant::now() > until)
            {
                return Ok(None);
            }
            let what = format!("positions found, ply {depth}");
            (work.report)(&Progress { what, done: total, total: 0 });
        }
        std::mem::swap(&mut frontier, &mut next);
        next.clear();
        depth += 1;
    }
    sums.same()?;
    let mut keys: Vec<K> = Vec::with_capacity(total as usize);
    for shard in shards {
        keys.extend(shard.into_keys());
    }
    keys.sort_unstable();
    let components = match pairs {
        Some(pairs) => components(&keys, |key| K::from_wide(upper(key.wide(), shift)), &pairs),
        None => {
            vec![ConnectedClasses { ranges: std::iter::once(0..keys.len() as u32).collect(), circular: true }]
        }
    };
    Ok(Some(Found { keys: wrap(keys), components }))
}

#[inline]
fn shard<K: Key>(key: K) -> usize {
    (scattered(key.wide()) >> 58) as usize
}

/// The class of a packed position.
#[inline]
fn upper(key: u128, shift: u32) -> u128 {
    key.checked_shr(shift).unwrap_or(0)
}

/// Looks at some positions.
fn look<G: Packed, K: Key + std::hash::Hash>(
    game: &G,
    positions: &[K],
    shift: u32,
    with_pairs: bool,
) -> News<K> {
    /// Pairs seen lately.
    const LATELY: usize = 64;
    let mut news = News {
        looked: 0,
        children: vec![Vec::new(); SHARDS],
        pairs: FxHashSet::default(),
        sums: Sums::default(),
    };
    let mut lately = [(K::NONE, K::NONE); LATELY];
    let mut count = 0;
    for &position in positions {
        if count >= CHILDREN {
            break;
        }
        news.looked += 1;
        let class = K::from_wide(upper(position.wide(), shift));
        let over = game.expand(position.wide(), &mut |child, _| {
            let child = K::from_wide(child);
            news.children[shard(child)].push(child);
            count += 1;
            if with_pairs {
                let pair = (class, K::from_wide(upper(child.wide(), shift)));
                let slot = &mut lately[(scattered(pair.1.wide()) >> 58) as usize];
                if *slot != pair {
                    *slot = pair;
                    news.pairs.insert(pair);
                }
            }
        });
        if over.is_some() {
            news.sums = news.sums.with(game.sum_at_end(position.wide()));
        }
    }
    news
}
