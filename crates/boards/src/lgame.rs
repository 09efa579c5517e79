//! The L-Game of Edward de Bono, as set at the Baltic Olympiad in Informatics 2002.
//!
//! * On 4x4 cells lie an L of four cells for each player (`A` and `B`, turned or mirrored as may be) and two
//!   neutral pieces of one cell (`o`).
//! * The mover lifts his L and puts it down on a different set of free cells; then he may move one neutral piece to any
//!   free cell, including those the L has left. The player who cannot move his L loses.
//! * Position `oAA./.BA./.BA./.BBo 1`, rows from the top; move `b1b2b3c3`, the L's new cells sorted by letter and
//!   number, or `b1b2b3c3:d4a1` with a neutral piece's move.
//!
//! Two plain indexings of a position are kept beside that of the table ([`LGame::absolute`], [`LGame::relative`]): both
//! Ls by their placements, and the neutral pieces by their cells, or by their ranks among the cells that the Ls leave
//! free.
//!
//! Solved by retrograde analysis. An L has 48 placements, and no symmetry of the board but the identity fixes one; so
//! the symmetry that maps the mover's L to one of 6 standard placements is unique, and after it a position is one of 82
//! pairs of Ls and one of 28 pairs of the 8 cells left for the neutral pieces: 2,296 indices.

use std::sync::LazyLock;

use grundy_core::game::{Flow, MORE, Player};
use grundy_core::grid::{CellMap, Grid};
use grundy_core::rank::{compress, expand};
use grundy_core::sorting;
use grundy_core::value::{Step, Value};
use grundy_core::words;
use grundy_search::board::{BoardRules, Indices, Layout, Move, Position};

/// Number of placements of an L on the board.
const WAYS: usize = 48;
/// Number of pairs of cells out of the eight that two Ls leave.
const PAIRS: u64 = 28;

const GRID: Grid = Grid { columns: 4, rows: 4 };

/// The rules of the L-Game. A position has the placement of each player's L, as an index into [`LGame::ways`], in the place
/// of his men, and the cells of the neutral pieces as its rest. A move is the placement of the L afterwards and a neutral
/// piece's cell before and after; equal cells if none moves.
#[derive(Clone, Copy, Debug, Default)]
pub struct LGame;

/// Precomputed tables.
struct Tables {
    /// The cells of each placement, in rising order as binary numbers.
    cells: [u16; WAYS],
    /// The symmetry that maps each placement to its standard placement.
    symmetry: [u8; WAYS],
    /// The image of each placement by each symmetry.
    image: [[u8; WAYS]; 8],
    /// The symmetries as maps of cells.
    maps: Vec<CellMap>,
    /// The index of a standard placement with the other L's placement; [`NO_PAIR`] if they overlap.
    pair: [[u8; WAYS]; WAYS],
    /// The placements of each pair, the mover's first.
    pairs: Vec<[u8; 2]>,
    /// The rank of a pair of bits in a byte.
    bits_rank: [u8; 256],
    /// The pair of bits of each rank.
    bits: Vec<u8>,
}

const NO_PAIR: u8 = u8::MAX;

static TABLES: LazyLock<Tables> = LazyLock::new(Tables::new);

impl Tables {
    fn new() -> Tables {
        let symmetries = GRID.symmetries();
        let maps: Vec<CellMap> = symmetries.iter().map(|image| CellMap::new(image)).collect();
        // A standing L at the top left, shifted to the two columns right of it, and all of these one row down: their
        // images are all placements.
        let first: u64 = 1 | 1 << 4 | 1 << 8 | 1 << 9;
        let shifted = [0, 1, 2, 4, 5, 6].map(|by| first << by);
        let mut all: Vec<u16> =
            shifted.iter().flat_map(|&l| maps.iter().map(move |map| map.apply(l) as u16)).collect();
        sorting::sort(&mut all);
        let cells: [u16; WAYS] = std::array::from_fn(|i| all[i]);
        let way = |set: u64| cells.partition_point(|&c| u64::from(c) < set) as u8;
        let image: [[u8; WAYS]; 8] =
            std::array::from_fn(|s| std::array::from_fn(|w| way(maps[s].apply(u64::from(cells[w])))));
        let least = |w: usize| (0..8).min_by_key(|&s| image[s][w]).expect("there are eight symmetries");
        let symmetry: [u8; WAYS] = std::array::from_fn(|w| least(w) as u8);
        let mut pair = [[NO_PAIR; WAYS]; WAYS];
        let mut pairs = Vec::new();
        for mover in (0..WAYS).filter(|&w| symmetry[w] == 0) {
            for other in (0..WAYS).filter(|&other| cells[mover] & cells[other] == 0) {
                pair[mover][other] = pairs.len() as u8;
                pairs.push([mover as u8, other as u8]);
            }
        }
        let bits: Vec<u8> = (0..=u8::MAX).filter(|byte| byte.count_ones() == 2).collect();
        let mut bits_rank = [0; 256];
        bits.iter().enumerate().for_each(|(rank, &byte)| bits_rank[usize::from(byte)] = rank as u8);
        Tables { cells, symmetry, image, maps, pair, pairs, bits_rank, bits }
    }

