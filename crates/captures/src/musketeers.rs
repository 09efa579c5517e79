//! Three Musketeers: three men who must take, against enemies who drive them into a line.
//!
//! * 5x5, full: player one's three musketeers `X` in two opposite corners and in the centre, player two's enemies `O`
//!   elsewhere. A musketeer steps onto a neighbouring enemy, along row or column, and takes it; an enemy steps to a free
//!   neighbour. The enemies win when the three musketeers stand in one row or column; musketeers who cannot take on their
//!   turn and do not stand so have won; enemies without a move have lost.
//! * Position `OOOOX/OOOOO/OOXOO/OOOOO/XOOOO 1`, rows from the top; moves `c3xc4` and `c4-c3`.
//!
//! Source: H. S. Hollander, in S. Sackson, "A Gamut of Games", 1969.

use std::ops::Range;
use std::sync::OnceLock;

use grundy_core::game::{Flow, MORE, Player};
use grundy_core::rank::{expand, next_of_its_size};
use grundy_core::value::{Step, Value};
use grundy_search::board::{BoardRules, Image, Indices, Layout, Move, Position, images};
use grundy_tables::layers::Order;

use crate::field::{Field, STRAIGHT, cells};

mod numbering;

use numbering::{Class, Moves, Numbering, Place, apply};

/// The number of indices on 3x3 and on 5x5.
const SIZES: [u64; 2] = [2_048, 2_675_965_952];

/// The rules of Three Musketeers.
#[derive(Clone, Debug)]
pub struct Musketeers {
    field: Field,
    /// The rows and the columns.
    lines: Vec<u64>,
    /// The numbering of the positions, once it is needed: it takes milliseconds to make.
    numbering: OnceLock<Numbering>,
}

impl Musketeers {
    /// Returns the game on a board of `side` by `side` cells.
    ///
    /// # Errors
    /// The side is not 3 or 5.
    pub fn new(side: usize) -> Result<Musketeers, String> {
        if ![3, 5].contains(&side) {
            return Err(format!("no board of side {side}: expected 3 or 5"));
        }
        let field = Field::new(side, side, 25)?;
        let line = |inside: &dyn Fn(usize) -> bool| {
            (0..side * side).filter(|&cell| inside(cell)).fold(0, |set, cell| set | 1 << cell)
        };
        let rows = (0..side).map(|row| line(&|cell| cell / side == row));
        let columns = (0..side).map(|column| line(&|cell| cell % side == column));
        let lines = rows.chain(columns).collect();
        Ok(Musketeers { field, lines, numbering: OnceLock::new() })
    }

    fn numbering(&self) -> &Numbering {
        self.numbering.get_or_init(|| Numbering::new(&self.field))
    }
}

impl BoardRules for Musketeers {
    fn layout(&self) -> Layout {
        Layout { cells: self.field.cells() as u32, rest: 0, stage: 6 }
    }

    fn symmetries(&self) -> Vec<Image> {
        images(&self.field.grid.symmetries(), 0, 0)
    }

    /// The musketeers take on every turn of theirs.
    fn stage(&self, position: &Position) -> u64 {
        2 * u64::from(position.men[1].count_ones()) + position.turn.index() as u64
    }

    fn start(&self) -> Position {
        let side = self.field.grid.columns;
        let (right, centre, left) = (side - 1, side * side / 2, side * (side - 1));
        let one = 1 << right | 1 << centre | 1 << left;
        Position { men: [one, self.field.all & !one], ..Position::EMPTY }
    }

    fn over(&self, position: &Position) -> Option<Value> {
        let men = position.men[0];
        let caught = self.lines.iter().any(|line| men & line == men);
        caught.then(|| if position.turn == Player::Two { Value::win_in(0) } else { Value::loss_in(0) })
    }

