//! Selective search: principal variation search for a move under limits, in games that ask for it.
//!
//! Moves that look bad are searched less deep or not at all, so its scores are guesses. A score beyond [`MOST`] is a win
//! or a loss that was played out in every line: no move is pruned while the best one so far loses, and no null move
//! decides such a score.

use super::ability::{ASPECTS, Bounds, Heuristic};
use super::memory::{GOOD, KILLER, KILLER_BONUS, Memory, NO_LANE, Pick, UNWEIGHED, first_pick, next_pick};
use super::score::{INFINITE, MOST, scaled, scaled_step, unscaled, window_after};
use super::table::{Bound, Guess, NO_MOVE};
use super::worker::{Child, Context, Worker};
use grundy_core::game::{MORE, Scored, step};
use grundy_core::value::{Step, Value};

/// The change of the evaluation by a good quiet move, in hundredths of a point: the unit of margins.
pub(super) const SWING: i32 = 80;
/// The evaluation's gain in a ply that pruning allows for.
pub(super) const MARGIN: i32 = 60;
/// Depth up to which quiet moves are skipped if even a good one would not raise the evaluation to the window.
const FUTILE_DEPTH: i32 = 7;
/// Depth up to which moves that lose men in the exchange are skipped.
const EXCHANGE_DEPTH: i32 = 8;
/// Depth up to which the number of quiet moves is limited, and those with the worst counts are skipped.
const MANY_DEPTH: i32 = 8;
const WORST_DEPTH: i32 = 4;

/// A position to search, and how.
pub(super) struct Node<'a, P> {
    pub position: &'a P,
    pub key: u64,
    /// The key by which it repeats.
    pub repetition: u64,
    pub depth: i32,
    pub ply: u32,
    /// The scores of interest; only whether it reaches the upper one, if they are adjacent.
    pub window: (i32, i32),
    /// True if a move that reaches the upper score is expected.
    pub cut: bool,
    /// True if the move before was a null move.
    pub passed: bool,
    /// A move that is left out, to see how good the others are.
    pub without: u16,
    /// The best move of an earlier search.
    pub best: u16,
    /// The static evaluation, as far as known improved by an earlier search; `None` under a threat.
    pub estimate: Option<i32>,
    /// True if the evaluation is better than at the player's last move.
    pub improves: bool,
    /// True if a threat made the search deeper.
    pub deeper: bool,
}

impl<P> Node<'_, P> {
    pub(super) fn is_open(&self) -> bool {
        self.window.1.saturating_sub(self.window.0) > 1
    }
}

impl<G: Scored + Heuristic + Bounds> Worker<G> {
    pub(super) fn memory(&mut self) -> &mut Memory<G::Move> {
        self.memory.get_or_insert_with(|| Box::new(Memory::new(G::SELECTION)))
    }

    /// Returns the static evaluation of a position, corrected by what searches found of its structures.
    #[inline]
    fn corrected(
        &mut self,
        context: &Context<'_, G>,
        position: &G::Position,
        key: u64,
        structures: [u64; ASPECTS],
    ) -> i32 {
        let raw = match self.memory().estimate(key) {
            Some(kept) => kept,
            None => {
                let raw = self.evaluate(context, position);
                self.memory().keep_estimate(key, raw);
                raw
            }
        };
        let correction = self.memory().correction(context.game.turn(position).index(), structures);
        (raw + correction).clamp(-MOST + 1, MOST - 1)
    }

