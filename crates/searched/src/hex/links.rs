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
const LINKS: usize = 4;
const HALVES: usize = 8;
/// Maximum number of half links that are combined to a link.
const TOGETHER: u32 = 4;

/// The links of one player. Ends 0 and 1 are his borders with all stones that touch them, then come free cells and
/// other chains.
pub(super) struct Links {
    ends: usize,
    /// The cell of each end; empty for borders and chains.
    cells: Vec<u64>,
    links: Vec<List<LINKS>>,
    halves: Vec<List<HALVES>>,
    waiting: Vec<(u8, u8, u64)>,
    next: usize,
}

/// Carriers none of which contains another.
#[derive(Clone, Copy)]
struct List<const N: usize> {
    count: u8,
    carriers: [u64; N],
}

impl<const N: usize> List<N> {
    const EMPTY: List<N> = List { count: 0, carriers: [0; N] };

    fn all(&self) -> &[u64] {
        &self.carriers[..usize::from(self.count)]
    }

    /// Reports whether one of the carriers is a subset of `cells`.
    fn covers(&self, cells: u64) -> bool {
        self.all().iter().any(|&carrier| carrier & !cells == 0)
    }

    /// Adds a carrier that is not covered; returns `false` if the list is full.
    fn add(&mut self, carrier: u64) -> bool {
        let mut kept = 0;
        for i in 0..usize::from(self.count) {
            if carrier & !self.carriers[i] != 0 {
                self.carriers[kept] = self.carriers[i];
                kept += 1;
            }
        }
        if kept == N {
            let large = (0..N).max_by_key(|&i| self.carriers[i].count_ones()).unwrap_or(0);
            if self.carriers[large].count_ones() <= carrier.count_ones() {
                return false;
            }
            self.carriers[large] = carrier;
        } else {
            self.carriers[kept] = carrier;
            kept += 1;
        }
        self.count = kept as u8;
        true
    }
}

/// The known facts about the connection of a player's two borders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Borders {
    /// `true` if the player connects them although the other is to move.
    pub linked: bool,
    /// Free cells one of which the other must take to stop him if he is to move; all cells if nothing is known.
    pub must: u64,
}

impl Links {
    /// Analyses the connection of a player's borders. `around` returns the neighbours of a set of cells and the set,
    /// `borders` are his border cells, `free` the free cells. The search ends with the first link, or, if `half`, with
    /// the first half link.
    pub(super) fn reach(
        around: &impl Fn(u64) -> u64,
        borders: [u64; 2],
        stones: u64,
        free: u64,
        half: bool,
    ) -> Borders {
        let spread = |mut set: u64| loop {
            let next = around(set) & stones;
            if next == set {
                return set;
            }
            set = next;
        };
        let joined = borders.map(|border| spread(border & stones));
        // The free cells that touch an end.
        let mut near = vec![(borders[0] | around(joined[0])) & free, (borders[1] | around(joined[1])) & free];
        let mut cells = vec![0, 0];
        let mut loose = stones & !joined[0] & !joined[1];
        while loose != 0 {
            let chain = spread(loose & loose.wrapping_neg());
            loose &= !chain;
            near.push(around(chain) & free);
            cells.push(0);
        }
        let mut end_of = [0u8; 64];
        let mut rest = free;
        while rest != 0 {
            let bit = rest & rest.wrapping_neg();
            rest ^= bit;
            end_of[bit.trailing_zeros() as usize] = cells.len() as u8;
            near.push(around(bit) & free & !bit);
            cells.push(bit);
        }
        let ends = cells.len();
        let mut links = Links {
            ends,
            cells,
            links: vec![List::EMPTY; ends * ends],
            halves: vec![List::EMPTY; ends * ends],
            waiting: Vec::with_capacity(4 * ends),
            next: 0,
        };
        for (end, &near) in near.iter().enumerate() {
            let mut near = near;
            while near != 0 {
                let other = usize::from(end_of[near.trailing_zeros() as usize]);
                near &= near - 1;
                links.link(end, other, 0);
            }
        }
        links.close(half);
        let between = links.halves[links.place(0, 1)];
        let linked = links.links[links.place(0, 1)].count > 0;
        let must = between.all().iter().fold(!0, |all, half| all & half);
        Borders { linked, must: if linked { 0 } else { must } }
    }

    fn place(&self, a: usize, b: usize) -> usize {
        a.min(b) * self.ends + a.max(b)
    }

    /// Combines every link with those that begin at its ends, until nothing is new.
    fn close(&mut self, half: bool) {
        let goal = self.place(0, 1);
        while self.next < self.waiting.len() {
            if self.links[goal].count > 0 || half && self.halves[goal].count > 0 {
                return;
            }
            let (a, b, carrier) = self.waiting[self.next];
            self.next += 1;
            let (a, b) = (usize::from(a), usize::from(b));
            if !self.links[self.place(a, b)].all().contains(&carrier) {
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
        let (own, middle) = (self.cells[from], self.cells[over]);
        for to in 0..self.ends {
            if to == from || to == over || carrier & self.cells[to] != 0 {
                continue;
            }
            let more = self.links[self.place(over, to)];
            for &other in more.all() {
                if other & (carrier | own) != 0 {
                    continue;
                }
                if middle == 0 {
                    self.link(from, to, carrier | other);
                } else {
                    self.half(from, to, carrier | other | middle);
                }
            }
        }
    }

    fn link(&mut self, a: usize, b: usize, carrier: u64) {
        let place = self.place(a, b);
        if !self.links[place].covers(carrier) && self.links[place].add(carrier) {
            self.waiting.push((a as u8, b as u8, carrier));
        }
    }

    fn half(&mut self, a: usize, b: usize, carrier: u64) {
        let place = self.place(a, b);
        if self.links[place].covers(carrier) || self.halves[place].covers(carrier) {
            return;
        }
        if self.halves[place].add(carrier) {
            let list = self.halves[place];
            self.together(a, b, list.all(), carrier, carrier, TOGETHER - 1);
        }
    }

    /// Combines half links to links, as long as the intersection of their carriers shrinks.
    fn together(&mut self, a: usize, b: usize, list: &[u64], common: u64, all: u64, more: u32) {
        for (i, &half) in list.iter().enumerate() {
            let left = common & half;
            if left == 0 {
                self.link(a, b, all | half);
            } else if left != common && more > 1 {
                self.together(a, b, &list[i + 1..], left, all | half, more - 1);
            }
        }
    }
}