    fn stuck(&self, position: &Position) -> Value {
        if position.turn == Player::One { Value::win_in(0) } else { Value::loss_in(0) }
    }

    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        let targets = match position.turn {
            Player::One => position.men[1],
            Player::Two => self.field.all & !position.taken(),
        };
        for from in cells(position.own() & self.field.near(targets)) {
            for to in STRAIGHT.filter_map(|way| self.field.step(from, way)) {
                if targets >> to & 1 == 1 {
                    visit(Move::of(from, to))?;
                }
            }
        }
        MORE
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        let own = position.own() & !(1 << m.from()) | 1 << m.to();
        position.after(own, position.other() & !(1 << m.to()), 0)
    }

    fn write_position(&self, position: &Position) -> String {
        self.field.write(position)
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let position = self.field.read(text)?;
        match position.men[0].count_ones() {
            3 => Ok(position),
            other => Err(format!("{other} musketeers X: expected three")),
        }
    }

    fn write_move(&self, position: &Position, m: Move) -> String {
        let sign = if position.turn == Player::One { 'x' } else { '-' };
        format!("{}{sign}{}", self.field.grid.square(m.from()), self.field.grid.square(m.to()))
    }

    fn draw(&self, position: &Position) -> String {
        self.field.draw(&self.write_position(position))
    }

    fn indices(&self) -> Option<&dyn Indices> {
        Some(self)
    }
}

impl Indices for Musketeers {
    fn size(&self) -> u64 {
        SIZES[usize::from(self.field.grid.columns == 5)]
    }

    fn number(&self, position: &Position) -> Option<u64> {
        let numbering = self.numbering();
        let (class, symmetry) = numbering.class(position.men[0])?;
        let packed = numbering.pack(numbering.symmetries[symmetry].apply(position.men[1]), class);
        let enemies = packed.count_ones() as usize;
        Some(numbering.first(enemies, position.turn, class) + numbering.least(class, packed))
    }

    fn position(&self, number: u64) -> Option<Position> {
        let Place { enemies, turn, class, rank } = self.numbering().place(number)?;
        let own = self.numbering().classes[class].musketeers;
        let set = self.numbering().subsets.subset(rank, enemies);
        (self.numbering().least(class, set as u32) == rank).then_some(())?;
        Some(Position { men: [own, expand(set, self.field.all & !own)], rest: 0, turn })
    }

    fn checksum(&self) -> u64 {
        BoardRules::checksum(self)
    }

    fn order(&self) -> Order {
        let layers = self.numbering().firsts.windows(2).flat_map(|firsts| {
            let half = firsts[0].midpoint(firsts[1]);
            [firsts[0]..half, half..firsts[1]]
        });
        Order::Layers(layers.collect())
    }

    fn walk(&self, range: Range<u64>, visit: &mut dyn FnMut(u64, Position)) {
        let numbering = self.numbering();
        let mut index = range.start;
        while let Some(place) = numbering.place(index).filter(|_| index < range.end) {
            let Class { musketeers: own, turns } = &numbering.classes[place.class];
            let sets = numbering.subsets.choose(numbering.others, place.enemies);
            let mut set = numbering.subsets.subset(place.rank, place.enemies);
            for rank in place.rank..sets.min(place.rank + range.end - index) {
                if turns.is_empty() || numbering.least(place.class, set as u32) == rank {
                    let men = [*own, expand(set, self.field.all & !own)];
                    visit(index, Position { men, rest: 0, turn: place.turn });
                }
                set = next_of_its_size(set);
                index += 1;
            }
        }
    }

    /// Looks the children up in the moves of the class, where the musketeers stand as the class has them.
    fn child_indices(&self, position: &Position, visit: &mut dyn FnMut(u64, Step)) {
        let numbering = self.numbering();
        let Some((class, 0)) = numbering.class(position.men[0]) else {
            let _ = self.moves(position, &mut |m| {
                visit(self.number(&self.play(position, m)).unwrap_or(u64::MAX), Step::PASSED);
                MORE
            });
            return;
        };
        let packed = numbering.pack(position.men[1], class);
        let enemies = packed.count_ones() as usize;
        let Moves { captures, steps } = numbering.moves(class);
        match position.turn {
            Player::One => {
                for capture in captures.iter().filter(|capture| capture.taken & packed != 0) {
                    let (next, left) = (usize::from(capture.class), apply(&capture.left, packed));
                    let first = numbering.first(enemies - 1, Player::Two, next);
                    visit(first + numbering.least(next, left), Step::PASSED);
                }
            }
            Player::Two => {
                let first = numbering.first(enemies, Player::One, class);
                let free = self.field.all & !position.taken();
                let free_packed = numbering.pack(free, class);
                for from in cells(position.men[1] & self.field.near(free)) {
                    let [bit, neighbours @ ..] = &steps[from];
                    for to in neighbours.iter().filter(|&to| to & free_packed != 0) {
                        visit(first + numbering.least(class, packed ^ bit ^ to), Step::PASSED);
                    }
                }
            }
        }
    }
}
