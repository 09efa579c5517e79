//! The proof of a table of discovered positions, by the same checks as that of every other table.
//!
//! Which positions there are may come from a file that somebody else wrote. Nothing about them is believed that the proof
//! rests on: the start must be among them, and every move of each must lead to another, so that all positions that can be
//! reached are there. Which component a position is in is believed as it stands, since any order in which moves never lead
//! upwards will do.

use std::ops::Range;

use grundy_core::table::{Coding, Meaning, Table, Width};
use grundy_core::value::Unit;
use grundy_session::{Belief, Doubt, SolveError, Work};

use super::find::Found;
use super::keys::Places;
use super::order::Order;
use super::packed::Packed;
use crate::ranked::best_ranked;
use crate::verify::{Check, Examined, Subject, checked};

/// Checks every checksum and then every position.
///
/// # Errors
/// The first doubt, lowest number first.
pub(super) fn verify<G: Packed>(
    game: &G,
    found: &Found,
    table: &Table,
    work: &Work<'_>,
) -> Result<Belief, Doubt> {
    let broken = |what: &str| Doubt::Work(SolveError::Broken(what.to_owned()));
    let start = game.pack(&game.start()).and_then(|start| found.keys.find(start));
    if start.is_none() {
        return Err(broken("the start is not among the positions"));
    }
    let order = Order::new(&found.components);
    let coding = table.coding();
    // Where components lead to themselves, ranks stand beside margins unless gains within a component forbid it.
    let meanings: &[Meaning] = match (game.unit(), order.is_acyclic()) {
        (Unit::Outcome, _) => &[Meaning::Distance],
        (Unit::Points | Unit::Fractions(_), true) => &[Meaning::Points],
        (Unit::Points | Unit::Fractions(_), false) => &[Meaning::Ranked, Meaning::Points],
    };
    if !meanings.contains(&coding.meaning) {
        let width = coding.width.max(Width::One);
        return Err(Doubt::Coding { found: coding, expected: Coding { meaning: meanings[0], width } });
    }
    let loaded = checked(table, work)?;
    let table = loaded.as_ref().unwrap_or(table);
    let ordered = order.is_acyclic() || coding.meaning == Meaning::Ranked;
    let subject = Listed { game, found, places: Places::new(&found.keys), order, ordered };
    let belief = Check { subject: &subject, table, work }.run()?;
    // Where a rule has run away not all moves of a position were seen.
    match game.fault() {
        Some(fault) => Err(Doubt::Work(SolveError::Broken(fault))),
        None => Ok(belief),
    }
}

/// The positions that were found.
struct Listed<'a, G> {
    game: &'a G,
    found: &'a Found,
    places: Places,
    order: Order,
    /// Whether moves are compared with the order of the components.
    ordered: bool,
}

impl<G: Packed> Subject for Listed<'_, G> {
    fn count(&self) -> u64 {
        self.found.keys.len() as u64
    }

    fn unit(&self) -> Unit {
        self.game.unit()
    }

    fn loose(&self) -> bool {
        false
    }

    fn ordered(&self) -> bool {
        self.ordered
    }

    fn examine(&self, table: &Table, range: Range<u64>, visit: &mut dyn FnMut(u64, Examined)) {
        let meaning = table.coding().meaning;
        for number in range {
            visit(
                number,
                match meaning {
                    Meaning::Ranked => self.ranked(table, number as usize),
                    _ => self.open(table, number as usize),
                },
            );
        }
    }
}

impl<G: Packed> Listed<'_, G> {
    /// What the rules and the children's values make of a position; in a game for points without components that lead
    /// to themselves every move must lead to an earlier component.
    fn open(&self, table: &Table, number: usize) -> Examined {
        let falls = self.ordered && self.game.unit().is_points();
        let own = self.order.component(number);
        let (mut best, mut missing, mut late) = (None, false, None);
        let over = self.game.expand(self.found.keys.get(number), &mut |child, step| {
            let Some(child) = self.places.find(&self.found.keys, child) else {
                missing = true;
                return;
            };
            if falls && self.order.component(child) >= own {
                late.get_or_insert(child as u64);
            }
            match table.get(child as u64) {
                Some(value) => best = best.max(Some(value.back(step))),
                None => missing = true,
            }
        });
        match (over, late) {
            (Some(ended), _) => Examined::Over(ended),
            (None, Some(child)) => Examined::Late(child),
            (None, None) => Examined::Open(best.filter(|_| !missing)),
        }
    }

    /// What the rules and the children make of a position's margin and rank: a move that stays in its component gains
    /// nothing, others lead to earlier components.
    fn ranked(&self, table: &Table, number: usize) -> Examined {
        let own = self.order.component(number);
        let (mut all, mut missing, mut late) = (Vec::with_capacity(16), false, None);
        let over = self.game.expand(self.found.keys.get(number), &mut |child, step| {
            let Some(child) = self.places.find(&self.found.keys, child) else {
                missing = true;
                return;
            };
            let component = self.order.component(child);
            let stays = component == own && self.order.circular(own);
            if component > own || component == own && !stays || stays && step.gain != 0 {
                late.get_or_insert(child as u64);
                return;
            }
            match (table.get(child as u64), table.rank(child as u64)) {
                (Some(value), Some(rank)) => all.push((value.back(step), if stays { rank } else { 0 })),
                _ => missing = true,
            }
        });
        match (over, late) {
            (Some(ended), _) => Examined::Over(ended),
            (None, Some(child)) => Examined::Late(child),
            (None, None) => Examined::Ranked(best_ranked(&all).filter(|_| !missing)),
        }
    }
}
