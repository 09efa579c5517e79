//! Endings of three men with pawns, in slices: one pawn is fixed on a square; two men and the kings move.
//!
//! The pawn is on the files a to d, so kings may be anywhere (3,612 pairs). Its own moves lead to slices with the pawn
//! nearer to its last rank, or out of the ending; their best value is computed forwards for every position
//! ([`Leaving`]), and the slices of a file are solved from its seventh rank back to its second. If the other side has
//! pawns too, a slice on the first rank encodes a double step just made: its values are those of the fourth rank, or
//! those of the capture en passant.

use std::ops::Range;
use std::sync::Arc;

use cozy_chess::{BoardBuilder, Color, Piece};
use rustc_hash::FxHashMap;

use super::arrangement::Arrangement;
use super::exits::{Captured, Promoted, STILL, worse};
use super::fixed_pawn::{FixedPawn, FixedPawnTaken};
use super::forms::Layout;
use super::layout::Planes;
use super::link::Link;
use super::man::{Man, PAWN, kept, material};
use crate::material::{Material, ORDER};
use grundy_tables::superposed::{
    ChainValues, Code, DRAW, FAR, Far, Leaving, Levels, NONE, SliceWork, Slices, Solved, WordCodes, WorkItem,
    code_of, note,
};

/// An ending in slices, and the values of smaller endings that its slices need.
pub struct Sliced {
    arrangement: Arrangement,
    two: Arrangement,
    /// The smaller endings with one man less.
    fewer: FxHashMap<Material, Arc<Levels>>,
    /// By slice on a file's second to seventh rank: the promotions of the other men.
    promoted: Vec<Vec<Promoted>>,
    /// By file: the codes of the positions after the fixed pawn was promoted without a capture. Empty for files whose
    /// slices on the seventh rank are not solved here.
    arrived: Vec<Vec<WordCodes>>,
    longest_exit: u32,
}

impl Sliced {
    /// Loads the values that these steps on these files need from the endings `needed`, each of which is requested once.
    pub(super) fn new(
        arrangement: Arrangement,
        (files, steps): (Range<usize>, Range<usize>),
        needed: &[Material],
        solved: &dyn Solved<Material>,
    ) -> Sliced {
        let two = arrangement.without_standing();
        let pawns = || (0..two.men.len()).filter(|&i| two.men[i].is_pawn());
        let here = |slice: usize| {
            let (file, rank) =
                (slice / arrangement.ranks(), slice % arrangement.ranks() + arrangement.lowest_rank());
            files.contains(&file) && steps.clone().any(|step| usize::from(arrangement.rank_of(step)) == rank)
        };
        let promoted = |slice: usize| {
            if here(slice) { pawns().map(|i| Promoted::new(&two, i)).collect() } else { Vec::new() }
        };
        let arrived = |file: usize| {
            let words = if files.contains(&file) && steps.start == 0 { two.words() } else { 0 };
            vec![WordCodes([NONE; 64]); words]
        };
        let mut sliced = Sliced {
            promoted: (0..4 * arrangement.ranks()).map(promoted).collect(),
            arrived: (0..4).map(arrived).collect(),
            fewer: FxHashMap::default(),
            longest_exit: 0,
            two: two.clone(),
            arrangement,
        };
        // Only on the seventh rank does the fixed pawn promote without a capture.
        let promotes = steps.start == 0 || pawns().next().is_some();
        for &ending in needed.iter().filter(|ending| promotes || ending.men() < 5) {
            let levels = solved.levels(ending);
            sliced.longest_exit = sliced.longest_exit.max(levels.longest);
            if ending.men() < 5 {
                sliced.fewer.insert(ending, levels);
            } else {
                solved.all(sliced.promotions(ending, &levels));
            }
        }
        sliced
    }

