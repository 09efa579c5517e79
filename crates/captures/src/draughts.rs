//! English draughts (checkers), and its endings with few men.
//!
//! * 8x8, on the dark squares, of which a1 is one. A man steps slanting forwards to a free square, a king in all four slanting
//!   directions. A man of the other is taken by a jump over it to the free square behind; taking is forced, with any choice,
//!   and goes on to the end of the jumps; a man that reaches the last row becomes a king and stops there. Who has no man or no
//!   move loses; endless play is a draw.
//! * Position: the rows from the top, `x` and `X` man and king of player one, who goes up, `o` and `O` of player two, then the
//!   turn; moves `c3-d4`, `c3xe5xg7`; those of PDN are read.
//!
//! A position is seen by the player to move, who goes up. Tiers are the numbers of men and kings of either player, whoever is
//! to move. Square 0 is a1, and the squares rise row by row.
//!
//! Source of the counts: J. Schaeffer and others, "Building the checkers 10-piece endgame databases", 2003.

use std::ops::Range;

use grundy_core::game::{Flow, Game, Indexed, MORE, Player, Scored};
use grundy_core::grid::Grid;
use grundy_core::rank::{Subsets, compress, expand};
use grundy_core::sorting;
use grundy_core::value::{Step, Value};
use grundy_tables::tiers::{Exit, Tier, Tiered};

use crate::field::cells;

mod guess;
mod notation;

const GRID: Grid = Grid { columns: 8, rows: 8 };
/// Squares of the board, and squares where a man can stand.
const SQUARES: usize = 32;
const MEN: usize = 28;
/// The last row.
const LAST: u32 = 0xf000_0000;
/// No square.
const NONE: u8 = u8::MAX;
/// Men of the whole game, and those of its positions that have an index.
pub const WHOLE: usize = 24;
const WHOLE_INDEXED: usize = 4;
/// The bits of a move that count its jumps, and the first bit of the directions.
const JUMPS: u32 = 15 << 5;
const WAYS: u32 = 9;
/// Directions in which a man goes; the other two are backwards.
const FORWARDS: Range<usize> = 0..2;
const ALL: Range<usize> = 0..4;

/// Men and kings of a player.
type Side = (usize, usize);

/// The positions with given men and kings of the mover and of the other.
#[derive(Clone, Debug)]
struct Half {
    sides: [Side; 2],
    first: u64,
    size: u64,
}

/// The rules of the whole game, or of endings with at most some number of men.
#[derive(Clone, Debug)]
pub struct Draughts {
    /// Maximum number of men and kings on the board.
    most: usize,
    /// Maximum number of men and kings of a position with an index.
    indexed: usize,
    subsets: Subsets,
    /// The neighbour of each square in each direction: up right, up left, down right, down left.
    steps: [[u8; 4]; SQUARES],
    halves: Vec<Half>,
    /// The halves of each tier.
    tiers: Vec<Range<usize>>,
    /// The half of each pair of sides.
    places: Vec<usize>,
}

/// The men on the board, seen by the player to move, who goes up: his and those of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    men: [u32; 2],
    kings: [u32; 2],
    turn: Player,
}

/// A move: its first square, the number of its jumps (4 bits), and two bits for the direction of each jump, or of the step.
/// Squares are seen by the player who moves. A king takes at most 9 men in a move: the squares that it can reach by jumps are 8,
/// with 9 pairs of neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move(u32);

impl Move {
    /// Returns the number of jumps.
    fn jumps(self) -> u32 {
        (self.0 & JUMPS) >> 5
    }
}

impl Position {
    fn own(&self) -> u32 {
        self.men[0] | self.kings[0]
    }

    fn other(&self) -> u32 {
        self.men[1] | self.kings[1]
    }

    /// Returns the board seen by the other player, who is to move then.
    #[inline]
    fn turned(&self) -> Position {
        let seen = |sets: [u32; 2]| [sets[1].reverse_bits(), sets[0].reverse_bits()];
        Position { men: seen(self.men), kings: seen(self.kings), turn: !self.turn }
    }

    fn count(&self) -> usize {
        (self.own() | self.other()).count_ones() as usize
    }

    fn sides(&self) -> [Side; 2] {
        [0, 1].map(|side| (self.men[side].count_ones() as usize, self.kings[side].count_ones() as usize))
    }
}

/// Returns the grid's cell of a square seen by a player.
fn cell(square: usize, turn: Player) -> usize {
    let square = if turn == Player::One { square } else { SQUARES - 1 - square };
    let row = square / 4;
    GRID.cell(2 * (square % 4) + row % 2, 7 - row)
}

