//! The memory of the selective search of one thread: how often each move was good, alone and after the moves before it.

use super::ability::{ASPECTS, Heuristic, LANES, Selection};
use super::pool::Pool;
use grundy_core::game::Scored;
use grundy_core::random::fibonacci;

/// The lane of no move: of the root and of a null move.
pub(super) const NO_LANE: u16 = 0;
/// Maximum of a count.
const MOST: i32 = 16_384;
/// Maximum of a stored correction, and its weight in the evaluation.
const MOST_CORRECTION: i32 = 1_024;
const CORRECTION_PARTS: i32 = 12;
/// Weight in a count of a gain of the static evaluation by a quiet move, for each hundredth of a point, and its maximum.
const GAIN: i32 = 5;
const MOST_GAIN: i32 = 600;
/// Bonus of the last killer move, where moves are ordered by counts.
pub(super) const KILLER_BONUS: i32 = 5_000;
/// Number of static evaluations that are kept.
const ESTIMATES: usize = 1 << 14;
/// Hashes that are told apart by corrections.
const HASHES: usize = 1 << 14;
/// Priorities: noisy moves that lose nothing, killers, quiet moves by their counts, noisy moves that lose something.
pub(super) const GOOD: i32 = 1_000_000_000;
pub(super) const KILLER: i32 = 900_000_000;
/// The priority of quiet moves before they are weighed.
pub(super) const UNWEIGHED: i32 = KILLER + 1;
const BAD: i32 = -1_000_000_000;
/// Depths and numbers of moves that are told apart by [`Reductions`].
const STEPS: usize = 64;

/// The state of one ply of the line that is searched.
#[derive(Clone, Copy)]
pub(super) struct Frame<M> {
    /// The static evaluation; `None` under a threat.
    pub estimate: Option<i32>,
    /// The lane of the move that is tried.
    pub lane: u16,
    /// True if that move is quiet.
    pub quiet: bool,
    /// The last quiet moves that caused a cut-off at this ply.
    pub killers: [Option<M>; 2],
}

/// A move with its priority.
#[derive(Clone, Copy)]
pub(super) struct Pick<M> {
    pub m: M,
    /// Priority: larger ones are searched earlier.
    pub order: i32,
    /// The move's place in the game's order.
    pub index: u16,
    /// How good a quiet move was so far.
    pub worth: i32,
    pub lane: u16,
    pub noisy: bool,
}

/// The memory of one thread.
pub(super) struct Memory<M> {
    /// True if moves are ordered [by counts](Selection::by_counts).
    by_counts: bool,
    frames: Vec<Frame<M>>,
    pub pool: Pool<Pick<M>>,
    /// Counts of quiet and of noisy moves by player and lane.
    quiet: [Vec<i16>; 2],
    noisy: [Vec<i16>; 2],
    /// Counts of quiet moves after the opponent's last move, and after the player's own last one.
    after: [Vec<i16>; 2],
    pub reductions: Reductions,
    /// Corrections of the static evaluation by player and hash, for each [structure](super::ability::Heuristic::structures).
    corrections: [[Vec<i16>; 2]; ASPECTS],
    /// Static evaluations, each below a part of the hash of its position's key.
    estimates: Vec<u64>,
    /// The depth of the iteration.
    pub depth: i32,
    /// The score of the last iteration.
    pub score: Option<i32>,
    /// Nodes spent on the moves of the root.
    efforts: Vec<(M, u64)>,
}

impl<M: Copy + PartialEq> Memory<M> {
    pub(super) fn new(selection: Selection) -> Memory<M> {
        Memory {
            by_counts: selection.by_counts,
            frames: Vec::new(),
            pool: Pool::default(),
            quiet: [(); 2].map(|()| vec![0; LANES]),
            noisy: [(); 2].map(|()| vec![0; LANES]),
            after: [(); 2].map(|()| vec![0; LANES * LANES]),
            reductions: Reductions::new(selection.reduction),
            corrections: [(); ASPECTS].map(|()| [(); 2].map(|()| vec![0; HASHES])),
            estimates: vec![0; ESTIMATES],
            depth: 0,
            score: None,
            efforts: Vec::new(),
        }
    }

    /// Prepares for the search of another root.
    pub(super) fn begin(&mut self) {
        self.frames.clear();
        self.efforts.clear();
        self.score = None;
        // Another position may be judged by other weights.
        self.estimates.fill(0);
        for count in self.quiet.iter_mut().chain(&mut self.noisy).flatten() {
            *count /= 2;
        }
    }

    /// Adds nodes to those spent on a move of the root.
    pub(super) fn spent_on(&mut self, m: M, nodes: u64) {
        match self.efforts.iter_mut().find(|(other, _)| *other == m) {
            Some((_, spent)) => *spent += nodes,
            None => self.efforts.push((m, nodes)),
        }
    }