    /// Returns the score of a node. The principal variation is left in `self.lines[ply]`.
    pub(super) fn select(&mut self, context: &Context<'_, G>, mut node: Node<'_, G::Position>) -> i32 {
        let game = context.game;
        let (position, key, ply, (alpha, beta)) = (node.position, node.key, node.ply, node.window);
        self.line(ply).clear();
        if !self.enter(context, ply) {
            return 0;
        }
        if let Some(value) = game.ended(position) {
            return scaled(game, value.raw());
        }
        if game.cyclic() {
            node.repetition = game.repetition_key(position);
            if context.twice.contains(&node.repetition) || self.path.contains(&node.repetition) {
                return 0;
            }
        }
        let (lo, hi) = self.known(context, &node);
        if lo >= beta || lo == hi {
            return lo;
        }
        if hi <= alpha {
            return hi;
        }
        if ply + 2 >= self.max_ply {
            return self.evaluate(context, position).clamp(-MOST + 1, MOST - 1).clamp(lo, hi);
        }
        let threatened = game.threatened(position);
        if threatened {
            let deeper = node.depth <= 0 || (ply as i32) < 2 * self.memory().depth;
            node.depth = node.depth.max(0) + i32::from(deeper);
            node.deeper = deeper;
        }
        let old =
            context.table(position).guess(selected(key)).filter(|old| in_time(game, position, old.score));
        if let Some(old) = old {
            let deep = i32::from(old.depth) >= node.depth;
            if !node.is_open() && deep && tells(old, old.score >= beta, old.score <= alpha) {
                return old.score;
            }
            node.best = old.best;
        }
        let mut structures = [0; ASPECTS];
        if !threatened {
            structures = game.structures(position);
            let guess = self.corrected(context, position, key, structures).clamp(lo, hi);
            self.memory().frame(ply).estimate = Some(guess);
            if G::SELECTION.by_counts && node.without == NO_MOVE {
                self.memory().compare_last((!game.turn(position)).index(), ply, guess);
            }
            let better =
                old.filter(|old| old.score.abs() < MOST && tells(*old, old.score > guess, old.score < guess));
            node.estimate = Some(better.map_or(guess, |old| old.score));
        } else {
            self.memory().frame(ply).estimate = None;
        }
        if node.depth <= 0 {
            return self.quiesce(context, &node);
        }
        node.improves = self.memory().improves(ply);
        if let Some(score) = self.glance(context, &node) {
            return score;
        }
        if let Some(score) = self.probe(context, &node, old) {
            return score;
        }
        if node.best == NO_MOVE && node.depth >= 4 {
            node.depth -= 1;
        }
        node.window = (alpha.max(lo), beta.min(hi));
        if game.cyclic() {
            self.path.push(node.repetition);
        }
        let (value, winner) = self.select_moves(context, &node, old);
        if game.cyclic() {
            self.path.pop();
        }
        if self.cut {
            return 0;
        }
        let value = value.clamp(lo, hi);
        store(context, &node, value, winner.map_or(NO_MOVE, |(index, _)| index));
        let quiet = winner.is_none_or(|(_, noisy)| !noisy);
        if let (true, Some(estimate)) = (quiet && value.abs() < MOST, self.memory().frame(ply).estimate)
            && (value < beta || value > estimate)
            && (winner.is_some() || value < estimate)
        {
            let player = game.turn(position).index();
            let difference = (value - estimate).clamp(-10_000, 10_000);
            self.memory().correct(player, structures, difference * node.depth / 8);
        }
        if winner.is_none() {
            self.memory().reward_last((!game.turn(position)).index(), ply, node.depth);
        }
        value
    }

    /// Returns what is proved of a position before its search, as scores.
    #[inline]
    fn known(&self, context: &Context<'_, G>, node: &Node<'_, G::Position>) -> (i32, i32) {
        let (game, position) = (context.game, node.position);
        if game.tabled(position)
            && let Some(value) = context.oracle.and_then(|oracle| oracle.value(game, position))
        {
            let score = scaled(game, value.raw());
            return (score, score);
        }
        let target = unscaled(game, node.window.1.clamp(-INFINITE, INFINITE), true);
        let (lo, hi) = game.bounds(position, Value::from_raw(target));
        let (mut lo, mut hi) = (lo.raw(), hi.raw());
        if !game.cyclic()
            && let Some(proof) = context.table(position).proof(node.key)
        {
            (lo, hi) = (lo.max(proof.lo), hi.min(proof.hi));
        }
        (scaled(game, lo), scaled(game, hi))
    }