impl Draughts {
    /// Returns the endings with at most `most` men and kings together, or with [`WHOLE`] the whole game. It starts with all as
    /// men, half of them each, player one's in the first rows from the left and player two's in the last rows from the right.
    ///
    /// # Errors
    /// There are not 2 to 6 or 24 men.
    pub fn new(most: usize) -> Result<Draughts, String> {
        let indexed = if most == WHOLE { WHOLE_INDEXED } else { most };
        if !(2..=6).contains(&indexed) {
            return Err(format!("{most} men: expected 2men to 6men, or 24men"));
        }
        let subsets = Subsets::new(SQUARES);
        let mut steps = [[NONE; 4]; SQUARES];
        for (square, steps) in steps.iter_mut().enumerate() {
            let (row, column) = ((square / 4) as i32, (2 * (square % 4) + square / 4 % 2) as i32);
            for (step, (right, up)) in steps.iter_mut().zip([(1, 1), (-1, 1), (1, -1), (-1, -1)]) {
                let (row, column) = (row + up, column + right);
                if (0..8).contains(&row) && (0..8).contains(&column) {
                    *step = (row * 4 + column / 2) as u8;
                }
            }
        }
        let sides: Vec<Side> =
            (0..=indexed).flat_map(|men| (0..=indexed - men).map(move |kings| (men, kings))).collect();
        let count = |side: Side| side.0 + side.1;
        let mut pairs: Vec<[Side; 2]> = Vec::new();
        for (at, &one) in sides.iter().enumerate() {
            let fits = |two: &&Side| (1..=indexed).contains(&(count(one) + count(**two)));
            pairs.extend(sides[..=at].iter().filter(fits).map(|&two| [one, two]));
        }
        // Men are taken, or become kings.
        sorting::sort_by_key(&mut pairs, |&[one, two]| (count(one) + count(two), one.0 + two.0, one, two));
        let (mut halves, mut tiers) = (Vec::new(), Vec::new());
        let mut places = vec![usize::MAX; (indexed + 1).pow(4)];
        let mut first = 0;
        for [one, two] in pairs {
            let begin = halves.len();
            for sides in [[one, two], [two, one]].into_iter().take(1 + usize::from(one != two)) {
                let free = SQUARES - one.0 - two.0;
                let kings = subsets.choose(free, sides[0].1) * subsets.choose(free - sides[0].1, sides[1].1);
                let size = subsets.choose(MEN, one.0) * subsets.choose(MEN, two.0) * kings;
                places[place(indexed, sides)] = halves.len();
                halves.push(Half { sides, first, size });
                first += size;
            }
            tiers.push(begin..halves.len());
        }
        Ok(Draughts { most, indexed, subsets, steps, halves, tiers, places })
    }

    /// Returns the maximum number of men and kings of a position with an index.
    pub fn indexed(&self) -> usize {
        self.indexed
    }

    #[inline]
    fn step(&self, square: usize, way: usize) -> Option<usize> {
        let next = self.steps[square][way];
        (next != NONE).then_some(usize::from(next))
    }

    fn half(&self, sides: [Side; 2]) -> &Half {
        &self.halves[self.places[place(self.indexed, sides)]]
    }

    fn tier(&self, sides: [Side; 2]) -> usize {
        let at = self.places[place(self.indexed, sides)];
        self.tiers.partition_point(|halves| halves.end <= at)
    }

    /// Visits the jumps of a man from a square: direction, the man jumped over, the square behind.
    #[inline]
    fn jumps(
        &self,
        from: usize,
        king: bool,
        other: u32,
        free: u32,
    ) -> impl Iterator<Item = (usize, usize, usize)> {
        let ways = if king { ALL } else { FORWARDS };
        ways.filter_map(move |way| {
            let over = self.step(from, way).filter(|&over| other >> over & 1 == 1)?;
            let to = self.step(over, way).filter(|&to| free >> to & 1 == 1)?;
            Some((way, over, to))
        })
    }

    /// Reports whether the player to move can take.
    #[inline]
    fn takes(&self, position: &Position) -> bool {
        let (own, other) = (position.own(), position.other());
        let free = !(own | other);
        cells(own)
            .any(|from| self.jumps(from, position.kings[0] >> from & 1 == 1, other, free).next().is_some())
    }

    /// Visits the ends of the jumps of one man; `word` is the move so far.
    fn take_on(
        &self,
        at: usize,
        king: bool,
        (other, free): (u32, u32),
        (word, count): (u32, u32),
        visit: &mut dyn FnMut(Move) -> Flow,
    ) -> Flow {
        let crowned = !king && LAST >> at & 1 == 1;
        let mut ends = true;
        if !crowned {
            for (way, over, to) in self.jumps(at, king, other, free) {
                ends = false;
                let next = word | (way as u32) << (WAYS + 2 * count);
                self.take_on(to, king, (other & !(1 << over), free), (next, count + 1), visit)?;
            }
        }
        if ends && count > 0 { visit(Move(word | count << 5)) } else { MORE }
    }

