//! The boards: points, the lines between them, the mills, and the symmetries.
//!
//! A set of points is a bit mask of at most 24 bits. Points are indexed as a position is written: rows from the top,
//! each from the left. On the board of Nine Men's Morris bits 0 to 23 are
//!
//! ```text
//! 7  0--------1--------2
//! 6  |  3-----4-----5  |
//! 5  |  |  6--7--8  |  |
//! 4  9-10-11    12-13-14
//! 3  |  | 15-16-17  |  |
//! 2  | 18----19----20  |
//! 1 21-------22-------23
//!    a  b  c  d  e  f  g
//! ```

pub(crate) use grundy_core::bits::indices as points;

/// Maximum number of points of a board.
pub(crate) const MOST_POINTS: usize = 24;

/// Maximum number of mills through one point.
const MOST_MILLS: usize = 4;

/// A mill that no set of points holds.
const NO_MILL: u32 = u32::MAX;

/// The shape of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Nine points in a square; with its diagonals or without.
    Square { diagonals: bool },
    /// This many concentric squares, the middles of their sides joined.
    Rings(i32),
}

/// A board.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    /// Number of points.
    pub(crate) points: usize,
    /// All points.
    pub(crate) all: u32,
    /// The neighbours of each point.
    pub(crate) near: [u32; MOST_POINTS],
    /// The lines of three.
    pub(crate) mills: Vec<u32>,
    mills_at: [[u32; MOST_MILLS]; MOST_POINTS],
    /// Coordinates of each point: column from the left and row from the bottom, from 0.
    pub(crate) places: Vec<(u8, u8)>,
    /// Images of the points by each symmetry, the identity first.
    pub(crate) symmetries: Vec<Vec<u8>>,
    /// Images of sets, by symmetry, byte of the set and bits of that byte.
    images: Vec<[[u32; 256]; 3]>,
}

impl Board {
    pub(crate) fn new(kind: Kind) -> Board {
        let size = match kind {
            Kind::Square { .. } => 1,
            Kind::Rings(rings) => rings,
        };
        let on_board = |&(x, y): &(i32, i32)| match kind {
            Kind::Square { .. } => true,
            // Corners and middles of the sides of the squares.
            Kind::Rings(_) => (x, y) != (0, 0) && (x == 0 || y == 0 || x.abs() == y.abs()),
        };
        // Coordinates relative to the middle of the board, rows from the top.
        let rows = (-size..=size).rev().flat_map(|y| (-size..=size).map(move |x| (x, y)));
        let places: Vec<(i32, i32)> = rows.filter(on_board).collect();
        let at = |place: (i32, i32)| places.iter().position(|&other| other == place);
        let mut near = [0; MOST_POINTS];
        let mut mills = Vec::new();
        let steps: &[(i32, i32)] = match kind {
            Kind::Square { diagonals: true } => &[(1, 0), (0, 1), (1, 1), (1, -1)],
            _ => &[(1, 0), (0, 1)],
        };
        for &place in &places {
            for &step in steps {
                let line = [place, next(kind, place, step), next(kind, next(kind, place, step), step)];
                let [Some(a), Some(b), c] = line.map(at) else { continue };
                // A diagonal of a square of nine points has its middle in the centre.
                if step.0 != 0 && step.1 != 0 && line[0] != (0, 0) && line[1] != (0, 0) {
                    continue;
                }
                near[a] |= 1 << b;
                near[b] |= 1 << a;
                if let Some(c) = c {
                    mills.push(1 << a | 1 << b | 1 << c);
                }
            }
        }
        let mut mills_at = [[NO_MILL; MOST_MILLS]; MOST_POINTS];
        for (point, at) in mills_at.iter_mut().enumerate() {
            let through = mills.iter().filter(|&mill| mill >> point & 1 == 1);
            at.iter_mut().zip(through).for_each(|(at, &mill)| *at = mill);
        }
        let symmetries = symmetries(kind, &places);
        let images = symmetries.iter().map(|image| byte_images(image)).collect();
        let shown = |&(x, y): &(i32, i32)| ((x + size) as u8, (y + size) as u8);
        Board {
            points: places.len(),
            all: ((1u64 << places.len()) - 1) as u32,
            near,
            mills,
            mills_at,
            places: places.iter().map(shown).collect(),
            symmetries,
            images,
        }
    }

    /// Reports whether these men have a mill through this point.
    #[inline]
    pub(crate) fn closes(&self, men: u32, point: usize) -> bool {
        self.mills_at[point].iter().fold(false, |any, &mill| any | (men & mill == mill))
    }

    /// Reports whether these men have a mill.
    #[inline]
    pub(crate) fn has_mill(&self, men: u32) -> bool {
        self.mills.iter().any(|&mill| mill & !men == 0)
    }