    /// Returns the best score of the moves of a node, and the move that raised it above the window's lower end: its index,
    /// and whether it is noisy.
    pub(super) fn select_moves(
        &mut self,
        context: &Context<'_, G>,
        node: &Node<'_, G::Position>,
        old: Option<Guess>,
    ) -> (i32, Option<(u16, bool)>) {
        let (game, position, depth, ply) = (context.game, node.position, node.depth, node.ply);
        let ((mut alpha, beta), open) = (node.window, node.is_open());
        let player = game.turn(position).index();
        let (mut picks, all) = self.list(context, node);
        if picks.is_empty() {
            self.memory().pool.keep(ply, picks);
            return (game.over(position).map_or(0, |value| scaled(game, value.raw())), None);
        }
        let (mut value, mut winner, mut tried) = (-INFINITE, None, 0);
        let most_quiet =
            (G::SELECTION.quiet_moves + depth * depth) as usize / if node.improves { 1 } else { 2 };
        // A forced move costs no depth, unless the threat did; long chains of them still end.
        let single = picks.len() == 1 && !node.deeper && ply < 100;
        self.memory().frame(ply + 2).killers = [None; 2];
        for i in 0.. {
            if i >= picks.len() {
                break;
            }
            if i == usize::from(node.best != NO_MOVE) {
                self.weigh_noisy(context, node, &mut picks[i..]);
            }
            next_pick(game, position, &mut picks[i..]);
            if picks[i].order == UNWEIGHED {
                self.weigh_quiet(context, node, &mut picks[i..]);
                next_pick(game, position, &mut picks[i..]);
            }
            let Pick { m, order, worth, lane, noisy, index } = picks[i];
            if index == node.without {
                continue;
            }
            let reduction = self.memory().reductions.of(depth, i);
            if value > -MOST && tried > 0 {
                if !noisy {
                    let rest = (depth - reduction).max(0);
                    let futile = |e: i32| e + MARGIN * (rest + 1) + worth / 200 <= alpha;
                    if i >= most_quiet && depth <= MANY_DEPTH {
                        drop_quiet(&mut picks, i + 1, |_| false);
                        continue;
                    }
                    let threatens = |m| game.threatens(position, m);
                    if rest <= FUTILE_DEPTH && node.estimate.is_some_and(futile) && !threatens(m) {
                        drop_quiet(&mut picks, i + 1, threatens);
                        continue;
                    }
                    if depth <= WORST_DEPTH && worth < -4_000 * depth {
                        continue;
                    }
                }
                let least = if noisy { -SWING * depth } else { -SWING / 2 * depth };
                if depth <= EXCHANGE_DEPTH && order < KILLER - 1 && !game.exchange(position, m, least) {
                    continue;
                }
            }
            let mut deep = depth - i32::from(!single);
            if let Some(old) = old.filter(|_| index == node.best) {
                match self.singular(context, node, old) {
                    Ok(extension) => deep += extension,
                    Err(score) => {
                        (value, winner) = (score, Some((index, noisy)));
                        break;
                    }
                }
            }
            tried += 1;
            let child = game.play(position, m);
            let step = step(game, position, m, &child);
            let frame = self.memory().frame(ply);
            (frame.lane, frame.quiet) = (lane, !noisy);
            let mut score = beta;
            if tried > 1 {
                let mut less = 0;
                if i > usize::from(open) && depth >= 2 && (!noisy || order < 0) {
                    less = reduction - i32::from(open) - i32::from(node.improves) - worth / 8_000;
                    less -= i32::from(order >= KILLER - 1) + i32::from(node.estimate.is_none());
                    less += i32::from(!open && !noisy) + i32::from(node.cut);
                    less = less.clamp(0, (deep - 1).max(0));
                }
                let cut = less > 0 || !node.cut;
                score = self.descend(context, &child, step, (deep - less, cut), (alpha, alpha + 1), ply);
                if score > alpha && less > 0 && !self.cut {
                    score = self.descend(context, &child, step, (deep, !node.cut), (alpha, alpha + 1), ply);
                }
            }
            if tried == 1 || open && score > alpha && score < beta && !self.cut {
                let cut = !open && !node.cut;
                score = self.descend(context, &child, step, (deep, cut), (alpha, beta), ply);
            }
            if self.cut {
                break;
            }
            value = value.max(score);
            if score > alpha {
                (alpha, winner) = (score, Some((index, noisy)));
                if open {
                    self.extend_line(ply, m);
                }
                if score >= beta {
                    self.memory().reward(player, ply, depth, &picks[..=i]);
                    break;
                }
            }
        }
        self.memory().pool.keep(ply, picks);
        if !all {
            value = value.max(-MOST + 1);
        }
        (if tried == 0 && winner.is_none() { node.window.0 } else { value }, winner)
    }

