//! The last plies of Quarto: who wins within a number of plies, by a depth-first search over the lines.
//!
//! A piece that wins on some cell is never handed over where another is left, so a position is decided by the *safe* pieces: those
//! with no property that a line of three, whose fourth cell is free, wants. Each line has the properties that its pieces
//! share; putting a piece changes those through its cell. Cells after which the other player has few safe pieces come first.

use std::array;

use grundy_core::bits::indices;

/// At most this many lines: ten, and nine squares of 2x2.
const LINES: usize = 19;

/// The lines of the board.
#[derive(Clone, Debug)]
pub struct Endings {
    /// The cells of each line.
    lines: [u16; LINES],
    /// The lines through each cell.
    through: [u32; 16],
    /// The pieces that have none of a set of properties.
    without: [u16; 256],
}

/// A board, and the pieces that are not on it.
#[derive(Clone, Copy, Debug)]
pub struct State {
    taken: u16,
    /// The pieces left.
    left: u16,
    /// The lower and the upper bit of the number of pieces in each line; four are counted as none.
    counts: [u32; 2],
    /// The properties with which a piece on each free cell wins.
    winning: [u8; 16],
    /// The properties that the pieces of each line share.
    shared: [u8; LINES],
}

/// Returns a piece's side of each property, two bits a property: the lower one if it lacks it, the upper one if it has it.
const fn properties(piece: usize) -> u8 {
    let mut set = 0;
    let mut bit = 0;
    while bit < 4 {
        set |= 1 << (2 * bit + (piece >> bit & 1));
        bit += 1;
    }
    set
}

/// The properties of each piece: [`properties`].
pub const PROPERTIES: [u8; 16] = {
    let mut sets = [0; 16];
    let mut piece = 0;
    while piece < 16 {
        sets[piece] = properties(piece);
        piece += 1;
    }
    sets
};

impl Endings {
    /// Returns the endings on a board with these lines, at most [`LINES`].
    pub fn new(fours: &[u16]) -> Endings {
        let lines: [u16; LINES] = array::from_fn(|line| fours.get(line).copied().unwrap_or(0));
        let through = array::from_fn(|cell| {
            (0..LINES).filter(|&line| lines[line] >> cell & 1 == 1).fold(0, |set, line| set | 1 << line)
        });
        let without = array::from_fn(|set| {
            let lacks = |piece: &usize| usize::from(PROPERTIES[*piece]) & set == 0;
            (0..16).filter(lacks).fold(0, |pieces, piece| pieces | 1 << piece)
        });
        Endings { lines, through, without }
    }

    /// Returns the empty board.
    pub fn start(&self) -> State {
        State { taken: 0, left: 0xffff, counts: [0; 2], winning: [0; 16], shared: [0xff; LINES] }
    }

    /// Puts a piece on a free cell.
    #[inline]
    pub fn put(&self, state: &mut State, piece: usize, cell: usize) {
        let properties = PROPERTIES[piece & 15];
        let through = self.through[cell & 15];
        state.left &= !(1 << (piece & 15));
        state.taken |= 1 << (cell & 15);
        state.winning[cell & 15] = 0;
        state.counts[1] ^= state.counts[0] & through;
        state.counts[0] ^= through;
        let threes = state.counts[0] & state.counts[1];
        for line in indices(through) {
            state.shared[line] &= properties;
            if threes >> line & 1 == 1 {
                let last = (self.lines[line] & !state.taken).trailing_zeros();
                state.winning[last as usize & 15] |= state.shared[line];
            }
        }
    }

    /// Returns the pieces that have none of these properties.
    #[inline]
    pub fn without(&self, properties: u8) -> u16 {
        self.without[usize::from(properties)]
    }

    /// Reports whether the attacker wins within `plies`, of which the first puts `piece`, which does not win:
    /// the attacker puts it if `own`, else the other player. Adds the positions visited to `nodes`.
    ///
    /// `plies` may not be more than the pieces left.
    pub fn wins_within(&self, state: &State, piece: usize, own: bool, plies: u32, nodes: &mut u64) -> bool {
        // The attacker's own piece does not win, so that it takes three plies; and after a safe piece for him as many.
        if plies < if own { 3 } else { 2 } {
            return false;
        }
        *nodes += 1;
        let properties = PROPERTIES[piece & 15];
        let (mut once, mut twice) = (0, 0);
        for set in state.winning {
            twice |= once & set;
            once |= set;
        }
        let left = state.left & !(1 << (piece & 15));
        let twos = state.counts[1] & !state.counts[0];
        // The cells after which a safe piece is left, in increasing order of the number of those, with them.
        let (mut cells, mut count) = ([0u32; 16], 0);
        for cell in indices(u32::from(!state.taken)) {
            let threes = indices(twos & self.through[cell]).map(|line| state.shared[line] & properties);
            let wanted = threes.fold(once & !(state.winning[cell] & !twice), |wanted, set| wanted | set);
            let safe = self.without(wanted) & left;
            if safe == 0 {
                // Who puts the piece there must hand over one that wins.
                continue;
            }
            if !own && plies < 4 {
                return false;
            }
            let entry = safe.count_ones() << 24 | (cell as u32) << 16 | u32::from(safe);
            let mut at = count;
            while at > 0 && cells[at - 1] > entry {
                cells[at] = cells[at - 1];
                at -= 1;
            }
            cells[at] = entry;
            count += 1;
        }
        for entry in &cells[..count] {
            let mut next = *state;
            self.put(&mut next, piece, (entry >> 16 & 15) as usize);
            if indices(entry & 0xffff)
                .any(|hand| self.wins_within(&next, hand, !own, plies - 1, nodes) == own)
            {
                return own;
            }
        }
        !own
    }
}