    /// Returns the work items that add all promotions that lead to an ending.
    fn promotions<'a>(&'a mut self, ending: Material, levels: &'a Arc<Levels>) -> Vec<WorkItem<'a>> {
        let Sliced { arrangement, two, promoted, arrived, .. } = self;
        let (arrangement, two) = (&*arrangement, &*two);
        let pawn = arrangement.men[0];
        let leads = |i: usize, kind: u8| {
            let mut men = arrangement.men.clone();
            let was_pawn = men[i].is_pawn();
            men[i].kind = kind;
            was_pawn && kept(material(men)) == ending
        };
        let mut tasks: Vec<WorkItem<'a>> = Vec::new();
        if let Some(kind) = (0..PAWN).find(|&kind| leads(0, kind)) {
            for (file, arrived) in (0..).zip(arrived) {
                let square = 8 * pawn.last_rank() + file;
                let arrive = move || add_arrivals(two, Man { kind, ..pawn }, square, arrived, levels);
                tasks.push(Box::new(arrive));
            }
        }
        // Kinds to which each of the two other men may be promoted.
        let kinds = [1, 2].map(|i| (0..PAWN).find(|&kind| leads(i, kind)));
        for (slice, promoted) in promoted.iter_mut().enumerate() {
            let still = (pawn, arrangement.fixed_pawn(slice));
            if !(8..56).contains(&still.1) {
                continue;
            }
            tasks.push(Box::new(move || {
                for promoted in promoted {
                    if let Some(kind) = kinds[promoted.pawn()] {
                        promoted.add(two, kind, Some(still), &|_| levels.clone());
                    }
                }
            }));
        }
        tasks
    }

    /// Returns the ending without one of the two men (0 or 1) or without the fixed pawn (2).
    fn link(&self, gone: usize) -> Option<Link> {
        let [lane, word] = self.two.men[..] else { return None };
        let mut men = vec![(0, lane), (1, word), (STILL, self.arrangement.men[0])];
        men.remove(gone);
        Link::new(&men, &|ending| self.fewer[&ending].clone())
    }

    /// Returns the layout of a slice.
    fn layout(&self, file: u8, rank: u8, done: &ChainValues<'_>) -> Planes {
        let pawn = self.arrangement.men[0];
        let square = pawn.rank(rank) + file;
        let number =
            self.arrangement.slice(square).expect("the pawn stands between its second and its seventh rank");
        let solved = |ending: Material| self.fewer[&ending].clone();
        let mut layout = Planes::new(self.two.clone(), self.longest_exit);
        for (i, man) in self.two.men.iter().enumerate() {
            let captured = Captured::new(&self.two, i, Some((pawn, square)), &solved);
            layout.captured[usize::from(man.side)].push(captured);
        }
        let pawns = self.two.men.iter().filter(|man| man.is_pawn());
        for (man, promoted) in pawns.zip(&self.promoted[number]) {
            layout.promoted[usize::from(1 - man.side)].push(promoted.clone().sealed());
        }
        let taken = FixedPawnTaken::new(&self.two, pawn, square, self.link(STILL).as_ref());
        let leaving = self.leaving(file, rank, done);
        layout.fixed_pawn = Some(FixedPawn { pawn, square, taken, leaving });
        layout
    }

