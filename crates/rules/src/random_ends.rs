//! Random games to their ends: whether the scores of both players have the same sum there, as values need.

use std::ops::ControlFlow;

use grundy_core::game::{Game, MORE};
use grundy_core::random::SplitMix64;
use grundy_tables::discovered::differing_sums;

use crate::directives::Scoring;
use crate::game::Rules;

/// Random games that are played.
const GAMES: usize = 100;
/// Moves that are listed in all of them, and steps of the machine: some 20 ms.
const LISTED: usize = 20_000;
const STEPS: u64 = 2_000_000;

impl Rules {
    /// Returns why positions have no value: the scores at the ends of random games have different sums, and the file does not
    /// say what that means. `None` if no two such ends were met. The games are the same at every call.
    pub(crate) fn sums_differ(&self) -> Option<String> {
        if self.program.directives.scoring != Scoring::Outcome {
            return None;
        }
        let end = self.with(|machine| machine.spent) + STEPS;
        let (mut random, mut left, mut first) = (SplitMix64(1), LISTED, None);
        for _ in 0..GAMES {
            let sum = self.random_end(&mut random, &mut left, end)?;
            let first = *first.get_or_insert(sum);
            if sum != first {
                return Some(differing_sums(first.min(sum), first.max(sum)));
            }
        }
        None
    }

    /// Plays a random game; returns the sum of the scores at its end, `None` if no moves are `left`, the machine has spent `end`
    /// steps, or a rule runs away.
    fn random_end(&self, random: &mut SplitMix64, left: &mut usize, end: u64) -> Option<i64> {
        let mut position = self.start();
        loop {
            let turn = self.turn(&position);
            let (mut count, mut next) = (0, None);
            let ends = self.with(|machine| {
                let Some(cursor) = self.load(&position, machine) else { return false };
                let _ = machine.moves(&self.code, cursor.at, cursor.cell, &mut |machine, cursor| {
                    count += 1;
                    // Each of the moves so far is the chosen one with the same probability.
                    if random.below(count) == 0 {
                        let cursor = machine.settle(&self.code, cursor);
                        next = Some(self.seen(machine, cursor, turn));
                    }
                    if count < *left { MORE } else { ControlFlow::Break(()) }
                });
                machine.runaway.is_some() || machine.spent > end
            });
            *left = left.saturating_sub(count);
            match next {
                _ if ends => return None,
                None => return Some(self.variable(&position, 0) + self.variable(&position, 1)),
                Some(_) if *left == 0 => return None,
                Some(child) => position = child,
            }
        }
    }
}
