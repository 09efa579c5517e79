//! Men's Morris: Three, Six and Nine Men's Morris and Lasker's.
//!
//! * A player with men in hand places one on a free point; without any he moves one along a line to the next point, if
//!   that is free. In Lasker's game a player with men in hand may do either. In variants where men *fly*, a player with
//!   exactly three men on the board and none in hand moves one to any free point.
//! * A player whose man closes a mill, three in a line, takes one of the other's men in the same move: one in no mill,
//!   or any one if all are in mills. A player with fewer than three men, board and hand together, has lost, and so has
//!   a player who cannot move.
//! * Three Men's Morris: a player whose men make a line wins at once; nothing is taken.
//! * Position `.../.../.../....../.../.../... 9-9 1`, the points in rows from the top, then the men in hand of player
//!   one and two; moves `d6`, `d6-f6`, and with a man taken `d6xa1`, `d6-f6xa1`.
//!
//! Solved by [tiers](grundy_tables::tiers): men can move back and forth for ever, but men that are placed or taken do
//! not come back.
//!
//! Sources: R. Gasser, "Solving Nine Men's Morris" (Games of No Chance, 1996): a draw; G. Gevay and G. Danner,
//! "Calculating Ultra-Strong and Extended Solutions for Nine Men's Morris, Morabaraba, and Lasker Morris" (2014).

use std::ops::Range;
use std::sync::Arc;

use grundy_core::game::{Flow, Game, Indexed, MORE, Player, Scored};
use grundy_core::sorting;
use grundy_core::value::{Step, Value};
use grundy_search::alpha_beta::{Bounds, Heuristic};
use grundy_tables::tiers::{Exit, Sight, Tier, Tiered, see};

use crate::board::{Board, Kind, points};
use crate::numbering::{Around, Half, Numbering, joined};
pub use crate::position::{Force, Position};
use crate::survey::{Block, Moves};

/// A player with fewer men has lost, in variants where men are taken.
const LEAST: u8 = 3;
/// A player with exactly this many men flies.
const FLYING: u8 = 3;

/// The rules of one game of Morris.
#[derive(Clone, Debug)]
pub struct Morris {
    pub(crate) board: Board,
    /// Number of men of each player.
    pub(crate) most: u8,
    flies: bool,
    /// `true` if a line wins, and no man is taken.
    lines_win: bool,
    /// `true` if a player with men in hand may move one on the board instead.
    slides: bool,
    numbering: Arc<Numbering>,
}

/// Places a man, or moves one, and takes a man of the other if that closes a mill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// Origin of the man; `None` if it is placed.
    pub(crate) from: Option<u8>,
    pub(crate) to: u8,
    pub(crate) take: Option<u8>,
}

/// The variant of Morris.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// Three men each on nine points; a line wins.
    Three {
        /// `true` if the diagonals are lines.
        diagonals: bool,
    },
    /// Six men each on two squares.
    Six,
    /// Nine men each on three squares.
    Nine,
    /// Ten men each on three squares; a player with men in hand may move one instead.
    Lasker,
}

impl Morris {
    /// Returns the game. `flies` tells whether a player with exactly three men flies; by default only in Nine Men's
    /// Morris and Lasker's game.
    pub fn new(variant: Variant, flies: Option<bool>) -> Morris {
        let (kind, most, usually) = match variant {
            Variant::Three { diagonals } => (Kind::Square { diagonals }, 3, false),
            Variant::Six => (Kind::Rings(2), 6, false),
            Variant::Nine => (Kind::Rings(3), 9, true),
            Variant::Lasker => (Kind::Rings(3), 10, true),
        };
        let board = Board::new(kind);
        let slides = variant == Variant::Lasker;
        let numbering = Arc::new(Numbering::new(&board, most, slides));
        let lines_win = matches!(variant, Variant::Three { .. });
        Morris { board, most, flies: flies.unwrap_or(usually), lines_win, slides, numbering }
    }

    /// Returns the number of distinct images of this position by the symmetries of the board, itself included.
    pub fn images(&self, position: &Position) -> u64 {
        let all = 0..self.board.symmetries.len();
        let same = all.filter(|&n| position.men.map(|men| self.board.image(n, men)) == position.men).count();
        (self.board.symmetries.len() / same.max(1)) as u64
    }

    /// Returns the men of the mover and of the other as [`Morris::section`] reads them.
    pub fn men(&self, position: &Position) -> String {
        let [mover, other] = position.forces();
        format!("{mover}-{other}")
    }

