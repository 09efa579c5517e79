//! The values of a position and of all its moves, as far as they are found in a given time.

use std::cmp::Reverse;
use std::time::{Duration, Instant};

use grundy_core::sorting;
use grundy_core::value::{Score, Unit, Value, Wdl};

use crate::board::MoveQuestion;
use crate::picked::Picked;
use crate::report::{MoveList, MoveValue, show};
use crate::values::FOR_AN_ENDING;
use crate::{Distance, Go, Known, Limits, NEVER, Session, Work};

/// The values found of a position and its moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Analysis {
    /// The position's value for the player to move; `None` if it was not found in time.
    pub value: Option<Value>,
    /// A proved bound of a value that was not found.
    pub bound: Option<Score>,
    /// The source of what was proved earlier and not now: see [`Known`](crate::Known).
    pub source: Option<String>,
    /// The line of play that a search found best, if it proved no value; empty if there was none.
    pub likely: Vec<String>,
    /// The legal moves with their values, best first; values not found in time are `None`.
    pub list: MoveList,
}

impl Analysis {
    /// Returns the value as text: `win:12`, `>=draw`, `<=+3`, or `?`.
    pub fn show(&self, unit: Unit) -> String {
        show(self.value, self.bound, unit)
    }

    /// Reports whether the value of a move is not known.
    fn is_open(&self) -> bool {
        self.value.is_none() || self.list.moves.iter().any(|m| m.value.is_none())
    }

    /// Adds what is proved of the position's value.
    fn learn(&mut self, score: Score) {
        match score.settled() {
            Some(value) if self.value.is_none_or(Value::is_unmeasured) => {
                (self.value, self.bound) = (Some(value), None);
            }
            None if self.value.is_none() => self.bound = Some(score),
            _ => {}
        }
    }

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
    /// Returns what is known without a search, by a method or as a [known result](Session::known_result): the position's
    /// value, and its moves as [`Session::values`] returns them.
    pub fn known(&mut self, limit: usize) -> Analysis {
        self.known_within(limit, &self.work(&NEVER))
    }

    /// As [`Session::known`], within the limits of `work`.
    pub fn known_within(&mut self, limit: usize, work: &Work<'_>) -> Analysis {
        let mut found = self.looked_up(limit, Duration::MAX, work);
        self.add_known(&mut found);
        self.held(found)
    }

    /// Returns what was found, or nothing if no answer holds any more.
    fn held(&self, found: Analysis) -> Analysis {
        match self.unvalued() {
            None => found,
            Some(_) => Analysis { list: MoveList::omitted(), ..Analysis::default() },
        }
    }

    /// Finds the value of the position without those of its moves: at once if it is known, else by a search of at most
    /// `time`. Ends early if `work` does.
    pub fn evaluate(&mut self, time: Duration, work: &Work<'_>) -> Analysis {
        let mut found = Analysis { value: self.value_in(FOR_AN_ENDING, time, work), ..Analysis::default() };
        if found.value.is_none() && self.searches() {
            self.prove(&mut found, &work.within(time));
        }
        self.add_known(&mut found);
        self.held(found)
    }

    /// Finds the values of the position and of its first `limit` moves: at once if a method knows them, else by
    /// searches that take `time` together, the position first, then its moves, best first. Ends early if `work` does.
    pub fn analyze(&mut self, limit: usize, time: Duration, work: &Work<'_>) -> Analysis {
        let mut found = self.looked_up(limit, time, work);
        // Where an opening book ends it knows a position, but not all of its moves.
        if self.searches() && self.over().is_none() && found.is_open() {
            search(self, &mut found, &work.within(time));
        }
        self.add_known(&mut found);
        if found.value.is_some() {
            found.likely.clear();
        }
        self.held(found)
    }

    /// Returns what a method knows without a search; `quiet` is the time limit of work that reports no progress.
    fn looked_up(&mut self, limit: usize, quiet: Duration, work: &Work<'_>) -> Analysis {
        let value = self.value_in(FOR_AN_ENDING, quiet, work);
        // What took too long to prepare is not tried again for the moves.
        let list = if self.over().is_some() { MoveList::default() } else { self.listed(limit, work) };
        let value = value.or_else(|| if list.truncated { None } else { best_of(&list.moves) });
        let wins = |m: &MoveValue| m.value.is_some_and(|value| value.wdl() == Wdl::Win);
        let won = self.unit() == Unit::Outcome && list.moves.iter().any(wins);
        let value = value.or_else(|| won.then_some(Value::WIN));
        Analysis { value, list, ..Analysis::default() }
    }

    /// Adds the known result of the position where nothing was proved now.
    fn add_known(&self, found: &mut Analysis) {
        let open = found.is_open() || found.value.is_some_and(Value::is_unmeasured);
        let Some(known) = self.known_result().filter(|_| open) else { return };
        let (before, unit) = ((found.value, found.bound, found.list.clone()), self.unit());
        found.learn(known.score);
        for m in found.list.moves.iter_mut().filter(|m| m.value.is_none()) {
            if let Some(score) = known.of_move(&m.word, unit)
                && (m.bound.is_none() || score.settled().is_some())
            {
                m.learn(score);
            }
        }
        sorting::sort_by_key(&mut found.list.moves, |m| Reverse(m.rank()));
        let added = before != (found.value, found.bound, found.list.clone());
        found.source = added.then(|| known.source.clone());
    }

