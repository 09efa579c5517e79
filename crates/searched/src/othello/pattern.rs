//! A pattern evaluation: a weight for every filling of a group of cells, by phase of the game. The example
//! `othello_fit` fits the weights.
//!
//! Source: M. Buro, "Experiments with Multi-ProbCut and a new high-quality evaluation function for Othello", 1997.

use std::borrow::Cow;
use std::sync::LazyLock;
#[cfg(target_family = "wasm")]
use std::sync::OnceLock;

use super::bits;
use super::instructions::Instructions;

/// Maximum number of cells of a group.
const MOST_CELLS: u32 = 10;
/// By subset of a group's cells, packed together: its contribution to the index of a filling, if it has one's own
/// discs. The digits of an index are 0 for a free cell, 1 for a disc of the player to move, 2 for one of the other.
static DIGITS: [u16; 1 << MOST_CELLS] = digits();

const fn digits() -> [u16; 1 << MOST_CELLS] {
    let mut digits = [0; 1 << MOST_CELLS];
    let mut set = 1usize;
    while set < digits.len() {
        let highest = set.ilog2();
        digits[set] = digits[set ^ 1 << highest] + 3u16.pow(highest);
        set += 1;
    }
    digits
}

/// Number of [general terms](General).
pub(super) const TERMS: usize = 4;
/// Properties of a whole position: one, 1 if the number of free cells is odd, and how many more moves and discs beside
/// free cells the player to move has than the other.
pub(super) type General = [i32; TERMS];

/// The result of a fit to boards of one side.
struct Fit {
    side: usize,
    /// Each group as the set of its cells.
    groups: &'static [u64],
    /// Number of discs at which the second phase begins, and the discs of each phase but the first and the last.
    second: u32,
    length: u32,
    /// Unit of the weights of fillings in the file, in hundredths of a disc.
    unit: i32,
    /// For each phase: the weights of the general terms, each two bytes (least significant first) in hundredths of a
    /// disc, and a signed byte for every filling. Of two fillings that are images of each other only the one of the
    /// smaller index is listed.
    weights: fn() -> Cow<'static, [u8]>,
}

/// Fitted to 500,000 positions of games with 9 to 17 free cells and to 160,000 of a proof.
const SIX: Fit = Fit {
    side: 6,
    // The edge with the diagonal neighbours of its corners, 4x2 cells in a corner, the diagonal.
    groups: &[0x123f, 0x0f0f, 0x2010_0804_0201],
    second: u32::MAX,
    length: 1,
    unit: 20,
    weights: || Cow::Borrowed(include_bytes!("weights6.bin")),
};

/// Fitted to games of the engine with itself.
const EIGHT: Fit = Fit {
    side: 8,
    groups: &[
        // The edge with the diagonal neighbours of its corners, 5x2 and 3x3 cells in a corner.
        0x42ff,
        0x1f1f,
        0x07_0707,
        // The second, third and fourth row.
        0xff00,
        0xff_0000,
        0xff00_0000,
        // Diagonals of 8 to 4 cells.
        0x8040_2010_0804_0201,
        0x4020_1008_0402_0100,
        0x2010_0804_0201_0000,
        0x1008_0402_0100_0000,
        0x0804_0201_0000_0000,
    ],
    second: 17,
    length: 5,
    unit: 10,
    weights: eight,
};

/// Returns the file of weights for 8x8.
#[cfg(not(target_family = "wasm"))]
fn eight() -> Cow<'static, [u8]> {
    Cow::Borrowed(include_bytes!("weights8.bin"))
}

/// Reads the file of weights for 8x8 where it is no part of the program.
#[cfg(target_family = "wasm")]
static SOURCE: OnceLock<fn() -> Vec<u8>> = OnceLock::new();

/// Sets the function that reads the file of weights for 8x8, when a game first needs it. On WebAssembly the file is no part of
/// the program, since a page loads that as a whole; without it the evaluation is that of the other sizes.
#[cfg(target_family = "wasm")]
pub fn read_weights_by(source: fn() -> Vec<u8>) {
    let _ = SOURCE.set(source);
}

/// Returns the file of weights for 8x8, empty if it cannot be read.
#[cfg(target_family = "wasm")]
fn eight() -> Cow<'static, [u8]> {
    Cow::Owned(SOURCE.get().map(|read| read()).unwrap_or_default())
}

static PATTERNS: [LazyLock<Option<Patterns>>; 2] =
    [LazyLock::new(|| Patterns::new(&SIX)), LazyLock::new(|| Patterns::new(&EIGHT))];

