//! Tables of games from rules files whose positions are indexed by a formula.

use std::ops::Range;

use grundy_core::game::{Indexed, Notation};
use grundy_core::value::Step;
use grundy_tables::discovered::{Numbered, Packed, Reached, each_within};
use grundy_tables::layers::{Acyclic, Order};

use crate::game::Rules;
use crate::numbering::Numbering;
use crate::position::Position;

impl Rules {
    /// Returns the index of the declared bound that a position breaks.
    pub(crate) fn broken_bound(&self, position: &Position) -> Option<usize> {
        let most = &self.program.directives.most;
        most.iter().position(|&(piece, most)| self.pieces_of(position, piece) > most as usize)
    }

    /// Returns the number of these pieces on the board.
    fn pieces_of(&self, position: &Position, piece: u8) -> usize {
        let (cells, _) = position.data.split_at(self.program.board.cells());
        cells.iter().filter(|&&other| other == piece).count()
    }

    /// Returns the declared bound that a position breaks, in words.
    pub fn beyond(&self, position: &Position) -> Option<String> {
        let (piece, most) = self.program.directives.most[self.broken_bound(position)?];
        let (name, count) = (&self.program.pieces[usize::from(piece)], self.pieces_of(position, piece));
        let example = self.write_position(position);
        Some(format!("`//@ rank {name}<={most}` does not hold: {count} of `{name}` come at {example}"))
    }

    /// Returns why a packed position has no index.
    #[cold]
    fn unnumbered(&self, code: u128) -> String {
        let position = self.unpack(code);
        let broken = self.beyond(&position);
        broken.unwrap_or_else(|| format!("{} has no number", self.write_position(&position)))
    }
}

impl Indexed for Rules {
    fn size(&self) -> u64 {
        self.numbering().map_or(u64::MAX, Numbering::size)
    }

    fn index(&self, position: &Position) -> u64 {
        self.pack(position).and_then(|code| self.number(code).ok()).unwrap_or(u64::MAX)
    }

    /// Returns `None` for every position that was not found, once positions were found.
    fn position(&self, index: u64) -> Option<Position> {
        if self.reached.get().is_some_and(|reached| !reached.has(index)) {
            return None;
        }
        let packing = self.packing.as_ref()?;
        let code = self.numbering().ok()?.code(packing, index)?;
        (self.canonical().least(packing, code) == code).then(|| self.unpack(code))
    }

    fn checksum(&self) -> u64 {
        let numbering = self.numbering().map_or(0, Numbering::checksum);
        self.program.checksum() ^ numbering.rotate_left(1)
    }

    fn walk(&self, range: Range<u64>, visit: &mut impl FnMut(u64, Position)) {
        each_within(self.reached.get(), range, &mut |number| {
            if let Some(position) = self.position(number) {
                visit(number, position);
            }
        });
    }

    fn child_indices(&self, position: &Position, visit: &mut impl FnMut(u64, Step)) {
        let Some(packing) = &self.packing else { return };
        self.with(|machine| {
            self.load(position, machine);
            let (entry, cell) = (position.entry, position.cell);
            let code = packing.pack(&machine.cells, &machine.variables, entry, cell);
            self.children(machine, packing, (code, entry, cell), &mut |child, step| {
                visit(self.number(child).unwrap_or(u64::MAX), step);
            });
        });
    }
}

impl Acyclic for Rules {
    fn order(&self) -> Order {
        Order::Layers(self.numbering().map_or(Vec::new(), |numbering| numbering.waves().to_vec()))
    }
}

impl Numbered for Rules {
    fn is_numbered(&self) -> bool {
        self.numbering().is_ok()
    }

    fn is_acyclic(&self) -> bool {
        self.numbering().is_ok_and(|numbering| !numbering.waves().is_empty())
    }

    fn number(&self, code: u128) -> Result<u64, String> {
        let number = self.packing.as_ref().zip(self.numbering().ok());
        number
            .and_then(|(packing, numbering)| numbering.number(packing, code))
            .ok_or_else(|| self.unnumbered(code))
    }

    fn reached(&self) -> Option<&Reached> {
        self.reached.get()
    }

    fn keep_reached(&self, reached: Reached) {
        let _ = self.reached.set(reached);
    }
}
