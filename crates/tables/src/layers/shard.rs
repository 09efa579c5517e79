//! Filling by layers in shards: each fills its own states of a layer, and asks the other shards for the values of the
//! children that they hold.

use std::collections::VecDeque;
use std::ops::Range;

use grundy_core::game::Scored;
use grundy_core::table::{Checkpoint, Checkpoints, Coding, HOLE, Meaning, Snapshot, Width};
use grundy_core::value::{Unit, Value};
use grundy_session::{Assurance, Layout, Next, Outbox, Progress, Shard, SolveError};

use super::ability::{Acyclic, Order};
use super::back::Back;
use super::fault::{BEYOND, broken};
use crate::asking::{Message, Pending, Questions, answer, cells, read, unreadable};
use crate::codes::Codes;
use crate::crew::allocate;
use crate::fault::{Fault, wider};
use crate::moves::{ListMoves, Moves, MovesOf};
use crate::parts::{Part, Parts};
use crate::prover::Prover;

/// A block has at most `2^BLOCK` states; in tests few, so that a table has many blocks.
const BLOCK: u32 = if cfg!(test) { 3 } else { 14 };
/// States of a layer that are filled in one step, if no move leads from one to another.
const PIECE: u64 = if cfg!(test) { 3 } else { 1 << 11 };
/// Cells of the largest shard: a question has 32 bits for a cell.
const MOST_CELLS: u64 = 1 << 32;

/// One shard.
pub(crate) struct LayersShard<'a> {
    moves: Box<dyn ListMoves + 'a>,
    prover: Prover<'a>,
    proving: bool,
    layout: Layout,
    part: u32,
    /// The layers, or the order of the single states.
    parts: Parts,
    coding: Coding,
    back: Back,
    cells: Codes,
    questions: Questions,
    /// The layer that is being filled.
    layer: u64,
    /// The own pieces of it that are left.
    pieces: VecDeque<Range<u64>>,
    /// Number of own pieces of it that are filled.
    filled: u64,
    /// True if some value did not fit its cell.
    too_wide: bool,
}