    /// Returns the index of two Ls and the neutral pieces, mapped by this symmetry, which must standardize the mover's
    /// L.
    #[inline]
    fn number(&self, symmetry: usize, mover: u64, other: u64, neutrals: u64) -> u64 {
        let [mover, other] = [mover, other].map(|way| usize::from(self.image[symmetry][way as usize]));
        let free = !(self.cells[mover] | self.cells[other]);
        let neutrals = self.maps[symmetry].apply(neutrals);
        let rank = self.bits_rank[compress(neutrals, u64::from(free)) as usize];
        u64::from(self.pair[mover][other]) * PAIRS + u64::from(rank)
    }
}

impl LGame {
    /// Returns the cells of the 48 placements of an L, in rising order as binary numbers, cell 0 at the top left.
    pub fn ways() -> &'static [u16] {
        &TABLES.cells
    }

    /// Number of indices of [`LGame::absolute`]: 48 x 48 x 16 x 16 x 2.
    pub const ABSOLUTE: u64 = (WAYS * WAYS) as u64 * 16 * 16 * 2;
    /// Number of indices of [`LGame::relative`]: 48 x 48 x 8 x 8 x 2.
    pub const RELATIVE: u64 = (WAYS * WAYS) as u64 * 8 * 8 * 2;

    /// Returns the index of a position in mixed radix: the placement of player one's L, that of player two's, the cells
    /// of the two neutral pieces (the lower first), and the mover. Neutral pieces are alike, so a second index belongs
    /// to the position, with their cells exchanged.
    pub fn absolute(position: &Position) -> u64 {
        Self::plain(position, 16, u64::from)
    }

    /// Returns the index of a position like [`LGame::absolute`], with the rank of each neutral piece among the eight
    /// cells that the two Ls leave free instead of its cell.
    pub fn relative(position: &Position) -> u64 {
        let tables = &*TABLES;
        let free = !(cells(tables, position, Player::One) | cells(tables, position, Player::Two));
        Self::plain(position, 8, |cell| u64::from((free & ((1 << cell) - 1)).count_ones()))
    }

    /// Returns the index with `base` values for a neutral piece, given by `place`.
    fn plain(position: &Position, base: u64, place: impl Fn(u8) -> u64) -> u64 {
        let mut number = position.men[0] * WAYS as u64 + position.men[1];
        let _ = each_cell(position.rest as u16, |cell| {
            number = number * base + place(cell);
            MORE
        });
        number * 2 + position.turn.index() as u64
    }

    /// Returns the position with an index of [`LGame::absolute`]; `None` if pieces would overlap.
    pub fn at_absolute(number: u64) -> Option<Position> {
        Self::at(number, 16, |_, place| 1 << place)
    }

    /// Returns the position with an index of [`LGame::relative`]; `None` if pieces would overlap.
    pub fn at_relative(number: u64) -> Option<Position> {
        Self::at(number, 8, |free, place| expand(1 << place, u64::from(free)) as u16)
    }

    /// Returns the position with an index; `cell` maps the free cells and a neutral piece's digit to the set of its
    /// cell.
    fn at(number: u64, base: u64, cell: impl Fn(u16, u64) -> u16) -> Option<Position> {
        let tables = &*TABLES;
        let turn = if number.is_multiple_of(2) { Player::One } else { Player::Two };
        let [second, first] = [number / 2 % base, number / 2 / base % base];
        let ls = number / 2 / base / base;
        let men = [ls / WAYS as u64, ls % WAYS as u64];
        let [one, two] = [*tables.cells.get(men[0] as usize)?, tables.cells[men[1] as usize]];
        let free = !(one | two);
        let neutrals = [first, second].map(|place| cell(free, place));
        let apart =
            one & two == 0 && neutrals[0] != neutrals[1] && neutrals.iter().all(|&set| set & free != 0);
        apart.then_some(Position { men, rest: u64::from(neutrals[0] | neutrals[1]), turn })
    }

    /// Returns the index of a position in the table.
    fn index(position: &Position) -> u64 {
        let (mover, tables) = (position.own(), &*TABLES);
        tables.number(tables.symmetry[mover as usize].into(), mover, position.other(), position.rest)
    }

    /// Returns the position after a move of one player's L.
    fn with(position: &Position, player: Player, way: u64, neutrals: u64) -> Position {
        let mut next = Position { rest: neutrals, turn: !position.turn, ..*position };
        next.men[player.index()] = way;
        next
    }
}

