//! Gobblet Gobblers: pieces of three sizes that cover smaller ones.
//!
//! * 3x3. Each player has two pieces of each size, small, medium and large. A move puts a new piece, or moves one of one's own
//!   that is on top, onto a free cell or onto a smaller piece of either player. Three of one's own pieces seen in a row win.
//! * A piece that is lifted uncovers what is below. If that opens a line of the other, the move must break it where the
//!   piece lands; else the other has won, also if the move makes a line of one's own. Who cannot move loses; endless play is
//!   a draw.
//! * Position `-,-,-/-,sL,-/-,-,- 1`: cells joined by commas, rows from the top; a stack from the bottom, `S`, `M`, `L` player
//!   one's pieces and `s`, `m`, `l` player two's. Moves `L@b2`, `b2-c3`.
//!
//! Source: T. Denoual, Blue Orange, 2003.

use grundy_core::game::{Flow, MORE, Player};
use grundy_core::grid::{Grid, LINES_OF_THREE};
use grundy_core::value::Value;
use grundy_core::words;
use grundy_search::board::{BoardRules, Image, Indices, Layout, Move, Position, images};

use crate::field::cells;

mod index;

/// The rules of Gobblet Gobblers. A player's pieces are three boards of nine cells, the small ones first.
#[derive(Clone, Debug)]
pub struct Gobblers;

const CELLS: usize = 9;
const BOARD: u64 = (1 << CELLS) - 1;
const SIZES: usize = 3;
/// Pieces of a size that a player has.
const EACH: u32 = 2;
const GRID: Grid = Grid { columns: 3, rows: 3 };
const LETTERS: [[char; SIZES]; 2] = [['S', 'M', 'L'], ['s', 'm', 'l']];

/// Returns the cells with a player's pieces of a size.
#[inline]
const fn of_size(men: u64, size: usize) -> u64 {
    men >> (CELLS * size) & BOARD
}

/// Returns the cells with pieces of either player of a size or a larger one.
#[inline]
fn covered(position: &Position, size: usize) -> u64 {
    (size..SIZES).fold(0, |set, size| set | of_size(position.taken(), size))
}

/// Returns the cells where a player's piece of a size is on top.
#[inline]
fn on_top(position: &Position, player: Player, size: usize) -> u64 {
    of_size(position.men[player.index()], size) & !covered(position, size + 1)
}

fn has_line(position: &Position, player: Player) -> bool {
    let seen = (0..SIZES).fold(0, |set, size| set | on_top(position, player, size));
    LINES_OF_THREE.iter().any(|line| seen & line == *line)
}

impl BoardRules for Gobblers {
    fn layout(&self) -> Layout {
        Layout { cells: (CELLS * SIZES) as u32, rest: 0, stage: 4 }
    }

    fn symmetries(&self) -> Vec<Image> {
        let on_all =
            |map: &Vec<usize>| (0..CELLS * SIZES).map(|at| at / CELLS * CELLS + map[at % CELLS]).collect();
        images(&GRID.symmetries().iter().map(on_all).collect::<Vec<_>>(), 0, 0)
    }

    /// No piece leaves the board.
    fn stage(&self, position: &Position) -> u64 {
        u64::from(position.taken().count_ones())
    }

    fn cyclic(&self) -> bool {
        true
    }

    fn over(&self, position: &Position) -> Option<Value> {
        // A line of the player to move was opened by the other's move, and counts first.
        if has_line(position, position.turn) {
            return Some(Value::win_in(0));
        }
        has_line(position, !position.turn).then_some(Value::loss_in(0))
    }

    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        for size in (0..SIZES).rev() {
            let free = BOARD & !covered(position, size);
            if of_size(position.own(), size).count_ones() < EACH {
                cells(free).try_for_each(|to| visit(Move(Move::of(to, to).0 | (size as u64) << 12)))?;
            }
            for from in cells(on_top(position, position.turn, size)) {
                cells(free).try_for_each(|to| visit(Move(Move::of(from, to).0 | (size as u64) << 12)))?;
            }
        }
        MORE
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        let at = |cell: usize| 1u64 << (CELLS * m.more() as usize + cell);
        let lifted = if m.from() == m.to() { 0 } else { at(m.from()) };
        position.after(position.own() & !lifted | at(m.to()), position.other(), 0)
    }

    fn write_position(&self, position: &Position) -> String {
        let stack = |cell: usize| {
            let mut text = String::new();
            text.extend((0..SIZES).filter_map(|size| {
                let owner = (0..2).find(|&side| of_size(position.men[side], size) >> cell & 1 == 1);
                owner.map(|side| LETTERS[side][size])
            }));
            if text.is_empty() { "-".to_owned() } else { text }
        };
        let row =
            |row: usize| (0..3).map(|column| stack(GRID.cell(column, row))).collect::<Vec<_>>().join(",");
        format!("{} {}", (0..3).map(row).collect::<Vec<_>>().join("/"), position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        const EXPECTED: &str =
            "expected three rows joined by '/', each of three stacks joined by commas, as s, sL or -";
        let ([board], turn) = words::fields(text, "the rows of stacks, as -,-,-/-,sL,-/-,-,-,")?;
        let rows: Vec<Vec<&str>> = board.split('/').map(|row| row.split(',').collect()).collect();
        if rows.len() != 3 || rows.iter().any(|row| row.len() != 3) {
            return Err(EXPECTED.to_owned());
        }
        let mut men = [0u64; 2];
        for (cell, stack) in rows.into_iter().flatten().enumerate() {
            let mut least = 0;
            for letter in stack.chars().filter(|_| stack != "-") {
                let size_in = |side: usize| LETTERS[side].iter().position(|&other| other == letter);
                let found =
                    (0..2).find_map(|side| Some((side, size_in(side).filter(|&size| size >= least)?)));
                let (side, size) = found.ok_or(EXPECTED)?;
                men[side] |= 1 << (CELLS * size + cell);
                least = size + 1;
            }
            if stack.is_empty() {
                return Err(EXPECTED.to_owned());
            }
        }
        let fits = |men: &u64| (0..SIZES).all(|size| of_size(*men, size).count_ones() <= EACH);
        match men.iter().all(fits) {
            true => Ok(Position { men, rest: 0, turn }),
            false => Err(format!("too many pieces: expected at most {EACH} of a size of each player")),
        }
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        let to = GRID.square(m.to());
        match m.from() == m.to() {
            true => format!("{}@{to}", LETTERS[0][m.more() as usize]),
            false => format!("{}-{to}", GRID.square(m.from())),
        }
    }

    /// Counts the lines that each player can still make with what is seen.
    fn guess(&self, position: &Position) -> i32 {
        let score = |player: Player| {
            let seen = |player| (0..SIZES).fold(0, |set, size| set | on_top(position, player, size));
            let (own, other): (u64, u64) = (seen(player), seen(!player));
            let line = |line: &u64| match ((own & line).count_ones(), (other & line).count_ones()) {
                (own, 0) => [0, 5, 30, 0][own as usize],
                _ => 0,
            };
            LINES_OF_THREE.iter().map(line).sum::<i32>()
        };
        score(position.turn) - score(!position.turn)
    }

    fn hint(&self, _position: &Position, _m: Move, child: &Position) -> i32 {
        -self.guess(child)
    }

    fn indices(&self) -> Option<&dyn Indices> {
        Some(self)
    }
}
