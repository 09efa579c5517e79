//! Positions of games in which two players claim places in turn and keep them, and their indexing in layers of one number of
//! stones each.
//!
//! The index is that of the layer's first position, plus the rank of the occupied places times the number of ways to colour
//! them, plus the rank of player two's stones among them:
//!
//! ```text
//! X.O    occupied 0b1_0000_0101 (places 0, 2, 8): rank C(0,1)+C(2,2)+C(8,3) = 57 of C(9,3)
//! ...    player two's among the three: 0b010, rank C(1,1) = 1 of C(3,1); three stones start at 1 + 9 + 72
//! ..X    number 82 + 57 * 3 + 1 = 254
//! ```

use std::ops::Range;

use crate::game::Player;
use crate::grid::CellMap;
use crate::random::{GOLDEN, murmur};
use crate::rank::{Subsets, compress, expand, next_of_its_size};
use crate::value::Step;

/// The stones of both players, who place them in turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Position {
    /// Player one's stones and player two's, as sets of places.
    pub stones: [u64; 2],
    /// Number of stones; player one is to move when it is even.
    pub ply: u8,
}

impl Position {
    /// Returns all occupied places.
    #[inline]
    pub const fn occupied(&self) -> u64 {
        self.stones[0] | self.stones[1]
    }

    /// Returns the player to move.
    #[inline]
    pub const fn turn(&self) -> Player {
        if self.ply & 1 == 0 { Player::One } else { Player::Two }
    }

    /// Returns the stones of the player to move, and those of the other.
    #[inline]
    pub const fn own(&self) -> [u64; 2] {
        let mover = (self.ply & 1) as usize;
        [self.stones[mover], self.stones[1 - mover]]
    }

    /// Returns the position after a stone on `place`.
    #[inline]
    #[must_use]
    pub const fn with(mut self, place: u8) -> Position {
        self.stones[(self.ply & 1) as usize] |= 1 << place;
        self.ply += 1;
        self
    }

    /// Returns the least of the images.
    #[must_use]
    pub fn least(&self, images: &[CellMap]) -> Position {
        let [first, second] = self.stones;
        let images = images.iter().map(|map| [map.apply(first), map.apply(second)]);
        Position { stones: images.fold(self.stones, Ord::min), ..*self }
    }

    /// Returns the letter of a place: `X`, `O` or `.`.
    pub const fn mark(&self, place: usize) -> char {
        match [self.stones[0] >> place & 1, self.stones[1] >> place & 1] {
            [1, _] => 'X',
            [_, 1] => 'O',
            _ => '.',
        }
    }

    /// Reads the marks of up to 64 places, one after another, with the player to move.
    ///
    /// # Errors
    /// Another letter, or one player has too many stones.
    pub fn read(marks: &str, turn: Player) -> Result<Position, String> {
        let mut stones = [0u64; 2];
        for (place, mark) in marks.chars().enumerate().take(64) {
            match mark {
                'X' => stones[0] |= 1 << place,
                'O' => stones[1] |= 1 << place,
                '.' => {}
                other => return Err(format!("no mark is written {other:?}: expected X, O or .")),
            }
        }
        let [first, second] = stones.map(u64::count_ones);
        if first == second + turn.index() as u32 {
            return Ok(Position { stones, ply: (first + second) as u8 });
        }
        let expected = if turn == Player::One { "as many X as O" } else { "one X more than O" };
        Err(format!("{first} X and {second} O with player {} to move: expected {expected}", turn.digit()))
    }
}

/// Returns a key that the images share; one-to-one up to images on up to 32 places.
pub fn key(position: &Position, places: usize, images: &[CellMap]) -> u64 {
    let [first, second] = position.stones;
    let images = images.iter().map(|map| key_of([map.apply(first), map.apply(second)], places));
    images.fold(key_of(position.stones, places), u64::min)
}

/// Returns the key of the two players' stones; one-to-one on up to 32 places.
pub fn key_of([first, second]: [u64; 2], places: usize) -> u64 {
    match places {
        ..=32 => first | second << places,
        _ => murmur(first) ^ murmur(second ^ GOLDEN).rotate_left(17),
    }
}

