//! Territories of Amazons: who wins where the players are apart, or where one of them can stay at home.
//!
//! Every move takes one free cell. A *region* is a set of cells without arrows that are joined in any of the eight
//! directions. Where only one player has amazons in a region, it is worth the most moves that they can make there, an
//! integer; the outcome depends on the other regions, and on by how much the player to move is ahead in these.
//!
//! A player who moves nothing that borders on cells which the other reaches has a *home*: the free cells that the other
//! does not reach past these amazons. An amazon on the border can go home, too, if it shoots its arrow back to where it
//! came from. If a player surely makes as many moves at home as the other makes at most elsewhere, he wins as the second
//! player, since he can answer every move.
//!
//! Sources: E. R. Berlekamp, "Sums of Nx2 Amazons", 2000; M. Mueller, "Solving 5x5 Amazons", 2001; J. Song and M. Mueller, "An
//! enhanced solver for the game of Amazons", IEEE Transactions on Computational Intelligence and AI in Games 7, 2015.

use std::iter::successors;
use std::sync::{PoisonError, RwLock};

use rustc_hash::FxHashMap;

use crate::field::{Field, cells};

/// Free cells up to which the most moves of one player are counted, with as many amazons as a game has; beyond that they are
/// bounded.
const COUNTED: u32 = 10;
const AMAZONS: u32 = 4;
/// The directions in which the numbers of cells grow, and the others.
const UPWARDS: [usize; 4] = [1, 2, 5, 6];
const DOWNWARDS: [usize; 4] = [0, 3, 4, 7];
/// Most counts that are kept.
const KEPT: usize = 1 << 21;

/// The part of a position that decides its outcome, seen by the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contest {
    /// The amazons of the player to move in regions that are contested, or whose moves are not known exactly.
    pub own: u64,
    /// The amazons of the other player in them.
    pub other: u64,
    /// The free cells of these regions.
    pub free: u64,
    /// The moves of the player to move in other regions, less those of the other.
    pub ahead: i32,
}

/// The territories of a board, and the counts that were made.
#[derive(Debug)]
pub struct Territories {
    field: Field,
    /// The cells from each cell to the border, by direction: half of them lead to larger numbers, half to smaller ones.
    rays: Vec<[[u64; 4]; 2]>,
    /// The most moves of amazons alone with free cells.
    counts: RwLock<FxHashMap<(u64, u64), i32>>,
}

impl Territories {
    /// Returns the territories of a board.
    pub fn new(field: Field) -> Territories {
        let ray = |cell: usize, way: usize| {
            successors(field.step(cell, way), |&at| field.step(at, way)).fold(0, |set, at| set | 1 << at)
        };
        let rays = |cell: usize| [UPWARDS, DOWNWARDS].map(|ways| ways.map(|way| ray(cell, way)));
        let rays = (0..field.cells()).map(rays).collect();
        Territories { rays, field, counts: RwLock::default() }
    }

    /// Returns what decides the outcome of a position with these amazons and free cells. Cells that nobody reaches are left
    /// out.
    pub fn contest(&self, own: u64, other: u64, free: u64) -> Contest {
        let mut contest = Contest { own: 0, other: 0, free: 0, ahead: 0 };
        let (mut rest, within) = (own | other, own | other | free);
        while rest != 0 {
            let region = self.field.joined_all_round(rest & rest.wrapping_neg(), within);
            rest &= !region;
            let [mine, theirs, cells] = [own, other, free].map(|set| set & region);
            let alone = (mine == 0 || theirs == 0).then(|| self.alone(mine | theirs, cells));
            match alone {
                Some((least, most)) if least == most => {
                    contest.ahead += if theirs == 0 { most } else { -most };
                }
                _ => {
                    contest.own |= mine;
                    contest.other |= theirs;
                    contest.free |= cells;
                }
            }
        }
        contest
    }

    /// Reports whether the player to move wins, if that is seen without a search.
    pub fn outcome(&self, contest: &Contest) -> Option<bool> {
        let Contest { own, other, free, ahead } = *contest;
        let open = free.count_ones() as i32;
        match () {
            () if ahead > open => return Some(true),
            () if ahead + open <= 0 => return Some(false),
            () => {}
        }
        let (home, elsewhere) = self.at_home(other, own, free);
        if home >= elsewhere + ahead {
            return Some(false);
        }
        let (home, elsewhere) = self.at_home(own, other, free);
        (home + ahead > elsewhere).then_some(true)
    }

    /// Returns the moves that a player surely makes at home, and the most that the other makes elsewhere meanwhile.
    fn at_home(&self, own: u64, other: u64, free: u64) -> (i32, i32) {
        let field = &self.field;
        let reached = self.reached(other, free);
        let homes = free & !reached;
        if homes == 0 {
            return (0, reached.count_ones() as i32);
        }
        let mut most = 0;
        self.each_region(other, reached, |amazons, cells| most += self.most_alone(amazons, cells));
        let border = own & field.all_round(reached | other);
        let inner = own & !border;
        let (mut least, mut homeless) = (0, homes);
        self.each_region(inner, homes, |amazons, cells| {
            least += self.alone(amazons, cells).0;
            homeless &= !cells;
        });
        // Homes without an amazon, for those on the border: each may go to one.
        let mut waiting = border;
        while homeless != 0 {
            let home = field.joined_all_round(homeless & homeless.wrapping_neg(), homeless);
            homeless &= !home;
            let mut best = (0, 0);
            for from in cells(waiting & field.all_round(home)) {
                for to in cells(self.slides(from, home)) {
                    let moves = 1 + self.alone(1 << to, self.reached(1 << to, home & !(1 << to))).0;
                    best = best.max((moves, 1 << from));
                }
            }
            least += best.0;
            waiting &= !best.1;
        }
        (least, most)
    }