    /// Proves the position's value by a search, unless one has done so before or is known to take too long. Returns the
    /// best move it found.
    fn prove(&mut self, found: &mut Analysis, work: &Work<'_>) -> Option<String> {
        if self.proved.as_ref().is_none_or(|(score, _)| score.exact().is_none())
            && !work.stopped()
            && !self.known_result().is_some_and(Known::is_costly)
        {
            let limits = Limits { hard: work.until, ..Limits::default() };
            let mut line = Vec::new();
            self.think(&Go { limits, ..Go::default() }, work.stop, &mut |info| {
                if info.rank == 1 {
                    line = info.pv;
                }
            });
            found.likely = line;
        }
        let (score, word) = self.proved.clone()?;
        found.learn(score);
        Some(word)
    }
}

/// The bounds of a move's value, as searches close in on it.
struct Bounded {
    word: String,
    lo: Value,
    hi: Value,
}

impl Bounded {
    /// Returns bounds that hold for every value.
    fn of(found: &MoveValue, unit: Unit) -> Bounded {
        let widest = if unit.is_points() {
            (Value::points(i32::MIN), Value::points(i32::MAX))
        } else {
            (Value::loss_in(0), Value::win_in(0))
        };
        let (lo, hi) = match found.value {
            Some(Value::WIN) => (Value::WIN, widest.1),
            Some(Value::LOSS) => (widest.0, Value::LOSS),
            Some(value) => (value, value),
            None => widest,
        };
        Bounded { word: found.word.clone(), lo, hi }
    }

    /// Returns what the bounds say of the value; `None` if they say nothing. Of two bounds that tell something the one
    /// is returned that compares the move with the position's value `best`.
    fn score(&self, unit: Unit, best: Option<Value>) -> Option<Score> {
        let (least, most) = match unit.is_points() {
            true => (!self.lo.at_ceiling(), !self.hi.at_ceiling()),
            false => (self.lo >= Value::DRAW, self.hi <= Value::DRAW),
        };
        let worse = best.is_some_and(|best| self.hi < best);
        match () {
            () if self.is_exact() => Some(Score::Exact(self.lo)),
            () if least && !(most && worse) => Some(Score::AtLeast(self.lo)),
            () if most => Some(Score::AtMost(self.hi)),
            () => None,
        }
    }

    fn is_exact(&self) -> bool {
        self.lo >= self.hi
    }

    /// Reports whether the outcome is known.
    fn is_decided(&self) -> bool {
        self.is_exact() || self.lo > Value::DRAW || self.hi < Value::DRAW
    }
}

/// Searches a position for up to three quarters of the time or until its outcome is proved, then each of its moves: first whether they
/// keep the value, then how much they are worth.
fn search(session: &mut Session, found: &mut Analysis, work: &Work<'_>) {
    let unit = session.unit();
    // A book may know the value and none of the moves that reach it.
    let reached = found.value.is_some() && found.list.moves.iter().any(|m| m.value == found.value);
    let mut first = None;
    for _ in 0..2 {
        if first.is_none() && !reached && !work.stopped() {
            first = session.prove(found, &part(work, 2));
        }
    }
    let mut moves: Vec<Bounded> = found.list.moves.iter().map(|m| Bounded::of(m, unit)).collect();
    let whole = !found.list.truncated;
    let measured = found.value.filter(|value| !value.is_unmeasured());
    // No move is worth more than the position, and the proof has shown one that is worth as much.
    if let Some(value) = found.value {
        moves.iter_mut().filter(|_| value != Value::WIN).for_each(|m| m.hi = m.hi.min(value));
        let best = moves.iter_mut().find(|m| first.as_ref() == Some(&m.word));
        best.into_iter().filter(|_| value != Value::LOSS).for_each(|m| m.lo = m.lo.max(value));
    }
    let known = session.known_result();
    let target = measured.or_else(|| known?.value());
    let mut likely: Vec<String> = known.map_or(Vec::new(), |known| known.keeping.words.clone());
    likely.extend(first);
    sorting::sort_by_key(&mut moves, |m| !likely.contains(&m.word));
    let distance = session.distance();
    let who_wins = MoveQuestion { at_most: measured, target: None, distance: Distance::First };
    let half = |waiting| part(work, 2 * waiting);
    if unit.is_points() {
        let question = MoveQuestion { target, ..who_wins };
        let open =
            |m: &Bounded| target.is_some_and(|target| m.lo < target && target <= m.hi && !m.is_exact());
        close_in(session, &mut moves, &question, &open, &half);
    } else {
        // What one move leaves of its time is for those that need more, here and below.
        for _ in 0..2 {
            close_in(session, &mut moves, &who_wins, &|m| !m.is_decided(), &half);
        }
    }
    for _ in 0..2 {
        let question = MoveQuestion { distance, ..who_wins };
        let open = |m: &Bounded| !(m.is_exact() || distance == Distance::First && m.is_decided());
        close_in(session, &mut moves, &question, &open, &|waiting| part(work, waiting));
    }
    // What the search of the whole left open, all the moves together may settle.
    let lo = moves.iter().map(|m| m.lo).max();
    let hi = moves.iter().map(|m| m.hi).max().filter(|_| whole);
    if let (Some(lo), true) = (lo, measured.is_none()) {
        let hi = hi.unwrap_or(Bounded::of(&MoveValue::open(String::new()), unit).hi);
        let all = Bounded { word: String::new(), lo, hi };
        if let Some(score) = all.score(unit, None) {
            found.learn(score);
        }
    }
    for m in &mut found.list.moves {
        let closed = moves.iter().find(|closed| closed.word == m.word);
        if let Some(score) = closed.and_then(|closed| closed.score(unit, found.value)) {
            m.learn(score);
        }
    }
    sorting::sort_by_key(&mut found.list.moves, |m| Reverse(m.rank()));
}

