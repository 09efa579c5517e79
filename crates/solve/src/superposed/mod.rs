//! Superposition: 64 positions to a word, so that a set operation on one word decides 64 positions at once.
//!
//! The positions of a game are laid out as blocks of rows of eight words of 64 bits; one bit is one position of one
//! side to move. A set of positions is a bit vector of that layout. [`Superposed`] is what a game must know to be
//! solved in this form: which bits are positions, and the sets of positions from which a move leads into a set.
//! Positions outside the layout that moves lead to and whose values are known (*exits*: in chess captures and
//! promotions) ride along as bits that are no positions otherwise.
//!
//! A block has at most 64 groups of eight rows (512 words), so that one word says which groups of a block are of
//! interest.
//!
//! A class that is too large for that, or whose sets would not stay near the processor, is laid out in [`Slices`]: what
//! leads from one slice to another only leads to slices that are done, so that each is solved by itself, and moves out
//! of it stand as the best value that one gives to each position ([`Leaving`]).

mod arch;
mod lanes;

use std::collections::BTreeMap;
use std::fmt::{Debug, Display};
use std::hash::Hash;

pub use arch::{Isa, Job, run, run_on};
pub use lanes::{Bits, Lanes};

use grundy_core::game::Game;
use grundy_core::value::Value;

/// Eight words: 512 positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(64))]
pub struct Row(pub [u64; 8]);

/// The codes of the 64 positions of one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Cells(pub [u8; 64]);

/// What a cell says of its position, for the side to move: 0 a draw, `n + 1` decided in `n` plies (a win where `n`
/// is odd, a loss where it is even), 254 decided in more plies than a cell can say, 255 no position.
pub type Code = u8;

/// The code of a draw.
pub const DRAW: Code = 0;
/// The code of what is no position.
pub const NONE: Code = 255;
/// The code of what is decided in more than [`MAX_PLIES`]; how many stands beside the cells.
pub const FAR: Code = 254;
/// The longest distance that a cell can hold, in plies.
pub const MAX_PLIES: u32 = 252;

/// The value that a code stands for; `None` for what is no position, and for what is too far for a cell.
pub fn decode(code: Code) -> Option<Value> {
    match code {
        NONE | FAR => None,
        DRAW => Some(Value::DRAW),
        _ => Some(decided(u32::from(code) - 1)),
    }
}

/// What is decided in so many plies: a win where they are odd, else a loss.
fn decided(plies: u32) -> Value {
    if plies.is_multiple_of(2) { Value::loss_in(plies) } else { Value::win_in(plies) }
}

/// The code of what is decided in so many plies.
pub fn code_of(plies: u32) -> Code {
    if plies > MAX_PLIES { FAR } else { plies as u8 + 1 }
}

/// Which exits are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exits {
    /// All that are positions.
    Any,
    /// Those with this code.
    Coded(Code),
}

/// A game laid out in superposition. Two sides, 0 and 1, move in turn.
pub trait Superposed: Sync {
    /// How many blocks there are.
    fn blocks(&self) -> usize;

    /// How many rows a block has.
    fn rows(&self) -> usize;

    /// Writes a block's legal positions by side to move, and where a side that cannot move has lost (elsewhere it
    /// has drawn). Exits are not legal positions.
    fn frame(&self, block: usize, legal: [&mut [Row]; 2], lost_if_stuck: [&mut [Row]; 2]);

    /// Writes the codes of exits that stand in cells of their own, for `side` to move.
    fn fill_exits(&self, side: usize, block: usize, cells: &mut [Cells]);

    /// Calls `visit` with word numbers of the block and the bits of exits with `side` to move; true if there were
    /// any.
    fn exits<L: Lanes>(&self, side: usize, block: usize, which: Exits, visit: impl FnMut(usize, u64))
    -> bool;

    /// The longest distance among exits, in plies; those of [`Superposed::leaving`] left out.
    fn longest_exit(&self) -> u32;

