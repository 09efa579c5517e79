//! Shards of games that do not know their predecessors: every move is sent once, to the shard that holds the position it
//! leads to.

use grundy_core::table::{Checkpoint, Checkpoints, Coding};
use grundy_session::{
    Activity, Assurance, Layout, Next, Outbox, Progress, Shard, SolveError, available_memory,
};

use super::backward::{Backward, Distinct, TakePredecessors};
use crate::asking::{sum, unreadable};
use crate::crew::allocate;
use crate::moves::{ListMoves, Moves};

/// Moves that are collected before they are sent; in tests few, so that rounds end with some buffered.
const BATCH: usize = if cfg!(test) { 12 } else { 1 << 17 };
/// States whose moves are listed in one step.
const PIECE: u64 = if cfg!(test) { 4 } else { 1 << 11 };
/// The most states: a move has 31 bits for the state that it comes from.
const MOST: u64 = 1 << 31;

/// A move seen from its child: twice the index of the predecessor, plus one if the turn passes.
type Edge = u32;

/// Reports whether a move between two states belongs to the reversed graph.
type IsWithin<'a> = Box<dyn Fn(u64, u64) -> bool + 'a>;

/// One shard: first the graph of moves is reversed, then `inner` uses it.
pub(crate) struct GraphShard<'a, S> {
    inner: S,
    is_within: IsWithin<'a>,
    moves: Box<dyn ListMoves + 'a>,
    layout: Layout,
    part: u32,
    /// The next own cell whose moves are listed.
    at: u64,
    /// For each own block: the offsets that moves lead to, with the moves.
    lists: Vec<Vec<(u32, Edge)>>,
    /// Messages of moves to each shard, not yet sent.
    waiting: Vec<Vec<u8>>,
    collected: usize,
    /// True if the moves of all shards have arrived.
    whole: bool,
    /// States whose moves were sent, in all shards.
    done: u64,
}

impl<'a, S: TakePredecessors<'a>> GraphShard<'a, S> {
    /// Creates a shard that gives `inner` those moves of `moves` for which `is_within` holds.
    ///
    /// # Errors
    /// The graph has too many states.
    pub(crate) fn new(
        inner: S,
        moves: Box<dyn ListMoves + 'a>,
        is_within: impl Fn(u64, u64) -> bool + 'a,
        part: u32,
    ) -> Result<GraphShard<'a, S>, SolveError> {
        let layout = inner.layout();
        if layout.count() > MOST {
            let why = format!("a graph of {} positions is too large to reverse", layout.count());
            return Err(SolveError::Broken(why));
        }
        Ok(GraphShard {
            inner,
            is_within: Box::new(is_within),
            moves,
            layout,
            part,
            at: 0,
            lists: vec![Vec::new(); layout.own_blocks(part) as usize],
            waiting: vec![Vec::new(); layout.parts() as usize],
            collected: 0,
            whole: false,
            done: 0,
        })
    }

    /// Lists the moves of a few positions; returns whether more are left.
    fn list(&mut self, out: &mut Outbox) -> Result<bool, SolveError> {
        let Self { layout, part, .. } = *self;
        let len = layout.cells(part);
        if self.at < len {
            let piece = PIECE.min(1 << layout.shift()).min(len - self.at);
            let first = layout.number(part, self.at);
            self.at += piece;
            let mut moves = Moves::default();
            self.moves.list(first..first + piece, &mut moves);
            let mut distinct = Distinct::new();
            for (place, position) in moves.positions.iter().enumerate() {
                distinct.clear();
                for &(child, step) in &moves.children[moves.of(place)] {
                    let within = (self.is_within)(position.number, child);
                    if within && distinct.insert(child, step.turn_passed) {
                        let edge = (position.number as Edge) << 1 | Edge::from(step.turn_passed);
                        self.add(child, edge)?;
                    }
                }
            }
        }
        let more = self.at < len;
        if !more || self.collected >= BATCH {
            self.collected = 0;
            for (to, message) in (0..).zip(&mut self.waiting).filter(|(_, message)| !message.is_empty()) {
                out.send(to, std::mem::take(message));
            }
        }
        Ok(more)
    }

    /// Stores a move to an own position; collects one to another shard.
    fn add(&mut self, child: u64, edge: Edge) -> Result<(), SolveError> {
        if child >= self.layout.count() {
            let why = format!("a move leads to index {child}, which is beyond the table");
            return Err(SolveError::Broken(why));
        }
        let (owner, cell) = self.layout.locate(child);
        if owner == self.part {
            return self.keep_move(cell, edge);
        }
        let message = &mut self.waiting[owner as usize];
        message.extend((cell as u32).to_le_bytes());
        message.extend(edge.to_le_bytes());
        self.collected += 1;
        Ok(())
    }

    fn keep_move(&mut self, cell: u64, edge: Edge) -> Result<(), SolveError> {
        let offset = cell & ((1 << self.layout.shift()) - 1);
        let list = self.lists.get_mut((cell >> self.layout.shift()) as usize).ok_or_else(unreadable)?;
        if list.len() == list.capacity() {
            // Grow by a quarter: little is left unused.
            let more = (list.len() / 4).max(64);
            list.try_reserve_exact(more).map_err(|_| SolveError::TooLarge {
                needed: (list.len() + more) as u64 * 8,
                limit: available_memory().unwrap_or(0),
            })?;
        }
        list.push((offset as u32, edge));
        Ok(())
    }

    /// Sorts the moves by their children.
    fn reverse(&mut self) -> Result<(), SolveError> {
        let mut blocks = Vec::with_capacity(self.lists.len());
        let cells = self.layout.cells(self.part);
        for (own, list) in (0..).zip(std::mem::take(&mut self.lists)) {
            let begin: u64 = own << self.layout.shift();
            let len = (cells - begin).min(1 << self.layout.shift());
            blocks.push(Block::new(len, list)?);
        }
        self.inner.set_predecessors(Box::new(MovesTo { layout: self.layout, blocks }));
        self.whole = true;
        Ok(())
    }
}

