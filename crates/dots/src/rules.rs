//! The rules of Dots-and-Boxes on two sets of open lines.
//!
//! Layout: with C columns of boxes a row takes `S = C + 1` bits, row 0 on top. Bit `r*S + c` is the box in row r and
//! column c, the horizontal line above it, and the vertical line to the left of it. So the four lines of the box at bit
//! p are the horizontals p and p+S and the verticals p and p+1. On 1x2 (S = 3):
//!
//! ```text
//! +-0-+-1-+      horizontals 0 1 / 3 4, verticals 0 1 2, boxes 0 1
//! 0   1   2
//! +-3-+-4-+
//! ```

use std::sync::OnceLock;

use super::graph_tables::GraphTables;
use super::line_counts::LineCounts;
use super::line_sets::{Degrees, Lines};
use super::setup::{Setup, Start};
use super::symmetry::Mirrors;
use grundy_core::bits::{Bits, places};
use grundy_core::game::{Flow, Game, MORE, Player, Scored};
use grundy_core::value::{Unit, Value};

/// Dots-and-Boxes with its parameters settled, on words of type `B`.
#[derive(Clone, Debug)]
pub struct Dots<B> {
    /// The parameters.
    pub(super) setup: Setup,
    /// Bits in a row: columns + 1.
    pub(super) stride: u32,
    /// All boxes.
    pub(super) boxes: B,
    /// The lines open at the start.
    pub(super) open: Lines<B>,
    /// Each line as a set; horizontals row by row from the top, then verticals.
    pub(super) lines: Vec<Lines<B>>,
    /// The mirror images of the board.
    pub(super) mirrors: Mirrors<B>,
    /// Precomputed for searches, on first use.
    tables: OnceLock<GraphTables<B>>,
    /// Precomputed for tables, on first use; `None` on boards that are too large.
    counts: OnceLock<Option<LineCounts>>,
}

/// A position: the lines still open, the score, and the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position<B> {
    /// The lines not yet drawn.
    pub open: Lines<B>,
    /// The points so far, player one's first.
    pub score: [i32; 2],
    /// The player to move.
    pub turn: Player,
}

/// A move: the index of the line drawn, horizontals row by row from the top and then verticals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Line(pub u8);

impl<B: Bits> Dots<B> {
    /// Returns a game; `None` if the board does not fit the word (see [`Setup::width`]).
    pub fn new(setup: Setup) -> Option<Dots<B>> {
        if setup.width() > B::WIDTH {
            return None;
        }
        let (rows, cols, stride) = (setup.rows, setup.cols, setup.cols + 1);
        let block = |rows: u32, cols: u32| {
            let cells = (0..rows).flat_map(|r| (0..cols).map(move |c| r * stride + c));
            cells.fold(B::NONE, |set, place| set | B::ONE << place)
        };
        let all = Lines { h: block(rows + 1, cols), v: block(rows, cols + 1) };
        let left = block(rows, 1);
        let top = block(1, cols);
        let icelandic = Lines { h: top << (rows * stride), v: left };
        let drawn = match setup.start {
            Start::Empty => Lines::default(),
            Start::Icelandic => icelandic,
            Start::Swedish => Lines { h: icelandic.h | top, v: left | left << cols },
        };
        let horizontals = places(all.h).map(|p| Lines { h: B::ONE << p, v: B::NONE });
        let verticals = places(all.v).map(|p| Lines { h: B::NONE, v: B::ONE << p });
        let lines: Vec<Lines<B>> = horizontals.chain(verticals).collect();
        Some(Dots {
            setup,
            stride,
            boxes: block(rows, cols),
            open: all.without(drawn),
            tables: OnceLock::new(),
            counts: OnceLock::new(),
            lines,
            mirrors: Mirrors::new(rows, cols),
        })
    }

    /// Returns the parameters.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Returns the precomputed tables for the graphs of all positions.
    #[inline]
    pub(super) fn tables(&self) -> &GraphTables<B> {
        self.tables.get_or_init(|| GraphTables::new(&self.setup, &self.lines, self.boxes))
    }

