//! Dodgem: cars that leave the board on the far side.
//!
//! * N - 1 cars each on N x N. Player one's `X` start in column a, in all rows but the first, and go right; player two's `O`
//!   start in row 1, in all columns but the first, and go up. A move takes a car one cell forwards or sideways to a free
//!   cell, or off the board from the last column or row. A player who has no move on his turn wins; endless play is a draw.
//! * Position `X../X../.OO 1`, rows from the top; move `a3-b3`, leaving is the square alone, `c3`.
//!
//! In an index the player to move is player one: both change places by a reflection of the board. Positions are in blocks by
//! the numbers of cars of either player, and in a block by the rank of the player's cars and that of the other's among the
//! cells left.
//!
//! Source: C. Vout; E. R. Berlekamp, J. H. Conway and R. K. Guy, "Winning Ways", 1982.

use grundy_core::game::{Flow, MORE, Player};
use grundy_core::grid::CellMap;
use grundy_core::rank::{Subsets, compress, expand};
use grundy_core::value::Value;
use grundy_search::board::{BoardRules, Indices, Layout, Move, Position};

use crate::field::{Field, cells};

/// The rules of Dodgem.
#[derive(Clone, Debug)]
pub struct Dodgem {
    field: Field,
    side: usize,
    /// The reflection that exchanges the players.
    reflection: CellMap,
    /// The ranks of sets of cars; `None` if there are too many cells for indices.
    subsets: Option<Subsets>,
    /// The index at which each block begins, by the cars of the player to move times the side plus those of the other; and
    /// the end of all.
    blocks: Vec<u64>,
}

/// The directions of a player's cars, forwards first.
const WAYS: [[usize; 3]; 2] = [[1, 0, 2], [0, 3, 1]];

impl Dodgem {
    /// Returns the game on a board of `side` by `side` cells.
    ///
    /// # Errors
    /// The side is not 2 to 7.
    pub fn new(side: usize) -> Result<Dodgem, String> {
        if !(2..=7).contains(&side) {
            return Err(format!("no board of side {side}: expected 2 to 7"));
        }
        let field = Field::new(side, side, 49)?;
        let cells = field.cells();
        let subsets = (cells <= Subsets::MOST).then(|| Subsets::new(cells));
        let mut blocks = vec![0];
        if let Some(subsets) = &subsets {
            for (own, other) in (0..side).flat_map(|own| (0..side).map(move |other| (own, other))) {
                let last = blocks[blocks.len() - 1];
                blocks.push(last + subsets.choose(cells, own) * subsets.choose(cells - own, other));
            }
        }
        let reflection = CellMap::new(&reflection(&field, side));
        Ok(Dodgem { field, side, reflection, subsets, blocks })
    }
}

/// Returns the image of each cell by the reflection that exchanges the players.
fn reflection(field: &Field, side: usize) -> Vec<usize> {
    let (grid, last) = (field.grid, side - 1);
    let image = |cell: usize| {
        let (column, row) = grid.coordinates(cell);
        grid.cell(last - row, last - column)
    };
    (0..grid.cells()).map(image).collect()
}

impl BoardRules for Dodgem {
    fn layout(&self) -> Layout {
        Layout { cells: self.field.cells() as u32, rest: 0, stage: 6 }
    }

    fn exchange(&self) -> Option<Vec<usize>> {
        Some(reflection(&self.field, self.side))
    }

    fn stage(&self, position: &Position) -> u64 {
        let [one, two] = position.men.map(|set| u64::from(set.count_ones()));
        one << 3 | two
    }

    fn cyclic(&self) -> bool {
        true
    }

    fn start(&self) -> Position {
        let grid = self.field.grid;
        let one = (0..self.side - 1).fold(0, |set, row| set | 1 << grid.cell(0, row));
        let two = (1..self.side).fold(0, |set, column| set | 1 << grid.cell(column, self.side - 1));
        Position { men: [one, two], ..Position::EMPTY }
    }

