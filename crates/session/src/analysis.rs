//! The values of a position and of all its moves, as far as they are found in a given time.

use std::fmt;
use std::time::{Duration, Instant};

use grundy_core::sorting;
use grundy_core::value::{Unit, Value, Wdl};

use crate::{Go, Limits, MoveList, MoveValue, NEVER, Session, Work};

/// The values found of a position and its moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Analysis {
    /// The position's value for the player to move; `None` if it was not found in time.
    pub value: Option<Value>,
    /// The legal moves with their values, best first; values not found in time are `None`.
    pub list: MoveList,
}

/// A selection of a position's moves, complete or not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picked {
    /// The moves known to belong to the selection.
    pub words: Vec<String>,
    /// True if all other moves are known not to belong.
    pub complete: bool,
}

impl Picked {
    /// The mark at the end of a list that may lack some moves.
    pub const MORE: &str = "..";

    /// Selects the moves that pass a test of their value; the test returns `None` if it cannot tell. `list` is sorted
    /// best first.
    fn of(list: &MoveList, test: impl Fn(Value) -> Option<bool>) -> Picked {
        let judged = || list.moves.iter().map(|m| m.value.and_then(&test));
        let passed = list.moves.iter().zip(judged()).filter(|(_, passes)| *passes == Some(true));
        let words = passed.map(|(m, _)| m.word.clone()).collect();
        // Moves that were left out are no better than the last one.
        let cut = list.truncated && judged().next_back() != Some(Some(false));
        Picked { words, complete: !cut && judged().all(|passes| passes.is_some()) }
    }
}

/// The words separated by blanks, then `..` if others may belong to them; `-` if there are none.
impl fmt::Display for Picked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let more = (!self.complete).then_some(Picked::MORE);
        let words: Vec<&str> = self.words.iter().map(String::as_str).chain(more).collect();
        f.write_str(if words.is_empty() { "-" } else { "" })?;
        f.write_str(&words.join(" "))
    }
}

impl Analysis {
    /// Returns the moves of the position's value, distance included.
    pub fn best(&self, unit: Unit) -> Picked {
        let Some(best) = self.value else { return self.unknown() };
        Picked::of(&self.list, |value| match unit {
            _ if value == best => Some(true),
            Unit::Outcome if value.wdl() == best.wdl() => match (best.is_unmeasured(), value.is_unmeasured())
            {
                // Of wins whose distances are not known none is better than another.
                (true, _) => Some(true),
                (false, unmeasured) => (!unmeasured).then_some(false),
            },
            _ => Some(false),
        })
    }

    /// Returns the moves that keep the outcome, or in a game for points the margin.
    pub fn keeping(&self, unit: Unit) -> Picked {
        let Some(best) = self.value else { return self.unknown() };
        Picked::of(&self.list, |value| {
            Some(if unit.is_points() { value == best } else { value.wdl() == best.wdl() })
        })
    }

    /// Returns the empty selection of a position of unknown value.
    fn unknown(&self) -> Picked {
        Picked { words: Vec::new(), complete: self.list.moves.is_empty() && !self.list.truncated }
    }
}

impl Session {
    /// Returns what is known without a search: the position's value, and its moves as [`Session::values`] returns them.
    pub fn known(&mut self, limit: usize) -> Analysis {
        self.known_within(limit, &self.work(&NEVER))
    }

    /// As [`Session::known`], within the limits of `work`.
    pub fn known_within(&mut self, limit: usize, work: &Work<'_>) -> Analysis {
        let (value, list) = (self.value_within(work), self.values_within(limit, work));
        let value = value.or_else(|| if list.truncated { None } else { best_of(&list.moves) });
        Analysis { value, list }
    }

    /// Finds the values of the position and of its first `limit` moves: at once if a method knows them, else by
    /// searches that take `time` together. Ends early if `work` does.
    pub fn analyze(&mut self, limit: usize, time: Duration, work: &Work<'_>) -> Analysis {
        let known = Some(self.known_within(limit, work)).filter(|known| known.value.is_some());
        // Where an opening book ends it knows a position, but not all of its moves.
        let open = |found: &Analysis| found.list.moves.iter().any(|m| m.value.is_none());
        let searches = self.searches();
        match known.filter(|found| !(searches && open(found))) {
            Some(found) => found,
            None => search(self, limit, &work.within(time)),
        }
    }
}

/// Searches a position that no table covers, for half of the time or until its outcome is proved, then each of its
/// moves. Moves whose outcome is not proved in time have no value.
fn search(session: &mut Session, limit: usize, work: &Work<'_>) -> Analysis {
    let left = || work.until.map_or(Duration::ZERO, |end| end.saturating_duration_since(Instant::now()));
    let (mut value, mut shown) = prove(session, &work.within(left() / 2));
    if value.is_none() {
        (value, shown) = prove(session, work);
    }
    let words = session.legal_moves(limit.saturating_add(1));
    let truncated = words.len() > limit;
    // The proof of a win has shown a move that wins.
    let won = |word: &String| value.filter(|value| value.wdl() == Wdl::Win && shown.as_ref() == Some(word));
    let mut moves: Vec<MoveValue> =
        words.into_iter().take(limit).map(|word| MoveValue { value: won(&word), word }).collect();
    // What one move leaves of its time is for those that need more, first to say who wins and then how soon.
    ask(session, &mut moves, work, 2, |_| true);
    ask(session, &mut moves, work, 1, |value| value.is_none());
    ask(session, &mut moves, work, 1, |value| value.is_some_and(Value::is_unmeasured));
    // What the search of the whole left open, all the moves together may settle.
    let value = value.filter(|value| !value.is_unmeasured()).or_else(|| best_of(&moves)).or(value);
    if value.is_some_and(|value| value.wdl() == Wdl::Loss && value.margin().is_none()) {
        // No move of a lost position does better.
        moves.iter_mut().for_each(|m| m.value = m.value.or(Some(Value::LOSS)));
    }
    sorting::sort_by_key(&mut moves, |m| std::cmp::Reverse(m.value));
    Analysis { value, list: MoveList { moves, truncated } }
}