    /// Returns the indices of the positions with these numbers of men of the mover and of the other, written as `4-3`,
    /// or as `4+2-3+1` with men in hand; `None` if there are no such positions.
    pub fn section(&self, men: &str) -> Option<Range<u64>> {
        let tiers = self.tiers().into_iter();
        tiers.flat_map(|tier| tier.sections).find(|(name, _)| name == men).map(|(_, numbers)| numbers)
    }

    /// Returns the points to which a man on `point` may move if its owner has this force.
    #[inline]
    fn reach(&self, point: usize, force: Force) -> u32 {
        if self.may_fly(force) { self.board.all } else { self.board.near[point] }
    }

    /// Reports whether a player with this force flies.
    #[inline]
    fn may_fly(&self, force: Force) -> bool {
        self.flies && force.board == FLYING && force.hand == 0
    }

    /// Reports whether a player with this force may move men on the board.
    #[inline]
    fn may_slide(&self, force: Force) -> bool {
        force.hand == 0 || self.slides
    }

    /// Reports whether a player with this force has lost.
    #[inline]
    fn beaten(&self, force: Force) -> bool {
        !self.lines_win && force.all() < LEAST
    }

    /// Visits every way to place or move a man: origin, destination, and the mover's men afterwards.
    #[inline]
    fn steps(&self, position: &Position, visit: &mut impl FnMut(Option<u8>, usize, u32) -> Flow) -> Flow {
        let [mover, other] = position.men;
        let free = self.board.all & !(mover | other);
        let [force, _] = position.forces();
        if force.hand > 0 {
            points(free).try_for_each(|to| visit(None, to, mover | 1 << to))?;
        }
        if self.may_slide(force) {
            for from in points(mover) {
                let rest = mover & !(1 << from);
                points(self.reach(from, force) & free)
                    .try_for_each(|to| visit(Some(from as u8), to, rest | 1 << to))?;
            }
        }
        MORE
    }

    /// Returns the indices of the positions after a move: there the mover has the men `other` and the force `against`,
    /// and his opponent, of force `force`, has the present mover's men but for one.
    #[inline]
    fn around(&self, position: &Position, other: u32, against: Force, force: Force) -> Around<'_> {
        self.numbering.turn(&self.board, other, against, force).around(position.men[0])
    }

    /// Reports whether a man that arrived at `to` takes one of the other's.
    #[inline]
    fn takes(&self, men: u32, to: usize, other: u32) -> bool {
        !self.lines_win && other != 0 && self.board.closes(men, to)
    }

    /// Returns the tiers that moves from this half lead to, except its own.
    fn exits_of(&self, half: &Half) -> Vec<usize> {
        let Half { mover, other, .. } = *half;
        let mut exits = Vec::new();
        if self.beaten(mover) || self.beaten(other) {
            return exits;
        }
        let mut lead = |mover: Force, other: Force| {
            if !self.beaten(mover) && usize::from(mover.board + other.board) <= self.board.points {
                exits.push(self.numbering.tier(mover, other));
            }
        };
        let mut moved = |force: Force| {
            lead(other, force);
            if !self.lines_win && other.board > 0 && force.board >= 3 {
                lead(other.less(), force);
            }
        };
        if mover.hand > 0 {
            moved(mover.put());
        }
        if self.may_slide(mover) && mover.board > 0 {
            moved(mover);
        }
        exits
    }
}

impl Game for Morris {
    type Position = Position;
    type Move = Move;

    fn start(&self) -> Position {
        Position { men: [0, 0], hand: [self.most; 2], turn: Player::One }
    }

    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    #[inline]
    fn over(&self, position: &Position) -> Option<Value> {
        let [mover, other] = position.men;
        let [force, against] = position.forces();
        if self.lines_win {
            if self.board.has_mill(other) {
                return Some(Value::loss_in(0));
            }
            if self.board.has_mill(mover) {
                return Some(Value::win_in(0));
            }
        } else if self.beaten(force) {
            return Some(Value::loss_in(0));
        } else if self.beaten(against) {
            return Some(Value::win_in(0));
        }
        let free = self.board.all & !(mover | other);
        let puts = force.hand > 0 && free != 0;
        let moves =
            puts || self.may_slide(force) && points(mover).any(|from| self.reach(from, force) & free != 0);
        (!moves).then_some(Value::loss_in(0))
    }

    #[inline]
    fn moves(&self, position: &Position, visit: &mut impl FnMut(Move) -> Flow) -> Flow {
        let other = position.men[1];
        self.steps(position, &mut |from, to, men| {
            let m = Move { from, to: to as u8, take: None };
            if !self.takes(men, to, other) {
                return visit(m);
            }
            points(self.board.takeable(other))
                .try_for_each(|taken| visit(Move { take: Some(taken as u8), ..m }))
        })
    }