    /// The best that a move out of the layout gives to each position with `side` to move, where there are such moves
    /// that no exit stands for.
    fn leaving(&self, _side: usize) -> Option<&Leaving> {
        None
    }

    /// The groups of this block from whose positions a move of `side` can lead into live groups (by block, one bit
    /// a group); rather too many than too few.
    fn reach(&self, side: usize, block: usize, live: &[u64]) -> u64;

    /// Writes the positions of a block, `side` to move, from which a move leads into `set` (the whole layout, the
    /// other side to move, exits included). Bits that are no legal positions may come out as they like, and so may
    /// all groups but these. Groups of the set that are not live are empty.
    ///
    /// This is where most of the work is done, so it is compiled for each of the instruction sets by itself, and not
    /// as a part of whoever calls it: `isa` says which one to use.
    #[expect(clippy::too_many_arguments)]
    fn unmoves(
        &self,
        isa: Isa,
        side: usize,
        block: usize,
        set: &[Row],
        live: Option<&[u64]>,
        groups: u64,
        out: &mut [Row],
    );
}

/// Moves out of a layout by the position that they start from.
#[derive(Clone, Debug, Default)]
pub struct Leaving {
    /// What the best of them makes of each position, by word of the layout; [`NONE`] where there is none.
    pub cells: Vec<Cells>,
    /// By block: which codes there are.
    pub present: Vec<[u64; 4]>,
    /// The plies of those that are [`FAR`].
    pub far: Far,
    /// The longest distance among them, in plies.
    pub longest: u32,
}

/// Plies by the number of a position, 64 to a word.
pub type Far = BTreeMap<u64, u32>;

/// The values of a whole layout, by side to move: one cell block a word.
#[derive(Clone, Debug, Default)]
pub struct Levels {
    /// The codes by side to move.
    pub cells: [Vec<Cells>; 2],
    /// The plies of those that are [`FAR`], by side to move.
    pub far: [Far; 2],
    /// The longest distance, in plies.
    pub longest: u32,
}

/// Where a position stands in a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The side to move.
    pub side: usize,
    /// The number of the word among all words of the layout.
    pub word: usize,
    /// The number of the bit in the word.
    pub bit: usize,
}

impl Place {
    /// The number of the position among those with its side to move.
    pub fn number(self) -> u64 {
        self.word as u64 * 64 + (self.bit & 63) as u64
    }
}

impl Levels {
    /// The code at a place; [`NONE`] outside the layout.
    pub fn code(&self, place: Place) -> Code {
        self.cells[place.side].get(place.word).map_or(NONE, |cells| cells.0[place.bit & 63])
    }

    /// The value at a place; `None` for what is no position.
    pub fn value(&self, place: Place) -> Option<Value> {
        value_of(self.code(place), place, &self.far)
    }
}

/// The value at a place whose cell has this code.
pub fn value_of(code: Code, place: Place, far: &[Far; 2]) -> Option<Value> {
    if code == FAR { far[place.side].get(&place.number()).copied().map(decided) } else { decode(code) }
}

/// A class laid out: whole, or in slices.
pub enum Laid<W, S> {
    /// All positions in one layout.
    Whole(W),
    /// Slice by slice.
    Sliced(S),
}

/// A class in slices. They form chains that do not lead to each other; in a chain a slice leads only to those that
/// come before it.
pub trait Slices: Sync {
    /// A slice laid out.
    type Slice: Superposed;

    /// How many chains there are.
    fn chains(&self) -> usize;

    /// How many slices a chain has.
    fn length(&self) -> usize;

    /// How many words a slice has.
    fn words(&self) -> usize;