    fn stuck(&self, _position: &Position) -> Value {
        Value::win_in(0)
    }

    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        let taken = position.taken();
        for from in cells(position.own()) {
            for (i, way) in WAYS[position.turn.index()].into_iter().enumerate() {
                match self.field.step(from, way) {
                    Some(to) if taken >> to & 1 == 0 => visit(Move::of(from, to))?,
                    // The car leaves the board.
                    None if i == 0 => visit(Move::of(from, from))?,
                    _ => {}
                }
            }
        }
        MORE
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        let to = if m.from() == m.to() { 0 } else { 1 << m.to() };
        position.after(position.own() & !(1 << m.from()) | to, position.other(), 0)
    }

    fn write_position(&self, position: &Position) -> String {
        self.field.write(position)
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let position = self.field.read(text)?;
        let most = self.side - 1;
        match position.men.iter().all(|men| men.count_ones() as usize <= most) {
            true => Ok(position),
            false => Err(format!("too many cars: expected at most {most} of each player")),
        }
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        let from = self.field.grid.square(m.from());
        if m.from() == m.to() { from } else { format!("{from}-{}", self.field.grid.square(m.to())) }
    }

    fn draw(&self, position: &Position) -> String {
        self.field.draw(&self.write_position(position))
    }

    /// Counts the cells that each player's cars still have to go.
    fn guess(&self, position: &Position) -> i32 {
        let to_go = |player: Player| {
            cells(position.men[player.index()])
                .map(|cell| {
                    let (column, row) = self.field.grid.coordinates(cell);
                    (if player == Player::One { self.side - column } else { row + 1 }) as i32
                })
                .sum::<i32>()
        };
        100 * (to_go(!position.turn) - to_go(position.turn))
    }

    fn hint(&self, _position: &Position, m: Move, _child: &Position) -> i32 {
        i32::from(m.from() == m.to())
    }

    fn indices(&self) -> Option<&dyn Indices> {
        self.subsets.is_some().then_some(self as &dyn Indices)
    }
}

impl Indices for Dodgem {
    fn size(&self) -> u64 {
        self.blocks[self.blocks.len() - 1]
    }

    fn number(&self, position: &Position) -> Option<u64> {
        let subsets = self.subsets.as_ref()?;
        let [own, other] = [position.own(), position.other()].map(|set| match position.turn {
            Player::One => set,
            Player::Two => self.reflection.apply(set),
        });
        let [many, others] = [own, other].map(|set| set.count_ones() as usize);
        if many.max(others) >= self.side {
            return None;
        }
        let ways = subsets.choose(self.field.cells() - many, others);
        let within = subsets.rank(own) * ways + subsets.rank(compress(other, self.field.all & !own));
        Some(self.blocks[many * self.side + others] + within)
    }

    fn position(&self, number: u64) -> Option<Position> {
        let subsets = self.subsets.as_ref().filter(|_| number < Indices::size(self))?;
        let block = self.blocks.partition_point(|&first| first <= number) - 1;
        let (many, others) = (block / self.side, block % self.side);
        let (ways, within) = (subsets.choose(self.field.cells() - many, others), number - self.blocks[block]);
        let own = subsets.subset(within / ways, many);
        let other = expand(subsets.subset(within % ways, others), self.field.all & !own);
        Some(Position { men: [own, other], rest: 0, turn: Player::One })
    }

    fn checksum(&self) -> u64 {
        BoardRules::checksum(self)
    }

    fn predecessors(&self, position: &Position, visit: &mut dyn FnMut(Position)) {
        let (mover, free) = (!position.turn, self.field.all & !position.taken());
        let ways = WAYS[mover.index()];
        let mut back = |cars: u64| visit(position.after(position.own(), cars, 0));
        for to in cells(position.other()) {
            let from = ways.into_iter().filter_map(|way| self.field.step(to, (way + 2) % 4));
            from.filter(|from| free >> from & 1 == 1)
                .for_each(|from| back(position.other() & !(1 << to) | 1 << from));
        }
        if (position.other().count_ones() as usize) < self.side - 1 {
            let last = cells(free).filter(|&from| self.field.step(from, ways[0]).is_none());
            last.for_each(|from| back(position.other() | 1 << from));
        }
    }
}