    /// Returns by how much deeper the best move of an earlier search is searched: by 1 if all other moves are clearly worse, by
    /// 2 if they are much worse; less deep if others might do as well.
    ///
    /// # Errors
    /// A score above the window that a second move reaches too.
    fn singular(
        &mut self,
        context: &Context<'_, G>,
        node: &Node<'_, G::Position>,
        old: Guess,
    ) -> Result<i32, i32> {
        let usual = node.depth < G::SELECTION.singular_depth
            || node.without != NO_MOVE
            || node.ply as i32 >= 2 * self.memory().depth
            || old.bound == Bound::Upper
            || i32::from(old.depth) < node.depth - 3
            || old.score.abs() >= MOST - 2 * SWING * node.depth;
        if usual {
            return Ok(0);
        }
        let least = old.score - SWING / 40 * node.depth;
        let depth = (node.depth - 1) / 2;
        // The position is searched a second time, so its repetition is none.
        let before = self.memory().frame(node.ply).killers;
        let others = Node { depth, without: node.best, window: (least - 1, least), ..*node };
        let (score, _) = self.select_moves(context, &others, None);
        self.memory().frame(node.ply).killers = before;
        match () {
            () if score < least - SWING / 4 && !node.is_open() && (node.ply as i32) < self.memory().depth => {
                Ok(2)
            }
            () if score < least => Ok(1),
            () if least >= node.window.1 && least.abs() < MOST => Err(least),
            () if old.score >= node.window.1 => Ok(-2),
            () if node.cut => Ok(-1),
            () => Ok(0),
        }
    }

    /// Follows noisy moves that gain something, until the position is quiet.
    pub(super) fn quiesce(&mut self, context: &Context<'_, G>, node: &Node<'_, G::Position>) -> i32 {
        let (game, position, ply) = (context.game, node.position, node.ply);
        let (mut alpha, beta) = node.window;
        let stand = node.estimate.unwrap_or(-INFINITE);
        if stand >= beta {
            return stand;
        }
        let mut value = stand;
        alpha = alpha.max(stand);
        let mut picks = self.memory().pool.take(ply);
        let _ = game.noisy_moves(position, &mut |m| {
            let order = game.urgency(position, m);
            picks.push(Pick { m, order, worth: 0, index: NO_MOVE, lane: NO_LANE, noisy: true });
            MORE
        });
        for i in 0..picks.len() {
            first_pick(&mut picks[i..]);
            let m = picks[i].m;
            // What it takes must reach the window, with a swing to spare.
            if !game.exchange(position, m, alpha.saturating_sub(stand + 2 * SWING).max(0)) {
                continue;
            }
            let child = game.play(position, m);
            let step = step(game, position, m, &child);
            self.memory().frame(ply).lane = NO_LANE;
            let score = self.descend(context, &child, step, (0, false), (alpha, beta), ply);
            if self.cut {
                break;
            }
            value = value.max(score);
            if score > alpha {
                alpha = score;
                if node.is_open() {
                    self.extend_line(ply, m);
                }
                if score >= beta {
                    break;
                }
            }
        }
        self.memory().pool.keep(ply, picks);
        if !self.cut && node.depth <= 0 {
            store(context, node, value, node.best);
        }
        value
    }

