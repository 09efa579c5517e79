//! The limits of the computation of a form.

use grundy_session::{Work, at_once};

/// The reason why no form was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap {
    /// A limit of time, memory or number size was reached.
    OutOfBounds,
}

/// The limit of a computation: the end of its work, or a number of steps.
pub struct Patience<'a> {
    work: Work<'a>,
    steps: u32,
    most: Option<u32>,
}

/// Steps between two checks of the deadline.
const STRETCH: u32 = 1 << 8;

impl<'a> Patience<'a> {
    /// Returns the limits of `work`.
    pub fn new(work: &Work<'a>) -> Patience<'a> {
        Patience { work: *work, steps: 0, most: None }
    }

    /// Returns a limit of `most` steps, to combine what is known already.
    pub fn steps(most: u32) -> Patience<'static> {
        Patience { work: at_once(), steps: 0, most: Some(most) }
    }

    /// Returns the work.
    pub fn work(&self) -> &Work<'a> {
        &self.work
    }

    /// Counts a small step.
    ///
    /// # Errors
    /// The limit was reached.
    pub fn step(&mut self) -> Result<(), Gap> {
        self.steps = self.steps.wrapping_add(1);
        let over = match self.most {
            None => self.steps.is_multiple_of(STRETCH) && self.work.stopped(),
            Some(most) => self.steps >= most,
        };
        if over { Err(Gap::OutOfBounds) } else { Ok(()) }
    }

    /// Checks the clock before a long step. With a limit of steps there is no time for one.
    ///
    /// # Errors
    /// The time is over.
    pub fn look(&mut self) -> Result<(), Gap> {
        if self.most.is_some() || self.work.stopped() { Err(Gap::OutOfBounds) } else { Ok(()) }
    }

    /// Returns the memory limit of forms in bytes: half of that of the work, at most `ROOM`.
    pub fn room(&self) -> u64 {
        self.work.memory_limit.map_or(ROOM, |limit| (limit / 2).min(ROOM))
    }
}

/// Memory limit of forms in bytes, if the work has none.
pub(super) const ROOM: u64 = 1 << 29;