    /// Visits the steps of the player to move, who cannot take: from, direction, to.
    #[inline]
    fn quiet(&self, position: &Position) -> impl Iterator<Item = (usize, usize, usize)> {
        let free = !(position.own() | position.other());
        let kings = position.kings[0];
        cells(position.own()).flat_map(move |from| {
            let ways = if kings >> from & 1 == 1 { ALL } else { FORWARDS };
            ways.filter_map(move |way| {
                let to = self.step(from, way).filter(|&to| free >> to & 1 == 1)?;
                Some((from, way, to))
            })
        })
    }

    /// Visits the squares that a move passes, its first one included, and the men that it takes.
    fn path(&self, m: Move) -> impl Iterator<Item = (usize, Option<usize>)> {
        let count = m.jumps();
        let mut at = (m.0 & 31) as usize;
        let rest = (0..count.max(1)).map_while(move |i| {
            let way = (m.0 >> (WAYS + 2 * i) & 3) as usize;
            let next = self.step(at, way)?;
            if count == 0 {
                return Some((next, None));
            }
            at = self.step(next, way)?;
            Some((at, Some(next)))
        });
        std::iter::once(((m.0 & 31) as usize, None)).chain(rest)
    }
}

/// Returns the index of a pair of sides in [`Draughts::places`].
fn place(indexed: usize, sides: [Side; 2]) -> usize {
    let counts = [sides[0].0, sides[0].1, sides[1].0, sides[1].1];
    counts.into_iter().fold(0, |place, count| place * (indexed + 1) + count)
}

impl Game for Draughts {
    type Position = Position;
    type Move = Move;

    fn start(&self) -> Position {
        let (one, two) = (self.most.div_ceil(2), self.most / 2);
        let men = [(1 << one) - 1, ((1u32 << two) - 1).reverse_bits()];
        Position { men, kings: [0, 0], turn: Player::One }
    }

    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    fn over(&self, position: &Position) -> Option<Value> {
        if position.other() == 0 {
            return Some(Value::win_in(0));
        }
        let stuck = self.quiet(position).next().is_none() && !self.takes(position);
        stuck.then_some(Value::loss_in(0))
    }

    fn moves(&self, position: &Position, visit: &mut impl FnMut(Move) -> Flow) -> Flow {
        let (own, other) = (position.own(), position.other());
        if self.takes(position) {
            for from in cells(own) {
                let free = !(own | other) | 1 << from;
                let king = position.kings[0] >> from & 1 == 1;
                self.take_on(from, king, (other, free), (from as u32, 0), &mut |m| visit(m))?;
            }
            return MORE;
        }
        self.quiet(position).try_for_each(|(from, way, _)| visit(Move(from as u32 | (way as u32) << WAYS)))
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        let mut next = *position;
        let (mut at, mut taken) = (0, 0);
        for (square, over) in self.path(m) {
            at = square;
            taken |= over.map_or(0, |over| 1u32 << over);
        }
        let (from, to) = (1u32 << (m.0 & 31), 1u32 << at);
        if next.kings[0] & from != 0 {
            next.kings[0] = next.kings[0] & !from | to;
        } else {
            next.men[0] &= !from;
            let crowned = LAST & to != 0;
            next.kings[0] |= if crowned { to } else { 0 };
            next.men[0] |= if crowned { 0 } else { to };
        }
        next.men[1] &= !taken;
        next.kings[1] &= !taken;
        next.turned()
    }

    /// The board is seen by the player to move.
    fn essence(&self, position: &Position) -> Position {
        Position { turn: Player::One, ..*position }
    }
}

impl Scored for Draughts {}

impl Indexed for Draughts {
    fn size(&self) -> u64 {
        self.halves.last().map_or(0, |half| half.first + half.size)
    }

    fn index(&self, position: &Position) -> u64 {
        if position.count() > self.indexed {
            return u64::MAX;
        }
        let [own, other] = position.men.map(u64::from);
        let sides = position.sides();
        let free = 0xffff_ffff & !(own | other);
        let kings = position.kings.map(u64::from);
        let left = free & !kings[0];
        let count = free.count_ones() as usize;
        let ranks = [own, other >> 4, compress(kings[0], free), compress(kings[1], left)]
            .map(|set| self.subsets.rank(set));
        let sizes = [
            self.subsets.choose(MEN, sides[1].0),
            self.subsets.choose(count, sides[0].1),
            self.subsets.choose(count - sides[0].1, sides[1].1),
        ];
        let within = ((ranks[0] * sizes[0] + ranks[1]) * sizes[1] + ranks[2]) * sizes[2] + ranks[3];
        self.half(sides).first + within
    }