    /// Returns the counts of open lines of the boxes by index; `None` if they do not fit a word.
    #[inline]
    pub(super) fn counts(&self) -> Option<&LineCounts> {
        let numbered = || self.numbers(self.open).map(|line| self.line(line)).collect::<Vec<_>>();
        self.counts.get_or_init(|| LineCounts::new(&numbered(), self.boxes, self.stride)).as_ref()
    }

    /// Returns the set of one line.
    #[inline]
    pub fn line(&self, line: Line) -> Lines<B> {
        self.lines[usize::from(line.0)]
    }

    /// Returns the indices of the lines in a set, in rising order.
    pub fn numbers(&self, set: Lines<B>) -> impl Iterator<Item = Line> {
        let (stride, cols) = (self.stride, self.setup.cols);
        let first_vertical = (self.setup.rows + 1) * cols;
        let horizontals = places(set.h).map(move |p| p / stride * cols + p % stride);
        horizontals.chain(places(set.v).map(move |p| first_vertical + p)).map(|n| Line(n as u8))
    }

    /// Returns the boxes by their number of open lines.
    #[inline]
    pub fn degrees(&self, open: Lines<B>) -> Degrees<B> {
        let (top, bottom, left, right) = (open.h, open.h >> self.stride, open.v, open.v >> 1);
        let (odd_h, odd_v) = (top ^ bottom, left ^ right);
        let (both_h, both_v) = (top & bottom, left & right);
        let odd = odd_h ^ odd_v;
        let four = both_h & both_v;
        let two_up = both_h | both_v | (odd_h & odd_v);
        Degrees {
            one: odd.without(two_up) & self.boxes,
            two: two_up.without(odd | four) & self.boxes,
            any: (odd | two_up) & self.boxes,
        }
    }

    /// Returns the boxes with an open line.
    #[inline]
    pub fn unfinished(&self, open: Lines<B>) -> B {
        (open.h | open.h >> self.stride | open.v | open.v >> 1) & self.boxes
    }

    /// Returns the lines around some boxes.
    #[inline]
    pub fn around(&self, boxes: B) -> Lines<B> {
        Lines { h: boxes | boxes << self.stride, v: boxes | boxes << 1 }
    }

    /// Returns the boxes on either side of some lines.
    #[inline]
    pub fn beside(&self, lines: Lines<B>) -> B {
        self.unfinished(lines)
    }
}

impl<B: Bits> Game for Dots<B> {
    type Position = Position<B>;
    type Move = Line;

    fn start(&self) -> Position<B> {
        Position { open: self.open, score: [0, 0], turn: Player::One }
    }

    fn turn(&self, position: &Position<B>) -> Player {
        position.turn
    }

    fn over(&self, position: &Position<B>) -> Option<Value> {
        position.open.none().then_some(Value::points(0))
    }

    fn moves(&self, position: &Position<B>, visit: &mut impl FnMut(Line) -> Flow) -> Flow {
        for line in self.numbers(position.open) {
            visit(line)?;
        }
        MORE
    }

    fn play(&self, position: &Position<B>, line: Line) -> Position<B> {
        let open = position.open.without(self.line(line));
        let taken = self.unfinished(position.open).count() - self.unfinished(open).count();
        let mut next = Position { open, ..*position };
        if taken == 0 {
            next.turn = !position.turn;
        } else {
            let fine = if open.none() { self.setup.penalty } else { 0 };
            let mine = &mut next.score[position.turn.index()];
            *mine = mine.saturating_add(taken as i32 - fine);
        }
        next
    }

    fn essence(&self, position: &Position<B>) -> Position<B> {
        Position { open: position.open, score: [0, 0], turn: Player::One }
    }

    fn canonical(&self, position: &Position<B>) -> Position<B> {
        let open = self.mirrors.images(position.open).min().unwrap_or(position.open);
        Position { open, ..*position }
    }
}

impl<B: Bits> Scored for Dots<B> {
    fn unit(&self) -> Unit {
        Unit::Points
    }

    fn gain(&self, position: &Position<B>, line: Line) -> i32 {
        let open = position.open.without(self.line(line));
        let taken = self.unfinished(position.open).count() - self.unfinished(open).count();
        taken as i32 - if open.none() { self.setup.penalty } else { 0 }
    }

    fn score(&self, position: &Position<B>) -> (i32, i32) {
        (position.score[0], position.score[1])
    }
}
