//! Indices of the positions of Dobutsu shogi, and their predecessors.
//!
//! A position is seen by the player to move, and mirror images share an index: a pair of cells for the lions, and below it
//! the places of elephants, giraffes and chicks in turn. The two men of a kind are each in a hand or on a free cell, where a
//! man has an owner, and a chick may be a hen. Positions in which the player to move has his own lion on its last row have no
//! index: the game was over before, or the lion could be taken.

use grundy_core::game::{Flow, MORE, Player};
use grundy_core::sorting;
use grundy_core::value::Value;
use grundy_search::board::{BoardRules, Indices, Position};

use super::{CELLS, CHICK, Dobutsu, HEN, Kind, LAST, LION, TRIED, in_hand, kind, place_in_hand};
use crate::field::cells;

/// The kinds of which there are two men, in the order of the index, with the forms that a man on the board may have.
const KINDS: [(Kind, u64); 3] = [(2, 1), (3, 1), (CHICK, 2)];
/// Cells without the lions.
const FREE: usize = CELLS - 2;

/// Returns the number of ways in which the two men of a kind with `forms` can be placed on `free` cells, by the number of men
/// on the board.
const fn ways(free: u64, forms: u64) -> [u64; 3] {
    let states = 2 * forms;
    [3, 2 * states * free, states * states * (free * free.saturating_sub(1) / 2)]
}

/// For each kind and number of free cells: the number of ways to place the men of that kind and of those after it.
const WAYS_BELOW: [[u64; FREE + 1]; 4] = {
    let mut below = [[1; FREE + 1]; 4];
    let mut at = KINDS.len();
    while at > 0 {
        at -= 1;
        let mut free = 0;
        while free <= FREE {
            let ways = ways(free as u64, KINDS[at].1);
            below[at][free] = 0;
            let mut men = 0;
            while men <= 2 && men <= free {
                below[at][free] += ways[men] * below[at + 1][free - men];
                men += 1;
            }
            free += 1;
        }
    }
    below
};

/// Number of placings of all men but the lions.
const PLACINGS: u64 = WAYS_BELOW[0][FREE];
/// Number of pairs of cells of the lions, up to mirror images.
const PAIRS: usize = 54;
/// The cells of the lions, that of the player to move first.
const LIONS: [[u8; 2]; PAIRS] = {
    let mut pairs = [[0; 2]; PAIRS];
    let (mut count, mut own) = (0, 3);
    while own < CELLS {
        let mut other = 0;
        while other < CELLS {
            if own != other && (own % 3 == 0 || own % 3 == 1 && other % 3 < 2) {
                pairs[count] = [own as u8, other as u8];
                count += 1;
            }
            other += 1;
        }
        own += 1;
    }
    pairs
};
/// The place of each pair among the [`LIONS`], or [`PAIRS`].
const PLACES: [[u8; CELLS]; CELLS] = {
    let mut places = [[PAIRS as u8; CELLS]; CELLS];
    let mut at = 0;
    while at < PAIRS {
        places[LIONS[at][0] as usize][LIONS[at][1] as usize] = at as u8;
        at += 1;
    }
    places
};

/// The men of a position, seen by the player to move.
#[derive(Clone, Copy)]
struct View {
    own: u16,
    /// The cells of the men of each kind.
    kinds: [u16; 6],
    /// The numbers of men in the hand of the player to move, by kind.
    hand: [u64; 4],
}

/// Returns the mirror image of a set of cells.
const fn mirrored(set: u16) -> u16 {
    (set & 0o1111) << 2 | set & 0o2222 | (set & 0o4444) >> 2
}

impl View {
    fn of(position: &Position) -> View {
        let mut kinds = [0u16; 6];
        cells(position.taken()).for_each(|cell| kinds[kind(position, cell) as usize] |= 1 << cell);
        let hand = [0, 1, 2, 3].map(|kind| match kind {
            0 => 0,
            kind => in_hand(position, position.turn, kind),
        });
        let view = View { own: position.own() as u16, kinds, hand };
        if position.turn == Player::One { view } else { view.map(|set| set.reverse_bits() >> 4) }
    }

    #[inline]
    fn map(self, image: impl Fn(u16) -> u16) -> View {
        View { own: image(self.own), kinds: self.kinds.map(image), hand: self.hand }
    }