    fn position(&self, index: u64) -> Option<Position> {
        let at = self.halves.partition_point(|half| half.first + half.size <= index);
        let half = self.halves.get(at)?;
        let [(men, kings), (other_men, other_kings)] = half.sides;
        let count = SQUARES - men - other_men;
        let mut rest = index - half.first;
        let mut next = |n: usize, k: usize| {
            let size = self.subsets.choose(n, k);
            let rank = rest % size;
            rest /= size;
            self.subsets.subset(rank, k)
        };
        let (fourth, third) = (next(count - kings, other_kings), next(count, kings));
        let (second, first) = (next(MEN, other_men) << 4, next(MEN, men));
        if first & second != 0 {
            return None;
        }
        let free = 0xffff_ffff & !(first | second);
        let own_kings = expand(third, free);
        let other_kings = expand(fourth, free & !own_kings);
        let kings = [own_kings as u32, other_kings as u32];
        Some(Position { men: [first as u32, second as u32], kings, turn: Player::One })
    }
}

impl Tiered for Draughts {
    fn tiers(&self) -> Vec<Tier> {
        let tier = |halves: &Range<usize>| {
            let halves = &self.halves[halves.clone()];
            let name = |half: &Half| {
                let side = |(men, kings): Side| format!("{men}m{kings}k");
                format!("{}-{}", side(half.sides[0]), side(half.sides[1]))
            };
            let end = |half: &Half| half.first + half.size;
            let sections: Vec<_> = halves.iter().map(|half| (name(half), half.first..end(half))).collect();
            let numbers = halves[0].first..end(&halves[halves.len() - 1]);
            Tier { name: sections[0].0.clone(), numbers, leaves: true, stays: true, sections }
        };
        self.tiers.iter().map(tier).collect()
    }

    fn exits(&self, tier: usize) -> Vec<usize> {
        let mut exits = Vec::new();
        for half in &self.halves[self.tiers[tier].clone()] {
            let [(men, kings), (other_men, other_kings)] = half.sides;
            let crowned = men.checked_sub(1).map(|men| (men, kings + 1));
            for own in std::iter::once((men, kings)).chain(crowned) {
                for left in (0..=other_men).flat_map(|men| (0..=other_kings).map(move |kings| (men, kings))) {
                    // Without a man left the game is over.
                    if left != (0, 0) && men + kings > 0 {
                        exits.push(self.tier([left, own]));
                    }
                }
            }
        }
        sorting::sort(&mut exits);
        exits.dedup();
        exits.retain(|&exit| exit != tier);
        exits
    }

    fn predecessors_within(&self, position: &Position, visit: &mut impl FnMut(u64, bool)) {
        let (own, other) = (position.own(), position.other());
        if own == 0 || other == 0 {
            return;
        }
        let free = !(own | other);
        for to in cells(other) {
            let king = position.kings[1] >> to & 1 == 1;
            // The other's men go down: they came from above.
            let ways = if king { ALL } else { FORWARDS };
            for from in ways.filter_map(|way| self.step(to, way)) {
                if free >> from & 1 == 0 {
                    continue;
                }
                let mut before = *position;
                let set = if king { &mut before.kings[1] } else { &mut before.men[1] };
                *set = *set & !(1 << to) | 1 << from;
                let before = before.turned();
                // Whoever can take must.
                if !self.takes(&before) {
                    visit(self.index(&before), true);
                }
            }
        }
    }

    fn staying(&self, position: &Position) -> Option<u32> {
        if self.takes(position) {
            return Some(0);
        }
        let stays = |&(from, _, to): &(usize, usize, usize)| {
            position.kings[0] >> from & 1 == 1 || LAST >> to & 1 == 0
        };
        Some(self.quiet(position).filter(stays).count() as u32)
    }

    fn leave(&self, position: &Position, visit: &mut impl FnMut(Exit)) {
        let mut leaves = |m: Move| {
            let child = self.play(position, m);
            match child.own() {
                0 => visit(Exit::Ends(Value::win_in(1))),
                _ => visit(Exit::To(self.index(&child), Step::PASSED)),
            }
        };
        if self.takes(position) {
            let _ = self.moves(position, &mut |m| {
                leaves(m);
                MORE
            });
            return;
        }
        for (from, way, to) in self.quiet(position) {
            if position.men[0] >> from & 1 == 1 && LAST >> to & 1 == 1 {
                leaves(Move(from as u32 | (way as u32) << WAYS));
            }
        }
    }
}
