//! One tier as a part for retrograde analysis, and as the subject of a proof.

use std::ops::Range;
use std::sync::Arc;

use grundy_core::game::{MORE, children};
use grundy_core::table::{Table, Width};
use grundy_core::value::{Step, Unit, Value};

use super::ability::{Tiered, see};
use crate::backup::{Backup, Examined};
use crate::retrograde::{Backward, Part, Sights};
use crate::verify::Subject;

/// The tables that the proof of a tier rests on, in words.
pub(super) const GIVEN: &str = "the tables of the tiers that its moves lead to";

/// A finished tier: its states and its table.
pub type FinishedTier = (Range<u64>, Arc<Table>);

/// Returns the value of a state in one of these tiers.
pub(super) fn value_in(finished: &[FinishedTier], number: u64) -> Option<Value> {
    let (numbers, table) = finished.iter().find(|(numbers, _)| numbers.contains(&number))?;
    table.get(number - numbers.start)
}

/// Finished tiers, prepared for the moves out of a tier.
struct Ways<'a>(Vec<Way<'a>>);

/// A finished tier.
struct Way<'a> {
    numbers: Range<u64>,
    table: &'a Table,
    /// Its cells of one byte, or of two, if they are in memory.
    bytes: &'a [u8],
    pairs: &'a [[u8; 2]],
    /// By the code of a position: its value for the opponent, who has moved there.
    back: Vec<Option<Value>>,
}

/// Number of codes with a precomputed value.
const CODES: u32 = 1 << 10;

impl<'a> Way<'a> {
    fn new((numbers, table): &'a FinishedTier) -> Way<'a> {
        let coding = table.coding();
        let cells = table.cells().filter(|_| coding.meaning.has_distances()).unwrap_or_default();
        let (bytes, pairs): (&[u8], &[[u8; 2]]) = match coding.width {
            Width::One => (cells, &[]),
            Width::Two => (&[], cells.as_chunks().0),
            _ => (&[], &[]),
        };
        let codes = 0..CODES.min(coding.width.max_code().saturating_add(1));
        let back = codes.map(|code| Some(coding.decode(code)?.back(Step::PASSED))).collect();
        Way { numbers: numbers.clone(), table, bytes, pairs, back }
    }

    /// Returns the code of a state of the tier, if its cells are in memory.
    #[inline]
    fn code(&self, at: usize) -> Option<usize> {
        match self.bytes.get(at) {
            Some(&code) => Some(code.into()),
            None => self.pairs.get(at).map(|&code| u16::from_le_bytes(code).into()),
        }
    }
}

impl Ways<'_> {
    fn new(finished: &[FinishedTier]) -> Ways<'_> {
        Ways(finished.iter().map(Way::new).collect())
    }

    /// Returns the value of a move to this state; `None` if it is in none of the tiers.
    #[inline]
    fn worth(&self, number: u64, step: Step) -> Option<Value> {
        let way = self.0.iter().find(|way| way.numbers.contains(&number))?;
        let at = number - way.numbers.start;
        if step == Step::PASSED
            && let Some(code) = way.code(at as usize)
            && let Some(&value) = way.back.get(code)
        {
            return value;
        }
        Some(way.table.get(at)?.back(step))
    }
}

/// A tier that is being solved.
pub(super) struct InTier<'a, G> {
    pub(super) game: &'a G,
    pub(super) numbers: Range<u64>,
    /// The tiers to which its moves lead.
    pub(super) exits: Vec<FinishedTier>,
    /// True if there are any.
    pub(super) leaves: bool,
    /// True if moves stay in it.
    pub(super) stays: bool,
}

