//! How long the search for a form goes on, and in how much memory.

use grundy_session::{STOPPED, Work, quiet_work};

/// Why no form was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap {
    /// The time was over, or the memory that may be used was full, or a number was too large.
    OutOfBounds,
}

/// How long work may take: until it ends, or so many steps.
pub struct Patience<'a> {
    work: Work<'a>,
    steps: u32,
    most: Option<u32>,
}

/// Steps between two looks at the clock.
const STRETCH: u32 = 1 << 8;

impl<'a> Patience<'a> {
    /// As long as the work.
    pub fn new(work: &Work<'a>) -> Patience<'a> {
        Patience { work: *work, steps: 0, most: None }
    }

    /// So many steps of work that is not to begin: what is known is put together.
    pub fn steps(most: u32) -> Patience<'static> {
        Patience { work: Work { stop: &STOPPED, ..quiet_work() }, steps: 0, most: Some(most) }
    }

    /// The work itself.
    pub fn work(&self) -> &Work<'a> {
        &self.work
    }

    /// Counts a small step of the work.
    ///
    /// # Errors
    /// The time is over.
    pub fn step(&mut self) -> Result<(), Gap> {
        self.steps = self.steps.wrapping_add(1);
        let over = match self.most {
            None => self.steps.is_multiple_of(STRETCH) && self.work.stopped(),
            Some(most) => self.steps >= most,
        };
        if over { Err(Gap::OutOfBounds) } else { Ok(()) }
    }

    /// Looks at the clock, before a step that takes long. Where steps are counted there is no time for such a step.
    ///
    /// # Errors
    /// The time is over.
    pub fn look(&mut self) -> Result<(), Gap> {
        if self.most.is_some() || self.work.stopped() { Err(Gap::OutOfBounds) } else { Ok(()) }
    }

    /// The bytes that forms may take: half of the memory that the work may use, and no more than `ROOM`.
    pub fn room(&self) -> u64 {
        self.work.memory_limit.map_or(ROOM, |limit| (limit / 2).min(ROOM))
    }
}

/// Bytes that forms may take where no limit is set.
pub(super) const ROOM: u64 = 1 << 29;