    /// Returns the index of this image; `None` if its lions are none of the pairs.
    #[inline]
    fn index(&self) -> Option<u64> {
        let lions = self.kinds[LION as usize];
        let (own, other) = (lions & self.own, lions & !self.own);
        let places = PLACES.get(own.trailing_zeros() as usize)?;
        let place = *places.get(other.trailing_zeros() as usize)?;
        let mut free = ((1u16 << CELLS) - 1) & !lions;
        let mut number = u64::from(place) * PLACINGS;
        for (at, &(kind, forms)) in KINDS.iter().enumerate() {
            let set = self.men(kind);
            let (room, men, states) = (free.count_ones() as usize, set.count_ones() as usize, 2 * forms);
            let state = |cell: u16| {
                let other = u64::from(self.own & cell == 0);
                other * forms + u64::from(self.kinds[HEN as usize] & cell != 0)
            };
            let rank = |cell: u16| u64::from((free & (cell - 1)).count_ones());
            let first = set & set.wrapping_neg();
            let second = set & !first;
            let hand = self.hand[kind as usize];
            let within = match men {
                0 => hand,
                1 => (rank(first) * states + state(first)) * 2 + hand,
                _ => {
                    let pair = rank(second) * (rank(second) - 1) / 2 + rank(first);
                    (pair * states + state(first)) * states + state(second)
                }
            };
            let ways = ways(room as u64, forms);
            let before: u64 = (0..men).map(|men| ways[men] * WAYS_BELOW[at + 1][room - men]).sum();
            number += before + within * WAYS_BELOW[at + 1][room - men];
            free &= !set;
        }
        (usize::from(place) < PAIRS).then_some(number)
    }

    /// Returns the cells of the men of a kind, for chicks with those of the hens.
    #[inline]
    fn men(&self, kind: Kind) -> u16 {
        self.kinds[kind as usize] | if kind == CHICK { self.kinds[HEN as usize] } else { 0 }
    }
}

/// Returns the cell of a set that has `rank` lower cells in it.
fn nth(mut set: u16, rank: u64) -> usize {
    for _ in 0..rank {
        set &= set - 1;
    }
    set.trailing_zeros() as usize
}

impl Dobutsu {
    /// Reports whether the position has a lion that has safely reached its last row, as the rules say after a try.
    fn has_tried(&self, position: &Position) -> bool {
        let lion = Dobutsu::lion(position, !position.turn);
        lion & LAST[1 - position.turn.index()] != 0 && !self.takes(position)
    }

    /// Visits the positions that follow from `position` and in which the lion of the player who has moved is safe.
    fn safe(&self, position: &Position, visit: &mut dyn FnMut(&Position) -> Flow) -> Flow {
        self.moves(position, &mut |m| {
            let child = self.play(position, m);
            if self.takes(&child) { MORE } else { visit(&child) }
        })
    }
}

impl Indices for Dobutsu {
    fn size(&self) -> u64 {
        PAIRS as u64 * PLACINGS
    }

    #[inline]
    fn number(&self, position: &Position) -> Option<u64> {
        let view = View::of(position);
        let complete = KINDS.iter().all(|&(kind, _)| {
            let hands = in_hand(position, Player::One, kind) + in_hand(position, Player::Two, kind);
            u64::from(view.men(kind).count_ones()) + hands == 2
        });
        let tried = position.rest & TRIED != 0;
        let tries = Dobutsu::lion(position, !position.turn) & LAST[1 - position.turn.index()] != 0;
        if !complete || (tried || tries) && tried != self.has_tried(position) {
            return None;
        }
        let middle = view.kinds[LION as usize] & !0o2222 == 0;
        match view.index() {
            Some(number) if middle => Some(view.map(mirrored).index()?.min(number)),
            None => view.map(mirrored).index(),
            number => number,
        }
    }

