//! The positions that are analysed at one time: all of a game, or a part whose moves may lead to finished parts.

use std::fmt;
use std::ops::Range;

use super::backward::Distinct;
use super::children::{Children, VisitMoves};
use grundy_core::bits::places;
use grundy_core::game::{Indexed, Scored};
use grundy_core::value::Value;

/// Positions with indices of their own, from 0 on.
pub(crate) trait Part: Sync {
    /// Returns the number of states.
    fn len(&self) -> u64;

    /// Reports whether moves may lead out of it, to positions of known value.
    fn leaves(&self) -> bool;

    /// Reports whether moves may stay in it. If none does, the first look at each position gives its value.
    fn stays(&self) -> bool;

    /// Looks at the positions of a range of states, rising: each is pushed to `sights`.
    fn look(&self, range: Range<u64>, sights: &mut Sights<'_>);

    /// Returns the number of places in the order of [`Part::look_at_places`].
    fn places(&self) -> u64 {
        self.len()
    }

    /// As [`Part::look`], at a range of places of the order that is fastest. A place may have many positions.
    fn look_at_places(&self, places: Range<u64>, sights: &mut Sights<'_>) {
        self.look(places, sights);
    }
}

/// Receives some positions by their indices, with what is seen of each.
pub(crate) type TakeSights<'a> = dyn FnMut(&[(u64, Sight)]) + 'a;

/// Passes on what is seen of positions, in batches: only [`Part`] is compiled for each game, not its users.
pub(crate) struct Sights<'a> {
    batch: [(u64, Sight); Sights::BATCH],
    len: usize,
    take: &'a mut TakeSights<'a>,
}

impl Sights<'_> {
    /// Positions of a batch.
    const BATCH: usize = 128;

    /// Runs `look`; `take` receives all that it pushes.
    pub(crate) fn of(look: &dyn Fn(&mut Sights<'_>), take: &mut TakeSights<'_>) {
        let mut sights = Sights { batch: [(0, Sight(0)); Sights::BATCH], len: 0, take };
        look(&mut sights);
        sights.flush();
    }

    /// Pushes the position of a state.
    #[inline]
    pub(crate) fn push(&mut self, number: u64, sight: Sight) {
        if self.len == Sights::BATCH {
            self.flush();
        }
        self.batch[self.len] = (number, sight);
        self.len += 1;
    }

    #[inline(never)]
    fn flush(&mut self) {
        (self.take)(&self.batch[..self.len]);
        self.len = 0;
    }
}

/// The result of the first look at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// The game is over.
    Over(Value),
    /// The game is not over.
    Open {
        /// Number of distinct children in the part.
        inner: u32,
        /// The best value that a move out of the part leaves to the mover.
        exit: Option<Value>,
    },
}

/// A move out of the part leads to this state, which has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missing(pub u64);

impl fmt::Display for Missing {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Missing(number) = self;
        write!(out, "a move leads to index {number}, which has no value in a finished tier")
    }
}

/// The result of the first look at a position, or the reason why there is none, packed in one word.
///
/// There is one for every position of a game. A word is written and read in one piece; a larger value would be written in
/// several, and reading it would stall the processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sight(u64);

impl Sight {
    /// Kinds, in the two highest bits.
    const OVER: u64 = 0;
    const OPEN: u64 = 1 << 62;
    const OPEN_WITH_EXIT: u64 = 2 << 62;
    const MISSING: u64 = 3 << 62;
    const KIND: u64 = 3 << 62;
    /// Counts above this are clamped; no cell counts that high.
    const MOST_CHILDREN: u32 = (1 << 30) - 1;

    /// Creates the sight of a position that is over.
    #[inline]
    pub fn over(value: Value) -> Sight {
        Sight(Sight::OVER | u64::from(value.raw().cast_unsigned()))
    }

    /// Creates the sight of a position that is not over, as [`Seen::Open`].
    #[inline]
    pub fn open(inner: u32, exit: Option<Value>) -> Sight {
        let inner = u64::from(inner.min(Sight::MOST_CHILDREN)) << 32;
        match exit {
            None => Sight(Sight::OPEN | inner),
            Some(exit) => Sight(Sight::OPEN_WITH_EXIT | inner | u64::from(exit.raw().cast_unsigned())),
        }
    }