/// Asks about each of the moves that are open, each within the work that `share` returns for the number of those left.
fn close_in<'w>(
    session: &mut Session,
    moves: &mut [Bounded],
    question: &MoveQuestion,
    open: &dyn Fn(&Bounded) -> bool,
    share: &dyn Fn(u32) -> Work<'w>,
) {
    let mut waiting = moves.iter().filter(|m| open(m)).count() as u32;
    for m in moves.iter_mut().filter(|m| open(m)) {
        let work = share(waiting);
        waiting -= 1;
        if work.stopped() {
            break;
        }
        let (lo, hi) = session.bounds_of_move(&m.word, question, &work);
        (m.lo, m.hi) = (m.lo.max(lo), m.hi.min(hi));
    }
}

/// Returns the work that ends after one of `parts` equal parts of the time left.
fn part<'w>(work: &Work<'w>, parts: u32) -> Work<'w> {
    match work.until {
        Some(end) => work.within(end.saturating_duration_since(Instant::now()) / parts.max(1)),
        None => *work,
    }
}

/// Returns the value of the best move, if all are known well enough to tell which it is.
fn best_of(moves: &[MoveValue]) -> Option<Value> {
    let values: Vec<Value> = moves.iter().map(|m| m.value).collect::<Option<_>>()?;
    let best = values.iter().copied().max()?;
    let rivals = if best.wdl() == Wdl::Win { Value::WIN } else { Value::LOSS };
    Some(if best.wdl() != Wdl::Draw && values.contains(&rivals) { rivals } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_says_whether_other_moves_may_belong_to_it() {
        let (win, loss) = (Value::win_in, Value::loss_in);
        let found = |value, values: &[Option<Value>]| {
            let named = |(at, &value): (usize, &Option<Value>)| MoveValue {
                value,
                ..MoveValue::open(format!("m{at}"))
            };
            let list = MoveList { moves: values.iter().enumerate().map(named).collect(), truncated: false };
            let found = Analysis { value, list, ..Analysis::default() };
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
    fn bounds_tell_which_moves_belong_to_a_list() {
        let bounded = |word: &str, bound| MoveValue { bound, ..MoveValue::open(word.to_owned()) };
        let of = |value, moves: Vec<MoveValue>| {
            let found = Analysis {
                value: Some(value),
                list: MoveList { moves, truncated: false },
                ..Analysis::default()
            };
            let unit =
                if value.margin().is_some_and(|margin| margin != 0) { Unit::Points } else { Unit::Outcome };
            [found.best(unit).to_string(), found.keeping(unit).to_string()]
        };
        let (least, most) = (Score::AtLeast(Value::DRAW), Score::AtMost(Value::DRAW));
        let two = |a, b| vec![bounded("a", Some(a)), bounded("b", Some(b))];
        // No move is better than a drawn position.
        assert_eq!(of(Value::DRAW, two(least, most)), ["a ..", "a .."]);
        assert_eq!(of(Value::win_in(5), two(least, most)), ["..", ".."]);
        let win = MoveValue { value: Some(Value::win_in(5)), ..MoveValue::open("c".to_owned()) };
        assert_eq!(of(Value::win_in(5), vec![win, bounded("b", Some(most))]), ["c", "c"]);
        assert_eq!(
            of(Value::points(2), two(Score::AtLeast(Value::points(2)), Score::AtMost(Value::points(1)))),
            ["a", "a"]
        );
        assert_eq!(bounded("a", Some(least)).show(Unit::Outcome), ">=draw");
        assert_eq!(bounded("a", Some(Score::AtMost(Value::points(3)))).show(Unit::Points), "<=+3");
    }

    #[test]
    fn moves_settle_a_position_as_far_as_all_are_known() {
        let of = |values: &[Option<Value>]| {
            let named = |&value| MoveValue { value, ..MoveValue::open(String::new()) };
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