impl<'a> LayersShard<'a> {
    /// Creates shard `dealt.0` of `dealt.1` of a game's table.
    ///
    /// # Errors
    /// The layers do not cover every state once, or the shard has too many cells.
    pub(crate) fn new<G: Scored + Acyclic>(
        game: &'a G,
        dealt: (u32, u32),
    ) -> Result<LayersShard<'a>, SolveError> {
        let count = game.size();
        let moves = [(); 2].map(|()| Box::new(MovesOf { game }) as Box<dyn ListMoves>);
        LayersShard::of(count, game.unit(), game.loose(), Parts::by_order(game.order(), count)?, moves, dealt)
    }

    /// Creates a shard of a table with these layers. The moves are listed twice: for the values, and for the proof.
    ///
    /// # Errors
    /// As [`LayersShard::new`].
    pub(crate) fn in_layers(
        count: u64,
        unit: Unit,
        layers: Vec<Part>,
        moves: [Box<dyn ListMoves + 'a>; 2],
        dealt: (u32, u32),
    ) -> Result<LayersShard<'a>, SolveError> {
        LayersShard::of(count, unit, false, Parts::new(layers).covering(count)?, moves, dealt)
    }

    fn of(
        count: u64,
        unit: Unit,
        loose: bool,
        parts: Parts,
        [moves, proof]: [Box<dyn ListMoves + 'a>; 2],
        (part, shards): (u32, u32),
    ) -> Result<LayersShard<'a>, SolveError> {
        let few = |shift: &u32| count >> shift >= 8 * u64::from(shards);
        let layout = Layout::new(count, (2..=BLOCK).rev().find(few).unwrap_or(2), shards);
        let len = layout.cells(part);
        if len > MOST_CELLS {
            let why =
                format!("{len} positions are too many for one of {shards} shards: expected more of these");
            return Err(SolveError::Broken(why));
        }
        let meaning = if unit.is_points() { Meaning::Points } else { Meaning::Distance };
        let coding = Coding { meaning, width: Width::One };
        let proved = (meaning == Meaning::Points).then(|| parts.clone());
        let mut shard = LayersShard {
            moves,
            prover: Prover::new(proof, layout, part, loose, proved),
            proving: false,
            layout,
            part,
            parts,
            coding,
            back: Back::new(coding),
            cells: Codes::default(),
            questions: Questions::new(1),
            layer: 0,
            pieces: VecDeque::new(),
            filled: 0,
            too_wide: false,
        };
        shard.begin(Width::One);
        Ok(shard)
    }

    /// Begins again with empty cells of a width. Their memory is allocated when the first is filled, so that a checkpoint
    /// can be read before.
    fn begin(&mut self, width: Width) {
        self.coding.width = width;
        self.back = Back::new(self.coding);
        self.cells.bytes = Vec::new();
        self.too_wide = false;
        self.begin_layer(0);
    }

    fn make_room(&mut self) -> Result<(), SolveError> {
        if self.cells.bytes.is_empty() {
            let bytes = self.coding.width.bytes(self.layout.cells(self.part)).unwrap_or(u64::MAX);
            self.cells.bytes = allocate(bytes, HOLE as u8)?;
        }
        Ok(())
    }

    /// Returns the number of layers. If every state may lead to all before it, each block is a layer.
    fn layers(&self) -> u64 {
        match self.parts.order() {
            None => self.parts.list().len() as u64,
            Some(Order::Subsets) => {
                u64::from(u64::BITS - self.layout.blocks().saturating_sub(1).leading_zeros()) + 1
            }
            Some(_) => self.layout.blocks(),
        }
    }

    fn begin_layer(&mut self, layer: u64) {
        let Self { layout, part, .. } = *self;
        let own = |&block: &u64| layout.place(block).0 == part;
        let range = |block: u64| layout.block(block);
        self.layer = layer;
        self.filled = 0;
        self.pieces = match self.parts.order() {
            _ if layer >= self.layers() => VecDeque::new(),
            Some(Order::Higher) => [layout.blocks() - 1 - layer].into_iter().filter(own).map(range).collect(),
            Some(Order::Subsets) => {
                let same = |block: &u64| u64::from(block.count_ones()) == layer;
                (0..layout.blocks()).filter(own).filter(same).map(range).collect()
            }
            Some(_) => [layer].into_iter().filter(own).map(range).collect(),
            None => self.parts.list()[layer as usize]
                .ranges
                .iter()
                .flat_map(|all| {
                    let blocks = all.start >> layout.shift()..all.end.div_ceil(1 << layout.shift());
                    let cut = |block: Range<u64>| block.start.max(all.start)..block.end.min(all.end);
                    blocks.filter(own).map(range).map(cut).filter(|range| !range.is_empty())
                })
                .flat_map(|all| {
                    let begins = all.clone().step_by(PIECE as usize);
                    begins.map(move |begin| begin..all.end.min(begin + PIECE))
                })
                .collect(),
        };
    }

    /// Fills a piece of the layer, or asks for the values that it needs.
    fn piece(&mut self, piece: Range<u64>, out: &mut Outbox) -> Result<(), SolveError> {
        let Self { layout, part, coding, .. } = *self;
        let mut moves = Moves::default();
        self.moves.list(piece.clone(), &mut moves);
        // Children in the same piece have their values when the piece is filled.
        let later = if self.parts.order().is_some() { piece } else { 0..0 };
        let own = |cell, _| self.cells.get(coding.width, cell as usize);
        match self.questions.ask(layout, part, moves, |child| later.contains(&child), own, out)? {
            Some(known) => self.fill(&known),
            None => Ok(()),
        }
    }

    /// Fills the cells of positions whose children in other shards are known.
    fn fill(&mut self, known: &Pending) -> Result<(), SolveError> {
        let filled = match self.parts.order() {
            Some(Order::Higher) => {
                (0..known.moves.positions.len()).rev().try_for_each(|at| self.set(known, at))
            }
            _ => (0..known.moves.positions.len()).try_for_each(|at| self.set(known, at)),
        };
        match filled {
            Err(Fault::Error(error)) => Err(error),
            Err(Fault::TooWide) | Ok(()) => Ok(()),
        }
    }

    fn set(&mut self, known: &Pending, at: usize) -> Result<(), Fault> {
        let Self { layout, coding, .. } = *self;
        let place = &known.moves.positions[at];
        let (number, children) = (place.number, known.moves.of(at));
        let value = match place.over {
            Some(value) => value,
            None => {
                let mut best = i32::MIN;
                for (&(child, step), &code) in
                    known.moves.children[children.clone()].iter().zip(&known.codes[children])
                {
                    // A child that was not asked for lies in the same piece.
                    let inside = || self.cells.get(coding.width, layout.locate(child).1 as usize);
                    let code =
                        if code == HOLE && layout.locate(child).0 == self.part { inside() } else { code };
                    if code == HOLE {
                        return Err(broken(number, "leads to one that has no value yet"));
                    }
                    best = best.max(self.back.back(code, step));
                }
                if best == i32::MIN {
                    return Err(broken(number, "has no moves, yet it is not over"));
                }
                Value::from_raw(best)
            }
        };
        let code = self.coding.encode(value).unwrap_or_else(|| {
            // All is computed again with wider cells: any value will do until then.
            self.too_wide = true;
            1
        });
        self.cells.set(coding.width, layout.locate(number).1 as usize, code);
        Ok(())
    }
}

