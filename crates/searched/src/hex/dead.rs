//! Dead and captured cells: free cells whose colour does not matter, and pairs of them that a player owns already.
//!
//! * A cell is *dead* if no colouring of the free cells around it makes its own colour matter: a chain through it is always
//!   replaced by one beside it.
//! * Two neighbours are *captured* by a player if, whichever of them the other takes, the reply on the other one leaves a
//!   dead cell.
//!
//! Who wins does not change if dead cells get any colour and captured ones that of their owner.
//!
//! Source: Y. Björnsson, R. Hayward, M. Johanson, J. van Rijswijck, "Dead Cell Analysis in Hex and the Shannon Game", 2006.

use std::sync::LazyLock;

use grundy_core::bits::indices;

/// The neighbours of a cell in the order around it: cells, or one of the three below.
pub(super) type Ring = [u8; 6];
/// A border of player one, a border of player two, and the place beyond an obtuse corner, which could be either and counts
/// as free.
pub(super) const FIRST: u8 = 64;
pub(super) const SECOND: u8 = 65;
pub(super) const EITHER: u8 = 66;

/// True for the colours around a dead cell, as [`Coloured::around`] encodes them.
static DEAD: LazyLock<Box<[bool]>> = LazyLock::new(|| (0..1 << 12).map(is_dead).collect());

/// Reports whether no colouring of the free neighbours has two runs of a colour around the cell.
fn is_dead(colours: usize) -> bool {
    let free: Vec<usize> = (0..6).filter(|k| colours >> (2 * k) & 3 == 0).collect();
    let first = (0..6).fold(0u8, |set, k| set | ((colours >> (2 * k) & 1) as u8) << k);
    (0..1usize << free.len()).all(|choice| {
        let set = free.iter().enumerate().fold(first, |set, (i, k)| set | ((choice >> i & 1) as u8) << k);
        let next = set >> 1 | (set & 1) << 5;
        (set & !next).count_ones() <= 1
    })
}

/// The stones of both players with the borders.
#[derive(Clone, Copy)]
struct Coloured([u128; 2]);

impl Coloured {
    fn new(stones: [u64; 2]) -> Coloured {
        Coloured([u128::from(stones[0]) | 1 << FIRST, u128::from(stones[1]) | 1 << SECOND])
    }

    /// Returns the colours around a cell, two bits a neighbour: player one's and player two's.
    fn around(self, ring: &Ring) -> usize {
        let [first, second] = self.0;
        ring.iter().rev().fold(0, |colours, &cell| {
            let bits = (second >> cell & 1) << 1 | first >> cell & 1;
            colours << 2 | bits as usize
        })
    }
}

/// Returns the free cells that are dead.
pub(super) fn dead(rings: &[Ring], stones: [u64; 2], free: u64) -> u64 {
    let coloured = Coloured::new(stones);
    indices(free).filter(|&cell| DEAD[coloured.around(&rings[cell])]).fold(0, |dead, cell| dead | 1 << cell)
}

/// Returns the stones after dead and captured cells are filled, the dead ones with player one's.
pub(super) fn filled(rings: &[Ring], mut stones: [u64; 2], mut free: u64) -> [u64; 2] {
    loop {
        let before = free;
        let none = dead(rings, stones, free);
        stones[0] |= none;
        free &= !none;
        let coloured = Coloured::new(stones);
        for cell in indices(free) {
            let ring = &rings[cell];
            let colours = coloured.around(ring);
            for (k, &other) in
                ring.iter().enumerate().filter(|(_, other)| usize::from(**other) > cell && **other < FIRST)
            {
                if free >> other & 1 == 0 || free >> cell & 1 == 0 {
                    continue;
                }
                let beside = &rings[usize::from(other)];
                let colours_beside = coloured.around(beside);
                // The cell is on the opposite side of its neighbour's ring.
                let back = (k + 3) % 6;
                let owner = (0..2).find(|side| {
                    DEAD[colours | 1 << (2 * k + side)] && DEAD[colours_beside | 1 << (2 * back + side)]
                });
                if let Some(side) = owner {
                    let pair = 1 << cell | 1 << other;
                    stones[side] |= pair;
                    free &= !pair;
                }
            }
        }
        if free == before {
            return stones;
        }
    }
}
