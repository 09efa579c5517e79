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
use grundy_core::value::{Step, Unit};
use grundy_session::{Belief, Doubt, SolveError, Work};

use super::ability::{Parted, part_of};
use crate::ranked::{Ranked, best_ranked};
use crate::verify::{Check, Examined, Subject, checked};

/// Checks every checksum and then every position, as above. Memory beyond that of the table is not needed.
///
/// # Errors
/// The first doubt, lowest number first.
pub fn verify<G: Scored + Parted>(game: &G, table: &Table, work: &Work<'_>) -> Result<Belief, Doubt> {
    let ends = game.parts();
    if ends.last() != Some(&game.size()) || !ends.is_sorted() {
        return Err(Doubt::Work(SolveError::Broken("the parts of the game are out of order".to_owned())));
    }
    let found = table.coding();
    let expected = Coding { meaning: Meaning::Ranked, ..found };
    if found != expected {
        return Err(Doubt::Coding { found, expected });
    }
    let loaded = checked(table, work)?;
    let table = loaded.as_ref().unwrap_or(table);
    Check { subject: &InParts { game, ends }, table, work }.run()
}

/// All positions of a game, and where its parts end.
struct InParts<'a, G> {
    game: &'a G,
    ends: Vec<u64>,
}

impl<G: Scored + Parted> Subject for InParts<'_, G> {
    fn count(&self) -> u64 {
        self.game.size()
    }

    fn unit(&self) -> Unit {
        self.game.unit()
    }

    fn loose(&self) -> bool {
        false
    }

    fn ordered(&self) -> bool {
        true
    }

    fn examine(&self, table: &Table, range: Range<u64>, visit: &mut dyn FnMut(u64, Examined)) {
        self.game.walk(range, &mut |number, position| {
            visit(
                number,
                match self.game.over(&position) {
                    Some(ended) => Examined::Over(ended),
                    None => self.expected(table, number, &position),
                },
            );
        });
    }
}

impl<G: Scored + Indexed> InParts<'_, G> {
    /// What the rules and the children make of an unfinished position.
    fn expected(&self, table: &Table, number: u64, position: &G::Position) -> Examined {
        let part = part_of(&self.ends, number);
        let begin = part.checked_sub(1).map_or(0, |before| self.ends[before]);
        let end = self.ends[part];
        let mut all: Vec<Ranked> = Vec::with_capacity(16);
        let (mut late, mut missing) = (None, false);
        self.game.child_numbers(position, &mut |child, step: Step| {
            let stays = (begin..end).contains(&child);
            if child >= end || stays && step.gain != 0 {
                late.get_or_insert(child);
                return;
            }
            match (table.get(child), table.rank(child)) {
                (Some(value), Some(rank)) => all.push((value.back(step), if stays { rank } else { 0 })),
                _ => missing = true,
            }
        });
        match late {
            Some(child) => Examined::Late(child),
            None => Examined::Ranked(best_ranked(&all).filter(|_| !missing)),
        }
    }
}