    /// Returns, for each position of a slice, the best value that the moves of the fixed pawn give.
    fn leaving(&self, file: u8, rank: u8, done: &ChainValues<'_>) -> Leaving {
        let pawn = self.arrangement.men[0];
        let other = usize::from(1 - pawn.side);
        let at = |rank: u8, file: u8| pawn.rank(rank) + file;
        let ahead = at(rank + 1, file);
        let pushed = self.stored(rank + 1, other, done);
        let jumped = if rank == 1 {
            self.stored(if self.arrangement.doubles { 0 } else { 3 }, other, done)
        } else {
            None
        };
        let sideways = [file.checked_sub(1), Some(file + 1)].into_iter().flatten().filter(|&f| f < 8);
        let captures: Vec<u8> = sideways.map(|file| at(rank + 1, file)).collect();
        let enemies = [0, 1].map(|i| self.two.men[i].side != pawn.side);
        let mut leaving = Leaving {
            cells: Vec::with_capacity(self.two.words()),
            present: vec![[0; 4]; self.two.pairs.kings.len()],
            far: Far::new(),
            longest: 0,
        };
        // Without the man of the lanes, and without the last man.
        let links = [self.link(0), self.link(1)];
        // By squares of both men: the worth of the best move.
        let mut best = vec![[0u16; 64]; 64];
        for (block, &kings) in self.two.pairs.kings.iter().enumerate() {
            best.fill([0; 64]);
            let free = |square: u8| !kings.contains(&square);
            if free(at(rank, file)) {
                if free(ahead) {
                    for (lane, best) in
                        best.iter_mut().enumerate().filter(|&(lane, _)| lane != usize::from(ahead))
                    {
                        if let Some(pushed) = &pushed {
                            pushed.better(block * 64 + lane, best);
                        } else {
                            let arrived = &self.arrived[usize::from(file)][block * 64 + lane];
                            best.iter_mut().zip(&arrived.0).for_each(|(best, &code)| {
                                *best = BACK[usize::from(code)];
                            });
                        }
                        if let Some(jumped) = &jumped {
                            jumped.better(block * 64 + lane, best);
                        }
                        best[usize::from(ahead)] = 0;
                    }
                }
                for (gone, link) in links.iter().enumerate().filter(|&(gone, _)| enemies[gone]) {
                    let Some(link) = link else { continue };
                    for &target in captures.iter().filter(|&&target| free(target)) {
                        if self.two.men[gone].is_pawn() && !(8..56).contains(&target) {
                            continue;
                        }
                        // The man that is left is not on the target.
                        let found = link.codes(other, kings, &[0, 0, target], 1 - gone);
                        for (left, &code) in found.0.iter().enumerate() {
                            if left != usize::from(target) {
                                let mut squares = [left; 2];
                                squares[gone] = usize::from(target);
                                let best = &mut best[squares[0]][squares[1]];
                                *best = BACK[usize::from(code)].max(*best);
                            }
                        }
                    }
                }
                self.copy_to_double_steps(file, rank, kings, &links, &mut best);
            }
            let first = (block * 4096) as u64;
            for (lane, best) in (0..).zip(&best) {
                let mut cells = WordCodes([NONE; 64]);
                if best.iter().all(|&best| best == 0) {
                    leaving.cells.push(cells);
                    continue;
                }
                for (word, (cell, &best)) in (0..).zip(cells.0.iter_mut().zip(best)) {
                    let Some(plies) = plies_of(best) else {
                        if best == EVEN {
                            *cell = DRAW;
                        }
                        continue;
                    };
                    leaving.longest = leaving.longest.max(plies);
                    *cell = code_of(plies);
                    if *cell == FAR {
                        leaving.far.insert(first + lane * 64 + word, plies);
                    }
                }
                for code in cells.0 {
                    note(&mut leaving.present[block], code);
                }
                leaving.cells.push(cells);
            }
        }
        leaving
    }

    /// Gives positions after a double step of an enemy pawn the fixed pawn's moves of the position without it, and the
    /// capture en passant.
    fn copy_to_double_steps(
        &self,
        file: u8,
        rank: u8,
        kings: [u8; 2],
        links: &[Option<Link>; 2],
        best: &mut [[u16; 64]],
    ) {
        let pawn = self.arrangement.men[0];
        let other = usize::from(1 - pawn.side);
        for (gone, man) in self.two.men.iter().enumerate() {
            if !man.is_pawn() || man.side == pawn.side {
                continue;
            }
            let (fourth, behind) = (man.rank(3), man.rank(2));
            for f in 0..8 {
                let (from, to) = (fourth + f, 8 * man.double_rank() + f);
                let link = links[gone].as_ref().filter(|_| rank == 4 && f.abs_diff(file) == 1);
                let passing = link.map(|link| link.codes(other, kings, &[0, 0, behind + f], 1 - gone));
                for left in 0..64 {
                    let pair = |square: u8| if gone == 0 { (square, left) } else { (left, square) };
                    let (lane, word) = pair(from);
                    let mut worth = best[usize::from(lane)][usize::from(word)];
                    if let Some(passing) = &passing {
                        worth = worth.max(BACK[usize::from(passing.0[usize::from(left)])]);
                    }
                    let (lane, word) = pair(to);
                    best[usize::from(lane)][usize::from(word)] = worth;
                }
            }
        }
    }