/// Returns the cells of a player's L.
#[inline]
fn cells(tables: &Tables, position: &Position, player: Player) -> u16 {
    tables.cells[position.men[player.index()] as usize]
}

/// Returns the move of an L to a placement and of a neutral piece.
#[inline]
fn to(way: usize, (from, to): (u8, u8)) -> Move {
    Move((way << 12) as u64 | Move::of(from.into(), to.into()).0)
}

/// Returns the neutral pieces' cells after a move.
#[inline]
fn moved(neutrals: u64, m: Move) -> u64 {
    if m.from() == m.to() { neutrals } else { neutrals ^ (1 << m.from() | 1 << m.to()) }
}

/// Visits the cells of a set, lowest first.
#[inline]
fn each_cell(mut set: u16, mut visit: impl FnMut(u8) -> Flow) -> Flow {
    while set != 0 {
        visit(set.trailing_zeros() as u8)?;
        set &= set - 1;
    }
    MORE
}

impl BoardRules for LGame {
    fn layout(&self) -> Layout {
        Layout { cells: 6, rest: 16, stage: 0 }
    }

    fn cyclic(&self) -> bool {
        true
    }

    fn start(&self) -> Position {
        // oAA./.BA./.BA./.BBo
        let [a, b] = [0b0100_0100_0110, 0b0110_0010_0010_0000];
        let way = |set: u16| TABLES.cells.partition_point(|&cells| cells < set) as u64;
        Position { men: [way(a), way(b)], rest: 1 | 1 << 15, turn: Player::One }
    }

    fn ended(&self, position: &Position) -> Option<Value> {
        let tables = &*TABLES;
        let taken = cells(tables, position, !position.turn) | position.rest as u16;
        let own = cells(tables, position, position.turn);
        let stuck = tables.cells.iter().all(|&cells| cells & taken != 0 || cells == own);
        stuck.then_some(Value::loss_in(0))
    }

    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        let tables = &*TABLES;
        let neutrals = position.rest as u16;
        let taken = cells(tables, position, !position.turn) | neutrals;
        let own = cells(tables, position, position.turn);
        for (way, &cells) in tables.cells.iter().enumerate() {
            if cells & taken != 0 || cells == own {
                continue;
            }
            visit(to(way, (0, 0)))?;
            each_cell(neutrals, |from| each_cell(!(taken | cells), |cell| visit(to(way, (from, cell)))))?;
        }
        MORE
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        LGame::with(position, position.turn, m.more(), moved(position.rest, m))
    }

    /// Sees the board as the mover does: his L is player one's.
    fn essence(&self, position: &Position) -> Position {
        let [one, two] = position.men;
        let men = if position.turn == Player::One { [one, two] } else { [two, one] };
        Position { men, turn: Player::One, ..*position }
    }

    /// Returns the image that an index belongs to: indices are of positions up to symmetry, the mover called player one.
    fn canonical(&self, position: &Position) -> Option<Position> {
        let image = Indices::position(self, LGame::index(position))?;
        let [mover, other] = image.men;
        let men = if position.turn == Player::One { [mover, other] } else { [other, mover] };
        Some(Position { men, rest: image.rest, turn: position.turn })
    }

    fn write_position(&self, position: &Position) -> String {
        let [a, b] = [Player::One, Player::Two].map(|player| cells(&TABLES, position, player));
        let board = GRID.write(|cell| match [a, b, position.rest as u16].map(|set| set >> cell & 1) {
            [1, _, _] => 'A',
            [_, 1, _] => 'B',
            [_, _, 1] => 'o',
            _ => '.',
        });
        format!("{board} {}", position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([board], turn) = words::fields(text, "the board's rows from the top, as oAA./.BA./.BA./.BBo,")?;
        let mut sets = [0u16; 3];
        GRID.read(board, "A, B, o and .", |cell, letter| {
            match letter {
                'A' => sets[0] |= 1 << cell,
                'B' => sets[1] |= 1 << cell,
                'o' => sets[2] |= 1 << cell,
                _ => return letter == '.',
            }
            true
        })?;
        let way = |set: u16, letter: char| {
            let found = TABLES.cells.binary_search(&set).ok();
            found
                .map(|way| way as u64)
                .ok_or_else(|| format!("the cells of {letter} are no L: expected 3 in a row and 1 at an end"))
        };
        if sets[2].count_ones() != 2 {
            return Err(format!("{} neutral pieces: expected 2, written o", sets[2].count_ones()));
        }
        Ok(Position { men: [way(sets[0], 'A')?, way(sets[1], 'B')?], rest: sets[2].into(), turn })
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        let mut squares = Vec::with_capacity(4);
        let _ = each_cell(TABLES.cells[m.more() as usize], |cell| {
            squares.push(GRID.square(usize::from(cell)));
            MORE
        });
        sorting::sort(&mut squares);
        let mut word = squares.concat();
        if m.from() != m.to() {
            word.push(':');
            word.push_str(&GRID.square(m.from()));
            word.push_str(&GRID.square(m.to()));
        }
        word
    }

    /// Reads also the L's cells in another order.
    fn read_move(&self, position: &Position, word: &str) -> Option<Move> {
        let square = |text: &str, i: usize| GRID.read_square(text.get(2 * i..2 * i + 2)?);
        let (l, neutral) = word.split_once(':').unwrap_or((word, ""));
        if l.len() != 8 || !matches!(neutral.len(), 0 | 4) || neutral.is_empty() && word.len() != 8 {
            return None;
        }
        let mut cells = 0;
        for i in 0..4 {
            cells |= 1 << square(l, i)?;
        }
        let way = TABLES.cells.binary_search(&cells).ok()?;
        let neutral =
            if neutral.is_empty() { (0, 0) } else { (square(neutral, 0)? as u8, square(neutral, 1)? as u8) };
        if word.len() != 8 && neutral.0 == neutral.1 {
            return None;
        }
        let wanted = to(way, neutral);
        let seen = self.moves(position, &mut |m| if m == wanted { Flow::Break(()) } else { MORE });
        seen.is_break().then_some(wanted)
    }

    fn indices(&self) -> Option<&dyn Indices> {
        Some(self)
    }
}