    /// Visits the regions of amazons and free cells in which there is an amazon.
    fn each_region(&self, amazons: u64, free: u64, mut visit: impl FnMut(u64, u64)) {
        let mut rest = amazons;
        while rest != 0 {
            let region = self.field.joined_all_round(rest & rest.wrapping_neg(), amazons | free);
            rest &= !region;
            visit(amazons & region, free & region);
        }
    }

    /// Returns the free cells that amazons can reach in any number of moves.
    fn reached(&self, amazons: u64, free: u64) -> u64 {
        self.field.joined_all_round(amazons, amazons | free) & free
    }

    /// Returns an upper bound of the moves that amazons can make on free cells, all of which they and nobody else reach.
    fn most_alone(&self, amazons: u64, free: u64) -> i32 {
        if is_counted(amazons, free) { self.count(amazons, free) } else { free.count_ones() as i32 }
    }

    /// Returns bounds of the most moves that amazons can make on free cells, all of which they and nobody else reach.
    fn alone(&self, amazons: u64, free: u64) -> (i32, i32) {
        let most = self.most_alone(amazons, free);
        if is_counted(amazons, free) {
            return (most, most);
        }
        // One move after the other, each of which leaves as many cells within reach as possible.
        let (mut amazons, mut left, mut made) = (amazons, free, 0);
        loop {
            let mut best = None;
            self.each_move(amazons, left, &mut |next, cells| {
                if best.is_none_or(|(_, most): (u64, u64)| cells.count_ones() > most.count_ones()) {
                    best = Some((next, cells));
                }
                false
            });
            let Some(next) = best else { return (made, most) };
            (amazons, left) = next;
            made += 1;
        }
    }

    /// Returns the most moves that amazons can make on free cells, all of which they reach.
    fn count(&self, amazons: u64, free: u64) -> i32 {
        let all = free.count_ones() as i32;
        if all <= 1 {
            return all;
        }
        let key = (amazons, free);
        if let Some(&most) = self.counts.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return most;
        }
        let mut best = 0;
        self.each_move(amazons, free, &mut |next, cells| {
            if cells.count_ones() as i32 >= best {
                best = best.max(1 + self.count(next, cells));
            }
            best == all
        });
        let mut counts = self.counts.write().unwrap_or_else(PoisonError::into_inner);
        if counts.len() >= KEPT {
            counts.clear();
        }
        counts.insert(key, best);
        best
    }

    /// Visits the amazons after each move and the free cells that they then reach, until `visit` returns true.
    fn each_move(&self, amazons: u64, free: u64, visit: &mut dyn FnMut(u64, u64) -> bool) {
        for from in cells(amazons) {
            for to in cells(self.slides(from, free)) {
                let (next, left) = (amazons & !(1 << from) | 1 << to, free & !(1 << to) | 1 << from);
                for arrow in cells(self.slides(to, left)) {
                    if visit(next, self.reached(next, left & !(1 << arrow))) {
                        return;
                    }
                }
            }
        }
    }

    /// Returns the cells that a queen reaches from a cell over free ones.
    #[inline]
    pub fn slides(&self, from: usize, free: u64) -> u64 {
        let [up, down] = &self.rays[from];
        // Boards have no cell 63.
        let before = |ray: u64| ray & ((1 << (ray & !free | 1 << 63).trailing_zeros()) - 1);
        let behind = |ray: u64| ray & u64::MAX << (64 - (ray & !free).leading_zeros());
        up.iter().fold(0, |set, &ray| set | before(ray)) | down.iter().fold(0, |set, &ray| set | behind(ray))
    }

    /// Returns the number of cells that amazons reach in one move, each counted for every amazon.
    pub fn reach(&self, amazons: u64, free: u64) -> i32 {
        cells(amazons).map(|from| self.slides(from, free).count_ones() as i32).sum()
    }

    /// Returns the free cells that a player reaches in fewer moves of a queen than the other, less those that the other does;
    /// and the same for moves of a king.
    pub fn nearer(&self, own: u64, other: u64, free: u64) -> i32 {
        let queens = |set: u64| cells(set).fold(0, |near, from| near | self.slides(from, free));
        let kings = |set: u64| self.field.all_round(set) & free;
        race(own, other, free, queens) + race(own, other, free, kings)
    }
}

/// Reports whether the most moves of amazons with these cells are counted.
fn is_counted(amazons: u64, free: u64) -> bool {
    free.count_ones() <= COUNTED && amazons.count_ones() <= AMAZONS
}

/// Returns the cells that `own` reaches in fewer steps than `other`, less those that `other` does.
fn race(mut own: u64, mut other: u64, free: u64, near: impl Fn(u64) -> u64) -> i32 {
    let (mut left, mut ahead) = (free, 0);
    loop {
        let [mine, theirs] = [own, other].map(|set| near(set) & left);
        if mine | theirs == 0 {
            return ahead;
        }
        ahead += (mine & !theirs).count_ones() as i32 - (theirs & !mine).count_ones() as i32;
        left &= !(mine | theirs);
        (own, other) = (mine, theirs);
    }
}
