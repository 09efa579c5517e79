//! Sim and Y: the players claim one of a set of places in turn, until one of them has completed a figure.
//!
//! * `Sim`: the places are the lines between N points. Who completes a triangle of lines of his own loses, with `maker`
//!   wins; when all lines are drawn without one the game is a draw.
//! * `Y`: the places are the cells of a triangle. Who joins its three sides wins; a corner belongs to two of them, and one
//!   player always does.
//! * Position: rows of `X`, `O` and `.` joined by `/`, and the turn. In Sim on 4 points `..X/../. 2` are the lines ab ac ad,
//!   bc bd, cd; in Y a row of 1 cell, one of 2, and so on: `./../... 1`. Move: the line `ab`, the cell `a1`.
//!
//! Solved by layers, one for each number of claims, on up to [`Placed::MOST`] places; beyond that by search.
//!
//! Sources: G. J. Simmons, "The game of Sim", Journal of Recreational Mathematics 2, 1969; E. Mead, A. Rosa and C. Huang,
//! "The game of Sim: a winning strategy for the second player", Mathematics Magazine 47, 1974; C. Schensted and C. Titus,
//! "Mudcrack Y and Poly-Y", 1975.

use std::ops::Range;

use grundy_core::bits::places;
use grundy_core::game::Flow;
use grundy_core::grid::CellMap;
use grundy_core::placed::{self, Placed, Position as Placing};
use grundy_core::sorting;
use grundy_core::value::{Step, Value};
use grundy_core::words;
use grundy_search::board::{BoardRules, Indices, Layout, Move, Position};
use grundy_session::{CellForm, Plan, Spot};
use grundy_tables::layers::Order;

/// The figure to complete.
#[derive(Clone, Debug)]
enum Figure {
    /// One of these sets of places.
    Sets(Vec<u64>),
    /// A chain of neighbours that has a place in each of the three sides.
    Chain { near: Vec<u64>, sides: [u64; 3] },
}

/// The rules of one of the games.
#[derive(Clone, Debug)]
pub struct Claims {
    /// The names of the places, in the order in which they are written.
    names: Vec<String>,
    /// Where each place is drawn: from the left and from the top.
    spots: Vec<[f64; 2]>,
    /// The places of each row.
    rows: Vec<usize>,
    figure: Figure,
    /// `true` if who completes the figure loses.
    loses: bool,
    symmetries: Vec<CellMap>,
    numbering: Option<Placed>,
}

impl Claims {
    /// Returns Sim on this many points; with `maker` a triangle wins.
    ///
    /// # Errors
    /// There are fewer than 3 points or more than 8.
    pub fn sim(points: usize, maker: bool) -> Result<Claims, String> {
        if !(3..=8).contains(&points) {
            return Err(format!("no game of {points} points: expected 3 to 8"));
        }
        let ends: Vec<[usize; 2]> = (0..points).flat_map(|a| (a + 1..points).map(move |b| [a, b])).collect();
        let line =
            |a: usize, b: usize| ends.iter().position(|&ends| ends == [a.min(b), a.max(b)]).unwrap_or(0);
        let mut triangles = Vec::new();
        for (a, b, c) in (0..points).flat_map(|a| (0..a).flat_map(move |b| (0..b).map(move |c| (a, b, c)))) {
            triangles.push(1 << line(a, b) | 1 << line(b, c) | 1 << line(c, a));
        }
        let image = |order: &[usize]| ends.iter().map(|&[a, b]| line(order[a], order[b])).collect();
        let letter = |point: usize| char::from(b'a' + point as u8);
        Ok(Claims::new(
            ends.iter()
                .map(|&[a, b]| (format!("{}{}", letter(a), letter(b)), [b as f64 - 1.0, a as f64]))
                .collect(),
            (1..points).rev().collect(),
            Figure::Sets(triangles),
            !maker,
            &renamings(points).iter().map(|order| image(order)).collect::<Vec<_>>(),
        ))
    }

