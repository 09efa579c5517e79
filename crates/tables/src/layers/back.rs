//! Values seen one move back, by the code of the child.

use grundy_core::table::{Coding, Meaning, Width};
use grundy_core::value::{Step, Value};

/// Raw values one move back, nothing gained, by the one-byte codes of the children: first if the mover keeps the turn, then
/// if it passes. `i32::MIN` stands for a hole.
pub(super) type BackRows = [[i32; 256]; 2];

/// Computes the rows of a coding.
pub(super) fn back_rows(coding: Coding) -> BackRows {
    let raw = |turn_passed: bool, code: u32| {
        let value = coding.decode(code).map(|value| value.back(Step { turn_passed, gain: 0 }));
        value.map_or(i32::MIN, Value::raw)
    };
    [false, true].map(|turn_passed| std::array::from_fn(|code| raw(turn_passed, code as u32)))
}

/// Raw values one move back, by the codes of the children; precomputed for one-byte cells.
pub(super) enum Back {
    /// Values of a game for points: the gain is added.
    Points(Box<BackRows>),
    /// Values of a game without gains.
    Distance(Box<BackRows>),
    /// Computed each time.
    Wide(Coding),
}

impl Back {
    pub(super) fn new(coding: Coding) -> Back {
        match (coding.width, coding.meaning) {
            (Width::One, Meaning::Points) => Back::Points(Box::new(back_rows(coding))),
            (Width::One, _) => Back::Distance(Box::new(back_rows(coding))),
            _ => Back::Wide(coding),
        }
    }

    /// Returns the raw value, seen by the mover, of a child with this code; `i32::MIN` for a hole.
    #[inline]
    pub(super) fn back(&self, code: u32, step: Step) -> i32 {
        let at = |rows: &BackRows| rows[usize::from(step.turn_passed)][(code & 0xFF) as usize];
        match self {
            Back::Distance(rows) => at(rows),
            Back::Points(rows) => at(rows).saturating_add(step.gain),
            Back::Wide(coding) => coding.decode(code).map_or(i32::MIN, |value| value.back(step).raw()),
        }
    }
}
