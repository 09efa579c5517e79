//! Fanorona, of Madagascar: taking by approach and by withdrawal.
//!
//! * Lines along rows and columns from every point, slanting ones from the points whose row and column, counted from 0, add
//!   up to an even number. The board is full at the start but for its centre: player one's men `X` below, player two's `O`
//!   above, in the middle row by turns, outwards from the centre `X` on the left and `O` on the right.
//! * A move steps along a line to a free point. It takes, by approach, the men of the other that follow without a gap in the
//!   direction of the move, or, by withdrawal, those that follow behind the man; if both are possible the player chooses.
//! * Taking is forced where it is possible. The man that took may go on taking, never twice in the same direction running,
//!   and never to a point that it was on in this move. Who has no man or no move loses; endless play is a draw.
//! * Position `OOO/X.O/XXX 1`, rows from the top; moves `a1-b1` without taking, `b1-b2a` by approach, `b1-b2w` by
//!   withdrawal, on: `b1-b2a-c3w`.
//!
//! A table of the positions that can be reached solves boards of up to 21 points, proof numbers larger ones.
//!
//! Source: M. P. D. Schadd, M. H. M. Winands, J. W. H. M. Uiterwijk, H. J. van den Herik and M. H. J. Bergsma, "Best play in
//! Fanorona leads to draw", New Mathematics and Natural Computation 4, 2008.

use grundy_core::game::{Flow, MORE};
use grundy_core::value::Value;
use grundy_search::board::{BoardRules, Image, Layout, Move, Position, images};
use grundy_session::{CellForm, Plan, Spot};

use crate::field::{Field, STRAIGHT, cells};

/// The rules of Fanorona. A move is its first cell, the number of men-taking steps (six bits), and four bits for each step:
/// its direction, and 8 for a withdrawal. A move that takes nothing has the number 0 and one step. A move of more than
/// 13 steps has instead its index among the moves that take on from its cell.
#[derive(Clone, Debug)]
pub struct Fanorona {
    field: Field,
    /// The directions of the lines from each point.
    ways: Vec<Vec<usize>>,
}

/// First bit of the steps.
const STEPS: u32 = 12;
/// Steps that a move has room for.
const WRITTEN: u32 = 13;
/// The most points of a board: those of the usual one, 5x9.
const MOST: usize = 45;
/// The most points of a board on which neither player has more than 15 men.
const SMALL: usize = 27;
/// Mark of a withdrawal.
const WITHDRAWAL: u128 = 8;

/// A move under way.
#[derive(Clone, Copy)]
struct Way {
    own: u64,
    other: u64,
    at: usize,
    /// Points that the man was on.
    been: u64,
    last: Option<usize>,
    /// The first cell and the steps, as in a move that had room for all.
    word: u128,
    steps: u32,
}

impl Fanorona {
    /// Returns the game on a board of `rows` by `columns`.
    ///
    /// # Errors
    /// The numbers are not odd, at least 3, with at most 45 points.
    pub fn new(rows: usize, columns: usize) -> Result<Fanorona, String> {
        let fits = rows % 2 == 1 && columns % 2 == 1 && rows.min(columns) >= 3 && rows * columns <= MOST;
        if !fits {
            return Err(format!(
                "no board of {rows}x{columns}: expected odd numbers from 3 on, of at most {MOST} points together"
            ));
        }
        let field = Field::new(rows, columns, MOST)?;
        let ways = |cell: usize| -> Vec<usize> {
            let (column, row) = field.grid.coordinates(cell);
            let slanting = (column + rows - 1 - row).is_multiple_of(2);
            (0..if slanting { 8 } else { STRAIGHT.end })
                .filter(|&way| field.step(cell, way).is_some())
                .collect()
        };
        let ways = (0..field.cells()).map(ways).collect();
        Ok(Fanorona { field, ways })
    }

    /// Returns the points and the lines between them, for drawings.
    pub fn plan(&self) -> Plan {
        let grid = self.field.grid;
        let spot = |cell| {
            let (column, row) = grid.coordinates(cell);
            Spot { name: grid.square(cell), x: column as f64, y: row as f64 }
        };
        let line = |cell: usize, way: usize| self.field.step(cell, way).map(|to| [cell, to]);
        let lines =
            (0..grid.cells()).flat_map(|cell| self.ways[cell].iter().filter_map(move |&way| line(cell, way)));
        Plan {
            form: CellForm::Point,
            cells: (0..grid.cells()).map(spot).collect(),
            lines: lines.filter(|[from, to]| from < to).collect(),
        }
    }

    /// Returns the unbroken line of men that begins behind a cell in a direction.
    #[inline]
    fn line(&self, from: usize, way: usize, men: u64) -> u64 {
        let (mut line, mut at) = (0, from);
        while let Some(next) = self.field.step(at, way).filter(|&next| men >> next & 1 == 1) {
            line |= 1 << next;
            at = next;
        }
        line
    }

    /// Visits the moves that take on with a man, each with the men that are left.
    fn take_on(&self, now: &Way, visit: &mut dyn FnMut(&Way) -> Flow) -> Flow {
        let free = self.field.all & !(now.own | now.other | now.been);
        for &way in self.ways[now.at].iter().filter(|&&way| Some(way) != now.last) {
            let Some(to) = self.field.step(now.at, way).filter(|&to| free >> to & 1 == 1) else { continue };
            let lines = [self.line(to, way, now.other), self.line(now.at, opposite(way), now.other)];
            for (kind, line) in lines.into_iter().enumerate().filter(|&(_, line)| line != 0) {
                let step = way as u128 | (kind as u128 * WITHDRAWAL);
                let next = Way {
                    own: now.own & !(1 << now.at) | 1 << to,
                    other: now.other & !line,
                    at: to,
                    been: now.been | 1 << now.at,
                    last: Some(way),
                    word: now.word | step << (STEPS + 4 * now.steps),
                    steps: now.steps + 1,
                };
                visit(&next)?;
                self.take_on(&next, visit)?;
            }
        }
        MORE
    }