    /// Returns Y on a triangle of this side.
    ///
    /// # Errors
    /// The side is 0 or more than 10.
    pub fn y(side: usize) -> Result<Claims, String> {
        if !(1..=10).contains(&side) {
            return Err(format!("no triangle of side {side}: expected 1 to 10"));
        }
        // A cell by its distances from the left, the right and the lower side.
        let cells: Vec<[usize; 3]> =
            (0..side).flat_map(|row| (0..=row).map(move |c| [c, row - c, side - 1 - row])).collect();
        let beside = |one: &[usize; 3], other: &[usize; 3]| {
            one.iter().zip(other).map(|(a, b)| a.abs_diff(*b)).sum::<usize>() == 2
        };
        let set = |inside: &dyn Fn(&[usize; 3]) -> bool| {
            (0..).zip(&cells).filter(|(_, cell)| inside(cell)).fold(0, |set, (place, _)| set | 1u64 << place)
        };
        let figure = Figure::Chain {
            near: cells.iter().map(|cell| set(&|other| beside(cell, other))).collect(),
            sides: [0, 1, 2].map(|side| set(&|cell| cell[side] == 0)),
        };
        let image = |order: &[usize]| {
            let turned = |cell: &[usize; 3]| [0, 1, 2].map(|side| cell[order[side]]);
            cells
                .iter()
                .map(|cell| cells.iter().position(|&other| other == turned(cell)).unwrap_or(0))
                .collect()
        };
        let spot = |cell: &[usize; 3]| {
            let name = format!("{}{}", char::from(b'a' + cell[0] as u8), cell[2] + 1);
            (name, [cell[0] as f64 + cell[2] as f64 / 2.0, 0.87 * (cell[0] + cell[1]) as f64])
        };
        Ok(Claims::new(
            cells.iter().map(spot).collect(),
            (1..=side).collect(),
            figure,
            false,
            &orders(3).iter().map(|order| image(order)).collect::<Vec<_>>(),
        ))
    }

    fn new(
        places: Vec<(String, [f64; 2])>,
        rows: Vec<usize>,
        figure: Figure,
        loses: bool,
        images: &[Vec<usize>],
    ) -> Claims {
        let mut images = images.to_vec();
        sorting::sort(&mut images);
        images.dedup();
        Claims {
            numbering: Placed::new(places.len()),
            spots: places.iter().map(|&(_, spot)| spot).collect(),
            names: places.into_iter().map(|(name, _)| name).collect(),
            rows,
            figure,
            loses,
            symmetries: images.iter().map(|image| CellMap::new(image)).collect(),
        }
    }

    /// Returns the geometry of the board for drawings.
    pub fn plan(&self, form: CellForm) -> Plan {
        let spot = |(name, &[x, y]): (&String, &[f64; 2])| Spot { name: name.clone(), x, y };
        Plan { form, cells: self.names.iter().zip(&self.spots).map(spot).collect(), lines: Vec::new() }
    }

    /// Reports whether these places hold the figure.
    #[inline]
    fn complete(&self, places: u64) -> bool {
        match &self.figure {
            Figure::Sets(sets) => sets.iter().any(|set| set & !places == 0),
            Figure::Chain { near, sides } => {
                if sides.iter().any(|side| places & side == 0) {
                    return false;
                }
                let mut starts = places & sides[0];
                while starts != 0 {
                    let mut chain = starts & starts.wrapping_neg();
                    let mut new = chain;
                    while new != 0 {
                        let place = new.trailing_zeros() as usize;
                        new &= new - 1;
                        let more = near[place] & places & !chain;
                        chain |= more;
                        new |= more;
                    }
                    if sides.iter().all(|side| chain & side != 0) {
                        return true;
                    }
                    starts &= !chain;
                }
                false
            }
        }
    }

    fn free(&self, position: &Position) -> u64 {
        (u64::MAX >> (64 - self.names.len())) & !position.taken()
    }
}

/// Returns the renamings of points by which positions are alike: all of them, or of more than seven points the turns and the
/// mirror images of a polygon.
fn renamings(points: usize) -> Vec<Vec<usize>> {
    match points {
        0..=7 => orders(points),
        _ => (0..points)
            .flat_map(|shift| {
                let turned: Vec<usize> = (0..points).map(|point| (point + shift) % points).collect();
                let mirrored = turned.iter().map(|point| points - 1 - point).collect();
                [turned, mirrored]
            })
            .collect(),
    }
}

/// Returns all orders of the numbers below `count`.
fn orders(count: usize) -> Vec<Vec<usize>> {
    (0..count).fold(vec![Vec::new()], |shorter, next| {
        let insert = |order: &Vec<usize>, at: usize| {
            let mut longer = order.clone();
            longer.insert(at, next);
            longer
        };
        shorter.iter().flat_map(|order| (0..=next).map(move |at| insert(order, at))).collect()
    })
}

/// Returns the position as its numbering sees it.
fn placed(position: &Position) -> Placing {
    Placing { stones: position.men, ply: position.taken().count_ones() as u8 }
}