    fn position(&self, number: u64) -> Option<Position> {
        let [own, other] = LIONS.get((number / PLACINGS) as usize)?.map(usize::from);
        let lion = |cell: usize| LION << (3 * cell);
        let mut position =
            Position { men: [1 << own, 1 << other], rest: lion(own) | lion(other), turn: Player::One };
        let mut rest = number % PLACINGS;
        for (at, &(kind, forms)) in KINDS.iter().enumerate() {
            let free = ((1u16 << CELLS) - 1) & !(position.taken() as u16);
            let (room, states) = (free.count_ones() as usize, 2 * forms);
            let ways = ways(room as u64, forms);
            let mut men = 0;
            while rest >= ways[men] * WAYS_BELOW[at + 1][room - men] {
                rest -= ways[men] * WAYS_BELOW[at + 1][room - men];
                men += 1;
            }
            let below = WAYS_BELOW[at + 1][room - men];
            let within = rest / below;
            rest %= below;
            let mut put = |rank: u64, state: u64| {
                let cell = nth(free, rank);
                let kind = if state % forms == 1 { HEN } else { kind };
                position.men[(state / forms) as usize] |= 1 << cell;
                position.rest |= kind << (3 * cell);
            };
            let hands = match men {
                0 => [within, 2 - within],
                1 => {
                    put(within / 2 / states, within / 2 % states);
                    [within % 2, 1 - within % 2]
                }
                _ => {
                    let pair = within / states / states;
                    let second = (1..room as u64).rfind(|second| second * (second - 1) / 2 <= pair)?;
                    put(pair - second * (second - 1) / 2, within / states % states);
                    put(second, within % states);
                    [0, 0]
                }
            };
            for (player, hand) in [Player::One, Player::Two].into_iter().zip(hands) {
                position.rest |= hand << place_in_hand(player, kind);
            }
        }
        if self.has_tried(&position) {
            position.rest |= TRIED;
        }
        // Of mirror images with both lions in the middle column one has the index.
        let middle = own % 3 == 1 && other % 3 == 1;
        (!middle || self.number(&position) == Some(number)).then_some(position)
    }

    fn checksum(&self) -> u64 {
        BoardRules::checksum(self)
    }

    /// A player who can take the lion wins at once.
    fn settled(&self, position: &Position) -> Option<Value> {
        self.over(position).or_else(|| self.takes(position).then_some(Value::win_in(1)))
    }

    /// Counts the children in which the lion is safe.
    fn child_count(&self, position: &Position) -> Option<u32> {
        let mut children = Vec::with_capacity(64);
        let _ = self.safe(position, &mut |child| {
            children.extend(self.number(child));
            MORE
        });
        sorting::sort(&mut children);
        children.dedup();
        Some(children.len() as u32)
    }

    fn predecessors(&self, position: &Position, visit: &mut dyn FnMut(Position)) {
        if self.takes(position) {
            return;
        }
        let (mover, free) = (!position.turn, self.field.all & !position.taken());
        let last = LAST[mover.index()];
        let tried = position.rest & TRIED != 0;
        let clear = |cell: usize| position.rest & !(7 << (3 * cell)) & !TRIED;
        let back = |own: u64, other: u64, rest: u64| {
            let men = if mover == Player::One { [own, other] } else { [other, own] };
            Position { men, rest, turn: mover }
        };
        for to in cells(position.other()) {
            let (now, without) = (kind(position, to), position.other() & !(1 << to));
            // After a try the lion has moved last.
            if tried && now != LION {
                continue;
            }
            if (CHICK..HEN).contains(&now) {
                let dropped = clear(to) + (1 << place_in_hand(mover, now));
                visit(back(without, position.own(), dropped));
            }
            let promoted = now == HEN && last >> to & 1 == 1;
            for was in [now, CHICK].into_iter().take(1 + usize::from(promoted)) {
                // A chick does not stay one on the last row.
                if was == CHICK && now == CHICK && last >> to & 1 == 1 {
                    continue;
                }
                // A man reaches the cells from which the other player's man of its kind attacks.
                let from = self.attacked_by(position.turn, was, to) & free;
                let from = if was == LION { from & !last } else { from };
                for from in cells(from) {
                    let own = without | 1 << from;
                    let rest = clear(to) | was << (3 * from);
                    visit(back(own, position.own(), rest));
                    for taken in CHICK..=HEN {
                        let held = if taken == HEN { CHICK } else { taken };
                        if in_hand(position, mover, held) > 0 {
                            let rest = (rest | taken << (3 * to)) - (1 << place_in_hand(mover, held));
                            visit(back(own, position.own() | 1 << to, rest));
                        }
                    }
                }
            }
        }
    }
}