    #[inline]
    fn play(&self, position: &Position, m: Move) -> Position {
        let [mover, other] = position.men;
        let [hand, against] = position.hand;
        let moved = mover & !m.from.map_or(0, |from| 1 << from) | 1 << m.to;
        let left = other & !m.take.map_or(0, |taken| 1 << taken);
        let hand = hand - u8::from(m.from.is_none());
        Position { men: [left, moved], hand: [against, hand], turn: !position.turn }
    }

    /// Ignores the turn: men are seen by the player to move already.
    fn essence(&self, position: &Position) -> Position {
        Position { turn: Player::One, ..*position }
    }

    fn canonical(&self, position: &Position) -> Position {
        let images =
            (0..self.board.symmetries.len()).map(|n| position.men.map(|men| self.board.image(n, men)));
        Position { men: images.min().unwrap_or(position.men), ..*position }
    }
}

impl Scored for Morris {}

impl Indexed for Morris {
    fn size(&self) -> u64 {
        self.numbering.size()
    }

    #[inline]
    fn index(&self, position: &Position) -> u64 {
        self.numbering.index(&self.board, position)
    }

    fn position(&self, index: u64) -> Option<Position> {
        let mut found = None;
        self.walk(index..index.saturating_add(1), &mut |_, position| found = Some(position));
        found
    }

    fn walk(&self, range: Range<u64>, visit: &mut impl FnMut(u64, Position)) {
        self.numbering.walk(&self.board, range, visit);
    }

    fn child_indices(&self, position: &Position, visit: &mut impl FnMut(u64, Step)) {
        let other = position.men[1];
        let [force, against] = position.forces();
        // If no man is taken the other's men stay: such children lie in one block, or in two with men in hand.
        let quiet = |force| self.around(position, other, against, force);
        let put = (force.hand > 0).then(|| quiet(force.put()));
        let slid = self.may_slide(force).then(|| quiet(force));
        let _ = self.steps(position, &mut |from, to, men| {
            if self.takes(men, to, other) {
                let own = if from.is_none() { force.put() } else { force };
                for taken in points(self.board.takeable(other)) {
                    let left = other & !(1 << taken);
                    let turned = self.numbering.turn(&self.board, left, against.less(), own);
                    visit(turned.with(men), Step::PASSED);
                }
            } else if let Some(around) = if from.is_none() { &put } else { &slid } {
                visit(around.with(from, to), Step::PASSED);
            }
            MORE
        });
    }
}

impl Tiered for Morris {
    fn tiers(&self) -> Vec<Tier> {
        let leaves = |tier| {
            let alive = |half: &Half| !self.beaten(half.mover) && !self.beaten(half.other);
            // Without men in hand a move leaves the tier only by taking a man.
            let leads = |half: &Half| half.mover.hand > 0 || half.other.hand > 0 || !self.lines_win;
            self.numbering.halves(tier).iter().any(|half| alive(half) && leads(half))
        };
        self.numbering.tiers(leaves, self.slides)
    }

    fn exits(&self, tier: usize) -> Vec<usize> {
        let mut exits: Vec<usize> =
            self.numbering.halves(tier).iter().flat_map(|half| self.exits_of(half)).collect();
        sorting::sort(&mut exits);
        exits.dedup();
        exits.retain(|&exit| exit != tier);
        exits
    }

    fn places(&self, tier: &Range<u64>) -> u64 {
        self.numbering.places(tier)
    }

    /// Walks in the order of the class of the other's men: the positions to which quiet moves lead lie in one block for
    /// each class.
    fn walk_places(&self, tier: &Range<u64>, places: Range<u64>, visit: &mut impl FnMut(u64, Position)) {
        self.numbering.blocks(&self.board, tier, places, &mut |half, others| {
            self.numbering.walk_block(&self.board, half, others, &mut |n, _, position| visit(n, position));
        });
    }

