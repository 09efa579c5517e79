//! A null-window search without a table for positions with few free cells, with a move ordering that suits them
//! (regions with an odd number of free cells first).

use super::bits::around;
use super::geometry::Geometry;
use super::instructions::{Instructions, Plain};

/// With at least this many free cells, moves are sorted by the positions they leave the other player.
const SORTED: u32 = 6;
/// With at least this many, they are sorted by potential mobility too.
const WIDE: u32 = 8;

/// The discs of the player to move, and the other's.
#[derive(Clone, Copy)]
pub(super) struct Discs {
    pub mine: u64,
    pub other: u64,
}

/// A null-window query of a position with few free cells: does its value reach `target`?
#[derive(Clone, Copy)]
pub(super) struct Few {
    pub discs: Discs,
    /// The quarters of the board with an odd number of free cells: it is good to move last in each.
    pub odd: u64,
    /// Number of free cells.
    pub left: u32,
    pub target: i32,
}

/// The same with more free cells; `moves` are the moves of the player.
#[derive(Clone, Copy)]
pub(super) struct Sorted {
    pub few: Few,
    pub moves: u64,
}

/// The recursion of [`few`] and [`sorted`], each compiled as a function of its own for these instructions.
pub(super) trait Calls: Instructions {
    /// See [`few`].
    fn few(self, board: &Geometry, ask: Few, nodes: &mut u64) -> i32;
    /// See [`sorted`].
    fn sorted(self, board: &Geometry, ask: Sorted, nodes: &mut u64) -> i32;
}

impl Calls for Plain {
    fn few(self, board: &Geometry, ask: Few, nodes: &mut u64) -> i32 {
        few(self, board, ask, nodes)
    }
    fn sorted(self, board: &Geometry, ask: Sorted, nodes: &mut u64) -> i32 {
        sorted(self, board, ask, nodes)
    }
}

impl Discs {
    /// Returns the discs after a move to this cell; `None` if it turns over nothing.
    #[inline(always)]
    fn play<I: Instructions>(self, isa: I, cell: u32) -> Option<Discs> {
        if NEAR[cell as usize & 63] & self.other == 0 {
            return None;
        }
        let turned = isa.flips(self.mine, self.other, cell);
        (turned != 0).then_some(self.turn_over(turned, cell))
    }

    /// Returns the discs after a move to this cell that turns over these discs.
    #[inline(always)]
    fn turn_over(self, turned: u64, cell: u32) -> Discs {
        Discs { mine: self.other ^ turned, other: self.mine ^ turned | 1 << cell }
    }

    #[inline(always)]
    fn pass(self) -> Discs {
        Discs { mine: self.other, other: self.mine }
    }
}

/// Returns a bound of the final difference for the first player, who is to move, that decides whether it reaches
/// `target`. `left` is the number of free cells.
#[inline(always)]
pub(super) fn last<I: Calls>(
    isa: I,
    board: &Geometry,
    discs: Discs,
    moves: u64,
    left: u32,
    target: i32,
    nodes: &mut u64,
) -> i32 {
    let few = Few { discs, odd: board.odd(board.cells & !(discs.mine | discs.other)), left, target };
    match left {
        SORTED.. => isa.sorted(board, Sorted { few, moves }, nodes),
        _ => isa.few(board, few, nodes),
    }
}

