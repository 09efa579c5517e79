//! The table of a game solved by thresholds, for `solve`, checkpoints and `tables verify`.

use std::ops::Range;
use std::time::{Duration, Instant};

use grundy_core::game::{Notation, Player, Scored};
use grundy_core::table::{Maker, NoCheckpoints, Scratch, Table};
use grundy_core::value::Unit;
use grundy_session::{Assurance, Estimate, Shard, SolveError, Tabled, VerifyError, Work};

use super::ability::Parted;
use super::shard::ThresholdShard;
use super::solve::{memory, solve_parts, solve_resumable};
use super::verify::verify;
use crate::parts::Parts;
use crate::prices::{Prices, Timed};
use crate::table_oracle::{number_in_table, refuse_unnumbered, turns};
use crate::verify::fingerprint;

/// No attempt to measure the speed begins later: each takes a few times as long as those before.
const MEASURED: Duration = Duration::from_secs(2);

/// A game and the full name of its table.
pub(super) struct ThresholdTable<'a, G> {
    pub(super) name: &'a str,
    pub(super) game: &'a G,
}

impl<G: Scored + Parted + Notation> Tabled for ThresholdTable<'_, G> {
    fn name(&self) -> &str {
        self.name
    }

    fn unit(&self) -> Unit {
        self.game.unit()
    }

    fn count(&self) -> u64 {
        self.game.size()
    }

    fn fingerprint(&self) -> u64 {
        fingerprint(self.game)
    }

    fn maker(&self) -> Maker {
        Maker::Thresholds
    }

    fn estimate(&self, _work: &Work<'_>) -> Result<Estimate, SolveError> {
        refuse_unnumbered(self.count())?;
        let count = self.count();
        // The table and a checkpoint, two bytes per state each.
        let disk = count.saturating_mul(4);
        Ok(Estimate { disk, ..Estimate::in_one_piece(count, memory(&self.game.parts())) })
    }

    fn measured(&self, work: &Work<'_>) -> Option<f64> {
        let (ends, work) = (self.game.parts(), &Work { threads: 1, ..*work });
        let began = Instant::now();
        let mut timed = Vec::new();
        // Each attempt solves about four times as many positions as the one before.
        let mut next = 1 << 12;
        while began.elapsed() < MEASURED {
            let parts = ends.partition_point(|&end| end <= next);
            let from = Instant::now();
            let first = ends.get(..parts)?;
            solve_parts(self.game, first, work, &mut NoCheckpoints).ok()?;
            timed.push(Timed { size: *first.last()? as f64, seconds: from.elapsed().as_secs_f64() });
            if parts == ends.len() {
                break;
            }
            next = next.saturating_mul(4);
        }
        Some(Prices::new(timed)?.seconds(self.game.size() as f64))
    }

    fn solve(&self, work: &Work<'_>, scratch: &Scratch) -> Result<Table, SolveError> {
        refuse_unnumbered(self.count())?;
        let mut checkpoints = scratch.checkpoint(self.name, self.fingerprint(), self.count());
        solve_resumable(self.game, work, checkpoints.as_mut())
    }

    fn shard(&self, part: u32, parts: u32) -> Option<Result<Box<dyn Shard + '_>, SolveError>> {
        let made =
            refuse_unnumbered(self.count()).and_then(|()| ThresholdShard::new(self.game, (part, parts)));
        Some(made.map(|made| Box::new(made) as Box<_>))
    }

    fn verify(&self, table: &Table, work: &Work<'_>) -> Result<Assurance, VerifyError> {
        verify(self.game, table, work)
    }

    fn turns(&self, range: Range<u64>, visit: &mut dyn FnMut(u64, Player)) {
        turns(self.game, range, visit);
    }

    fn position(&self, number: u64) -> Option<(Player, String)> {
        let position = self.game.position(number)?;
        Some((self.game.turn(&position), self.game.write_position(&position)))
    }

    fn number(&self, position: &str) -> Option<u64> {
        number_in_table(self.game, position)
    }

    fn sections(&self) -> Vec<(String, Range<u64>)> {
        let parts = Parts::by_ends(&self.game.parts());
        let named =
            parts.list().iter().enumerate().map(|(at, part)| (at.to_string(), part.ranges[0].clone()));
        if parts.list().len() > 1 { named.collect() } else { Vec::new() }
    }
}
