//! The choice among moves of equal value, and lines of best play.

use std::cmp::Reverse;
use std::time::Instant;

use grundy_core::sorting;
use grundy_core::value::Value;

use crate::{Board, Listed, Move, REPETITIONS};

/// Maximum number of moves to choose from.
pub(crate) const LISTED: usize = 2_000;
/// Maximum number of replies examined to choose among equal moves. A bound by count keeps the choice the same on every
/// machine.
const REPLIES: usize = 20_000;
/// Limit up to which the replies of one position are counted.
const COUNTED: usize = 1_000;
/// Plies shown of a line without a known end.
const OPEN_LINE: usize = 12;
/// Maximum length of a line of play, in plies.
const LONGEST_LINE: usize = 2_000;
/// The same under a short clock: each ply of a compressed table costs some 30 microseconds.
const HURRIED_LINE: usize = 16;

/// A move and its value for the player who makes it.
pub(crate) type Valued = (Move, Option<Value>);

/// Returns the first `limit` moves of the best value, in the game's order.
pub(crate) fn best_moves(board: &mut dyn Board, value: Value, limit: usize) -> Vec<Move> {
    let first = |board: &mut dyn Board| board.list(Listed::Legal, limit).unwrap_or_default();
    match board.list(Listed::Keeping, limit) {
        Some(keeping) if !keeping.is_empty() => keeping,
        Some(_) => first(board),
        None => board.list(Listed::Worth(value), limit).unwrap_or_default(),
    }
}

/// Keeps the best moves that are also best without a rule (fifty moves), if that changed the position's value: the
/// opponent may fail to claim.
pub(crate) fn prefer_without_rule(board: &mut dyn Board, best: &mut Vec<Move>) {
    let Some((value, _)) = board.without_rule() else { return };
    let also: Vec<bool> = best
        .iter()
        .map(|&m| {
            let step = board.play(m);
            let worth = board.without_rule().map(|(value, _)| value).or_else(|| board.value());
            board.undo();
            worth.map(|worth| worth.back(step)) == Some(value)
        })
        .collect();
    if also.contains(&true) {
        let mut also = also.into_iter();
        best.retain(|_| also.next().unwrap_or(true));
    }
}

/// Keeps, in a game for points in which positions may repeat, those of the best moves of a player who is ahead that
/// make progress. The others keep the value but may cycle forever.
pub(crate) fn prefer_progress(board: &dyn Board, value: Value, best: &mut Vec<Move>) {
    if value <= Value::DRAW || value.margin().is_none() {
        return;
    }
    let paces: Option<Vec<u32>> = best.iter().map(|&m| board.pace(m)).collect();
    let Some(paces) = paces else { return };
    let least = paces.iter().min().copied();
    let mut paces = paces.into_iter();
    best.retain(|_| paces.next() == least);
}

/// Keeps, in a won position in which a move may repeat a position for the third time, a draw in play, the best moves
/// after which neither the move nor a reply does so. If there are none, returns the best other winning move of
/// that kind with its value; and if there is none either, keeps the moves that do not repeat it themselves.
pub(crate) fn avoid_repetition(
    board: &mut dyn Board,
    value: Value,
    best: &mut Vec<Move>,
) -> Option<(Move, Value)> {
    if value <= Value::DRAW || !board.met_twice() {
        return None;
    }
    let kept = |board: &mut dyn Board, moves: &[Move], safe: fn(&mut dyn Board, Move) -> bool| -> Vec<Move> {
        moves.iter().copied().filter(|&m| safe(board, m)).collect()
    };
    let safe = kept(board, best, is_safe);
    if !safe.is_empty() {
        *best = safe;
        return None;
    }
    let mut others = valued_moves(board, LISTED, None).0;
    others.retain(|&(m, worth)| worth.is_some_and(|worth| worth > Value::DRAW) && !best.contains(&m));
    for (m, worth) in others {
        if is_safe(board, m) {
            return worth.map(|worth| (m, worth));
        }
    }
    let open = kept(board, best, |board, m| !ends_by_repetition(board, m));
    if !open.is_empty() {
        *best = open;
    }
    None
}

/// Reports whether neither a move nor any reply to it repeats a position for the third time.
fn is_safe(board: &mut dyn Board, m: Move) -> bool {
    if ends_by_repetition(board, m) {
        return false;
    }
    board.play(m);
    let replies = board.list(Listed::Legal, COUNTED).unwrap_or_default();
    let safe = replies.into_iter().all(|reply| !ends_by_repetition(board, reply));
    board.undo();
    safe
}

