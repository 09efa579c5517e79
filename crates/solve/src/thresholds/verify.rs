//! The proof of a table of margins with ranks.
//!
//! Every margin is the best of the moves, every move stays in its part without a gain or leads to an earlier part, and
//! the ranks of margins other than 0 fall: a position that is worth something to its mover has a move of that worth
//! that leaves the part, ends the game, or leads to a lower rank; from a position that is worth something to the other
//! every move of that worth does. Then every margin is the value. *Proof*, by induction on the parts: earlier ones have
//! the right margins. Whoever has a margin gets it: he plays by ranks, and ranks fall until the part is left or the game
//! ends with this margin, or the other gives more; margins are natural numbers, so that he gives more only so often.
//! Nobody gets more than his margin: the other answers so that it does not grow, until the part is left. If it never is,
//! nothing is gained from here on, and the margin is not negative for whoever wanted more.

use std::ops::Range;

use grundy_core::game::{Indexed, Scored};
use grundy_core::table::{Coding, Meaning, Table};
use grundy_core::value::Step;
use grundy_session::{Belief, Doubt, SolveError, Work};

use super::ability::{Parted, part_of};
use super::part::TASK;
use crate::crew::{Crew, Meter};
use crate::ranked::{Ranked, best_ranked, judge_ranked};
use crate::verify::checked;

/// Checks every checksum and then every position, as above. Memory beyond that of the table is not needed.
///
/// # Errors
/// The first doubt, lowest number first.
pub fn verify<G: Scored + Parted>(game: &G, table: &Table, work: &Work<'_>) -> Result<Belief, Doubt> {
    let broken = |why: &str| Doubt::Work(SolveError::Broken(why.to_owned()));
    let ends = game.parts();
    if table.count() != game.size() || ends.last() != Some(&table.count()) || !ends.is_sorted() {
        return Err(broken("the table is of another game"));
    }
    let loaded = checked(table, work)?;
    let table = loaded.as_ref().unwrap_or(table);
    let found = table.coding();
    let expected = Coding { meaning: Meaning::Ranked, ..found };
    if found != expected {
        return Err(Doubt::Coding { found, expected });
    }
    let check = Check { game, table, ends };
    let crew = Crew::new(work);
    let meter = Meter::new(work, "positions verified", table.count());
    let group = TASK * 16 * crew.size() as u64;
    for first in (0..table.count()).step_by(group as usize) {
        let end = table.count().min(first + group);
        let tasks = (first..end).step_by(TASK as usize).map(|begin| begin..end.min(begin + TASK));
        crew.map(tasks.collect(), &|range| check.stretch(range)).into_iter().collect::<Result<(), _>>()?;
        meter.add(end - first).map_err(Doubt::Work)?;
    }
    Ok(Belief::Proved)
}

struct Check<'a, G> {
    game: &'a G,
    table: &'a Table,
    ends: Vec<u64>,
}

impl<G: Scored + Indexed> Check<'_, G> {
    /// Checks a stretch of numbers.
    fn stretch(&self, range: Range<u64>) -> Result<(), Doubt> {
        let (mut next, mut doubt) = (range.start, None);
        let empty = |from: u64, to: u64| {
            let said = (from..to).find(|&number| self.table.get(number).is_some());
            said.map(|number| Doubt::Wrong { number, found: self.table.get(number), expected: None })
        };
        self.game.walk(range.clone(), &mut |number, position| {
            if doubt.is_some() {
                return;
            }
            doubt = empty(next, number).or_else(|| self.position(number, &position).err());
            next = number + 1;
        });
        doubt.or_else(|| empty(next, range.end)).map_or(Ok(()), Err)
    }

    fn position(&self, number: u64, position: &G::Position) -> Result<(), Doubt> {
        let expected = match self.game.over(position) {
            Some(ended) => Some((ended, 0)),
            None => self.expected(number, position)?,
        };
        let stands = self.table.rank(number).unwrap_or(u32::MAX);
        judge_ranked(number, (self.table.get(number), stands), expected)
    }

    /// What the rules and the children make of an unfinished position; `None` where a child has no value.
    fn expected(&self, number: u64, position: &G::Position) -> Result<Option<Ranked>, Doubt> {
        let begin = match part_of(&self.ends, number) {
            0 => 0,
            part => self.ends[part - 1],
        };
        let end = self.ends[part_of(&self.ends, number)];
        let mut all: Vec<Ranked> = Vec::with_capacity(16);
        let (mut late, mut missing) = (None, false);
        self.game.child_numbers(position, &mut |child, step: Step| {
            let stays = (begin..end).contains(&child);
            if child >= end || stays && step.gain != 0 {
                late.get_or_insert(child);
                return;
            }
            match (self.table.get(child), self.table.rank(child)) {
                (Some(value), Some(rank)) => all.push((value.back(step), if stays { rank } else { 0 })),
                _ => missing = true,
            }
        });
        if let Some(child) = late {
            return Err(Doubt::Order { number, child });
        }
        Ok(best_ranked(&all).filter(|_| !missing))
    }
}
