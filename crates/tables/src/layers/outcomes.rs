//! Tables of outcomes alone, for acyclic games of which one player wins: two bits a state, and a position is done with the
//! first move that wins.

use std::ops::Range;
use std::sync::atomic::{AtomicU8, Ordering};

use super::ability::Acyclic;
use crate::cell::{Cell, copy_bytes, empty_cells};
use crate::crew::{Crew, Meter, refuse_beyond};
use grundy_core::game::Scored;
use grundy_core::table::{Checkpoints, Coding, HOLE, Meaning, Snapshot, Table, Width};
use grundy_core::value::Value;
use grundy_session::{SolveError, Work, available_memory};

/// The coding of the cells.
const CODING: Coding = Coding { meaning: Meaning::Outcome, width: Width::Quarter };

/// States that one thread decides at a time.
const STRETCH: u64 = if cfg!(test) { 3 } else { 1 << 12 };

/// An acyclic game that decides the outcomes of its states itself. Every move leads to a lower index.
pub trait ByOutcome: Acyclic {
    /// Returns the runs of states in groups, rising; together they cover all indices. A move leads to an earlier group, or
    /// to a state of the same run. The runs of a group are decided in parallel.
    fn runs(&self) -> Vec<Vec<Range<u64>>>;

    /// Decides some states of a run, rising; those before them are decided. Others of the same outcome, in later groups as
    /// well, may be decided with them.
    fn decide(&self, states: Range<u64>, outcomes: &Outcomes);
}

/// The outcomes of states, some of them still open.
pub struct Outcomes {
    cells: Vec<AtomicU8>,
    codes: [u8; 2],
}

impl Outcomes {
    fn new(cells: Vec<AtomicU8>) -> Option<Outcomes> {
        let codes = [CODING.encode(Value::LOSS)? as u8, CODING.encode(Value::WIN)? as u8];
        Some(Outcomes { cells, codes })
    }

    #[inline]
    fn code(&self, state: u64) -> u8 {
        let cells = self.cells.get((state / 4) as usize).map_or(0, |cells| cells.load(Ordering::Relaxed));
        cells >> (state % 4 * 2) & 3
    }

    /// Reports whether a state is not decided yet.
    #[inline]
    pub fn open(&self, state: u64) -> bool {
        u32::from(self.code(state)) == HOLE
    }

    /// Reports whether the player to move wins in a decided state.
    #[inline]
    pub fn won(&self, state: u64) -> bool {
        self.code(state) == self.codes[1]
    }

    /// Decides a state. Other threads may decide it, too, with the same outcome.
    #[inline]
    pub fn set(&self, state: u64, won: bool) {
        // Another thread may decide a neighbour in the same byte.
        if let Some(cells) = self.cells.get((state / 4) as usize) {
            cells.fetch_or(self.codes[usize::from(won)] << (state % 4 * 2), Ordering::Relaxed);
        }
    }
}

/// Computes the outcomes of all states of a game.
///
/// # Errors
/// The work was stopped, needs too much memory, or the game breaks the promise of [`ByOutcome`].
pub fn solve_outcomes<G: Scored + ByOutcome>(
    game: &G,
    work: &Work<'_>,
    checkpoints: &mut dyn Checkpoints,
) -> Result<Table, SolveError> {
    decide_all(game.size(), game.runs(), &|run, outcomes| game.decide(run, outcomes), work, checkpoints)
}

fn decide_all(
    count: u64,
    groups: Vec<Vec<Range<u64>>>,
    decide: &(dyn Fn(Range<u64>, &Outcomes) + Sync),
    work: &Work<'_>,
    checkpoints: &mut dyn Checkpoints,
) -> Result<Table, SolveError> {
    let broken = |words: &str| SolveError::Broken(words.to_owned());
    let needed = CODING.width.bytes(count).unwrap_or(u64::MAX);
    refuse_beyond(Some(needed), work)?;
    let kept = checkpoints.resume().filter(|kept| kept.stage.len() == 2 && kept.cells.len() as u64 == needed);
    let (from, cells) = match kept {
        Some(kept) => ([kept.stage[0], kept.stage[1]], AtomicU8::from_bytes(kept.cells)),
        None => {
            let limit = available_memory().unwrap_or(0);
            ([0; 2], empty_cells(needed).ok_or(SolveError::TooLarge { needed, limit })?)
        }
    };
    let outcomes = Outcomes::new(cells).ok_or_else(|| broken("outcomes have no codes"))?;
    let crew = Crew::new(work);
    let meter = Meter::new(work, "positions", count);
    let mut covered = 0;
    for (at, runs) in (0..).zip(groups) {
        for round in 0.. {
            let next: Vec<Range<u64>> = runs.iter().filter_map(|run| stretch(run, round)).collect();
            if next.is_empty() {
                break;
            }
            let states = next.iter().map(|states| states.end - states.start).sum();
            covered += states;
            if [at, round] >= from {
                crew.map(next, &|states| decide(states, &outcomes));
            }
            meter.add(states)?;
            if [at, round] >= from && checkpoints.due() {
                let copy =
                    |offset: u64, into: &mut [u8]| copy_bytes(&outcomes.cells, Cell::get, offset, into);
                let width = CODING.width;
                checkpoints.save(&Snapshot { stage: &[at, round + 1], width, len: needed, copy: &copy });
            }
        }
    }
    Table::from_cells(CODING, count, AtomicU8::into_bytes(outcomes.cells))
        .filter(|_| covered == count)
        .ok_or_else(|| broken("the runs do not cover every index"))
}

/// Returns the states of a run that are decided in a round; `None` if it is done.
fn stretch(run: &Range<u64>, round: u64) -> Option<Range<u64>> {
    let from = run.start + round * STRETCH;
    (from < run.end).then(|| from..run.end.min(from + STRETCH))
}