    /// Creates the sight of a position with a move out to a state without a value.
    #[inline]
    pub fn missing(Missing(number): Missing) -> Sight {
        Sight(Sight::MISSING | number & !Sight::KIND)
    }

    /// Unpacks the sight.
    ///
    /// # Errors
    /// A move leads to a state without a value.
    #[inline]
    pub fn seen(self) -> Result<Seen, Missing> {
        let Sight(word) = self;
        let value = Value::from_raw((word as u32).cast_signed());
        let inner = (word & !Sight::KIND) >> 32;
        match word & Sight::KIND {
            Sight::OVER => Ok(Seen::Over(value)),
            Sight::OPEN => Ok(Seen::Open { inner: inner as u32, exit: None }),
            Sight::OPEN_WITH_EXIT => Ok(Seen::Open { inner: inner as u32, exit: Some(value) }),
            _ => Err(Missing(word & !Sight::KIND)),
        }
    }
}

impl<G: Scored + Indexed> Children for Whole<'_, G> {
    fn size(&self) -> u64 {
        self.0.size()
    }

    fn each(&self, range: Range<u64>, wanted: &[u64], few: bool, visit: &mut VisitMoves<'_>) {
        let Whole(game) = *self;
        let mut list = Vec::new();
        let mut show = |number, position: &G::Position| {
            list.clear();
            game.child_indices(position, &mut |child, step| list.push((child, step.turn_passed)));
            visit(number, &list);
        };
        if few {
            for (first, &word) in (range.start..).step_by(64).zip(wanted) {
                for number in places(word).map(|bit| first + u64::from(bit)) {
                    if let Some(position) = game.position(number) {
                        show(number, &position);
                    }
                }
            }
        } else {
            let first = range.start;
            game.walk(range, &mut |number, position| {
                let at = number.wrapping_sub(first);
                if wanted.get((at / 64) as usize).is_some_and(|word| word >> (at % 64) & 1 == 1) {
                    show(number, &position);
                }
            });
        }
    }

    fn each_open(&self, range: Range<u64>, visit: &mut VisitMoves<'_>) {
        let Whole(game) = *self;
        let mut list = Vec::new();
        for number in range {
            let position = game.position(number).filter(|position| game.over(position).is_none());
            let Some(position) = position else { continue };
            list.clear();
            game.child_indices(&position, &mut |child, step| list.push((child, step.turn_passed)));
            visit(number, &list);
        }
    }
}

/// All positions of a game.
pub(crate) struct Whole<'a, G>(pub(crate) &'a G);

impl<G: Scored + Indexed> Part for Whole<'_, G> {
    fn len(&self) -> u64 {
        self.0.size()
    }

    fn leaves(&self) -> bool {
        false
    }

    fn stays(&self) -> bool {
        true
    }

    fn look(&self, range: Range<u64>, sights: &mut Sights<'_>) {
        let Whole(game) = *self;
        let mut children = Distinct::new();
        game.walk(range, &mut |number, position| {
            if let Some(value) = game.settled(&position) {
                return sights.push(number, Sight::over(value));
            }
            let count = game.child_count(&position);
            if count == Some(0) {
                return sights.push(number, Sight::over(Value::loss_in(2)));
            }
            let inner = count.unwrap_or_else(|| {
                children.clear();
                let mut left = 0;
                game.child_indices(&position, &mut |child, step| {
                    left += u32::from(children.insert(child, step.turn_passed));
                });
                left
            });
            sights.push(number, Sight::open(inner, None));
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_holds_all_that_is_seen() {
        let values =
            [Value::LOSS, Value::DRAW, Value::WIN, Value::loss_in(7), Value::win_in(162), Value::points(-3)];
        for value in values {
            assert_eq!(Sight::over(value).seen(), Ok(Seen::Over(value)));
            for inner in [0, 1, 80, 70_000] {
                for exit in [None, Some(value)] {
                    assert_eq!(Sight::open(inner, exit).seen(), Ok(Seen::Open { inner, exit }));
                }
            }
        }
        assert_eq!(Sight::missing(Missing(1 << 40)).seen(), Err(Missing(1 << 40)));
        let most = Seen::Open { inner: (1 << 30) - 1, exit: None };
        assert_eq!(Sight::open(u32::MAX, None).seen(), Ok(most));
    }
}
