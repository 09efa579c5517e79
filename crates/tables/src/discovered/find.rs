//! Finds all positions that can be reached, breadth first.

use std::time::Instant;

use rustc_hash::FxHashSet;

use super::components::components;
use super::keys::{Keys, scattered};
use super::packed::Packed;
use super::set::{Key, Set};
use super::tasks::{CHILDREN, STRETCH, Tasks};
use crate::crew::Crew;
use crate::parts::Part;
use grundy_session::{Progress, SolveError, Work};

/// The limits of a search for positions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Horizon {
    /// About the most positions.
    pub positions: Option<u64>,
    /// The end of the search.
    pub until: Option<Instant>,
}

impl Horizon {
    /// Reports whether the search has reached its end in time.
    pub(super) fn is_past(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() > until)
    }
}

/// All positions of a game, and the order in which they can be solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The positions.
    pub keys: Keys,
    /// The strongly connected components of their classes, those that come last in a game first.
    pub components: Vec<Part>,
}

impl Found {
    /// Returns the number of positions that can be reached, counting each of those that share a packed form; `None` if it
    /// is not known.
    pub fn positions<G: Packed>(&self, game: &G) -> Option<u64> {
        (0..self.keys.len()).map(|number| game.alike(self.keys.get(number))).sum()
    }

    /// Reports whether a move may lead back to its own component.
    pub(super) fn is_cyclic(&self) -> bool {
        self.components.iter().any(|component| component.cyclic)
    }

    /// Returns the number of positions of the largest component.
    pub(super) fn largest(&self) -> u64 {
        self.components.iter().map(Part::len).max().unwrap_or(0)
    }
}

/// The most positions: their indices have 32 bits.
pub(super) const MOST: u64 = u32::MAX as u64 - 16;
/// The set of positions is divided into this number of shards, so that threads do not wait for each other.
const SHARDS: usize = 64;
/// Beyond this number of pairs of classes all positions are one class.
const MOST_PAIRS: usize = 2_000_000;

/// Finds the positions that can be reached from the start; `None` if the search reaches a limit of `reach`.
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

/// The result of a task.
struct News<K> {
    /// Number of positions that were expanded.
    looked: usize,
    /// Children, by their shard.
    children: Vec<Vec<K>>,
    /// Pairs of classes that a move joins.
    pairs: FxHashSet<(K, K)>,
    sums: Sums,
}

/// The least and the largest sum of both scores among the ends of the game.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sums(Option<[i64; 2]>);

impl Sums {
    /// Returns these sums, and one more if given.
    pub(super) fn with(self, sum: Option<i64>) -> Sums {
        self.joined(Sums(sum.map(|sum| [sum, sum])))
    }

    pub(super) fn joined(self, other: Sums) -> Sums {
        match (self.0, other.0) {
            (Some([least, most]), Some([l, m])) => Sums(Some([least.min(l), most.max(m)])),
            (one, other) => Sums(one.or(other)),
        }
    }

    /// Checks that all sums are equal.
    ///
    /// # Errors
    /// They are not, and the message names two of them.
    pub(super) fn same(self) -> Result<(), SolveError> {
        let Some([least, most]) = self.0.filter(|[least, most]| least != most) else { return Ok(()) };
        Err(SolveError::Broken(differing_sums(least, most)))
    }
}

/// Returns why positions have no value where the scores at ends of the game have these different sums.
pub fn differing_sums(least: i64, most: i64) -> String {
    format!(
        "ends with scores of the sums {least} and {most}, so that one player's gain is not the other's loss: \
         `//@ value difference` lets the higher score win, `//@ value score` counts the margin"
    )
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
            let ended = || work.stopped() || reach.is_past();
            let found =
                crew.map(taken.clone(), &|positions| look(game, positions, shift, with_pairs, &ended));
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
            // The set, the positions still to be expanded, and later the sorted list.
            let bytes: u64 = shards.iter().map(Set::bytes).sum();
            let needed =
                bytes + (total + next.capacity() as u64 + frontier.len() as u64) * size_of::<K>() as u64;
            if needed > room || total > MOST {
                return Err(SolveError::TooLarge { needed, limit: room });
            }
            if reach.positions.is_some_and(|most| total > most) || reach.is_past() {
                return Ok(None);
            }
            let what = format!("positions found, ply {depth}");
            (work.report)(&Progress { what: what.into(), done: total, total: 0 });
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
        None => vec![Part { ranges: std::iter::once(0..keys.len() as u64).collect(), cyclic: true }],
    };
    Ok(Some(Found { keys: wrap(keys), components }))
}

#[inline]
fn shard<K: Key>(key: K) -> usize {
    (scattered(key.wide()) >> 58) as usize
}

/// Returns the class of a packed position.
#[inline]
fn upper(key: u128, shift: u32) -> u128 {
    key.checked_shr(shift).unwrap_or(0)
}

/// Expands positions until about [`CHILDREN`] children were found, or the work has ended.
fn look<G: Packed, K: Key + std::hash::Hash>(
    game: &G,
    positions: &[K],
    shift: u32,
    with_pairs: bool,
    ended: &dyn Fn() -> bool,
) -> News<K> {
    /// Size of the cache of pairs seen last.
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
        let checks = news.looked > 0 && news.looked.is_multiple_of(STRETCH);
        if count >= CHILDREN || checks && ended() {
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
