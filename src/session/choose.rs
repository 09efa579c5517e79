//! Which of the moves an oracle knows to be equally good is played, and the line of play that shows a value.

use std::ops::ControlFlow;

use crate::game::{Game, MORE, Scored, children, step};
use crate::solve::Oracle;
use crate::value::Value;

/// At most this many moves of a position are looked at where an oracle says that all keep the value.
const LISTED: usize = 2_000;
/// At most this many replies are looked at to choose among equal moves: a bound by count keeps the choice the
/// same on every machine.
const REPLIES: usize = 20_000;
/// Replies of one position are counted no further.
const COUNTED: usize = 1_000;
/// A line of play without a known end shows so many plies.
const OPEN_LINE: usize = 12;
/// No line of play is longer.
const LONGEST_LINE: usize = 2_000;

/// A move and its value for the player who makes it.
pub(super) type Valued<G> = (<G as Game>::Move, Option<Value>);

/// The value of a move: the child's, taken one move back.
pub(super) fn value_of_move<G: Scored>(
    game: &G,
    oracle: &dyn Oracle<G>,
    position: &G::Position,
    m: G::Move,
) -> Option<Value> {
    let child = game.play(position, m);
    let value = oracle.value(game, &child)?;
    Some(value.back(step(game, position, m, &child)))
}

/// The first moves of the best value, in the game's order; at most `limit`.
pub(super) fn best_moves<G: Scored>(
    game: &G,
    oracle: &dyn Oracle<G>,
    position: &G::Position,
    value: Value,
    limit: usize,
) -> Vec<G::Move> {
    let mut best = Vec::new();
    match oracle.keeping_moves(game, position) {
        Some(keeping) if !keeping.is_empty() => {
            best = keeping;
            best.truncate(limit);
        }
        Some(_) => {
            let _ = game.moves(position, &mut |m| {
                best.push(m);
                if best.len() < limit { MORE } else { ControlFlow::Break(()) }
            });
        }
        None => {
            let _ = children(game, position, &mut |m, child, step| {
                if oracle.value(game, &child).map(|v| v.back(step)) == Some(value) {
                    best.push(m);
                }
                if best.len() < limit { MORE } else { ControlFlow::Break(()) }
            });
        }
    }
    best
}

/// Where a rule has changed what a position is worth, leaves of its best moves those that are also best without the
/// rule: the opponent may not claim it.
pub(super) fn prefer_without_rule<G: Scored>(
    game: &G,
    oracle: &dyn Oracle<G>,
    position: &G::Position,
    best: &mut Vec<G::Move>,
) {
    let Some((value, _)) = oracle.without_rule(game, position) else { return };
    let also = |&m: &G::Move| {
        let child = game.play(position, m);
        let other = oracle.without_rule(game, &child).map(|(value, _)| value);
        let worth = other.or_else(|| oracle.value(game, &child));
        worth.map(|worth| worth.back(step(game, position, m, &child))) == Some(value)
    };
    if best.iter().any(also) {
        best.retain(also);
    }
}

/// Chooses among the moves of the best value the one that leaves the opponent the fewest replies that keep the
/// value for him; the first of several such. `pick` chooses among all of the best instead.
pub(super) fn choose<G: Scored>(
    game: &G,
    oracle: &dyn Oracle<G>,
    position: &G::Position,
    candidates: &[G::Move],
    pick: Option<&mut dyn FnMut(usize) -> usize>,
) -> Option<G::Move> {
    if let (Some(pick), false) = (pick, candidates.is_empty()) {
        return candidates.get(pick(candidates.len())).copied();
    }
    let mut looked = 0;
    let mut chosen = None;
    let mut fewest = usize::MAX;
    for &m in candidates {
        if candidates.len() == 1 || (looked > REPLIES && chosen.is_some()) {
            return chosen.or(Some(m));
        }
        let child = game.play(position, m);
        let replies = keeping_replies(game, oracle, &child, &mut looked);
        if replies < fewest {
            (fewest, chosen) = (replies, Some(m));
        }
    }
    chosen
}