    /// Returns the men that may be taken: those in no mill, or all if every one is in a mill.
    #[inline]
    pub(crate) fn takeable(&self, men: u32) -> u32 {
        let milled =
            self.mills.iter().fold(0, |set, &mill| if men & mill == mill { set | mill } else { set });
        if men & !milled == 0 { men } else { men & !milled }
    }

    /// Returns the image of a set of points.
    #[inline]
    pub(crate) fn image(&self, symmetry: usize, set: u32) -> u32 {
        let [low, middle, high] = &self.images[symmetry];
        low[(set & 255) as usize] | middle[(set >> 8 & 255) as usize] | high[(set >> 16 & 255) as usize]
    }
}

/// Returns the next point in this direction: along the side of a square by the distance between a corner and a middle,
/// from square to square by one.
fn next(kind: Kind, (x, y): (i32, i32), (right, up): (i32, i32)) -> (i32, i32) {
    let along = match kind {
        Kind::Square { .. } => 1,
        // A horizontal line through the middle of the board leads from square to square, and so does an upright one.
        Kind::Rings(_) if (right != 0 && y == 0) || (up != 0 && x == 0) => 1,
        Kind::Rings(_) => x.abs().max(y.abs()),
    };
    (x + right * along, y + up * along)
}

/// Returns the rotations and reflections, and on concentric squares those combined with the exchange of the innermost
/// and the outermost.
fn symmetries(kind: Kind, places: &[(i32, i32)]) -> Vec<Vec<u8>> {
    let turned = |(x, y): (i32, i32), turn: usize| {
        let (x, y) = if turn & 1 == 0 { (x, y) } else { (y, x) };
        (if turn & 2 == 0 { x } else { -x }, if turn & 4 == 0 { y } else { -y })
    };
    let exchanged = |(x, y): (i32, i32)| match kind {
        Kind::Square { .. } => (x, y),
        Kind::Rings(rings) => {
            let from = x.abs().max(y.abs());
            (x.signum() * (rings + 1 - from), y.signum() * (rings + 1 - from))
        }
    };
    let exchanges = if matches!(kind, Kind::Rings(_)) { 2 } else { 1 };
    let at = |place: (i32, i32)| places.iter().position(|&other| other == place).unwrap_or(0) as u8;
    let image = |n: usize| {
        let image = |&place: &(i32, i32)| at(turned(if n < 8 { place } else { exchanged(place) }, n % 8));
        places.iter().map(image).collect()
    };
    (0..8 * exchanges).map(image).collect()
}

/// Returns the images of the sets within each byte.
fn byte_images(image: &[u8]) -> [[u32; 256]; 3] {
    std::array::from_fn(|byte| {
        std::array::from_fn(|bits| {
            let points =
                (0..8).filter(|bit| bits >> bit & 1 == 1).filter_map(|bit| image.get(8 * byte + bit));
            points.fold(0, |set, &point| set | 1 << point)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(board: &Board, point: usize) -> String {
        let (column, row) = board.places[point];
        format!("{}{}", char::from(b'a' + column), row + 1)
    }

    #[test]
    fn boards_have_the_points_lines_and_mills_of_their_games() {
        let count = |kind| {
            let board = Board::new(kind);
            let lines: u32 = board.near.iter().map(|near| near.count_ones()).sum();
            (board.points, lines / 2, board.mills.len(), board.symmetries.len())
        };
        assert_eq!(count(Kind::Square { diagonals: true }), (9, 16, 8, 8));
        assert_eq!(count(Kind::Square { diagonals: false }), (9, 12, 6, 8));
        assert_eq!(count(Kind::Rings(2)), (16, 20, 8, 16));
        assert_eq!(count(Kind::Rings(3)), (24, 32, 16, 16));
        let nine = Board::new(Kind::Rings(3));
        let names: Vec<String> = (0..24).map(|point| named(&nine, point)).collect();
        assert_eq!(
            names.join(" "),
            "a7 d7 g7 b6 d6 f6 c5 d5 e5 a4 b4 c4 e4 f4 g4 c3 d3 e3 b2 d2 f2 a1 d1 g1"
        );
        assert_eq!(nine.near[10], 1 << 3 | 1 << 9 | 1 << 11 | 1 << 18);
    }

    #[test]
    fn symmetries_are_different_and_carry_lines_and_mills_to_lines_and_mills() {
        for kind in [
            Kind::Square { diagonals: true },
            Kind::Square { diagonals: false },
            Kind::Rings(2),
            Kind::Rings(3),
        ] {
            let board = Board::new(kind);
            for n in 0..board.symmetries.len() {
                assert!(board.symmetries[..n].iter().all(|other| *other != board.symmetries[n]));
                assert!(board.mills.iter().all(|&mill| board.mills.contains(&board.image(n, mill))));
                for point in 0..board.points {
                    let image = usize::from(board.symmetries[n][point]);
                    assert_eq!(board.image(n, board.near[point]), board.near[image]);
                }
            }
        }
    }
}