    /// Returns the finished slice of a chain with the pawn on this rank; `None` beyond the seventh.
    fn stored<'a>(&self, rank: u8, side: usize, done: &'a ChainValues<'_>) -> Option<FinishedSlice<'a>> {
        let row = usize::from(rank).checked_sub(self.arrangement.lowest_rank())?;
        let words = self.two.words();
        let stored = row.checked_sub(done.lowest)?;
        let cells = (row < self.arrangement.ranks())
            .then(|| &done.cells[side][stored * words..(stored + 1) * words])?;
        Some(FinishedSlice { cells, far: &done.far[side], first: (row * words * 64) as u64 })
    }

    /// Returns the values after a double step of the pawn to its fourth rank.
    fn after_double_step(&self, file: u8, done: &ChainValues<'_>) -> Levels {
        let pawn = self.arrangement.men[0];
        let (side, mover) = (usize::from(pawn.side), usize::from(1 - pawn.side));
        let at = |rank: u8, file: u8| pawn.rank(rank) + file;
        let (fourth, way) = (at(3, file), [at(2, file), at(1, file)]);
        let enemy_pawn = |man: Man| man.is_pawn() && man.side != pawn.side;
        let mut levels = Levels::default();
        let (Some(stored), link) = (self.stored(3, mover, done), self.link(STILL)) else { return levels };
        let mut cells = vec![WordCodes([NONE; 64]); self.two.words()];
        for (number, cells) in cells.iter_mut().enumerate() {
            let (kings, lane) = (self.two.pairs.kings[number / 64], (number % 64) as u8);
            if way.iter().any(|square| kings.contains(square) || lane == *square) {
                continue;
            }
            *cells = stored.cells[number];
            way.iter().for_each(|&square| cells.0[usize::from(square)] = NONE);
            for (word, cell) in (0..64u8).zip(&mut cells.0) {
                if *cell == NONE {
                    continue;
                }
                let place = number as u64 * 64 + u64::from(word);
                let mut worth = stored.worth(*cell, place);
                let mut captured = 0;
                for i in (0..2).filter(|&i| enemy_pawn(self.two.men[i])) {
                    let mut squares = [lane, word];
                    let beside = squares[i] ^ fourth < 8 && squares[i].abs_diff(fourth) == 1;
                    if let Some(link) = link.as_ref().filter(|_| beside) {
                        squares[i] = way[0];
                        captured = captured.max(BACK[usize::from(link.code(side, kings, &squares))]);
                    }
                }
                if captured > 0 {
                    // The capture is forced if nothing else can be played.
                    let stuck = worth == EVEN && !self.can_move(mover, kings, [lane, word, fourth]);
                    worth = if stuck { captured } else { worth.max(captured) };
                }
                levels.longest = levels.longest.max(plies_of(worth).unwrap_or(0));
                *cell = plies_of(worth).map_or(DRAW, code_of);
                if let (FAR, Some(plies)) = (*cell, plies_of(worth)) {
                    levels.far[mover].insert(place, plies);
                }
            }
        }
        levels.cells[mover] = cells;
        levels
    }

    /// Reports whether a side has a move other than a capture en passant.
    fn can_move(&self, side: usize, kings: [u8; 2], squares: [u8; 3]) -> bool {
        let color = |side: u8| Color::ALL[usize::from(side)];
        let mut builder = BoardBuilder::empty();
        for (side, &king) in (0..).zip(&kings) {
            builder.board[usize::from(king)] = Some((Piece::King, color(side)));
        }
        let men = [self.two.men[0], self.two.men[1], self.arrangement.men[0]];
        for (man, &square) in men.iter().zip(&squares) {
            builder.board[usize::from(square)] = Some((ORDER[usize::from(man.kind)], color(man.side)));
        }
        builder.side_to_move = color(side as u8);
        builder.build().is_ok_and(|board| board.generate_moves(|_| true))
    }
}