/// Reports whether a move repeats a position for the third time.
fn ends_by_repetition(board: &mut dyn Board, m: Move) -> bool {
    board.play(m);
    let ends = board.standing().over.is_none() && board.repetitions() >= REPETITIONS;
    board.undo();
    ends
}

/// Chooses among moves of equal value the first of those that leave the opponent the fewest value-preserving replies.
pub(crate) fn choose(board: &mut dyn Board, candidates: &[Move]) -> Option<Move> {
    let mut looked = 0;
    let mut chosen = None;
    let mut fewest = usize::MAX;
    for &m in candidates {
        if candidates.len() == 1 || (looked > REPLIES && chosen.is_some()) {
            return chosen.or(Some(m));
        }
        board.play(m);
        let replies = keeping_replies(board, &mut looked);
        board.undo();
        if replies < fewest {
            (fewest, chosen) = (replies, Some(m));
        }
    }
    chosen
}

/// Counts the value-preserving moves of a position, up to [`COUNTED`].
fn keeping_replies(board: &mut dyn Board, looked: &mut usize) -> usize {
    let Some(value) = board.value() else { return COUNTED };
    if board.standing().over.is_some() {
        return 0;
    }
    let keeping = board.list(Listed::Keeping, usize::MAX);
    if let Some(keeping) = keeping.as_ref().filter(|list| !list.is_empty()) {
        *looked += keeping.len();
        return keeping.len();
    }
    // No move keeps the value only where every move does: in a lost position.
    if keeping.is_some() {
        let count = board.count_moves(COUNTED);
        *looked += count;
        return count;
    }
    let mut count = 0;
    board.each_worth(&mut |worth| {
        *looked += 1;
        count += usize::from(worth == Some(value));
        count < COUNTED
    });
    count
}

/// Returns a line of best play that begins with `first`, in words: to the end of the game if `value` has a distance, else
/// [`OPEN_LINE`] plies, stopping early where the game's history ends it as a draw; in a hurry no more than
/// [`HURRIED_LINE`] plies.
pub(crate) fn line(board: &mut dyn Board, first: Move, value: Value, hurried: bool) -> Vec<String> {
    let plies = value.plies();
    let most = if hurried { HURRIED_LINE } else { LONGEST_LINE };
    let longest = plies.map_or(OPEN_LINE, |plies| (plies as usize).min(most));
    let mut words = vec![board.word(first)];
    board.play(first);
    let mut played = 1;
    while words.len() < longest
        && board.standing().over.is_none()
        && !(plies.is_none() && board.drawn().is_some())
    {
        let Some(value) = board.value() else { break };
        let mut best = best_moves(board, value, 1);
        if best.first().is_some_and(|&m| board.pace(m).is_some()) {
            best = best_moves(board, value, LISTED);
            prefer_progress(board, value, &mut best);
        }
        let Some(&m) = best.first() else { break };
        words.push(board.word(m));
        board.play(m);
        played += 1;
    }
    (0..played).for_each(|_| {
        board.undo();
    });
    words
}

/// Returns at most `limit` moves with their values, best first, and whether some were left out. Moves not examined by
/// `until` are left out, or have no value.
pub(crate) fn valued_moves(
    board: &mut dyn Board,
    limit: usize,
    until: Option<Instant>,
) -> (Vec<Valued>, bool) {
    let value = board.value();
    let keeping = if value.is_some() { board.list(Listed::Keeping, usize::MAX) } else { None };
    if value.is_some() && keeping.is_none() {
        return board.most_valued(limit, until);
    }
    let mut list: Vec<Valued> = keeping.unwrap_or_default().into_iter().map(|m| (m, value)).collect();
    if !list.is_empty() && !board.keeping_is_whole() {
        list.truncate(limit);
        return (list, true);
    }
    // Where children need not be asked, the list may be cut: the moves that keep the value are all there.
    let known = list.len();
    let most = limit.max(known).saturating_add(1);
    let mut truncated = false;
    let mut seen = vec![false; list.iter().map(|(m, _)| m.0 as usize + 1).max().unwrap_or(0)];
    list.iter().for_each(|(m, _)| seen[m.0 as usize] = true);
    for m in board.list(Listed::Legal, most).unwrap_or_default() {
        if list.len() >= limit.max(known) {
            truncated = true;
            break;
        }
        if !seen.get(m.0 as usize).is_some_and(|&seen| seen) {
            // What is asked too late is not known.
            let late = until.is_some_and(|until| Instant::now() >= until);
            let value = if late { None } else { board.worth(m) };
            list.push((m, value));
        }
    }
    sorting::sort_by_key(&mut list, |&(_, value)| Reverse(value));
    truncated |= list.len() > limit;
    list.truncate(limit);
    (list, truncated)
}
