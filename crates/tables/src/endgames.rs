//! Tables of the last positions of a game for points, which a search asks at its leaves.
//!
//! A byte holds the margin that a position still brings the player to move. The parts of the game are computed one after
//! another, so that moves which gain points lead to known margins; moves that stay in the part are followed depth first.
//! The threads share a part: where two of them compute the same margin, both write it.
//!
//! Source: G. Irving, J. Donkers and J. Uiterwijk, "Solving Kalah", ICGA Journal 23, 2000.

use std::ops::Range;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use grundy_core::game::{MORE, Scored, children};
use grundy_core::value::{Step, Value};
use grundy_session::{SolveError, Work};

use crate::Oracle;
use crate::cell::empty_cells;
use crate::crew::{Crew, refuse_beyond};
use crate::thresholds::Parted;

/// A game of which no position can repeat, so that play that stays in a part ends.
pub trait Endgames: Scored + Parted {}

/// The code of the margin 0. Code 0 is a margin that is not known yet.
const EVEN: i32 = 128;
/// Positions that a thread begins with at once.
const CHUNK: u64 = 1 << 16;
/// Positions that a thread computes between two looks at the clock.
const LOOK: u32 = 1 << 12;
/// Most children that a thread keeps: with more, positions of the game repeat.
const MOST_OPENED: usize = 1_000;

/// The margins of all positions in the first parts of a game.
pub struct EndgameTable {
    codes: Vec<AtomicU8>,
}

/// A child of a position whose margin is computed.
struct Child<P> {
    position: P,
    index: u64,
    step: Step,
    /// The margin, if the game is over.
    over: Option<i32>,
}

/// The reason why a thread ends early.
enum Early {
    /// The work is to end.
    Stopped,
    /// The game breaks a promise.
    Broken,
}

/// One thread of the computation of a part.
struct Filler<'a, G: Endgames> {
    table: &'a EndgameTable,
    game: &'a G,
    work: &'a Work<'a>,
    /// The end of the part.
    end: u64,
    /// The children of the positions from the first one to the present one.
    opened: Vec<Child<G::Position>>,
    /// Positions until the next look at the clock.
    unlooked: u32,
}

impl EndgameTable {
    /// Computes the margins in the parts of the game that have these ends. Work that is stopped leaves the margins that it
    /// has.
    ///
    /// # Errors
    /// The table needs too much memory, or the game breaks a promise of [`Parted`] or [`Endgames`].
    pub fn build<G: Endgames>(game: &G, ends: &[u64], work: &Work<'_>) -> Result<EndgameTable, SolveError> {
        let count = ends.last().copied().unwrap_or(0);
        refuse_beyond(Some(count), work)?;
        let no_memory = || SolveError::TooLarge { needed: count, limit: work.memory().unwrap_or(0) };
        let table = EndgameTable { codes: empty_cells(count).ok_or_else(no_memory)? };
        log::info!("endgame table: {count} positions, {} threads", work.threads);
        let crew = Crew::new(work);
        let mut begin = 0;
        for &end in ends {
            let chunks = (begin..end).step_by(CHUNK as usize).collect();
            let computed = crew.map(chunks, &|from: u64| {
                let table = &table;
                let mut filler = Filler { table, game, work, end, opened: Vec::new(), unlooked: 0 };
                filler.fill(from..end.min(from + CHUNK))
            });
            match computed.into_iter().find_map(Result::err) {
                None => begin = end,
                Some(Early::Stopped) => break,
                Some(Early::Broken) => {
                    let why = "positions of the endgame table repeat, or are worth too many points";
                    return Err(SolveError::Broken(why.to_owned()));
                }
            }
        }
        Ok(table)
    }

    /// Returns the margin of the position with this index, if the table has it.
    #[inline]
    fn known(&self, index: u64) -> Option<i32> {
        let code = self.codes.get(usize::try_from(index).ok()?)?.load(Relaxed);
        (code > 0).then(|| i32::from(code) - EVEN)
    }

    /// Stores a margin; `None` if it has no code.
    fn store(&self, index: u64, margin: i32) -> Option<()> {
        let code = u8::try_from(margin + EVEN).ok().filter(|&code| code > 0)?;
        self.codes.get(usize::try_from(index).ok()?)?.store(code, Relaxed);
        Some(())
    }
}

impl<G: Endgames> Filler<'_, G> {
    /// Computes the margins of a range in the part.
    fn fill(&mut self, range: Range<u64>) -> Result<(), Early> {
        let (game, mut filled) = (self.game, Ok(()));
        game.walk(range, &mut |index, position| {
            if filled.is_ok() && self.table.known(index).is_none() {
                filled = self.compute(index, &position).map(|_| ());
            }
        });
        filled
    }

    /// Computes and stores the margin of a position.
    fn compute(&mut self, index: u64, position: &G::Position) -> Result<i32, Early> {
        if self.unlooked == 0 {
            self.unlooked = LOOK;
            if self.work.stopped() {
                return Err(Early::Stopped);
            }
        }
        self.unlooked -= 1;
        let margin = match self.game.over(position) {
            Some(value) => value.margin(),
            None => self.best(position)?,
        };
        let margin = margin.ok_or(Early::Broken)?;
        self.table.store(index, margin).ok_or(Early::Broken)?;
        Ok(margin)
    }

    /// Returns the best margin of the moves of an unfinished position.
    fn best(&mut self, position: &G::Position) -> Result<Option<i32>, Early> {
        let (game, first) = (self.game, self.opened.len());
        // All indices come before the first look at the table, so that the looks overlap.
        let _ = children(game, position, &mut |_, child, step| {
            let over = game.over(&child).and_then(Value::margin);
            let index = if over.is_some() { 0 } else { game.index(&child) };
            self.opened.push(Child { position: child, index, step, over });
            MORE
        });
        let mut best = None;
        for at in first..self.opened.len() {
            let Child { index, step, over, .. } = self.opened[at];
            let margin = match over.or_else(|| self.table.known(index)) {
                Some(margin) => margin,
                None if index >= self.end || first > MOST_OPENED => return Err(Early::Broken),
                None => {
                    let position = self.opened[at].position.clone();
                    self.compute(index, &position)?
                }
            };
            best = best.max(Value::points(margin).back(step).margin());
        }
        self.opened.truncate(first);
        Ok(best)
    }
}

impl<G: Endgames> Oracle<G> for EndgameTable {
    fn bytes(&self) -> u64 {
        self.codes.len() as u64
    }

    #[inline]
    fn value(&self, game: &G, position: &G::Position) -> Option<Value> {
        self.known(game.index(position)).map(Value::points)
    }
}
