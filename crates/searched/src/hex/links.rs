//! Virtual connections on small boards: connections that a player can make even if the other moves first. The rules are
//! sound but do not find every connection.
//!
//! A *link* connects two ends even if the other player moves first; a *half link* (semi-connection) does so if the
//! player himself moves first. An end is a border, a chain of one's own stones or a free cell. The free cells that
//! either needs are its *carrier*.
//!
//! * Neighbours are linked with an empty carrier.
//! * Two links with a common end and disjoint carriers: over stones of one's own they make a link, over a free cell a
//!   half link whose carrier contains that cell.
//! * Half links of the same ends whose carriers have an empty intersection make a link: whatever the other takes, one
//!   is left.
//!
//! Source: V. V. Anshelevich, "A hierarchical approach to computer Hex", Artificial Intelligence 134, 2002.

/// Maximum number of links and of half links that are kept for two ends.
const LINKS: usize = 8;
const HALVES: usize = 20;
/// Maximum number of half links that are combined to a link.
const TOGETHER: u32 = 4;

/// The links of one player. Ends 0 and 1 are his borders with all stones that touch them, then come free cells and
/// other chains.
#[derive(Debug, Default)]
pub(super) struct Links {
    /// The cell of each end; empty for borders and chains.
    cells: Vec<u64>,
    links: Lists<LINKS>,
    halves: Lists<HALVES>,
    /// The links of each end.
    beside: Vec<Vec<Link>>,
    waiting: Vec<(u8, u8, u64)>,
}

/// A link from an end.
#[derive(Clone, Copy, Debug)]
struct Link {
    to: u8,
    /// The carrier, and the cell of the other end.
    cells: u64,
    carrier: u64,
}

/// For each pair of ends, carriers none of which contains another.
#[derive(Debug, Default)]
struct Lists<const N: usize> {
    ends: usize,
    counts: Vec<u8>,
    carriers: Vec<[u64; N]>,
}

impl<const N: usize> Lists<N> {
    fn clear(&mut self, ends: usize) {
        self.ends = ends;
        self.counts.clear();
        self.counts.resize(ends * ends, 0);
        if self.carriers.len() < ends * ends {
            self.carriers.resize(ends * ends, [0; N]);
        }
    }

    fn pair(&self, a: usize, b: usize) -> usize {
        a.min(b) * self.ends + a.max(b)
    }

    fn all(&self, pair: usize) -> &[u64] {
        &self.carriers[pair][..usize::from(self.counts[pair])]
    }

    /// Reports whether one of the carriers is a subset of `cells`.
    fn covers(&self, pair: usize, cells: u64) -> bool {
        self.all(pair).iter().any(|&carrier| carrier & !cells == 0)
    }

    /// Adds a carrier that is not covered. Returns whether others were removed; `None` if the list is full.
    fn add(&mut self, pair: usize, carrier: u64) -> Option<bool> {
        let carriers = &mut self.carriers[pair];
        let count = usize::from(self.counts[pair]);
        let mut kept = 0;
        for i in 0..count {
            if carrier & !carriers[i] != 0 {
                carriers[kept] = carriers[i];
                kept += 1;
            }
        }
        let mut removed = kept < count;
        if kept == N {
            let large = (0..N).max_by_key(|&i| carriers[i].count_ones()).unwrap_or(0);
            if carriers[large].count_ones() <= carrier.count_ones() {
                return None;
            }
            carriers[large] = carrier;
            removed = true;
        } else {
            carriers[kept] = carrier;
            kept += 1;
        }
        self.counts[pair] = kept as u8;
        Some(removed)
    }
}

/// The board as one player sees it: his stones, his border cells and the free cells.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    pub borders: [u64; 2],
    pub stones: u64,
    pub free: u64,
}

/// The known facts about the connection of a player's two borders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Borders {
    /// Nothing is known.
    Open,
    /// The player connects them within these cells if he is to move.
    Half(u64),
    /// The player connects them within these cells although the other is to move.
    Linked(u64),
}