/// Adds the promotions of the fixed pawn to this man on this square.
fn add_arrivals(two: &Arrangement, man: Man, square: u8, arrived: &mut [WordCodes], levels: &Arc<Levels>) {
    let men = [(0, two.men[0]), (1, two.men[1]), (STILL, man)];
    let Some(link) = Link::new(&men, &|_| levels.clone()) else { return };
    let side = usize::from(1 - man.side);
    for (number, cells) in arrived.iter_mut().enumerate() {
        let (kings, lane) = (two.pairs.kings[number / 64], (number % 64) as u8);
        if kings.contains(&square) || lane == square {
            continue;
        }
        let found = link.codes(side, kings, &[lane, 0, square], 1);
        for (word, (code, found)) in (0..).zip(cells.0.iter_mut().zip(found.0)) {
            if word != square {
                *code = worse(*code, found);
            }
        }
    }
}

impl Slices for Sliced {
    type Slice = Layout;

    fn chains(&self) -> usize {
        4
    }

    fn length(&self) -> usize {
        self.arrangement.ranks()
    }

    fn words(&self) -> usize {
        self.two.words()
    }

    fn lowest(&self, steps: usize) -> usize {
        self.arrangement.lowest_slice(steps)
    }

    fn step(&self, chain: usize, step: usize, done: &ChainValues<'_>) -> SliceWork<Layout> {
        let file = chain as u8;
        let rank = self.arrangement.rank_of(step);
        let row = usize::from(rank) - self.arrangement.lowest_rank();
        if rank == 0 {
            SliceWork::Known(row, self.after_double_step(file, done))
        } else {
            SliceWork::Solve(row, Layout::Planes(self.layout(file, rank, done)))
        }
    }
}

/// The values of a finished slice.
struct FinishedSlice<'a> {
    cells: &'a [WordCodes],
    far: &'a Far,
    first: u64,
}

impl FinishedSlice<'_> {
    /// Returns the worth of a position for its side to move.
    fn worth(&self, code: Code, number: u64) -> u16 {
        match code {
            NONE => 0,
            DRAW => EVEN,
            FAR => self.far.get(&(self.first + number)).map_or(0, |&plies| worth_of(plies)),
            _ => worth_of(u32::from(code) - 1),
        }
    }

    /// Improves `best` by moves to the positions of a word.
    fn better(&self, word: usize, best: &mut [u16; 64]) {
        for (bit, (best, &code)) in (0..).zip(best.iter_mut().zip(&self.cells[word].0)) {
            let worth = if code == FAR {
                let number = self.first + word as u64 * 64 + bit;
                self.far.get(&number).map_or(0, |&plies| worth_of(plies + 1))
            } else {
                BACK[usize::from(code)]
            };
            *best = worth.max(*best);
        }
    }
}

/// The worth of a draw. Smaller ones are losses; 0 means no move at all.
const EVEN: u16 = 1 << 15;

/// Returns the worth, for the side to move, of a position decided in `plies`.
const fn worth_of(plies: u32) -> u16 {
    let plies = if plies < 1 << 14 { plies as u16 } else { 1 << 14 };
    if plies.is_multiple_of(2) { 1 + plies } else { u16::MAX - plies }
}

/// Returns the plies of a worth; `None` for a draw and for no move.
const fn plies_of(worth: u16) -> Option<u32> {
    match worth {
        0 | EVEN => None,
        _ if worth < EVEN => Some(worth as u32 - 1),
        _ => Some((u16::MAX - worth) as u32),
    }
}

/// Worth of a move by the code of the position it leads to; not defined for [`FAR`].
const BACK: [u16; 256] = {
    let mut back = [0; 256];
    let mut code = 0;
    while code < 256 {
        back[code] = match code as Code {
            NONE | FAR => 0,
            DRAW => EVEN,
            _ => worth_of(code as u32),
        };
        code += 1;
    }
    back
};