/// Returns the value of the best move, if all are known well enough to tell which it is.
fn best_of(moves: &[MoveValue]) -> Option<Value> {
    let values: Vec<Value> = moves.iter().map(|m| m.value).collect::<Option<_>>()?;
    let best = values.iter().copied().max()?;
    let rivals = if best.wdl() == Wdl::Win { Value::WIN } else { Value::LOSS };
    Some(if best.wdl() != Wdl::Draw && values.contains(&rivals) { rivals } else { best })
}

/// Searches the moves whose values are open, each for its share of the time left divided by `part`.
fn ask(
    session: &mut Session,
    moves: &mut [MoveValue],
    work: &Work<'_>,
    part: u32,
    open: impl Fn(Option<Value>) -> bool,
) {
    let waiting: Vec<usize> = (0..moves.len()).filter(|&at| open(moves[at].value)).collect();
    for (done, &at) in waiting.iter().enumerate() {
        if work.stopped() {
            break;
        }
        let left = work.until.map_or(Duration::ZERO, |end| end.saturating_duration_since(Instant::now()));
        let share = left / u32::try_from(waiting.len() - done).unwrap_or(1) / part;
        let MoveValue { word, value } = &mut moves[at];
        *value = value_of_move(session, word, &work.within(share)).or(*value);
    }
}

/// Returns the value that a search proves before the work ends, or the outcome alone, and the best move it found.
fn prove(session: &mut Session, work: &Work<'_>) -> (Option<Value>, Option<String>) {
    if let Some(value) = session.value_within(work) {
        return (Some(value), None);
    }
    let limits = Limits { hard: work.until, ..Limits::default() };
    let mut found = (None, None);
    session.think(&Go { limits, ..Go::default() }, work.stop, &mut |info| {
        if info.rank == 1 {
            found = (info.score.settled(), info.pv.first().cloned());
        }
    });
    found
}

/// Returns a move's value for its mover, as far as a search proves it before the work ends.
fn value_of_move(session: &mut Session, word: &str, work: &Work<'_>) -> Option<Value> {
    let limits = Limits { hard: work.until, ..Limits::default() };
    let go = Go { limits, search_moves: vec![word.to_owned()], ..Go::default() };
    let mut value = None;
    session.think(&go, work.stop, &mut |info| {
        if info.rank == 1 {
            value = info.score.settled();
        }
    });
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_says_whether_other_moves_may_belong_to_it() {
        let (win, loss) = (Value::win_in, Value::loss_in);
        let found = |value, values: &[Option<Value>]| {
            let named = |(at, &value): (usize, &Option<Value>)| MoveValue { word: format!("m{at}"), value };
            let list = MoveList { moves: values.iter().enumerate().map(named).collect(), truncated: false };
            let found = Analysis { value, list };
            [found.best(Unit::Outcome).to_string(), found.keeping(Unit::Outcome).to_string()]
        };
        let all = [Some(win(3)), Some(win(5)), Some(loss(2))];
        assert_eq!(found(Some(win(3)), &all), ["m0", "m0 m1"]);
        assert_eq!(found(Some(win(3)), &[Some(win(3)), Some(win(5)), None]), ["m0 ..", "m0 m1 .."]);
        // A win of unknown distance keeps the value, and may be as short.
        assert_eq!(found(Some(win(3)), &[Some(Value::WIN), Some(win(3))]), ["m1 ..", "m0 m1"]);
        assert_eq!(found(Some(Value::WIN), &[Some(Value::WIN), Some(loss(2))]), ["m0", "m0"]);
        assert_eq!(found(None, &[None, Some(Value::DRAW)]), ["..", ".."]);
        assert_eq!(found(Some(loss(0)), &[]), ["-", "-"]);
        assert_eq!(found(Some(Value::DRAW), &[Some(Value::DRAW), None, Some(loss(4))]), ["m0 ..", "m0 .."]);
    }

    #[test]
    fn moves_settle_a_position_as_far_as_all_are_known() {
        let of = |values: &[Option<Value>]| {
            let named = |&value| MoveValue { word: String::new(), value };
            best_of(&values.iter().map(named).collect::<Vec<_>>())
        };
        let (win, loss) = (Value::win_in, Value::loss_in);
        assert_eq!(of(&[Some(win(9)), None]), None);
        assert_eq!(of(&[Some(win(9)), Some(win(3)), Some(Value::LOSS)]), Some(win(3)));
        // The win that nobody has measured may be shorter.
        assert_eq!(of(&[Some(win(9)), Some(Value::WIN)]), Some(Value::WIN));
        assert_eq!(of(&[Some(loss(8)), Some(Value::LOSS)]), Some(Value::LOSS));
        assert_eq!(of(&[Some(loss(8)), Some(loss(10))]), Some(loss(10)));
        assert_eq!(of(&[Some(Value::LOSS), Some(Value::DRAW)]), Some(Value::DRAW));
    }
}