impl Links {
    /// Analyses the connection of a player's borders. `around` returns the neighbours of a set of cells and the set. The
    /// search ends with the first link, or, if `half`, with the first half link.
    pub(super) fn reach(&mut self, around: &impl Fn(u64) -> u64, view: View, half: bool) -> Borders {
        let View { borders, stones, free } = view;
        let spread = |mut set: u64| loop {
            let next = around(set) & stones;
            if next == set {
                return set;
            }
            set = next;
        };
        let joined = borders.map(|border| spread(border & stones));
        // The free cells that touch an end.
        let mut near = [0; 2 * 64];
        self.cells.clear();
        let mut end = |cells: &mut Vec<u64>, cell, touched| {
            near[cells.len()] = touched;
            cells.push(cell);
        };
        for side in 0..2 {
            end(&mut self.cells, 0, (borders[side] | around(joined[side])) & free);
        }
        let mut loose = stones & !joined[0] & !joined[1];
        while loose != 0 {
            let chain = spread(loose & loose.wrapping_neg());
            loose &= !chain;
            end(&mut self.cells, 0, around(chain) & free);
        }
        let mut end_of = [0u8; 64];
        let mut rest = free;
        while rest != 0 {
            let bit = rest & rest.wrapping_neg();
            rest ^= bit;
            end_of[bit.trailing_zeros() as usize] = self.cells.len() as u8;
            end(&mut self.cells, bit, around(bit) & free & !bit);
        }
        let ends = self.cells.len();
        self.links.clear(ends);
        self.halves.clear(ends);
        self.waiting.clear();
        self.beside.iter_mut().for_each(Vec::clear);
        self.beside.resize_with(ends.max(self.beside.len()), Vec::new);
        for (end, &near) in near[..ends].iter().enumerate() {
            let mut near = near;
            while near != 0 {
                let other = usize::from(end_of[near.trailing_zeros() as usize]);
                near &= near - 1;
                self.link(end, other, 0);
            }
        }
        self.close(half);
        let pair = self.links.pair(0, 1);
        let least = |carriers: &[u64]| carriers.iter().copied().min_by_key(|carrier| carrier.count_ones());
        match (least(self.links.all(pair)), least(self.halves.all(pair))) {
            (Some(carrier), _) => Borders::Linked(carrier),
            (None, Some(carrier)) => Borders::Half(carrier),
            (None, None) => Borders::Open,
        }
    }

    /// Returns the carriers of the half links of the borders that the last analysis found.
    pub(super) fn half_links(&self) -> &[u64] {
        self.halves.all(self.halves.pair(0, 1))
    }

    /// Combines every link with those that begin at its ends, until nothing is new.
    fn close(&mut self, half: bool) {
        let goal = self.links.pair(0, 1);
        let mut next = 0;
        while next < self.waiting.len() {
            if self.links.counts[goal] > 0 || half && self.halves.counts[goal] > 0 {
                return;
            }
            let (a, b, carrier) = self.waiting[next];
            next += 1;
            let (a, b) = (usize::from(a), usize::from(b));
            if !self.links.all(self.links.pair(a, b)).contains(&carrier) {
                // It was replaced by a smaller one.
                continue;
            }
            if b > 1 {
                self.follow(a, b, carrier);
            }
            if a > 1 {
                self.follow(b, a, carrier);
            }
        }
    }

    /// Combines the link between `from` and `over` with the links of `over`.
    fn follow(&mut self, from: usize, over: usize, carrier: u64) {
        let middle = self.cells[over];
        let taken = carrier | self.cells[from];
        // No link of `over` is added or removed on the way.
        let beside = std::mem::take(&mut self.beside[over]);
        for link in &beside {
            let to = usize::from(link.to);
            if link.cells & taken != 0 || to == from {
                continue;
            }
            if middle == 0 {
                self.link(from, to, carrier | link.carrier);
            } else {
                self.half(from, to, carrier | link.carrier | middle);
            }
        }
        self.beside[over] = beside;
    }

    fn link(&mut self, a: usize, b: usize, carrier: u64) {
        let pair = self.links.pair(a, b);
        if self.links.covers(pair, carrier) {
            return;
        }
        let Some(removed) = self.links.add(pair, carrier) else { return };
        for (from, to) in [(a, b), (b, a)] {
            if removed {
                let kept = self.links.all(pair);
                self.beside[from].retain(|link| usize::from(link.to) != to || kept.contains(&link.carrier));
            }
            self.beside[from].push(Link { to: to as u8, cells: carrier | self.cells[to], carrier });
        }
        self.waiting.push((a as u8, b as u8, carrier));
    }

    fn half(&mut self, a: usize, b: usize, carrier: u64) {
        let pair = self.halves.pair(a, b);
        if self.links.covers(pair, carrier) || self.halves.covers(pair, carrier) {
            return;
        }
        if self.halves.add(pair, carrier).is_some() {
            let count = usize::from(self.halves.counts[pair]);
            let list = self.halves.carriers[pair];
            self.together((a, b), &list[..count], carrier, carrier, TOGETHER - 1);
        }
    }

    /// Combines half links of two ends to links, as long as the intersection of their carriers shrinks.
    fn together(&mut self, ends: (usize, usize), list: &[u64], common: u64, all: u64, more: u32) {
        for (i, &half) in list.iter().enumerate() {
            let left = common & half;
            if left == 0 {
                self.link(ends.0, ends.1, all | half);
            } else if left != common && more > 1 {
                self.together(ends, &list[i + 1..], left, all | half, more - 1);
            }
        }
    }
}