    /// The next slice of a chain. `done` are the values of the chain so far, its slices in the order of their
    /// numbers, which is not that of the steps.
    fn step(&self, chain: usize, step: usize, done: &Chain<'_>) -> Step<Self::Slice>;
}

/// The values of the slices of a chain, by side to move.
#[derive(Debug)]
pub struct Chain<'a> {
    /// The codes.
    pub cells: [&'a mut [Cells]; 2],
    /// The plies of those that are [`FAR`], numbered from the beginning of the chain.
    pub far: [Far; 2],
    /// The longest distance so far, in plies.
    pub longest: u32,
}

/// What is to be done for a slice, and its number in its chain.
pub enum Step<S> {
    /// It is to be solved.
    Solve(usize, S),
    /// Its values follow from those of other slices.
    Known(usize, Levels),
}

/// A game whose positions fall into classes that can be laid out in superposition, each needing the values of
/// smaller ones only.
pub trait Endings: Game {
    /// A class, its symmetric forms being one.
    type Ending: Copy + Eq + Ord + Hash + Debug + Display + Send + Sync;
    /// A class laid out whole, with what it needs of smaller ones.
    type Layout: Superposed;
    /// A class laid out in slices, with what it needs of smaller ones.
    type Slices: Slices;

    /// The value of a position that is so simple that no table is needed.
    fn plain(&self, position: &Self::Position) -> Option<Value>;

    /// The class of a position, where it is one of few men.
    fn ending(&self, position: &Self::Position) -> Option<Self::Ending>;

    /// Classes that one move may make of a position that is in none itself.
    fn near(&self, _position: &Self::Position) -> Vec<Self::Ending> {
        Vec::new()
    }

    /// Where a position stands in its class.
    fn place(&self, ending: Self::Ending, position: &Self::Position) -> Place;

    /// Whether the game is about this class, so that making its table may take long.
    fn asked_for(&self, _ending: Self::Ending) -> bool {
        false
    }

    /// The classes of a game that numbers its positions, with the number at which each begins: the words of the
    /// layout, side 0 to move, then side 1, 64 numbers a word. What is [`Endings::plain`] has the numbers behind.
    fn classes(&self) -> Vec<(Self::Ending, u64)>;

    /// The bits of a word of a class that may be positions: exits and second ways to lay the same position out
    /// are left out.
    fn stands(&self, ending: Self::Ending, side: usize, word: usize) -> u64;

    /// The classes that moves out of this one lead to.
    fn needs(&self, ending: Self::Ending) -> Vec<Self::Ending>;

    /// The longest distance for which the table's value is the game's: a rule that the tables leave out may cut short
    /// what takes more plies than this. `None` where there is no such rule.
    fn horizon(&self, position: &Self::Position) -> Option<u32>;

    /// What that rule is called.
    fn rule(&self) -> &'static str {
        "the rule"
    }

    /// How many plies the rule behind [`Endings::horizon`] gives after each move out of this class, where no other
    /// move sets its clock back: best play under the rule can then be known. `None` elsewhere.
    fn deadline(&self, _ending: Self::Ending) -> Option<u32> {
        None
    }

    /// The memory that solving the class takes, in bytes, without that of the classes it needs.
    fn memory(&self, ending: Self::Ending) -> u64;

    /// Lays a class out; `solved` gives the values of the classes it needs, at best each once, since it may have to
    /// unpack them.
    fn layout(
        &self,
        ending: Self::Ending,
        solved: &dyn Solved<Self::Ending>,
    ) -> Laid<Self::Layout, Self::Slices>;
}

/// A piece of work that does not depend on others.
pub type Task<'a> = Box<dyn FnOnce() + Send + 'a>;

/// What a class is laid out with: the values of solved classes, and somebody who works.
pub trait Solved<E> {
    /// The values of a class that was solved before.
    fn levels(&self, ending: E) -> std::sync::Arc<Levels>;

    /// Does all of this, on several threads where there are some.
    fn all(&self, tasks: Vec<Task<'_>>) {
        tasks.into_iter().for_each(|task| task());
    }
}

impl<E, F: Fn(E) -> std::sync::Arc<Levels>> Solved<E> for F {
    fn levels(&self, ending: E) -> std::sync::Arc<Levels> {
        self(ending)
    }
}