/// Positions are seen by the player to move, and symmetric images share an index.
impl Indices for LGame {
    fn size(&self) -> u64 {
        TABLES.pairs.len() as u64 * PAIRS
    }

    fn number(&self, position: &Position) -> Option<u64> {
        Some(LGame::index(position))
    }

    fn position(&self, number: u64) -> Option<Position> {
        let tables = &*TABLES;
        let ls = *tables.pairs.get(usize::try_from(number / PAIRS).ok()?)?;
        let free = !(tables.cells[usize::from(ls[0])] | tables.cells[usize::from(ls[1])]);
        let bits = tables.bits[(number % PAIRS) as usize];
        let rest = expand(u64::from(bits), u64::from(free));
        Some(Position { men: ls.map(u64::from), rest, turn: Player::One })
    }

    fn child_indices(&self, position: &Position, visit: &mut dyn FnMut(u64, Step)) {
        let tables = &*TABLES;
        // The other L does not move, so one symmetry serves all children.
        let next = position.other();
        let symmetry = usize::from(tables.symmetry[next as usize]);
        let _ = self.moves(position, &mut |m| {
            visit(tables.number(symmetry, next, m.more(), moved(position.rest, m)), Step::PASSED);
            MORE
        });
    }

    fn predecessors(&self, position: &Position, visit: &mut dyn FnMut(Position)) {
        let tables = &*TABLES;
        let mover = !position.turn;
        let own = cells(tables, position, mover);
        let other = cells(tables, position, position.turn);
        let mut before = |neutrals: u64| {
            for (way, &cells) in (0..).zip(&tables.cells) {
                if cells & (other | neutrals as u16) == 0 && cells != own {
                    visit(LGame::with(position, mover, way, neutrals));
                }
            }
            MORE
        };
        let _ = before(position.rest);
        let neutrals = position.rest as u16;
        let free = !(own | other | neutrals);
        let _ =
            each_cell(neutrals, |to| each_cell(free, |from| before(position.rest ^ (1 << from | 1 << to))));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_core::game::legal_moves;
    use grundy_search::board::BoardGame;

    #[test]
    fn the_start_has_65_moves() {
        let start = LGame.start();
        assert_eq!(LGame.write_position(&start), "oAA./.BA./.BA./.BBo 1");
        assert_eq!(legal_moves(&BoardGame::new(LGame), &start).len(), 65);
        assert!(LGame.read_move(&start, "b1b2b3c3").is_none(), "B lies there");
    }

    #[test]
    fn pieces_that_overlap_are_missing_or_are_no_l_are_refused() {
        for bad in [
            "oAA./.BA./.BA./.BB. 1",
            "oAA./.BA./.B../.BBo 1",
            "oAAA/.BA./.BA./.BBo 1",
            "oAA./.BA./BBA./.B.o 1",
            "AAAA/..../BBBo/B..o",
        ] {
            assert!(LGame.read_position(bad).is_err(), "{bad}");
        }
    }
}