impl<G: Tiered> Part for InTier<'_, G> {
    fn len(&self) -> u64 {
        self.numbers.end - self.numbers.start
    }

    fn leaves(&self) -> bool {
        self.leaves
    }

    fn stays(&self) -> bool {
        self.stays
    }

    fn look(&self, range: Range<u64>, sights: &mut Sights<'_>) {
        let first = self.numbers.start;
        let ways = Ways::new(&self.exits);
        let worth = |number, step| ways.worth(number, step);
        let mut see = see(self.game, &self.numbers, &worth);
        self.game.walk(first + range.start..first + range.end, &mut |number, position| {
            sights.push(number - first, see(&position));
        });
    }

    fn places(&self) -> u64 {
        self.game.places(&self.numbers)
    }

    fn look_at_places(&self, places: Range<u64>, sights: &mut Sights<'_>) {
        let ways = Ways::new(&self.exits);
        let worth = |number, step| ways.worth(number, step);
        let mut visit = |number, seen| sights.push(number - self.numbers.start, seen);
        self.game.survey(&self.numbers, places, &worth, &mut visit);
    }
}

/// The predecessors within a tier.
pub(super) struct Within<'a, G> {
    pub(super) game: &'a G,
    /// The tier's first number.
    pub(super) first: u64,
}

impl<G: Tiered> Backward for Within<'_, G> {
    #[inline]
    fn visit(&self, number: u64, visit: &mut impl FnMut(u64, bool)) {
        let Some(position) = self.game.position(self.first + number) else { return };
        // The index of an earlier tier wraps around, and is refused as one beyond the table.
        self.game.predecessors_within(&position, &mut |predecessor, turn_passed| {
            visit(predecessor.wrapping_sub(self.first), turn_passed);
        });
    }
}

/// A table of one or more tiers, one behind the other, as the subject of a proof.
pub(super) struct Proved<'a, G> {
    pub(super) game: &'a G,
    /// The states of its tiers.
    pub(super) tiers: Vec<Range<u64>>,
    /// Other tiers to which their moves lead.
    pub(super) exits: Vec<FinishedTier>,
}

impl<G: Tiered> Proved<'_, G> {
    /// Returns the value of a position in the table, in a table that it rests on, or by the rules if it is over.
    fn value(&self, table: &Table, position: &G::Position) -> Option<Value> {
        if let Some(ended) = self.game.over(position) {
            return Some(ended);
        }
        let number = self.game.index(position);
        match self.placed().find(|(_, numbers)| numbers.contains(&number)) {
            Some((first, numbers)) => table.get(first + number - numbers.start),
            None => value_in(&self.exits, number),
        }
    }

    /// Returns each tier's first index in the table with its states.
    fn placed(&self) -> impl Iterator<Item = (u64, &Range<u64>)> {
        self.tiers.iter().scan(0, |next, numbers| {
            let first = *next;
            *next += numbers.end - numbers.start;
            Some((first, numbers))
        })
    }
}

impl<G: Tiered> Subject for Proved<'_, G> {
    fn count(&self) -> u64 {
        self.tiers.iter().map(|numbers| numbers.end - numbers.start).sum()
    }

    fn unit(&self) -> Unit {
        self.game.unit()
    }

    fn loose(&self) -> bool {
        self.game.loose()
    }

    fn ordered(&self) -> bool {
        false
    }

    fn given(&self) -> Option<String> {
        (!self.exits.is_empty()).then(|| GIVEN.to_owned())
    }

    fn examine(&self, table: &Table, range: Range<u64>, visit: &mut dyn FnMut(u64, Examined)) {
        for (first, numbers) in self.placed() {
            let len = numbers.end - numbers.start;
            let (begin, end) = (range.start.max(first) - first, range.end.clamp(first, first + len) - first);
            if begin >= end {
                continue;
            }
            self.game.walk(numbers.start + begin..numbers.start + end, &mut |number, position| {
                let examined = match self.game.over(&position) {
                    Some(ended) => Examined::Over(ended),
                    None => self.open(table, &position),
                };
                visit(number - numbers.start + first, examined);
            });
        }
    }
}

impl<G: Tiered> Proved<'_, G> {
    /// Returns what the children of an unfinished position leave to its mover.
    fn open(&self, table: &Table, position: &G::Position) -> Examined {
        let mut backup = Backup::new(0, None, false);
        // By the rules alone: the exits that the game supplies are part of what is proved.
        let _ = children(self.game, position, &mut |_, child, step| {
            backup.add_worth(self.value(table, &child).map(|value| (value.back(step), 0)));
            MORE
        });
        backup.examined()
    }
}
