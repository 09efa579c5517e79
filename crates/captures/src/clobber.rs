//! Clobber: men that take a neighbour each time they move.
//!
//! * A full checkerboard at the start, `X` (player one) at the top left. A move takes a neighbour of the other, along row or
//!   column, and puts the man in its place. Who cannot move loses.
//! * Position `XOX/OXO/XOX 1`, rows from the top; move `b3-b4`.
//!
//! Source: M. H. Albert, J. P. Grossman, R. J. Nowakowski and D. Wolfe, "An introduction to Clobber", Integers 5, 2005.

use grundy_core::game::{Flow, MORE, Player, hash_of};
use grundy_core::sorting::sort_few;
use grundy_search::board::{BoardRules, Image, Layout, Move, Position, images};

use crate::field::{Field, STRAIGHT, cells};

/// The rules of Clobber.
#[derive(Clone, Debug)]
pub struct Clobber {
    field: Field,
    /// The images of the board, without the identity.
    images: Vec<Image>,
    /// The board on which groups are parts of a sum, and its images: a square one if it has at most 64 cells, on which
    /// groups can be turned by a right angle.
    square: (Field, Vec<Image>),
}

/// Returns men moved to the top left.
fn moved(field: &Field, men: [u64; 2]) -> [u64; 2] {
    let shift = field.grid.corner(men[0] | men[1]);
    men.map(|set| set >> shift)
}

/// Returns the number of moves of either player.
fn contacts(field: &Field, [one, two]: [u64; 2]) -> u32 {
    let ways = STRAIGHT.map(|way| field.shifted(one, way) & two);
    ways.map(u64::count_ones).sum()
}

/// Returns the least of the images of men, moved to the top left.
fn least(field: &Field, images: &[Image], men: [u64; 2]) -> [u64; 2] {
    let turned = images.iter().map(|image| moved(field, men.map(|set| image.men.apply(set))));
    turned.fold(moved(field, men), Ord::min)
}

/// Splits men into groups of neighbours, without those of one colour, each as the least of its images.
fn groups(field: &Field, images: &[Image], [one, two]: [u64; 2]) -> Vec<[u64; 2]> {
    let (mut rest, mut parts) = (one | two, Vec::new());
    while rest != 0 {
        let group = field.joined(rest & rest.wrapping_neg(), rest);
        rest &= !group;
        let men = [one & group, two & group];
        if men[0] != 0 && men[1] != 0 {
            parts.push(least(field, images, men));
        }
    }
    parts
}

impl Clobber {
    /// Returns the game on a board of `rows` by `columns`.
    ///
    /// # Errors
    /// The board has no cell or more than 60.
    pub fn new(rows: usize, columns: usize) -> Result<Clobber, String> {
        let with_images = |field: Field| {
            let images = images(&field.grid.symmetries(), 0, 0);
            (field, images)
        };
        let (field, images) = with_images(Field::new(rows, columns, 60)?);
        let side = rows.max(columns);
        let square = with_images(Field::new(side, side, 64).unwrap_or_else(|_| field.clone()));
        Ok(Clobber { field, images, square })
    }

    /// Returns a set of cells of the board as cells of the square one.
    fn on_square(&self, set: u64) -> u64 {
        let [narrow, wide] = [&self.field, &self.square.0].map(|field| field.grid.columns);
        if narrow == wide {
            return set;
        }
        let row = (1 << narrow) - 1;
        (0..self.field.grid.rows).fold(0, |all, at| all | (set >> (at * narrow) & row) << (at * wide))
    }
}

impl BoardRules for Clobber {
    fn layout(&self) -> Layout {
        Layout { cells: self.field.cells() as u32, rest: 0, stage: 6 }
    }

    fn symmetries(&self) -> Vec<Image> {
        self.images.clone()
    }

    fn exchange(&self) -> Option<Vec<usize>> {
        Some((0..self.field.cells()).collect())
    }

    fn stage(&self, position: &Position) -> u64 {
        u64::from(position.taken().count_ones())
    }

    fn start(&self) -> Position {
        Position { men: self.field.checkers(), ..Position::EMPTY }
    }

    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        let other = position.other();
        for from in cells(position.own() & self.field.near(other)) {
            for to in STRAIGHT.filter_map(|way| self.field.step(from, way)) {
                if other >> to & 1 == 1 {
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
        self.field.read(text)
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        format!("{}-{}", self.field.grid.square(m.from()), self.field.grid.square(m.to()))
    }

    fn draw(&self, position: &Position) -> String {
        self.field.draw(&self.write_position(position))
    }

    /// Returns the hash of the groups up to their places and images, the mover's men first.
    fn key(&self, position: &Position) -> Option<u64> {
        let mut groups = groups(&self.field, &self.images, [position.own(), position.other()]);
        sort_few(&mut groups);
        Some(hash_of(groups))
    }

    /// Prefers moves that leave few moves in their group.
    fn hint(&self, position: &Position, m: Move, child: &Position) -> i32 {
        let group = self.field.joined(1 << m.from(), position.taken());
        -(contacts(&self.field, child.men.map(|set| set & group)) as i32)
    }

    /// Returns the groups on the square board.
    fn parts(&self, position: &Position) -> Vec<[u64; 2]> {
        let (field, images) = &self.square;
        groups(field, images, position.men.map(|set| self.on_square(set)))
    }

    fn options(&self, men: [u64; 2], player: Player, visit: &mut dyn FnMut(Vec<[u64; 2]>)) {
        let (field, images) = &self.square;
        let (own, other) = (player.index(), 1 - player.index());
        for way in STRAIGHT {
            for to in cells(field.shifted(men[own], way) & men[other]) {
                let to = 1_u64 << to;
                // The steps are up, right, down and left.
                let from = field.shifted(to, (way + 2) % 4);
                let mut left = men;
                left[own] ^= from | to;
                left[other] ^= to;
                visit(groups(field, images, left));
            }
        }
    }

    fn negative(&self, [one, two]: [u64; 2]) -> Option<[u64; 2]> {
        let (field, images) = &self.square;
        Some(least(field, images, [two, one]))
    }

    fn moves_in(&self, part: [u64; 2], _player: Player) -> u32 {
        contacts(&self.square.0, part)
    }
}