    fn survey(
        &self,
        tier: &Range<u64>,
        places: Range<u64>,
        worth: &impl Fn(u64, Step) -> Option<Value>,
        visit: &mut impl FnMut(u64, Sight),
    ) {
        let mut see = see(self, tier, worth);
        self.numbering.blocks(&self.board, tier, places, &mut |half, others| {
            let Half { mover, other, .. } = *half;
            if self.lines_win || self.beaten(mover) || self.beaten(other) || !others.is_plain() {
                self.numbering.walk_block(&self.board, half, others, &mut |number, _, position| {
                    visit(number, see(&position));
                });
                return;
            }
            let moves = Moves {
                puts: mover.hand > 0,
                slides: self.may_slide(mover),
                flies: self.may_fly(mover),
                stay: joined(mover, other, self.slides),
                wins: other.board > 0 && self.beaten(other.less()),
            };
            Block::new(&self.board, &self.numbering, half, others, moves).look(worth, visit);
        });
    }

    fn predecessors_within(&self, position: &Position, visit: &mut impl FnMut(u64, bool)) {
        let [mover, other] = position.men;
        let [force, before] = position.forces();
        // Before the move its mover had the same men on the board and in hand, and the game was not over.
        if !self.may_slide(before) || self.beaten(before) || self.beaten(force) {
            return;
        }
        if !joined(before, force, self.slides) || self.lines_win && self.board.has_mill(mover) {
            return;
        }
        let free = self.board.all & !(mover | other);
        for to in points(other) {
            if self.takes(other, to, mover) {
                continue;
            }
            let rest = other & !(1 << to);
            for from in points(self.reach(to, before) & free) {
                let was = rest | 1 << from;
                if !(self.lines_win && self.board.has_mill(was)) {
                    visit(self.numbering.turn(&self.board, was, before, force).with(mover), true);
                }
            }
        }
    }

    /// Counts the moves that stay in the tier, which lead to distinct indices; `None` if a symmetry of the other's men may
    /// make two of them lead to one index.
    fn staying(&self, position: &Position) -> Option<u32> {
        let other = position.men[1];
        let [force, against] = position.forces();
        if !self.may_slide(force) || !joined(force, against, self.slides) {
            return Some(0);
        }
        if !self.numbering.turn(&self.board, other, against, force).is_plain() {
            return None;
        }
        let mut count = 0;
        let _ = self.steps(position, &mut |from, to, men| {
            count += u32::from(from.is_some() && !self.takes(men, to, other));
            MORE
        });
        Some(count)
    }

    fn leave(&self, position: &Position, visit: &mut impl FnMut(Exit)) {
        let [_, other] = position.men;
        let [force, against] = position.forces();
        let within = joined(force, against, self.slides);
        let quiet = |force| self.around(position, other, against, force);
        let put = (force.hand > 0).then(|| quiet(force.put()));
        let slid = (!within && self.may_slide(force)).then(|| quiet(force));
        let mut closing = Vec::new();
        let _ = self.steps(position, &mut |from, to, men| {
            if self.takes(men, to, other) {
                closing.push((from, to));
            } else if let Some(around) = if from.is_none() { &put } else { &slid } {
                visit(Exit::To(around.with(from, to), Step::PASSED));
            }
            MORE
        });
        if closing.is_empty() {
            return;
        }
        if self.beaten(against.less()) {
            return visit(Exit::Ends(Value::win_in(1)));
        }
        for taken in points(self.board.takeable(other)) {
            let left = other & !(1 << taken);
            let taking = |force| self.around(position, left, against.less(), force);
            let put = (force.hand > 0).then(|| taking(force.put()));
            let slid = self.may_slide(force).then(|| taking(force));
            for &(from, to) in &closing {
                if let Some(around) = if from.is_none() { &put } else { &slid } {
                    visit(Exit::To(around.with(from, to), Step::PASSED));
                }
            }
        }
    }
}

impl Heuristic for Morris {
    fn key(&self, position: &Position) -> u64 {
        let [mover, other] = position.men.map(u64::from);
        let [hand, against] = position.hand.map(u64::from);
        mover | other << 24 | hand << 48 | against << 52 | (position.turn.index() as u64) << 56
    }

    /// Prefers more men, and then more free points beside them.
    fn guess(&self, position: &Position) -> i32 {
        let taken = position.men[0] | position.men[1];
        let room = |men: u32| {
            points(men).map(|point| (self.board.near[point] & !taken).count_ones() as i32).sum::<i32>()
        };
        let [force, against] = position.forces();
        let more = i32::from(force.all()) - i32::from(against.all());
        100 * more + 4 * (room(position.men[0]) - room(position.men[1]))
    }

    fn hint(&self, _: &Position, m: Move, _: &Position) -> i32 {
        i32::from(m.take.is_some())
    }

    fn noisy(&self, _: &Position, m: Move) -> bool {
        m.take.is_some()
    }

    fn cyclic(&self) -> bool {
        true
    }
}

impl Bounds for Morris {}