/// Searches few cells: moves are ordered by the parity of the quarters only.
#[inline(always)]
pub(super) fn few<I: Calls>(isa: I, board: &Geometry, ask: Few, nodes: &mut u64) -> i32 {
    let Few { discs, odd, left, target } = ask;
    let free = board.cells & !(discs.mine | discs.other);
    match left {
        0 => {
            *nodes += 1;
            return board.result(discs.mine, discs.other);
        }
        1 => {
            *nodes += 1;
            return last_one(isa, board, discs, free.trailing_zeros());
        }
        2 => {
            let cells = [free.trailing_zeros(), 63 - free.leading_zeros()];
            return last_two(isa, board, discs, cells, target, nodes);
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
            let Some(next) = discs.play(isa, cell) else { continue };
            let odd = odd ^ board.quarter_of(cell);
            let ask = Few { discs: next, odd, left: left - 1, target: 1 - target };
            best = best.max(-isa.few(board, ask, nodes));
            if best >= target {
                return best;
            }
        }
    }
    if best > i32::MIN {
        return best;
    }
    if isa.moves_on(board, discs.other, discs.mine) == 0 {
        return board.result(discs.mine, discs.other);
    }
    -isa.few(board, Few { discs: discs.pass(), target: 1 - target, ..ask }, nodes)
}

/// Searches more cells: moves are ordered by the positions they leave the other.
#[inline(always)]
pub(super) fn sorted<I: Calls>(isa: I, board: &Geometry, ask: Sorted, nodes: &mut u64) -> i32 {
    let Few { discs, odd, left, target } = ask.few;
    *nodes += 1;
    if ask.moves == 0 {
        let moves = isa.moves_on(board, discs.other, discs.mine);
        if moves == 0 {
            return board.result(discs.mine, discs.other);
        }
        let few = Few { discs: discs.pass(), target: 1 - target, ..ask.few };
        return -isa.sorted(board, Sorted { few, moves }, nodes);
    }
    let free = board.cells & !(discs.mine | discs.other);
    let mut list = [(0i32, 0, discs, 0u64); 16];
    let mut count = 0;
    let mut cells = ask.moves;
    while cells != 0 {
        let cell = cells.trailing_zeros();
        cells &= cells - 1;
        let next = discs.turn_over(isa.flips(discs.mine, discs.other, cell), cell);
        let answers = isa.moves_on(board, next.mine, next.other);
        let mut weight = 8 * answers.count_ones() as i32 + 16 * (answers & board.corners).count_ones() as i32;
        if odd >> cell & 1 == 0 {
            weight += 2;
        }
        if left >= WIDE {
            weight += 3 * (around(next.other) & free & !(1 << cell)).count_ones() as i32;
            if board.corners >> cell & 1 == 1 {
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
        let odd = odd ^ board.quarter_of(cell);
        let few = Few { discs: next, odd, left: left - 1, target: 1 - target };
        let value = if left > SORTED {
            -isa.sorted(board, Sorted { few, moves: answers }, nodes)
        } else {
            -isa.few(board, few, nodes)
        };
        best = best.max(value);
        if best >= target {
            return best;
        }
    }
    best
}

#[inline(always)]
fn last_two<I: Instructions>(
    isa: I,
    board: &Geometry,
    discs: Discs,
    cells: [u32; 2],
    target: i32,
    nodes: &mut u64,
) -> i32 {
    let mut seen = discs;
    let mut sign = 1;
    loop {
        *nodes += 1;
        let target = if sign > 0 { target } else { 1 - target };
        let mut best = i32::MIN;
        for (cell, other) in [(cells[0], cells[1]), (cells[1], cells[0])] {
            if let Some(next) = seen.play(isa, cell) {
                *nodes += 1;
                best = best.max(-last_one(isa, board, next, other));
                if best >= target {
                    break;
                }
            }
        }
        if best > i32::MIN {
            return sign * best;
        }
        if sign < 0 {
            return board.result(discs.mine, discs.other);
        }
        sign = -1;
        seen = discs.pass();
    }
}

/// Plays the last free cell: the player to move takes it if he can, else the other if he can.
#[inline(always)]
fn last_one<I: Instructions>(isa: I, board: &Geometry, discs: Discs, cell: u32) -> i32 {
    if let Some(next) = discs.play(isa, cell) {
        return 2 * next.other.count_ones() as i32 - board.size();
    }
    if let Some(next) = discs.pass().play(isa, cell) {
        return 2 * next.mine.count_ones() as i32 - board.size();
    }
    board.result(discs.mine, discs.other)
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