/// Returns a position of the numbering.
fn unplaced(position: &Placing) -> Position {
    Position { men: position.stones, rest: 0, turn: position.turn() }
}

impl BoardRules for Claims {
    fn layout(&self) -> Layout {
        Layout { cells: self.names.len() as u32, rest: 0, stage: 0 }
    }

    fn ended(&self, position: &Position) -> Option<Value> {
        // Only the last claim can have completed a figure.
        if self.complete(position.other()) {
            return Some(if self.loses { Value::win_in(0) } else { Value::loss_in(0) });
        }
        (self.free(position) == 0).then_some(Value::DRAW)
    }

    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        places(self.free(position)).try_for_each(|place| visit(Move(place.into())))
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        position.after(position.own() | 1 << m.0, position.other(), 0)
    }

    fn canonical(&self, position: &Position) -> Option<Position> {
        Some(unplaced(&placed(position).least(&self.symmetries)))
    }

    fn draw(&self, position: &Position) -> String {
        self.plan(CellForm::Hexagon).draw(self.write_position(position))
    }

    fn write_position(&self, position: &Position) -> String {
        let (mut text, placed) = (String::new(), placed(position));
        let mut place = 0;
        for &row in &self.rows {
            if place > 0 {
                text.push('/');
            }
            text.extend((place..place + row).map(|place| placed.mark(place)));
            place += row;
        }
        format!("{text} {}", position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([board], turn) = words::fields(text, "rows of X, O and . joined by '/'")?;
        let rows: Vec<&str> = board.split('/').take(self.rows.len() + 1).collect();
        let lengths = rows.iter().map(|row| row.chars().count());
        if !lengths.eq(self.rows.iter().copied()) {
            let expected: Vec<u64> = self.rows.iter().map(|&row| row as u64).collect();
            return Err(format!("expected rows of {} places joined by '/'", words::join(&expected)));
        }
        let position = unplaced(&Placing::read(&rows.concat(), turn)?);
        match self.complete(position.own()) {
            true => Err(format!("player {} is to move and has completed a figure already", turn.digit())),
            false => Ok(position),
        }
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        self.names[m.0 as usize].clone()
    }

    fn key(&self, position: &Position) -> Option<u64> {
        let symmetries: &[CellMap] = if self.symmetries.len() <= 8 { &self.symmetries } else { &[] };
        Some(placed::key(&placed(position), self.names.len(), symmetries))
    }

    fn guess(&self, _position: &Position) -> i32 {
        0
    }

    /// Prefers claims that take away most of what the other needs.
    fn hint(&self, position: &Position, m: Move, _child: &Position) -> i32 {
        let (mine, other) = (position.own(), position.other());
        match &self.figure {
            Figure::Sets(sets) => {
                let through = sets.iter().filter(|&&set| set >> m.0 & 1 == 1);
                let sum: i32 =
                    through.map(|&set| 2 * i32::from(set & other == 0) - i32::from(set & mine == 0)).sum();
                if self.loses { -sum } else { sum }
            }
            Figure::Chain { near, .. } => {
                let around = near[m.0 as usize];
                2 * (around & other).count_ones() as i32
                    + (around & mine).count_ones() as i32
                    + around.count_ones() as i32
            }
        }
    }

    fn indices(&self) -> Option<&dyn Indices> {
        self.numbering.is_some().then_some(self)
    }
}

/// The numbering is that of [`Placed`].
impl Indices for Claims {
    fn size(&self) -> u64 {
        self.numbering.as_ref().map_or(u64::MAX, Placed::size)
    }

    fn number(&self, position: &Position) -> Option<u64> {
        Some(self.numbering.as_ref()?.index(&placed(position)))
    }

    fn position(&self, number: u64) -> Option<Position> {
        Some(unplaced(&self.numbering.as_ref()?.position(number)?))
    }

    fn walk(&self, range: Range<u64>, visit: &mut dyn FnMut(u64, Position)) {
        if let Some(numbering) = &self.numbering {
            numbering.walk(range, &mut |number, position| visit(number, unplaced(&position)));
        }
    }

    fn child_indices(&self, position: &Position, visit: &mut dyn FnMut(u64, Step)) {
        if let Some(numbering) = &self.numbering {
            numbering.child_indices(&placed(position), &mut |number, step| visit(number, step));
        }
    }

    fn order(&self) -> Order {
        Order::Layers(self.numbering.as_ref().map_or_else(Vec::new, Placed::layers))
    }
}
