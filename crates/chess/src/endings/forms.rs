//! The forms of layouts as one type, so that the solver is compiled once.

use super::file_layout::FileLayout;
use super::layout::Planes;
use grundy_tables::superposed::{BitRow, Code, Exits, Isa, Lanes, Leaving, Superposed, WordCodes};

/// An ending laid out, or a part of one.
#[expect(clippy::large_enum_variant, reason = "there is one at a time, and the inner loops read it")]
pub enum Layout {
    /// As a whole, or a slice.
    Planes(Planes),
    /// With a pawn on one file.
    File(FileLayout),
}

/// Calls a method of whichever form it is.
macro_rules! either {
    ($self:ident, $form:ident, $($call:tt)*) => {
        match $self {
            Self::Planes($form) => $form.$($call)*,
            Self::File($form) => $form.$($call)*,
        }
    };
}

impl Superposed for Layout {
    fn blocks(&self) -> usize {
        either!(self, form, blocks())
    }

    fn rows(&self) -> usize {
        either!(self, form, rows())
    }

    fn frame(&self, block: usize, legal: [&mut [BitRow]; 2], lost_if_stuck: [&mut [BitRow]; 2]) {
        either!(self, form, frame(block, legal, lost_if_stuck));
    }

    fn fill_exits(&self, side: usize, block: usize, cells: &mut [WordCodes]) {
        either!(self, form, fill_exits(side, block, cells));
    }

    #[inline(always)]
    fn exits<L: Lanes>(
        &self,
        side: usize,
        block: usize,
        which: Exits,
        visit: impl FnMut(usize, u64),
    ) -> bool {
        either!(self, form, exits::<L>(side, block, which, visit))
    }

    fn has_exits(&self, side: usize, block: usize, code: Code) -> bool {
        either!(self, form, has_exits(side, block, code))
    }

    fn longest_exit(&self) -> u32 {
        either!(self, form, longest_exit())
    }

    fn leaving(&self, side: usize) -> Option<&Leaving> {
        either!(self, form, leaving(side))
    }

    fn resets(&self) -> bool {
        either!(self, form, resets())
    }

    fn reach(&self, side: usize, block: usize, live: &[u64]) -> u64 {
        either!(self, form, reach(side, block, live))
    }

    fn unmoves(
        &self,
        isa: Isa,
        side: usize,
        block: usize,
        set: &[BitRow],
        reset: Option<&[BitRow]>,
        live: Option<&[u64]>,
        groups: u64,
        out: &mut [BitRow],
    ) {
        either!(self, form, unmoves(isa, side, block, set, reset, live, groups, out));
    }
}