    /// Returns the nodes spent on a move of the root.
    pub(super) fn effort(&self, m: M) -> u64 {
        self.efforts.iter().find(|(other, _)| *other == m).map_or(0, |&(_, spent)| spent)
    }

    /// Returns the frame of a ply.
    #[inline]
    pub(super) fn frame(&mut self, ply: u32) -> &mut Frame<M> {
        let ply = ply as usize;
        if self.frames.len() <= ply {
            self.frames
                .resize(ply + 1, Frame { estimate: None, lane: NO_LANE, quiet: false, killers: [None; 2] });
        }
        &mut self.frames[ply]
    }

    /// Returns the lane of the move made `back` plies before this one.
    #[inline]
    fn lane(&self, ply: u32, back: u32) -> usize {
        let frame = ply.checked_sub(back).and_then(|at| self.frames.get(at as usize));
        frame.map_or(NO_LANE, |frame| frame.lane).into()
    }

    /// Reports whether the static evaluation is better than at the player's last move.
    #[inline]
    pub(super) fn improves(&self, ply: u32) -> bool {
        let at = |back: u32| ply.checked_sub(back).and_then(|at| self.frames.get(at as usize)?.estimate);
        match (at(0), at(2).or_else(|| at(4))) {
            (Some(now), Some(before)) => now > before,
            (Some(_), None) => true,
            _ => false,
        }
    }

    /// Returns how good a quiet move of this player was so far, from three counts of at most [`MOST`] each.
    #[inline]
    pub(super) fn worth(&self, player: usize, ply: u32, lane: u16) -> i32 {
        let lane = usize::from(lane) % LANES;
        let [one, two] = [1, 2].map(|back| self.lane(ply, back) * LANES + lane);
        i32::from(self.quiet[player][lane])
            + i32::from(self.after[0][one % (LANES * LANES)])
            + i32::from(self.after[1][two % (LANES * LANES)])
    }

    /// Adds the experience with a quiet move.
    fn count(&mut self, player: usize, ply: u32, lane: u16, bonus: i32) {
        let lane = usize::from(lane) % LANES;
        let [one, two] = [1, 2].map(|back| self.lane(ply, back) * LANES + lane);
        raise(&mut self.quiet[player][lane], bonus, MOST);
        raise(&mut self.after[0][one % (LANES * LANES)], bonus, MOST);
        raise(&mut self.after[1][two % (LANES * LANES)], bonus, MOST);
    }

    /// Returns how good a noisy move of this player was so far, at most [`MOST`].
    #[inline]
    pub(super) fn worth_of_noisy(&self, player: usize, lane: u16) -> i32 {
        self.noisy[player][usize::from(lane) % LANES].into()
    }

    /// Returns the static evaluation of a position, if it was made not long ago.
    #[inline]
    pub(super) fn estimate(&self, key: u64) -> Option<i32> {
        let (at, mark) = of_estimate(key);
        let kept = self.estimates[at];
        (kept >> 32 == mark).then_some(kept as i32)
    }

    /// Keeps a static evaluation.
    #[inline]
    pub(super) fn keep_estimate(&mut self, key: u64, estimate: i32) {
        let (at, mark) = of_estimate(key);
        self.estimates[at] = mark << 32 | u64::from(estimate as u32);
    }

    /// Returns what the search has found the static evaluation to lack in positions of these structures.
    #[inline]
    pub(super) fn correction(&self, player: usize, structures: [u64; ASPECTS]) -> i32 {
        let known = self.corrections.iter().zip(structures).filter(|&(_, hash)| hash != 0);
        known.map(|(table, hash)| i32::from(table[player][hash as usize % HASHES])).sum::<i32>()
            / CORRECTION_PARTS
    }

    /// Adds the difference of a score and the evaluation, weighted by the depth.
    #[inline]
    pub(super) fn correct(&mut self, player: usize, structures: [u64; ASPECTS], difference: i32) {
        let bonus = difference.clamp(-MOST_CORRECTION / 4, MOST_CORRECTION / 4);
        for (table, hash) in self.corrections.iter_mut().zip(structures).filter(|&(_, hash)| hash != 0) {
            raise(&mut table[player][hash as usize % HASHES], bonus, MOST_CORRECTION);
        }
    }