/// A group of cells with all its images.
#[derive(Clone, Debug)]
struct Group {
    cells: u64,
    /// The images of the board (by index in [`bits::images`]) of which these cells are read.
    images: Vec<u8>,
    /// Index of its first weight in a phase.
    begin: usize,
}

/// The groups of a board of one size, and the phases of its games.
#[derive(Clone, Debug)]
pub struct Shape {
    side: usize,
    groups: Vec<Group>,
    second: u32,
    length: u32,
    /// Hundredths of a disc in a unit of the weights of fillings.
    pub unit: i32,
    /// Number of phases.
    pub phases: usize,
    /// Number of the weights of fillings in a phase in the file.
    pub listed: usize,
    /// Number of bytes of a file of weights.
    pub bytes: usize,
    /// By filling of any group: its place among the weights in the file.
    places: Vec<u32>,
}

impl Shape {
    /// Returns the shape of boards of this side; `None` if they have no patterns.
    pub fn of(side: usize) -> Option<Shape> {
        [SIX, EIGHT].iter().find(|fit| fit.side == side).map(Shape::new)
    }

    fn new(fit: &Fit) -> Shape {
        let (mut groups, mut places, mut listed) = (Vec::new(), Vec::new(), 0);
        for &cells in fit.groups {
            let (begin, size) = (places.len(), 3usize.pow(cells.count_ones()));
            groups.push(Group { cells, images: distinct_images(cells, fit.side), begin });
            let mirror = mirror(cells, fit.side);
            for filling in 0..size {
                let other = image_of_filling(filling, &mirror);
                if other < filling {
                    places.push(places[begin + other]);
                } else {
                    places.push(listed);
                    listed += 1;
                }
            }
        }
        let listed = listed as usize;
        let discs = (fit.side * fit.side) as u32;
        let phases = discs.checked_sub(fit.second).map_or(1, |rest| (rest / fit.length) as usize + 1);
        Shape {
            side: fit.side,
            groups,
            second: fit.second,
            length: fit.length,
            unit: fit.unit,
            phases,
            listed,
            bytes: phases * (2 * TERMS + listed),
            places,
        }
    }

    /// Returns the phase of a position with this number of discs.
    #[inline(always)]
    pub fn phase(&self, discs: u32) -> usize {
        let later = if discs < self.second { 0 } else { (discs - self.second) / self.length + 1 };
        (later as usize).min(self.phases - 1)
    }

    /// Adds the places of the position's fillings in the file of weights to a list.
    pub(super) fn fillings<I: Instructions>(&self, isa: I, mine: u64, other: u64, into: &mut Vec<u32>) {
        self.visit(isa, mine, other, &mut |at| into.push(self.places[at]));
    }

    /// Visits the indices of the position's fillings.
    #[inline(always)]
    fn visit<I: Instructions>(&self, isa: I, mine: u64, other: u64, visit: &mut impl FnMut(usize)) {
        let (mine, other) =
            (bits::images(mine, self.side, self.side), bits::images(other, self.side, self.side));
        for group in &self.groups {
            let digits = |set| usize::from(DIGITS[isa.pack(set, group.cells) & ((1 << MOST_CELLS) - 1)]);
            for &image in &group.images {
                let image = usize::from(image & 7);
                visit(group.begin + digits(mine[image]) + 2 * digits(other[image]));
            }
        }
    }
}

/// Returns, of the board's images, those in which a set of cells holds different cells.
fn distinct_images(cells: u64, side: usize) -> Vec<u8> {
    let mut seen = Vec::new();
    let mut distinct = Vec::new();
    for image in 0..8u8 {
        // The cells of the board that the set holds in this image.
        let all = (0..64).filter(|cell| cell % 8 < side && cell / 8 < side).map(|cell| 1u64 << cell);
        let held = all.filter(|&cell| bits::images(cell, side, side)[usize::from(image)] & cells != 0);
        let held = held.fold(0, |set, cell| set | cell);
        if !seen.contains(&held) {
            seen.push(held);
            distinct.push(image);
        }
    }
    distinct
}

/// Returns, for each cell of a set in the order of bits, the place of its image under a symmetry of the board that keeps
/// the set; that of the cell itself if there is no such symmetry.
fn mirror(cells: u64, side: usize) -> Vec<u32> {
    let own: Vec<u64> = (0..64).map(|cell| 1 << cell).filter(|bit| cells & bit != 0).collect();
    let same: Vec<u32> = (0..own.len() as u32).collect();
    let through = |image: usize| {
        let kept = bits::images(cells, side, side)[image] == cells;
        let place = |&bit: &u64| (cells & (bits::images(bit, side, side)[image] - 1)).count_ones();
        kept.then(|| own.iter().map(place).collect::<Vec<_>>()).filter(|places| *places != same)
    };
    (1..8).find_map(through).unwrap_or(same)
}

