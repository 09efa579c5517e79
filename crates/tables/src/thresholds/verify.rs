//! The proof of a table of margins with ranks.
//!
//! Three things are checked. Every margin is the best of the moves. Every move stays in its part without a gain, or leads
//! to an earlier part. The ranks of margins other than 0 fall: if the mover is ahead, a move with the margin leaves the
//! part, ends the game, or leads to a lower rank; if the mover is behind, every move with the margin does. Then every
//! margin is the value.
//!
//! *Proof*, by induction on the parts: those of earlier parts are the values. A player who is ahead gets the margin: play
//! by ranks lowers them until the part is left or the game ends with this margin, unless the opponent gives more; margins
//! are bounded integers, so that this happens finitely often. Nobody gets more than the margin: the opponent answers so
//! that it does not grow, until the part is left. If it never is, nothing is gained any more, and the margin of the player
//! who wanted more is not negative.

use grundy_core::game::Scored;
use grundy_core::table::{Coding, Meaning, Table};
use grundy_session::{Assurance, SolveError, VerifyError, Work};

use super::ability::Parted;
use crate::parts::Parts;
use crate::verify::verify_in_parts;

/// Checks every checksum and then every position, as above. Needs no memory beside that of the table,
/// which is unpacked into memory if it fits.
///
/// # Errors
/// The first doubt, lowest index first.
pub fn verify<G: Scored + Parted>(
    game: &G,
    table: &Table,
    work: &Work<'_>,
) -> Result<Assurance, VerifyError> {
    let ends = game.parts();
    if ends.last() != Some(&game.size()) || !ends.is_sorted() {
        return Err(VerifyError::Work(SolveError::Broken(
            "the parts of the game are out of order".to_owned(),
        )));
    }
    let found = table.coding();
    VerifyError::unless_coded(found, Coding { meaning: Meaning::Ranked, ..found })?;
    verify_in_parts(game, Some(&Parts::by_ends(&ends)), table, work)
}