    /// Lists the moves of a node, the best one of an earlier search first, and reports whether they are all.
    fn list(&mut self, context: &Context<'_, G>, node: &Node<'_, G::Position>) -> (Vec<Pick<G::Move>>, bool) {
        let (game, position) = (context.game, node.position);
        let mut picks = self.memory().pool.take(node.ply);
        let all = game.promising(position, &mut |m| {
            let index = picks.len().min(NO_MOVE.into()) as u16;
            let (noisy, lane) = (game.noisy(position, m), game.lane(position, m) as u16);
            picks.push(Pick { m, order: 0, worth: 0, index, lane, noisy });
        });
        if let Some(pick) = picks.get_mut(usize::from(node.best)) {
            pick.order = i32::MAX;
            picks.swap(0, node.best.into());
        }
        (picks, all)
    }

    /// Sets the priorities of the noisy moves of a node; the others come after those that lose nothing.
    fn weigh_noisy(
        &mut self,
        context: &Context<'_, G>,
        node: &Node<'_, G::Position>,
        picks: &mut [Pick<G::Move>],
    ) {
        let (game, position) = (context.game, node.position);
        let player = game.turn(position).index();
        let memory = self.memory();
        for pick in picks {
            pick.order = if pick.noisy {
                GOOD + game.urgency(position, pick.m) + memory.worth_of_noisy(player, pick.lane) / 8
            } else {
                UNWEIGHED
            };
        }
    }

    /// Sets the priorities of the quiet moves of a node.
    fn weigh_quiet(
        &mut self,
        context: &Context<'_, G>,
        node: &Node<'_, G::Position>,
        picks: &mut [Pick<G::Move>],
    ) {
        let (game, position, ply) = (context.game, node.position, node.ply);
        let player = game.turn(position).index();
        let memory = self.memory();
        let killers = memory.frame(ply).killers;
        for pick in picks.iter_mut().filter(|pick| pick.order == UNWEIGHED) {
            pick.worth = memory.worth(player, ply, pick.lane);
            pick.order = match () {
                () if G::SELECTION.by_counts => {
                    let bonus = if killers[0] == Some(pick.m) { KILLER_BONUS } else { 0 };
                    pick.worth + game.urgency(position, pick.m) + bonus
                }
                () if killers[0] == Some(pick.m) => KILLER,
                () if killers[1] == Some(pick.m) => KILLER - 1,
                () => pick.worth + game.urgency(position, pick.m),
            };
        }
    }

    /// Returns the score of a move to the position `child`, for the player who makes it. `cut` if a good reply is expected.
    #[inline]
    pub(super) fn descend(
        &mut self,
        context: &Context<'_, G>,
        child: &G::Position,
        step: Step,
        (depth, cut): (i32, bool),
        window: (i32, i32),
        ply: u32,
    ) -> i32 {
        let step = scaled_step(context.game, step);
        let window = window_after(step, window);
        let score = self.select(context, Node { cut, ..fresh(context, child, (depth, ply + 1, window)) });
        Value::from_raw(score).back(step).raw()
    }

