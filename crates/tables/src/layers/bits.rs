//! Games for points in which every move removes one bit of the index: sixteen adjacent states are filled at once.
//!
//! Sixteen states that differ only in their lowest four bits share the high bits, and their children by one of these
//! are adjacent again. A bit that passes the turn in the lowest of the states does so in all of them (see
//! [`Acyclic::bit_moves`]), so that the sixteen children are compared by one vector operation. The lowest bits, and
//! those that may gain points, are treated one by one.

use std::ops::Range;

use super::ability::{Acyclic, Order};
use super::back::{BackRows, back_rows};
use super::batches::{STRETCH, by_size};
use super::fault::broken;
use crate::crew::{Crew, Meter, allocate, finished, refuse_beyond};
use crate::fault::Fault;
use grundy_core::game::Scored;
use grundy_core::table::{Checkpoint, Checkpoints, Coding, HOLE, Meaning, Snapshot, Table, Width};
use grundy_core::value::{Step, Value};
use grundy_session::Work;

/// States of a block.
const LANES: usize = 16;

/// The code of a state without a value.
const EMPTY: u8 = HOLE as u8;

/// The coding of the cells.
const CODING: Coding = Coding { meaning: Meaning::Points, width: Width::One };

/// Reports whether a game is of this kind.
pub(super) fn serves<G: Scored + Acyclic>(game: &G) -> bool {
    game.unit().is_points() && game.order() == Order::Subsets && game.bit_moves(0, &mut |_, _| {})
}

/// Fills a table of one-byte cells.
pub(super) fn fill<G: Scored + Acyclic>(
    game: &G,
    crew: &Crew,
    work: &Work<'_>,
    kept: Option<Checkpoint>,
    checkpoints: &mut dyn Checkpoints,
) -> Result<Table, Fault> {
    let count = game.size();
    refuse_beyond(Some(count), work)?;
    let (mut cells, from) = match kept.filter(|kept| kept.cells.len() as u64 == count) {
        Some(kept) => (kept.cells, kept.stage[0]),
        None => (allocate(count, EMPTY)?, 0),
    };
    let back = ByteBack::new();
    let meter = Meter::new(work, "positions", count);
    meter.add(from)?;
    let mut done = 0;
    for same in by_size(count) {
        let same: Vec<Range<u64>> = same.collect();
        for batch in same.chunks(16 * crew.size()) {
            let numbers: u64 = batch.iter().map(|stretch| stretch.end - stretch.start).sum();
            done += numbers;
            if done <= from {
                continue;
            }
            fill_batch(game, &back, &mut cells, batch, crew)?;
            meter.add(numbers)?;
            if checkpoints.due() {
                let copy = |offset: u64, into: &mut [u8]| {
                    into.copy_from_slice(&cells[offset as usize..][..into.len()]);
                };
                checkpoints.save(&Snapshot { stage: &[done], width: CODING.width, len: count, copy: &copy });
            }
        }
    }
    Ok(finished(CODING, count, cells)?)
}

/// Raw values one move back, by the codes of the children.
struct ByteBack(BackRows);

impl ByteBack {
    fn new() -> ByteBack {
        ByteBack(back_rows(CODING))
    }

    #[inline]
    fn back(&self, code: u8, step: Step) -> i32 {
        self.0[usize::from(step.turn_passed)][usize::from(code)].saturating_add(step.gain)
    }
}

/// Fills stretches that do not lead to each other.
fn fill_batch<G: Scored + Acyclic>(
    game: &G,
    back: &ByteBack,
    cells: &mut [u8],
    batch: &[Range<u64>],
    crew: &Crew,
) -> Result<(), Fault> {
    let mut targets = Vec::with_capacity(batch.len());
    let mut others: Vec<&[u8]> = Vec::new();
    let mut starts = batch.iter().map(|stretch| stretch.start).peekable();
    for (first, stretch) in (0..).step_by(STRETCH as usize).zip(cells.chunks_mut(STRETCH as usize)) {
        if starts.next_if_eq(&first).is_some() {
            targets.push((first, stretch));
            others.push(&[]);
        } else {
            others.push(stretch);
        }
    }
    let others = &others;
    let filled = crew.map(targets, &|(first, cells)| StretchFill { game, back, others, first }.fill(cells));
    filled.into_iter().collect()
}