impl Shard for LayersShard<'_> {
    fn layout(&self) -> Layout {
        self.layout
    }

    fn work(&mut self, out: &mut Outbox) -> Result<bool, SolveError> {
        if self.proving {
            return self.prover.work(&self.cells, self.coding, out);
        }
        if let Some(piece) = self.pieces.pop_front() {
            self.make_room()?;
            self.filled += 1;
            self.piece(piece, out)?;
        }
        Ok(!self.pieces.is_empty())
    }

    fn take(&mut self, from: u32, message: &[u8], out: &mut Outbox) -> Result<(), SolveError> {
        let width = self.coding.width;
        if self.proving {
            return self.prover.take(&self.cells, self.coding, from, message, out);
        }
        match read(message)? {
            Message::Ask(id, asked) => {
                out.send(from, answer(id, width, cells(asked).map(|cell| self.cells.get(width, cell))));
                Ok(())
            }
            Message::Answer(id, codes) => match self.questions.answered(from, id, codes, width)? {
                Some(known) => self.fill(&known),
                None => Ok(()),
            },
        }
    }

    fn report(&mut self) -> Vec<u64> {
        if self.proving {
            return self.prover.report(self.coding);
        }
        vec![self.pieces.len() as u64, self.too_wide.into()]
    }

    fn next(&mut self, reports: &[Vec<u64>]) -> Result<Next, SolveError> {
        if self.proving {
            return self.prover.next(reports, self.coding);
        }
        let (mut rest, mut too_wide) = (false, false);
        for report in reports {
            let &[left, wide] = report.as_slice() else { return Err(unreadable()) };
            rest |= left > 0;
            too_wide |= wide > 0;
        }
        if too_wide {
            self.begin(wider(self.coding.width, BEYOND)?);
        } else if !rest {
            self.begin_layer(self.layer + 1);
        }
        Ok(if self.layer < self.layers() { Next::Round } else { Next::Done })
    }

    fn progress(&self) -> Progress {
        if self.proving {
            return self.prover.progress();
        }
        Progress { what: "layers".into(), done: self.layer, total: self.layers() }
    }

    fn keep(&self, checkpoints: &mut dyn Checkpoints) {
        checkpoints.save(&Snapshot {
            stage: &[self.layer, self.filled],
            width: self.coding.width,
            len: self.cells.bytes.len() as u64,
            copy: &|offset, into| self.copy(offset, into),
        });
    }

    fn go_on(&mut self, kept: Checkpoint) -> bool {
        let &[layer, filled] = kept.stage.as_slice() else { return false };
        let bytes = kept.width.bytes(self.layout.cells(self.part));
        if !kept.cells.is_empty() && bytes != Some(kept.cells.len() as u64) {
            return false;
        }
        self.coding.width = kept.width;
        self.back = Back::new(self.coding);
        self.cells.bytes = kept.cells;
        self.begin_layer(layer);
        self.filled = filled;
        self.pieces.drain(..(filled as usize).min(self.pieces.len()));
        true
    }

    fn coding(&self) -> Coding {
        self.coding
    }

    fn copy(&self, offset: u64, into: &mut [u8]) {
        into.copy_from_slice(&self.cells.bytes[offset as usize..][..into.len()]);
    }

    fn prove(&mut self) {
        self.proving = true;
    }

    fn assurance(&self) -> Assurance {
        self.prover.assurance(self.coding)
    }
}