    /// Visits the moves of one man that take, each with what is left.
    fn taking(&self, position: &Position, from: usize, visit: &mut dyn FnMut(&Way, Move) -> Flow) -> Flow {
        let (own, other) = (position.own(), position.other());
        let man = Way { own, other, at: from, been: 0, last: None, word: from as u128, steps: 0 };
        let mut index = 0;
        self.take_on(&man, &mut |way| {
            let written = (way.word >> STEPS) as u64;
            let rest = if way.steps <= WRITTEN { written } else { index };
            index += 1;
            visit(way, Move(from as u64 | u64::from(way.steps) << 6 | rest << STEPS))
        })
    }

    /// Visits the cells and kinds of the steps of a move.
    fn steps(&self, position: &Position, m: Move) -> impl Iterator<Item = (usize, usize, Option<u128>)> {
        let (count, mut at) = (m.to(), m.from());
        let mut word = u128::from(m.0);
        if count > WRITTEN as usize {
            let _ = self.taking(position, m.from(), &mut |way, other| {
                word = way.word;
                if other == m { Flow::Break(()) } else { MORE }
            });
        }
        (0..count.max(1)).map_while(move |i| {
            let step = word >> (STEPS + 4 * i as u32) & 15;
            let (from, way) = (at, (step & 7) as usize);
            at = self.field.step(from, way)?;
            Some((from, way, (count > 0).then_some(step & WITHDRAWAL)))
        })
    }

    /// Bits of the number of men of a player.
    fn bits(&self) -> u32 {
        if self.field.cells() <= SMALL { 4 } else { 5 }
    }
}

/// Returns the opposite of a direction.
const fn opposite(way: usize) -> usize {
    if way < STRAIGHT.end { (way + 2) % 4 } else { 4 + (way + 2) % 4 }
}

impl BoardRules for Fanorona {
    fn layout(&self) -> Layout {
        Layout { cells: self.field.cells() as u32, rest: 0, stage: 2 * self.bits() }
    }

    fn symmetries(&self) -> Vec<Image> {
        images(&self.field.grid.symmetries(), 0, 0)
    }

    fn exchange(&self) -> Option<Vec<usize>> {
        Some((0..self.field.cells()).collect())
    }

    fn stage(&self, position: &Position) -> u64 {
        let [one, two] = position.men.map(|set| u64::from(set.count_ones()));
        one << self.bits() | two
    }

    fn cyclic(&self) -> bool {
        true
    }

    fn start(&self) -> Position {
        let grid = self.field.grid;
        let (middle, centre) = (grid.rows / 2, grid.columns / 2);
        let mut men = [0u64; 2];
        for cell in 0..grid.cells() {
            let (column, row) = grid.coordinates(cell);
            // Outwards from the centre the colours of the middle row alternate.
            let outwards = (column.abs_diff(centre) % 2 == 1) == (column < centre);
            let first = row > middle || row == middle && outwards;
            if (column, row) != (centre, middle) {
                men[usize::from(!first)] |= 1 << cell;
            }
        }
        Position { men, ..Position::EMPTY }
    }

    fn over(&self, position: &Position) -> Option<Value> {
        (position.own() == 0).then_some(Value::loss_in(0))
    }

    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        let mut takes = false;
        for from in cells(position.own()) {
            self.taking(position, from, &mut |_, m| {
                takes = true;
                visit(m)
            })?;
        }
        if takes {
            return MORE;
        }
        let free = self.field.all & !position.taken();
        for from in cells(position.own()) {
            for &way in &self.ways[from] {
                if self.field.step(from, way).is_some_and(|to| free >> to & 1 == 1) {
                    visit(Move(from as u64 | (way as u64) << STEPS))?;
                }
            }
        }
        MORE
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        let (mut own, mut other) = (position.own(), position.other());
        for (from, way, kind) in self.steps(position, m) {
            let to = self.field.step(from, way).unwrap_or(from);
            match kind {
                Some(0) => other &= !self.line(to, way, other),
                Some(_) => other &= !self.line(from, opposite(way), other),
                None => {}
            }
            own = own & !(1 << from) | 1 << to;
        }
        position.after(own, other, 0)
    }

    fn write_position(&self, position: &Position) -> String {
        self.field.write(position)
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let position = self.field.read(text)?;
        // The number of men of either player is part of the stage, and bounds the steps of a move.
        let most = (self.field.cells() as u32 - 1) / 2;
        match position.men.iter().all(|men| men.count_ones() <= most) {
            true => Ok(position),
            false => {
                Err(format!("more than {most} men of a player: expected at most as many as at the start"))
            }
        }
    }

    fn write_move(&self, position: &Position, m: Move) -> String {
        let grid = self.field.grid;
        let mut word = grid.square(m.from());
        for (from, way, kind) in self.steps(position, m) {
            word.push('-');
            word += &grid.square(self.field.step(from, way).unwrap_or(from));
            word += match kind {
                Some(0) => "a",
                Some(_) => "w",
                None => "",
            };
        }
        word
    }

    fn draw(&self, position: &Position) -> String {
        self.field.draw(&self.write_position(position))
    }

    fn guess(&self, position: &Position) -> i32 {
        100 * (position.own().count_ones() as i32 - position.other().count_ones() as i32)
    }

    fn hint(&self, position: &Position, _m: Move, child: &Position) -> i32 {
        (position.other().count_ones() - child.own().count_ones()) as i32
    }
}
