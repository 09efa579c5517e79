//! The proof of a table of discovered positions, by the same checks as that of every other table.
//!
//! The positions may come from a file that somebody else wrote. The proof believes nothing about them: the start must be
//! among them, and every move of each must lead to another, so that all positions that can be reached are there. The
//! components are taken as they are, since any order in which no move leads to a later one will do.

use std::ops::Range;

use grundy_core::table::{Coding, Meaning, Table, Width};
use grundy_core::value::Unit;
use grundy_session::{Assurance, SolveError, VerifyError, Work};

use super::find::Found;
use super::keys::Places;
use super::packed::Packed;
use crate::backup::{Backup, Examined, found};
use crate::parts::Parts;
use crate::verify::{Check, Subject, checked};

/// Checks every checksum and then every position.
///
/// # Errors
/// The first doubt, lowest number first.
pub(super) fn verify<G: Packed>(
    game: &G,
    positions: &Found,
    table: &Table,
    work: &Work<'_>,
) -> Result<Assurance, VerifyError> {
    let broken = |what: &str| VerifyError::Work(SolveError::Broken(what.to_owned()));
    let start = game.pack(&game.start()).and_then(|start| positions.keys.find(start));
    if start.is_none() {
        return Err(broken("the start is not among the positions"));
    }
    let parts = Parts::new(positions.components.clone());
    let coding = table.coding();
    // If a component is cyclic, ranks stand beside margins unless gains within a component forbid it.
    let meanings: &[Meaning] = match (game.unit(), parts.is_acyclic()) {
        (Unit::Outcome, _) => &[Meaning::Distance],
        (Unit::Points | Unit::Fractions(_), true) => &[Meaning::Points],
        (Unit::Points | Unit::Fractions(_), false) => &[Meaning::Ranked, Meaning::Points],
    };
    if !meanings.contains(&coding.meaning) {
        let width = coding.width.max(Width::One);
        return Err(VerifyError::Coding { found: coding, expected: Coding { meaning: meanings[0], width } });
    }
    let loaded = checked(table, work)?;
    let table = loaded.as_ref().unwrap_or(table);
    let points = game.unit().is_points();
    let ordered = parts.is_acyclic() || coding.meaning == Meaning::Ranked;
    let parts = (points && ordered).then_some(parts);
    let subject = Listed { game, positions, places: Places::new(&positions.keys), parts, ordered };
    let assurance = Check { subject: &subject, table, work }.run()?;
    // If a rule did not end, not all moves of a position were seen.
    match game.fault() {
        Some(fault) => Err(VerifyError::Work(SolveError::Broken(fault))),
        None => Ok(assurance),
    }
}

/// The positions that were found.
struct Listed<'a, G> {
    game: &'a G,
    positions: &'a Found,
    places: Places,
    /// The components that every move is compared with, in games for points.
    parts: Option<Parts>,
    /// True if no move leads to a later component.
    ordered: bool,
}

impl<G: Packed> Subject for Listed<'_, G> {
    fn count(&self) -> u64 {
        self.positions.keys.len() as u64
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
        let ranked = table.coding().meaning == Meaning::Ranked;
        let keys = &self.positions.keys;
        for number in range {
            let mut backup = Backup::new(number, self.parts.as_ref(), ranked);
            let over = self.game.expand(keys.get(number as usize), &mut |child, step| {
                match self.places.find(keys, child) {
                    Some(child) => backup.add(child as u64, step, found(table, child as u64, ranked)),
                    // The proof fails here: a child is not among the positions.
                    None => backup.add_worth(None),
                }
            });
            visit(number, over.map_or_else(|| backup.examined(), Examined::Over));
        }
    }
}