/// The moves that lead to the positions of a block.
struct Block {
    /// The first edge of each position; they end where those of the next one begin.
    begins: Vec<u32>,
    edges: Vec<Edge>,
}

impl Block {
    fn new(len: u64, moves: Vec<(u32, Edge)>) -> Result<Block, SolveError> {
        if moves.len() > u32::MAX as usize {
            return Err(SolveError::Broken("a block of positions has too many moves".to_owned()));
        }
        let mut begins = allocate(len + 1, 0u32)?;
        for &(to, _) in &moves {
            *begins.get_mut(to as usize + 1).ok_or_else(unreadable)? += 1;
        }
        for at in 1..begins.len() {
            begins[at] += begins[at - 1];
        }
        let mut edges = allocate(moves.len() as u64, 0)?;
        // Storing an edge moves the begin of its position to that of the next one; corrected below.
        for (to, edge) in moves {
            let at = &mut begins[to as usize];
            edges[*at as usize] = edge;
            *at += 1;
        }
        begins.rotate_right(1);
        if let Some(first) = begins.first_mut() {
            *first = 0;
        }
        Ok(Block { begins, edges })
    }
}

/// The moves that lead to the own positions of a shard.
pub(crate) struct MovesTo {
    layout: Layout,
    blocks: Vec<Block>,
}

impl MovesTo {
    /// Creates an empty graph, to be replaced when the moves are known.
    pub(crate) fn none() -> MovesTo {
        MovesTo { layout: Layout::new(0, 2, 1), blocks: Vec::new() }
    }
}

impl Backward for MovesTo {
    fn visit(&self, number: u64, visit: &mut impl FnMut(u64, bool)) {
        let (_, cell) = self.layout.locate(number);
        let Some(block) = self.blocks.get((cell >> self.layout.shift()) as usize) else { return };
        let at = (cell & ((1 << self.layout.shift()) - 1)) as usize;
        let edges = &block.edges[block.begins[at] as usize..block.begins[at + 1] as usize];
        edges.iter().for_each(|edge| visit(u64::from(edge >> 1), edge & 1 == 1));
    }
}

impl<'a, S: TakePredecessors<'a>> Shard for GraphShard<'a, S> {
    fn layout(&self) -> Layout {
        self.layout
    }

    fn bytes_each(&self) -> u64 {
        self.inner.bytes_each()
    }

    fn work(&mut self, out: &mut Outbox) -> Result<bool, SolveError> {
        if self.whole { self.inner.work(out) } else { self.list(out) }
    }

    fn take(&mut self, from: u32, message: &[u8], out: &mut Outbox) -> Result<(), SolveError> {
        if self.whole {
            return self.inner.take(from, message, out);
        }
        let (moves, []) = message.as_chunks::<8>() else { return Err(unreadable()) };
        let cells = self.layout.cells(self.part);
        moves.iter().try_for_each(|&[a, b, c, d, rest @ ..]| {
            let cell = u64::from(u32::from_le_bytes([a, b, c, d]));
            if cell < cells { self.keep_move(cell, Edge::from_le_bytes(rest)) } else { Err(unreadable()) }
        })
    }

    fn report(&mut self) -> Vec<u64> {
        if self.whole {
            return self.inner.report();
        }
        vec![u64::from(self.at < self.layout.cells(self.part)), self.at]
    }

    fn next(&mut self, reports: &[Vec<u64>]) -> Result<Next, SolveError> {
        if self.whole {
            return self.inner.next(reports);
        }
        self.done = sum(reports, 1)?;
        if sum(reports, 0)? == 0 {
            self.reverse()?;
        }
        Ok(Next::Round)
    }

    fn progress(&self) -> Progress {
        if self.whole {
            return self.inner.progress();
        }
        Progress {
            what: Activity::Other("reversing moves".into()),
            done: self.done,
            total: self.layout.count(),
        }
    }

    // The moves are not saved: a later run lists them again.
    fn keep(&self, checkpoints: &mut dyn Checkpoints) {
        self.inner.keep(checkpoints);
    }

    fn go_on(&mut self, kept: Checkpoint) -> bool {
        self.inner.go_on(kept)
    }

    fn coding(&self) -> Coding {
        self.inner.coding()
    }

    fn copy(&self, offset: u64, into: &mut [u8]) {
        self.inner.copy(offset, into);
    }

    fn prove(&mut self) {
        self.inner.prove();
    }

    fn assurance(&self) -> Assurance {
        self.inner.assurance()
    }
}