/// How many replies keep the value of a position, counted no further than [`COUNTED`].
fn keeping_replies<G: Scored>(
    game: &G,
    oracle: &dyn Oracle<G>,
    position: &G::Position,
    looked: &mut usize,
) -> usize {
    let Some(value) = oracle.value(game, position) else { return COUNTED };
    if game.over(position).is_some() {
        return 0;
    }
    let keeping = oracle.keeping_moves(game, position);
    if let Some(keeping) = keeping.as_ref().filter(|list| !list.is_empty()) {
        *looked += keeping.len();
        return keeping.len();
    }
    // No move keeps the value only where every move does: in a lost position.
    let all = keeping.is_some();
    let mut count = 0;
    let _ = children(game, position, &mut |_, child, step| {
        *looked += 1;
        if all || oracle.value(game, &child).map(|v| v.back(step)) == Some(value) {
            count += 1;
        }
        if count < COUNTED { MORE } else { ControlFlow::Break(()) }
    });
    count
}

/// A line of best play that begins with `first`: to the end of the game where the value has a distance, else
/// some plies of it.
pub(super) fn line<G: Scored>(
    game: &G,
    oracle: &dyn Oracle<G>,
    position: &G::Position,
    first: G::Move,
    value: Value,
) -> Vec<G::Move> {
    let longest = value.plies().map_or(OPEN_LINE, |plies| (plies as usize).min(LONGEST_LINE));
    let mut moves = vec![first];
    let mut now = game.play(position, first);
    while moves.len() < longest && game.over(&now).is_none() {
        let Some(value) = oracle.value(game, &now) else { break };
        let Some(&m) = best_moves(game, oracle, &now, value, 1).first() else { break };
        moves.push(m);
        now = game.play(&now, m);
    }
    moves
}

/// All moves with their values, best first, at most `limit`; and whether some were left out.
pub(super) fn valued_moves<G: Scored>(
    game: &G,
    oracle: Option<&dyn Oracle<G>>,
    position: &G::Position,
    limit: usize,
) -> (Vec<Valued<G>>, bool) {
    let keeping = oracle.and_then(|o| o.keeping_moves(game, position));
    let bounded = oracle.is_none() || keeping.is_some();
    let keeping = keeping.unwrap_or_default();
    let mut list: Vec<Valued<G>> = Vec::new();
    if let (Some(oracle), false) = (oracle, keeping.is_empty()) {
        let value = oracle.value(game, position);
        list.extend(keeping.iter().map(|&m| (m, value)));
    }
    let first = list.len();
    let mut truncated = false;
    let known: rustc_hash::FxHashSet<G::Move> = keeping.into_iter().collect();
    let _ = game.moves(position, &mut |m| {
        if bounded && list.len() >= limit.max(first) {
            truncated = true;
            return ControlFlow::Break(());
        }
        if !known.contains(&m) {
            list.push((m, oracle.and_then(|o| value_of_move(game, o, position, m))));
        }
        MORE
    });
    best_first(&mut list);
    truncated |= list.len() > limit;
    list.truncate(limit);
    (list, truncated)
}

/// Sorts moves by their values, best first and unknown ones last; equals stay in their order.
pub(super) fn best_first<M: Copy, V: Copy + Into<Option<Value>>>(list: &mut Vec<(M, V)>) {
    let order = falling(list.iter().map(|&(_, value)| value.into()).collect());
    *list = order.into_iter().map(|n| list[n]).collect();
}

/// The places of values in falling order. Apart from the moves, so that it is compiled once and not for every game.
fn falling(values: Vec<Option<Value>>) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by_key(|&n| std::cmp::Reverse(values[n]));
    order
}

/// The most moves the engine lists to choose from.
pub(super) const fn listed() -> usize {
    LISTED
}