/// Returns the index of a filling with each digit moved to its image.
fn image_of_filling(filling: usize, mirror: &[u32]) -> usize {
    let (mut rest, mut image) = (filling, 0);
    for &place in mirror {
        image += rest % 3 * 3usize.pow(place);
        rest /= 3;
    }
    image
}

/// The weights of all fillings and general terms.
#[derive(Debug)]
pub(super) struct Patterns {
    shape: Shape,
    /// By phase: the weights of the general terms, in hundredths of a disc.
    general: Vec<General>,
    /// By phase and filling, in units.
    weights: Vec<i8>,
    /// Fillings of all groups.
    size: usize,
}

impl Patterns {
    /// Returns the patterns of a board of this side, if there are any.
    pub fn of(side: usize) -> Option<&'static Patterns> {
        match side {
            6 => PATTERNS[0].as_ref(),
            8 => PATTERNS[1].as_ref(),
            _ => None,
        }
    }

    /// Reads the weights of a fit; `None` if there is not one for every filling.
    fn new(fit: &Fit) -> Option<Patterns> {
        let (mut shape, file) = (Shape::new(fit), (fit.weights)());
        if file.len() != shape.bytes {
            return None;
        }
        let places = std::mem::take(&mut shape.places);
        let (mut general, mut weights) = (Vec::new(), Vec::with_capacity(shape.phases * places.len()));
        for phase in file.chunks_exact(2 * TERMS + shape.listed) {
            let (terms, listed) = phase.split_at(2 * TERMS);
            general.push(std::array::from_fn(|i| {
                i32::from(i16::from_le_bytes([terms[2 * i], terms[2 * i + 1]]))
            }));
            weights.extend(places.iter().map(|&place| listed[place as usize].cast_signed()));
        }
        Some(Patterns { shape, general, weights, size: places.len() })
    }

    /// Returns the sum of the weights of all fillings, in hundredths of a disc, for the first player, who is to move.
    #[inline(always)]
    pub fn worth<I: Instructions>(&self, isa: I, mine: u64, other: u64) -> i32 {
        let begin = self.size * self.shape.phase((mine | other).count_ones());
        let weights = &self.weights[begin..begin + self.size];
        let mut sum = 0;
        self.shape.visit(isa, mine, other, &mut |at| sum += i32::from(weights[at]));
        sum * self.shape.unit
    }

    /// Returns the weights of the general terms in a position with this number of discs, in hundredths of a disc.
    #[inline(always)]
    pub fn general(&self, discs: u32) -> &General {
        &self.general[self.shape.phase(discs)]
    }
}

#[cfg(test)]
mod tests {
    use super::super::instructions::Plain;
    use super::*;
    use grundy_core::random::SplitMix64;

    #[test]
    fn images_of_a_position_are_worth_the_same() {
        for (side, images) in [(6, 4 + 8 + 2), (8, 4 + 8 + 4 + 3 * 4 + 2 + 4 * 4)] {
            let patterns = Patterns::of(side).unwrap();
            assert_eq!(patterns.shape.groups.iter().map(|group| group.images.len()).sum::<usize>(), images);
            let cells = if side == 8 { u64::MAX } else { 0x3f3f_3f3f_3f3f };
            let mut random = SplitMix64(1);
            for round in 0..1_000 {
                let mut taken = random.bits() | random.bits();
                taken = if round % 2 == 0 { taken & random.bits() } else { taken | random.bits() } & cells;
                let mine = random.bits() & taken;
                let worth = |(mine, other)| patterns.worth(Plain, mine, other);
                let all =
                    bits::images(mine, side, side).into_iter().zip(bits::images(taken & !mine, side, side));
                let all: Vec<i32> = all.map(worth).collect();
                assert!(all.iter().all(|&one| one == all[0]));
            }
        }
    }

    #[test]
    fn phases_follow_the_number_of_discs() {
        let shape = Shape::of(8).unwrap();
        assert_eq!(shape.phases, 10);
        let phases: Vec<usize> = [4, 16, 17, 21, 22, 56, 57, 64].map(|discs| shape.phase(discs)).into();
        assert_eq!(phases, [0, 0, 1, 1, 2, 8, 9, 9]);
        assert_eq!(Shape::of(6).map(|shape| (shape.phases, shape.phase(36))), Some((1, 0)));
        assert!(Shape::of(4).is_none());
    }
}