/// A stretch to be filled.
struct StretchFill<'a, G> {
    game: &'a G,
    back: &'a ByteBack,
    /// All stretches that are not being filled.
    others: &'a [&'a [u8]],
    first: u64,
}

impl<G: Scored + Acyclic> StretchFill<'_, G> {
    fn fill(&self, cells: &mut [u8]) -> Result<(), Fault> {
        for at in (0..cells.len()).step_by(LANES) {
            let (before, rest) = cells.split_at_mut(at);
            let lanes = rest.len().min(LANES);
            self.fill_block(before, &mut rest[..lanes])?;
        }
        Ok(())
    }

    /// Fills a block behind what the stretch has already.
    #[inline]
    fn fill_block(&self, before: &[u8], block: &mut [u8]) -> Result<(), Fault> {
        let base = self.first + before.len() as u64;
        let mut passing = 0;
        self.game.bit_moves(base, &mut |bits, step| {
            if step == Step::PASSED {
                passing |= bits;
            }
        });
        let least = self.least(before, base, passing);
        for lane in 0..block.len() {
            let number = base + lane as u64;
            let mut best = i32::MIN;
            let mut missing = false;
            if passing != 0 {
                missing = least[lane] == EMPTY;
                best = self.back.back(least[lane], Step::PASSED);
            }
            self.game.bit_moves(number, &mut |bits, step| {
                let mut bits = bits & !passing;
                // Codes rise with the points: the least is the best where the turn passes, else the largest.
                if bits == 0 {
                    return;
                }
                let (mut least, mut most) = (u8::MAX, EMPTY);
                while bits != 0 {
                    let bit = bits & bits.wrapping_neg();
                    bits ^= bit;
                    let code = if bit < LANES as u64 {
                        block[lane ^ bit as usize]
                    } else {
                        self.at(before, number ^ bit).first().map_or(EMPTY, |&code| code)
                    };
                    least = least.min(code);
                    most = most.max(code);
                }
                missing |= least == EMPTY;
                best = best.max(self.back.back(if step.turn_passed { least } else { most }, step));
            });
            if missing {
                return Err(broken(number, "leads to one that has no value yet"));
            }
            let value = if best == i32::MIN {
                let over = self.game.position(number).and_then(|position| self.game.over(&position));
                over.ok_or_else(|| broken(number, "has no moves, yet it is not over"))?
            } else {
                Value::from_raw(best)
            };
            block[lane] = CODING.encode(value).ok_or(Fault::TooWide)? as u8;
        }
        Ok(())
    }

    /// The least codes of the children by some bits, for each number of a block.
    #[inline]
    fn least(&self, before: &[u8], base: u64, mut bits: u64) -> [u8; LANES] {
        let mut least = [u8::MAX; LANES];
        while bits != 0 {
            let bit = bits & bits.wrapping_neg();
            bits ^= bit;
            match self.at(before, base ^ bit).first_chunk::<LANES>() {
                Some(codes) => {
                    least.iter_mut().zip(codes).for_each(|(least, code)| *least = (*least).min(*code))
                }
                None => least = [EMPTY; LANES],
            }
        }
        least
    }

    /// The codes from a number on, which is smaller than those of the block and not in it.
    #[inline]
    fn at<'b>(&'b self, before: &'b [u8], number: u64) -> &'b [u8] {
        let stretch = if number >= self.first {
            before
        } else {
            self.others.get((number / STRETCH) as usize).map_or(&[][..], |stretch| stretch)
        };
        stretch.get((number % STRETCH) as usize..).unwrap_or_default()
    }
}
