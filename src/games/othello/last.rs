//! The last cells of a game, played out: the same null-window question as the search asks, without a table and with
//! an order of moves that fits few cells (regions with an odd number of free cells first).

use super::Othello;
use super::bits::{around, flips};

/// So many free cells and more have their moves sorted by what they leave the other.
const SORTED: u32 = 6;
/// So many and more have them sorted by potential mobility too.
const WIDE: u32 = 8;

/// The discs of the player to move, and the other's.
#[derive(Clone, Copy)]
struct Discs {
    mine: u64,
    other: u64,
}

impl Discs {
    /// After a move to this cell; `None` where it turns over nothing.
    #[inline]
    fn play(self, cell: u32) -> Option<Discs> {
        if NEAR[cell as usize & 63] & self.other == 0 {
            return None;
        }
        let turned = flips(self.mine, self.other, cell);
        (turned != 0).then_some(Discs { mine: self.other ^ turned, other: self.mine ^ turned | 1 << cell })
    }

    fn pass(self) -> Discs {
        Discs { mine: self.other, other: self.mine }
    }
}

impl Othello {
    /// A bound of the final difference for the first player, who is to move, that decides whether it reaches
    /// `target`. `left` is the number of free cells.
    pub(super) fn last(&self, mine: u64, other: u64, left: u32, target: i32, nodes: &mut u64) -> i32 {
        let discs = Discs { mine, other };
        let free = self.board & !(mine | other);
        let odd =
            self.quarters.iter().filter(|&&q| (free & q).count_ones() & 1 == 1).fold(0, |set, q| set | q);
        match left {
            SORTED.. => self.last_sorted(discs, self.moves_of(mine, other), odd, left, target, nodes),
            _ => self.last_few(discs, odd, left, target, nodes),
        }
    }

    /// Few cells. `odd` are the quarters of the board with an odd number of them: a player likes to move last in each.
    fn last_few(&self, discs: Discs, odd: u64, left: u32, target: i32, nodes: &mut u64) -> i32 {
        let free = self.board & !(discs.mine | discs.other);
        match left {
            0 => {
                *nodes += 1;
                return self.result(discs.mine, discs.other);
            }
            1 => {
                *nodes += 1;
                return self.last_one(discs, free.trailing_zeros());
            }
            2 => {
                let cells = [free.trailing_zeros(), 63 - free.leading_zeros()];
                return self.last_two(discs, cells, target, nodes);
            }
            _ => {}
        }
        *nodes += 1;
        let mut best = i32::MIN;
        for part in [free & odd, free & !odd] {
            let mut cells = part;
            while cells != 0 {
                let cell = cells.trailing_zeros();
                cells &= cells - 1;
                let Some(next) = discs.play(cell) else { continue };
                let odd = odd ^ self.quarter_of(cell);
                best = best.max(-self.last_few(next, odd, left - 1, 1 - target, nodes));
                if best >= target {
                    return best;
                }
            }
        }
        if best > i32::MIN {
            return best;
        }
        if self.moves_of(discs.other, discs.mine) == 0 {
            return self.result(discs.mine, discs.other);
        }
        -self.last_few(discs.pass(), odd, left, 1 - target, nodes)
    }

    /// `moves` are the cells that the player can move to.
    fn last_sorted(
        &self,
        discs: Discs,
        moves: u64,
        odd: u64,
        left: u32,
        target: i32,
        nodes: &mut u64,
    ) -> i32 {
        *nodes += 1;
        if moves == 0 {
            let moves = self.moves_of(discs.other, discs.mine);
            if moves == 0 {
                return self.result(discs.mine, discs.other);
            }
            return -self.last_sorted(discs.pass(), moves, odd, left, 1 - target, nodes);
        }
        let free = self.board & !(discs.mine | discs.other);
        let mut list = [(0i32, 0, discs, 0u64); 16];
        let mut count = 0;
        let mut cells = moves;
        while cells != 0 {
            let cell = cells.trailing_zeros();
            cells &= cells - 1;
            let Some(next) = discs.play(cell) else { continue };
            let answers = self.moves_of(next.mine, next.other);
            let mut weight =
                8 * answers.count_ones() as i32 + 16 * (answers & self.corners).count_ones() as i32;
            if odd >> cell & 1 == 0 {
                weight += 2;
            }
            if left >= WIDE {
                weight += 3 * (around(next.other) & free & !(1 << cell)).count_ones() as i32;
                if self.corners >> cell & 1 == 1 {
                    weight -= 20;
                }
            }
            let mut at = count;
            while at > 0 && list[at - 1].0 > weight {
                list[at] = list[at - 1];
                at -= 1;
            }
            list[at] = (weight, cell, next, answers);
            count += 1;
        }
        let mut best = i32::MIN;
        for &(_, cell, next, answers) in &list[..count] {
            let odd = odd ^ self.quarter_of(cell);
            let value = if left > SORTED {
                -self.last_sorted(next, answers, odd, left - 1, 1 - target, nodes)
            } else {
                -self.last_few(next, odd, left - 1, 1 - target, nodes)
            };
            best = best.max(value);
            if best >= target {
                return best;
            }
        }
        best
    }

    fn last_two(&self, discs: Discs, cells: [u32; 2], target: i32, nodes: &mut u64) -> i32 {
        *nodes += 1;
        let mut best = i32::MIN;
        for (cell, other) in [(cells[0], cells[1]), (cells[1], cells[0])] {
            if let Some(next) = discs.play(cell) {
                *nodes += 1;
                best = best.max(-self.last_one(next, other));
                if best >= target {
                    return best;
                }
            }
        }
        if best > i32::MIN {
            return best;
        }
        if cells.iter().all(|&cell| discs.pass().play(cell).is_none()) {
            return self.result(discs.mine, discs.other);
        }
        -self.last_two(discs.pass(), cells, 1 - target, nodes)
    }

    /// One free cell: who can takes it.
    #[inline]
    fn last_one(&self, Discs { mine, other }: Discs, cell: u32) -> i32 {
        let near = NEAR[cell as usize & 63];
        let all = (self.side * self.side) as i32;
        if near & other != 0 {
            let turned = flips(mine, other, cell);
            if turned != 0 {
                return 2 * (mine | turned).count_ones() as i32 + 2 - all;
            }
        }
        if near & mine != 0 {
            let turned = flips(other, mine, cell);
            if turned != 0 {
                return 2 * (mine & !turned).count_ones() as i32 - all;
            }
        }
        self.result(mine, other)
    }

    /// The quarter of the board that holds the cell.
    #[inline]
    fn quarter_of(&self, cell: u32) -> u64 {
        let half = self.side as u32 / 2;
        self.quarters[usize::from(cell % 8 >= half) + 2 * usize::from(cell / 8 >= half)]
    }
}

/// The neighbours of each cell.
static NEAR: [u64; 64] = near();

const fn near() -> [u64; 64] {
    let mut near = [0; 64];
    let mut cell = 0;
    while cell < 64 {
        near[cell] = around(1 << cell) & !(1 << cell);
        cell += 1;
    }
    near
}