/// The indexing of the positions of up to [`Placed::MOST`] places.
#[derive(Clone, Debug)]
pub struct Placed {
    places: u64,
    subsets: Subsets,
    /// The first index of each layer, by stones; then the size.
    layers: Vec<u64>,
}

impl Placed {
    /// Largest number of places.
    pub const MOST: usize = Subsets::MOST;

    /// Returns the indexing for this many places, at least one; `None` if there are more than [`Placed::MOST`].
    pub fn new(places: usize) -> Option<Placed> {
        if places > Placed::MOST {
            return None;
        }
        let subsets = Subsets::new(places);
        let mut layers = vec![0];
        for stones in 0..=places {
            let ways = subsets.choose(places, stones) * subsets.choose(stones, stones / 2);
            layers.push(layers[stones] + ways);
        }
        Some(Placed { places: u64::MAX >> (64 - places), subsets, layers })
    }

    /// Returns the number of positions.
    pub fn size(&self) -> u64 {
        self.layers[self.layers.len() - 1]
    }

    /// Returns the indices of each number of stones, the most stones first.
    pub fn layers(&self) -> Vec<Range<u64>> {
        self.layers.windows(2).rev().map(|pair| pair[0]..pair[1]).collect()
    }

    /// Returns the index of a position.
    #[inline]
    pub fn index(&self, position: &Position) -> u64 {
        let (stones, occupied) = (usize::from(position.ply), position.occupied());
        let colourings = self.subsets.choose(stones, stones / 2);
        let seconds = self.subsets.rank(compress(position.stones[1], occupied));
        self.layers[stones] + self.subsets.rank(occupied) * colourings + seconds
    }

    /// Returns the position with this index; `None` beyond the last.
    pub fn position(&self, index: u64) -> Option<Position> {
        let Placed { subsets, layers, .. } = self;
        let stones = layers.partition_point(|&first| first <= index) - 1;
        if stones + 1 == layers.len() {
            return None;
        }
        let colourings = subsets.choose(stones, stones / 2);
        let rank = index - layers[stones];
        let occupied = subsets.subset(rank / colourings, stones);
        let second = expand(subsets.subset(rank % colourings, stones / 2), occupied);
        Some(Position { stones: [occupied ^ second, second], ply: stones as u8 })
    }

    /// Visits the positions of a range of indices in rising order.
    pub fn walk(&self, range: Range<u64>, visit: &mut impl FnMut(u64, Position)) {
        let Placed { subsets, layers, .. } = self;
        let mut n = range.start;
        while n < range.end.min(self.size()) {
            let stones = layers.partition_point(|&first| first <= n) - 1;
            let seconds = stones / 2;
            let colourings = subsets.choose(stones, seconds);
            let end = layers[stones + 1].min(range.end);
            let rank = n - layers[stones];
            let mut occupied = subsets.subset(rank / colourings, stones);
            let mut packed = subsets.subset(rank % colourings, seconds);
            while n < end {
                let left = (colourings - (n - layers[stones]) % colourings).min(end - n);
                for _ in 0..left {
                    let second = expand(packed, occupied);
                    visit(n, Position { stones: [occupied ^ second, second], ply: stones as u8 });
                    packed = next_of_its_size(packed);
                    n += 1;
                }
                occupied = next_of_its_size(occupied);
                packed = (1 << seconds) - 1;
            }
        }
    }

    /// Visits the indices after each stone on a free place, in the order of the places.
    #[inline]
    pub fn child_indices(&self, position: &Position, visit: &mut impl FnMut(u64, Step)) {
        let occupied = position.occupied();
        let packed = compress(position.stones[1], occupied);
        let second = u64::from(position.ply & 1);
        let stones = usize::from(position.ply) + 1;
        let Placed { subsets, layers, places } = self;
        let (first, colourings) = (layers[stones], subsets.choose(stones, stones / 2));
        let mut free = places & !occupied;
        let mut skipped = 0;
        while free != 0 {
            let cell = free.trailing_zeros();
            // The new stone is inserted among the occupied places and moves those above it up by one.
            let place = cell - skipped;
            let below = packed & ((1 << place) - 1);
            let seconds = (packed ^ below) << 1 | second << place | below;
            let number = first + subsets.rank(occupied | 1 << cell) * colourings + subsets.rank(seconds);
            visit(number, Step::PASSED);
            skipped += 1;
            free &= free - 1;
        }
    }
}