    /// Returns the best of some moves to a depth, within a window: its index and its score. The principal variation is in
    /// `self.lines[0]`. If the search is cut after moves that all lose, the next move is returned with the score `unsearched`.
    pub(super) fn select_root(
        &mut self,
        context: &Context<'_, G>,
        position: &G::Position,
        kids: &[Child<G>],
        depth: i32,
        (mut alpha, beta): (i32, i32),
        unsearched: i32,
    ) -> (usize, i32) {
        let mut best = (0, -INFINITE);
        self.line(0).clear();
        self.memory().depth = depth;
        if !context.game.threatened(position) {
            let (key, structures) = (context.game.key(position), context.game.structures(position));
            let estimate = self.corrected(context, position, key, structures);
            self.memory().frame(0).estimate = Some(estimate);
        }
        for (i, k) in kids.iter().enumerate() {
            let before = self.nodes;
            let frame = self.memory().frame(0);
            (frame.lane, frame.quiet) =
                (context.game.lane(position, k.m) as u16, !context.game.noisy(position, k.m));
            let mut score = beta;
            if i > 0 {
                let less = if i > 3 && depth >= 3 { self.memory().reductions.of(depth, i) / 2 } else { 0 };
                let window = (alpha, alpha + 1);
                score = self.descend(context, &k.position, k.step, (depth - 1 - less, true), window, 0);
                if score > alpha && less > 0 && !self.cut {
                    score = self.descend(context, &k.position, k.step, (depth - 1, true), window, 0);
                }
            }
            if i == 0 || score > alpha && score < beta && !self.cut {
                score = self.descend(context, &k.position, k.step, (depth - 1, false), (alpha, beta), 0);
            }
            if self.cut {
                // The moves that are left may not lose.
                if best.1 < -MOST {
                    best = (i, unsearched);
                }
                break;
            }
            let spent = self.nodes - before;
            self.memory().spent_on(k.m, spent);
            if score > best.1 {
                best = (i, score);
            }
            if score > alpha {
                alpha = score;
                self.extend_line(0, k.m);
                if score >= beta {
                    break;
                }
            }
        }
        best
    }
}

/// Returns a node of which nothing is known yet, and starts to load its entry of the table.
#[inline]
pub(super) fn fresh<'a, G: Scored + Heuristic>(
    context: &Context<'_, G>,
    position: &'a G::Position,
    (depth, ply, window): (i32, u32, (i32, i32)),
) -> Node<'a, G::Position> {
    let key = context.game.key(position);
    context.table(position).prefetch_guess(selected(key));
    Node {
        position,
        key,
        repetition: 0,
        depth,
        ply,
        window,
        cut: false,
        passed: false,
        without: NO_MOVE,
        best: NO_MOVE,
        estimate: None,
        improves: false,
        deeper: false,
    }
}

/// Reports whether a stored score shows what it would as a lower bound (`above`), or as an upper bound (`below`).
#[inline]
fn tells(old: Guess, above: bool, below: bool) -> bool {
    match old.bound {
        Bound::Exact => true,
        Bound::Lower => above,
        Bound::Upper => below,
    }
}

/// Removes the quiet moves from the index `from` on, but for some.
fn drop_quiet<M: Copy>(picks: &mut Vec<Pick<M>>, from: usize, but: impl Fn(M) -> bool) {
    let mut kept = from;
    for i in from..picks.len() {
        if picks[i].noisy || but(picks[i].m) {
            picks.swap(kept, i);
            kept += 1;
        }
    }
    picks.truncate(kept);
}

/// Stores the score of a node.
#[inline]
pub(super) fn store<G: Scored + Heuristic>(
    context: &Context<'_, G>,
    node: &Node<'_, G::Position>,
    score: i32,
    best: u16,
) {
    if node.without != NO_MOVE {
        return;
    }
    let bound = match () {
        () if score >= node.window.1 => Bound::Lower,
        () if score <= node.window.0 => Bound::Upper,
        () => Bound::Exact,
    };
    let best = if best == NO_MOVE { node.best } else { best };
    let depth = node.depth.clamp(0, 63) as u8;
    context.table(node.position).guessed(selected(node.key), Guess { score, depth, bound, best });
}

/// Reports whether a score found at any time holds with the plies left now: a win by the rules may come too late.
#[inline]
fn in_time<G: Scored + Heuristic>(game: &G, position: &G::Position, score: i32) -> bool {
    score.abs() < MOST
        || game
            .plies_left(position)
            .is_none_or(|left| Value::from_raw(score).plies().is_some_and(|plies| plies <= left))
}

/// Returns the key of a position's entry of the selective search, whose scores the plain one must not take over.
#[inline]
pub(super) fn selected(key: u64) -> u64 {
    key ^ 0x6C62_272E_07BB_0142
}