    /// Learns from a cut-off by the last of these moves, of which the others were tried before.
    pub(super) fn reward(&mut self, player: usize, ply: u32, depth: i32, tried: &[Pick<M>]) {
        let Some((winner, others)) = tried.split_last() else { return };
        let bonus = bonus(depth, self.by_counts);
        for other in others.iter().filter(|other| other.noisy) {
            raise(&mut self.noisy[player][usize::from(other.lane) % LANES], -bonus, MOST);
        }
        if winner.noisy {
            return raise(&mut self.noisy[player][usize::from(winner.lane) % LANES], bonus, MOST);
        }
        let killers = &mut self.frame(ply).killers;
        if killers[0] != Some(winner.m) {
            *killers = [Some(winner.m), killers[0]];
        }
        self.count(player, ply, winner.lane, bonus);
        for other in others.iter().filter(|other| !other.noisy) {
            self.count(player, ply, other.lane, -bonus);
        }
    }

    /// Learns from the static evaluation `now` of a node at `ply`: the quiet move to it was good if the opponent, who made it,
    /// had thought less of his position.
    pub(super) fn compare_last(&mut self, opponent: usize, ply: u32, now: i32) {
        // At the root every move is searched.
        let Some(before) = ply.checked_sub(1).filter(|&before| before > 0) else { return };
        let Frame { lane, quiet, estimate, .. } = *self.frame(before);
        if let (true, Some(estimate)) = (quiet && lane != NO_LANE, estimate) {
            let gain = now.saturating_add(estimate).saturating_neg();
            let bonus = gain.saturating_mul(GAIN).clamp(-MOST_GAIN, MOST_GAIN);
            raise(&mut self.quiet[opponent][usize::from(lane) % LANES], bonus, MOST);
        }
    }

    /// Learns from a node at `ply` in which no move helped: the quiet move to it was good.
    pub(super) fn reward_last(&mut self, opponent: usize, ply: u32, depth: i32) {
        let Some(before) = ply.checked_sub(1) else { return };
        let Frame { lane, quiet, .. } = *self.frame(before);
        if quiet && lane != NO_LANE {
            self.count(opponent, before, lane, bonus(depth, self.by_counts) / 2);
        }
    }
}

/// Returns the place of a static evaluation, and the 32 bits by which it is told from others: keys need not be random.
#[inline]
fn of_estimate(key: u64) -> (usize, u64) {
    let hash = fibonacci(key);
    ((hash >> 18) as usize % ESTIMATES, hash >> 32)
}

/// Returns the weight of an experience at a depth; more at low ones, of which there are many, if moves are ordered `by_counts`.
#[inline]
fn bonus(depth: i32, by_counts: bool) -> i32 {
    let bonus = if by_counts { 170 * depth - 20 } else { 16 * depth * depth + 64 * depth };
    bonus.clamp(0, 1_600)
}

/// Moves a count towards its limit.
#[inline]
fn raise(count: &mut i16, bonus: i32, most: i32) {
    let now = i32::from(*count);
    *count = (now + bonus - now * bonus.abs() / most) as i16;
}

/// The plies by which late moves are searched less deep, by depth and by the number of the move.
pub(super) struct Reductions(Vec<u8>);

impl Reductions {
    fn new(divisor: f64) -> Reductions {
        let log = |n: usize| (n.max(1) as f64).ln();
        let entry = |i: usize| (0.8 + log(i / STEPS) * log(i % STEPS) / divisor) as u8;
        Reductions((0..STEPS * STEPS).map(entry).collect())
    }

    #[inline]
    pub(super) fn of(&self, depth: i32, number: usize) -> i32 {
        let depth = (depth.max(0) as usize).min(STEPS - 1);
        self.0[depth * STEPS + number.min(STEPS - 1)].into()
    }
}

/// Returns the place of the first item of the greatest order; 0 if there is none.
#[inline]
pub(super) fn first_greatest<T>(items: &[T], order: impl Fn(&T) -> i32) -> usize {
    // A maximum of numbers is found without branches: the order above, and below it the place, the first the greatest.
    let rank = |(i, item): (usize, &T)| i64::from(order(item)) << 32 | i64::from(!(i as u32));
    items.iter().enumerate().map(rank).max().map_or(0, |best| !(best as u32) as usize)
}

/// Moves the move to be tried first to the front.
#[inline]
pub(super) fn first_pick<M: Copy>(picks: &mut [Pick<M>]) {
    let first = first_greatest(picks, |pick| pick.order);
    picks.swap(0, first);
}

/// Moves the move to be tried next to the front; noisy moves that lose men are put off till then.
#[inline]
pub(super) fn next_pick<G: Scored + Heuristic>(
    game: &G,
    position: &G::Position,
    picks: &mut [Pick<G::Move>],
) {
    loop {
        first_pick(picks);
        let Some(pick) = picks.first_mut() else { return };
        if !(GOOD / 2 + KILLER / 2..i32::MAX).contains(&pick.order) || game.exchange(position, pick.m, 0) {
            return;
        }
        pick.order -= GOOD - BAD;
    }
}
