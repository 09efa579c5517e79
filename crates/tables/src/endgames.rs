//! Tables of the last positions of a game for points, built before a search, which asks them at its leaves.
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
use crate::crew::{Crew, Meter, refuse_beyond};
use crate::thresholds::Parted;

/// A game of which no position can repeat, so that play that stays in a part ends.
pub trait Endgames: Scored + Parted {}

/// The code of the margin 0. Code 0 is a margin that is not known yet.
const EVEN: i32 = 128;
/// Positions between two reports of a thread.
const CHUNK: u64 = 1 << 16;
/// Most moves in a row that stay in a part.
const DEEPEST: usize = 1_000;

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

impl EndgameTable {
    /// Computes the margins in the parts of the game that have these ends.
    ///
    /// # Errors
    /// The work was stopped, needs too much memory, or the game breaks a promise of [`Parted`] or [`Endgames`].
    pub fn build<G: Endgames>(game: &G, ends: &[u64], work: &Work<'_>) -> Result<EndgameTable, SolveError> {
        let count = ends.last().copied().unwrap_or(0);
        refuse_beyond(Some(count), work)?;
        let no_memory = || SolveError::TooLarge { needed: count, limit: work.memory().unwrap_or(0) };
        let table = EndgameTable { codes: empty_cells(count).ok_or_else(no_memory)? };
        let (crew, meter) = (Crew::new(work), Meter::new(work, "endgame table", count));
        let mut begin = 0;
        for &end in ends {
            let chunks = (begin..end).step_by(CHUNK as usize).collect();
            let computed = crew.map(chunks, &|from: u64| {
                let to = end.min(from + CHUNK);
                table.compute_range(game, from..to, end).ok_or_else(broken)?;
                meter.add(to - from)
            });
            computed.into_iter().collect::<Result<(), SolveError>>()?;
            begin = end;
        }
        Ok(table)
    }

    /// Computes the margins of a range in the part that ends at `end`; `None` if a child has none.
    fn compute_range<G: Endgames>(&self, game: &G, range: Range<u64>, end: u64) -> Option<()> {
        let (mut opened, mut sound) = (Vec::new(), Some(()));
        game.walk(range, &mut |index, position| {
            if sound.is_some() && self.known(index).is_none() {
                sound = self.compute(game, index, &position, end, &mut opened).map(|_| ());
            }
        });
        sound
    }

    /// Computes the margin of a position, whose part ends at `end`. `opened` holds the children of the positions before it.
    fn compute<G: Endgames>(
        &self,
        game: &G,
        index: u64,
        position: &G::Position,
        end: u64,
        opened: &mut Vec<Child<G::Position>>,
    ) -> Option<i32> {
        let first = opened.len();
        let margin = match game.over(position) {
            Some(value) => value.margin()?,
            None => {
                // All indices come before the first look at the table, so that the looks overlap.
                let _ = children(game, position, &mut |_, child, step| {
                    let over = game.over(&child).and_then(Value::margin);
                    let index = if over.is_some() { 0 } else { game.index(&child) };
                    opened.push(Child { position: child, index, step, over });
                    MORE
                });
                let mut best = None;
                for at in first..opened.len() {
                    let Child { index, step, over, .. } = opened[at];
                    let known = over.or_else(|| self.known(index).filter(|_| index < end));
                    let margin = match known {
                        Some(margin) => margin,
                        None if index >= end || first > DEEPEST => return None,
                        None => {
                            let position = opened[at].position.clone();
                            self.compute(game, index, &position, end, opened)?
                        }
                    };
                    best = best.max(Some(Value::points(margin).back(step).margin()?));
                }
                best?
            }
        };
        opened.truncate(first);
        let code = u8::try_from(margin + EVEN).ok().filter(|&code| code > 0)?;
        self.codes.get(usize::try_from(index).ok()?)?.store(code, Relaxed);
        Some(margin)
    }

    /// Returns the margin of the position with this index, if the table has it.
    #[inline]
    fn known(&self, index: u64) -> Option<i32> {
        let code = self.codes.get(usize::try_from(index).ok()?)?.load(Relaxed);
        (code > 0).then(|| i32::from(code) - EVEN)
    }
}

fn broken() -> SolveError {
    SolveError::Broken("the positions of the endgame table repeat, or are worth too many points".to_owned())
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
